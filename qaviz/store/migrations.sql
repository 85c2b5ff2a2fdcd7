-- What brings an older index up to the tables of tables.py, in order, written once for SQLite and for PostgreSQL.
--
-- The oldest that is brought up is version 21, of qaviz 0.2.0. Each migration is applied once and never edited. The first
-- after a release: `python -m tests.store.deeds` keeps a workspace of that release before, for tests.
-- A statement ends with a semicolon at the end of a line. A name in braces stands where the databases differ:
--
-- | name          | SQLite  | PostgreSQL       | what it holds                               |
-- |---------------|---------|------------------|---------------------------------------------|
-- | {text}        | TEXT    | TEXT COLLATE "C" | text, compared byte by byte                 |
-- | {integer}     | INTEGER | BIGINT           | a whole number                              |
-- | {json}        | TEXT    | JSON             | a `sa.JSON`                                 |
-- | {with_views}  | nothing | CASCADE          | after what goes: roles' views of it go too  |

-- migration 22
-- The hash of the rows that a deed wrote: with it in the chain, a row that was changed since is found.
ALTER TABLE audit ADD COLUMN rows_hash {text};

-- migration 23
-- The identity proxy keeps sign-ins, and each server counts what it holds by itself.
DROP TABLE sign_ins {with_views};
DROP TABLE holdings {with_views};

-- migration 24
-- What a second reader quotes from the passage; and the texts that people wrote for generated triplets, which were files.
ALTER TABLE passages ADD COLUMN evidence {text};
CREATE TABLE triplet_corrections (
    dataset {text} NOT NULL,
    question_id {text} NOT NULL,
    question {text} NOT NULL,
    answer {text} NOT NULL,
    fact {text} NOT NULL,
    confirmed BOOLEAN NOT NULL,
    corrected_by {text},
    corrected_at {text} NOT NULL,
    PRIMARY KEY (dataset, question_id)
);

-- migration 25
-- A link is the view: views are saved by nobody any more.
DROP TABLE saved_views {with_views};

-- migration 26
-- Whose item it is follows from the review itself; what a reader has written of it so far is kept.
CREATE TABLE review_drafts (
    session {text} NOT NULL,
    item {integer} NOT NULL,
    reader {text} NOT NULL,
    draft {json} NOT NULL,
    written_at {text} NOT NULL,
    PRIMARY KEY (session, item, reader),
    FOREIGN KEY (session, item) REFERENCES review_items (session, item)
);
INSERT INTO review_drafts (session, item, reader, draft, written_at)
    SELECT session, item, reader, draft, given_at FROM review_leases;
DROP TABLE review_leases {with_views};

-- migration 27
-- A project is a workspace: `qaviz workspace split` has moved them out before. A member has one role, and may have the
-- right to review; whom a provider called otherwise than the proxy is in a table.
DROP TABLE project_golden {with_views};
ALTER TABLE run_records DROP COLUMN project {with_views};
DROP TABLE projects {with_views};
CREATE TABLE members_of_workspace (
    subject {text} PRIMARY KEY,
    role {text} NOT NULL,
    reviews BOOLEAN NOT NULL,
    given_at {text} NOT NULL
);
INSERT INTO members_of_workspace (subject, role, reviews, given_at)
    SELECT subject, CASE role WHEN 'reviewer' THEN 'viewer' ELSE role END, role = 'reviewer', given_at FROM members
    WHERE project = '';
DROP TABLE members {with_views};
ALTER TABLE members_of_workspace RENAME TO members;
CREATE TABLE identities (
    subject {text} PRIMARY KEY,
    earlier {text} NOT NULL UNIQUE,
    name {text} NOT NULL,
    mapped_at {text} NOT NULL
);
