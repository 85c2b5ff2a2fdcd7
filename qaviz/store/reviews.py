"""Reviews of a golden dataset: its risk as people classified it, sessions with the items that they drew, and what
readers decide on them.

A decision is kept whole or not at all, with its entry in the audit; a reader is not shown what others decided on an
item before its readers have. Who differs from the others may take a decision back, and decide again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, TypedDict

import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import AND_DELIMITER, ANSWER, FACT, OR_DELIMITER, QUESTION, QUESTION_ID
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.store import tables as t
from qaviz.store.audit_log import Deed, note
from qaviz.store.index import insert_new, put_rows, read_rows, write_moment
from qaviz.store.tables import NAME_OF_PERSON, JsonObject, checked_name, checked_text, frame_schema, row_schema
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

_session, _flag = t.REVIEW_SESSIONS_TABLE.c, t.REVIEW_FLAGS_TABLE.c
_draft, _decision, _item = t.REVIEW_DRAFTS_TABLE.c, t.REVIEW_DECISIONS_TABLE.c, t.REVIEW_ITEMS_TABLE.c


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
) -> None:
    """Keep how risky somebody says the golden dataset is; earlier words stay, the newest counts. Raises QavizError for
    a blank reason or a name that will not do."""
    why, person = checked_name(reason, "reason of the risk", LONGEST_REASON), checked_name(by, NAME_OF_PERSON)
    risk = {"line": line, "category": category, "severity": severity, "likelihood": likelihood, "level": level}
    about = f"{level} ({severity}, {likelihood}){f', category {category}' if category else ''}: {why}"
    with workspace.writing(Deed.CLASSIFY) as transaction:
        deed = note(transaction, Deed.CLASSIFY, line, about, person)
        row = risk | {"reason": why, "classified_by": person, "classified_at": write_moment(), "deed": deed}
        transaction.execute(sa.insert(t.RISKS_TABLE).values(row))


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
    person, name = checked_name(by, NAME_OF_PERSON), session.session
    plan = {part: getattr(session, part) for part in ("level", "at_most", "sample", "allowed_wrong", "readers")}
    about = f"session {name} enlarged: {session.level}, {session.sample:,} at random"
    with workspace.writing(Deed.SESSION) as transaction:
        note(transaction, Deed.REVIEW, session.line, about, person)
        renewed = sa.update(t.REVIEW_SESSIONS_TABLE).where(_session.session == name)
        transaction.execute(renewed.values(**plan, closed_at=None))
        there = pl.col(ITEM).is_in([*transaction.scalars(sa.select(_item.item).where(_item.session == name))])
        drawn = items.filter(pl.col(DRAWN) == RANDOM, there)[ITEM].to_list()
        which = sa.and_(_item.session == name, _item.item.in_(drawn))
        transaction.execute(sa.update(t.REVIEW_ITEMS_TABLE).where(which).values(drawn=RANDOM))
        _insert_items(transaction, name, items.filter(~there), flags)


def _insert_items(transaction: sa.Connection, session: str, items: pl.DataFrame, flags: pl.DataFrame) -> None:
    of_session = {"session": session}
    if items.height:
        transaction.execute(sa.insert(t.REVIEW_ITEMS_TABLE), [of_session | row for row in items.to_dicts()])
    if flags.height:
        insert_new(transaction, t.REVIEW_FLAGS_TABLE, [of_session | row for row in flags.to_dicts()])


def close_session(workspace: Workspace, session: str, by: str) -> None:
    """End the session: nothing is given or decided any more. Raises QavizError if there is no such session."""
    review = find_session(workspace, session)
    with workspace.writing(Deed.SESSION) as transaction:
        note(transaction, Deed.REVIEW, review.line, f"session {session} closed", checked_name(by, NAME_OF_PERSON))
        closed = sa.update(t.REVIEW_SESSIONS_TABLE).where(_session.session == session)
        transaction.execute(closed.values(closed_at=write_moment()))


def review_sessions(workspace: Workspace, line: str | None = None) -> list[ReviewSession]:
    """The sessions of the line, or all, newest first."""
    query = sa.select(t.REVIEW_SESSIONS_TABLE).where(sa.true() if line is None else _session.line == line)
    return workspace.read_records(ReviewSession, query.order_by(_session.deed.desc()), "a review session")


def find_session(workspace: Workspace, session: str) -> ReviewSession:
    """The session with this id. Raises QavizError if there is none."""
    query = sa.select(t.REVIEW_SESSIONS_TABLE).where(_session.session == session)
    for review in workspace.read_records(ReviewSession, query, "a review session"):
        return review
    fix = "See the sessions: qaviz review status."
    raise stop("review session", f'no session "{session}"', "the id of a session", fix)


def session_items(workspace: Workspace, session: str) -> pl.DataFrame:
    """ITEMS of the session in the order of reading."""
    return workspace.read_table(t.REVIEW_ITEMS_TABLE, ITEMS, "place", session=session)


def refresh_items(workspace: Workspace, session: str, hashes: pl.DataFrame) -> int:
    """Bring the items to these triplets: QUESTION_ID, TRIPLET, CHUNK, DOCUMENT of the newest version. Where a hash
    differs, decisions that were not applied yet are ended ("changed"). Returns how many items differ."""
    joined = session_items(workspace, session).join(hashes, on=QUESTION_ID, suffix="_now")
    differs = pl.col(TRIPLET).ne_missing(pl.col("triplet_now")) | pl.col(CHUNK).ne_missing(pl.col("chunk_now"))
    changed = joined.filter(differs)
    if changed.is_empty():
        return 0
    # What changed is a fact: whoever may see the review brings it up to date.
    with workspace.writing(Deed.READ) as transaction:
        for row in changed.iter_rows(named=True):
            new = {TRIPLET: row["triplet_now"], CHUNK: row["chunk_now"], DOCUMENT: row["document_now"]}
            this = sa.and_(_item.session == session, _item.item == row[ITEM])
            transaction.execute(sa.update(t.REVIEW_ITEMS_TABLE).where(this).values(**new))
        waiting = _in_force(session, _decision.applied.is_(None), _decision.item.in_(changed[ITEM].to_list()))
        ended = sa.update(t.REVIEW_DECISIONS_TABLE).where(waiting)
        transaction.execute(ended.values(ended_at=write_moment(), ended_why="changed"))
    return changed.height


def seen_flags(workspace: Workspace, session: str, item: int, viewer: str) -> list[tuple[str, str]]:
    """Who flagged the item's triplet and what they say; what a judge says only once the viewer has decided on it."""
    of_viewer = (_decision.item == item, _decision.reader == viewer, _decision.action != SKIP)
    decided = sa.exists().where(_in_force(session, *of_viewer))
    query = (
        sa.select(_flag.source, _flag.detail)
        .join(t.REVIEW_ITEMS_TABLE, sa.and_(_item.session == _flag.session, _item.question_id == _flag.question_id))
        .where(_flag.session == session, _item.item == item, sa.or_(_flag.source != "judge", decided))
        .order_by(_flag.source)
    )
    return [(row.source, row.detail) for row in workspace.select(query)]


