"""The gate: which triplets the words of their passage bear out, and why not the others. No model is asked."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from babel import Locale
from numpy.typing import NDArray

from qaviz.documents.chunks import CHUNKS, ChunkRow
from qaviz.generation.gate import binding, content, kinds
from qaviz.generation.gate.cases import UNANSWERABLE, Case
from qaviz.generation.gate.content import Known
from qaviz.generation.gate.passages import BETWEEN, JOINT, Passage, split_joined, terms
from qaviz.golden.lint.triplets import tell_language
from qaviz.judging.triplets import PASSAGE, to_repair
from qaviz.model.columns import QUESTION_ID, typed_rows
from qaviz.reading.level import level_text
from qaviz.store.labels import GATE

CHECKED = pl.Schema(
    {"status": pl.String(), "rule": pl.String(), "reason": pl.String(), "margin": pl.Float64(), "note": pl.String()}
)
"""What the gate adds to each triplet: `accepted`, `to review` or `rejected`; the rule that does not accept it and its
reason, else null; how much better its chunk answers the question than any other one, by BM25 (0.5: half as much again;
null where there is no other chunk); and what a reviewer should look at although it is accepted, else null."""

ACCEPTED, UNPROVED, REJECTED = "accepted", "to review", "rejected"
"""Borne out by its passage; neither borne out nor wrong by its words, so that a person decides; wrong."""
FAR_BETTER = 9.0
"""The most that a margin is: no other chunk has a tenth of its score, or a word of the question."""
CLEARLY_BETTER = 1.25
"""Times its own chunk's score from which another chunk answers the question better."""

_K1, _B = 1.2, 0.75
"""Okapi BM25 with the parameters of Robertson and Zaragoza, The Probabilistic Relevance Framework (2009)."""


@dataclass(frozen=True, kw_only=True)
class GateRule:
    """One reason not to accept a triplet."""

    name: str
    check: Callable[[Case], str | None]
    """Returns the reason in a sentence; None where there is nothing to say."""
    status: str = REJECTED
    """What a triplet is of which it says something: UNPROVED where words cannot tell."""


GATE_RULES: tuple[GateRule, ...] = (
    GateRule(name="incomplete", check=content.check_shape),
    GateRule(name="injected", check=content.check_injection),
    GateRule(name="unanswerable", check=content.check_unanswerable),
    GateRule(name="metadata", check=content.check_metadata),
    GateRule(name="document-reference", check=content.check_document_reference),
    GateRule(name="no-subject", check=content.check_pronoun),
    GateRule(name="fact-in-question", check=content.check_fact_in_question),
    GateRule(name="several-facts", check=content.check_several_facts),
    GateRule(name="unproved-fact", check=content.check_variants),
    GateRule(name="unproved-figure", check=content.check_figures),
    GateRule(name="unproved-name", check=content.check_names),
    GateRule(name="no-name", check=content.check_subject),
    GateRule(name="another-cell", check=binding.check_other_cell),
    GateRule(name="another-place", check=content.check_place),
    GateRule(name="another-type", check=kinds.check_kind, status=UNPROVED),
    GateRule(name="unbound-cell", check=binding.check_cell, status=UNPROVED),
    GateRule(name="polarity", check=binding.check_polarity, status=UNPROVED),
    GateRule(name="not-near", check=binding.check_nearness, status=UNPROVED),
    GateRule(name="generic-subject", check=binding.check_generic_subject, status=UNPROVED),
)
"""In the order in which they are asked; the first that finds something decides. `language` and `another-chunk`, which
look at more than one triplet, come before those that leave it to a person, `duplicate` behind them."""


def check_triplets(triplets: pl.DataFrame, chunks: pl.DataFrame, languages: Collection[str] = ()) -> pl.DataFrame:
    """Return the triplets with CHECKED.

    `triplets` has question, answer, fact, kind and chunk (the hash of the chunk it was made from), and `turns` where
    there are follow-ups; `chunks` are all CHUNKS of the collection, and what joins two of them. Questions and answers
    have to be in one of the `languages` (`English`), or else in their chunk's.
    """
    collection = _Collection(chunks)
    spoken = _find_wrong_languages(triplets, collection, languages)
    known = Known()
    rows = []
    turns = triplets["turns"] if "turns" in triplets.columns else [""] * triplets.height
    texts = triplets.select("question", "answer", "fact", "kind", "chunk").iter_rows()
    for place, ((question, answer, fact, kind, chunk), spoken_before) in enumerate(zip(texts, turns, strict=True)):
        case = collection.case(question, answer, fact, kind, chunk)
        if case and spoken_before:
            case = replace(case, turns=tuple(spoken_before.split("\n")))
        rows.append(_check_case(case, collection, known, spoken.get(place)))
    return triplets.drop(CHECKED.names(), strict=False).hstack(pl.DataFrame(rows, schema=CHECKED, orient="row"))


