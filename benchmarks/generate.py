"""Write a golden dataset and responses of any size: the same seed gives the same files.

    python -m benchmarks.generate FOLDER --responses 100000 --pipelines 4 --non-ascii 0.87 --seed 1

Responses have 400 characters on average, golden answers about 15 words, facts 1 to 4 variants. Of the responses about
half state the fact, a quarter state another value, the rest talk past the question or decline.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from benchmarks.figures import make_parser
from qaviz.model.columns import ANSWER, CATEGORY, FACT, LATENCY_MS, PIPELINE, QUESTION, QUESTION_ID, RESPONSE

NON_ASCII = 0.87
"""Share of responses with a character outside ASCII: what language models write (’ “ ” – €)."""

_COMPANIES = (
    "Nordlicht",
    "Åkervik",
    "Café Lumière",
    "Pacific Timber",
    "O’Hara & Sons",
    "Müller Stahl",
    "Ostrava Glass",
)
_MEASURES = ("net sales", "operating income", "free cash flow", "capital expenditure", "research costs", "deferred tax")
_PERIODS = ("the first quarter", "the second quarter", "the third quarter", "the fourth quarter", "the full year")
_CLAUSES = (
    "According to the report that the company filed with its regulator, this figure includes leases.",
    "It excludes interest on long-term debt (see note 12).",
    "As management said in its call with analysts, the change reflects higher volumes and a stronger currency;",
    "freight costs fell by 3.4%,",
    "the closing of two plants in the north cost $41.2 million.",
    "The board expects this trend to go on through the next quarters,",
    "although risks remain in supply, demand and prices.",
    "One-time charges are left out.",
    "Margins were 12.5% before tax,",
    "An auditor has reviewed the statement.",
    "No dividend was paid.",
)
_TYPOGRAPHIC_CLAUSES = (
    "The group’s “adjusted” margin rose – for the third time – to 14.1%.",
    "Sales in São Paulo and Málaga were €7.9 million,",
    "the years 2022–2023 weren’t comparable.",
    "Its Zürich office (Bahnhofstraße 4) didn’t comment…",
)
_CLAUSES_IN_A_RESPONSE = (1, 10)


def golden(questions: int, seed: int = 1) -> pl.DataFrame:
    """Return a golden dataset with columns question_id, question, answer, fact, category; ids `q0`, `q1`, ..."""
    rows = (_triplet(number, random.Random(f"{seed}/{number}")) for number in range(questions))
    return pl.DataFrame(rows, schema=[QUESTION_ID, QUESTION, ANSWER, FACT, CATEGORY], orient="row")


def responses(
    of: pl.DataFrame, count: int, pipelines: int, non_ascii: float = NON_ASCII, seed: int = 1
) -> pl.DataFrame:
    """Return `count` responses to a golden dataset of `golden`, pipeline by pipeline, over the same questions."""
    rows = _responses(of, count, pipelines, non_ascii, random.Random(seed))
    return pl.DataFrame(rows, schema=[QUESTION_ID, PIPELINE, RESPONSE, LATENCY_MS], orient="row")


def table(count: int, pipelines: int = 4, non_ascii: float = NON_ASCII, seed: int = 1) -> pl.DataFrame:
    """Return responses joined with their triplets: what scoring takes."""
    of = golden(-(-count // pipelines), seed)
    return responses(of, count, pipelines, non_ascii, seed).join(of, on=QUESTION_ID, maintain_order="left")


def _triplet(number: int, rng: random.Random) -> tuple[str, str, str, str, str]:
    company, measure, period = rng.choice(_COMPANIES), rng.choice(_MEASURES), rng.choice(_PERIODS)
    year, value = rng.randint(1995, 2025), rng.randint(1000, 99999) / 10
    question = f"What was {company}’s {measure} in {period} of {year} (statement {number})?"
    answer = f"In {period} of {year}, {company}’s {measure} came to ${value:,.1f} million."
    variants = (f"{value:,.1f} million", f"{value / 1000:.4f} billion", f"${value:,.1f}m", f"{value:.1f} million")
    fact = "<OR>".join(variants[: rng.randint(1, len(variants))])
    return f"q{number}", question, answer, fact, measure


def _responses(
    of: pl.DataFrame, count: int, pipelines: int, non_ascii: float, rng: random.Random
) -> Iterator[tuple[str, str, str, float]]:
    triplets = of.select(QUESTION_ID, ANSWER, FACT).rows()
    for number in range(count):
        pipeline, place = divmod(number, len(triplets))
        question_id, answer, fact = triplets[place]
        clauses = rng.choices(_CLAUSES, k=rng.randint(*_CLAUSES_IN_A_RESPONSE))
        clauses.insert(rng.randrange(len(clauses)), _core(answer, fact, rng))
        typographic = rng.random() < non_ascii
        if typographic:
            clauses.insert(rng.randrange(len(clauses)), rng.choice(_TYPOGRAPHIC_CLAUSES))
        text = " ".join(clauses)
        text = text if typographic else text.encode("ascii", "ignore").decode()
        yield question_id, f"Pipeline{pipeline % pipelines + 1}", text, round(rng.lognormvariate(7, 0.5), 1)


def _core(answer: str, fact: str, rng: random.Random) -> str:
    """Return what a response says of the fact."""
    variant = fact.split("<OR>")[0]
    kind = rng.random()
    if kind < 0.3:
        return answer
    if kind < 0.5:
        return f"It was {variant}."
    if kind < 0.75:
        return answer.replace(variant, f"{rng.randint(1000, 99999) / 10:,.1f} million")
    if kind < 0.9:
        return "The documents do not state this figure."
    return "Revenue grew by a few percent."


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--responses", type=int, default=100_000)
    parser.add_argument("--pipelines", type=int, default=4)
    parser.add_argument("--non-ascii", type=float, default=NON_ASCII)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    of = golden(-(-options.responses // options.pipelines), options.seed)
    of.write_ndjson(options.folder / "golden.jsonl")
    answered = responses(of, options.responses, options.pipelines, options.non_ascii, options.seed)
    answered.write_ndjson(options.folder / "responses.jsonl")
    print(f"{options.folder}: {of.height:,} questions, {answered.height:,} responses of {options.pipelines} pipelines")


if __name__ == "__main__":
    main()
