"""Facts worth asking about, without a model: the amounts, dates and names of documents, each with its sentence.

A person writes the question; the gate checks it as it does a model's.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import polars as pl

from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.documents.chunks import list_sentences
from qaviz.generation.gate.cases import names
from qaviz.generation.gate.figures import find_figures
from qaviz.generation.triplets import PRODUCED, triplet_id, with_other_forms
from qaviz.model.columns import QUESTION_ID

DRAFTS = pl.Schema(
    {
        "answer": pl.String(),
        "fact": pl.String(),
        "document": pl.String(),
        "start": pl.Int64(),
        "end": pl.Int64(),
        "kind": pl.String(),
        "page": pl.Int64(),
        "chunk": pl.String(),
    }
)
"""One row a fact: the sentence that states it, the fact with its other forms, where the sentence stands (characters of
the document's text), and whether the fact is an `amount`, a `date` or a `name`."""

BY_HAND = "by hand"
"""What stands in the place of a model where a person wrote the question."""
AMOUNT, DATE, NAME = "amount", "date", "name"
_LEAST_WORDS = 4
_LONGEST = 600
_PER_SENTENCE = 4


def draft_facts(chunks: pl.DataFrame) -> pl.DataFrame:
    """DRAFTS of all chunks, in reading order; a sentence that two chunks share is drafted once."""
    rows: list[tuple[object, ...]] = []
    seen: set[tuple[str, int]] = set()
    for chunk in chunks.iter_rows(named=True):
        for start, end, sentence in _select_sentences(chunk["text"]):
            place = (chunk["document"], chunk["start"] + start)
            if place in seen:
                continue
            seen.add(place)
            for fact, kind in _find_facts(sentence):
                forms = with_other_forms(fact, sentence, "")
                where = (chunk["document"], chunk["start"] + start, chunk["start"] + end)
                rows.append((sentence, forms, *where, kind, chunk["page"], chunk["chunk"]))
    return pl.DataFrame(rows, schema=DRAFTS, orient="row")


def _select_sentences(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and text of the sentences and rows that are long enough to hold a fact, and not too long."""
    for start, end, _ in list_sentences(text):
        sentence = text[start:end]
        enough = len(sentence.split()) >= _LEAST_WORDS or not sentence.isascii()
        if enough and len(sentence) <= _LONGEST:
            yield start, end, sentence


def _find_facts(sentence: str) -> list[tuple[str, str]]:
    """The facts of a sentence, each once: amounts and dates first, then names of two words and more."""
    figures = find_figures(sentence)
    spaced = len(level_text(sentence))  # Chinese is read with blanks around figures, which shift the offsets.
    facts: list[tuple[int, str, str]] = []
    for kind, figure in [(AMOUNT, one) for one in figures.amounts] + [(DATE, one) for one in figures.dates]:
        fact = sentence[figure.start : figure.end].strip(" .,;") if figure.end <= spaced else ""
        if any(char.isdigit() for char in fact):
            facts.append((figure.start, fact, kind))
    facts += [(sentence.index(name), name, NAME) for name in _find_names(sentence)]
    unique = {fact: (fact, kind) for _, fact, kind in sorted(facts)}
    return [*unique.values()][:_PER_SENTENCE]


def _find_names(sentence: str) -> Iterator[str]:
    """Names of two words and more: `Maria Keller`."""
    words = [*names(sentence, first_too=True)]
    for one, other in pairwise(words):
        if f"{one} {other}" in sentence:
            yield f"{one} {other}"


def note_owners(checked: pl.DataFrame, drafts: pl.DataFrame, written: pl.DataFrame) -> pl.DataFrame:
    """The checked triplets of `written_drafts`, with who owns each question and why it matters in front of its note.

    `written` has `question`, `owner` and `why`, a row a draft; what is empty is left out.
    """
    owners = drafts.select("chunk", "answer").hstack(written.select("question", "owner", "why").cast(pl.String))
    parts = [
        pl.when(pl.col(name).str.strip_chars() != "").then(pl.format(form, pl.col(name).str.strip_chars()))
        for name, form in (("owner", "Owner: {}."), ("why", "Why it matters: {}."))
    ]
    notes = (
        owners.filter(pl.col("question").str.strip_chars() != "")
        .select(
            "chunk",
            "answer",
            pl.col("question").str.strip_chars(),
            pl.concat_str(parts, separator=" ", ignore_nulls=True).alias("said"),
        )
        .unique(["chunk", "answer", "question"], keep="first")
    )
    both = pl.concat_str([pl.col("said").replace("", None), "note"], separator=" ", ignore_nulls=True)
    noted = checked.join(notes, on=["chunk", "answer", "question"], how="left", maintain_order="left")
    return noted.with_columns(note=both.replace("", None)).drop("said")


def written_drafts(drafts: pl.DataFrame, questions: Sequence[str | None]) -> pl.DataFrame:
    """PRODUCED, not checked yet, of the drafts that a person has written a question for."""
    rows = [
        (
            triplet_id(row["chunk"], BY_HAND, question, row["answer"]),
            row["chunk"],
            question.strip(),
            row["answer"],
            row["fact"],
        )
        for row, question in zip(drafts.iter_rows(named=True), questions, strict=True)
        if question and question.strip()
    ]
    schema = dict.fromkeys((QUESTION_ID, "chunk", "question", "answer", "fact"), pl.String)
    written = pl.DataFrame(rows, schema=schema, orient="row")
    given = written.with_columns(kind=pl.lit("single fact"), reply=pl.lit(""))
    return given.match_to_schema(PRODUCED, missing_columns="insert")
