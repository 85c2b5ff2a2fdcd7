"""Whether documents hold what a golden dataset asks for, which context holds the golden source, which one a response
draws on, and the measures of retrieval that follow.

Definitions as in ir_measures and ranx: with rel(i) = 1 where the i-th context brings a golden item that none before it
brought, and R golden items, reciprocal rank is 1 / rank, nDCG is sum(rel(i) / log2(i + 1)) over its value for all R
items at the first places (Järvelin and Kekäläinen 2002), recall is sum(rel) / R, and precision the share of the n
contexts that hold any. Contexts that repeat an item count for precision and not again for the others.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from math import log, log2
from typing import NamedTuple

import polars as pl

from qaviz.contexts import passages as texts
from qaviz.diagnosis.columns import SAYS, STANCE
from qaviz.diagnosis.judging import CONTEXT_SCHEMA
from qaviz.diagnosis.stance import Stance
from qaviz.model import columns as c
from qaviz.reading.level import holds_words, level_text

BEST = 0.6
"""Share of the most that any stating context has of the question's words, from which another one states the fact."""
BY = "retrieval_by"
"""What a context was known by: `passage id`, `evidence`, `document` or `fact`; null where nothing tells."""
_COLUMNS = (
    *(c.RETRIEVAL_RANK, c.RETRIEVAL_HIT, *c.RETRIEVAL_SCORES, BY, c.CONTEXT_COUNT),
    *(c.CONTEXTS_STATE, c.CONTEXT_USED, c.TAKEN, c.TAKEN_FROM, c.GOLDEN_OTHERWISE),
)
_KINDS = {**CONTEXT_SCHEMA, **dict.fromkeys(c.RETRIEVAL_SCORES, pl.Float64()), BY: pl.String()}
RETRIEVAL_SCHEMA = pl.Schema({name: _KINDS[name] for name in _COLUMNS})
_CERTAIN = "certain by the row alone"
_READ_SCHEMA = pl.Schema({**RETRIEVAL_SCHEMA, _CERTAIN: pl.Boolean()})


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
    """Return the rows with the columns of RETRIEVAL_SCHEMA, in their order. Needs what `extract_evidence` returns, and
    of SOURCE, PASSAGE_ID, EVIDENCE, CONTEXTS, CONTEXT_IDS, CONTEXT_DOCUMENTS and IN_DOCUMENTS what there is. All is
    null where a response has no contexts, or where neither a golden source nor a fact that a passage can state says
    what to look for. IN_DOCUMENTS, where known, is true if any pipeline retrieved it."""
    fact = pl.when(pl.col(c.FACT).str.strip_chars() != "").then(c.FACT)
    optional = (c.SOURCE, c.PASSAGE_ID, c.EVIDENCE, c.CONTEXTS, c.CONTEXT_IDS, c.CONTEXT_DOCUMENTS)
    given = rows.select(
        pl.col(c.QUESTION).fill_null(""),
        pl.coalesce(fact, c.ANSWER).fill_null("").alias(c.FACT),
        *(pl.col(name) if name in rows.columns else pl.lit(None).alias(name) for name in optional),
        pl.col(c.RESPONSE).fill_null(""),
        SAYS,
        STANCE,
    )
    cells = [_read_contexts(_Row(*row)) for row in given.iter_rows()]
    read = pl.DataFrame(cells, schema=_READ_SCHEMA, orient="row")
    documents = rows[c.IN_DOCUMENTS] if c.IN_DOCUMENTS in rows.columns else pl.lit(None, pl.Boolean)
    retrieved = rows.drop(RETRIEVAL_SCHEMA.names(), strict=False).hstack(read)
    any_hit = pl.col(c.IN_DOCUMENTS).is_not_null() & pl.col(c.RETRIEVAL_HIT).any().over(c.QUESTION_ID)
    in_documents = pl.when(any_hit).then(True).otherwise(c.IN_DOCUMENTS).alias(c.IN_DOCUMENTS)
    # GOLDEN_OTHERWISE where it is certain: the golden passage gives it, no document holds the golden value, or
    # several pipelines and what they retrieved agree on it.
    same = pl.col(c.GOLDEN_OTHERWISE).str.to_lowercase()
    pipelines = pl.when(same.is_not_null()).then(pl.col(c.PIPELINE)).n_unique().over(c.QUESTION_ID, same)
    nowhere = ~pl.col(c.CONTEXTS_STATE).any().over(c.QUESTION_ID).fill_null(False)
    absent = pl.col(c.IN_DOCUMENTS).not_().fill_null(False)
    certain = pl.col(_CERTAIN) | ((absent | (pipelines > 1)) & nowhere)
    otherwise = pl.when(certain).then(c.GOLDEN_OTHERWISE).alias(c.GOLDEN_OTHERWISE)
    return retrieved.with_columns(documents.alias(c.IN_DOCUMENTS)).with_columns(in_documents, otherwise).drop(_CERTAIN)


