"""The decision pack as markdown for a wiki. Texts from files are escaped: they show as they are and link to nothing."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from qaviz.analysis.numbers import count, plural
from qaviz.exports.decision_pack.content import SIGN_OFF, SIGN_OFF_FIELDS, Content, DiagnosisPart, Example
from qaviz.exports.decision_pack.tables import Table, all_tables
from qaviz.exports.decision_pack.texts import variants_in_words
from qaviz.model.visible import excerpt, visible, write_markdown

LONGEST_TEXT = 600
"""Characters of each text of an example."""


def write(content: Content, stream: BinaryIO) -> None:
    """Write the page in UTF-8."""
    stream.write("\n".join(_write_lines(content)).encode() + b"\n")


def _escape(text: str) -> str:
    return write_markdown(visible(text))


def _write_lines(content: Content) -> Iterator[str]:
    yield from (f"# {_escape(content.question)}", "", f"**{_escape(content.lead)}**", "")
    yield from _write_list(content.points)
    for table in all_tables(content):
        yield from _write_table(table)
    yield from ("", "## Diagnoses, with examples")
    for part in content.diagnoses:
        yield from _write_diagnosis(part, content.run.responses)
    for title, sentences in (("The golden dataset", content.golden), ("What is not known", content.unknown)):
        yield from ("", f"## {title}", "", *_write_list(sentences))
    yield from ("", "## How it was measured", "")
    yield from _write_grid(("", ""), content.measured, names=2)
    yield from ("", "## Sign-off", "")
    blank = [""] * len(SIGN_OFF_FIELDS)
    yield from _write_grid(("", *SIGN_OFF_FIELDS), [(line, *blank) for line in SIGN_OFF], names=4)


def _write_list(sentences: Sequence[str]) -> Iterator[str]:
    yield from (f"- {_escape(sentence)}" for sentence in sentences)


def _write_table(table: Table) -> Iterator[str]:
    yield from (
        "",
        f"## {_escape(table.title)}",
        "",
        *_write_grid(table.heads, table.rows, table.names),
        "",
        _escape(table.note),
    )


def _write_grid(heads: Sequence[str], rows: Sequence[Sequence[str]], names: int) -> Iterator[str]:
    yield _write_row(heads)
    yield "|" + "|".join(" --- " if column < names else " ---: " for column in range(len(heads))) + "|"
    yield from map(_write_row, rows)


def _write_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_escape, cells)) + " |"


def _write_diagnosis(part: DiagnosisPart, responses: int) -> Iterator[str]:
    title = f"{part.diagnosis.value.capitalize()}: {count(part.responses)} of {plural(responses, 'response')}"
    yield from ("", f"### {_escape(title)}", "", _escape(part.definition))
    for example in part.examples:
        yield from ("", *_write_example(example))


def _write_example(example: Example) -> Iterator[str]:
    yield f"- **{_excerpt_text(example.question or example.question_id)}**"
    yield f"  - Golden: {_excerpt_text(variants_in_words(example.fact or example.answer) or 'nothing given')}"
    named = (example.pipeline, example.response or "no response")
    yield f"  - {_escape(': '.join(excerpt(text, LONGEST_TEXT) for text in named))}"
    yield f"  - Why: {_excerpt_text(example.reason)}"


def _excerpt_text(text: str) -> str:
    return _escape(excerpt(text, LONGEST_TEXT))
