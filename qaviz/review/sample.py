"""Which triplets a review reads: a seeded random sample, spread over documents, categories and types, and the flagged.

The order of the draw is fixed by the seed alone: a larger sample holds the smaller one, so that a riskier use of the
dataset asks for more triplets and keeps what was done.
"""

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence

import orjson
import polars as pl

from qaviz.golden.lint import lint
from qaviz.golden.lint.findings import MESSAGE, NOTE, SEVERITY
from qaviz.judging.triplets import TripletFinding
from qaviz.model import columns as c
from qaviz.review.plan import Level, LevelRule, ReviewPlan, plan_review
from qaviz.store.grades import FINDING, QUOTATION, WHY
from qaviz.store.review_sessions import FLAGGED, FLAGS, ITEMS, RANDOM

REPEATED = 0.05
"""Share of the sample that its readers are given a second time, without being told."""
LINT, GENERATION, ALL_ZERO, JUDGE = "lint", "generation", "no pipeline states the fact", "judge"
TYPE_AND_PROOF, SINGLE_FACT = "type and proof", "single fact"
SUPPORTED = TripletFinding.SUPPORTED.value
_MANY = 1_000_000


def triplet_hash(question: str | None, answer: str | None, fact: str | None) -> str:
    """The hash of a triplet's texts: 16 hexadecimal digits. A decision is on these."""
    return hashlib.sha256(orjson.dumps([question, answer, fact])).hexdigest()[:16]


def hash_triplets(golden: pl.DataFrame, passages: pl.DataFrame) -> pl.DataFrame:
    """QUESTION_ID, `triplet`, `chunk` and `document` of each triplet: the hashes that a decision holds for.

    `passages` has PASSAGES; for a triplet without a passage the hash is of the golden dataset's own source.
    """
    known = {row[c.QUESTION_ID]: (row["chunk"], row["document"]) for row in passages.iter_rows(named=True)}
    rows = []
    for row in golden.iter_rows(named=True):
        source = row[c.SOURCE]
        chunk = hashlib.sha256(source.encode(errors="surrogatepass")).hexdigest()[:16] if source else None
        of = known.get(row[c.QUESTION_ID], (chunk, source))
        rows.append((row[c.QUESTION_ID], triplet_hash(row[c.QUESTION], row[c.ANSWER], row[c.FACT]), *of))
    return pl.DataFrame(
        rows, schema=dict.fromkeys((c.QUESTION_ID, "triplet", "chunk", "document"), pl.String), orient="row"
    )


def order_draw(golden: pl.DataFrame, hashed: pl.DataFrame, seed: int) -> list[str]:
    """The question_ids in the order of the draw: any beginning of it is a stratified random sample.

    A stratum is a document, category and type (a yes or no question, a figure, a text). Within each the order is that
    of a seeded hash; strata are merged in proportion to their sizes, each from a random place on.
    """
    strata: dict[tuple[str | None, str | None, str], list[str]] = defaultdict(list)
    documents = dict(hashed.select(c.QUESTION_ID, "document").iter_rows())
    for question, category, fact in golden.select(c.QUESTION_ID, c.CATEGORY, c.FACT).iter_rows():
        strata[documents[question], category, _name_type(fact)].append(question)
    placed = []
    for stratum, questions in strata.items():
        start = _hash_to_uniform(seed, repr(stratum))
        mixed = sorted(questions, key=lambda question_id: _hash_to_uniform(seed, question_id))
        placed += [
            ((rank + start) / len(mixed), _hash_to_uniform(seed, question_id), question_id)
            for rank, question_id in enumerate(mixed)
        ]
    return [question for _, _, question in sorted(placed)]


def _name_type(fact: str | None) -> str:
    if not fact:
        return "unanswerable"
    return "figure" if any(letter.isdigit() for letter in fact) else "text"


