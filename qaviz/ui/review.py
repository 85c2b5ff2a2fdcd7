"""The Review page: pick a golden dataset and a review, classify the risk, see the plan, start a review, and see how far
it is and what it has shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import day, moment, plural
from qaviz.golden.versions import newest_version
from qaviz.model.columns import CATEGORY, PIPELINE, QUESTION_ID, RESPONSE
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.model.visible import plain, visible
from qaviz.report import Column, Kind
from qaviz.review import Level, Likelihood, Severity, classify_risk, plan_review, say_plan
from qaviz.review.session import apply_review, held_triplets, refresh_review, start_review, wrong_documents
from qaviz.review.statement import Statement, review_sentences, say_statement, state_review
from qaviz.store import reviews
from qaviz.store.audit_log import Deed
from qaviz.store.golden_versions import GoldenVersion, line_of, named_datasets
from qaviz.ui.curation_state import version_in_words
from qaviz.ui.labels import show_graders
from qaviz.ui.review_reading import open_reading, read_triplets
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.components import say_problems, show_sentences
from qaviz.ui.widgets.filters import pick_listed
from qaviz.ui.widgets.keeping import keep
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import keep_outcome, offer_act, offers, show_outcome
from qaviz.ui.widgets.table import show_frame

_Word = TypeVar("_Word", Severity, Likelihood)


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
    line = pick_listed(url_state.DATASET, "Golden dataset", list(lines), width=260, shown_as=lines.__getitem__)
    of_line = run if run and line_of(workspace(), run.golden_id) == line else None
    version, sessions = newest_version(workspace(), line), reviews.review_sessions(workspace(), line)
    return Reviewed(version=version, sessions=sessions, run=of_line)


def pick_session(sessions: Sequence[reviews.ReviewSession]) -> reviews.ReviewSession | None:
    """Draw the choice among the dataset's reviews, the newest first, where there are several; returns the one picked,
    None where there is none."""
    if len(sessions) < 2:
        return next(iter(sessions), None)
    named = {session.session: _name_session(session) for session in sessions}
    picked = pick_listed(url_state.SESSION, "Review", list(named), width=420, shown_as=named.__getitem__)
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
    editing = offers(workspace(), Deed.CLASSIFY, "classify risks and start reviews")
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
        keep = partial(_keep_risk, version.line, category, severity, likelihood, level, reason)
        ready = bool(reason.strip())
        offer_act(f"Keep: {level} risk", "risk_keep", "flag", keep, person, ready=ready, primary=True)
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


@keep_outcome
def _keep_risk(
    line: str, category: str, severity: Severity, likelihood: Likelihood, level: Level, reason: str, by: str
) -> str:
    reviews.classify(workspace(), line, category, severity.value, likelihood.value, level.value, reason, by)
    return f"Kept: {level} risk."


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
            start = partial(_start, reviewed, category, level, rules | {"allowed_wrong": int(allowed)})
            offer_act("Start the review", "review_start", "play_arrow", start, person, primary=True)


def _split_names(names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (part.strip() for part in names.split(",")))))


@keep_outcome
def _start(reviewed: Reviewed, category: str, level: Level, rules: Mapping[str, Any], by: str) -> str:
    golden, rows = reviewed.version.golden_id, workspace().rows(reviewed.run) if reviewed.run else None
    made = start_review(workspace(), golden, level, by, category=category, rows=rows, **rules)
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
    editing = offers(workspace(), Deed.SESSION, "enlarge, apply or close a review")
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
        apply = partial(_apply, session.session)
        offer_act("Apply what is settled", "review_apply", "done_all", apply, editor, help=help)
        if statement.session.closed_at is None:
            help = "No more reading and decisions; everyone may then see every decision."
            offer_act("Close the review", "review_close", "lock", partial(_close, session.session), editor, help=help)


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
        offer_act("Take it back, to decide again", "take_back", "undo", partial(_take_back, session, item), person)


@keep_outcome
def _take_back(session: str, item: int, by: str) -> str:
    reviews.undo_decision(workspace(), session, by, item=item)
    return "Taken back. It is the next one under Reading."


@keep_outcome
def _apply(session: str, by: str) -> str:
    made = apply_review(workspace(), session, by)
    return f"Saved as version {made.number}." if made else "Nothing is left to apply."


@keep_outcome
def _close(session: str, by: str) -> str:
    reviews.close_session(workspace(), session, by)
    return "The review is closed."
