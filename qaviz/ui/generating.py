"""The Generate page: pick documents, see what asking takes, ask, look at each triplet beside its passage, keep."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count, plural
from qaviz.background import Job
from qaviz.documents import READERS, Chunking, Document, chunk_documents, read_document
from qaviz.generation import pipeline
from qaviz.generation.pipeline import Collection, Generated
from qaviz.generation.prove import ACCEPTED, TO_REVIEW
from qaviz.generation.refute import FAILED, REFUTED
from qaviz.generation.settings import Generation
from qaviz.generation.triplets import Produced, measure_coverage, place_in_words, read_kept
from qaviz.llm import Settings, open_session
from qaviz.loading import Source, silent
from qaviz.model.columns import QUESTION, QUESTION_ID, SOURCE
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress
from qaviz.model.visible import plain, visible, visible_texts
from qaviz.processes import Cancelled
from qaviz.report import Column
from qaviz.scoring.definition import fact_variants
from qaviz.store.audit_log import Deed
from qaviz.store.golden_versions import NAME_OF_DATASET, Correction, keep_corrections, named_datasets, versions
from qaviz.store.labels import NOT_REFUTED
from qaviz.store.tables import checked_name
from qaviz.store.workspace import Workspace
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.components import say_problems, show_passage, show_problems, variants_on_lines
from qaviz.ui.widgets.jobs import cap_field, read_cap, show_work, start_job
from qaviz.ui.widgets.keeping import Permission, hash_content, keep
from qaviz.ui.widgets.person import permission_of, workspace
from qaviz.ui.widgets.table import show_frame
from qaviz.ui.widgets.url_state import REVIEW_TAB
from qaviz.uploads import on_disk

_SHOWN = {
    ACCEPTED: (QUESTION_ID, "question", "answer", "fact", "note"),
    TO_REVIEW: (QUESTION_ID, "reason", "question", "answer", "fact", "rule"),
    NOT_REFUTED: (QUESTION_ID, "question", "answer", "fact", "note"),
    REFUTED: (QUESTION_ID, "reason", "question", "answer", "fact", "rule"),
    FAILED: (QUESTION_ID, "reason", "reply"),
}

SAMPLE_DOCUMENT, SAMPLE_CHUNKING = "harbour-line.md", Chunking(size=120, overlap=0)
"""The document that comes with recorded replies, and how it was cut for them."""
SAMPLE_REPLIES = "harbour-line.replies.jsonl"
RECORDED_MODEL = "openai:recorded"
"""The model of the recorded replies, which people wrote."""

FIELD = "documents_upload"


@dataclass(frozen=True, kw_only=True)
class Order:
    """What a visitor has asked for."""

    name: str
    collection: Collection
    made: Generation
    settings: Settings
    prover: str
    """The model that reads a second time."""
    notice: str | None = None
    """A note on the cap for the visitor."""


class Done(NamedTuple):
    """What came of an order."""

    order: Order
    generated: Generated


@keep(8, waiting="Reading the documents", by={Source: hash_content})
def read_sources(
    sources: Sequence[Source],
    chunking: Chunking,
    sight: Permission,  # noqa: ARG001 - nobody gets what somebody with other rights had read
) -> Collection:
    """Read the documents and cut them; what cannot be read is among the problems. Shared: never change it in place."""
    documents: list[Document] = []
    problems: list[Problem] = []
    for source in sources:
        try:
            documents.append(read_document(source))
        except QavizError as error:
            problems += error.problems
    kept = pipeline.list_once(documents)
    return Collection(documents=kept, chunks=chunk_documents(kept, chunking), problems=tuple(problems))


def _key() -> tuple[object, ...]:
    """Of a visitor's work: one order at a time."""
    return "generate", workspace().folder, workspace().actor.subject


def generate_order(home: Workspace, order: Order, progress: Progress, cancelled: Cancelled) -> Done:
    """What the order brings; what was asked before is free."""
    with open_session(order.settings) as session:
        generated = pipeline.generate_triplets(
            session,
            order.collection,
            order.made,
            prover=order.prover,
            corrections=pipeline.read_corrections(home, order.name),
            progress=progress,
            cancelled=cancelled,
        )
    return Done(order, generated)


