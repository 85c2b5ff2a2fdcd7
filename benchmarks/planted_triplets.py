"""How precise acceptance of generated triplets is on real documents: `python -m benchmarks.planted_triplets FILE...`.

Right triplets are made from the documents' own tables (the value of a row and a column, asked by both names) and
sentences (asked with the fact left out); questions name their document. Wrong ones have one planted error each, as a
careless model makes them. A second reader is played in four ways: by key (it knows each sentence), always agreeing (the
words alone decide), repeating half of the errors, and the same model (it repeats each error). For each is printed what
is accepted, to review and refuted.

`python -m benchmarks.planted_triplets benchmarks/hand_triplets.jsonl` does the same with triplets written by hand about
documents made for it, a line each: half are right, half as a careless model writes them. Of each is written what a
person answers, and words of the sentence that says so; those of half 2 were written after the rules.
"""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from benchmarks.figures import make_parser
from qaviz.documents import Chunking, chunk_documents, find_documents, read_documents
from qaviz.documents.chunks import list_sentences
from qaviz.generation.passages import Corpus, name_words, names, read_values
from qaviz.generation.prove import ACCEPTED, TO_REVIEW, decide_triplets, leave_to_people, plan_proofs
from qaviz.generation.refute import FACT, UNANSWERABLE, refute_triplets
from qaviz.llm.proof import Proof
from qaviz.loading import silent

RIGHT = "right"
MOST_OF_A_CHUNK = 12
Triplet = tuple[str, str, str, str, str, str]
"""Question, answer, fact, RIGHT or the planted error, and what a person answers and quotes: empty where the question
has no answer, or more than one."""
PROVERS = ("key", "agrees", "half", "same model")


def make_table_triplets(rows: list[list[tuple[str, str]]], name: str, rng: random.Random) -> Iterator[Triplet]:
    """Triplets of a table: each row is its cells, the first one its label."""
    for place, row in enumerate(rows):
        values = [(column, text) for column, text in row[1:] if read_values(text)]
        if not values or len({text for _, text in row}) != len(row):
            continue
        label, (column, value) = row[0][1], rng.choice(values)
        quote = " | ".join(f"{header}: {text}" if header else text for header, text in row)
        question, answer = f"According to {name}, what is {column} of {label}?", "{} of {} is {}."
        true = answer.format(column, label, value)
        yield question, true, value, RIGHT, true, quote
        yield f"What is {column} of {label}?", true, value, "no source named", "", ""
        yield question, "The document does not say.", "", "false unanswerable", true, quote
        others = [(header, text) for header, text in values if text != value]
        if others:
            _, text = rng.choice(others)
            yield question, answer.format(column, label, text), text, "another column", true, quote
        below = rows[(place + 1) % len(rows)]
        other = dict(below).get(column)
        if other and other not in (text for _, text in row) and below[0][1] != label:
            yield question, answer.format(column, label, other), other, "another row", true, quote
            yield f"According to {name}, what is {column}?", f"{column} is {value}.", value, "no row named", "", ""


def make_sentence_triplets(sentences: list[str], name: str, rng: random.Random) -> Iterator[Triplet]:
    """Triplets of sentences: the question is the sentence with its figure or last name left out."""
    figures = {text[one.start : one.end].strip(): text for text in sentences for one in read_values(text)}
    whole = " ".join(sentences)
    named = {
        word: text
        for text in sentences
        for word in names(text)
        if len(word) > 3 and not re.search(rf"\b{re.escape(word.lower())}\b", whole)
    }
    for text in sentences:
        plain = text.rstrip(".")
        own_figures = [figure for figure, source in figures.items() if source == text and re.match(r"\W?\d", figure)]
        own_names = [word for word, source in named.items() if source == text]
        fact = rng.choice(own_figures) if own_figures else rng.choice(own_names) if own_names else None
        if fact is None or plain.count(fact) != 1 or not 40 < len(plain) < 300:
            continue
        question = f"According to {name}, {plain.replace(fact, 'what figure' if own_figures else 'what')}?"
        true = f"{plain}."
        yield question, true, fact, RIGHT, true, text
        yield question, "The document does not say.", "", "false unanswerable", true, text
        pool = figures if own_figures else named
        others = [other for other in pool if other not in text and fact not in other]
        if others:
            other = rng.choice(others)
            yield question, f"{plain.replace(fact, other)}.", other, "another value of the passage", true, text
        verb = re.search(r"\b(is|are|was|were|can|will|has|have)\b", plain)
        if verb and not re.search(r"\b(?:not|no|never|without)\b|n['’]t", plain):
            asked = f"According to {name}, {verb[0]} {plain[: verb.start()]}{plain[verb.end() :].strip()}?"
            denied = f"{plain[: verb.end()]} not{plain[verb.end() :]}."
            yield asked, f"No, {denied}", "no", "denied", f"Yes, {true}", text
        strangers = [word for word in named if word not in text]
        if own_names and strangers and own_names[0] != fact:
            swapped = question.replace(own_names[0], rng.choice(strangers))
            yield swapped, true, fact, "another name in the question", "", ""


