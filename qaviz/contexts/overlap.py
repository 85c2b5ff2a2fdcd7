"""How many of a response's words stand in its passages, and which of its citations point nowhere.

Overlap proves nothing: a passage that says another number in the same words overlaps as well. What passages bear out,
a judge says claim by claim (`qaviz.judging.claims`).
"""

import re
from collections.abc import Sequence

import polars as pl

from qaviz.contexts.passages import list_terms, share_held
from qaviz.contexts.retrieval import name_document
from qaviz.model import columns as c
from qaviz.reading.level import level_text, sentences

FOUND, PARTLY, NOT_FOUND = "found", "partly", "not found"
MOST, LITTLE = 0.8, 0.4
"""Share of a sentence's words in one passage from which it is found, and below which it is not."""
OVERLAP_SCHEMA = pl.Schema(
    {c.CONTEXT_SUPPORT: pl.Float64(), c.SENTENCE_STATES: pl.String(), c.CITATIONS_WRONG: pl.Int32()}
)

_CITATION = re.compile(r"\[\^?(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\](?!\()|【(\d{1,3})[^】]{0,20}】")
_PLACE = re.compile(r"\((?:([^()\n]{1,60}), )?(?:pp?|pages?|S|Seiten?)\.? ?\d+(?:[–-]\d+)?\)")


def measure_overlap(rows: pl.DataFrame) -> pl.DataFrame:
    """Return OVERLAP_SCHEMA of rows with response, contexts and, if known, context_documents, in their order.

    `context_support`: the share, 0 to 1, of the response's words of content, each once, that stand in its passages;
    null without passages or words. `sentence_states`: FOUND, PARTLY or NOT_FOUND of each sentence, joined by "; ".
    `citations_wrong`: numbers that point to no passage, and documents with a page that none of them is from.
    """
    documents = rows[c.CONTEXT_DOCUMENTS] if c.CONTEXT_DOCUMENTS in rows.columns else [None] * rows.height
    cells = zip(rows[c.RESPONSE].fill_null(""), rows[c.CONTEXTS], documents, strict=True)
    return pl.DataFrame([_measure(*row) for row in cells], schema=OVERLAP_SCHEMA, orient="row")


def _measure(
    response: str, contexts: Sequence[str | None] | None, documents: Sequence[str | None] | None
) -> tuple[float | None, str | None, int | None]:
    levels = [level_text(text or "") for text in (() if contexts is None else contexts)]
    if not any(levels):
        return None, None, None
    wrong = sum(not 1 <= number <= len(levels) for number in list_citations(response))
    if known := {name_document(name) for name in (() if documents is None else documents) if name}:
        cited = (match[1] for match in _PLACE.finditer(response) if match[1])
        wrong += sum(not _is_among(name_document(name), known) for name in cited)
    terms = list_terms(hide_citations(response))
    if not terms:
        return None, None, wrong
    states = [state for _, _, state, _ in find_sentences(response, levels)]
    return share_held(terms, "\n".join(levels)), "; ".join(states), wrong


def find_sentences(response: str, contexts: Sequence[str]) -> list[tuple[int, int, str, int]]:
    """Return start, end, state and place of the nearest passage, from 0, of each sentence with a word of content."""
    plain, levels = hide_citations(response), [level_text(text) for text in contexts]
    read = []
    for start, end in sentences(plain):
        if terms := list_terms(plain[start:end]):
            shares = [share_held(terms, level) for level in levels]
            best = max(range(len(shares)), key=shares.__getitem__)
            state = FOUND if shares[best] >= MOST else NOT_FOUND if shares[best] < LITTLE else PARTLY
            read.append((start, end, state, best))
    return read


def _is_among(cited: str, documents: set[str]) -> bool:
    """Whether a citation names one of the documents, in full or in part: `Annual report` of `annual_report_2023`."""
    words = {word for word in re.split(r"[\W_]+", cited) if word}
    return any(words <= set(re.split(r"[\W_]+", document)) for document in documents)


def hide_citations(text: str) -> str:
    """The text with blanks for its citations: every other character keeps its place."""
    return _PLACE.sub(_blank, _CITATION.sub(_blank, text))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def list_citations(text: str) -> list[int]:
    """The numbers of the passages that a response cites: `[2]`, `[1, 3]`, `[2-4]`, `[^1]`, `【4】`; 1-based."""
    numbers: list[int] = []
    for match in _CITATION.finditer(text):
        for piece in re.split(r"\s*[,;]\s*", match[1] or match[2]):
            first, _, last = re.sub("\\s*[–-]\\s*", "-", piece).partition("-")
            span = range(int(first), int(last or first) + 1)
            numbers += span if 0 < len(span) <= 50 else [int(first)]
    return numbers