def _show_triplets(name: str, generated: Generated) -> bool:
    """Draw the triplets that are accepted, to review, refuted or failed and the chosen one beside its passage. Returns
    whether the reader has corrected or confirmed one, so that all have to be checked again."""
    status = st.segmented_control(
        "Triplets",
        [*_SHOWN],
        default=ACCEPTED,
        required=True,
        format_func=lambda status: f"{status.capitalize()} ({generated.count(status):,})",
        label_visibility="collapsed",
        key="generated_status",
    )
    rows = generated.produced.filter(pl.col("status") == status)
    if rows.is_empty():
        st.caption("None.")
        return False
    table = rows.select(_SHOWN[status]).drop(QUESTION_ID)
    shown = table.with_columns(visible_texts(column) for column in table.columns)
    picked = st.dataframe(
        shown, hide_index=True, height=300, on_select="rerun", selection_mode="single-row", key=f"generated_{status}"
    )
    chosen = picked["selection"]["rows"]
    row = Produced(*rows.row(chosen[0] if chosen and chosen[0] < rows.height else 0))
    return _show_triplet(name, generated.collection.chunks, row)


def _show_triplet(name: str, chunks: pl.DataFrame, row: Produced) -> bool:
    left, right = st.columns(2, gap="large")
    with right:
        passage = next(chunks.filter(pl.col("chunk") == row.chunk).iter_rows(named=True), None)
        if passage is None:
            st.caption("Its passage is not among the documents.")
        else:
            st.caption("Passage")
            st.text(place_in_words(passage) + (f"\n{passage['heading']}" if passage["heading"] else ""))
            show_passage(f"passage_{row.question_id}", str(passage["text"]), fact_variants(row.fact or ""))
    with left:
        if row.status in (REFUTED, TO_REVIEW, NOT_REFUTED):
            return bool(_correct(name, row))
        for label, text in (("Question", row.question), ("Answer", row.answer), ("Fact", row.fact)):
            st.caption(label)
            st.text(variants_on_lines(text) or "–")
        if row.reason or row.note:
            st.text(row.reason or row.note or "")
        if row.evidence:
            st.caption("Second reading quotes")
            st.text(visible(row.evidence))
    return False


@say_problems
def _correct(name: str, row: Produced) -> bool:
    st.text(row.reason or "")
    with st.form(f"correct_{row.question_id}", border=False):
        texts = {
            label: st.text_area(label.capitalize(), text, height=68)
            for label, text in (("question", row.question), ("answer", row.answer), ("fact", row.fact))
        }
        again = st.form_submit_button("Check again", icon=":material/rule:")
        right = row.status != REFUTED and st.form_submit_button("It is right: accept", icon=":material/check:")
        if not (again or right):
            return False
    home, correction = workspace(), Correction(**texts, confirmed=right)
    keep_corrections(home, name, {row.question_id: correction}, home.actor.subject)
    return True


def show_coverage(coverage: pl.DataFrame) -> None:
    """Draw COVERAGE, documents and sections without a triplet first."""
    st.text(f"{count(coverage.filter(triplets=0).height)} without a triplet.")
    ordered = coverage.sort(pl.col("triplets") > 0, maintain_order=True)
    marked = ordered.with_columns(pl.when(pl.col("triplets") > 0).then("triplets").alias("triplets"))
    columns = (
        Column("dimension", "Of"),
        Column("value", "What"),
        Column("triplets", "Triplets", missing="missing: no accepted triplet has it"),
        Column("offered", "Chunks"),
    )
    show_frame("coverage_table", "What the triplets cover", marked, columns, short=True)


def show_documents(line: str) -> None:
    """Draw the map of the documents that a golden dataset's triplets come from, each place with its questions."""
    home = workspace()
    produced, chunks = read_kept(home, line)
    if not produced.is_empty():
        show_coverage(measure_coverage(produced, chunks))
        st.caption("Parts of the documents without a triplet are known where the documents are: on Generate.")
        return
    golden = home.golden(versions(home, line)[-1].golden_id)
    named = golden.drop_nulls(SOURCE).group_by(SOURCE, maintain_order=True).agg(QUESTION)
    if named.height:
        columns = (Column(SOURCE, "Source", wide=True), Column(QUESTION, "Questions", wide=True))
        show_frame("sources", "Sources", named.with_columns(pl.col(QUESTION).list.join("\n")), columns)
    else:
        st.text("No triplet of this golden dataset says which document it comes from.")


@say_problems
def _offer_dataset(name: str, generated: Generated, person: str | None) -> None:
    """Draw the button that keeps the accepted triplets as a golden dataset, and the link to its review."""
    lacking = generated.golden.is_empty() or person is None
    if st.button("Use as golden dataset", type="primary", icon=":material/inventory:", disabled=lacking):
        version = pipeline.keep_dataset(workspace(), name, generated, person or "")
        if version:
            st.text(
                f"Version {version.number} of {name} is kept: {plural(generated.golden.height, 'triplet')}, "
                f"{count(generated.counts['flagged'])} flagged for review."
            )
    if line := named_datasets(workspace()).get(name):
        url_state.draw_link("Review", "golden", "reviews", **{url_state.TAB: REVIEW_TAB, url_state.DATASET: line})


