"""The index's tables as queries name them. What makes them in a database stands in `qaviz.store.migrations`."""

import sqlalchemy as sa

TABLES = sa.MetaData()


def _texts(*names: str) -> list[sa.Column[str]]:
    """Columns of text, in this order."""
    return [sa.Column(name, sa.Text) for name in names]


MIGRATIONS_TABLE = sa.Table("migrations", TABLES, sa.Column("version", sa.Integer), sa.Column("applied_at", sa.Text))

PROJECTS_TABLE = sa.Table(
    "projects", TABLES, sa.Column("project", sa.Text, primary_key=True), sa.Column("made_at", sa.Text)
)

GOLDEN_TABLE = sa.Table(
    "golden_datasets",
    TABLES,
    sa.Column("golden_id", sa.Text, primary_key=True),
    sa.Column("questions", sa.Integer),
    sa.Column("created_at", sa.Text),
    sa.Column("checksum", sa.Text),
)

RUNS_TABLE = sa.Table(
    "runs",
    TABLES,
    sa.Column("run_id", sa.Text, primary_key=True),
    *_texts("name", "created_at", "golden_id"),
    sa.Column("pipelines", sa.JSON),
    sa.Column("questions", sa.Integer),
    sa.Column("responses", sa.Integer),
    sa.Column("thresholds", sa.JSON),
    sa.Column("engine", sa.Text),
    sa.Column("sources", sa.JSON),
    sa.Column("listed_counts", sa.JSON),
    sa.Column("rows_checksum", sa.Text),
    sa.Column("listed_checksum", sa.Text),
    sa.Column("deed", sa.Integer),
)

VERIFICATIONS_TABLE = sa.Table(
    "verifications",
    TABLES,
    *_texts("run_id", "verified_at", "version"),
    sa.Column("compared", sa.Integer),
    sa.Column("differences", sa.Integer),
    sa.Column("deed", sa.Integer),
)

BERTSCORES_TABLE = sa.Table(
    "bertscores",
    TABLES,
    sa.Column("model", sa.Text, primary_key=True),
    sa.Column("pair", sa.LargeBinary, primary_key=True),
    sa.Column("bertscore", sa.Float),
)

LABELS_TABLE = sa.Table(
    "labels",
    TABLES,
    sa.Column("number", sa.Integer, primary_key=True),
    *_texts("run_id", "question_id", "pipeline", "label", "labelled_by", "labelled_at"),
    sa.Column("deed", sa.Integer),
    sa.Column("comment", sa.Text),
    sa.Column("drawn", sa.Boolean),
)

SAVED_VIEWS_TABLE = sa.Table(
    "saved_views",
    TABLES,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("page", sa.Text),
    sa.Column("parameters", sa.JSON),
    sa.Column("saved_by", sa.Text),
    sa.Column("saved_at", sa.Text),
    sa.Column("deed", sa.BigInteger),
)

GOLDEN_VERSIONS_TABLE = sa.Table(
    "golden_versions",
    TABLES,
    sa.Column("line", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    *_texts("golden_id", "parent", "made_at", "made_by", "why"),
    sa.Column("deed", sa.Integer),
)

GOLDEN_EDITS_TABLE = sa.Table(
    "golden_edits",
    TABLES,
    sa.Column("line", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True),
    *_texts("question_id", "field", "before", "after", "rule"),
)

REJECTIONS_TABLE = sa.Table(
    "rejections",
    TABLES,
    sa.Column("line", sa.Text, primary_key=True),
    sa.Column("question_id", sa.Text, primary_key=True),
    sa.Column("rule", sa.Text, primary_key=True),
    sa.Column("proposed", sa.Text, primary_key=True),
    sa.Column("rejected_by", sa.Text),
    sa.Column("rejected_at", sa.Text),
)

POLICIES_TABLE = sa.Table(
    "policies",
    TABLES,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("policy", sa.JSON),
    sa.Column("set_at", sa.Text),
)

MAPPING_PROFILES_TABLE = sa.Table(
    "mapping_profiles",
    TABLES,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("role", sa.Text),
    sa.Column("columns", sa.JSON),
    sa.Column("mapping", sa.JSON),
    sa.Column("saved_by", sa.Text),
    sa.Column("saved_at", sa.Text),
    sa.Column("deed", sa.BigInteger),
)

RUN_RECORDS_TABLE = sa.Table(
    "run_records",
    TABLES,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text),
    sa.Column("tags", sa.JSON),
    *_texts("notes", "archived_at", "archived_by", "deleted_at", "deleted_by", "deleted_name"),
    sa.Column("provenance", sa.JSON(none_as_null=True)),
    sa.Column("project", sa.Text),
)

