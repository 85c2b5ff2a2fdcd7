"""The decision pack as a page, as text for a wiki and as JSON: fixed files, and texts that stay texts."""

import hashlib
import json
import re
from base64 import b64encode
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from qaviz.exports.decision_pack.markdown import _escape
from qaviz.exports.decision_pack.texts import visible
from qaviz.model.visible import WORD_JOINER
from tests.exports.decision_pack.packs import GOLDEN_FILES, HOSTILE, written

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


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: dict[str, set[str]] = {}
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, set()).add(value or "")

    def handle_data(self, data):
        self.text.append(data)


def test_the_page_has_nothing_that_loads_or_runs(hostile):
    """Hostile texts add no element: no script, image, link or event; the policy allows the one style sheet alone."""
    content = hostile
    source = written(content, ".html").decode()
    page = Page()
    page.feed(source)

    assert not {"script", "img", "iframe", "link", "object", "form"} & set(page.tags)
    assert not {name for name in page.attributes if name.startswith("on")} | {"src", "style"} & set(page.attributes)
    assert {address.lstrip("#") for address in page.attributes["href"]} <= page.attributes["id"]
    style = re.search("<style>(.*?)</style>", source, re.DOTALL)[1]
    policy = next(value for value in page.attributes["content"] if "default-src" in value)
    assert policy.startswith("default-src 'none'")
    assert b64encode(hashlib.sha256(style.encode()).digest()).decode() in policy
    said = "".join(page.text)
    assert all(visible(text).strip() in said for text in HOSTILE)


def test_the_page_has_a_table_of_contents(sample):
    """Every heading of second rank has a link above the first of them."""
    source = written(sample, ".html").decode()

    linked = re.findall(r'<a href="#(part-\d+)">([^<]+)</a>', source)
    assert linked == re.findall(r'<h2 id="(part-\d+)">([^<]+)</h2>', source)
    assert ("part-1", "Share of right answers of each pipeline") in linked
    assert not re.findall("<h2>", source)


@pytest.mark.parametrize("suffix", [".html", ".md"])
def test_variants_are_read_as_words(sample, suffix):
    """A fact with several wordings is read with `or` between them."""
    said = written(sample, suffix).decode()

    assert "OR>" not in said
    assert "OR&gt;" not in said
    assert "CEO of Amazon or President of Amazon" in said


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("line", ["{}", "- {}", "## {}", "| {} |\n| --- |"])
def test_markdown_shows_a_text_as_it_is(text, line):
    """In a paragraph, a list, a heading and a table a hostile text is that text: no link, image, code or HTML."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(line.format(_escape(text)))

    inline = [child for token in tokens if token.type == "inline" for child in token.children]
    assert {child.type for child in inline} <= {"text", "text_special"}
    shown = "".join(child.content for child in inline).replace(WORD_JOINER, "")
    assert shown.split() == visible(text).split()


def test_json_holds_hostile_texts_exactly(hostile):
    """A program reads the names as they came, control characters and all."""
    said = json.loads(written(hostile, ".json"))

    assert {row["pipeline"] for row in said["pipelines"]} == set(HOSTILE)
