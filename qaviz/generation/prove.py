"""The second reading: a model that is blind to a triplet's answer answers its question from the passage and quotes it.

Two answers that agree by their values and words, with a quotation that stands, prove a triplet; a question that is said
to be unanswerable is asked of the best passages of the whole corpus. Without agreement a person decides. What does not
say what it is about reads the same for another answer: it is written again once, or left to a person.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import polars as pl

from qaviz.diagnosis.stance import Stance
from qaviz.diagnosis.weigh import Case as Judged
from qaviz.diagnosis.weigh import weigh
from qaviz.generation import passages
from qaviz.generation.passages import Corpus, Place, derive, is_stated, names, read_values, stands_exactly, terms
from qaviz.generation.refute import CALCULATION, REFUTED, UNANSWERABLE, Case, open_case
from qaviz.llm import Failure, Reply, Request, Tool, fence_texts
from qaviz.llm.proof import Item, Passage, Proof
from qaviz.llm.requests import object_schema, read_objects
from qaviz.model.columns import QUESTION_ID
from qaviz.reading import detect_language, level_text
from qaviz.reading.sides import read_side
from qaviz.store.labels import NOT_REFUTED

ACCEPTED, TO_REVIEW = "accepted", "to review"
"""Proved by a second reading, or by a person; neither proved nor refuted, so that a person decides."""
SEARCHED = 10
"""Best passages of the corpus, beside its own one, that an unanswerable question is asked of."""
AMBIGUOUS, UNPROVED, DISAGREES, NOT_READ = "ambiguous", "not-proved", "disagrees", "not-read"
"""Rules of those to review."""
ANSWERED, CONTRADICTED = "answered", "contradicted"
"""Rules that refute by a quotation: the documents answer an unanswerable question, or say something else."""
NOT_ASKED = (Failure.CAP, Failure.CANCELLED, Failure.NOT_RECORDED)
"""Why a chunk, or a question, has no reply that is no failure: it was not asked yet."""


class ProofCall(NamedTuple):
    """What one passage is asked."""

    chunk: str
    item: Item
    triplets: list[str]
    """The ids of the triplets whose questions these are."""


def plan_proofs(triplets: pl.DataFrame, corpus: Corpus) -> list[ProofCall]:
    """The calls that prove the triplets that are NOT_REFUTED: one passage and its questions each, in the corpus' order.
    A question goes to its own passage; one that is to be unanswerable also to the SEARCHED best ones."""
    by_passage: dict[str, list[tuple[str, str]]] = defaultdict(list)
    waiting = triplets.filter(pl.col("status") == NOT_REFUTED)
    for triplet, question, kind, chunk in waiting.select(QUESTION_ID, "question", "kind", "chunk").iter_rows():
        searched = corpus.rank(question, SEARCHED) if kind == UNANSWERABLE else []
        for place in dict.fromkeys((chunk, *(passage.chunk for passage, _ in searched))):
            by_passage[place].append((triplet, question))
    calls = []
    for chunk, asked_of in by_passage.items():
        if passage := corpus.find(chunk):
            shown = Passage(passage.text, passage.document, passage.heading)
            owners, questions = map(list, zip(*asked_of, strict=True))
            calls.append(ProofCall(chunk, (shown, questions), owners))
    return calls


def decide_triplets(
    triplets: pl.DataFrame, calls: Sequence[ProofCall], proofs: Sequence[Sequence[Proof]], corpus: Corpus
) -> pl.DataFrame:
    """The triplets with those that are NOT_REFUTED accepted, refuted or to review, with `evidence`: what is quoted."""
    gathered: dict[str, list[Proof]] = defaultdict(list)
    for call, read in zip(calls, proofs, strict=True):
        for triplet, proof in zip(call.triplets, read, strict=True):
            gathered[triplet].append(proof)
    decided: dict[str, _Decision] = {}
    waiting = triplets.filter(pl.col("status") == NOT_REFUTED)
    unanswerable = pl.col("kind") == UNANSWERABLE
    for row in waiting.filter(~unanswerable).iter_rows(named=True):
        proof = next(iter(gathered[row[QUESTION_ID]]), Proof(void="nothing was read"))
        decided[row[QUESTION_ID]] = _decide_answer(row, proof, corpus)
    # What a reader says that finds none does not count if it agreed with less than a quarter of the other answers.
    statuses = [status for status, rule, *_ in decided.values() if rule != NOT_READ]
    reads = statuses.count(ACCEPTED) >= len(statuses) / 4  # else it may have missed those of unanswerable questions
    for triplet in waiting.filter(unanswerable)[QUESTION_ID]:
        decided[triplet] = _decide_unanswerable(gathered[triplet], reads=reads)
    columns = ("status", "rule", "reason", "evidence")
    rows = [decided.get(row[QUESTION_ID], tuple(map(row.get, columns))) for row in triplets.iter_rows(named=True)]
    return triplets.with_columns(
        pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row").get_columns()
    )


_Decision = tuple[str | None, ...]
"""Status, rule, reason and evidence."""


def _decide_unanswerable(proofs: Sequence[Proof], *, reads: bool) -> _Decision:
    for proof in proofs:
        if proof.answerable:
            reason = f"The documents answer it: {proof.answer[:200]} (“{proof.quote[:300]}”)"
            return REFUTED, ANSWERED, reason, proof.quote
    void = next((proof.void for proof in proofs if proof.void), None if proofs else "nothing was read")
    if void:
        rule = NOT_READ if void in NOT_ASKED else UNPROVED
        return TO_REVIEW, rule, f"The search of the documents is not complete: {void}.", ""
    missed = "The second reader agrees with hardly any answer, so that it may have missed one."
    return (ACCEPTED, None, None, "") if reads else (TO_REVIEW, UNPROVED, missed, "")


def _decide_answer(row: Mapping[str, str], proof: Proof, corpus: Corpus) -> _Decision:
    if proof.void:
        return TO_REVIEW, NOT_READ if proof.void in NOT_ASKED else UNPROVED, f"No second reading: {proof.void}.", ""
    if not proof.answerable:
        reason = f"The second reader finds no answer in the passage; the first: {row['answer'][:300]}"
        return TO_REVIEW, DISAGREES, reason, ""
    case = open_case(row, corpus)
    if not agree(row["question"], row["answer"], row["fact"], proof.answer):
        refuted = case is not None and contradicts(case, proof)
        reason = f"Two readings: {row['answer'][:300]} | {proof.answer[:300]} (“{proof.quote[:300]}”)"
        return *((REFUTED, CONTRADICTED) if refuted else (TO_REVIEW, DISAGREES)), reason, proof.quote
    if case is None or not bears_out(case, proof):
        reason = f"The quotation does not state the fact: “{proof.quote[:300]}”"
        return TO_REVIEW, UNPROVED, reason, proof.quote
    return ACCEPTED, None, None, proof.quote


def contradicts(case: Case, proof: Proof) -> bool:
    """Whether the quoted words alone speak against the answer: they take the other side, or state no form of its fact
    and have more of the question than any place that does."""
    if case.is_yes_no:
        own, other, quoted = (_take_side(text, case.question) for text in (case.answer, proof.answer, proof.quote))
        return None not in (own, other, quoted) and own != other == quoted
    asked_for = terms(case.question)
    own_share = max((len(asked_for & terms(f"{place.whole} {place.header}")) for place in case.home), default=0)
    proved = replace(case, fact=proof.answer)
    return not bears_out(case, proof) and bears_out(proved, proof) and len(asked_for & terms(proof.quote)) > own_share


def _take_side(text: str, question: str) -> bool | None:
    """Whether a text says yes to a question; None where it takes no side."""
    side = read_side(text, question, detect_language(question))
    return side and side.yes


def agree(question: str, answer: str, fact: str, other: str) -> bool:
    """Whether another answer says what a triplet says, and the triplet what it says: by values, names, sides, words. An
    answer of up to six words is compared as a fact."""
    forwards = weigh(Judged(question, answer, fact, other))
    if forwards.leading is None or forwards.leading.stance is not Stance.AGREES or forwards.declined:
        return False
    backwards = weigh(Judged(question, other, other if len(other.split()) <= 6 else "", answer)).leading
    return backwards is None or backwards.stance is not Stance.CONTRADICTS


def bears_out(case: Case, proof: Proof) -> bool:
    """Whether the quotation has a form of the fact, or the values that it is computed from, and takes no other side."""
    quoted, level = read_values(proof.quote), level_text(proof.quote)
    if case.is_yes_no:
        return _take_side(proof.quote, case.question) in (None, _take_side(case.variants[0].text, case.question))
    first = case.variants[0]
    if not first.values:
        return any(stands_exactly(variant.level, level) for variant in case.variants)
    unstated = [value for value in first.values if not is_stated(value, quoted)]
    absent = [value for value in unstated if first.text[value.start : value.end].strip() not in proof.quote]
    # A cell of a table in millions has the same digits.
    own, digits = ({str(token.value).replace(".", "").strip("0") for token in side} for side in (absent, quoted))
    return own <= digits or case.kind == CALCULATION or any(derive(value, quoted) for value in absent)


_PRONOUN, _IT_TAKES, _UNSEEN, _GERMAN = map(passages.pattern_of, ("pronoun", "it_takes", "unseen", "german"))
_GENERIC = terms(" ".join(passages.PHRASES["generic"]))
_SAME = 0.95
"""Share of its own passage's score from which another document's passage fits a question as well."""


def find_lack(case: Case, corpus: Corpus) -> str | None:
    """What the question lacks to be understood alone, as words behind `it does not say`; None for nothing."""
    named = _named_in(case, corpus)
    # `How many did it employ?`: words that point at a text which the reader does not see.
    match = _UNSEEN.search(case.question) or (not named and _PRONOUN.search(_IT_TAKES.sub("", case.question)))
    if match:
        return f"what “{match.group().strip()[-40:]}” stands for"
    # Scripts without capitals tell no names, and German capitals tell more than names.
    told_by_capitals = any(map(str.islower, case.question)) and len(_GERMAN.findall(case.question)) < 2
    if told_by_capitals and not named:
        return f"the document, organisation or product that it is about ({case.passage.document})"
    return None if case.kind == UNANSWERABLE else _lacks_document(case, corpus)


def _named_in(case: Case, corpus: Corpus) -> bool:
    """Whether the question has a name that its document has, or a telling word of its title or file name."""
    document = case.passage.document
    vocabulary = corpus.words.get(document, frozenset())
    if any(passages.split_words(name) & vocabulary for name in names(case.question)):
        return True
    title = terms(corpus.titles.get(document, "")) - _GENERIC
    telling = {term for term in title if not term.isdecimal()}
    shared = terms(case.question) & telling
    return len(shared) >= min(2, len(telling)) > 0


def _lacks_document(case: Case, corpus: Corpus) -> str | None:
    """Another document's passage has every word of the question, and fits as well or has another value."""
    own = case.passage
    ranked = corpus.rank(case.question, most=12)  # where its own is none of them, all of them fit better
    best = next((score for passage, score in ranked if passage.chunk == own.chunk), 0.0)
    asked_for = terms(case.question) & _words_of(own, corpus)
    for other, score in ranked:
        if other.document == own.document or other.text == own.text or not asked_for <= _words_of(other, corpus):
            continue
        if score >= _SAME * best or any(_says_other(home, other, asked_for) for home in case.home):
            return f"which document it is about: {own.document} or {other.document}"
    return None


