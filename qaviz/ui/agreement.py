"""People's labels on the screen: how far they agree with the verdicts, where not, and what thresholds they propose."""

from enum import StrEnum
from typing import Any

import polars as pl
import streamlit as st

from qaviz.analysis.glossary import THRESHOLD_WORDS
from qaviz.analysis.labels import (
    OPPOSITE,
    agreement_lead,
    agreement_points,
    compare_people,
    confusion_matrix,
    counting,
    moved_thresholds,
    proposal_sentence,
)
from qaviz.analysis.numbers import count, interval, out_of, percent, plural, score
from qaviz.analysis.selection import Passing
from qaviz.diagnosis.agreement import VERDICTS, Agreement, agreement, propose
from qaviz.diagnosis.recalibration import (
    FEWEST,
    KeptRefit,
    Refit,
    find_refit,
    keep_refit,
    refit_in_force,
    take_back_refit,
)
from qaviz.loading import Source, sandbox
from qaviz.loading.readers.reading import FORMATS
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.model.records import Run, Thresholds
from qaviz.store import LABELLED_BY, keep_labels, labels_state
from qaviz.store.audit_log import Deed
from qaviz.ui.diagnostics import Panel, open_panel
from qaviz.ui.labelling import SHOWN, show_labelling, show_refusal, take_back
from qaviz.ui.upload import on_disk
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import judged_by, labels_of
from qaviz.ui.widgets.filters import pick
from qaviz.ui.widgets.page_setup import OpenRun, workspace
from qaviz.ui.widgets.person import may, noted, offers, person_said
from qaviz.ui.widgets.responses import Beside, show_responses
from qaviz.ui.widgets.table import Cell, Column, Row, Tone, interval_cell, mark_cell, show_table, text_cell
from qaviz.ui.widgets.text import show_problems, show_sentences

EVERYBODY = ""
"""Stands for all people where one may be picked: nobody has a blank name."""
TURN = "labels_file_turn"
"""Session key of how many files of labels were taken: the upload field of the next one is another widget."""
TAKEN = "labels_file_taken"
"""Session key of what came of the last file."""
PROPOSED = "thresholds_proposed"
"""Session key of the last proposal, after what it was made for: run, state of its labels, person, thresholds."""

_LABEL = Beside(column=LABEL, heading="Label", caption="Responses whose label differs from the verdict")

_REFUSED = "refit_refused"
"""Session key of what refused the last change."""
_NOT_OWNER = "Your role does not let you change how confidence is counted: ask an owner."


class View(StrEnum):
    """What the panel of labels shows."""

    LABEL = "Label responses"
    FILE = "Labels from a file"
    AGREEMENT = "Agreement"


def labels_blind() -> bool:
    """Whether the panel of labels, where it is open, hides verdicts until a person has answered: as the URL says."""
    labelling = url_state.value(url_state.LABELS) not in (View.FILE, View.AGREEMENT)
    return labelling and url_state.value(url_state.BLIND) != SHOWN


@st.fragment
def show_labels(shown: OpenRun, listed: Passing, thresholds: Thresholds, first: pl.Series, *, blind: bool) -> None:
    """Draw the panel of people's labels: to label the `listed` responses or take labels in, and how they agree.

    Those at the places `first` of the run's rows are labelled first. A fragment: a label redraws nothing else; what
    makes `labels_blind` other than `blind`, as the list under the panel was drawn, redraws the page.
    """
    with st.container(border=True):
        view = pick(url_state.LABELS, "What to do with labels", list(View), str)
        if view == View.LABEL:
            show_labelling(shown, listed, thresholds, first)
        elif view == View.FILE:
            _take_file(shown)
        else:
            _show_agreement(shown, thresholds)
    if labels_blind() != blind:
        st.rerun()


def _show_agreement(shown: OpenRun, thresholds: Thresholds) -> None:
    show_refusal()
    labels = labels_of(shown.run)
    if TAKEN in st.session_state:
        st.text(st.session_state.pop(TAKEN))
    if labels.is_empty():
        st.text("No response of this run is labelled yet. Label some, or import labels from a file.")
        return
    person, labels = _pick_labels(shown.run, labels)
    rows, said = judged_by(shown, thresholds), counting(labels)
    found = agreement(rows, said)
    show_sentences("agreement", agreement_points(found, labels), lead=agreement_lead(found))
    _show_figures(found)
    _show_people(compare_people(labels_of(shown.run)))
    _show_proposal(shown, thresholds, person, said)
    show_refit(shown, said)
    st.subheader("Label differs from the verdict, worst first", anchor=False)
    if found.disagreements.is_empty():
        st.text("Every labelled response has the same verdict as its label.")
    else:
        st.caption(plural(found.disagreements.height, "response"))
        show_responses(found.disagreements, thresholds, "disagreements", _LABEL)


