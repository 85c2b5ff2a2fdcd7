"""Variants that a fact lacks: the words in which correct responses state it, and whether a proposed form is one."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

import polars as pl

from qaviz.diagnosis import columns
from qaviz.diagnosis.evidence import Stance, dates, phrases, quantities
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.diagnosis.evidence.quantities import Quantity
from qaviz.diagnosis.evidence.quantities.agreement import Target, fit, read_target
from qaviz.diagnosis.languages.reading import ENGLISH, read_as_english
from qaviz.diagnosis.languages.vocabulary import READ
from qaviz.golden.written_forms import INSIDE_OTHERS
from qaviz.model import columns as c
from qaviz.model.classes import Verdict

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
SURE = 0.9
"""Strength from which a phrase is the same in another form."""
SURE_OF_SEVERAL_WORDS = 0.75
"""The same for a phrase of two words or more: most of its words, or a surname with its title."""
LIKELY = 0.75
"""Confidence of a verdict from which its response may teach a variant."""
PLAIN = 0.5
"""Strength above which a quantity answers the question, and does not only illustrate the golden answer."""
_NO_VARIANT = r"[\r\n<>|]|^\W*\d{1,4}\W*$"
"""Lines, tags, and a number that stands in years, ids and larger numbers."""
_WORDS = re.compile(r"[\w.,]*\w|%")
_OPEN_END = r"\s\d{1,2}$"
"""Words that end in a short number: `won 7` stands in `won 71 of them`."""

ACCEPTED, TO_REVIEW, REJECTED = "accepted", "to review", "rejected"
"""Proved by rules or its passage; neither proved nor wrong, so that a person decides; wrong, or of no use."""

_SHORTEST = 2
"""Letters and digits of a form: a single one is a list marker, or stands in any text."""
_SURE_ACRONYM = 4
"""Letters from which the first letters of its words prove an acronym: three of them stand for too much."""
_MARKER = re.compile(r"\W*(?:[ivx]{1,4}|[a-z]|\d{1,4})\W*", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_SMALL_WORDS = FUNCTION_WORDS | frozenset(
    ["yes", "no", "true", "false", "none", "null", "nan", "todo", "tbd", "unknown", "same", "answer"]
)
_ALSO = r"(?:also )?(?:known as|called|named|abbreviated(?: as| to)?|short for|i\.e\.|that is|formerly)"
_NEXT_TO = (r"{0},? \(?(?:{also},? )?[\"']?{1}[\"']?\)", r"{0},? {also},? [\"']?{1}")
"""How a passage says that two names are one: `Harbour Line (HL)`, `Harbour Line, also known as HL`."""


def seen_in_responses(golden: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Return SEEN: the words that correct responses use for the fact and that none of its variants matches.

    `rows` are diagnosed rows over the golden dataset, `golden` may be a newer version of it. In the golden dataset's
    order, the most frequent first. Left out are parts of a sentence, bare numbers, dates and numbers that say less than
    the golden answer, and words that stand in the question; where two _contradict each other the rarer one.
    """
    stated = _select_stated(rows)
    counted = stated.group_by(c.QUESTION_ID, pl.col(columns.SAYS).str.to_lowercase().alias("level")).agg(
        pl.col(columns.SAYS).mode().sort().first().alias(VARIANT),
        pl.first(columns.KIND),
        pl.len().cast(pl.UInt32).alias(RESPONSES),
        pl.col(c.PIPELINE).unique().sort().alias(PIPELINES),
    )
    triplets = golden.select(c.QUESTION_ID, c.QUESTION, c.ANSWER, c.FACT).with_row_index("place")
    placed = triplets.join(counted, on=c.QUESTION_ID)
    ordered = placed.sort("place", RESPONSES, VARIANT, descending=[False, True, False])
    return ordered.filter(pl.Series([*_select_variants(ordered)], dtype=pl.Boolean)).select(
        pl.col(name).cast(kind) for name, kind in SEEN.items()
    )


