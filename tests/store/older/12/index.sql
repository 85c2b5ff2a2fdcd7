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
INSERT INTO "audit" VALUES(1,'2026-11-22T06:25:16.128546+00:00',NULL,'import','20261122-062516-1ac90e','"June", 5 responses','8ee6dc413c9e11c060f6ddcd7567d313bd2630168b8a7a70a75f179ff4ca29bd');
INSERT INTO "audit" VALUES(2,'2026-11-22T06:25:16.156400+00:00',NULL,'import','20261122-062516-a52458','"July", 5 responses','5c65f915c13197fcd9a1968d51627dfc565260699125d571e360bd3b4e18461f');
INSERT INTO "audit" VALUES(3,'2026-11-22T06:25:16.163347+00:00',NULL,'verify','20261122-062516-1ac90e','7 responses, 1 differences','6f51b71fb11c711dbb25988282b71e078a869bc1a76895e1f4e75d10fde42137');
INSERT INTO "audit" VALUES(4,'2026-11-22T06:25:16.193296+00:00','Ada','label','20261122-062516-1ac90e','1, A: correct','e04165df144521281cd4e6ea08006b210452a238fa9ef4e8248278cafb60eaff');
INSERT INTO "audit" VALUES(5,'2026-11-22T06:25:16.211286+00:00','Bo','label','20261122-062516-1ac90e','1, A: incorrect','a8e197f4dbf37a630befec640065685ce418eab2a94032c287fd9a1bb74d9c52');
INSERT INTO "audit" VALUES(6,'2026-11-22T06:25:16.228974+00:00','Ada','label','20261122-062516-1ac90e','1, A: declined','e681f4aeece3ba003209edf76632fb4e0a6ab624901720a651853832a8cf3ea3');
INSERT INTO "audit" VALUES(7,'2026-11-22T06:25:16.239639+00:00','Ada','label taken back','20261122-062516-1ac90e','1, A: declined','e042091c687ad64ba342df1fc331247a28cb78d67901d80fd44aab3a9ef2c227');
INSERT INTO "audit" VALUES(8,'2026-11-22T06:25:16.262203+00:00',NULL,'judge','20261122-062516-1ac90e','openai:m, 1 responses','ed5666e9135298ab529efa057775da8d17713a91d414a963686b88d5dc585add');
INSERT INTO "audit" VALUES(9,'2026-11-22T06:25:16.306717+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','192f874db95b9e63d5dcba4d643a95481f16ad9484ab94e09f5a9826733ae5e6');
INSERT INTO "audit" VALUES(10,'2026-11-22T06:25:16.314761+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','37b45176c01536fec8d069fca55492eb6a863600187238b78f02c9f8b621bd67');
INSERT INTO "audit" VALUES(11,'2026-11-22T06:25:16.318609+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','40a798725bc79eeb198046c94573f650272a60eaf51e28498ed1c3464cb65f4f');
INSERT INTO "audit" VALUES(12,'2026-11-22T06:25:16.329036+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','fd59dc661f6932e0de86ff0d42edc8a0232cf117b91a30bf061ae332067b165b');
INSERT INTO "audit" VALUES(13,'2026-11-22T06:25:16.363505+00:00','Ada','generate','5b6bee51b7a92429','"generated é", 1 triplets','ee614e14a4baa6231f04d9254c3f737d5d65bd046fa2f1f0a3da181421be0416');
INSERT INTO "audit" VALUES(14,'2026-11-22T06:25:16.373711+00:00','Ada','owner','20261122-062516-1ac90e','"June": Ada','2cfda5f26242811e54df448d4eebca3651831137d560912dec79c5fbabd96360');
INSERT INTO "audit" VALUES(15,'2026-11-22T06:25:16.374286+00:00','Ada','note','20261122-062516-1ac90e','"June": two lines','95f7a6558d8a2219ee4da0772b6c5009796de3e23c597f695f14b4e08bbc9080');
INSERT INTO "audit" VALUES(16,'2026-11-22T06:25:16.374728+00:00','Ada','tag','20261122-062516-1ac90e','"June": release','29eb5b1c7043bccd0afd982d2782ca0ee06c21e9f9919480d55731b06097b771');
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-22T06:25:16.017482+00:00','1803ed781eafd86aafa820d2ec2a5fe2be6c7bfd4ba6689423f02d438f4eed4c');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-22T06:25:16.302079+00:00','5b1ee79d69fc6e1bc80cf36944e294702e4b9582c86e40d6b9245988d5b557f5');
INSERT INTO "golden_datasets" VALUES('5b6bee51b7a92429',1,'2026-11-22T06:25:16.357402+00:00','1dcd929de099612688ecad2006867fb3a287d16bc39b55b3e48b4c69db822b3f');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-22T06:25:16.302079+00:00','Ada','a short form',9);
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
INSERT INTO "grades" VALUES('20261122-062516-1ac90e','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-22T06:25:16.259086+00:00',8);
CREATE TABLE judges (
            judge TEXT PRIMARY KEY,
            model TEXT NOT NULL,
            description TEXT NOT NULL,
            first_used_at TEXT NOT NULL
        );
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-22T06:25:16.259086+00:00');
CREATE TABLE labels (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            question_id TEXT NOT NULL,
            pipeline TEXT NOT NULL,
            label TEXT NOT NULL,
            labelled_by TEXT NOT NULL,
            labelled_at TEXT NOT NULL
        , deed INTEGER);
