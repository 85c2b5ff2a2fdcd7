"""Rules on what a triplet says: no fact or too long a one, another thing than its answer states, and questions that
are asked twice.
"""

from collections.abc import Iterator

import polars as pl
from rapidfuzz import fuzz

from qaviz.diagnosis.combine_evidence import by_variants
from qaviz.diagnosis.evidence import Case, Evidence, Span, Stance, dates, quantities
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.golden.lint.findings import (
    COUNT,
    DATED,
    EVIDENCE,
    FIELD,
    MESSAGE,
    NEEDS_ALL,
    PLACE,
    PROPOSED,
    SUGGESTION,
    VARIANT,
    Subject,
    normal,
    quote_text,
)
from qaviz.golden.variants import LONGEST
from qaviz.model.columns import AND_DELIMITER, ANSWER, ANSWERABLE, FACT, OR_DELIMITER, QUESTION, QUESTION_ID
from qaviz.scoring import forms

WORDS = 3
"""Words of a fact, at most: the more there are, the fewer responses write all of them in this order."""
SENTENCE = 8
"""Words from which a fact is a sentence."""

_WORD = r"[^\s]*[\p{L}\p{N}][^\s]*"

_MEASURED = (quantities.KIND, dates.KIND)

_OF_FACT = "of_fact"
_OF_ANSWER = "of_answer"
_HELD, _READ = "held", "read"

_STATED = "stated"

_MEANINGFUL = "not no nor before after over under up down out off between from to by than only"
_STOP_WORDS = [*(FUNCTION_WORDS - frozenset(_MEANINGFUL.split())), "much", "many", "please", "tell", ""]
MOST_ALIKE = 20
"""Triplets of one answer that are compared with each other. Of more, the answer is a common one: yes, 2023."""
ALIKE = 92
"""Similarity, 0 to 100, from which two questions of one answer are the same question."""

_NORMAL_QUESTION, _NORMAL_ANSWER, _NORMAL_FACT = "normal question", "normal answer", "normal fact"
_CONTENT, _NUMBERS = "content", "numbers"
_TRIPLET = (QUESTION_ID, QUESTION, ANSWER, FACT)


def no_fact(subject: Subject) -> pl.DataFrame:
    """The triplet has no fact, so Factual Knowledge cannot score its responses. FMEval itself would score each of them
    as 1. A question that is marked as unanswerable needs no fact."""
    none = pl.col(FACT).fill_null("").str.replace_all(f"{OR_DELIMITER}|{AND_DELIMITER}", "").str.strip_chars() == ""
    return subject.golden.filter(none & pl.col(ANSWERABLE).fill_null(True)).select(
        QUESTION_ID,
        pl.lit("The triplet has no fact, so Factual Knowledge is not scored.").alias(MESSAGE),
        quote_text(pl.col(ANSWER).fill_null(pl.col(QUESTION))).alias(EVIDENCE),
        pl.lit("Add a fact: the few words that every right response contains.").alias(SUGGESTION),
    )


def long_fact(subject: Subject) -> pl.DataFrame:
    """Every variant of the fact has more than 3 words. Right responses seldom use that many words in the same order, so
    they score 0. Dates and amounts are excluded."""
    return _find_of_length(subject, WORDS + 1, SENTENCE - 1, "Every variant has {} words or more.")


def sentence_as_fact(subject: Subject) -> pl.DataFrame:
    """Every variant of the fact has 8 words or more. Responses seldom repeat a whole sentence word for word."""
    return _find_of_length(subject, SENTENCE, None, "The fact is a sentence: every variant has {} words or more.")


def _find_of_length(subject: Subject, least: int, most: int | None, message: str) -> pl.DataFrame:
    words = pl.col(VARIANT).str.count_matches(_WORD)
    fits = pl.col("words") >= least if most is None else pl.col("words").is_between(least, most)
    shortest = (
        subject.variants.with_columns(words.alias("words"), pl.col(VARIANT).str.contains(DATED).alias("dated"))
        .group_by(QUESTION_ID, maintain_order=True)
        .agg(pl.col("words").min(), pl.col("dated").any(), pl.col(VARIANT).sort_by("words").first())
    )
    return shortest.filter(fits & ~pl.col("dated")).select(
        QUESTION_ID,
        pl.format(message, "words").alias(MESSAGE),
        quote_text(VARIANT).alias(EVIDENCE),
        pl.lit("Keep the few words that every right response contains: a name, an amount or a date.").alias(SUGGESTION),
    )


