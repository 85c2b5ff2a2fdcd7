"""People's labels on the screen: how far they agree with the verdicts, and where not."""

from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.labels import (
    OPPOSITE,
    agreement_lead,
    agreement_points,
    certificate_lead,
    certificate_points,
    compare_people,
    confusion_matrix,
)
from qaviz.analysis.numbers import count, out_of, plural
from qaviz.analysis.outcomes import counting
from qaviz.analysis.selection import Passing
from qaviz.diagnosis.agreement import VERDICTS, Agreement, agreement
from qaviz.judging.agreement import GraderAgreement
from qaviz.model.columns import LABEL
from qaviz.model.records import Run
from qaviz.report import ENDS, Column, Kind
from qaviz.store.audit_log import Deed
from qaviz.store.labels import LABELLED_BY
from qaviz.ui.labelling import SHOWN, Queue, show_labelling, undo_last_label
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import certificate_of, labels_of, view_run
from qaviz.ui.widgets.components import show_sentences
from qaviz.ui.widgets.filters import pick
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import may, offer_act, offer_file, show_outcome
from qaviz.ui.widgets.responses import USUAL, beside, show_responses
from qaviz.ui.widgets.table import Columns, show_frame

EVERYBODY = ""
"""Stands for all people where one may be picked: nobody has a blank name."""


class View(StrEnum):
    """What the panel of labels shows."""

    LABEL = "Label responses"
    AGREEMENT = "Agreement"


def pick_labels_panel() -> bool:
    """Draw the switch of the panel of people's labels; returns whether it is open: where the URL says so, or what it
    shows."""
    is_open = any(url_state.value(name) is not None for name in (url_state.PANELS, url_state.LABELS))
    picked = st.toggle("People's labels", value=is_open, key="labels_panel")
    if picked != is_open:
        url_state.write(url_state.PANELS)
        url_state.write(url_state.LABELS, *([View.LABEL.value] if picked else []))
    return picked


def labels_blind() -> bool:
    """Whether the panel of labels hides verdicts until a person has answered, as the URL says."""
    labelling = url_state.value(url_state.LABELS) != View.AGREEMENT
    return labelling and url_state.value(url_state.BLIND) != SHOWN


@st.fragment
def show_labels(shown: OpenRun, listed: Passing, *, blind: bool) -> None:
    """Draw the panel of people's labels: label the `listed` responses, or see how far verdicts agree.

    A fragment: a label redraws nothing else; what makes `labels_blind` other than `blind`, as the list under the panel
    was drawn, redraws the page.
    """
    with st.container(border=True):
        view = pick(url_state.LABELS, "What to do with labels", list(View))
        if view == View.LABEL:
            show_labelling(shown, listed)
        else:
            _show_agreement(shown)
    if labels_blind() != blind:
        st.rerun()


def show_certificate(shown: OpenRun) -> None:
    """Draw what the labels of the run certify, how many of the random sample are given, and the way to label it."""
    with st.container(border=True, key="certificate_card", gap="small"):
        certificate = certificate_of(view_run(shown))
        show_sentences("certificate", certificate_points(certificate), lead=certificate_lead(certificate))
        goal = None if certificate.certified else certificate.labels_needed
        if goal:
            text = f"{out_of(certificate.labels, goal)} labels of the random sample"
            st.progress(min(1.0, certificate.labels / goal), text=text)
        sample = url_state.WIDE | {url_state.LABELS: View.LABEL.value, url_state.QUEUE: Queue.RANDOM.value}
        url_state.draw_link("Certify by your own labels", "responses", "verified", **sample)


def _show_agreement(shown: OpenRun) -> None:
    show_outcome()
    labels = labels_of(shown.run)
    if labels.is_empty():
        st.text("No response of this run is labelled yet. Label some, or in a terminal: qaviz labels RUN FILE.")
        return
    labels = _pick_labels(shown.run, labels)
    measured = agreement(shown.rows, counting(labels))
    show_sentences("agreement", agreement_points(measured, labels), lead=agreement_lead(measured))
    groups = {"pipeline": measured.by_pipeline, "category": measured.by_category}
    filled = {name: table for name, table in groups.items() if not table.is_empty()}
    confusion, *others = st.tabs(["Labels against verdicts", *(f"By {name}" for name in filled)])
    with confusion:
        _show_confusion(measured)
    for tab, (name, table) in zip(others, filled.items(), strict=True):
        with tab:
            lowest_first = table.sort("accuracy", maintain_order=True)
            show_frame(f"agreement_{name}", f"Agreement by {name}", lowest_first, (name, _AGREED), short=True)
    show_graders("people", compare_people(labels_of(shown.run)))
    st.subheader("Label differs from the verdict, worst first", anchor=False)
    if measured.disagreements.is_empty():
        st.text("Every labelled response has the same verdict as its label.")
    else:
        st.caption(plural(measured.disagreements.height, "response"))
        columns = beside(USUAL, Column(LABEL, "Label"))
        show_responses(measured.disagreements, shown.run.thresholds, "disagreements", columns)


