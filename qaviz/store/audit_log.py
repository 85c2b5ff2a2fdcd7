"""Deeds: what people do to a workspace. Each is noted in the audit within the transaction that does it.

An entry's hash covers the entry and the hash of the one before, so that none can be changed, left out or put in between
without all later hashes changing too. Entries are in the order of their numbers, whatever the clock said.
"""

import hashlib
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

import orjson
import sqlalchemy as sa

from qaviz.store.index import write_moment
from qaviz.store.tables import AUDIT_TABLE, GOLDEN_VERSIONS_TABLE, LABELS_TABLE, RUNS_TABLE, on_one_line

NUMBER, AT, WHO, WHAT, ABOUT, DETAIL, HASH = "number", "at", "who", "what", "about", "detail", "hash"
SUBJECT, ROWS_HASH = "subject", "rows_hash"
"""Columns with the verified identity of who did it, null where nobody is verified; and with the hash of the rows that
the deed wrote, null for deeds whose rows are not COVERED."""

COVERED = {RUNS_TABLE: ("name",), LABELS_TABLE: ("number",), GOLDEN_VERSIONS_TABLE: ()}
"""Tables whose rows the chain covers, with the columns that are left out: a run's new name is a deed of its own."""

ACTOR_OPTION = "qaviz_actor"
"""The execution option that says who a connection belongs to."""

FIRST_HASH = "0" * 64
"""What stands for the hash of the entry before the first."""

LONGEST_DETAIL = 200
"""Characters of an entry's detail: enough to know the deed by; what was changed stands where it is kept."""


class Deed(StrEnum):
    """What somebody did."""

    IMPORT = "import"
    RENAME = "rename"
    OWN = "owner"
    TAG = "tag"
    NOTE = "note"
    ARCHIVE = "archive"
    UNARCHIVE = "archive undone"
    DELETE = "delete"
    UNDELETE = "delete undone"
    PURGE = "purge"
    OVERRIDE = "decision overridden"
    CONFIRM = "override confirmed"
    WITHDRAW = "override taken back"
    VERIFY = "verify"
    LABEL = "label"
    UNLABEL = "label taken back"
    JUDGE = "judge"
    TRUST = "judge trusted"
    GENERATE = "generate"
    ACCEPT = "accept"
    REJECT = "reject"
    UNREJECT = "reject taken back"
    POLICY = "policy"
    CLASSIFY = "risk"
    REVIEW = "review"
    UNREVIEW = "review taken back"
    SESSION = "review session"
    SPLIT = "split"
    WITHHELD = "withheld"
    """Never noted: stands for the last entry of the workspace that `workspace split` made a new one of."""
    MEMBER = "member"
    EXPORT = "export"
    BACKUP = "backup"
    READ = "read"
    """Never noted: what only reads is not in the audit, but for exports."""
    BERTSCORE = "bertscore"
    """Never noted: a figure of two texts belongs to no run."""


def note(
    transaction: sa.Connection, deed: Deed, about: str, detail: str, who: str | None, rows_hash: str | None = None
) -> int:
    """Note the deed as the audit's next entry, within a transaction under the writer's lock. Returns the entry's
    number. `about` is the id of a run, or of a line of golden dataset versions; `who` is None where nobody said."""
    table = AUDIT_TABLE.c
    newest = sa.select(table.number, table.hash).order_by(table.number.desc()).limit(1)
    last = transaction.execute(newest).first()
    actor = transaction.get_execution_options().get(ACTOR_OPTION)
    number: int = last.number + 1 if last else 1
    entry = {
        NUMBER: number,
        AT: write_moment(),
        WHO: who,
        WHAT: deed.value,
        ABOUT: about,
        DETAIL: on_one_line(detail, LONGEST_DETAIL),
        SUBJECT: actor.subject if actor else None,
        ROWS_HASH: rows_hash,
    }
    chained = hash_of(entry, last.hash if last else FIRST_HASH)
    transaction.execute(sa.insert(AUDIT_TABLE).values(**entry, **{HASH: chained}))
    return number


def hash_rows(table: sa.Table, rows: Iterable[Mapping[str, object]]) -> str:
    """SHA-256, in hexadecimal, of rows of a COVERED table as canonical JSON, in whichever order; what is null and the
    number of their deed are left out."""
    left_out = {"deed", *COVERED[table]}
    bare = ({str(name): row[name] for name in row if name not in left_out and row[name] is not None} for row in rows)
    lines = sorted(orjson.dumps(row, option=orjson.OPT_SORT_KEYS) for row in bare)
    return hashlib.sha256(b"\n".join(lines)).hexdigest()


def newest_first(table: sa.Table, moment: str) -> tuple[sa.ColumnElement[Any], ...]:
    """The order of a table's rows by the deeds that made them; those from before the audit by their moment, last."""
    return sa.func.coalesce(table.c.deed, 0).desc(), table.c[moment].desc()


def hash_of(entry: Mapping[str, object], before: str) -> str:
    """SHA-256, in hexadecimal, of the hash `before`, a line feed, and the entry without its hash as canonical JSON:
    names in alphabetical order, no blanks, UTF-8. A subject or a hash of rows that is null is left out, as in entries
    from before there were any."""
    later = (SUBJECT, ROWS_HASH)
    bare = {name: value for name, value in entry.items() if name != HASH and (name not in later or value is not None)}
    return hashlib.sha256(before.encode() + b"\n" + orjson.dumps(bare, option=orjson.OPT_SORT_KEYS)).hexdigest()
