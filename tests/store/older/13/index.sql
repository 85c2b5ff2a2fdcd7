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
INSERT INTO "audit" VALUES(1,'2026-11-22T08:17:47.441058+00:00',NULL,'import','20261122-081747-cd3a35','"June", 5 responses','ebde1afa594d5df6b19e78288a04f4ed3a44d8a2583a0959382a4df71566a453');
INSERT INTO "audit" VALUES(2,'2026-11-22T08:17:48.604838+00:00',NULL,'import','20261122-081748-ba626f','"July", 5 responses','d2697ead6ec58d5c13ec5adecc839bee29021cd602936d7c88178713638e6235');
INSERT INTO "audit" VALUES(3,'2026-11-22T08:17:48.615368+00:00',NULL,'verify','20261122-081747-cd3a35','7 responses, 1 differences','43f1fb83b0f6a051237516ef8fd9bcd4b48c4c05f5509baefd539b6ca82b67ce');
INSERT INTO "audit" VALUES(4,'2026-11-22T08:17:48.632294+00:00','Ada','label','20261122-081747-cd3a35','1, A: correct','8fecd972630ede01013bcd4c3c3f698fd9b76944984fc7ae4abe7f01bf664a38');
INSERT INTO "audit" VALUES(5,'2026-11-22T08:17:49.163193+00:00','Bo','label','20261122-081747-cd3a35','1, A: incorrect','86d5828402bda001c9e7b135f78248d9ba33f67788b1441558c716ee3ad41b90');
INSERT INTO "audit" VALUES(6,'2026-11-22T08:17:49.194987+00:00','Ada','label','20261122-081747-cd3a35','1, A: declined','f07f64cb97dc5aee848456e68ca015e3225ad0860c701c91769beb8f2fa8b0ab');
INSERT INTO "audit" VALUES(7,'2026-11-22T08:17:49.360323+00:00','Ada','label taken back','20261122-081747-cd3a35','1, A: declined','61f263c3fc74c885b2873df6cc6fbae9bc4437148ce229d4f11f6b9bcca913c0');
INSERT INTO "audit" VALUES(8,'2026-11-22T08:17:49.407875+00:00',NULL,'judge','20261122-081747-cd3a35','openai:m, 1 responses','9d7f0f8cb7f716a6fa46a5f4155a74c1c1d5421ac3c2b7c991ee182400d8f9f0');
INSERT INTO "audit" VALUES(9,'2026-11-22T08:17:49.637479+00:00','Ada','accept','d1fe840f7ebae988','version 2, a short form','dea621bd1021c2334ea66e8ded9d9126218826f30c9925dc59964d691a8b4ff6');
INSERT INTO "audit" VALUES(10,'2026-11-22T08:17:49.676354+00:00','Bo','reject','d1fe840f7ebae988','1, r: p 🙂','cc7e7c36bb7e4e63d07f17d8f965ff7b835aa66c8fc81cc8115e347dd3374632');
INSERT INTO "audit" VALUES(11,'2026-11-22T08:17:49.718690+00:00',NULL,'policy','policy','{"criteria": [], "note": "é"}','91e2fbea0f52c57ee1e3b41b0e5c02b47400fcad2f5c1de486b9303cbfbd8ec6');
INSERT INTO "audit" VALUES(12,'2026-11-22T08:17:49.766102+00:00','Ada','mapping saved','name of the mapping','"theirs", golden: q=question, a=answer','ff23133fbcccbcda65b00682fca35a0de3d7944c25f593f44f0f88c7f343631e');
INSERT INTO "audit" VALUES(13,'2026-11-22T08:17:49.858053+00:00','Ada','generate','5b6bee51b7a92429','"generated é", 1 triplets','672b1834a63b358f195abed21198f5e6172de58cbc55c328417b5b1272eea6cb');
INSERT INTO "audit" VALUES(14,'2026-11-22T08:17:49.887231+00:00','Ada','risk','d1fe840f7ebae988','medium (major, possible): é','a1c7600eb3d29ec80556aa1e1f4b3b97d7f3bc92a4b46d3d2705ae2fd4d5034a');
INSERT INTO "audit" VALUES(15,'2026-11-22T08:17:49.941074+00:00','Lea','review','d1fe840f7ebae988','session 18b2a4a327c0, high, 3 of 10 at random','92d9617c841a609920f745ed354b2cafce696d7c09b50d917e43b240ae3c0c33');
INSERT INTO "audit" VALUES(16,'2026-11-22T08:17:50.082519+00:00','Ada','review','d1fe840f7ebae988','q0: accept (tone)','b51797a19bc97b1fc79de682207aaa9b75e674848b934d59e9f69a66c4724fa5');
INSERT INTO "audit" VALUES(17,'2026-11-22T08:17:50.196229+00:00','Ada','review','d1fe840f7ebae988','q1: delete (tone)','bc01f894a35dae7741c223fd442fe25baa0444400af5e8ce254e715983a1555a');
INSERT INTO "audit" VALUES(18,'2026-11-22T08:17:50.366166+00:00','Bo','adjudicate','d1fe840f7ebae988','q0: accept','411fcda34333e96388c08704a22d3040a5d1c4ac07cc0bdf1179a0bf9ec070bd');
INSERT INTO "audit" VALUES(19,'2026-11-22T08:17:50.422174+00:00','Ada','owner','20261122-081747-cd3a35','"June": Ada','00da98721c1d4769abbeb77bcedcc878f110f55d67a05ad592cce2a7c7bb627f');
INSERT INTO "audit" VALUES(20,'2026-11-22T08:17:50.422908+00:00','Ada','note','20261122-081747-cd3a35','"June": two lines','7c63a694a7ac643bbf85484e01f500d97e719700df481a5874563bbad553d1f8');
INSERT INTO "audit" VALUES(21,'2026-11-22T08:17:50.423617+00:00','Ada','tag','20261122-081747-cd3a35','"June": release','e88b2b1010f66169c530088d67db069d12a2bf7487c6793c0997bfa5da7bb610');
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
INSERT INTO "golden_datasets" VALUES('d1fe840f7ebae988',3,'2026-11-22T08:17:47.323923+00:00','1803ed781eafd86aafa820d2ec2a5fe2be6c7bfd4ba6689423f02d438f4eed4c');
INSERT INTO "golden_datasets" VALUES('40a3a1328003d186',3,'2026-11-22T08:17:49.609957+00:00','5b1ee79d69fc6e1bc80cf36944e294702e4b9582c86e40d6b9245988d5b557f5');
INSERT INTO "golden_datasets" VALUES('5b6bee51b7a92429',1,'2026-11-22T08:17:49.817933+00:00','1dcd929de099612688ecad2006867fb3a287d16bc39b55b3e48b4c69db822b3f');
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
INSERT INTO "golden_versions" VALUES('d1fe840f7ebae988',2,'40a3a1328003d186','d1fe840f7ebae988','2026-11-22T08:17:49.609957+00:00','Ada','a short form',9);
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
INSERT INTO "grades" VALUES('20261122-081747-cd3a35','0000000000000000','1','A',NULL,NULL,2.5,'[{"criterion": "c", "grade": 2, "reason": "\u00e9"}]',NULL,NULL,NULL,NULL,NULL,'2026-11-22T08:17:49.405097+00:00',8);
CREATE TABLE judges (
            judge TEXT PRIMARY KEY,
            model TEXT NOT NULL,
            description TEXT NOT NULL,
            first_used_at TEXT NOT NULL
        );
