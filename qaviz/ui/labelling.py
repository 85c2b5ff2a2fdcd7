"""People label responses one after the other, by mouse or by key: agree, disagree, or the label itself."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import NamedTuple

import polars as pl
import streamlit as st

from qaviz.analysis.labels import OPPOSITE, PLACE, next_without, random_order
from qaviz.analysis.numbers import count
from qaviz.analysis.response_card import response_cards
from qaviz.analysis.selection import Passing
from qaviz.diagnosis.agreement import LABELS
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID, Triplet, typed_rows
from qaviz.model.records import Run, Thresholds
from qaviz.store import COMMENT, DRAWN, LABELLED_BY, keep_labels, take_back_labels
from qaviz.store.audit_log import Deed
from qaviz.store.labels import LONGEST_COMMENT
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.acts import draw_steps, keep_outcome, show_outcome
from qaviz.ui.widgets.cached import labels_of, queue_of
from qaviz.ui.widgets.components import show_words
from qaviz.ui.widgets.filters import pick
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import pick_person

FOCUS = "labels_focus"
"""Session key of the response in focus: question and pipeline."""
OUTCOME = "labels_outcome"
"""Session key of why a label was not kept, or not undone."""

_SHORTCUTS = dict(zip(LABELS, "123", strict=True))

SHOWN = "no"
"""Value of BLIND in the URL where verdicts are shown at once."""

_QUEUE_HELP = (
    "Deciding: in turn a response whose label would change the decision most, and one at random. Only those offered "
    "at random correct the shares of right answers. Labelled by others: for a second opinion."
)

Say = Callable[[str], None]
"""Keeps a label."""


class Queue(StrEnum):
    """Which responses are offered, in which order; the first is the usual one."""

    DECIDING = "Deciding and random"
    RANDOM = "Random"
    LISTED = "As listed"
    SECOND = "Labelled by others"


class _Response(NamedTuple):
    """The response in focus: its columns of these names."""

    question_id: str
    pipeline: str
    verdict: str
    question: str
    answer: str | None
    fact: str | None
    response: str | None


class _Given(NamedTuple):
    """What the person has said of the response."""

    label: str
    comment: str | None


@dataclass(frozen=True, kw_only=True)
class _Queued:
    """Responses in the order in which they are offered."""

    listed: Passing
    order: str
    """The order in words."""
    drawn: pl.Series | None = None
    """Whether each is offered at random; None where that is unknown."""


def show_labelling(
    shown: OpenRun, listed: Passing, thresholds: Thresholds, first: pl.Series, only: Queue | None = None
) -> None:
    """Draw the choice of a queue, the buttons that label its next response, and the response.

    Of the `listed` responses; as they are listed, those at the places `first` of the run's rows, on which rules and
    judge differ, come first. A label leads to the next one without. It is kept at once, under the reader's name. With
    `only` there is no choice, and the verdict stays hidden until the person has answered.
    """
    if not listed.height:
        st.text("No response passes these filters. Remove a filter to label some.")
        return
    run, person = shown.run, pick_person("labels", "label", Deed.LABEL, workspace(), run=shown.run.run_id)
    queue, blind = (only, True) if only else _pick_queue()
    queued = _line_up(shown, listed, queue, first, person)
    if not queued.listed.height:
        st.text("Nobody else has labelled one of these responses yet.")
        return
    rows = queued.listed.select([QUESTION_ID, PIPELINE]).cast({PIPELINE: pl.String})
    own = labels_of(run, person or "")
    place = _find_place(rows, own)
    whole = queued.listed.whole(place)
    response = _Response(*whole.select(_Response._fields).row(0))
    given = _find_given(response, own)
    hidden = blind and given is None
    by = f"; {person} has labelled {count(own.height)} of the run's {count(run.responses)}" if person else ""
    position = f"Response {count(place + 1)} of {count(rows.height)}, {queued.order}{by}."
    st.text(position if hidden else f"{position} Verdict: {response.verdict}.")
    comment = _draw_comment(response, given)
    drawn = queued.drawn is not None and bool(queued.drawn[place])
    say = partial(_keep_label, run, rows, own, place, person, comment, drawn) if person else None
    _draw_labels(None if hidden else response.verdict, given.label if given else None, say)
    with st.container(horizontal=True, gap="small"):
        draw_steps("label", place, rows.height, partial(_look_at, rows))
        st.button(
            "Undo the last label",
            key="label_undo",
            icon=":material/undo:",
            shortcut="U",
            disabled=own.is_empty(),
            on_click=partial(undo_last_label, run, person or ""),
        )
    show_outcome(OUTCOME)
    if hidden:
        _draw_texts(response)
    else:
        _draw_others(response, labels_of(run), person)
        _draw_response(whole, response, thresholds)


def _pick_queue() -> tuple[Queue, bool]:
    """Draw the choice of a queue, and the switch that hides verdicts; returns both, as the URL says."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        queue = pick(url_state.QUEUE, "Which responses", list(Queue), str, help=_QUEUE_HELP)
        said = url_state.value(url_state.BLIND) != SHOWN
        blind = st.toggle(
            "Hide the verdict until I answer",
            value=said,
            key="labels_blind",
            help="People who see the verdict first tend to agree with it.",
        )
        if blind != said:
            url_state.write(url_state.BLIND, *([] if blind else [SHOWN]))
    return queue, blind


