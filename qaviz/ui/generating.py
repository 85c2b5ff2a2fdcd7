"""Generating a golden dataset in the browser: the work beside the page, and each triplet that it brought with its
passage.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count, plural
from qaviz.background import Job, Jobs
from qaviz.documents import Chunking, Document, chunk_documents, read_document
from qaviz.generation.coverage import GapPlan, measure_coverage, read_kept, select_gaps
from qaviz.generation.gate import ACCEPTED, REJECTED, UNPROVED, check_triplets
from qaviz.generation.gate.cases import read_variant
from qaviz.generation.pipeline import (
    Collection,
    Generated,
    estimate_generation,
    generate_triplets,
    gone_triplets,
    journal_of,
    keep_dataset,
    keep_mended,
    payable,
    read_mended,
    refuse_more,
)
from qaviz.generation.prompting import Generation
from qaviz.generation.triplets import CONFIRMED, FAILED, NOT_ASKED, Produced, pair_chunks, place_in_words, read_replies
from qaviz.llm import Estimate, Reply, Session, Settings, Spend, open_session
from qaviz.loading import Source
from qaviz.model.columns import OR_DELIMITER, QUESTION, QUESTION_ID, SOURCE
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress
from qaviz.model.visible import plain, visible, visible_texts
from qaviz.processes import Cancelled
from qaviz.store.audit_log import Deed
from qaviz.store.golden_versions import named_datasets, versions
from qaviz.store.workspace import Workspace
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.components import show_passage
from qaviz.ui.widgets.keeping import Permission, hash_content, keep
from qaviz.ui.widgets.table import Column, Row, draw_pages, mark_cell, page_of, show_table, text_cell
from qaviz.ui.widgets.text import show_problems, variants_on_lines
from qaviz.ui.widgets.url_state import REVIEW_TAB as REVIEW

_SHOWN = {
    ACCEPTED: (QUESTION_ID, "question", "answer", "fact", "note"),
    UNPROVED: (QUESTION_ID, "reason", "question", "answer", "fact", "rule"),
    REJECTED: (QUESTION_ID, "reason", "question", "answer", "fact", "rule"),
    FAILED: (QUESTION_ID, "reason", "reply"),
}


SAMPLE_DOCUMENT, SAMPLE_CHUNKING = "harbour-line.md", Chunking(size=120, overlap=0)
"""The document that comes with recorded replies, and how it was cut for them."""
SAMPLE_REPLIES = "harbour-line.replies.jsonl"
RECORDED_MODEL = "openai:recorded"
"""The model of the recorded replies, which people wrote."""
_GAPS_NAMED = 8
_OFFERED = "Chunks of the documents that have it; of a kind of fact, how many facts there are."
TRIED = 5
"""Chunks that a try asks."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """What a visitor has asked for."""

    name: str
    collection: Collection
    made: Generation
    settings: Settings
    notice: str | None = None
    """A note on the cap for the visitor."""
    plans: tuple[GapPlan, ...] = ()
    """What is asked after the chunks, to fill gaps."""


class Live:
    """Counts of what has come so far; the final counts are those of the result."""

    def __init__(self) -> None:
        self._chunks = pl.DataFrame()
        self.replies = self.accepted = self.unproved = self.rejected = self.failed = 0
        self.session: Session | None = None

    def follow(self, session: Session, chunks: pl.DataFrame) -> None:
        """Count what this session brings to the chunks that it asks about."""
        self.session, self._chunks = session, chunks

    def hear(self, place: int, reply: Reply) -> None:
        """Count what one reply brings; a chunk that was not asked has none."""
        if reply.failure in NOT_ASKED:
            return
        chunk = self._chunks.slice(place, 1)
        produced = read_replies(chunk, [reply])
        failed = produced["status"].eq_missing(FAILED)
        checked = check_triplets(produced.filter(~failed), chunk)
        self.replies += 1
        self.accepted += int((checked["status"] == ACCEPTED).sum())
        self.unproved += int((checked["status"] == UNPROVED).sum())
        self.rejected += int((checked["status"] == REJECTED).sum())
        self.failed += int(failed.sum())

    @property
    def spend(self) -> Spend:
        """What has been spent so far."""
        return self.session.spend if self.session else Spend()


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs[Generated]:
    """By workspace, person and dataset: a person has one generation of a dataset at a time."""
    return Jobs()


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
    return Collection(documents=tuple(documents), chunks=chunk_documents(documents, chunking), problems=tuple(problems))


def place_order(
    home: Workspace, name: str, collection: Collection, made: Generation, settings: Settings, *, trial: bool
) -> Order:
    """The order, with a cap that can be counted; a trial takes TRIED chunks, spread over the documents."""
    settings, notice = payable(settings)
    if trial:
        step = max(1, collection.chunks.height // TRIED)
        collection = Collection(
            documents=collection.documents, chunks=collection.chunks.gather_every(step).head(TRIED), problems=()
        )
    collection = replace(collection, joined=pair_chunks(collection.chunks, made.prompt))
    journal_of(home, name).parent.mkdir(parents=True, exist_ok=True)
    return Order(name=name, collection=collection, made=made, settings=settings, notice=notice)


def start(home: Workspace, order: Order) -> tuple[Job[Generated], Live]:
    """Start the work in the background; returns the job and its live counts."""
    home.require(Deed.GENERATE)
    refuse_more(home, order.name)
    live = Live()
    key = (home.folder, home.actor.subject, order.name)
    return jobs().start(key, partial(generate_order, home, order, live), home.actor.subject), live


def generate_order(home: Workspace, order: Order, live: Live, progress: Progress, cancelled: Cancelled) -> Generated:
    """What the order brings: its chunks first, then each of its plans for gaps; what was asked before is free."""
    with open_session(order.settings) as session:
        live.follow(session, order.collection.passages)
        ask = partial(
            generate_triplets,
            session,
            order.collection,
            order.made,
            order.settings.model,
            mended=read_mended(home, order.name),
            heard=live.hear,
            progress=progress,
            cancelled=cancelled,
        )
        generated = ask()
        for plan in order.plans:
            live.follow(session, plan.chunks)
            covered = generated.produced.filter(pl.col("status") == ACCEPTED)
            generated = _merge(generated, ask(gaps=replace(plan, covered=covered)))
    return generated


def _merge(first: Generated, further: Generated) -> Generated:
    """What two generations from the same documents brought, one after the other."""
    costs = (first.cost, further.cost)
    return replace(
        further,
        produced=pl.concat([first.produced, further.produced]),
        golden=pl.concat([first.golden, further.golden]),
        passages=pl.concat([first.passages, further.passages]),
        calls=first.calls + further.calls,
        tokens=first.tokens + further.tokens,
        cost=None if None in costs else sum(cost or 0.0 for cost in costs),
        not_asked=first.not_asked + further.not_asked,
        recorded=first.recorded and further.recorded,
    )


def estimate(order: Order) -> Estimate:
    """What asking will take. Raises QavizError as `open_session` does."""
    with open_session(order.settings) as session:
        return estimate_generation(session, order.collection, order.made)


def sample_settings(home: Workspace, folder: Path) -> Settings:
    """The settings that answer from the recorded replies."""
    return Settings(model=RECORDED_MODEL, journal=journal_of(home, SAMPLE_DOCUMENT), replay=folder / SAMPLE_REPLIES)


def show_counts(generated: Generated) -> None:
    """Draw whether the replies are recorded, how many triplets they gave, and the cost."""
    if generated.recorded:
        st.info("Recorded: these replies come with the sample. No model was called.", icon=":material/album:")
    unknown = "none" if generated.recorded else "not known"
    cost = unknown if generated.cost is None else f"{generated.cost:,.4f} {generated.currency}"
    names = ("produced", "accepted", "rejected", "failed", "flagged", "calls")
    figures = {name.capitalize(): count(generated.counts[name]) for name in names} | {"Cost": cost}
    for column, (label, value) in zip(st.columns(len(figures)), figures.items(), strict=True):
        column.metric(label, value)
    if generated.stopped:
        st.text(plain(f"Stopped by {generated.stopped}."))
    if generated.not_asked:
        st.text(f"{plural(generated.not_asked, 'chunk')} not asked yet. Generate goes on with them.")


def show_triplets(home: Workspace, name: str, generated: Generated) -> bool:
    """Draw the triplets that are accepted, to review, rejected or failed and the chosen one beside its passage.

    Returns whether the reader has mended one, so that the gate has to look again.
    """
    numbers = {status: generated.count(status) for status in _SHOWN}
    status = st.segmented_control(
        "Triplets",
        [*_SHOWN],
        default=ACCEPTED,
        required=True,
        format_func=lambda status: f"{status.capitalize()} ({numbers[status]:,})",
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
    return _show_one(home, name, generated.collection.passages, row)


def _show_one(home: Workspace, name: str, chunks: pl.DataFrame, row: Produced) -> bool:
    """Draw the triplet beside its passage; returns whether the reader has mended it."""
    left, right = st.columns(2, gap="large")
    with right:
        _show_chunk(chunks.filter(pl.col("chunk") == row.chunk), row)
    with left:
        if row.status in (REJECTED, UNPROVED):
            return _mend(home, name, row)
        for label, text in (("Question", row.question), ("Answer", row.answer), ("Fact", row.fact)):
            st.caption(label)
            st.text(variants_on_lines(text) or "–")
        if row.reason or row.note:
            st.text(row.reason or row.note or "")
    return False


def _show_chunk(triplets_of_chunk: pl.DataFrame, row: Produced) -> None:
    if triplets_of_chunk.is_empty():
        st.caption("Its passage is not among the documents.")
        return
    chunk = triplets_of_chunk.row(0, named=True)
    st.caption("Passage")
    st.text(place_in_words(chunk) + (f"\n{chunk['heading']}" if chunk["heading"] else ""))
    marked = [read_variant(part.strip()).text for part in row.fact.split(OR_DELIMITER) if part.strip()]
    show_passage(f"passage_{row.question_id}", str(chunk["text"]), marked)


def _mend(home: Workspace, name: str, row: Produced) -> bool:
    st.text(row.reason or "")
    with st.form(f"mend_{row.question_id}", border=False):
        texts = {
            label: st.text_area(label.capitalize(), text, height=68)
            for label, text in (("question", row.question), ("answer", row.answer), ("fact", row.fact))
        }
        again = st.form_submit_button("Check again", icon=":material/rule:")
        right = row.status == UNPROVED and st.form_submit_button("It is right: accept", icon=":material/check:")
        if not (again or right):
            return False
    try:
        keep_mended(home, name, {row.question_id: texts | ({CONFIRMED: "yes"} if right else {})})
    except QavizError as error:
        show_problems(error)
        return False
    return True


def show_frame(table: pl.DataFrame) -> None:
    """Draw a table with signs for what cannot be seen in its texts."""
    texts = [name for name, kind in table.schema.items() if kind == pl.String]
    st.dataframe(table.with_columns(map(visible_texts, texts)), hide_index=True)


def show_coverage(coverage: pl.DataFrame) -> None:
    """Draw COVERAGE: how many gaps there are, then a map of what is covered, each with its questions, gaps first."""
    gaps = select_gaps(coverage)
    named = gaps.head(_GAPS_NAMED).select(pl.format("{} {}", "dimension", "value")).to_series()
    st.text(visible(f"{plural(gaps.height, 'gap')}: {', '.join(named) or 'none'}"))
    columns = ("Of", "What", "Triplets", Column("Offered", title=_OFFERED), Column("Questions", wide=True))
    ordered = coverage.with_columns((pl.col("triplets") > 0).alias("there")).sort("there", maintain_order=True)
    page = page_of(ordered.drop("there"), "coverage")
    rows = [
        Row(
            cells=[
                dimension,
                value,
                count(number) if number else mark_cell("missing", "warn", "no accepted triplet has it"),
                text_cell(None if offered is None else count(offered)),
                text_cell("\n".join(questions), missing="no question"),
            ]
        )
        for dimension, value, offered, number, questions in page.iter_rows()
    ]
    show_table("coverage_table", "What the triplets cover", columns, rows, short=True)
    draw_pages(ordered, "coverage")


def show_documents(home: Workspace, line: str) -> None:
    """Draw the map of the documents that a golden dataset's triplets come from, each place with its questions."""
    produced, chunks = read_kept(home, line)
    if produced.is_empty():
        _show_sources(home.golden(versions(home, line)[-1].golden_id))
        return
    show_coverage(measure_coverage(produced, chunks))
    st.caption("Parts of the documents without a triplet are known where the documents are: on Generate.")


