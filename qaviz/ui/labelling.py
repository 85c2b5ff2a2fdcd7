"""People label responses one after the other in the panel, by mouse or by key: agree, disagree, or the label itself."""

from dataclasses import replace
from enum import StrEnum
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.labels import OPPOSITE, PLACE, find_contenders, next_without
from qaviz.analysis.numbers import plural
from qaviz.analysis.outcomes import random_order
from qaviz.analysis.selection import Passing
from qaviz.diagnosis.agreement import LABELS
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.model.records import Run
from qaviz.store.labels import COMMENT, DRAWN, LABELLED_BY, LONGEST_COMMENT, keep_labels, take_back_labels
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import decision_of, labels_of, queue_of, view_run
from qaviz.ui.widgets.filters import pick
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import keep_outcome, person_said, show_outcome
from qaviz.ui.widgets.url_state import LISTING, Listing, open_response, read_opened

KEPT = "labels_kept"
"""Session key of whether a label was kept that the page counts."""
OFFERED = "labels_offered"
"""Session key of the queue that the panel was opened for last."""

_SHORTCUTS = dict(zip(LABELS, "123", strict=True))

SHOWN = "no"
"""Value of BLIND in the URL where verdicts are shown at once."""

_QUEUE_HELP = (
    "Deciding: in turn a response whose label would change the decision most, and one at random. Only those offered "
    "at random correct the shares of right answers."
)


class Queue(StrEnum):
    """Which responses are offered, in which order; the first is the usual one."""

    DECIDING = "Deciding and random"
    RANDOM = "Random"
    LISTED = "As listed"


def show_labelling(shown: OpenRun, listed: Passing) -> None:
    """Draw the choice of a queue of the `listed` responses, and have the panel go through it.

    The panel opens at the first response without a label of this person, once for each queue.
    """
    if not listed.height:
        st.text("No response passes these filters. Remove a filter to label some.")
        return
    person = person_said()
    queue = _pick_queue()
    places, order, drawn = _line_up(shown, listed, queue)
    passing = listed if places is None else replace(listed, places=places)
    responses = passing.select([QUESTION_ID, PIPELINE]).cast({PIPELINE: pl.String})
    blind = url_state.value(url_state.BLIND) != SHOWN
    listing = Listing(responses=responses, order=order, drawn=drawn, labels=True, blind=blind)
    st.session_state[LISTING] = listing
    st.text(f"{plural(responses.height, 'response')}, {order}.")
    state = (shown.run.run_id, queue, responses.height, person)
    if st.session_state.get(OFFERED) == state and read_opened():
        return
    # Keys and clicks keep the panel at the response that the reader went to.
    if st.session_state.get(OFFERED) != state:
        st.session_state[OFFERED] = state
        _open_next(listing, labels_of(shown.run, person or ""), after=-1)
    else:
        own = labels_of(shown.run, person or "")
        st.button("Go on labelling", key="label_go_on", on_click=_open_next, args=(listing, own, -1))


def _open_next(listing: Listing, own: pl.DataFrame, after: int) -> None:
    """Open the first response after this place that this person has not labelled; the one there where there is none."""
    following = next_without(listing.responses, own, after=after)
    open_response(*listing.responses.row(max(after, 0) if following is None else following))


def _pick_queue() -> Queue:
    """Draw the choice of a queue, and the switch that hides verdicts; the URL keeps both."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        queue = pick(url_state.QUEUE, "Which responses", list(Queue), help=_QUEUE_HELP)
        shown = url_state.value(url_state.BLIND) != SHOWN
        why = "People who see the verdict first tend to agree with it."
        blind = st.toggle("Hide the verdict until I answer", value=shown, key="labels_blind", help=why)
        if blind != shown:
            url_state.write(url_state.BLIND, *([] if blind else [SHOWN]))
    return queue


def _line_up(shown: OpenRun, listed: Passing, queue: Queue) -> tuple[pl.Series | None, str, pl.Series | None]:
    """The places of the listed responses in the order of the queue, None for all as they are; the order in words; and
    whether each is offered at random, None where that is unknown."""
    if queue is Queue.LISTED:
        return listed.places, "in the order of the list below", None
    if queue is Queue.DECIDING:
        decision = decision_of(view_run(shown))
        offered = queue_of(shown, decision.subject, tuple(find_contenders(decision.ranking)))
        among = _is_among(offered[PLACE], listed)
        order = "half of them because they would change the decision most, half at random"
        return offered[PLACE].filter(among), order, offered[DRAWN].filter(among)
    places = random_order(shown.run.responses)
    places = places.filter(_is_among(places, listed))
    return places, "in random order", pl.repeat(True, len(places), dtype=pl.Boolean, eager=True)


def _is_among(places: pl.Series, listed: Passing) -> pl.Series:
    """Whether each of these places of the run's rows is listed."""
    if listed.places is None:
        return pl.repeat(True, len(places), dtype=pl.Boolean, eager=True)
    return places.is_in(listed.places.implode())


