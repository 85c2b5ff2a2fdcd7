"""The Review page: pick a golden dataset and a review, classify the risk, see the plan, start a review, read triplets
one key a decision, and see how far it is and what it has shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple, TypedDict, TypeVar

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count, day, moment, plural
from qaviz.documents.chunks import CHUNKS
from qaviz.generation.passages import Corpus
from qaviz.generation.refute import refute_triplets
from qaviz.generation.triplets import place_in_words
from qaviz.golden.edits import TEXTS, Texts
from qaviz.golden.versions import newest_version
from qaviz.model.columns import AND_DELIMITER, CATEGORY, FACT, OR_DELIMITER, PIPELINE, QUESTION_ID, RESPONSE, SOURCE
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.model.visible import plain, restore_signs, visible
from qaviz.report import Column, Kind
from qaviz.review import JUDGE, Level, Likelihood, Severity, classify_risk, plan_review, say_plan
from qaviz.review.session import (
    DECISION_KEYS,
    GUIDE,
    apply_review,
    held_triplets,
    refresh_review,
    start_review,
    wrong_documents,
)
from qaviz.review.statement import Statement, review_sentences, say_statement, state_review
from qaviz.scoring.definition import fact_variants
from qaviz.store import reviews
from qaviz.store.audit_log import Deed
from qaviz.store.golden_versions import GoldenVersion, line_of, named_datasets, passages
from qaviz.store.labels import NOT_REFUTED
from qaviz.store.workspace import Workspace
from qaviz.ui.curation import version_in_words
from qaviz.ui.labels import show_graders
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.components import declare_component, marked_parts, say_problems, show_sentences
from qaviz.ui.widgets.filters import pick
from qaviz.ui.widgets.keeping import keep
from qaviz.ui.widgets.person import offer_act, offers, show_outcome, workspace
from qaviz.ui.widgets.table import show_frame

_Word = TypeVar("_Word", Severity, Likelihood)
READING = "reading"
_reading = declare_component("reading", '<div class="reading"></div>')

STATE = "reading_state"
"""Session key of what this visit reads."""
LONGEST_DRAFT = 100_000

LEGEND = "Marked: the fact."

_View = dict[str, object]
"""What the browser draws, under the names of reading.js."""


class ReviewView(StrEnum):
    """What the Review page shows."""

    RISK = "Risk and plan"
    READING = "Reading"
    PROGRESS = "Progress and statement"


@dataclass(frozen=True, kw_only=True)
class Reviewed:
    """The golden dataset that the page is about."""

    version: GoldenVersion
    sessions: Sequence[reviews.ReviewSession]
    """Its reviews, the newest first."""
    run: Run | None
    """The open run, where it is over this golden dataset."""

    @property
    def golden(self) -> pl.DataFrame:
        """Its triplets."""
        return workspace().golden(self.version.golden_id)


def pick_dataset(run: Run | None) -> Reviewed | None:
    """Draw the choice of a golden dataset: the open run's first, then generated ones and those of runs; returns it,
    None where none is."""
    named = {line: name for name, line in named_datasets(workspace()).items()}
    of_runs = {other.golden_id: f"of {other.name}" for other in ([run] if run else []) + workspace().runs()}
    lines_of_runs = {line_of(workspace(), golden): name for golden, name in of_runs.items()}
    first = {line_of(workspace(), run.golden_id): ""} if run else {}
    lines = first | named | lines_of_runs | named
    if not lines:
        return None
    line = pick(url_state.DATASET, "Golden dataset", list(lines), lines.__getitem__, width=260)
    of_line = run if run and line_of(workspace(), run.golden_id) == line else None
    version, sessions = newest_version(workspace(), line), reviews.review_sessions(workspace(), line)
    return Reviewed(version=version, sessions=sessions, run=of_line)


def pick_session(sessions: Sequence[reviews.ReviewSession]) -> reviews.ReviewSession | None:
    """Draw the choice among the dataset's reviews, the newest first, where there are several; returns the one picked,
    None where there is none."""
    if len(sessions) < 2:
        return next(iter(sessions), None)
    named = {session.session: _name_session(session) for session in sessions}
    picked = pick(url_state.SESSION, "Review", list(named), named.__getitem__, width=420)
    return next(session for session in sessions if session.session == picked)


def _name_session(session: reviews.ReviewSession) -> str:
    of = f", {session.category}" if session.category else ""
    state = ", closed" if session.closed_at else ""
    # With its id: a list tells its choices apart by their words.
    return f"{session.level} risk{of}, {moment(session.started_at)}{state} ({session.session})"


@keep(2)
def _read_responses(run: Run) -> pl.DataFrame:
    return workspace().rows(run, [QUESTION_ID, PIPELINE, RESPONSE])


def show_review(
    reviewed: Reviewed, view: ReviewView, session: reviews.ReviewSession | None, person: str | None
) -> None:
    """Draw what came of the last act, and the view. Reading needs a review that is open and a name."""
    show_outcome()
    run, triplets = reviewed.run, plural(reviewed.golden.height, "triplet")
    if view is ReviewView.RISK:
        st.caption(plain(f"{triplets}. {version_in_words(reviewed.version)}."))
        _show_risk(reviewed, person)
    elif session is None:
        st.text(f"No review of these {triplets} yet. Choose the risk, then start one.")
    elif view is ReviewView.PROGRESS:
        show_progress(session, person)
    elif session.closed_at:
        st.text("This review is closed. Progress has its result.")
    elif person:
        open_reading(session, person)
        read_triplets(_read_responses(run) if run else None)


def _show_risk(reviewed: Reviewed, person: str | None) -> None:
    """Draw severity and likelihood; once both are chosen, the reason, the plan and the review's start."""
    editing = offers(Deed.CLASSIFY, "classify risks and start reviews")
    person, version = person if editing else None, reviewed.version
    risks = reviews.kept_risks(workspace(), version.line)
    categories = reviewed.golden[CATEGORY].drop_nulls().unique(maintain_order=True).to_list()
    named = {reviews.WHOLE: "the whole dataset"} | {category: category for category in categories}
    category = st.selectbox("Risk of", list(named), format_func=named.__getitem__, key="risk_category", width=320)
    classified = next((risk for risk in risks if risk.category == category), None)
    usual = (classified.severity, classified.likelihood) if classified else (None, None)
    severity = _pick_word("How bad is it if a triplet is wrong?", Severity, usual[0], category)
    likelihood = _pick_word("How often would a wrong triplet do harm?", Likelihood, usual[1], category)
    if not (severity and likelihood):
        st.caption("Choose a severity and a likelihood.")
        return
    level = classify_risk(severity, likelihood)
    if classified and usual == (severity, likelihood):
        by = f"{classified.classified_by}, {day(classified.classified_at)}: {classified.reason}"
        st.text(f"{level.value.capitalize()} risk, said {by}")
    else:
        hint = "Shown with the level, your name and day"
        reason = st.text_input("Why?", key=f"risk_reason_{category}", placeholder=hint)
        label, says, ready = f"Keep: {level} risk", f"Kept: {level} risk.", bool(reason.strip())
        keeping = (person, reviews.classify, version.line, category, severity.value, likelihood.value, level.value)
        offer_act(label, "risk_keep", "flag", *keeping, reason, says=says, ready=ready, primary=True)
    _show_plan(reviewed, category, level, person)


