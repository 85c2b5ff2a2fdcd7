"""The index's tables as queries name them, and the texts that people may write into them: names, tags, notes.

What makes the tables in a database stands in migrations.sql. Texts are kept in Unicode's NFC, and shown as text alone.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

import polars as pl
import sqlalchemy as sa
from sqlalchemy.types import TypeEngine

from qaviz.model.errors import stop

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
AUDIT_TABLE = _table("audit", "*number integer, at, who, what, about, detail, hash, subject, rows_hash")
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
    "turns, evidence",
)
TRIPLET_CORRECTIONS_TABLE = _table(
    "triplet_corrections",
    "*dataset, *question_id, question, answer, fact, confirmed boolean, corrected_by, corrected_at",
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
REVIEW_DRAFTS_TABLE = _table("review_drafts", "*session, *item integer, *reader, draft json, written_at")
REVIEW_VIEWS_TABLE = _table("review_views", "*session, *item integer, *viewer")
REVIEW_DECISIONS_TABLE = _table(
    "review_decisions",
    "*number integer, session, item integer, reader, adjudicates boolean, action, findings json, note, question, "
    "answer, fact, seconds real, triplet, chunk, decided_at, ended_at, ended_why, applied integer, deed integer",
)
PROJECT_GOLDEN_TABLE = _table("project_golden", "*project, *golden_id")
MEMBERS_TABLE = _table("members", "*project, *subject, role, given_at")


LONGEST_NAME = 120
"""Characters in a name, of a run or a person."""

NAME_OF_RUN = "name of the run"
NAME_OF_PERSON = "your name"

_STEERS = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
"""Control characters, line separators, the marks that make text run backwards, and halves of characters."""
_UNSEEN = r"\u200b\u2060-\u2064\ufeff"
"""Characters without width that no script needs: two names that differ by one look alike. Joiners of emoji stay."""
_NOT_IN_A_NAME = re.compile(rf"[{_STEERS}{_UNSEEN}\t\n]")
_NOT_IN_A_TEXT = re.compile(rf"[{_STEERS}]")


def as_kept(name: str) -> str:
    """The name as it is kept: without blanks at its ends, in Unicode's NFC."""
    return unicodedata.normalize("NFC", name.strip())


def checked_name(name: str, where: str, longest: int = LONGEST_NAME) -> str:
    """The name as it is kept. Raises QavizError if it will not do `where` it stands."""
    kept = as_kept(name)
    if not kept:
        words = "a blank name"
    elif len(kept) > longest:
        words = f"a name of {len(kept)} characters"
    elif _NOT_IN_A_NAME.search(kept):
        words = f"a control character in the name {kept!a}"
    else:
        return kept
    raise stop(where, words, f"1 to {longest} characters on one line", "Choose another name.")


def checked_text(text: str, where: str, longest: int) -> str:
    """A text of several lines as it is kept; it may be empty. Raises QavizError if it is too long, or steers a screen.

    Its lines end as on every system: `\\n`.
    """
    kept = as_kept("\n".join(text.splitlines()))
    if len(kept) > longest:
        raise stop(where, f"{len(kept):,} characters", f"at most {longest:,} characters", "Make it shorter.")
    if _NOT_IN_A_TEXT.search(kept):
        raise stop(where, "a control character", "letters, marks and line breaks", "Type it again.")
    return kept


def on_one_line(text: str, longest: int) -> str:
    """The text as a remark in a list: one line, cut to so many characters, with nothing in it that steers a screen."""
    line = _NOT_IN_A_NAME.sub("\ufffd", " ".join(as_kept(text).split()))
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
