"""qaviz.model.visible: markdown that shows a text as it is, with no backslash that it could do without."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from qaviz.model.visible import REMOVED, WORD_JOINER, redact, write_markdown

TEXTS = st.text(st.sampled_from("ab1 .,:;!?%()[]{}<>#+-=*_~|\\\\/&$'\"`@"), max_size=12)
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@given(TEXTS)
@example("0.75 (10)")
@example("12. twelve")
@example("- - -")
@pytest.mark.parametrize("line", ["{}", "- {}", "## {}", "| {} |\n| --- |"])
def test_a_text_is_shown_as_it_is(line: str, text: str):
    """In a paragraph, a list, a heading and a table any text is that text, and nothing of it is read."""
    shown = [child for token in PARSER.parse(line.format(write_markdown(text))) for child in token.children or ()]

    assert {child.type for child in shown} <= {"text", "text_special"}
    assert "".join(child.content for child in shown).replace(WORD_JOINER, "").split() == text.split()


@pytest.mark.parametrize(
    "text",
    [
        *("0.75 (10)", "95% interval", "+33.3", "−9.2 to +63.7", "3, 0, 6", "-8.7", "(1)", "1.000", "$134.4 billion"),
        *("recall_over_words", "a-b", "< 5", "p = 0.01; q > 2", "10:30:15", 'what "is" it?', "AT&T", "C:\\temp", "1]"),
    ],
)
def test_what_markdown_would_not_read_has_no_backslash(text: str):
    """Figures, brackets, signs and names stand in a file as people write them."""
    assert write_markdown(text) == text


@pytest.mark.parametrize("password", ["hunter22", "p@ss@word", "x:y"])
def test_a_password_in_an_address_is_removed(password: str):
    """Whatever a password holds, an address that a server prints has none of it."""
    shown = redact(f"401: no access to https://me:{password}@host.example/v1")

    assert shown == f"401: no access to https://{REMOVED}@host.example/v1"
