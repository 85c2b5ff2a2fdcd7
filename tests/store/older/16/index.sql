BEGIN TRANSACTION;
CREATE TABLE accounts (
        name TEXT PRIMARY KEY,
        password TEXT NOT NULL,
        made_at TEXT NOT NULL
    );
INSERT INTO "accounts" VALUES('ada','hash of a password','2026-11-22T12:31:16.569013+00:00');
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
INSERT INTO "api_tokens" VALUES('5a063e60a559','8e79d26848add5d868aca5895de5b76c08eede6ae87dd6c81822f092dd3ab45a','ci','token:5a063e60a559','editor','alpha','2026-11-22T12:31:16.592293+00:00','2026-12-22T12:31:16.592293+00:00',NULL);
CREATE TABLE audit (
            number INTEGER PRIMARY KEY,
            at TEXT NOT NULL,
            who TEXT,
            what TEXT NOT NULL,
            about TEXT NOT NULL,
            detail TEXT NOT NULL,
            hash TEXT NOT NULL
        , subject TEXT);
INSERT INTO "audit" VALUES(1,'2026-11-22T12:31:15.118131+00:00',NULL,'import','20261122-123115-6a59a4','"June", 5 responses','a3698d75f4cef0dda1ad1aec6d8e2ae53d78a8ca56eab38012f050080041a3c7',NULL);
INSERT INTO "audit" VALUES(2,'2026-11-22T12:31:15.179931+00:00',NULL,'import','20261122-123115-c96722','"July", 5 responses','23089cc4a788bc629a57383fd850694c6fd272f863cb2378217c6d4ae254669b',NULL);
INSERT INTO "audit" VALUES(3,'2026-11-22T12:31:15.222529+00:00',NULL,'verify','20261122-123115-6a59a4','7 responses, 1 differences','14ec0b1b8d094ec31edc33f681eca5d22fefdc922768a4cb5bb1f29f9dabec25',NULL);
INSERT INTO "audit" VALUES(4,'2026-11-22T12:31:15.284052+00:00','Ada','label','20261122-123115-6a59a4','1, A: correct','3da611709a0b93bc579b17ea046eb70f46bb7c73f3d2d7dbdf3c3215a0cadd92',NULL);
INSERT INTO "audit" VALUES(5,'2026-11-22T12:31:15.338388+00:00','Bo','label','20261122-123115-6a59a4','1, A: incorrect','df763849fe7b02b3db24fe4a6d050c3c17c0a31fa036910b4f4f1b93a31aa62e',NULL);
INSERT INTO "audit" VALUES(6,'2026-11-22T12:31:15.405555+00:00','Ada','label','20261122-123115-6a59a4','1, A: declined','07157a301a2d44ef5361260bf221541f701853a6aaaf7a16f2e33cca85a0578a',NULL);
INSERT INTO "audit" VALUES(7,'2026-11-22T12:31:15.448360+00:00','Cy','label','20261122-123115-6a59a4','1, A: correct','88ae5323008dc825c1421aa1d7b9a4c1d1ce0b4403bade88851d4215238cfbab',NULL);
INSERT INTO "audit" VALUES(8,'2026-11-22T12:31:15.614180+00:00','Ada','label taken back','20261122-123115-6a59a4','1, A: declined','28955ce40221e1213d2e618e530cbbea4bb416d80efad0c01d54a6ed488509cb',NULL);
INSERT INTO "audit" VALUES(9,'2026-11-22T12:31:15.666967+00:00',NULL,'judge','20261122-123115-6a59a4','openai:m, 1 responses','6c3ad14c20e31b01523595c0f465193857b1b71de85d205ace9fba1f32a44da7',NULL);
INSERT INTO "audit" VALUES(10,'2026-11-22T12:31:15.707496+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','76be5d160b13bd0962420cff6b6afac7b73fec17d1ebd978723dde59dbad926a',NULL);
INSERT INTO "audit" VALUES(11,'2026-11-22T12:31:15.728465+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','c52bdb654ef1cb20428865510b81c81e2a5f216925b897b24714d62bc57033bf',NULL);
INSERT INTO "audit" VALUES(12,'2026-11-22T12:31:15.740839+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','a005e0edbd5c53a71758f72e311e06993e2ab85ed01b8eae9204b179334c735f',NULL);
INSERT INTO "audit" VALUES(13,'2026-11-22T12:31:15.753233+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','d43711bca593b962a63866163d2a69bdc59115433f0566c81fe59dc30f12068b',NULL);
INSERT INTO "audit" VALUES(14,'2026-11-22T12:31:15.797738+00:00','Ada','generate','5b6bee51b7a92429','"generated é", 1 triplets','069991631b8525d48b0e6e971de6977e907f61b78fb8b113ec4cc2fe7f833cb2',NULL);
INSERT INTO "audit" VALUES(15,'2026-11-22T12:31:15.821153+00:00','Ada','judge','d1fe840f7ebae988','openai:m, 1 triplets','b2f5b81137d07e1469d3b0dab7a2e241bb3e81e156568ec91663e6e2244225d7',NULL);
INSERT INTO "audit" VALUES(16,'2026-11-22T12:31:15.838342+00:00','Ada','risk','d1fe840f7ebae988','medium (major, possible): é','98512d2620545bef6355be2edb031643760e1a173806920478c7740ce6c40f1f',NULL);
INSERT INTO "audit" VALUES(17,'2026-11-22T12:31:15.858881+00:00','Lea','review','d1fe840f7ebae988','session 590bf6a8bf4b, high, 3 of 10 at random','5c2a6393dd68e266eb0d42d4a7a889589f0aab67ad25606c5d7425269a96c59f',NULL);
INSERT INTO "audit" VALUES(18,'2026-11-22T12:31:16.187617+00:00','Ada','review','d1fe840f7ebae988','q0: accept (tone)','4690d5923fde6a3f22661331b8f5e73d9f961c6c9192c8b1f2b4a90b54addb1a',NULL);
INSERT INTO "audit" VALUES(19,'2026-11-22T12:31:16.275598+00:00','Ada','review','d1fe840f7ebae988','q1: delete (tone)','4fe7119e50d9d481bca22143de5ff4c4f6bacd06963ea343522d9ab52dd7748d',NULL);
INSERT INTO "audit" VALUES(20,'2026-11-22T12:31:16.410021+00:00','Bo','adjudicate','d1fe840f7ebae988','q0: accept','865751a17bca7cbd2c023bd301ae8758d638fcdf77d84f01ddc8d7076fad0b8f',NULL);
INSERT INTO "audit" VALUES(21,'2026-11-22T12:31:16.434995+00:00','Ada','view saved','20261122-123115-6a59a4','"wrong é", Diagnostics','5201c705119a6d19938b1baa493a4061f71fb7e146a26fec565ac8f7ad071f1d',NULL);
INSERT INTO "audit" VALUES(22,'2026-11-22T12:31:16.476045+00:00','Ada','owner','20261122-123115-6a59a4','"June": Ada','4f59cdeba6f035cc9317135aba45a3a469e1186725ccf91e454887e6678b4ef3',NULL);
INSERT INTO "audit" VALUES(23,'2026-11-22T12:31:16.480005+00:00','Ada','note','20261122-123115-6a59a4','"June": two lines','ad78fcfe6488c08b7abae7aa4b66848f64fb0df3b835671ff0baa55fec00979b',NULL);
INSERT INTO "audit" VALUES(24,'2026-11-22T12:31:16.480585+00:00','Ada','tag','20261122-123115-6a59a4','"June": release','a462c3b700d84362a7feff5efc5c22c7fc81825bfe30a27041398b0772a47fd6',NULL);
INSERT INTO "audit" VALUES(25,'2026-11-22T12:31:16.505348+00:00','Ada','project','alpha','made','4741930db165ad0cabe43fa7954f00c384a011a0ed05a8ba24a980e2510bff43',NULL);
INSERT INTO "audit" VALUES(26,'2026-11-22T12:31:16.528304+00:00','Ada','project','20261122-123115-6a59a4','"June" moved into the project alpha','796dc47b6fc2862b2fda52ba3a8e81c48e3f2eb45de44020ee75f3db9baf9275',NULL);
INSERT INTO "audit" VALUES(27,'2026-11-22T12:31:16.571985+00:00','Ada','account','ada','added','a75b54c5923dcc12a6d8655d7523de41fe3d115d35e9be8da1ea55bb2f581418',NULL);
INSERT INTO "audit" VALUES(28,'2026-11-22T12:31:16.587109+00:00','Ada','member','','ada is owner','cdcb4ad7005c0ed46009536fbde8501fccae2c62b17ae3200de1d8a2aece30f4',NULL);
INSERT INTO "audit" VALUES(29,'2026-11-22T12:31:16.597651+00:00','Ada','member','alpha','token:5a063e60a559 is editor','a3cfc2f94c1a39a653b97cd2449536ab7bf8efc86f14cdfc2b975a510e01c16c',NULL);
INSERT INTO "audit" VALUES(30,'2026-11-22T12:31:16.613581+00:00','Ada','token','alpha','"ci", editor, made for 30 days','b5c908dc22d02163cb5eac1c4b3449d890da8e63db6dac059b2ed25b8e3b3dc3',NULL);
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-22T12:31:15.051295+00:00','1803ed781eafd86aafa820d2ec2a5fe2be6c7bfd4ba6689423f02d438f4eed4c');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-22T12:31:15.702703+00:00','5b1ee79d69fc6e1bc80cf36944e294702e4b9582c86e40d6b9245988d5b557f5');
INSERT INTO "golden_datasets" VALUES('5b6bee51b7a92429',1,'2026-11-22T12:31:15.778621+00:00','1dcd929de099612688ecad2006867fb3a287d16bc39b55b3e48b4c69db822b3f');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-22T12:31:15.702703+00:00','Ada','a short form',10);
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
INSERT INTO "grades" VALUES('20261122-123115-6a59a4','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-22T12:31:15.657197+00:00',9);
CREATE TABLE judges (
            judge TEXT PRIMARY KEY,
            model TEXT NOT NULL,
            description TEXT NOT NULL,
            first_used_at TEXT NOT NULL
        );
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-22T12:31:15.657197+00:00');
CREATE TABLE labels (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            question_id TEXT NOT NULL,
            pipeline TEXT NOT NULL,
            label TEXT NOT NULL,
            labelled_by TEXT NOT NULL,
            labelled_at TEXT NOT NULL
        , deed INTEGER, comment TEXT, drawn BOOLEAN);
