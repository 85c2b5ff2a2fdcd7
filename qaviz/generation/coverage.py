"""What documents offer to ask about, found without a model; what a golden dataset covers of it; and which chunks to ask
again for what is missing.

From the facts a person can write questions too; the gate checks them as it does a model's.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import polars as pl

from qaviz.documents import CHUNKS
from qaviz.documents.chunks import list_sentences
from qaviz.generation.gate import ACCEPTED, CLEARLY_BETTER
from qaviz.generation.gate.cases import YES_AND_NO, names
from qaviz.generation.gate.kinds import QUESTION_TYPES
from qaviz.generation.gate.passages import find_figures
from qaviz.generation.prompting import Generation, Prompt
from qaviz.generation.triplets import PRODUCED, triplet_id, with_other_forms
from qaviz.model import columns as c
from qaviz.store.golden_versions import passages, versions
from qaviz.store.workspace import Workspace

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
    facts: list[tuple[int, str, str]] = []
    for kind, figure in [(AMOUNT, one) for one in figures.amounts] + [(DATE, one) for one in figures.dates]:
        fact = sentence[figure.start : figure.end].strip(" .,;")
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
    schema = dict.fromkeys((c.QUESTION_ID, "chunk", "question", "answer", "fact"), pl.String)
    written = pl.DataFrame(rows, schema=schema, orient="row")
    given = written.with_columns(kind=pl.lit("single fact"), reply=pl.lit(""))
    return given.match_to_schema(PRODUCED, missing_columns="insert")


COVERAGE = pl.Schema(
    {"dimension": pl.String(), "value": pl.String(), "offered": pl.Int64(), "triplets": pl.Int64()}
    | {"questions": pl.List(pl.String())}
)
"""One row a document, section, document with tables, kind of fact, question type and difficulty: how many chunks offer
it, or facts for a kind of fact (null where documents do not say), and the accepted triplets that have it."""

DOCUMENT, SECTION, TABLE = "document", "section", "tables of"
FACT_KIND, TYPE, DIFFICULTY = "kind of fact", "question type", "difficulty"
EASY, MEDIUM, HARD = "easy to find", "medium", "hard to find"
"""By BM25: the passage is clearly the best for its question; it is the best; another one is as good or better."""

_ROW = r"(?m)^.*\S \| \S.*: .*$"
"""A row of a table as chunks have it: `Nebraska | Price: 5.22`."""
_MONEY = re.compile(r"[$€£¥]|\b(?:usd|eur|gbp|dollars?|euros?)\b", re.IGNORECASE)
_MOST_OF_A_CHUNK = 5
"""Triplets that one chunk is asked for, at most."""


def read_kind(fact: str) -> str | None:
    """What a fact is: `percentage`, `money`, `amount`, `date`, `yes or no` or `name`; None without a fact."""
    first = fact.split(c.OR_DELIMITER)[0].strip()
    if not first:
        return None
    figures = find_figures(first)
    if figures.amounts:
        return "percentage" if "%" in (figures.amounts[0].unit, first[-1]) else _read_amount(first)
    if figures.dates:
        return "date"
    return "yes or no" if first.lower() in YES_AND_NO else "name"


def _read_amount(text: str) -> str:
    return "money" if _MONEY.search(text) else "amount"


def measure_coverage(produced: pl.DataFrame, chunks: pl.DataFrame) -> pl.DataFrame:
    """Return COVERAGE of CHUNKS by the accepted triplets of PRODUCED, in the order of the documents."""
    triplets = _place_triplets(produced, chunks)
    facts = draft_facts(chunks)["fact"].unique(maintain_order=True)
    kinds = pl.DataFrame({FACT_KIND: [read_kind(fact) for fact in facts]}, {FACT_KIND: pl.String})
    section = pl.concat_str("document", pl.col("heading").replace("", None), separator=": ", ignore_nulls=True)
    tables = pl.when(pl.col("text").str.contains(_ROW)).then("document")
    of_tables = pl.when("in_row").then("document")
    parts = (
        (DOCUMENT, _count_values(chunks, pl.col("document")), pl.col("document")),
        (SECTION, _count_values(chunks, section), section),
        (TABLE, _count_values(chunks, tables), of_tables),
        (FACT_KIND, _count_values(kinds, pl.col(FACT_KIND)), pl.col(FACT_KIND)),
        (TYPE, _list_values(QUESTION_TYPES), pl.col("kind")),
        (DIFFICULTY, _list_values((EASY, MEDIUM, HARD)), pl.col(DIFFICULTY)),
    )
    return pl.concat([_join_triplets(name, offered, triplets, value) for name, offered, value in parts])


def _place_triplets(produced: pl.DataFrame, chunks: pl.DataFrame) -> pl.DataFrame:
    """The accepted triplets beside their chunks, with FACT_KIND, DIFFICULTY and whether a table's row has the fact."""
    places = chunks.unique("chunk", keep="first").select("chunk", "document", "heading", "text")
    accepted = produced.filter(pl.col("status") == ACCEPTED).join(places, on="chunk", maintain_order="left")
    in_row = [
        any(variant.strip() in row for variant in fact.split(c.OR_DELIMITER) if variant.strip() for row in rows)
        for fact, rows in accepted.select("fact", pl.col("text").str.extract_all(_ROW)).iter_rows()
    ]
    kinds = pl.Series(FACT_KIND, [read_kind(fact) for fact in accepted["fact"]], dtype=pl.String)
    return accepted.with_columns(
        kinds,
        find_difficulty(),
        pl.Series("in_row", in_row, dtype=pl.Boolean),
    )


