"""The index's tables as queries name them, and the texts that people may write into them: names, tags, notes.

A new index is made of them; what brings an older one up stands in migrations.sql. Texts are kept in Unicode's NFC, and
shown as text alone.
"""

import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from typing import Any, get_args, get_type_hints

import polars as pl
import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.types import TypeEngine

from qaviz.model.errors import stop

TABLES = sa.MetaData()

JsonObject = Mapping[str, Any]
"""What a column of JSON holds: its shape belongs to the room that writes it."""

_KINDS: Mapping[str, TypeEngine[Any]] = {
    "text": sa.Text().with_variant(sa.Text(collation="C"), "postgresql"),  # compared byte by byte, as in SQLite
    "boolean": sa.Boolean(),
    "bytes": sa.LargeBinary(),
    "integer": sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
    "json": sa.JSON(),
    "json?": sa.JSON(none_as_null=True),
    "real": sa.Double().with_variant(sa.REAL(), "sqlite"),
}
"""By its name in `_table`; `json?` keeps None as NULL, not as JSON's null."""

_COLUMN = re.compile(r"(?P<key>\*?)(?P<name>\w+)(?: (?P<kind>\w+))?(?P<missing>\??)(?: > (?P<parent>\w+))?")


@compiles(sa.JSON, "sqlite")
def _spell_json(_kind: sa.JSON, _compiler: object, **_options: object) -> str:
    """TEXT: a column that SQLite knows as JSON would turn the text 1.50 into the number 1.5."""
    return "TEXT"


def _table(name: str, columns: str, *rules: sa.schema.SchemaItem, **sqlite: bool) -> sa.Table:
    """A table with these columns, its other rules, and options of SQLite.

    A column is its name, its kind unless it holds text, `?` where it may be missing, and the table `> behind` to whose
    key it refers. `*` marks the key; of the kind `counter` it is a number that is counted up.
    """
    made = []
    for written in columns.split(", "):
        column = _COLUMN.fullmatch(written)
        assert column, written
        kind, is_counter = column["kind"] or "text", column["kind"] == "counter"
        parent = [f"{column['parent']}.{PARENT_KEYS[column['parent']]}"] if column["parent"] else []
        made.append(
            sa.Column(
                column["name"],
                _KINDS["integer" if is_counter else "json?" if written.endswith("json?") else kind],
                *map(sa.ForeignKey, parent),
                *([sa.Identity(always=False)] if is_counter else []),
                primary_key=bool(column["key"]),
                nullable=bool(column["missing"]),
                autoincrement=is_counter,
            )
        )
    options: dict[str, Any] = {f"sqlite_{option}": value for option, value in sqlite.items()}
    return sa.Table(name, TABLES, *made, *rules, **options)


PARENT_KEYS: Mapping[str, str] = {
    "golden_datasets": "golden_id",
    "judges": "judge",
    "review_sessions": "session",
    "runs": "run_id",
}
"""By the table that other tables refer to: its key."""

_OF_FIELDS: Mapping[object, pl.DataType] = {
    str: pl.String(),
    int: pl.Int64(),
    float: pl.Float64(),
    bool: pl.Boolean(),
    datetime: pl.Datetime("us", "UTC"),
    list[str]: pl.List(pl.String()),
}


def frame_schema(table: sa.Table, *without: str) -> pl.Schema:
    """The columns of the table but these, in order and with their kinds, as a table in memory has them."""
    return pl.Schema(
        {column.name: _OF_FIELDS[column.type.python_type] for column in table.c if column.name not in without}
    )


def row_schema(row: type) -> pl.Schema:
    """The columns of a table whose rows have the fields of this type, some of them null."""
    fields = get_type_hints(row).items()
    return pl.Schema({name: _OF_FIELDS[kind if kind in _OF_FIELDS else get_args(kind)[0]] for name, kind in fields})


