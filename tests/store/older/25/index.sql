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
INSERT INTO "answer_forms" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','2026-11-26T20:28:54.673550+00:00',17);
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    who TEXT,
    what TEXT NOT NULL,
    about TEXT NOT NULL,
    detail TEXT NOT NULL,
    hash TEXT NOT NULL
, subject TEXT, rows_hash TEXT);
INSERT INTO "audit" VALUES(1,'2026-11-26T20:28:54.496190+00:00',NULL,'import','20261126-202854-d50978','"June", 5 responses','29a8084c2574e78d450a27cbfb6efef959efdb20ae5379017dc3476ace135488',NULL,'0b0fb0225e2dfece6e4feacd98261977b1efaff0a479078b4b8cb106dad88fe7');
INSERT INTO "audit" VALUES(2,'2026-11-26T20:28:54.514255+00:00',NULL,'import','20261126-202854-8f9222','"July", 5 responses','300e96420332a7b987b5763125e2bbd06414568d0fb0da45ab3b1658ffeaa23f',NULL,'731058b81ffd592695eef9f3c1f87c41a27495675e975d0a513b4b5c938ca362');
INSERT INTO "audit" VALUES(3,'2026-11-26T20:28:54.522319+00:00',NULL,'verify','20261126-202854-d50978','7 responses, 1 differences','fcf5b8698075458c6bcf658f12f7a5f496278937b4b88bacebebaa95f6f50a70',NULL,NULL);
INSERT INTO "audit" VALUES(4,'2026-11-26T20:28:54.537985+00:00','Ada','label','20261126-202854-d50978','1, A: correct','42fa402d6c985dea72cdb2a9fcf2949e25851e4495c5c9473d732397d4c0b899',NULL,'c851dc3be93ad45c5c882d0c0a39ab396665b377a5de3701144c67eb6db28e28');
INSERT INTO "audit" VALUES(5,'2026-11-26T20:28:54.547407+00:00','Bo','label','20261126-202854-d50978','1, A: incorrect','6ed3f114a5904494e32acb5aa5f7a949f40e20cafbf47be5ee8e3f5e40043e41',NULL,'670af5f452239ae10167f84f09331a269b2e21067628b6724b7288a1de004208');
INSERT INTO "audit" VALUES(6,'2026-11-26T20:28:54.556163+00:00','Ada','label','20261126-202854-d50978','1, A: declined','883479027e7b975fc5c36f9e572103c026077da7ea50c10e4cb91e17f5b370a4',NULL,'957410cf5bb1b4b983f8d7c967e81ab1aa76cac517e6d9969f237effe9dbeb0c');
INSERT INTO "audit" VALUES(7,'2026-11-26T20:28:54.562890+00:00','Cy','label','20261126-202854-d50978','1, A: correct','1b178520be0ea1defd1c38ff3cc89af070d6ff56670e45095708e31d1681d780',NULL,'282bf9efc9d9733838fd5398400709a63cc129f65aa59e4c846f0a405847e70b');
INSERT INTO "audit" VALUES(8,'2026-11-26T20:28:54.574349+00:00','Ada','label taken back','20261126-202854-d50978','1, A: declined','0ab488042425a00c953bd91ef9f0c9c0c2aed4109648c88ba4a1944c4799572c',NULL,NULL);
INSERT INTO "audit" VALUES(9,'2026-11-26T20:28:54.581920+00:00',NULL,'judge','20261126-202854-d50978','openai:m, 1 responses','da0cc97d0232f59b814d2ebeb9f7bc319ce861f56f7c37e9c83d76a9a159b253',NULL,NULL);
INSERT INTO "audit" VALUES(10,'2026-11-26T20:28:54.606841+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','c4efdc19e299b2550b18efefb14b870ef19614a956737ea55efb862bcd005dbf',NULL,'cb56f49305501a30980ab009b96ef80797aa13447e3f96d7b7ad4209e657d520');
INSERT INTO "audit" VALUES(11,'2026-11-26T20:28:54.613899+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','ea7150369fa4028679357271ad4e2923fca093e50ba2dd61b18d708b1fdf0fd8',NULL,NULL);
INSERT INTO "audit" VALUES(12,'2026-11-26T20:28:54.619970+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','d4383b9eca04650e10e6ff35c4478060a4c990233bef6bde5a3439b79a123b5a',NULL,NULL);
INSERT INTO "audit" VALUES(13,'2026-11-26T20:28:54.624615+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','2d720d2fc9dde0d5a813838408e5f87a37bd26ba313f90839eff1075624e7c58',NULL,NULL);
INSERT INTO "audit" VALUES(14,'2026-11-26T20:28:54.644991+00:00','Ada','generate','5b6bee51b7a92429','"generated é", 1 triplets','b2312a202f167e4e48fc2a0f90d50520910f0097b99989ce7a5b6589c1340bcc',NULL,NULL);
INSERT INTO "audit" VALUES(15,'2026-11-26T20:28:54.653284+00:00','Ada','generate','generated é','1 triplets corrected or confirmed','42fd46e5c1bb5fd5586f66b280687889435c4ccb6e6cab84c01ce44d0e601b4d',NULL,NULL);
INSERT INTO "audit" VALUES(16,'2026-11-26T20:28:54.661929+00:00','Ada','judge','d1fe840f7ebae988','openai:m, 1 triplets','975a695b8cdfe5556ff1dbc2b0a52f587bec28634d0d4ff849f01116b987e3e6',NULL,NULL);
INSERT INTO "audit" VALUES(17,'2026-11-26T20:28:54.672794+00:00','Ada','judge','d1fe840f7ebae988','é, 1 forms of answers','dc663f2b43bb7eba137735b8d020c7e212f3325d3d0af2b9812808418edd7c12',NULL,NULL);
INSERT INTO "audit" VALUES(18,'2026-11-26T20:28:54.679252+00:00','Ada','risk','d1fe840f7ebae988','medium (major, possible): é','dfa69e508ea0d24308239b6a5cb86a72c9360c7880cc18ed3a2a8e0e13724fed',NULL,NULL);
INSERT INTO "audit" VALUES(19,'2026-11-26T20:28:54.687351+00:00','Lea','review','d1fe840f7ebae988','session d3ee786dc004, high, 3 of 10 at random','db9fb4291abd4a72ecdae08fad631b8023e44fa22f5a744ce00e5bd2c0a4ecc3',NULL,NULL);
INSERT INTO "audit" VALUES(20,'2026-11-26T20:28:54.734232+00:00','Ada','review','d1fe840f7ebae988','q0: accept (tone)','ac6fcbdbb62414d8057f05ca7763113652511b1b969bb3d5c68650f72c97e63f',NULL,NULL);
INSERT INTO "audit" VALUES(21,'2026-11-26T20:28:54.763888+00:00','Ada','review','d1fe840f7ebae988','q1: delete (tone)','2e8892a2e539299aa252353d4131f030773ec5b0327fa054b21b7dc62238693f',NULL,NULL);
INSERT INTO "audit" VALUES(22,'2026-11-26T20:28:54.791822+00:00','Ada','review','d1fe840f7ebae988','session d3ee786dc004 closed','8b8811d4f051318a97feeec821a50830b53a6a8530464f57cf6225f5bd8c7203',NULL,NULL);
INSERT INTO "audit" VALUES(23,'2026-11-26T20:28:54.809641+00:00','Ada','owner','20261126-202854-d50978','"June": Ada','51edd3e1eaf833bfd39abdbb35203dab19c8bccf99176cbf11c766fbf4113dea',NULL,NULL);
INSERT INTO "audit" VALUES(24,'2026-11-26T20:28:54.810747+00:00','Ada','note','20261126-202854-d50978','"June": two lines','26ff9cf5b54932ea2ee7bb584c1deed48aea9669237f4c92bad29bcb89caf974',NULL,NULL);
INSERT INTO "audit" VALUES(25,'2026-11-26T20:28:54.811848+00:00','Ada','tag','20261126-202854-d50978','"June": release','dcb8b691b4f1210b64a747f08a818ed8055660f57081006b5db9332cc3d91c5c',NULL,NULL);
INSERT INTO "audit" VALUES(26,'2026-11-26T20:28:54.816736+00:00','Ada','project','alpha','made','5ecc9767003458b36fbe437adec55e862ab261b9de6e32e70b8d3395cc770185',NULL,NULL);
INSERT INTO "audit" VALUES(27,'2026-11-26T20:28:54.823031+00:00','Ada','project','20261126-202854-d50978','"June" moved into the project alpha','912e2fd99ddbab481a5e8d7834eacceea64323b8830b76f7a0a563bb0ab88cfc',NULL,NULL);
INSERT INTO "audit" VALUES(28,'2026-11-26T20:28:54.828166+00:00','Ada','member','','ada is owner','e96daccdd879ae8054f2691306b65afd6c5e20856cba021026839eb23571ca28',NULL,NULL);
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-26T20:28:54.473233+00:00','c9009780fd40403897a77e51d7dce4318c791d442226016415eb1c76c1a5bc8a');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-26T20:28:54.598026+00:00','e9d1a248547f11ce5e1ecb6d9051d6fc7813b5f6a8a7c971b1e95d38af5a6196');
INSERT INTO "golden_datasets" VALUES('5b6bee51b7a92429',1,'2026-11-26T20:28:54.632532+00:00','2decbd518c07e632d373e4a6dfaa5fec5d0ef96b02fcfda135a65d49246d12a1');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-26T20:28:54.598026+00:00','Ada','a short form',10);
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
INSERT INTO "grades" VALUES('20261126-202854-d50978','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-26T20:28:54.578064+00:00',9);
CREATE TABLE judges (
    judge TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    description TEXT NOT NULL,
    first_used_at TEXT NOT NULL
);
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-26T20:28:54.580981+00:00');
CREATE TABLE labels (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    question_id TEXT NOT NULL,
    pipeline TEXT NOT NULL,
    label TEXT NOT NULL,
    labelled_by TEXT NOT NULL,
    labelled_at TEXT NOT NULL
, deed INTEGER, comment TEXT, drawn BOOLEAN);
INSERT INTO "labels" VALUES(1,'20261126-202854-d50978','1','A','correct','Ada','2026-11-26T20:28:54.533137+00:00',4,NULL,NULL);
INSERT INTO "labels" VALUES(2,'20261126-202854-d50978','1','A','incorrect','Bo','2026-11-26T20:28:54.542827+00:00',5,NULL,NULL);
INSERT INTO "labels" VALUES(4,'20261126-202854-d50978','1','A','correct','Cy','2026-11-26T20:28:54.559254+00:00',7,'é
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
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-26T20:28:54.622996+00:00',13);
CREATE TABLE members (
    project TEXT NOT NULL,
    subject TEXT NOT NULL,
    role TEXT NOT NULL,
    given_at TEXT NOT NULL,
    PRIMARY KEY (project, subject)
);
INSERT INTO "members" VALUES('','ada','owner','2026-11-26T20:28:54.827290+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-26T20:28:54.450005+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-26T20:28:54.451599+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-26T20:28:54.451993+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-26T20:28:54.452299+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-26T20:28:54.452750+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-26T20:28:54.453419+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-26T20:28:54.453776+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-26T20:28:54.454233+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-26T20:28:54.455339+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-26T20:28:54.455726+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-26T20:28:54.456139+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-26T20:28:54.456587+00:00');
INSERT INTO "migrations" VALUES(13,'2026-11-26T20:28:54.457753+00:00');
INSERT INTO "migrations" VALUES(14,'2026-11-26T20:28:54.458804+00:00');
INSERT INTO "migrations" VALUES(15,'2026-11-26T20:28:54.460519+00:00');
INSERT INTO "migrations" VALUES(16,'2026-11-26T20:28:54.460857+00:00');
INSERT INTO "migrations" VALUES(17,'2026-11-26T20:28:54.461249+00:00');
INSERT INTO "migrations" VALUES(18,'2026-11-26T20:28:54.461851+00:00');
INSERT INTO "migrations" VALUES(19,'2026-11-26T20:28:54.462192+00:00');
INSERT INTO "migrations" VALUES(20,'2026-11-26T20:28:54.462856+00:00');
INSERT INTO "migrations" VALUES(21,'2026-11-26T20:28:54.463533+00:00');
INSERT INTO "migrations" VALUES(22,'2026-11-26T20:28:54.464232+00:00');
INSERT INTO "migrations" VALUES(23,'2026-11-26T20:28:54.464654+00:00');
INSERT INTO "migrations" VALUES(24,'2026-11-26T20:28:54.465334+00:00');
INSERT INTO "migrations" VALUES(25,'2026-11-26T20:28:54.465622+00:00');
CREATE TABLE named_datasets (
    name TEXT PRIMARY KEY,
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    made_at TEXT NOT NULL
);
INSERT INTO "named_datasets" VALUES('generated é','5b6bee51b7a92429','2026-11-26T20:28:54.632532+00:00');
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
    added_at TEXT NOT NULL, turns TEXT, evidence TEXT,
    PRIMARY KEY (line, question_id)
);
INSERT INTO "passages" VALUES('5b6bee51b7a92429','1','c','a.md','d',NULL,NULL,0,9,'é','the text','list','openai:m','p',NULL,NULL,1,'2026-11-26T20:28:54.632532+00:00',NULL,NULL);
CREATE TABLE policies (
    number INTEGER PRIMARY KEY,
    policy TEXT NOT NULL,
    set_at TEXT NOT NULL
);
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-26T20:28:54.618547+00:00');
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
INSERT INTO "projects" VALUES('alpha','2026-11-26T20:28:54.815727+00:00');
CREATE TABLE rejections (
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    question_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    proposed TEXT NOT NULL,
    rejected_by TEXT NOT NULL,
    rejected_at TEXT NOT NULL,
    PRIMARY KEY (line, question_id, rule, proposed)
);
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-26T20:28:54.611311+00:00');
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
INSERT INTO "review_decisions" VALUES(1,'d3ee786dc004',0,'Ada',0,'accept','["tone"]','',NULL,NULL,NULL,NULL,'t0','c','2026-11-26T20:28:54.727707+00:00',NULL,NULL,NULL,20);
INSERT INTO "review_decisions" VALUES(2,'d3ee786dc004',1,'Ada',0,'delete','["tone"]','',NULL,NULL,NULL,NULL,'t1','c','2026-11-26T20:28:54.759001+00:00',NULL,NULL,NULL,21);
CREATE TABLE review_flags (
    session TEXT NOT NULL REFERENCES review_sessions (session),
    question_id TEXT NOT NULL,
    source TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (session, question_id, source)
);
INSERT INTO "review_flags" VALUES('d3ee786dc004','q0','judge','hallucinated');
INSERT INTO "review_flags" VALUES('d3ee786dc004','q0','lint','blank-answer');
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
INSERT INTO "review_items" VALUES('d3ee786dc004',0,0.0,'q0','random',NULL,'t0','c','a.md');
INSERT INTO "review_items" VALUES('d3ee786dc004',1,1.0,'q1','random',NULL,'t1','c','a.md');
INSERT INTO "review_items" VALUES('d3ee786dc004',2,2.0,'q2','random',NULL,'t2','c','a.md');
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
INSERT INTO "review_leases" VALUES('d3ee786dc004',2,'Cy','2026-11-26T20:28:54.771892+00:00','2026-11-26T20:58:54.771892+00:00','{}');
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
INSERT INTO "review_sessions" VALUES('d3ee786dc004','d1fe840f7ebae988','d1fe840f7ebae988','','high',10,0.01,0.95,3,0,1,'[]','["tone"]','Read the passage first.',1,'Lea','2026-05-01T00:00:00.000000+00:00','2026-11-26T20:28:54.789890+00:00',19);
CREATE TABLE review_views (
    session TEXT NOT NULL,
    item INTEGER NOT NULL,
    viewer TEXT NOT NULL,
    PRIMARY KEY (session, item, viewer),
    FOREIGN KEY (session, item) REFERENCES review_items (session, item)
);
INSERT INTO "review_views" VALUES('d3ee786dc004',0,'Bo');
INSERT INTO "review_views" VALUES('d3ee786dc004',1,'Bo');
INSERT INTO "review_views" VALUES('d3ee786dc004',2,'Bo');
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
INSERT INTO "risks" VALUES(1,'d1fe840f7ebae988','','major','possible','medium','é','Ada','2026-11-26T20:28:54.677180+00:00',18);
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
INSERT INTO "run_records" VALUES('20261126-202854-d50978','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL,'alpha',NULL);
INSERT INTO "run_records" VALUES('20261126-202854-8f9222',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261126-202854-d50978','June','2026-11-26T20:28:54.473233+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.8}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261126-202854-8f9222','July','2026-11-26T20:28:54.502402+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.8}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
CREATE TABLE triplet_corrections (
    dataset TEXT NOT NULL,
    question_id TEXT NOT NULL,
    question TEXT NOT NULL,
    answer TEXT NOT NULL,
    fact TEXT NOT NULL,
    confirmed BOOLEAN NOT NULL,
    corrected_by TEXT,
    corrected_at TEXT NOT NULL,
    PRIMARY KEY (dataset, question_id)
);
INSERT INTO "triplet_corrections" VALUES('generated é','1','é?','é.','é',0,'Ada','2026-11-26T20:28:54.650629+00:00');
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
INSERT INTO "triplet_findings" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','é','é','é','openai:m','2026-11-26T20:28:54.659266+00:00',16);
CREATE TABLE verifications (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    verified_at TEXT NOT NULL,
    version TEXT NOT NULL,
    compared INTEGER NOT NULL,
    differences INTEGER NOT NULL
, deed INTEGER);
INSERT INTO "verifications" VALUES('20261126-202854-d50978','2026-03-01T00:00:00.000000+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item)
    WHERE ended_at IS NULL AND adjudicates;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',4);
INSERT INTO "sqlite_sequence" VALUES('review_decisions',2);
COMMIT;