def _says_other(home: Place, other: passages.Passage, asked_for: frozenset[str]) -> bool:
    """Whether another passage has a statement with what this one shares with the question, and another value."""
    shared = asked_for & home.key
    return len(shared) > 1 and any(
        shared <= place.key and place.values and place.level != home.level for place in other.places
    )


def _words_of(passage: passages.Passage, corpus: Corpus) -> frozenset[str]:
    return terms(f"{corpus.titles.get(passage.document, '')} {passage.heading} {passage.text}")


def find_lacks(triplets: pl.DataFrame, corpus: Corpus) -> dict[str, str]:
    """By the ids of the triplets that are NOT_REFUTED and whose question lacks something: what it lacks."""
    lacks = {}
    for row in triplets.filter(pl.col("status") == NOT_REFUTED).iter_rows(named=True):
        case = open_case(row, corpus)
        if case and (lack := find_lack(case, corpus)):
            lacks[row[QUESTION_ID]] = lack
    return lacks


_REWRITE = Tool(
    name="rewrite",
    description="The question, written so that it is understood alone.",
    parameters=object_schema({"question": {"type": "string"}}),
)
_REWRITING = Path(__file__).with_name("rewrite.txt").read_text("utf-8")


def rewrite_requests(triplets: pl.DataFrame, lacks: Mapping[str, str], corpus: Corpus) -> list[Request]:
    """The requests that have each of these questions written again with what it lacks, in the order of `lacks`."""
    rows = {row[QUESTION_ID]: row for row in triplets.iter_rows(named=True)}
    requests = []
    for triplet, lack in lacks.items():
        row, passage = rows[triplet], corpus.find(rows[triplet]["chunk"])
        texts = {"document name": passage.document, "headings": passage.heading} if passage else {}
        texts |= {"passage": passage.text if passage else "", "question": row["question"], "answer": row["answer"]}
        fence = fence_texts({name: text for name, text in texts.items() if text} | {"what it lacks": lack})
        system = f"{_REWRITING}\n{fence.notice}"
        requests.append(Request(system=system, prompt=fence.text, temperature=0.0, max_tokens=300, schema=_REWRITE))
    return requests


