"""A reader goes through the triplets of a review, one key a decision: the passage with its evidence, checks, and
flags."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, TypedDict

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count
from qaviz.documents.chunks import CHUNKS
from qaviz.generation.passages import Corpus
from qaviz.generation.refute import refute_triplets
from qaviz.generation.triplets import place_in_words
from qaviz.golden.edits import TEXTS, Texts
from qaviz.golden.versions import newest_version
from qaviz.model.columns import AND_DELIMITER, FACT, OR_DELIMITER, PIPELINE, QUESTION_ID, RESPONSE, SOURCE
from qaviz.model.errors import QavizError
from qaviz.model.visible import restore_signs, visible
from qaviz.review import JUDGE
from qaviz.review.session import DECISION_KEYS, GUIDE, refresh_review
from qaviz.scoring.definition import fact_variants
from qaviz.store import reviews
from qaviz.store.golden_versions import GoldenVersion, passages
from qaviz.store.labels import NOT_REFUTED
from qaviz.store.reviews import EDIT, FINDINGS, SKIP, ReviewSession, seen_flags
from qaviz.ui.widgets.components import declare_component, marked_parts, say_problems
from qaviz.ui.widgets.keeping import keep
from qaviz.ui.widgets.page_setup import workspace

READING = "reading"
_reading = declare_component("reading", '<div class="reading"></div>')

STATE = "reading_state"
"""Session key of what this visit reads."""
LONGEST_DRAFT = 100_000

LEGEND = "Marked: the fact."

_View = dict[str, object]
"""What the browser draws, under the names of reading.js."""


class _Book(NamedTuple):
    """The newest version of a golden dataset, to look triplets up in."""

    triplets: Mapping[str, Texts]
    """TEXTS and SOURCE of each triplet by question_id."""
    passages: pl.DataFrame
    """One row a triplet with a passage: question_id, kind of question, and the CHUNKS of the passage."""


class _Part(TypedDict):
    """A piece of a text and how it is marked; None: not at all."""

    text: str
    kind: str | None


@dataclass
class _State:
    """What this visit reads: for one session and one reader."""

    session: ReviewSession
    reader: str
    item: reviews.ReviewItem | None = None
    attempt: int = 0
    """How many items were drawn: the browser draws anew when it changes."""
    heard: int = 0
    """Number of the last message that was heard: one that comes again is not acted on again."""
    last: str = ""
    """The last decision, in words, with what a judge says of its triplet."""
    error: str = ""
    refreshed: str = ""
    """The golden dataset version that the review was brought to."""
    position: str = ""
    checks: list[str] = field(default_factory=list)


@keep()
def _open_book(version: GoldenVersion) -> _Book:
    golden = workspace().golden(version.golden_id).select(QUESTION_ID, *TEXTS, SOURCE)
    kept = passages(workspace(), version.line).rename({"start_at": "start", "end_at": "end", "passage": "text"})
    return _Book(
        {row[QUESTION_ID]: row for row in golden.iter_rows(named=True)},
        kept.select(QUESTION_ID, "kind", *CHUNKS.names()),
    )


def open_reading(session: ReviewSession, reader: str) -> None:
    """Begin, or go on, reading: what is theirs to read is asked anew. For a whole run of the page."""
    state: _State | None = st.session_state.get(STATE)
    if state is None or (state.session.session, state.reader) != (session.session, reader):
        st.session_state[STATE] = _State(session=session, reader=reader)
    else:
        state.session, state.item = session, None


@st.fragment
@say_problems
def read_triplets(rows: pl.DataFrame | None) -> None:
    """Draw the reader's next triplet, and act on what they say of it. `rows` are of a run over the dataset."""
    state: _State = st.session_state[STATE]
    version = newest_version(workspace(), state.session.line)
    if state.refreshed != version.golden_id:
        refresh_review(workspace(), state.session.session)
        state.refreshed, state.item = version.golden_id, None
    book = _open_book(version)
    item = _open_item(state, book)
    view = _describe_state(state) | (_describe_item(state, book, item, rows) if item else {})
    _reading(key=READING, data=view, on_said_change=partial(_act_on, state, book))


