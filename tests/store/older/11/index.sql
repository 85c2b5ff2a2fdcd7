BEGIN TRANSACTION;
CREATE TABLE audit (
            number INTEGER PRIMARY KEY,
            at TEXT NOT NULL,
            who TEXT,
            what TEXT NOT NULL,
            about TEXT NOT NULL,
            detail TEXT NOT NULL,
            hash TEXT NOT NULL
        );
INSERT INTO "audit" VALUES(1,'2026-11-22T05:47:19.844873+00:00',NULL,'import','20261122-054719-f5ca7d','"June", 5 responses','22cd3a32bb41b432d59a797e9e471d8b286c6b045289cab7fce758a5b5d12485');
INSERT INTO "audit" VALUES(2,'2026-11-22T05:47:19.893393+00:00',NULL,'import','20261122-054719-e3c58e','"July", 5 responses','eb0d448fed9a69edb40dc58c3f4843dca1f30d07d616ef4b6721019ad97bb19b');
INSERT INTO "audit" VALUES(3,'2026-11-22T05:47:19.925058+00:00',NULL,'verify','20261122-054719-f5ca7d','7 responses, 1 differences','b423a98f74178ebd550141fb710cc7a0d284aea67e30bc2862cda7d9285222b2');
INSERT INTO "audit" VALUES(4,'2026-11-22T05:47:19.976000+00:00','Ada','label','20261122-054719-f5ca7d','1, A: correct','440e9c452d9eb826d4d382fe2f3743ab39b3ac82c3066502931bf8d293cd77df');
INSERT INTO "audit" VALUES(5,'2026-11-22T05:47:20.004252+00:00','Bo','label','20261122-054719-f5ca7d','1, A: incorrect','52ec41829e6efe06bdce7ca17d9b4a9f11f9d6767b45f316261b464f34edb511');
INSERT INTO "audit" VALUES(6,'2026-11-22T05:47:20.028071+00:00','Ada','label','20261122-054719-f5ca7d','1, A: declined','33a3572d9d62842eeebd361d59b69ad1a05816576775170ff6b8e52090c76480');
INSERT INTO "audit" VALUES(7,'2026-11-22T05:47:20.054092+00:00','Ada','label taken back','20261122-054719-f5ca7d','1, A: declined','b5fefadc3ca467e90b96bd905646d82eb6f9fde0673a9e10d51960d2b24eae3b');
INSERT INTO "audit" VALUES(8,'2026-11-22T05:47:20.085892+00:00',NULL,'judge','20261122-054719-f5ca7d','openai:m, 1 responses','86f9d9b9e0e25ddac07d16d65392895663c1419a58b8a5d23bf7fefff1bf9cb3');
INSERT INTO "audit" VALUES(9,'2026-11-22T05:47:20.145093+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','085952cd8555d5224b1fc548abce925da46441c23f26e63ea1a1ae52cc3c2611');
INSERT INTO "audit" VALUES(10,'2026-11-22T05:47:20.175853+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','425a7cdd80fb38a9184c712630e59917b44677a410d658b363150ffa2ca7cd1c');
INSERT INTO "audit" VALUES(11,'2026-11-22T05:47:20.199290+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','5e05fffa8f41aac0fdb1d1647972a71a134e4f4a786861526bc78eb146631ac1');
INSERT INTO "audit" VALUES(12,'2026-11-22T05:47:20.222374+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','0c97065488860d4e209c9b20a3c0dbf1364628e6151ca31f1c40a0a4c58b3e5f');
INSERT INTO "audit" VALUES(13,'2026-11-22T05:47:20.253113+00:00','Ada','owner','20261122-054719-f5ca7d','"June": Ada','32f97576203c6047186941cbd41e98a7a2c9b8d5e57117e2ee3413f5cfc803bc');
INSERT INTO "audit" VALUES(14,'2026-11-22T05:47:20.254006+00:00','Ada','note','20261122-054719-f5ca7d','"June": two lines','081765d4a2a858dd0fe273484f0daf5ef2f013818def4957ce109922b50e6cce');
INSERT INTO "audit" VALUES(15,'2026-11-22T05:47:20.254710+00:00','Ada','tag','20261122-054719-f5ca7d','"June": release','203894f012e120d1a62977e82934ed1d829a01f3f1c9706a09a81e66115d3267');
CREATE TABLE bertscores (
            model TEXT NOT NULL,
            pair BLOB NOT NULL,
            bertscore REAL NOT NULL,
            PRIMARY KEY (model, pair)
        ) WITHOUT ROWID
        ;
