"""People's labels on the screen: responses labelled one after the other in the panel, by mouse or by key; how far they
agree with the verdicts, and where not; what they certify."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from enum import StrEnum
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.labels import (
    OPPOSITE,
    PLACE,
    agreement_lead,
    agreement_points,
    certificate_sentences,
    compare_people,
    confusion_matrix,
    find_contenders,
    next_without,
)
from qaviz.analysis.numbers import count, out_of, plural
from qaviz.analysis.outcomes import counting, random_order
from qaviz.analysis.selection import Passing
from qaviz.diagnosis.agreement import LABELS, VERDICTS, Agreement, agreement
from qaviz.judging.agreement import GraderAgreement
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.model.records import Run
from qaviz.report import ENDS, Column, Kind
from qaviz.store.audit_log import Deed
from qaviz.store.labels import COMMENT, DRAWN, LABELLED_BY, LONGEST_COMMENT, keep_labels, take_back_labels
from qaviz.store.workspace import Workspace
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import certificate_of, decision_of, labels_of, queue_of, view_run
from qaviz.ui.widgets.components import show_sentences
from qaviz.ui.widgets.filters import pick, pick_switch
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.person import keep_outcome, may, offer_act, offer_file, person_said, show_outcome, workspace
from qaviz.ui.widgets.responses import USUAL, beside, show_responses
from qaviz.ui.widgets.table import Columns, show_frame
from qaviz.ui.widgets.url_state import LISTING, Listing, open_response, read_opened

EVERYBODY = ""
"""Stands for all people where one may be picked: nobody has a blank name."""
KEPT = "labels_kept"
"""Session key of whether a label was kept that the page counts."""
OFFERED = "labels_offered"
"""Session key of the queue that the panel was opened for last."""

SHOWN = "no"
"""Value of BLIND in the URL where verdicts are shown at once."""

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


class View(StrEnum):
    """What the panel of labels shows."""

    LABEL = "Label responses"
    AGREEMENT = "Agreement"


def labels_blind() -> bool:
    """Whether the panel of labels hides verdicts until a person has answered, as the URL says."""
    labelling = url_state.value(url_state.LABELS) != View.AGREEMENT
    return labelling and url_state.value(url_state.BLIND) != SHOWN


@st.fragment
def show_labels(shown: OpenRun, listed: Passing, *, blind: bool) -> None:
    """Draw the panel of people's labels: label the `listed` responses, or see how far verdicts agree. A fragment: a
    label redraws nothing else; what makes `labels_blind` other than `blind`, as the list under the panel was drawn,
    redraws the page."""
    with st.container(border=True):
        view = pick(url_state.LABELS, "What to do with labels", list(View))
        if view == View.LABEL:
            _show_labelling(shown, listed)
        else:
            _show_agreement(shown)
    if labels_blind() != blind:
        st.rerun()


def show_certificate(shown: OpenRun) -> None:
    """Draw what the labels of the run certify, how many of the random sample are given, and the way to label it."""
    with st.container(border=True, key="certificate_card", gap="small"):
        certificate = certificate_of(view_run(shown))
        lead, *points = certificate_sentences(certificate)
        show_sentences("certificate", points, lead=lead)
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
            undoing, help = (person, _undo_last_label, run), "The last label, or all labels of the last imported file."
            offer_act("Undo the last", "labels_undo", "undo", *undoing, ready=may(Deed.UNLABEL), help=help)
        write = partial(pl.DataFrame.write_ndjson, counting(labels))
        offer_file("Labels as a file", "labels", "labels.jsonl", write, run=run.run_id)
    return labels


def _show_confusion(measured: Agreement) -> None:
    columns: Columns = (LABEL, *(Column(verdict, f"Verdict: {verdict}") for verdict in VERDICTS))
    show_frame("confusion", "People's labels against verdicts", confusion_matrix(measured), columns, short=True)


def show_graders(key: str, pairs: Sequence[tuple[str, str, GraderAgreement]], word: str = "") -> None:
    """Draw how far graders agree, a row a pair, under each figure this word; nothing without pairs."""
    rows = [
        {"graders": f"{first} and {second}", "compared": both.compared, "word": word}
        | {figure: value and asdict(value) for figure in ("exact", "kappa", "ac1") for value in [getattr(both, figure)]}
        for first, second, both in pairs
    ]
    if rows:
        show_frame(key, "Agreement of graders", rows, _GRADERS, short=True)


class Queue(StrEnum):
    """Which responses are offered, in which order; the first is the usual one."""

    DECIDING = "Deciding and random"
    RANDOM = "Random"
    LISTED = "As listed"


def _show_labelling(shown: OpenRun, listed: Passing) -> None:
    """Draw the choice of a queue of the `listed` responses, and have the panel go through it. The panel opens at the
    first response without a label of this person, once for each queue."""
    if not listed.height:
        st.text("No response passes these filters. Remove a filter to label some.")
        return
    person = person_said()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        how = (
            "Deciding: in turn the least sure response of the leader or a contender, and one at random. Only those "
            "offered at random correct the shares of right answers."
        )
        queue = pick(url_state.QUEUE, "Which responses", list(Queue), help=how)
        why = "People who see the verdict first tend to agree with it."
        blind = pick_switch(url_state.BLIND, "Hide the verdict until I answer", on="", off=SHOWN, help=why)
    places, order, drawn = _line_up(shown, listed, queue)
    passing = listed if places is None else replace(listed, places=places)
    responses = passing.select([QUESTION_ID, PIPELINE]).cast({PIPELINE: pl.String})
    listing = Listing(responses=responses, order=order, drawn=drawn, labels=True, blind=blind)
    st.session_state[LISTING] = listing
    st.text(f"{plural(responses.height, 'response')}, {order}.")
    state = (shown.run.run_id, queue, responses.height, person)
    if st.session_state.get(OFFERED) == state and read_opened():
        return
    # Keys and clicks keep the panel at the response that the reader went to.
    if st.session_state.get(OFFERED) != state:
        st.session_state[OFFERED] = state
        _open_next(listing, labels_of(shown.run, person or ""), after=-1)
    else:
        own = labels_of(shown.run, person or "")
        st.button("Go on labelling", key="label_go_on", on_click=_open_next, args=(listing, own, -1))


def _open_next(listing: Listing, own: pl.DataFrame, after: int) -> None:
    """Open the first response after this place that this person has not labelled; the one there where there is none."""
    following = next_without(listing.responses, own, after=after)
    open_response(*listing.responses.row(max(after, 0) if following is None else following))


def _line_up(shown: OpenRun, listed: Passing, queue: Queue) -> tuple[pl.Series | None, str, pl.Series | None]:
    """The places of the listed responses in the order of the queue, None for all as they are; the order in words; and
    whether each is offered at random, None where that is unknown."""
    if queue is Queue.LISTED:
        return listed.places, "in the order of the list below", None
    if queue is Queue.DECIDING:
        decision = decision_of(view_run(shown))
        offered = queue_of(shown, decision.subject, tuple(find_contenders(decision.ranking)))
        among = _is_among(offered[PLACE], listed)
        order = "half of them because their verdicts are the least sure, half at random"
        return offered[PLACE].filter(among), order, offered[DRAWN].filter(among)
    places = random_order(shown.run.responses)
    places = places.filter(_is_among(places, listed))
    return places, "in random order", pl.repeat(True, len(places), dtype=pl.Boolean, eager=True)


def _is_among(places: pl.Series, listed: Passing) -> pl.Series:
    """Whether each of these places of the run's rows is listed."""
    if listed.places is None:
        return pl.repeat(True, len(places), dtype=pl.Boolean, eager=True)
    return places.is_in(listed.places.implode())


