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
    listed_counts {json} NOT NULL,
    rows_checksum {text} NOT NULL,
    listed_checksum {text} NOT NULL,
    deed {integer}
);
CREATE TABLE verifications (
    run_id {text} NOT NULL REFERENCES runs (run_id),
    verified_at {text} NOT NULL,
    version {text} NOT NULL,
    compared {integer} NOT NULL,
    differences {integer} NOT NULL,
    deed {integer}
);
CREATE TABLE bertscores (
    model {text} NOT NULL,
    pair {bytes} NOT NULL,
    bertscore {real} NOT NULL,
    PRIMARY KEY (model, pair)
) {without_rowid};
CREATE TABLE labels (
    number {number_key},
    run_id {text} NOT NULL REFERENCES runs (run_id),
    question_id {text} NOT NULL,
    pipeline {text} NOT NULL,
    label {text} NOT NULL,
    labelled_by {text} NOT NULL,
    labelled_at {text} NOT NULL,
    deed {integer},
    comment {text},
    drawn BOOLEAN
);
CREATE INDEX labels_of_run ON labels (run_id, labelled_by);
CREATE TABLE golden_versions (
    line {text} NOT NULL REFERENCES golden_datasets (golden_id),
    number {integer} NOT NULL,
    golden_id {text} NOT NULL REFERENCES golden_datasets (golden_id),
    parent {text} NOT NULL REFERENCES golden_datasets (golden_id),
    made_at {text} NOT NULL,
    made_by {text} NOT NULL,
    why {text} NOT NULL,
    deed {integer},
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
CREATE TABLE policies (
    number {row_key},
    policy {json} NOT NULL,
    set_at {text} NOT NULL
);
CREATE TABLE projects (
    project {text} PRIMARY KEY,
    made_at {text} NOT NULL
);
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
    provenance {json},
    project {text} REFERENCES projects (project),
    override {json}
);
CREATE TABLE audit (
    number {integer} PRIMARY KEY,
    at {text} NOT NULL,
    who {text},
    what {text} NOT NULL,
    about {text} NOT NULL,
    detail {text} NOT NULL,
    hash {text} NOT NULL,
    subject {text}
);
CREATE TABLE mapping_profiles (
    name {text} PRIMARY KEY,
    role {text} NOT NULL,
    columns {json} NOT NULL,
    mapping {json} NOT NULL,
    saved_by {text},
    saved_at {text} NOT NULL,
    deed {integer} NOT NULL
);
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
    turns {text},
    PRIMARY KEY (line, question_id)
);
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
CREATE TABLE sign_ins (
    key {text} PRIMARY KEY,
    subject {text} NOT NULL,
    name {text} NOT NULL,
    source {text} NOT NULL,
    began_at {text} NOT NULL,
    seen_at {text} NOT NULL,
    expires_at {text} NOT NULL
);
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
CREATE TABLE holdings (
    server {text} NOT NULL,
    kind {text} NOT NULL,
    subject {text} NOT NULL,
    amount {integer} NOT NULL,
    seen_at {real} NOT NULL,
    PRIMARY KEY (server, kind, subject)
);
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
