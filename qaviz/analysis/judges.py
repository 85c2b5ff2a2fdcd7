"""Judges beside verdicts and people: side by side for each response, measured, and compared with each other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import polars as pl

from qaviz.analysis.numbers import count, interval, out_of, percent, plural
from qaviz.diagnosis import open_rows
from qaviz.diagnosis.agreement import LABELS
from qaviz.diagnosis.judging import classes
from qaviz.judging.agreement import (
    GraderAgreement,
    JudgeCalibration,
    calibrate,
    deciding_grades,
    fit_threshold,
    halves,
    threshold_agreement,
)
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
from qaviz.model.errors import QavizError
from qaviz.model.records import Thresholds
from qaviz.stats import sign_test, wilson
from qaviz.store.labels import COMPOSITE, SECONDS, UNSCORED, KnownJudge

OPEN, DIFFERS, PLACE = "open", "differs", "place"
_OPINIONS = pl.Schema(
    {
        c.QUESTION_ID: pl.String(),
        c.PIPELINE: pl.String(),
        c.VERDICT: pl.String(),
        c.JUDGE: pl.String(),
        c.LABEL: pl.String(),
        DIFFERS: pl.Boolean(),
        PLACE: pl.UInt32(),
    }
)
SAME_AGREEMENT = 0.02
"""Judges whose agreement with people differs by no more, and not beyond chance, count as equally good."""
MUCH_CHEAPER = 0.5
SHORT, LONG = 15, 60
"""Words of a response up to which it counts as short, and as middling."""


def side_by_side(
    rows: pl.DataFrame, grades: pl.DataFrame, labels: pl.DataFrame, thresholds: Thresholds
) -> pl.DataFrame:
    """What qaviz, judge and people say of each judged response, in the order of the rows.

    QUESTION_ID, PIPELINE, QUESTION, RESPONSE, VERDICT (of qaviz alone), JUDGE, JUDGE_REASON, COMPOSITE, UNSCORED, LABEL
    (people's, null where there is none), OPEN (whether qaviz leaves it open) and DIFFERS (verdict and judge differ).
    """
    table = rows.select(c.QUESTION_ID, c.PIPELINE, c.QUESTION, c.RESPONSE).cast({c.PIPELINE: pl.String})
    table = table.with_columns(rule_verdicts(rows, thresholds), open_rows(rows, thresholds).alias(OPEN))
    opinions = grades.select(c.QUESTION_ID, c.PIPELINE, c.JUDGE, c.JUDGE_REASON, COMPOSITE, UNSCORED)
    both = table.join(opinions, on=[c.QUESTION_ID, c.PIPELINE], how="inner", maintain_order="left")
    people = labels.select(c.QUESTION_ID, c.PIPELINE, c.LABEL).unique([c.QUESTION_ID, c.PIPELINE], keep="last")
    return both.join(people, on=[c.QUESTION_ID, c.PIPELINE], how="left", maintain_order="left").with_columns(
        (pl.col(c.VERDICT) != pl.col(c.JUDGE)).fill_null(False).alias(DIFFERS)
    )


class JudgedResponse(NamedTuple):
    """One response of `side_by_side`."""

    question_id: str
    pipeline: str
    question: str | None
    response: str | None
    verdict: str
    open: bool
    judge: str | None
    judge_reason: str | None
    composite: float | None
    unscored: str | None
    label: str | None
    differs: bool


def rule_verdicts(rows: pl.DataFrame, thresholds: Thresholds) -> pl.Series:
    """VERDICT of each diagnosed row by qaviz alone, whatever judge was heard."""
    if c.JUDGE not in rows.columns or not rows[c.JUDGE].count():
        return rows[c.VERDICT].cast(pl.String)
    return classes(rows.drop(c.JUDGE, c.JUDGE_REASON, strict=False), thresholds)[c.VERDICT]


def heard_opinions(
    rows: pl.DataFrame, grades: pl.DataFrame | None, labels: pl.DataFrame, thresholds: Thresholds
) -> pl.DataFrame:
    """What qaviz, judge and people say of each response that a judge graded, in the order of the rows.

    QUESTION_ID, PIPELINE, VERDICT (of qaviz alone), JUDGE, LABEL, DIFFERS (verdict and judge), and PLACE, where the
    response stands in `rows`. The judge is the one that the run heard (its column JUDGE), else the one of `grades`.
    """
    heard = c.JUDGE in rows.columns and rows[c.JUDGE].count() > 0
    opinions = rows if heard else grades
    if opinions is None or opinions.is_empty():
        return pl.DataFrame(schema=_OPINIONS)
    judge = opinions.select(
        c.QUESTION_ID, pl.col(c.PIPELINE).cast(pl.String), pl.col(c.JUDGE).str.strip_chars().str.to_lowercase()
    )
    people = labels.select(c.QUESTION_ID, c.PIPELINE, c.LABEL).unique([c.QUESTION_ID, c.PIPELINE], keep="last")
    own = rows.select(c.QUESTION_ID, pl.col(c.PIPELINE).cast(pl.String)).with_row_index(PLACE)
    graded = own.join(
        judge.filter(pl.col(c.JUDGE).is_in(LABELS)), on=[c.QUESTION_ID, c.PIPELINE], maintain_order="left"
    )
    rules = rule_verdicts(rows[graded[PLACE]], thresholds)
    return (
        graded.with_columns(rules)
        .join(people, on=[c.QUESTION_ID, c.PIPELINE], how="left", maintain_order="left")
        .with_columns((pl.col(c.VERDICT) != pl.col(c.JUDGE)).alias(DIFFERS))
        .select(_OPINIONS.names())
    )


def calibration_of(grades: pl.DataFrame, labels: pl.DataFrame) -> JudgeCalibration | None:
    """How far the judge agrees with people; None where nobody labelled a response that it graded."""
    newest = labels.unique([c.QUESTION_ID, c.PIPELINE], keep="last")
    try:
        return calibrate(grades, newest)
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


def threshold_sentence(judge: KnownJudge, grades: pl.DataFrame, labels: pl.DataFrame) -> str | None:
    """From which grade on responses should count as correct, fitted on one half of the labelled questions and measured
    on the other; None for a judge without grades, and where either half has too few labels to say it."""
    rubric = judge.description.get("rubric", {})
    decided_by, used = rubric.get("decided_by"), rubric.get("correct_from")
    if not decided_by or used is None:
        return None
    values = deciding_grades(grades, decided_by)
    tuning, measuring = halves(labels.unique([c.QUESTION_ID, c.PIPELINE], keep="last"))
    fitted = fit_threshold(values, tuning)
    agreed, labelled = threshold_agreement(values, measuring, fitted[0]) if fitted else (0, 0)
    if fitted is None or not labelled:
        return None
    by_rubric, _ = threshold_agreement(values, measuring, used)
    low, high = wilson(agreed, labelled)
    return (
        f"Labels of one half of the questions put the threshold at a grade of {fitted[0]:g} of {decided_by}; the "
        f"rubric has {used:g}. On the other half {out_of(agreed, labelled)} responses are then judged as people do "
        f"(95% interval {interval(low, high)}), and {out_of(by_rubric, labelled)} by the rubric's."
    )


def criterion_targets(agreement: GraderAgreement, lacking: Sequence[str]) -> str:
    """Whether a criterion's grades are calibrated, and what they lack, in a sentence."""
    if not lacking:
        return f"Calibrated on {plural(agreement.compared, 'response')}."
    return f"Uncalibrated: it lacks {'; '.join(lacking)}."


_AS_WRONG = {Verdict.DECLINED.value: Verdict.INCORRECT.value}
_SAME = pl.col(c.JUDGE).replace(_AS_WRONG) == pl.col(c.LABEL).replace(_AS_WRONG)
"""Whether judge and person say the same of a response; declining counts as incorrect."""


def agreement_by(table: pl.DataFrame, rows: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """How often judge and people agree by pipeline, category and length of the response.

    By the name of the grouping: `group`, `agreed`, `compared`, `share`, `low`, `high` (Wilson), the lowest share first.
    `table` is what `side_by_side` returns, `rows` the run's.
    """
    category = rows.select(c.QUESTION_ID, c.CATEGORY).unique(c.QUESTION_ID)
    labelled = table.drop_nulls([c.LABEL, c.JUDGE]).join(category, on=c.QUESTION_ID, how="left")
    words = pl.col(c.RESPONSE).str.split(" ").list.len().fill_null(0)
    length = pl.when(words <= SHORT).then(pl.lit(f"up to {SHORT} words")).when(words <= LONG)
    groups = {
        "pipeline": pl.col(c.PIPELINE),
        "category": pl.col(c.CATEGORY),
        "length": length.then(pl.lit(f"up to {LONG} words")).otherwise(pl.lit("longer")),
    }
    agreements = {}
    for name, group in groups.items():
        counted = labelled.with_columns(group.alias("group"), _SAME.alias("same")).drop_nulls("group")
        sums = counted.group_by("group").agg(pl.col("same").sum().alias("agreed"), pl.len().alias("compared"))
        bounds = [wilson(agreed, compared) for _, agreed, compared in sums.iter_rows()]
        agreements[name] = sums.with_columns(
            (pl.col("agreed") / pl.col("compared")).alias("share"),
            pl.Series("low", [low for low, _ in bounds], pl.Float64),
            pl.Series("high", [high for _, high in bounds], pl.Float64),
        ).sort("share", "group")
    return agreements


@dataclass(frozen=True, kw_only=True)
class JudgeRow:
    """A judge among others: how good, how dear, how slow."""

    judge: KnownJudge
    graded: int
    unscored: int
    calibration: JudgeCalibration | None
    cost_per_1000: float | None
    """In the currency of the prices; None where no price was known."""
    seconds: float | None
    """Of a response, on the average."""
    p: float | None
    """That it agrees with people as often as the first judge of the list does, paired by question; None for itself."""


def compare_judges(
    judges: Sequence[KnownJudge], grades: Mapping[str, pl.DataFrame], labels: pl.DataFrame
) -> list[JudgeRow]:
    """One row a judge, the one that agrees most with people first. `grades` by the judge's key."""
    newest = labels.unique([c.QUESTION_ID, c.PIPELINE], keep="last")
    measured = [_measure_judge(judge, grades[judge.key], newest) for judge in judges]
    measured.sort(key=lambda row: -_share_agreed(row))
    others = (_add_p(row, grades[measured[0].judge.key], grades[row.judge.key], newest) for row in measured[1:])
    return [*measured[:1], *others]


def _share_agreed(row: JudgeRow) -> float:
    return (row.calibration and row.calibration.agreement.exact.value) or 0.0


def _measure_judge(judge: KnownJudge, grades: pl.DataFrame, labels: pl.DataFrame) -> JudgeRow:
    costs, seconds = grades[c.COST].drop_nulls(), grades[SECONDS].drop_nulls()
    unscored = grades[UNSCORED].count()
    return JudgeRow(
        judge=judge,
        graded=grades.height - unscored,
        unscored=unscored,
        calibration=calibration_of(grades, labels),
        cost_per_1000=1000 * float(costs.sum()) / len(costs) if len(costs) else None,
        seconds=float(seconds.sum()) / len(seconds) if len(seconds) else None,
        p=None,
    )


def _add_p(row: JudgeRow, best: pl.DataFrame, grades: pl.DataFrame, labels: pl.DataFrame) -> JudgeRow:
    """The row with the p-value of a sign test over the questions on which one of the two agrees more with people."""
    one, other = (_agreed_by_question(opinions, labels) for opinions in (best, grades))
    both = one.join(other, on=c.QUESTION_ID)
    if both.is_empty():
        return row
    wins = int((both["agreed"] > both["agreed_right"]).sum())
    losses = int((both["agreed"] < both["agreed_right"]).sum())
    return replace(row, p=float(sign_test(wins, losses)))


def _agreed_by_question(grades: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    both = grades.drop_nulls(c.JUDGE).join(labels, on=[c.QUESTION_ID, c.PIPELINE])
    return both.group_by(c.QUESTION_ID).agg(_SAME.mean().alias("agreed"))


def switch_sentence(rows: Sequence[JudgeRow]) -> str | None:
    """That a cheaper judge is as good as the best, where labels say so; None where they do not."""
    if not rows or rows[0].calibration is None or not rows[0].cost_per_1000:
        return None
    best, dear = rows[0], rows[0].cost_per_1000
    for row in sorted(rows[1:], key=lambda judge: judge.cost_per_1000 or 0.0):
        cheap = row.cost_per_1000
        if cheap is None or row.calibration is None or cheap > MUCH_CHEAPER * dear:
            continue
        if _share_agreed(best) - _share_agreed(row) <= SAME_AGREEMENT and (row.p or 0.0) > 0.05:
            share = percent(cheap / dear)
            return (
                f"{share} of the cost for the same agreement with people: {row.judge.model}, "
                f"{row.judge.description.get('shots', '')}, instead of {best.judge.model} "
                f"({percent(_share_agreed(row))} against {percent(_share_agreed(best))} "
                f"of {count(row.calibration.agreement.compared)} labels)."
            )
    return None
