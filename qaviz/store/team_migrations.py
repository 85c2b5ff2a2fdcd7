"""The migrations that make the tables of reviews and of a team, spelled as `qaviz.store.migrations` says."""

REVIEW_TABLES = (
    """
    CREATE TABLE risks (
        number {row_key},
        line {text} NOT NULL REFERENCES golden_datasets (golden_id),
        category {text} NOT NULL,
        severity {text} NOT NULL,
        likelihood {text} NOT NULL,
        level {text} NOT NULL,
        reason {text} NOT NULL,
        classified_by {text} NOT NULL,
        classified_at {text} NOT NULL,
        deed {integer} NOT NULL
    )
    """,
    """
    CREATE TABLE review_sessions (
        session {text} PRIMARY KEY,
        line {text} NOT NULL REFERENCES golden_datasets (golden_id),
        golden_id {text} NOT NULL REFERENCES golden_datasets (golden_id),
        category {text} NOT NULL,
        level {text} NOT NULL,
        population {integer} NOT NULL,
        at_most {real} NOT NULL,
        confidence {real} NOT NULL,
        sample {integer} NOT NULL,
        allowed_wrong {integer} NOT NULL,
        readers {integer} NOT NULL,
        pool {json} NOT NULL,
        own_findings {json} NOT NULL,
        guidelines {text} NOT NULL,
        seed {integer} NOT NULL,
        started_by {text} NOT NULL,
        started_at {text} NOT NULL,
        closed_at {text},
        deed {integer} NOT NULL
    )
    """,
    """
    CREATE TABLE review_items (
        session {text} NOT NULL REFERENCES review_sessions (session),
        item {integer} NOT NULL,
        place {real} NOT NULL,
        question_id {text} NOT NULL,
        drawn {text} NOT NULL,
        repeat_of {integer},
        triplet {text} NOT NULL,
        chunk {text},
        document {text},
        PRIMARY KEY (session, item)
    )
    """,
    """
    CREATE TABLE review_flags (
        session {text} NOT NULL REFERENCES review_sessions (session),
        question_id {text} NOT NULL,
        source {text} NOT NULL,
        detail {text} NOT NULL,
        PRIMARY KEY (session, question_id, source)
    )
    """,
    """
    CREATE TABLE review_leases (
        session {text} NOT NULL,
        item {integer} NOT NULL,
        reader {text} NOT NULL,
        given_at {text} NOT NULL,
        expires_at {text} NOT NULL,
        draft {json} NOT NULL,
        PRIMARY KEY (session, item, reader),
        FOREIGN KEY (session, item) REFERENCES review_items (session, item)
    )
    """,
    """
    CREATE TABLE review_views (
        session {text} NOT NULL,
        item {integer} NOT NULL,
        viewer {text} NOT NULL,
        PRIMARY KEY (session, item, viewer),
        FOREIGN KEY (session, item) REFERENCES review_items (session, item)
    )
    """,
    """
    CREATE TABLE review_decisions (
        number {number_key},
        session {text} NOT NULL,
        item {integer} NOT NULL,
        reader {text} NOT NULL,
        adjudicates BOOLEAN NOT NULL,
        action {text} NOT NULL,
        findings {json} NOT NULL,
        note {text} NOT NULL,
        question {text},
        answer {text},
        fact {text},
        seconds {real},
        triplet {text} NOT NULL,
        chunk {text},
        decided_at {text} NOT NULL,
        ended_at {text},
        ended_why {text},
        applied {integer},
        deed {integer} NOT NULL,
        FOREIGN KEY (session, item) REFERENCES review_items (session, item)
    )
    """,
    "CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL",
    "CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item)"
    " WHERE ended_at IS NULL AND adjudicates",
)

TEAM_TABLES = (
    """
    CREATE TABLE projects (
        project {text} PRIMARY KEY,
        made_at {text} NOT NULL
    )
    """,
    """
    CREATE TABLE project_golden (
        project {text} NOT NULL REFERENCES projects (project),
        golden_id {text} NOT NULL REFERENCES golden_datasets (golden_id),
        PRIMARY KEY (project, golden_id)
    )
    """,
    """
    CREATE TABLE members (
        project {text} NOT NULL,
        subject {text} NOT NULL,
        role {text} NOT NULL,
        given_at {text} NOT NULL,
        PRIMARY KEY (project, subject)
    )
    """,
    """
    CREATE TABLE accounts (
        name {text} PRIMARY KEY,
        password {text} NOT NULL,
        made_at {text} NOT NULL
    )
    """,
    """
    CREATE TABLE sign_ins (
        key {text} PRIMARY KEY,
        subject {text} NOT NULL,
        name {text} NOT NULL,
        source {text} NOT NULL,
        began_at {text} NOT NULL,
        seen_at {text} NOT NULL,
        expires_at {text} NOT NULL
    )
    """,
    """
    CREATE TABLE api_tokens (
        token {text} PRIMARY KEY,
        hash {text} NOT NULL,
        name {text} NOT NULL,
        subject {text} NOT NULL,
        role {text} NOT NULL,
        project {text},
        made_at {text} NOT NULL,
        expires_at {text} NOT NULL,
        revoked_at {text}
    )
    """,
    "ALTER TABLE run_records ADD COLUMN project {text} REFERENCES projects (project)",
    "ALTER TABLE audit ADD COLUMN subject {text}",
)