_SEVERAL = (
    r"(?i)\b(?:two|three|four|five|six|seven|both|pair|list|names of)\b|\b(?:who|what|which)(?: \p{L}+)? (?:are|were)\b"
    r"|\bname (?:the|all|two|three)\b|\b(?:hai|ba|bốn|những|các)\b"
)
_JOINT = r",? and |,? & |; ?|, |\r?\n| và "


def several_entities(subject: Subject) -> pl.DataFrame:
    """The fact lists several things in one variant, and the question asks for several. A response that lists them in
    another order, or with other words between them, scores 0. With `<AND>`, each one is matched separately."""
    alone = subject.variants.filter((pl.col(COUNT) == 1) & ~pl.col(NEEDS_ALL) & pl.col(VARIANT).str.contains(_JOINT))
    alone = alone.filter(pl.col(QUESTION).str.contains(_SEVERAL))
    marked = pl.col(VARIANT).str.strip_chars(" .").str.replace_all(_JOINT, AND_DELIMITER)
    split = alone.with_columns(marked.str.split(AND_DELIMITER).list.eval(pl.element().str.strip_chars()).alias("parts"))
    name = r"^(?:[\p{Lu}\p{N}][^\s]*|\p{Ll}+)(?: [^\s]+){0,2}$"
    whole = pl.col("parts").list.eval(pl.element().str.contains(name)).list.all()
    facts = split.filter((pl.col("parts").list.len() > 1) & whole & ~pl.col(VARIANT).str.contains(DATED))
    return facts.select(
        QUESTION_ID,
        pl.lit("The fact lists several things in one variant.").alias(MESSAGE),
        quote_text(VARIANT).alias(EVIDENCE),
        pl.lit("Join them with <AND>, so that each one is matched separately.").alias(SUGGESTION),
        pl.lit(FACT).alias(FIELD),
        pl.col("parts").list.join(AND_DELIMITER).alias(PROPOSED),
    )


def fact_against_answer(subject: Subject) -> pl.DataFrame:
    """The fact and the answer state different numbers or dates, so one of the two metrics uses a wrong ground truth."""
    contradicted = _select_stance(subject, Stance.CONTRADICTS)
    return contradicted.select(
        QUESTION_ID,
        pl.lit("The fact and the answer state different numbers or dates.").alias(MESSAGE),
        pl.format("{} beside {}", quote_text(_OF_FACT), quote_text(_OF_ANSWER)).alias(EVIDENCE),
        pl.lit("Check which one is right and correct the other.").alias(SUGGESTION),
    )


def form_of_answer(subject: Subject) -> pl.DataFrame:
    """The answer states the fact in a form that is not a variant. A response that repeats the answer word for word
    would score 0 for Factual Knowledge."""
    agreed = _select_stance(subject, Stance.AGREES)
    return agreed.select(
        QUESTION_ID,
        pl.lit("The answer states the fact in a form that is not a variant.").alias(MESSAGE),
        pl.format("{} beside {}", quote_text(_OF_ANSWER), quote_text(FACT)).alias(EVIDENCE),
        pl.lit("Add the form that the answer uses as a variant.").alias(SUGGESTION),
        pl.lit(FACT).alias(FIELD),
        pl.concat_str(FACT, pl.lit(OR_DELIMITER), _OF_ANSWER).alias(PROPOSED),
    )


def fact_not_in_answer(subject: Subject) -> pl.DataFrame:
    """The answer does not state the fact, neither as a variant nor in other words. The two metrics use different ground
    truths."""
    absent = _select_stance(subject, Stance.ABSENT)
    return absent.select(
        QUESTION_ID,
        pl.lit("The answer does not state the fact.").alias(MESSAGE),
        pl.format("{} is not in {}", quote_text(FACT), quote_text(ANSWER)).alias(EVIDENCE),
        pl.lit("Change the answer so that it states the fact, or correct the fact.").alias(SUGGESTION),
    )


def _select_stance(subject: Subject, stance: Stance) -> pl.DataFrame:
    """The triplets whose answer does not hold the fact, and says this of it; with the words of both."""
    return subject.once(_find_unstated).filter(pl.col("stance") == stance.value)