_READ = (
    *(c.QUESTION_ID, c.PIPELINE, c.FACT, c.FACTUAL_KNOWLEDGE, c.VERDICT, c.CONFIDENCE),
    *(columns.SAYS, columns.KIND, columns.STRENGTH, columns.STANCE),
)


def _select_stated(rows: pl.DataFrame) -> pl.DataFrame:
    """The correct responses that Factual Knowledge missed, whose evidence quotes words fit for a variant."""
    says, strength = pl.col(columns.SAYS), pl.col(columns.STRENGTH)
    words = says.str.count_matches(r"\S+")
    sure = (strength >= SURE) | ((strength >= SURE_OF_SEVERAL_WORDS) & (words > 1))
    phrase = sure & ~says.str.contains(_OPEN_END)
    quantity = pl.col(c.FACT).is_not_null() | (strength > PLAIN)
    fit_kind = (
        ((pl.col(columns.KIND) == phrases.KIND) & phrase)
        | ((pl.col(columns.KIND) == quantities.KIND) & quantity)
        | ((pl.col(columns.KIND) == dates.KIND) & (strength == 1))
    )
    whole = (says.str.count_matches(r"\(") == says.str.count_matches(r"\)")) & (says.str.count_matches('"') % 2 == 0)
    fit_words = (says.str.len_chars() <= LONGEST) & ~says.str.contains(_NO_VARIANT) & whole
    missed = pl.col(c.FACTUAL_KNOWLEDGE).fill_null(0) == 0
    correct = (pl.col(c.VERDICT) == Verdict.CORRECT.value) & (pl.col(c.CONFIDENCE) >= LIKELY)
    read = rows.select(_READ)
    return read.filter(missed & correct & fit_kind & fit_words & (pl.col(columns.STANCE) == Stance.AGREES.value))


def _select_variants(ordered: pl.DataFrame) -> Iterator[bool]:
    """For each of the words in order whether they make a variant."""
    asked_before, kept = None, list[str]()
    columns_ = ordered.select(c.QUESTION_ID, c.QUESTION, c.ANSWER, pl.col(c.FACT).fill_null(""), VARIANT, columns.KIND)
    for question_id, question, answer, fact, variant, kind in columns_.iter_rows():
        if question_id != asked_before:
            asked_before, kept = question_id, []
        known = [part.strip().lower() for part in fact.split(c.OR_DELIMITER) if part.strip()]
        level = variant.lower()
        fits = (
            c.AND_DELIMITER not in fact
            and level not in question.lower()
            and not any(variant in level for variant in (*known, *map(str.lower, kept)))
            and not _says_less(level, known)
            and _says_as_much(variant, fact, answer or "", question, kind)
            and not any(_contradict(other, variant, question) for other in kept)
        )
        if fits:
            kept.append(variant)
        yield fits


def _says_less(variant: str, known: Sequence[str]) -> bool:
    """Whether the words are a part of a variant's: `4.5 %` of `fell by 4.5 %`."""
    own = set(_WORDS.findall(variant))
    return any(own < set(_WORDS.findall(other)) for other in known)


def _says_as_much(variant: str, fact: str, answer: str, question: str, kind: str) -> bool:
    """Whether the words are no less exact than the fact or, where there is none, than the golden answer."""
    golden = [*fact.split(c.OR_DELIMITER), answer]
    if kind == dates.KIND:
        verdicts = (dates.compare(variant, triplet, question) for triplet in golden)
        return any(says.stance is Stance.AGREES and says.strength == 1 for says in verdicts)
    if kind == quantities.KIND:
        stated = quantities.find(variant)
        return len(stated) == 1 and _is_as_exact(stated[0], golden, read_target(question))
    return True


def _is_as_exact(other: Quantity, golden: Iterable[str], target: Target) -> bool:
    """Whether a quantity is no coarser than one with which it agrees."""
    known = (quantity for text in golden for quantity in quantities.find(text))
    agreeing = [quantity for quantity in known if (how := fit(quantity, other, target)) and how.agrees]
    return any(_half_of_last_digit(other, target) <= _half_of_last_digit(quantity, target) for quantity in agreeing)


