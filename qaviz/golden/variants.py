"""Variants that a fact lacks: the words in which correct responses state it, and whether a proposed form is one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import polars as pl

from qaviz.golden.forms import INSIDE_OTHERS, MEASURED, Sole, Texts, differ, read_sole
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
from qaviz.reading import Comparison, Relation, Token, best, compare, detect_language, tokens, without_marks

VARIANT = "variant"
RESPONSES = "responses"
"""How many responses state the fact in these words."""
PIPELINES = "pipelines"
"""Which pipelines do, a list of names."""
SEEN = pl.Schema(
    {c.QUESTION_ID: pl.String(), VARIANT: pl.String(), RESPONSES: pl.UInt32(), PIPELINES: pl.List(pl.String())}
)

LONGEST = 60
"""Characters of a variant: what is longer is a sentence, which no other response has."""
LIKELY = 0.8
"""Confidence of a verdict from which its response may teach a variant."""
MOST_BETWEEN = 2
"""Words that a response may have between those of the fact."""
LEAST_OF_PLURAL = 4
"""Letters from which an s at the end makes a plural."""

_NO_VARIANT = re.compile(r"[\r\n<>|]|^\W*\d{1,4}\W*$|\s\d{1,2}$")
"""Lines, tags, a number that stands in years and larger numbers, and words that end in one: `won 7` of `won 71`."""
_WORD = re.compile(r"[^\W_]+(?:['’.-](?=[^\W_])[^\W_]+)*")
_STOP = re.compile(r"[.!?;:]\s|\n|[。！？]")
_ASKS_VALUE = re.compile(
    r"(?i)\b(?:how (?:many|much|long|often|old|far)|when|what (?:was|is|were|are|year|date|percentage)"
    r"|bao nhiêu|wie (?:viele?|hoch))\b"
)
ACCEPTED, TO_REVIEW, REJECTED = "accepted", "to review", "rejected"
"""Proved by rules; neither proved nor wrong, so that a person decides; wrong, or of no use."""

_SHORTEST = 2
"""Letters and digits of a form: a single one is a list marker, or stands in any text."""
_MARKER = re.compile(r"\W*(?:[ivx]{1,4}|[a-z]|\d{1,4})\W*", re.IGNORECASE)
_EMPTY_WORDS = frozenset(("yes", "no", "true", "false", "none", "null", "nan", "todo", "tbd", "unknown", "same", "it"))
_SMALL_WORDS = frozenset(("a", "an", "the", "of", "and", "in", "on", "at", "to", "for", "from", "by", "with", "as"))


def seen_in_responses(golden: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Return SEEN: the words that correct responses use for the fact and that none of its variants matches.

    `rows` are those of `Subject.run`; `golden` may be a newer version of their golden dataset. In the golden dataset's
    order, the most frequent first. No open response teaches a variant, and none says less than the fact. Where there is
    no fact, it is the one value of the golden answer that correct responses state.
    """
    sure = pl.col("by_person") | (pl.col(c.CONFIDENCE) >= LIKELY)
    missed = (pl.col(c.FACTUAL_KNOWLEDGE).fill_null(0) == 0) & (pl.col("held") == Verdict.CORRECT.value)
    right = rows.filter(missed & sure.fill_null(value=False)).select(c.QUESTION_ID, c.PIPELINE, c.RESPONSE)
    triplets = golden.select(c.QUESTION_ID, c.QUESTION, c.ANSWER, c.FACT).with_row_index("place")
    placed = triplets.join(right, on=c.QUESTION_ID)
    texts = placed.select(pl.col(c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE).fill_null("")).iter_rows()
    stated = placed.with_columns(pl.Series(VARIANT, [_find_form(*row) for row in texts], pl.String)).drop_nulls(VARIANT)
    counted = stated.group_by("place", c.QUESTION_ID, c.FACT, pl.col(VARIANT).str.to_lowercase().alias("level")).agg(
        pl.col(VARIANT).mode().sort().first(),
        pl.len().cast(pl.UInt32).alias(RESPONSES),
        pl.col(c.PIPELINE).unique().sort().alias(PIPELINES),
    )
    ordered = counted.sort("place", RESPONSES, VARIANT, descending=[False, True, False])
    return ordered.filter(pl.Series([*_mark_new(ordered)], dtype=pl.Boolean)).select(SEEN.names())


