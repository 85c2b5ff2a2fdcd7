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
INSERT INTO "answer_forms" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','2026-11-26T06:21:55.000835+00:00',17);
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    who TEXT,
    what TEXT NOT NULL,
    about TEXT NOT NULL,
    detail TEXT NOT NULL,
    hash TEXT NOT NULL
, subject TEXT, rows_hash TEXT);
INSERT INTO "audit" VALUES(1,'2026-11-26T06:21:54.772966+00:00',NULL,'import','20261126-062154-eb3a3b','"June", 5 responses','6f8388d5d5de04e5152575a9906949ad00568392e55d58acf5ef45726f1c0873',NULL,'41cf62b746373379573c3c49d780e385e216185119243c5405d236ddd071a6f9');
INSERT INTO "audit" VALUES(2,'2026-11-26T06:21:54.806701+00:00',NULL,'import','20261126-062154-78a3ac','"July", 5 responses','5a3f0e658e2799a408ab2c7cd12cb260fb5dde7132a99d6e25a350eb8acf25fd',NULL,'e0feefb2d456bf671f5348b6d0ec83a2a5f09164d70d63b72f8278f2638f0838');
INSERT INTO "audit" VALUES(3,'2026-11-26T06:21:54.822309+00:00',NULL,'verify','20261126-062154-eb3a3b','7 responses, 1 differences','b5f4961f90173e63b60e90cfa8aa1cf011c6fdbc5595e3be2e5c2f31f33a45e9',NULL,NULL);
INSERT INTO "audit" VALUES(4,'2026-11-26T06:21:54.848076+00:00','Ada','label','20261126-062154-eb3a3b','1, A: correct','a32f47561603f1acc1e4448e03435d5d262650507e5b352cde0d35e667358a16',NULL,'57d93d57aa7b81187cab65b35f2538a1fed96291f58aa4ea2d809f6e871a823f');
INSERT INTO "audit" VALUES(5,'2026-11-26T06:21:54.855474+00:00','Bo','label','20261126-062154-eb3a3b','1, A: incorrect','f080787bf528948d027b92898db05d20697d9a70915e486406b86442e91f69ed',NULL,'19f333c33e1b777d679fde81f30a1dbe5d20f2ab8509150a4cabd6f95f5bf27e');
INSERT INTO "audit" VALUES(6,'2026-11-26T06:21:54.862343+00:00','Ada','label','20261126-062154-eb3a3b','1, A: declined','ae41c459454ad0e423032b51c879fcf53afae2457ed74eec1d6d7778585b0e3f',NULL,'1f9f8f8df019af0c6a5bb13a889d210eb3a12969958be9714c0f67ce56db7fe7');
INSERT INTO "audit" VALUES(7,'2026-11-26T06:21:54.868095+00:00','Cy','label','20261126-062154-eb3a3b','1, A: correct','966c01e2460e71e204ec7834467e62a8b65fc20631ff152aab9c9ee4e304eb7d',NULL,'95fd256eb99bf2383f56b17e7c7a801b1ed061bffbe29eb06d8a5e0c39bb921a');
INSERT INTO "audit" VALUES(8,'2026-11-26T06:21:54.882092+00:00','Ada','label taken back','20261126-062154-eb3a3b','1, A: declined','99f1b6b0b9487b3b89655439afecdee45840a29309c4a7132e1f0839135b1aea',NULL,NULL);
INSERT INTO "audit" VALUES(9,'2026-11-26T06:21:54.891382+00:00',NULL,'judge','20261126-062154-eb3a3b','openai:m, 1 responses','d84ffe37bd636897a9be109c74956bf0a5775938580ee154f1c70685237b7a8c',NULL,NULL);
INSERT INTO "audit" VALUES(10,'2026-11-26T06:21:54.938855+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','4f30d1cdc3cd632b9b00ac200ae1030163d6c46a74558c050d46d96021e07455',NULL,'8536e1a22d42cee8031fe79e65719cb13fb06a2b0a469b01dba4a4b20b136019');
INSERT INTO "audit" VALUES(11,'2026-11-26T06:21:54.943575+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','d13241a62a36e92da4223d45b00ae55c6688ec7dd10f41433188a950e1bd67d8',NULL,NULL);
INSERT INTO "audit" VALUES(12,'2026-11-26T06:21:54.947366+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','e84379cf9fe84519344764283820f81efb74678ea6e63a286ecf0b8fd302d13b',NULL,NULL);
INSERT INTO "audit" VALUES(13,'2026-11-26T06:21:54.959744+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','c1a801225ef56189bb84c7f2818bc867da1e0065125141a10ec8773a4ead7cc8',NULL,NULL);
INSERT INTO "audit" VALUES(14,'2026-11-26T06:21:54.981797+00:00','Ada','generate','5b6bee51b7a92429','"generated é", 1 triplets','732781974190cc14313ea55fe93b14395ffa0e8eeb4d305cd906c7fd8f427ff7',NULL,NULL);
INSERT INTO "audit" VALUES(15,'2026-11-26T06:21:54.987867+00:00','Ada','generate','generated é','1 triplets corrected or confirmed','0e524fb910d5a5167c1395539e71178744d2c3af4af3a4e1c475658e6eecb77b',NULL,NULL);
INSERT INTO "audit" VALUES(16,'2026-11-26T06:21:54.994521+00:00','Ada','judge','d1fe840f7ebae988','openai:m, 1 triplets','9f3570a9f13590982f8ef713900b65e34cc34169f0930e2afb844148de8fe394',NULL,NULL);
INSERT INTO "audit" VALUES(17,'2026-11-26T06:21:55.000575+00:00','Ada','judge','d1fe840f7ebae988','é, 1 forms of answers','aca1050eb1e376e06955d9cee910adc0f0ad1cc01b078336bed8091e0856b2eb',NULL,NULL);
INSERT INTO "audit" VALUES(18,'2026-11-26T06:21:55.011601+00:00','Ada','risk','d1fe840f7ebae988','medium (major, possible): é','3f110d26e3a3bd4715c4d228c760160ecfb8112221569d60dac96d2f0f546ffb',NULL,NULL);
INSERT INTO "audit" VALUES(19,'2026-11-26T06:21:55.027330+00:00','Lea','review','d1fe840f7ebae988','session a84e1bce229a, high, 3 of 10 at random','01d0700aa22ee473b21c48ce69bd06ec1665de4ecf4223ceff63961f02d94f65',NULL,NULL);
INSERT INTO "audit" VALUES(20,'2026-11-26T06:21:55.082444+00:00','Ada','review','d1fe840f7ebae988','q0: accept (tone)','31e89eea88b27508b6aa3dff946dad16cdbccccf1661601833477d72d7a5f4a6',NULL,NULL);
INSERT INTO "audit" VALUES(21,'2026-11-26T06:21:55.117607+00:00','Ada','review','d1fe840f7ebae988','q1: delete (tone)','b26cec47034e1461a46809fb9ef913e7e823f1cadf1eeab9155edc2d712ffcee',NULL,NULL);
INSERT INTO "audit" VALUES(22,'2026-11-26T06:21:55.148535+00:00','Ada','owner','20261126-062154-eb3a3b','"June": Ada','bcca954effecd86dd0f402eb9617c8b704c1d80fad4915304ce4addf550ec693',NULL,NULL);
INSERT INTO "audit" VALUES(23,'2026-11-26T06:21:55.149216+00:00','Ada','note','20261126-062154-eb3a3b','"June": two lines','a5d782a7283569b491442afe2cf0fcaea2b0887f36fc38b7c039cab3d4962363',NULL,NULL);
INSERT INTO "audit" VALUES(24,'2026-11-26T06:21:55.157956+00:00','Ada','tag','20261126-062154-eb3a3b','"June": release','55d1cef715fa5af4e96340c5bd498c70bd8ff5c37ee2c58630d7bba6c5f3d549',NULL,NULL);
INSERT INTO "audit" VALUES(25,'2026-11-26T06:21:55.160605+00:00','Ada','project','alpha','made','795af4efdabfb408afc8d1f49434281385385b21c697668c76cb686c1fa6e327',NULL,NULL);
INSERT INTO "audit" VALUES(26,'2026-11-26T06:21:55.164873+00:00','Ada','project','20261126-062154-eb3a3b','"June" moved into the project alpha','80973bd563a0d18848c2a09298c6e96129738f5498409698301eed7762ea2cb1',NULL,NULL);
INSERT INTO "audit" VALUES(27,'2026-11-26T06:21:55.176927+00:00','Ada','member','','ada is owner','568172c15897763bb095f4a7022fb7059cf8f13ebf1146a79768679244bc34de',NULL,NULL);
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-26T06:21:54.726871+00:00','c9009780fd40403897a77e51d7dce4318c791d442226016415eb1c76c1a5bc8a');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-26T06:21:54.918793+00:00','e9d1a248547f11ce5e1ecb6d9051d6fc7813b5f6a8a7c971b1e95d38af5a6196');
INSERT INTO "golden_datasets" VALUES('5b6bee51b7a92429',1,'2026-11-26T06:21:54.963741+00:00','2decbd518c07e632d373e4a6dfaa5fec5d0ef96b02fcfda135a65d49246d12a1');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-26T06:21:54.918793+00:00','Ada','a short form',10);
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
INSERT INTO "grades" VALUES('20261126-062154-eb3a3b','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-26T06:21:54.884179+00:00',9);
CREATE TABLE judges (
    judge TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    description TEXT NOT NULL,
    first_used_at TEXT NOT NULL
);
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-26T06:21:54.890695+00:00');
CREATE TABLE labels (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    question_id TEXT NOT NULL,
    pipeline TEXT NOT NULL,
    label TEXT NOT NULL,
    labelled_by TEXT NOT NULL,
    labelled_at TEXT NOT NULL
, deed INTEGER, comment TEXT, drawn BOOLEAN);
INSERT INTO "labels" VALUES(1,'20261126-062154-eb3a3b','1','A','correct','Ada','2026-11-26T06:21:54.842908+00:00',4,NULL,NULL);
INSERT INTO "labels" VALUES(2,'20261126-062154-eb3a3b','1','A','incorrect','Bo','2026-11-26T06:21:54.852537+00:00',5,NULL,NULL);
INSERT INTO "labels" VALUES(4,'20261126-062154-eb3a3b','1','A','correct','Cy','2026-11-26T06:21:54.864933+00:00',7,'é
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
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-26T06:21:54.958836+00:00',13);
CREATE TABLE members (
    project TEXT NOT NULL,
    subject TEXT NOT NULL,
    role TEXT NOT NULL,
    given_at TEXT NOT NULL,
    PRIMARY KEY (project, subject)
);
INSERT INTO "members" VALUES('','ada','owner','2026-11-26T06:21:55.176377+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-26T06:21:54.696006+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-26T06:21:54.697044+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-26T06:21:54.697286+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-26T06:21:54.697508+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-26T06:21:54.698222+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-26T06:21:54.700747+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-26T06:21:54.700998+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-26T06:21:54.701307+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-26T06:21:54.702122+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-26T06:21:54.702381+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-26T06:21:54.702638+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-26T06:21:54.702919+00:00');
INSERT INTO "migrations" VALUES(13,'2026-11-26T06:21:54.703582+00:00');
INSERT INTO "migrations" VALUES(14,'2026-11-26T06:21:54.704260+00:00');
INSERT INTO "migrations" VALUES(15,'2026-11-26T06:21:54.705408+00:00');
INSERT INTO "migrations" VALUES(16,'2026-11-26T06:21:54.709881+00:00');
INSERT INTO "migrations" VALUES(17,'2026-11-26T06:21:54.710287+00:00');
INSERT INTO "migrations" VALUES(18,'2026-11-26T06:21:54.710688+00:00');
INSERT INTO "migrations" VALUES(19,'2026-11-26T06:21:54.710891+00:00');
INSERT INTO "migrations" VALUES(20,'2026-11-26T06:21:54.711520+00:00');
INSERT INTO "migrations" VALUES(21,'2026-11-26T06:21:54.714177+00:00');
INSERT INTO "migrations" VALUES(22,'2026-11-26T06:21:54.714696+00:00');
INSERT INTO "migrations" VALUES(23,'2026-11-26T06:21:54.714910+00:00');
INSERT INTO "migrations" VALUES(24,'2026-11-26T06:21:54.715438+00:00');
CREATE TABLE named_datasets (
    name TEXT PRIMARY KEY,
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    made_at TEXT NOT NULL
);
INSERT INTO "named_datasets" VALUES('generated é','5b6bee51b7a92429','2026-11-26T06:21:54.963741+00:00');
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
INSERT INTO "passages" VALUES('5b6bee51b7a92429','1','c','a.md','d',NULL,NULL,0,9,'é','the text','list','openai:m','p',NULL,NULL,1,'2026-11-26T06:21:54.963741+00:00',NULL,NULL);
CREATE TABLE policies (
    number INTEGER PRIMARY KEY,
    policy TEXT NOT NULL,
    set_at TEXT NOT NULL
);
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-26T06:21:54.946856+00:00');
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
INSERT INTO "projects" VALUES('alpha','2026-11-26T06:21:55.160044+00:00');
CREATE TABLE rejections (
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    question_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    proposed TEXT NOT NULL,
    rejected_by TEXT NOT NULL,
    rejected_at TEXT NOT NULL,
    PRIMARY KEY (line, question_id, rule, proposed)
);
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-26T06:21:54.941936+00:00');
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
INSERT INTO "review_decisions" VALUES(1,'a84e1bce229a',0,'Ada',0,'accept','["tone"]','',NULL,NULL,NULL,NULL,'t0','c','2026-11-26T06:21:55.073381+00:00',NULL,NULL,NULL,20);
INSERT INTO "review_decisions" VALUES(2,'a84e1bce229a',1,'Ada',0,'delete','["tone"]','',NULL,NULL,NULL,NULL,'t1','c','2026-11-26T06:21:55.115971+00:00',NULL,NULL,NULL,21);
CREATE TABLE review_flags (
    session TEXT NOT NULL REFERENCES review_sessions (session),
    question_id TEXT NOT NULL,
    source TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (session, question_id, source)
);
INSERT INTO "review_flags" VALUES('a84e1bce229a','q0','judge','hallucinated');
INSERT INTO "review_flags" VALUES('a84e1bce229a','q0','lint','blank-answer');
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
INSERT INTO "review_items" VALUES('a84e1bce229a',0,0.0,'q0','random',NULL,'t0','c','a.md');
INSERT INTO "review_items" VALUES('a84e1bce229a',1,1.0,'q1','random',NULL,'t1','c','a.md');
INSERT INTO "review_items" VALUES('a84e1bce229a',2,2.0,'q2','random',NULL,'t2','c','a.md');
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
INSERT INTO "review_leases" VALUES('a84e1bce229a',2,'Cy','2026-11-26T06:21:55.131763+00:00','2026-11-26T06:51:55.131763+00:00','{}');
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
INSERT INTO "review_sessions" VALUES('a84e1bce229a','d1fe840f7ebae988','d1fe840f7ebae988','','high',10,0.01,0.95,3,0,1,'[]','["tone"]','Read the passage first.',1,'Lea','2026-05-01T00:00:00.000000+00:00',NULL,19);
CREATE TABLE review_views (
    session TEXT NOT NULL,
    item INTEGER NOT NULL,
    viewer TEXT NOT NULL,
    PRIMARY KEY (session, item, viewer),
    FOREIGN KEY (session, item) REFERENCES review_items (session, item)
);
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
INSERT INTO "risks" VALUES(1,'d1fe840f7ebae988','','major','possible','medium','é','Ada','2026-11-26T06:21:55.010757+00:00',18);
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
INSERT INTO "run_records" VALUES('20261126-062154-eb3a3b','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL,'alpha',NULL);
INSERT INTO "run_records" VALUES('20261126-062154-78a3ac',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261126-062154-eb3a3b','June','2026-11-26T06:21:54.726871+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.8}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261126-062154-78a3ac','July','2026-11-26T06:21:54.786775+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.8}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
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
INSERT INTO "triplet_corrections" VALUES('generated é','1','é?','é.','é',0,'Ada','2026-11-26T06:21:54.986207+00:00');
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
INSERT INTO "triplet_findings" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','é','é','é','openai:m','2026-11-26T06:21:54.993400+00:00',16);
CREATE TABLE verifications (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    verified_at TEXT NOT NULL,
    version TEXT NOT NULL,
    compared INTEGER NOT NULL,
    differences INTEGER NOT NULL
, deed INTEGER);
INSERT INTO "verifications" VALUES('20261126-062154-eb3a3b','2026-03-01T00:00:00.000000+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item)
    WHERE ended_at IS NULL AND adjudicates;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',4);
INSERT INTO "sqlite_sequence" VALUES('review_decisions',2);
COMMIT;
