"""A gate's comment for a pull request and its JUnit file: hostile texts link to nothing, and nothing is hidden."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from qaviz.analysis.gate import Check, Result, Subject, gate
from qaviz.exports.gate_formats import COMMENT_LIMIT, as_junit, as_markdown
from qaviz.model.visible import restore_signs, visible
from tests.analysis.past import side

FOUND = gate(side("1x"), side("1x"))
LINKS = re.compile(
    r"#\d|[!&~%$]\w|\bGH-\d|\b[0-9a-f]{7,40}\b|@\w|https?:/|ftp:/|www\.\w|mailto:\w|[A-Z]+-\d", re.IGNORECASE
)
"""What GitHub or GitLab makes a link of, once the backslashes of markdown are gone."""


def with_sentence(*sentences: str, result: Result = Result.FAIL):
    """What the gate found, with one check for each of the sentences."""
    subject = next(iter(Subject))
    return replace(
        FOUND, checks=tuple(Check(subject=subject, name=each, result=result, sentence=each) for each in sentences)
    )


def unescaped(markdown: str) -> str:
    """The text that a reader of markdown is left with."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)


@pytest.mark.parametrize(
    "text",
    [
        *("fixes #1", "#123", "(#7)", "org/repo#3", "GH-26", "gh-26", "PROJ-12", "CVE-2021-44228"),
        *("a5c3785ed8d6a35868bc169f07e40e889087fd2e", "a5c3785", "A5C3785", "org/repo@a5c3785ed8", "0123456"),
        *("@someone", "@org/team", "!45", "&6", "~bug", "%2", "$3", "https://evil.example/x"),
        *("HTTP://evil.example", "www.evil.example", "ftp://evil.example", "mailto:a@b.example"),
        *("[a](https://evil.example)", "<https://evil.example>"),
    ],
)
def test_nothing_in_a_comment_links(text: str):
    """A pipeline's name or a text mentions nobody, closes no issue and points at no commit."""
    comment = as_markdown(with_sentence(f"Pipeline {text} fell."))
    line = next(each for each in comment.splitlines() if "Pipeline" in each)

    shown = unescaped(line).partition("Pipeline")[2]
    assert not LINKS.search(re.sub("`[0-9a-fA-F]+`", "", shown))
    assert shown.replace("\u2060", "").replace("`", "") == f" {text} fell. |"
    assert "\u2060" not in "".join(re.findall("`[0-9a-fA-F]+`", shown))


@pytest.mark.parametrize(
    "code", [0x202E, 0x202A, 0x2066, 0x2069, 0x200E, 0x200F, 0x061C, 0x07, 0x1B, 0x7F, 0x85, 0x9B, 0x2028]
)
def test_what_cannot_be_seen_is_spelled_out(code: int):
    """A mark that turns the direction of a line, or a control character, stands in md and junit as a sign."""
    found = with_sentence(f"passes{chr(code)}toN")
    for written in (as_markdown(found), as_junit(found)):
        assert chr(code) not in written
        assert visible(f"passes{chr(code)}toN") in unescaped(written)
    ElementTree.fromstring(as_junit(found).partition("?>")[2])


def test_a_comment_has_room_for_a_thousand_checks():
    """A comment stays under the limit, with the failures first, and says how many checks it left out."""
    sentences = [f"Pipeline {number} fell by *much* [more] than chance allows." * 3 for number in range(1_000)]
    comment = as_markdown(with_sentence(*sentences))
    shown = sum("Pipeline" in line for line in comment.splitlines())

    assert len(comment) < COMMENT_LIMIT
    assert 50 < shown < 1_000
    assert f"Omitted for space: {1_000 - shown:,} checks" in comment


def test_one_long_text_leaves_room_for_the_others():
    """A sentence of 200,000 characters is cut, with their number, and the next one stands under it."""
    comment = as_markdown(with_sentence("*" * 200_000, "The other check."))

    assert len(comment) < COMMENT_LIMIT
    assert "198,000 more characters" in unescaped(comment).replace("\u2060", "")
    assert "The other check" in comment


def test_an_edit_keeps_what_stood_there_unseen():
    """A text that is edited as it is shown keeps its marks; signs that somebody typed stay signs."""
    original = "a\u202eb\x07"
    assert restore_signs(visible(original) + " more", original) == original + " more"
    assert restore_signs("\\u202e typed", "plain") == "\\u202e typed"
