"""The filters that pages share. They live in the URL, so that a link shows a colleague the same rows."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Literal, TypeVar

import streamlit as st

from qaviz.analysis.board import Cell
from qaviz.analysis.numbers import join, score
from qaviz.analysis.selection import Range, groups_of
from qaviz.model.classes import Fault, Verdict
from qaviz.model.columns import CATEGORY, DIAGNOSIS, FAULT, PIPELINE, VERDICT
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.keeping import OpenRun

Choice = TypeVar("Choice", bound=str)

PLURALS = {PIPELINE: "pipelines", CATEGORY: "categories", DIAGNOSIS: "diagnoses", VERDICT: "verdicts", FAULT: "faults"}
CLASSES: Mapping[str, type[StrEnum]] = {VERDICT: Verdict, FAULT: Fault}

_RANGE = re.compile(r"(0(?:\.\d+)?|1)-(0(?:\.\d+)?|1)")


@dataclass(frozen=True, kw_only=True)
class Filters:
    """What the reader picked. Nothing picked lets all pass."""

    classes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By column (of PLURALS); one of which nothing is picked is not there."""
    text: str = ""
    ranges: Sequence[tuple[str, Range]] = ()
    """Figures of `selection.RANGED`, each with the range in which it lies."""

    def __bool__(self) -> bool:
        return bool(self.classes or self.text.strip() or self.ranges)


def _range_in_words(name: str, ends: Range) -> str:
    return f"{name} {score(ends[0])} to {score(ends[1])}"


def pick_filters(shown: OpenRun, *names: str, fixed: Sequence[str] = (VERDICT, FAULT)) -> Filters:
    """Draw the named filters (of `url_state.FILTERS`) in a row; returns what the reader picked of what the run has.
    Ranges and the `fixed` classes are picked elsewhere: of each that is, a button takes it away."""
    ranges = read_ranges()
    elsewhere = {name: [word.value for word in CLASSES[name] if word.value in url_state.values(name)] for name in fixed}
    options = {
        PIPELINE: list(shown.run.pipelines),
        CATEGORY: groups_of(shown.golden),
        DIAGNOSIS: [cell.value for cell in Cell],
    }
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        picked = {name: pick_several(name, options[name]) for name in names if len(options.get(name, ())) > 1}
        wanted = url_state.TEXT in names
        text = pick_text(url_state.TEXT, "Search the texts", "filter_text") if wanted else ""
        chips = {name: f"{name} {join(classes)}" for name, classes in elsewhere.items() if classes}
        for name, label in (chips | {name: _range_in_words(name, ends) for name, ends in ranges}).items():
            taken = partial(url_state.write, name)
            st.button(label.capitalize(), key=f"taken_{name}", icon=":material/close:", on_click=taken)
    classes = {name: values for name, values in (picked | elsewhere).items() if values}
    return Filters(classes=classes, text=text, ranges=ranges)


def read_ranges() -> list[tuple[str, Range]]:
    """The ranges that the URL says; one that is none of 0 to 1 is not said."""
    written = ((name, _RANGE.fullmatch(url_state.value(name) or "")) for name in url_state.RANGES)
    return [(name, (float(bounds[1]), float(bounds[2]))) for name, bounds in written if bounds]


def _writer(name: str, key: str, usual: str = "") -> Callable[[], None]:
    """Writes to the URL what the widget says; the usual choice, and a blank one, is not written."""

    def write() -> None:
        choice = st.session_state[key]
        texts = choice if isinstance(choice, list) else [str(choice)]
        url_state.write(name, *(text for text in texts if text.strip() and text != usual))

    return write


def pick_several(
    name: str, options: Sequence[str], shown_as: Callable[[str], str] = str, *, side_by_side: bool = False
) -> list[str]:
    """Draw a choice of several, kept in the URL under this name, as a list to open or with all options side by side;
    returns what the reader picked, in the order of the options."""
    key, picked = f"filter_{name}", url_state.values(name)
    st.session_state[key] = [option for option in options if option in picked]
    draw: Callable[..., object] = partial(st.multiselect, placeholder=f"All {PLURALS[name]}")
    if side_by_side:
        draw = partial(st.pills, selection_mode="multi")
    write = _writer(name, key)
    draw(name.capitalize(), options, format_func=shown_as, key=key, on_change=write, label_visibility="collapsed")
    return [option for option in options if option in st.session_state[key]]


def pick_switch(name: str, label: str, on: str = "yes", off: str = "", help: str | None = None) -> bool:
    """Draw a switch, kept in the URL under this name by one of these words, blank for none: any but `off` means that it
    is on. Returns whether it is."""
    is_on = (url_state.value(name) or "") != off
    picked = st.toggle(label, value=is_on, key=f"switch_{name}", help=help)
    if picked != is_on:
        url_state.write(name, *filter(None, [on if picked else off]))
    return picked


def pick_text(name: str, placeholder: str, key: str) -> str:
    """Draw a search, kept in the URL under this name; returns what the reader looks for."""
    st.session_state[key] = (url_state.value(name) or "")[:200]
    return draw_search(placeholder, key, on_change=_writer(name, key))


def draw_search(placeholder: str, key: str, on_change: Callable[[], None] | None = None) -> str:
    """Draw the field of a search; returns what the reader looks for."""
    draw = partial(st.text_input, "Search", type="search", label_visibility="collapsed", icon=":material/search:")
    return draw(key=key, on_change=on_change, placeholder=placeholder)


def pick(
    name: str,
    label: str,
    options: Sequence[Choice],
    shown_as: Callable[[Choice], str] = str,
    *,
    usual: Choice | None = None,
    width: int | Literal["stretch"] | None = None,
    help: str | None = None,
    hide_label: bool = False,
) -> Choice:
    """Draw a choice of one, kept in the URL under this name: side by side, or, where a width is given, as a list to
    open. The first option is the usual one, unless another is named."""
    usual, key = options[0] if usual is None else usual, f"pick_{name}"
    choice = next((option for option in options if option == url_state.value(name)), usual)
    st.session_state[key] = choice  # the widget shows what the URL says
    draw: Callable[..., object] = partial(st.segmented_control, required=True, wrap=True)
    if width is not None:
        draw = partial(st.selectbox, width=width)
    label_visibility = "collapsed" if hide_label else "visible"
    written = {"key": key, "on_change": _writer(name, key, usual), "label_visibility": label_visibility}
    draw(label, options, format_func=shown_as, help=help, **written)
    return choice
