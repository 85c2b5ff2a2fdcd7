"""A reader goes through the triplets of a review, one key a decision: the passage with its evidence, checks,
and flags.
"""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count
from qaviz.documents.chunks import CHUNKS
from qaviz.generation.gate import ACCEPTED, check_triplets
from qaviz.generation.gate.cases import mark_evidence, missing_evidence
from qaviz.generation.triplets import place_in_words
from qaviz.golden.versions import newest_version
from qaviz.model.columns import (
    AND_DELIMITER,
    ANSWER,
    FACT,
    OR_DELIMITER,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    RESPONSE,
    SOURCE,
)
from qaviz.model.errors import QavizError
from qaviz.model.visible import restore_signs, visible
from qaviz.review.decisions import DECISION_KEYS, DECISIONS, FINDING_EXAMPLES, HOW_TO_READ
from qaviz.review.sample import JUDGE
from qaviz.review.session import refresh_review
from qaviz.store import GoldenVersion, passages
from qaviz.store.review_decisions import Decision, decide, undo_decision
from qaviz.store.review_leases import Given, count_progress, give_next, keep_draft
from qaviz.store.review_sessions import EDIT, FINDINGS, SKIP, ReviewSession, seen_flags
from qaviz.ui.widgets.components import show_reading
from qaviz.ui.widgets.page_setup import OPEN_RUNS, workspace
from qaviz.ui.widgets.text import show_problems

STATE = "reading_state"
"""Session key of what this visit reads."""
LONGEST_DRAFT = 100_000
RENEW = timedelta(minutes=10)
"""A lease that ends sooner is renewed while its reader writes."""
NOTHING_FOUND = "Nothing is found."

TEXTS = (QUESTION, ANSWER, FACT)
MOST_RESPONSES = 5
LONGEST_RESPONSE = 1_500
LEGEND = "Marked: what the answer or the fact has too. Figures count in any form: 12,455 million is 12.5 billion."
NO_PASSAGE = "No passage is kept for this triplet. Its source is:"


class _Book(NamedTuple):
    """The newest version's triplets, and their passages, by question_id."""

    triplets: Mapping[str, Mapping[str, Any]]
    passages: Mapping[str, Mapping[str, Any]]


@dataclass
class _State:
    """What this visit reads: for one session and one reader."""

    session: ReviewSession
    reader: str
    given: Given | None = None
    attempt: int = 0
    """How many items were given: the browser draws anew when it changes."""
    heard: int = 0
    """Number of the last message that was heard: one that comes again is not acted on again."""
    last: str = ""
    """The last decision, in words, with what a judge says of its triplet."""
    error: str = ""
    refreshed: str = ""
    """The golden dataset version that the review was brought to."""
    position: str = ""
    checks: list[str] = field(default_factory=list)


@st.cache_resource(max_entries=OPEN_RUNS, show_spinner=False, hash_funcs={GoldenVersion: lambda each: each.golden_id})
def _open_book(version: GoldenVersion) -> _Book:
    golden, kept = workspace().golden(version.golden_id), passages(workspace(), version.line)
    return _Book(
        {row[QUESTION_ID]: row for row in golden.iter_rows(named=True)},
        {row[QUESTION_ID]: row for row in kept.iter_rows(named=True)},
    )


def open_reading(session: ReviewSession, reader: str) -> None:
    """Begin, or go on, reading: what the reader holds is given anew. For a whole run of the page."""
    state: _State | None = st.session_state.get(STATE)
    if state is None or (state.session.session, state.reader) != (session.session, reader):
        st.session_state[STATE] = _State(session=session, reader=reader)
    else:
        state.session, state.given = session, None


@st.fragment
def read_triplets(rows: pl.DataFrame | None) -> None:
    """Draw the triplet that the reader holds, and act on what they say of it. `rows` are of a run over the dataset."""
    state: _State = st.session_state[STATE]
    try:
        book = _bring_up_to_date(state)
        given = _hold(state, book)
        data = _describe(state, book, given, rows) if given else {"item": None, "end": _end(state)}
    except QavizError as error:
        show_problems(error)
        return
    show_reading(_frame(state) | data, partial(_hear, state, book))


def _bring_up_to_date(state: _State) -> _Book:
    version = newest_version(workspace(), state.session.line)
    if state.refreshed != version.golden_id:
        refresh_review(workspace(), state.session.session)
        state.refreshed, state.given = version.golden_id, None
    return _open_book(version)


