"""What a gate found, for a terminal, a pull request, a CI's list of tests, and programs.

Texts from files are shown as text: escaped in markdown and XML, on one line in a terminal."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from itertools import accumulate
from xml.etree import ElementTree

import orjson
import polars as pl

from qaviz.analysis.comparison import metric_label
from qaviz.analysis.gate import Check, Gate, Result
from qaviz.analysis.numbers import plural
from qaviz.analysis.run_changes import CHANGE, Change, compare_words, count_changes
from qaviz.exports.decision_pack import list_rows
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.model.records import Run
from qaviz.model.visible import WORD_JOINER, visible, write_markdown
from qaviz.report import ENDS, Column, Kind, Table

MARKS = {Result.PASS: "✓", Result.FAIL: "✗", Result.UNKNOWN: "?"}
_HEADLINES = {Result.PASS: "passes", Result.FAIL: "does not pass", Result.UNKNOWN: "cannot be judged"}
_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

NAMED = 20
"""Questions of a kind that the comment shows; more are counted."""
_TITLES = {Change.BROKEN: "Broken: right before, not now", Change.FIXED: "Fixed: right now, not before"}

COMMENT_LIMIT = 60_000
"""Characters of a comment; GitHub takes 65,536."""
_LONGEST_LINE = 2_000
"""Characters of a text in a comment, before what markdown needs is added."""
_ROOM_FOR_COUNT = 400
_CHECKS = (Column("mark", ""), Column("check", "check"), Column("finding", "finding"))
_CHECKED = {column.name: pl.String for column in _CHECKS}
_FIGURES = (
    *(Column(name, name) for name in ("by", "first")),
    Column("mean_first", "mean", kind=Kind.SCORE),
    Column("second", "second"),
    Column("mean_second", "mean", kind=Kind.SCORE),
    Column("paired", "questions", kind=Kind.COUNT),
    Column("difference", "difference", kind=Kind.DIFFERENCE, of="metric", ends=ENDS),
    Column("p_holm", "p, corrected", kind=Kind.P),
    Column("decision", ""),
)
_EXPENSES = (
    *(Column("pipeline", "pipeline"), Column("measure", "by")),
    *(Column(name, name, kind=Kind.FIGURE) for name in ("now", "before")),
    Column("rise", "change", kind=Kind.FIGURE, text="{rise:+.0%}"),
    Column("low", "95% interval", kind=Kind.FIGURE, text="{low:+.0%} to {high:+.0%}"),
)
_REFERENCES = re.compile(
    r"[#!&~%$](?=\w)"  # #1, org/repo#3; GitLab's !1, &1, ~label, %1, $1
    r"|(?<=[A-Za-z])-(?=\d)"  # GH-1, PROJECT-12
    r"|\b(?:mailto|xmpp|ftp):"
)
"""What a code host makes a link of once markdown is read: an invisible character after it keeps it a text."""
_COMMIT = re.compile(r"(?<![0-9A-Za-z])[0-9a-fA-F]{7,40}(?![0-9A-Za-z])")
"""What it takes for a commit: as code it is no link, and is copied as it is."""


def headline(gate: Gate) -> str:
    """`Release 13 does not pass against Release 12.`"""
    return f"{gate.run.name} {_HEADLINES[gate.result]} against {gate.baseline.name}."


def as_text(gate: Gate) -> str:
    """What is compared, a line a check, those that fail first, and what else a reader has to know."""
    checks = [f"{MARKS[check.result]} {check.subject.value}: {check.sentence}" for check in _sort_worst_first(gate)]
    return "\n  ".join([headline(gate), *gate.pairing, *checks, *gate.notes])


def as_markdown(gate: Gate) -> str:
    """A comment for a pull request: the result, the checks, the figures, cost and latency, then broken and fixed
    questions with what changed in their words. What has no room is counted at the end."""
    lines = list(_list_lines(gate))
    ends = accumulate(len(line) + 1 for _, line in lines)
    kept = sum(end <= COMMENT_LIMIT - _ROOM_FOR_COUNT for end in ends)
    shown, left_out = [line for _, line in lines[:kept]], Counter(kind for kind, _ in lines[kept:])
    if left_out:
        omitted = ", ".join(plural(many, kind) for kind, many in left_out.items())
        shown.append(f"\nOmitted for space: {omitted}. `qaviz gate --format json` has all.")
    return "\n".join(shown)


def _list_lines(gate: Gate) -> Iterator[tuple[str, str]]:
    """Each line, with what it is counted as where it has no room."""
    yield "line", f"### {MARKS[gate.result]} {comment_line(headline(gate))}"
    for sentence in gate.pairing:
        yield "note", f"\n{comment_line(sentence)}"
    checks = [(MARKS[check.result], check.subject.value, check.sentence) for check in _sort_worst_first(gate)]
    labels = {metric: metric_label(metric) for metric in gate.compared["metric"].unique()}
    compared = gate.compared.with_columns(pl.col("metric").replace_strict(labels, return_dtype=pl.String).alias("by"))
    expenses = gate.expenses.drop_nulls("now")
    tables = (
        ("check", Table(title="Checks", frame=pl.DataFrame(checks, schema=_CHECKED, orient="row"), columns=_CHECKS)),
        ("figure", Table(title="Figures", frame=compared, columns=_FIGURES)),
        ("figure", Table(title="Expenses", frame=expenses, columns=_EXPENSES)),
    )
    for kind, table in tables:
        if table.frame.height:
            yield "line", ""
            yield from ((kind, row) for row in list_rows(table, comment_line))
    yield "line", "\n✓ pass, ✗ fail, ? cannot tell"
    for place, note in enumerate(gate.notes):
        yield "note", f"{'' if place else chr(10)}- {comment_line(note)}"
    if gate.link:
        is_address, says = gate.link.startswith("https://"), "The run, question by question"
        yield "line", f"\n[{says}]({gate.link})" if is_address else f"\n{says}: {comment_line(gate.link)}"
    yield from (("question", line) for line in _write_changes(gate.changes))


def _sort_worst_first(gate: Gate) -> list[Check]:
    return sorted(gate.checks, key=lambda check: (Result.FAIL, Result.UNKNOWN, Result.PASS).index(check.result))


def comment_line(text: str) -> str:
    """Markdown that shows this text and nothing else, links to nothing, and spells out what cannot be seen."""
    if len(text) > _LONGEST_LINE:
        text = f"{text[:_LONGEST_LINE]}… ({len(text) - _LONGEST_LINE:,} more characters)"
    return _COMMIT.sub(r"`\g<0>`", write_markdown(_REFERENCES.sub(rf"\g<0>{WORD_JOINER}", _clean_xml_text(text))))


def as_junit(gate: Gate) -> str:
    """JUnit's XML: a test case a check; what cannot be told is skipped, which CI shows apart."""
    results = [check.result for check in gate.checks]
    counts = {"tests": len(results), "failures": results.count(Result.FAIL), "skipped": results.count(Result.UNKNOWN)}
    suites = ElementTree.Element("testsuites")
    named = {"name": _clean_xml_text(headline(gate))}
    suite = ElementTree.SubElement(suites, "testsuite", named | {key: str(n) for key, n in counts.items()})
    for check in gate.checks:
        names = {"classname": check.subject.value, "name": _clean_xml_text(check.name)}
        case = ElementTree.SubElement(suite, "testcase", names)
        if check.result is not Result.PASS:
            kind = "failure" if check.result is Result.FAIL else "skipped"
            ElementTree.SubElement(case, kind, message=_clean_xml_text(check.sentence))
    for note in (*gate.pairing, *gate.notes):
        ElementTree.SubElement(suite, "system-out").text = _clean_xml_text(note)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True)


