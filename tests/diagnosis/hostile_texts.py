"""Questions, answers, facts and responses of hostile pieces: letters of all categories, odd numbers, dates."""

import random
import unicodedata
from functools import cache

import polars as pl

from qaviz.diagnosis import diagnose
from qaviz.diagnosis.columns import NOTE, STANCE
from qaviz.diagnosis.stance import Stance
from qaviz.model import columns as c
from qaviz.scoring import score

# One piece a line would be two hundred lines.
# fmt: off
_NUMBERS = (
    "0", "-0", "1e999", "00", "1,2,3", "1.2.3", "١٢", "½", "²", "Ⅷ", "ⅻ", "三", "十億", "1/0", "0/0", "$", "%",
    "12%", "$514B", "to", "$575B", "134.4 billion", "-3,2", "1 000 000", "9" * 400, "1e-5", "10^9", "∞", "NaN",
    "0x1F", "MMXX",
)
_DATES = (
    "31 February 2023", "2023-13-45", "29/2/1900", "Q5 2020", "FY0000", "00:00", "25:61", "noon", "9999", "0 BC",
    "mùng 5",
)
_WORDS = (
    "not", "but", "yes", "no", "who", "which", "than", "I do not know", "it is", "and", "or", "the", "không phải",
    "Paris", "J.", "O'Neil", "de", "von", "A", "İ", "ß", "ﬁ", "the the", "A, B, C and D", "(or X)", "()", "Jr.",
    "increase", "fell", "K", "°C", "m", "km²", "p.m.", "Season 8, Episode 3", "[1]", "<b>", "“", "”", "(aka ",
    "/",
)
_FOREIGN = (
    "neunundzwanzig", "hundert", "Komma", "Millionen", "nicht", "sondern", "früher", "heute", "am 31.02.2023",
    "veintiún", "mil", "ciento", "coma", "y medio", "billones", "ya no", "sino", "el 0 de enero de 0000", "¿",
    "quatre-vingt-dix-sept", "virgule", "et demie", "milliard", "2h75", "n'est plus", "le 1er 2e mars", "l'",
    "d'", "năm", "mươi", "lăm", "trăm", "lẻ", "phẩy", "tỷ", "rưỡi", "tháng 13", "không còn là", "ty", "trieu",
    "ngày 99/99/9999", "一个半小时", "十", "兆", "千百", "〇〇〇〇年", "三十二月", "0年0月0日", "百分之点",
    "以前是", "现在", "ではなく", "億億", "錢鍾書", "Чайковский", "Достоевський",
    "Αθήνα", "서울", "القاهرة", "São", "żółć", "Tschaikowski", "München", "TP.HCM",
)
_MARKS = (
    "ﾞ", "ﾟ", "\u3099", "\u0301", "\u200d", "\ufe0f", "\u202e", "\x00", "\ufeff", "\xad", "\u0345", "ᳺ",
    "\U000e0001",
)
_GLUE = (
    " ", " ", " ", "", ", ", ". ", "\n", "\t", "-", "–", "/", "'", "’", ";", ":", "(", ")", c.OR_DELIMITER,
    c.AND_DELIMITER,
)
_QUESTIONS = (
    "Who ", "When ", "How many ", "Which two ", "Is ", "By how much did ", "What year ", "Name one of ", "Ai ",
    "Wie viele ", "¿Cuándo ", "Combien ", "いつ", "多少", "Кто ", "",
)
# fmt: on
_LONG = 400
"""One text in so many is repeated until it is long."""


def triples(count: int, seed: int) -> pl.DataFrame:
    """Return rows as loading does, with `count` hostile texts in each of question, answer, fact and response."""
    rng = random.Random(seed)
    rows = [_row(rng) for _ in range(count)]
    texts = pl.DataFrame(rows, schema=[c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE, c.ANSWERABLE], orient="row")
    ids = pl.int_range(pl.len()).cast(pl.String).alias(c.QUESTION_ID)
    return texts.select(ids, pl.lit("P").alias(c.PIPELINE), pl.all())


def _row(rng: random.Random) -> tuple[str, str | None, str | None, str, bool | None]:
    fact = c.OR_DELIMITER.join(_text(rng, 4) for _ in range(rng.choice((1, 1, 2, 3))))
    answer = rng.choice((_text(rng, 9), fact, f"{_text(rng, 4)} {fact}"))
    question = rng.choice(_QUESTIONS) + rng.choice((_text(rng, 6), answer)) + "?"
    response = rng.choice((_text(rng, 12), f"{_text(rng, 4)} {fact} {_text(rng, 4)}", answer, answer[::-1], question))
    unanswerable = rng.choice((None, None, True, False))
    return question, rng.choice((answer, answer, None)), rng.choice((fact, fact, None)), response, unanswerable


def _text(rng: random.Random, longest: int) -> str:
    text = "".join(_piece(rng) + rng.choice(_GLUE) for _ in range(rng.randint(0, longest)))
    return text * 300 if rng.random() * _LONG < 1 else text


@cache
def _letters_by_category() -> list[list[str]]:
    by_category: dict[str, list[str]] = {}
    for letter in map(chr, range(0x20, 0x30000)):
        by_category.setdefault(unicodedata.category(letter), []).append(letter)
    return [letters for category, letters in sorted(by_category.items()) if category != "Cs"]


def _piece(rng: random.Random) -> str:
    anything = rng.choice(_letters_by_category())
    chosen = rng.choice((_NUMBERS, _DATES, _WORDS, _WORDS, _FOREIGN, _FOREIGN, _MARKS, anything))
    return rng.choice(chosen)


def failures(count: int, seed: int) -> pl.DataFrame:
    """Return how many rows each kind of failure has, columns NOTE and `len`."""
    rows = diagnose(score(triples(count, seed)))
    return rows.filter(pl.col(STANCE) == Stance.FAILED.value).group_by(NOTE).len()