def read_rewrites(triplets: pl.DataFrame, lacks: Mapping[str, str], replies: Sequence[Reply]) -> pl.DataFrame:
    """The triplets with the questions that were written again; what was asked before stands in their note."""
    written = pl.col(QUESTION_ID).replace_strict(
        dict(zip(lacks, map(_read_rewrite, replies), strict=True)), default=None, return_dtype=pl.String
    )
    changed = (written != pl.col("question")).fill_null(False)
    before = pl.concat_str(pl.lit("Written again; before: "), "question")
    note = pl.concat_str("note", before, separator=" ", ignore_nulls=True)
    return triplets.with_columns(set_where(changed, question=written, note=note))


def _read_rewrite(reply: Reply) -> str | None:
    """The question of a reply that has one and no more."""
    if reply.failure or reply.cut:
        return None
    objects = [content for content in read_objects(reply.text) if content is None or "question" in content]
    question = objects[0].get("question") if len(objects) == 1 and objects[0] else None
    return " ".join(question.split()) or None if isinstance(question, str) else None


def leave_to_people(triplets: pl.DataFrame, corpus: Corpus) -> pl.DataFrame:
    """The triplets with those TO_REVIEW that are NOT_REFUTED and whose question lacks something."""
    reasons = {
        triplet: f"The question reads the same for another answer: it does not say {lack}."
        for triplet, lack in find_lacks(triplets, corpus).items()
    }
    lacking = pl.col(QUESTION_ID).is_in([*reasons])
    reason = pl.col(QUESTION_ID).replace_strict(reasons, default=None, return_dtype=pl.String)
    return triplets.with_columns(set_where(lacking, status=TO_REVIEW, rule=AMBIGUOUS, reason=reason))


def set_where(condition: pl.Expr, **values: pl.Expr | str | None) -> list[pl.Expr]:
    """These columns with these values where the condition holds; elsewhere they are as they were."""
    columns = {name: text if isinstance(text, pl.Expr) else pl.lit(text, pl.String) for name, text in values.items()}
    return [pl.when(condition).then(value).otherwise(name).alias(name) for name, value in columns.items()]
