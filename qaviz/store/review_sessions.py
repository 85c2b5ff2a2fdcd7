"""Reviews of a golden dataset: its risk as people classified it, and sessions with the items that they drew.

Who reads which item, and what people decide, stands in `qaviz.store.review_decisions`.
"""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime

import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import QUESTION_ID
from qaviz.model.errors import stop
from qaviz.store import tables as t
from qaviz.store.audit_log import Deed, note
from qaviz.store.index import insert_new, write_moment
from qaviz.store.tables import NAME_OF_PERSON, checked_name, checked_text, frame_schema
from qaviz.store.workspace import Workspace

WHOLE = ""
"""In place of a category: the whole golden dataset."""
LONGEST_REASON = 1_000
LONGEST_GUIDELINES = 20_000

ITEM, DRAWN, TRIPLET, CHUNK, DOCUMENT = "item", "drawn", "triplet", "chunk", "document"
RANDOM, FLAGGED = "random", "flagged"

ACCEPT, EDIT, DELETE, SOURCE_WRONG, ASK, SKIP = ACTIONS = ("accept", "edit", "delete", "source is wrong", "ask", "skip")
"""What a reader may decide. `skip` leaves the item to somebody else."""
FINDINGS = ("hallucination", "veracity", "incomplete", "irrelevant", "duplicate", "unclear", "outdated")

ITEMS = frame_schema(t.REVIEW_ITEMS_TABLE, "session")
"""One row an item of a session: its number and its place in the order of reading; the triplet; `random` or `flagged`;
the item that it repeats, null for most; the hashes of the triplet and of its passage; the document of the passage."""

FLAGS = frame_schema(t.REVIEW_FLAGS_TABLE, "session")
"""Why a triplet is reviewed whether or not it was drawn: who says so (`lint`, `judge`, ...), and what, in words."""


@dataclass(frozen=True, kw_only=True)
class Risk:
    """How risky a golden dataset, or a category of it, is: as somebody classified it, and why."""

    line: str
    category: str
    """WHOLE for the golden dataset."""
    severity: str
    likelihood: str
    level: str
    reason: str
    classified_by: str
    classified_at: datetime


@dataclass(frozen=True, kw_only=True)
class ReviewSession:
    """A review of a golden dataset version, or of a category of it."""

    session: str
    line: str
    golden_id: str
    """The version that the items were drawn from."""
    category: str
    level: str
    population: int
    at_most: float
    confidence: float
    sample: int
    allowed_wrong: int
    readers: int
    """How many people decide on each item."""
    pool: tuple[str, ...]
    """Who may read; empty: everybody."""
    own_findings: tuple[str, ...]
    guidelines: str
    seed: int
    started_by: str
    started_at: datetime
    closed_at: datetime | None = None


def classify(
    workspace: Workspace, line: str, category: str, severity: str, likelihood: str, level: str, reason: str, by: str
) -> Risk:
    """Keep how risky somebody says the golden dataset is; earlier words stay, the newest counts. Raises QavizError for
    a blank reason or a name that will not do."""
    risk = Risk(
        line=line,
        category=category,
        severity=severity,
        likelihood=likelihood,
        level=level,
        reason=checked_name(reason, "reason of the risk", LONGEST_REASON),
        classified_by=checked_name(by, NAME_OF_PERSON),
        classified_at=datetime.now(UTC),
    )
    about = f"{level} ({severity}, {likelihood}){f', category {category}' if category else ''}: {risk.reason}"
    with workspace.writing(Deed.CLASSIFY) as transaction:
        deed = note(transaction, Deed.CLASSIFY, line, about, risk.classified_by)
        row = asdict(risk) | {"classified_at": write_moment(risk.classified_at), "deed": deed}
        transaction.execute(sa.insert(t.RISKS_TABLE).values(**row))
    return risk


def kept_risks(workspace: Workspace, line: str) -> list[Risk]:
    """All that was said of the line's risk, newest first."""
    query = sa.select(t.RISKS_TABLE).where(t.RISKS_TABLE.c.line == line).order_by(t.RISKS_TABLE.c.number.desc())
    return workspace.read_records(Risk, query, "a risk")


def start_session(workspace: Workspace, session: ReviewSession, items: pl.DataFrame, flags: pl.DataFrame) -> None:
    """Keep the session with its ITEMS and FLAGS, all or nothing. Raises QavizError if a name or text will not do."""
    row = asdict(session) | {
        "pool": [checked_name(item, "name of a reader") for item in session.pool],
        "own_findings": [checked_name(finding, "name of a finding") for finding in session.own_findings],
        "guidelines": checked_text(session.guidelines, "guidelines", LONGEST_GUIDELINES),
        "started_by": checked_name(session.started_by, NAME_OF_PERSON),
        "started_at": write_moment(session.started_at),
        "closed_at": None,
    }
    about = f"session {session.session}, {session.level}, {session.sample:,} of {session.population:,} at random"
    with workspace.writing(Deed.SESSION) as transaction:
        deed = note(transaction, Deed.REVIEW, session.line, about, session.started_by)
        transaction.execute(sa.insert(t.REVIEW_SESSIONS_TABLE).values(**row, deed=deed))
        _insert_items(transaction, session.session, items, flags)


