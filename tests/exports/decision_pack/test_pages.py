"""The decision pack as text, as JSON and as one page without a script: fixed files, and texts that stay texts."""

import json
import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from qaviz.exports.decision_pack import _escape, html
from qaviz.model.visible import WORD_JOINER, visible
from tests.exports.decision_pack.packs import GOLDEN_FILES, HOSTILE, pack_from, written

DIGITS = 9
"""What another processor's arithmetic leaves of a figure."""


def rounded(said):
    """The same with floats that have so many digits."""
    if isinstance(said, dict):
        return {name: rounded(value) for name, value in said.items()}
    if isinstance(said, list):
        return list(map(rounded, said))
    return round(said, DIGITS) if isinstance(said, float) else said


def test_markdown_of_the_sample_is_the_golden_file(sample):
    """The wiki text is what it was; `python -m tests.exports.decision_pack.packs` writes the file anew."""
    assert written(sample, ".md").decode() == (GOLDEN_FILES / "sample.md").read_text("utf-8")


def test_json_of_the_sample_is_the_golden_file(sample):
    """The JSON equals the golden file, null where nothing is known (`tests.exports.decision_pack.packs` makes it)."""
    said = json.loads(written(sample, ".json"))

    assert rounded(said) == rounded(json.loads((GOLDEN_FILES / "sample.json").read_text("utf-8")))


@pytest.mark.parametrize(
    "text", [*HOSTILE, "1. one", "12) two", "- three", "+ four", "---", "===", "-", "![a](b)", "{a}!"]
)
@pytest.mark.parametrize("line", ["{}", "- {}", "## {}", "| {} |\n| --- |"])
def test_markdown_shows_a_text_as_it_is(text, line):
    """In a paragraph, a list, a heading and a table a hostile text is that text: no link, image, code or HTML."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(line.format(_escape(text)))

    inline = [child for token in tokens if token.type == "inline" for child in token.children]
    assert {child.type for child in inline} <= {"text", "text_special"}
    shown = "".join(child.content for child in inline).replace(WORD_JOINER, "")
    assert shown.split() == visible(text).split()


def test_json_holds_hostile_texts_exactly(hostile):
    """A program reads the names as they came, control characters and all, without the blanks around them."""
    said = json.loads(written(hostile, ".json"))

    assert {row["pipeline"] for row in said["pipelines"]} == {name.strip() for name in HOSTILE}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("bell\x07", "bell␇"),
        ("\r", "␍"),
        ("\x7f", "␡"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u2028b", "a\\u2028b"),
        ("مرحبا 🧪", "مرحبا 🧪"),
    ],
)
def test_what_cannot_be_seen_gets_a_sign(text, shown):
    """Control characters and marks that turn the direction are spelled out; all that can be read stays."""
    assert visible(text) == shown


def test_the_page_has_no_script_and_its_policy_forbids_all(sample):
    """Nothing is run and nothing is fetched: the one style is allowed by its hash."""
    page = written(sample, ".html").decode()

    assert "<script" not in page
    assert "default-src 'none'" in page
    assert re.findall(r"(?:src|href)=\"(?!data:)[^\"]*", page) == []
    assert " style=" not in page


def test_texts_are_escaped_and_what_cannot_be_seen_is_spelled_out(hostile):
    """No tag of a text becomes one of the page, no control character and no turned direction is left."""
    page = written(hostile, ".html").decode()

    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<img" not in page
    assert not any(sign in page for sign in ("\x07", "\u202e"))
    assert sum(f"{text.split()[0]}" in page for text in HOSTILE if text.isalnum()) > 0


def test_a_long_table_says_how_many_rows_are_left_out(workspace, monkeypatch):
    """Of more rows than a page shows fast the first are there, and where the others are."""
    monkeypatch.setattr(html, "MOST_ROWS", 20)
    number = 21
    triplets = [{"question": f"Why {place}?", "fact": "so"} for place in range(number)]
    page = written(pack_from(workspace, triplets, {"a": ["so"] * number}), ".html").decode()

    assert page.count('title="correct"') == 20
    assert "1 more rows are in the workbook." in page


def test_no_template_turns_escaping_off():
    """No page of the package marks a value as safe."""
    pages = list((Path(__file__).parents[3] / "qaviz").glob("**/*.html"))

    assert pages
    assert [
        page.name for page in pages if any(word in page.read_text("utf-8") for word in ("safe", "autoescape"))
    ] == []