def _show_sources(golden: pl.DataFrame) -> None:
    """Draw the sources that a golden dataset from a file names, each with its questions."""
    named = golden.drop_nulls(SOURCE).group_by(SOURCE, maintain_order=True).agg(QUESTION)
    rows = [Row(cells=[source, text_cell("\n".join(questions))]) for source, questions in named.iter_rows()]
    if rows:
        show_table("sources", "Sources", (Column("Source", wide=True), Column("Questions", wide=True)), rows)
    else:
        st.text("No triplet of this golden dataset says which document it comes from.")


def offer_dataset(home: Workspace, name: str, generated: Generated, person: str | None) -> None:
    """Draw the button that keeps the accepted triplets as a golden dataset, and the link to its review."""
    disabled = generated.golden.is_empty() or person is None
    if st.button("Use as golden dataset", type="primary", icon=":material/inventory:", disabled=disabled):
        try:
            version = keep_dataset(home, name, generated, person or "")
        except QavizError as error:
            show_problems(error)
            return
        if version:
            st.text(
                f"Version {version.number} of {name} is kept: {plural(generated.golden.height, 'triplet')}, "
                f"{count(generated.counts['flagged'])} flagged for review."
            )
    if line := named_datasets(home).get(name):
        url_state.draw_link("Review", "golden", "reviews", **{url_state.TAB: REVIEW, url_state.DATASET: line})
    gone = gone_triplets(home, name, generated.collection.passages)
    if not gone.is_empty():
        st.text(f"{plural(gone.height, 'triplet')} of {name} had a passage that no longer exists.")