def _take_file(shown: OpenRun) -> None:
    """Draw the upload of labels; once they are kept the panel shows how they agree."""
    if not offers(workspace(), Deed.LABEL, "import labels", run=shown.run.run_id):
        return
    turn = st.session_state.setdefault(TURN, 0)
    field = f"labels_file_{turn}"
    st.file_uploader(
        "Labels: question_id, pipeline, and label, which is correct, incorrect or declined",
        [suffix.removeprefix(".") for suffix in FORMATS],
        key=field,
    )
    files = on_disk(field)
    if files and st.button("Import these labels", icon=":material/upload_file:", type="primary"):
        try:
            st.session_state[TAKEN] = _keep_label_file(shown, files[0])
        except QavizError as error:
            show_problems(error)
            return
        st.session_state[TURN] = turn + 1
        url_state.write(url_state.LABELS, View.AGREEMENT)
        st.rerun()


def _keep_label_file(shown: OpenRun, source: Source) -> str:
    """Keep the labels of a file under its name; says how many. Raises QavizError with what is wrong in it."""
    labels = sandbox.read_labels(source, lambda _fraction, _words: None)
    agreement(shown.rows, labels)
    known = labels.unique(maintain_order=True).join(shown.rows, on=[QUESTION_ID, PIPELINE], how="semi")
    keep_labels(workspace(), shown.run, source.name, known)
    taken = f"{plural(known.height, 'label')} taken from {source.name}."
    left_out = labels.height - known.height
    return f"{taken} Left out: {plural(left_out, 'row')}, of no response of this run or twice." if left_out else taken


def _pick_labels(run: Run, labels: pl.DataFrame) -> tuple[str, pl.DataFrame]:
    """Draw the choice of a person, or a file, and what can be done with the labels; returns who, and their labels."""
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
            st.button(
                "Undo the last",
                key="labels_undo",
                icon=":material/undo:",
                help="The last label, or all labels of the last imported file.",
                on_click=take_back,
                args=(run, person),
                disabled=not may(workspace(), Deed.UNLABEL, run=run.run_id),
            )
        st.download_button(
            "Labels as a file",
            noted(workspace(), "labels", lambda: counting(labels).write_ndjson(), run=run.run_id),
            "labels.jsonl",
            "application/jsonl",
            icon=":material/download:",
            on_click="ignore",
        )
    return person, labels


def _show_figures(found: Agreement) -> None:
    groups = {"pipeline": found.by_pipeline, "category": found.by_category}
    known = {name: table for name, table in groups.items() if not table.is_empty()}
    confusion, *others = st.tabs(["Labels against verdicts", *(f"By {name}" for name in known)])
    with confusion:
        _show_confusion(found)
    for tab, (name, table) in zip(others, known.items(), strict=True):
        with tab:
            _show_groups(name, table)


def _show_confusion(found: Agreement) -> None:
    columns = [
        Column(label="Label", head=True),
        *(Column(label=f"Verdict: {verdict}") for verdict in VERDICTS),
    ]
    rows = [
        Row(
            cells=[text_cell(each[LABEL]), *(_pair_cell(each, verdict) for verdict in VERDICTS)],
            note=plural(each["responses"], "response"),
        )
        for each in confusion_matrix(found).iter_rows(named=True)
    ]
    show_table("confusion", "People's labels against verdicts", columns, rows)


def _show_people(between: pl.DataFrame) -> None:
    """How far every two people agree who labelled the same responses; nothing where no two did."""
    if between.is_empty():
        return
    columns = [
        Column(label="People", head=True),
        Column(label="Both labelled"),
        Column(label="Same label", wide=True),
        Column(label="Cohen's kappa", title="Agreement beyond chance: 0 is what chance gives, 1 is full agreement."),
    ]
    rows = [Row(cells=_people_cells(each)) for each in between.iter_rows(named=True)]
    show_table("people", "Agreement between people", columns, rows, short=True)


def _people_cells(pair: dict[str, Any]) -> list[Cell]:
    low, high = pair["same_low"], pair["same_high"]
    same = out_of(round(pair["same"] * pair["responses"]), pair["responses"])
    likely = f"{percent(pair['same'])}, likely {interval(low, high)}"
    bounds = f"{score(pair['kappa_low'])} to {score(pair['kappa_high'])}"
    return [
        text_cell(f"{pair['first']} and {pair['second']}"),
        text_cell(plural(pair["responses"], "response")),
        interval_cell(pair["same"], low, high, same, likely),
        text_cell(None if pair["kappa"] is None else f"{score(pair['kappa'])} ({bounds})", missing="undefined"),
    ]


def _pair_cell(labelled: dict[str, Any], verdict: str) -> Cell:
    responses, label = labelled[verdict], labelled[LABEL]
    if not responses:
        return mark_cell("0", "none", f"No response labelled {label} has the verdict {verdict}.")
    share = percent(responses / labelled["responses"])
    symbol, tone = _mark(label, verdict)
    said = f"{out_of(responses, labelled['responses'])} responses labelled {label} have the verdict {verdict}."
    return mark_cell(f"{symbol} {count(responses)} · {share}", tone, said)


def _mark(label: str, verdict: str) -> tuple[str, Tone]:
    if label == verdict:
        return "✓", "good"
    return ("✗", "bad") if OPPOSITE.get(label) == verdict else ("≠", "warn")


