"""How far the letters and words of a response are those of the golden answer: what no reader of meaning says."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import polars as pl

from qaviz.diagnosis.evidence.lexicon import DENIALS
from qaviz.model.columns import AND_DELIMITER, ANSWER, FACT, OR_DELIMITER, QUESTION, RESPONSE
from qaviz.scoring.definition import needs_all, words_of

OVERLAP, WORDS_SAID, WORDS_MISSING, FOCUS = "overlap", "words_said", "words_missing", "focus"
GOLDEN_LENGTH, RESPONSE_LENGTH = "golden_length", "response_length"
STATEMENT, PROSE, BARE, SHORT = "statement", "prose", "bare", "short"
OTHER_NAMES, NEGATION_DIFFERS, DENIAL_MISSING = "other_names", "negation_differs", "denial_missing"
SURFACE = (
    *(OVERLAP, WORDS_SAID, WORDS_MISSING, FOCUS, GOLDEN_LENGTH, RESPONSE_LENGTH),
    *(STATEMENT, PROSE, BARE, SHORT, OTHER_NAMES, NEGATION_DIFFERS, DENIAL_MISSING),
)

READ, READ_NAMES, READ_DENIAL = 3_000, 1_000, 400
"""Characters of a response that are compared, whose names are counted, and in which a denial is looked for."""
A_NAME, A_STATEMENT = 3, 7
"""Words up to which a golden text is a name or a value, and from which it is a statement."""
A_TEXT, LONGEST_DENIAL = 25, 40
"""Words from which a denial in a golden text is less and less its point, and from which it is none."""
PROSE_WORDS = 8
"""Words of a golden text beyond which it is prose."""
SHORT_WORDS = 24
"""Words up to which a response is short: what it says beside the golden answer may deny it."""
NEGATION_WORDS = 40
"""Words up to which one negation tells what the whole response says."""
VARIANTS = 64
"""Golden variants that are compared."""
_STEM = 5
"""Letters by which two forms of a word are one."""
_FUNCTION_WORDS = words_of(
    "at to for and or is are was were be been by with as it its that this from which who he she "
    "they his her their of in on"
) | {"a", "an", "the"}
_NEGATIONS = words_of(
    "not no never none neither nor cannot without isn wasn don doesn didn aren weren t nicht kein keine nie nunca ni "
    "non ne pas jamais không chưa chẳng ez 不 没 無"
)
_BETWEEN = r"[^\p{L}\p{M}\p{N}]+"
_IDEOGRAPHS = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_WITHIN_SENTENCE = re.compile(r"(?<=[^\s.!?:*])\s+(\S+)")
"""A word that no other sentence ends before."""
_OTHER_SIGNS = re.compile(r"[\W_]+")


Run = tuple[str, ...]
"""Letters in a row."""


class _Golden(NamedTuple):
    """A variant of a golden text, as responses are compared with it."""

    letters: tuple[str, ...]
    """Its runs of three letters (two in Chinese and Japanese) that the question lacks."""
    words: frozenset[str]
    stems: tuple[str, ...]
    """The beginnings of those that the question lacks, without those that only join."""
    length: int
    size: int
    """Its words; two ideographs are one."""
    negated: bool
    denies: bool


class _Triplet(NamedTuple):
    """A question with its golden texts."""

    question_words: frozenset[str]
    variants: tuple[_Golden, ...]
    words: frozenset[str]
    """Of all golden texts and of the question."""
    prose: bool
    bare: bool
    needs_all: bool
    """Whether a response has to say every variant: then the one that fits worst counts."""


def read_surface(rows: pl.DataFrame) -> pl.DataFrame:
    """Return SURFACE of rows with QUESTION, ANSWER, FACT and RESPONSE, as floats, in the order of the rows.

    Of the golden variant that fits best: OVERLAP is the share of its runs of three letters that the question lacks in
    the response; WORDS_SAID and WORDS_MISSING are logarithms of how many of its words that the question lacks the
    response has and lacks. FOCUS is the other way round: of what the response says beyond the question, how much is
    golden. Lengths are logarithms of characters. STATEMENT: 0 for a value or name, 1 for a golden statement, between
    them by words; PROSE: the golden text has more than PROSE_WORDS; BARE: there is no fact; SHORT: the response has at
    most SHORT_WORDS. OTHER_NAMES: logarithm of capitalised words that neither question nor golden texts have.
    NEGATION_DIFFERS: one of a short response and the golden text negates, the other does not. DENIAL_MISSING: the
    golden statement denies something and the beginning of the response nothing.
    """
    texts = rows.select(pl.col(QUESTION, ANSWER, FACT, RESPONSE).fill_null(""))
    distinct = texts.unique().sort(QUESTION, ANSWER, FACT)
    levelled = distinct.select(QUESTION, ANSWER, FACT, RESPONSE, _level_expression(RESPONSE).alias("level"))
    values = pl.DataFrame(list(_surface_rows(levelled.iter_rows())), dict.fromkeys(SURFACE, pl.Float64), orient="row")
    joined = texts.join(distinct.hstack(values), on=texts.columns, how="left", maintain_order="left")
    return joined.select(SURFACE)


def _level_expression(column: str) -> pl.Expr:
    """A text in small letters, everything else a blank, with a blank at each end."""
    level = pl.col(column).str.head(READ).str.to_lowercase().str.replace_all(_BETWEEN, " ").str.strip_chars()
    return pl.concat_str(pl.lit(" "), level, pl.lit(" "))


def _surface_rows(rows: Iterable[tuple[str, str, str, str, str]]) -> Iterator[tuple[float, ...]]:
    for question, answer, fact, response, level in rows:
        yield _compare(_read_triplet(question, answer, fact), response, level)


@lru_cache(maxsize=256)
def _read_triplet(question: str, answer: str, fact: str) -> _Triplet:
    level = level_text(question)
    question_words, letters = frozenset(split_words(level)), frozenset(runs(level))
    stems = frozenset(word[:_STEM] for word in question_words)
    texts = [text for part in fact.split(OR_DELIMITER) for text in part.split(AND_DELIMITER) if text.strip()]
    bare = not texts
    answers = [text for text in answer.split(OR_DELIMITER) if text.strip()]
    golden = texts or answers
    levels = {text: level_text(text) for text in (*texts, *answers)}
    words = {text: split_words(level) for text, level in levels.items()}
    variants = tuple(_read_variant(levels[text], words[text], stems, letters) for text in golden[:VARIANTS])
    compared = golden[:VARIANTS] if bare else golden[:1]
    prose = any(len(words[text]) > (PROSE_WORDS * 2 if _IDEOGRAPHS.search(text) else PROSE_WORDS) for text in compared)
    return _Triplet(question_words, variants, question_words.union(*words.values()), prose, bare, needs_all(fact))


def _read_variant(
    level: str, golden_words: Sequence[str], question_words: frozenset[str], letters: frozenset[Run]
) -> _Golden:
    """`asked`: the beginnings of the question's words."""
    every, words = frozenset(runs(level)), frozenset(golden_words)
    return _Golden(
        letters=tuple(map("".join, (every - letters) or every)),
        words=words,
        stems=tuple(word[:_STEM] for word in words - _FUNCTION_WORDS if word[:_STEM] not in question_words),
        length=len(level),
        size=len(golden_words) // 2 if _IDEOGRAPHS.search(level) else len(golden_words),
        negated=bool(words & _NEGATIONS),
        denies=DENIALS.search(level) is not None,
    )


