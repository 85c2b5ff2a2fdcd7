"""People label responses one after the other, by mouse or by key: agree, disagree, or the label itself."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import polars as pl
import streamlit as st

from qaviz.analysis.agreement import OPPOSITE, next_without
from qaviz.analysis.label_sample import random_order
from qaviz.analysis.numbers import count
from qaviz.analysis.response_card import response_cards
from qaviz.analysis.selection import Passing
from qaviz.diagnosis.agreement import LABELS
from qaviz.model.columns import ANSWER, FACT, LABEL, PIPELINE, QUESTION, QUESTION_ID, RESPONSE, VERDICT
from qaviz.model.errors import QavizError
from qaviz.model.records import Run, Thresholds
from qaviz.store import keep_labels, take_back_labels
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import labels_of
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import pick_person
from qaviz.ui.widgets.text import show_problems
from qaviz.ui.widgets.words import show_words

FOCUS = "labels_focus"
"""Session key of the response in focus: question and pipeline."""
REFUSED = "labels_refused"
"""Session key of what kept a button from keeping a label, or taking one back."""

_SHORTCUTS = dict(zip(LABELS, "123", strict=True))

Say = Callable[[str], None]
"""What keeps a label."""


def show_labelling(run: Run, listed: Passing, thresholds: Thresholds, first: pl.Series) -> None:
    """Draw the buttons that label one of these responses of the run, and the response.

    Those at the places `first` of the run's rows, on which rules and judge differ, come first. A label
    leads to the next one without. It is kept at once, under the name that the reader gives.
    """
    if not listed.height:
        st.text("No response passes these filters. Remove a filter to label some.")
        return
    person = pick_person("labels", "label")
    blind = _pick_blind()
    if blind:
        order = random_order(run.responses)
        passing = listed.places.implode() if listed.places is not None else None
        listed = replace(listed, places=order if passing is None else order.filter(order.is_in(passing)))
    elif len(first):
        listed = listed.first(first)
    rows = listed.select([QUESTION_ID, PIPELINE]).cast({PIPELINE: pl.String})
    own = labels_of(run, person or "")
    place = _place(rows, own)
    response = listed.whole(place)
    row = response.row(0, named=True)
    said = _label_of(row, own)
    hidden = blind and said is None
    sequence = "those on which rules and judge differ first" if len(first) and not blind else "in their order"
    position = _position(place, rows.height, own.height, run.responses, person, sequence)
    st.text(position if hidden else f"{position} Verdict: {row[VERDICT]}.")
    say = partial(_say, run, rows, own, place, person) if person else None
    _draw_labels(None if hidden else row[VERDICT], said, say)
    with st.container(horizontal=True, gap="small"):
        _draw_steps(rows, place)
        _draw_undo(run, person, own)
    show_refusal()
    if hidden:
        _draw_texts(row)
    else:
        _draw_response(response, row, thresholds)


def _pick_blind() -> bool:
    """Draw the switch to blind labels in the run's random order; returns whether it is on."""
    said = url_state.value(url_state.BLIND) is not None
    blind = st.toggle(
        "Blind, in random order",
        value=said,
        key="labels_blind",
        help="Verdicts are hidden until you answer. Only labels in this order are a random sample, which corrects the "
        "shares of right answers.",
    )
    if blind != said:
        url_state.write(url_state.BLIND, *(["yes"] if blind else []))
    return blind


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
    return f"Response {count(place + 1)} of the {count(listed)} listed below, {order}{by}."


def _draw_response(response: pl.DataFrame, triplet: Mapping[str, Any], thresholds: Thresholds) -> None:
    show_words(triplet, response_cards(response, [triplet[PIPELINE]], thresholds), folded=True)
    st.page_link(
        "pages/question.py",
        label="All responses to this question",
        icon=":material/arrow_forward:",
        query_params=url_state.link(question=triplet[QUESTION_ID]),
    )


def _label_of(row: Mapping[str, Any], own: pl.DataFrame) -> str | None:
    """What the person has said of this response."""
    of_row = own.filter(pl.col(QUESTION_ID) == row[QUESTION_ID], pl.col(PIPELINE) == row[PIPELINE])
    return next(iter(of_row[LABEL]), None)


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


def _say(run: Run, rows: pl.DataFrame, own: pl.DataFrame, place: int, person: str, label: str) -> None:
    said = rows[place].select(QUESTION_ID, PIPELINE, pl.lit(label).alias(LABEL))
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
