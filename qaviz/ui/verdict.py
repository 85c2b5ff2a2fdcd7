"""What stands over and under the board: the verdict line, its four facts, what a person decides otherwise; the decision
pack, every metric by pipeline, and the funnel."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from io import BytesIO

import polars as pl
import streamlit as st

from qaviz.analysis.board import Cell, find_flip
from qaviz.analysis.comparison import metric_help
from qaviz.analysis.decision import Decision, choice, word_impact, word_override, word_verdict
from qaviz.analysis.glossary import explain
from qaviz.analysis.numbers import out_of, plural
from qaviz.analysis.policy import Outcome
from qaviz.analysis.tables import mean_scores
from qaviz.contexts.funnel import KNOWN, QUESTIONS, STEPS, describe_funnel, measure_funnel
from qaviz.exports.decision_pack import exporters, name_file
from qaviz.golden.versions import edited_since
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis
from qaviz.model.metrics import METRICS
from qaviz.model.records import Override
from qaviz.model.visible import plain
from qaviz.report import ENDS, Column, Kind
from qaviz.report.decision import report_saved
from qaviz.scoring.normalised import NORMALISED
from qaviz.store.audit_log import Deed
from qaviz.store.run_records import confirm_override, find_record, override_decision, withdraw_override
from qaviz.store.workspace import Workspace
from qaviz.ui.board import select_cells
from qaviz.ui.labels import View
from qaviz.ui.widgets import person as reader
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import cells_of, normalised_gain_of, steps_of, view_run
from qaviz.ui.widgets.components import show_sentences
from qaviz.ui.widgets.keeping import OpenRun, keep
from qaviz.ui.widgets.person import keep_outcome, workspace
from qaviz.ui.widgets.table import Columns, show_frame
from qaviz.ui.widgets.url_state import open_response

_BASIS = "Decided by right answers, of all questions asked. Unsure verdicts are open: none of them may win."

_NOTHING = "none of them"
_SLIDES = {"Matrix": "Every question, every pipeline", "Scatter": "Closeness against conciseness"}
"""Sections of the report that are files of their own, by title."""
_EFFORTS: Mapping[str, Column] = {
    c.COST: Column(c.COST, "Cost", kind=Kind.FIGURE, help="Mean cost of a response."),
    c.LATENCY_MS: Column(
        c.LATENCY_MS, "Time", text="{latency_ms:figure} ms", help="Mean time of a response, in milliseconds."
    ),
}
_OF_KNOWN = "Of the responses of which it is known."
_FUNNEL_COLUMNS: Columns = (
    c.PIPELINE,
    Column(QUESTIONS, "Questions", help="Responses of the pipeline."),
    *(Column(step.name, step.label, kind=Kind.PART, of=f"{KNOWN}_{step.name}", help=_OF_KNOWN) for step in STEPS),
)
NO_CONTEXTS = (
    "This run has no retrieved passages. To see where right answers are lost, import responses with a column "
    "`contexts`; `--documents FOLDER` adds whether the documents have the answer."
)


def show_decision(shown: OpenRun, decision: Decision) -> None:
    """Draw the verdict line, and under it how sure it is, what it gains, the risk, and what to do next."""
    override = find_record(workspace(), shown.run.run_id).override
    if override:
        st.warning(plain(word_override(override)), icon=":material/gavel:")
    show_sentences("decision", [], lead=word_verdict(decision))
    sure, gain, risk, settle = (column.container(gap="xsmall") for column in st.columns([3, 3, 3, 4], gap="medium"))
    with sure:
        _show_confidence(shown, decision, override)
    with gain:
        _show_part("What it gains", word_impact(decision.subject, decision.impact) or "Nothing to compare with.")
    with risk:
        if decision.doubts:
            _show_part("The first risk: how the files were read", "\n".join(f"{doubt}." for doubt in decision.doubts))
        example = decision.risk
        if example is None:
            right = f"Every response of {decision.subject} is right. Check whether the questions are hard enough."
            _show_part("The risk", right)
        else:
            _show_part("The risk", example.sentence)
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                response = (example.question_id, example.pipeline)
                st.button("See an example", type="tertiary", on_click=open_response, args=response)
                worst = url_state.WIDE | {url_state.WORST: "yes"}
                url_state.draw_link("The five worst", "responses", "priority_high", **worst)
    with settle:
        _show_part("Next", f"1. {decision.next_step}")
        if decision.labelled < shown.run.responses:
            labelled = url_state.WIDE | {url_state.LABELS: View.LABEL.value}
            url_state.draw_link("Label the responses that decide", "responses", "how_to_vote", **labelled)
        if decision.kind is choice.Kind.OPEN:
            url_state.draw_link("Let a judge grade the unsure ones", "judges", "gavel")
        steps = steps_of(view_run(shown), decision.subject, edited_since(workspace(), shown.run.golden_id))
        for place, step in enumerate(steps[:2], start=2):
            cell = Cell.UNSURE.value if step.diagnosis is Diagnosis.UNSCORED else step.diagnosis.value
            label = f"{place}. {plain(step.title)}"
            st.button(label, key=f"step_{place}", type="tertiary", on_click=select_cells, args=(cell, step.pipeline))


def _offer_override(shown: OpenRun, override: Override | None) -> None:
    """Draw what may be done about what a person decided instead, or the way to decide otherwise."""
    run_id = shown.run.run_id
    reader.show_outcome()
    if not reader.may(Deed.OVERRIDE):
        return
    if override:
        person = reader.person_for(Deed.OVERRIDE, "change this")
        if not override.holds:
            reader.offer_act("Confirm as a second person", "confirm", "", person, confirm_override, run_id)
        reader.offer_act("Follow the recommendation again", "withdraw", "", person, withdraw_override, run_id)
        return
    panel = st.popover("Decide otherwise", type="tertiary", key="override", on_change="rerun")
    if panel.open:
        with panel, st.form("override_form", border=False):
            person = reader.person_for(Deed.OVERRIDE, "decide otherwise")
            ships = st.selectbox("Ship", [_NOTHING, *shown.run.pipelines])
            reason = st.text_area("Reason")
            if st.form_submit_button("Decide", disabled=person is None) and person:
                _decide_otherwise(run_id, person, None if ships == _NOTHING else ships, reason)
                st.rerun()


@keep_outcome
def _decide_otherwise(run_id: str, person: str, ships: str | None, reason: str) -> None:
    override_decision(workspace(), run_id, person, ships, reason)


def _show_confidence(shown: OpenRun, decision: Decision, override: Override | None) -> None:
    """Draw how sure the decision is and why; a click shows what it goes by, another one decides otherwise."""
    sure = f"{decision.confidence.capitalize()} confidence. " if decision.confidence else ""
    _show_part("How sure", f"{sure}{decision.confidence_reason}")
    row = st.container(horizontal=True, gap="small")
    with row, st.popover("Why", type="tertiary"):
        _show_part(decision.status.capitalize(), decision.status_reason)
        show_sentences("reasons", decision.reasons, lead=decision.sentence)
        judge = shown.run.judge
        st.text(f"{_BASIS} Judge of unsure verdicts: {judge}." if judge else _BASIS)
        method = decision.ranking.filter(pl.col(c.PIPELINE) == decision.subject)["method"].item()
        _show_part("Interval", f"{method}.")
        _show_part("Can the verdicts be trusted?", decision.trust)
        outcomes = decision.criteria.filter(pl.col(c.PIPELINE) == decision.subject)["outcome"]
        met = out_of(int((outcomes == Outcome.MET.value).sum()), outcomes.len())
        words = f"{decision.subject} meets {met}." if outcomes.len() else "None set. Set them on Compare."
        _show_part("Criteria", words)
        _show_part("What would settle it", decision.settling)
        if decision.effort:
            _show_part("Cost and time", decision.effort)
    with row:
        _offer_override(shown, override)
    if flip := find_flip(cells_of(view_run(shown))):
        label = f"{plural(flip.needed, 'open response')} of {plain(flip.pipeline)} could change this"
        what = (Cell.UNSURE.value, flip.pipeline)
        st.button(label, key="step_flip", type="tertiary", on_click=select_cells, args=what)


def _show_part(title: str, text: str) -> None:
    st.caption(f"**{title}**")
    st.text(text)


def offer_decision_pack(shown: OpenRun) -> None:
    """Draw a button that opens one button a format; a pack is made when its button is pressed."""
    with st.popover("Decision pack", icon=":material/download:"):
        files = [(f"{exporter.name} ({suffix})", suffix, suffix, "") for suffix, exporter in exporters().items()]
        files += [(f"{name} as a slide", ".pptx", f"-{name.lower()}.pptx", title) for name, title in _SLIDES.items()]
        for label, suffix, ending, title in files:
            write = partial(_write_pack, workspace(), shown, suffix, title)
            what, file = f"decision pack {ending}", name_file(shown.run, datetime.now(UTC), ending)
            reader.offer_file(label, what, file, write, run=shown.run.run_id, wide=True)


def _write_pack(home: Workspace, shown: OpenRun, suffix: str, title: str) -> bytes:
    """The decision pack, or its section of that title."""
    report, stream = report_saved(home, shown.run, datetime.now(UTC)), BytesIO()
    alone = tuple(section for section in report.sections if section.title == title)
    exporters()[suffix].write(replace(report, sections=alone or report.sections), stream)
    return stream.getvalue()


@keep()
def _mean_scores(shown: OpenRun) -> pl.DataFrame:
    return mean_scores(shown.rows)


@keep()
def _measure_funnel(shown: OpenRun) -> pl.DataFrame:
    return measure_funnel(shown.rows)


@keep()
def _word_losses(shown: OpenRun) -> list[str]:
    return [f"{row[c.PIPELINE]}: {row['sentence']}" for row in describe_funnel(shown.rows) if row["sentence"]]


def show_metrics(shown: OpenRun, ranking: pl.DataFrame) -> None:
    """Draw a row a pipeline, ranked: right answers with their interval, the mean of each of FMEval's scores, cost and
    time; each mean says of how many where that is not all."""
    means = _mean_scores(shown)
    table = ranking.join(means, on=c.PIPELINE, how="left", maintain_order="left")
    drawn = [name for name in (*c.SCORES, c.BERTSCORE) if name in table.columns and table[f"{name}_n"].sum()]
    efforts = [name for name in _EFFORTS if table[name].count()]
    of_some = "mean of {scored:,} of {scored_of:,}"
    columns = (
        Column(c.PIPELINE, "Pipeline", text="{place}. {pipeline}", help=explain("pipeline")),
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
        *(Column(name, METRICS[name].label, kind=Kind.BAR, note=of_some, help=METRICS[name].help) for name in drawn),
        *(_EFFORTS[name] for name in efforts),
    )
    corrected = pl.when("corrected_by_labels").then(pl.lit(", by labels")).otherwise(pl.lit("")).alias("corrected")
    scored = {name: pl.when(pl.col(f"{name}_n") != pl.col("scored_of")).then(f"{name}_n") for name in drawn}
    means_of = [pl.struct(pl.col(name).alias("value"), n.alias("scored")).alias(name) for name, n in scored.items()]
    placed = table.with_columns(corrected, *means_of).with_row_index("place", offset=1)
    if st.toggle("F1 without the restated question and citations", key="normalised"):
        gain = normalised_gain_of(shown).select(c.PIPELINE, pl.col(NORMALISED[c.F1]).alias("restated"))
        placed = placed.join(gain, on=c.PIPELINE, how="left", maintain_order="left")
        columns = (
            *columns,
            Column("restated", "F1, without", kind=Kind.SCORE, help="FMEval's own F1 counts elsewhere."),
        )
    show_frame("metrics", "Metrics by pipeline", placed, columns, whole=True)


def show_funnel(shown: OpenRun) -> None:
    """Draw each pipeline's way from the documents to right answers, and where it loses most."""
    funnel = _measure_funnel(shown)
    steps_known = funnel.select(f"{KNOWN}_{step.name}" for step in STEPS[:-1])
    if not steps_known.sum().sum_horizontal().item():
        st.caption(NO_CONTEXTS)
        return
    show_frame(
        "funnel",
        "From the documents to right answers",
        funnel,
        _FUNNEL_COLUMNS,
        leads=lambda row: url_state.href("responses", **{c.PIPELINE: row[c.PIPELINE]}),
    )
    show_sentences("lost", _word_losses(shown))
