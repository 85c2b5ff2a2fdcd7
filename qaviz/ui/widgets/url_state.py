"""The parameters of the URL. They alone say which run, question and filters are open: a link shows a colleague the
same page. Here too: which response the panel shows, and the list that next and previous go through.

Streamlit empties the URL when the reader picks a page in the menu, so the session remembers the parameters. Widgets
write to the URL when they change; pages only read it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn, cast
from urllib.parse import parse_qs, urlencode

import polars as pl
import streamlit as st

from qaviz.analysis.selection import RANGED
from qaviz.model.columns import CATEGORY, DIAGNOSIS, FAULT, PIPELINE, QUESTION_ID, VERDICT


@dataclass(frozen=True)
class Place:
    """A page of the menu: pages/NAME.py, at /NAME."""

    name: str
    title: str
    icon: str
    """Of Google's Material Symbols, which Streamlit brings."""
    tabs: tuple[str, ...] = ()
    """Its parts, of which the URL's `tab` names the open one; the first is the usual one."""
    in_menu: bool = True
    """Load is reached from Runs."""

    @property
    def file(self) -> str:
        """The page's file, as `st.switch_page` wants it."""
        return f"pages/{self.name}.py"


HISTORY: Final = "History"
QUESTION_TAB: Final = "Question"
OLD_VIEWS = {"Factual Knowledge report": "matrix", "Closeness vs conciseness": "scatter"}
"""The board's view of each tab of the page Metrics of earlier releases."""
REVIEW_TAB, GENERATE = "Review", "Generate"

PLACES = (
    Place("board", "Board", "space_dashboard"),
    Place("compare", "Compare", "balance", ("Pipelines", HISTORY)),
    Place("responses", "Responses", "troubleshoot", ("Diagnostics", QUESTION_TAB)),
    Place("golden", "Golden dataset", "edit_note", ("Curation", REVIEW_TAB, GENERATE)),
    Place("judges", "Judges", "gavel"),
    Place("runs", "Runs", "inventory_2"),
    Place("load", "Load", "upload_file", in_menu=False),
)
BOARD, LOAD = PLACES[0], PLACES[-1]

FOR_EDITORS = (LOAD.name, GENERATE)
"""Names of places and tabs that only make something new."""

MOVED: Mapping[str, tuple[str, str]] = {
    # Streamlit serves the default page at the root alone, and keeps the path of its file for it unless told otherwise.
    "board": ("board", ""),
    "overview": ("board", ""),
    "metrics": ("board", ""),
    "history": ("compare", HISTORY),
    "diagnostics": ("responses", ""),
    "question": ("responses", QUESTION_TAB),
    "factual_knowledge": ("board", "matrix"),
    "closeness_conciseness": ("board", "scatter"),
    "curation": ("golden", ""),
    "flywheel": ("golden", ""),
    "review": ("golden", REVIEW_TAB),
    "generate": ("golden", GENERATE),
    "load_data": ("load", ""),
    "verify": ("runs", ""),
    "glossary": ("board", ""),
}
"""Place and tab of each path of earlier releases; of the board its view."""

RUN, QUESTION, TEXT = "run", "question", "text"
TAB = "tab"
"""The open tab of the place; another place has other tabs."""
AT = "at"
"""The pipeline whose response to the open question is in view: in the panel, but on the tab Question."""
FILTERS = (PIPELINE, CATEGORY, DIAGNOSIS, TEXT)
RANGES = tuple(RANGED)
"""Figures of a response that it is listed by, each as `from-to`."""
QUEUE, BLIND = "queue", "blind"
"""Which responses are offered for labels, and whether their verdicts are hidden until a person has answered."""
DIFFER, UNREAD, WORST = "differ", "unread", "worst"
"""Only responses on which verdict and judge differ; those in a language that qaviz does not read; the five worst."""
WIDE = dict.fromkeys((*FILTERS, VERDICT, FAULT, DIFFER, UNREAD, WORST, QUEUE, BLIND), "")
"""Changes of a link that leave no response out of a list, nor order it otherwise."""
AGAINST, CHANGE = "against", "change"
"""The run that the open one is compared with question by question, and which of its questions."""
METRIC, FIRST, SECOND = "metric", "first", "second"
FOLLOW = "follow"
VIEW, MODE, CELL, GROUP, ROWS, MOVE = "view", "mode", "cell", "group", "rows", "move"
"""What of the board fills the page, what its cells show, and which cells, groups and rows (`from-to`) are selected."""
LABELS = "labels"
BOARD_SELECTION = (CELL, GROUP, ROWS, MOVE)
CURATE, RULE = "curate", "rule"
DATASET, REVIEW, SESSION = "dataset", "review", "session"
"""The golden dataset that the Review page is about, what it shows, and which of its reviews."""
RUNS_VIEW, SEARCH = "view", "search"
CHOSEN = "chosen"
"""The run whose card is in view on the Runs page."""
NAMES = (
    *(RUN, TAB, QUESTION, AT, *FILTERS, *RANGES, VERDICT, FAULT),
    *(QUEUE, BLIND, DIFFER, UNREAD, WORST, LABELS),
    *(AGAINST, CHANGE, METRIC, FIRST, SECOND, FOLLOW, VIEW, MODE, *BOARD_SELECTION),
    *(CURATE, RULE, DATASET, REVIEW, SESSION, SEARCH, CHOSEN),
)
"""All that a link may say."""

_RENAMED = {"unscored": "empty"}
"""Values of addresses of earlier releases."""
REMEMBERED = "address"
"""Session key of the URL's last parameters, name to values."""