AUDIT_TABLE = sa.Table(
    "audit",
    TABLES,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    *_texts("at", "who", "what", "about", "detail", "hash", "subject"),
)

JUDGES_TABLE = sa.Table(
    "judges",
    TABLES,
    sa.Column("judge", sa.Text, primary_key=True),
    sa.Column("model", sa.Text),
    sa.Column("description", sa.JSON),
    sa.Column("first_used_at", sa.Text),
)

GRADES_TABLE = sa.Table(
    "grades",
    TABLES,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("judge", sa.Text, primary_key=True),
    sa.Column("question_id", sa.Text, primary_key=True),
    sa.Column("pipeline", sa.Text, primary_key=True),
    sa.Column("verdict", sa.Text),
    sa.Column("reason", sa.Text),
    sa.Column("composite", sa.Float),
    sa.Column("grades", sa.JSON(none_as_null=True)),
    sa.Column("unscored", sa.Text),
    sa.Column("consistent", sa.Boolean),
    sa.Column("cost", sa.Float),
    sa.Column("tokens", sa.BigInteger),
    sa.Column("seconds", sa.Float),
    sa.Column("graded_at", sa.Text),
    sa.Column("deed", sa.BigInteger),
)

NAMED_DATASETS_TABLE = sa.Table(
    "named_datasets",
    TABLES,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("line", sa.Text),
    sa.Column("made_at", sa.Text),
)

PASSAGES_TABLE = sa.Table(
    "passages",
    TABLES,
    sa.Column("line", sa.Text, primary_key=True),
    sa.Column("question_id", sa.Text, primary_key=True),
    *_texts("chunk", "document", "document_hash"),
    sa.Column("page", sa.Integer),
    sa.Column("last_page", sa.Integer),
    sa.Column("start_at", sa.Integer),
    sa.Column("end_at", sa.Integer),
    *_texts("heading", "passage", "kind", "model", "prompt"),
    sa.Column("margin", sa.Float),
    sa.Column("note", sa.Text),
    sa.Column("flagged", sa.Boolean),
    sa.Column("added_at", sa.Text),
)

TRIPLET_FINDINGS_TABLE = sa.Table(
    "triplet_findings",
    TABLES,
    sa.Column("line", sa.Text, primary_key=True),
    sa.Column("question_id", sa.Text, primary_key=True),
    *_texts(
        "question",
        "answer",
        "fact",
        "finding",
        "quotation",
        "why",
        "repaired_answer",
        "repaired_fact",
        "gate",
        "model",
        "judged_at",
    ),
    sa.Column("deed", sa.BigInteger),
)

RISKS_TABLE = sa.Table(
    "risks",
    TABLES,
    sa.Column("number", sa.Integer, primary_key=True),
    *_texts("line", "category", "severity", "likelihood", "level", "reason", "classified_by", "classified_at"),
    sa.Column("deed", sa.BigInteger),
)

