BEGIN TRANSACTION;
CREATE TABLE accounts (
        name TEXT PRIMARY KEY,
        password TEXT NOT NULL,
        made_at TEXT NOT NULL
    );
INSERT INTO "accounts" VALUES('ada','hash of a password','2026-11-22T09:04:34.917767+00:00');
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
INSERT INTO "api_tokens" VALUES('efb74754baac','8c29e056d2faa96fe7167691901ec2b86bf106e2d756ba3355f7490b53c0c25f','ci','token:efb74754baac','editor','alpha','2026-11-22T09:04:34.928356+00:00','2026-12-22T09:04:34.928356+00:00',NULL);
CREATE TABLE audit (
            number INTEGER PRIMARY KEY,
            at TEXT NOT NULL,
            who TEXT,
            what TEXT NOT NULL,
            about TEXT NOT NULL,
            detail TEXT NOT NULL,
            hash TEXT NOT NULL
        , subject TEXT);
INSERT INTO "audit" VALUES(1,'2026-11-22T09:04:33.905875+00:00',NULL,'import','20261122-090433-b44057','"June", 5 responses','ba91cf67dd1969b5529b2efaccc6d6f9ad63d9cfd0d6026676e3f971c814d1f4',NULL);
INSERT INTO "audit" VALUES(2,'2026-11-22T09:04:34.007618+00:00',NULL,'import','20261122-090433-258eea','"July", 5 responses','e8be2d35d1407c706fa1a1358bb40073c5af931267554726611a635177067fe1',NULL);
INSERT INTO "audit" VALUES(3,'2026-11-22T09:04:34.031363+00:00',NULL,'verify','20261122-090433-b44057','7 responses, 1 differences','5e44377f952bd4eb978684d736664419d82738d7d9de7df8118c77cccefcfcdc',NULL);
INSERT INTO "audit" VALUES(4,'2026-11-22T09:04:34.130179+00:00','Ada','label','20261122-090433-b44057','1, A: correct','29145c0497ca3fdaa499e2f9ad7bec3af675092e185b1d4bc7f1c34d8cd73701',NULL);
INSERT INTO "audit" VALUES(5,'2026-11-22T09:04:34.231087+00:00','Bo','label','20261122-090433-b44057','1, A: incorrect','c292ae50310e55dd4d7e4d727f437e204fc8220a45dba04192756b8b28461cb8',NULL);
INSERT INTO "audit" VALUES(6,'2026-11-22T09:04:34.273706+00:00','Ada','label','20261122-090433-b44057','1, A: declined','7339aa3eba54973dd73bcdd171fa15b7c32655538fd126bff69e3f1e9caee0b5',NULL);
INSERT INTO "audit" VALUES(7,'2026-11-22T09:04:34.284280+00:00','Cy','label','20261122-090433-b44057','1, A: correct','99730dfe878bfb4e2015a89d19240ec8dcbd2d9f55539cc0b0ef549b9e6f0876',NULL);
INSERT INTO "audit" VALUES(8,'2026-11-22T09:04:34.291062+00:00','Ada','label taken back','20261122-090433-b44057','1, A: declined','1fdfc38c2dccbaae1ae14f8650a9a3d4007d83bacd0b9bd694230e0132184d64',NULL);
INSERT INTO "audit" VALUES(9,'2026-11-22T09:04:34.383262+00:00',NULL,'judge','20261122-090433-b44057','openai:m, 1 responses','3a126e9a5e9669a68512b052e7dd30557f8b247da38c7cab510231003b4f5996',NULL);
INSERT INTO "audit" VALUES(10,'2026-11-22T09:04:34.418619+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','b9e993528609e36851e7526803f22db538747276a3bd95ecd208921ac66e72af',NULL);
INSERT INTO "audit" VALUES(11,'2026-11-22T09:04:34.430449+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','02f9544cf218277b98bdde48322448d61bcae63d047dac2426a95435c19a18c9',NULL);
INSERT INTO "audit" VALUES(12,'2026-11-22T09:04:34.444455+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','db3caa2b89350e5d84486648e512543350d64cc23167b730403f2c819de54289',NULL);
INSERT INTO "audit" VALUES(13,'2026-11-22T09:04:34.449435+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','02f1a57755f15f167427fe7897ea123e64435f0b57f613db38f93cc1d422dc8d',NULL);
INSERT INTO "audit" VALUES(14,'2026-11-22T09:04:34.486342+00:00','Ada','generate','5b6bee51b7a92429','"generated é", 1 triplets','6a668033cae9024116fce6031726962a85b13d2c3dca96f017c80dc914846bdd',NULL);
INSERT INTO "audit" VALUES(15,'2026-11-22T09:04:34.496010+00:00','Ada','risk','d1fe840f7ebae988','medium (major, possible): é','43ec16af880ed3e1324770f7e4291bffcde9787cbe5413b164a5e557f3c31ba6',NULL);
INSERT INTO "audit" VALUES(16,'2026-11-22T09:04:34.499852+00:00','Lea','review','d1fe840f7ebae988','session 570c7844ef61, high, 3 of 10 at random','0b49acd26c872dfe2b21af350716e3362cfe462151c64b09e66ac666a865d477',NULL);
INSERT INTO "audit" VALUES(17,'2026-11-22T09:04:34.522173+00:00','Ada','review','d1fe840f7ebae988','q0: accept (tone)','b6741df33bdbf0d9bc802e68a131d61286961023f24d23cbb6e2c89e2ade8b07',NULL);
INSERT INTO "audit" VALUES(18,'2026-11-22T09:04:34.532851+00:00','Ada','review','d1fe840f7ebae988','q1: delete (tone)','ab428eb287b10ff1119e52098527b6238d025fd1b7d90d866eb97c9b6caff1db',NULL);
INSERT INTO "audit" VALUES(19,'2026-11-22T09:04:34.557157+00:00','Bo','adjudicate','d1fe840f7ebae988','q0: accept','4e35f78a7feaee1db5d6769f5bbae2807f25110c7bd3a1d4de489608b9ec52ae',NULL);
INSERT INTO "audit" VALUES(20,'2026-11-22T09:04:34.564299+00:00','Ada','view saved','20261122-090433-b44057','"wrong é", Diagnostics','1c7f3b44b2191095bf44f559abfc29106db8930cbc177f7348bde1f210d5ff00',NULL);
INSERT INTO "audit" VALUES(21,'2026-11-22T09:04:34.901269+00:00','Ada','owner','20261122-090433-b44057','"June": Ada','0ad6be69b3a04e26d0856d67e730979b84a5ae05e938fbafc5d599afc98434fa',NULL);
INSERT INTO "audit" VALUES(22,'2026-11-22T09:04:34.902180+00:00','Ada','note','20261122-090433-b44057','"June": two lines','3df2d3fd8f95f055603cf9e4576ef75c6dff3269d42c1350029e1eda9f14d1ac',NULL);
INSERT INTO "audit" VALUES(23,'2026-11-22T09:04:34.902927+00:00','Ada','tag','20261122-090433-b44057','"June": release','d44c56faabc4fad06d7ad4d3db3d21f83bab545cd6fe9ef5724462a4c5f080a4',NULL);
INSERT INTO "audit" VALUES(24,'2026-11-22T09:04:34.905864+00:00','Ada','project','alpha','made','d82871be2a2fd2b540b893ac10f0d709f571f504518551c21d7c0f8e924abcb1',NULL);
INSERT INTO "audit" VALUES(25,'2026-11-22T09:04:34.911932+00:00','Ada','project','20261122-090433-b44057','"June" moved into the project alpha','b96a10b1672a17c0374ba0fd4c1298f8c12f6e4a78379a9c09c2c0628f78efb2',NULL);
INSERT INTO "audit" VALUES(26,'2026-11-22T09:04:34.919108+00:00','Ada','account','ada','added','a6a2a7ba3e6c5b2b03cce5c7b92fd67727f8d9d0b429a8f79e0e29e3ea63651c',NULL);
INSERT INTO "audit" VALUES(27,'2026-11-22T09:04:34.926843+00:00','Ada','member','','ada is owner','f592cfe557572d326a8daf74e04f7ec7783c95dba0fa7bf4c05fcd453ff0115c',NULL);
INSERT INTO "audit" VALUES(28,'2026-11-22T09:04:34.930300+00:00','Ada','member','alpha','token:efb74754baac is editor','0d56e96fd9b9f8819b65e717f50392e26a2e5659a27eea85aa750d8bd37492f8',NULL);
INSERT INTO "audit" VALUES(29,'2026-11-22T09:04:34.934558+00:00','Ada','token','alpha','"ci", editor, made for 30 days','e0f1fbddc2e18848524170cd2323351e6f9357c4ec1c7fec31a1923e3cc33df3',NULL);
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-22T09:04:33.545981+00:00','1803ed781eafd86aafa820d2ec2a5fe2be6c7bfd4ba6689423f02d438f4eed4c');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-22T09:04:34.400880+00:00','5b1ee79d69fc6e1bc80cf36944e294702e4b9582c86e40d6b9245988d5b557f5');
INSERT INTO "golden_datasets" VALUES('5b6bee51b7a92429',1,'2026-11-22T09:04:34.454501+00:00','1dcd929de099612688ecad2006867fb3a287d16bc39b55b3e48b4c69db822b3f');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-22T09:04:34.400880+00:00','Ada','a short form',10);
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
INSERT INTO "grades" VALUES('20261122-090433-b44057','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-22T09:04:34.376911+00:00',9);
CREATE TABLE judges (
            judge TEXT PRIMARY KEY,
            model TEXT NOT NULL,
            description TEXT NOT NULL,
            first_used_at TEXT NOT NULL
        );
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-22T09:04:34.376911+00:00');
CREATE TABLE labels (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            question_id TEXT NOT NULL,
            pipeline TEXT NOT NULL,
            label TEXT NOT NULL,
            labelled_by TEXT NOT NULL,
            labelled_at TEXT NOT NULL
        , deed INTEGER, comment TEXT, drawn BOOLEAN);
