"""The Review page: pick a golden dataset and a review, classify the risk, see the plan, start a review."""

from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from typing import TypeVar

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import day, moment, plural
from qaviz.golden.versions import newest_version
from qaviz.model.columns import CATEGORY, PIPELINE, QUESTION_ID, RESPONSE
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.model.visible import plain
from qaviz.report import Column, Kind
from qaviz.review import (
    Level,
    Likelihood,
    Severity,
    classify_risk,
    plan_review,
    say_plan,
)
from qaviz.review.session import ReviewRules, start_review
from qaviz.store.audit_log import Deed
from qaviz.store.golden_versions import GoldenVersion, line_of, named_datasets
from qaviz.store.review_sessions import WHOLE, ReviewSession, Risk, classify, kept_risks, review_sessions
from qaviz.ui.curation_state import version_in_words
from qaviz.ui.review_progress import OUTCOME, show_progress
from qaviz.ui.review_reading import open_reading, read_triplets
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.components import show_problems
from qaviz.ui.widgets.filters import pick_listed
from qaviz.ui.widgets.keeping import keep
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import keep_outcome, offer_act, offers, show_outcome
from qaviz.ui.widgets.table import Columns, show_frame

_WHOLE = "the whole dataset"
_Word = TypeVar("_Word", Severity, Likelihood)


class ReviewView(StrEnum):
    """What the Review page shows."""

    RISK = "Risk and plan"
    READING = "Reading"
    PROGRESS = "Progress and statement"


def pick_dataset(run: Run | None) -> GoldenVersion | None:
    """Draw the choice of a golden dataset, the open run's first; returns its newest version, None where none is."""
    try:
        lines = _name_lines(run)
        if not lines:
            return None
        line = pick_listed(url_state.DATASET, "Golden dataset", list(lines), width=260, shown_as=lines.__getitem__)
        return newest_version(workspace(), line)
    except QavizError as error:
        show_problems(error)
        st.stop()


def _name_lines(run: Run | None) -> dict[str, str]:
    """The lines of golden datasets with their names: the open run's first, then generated ones and those of runs."""
    named = {line: name for name, line in named_datasets(workspace()).items()}
    of_runs = {
        run_of_line.golden_id: f"of {run_of_line.name}" for run_of_line in ([run] if run else []) + workspace().runs()
    }
    lines = {line_of(workspace(), golden): name for golden, name in of_runs.items()}
    first = {line_of(workspace(), run.golden_id): ""} if run else {}
    return first | named | lines | named


def pick_session(version: GoldenVersion) -> tuple[list[ReviewSession], ReviewSession | None]:
    """Draw the choice among the dataset's reviews, the newest first, where there are several; returns all and one."""
    sessions = review_sessions(workspace(), version.line)
    if len(sessions) < 2:
        return sessions, sessions[0] if sessions else None
    named = {session.session: _name_session(session) for session in sessions}
    picked = pick_listed(url_state.SESSION, "Review", list(named), width=420, shown_as=named.__getitem__)
    return sessions, next(session for session in sessions if session.session == picked)


def _name_session(session: ReviewSession) -> str:
    of = f", {session.category}" if session.category else ""
    state = ", closed" if session.closed_at else ""
    # With its id: a list tells its choices apart by their words.
    return f"{session.level} risk{of}, {moment(session.started_at)}{state} ({session.session})"


@keep(2)
def _read_responses(run: Run) -> pl.DataFrame:
    return workspace().rows(run, [QUESTION_ID, PIPELINE, RESPONSE])


def show_review(
    view: ReviewView,
    version: GoldenVersion,
    sessions: list[ReviewSession],
    session: ReviewSession | None,
    run: Run | None,
    person: str | None,
) -> None:
    """Draw what came of the last act, and the view. Reading needs a review that is open and a name."""
    show_outcome(OUTCOME)
    golden = workspace().golden(version.golden_id)
    of_line = run if run and line_of(workspace(), run.golden_id) == version.line else None
    if view is ReviewView.RISK:
        st.caption(plain(f"{plural(golden.height, 'triplet')}. {version_in_words(version)}."))
        open_ones = [session for session in sessions if session.closed_at is None]
        _show_risk(version, golden, open_ones, person, of_line)
    elif session is None:
        st.text(f"No review of these {plural(golden.height, 'triplet')} yet. Choose the risk, then start one.")
    elif view is ReviewView.PROGRESS:
        show_progress(session, person)
    elif session.closed_at:
        st.text("This review is closed. Progress has its result.")
    elif person:
        open_reading(session, person)
        read_triplets(_read_responses(of_line) if of_line else None)


def _show_risk(
    version: GoldenVersion,
    golden: pl.DataFrame,
    open_ones: Sequence[ReviewSession],
    person: str | None,
    run: Run | None,
) -> None:
    """Draw the matrix, the plan of the level and the button that starts or enlarges a review."""
    editing = offers(workspace(), Deed.CLASSIFY, "classify risks and start reviews")
    person = person if editing else None
    risks = kept_risks(workspace(), version.line)
    names = [str(category) for category in golden[CATEGORY].drop_nulls().unique(maintain_order=True)]
    category = st.selectbox(
        "Risk of", [WHOLE, *names], format_func=lambda category: category or _WHOLE, key="risk_category", width=320
    )
    classified = next((risk for risk in risks if risk.category == category), None)
    level = _classify(version, category, classified, person)
    if level:
        _show_plan(version, golden, category, level, open_ones, person, run)