class _Row(NamedTuple):
    question: str
    golden: str
    source: str | None
    passage_id: str | None
    evidence: str | None
    contexts: list[str] | None
    ids: list[str] | None
    documents: list[str] | None
    response: str
    says: str | None
    stance: str | None


def _read_contexts(row: _Row) -> tuple[object, ...]:
    """What one row's contexts hold: the values of _READ_SCHEMA."""
    if row.contexts is None and row.ids is None:
        return (None,) * len(_READ_SCHEMA)
    parts = zip_longest(row.contexts or (), row.ids or (), row.documents or (), fillvalue="")
    passages = [Passage(text or "", identity or "", document or "") for text, identity, document in parts]
    sought = texts.seek(row.question, row.golden)
    contexts = [passage.text for passage in passages]
    stating = _find_stating(sought, passages) if sought and (any(contexts) or not passages) else None
    relevance = find_relevant(row, passages, stating)
    measured = measure(relevance.held, relevance.items) if relevance else (None,) * 6
    use = _find_use(row, sought, contexts) if sought else Use()
    holds = relevance is not None and use.place is not None and bool(relevance.held[use.place])
    used = bool(measured[1]) and (row.stance == Stance.AGREES or holds) if relevance else None
    named = holds and relevance is not None and relevance.by in ("passage id", "evidence")
    return (
        *measured,
        relevance and relevance.by,
        len(passages),
        None if stating is None else bool(stating),
        used,
        use.taken,
        None if use.place is None else use.place + 1,
        None if stating else use.otherwise,
        bool(named and not stating),
    )


def find_relevant(row: _Row, passages: Sequence[Passage], stating: Sequence[int] | None) -> Relevance | None:
    """Which golden items the passages hold, by the most exact name that both sides have; None where nothing tells.
    `stating` are the places of the passages that state the fact; None where a passage cannot state it."""
    named = texts.split_variants(row.passage_id) or texts.split_variants(row.source)
    ids = {passage.id for passage in passages if passage.id}
    distinct = len(ids) == sum(bool(passage.id) for passage in passages)
    if named and ids and (row.passage_id or (distinct and ids & set(named))):
        return _hold("passage id", named, ([name for name in named if name == passage.id] for passage in passages))
    if row.evidence and (not passages or any(passage.text for passage in passages)):
        golden_texts = texts.split_variants(row.evidence)
        held = ([text for text in golden_texts if texts.is_evidence(text, passage.text)] for passage in passages)
        return _hold("evidence", golden_texts, held)
    wanted = {texts.name_document(source) for source in texts.split_variants(row.source)} - {""}
    from_named = {
        place
        for place, passage in enumerate(passages)
        if wanted and wanted & {texts.name_document(passage.document), texts.name_document(passage.id)}
    }
    if stating is not None:
        in_named = [place for place in stating if place in from_named] or stating
        return _hold("fact", ("fact",), (["fact"] if place in in_named else [] for place in range(len(passages))))
    if from_named or (row.source and any(passage.document for passage in passages)):
        held = (["document"] if place in from_named else [] for place in range(len(passages)))
        return _hold("document", ("document",), held)
    return None


def _hold(by: str, items: Sequence[str], held: Iterable[Sequence[str]]) -> Relevance:
    return Relevance(by, tuple(map(frozenset, held)), len(set(items)))


def _find_stating(sought: texts.Sought, passages: Sequence[Passage]) -> list[int]:
    """The places of the passages that state the fact, about the question nearly as much as the best of them."""
    statements = (
        texts.state_fact(sought, passage.text, passage.document) if passage.text else None for passage in passages
    )
    topics = {place: topic for place, topic in enumerate(statements) if topic is not None}
    if topics and texts.find_other_year(sought, ((passage.text, passage.document) for passage in passages)):
        return []
    least = BEST * max(topics.values(), default=0)
    return [place for place, topic in topics.items() if topic >= least]


DRAWN = 0.6
"""Share of a response's own words from which it draws on a context that holds them."""
ABOUT_OTHERWISE = 0.6
"""Share of the question's words that stand around a value which a context gives in place of the golden one."""
_AROUND = 200