def _half_of_last_digit(quantity: Quantity, target: Target) -> Decimal:
    """Half of the last digit, in the scale that the question sets for plain numbers."""
    return quantity.half if quantity.scaled or not target.scale else quantity.half * target.scale


def _contradict(one: str, other: str, question: str) -> bool:
    return any(kind(one, other, question).stance is Stance.CONTRADICTS for kind in (dates.compare, quantities.compare))


class Check(NamedTuple):
    """What becomes of a form, and why."""

    status: str
    reason: str


@dataclass(frozen=True)
class ProposedTo:
    """One triplet, as forms of its answer are checked."""

    question: str
    answer: str
    fact: str
    passage: str = ""
    wrong: Sequence[str] = ()
    """Responses to it that people call wrong, and that its fact does not match."""
    right: Sequence[str] = ()
    """The same of those that people call right."""

    @cached_property
    def variants(self) -> list[str]:
        """The variants of its fact, without blanks around them."""
        return [variant.strip() for variant in self.fact.split(c.OR_DELIMITER) if variant.strip()]


def check_form(form: str, triplet: ProposedTo) -> Check:
    """Return what becomes of a proposed form: the first rule that says something decides."""
    for rule in _REFUSALS:
        if reason := rule(form, triplet):
            return Check(REJECTED, reason)
    for proof in _PROOFS:
        if reason := proof(form, triplet):
            return Check(ACCEPTED, reason)
    having = sum(form.lower() in response.lower() for response in triplet.right)
    seen = f" {having:,} of {len(triplet.right):,} responses that people call right have it." if having else ""
    where = " It stands in the passage." if level_text(form) in level_text(triplet.passage) else ""
    return Check(TO_REVIEW, f"Words cannot prove that it means the same.{where}{seen}")


def _refuse_shape(form: str, _: ProposedTo) -> str | None:
    words = {word.lower() for word in _WORD.findall(form)}
    odd = form[:1] in ("=", "@") or not form.isprintable()
    if len(form) > LONGEST or re.search(_NO_VARIANT, form) or odd:
        return "It is too long, a bare number, or no plain text."
    if sum(map(len, words)) < _SHORTEST or _MARKER.fullmatch(form):
        return "It is a list marker, or stands in any text."
    if words <= INSIDE_OTHERS:
        return "It stands inside longer words."
    if words <= _SMALL_WORDS:
        return "It is no name, amount or date: only words that any text has."
    return None


def _refuse_known(form: str, triplet: ProposedTo) -> str | None:
    level = form.lower()
    if any(variant.lower() in level for variant in triplet.variants):
        return "A variant of the fact matches it already."
    return "The question has it: every response may repeat it." if level in triplet.question.lower() else None


def _refuse_other_value(form: str, triplet: ProposedTo) -> str | None:
    if any(_contradict(variant, form, triplet.question) for variant in triplet.variants):
        return "It is another amount or date."
    amounts = quantities.find(form)
    agreeing = [variant for variant in triplet.variants if quantities.find(variant)]
    if len(amounts) == 1 and agreeing and not _is_as_exact(amounts[0], agreeing, read_target(triplet.question)):
        return "It is less exact than the fact, or in a unit that cannot be compared."
    return None


def _refuse_harm(form: str, triplet: ProposedTo) -> str | None:
    level = form.lower()
    if any(level in response.lower() for response in triplet.wrong):
        return "A response that is called wrong has it."
    if any(sign >= "\u2e80" for sign in level):
        return None  # Scripts without blanks have no longer words.
    inside = re.compile(rf"[^\W\d_]{re.escape(level)}|{re.escape(level)}[^\W\d_]{{3}}")
    texts = (triplet.question, triplet.answer, *triplet.wrong)
    return "It stands inside a longer word." if any(inside.search(text.lower()) for text in texts) else None


