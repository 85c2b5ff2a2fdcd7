"""qaviz.exports.decision_pack.html: one page without a script."""

import re
from pathlib import Path

from qaviz.exports.decision_pack import html
from tests.exports.decision_pack.packs import HOSTILE, pack_from, written


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
