BEGIN TRANSACTION;
CREATE TABLE answer_forms (
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    question_id TEXT NOT NULL,
    form TEXT NOT NULL,
    question TEXT NOT NULL,
    fact TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    model TEXT NOT NULL,
    proposed_at TEXT NOT NULL,
    deed INTEGER NOT NULL,
    PRIMARY KEY (line, question_id, form)
);
INSERT INTO "answer_forms" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','2026-11-25T23:36:28.043153+00:00',16);
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    who TEXT,
    what TEXT NOT NULL,
    about TEXT NOT NULL,
    detail TEXT NOT NULL,
    hash TEXT NOT NULL
, subject TEXT);
INSERT INTO "audit" VALUES(1,'2026-11-25T23:36:26.838797+00:00',NULL,'import','20261125-233626-8ee4a7','"June", 5 responses','a6591127f62ed463c08d621e4b56c1e7385c801455b11e82614ae88b45237d71',NULL);
INSERT INTO "audit" VALUES(2,'2026-11-25T23:36:26.970140+00:00',NULL,'import','20261125-233626-03f5a7','"July", 5 responses','5e473f28ab459ac608ed74e75b5de62444ee1550fb807bfdea3db4257fbbaa66',NULL);
INSERT INTO "audit" VALUES(3,'2026-11-25T23:36:27.037389+00:00',NULL,'verify','20261125-233626-8ee4a7','7 responses, 1 differences','26e775b8021e4de97c4a8e9ebad89d989a166e172299c5b8da9c60baef5d4fb3',NULL);
INSERT INTO "audit" VALUES(4,'2026-11-25T23:36:27.176949+00:00','Ada','label','20261125-233626-8ee4a7','1, A: correct','bdce4ad07eb659e99c1f6090514bec1cff470596e2ed301738883276bbddeb1a',NULL);
INSERT INTO "audit" VALUES(5,'2026-11-25T23:36:27.241226+00:00','Bo','label','20261125-233626-8ee4a7','1, A: incorrect','5acf53346ad5731d4169ea192173d2b2e66b46d5559047835aff6ee799bb0865',NULL);
INSERT INTO "audit" VALUES(6,'2026-11-25T23:36:27.355685+00:00','Ada','label','20261125-233626-8ee4a7','1, A: declined','92a55ff8d75e4f0fa7d9592a4240bf132f3058e0fea48e83ed344c4586b157d1',NULL);
INSERT INTO "audit" VALUES(7,'2026-11-25T23:36:27.386655+00:00','Cy','label','20261125-233626-8ee4a7','1, A: correct','5d1a89f23d72062c94a2afdf627862f6e8d65c98cf4fb488e53c9442db0bcc3a',NULL);
INSERT INTO "audit" VALUES(8,'2026-11-25T23:36:27.461232+00:00','Ada','label taken back','20261125-233626-8ee4a7','1, A: declined','0d022b9e7b9be01e4b6563fa5dadf66c5c01886b1fa02d6dd1df78a79491aadb',NULL);
INSERT INTO "audit" VALUES(9,'2026-11-25T23:36:27.509184+00:00',NULL,'judge','20261125-233626-8ee4a7','openai:m, 1 responses','68801d66e35c0a8e9eadda5e5fa62a9eb98b8e1ac485f46d186da49bdb0b5818',NULL);
INSERT INTO "audit" VALUES(10,'2026-11-25T23:36:27.630989+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','064fef839102cf5f5aadab93c07cdf8e42f8cc435814065197a02f79c2df1f26',NULL);
INSERT INTO "audit" VALUES(11,'2026-11-25T23:36:27.695154+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','5f888fa424c2a47aea4aa9136512b36a790ccd96e80bcd5482824ee87f90c3ef',NULL);
INSERT INTO "audit" VALUES(12,'2026-11-25T23:36:27.735908+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','1c95d72c0ce599e1abff2b218c83f3e76f83931b86bac482d07a9446b25ff759',NULL);
INSERT INTO "audit" VALUES(13,'2026-11-25T23:36:27.784048+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','5156e4f0487ebe16d7c879ed3f0b179f23dc7d358fe50039e6f1ab291fd324e2',NULL);
INSERT INTO "audit" VALUES(14,'2026-11-25T23:36:27.869706+00:00','Ada','generate','5b6bee51b7a92429','"generated é", 1 triplets','7f5518f4b3d02cff04e064e21c3bdbadf08a51e9eea17ba4935f3fa4a5b4f4fa',NULL);
INSERT INTO "audit" VALUES(15,'2026-11-25T23:36:27.926647+00:00','Ada','judge','d1fe840f7ebae988','openai:m, 1 triplets','f1abe1eca5820f9b6f512f67ae4a9140ed37e9d64525c61dbb9a88d9bde814d2',NULL);
INSERT INTO "audit" VALUES(16,'2026-11-25T23:36:28.042509+00:00','Ada','judge','d1fe840f7ebae988','é, 1 forms of answers','691dbb195ed400bdb7db2a196a1fc228717b050467534a7d9fc3772bcece7cec',NULL);
INSERT INTO "audit" VALUES(17,'2026-11-25T23:36:28.178595+00:00','Ada','risk','d1fe840f7ebae988','medium (major, possible): é','11e9775a7c46aa27a24f94ac616bb023f17d6065eafdb73209f52046920f894d',NULL);
INSERT INTO "audit" VALUES(18,'2026-11-25T23:36:28.345159+00:00','Lea','review','d1fe840f7ebae988','session 47a824025ddd, high, 3 of 10 at random','376327ca84707ac4824e12a79e44bf2257571891c8cb70ed3f7baefdffb39bf0',NULL);
INSERT INTO "audit" VALUES(19,'2026-11-25T23:36:28.687163+00:00','Ada','review','d1fe840f7ebae988','q0: accept (tone)','c636c69e526644e0f580565be1da231400dbb0239da37ac540e86d3edb6075a6',NULL);
INSERT INTO "audit" VALUES(20,'2026-11-25T23:36:28.957579+00:00','Ada','review','d1fe840f7ebae988','q1: delete (tone)','35dd980d94e7245966ff6e7a5824edb6d359809791040addfdc16b2803d986b9',NULL);
INSERT INTO "audit" VALUES(21,'2026-11-25T23:36:29.525322+00:00','Bo','adjudicate','d1fe840f7ebae988','q0: accept','c624b482107071c5debd7bc9c55227da03dc3187a220361cf0b3e86ca7456976',NULL);
INSERT INTO "audit" VALUES(22,'2026-11-25T23:36:29.596953+00:00','Ada','view saved','20261125-233626-8ee4a7','"wrong é", Diagnostics','3038908051be4a6335bb144b11144ac4610eb649656bed6504c4484562ca3150',NULL);
INSERT INTO "audit" VALUES(23,'2026-11-25T23:36:29.964866+00:00','Ada','owner','20261125-233626-8ee4a7','"June": Ada','c1a5fd2443cc277487a4bb6e07e8ad73bb8c9b6c1da6bd470d861962af0ff137',NULL);
INSERT INTO "audit" VALUES(24,'2026-11-25T23:36:29.966887+00:00','Ada','note','20261125-233626-8ee4a7','"June": two lines','931378154f18b6d75e8505b9d7d0642b9c29529be9f049341f7d0ad7afde4f60',NULL);
INSERT INTO "audit" VALUES(25,'2026-11-25T23:36:29.989571+00:00','Ada','tag','20261125-233626-8ee4a7','"June": release','fda564271516f6b4936af335ccc59f6299f14cff14e5a6df3f7dc78242aa6482',NULL);
INSERT INTO "audit" VALUES(26,'2026-11-25T23:36:30.054077+00:00','Ada','project','alpha','made','36a0b6d5feec7c6388da966ea3bf45157d2cfc9ceb5921b21284f9151f6b9db1',NULL);
INSERT INTO "audit" VALUES(27,'2026-11-25T23:36:30.144841+00:00','Ada','project','20261125-233626-8ee4a7','"June" moved into the project alpha','d1c1bb8c0fa32882dd78cc2d09aa7fac26f4775c8e96827f8460e6780944426c',NULL);
INSERT INTO "audit" VALUES(28,'2026-11-25T23:36:30.222325+00:00','Ada','member','','ada is owner','a491e9342cb2bab31dde546c975ab8f0d38c6a7b6628e8ac16644ad829cb051c',NULL);
CREATE TABLE bertscores (
    model TEXT NOT NULL,
    pair BLOB NOT NULL,
    bertscore REAL NOT NULL,
    PRIMARY KEY (model, pair)
) WITHOUT ROWID;
INSERT INTO "bertscores" VALUES('model',X'00FF',0.1);
INSERT INTO "bertscores" VALUES('model',X'74776F',3.33333333333333314829e-01);
CREATE TABLE golden_datasets (
    golden_id TEXT PRIMARY KEY,
    questions INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    checksum TEXT NOT NULL
);
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-25T23:36:26.729570+00:00','c9009780fd40403897a77e51d7dce4318c791d442226016415eb1c76c1a5bc8a');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-25T23:36:27.599975+00:00','e9d1a248547f11ce5e1ecb6d9051d6fc7813b5f6a8a7c971b1e95d38af5a6196');
INSERT INTO "golden_datasets" VALUES('5b6bee51b7a92429',1,'2026-11-25T23:36:27.826670+00:00','2decbd518c07e632d373e4a6dfaa5fec5d0ef96b02fcfda135a65d49246d12a1');
CREATE TABLE golden_edits (
    line TEXT NOT NULL,
    number INTEGER NOT NULL,
    place INTEGER NOT NULL,
    question_id TEXT NOT NULL,
    field TEXT NOT NULL,
    before TEXT,
    after TEXT,
    rule TEXT,
    PRIMARY KEY (line, number, place),
    FOREIGN KEY (line, number) REFERENCES golden_versions (line, number)
);
INSERT INTO "golden_edits" VALUES('d1fe840f7ebae988',2,0,'1','fact','Seattle','Seattle<OR>SEA',NULL);
CREATE TABLE golden_versions (
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    number INTEGER NOT NULL,
    golden_id TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    parent TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    made_at TEXT NOT NULL,
    made_by TEXT NOT NULL,
    why TEXT NOT NULL, deed INTEGER,
    PRIMARY KEY (line, number)
);
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-25T23:36:27.599975+00:00','Ada','a short form',10);
CREATE TABLE grades (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    judge TEXT NOT NULL REFERENCES judges (judge),
    question_id TEXT NOT NULL,
    pipeline TEXT NOT NULL,
    verdict TEXT,
    reason TEXT,
    composite REAL,
    grades TEXT,
    unscored TEXT,
    consistent BOOLEAN,
    cost REAL,
    tokens INTEGER,
    seconds REAL,
    graded_at TEXT NOT NULL,
    deed INTEGER NOT NULL,
    PRIMARY KEY (run_id, judge, question_id, pipeline)
);
INSERT INTO "grades" VALUES('20261125-233626-8ee4a7','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-25T23:36:27.491030+00:00',9);
CREATE TABLE holdings (
    server TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    amount INTEGER NOT NULL,
    seen_at REAL NOT NULL,
    PRIMARY KEY (server, kind, subject)
);
INSERT INTO "holdings" VALUES('server','page','ada',1,1.7956497902842319011e+09);
CREATE TABLE judges (
    judge TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    description TEXT NOT NULL,
    first_used_at TEXT NOT NULL
);
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-25T23:36:27.508066+00:00');
CREATE TABLE labels (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    question_id TEXT NOT NULL,
    pipeline TEXT NOT NULL,
    label TEXT NOT NULL,
    labelled_by TEXT NOT NULL,
    labelled_at TEXT NOT NULL
, deed INTEGER, comment TEXT, drawn BOOLEAN);
INSERT INTO "labels" VALUES(1,'20261125-233626-8ee4a7','1','A','correct','Ada','2026-11-25T23:36:27.160062+00:00',4,NULL,NULL);
INSERT INTO "labels" VALUES(2,'20261125-233626-8ee4a7','1','A','incorrect','Bo','2026-11-25T23:36:27.223806+00:00',5,NULL,NULL);
INSERT INTO "labels" VALUES(4,'20261125-233626-8ee4a7','1','A','correct','Cy','2026-11-25T23:36:27.382077+00:00',7,'é
as said',1);
CREATE TABLE mapping_profiles (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    columns TEXT NOT NULL,
    mapping TEXT NOT NULL,
    saved_by TEXT,
    saved_at TEXT NOT NULL,
    deed INTEGER NOT NULL
);
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-25T23:36:27.771312+00:00',13);
CREATE TABLE members (
    project TEXT NOT NULL,
    subject TEXT NOT NULL,
    role TEXT NOT NULL,
    given_at TEXT NOT NULL,
    PRIMARY KEY (project, subject)
);
INSERT INTO "members" VALUES('','ada','owner','2026-11-25T23:36:30.220956+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-25T23:36:26.542581+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-25T23:36:26.557409+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-25T23:36:26.558072+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-25T23:36:26.558568+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-25T23:36:26.583587+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-25T23:36:26.585009+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-25T23:36:26.585512+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-25T23:36:26.586363+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-25T23:36:26.600881+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-25T23:36:26.601585+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-25T23:36:26.602259+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-25T23:36:26.602981+00:00');
INSERT INTO "migrations" VALUES(13,'2026-11-25T23:36:26.616900+00:00');
INSERT INTO "migrations" VALUES(14,'2026-11-25T23:36:26.618837+00:00');
INSERT INTO "migrations" VALUES(15,'2026-11-25T23:36:26.641814+00:00');
INSERT INTO "migrations" VALUES(16,'2026-11-25T23:36:26.642769+00:00');
INSERT INTO "migrations" VALUES(17,'2026-11-25T23:36:26.659873+00:00');
INSERT INTO "migrations" VALUES(18,'2026-11-25T23:36:26.661080+00:00');
INSERT INTO "migrations" VALUES(19,'2026-11-25T23:36:26.661590+00:00');
INSERT INTO "migrations" VALUES(20,'2026-11-25T23:36:26.662629+00:00');
INSERT INTO "migrations" VALUES(21,'2026-11-25T23:36:26.676014+00:00');
CREATE TABLE named_datasets (
    name TEXT PRIMARY KEY,
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    made_at TEXT NOT NULL
);
INSERT INTO "named_datasets" VALUES('generated é','5b6bee51b7a92429','2026-11-25T23:36:27.826670+00:00');
CREATE TABLE passages (
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    question_id TEXT NOT NULL,
    chunk TEXT NOT NULL,
    document TEXT NOT NULL,
    document_hash TEXT NOT NULL,
    page INTEGER,
    last_page INTEGER,
    start_at INTEGER NOT NULL,
    end_at INTEGER NOT NULL,
    heading TEXT NOT NULL,
    passage TEXT NOT NULL,
    kind TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    margin REAL,
    note TEXT,
    flagged BOOLEAN NOT NULL,
    added_at TEXT NOT NULL, turns TEXT,
    PRIMARY KEY (line, question_id)
);
INSERT INTO "passages" VALUES('5b6bee51b7a92429','1','c','a.md','d',NULL,NULL,0,9,'é','the text','list','openai:m','p',NULL,NULL,1,'2026-11-25T23:36:27.826670+00:00',NULL);
CREATE TABLE policies (
    number INTEGER PRIMARY KEY,
    policy TEXT NOT NULL,
    set_at TEXT NOT NULL
);
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-25T23:36:27.722791+00:00');
CREATE TABLE project_golden (
    project TEXT NOT NULL REFERENCES projects (project),
    golden_id TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    PRIMARY KEY (project, golden_id)
);
INSERT INTO "project_golden" VALUES('alpha','d1fe840f7ebae988');
CREATE TABLE projects (
    project TEXT PRIMARY KEY,
    made_at TEXT NOT NULL
);
INSERT INTO "projects" VALUES('alpha','2026-11-25T23:36:30.052993+00:00');
CREATE TABLE rejections (
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    question_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    proposed TEXT NOT NULL,
    rejected_by TEXT NOT NULL,
    rejected_at TEXT NOT NULL,
    PRIMARY KEY (line, question_id, rule, proposed)
);
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-25T23:36:27.680003+00:00');
CREATE TABLE review_decisions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    item INTEGER NOT NULL,
    reader TEXT NOT NULL,
    adjudicates BOOLEAN NOT NULL,
    action TEXT NOT NULL,
    findings TEXT NOT NULL,
    note TEXT NOT NULL,
    question TEXT,
    answer TEXT,
    fact TEXT,
    seconds REAL,
    triplet TEXT NOT NULL,
    chunk TEXT,
    decided_at TEXT NOT NULL,
    ended_at TEXT,
    ended_why TEXT,
    applied INTEGER,
    deed INTEGER NOT NULL,
    FOREIGN KEY (session, item) REFERENCES review_items (session, item)
);
INSERT INTO "review_decisions" VALUES(1,'47a824025ddd',0,'Ada',0,'accept','["tone"]','',NULL,NULL,NULL,NULL,'t0','c','2026-11-25T23:36:28.653814+00:00',NULL,NULL,NULL,19);
INSERT INTO "review_decisions" VALUES(2,'47a824025ddd',1,'Ada',0,'delete','["tone"]','',NULL,NULL,NULL,NULL,'t1','c','2026-11-25T23:36:28.932923+00:00',NULL,NULL,NULL,20);
INSERT INTO "review_decisions" VALUES(3,'47a824025ddd',0,'Bo',1,'accept','[]','fine',NULL,NULL,NULL,NULL,'t0','c','2026-11-25T23:36:29.493634+00:00',NULL,NULL,NULL,21);
CREATE TABLE review_flags (
    session TEXT NOT NULL REFERENCES review_sessions (session),
    question_id TEXT NOT NULL,
    source TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (session, question_id, source)
);
INSERT INTO "review_flags" VALUES('47a824025ddd','q0','judge','hallucinated');
INSERT INTO "review_flags" VALUES('47a824025ddd','q0','lint','blank-answer');
CREATE TABLE review_items (
    session TEXT NOT NULL REFERENCES review_sessions (session),
    item INTEGER NOT NULL,
    place REAL NOT NULL,
    question_id TEXT NOT NULL,
    drawn TEXT NOT NULL,
    repeat_of INTEGER,
    triplet TEXT NOT NULL,
    chunk TEXT,
    document TEXT,
    PRIMARY KEY (session, item)
);
INSERT INTO "review_items" VALUES('47a824025ddd',0,0.0,'q0','random',NULL,'t0','c','a.md');
INSERT INTO "review_items" VALUES('47a824025ddd',1,1.0,'q1','random',NULL,'t1','c','a.md');
INSERT INTO "review_items" VALUES('47a824025ddd',2,2.0,'q2','random',NULL,'t2','c','a.md');
CREATE TABLE review_leases (
    session TEXT NOT NULL,
    item INTEGER NOT NULL,
    reader TEXT NOT NULL,
    given_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    draft TEXT NOT NULL,
    PRIMARY KEY (session, item, reader),
    FOREIGN KEY (session, item) REFERENCES review_items (session, item)
);
INSERT INTO "review_leases" VALUES('47a824025ddd',2,'Cy','2026-11-25T23:36:29.158732+00:00','2026-11-26T00:06:29.158732+00:00','{}');
CREATE TABLE review_sessions (
    session TEXT PRIMARY KEY,
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    golden_id TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    category TEXT NOT NULL,
    level TEXT NOT NULL,
    population INTEGER NOT NULL,
    at_most REAL NOT NULL,
    confidence REAL NOT NULL,
    sample INTEGER NOT NULL,
    allowed_wrong INTEGER NOT NULL,
    readers INTEGER NOT NULL,
    pool TEXT NOT NULL,
    own_findings TEXT NOT NULL,
    guidelines TEXT NOT NULL,
    seed INTEGER NOT NULL,
    started_by TEXT NOT NULL,
    started_at TEXT NOT NULL,
    closed_at TEXT,
    deed INTEGER NOT NULL
);
INSERT INTO "review_sessions" VALUES('47a824025ddd','d1fe840f7ebae988','d1fe840f7ebae988','','high',10,0.01,0.95,3,0,1,'[]','["tone"]','Read the passage first.',1,'Lea','2026-05-01T00:00:00.000000+00:00',NULL,18);
CREATE TABLE review_views (
    session TEXT NOT NULL,
    item INTEGER NOT NULL,
    viewer TEXT NOT NULL,
    PRIMARY KEY (session, item, viewer),
    FOREIGN KEY (session, item) REFERENCES review_items (session, item)
);
INSERT INTO "review_views" VALUES('47a824025ddd',0,'Bo');
CREATE TABLE risks (
    number INTEGER PRIMARY KEY,
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    category TEXT NOT NULL,
    severity TEXT NOT NULL,
    likelihood TEXT NOT NULL,
    level TEXT NOT NULL,
    reason TEXT NOT NULL,
    classified_by TEXT NOT NULL,
    classified_at TEXT NOT NULL,
    deed INTEGER NOT NULL
);
INSERT INTO "risks" VALUES(1,'d1fe840f7ebae988','','major','possible','medium','é','Ada','2026-11-25T23:36:28.175829+00:00',17);
CREATE TABLE run_records (
    run_id TEXT PRIMARY KEY REFERENCES runs (run_id),
    owner TEXT,
    tags TEXT NOT NULL,
    notes TEXT NOT NULL,
    archived_at TEXT,
    archived_by TEXT,
    deleted_at TEXT,
    deleted_by TEXT,
    deleted_name TEXT,
    provenance TEXT
, project TEXT REFERENCES projects (project), override TEXT);
INSERT INTO "run_records" VALUES('20261125-233626-8ee4a7','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL,'alpha',NULL);
INSERT INTO "run_records" VALUES('20261125-233626-03f5a7',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    golden_id TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    pipelines TEXT NOT NULL,
    questions INTEGER NOT NULL,
    responses INTEGER NOT NULL,
    thresholds TEXT NOT NULL,
    engine TEXT NOT NULL,
    sources TEXT NOT NULL,
    listed_counts TEXT NOT NULL,
    rows_checksum TEXT NOT NULL,
    listed_checksum TEXT NOT NULL
, deed INTEGER);
INSERT INTO "runs" VALUES('20261125-233626-8ee4a7','June','2026-11-25T23:36:26.729570+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261125-233626-03f5a7','July','2026-11-25T23:36:26.931706+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
CREATE TABLE saved_views (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    name TEXT NOT NULL,
    page TEXT NOT NULL,
    parameters TEXT NOT NULL,
    saved_by TEXT,
    saved_at TEXT NOT NULL,
    deed INTEGER NOT NULL,
    PRIMARY KEY (run_id, name)
);
INSERT INTO "saved_views" VALUES('20261125-233626-8ee4a7','wrong é','Diagnostics','{"verdict": ["incorrect"]}','Ada','2026-11-25T23:36:29.585005+00:00',22);
CREATE TABLE sign_ins (
    key TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    began_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
);
INSERT INTO "sign_ins" VALUES('4dd81e1921c1be58ca8d13610bd3f760ecc80e3f2f1f0278271d1bb22c071005','ada','Ada','oidc','2026-11-25T23:36:30.258906+00:00','2026-11-25T23:36:30.258906+00:00','2026-11-26T11:36:30.258906+00:00');
CREATE TABLE triplet_findings (
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    question_id TEXT NOT NULL,
    question TEXT NOT NULL,
    answer TEXT NOT NULL,
    fact TEXT,
    finding TEXT NOT NULL,
    quotation TEXT,
    why TEXT,
    repaired_answer TEXT,
    repaired_fact TEXT,
    gate TEXT,
    model TEXT NOT NULL,
    judged_at TEXT NOT NULL,
    deed INTEGER NOT NULL,
    PRIMARY KEY (line, question_id)
);
INSERT INTO "triplet_findings" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','é','é','é','openai:m','2026-11-25T23:36:27.906566+00:00',15);
CREATE TABLE verifications (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    verified_at TEXT NOT NULL,
    version TEXT NOT NULL,
    compared INTEGER NOT NULL,
    differences INTEGER NOT NULL
, deed INTEGER);
INSERT INTO "verifications" VALUES('20261125-233626-8ee4a7','2026-03-01T00:00:00.000000+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item)
    WHERE ended_at IS NULL AND adjudicates;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',4);
INSERT INTO "sqlite_sequence" VALUES('review_decisions',3);
COMMIT;
