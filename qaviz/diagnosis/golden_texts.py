"""A question with its golden texts, read once: what responses are compared with."""

import re
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.patterns import GOLDEN, WORDS
from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER
from qaviz.reading import level_text
from qaviz.scoring.definition import needs_all

READ = 3_000
"""Characters of a golden text that are compared."""
VARIANTS = 64
"""Golden variants that are compared."""
PROSE_WORDS = 8
"""Words of a golden text beyond which it is prose."""
STEM = 5
"""Letters by which two forms of a word are one."""
_IDEOGRAPHS = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_OTHER_SIGNS = re.compile(r"[\W_]+")
_ASCII_SIGNS = {code: " " for code in range(128) if not chr(code).isalnum()}
_CODED = re.compile(r"[a-z]{3}\d\b")
_LONG = 3
"""Letters beyond which a word of a question tells what it is about."""

Run = tuple[str, ...]
"""Letters in a row."""


class Golden(NamedTuple):
    """A variant of a golden text, against its question."""

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


class Triplet(NamedTuple):
    """A question with its golden texts."""

    question: str
    answer: str
    question_words: frozenset[str]
    about: frozenset[str]
    """The beginnings of the words that a sentence shares which speaks of the question or of a golden text."""
    new: frozenset[str]
    """Those of them that the question lacks."""
    pairs: frozenset[Run]
    """The runs of letters of question and golden texts in scripts without blanks; of others nothing."""
    variants: tuple[str, ...]
    """Of the fact, else of the answer."""
    levels: tuple[str, ...]
    """The same in small letters, without the signs around them."""
    words: frozenset[str]
    """Of all golden texts and of the question."""
    prose: bool
    bare: bool
    """Whether there is no fact: then the golden answer is compared."""
    needs_all: bool
    """Whether a response has to say every variant: then the one that fits worst counts."""
    coded: bool
    """Whether they have words with a digit at the end: name7."""


@lru_cache(maxsize=1_024)
def read_triplet(question: str, answer: str, fact: str) -> Triplet:
    """Return a question with the variants of its fact, else of its answer."""
    question_words = frozenset(split_words(level_words(question)))
    texts = [text for part in fact.split(OR_DELIMITER) for text in part.split(AND_DELIMITER) if text.strip()]
    answers = [text for text in answer.split(OR_DELIMITER) if text.strip()]
    golden = tuple(dict.fromkeys(text.strip() for text in texts or answers))[:VARIANTS]
    words = frozenset(split_words(level_words(" ".join((*texts, *answers)))))
    compared = golden[:1] if texts else golden
    telling = [word for word in (question_words | words) - WORDS["function"] if len(word) > _LONG or word >= "\u2e80"]
    question_stems = frozenset(word[:STEM] for word in question_words)
    return Triplet(
        question=question,
        answer=answer,
        question_words=question_words,
        about=frozenset(word[:STEM] for word in telling),
        new=frozenset(word[:STEM] for word in telling) - question_stems,
        pairs=frozenset(
            run for text in (question, *texts, *answers) if _IDEOGRAPHS.search(text) for run in runs(level_words(text))
        ),
        variants=golden,
        levels=tuple(level_text(text).strip(" \n\t\"'.,;:。") for text in golden),
        words=question_words | words,
        prose=any(
            len(split_words(level_words(text))) > PROSE_WORDS * (2 if _IDEOGRAPHS.search(text) else 1)
            for text in compared
        ),
        bare=not texts,
        needs_all=needs_all(fact),
        coded=_CODED.search("\n".join((answer, *golden))) is not None,
    )


@lru_cache(maxsize=4_096)
def read_variant(text: str, question: str) -> Golden:
    """Return a golden text as regions are compared with it letter by letter and word by word."""
    level = level_words(text)
    question_level = level_words(question)
    question_stems = frozenset(word[:STEM] for word in split_words(question_level))
    all_runs, distinct = runs(level), frozenset(split_words(level))
    new = (word[:STEM] for word in distinct - WORDS["function"] if word[:STEM] not in question_stems)
    size = len(split_words(level))
    return Golden(
        letters=tuple(map("".join, (all_runs - runs(question_level)) or all_runs)),
        words=distinct,
        stems=tuple(new),
        length=len(level),
        size=size // 2 if _IDEOGRAPHS.search(level) else size,
        negated=bool(distinct & WORDS["negations"]),
        denies=GOLDEN["denials"].search(level) is not None,
    )


def level_words(text: str) -> str:
    """Return the text in small letters, everything else a blank, with a blank at each end."""
    if text.isascii():
        return f" {' '.join(text.lower().translate(_ASCII_SIGNS).split())} "  # five times as fast
    return f" {_OTHER_SIGNS.sub(' ', text.lower()).strip()} "


def is_spaced(text: str) -> bool:
    """Whether a text is written with blanks between its words."""
    return text.isascii() or _IDEOGRAPHS.search(text) is None


def join_ideographs(level: str) -> str:
    """Return a levelled text without its blanks where it is written without them."""
    return level.replace(" ", "") if not level.isascii() and _IDEOGRAPHS.search(level) else level


def split_words(level: str) -> list[str]:
    """Return the words of a levelled text; each ideograph is one."""
    if not level.isascii() and _IDEOGRAPHS.search(level):
        level = _IDEOGRAPHS.sub(r" \g<0> ", level)
    return level.split()


def runs(level: str) -> set[Run]:
    """Return the runs of three letters of a levelled text, of two in Chinese and Japanese."""
    size = 3
    joined = join_ideographs(level)
    if joined is not level:
        level, size = joined, 2
    level = level[:READ]
    # As tuples: they take half the time of slices.
    return set(zip(*(level[at:] for at in range(size)), strict=False)) if len(level) >= size else {tuple(level)}
