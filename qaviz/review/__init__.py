"""From the risk of a wrong golden dataset to a sampling plan, and which triplets it reads: a seeded random sample,
spread over documents, categories and types, and the flagged.

The order of the draw is fixed by the seed alone: a larger sample holds the smaller one, so that a riskier use of the
dataset asks for more triplets and keeps what was done.
"""

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import orjson
import polars as pl

from qaviz.analysis import numbers
from qaviz.golden.lint import lint
from qaviz.golden.lint.findings import MESSAGE, NOTE, SEVERITY
from qaviz.judging.triplets import TripletFinding
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError
from qaviz.stats import CONFIDENCE, size_sample, upper_bound
from qaviz.store.labels import FINDING, QUOTATION, WHY
from qaviz.store.reviews import FLAGGED, FLAGS, ITEMS, RANDOM


class Level(StrEnum):
    """How risky a golden dataset is, the least first."""

    VERY_LOW = "very low"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


@dataclass(frozen=True, kw_only=True)
class ReviewPlan:
    """How many triplets of a golden dataset are reviewed, chosen at random, and what that shows."""

    population: int
    level: Level
    at_most: float
    """The share that may be wrong: the promise, with `confidence`."""
    confidence: float
    sample: int
    allowed_wrong: int
    """How many of the sample may be wrong for the promise to hold; fixed before the review."""
    readers: int
    """How many people read each triplet."""


def plan_review(population: int, level: Level, *, at_most: float | None = None, allowed_wrong: int = 0) -> ReviewPlan:
    """Return the plan of a level for so many triplets; `at_most` in place of the level's own promise (0: read all).
    Raises QavizError for no triplets, for a share outside 0 to 1, or for more allowed wrong than the plan can allow."""
    promise = PROMISES[level] if at_most is None else at_most
    most = int(promise * max(population, 0))
    _require(
        ("population", population, "at least 1 triplet", population >= 1),
        ("at most", promise, "a share from 0 to below 1", 0 <= promise < 1),
        ("allowed wrong", allowed_wrong, f"a number from 0 to {most:,}", 0 <= allowed_wrong <= max(most, 0)),
    )
    return ReviewPlan(
        population=population,
        level=level,
        at_most=promise,
        confidence=CONFIDENCE,
        sample=population if promise == 0 else size_sample(population, promise, allowed_wrong),
        allowed_wrong=allowed_wrong,
        readers=2 if level is Level.CRITICAL else 1,
    )


def say_plan(plan: ReviewPlan) -> str:
    """The plan in a sentence, and what a tenth of the triplets would show."""
    allowed = "none may be wrong" if plan.allowed_wrong == 0 else f"at most {plan.allowed_wrong:,} may be wrong"
    readers = f", each by {plan.readers} people" if plan.readers > 1 else ""
    if plan.sample == plan.population:
        return f"Review all {plan.population:,} triplets{readers}; {allowed}."
    tenth = max(1, round(plan.population / 10))
    return (
        f"Review {plan.sample:,} of {plan.population:,} triplets, drawn at random{readers}; {allowed}. Then, with "
        f"{plan.confidence:.0%} confidence, at most {numbers.upper_bound(plan.at_most)} of all are wrong. "
        f"10% of them ({tenth:,}), none wrong, would show: at most "
        f"{numbers.upper_bound(bound_wrong(plan.population, tenth, 0))} wrong."
    )


def bound_wrong(population: int, reviewed: int, wrong: int) -> float:
    """Return the largest share of the population that may be wrong, with 95 % confidence, after a random review. Raises
    QavizError unless 0 <= wrong <= reviewed <= population and population >= 1."""
    _require(
        ("population", population, "at least 1 triplet", population >= 1),
        ("reviewed", reviewed, f"a number from 0 to {population:,}", 0 <= reviewed <= max(population, 0)),
        ("wrong", wrong, f"a number from 0 to {reviewed:,}", 0 <= wrong <= max(reviewed, 0)),
    )
    return upper_bound(population, reviewed, wrong)


def _require(*numbers: tuple[str, object, str, bool]) -> None:
    """Raise QavizError with each number, by name and what is expected, that does not hold."""
    problems = [
        Problem(where=f"review {name}", found=f"{number}", expected=expected, fix="Correct the number.")
        for name, number, expected, holds in numbers
        if not holds
    ]
    if problems:
        raise QavizError(*problems)


