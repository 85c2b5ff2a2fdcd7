"""Rules that compare triplets with each other: the same question again, and answers that belong elsewhere."""

import polars as pl

from qaviz.golden.forms import read_sole
from qaviz.golden.lint.findings import Subject, normal, quote_text, report
from qaviz.model.columns import ANSWER, FACT, OR_DELIMITER, QUESTION, QUESTION_ID
from qaviz.reading import Relation, best, detect_language, tokens

_STOP = [
    *("", "is", "are", "was", "were", "did", "does", "do", "has", "have", "had", "in", "on", "at", "for", "the", "a"),
    *("an", "of", "what", "which", "how", "many", "much", "please", "tell", "me", "it", "its", "that"),
]
"""Words that two wordings of one question may not share; `before`, `not`, `who`, `when` make another question."""
_PLACE = "place"
_NORMAL = {QUESTION: "normal question", ANSWER: "normal answer", FACT: "normal fact"}
_CONTENT = "content"


def repeated_triplet(subject: Subject) -> pl.DataFrame:
    """The golden dataset has the same question, answer and fact under another id. The question counts twice in every
    mean."""
    again = _find_repeated(subject.once(_normalise_triplets), [*_NORMAL.values()])
    message = pl.format("The same triplet as {}, so the question counts twice.", quote_text("first question_id"))
    return report(again, message, quote_text(QUESTION), "Remove one of the two triplets.")


def contradictory_questions(subject: Subject) -> pl.DataFrame:
    """The same question has a different answer elsewhere in the golden dataset. Every response is wrong by one of the
    two."""
    golden = [quote_text(pl.coalesce(f"{first}{FACT}", f"{first}{ANSWER}", pl.lit(""))) for first in ("", "first ")]
    return report(
        subject.once(_find_asked_again).filter(~pl.col("same answer")),
        pl.format("The same question as {}, with a different answer.", quote_text("first question_id")),
        pl.format("{}: {} beside {}", quote_text(QUESTION), *golden),
        "Correct the wrong answer, or make the two questions different.",
    )


def near_duplicate_question(subject: Subject) -> pl.DataFrame:
    """Another question has the same content words, or the same words and an answer that says the same. The question
    then counts twice in every mean."""
    normalised = subject.once(_normalise_triplets)
    reordered = _find_repeated(normalised.filter(pl.col(_CONTENT).str.contains(" ")), [_CONTENT])
    reordered = reordered.filter(pl.col(_NORMAL[QUESTION]) != pl.col(f"first {_NORMAL[QUESTION]}"))
    other_words = pl.any_horizontal(
        pl.col(_NORMAL[text]) != pl.col(f"first {_NORMAL[text]}") for text in (ANSWER, FACT)
    )
    same = subject.once(_find_asked_again).filter(pl.col("same answer") & other_words)
    columns = (QUESTION_ID, QUESTION, f"first {QUESTION_ID}", f"first {QUESTION}")
    alike = pl.concat([reordered.select(columns), same.select(columns)])
    return report(
        alike.unique(QUESTION_ID, keep="first", maintain_order=True),
        pl.format("Nearly the same question as {}.", quote_text(f"first {QUESTION_ID}")),
        pl.format("{} beside {}", quote_text(QUESTION), quote_text(f"first {QUESTION}")),
        "Remove one of the two triplets, or make the two questions different.",
    )


def _normalise_triplets(subject: Subject) -> pl.DataFrame:
    """The triplets with their texts normalised, and the question's words of meaning in one order."""
    texts = subject.golden.select(QUESTION_ID, *_NORMAL)
    normalised = [normal(texts[text].fill_null("")).alias(name) for text, name in _NORMAL.items()]
    word = pl.element().str.replace_all("’", "").str.replace(r"(\p{L}{3})s$", "$1")
    content = (
        pl.col(_NORMAL[QUESTION]).str.split(" ").list.eval(word.filter(~pl.element().is_in(_STOP)).unique().sort())
    )
    return texts.with_columns(normalised).with_columns(content.list.join(" ").alias(_CONTENT)).with_row_index(_PLACE)


def _find_repeated(triplets: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """The triplets whose keys stand there before, each with the columns of the first such triplet as `first …`."""
    repeated = triplets.filter(pl.struct(keys).is_duplicated())
    firsts = repeated.unique(keys, keep="first", maintain_order=True)
    later = repeated.join(firsts.select(_PLACE), on=_PLACE, how="anti", maintain_order="left")
    named = firsts.select(
        *keys, pl.exclude(keys).name.prefix("first "), *(pl.col(key).alias(f"first {key}") for key in keys)
    )
    return later.join(named, on=keys, maintain_order="left")


def _find_asked_again(subject: Subject) -> pl.DataFrame:
    """The triplets whose question stands there before, with `same answer`: whether the two can both be right."""
    again = _find_repeated(subject.once(_normalise_triplets), [_NORMAL[QUESTION]])
    texts = again.select(pl.col(QUESTION, FACT, ANSWER, f"first {FACT}", f"first {ANSWER}").fill_null(""))
    same = [_answer_alike(*row) for row in texts.iter_rows()]
    return again.with_columns(pl.Series("same answer", same, dtype=pl.Boolean))


def _answer_alike(question: str, fact: str, answer: str, other_fact: str, other_answer: str) -> bool:
    """Whether one triplet states a variant of the other, or one of its values: either way round will do."""
    language = detect_language(question)
    for golden, stated in (((fact, answer), (other_fact, other_answer)), ((other_fact, other_answer), (fact, answer))):
        variants = [variant.strip() for variant in (golden[0] or golden[1]).split(OR_DELIMITER)]
        text = " ".join(stated).replace(OR_DELIMITER, " ; ")
        level = text.lower()
        values = tokens(text, language)
        for variant in variants:
            sole = read_sole(variant, language)
            near = best(sole.token, values) if sole else None
            if variant.lower() in level or (near and near[1].relation is Relation.SAME):
                return True
    return False
