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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-21T15:39:39.991028+00:00','1803ed781eafd86aafa820d2ec2a5fe2be6c7bfd4ba6689423f02d438f4eed4c');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-21T15:39:40.300168+00:00','5b1ee79d69fc6e1bc80cf36944e294702e4b9582c86e40d6b9245988d5b557f5');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-21T15:39:40.300168+00:00','Ada','a short form');
CREATE TABLE labels (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            question_id TEXT NOT NULL,
            pipeline TEXT NOT NULL,
            label TEXT NOT NULL,
            labelled_by TEXT NOT NULL,
            labelled_at TEXT NOT NULL
        );
INSERT INTO "labels" VALUES(1,'20261121-153939-d02d96','1','A','correct','Ada','2026-11-21T15:39:40.182180+00:00');
INSERT INTO "labels" VALUES(2,'20261121-153939-d02d96','1','A','incorrect','Bo','2026-11-21T15:39:40.210321+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-21T15:39:39.972218+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-21T15:39:39.973463+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-21T15:39:39.973714+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-21T15:39:39.973910+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-21T15:39:39.974163+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-21T15:39:39.974499+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-21T15:39:39.974729+00:00');
CREATE TABLE policies (
            number INTEGER PRIMARY KEY,
            policy TEXT NOT NULL,
            set_at TEXT NOT NULL
        );
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-21T15:39:40.337299+00:00');
CREATE TABLE rejections (
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            question_id TEXT NOT NULL,
            rule TEXT NOT NULL,
            proposed TEXT NOT NULL,
            rejected_by TEXT NOT NULL,
            rejected_at TEXT NOT NULL,
            PRIMARY KEY (line, question_id, rule, proposed)
        );
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-21T15:39:40.321527+00:00');
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
INSERT INTO "runs" VALUES('20261121-153939-d02d96','June','2026-11-21T15:39:39.991028+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177');
INSERT INTO "runs" VALUES('20261121-153940-48203c','July','2026-11-21T15:39:40.090141+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177');
CREATE TABLE verifications (
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            verified_at TEXT NOT NULL,
            version TEXT NOT NULL,
            compared INTEGER NOT NULL,
            differences INTEGER NOT NULL
        );
INSERT INTO "verifications" VALUES('20261121-153939-d02d96','2026-03-01T00:00:00+00:00','1.2.3',7,1);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',3);
COMMIT;
