"""What documents offer to ask about, found without a model, and what a golden dataset covers of them."""

from functools import partial
from itertools import pairwise

import polars as pl

from qaviz.documents import CHUNKS
from qaviz.documents.chunks import list_sentences
from qaviz.generation.passages import names, read_values
from qaviz.generation.prove import ACCEPTED
from qaviz.generation.triplets import PRODUCED, with_other_forms
from qaviz.model import columns as c
from qaviz.reading import Kind
from qaviz.store.golden_versions import passages, versions
from qaviz.store.workspace import Workspace

DRAFTS = pl.Schema(
    dict.fromkeys(("answer", "fact", "document"), pl.String())
    | dict.fromkeys(("start", "end"), pl.Int64())
    | {"kind": pl.String(), "page": pl.Int64(), "chunk": pl.String()}
)
"""One row a fact: the sentence that states it, the fact with its other forms, where the sentence stands (characters of
the document's text), and whether the fact is an `amount`, a `date` or a `name`."""

AMOUNT, DATE, NAME = "amount", "date", "name"
_LEAST_WORDS, _LONGEST = 4, 600
"""Words that a sentence needs to hold a fact, and the most characters of one."""
_PER_SENTENCE = 4


def draft_facts(chunks: pl.DataFrame) -> pl.DataFrame:
    """DRAFTS of all chunks, in reading order; a sentence that two chunks share is drafted once."""
    rows: list[tuple[object, ...]] = []
    seen: set[tuple[str, int]] = set()
    for chunk in chunks.iter_rows(named=True):
        for start, end, _ in list_sentences(chunk["text"]):
            sentence, place = chunk["text"][start:end], (chunk["document"], chunk["start"] + start)
            enough = len(sentence.split()) >= _LEAST_WORDS or not sentence.isascii()
            if place in seen or not enough or len(sentence) > _LONGEST:
                continue
            seen.add(place)
            for fact, kind in _find_facts(sentence):
                forms = with_other_forms(fact, sentence, "")
                rows.append((sentence, forms, *place, chunk["start"] + end, kind, chunk["page"], chunk["chunk"]))
    return pl.DataFrame(rows, schema=DRAFTS, orient="row")


def _find_facts(sentence: str) -> list[tuple[str, str]]:
    """The facts of a sentence, each once: amounts, dates and names of two words, as they stand."""
    facts: list[tuple[int, str, str]] = []
    for value in read_values(sentence):
        fact = sentence[value.start : value.end].strip(" .,;")
        if any(char.isdigit() for char in fact):
            facts.append((value.start, fact, DATE if value.kind is Kind.DATE else AMOUNT))
    pairs = map(" ".join, pairwise(names(sentence, first_too=True)))
    facts += [(sentence.index(name), name, NAME) for name in pairs if name in sentence]
    unique = {fact: (fact, kind) for _, fact, kind in sorted(facts)}
    return [*unique.values()][:_PER_SENTENCE]


COVERAGE = pl.Schema({"dimension": pl.String(), "value": pl.String(), "offered": pl.Int64(), "triplets": pl.Int64()})
"""One row a document and section: how many chunks it has, and the accepted triplets that come from it."""

DOCUMENT, SECTION = "document", "section"


def measure_coverage(produced: pl.DataFrame, chunks: pl.DataFrame) -> pl.DataFrame:
    """Return COVERAGE of CHUNKS by the accepted triplets of PRODUCED, in the order of the documents."""
    places = chunks.unique("chunk", keep="first").select("chunk", "document", "heading")
    accepted = produced.filter(pl.col("status") == ACCEPTED).join(places, on="chunk", maintain_order="left")
    section = pl.concat_str("document", pl.col("heading").replace("", None), separator=": ", ignore_nulls=True)
    parts = []
    for dimension, value in ((DOCUMENT, pl.col("document")), (SECTION, section)):
        offered = chunks.group_by(value.alias("value"), maintain_order=True).agg(pl.len().alias("offered"))
        having = accepted.group_by(value.alias("value"), maintain_order=True).agg(pl.len().alias("triplets"))
        joined = offered.join(having, on="value", how="left", maintain_order="left")
        filled = joined.with_columns(pl.col("triplets").fill_null(0))
        parts.append(filled.select(pl.lit(dimension).alias("dimension"), pl.all()).cast(COVERAGE))
    return pl.concat(parts)


def read_kept(workspace: Workspace, line: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """PRODUCED of the triplets that the newest version of a generated dataset has, and the CHUNKS they come from."""
    golden = workspace.golden(versions(workspace, line)[-1].golden_id)
    texts = golden.select(c.QUESTION_ID, c.QUESTION, *(pl.col(text).fill_null("") for text in (c.ANSWER, c.FACT)))
    kept = passages(workspace, line).join(texts, on=c.QUESTION_ID, maintain_order="left")
    produced = kept.with_columns(note=pl.lit(None, pl.String), status=pl.lit(ACCEPTED))
    chunks = kept.rename({"passage": "text", "start_at": "start", "end_at": "end"}).unique("chunk", maintain_order=True)
    fit = partial(pl.DataFrame.match_to_schema, missing_columns="insert", extra_columns="ignore")
    return fit(produced, PRODUCED), fit(chunks.sort("document", "start"), CHUNKS)
