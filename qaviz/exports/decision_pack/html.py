"""The decision pack as one page, pack.html: it needs nothing beside itself, runs no script, and prints.

Every text is escaped. The page's own policy forbids everything but its one style sheet, so that even a text that were
taken for markup could load nothing.
"""

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from qaviz.analysis.numbers import count, plural
from qaviz.exports.decision_pack.content import SIGN_OFF, SIGN_OFF_FIELDS, Content, Example
from qaviz.exports.decision_pack.html_charts import draw
from qaviz.exports.decision_pack.tables import (
    Table,
    comparisons_table,
    criteria_table,
    diagnoses_table,
    normalised_table,
    pipelines_table,
)
from qaviz.exports.decision_pack.texts import excerpt, variants_in_words
from qaviz.exports.templates import Markup, render
from qaviz.model.visible import visible

COMPARED = 100
"""Comparisons on the page; more are in the workbook."""
LONGEST_TEXT = 1_500
"""Characters of each text of an example."""
LAST_TITLES = ("Diagnoses, with examples", "The golden dataset", "What is not known", "How it was measured", "Sign-off")

_FOLDER = Path(__file__).parent
_STYLE = Markup((_FOLDER / "pack.css").read_text(encoding="utf-8"))
_POLICY = Markup(
    "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-"
    f"{base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()}'"
)


def write(content: Content, stream: BinaryIO) -> None:
    """Write the page in UTF-8."""
    figures = [(figure, draw(figure)) for figure in content.figures]
    tables = list(_tables(content))
    page = render(
        _FOLDER / "pack.html",
        show=visible,
        title=f"Decision pack: {content.run.name}",
        style=_STYLE,
        policy=_POLICY,
        content=content,
        figures=figures,
        tables=tables,
        titles=[*(figure.title for figure, _ in figures), *(table.title for table in tables), *LAST_TITLES],
        example_texts=_example_texts,
        sign_off=[(line, *[""] * len(SIGN_OFF_FIELDS)) for line in SIGN_OFF],
        sign_off_fields=SIGN_OFF_FIELDS,
        count=count,
        plural=plural,
        px=_pixels,
    )
    stream.write(page.encode())


def _tables(content: Content) -> Iterator[Table]:
    yield pipelines_table(content)
    if content.criteria.height:
        yield criteria_table(content)
    yield diagnoses_table(content)
    if content.normalised.height:
        yield normalised_table(content)
    if content.comparisons.height:
        yield comparisons_table(content, COMPARED)


def _example_texts(example: Example) -> list[tuple[str, str]]:
    texts = {
        "Question": example.question or example.question_id,
        "Golden answer": variants_in_words(example.answer),
        "Fact": variants_in_words(example.fact),
        example.pipeline: example.response or "no response",
        "Why": example.reason,
    }
    return [(name, excerpt(text, LONGEST_TEXT)) for name, text in texts.items() if text]


def _pixels(place: float) -> str:
    return f"{place:.1f}"
