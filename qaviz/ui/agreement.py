"""People's labels on the screen: how far they agree with the verdicts, and where not."""

from dataclasses import asdict
from enum import StrEnum
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.labels import (
    OPPOSITE,
    agreement_lead,
    agreement_points,
    compare_people,
    confusion_matrix,
)
from qaviz.analysis.numbers import count, plural, score
from qaviz.analysis.outcomes import counting, find_correcting
from qaviz.analysis.selection import Passing
from qaviz.diagnosis.agreement import VERDICTS, Agreement, agreement, select_labels
from qaviz.diagnosis.calibration import FEWEST, Refit, find_refit
from qaviz.diagnosis.recalibration import KeptRefit, has_expired, keep_refit, kept_refit, take_back_refit
from qaviz.judging.agreement import GraderAgreement
from qaviz.loading import Source, apart
from qaviz.loading.formats import SUFFIXES
from qaviz.model.columns import LABEL
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.report import ENDS, Column, Kind
from qaviz.store.audit_log import Deed
from qaviz.store.labels import DRAWN, LABELLED_BY, keep_labels
from qaviz.ui.labelling import OUTCOME, SHOWN, show_labelling, undo_last_label
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import labels_of
from qaviz.ui.widgets.components import show_problems, show_sentences
from qaviz.ui.widgets.filters import pick
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import keep_outcome, may, note_download, offer_act, offers, person_said, show_outcome
from qaviz.ui.widgets.responses import Beside, show_responses
from qaviz.ui.widgets.table import show_frame
from qaviz.uploads import on_disk

EVERYBODY = ""
"""Stands for all people where one may be picked: nobody has a blank name."""
TURN = "labels_file_turn"
"""Session key of the number of label files imported: it renames the upload field, which empties it."""
TAKEN = "labels_file_taken"
"""Session key of what came of the last file."""

_LABEL = Beside(column=LABEL, heading="Label", caption="Responses whose label differs from the verdict")

_REFIT_OUTCOME = "refit_outcome"
"""Session key of what refused the last change of the map."""
_NOT_OWNER = "Your role does not let you change how confidence is counted: ask an owner."


class View(StrEnum):
    """What the panel of labels shows."""

    LABEL = "Label responses"
    FILE = "Labels from a file"
    AGREEMENT = "Agreement"


def labels_blind() -> bool:
    """Whether the panel of labels hides verdicts until a person has answered, as the URL says."""
    labelling = url_state.value(url_state.LABELS) not in (View.FILE, View.AGREEMENT)
    return labelling and url_state.value(url_state.BLIND) != SHOWN


@st.fragment
def show_labels(shown: OpenRun, listed: Passing, first: pl.Series, *, blind: bool) -> None:
    """Draw the panel of people's labels: label the `listed` responses, import labels, see how far verdicts agree.

    Those at the places `first` of the run's rows are labelled first. A fragment: a label redraws nothing else; what
    makes `labels_blind` other than `blind`, as the list under the panel was drawn, redraws the page.
    """
    with st.container(border=True):
        view = pick(url_state.LABELS, "What to do with labels", list(View), str)
        if view == View.LABEL:
            show_labelling(shown, listed, first)
        elif view == View.FILE:
            _take_file(shown)
        else:
            _show_agreement(shown)
    if labels_blind() != blind:
        st.rerun()


def _show_agreement(shown: OpenRun) -> None:
    show_outcome(OUTCOME)
    labels = labels_of(shown.run)
    if TAKEN in st.session_state:
        st.text(st.session_state.pop(TAKEN))
    if labels.is_empty():
        st.text("No response of this run is labelled yet. Label some, or import labels from a file.")
        return
    labels = _pick_labels(shown.run, labels)
    measured = agreement(shown.rows, counting(labels))
    show_sentences("agreement", agreement_points(measured, labels), lead=agreement_lead(measured))
    _show_figures(measured)
    _show_people(compare_people(labels_of(shown.run)))

    show_refit(shown, find_correcting(labels, shown.rows))
    st.subheader("Label differs from the verdict, worst first", anchor=False)
    if measured.disagreements.is_empty():
        st.text("Every labelled response has the same verdict as its label.")
    else:
        st.caption(plural(measured.disagreements.height, "response"))
        show_responses(measured.disagreements, shown.run.thresholds, "disagreements", _LABEL)