def _hash_to_uniform(seed: int, text: str) -> float:
    digest = hashlib.sha256(f"{seed}\0{text}".encode(errors="surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def draw_items(order: Sequence[str], hashed: pl.DataFrame, flags: pl.DataFrame, plan: ReviewPlan) -> pl.DataFrame:
    """ITEMS of a session: the first `plan.sample` of the order, hidden repeats of some of them, and what is flagged.

    An item's number is its triplet's place in the order of the draw; a repeat's lies beyond all of them. In the order
    of reading, flagged triplets are spread between the drawn ones, so that a reader cannot tell them apart.
    """
    hashes = {row[0]: row[1:] for row in hashed.select(c.QUESTION_ID, "triplet", "chunk", "document").iter_rows()}
    flagged = set(flags[c.QUESTION_ID])
    drawn = order[: plan.sample]
    chosen = [question_id for question_id in order[plan.sample :] if question_id in flagged]
    number = {question_id: place for place, question_id in enumerate(order)}
    rows = [
        (number[question_id], float(number[question_id]), question_id, RANDOM, None, *hashes[question_id])
        for question_id in drawn
    ]
    rows += [
        (
            number[question_id],
            _hash_to_uniform(0, question_id) * plan.sample,
            question_id,
            FLAGGED,
            None,
            *hashes[question_id],
        )
        for question_id in chosen
    ]
    every = round(1 / REPEATED)
    rows += [
        (
            _MANY + number[question_id],
            number[question_id] + every / 2 + 0.5,
            question_id,
            RANDOM,
            number[question_id],
            *hashes[question_id],
        )
        for question_id in drawn[::every][: len(drawn) // every]
    ]
    return pl.DataFrame(rows, schema=ITEMS, orient="row")


def flag_judged(golden: pl.DataFrame, judged: pl.DataFrame) -> pl.DataFrame:
    """FLAGS of what a judge finds wrong with triplets as they stand, with its quotation.

    `judged` has TRIPLET_FINDINGS; a finding about other texts is void.
    """
    texts = [c.QUESTION_ID, c.QUESTION, c.ANSWER, c.FACT]
    wrong = judged.filter(pl.col(FINDING) != SUPPORTED).join(golden, on=texts, how="semi", nulls_equal=True)
    quoted = pl.format(" The passage: “{}”", pl.col(QUOTATION))
    detail = pl.concat_str(FINDING, pl.format(": {}", pl.col(WHY)).fill_null(""), quoted.fill_null(""))
    return wrong.select(c.QUESTION_ID, pl.lit(JUDGE).alias("source"), detail.alias("detail")).cast(FLAGS)


def flag_risky(
    golden: pl.DataFrame, passages: pl.DataFrame, order: Sequence[str], level: Level, rules: Mapping[Level, LevelRule]
) -> pl.DataFrame:
    """FLAGS of triplets that a higher risk asks for: their type combines facts, or their proof is weak.

    A question of another type than a single fact raises the level by one, and so does a proof that the gate noted or a
    person confirmed, or whose passage is not the best for its question. Of each such group as many are read, in the
    `order` of the draw, as a plan for the raised level says. `passages` has PASSAGES.
    """
    weak = pl.col("note").is_not_null() | (pl.col("margin") < 1).fill_null(value=False)
    typed = (pl.col("kind") != SINGLE_FACT).cast(pl.Int64) + weak.cast(pl.Int64)
    raised = passages.filter(pl.col(c.QUESTION_ID).is_in(golden[c.QUESTION_ID].implode())).select(
        c.QUESTION_ID, "kind", typed.alias("raised"), weak.alias("weak")
    )
    places = {question_id: place for place, question_id in enumerate(order)}
    levels, flags = list(Level), list[tuple[str, str, str]]()
    for (kind, steps, is_weak), group in raised.filter(pl.col("raised") > 0).group_by("kind", "raised", "weak"):
        higher = levels[min(levels.index(level) + int(str(steps)), len(levels) - 1)]
        number = plan_review(group.height, higher, at_most=rules[higher].at_most).sample if higher is not level else 0
        reasons = [f"type “{kind}”"] * (kind != SINGLE_FACT) + ["a weak proof"] * bool(is_weak)
        detail = f"{' and '.join(reasons).capitalize()}: read as for {higher} risk."
        drawn = sorted(group[c.QUESTION_ID], key=places.__getitem__)[:number]
        flags += [(question_id, TYPE_AND_PROOF, detail) for question_id in drawn]
    return pl.DataFrame(sorted(flags), schema=FLAGS, orient="row")


def find_flags(golden: pl.DataFrame, passages: pl.DataFrame, rows: pl.DataFrame | None = None) -> pl.DataFrame:
    """FLAGS: triplets that are read whether or not they are drawn, and why.

    By lint (errors and warnings), by generation's own flag, and, with the diagnosed `rows` of a run, because no
    pipeline states the fact.
    """
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
