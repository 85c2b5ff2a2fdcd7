"""The parts of the Overview: the decision, the pipelines side by side, declining, the next steps, and the decision
pack.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from io import BytesIO

import polars as pl
import streamlit as st

from qaviz.analysis.comparison import metric_help
from qaviz.analysis.decision import Decision, RankedRow, word_impact, word_override
from qaviz.analysis.decision.choice import Confidence, Kind
from qaviz.analysis.glossary import explain
from qaviz.analysis.numbers import NO_BREAK_SPACE, count, figure, interval, out_of, percent, score
from qaviz.analysis.policy import Outcome
from qaviz.analysis.sentences import Step
from qaviz.analysis.tables import declining, has_unanswerable
from qaviz.charts import DIAGNOSIS_COLOURS, DIAGNOSIS_SYMBOLS
from qaviz.exports.decision_pack import exporters, gather_from, name_file
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis
from qaviz.model.errors import QavizError
from qaviz.model.metrics import METRICS
from qaviz.model.records import Override
from qaviz.model.visible import plain
from qaviz.store.audit_log import Deed
from qaviz.store.run_records import confirm_override, find_record, override_decision, withdraw_override
from qaviz.store.workspace import Workspace
from qaviz.ui.agreement import View
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.components import show_problems, show_sentences
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import may, name_field, note_download, person_said, remember_person, signed_in
from qaviz.ui.widgets.table import Cell, Column, Part, Row, bar_cell, interval_cell, parts_cell, show_table, text_cell

_ICONS: Mapping[Confidence, str] = {
    Confidence.HIGH: "check_circle",
    Confidence.MEDIUM: "contrast",
    Confidence.LOW: "help",
}
_BASIS = "Decided by right answers, of all questions asked. Unsure verdicts are open: none of them may win."

_NARROW = (*url_state.FILTERS, c.VERDICT, c.FAULT, url_state.DIFFER, url_state.UNREAD, url_state.QUEUE, url_state.BLIND)
"""URL names that would leave responses out of the queue, or order it otherwise."""

_FIRST = (
    Column("Pipeline", head=True, title=explain("pipeline")),
    Column("Right answers", title=f"{metric_help(c.VERDICT)} With its 95% interval."),
    Column("Facts stated", title=f"{metric_help(c.FACTUAL_KNOWLEDGE)} {METRICS[c.FACTUAL_KNOWLEDGE].caveat}"),
)
_EFFORTS: Mapping[str, Column] = {
    c.COST: Column("Cost", title="Mean cost of a response."),
    c.LATENCY_MS: Column("Time", title="Mean time of a response, in milliseconds."),
}
_LAST = (
    Column(METRICS[c.RECALL].label, title=METRICS[c.RECALL].help),
    Column(METRICS[c.PRECISION].label, title=METRICS[c.PRECISION].help),
    Column("Diagnoses", title="The class of each response, from its scores and evidence.", wide=True),
)

FIRST_SHOWN = 5
"""Pipelines that the overview shows until the reader asks for all: a table that scrolls within the page hides some."""

_ORDERS: Mapping[str, str] = {
    c.FACTUAL_KNOWLEDGE: "facts_stated",
    c.RECALL: "closeness",
    c.PRECISION: "conciseness",
    c.F1: "f1",
}

_DECLINING_COLUMNS = (
    "Pipeline",
    "Answerable: answered",
    Column("Answerable: declined", title="Declined although the question has an answer"),
    Column("Unanswerable: answered", title="Answered although the question has no answer"),
    "Unanswerable: declined",
    Column("Precision of declining", title="Share of declining responses whose question has no answer"),
    Column("Recall of declining", title="Share of questions without an answer that are declined"),
)


def show_decision(shown: OpenRun, decision: Decision) -> None:
    """Draw the card: the sentence, its reasons, how sure it is, what it changes, the risk, the next step."""
    with st.container(border=True, key="decision_card", gap="small"):
        override = find_record(workspace(), shown.run.run_id).override
        if override:
            st.warning(plain(word_override(override)), icon=":material/gavel:")
        show_sentences("decision", decision.reasons, lead=decision.sentence)
        sure, effect, risk, settle = st.columns(4, gap="medium")
        with sure:
            _show_confidence(shown, decision)
        with effect:
            _show_part("What it changes", word_impact(decision.subject, decision.impact) or "Nothing to compare with.")
        with risk:
            _show_risk(decision)
        with settle:
            _show_part("Next step", decision.next_step)
            _offer_next_step(shown, decision)
        _offer_override(shown, override)


def _offer_override(shown: OpenRun, override: Override | None) -> None:
    """Draw what may be done about what a person decided instead, or the way to decide otherwise."""
    home, run_id = workspace(), shown.run.run_id
    if refused := st.session_state.pop(_REFUSED, None):
        show_problems(refused)
    if override:
        if not override.holds and may(home, Deed.CONFIRM, run=run_id):
            st.button("Confirm as a second person", on_click=_do, args=(confirm_override, run_id))
        if may(home, Deed.WITHDRAW, run=run_id):
            st.button("Follow the recommendation again", on_click=_do, args=(withdraw_override, run_id))
    elif may(home, Deed.OVERRIDE, run=run_id):
        panel = st.expander("Decide otherwise", icon=":material/gavel:", key="override", on_change="rerun")
        if panel.open:
            with panel, st.form("override_form", border=False):
                person = "" if signed_in() else name_field("decision")
                ships = st.selectbox("Ship", [_NOTHING, *shown.run.pipelines])
                reason = st.text_area("Reason")
                if st.form_submit_button("Decide"):
                    _do(_decide_otherwise, run_id, person, None if ships == _NOTHING else ships, reason)
                    st.rerun()


def _decide_otherwise(home: Workspace, run_id: str, by: str, person: str, ships: str | None, reason: str) -> None:
    override_decision(home, run_id, by or remember_person(person) or "", ships, reason)


_REFUSED, _NOTHING = "override_refused", "none of them"


def _do(change: Callable[..., None], run_id: str, *given: object) -> None:
    """Make the change as whoever reads the page; what is refused stands on the page drawn next."""
    try:
        change(workspace(), run_id, person_said() or "", *given)
    except QavizError as error:
        st.session_state[_REFUSED] = error


def _show_confidence(shown: OpenRun, decision: Decision) -> None:
    """Draw the status, how sure the decision is and why; a click shows what it goes by."""
    icon = _ICONS[decision.confidence] if decision.confidence else "balance"
    status = decision.status.capitalize()
    # The heading has said the status.
    reason = f"{decision.confidence_reason} {decision.status_reason}".removeprefix(f"{status}: ")
    _show_part(status, reason[:1].upper() + reason[1:])
    label = f"{decision.confidence.capitalize()} confidence" if decision.confidence else "Tie"
    with st.popover(label, icon=f":material/{icon}:"):
        judge = shown.run.judge
        st.text(f"{_BASIS} Judge of unsure verdicts: {judge}." if judge else _BASIS)
        method = decision.ranking.filter(_is_pipeline(decision.subject))["method"].item()
        _show_part("Interval", f"{method}.")
        _show_part("Can the verdicts be trusted?", decision.trust)
        _show_part("Criteria", _criteria(decision))
        _show_part("What would settle it", decision.settling)
        if decision.effort:
            _show_part("Cost and time", decision.effort)


def _is_pipeline(name: str) -> pl.Expr:
    return pl.col(c.PIPELINE) == name


def _show_part(title: str, text: str) -> None:
    st.caption(f"**{title}**")
    st.text(text)


def _show_risk(decision: Decision) -> None:
    risk = decision.risk
    if decision.doubts:
        _show_part("First risk: how the files were read", "\n".join(f"{doubt}." for doubt in decision.doubts))
    if risk is None:
        right = f"Every response of {decision.subject} is right. Check whether the questions are hard enough."
        _show_part("Biggest risk", right)
        return
    _show_part("Biggest risk", risk.sentence)
    url_state.draw_link("See an example", "overview", **url_state.at_response(risk.question_id, risk.pipeline))


def _criteria(decision: Decision) -> str:
    own = decision.criteria.filter(_is_pipeline(decision.subject))["outcome"]
    if own.is_empty():
        return "None set. Set them on Compare."
    return f"{decision.subject} meets {out_of(int((own == Outcome.MET.value).sum()), own.len())}."


def _offer_next_step(shown: OpenRun, decision: Decision) -> None:
    if decision.labelled < shown.run.responses:
        wide = dict.fromkeys(_NARROW, "") | {url_state.LABELS: View.LABEL.value}
        url_state.draw_link("Label the responses that decide", "responses", "how_to_vote", **wide)
    if decision.kind is Kind.OPEN:
        url_state.draw_link("Let a judge grade the unsure ones", "judges", "gavel")


def show_pipelines(summary: pl.DataFrame, ranking: pl.DataFrame, metric: str) -> None:
    """Draw a row a pipeline, the best by the metric first: right answers (`Decision.ranking`), beside them the rest of
    `tables.pipeline_summary`. Of many the first FIRST_SHOWN, until the reader asks for all."""
    both = ranking.join(summary, on=c.PIPELINE, how="left", maintain_order="left", suffix="_of_facts")
    if metric != c.VERDICT:
        both = both.sort(_ORDERS[metric], descending=True, nulls_last=True, maintain_order=True)
    whole = both.height <= FIRST_SHOWN + 1 or url_state.value(url_state.ALL) is not None
    drawn = both if whole else both.head(FIRST_SHOWN)
    efforts = [name for name in _EFFORTS if both[name].count()]
    columns = (*_FIRST, *(_EFFORTS[name] for name in efforts), *_LAST)
    mixes = drawn.select(diagnosis.value for diagnosis in Diagnosis).iter_rows()
    rows = list(map(partial(_pipeline_row, efforts), c.typed_rows(drawn, _PipelineRow), mixes))
    show_table("pipelines", "Pipelines: right answers, facts stated and diagnoses", columns, rows, whole=True)
    if both.height > FIRST_SHOWN + 1:
        label = f"Show the first {FIRST_SHOWN}" if whole else f"Show all {count(both.height)}"
        st.button(label, key="all_pipelines", type="tertiary", on_click=_show_all, args=(not whole,))


def _show_all(whole: bool) -> None:
    url_state.write(url_state.ALL, *(["pipelines"] if whole else []))


class _PipelineRow(RankedRow):
    """A row of the table: a pipeline's right answers beside what `SummaryRow` has."""

    expected: int
    fact_hits: int
    fact_scored: int
    facts_stated: float | None
    low_of_facts: float | None
    high_of_facts: float | None
    closeness: float | None
    closeness_n: int
    conciseness: float | None
    conciseness_n: int