def pick_documents(sample: Path) -> tuple[Collection | None, bool]:
    """Draw the choice of documents; returns them, cut, and whether they are the sample's."""
    choices = ("Sample document, recorded replies", "My documents")
    choice = st.segmented_control("Documents", choices, default=choices[0], required=True, label_visibility="collapsed")
    if choice == choices[0]:
        return read_sources([Source.of(sample / SAMPLE_DOCUMENT)], SAMPLE_CHUNKING, permission_of(workspace())), True
    suffixes = [suffix.removeprefix(".") for suffix in READERS]
    st.file_uploader("Documents", suffixes, key=FIELD, accept_multiple_files=True, label_visibility="collapsed")
    sources = on_disk(FIELD)
    return (read_sources(sources, Chunking(), permission_of(workspace())) if sources else None), False


def show_collection(collection: Collection) -> None:
    """Draw how many documents and chunks there are, and what could not be read."""
    if collection.problems:
        show_problems(QavizError(*collection.problems))
    for note in collection.notes:
        st.text(plain(note))
    st.text(f"{plural(len(collection.documents), 'document')}, {plural(collection.chunks.height, 'chunk')}.")


def offer_generation(collection: Collection, sample: Path | None, person: str | None) -> None:
    """Draw the form, the work that goes on, and what came of it, for `person` to keep. `sample` is the sample's folder
    where the sample is shown."""
    job: Job[Done] | None = show_work(
        _key(),
        partial(_draw_form, collection, sample),
        cancelled="Cancelled.",
        broke_off="The generation stopped; replies so far are kept.",
    )
    if job is None or job.result is None:
        return
    order, generated = job.result
    if order.notice:
        st.text(plain(order.notice))
    if generated.recorded:
        st.info("Recorded: these replies come with the sample. No model was called.", icon=":material/album:")
    unknown = "none" if generated.recorded else "not known"
    cost = unknown if generated.spend.cost is None else f"{generated.spend.cost:,.4f} {generated.spend.currency}"
    names = ("produced", "accepted", "to_review", "refuted", "failed", "flagged", "calls")
    figures = {name.replace("_", " ").capitalize(): count(generated.counts[name]) for name in names} | {"Cost": cost}
    for column, (label, value) in zip(st.columns(len(figures)), figures.items(), strict=True):
        column.metric(label, value)
    if generated.stopped:
        st.text(plain(f"Stopped by {generated.stopped}."))
    if generated.not_asked:
        st.text(f"{count(generated.not_asked)} chunks to ask, or triplets to read again: Generate goes on with them.")
    if _show_triplets(order.name, generated):
        # The same replies and the corrected triplets are checked again; what is new is read by the next Generate.
        job.result = generate_order(workspace(), order, silent, lambda: True)
        st.rerun()
    with st.expander("Coverage", icon=":material/donut_small:"):
        show_coverage(measure_coverage(generated.produced, generated.collection.chunks))
    _offer_dataset(order.name, generated, person)


@say_problems
def _draw_form(collection: Collection, sample: Path | None) -> None:
    recorded = sample is not None
    with st.form("generate", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.text_input("Name of the golden dataset", "harbour-line" if recorded else "", width=240)
            usual = RECORDED_MODEL if recorded else ""
            model = st.text_input("Model", usual, disabled=recorded, placeholder="openai:NAME", width=240)
            prover = st.text_input("Second reader", "", disabled=recorded, placeholder="the same model", width=200)
            cap = cap_field(disabled=recorded)
        st.caption("Another prompt, language, mix of questions or size of chunks: `qaviz generate --config FILE`.")
        with st.container(horizontal=True):
            estimated = not recorded and st.form_submit_button("Estimate", icon=":material/calculate:")
            started = st.form_submit_button("Generate", type="primary", icon=":material/play_arrow:")
    if not (estimated or started):
        return
    home, name = workspace(), checked_name(name, NAME_OF_DATASET)
    if sample:
        journal, replies = pipeline.journal_of(home, SAMPLE_DOCUMENT), sample / SAMPLE_REPLIES
        settings = Settings(model=RECORDED_MODEL, journal=journal, replay=replies)
    else:
        settings = Settings(model=model, journal=pipeline.journal_of(home, name), caps=read_cap(cap))
    made = Generation(chunking=SAMPLE_CHUNKING if sample else Chunking())
    settings, notice = pipeline.payable(settings)
    reader = prover.strip() or settings.model
    order = Order(name=name, collection=collection, made=made, settings=settings, prover=reader, notice=notice)
    if estimated:
        with open_session(order.settings) as session:
            estimate = pipeline.estimate_generation(session, order.collection, order.made, order.prover)
            st.text(f"{estimate.describe()}.")
        return
    home.require(Deed.GENERATE)
    pipeline.refuse_more(home, order.name)
    start_job(_key(), partial(generate_order, home, order))
