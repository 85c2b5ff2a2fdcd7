"""The index's tables (tables.toml) as queries name them, and the texts that people may write into them: names, tags,
notes. Texts are kept in Unicode's NFC, and shown as text alone.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
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
    **dict.fromkeys(("integer", "counter"), sa.BigInteger().with_variant(sa.Integer(), "sqlite")),
    "json": sa.JSON(),
    "json?": sa.JSON(none_as_null=True),
    "real": sa.Double().with_variant(sa.REAL(), "sqlite"),
}
"""By its name in tables.toml; `json?` keeps None as NULL, not as JSON's null."""

_COLUMN = re.compile(r"(?P<key>\*?)(?P<name>\w+)(?: (?P<kind>\w+))?(?P<missing>\??)(?: > (?P<parent>\w+))?")


@compiles(sa.JSON, "sqlite")
def _spell_json(_kind: sa.JSON, _compiler: object, **_options: object) -> str:
    """TEXT: a column that SQLite knows as JSON would turn the text 1.50 into the number 1.5."""
    return "TEXT"


def _make_column(written: str) -> sa.Column[Any]:
    column = _COLUMN.fullmatch(written)
    assert column, written
    kind = column["kind"] or "text"
    parent: Iterable[sa.Column[Any]] = TABLES.tables[column["parent"]].primary_key if column["parent"] else []
    return sa.Column(
        column["name"],
        _KINDS["json?" if written.endswith("json?") else kind],
        *map(sa.ForeignKey, parent),
        *([sa.Identity(always=False)] if kind == "counter" else []),
        primary_key=bool(column["key"]),
        nullable=bool(column["missing"]),
        autoincrement=kind == "counter",
    )


def _make_table(name: str, entry: Mapping[str, Any]) -> sa.Table:
    rules: list[sa.schema.SchemaItem] = [sa.UniqueConstraint(entry["unique"])] if "unique" in entry else []
    if refers := entry.get("refers"):
        rules.append(sa.ForeignKeyConstraint(refers["by"], [f"{refers['to']}.{column}" for column in refers["by"]]))
    for index in entry.get("indexes", ()):
        partial: dict[str, Any] = {}
        if "where" in index:
            partial = dict.fromkeys(("sqlite_where", "postgresql_where"), sa.text(index["where"])) | {"unique": True}
        rules.append(sa.Index(index["name"], *index["columns"], **partial))
    options = {f"sqlite_{option}": value for option, value in entry.get("sqlite", {}).items()}
    return sa.Table(name, TABLES, *map(_make_column, entry["columns"]), *rules, **options)


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


for _name, _entry in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items():
    _make_table(_name, _entry)
MIGRATIONS_TABLE = TABLES.tables["migrations"]
GOLDEN_DATASETS_TABLE = TABLES.tables["golden_datasets"]
RUNS_TABLE = TABLES.tables["runs"]
VERIFICATIONS_TABLE = TABLES.tables["verifications"]
BERTSCORES_TABLE = TABLES.tables["bertscores"]
LABELS_TABLE = TABLES.tables["labels"]
GOLDEN_VERSIONS_TABLE = TABLES.tables["golden_versions"]
GOLDEN_EDITS_TABLE = TABLES.tables["golden_edits"]
REJECTIONS_TABLE = TABLES.tables["rejections"]
POLICIES_TABLE = TABLES.tables["policies"]
RUN_RECORDS_TABLE = TABLES.tables["run_records"]
AUDIT_TABLE = TABLES.tables["audit"]
JUDGES_TABLE = TABLES.tables["judges"]
GRADES_TABLE = TABLES.tables["grades"]
NAMED_DATASETS_TABLE = TABLES.tables["named_datasets"]
PASSAGES_TABLE = TABLES.tables["passages"]
TRIPLET_CORRECTIONS_TABLE = TABLES.tables["triplet_corrections"]
TRIPLET_FINDINGS_TABLE = TABLES.tables["triplet_findings"]
ANSWER_FORMS_TABLE = TABLES.tables["answer_forms"]
RISKS_TABLE = TABLES.tables["risks"]
REVIEW_SESSIONS_TABLE = TABLES.tables["review_sessions"]
REVIEW_ITEMS_TABLE = TABLES.tables["review_items"]
REVIEW_FLAGS_TABLE = TABLES.tables["review_flags"]
REVIEW_DRAFTS_TABLE = TABLES.tables["review_drafts"]
REVIEW_DECISIONS_TABLE = TABLES.tables["review_decisions"]
MEMBERS_TABLE = TABLES.tables["members"]
IDENTITIES_TABLE = TABLES.tables["identities"]

LONGEST_NAME = 120

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