def _pipeline_row(efforts: Sequence[str], pipeline: _PipelineRow, mix: Sequence[int]) -> Row:
    amounts = {c.COST: pipeline[c.COST], c.LATENCY_MS: pipeline[c.LATENCY_MS]}
    questions = pipeline["expected"]
    cells = (
        pipeline[c.PIPELINE],
        _right(pipeline),
        _facts(pipeline),
        *(_effort(name, amounts[name]) for name in efforts),
        _mean(pipeline["closeness"], pipeline["closeness_n"], questions),
        _mean(pipeline["conciseness"], pipeline["conciseness_n"], questions),
        parts_cell([_diagnosis_part(diagnosis, n) for diagnosis, n in zip(Diagnosis, mix, strict=True) if n]),
    )
    return Row(cells=cells)


def _effort(name: str, value: float | None) -> str | None:
    return None if value is None else f"{figure(value)}{' ms' if name == c.LATENCY_MS else ''}"


def _right(pipeline: _PipelineRow) -> Cell:
    if pipeline["share"] is None:
        return text_cell(None, missing="not judged")
    low, high = pipeline["low"], pipeline["high"]
    labelled = ", by labels" if pipeline["corrected_by_labels"] else ""
    return interval_cell(pipeline["share"], low, high, pipeline["in_words"], f"likely {interval(low, high)}{labelled}")


