"""The filters that pages share. They live in the URL, so that a link shows a colleague the same rows."""

from collections.abc import Callable, Sequence

import polars as pl
import streamlit as st

from qaviz.model import CATEGORY, DIAGNOSIS, PIPELINE, Diagnosis
from qaviz.report.tables import matching
from qaviz.ui import address
from qaviz.ui.frame import OpenRun

MOST_CATEGORIES = 500
"""Beyond this a category is no group but another id: the text filter finds it."""

LONGEST_SEARCH = 200


def filter_bar(shown: OpenRun, *names: str) -> pl.DataFrame:
    """Draw the named filters (of `address.FILTERS`) in a row; returns the run's rows that pass them.

    What the URL names and the run does not have is left out of account.
    """
    drawn = _choices(shown, names)
    picked: dict[str, list[str]] = {}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        for name, options in drawn.items():
            picked[name] = _pick(name, options)
        text = _search() if address.TEXT in names else ""
    return matching(
        shown.rows,
        pipelines=picked.get(PIPELINE, ()),
        categories=picked.get(CATEGORY, ()),
        diagnoses=picked.get(DIAGNOSIS, ()),
        text=text,
    )


def _choices(shown: OpenRun, names: Sequence[str]) -> dict[str, list[str]]:
    options: dict[str, list[str]] = {}
    if PIPELINE in names and len(shown.run.pipelines) > 1:
        options[PIPELINE] = list(shown.run.pipelines)
    if CATEGORY in names:
        categories = shown.golden[CATEGORY].drop_nulls().unique(maintain_order=True).to_list()
        if 1 < len(categories) <= MOST_CATEGORIES:
            options[CATEGORY] = categories
    if DIAGNOSIS in names:
        options[DIAGNOSIS] = [each.value for each in Diagnosis]
    return options


def _writer(name: str, key: str) -> Callable[[], None]:
    def write() -> None:
        said = st.session_state[key]
        address.write(name, *(said if isinstance(said, list) else filter(None, [said.strip()])))

    return write


PLURALS = {PIPELINE: "pipelines", CATEGORY: "categories", DIAGNOSIS: "diagnoses"}


def _pick(name: str, options: list[str]) -> list[str]:
    key = f"filter_{name}"
    st.session_state[key] = [said for said in address.values(name) if said in options]
    return st.multiselect(
        name.capitalize(), options, key=key, on_change=_writer(name, key), placeholder=f"All {PLURALS[name]}"
    )


def _search() -> str:
    key = "filter_text"
    st.session_state[key] = (address.value(address.TEXT) or "")[:LONGEST_SEARCH]
    st.text_input(
        "Search",
        key=key,
        type="search",
        max_chars=LONGEST_SEARCH,
        on_change=_writer(address.TEXT, key),
        placeholder="Words in question, answer, fact or response",
        icon=":material/search:",
    )
    return str(st.session_state[key])
