"""The scores of a table of responses, by column and in chunks on all threads."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import polars as pl

from qaviz.model import ANSWER, CONTEXT_RECALL, FACT, HIT_COLUMNS, RESPONSE, SCORES, WARNINGS, Progress
from qaviz.scoring import forms
from qaviz.scoring.answers import answer_scores, answer_variants
from qaviz.scoring.facts import fact_scores, fact_variants, look_for, place_facts
from qaviz.scoring.traps import warn
from qaviz.scoring.units import TRIPLET, UNIT, check_texts, distinct, reasons, scorable

CHUNK = 10_000
"""Units scored at a time by one thread: bounds the memory that the forms of their texts take."""

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
    return rows.with_columns(*why_not, *_score_units(units, progress)[unit])


def _score_units(units: pl.DataFrame, progress: Progress | None) -> pl.DataFrame:
    """Return the columns of _ADDED for each unit, in their order."""
    golden = units.unique(TRIPLET, keep="first", maintain_order=True).select(TRIPLET, ANSWER, FACT)
    scored = []
    with ThreadPoolExecutor(pl.thread_pool_size()) as threads:
        answers, facts = threads.map(lambda variants: variants(golden), (answer_variants, fact_variants))
        chunks = (units.slice(begin, CHUNK) for begin in range(0, max(units.height, 1), CHUNK))
        for part in threads.map(partial(_score_chunk, answers=answers, facts=facts), chunks):
            scored.append(part)
            if progress:
                done = sum(map(len, scored))
                progress(done / max(units.height, 1), f"scored {done:,} of {units.height:,} distinct responses")
    return pl.concat(scored)


def _score_chunk(units: pl.DataFrame, answers: pl.DataFrame, facts: pl.DataFrame) -> pl.DataFrame:
    lowered = forms.lower(units[RESPONSE])
    normal = forms.normal(lowered)
    responses = units.with_columns(
        lower=lowered, normal=normal, stripped=forms.strip(units[RESPONSE]), words=forms.words(normal)
    )
    looked = look_for(responses.drop("stripped", "words"), facts)
    scores, placed = fact_scores(looked), place_facts(looked)
    joined = units.select(UNIT)
    for part in (answer_scores(responses, answers), scores, placed, warn(looked, scores, placed)):
        joined = joined.join(part, on=UNIT, how="left", maintain_order="left")
    none = pl.lit([], dtype=pl.List(pl.String))
    return joined.with_columns(pl.col(WARNINGS).fill_null(none)).select(_ADDED)