class Severity(StrEnum):
    """How bad it is if the golden dataset is wrong, the least first."""

    VERY_LOW = "very low"
    LOW = "low"
    MODERATE = "moderate"
    MAJOR = "major"
    EXTREME = "extreme"


class Likelihood(StrEnum):
    """How often a wrong triplet would do harm, the least first."""

    RARE = "rare"
    UNLIKELY = "unlikely"
    POSSIBLE = "possible"
    LIKELY = "likely"
    FREQUENT = "frequent"


_V, _L, _M, _H, _C = Level
_BY_SEVERITY = {
    Severity.VERY_LOW: (_V, _V, _V, _V, _L),
    Severity.LOW: (_V, _V, _L, _L, _M),
    Severity.MODERATE: (_V, _L, _M, _M, _H),
    Severity.MAJOR: (_V, _L, _M, _H, _C),
    Severity.EXTREME: (_L, _M, _H, _C, _C),
}
"""By severity the levels from rare to frequent. Source: AWS, Learn how to assess the risk of AI systems."""

PROMISES: Mapping[Level, float] = dict(zip(Level, (0.10, 0.05, 0.02, 0.01, 0.0), strict=True))
"""The share of triplets that may be wrong at most, with 95 % confidence. 0: every triplet is read, by two people."""


def classify_risk(severity: Severity, likelihood: Likelihood) -> Level:
    """Return the cell of the risk matrix."""
    return _BY_SEVERITY[severity][list(Likelihood).index(likelihood)]


REPEATED = 0.05
"""Share of the sample that its readers are given a second time, without being told."""
LINT, GENERATION, ALL_ZERO, JUDGE = "lint", "generation", "no pipeline states the fact", "judge"
_MANY = 1_000_000


def triplet_hash(question: str | None, answer: str | None, fact: str | None) -> str:
    """The hash of a triplet's texts: 16 hexadecimal digits. A decision is on these."""
    return hashlib.sha256(orjson.dumps([question, answer, fact])).hexdigest()[:16]


def hash_triplets(golden: pl.DataFrame, passages: pl.DataFrame) -> pl.DataFrame:
    """QUESTION_ID, `triplet`, `chunk` and `document` of each triplet: the hashes that a decision holds for. `passages`
    has PASSAGES; for a triplet without a passage the hash is of the golden dataset's own source."""
    places = {name: place for name, *place in passages.select(c.QUESTION_ID, "chunk", "document").iter_rows()}
    rows = []
    texts = golden.select(c.QUESTION_ID, c.SOURCE, c.QUESTION, c.ANSWER, c.FACT)
    for name, source, *triplet in texts.iter_rows():
        chunk = hashlib.sha256(source.encode(errors="surrogatepass")).hexdigest()[:16] if source else None
        rows.append((name, triplet_hash(*triplet), *places.get(name, (chunk, source))))
    return pl.DataFrame(
        rows, schema=dict.fromkeys((c.QUESTION_ID, "triplet", "chunk", "document"), pl.String), orient="row"
    )


def order_draw(golden: pl.DataFrame, hashed: pl.DataFrame, seed: int) -> list[str]:
    """The question_ids in the order of the draw: any beginning of it is a stratified random sample. A stratum is a
    document, category and type (a yes or no question, a figure, a text). Within each the order is that of a seeded
    hash; strata are merged in proportion to their sizes, each from a random place on."""
    strata: dict[tuple[str | None, str | None, str], list[str]] = defaultdict(list)
    documents = dict(hashed.select(c.QUESTION_ID, "document").iter_rows())
    for question, category, fact in golden.select(c.QUESTION_ID, c.CATEGORY, c.FACT).iter_rows():
        kind = "unanswerable" if not fact else "figure" if any(map(str.isdigit, fact)) else "text"
        strata[documents[question], category, kind].append(question)
    placed = []
    for stratum, questions in strata.items():
        start = _hash_to_uniform(seed, repr(stratum))
        mixed = sorted(questions, key=lambda question_id: _hash_to_uniform(seed, question_id))
        placed += [
            ((rank + start) / len(mixed), _hash_to_uniform(seed, question_id), question_id)
            for rank, question_id in enumerate(mixed)
        ]
    return [question for _, _, question in sorted(placed)]