def _classify(version: GoldenVersion, category: str, classified: Risk | None, person: str | None) -> Level | None:
    """Draw severity, likelihood, the matrix and the reason; returns the level of risk, None until both are chosen."""
    severity = _pick_word(
        "How bad is it if a triplet is wrong?", Severity, classified.severity if classified else None, category
    )
    likelihood = _pick_word(
        "How often would a wrong triplet do harm?", Likelihood, classified.likelihood if classified else None, category
    )
    _show_matrix(severity, likelihood)
    if not (severity and likelihood):
        st.caption("Choose a severity and a likelihood.")
        return None
    level = classify_risk(severity, likelihood)
    if classified and (classified.severity, classified.likelihood) == (severity, likelihood):
        by = f"{classified.classified_by}, {day(classified.classified_at)}: {classified.reason}"
        st.text(f"{level.value.capitalize()} risk, said {by}")
        return level
    reason = st.text_input("Why?", key=f"risk_reason_{category}", placeholder="Shown with the level, your name and day")
    keep = partial(_keep_risk, version.line, category, severity, likelihood, level, reason)
    ready = bool(reason.strip())
    offer_act(f"Keep: {level} risk", "risk_keep", "flag", keep, person, ready=ready, primary=True)
    return level


def _pick_word(label: str, words: type[_Word], usual: str | None, category: str) -> _Word | None:
    return st.segmented_control(
        label,
        list(words),
        default=words(usual) if usual else None,
        format_func=lambda word: word.value.capitalize(),
        wrap=True,
        key=f"{words.__name__.lower()}_{category}",
    )


@keep_outcome(OUTCOME)
def _keep_risk(
    line: str, category: str, severity: Severity, likelihood: Likelihood, level: Level, reason: str, by: str
) -> str:
    classify(workspace(), line, category, severity.value, likelihood.value, level.value, reason, by)
    return f"Kept: {level} risk."


def _show_matrix(severity: Severity | None, likelihood: Likelihood | None) -> None:
    rows = [
        {
            "severity": of.value.capitalize(),
            **{
                likely.value: {
                    "value": (level := classify_risk(of, likely)).value,
                    "words": f"{'● ' * ((of, likely) == (severity, likelihood))}{level.value.capitalize()}",
                }
                for likely in Likelihood
            },
        }
        for of in reversed(Severity)
    ]
    columns: Columns = (
        "severity",
        *(
            Column(
                likely.value,
                likely.value.capitalize(),
                kind=Kind.MARK,
                text="{words}",
                title=f"{{severity}} severity, {likely}: {{value}} risk",
            )
            for likely in Likelihood
        ),
    )
    show_frame("risk_matrix", "Risk by severity and likelihood", rows, columns, whole=True, dense=True)


def _show_plan(
    version: GoldenVersion,
    golden: pl.DataFrame,
    category: str,
    level: Level,
    open_ones: Sequence[ReviewSession],
    person: str | None,
    run: Run | None,
) -> None:
    population = golden.filter(pl.col(CATEGORY) == category).height if category else golden.height
    allowed = st.number_input(
        "Wrong ones allowed in the sample", 0, 20, 0, key="allowed_wrong", width=320, help="Fixed before the review."
    )
    try:
        plan = plan_review(population, level, allowed_wrong=int(allowed))
    except QavizError as error:
        show_problems(error)
        return
    with st.container(border=True):
        st.text(say_plan(plan))
        st.caption("Triplets that lint, generation or a judge flags, and facts that no pipeline states, are read too.")
        current = next((session for session in open_ones if session.category == category), None)
        if current:
            st.text(f"A review for {current.level} risk is open. `qaviz review promote` enlarges it to a higher level.")
        else:
            _offer_start(version, category, level, int(allowed), person, run)


def _offer_start(
    version: GoldenVersion, category: str, level: Level, allowed: int, person: str | None, run: Run | None
) -> None:
    with st.expander("Readers, findings of your own, guidelines", icon=":material/group:"):
        pool = st.text_input("Readers", key="review_pool", placeholder="Everybody; or names, separated by commas")
        own = st.text_input("Findings of your own", key="review_own", placeholder="Separated by commas")
        guidelines = st.text_area("Guidelines, with examples", key="review_guidelines", height=120)
    rules = ReviewRules(
        pool=_split_names(pool),
        own_findings=_split_names(own),
        guidelines=guidelines,
        allowed_wrong=allowed,
    )
    start = partial(_start, version.golden_id, category, level, rules, run)
    offer_act("Start the review", "review_start", "play_arrow", start, person, primary=True)


def _split_names(names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (part.strip() for part in names.split(",")))))


@keep_outcome(OUTCOME)
def _start(golden: str, category: str, level: Level, rules: ReviewRules, run: Run | None, by: str) -> str:
    rows = workspace().rows(run) if run else None
    made = start_review(workspace(), golden, level, by, category=category, rules=rules, rows=rows)
    return f"{made.sample:,} of {made.population:,} triplets are drawn. Read them under Reading."