def make_triplets(chunks: pl.DataFrame, rng: random.Random) -> pl.DataFrame:
    """All triplets of all chunks, with the columns that are checked, `planted`, and a person's `answer` and `quote`."""
    made = []
    for chunk, document, text in chunks.select("chunk", "document", "text").iter_rows():
        parts = [(text[start:end].strip(), is_row) for start, end, is_row in list_sentences(text)]
        cells = [[cell.rpartition(": ")[::2] for cell in part.split(" | ")] for part, is_row in parts if is_row]
        rows = [row for row in cells if len(row) > 2 and all(header for header, _ in row[1:-1])]
        name = name_words(document)
        triplets = [
            *make_table_triplets(rows, name, rng),
            *make_sentence_triplets([part for part, is_row in parts if not is_row], name, rng),
        ]
        kept = rng.sample(triplets, min(len(triplets), MOST_OF_A_CHUNK))
        made += [(*one[:3], UNANSWERABLE if not one[2] else FACT, chunk, *one[3:]) for one in kept]
    columns = ["question", "answer", "fact", "kind", "chunk", "planted", "key", "quote"]
    return pl.DataFrame(made, schema=columns, orient="row").with_columns(half=pl.lit(0))


def read_hand_made(file: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The chunks of a file's documents, and its triplets as `make_triplets` returns them, with their `half`."""
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    with TemporaryDirectory() as folder:
        for line in lines:
            (Path(folder) / line["document"]).write_text(line["text"], encoding="utf-8")
        chunks = read_chunks([folder])
    triplets = [
        triplet | find_stated(chunks.filter(document=line["document"]), triplet.pop("stands")) | {"half": line["half"]}
        for line in lines
        for triplet in line["triplets"]
    ]
    return chunks, pl.DataFrame(triplets)


def find_stated(chunks: pl.DataFrame, words: str) -> dict[str, str]:
    """The chunk with these words, and the sentence or row of it that has them."""
    for chunk, text in chunks.select("chunk", "text").iter_rows():
        for start, end, _ in list_sentences(text):
            if words in text[start:end]:
                return {"chunk": chunk, "quote": text[start:end]}
    raise ValueError(words)


def read_chunks(addresses: list[str]) -> pl.DataFrame:
    """The chunks of the documents there."""
    files, _ = find_documents(addresses)
    documents, _ = read_documents(files, silent)
    return chunk_documents(documents, Chunking())


def play(row: dict[str, str], chunk: str, prover: str, rng: random.Random) -> Proof:
    """What a played reader says of a triplet's question beside a chunk."""
    here = chunk == row["chunk"]
    repeats = prover in ("agrees", "same model") or (prover == "half" and rng.random() < 1 / 2)
    if row["planted"] != RIGHT and repeats:
        if row["kind"] == UNANSWERABLE:
            return Proof(answerable=False)
        return Proof(True, row["answer"], row["quote"] or row["answer"]) if here else Proof(answerable=False)
    return Proof(True, row["key"], row["quote"]) if here and row["key"] else Proof(answerable=False)


def judge(triplets: pl.DataFrame, corpus: Corpus, prover: str, seed: int) -> pl.DataFrame:
    """The triplets with their status. Each is checked alone: one that asks the same as another is no error here."""
    rng = random.Random(seed)
    triplets = triplets.with_columns(pl.int_range(pl.len()).cast(pl.String).alias("question_id"), evidence=pl.lit(""))
    checked = leave_to_people(pl.concat(refute_triplets(own, corpus) for own in triplets.iter_slices(1)), corpus)
    calls, rows = plan_proofs(checked, corpus), {row["question_id"]: row for row in triplets.iter_rows(named=True)}
    proofs = [[play(rows[triplet], call.chunk, prover, rng) for triplet in call.triplets] for call in calls]
    return decide_triplets(checked, calls, proofs, corpus)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0, help="how many misjudged triplets to print")
    options = parser.parse_args()
    if options.files[0].endswith(".jsonl"):
        chunks, triplets = read_hand_made(Path(options.files[0]))
    else:
        chunks = read_chunks(options.files)
        triplets = make_triplets(chunks, random.Random(options.seed))
    corpus = Corpus(chunks)
    for prover in PROVERS:
        checked = judge(triplets, corpus, prover, options.seed)
        print(f"\nsecond reader: {prover}")
        if prover == PROVERS[0]:
            with pl.Config(tbl_rows=-1):
                print(checked.pivot("status", index="planted", values="fact", aggregate_function="len").fill_null(0))
        for half in sorted({0, *checked["half"]}):
            print_shares(checked.filter(pl.col("half") == half) if half else checked, f"half {half}" if half else "all")
        wrongly = (pl.col("planted") == RIGHT) != (pl.col("status") == ACCEPTED)
        shown = checked.filter(wrongly | (pl.col("status") == TO_REVIEW)).sort("status")
        for row in shown.head(options.show if prover == PROVERS[0] else 0).iter_rows(named=True):
            print({name: row[name] for name in ("planted", "status", "rule", "question", "answer", "fact", "reason")})


def print_shares(checked: pl.DataFrame, of: str) -> None:
    """Print how much of what is accepted is right, of what is right is accepted, and what is left to people."""
    right, accepted = checked["planted"] == RIGHT, checked["status"] == ACCEPTED
    both, unanswerable = right & accepted, checked["kind"] == UNANSWERABLE
    print(
        f"{of}: accepted and right {both.sum() / max(accepted.sum(), 1):.3f} of {accepted.sum()} "
        f"({(accepted & ~right).sum()} wrong, {(accepted & ~right & unanswerable).sum()} false unanswerables), "
        f"right and accepted {both.sum() / max(right.sum(), 1):.3f} of {right.sum()}, "
        f"to review {(checked['status'] == TO_REVIEW).mean():.3f} of {checked.height}"
    )


if __name__ == "__main__":
    main()
