"""qaviz.model.visible: markdown that shows a text as it is, with no backslash too many; short names."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from qaviz.model.visible import LONGEST_NAME, REMOVED, WORD_JOINER, drop_shared, redact, shorten_names, write_markdown

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


def test_short_names_stay_apart():
    """Names that are the same once cut get a number, and none is longer than there is room."""
    family = [f"retrieval-with-a-long-name-{number}-{'x' * 60}{number}" for number in range(12)]

    short = shorten_names(["Pipeline1", *family])

    assert short["Pipeline1"] == "Pipeline1"
    assert len(set(short.values())) == 13
    assert max(map(len, short.values())) <= LONGEST_NAME


def test_long_names_lose_what_they_share_first():
    """The part that tells names of one family apart stands whole."""
    family = [f"retrieval with temperature=0.{number} and hybrid search, rewritten questions" for number in range(10)]

    assert [short.strip("…") for short in shorten_names(family).values()] == list("0123456789")


@pytest.mark.parametrize(
    ("names", "heads"),
    [
        (["A", "B"], ["A", "B"]),
        (["retriever-large-A", "retriever-large-B"], ["A", "B"]),
        (["gpt-4-preview_oracle", "gpt-4-preview_store"], ["oracle", "store"]),
        (["a long name of rag", "another one of rag"], ["a long name", "another one"]),
        (["the same start", "the same start too"], ["start", "start too"]),
    ],
)
def test_names_lose_the_words_that_all_share(names: list[str], heads: list[str]):
    """Shared words at the beginning and the end go before a letter of what differs; two never become alike."""
    assert [head.strip() for head in drop_shared(names)] == heads
