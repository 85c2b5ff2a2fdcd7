"""Which context holds the golden source, and the measures of retrieval that follow from it.

Definitions as in ir_measures and ranx: with rel(i) = 1 where the i-th context brings a golden item that none before it
brought, and R golden items, reciprocal rank is 1 / rank, nDCG is sum(rel(i) / log2(i + 1)) over its value for all R
items at the first places (Järvelin and Kekäläinen 2002), recall is sum(rel) / R, and precision the share of the n
contexts that hold any. Contexts that repeat an item count for precision and not again for the others.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from math import log2
from pathlib import PurePosixPath
from typing import NamedTuple

import polars as pl

from qaviz.contexts.passages import Sought, is_evidence, seek, share_topic, split_variants, states_fact
from qaviz.model import columns as c

BEST = 0.6
"""Share of the most that any stating context has of the question's words, from which another one states the fact."""
BY = "retrieval_by"
"""What a context was known by: `passage id`, `evidence`, `document` or `fact`; null where nothing tells."""
RETRIEVAL_SCHEMA = pl.Schema(
    {
        c.RETRIEVAL_RANK: pl.Int32(),
        c.RETRIEVAL_HIT: pl.Boolean(),
        **dict.fromkeys(c.RETRIEVAL_SCORES, pl.Float64()),
        BY: pl.String(),
    }
)


class Passage(NamedTuple):
    """One context of a response; "" for what is not known of it."""

    text: str
    id: str = ""
    document: str = ""


class Relevance(NamedTuple):
    """Which golden items each context holds, best context first."""

    by: str
    held: tuple[frozenset[str], ...]
    items: int
    """How many golden items there are."""


def measure(held: Sequence[frozenset[str]], items: int) -> tuple[int | None, bool, float, float, float | None, float]:
    """Return rank, hit, reciprocal rank, nDCG, precision (None without contexts) and recall."""
    seen: set[str] = set()
    gains = []
    for of_context in held:
        gains.append(bool(of_context - seen))
        seen |= of_context
    rank = next((place for place, gain in enumerate(gains, start=1) if gain), None)
    ideal = sum(1 / log2(place + 1) for place in range(1, items + 1))
    gained = sum(1 / log2(place + 1) for place, gain in enumerate(gains, start=1) if gain)
    return (
        rank,
        rank is not None,
        1 / rank if rank else 0.0,
        gained / ideal if ideal else 0.0,
        sum(map(bool, held)) / len(held) if held else None,
        len(seen) / items,
    )


def add_retrieval(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with the columns of RETRIEVAL_SCHEMA, in their order.

    Needs QUESTION, ANSWER, FACT, and of SOURCE, PASSAGE_ID, EVIDENCE, CONTEXTS, CONTEXT_IDS and CONTEXT_DOCUMENTS what
    there is. All is null where a response has no contexts column, or where neither a golden source nor a fact that a
    passage can state says what to look for.
    """
    measured = [_measure_row(row) for row in _read_rows(rows)]
    return rows.drop(RETRIEVAL_SCHEMA.names(), strict=False).hstack(
        pl.DataFrame(measured, schema=RETRIEVAL_SCHEMA, orient="row")
    )


class _Row(NamedTuple):
    question: str
    golden: str
    source: str | None
    passage_id: str | None
    evidence: str | None
    contexts: list[str] | None
    ids: list[str] | None
    documents: list[str] | None


def _read_rows(rows: pl.DataFrame) -> Iterator[_Row]:
    fact = pl.when(pl.col(c.FACT).str.strip_chars() != "").then(c.FACT)
    texts = (c.SOURCE, c.PASSAGE_ID, c.EVIDENCE)
    lists = (c.CONTEXTS, c.CONTEXT_IDS, c.CONTEXT_DOCUMENTS)
    given = rows.select(
        pl.col(c.QUESTION).fill_null(""),
        pl.coalesce(fact, c.ANSWER).fill_null("").alias(c.FACT),
        *(pl.col(name) if name in rows.columns else pl.lit(None, pl.String).alias(name) for name in texts),
        *(pl.col(name) if name in rows.columns else pl.lit(None, pl.List(pl.String)).alias(name) for name in lists),
    )
    return map(_Row._make, given.iter_rows())


def _measure_row(row: _Row) -> tuple[object, ...]:
    relevance = find_relevant(row.question, row.golden, row.source, row.passage_id, row.evidence, list_passages(row))
    if relevance is None:
        return (None,) * len(RETRIEVAL_SCHEMA)
    return *measure(relevance.held, relevance.items), relevance.by


def list_passages(row: _Row) -> list[Passage] | None:
    """The contexts of a row; None where it says nothing of any."""
    if row.contexts is None and row.ids is None:
        return None
    parts = zip_longest(row.contexts or (), row.ids or (), row.documents or (), fillvalue="")
    return [Passage(text or "", identity or "", document or "") for text, identity, document in parts]


def find_relevant(
    question: str,
    golden: str,
    source: str | None,
    passage_id: str | None,
    evidence: str | None,
    passages: Sequence[Passage] | None,
) -> Relevance | None:
    """Which golden items the passages hold, by the most exact name that both sides have; None where nothing tells."""
    if passages is None:
        return None
    named = split_variants(passage_id) or split_variants(source)
    ids = {passage.id for passage in passages if passage.id}
    distinct = len(ids) == sum(bool(passage.id) for passage in passages)
    if named and ids and (passage_id or (distinct and ids & set(named))):
        return _hold("passage id", named, ([name for name in named if name == passage.id] for passage in passages))
    texts = any(passage.text for passage in passages) or not passages
    if evidence and texts:
        golden_texts = split_variants(evidence)
        held = ([text for text in golden_texts if is_evidence(text, passage.text)] for passage in passages)
        return _hold("evidence", golden_texts, held)
    sought = seek(question, golden)
    from_named = _find_from_document(split_variants(source), passages)
    if sought and texts:
        stating = _find_stating(sought, passages)
        in_named = [place for place in stating if place in from_named] or stating
        return _hold("fact", ("fact",), (["fact"] if place in in_named else [] for place in range(len(passages))))
    if from_named or (source and any(passage.document for passage in passages)):
        held = (["document"] if place in from_named else [] for place in range(len(passages)))
        return _hold("document", ("document",), held)
    return None


def _hold(by: str, items: Sequence[str], held: Iterable[Sequence[str]]) -> Relevance:
    return Relevance(by, tuple(map(frozenset, held)), len(set(items)))


def _find_stating(sought: Sought, passages: Sequence[Passage]) -> list[int]:
    """The places of the passages that state the fact, about the question nearly as much as the best of them."""
    stating = [place for place, passage in enumerate(passages) if passage.text and states_fact(sought, passage.text)]
    topics = {place: share_topic(sought, passages[place].text) for place in stating}
    least = BEST * max(topics.values(), default=0)
    return [place for place, topic in topics.items() if topic >= least]


def _find_from_document(sources: Sequence[str], passages: Sequence[Passage]) -> set[int]:
    """The places of the passages from one of the named documents."""
    wanted = {_name_document(source) for source in sources} - {""}
    return {
        place
        for place, passage in enumerate(passages)
        if wanted & {_name_document(passage.document), _name_document(passage.id)}
    }


def _name_document(text: str) -> str:
    """A document's name without folder, page and suffix: `docs/Report.pdf, page 3` is `report`."""
    name = PurePosixPath(text.partition(",")[0].partition("#")[0].strip().replace("\\", "/")).name.lower()
    stem, _, suffix = name.rpartition(".")
    return stem if stem and suffix.isalnum() and not suffix.isdigit() else name
