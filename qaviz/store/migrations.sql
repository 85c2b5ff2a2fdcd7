-- What makes the index's tables, in order, written once for SQLite and for PostgreSQL.
--
-- Each migration is applied once and never edited: workspaces have run it. Before a new one is appended,
-- `python -m tests.store.older_workspace` keeps a workspace of the version before, for tests to bring up. A statement
-- ends with a semicolon at the end of a line. A name in braces stands where the databases differ:
--
-- | name              | SQLite                              | PostgreSQL         | what it holds                              |
-- |-------------------|-------------------------------------|--------------------|--------------------------------------------|
-- | {text}            | TEXT                                | TEXT COLLATE "C"   | text, compared byte by byte                |
-- | {integer}         | INTEGER                             | BIGINT             | `sa.Integer`: 31 bits, `sa.BigInteger`: 63 |
-- | {real}            | REAL                                | DOUBLE PRECISION   | a float of 64 bits                         |
-- | {bytes}           | BLOB                                | BYTEA              | bytes                                      |
-- | {json}            | TEXT                                | JSON               | a `sa.JSON`                                |
-- | {number_key}      | INTEGER PRIMARY KEY AUTOINCREMENT   | identity           | a key counted up, never given twice        |
-- | {row_key}         | INTEGER PRIMARY KEY                 | identity           | a key counted up                           |
-- | {without_rowid}   | WITHOUT ROWID                       | nothing            | after a table: rows by their primary key   |
-- | {with_views}      | nothing                             | CASCADE            | after a table that goes: roles' views of it |
--
-- BOOLEAN, DEFAULT, NOT NULL, REFERENCES, UNIQUE, indexes (partial ones too), ALTER TABLE ... ADD COLUMN and RENAME
-- COLUMN are the same in both. A table has its columns, as queries name them, in tables.py; a test compares the two.

-- migration 1
CREATE TABLE golden_datasets (
    golden_id {text} PRIMARY KEY,
    questions {integer} NOT NULL,
    created_at {text} NOT NULL,
    checksum {text} NOT NULL
);
CREATE TABLE runs (
    run_id {text} PRIMARY KEY,
    name {text} NOT NULL UNIQUE,
    created_at {text} NOT NULL,
    golden_id {text} NOT NULL REFERENCES golden_datasets (golden_id),
    pipelines {json} NOT NULL,
    questions {integer} NOT NULL,
    responses {integer} NOT NULL,
    thresholds {json} NOT NULL,
    engine {text} NOT NULL,
    sources {json} NOT NULL,
    set_aside {json} NOT NULL,
    rows_checksum {text} NOT NULL,
    listed_checksum {text} NOT NULL
);

-- migration 2
-- It counts all that loading listed, not only what was set aside.
ALTER TABLE runs RENAME COLUMN set_aside TO listed_counts;

-- migration 3
CREATE TABLE verifications (
    run_id {text} NOT NULL REFERENCES runs (run_id),
    verified_at {text} NOT NULL,
    version {text} NOT NULL,
    compared {integer} NOT NULL,
    differences {integer} NOT NULL
);

-- migration 4
-- Of pairs of texts, not of runs: what one run has compared, the next one knows.
CREATE TABLE bertscores (
    model {text} NOT NULL,
    pair {bytes} NOT NULL,
    bertscore {real} NOT NULL,
    PRIMARY KEY (model, pair)
) {without_rowid};

-- migration 5
-- The number of a label that was taken back is not given again, so that caches can go by it.
CREATE TABLE labels (
    number {number_key},
    run_id {text} NOT NULL REFERENCES runs (run_id),
    question_id {text} NOT NULL,
    pipeline {text} NOT NULL,
    label {text} NOT NULL,
    labelled_by {text} NOT NULL,
    labelled_at {text} NOT NULL
);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);

-- migration 6
-- A line is the golden dataset that was imported, by its content hash, and what became of it. It is version 1 of
-- its line and stands in golden_datasets; an edit and a rejection belong to the line, whatever run shows it.
CREATE TABLE golden_versions (
    line {text} NOT NULL REFERENCES golden_datasets (golden_id),
    number {integer} NOT NULL,
    golden_id {text} NOT NULL REFERENCES golden_datasets (golden_id),
    parent {text} NOT NULL REFERENCES golden_datasets (golden_id),
    made_at {text} NOT NULL,
    made_by {text} NOT NULL,
    why {text} NOT NULL,
    PRIMARY KEY (line, number)
);
CREATE INDEX lines_of_golden ON golden_versions (golden_id);
CREATE TABLE golden_edits (
    line {text} NOT NULL,
    number {integer} NOT NULL,
    place {integer} NOT NULL,
    question_id {text} NOT NULL,
    field {text} NOT NULL,
    before {text},
    after {text},
    rule {text},
    PRIMARY KEY (line, number, place),
    FOREIGN KEY (line, number) REFERENCES golden_versions (line, number)
);
CREATE TABLE rejections (
    line {text} NOT NULL REFERENCES golden_datasets (golden_id),
    question_id {text} NOT NULL,
    rule {text} NOT NULL,
    proposed {text} NOT NULL,
    rejected_by {text} NOT NULL,
    rejected_at {text} NOT NULL,
    PRIMARY KEY (line, question_id, rule, proposed)
);

