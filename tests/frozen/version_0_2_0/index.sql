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
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    who TEXT,
    what TEXT NOT NULL,
    about TEXT NOT NULL,
    detail TEXT NOT NULL,
    hash TEXT NOT NULL
, subject TEXT);
INSERT INTO "audit" VALUES(1,'2026-11-25T22:46:46.921533+00:00','Ada','import','20261125-224646-21bc44','"June", 30 responses','5e0318292d0ee24e47277dbc67280fba97be9b4e8c101189454058df9a5c311f',NULL);
INSERT INTO "audit" VALUES(2,'2026-11-25T22:46:50.768746+00:00','Ann','label','20261125-224646-21bc44','30 responses','9559e8253a6bcd53e9f418dfc62c8fb9135fac838d485bbbc347f6ed45b9f615',NULL);
CREATE TABLE bertscores (
    model TEXT NOT NULL,
    pair BLOB NOT NULL,
    bertscore REAL NOT NULL,
    PRIMARY KEY (model, pair)
) WITHOUT ROWID;
CREATE TABLE golden_datasets (
    golden_id TEXT PRIMARY KEY,
    questions INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    checksum TEXT NOT NULL
);
INSERT INTO "golden_datasets" VALUES('6951596d773dca82',10,'2026-11-25T22:46:46.892004+00:00','c73b4119d8ce10f3fa3b77e0e38983c2d97875aca4533004a93d3f846b5730af');
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
CREATE TABLE holdings (
    server TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    amount INTEGER NOT NULL,
    seen_at REAL NOT NULL,
    PRIMARY KEY (server, kind, subject)
);
CREATE TABLE judges (
    judge TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    description TEXT NOT NULL,
    first_used_at TEXT NOT NULL
);
CREATE TABLE labels (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    question_id TEXT NOT NULL,
    pipeline TEXT NOT NULL,
    label TEXT NOT NULL,
    labelled_by TEXT NOT NULL,
    labelled_at TEXT NOT NULL
, deed INTEGER, comment TEXT, drawn BOOLEAN);
INSERT INTO "labels" VALUES(1,'20261125-224646-21bc44','jassy-role','Pipeline1','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(2,'20261125-224646-21bc44','net-sales','Pipeline1','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(3,'20261125-224646-21bc44','office','Pipeline1','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(4,'20261125-224646-21bc44','operating-income','Pipeline1','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(5,'20261125-224646-21bc44','one-medical','Pipeline1','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(6,'20261125-224646-21bc44','challenge','Pipeline1','incorrect','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(7,'20261125-224646-21bc44','cash','Pipeline1','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(8,'20261125-224646-21bc44','aws-sales','Pipeline1','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(9,'20261125-224646-21bc44','rivian-shares','Pipeline1','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(10,'20261125-224646-21bc44','shares-outstanding','Pipeline1','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(11,'20261125-224646-21bc44','jassy-role','Pipeline2','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(12,'20261125-224646-21bc44','net-sales','Pipeline2','incorrect','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(13,'20261125-224646-21bc44','office','Pipeline2','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(14,'20261125-224646-21bc44','operating-income','Pipeline2','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(15,'20261125-224646-21bc44','one-medical','Pipeline2','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(16,'20261125-224646-21bc44','challenge','Pipeline2','incorrect','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(17,'20261125-224646-21bc44','cash','Pipeline2','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(18,'20261125-224646-21bc44','aws-sales','Pipeline2','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(19,'20261125-224646-21bc44','rivian-shares','Pipeline2','incorrect','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(20,'20261125-224646-21bc44','shares-outstanding','Pipeline2','incorrect','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(21,'20261125-224646-21bc44','jassy-role','Pipeline3','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(22,'20261125-224646-21bc44','net-sales','Pipeline3','declined','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(23,'20261125-224646-21bc44','office','Pipeline3','incorrect','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(24,'20261125-224646-21bc44','operating-income','Pipeline3','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(25,'20261125-224646-21bc44','one-medical','Pipeline3','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(26,'20261125-224646-21bc44','challenge','Pipeline3','declined','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(27,'20261125-224646-21bc44','cash','Pipeline3','incorrect','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(28,'20261125-224646-21bc44','aws-sales','Pipeline3','declined','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(29,'20261125-224646-21bc44','rivian-shares','Pipeline3','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
INSERT INTO "labels" VALUES(30,'20261125-224646-21bc44','shares-outstanding','Pipeline3','correct','Ann','2026-11-25T22:46:50.763662+00:00',2,NULL,NULL);
CREATE TABLE mapping_profiles (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    columns TEXT NOT NULL,
    mapping TEXT NOT NULL,
    saved_by TEXT,
    saved_at TEXT NOT NULL,
    deed INTEGER NOT NULL
);
CREATE TABLE members (
    project TEXT NOT NULL,
    subject TEXT NOT NULL,
    role TEXT NOT NULL,
    given_at TEXT NOT NULL,
    PRIMARY KEY (project, subject)
);
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-25T22:46:43.444669+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-25T22:46:43.452850+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-25T22:46:43.453764+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-25T22:46:43.454378+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-25T22:46:43.455142+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-25T22:46:43.456121+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-25T22:46:43.456553+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-25T22:46:43.457158+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-25T22:46:43.458756+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-25T22:46:43.459925+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-25T22:46:43.461401+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-25T22:46:43.462076+00:00');
INSERT INTO "migrations" VALUES(13,'2026-11-25T22:46:43.463923+00:00');
INSERT INTO "migrations" VALUES(14,'2026-11-25T22:46:43.465725+00:00');
INSERT INTO "migrations" VALUES(15,'2026-11-25T22:46:43.469098+00:00');
INSERT INTO "migrations" VALUES(16,'2026-11-25T22:46:43.469732+00:00');
INSERT INTO "migrations" VALUES(17,'2026-11-25T22:46:43.470444+00:00');
INSERT INTO "migrations" VALUES(18,'2026-11-25T22:46:43.471349+00:00');
INSERT INTO "migrations" VALUES(19,'2026-11-25T22:46:43.471842+00:00');
INSERT INTO "migrations" VALUES(20,'2026-11-25T22:46:43.472760+00:00');
INSERT INTO "migrations" VALUES(21,'2026-11-25T22:46:43.473699+00:00');
CREATE TABLE named_datasets (
    name TEXT PRIMARY KEY,
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    made_at TEXT NOT NULL
);
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
CREATE TABLE policies (
    number INTEGER PRIMARY KEY,
    policy TEXT NOT NULL,
    set_at TEXT NOT NULL
);
CREATE TABLE project_golden (
    project TEXT NOT NULL REFERENCES projects (project),
    golden_id TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    PRIMARY KEY (project, golden_id)
);
CREATE TABLE projects (
    project TEXT PRIMARY KEY,
    made_at TEXT NOT NULL
);
CREATE TABLE rejections (
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    question_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    proposed TEXT NOT NULL,
    rejected_by TEXT NOT NULL,
    rejected_at TEXT NOT NULL,
    PRIMARY KEY (line, question_id, rule, proposed)
);
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
CREATE TABLE review_flags (
    session TEXT NOT NULL REFERENCES review_sessions (session),
    question_id TEXT NOT NULL,
    source TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (session, question_id, source)
);
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
INSERT INTO "run_records" VALUES('20261125-224646-21bc44','Ada','[]','',NULL,NULL,NULL,NULL,NULL,'{"files": [{"name": "golden.jsonl", "sha256": "cc9d48154baae426b4a48c2603c7547a1d1c902c2011648808aaf85f88e1672b", "size": 3652}, {"name": "responses.jsonl", "sha256": "b729d334bfe9cfb86d544680f161e75f2cd6869cf9fef57c9ef1d309694e92ba", "size": 5100}], "mappings": {}, "versions": {"qaviz": "0.2.0", "polars": "2.1.0", "FMEval''s definitions": "1.2.3"}, "skip_bad": false, "keep_errors": false, "rescored_from": null, "added_to": null}',NULL,NULL);
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
INSERT INTO "runs" VALUES('20261125-224646-21bc44','June','2026-11-25T22:46:46.892004+00:00','6951596d773dca82','["Pipeline1", "Pipeline2", "Pipeline3"]',10,30,'{"high_closeness": 0.7, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.72}','qaviz 0.2.0','["golden.jsonl", "responses.jsonl"]','{"empty response": 1}','b5d181d794c6497bfb7350544796404d4cd8d7b741de93588c9762433cd74ff6','302cfeb68b6aab331b2dd970b3a396c5f83e5f9e4e8ec37124fd9022e0785057',1);
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
CREATE TABLE sign_ins (
    key TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    began_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
);
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
CREATE TABLE verifications (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    verified_at TEXT NOT NULL,
    version TEXT NOT NULL,
    compared INTEGER NOT NULL,
    differences INTEGER NOT NULL
, deed INTEGER);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item)
    WHERE ended_at IS NULL AND adjudicates;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',30);
COMMIT;