def _pick_labels(run: Run, labels: pl.DataFrame) -> pl.DataFrame:
    """Draw the choice of a person or file, with undo and download; returns their labels."""
    counts = {EVERYBODY: labels.height} | dict(labels[LABELLED_BY].value_counts(sort=True).iter_rows())
    named = {name: f"{name or 'Everybody'} · {count(number)}" for name, number in counts.items()}
    key = f"labels_by_{run.run_id}"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        person = st.selectbox("Labels by", list(named), format_func=named.__getitem__, key=key, width=320)
        if person != EVERYBODY:
            labels = labels.filter(pl.col(LABELLED_BY) == person)
            allowed = may(workspace(), Deed.UNLABEL)
            help = "The last label, or all labels of the last imported file."
            undo = partial(undo_last_label, run)
            offer_act("Undo the last", "labels_undo", "undo", undo, person, ready=allowed, help=help)
        write = partial(pl.DataFrame.write_ndjson, counting(labels))
        offer_file(workspace(), "Labels as a file", "labels", "labels.jsonl", write, run=run.run_id)
    return labels


def _show_confusion(measured: Agreement) -> None:
    opposite = pl.col(LABEL).replace_strict(OPPOSITE, default=None)
    columns, cells = [Column(LABEL, "Label", note="{labelled}")], []
    for verdict in VERDICTS:
        same = pl.when(pl.col(LABEL) == verdict).then(pl.lit("agrees"))
        match = same.when(opposite == verdict).then(pl.lit("opposed")).otherwise(pl.lit("other"))
        number = pl.when(pl.col(verdict) > 0).then(pl.col(verdict)).alias("value")
        share = (pl.col(verdict) / pl.col("responses")).alias("share")
        cells.append(pl.struct(number, share, match.alias("match")).alias(verdict))
        columns.append(
            Column(
                verdict,
                f"Verdict: {verdict}",
                kind=Kind.MARK,
                text="{value:,} · {share:share}",
                missing="0",
                by="match",
                title=f"{{value:,}} of {{responses:,}} responses labelled {{label}} have the verdict {verdict}.",
            )
        )
    matrix = confusion_matrix(measured)
    labelled = pl.Series("labelled", [plural(number, "response") for number in matrix["responses"]])
    show_frame("confusion", "People's labels against verdicts", matrix.with_columns(labelled, *cells), columns)


_AGREED = Column(
    "accuracy",
    "Verdicts that people agree with",
    kind=Kind.SHARE,
    ends=ENDS,
    text="{agreed:,} of {responses:,}",
    note="likely {interval}",
    wide=True,
)
_GRADERS: Columns = (
    "graders",
    Column("compared", "Both graded"),
    *(
        Column(name, heading, kind=Kind.SCORE, ends=ENDS, note="{interval}{word}", missing="undefined", help=help)
        for name, heading, help in (
            ("exact", "Same word", "Share of what both graded, with its 95% interval."),
            ("kappa", "Cohen's kappa", "0: agreement by chance at these frequencies; 1: full agreement."),
            ("ac1", "Gwet's AC1", "Agreement, corrected for luck, also where one word is rare."),
        )
    ),
)


def show_graders(key: str, pairs: Sequence[tuple[str, str, GraderAgreement]], word: str = "") -> None:
    """Draw how far graders agree, a row a pair, under each figure this word; nothing without pairs."""
    rows = [
        {"graders": f"{first} and {second}", "compared": both.compared, "word": word}
        | {figure: value and asdict(value) for figure in ("exact", "kappa", "ac1") for value in [getattr(both, figure)]}
        for first, second, both in pairs
    ]
    if rows:
        show_frame(key, "Agreement of graders", rows, _GRADERS, short=True)
