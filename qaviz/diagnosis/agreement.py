"""How far verdicts agree with people's labels, and where they do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.model.classes import Verdict
from qaviz.model.columns import ANSWERABLE, CATEGORY, CONFIDENCE, LABEL, PIPELINE, QUESTION_ID, RESPONSE, VERDICT
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.stats import LEVEL, wilson

LABELS = (Verdict.CORRECT.value, Verdict.INCORRECT.value, Verdict.DECLINED.value)
VERDICTS = (*LABELS, Verdict.UNSURE.value)
"""A verdict may be `unsure`, a label may not: `unsure` never agrees."""

RESAMPLES = 2000
SEED = 20230630

Counts = NDArray[np.float64]
"""Counts, the confusion's in the order [..., label, verdict] of VERDICTS."""


@dataclass(frozen=True)
class Figure:
    """A figure with its 95 % interval; all three are null where the labels leave the figure undefined."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """People's labels against verdicts, response by response."""

    compared: int
    """Responses with both a label and a verdict."""
    questions: int
    unlabelled: int
    """Responses without a label: not compared."""
    unmatched: int
    """Labels without a response: not compared."""
    accuracy: Figure
    """Share of the responses whose verdict is the label."""
    macro_f1: Figure
    """Mean over the labels that occur of each one's F1."""
    kappa: Figure
    """Cohen's kappa: 0 is what chance gives with these frequencies, 1 is full agreement."""
    confusion: pl.DataFrame
    """label, verdict, responses: every pair, also those that never occur."""
    by_pipeline: pl.DataFrame
    """pipeline, responses, agreed, accuracy, low, high (Wilson)."""
    by_category: pl.DataFrame
    """As `by_pipeline`, by the golden dataset's category; empty where it has none."""
    disagreements: pl.DataFrame
    """The responses whose verdict is not the label, with all their columns, worst first: see `_worst_first`."""


def agreement(scored: pl.DataFrame, labels: pl.DataFrame) -> Agreement:
    """Compare diagnosed responses with people's labels.

    `scored` needs QUESTION_ID, PIPELINE and VERDICT (CONFIDENCE and CATEGORY are used where present), `labels`
    QUESTION_ID, PIPELINE and LABEL. Intervals resample whole questions, for responses to one question go together.
    Raises QavizError for columns that are missing, labels that are none, contradicting labels, and no common response.
    """
    check_labels(labels)
    labels_given = select_labels(labels, scored).select(QUESTION_ID, PIPELINE, LABEL)
    compared = _comparable(scored, labels_given)
    if compared.is_empty():
        words = f"{labels.height:,} labels, none for a response of these {scored.height:,}"
        expected = "the question_id and pipeline of the scored responses"
        raise stop("labels", words, expected, "Check that the labels belong to this run.")
    counts = count_by_question(compared, {LABEL: VERDICTS, VERDICT: VERDICTS})  # nobody labels `unsure`
    accuracy, macro_f1, kappa = estimates(counts)
    pairs = pl.DataFrame(list(product(VERDICTS, repeat=2)), schema=[LABEL, VERDICT], orient="row")
    confusion = pairs.with_columns(pl.Series("responses", counts.sum(axis=0).ravel(), pl.Int64, strict=False))
    questions = len(counts)
    return Agreement(
        compared=compared.height,
        questions=questions,
        unlabelled=scored.height - compared.height,
        unmatched=labels.select(QUESTION_ID, PIPELINE, LABEL).unique().height - labels_given.height,
        accuracy=widen_certain(accuracy, questions),
        macro_f1=widen_certain(macro_f1, questions),
        kappa=widen_certain(kappa, questions, accuracy.value),
        confusion=confusion.filter(pl.col(LABEL).is_in(LABELS)),
        by_pipeline=_by(compared, PIPELINE),
        by_category=_by(compared, CATEGORY) if CATEGORY in compared.columns else _by(compared, PIPELINE).clear(),
        disagreements=_worst_first(compared),
    )


def _comparable(scored: pl.DataFrame, labels_given: pl.DataFrame) -> pl.DataFrame:
    """Return the scored rows that have a label, with their verdicts as `counts_as` has them."""
    unlabelled = scored.drop(LABEL, strict=False)
    both = unlabelled.join(labels_given, on=[QUESTION_ID, PIPELINE], maintain_order="left")
    if ANSWERABLE in both.columns:
        # Who declines what cannot be answered is right: a person may call that declined or correct.
        rightly = (pl.col(VERDICT) == Verdict.DECLINED.value) & ~pl.col(ANSWERABLE).fill_null(True)
        agrees = rightly & (pl.col(LABEL) == Verdict.CORRECT.value)
        both = both.with_columns(pl.when(agrees).then(pl.col(LABEL)).otherwise(pl.col(VERDICT)).alias(VERDICT))
    return both.with_columns(pl.col(VERDICT).cast(pl.String).replace(counts_as(labels_given)))