REVIEW_SESSIONS_TABLE = sa.Table(
    "review_sessions",
    TABLES,
    sa.Column("session", sa.Text, primary_key=True),
    *_texts("line", "golden_id", "category", "level"),
    sa.Column("population", sa.BigInteger),
    sa.Column("at_most", sa.Float),
    sa.Column("confidence", sa.Float),
    sa.Column("sample", sa.BigInteger),
    sa.Column("allowed_wrong", sa.BigInteger),
    sa.Column("readers", sa.BigInteger),
    sa.Column("pool", sa.JSON),
    sa.Column("own_findings", sa.JSON),
    sa.Column("guidelines", sa.Text),
    sa.Column("seed", sa.BigInteger),
    *_texts("started_by", "started_at", "closed_at"),
    sa.Column("deed", sa.BigInteger),
)

REVIEW_ITEMS_TABLE = sa.Table(
    "review_items",
    TABLES,
    sa.Column("session", sa.Text, primary_key=True),
    sa.Column("item", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("place", sa.Float),
    sa.Column("question_id", sa.Text),
    sa.Column("drawn", sa.Text),
    sa.Column("repeat_of", sa.BigInteger),
    *_texts("triplet", "chunk", "document"),
)

REVIEW_FLAGS_TABLE = sa.Table(
    "review_flags",
    TABLES,
    sa.Column("session", sa.Text, primary_key=True),
    sa.Column("question_id", sa.Text, primary_key=True),
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("detail", sa.Text),
)

REVIEW_LEASES_TABLE = sa.Table(
    "review_leases",
    TABLES,
    sa.Column("session", sa.Text, primary_key=True),
    sa.Column("item", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("reader", sa.Text, primary_key=True),
    sa.Column("given_at", sa.Text),
    sa.Column("expires_at", sa.Text),
    sa.Column("draft", sa.JSON),
)

REVIEW_VIEWS_TABLE = sa.Table(
    "review_views",
    TABLES,
    sa.Column("session", sa.Text, primary_key=True),
    sa.Column("item", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("viewer", sa.Text, primary_key=True),
)

REVIEW_DECISIONS_TABLE = sa.Table(
    "review_decisions",
    TABLES,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("session", sa.Text),
    sa.Column("item", sa.BigInteger),
    sa.Column("reader", sa.Text),
    sa.Column("adjudicates", sa.Boolean),
    sa.Column("action", sa.Text),
    sa.Column("findings", sa.JSON),
    *_texts("note", "question", "answer", "fact"),
    sa.Column("seconds", sa.Float),
    *_texts("triplet", "chunk", "decided_at", "ended_at", "ended_why"),
    sa.Column("applied", sa.BigInteger),
    sa.Column("deed", sa.BigInteger),
)

PROJECT_GOLDEN_TABLE = sa.Table(
    "project_golden",
    TABLES,
    sa.Column("project", sa.Text, primary_key=True),
    sa.Column("golden_id", sa.Text, primary_key=True),
)

MEMBERS_TABLE = sa.Table(
    "members",
    TABLES,
    sa.Column("project", sa.Text, primary_key=True),
    sa.Column("subject", sa.Text, primary_key=True),
    sa.Column("role", sa.Text),
    sa.Column("given_at", sa.Text),
)

ACCOUNTS_TABLE = sa.Table(
    "accounts",
    TABLES,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("password", sa.Text),
    sa.Column("made_at", sa.Text),
)

SIGN_INS_TABLE = sa.Table(
    "sign_ins",
    TABLES,
    sa.Column("key", sa.Text, primary_key=True),
    *_texts("subject", "name", "source", "began_at", "seen_at", "expires_at"),
)

API_TOKENS_TABLE = sa.Table(
    "api_tokens",
    TABLES,
    sa.Column("token", sa.Text, primary_key=True),
    *_texts("hash", "name", "subject", "role", "project", "made_at", "expires_at", "revoked_at"),
)

RATES_TABLE = sa.Table(
    "rates",
    TABLES,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("tokens", sa.Float),
    sa.Column("filled_at", sa.Float),
)

HOLDINGS_TABLE = sa.Table(
    "holdings",
    TABLES,
    *(sa.Column(name, sa.Text, primary_key=True) for name in ("server", "kind", "subject")),
    sa.Column("amount", sa.BigInteger),
    sa.Column("seen_at", sa.Float),
)