def _hash_to_uniform(seed: int, text: str) -> float:
    digest = hashlib.sha256(f"{seed}\0{text}".encode(errors="surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def draw_items(golden: pl.DataFrame, hashed: pl.DataFrame, flags: pl.DataFrame, sample: int, seed: int) -> pl.DataFrame:
    """ITEMS of a session: the first `sample` of the draw, hidden repeats of some of them, and what is flagged. An
    item's number is its triplet's place in the order of the draw; a repeat's lies beyond all of them. In the order of
    reading, flagged triplets are spread between the drawn ones, so that a reader cannot tell them apart."""
    order = order_draw(golden, hashed, seed)
    hashes = {row[0]: row[1:] for row in hashed.select(c.QUESTION_ID, "triplet", "chunk", "document").iter_rows()}
    flagged = set(flags[c.QUESTION_ID])
    drawn = order[:sample]
    chosen = [question_id for question_id in order[sample:] if question_id in flagged]
    number = {question_id: place for place, question_id in enumerate(order)}
    rows = [(number[name], float(number[name]), name, RANDOM, None, *hashes[name]) for name in drawn]
    rows += [(number[name], _hash_to_uniform(0, name) * sample, name, FLAGGED, None, *hashes[name]) for name in chosen]
    every = round(1 / REPEATED)
    rows += [
        (_MANY + number[name], number[name] + every / 2 + 0.5, name, RANDOM, number[name], *hashes[name])
        for name in drawn[::every][: len(drawn) // every]
    ]
    return pl.DataFrame(rows, schema=ITEMS, orient="row")


def flag_judged(golden: pl.DataFrame, judged: pl.DataFrame) -> pl.DataFrame:
    """FLAGS of what a judge finds wrong with triplets as they stand, with its quotation. `judged` has TRIPLET_FINDINGS;
    a finding about other texts is void."""
    texts = [c.QUESTION_ID, c.QUESTION, c.ANSWER, c.FACT]
    wrong = judged.filter(pl.col(FINDING) != TripletFinding.SUPPORTED.value).join(
        golden, on=texts, how="semi", nulls_equal=True
    )
    quoted = pl.format(" The passage: “{}”", pl.col(QUOTATION))
    detail = pl.concat_str(FINDING, pl.format(": {}", pl.col(WHY)).fill_null(""), quoted.fill_null(""))
    return wrong.select(c.QUESTION_ID, pl.lit(JUDGE).alias("source"), detail.alias("detail")).cast(FLAGS)


def find_flags(golden: pl.DataFrame, passages: pl.DataFrame, rows: pl.DataFrame | None = None) -> pl.DataFrame:
    """FLAGS: triplets that are read whether or not they are drawn, and why. By lint (errors and warnings), by
    generation's own flag, and, with the diagnosed `rows` of a run, because no pipeline states the fact."""
    worst = lint(golden).filter(pl.col(SEVERITY) != NOTE)
    by_lint = worst.group_by(c.QUESTION_ID, maintain_order=True).agg(pl.col(MESSAGE).str.join(" "))
    flags = [by_lint.select(c.QUESTION_ID, pl.lit(LINT).alias("source"), pl.col(MESSAGE).alias("detail"))]
    noted = passages.filter(pl.col("flagged"))
    reason = pl.coalesce("note", pl.lit("Generation asks for a look."))
    flags.append(noted.select(c.QUESTION_ID, pl.lit(GENERATION).alias("source"), reason.alias("detail")))
    if rows is not None:
        stated = rows.group_by(c.QUESTION_ID, maintain_order=True).agg(pl.col(c.FACTUAL_KNOWLEDGE).max())
        zero = stated.filter(pl.col(c.FACTUAL_KNOWLEDGE) == 0)
        detail = pl.lit("No pipeline states the fact.").alias("detail")
        flags.append(zero.select(c.QUESTION_ID, pl.lit(ALL_ZERO).alias("source"), detail))
    there = pl.col(c.QUESTION_ID).is_in(golden[c.QUESTION_ID].implode())
    return pl.concat([flag.cast(FLAGS) for flag in flags]).filter(there)
