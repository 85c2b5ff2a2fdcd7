"""Rules on questions that are asked twice: with the same words, with nearly the same, with another answer."""

from collections.abc import Iterator

import polars as pl
from rapidfuzz import fuzz

from qaviz.diagnosis.combine_evidence import by_variants
from qaviz.diagnosis.evidence import Asked, Stance
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.golden.lint.findings import EVIDENCE, MESSAGE, PLACE, SUGGESTION, Subject, quote_text
from qaviz.model.columns import ANSWER, FACT, QUESTION, QUESTION_ID
from qaviz.scoring import forms

_MEANINGFUL = "not no nor before after over under up down out off between from to by than only"
_STOP_WORDS = [*(FUNCTION_WORDS - frozenset(_MEANINGFUL.split())), "much", "many", "please", "tell", ""]
MOST_ALIKE = 20
"""Triplets of one answer that are compared with each other. Of more, the answer is a common one: yes, 2023."""
ALIKE = 92
"""Similarity, 0 to 100, from which two questions of one answer are the same question."""

_NORMAL_QUESTION, _NORMAL_ANSWER, _NORMAL_FACT = "normal question", "normal answer", "normal fact"
_CONTENT, _NUMBERS = "content", "numbers"
_TRIPLET = (QUESTION_ID, QUESTION, ANSWER, FACT)


def repeated_triplet(subject: Subject) -> pl.DataFrame:
    """The golden dataset has the same question, answer and fact under another id. The question counts twice in every
    mean."""
    again = _again(subject.once(_normalise_triplets), [_NORMAL_QUESTION, _NORMAL_ANSWER, _NORMAL_FACT])
    return again.select(
        QUESTION_ID,
        pl.format("The same triplet as {}.", quote_text("first question_id")).alias(MESSAGE),
        quote_text(QUESTION).alias(EVIDENCE),
        pl.lit("Remove one of the two triplets.").alias(SUGGESTION),
    )


def contradictory_questions(subject: Subject) -> pl.DataFrame:
    """The same question has a different answer elsewhere in the golden dataset. Every response is wrong by one of the
    two."""
    again = subject.once(_asked_again)
    return again.filter(~pl.col("same answer")).select(
        QUESTION_ID,
        pl.format("The same question as {}, with a different answer.", quote_text("first question_id")).alias(MESSAGE),
        pl.format("{}: {} beside {}", quote_text(QUESTION), _quote_golden(), _quote_golden("first ")).alias(EVIDENCE),
        pl.lit("Correct the wrong answer, or make the two questions different.").alias(SUGGESTION),
    )


def near_duplicate_question(subject: Subject) -> pl.DataFrame:
    """Another question has the same content words, or nearly the same words and the same answer. The question then
    counts twice in every mean."""
    normalised = subject.once(_normalise_triplets)
    reordered = _again(normalised.filter(pl.col(_CONTENT).str.contains(" ")), [_CONTENT])
    reordered = reordered.filter(pl.col(_NORMAL_QUESTION) != pl.col(f"first {_NORMAL_QUESTION}"))
    same = subject.once(_asked_again).filter(
        pl.col("same answer")
        & (
            (pl.col(_NORMAL_ANSWER) != pl.col(f"first {_NORMAL_ANSWER}"))
            | (pl.col(_NORMAL_FACT) != pl.col(f"first {_NORMAL_FACT}"))
        )
    )
    pairs = [frame.select(QUESTION_ID, QUESTION, *_firsts()) for frame in (reordered, same, _alike(normalised))]
    return (
        pl.concat(pairs)
        .unique(QUESTION_ID, keep="first", maintain_order=True)
        .select(
            QUESTION_ID,
            pl.format("Nearly the same question as {}.", quote_text("first question_id")).alias(MESSAGE),
            pl.format("{} beside {}", quote_text(QUESTION), quote_text(f"first {QUESTION}")).alias(EVIDENCE),
            pl.lit("Remove one of the two triplets, or make the two questions different.").alias(SUGGESTION),
        )
    )


def _firsts() -> list[str]:
    return [f"first {QUESTION_ID}", f"first {QUESTION}"]


def _quote_golden(prefix: str = "") -> pl.Expr:
    return quote_text(pl.coalesce(f"{prefix}{FACT}", f"{prefix}{ANSWER}", pl.lit("")))