def select_labels(labels: pl.DataFrame, question: str, pipeline: str) -> pl.DataFrame:
    """The labels of this response."""
    return labels.filter(pl.col(QUESTION_ID) == question, pl.col(PIPELINE) == pipeline)


def labels_of_others(question: str, pipeline: str, labels: pl.DataFrame, person: str | None) -> list[str]:
    """What other people said of this response, a line each."""
    others = select_labels(labels, question, pipeline).filter(pl.col(LABELLED_BY) != (person or ""))
    return [
        f"{name} says {label}{f': {comment}' if comment else ''}"
        for name, label, comment in others.select(LABELLED_BY, LABEL, COMMENT).iter_rows()
    ]


def draw_label_buttons(
    shown: OpenRun, listing: Listing, response: pl.DataFrame, own: pl.DataFrame, person: str | None, *, hidden: bool
) -> None:
    """Draw Agree, Disagree where the verdict has an opposite, and every label; the person's `own` is marked. Each has a
    key, and leads to the next response of the list without a label; a comment is kept with it. Without a person all are
    off; where the verdict is `hidden`, nobody can agree with it."""
    question, pipeline, verdict = response.select(QUESTION_ID, PIPELINE, VERDICT).row(0)
    given = next(own.iter_rows(named=True), {})
    comment = f"label_comment_{question}_{pipeline}"
    keep = partial(_keep_label, shown.run, listing, (question, pipeline), person or "", comment)
    same = None if hidden or verdict not in LABELS else str(verdict)
    buttons = [("Agree", "A", same), ("Disagree", "D", None if hidden else OPPOSITE.get(str(verdict)))]
    buttons += [(label.capitalize(), key, label) for label, key in zip(LABELS, "123", strict=True)]
    with st.container(horizontal=True, gap="xsmall"):
        for words, key, label in buttons:
            st.button(
                words,
                key=f"label_{words}",
                icon=":material/check:" if words.lower() == given.get(LABEL) else None,
                shortcut=key,
                help=f"The response is {label}." if label else "Choose a label.",
                disabled=not person or label is None,
                on_click=keep,
                args=(label,),
            )
        undoing, help = (person, _undo_last_label, shown.run), "Take back your last label."
        some = not labels_of(shown.run, person or "").is_empty()
        offer_act("Undo", "label_undo", "", *undoing, ready=some, help=help, shortcut="U")
    hint, kept = "Comment, kept with the label (optional)", given.get(COMMENT) or ""
    st.text_input("Comment", kept, LONGEST_COMMENT, key=comment, placeholder=hint, label_visibility="collapsed")