def _hold(state: _State, book: _Book) -> Given | None:
    """The item that the reader holds: the same between two messages, the next one after a decision."""
    if state.given and state.given.expires_at - datetime.now(UTC) > RENEW:
        return state.given
    state.given = give_next(workspace(), state.session.session, state.reader)
    while state.given and state.given.question_id not in book.triplets:
        gone = Decision(action=SKIP, note="The triplet is not in the newest version.")
        decide(workspace(), state.session.session, state.given.item, state.reader, gone)
        state.given = give_next(workspace(), state.session.session, state.reader)
    done = count_progress(workspace(), state.session.session, state.reader)
    state.position = (
        f"You decided on {count(done.own)}. The review has {count(done.decided)} of {count(done.wanted)} decisions."
    )
    state.checks = _find_checks(state, book, state.given) if state.given else []
    state.attempt += 1
    return state.given


def _find_checks(state: _State, book: _Book, given: Given) -> list[str]:
    flags = seen_flags(workspace(), state.session.session, given.item, state.reader)
    said = [f"{source}: {visible(detail)}" for source, detail in flags]
    checked = check_triplet(book.triplets[given.question_id], book.passages.get(given.question_id))
    return [*said, *checked] or [NOTHING_FOUND]


def _frame(state: _State) -> dict[str, Any]:
    session = state.session
    own = [(name, "One of this dataset's own.") for name in session.own_findings]
    return {
        "attempt": state.attempt,
        "heard": state.heard,
        "last": state.last,
        "error": state.error,
        "position": state.position,
        "gate": "",
        "difference": [],
        "checks": state.checks,
        "findings": [*FINDINGS, *session.own_findings],
        "guidelines": {
            "text": visible(session.guidelines or HOW_TO_READ),
            "findings": [*FINDING_EXAMPLES.items(), *own],
        },
        "actions": [
            {"action": action, "key": key, "label": action.capitalize(), "title": DECISIONS[action]}
            for action, key in DECISION_KEYS.items()
        ],
    }


def _describe(state: _State, book: _Book, given: Given, rows: pl.DataFrame | None) -> dict[str, Any]:
    triplet, passage = book.triplets[given.question_id], book.passages.get(given.question_id)
    edited = {name: given.draft.get(name) for name in TEXTS}
    editing = any(text is not None for text in edited.values())
    changed = {**triplet} | {name: text for name, text in edited.items() if text is not None}
    return {
        "item": str(given.item),
        "position": f"{visible(given.question_id)}. {state.position}",
        "passage": show_passage_of(triplet, passage),
        "triplet": show_triplet(triplet),
        "responses": show_responses(rows, given.question_id),
        "draft": {name: text and visible(text) for name, text in edited.items()}
        | {
            "findings": list(given.draft.get("findings") or []),
            "note": given.draft.get("note") or "",
            "editing": editing,
        },
        "difference": compare_texts(triplet, changed),
        "gate": ask_gate(changed, passage) if editing and passage else "",
    }


def _end(state: _State) -> str:
    return f"Nothing is left for you to read.\n{state.position} Progress shows what is open."


def _hear(state: _State, book: _Book, said: Mapping[str, Any]) -> None:
    """Act on a message of the browser; a decision or undo that was heard before is not acted on again."""
    given, number = state.given, int(said.get("seq") or 0)
    if said.get("kind") == "draft":
        if given and str(given.item) == str(said.get("item")):
            _keep_draft(state, book, given, said)
        return
    if number <= state.heard:
        return
    state.heard, state.error = number, ""
    try:
        if said.get("kind") == "undo":
            undo_decision(workspace(), state.session.session, state.reader)
            state.last = ""
        elif given and str(given.item) == str(said.get("item")):
            _decide(state, book, given, said)
    except QavizError as error:
        state.error = visible("\n".join(map(str, error.problems)))
        return
    state.given = None


