"""The scores of a table of responses, by column and in chunks on all threads."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import polars as pl

from qaviz.model.columns import ANSWER, CONTEXT_RECALL, FACT, HIT_COLUMNS, RESPONSE, SCORES, WARNINGS
from qaviz.model.records import Progress
from qaviz.scoring import forms
from qaviz.scoring.answers import answer_scores, answer_variants
from qaviz.scoring.facts import fact_scores, fact_variants, look_for, place_facts
from qaviz.scoring.score_warnings import warn
from qaviz.scoring.scoring_items import TRIPLET, UNIT, check_texts, distinct, reasons, scorable

CHUNK = 10_000
"""Units scored at a time by one thread: bounds the memory that the forms of their texts take."""

Variants = Future[pl.DataFrame]
"""Golden texts ready to compare with: in the making while the first responses are brought into their forms."""
ScoreChunk = Callable[..., pl.DataFrame]

_ADDED = [*SCORES, CONTEXT_RECALL, *HIT_COLUMNS, WARNINGS]


def score(rows: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the rows, in their order, with FMEval's seven word scores and what belongs to them.

    Needs the text columns `answer`, `fact` and `response`. Adds `unscored_fact` and `unscored_answer` (the reason, null
    where scored), SCORES and `context_recall` (Float64, null where there is nothing to score by), HIT_COLUMNS (null
    where no variant of the fact hit) and `warnings` (a list of sentences, empty where there is none); columns of these
    names are replaced. Raises QavizError where one of the three is missing or not text.
    """
    check_texts(rows)
    why_not = reasons(rows)
    units, unit = distinct(scorable(rows, why_not))
    return rows.with_columns(*why_not, *_spread_scores(_score_units(units, progress, _all_scores), unit))


def word_scores(rows: pl.DataFrame) -> pl.DataFrame:
    """As `score`, but SCORES alone are added: enough to tell how another golden dataset would have scored the rows."""
    check_texts(rows)
    units, unit = distinct(scorable(rows, reasons(rows)))
    return rows.with_columns(*_spread_scores(_score_units(units, None, _seven_scores), unit))


def _score_units(units: pl.DataFrame, progress: Progress | None, score_chunk: ScoreChunk) -> pl.DataFrame:
    """Return the columns that `score_chunk` makes for each unit, in their order."""
    golden = units.unique(TRIPLET, keep="first", maintain_order=True).select(TRIPLET, ANSWER, FACT)
    scored = []
    with ThreadPoolExecutor(pl.thread_pool_size()) as threads:
        # First in the queue, so that chunks never wait for what no thread has begun.
        answers, facts = (threads.submit(variants, golden) for variants in (answer_variants, fact_variants))
        chunks = (units.slice(begin, CHUNK) for begin in range(0, max(units.height, 1), CHUNK))
        for part in threads.map(partial(score_chunk, answers=answers, facts=facts), chunks):
            scored.append(part)
            if progress:
                done = sum(map(len, scored))
                progress(done / max(units.height, 1), f"scored {done:,} of {units.height:,} distinct responses")
    return pl.concat(scored)


def _spread_scores(scored: pl.DataFrame, unit: pl.Series) -> pl.DataFrame:
    """Return the scores of each row's unit. Where no row repeats another, units are the rows, in their order."""
    return scored if scored.height == unit.len() else scored[unit]


def _all_scores(units: pl.DataFrame, answers: Variants, facts: Variants) -> pl.DataFrame:
    responses = _in_forms(units)
    looked = look_for(responses.drop("stripped", "words"), _of(units, facts))
    scores, placed = fact_scores(looked), place_facts(looked)
    parts = answer_scores(responses, _of(units, answers)), scores, placed, warn(looked, scores, placed)
    none = pl.lit([], dtype=pl.List(pl.String))
    return _beside(units, parts).with_columns(pl.col(WARNINGS).fill_null(none)).select(_ADDED)


def _seven_scores(units: pl.DataFrame, answers: Variants, facts: Variants) -> pl.DataFrame:
    responses = _in_forms(units)
    stated = fact_scores(look_for(responses.drop("stripped", "words"), _of(units, facts)))
    return _beside(units, (stated, answer_scores(responses, _of(units, answers)))).select(SCORES)


def _of(units: pl.DataFrame, variants: Variants) -> pl.DataFrame:
    """Return a slice of the variants with all that the units need: joining each chunk with all would take ages.

    Variants lie in the order of their triplets, and neighbouring units mostly have neighbouring triplets.
    """
    triplets, every = units.select(pl.min(TRIPLET), last=pl.max(TRIPLET)), variants.result()
    if units.is_empty():
        return every
    begin = every[TRIPLET].search_sorted(triplets[TRIPLET], side="left").item()
    end = every[TRIPLET].search_sorted(triplets["last"], side="right").item()
    return every.slice(begin, end - begin)


def _in_forms(units: pl.DataFrame) -> pl.DataFrame:
    lowered = forms.lower(units[RESPONSE])
    normal = forms.normal(lowered)
    return units.with_columns(
        lower=lowered, normal=normal, stripped=forms.strip(units[RESPONSE]), words=forms.words(normal)
    )


def _beside(units: pl.DataFrame, parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Return the units' numbers with the columns of the parts, null where a part lacks a unit."""
    joined = units.select(UNIT).lazy()
    for part in parts:
        joined = joined.join(part.lazy(), on=UNIT, how="left", maintain_order="left")
    return joined.collect()