def select_labels(labels: pl.DataFrame, question: str, pipeline: str) -> pl.DataFrame:
    """The labels of this response."""
    return labels.filter(pl.col(QUESTION_ID) == question, pl.col(PIPELINE) == pipeline)


def labels_of_others(question: str, pipeline: str, labels: pl.DataFrame, person: str | None) -> list[str]:
    """What other people said of this response, a line each."""
    others = select_labels(labels, question, pipeline).filter(pl.col(LABELLED_BY) != (person or ""))
    return [
        f"{name} says {label}{f': {comment}' if comment else ''}"
        for name, label, comment in others.select(LABELLED_BY, LABEL, COMMENT).iter_rows()
    ]


def draw_label_buttons(
    shown: OpenRun, listing: Listing, response: pl.DataFrame, own: pl.DataFrame, person: str | None, *, hidden: bool
) -> None:
    """Draw Agree, Disagree where the verdict has an opposite, and every label; the person's `own` is marked.

    Each has a key, and leads to the next response of the list without a label; a comment is kept with it. Without a
    person all are off; where the verdict is `hidden`, nobody can agree with it.
    """
    question, pipeline, verdict = response.select(QUESTION_ID, PIPELINE, VERDICT).row(0)
    given = next(own.iter_rows(named=True), {})
    comment = f"label_comment_{question}_{pipeline}"
    keep = partial(_keep_label, shown.run, listing, (question, pipeline), person or "", comment)
    same = None if hidden or verdict not in LABELS else str(verdict)
    buttons = [("Agree", "A", same), ("Disagree", "D", None if hidden else OPPOSITE.get(str(verdict)))]
    buttons += [(label.capitalize(), key, label) for label, key in _SHORTCUTS.items()]
    with st.container(horizontal=True, gap="xsmall"):
        for words, key, label in buttons:
            st.button(
                words,
                key=f"label_{words}",
                icon=":material/check:" if words.lower() == given.get(LABEL) else None,
                shortcut=key,
                help=f"The response is {label}." if label else "Choose a label.",
                disabled=not person or label is None,
                on_click=keep,
                args=(label,),
            )
        undo, off = (
            partial(undo_last_label, shown.run, person or ""),
            not person or labels_of(shown.run, person).is_empty(),
        )
        help = "Take back your last label."
        st.button("Undo", key="label_undo", shortcut="U", help=help, disabled=off, on_click=undo)
    st.session_state.setdefault(comment, given.get(COMMENT) or "")
    hint = "Comment, kept with the label (optional)"
    st.text_input("Comment", key=comment, max_chars=LONGEST_COMMENT, placeholder=hint, label_visibility="collapsed")


def show_label_outcome() -> None:
    """Draw why the last label was not kept, or not taken back, once; else redraw the page where it counts labels."""
    show_outcome()
    if st.session_state.pop(KEPT, False):
        st.rerun()


@keep_outcome
def _keep_label(run: Run, listing: Listing, response: tuple[str, str], person: str, comment: str, label: str) -> None:
    """Keep the label, with what stands in the field `comment` and whether the response was drawn; open the next."""
    responses = listing.responses
    at = (pl.col(QUESTION_ID) == response[0]) & (pl.col(PIPELINE) == response[1])
    places = responses.select(at.arg_true()).to_series()
    drawn = bool(len(places)) and listing.drawn is not None and bool(listing.drawn[int(places[0])])
    values = {QUESTION_ID: response[0], PIPELINE: response[1], LABEL: label, DRAWN: drawn}
    keep_labels(workspace(), run, person, pl.DataFrame([values | {COMMENT: st.session_state.get(comment, "")}]))
    if listing.labels:
        st.session_state[KEPT] = True
    if len(places):
        _open_next(listing, labels_of(run, person), after=int(places[0]))


@keep_outcome
def undo_last_label(run: Run, person: str) -> None:
    """Take back what this person said last, and show its response again: for a button."""
    taken = take_back_labels(workspace(), run, person)
    if not taken.is_empty():
        open_response(*taken.select(QUESTION_ID, PIPELINE).row(0))
