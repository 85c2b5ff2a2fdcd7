"""The decision pack as text and as JSON: fixed files, texts that stay texts, and texts that are cut where they fit."""

import json

import pytest
from markdown_it import MarkdownIt

from qaviz.exports.decision_pack import _escape
from qaviz.exports.decision_pack.tables import LONGEST_NAME, extent, fit_text, lines_of, right_to_left, short_names
from qaviz.model.visible import WORD_JOINER, visible
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
    """A program reads the names as they came, control characters and all."""
    said = json.loads(written(hostile, ".json"))

    assert {row["pipeline"] for row in said["pipelines"]} == set(HOSTILE)


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


def test_short_names_stay_apart():
    """Names that are the same once cut get a number, and none is longer than there is room."""
    family = [f"retrieval-with-a-long-name-{number}-{'x' * 20}" for number in range(12)]

    short = short_names(["Pipeline1", *family])

    assert short["Pipeline1"] == "Pipeline1"
    assert len(set(short.values())) == 13
    assert max(map(len, short.values())) <= LONGEST_NAME


def test_names_that_differ_in_their_middle_are_cut_around_it():
    """What names of a family have in common gives way to what tells them apart."""
    family = [f"retrieval with temperature=0.{number} and hybrid search, rewritten questions" for number in range(10)]

    assert all(f"=0.{number}" in short for number, short in enumerate(short_names(family).values()))


@pytest.mark.parametrize("text", ["word " * 200, "x" * 900, "日本語" * 200, "a\nb\nc\nd\ne\nf", "short", ""])
def test_fitted_text_takes_no_more_lines_than_there_are(text):
    """What is cut ends in an ellipsis and fits; what fits is not cut."""
    shown = fit_text(text, 30, 3)

    assert lines_of(shown, 30) <= 3
    assert shown == text or (shown.endswith("…") and text.startswith(shown[:-1]))
    assert (shown == text) == (lines_of(text, 30) <= 3)


@pytest.mark.parametrize(
    ("text", "backwards"), [("مرحبا 1", True), ("1 שלום", True), ("abc שלום", False), ("12", False)]
)
def test_direction_is_that_of_the_first_letter(text, backwards):
    """A text is set from right to left if its first letter is of such a script, digits aside."""
    assert right_to_left(text) is backwards


def test_wide_characters_take_more_room():
    """Three Chinese characters take more of a line than three Latin letters, and combining marks take none."""
    assert extent("日本語") > extent("abc") == extent("a\u0301bc")


def test_a_cut_breaks_no_word():
    """What does not fit ends after a whole word; a text without blanks is cut where its room ends."""
    text = "what is the days payable outstanding of Corning in the fiscal year 2020"
    for most in range(1, 4):
        cut = fit_text(text, 12, most).removesuffix("…")
        assert text == cut or text[len(cut)] == " "
    assert fit_text("漢" * 200, 12, 2).endswith("漢…")