INSERT INTO "judges" VALUES('0000000000000000','openai:m','{"shots": "few"}','2026-11-22T08:17:49.405097+00:00');
CREATE TABLE labels (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            question_id TEXT NOT NULL,
            pipeline TEXT NOT NULL,
            label TEXT NOT NULL,
            labelled_by TEXT NOT NULL,
            labelled_at TEXT NOT NULL
        , deed INTEGER);
INSERT INTO "labels" VALUES(1,'20261122-081747-cd3a35','1','A','correct','Ada','2026-11-22T08:17:48.630251+00:00',4);
INSERT INTO "labels" VALUES(2,'20261122-081747-cd3a35','1','A','incorrect','Bo','2026-11-22T08:17:49.160943+00:00',5);
CREATE TABLE mapping_profiles (
            name TEXT PRIMARY KEY,
            role TEXT NOT NULL,
            columns TEXT NOT NULL,
            mapping TEXT NOT NULL,
            saved_by TEXT,
            saved_at TEXT NOT NULL,
            deed INTEGER NOT NULL
        );
INSERT INTO "mapping_profiles" VALUES('theirs','golden','["q", "a"]','{"q": "question", "a": "answer"}','Ada','2026-11-22T08:17:49.764763+00:00',12);
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL);
INSERT INTO "migrations" VALUES(1,'2026-11-22T08:17:47.287567+00:00');
INSERT INTO "migrations" VALUES(2,'2026-11-22T08:17:47.294701+00:00');
INSERT INTO "migrations" VALUES(3,'2026-11-22T08:17:47.295003+00:00');
INSERT INTO "migrations" VALUES(4,'2026-11-22T08:17:47.295176+00:00');
INSERT INTO "migrations" VALUES(5,'2026-11-22T08:17:47.295377+00:00');
INSERT INTO "migrations" VALUES(6,'2026-11-22T08:17:47.295626+00:00');
INSERT INTO "migrations" VALUES(7,'2026-11-22T08:17:47.295735+00:00');
INSERT INTO "migrations" VALUES(8,'2026-11-22T08:17:47.295935+00:00');
INSERT INTO "migrations" VALUES(9,'2026-11-22T08:17:47.296445+00:00');
INSERT INTO "migrations" VALUES(10,'2026-11-22T08:17:47.298141+00:00');
INSERT INTO "migrations" VALUES(11,'2026-11-22T08:17:47.298351+00:00');
INSERT INTO "migrations" VALUES(12,'2026-11-22T08:17:47.298529+00:00');
INSERT INTO "migrations" VALUES(13,'2026-11-22T08:17:47.299083+00:00');
CREATE TABLE named_datasets (
            name TEXT PRIMARY KEY,
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            made_at TEXT NOT NULL
        );