LONGEST_NOTE, LONGEST_TEXT = 10_000, 1_000_000
_GOLDEN_SECTION = 0.618
"""Its multiples, without whole numbers, are spread over 0 to 1 however many there are."""


class DecisionRow(TypedDict):
    """A decision in force. The texts are those of an edit, null where they stay; `applied` is the number of the version
    that the decision became, null before; `seconds` is how long the reader looked."""

    number: int
    item: int
    question_id: str
    reader: str
    adjudicates: bool
    action: str
    findings: list[str]
    note: str
    question: str | None
    answer: str | None
    fact: str | None
    seconds: float | None
    decided_at: str
    applied: int | None
    drawn: str
    repeat_of: int | None
    document: str | None


DECISIONS = row_schema(DecisionRow)


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What a reader says of an item."""

    action: str
    findings: tuple[str, ...] = ()
    note: str = ""
    question: str | None = None
    """An edit's new text; None leaves it as it is."""
    answer: str | None = None
    fact: str | None = None
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class ReviewItem:
    """An item that is a reader's to decide."""

    session: str
    item: int
    question_id: str
    draft: JsonObject


def find_next_item(workspace: Workspace, session: str, reader: str) -> ReviewItem | None:
    """Return what the reader reads next: what they wrote on last, else the first of their open items; None at the end.
    Raises QavizError if the session is closed or the reader is not of its pool."""
    review, person = open_for(workspace, session, reader)
    written = (
        sa.select(_draft.item, _draft.draft)
        .where(_draft.session == session, _draft.reader == person)
        .order_by(_draft.written_at.desc())
    )
    with workspace.reading() as connection:
        open_items = _order_open_items(connection, review, person)
        drafts = {row.item: row.draft for row in connection.execute(written)}
    numbers = dict(open_items.select(ITEM, QUESTION_ID).iter_rows())
    item = next((item for item in (*drafts, *numbers) if item in numbers), None)
    if item is None:
        return None
    return ReviewItem(session=session, item=item, question_id=numbers[item], draft=drafts.get(item, {}))


