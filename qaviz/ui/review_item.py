"""What a reader sees of a triplet: the passage with its evidence marked, the checks, and what an edit would change."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from qaviz.documents.chunks import CHUNKS
from qaviz.generation.gate import check_triplets
from qaviz.generation.gate.checking import ACCEPTED
from qaviz.generation.gate.marking import mark_evidence, missing_evidence
from qaviz.generation.triplets import place_in_words
from qaviz.model.columns import (
    AND_DELIMITER,
    ANSWER,
    FACT,
    OR_DELIMITER,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    RESPONSE,
    SOURCE,
)
from qaviz.model.visible import visible

TEXTS = (QUESTION, ANSWER, FACT)
MOST_RESPONSES = 5
LONGEST_RESPONSE = 1_500
LEGEND = "Marked: what the answer or the fact has too. Figures count in any form: 12,455 million is 12.5 billion."
NO_PASSAGE = "No passage is kept for this triplet. Its source is:"


def show_passage_of(triplet: Mapping[str, Any], passage: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the passage's place, its parts with what they state, and a legend; the triplet's source where none is."""
    if passage is None:
        source = triplet.get(SOURCE) or "none"
        return {"place": NO_PASSAGE, "parts": [{"text": visible(source), "kind": None}], "legend": ""}
    heading = f" · {passage['heading']}" if passage["heading"] else ""
    place = f"{place_in_words({**passage, 'start': passage['start_at'], 'end': passage['end_at']})}{heading}"
    marked = mark_evidence(passage["passage"], triplet[ANSWER], triplet[FACT])
    parts = [{"text": visible(text), "kind": kind} for text, kind in marked]
    return {"place": visible(place), "parts": parts, "legend": LEGEND}


def show_triplet(triplet: Mapping[str, Any]) -> dict[str, Any]:
    """Return the texts of the triplet, and the variants of its fact."""
    texts = {name: visible(triplet[name] or "") for name in TEXTS}
    parts = texts[FACT].replace(AND_DELIMITER, f" {AND_DELIMITER}{OR_DELIMITER}").split(OR_DELIMITER)
    return {**texts, "variants": [each.strip() for each in parts if each.strip()]}


def check_triplet(triplet: Mapping[str, Any], passage: Mapping[str, Any] | None) -> list[str]:
    """Return what the gate and the figures say of the triplet beside its passage, a sentence each."""
    if passage is None:
        return []
    missing = missing_evidence(passage["passage"], triplet[ANSWER], triplet[FACT])
    found = [f"The passage does not state {', '.join(map(visible, missing))}."] if missing else []
    return [*found, ask_gate(triplet, passage)]


def ask_gate(triplet: Mapping[str, Any], passage: Mapping[str, Any]) -> str:
    """Return the gate's word on the triplet, in a sentence."""
    chunk = {
        "chunk": passage["chunk"],
        "document": passage["document"],
        "document_hash": passage["document_hash"],
        "page": passage["page"],
        "last_page": passage["last_page"],
        "start": passage["start_at"],
        "end": passage["end_at"],
        "heading": passage["heading"],
        "text": passage["passage"],
    }
    chunks = pl.DataFrame([{name: chunk.get(name) for name in CHUNKS.names()}], schema=CHUNKS)
    asked = {name: triplet[name] or "" for name in TEXTS} | {"kind": passage["kind"], "chunk": passage["chunk"]}
    row = check_triplets(pl.DataFrame([asked]), chunks).row(0, named=True)
    if row["status"] == ACCEPTED:
        return "The gate accepts it: the fact is proved in the passage."
    return f"The gate rejects it ({row['rule']}): {visible(row['reason'])}"


def show_responses(rows: pl.DataFrame | None, question_id: str) -> list[dict[str, str]]:
    """Return what pipelines answer to the triplet's question: the first MOST_RESPONSES of them."""
    if rows is None:
        return []
    found = rows.lazy().filter(pl.col(QUESTION_ID) == question_id).select(pl.col(PIPELINE).cast(pl.String), RESPONSE)
    return [
        {"pipeline": visible(pipeline), "text": visible((response or "")[:LONGEST_RESPONSE])}
        for pipeline, response in found.head(MOST_RESPONSES).collect().iter_rows()
    ]


def compare_texts(triplet: Mapping[str, Any], edited: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return, for each text that an edit changes, its name and its words with what was added and removed."""
    return [
        {"field": name, "parts": list(_compare_words(visible(triplet[name] or ""), visible(edited[name])))}
        for name in TEXTS
        if edited.get(name) is not None and edited[name] != (triplet[name] or "")
    ]


def _compare_words(before: str, after: str) -> Iterator[dict[str, str | None]]:
    old, new = _words(before), _words(after)
    for _, first, last, begin, end in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        removed, added = "".join(old[first:last]), "".join(new[begin:end])
        if removed == added:
            yield {"text": removed, "kind": None}
            continue
        if removed:
            yield {"text": removed, "kind": "removed"}
        if added:
            yield {"text": added, "kind": "added"}


def _words(text: str) -> Sequence[str]:
    return re.findall(rf"\s+|{OR_DELIMITER}|{AND_DELIMITER}|[^\s<]+|<", text)