def _show_groups(name: str, groups: pl.DataFrame) -> None:
    """The group whose verdicts agree least first."""
    rows = [Row(cells=_group_cells(name, each)) for each in groups.sort("accuracy", maintain_order=True).to_dicts()]
    columns = [Column(label=name.capitalize(), head=True), Column(label="Verdicts that people agree with", wide=True)]
    show_table(f"agreement_{name}", f"Agreement by {name}", columns, rows, short=True)


def _group_cells(name: str, group: dict[str, Any]) -> list[Cell]:
    agreed = out_of(group["agreed"], group["responses"])
    likely = f"{percent(group['accuracy'])}, likely {interval(group['low'], group['high'])}"
    return [text_cell(group[name]), interval_cell(group["accuracy"], group["low"], group["high"], agreed, likely)]


def _show_proposal(shown: OpenRun, thresholds: Thresholds, person: str, said: pl.DataFrame) -> None:
    """Draw the button that has thresholds proposed, what they are worth, and the one that tries them."""
    asked = (shown.run.run_id, labels_state(workspace(), shown.run), person, thresholds)
    st.subheader("Thresholds that these labels propose", anchor=False)
    if st.button("Propose thresholds", icon=":material/tune:"):
        with st.spinner("Trying thresholds on the labelled questions"):
            st.session_state[PROPOSED] = (asked, propose(shown.rows, said, thresholds))
    made_for, proposal = st.session_state.get(PROPOSED, (None, None))
    if made_for != asked:
        return
    st.text(proposal_sentence(proposal, thresholds, {name: words.label for name, words in THRESHOLD_WORDS.items()}))
    moved = moved_thresholds(proposal.thresholds, thresholds) if proposal else {}
    if moved and st.button(
        "Try them on this page", icon=":material/science:", type="primary", on_click=_try, args=(moved,)
    ):
        st.rerun()


def _try(thresholds: dict[str, float]) -> None:
    for name, value in thresholds.items():
        url_state.write(name, f"{value:g}")
    open_panel(Panel.THRESHOLDS)


def show_refit(shown: OpenRun, labels: pl.DataFrame) -> None:
    """Draw what the labels, one a response, make of the confidence of verdicts, and the buttons that use it or not."""
    st.subheader("Confidence that these labels propose", anchor=False)
    if refused := st.session_state.pop(_REFUSED, None):
        show_problems(refused)
    found, kept = find_refit(shown.rows, labels), refit_in_force(workspace())
    st.caption(_describe_map(kept))
    if isinstance(found, Refit):
        st.text(_describe_change(found))
        _show_reliability(found)
    allowed = may(workspace(), Deed.POLICY)
    why_not = _describe_lack(found) if isinstance(found, int) else ("" if allowed else _NOT_OWNER)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Use it for the next runs",
            key="refit_use",
            icon=":material/balance:",
            help=None if why_not else "Runs that are scored from now on; those that are kept stay as they are.",
            disabled=bool(why_not),
            on_click=_use,
            args=(shown, found),
        )
        if kept:
            st.button(
                "Back to the shipped map",
                key="refit_undo",
                icon=":material/undo:",
                disabled=not allowed,
                on_click=_take_back,
            )
    if why_not:
        st.caption(why_not)


def _describe_lack(labels: int) -> str:
    return f"{plural(labels, 'label')} of verdicts with a confidence; a fit takes at least {FEWEST}."


def _describe_map(kept: KeptRefit | None) -> str:
    if kept is None:
        return "In use: the shipped map from evidence to confidence."
    labels = plural(kept["labels"], "label")
    errors = f"{score(kept['error_before'])} before, {score(kept['error_after'])} after"
    return f"In use: fitted to {labels} of the run “{kept['run']}”; calibration error {errors}."


def _describe_change(found: Refit) -> str:
    errors = f"{score(found.error_before)} as shipped, {score(found.error_after)} fitted"
    made_of = f"{plural(found.labels, 'label')} to {plural(found.questions, 'question')}"
    advice = "" if found.better else " The shipped map is nearer to these labels: better keep it."
    return f"Calibration error on labels kept out of the fit: {errors} ({made_of}).{advice}"


def _show_reliability(found: Refit) -> None:
    """How often people agree with verdicts of each confidence, by the shipped map and by refits that saw no label."""
    columns = [
        Column(label="Map", head=True),
        Column(label="Confidence"),
        Column(label="People agree"),
        Column(label="Labels"),
    ]
    rows = [
        Row(
            cells=[
                text_cell(name),
                text_cell(percent(band["confidence"])),
                text_cell(percent(band["right"])),
                text_cell(count(band["rows"])),
            ],
        )
        for name, table in (("Shipped", found.before), ("Fitted, on labels kept out", found.after))
        for band in table.iter_rows(named=True)
    ]
    show_table("reliability", "Confidence against people's labels, by tenths", columns, rows, short=True)


def _use(shown: OpenRun, found: Refit) -> None:
    try:
        keep_refit(workspace(), found, shown.run.name, person_said())
    except QavizError as error:
        st.session_state[_REFUSED] = error


def _take_back() -> None:
    try:
        take_back_refit(workspace(), person_said())
    except QavizError as error:
        st.session_state[_REFUSED] = error