def list_open_items(workspace: Workspace, session: str, reader: str) -> list[int]:
    """The items that are the reader's to decide, in the order of reading."""
    review, person = open_for(workspace, session, reader)
    with workspace.reading() as connection:
        return _order_open_items(connection, review, person)[ITEM].to_list()


def open_for(workspace: Workspace, session: str, reader: str) -> tuple[ReviewSession, str]:
    """The session and the reader as kept. Raises QavizError if it is closed or not for this reader."""
    review, person = find_session(workspace, session), checked_name(reader, NAME_OF_PERSON)
    if review.closed_at:
        raise _refusal("a closed session", "an open one", "Start another review.")
    if review.pool and person not in review.pool:
        raise _refusal(f"{person}, who is no reader of it", ", ".join(review.pool), "Ask who started the review.")
    return review, person


def _refusal(fault: str, expected: str, fix: str) -> QavizError:
    return stop("review session", fault, expected, fix)


def _order_open_items(connection: sa.Connection, review: ReviewSession, reader: str) -> pl.DataFrame:
    """ITEMS that lack a decision of the reader, in their order of reading, hidden repeats last. Where anybody may read,
    each new reader starts elsewhere, so that two who read at the same time seldom meet."""
    decisions = _read_own_decisions(connection, review.session)
    items = _list_own_items(connection, review, reader, decisions).filter(pl.col("decided") < review.readers)
    start = 0.0
    if not review.pool:
        people = decisions["reader"].unique(maintain_order=True).to_list()
        rank = (people.index(reader) if reader in people else len(people)) // review.readers
        start = review.sample * (rank * _GOLDEN_SECTION % 1)
    return items.sort(pl.col("repeat_of").is_not_null(), pl.col("place") < start, maintain_order=True)


def _read_own_decisions(connection: sa.Connection, session: str, *of_items: sa.ColumnElement[bool]) -> pl.DataFrame:
    """The DECISIONS in force, without those of a third person, as earlier versions asked for."""
    query = _select_decisions(session).where(sa.not_(_decision.adjudicates), *of_items)
    return read_rows(connection, query, DECISIONS)


def _list_own_items(
    connection: sa.Connection,
    review: ReviewSession,
    reader: str,
    decisions: pl.DataFrame,
    *of_items: sa.ColumnElement[bool],
) -> pl.DataFrame:
    """ITEMS that are the reader's and not decided by them, by place, and how many others have `decided`. Where the pool
    is named, the readers of an item follow from its number: neighbours in the pool, and after each skip the next one. A
    hidden repeat is for who decided on the first, which is the only reader of it. `decisions` has DECISIONS."""
    query = sa.select(*(_item[name] for name in ITEMS)).where(_item.session == review.session, *of_items)
    items = read_rows(connection, query.order_by(_item.place), ITEMS)
    skips, mine = pl.col("action") == SKIP, pl.col("reader") == reader
    own = decisions.filter(mine)
    counts = decisions.filter(~mine).group_by(ITEM).agg((~skips).sum().alias("decided"), skips.sum().alias("skipped"))
    counted = items.join(counts, on=ITEM, how="left", maintain_order="left").with_columns(
        pl.col("decided", "skipped").fill_null(0)
    )
    once = pl.col("repeat_of").is_in(own.filter(~skips)[ITEM].implode())
    theirs = pl.lit(value=True)
    if review.pool:
        distance = (review.pool.index(reader) - pl.col(ITEM)) % len(review.pool)
        theirs = distance < review.readers + pl.col("skipped")
    return counted.filter(
        pl.when(pl.col("repeat_of").is_null()).then(theirs).otherwise(once),
        ~pl.col(ITEM).is_in(own[ITEM].implode()),
    )


def keep_draft(workspace: Workspace, item: ReviewItem, reader: str, draft: JsonObject) -> None:
    """Keep what the reader has written so far of an item."""
    with workspace.writing(Deed.REVIEW) as transaction:
        _write_draft(transaction, item.session, item.item, reader, draft)


