"""A comparison of two pipelines in one sentence, as plain text, never markdown.

The figures stand beside it in the table (see `qaviz.analysis.comparison.compare`).
"""

from typing import TypedDict

from qaviz.analysis.glossary import explain
from qaviz.analysis.numbers import MISSING, count, out_of, p_value, percent, plural, score
from qaviz.model.columns import FACTUAL_KNOWLEDGE, VERDICT
from qaviz.model.metrics import METRICS
from qaviz.stats import Decision

MANY_MORE = 10_000
"""Most further questions that a sentence asks for; more would be too many to write."""

MATRIX_LEGEND = (
    "Each cell: row minus column on shared questions; shares in percentage points. "
    "Bar: 95% interval; centre line: no difference. "
    "Better and worse: statistically significant after correction for all pairs."
)

_SHARES = {FACTUAL_KNOWLEDGE: "facts stated", VERDICT: "questions answered correctly"}
"""Metrics that people read as a count: what is counted."""


def metric_label(metric: str) -> str:
    """What people see of a metric of `comparison.COMPARED`: `Right answers`, `Facts stated`, `Closeness`."""
    if metric == VERDICT:
        return "Right answers"
    return "Facts stated" if metric == FACTUAL_KNOWLEDGE else METRICS[metric].label


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
    if metric in _SHARES:
        return "<0.1 points" if 0 < size < 0.0005 else f"{100 * size:.1f} points"
    return "<0.01" if 0 < size < 0.005 else score(size)


def level(metric: str, value: float | None) -> str:
    """A mean as it is written: `80%` for shares, `0.80` for other scores; `–` where it is missing."""
    return percent(value) if metric in _SHARES else score(value)


def single(metric: str, value: float) -> str:
    """The score of one question: of shares `1` and `0`, and `33%` where repeats differ; `0.80` for other scores."""
    return f"{value:g}" if metric in _SHARES and value in (0, 1) else level(metric, value)


def format_signed(metric: str, value: float | None) -> str:
    """A difference with its sign, shares in points of a hundred: `+12.0`, `−0.05`; `–` where it is missing."""
    if value is None:
        return MISSING
    figure = f"{100 * abs(value):.1f}" if metric in _SHARES else score(abs(value))
    return figure if not figure.strip("0.") else f"{'+' if value > 0 else '−'}{figure}"


def category_warning(categories: int) -> str:
    """What to keep in mind when as many slices are looked at."""
    return (
        f"With {plural(categories, 'category', 'categories')}, one may differ by luck. "
        "Better and worse are corrected for the number of categories. Treat other gaps as hints, not as findings."
    )


class PairFigures(TypedDict):
    """What `comparison.compare` finds of two pipelines by one metric, in figures.

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
    """Over the paired questions."""
    mean_second: float | None
    difference: float | None
    low: float | None
    """With `high`: the 95 % interval of the difference."""
    high: float | None
    wins: int
    """Questions on which the first scores higher."""
    losses: int
    ties: int
    p: float | None
    p_holm: float | None
    """Corrected over the pairs of the metric."""
    detectable: float | None
    """The smallest difference that would probably have been found."""
    needed: int | None
    """More questions to settle the difference as it stands; None where it is settled or none would do."""


def sentence(row: PairFigures, decision: Decision) -> str:
    """The sentence for one row of a comparison that came to this decision."""
    first, second, mean, other = row["first"], row["second"], row["mean_first"], row["mean_second"]
    if not row["paired"] or mean is None or other is None:
        return f"{first} and {second} share no scored question, so they cannot be compared."
    figures = _figures(row["metric"], mean, other, row["paired"])
    match decision:
        case Decision.BETTER:
            return f"{first} is better than {second}: {figures}. Unlikely to be chance ({p_value(row['p_holm'])})."
        case Decision.WORSE:
            return f"{first} is worse than {second}: {figures}. Unlikely to be chance ({p_value(row['p_holm'])})."
        case Decision.NO_CLEAR_DIFFERENCE:
            seen = amount(row["metric"], row["detectable"])
            return (
                f"No clear difference between {first} and {second}: {figures}. "
                f"The test would probably have found a gap of {seen} or more."
            )
        case Decision.TOO_FEW_QUESTIONS:
            return f"Too few questions to tell {first} from {second}: {figures}{_chance(row)}"
        case Decision.OPEN:
            return f"Open responses decide between {first} and {second}: {figures}, unsure ones not counted."


def _chance(row: PairFigures) -> str:
    """The end of a sentence: that a difference may be chance, and how many more questions may decide it."""
    if not row["difference"]:
        return "."
    if row["needed"] is None or row["needed"] > MANY_MORE:
        return ", which may be chance."
    return f", which may be chance. {may_decide(row['needed'])}"


def may_decide(needed: int) -> str:
    """`About 1,300 more questions of this kind may decide it.`"""
    return f"About {plural(rounded_up(needed), 'more question')} of this kind may decide it."


def rounded_up(number: int) -> int:
    """The number with two digits that mean something, never less than it is: 1,234 becomes 1,300."""
    step: int = 10 ** max(0, len(str(number)) - 2)
    return -(-number // step) * step


def _figures(metric: str, first: float, second: float, n: int) -> str:
    """`8 of 10 facts stated against 4`, `closeness 0.82 against 0.71 over 10 questions`: two means of n questions."""
    if metric not in _SHARES:
        label = METRICS[metric].label
        name = label if label.isupper() or label[-1].isdigit() else label.lower()
        return f"{name} {score(first)} against {score(second)} over {plural(n, 'question')}"
    hits = [first * n, second * n]
    if all(abs(hit - round(hit)) < 1e-6 for hit in hits):
        return f"{out_of(round(hits[0]), n)} {_SHARES[metric]} against {count(round(hits[1]))}"
    return f"{percent(first)} of {_SHARES[metric]} against {percent(second)} over {plural(n, 'question')}"
