"""What a run says in tables: pipelines, questions, diagnoses. Pure: rows in, table out, whatever shows it.

`rows` is one row a response as `Workspace.rows` returns it, `golden` one row a triplet,
`pipelines` the run's, in order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict

import polars as pl

from qaviz.analysis.numbers import count, figure
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.model.columns import (
    ANSWER,
    ANSWERABLE,
    BERTSCORE,
    CATEGORY,
    DIAGNOSIS,
    F1,
    FACT,
    FACTUAL_KNOWLEDGE,
    PIPELINE,
    PRECISION,
    QUESTION,
    QUESTION_ID,
    RECALL,
    REPEAT,
    RESPONSE,
    SCORES,
    THEIR_SCORES,
    VERDICT,
    join_pipelines,
)
from qaviz.stats import wilson

ALL_ZERO = "all_zero"
HITS = "hits"
SCORED = "scored"

NO_RESPONSE = "This pipeline has no response to this question."

SEARCHED = (QUESTION_ID, QUESTION, ANSWER, FACT, RESPONSE)

DECLINED_RIGHTLY = "declined, unanswerable"
DECLINED_WRONGLY = "declined, answerable"
ANSWERED_WRONGLY = "answered, unanswerable"
ANSWERED = "answered, answerable"
PRECISION_OF_DECLINING = "precision"
"""Of the responses that decline, the share whose question is unanswerable; null where none declines."""
RECALL_OF_DECLINING = "recall"
"""Of the responses to unanswerable questions, the share that decline."""

SCORE = "score"
VALUE = "value"
WHY_NOT = "why_not"
"""Why there is no value; null where there is one."""

COMPARED = (QUESTION_ID, PIPELINE, DIAGNOSIS, VERDICT, THEIR_SCORES)
"""Columns of diagnosed rows that are looked at."""

MISSED, MEAN = "missed", "mean"
_SCHEMA = {
    **dict.fromkeys((QUESTION_ID, PIPELINE, DIAGNOSIS, VERDICT, SCORE), pl.String),
    VALUE: pl.Float64,
    WHY_NOT: pl.String,
}


def score_column(pipeline: str) -> str:
    """Column of a pipeline in a table with one column a pipeline: apart from the others, whatever its name is."""
    return f"{PIPELINE}: {pipeline}"


def matching(table: pl.DataFrame, text: str, categories: Sequence[str] = ()) -> pl.DataFrame:
    """The rows of these categories, all without any, that hold the text in a column of SEARCHED, upper or lower case;
    in their order."""
    wanted = [pl.col(CATEGORY).is_in(list(categories))] if categories else []
    if text.strip():
        wanted.append(_contains(table.columns, text.strip()))
    return table.filter(*wanted) if wanted else table


def with_text(rows: pl.DataFrame, golden: pl.DataFrame, text: str) -> pl.Series:
    """Whether `matching` finds this text in each of the rows; a triplet is searched once, not once a response."""
    # Streamed: parts of a table are then searched side by side.
    of_golden = golden.lazy().filter(_contains(golden.columns, text.strip())).select(QUESTION_ID)
    matches = of_golden.collect(engine="streaming").to_series()
    wanted = pl.col(QUESTION_ID).is_in(matches.implode()) | _contains([RESPONSE], text.strip())
    return rows.lazy().select(wanted).collect(engine="streaming").to_series()


def _contains(columns: Sequence[str], text: str) -> pl.Expr:
    pattern = f"(?i){pl.escape_regex(text)}"
    return pl.any_horizontal(
        pl.col(column).str.contains(pattern).fill_null(False) for column in SEARCHED if column in columns
    )


class SummaryRow(TypedDict):
    """A row of `pipeline_summary`: what the scores of one pipeline come to. Shares and means are None where nothing is
    scored."""

    pipeline: str
    expected: int
    """Questions of the golden dataset, times its repeats."""
    answered: int
    """Responses that are not blank."""
    fact_hits: int
    """Responses that state the fact, of `fact_scored`."""
    fact_scored: int
    facts_stated: float | None
    """Their share, with its 95 % Wilson interval."""
    low: float | None
    high: float | None
    closeness: float | None
    """With conciseness and f1: means over the scored, and how many these are."""
    closeness_n: int
    conciseness: float | None
    conciseness_n: int
    f1: float | None


def pipeline_summary(rows: pl.DataFrame, golden: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    """Columns of SummaryRow and a count for each diagnosis: one row a pipeline, in the run's order.

    In `rows` repeats may have their pipeline's name: then each counts, and the interval is as wide as of one.
    """
    diagnoses = [(pl.col(DIAGNOSIS) == diagnosis.value).sum().alias(diagnosis.value) for diagnosis in Diagnosis]
    repeat = pl.col(REPEAT).fill_null("") if REPEAT in rows.columns else pl.lit("")
    columns = (PIPELINE, DIAGNOSIS, FACTUAL_KNOWLEDGE, RECALL, PRECISION, F1)
    counted = rows.select(*columns, answered=pl.col(RESPONSE).str.contains(r"\S"), repeat=repeat)
    summary = counted.group_by(PIPELINE).agg(
        pl.col("repeat").n_unique().alias("repeats"),
        pl.col("answered").sum(),
        pl.col(FACTUAL_KNOWLEDGE).sum().cast(pl.Int64).alias("fact_hits"),
        pl.col(FACTUAL_KNOWLEDGE).count().cast(pl.Int64).alias("fact_scored"),
        pl.col(FACTUAL_KNOWLEDGE).mean().alias("facts_stated"),
        pl.col(RECALL).mean().alias("closeness"),
        pl.col(RECALL).count().alias("closeness_n"),
        pl.col(PRECISION).mean().alias("conciseness"),
        pl.col(PRECISION).count().alias("conciseness_n"),
        pl.col(F1).mean().alias("f1"),
        *diagnoses,
    )
    summary = join_pipelines(pipelines, summary)
    summary = summary.with_columns(pl.exclude(PIPELINE, "facts_stated", "closeness", "conciseness", "f1").fill_null(0))
    ends = (_interval(summary, end).alias(name) for end, name in enumerate(("low", "high")))
    expected = pl.max_horizontal("repeats", 1) * golden.height
    return summary.with_columns(*ends, expected.alias("expected")).select(
        *SummaryRow.__annotations__, *(diagnosis.value for diagnosis in Diagnosis)
    )


def _interval(summary: pl.DataFrame, end: int) -> pl.Series:
    counts = summary.select("fact_hits", "fact_scored", "repeats").iter_rows()
    ends = [wilson(hits / repeats, n / repeats)[end] if n else None for hits, n, repeats in counts]
    return pl.Series(ends, dtype=pl.Float64)


def mean_scores(rows: pl.DataFrame) -> pl.DataFrame:
    """One row a pipeline: pipeline, scored_of (responses), and for each of SCORES and BERTScore that the rows have its
    mean and, with `_n`, of how many. A mean is null where nothing is scored."""
    names = [name for name in (*SCORES, BERTSCORE) if name in rows.columns]
    counts = [pl.col(name).count().alias(f"{name}_n") for name in names]
    means = rows.group_by(PIPELINE).agg(pl.len().alias("scored_of"), *(pl.col(name).mean() for name in names), *counts)
    return means.cast({PIPELINE: pl.String})


def bertscore_summary(rows: pl.DataFrame) -> pl.DataFrame:
    """One row a pipeline, in the order of the rows: pipeline, responses, bertscore (mean), bertscore_n (of how many).

    The mean is null where no response has a BERTScore.
    """
    return rows.group_by(PIPELINE, maintain_order=True).agg(
        pl.len().alias("responses"),
        pl.col(BERTSCORE).mean(),
        pl.col(BERTSCORE).count().alias(f"{BERTSCORE}_n"),
    )


def fact_matrix(
    rows: pl.DataFrame, golden: pl.DataFrame, pipelines: Sequence[str], score: str = FACTUAL_KNOWLEDGE
) -> pl.DataFrame:
    """One row a question: its triplet, and this score of each pipeline's response.

    Columns: question_id, question, answer, fact, category; one Float64 column a pipeline (see `score_column`), null
    where it is not scored; hits and scored, how many pipelines state the fact among how many; all_zero, true where
    several pipelines are scored and none states the fact. All-zero questions come first, else the order is the
    golden dataset's.
    """
    scores = rows.select(QUESTION_ID, PIPELINE, score).pivot(PIPELINE, index=QUESTION_ID, values=score)
    scores_by_pipeline = {name: score_column(name) for name in scores.columns if name != QUESTION_ID}
    matrix = golden.select(QUESTION_ID, QUESTION, ANSWER, FACT, CATEGORY).join(
        scores.rename(scores_by_pipeline), on=QUESTION_ID, how="left", maintain_order="left"
    )
    columns = [score_column(name) for name in pipelines]
    absent = [pl.lit(None, pl.Float64).alias(column) for column in columns if column not in matrix.columns]
    matrix = matrix.with_columns(absent).with_columns(
        pl.sum_horizontal(columns).cast(pl.Int64).alias(HITS),
        pl.sum_horizontal(pl.col(column).is_not_null() for column in columns).cast(pl.Int64).alias(SCORED),
    )
    matrix = matrix.with_columns(((pl.col(SCORED) > 1) & (pl.col(HITS) == 0)).alias(ALL_ZERO))
    order = [QUESTION_ID, QUESTION, ANSWER, FACT, CATEGORY, *columns, HITS, SCORED, ALL_ZERO]
    return matrix.select(order).sort(ALL_ZERO, descending=True, maintain_order=True)


@dataclass(frozen=True, kw_only=True)
class GoldenState:
    """What the run says about its golden dataset. Counts of triplets."""

    triplets: int
    without_fact: int
    without_answer: int
    never_stated: int
    """Several pipelines are scored on it and none states the fact: look at the question before the pipelines."""
    always_stated: int
    """Several pipelines, and all of the run, state the fact: it does not tell them apart."""


def golden_state(golden: pl.DataFrame, matrix: pl.DataFrame) -> GoldenState:
    """Count what is missing from the golden dataset and which questions tell pipelines apart (see `fact_matrix`)."""
    several = matrix.filter(pl.col(SCORED) > 1)
    pipelines = sum(name.startswith(score_column("")) for name in matrix.columns)
    blank = {column: golden.filter(pl.col(column).fill_null("").str.strip_chars() == "") for column in (FACT, ANSWER)}
    return GoldenState(
        triplets=golden.height,
        without_fact=blank[FACT].height,
        without_answer=blank[ANSWER].height,
        never_stated=several.filter(ALL_ZERO).height,
        always_stated=several.filter(pl.col(HITS) == pipelines).height,
    )


def has_unanswerable(golden: pl.DataFrame) -> bool:
    """Whether a golden dataset marks any question as unanswerable."""
    return bool((~golden[ANSWERABLE].fill_null(True)).any())


def declining(rows: pl.DataFrame) -> pl.DataFrame:
    """Return PIPELINE, the four counts, PRECISION_OF_DECLINING and RECALL_OF_DECLINING; one row a pipeline.

    Of diagnosed rows. A question that is not marked counts as answerable, and a verdict that is unsure as an answer.
    """
    unanswerable, declined = ~pl.col(ANSWERABLE).fill_null(True), pl.col(VERDICT) == Verdict.DECLINED.value
    counts = {
        ANSWERED: ~unanswerable & ~declined,
        DECLINED_WRONGLY: ~unanswerable & declined,
        ANSWERED_WRONGLY: unanswerable & ~declined,
        DECLINED_RIGHTLY: unanswerable & declined,
    }
    table = rows.group_by(PIPELINE, maintain_order=True).agg(
        number.sum().alias(name) for name, number in counts.items()
    )
    return table.with_columns(
        _share(DECLINED_RIGHTLY, DECLINED_WRONGLY).alias(PRECISION_OF_DECLINING),
        _share(DECLINED_RIGHTLY, ANSWERED_WRONGLY).alias(RECALL_OF_DECLINING),
    )


def _share(hits: str, misses: str) -> pl.Expr:
    among = pl.col(hits) + pl.col(misses)
    return pl.when(among > 0).then(pl.col(hits) / among)


def their_scores(rows: pl.DataFrame) -> pl.DataFrame:
    """One row a score of diagnosed rows: question_id, pipeline, diagnosis, verdict, score (its name), value, why_not.

    Empty where no file brought any, as in runs of earlier releases.
    """
    if THEIR_SCORES not in rows.columns:
        return pl.DataFrame(schema=_SCHEMA)
    entries = rows.select(COMPARED).explode(THEIR_SCORES)
    field = pl.col(THEIR_SCORES).struct.field
    return entries.drop_nulls(THEIR_SCORES).select(
        *(QUESTION_ID, PIPELINE, DIAGNOSIS, VERDICT),
        field("name").alias(SCORE),
        field("value").alias(VALUE),
        field("error").alias(WHY_NOT),
    )


def compare_scores(scores: pl.DataFrame) -> pl.DataFrame:
    """One row a score's name and pipeline of `their_scores`: how many are scored and missed, their mean, and the mean
    and number of those whose response has each of qaviz's verdicts (`correct`, `correct_scored`, and so on).

    A mean is null where there is nothing to count.
    """
    of_verdict = [
        part
        for verdict in Verdict
        for part in (
            pl.col(VALUE).filter(pl.col(VERDICT) == verdict).mean().alias(verdict),
            pl.col(VALUE).filter(pl.col(VERDICT) == verdict).count().alias(f"{verdict}_{SCORED}"),
        )
    ]
    whole = (
        pl.col(VALUE).count().alias(SCORED),
        pl.col(VALUE).null_count().alias(MISSED),
        pl.col(VALUE).mean().alias(MEAN),
    )
    return scores.group_by(SCORE, PIPELINE, maintain_order=True).agg(*whole, *of_verdict)


def describe_scores(rows: pl.DataFrame) -> Iterator[str]:
    """A sentence for each row of `compare_scores`."""
    for row in rows.iter_rows(named=True):
        missed = f", {count(row[MISSED])} missing" if row[MISSED] else ""
        parts = [
            f"{figure(row[verdict], 4)} over {count(row[f'{verdict}_{SCORED}'])} with verdict {verdict}"
            for verdict in Verdict
            if row[f"{verdict}_{SCORED}"]
        ]
        words = (
            f'{row[SCORE]}, pipeline "{row[PIPELINE]}": mean {figure(row[MEAN], 4)} over {count(row[SCORED])}{missed}; '
        )
        yield words + ", ".join(parts)
