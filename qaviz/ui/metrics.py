"""What stands under the board: every metric by pipeline, scores without the restated question, and the funnel."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import polars as pl
import streamlit as st

from qaviz import stats
from qaviz.analysis.closeness import GAIN, RESPONSES
from qaviz.analysis.comparison import metric_help
from qaviz.analysis.glossary import explain
from qaviz.analysis.numbers import count, figure, interval, out_of, p_value, plural, score
from qaviz.analysis.tables import mean_scores
from qaviz.contexts.funnel import KNOWN, LOST, QUESTIONS, STEPS, compare_steps, measure_funnel, word_loss
from qaviz.model import columns as c
from qaviz.model.classes import Fault
from qaviz.model.columns import BERTSCORE, COST, F1, LATENCY_MS, PIPELINE, PRECISION, SCORES
from qaviz.model.metrics import METRICS
from qaviz.scoring.normalised import NORMALISED
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import normalised_gain_of
from qaviz.ui.widgets.components import show_sentences
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.table import Cell, Column, Columns, Row, bar_cell, interval_cell, show_table, text_cell

_EFFORTS: Mapping[str, Column] = {
    COST: Column("Cost", title="Mean cost of a response."),
    LATENCY_MS: Column("Time", title="Mean time of a response, in milliseconds."),
}


def show_metrics(shown: OpenRun, ranking: pl.DataFrame) -> None:
    """Draw a row a pipeline, ranked: right answers with their interval, the mean of each of FMEval's scores, cost and
    time; each mean says of how many where that is not all."""
    means = mean_scores(shown.rows)
    table = ranking.join(means, on=PIPELINE, how="left", maintain_order="left")
    drawn = [name for name in (*SCORES, BERTSCORE) if name in table.columns and table[f"{name}_n"].sum()]
    efforts = [name for name in _EFFORTS if table[name].count()]
    columns: Columns = (
        Column("Pipeline", head=True, title=explain("pipeline")),
        Column("Right answers", title=metric_help(c.VERDICT)),
        *(Column(METRICS[name].label, title=METRICS[name].help) for name in drawn),
        *(_EFFORTS[name] for name in efforts),
    )
    rows = [
        Row(
            cells=[
                f"{place}. {row[PIPELINE]}",
                _right(row),
                *(_mean(row[name], row[f"{name}_n"], row["scored_of"]) for name in drawn),
                *(_effort(name, row[name]) for name in efforts),
            ]
        )
        for place, row in enumerate(table.to_dicts(), start=1)
    ]
    show_table("metrics", "Metrics by pipeline", columns, rows, whole=True)


def _right(row: Mapping[str, Any]) -> Cell:
    if row["share"] is None:
        return text_cell(None, missing="not judged")
    low, high = row["low"], row["high"]
    labelled = ", by labels" if row["corrected_by_labels"] else ""
    return interval_cell(row["share"], low, high, row["in_words"], f"likely {interval(low, high)}{labelled}")


def _mean(mean: float | None, scored: int, responses: int) -> Cell:
    return bar_cell(mean, score(mean), "" if scored == responses else f"mean of {out_of(scored, responses)}")


def _effort(name: str, value: float | None) -> str | None:
    return None if value is None else f"{figure(value)}{' ms' if name == LATENCY_MS else ''}"


_FAULT_OF = {
    "in_documents": Fault.DOCUMENTS,
    "retrieved": Fault.RETRIEVER,
    "in_top_k": Fault.RETRIEVER,
    "used": Fault.GENERATOR,
    "right": Fault.GENERATOR,
}
_FUNNEL_COLUMNS: Columns = (
    "Pipeline",
    Column("Questions", title="Responses of the pipeline."),
    *(Column(step.label, title="Of the responses of which it is known.") for step in STEPS),
)
_LOSSES: Columns = ("Pipeline", "Lost at", "Responses", Column("What to do", wide=True))
NO_CONTEXTS = (
    "No response of this run brought the passages that it was given. Import responses with a column `contexts`; with "
    "`--documents FOLDER` also the first step is known."
)


def show_funnel(shown: OpenRun) -> None:
    """Draw each pipeline's way from the documents to right answers, where it loses questions with links to these, and
    the steps at which two pipelines differ beyond chance."""
    funnel = measure_funnel(shown.rows)
    known = funnel.select(f"{KNOWN}_{step.name}" for step in STEPS[:-1])
    if not known.sum().sum_horizontal().item():
        st.caption(NO_CONTEXTS)
        return
    rows = [Row(cells=[row[c.PIPELINE], count(row[QUESTIONS]), *_list_cells(row)]) for row in funnel.to_dicts()]
    show_table("funnel", "From the documents to right answers", _FUNNEL_COLUMNS, rows)
    show_sentences(
        "losses", [f"{name}: {sentence}" for name in funnel[c.PIPELINE] if (sentence := word_loss(shown.rows, name))]
    )
    losses = sorted(_list_losses(funnel), key=lambda loss: -loss[0])
    show_table("lost", "Where questions are lost", _LOSSES, [row for _, row in losses])
    show_sentences("steps", list(_list_differences(shown.rows, funnel[c.PIPELINE].to_list())))


def _list_cells(row: dict[str, int | None]) -> Iterator[str | None]:
    for step in STEPS:
        held, known = row[step.name], row[f"{KNOWN}_{step.name}"]
        yield None if held is None or known is None else out_of(held, known)


def _list_losses(funnel: pl.DataFrame) -> Iterator[tuple[int, Row]]:
    for row in funnel.iter_rows(named=True):
        for step in STEPS:
            if lost := row[f"{LOST}_{step.name}"]:
                link = url_state.href("responses", **{c.PIPELINE: row[c.PIPELINE], c.FAULT: _FAULT_OF[step.name].value})
                cells = [row[c.PIPELINE], step.label, count(lost), f"They {step.lost}. {step.advice}"]
                yield lost, Row(href=link, cells=cells)


def _list_differences(rows: pl.DataFrame, pipelines: list[str]) -> Iterator[str]:
    labels = {step.name: step.label.lower() for step in STEPS}
    for first, second in combinations(pipelines, 2):
        compared = compare_steps(*(rows.filter(pl.col(c.PIPELINE) == name) for name in (first, second)))
        for step, paired, wins, losses, p in compared.iter_rows():
            if p < stats.ALPHA:
                yield (
                    f"{first} against {second}, {labels[step]}: {plural(wins, 'question')} more, {count(losses)} fewer "
                    f"of {count(paired)} ({p_value(p)})."
                )


_GAIN_COLUMNS = (
    "Pipeline",
    Column("Responses", title="Responses to questions with a golden answer"),
    "Conciseness",
    Column("Normalised", title="Conciseness without the restated question and citations"),
    "F1",
    Column("Normalised", title="F1 without the restated question and citations"),
    Column("Gain", title="Normalised F1 less F1"),
)

_GAIN_FIGURES = (PRECISION, NORMALISED[PRECISION], F1, NORMALISED[F1], GAIN)


def show_normalised_gain(shown: OpenRun) -> None:
    """Draw a panel that, once opened, says what each pipeline loses by restating the question and by citations."""
    panel = st.expander("Without the restated question and citations", on_change="rerun", key="normalised")
    if not panel.open:
        return
    with panel:
        st.caption(
            "The scores again, over responses without citations such as [1] and without the words that only repeat the "
            "question. FMEval's own scores are the ones that count everywhere else."
        )
        gains = normalised_gain_of(shown).select(PIPELINE, RESPONSES, *_GAIN_FIGURES)
        rows = [Row(cells=[name, count(n), *map(score, figures)]) for name, n, *figures in gains.iter_rows()]
        show_table("normalised_gain", "Scores without the restated question and citations", _GAIN_COLUMNS, rows)