_CLAIM = re.compile(r"[$€£¥]?\d[\d.,:/-]*\d%?|\d%?|(?<!^)(?<![.!?] )\b[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
"""A figure, or a name inside a sentence."""


class Use(NamedTuple):
    """What a response draws on."""

    taken: str | None = None
    """A value that the response says and the golden fact does not, as a context has it."""
    place: int | None = None
    """The place, from 0, of the context that it draws on."""
    otherwise: str | None = None
    """The value that a context about the question gives in place of the golden one."""


def _list_claims(row: _Row) -> Iterator[str]:
    """The figures and names of a response that neither the question nor the golden text has."""
    level = level_text(f"{row.question} {row.golden}")
    for claim in dict.fromkeys(match[0].rstrip(".,:;") for match in _CLAIM.finditer(row.response)):
        if claim and not holds_words(level, texts.level_value(claim)):
            yield claim


def _find_use(row: _Row, sought: texts.Sought, contexts: Sequence[str]) -> Use:
    """Find the context that a response draws on which does not state the fact, by its values, else by its words."""
    if row.stance == Stance.AGREES:
        return Use()
    levels = [level_text(text) for text in contexts]
    stated = (row.says,) if row.says and row.stance == Stance.CONTRADICTS else ()
    claims = dict.fromkeys((*stated, *islice(_list_claims(row), 20)))  # values of one response, at most
    values = [(claim, texts.level_value(claim)) for claim in claims]
    held = [[claim for claim, value in values if value in level and holds_words(level, value)] for level in levels]
    own = tuple(term for term in texts.list_terms(row.response) if term not in sought.topic)
    shares = [texts.share_held(own, level) if own else 0.0 for level in levels]
    best = max(range(len(levels)), key=lambda place: (len(held[place]), shares[place]), default=None)
    if best is None or not (held[best] or shares[best] >= DRAWN):
        return Use()
    otherwise = texts.find_other_year(sought, ((level, "") for level in levels))
    if not (otherwise and any(otherwise in claim for claim in claims)):
        otherwise = _find_otherwise(sought, levels, held)
    return Use(held[best][0] if held[best] else None, best, otherwise)


def _find_otherwise(sought: texts.Sought, levels: Sequence[str], held: Sequence[Sequence[str]]) -> str | None:
    """The value of the golden one's kind, figure or name, that stands where a context is most about the question."""
    figures = bool(sought.variants[0].figures)
    about = {
        claim: _share_around(sought, level, claim)
        for level, claims in zip(levels, held, strict=True)
        for claim in claims
        if any(map(str.isdigit, claim)) == figures
    }
    best = max(about, key=lambda claim: about[claim], default=None)
    return best if best and about[best] >= ABOUT_OTHERWISE else None


def _share_around(sought: texts.Sought, level: str, claim: str) -> float:
    place = level.find(level_text(claim))
    around = level[max(0, place - _AROUND) : place + _AROUND]
    # Another year's figure, or one of something else, is no answer, however much of the question stands beside it.
    other = any(term.isdigit() and term not in around for term in sought.topic)
    return 0.0 if other else texts.share_held(sought.topic, around)


LOOKED_AT = 60
"""Chunks of the documents in which a fact is looked for: those that share most rare words with its triplet."""


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
        self._names = {texts.name_document(name) for name in chunks["document"].unique()}
        title = pl.concat_str("document", "heading", separator=" ").fill_null("").alias("title")
        self._passages: list[tuple[str, str]] = chunks.select("text", title).rows()
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, (text, title_of_text) in enumerate(self._passages):
            for term in texts.list_terms(f"{title_of_text} {text}"):
                self._places[term].append(place)

    def hold(self, triplet: c.Triplet) -> bool | None:
        question, evidence = triplet["question"] or "", texts.split_variants(triplet["evidence"])
        if evidence:
            return any(self._have_evidence(text) for text in evidence)
        golden = (triplet["fact"] or "").strip() or triplet["answer"] or ""
        sought = texts.seek(question, golden)
        if sought is None:
            named = {texts.name_document(source) for source in texts.split_variants(triplet["source"])}
            return bool(named & self._names) if named else None
        passages = self._find_nearest(f"{question} {golden}")
        states = any(texts.state_fact(sought, text, title) is not None for text, title in passages)
        return states and texts.find_other_year(sought, passages) is None

    def _have_evidence(self, evidence: str) -> bool:
        level = " ".join(level_text(evidence).split())
        return any(
            level in " ".join(level_text(text).split()) or texts.is_evidence(evidence, text)
            for text, _ in self._find_nearest(evidence)
        )

    def _find_nearest(self, text: str) -> list[tuple[str, str]]:
        """The LOOKED_AT passages and their titles."""
        weights: Counter[int] = Counter()
        for term in texts.list_terms(text):
            places = self._places.get(term, ())
            for place in places:
                weights[place] += int(1000 * log(1 + len(self._passages) / len(places)))
        return [self._passages[place] for place, _ in weights.most_common(LOOKED_AT)]