MIGRATIONS_TABLE = _table("migrations", "*version integer, applied_at")
GOLDEN_TABLE = _table("golden_datasets", "*golden_id, questions integer, created_at, checksum")
RUNS_TABLE = _table(
    "runs",
    "*run_id, name, created_at, golden_id > golden_datasets, pipelines json, questions integer, responses integer, "
    "thresholds json, engine, sources json, listed_counts json, rows_checksum, listed_checksum, deed integer?",
    sa.UniqueConstraint("name"),
)
VERIFICATIONS_TABLE = _table(
    "verifications",
    "run_id > runs, verified_at, version, compared integer, differences integer, deed integer?",
)
BERTSCORES_TABLE = _table("bertscores", "*model, *pair bytes, bertscore real", with_rowid=False)
LABELS_TABLE = _table(
    "labels",
    "*number counter, run_id > runs, question_id, pipeline, label, labelled_by, labelled_at, deed integer?, comment?, "
    "drawn boolean?",
    sa.Index("labels_of_run", "run_id", "labelled_by"),
    autoincrement=True,
)
GOLDEN_VERSIONS_TABLE = _table(
    "golden_versions",
    "*line > golden_datasets, *number integer, golden_id > golden_datasets, parent > golden_datasets, made_at, "
    "made_by, why, deed integer?",
    sa.Index("lines_of_golden", "golden_id"),
)
GOLDEN_EDITS_TABLE = _table(
    "golden_edits",
    "*line, *number integer, *place integer, question_id, field, before?, after?, rule?",
    sa.ForeignKeyConstraint(["line", "number"], ["golden_versions.line", "golden_versions.number"]),
)
REJECTIONS_TABLE = _table(
    "rejections", "*line > golden_datasets, *question_id, *rule, *proposed, rejected_by, rejected_at"
)
POLICIES_TABLE = _table("policies", "*number counter, policy json, set_at")
MAPPING_PROFILES_TABLE = _table(
    "mapping_profiles",
    "*name, role, columns json, mapping json, saved_by?, saved_at, deed integer",
)
RUN_RECORDS_TABLE = _table(
    "run_records",
    "*run_id > runs, owner?, tags json, notes, archived_at?, archived_by?, deleted_at?, deleted_by?, deleted_name?, "
    "provenance json?, override json?",
)
AUDIT_TABLE = _table("audit", "*number integer, at, who?, what, about, detail, hash, subject?, rows_hash?")
JUDGES_TABLE = _table("judges", "*judge, model, description json, first_used_at")
GRADES_TABLE = _table(
    "grades",
    "*run_id > runs, *judge > judges, *question_id, *pipeline, verdict?, reason?, composite real?, grades json?, "
    "unscored?, consistent boolean?, cost real?, tokens integer?, seconds real?, graded_at, deed integer",
)
NAMED_DATASETS_TABLE = _table("named_datasets", "*name, line > golden_datasets, made_at")
PASSAGES_TABLE = _table(
    "passages",
    "*line > golden_datasets, *question_id, chunk, document, document_hash, page integer?, last_page integer?, "
    "start_at integer, end_at integer, heading, passage, kind, model, prompt, margin real?, note?, flagged boolean, "
    "added_at, turns?, evidence?",
)
TRIPLET_CORRECTIONS_TABLE = _table(
    "triplet_corrections",
    "*dataset, *question_id, question, answer, fact, confirmed boolean, corrected_by?, corrected_at",
)
TRIPLET_FINDINGS_TABLE = _table(
    "triplet_findings",
    "*line > golden_datasets, *question_id, question, answer, fact?, finding, quotation?, why?, repaired_answer?, "
    "repaired_fact?, gate?, model, judged_at, deed integer",
)
ANSWER_FORMS_TABLE = _table(
    "answer_forms",
    "*line > golden_datasets, *question_id, *form, question, fact, status, reason, model, proposed_at, deed integer",
)
RISKS_TABLE = _table(
    "risks",
    "*number counter, line > golden_datasets, category, severity, likelihood, level, reason, classified_by, "
    "classified_at, deed integer",
)
REVIEW_SESSIONS_TABLE = _table(
    "review_sessions",
    "*session, line > golden_datasets, golden_id > golden_datasets, category, level, population integer, at_most real, "
    "confidence real, sample integer, allowed_wrong integer, readers integer, pool json, own_findings json, "
    "guidelines, seed integer, started_by, started_at, closed_at?, deed integer",
)
REVIEW_ITEMS_TABLE = _table(
    "review_items",
    "*session > review_sessions, *item integer, place real, question_id, drawn, repeat_of integer?, triplet, chunk?, "
    "document?",
)


def _of_item() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["session", "item"], ["review_items.session", "review_items.item"])


REVIEW_FLAGS_TABLE = _table("review_flags", "*session > review_sessions, *question_id, *source, detail")
REVIEW_DRAFTS_TABLE = _table("review_drafts", "*session, *item integer, *reader, draft json, written_at", _of_item())
REVIEW_VIEWS_TABLE = _table("review_views", "*session, *item integer, *viewer", _of_item())


def _one_where(condition: str, name: str, *columns: str) -> sa.Index:
    """An index by which at most one row that meets the condition has the same in these columns."""
    where = sa.text(condition)
    return sa.Index(name, *columns, unique=True, sqlite_where=where, postgresql_where=where)


REVIEW_DECISIONS_TABLE = _table(
    "review_decisions",
    "*number counter, session, item integer, reader, adjudicates boolean, action, findings json, note, question?, "
    "answer?, fact?, seconds real?, triplet, chunk?, decided_at, ended_at?, ended_why?, applied integer?, deed integer",
    _of_item(),
    _one_where("ended_at IS NULL", "review_decision_in_force", "session", "item", "reader"),
    _one_where("ended_at IS NULL AND adjudicates", "review_adjudication_in_force", "session", "item"),
    autoincrement=True,
)
MEMBERS_TABLE = _table("members", "*subject, role, reviews boolean, given_at")
IDENTITIES_TABLE = _table("identities", "*subject, earlier, name, mapped_at", sa.UniqueConstraint("earlier"))


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
        words = "no text"
    elif len(kept) > longest:
        words = f"{len(kept):,} characters"
    elif _NOT_IN_A_NAME.search(kept):
        words = f"a control character in {kept!a}"
    else:
        return kept
    raise stop(where, words, f"1 to {longest:,} characters on one line", "Write it otherwise.")


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