INSERT INTO "labels" VALUES(1,'20261122-090433-b44057','1','A','correct','Ada','2026-11-22T09:04:34.123480+00:00',4,NULL,NULL);
INSERT INTO "labels" VALUES(2,'20261122-090433-b44057','1','A','incorrect','Bo','2026-11-22T09:04:34.160870+00:00',5,NULL,NULL);
INSERT INTO "labels" VALUES(4,'20261122-090433-b44057','1','A','correct','Cy','2026-11-22T09:04:34.281290+00:00',7,'é
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
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-22T09:04:34.446810+00:00',13);
CREATE TABLE members (
        project TEXT NOT NULL,
        subject TEXT NOT NULL,
        role TEXT NOT NULL,
        given_at TEXT NOT NULL,
        PRIMARY KEY (project, subject)
    );
INSERT INTO "members" VALUES('','ada','owner','2026-11-22T09:04:34.926264+00:00');
INSERT INTO "members" VALUES('alpha','token:efb74754baac','editor','2026-11-22T09:04:34.930035+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-22T09:04:33.522558+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-22T09:04:33.528449+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-22T09:04:33.529542+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-22T09:04:33.529794+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-22T09:04:33.530002+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-22T09:04:33.530261+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-22T09:04:33.530374+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-22T09:04:33.530570+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-22T09:04:33.531070+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-22T09:04:33.531199+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-22T09:04:33.532006+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-22T09:04:33.532211+00:00');
INSERT INTO "migrations" VALUES(13,'2026-11-22T09:04:33.533311+00:00');
INSERT INTO "migrations" VALUES(14,'2026-11-22T09:04:33.533838+00:00');
INSERT INTO "migrations" VALUES(15,'2026-11-22T09:04:33.534541+00:00');
CREATE TABLE named_datasets (
            name TEXT PRIMARY KEY,
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            made_at TEXT NOT NULL
        );
INSERT INTO "named_datasets" VALUES('generated é','5b6bee51b7a92429','2026-11-22T09:04:34.454501+00:00');
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
INSERT INTO "passages" VALUES('5b6bee51b7a92429','1','c','a.md','d',NULL,NULL,0,9,'é','the text','list','openai:m','p',NULL,NULL,1,'2026-11-22T09:04:34.454501+00:00');
CREATE TABLE policies (
            number INTEGER PRIMARY KEY,
            policy TEXT NOT NULL,
            set_at TEXT NOT NULL
        );
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-22T09:04:34.443552+00:00');
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
INSERT INTO "projects" VALUES('alpha','2026-11-22T09:04:34.905326+00:00');
CREATE TABLE rejections (
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            question_id TEXT NOT NULL,
            rule TEXT NOT NULL,
            proposed TEXT NOT NULL,
            rejected_by TEXT NOT NULL,
            rejected_at TEXT NOT NULL,
            PRIMARY KEY (line, question_id, rule, proposed)
        );
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-22T09:04:34.426428+00:00');
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
INSERT INTO "review_decisions" VALUES(1,'570c7844ef61',0,'Ada',0,'accept','["tone"]','',NULL,NULL,NULL,NULL,'t0','c','2026-11-22T09:04:34.519307+00:00',NULL,NULL,NULL,17);
INSERT INTO "review_decisions" VALUES(2,'570c7844ef61',1,'Ada',0,'delete','["tone"]','',NULL,NULL,NULL,NULL,'t1','c','2026-11-22T09:04:34.531334+00:00',NULL,NULL,NULL,18);
INSERT INTO "review_decisions" VALUES(3,'570c7844ef61',0,'Bo',1,'accept','[]','fine',NULL,NULL,NULL,NULL,'t0','c','2026-11-22T09:04:34.555020+00:00',NULL,NULL,NULL,19);
CREATE TABLE review_flags (
        session TEXT NOT NULL REFERENCES review_sessions (session),
        question_id TEXT NOT NULL,
        source TEXT NOT NULL,
        detail TEXT NOT NULL,
        PRIMARY KEY (session, question_id, source)
    );
INSERT INTO "review_flags" VALUES('570c7844ef61','q0','judge','hallucinated');
INSERT INTO "review_flags" VALUES('570c7844ef61','q0','lint','blank-answer');
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
INSERT INTO "review_items" VALUES('570c7844ef61',0,0.0,'q0','random',NULL,'t0','c','a.md');
INSERT INTO "review_items" VALUES('570c7844ef61',1,1.0,'q1','random',NULL,'t1','c','a.md');
INSERT INTO "review_items" VALUES('570c7844ef61',2,2.0,'q2','random',NULL,'t2','c','a.md');
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
INSERT INTO "review_leases" VALUES('570c7844ef61',2,'Cy','2026-11-22T09:04:34.535616+00:00','2026-11-22T09:34:34.535616+00:00','{}');
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
INSERT INTO "review_sessions" VALUES('570c7844ef61','d1fe840f7ebae988','d1fe840f7ebae988','','high',10,0.01,0.95,3,0,1,'[]','["tone"]','Read the passage first.',1,'Lea','2026-05-01T00:00:00+00:00',NULL,16);
CREATE TABLE review_views (
        session TEXT NOT NULL,
        item INTEGER NOT NULL,
        viewer TEXT NOT NULL,
        PRIMARY KEY (session, item, viewer),
        FOREIGN KEY (session, item) REFERENCES review_items (session, item)
    );
INSERT INTO "review_views" VALUES('570c7844ef61',0,'Bo');
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
INSERT INTO "risks" VALUES(1,'d1fe840f7ebae988','','major','possible','medium','é','Ada','2026-11-22T09:04:34.495025+00:00',15);
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
INSERT INTO "run_records" VALUES('20261122-090433-b44057','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL,'alpha');
INSERT INTO "run_records" VALUES('20261122-090433-258eea',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261122-090433-b44057','June','2026-11-22T09:04:33.545981+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.4, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261122-090433-258eea','July','2026-11-22T09:04:33.921738+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.4, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
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
INSERT INTO "saved_views" VALUES('20261122-090433-b44057','wrong é','Diagnostics','{"verdict": ["incorrect"]}','Ada','2026-11-22T09:04:34.561548+00:00',20);
CREATE TABLE sign_ins (
        key TEXT PRIMARY KEY,
        subject TEXT NOT NULL,
        name TEXT NOT NULL,
        source TEXT NOT NULL,
        began_at TEXT NOT NULL,
        seen_at TEXT NOT NULL,
        expires_at TEXT NOT NULL
    );
INSERT INTO "sign_ins" VALUES('a17d4b9f3ba516250b25617a4ac7267ee7c7a8e88746a3de54b507b8fa8ec554','ada','Ada','accounts','2026-11-22T09:04:34.947994+00:00','2026-11-22T09:04:34.947994+00:00','2026-11-22T21:04:34.947994+00:00');
CREATE TABLE verifications (
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            verified_at TEXT NOT NULL,
            version TEXT NOT NULL,
            compared INTEGER NOT NULL,
            differences INTEGER NOT NULL
        , deed INTEGER);
INSERT INTO "verifications" VALUES('20261122-090433-b44057','2026-03-01T00:00:00+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item) WHERE ended_at IS NULL AND adjudicates;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',4);
INSERT INTO "sqlite_sequence" VALUES('review_decisions',3);
COMMIT;