def find_difficulty() -> pl.Expr:
    """DIFFICULTY of PRODUCED, by its margin; null where there is none."""
    margin = pl.col("margin")
    hardness = pl.when(margin >= CLEARLY_BETTER - 1).then(pl.lit(EASY)).when(margin > 0).then(pl.lit(MEDIUM))
    return hardness.when(margin.is_not_null()).then(pl.lit(HARD)).alias(DIFFICULTY)


def _count_values(table: pl.DataFrame, value: pl.Expr) -> pl.DataFrame:
    counted = table.select(value.alias("value")).drop_nulls().group_by("value", maintain_order=True)
    return counted.agg(pl.len().cast(pl.Int64).alias("offered"))


def _list_values(values: Iterable[str]) -> pl.DataFrame:
    return pl.DataFrame({"value": [*values]}, {"value": pl.String}).with_columns(offered=pl.lit(None, pl.Int64))


def _join_triplets(dimension: str, offered: pl.DataFrame, triplets: pl.DataFrame, value: pl.Expr) -> pl.DataFrame:
    having = (
        triplets.select(value.alias("value"), c.QUESTION).drop_nulls("value").group_by("value", maintain_order=True)
    )
    counted = having.agg(pl.len().cast(pl.Int64).alias("triplets"), pl.col(c.QUESTION).alias("questions"))
    joined = offered.join(counted, on="value", how="full", coalesce=True, maintain_order="left_right")
    filled = joined.with_columns(pl.lit(dimension).alias("dimension"), pl.col("triplets").fill_null(0))
    return filled.with_columns(pl.col("questions").fill_null([])).select(COVERAGE.names()).cast(COVERAGE)


def select_gaps(coverage: pl.DataFrame) -> pl.DataFrame:
    """The rows of COVERAGE without a triplet."""
    return coverage.filter(pl.col("triplets") == 0)


@dataclass(frozen=True, kw_only=True)
class GapPlan:
    """Which chunks are asked again, and for what."""

    chunks: pl.DataFrame
    """CHUNKS, those that fill most gaps first."""
    covered: pl.DataFrame
    """PRODUCED that were accepted before, to be told from new ones."""
    made: Generation
    """The settings, with the question types, kinds of fact and number of triplets that are asked for."""


