"""How precise the gate of generated triplets is on real documents: `python -m benchmarks.planted_triplets FILE...`.

Right triplets are made from the documents' own tables (the value of a row and a column, asked by both names) and
sentences (asked with the fact left out). Wrong ones have one planted error each: the value of another row or column,
another figure or name of the passage, a denied sentence, another name in the question. Prints for each kind how many
are accepted, left to a person and rejected, and precision and recall of acceptance.
"""

import argparse
import random
import re
from collections.abc import Iterator

import polars as pl

from qaviz.documents import Chunking, chunk_documents, find_documents, read_documents
from qaviz.documents.chunks import list_sentences
from qaviz.generation.gate import ACCEPTED, check_triplets
from qaviz.generation.gate.cases import names
from qaviz.generation.gate.passages import find_figures
from qaviz.loading import silent

RIGHT = "right"
MOST_OF_A_CHUNK = 12
Triplet = tuple[str, str, str, str]
"""Question, answer, fact, and RIGHT or the planted error."""


def make_table_triplets(rows: list[list[tuple[str, str]]], rng: random.Random) -> Iterator[Triplet]:
    """Triplets of a table: each row is its cells, the first one its label."""
    for place, row in enumerate(rows):
        values = [(name, text) for name, text in row[1:] if find_figures(text).amounts]
        if not values or len({text for _, text in row}) != len(row):
            continue
        label, (column, value) = row[0][1], rng.choice(values)
        question, answer = f"What is {column} of {label}?", "{} of {} is {}."
        yield question, answer.format(column, label, value), value, RIGHT
        others = [(name, text) for name, text in values if text != value]
        if others:
            name, text = rng.choice(others)
            yield question, answer.format(column, label, text), text, "another column"
            yield question, answer.format(name, label, text), text, "another column, said in the answer"
        below = rows[(place + 1) % len(rows)]
        other = dict(below).get(column)
        if other and other not in (text for _, text in row) and below[0][1] != label:
            yield question, answer.format(column, label, other), other, "another row"
            yield question, answer.format(column, below[0][1], other), other, "another row, said in the answer"
            yield f"What is {column}?", f"{column} is {value}.", value, "no row named"
        if len(values) > 1:
            yield f"What is the value of {label}?", f"The value of {label} is {value}.", value, "no column named"


def make_sentence_triplets(sentences: list[str], rng: random.Random) -> Iterator[Triplet]:
    """Triplets of sentences: the question is the sentence with its figure or last name left out."""
    figures = {text[each.start : each.end].strip(): text for text in sentences for each in find_figures(text).amounts}
    whole = " ".join(sentences)
    named = {
        name: text
        for text in sentences
        for name in names(text)
        if len(name) > 3 and not re.search(rf"\b{re.escape(name.lower())}\b", whole)
    }
    for text in sentences:
        plain = text.rstrip(".")
        own_figures = [figure for figure, source in figures.items() if source == text and re.match(r"\W?\d", figure)]
        own_names = [name for name, source in named.items() if source == text and len(name) > 2]
        fact = rng.choice(own_figures) if own_figures else rng.choice(own_names) if own_names else None
        if fact is None or plain.count(fact) != 1 or not 40 < len(plain) < 300:
            continue
        question = plain.replace(fact, "what figure" if own_figures else "what") + "?"
        yield question, f"{plain}.", fact, RIGHT
        pool = figures if own_figures else named
        others = [other for other, source in pool.items() if other not in text and fact not in other]
        if others:
            other = rng.choice(others)
            yield question, f"{plain.replace(fact, other)}.", other, "another value of the passage"
        verb = re.search(r"\b(is|are|was|were|can|will|has|have)\b", plain)
        if verb and not re.search(r"\b(?:not|no|never|without)\b|n['’]t", plain):
            denied = f"{plain[: verb.end()]} not{plain[verb.end() :]}."
            yield question, denied, fact, "denied"
            yield (
                f"{verb[0].capitalize()} {plain[: verb.start()]}{plain[verb.end() :].strip()}?",
                f"No, {denied}",
                "no",
                "denied side",
            )
        swaps = [name for name in own_names if name != fact]
        strangers = [name for name in named if name not in text and len(name) > 2]
        if swaps and strangers:
            swapped = question.replace(rng.choice(swaps), rng.choice(strangers))
            if swapped != question:
                yield swapped, f"{plain}.", fact, "another name in the question"


def make_triplets(chunks: pl.DataFrame, rng: random.Random) -> pl.DataFrame:
    """All triplets of all chunks, with the columns that the gate reads and `planted`."""
    made = []
    for chunk, text in chunks.select("chunk", "text").iter_rows():
        parts = [(text[start:end].strip(), is_row) for start, end, is_row in list_sentences(text)]
        cells = [
            [tuple(cell.split(": ", 1)) for cell in part.split(" | ") if ": " in cell]
            for part, is_row in parts
            if is_row
        ]
        rows = [[(name, value) for name, value in row] for row in cells if len(row) > 2]
        triplets = [
            *make_table_triplets(rows, rng),
            *make_sentence_triplets([part for part, is_row in parts if not is_row], rng),
        ]
        kept = rng.sample(triplets, min(len(triplets), MOST_OF_A_CHUNK))
        made += [
            (*triplet[:3], "yes/no" if triplet[2] == "no" else "single fact", chunk, triplet[3]) for triplet in kept
        ]
    return pl.DataFrame(made, schema=["question", "answer", "fact", "kind", "chunk", "planted"], orient="row")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0, help="how many misjudged triplets to print")
    options = parser.parse_args()
    files, _ = find_documents(options.files)
    documents, _ = read_documents(files, silent)
    chunks = chunk_documents(documents, Chunking())
    triplets = make_triplets(chunks, random.Random(options.seed))
    # Each triplet alone: one that asks the same as another is no error here.
    checked = pl.concat([check_triplets(triplets[place : place + 1], chunks) for place in range(triplets.height)])
    print(
        checked.pivot("status", index="planted", values="fact", aggregate_function="len").fill_null(0).sort("planted")
    )
    right, accepted = checked["planted"] == RIGHT, checked["status"] == ACCEPTED
    print(f"precision of acceptance {(right & accepted).sum() / max(accepted.sum(), 1):.3f} of {accepted.sum()}")
    print(f"recall of right ones    {(right & accepted).sum() / max(right.sum(), 1):.3f} of {right.sum()}")
    for row in checked.filter(right != accepted).head(options.show).iter_rows(named=True):
        print({name: row[name] for name in ("planted", "status", "rule", "question", "answer", "fact", "reason")})


if __name__ == "__main__":
    main()