INSERT INTO "labels" VALUES(1,'20261122-062516-1ac90e','1','A','correct','Ada','2026-11-22T06:25:16.191299+00:00',4);
INSERT INTO "labels" VALUES(2,'20261122-062516-1ac90e','1','A','incorrect','Bo','2026-11-22T06:25:16.209007+00:00',5);
CREATE TABLE mapping_profiles (
            name TEXT PRIMARY KEY,
            role TEXT NOT NULL,
            columns TEXT NOT NULL,
            mapping TEXT NOT NULL,
            saved_by TEXT,
            saved_at TEXT NOT NULL,
            deed INTEGER NOT NULL
        );
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-22T06:25:16.327852+00:00',12);
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-22T06:25:15.992455+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-22T06:25:15.993531+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-22T06:25:15.993748+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-22T06:25:15.993894+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-22T06:25:15.994078+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-22T06:25:15.994317+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-22T06:25:15.994418+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-22T06:25:15.994609+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-22T06:25:15.995088+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-22T06:25:15.995209+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-22T06:25:15.995360+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-22T06:25:15.995513+00:00');
CREATE TABLE named_datasets (
            name TEXT PRIMARY KEY,
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            made_at TEXT NOT NULL
        );
INSERT INTO "named_datasets" VALUES('generated é','5b6bee51b7a92429','2026-11-22T06:25:16.357402+00:00');
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
INSERT INTO "passages" VALUES('5b6bee51b7a92429','1','c','a.md','d',NULL,NULL,0,9,'é','the text','list','openai:m','p',NULL,NULL,1,'2026-11-22T06:25:16.357402+00:00');
CREATE TABLE policies (
            number INTEGER PRIMARY KEY,
            policy TEXT NOT NULL,
            set_at TEXT NOT NULL
        );
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-22T06:25:16.317321+00:00');
CREATE TABLE rejections (
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            question_id TEXT NOT NULL,
            rule TEXT NOT NULL,
            proposed TEXT NOT NULL,
            rejected_by TEXT NOT NULL,
            rejected_at TEXT NOT NULL,
            PRIMARY KEY (line, question_id, rule, proposed)
        );
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-22T06:25:16.312891+00:00');
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
INSERT INTO "run_records" VALUES('20261122-062516-1ac90e','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "run_records" VALUES('20261122-062516-a52458',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261122-062516-1ac90e','June','2026-11-22T06:25:16.017482+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.5, "open_below": 0.75}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261122-062516-a52458','July','2026-11-22T06:25:16.148735+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.5, "open_below": 0.75}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
CREATE TABLE verifications (
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            verified_at TEXT NOT NULL,
            version TEXT NOT NULL,
            compared INTEGER NOT NULL,
            differences INTEGER NOT NULL
        , deed INTEGER);
INSERT INTO "verifications" VALUES('20261122-062516-1ac90e','2026-03-01T00:00:00+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',3);
COMMIT;
