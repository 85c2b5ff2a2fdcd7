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
INSERT INTO "answer_forms" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','2026-11-26T04:49:12.940954+00:00',16);
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    who TEXT,
    what TEXT NOT NULL,
    about TEXT NOT NULL,
    detail TEXT NOT NULL,
    hash TEXT NOT NULL
, subject TEXT, rows_hash TEXT);
INSERT INTO "audit" VALUES(1,'2026-11-26T04:49:12.387116+00:00',NULL,'import','20261126-044912-cc8cab','"June", 5 responses','498294824207fe1fc91a0053e6f248ee196f23f90f0147e1af00f28edc7ed8f9',NULL,'4bed2c376101a255bf3e56394c1b8d18b86b7efa06ca06b6b931e52a612a4194');
INSERT INTO "audit" VALUES(2,'2026-11-26T04:49:12.450374+00:00',NULL,'import','20261126-044912-cdb850','"July", 5 responses','fb09901fc3b4863e13a8bad2f849c74204c165b1b01124899e4b6edf5325a874',NULL,'212bdb5eda8ccbe05595ecfbc81b3d1537f6491e76ffc3bd0916d695ca52f4fb');
INSERT INTO "audit" VALUES(3,'2026-11-26T04:49:12.484590+00:00',NULL,'verify','20261126-044912-cc8cab','7 responses, 1 differences','b52afd906cad733430c306df31dbac6e16da7c64294c11cc079a8440037d4be7',NULL,NULL);
INSERT INTO "audit" VALUES(4,'2026-11-26T04:49:12.569094+00:00','Ada','label','20261126-044912-cc8cab','1, A: correct','7df6ed7783c641d444a2c9d8352a539246bf5748bb86c975f077fb6a4136801d',NULL,'a6b12cc746d21dedc9a9bc3847e1457cb5972e1690392e442e11d79ebfe181a3');
INSERT INTO "audit" VALUES(5,'2026-11-26T04:49:12.588411+00:00','Bo','label','20261126-044912-cc8cab','1, A: incorrect','fc21f54a8b7bb647841927301dec92510a06fe386761de04257d1eb813dffdf4',NULL,'702e4d16f8bd727aef6ee3e8399bd170535f741cd82087bb761f8f9b965451c7');
INSERT INTO "audit" VALUES(6,'2026-11-26T04:49:12.616524+00:00','Ada','label','20261126-044912-cc8cab','1, A: declined','a4912d8217303a1b9b3fe014bd1cf114f7e42c1804d5f53529bd29f24d0ad768',NULL,'c3ce3aa41012e2408831cbb0ee4167e05199a4f934bd838d8d438824486cb692');
INSERT INTO "audit" VALUES(7,'2026-11-26T04:49:12.657737+00:00','Cy','label','20261126-044912-cc8cab','1, A: correct','5acf87408fb60d4e6565b082c6935fa32ddf03eed7f0c707bf486629b3bf5f55',NULL,'bba34f7289a27a47420d1a59ea8637cf70f418ecc4f34b92d972edb66b1e0f4e');
INSERT INTO "audit" VALUES(8,'2026-11-26T04:49:12.690943+00:00','Ada','label taken back','20261126-044912-cc8cab','1, A: declined','011204cbf7f460d559c78feeee3e5fb77a989e956b99bc6fad131bb6c2004bc0',NULL,NULL);
INSERT INTO "audit" VALUES(9,'2026-11-26T04:49:12.708885+00:00',NULL,'judge','20261126-044912-cc8cab','openai:m, 1 responses','3e961f023a2e999fcc0a183ed5b1d56c0aafab22a8fd48689842cbb44a800d19',NULL,NULL);
INSERT INTO "audit" VALUES(10,'2026-11-26T04:49:12.762564+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','015aea75277f21da89b28fcae4ef7aa0e705381cf176cea153f6711ae58e7bef',NULL,'6f7d1df7e1150440425c512d563c1204cb87494c461be0a775e184dccc283a57');
INSERT INTO "audit" VALUES(11,'2026-11-26T04:49:12.783761+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','a1a7b0c810a4f36c5d952a83ad6c38b5c1630a28cb18014e72ba4a745ee2f32a',NULL,NULL);
INSERT INTO "audit" VALUES(12,'2026-11-26T04:49:12.816008+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','3e49641420211fd6eab314da5367a7140461beb2695ba2972a290716ed0202c2',NULL,NULL);
INSERT INTO "audit" VALUES(13,'2026-11-26T04:49:12.843482+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','52d13268c17f7290de693083ba2f7f425f7a7130479aa8a058142b0e3bafb834',NULL,NULL);
INSERT INTO "audit" VALUES(14,'2026-11-26T04:49:12.886785+00:00','Ada','generate','5b6bee51b7a92429','"generated é", 1 triplets','38303fddcb0b2eea3c190f88d3daeb6f4e384a842459ce9afab7056d89eeb648',NULL,NULL);
INSERT INTO "audit" VALUES(15,'2026-11-26T04:49:12.906868+00:00','Ada','judge','d1fe840f7ebae988','openai:m, 1 triplets','f1cc956a6fce11af0caade7b5122e2655e678532d85a2dd9bb7bdfa94aee5012',NULL,NULL);
INSERT INTO "audit" VALUES(16,'2026-11-26T04:49:12.940610+00:00','Ada','judge','d1fe840f7ebae988','é, 1 forms of answers','2158d0d74fbe3664d04e53d393c8c9321c2a5d83ccb8bd69c3b070bee3a8e5d2',NULL,NULL);
INSERT INTO "audit" VALUES(17,'2026-11-26T04:49:12.959096+00:00','Ada','risk','d1fe840f7ebae988','medium (major, possible): é','e4202c30ff48b196ed6704f33aaa25add72ef0b6480044f4585df0100acf93bc',NULL,NULL);
INSERT INTO "audit" VALUES(18,'2026-11-26T04:49:12.985818+00:00','Lea','review','d1fe840f7ebae988','session b3c1beb26b74, high, 3 of 10 at random','233126cc6c79bd736d1a78bc318470f875cf615bb8c3e98afa52b7472389ea66',NULL,NULL);
INSERT INTO "audit" VALUES(19,'2026-11-26T04:49:13.098955+00:00','Ada','review','d1fe840f7ebae988','q0: accept (tone)','48eeefabeea5f805acd7b0e9822743c18aab1eac8eab21c1a0cb5aa344a21a35',NULL,NULL);
INSERT INTO "audit" VALUES(20,'2026-11-26T04:49:13.185597+00:00','Ada','review','d1fe840f7ebae988','q1: delete (tone)','c8a3de30f74d4ceb37833b6e86b1e67a5a53ae30550989b8c83e9ef5bc4f56c2',NULL,NULL);
INSERT INTO "audit" VALUES(21,'2026-11-26T04:49:13.277994+00:00','Bo','adjudicate','d1fe840f7ebae988','q0: accept','798ff2e597f03cdb64c28195c2abc2c02ad3f61a043a111332292f38a98c7791',NULL,NULL);
INSERT INTO "audit" VALUES(22,'2026-11-26T04:49:13.302551+00:00','Ada','view saved','20261126-044912-cc8cab','"wrong é", Diagnostics','8646ff7559ab2fa15437c5cb81b985b028418ee9371a0885c70588f4b0722ac6',NULL,NULL);
INSERT INTO "audit" VALUES(23,'2026-11-26T04:49:13.328463+00:00','Ada','owner','20261126-044912-cc8cab','"June": Ada','4f228338d6d4cd051dc775a51fe799d52314492f7995e43b4a2cb9b6e5c14d86',NULL,NULL);
INSERT INTO "audit" VALUES(24,'2026-11-26T04:49:13.329114+00:00','Ada','note','20261126-044912-cc8cab','"June": two lines','5805f106215049062cc33c84fad0d451a947a74030cbf3fa5a28126f757dd173',NULL,NULL);
INSERT INTO "audit" VALUES(25,'2026-11-26T04:49:13.329635+00:00','Ada','tag','20261126-044912-cc8cab','"June": release','bdc4977e1055d39979dd038cdc04055151f2315330e0a7460ba3824c45ce2eec',NULL,NULL);
INSERT INTO "audit" VALUES(26,'2026-11-26T04:49:13.352089+00:00','Ada','project','alpha','made','4655d85380e1abb490f3e626b3a78082b35a8ebdd1a29dd716c5764350ac4fb1',NULL,NULL);
INSERT INTO "audit" VALUES(27,'2026-11-26T04:49:13.380371+00:00','Ada','project','20261126-044912-cc8cab','"June" moved into the project alpha','4827b210456d46165c0f06674ace8b4af9a7f6524cd3e2e7f710961e58af8a17',NULL,NULL);
INSERT INTO "audit" VALUES(28,'2026-11-26T04:49:13.403902+00:00','Ada','member','','ada is owner','a4e8adc534f3addf66c15b50420cadde914a78bdfe09864b4e024fb3bb943cff',NULL,NULL);
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-26T04:49:12.374699+00:00','c9009780fd40403897a77e51d7dce4318c791d442226016415eb1c76c1a5bc8a');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-26T04:49:12.747478+00:00','e9d1a248547f11ce5e1ecb6d9051d6fc7813b5f6a8a7c971b1e95d38af5a6196');
INSERT INTO "golden_datasets" VALUES('5b6bee51b7a92429',1,'2026-11-26T04:49:12.869618+00:00','2decbd518c07e632d373e4a6dfaa5fec5d0ef96b02fcfda135a65d49246d12a1');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-26T04:49:12.747478+00:00','Ada','a short form',10);
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
INSERT INTO "grades" VALUES('20261126-044912-cc8cab','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-26T04:49:12.706449+00:00',9);
CREATE TABLE holdings (
    server TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    amount INTEGER NOT NULL,
    seen_at REAL NOT NULL,
    PRIMARY KEY (server, kind, subject)
);
INSERT INTO "holdings" VALUES('server','page','ada',1,1.79566855346895146369e+09);
CREATE TABLE judges (
    judge TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    description TEXT NOT NULL,
    first_used_at TEXT NOT NULL
);
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-26T04:49:12.708313+00:00');
CREATE TABLE labels (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    question_id TEXT NOT NULL,
    pipeline TEXT NOT NULL,
    label TEXT NOT NULL,
    labelled_by TEXT NOT NULL,
    labelled_at TEXT NOT NULL
, deed INTEGER, comment TEXT, drawn BOOLEAN);
INSERT INTO "labels" VALUES(1,'20261126-044912-cc8cab','1','A','correct','Ada','2026-11-26T04:49:12.566239+00:00',4,NULL,NULL);
INSERT INTO "labels" VALUES(2,'20261126-044912-cc8cab','1','A','incorrect','Bo','2026-11-26T04:49:12.586147+00:00',5,NULL,NULL);
INSERT INTO "labels" VALUES(4,'20261126-044912-cc8cab','1','A','correct','Cy','2026-11-26T04:49:12.645121+00:00',7,'é
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
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-26T04:49:12.842022+00:00',13);
CREATE TABLE members (
    project TEXT NOT NULL,
    subject TEXT NOT NULL,
    role TEXT NOT NULL,
    given_at TEXT NOT NULL,
    PRIMARY KEY (project, subject)
);
INSERT INTO "members" VALUES('','ada','owner','2026-11-26T04:49:13.403276+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-26T04:49:12.296511+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-26T04:49:12.297422+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-26T04:49:12.297625+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-26T04:49:12.302079+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-26T04:49:12.302457+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-26T04:49:12.302775+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-26T04:49:12.302910+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-26T04:49:12.303137+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-26T04:49:12.303739+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-26T04:49:12.303892+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-26T04:49:12.304086+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-26T04:49:12.304276+00:00');
INSERT INTO "migrations" VALUES(13,'2026-11-26T04:49:12.304788+00:00');
INSERT INTO "migrations" VALUES(14,'2026-11-26T04:49:12.305366+00:00');
INSERT INTO "migrations" VALUES(15,'2026-11-26T04:49:12.318531+00:00');
INSERT INTO "migrations" VALUES(16,'2026-11-26T04:49:12.318798+00:00');
INSERT INTO "migrations" VALUES(17,'2026-11-26T04:49:12.319000+00:00');
INSERT INTO "migrations" VALUES(18,'2026-11-26T04:49:12.319238+00:00');
INSERT INTO "migrations" VALUES(19,'2026-11-26T04:49:12.319386+00:00');
INSERT INTO "migrations" VALUES(20,'2026-11-26T04:49:12.319723+00:00');
INSERT INTO "migrations" VALUES(21,'2026-11-26T04:49:12.320053+00:00');
INSERT INTO "migrations" VALUES(22,'2026-11-26T04:49:12.320379+00:00');
CREATE TABLE named_datasets (
    name TEXT PRIMARY KEY,
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    made_at TEXT NOT NULL
);
INSERT INTO "named_datasets" VALUES('generated é','5b6bee51b7a92429','2026-11-26T04:49:12.869618+00:00');
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
INSERT INTO "passages" VALUES('5b6bee51b7a92429','1','c','a.md','d',NULL,NULL,0,9,'é','the text','list','openai:m','p',NULL,NULL,1,'2026-11-26T04:49:12.869618+00:00',NULL);
CREATE TABLE policies (
    number INTEGER PRIMARY KEY,
    policy TEXT NOT NULL,
    set_at TEXT NOT NULL
);
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-26T04:49:12.815403+00:00');
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
INSERT INTO "projects" VALUES('alpha','2026-11-26T04:49:13.351527+00:00');
CREATE TABLE rejections (
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    question_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    proposed TEXT NOT NULL,
    rejected_by TEXT NOT NULL,
    rejected_at TEXT NOT NULL,
    PRIMARY KEY (line, question_id, rule, proposed)
);
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-26T04:49:12.782077+00:00');
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
INSERT INTO "review_decisions" VALUES(1,'b3c1beb26b74',0,'Ada',0,'accept','["tone"]','',NULL,NULL,NULL,NULL,'t0','c','2026-11-26T04:49:13.079552+00:00',NULL,NULL,NULL,19);
INSERT INTO "review_decisions" VALUES(2,'b3c1beb26b74',1,'Ada',0,'delete','["tone"]','',NULL,NULL,NULL,NULL,'t1','c','2026-11-26T04:49:13.183764+00:00',NULL,NULL,NULL,20);
INSERT INTO "review_decisions" VALUES(3,'b3c1beb26b74',0,'Bo',1,'accept','[]','fine',NULL,NULL,NULL,NULL,'t0','c','2026-11-26T04:49:13.275532+00:00',NULL,NULL,NULL,21);
CREATE TABLE review_flags (
    session TEXT NOT NULL REFERENCES review_sessions (session),
    question_id TEXT NOT NULL,
    source TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (session, question_id, source)
);
INSERT INTO "review_flags" VALUES('b3c1beb26b74','q0','judge','hallucinated');
INSERT INTO "review_flags" VALUES('b3c1beb26b74','q0','lint','blank-answer');
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
INSERT INTO "review_items" VALUES('b3c1beb26b74',0,0.0,'q0','random',NULL,'t0','c','a.md');
INSERT INTO "review_items" VALUES('b3c1beb26b74',1,1.0,'q1','random',NULL,'t1','c','a.md');
INSERT INTO "review_items" VALUES('b3c1beb26b74',2,2.0,'q2','random',NULL,'t2','c','a.md');
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
INSERT INTO "review_leases" VALUES('b3c1beb26b74',2,'Cy','2026-11-26T04:49:13.215167+00:00','2026-11-26T05:19:13.215167+00:00','{}');
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
INSERT INTO "review_sessions" VALUES('b3c1beb26b74','d1fe840f7ebae988','d1fe840f7ebae988','','high',10,0.01,0.95,3,0,1,'[]','["tone"]','Read the passage first.',1,'Lea','2026-05-01T00:00:00.000000+00:00',NULL,18);
CREATE TABLE review_views (
    session TEXT NOT NULL,
    item INTEGER NOT NULL,
    viewer TEXT NOT NULL,
    PRIMARY KEY (session, item, viewer),
    FOREIGN KEY (session, item) REFERENCES review_items (session, item)
);
INSERT INTO "review_views" VALUES('b3c1beb26b74',0,'Bo');
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
INSERT INTO "risks" VALUES(1,'d1fe840f7ebae988','','major','possible','medium','é','Ada','2026-11-26T04:49:12.957959+00:00',17);
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
INSERT INTO "run_records" VALUES('20261126-044912-cc8cab','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL,'alpha',NULL);
INSERT INTO "run_records" VALUES('20261126-044912-cdb850',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261126-044912-cc8cab','June','2026-11-26T04:49:12.374699+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261126-044912-cdb850','July','2026-11-26T04:49:12.442027+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
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
INSERT INTO "saved_views" VALUES('20261126-044912-cc8cab','wrong é','Diagnostics','{"verdict": ["incorrect"]}','Ada','2026-11-26T04:49:13.300774+00:00',22);
CREATE TABLE sign_ins (
    key TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    began_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
);
INSERT INTO "sign_ins" VALUES('8393c77309c8731bd940fb189fbc0a09f3b178b9c43e3b407ce61e4998837f76','ada','Ada','oidc','2026-11-26T04:49:13.434913+00:00','2026-11-26T04:49:13.434913+00:00','2026-11-26T16:49:13.434913+00:00');
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
INSERT INTO "triplet_findings" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','é','é','é','openai:m','2026-11-26T04:49:12.901157+00:00',15);
CREATE TABLE verifications (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    verified_at TEXT NOT NULL,
    version TEXT NOT NULL,
    compared INTEGER NOT NULL,
    differences INTEGER NOT NULL
, deed INTEGER);
INSERT INTO "verifications" VALUES('20261126-044912-cc8cab','2026-03-01T00:00:00.000000+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item)
    WHERE ended_at IS NULL AND adjudicates;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',4);
INSERT INTO "sqlite_sequence" VALUES('review_decisions',3);
COMMIT;