def _take_file(shown: OpenRun) -> None:
    """Draw the upload of labels; after the import the panel shows the agreement."""
    if not offers(workspace(), Deed.LABEL, "import labels"):
        return
    turn = st.session_state.setdefault(TURN, 0)
    field = f"labels_file_{turn}"
    st.file_uploader(
        "Labels: question_id, pipeline, and label, which is correct, incorrect or declined",
        [suffix.removeprefix(".") for suffix in SUFFIXES],
        key=field,
    )
    drawn = st.checkbox(
        "The responses were drawn at random",
        key=f"{field}_drawn",
        help="Only labels of responses drawn at random correct shares and confidence. Leave it off if you do not know.",
    )
    files = on_disk(field)
    if files and st.button("Import these labels", icon=":material/upload_file:", type="primary"):
        try:
            st.session_state[TAKEN] = _keep_label_file(shown, files[0], drawn=drawn)
        except QavizError as error:
            show_problems(error)
            return
        st.session_state[TURN] = turn + 1
        url_state.write(url_state.LABELS, View.AGREEMENT)
        st.rerun()


def _keep_label_file(shown: OpenRun, source: Source, *, drawn: bool) -> str:
    """Keep the labels of a file under its name; says how many. Raises QavizError with what is wrong in it.

    `drawn` is whether the file is said to be a random sample: null then, for only the run's own order proves it.
    """
    labels = apart.read_labels(source, lambda _fraction, _words: None)
    agreement(shown.rows, labels)
    labels_of_run = select_labels(labels, shown.rows)
    origin = pl.lit(None if drawn else False, pl.Boolean).alias(DRAWN)
    keep_labels(workspace(), shown.run, source.name, labels_of_run.with_columns(origin))
    taken = f"{plural(labels_of_run.height, 'label')} taken from {source.name}."
    left_out = labels.height - labels_of_run.height
    why = "of no response of this run, of another text than it has, or twice"
    return f"{taken} Left out: {plural(left_out, 'row')}, {why}." if left_out else taken


def _pick_labels(run: Run, labels: pl.DataFrame) -> pl.DataFrame:
    """Draw the choice of a person or file, with undo and download; returns their labels."""
    given = dict(labels[LABELLED_BY].value_counts(sort=True).iter_rows())
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        person = st.selectbox(
            "Labels by",
            [EVERYBODY, *given],
            format_func=lambda name: f"{name or 'Everybody'} · {count(given.get(name, labels.height))}",
            key=f"labels_by_{run.run_id}",
            width=320,
        )
        if person != EVERYBODY:
            labels = labels.filter(pl.col(LABELLED_BY) == person)
            allowed = may(workspace(), Deed.UNLABEL)
            help = "The last label, or all labels of the last imported file."
            undo = partial(undo_last_label, run)
            offer_act("Undo the last", "labels_undo", "undo", undo, person, ready=allowed, help=help)
        st.download_button(
            "Labels as a file",
            note_download(workspace(), "labels", lambda: counting(labels).write_ndjson(), run=run.run_id),
            "labels.jsonl",
            "application/jsonl",
            icon=":material/download:",
            on_click="ignore",
        )
    return labels


def _show_figures(measured: Agreement) -> None:
    groups = {"pipeline": measured.by_pipeline, "category": measured.by_category}
    filled = {name: table for name, table in groups.items() if not table.is_empty()}
    confusion, *others = st.tabs(["Labels against verdicts", *(f"By {name}" for name in filled)])
    with confusion:
        _show_confusion(measured)
    for tab, (name, table) in zip(others, filled.items(), strict=True):
        with tab:
            _show_groups(name, table)


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


def _show_people(between: list[tuple[str, str, GraderAgreement]]) -> None:
    """Draw how far every two people agree on the responses that both labelled."""
    if not between:
        return
    agreements = [
        {"people": f"{first} and {second}", "compared": plural(both.compared, "response")}
        | {name: asdict(getattr(both, name)) for name in ("exact", "kappa")}
        for first, second, both in between
    ]
    columns = (
        *("people", Column("compared", "Both labelled")),
        Column("exact", "Same label", kind=Kind.SHARE, ends=ENDS, note="likely {interval}", wide=True),
        Column(
            "kappa",
            "Cohen's kappa",
            kind=Kind.SCORE,
            ends=ENDS,
            missing="undefined",
            help="Agreement, corrected for luck: 0 is what luck gives, 1 is full.",
        ),
    )
    show_frame("people", "Agreement between people", agreements, columns, short=True)


