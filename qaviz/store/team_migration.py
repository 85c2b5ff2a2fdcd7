"""The migration that makes the tables of a team; spelled as `qaviz.store.migrations` says, and never edited.

A role is held in a project, or in the whole workspace, whose project is the empty text. Of passwords, sign-ins and
tokens only hashes are kept.
"""

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