def check_repairs(triplets: pl.DataFrame, findings: pl.DataFrame) -> pl.DataFrame:
    """A judge's findings (`qaviz.judging.triplets`) with GATE: whether a passage proves each proposed repair."""
    # A passage is its own chunk, known by its text.
    repaired = to_repair(triplets, findings).with_columns(
        pl.col(PASSAGE).alias("chunk"), pl.lit("single fact").alias("kind")
    )
    chunks = triplets.select(pl.col(PASSAGE).alias("chunk"), pl.col(PASSAGE).alias("text")).unique(maintain_order=True)
    chunks = chunks.with_columns(
        pl.lit("passage").alias("document"),
        pl.lit("").alias("heading"),
        pl.lit(0, pl.Int64).alias("start"),
        pl.col("text").str.len_chars().cast(pl.Int64).alias("end"),
    )
    whole = pl.concat([pl.DataFrame(schema=CHUNKS), chunks], how="diagonal")
    checked = check_triplets(repaired, whole) if repaired.height else repaired
    reason = pl.coalesce(pl.col("reason"), pl.col("status")) if repaired.height else pl.lit(None, pl.String)
    return findings.join(checked.select(QUESTION_ID, reason.alias(GATE)), on=QUESTION_ID, how="left")


_Row = tuple[str, str | None, str | None, float | None, str | None]


def _check_case(case: Case | None, collection: "_Collection", known: Known, spoken: str | None) -> _Row:
    if case is None:
        return REJECTED, "no-chunk", "Its chunk is not among the documents any more.", None, None
    for rule in GATE_RULES:
        if rule.status == REJECTED and (reason := rule.check(case)):
            return REJECTED, rule.name, reason, None, None
    if spoken:
        return REJECTED, "language", spoken, None, None
    margin, better = collection.margin(case)
    if better:
        return REJECTED, "another-chunk", better, margin, None
    for rule in GATE_RULES:
        if rule.status == UNPROVED and (reason := rule.check(case)):
            return UNPROVED, rule.name, reason, margin, None
    if again := known.add(case):
        return REJECTED, "duplicate", again, margin, None
    return ACCEPTED, None, None, margin, known.note(case)


class _Collection:
    """The chunks, as rules need them."""

    def __init__(self, chunks: pl.DataFrame) -> None:
        unique = chunks.unique("chunk", keep="first", maintain_order=True)
        self._rows = {row["chunk"]: (place, row) for place, row in enumerate(typed_rows(unique, ChunkRow))}
        self._places = [row for _, row in self._rows.values()]
        self._joined = np.array([JOINT in row["chunk"] for row in self._places], dtype=bool)
        """Which passages join two others, and answer no question better than these do."""
        self._passages: dict[str, Passage] = {}
        self._said: dict[str, frozenset[str]] = {}
        self._index = Bm25([f"{row['document']} {row['heading']} {row['text']}" for row in self._places])
        words: dict[str, set[str]] = defaultdict(set)
        for row in self._places:
            words[row["document"]].update(
                _WORD.findall(level_text(f"{row['document']} {row['heading']} {row['text']}"))
            )
        self._words: Mapping[str, frozenset[str]] = {name: frozenset(text) for name, text in words.items()}

    def case(self, question: str, answer: str, fact: str, kind: str, chunk: str) -> Case | None:
        """The triplet beside its passage; None where its chunk is not there."""
        if chunk not in self._rows:
            return None
        row = self._rows[chunk][1]
        if chunk not in self._passages:
            self._passages[chunk] = Passage(chunk, row["heading"], row["text"])
        question, answer, fact = (" ".join(text.split()) for text in (question, answer, fact))
        case = Case(question, answer, fact, kind, self._passages[chunk], self._words[row["document"]])
        parts = split_joined(chunk, row["text"])
        if kind != kinds.DISTRACTING or len(parts) != 2:
            return replace(case, parts=parts)
        # The fact is bound to the passage that has it, as if the other one were not there.
        documents = row["document"].split(BETWEEN)
        homes = [
            replace(case, passage=part, around=self._words.get(name, case.around))
            for part, name in zip(parts, documents, strict=False)
        ]
        return replace(next((own for own in homes if own.home), homes[0]), parts=parts)

    def languages(self, hashes: pl.Series) -> pl.Series:
        """The language of each chunk, which is found once a chunk; null where it is not there or cannot be told."""
        known_hashes = [key for key in hashes.unique() if key in self._rows]
        texts = pl.Series([self._rows[key][1]["text"] for key in known_hashes], dtype=pl.String)
        return hashes.replace_strict(known_hashes, _name_languages(texts), default=None, return_dtype=pl.String)

    def margin(self, case: Case) -> tuple[float | None, str | None]:
        """How much better the triplet's chunk answers its question than any other one, and why it does not."""
        if self._index.size < 2 or case.kind == UNANSWERABLE or case.is_joined or case.passage.chunk not in self._rows:
            return None, None
        scores = self._index.scores(case.question)
        place, row = self._rows[case.passage.chunk]
        own = float(scores[place])
        scores[place] = -1
        scores[self._joined] = -1
        other = int(scores.argmax())
        if _overlap(row, self._places[other]):
            scores[other] = -1
            other = int(scores.argmax())
        best = float(scores[other])
        margin = None if best < 0 else round(min(own / best - 1, FAR_BETTER), 3) if best else FAR_BETTER
        there = self._places[other]
        if best <= CLEARLY_BETTER * own or self._lacks(there, case):
            return margin, None
        where = f"{there['document']}, page {there['page']}" if there["page"] else there["document"]
        return margin, f"Another passage fits the question better ({where}): it does not say which one it is about."

    def _lacks(self, other: ChunkRow, case: Case) -> bool:
        """Whether another chunk lacks a term of the question that the triplet's chunk has."""
        chunk = other["chunk"]
        if chunk not in self._said:
            self._said[chunk] = frozenset(terms(f"{other['document']} {other['heading']} {other['text']}"))
        return bool((case.question_terms & case.passage.rarity.keys()) - self._said[chunk])


