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
INSERT INTO "answer_forms" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','2026-11-23T11:26:16.128264+00:00',16);
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    who TEXT,
    what TEXT NOT NULL,
    about TEXT NOT NULL,
    detail TEXT NOT NULL,
    hash TEXT NOT NULL
, subject TEXT);
INSERT INTO "audit" VALUES(1,'2026-11-23T11:26:15.675421+00:00',NULL,'import','20261123-112615-4e0503','"June", 5 responses','342cc1729dca9f2905f8705bdf28051a9d30f276d8420e97c49405dddb676475',NULL);
INSERT INTO "audit" VALUES(2,'2026-11-23T11:26:15.695470+00:00',NULL,'import','20261123-112615-8cbd62','"July", 5 responses','8ede4ba754c473dc9638a459cbd851d2eb695731deb7e1d463e35a0a306c5ec2',NULL);
INSERT INTO "audit" VALUES(3,'2026-11-23T11:26:15.705397+00:00',NULL,'verify','20261123-112615-4e0503','7 responses, 1 differences','4aa3574c8a75b1390d05effdca9ae430644f873113fb6662291122889e791962',NULL);
INSERT INTO "audit" VALUES(4,'2026-11-23T11:26:15.747420+00:00','Ada','label','20261123-112615-4e0503','1, A: correct','9cd5225d52844f4b56f67ebd199f2f2ace281151600ec56cc00dc3515538bc16',NULL);
INSERT INTO "audit" VALUES(5,'2026-11-23T11:26:15.754565+00:00','Bo','label','20261123-112615-4e0503','1, A: incorrect','725b85cb1ff2115de6277bca2ea5df26ab64fa4545e11d32f2daaa9b8ed6d9a5',NULL);
INSERT INTO "audit" VALUES(6,'2026-11-23T11:26:15.762425+00:00','Ada','label','20261123-112615-4e0503','1, A: declined','b78d18c726fc861844c07aeb432c092205313c475c8af4e5617dfcc7ce34cb18',NULL);
INSERT INTO "audit" VALUES(7,'2026-11-23T11:26:15.786099+00:00','Cy','label','20261123-112615-4e0503','1, A: correct','e4a63de49683d1e16b789808ba274121ef07dd47d6eda90fa6659097da89d0f4',NULL);
INSERT INTO "audit" VALUES(8,'2026-11-23T11:26:15.816735+00:00','Ada','label taken back','20261123-112615-4e0503','1, A: declined','45b9a80a26120b5774f8948b2097c89ced55995c46b6598846907eb642b59d7e',NULL);
INSERT INTO "audit" VALUES(9,'2026-11-23T11:26:15.846350+00:00',NULL,'judge','20261123-112615-4e0503','openai:m, 1 responses','e1cbab4e16abfd9e74bff25296bace393883e80155326ef4d79dc9416447967d',NULL);
INSERT INTO "audit" VALUES(10,'2026-11-23T11:26:15.960026+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','ec870c3d1ce5824b6577f7a548f5eabdad3022ecdf17350d571e33bb4fd0a99a',NULL);
INSERT INTO "audit" VALUES(11,'2026-11-23T11:26:15.987627+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','0a91ed9fb376f2bece7af4288444912cb65b2dcd9016d5253434e7d3a8e3eef9',NULL);
INSERT INTO "audit" VALUES(12,'2026-11-23T11:26:16.008242+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','4f35017d1932f708f3665ff70d886c607b30b692efadeeb5b92dda074c519d8d',NULL);
INSERT INTO "audit" VALUES(13,'2026-11-23T11:26:16.018950+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','67004904e64d9a455163d38f7a6a53635d51976f76e132f71166116bcf585d8f',NULL);
INSERT INTO "audit" VALUES(14,'2026-11-23T11:26:16.072865+00:00','Ada','generate','5b6bee51b7a92429','"generated é", 1 triplets','e37367e574718af23a43027ab6102943988ea8790bf4ec09d88791f7f7d64927',NULL);
INSERT INTO "audit" VALUES(15,'2026-11-23T11:26:16.106928+00:00','Ada','judge','d1fe840f7ebae988','openai:m, 1 triplets','76157fe7af911dc0669918b7552e686d87ae40db90724eba0c9750d049956bdd',NULL);
INSERT INTO "audit" VALUES(16,'2026-11-23T11:26:16.127750+00:00','Ada','judge','d1fe840f7ebae988','é, 1 forms of answers','2cebc3efd4f0ebf5a409743f23fa7ed3f8c8f065d2dcc01bf6da2a28b4560127',NULL);
INSERT INTO "audit" VALUES(17,'2026-11-23T11:26:16.134444+00:00','Ada','risk','d1fe840f7ebae988','medium (major, possible): é','2220b9c76e7447cbd835d4483d5d375246b64ff386ecd94f1245f2dd7c3a1e4b',NULL);
INSERT INTO "audit" VALUES(18,'2026-11-23T11:26:16.143040+00:00','Lea','review','d1fe840f7ebae988','session 3deef7d6ad6e, high, 3 of 10 at random','05cbb290ef3e857020e426027321b7b022b8b8981b9348256701718e1d9be827',NULL);
INSERT INTO "audit" VALUES(19,'2026-11-23T11:26:16.253486+00:00','Ada','review','d1fe840f7ebae988','q0: accept (tone)','dd3bbaee54c8afa1295a67f031481e3ec321c8eaaf8acfe52f52f5999e1e71a0',NULL);
INSERT INTO "audit" VALUES(20,'2026-11-23T11:26:16.305402+00:00','Ada','review','d1fe840f7ebae988','q1: delete (tone)','3a925cff04a57805f8dcb8d84eb6e6fc1d708cf1f9e3a5e4552143810fba79a7',NULL);
INSERT INTO "audit" VALUES(21,'2026-11-23T11:26:16.400009+00:00','Bo','adjudicate','d1fe840f7ebae988','q0: accept','35b8d57dee7d64e62b724504ea7045024eb61d25d973d858ca0c3c6a7ebcd077',NULL);
INSERT INTO "audit" VALUES(22,'2026-11-23T11:26:16.408244+00:00','Ada','view saved','20261123-112615-4e0503','"wrong é", Diagnostics','b71fc5ee3379f95757ee8834879fd26b3216eeec86e5e3380a8f0b1c746c2a78',NULL);
INSERT INTO "audit" VALUES(23,'2026-11-23T11:26:16.423423+00:00','Ada','owner','20261123-112615-4e0503','"June": Ada','1bcb4c8ad7deff5d6ab04256b42a0a311bb9488fc04d0c2e5884123aa4708c2c',NULL);
INSERT INTO "audit" VALUES(24,'2026-11-23T11:26:16.424351+00:00','Ada','note','20261123-112615-4e0503','"June": two lines','69f65cc967404927e0acb9bc82c818c1f9c363c6d245dc8bc922604758d430ee',NULL);
INSERT INTO "audit" VALUES(25,'2026-11-23T11:26:16.425501+00:00','Ada','tag','20261123-112615-4e0503','"June": release','2d0ad81304602d91a51b3c813f81b8a30ea280365596aec04a3f5cc3949b75a2',NULL);
INSERT INTO "audit" VALUES(26,'2026-11-23T11:26:16.434759+00:00','Ada','project','alpha','made','10401a189334a5ca61bb0b89a2c43caef5f5c69d7fcdc3a068eedc824e43e6fa',NULL);
INSERT INTO "audit" VALUES(27,'2026-11-23T11:26:16.451273+00:00','Ada','project','20261123-112615-4e0503','"June" moved into the project alpha','bcb0c00babaaf1af82cdebc503e162801f226b16c2e3564fbc9d90f82aa3761e',NULL);
INSERT INTO "audit" VALUES(28,'2026-11-23T11:26:16.466654+00:00','Ada','member','','ada is owner','1453a95a8b8cd655e5409e18906cf678f8436968a587dfe1eaf42bbb46bfa2b7',NULL);
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-23T11:26:15.646645+00:00','c9009780fd40403897a77e51d7dce4318c791d442226016415eb1c76c1a5bc8a');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-23T11:26:15.921844+00:00','e9d1a248547f11ce5e1ecb6d9051d6fc7813b5f6a8a7c971b1e95d38af5a6196');
INSERT INTO "golden_datasets" VALUES('5b6bee51b7a92429',1,'2026-11-23T11:26:16.052075+00:00','2decbd518c07e632d373e4a6dfaa5fec5d0ef96b02fcfda135a65d49246d12a1');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-23T11:26:15.921844+00:00','Ada','a short form',10);
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
INSERT INTO "grades" VALUES('20261123-112615-4e0503','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-23T11:26:15.822174+00:00',9);
CREATE TABLE holdings (
    server TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    amount INTEGER NOT NULL,
    seen_at REAL NOT NULL,
    PRIMARY KEY (server, kind, subject)
);
INSERT INTO "holdings" VALUES('server','page','ada',1,1.79543317648372840883e+09);
CREATE TABLE judges (
    judge TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    description TEXT NOT NULL,
    first_used_at TEXT NOT NULL
);
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-23T11:26:15.845437+00:00');
CREATE TABLE labels (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    question_id TEXT NOT NULL,
    pipeline TEXT NOT NULL,
    label TEXT NOT NULL,
    labelled_by TEXT NOT NULL,
    labelled_at TEXT NOT NULL
, deed INTEGER, comment TEXT, drawn BOOLEAN);
INSERT INTO "labels" VALUES(1,'20261123-112615-4e0503','1','A','correct','Ada','2026-11-23T11:26:15.744284+00:00',4,NULL,NULL);
INSERT INTO "labels" VALUES(2,'20261123-112615-4e0503','1','A','incorrect','Bo','2026-11-23T11:26:15.752236+00:00',5,NULL,NULL);
INSERT INTO "labels" VALUES(4,'20261123-112615-4e0503','1','A','correct','Cy','2026-11-23T11:26:15.766278+00:00',7,'é
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
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-23T11:26:16.016708+00:00',13);
CREATE TABLE members (
    project TEXT NOT NULL,
    subject TEXT NOT NULL,
    role TEXT NOT NULL,
    given_at TEXT NOT NULL,
    PRIMARY KEY (project, subject)
);
INSERT INTO "members" VALUES('','ada','owner','2026-11-23T11:26:16.463487+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-23T11:26:15.629728+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-23T11:26:15.630980+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-23T11:26:15.631276+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-23T11:26:15.631453+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-23T11:26:15.631669+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-23T11:26:15.631966+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-23T11:26:15.632096+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-23T11:26:15.632318+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-23T11:26:15.632983+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-23T11:26:15.633144+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-23T11:26:15.633327+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-23T11:26:15.633513+00:00');
INSERT INTO "migrations" VALUES(13,'2026-11-23T11:26:15.634046+00:00');
INSERT INTO "migrations" VALUES(14,'2026-11-23T11:26:15.635001+00:00');
INSERT INTO "migrations" VALUES(15,'2026-11-23T11:26:15.637004+00:00');
INSERT INTO "migrations" VALUES(16,'2026-11-23T11:26:15.637889+00:00');
INSERT INTO "migrations" VALUES(17,'2026-11-23T11:26:15.638092+00:00');
INSERT INTO "migrations" VALUES(18,'2026-11-23T11:26:15.638343+00:00');
INSERT INTO "migrations" VALUES(19,'2026-11-23T11:26:15.638618+00:00');
INSERT INTO "migrations" VALUES(20,'2026-11-23T11:26:15.638991+00:00');
CREATE TABLE named_datasets (
    name TEXT PRIMARY KEY,
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    made_at TEXT NOT NULL
);
INSERT INTO "named_datasets" VALUES('generated é','5b6bee51b7a92429','2026-11-23T11:26:16.052075+00:00');
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
INSERT INTO "passages" VALUES('5b6bee51b7a92429','1','c','a.md','d',NULL,NULL,0,9,'é','the text','list','openai:m','p',NULL,NULL,1,'2026-11-23T11:26:16.052075+00:00');
CREATE TABLE policies (
    number INTEGER PRIMARY KEY,
    policy TEXT NOT NULL,
    set_at TEXT NOT NULL
);
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-23T11:26:16.007262+00:00');
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
INSERT INTO "projects" VALUES('alpha','2026-11-23T11:26:16.432247+00:00');
CREATE TABLE rejections (
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    question_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    proposed TEXT NOT NULL,
    rejected_by TEXT NOT NULL,
    rejected_at TEXT NOT NULL,
    PRIMARY KEY (line, question_id, rule, proposed)
);
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-23T11:26:15.982317+00:00');
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
INSERT INTO "review_decisions" VALUES(1,'3deef7d6ad6e',0,'Ada',0,'accept','["tone"]','',NULL,NULL,NULL,NULL,'t0','c','2026-11-23T11:26:16.248703+00:00',NULL,NULL,NULL,19);
INSERT INTO "review_decisions" VALUES(2,'3deef7d6ad6e',1,'Ada',0,'delete','["tone"]','',NULL,NULL,NULL,NULL,'t1','c','2026-11-23T11:26:16.299951+00:00',NULL,NULL,NULL,20);
INSERT INTO "review_decisions" VALUES(3,'3deef7d6ad6e',0,'Bo',1,'accept','[]','fine',NULL,NULL,NULL,NULL,'t0','c','2026-11-23T11:26:16.384252+00:00',NULL,NULL,NULL,21);
CREATE TABLE review_flags (
    session TEXT NOT NULL REFERENCES review_sessions (session),
    question_id TEXT NOT NULL,
    source TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (session, question_id, source)
);
INSERT INTO "review_flags" VALUES('3deef7d6ad6e','q0','judge','hallucinated');
INSERT INTO "review_flags" VALUES('3deef7d6ad6e','q0','lint','blank-answer');
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
INSERT INTO "review_items" VALUES('3deef7d6ad6e',0,0.0,'q0','random',NULL,'t0','c','a.md');
INSERT INTO "review_items" VALUES('3deef7d6ad6e',1,1.0,'q1','random',NULL,'t1','c','a.md');
INSERT INTO "review_items" VALUES('3deef7d6ad6e',2,2.0,'q2','random',NULL,'t2','c','a.md');
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
INSERT INTO "review_leases" VALUES('3deef7d6ad6e',2,'Cy','2026-11-23T11:26:16.318122+00:00','2026-11-23T11:56:16.318122+00:00','{}');
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
INSERT INTO "review_sessions" VALUES('3deef7d6ad6e','d1fe840f7ebae988','d1fe840f7ebae988','','high',10,0.01,0.95,3,0,1,'[]','["tone"]','Read the passage first.',1,'Lea','2026-05-01T00:00:00.000000+00:00',NULL,18);
CREATE TABLE review_views (
    session TEXT NOT NULL,
    item INTEGER NOT NULL,
    viewer TEXT NOT NULL,
    PRIMARY KEY (session, item, viewer),
    FOREIGN KEY (session, item) REFERENCES review_items (session, item)
);
INSERT INTO "review_views" VALUES('3deef7d6ad6e',0,'Bo');
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
INSERT INTO "risks" VALUES(1,'d1fe840f7ebae988','','major','possible','medium','é','Ada','2026-11-23T11:26:16.131914+00:00',17);
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
INSERT INTO "run_records" VALUES('20261123-112615-4e0503','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL,'alpha',NULL);
INSERT INTO "run_records" VALUES('20261123-112615-8cbd62',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261123-112615-4e0503','June','2026-11-23T11:26:15.646645+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261123-112615-8cbd62','July','2026-11-23T11:26:15.684111+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.55, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
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
INSERT INTO "saved_views" VALUES('20261123-112615-4e0503','wrong é','Diagnostics','{"verdict": ["incorrect"]}','Ada','2026-11-23T11:26:16.405285+00:00',22);
CREATE TABLE sign_ins (
    key TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    began_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
);
INSERT INTO "sign_ins" VALUES('5ef0f18d768c5d3357cf6325e6d87fc838d5e46172f73e6ccbdc0316a9ae8a9e','ada','Ada','oidc','2026-11-23T11:26:16.477568+00:00','2026-11-23T11:26:16.477568+00:00','2026-11-23T23:26:16.477568+00:00');
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
INSERT INTO "triplet_findings" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','é','é','é','openai:m','2026-11-23T11:26:16.098203+00:00',15);
CREATE TABLE verifications (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    verified_at TEXT NOT NULL,
    version TEXT NOT NULL,
    compared INTEGER NOT NULL,
    differences INTEGER NOT NULL
, deed INTEGER);
INSERT INTO "verifications" VALUES('20261123-112615-4e0503','2026-03-01T00:00:00.000000+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item)
    WHERE ended_at IS NULL AND adjudicates;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',4);
INSERT INTO "sqlite_sequence" VALUES('review_decisions',3);
COMMIT;
