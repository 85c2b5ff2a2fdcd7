"""The audit: who did what, when. Read a page at a time, taken along as a whole, and checked link by link."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
import sqlalchemy as sa

from qaviz.model.errors import Problem
from qaviz.store.audit_log import ABOUT, DETAIL, FIRST_HASH, HASH, NUMBER, ROWS_HASH, WHAT, Deed, hash_of, hash_rows
from qaviz.store.index import as_written
from qaviz.store.tables import AUDIT_TABLE, GOLDEN_VERSIONS_TABLE, LABELS_TABLE, RUNS_TABLE, frame_schema
from qaviz.store.workspace import Workspace

AUDIT = frame_schema(AUDIT_TABLE)
"""An entry: its number, when (ISO, UTC), who (null where nobody said), what, the id of what it is about, a short
detail, the hash that covers all of that and the entry before, the verified identity of who did it (null where
nobody was verified), and the hash of the rows that it wrote (null where the chain covers none)."""


@dataclass(frozen=True, kw_only=True)
class CheckedAudit:
    """What a look at every link of the audit's chain found."""

    entries: int
    last_hash: str
    """Of the newest entry: kept elsewhere, it shows later that nothing before it was changed."""
    problem: Problem | None
    """The first entry that is not as it was written, or that the expected hash is not there."""
    rows: tuple[Problem, ...] = ()
    """Rows of the index that are not what the chain says was written."""
    covered: int = 0
    """How many rows of runs, labels and golden dataset versions the chain covers."""
    uncovered: int = 0
    """How many it does not: from before their hashes were kept, or that came along with a run."""


@as_written("the audit")
def whole_audit(workspace: Workspace) -> pl.DataFrame:
    """All entries in the order of the chain: AUDIT."""
    return workspace.read_table(AUDIT_TABLE, AUDIT, NUMBER)


def check_audit(workspace: Workspace, expected: str | None = None) -> CheckedAudit:
    """Compute every entry's hash again, in order; an `expected` hash, kept elsewhere, has to be that of an entry."""
    workspace.require(Deed.BACKUP)
    entries = whole_audit(workspace)
    hashes = [FIRST_HASH, *entries[HASH]]
    kept: dict[tuple[Deed, int, str], list[Mapping[str, object]]] = defaultdict(list)
    with workspace.reading() as connection:
        for deed, table in _OF_DEED.items():
            for row in connection.execute(sa.select(table)).mappings():
                kept[deed, row["deed"] or 0, row["line" if deed == Deed.ACCEPT else "run_id"]].append(dict(row))
    problem = next(_find_broken_entries(entries), None)
    if problem is None and expected is not None and expected not in hashes:
        wrong = f"no entry with the hash {expected}: it is cut off or written anew"
        problem = _tampered(f"audit of {workspace.folder}", wrong)
    # The entries of deeds that wrote rows which the chain covers.
    written = entries.filter(pl.col(ROWS_HASH).is_not_null(), pl.col(WHAT) != Deed.SPLIT)
    covering = {entry[NUMBER]: entry for entry in written.iter_rows(named=True)}
    covered = sum(
        len(rows) for (_, deed, about), rows in kept.items() if deed in covering and covering[deed][ABOUT] == about
    )
    return CheckedAudit(
        entries=entries.height,
        last_hash=hashes[-1],
        problem=problem,
        rows=tuple(_find_changed_rows(entries, covering.values(), kept)),
        covered=covered,
        uncovered=sum(map(len, kept.values())) - covered,
    )


_OF_DEED = {Deed.IMPORT: RUNS_TABLE, Deed.LABEL: LABELS_TABLE, Deed.ACCEPT: GOLDEN_VERSIONS_TABLE}
"""The COVERED table that a deed writes rows of."""
_Covered = Mapping[tuple[Deed, int, str], Sequence[Mapping[str, object]]]
"""Rows by the kind of deed that wrote them, its number (0: none) and what it was about."""


def _find_changed_rows(entries: pl.DataFrame, covering: Iterable[dict[str, Any]], kept: _Covered) -> Iterator[Problem]:
    """Yield a problem for each deed whose rows are others than it wrote, or gone without a deed that took them away,
    and for each run that is called otherwise than it was last named."""
    taken, names = Counter[str](), dict[str, str]()
    for entry in entries.iter_rows(named=True):
        taken[entry[WHAT]] += 1
        taken[f"{entry[WHAT]} {entry[ABOUT]}"] += 1
        if entry[WHAT] in (Deed.IMPORT, Deed.RENAME, Deed.UNDELETE):
            names[entry[ABOUT]] = entry[DETAIL]
    for entry in covering:
        deed = Deed(entry[WHAT])
        rows = kept.get((deed, entry[NUMBER], entry[ABOUT]), ())
        if not rows and (taken[f"{Deed.PURGE} {entry[ABOUT]}"] or taken[f"{Deed.SPLIT} {entry[ABOUT]}"]):
            continue
        if not rows and deed == Deed.LABEL and taken[Deed.UNLABEL]:
            # A label that came along with another run is taken back there too.
            taken[Deed.UNLABEL] -= 1
        elif hash_rows(_OF_DEED[deed], rows) != entry[ROWS_HASH]:
            yield _tampered(f"index, {deed}, entry {entry[NUMBER]}, {entry[ABOUT]}", "other rows than it wrote")
    for (deed, _, about), rows in kept.items():
        named = names.get(about, "…")
        if (
            deed == Deed.IMPORT
            and rows[0]["name"] != about
            and f'"{rows[0]["name"]}"' not in named
            and named[-1] != "…"
        ):
            yield _tampered(f"index, run {about}", f'the name "{rows[0]["name"]}"')


def _tampered(where: str, fault: str) -> Problem:
    fix = "Ask who can write to the index's database; compare with a backup."
    return Problem(where=where, found=fault, expected="what was written", fix=fix)


def _find_broken_entries(entries: pl.DataFrame) -> Iterator[Problem]:
    """Yield a problem for each entry that is not as it was written after the one before. After `workspace split` the
    first is the last of the workspace before: its number, and its hash, which the next one covers."""
    before, first, kept = FIRST_HASH, 1, entries.to_dicts()
    if kept and kept[0][WHAT] == Deed.WITHHELD:
        last = kept.pop(0)
        before, first = last[HASH], last[NUMBER] + 1
    for place, entry in enumerate(kept, start=first):
        if entry[NUMBER] != place:
            yield _tampered(f"audit, entry {place}", f"entry {entry[NUMBER]} in its place")
        elif entry[HASH] != hash_of(entry, before):
            yield _tampered(f"audit, entry {place}", "other words or another entry before it than were hashed")
        before = entry[HASH]
