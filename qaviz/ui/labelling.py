"""People label responses one after the other, by mouse or by key: agree, disagree, or the label itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any

import polars as pl
import streamlit as st

from qaviz.analysis.labels import OPPOSITE, PLACE, next_without, random_order
from qaviz.analysis.numbers import count
from qaviz.analysis.response_card import response_cards
from qaviz.analysis.selection import Passing
from qaviz.diagnosis.agreement import LABELS
from qaviz.model.columns import (
    ANSWER,
    FACT,
    LABEL,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    RESPONSE,
    VERDICT,
    Triplet,
    typed_rows,
)
from qaviz.model.errors import QavizError
from qaviz.model.records import Run, Thresholds
from qaviz.store import COMMENT, DRAWN, LABELLED_BY, keep_labels, take_back_labels
from qaviz.store.audit_log import Deed
from qaviz.store.labels import LONGEST_COMMENT
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import labels_of, queue_of
from qaviz.ui.widgets.components import show_words
from qaviz.ui.widgets.filters import pick
from qaviz.ui.widgets.page_setup import OpenRun, workspace
from qaviz.ui.widgets.person import pick_person
from qaviz.ui.widgets.text import show_problems

FOCUS = "labels_focus"
"""Session key of the response in focus: question and pipeline."""
REFUSED = "labels_refused"
"""Session key of what kept a button from keeping a label, or taking one back."""

_SHORTCUTS = dict(zip(LABELS, "123", strict=True))

SHOWN = "no"
"""What the URL says of BLIND where verdicts are shown first."""

_QUEUE_HELP = (
    "Deciding: in turn a response whose label would change the decision most, and one at random. Only those offered "
    "at random correct the shares of right answers. Labelled by others: for a second opinion."
)

Say = Callable[[str], None]
"""What keeps a label."""


class Queue(StrEnum):
    """Which responses are offered, in which order; the first is the usual one."""

    DECIDING = "Deciding and random"
    RANDOM = "Random"
    LISTED = "As listed"
    SECOND = "Labelled by others"


@dataclass(frozen=True, kw_only=True)
class _Queued:
    """Responses in the order in which they are offered."""

    listed: Passing
    order: str
    """The order in words."""
    drawn: pl.Series | None = None
    """Whether each is offered at random; None where nobody knows."""


def show_labelling(shown: OpenRun, listed: Passing, thresholds: Thresholds, first: pl.Series) -> None:
    """Draw the choice of a queue, the buttons that label its next response, and the response.

    Of the `listed` responses; as they are listed, those at the places `first` of the run's rows, on which rules and
    judge differ, come first. A label leads to the next one without. It is kept at once, under the reader's name.
    """
    if not listed.height:
        st.text("No response passes these filters. Remove a filter to label some.")
        return
    run, person = shown.run, pick_person("labels", "label", Deed.LABEL, workspace(), run=shown.run.run_id)
    queue, blind = _pick_queue()
    queued = _line_up(shown, listed, queue, first, person)
    if not queued.listed.height:
        st.text("Nobody else has labelled one of these responses yet.")
        return
    rows = queued.listed.select([QUESTION_ID, PIPELINE]).cast({PIPELINE: pl.String})
    own = labels_of(run, person or "")
    place = _place(rows, own)
    response = queued.listed.whole(place)
    row = response.row(0, named=True)
    given = _label_of(row, own)
    hidden = blind and given is None
    position = _position(place, rows.height, own.height, run.responses, person, queued.order)
    st.text(position if hidden else f"{position} Verdict: {row[VERDICT]}.")
    comment = _draw_comment(row, given)
    drawn = queued.drawn is not None and bool(queued.drawn[place])
    say = partial(_say, run, rows, own, place, person, comment, drawn=drawn) if person else None
    _draw_labels(None if hidden else row[VERDICT], given[LABEL] if given else None, say)
    with st.container(horizontal=True, gap="small"):
        _draw_steps(rows, place)
        _draw_undo(run, person, own)
    show_refusal()
    if hidden:
        _draw_texts(row)
    else:
        _draw_others(row, labels_of(run), person)
        _draw_response(response, thresholds)


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
        places = places.filter(places.is_in(_places_of(others, shown.rows).implode()))
    places = places.filter(_is_among(places, listed))
    order = "in random order" if queue is Queue.RANDOM else "labelled by others, in random order"
    drawn = pl.repeat(queue is Queue.RANDOM, len(places), dtype=pl.Boolean, eager=True)
    return _Queued(listed=replace(listed, places=places), order=order, drawn=drawn)


def _is_among(places: pl.Series, listed: Passing) -> pl.Series:
    """Whether each of these places of the run's rows is listed."""
    if listed.places is None:
        return pl.repeat(True, len(places), dtype=pl.Boolean, eager=True)
    return places.is_in(listed.places.implode())


def _places_of(labels: pl.DataFrame, rows: pl.DataFrame) -> pl.Series:
    """Where the labelled responses stand in the run's rows."""
    known = rows.select(QUESTION_ID, pl.col(PIPELINE).cast(pl.String)).with_row_index(PLACE)
    return known.join(labels.select(QUESTION_ID, PIPELINE), on=[QUESTION_ID, PIPELINE], how="semi")[PLACE]


