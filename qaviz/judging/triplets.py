"""The judge of triplets: each golden triplet against its passage, with a quotation that has to stand there."""

import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import polars as pl

from qaviz.judging.prompts import NONCE, read_objects
from qaviz.llm import Fence, Reply, Request, Session, Tool, fence_texts
from qaviz.llm.asking import Cancelled
from qaviz.model.columns import ANSWER, FACT, QUESTION, QUESTION_ID
from qaviz.model.records import Progress
from qaviz.store.grades import FINDING, QUOTATION, REPAIRED_ANSWER, REPAIRED_FACT, WHY

TOOL_NAME = "submit_finding"
PASSAGE, NEWER_PASSAGE = "passage", "newer_passage"
SHORTEST_QUOTATION = 3
"""Characters: a shorter quotation stands in any text."""


class TripletFinding(StrEnum):
    """What a judge says of a triplet beside its passage."""

    SUPPORTED = "supported"
    HALLUCINATED = "hallucinated"
    INCOMPLETE = "incomplete"
    IRRELEVANT = "irrelevant"
    AMBIGUOUS = "ambiguous"
    OUTDATED = "outdated"


_MEANING = {
    TripletFinding.SUPPORTED: "the passage states the answer and the fact, and the question asks for them",
    TripletFinding.HALLUCINATED: "the answer or the fact says what the passage does not say, or says otherwise",
    TripletFinding.INCOMPLETE: "the answer leaves out a part of what the question asks for and the passage states",
    TripletFinding.IRRELEVANT: "the question does not ask for what the answer gives, or nobody would ask it",
    TripletFinding.AMBIGUOUS: "the question can be understood in several ways that have different answers",
    TripletFinding.OUTDATED: "the newer passage states another answer",
}

VOID, CONSISTENT = "void", "consistent"
FINDINGS_SCHEMA = pl.Schema(
    {
        QUESTION_ID: pl.String(),
        FINDING: pl.String(),
        QUOTATION: pl.String(),
        WHY: pl.String(),
        REPAIRED_ANSWER: pl.String(),
        REPAIRED_FACT: pl.String(),
        VOID: pl.String(),
        CONSISTENT: pl.Boolean(),
    }
)
"""One row a triplet. FINDING is null where VOID says why the judge's word does not count; REPAIRED_* are proposals that
have to pass the gate. CONSISTENT: whether all repeats found the same; null for one."""


def triplet_requests(row: Mapping[str, Any], repeats: int = 1) -> list[Request]:
    """The requests that judge one triplet: QUESTION, ANSWER, FACT, PASSAGE and, where there is one, NEWER_PASSAGE."""
    fence = _fence(row)
    newer = bool(row.get(NEWER_PASSAGE))
    known = [each for each in TripletFinding if newer or each is not TripletFinding.OUTDATED]
    lines = [
        "You check one question of a golden dataset, its answer and its fact against the passage that it comes from.",
        "Say which one of these it is; where several fit, the first:",
        *(f"- {each}: {_MEANING[each]}" for each in sorted(known, key=lambda each: each is TripletFinding.SUPPORTED)),
        "Give the reason first. Then quote, word by word, the piece of the passage (for outdated: of the newer one) "
        "that shows it. A finding without such a quotation does not count.",
        "Where the answer or fact can be mended from the passage, propose both, the fact in at most three words.",
        fence.notice,
        f"Call the function {TOOL_NAME} once, or reply with its arguments as one JSON object and nothing else; "
        f'"{NONCE}" is "{fence.nonce}".',
    ]
    tool = _tool(fence.nonce, known)
    return [
        Request(system="\n".join(lines), prompt=fence.text, temperature=0.1, max_tokens=700, tool=tool, repeat=repeat)
        for repeat in range(repeats)
    ]


def _fence(row: Mapping[str, Any]) -> Fence:
    names = (PASSAGE, NEWER_PASSAGE, QUESTION, ANSWER, FACT)
    return fence_texts({name: str(row[name]) for name in names if row.get(name)})