def _remembered_parameters() -> dict[str, list[str]]:
    return cast(dict[str, list[str]], st.session_state.setdefault(REMEMBERED, {}))


def restore() -> None:
    """Complete the URL from the session's memory, and the memory from the URL, before a page runs. Every page puts its
    run into the URL. So a URL with a run is complete: it is a link, or the reader went back, and what it leaves out is
    not picked. A URL without a run comes from the menu: what was picked before stays picked. Each change of the URL is
    a step of the browser's back button. So the names keep their order, and all change at once: a page is one step."""
    params = {name: st.query_params.get_all(name) for name in st.query_params if name in NAMES}
    if RUN not in params:
        params = {name: values for name, values in _remembered_parameters().items() if name != AT} | params
    st.session_state[REMEMBERED] = params
    if params.keys() - st.query_params.keys():
        st.query_params.from_dict({name: st.query_params.get_all(name) for name in st.query_params} | params)


def values(name: str) -> list[str]:
    """All values that the URL has for this name."""
    return [_RENAMED.get(value, value) for value in st.query_params.get_all(name)]


def value(name: str) -> str | None:
    """The URL's value for this name; None where it has none, or a blank one."""
    return st.query_params.get(name) or None


def write(name: str, *text: str) -> None:
    """Set the URL's values for the name; without any the name is removed."""
    if text:
        _remembered_parameters()[name] = list(text)
        st.query_params[name] = list(text)
    else:
        _remembered_parameters().pop(name, None)
        st.query_params.pop(name, None)


def link(**changes: str) -> dict[str, str | list[str]]:
    """The URL's parameters with these changes: for `st.switch_page` and `st.page_link`. A blank one removes a name.
    Another place has other tabs: without a change of TAB, the link leads to the usual one. Without one of AT, the panel
    is closed there."""
    # From the session's memory, which takes a tenth of the time to read: each row of a list has a link.
    stays = {name: list(values) for name, values in _remembered_parameters().items() if name not in (TAB, AT)}
    return {name: value for name, value in (stays | changes).items() if value}


def at_response(question_id: str, pipeline: str = "") -> dict[str, str]:
    """The changes that open this response in the panel of Responses, or all responses to the question on its tab."""
    return {TAB: "" if pipeline else QUESTION_TAB, QUESTION: question_id, AT: pipeline}


def href(page: str, **changes: str) -> str:
    """The address of a page with these changes, relative to the app's root: for a link that opens in a new tab."""
    return f"{page}?{urlencode(link(**changes), doseq=True)}"


def response_href(question_id: str, pipeline: str = "") -> str:
    """The address of this response, or of all responses to the question."""
    return href("responses", **at_response(question_id, pipeline))


def lead_to_response(row: Mapping[str, Any]) -> str:
    """The address of the response that a row of a table is about."""
    return response_href(row[QUESTION_ID], row[PIPELINE])


def follow(address: str) -> NoReturn:
    """Go to the page of an address that `href` made."""
    page, _, parameters = address.partition("?")
    st.switch_page(f"pages/{page or 'board'}.py", query_params=parse_qs(parameters))


def draw_link(label: str, page: str, icon: str = "arrow_forward", **changes: str) -> None:
    """Draw a link to a page, with these changes of what the URL says."""
    st.page_link(f"pages/{page}.py", label=label, icon=f":material/{icon}:", query_params=link(**changes))


LISTING = "panel_listing"
"""Session key of the list."""

_SCHEMA = {QUESTION_ID: pl.String, PIPELINE: pl.String}


@dataclass(frozen=True, kw_only=True)
class Listing:
    """Responses in the order in which the panel goes through them."""

    responses: pl.DataFrame
    """QUESTION_ID and PIPELINE."""
    order: str = ""
    """The order in words."""
    drawn: pl.Series | None = None
    """Whether each is offered for a label at random; None where that is unknown."""
    labels: bool = False
    """It was made for people who label: the page counts their labels."""
    blind: bool = False
    """Verdicts are hidden until the person has answered."""


def read_opened() -> tuple[str, str] | None:
    """Question and pipeline of the response that the panel shows, as the URL says; None where it is closed."""
    question, pipeline = value(QUESTION), value(AT)
    if not question or not pipeline or value(TAB) == QUESTION_TAB:
        return None
    return question, pipeline


def read_listing() -> Listing:
    """The list that the panel goes through; an empty one where a link opened it."""
    listing: Listing | None = st.session_state.get(LISTING)
    return listing or Listing(responses=pl.DataFrame(schema=_SCHEMA))


def open_response(question_id: str, pipeline: str) -> None:
    """Have the panel show this response."""
    # At once, so that the browser never has the question of one response and the pipeline of another.
    opened = {QUESTION: [question_id], AT: [pipeline]}
    _remembered_parameters().update(opened)
    st.query_params.update(opened)


def open_row(address: str, others: Iterable[str]) -> None:
    """Go where this address of a list's row leads: a response is shown in the panel, with the `others` of the list."""
    response = _read_response(address)
    if response is None:
        follow(address)
    listed = dict.fromkeys(filter(None, map(_read_response, others)))
    table = pl.DataFrame(list(listed), schema=_SCHEMA, orient="row")
    st.session_state[LISTING] = Listing(responses=table)
    open_response(*response)


def _read_response(address: str) -> tuple[str, str] | None:
    parameters = parse_qs(address.partition("?")[2])
    question, pipeline = parameters.get(QUESTION), parameters.get(AT)
    if not question or not pipeline or TAB in parameters:
        return None
    return question[0], pipeline[0]