def _facts(pipeline: _PipelineRow) -> Cell:
    stated, scored = pipeline["fact_hits"], pipeline["fact_scored"]
    likely = f"likely {interval(pipeline['low_of_facts'], pipeline['high_of_facts'])}" if scored else "no fact scored"
    return bar_cell(pipeline["facts_stated"], out_of(stated, scored), likely)


def _mean(mean: float | None, scored: int, questions: int) -> Cell:
    return bar_cell(mean, score(mean), f"mean of {count(scored) if scored == questions else out_of(scored, questions)}")


def _diagnosis_part(diagnosis: Diagnosis, responses: int) -> Part:
    return Part(
        count=responses,
        text=f"{diagnosis.value} · {count(responses)}",
        label="response" if responses == 1 else "responses",
        symbol=DIAGNOSIS_SYMBOLS[diagnosis],
        colour=DIAGNOSIS_COLOURS[diagnosis],
    )


_STEP_COLUMNS = (
    Column("Step", head=True, wide=True),
    Column("Fault", title=explain("fault")),
)


def show_steps(steps: Sequence[Step]) -> None:
    """Draw the steps; opening one shows its responses on the Diagnostics page."""
    if not steps:
        st.text("Nothing is left to do: responses are diagnosed as correct, or their triplets have been edited since.")
        return
    show_table("steps", "Most useful next steps", _STEP_COLUMNS, list(map(_step_row, steps)))


def _step_row(step: Step) -> Row:
    filters = {c.DIAGNOSIS: step.diagnosis.value} | ({c.PIPELINE: step.pipeline} if step.pipeline else {})
    cells = (step.title, (step.fault or "open").replace(" ", NO_BREAK_SPACE))
    return Row(href=url_state.href("responses", **filters), cells=cells)


def show_declining(shown: OpenRun) -> None:
    """Draw answered and declined by answerable and not, a row a pipeline; nothing where all are."""
    if not has_unanswerable(shown.golden):
        return
    st.subheader("Questions without an answer", anchor=False)
    rows = [
        Row(cells=[pipeline, *map(count, counts), percent(precision), percent(recall)])
        for pipeline, *counts, precision, recall in declining(shown.rows).iter_rows()
    ]
    show_table("declining", "Answered and declined, by answerable and not", _DECLINING_COLUMNS, rows)


def offer_decision_pack(shown: OpenRun) -> None:
    """Draw a button that opens one button a format; a pack is made when its button is pressed."""
    with st.popover("Decision pack", icon=":material/download:"):
        for suffix, exporter in exporters().items():
            write = partial(_write_pack, workspace(), shown, suffix)
            st.download_button(
                f"{exporter.name} ({suffix})",
                data=note_download(workspace(), f"decision pack {suffix}", write, run=shown.run.run_id),
                file_name=name_file(shown.run, datetime.now(UTC), suffix),
                on_click="ignore",
                width="stretch",
            )


def _write_pack(home: Workspace, shown: OpenRun, suffix: str) -> bytes:
    content = gather_from(home, shown.run, datetime.now(UTC))
    stream = BytesIO()
    exporters()[suffix].write(content, stream)
    return stream.getvalue()