def _tool(nonce: str, known: list[TripletFinding]) -> Tool:
    properties = {
        NONCE: {"type": "string", "enum": [nonce]},
        "reason": {"type": "string"},
        FINDING: {"type": "string", "enum": [each.value for each in known]},
        QUOTATION: {"type": "string"},
        REPAIRED_ANSWER: {"type": ["string", "null"]},
        REPAIRED_FACT: {"type": ["string", "null"]},
    }
    return Tool(
        name=TOOL_NAME,
        description="Submit the finding on one triplet.",
        parameters={
            "type": "object",
            "properties": properties,
            "required": [NONCE, "reason", FINDING, QUOTATION],
            "additionalProperties": False,
        },
    )


def judge_triplets(
    session: Session,
    triplets: pl.DataFrame,
    *,
    repeats: int = 1,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> pl.DataFrame:
    """Judge each triplet against its passage; returns FINDINGS_SCHEMA. Raises as `Session.ask`.

    `triplets` has QUESTION_ID, QUESTION, ANSWER, FACT, PASSAGE and, if there is one, NEWER_PASSAGE.
    """
    rows = triplets.to_dicts()
    asked = [request for row in rows for request in triplet_requests(row, repeats)]
    replies = session.ask(asked, progress=progress, cancelled=cancelled)
    found = [
        {QUESTION_ID: row[QUESTION_ID]} | _combine_repeats(row, replies[place * repeats : (place + 1) * repeats])
        for place, row in enumerate(rows)
    ]
    return pl.DataFrame(found, schema=FINDINGS_SCHEMA)


def _combine_repeats(row: Mapping[str, Any], replies: list[Reply]) -> dict[str, Any]:
    """The finding that most repeats share; the first of them speaks."""
    each = [read_finding(row, reply) for reply in replies]
    said = [one[FINDING] for one in each]
    most = max(dict.fromkeys(said), key=said.count)
    consistent = None if len(each) == 1 else len(set(said)) == 1
    return each[said.index(most)] | {CONSISTENT: consistent}


def read_finding(row: Mapping[str, Any], reply: Reply) -> dict[str, Any]:
    """What one reply says of the triplet, or under VOID why that does not count."""
    if reply.failure or reply.cut:
        return _void(str(reply.failure or "the reply was cut"))
    ours = [each for each in read_objects(reply.text) if each is None or each.get(NONCE) == _fence(row).nonce]
    if len(ours) != 1 or ours[0] is None:
        return _void("no single JSON object with the nonce")
    said = ours[0]
    finding, quotation = said.get(FINDING), said.get(QUOTATION)
    if finding not in {each.value for each in TripletFinding}:
        return _void("no finding of the list")
    outdated = finding == TripletFinding.OUTDATED.value
    if not stands_in(quotation, str(row.get(NEWER_PASSAGE if outdated else PASSAGE) or "")):
        return _void(f"{finding}, but the quotation does not stand in the passage")
    repaired = {name: _text(said.get(name)) for name in (REPAIRED_ANSWER, REPAIRED_FACT)}
    return {FINDING: finding, QUOTATION: quotation, WHY: _text(said.get("reason")), VOID: None} | repaired


def _void(why: str) -> dict[str, Any]:
    return dict.fromkeys((FINDING, QUOTATION, WHY, REPAIRED_ANSWER, REPAIRED_FACT)) | {VOID: why}


def _text(value: object) -> str | None:
    return value.strip()[:2_000] if isinstance(value, str) and value.strip() else None


def stands_in(quotation: object, passage: str) -> bool:
    """Whether a quotation stands in a passage word by word; blanks, quotation marks and letters' width do not count."""
    if not isinstance(quotation, str):
        return False
    wanted = _level(quotation)
    return len(wanted) >= SHORTEST_QUOTATION and wanted in _level(passage)


def _level(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).translate(str.maketrans("“”„«»‘’‚", '"""""\'\'\''))
    return re.sub(r"\s+", " ", plain).strip().strip("\"'").strip()


def to_repair(triplets: pl.DataFrame, findings: pl.DataFrame) -> pl.DataFrame:
    """The triplets that a finding would repair, with the proposed ANSWER and FACT: what has to pass the gate."""
    proposed = findings.drop_nulls([FINDING, REPAIRED_ANSWER, REPAIRED_FACT])
    proposed = proposed.filter(pl.col(FINDING) != TripletFinding.SUPPORTED.value)
    both = triplets.join(proposed, on=QUESTION_ID, how="inner", maintain_order="left")
    return both.with_columns(pl.col(REPAIRED_ANSWER).alias(ANSWER), pl.col(REPAIRED_FACT).alias(FACT))
