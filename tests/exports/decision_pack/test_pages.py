"""The decision pack as a page, as text for a wiki and as JSON: fixed files, and texts that stay texts."""

import hashlib
import json
import re
from base64 import b64encode
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from qaviz.exports.decision_pack.markdown import _text
from qaviz.exports.decision_pack.texts import visible
from qaviz.exports.markdown_escape import WORD_JOINER
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

    assert not {"script", "img", "a", "iframe", "link", "object", "form"} & set(page.tags)
    assert not {name for name in page.attributes if name.startswith("on")} | {"href", "src", "style"} & set(
        page.attributes
    )
    style = re.search("<style>(.*?)</style>", source, re.DOTALL)[1]
    policy = next(value for value in page.attributes["content"] if "default-src" in value)
    assert policy.startswith("default-src 'none'")
    assert b64encode(hashlib.sha256(style.encode()).digest()).decode() in policy
    said = "".join(page.text)
    assert all(visible(text).strip() in said for text in HOSTILE)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("line", ["{}", "- {}", "## {}", "| {} |\n| --- |"])
def test_markdown_shows_a_text_as_it_is(text, line):
    """In a paragraph, a list, a heading and a table a hostile text is that text: no link, image, code or HTML."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(line.format(_text(text)))

    inline = [child for token in tokens if token.type == "inline" for child in token.children]
    assert {child.type for child in inline} <= {"text", "text_special"}
    shown = "".join(child.content for child in inline).replace(WORD_JOINER, "")
    assert shown.split() == visible(text).split()


def test_json_holds_hostile_texts_exactly(hostile):
    """A program reads the names as they came, control characters and all."""
    said = json.loads(written(hostile, ".json"))

    assert {row["pipeline"] for row in said["pipelines"]} == set(HOSTILE)