INSERT INTO "named_datasets" VALUES('generated é','5b6bee51b7a92429','2026-11-22T08:17:49.817933+00:00');
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
INSERT INTO "passages" VALUES('5b6bee51b7a92429','1','c','a.md','d',NULL,NULL,0,9,'é','the text','list','openai:m','p',NULL,NULL,1,'2026-11-22T08:17:49.817933+00:00');
CREATE TABLE policies (
            number INTEGER PRIMARY KEY,
            policy TEXT NOT NULL,
            set_at TEXT NOT NULL
        );
INSERT INTO "policies" VALUES(1,'{"criteria": [], "note": "\u00e9"}','2026-11-22T08:17:49.716776+00:00');
CREATE TABLE rejections (
            line TEXT NOT NULL REFERENCES golden_datasets (golden_id),
            question_id TEXT NOT NULL,
            rule TEXT NOT NULL,
            proposed TEXT NOT NULL,
            rejected_by TEXT NOT NULL,
            rejected_at TEXT NOT NULL,
            PRIMARY KEY (line, question_id, rule, proposed)
        );
INSERT INTO "rejections" VALUES('d1fe840f7ebae988','1','r','p 🙂','Bo','2026-11-22T08:17:49.674303+00:00');
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
INSERT INTO "review_decisions" VALUES(1,'18b2a4a327c0',0,'Ada',0,'accept','["tone"]','',NULL,NULL,NULL,NULL,'t0','c','2026-11-22T08:17:50.074363+00:00',NULL,NULL,NULL,16);
INSERT INTO "review_decisions" VALUES(2,'18b2a4a327c0',1,'Ada',0,'delete','["tone"]','',NULL,NULL,NULL,NULL,'t1','c','2026-11-22T08:17:50.194396+00:00',NULL,NULL,NULL,17);
INSERT INTO "review_decisions" VALUES(3,'18b2a4a327c0',0,'Bo',1,'accept','[]','fine',NULL,NULL,NULL,NULL,'t0','c','2026-11-22T08:17:50.354877+00:00',NULL,NULL,NULL,18);
CREATE TABLE review_flags (
        session TEXT NOT NULL REFERENCES review_sessions (session),
        question_id TEXT NOT NULL,
        source TEXT NOT NULL,
        detail TEXT NOT NULL,
        PRIMARY KEY (session, question_id, source)
    );
