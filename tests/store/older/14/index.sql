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
INSERT INTO "audit" VALUES(1,'2026-11-22T08:49:02.772365+00:00',NULL,'import','20261122-084902-bb832c','"June", 5 responses','731d413310453aa16f4302e1feda6478a0fd956e71f952000a663eb36e998b83');
INSERT INTO "audit" VALUES(2,'2026-11-22T08:49:02.839699+00:00',NULL,'import','20261122-084902-76e849','"July", 5 responses','426472ff75e98a2dc58201ac0c7b38f07f7eaaaf5ed4a1e25137c65a6ae83d8a');
INSERT INTO "audit" VALUES(3,'2026-11-22T08:49:02.875625+00:00',NULL,'verify','20261122-084902-bb832c','7 responses, 1 differences','863f45122a9cca1f407bb0ffc620615fb2edc403e70828537ec956e26a725cbd');
INSERT INTO "audit" VALUES(4,'2026-11-22T08:49:03.003828+00:00','Ada','label','20261122-084902-bb832c','1, A: correct','93bda150539bf963310e901e0a6a2f90fc4e0298d9ec1ee853410dfb7c311560');
INSERT INTO "audit" VALUES(5,'2026-11-22T08:49:03.059576+00:00','Bo','label','20261122-084902-bb832c','1, A: incorrect','7eb7d2b09a85c4002ecd7f38b7b3d96c60fbe86325afded6eb23e9708a9a6fc3');
INSERT INTO "audit" VALUES(6,'2026-11-22T08:49:03.131288+00:00','Ada','label','20261122-084902-bb832c','1, A: declined','a611f1576f968353ad92ae1d321c8d011d679f57a9571942209fbbed330a1b9d');
INSERT INTO "audit" VALUES(7,'2026-11-22T08:49:03.249393+00:00','Cy','label','20261122-084902-bb832c','1, A: correct','238dbf0f945f74e1ff97bde9776f8f644d687ccaa0cd5a29efb5669120005aed');
INSERT INTO "audit" VALUES(8,'2026-11-22T08:49:03.355583+00:00','Ada','label taken back','20261122-084902-bb832c','1, A: declined','d8436f28cf0a7a179fb0ffc4cee15aff7f5a5bc2253d09f8a58577c746e54735');
INSERT INTO "audit" VALUES(9,'2026-11-22T08:49:03.739843+00:00',NULL,'judge','20261122-084902-bb832c','openai:m, 1 responses','6900456a6bb393ea57dd060820bb4761d4ab5378061df083c297223df5065d3f');
INSERT INTO "audit" VALUES(10,'2026-11-22T08:49:04.210013+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','999bae26b60163e50de4152e4401dfcd4da3f2cecdbc1493c54e9517188309fc');
INSERT INTO "audit" VALUES(11,'2026-11-22T08:49:04.335293+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','4953263b9207ba7b5b03f203626072ec9a5c6c9ba20b038cd167dd625d9cc59d');
INSERT INTO "audit" VALUES(12,'2026-11-22T08:49:04.459458+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','5187d6f51d486b31adf1ccd76b2b09445b1d606a0a00403b182d639deee1aa5e');
INSERT INTO "audit" VALUES(13,'2026-11-22T08:49:04.520830+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','5447353918611b937369964f26614038b9f7608afdcb695f8ed1c2b3ef8f8710');
INSERT INTO "audit" VALUES(14,'2026-11-22T08:49:04.694228+00:00','Ada','generate','5b6bee51b7a92429','"generated é", 1 triplets','7a251e9b72833b2e593179226a1d2a2bfd89eb908627787af4d59b10d4969868');
INSERT INTO "audit" VALUES(15,'2026-11-22T08:49:04.712017+00:00','Ada','risk','d1fe840f7ebae988','medium (major, possible): é','11a014d2732dd32cb2e706834f963f356bb2ec3feb33427334e2217df4afbbd2');
INSERT INTO "audit" VALUES(16,'2026-11-22T08:49:04.745136+00:00','Lea','review','d1fe840f7ebae988','session fcc91110b4ce, high, 3 of 10 at random','97e81d9a7c5bda49b3a2d205b26b01e1c1cf57bfa78a3b3ce90e54b48b7f0ba2');
INSERT INTO "audit" VALUES(17,'2026-11-22T08:49:04.983754+00:00','Ada','review','d1fe840f7ebae988','q0: accept (tone)','7a3c5394a19567f1c8a758203598711bf669bb5be4919827f1817528f0bfd808');
INSERT INTO "audit" VALUES(18,'2026-11-22T08:49:05.160334+00:00','Ada','review','d1fe840f7ebae988','q1: delete (tone)','471f4a454f743de7113b9c4a775cf0928469a96ddcf56a0a4dbea9347e8e5b4a');
INSERT INTO "audit" VALUES(19,'2026-11-22T08:49:05.419979+00:00','Bo','adjudicate','d1fe840f7ebae988','q0: accept','0be2862c9e14c6135d160dd0f8c7c1c75cd793dedb85862ed04bc99d234db3d0');
INSERT INTO "audit" VALUES(20,'2026-11-22T08:49:05.469529+00:00','Ada','view saved','20261122-084902-bb832c','"wrong é", Diagnostics','02d65f1381a6a258337fbe2ca158e0675cc3d65e59ff366362ea4750be16757e');
INSERT INTO "audit" VALUES(21,'2026-11-22T08:49:05.512082+00:00','Ada','owner','20261122-084902-bb832c','"June": Ada','e60deb9d8d3727a192319c5740270ae9bddf4d89fb6296beaaad3379743838ec');
INSERT INTO "audit" VALUES(22,'2026-11-22T08:49:05.525439+00:00','Ada','note','20261122-084902-bb832c','"June": two lines','5a698eb0eb3bc3554b787e05853719ebab95d168f1c166ebd6c067b26fe5fd1b');
INSERT INTO "audit" VALUES(23,'2026-11-22T08:49:05.526211+00:00','Ada','tag','20261122-084902-bb832c','"June": release','65745b77c79452d13be5ff2aa23d146fb39ee1eb18ceebdaa8cac0c56019571a');
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-22T08:49:02.637781+00:00','1803ed781eafd86aafa820d2ec2a5fe2be6c7bfd4ba6689423f02d438f4eed4c');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-22T08:49:04.011068+00:00','5b1ee79d69fc6e1bc80cf36944e294702e4b9582c86e40d6b9245988d5b557f5');
INSERT INTO "golden_datasets" VALUES('5b6bee51b7a92429',1,'2026-11-22T08:49:04.602904+00:00','1dcd929de099612688ecad2006867fb3a287d16bc39b55b3e48b4c69db822b3f');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-22T08:49:04.011068+00:00','Ada','a short form',10);
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
INSERT INTO "grades" VALUES('20261122-084902-bb832c','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-22T08:49:03.585614+00:00',9);
CREATE TABLE judges (
            judge TEXT PRIMARY KEY,
            model TEXT NOT NULL,
            description TEXT NOT NULL,
            first_used_at TEXT NOT NULL
        );
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-22T08:49:03.585614+00:00');
CREATE TABLE labels (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            question_id TEXT NOT NULL,
            pipeline TEXT NOT NULL,
            label TEXT NOT NULL,
            labelled_by TEXT NOT NULL,
            labelled_at TEXT NOT NULL
        , deed INTEGER, comment TEXT, drawn BOOLEAN);
