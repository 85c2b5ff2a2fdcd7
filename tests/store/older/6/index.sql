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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-21T15:39:36.246183+00:00','abb5d11a60c3ac08e6dc9912ab6fa817aff63dac47df5ac18d6bb08710ab1090');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-21T15:39:36.706689+00:00','992425b08e9632bfcea0fd5c2e1afd1ae77f6a76dc26e566685246073b696494');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-21T15:39:36.706689+00:00','Ada','a short form');
CREATE TABLE labels (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            question_id TEXT NOT NULL,
            pipeline TEXT NOT NULL,
            label TEXT NOT NULL,
            labelled_by TEXT NOT NULL,
            labelled_at TEXT NOT NULL
        );
INSERT INTO "labels" VALUES(1,'20261121-153936-981627','1','A','correct','Ada','2026-11-21T15:39:36.437596+00:00');
INSERT INTO "labels" VALUES(2,'20261121-153936-981627','1','A','incorrect','Bo','2026-11-21T15:39:36.457740+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-21T15:39:36.227473+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-21T15:39:36.228790+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-21T15:39:36.229011+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-21T15:39:36.230193+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-21T15:39:36.230466+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-21T15:39:36.230807+00:00');
CREATE TABLE rejections (
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            question_id TEXT NOT NULL,
            rule TEXT NOT NULL,
            proposed TEXT NOT NULL,
            rejected_by TEXT NOT NULL,
            rejected_at TEXT NOT NULL,
            PRIMARY KEY (line, question_id, rule, proposed)
        );
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-21T15:39:36.814070+00:00');
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
INSERT INTO "runs" VALUES('20261121-153936-981627','June','2026-11-21T15:39:36.246183+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177');
INSERT INTO "runs" VALUES('20261121-153936-7b113d','July','2026-11-21T15:39:36.297300+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177');
CREATE TABLE verifications (
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            verified_at TEXT NOT NULL,
            version TEXT NOT NULL,
            compared INTEGER NOT NULL,
            differences INTEGER NOT NULL
        );
INSERT INTO "verifications" VALUES('20261121-153936-981627','2026-03-01T00:00:00+00:00','1.2.3',7,1);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',3);
COMMIT;