INSERT INTO "labels" VALUES(1,'20261122-123115-6a59a4','1','A','correct','Ada','2026-11-22T12:31:15.268086+00:00',4,NULL,NULL);
INSERT INTO "labels" VALUES(2,'20261122-123115-6a59a4','1','A','incorrect','Bo','2026-11-22T12:31:15.335715+00:00',5,NULL,NULL);
INSERT INTO "labels" VALUES(4,'20261122-123115-6a59a4','1','A','correct','Cy','2026-11-22T12:31:15.438478+00:00',7,'é
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
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-22T12:31:15.750065+00:00',13);
CREATE TABLE members (
        project TEXT NOT NULL,
        subject TEXT NOT NULL,
        role TEXT NOT NULL,
        given_at TEXT NOT NULL,
        PRIMARY KEY (project, subject)
    );
INSERT INTO "members" VALUES('','ada','owner','2026-11-22T12:31:16.585013+00:00');
INSERT INTO "members" VALUES('alpha','token:5a063e60a559','editor','2026-11-22T12:31:16.597211+00:00');
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-22T12:31:14.949063+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-22T12:31:14.950359+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-22T12:31:14.950607+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-22T12:31:14.950771+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-22T12:31:14.950959+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-22T12:31:14.951203+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-22T12:31:14.951309+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-22T12:31:14.951507+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-22T12:31:14.952014+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-22T12:31:14.952155+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-22T12:31:14.952309+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-22T12:31:14.988135+00:00');
INSERT INTO "migrations" VALUES(13,'2026-11-22T12:31:14.988810+00:00');
INSERT INTO "migrations" VALUES(14,'2026-11-22T12:31:14.989414+00:00');
INSERT INTO "migrations" VALUES(15,'2026-11-22T12:31:14.990153+00:00');
INSERT INTO "migrations" VALUES(16,'2026-11-22T12:31:14.990304+00:00');
CREATE TABLE named_datasets (
            name TEXT PRIMARY KEY,
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            made_at TEXT NOT NULL
        );
INSERT INTO "named_datasets" VALUES('generated é','5b6bee51b7a92429','2026-11-22T12:31:15.778621+00:00');
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
INSERT INTO "passages" VALUES('5b6bee51b7a92429','1','c','a.md','d',NULL,NULL,0,9,'é','the text','list','openai:m','p',NULL,NULL,1,'2026-11-22T12:31:15.778621+00:00');
CREATE TABLE policies (
            number INTEGER PRIMARY KEY,
            policy TEXT NOT NULL,
            set_at TEXT NOT NULL
        );
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-22T12:31:15.734956+00:00');
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
INSERT INTO "projects" VALUES('alpha','2026-11-22T12:31:16.501585+00:00');
CREATE TABLE rejections (
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            question_id TEXT NOT NULL,
            rule TEXT NOT NULL,
            proposed TEXT NOT NULL,
            rejected_by TEXT NOT NULL,
            rejected_at TEXT NOT NULL,
            PRIMARY KEY (line, question_id, rule, proposed)
        );
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-22T12:31:15.716606+00:00');
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
INSERT INTO "review_decisions" VALUES(1,'590bf6a8bf4b',0,'Ada',0,'accept','["tone"]','',NULL,NULL,NULL,NULL,'t0','c','2026-11-22T12:31:16.172316+00:00',NULL,NULL,NULL,18);
INSERT INTO "review_decisions" VALUES(2,'590bf6a8bf4b',1,'Ada',0,'delete','["tone"]','',NULL,NULL,NULL,NULL,'t1','c','2026-11-22T12:31:16.273320+00:00',NULL,NULL,NULL,19);
INSERT INTO "review_decisions" VALUES(3,'590bf6a8bf4b',0,'Bo',1,'accept','[]','fine',NULL,NULL,NULL,NULL,'t0','c','2026-11-22T12:31:16.400234+00:00',NULL,NULL,NULL,20);
CREATE TABLE review_flags (
        session TEXT NOT NULL REFERENCES review_sessions (session),
        question_id TEXT NOT NULL,
        source TEXT NOT NULL,
        detail TEXT NOT NULL,
        PRIMARY KEY (session, question_id, source)
    );
INSERT INTO "review_flags" VALUES('590bf6a8bf4b','q0','judge','hallucinated');
INSERT INTO "review_flags" VALUES('590bf6a8bf4b','q0','lint','blank-answer');
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
INSERT INTO "review_items" VALUES('590bf6a8bf4b',0,0.0,'q0','random',NULL,'t0','c','a.md');
INSERT INTO "review_items" VALUES('590bf6a8bf4b',1,1.0,'q1','random',NULL,'t1','c','a.md');
INSERT INTO "review_items" VALUES('590bf6a8bf4b',2,2.0,'q2','random',NULL,'t2','c','a.md');
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
INSERT INTO "review_leases" VALUES('590bf6a8bf4b',2,'Cy','2026-11-22T12:31:16.303629+00:00','2026-11-22T13:01:16.303629+00:00','{}');
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
INSERT INTO "review_sessions" VALUES('590bf6a8bf4b','d1fe840f7ebae988','d1fe840f7ebae988','','high',10,0.01,0.95,3,0,1,'[]','["tone"]','Read the passage first.',1,'Lea','2026-05-01T00:00:00+00:00',NULL,17);
CREATE TABLE review_views (
        session TEXT NOT NULL,
        item INTEGER NOT NULL,
        viewer TEXT NOT NULL,
        PRIMARY KEY (session, item, viewer),
        FOREIGN KEY (session, item) REFERENCES review_items (session, item)
    );
INSERT INTO "review_views" VALUES('590bf6a8bf4b',0,'Bo');
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
INSERT INTO "risks" VALUES(1,'d1fe840f7ebae988','','major','possible','medium','é','Ada','2026-11-22T12:31:15.836987+00:00',16);
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
INSERT INTO "run_records" VALUES('20261122-123115-6a59a4','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL,'alpha');
INSERT INTO "run_records" VALUES('20261122-123115-c96722',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261122-123115-6a59a4','June','2026-11-22T12:31:15.051295+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.4, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261122-123115-c96722','July','2026-11-22T12:31:15.160881+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.4, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
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
INSERT INTO "saved_views" VALUES('20261122-123115-6a59a4','wrong é','Diagnostics','{"verdict": ["incorrect"]}','Ada','2026-11-22T12:31:16.432972+00:00',21);
CREATE TABLE sign_ins (
        key TEXT PRIMARY KEY,
        subject TEXT NOT NULL,
        name TEXT NOT NULL,
        source TEXT NOT NULL,
        began_at TEXT NOT NULL,
        seen_at TEXT NOT NULL,
        expires_at TEXT NOT NULL
    );
INSERT INTO "sign_ins" VALUES('63dc797f45f6bc4259755c10588b1806ca58ca6ecd28dc516d807971bb0d0ba6','ada','Ada','accounts','2026-11-22T12:31:16.616929+00:00','2026-11-22T12:31:16.616929+00:00','2026-11-23T00:31:16.616929+00:00');
CREATE TABLE triplet_findings (
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            question_id TEXT NOT NULL,
            question TEXT NOT NULL,
            answer TEXT NOT NULL,
            fact TEXT,
            finding TEXT NOT NULL,
            quotation TEXT,
            why TEXT,
            repaired_answer TEXT,
            repaired_fact TEXT,
            gate TEXT,
            model TEXT NOT NULL,
            judged_at TEXT NOT NULL,
            deed INTEGER NOT NULL,
            PRIMARY KEY (line, question_id)
        );
INSERT INTO "triplet_findings" VALUES('d1fe840f7ebae988','1','é','é','é','é','é','é','é','é','é','openai:m','2026-11-22T12:31:15.816387+00:00',15);
CREATE TABLE verifications (
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            verified_at TEXT NOT NULL,
            version TEXT NOT NULL,
            compared INTEGER NOT NULL,
            differences INTEGER NOT NULL
        , deed INTEGER);
INSERT INTO "verifications" VALUES('20261122-123115-6a59a4','2026-03-01T00:00:00+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item) WHERE ended_at IS NULL AND adjudicates;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',4);
INSERT INTO "sqlite_sequence" VALUES('review_decisions',3);
COMMIT;