def _find_unstated(subject: Subject) -> pl.DataFrame:
    """The triplets whose answer does not hold the fact as FMEval reads it, with what the evidence says of it."""
    answered = subject.variants.filter(pl.col(ANSWER).str.strip_chars() != "")
    exactly = forms.holds(pl.col(ANSWER).str.to_lowercase(), pl.col(VARIANT).str.to_lowercase())
    missed = _list_unheld(answered.with_columns(exactly.alias(_HELD)))
    read = pl.DataFrame([normal(missed[ANSWER]), normal(missed[VARIANT]).alias(_READ)])
    stated = missed.with_columns(read.select(forms.holds(pl.col(ANSWER), pl.col(_READ))).to_series().alias(_HELD))
    triplets = _list_unheld(stated).unique(QUESTION_ID, keep="first", maintain_order=True)
    unstated = triplets.select(QUESTION_ID, QUESTION, ANSWER, FACT)
    schema = {"stance": pl.String, _OF_FACT: pl.String, _OF_ANSWER: pl.String}
    compared = pl.DataFrame([*_compare_with_answer(unstated)], schema=schema, orient="row")
    return unstated.hstack(compared)


def _list_unheld(variants: pl.DataFrame) -> pl.DataFrame:
    """The variants of the facts that are not held: no variant is, or for `<AND>` not every one."""
    held = (
        pl.when(pl.col(NEEDS_ALL))
        .then(pl.col(_HELD).all().over(QUESTION_ID))
        .otherwise(pl.col(_HELD).any().over(QUESTION_ID))
    )
    return variants.filter(~held)


def _compare_with_answer(unstated: pl.DataFrame) -> Iterator[tuple[str, str | None, str | None]]:
    """For each triplet its stance, and the words of fact and answer: AGREES only where they make a variant."""
    nothing = Span(0, 0, "")
    for question, answer, fact in unstated.select(pl.col(QUESTION), ANSWER, FACT).iter_rows():
        evidence = by_variants(Case(question, answer, fact, answer, None, 0, 0, inside_token=False))
        of_fact, of_answer = (evidence.golden or nothing).text, (evidence.response or nothing).text
        yield _find_stance(evidence, of_answer), of_fact, of_answer


def _find_stance(evidence: Evidence, words: str) -> str:
    """The evidence's stance: numbers and dates decide, of other words only that they are the same."""
    if evidence.kind in _MEASURED and evidence.stance is Stance.CONTRADICTS:
        return Stance.CONTRADICTS
    if evidence.stance is Stance.AGREES:
        return Stance.AGREES if evidence.kind in _MEASURED and len(words) <= LONGEST else Stance.SILENT
    return Stance.ABSENT


def figure_not_a_variant(subject: Subject) -> pl.DataFrame:
    """The answer states a variant of the fact, and also a percentage that differs from the fact's percentage. The two
    metrics then use different ground truths."""
    has_percent = pl.col(FACT).str.contains("%|percent") & pl.col(ANSWER).str.contains(r"\d ?(?:%|percent)")
    variants = subject.variants.filter(has_percent & ~pl.col(NEEDS_ALL))
    triplets = variants.group_by(QUESTION_ID, maintain_order=True).agg(
        VARIANT, *(pl.col(column).first() for column in (QUESTION, ANSWER, FACT))
    )
    findings = [(question_id, fact, figure) for question_id, fact, figure in _find_odd_percentages(triplets)]
    schema = {QUESTION_ID: pl.String, FACT: pl.String, _STATED: pl.String}
    return pl.DataFrame(findings, schema=schema, orient="row").select(
        QUESTION_ID,
        pl.lit("The answer and the fact state different percentages.").alias(MESSAGE),
        pl.format("{} differs from {}", quote_text(_STATED), quote_text(FACT)).alias(EVIDENCE),
        pl.lit("Check which one is right and correct the other.").alias(SUGGESTION),
    )


def _find_odd_percentages(triplets: pl.DataFrame) -> Iterator[tuple[str, str, str]]:
    """Id, fact and percentage of each answer whose only percentage is none of those of the fact."""
    for question_id, variants, question, answer, fact in triplets.iter_rows():
        golden = [variant for variant in variants if _find_percentages(variant) and len(quantities.find(variant)) == 1]
        stated = _find_percentages(answer)
        if golden and len(stated) == 1 and not any(quantities.same(triplet, stated[0], question) for triplet in golden):
            yield question_id, fact, stated[0]


def _find_percentages(text: str) -> list[str]:
    return [
        quantity.words(text).text for quantity in quantities.find(text) if quantity.unit == "%" and quantity.factor == 1
    ]


