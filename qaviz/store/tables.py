"""The index's tables as queries name them. What makes them in a database stands in migrations.sql."""

from collections.abc import Mapping
from typing import Any

import polars as pl
import sqlalchemy as sa
from sqlalchemy.types import TypeEngine

TABLES = sa.MetaData()

JsonObject = Mapping[str, Any]
"""What a column of JSON holds: its shape belongs to the room that writes it."""

_KINDS: dict[str, TypeEngine[Any]] = {
    "": sa.Text(),
    "boolean": sa.Boolean(),
    "bytes": sa.LargeBinary(),
    "integer": sa.BigInteger(),
    "json": sa.JSON(),
    "json?": sa.JSON(none_as_null=True),
    "real": sa.Float(),
}
"""By its name in `_table`; `json?` keeps None as NULL, not as JSON's null."""


def _table(name: str, columns: str) -> sa.Table:
    """A table with these columns: `*` marks those of the key, and the kind stands behind all but texts."""
    parts = (column.partition(" ") for column in columns.split(", "))
    made = (sa.Column(column.strip("*"), _KINDS[kind], primary_key="*" in column) for column, _, kind in parts)
    return sa.Table(name, TABLES, *made)


_IN_MEMORY = {sa.Text: pl.String(), sa.Boolean: pl.Boolean(), sa.BigInteger: pl.Int64(), sa.Float: pl.Float64()}


def frame_schema(table: sa.Table, *without: str) -> pl.Schema:
    """The columns of the table but these, in order and with their kinds, as a table in memory has them."""
    return pl.Schema({column.name: _IN_MEMORY[type(column.type)] for column in table.c if column.name not in without})


MIGRATIONS_TABLE = _table("migrations", "*version integer, applied_at")
PROJECTS_TABLE = _table("projects", "*project, made_at")
GOLDEN_TABLE = _table("golden_datasets", "*golden_id, questions integer, created_at, checksum")
RUNS_TABLE = _table(
    "runs",
    "*run_id, name, created_at, golden_id, pipelines json, questions integer, responses integer, thresholds json, "
    "engine, sources json, listed_counts json, rows_checksum, listed_checksum, deed integer",
)
VERIFICATIONS_TABLE = _table(
    "verifications",
    "run_id, verified_at, version, compared integer, differences integer, deed integer",
)
BERTSCORES_TABLE = _table("bertscores", "*model, *pair bytes, bertscore real")
LABELS_TABLE = _table(
    "labels",
    "*number integer, run_id, question_id, pipeline, label, labelled_by, labelled_at, deed integer, comment, "
    "drawn boolean",
)
SAVED_VIEWS_TABLE = _table("saved_views", "*run_id, *name, page, parameters json, saved_by, saved_at, deed integer")
GOLDEN_VERSIONS_TABLE = _table(
    "golden_versions",
    "*line, *number integer, golden_id, parent, made_at, made_by, why, deed integer",
)
GOLDEN_EDITS_TABLE = _table(
    "golden_edits",
    "*line, *number integer, *place integer, question_id, field, before, after, rule",
)
REJECTIONS_TABLE = _table("rejections", "*line, *question_id, *rule, *proposed, rejected_by, rejected_at")
POLICIES_TABLE = _table("policies", "*number integer, policy json, set_at")
MAPPING_PROFILES_TABLE = _table(
    "mapping_profiles",
    "*name, role, columns json, mapping json, saved_by, saved_at, deed integer",
)
RUN_RECORDS_TABLE = _table(
    "run_records",
    "*run_id, owner, tags json, notes, archived_at, archived_by, deleted_at, deleted_by, deleted_name, "
    "provenance json?, project, override json?",
)
AUDIT_TABLE = _table("audit", "*number integer, at, who, what, about, detail, hash, subject")
JUDGES_TABLE = _table("judges", "*judge, model, description json, first_used_at")
GRADES_TABLE = _table(
    "grades",
    "*run_id, *judge, *question_id, *pipeline, verdict, reason, composite real, grades json?, unscored, "
    "consistent boolean, cost real, tokens integer, seconds real, graded_at, deed integer",
)
NAMED_DATASETS_TABLE = _table("named_datasets", "*name, line, made_at")
PASSAGES_TABLE = _table(
    "passages",
    "*line, *question_id, chunk, document, document_hash, page integer, last_page integer, start_at integer, "
    "end_at integer, heading, passage, kind, model, prompt, margin real, note, flagged boolean, added_at, "
    "turns",
)
TRIPLET_FINDINGS_TABLE = _table(
    "triplet_findings",
    "*line, *question_id, question, answer, fact, finding, quotation, why, repaired_answer, repaired_fact, gate, "
    "model, judged_at, deed integer",
)
ANSWER_FORMS_TABLE = _table(
    "answer_forms", "*line, *question_id, *form, question, fact, status, reason, model, proposed_at, deed integer"
)
RISKS_TABLE = _table(
    "risks",
    "*number integer, line, category, severity, likelihood, level, reason, classified_by, classified_at, deed integer",
)
REVIEW_SESSIONS_TABLE = _table(
    "review_sessions",
    "*session, line, golden_id, category, level, population integer, at_most real, confidence real, sample integer, "
    "allowed_wrong integer, readers integer, pool json, own_findings json, guidelines, seed integer, started_by, "
    "started_at, closed_at, deed integer",
)
REVIEW_ITEMS_TABLE = _table(
    "review_items",
    "*session, *item integer, place real, question_id, drawn, repeat_of integer, triplet, chunk, document",
)
REVIEW_FLAGS_TABLE = _table("review_flags", "*session, *question_id, *source, detail")
REVIEW_LEASES_TABLE = _table("review_leases", "*session, *item integer, *reader, given_at, expires_at, draft json")
REVIEW_VIEWS_TABLE = _table("review_views", "*session, *item integer, *viewer")
REVIEW_DECISIONS_TABLE = _table(
    "review_decisions",
    "*number integer, session, item integer, reader, adjudicates boolean, action, findings json, note, question, "
    "answer, fact, seconds real, triplet, chunk, decided_at, ended_at, ended_why, applied integer, deed integer",
)
PROJECT_GOLDEN_TABLE = _table("project_golden", "*project, *golden_id")
MEMBERS_TABLE = _table("members", "*project, *subject, role, given_at")
SIGN_INS_TABLE = _table("sign_ins", "*key, subject, name, source, began_at, seen_at, expires_at")
HOLDINGS_TABLE = _table("holdings", "*server, *kind, *subject, amount integer, seen_at real")
