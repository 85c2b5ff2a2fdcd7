"""How qaviz writes numbers and dates, one way for screens, charts and exports."""

from datetime import datetime
from math import ceil, floor, log10

from qaviz.stats import round_down, round_up

MISSING = "–"
"""Stands where there is no number; never a zero."""


def count(number: int) -> str:
    """`1,008`."""
    return f"{number:,}"


def plural(number: int, singular: str, many: str | None = None) -> str:
    """`1 question`, `1,008 questions`, `2 triplets` (`many` where an s does not do)."""
    return f"{count(number)} {singular if number == 1 else many or singular + 's'}"


def score(value: float | None) -> str:
    """A score from 0 to 1 with two decimals: `0.92`; `–` where it is missing."""
    return MISSING if value is None else f"{value:.2f}"


def figure(value: float | None, digits: int = 3) -> str:
    """A cost, a time or a score of any scale, in whole units or at most so many digits: `1,234`, `12.3`, `0.00042`."""
    if value is None:
        return MISSING
    decimals = max(0, digits - 1 - floor(log10(abs(value)))) if value else 0
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(value: float | None) -> str:
    """A share from 0 to 1 in whole percent: `80%`; what is not quite none or all never reads so: `<1%`, `>99%`."""
    if value is None:
        return MISSING
    text = f"{value:.0%}"
    if text == "0%" and value > 0:
        return "<1%"
    return ">99%" if text == "100%" and value < 1 else text


def bound(value: float) -> str:
    """A bound that somebody set, as it was set: `2.5%`, `90%`."""
    return f"{value * 100:.6g}%"


def out_of(hits: int, among: int) -> str:
    """`8 of 10`; `–` where there is nothing to count among."""
    return f"{count(hits)} of {count(among)}" if among else MISSING


def upper_bound(share: float) -> str:
    """A share that is at most so large, rounded up: `1.5%` for .0147. A bound is never told smaller than it is."""
    return f"{round_up(share):.1%}"


def interval(low: float | None, high: float | None) -> str:
    """An interval of shares, its ends rounded outwards: `49–95%`, a narrow one `49.0–50.3%`; `–` for none."""
    if low is None or high is None:
        return MISSING
    if high - low >= 0.05:  # of fewer than some 1,000 questions
        return f"{floor(round(low * 100, 6))}–{ceil(round(high * 100, 6))}%"
    return f"{round_down(low) * 100:.1f}–{upper_bound(high)}"


def p_figure(p: float) -> str:
    """A p-value under a heading that says so: `0.125`, `<0.001`."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def day(when: datetime) -> str:
    """`1 Nov 2026`."""
    return f"{when:%-d %b %Y}"


def moment(when: datetime) -> str:
    """`1 Nov 2026, 18:05 UTC`."""
    return f"{day(when)}, {when:%H:%M} UTC"


def join(names: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""