def _mark_new(ordered: pl.DataFrame) -> Iterator[bool]:
    """For each of the words in order whether no variant, and no words before, match them already or contradict them."""
    rows = ordered.select("place", pl.col(c.FACT).fill_null(""), "level", VARIANT).iter_rows()
    for (_, fact), of_triplet in groupby(rows, key=lambda row: row[:2]):
        kept, values = [variant.strip().lower() for variant in fact.split(c.OR_DELIMITER)], list[Sole]()
        for *_, level, variant in of_triplet:
            sole = read_sole(variant, detect_language(variant))
            contradicts = sole is not None and any(differ(sole, other) for other in values)
            is_new = not contradicts and not any(written and written in level for written in kept)
            if is_new:
                kept.append(level)
                values += [sole] if sole else []
            yield is_new


def _find_form(question: str, answer: str, fact: str, response: str) -> str | None:
    """The words in which a correct response states the fact; None where they are no variant."""
    if c.AND_DELIMITER in fact or c.OR_DELIMITER in answer:
        return None
    triplet = Texts(question, answer, fact)
    language = triplet.language
    if fact.strip():
        forms = [form for variant in triplet.variants for form in _forms_of(variant, question, response, language)]
    else:
        sole = read_sole(answer.strip(" ."), language)
        values = [sole.token] if sole else _read_values(answer, question, language)
        forms = [answer[token.start : token.end] for token in values if len(values) == 1]
        forms = [form for form in forms if form.lower() in response.lower()]
    for form in forms:
        if len(form) <= LONGEST and not _NO_VARIANT.search(form) and form.lower() not in question.lower():
            return form
    return None


def _read_values(text: str, question: str, language: str) -> list[Token]:
    """The values of a text that the question does not have; none unless it asks for one."""
    if not _ASKS_VALUE.search(question):
        return []
    values_asked = {(token.kind, token.value) for token in tokens(question, language)}
    values = [token for token in tokens(text, language) if token.kind in MEASURED and not token.weak]
    return [token for token in values if (token.kind, token.value) not in values_asked]


def _forms_of(variant: str, question: str, response: str, language: str) -> Iterator[str]:
    """The same value, the same words, also without a gloss in brackets."""
    sole = read_sole(variant, language)
    if sole:
        near = best(sole.token, [token for token in tokens(response, language) if token.kind is sole.token.kind])
        counted = {*_content(sole.before + sole.behind)} <= {*_content(question)}
        if near and counted and _says_as_much(sole.token, near[0], near[1]):
            yield response[near[0].start : near[0].end]
        return
    for words in dict.fromkeys((variant, re.sub(r"\s*\([^()]*\)", "", variant).strip())):
        if window := _find_window(words, response):
            yield window


def _says_as_much(golden: Token, given: Token, comparison: Comparison) -> bool:
    """Whether a value is the golden one and no coarser: no rounding, no part, and the same unit, sign and period."""
    if comparison.relation is not Relation.SAME or comparison.reason in ("silent", "part"):
        return False
    back = compare(given, golden)
    finer = given.step <= golden.step or comparison.reason == "converted"
    return back.relation is Relation.SAME and finer and not given.bound


def _find_window(variant: str, response: str) -> str | None:
    """The shortest stretch of a sentence with every word of the variant, but for accents, plurals, points and order."""
    wanted = _content(variant)
    if not wanted or len(wanted) != len({*wanted}):
        return None
    plain, places = response, list[tuple[int, int, str]]()
    for match in _WORD.finditer(response):
        word, start, end = _level_word(match.group()), match.start(), match.end()
        if response[end : end + 1] == "." and (long := [whole for whole in wanted if whole.startswith(word)]):
            word, plain = long[0], f"{plain[:end]} {plain[end + 1 :]}"
        places.append((start, end, word))
    most, windows = len(_WORD.findall(variant)) + MOST_BETWEEN, []
    for first, (start, _, word) in enumerate(places):
        missing = {*wanted} if word in wanted else set()
        for _, end, other in places[first : first + most] if missing else ():
            missing.discard(other)
            if not missing:
                windows.append((end - start, start, end))
                break
    whole_sentence = (response[start:end] for _, start, end in sorted(windows) if not _STOP.search(plain[start:end]))
    return next(whole_sentence, None)


