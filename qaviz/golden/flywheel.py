"""The flywheel in figures: how good a golden dataset version is, and what of a change of score pipelines and golden
dataset did.
"""

from collections.abc import Mapping

import polars as pl

from qaviz.golden.edits import HELD, mark_held
from qaviz.golden.lint.findings import SEVERITIES, SEVERITY
from qaviz.model.classes import Fault, Verdict
from qaviz.model.columns import FACTUAL_KNOWLEDGE, FAULT, PIPELINE, QUESTION, QUESTION_ID, RESPONSE, VERDICT

FACTS, FACTS_N = "facts", "facts_n"
AGREED, AGREED_N = "agreed", "agreed_n"
MEASURE_AT_FAULT, MEASURE_AT_FAULT_N = "at_fault", "at_fault_n"

_MEASURE_FAULTS = [Fault.GOLDEN.value, Fault.METRIC.value]

START, QUESTIONS, GOLDEN_DATASET, PIPELINES, END = "start", "questions", "golden_dataset", "pipelines", "end"
"""The score before; the parts of its change; the score after."""

PARTS = (QUESTIONS, GOLDEN_DATASET, PIPELINES)

_RESPONSE_KEY = [QUESTION_ID, PIPELINE]


def version_state(
    findings: pl.DataFrame, rows: pl.DataFrame, labels: pl.DataFrame | None
) -> Mapping[str, float | None]:
    """The figures of one version: `error`, `warning`, `note` (findings); FACTS, Factual Knowledge's mean over FACTS_N
    scores; AGREED, the share of AGREED_N labelled responses on which Factual Knowledge agrees with people;
    MEASURE_AT_FAULT, the share of MEASURE_AT_FAULT_N verdicts with the golden dataset or the metric at fault.

    `rows` are a run's on this version. A share of nothing is null.
    """
    counts = dict(findings[SEVERITY].value_counts().iter_rows())
    judged = rows.filter(pl.col(VERDICT) != Verdict.UNSURE.value)
    labelled = _select_labelled(rows, labels)
    return {
        **{severity: counts.get(severity, 0) for severity in SEVERITIES},
        FACTS: rows.select(pl.col(FACTUAL_KNOWLEDGE).mean()).item(),
        FACTS_N: rows[FACTUAL_KNOWLEDGE].count(),
        AGREED: fact_agreement(labelled),
        AGREED_N: labelled.height,
        MEASURE_AT_FAULT: judged.select(pl.col(FAULT).is_in(_MEASURE_FAULTS).mean()).item(),
        MEASURE_AT_FAULT_N: judged.height,
    }


def _select_labelled(rows: pl.DataFrame, labels: pl.DataFrame | None) -> pl.DataFrame:
    """The rows that people have labelled and Factual Knowledge has scored, with HELD."""
    if labels is None:
        return rows.clear().with_columns(pl.lit(None, pl.String).alias(HELD))
    return mark_held(rows, labels).filter(pl.col("by_person"), pl.col(FACTUAL_KNOWLEDGE).is_not_null())


def fact_agreement(labelled: pl.DataFrame) -> float | None:
    """The share of rows on which Factual Knowledge is 1 where HELD is `correct`, and 0 where it is not."""
    right = (pl.col(FACTUAL_KNOWLEDGE) == 1) == (pl.col(HELD) == Verdict.CORRECT.value)
    share: float | None = labelled.select(right.mean()).item()
    return share


def attribute_change(
    first: pl.DataFrame,
    first_on_new: pl.DataFrame,
    second: pl.DataFrame,
    score: str = FACTUAL_KNOWLEDGE,
    *,
    same_line: bool = True,
) -> pl.DataFrame:
    """Split the change of a mean score from one run to another into parts that add up to it.

    `first` are the first run's rows on its golden dataset version, `first_on_new` the same responses on the second
    run's version (see `rescore`), `second` the second run's rows on that version. GOLDEN_DATASET is
    the old responses' change from the old to the new version, PIPELINES the change from the old to the new responses on
    the new version, both on questions that a pipeline answered in both runs; QUESTIONS is the other questions' effect.
    Where the versions are not of the `same_line`, one id may stand for two questions: then a question is shared only if
    its text is the same too.

    One row a pipeline that both runs have, in the first run's order, and where there are several one for all of them,
    its pipeline null: pipeline; START + QUESTIONS + GOLDEN_DATASET + PIPELINES = END; start_n and end_n, their scores;
    shared_n, how many responses each run has to the shared questions. Parts are null where none of those is
    scored.
    """
    answered = pl.col(RESPONSE).is_not_null()
    both = (
        first.select(PIPELINE).unique(maintain_order=True).join(second, on=PIPELINE, how="semi", maintain_order="left")
    )
    first, first_on_new, second = (
        rows.filter(answered).join(both, on=PIPELINE, how="semi") for rows in (first, first_on_new, second)
    )
    if not same_line:
        first_on_new = first_on_new.join(first, on=[*_RESPONSE_KEY, QUESTION], how="semi")
    shared = first_on_new.select(_RESPONSE_KEY).join(second, on=_RESPONSE_KEY, how="semi")
    means = {
        START: _means(first, score),
        "first_shared": _means(first.join(shared, on=_RESPONSE_KEY, how="semi"), score),
        "golden_shared": _means(first_on_new.join(shared, on=_RESPONSE_KEY, how="semi"), score),
        "second_shared": _means(second.join(shared, on=_RESPONSE_KEY, how="semi"), score),
        END: _means(second, score),
        "shared": _means(shared.with_columns(pl.lit(0.0).alias(score)), score),
    }
    table = both if both.height < 2 else pl.concat([both, both.clear(1)])
    for name, part in means.items():
        named = part.rename({"mean": name, "n": f"{name}_n"})
        table = table.join(named, on=PIPELINE, how="left", nulls_equal=True, maintain_order="left")
    return table.select(
        PIPELINE,
        START,
        (pl.col("first_shared") - pl.col(START) + pl.col(END) - pl.col("second_shared")).alias(QUESTIONS),
        (pl.col("golden_shared") - pl.col("first_shared")).alias(GOLDEN_DATASET),
        (pl.col("second_shared") - pl.col("golden_shared")).alias(PIPELINES),
        END,
        pl.col(f"{START}_n", f"{END}_n", "shared_n").fill_null(0),
    )


def _means(rows: pl.DataFrame, score: str) -> pl.DataFrame:
    """PIPELINE, `mean` and `n` of the score, by pipeline and, with a null for the pipeline, of all of them."""
    figures = (pl.col(score).mean().alias("mean"), pl.col(score).count().cast(pl.Int64).alias("n"))
    whole = rows.select(pl.lit(None, pl.String).alias(PIPELINE), *figures)
    return pl.concat([rows.group_by(PIPELINE).agg(figures), whole.head(1)])