def _read_sent_triplet(triplet: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """What the browser sent of a triplet: findings, note, and the texts that an edit changes."""
    texts = {name: said.get(name) for name in TEXTS}
    meant = {
        name: restore_signs(str(text)[:LONGEST_DRAFT], triplet[name] or "")
        for name, text in texts.items()
        if isinstance(text, str)
    }
    findings = [str(each) for each in said.get("findings") or ()]
    return {"findings": findings, "note": str(said.get("note") or "")[:LONGEST_DRAFT], **meant}


def _keep_draft(state: _State, book: _Book, given: Given, said: Mapping[str, Any]) -> None:
    draft = _read_sent_triplet(book.triplets[given.question_id], said)
    keep_draft(workspace(), given, state.reader, draft)
    state.given = replace(given, draft=draft)


def _decide(state: _State, book: _Book, given: Given, said: Mapping[str, Any]) -> None:
    triplet, action = book.triplets[given.question_id], str(said.get("action"))
    written = _read_sent_triplet(triplet, said)
    changed = {name: written[name] for name in TEXTS if written.get(name, triplet[name] or "") != (triplet[name] or "")}
    kept = changed if action == EDIT else {}
    seconds = said.get("seconds")
    decision = Decision(
        action=action,
        findings=tuple(written["findings"]),
        note=written["note"],
        seconds=float(seconds) if isinstance(seconds, int | float) else None,
        question=kept.get(QUESTION),
        answer=kept.get(ANSWER),
        fact=kept.get(FACT),
    )
    decide(workspace(), state.session.session, given.item, state.reader, decision)
    flags = seen_flags(workspace(), state.session.session, given.item, state.reader)
    judged = "".join(f" The judge says: {visible(detail)}" for source, detail in flags if source == JUDGE)
    state.last = f"{visible(given.question_id)}: {action}.{judged}"


def show_passage_of(triplet: Mapping[str, Any], passage: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the passage's place, its parts with what they state, and a legend; the triplet's source where none is."""
    if passage is None:
        source = triplet.get(SOURCE) or "none"
        return {"place": NO_PASSAGE, "parts": [{"text": visible(source), "kind": None}], "legend": ""}
    heading = f" · {passage['heading']}" if passage["heading"] else ""
    place = f"{place_in_words({**passage, 'start': passage['start_at'], 'end': passage['end_at']})}{heading}"
    marked = mark_evidence(passage["passage"], triplet[ANSWER], triplet[FACT])
    parts = [{"text": visible(text), "kind": kind} for text, kind in marked]
    return {"place": visible(place), "parts": parts, "legend": LEGEND}


def show_triplet(triplet: Mapping[str, Any]) -> dict[str, Any]:
    """Return the texts of the triplet, and the variants of its fact."""
    texts = {name: visible(triplet[name] or "") for name in TEXTS}
    parts = texts[FACT].replace(AND_DELIMITER, f" {AND_DELIMITER}{OR_DELIMITER}").split(OR_DELIMITER)
    return {**texts, "variants": [each.strip() for each in parts if each.strip()]}


def check_triplet(triplet: Mapping[str, Any], passage: Mapping[str, Any] | None) -> list[str]:
    """Return what the gate and the figures say of the triplet beside its passage, a sentence each."""
    if passage is None:
        return []
    missing = missing_evidence(passage["passage"], triplet[ANSWER], triplet[FACT])
    found = [f"The passage does not state {', '.join(map(visible, missing))}."] if missing else []
    return [*found, ask_gate(triplet, passage)]


def ask_gate(triplet: Mapping[str, Any], passage: Mapping[str, Any]) -> str:
    """Return the gate's word on the triplet, in a sentence."""
    chunk = {
        "chunk": passage["chunk"],
        "document": passage["document"],
        "document_hash": passage["document_hash"],
        "page": passage["page"],
        "last_page": passage["last_page"],
        "start": passage["start_at"],
        "end": passage["end_at"],
        "heading": passage["heading"],
        "text": passage["passage"],
    }
    chunks = pl.DataFrame([{name: chunk.get(name) for name in CHUNKS.names()}], schema=CHUNKS)
    asked = {name: triplet[name] or "" for name in TEXTS} | {"kind": passage["kind"], "chunk": passage["chunk"]}
    row = check_triplets(pl.DataFrame([asked]), chunks).row(0, named=True)
    if row["status"] == ACCEPTED:
        return "The gate accepts it: the fact is proved in the passage."
    return f"The gate rejects it ({row['rule']}): {visible(row['reason'])}"


def show_responses(rows: pl.DataFrame | None, question_id: str) -> list[dict[str, str]]:
    """Return what pipelines answer to the triplet's question: the first MOST_RESPONSES of them."""
    if rows is None:
        return []
    found = rows.lazy().filter(pl.col(QUESTION_ID) == question_id).select(pl.col(PIPELINE).cast(pl.String), RESPONSE)
    return [
        {"pipeline": visible(pipeline), "text": visible((response or "")[:LONGEST_RESPONSE])}
        for pipeline, response in found.head(MOST_RESPONSES).collect().iter_rows()
    ]


def compare_texts(triplet: Mapping[str, Any], edited: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return, for each text that an edit changes, its name and its words with what was added and removed."""
    return [
        {"field": name, "parts": list(_compare_words(visible(triplet[name] or ""), visible(edited[name])))}
        for name in TEXTS
        if edited.get(name) is not None and edited[name] != (triplet[name] or "")
    ]


def _compare_words(before: str, after: str) -> Iterator[dict[str, str | None]]:
    old, new = _words(before), _words(after)
    for _, first, last, begin, end in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        removed, added = "".join(old[first:last]), "".join(new[begin:end])
        if removed == added:
            yield {"text": removed, "kind": None}
            continue
        if removed:
            yield {"text": removed, "kind": "removed"}
        if added:
            yield {"text": added, "kind": "added"}


def _words(text: str) -> Sequence[str]:
    return re.findall(rf"\s+|{OR_DELIMITER}|{AND_DELIMITER}|[^\s<]+|<", text)
