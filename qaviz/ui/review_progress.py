"""How far a review is and what it has shown: readers, agreement, what is open, and the statement."""

from dataclasses import asdict
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import plural
from qaviz.exports.table_files import as_csv
from qaviz.model.columns import QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.model.visible import visible
from qaviz.report import ENDS, Column, Kind
from qaviz.review.session import apply_review, held_triplets, refresh_review, wrong_documents
from qaviz.review.statement import (
    Statement,
    review_sentences,
    say_statement,
    state_review,
    statement_columns,
)
from qaviz.store.audit_log import Deed
from qaviz.store.review_decisions import all_decisions, undo_decision
from qaviz.store.review_sessions import ReviewSession, close_session
from qaviz.ui.widgets.components import show_problems, show_sentences
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import keep_outcome, note_download, offer_act, offers
from qaviz.ui.widgets.table import show_frame

OUTCOME = "review_outcome"
"""Session key of what came of the last act on the Review page."""


def reviews_of(run: Run) -> list[str]:
    """What reviews have shown of the run's golden dataset, a sentence each; none where the index cannot be read."""
    try:
        return review_sentences(workspace(), run.golden_id)
    except QavizError:
        # What is damaged is said by the part of the page that reads it.
        return []


def show_progress(session: ReviewSession, person: str | None) -> None:
    """Draw the review's statement, readers, agreement and open triplets, and the buttons that apply or close it."""
    try:
        refresh_review(workspace(), session.session)
        statement = state_review(workspace(), session.session)
    except QavizError as error:
        show_problems(error)
        return
    lead, *points = say_statement(statement)
    show_sentences("statement", points, lead=lead)
    editing = offers(workspace(), Deed.SESSION, "enlarge, apply or close a review")
    editor = person if editing else None
    _show_readers(statement)
    _show_agreement(statement)
    _show_wrong_sources(statement)
    _show_disagreements(statement, person)
    _offer_outcome(statement, editor)


def _show_readers(statement: Statement) -> None:
    if not statement.readers:
        return
    columns = (
        *("reader", "decided"),
        Column("seconds", "Seconds each", text="{seconds:.0f}", help="The median."),
        Column(
            "same_again",
            "Repeats as before",
            kind=Kind.PART,
            of="repeated",
            help="Hidden repeats of their own triplets.",
        ),
    )
    readers = list(map(asdict, statement.readers))
    show_frame("review_readers", "Progress by reader", readers, columns, short=True)


def _show_agreement(statement: Statement) -> None:
    if not statement.agreement:
        return
    figures = (
        ("observed", "Agree", "Share with the same word, with its 95% interval."),
        ("kappa", "Kappa", "Cohen's: 0 is chance at these frequencies."),
        ("ac1", "AC1", "Gwet's: corrected for luck, also where one word is rare."),
    )
    columns = (
        Column("first", "Readers", text="{first} and {second}"),
        Column("compared", "Triplets"),
        *(
            Column(name, heading, kind=Kind.SCORE, ends=ENDS, missing="not defined", help=help)
            for name, heading, help in figures
        ),
    )
    pairs = list(map(asdict, statement.agreement))
    show_frame("review_agreement", "Agreement of two readers", pairs, columns, short=True)


def _show_wrong_sources(statement: Statement) -> None:
    """Draw the documents that reviewers call wrong."""
    held = held_triplets(workspace(), statement.session.line)
    counts = dict(held["document"].drop_nulls().value_counts().iter_rows())
    documents = sorted({*wrong_documents(workspace(), statement.session.session), *counts})
    if not documents:
        return
    st.subheader("Documents that are wrong", anchor=False)
    words = [f"{visible(document)}: {plural(counts.get(document, 0), 'triplet')} kept out" for document in documents]
    show_sentences("wrong_sources", words)
    st.caption(
        "Every triplet from them is kept out once the review is applied, until `qaviz review correct` reads a "
        "corrected document."
    )


def _show_disagreements(statement: Statement, person: str | None) -> None:
    """Draw what readers decided on the open triplets, and for one of these readers how to decide again."""
    if not statement.open_items:
        return
    session = statement.session.session
    open_ones = all_decisions(workspace(), session).filter(pl.col("item").is_in(statement.open_items))
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


@keep_outcome(OUTCOME)
def _take_back(session: str, item: int, by: str) -> str:
    undo_decision(workspace(), session, by, item=item)
    return "Taken back. It is the next one under Reading."


def _offer_outcome(statement: Statement, person: str | None) -> None:
    session = statement.session
    with st.container(horizontal=True, gap="small"):
        help = "Edits, deletions and marks of wrong sources become one version of the golden dataset."
        apply = partial(_apply, session.session)
        offer_act("Apply what is settled", "review_apply", "done_all", apply, person, help=help)
        if session.closed_at is None:
            help = "No more reading and decisions; everyone may then see every decision."
            offer_act("Close the review", "review_close", "lock", partial(_close, session.session), person, help=help)
        st.download_button(
            "Statements as CSV",
            note_download(
                workspace(), "review statement", lambda: as_csv(statement_columns([statement])), line=session.line
            ),
            "review-statement.csv",
            "text/csv",
            key="statement_csv",
            icon=":material/download:",
        )


@keep_outcome(OUTCOME)
def _apply(session: str, by: str) -> str:
    made = apply_review(workspace(), session, by)
    return f"Saved as version {made.number}." if made else "Nothing is left to apply."


@keep_outcome(OUTCOME)
def _close(session: str, by: str) -> str:
    close_session(workspace(), session, by)
    return "The review is closed."
