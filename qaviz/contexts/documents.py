"""Whether the documents hold what a golden dataset asks for: the first step, before any pipeline retrieves."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log

import polars as pl

from qaviz.contexts import passages
from qaviz.documents import Chunking, chunk_documents, find_documents, read_documents
from qaviz.model import columns as c
from qaviz.model.errors import QavizError
from qaviz.model.records import Progress
from qaviz.reading.level import level_text

LOOKED_AT = 60
"""Chunks of the documents in which a fact is looked for: those that share most rare words with its triplet."""


def read_folder(addresses: Sequence[str], progress: Progress) -> pl.DataFrame:
    """The chunks (`qaviz.documents.CHUNKS`) of all documents there. Raises QavizError with every problem."""
    files, problems = find_documents(addresses)
    documents, unread = read_documents(files, progress)
    if problems or unread:
        raise QavizError(*problems, *unread)
    return chunk_documents(documents, Chunking(size=250, overlap=60))


def find_in_documents(golden: pl.DataFrame, chunks: pl.DataFrame) -> pl.DataFrame:
    """Return QUESTION_ID and IN_DOCUMENTS of each triplet: whether any chunk holds its golden evidence, or states its
    fact. Null where a passage cannot state the fact, unless the triplet names a document: then whether that is there.
    """
    documents = _Documents(chunks)
    held = [documents.hold(row) for row in c.typed_rows(golden, c.Triplet)]
    return golden.select(c.QUESTION_ID, pl.Series(c.IN_DOCUMENTS, held, pl.Boolean))


class _Documents:
    """Chunks, by the words that they have."""

    def __init__(self, chunks: pl.DataFrame) -> None:
        self._names = {passages.name_document(name) for name in chunks["document"].unique()}
        self._texts = chunks["text"].to_list()
        titles = chunks.select(pl.concat_str("document", "heading", separator=" ")).to_series()
        self._titles = titles.fill_null("").to_list()
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, (title, text) in enumerate(zip(self._titles, self._texts, strict=True)):
            for term in passages.list_terms(f"{title} {text}"):
                self._places[term].append(place)

    def hold(self, triplet: c.Triplet) -> bool | None:
        question, evidence = triplet["question"] or "", passages.split_variants(triplet["evidence"])
        if evidence:
            return any(self._has_evidence(text) for text in evidence)
        golden = (triplet["fact"] or "").strip() or triplet["answer"] or ""
        sought = passages.seek(question, golden)
        if sought is None:
            named = {passages.name_document(source) for source in passages.split_variants(triplet["source"])}
            return bool(named & self._names) if named else None
        candidates = self._list_candidates(f"{question} {golden}")
        texts = [(self._texts[place], self._titles[place]) for place in candidates]
        states = any(passages.state_fact(sought, text, title) is not None for text, title in texts)
        return states and passages.find_other_year(sought, texts) is None

    def _has_evidence(self, evidence: str) -> bool:
        level = " ".join(level_text(evidence).split())
        texts = [self._texts[place] for place in self._list_candidates(evidence)]
        return any(
            level in " ".join(level_text(text).split()) or passages.is_evidence(evidence, text) for text in texts
        )

    def _list_candidates(self, text: str) -> list[int]:
        weights: Counter[int] = Counter()
        for term in passages.list_terms(text):
            places = self._places.get(term, ())
            for place in places:
                weights[place] += int(1000 * log(1 + len(self._texts) / len(places)))
        return [place for place, _ in weights.most_common(LOOKED_AT)]