def _open_item(state: _State, book: _Book) -> reviews.ReviewItem | None:
    """The item that the reader reads: the same between two messages, the next one after a decision."""
    if state.item:
        return state.item
    find_next = partial(reviews.find_next_item, workspace(), state.session.session, state.reader)
    state.item = find_next()
    while state.item and state.item.question_id not in book.triplets:
        gone = reviews.Decision(action=SKIP, note="The triplet is not in the newest version.")
        reviews.decide(workspace(), state.session.session, state.item.item, state.reader, gone)
        state.item = find_next()
    done = reviews.count_progress(workspace(), state.session.session, state.reader)
    state.position = (
        f"You decided on {count(done.own)}. The review has {count(done.decided)} of {count(done.wanted)} decisions."
    )
    state.checks = []
    if state.item:
        flags = seen_flags(workspace(), state.session.session, state.item.item, state.reader)
        state.checks = [f"{source}: {visible(detail)}" for source, detail in flags]
        passage = _find_passage(book, state.item)
        if passage is not None:
            state.checks.append(_ask_gate(book.triplets[state.item.question_id], passage))
        state.checks = state.checks or ["Nothing is found."]
    state.attempt += 1
    return state.item


def _find_passage(book: _Book, item: reviews.ReviewItem) -> pl.DataFrame | None:
    """The item's row of the book's passages; None where no passage is kept."""
    matching = book.passages.filter(pl.col(QUESTION_ID) == item.question_id)
    return None if matching.is_empty() else matching.tail(1)


def _describe_state(state: _State) -> _View:
    """The view without an item."""
    session = state.session
    own = [(name, "One of this dataset's own.") for name in session.own_findings]
    return {
        "item": None,
        "attempt": state.attempt,
        "heard": state.heard,
        "last": state.last,
        "error": state.error,
        "position": state.position,
        "checks": state.checks,
        "findings": [*FINDINGS, *session.own_findings],
        "guidelines": {
            "text": visible(session.guidelines or GUIDE["how_to_read"]),
            "findings": [*GUIDE["findings"].items(), *own],
        },
        "actions": [
            {"action": action, "key": key, "label": action.capitalize(), "title": GUIDE["decisions"][action]}
            for action, key in DECISION_KEYS.items()
        ],
        "gate": "",
        "end": f"Nothing is left for you to read.\n{state.position} Progress shows what is open.",
    }


def _describe_item(state: _State, book: _Book, item: reviews.ReviewItem, rows: pl.DataFrame | None) -> _View:
    """The view of the item: its passage, triplet and draft, and what pipelines answer in these rows."""
    triplet, passage = book.triplets[item.question_id], _find_passage(book, item)
    drafted: dict[str, str | None] = {name: item.draft.get(name) for name in TEXTS}
    edited = {name: text for name, text in drafted.items() if text is not None}
    texts = {name: visible(triplet[name] or "") for name in TEXTS}
    variants = texts[FACT].replace(AND_DELIMITER, f" {AND_DELIMITER}{OR_DELIMITER}").split(OR_DELIMITER)
    responses = []
    if rows is not None:  # lazy: of a mapped run only these columns are read
        of_question = rows.lazy().filter(pl.col(QUESTION_ID) == item.question_id).select(PIPELINE, RESPONSE)
        responses = of_question.head(5).collect().rows()
    return {
        "item": str(item.item),
        "position": f"{visible(item.question_id)}. {state.position}",
        "passage": _describe_passage(triplet, passage),
        "triplet": {**texts, "variants": [part.strip() for part in variants if part.strip()]},
        "responses": [
            {"pipeline": visible(pipeline), "text": visible((response or "")[:1_500])}
            for pipeline, response in responses
        ],
        "draft": {
            **{name: text and visible(text) for name, text in drafted.items()},
            "findings": list(item.draft.get("findings") or []),
            "note": item.draft.get("note") or "",
            "editing": bool(edited),
        },
        "gate": _ask_gate({**triplet, **edited}, passage) if edited and passage is not None else "",
    }