def _clean_xml_text(text: str) -> str:
    """The text with signs for control characters and marks of direction; halves of pairs stand as `\ufffd`."""
    return _NOT_IN_XML.sub("\ufffd", visible(text))


def as_json(gate: Gate) -> str:
    """All that was found, for programs: figures unrounded, null where there is none."""
    lists = {change.value: gate.changes.filter(change=change.value).drop(CHANGE).to_dicts() for change in Change}
    counts = {change.value: number for change, number in count_changes(gate.changes).items()}
    described: dict[str, object] = {
        "result": gate.result.value,
        "run": _name_run(gate.run),
        "baseline": _name_run(gate.baseline),
        "checks": [asdict(check) for check in gate.checks],
        "notes": [*gate.pairing, *gate.notes],
        "comparisons": gate.compared.to_dicts(),
        "criteria": gate.criteria.to_dicts(),
        "changes": {"counts": counts, **lists},
        "expenses": gate.expenses.to_dicts(),
    }
    described |= {"report": gate.link} if gate.link else {}
    return orjson.dumps(described, option=orjson.OPT_INDENT_2).decode()


def _name_run(run: Run) -> dict[str, str]:
    return {"name": run.name, "id": run.run_id, "golden_dataset": run.golden_id, "engine": run.engine}


def _write_changes(changes: pl.DataFrame) -> Iterator[str]:
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
    for word in compare_words(before, after):
        if word.same:
            parts.append(comment_line(word.before))
            continue
        signs = {"~~": word.before, "**": word.after}
        parts += [f"{sign}{comment_line(text)}{sign}" for sign, text in signs.items() if text]
    return " ".join(parts) or "(empty)"


FORMATS: Mapping[str, Callable[[Gate], str]] = {"text": as_text, "md": as_markdown, "junit": as_junit, "json": as_json}
"""Each format's name on the command line, and what writes it."""