def _write_draft(transaction: sa.Connection, session: str, item: int, reader: str, draft: JsonObject) -> None:
    row = {"session": session, ITEM: item, "reader": reader, "draft": dict(draft), "written_at": write_moment()}
    put_rows(transaction, t.REVIEW_DRAFTS_TABLE, [row])


def decide(workspace: Workspace, session: str, item: int, reader: str, decision: Decision) -> int:
    """Keep what the reader says of an item. Returns the decision's number. One that others have decided on meanwhile is
    kept too. Raises QavizError, and keeps nothing, if the decision is none, the reader has decided on the item, or it
    is not theirs."""
    review, person = open_for(workspace, session, reader)
    values = asdict(checked_decision(review, decision))
    with workspace.writing(Deed.REVIEW) as transaction:
        of_review = sa.select(t.REVIEW_ITEMS_TABLE).where(_item.session == session, _item.item == item)
        row = transaction.execute(of_review).first()
        of_item = (row.item, row.repeat_of) if row else ()
        decisions = _read_own_decisions(transaction, session, _decision.item.in_(of_item))
        if row is None or _list_own_items(transaction, review, person, decisions, _item.item == item).is_empty():
            raise _refusal(f"item {item}, which is not for {person}", "an open item of theirs", "Go on with the next.")
        of_reader = (_draft.session == session, _draft.item == item, _draft.reader == person)
        transaction.execute(sa.delete(t.REVIEW_DRAFTS_TABLE).where(*of_reader))
        words = f" ({', '.join(values['findings'])})" if values["findings"] else ""
        noted = note(transaction, Deed.REVIEW, review.line, f"{row.question_id}: {values['action']}{words}", person)
        read = {"session": review.session, ITEM: row.item, TRIPLET: row.triplet, "chunk": row.chunk}
        by_whom = {"reader": person, "adjudicates": False, "decided_at": write_moment(), "deed": noted}
        inserted = sa.insert(t.REVIEW_DECISIONS_TABLE).values(**values, **read, **by_whom).returning(_decision.number)
        return int(transaction.scalar(inserted) or 0)


def checked_decision(review: ReviewSession, decision: Decision) -> Decision:
    """The decision as it is kept. Raises QavizError for an action or finding that there is not, and an empty edit."""
    problems = []
    if decision.action not in ACTIONS:
        problems.append((f'the decision "{decision.action}"', ", ".join(ACTIONS)))
    findings = (*FINDINGS, *review.own_findings)
    problems += [
        (f'the finding "{finding}"', ", ".join(findings)) for finding in decision.findings if finding not in findings
    ]
    if decision.action == EDIT and (decision.question, decision.answer, decision.fact) == (None, None, None):
        problems.append(("an edit that changes nothing", "a new question, answer or fact"))
    variants = (decision.fact or "").replace(AND_DELIMITER, OR_DELIMITER).split(OR_DELIMITER)
    if decision.action == EDIT and len(variants) > 1 and not all(map(str.strip, variants)):
        problems.append(("a fact with an empty variant, which every response would match", "words in each variant"))
    if problems:
        fix = "Choose one of them."
        raise QavizError(*(Problem(where="decision", found=wrong, expected=text, fix=fix) for wrong, text in problems))
    given = {name: getattr(decision, name) if decision.action == EDIT else None for name in (QUESTION, ANSWER, FACT)}
    texts = {name: text and checked_text(text, name, LONGEST_TEXT) for name, text in given.items()}
    findings, words = tuple(dict.fromkeys(decision.findings)), checked_text(decision.note, "note", LONGEST_NOTE)
    question, answer, fact = (texts[name] for name in (QUESTION, ANSWER, FACT))
    return replace(decision, findings=findings, note=words, question=question, answer=answer, fact=fact)


