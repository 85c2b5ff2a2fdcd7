"""What pages derive from a run, kept by the run's id. Tables are shared by all sessions: never change them in place."""

from collections.abc import Callable
from dataclasses import astuple
from typing import Any

import polars as pl
import streamlit as st

from qaviz.diagnosis.trial import judge_again
from qaviz.model import FACTUAL_KNOWLEDGE, QUESTION_ID, Run, Thresholds
from qaviz.report import comparison, sentences, tables
from qaviz.store import kept_labels, labels_state
from qaviz.ui.frame import OPEN_RUNS, OpenRun, workspace

SCORES_KEPT = 2
"""Factual Knowledge, exact and loose."""

_BY_RUN_ID: dict[str | type[Any], Callable[[Any], Any]] = {
    OpenRun: lambda shown: shown.run.run_id,
    Run: lambda run: run.run_id,
    Thresholds: astuple,
}


@st.cache_resource(max_entries=OPEN_RUNS, show_spinner=False, hash_funcs=_BY_RUN_ID)
def summary_of(shown: OpenRun) -> pl.DataFrame:
    """`tables.pipeline_summary` of the run."""
    return tables.pipeline_summary(shown.rows, shown.golden, shown.run.pipelines)


@st.cache_resource(max_entries=OPEN_RUNS, show_spinner=False, hash_funcs=_BY_RUN_ID)
def answered_of(shown: OpenRun) -> pl.DataFrame:
    """The triplets of the run's golden dataset that have a response, in its order."""
    return shown.golden.join(shown.rows.select(QUESTION_ID), on=QUESTION_ID, how="semi", maintain_order="left")


@st.cache_resource(max_entries=OPEN_RUNS, show_spinner=False, hash_funcs=_BY_RUN_ID)
def steps_of(shown: OpenRun) -> list[sentences.Step]:
    """`sentences.next_steps` of the run."""
    return sentences.next_steps(shown.rows)


@st.cache_resource(max_entries=OPEN_RUNS, show_spinner="Comparing the pipelines", hash_funcs=_BY_RUN_ID)
def comparison_of(shown: OpenRun) -> pl.DataFrame:
    """`comparison.compare` of all pipelines of the run."""
    return comparison.compare(shown.rows, shown.run.pipelines)


@st.cache_resource(max_entries=OPEN_RUNS * SCORES_KEPT, show_spinner=False, hash_funcs=_BY_RUN_ID)
def matrix_of(shown: OpenRun, score: str) -> pl.DataFrame:
    """`tables.fact_matrix` of the run by this score."""
    return tables.fact_matrix(shown.rows, shown.golden, shown.run.pipelines, score)


@st.cache_resource(max_entries=OPEN_RUNS, show_spinner=False, hash_funcs=_BY_RUN_ID)
def facts_said_of(shown: OpenRun) -> list[str]:
    """`sentences.facts_sentences` of the run: tests of all its pairs."""
    return sentences.facts_sentences(matrix_of(shown, FACTUAL_KNOWLEDGE), summary_of(shown))


@st.cache_resource(max_entries=OPEN_RUNS, show_spinner=False, hash_funcs=_BY_RUN_ID)
def _judged_anew(shown: OpenRun, thresholds: Thresholds) -> pl.DataFrame:
    return judge_again(shown.rows, shown.run.thresholds, thresholds)


def judged_by(shown: OpenRun, thresholds: Thresholds) -> pl.DataFrame:
    """The run's rows as these thresholds diagnose them; as they are by the run's own."""
    return shown.rows if thresholds == shown.run.thresholds else _judged_anew(shown, thresholds)


@st.cache_resource(max_entries=OPEN_RUNS, show_spinner=False, hash_funcs=_BY_RUN_ID)
def _labels_in(
    run: Run,
    state: tuple[int, int],  # noqa: ARG001 - what is kept goes by the state
    person: str | None,
) -> pl.DataFrame:
    return kept_labels(workspace(), run, person)


def labels_of(run: Run, person: str | None = None) -> pl.DataFrame:
    """`store.kept_labels` of the run as they are now, read again only if they have changed."""
    return _labels_in(run, labels_state(workspace(), run), person)
