"""The judge of triplets: each golden triplet against its passage, with a quotation that has to stand there."""

from enum import StrEnum
from typing import NamedTuple, NotRequired, TypedDict

import polars as pl

from qaviz.judging.prompts import NONCE, TEXTS, write_prompt
from qaviz.llm import Fence, Reply, Request, Session, Tool, fence_texts
from qaviz.llm.proof import stands_in
from qaviz.llm.requests import object_schema, read_objects
from qaviz.model.columns import ANSWER, FACT, QUESTION, QUESTION_ID, typed_rows
from qaviz.model.records import Progress
from qaviz.store.labels import FINDING, QUOTATION, REPAIRED_ANSWER, REPAIRED_FACT, WHY

TOOL_NAME = "submit_finding"
PASSAGE, NEWER_PASSAGE = "passage", "newer_passage"


class TripletFinding(StrEnum):
    """What a judge says of a triplet beside its passage."""

    SUPPORTED = "supported"
    HALLUCINATED = "hallucinated"
    INCOMPLETE = "incomplete"
    IRRELEVANT = "irrelevant"
    AMBIGUOUS = "ambiguous"
    OUTDATED = "outdated"


VOID = "void"
FINDINGS_SCHEMA = pl.Schema(
    dict.fromkeys((QUESTION_ID, FINDING, QUOTATION, WHY, REPAIRED_ANSWER, REPAIRED_FACT, VOID), pl.String())
)
"""One row a triplet. FINDING is null where VOID says why the judge's word does not count; REPAIRED_* are proposals that
have to pass the gate."""


class TripletRow(TypedDict):
    """A golden triplet beside the passage that it comes from."""

    question_id: str
    question: str
    answer: str | None
    fact: str | None
    passage: str
    newer_passage: NotRequired[str | None]
    """What the document says now, where it has changed."""


class ReadFinding(NamedTuple):
    """What one reply says of a triplet, in the order of FINDINGS_SCHEMA; only `void` where it does not count."""

    finding: str | None = None
    quotation: str | None = None
    why: str | None = None
    repaired_answer: str | None = None
    repaired_fact: str | None = None
    void: str | None = None


def triplet_request(row: TripletRow) -> Request:
    """The request that judges one triplet."""
    fence = _fence_row(row)
    newer = bool(row.get("newer_passage"))
    meanings = {name: says for name, says in TEXTS["findings"].items() if newer or name != TripletFinding.OUTDATED}
    properties = {
        NONCE: {"type": "string", "enum": [fence.nonce]},
        "reason": {"type": "string"},
        FINDING: {"type": "string", "enum": [finding.value for finding in TripletFinding if finding in meanings]},
        QUOTATION: {"type": "string"},
        REPAIRED_ANSWER: {"type": ["string", "null"]},
        REPAIRED_FACT: {"type": ["string", "null"]},
    }
    parameters = object_schema(properties, optional=(REPAIRED_ANSWER, REPAIRED_FACT))
    tool = Tool(name=TOOL_NAME, description="Submit the finding on one triplet.", parameters=parameters)
    findings = "\n".join(f"- {name}: {says}" for name, says in meanings.items())
    system = write_prompt("triplet", fence, TOOL_NAME, findings=findings)
    return Request(system=system, prompt=fence.text, temperature=0.1, max_tokens=700, tool=tool)


def _fence_row(row: TripletRow) -> Fence:
    texts = {PASSAGE: row["passage"], NEWER_PASSAGE: row.get("newer_passage")}
    texts |= {QUESTION: row["question"], ANSWER: row["answer"], FACT: row["fact"]}
    return fence_texts({name: text for name, text in texts.items() if text})


def judge_triplets(session: Session, triplets: pl.DataFrame, *, progress: Progress) -> pl.DataFrame:
    """Judge each triplet against its passage; returns FINDINGS_SCHEMA. Raises as `Session.ask`. `triplets` has
    QUESTION_ID, QUESTION, ANSWER, FACT, PASSAGE and, if there is one, NEWER_PASSAGE."""
    rows = [*typed_rows(triplets, TripletRow)]
    replies = session.ask([triplet_request(row) for row in rows], progress=progress)
    findings = [(row["question_id"], *read_finding(row, reply)) for row, reply in zip(rows, replies, strict=True)]
    return pl.DataFrame(findings, schema=FINDINGS_SCHEMA, orient="row")


def read_finding(row: TripletRow, reply: Reply) -> ReadFinding:
    """What one reply says of the triplet. A finding counts only with a quotation that stands in the passage."""
    if reply.failure or reply.cut:
        return ReadFinding(void=str(reply.failure or "the reply was cut"))
    nonce, objects = _fence_row(row).nonce, read_objects(reply.text)
    ours = [content for content in objects if content is None or content.get(NONCE) == nonce]
    if len(ours) != 1 or ours[0] is None:
        return ReadFinding(void="no single JSON object with the nonce")
    content = ours[0]
    finding, quotation = content.get(FINDING), content.get(QUOTATION)
    if not isinstance(finding, str) or finding not in set(TripletFinding):
        return ReadFinding(void="no finding of the list")
    passage = row.get("newer_passage") if finding == TripletFinding.OUTDATED else row["passage"]
    if not stands_in(quotation, passage or ""):
        return ReadFinding(void=f"{finding}, but the quotation does not stand in the passage")
    texts = map(content.get, ("reason", REPAIRED_ANSWER, REPAIRED_FACT))
    why, answer, fact = (text.strip()[:2_000] or None if isinstance(text, str) else None for text in texts)
    return ReadFinding(finding, str(quotation), why, answer, fact)


def to_repair(triplets: pl.DataFrame, findings: pl.DataFrame) -> pl.DataFrame:
    """The triplets that a finding would repair, with the proposed ANSWER and FACT: what has to pass the gate."""
    proposed = findings.drop_nulls([FINDING, REPAIRED_ANSWER, REPAIRED_FACT])
    proposed = proposed.filter(pl.col(FINDING) != TripletFinding.SUPPORTED.value)
    both = triplets.join(proposed, on=QUESTION_ID, how="inner", maintain_order="left")
    return both.with_columns(pl.col(REPAIRED_ANSWER).alias(ANSWER), pl.col(REPAIRED_FACT).alias(FACT))
