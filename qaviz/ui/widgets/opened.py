"""Which response the panel shows, and the list that it was opened from, which next and previous go through."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qs

import polars as pl
import streamlit as st

from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.places import QUESTION as OF_QUESTION

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
    question, pipeline = url_state.value(url_state.QUESTION), url_state.value(url_state.AT)
    if not question or not pipeline or url_state.value(url_state.TAB) == OF_QUESTION:
        return None
    return question, pipeline


def read_listing() -> Listing:
    """The list that the panel goes through; an empty one where a link opened it."""
    listing: Listing | None = st.session_state.get(LISTING)
    return listing or Listing(responses=pl.DataFrame(schema=_SCHEMA))


def open_response(question_id: str, pipeline: str) -> None:
    """Have the panel show this response."""
    url_state.write(url_state.QUESTION, question_id)
    url_state.write(url_state.AT, pipeline)


def close_panel() -> None:
    """Close the panel: for a button."""
    url_state.write(url_state.AT)


def follow(address: str, others: Iterable[str]) -> None:
    """Go where this address of a list's row leads: a response is shown in the panel, with the `others` of the list."""
    response = _read_response(address)
    if response is None:
        url_state.follow(address)
    listed = dict.fromkeys(filter(None, map(_read_response, others)))
    table = pl.DataFrame(list(listed), schema=_SCHEMA, orient="row")
    st.session_state[LISTING] = Listing(responses=table)
    open_response(*response)


def _read_response(address: str) -> tuple[str, str] | None:
    parameters = parse_qs(address.partition("?")[2])
    question, pipeline = parameters.get(url_state.QUESTION), parameters.get(url_state.AT)
    if not question or not pipeline or url_state.TAB in parameters:
        return None
    return question[0], pipeline[0]
