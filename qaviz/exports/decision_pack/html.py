"""The decision pack as one page: it needs nothing beside itself, runs no script, and prints.

Texts enter as text nodes alone. The page's own policy forbids everything but its one style sheet, so that even a text
that were taken for markup could load nothing.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO
from xml.etree import ElementTree

from qaviz.analysis.numbers import count, plural
from qaviz.exports.decision_pack.content import SIGN_OFF, SIGN_OFF_FIELDS, Content, DiagnosisPart, Example
from qaviz.exports.decision_pack.figures import Figure
from qaviz.exports.decision_pack.html_charts import chart
from qaviz.exports.decision_pack.tables import (
    Table,
    comparisons_table,
    criteria_table,
    diagnoses_table,
    normalised_table,
    pipelines_table,
)
from qaviz.exports.decision_pack.texts import excerpt, variants_in_words
from qaviz.model.visible import visible

COMPARED = 100
"""Comparisons on the page; more are in the workbook."""
LONGEST_TEXT = 1_500
"""Characters of each text of an example."""

_STYLE = (Path(__file__).parent / "pack.css").read_text(encoding="utf-8")
_POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-"
    f"{base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()}'"
)

Part = ElementTree.Element | str


def write(content: Content, stream: BinaryIO) -> None:
    """Write the page in UTF-8."""
    title = f"Decision pack: {content.run.name}"
    style = _made("style")
    # Only here text is no text: ElementTree writes a style sheet as it is.
    style.text = _STYLE
    head = _made(
        "head",
        _made("meta", charset="utf-8"),
        _made("meta", **{"http-equiv": "Content-Security-Policy", "content": _POLICY}),
        _made("meta", name="viewport", content="width=device-width, initial-scale=1"),
        _made("title", title),
        style,
    )
    page = _made("html", head, _made("body", _made("main", *_sections(content, title))), lang="en")
    stream.write(b"<!doctype html>\n" + ElementTree.tostring(page, encoding="utf-8", method="html") + b"\n")


def _made(name: str, /, *parts: Part, **attributes: str) -> ElementTree.Element:
    """An element with texts and elements in it."""
    element = ElementTree.Element(name, {key.rstrip("_"): value for key, value in attributes.items()})
    last: ElementTree.Element | None = None
    for part in parts:
        if not isinstance(part, str):
            element.append(part)
            last = part
        elif last is None:
            element.text = (element.text or "") + visible(part)
        else:
            last.tail = (last.tail or "") + visible(part)
    return element


def _sections(content: Content, title: str) -> Iterator[ElementTree.Element]:
    yield _made("p", title, class_="kicker", dir="auto")
    yield _made("h1", content.question, dir="auto")
    yield _made("p", content.lead, class_="lead", dir="auto")
    yield _list(content.points)
    parts = list(_parts(content))
    yield _contents(parts)
    yield from parts


def _contents(parts: Sequence[ElementTree.Element]) -> ElementTree.Element:
    """Links to the headings of second rank, each of which gets an id."""
    headings = [heading for part in parts for heading in part.iter("h2")]
    for number, heading in enumerate(headings, start=1):
        heading.set("id", f"part-{number}")
    links = (_made("a", heading.text or "", href=f"#{heading.get('id')}") for heading in headings)
    return _made("nav", _made("ol", *(_made("li", link) for link in links)), **{"aria-label": "Contents"})


def _parts(content: Content) -> Iterator[ElementTree.Element]:
    yield from (_figure(figure) for figure in content.figures)
    yield from _table(pipelines_table(content))
    if content.criteria.height:
        yield from _table(criteria_table(content))
    yield from _table(diagnoses_table(content))
    if content.normalised.height:
        yield from _table(normalised_table(content))
    if content.comparisons.height:
        yield from _table(comparisons_table(content, COMPARED))
    yield _made("h2", "Diagnoses, with examples")
    yield from (_diagnosis(part, content.run.responses) for part in content.diagnoses)
    yield _made("h2", "The golden dataset")
    yield _list(content.golden)
    yield _made("h2", "What is not known")
    yield _list(content.unknown)
    yield _made("h2", "How it was measured")
    yield _grid(("", ""), content.measured, names=2, headed=False)
    yield _made("h2", "Sign-off")
    blank = [""] * len(SIGN_OFF_FIELDS)
    signed = _grid(("", *SIGN_OFF_FIELDS), [(line, *blank) for line in SIGN_OFF], names=1)
    signed.set("class", "scroll sign-off")
    yield signed


def _list(sentences: Sequence[str]) -> ElementTree.Element:
    return _made("ul", *(_made("li", sentence, dir="auto") for sentence in sentences))


def _figure(figure: Figure) -> ElementTree.Element:
    beyond = f" The first {count(len(figure.pipelines))} pipelines; {count(figure.left_out)} more are in the table."
    reading = figure.reading + (beyond if figure.left_out else "")
    return _made(
        "figure",
        _made("h2", figure.title),
        _made("div", chart(figure), class_="scroll", tabindex="0"),
        _made("figcaption", reading),
    )


def _table(table: Table) -> Iterator[ElementTree.Element]:
    yield _made("h2", table.title)
    yield _grid(table.heads, table.rows, table.names)
    yield _made("p", table.note, class_="note")


def _grid(
    heads: Sequence[str], rows: Sequence[Sequence[str]], names: int, *, headed: bool = True
) -> ElementTree.Element:
    kinds = ["word" if column < names else "number" for column in range(len(heads))]
    head = _made(
        "thead", _made("tr", *(_made("th", text, class_=kind) for text, kind in zip(heads, kinds, strict=True)))
    )
    body = _made("tbody", *(_row(cells, kinds) for cells in rows))
    return _made("div", _made("table", *([head] if headed else []), body), class_="scroll", tabindex="0")


def _row(cells: Sequence[str], kinds: Sequence[str]) -> ElementTree.Element:
    return _made("tr", *(_made("td", text, class_=kind, dir="auto") for text, kind in zip(cells, kinds, strict=True)))


def _diagnosis(part: DiagnosisPart, responses: int) -> ElementTree.Element:
    share = f"{count(part.responses)} of {plural(responses, 'response')}"
    return _made(
        "section",
        _made("h3", f"{part.diagnosis.value.capitalize()}: {share}"),
        _made("p", part.definition, class_="note"),
        *(_example(example) for example in part.examples),
    )


def _example(example: Example) -> ElementTree.Element:
    texts = {
        "Question": example.question or example.question_id,
        "Golden answer": variants_in_words(example.answer),
        "Fact": variants_in_words(example.fact),
        example.pipeline: example.response or "no response",
        "Why": example.reason,
    }
    said = [(name, excerpt(text, LONGEST_TEXT)) for name, text in texts.items() if text]
    return _made(
        "dl",
        *(element for name, text in said for element in (_made("dt", name, dir="auto"), _made("dd", text, dir="auto"))),
        class_="example",
    )
