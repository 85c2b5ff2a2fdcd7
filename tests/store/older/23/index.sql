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
INSERT INTO "answer_forms" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','2026-11-26T06:03:51.516759+00:00',16);
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    who TEXT,
    what TEXT NOT NULL,
    about TEXT NOT NULL,
    detail TEXT NOT NULL,
    hash TEXT NOT NULL
, subject TEXT, rows_hash TEXT);
INSERT INTO "audit" VALUES(1,'2026-11-26T06:03:50.542690+00:00',NULL,'import','20261126-060350-8632f0','"June", 5 responses','52a89439ee997d66b4c31bec84e1344fa8d25e5d05b0a672f45c99534a317857',NULL,'aba324689e1fc5c3b84665c2b6c128a936e4c4837f817e5cc5dd8c5b715a2863');
INSERT INTO "audit" VALUES(2,'2026-11-26T06:03:50.625011+00:00',NULL,'import','20261126-060350-b462b3','"July", 5 responses','26b1f7b3f0c08fa3c769d0f3e3dead24f2df617a6b4efc5ca6d2e1be4083208f',NULL,'d11949088c240cfa5fc09c82d6bc40951cd6f7318534a0b73fa14b2258bae658');
INSERT INTO "audit" VALUES(3,'2026-11-26T06:03:50.660594+00:00',NULL,'verify','20261126-060350-8632f0','7 responses, 1 differences','91a7e870edf97b886d22c6e68ff270f3355b4fc64bbe5f36c12b37a11f94e614',NULL,NULL);
INSERT INTO "audit" VALUES(4,'2026-11-26T06:03:50.751372+00:00','Ada','label','20261126-060350-8632f0','1, A: correct','8695adcd967ef651eac0fa00df91434844451fb645d686368c35eb42ebc96939',NULL,'8774b6a6b0d3eeb115c3a471128342a00bf427cbe9d48c1f5e596dc2b571d50c');
INSERT INTO "audit" VALUES(5,'2026-11-26T06:03:50.787022+00:00','Bo','label','20261126-060350-8632f0','1, A: incorrect','e37567e6ff90417ae4bed5955412206ea13e5f99add202cdac85b2cecc0672b7',NULL,'524053df336bddeed4cb3e6e1c17d20a927fff7b57209f8b16d9cbdc6595cd59');
INSERT INTO "audit" VALUES(6,'2026-11-26T06:03:50.827508+00:00','Ada','label','20261126-060350-8632f0','1, A: declined','179cdc3a2d9304914137b06d90c612f78c7142a8211b6bae2b682ca1a6e7bc96',NULL,'beca24aa3802660b34fb2a903ed98678abfab50e5185a1ce61578b5eaccfa047');
INSERT INTO "audit" VALUES(7,'2026-11-26T06:03:50.868746+00:00','Cy','label','20261126-060350-8632f0','1, A: correct','cc1badfbbb27444b52e036a55dc91542b60148ed3fe01759bc6454aff9013796',NULL,'ea372f783e24b6c9176b965814470d116854f981e406319c4f4a3a19367b9e1f');
INSERT INTO "audit" VALUES(8,'2026-11-26T06:03:50.927995+00:00','Ada','label taken back','20261126-060350-8632f0','1, A: declined','5fea8348d112f242f24eae535c5636fe6d4f0a4965935fdad8730f278b4aff9f',NULL,NULL);
INSERT INTO "audit" VALUES(9,'2026-11-26T06:03:50.953224+00:00',NULL,'judge','20261126-060350-8632f0','openai:m, 1 responses','e62fde57e45f94196b8557a27a51bde1689b54ad3cbc8bf160806e5b09a7d282',NULL,NULL);
INSERT INTO "audit" VALUES(10,'2026-11-26T06:03:51.066638+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','fe52d8fb32a06afb7c3bff1ae6af5133b675a63b21e8afdd222ca5fd70e88903',NULL,'7ee855b8d5d4f7e0f972c88937aab7809c3d659023ed6af893f8dae500c27a3e');
INSERT INTO "audit" VALUES(11,'2026-11-26T06:03:51.145023+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','141acc4084dd4bbee4cb553dcb93802ebe35853448e4d2edff850491c9a9c298',NULL,NULL);
INSERT INTO "audit" VALUES(12,'2026-11-26T06:03:51.184020+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','706c02a86238fc04c4a29aee25dfe46ca166d2fda0fc12d3145247851e86a1d4',NULL,NULL);
INSERT INTO "audit" VALUES(13,'2026-11-26T06:03:51.220531+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','3383bec6162b56b77ebe857981dec07acc1b935c00152d7cc48b48664df1bde6',NULL,NULL);
INSERT INTO "audit" VALUES(14,'2026-11-26T06:03:51.375198+00:00','Ada','generate','5b6bee51b7a92429','"generated é", 1 triplets','a77753794c880723a99a999277df8de8f3e28e6ed43fa1561f30f579e0c1c5f4',NULL,NULL);
INSERT INTO "audit" VALUES(15,'2026-11-26T06:03:51.490415+00:00','Ada','judge','d1fe840f7ebae988','openai:m, 1 triplets','53af43b37e8dedd7a7b737e9b186e3a80a4b3009ad8efed15c500200bd380a15',NULL,NULL);
INSERT INTO "audit" VALUES(16,'2026-11-26T06:03:51.516431+00:00','Ada','judge','d1fe840f7ebae988','é, 1 forms of answers','af136183dbe4a2756f2998c26f8aa6fb0f0ecdf829d83ed50ac43bf3b997cf83',NULL,NULL);
INSERT INTO "audit" VALUES(17,'2026-11-26T06:03:51.579501+00:00','Ada','risk','d1fe840f7ebae988','medium (major, possible): é','b6977114dcb44699cebdb1ab402c232515bca05f112305346abfab098a93077a',NULL,NULL);
INSERT INTO "audit" VALUES(18,'2026-11-26T06:03:51.642729+00:00','Lea','review','d1fe840f7ebae988','session e28c3e73443b, high, 3 of 10 at random','b3d60b723c4bfb537fb40922c5312b2bdecef3e1a0cb9e368848db3ea2bd0964',NULL,NULL);
INSERT INTO "audit" VALUES(19,'2026-11-26T06:03:51.794845+00:00','Ada','review','d1fe840f7ebae988','q0: accept (tone)','9eb7cfa645141e33d4b1996ad0421a1a8dd32170c7bb3926111cefcfb7e24b85',NULL,NULL);
INSERT INTO "audit" VALUES(20,'2026-11-26T06:03:51.915646+00:00','Ada','review','d1fe840f7ebae988','q1: delete (tone)','0483065b97c5a6e212b1ab76a9f5e359f0a43392c9e21dedb41a5254f05cc83f',NULL,NULL);
INSERT INTO "audit" VALUES(21,'2026-11-26T06:03:52.032693+00:00','Ada','owner','20261126-060350-8632f0','"June": Ada','f67418c750ef98d5ba4dfc2b7b6da80b75afd422b99e34d59cd868c2196dedbe',NULL,NULL);
INSERT INTO "audit" VALUES(22,'2026-11-26T06:03:52.033291+00:00','Ada','note','20261126-060350-8632f0','"June": two lines','16d96672ac45f3887ddc83ec113227e5c2ef650a2a3343e47644aff706b0aac2',NULL,NULL);
INSERT INTO "audit" VALUES(23,'2026-11-26T06:03:52.039835+00:00','Ada','tag','20261126-060350-8632f0','"June": release','2c59b09a4bd83827ef5b554fe1be8ce73cc562040bd78d984bdf96139effdba0',NULL,NULL);
INSERT INTO "audit" VALUES(24,'2026-11-26T06:03:52.076585+00:00','Ada','project','alpha','made','8f4d13bf4018373db9014582ba5b7e8739389a119f83adfb72bcc39ee0961209',NULL,NULL);
INSERT INTO "audit" VALUES(25,'2026-11-26T06:03:52.128618+00:00','Ada','project','20261126-060350-8632f0','"June" moved into the project alpha','f4659fc435c1a587c82540fd3842cb552200fdcdb66b0763531b191ecbfe45ee',NULL,NULL);
INSERT INTO "audit" VALUES(26,'2026-11-26T06:03:52.183050+00:00','Ada','member','','ada is owner','50f170fbccda1f3357f015f9d725390de85c030c047b339ccc2f5b7c92f86467',NULL,NULL);
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-26T06:03:50.489114+00:00','c9009780fd40403897a77e51d7dce4318c791d442226016415eb1c76c1a5bc8a');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-26T06:03:51.031269+00:00','e9d1a248547f11ce5e1ecb6d9051d6fc7813b5f6a8a7c971b1e95d38af5a6196');
INSERT INTO "golden_datasets" VALUES('5b6bee51b7a92429',1,'2026-11-26T06:03:51.272777+00:00','2decbd518c07e632d373e4a6dfaa5fec5d0ef96b02fcfda135a65d49246d12a1');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-26T06:03:51.031269+00:00','Ada','a short form',10);
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
INSERT INTO "grades" VALUES('20261126-060350-8632f0','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-26T06:03:50.950653+00:00',9);
CREATE TABLE judges (
    judge TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    description TEXT NOT NULL,
    first_used_at TEXT NOT NULL
);
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-26T06:03:50.952666+00:00');
CREATE TABLE labels (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    question_id TEXT NOT NULL,
    pipeline TEXT NOT NULL,
    label TEXT NOT NULL,
    labelled_by TEXT NOT NULL,
    labelled_at TEXT NOT NULL
, deed INTEGER, comment TEXT, drawn BOOLEAN);
INSERT INTO "labels" VALUES(1,'20261126-060350-8632f0','1','A','correct','Ada','2026-11-26T06:03:50.736589+00:00',4,NULL,NULL);
INSERT INTO "labels" VALUES(2,'20261126-060350-8632f0','1','A','incorrect','Bo','2026-11-26T06:03:50.777986+00:00',5,NULL,NULL);
INSERT INTO "labels" VALUES(4,'20261126-060350-8632f0','1','A','correct','Cy','2026-11-26T06:03:50.866322+00:00',7,'é
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
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-26T06:03:51.219213+00:00',13);
CREATE TABLE members (
    project TEXT NOT NULL,
    subject TEXT NOT NULL,
    role TEXT NOT NULL,
    given_at TEXT NOT NULL,
    PRIMARY KEY (project, subject)
);
INSERT INTO "members" VALUES('','ada','owner','2026-11-26T06:03:52.182403+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-26T06:03:50.383805+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-26T06:03:50.384674+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-26T06:03:50.384872+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-26T06:03:50.385029+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-26T06:03:50.385230+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-26T06:03:50.385500+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-26T06:03:50.385625+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-26T06:03:50.426947+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-26T06:03:50.427681+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-26T06:03:50.427840+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-26T06:03:50.428042+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-26T06:03:50.428243+00:00');
INSERT INTO "migrations" VALUES(13,'2026-11-26T06:03:50.428754+00:00');
INSERT INTO "migrations" VALUES(14,'2026-11-26T06:03:50.429301+00:00');
INSERT INTO "migrations" VALUES(15,'2026-11-26T06:03:50.430538+00:00');
INSERT INTO "migrations" VALUES(16,'2026-11-26T06:03:50.430819+00:00');
INSERT INTO "migrations" VALUES(17,'2026-11-26T06:03:50.430998+00:00');
INSERT INTO "migrations" VALUES(18,'2026-11-26T06:03:50.431235+00:00');
INSERT INTO "migrations" VALUES(19,'2026-11-26T06:03:50.431374+00:00');
INSERT INTO "migrations" VALUES(20,'2026-11-26T06:03:50.431704+00:00');
INSERT INTO "migrations" VALUES(21,'2026-11-26T06:03:50.432029+00:00');
INSERT INTO "migrations" VALUES(22,'2026-11-26T06:03:50.432339+00:00');
INSERT INTO "migrations" VALUES(23,'2026-11-26T06:03:50.432484+00:00');
CREATE TABLE named_datasets (
    name TEXT PRIMARY KEY,
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    made_at TEXT NOT NULL
);
INSERT INTO "named_datasets" VALUES('generated é','5b6bee51b7a92429','2026-11-26T06:03:51.272777+00:00');
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
INSERT INTO "passages" VALUES('5b6bee51b7a92429','1','c','a.md','d',NULL,NULL,0,9,'é','the text','list','openai:m','p',NULL,NULL,1,'2026-11-26T06:03:51.272777+00:00',NULL);
CREATE TABLE policies (
    number INTEGER PRIMARY KEY,
    policy TEXT NOT NULL,
    set_at TEXT NOT NULL
);
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-26T06:03:51.183416+00:00');
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
INSERT INTO "projects" VALUES('alpha','2026-11-26T06:03:52.071334+00:00');
CREATE TABLE rejections (
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    question_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    proposed TEXT NOT NULL,
    rejected_by TEXT NOT NULL,
    rejected_at TEXT NOT NULL,
    PRIMARY KEY (line, question_id, rule, proposed)
);
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-26T06:03:51.140462+00:00');
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
INSERT INTO "review_decisions" VALUES(1,'e28c3e73443b',0,'Ada',0,'accept','["tone"]','',NULL,NULL,NULL,NULL,'t0','c','2026-11-26T06:03:51.778388+00:00',NULL,NULL,NULL,19);
INSERT INTO "review_decisions" VALUES(2,'e28c3e73443b',1,'Ada',0,'delete','["tone"]','',NULL,NULL,NULL,NULL,'t1','c','2026-11-26T06:03:51.900662+00:00',NULL,NULL,NULL,20);
CREATE TABLE review_flags (
    session TEXT NOT NULL REFERENCES review_sessions (session),
    question_id TEXT NOT NULL,
    source TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (session, question_id, source)
);
INSERT INTO "review_flags" VALUES('e28c3e73443b','q0','judge','hallucinated');
INSERT INTO "review_flags" VALUES('e28c3e73443b','q0','lint','blank-answer');
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
INSERT INTO "review_items" VALUES('e28c3e73443b',0,0.0,'q0','random',NULL,'t0','c','a.md');
INSERT INTO "review_items" VALUES('e28c3e73443b',1,1.0,'q1','random',NULL,'t1','c','a.md');
INSERT INTO "review_items" VALUES('e28c3e73443b',2,2.0,'q2','random',NULL,'t2','c','a.md');
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
INSERT INTO "review_leases" VALUES('e28c3e73443b',2,'Cy','2026-11-26T06:03:51.965896+00:00','2026-11-26T06:33:51.965896+00:00','{}');
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
INSERT INTO "review_sessions" VALUES('e28c3e73443b','d1fe840f7ebae988','d1fe840f7ebae988','','high',10,0.01,0.95,3,0,1,'[]','["tone"]','Read the passage first.',1,'Lea','2026-05-01T00:00:00.000000+00:00',NULL,18);
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
INSERT INTO "risks" VALUES(1,'d1fe840f7ebae988','','major','possible','medium','é','Ada','2026-11-26T06:03:51.578095+00:00',17);
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
INSERT INTO "run_records" VALUES('20261126-060350-8632f0','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL,'alpha',NULL);
INSERT INTO "run_records" VALUES('20261126-060350-b462b3',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261126-060350-8632f0','June','2026-11-26T06:03:50.489114+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.8}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261126-060350-b462b3','July','2026-11-26T06:03:50.597994+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.8}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
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
INSERT INTO "triplet_findings" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','é','é','é','openai:m','2026-11-26T06:03:51.401632+00:00',15);
CREATE TABLE verifications (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    verified_at TEXT NOT NULL,
    version TEXT NOT NULL,
    compared INTEGER NOT NULL,
    differences INTEGER NOT NULL
, deed INTEGER);
INSERT INTO "verifications" VALUES('20261126-060350-8632f0','2026-03-01T00:00:00.000000+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item)
    WHERE ended_at IS NULL AND adjudicates;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',4);
INSERT INTO "sqlite_sequence" VALUES('review_decisions',2);
COMMIT;