def enlarge_session(
    workspace: Workspace, session: ReviewSession, items: pl.DataFrame, flags: pl.DataFrame, by: str
) -> None:
    """Give the session its new level, plan and readers, and more ITEMS and FLAGS; what is done stays. An item that was
    `flagged` and is drawn now becomes `random`."""
    person = checked_name(by, NAME_OF_PERSON)
    plan = {name: getattr(session, name) for name in ("level", "at_most", "sample", "allowed_wrong", "readers")}
    about = f"session {session.session} enlarged: {session.level}, {session.sample:,} at random"
    table, item = t.REVIEW_SESSIONS_TABLE.c, t.REVIEW_ITEMS_TABLE.c
    with workspace.writing(Deed.SESSION) as transaction:
        note(transaction, Deed.REVIEW, session.line, about, person)
        transaction.execute(
            sa.update(t.REVIEW_SESSIONS_TABLE).where(table.session == session.session).values(**plan, closed_at=None)
        )
        there = pl.col(ITEM).is_in([*transaction.scalars(sa.select(item.item).where(item.session == session.session))])
        drawn = items.filter(pl.col(DRAWN) == RANDOM, there)[ITEM].to_list()
        which = sa.and_(item.session == session.session, item.item.in_(drawn))
        transaction.execute(sa.update(t.REVIEW_ITEMS_TABLE).where(which).values(drawn=RANDOM))
        _insert_items(transaction, session.session, items.filter(~there), flags)


def _insert_items(transaction: sa.Connection, session: str, items: pl.DataFrame, flags: pl.DataFrame) -> None:
    of_session = {"session": session}
    if items.height:
        transaction.execute(sa.insert(t.REVIEW_ITEMS_TABLE), [of_session | row for row in items.to_dicts()])
    if flags.height:
        insert_new(transaction, t.REVIEW_FLAGS_TABLE, [of_session | row for row in flags.to_dicts()])


def close_session(workspace: Workspace, session: str, by: str) -> None:
    """End the session: nothing is given or decided any more. Raises QavizError if there is no such session."""
    review, now = find_session(workspace, session), datetime.now(UTC)
    with workspace.writing(Deed.SESSION) as transaction:
        note(transaction, Deed.REVIEW, review.line, f"session {session} closed", checked_name(by, NAME_OF_PERSON))
        which = t.REVIEW_SESSIONS_TABLE.c.session == session
        transaction.execute(sa.update(t.REVIEW_SESSIONS_TABLE).where(which).values(closed_at=write_moment(now)))


def review_sessions(workspace: Workspace, line: str | None = None) -> list[ReviewSession]:
    """The sessions of the line, or all, newest first."""
    table = t.REVIEW_SESSIONS_TABLE.c
    query = sa.select(t.REVIEW_SESSIONS_TABLE).where(sa.true() if line is None else table.line == line)
    return workspace.read_records(ReviewSession, query.order_by(table.deed.desc()), "a review session")


def find_session(workspace: Workspace, session: str) -> ReviewSession:
    """The session with this id. Raises QavizError if there is none."""
    query = sa.select(t.REVIEW_SESSIONS_TABLE).where(t.REVIEW_SESSIONS_TABLE.c.session == session)
    for review in workspace.read_records(ReviewSession, query, "a review session"):
        return review
    fix = "See the sessions: qaviz review status."
    raise stop("review session", f'no session "{session}"', "the id of a session", fix)


def session_items(workspace: Workspace, session: str) -> pl.DataFrame:
    """ITEMS of the session in the order of reading."""
    table = t.REVIEW_ITEMS_TABLE
    return workspace.read_table(table, ITEMS, table.c.session == session, order=[table.c.place])


def refresh_items(workspace: Workspace, session: str, hashes: pl.DataFrame) -> int:
    """Bring the items to these triplets: QUESTION_ID, TRIPLET, CHUNK, DOCUMENT of the newest version. Where a hash
    differs, decisions that were not applied yet are ended ("changed"). Returns how many items differ."""
    joined = session_items(workspace, session).join(hashes, on=QUESTION_ID, suffix="_now")
    differs = pl.col(TRIPLET).ne_missing(pl.col("triplet_now")) | pl.col(CHUNK).ne_missing(pl.col("chunk_now"))
    changed = joined.filter(differs)
    if changed.is_empty():
        return 0
    item, decision = t.REVIEW_ITEMS_TABLE.c, t.REVIEW_DECISIONS_TABLE.c
    waiting = sa.and_(decision.session == session, decision.ended_at.is_(None), decision.applied.is_(None))
    # What changed is a fact: whoever may see the review brings it up to date.
    with workspace.writing(Deed.READ) as transaction:
        for row in changed.iter_rows(named=True):
            new = {TRIPLET: row["triplet_now"], CHUNK: row["chunk_now"], DOCUMENT: row["document_now"]}
            this = sa.and_(item.session == session, item.item == row[ITEM])
            transaction.execute(sa.update(t.REVIEW_ITEMS_TABLE).where(this).values(**new))
        ended = sa.update(t.REVIEW_DECISIONS_TABLE).where(waiting, decision.item.in_(changed[ITEM].to_list()))
        transaction.execute(ended.values(ended_at=write_moment(), ended_why="changed"))
    return changed.height


def seen_flags(workspace: Workspace, session: str, item: int, viewer: str) -> list[tuple[str, str]]:
    """Who flagged the item's triplet and what they say; what a judge says only once the viewer has decided on it."""
    flag, decision, of = t.REVIEW_FLAGS_TABLE.c, t.REVIEW_DECISIONS_TABLE.c, t.REVIEW_ITEMS_TABLE.c
    decided = sa.exists().where(
        decision.session == session,
        decision.item == item,
        decision.reader == viewer,
        decision.ended_at.is_(None),
        decision.action != SKIP,
    )
    query = (
        sa.select(flag.source, flag.detail)
        .join(t.REVIEW_ITEMS_TABLE, sa.and_(of.session == flag.session, of.question_id == flag.question_id))
        .where(flag.session == session, of.item == item, sa.or_(flag.source != "judge", decided))
        .order_by(flag.source)
    )
    with workspace.reading() as connection:
        return [(row.source, row.detail) for row in connection.execute(query)]
