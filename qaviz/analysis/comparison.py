"""What a comparison of two pipelines says: its rows, and their words. `estimates.compare` makes them."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final, TypedDict, cast

import polars as pl

from qaviz.analysis.glossary import TEXTS, explain
from qaviz.analysis.numbers import MISSING, count, percent, plural, score
from qaviz.model import columns as c
from qaviz.model.metrics import METRICS
from qaviz.stats import Compared

METRIC: Final = "metric"
FIRST: Final = "first"
SECOND: Final = "second"
MANY_MORE = 10_000
"""Most further questions that a sentence asks for; more would be too many to write."""
_SHARES = {c.FACTUAL_KNOWLEDGE: "facts stated", c.VERDICT: "questions answered correctly"}
"""Metrics that people read as a count: what is counted."""


class Basis(StrEnum):
    """What a difference rests on."""

    LABELS = "labels of both"
    """Drawn at random on both sides, enough to correct each."""
    SOME_LABELS = "labels of one side, or few"
    WORDS = "words"
    SAME = "the same responses"
    SCORES = "scores"


class ComparedRow(TypedDict):
    """A row of `compare`: one metric and pair of pipelines.

    Without a paired question no mean and nothing after them is known, but for the counts, which are 0.
    """

    metric: str
    first: str
    second: str
    n_first: int
    """Questions scored for the first pipeline."""
    n_second: int
    paired: int
    """Questions scored for both."""
    mean_first: float | None
    """Over the paired questions; of right answers the share that `estimate` has of them."""
    mean_second: float | None
    most_first: float | None
    """With `most_second`: the mean as it is counted if all open responses were right."""
    most_second: float | None
    difference: float | None
    low: float | None
    """With `high`: the 95 % interval of the difference, with the error of words where it rests on them."""
    high: float | None
    wins: int
    """Questions on which the first scores higher, as counted."""
    losses: int
    ties: int
    p: float | None
    p_holm: float | None
    """Corrected over the pairs of the metric."""
    detectable: float | None
    """The smallest difference that would probably have been found."""
    needed: int | None
    """More questions to settle the difference as it stands; None where it is settled or none would do."""
    basis: str
    """A `Basis`."""
    error: float | None
    """What is added to both ends for the error of words: how far differences by words alone were off."""
    labels_needed: int | None
    """Labels a side, drawn at random, that would probably show the difference as it stands; None where no number of
    labels of these questions would, and where nothing is to be shown."""
    open: bool
    """Whether settling open responses could make one of the two better."""
    decision: str
    """A `stats.Compared`."""
    confidence: str | None
    """How sure a better or worse is: high by labels of both sides, medium by words where the difference is beyond the
    largest error that they had, else low. None for other words, and for scores."""
    sentence: str


SCHEMA = pl.Schema(ComparedRow.__annotations__)

_OF_SIDES = ((f"{name}first", f"{name}second") for name in ("", "n_", "mean_", "most_"))
_SIDES = (*_OF_SIDES, ("wins", "losses"), ("low", "high"))
_OPPOSITE = {Compared.BETTER: Compared.WORSE, Compared.WORSE: Compared.BETTER}


def seen_from(row: ComparedRow, pipeline: str) -> ComparedRow:
    """A row of `compare` with this one of its two pipelines as the first."""
    if row[FIRST] == pipeline:
        return row
    decision = Compared(row["decision"])
    fields: dict[str, Any] = dict(row)
    turned = fields | {name: fields[other] for pair in _SIDES for name, other in (pair, pair[::-1])}
    for name in ("difference", "low", "high"):
        turned[name] = None if turned[name] is None else -turned[name]
    seen = cast(ComparedRow, turned | {"decision": _OPPOSITE.get(decision, decision).value})
    return {**seen, "sentence": sentence(seen)}


def is_share(metric: str) -> bool:
    """Whether people read the metric as a share: right answers, facts stated, the rate of a diagnosis."""
    return metric in _SHARES or metric not in METRICS


def metric_label(metric: str) -> str:
    """What people see of a metric of `comparison.COMPARED`: `Right answers`, `Facts stated`, `Closeness`."""
    shares = {c.VERDICT: "Right answers", c.FACTUAL_KNOWLEDGE: "Facts stated"}
    return shares.get(metric) or (METRICS[metric].label if metric in METRICS else metric)


def metric_help(metric: str) -> str:
    """What a metric of `comparison.COMPARED` means, from the glossary or the catalogue of scores."""
    return explain(metric_label(metric).lower()) if metric in _SHARES else METRICS[metric].help


def amount(metric: str, value: float | None) -> str:
    """A difference of scores as it is written: `12.5 points` of a hundred for shares, `0.12` for other scores.

    One that is not quite none never reads so: `<0.1 points`, `<0.01`; `–` where it is missing.
    """
    if value is None:
        return MISSING
    size = abs(value)
    if is_share(metric):
        return "<0.1 points" if 0 < size < 0.0005 else f"{100 * size:.1f} points"
    return "<0.01" if 0 < size < 0.005 else score(size)


def level(metric: str, value: float | None) -> str:
    """A mean as it is written: `80%` for shares, `0.80` for other scores; `–` where it is missing."""
    return percent(value) if is_share(metric) else score(value)


def single(metric: str, value: float) -> str:
    """The score of one question: of shares `1` and `0`, and `33%` where repeats differ; `0.80` for other scores."""
    return f"{value:g}" if is_share(metric) and value in (0, 1) else level(metric, value)


def format_signed(metric: str, value: float | None) -> str:
    """A difference with its sign, shares in points of a hundred: `+12.0`, `−0.05`; `–` where it is missing."""
    if value is None:
        return MISSING
    figure = f"{100 * abs(value):.1f}" if is_share(metric) else score(abs(value))
    return figure if not figure.strip("0.") else f"{'+' if value > 0 else '−'}{figure}"


def category_warning(categories: int) -> str:
    """What to keep in mind when as many slices are looked at."""
    return (
        f"With {plural(categories, 'category', 'categories')}, one may differ by luck. "
        "Better and worse are corrected for the number of categories. Treat other gaps as hints, not as findings."
    )


def add_sentences(rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    """Rows of `estimates.compare` as a table, with their sentences: all columns of SCHEMA."""
    return pl.DataFrame([row | {"sentence": sentence(cast(ComparedRow, row))} for row in rows], schema=SCHEMA)


def sentence(row: ComparedRow) -> str:
    """The sentence for one row of a comparison."""
    mean, other = row["mean_first"], row["mean_second"]
    first, second = row["first"], row["second"]
    if not row["paired"] or mean is None or other is None:
        return f"{first} and {second} share no scored question, so they cannot be compared."
    if row["basis"] == Basis.SAME:
        return f"{first} and {second} gave the same responses to all {count(row['paired'])} questions: a tie."
    figures = _figures(row, mean, other)
    if row["basis"] in (Basis.LABELS, Basis.SOME_LABELS):  # Shares that labels correct are no counts.
        figures = f"about {percent(mean)} of {_SHARES[row['metric']]} against {percent(other)}, by {row['basis']}"
    template: str = TEXTS["comparisons"][row["decision"]]
    return template.format(
        first=first,
        second=second,
        figures=figures,
        gap=amount(row["metric"], min(1.0, (row["detectable"] or 0) + (row["error"] or 0))),
        chance=_chance(row),
        words=" It may be the error of words: labels of both would show it." if row["confidence"] == "low" else "",
    )


def _chance(row: ComparedRow) -> str:
    """The end of a sentence: that a difference may be chance, and how many more questions may decide it."""
    if not row["difference"]:
        return "."
    if row["basis"] == Basis.SOME_LABELS:
        return ", which may be chance. Labels of both, drawn at random, would show it."
    if row["needed"] is None or row["needed"] > MANY_MORE:
        return ", which may be chance."
    within = is_within_error(row)
    error, labels = (" or the error of words", ", with labels of both,") if within else ("", "")
    more = plural(rounded_up(row["needed"]), "more question")
    return f", which may be chance{error}. About {more} of this kind{labels} may decide it."


def is_within_error(row: ComparedRow) -> bool:
    """Whether more questions alone would not tell: the difference may be the error of verdicts by words."""
    return row["basis"] == Basis.WORDS and abs(row["difference"] or 0) <= (row["error"] or 0)


def rounded_up(number: int) -> int:
    """The number with two digits that mean something, never less than it is: 1,234 becomes 1,300."""
    step: int = 10 ** max(0, len(str(number)) - 2)
    return -(-number // step) * step


def _figures(row: ComparedRow, first: float, second: float) -> str:
    """`8 of 10 facts stated against 4`, `closeness 0.82 against 0.71 over 10 questions`: two means of n questions."""
    metric, n = row["metric"], row["paired"]
    if metric not in _SHARES:
        label = metric_label(metric)
        name = label if label.isupper() or label[-1].isdigit() else label.lower()
        return f"{name} {score(first)} against {score(second)} over {plural(n, 'question')}"
    means = (first, row["most_first"]), (second, row["most_second"])
    hits = [[(mean or 0.0) * n for mean in side] for side in means]
    if any(abs(hit - round(hit)) > 1e-6 for side in hits for hit in side):  # repeats make no count of it
        return f"{percent(first)} of {_SHARES[metric]} against {percent(second)} over {plural(n, 'question')}"
    # `54 to 55` where some are open.
    first_hits, second_hits = (" to ".join(dict.fromkeys(count(round(hit)) for hit in side)) for side in hits)
    return f"{first_hits} of {count(n)} {_SHARES[metric]} against {second_hits}"