def _line_up(shown: OpenRun, listed: Passing, queue: Queue, first: pl.Series, person: str | None) -> _Queued:
    """The listed responses in the order of the queue."""
    if queue is Queue.LISTED:
        differ = bool(len(first))
        order = "those on which rules and judge differ first" if differ else "in the order of the list below"
        return _Queued(listed=listed.first(first) if differ else listed, order=order)
    if queue is Queue.DECIDING:
        offered = queue_of(shown)
        among = _is_among(offered[PLACE], listed)
        order = "half of them because they would change the decision most, half at random"
        places = offered[PLACE].filter(among)
        return _Queued(listed=replace(listed, places=places), order=order, drawn=offered[DRAWN].filter(among))
    places = random_order(shown.run.responses)
    if queue is Queue.SECOND:
        others = labels_of(shown.run).filter(pl.col(LABELLED_BY) != (person or ""))
        places = places.filter(places.is_in(_find_places(others, shown.rows).implode()))
    places = places.filter(_is_among(places, listed))
    order = "in random order" if queue is Queue.RANDOM else "labelled by others, in random order"
    drawn = pl.repeat(queue is Queue.RANDOM, len(places), dtype=pl.Boolean, eager=True)
    return _Queued(listed=replace(listed, places=places), order=order, drawn=drawn)


def _is_among(places: pl.Series, listed: Passing) -> pl.Series:
    """Whether each of these places of the run's rows is listed."""
    if listed.places is None:
        return pl.repeat(True, len(places), dtype=pl.Boolean, eager=True)
    return places.is_in(listed.places.implode())


def _find_places(labels: pl.DataFrame, rows: pl.DataFrame) -> pl.Series:
    """Where the labelled responses stand in the run's rows."""
    known = rows.select(QUESTION_ID, pl.col(PIPELINE).cast(pl.String)).with_row_index(PLACE)
    return known.join(labels.select(QUESTION_ID, PIPELINE), on=[QUESTION_ID, PIPELINE], how="semi")[PLACE]


def _draw_comment(response: _Response, given: _Given | None) -> str:
    """Draw the field for a comment on the response in view; returns its session key."""
    key = f"label_comment_{response.question_id}_{response.pipeline}"
    st.session_state.setdefault(key, (given and given.comment) or "")
    st.text_input(
        "Comment",
        key=key,
        max_chars=LONGEST_COMMENT,
        placeholder="Comment, kept with the label (optional)",
        label_visibility="collapsed",
    )
    return key