def plan_gaps(produced: pl.DataFrame, chunks: pl.DataFrame, made: Generation, number: int) -> GapPlan:
    """Plan to ask for `number` triplets where PRODUCED has gaps: first chunks of documents, sections and tables without
    a triplet, and those that have facts of a missing kind; then those with fewest triplets, document after document.

    What is asked for are the missing question types, of those that the settings name if they name any, and the missing
    kinds of fact.
    """
    gaps = select_gaps(measure_coverage(produced, chunks))
    missing = {name: set(gaps.filter(pl.col("dimension") == name)["value"]) for name in (FACT_KIND, TYPE)}
    ranked = _rank_chunks(_place_triplets(produced, chunks), chunks, missing[FACT_KIND])
    chosen = ranked.head(number)
    per_chunk = max(1, min(_MOST_OF_A_CHUNK, -(-number // max(1, chosen.height))))
    named = QUESTION_TYPES if made.prompt.types == Prompt.types else made.prompt.types
    alone = [name for name in named if QUESTION_TYPES[name].documents == 1]
    types = tuple(name for name in alone if name in missing[TYPE]) or made.prompt.types
    wanted = f"If the passage has them, ask for: {', '.join(sorted(missing[FACT_KIND]))}." if missing[FACT_KIND] else ""
    style = " ".join(filter(None, (made.prompt.style.strip(), wanted, "Ask for what nobody would ask first.")))
    prompt = replace(made.prompt, per_chunk=per_chunk, types=types, mix={}, style=style)
    covered = produced.filter(pl.col("status") == ACCEPTED)
    return GapPlan(chunks=chosen.select(chunks.columns), covered=covered, made=replace(made, prompt=prompt))


def _rank_chunks(triplets: pl.DataFrame, chunks: pl.DataFrame, missing_kinds: set[str]) -> pl.DataFrame:
    """CHUNKS by how many gaps a triplet of theirs fills, then by how few they have, one document after the other."""
    facts = draft_facts(chunks).select("chunk", "fact")
    kinds = pl.Series([read_kind(fact) for fact in facts["fact"]], dtype=pl.String)
    lacking = facts.filter(kinds.is_in([*missing_kinds])).group_by("chunk").agg(pl.lit(1).first().alias("kind_gain"))
    counted = chunks.unique("chunk", keep="first", maintain_order=True).with_columns(
        pl.col("chunk").replace_strict(dict(triplets["chunk"].value_counts().iter_rows()), default=0).alias("has"),
    )
    of_document = pl.col("has").sum().over("document") == 0
    of_section = pl.col("has").sum().over("document", "heading") == 0
    tables = pl.col("text").str.contains(_ROW) & ~pl.col("document").is_in(
        triplets.filter("in_row")["document"].implode()
    )
    gain = pl.sum_horizontal(of_document, of_section, tables, pl.col("has") == 0, pl.col("kind_gain").fill_null(0))
    scored = counted.join(lacking, on="chunk", how="left", maintain_order="left").with_columns(gain.alias("gain"))
    best = scored.sort("gain", "has", descending=[True, False], maintain_order=True)
    turn = pl.int_range(pl.len()).over("document")
    return best.with_columns(turn.alias("turn")).sort("turn", "gain", descending=[False, True], maintain_order=True)


def read_kept(workspace: Workspace, line: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """PRODUCED of the triplets that the newest version of a generated dataset has, and the CHUNKS they come from."""
    golden = workspace.golden(versions(workspace, line)[-1].golden_id)
    texts = golden.select(c.QUESTION_ID, c.QUESTION, *(pl.col(text).fill_null("") for text in (c.ANSWER, c.FACT)))
    kept = passages(workspace, line).join(texts, on=c.QUESTION_ID, maintain_order="left")
    produced = kept.with_columns(note=pl.lit(None, pl.String), status=pl.lit(ACCEPTED))
    chunks = kept.rename({"passage": "text", "start_at": "start", "end_at": "end"}).unique("chunk", maintain_order=True)
    fit = partial(pl.DataFrame.match_to_schema, missing_columns="insert", extra_columns="ignore")
    return fit(produced, PRODUCED), fit(chunks.sort("document", "start"), CHUNKS)