def _show_groups(name: str, groups: pl.DataFrame) -> None:
    """Draw the share that agrees in each group, the lowest first."""
    share = Column(
        "accuracy",
        "Verdicts that people agree with",
        kind=Kind.SHARE,
        ends=ENDS,
        text="{agreed:,} of {responses:,}",
        note="likely {interval}",
        wide=True,
    )
    ordered = groups.sort("accuracy", maintain_order=True)
    show_frame(f"agreement_{name}", f"Agreement by {name}", ordered, (name, share), short=True)


def show_refit(shown: OpenRun, labels: pl.DataFrame) -> None:
    """Draw the confidence that a fit to the labels (one a response) gives, and the buttons that use or undo the fit."""
    st.subheader("Confidence that these labels propose", anchor=False)
    show_outcome(_REFIT_OUTCOME)
    fitted, kept = find_refit(shown.rows, labels), kept_refit(workspace())
    st.caption(_describe_map(kept))
    if isinstance(fitted, Refit):
        errors = f"{score(fitted.error_before)} as shipped, {score(fitted.error_after)} fitted"
        made_of = f"{plural(fitted.labels, 'label')} to {plural(fitted.questions, 'question')}"
        st.text(f"Calibration error on labels kept out of the fit: {errors} ({made_of}).")
        _show_reliability(fitted)
    allowed = may(workspace(), Deed.POLICY)
    why_not = _describe_lack(fitted) or ("" if allowed else _NOT_OWNER)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Use it for the next runs",
            key="refit_use",
            icon=":material/balance:",
            help=None if why_not else "Runs that are scored from now on; those that are kept stay as they are.",
            disabled=bool(why_not),
            on_click=_use_refit,
            args=(shown, fitted),
        )
        if kept:
            st.button(
                "Back to the shipped map",
                key="refit_undo",
                icon=":material/undo:",
                disabled=not allowed,
                on_click=_use_shipped,
            )
    if why_not:
        st.caption(why_not)


def _describe_lack(fitted: Refit | int) -> str:
    """Why the fit is not offered; blank where it is."""
    if isinstance(fitted, int):
        return f"{plural(fitted, 'question')} with labels drawn at random; a fit takes at least {FEWEST}."
    return "" if fitted.better else "The shipped map is nearer to these labels: it stays."


def _describe_map(kept: KeptRefit | None) -> str:
    if kept is None:
        return "In use: the shipped map from evidence to confidence."
    labels = plural(kept["labels"], "label")
    if has_expired(kept):
        fit = f"The fit to {labels} of the run “{kept['run']}” expired: it was made for another reader of verdicts."
        return f"In use: the shipped map. {fit}"
    errors = f"{score(kept['error_before'])} before, {score(kept['error_after'])} after"
    return f"In use: fitted to {labels} of the run “{kept['run']}”; calibration error {errors}."


def _show_reliability(fitted: Refit) -> None:
    """How often people agree with verdicts of each confidence, by the shipped map and by refits that saw no label."""
    tables = (("Shipped", fitted.before), ("Fitted, on labels kept out", fitted.after))
    both = pl.concat(table.with_columns(pl.lit(name).alias("map")) for name, table in tables)
    columns = (
        "map",
        Column("confidence", "Confidence", kind=Kind.SHARE),
        Column("right", "People agree", kind=Kind.SHARE),
        Column("rows", "Labels"),
    )
    show_frame("reliability", "Confidence against people's labels, by tenths", both, columns, short=True)


@keep_outcome(_REFIT_OUTCOME)
def _use_refit(shown: OpenRun, fitted: Refit) -> None:
    keep_refit(workspace(), fitted, shown.run.name, person_said())


@keep_outcome(_REFIT_OUTCOME)
def _use_shipped() -> None:
    take_back_refit(workspace(), person_said())
