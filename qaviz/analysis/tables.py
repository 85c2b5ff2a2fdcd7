"""What a run says in tables: pipelines, questions, diagnoses, repeats. Pure: rows in, table out, whatever shows it.

`rows` is one row a response as `Workspace.rows` returns it, `golden` one row a triplet,
`pipelines` the run's, in order."""

import unicodedata
from collections.abc import Iterator, Sequence

import polars as pl

from qaviz import stats
from qaviz.analysis.numbers import count, figure, out_of, plural
from qaviz.analysis.outcomes import whole
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis, Verdict

NO_RESPONSE = "This pipeline has no response to this question."
SEARCHED = (c.QUESTION_ID, c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE)
SCORE, VALUE, WHY_NOT = "score", "value", "why_not"
"""Why there is no value; null where there is one."""

COMPARED = (c.QUESTION_ID, c.PIPELINE, c.DIAGNOSIS, c.VERDICT, c.THEIR_SCORES)
"""Columns of diagnosed rows that are looked at."""

_SCHEMA = {
    **dict.fromkeys((c.QUESTION_ID, c.PIPELINE, c.DIAGNOSIS, c.VERDICT, SCORE), pl.String),
    VALUE: pl.Float64,
    WHY_NOT: pl.String,
}
OF_RUNS = (pl.col("name", "owner", "notes", "run_id"), pl.col("tags", "pipelines").list.join("\n"))
"""What is searched of a table of runs."""
REPEATS = "repeats"
SAME, IN_ALL = "same", "in_all"
OF_REPEATS = (c.QUESTION_ID, c.PIPELINE, c.REPEAT_OF, c.VERDICT, c.FACTUAL_KNOWLEDGE)
"""The columns of a run's rows that agreement of repeats is measured on."""
_JUDGED = [verdict.value for verdict in Verdict if verdict != Verdict.UNSURE]
_CONSISTENCY = pl.Schema(
    {c.PIPELINE: pl.String(), REPEATS: pl.Int64()}
    | {f"{share}{end}": pl.Float64() for share in (SAME, IN_ALL) for end in ("", "_low", "_high")}
    | {f"{share}_n": pl.Int64() for share in (SAME, IN_ALL)}
)
_AXES = {"closeness": c.RECALL, "conciseness": c.PRECISION}
_PLACED = {c.PIPELINE: pl.String, "responses": pl.Int64} | {
    f"{axis}{end}": pl.Float64 for axis in _AXES for end in ("", "_low", "_high")
}


def matching(table: pl.DataFrame, text: str) -> pl.DataFrame:
    """The rows that hold the text in a column of SEARCHED, in whatever case; all where it is blank."""
    return table.filter(_contains(table.columns, text.strip())) if text.strip() else table


def rows_with(table: pl.DataFrame, search: str, searched: Sequence[pl.Expr] = OF_RUNS) -> pl.DataFrame:
    """The rows with every word of the search in these columns, in whatever case, and however accents are encoded."""
    words = unicodedata.normalize("NFC", search).lower().split()
    text = pl.concat_str(*searched, separator="\n", ignore_nulls=True).str.normalize("NFC").str.to_lowercase()
    return table.filter(pl.all_horizontal(True, *(text.str.contains(word, literal=True) for word in words)))


def with_text(rows: pl.DataFrame, golden: pl.DataFrame, text: str) -> pl.Series:
    """Whether `matching` finds this text in each of the rows; a triplet is searched once, not once a response."""
    # Streamed: parts of a table are then searched side by side.
    of_golden = golden.lazy().filter(_contains(golden.columns, text.strip())).select(c.QUESTION_ID)
    matches = of_golden.collect(engine="streaming").to_series()
    wanted = pl.col(c.QUESTION_ID).is_in(matches.implode()) | _contains([c.RESPONSE], text.strip())
    return rows.lazy().select(wanted).collect(engine="streaming").to_series()


def _contains(columns: Sequence[str], text: str) -> pl.Expr:
    searched = pl.col([column for column in SEARCHED if column in columns])
    return pl.any_horizontal(searched.str.contains(f"(?i){pl.escape_regex(text)}").fill_null(False))


