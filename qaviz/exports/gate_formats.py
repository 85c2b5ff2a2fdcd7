"""What a gate found, for a terminal, a pull request, a CI's list of tests, and programs.

Texts from files are shown as text: escaped in markdown and XML, on one line in a terminal.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

import orjson

from qaviz.analysis.comparison_words import metric_label, signed
from qaviz.analysis.gate import Gate, Result
from qaviz.analysis.numbers import MISSING, count, p_value, score
from qaviz.exports.markdown_escape import plain
from qaviz.model.records import Run

MARKS = {Result.PASS: "✓", Result.FAIL: "✗", Result.UNKNOWN: "?"}

_HEADLINES = {
    Result.PASS: "passes",
    Result.FAIL: "does not pass",
    Result.UNKNOWN: "has not enough questions to tell",
}
_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def headline(found: Gate) -> str:
    """`Release 13 does not pass against Release 12.`"""
    return f"{found.run.name} {_HEADLINES[found.result]} against {found.baseline.name}."


def as_text(found: Gate) -> str:
    """A line a check, those that fail first."""
    return "\n".join(_text_lines(found))


def _text_lines(found: Gate) -> Iterator[str]:
    yield headline(found)
    for result in (Result.FAIL, Result.UNKNOWN, Result.PASS):
        for check in found.checks:
            if check.result is result:
                yield f"  {MARKS[result]} {check.subject.value}: {check.sentence}"
    yield from (f"  {note}" for note in found.notes)


def as_markdown(found: Gate) -> str:
    """A comment for a pull request: the result, the checks, the figures."""
    return "\n".join(_markdown_lines(found))


def _markdown_lines(found: Gate) -> Iterator[str]:
    yield f"### {MARKS[found.result]} {_line(headline(found))}"
    yield from ("", "| | check | what is known |", "|---|---|---|")
    for result in (Result.FAIL, Result.UNKNOWN, Result.PASS):
        for check in found.checks:
            if check.result is result:
                yield f"| {MARKS[result]} | {check.subject.value} | {_line(check.sentence)} |"
    if found.notes:
        yield from ("", *(f"- {_line(note)}" for note in found.notes))
    yield from ("", "<details><summary>Figures</summary>", "")
    yield "| by | now | baseline | questions | difference | 95% interval | p, corrected | |"
    yield "|---|---|---|---|---|---|---|---|"
    yield from map(_figures, found.compared.iter_rows(named=True))
    yield from ("", "</details>", "", "✓ pass, ✗ fail, ? not enough questions to tell")


def _line(text: str) -> str:
    """Markdown that shows this text and nothing else, without control characters."""
    return plain(_xml_text(text))


def _figures(row: Mapping[str, Any]) -> str:
    metric = row["metric"]
    means = [f"{_line(row[side])}: {score(row[f'mean_{side}'])}" for side in ("first", "second")]
    ends = MISSING if row["low"] is None else f"{signed(metric, row['low'])} to {signed(metric, row['high'])}"
    p = MISSING if row["p_holm"] is None else p_value(row["p_holm"])
    cells = [metric_label(metric), *means, count(row["paired"]), signed(metric, row["difference"]), ends, p]
    return f"| {' | '.join([*cells, row['decision']])} |"


def as_junit(found: Gate) -> str:
    """JUnit's XML: a test case a check; what there are not enough questions for is skipped, which CI shows apart."""
    results = [check.result for check in found.checks]
    counts = {"tests": len(results), "failures": results.count(Result.FAIL), "skipped": results.count(Result.UNKNOWN)}
    suites = ElementTree.Element("testsuites")
    named = {"name": _xml_text(headline(found))}
    suite = ElementTree.SubElement(suites, "testsuite", named | {key: str(n) for key, n in counts.items()})
    for check in found.checks:
        names = {"classname": check.subject.value, "name": _xml_text(check.name)}
        case = ElementTree.SubElement(suite, "testcase", names)
        if check.result is not Result.PASS:
            kind = "failure" if check.result is Result.FAIL else "skipped"
            ElementTree.SubElement(case, kind, message=_xml_text(check.sentence))
    for note in found.notes:
        ElementTree.SubElement(suite, "system-out").text = _xml_text(note)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True)


def _xml_text(text: str) -> str:
    """The text without what XML cannot hold, control characters and halves of pairs, which stand as `\ufffd`."""
    return _NOT_IN_XML.sub("\ufffd", text)


def as_json(found: Gate) -> str:
    """All that was found, for programs: figures unrounded, null where there is none."""
    said = {
        "result": found.result.value,
        "run": _name_run(found.run),
        "baseline": _name_run(found.baseline),
        "checks": [
            {
                "subject": check.subject.value,
                "name": check.name,
                "result": check.result.value,
                "sentence": check.sentence,
            }
            for check in found.checks
        ],
        "notes": list(found.notes),
        "comparisons": found.compared.to_dicts(),
        "criteria": found.criteria.to_dicts(),
    }
    return orjson.dumps(said, option=orjson.OPT_INDENT_2).decode()


def _name_run(run: Run) -> dict[str, str]:
    return {"name": run.name, "id": run.run_id, "golden_dataset": run.golden_id, "engine": run.engine}


FORMATS: Mapping[str, Callable[[Gate], str]] = {
    "text": as_text,
    "md": as_markdown,
    "junit": as_junit,
    "json": as_json,
}
"""Each format's name on the command line, and what writes it."""
