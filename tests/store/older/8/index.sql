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
INSERT INTO "audit" VALUES(1,'2026-11-21T15:39:41.967016+00:00',NULL,'import','20261121-153941-48e213','"June", 5 responses','35d8bcfd9d5e4e3d6f0aa0635a408270b6c2c23dd7b3de6961fb3a155aa779dc');
INSERT INTO "audit" VALUES(2,'2026-11-21T15:39:41.975398+00:00',NULL,'import','20261121-153941-023d65','"July", 5 responses','6772bfa6e46cd277241b11f184c35897310c6788e2b192f4e34d5f32aaf52a65');
INSERT INTO "audit" VALUES(3,'2026-11-21T15:39:41.978684+00:00',NULL,'verify','20261121-153941-48e213','7 responses, 1 differences','03e79439897ca353e7513098441f6677a86ca9ab36dcc83a7f0e91fe638d96ca');
INSERT INTO "audit" VALUES(4,'2026-11-21T15:39:41.984352+00:00','Ada','label','20261121-153941-48e213','1, A: correct','152e3abcc6e9bf37be00f5993d1f319bb4b1ca9258036c6bc0f0f5706b641caa');
INSERT INTO "audit" VALUES(5,'2026-11-21T15:39:41.986915+00:00','Bo','label','20261121-153941-48e213','1, A: incorrect','7b21e6aac8f30c812e05be888571e7bef21be1bda710f5bec96c0f29f1905713');
INSERT INTO "audit" VALUES(6,'2026-11-21T15:39:41.989284+00:00','Ada','label','20261121-153941-48e213','1, A: declined','fecb615af8be45ae8ea9d8d4207be1a3c6368c5ed256f37a86ed487da9bea96e');
INSERT INTO "audit" VALUES(7,'2026-11-21T15:39:41.992453+00:00','Ada','label taken back','20261121-153941-48e213','1, A: declined','d97a63fcdea9b4d0c9ad2003f12eff96f79665cbdddb7e55aa7dc09e7e5cc984');
INSERT INTO "audit" VALUES(8,'2026-11-21T15:39:42.258719+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','25efc78b44dbab126cbd12858e84fe5b27955cd3bc2d0d3e4a1d66bd50fd2ad2');
INSERT INTO "audit" VALUES(9,'2026-11-21T15:39:42.262438+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','129693c328e05fb7a584f4f7a57c6d26495caf50fa8e0811d8d26cda2f166ac9');
INSERT INTO "audit" VALUES(10,'2026-11-21T15:39:42.265008+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','5e02c5838f5821b0bd74ce3c702969eae4c52d1a3d165521df18e5e90f11b11b');
INSERT INTO "audit" VALUES(11,'2026-11-21T15:39:42.268757+00:00','Ada','owner','20261121-153941-48e213','"June": Ada','c21eb02494b8f5eaa08ba97fd897a3910e5a09f196b194aef0352e846dee1586');
INSERT INTO "audit" VALUES(12,'2026-11-21T15:39:42.269375+00:00','Ada','note','20261121-153941-48e213','"June": two lines','a1ffe83bc1c696bc9eebe3ef7bc0f711e90580d9868a5cb30f2044597c850365');
INSERT INTO "audit" VALUES(13,'2026-11-21T15:39:42.269931+00:00','Ada','tag','20261121-153941-48e213','"June": release','e4fca7cc9156aee14e91744fa22726f12f9e1be4afb4a2514b94a5f0e2d94610');
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-21T15:39:41.953945+00:00','1803ed781eafd86aafa820d2ec2a5fe2be6c7bfd4ba6689423f02d438f4eed4c');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-21T15:39:42.001917+00:00','5b1ee79d69fc6e1bc80cf36944e294702e4b9582c86e40d6b9245988d5b557f5');
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
            why TEXT NOT NULL,
            PRIMARY KEY (line, number)
        );
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-21T15:39:42.001917+00:00','Ada','a short form');
CREATE TABLE labels (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            question_id TEXT NOT NULL,
            pipeline TEXT NOT NULL,
            label TEXT NOT NULL,
            labelled_by TEXT NOT NULL,
            labelled_at TEXT NOT NULL
        );
INSERT INTO "labels" VALUES(1,'20261121-153941-48e213','1','A','correct','Ada','2026-11-21T15:39:41.982979+00:00');
INSERT INTO "labels" VALUES(2,'20261121-153941-48e213','1','A','incorrect','Bo','2026-11-21T15:39:41.985958+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-21T15:39:41.943088+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-21T15:39:41.944232+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-21T15:39:41.944477+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-21T15:39:41.944759+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-21T15:39:41.945087+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-21T15:39:41.945604+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-21T15:39:41.945798+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-21T15:39:41.946084+00:00');
CREATE TABLE policies (
            number INTEGER PRIMARY KEY,
            policy TEXT NOT NULL,
            set_at TEXT NOT NULL
        );
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-21T15:39:42.263857+00:00');
CREATE TABLE rejections (
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            question_id TEXT NOT NULL,
            rule TEXT NOT NULL,
            proposed TEXT NOT NULL,
            rejected_by TEXT NOT NULL,
            rejected_at TEXT NOT NULL,
            PRIMARY KEY (line, question_id, rule, proposed)
        );
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-21T15:39:42.260893+00:00');
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
INSERT INTO "run_records" VALUES('20261121-153941-48e213','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "run_records" VALUES('20261121-153941-023d65',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL);
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
        );
INSERT INTO "runs" VALUES('20261121-153941-48e213','June','2026-11-21T15:39:41.953945+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177');
INSERT INTO "runs" VALUES('20261121-153941-023d65','July','2026-11-21T15:39:41.969108+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177');
CREATE TABLE verifications (
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            verified_at TEXT NOT NULL,
            version TEXT NOT NULL,
            compared INTEGER NOT NULL,
            differences INTEGER NOT NULL
        );
INSERT INTO "verifications" VALUES('20261121-153941-48e213','2026-03-01T00:00:00+00:00','1.2.3',7,1);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',3);
COMMIT;
