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
INSERT INTO "answer_forms" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','2026-11-27T05:44:59.611347+00:00',17);
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    who TEXT,
    what TEXT NOT NULL,
    about TEXT NOT NULL,
    detail TEXT NOT NULL,
    hash TEXT NOT NULL
, subject TEXT, rows_hash TEXT);
INSERT INTO "audit" VALUES(1,'2026-11-27T05:44:59.457276+00:00',NULL,'import','20261127-054459-532356','"June", 5 responses','e0ca6f9892fd350ee7c430fac34d0f06f32ddb6bf3b91712cc131772c418c9c6',NULL,'5aa0a1bb0ef702578ec529741637cbac84f7f0b045c060b2eabfc671166bf969');
INSERT INTO "audit" VALUES(2,'2026-11-27T05:44:59.471126+00:00',NULL,'import','20261127-054459-80cb21','"July", 5 responses','4bcb8f90c55f313b3058a25441a6ddeeb79e1bebcae9f2a438a9bd8c85d3f773',NULL,'6d871c1d1c35f520555fbad887f1835b38b52f57e8ff866ddecdb851d9fb531d');
INSERT INTO "audit" VALUES(3,'2026-11-27T05:44:59.477289+00:00',NULL,'verify','20261127-054459-532356','7 responses, 1 differences','6738ecfa64bf7852599a0788abfdf8e759837c3513c19366cc2d036d81b69989',NULL,NULL);
INSERT INTO "audit" VALUES(4,'2026-11-27T05:44:59.488181+00:00','Ada','label','20261127-054459-532356','1, A: correct','1b96a8931a705e16f3b34e18dcc299557c15f46da4d6361bd431665fc9437357',NULL,'834395aa91966b3ee0730982b1d96f196b1d58ae77aa877bd5bab4abcc3dd388');
INSERT INTO "audit" VALUES(5,'2026-11-27T05:44:59.494799+00:00','Bo','label','20261127-054459-532356','1, A: incorrect','0b51a05305f4e09082e20e566b3da4816583c5e91da9cd79dda90de62d026cfb',NULL,'8636edef51d85cf9152af7cdb94e1c78e8b81ec4d62881f526bff0a193ca83d8');
INSERT INTO "audit" VALUES(6,'2026-11-27T05:44:59.501649+00:00','Ada','label','20261127-054459-532356','1, A: declined','3c1485a3683ea1ac04a4e2f4a7bd8aecc83560b0a0b1ef257cc3ea2ca5acf71b',NULL,'3d1e7bc56af74c54cdd894b8d6748b3ab07a2626372b6c314133e90b7f212479');
INSERT INTO "audit" VALUES(7,'2026-11-27T05:44:59.507848+00:00','Cy','label','20261127-054459-532356','1, A: correct','b72d506321f2cfdb8ef3d0b1a326f2ec7023790918bbf6074ac6e8762de55403',NULL,'08d97bf20b9ec4562663af7bd00cc88a68f42e025aaec69baa6fcb465020cecb');
INSERT INTO "audit" VALUES(8,'2026-11-27T05:44:59.516186+00:00','Ada','label taken back','20261127-054459-532356','1, A: declined','c366d83c579265c8f74d3a5b1c3c1df3a860c9560ffdfabd81d8df728944a42a',NULL,NULL);
INSERT INTO "audit" VALUES(9,'2026-11-27T05:44:59.524160+00:00',NULL,'judge','20261127-054459-532356','openai:m, 1 responses','2c3b00819c3c23f2f4ec3116a550a7a2bd1d299d4ac8591df4987ab46cd1a90d',NULL,NULL);
INSERT INTO "audit" VALUES(10,'2026-11-27T05:44:59.544203+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','ca4dfd9161f0fdc9b341ad605bd4e78772e8e9e172c6c70d31c5be693026b31b',NULL,'543fe29d4d07cb320801393b166392c693f44e5281ae98b7006170a8057185c6');
INSERT INTO "audit" VALUES(11,'2026-11-27T05:44:59.550715+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','9f13f7ae514ce0b5b32979f9cd0529c83562babf614531ff92e89e5950ec6931',NULL,NULL);
INSERT INTO "audit" VALUES(12,'2026-11-27T05:44:59.556092+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','f47ff1ec9364ac05cb5e0616d0f3e779b954896393378c0ac683b69f9bc2d1db',NULL,NULL);
INSERT INTO "audit" VALUES(13,'2026-11-27T05:44:59.561040+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','c1e5ee704574cea00fbaecf0fb641d195590d826d2cc52f1600b3c36b61aea0c',NULL,NULL);
INSERT INTO "audit" VALUES(14,'2026-11-27T05:44:59.589598+00:00','Ada','generate','5b6bee51b7a92429','"generated é", 1 triplets','9d5bbd92e9fb9a1b549bb03572d9471757c8db0d54c343190b65b8a185d254f0',NULL,NULL);
INSERT INTO "audit" VALUES(15,'2026-11-27T05:44:59.597032+00:00','Ada','generate','generated é','1 triplets corrected or confirmed','f575889bc881d6f9c6c13867abc5f334fae47f2943ddec736c49e20b382b0ab0',NULL,NULL);
INSERT INTO "audit" VALUES(16,'2026-11-27T05:44:59.604249+00:00','Ada','judge','d1fe840f7ebae988','openai:m, 1 triplets','b8f806d81d58c819ff1e30f2fc7eb7003e49dcca82db315a80708087311ce2d0',NULL,NULL);
INSERT INTO "audit" VALUES(17,'2026-11-27T05:44:59.610936+00:00','Ada','judge','d1fe840f7ebae988','é, 1 forms of answers','72a6d46548bb7a723780a367b247bb2375f2a96e03fd8cbf0a8c000986c11e75',NULL,NULL);
INSERT INTO "audit" VALUES(18,'2026-11-27T05:44:59.615160+00:00','Ada','risk','d1fe840f7ebae988','medium (major, possible): é','735e0e14b27249d8ceb6b4389a4cdc8707ea77d1aaafeba1f78e91639829a7b9',NULL,NULL);
INSERT INTO "audit" VALUES(19,'2026-11-27T05:44:59.620685+00:00','Lea','review','d1fe840f7ebae988','session 61e19eebde65, high, 3 of 10 at random','338767fb133d6646dca8b7f89490a326ad99684c500fb2db66375beb385b09e1',NULL,NULL);
INSERT INTO "audit" VALUES(20,'2026-11-27T05:44:59.658988+00:00','Ada','review','d1fe840f7ebae988','q0: accept (tone)','17e9715a570c0b630be23a402275e60359f9d7298e90e96da8b6577f7d4550d2',NULL,NULL);
INSERT INTO "audit" VALUES(21,'2026-11-27T05:44:59.680667+00:00','Ada','review','d1fe840f7ebae988','q1: delete (tone)','74333515d4f6cdcf88d90548d349adc245b90d8e1065f3b5b3538702ac416ee7',NULL,NULL);
INSERT INTO "audit" VALUES(22,'2026-11-27T05:44:59.703940+00:00','Ada','review','d1fe840f7ebae988','session 61e19eebde65 closed','836e3e38d8e64512c98e583e01a0adb223d1dc5dfec6d0d1bb5ca53ff9580204',NULL,NULL);
INSERT INTO "audit" VALUES(23,'2026-11-27T05:44:59.717456+00:00','Ada','owner','20261127-054459-532356','"June": Ada','5d9bf9a204ae0c8eb96307d3dd65d51aaa71a07c0afd720603652df37e60f922',NULL,NULL);
INSERT INTO "audit" VALUES(24,'2026-11-27T05:44:59.718698+00:00','Ada','note','20261127-054459-532356','"June": two lines','c0bcaf8bd23412657d38d5ad5352e6b7aa361ae92bbb2876450984622ebeb6c1',NULL,NULL);
INSERT INTO "audit" VALUES(25,'2026-11-27T05:44:59.720197+00:00','Ada','tag','20261127-054459-532356','"June": release','463e44dfbff8b62c4ff0833feabb45e6109adb0b4c807c8ee01b32e4117b5baa',NULL,NULL);
INSERT INTO "audit" VALUES(26,'2026-11-27T05:44:59.724923+00:00','Ada','project','alpha','made','5f1b0d2a540b08d2447561bfff893ad9dfe7191d87bfde6814f2719214beefc1',NULL,NULL);
INSERT INTO "audit" VALUES(27,'2026-11-27T05:44:59.730011+00:00','Ada','project','20261127-054459-532356','"June" moved into the project alpha','583b183476a5e94df899b43142eb7064e75b7f84df1eb3fe23936a88ce8bb8a0',NULL,NULL);
INSERT INTO "audit" VALUES(28,'2026-11-27T05:44:59.734415+00:00','Ada','member','','ada is owner','ecfcece63eb3e52724d8e3e7f4b3dac5f603dac523c346781b57c60f7d050ea5',NULL,NULL);
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-27T05:44:59.429102+00:00','c9009780fd40403897a77e51d7dce4318c791d442226016415eb1c76c1a5bc8a');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-27T05:44:59.537854+00:00','e9d1a248547f11ce5e1ecb6d9051d6fc7813b5f6a8a7c971b1e95d38af5a6196');
INSERT INTO "golden_datasets" VALUES('5b6bee51b7a92429',1,'2026-11-27T05:44:59.568385+00:00','2decbd518c07e632d373e4a6dfaa5fec5d0ef96b02fcfda135a65d49246d12a1');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-27T05:44:59.537854+00:00','Ada','a short form',10);
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
INSERT INTO "grades" VALUES('20261127-054459-532356','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-27T05:44:59.519621+00:00',9);
CREATE TABLE judges (
    judge TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    description TEXT NOT NULL,
    first_used_at TEXT NOT NULL
);
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-27T05:44:59.523035+00:00');
CREATE TABLE labels (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    question_id TEXT NOT NULL,
    pipeline TEXT NOT NULL,
    label TEXT NOT NULL,
    labelled_by TEXT NOT NULL,
    labelled_at TEXT NOT NULL
, deed INTEGER, comment TEXT, drawn BOOLEAN);
INSERT INTO "labels" VALUES(1,'20261127-054459-532356','1','A','correct','Ada','2026-11-27T05:44:59.484584+00:00',4,NULL,NULL);
INSERT INTO "labels" VALUES(2,'20261127-054459-532356','1','A','incorrect','Bo','2026-11-27T05:44:59.491531+00:00',5,NULL,NULL);
INSERT INTO "labels" VALUES(4,'20261127-054459-532356','1','A','correct','Cy','2026-11-27T05:44:59.504628+00:00',7,'é
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
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-27T05:44:59.559013+00:00',13);
CREATE TABLE members (
    project TEXT NOT NULL,
    subject TEXT NOT NULL,
    role TEXT NOT NULL,
    given_at TEXT NOT NULL,
    PRIMARY KEY (project, subject)
);
INSERT INTO "members" VALUES('','ada','owner','2026-11-27T05:44:59.733529+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-27T05:44:59.409637+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-27T05:44:59.410909+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-27T05:44:59.411224+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-27T05:44:59.411506+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-27T05:44:59.411889+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-27T05:44:59.412498+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-27T05:44:59.412820+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-27T05:44:59.413256+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-27T05:44:59.414329+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-27T05:44:59.414659+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-27T05:44:59.415036+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-27T05:44:59.415412+00:00');
INSERT INTO "migrations" VALUES(13,'2026-11-27T05:44:59.416491+00:00');
INSERT INTO "migrations" VALUES(14,'2026-11-27T05:44:59.417601+00:00');
INSERT INTO "migrations" VALUES(15,'2026-11-27T05:44:59.419292+00:00');
INSERT INTO "migrations" VALUES(16,'2026-11-27T05:44:59.419613+00:00');
INSERT INTO "migrations" VALUES(17,'2026-11-27T05:44:59.419982+00:00');
INSERT INTO "migrations" VALUES(18,'2026-11-27T05:44:59.420466+00:00');
INSERT INTO "migrations" VALUES(19,'2026-11-27T05:44:59.420808+00:00');
INSERT INTO "migrations" VALUES(20,'2026-11-27T05:44:59.421417+00:00');
INSERT INTO "migrations" VALUES(21,'2026-11-27T05:44:59.421970+00:00');
INSERT INTO "migrations" VALUES(22,'2026-11-27T05:44:59.422505+00:00');
INSERT INTO "migrations" VALUES(23,'2026-11-27T05:44:59.422815+00:00');
INSERT INTO "migrations" VALUES(24,'2026-11-27T05:44:59.423546+00:00');
INSERT INTO "migrations" VALUES(25,'2026-11-27T05:44:59.423802+00:00');
INSERT INTO "migrations" VALUES(26,'2026-11-27T05:44:59.424197+00:00');
CREATE TABLE named_datasets (
    name TEXT PRIMARY KEY,
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    made_at TEXT NOT NULL
);
INSERT INTO "named_datasets" VALUES('generated é','5b6bee51b7a92429','2026-11-27T05:44:59.568385+00:00');
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
INSERT INTO "passages" VALUES('5b6bee51b7a92429','1','c','a.md','d',NULL,NULL,0,9,'é','the text','list','openai:m','p',NULL,NULL,1,'2026-11-27T05:44:59.568385+00:00',NULL,NULL);
CREATE TABLE policies (
    number INTEGER PRIMARY KEY,
    policy TEXT NOT NULL,
    set_at TEXT NOT NULL
);
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-27T05:44:59.554946+00:00');
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
INSERT INTO "projects" VALUES('alpha','2026-11-27T05:44:59.724084+00:00');
CREATE TABLE rejections (
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    question_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    proposed TEXT NOT NULL,
    rejected_by TEXT NOT NULL,
    rejected_at TEXT NOT NULL,
    PRIMARY KEY (line, question_id, rule, proposed)
);
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-27T05:44:59.548498+00:00');
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
INSERT INTO "review_decisions" VALUES(1,'61e19eebde65',0,'Ada',0,'accept','["tone"]','',NULL,NULL,NULL,NULL,'t0','c','2026-11-27T05:44:59.659393+00:00',NULL,NULL,NULL,20);
INSERT INTO "review_decisions" VALUES(2,'61e19eebde65',1,'Ada',0,'delete','["tone"]','',NULL,NULL,NULL,NULL,'t1','c','2026-11-27T05:44:59.681112+00:00',NULL,NULL,NULL,21);
CREATE TABLE review_drafts (
    session TEXT NOT NULL,
    item INTEGER NOT NULL,
    reader TEXT NOT NULL,
    draft TEXT NOT NULL,
    written_at TEXT NOT NULL,
    PRIMARY KEY (session, item, reader),
    FOREIGN KEY (session, item) REFERENCES review_items (session, item)
);
INSERT INTO "review_drafts" VALUES('61e19eebde65',2,'Cy','{"note": "half"}','2026-11-27T05:44:59.694678+00:00');
CREATE TABLE review_flags (
    session TEXT NOT NULL REFERENCES review_sessions (session),
    question_id TEXT NOT NULL,
    source TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (session, question_id, source)
);
INSERT INTO "review_flags" VALUES('61e19eebde65','q0','judge','hallucinated');
INSERT INTO "review_flags" VALUES('61e19eebde65','q0','lint','blank-answer');
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
INSERT INTO "review_items" VALUES('61e19eebde65',0,0.0,'q0','random',NULL,'t0','c','a.md');
INSERT INTO "review_items" VALUES('61e19eebde65',1,1.0,'q1','random',NULL,'t1','c','a.md');
INSERT INTO "review_items" VALUES('61e19eebde65',2,2.0,'q2','random',NULL,'t2','c','a.md');
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
INSERT INTO "review_sessions" VALUES('61e19eebde65','d1fe840f7ebae988','d1fe840f7ebae988','','high',10,0.01,0.95,3,0,1,'[]','["tone"]','Read the passage first.',1,'Lea','2026-05-01T00:00:00.000000+00:00','2026-11-27T05:44:59.702855+00:00',19);
CREATE TABLE review_views (
    session TEXT NOT NULL,
    item INTEGER NOT NULL,
    viewer TEXT NOT NULL,
    PRIMARY KEY (session, item, viewer),
    FOREIGN KEY (session, item) REFERENCES review_items (session, item)
);
INSERT INTO "review_views" VALUES('61e19eebde65',0,'Bo');
INSERT INTO "review_views" VALUES('61e19eebde65',1,'Bo');
INSERT INTO "review_views" VALUES('61e19eebde65',2,'Bo');
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
INSERT INTO "risks" VALUES(1,'d1fe840f7ebae988','','major','possible','medium','é','Ada','2026-11-27T05:44:59.613811+00:00',18);
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
INSERT INTO "run_records" VALUES('20261127-054459-532356','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL,'alpha',NULL);
INSERT INTO "run_records" VALUES('20261127-054459-80cb21',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261127-054459-532356','June','2026-11-27T05:44:59.429102+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.8}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261127-054459-80cb21','July','2026-11-27T05:44:59.462411+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.8}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
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
INSERT INTO "triplet_corrections" VALUES('generated é','1','é?','é.','é',0,'Ada','2026-11-27T05:44:59.594494+00:00');
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
INSERT INTO "triplet_findings" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','é','é','é','openai:m','2026-11-27T05:44:59.602518+00:00',16);
CREATE TABLE verifications (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    verified_at TEXT NOT NULL,
    version TEXT NOT NULL,
    compared INTEGER NOT NULL,
    differences INTEGER NOT NULL
, deed INTEGER);
INSERT INTO "verifications" VALUES('20261127-054459-532356','2026-03-01T00:00:00.000000+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item)
    WHERE ended_at IS NULL AND adjudicates;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',4);
INSERT INTO "sqlite_sequence" VALUES('review_decisions',2);
COMMIT;
