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
INSERT INTO "answer_forms" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','2026-11-23T07:31:44.757996+00:00',16);
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    who TEXT,
    what TEXT NOT NULL,
    about TEXT NOT NULL,
    detail TEXT NOT NULL,
    hash TEXT NOT NULL
, subject TEXT);
INSERT INTO "audit" VALUES(1,'2026-11-23T07:31:44.443336+00:00',NULL,'import','20261123-073144-22be2f','"June", 5 responses','69969c2d6a002156709b2b888e531f8b9b5e6dd4fef239b13779c45eca933c53',NULL);
INSERT INTO "audit" VALUES(2,'2026-11-23T07:31:44.466195+00:00',NULL,'import','20261123-073144-0003a0','"July", 5 responses','bac99e492927ac0f62f962de3fa9b65dc4529bd89997b3344d1297e5baac2b64',NULL);
INSERT INTO "audit" VALUES(3,'2026-11-23T07:31:44.473682+00:00',NULL,'verify','20261123-073144-22be2f','7 responses, 1 differences','562e704a020ea8463302a15471cd23161d9e195e5d99672dffad23c580a0446d',NULL);
INSERT INTO "audit" VALUES(4,'2026-11-23T07:31:44.488313+00:00','Ada','label','20261123-073144-22be2f','1, A: correct','f342dc7e411ffb0bfcc427fcdb19ce787dde7ad16ffd982f54ba62273c54f337',NULL);
INSERT INTO "audit" VALUES(5,'2026-11-23T07:31:44.505469+00:00','Bo','label','20261123-073144-22be2f','1, A: incorrect','b475c3e9698ba0d6c4f73dfc4dae7f2d7e027a2d8e891780b430f8de55c0ad6a',NULL);
INSERT INTO "audit" VALUES(6,'2026-11-23T07:31:44.525020+00:00','Ada','label','20261123-073144-22be2f','1, A: declined','ec073db9f129d6e3a269f491a11313b6e020306e789dcd1b97b1093f395392c4',NULL);
INSERT INTO "audit" VALUES(7,'2026-11-23T07:31:44.540448+00:00','Cy','label','20261123-073144-22be2f','1, A: correct','2d284c0c160d86adb147e9d86c5dc173fe95b65956de1ca5fd0afd2c13623f2a',NULL);
INSERT INTO "audit" VALUES(8,'2026-11-23T07:31:44.572524+00:00','Ada','label taken back','20261123-073144-22be2f','1, A: declined','f8cda08d202d085f86ba9cf5f282e95a2d4de53bbdc70ee488d4fcccd21aabcf',NULL);
INSERT INTO "audit" VALUES(9,'2026-11-23T07:31:44.588228+00:00',NULL,'judge','20261123-073144-22be2f','openai:m, 1 responses','f1a978d5e4f1cbf699131aa3a1e927b62e8a8c0d14003424930565071b948ed5',NULL);
INSERT INTO "audit" VALUES(10,'2026-11-23T07:31:44.661215+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','54642f34c64cdb9da52e82c08fc84678bf2e41f109e49fedf312139af36bfb68',NULL);
INSERT INTO "audit" VALUES(11,'2026-11-23T07:31:44.682632+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','216618e5ca0ceecfd2cd9234e8c5e4787a29472544eaea855a7d68a3d6693205',NULL);
INSERT INTO "audit" VALUES(12,'2026-11-23T07:31:44.701960+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','0b43a8b4fd3476560f56558a7a88c69eeb3c1cb3f56ef3485b923f4b66a9f693',NULL);
INSERT INTO "audit" VALUES(13,'2026-11-23T07:31:44.718237+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','b9559979c495549200728054b5084ff719ea7f942647adeaab4a359ea2a72e7e',NULL);
INSERT INTO "audit" VALUES(14,'2026-11-23T07:31:44.744421+00:00','Ada','generate','5b6bee51b7a92429','"generated é", 1 triplets','eaf2a39b738b7f61a869c34f24101ee43dbc0139c0d1d4227664ced1e8d8f5b9',NULL);
INSERT INTO "audit" VALUES(15,'2026-11-23T07:31:44.751861+00:00','Ada','judge','d1fe840f7ebae988','openai:m, 1 triplets','65ac4a875c3a3f0460dac2b69facf8ff3cf2e6040bbd6e60f253def780341bc6',NULL);
INSERT INTO "audit" VALUES(16,'2026-11-23T07:31:44.757472+00:00','Ada','judge','d1fe840f7ebae988','é, 1 forms of answers','aee8cffc3e3652f0cae7cf9f68465de7574c87ea5acc36f62dfd8494073be5a9',NULL);
INSERT INTO "audit" VALUES(17,'2026-11-23T07:31:44.761370+00:00','Ada','risk','d1fe840f7ebae988','medium (major, possible): é','efd2b71c7bbc0a734e32097bd5407101796d9e06a2a89de4d66017bf1ec75f93',NULL);
INSERT INTO "audit" VALUES(18,'2026-11-23T07:31:44.776089+00:00','Lea','review','d1fe840f7ebae988','session b54e9cdc9c87, high, 3 of 10 at random','52c7c1b1250acfbd01235c2b3fd00e4b85cc753624d92c5eb81515dec4ab704d',NULL);
INSERT INTO "audit" VALUES(19,'2026-11-23T07:31:44.995560+00:00','Ada','review','d1fe840f7ebae988','q0: accept (tone)','4954a52aefe5ee3b7e59900fe3aacda41468d5c40d6922cc0ce829e80384b6bd',NULL);
INSERT INTO "audit" VALUES(20,'2026-11-23T07:31:45.292503+00:00','Ada','review','d1fe840f7ebae988','q1: delete (tone)','b9aad9d800e2cb4076b7f16b62fc68c3676cdc8d9a2b41ef8af662ab8221b87b',NULL);
INSERT INTO "audit" VALUES(21,'2026-11-23T07:31:45.349281+00:00','Bo','adjudicate','d1fe840f7ebae988','q0: accept','be99e61b834579a9bfb62a1d7a63cfcbfba991a5333e60e7f6e5d92eab72e446',NULL);
INSERT INTO "audit" VALUES(22,'2026-11-23T07:31:45.355869+00:00','Ada','view saved','20261123-073144-22be2f','"wrong é", Diagnostics','5823b895364f3efd47d996e9760dce4b75f87485ab9ccc96ef40c0de614e7e2d',NULL);
INSERT INTO "audit" VALUES(23,'2026-11-23T07:31:45.389110+00:00','Ada','owner','20261123-073144-22be2f','"June": Ada','1b97121201e08070f306fd5f5a1660a495ca1bbfbe2bfd0c74d4207fb815b721',NULL);
INSERT INTO "audit" VALUES(24,'2026-11-23T07:31:45.390141+00:00','Ada','note','20261123-073144-22be2f','"June": two lines','7f2a97f4724780b648f98955050494a29a191592a0373ccb26e1abdb0d35d147',NULL);
INSERT INTO "audit" VALUES(25,'2026-11-23T07:31:45.390750+00:00','Ada','tag','20261123-073144-22be2f','"June": release','a5710f9da7aec093e6d10de3e9110052457c6373297256e9266dcd81ecea1d20',NULL);
INSERT INTO "audit" VALUES(26,'2026-11-23T07:31:45.408204+00:00','Ada','project','alpha','made','ac992de85412788be825b174367bb74494fa2e558d007d568bd65f2b758aa4ca',NULL);
INSERT INTO "audit" VALUES(27,'2026-11-23T07:31:45.425071+00:00','Ada','project','20261123-073144-22be2f','"June" moved into the project alpha','e22d02f3724d738815a36a22f95bbb1c945429690d372d1b7bb970261c52ed49',NULL);
INSERT INTO "audit" VALUES(28,'2026-11-23T07:31:45.436549+00:00','Ada','member','','ada is owner','1e7ceddc012d044b7d25a0d11f255c1ac6246eef3eed8f13ffcacd6ee8546ef6',NULL);
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-23T07:31:44.425384+00:00','c9009780fd40403897a77e51d7dce4318c791d442226016415eb1c76c1a5bc8a');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-23T07:31:44.648797+00:00','e9d1a248547f11ce5e1ecb6d9051d6fc7813b5f6a8a7c971b1e95d38af5a6196');
INSERT INTO "golden_datasets" VALUES('5b6bee51b7a92429',1,'2026-11-23T07:31:44.730719+00:00','2decbd518c07e632d373e4a6dfaa5fec5d0ef96b02fcfda135a65d49246d12a1');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-23T07:31:44.648797+00:00','Ada','a short form',10);
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
INSERT INTO "grades" VALUES('20261123-073144-22be2f','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-23T07:31:44.584655+00:00',9);
CREATE TABLE holdings (
    server TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    amount INTEGER NOT NULL,
    seen_at REAL NOT NULL,
    PRIMARY KEY (server, kind, subject)
);
INSERT INTO "holdings" VALUES('server','page','ada',1,1.79541910546825861936e+09);
CREATE TABLE judges (
    judge TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    description TEXT NOT NULL,
    first_used_at TEXT NOT NULL
);
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-23T07:31:44.587385+00:00');
CREATE TABLE labels (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    question_id TEXT NOT NULL,
    pipeline TEXT NOT NULL,
    label TEXT NOT NULL,
    labelled_by TEXT NOT NULL,
    labelled_at TEXT NOT NULL
, deed INTEGER, comment TEXT, drawn BOOLEAN);
INSERT INTO "labels" VALUES(1,'20261123-073144-22be2f','1','A','correct','Ada','2026-11-23T07:31:44.485426+00:00',4,NULL,NULL);
INSERT INTO "labels" VALUES(2,'20261123-073144-22be2f','1','A','incorrect','Bo','2026-11-23T07:31:44.501103+00:00',5,NULL,NULL);
INSERT INTO "labels" VALUES(4,'20261123-073144-22be2f','1','A','correct','Cy','2026-11-23T07:31:44.537065+00:00',7,'é
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
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-23T07:31:44.716714+00:00',13);
CREATE TABLE members (
    project TEXT NOT NULL,
    subject TEXT NOT NULL,
    role TEXT NOT NULL,
    given_at TEXT NOT NULL,
    PRIMARY KEY (project, subject)
);
INSERT INTO "members" VALUES('','ada','owner','2026-11-23T07:31:45.434274+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-23T07:31:44.405005+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-23T07:31:44.406292+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-23T07:31:44.406589+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-23T07:31:44.406783+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-23T07:31:44.407018+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-23T07:31:44.407326+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-23T07:31:44.407472+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-23T07:31:44.407706+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-23T07:31:44.408325+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-23T07:31:44.408532+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-23T07:31:44.408733+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-23T07:31:44.408923+00:00');
INSERT INTO "migrations" VALUES(13,'2026-11-23T07:31:44.409466+00:00');
INSERT INTO "migrations" VALUES(14,'2026-11-23T07:31:44.410492+00:00');
INSERT INTO "migrations" VALUES(15,'2026-11-23T07:31:44.411368+00:00');
INSERT INTO "migrations" VALUES(16,'2026-11-23T07:31:44.411660+00:00');
INSERT INTO "migrations" VALUES(17,'2026-11-23T07:31:44.411844+00:00');
INSERT INTO "migrations" VALUES(18,'2026-11-23T07:31:44.412092+00:00');
INSERT INTO "migrations" VALUES(19,'2026-11-23T07:31:44.412239+00:00');
CREATE TABLE named_datasets (
    name TEXT PRIMARY KEY,
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    made_at TEXT NOT NULL
);
INSERT INTO "named_datasets" VALUES('generated é','5b6bee51b7a92429','2026-11-23T07:31:44.730719+00:00');
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
    added_at TEXT NOT NULL,
    PRIMARY KEY (line, question_id)
);
INSERT INTO "passages" VALUES('5b6bee51b7a92429','1','c','a.md','d',NULL,NULL,0,9,'é','the text','list','openai:m','p',NULL,NULL,1,'2026-11-23T07:31:44.730719+00:00');
CREATE TABLE policies (
    number INTEGER PRIMARY KEY,
    policy TEXT NOT NULL,
    set_at TEXT NOT NULL
);
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-23T07:31:44.701142+00:00');
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
INSERT INTO "projects" VALUES('alpha','2026-11-23T07:31:45.407340+00:00');
CREATE TABLE rejections (
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    question_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    proposed TEXT NOT NULL,
    rejected_by TEXT NOT NULL,
    rejected_at TEXT NOT NULL,
    PRIMARY KEY (line, question_id, rule, proposed)
);
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-23T07:31:44.678745+00:00');
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
INSERT INTO "review_decisions" VALUES(1,'b54e9cdc9c87',0,'Ada',0,'accept','["tone"]','',NULL,NULL,NULL,NULL,'t0','c','2026-11-23T07:31:44.989287+00:00',NULL,NULL,NULL,19);
INSERT INTO "review_decisions" VALUES(2,'b54e9cdc9c87',1,'Ada',0,'delete','["tone"]','',NULL,NULL,NULL,NULL,'t1','c','2026-11-23T07:31:45.175105+00:00',NULL,NULL,NULL,20);
INSERT INTO "review_decisions" VALUES(3,'b54e9cdc9c87',0,'Bo',1,'accept','[]','fine',NULL,NULL,NULL,NULL,'t0','c','2026-11-23T07:31:45.346719+00:00',NULL,NULL,NULL,21);
CREATE TABLE review_flags (
    session TEXT NOT NULL REFERENCES review_sessions (session),
    question_id TEXT NOT NULL,
    source TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (session, question_id, source)
);
INSERT INTO "review_flags" VALUES('b54e9cdc9c87','q0','judge','hallucinated');
INSERT INTO "review_flags" VALUES('b54e9cdc9c87','q0','lint','blank-answer');
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
INSERT INTO "review_items" VALUES('b54e9cdc9c87',0,0.0,'q0','random',NULL,'t0','c','a.md');
INSERT INTO "review_items" VALUES('b54e9cdc9c87',1,1.0,'q1','random',NULL,'t1','c','a.md');
INSERT INTO "review_items" VALUES('b54e9cdc9c87',2,2.0,'q2','random',NULL,'t2','c','a.md');
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
INSERT INTO "review_leases" VALUES('b54e9cdc9c87',2,'Cy','2026-11-23T07:31:45.302413+00:00','2026-11-23T08:01:45.302413+00:00','{}');
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
INSERT INTO "review_sessions" VALUES('b54e9cdc9c87','d1fe840f7ebae988','d1fe840f7ebae988','','high',10,0.01,0.95,3,0,1,'[]','["tone"]','Read the passage first.',1,'Lea','2026-05-01T00:00:00.000000+00:00',NULL,18);
CREATE TABLE review_views (
    session TEXT NOT NULL,
    item INTEGER NOT NULL,
    viewer TEXT NOT NULL,
    PRIMARY KEY (session, item, viewer),
    FOREIGN KEY (session, item) REFERENCES review_items (session, item)
);
INSERT INTO "review_views" VALUES('b54e9cdc9c87',0,'Bo');
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
INSERT INTO "risks" VALUES(1,'d1fe840f7ebae988','','major','possible','medium','é','Ada','2026-11-23T07:31:44.760460+00:00',17);
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
, project TEXT REFERENCES projects (project));
INSERT INTO "run_records" VALUES('20261123-073144-22be2f','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL,'alpha');
INSERT INTO "run_records" VALUES('20261123-073144-0003a0',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261123-073144-22be2f','June','2026-11-23T07:31:44.425384+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261123-073144-0003a0','July','2026-11-23T07:31:44.458300+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
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
INSERT INTO "saved_views" VALUES('20261123-073144-22be2f','wrong é','Diagnostics','{"verdict": ["incorrect"]}','Ada','2026-11-23T07:31:45.353897+00:00',22);
CREATE TABLE sign_ins (
    key TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    began_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
);
INSERT INTO "sign_ins" VALUES('ce5413bf2bf4817e80c9b0936f5dc033c9f070c60f29190d9f8fe29f8f76dfc0','ada','Ada','oidc','2026-11-23T07:31:45.444573+00:00','2026-11-23T07:31:45.444573+00:00','2026-11-23T19:31:45.444573+00:00');
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
INSERT INTO "triplet_findings" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','é','é','é','openai:m','2026-11-23T07:31:44.750672+00:00',15);
CREATE TABLE verifications (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    verified_at TEXT NOT NULL,
    version TEXT NOT NULL,
    compared INTEGER NOT NULL,
    differences INTEGER NOT NULL
, deed INTEGER);
INSERT INTO "verifications" VALUES('20261123-073144-22be2f','2026-03-01T00:00:00.000000+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item)
    WHERE ended_at IS NULL AND adjudicates;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',4);
INSERT INTO "sqlite_sequence" VALUES('review_decisions',3);
COMMIT;
