"""Which golden dataset and which review the Review page is about, and what it shows of them."""

from enum import StrEnum

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import moment, plural
from qaviz.golden.versions import newest_version
from qaviz.model.columns import PIPELINE, QUESTION_ID, RESPONSE
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.model.visible import plain
from qaviz.review.statement import review_sentences
from qaviz.store import GoldenVersion, line_of, named_datasets
from qaviz.store.review_sessions import ReviewSession, review_sessions
from qaviz.ui.curation_state import version_in_words
from qaviz.ui.review_progress import show_progress
from qaviz.ui.review_reading import open_reading, read_triplets
from qaviz.ui.review_risk import show_risk
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.filters import pick, pick_listed
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.text import show_problems


class ReviewView(StrEnum):
    """What the Review page shows."""

    RISK = "Risk and plan"
    READING = "Reading"
    PROGRESS = "Progress and statement"


def pick_dataset(run: Run | None) -> GoldenVersion | None:
    """Draw the choice of a golden dataset, the open run's first; returns its newest version, None where none is."""
    try:
        lines = _lines(run)
        if not lines:
            return None
        line = pick_listed(url_state.DATASET, "Golden dataset", list(lines), width=260, shown_as=lines.__getitem__)
        return newest_version(workspace(), line)
    except QavizError as error:
        show_problems(error)
        st.stop()


def _lines(run: Run | None) -> dict[str, str]:
    """The lines of golden datasets with their names: of the open run, of generation, of other runs."""
    runs = [*([run] if run else []), *workspace().runs()]
    own = {line_of(workspace(), run.golden_id): f"of {run.name}"} if run else {}
    named = {line: name for name, line in named_datasets(workspace()).items()}
    others = {
        line_of(workspace(), golden): name for golden, name in {r.golden_id: f"of {r.name}" for r in runs}.items()
    }
    lines = own | named | others
    return {line: named.get(line, lines[line]) for line in lines}


def reviews_of(run: Run) -> list[str]:
    """What reviews have shown of the run's golden dataset, a sentence each; none where the index cannot be read."""
    try:
        return review_sentences(workspace(), run.golden_id)
    except QavizError:
        # What is damaged is said by the part of the page that reads it.
        return []


def pick_review_view() -> ReviewView:
    """Draw the choice of what the page shows, kept in the URL."""
    return pick(url_state.REVIEW, "What to show", list(ReviewView), str)


def pick_session(version: GoldenVersion) -> tuple[list[ReviewSession], ReviewSession | None]:
    """Draw the choice among the dataset's reviews, the newest first, where there are several; returns all and one."""
    found = review_sessions(workspace(), version.line)
    if len(found) < 2:
        return found, found[0] if found else None
    named = {each.session: _name_session(each) for each in found}
    picked = pick_listed(url_state.SESSION, "Review", list(named), width=420, shown_as=named.__getitem__)
    return found, next(each for each in found if each.session == picked)


def _name_session(session: ReviewSession) -> str:
    of = f", {session.category}" if session.category else ""
    state = ", closed" if session.closed_at else ""
    # With its id: a list tells its choices apart by their words.
    return f"{session.level} risk{of}, {moment(session.started_at)}{state} ({session.session})"


@st.cache_resource(max_entries=2, show_spinner=False)
def _responses(run_id: str) -> pl.DataFrame:
    home = workspace()
    return home.rows(home.find(run_id), [QUESTION_ID, PIPELINE, RESPONSE])


def show_review(
    view: ReviewView,
    version: GoldenVersion,
    sessions: list[ReviewSession],
    session: ReviewSession | None,
    run: Run | None,
    person: str | None,
) -> None:
    """Draw the view. Reading needs a review that is open and a name."""
    golden = workspace().golden(version.golden_id)
    of_line = run and line_of(workspace(), run.golden_id) == version.line
    if view is ReviewView.RISK:
        st.caption(plain(f"{plural(golden.height, 'triplet')}. {version_in_words(version)}."))
        open_ones = [each for each in sessions if each.closed_at is None]
        rows = _read_rows(run) if run and of_line else None
        show_risk(version, golden, open_ones, person, rows)
    elif session is None:
        st.text(f"No review of these {plural(golden.height, 'triplet')} yet. Choose the risk, then start one.")
    elif view is ReviewView.PROGRESS:
        show_progress(version, golden, session, person)
    elif session.closed_at:
        st.text("This review is closed. Progress has its result.")
    elif person:
        open_reading(session, person)
        read_triplets(_responses(run.run_id) if run and of_line else None)


def _read_rows(run: Run) -> pl.DataFrame:
    return workspace().rows(run)