def counts_as(labels: pl.DataFrame) -> dict[str, str]:
    """Return the verdicts that count as another one beside these labels.

    Where nobody labelled `declined`, it was not among the choices: a declined verdict then counts as `incorrect`.
    """
    if (labels[LABEL] == Verdict.DECLINED.value).any():
        return {}
    return {Verdict.DECLINED.value: Verdict.INCORRECT.value}


def select_labels(labels: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Return the labels of these rows, each once, where it stands last; without the column RESPONSE.

    Where they say of which text they are (RESPONSE), those of that text; blanks make no other text.
    """
    key = [QUESTION_ID, PIPELINE]
    once = labels.unique(keep="last", maintain_order=True)
    if RESPONSE not in labels.columns or RESPONSE not in rows.columns:
        return once.drop(RESPONSE, strict=False).join(rows, on=key, how="semi", maintain_order="left")
    theirs, own = (pl.col(name).str.replace_all(r"\s+", " ").str.strip_chars() for name in (RESPONSE, "own response"))
    beside = once.join(rows.select(*key, pl.col(RESPONSE).alias("own response")), on=key, maintain_order="left")
    same = pl.col(RESPONSE).is_null() | (theirs == own.fill_null(""))
    return beside.filter(same).select(pl.exclude(RESPONSE, "own response")).unique(keep="last", maintain_order=True)


def check_labels(labels: pl.DataFrame) -> None:
    """Raise QavizError with every problem of a table of labels."""
    missing = [name for name in (QUESTION_ID, PIPELINE, LABEL) if name not in labels.columns]
    if missing:
        words = f"the columns {', '.join(labels.columns)}"
        expected = f"the columns {QUESTION_ID}, {PIPELINE} and {LABEL}"
        raise stop("labels", words, expected, f"Add {' and '.join(missing)}.")
    strange = labels.filter(~pl.col(LABEL).is_in(list(LABELS)).fill_null(False))
    expected = "correct, incorrect or declined"
    if 1 < strange.height == labels.height:
        written = strange[LABEL].unique(maintain_order=True).drop_nulls().head(5)
        shown = f"no label: {', '.join(f'“{word}”' for word in written) or 'nothing'}"
        problems = [Problem(f"column {LABEL}", shown, expected, "Name the column of the labels.")]
    else:
        problems = []
        for question, pipeline, label in strange.select(QUESTION_ID, PIPELINE, LABEL).iter_rows():
            shown, fix = "nothing" if label is None else f"“{label}”", "Use one of the three, or remove the row."
            problems.append(Problem(f"label of question {question} and pipeline {pipeline}", shown, expected, fix))
    pairs = labels.group_by(QUESTION_ID, PIPELINE, maintain_order=True).agg(pl.col(LABEL).unique(maintain_order=True))
    for question, pipeline, contradicting in pairs.filter(pl.col(LABEL).list.len() > 1).iter_rows():
        where = f"labels of question {question} and pipeline {pipeline}"
        shown = f"{' and '.join(map(str, contradicting))} for the same response"
        problems.append(Problem(where, shown, "one label a response", "Keep one of them."))
    if problems:
        raise QavizError(*problems)


def count_by_question(rows: pl.DataFrame, grades: Mapping[str, Sequence[str]]) -> Counts:
    """Confusion counts of each question, [question, first, second], of the two columns that hold one of these each."""
    places = (
        pl.col(column).replace_strict(dict(zip(names, range(len(names)), strict=True)), default=None)
        for column, names in grades.items()
    )
    coded = rows.select(pl.col(QUESTION_ID).rank("dense").cast(pl.Int64) - 1, *places).drop_nulls()
    counts = np.zeros((rows[QUESTION_ID].n_unique(), *map(len, grades.values())))
    np.add.at(counts, tuple(coded.to_numpy().T), 1)
    return counts


def estimates(by_question: Counts) -> tuple[Figure, Figure, Figure]:
    """Return accuracy, macro F1 and Cohen's kappa of confusion counts by question."""
    both, same = (by_question.sum(axis=0), resample_questions(by_question)), np.eye(len(VERDICTS))
    accuracy, kappa = ([figure(counts, same) for counts in both] for figure in (weigh_agreement, cohen_kappa))
    return estimate(*accuracy), estimate(*map(_macro_f1, both)), estimate(*kappa)


def resample_questions(by_question: Counts) -> Counts:
    """Return RESAMPLES bootstrap totals of counts by question, [resample, ...]; a question is drawn whole.

    Questions with equal counts are exchangeable, so it is enough to draw how often each distinct one occurs.
    """
    distinct, times = np.unique(by_question.reshape(len(by_question), -1), axis=0, return_counts=True)
    drawn = np.random.default_rng(SEED).multinomial(times.sum(), times / times.sum(), size=RESAMPLES)
    return np.asarray((drawn @ distinct).reshape(-1, *by_question.shape[1:]), np.float64)


def estimate(value: NDArray[np.float64], drawn: NDArray[np.float64]) -> Figure:
    """Return a figure with the percentile interval of its resamples."""
    if np.isnan(value):
        return Figure(None, None, None)
    low, high = np.nanquantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Figure(float(value), float(low), float(high))


def widen_certain(figure: Figure, questions: int, agreed: float | None = None) -> Figure:
    """The figure with Wilson's interval where its own has no width.

    Where all questions are alike, so are their resamples, which then know no doubt. `agreed` is the share that agrees,
    of a figure that is a share beyond chance: chance is taken as it is.
    """
    if figure.value is None or figure.low != figure.high:
        return figure
    share = figure.value if agreed is None else agreed
    chance = 0.0 if agreed is None or figure.value == 1 else (agreed - figure.value) / (1 - figure.value)
    low, high = ((end - chance) / (1 - chance) for end in wilson(round(share * questions), questions))
    return Figure(figure.value, min(low, figure.value), max(high, figure.value))


def weigh_agreement(counts: Counts, weights: Counts) -> Counts:
    """The weighted share that agrees, of counts [..., first, second]."""
    return np.asarray((counts * weights).sum(axis=(-2, -1)) / counts.sum(axis=(-2, -1)), np.float64)


def cohen_kappa(counts: Counts, weights: Counts) -> Counts:
    """J. Cohen, Educational and Psychological Measurement 20 (1960) and, weighted, Psychological Bulletin 70 (1968)."""
    total = counts.sum(axis=(-2, -1))
    first, second = counts.sum(axis=-1), counts.sum(axis=-2)
    expected = np.einsum("...i,ij,...j->...", first, weights, second) / total**2
    return _beyond_chance(weigh_agreement(counts, weights), expected)


def gwet_ac(counts: Counts, weights: Counts) -> Counts:
    """AC1, and AC2 with weights: K. L. Gwet, British Journal of Mathematical and Statistical Psychology 61 (2008)."""
    size = len(weights)
    if size == 1:
        return np.full(counts.shape[:-2], np.nan)
    total = counts.sum(axis=(-2, -1))[..., None]
    shares = (counts.sum(axis=-1) + counts.sum(axis=-2)) / (2 * total)
    expected = weights.sum() / (size * (size - 1)) * (shares * (1 - shares)).sum(axis=-1)
    return _beyond_chance(weigh_agreement(counts, weights), expected)


def _beyond_chance(agreed: Counts, expected: Counts) -> Counts:
    """How much more agrees than chance gives, of all that may; NaN where chance gives all."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected < 1, (agreed - expected) / (1 - expected), np.nan)


def _macro_f1(counts: Counts) -> NDArray[np.float64]:
    """F1 of a label is 2 hits / (labelled so + judged so); the mean is over the labels that people gave."""
    labelled, judged = counts.sum(axis=-1), counts.sum(axis=-2)
    with np.errstate(invalid="ignore"):
        f1 = np.where(labelled > 0, 2 * np.diagonal(counts, axis1=-2, axis2=-1) / (labelled + judged), np.nan)
    return np.asarray(np.nanmean(f1, axis=-1), np.float64)


def _by(compared: pl.DataFrame, group: str) -> pl.DataFrame:
    agreed = (pl.col(LABEL) == pl.col(VERDICT)).sum()
    counts = (count.cast(pl.Int64).alias(name) for name, count in (("responses", pl.len()), ("agreed", agreed)))
    counted = compared.drop_nulls(group).group_by(group, maintain_order=True).agg(counts)
    bounds = [wilson(agreed, responses) for responses, agreed in counted.select("responses", "agreed").iter_rows()]
    return counted.with_columns(
        (pl.col("agreed") / pl.col("responses")).alias("accuracy"),
        pl.Series("low", [low for low, _ in bounds], pl.Float64),
        pl.Series("high", [high for _, high in bounds], pl.Float64),
    )


def _worst_first(compared: pl.DataFrame) -> pl.DataFrame:
    """Return the rows that disagree: correct taken for incorrect or the reverse before the rest, then by confidence."""
    unsure = pl.col(VERDICT) == Verdict.UNSURE.value
    opposite = pl.concat_list(LABEL, VERDICT).list.contains(Verdict.DECLINED.value) | unsure
    order = [opposite, -pl.col(CONFIDENCE)] if CONFIDENCE in compared.columns else [opposite]
    return compared.filter(pl.col(LABEL) != pl.col(VERDICT)).sort(order, nulls_last=True, maintain_order=True)
