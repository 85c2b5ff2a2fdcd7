"""What stands under the board: every metric by pipeline, and the funnel."""

from collections.abc import Mapping

import polars as pl
import streamlit as st

from qaviz.analysis.comparison import metric_help
from qaviz.analysis.glossary import explain
from qaviz.analysis.tables import mean_scores
from qaviz.contexts.funnel import KNOWN, LOST, QUESTIONS, STEPS, measure_funnel
from qaviz.model import columns as c
from qaviz.model.classes import Fault
from qaviz.model.columns import BERTSCORE, COST, F1, LATENCY_MS, PIPELINE, SCORES
from qaviz.model.metrics import METRICS
from qaviz.report import ENDS, Column, Kind
from qaviz.scoring.normalised import NORMALISED
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import normalised_gain_of
from qaviz.ui.widgets.keeping import OpenRun, keep
from qaviz.ui.widgets.table import Columns, show_frame

_EFFORTS: Mapping[str, Column] = {
    COST: Column(COST, "Cost", kind=Kind.FIGURE, help="Mean cost of a response."),
    LATENCY_MS: Column(
        LATENCY_MS, "Time", text="{latency_ms:figure} ms", help="Mean time of a response, in milliseconds."
    ),
}


@keep()
def _mean_scores(shown: OpenRun) -> pl.DataFrame:
    return mean_scores(shown.rows)


@keep()
def _measure_funnel(shown: OpenRun) -> pl.DataFrame:
    return measure_funnel(shown.rows)


def show_metrics(shown: OpenRun, ranking: pl.DataFrame) -> None:
    """Draw a row a pipeline, ranked: right answers with their interval, the mean of each of FMEval's scores, cost and
    time; each mean says of how many where that is not all."""
    means = _mean_scores(shown)
    table = ranking.join(means, on=PIPELINE, how="left", maintain_order="left")
    drawn = [name for name in (*SCORES, BERTSCORE) if name in table.columns and table[f"{name}_n"].sum()]
    efforts = [name for name in _EFFORTS if table[name].count()]
    scored_of = "mean of {scored:,} of {scored_of:,}"
    columns = (
        Column(PIPELINE, "Pipeline", text="{place}. {pipeline}", help=explain("pipeline")),
        Column(
            "share",
            "Right answers",
            kind=Kind.SHARE,
            ends=ENDS,
            text="{in_words}",
            note="likely {interval}{corrected}",
            missing="not judged",
            help=metric_help(c.VERDICT),
        ),
        *(Column(name, METRICS[name].label, kind=Kind.BAR, note=scored_of, help=METRICS[name].help) for name in drawn),
        *(_EFFORTS[name] for name in efforts),
    )
    corrected = pl.when("corrected_by_labels").then(pl.lit(", by labels")).otherwise(pl.lit("")).alias("corrected")
    scored = {name: pl.when(pl.col(f"{name}_n") != pl.col("scored_of")).then(f"{name}_n") for name in drawn}
    means_of = [pl.struct(pl.col(name).alias("value"), n.alias("scored")).alias(name) for name, n in scored.items()]
    placed = table.with_columns(corrected, *means_of).with_row_index("place", offset=1)
    if st.toggle("F1 without the restated question and citations", key="normalised"):
        gain = normalised_gain_of(shown).select(PIPELINE, pl.col(NORMALISED[F1]).alias("restated"))
        placed = placed.join(gain, on=PIPELINE, how="left", maintain_order="left")
        columns = (
            *columns,
            Column("restated", "F1, without", kind=Kind.SCORE, help="FMEval's own F1 counts elsewhere."),
        )
    show_frame("metrics", "Metrics by pipeline", placed, columns, whole=True)


_FAULT_OF = {
    "in_documents": Fault.DOCUMENTS,
    "retrieved": Fault.RETRIEVER,
    "in_top_k": Fault.RETRIEVER,
    "used": Fault.GENERATOR,
    "right": Fault.GENERATOR,
}
_OF_KNOWN = "Of the responses of which it is known."
_FUNNEL_COLUMNS: Columns = (
    PIPELINE,
    Column(QUESTIONS, "Questions", help="Responses of the pipeline."),
    *(Column(step.name, step.label, kind=Kind.PART, of=f"{KNOWN}_{step.name}", help=_OF_KNOWN) for step in STEPS),
)
_LOSSES = {PIPELINE: "Pipeline", "at": "Lost at", "lost": "Responses", "advice": "What to do"}
NO_CONTEXTS = (
    "This run has no retrieved passages. To see where right answers are lost, import responses with a column "
    "`contexts`; `--documents FOLDER` adds whether the documents have the answer."
)


def show_funnel(shown: OpenRun) -> None:
    """Draw each pipeline's way from the documents to right answers, and where it loses questions, with links to
    these."""
    funnel = _measure_funnel(shown)
    steps_known = funnel.select(f"{KNOWN}_{step.name}" for step in STEPS[:-1])
    if not steps_known.sum().sum_horizontal().item():
        st.caption(NO_CONTEXTS)
        return
    show_frame("funnel", "From the documents to right answers", funnel, _FUNNEL_COLUMNS)
    lost_at = [
        (row[PIPELINE], step.label, lost, f"They {step.lost}. {step.advice}", _FAULT_OF[step.name].value)
        for row in funnel.iter_rows(named=True)
        for step in STEPS
        if (lost := row[f"{LOST}_{step.name}"])
    ]
    losses = pl.DataFrame(lost_at, schema=[*_LOSSES, c.FAULT], orient="row")
    show_frame(
        "lost",
        "Where questions are lost",
        losses.sort("lost", descending=True, maintain_order=True),
        [Column(name, heading, wide=name == "advice") for name, heading in _LOSSES.items()],
        leads=lambda row: url_state.href("responses", **{name: row[name] for name in (PIPELINE, c.FAULT)}),
    )