def show_label_outcome() -> None:
    """Draw why the last label was not kept, or not taken back, once; else redraw the page where it counts labels."""
    show_outcome()
    if st.session_state.pop(KEPT, False):
        st.rerun()


@keep_outcome
def _keep_label(run: Run, listing: Listing, response: tuple[str, str], person: str, comment: str, label: str) -> None:
    """Keep the label, with what stands in the field `comment` and whether the response was drawn; open the next."""
    responses = listing.responses
    at = (pl.col(QUESTION_ID) == response[0]) & (pl.col(PIPELINE) == response[1])
    places = responses.select(at.arg_true()).to_series()
    drawn = bool(len(places)) and listing.drawn is not None and bool(listing.drawn[int(places[0])])
    values = {QUESTION_ID: response[0], PIPELINE: response[1], LABEL: label, DRAWN: drawn}
    keep_labels(workspace(), run, person, pl.DataFrame([values | {COMMENT: st.session_state.get(comment, "")}]))
    if listing.labels:
        st.session_state[KEPT] = True
    if len(places):
        _open_next(listing, labels_of(run, person), after=int(places[0]))


def _undo_last_label(home: Workspace, run: Run, person: str) -> None:
    """Take back what this person said last, and show its response again: for a button."""
    taken = take_back_labels(home, run, person)
    if not taken.is_empty():
        open_response(*taken.select(QUESTION_ID, PIPELINE).row(0))