def _normalise_triplets(subject: Subject) -> pl.DataFrame:
    """The triplets with their texts normalised, the question's words of meaning in one order, and its numbers."""
    texts = subject.golden.select(_TRIPLET)
    normal = [
        forms.normal(forms.lower(texts[column].fill_null(""))).str.strip_chars().alias(name)
        for column, name in ((QUESTION, _NORMAL_QUESTION), (ANSWER, _NORMAL_ANSWER), (FACT, _NORMAL_FACT))
    ]
    words = pl.element().str.replace_all("’", "").str.replace(r"(\p{L}{3})s$", "$1")
    content = (
        pl.col(_NORMAL_QUESTION)
        .str.split(" ")
        .list.eval(words.filter(~pl.element().is_in(_STOP_WORDS)).unique().sort())
    )
    return texts.with_columns(normal).with_columns(content.list.join(" ").alias(_CONTENT)).with_row_index(PLACE)


def _again(triplets: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """The triplets whose keys stand there before, each with the columns of the first such triplet as `first …`."""
    repeated = triplets.filter(pl.struct(keys).is_duplicated())
    firsts = repeated.unique(keys, keep="first", maintain_order=True)
    later = repeated.join(firsts.select(PLACE), on=PLACE, how="anti", maintain_order="left")
    named = firsts.select(
        *keys, pl.exclude(keys).name.prefix("first "), *(pl.col(key).alias(f"first {key}") for key in keys)
    )
    return later.join(named, on=keys, maintain_order="left")


def _asked_again(subject: Subject) -> pl.DataFrame:
    """The triplets whose question stands there before, with `same answer`: whether the two can both be right."""
    again = _again(subject.once(_normalise_triplets), [_NORMAL_QUESTION])
    pairs = again.select(pl.col(QUESTION, ANSWER, FACT, f"first {ANSWER}", f"first {FACT}").fill_null(""))
    agree = (pl.col(_NORMAL_ANSWER) == pl.col(f"first {_NORMAL_ANSWER}")) & (
        pl.col(_NORMAL_FACT) == pl.col(f"first {_NORMAL_FACT}")
    )
    plainly = again.select(agree).to_series()
    same = [alike or _same_answer(*pair) for alike, pair in zip(plainly, pairs.iter_rows(), strict=True)]
    return again.with_columns(pl.Series("same answer", same, dtype=pl.Boolean))


def _same_answer(question: str, answer: str, fact: str, other_answer: str, other_fact: str) -> bool:
    """Whether one triplet's answer, judged by the other triplet, is right: either way round will do."""
    one = by_variants(Asked(question, answer, fact, other_answer or other_fact, None, 0, 0, inside_token=False))
    two = by_variants(Asked(question, other_answer, other_fact, answer or fact, None, 0, 0, inside_token=False))
    return Stance.AGREES in (one.stance, two.stance)


def _alike(normalised: pl.DataFrame) -> pl.DataFrame:
    """The triplets of one answer and fact whose questions are nearly the same, with the same numbers in them."""
    numbers = pl.col(_NORMAL_QUESTION).str.extract_all(r"\d+").list.sort().list.join(" ")
    answered = normalised.filter(pl.col(_NORMAL_ANSWER) != "").unique(_CONTENT, keep="first", maintain_order=True)
    by_answer = (
        answered.with_columns(numbers.alias(_NUMBERS))
        .group_by(_NORMAL_ANSWER, _NORMAL_FACT, _NUMBERS, maintain_order=True)
        .agg(QUESTION_ID, QUESTION, _CONTENT)
    )
    sized = by_answer.filter(pl.col(QUESTION_ID).list.len().is_between(2, MOST_ALIKE))
    found = [pair for row in sized.select(QUESTION_ID, QUESTION, _CONTENT).iter_rows() for pair in _pairs(*row)]
    schema = dict.fromkeys((QUESTION_ID, QUESTION, *_firsts()), pl.String())
    return pl.DataFrame(found, schema=schema, orient="row")


def _pairs(ids: list[str], questions: list[str], contents: list[str]) -> Iterator[tuple[str, str, str, str]]:
    """The later of two questions that are alike, and the first of them."""
    for later in range(1, len(ids)):
        for first in range(later):
            if _are_alike(contents[later], contents[first]):
                yield ids[later], questions[later], ids[first], questions[first]
                break


def _are_alike(one: str, other: str) -> bool:
    """Whether two questions, as their words of meaning, differ in a letter or two, or in one word more."""
    if fuzz.token_sort_ratio(one, other) >= ALIKE:
        return True
    words, others = set(one.split()), set(other.split())
    return len(words ^ others) == 1 and min(len(words), len(others)) > 1