def _pick_word(label: str, words: type[_Word], usual: str | None, category: str) -> _Word | None:
    return st.segmented_control(
        label,
        list(words),
        default=words(usual) if usual else None,
        format_func=lambda word: word.value.capitalize(),
        wrap=True,
        key=f"{words.__name__.lower()}_{category}",
    )


@say_problems
def _show_plan(reviewed: Reviewed, category: str, level: Level, person: str | None) -> None:
    golden = reviewed.golden
    population = golden.filter(pl.col(CATEGORY) == category).height if category else golden.height
    allowed = st.number_input(
        "Wrong ones allowed in the sample", 0, 20, 0, key="allowed_wrong", width=320, help="Fixed before the review."
    )
    plan = plan_review(population, level, allowed_wrong=int(allowed))
    with st.container(border=True):
        st.text(say_plan(plan))
        st.caption("Triplets that lint, generation or a judge flags, and facts that no pipeline states, are read too.")
        open_ones = [session for session in reviewed.sessions if session.closed_at is None]
        if current := next((session for session in open_ones if session.category == category), None):
            st.text(f"A review for {current.level} risk is open. `qaviz review promote` enlarges it to a higher level.")
        else:
            with st.expander("Readers, findings of your own, guidelines", icon=":material/group:"):
                pool = st.text_input(
                    "Readers", key="review_pool", placeholder="Everybody; or names, separated by commas"
                )
                own = st.text_input("Findings of your own", key="review_own", placeholder="Separated by commas")
                guidelines = st.text_area("Guidelines, with examples", key="review_guidelines", height=120)
            rules = {"pool": _split_names(pool), "own_findings": _split_names(own), "guidelines": guidelines}
            starting = (person, _start, reviewed, category, level, rules | {"allowed_wrong": int(allowed)})
            offer_act("Start the review", "review_start", "play_arrow", *starting, primary=True)


def _split_names(names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (part.strip() for part in names.split(",")))))


def _start(home: Workspace, reviewed: Reviewed, category: str, level: Level, rules: Mapping[str, Any], by: str) -> str:
    golden, rows = reviewed.version.golden_id, home.rows(reviewed.run) if reviewed.run else None
    made = start_review(home, golden, level, by, category=category, rows=rows, **rules)
    return f"{made.sample:,} of {made.population:,} triplets are drawn. Read them under Reading."