def _level_word(word: str) -> str:
    """A word without accents and hyphens, in the singular."""
    plain = re.sub(r"['’]s$", "", without_marks(word.lower()))
    return re.sub(r"(?<=[^s\W])s$", "", re.sub(r"\W", "", plain)) if len(plain) > LEAST_OF_PLURAL else plain


def _content(text: str) -> list[str]:
    """The words of a text but small ones, each as `_level_word` has it."""
    return [_level_word(word) for word in _WORD.findall(text) if word.lower() not in _SMALL_WORDS]


class Check(NamedTuple):
    """What becomes of a form, and why."""

    status: str
    reason: str


@dataclass(frozen=True)
class ProposedTo(Texts):
    """One triplet, as forms of its answer are checked."""

    wrong: Sequence[str] = ()
    """Responses to it that people call wrong, and that its fact does not match."""


def check_form(form: str, triplet: ProposedTo) -> Check:
    """Return what becomes of a proposed form: the first rule that says something decides."""
    for refuse in (_refuse_shape, _refuse_known, _refuse_other_value, _refuse_harm):
        if reason := refuse(form, triplet):
            return Check(REJECTED, reason)
    if proof := _prove_value(form, triplet):
        return Check(ACCEPTED, proof)
    for variant in triplet.variants:
        if _letters(variant) == _letters(form):
            return Check(ACCEPTED, f"“{variant}” in other letters.")
    return Check(TO_REVIEW, "Words cannot prove that it means the same.")


def _refuse_shape(form: str, _: ProposedTo) -> str | None:
    words = {word.lower() for word in _WORD.findall(form)}
    odd = form[:1] in ("=", "@") or not form.isprintable()
    if len(form) > LONGEST or _NO_VARIANT.search(form) or odd:
        return "It is too long, a bare number, or no plain text."
    if sum(map(len, words)) < _SHORTEST or _MARKER.fullmatch(form):
        return "It is a list marker, or stands in any text."
    if words <= INSIDE_OTHERS:
        return "It stands inside longer words."
    if words <= _EMPTY_WORDS | _SMALL_WORDS:
        return "It is no name, amount or date: only words that any text has."
    return None


def _refuse_known(form: str, triplet: ProposedTo) -> str | None:
    level = form.lower()
    if any(variant.lower() in level for variant in triplet.variants):
        return "A variant of the fact matches it already."
    return "The question has it: every response may repeat it." if level in triplet.question.lower() else None


def _refuse_other_value(form: str, triplet: ProposedTo) -> str | None:
    given = read_sole(form, triplet.language)
    golden = [sole.token for sole in triplet.soles]
    near = best(given.token, golden) if given else None
    if not given or not near:
        return None
    if near[1].relation is Relation.OTHER:
        return "It is another amount or date."
    coarser = near[1].reason == "rounded" and all(given.token.step > token.step for token in golden)
    return "It is less exact than the fact." if coarser else None


def _refuse_harm(form: str, triplet: ProposedTo) -> str | None:
    level = form.lower()
    if any(level in response.lower() for response in triplet.wrong):
        return "A response that is called wrong has it."
    if any(sign >= "\u2e80" for sign in level):
        return None  # Scripts without blanks have no longer words.
    inside = re.compile(rf"[^\W\d_]{re.escape(level)}|{re.escape(level)}[^\W\d_]{{3}}")
    texts = (triplet.question, triplet.answer, *triplet.wrong)
    return "It stands inside a longer word." if any(inside.search(text.lower()) for text in texts) else None


def _prove_value(form: str, triplet: ProposedTo) -> str | None:
    """The same amount in other units or the same date in another format, and the same words beside it."""
    given = read_sole(form, triplet.language)
    if not given or getattr(given.token.value, "swapped", False):
        return None
    for golden in triplet.soles:
        beside = {*_content(given.before + given.behind)} == {*_content(golden.before + golden.behind)}
        kept = (given.token.unit or not golden.token.unit) and golden.token.bound == given.token.bound
        if beside and kept and _says_as_much(golden.token, given.token, compare(golden.token, given.token)):
            return f"The same value as “{golden.text}”."
    return None


def _letters(text: str) -> str:
    """The letters without capitals, accents, hyphens, points, blanks and articles."""
    words = re.findall(r"[^\W_]+", without_marks(text.lower()))
    return "".join(word for word in words if word not in ("the", "a", "an"))
