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
INSERT INTO "audit" VALUES(1,'2026-11-21T15:59:26.027023+00:00','Ada','import','20261121-155925-137cd0','"June", 5 responses','888288491a2ec12277f84633958ce0b9fd84425c4c86fdbc07a1ffc0bef5c80e');
INSERT INTO "audit" VALUES(2,'2026-11-21T15:59:26.066351+00:00',NULL,'import','20261121-155926-24324f','"July", 5 responses','5337f8bc6a8365e007b59bbb767afe7579355b1f2c86ce5275f226231da0e87b');
INSERT INTO "audit" VALUES(3,'2026-11-21T15:59:26.191058+00:00',NULL,'verify','20261121-155925-137cd0','7 responses, 1 differences','9f9d215e7b1b393cc863cee94ed7234e3391d0633ca1bf836dc6b29228af6560');
INSERT INTO "audit" VALUES(4,'2026-11-21T15:59:26.342666+00:00','Ada','label','20261121-155925-137cd0','1, A: correct','f661dab74e50d0316a645ee290ee3cf710aceb899bf4b2b9b89dad4ae8095093');
INSERT INTO "audit" VALUES(5,'2026-11-21T15:59:26.346453+00:00','Bo','label','20261121-155925-137cd0','1, A: incorrect','a16fe5de3fad61eb1d9272c5d3a2ee0fb967b928e7a2fccc69b8d112e62e8d97');
INSERT INTO "audit" VALUES(6,'2026-11-21T15:59:26.410502+00:00','Ada','label','20261121-155925-137cd0','1, A: declined','f29d4566512d3335336e1239c38cc875551ed633467a534820f22b065adb15c0');
INSERT INTO "audit" VALUES(7,'2026-11-21T15:59:26.414873+00:00','Ada','label taken back','20261121-155925-137cd0','1, A: declined','88e846697f38abc752bd4247fb7ede700cb625940792c4a2dccaf76c5c32b6dc');
INSERT INTO "audit" VALUES(8,'2026-11-21T15:59:26.470140+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','b0a7c4aa5695c249e0fb23be20bbed6fcdc94584e58f72d7472dfc205b316049');
INSERT INTO "audit" VALUES(9,'2026-11-21T15:59:26.560256+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','6cd0917ce2302be8e9f62443db3ba6e981ca88c71ceba4401ab99b3fae92bded');
INSERT INTO "audit" VALUES(10,'2026-11-21T15:59:26.586037+00:00','Ada','policy','policy','{"criteria": [], "note": "é"}','22cbdb5306d857cc1c390f241f0e57792d5690427ce73cae64d50ff28418b212');
INSERT INTO "audit" VALUES(11,'2026-11-21T15:59:26.639518+00:00','Ada','note','20261121-155925-137cd0','"June": two lines','7bf544c8f901f683aa766af829d404219ccdf222070c3eb0234d92853dd5d74c');
INSERT INTO "audit" VALUES(12,'2026-11-21T15:59:26.640654+00:00','Ada','tag','20261121-155925-137cd0','"June": release','148e9ac6b8692f90a28c2910c9420abd175726bcacf0cb2b84755e764f275925');
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-21T15:59:25.961525+00:00','1803ed781eafd86aafa820d2ec2a5fe2be6c7bfd4ba6689423f02d438f4eed4c');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-21T15:59:26.457555+00:00','5b1ee79d69fc6e1bc80cf36944e294702e4b9582c86e40d6b9245988d5b557f5');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-21T15:59:26.457555+00:00','Ada','a short form',8);
CREATE TABLE labels (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            question_id TEXT NOT NULL,
            pipeline TEXT NOT NULL,
            label TEXT NOT NULL,
            labelled_by TEXT NOT NULL,
            labelled_at TEXT NOT NULL
        , deed INTEGER);
INSERT INTO "labels" VALUES(1,'20261121-155925-137cd0','1','A','correct','Ada','2026-11-21T15:59:26.290388+00:00',4);
INSERT INTO "labels" VALUES(2,'20261121-155925-137cd0','1','A','incorrect','Bo','2026-11-21T15:59:26.345013+00:00',5);
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-21T15:59:25.920592+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-21T15:59:25.938500+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-21T15:59:25.938985+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-21T15:59:25.939221+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-21T15:59:25.939496+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-21T15:59:25.939856+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-21T15:59:25.940027+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-21T15:59:25.940390+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-21T15:59:25.949486+00:00');
CREATE TABLE policies (
            number INTEGER PRIMARY KEY,
            policy TEXT NOT NULL,
            set_at TEXT NOT NULL
        );
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-21T15:59:26.581693+00:00');
CREATE TABLE rejections (
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            question_id TEXT NOT NULL,
            rule TEXT NOT NULL,
            proposed TEXT NOT NULL,
            rejected_by TEXT NOT NULL,
            rejected_at TEXT NOT NULL,
            PRIMARY KEY (line, question_id, rule, proposed)
        );
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-21T15:59:26.552587+00:00');
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
INSERT INTO "run_records" VALUES('20261121-155925-137cd0','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,'{"files": [{"name": "g.csv", "sha256": "0000000000000000000000000000000000000000000000000000000000000000", "size": 1}], "mappings": {"g.csv": {"gold": "answer"}}, "versions": {"qaviz": "0"}, "rescored_from": null}');
INSERT INTO "run_records" VALUES('20261121-155926-24324f',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261121-155925-137cd0','June','2026-11-21T15:59:25.961525+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261121-155926-24324f','July','2026-11-21T15:59:26.034796+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
CREATE TABLE verifications (
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            verified_at TEXT NOT NULL,
            version TEXT NOT NULL,
            compared INTEGER NOT NULL,
            differences INTEGER NOT NULL
        , deed INTEGER);
INSERT INTO "verifications" VALUES('20261121-155925-137cd0','2026-03-01T00:00:00+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',3);
COMMIT;