def undo_decision(workspace: Workspace, session: str, reader: str, item: int | None = None) -> int | None:
    """Take back the reader's decision on this item, else the last one: it is their next item, with what they wrote.
    Returns the item; None if there is none. Raises QavizError if it was applied, or a third person decided, as earlier
    versions let them."""
    review, person = open_for(workspace, session, reader)
    last = (
        sa.select(t.REVIEW_DECISIONS_TABLE)
        .where(_in_force(session, _decision.reader == person, sa.not_(_decision.adjudicates)))
        .where(_decision.item == item if item is not None else sa.true())
        .order_by(_decision.number.desc())
        .limit(1)
    )
    with workspace.writing(Deed.UNREVIEW) as transaction:
        row = transaction.execute(last).first()
        if row is None:
            return None
        settled = sa.select(_decision.number).where(
            _in_force(session, _decision.item == row.item, _decision.adjudicates)
        )
        if row.applied is not None or transaction.scalar(settled) is not None:
            raise _refusal("a decision that was applied or settled", "one that is yours alone", "Ask for an edit.")
        ended = {"ended_at": write_moment(), "ended_why": "taken back"}
        transaction.execute(sa.update(t.REVIEW_DECISIONS_TABLE).where(_decision.number == row.number).values(**ended))
        note(transaction, Deed.UNREVIEW, review.line, f"item {row.item}: {row.action}", person)
        draft = {name: row._mapping[name] for name in ("findings", "note", QUESTION, ANSWER, FACT)}
        _write_draft(transaction, session, row.item, person, draft)
        return int(row.item)


@dataclass(frozen=True, kw_only=True)
class ReadingProgress:
    """How far a reader, and the review, is. Hidden repeats are counted for neither."""

    own: int
    decided: int
    wanted: int
    """Decisions that the review asks for: items times readers."""


def count_progress(workspace: Workspace, session: str, reader: str) -> ReadingProgress:
    """Return how far the reader and the review are. Raises QavizError if there is no such session."""
    review = find_session(workspace, session)
    items = sa.select(sa.func.count()).where(_item.session == session, _item.repeat_of.is_(None))
    with workspace.reading() as connection:
        decisions = _read_own_decisions(connection, session, _item.repeat_of.is_(None), _decision.action != SKIP)
        wanted = int(connection.scalar(items) or 0) * review.readers
    return ReadingProgress(
        own=decisions.filter(pl.col("reader") == reader).height, decided=decisions.height, wanted=wanted
    )


def _in_force(session: str, *more: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    return sa.and_(_decision.session == session, _decision.ended_at.is_(None), *more)


def _select_decisions(session: str) -> sa.Select[Any]:
    columns = [_decision[name] if name in _decision else _item[name] for name in DECISIONS]
    return (
        sa.select(*columns)
        .join(t.REVIEW_ITEMS_TABLE, sa.and_(_item.session == _decision.session, _item.item == _decision.item))
        .where(_in_force(session))
        .order_by(_decision.number)
    )


def all_decisions(workspace: Workspace, session: str) -> pl.DataFrame:
    """DECISIONS of everybody: for figures about the whole review, for what becomes of it, and for open items."""
    return workspace.read_rows(_select_decisions(session), DECISIONS)


def own_decisions(workspace: Workspace, session: str, reader: str) -> pl.DataFrame:
    """The DECISIONS of this reader: while they read they are not shown those of others."""
    return workspace.read_rows(_select_decisions(session).where(_decision.reader == reader), DECISIONS)


def end_decisions(workspace: Workspace, line: str, questions: Sequence[str], why: str) -> None:
    """End the decisions on these triplets, applied or not, in all open reviews of the line: they are asked again."""
    of_line = sa.select(_session.session).where(_session.line == line, _session.closed_at.is_(None))
    items = sa.select(_item.item).where(_item.session == _decision.session, _item.question_id.in_([*questions]))
    which = sa.and_(_decision.ended_at.is_(None), _decision.session.in_(of_line), _decision.item.in_(items))
    ended = {"ended_at": write_moment(), "ended_why": why}
    with workspace.writing(Deed.ACCEPT) as transaction:
        transaction.execute(sa.update(t.REVIEW_DECISIONS_TABLE).where(which).values(**ended))


def mark_applied(workspace: Workspace, session: str, items: Mapping[int, str], version: int) -> None:
    """Note that the decisions on these items became this version; each item has the hash of its triplet as it is now,
    so that the change does not end the decision that made it."""
    with workspace.writing(Deed.SESSION) as transaction:
        for item, triplet in items.items():
            which = _in_force(session, _decision.item == item)
            transaction.execute(sa.update(t.REVIEW_DECISIONS_TABLE).where(which).values(applied=version))
            of_item = sa.and_(_item.session == session, _item.item == item)
            transaction.execute(sa.update(t.REVIEW_ITEMS_TABLE).where(of_item).values(triplet=triplet))
