"""Rows that tempt a scorer to differ from FMEval: built from the characters where shortcuts go wrong."""

import random

import polars as pl

from qaviz.model.columns import ANSWER, FACT, RESPONSE

_BLANKS = [" ", " ", " ", "  ", "\t", "\n", "\r\n", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\xa0"]
_BLANKS += ["\u1680", "\u2003", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\u200b", "\x00"]
_ARTICLES = ["a", "an", "the", "The", "AN", "a.", "(the)", "th", "e"]
_NUMBERS = ["12%", "112%", "134.4", "1,344", "134,383", "-3.2", "3.2", "2158", "158 million", "billion", "1.0e5"]
_WORDS = ["France", "france", "Amazon's", "Amazon’s", "Amazons", "office", "café", "CAFE\u0301", "naïve", "Straße"]
_CASES = ["İstanbul", "i̇stanbul", "ΟΔΟΣ", "οδος", "ΣΑΣ.", "ΑΣ’", "ǅ", "ß", "ẞ", "Ω", "K", "Å", "ſ", "ﬁ", "ŉ", "Ⅷ", "ⓐ"]
_NEWER = ["\u1c89", "\ua7cb", "\ua7cc", "\ua7da", "\ua7dc", "\U00010d50", "\U00010d65", "\U00016ea0", "\U00016eb8"]
_OTHERS = ["東京", "は", "日本", "م", "👩‍👩‍👧", "€", "–", "—", "…", "“", "”", "‘", "$"]
_OTHERS += ["%", "_", "-", "'", '"', "\\", "`", "~", "^"]
_PIECES = [_ARTICLES, _NUMBERS, _WORDS, _CASES, _NEWER, _OTHERS]
_WEIGHTS = [4, 4, 5, 3, 1, 3]
_LONGEST = 9


def hostile_rows(count: int, seed: int, *, delimiters: tuple[str, ...] = ("<OR>",)) -> pl.DataFrame:
    """Return rows with `answer`, `fact` and `response`; empty variants and delimiters at the ends included."""
    rng = random.Random(seed)
    rows = [_row(rng, rng.choice(delimiters)) for _ in range(count)]
    return pl.DataFrame(rows, schema=[ANSWER, FACT, RESPONSE], orient="row")


def _row(rng: random.Random, delimiter: str) -> tuple[str, str, str]:
    answers = [_text(rng) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    facts = [_text(rng, longest=3) for _ in range(rng.choice((1, 1, 2, 2, 4)))]
    response = _response(rng, answers, facts)
    return "<OR>".join(answers), delimiter.join(facts), response


def _response(rng: random.Random, answers: list[str], facts: list[str]) -> str:
    """Return a text that often holds, changes or equals the golden ones."""
    text = rng.choice((_text(rng), rng.choice(answers), rng.choice(facts), ""))
    for _ in range(rng.choice((0, 1, 1, 2))):
        other = rng.choice((rng.choice(facts), rng.choice(facts), _text(rng)))
        text = rng.choice((text + _glue(rng) + other, other + _glue(rng) + text))
    return rng.choice((str, str, str.lower, str.upper, str.title, str.strip))(text)


def _text(rng: random.Random, longest: int = _LONGEST) -> str:
    text = ""
    for _ in range(rng.choice((0, *range(1, longest), *range(1, longest)))):
        text += rng.choice(rng.choices(_PIECES, _WEIGHTS)[0]) + _glue(rng)
    return text if rng.random() < 0.2 else text.strip(" ")


def _glue(rng: random.Random) -> str:
    return rng.choice((" ", " ", " ", "", ".", ", ", rng.choice(_BLANKS)))