def repeated_triplet(subject: Subject) -> pl.DataFrame:
    """The golden dataset has the same question, answer and fact under another id. The question counts twice in every
    mean."""
    again = _find_repeated(subject.once(_normalise_triplets), [_NORMAL_QUESTION, _NORMAL_ANSWER, _NORMAL_FACT])
    return again.select(
        QUESTION_ID,
        pl.format("The same triplet as {}.", quote_text("first question_id")).alias(MESSAGE),
        quote_text(QUESTION).alias(EVIDENCE),
        pl.lit("Remove one of the two triplets.").alias(SUGGESTION),
    )


def contradictory_questions(subject: Subject) -> pl.DataFrame:
    """The same question has a different answer elsewhere in the golden dataset. Every response is wrong by one of the
    two."""
    again = subject.once(_find_asked_again)
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
    reordered = _find_repeated(normalised.filter(pl.col(_CONTENT).str.contains(" ")), [_CONTENT])
    reordered = reordered.filter(pl.col(_NORMAL_QUESTION) != pl.col(f"first {_NORMAL_QUESTION}"))
    same = subject.once(_find_asked_again).filter(
        pl.col("same answer")
        & (
            (pl.col(_NORMAL_ANSWER) != pl.col(f"first {_NORMAL_ANSWER}"))
            | (pl.col(_NORMAL_FACT) != pl.col(f"first {_NORMAL_FACT}"))
        )
    )
    pairs = [frame.select(QUESTION_ID, QUESTION, *_firsts()) for frame in (reordered, same, _find_alike(normalised))]
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


def _find_repeated(triplets: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """The triplets whose keys stand there before, each with the columns of the first such triplet as `first …`."""
    repeated = triplets.filter(pl.struct(keys).is_duplicated())
    firsts = repeated.unique(keys, keep="first", maintain_order=True)
    later = repeated.join(firsts.select(PLACE), on=PLACE, how="anti", maintain_order="left")
    named = firsts.select(
        *keys, pl.exclude(keys).name.prefix("first "), *(pl.col(key).alias(f"first {key}") for key in keys)
    )
    return later.join(named, on=keys, maintain_order="left")


def _find_asked_again(subject: Subject) -> pl.DataFrame:
    """The triplets whose question stands there before, with `same answer`: whether the two can both be right."""
    again = _find_repeated(subject.once(_normalise_triplets), [_NORMAL_QUESTION])
    pairs = again.select(pl.col(QUESTION, ANSWER, FACT, f"first {ANSWER}", f"first {FACT}").fill_null(""))
    agree = (pl.col(_NORMAL_ANSWER) == pl.col(f"first {_NORMAL_ANSWER}")) & (
        pl.col(_NORMAL_FACT) == pl.col(f"first {_NORMAL_FACT}")
    )
    plainly = again.select(agree).to_series()
    same = [alike or _agree_on_answer(*pair) for alike, pair in zip(plainly, pairs.iter_rows(), strict=True)]
    return again.with_columns(pl.Series("same answer", same, dtype=pl.Boolean))


def _agree_on_answer(question: str, answer: str, fact: str, other_answer: str, other_fact: str) -> bool:
    """Whether one triplet's answer, judged by the other triplet, is right: either way round will do."""
    one = by_variants(Case(question, answer, fact, other_answer or other_fact, None, 0, 0, inside_token=False))
    two = by_variants(Case(question, other_answer, other_fact, answer or fact, None, 0, 0, inside_token=False))
    return Stance.AGREES in (one.stance, two.stance)


def _find_alike(normalised: pl.DataFrame) -> pl.DataFrame:
    """The triplets of one answer and fact whose questions are nearly the same, with the same numbers in them."""
    numbers = pl.col(_NORMAL_QUESTION).str.extract_all(r"\d+").list.sort().list.join(" ")
    answered = normalised.filter(pl.col(_NORMAL_ANSWER) != "").unique(_CONTENT, keep="first", maintain_order=True)
    by_answer = (
        answered.with_columns(numbers.alias(_NUMBERS))
        .group_by(_NORMAL_ANSWER, _NORMAL_FACT, _NUMBERS, maintain_order=True)
        .agg(QUESTION_ID, QUESTION, _CONTENT)
    )
    sized = by_answer.filter(pl.col(QUESTION_ID).list.len().is_between(2, MOST_ALIKE))
    pairs = [pair for row in sized.select(QUESTION_ID, QUESTION, _CONTENT).iter_rows() for pair in _pair_alike(*row)]
    schema = dict.fromkeys((QUESTION_ID, QUESTION, *_firsts()), pl.String())
    return pl.DataFrame(pairs, schema=schema, orient="row")


def _pair_alike(ids: list[str], questions: list[str], contents: list[str]) -> Iterator[tuple[str, str, str, str]]:
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