INSERT INTO "review_flags" VALUES('18b2a4a327c0','q0','judge','hallucinated');
INSERT INTO "review_flags" VALUES('18b2a4a327c0','q0','lint','blank-answer');
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
INSERT INTO "review_items" VALUES('18b2a4a327c0',0,0.0,'q0','random',NULL,'t0','c','a.md');
INSERT INTO "review_items" VALUES('18b2a4a327c0',1,1.0,'q1','random',NULL,'t1','c','a.md');
INSERT INTO "review_items" VALUES('18b2a4a327c0',2,2.0,'q2','random',NULL,'t2','c','a.md');
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
INSERT INTO "review_leases" VALUES('18b2a4a327c0',2,'Cy','2026-11-22T08:17:50.242489+00:00','2026-11-22T08:47:50.242489+00:00','{}');
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
INSERT INTO "review_sessions" VALUES('18b2a4a327c0','d1fe840f7ebae988','d1fe840f7ebae988','','high',10,0.01,0.95,3,0,1,'[]','["tone"]','Read the passage first.',1,'Lea','2026-05-01T00:00:00+00:00',NULL,15);
CREATE TABLE review_views (
        session TEXT NOT NULL,
        item INTEGER NOT NULL,
        viewer TEXT NOT NULL,
        PRIMARY KEY (session, item, viewer),
        FOREIGN KEY (session, item) REFERENCES review_items (session, item)
    );
INSERT INTO "review_views" VALUES('18b2a4a327c0',0,'Bo');
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
INSERT INTO "risks" VALUES(1,'d1fe840f7ebae988','','major','possible','medium','é','Ada','2026-11-22T08:17:49.886566+00:00',14);
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
INSERT INTO "run_records" VALUES('20261122-081747-cd3a35','Ada','["release"]','two
lines',NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "run_records" VALUES('20261122-081748-ba626f',NULL,'[]','',NULL,NULL,NULL,NULL,NULL,NULL);
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
INSERT INTO "runs" VALUES('20261122-081747-cd3a35','June','2026-11-22T08:17:47.323923+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.4, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',1);
INSERT INTO "runs" VALUES('20261122-081748-ba626f','July','2026-11-22T08:17:48.240881+00:00','d1fe840f7ebae988','["B", "A"]',3,5,'{"high_closeness": 0.65, "low_conciseness": 0.3, "accidental_context": 0.0, "same_meaning": 0.9, "unsure_below": 0.4, "open_below": 0.72}','qaviz 0','["g.csv", "r.csv"]','{"duplicate": 1}','11937c1eaaa8cdb86082e5e9d906f8446434bfb35a4f7251e894fe9b622fde4d','d9071276849760956c5a8dd4980e60cc609cc1e347845879ae0b8d057dad1177',2);
CREATE TABLE verifications (
            run_id TEXT NOT NULL REFERENCES runs (run_id),
            verified_at TEXT NOT NULL,
            version TEXT NOT NULL,
            compared INTEGER NOT NULL,
            differences INTEGER NOT NULL
        , deed INTEGER);
INSERT INTO "verifications" VALUES('20261122-081747-cd3a35','2026-03-01T00:00:00+00:00','1.2.3',7,1,3);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item) WHERE ended_at IS NULL AND adjudicates;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('labels',3);
INSERT INTO "sqlite_sequence" VALUES('review_decisions',3);
COMMIT;