-- migration 7
CREATE TABLE policies (
    number {row_key},
    policy {json} NOT NULL,
    set_at {text} NOT NULL
);

-- migration 8
-- What people say of a run stands beside it, since the run never changes. A deleted run gives its name back: its row
-- in runs is called by its id until it returns, for SQLite cannot take UNIQUE away from a column.
CREATE TABLE run_records (
    run_id {text} PRIMARY KEY REFERENCES runs (run_id),
    owner {text},
    tags {json} NOT NULL,
    notes {text} NOT NULL,
    archived_at {text},
    archived_by {text},
    deleted_at {text},
    deleted_by {text},
    deleted_name {text},
    provenance {json}
);
INSERT INTO run_records (run_id, tags, notes) SELECT run_id, '[]', '' FROM runs;
CREATE TABLE audit (
    number {integer} PRIMARY KEY,
    at {text} NOT NULL,
    who {text},
    what {text} NOT NULL,
    about {text} NOT NULL,
    detail {text} NOT NULL,
    hash {text} NOT NULL
);

-- migration 9
-- The number, in the audit, of the deed that made a row: what came after what, whatever the clock said. Rows older
-- than the audit have none.
ALTER TABLE runs ADD COLUMN deed {integer};
ALTER TABLE verifications ADD COLUMN deed {integer};
ALTER TABLE golden_versions ADD COLUMN deed {integer};
ALTER TABLE labels ADD COLUMN deed {integer};

-- migration 10
CREATE TABLE mapping_profiles (
    name {text} PRIMARY KEY,
    role {text} NOT NULL,
    columns {json} NOT NULL,
    mapping {json} NOT NULL,
    saved_by {text},
    saved_at {text} NOT NULL,
    deed {integer} NOT NULL
);

-- migration 11
-- A judge is a model with its prompt and rubric; its grades stand beside the run, one row a response.
CREATE TABLE judges (
    judge {text} PRIMARY KEY,
    model {text} NOT NULL,
    description {json} NOT NULL,
    first_used_at {text} NOT NULL
);
CREATE TABLE grades (
    run_id {text} NOT NULL REFERENCES runs (run_id),
    judge {text} NOT NULL REFERENCES judges (judge),
    question_id {text} NOT NULL,
    pipeline {text} NOT NULL,
    verdict {text},
    reason {text},
    composite {real},
    grades {json},
    unscored {text},
    consistent BOOLEAN,
    cost {real},
    tokens {integer},
    seconds {real},
    graded_at {text} NOT NULL,
    deed {integer} NOT NULL,
    PRIMARY KEY (run_id, judge, question_id, pipeline)
);

-- migration 12
-- A generated golden dataset has a name; each triplet of its line knows the passage that it was made from.
CREATE TABLE named_datasets (
    name {text} PRIMARY KEY,
    line {text} NOT NULL REFERENCES golden_datasets (golden_id),
    made_at {text} NOT NULL
);
CREATE TABLE passages (
    line {text} NOT NULL REFERENCES golden_datasets (golden_id),
    question_id {text} NOT NULL,
    chunk {text} NOT NULL,
    document {text} NOT NULL,
    document_hash {text} NOT NULL,
    page {integer},
    last_page {integer},
    start_at {integer} NOT NULL,
    end_at {integer} NOT NULL,
    heading {text} NOT NULL,
    passage {text} NOT NULL,
    kind {text} NOT NULL,
    model {text} NOT NULL,
    prompt {text} NOT NULL,
    margin {real},
    note {text},
    flagged BOOLEAN NOT NULL,
    added_at {text} NOT NULL,
    PRIMARY KEY (line, question_id)
);

-- migration 13
-- Reviews: risks, sessions with their items, leases, views and decisions.
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
);
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
);
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
);
CREATE TABLE review_flags (
    session {text} NOT NULL REFERENCES review_sessions (session),
    question_id {text} NOT NULL,
    source {text} NOT NULL,
    detail {text} NOT NULL,
    PRIMARY KEY (session, question_id, source)
);
CREATE TABLE review_leases (
    session {text} NOT NULL,
    item {integer} NOT NULL,
    reader {text} NOT NULL,
    given_at {text} NOT NULL,
    expires_at {text} NOT NULL,
    draft {json} NOT NULL,
    PRIMARY KEY (session, item, reader),
    FOREIGN KEY (session, item) REFERENCES review_items (session, item)
);
CREATE TABLE review_views (
    session {text} NOT NULL,
    item {integer} NOT NULL,
    viewer {text} NOT NULL,
    PRIMARY KEY (session, item, viewer),
    FOREIGN KEY (session, item) REFERENCES review_items (session, item)
);
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
);
CREATE UNIQUE INDEX review_decision_in_force ON review_decisions (session, item, reader) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX review_adjudication_in_force ON review_decisions (session, item)
    WHERE ended_at IS NULL AND adjudicates;