def pipeline_summary(rows: pl.DataFrame, golden: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    """One row a pipeline, in the run's order: pipeline; expected (questions, times its repeats), answered (responses
    that are not blank), fact_hits (that state the fact), a count for each diagnosis, and what `mean_scores` has.

    In `rows` repeats may have their pipeline's name: then each counts.
    """
    repeat = pl.col(c.REPEAT).fill_null("") if c.REPEAT in rows.columns else pl.lit("")
    counts = {
        "repeats": repeat.n_unique(),
        "answered": pl.col(c.RESPONSE).str.contains(r"\S").sum(),
        "fact_hits": pl.col(c.FACTUAL_KNOWLEDGE).sum().cast(pl.Int64),
        **{diagnosis.value: (pl.col(c.DIAGNOSIS) == diagnosis.value).sum() for diagnosis in Diagnosis},
    }
    summary = c.join_pipelines(pipelines, rows.group_by(c.PIPELINE).agg(**counts))
    summary = summary.with_columns(pl.col(*counts).fill_null(0))
    summary = summary.with_columns(expected=pl.max_horizontal("repeats", 1) * golden.height)
    return summary.join(mean_scores(rows), on=c.PIPELINE, how="left", maintain_order="left")


def mean_scores(rows: pl.DataFrame) -> pl.DataFrame:
    """One row a pipeline, in the order of the rows: pipeline, scored_of (responses), and for each of SCORES and
    BERTScore that the rows have its mean and, with `_n`, of how many. A mean is null where nothing is scored."""
    names = [name for name in (*c.SCORES, c.BERTSCORE) if name in rows.columns]
    counts = [pl.col(name).count().alias(f"{name}_n") for name in names]
    means = [pl.col(name).mean() for name in names]
    by_pipeline = rows.group_by(c.PIPELINE, maintain_order=True)
    return by_pipeline.agg(pl.len().alias("scored_of"), *means, *counts).cast({c.PIPELINE: pl.String})


def pipeline_means(rows: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    """One row a pipeline that has a response on the chart, in the given order: pipeline, responses (how many the means
    count), closeness and conciseness, each with `_low` and `_high`, the ends of its 95 % interval; null for fewer than
    two responses."""
    placed = rows.select(pl.col(c.PIPELINE).cast(pl.String), *_AXES.values()).drop_nulls([*_AXES.values()])
    means = list[dict[str, object]]()
    for name in pipelines:
        own = placed.filter(pipeline=name)
        scores: dict[str, object] = {c.PIPELINE: name, "responses": own.height}
        for axis, metric in _AXES.items():
            mean, deviation = own.select(pl.mean(metric), pl.std(metric).alias("deviation")).row(0)
            low, high = stats.mean_interval(mean, deviation, own.height) if own.height > 1 else (None, None)
            scores |= {axis: mean, f"{axis}_low": low, f"{axis}_high": high}
        means += [scores] if own.height else []
    return pl.DataFrame(means, schema=_PLACED)


def golden_sentences(golden: pl.DataFrame, rows: pl.DataFrame, pipelines: Sequence[str]) -> list[str]:
    """What the run says about its golden dataset, the most urgent first: which questions tell its pipelines apart, of
    those on which several are scored, and what is missing."""
    stated = rows.filter(pl.col(c.QUESTION_ID).is_in(golden[c.QUESTION_ID].implode())).group_by(c.QUESTION_ID)
    fact = pl.col(c.FACTUAL_KNOWLEDGE)
    several = stated.agg(hits=fact.sum(), scored=fact.count()).filter(pl.col("scored") > 1)
    is_blank = (pl.col(c.FACT, c.ANSWER).fill_null("").str.strip_chars() == "").sum()
    without_fact, without_answer = golden.select(is_blank).row(0)
    never, always = (several.filter(pl.col("hits") == hits).height for hits in (0, len(pipelines)))
    of_all, facts = plural(golden.height, "triplet"), golden.height - without_fact
    never_stated, always_stated = (
        f"{out_of(some, facts)} facts {'is' if some == 1 else 'are'} stated by" for some in (never, always)
    )
    counted = {
        f"{never_stated} no pipeline. Check those questions first.": never,
        f"{always_stated} every pipeline, so they tell no pipelines apart.": always,
        f"{count(without_fact)} of {of_all} have no fact, so Factual Knowledge excludes them.": without_fact,
        f"{count(without_answer)} of {of_all} have no golden answer.": without_answer,
    }
    return [sentence for sentence, some in counted.items() if some] or [f"All {of_all} have an answer and a fact."]


def their_scores(rows: pl.DataFrame) -> pl.DataFrame:
    """One row a score of diagnosed rows: question_id, pipeline, diagnosis, verdict, score (its name), value, why_not.

    Empty where no file brought any, as in runs of earlier releases.
    """
    if c.THEIR_SCORES not in rows.columns:
        return pl.DataFrame(schema=_SCHEMA)
    entries = rows.select(COMPARED).explode(c.THEIR_SCORES)
    field = pl.col(c.THEIR_SCORES).struct.field
    return entries.drop_nulls(c.THEIR_SCORES).select(
        *(c.QUESTION_ID, c.PIPELINE, c.DIAGNOSIS, c.VERDICT),
        field("name").alias(SCORE),
        field("value").alias(VALUE),
        field("error").alias(WHY_NOT),
    )


def describe_scores(scores: pl.DataFrame) -> Iterator[str]:
    """A sentence for each score and pipeline of `their_scores`: its mean, and how many are scored and missing."""
    figures = pl.col(VALUE).mean().alias("mean"), pl.col(VALUE).count().alias("scored"), pl.col(VALUE).null_count()
    means = scores.group_by(SCORE, c.PIPELINE, maintain_order=True).agg(figures)
    for name, pipeline, mean, scored, missed in means.iter_rows():
        words = f'{name}, pipeline "{pipeline}": mean {figure(mean, 4)} over {count(scored)}'
        yield f"{words}, {count(missed)} missing." if missed else f"{words}."


def find_repeated(rows: pl.DataFrame) -> pl.DataFrame:
    """The pipelines that the rows hold several repeats of, in their order: PIPELINE, and REPEATS, how many."""
    if c.REPEAT_OF not in rows.columns:
        return _CONSISTENCY.to_frame().select(c.PIPELINE, REPEATS)
    names = rows.select(pl.coalesce(c.REPEAT_OF, c.PIPELINE).alias("whole"), c.PIPELINE).unique(maintain_order=True)
    counted = names.group_by("whole", maintain_order=True).agg(pl.len().cast(pl.Int64).alias(REPEATS))
    return counted.filter(pl.col(REPEATS) > 1).rename({"whole": c.PIPELINE})


def consistency(rows: pl.DataFrame) -> pl.DataFrame:
    """One row a pipeline with several repeats: how far they agree, over the questions that every repeat has a score of.

    PIPELINE; REPEATS; SAME, the share of questions with one verdict in all repeats; IN_ALL, the share whose fact is
    stated every time. Each with `_n`, over how many questions, and `_low` and `_high`, the ends of its 95 % interval
    (`stats.interval_of`). Null where no question counts. A repeat is no new question.

    With k repeats, IN_ALL is the share of questions that go well k times in a row, which τ-bench calls pass^k (S. Yao
    et al., 2024).
    """
    repeated, fact, times = find_repeated(rows), pl.col(c.FACTUAL_KNOWLEDGE), pl.col(REPEATS)
    counts = [(pl.col(c.VERDICT) == verdict).sum().cast(pl.Int64).alias(verdict) for verdict in _JUDGED]
    counts += [times.first(), fact.sum().alias("stated"), fact.count().cast(pl.Int64).alias("facts")]
    own = whole(rows).join(repeated, on=c.PIPELINE, maintain_order="left")
    questions = own.group_by(c.PIPELINE, c.QUESTION_ID, maintain_order=True).agg(counts)
    one_verdict = pl.when(pl.sum_horizontal(_JUDGED) == times).then(pl.max_horizontal(_JUDGED) == times)
    agreed = {SAME: one_verdict, IN_ALL: pl.when(pl.col("facts") == times).then(pl.col("stated") == times)}
    questions = questions.with_columns(holds.cast(pl.Float64).alias(name) for name, holds in agreed.items())
    agreements = list[dict[str, object]]()
    for agreement in repeated.iter_rows(named=True):
        for share in agreed:
            sample = questions.filter(pl.col(c.PIPELINE) == agreement[c.PIPELINE])[share].drop_nulls()
            low, high = stats.interval_of(sample.to_numpy()) if len(sample) else (None, None)
            agreement |= {share: sample.mean(), f"{share}_n": len(sample), f"{share}_low": low, f"{share}_high": high}
        agreements.append(agreement)
    return pl.DataFrame(agreements, schema=_CONSISTENCY)
