BEGIN TRANSACTION;
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    who TEXT,
    what TEXT NOT NULL,
    about TEXT NOT NULL,
    detail TEXT NOT NULL,
    hash TEXT NOT NULL
, subject TEXT);
INSERT INTO "audit" VALUES(1,'2026-11-23T06:21:52.384856+00:00',NULL,'import','20261123-062152-44b978','"June", 5 responses','2f3df43b3ecf78ebcfe9f7bc6eff2a2cc4cd8ab6b00c5d4849fa923a16713da4',NULL);
INSERT INTO "audit" VALUES(2,'2026-11-23T06:21:52.400606+00:00',NULL,'import','20261123-062152-0bbd3e','"July", 5 responses','dc00571dba39cfdb76f7a74c7bcd24174c1c9561024b95840bc56f390f21f8f5',NULL);
INSERT INTO "audit" VALUES(3,'2026-11-23T06:21:52.407197+00:00',NULL,'verify','20261123-062152-44b978','7 responses, 1 differences','fad547e290fbc45d546990bf662a2351f7c7f9ca3f9b440892a29c941f4f11cf',NULL);
INSERT INTO "audit" VALUES(4,'2026-11-23T06:21:52.418902+00:00','Ada','label','20261123-062152-44b978','1, A: correct','ea0b18d064ef59012f80579d1fa32386ce8cc4bc2303409a856410b1968e46b0',NULL);
INSERT INTO "audit" VALUES(5,'2026-11-23T06:21:52.427016+00:00','Bo','label','20261123-062152-44b978','1, A: incorrect','12360ebdf7224e636246ded1fc34826936fe32f2545de5184824af5434dbf746',NULL);
INSERT INTO "audit" VALUES(6,'2026-11-23T06:21:52.432540+00:00','Ada','label','20261123-062152-44b978','1, A: declined','049b4acd6bd2ba0d1489ce1826c964ccfdf17a6ac373764b93e589d002f7db9b',NULL);
INSERT INTO "audit" VALUES(7,'2026-11-23T06:21:52.437672+00:00','Cy','label','20261123-062152-44b978','1, A: correct','6504950332b4cfbd52d63e19229ade5ec9e0f55ebbed978f2c331c41e82d186a',NULL);
INSERT INTO "audit" VALUES(8,'2026-11-23T06:21:52.445071+00:00','Ada','label taken back','20261123-062152-44b978','1, A: declined','10665cd01898824f8dc56fd406ab542244f2a00c3c097d31516b0405a7778d37',NULL);
INSERT INTO "audit" VALUES(9,'2026-11-23T06:21:52.451114+00:00',NULL,'judge','20261123-062152-44b978','openai:m, 1 responses','76637412a30db6c8f48518f7c0e9fc803852af94595f0cc8ec12b5bafbf9eb08',NULL);
INSERT INTO "audit" VALUES(10,'2026-11-23T06:21:52.467051+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','5accc0cfe0663f3b1016e9768526008a3a088eafbf0a2ae41d3100fbe3708e3e',NULL);
INSERT INTO "audit" VALUES(11,'2026-11-23T06:21:52.474173+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','2be8cca756d847bccad0683ca64bf391be3eb4793a343e4a4af84791b36441f3',NULL);
INSERT INTO "audit" VALUES(12,'2026-11-23T06:21:52.480145+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','0a349a564600e9d399cb2f2c2209b2232cf89ccf986270a71bbfec3541df84b8',NULL);
INSERT INTO "audit" VALUES(13,'2026-11-23T06:21:52.483708+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','a7b348f6e5a911f40e4cd4d755d2a49ff6116935551b2dfe5196698a6cf79224',NULL);
INSERT INTO "audit" VALUES(14,'2026-11-23T06:21:52.496958+00:00','Ada','generate','5b6bee51b7a92429','"generated é", 1 triplets','6cf1488295c9128ffcbecb286f2ef5367e77b82e0f6cc7cc20604d2e5211fa84',NULL);
INSERT INTO "audit" VALUES(15,'2026-11-23T06:21:52.508436+00:00','Ada','judge','d1fe840f7ebae988','openai:m, 1 triplets','375b9fb43f9883dc4d1350f578f9d8ef0cb33eac1c1cfc3b98df2d0f2e0af0d4',NULL);
INSERT INTO "audit" VALUES(16,'2026-11-23T06:21:52.518357+00:00','Ada','risk','d1fe840f7ebae988','medium (major, possible): é','6369ea37231f09ad7636cf83b97f1468786dcf0fafbf717b17a0e84cca0bf3fb',NULL);
INSERT INTO "audit" VALUES(17,'2026-11-23T06:21:52.533987+00:00','Lea','review','d1fe840f7ebae988','session 17eda03b0038, high, 3 of 10 at random','55d48076d3160a1f7d98c97d7e3c491eeeb1d46da953d825f25c8f6a9a986c07',NULL);
INSERT INTO "audit" VALUES(18,'2026-11-23T06:21:52.558856+00:00','Ada','review','d1fe840f7ebae988','q0: accept (tone)','93ede9328922507f09436bff90f4f60b127e92fea73d199141d7798e94d13716',NULL);
INSERT INTO "audit" VALUES(19,'2026-11-23T06:21:52.575544+00:00','Ada','review','d1fe840f7ebae988','q1: delete (tone)','ce4a21734acd09927049251e69b4220788babe471d90b00aedf0d9400cd0752d',NULL);
INSERT INTO "audit" VALUES(20,'2026-11-23T06:21:52.599717+00:00','Bo','adjudicate','d1fe840f7ebae988','q0: accept','be08c7800dba2eb4a1e5200b5d7c807ba7b9ce89a28381d634d5965427c17283',NULL);
INSERT INTO "audit" VALUES(21,'2026-11-23T06:21:52.604087+00:00','Ada','view saved','20261123-062152-44b978','"wrong é", Diagnostics','3066c77230e810fdd3d13d30d56080af292e53cbf9a87fc2701cc082417989de',NULL);
INSERT INTO "audit" VALUES(22,'2026-11-23T06:21:52.610430+00:00','Ada','owner','20261123-062152-44b978','"June": Ada','e1289f179479b0b4116b32d02bb51e369eba033a8b826df483c5a08a7f2195e0',NULL);
INSERT INTO "audit" VALUES(23,'2026-11-23T06:21:52.611182+00:00','Ada','note','20261123-062152-44b978','"June": two lines','de1305804afcc987fa00c6f17ad6c23d93c0c9ca87feb7eeab555200252010f5',NULL);
INSERT INTO "audit" VALUES(24,'2026-11-23T06:21:52.611750+00:00','Ada','tag','20261123-062152-44b978','"June": release','1ddebb66c43cfb8a5431c4eb14d0edf66b50ce44edf4c153d2eb37e7772fb280',NULL);
INSERT INTO "audit" VALUES(25,'2026-11-23T06:21:52.615478+00:00','Ada','project','alpha','made','f002a36921228bb9f216bc371c2830ec0edd5a71db4163d0bdc63c0eb981bc3e',NULL);
INSERT INTO "audit" VALUES(26,'2026-11-23T06:21:52.620406+00:00','Ada','project','20261123-062152-44b978','"June" moved into the project alpha','983247a9ad2377ceb63037eb469e3a2b3f3adff53c6ac48f09940ff7357d5653',NULL);
INSERT INTO "audit" VALUES(27,'2026-11-23T06:21:52.626757+00:00','Ada','member','','ada is owner','99f057b32c9d98e91ff68fbd811db8b92c0a6792278a681707f025baed9ee519',NULL);
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-23T06:21:52.360565+00:00','c9009780fd40403897a77e51d7dce4318c791d442226016415eb1c76c1a5bc8a');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-23T06:21:52.461304+00:00','e9d1a248547f11ce5e1ecb6d9051d6fc7813b5f6a8a7c971b1e95d38af5a6196');
INSERT INTO "golden_datasets" VALUES('5b6bee51b7a92429',1,'2026-11-23T06:21:52.490597+00:00','2decbd518c07e632d373e4a6dfaa5fec5d0ef96b02fcfda135a65d49246d12a1');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-23T06:21:52.461304+00:00','Ada','a short form',10);
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
INSERT INTO "grades" VALUES('20261123-062152-44b978','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-23T06:21:52.448329+00:00',9);
CREATE TABLE holdings (
    server TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    amount INTEGER NOT NULL,
    seen_at REAL NOT NULL,
    PRIMARY KEY (server, kind, subject)
);
INSERT INTO "holdings" VALUES('server','page','ada',1,1.79541491263359260554e+09);
CREATE TABLE judges (
    judge TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    description TEXT NOT NULL,
    first_used_at TEXT NOT NULL
);
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-23T06:21:52.450497+00:00');
CREATE TABLE labels (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    question_id TEXT NOT NULL,
    pipeline TEXT NOT NULL,
    label TEXT NOT NULL,
    labelled_by TEXT NOT NULL,
    labelled_at TEXT NOT NULL
, deed INTEGER, comment TEXT, drawn BOOLEAN);
INSERT INTO "labels" VALUES(1,'20261123-062152-44b978','1','A','correct','Ada','2026-11-23T06:21:52.415257+00:00',4,NULL,NULL);
INSERT INTO "labels" VALUES(2,'20261123-062152-44b978','1','A','incorrect','Bo','2026-11-23T06:21:52.423728+00:00',5,NULL,NULL);
INSERT INTO "labels" VALUES(4,'20261123-062152-44b978','1','A','correct','Cy','2026-11-23T06:21:52.435144+00:00',7,'é
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
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-23T06:21:52.482433+00:00',13);
CREATE TABLE members (
    project TEXT NOT NULL,
    subject TEXT NOT NULL,
    role TEXT NOT NULL,
    given_at TEXT NOT NULL,
    PRIMARY KEY (project, subject)
);
INSERT INTO "members" VALUES('','ada','owner','2026-11-23T06:21:52.625851+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-23T06:21:52.346362+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-23T06:21:52.347413+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-23T06:21:52.347657+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-23T06:21:52.347828+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-23T06:21:52.348046+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-23T06:21:52.348332+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-23T06:21:52.348508+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-23T06:21:52.348749+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-23T06:21:52.349351+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-23T06:21:52.349519+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-23T06:21:52.349710+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-23T06:21:52.349898+00:00');
INSERT INTO "migrations" VALUES(13,'2026-11-23T06:21:52.350425+00:00');
INSERT INTO "migrations" VALUES(14,'2026-11-23T06:21:52.351010+00:00');
INSERT INTO "migrations" VALUES(15,'2026-11-23T06:21:52.351846+00:00');
INSERT INTO "migrations" VALUES(16,'2026-11-23T06:21:52.352011+00:00');
INSERT INTO "migrations" VALUES(17,'2026-11-23T06:21:52.352178+00:00');
INSERT INTO "migrations" VALUES(18,'2026-11-23T06:21:52.352445+00:00');
CREATE TABLE named_datasets (
    name TEXT PRIMARY KEY,
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    made_at TEXT NOT NULL
);
INSERT INTO "named_datasets" VALUES('generated é','5b6bee51b7a92429','2026-11-23T06:21:52.490597+00:00');
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
INSERT INTO "passages" VALUES('5b6bee51b7a92429','1','c','a.md','d',NULL,NULL,0,9,'é','the text','list','openai:m','p',NULL,NULL,1,'2026-11-23T06:21:52.490597+00:00');
CREATE TABLE policies (
    number INTEGER PRIMARY KEY,
    policy TEXT NOT NULL,
    set_at TEXT NOT NULL
);
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-23T06:21:52.479515+00:00');
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
INSERT INTO "projects" VALUES('alpha','2026-11-23T06:21:52.614813+00:00');
CREATE TABLE rejections (
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    question_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    proposed TEXT NOT NULL,
    rejected_by TEXT NOT NULL,
    rejected_at TEXT NOT NULL,
    PRIMARY KEY (line, question_id, rule, proposed)
);
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-23T06:21:52.472343+00:00');
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
INSERT INTO "review_decisions" VALUES(1,'17eda03b0038',0,'Ada',0,'accept','["tone"]','',NULL,NULL,NULL,NULL,'t0','c','2026-11-23T06:21:52.555828+00:00',NULL,NULL,NULL,18);
INSERT INTO "review_decisions" VALUES(2,'17eda03b0038',1,'Ada',0,'delete','["tone"]','',NULL,NULL,NULL,NULL,'t1','c','2026-11-23T06:21:52.573285+00:00',NULL,NULL,NULL,19);
INSERT INTO "review_decisions" VALUES(3,'17eda03b0038',0,'Bo',1,'accept','[]','fine',NULL,NULL,NULL,NULL,'t0','c','2026-11-23T06:21:52.597153+00:00',NULL,NULL,NULL,20);
CREATE TABLE review_flags (
    session TEXT NOT NULL REFERENCES review_sessions (session),
    question_id TEXT NOT NULL,
    source TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (session, question_id, source)
);
INSERT INTO "review_flags" VALUES('17eda03b0038','q0','judge','hallucinated');
INSERT INTO "review_flags" VALUES('17eda03b0038','q0','lint','blank-answer');
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
INSERT INTO "review_items" VALUES('17eda03b0038',0,0.0,'q0','random',NULL,'t0','c','a.md');
INSERT INTO "review_items" VALUES('17eda03b0038',1,1.0,'q1','random',NULL,'t1','c','a.md');
INSERT INTO "review_items" VALUES('17eda03b0038',2,2.0,'q2','random',NULL,'t2','c','a.md');
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
INSERT INTO "review_leases" VALUES('17eda03b0038',2,'Cy','2026-11-23T06:21:52.580278+00:00','2026-11-23T06:51:52.580278+00:00','{}');
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
INSERT INTO "review_sessions" VALUES('17eda03b0038','d1fe840f7ebae988','d1fe840f7ebae988','','high',10,0.01,0.95,3,0,1,'[]','["tone"]','Read the passage first.',1,'Lea','2026-05-01T00:00:00.000000+00:00',NULL,17);
CREATE TABLE review_views (
    session TEXT NOT NULL,
    item INTEGER NOT NULL,
    viewer TEXT NOT NULL,
    PRIMARY KEY (session, item, viewer),
    FOREIGN KEY (session, item) REFERENCES review_items (session, item)
);
INSERT INTO "review_views" VALUES('17eda03b0038',0,'Bo');
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
INSERT INTO "risks" VALUES(1,'d1fe840f7ebae988','','major','possible','medium','é','Ada','2026-11-23T06:21:52.516946+00:00',16);
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
INSERT INTO "run_records" VALUES('20261123-062152-44b978','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL,'alpha');
INSERT INTO "run_records" VALUES('20261123-062152-0bbd3e',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261123-062152-44b978','June','2026-11-23T06:21:52.360565+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261123-062152-0bbd3e','July','2026-11-23T06:21:52.390245+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
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
INSERT INTO "saved_views" VALUES('20261123-062152-44b978','wrong é','Diagnostics','{"verdict": ["incorrect"]}','Ada','2026-11-23T06:21:52.602546+00:00',21);
CREATE TABLE sign_ins (
    key TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    began_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
);
INSERT INTO "sign_ins" VALUES('1421e6099502b3b8ce2eecb2ec2f5f15622e628e8b126ca7c35292e6b54d8d5d','ada','Ada','oidc','2026-11-23T06:21:52.630134+00:00','2026-11-23T06:21:52.630134+00:00','2026-11-23T18:21:52.630134+00:00');
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
INSERT INTO "triplet_findings" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','é','é','é','openai:m','2026-11-23T06:21:52.507164+00:00',15);
CREATE TABLE verifications (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    verified_at TEXT NOT NULL,
    version TEXT NOT NULL,
    compared INTEGER NOT NULL,
    differences INTEGER NOT NULL
, deed INTEGER);
INSERT INTO "verifications" VALUES('20261123-062152-44b978','2026-03-01T00:00:00.000000+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item)
    WHERE ended_at IS NULL AND adjudicates;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',4);
INSERT INTO "sqlite_sequence" VALUES('review_decisions',3);
COMMIT;
