"""Judges beside verdicts and people: response by response, and measured."""

from collections.abc import Iterator

import polars as pl

from qaviz.analysis.numbers import interval, percent, plural
from qaviz.analysis.outcomes import counting
from qaviz.diagnosis.agreement import LABELS
from qaviz.diagnosis.judging import verdicts
from qaviz.judging.agreement import JudgeCalibration, calibrate
from qaviz.model import columns as c
from qaviz.model.errors import QavizError
from qaviz.model.records import Thresholds
from qaviz.store.labels import KnownJudge

DIFFERS, PLACE = "differs", "place"
_OPINIONS = pl.Schema(
    dict.fromkeys((c.QUESTION_ID, c.PIPELINE, c.VERDICT, c.JUDGE, c.JUDGE_REASON, c.LABEL), pl.String())
    | {DIFFERS: pl.Boolean(), PLACE: pl.UInt32()}
)


def heard_opinions(
    rows: pl.DataFrame, grades: pl.DataFrame | None, labels: pl.DataFrame, thresholds: Thresholds
) -> pl.DataFrame:
    """What qaviz, judge and people say of each response that a judge graded, in the order of the rows.

    QUESTION_ID, PIPELINE, VERDICT (of qaviz alone), JUDGE, JUDGE_REASON, LABEL, DIFFERS (verdict and judge), and PLACE,
    where the response stands in `rows`. The judge is the one that the run heard (its column JUDGE), else that of
    `grades`.
    """
    heard = c.JUDGE in rows.columns and rows[c.JUDGE].count() > 0
    opinions = rows if heard else grades
    if opinions is None or opinions.is_empty():
        return pl.DataFrame(schema=_OPINIONS)
    judge = opinions.select(
        c.QUESTION_ID,
        pl.col(c.PIPELINE).cast(pl.String),
        pl.col(c.JUDGE).str.strip_chars().str.to_lowercase(),
        c.JUDGE_REASON,
    )
    people = counting(labels.select(c.QUESTION_ID, c.PIPELINE, c.LABEL))
    own = rows.select(c.QUESTION_ID, pl.col(c.PIPELINE).cast(pl.String)).with_row_index(PLACE)
    graded = own.join(
        judge.filter(pl.col(c.JUDGE).is_in(LABELS)), on=[c.QUESTION_ID, c.PIPELINE], maintain_order="left"
    )
    diagnosed = rows[graded[PLACE]]
    by_rules = diagnosed[c.VERDICT].cast(pl.String)
    if heard:
        by_rules = verdicts(diagnosed.drop(c.JUDGE, c.JUDGE_REASON, strict=False), thresholds).alias(c.VERDICT)
    return (
        graded.with_columns(by_rules)
        .join(people, on=[c.QUESTION_ID, c.PIPELINE], how="left", maintain_order="left")
        .with_columns((pl.col(c.VERDICT) != pl.col(c.JUDGE)).alias(DIFFERS))
        .select(_OPINIONS.names())
    )


def calibration_of(grades: pl.DataFrame, labels: pl.DataFrame) -> JudgeCalibration | None:
    """How far the judge agrees with people; None where nobody labelled a response that it graded."""
    try:
        return calibrate(grades, counting(labels))
    except QavizError:
        return None


def calibration_sentences(judge: KnownJudge, calibration: JudgeCalibration | None, graded: int) -> Iterator[str]:
    """What is known of a judge, the number first."""
    if judge.recorded:
        yield "Recorded: these grades are a replayed demonstration; no model was called."
    if calibration is None:
        yield (
            f"Uncalibrated: 0 of {plural(graded, 'graded response')} are labelled by people in random order. "
            "Label some at random on Responses to learn how far this judge can be relied on."
        )
        return
    exact = calibration.agreement.exact
    word = "Calibrated" if calibration.calibrated else "Uncalibrated"
    yield (
        f"{word}: {percent(exact.value)} of {plural(calibration.agreement.compared, 'labelled response')} "
        f"are judged as people do (95% interval {interval(exact.low, exact.high)})."
    )
    yield f"A constant guess agrees with {percent(calibration.agreement.constant_guess)}."
    if calibration.lacking:
        yield f"Missing for “calibrated”: {'; '.join(calibration.lacking)}."