def level_text(text: str) -> str:
    """Return the text in small letters, everything else a blank, with a blank at each end."""
    return f" {_OTHER_SIGNS.sub(' ', text.lower()).strip()} "


def split_words(level: str) -> list[str]:
    """Return the words of a levelled text; each ideograph is one."""
    if not level.isascii() and _IDEOGRAPHS.search(level):
        level = _IDEOGRAPHS.sub(r" \g<0> ", level)
    return level.split()


def runs(level: str) -> set[Run]:
    """Return the runs of three letters of a levelled text, of two in Chinese and Japanese."""
    size = 3
    if not level.isascii() and _IDEOGRAPHS.search(level):
        level, size = level.replace(" ", ""), 2
    level = level[:READ]
    # As tuples: they take half the time of slices.
    return set(zip(*(level[at:] for at in range(size)), strict=False)) if len(level) >= size else {tuple(level)}


def _compare(triplet: _Triplet, response: str, level: str) -> tuple[float, ...]:
    """The values of SURFACE."""
    words = split_words(level)
    response_words = frozenset(words)
    beyond = response_words - triplet.question_words - _FUNCTION_WORDS
    others = _count_other_names(response, triplet.words)
    length = math.log1p(len(response))
    short = len(words) <= SHORT_WORDS * (2 if len(words) and len(level) < 3 * len(words) else 1)
    if not triplet.variants:
        return (0.0, 0.0, 0.0, 0.0, 0.0, length, 0.0, 0.0, 1.0, float(short), math.log1p(others), 0.0, 0.0)
    joined = level.replace(" ", "") if not level.isascii() and _IDEOGRAPHS.search(level) else level
    overlap, best = (min if triplet.needs_all else max)(
        ((sum(map(joined.__contains__, golden.letters)) / len(golden.letters), golden) for golden in triplet.variants),
        key=lambda pair: pair[0],
    )
    stems = {word[:_STEM] for word in response_words}
    stated = sum(stem in stems for stem in best.stems)
    focus = len(beyond & triplet.words) / len(beyond) if beyond else float(bool(response_words & best.words))
    negates = len(words) < NEGATION_WORDS and bool(response_words & _NEGATIONS) != best.negated
    point = _share_of_way(best.size, LONGEST_DENIAL, A_TEXT) if best.denies else 0.0
    statement = _share_of_way(best.size, A_NAME, A_STATEMENT)
    return (
        *(overlap, math.log1p(stated), math.log1p(len(best.stems) - stated), focus),
        *(math.log1p(best.length - 2), length, statement, float(triplet.prose), float(triplet.bare), float(short)),
        *(math.log1p(others), float(negates)),
        point if point and not DENIALS.search(level[:READ_DENIAL]) else 0.0,
    )


def _share_of_way(size: int, begin: int, end: int) -> float:
    """How far a number of words is on the way from one to another, 0 to 1."""
    return min(1.0, max(0.0, (size - begin) / (end - begin)))


def _count_other_names(response: str, known: frozenset[str]) -> int:
    """How many capitalised words, sentences' first left out, neither question nor golden texts have."""
    within = (word for word in _WITHIN_SENTENCE.findall(response[:READ_NAMES]) if word[0].isupper())
    names = {word.strip(".,;:!?()[]\"'’*").removesuffix("'s").removesuffix("’s").lower() for word in within}
    return len(names - known)