_REFUSALS: tuple[Callable[[str, ProposedTo], str | None], ...] = (
    _refuse_shape,
    _refuse_known,
    _refuse_other_value,
    _refuse_harm,
)


def _prove_value(form: str, triplet: ProposedTo) -> str | None:
    """The same amount in other units or the same date in another format, and nothing beside it."""
    for name, kind in (("amount", quantities), ("date", dates)):
        for variant in triplet.variants:
            if len(kind.find(form)) != 1 or len(kind.find(variant)) != 1:
                continue
            both = (kind.compare(*pair, triplet.question) for pair in ((variant, form), (form, variant)))
            agrees = all(evidence.stance is Stance.AGREES and evidence.strength == 1 for evidence in both)
            if agrees and _words_beside(form) == _words_beside(variant) and not _reads_otherwise(form, variant):
                return f"The same {name} as “{variant}”."
    return None


def _reads_otherwise(form: str, variant: str) -> bool:
    """Whether a form reads in another way too: day or month first, a number without the unit, points for percent."""
    if re.search(r"\b(?:0?\d|1[0-2])[/.-](?:0?\d|1[0-2])[/.-]\d{2,4}\b", form) or "point" in form.lower():
        return True
    (amount, *_), (known, *_) = quantities.find(form) or (None,), quantities.find(variant) or (None,)
    return amount is not None and known is not None and bool(known.unit) and not amount.unit


def _words_beside(text: str) -> set[str]:
    """Words that belong to no amount, unit or date of a text: `early` of `early 1800s`."""
    spans = [(value.start, value.end) for kind in (quantities, dates) for value in kind.find(text)]
    rest = "".join(" " if any(start <= at < end for start, end in spans) else sign for at, sign in enumerate(text))
    return set(_words(rest)) - {"in", "on", "of"}


def _prove_spelling(form: str, triplet: ProposedTo) -> str | None:
    """The same letters but for capitals, accents, hyphens, points, blanks and an article; or its words in English."""
    for variant in triplet.variants:
        if _letters(form) == _letters(variant):
            return f"“{variant}” in other letters."
        if len(_words(form)) > 1 and sorted(_words(form)) == sorted(_words(variant)) and not _has_digit(form):
            return f"The words of “{variant}” in another order."
    if _has_digit(form):
        return None
    english = {_letters(read_as_english(form, code).text) for code in READ if code != ENGLISH}
    same = [variant for variant in triplet.variants if _letters(variant) in english]
    return f"“{same[0]}” in another language." if same else None


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _words(text: str) -> list[str]:
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(sign))
    return [word for word in _WORD.findall(plain) if word not in ("the", "a", "an")]


def _letters(text: str) -> str:
    return "".join(_words(text))


def _prove_acronym(form: str, triplet: ProposedTo) -> str | None:
    """The first letters of the fact's words; three of them only where the passage says so."""
    for variant in triplet.variants:
        for short, whole in ((form, variant), (variant, form)):
            letters = short.replace(".", "")
            initials = "".join(word[0] for word in _WORD.findall(whole) if word[0].isupper())
            if letters.isupper() and len(letters) >= _SURE_ACRONYM and letters == initials:
                return f"The first letters of “{whole}”."
    return None


def _prove_by_passage(form: str, triplet: ProposedTo) -> str | None:
    """The passage puts the two beside each other as names of one thing."""
    passage = level_text(triplet.passage)
    for variant in triplet.variants if passage else ():
        for one, other in ((form, variant), (variant, form)):
            names = (re.escape(level_text(one)), re.escape(level_text(other)))
            if any(re.search(rf"(?<!\w){shape.format(*names, also=_ALSO)}(?!\w)", passage) for shape in _NEXT_TO):
                return f"The passage says that it is “{variant}”."
    return None


_PROOFS: tuple[Callable[[str, ProposedTo], str | None], ...] = (
    _prove_value,
    _prove_spelling,
    _prove_acronym,
    _prove_by_passage,
)
