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
INSERT INTO "audit" VALUES(1,'2026-11-22T05:32:07.010893+00:00',NULL,'import','20261122-053206-f76569','"June", 5 responses','5857185e6188f0f1729e3c35e62e4d4d898fcfa3435bdad9688672c12789da56');
INSERT INTO "audit" VALUES(2,'2026-11-22T05:32:07.047071+00:00',NULL,'import','20261122-053207-721a92','"July", 5 responses','f57e068f6245d23d741848925c0b2b6acf21f3f6bbde78449635443babbf22aa');
INSERT INTO "audit" VALUES(3,'2026-11-22T05:32:07.066414+00:00',NULL,'verify','20261122-053206-f76569','7 responses, 1 differences','836b50e0998b9088c292c6b34ea8e70ad52882c4de3dafc81207363d9b15713c');
INSERT INTO "audit" VALUES(4,'2026-11-22T05:32:07.091908+00:00','Ada','label','20261122-053206-f76569','1, A: correct','a495ede339feaa3c908341e219ad26faed3bd723346dcef7e93335ba208042c9');
INSERT INTO "audit" VALUES(5,'2026-11-22T05:32:07.111294+00:00','Bo','label','20261122-053206-f76569','1, A: incorrect','4fbf105942f624c3b3856e3a36be5a64ae6ad061407c3651cea5a7e437ca9157');
INSERT INTO "audit" VALUES(6,'2026-11-22T05:32:07.131167+00:00','Ada','label','20261122-053206-f76569','1, A: declined','032b1c232b90faff88f3cd194179b1b1fbf8bc02aac2656d00025e3d56b8cb30');
INSERT INTO "audit" VALUES(7,'2026-11-22T05:32:07.148119+00:00','Ada','label taken back','20261122-053206-f76569','1, A: declined','2dfebfa6c295077a9dda66e77e7da06ddb2478247962b6bba2c4d47f203f6884');
INSERT INTO "audit" VALUES(8,'2026-11-22T05:32:07.193792+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','ea25836b721a54700bd7dfc3f8d76d7ec88c98e6649603b1e9665c1ccf2ab060');
INSERT INTO "audit" VALUES(9,'2026-11-22T05:32:07.227364+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','d7c3241952f361910e543cc83bd2053dd39b7c6a55cccf0ae0ce87b912c929bc');
INSERT INTO "audit" VALUES(10,'2026-11-22T05:32:07.242217+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','551445665f944d522da886f3a821dabcbc457c7f70555c6ba23356345136f5f7');
INSERT INTO "audit" VALUES(11,'2026-11-22T05:32:07.258140+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','84516aceff7593ba9cc7fcaccf44a806c2f48d43bd3d8bd7fd4f09095caada5b');
INSERT INTO "audit" VALUES(12,'2026-11-22T05:32:07.277638+00:00','Ada','owner','20261122-053206-f76569','"June": Ada','710ba0aabc7ae80df34f1f6378e12e1512528260fa92669ed1da267a9e9820d8');
INSERT INTO "audit" VALUES(13,'2026-11-22T05:32:07.278407+00:00','Ada','note','20261122-053206-f76569','"June": two lines','f44860caad5c12d95d019b76e4a1a7c3dcebdb3cab4ff0a415508ecf35240723');
INSERT INTO "audit" VALUES(14,'2026-11-22T05:32:07.278976+00:00','Ada','tag','20261122-053206-f76569','"June": release','6b2d4ec685f4753fe0f6a49fd2a5f89910a775aa99c7dc95cb218dc9bed4ee72');
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-22T05:32:06.985314+00:00','1803ed781eafd86aafa820d2ec2a5fe2be6c7bfd4ba6689423f02d438f4eed4c');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-22T05:32:07.176871+00:00','5b1ee79d69fc6e1bc80cf36944e294702e4b9582c86e40d6b9245988d5b557f5');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-22T05:32:07.176871+00:00','Ada','a short form',8);
CREATE TABLE labels (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            question_id TEXT NOT NULL,
            pipeline TEXT NOT NULL,
            label TEXT NOT NULL,
            labelled_by TEXT NOT NULL,
            labelled_at TEXT NOT NULL
        , deed INTEGER);
INSERT INTO "labels" VALUES(1,'20261122-053206-f76569','1','A','correct','Ada','2026-11-22T05:32:07.085517+00:00',4);
INSERT INTO "labels" VALUES(2,'20261122-053206-f76569','1','A','incorrect','Bo','2026-11-22T05:32:07.108964+00:00',5);
CREATE TABLE mapping_profiles (
            name TEXT PRIMARY KEY,
            role TEXT NOT NULL,
            columns TEXT NOT NULL,
            mapping TEXT NOT NULL,
            saved_by TEXT,
            saved_at TEXT NOT NULL,
            deed INTEGER NOT NULL
        );
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-22T05:32:07.256779+00:00',11);
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-22T05:32:06.963667+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-22T05:32:06.964799+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-22T05:32:06.965047+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-22T05:32:06.965203+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-22T05:32:06.965395+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-22T05:32:06.965632+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-22T05:32:06.965734+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-22T05:32:06.965931+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-22T05:32:06.966435+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-22T05:32:06.966565+00:00');
CREATE TABLE policies (
            number INTEGER PRIMARY KEY,
            policy TEXT NOT NULL,
            set_at TEXT NOT NULL
        );
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-22T05:32:07.239406+00:00');
CREATE TABLE rejections (
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            question_id TEXT NOT NULL,
            rule TEXT NOT NULL,
            proposed TEXT NOT NULL,
            rejected_by TEXT NOT NULL,
            rejected_at TEXT NOT NULL,
            PRIMARY KEY (line, question_id, rule, proposed)
        );
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-22T05:32:07.225026+00:00');
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
INSERT INTO "run_records" VALUES('20261122-053206-f76569','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "run_records" VALUES('20261122-053207-721a92',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261122-053206-f76569','June','2026-11-22T05:32:06.985314+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.5, "open_below": 0.85}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261122-053207-721a92','July','2026-11-22T05:32:07.026767+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.5, "open_below": 0.85}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
CREATE TABLE verifications (
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            verified_at TEXT NOT NULL,
            version TEXT NOT NULL,
            compared INTEGER NOT NULL,
            differences INTEGER NOT NULL
        , deed INTEGER);
INSERT INTO "verifications" VALUES('20261122-053206-f76569','2026-03-01T00:00:00+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',3);
COMMIT;
