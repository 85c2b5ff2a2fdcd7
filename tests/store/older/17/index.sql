BEGIN TRANSACTION;
CREATE TABLE accounts (
    name TEXT PRIMARY KEY,
    password TEXT NOT NULL,
    made_at TEXT NOT NULL
);
INSERT INTO "accounts" VALUES('ada','hash of a password','2026-11-22T22:59:36.034376+00:00');
CREATE TABLE api_tokens (
    token TEXT PRIMARY KEY,
    hash TEXT NOT NULL,
    name TEXT NOT NULL,
    subject TEXT NOT NULL,
    role TEXT NOT NULL,
    project TEXT,
    made_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    revoked_at TEXT
);
INSERT INTO "api_tokens" VALUES('6e8e7ed2b342','d199c9ea86635c0653ca77e43550670e17504a03b234f307a9be02628977d360','ci','token:6e8e7ed2b342','editor','alpha','2026-11-22T22:59:36.086318+00:00','2026-12-22T22:59:36.086318+00:00',NULL);
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    who TEXT,
    what TEXT NOT NULL,
    about TEXT NOT NULL,
    detail TEXT NOT NULL,
    hash TEXT NOT NULL
, subject TEXT);
INSERT INTO "audit" VALUES(1,'2026-11-22T22:59:35.077935+00:00',NULL,'import','20261122-225935-0077b5','"June", 5 responses','61fb4597bc82e2b7333f1ab4fe4cd222e743f5816d77cf5f16ce6588b0b5f1a3',NULL);
INSERT INTO "audit" VALUES(2,'2026-11-22T22:59:35.114094+00:00',NULL,'import','20261122-225935-442b13','"July", 5 responses','8777562b669a5ce2955cafc6f57a2755402b958aae0ec135937a2bfafa92ce08',NULL);
INSERT INTO "audit" VALUES(3,'2026-11-22T22:59:35.143106+00:00',NULL,'verify','20261122-225935-0077b5','7 responses, 1 differences','d66cbfb25b63a7123a9e95d04df533d8a124c88fcb2e5469d0d7aa135d02630a',NULL);
INSERT INTO "audit" VALUES(4,'2026-11-22T22:59:35.175008+00:00','Ada','label','20261122-225935-0077b5','1, A: correct','aa7bb9859b79d680fdf13ae4db0093f3643056a36741789462f873cc6eadf8b0',NULL);
INSERT INTO "audit" VALUES(5,'2026-11-22T22:59:35.203567+00:00','Bo','label','20261122-225935-0077b5','1, A: incorrect','034141b7a6dc51b15b439648481717a1a9769e2107cfc3ec061395120238d9cf',NULL);
INSERT INTO "audit" VALUES(6,'2026-11-22T22:59:35.230985+00:00','Ada','label','20261122-225935-0077b5','1, A: declined','9c9999531e880fe5ca7163cc796c7f48d0a9cde79c2b516d8a361bd9041e8ac7',NULL);
INSERT INTO "audit" VALUES(7,'2026-11-22T22:59:35.258980+00:00','Cy','label','20261122-225935-0077b5','1, A: correct','0339c905ca244eca67016b5bdd919f090acbe51c0b022e0b6516ca4dd8bd804d',NULL);
INSERT INTO "audit" VALUES(8,'2026-11-22T22:59:35.292825+00:00','Ada','label taken back','20261122-225935-0077b5','1, A: declined','94a593659823cf0975c12b6fd40934657a1b468d061228594eedeef5340f5ba3',NULL);
INSERT INTO "audit" VALUES(9,'2026-11-22T22:59:35.316015+00:00',NULL,'judge','20261122-225935-0077b5','openai:m, 1 responses','81720951b91dd461ea7de86f558dbc974798ab8d8610ec62ad7f3d5a449bce3b',NULL);
INSERT INTO "audit" VALUES(10,'2026-11-22T22:59:35.366446+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','247aafbb303826e4a6796bacd2baec14cdf9ed2e0bb3ed700e2d0e9f2c40ca52',NULL);
INSERT INTO "audit" VALUES(11,'2026-11-22T22:59:35.390063+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','c586635fe518d6df3515c2d3d75ed19287ef085192e9e7ee03056096dbc2bb6f',NULL);
INSERT INTO "audit" VALUES(12,'2026-11-22T22:59:35.414100+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','0ec46447bee08878a5688762adb2db0a50387f9fd977a74cc6e2d1d0633ab97c',NULL);
INSERT INTO "audit" VALUES(13,'2026-11-22T22:59:35.435491+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','221a1b9d6fd6d064b9033e22760650f9f2827c5ff58aa5967b44964e91092e12',NULL);
INSERT INTO "audit" VALUES(14,'2026-11-22T22:59:35.472486+00:00','Ada','generate','5b6bee51b7a92429','"generated é", 1 triplets','6020dad5510063d0ca3a4bebae5fc307c885ff32f14d32c3d2e815739a9e2ed1',NULL);
INSERT INTO "audit" VALUES(15,'2026-11-22T22:59:35.497170+00:00','Ada','judge','d1fe840f7ebae988','openai:m, 1 triplets','e56a68dcb012dfe8721354f56a5ecd20ed7538b8f6ef05a7d3b8d58504a8469f',NULL);
INSERT INTO "audit" VALUES(16,'2026-11-22T22:59:35.507239+00:00','Ada','risk','d1fe840f7ebae988','medium (major, possible): é','d73a83ad0ac634be717bac3d257ea1d1ddc1776f700af4a66522ce7a740af718',NULL);
INSERT INTO "audit" VALUES(17,'2026-11-22T22:59:35.534666+00:00','Lea','review','d1fe840f7ebae988','session 33550e0177d7, high, 3 of 10 at random','aaa6e25d670130189535d3cbdc8ce5a6aec4b83064b5a49183c5dc4da8d75b24',NULL);
INSERT INTO "audit" VALUES(18,'2026-11-22T22:59:35.744566+00:00','Ada','review','d1fe840f7ebae988','q0: accept (tone)','434177c10306c292e44789287951d90ea72e8a7ee05429afd41d8f7daff2af64',NULL);
INSERT INTO "audit" VALUES(19,'2026-11-22T22:59:35.799716+00:00','Ada','review','d1fe840f7ebae988','q1: delete (tone)','3d541ccd4617108894d06c8f65333db4bc0745cda7713a4e9e2a12e48618ed48',NULL);
INSERT INTO "audit" VALUES(20,'2026-11-22T22:59:35.899808+00:00','Bo','adjudicate','d1fe840f7ebae988','q0: accept','366e4559928fbb1c63d75629f15b8cf78c2ac081c59fd13b73cbe86195ff3e19',NULL);
INSERT INTO "audit" VALUES(21,'2026-11-22T22:59:35.928062+00:00','Ada','view saved','20261122-225935-0077b5','"wrong é", Diagnostics','cb760a176c631b9903addffe06693267f6c526143237d3263a8c008ef3434622',NULL);
INSERT INTO "audit" VALUES(22,'2026-11-22T22:59:35.955853+00:00','Ada','owner','20261122-225935-0077b5','"June": Ada','e90ff9b7815b32f2179f7bb430f3254937fcde830f67f5f75acb9a77038498a4',NULL);
INSERT INTO "audit" VALUES(23,'2026-11-22T22:59:35.960793+00:00','Ada','note','20261122-225935-0077b5','"June": two lines','c481f7e208242d4ad103ffb73aa0e313ef57ee2ab984fcfaa8b32946cc21d421',NULL);
INSERT INTO "audit" VALUES(24,'2026-11-22T22:59:35.961650+00:00','Ada','tag','20261122-225935-0077b5','"June": release','9da3c2323abf19d6eada77e8ebc9b5dfbb3974ef68aaee0f08d906ac29e4f98e',NULL);
INSERT INTO "audit" VALUES(25,'2026-11-22T22:59:35.984004+00:00','Ada','project','alpha','made','bcbe4ea6b296bc0b61d8e991ad7092a0caaf34536ae1d5781bb1132e655f8ced',NULL);
INSERT INTO "audit" VALUES(26,'2026-11-22T22:59:36.011322+00:00','Ada','project','20261122-225935-0077b5','"June" moved into the project alpha','c69a73828a57cf6d8e4812fb79b70ca5a026b54f62ebfad61ce3dd88ef74a341',NULL);
INSERT INTO "audit" VALUES(27,'2026-11-22T22:59:36.036165+00:00','Ada','account','ada','added','0da85d8528c03ca9587012c82d1d592510286b2cd995581cab24c792900bc593',NULL);
INSERT INTO "audit" VALUES(28,'2026-11-22T22:59:36.060213+00:00','Ada','member','','ada is owner','3f59f366fc57c31dd7c3ef53f3f7404f9c2795762d070b484c3fd15f9059173d',NULL);
INSERT INTO "audit" VALUES(29,'2026-11-22T22:59:36.093041+00:00','Ada','member','alpha','token:6e8e7ed2b342 is editor','5488713bf63651e153addabdce02fb8e534c230ebc207018a5ed3c1faa03cb79',NULL);
INSERT INTO "audit" VALUES(30,'2026-11-22T22:59:36.118762+00:00','Ada','token','alpha','"ci", editor, made for 30 days','f3e2b3b94a3ec0dc5cc2ebc85397469cec8365cda58a58508b0f36e9d5f3214c',NULL);
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-22T22:59:35.062323+00:00','1803ed781eafd86aafa820d2ec2a5fe2be6c7bfd4ba6689423f02d438f4eed4c');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-22T22:59:35.357735+00:00','5b1ee79d69fc6e1bc80cf36944e294702e4b9582c86e40d6b9245988d5b557f5');
INSERT INTO "golden_datasets" VALUES('5b6bee51b7a92429',1,'2026-11-22T22:59:35.462825+00:00','1dcd929de099612688ecad2006867fb3a287d16bc39b55b3e48b4c69db822b3f');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-22T22:59:35.357735+00:00','Ada','a short form',10);
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
INSERT INTO "grades" VALUES('20261122-225935-0077b5','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-22T22:59:35.312993+00:00',9);
CREATE TABLE holdings (
    server TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    amount INTEGER NOT NULL,
    seen_at REAL NOT NULL,
    PRIMARY KEY (server, kind, subject)
);
INSERT INTO "holdings" VALUES('server','page','ada',1,1.79538837621118450163e+09);
CREATE TABLE judges (
    judge TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    description TEXT NOT NULL,
    first_used_at TEXT NOT NULL
);
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-22T22:59:35.312993+00:00');
CREATE TABLE labels (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    question_id TEXT NOT NULL,
    pipeline TEXT NOT NULL,
    label TEXT NOT NULL,
    labelled_by TEXT NOT NULL,
    labelled_at TEXT NOT NULL
, deed INTEGER, comment TEXT, drawn BOOLEAN);
INSERT INTO "labels" VALUES(1,'20261122-225935-0077b5','1','A','correct','Ada','2026-11-22T22:59:35.172734+00:00',4,NULL,NULL);
INSERT INTO "labels" VALUES(2,'20261122-225935-0077b5','1','A','incorrect','Bo','2026-11-22T22:59:35.200949+00:00',5,NULL,NULL);
INSERT INTO "labels" VALUES(4,'20261122-225935-0077b5','1','A','correct','Cy','2026-11-22T22:59:35.256834+00:00',7,'é
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
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-22T22:59:35.434247+00:00',13);
CREATE TABLE members (
    project TEXT NOT NULL,
    subject TEXT NOT NULL,
    role TEXT NOT NULL,
    given_at TEXT NOT NULL,
    PRIMARY KEY (project, subject)
);
INSERT INTO "members" VALUES('','ada','owner','2026-11-22T22:59:36.059635+00:00');
INSERT INTO "members" VALUES('alpha','token:6e8e7ed2b342','editor','2026-11-22T22:59:36.092624+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-22T22:59:35.009039+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-22T22:59:35.010192+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-22T22:59:35.010403+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-22T22:59:35.010565+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-22T22:59:35.010772+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-22T22:59:35.011055+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-22T22:59:35.011181+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-22T22:59:35.011392+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-22T22:59:35.011950+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-22T22:59:35.012118+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-22T22:59:35.012299+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-22T22:59:35.024646+00:00');
INSERT INTO "migrations" VALUES(13,'2026-11-22T22:59:35.025277+00:00');
INSERT INTO "migrations" VALUES(14,'2026-11-22T22:59:35.026022+00:00');
INSERT INTO "migrations" VALUES(15,'2026-11-22T22:59:35.026835+00:00');
INSERT INTO "migrations" VALUES(16,'2026-11-22T22:59:35.027015+00:00');
INSERT INTO "migrations" VALUES(17,'2026-11-22T22:59:35.027187+00:00');
CREATE TABLE named_datasets (
    name TEXT PRIMARY KEY,
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    made_at TEXT NOT NULL
);
INSERT INTO "named_datasets" VALUES('generated é','5b6bee51b7a92429','2026-11-22T22:59:35.462825+00:00');
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
INSERT INTO "passages" VALUES('5b6bee51b7a92429','1','c','a.md','d',NULL,NULL,0,9,'é','the text','list','openai:m','p',NULL,NULL,1,'2026-11-22T22:59:35.462825+00:00');
CREATE TABLE policies (
    number INTEGER PRIMARY KEY,
    policy TEXT NOT NULL,
    set_at TEXT NOT NULL
);
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-22T22:59:35.413574+00:00');
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
INSERT INTO "projects" VALUES('alpha','2026-11-22T22:59:35.983233+00:00');
CREATE TABLE rates (
    key TEXT PRIMARY KEY,
    tokens REAL NOT NULL,
    filled_at REAL NOT NULL
);
INSERT INTO "rates" VALUES('sign-in é',4.0,1.79538837615432477e+09);
CREATE TABLE rejections (
    line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
    question_id TEXT NOT NULL,
    rule TEXT NOT NULL,
    proposed TEXT NOT NULL,
    rejected_by TEXT NOT NULL,
    rejected_at TEXT NOT NULL,
    PRIMARY KEY (line, question_id, rule, proposed)
);
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-22T22:59:35.383000+00:00');
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
INSERT INTO "review_decisions" VALUES(1,'33550e0177d7',0,'Ada',0,'accept','["tone"]','',NULL,NULL,NULL,NULL,'t0','c','2026-11-22T22:59:35.617910+00:00',NULL,NULL,NULL,18);
INSERT INTO "review_decisions" VALUES(2,'33550e0177d7',1,'Ada',0,'delete','["tone"]','',NULL,NULL,NULL,NULL,'t1','c','2026-11-22T22:59:35.798026+00:00',NULL,NULL,NULL,19);
INSERT INTO "review_decisions" VALUES(3,'33550e0177d7',0,'Bo',1,'accept','[]','fine',NULL,NULL,NULL,NULL,'t0','c','2026-11-22T22:59:35.897304+00:00',NULL,NULL,NULL,20);
CREATE TABLE review_flags (
    session TEXT NOT NULL REFERENCES review_sessions (session),
    question_id TEXT NOT NULL,
    source TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (session, question_id, source)
);
INSERT INTO "review_flags" VALUES('33550e0177d7','q0','judge','hallucinated');
INSERT INTO "review_flags" VALUES('33550e0177d7','q0','lint','blank-answer');
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
INSERT INTO "review_items" VALUES('33550e0177d7',0,0.0,'q0','random',NULL,'t0','c','a.md');
INSERT INTO "review_items" VALUES('33550e0177d7',1,1.0,'q1','random',NULL,'t1','c','a.md');
INSERT INTO "review_items" VALUES('33550e0177d7',2,2.0,'q2','random',NULL,'t2','c','a.md');
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
INSERT INTO "review_leases" VALUES('33550e0177d7',2,'Cy','2026-11-22T22:59:35.831762+00:00','2026-11-22T23:29:35.831762+00:00','{}');
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
INSERT INTO "review_sessions" VALUES('33550e0177d7','d1fe840f7ebae988','d1fe840f7ebae988','','high',10,0.01,0.95,3,0,1,'[]','["tone"]','Read the passage first.',1,'Lea','2026-05-01T00:00:00.000000+00:00',NULL,17);
CREATE TABLE review_views (
    session TEXT NOT NULL,
    item INTEGER NOT NULL,
    viewer TEXT NOT NULL,
    PRIMARY KEY (session, item, viewer),
    FOREIGN KEY (session, item) REFERENCES review_items (session, item)
);
INSERT INTO "review_views" VALUES('33550e0177d7',0,'Bo');
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
INSERT INTO "risks" VALUES(1,'d1fe840f7ebae988','','major','possible','medium','é','Ada','2026-11-22T22:59:35.506149+00:00',16);
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
INSERT INTO "run_records" VALUES('20261122-225935-0077b5','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL,'alpha');
INSERT INTO "run_records" VALUES('20261122-225935-442b13',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261122-225935-0077b5','June','2026-11-22T22:59:35.062323+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.4, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261122-225935-442b13','July','2026-11-22T22:59:35.108602+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.4, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
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
INSERT INTO "saved_views" VALUES('20261122-225935-0077b5','wrong é','Diagnostics','{"verdict": ["incorrect"]}','Ada','2026-11-22T22:59:35.926322+00:00',21);
CREATE TABLE sign_ins (
    key TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    began_at TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
);
INSERT INTO "sign_ins" VALUES('f052f954c0ed3d12a2fea0ae52f1c2317b126c3c3ef27a8630b7782ed083e038','ada','Ada','accounts','2026-11-22T22:59:36.136656+00:00','2026-11-22T22:59:36.136656+00:00','2026-11-23T10:59:36.136656+00:00');
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
INSERT INTO "triplet_findings" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','é','é','é','openai:m','2026-11-22T22:59:35.491161+00:00',15);
CREATE TABLE verifications (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    verified_at TEXT NOT NULL,
    version TEXT NOT NULL,
    compared INTEGER NOT NULL,
    differences INTEGER NOT NULL
, deed INTEGER);
INSERT INTO "verifications" VALUES('20261122-225935-0077b5','2026-03-01T00:00:00.000000+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item)
    WHERE ended_at IS NULL AND adjudicates;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',4);
INSERT INTO "sqlite_sequence" VALUES('review_decisions',3);
COMMIT;