INSERT INTO "bertscores" VALUES('model',X'00FF',0.1);
INSERT INTO "bertscores" VALUES('model',X'74776F',3.33333333333333314829e-01);
CREATE TABLE golden_datasets (
            golden_id TEXT PRIMARY KEY,
            questions INTEGER NOT NULL,
            created_at TEXT NOT NULL,
            checksum TEXT NOT NULL
        );
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-22T05:47:19.797694+00:00','1803ed781eafd86aafa820d2ec2a5fe2be6c7bfd4ba6689423f02d438f4eed4c');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-22T05:47:20.137447+00:00','5b1ee79d69fc6e1bc80cf36944e294702e4b9582c86e40d6b9245988d5b557f5');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-22T05:47:20.137447+00:00','Ada','a short form',9);
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
INSERT INTO "grades" VALUES('20261122-054719-f5ca7d','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-22T05:47:20.081299+00:00',8);
CREATE TABLE judges (
            judge TEXT PRIMARY KEY,
            model TEXT NOT NULL,
            description TEXT NOT NULL,
            first_used_at TEXT NOT NULL
        );
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-22T05:47:20.081299+00:00');
CREATE TABLE labels (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            question_id TEXT NOT NULL,
            pipeline TEXT NOT NULL,
            label TEXT NOT NULL,
            labelled_by TEXT NOT NULL,
            labelled_at TEXT NOT NULL
        , deed INTEGER);
INSERT INTO "labels" VALUES(1,'20261122-054719-f5ca7d','1','A','correct','Ada','2026-11-22T05:47:19.973045+00:00',4);
INSERT INTO "labels" VALUES(2,'20261122-054719-f5ca7d','1','A','incorrect','Bo','2026-11-22T05:47:20.001079+00:00',5);
CREATE TABLE mapping_profiles (
            name TEXT PRIMARY KEY,
            role TEXT NOT NULL,
            columns TEXT NOT NULL,
            mapping TEXT NOT NULL,
            saved_by TEXT,
            saved_at TEXT NOT NULL,
            deed INTEGER NOT NULL
        );
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-22T05:47:20.220764+00:00',12);
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-22T05:47:19.761147+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-22T05:47:19.762918+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-22T05:47:19.763379+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-22T05:47:19.763691+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-22T05:47:19.764056+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-22T05:47:19.767983+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-22T05:47:19.768341+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-22T05:47:19.768879+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-22T05:47:19.769907+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-22T05:47:19.770207+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-22T05:47:19.770518+00:00');
CREATE TABLE policies (
            number INTEGER PRIMARY KEY,
            policy TEXT NOT NULL,
            set_at TEXT NOT NULL
        );
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-22T05:47:20.196792+00:00');
CREATE TABLE rejections (
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            question_id TEXT NOT NULL,
            rule TEXT NOT NULL,
            proposed TEXT NOT NULL,
            rejected_by TEXT NOT NULL,
            rejected_at TEXT NOT NULL,
            PRIMARY KEY (line, question_id, rule, proposed)
        );
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-22T05:47:20.173055+00:00');
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
        );
INSERT INTO "run_records" VALUES('20261122-054719-f5ca7d','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "run_records" VALUES('20261122-054719-e3c58e',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261122-054719-f5ca7d','June','2026-11-22T05:47:19.797694+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.5, "open_below": 0.85}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261122-054719-e3c58e','July','2026-11-22T05:47:19.872826+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.5, "open_below": 0.85}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
CREATE TABLE verifications (
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            verified_at TEXT NOT NULL,
            version TEXT NOT NULL,
            compared INTEGER NOT NULL,
            differences INTEGER NOT NULL
        , deed INTEGER);
INSERT INTO "verifications" VALUES('20261122-054719-f5ca7d','2026-03-01T00:00:00+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',3);
COMMIT;