INSERT INTO "labels" VALUES(1,'20261122-084902-bb832c','1','A','correct','Ada','2026-11-22T08:49:02.990534+00:00',4,NULL,NULL);
INSERT INTO "labels" VALUES(2,'20261122-084902-bb832c','1','A','incorrect','Bo','2026-11-22T08:49:03.057035+00:00',5,NULL,NULL);
INSERT INTO "labels" VALUES(4,'20261122-084902-bb832c','1','A','correct','Cy','2026-11-22T08:49:03.196246+00:00',7,'é
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
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-22T08:49:04.494087+00:00',13);
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-22T08:49:02.531179+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-22T08:49:02.545831+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-22T08:49:02.546330+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-22T08:49:02.546544+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-22T08:49:02.546751+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-22T08:49:02.547022+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-22T08:49:02.547133+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-22T08:49:02.548782+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-22T08:49:02.549406+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-22T08:49:02.549551+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-22T08:49:02.549715+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-22T08:49:02.549889+00:00');
INSERT INTO "migrations" VALUES(13,'2026-11-22T08:49:02.564547+00:00');
INSERT INTO "migrations" VALUES(14,'2026-11-22T08:49:02.565446+00:00');
CREATE TABLE named_datasets (
            name TEXT PRIMARY KEY,
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            made_at TEXT NOT NULL
        );
INSERT INTO "named_datasets" VALUES('generated é','5b6bee51b7a92429','2026-11-22T08:49:04.602904+00:00');
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
INSERT INTO "passages" VALUES('5b6bee51b7a92429','1','c','a.md','d',NULL,NULL,0,9,'é','the text','list','openai:m','p',NULL,NULL,1,'2026-11-22T08:49:04.602904+00:00');
CREATE TABLE policies (
            number INTEGER PRIMARY KEY,
            policy TEXT NOT NULL,
            set_at TEXT NOT NULL
        );
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-22T08:49:04.426624+00:00');
CREATE TABLE rejections (
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            question_id TEXT NOT NULL,
            rule TEXT NOT NULL,
            proposed TEXT NOT NULL,
            rejected_by TEXT NOT NULL,
            rejected_at TEXT NOT NULL,
            PRIMARY KEY (line, question_id, rule, proposed)
        );
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-22T08:49:04.283376+00:00');
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
INSERT INTO "review_decisions" VALUES(1,'fcc91110b4ce',0,'Ada',0,'accept','["tone"]','',NULL,NULL,NULL,NULL,'t0','c','2026-11-22T08:49:04.947514+00:00',NULL,NULL,NULL,17);
INSERT INTO "review_decisions" VALUES(2,'fcc91110b4ce',1,'Ada',0,'delete','["tone"]','',NULL,NULL,NULL,NULL,'t1','c','2026-11-22T08:49:05.157609+00:00',NULL,NULL,NULL,18);
INSERT INTO "review_decisions" VALUES(3,'fcc91110b4ce',0,'Bo',1,'accept','[]','fine',NULL,NULL,NULL,NULL,'t0','c','2026-11-22T08:49:05.399194+00:00',NULL,NULL,NULL,19);
CREATE TABLE review_flags (
        session TEXT NOT NULL REFERENCES review_sessions (session),
        question_id TEXT NOT NULL,
        source TEXT NOT NULL,
        detail TEXT NOT NULL,
        PRIMARY KEY (session, question_id, source)
    );
INSERT INTO "review_flags" VALUES('fcc91110b4ce','q0','judge','hallucinated');
INSERT INTO "review_flags" VALUES('fcc91110b4ce','q0','lint','blank-answer');
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
INSERT INTO "review_items" VALUES('fcc91110b4ce',0,0.0,'q0','random',NULL,'t0','c','a.md');
INSERT INTO "review_items" VALUES('fcc91110b4ce',1,1.0,'q1','random',NULL,'t1','c','a.md');
INSERT INTO "review_items" VALUES('fcc91110b4ce',2,2.0,'q2','random',NULL,'t2','c','a.md');
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
INSERT INTO "review_leases" VALUES('fcc91110b4ce',2,'Cy','2026-11-22T08:49:05.228027+00:00','2026-11-22T09:19:05.228027+00:00','{}');
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
INSERT INTO "review_sessions" VALUES('fcc91110b4ce','d1fe840f7ebae988','d1fe840f7ebae988','','high',10,0.01,0.95,3,0,1,'[]','["tone"]','Read the passage first.',1,'Lea','2026-05-01T00:00:00+00:00',NULL,16);
CREATE TABLE review_views (
        session TEXT NOT NULL,
        item INTEGER NOT NULL,
        viewer TEXT NOT NULL,
        PRIMARY KEY (session, item, viewer),
        FOREIGN KEY (session, item) REFERENCES review_items (session, item)
    );
INSERT INTO "review_views" VALUES('fcc91110b4ce',0,'Bo');
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
INSERT INTO "risks" VALUES(1,'d1fe840f7ebae988','','major','possible','medium','é','Ada','2026-11-22T08:49:04.709220+00:00',15);
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
INSERT INTO "run_records" VALUES('20261122-084902-bb832c','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "run_records" VALUES('20261122-084902-76e849',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261122-084902-bb832c','June','2026-11-22T08:49:02.637781+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.4, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261122-084902-76e849','July','2026-11-22T08:49:02.809674+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.4, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
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
INSERT INTO "saved_views" VALUES('20261122-084902-bb832c','wrong é','Diagnostics','{"verdict": ["incorrect"]}','Ada','2026-11-22T08:49:05.462720+00:00',20);
CREATE TABLE verifications (
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            verified_at TEXT NOT NULL,
            version TEXT NOT NULL,
            compared INTEGER NOT NULL,
            differences INTEGER NOT NULL
        , deed INTEGER);
INSERT INTO "verifications" VALUES('20261122-084902-bb832c','2026-03-01T00:00:00+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item) WHERE ended_at IS NULL AND adjudicates;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',4);
INSERT INTO "sqlite_sequence" VALUES('review_decisions',3);
COMMIT;
