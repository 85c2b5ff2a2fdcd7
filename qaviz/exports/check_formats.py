"""What a check found, as one comment for a pull request, or for programs: the gate, then what changed and its cost."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import orjson
import polars as pl

from qaviz.analysis.check import Checked
from qaviz.analysis.numbers import MISSING
from qaviz.analysis.run_changes import CHANGE, Change, count_changes
from qaviz.analysis.word_differences import compare_words
from qaviz.exports import gate_formats
from qaviz.exports.gate_formats import COMMENT_LIMIT, comment_line
from qaviz.model.columns import COST, LATENCY_MS, PIPELINE, QUESTION, QUESTION_ID, RESPONSE

NAMED = 20
"""Questions of a kind that the comment shows; more are counted."""
_TITLES = {Change.BROKEN: "Broken: right before, not now", Change.FIXED: "Fixed: right now, not before"}


def as_markdown(found: Checked) -> str:
    """The gate's comment, then broken and fixed questions with what changed in their words, cost and latency."""
    gate = gate_formats.as_markdown(found.gate)
    lines = [*_link_lines(found.link), *_expense_lines(found.expenses), *_change_lines(found.changes)]
    room, kept = COMMENT_LIMIT - len(gate) - 100, list[str]()
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            kept.append("\nLeft out, for want of room: the other questions. `--format json` has all.")
            break
        kept.append(line)
    return "\n".join([gate, *kept])


def _link_lines(link: str) -> Iterator[str]:
    if link.startswith("https://"):
        yield f"\n[The run, question by question]({link})"
    elif link:
        yield f"\nThe run, question by question: {comment_line(link)}"


def _expense_lines(expenses: pl.DataFrame) -> Iterator[str]:
    yield "\n| pipeline | latency, median | before | change | cost a response | before | change |"
    yield "|---|---|---|---|---|---|---|"
    for row in expenses.iter_rows(named=True):
        cells = [
            cell
            for name, unit, digits in ((LATENCY_MS, " ms", 0), (COST, "", 5))
            for cell in (
                _figure(row[name], unit, digits),
                _figure(row[f"{name}_before"], unit, digits),
                _change(row[name], row[f"{name}_before"]),
            )
        ]
        yield f"| {' | '.join([comment_line(row[PIPELINE]), *cells])} |"


def _change(now: float | None, before: float | None) -> str:
    """By how much it rose or fell, in percent of what it was."""
    return MISSING if now is None or not before else f"{(now - before) / before:+.0%}"


def _figure(value: float | None, unit: str, digits: int) -> str:
    return MISSING if value is None else f"{value:,.{digits}f}{unit}"


def _change_lines(changes: pl.DataFrame) -> Iterator[str]:
    counts = count_changes(changes)
    for change, title in _TITLES.items():
        yield f"\n#### {title} ({counts[change]:,})\n"
        own = changes.filter(pl.col(CHANGE) == change.value)
        for row in own.head(NAMED).iter_rows(named=True):
            place = ", ".join(comment_line(row[name]) for name in (QUESTION_ID, PIPELINE))
            yield f"- {place}: {comment_line(row[QUESTION] or '')}"
            yield f"  {word_differences(row[f'{RESPONSE}_before'] or '', row[RESPONSE] or '')}"
        if own.height > NAMED:
            yield f"- and {own.height - NAMED:,} more: `--format json` has all"
    yield f"\n{counts[Change.CHANGED]:,} in other words or with another verdict, {counts[Change.SAME]:,} the same."


def word_differences(before: str, after: str) -> str:
    """Markdown of both texts in one: words that went are struck out, words that came are bold."""
    parts = list[str]()
    for each in compare_words(before, after):
        if each.same:
            parts.append(comment_line(each.before))
            continue
        if each.before:
            parts.append(f"~~{comment_line(each.before)}~~")
        if each.after:
            parts.append(f"**{comment_line(each.after)}**")
    return " ".join(parts) or "(empty)"


def as_json(found: Checked) -> str:
    """All that was found: the gate's fields, `changes` (counts and a list of each kind), `expenses` and `bundle`."""
    lists = {each.value: found.changes.filter(pl.col(CHANGE) == each.value).drop(CHANGE).to_dicts() for each in Change}
    counts = {each.value: number for each, number in count_changes(found.changes).items()}
    said: dict[str, Any] = orjson.loads(gate_formats.as_json(found.gate))
    said |= {"changes": {"counts": counts, **lists}, "expenses": found.expenses.to_dicts()}
    said |= {"bundle": found.link} if found.link else {}
    return orjson.dumps(said, option=orjson.OPT_INDENT_2).decode()


CHECK_FORMATS: Mapping[str, Callable[[Checked], str]] = {"md": as_markdown, "json": as_json}
"""Each format's name on the command line, and what writes it."""
