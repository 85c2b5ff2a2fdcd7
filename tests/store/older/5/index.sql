BEGIN TRANSACTION;
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-21T15:39:33.881579+00:00','abb5d11a60c3ac08e6dc9912ab6fa817aff63dac47df5ac18d6bb08710ab1090');
CREATE TABLE labels (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            question_id TEXT NOT NULL,
            pipeline TEXT NOT NULL,
            label TEXT NOT NULL,
            labelled_by TEXT NOT NULL,
            labelled_at TEXT NOT NULL
        );
INSERT INTO "labels" VALUES(1,'20261121-153933-2bd29b','1','A','correct','Ada','2026-11-21T15:39:33.940788+00:00');
INSERT INTO "labels" VALUES(2,'20261121-153933-2bd29b','1','A','incorrect','Bo','2026-11-21T15:39:33.967101+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-21T15:39:33.704801+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-21T15:39:33.862774+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-21T15:39:33.863076+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-21T15:39:33.863281+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-21T15:39:33.863539+00:00');
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
INSERT INTO "runs" VALUES('20261121-153933-2bd29b','June','2026-11-21T15:39:33.881579+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177');
INSERT INTO "runs" VALUES('20261121-153933-813018','July','2026-11-21T15:39:33.904477+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177');
CREATE TABLE verifications (
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            verified_at TEXT NOT NULL,
            version TEXT NOT NULL,
            compared INTEGER NOT NULL,
            differences INTEGER NOT NULL
        );
INSERT INTO "verifications" VALUES('20261121-153933-2bd29b','2026-03-01T00:00:00+00:00','1.2.3',7,1);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',3);
COMMIT;
