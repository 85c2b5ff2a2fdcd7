"""Claim by claim: whether the passages that a response was given say each of its sentences, with a quotation.

A judge reads passages and claim by the same call as proofs of triplets (`qaviz.llm.proof`): what it says counts with a
quotation that stands in the passages, else the claim is not found.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import islice

import polars as pl

from qaviz.contexts.passages import find_sentences
from qaviz.judging.agreement import GraderAgreement, compare_graders
from qaviz.judging.probes import MOST_FLIPS, TEXTS, Probe, injected_rows, measure_known, wrap_orders
from qaviz.llm import Request, Session
from qaviz.llm.proof import Item, Passage, Proof, proof_requests, prove, stands_in
from qaviz.model import columns as c
from qaviz.model.records import Progress
from qaviz.reading.sides import read_side

LONGEST = 60_000
"""Characters of the passages of one response that a judge is given; what stands behind is not read."""
CLAIM, STATE, PLACE, QUOTATION, VOID = "claim", "state", "passage", "quotation", "void"
SUPPORTED, UNSUPPORTED = "supported", "unsupported"
INJECTIONS = tuple(" ".join(text.split()) for text in wrap_orders(TEXTS["claim_orders"], "answer", "yes"))
CLAIMS_SCHEMA = pl.Schema(
    dict.fromkeys((c.QUESTION_ID, c.PIPELINE, CLAIM, STATE), pl.String())
    | {PLACE: pl.Int32(), QUOTATION: pl.String(), VOID: pl.String()}
)
"""A row a claim. PLACE, from 1, and QUOTATION: where a passage says it or the opposite. VOID: why a reply does not
count, for a claim that is then not found."""


class Claim(StrEnum):
    """What the passages say of a claim."""

    ENTAILED = "entailed"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not found"


def _list_claims(rows: pl.DataFrame) -> list[list[str]]:
    """The claims of each response with contexts: none where it says nothing, or refuses (VERDICT, if it is there)."""
    declined = rows[c.VERDICT] == "declined" if c.VERDICT in rows.columns else [False] * rows.height
    claims = []
    for response, contexts, refuses in zip(rows[c.RESPONSE].fill_null(""), rows[c.CONTEXTS], declined, strict=True):
        texts = [text or "" for text in (() if contexts is None or refuses else contexts)]
        sentences = find_sentences(response, texts) if any(texts) else []
        claims.append([response[start:end] for start, end, _, _ in sentences])
    return claims


def _ask_of(rows: pl.DataFrame, claims: Iterable[Sequence[str]]) -> list[Item]:
    """The passages of each response, and what the judge is asked of each of its claims."""
    return [
        (
            Passage("\n\n".join(text or "" for text in contexts or ())[:LONGEST]),
            [f"Asked “{question or ''}”, a text says: “{claim}” Is that true? Answer yes or no." for claim in of_row],
        )
        for (question, contexts), of_row in zip(rows.select(c.QUESTION, c.CONTEXTS).iter_rows(), claims, strict=True)
    ]


def claim_requests(rows: pl.DataFrame) -> list[Request]:
    """The requests that `judge_claims` sends, for an estimate."""
    return proof_requests(_ask_of(rows, _list_claims(rows)))


def judge_claims(session: Session, rows: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """CLAIMS_SCHEMA of responses with question and contexts, in their order. Raises QavizError as `Session.ask`."""
    claims = _list_claims(rows)
    proofs = prove(session, _ask_of(rows, claims), progress=progress)
    named = rows.select(c.QUESTION_ID, pl.col(c.PIPELINE).cast(pl.String), c.CONTEXTS).rows()
    read = [
        (question, pipeline, claim, *_read_proof(proof, contexts or ()))
        for (question, pipeline, contexts), own, of_row in zip(named, claims, proofs, strict=True)
        for claim, proof in zip(own, of_row, strict=True)
    ]
    return pl.DataFrame(read, schema=CLAIMS_SCHEMA, orient="row")


def _read_proof(proof: Proof, contexts: Sequence[str | None]) -> tuple[str, int | None, str | None, str | None]:
    """State, place of the passage from 1, quotation, and why the reply is void."""
    side = read_side(proof.answer) if proof.answerable else None
    if side is None:
        return Claim.NOT_FOUND, None, None, proof.void or ("neither yes nor no" if proof.answerable else None)
    places = (place for place, text in enumerate(contexts, start=1) if stands_in(proof.quote, text or ""))
    return Claim.ENTAILED if side.yes else Claim.CONTRADICTED, next(places, None), proof.quote, None


def compare_with_people(claims: pl.DataFrame, labels: pl.DataFrame) -> GraderAgreement:
    """How far the judge agrees with people's labels (LABEL: supported or unsupported) of the same responses, which it
    calls supported if all of their claims are entailed. Raises QavizError where none is labelled."""
    entailed = (pl.col(STATE) == Claim.ENTAILED.value).all()
    grade = pl.when(entailed).then(pl.lit(SUPPORTED)).otherwise(pl.lit(UNSUPPORTED))
    called = claims.group_by(c.QUESTION_ID, c.PIPELINE, maintain_order=True).agg(grade.alias(c.GRADE))
    return compare_graders(called, labels.select(c.QUESTION_ID, c.PIPELINE, pl.col(c.LABEL).alias(c.GRADE)))


def probe_claims(session: Session, rows: pl.DataFrame, progress: Progress | None = None) -> list[Probe]:
    """Ask of claims whose state is known: a sentence of the passages is entailed; one about something else is not,
    with passages, without any, or with one of the 40 injections behind it."""
    given = rows.filter(pl.col(c.CONTEXTS).list.len() > 0).drop(c.VERDICT, strict=False)
    own = pl.col(c.CONTEXTS).list.first().map_elements(_take_sentence, return_dtype=pl.String)
    empty = pl.lit([""], pl.List(pl.String)).alias(c.CONTEXTS)
    sets: Mapping[str, tuple[pl.DataFrame, bool]] = {
        "golden": (given.with_columns(own.alias(c.RESPONSE)).filter(pl.col(c.RESPONSE) != ""), True),
        "wrong": (given.with_columns(pl.lit(TEXTS["wrong"]).alias(c.RESPONSE)), False),
        "empty": (given.with_columns(own.alias(c.RESPONSE), empty), False),
        "injections": (injected_rows(given, INJECTIONS), False),
    }
    whole = pl.concat([part for part, _ in sets.values()])
    proofs = iter(prove(session, _ask_of(whole, [[response] for response in whole[c.RESPONSE]]), progress=progress))
    probes = []
    for name, (part, right) in sets.items():
        states = (_read_proof(of_row[0], ()) for of_row in islice(proofs, part.height))
        called = [None if void else state == Claim.ENTAILED for state, _, _, void in states]
        most = MOST_FLIPS if right else 0.0
        probes.append(measure_known(name, pl.Series(called, dtype=pl.Boolean), right=right, most=most))
    return probes


def _take_sentence(text: str) -> str:
    return next((text[start:end] for start, end, _, _ in find_sentences(text, [text])), "")