def _draw_comment(row: Mapping[str, Any], given: Mapping[str, Any] | None) -> str:
    """Draw the field for a comment on the response in view; returns its session key."""
    key = f"label_comment_{row[QUESTION_ID]}_{row[PIPELINE]}"
    st.session_state.setdefault(key, (given or {}).get(COMMENT) or "")
    st.text_input(
        "Comment",
        key=key,
        max_chars=LONGEST_COMMENT,
        placeholder="Comment, kept with the label (optional)",
        label_visibility="collapsed",
    )
    return key


def _draw_others(row: Mapping[str, Any], labels: pl.DataFrame, person: str | None) -> None:
    """What other people said of the response."""
    of_row = labels.filter(pl.col(QUESTION_ID) == row[QUESTION_ID], pl.col(PIPELINE) == row[PIPELINE])
    for said in of_row.filter(pl.col(LABELLED_BY) != (person or "")).iter_rows(named=True):
        remark = f": {said[COMMENT]}" if said[COMMENT] else ""
        st.text(f"{said[LABELLED_BY]} says {said[LABEL]}{remark}")


def _draw_texts(row: Mapping[str, Any]) -> None:
    """The triplet and the response, without what qaviz makes of them."""
    texts = {"Question": QUESTION, "Golden answer": ANSWER, "Fact": FACT, "Response": RESPONSE}
    for name, column in texts.items():
        st.caption(name)
        st.text(row[column] or "none")


def _place(rows: pl.DataFrame, own: pl.DataFrame) -> int:
    """The place of the response in focus; else of the first one that the person has not labelled."""
    question, pipeline = st.session_state.get(FOCUS, ("", ""))
    found = rows.select(((pl.col(QUESTION_ID) == question) & (pl.col(PIPELINE) == pipeline)).arg_true()).to_series()
    return int(found[0]) if len(found) else next_without(rows, own, after=-1) or 0


def _look_at(rows: pl.DataFrame, place: int) -> None:
    st.session_state[FOCUS] = rows.select(QUESTION_ID, PIPELINE).row(place)


def _draw_steps(rows: pl.DataFrame, place: int) -> None:
    for label, icon, key, step in (("Previous", "arrow_back", "Left", -1), ("Next", "arrow_forward", "Right", 1)):
        st.button(
            label,
            key=f"label_{label}",
            icon=f":material/{icon}:",
            shortcut=key,
            disabled=not 0 <= place + step < rows.height,
            on_click=partial(_look_at, rows, place + step),
        )


def _position(place: int, listed: int, own: int, responses: int, person: str | None, order: str) -> str:
    by = f"; {person} has labelled {count(own)} of the run's {count(responses)}" if person else ""
    return f"Response {count(place + 1)} of {count(listed)}, {order}{by}."


def _draw_response(response: pl.DataFrame, thresholds: Thresholds) -> None:
    triplet = next(typed_rows(response, Triplet))
    show_words(triplet, response_cards(response, [response[PIPELINE][0]], thresholds), folded=True)
    st.page_link(
        "pages/question.py",
        label="All responses to this question",
        icon=":material/arrow_forward:",
        query_params=url_state.link(question=triplet[QUESTION_ID]),
    )


def _label_of(row: Mapping[str, Any], own: pl.DataFrame) -> Mapping[str, Any] | None:
    """What the person has said of this response: LABEL and COMMENT."""
    of_row = own.filter(pl.col(QUESTION_ID) == row[QUESTION_ID], pl.col(PIPELINE) == row[PIPELINE])
    return next(of_row.select(LABEL, COMMENT).iter_rows(named=True), None)


def _draw_labels(verdict: str | None, said: str | None, say: Say | None) -> None:
    """Agree and disagree where the verdict has an opposite, and every label; the one that was given is marked."""
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


def _say(
    run: Run, rows: pl.DataFrame, own: pl.DataFrame, place: int, person: str, comment: str, label: str, *, drawn: bool
) -> None:
    """Keep the label, with what stands in the field `comment` and whether the response was drawn; go to the next."""
    given = {LABEL: label, COMMENT: st.session_state.get(comment, ""), DRAWN: drawn}
    said = rows[place].select(QUESTION_ID, PIPELINE, *(pl.lit(value).alias(name) for name, value in given.items()))
    try:
        keep_labels(workspace(), run, person, said)
    except QavizError as error:
        st.session_state[REFUSED] = error
        return
    following = next_without(rows, own, after=place)
    _look_at(rows, place if following is None else following)


def _draw_undo(run: Run, person: str | None, own: pl.DataFrame) -> None:
    st.button(
        "Undo the last label",
        key="label_undo",
        icon=":material/undo:",
        shortcut="U",
        disabled=own.is_empty(),
        on_click=partial(take_back, run, person or ""),
    )


def take_back(run: Run, person: str) -> None:
    """Take back what this person said last, and show its response again: for a button."""
    try:
        taken = take_back_labels(workspace(), run, person)
    except QavizError as error:
        st.session_state[REFUSED] = error
        return
    if not taken.is_empty():
        _look_at(taken, 0)


def show_refusal() -> None:
    """Draw what kept a button from doing its work, if anything did."""
    if refused := st.session_state.pop(REFUSED, None):
        show_problems(refused)