-- migration 14
-- Whether a label's response was offered at random, null where nobody knows; and a person's links to views of a
-- run.
ALTER TABLE labels ADD COLUMN comment {text};
ALTER TABLE labels ADD COLUMN drawn BOOLEAN;
CREATE TABLE saved_views (
    run_id {text} NOT NULL REFERENCES runs (run_id),
    name {text} NOT NULL,
    page {text} NOT NULL,
    parameters {json} NOT NULL,
    saved_by {text},
    saved_at {text} NOT NULL,
    deed {integer} NOT NULL,
    PRIMARY KEY (run_id, name)
);

-- migration 15
-- A team: projects, members, accounts, sign-ins and tokens.
CREATE TABLE projects (
    project {text} PRIMARY KEY,
    made_at {text} NOT NULL
);
CREATE TABLE project_golden (
    project {text} NOT NULL REFERENCES projects (project),
    golden_id {text} NOT NULL REFERENCES golden_datasets (golden_id),
    PRIMARY KEY (project, golden_id)
);
CREATE TABLE members (
    project {text} NOT NULL,
    subject {text} NOT NULL,
    role {text} NOT NULL,
    given_at {text} NOT NULL,
    PRIMARY KEY (project, subject)
);
CREATE TABLE accounts (
    name {text} PRIMARY KEY,
    password {text} NOT NULL,
    made_at {text} NOT NULL
);
CREATE TABLE sign_ins (
    key {text} PRIMARY KEY,
    subject {text} NOT NULL,
    name {text} NOT NULL,
    source {text} NOT NULL,
    began_at {text} NOT NULL,
    seen_at {text} NOT NULL,
    expires_at {text} NOT NULL
);
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
);
ALTER TABLE run_records ADD COLUMN project {text} REFERENCES projects (project);
ALTER TABLE audit ADD COLUMN subject {text};

-- migration 16
-- What a judge found of triplets beside their passages.
CREATE TABLE triplet_findings (
    line {text} NOT NULL REFERENCES golden_datasets (golden_id),
    question_id {text} NOT NULL,
    question {text} NOT NULL,
    answer {text} NOT NULL,
    fact {text},
    finding {text} NOT NULL,
    quotation {text},
    why {text},
    repaired_answer {text},
    repaired_fact {text},
    gate {text},
    model {text} NOT NULL,
    judged_at {text} NOT NULL,
    deed {integer} NOT NULL,
    PRIMARY KEY (line, question_id)
);

-- migration 17
-- What the servers of a workspace count together: how often somebody may ask, and what they hold at this moment.
CREATE TABLE rates (
    key {text} PRIMARY KEY,
    tokens {real} NOT NULL,
    filled_at {real} NOT NULL
);
CREATE TABLE holdings (
    server {text} NOT NULL,
    kind {text} NOT NULL,
    subject {text} NOT NULL,
    amount {integer} NOT NULL,
    seen_at {real} NOT NULL,
    PRIMARY KEY (server, kind, subject)
);

-- migration 18
-- Who somebody is comes from a provider or a proxy. Roles that accounts and tokens had stay under subjects that nobody
-- can have, so that no name at a provider gets them by accident.
UPDATE members SET subject = 'account:' || subject WHERE subject IN (SELECT name FROM accounts);
DELETE FROM members WHERE substr(subject, 1, 6) = 'token:';
DELETE FROM sign_ins WHERE source = 'accounts';
DROP TABLE accounts;
DROP TABLE api_tokens;
DROP TABLE rates;

-- migration 19
-- Other forms of golden answers that a model proposed, with what proves them or speaks against them.
CREATE TABLE answer_forms (
    line {text} NOT NULL REFERENCES golden_datasets (golden_id),
    question_id {text} NOT NULL,
    form {text} NOT NULL,
    question {text} NOT NULL,
    fact {text} NOT NULL,
    status {text} NOT NULL,
    reason {text} NOT NULL,
    model {text} NOT NULL,
    proposed_at {text} NOT NULL,
    deed {integer} NOT NULL,
    PRIMARY KEY (line, question_id, form)
);

-- migration 20
-- What people decided against a run's recommendation, why, and who confirmed it.
ALTER TABLE run_records ADD COLUMN override {json};

-- migration 21
-- Of a follow-up, a line each: the question and the answer before it, and the follow-up as it is put.
ALTER TABLE passages ADD COLUMN turns {text};

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