def reviews_of(run: Run) -> list[str]:
    """What reviews have shown of the run's golden dataset, a sentence each; none where the index cannot be read."""
    try:
        return review_sentences(workspace(), run.golden_id)
    except QavizError:
        # What is damaged is said by the part of the page that reads it.
        return []


@say_problems
def show_progress(session: reviews.ReviewSession, person: str | None) -> None:
    """Draw the review's statement, readers, agreement and open triplets, and the buttons that apply or close it."""
    refresh_review(workspace(), session.session)
    statement = state_review(workspace(), session.session)
    lead, *points = say_statement(statement)
    show_sentences("statement", points, lead=lead)
    editing = offers(Deed.SESSION, "enlarge, apply or close a review")
    editor = person if editing else None
    if statement.readers.height:
        repeats = "Hidden repeats of their own triplets."
        columns = (
            *("reader", "decided"),
            Column("seconds", "Seconds each", text="{seconds:.0f}", help="The median."),
            Column("same_again", "Repeats as before", kind=Kind.PART, of="repeated", help=repeats),
        )
        show_frame("review_readers", "Progress by reader", statement.readers, columns, short=True)
    show_graders("review_agreement", statement.agreement)
    held = held_triplets(workspace(), statement.session.line)
    counts = dict(held["document"].drop_nulls().value_counts().iter_rows())
    documents = sorted({*wrong_documents(workspace(), statement.session.session), *counts})
    if documents:
        st.subheader("Documents that are wrong", anchor=False)
        words = [
            f"{visible(document)}: {plural(counts.get(document, 0), 'triplet')} kept out" for document in documents
        ]
        show_sentences("wrong_sources", words)
        st.caption(
            "Every triplet from them is kept out once the review is applied, until `qaviz review correct` reads a "
            "corrected document."
        )
    _show_disagreements(statement, person)
    with st.container(horizontal=True, gap="small"):
        help = "Edits, deletions and marks of wrong sources become one version of the golden dataset."
        applying = (editor, apply_review, session.session)
        offer_act("Apply what is settled", "review_apply", "done_all", *applying, says=_say_applied, help=help)
        if statement.session.closed_at is None:
            help = "No more reading and decisions; everyone may then see every decision."
            closing, says = (editor, reviews.close_session, session.session), "The review is closed."
            offer_act("Close the review", "review_close", "lock", *closing, says=says, help=help)


def _show_disagreements(statement: Statement, person: str | None) -> None:
    """Draw what readers decided on the open triplets, and for one of these readers how to decide again."""
    if not statement.open_items:
        return
    session = statement.session.session
    open_ones = reviews.all_decisions(workspace(), session).filter(pl.col("item").is_in(statement.open_items))
    columns = (
        Column(QUESTION_ID, "Triplet"),
        Column("reader", "Who"),
        Column("action", "Decision"),
        *("findings", Column("note", "Note", wide=True)),
    )
    decided = open_ones.sort("item").with_columns(pl.col("findings").list.join(", "))
    show_frame("disagreements", "Open: a reader asks, or readers disagree", decided, columns, whole=True)
    own = open_ones.filter(pl.col("reader") == person, pl.col("applied").is_null())
    if person and own.height and statement.session.closed_at is None:
        names = dict(own.select("item", QUESTION_ID).iter_rows())
        item: int = st.selectbox("Your decision on", list(names), format_func=lambda number: names[number], width=420)
        undo, says = partial(reviews.undo_decision, item=item), "Taken back. It is the next one under Reading."
        offer_act("Take it back, to decide again", "take_back", "undo", person, undo, session, says=says)


def _say_applied(made: GoldenVersion | None) -> str:
    return f"Saved as version {made.number}." if made else "Nothing is left to apply."


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

    session: reviews.ReviewSession
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


def open_reading(session: reviews.ReviewSession, reader: str) -> None:
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
        gone = reviews.Decision(action=reviews.SKIP, note="The triplet is not in the newest version.")
        reviews.decide(workspace(), state.session.session, state.item.item, state.reader, gone)
        state.item = find_next()
    done = reviews.count_progress(workspace(), state.session.session, state.reader)
    state.position = (
        f"You decided on {count(done.own)}. The review has {count(done.decided)} of {count(done.wanted)} decisions."
    )
    state.checks = []
    if state.item:
        flags = reviews.seen_flags(workspace(), state.session.session, state.item.item, state.reader)
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
        "findings": [*reviews.FINDINGS, *session.own_findings],
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
            if decision.action == reviews.EDIT:
                changed: dict[str, Any] = {name: text for name, text in texts.items() if text != (triplet[name] or "")}
                decision = replace(decision, **changed)
            reviews.decide(workspace(), state.session.session, item.item, state.reader, decision)
            flags = reviews.seen_flags(workspace(), state.session.session, item.item, state.reader)
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
