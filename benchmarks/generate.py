"""Write a golden dataset and responses of any size: the same seed gives the same files.

Responses have 400 characters on average, golden answers about 15 words, facts 1 to 4 variants. Of the responses about
half state the fact, a quarter state another value, the rest talk past the question or decline.
"""

import random
import tomllib
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from qaviz.model.columns import ANSWER, CATEGORY, FACT, LATENCY_MS, PIPELINE, QUESTION, QUESTION_ID, RESPONSE

TEXTS = tomllib.loads((Path(__file__).parent / "texts.toml").read_text("utf-8"))
NON_ASCII = 0.87
"""Share of responses with a character outside ASCII: what language models write (’ “ ” – €)."""
CHARACTERS = 400
PIPELINES = 4
QUESTIONS_A_PART = 25_000
_WORDS: dict[str, list[str]] = TEXTS["generated"]
_CLAUSES_IN_A_RESPONSE = (1, 10)


def golden(questions: int) -> pl.DataFrame:
    """Return a golden dataset with columns question_id, question, answer, fact, category; ids `q0`, `q1`, ..."""
    rows = (_triplet(number, random.Random(f"1/{number}")) for number in range(questions))
    return pl.DataFrame(rows, schema=[QUESTION_ID, QUESTION, ANSWER, FACT, CATEGORY], orient="row")


def responses(of: pl.DataFrame, count: int, pipelines: int = PIPELINES, seed: int = 1) -> pl.DataFrame:
    """Return `count` responses to a golden dataset of `golden`, pipeline by pipeline, over the same questions."""
    rows = _responses(of, count, pipelines, random.Random(seed))
    return pl.DataFrame(rows, schema=[QUESTION_ID, PIPELINE, RESPONSE, LATENCY_MS], orient="row")


def table(count: int, pipelines: int = PIPELINES) -> pl.DataFrame:
    """Return responses joined with their triplets: what scoring takes."""
    of = golden(-(-count // pipelines))
    return responses(of, count, pipelines).join(of, on=QUESTION_ID, maintain_order="left")


def write_files(folder: Path, count: int, characters: int = CHARACTERS) -> None:
    """Write golden.jsonl and responses.jsonl, part by part, so that a million need no memory; responses may be cut."""
    of = golden(-(-count // PIPELINES))
    of.write_ndjson(folder / "golden.jsonl")
    with (folder / "responses.jsonl").open("wb") as stream:
        for number, part in enumerate(of.iter_slices(QUESTIONS_A_PART), 1):
            given = responses(part, part.height * PIPELINES, seed=number)
            cut = pl.col(RESPONSE).str.head(characters) if characters < CHARACTERS else pl.col(RESPONSE)
            given.with_columns(cut).write_ndjson(stream)


def _triplet(number: int, rng: random.Random) -> tuple[str, str, str, str, str]:
    company, measure, period = (rng.choice(_WORDS[name]) for name in ("companies", "measures", "periods"))
    year, value = rng.randint(1995, 2025), rng.randint(1000, 99999) / 10
    question = f"What was {company}’s {measure} in {period} of {year} (statement {number})?"
    answer = f"In {period} of {year}, {company}’s {measure} came to ${value:,.1f} million."
    variants = (f"{value:,.1f} million", f"{value / 1000:.4f} billion", f"${value:,.1f}m", f"{value:.1f} million")
    return f"q{number}", question, answer, "<OR>".join(variants[: rng.randint(1, len(variants))]), measure


def _responses(
    of: pl.DataFrame, count: int, pipelines: int, rng: random.Random
) -> Iterator[tuple[str, str, str, float]]:
    triplets = of.select(QUESTION_ID, ANSWER, FACT).rows()
    for number in range(count):
        pipeline, place = divmod(number, len(triplets))
        question_id, answer, fact = triplets[place]
        clauses = rng.choices(_WORDS["clauses"], k=rng.randint(*_CLAUSES_IN_A_RESPONSE))
        clauses.insert(rng.randrange(len(clauses)), _core(answer, fact, rng))
        typographic = rng.random() < NON_ASCII
        if typographic:
            clauses.insert(rng.randrange(len(clauses)), rng.choice(_WORDS["typographic_clauses"]))
        text = " ".join(clauses)
        text = text if typographic else text.encode("ascii", "ignore").decode()
        yield question_id, f"Pipeline{pipeline % pipelines + 1}", text, round(rng.lognormvariate(7, 0.5), 1)


def _core(answer: str, fact: str, rng: random.Random) -> str:
    """Return what a response says of the fact."""
    variant, kind = fact.split("<OR>")[0], rng.random()
    if kind < 0.3:
        return answer
    if kind < 0.5:
        return f"It was {variant}."
    if kind < 0.75:
        return answer.replace(variant, f"{rng.randint(1000, 99999) / 10:,.1f} million")
    return "The documents do not state this figure." if kind < 0.9 else "Revenue grew by a few percent."
