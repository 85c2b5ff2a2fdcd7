"""What holds of any text that is read."""

import itertools
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from qaviz.reading import Relation, compare, detect_language, level_text, sentences, tokens
from qaviz.reading.refusals import read_refusal
from qaviz.reading.sides import read_side, read_statements
from qaviz.reading.tables import languages
from qaviz.reading.words import words
from tests.growth import ROOM, growth

BITS = """
1,234.5 2½ 3/4 10^6 −45 (312) $ € NOK % million bn half dozen twenty-one third 12 March 2019 03/05/2023 Q3 before up
to daily a year per month and or - not no Yes, v3.10 10-K BB+ 8 ký tự năm ngày 15 tháng 6 第3四半期 三百 万円 午前9時
: . / ² quatre-vingt vierundzwanzig \ue001 e\u0301 o\u031b\u0300 ́ İ ß １２ ۱۲ Ⅷ 𝟗 가
"""
PIECES = st.sampled_from([*BITS.split(), "\n", " "])
TEXTS = st.one_of(
    st.text(max_size=80), st.lists(PIECES, max_size=14).map(" ".join), st.lists(PIECES, max_size=9).map("".join)
)
LANGUAGES = st.sampled_from(sorted(languages()))


@given(TEXTS, LANGUAGES)
@example("0\u0300U\u0300", "ca")  # a mark that composes with nothing, in a text that is composed
def test_tokens_stand_in_the_text_in_order(text: str, language: str) -> None:
    """Any text is read: its tokens are inside it, in order, and none overlaps another."""
    end = 0
    for token in tokens(text, language):
        assert end <= token.start < token.end <= len(text)
        end = token.end


@given(TEXTS, LANGUAGES)
def test_a_token_says_the_same_as_itself(text: str, language: str) -> None:
    """No token contradicts itself."""
    assert all(compare(token, token).relation is Relation.SAME for token in tokens(text, language))


@given(TEXTS)
def test_letters_written_apart_are_read_alike(text: str) -> None:
    """Composed and decomposed letters give the same values."""
    composed, apart = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    if unicodedata.normalize("NFC", apart) == composed:
        assert [token.value for token in tokens(composed, "vi")] == [token.value for token in tokens(apart, "vi")]


@given(TEXTS, TEXTS, LANGUAGES)
def test_any_text_is_compared(golden: str, text: str, language: str) -> None:
    """No text makes a reader of words, sides, sentences or refusals fail; positions stay inside it."""
    assert len(level_text(text)) == len(text)
    assert all(0 <= start < end <= len(text) for start, end in sentences(text))
    assert all(0 <= word.start < word.end <= len(text) for word in words(text, language).words)
    words(text, language).like(golden)
    read_statements(text, language)
    read_side(text, golden, language)
    refusal = read_refusal(text, golden, detect_language(text, language))
    assert refusal is None or 0 <= refusal.start <= refusal.end <= len(text)


@pytest.mark.parametrize(
    "piece", ["(12) ", "12 March ", "not ", "1. 2. ", "a", "- 1", "The quick Fox ", "12:", "($", "x\n1) "]
)
def test_reading_is_linear(piece: str) -> None:
    """A text of eight times the length takes about eight times as long."""

    def read(size: int) -> object:
        text = (piece * (size // len(piece) + 1))[:size]
        return tokens(text), read_refusal(text), read_statements(text)

    assert growth(_uncached(read), 2_000) < ROOM


def _uncached(work: Callable[[int], object]) -> Callable[[int], object]:
    """Work on other texts each time: what is read is remembered."""
    count = itertools.count()
    return lambda size: work(size + next(count))