def _overlap(one: ChunkRow, other: ChunkRow) -> bool:
    """Whether two chunks share text."""
    apart = one["start"] >= other["end"] or other["start"] >= one["end"]
    return one["document"] == other["document"] and not apart


_WORD = re.compile(r"[^\W_]+")


def _name_languages(texts: pl.Series) -> pl.Series:
    """The English name of each text's language; null where it is too short to tell."""
    names = Locale.parse("en").languages
    codes = (tell_language(text) for text in texts.fill_null(""))
    return pl.Series([names.get(code, code.capitalize()) or None for code in codes], dtype=pl.String)


def _find_wrong_languages(
    triplets: pl.DataFrame, collection: _Collection, languages: Collection[str]
) -> dict[int, str]:
    """By the place of a triplet: which language it is in, and which it should be in."""
    if triplets.is_empty():
        return {}
    passages = collection.languages(triplets["chunk"].str.split(JOINT).list.first())
    written = pl.DataFrame(
        {
            "question": _name_languages(triplets["question"]),
            "answer": _name_languages(triplets["answer"]),
            "passage": passages,
        }
    )
    return {
        place: f"The {name} is in {row[name]}; {' or '.join(wanted)} is asked for."
        for place, row in enumerate(written.iter_rows(named=True))
        for name in ("answer", "question")
        if (wanted := [*languages] or [row["passage"]]) != [None] and row[name] and row[name] not in wanted
    }


class Bm25:
    """An index of texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        counted = [Counter(terms(text)) for text in texts]
        lengths = np.array([sum(text.values()) for text in counted], dtype=np.float64)
        mean = float(lengths.mean()) if len(texts) and lengths.any() else 1.0
        norm = _K1 * (1 - _B + _B * lengths / mean)
        places: dict[str, list[int]] = {}
        times: dict[str, list[int]] = {}
        for place, body in enumerate(counted):
            for term, number in body.items():
                places.setdefault(term, []).append(place)
                times.setdefault(term, []).append(number)
        self.size = len(texts)
        self._weights: dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]] = {}
        for term, at in places.items():
            where, often = np.array(at), np.array(times[term], dtype=np.float64)
            rarity = math.log(1 + (self.size - len(at) + 0.5) / (len(at) + 0.5))
            self._weights[term] = where, rarity * often * (_K1 + 1) / (often + norm[where])

    def scores(self, question: str) -> NDArray[np.float64]:
        """The score of each text for this question, 0 where they share no term."""
        scores = np.zeros(self.size)
        for term in set(terms(question)):
            if term in self._weights:
                where, weights = self._weights[term]
                scores[where] += weights
        return scores
