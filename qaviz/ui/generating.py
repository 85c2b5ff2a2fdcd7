"""Generating a golden dataset in the browser: what is read, asked and proved, beside the pages, in a thread."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import polars as pl
import streamlit as st

from qaviz.background import Job, Jobs
from qaviz.documents import Chunking, Document, chunk_documents, read_document
from qaviz.generation.gate import check_triplets
from qaviz.generation.gate.checking import ACCEPTED
from qaviz.generation.pipeline import (
    Collection,
    Generated,
    estimate_generation,
    generate_triplets,
    journal_of,
    payable,
    read_mended,
)
from qaviz.generation.settings import Generation
from qaviz.generation.triplets import FAILED, NOT_ASKED, read_replies
from qaviz.llm import Estimate, Reply, Session, Settings, Spend, open_session
from qaviz.loading import Source
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress
from qaviz.scoring.bridge import Cancelled
from qaviz.store import Workspace
from qaviz.store.audit_log import Deed


@dataclass(frozen=True, kw_only=True)
class SampleDocument:
    """The document that comes with recorded replies, and how it was cut for them."""

    name: str = "harbour-line.md"
    chunking: Chunking = field(default_factory=lambda: Chunking(size=120, overlap=0))


SAMPLE_DOCUMENT = SampleDocument()
SAMPLE_REPLIES = "harbour-line.replies.jsonl"
RECORDED_MODEL = "openai:recorded"
"""The model of the recorded replies, which people wrote."""
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
    """What has to be said of the cap."""


class Live:
    """What has come so far, counted as it comes: the gate's last word is at the end."""

    def __init__(self, chunks: pl.DataFrame) -> None:
        self._chunks = chunks
        self.replies = self.accepted = self.rejected = self.failed = 0
        self.session: Session | None = None

    def hear(self, place: int, reply: Reply) -> None:
        """Count what one reply brings; a chunk that was not asked has none."""
        if reply.failure in NOT_ASKED:
            return
        chunk = self._chunks.slice(place, 1)
        produced = read_replies(chunk, [reply])
        failed = produced["status"].eq_missing(FAILED)
        checked = check_triplets(produced.filter(~failed), chunk)
        accepted = int((checked["status"] == ACCEPTED).sum())
        self.replies += 1
        self.accepted += accepted
        self.rejected += checked.height - accepted
        self.failed += int(failed.sum())

    @property
    def spend(self) -> Spend:
        """What has been spent so far."""
        return self.session.spend if self.session else Spend()


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs[Generated]:
    """Of all visitors, by workspace and dataset: one generation at a time asks for a dataset."""
    return Jobs()


@st.cache_data(show_spinner="Reading the documents", max_entries=8)
def read_sources(
    _sources: Sequence[Source],
    names: Sequence[tuple[str, int]],  # noqa: ARG001 - what the cache goes by
    chunking: Chunking,
) -> Collection:
    """Read the documents and cut them; what cannot be read is among the problems."""
    documents: list[Document] = []
    problems: list[Problem] = []
    for source in _sources:
        try:
            documents.append(read_document(source))
        except QavizError as error:
            problems += error.problems
    return Collection(documents=tuple(documents), chunks=chunk_documents(documents, chunking), problems=tuple(problems))


def place_order(
    home: Workspace, name: str, collection: Collection, made: Generation, settings: Settings, *, trial: bool
) -> Order:
    """What is asked, with a cap that can be counted; a trial asks the first chunks of it, spread over the documents."""
    settings, notice = payable(settings)
    if trial:
        step = max(1, collection.chunks.height // TRIED)
        collection = Collection(
            documents=collection.documents, chunks=collection.chunks.gather_every(step).head(TRIED), problems=()
        )
    journal_of(home, name).parent.mkdir(parents=True, exist_ok=True)
    return Order(name=name, collection=collection, made=made, settings=settings, notice=notice)


def start(home: Workspace, order: Order) -> tuple[Job[Generated], Live]:
    """Start the asking beside the pages; what comes is counted in the second."""
    home.require(Deed.GENERATE)
    live = Live(order.collection.chunks)
    key = f"{home.folder} {order.name}"
    return jobs().start(key, partial(_generate, home, order, live), home.actor.subject), live


def _generate(home: Workspace, order: Order, live: Live, progress: Progress, cancelled: Cancelled) -> Generated:
    with open_session(order.settings) as session:
        live.session = session
        return generate_triplets(
            session,
            order.collection,
            order.made,
            order.settings.model,
            mended=read_mended(home, order.name),
            heard=live.hear,
            progress=progress,
            cancelled=cancelled,
        )


def estimate(order: Order) -> Estimate:
    """What asking will take. Raises QavizError as `open_session` does."""
    with open_session(order.settings) as session:
        return estimate_generation(session, order.collection, order.made)


def sample_settings(home: Workspace, folder: Path) -> Settings:
    """The settings that answer from the recorded replies."""
    return Settings(
        model=RECORDED_MODEL, journal=journal_of(home, SAMPLE_DOCUMENT.name), replay=folder / SAMPLE_REPLIES
    )