def _describe_passage(triplet: Texts, passage: pl.DataFrame | None) -> _View:
    """The passage's place, its text with the fact marked, and a legend; the triplet's source where none is kept."""
    if passage is None:
        source = _Part(text=visible(triplet[SOURCE] or "none"), kind=None)
        return {"place": "No passage is kept for this triplet. Its source is:", "parts": [source], "legend": ""}
    chunk = passage.row(0, named=True)
    heading = f" · {chunk['heading']}" if chunk["heading"] else ""
    marked = marked_parts(chunk["text"], fact_variants(triplet[FACT] or ""))
    parts = [_Part(text=visible(text), kind="fact" if is_fact else None) for text, is_fact in marked]
    return {"place": visible(f"{place_in_words(chunk)}{heading}"), "parts": parts, "legend": LEGEND}


def _ask_gate(triplet: Texts, passage: pl.DataFrame) -> str:
    """The gate's word on the triplet, in a sentence."""
    texts = [pl.lit(triplet[name] or "").alias(name) for name in TEXTS]
    checked = refute_triplets(passage.select("kind", "chunk", *texts), Corpus(passage.select(CHUNKS.names())))
    status, rule, reason = checked.select("status", "rule", "reason").row(0)
    if status == NOT_REFUTED:
        return "Words do not refute it."
    return f"Words refute it ({rule}): {visible(reason)}"


def _act_on(state: _State, book: _Book) -> None:
    """Act on what the browser says (see reading.js): a decision, a draft, or an undo. Later messages have larger
    numbers: one that was heard before is not acted on again."""
    message: Mapping[str, Any] = st.session_state[READING].said or {}
    item = state.item if state.item and str(state.item.item) == str(message.get("item")) else None
    if message.get("kind") == "draft":
        if item:
            decision, texts = _read_decision(message, book.triplets[item.question_id])
            draft = {"findings": list(decision.findings), "note": decision.note, **texts}
            reviews.keep_draft(workspace(), item, state.reader, draft)
            state.item = replace(item, draft=draft)
        return
    number = int(message.get("seq") or 0)
    if number <= state.heard:
        return
    state.heard, state.error = number, ""
    try:
        if message.get("kind") == "undo":
            reviews.undo_decision(workspace(), state.session.session, state.reader)
            state.last = ""
        elif item:
            triplet = book.triplets[item.question_id]
            decision, texts = _read_decision(message, triplet)
            if decision.action == EDIT:
                changed: dict[str, Any] = {name: text for name, text in texts.items() if text != (triplet[name] or "")}
                decision = replace(decision, **changed)
            reviews.decide(workspace(), state.session.session, item.item, state.reader, decision)
            flags = seen_flags(workspace(), state.session.session, item.item, state.reader)
            judged = "".join(f" The judge says: {visible(detail)}" for source, detail in flags if source == JUDGE)
            state.last = f"{visible(item.question_id)}: {decision.action}.{judged}"
    except QavizError as error:
        state.error = visible("\n".join(map(str, error.problems)))
        return
    state.item = None


def _read_decision(message: Mapping[str, Any], triplet: Texts) -> tuple[reviews.Decision, dict[str, str]]:
    """What a message says of the triplet, and the texts as they are edited, with the triplet's invisible characters in
    place of the signs for them."""
    texts, seconds = {name: message.get(name) for name in TEXTS}, message.get("seconds")
    decision = reviews.Decision(
        action=str(message.get("action")),
        findings=tuple(str(finding) for finding in message.get("findings") or ()),
        note=str(message.get("note") or "")[:LONGEST_DRAFT],
        seconds=float(seconds) if isinstance(seconds, int | float) else None,
    )
    return decision, {
        name: restore_signs(text[:LONGEST_DRAFT], triplet[name] or "")
        for name, text in texts.items()
        if isinstance(text, str)
    }
