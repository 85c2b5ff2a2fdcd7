"""The open run against another one on the Compare page: what was fixed, what broke, and the gate's verdict."""

from collections.abc import Mapping
from typing import Any, Literal

import polars as pl
import streamlit as st

from qaviz.analysis.gate import GateRun, gate, judge_change
from qaviz.analysis.numbers import count, day
from qaviz.analysis.policy import criteria_in_force
from qaviz.analysis.run_changes import CHANGE, CHANGE_WORDS, Change, RunSide, compare_runs, count_changes
from qaviz.analysis.word_differences import compare_words
from qaviz.exports.gate_formats import as_text
from qaviz.model.columns import DIAGNOSIS, PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.store import kept_labels, labels_state
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.filters import pick, pick_listed, pick_several
from qaviz.ui.widgets.page_setup import OPEN_RUNS, OpenRun, workspace
from qaviz.ui.widgets.paging import draw_pages, page_of
from qaviz.ui.widgets.table import Column, Row, show_table, text_cell, words_cell
from qaviz.ui.widgets.text import plain, show_problems

NO_RUN = ""
"""Stands for no other run: no id is blank."""

_COLUMNS = (
    Column(label="Question", head=True, wide=True),
    Column(label="Pipeline"),
    Column(label="Before", wide=True),
    Column(label="Now", wide=True),
)


def pick_other_run(run: Run) -> Run | None:
    """Draw the choice of another run; returns the one picked, None for none, or where there is no other."""
    others = {each.run_id: each for each in workspace().runs() if each.run_id != run.run_id}
    if not others:
        return None
    names = {NO_RUN: "none"} | {key: f"{each.name} · {day(each.created_at)}" for key, each in others.items()}
    picked = pick_listed(url_state.AGAINST, "With another run", list(names), 360, names.__getitem__)
    return others.get(picked)


def show_run_against_run(shown: OpenRun, other: Run) -> None:
    """Draw the questions of the open run by what became of them since another one, and the gate."""
    st.subheader(f"{plain(shown.run.name)} against {plain(other.name)}", anchor=False)
    try:
        labelled = (labels_state(workspace(), shown.run), labels_state(workspace(), other))
        changes = _changes_of(shown.run, other, labelled)
        found = _gate_of(shown.run, other)
    except QavizError as error:
        show_problems(error)
        return
    if judges := judge_change(other, shown.run):
        st.caption(plain(judges))
    changes = _pick_pipelines(changes)
    counts = count_changes(changes)
    change = pick(
        url_state.CHANGE, "Questions", list(Change), lambda each: f"{each.capitalize()} {count(counts[each])}"
    )
    st.caption(f"{CHANGE_WORDS[change]}.")
    _show_changes(changes.filter(pl.col(CHANGE) == change.value))
    st.download_button(
        "All questions as a file",
        lambda: changes.write_ndjson().encode(),
        "run-changes.jsonl",
        "application/jsonl",
        icon=":material/download:",
        on_click="ignore",
    )
    with st.expander(f"The gate: {plain(found.partition(chr(10))[0])}", icon=":material/rule:"):
        st.text(found)


@st.cache_resource(max_entries=OPEN_RUNS, show_spinner="Comparing the runs", hash_funcs={Run: lambda run: run.run_id})
def _changes_of(
    now: Run,
    before: Run,
    labelled: tuple[tuple[int, int], tuple[int, int]],  # noqa: ARG001 - what is kept goes by the labels' state
) -> pl.DataFrame:
    home = workspace()
    old, new = (
        RunSide(run=run, golden=home.golden(run.golden_id), rows=home.rows(run), labels=kept_labels(home, run))
        for run in (before, now)
    )
    return compare_runs(old, new)


@st.cache_resource(max_entries=OPEN_RUNS, show_spinner="Asking the gate", hash_funcs={Run: lambda run: run.run_id})
def _gate_of(now: Run, before: Run) -> str:
    home = workspace()
    side, baseline = (GateRun(run=run, golden=home.golden(run.golden_id), rows=home.rows(run)) for run in (now, before))
    return as_text(gate(side, baseline, criteria=criteria_in_force(home)))


def _pick_pipelines(changes: pl.DataFrame) -> pl.DataFrame:
    """Draw the filter of pipelines where there are several; returns the questions of those picked."""
    names = changes[PIPELINE].unique(maintain_order=True).to_list()
    picked = pick_several(PIPELINE, names, key="changes_of") if len(names) > 1 else []
    return changes.filter(pl.col(PIPELINE).is_in(picked)) if picked else changes


def _show_changes(changes: pl.DataFrame) -> None:
    if changes.is_empty():
        st.text("None.")
        return
    rows = [_row(each) for each in page_of(changes, "changes").iter_rows(named=True)]
    opened = show_table("changes", "Questions by what became of them", _COLUMNS, rows)
    draw_pages(changes, "changes")
    if opened is not None:
        question, _, pipeline = opened.partition("\n")
        st.switch_page("pages/question.py", query_params=url_state.link(**url_state.at_response(question, pipeline)))


def _row(each: Mapping[str, Any]) -> Row:
    changed = ", another answer or fact in the golden dataset" if each["golden_changed"] else ""
    return Row(
        id=f"{each[QUESTION_ID]}\n{each[PIPELINE]}",
        href=url_state.href("question", **url_state.at_response(each[QUESTION_ID], each[PIPELINE])),
        note=f"{each[QUESTION_ID]}{changed}",
        cells=(
            text_cell(each[QUESTION], missing=each[QUESTION_ID]),
            text_cell(each[PIPELINE]),
            words_cell(each[f"{DIAGNOSIS}_before"] or "", _mark_words(each, "_before"), "no response"),
            words_cell(each[DIAGNOSIS] or "", _mark_words(each, ""), "no response"),
        ),
    )


def _mark_words(
    each: Mapping[str, Any], when: Literal["_before", ""]
) -> list[tuple[str, Literal["same", "gone", "new"]]]:
    """The words of the response of before, or of now, each with whether the other one has it too."""
    parts = compare_words(each[f"{RESPONSE}_before"] or "", each[RESPONSE] or "")
    if when:
        return [(part.before, "same" if part.same else "gone") for part in parts]
    return [(part.after, "same" if part.same else "new") for part in parts]