def _select_response(labels: pl.DataFrame, response: _Response) -> pl.DataFrame:
    return labels.filter(pl.col(QUESTION_ID) == response.question_id, pl.col(PIPELINE) == response.pipeline)


def _find_given(response: _Response, own: pl.DataFrame) -> _Given | None:
    found = _select_response(own, response).select(LABEL, COMMENT)
    return None if found.is_empty() else _Given(*found.row(0))


def _draw_others(response: _Response, labels: pl.DataFrame, person: str | None) -> None:
    """Draw what other people said of the response."""
    others = _select_response(labels, response).filter(pl.col(LABELLED_BY) != (person or ""))
    for name, label, comment in others.select(LABELLED_BY, LABEL, COMMENT).iter_rows():
        st.text(f"{name} says {label}{f': {comment}' if comment else ''}")


def _draw_texts(response: _Response) -> None:
    """Draw the triplet and the response without a diagnosis."""
    texts = (response.question, response.answer, response.fact, response.response)
    for name, text in zip(("Question", "Golden answer", "Fact", "Response"), texts, strict=True):
        st.caption(name)
        st.text(text or "none")


def _find_place(rows: pl.DataFrame, own: pl.DataFrame) -> int:
    """The place of the response in focus; else of the first one that the person has not labelled."""
    question, pipeline = st.session_state.get(FOCUS, ("", ""))
    found = rows.select(((pl.col(QUESTION_ID) == question) & (pl.col(PIPELINE) == pipeline)).arg_true()).to_series()
    return int(found[0]) if len(found) else next_without(rows, own, after=-1) or 0


def _look_at(rows: pl.DataFrame, place: int) -> None:
    st.session_state[FOCUS] = rows.select(QUESTION_ID, PIPELINE).row(place)


def _draw_response(whole: pl.DataFrame, response: _Response, thresholds: Thresholds) -> None:
    triplet = next(typed_rows(whole, Triplet))
    show_words(triplet, response_cards(whole, [response.pipeline], thresholds), folded=True)
    url_state.draw_link("All responses to this question", "responses", **url_state.at_response(response.question_id))


def _draw_labels(verdict: str | None, said: str | None, say: Say | None) -> None:
    """Draw Agree, Disagree where the verdict has an opposite, and every label; the given one is marked."""
    judged = verdict if verdict in LABELS else None
    with st.container(horizontal=True, gap="small"):
        _draw_label("Agree", ":material/thumb_up:", "A", judged, say)
        _draw_label("Disagree", ":material/thumb_down:", "D", OPPOSITE.get(verdict or ""), say)
        for label, key in _SHORTCUTS.items():
            given = ":material/check:" if label == said else None
            _draw_label(label.capitalize(), given, key, label, say)


def _draw_label(words: str, icon: str | None, shortcut: str, label: str | None, say: Say | None) -> None:
    st.button(
        words,
        key=f"label_{words}",
        icon=icon,
        shortcut=shortcut,
        help=f"The response is {label}." if label else "Choose a label.",
        disabled=say is None or label is None,
        on_click=partial(say, label) if say and label else None,
    )


@keep_outcome(OUTCOME)
def _keep_label(
    run: Run, rows: pl.DataFrame, own: pl.DataFrame, place: int, person: str, comment: str, drawn: bool, label: str
) -> None:
    """Keep the label, with what stands in the field `comment` and whether the response was drawn; go to the next."""
    given = {LABEL: label, COMMENT: st.session_state.get(comment, ""), DRAWN: drawn}
    said = rows[place].select(QUESTION_ID, PIPELINE, *(pl.lit(value).alias(name) for name, value in given.items()))
    keep_labels(workspace(), run, person, said)
    following = next_without(rows, own, after=place)
    _look_at(rows, place if following is None else following)


@keep_outcome(OUTCOME)
def undo_last_label(run: Run, person: str) -> None:
    """Take back what this person said last, and show its response again: for a button."""
    taken = take_back_labels(workspace(), run, person)
    if not taken.is_empty():
        _look_at(taken, 0)
