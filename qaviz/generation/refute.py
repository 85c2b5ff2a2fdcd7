"""What words can refute of a triplet beside its passage, and what its question lacks. Nothing here proves a triplet:
what is not refuted is for a model, or a person, to prove.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

import polars as pl
from babel import Locale

from qaviz.documents.chunks import CHUNKS
from qaviz.generation import passages
from qaviz.generation.passages import Corpus, Passage, Place, is_stated, names, read_values, stands_exactly, terms
from qaviz.golden.lint.triplets import tell_language
from qaviz.judging.triplets import PASSAGE, to_repair
from qaviz.model.columns import AND_DELIMITER, OR_DELIMITER, QUESTION_ID
from qaviz.reading import Relation, Token, compare, detect_language, level_text
from qaviz.reading.refusals import read_refusal
from qaviz.store.labels import GATE, NOT_REFUTED

FACT, CALCULATION, UNANSWERABLE = "single fact", "calculation", "unanswerable"
QUESTION_TYPES: Mapping[str, str] = passages.PHRASES["types"]

REFUTED, FAILED = "refuted", "failed"
YES_AND_NO, _BESIDE_FIGURES = map(passages.words_of, ("yes_and_no", "beside_figures"))
_INSTRUCTION, _DECLINES = map(passages.pattern_of, ("instructs", "declines"))
_AND = re.compile(r" (?:and|und|và|sowie) |[;&]|、|和|,\s(?=[^\d])")
LONGEST_VARIANT = 6
"""Words of a fact's variant; three are asked for."""
LONGEST_QUESTION, LONGEST_ANSWER = 400, 800
"""Characters."""


@dataclass(frozen=True)
class Variant:
    """A variant of a fact, read once for all the texts in which it is looked for."""

    text: str
    level: str
    values: tuple[Token, ...]
    beside: tuple[str, ...]
    """The words that are no part of its values; empty where it has none."""

    def stands(self, level: str, values: Sequence[Token], around: str = "") -> bool:
        """Whether a levelled text has the variant word by word, or all its values. Words beside a figure (`65 stores`)
        have to stand in the text too, or in what is `around` it."""
        if stands_exactly(self.level, level):
            return True
        if not self.values or not all(is_stated(value, values) for value in self.values):
            return False
        return all(stands_exactly(word, level) or stands_exactly(word, around) for word in self.beside)


@lru_cache(maxsize=8_192)
def read_variant(text: str) -> Variant:
    """Return the variant with its values."""
    values, rest = read_values(text), text
    for value in sorted(values, key=lambda value: -value.start):
        rest = rest[: value.start] + " " + rest[value.end :]
    beside = [word for word in re.findall(r"[^\W\d_]+", level_text(rest)) if word not in _BESIDE_FIGURES]
    return Variant(text, level_text(text), values, tuple(beside) if values else ())


@dataclass(frozen=True)
class Case:
    """A triplet and its passage."""

    question: str
    answer: str
    fact: str
    kind: str
    passage: Passage

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        return tuple(read_variant(part.strip()) for part in self.fact.split(OR_DELIMITER) if part.strip())

    @cached_property
    def is_yes_no(self) -> bool:
        return bool(self.variants) and all(variant.level.strip(". ") in YES_AND_NO for variant in self.variants)

    @cached_property
    def question_level(self) -> str:
        return level_text(self.question)

    @cached_property
    def home(self) -> tuple[Place, ...]:
        """The clauses and cells of the passage in which a variant stands."""
        whole = self.passage.level
        return tuple(
            place
            for place in self.passage.places
            if any(variant.stands(place.level, place.values, whole) for variant in self.variants)
        )

    @cached_property
    def rivals(self) -> tuple[Place, ...]:
        """Those with another value of the fact's kind."""
        wanted = self.variants[0].values if self.variants else ()
        home = frozenset(self.home)
        of_table = bool(home) and all(place.is_cell for place in home)
        others = (place for place in self.passage.places if place not in home and (place.is_cell or not of_table))
        return tuple(place for place in others if _is_alike(place, wanted, home))

    def weigh(self, place: Place) -> float:
        """How much of the question a place says; a term that few places have counts for more."""
        shared = terms(self.question) & (place.key | (terms(place.whole) if not place.is_cell else frozenset()))
        own = place.key
        # A term of the sentence counts a quarter for each of its clauses.
        return sum(self.passage.rarity.get(term, 0.0) * (1.0 if term in own else 0.25) for term in shared)


def _is_alike(place: Place, wanted: Sequence[Token], home: frozenset[Place]) -> bool:
    """Whether a place has a value of the kind that is wanted, or is a cell in the column of a name that is wanted."""
    if not wanted:
        return any(own.is_cell and place.is_cell and place.header == own.header for own in home)
    return any(
        value.kind is token.kind
        and (value.unit == token.unit or ("%" not in (value.unit, token.unit) and not (value.unit and token.unit)))
        for value in place.values
        for token in wanted
    )


def check_shape(case: Case) -> str | None:
    """Question, answer and fact are there, and none is longer than it should be."""
    needed = ("question", "answer") if case.kind == UNANSWERABLE else ("question", "answer", "fact")
    lacking = [name for name in needed if not getattr(case, name).strip()]
    if not lacking and case.kind != UNANSWERABLE and not case.variants:
        lacking = ["fact"]
    if lacking:
        return f"It has no {' and no '.join(lacking)}."
    if len(case.question) > LONGEST_QUESTION or len(case.answer) > LONGEST_ANSWER:
        return "The question or the answer is too long: a sentence each is asked for."
    for variant in case.variants:
        if len(variant.text.split()) > LONGEST_VARIANT or len(variant.text) > 120:
            return f"The fact “{variant.text[:60]}” is a sentence: three words at most are asked for."
    return None


def check_injection(case: Case) -> str | None:
    """The passage speaks to a reader, not to a model."""
    if case.home and all(_INSTRUCTION.search(place.whole) for place in case.home):
        return "Its passage speaks to a model, not to a reader: it may have been put there to be repeated."
    return None


def check_unanswerable(case: Case) -> str | None:
    """An unanswerable question has an answer that says so."""
    if case.kind == UNANSWERABLE and not declines(case.answer, case.question):
        return "The question is to have no answer here, and the answer does not say so."
    return None


def declines(answer: str, question: str) -> bool:
    """Whether an answer says that there is none."""
    refusal = read_refusal(answer, question, detect_language(answer, detect_language(question)))
    return (refusal is not None and refusal.declines) or _DECLINES.match(answer) is not None


def check_fact_in_question(case: Case) -> str | None:
    """The question does not give its fact away."""
    if case.is_yes_no or case.kind == UNANSWERABLE:
        return None
    for variant in case.variants:
        if stands_exactly(variant.level, case.question_level):
            return f"The question contains its fact “{variant.text}”."
    return None


def check_several_facts(case: Case) -> str | None:
    """The fact is one fact: its variants say the same, and none joins two."""
    if AND_DELIMITER in case.fact:
        return "The fact joins several facts: one is asked for."
    for variant in case.variants:
        parts = [part for part in _AND.split(variant.text) if part.strip()]
        values = [read_values(part) for part in parts]
        alike = all(values) and len({token.unit for of_part in values for token in of_part}) == 1
        if len(parts) > 1 and (alike or not stands_exactly(variant.level, case.passage.level)):
            return f"The fact “{variant.text}” is several facts: one is asked for."
    single = [variant for variant in case.variants if len(variant.values) == 1]
    for first, second in combinations(single, 2):
        relation, reason = compare(first.values[0], second.values[0])
        both = all(stands_exactly(variant.level, case.passage.level) for variant in (first, second))
        if relation is Relation.OTHER or (reason == "rounded" and both):
            return f"The variants “{first.text}” and “{second.text}” are two facts."
    return None


def check_variants(case: Case) -> str | None:
    """Every variant of the fact stands in the passage and in the answer, word by word or as the same value."""
    if case.is_yes_no or case.kind == UNANSWERABLE:
        return None
    answer_level, answer_values, passage = level_text(case.answer), read_values(case.answer), case.passage
    for variant in case.variants:
        if not variant.stands(passage.level, passage.values) and not is_derived(variant, case):
            return f"The fact “{variant.text}” does not stand in its passage."
        if not variant.stands(answer_level, answer_values, case.question_level):
            return f"The fact “{variant.text}” does not stand in the answer."
    return None


def is_derived(variant: Variant, case: Case) -> bool:
    """Whether a variant is one value that is computed from others of the answer, or of the sentence asked about."""
    return len(variant.values) == 1 and _derive(variant.values[0], case) is not None


def _derive(value: Token, case: Case) -> str | None:
    """How a value is computed from others: of the answer that the passage states, or of one sentence or row of it."""
    given = [token for token in read_values(case.answer) if is_stated(token, case.passage.values)]
    if (how := passages.derive(value, given)) or case.kind != CALCULATION:
        return how
    wanted = terms(case.question)
    # A result may be computed from the values of places that share most words with the question.
    nearest = sorted(case.passage.places, key=lambda place: -len(place.key & wanted))[:4]
    return passages.derive(value, [token for place in nearest for token in place.values])


def check_values(case: Case) -> str | None:
    """Every value of the answer stands in the passage, or is computed from values that do."""
    of_question = read_values(case.question)
    for value in read_values(case.answer):
        written = case.answer[value.start : value.end].strip()
        stated = is_stated(value, case.passage.values) or _derive(value, case) or is_stated(value, of_question)
        if not stated and not stands_exactly(level_text(written), case.passage.level):
            return f"The answer says “{written}”, which its passage does not."
    return None


def check_place(case: Case) -> str | None:
    """The fact stands in the row, column, clause and year that the question asks about."""
    computed = len(read_values(case.answer)) > 2 and all(is_derived(variant, case) for variant in case.variants)
    if not case.home or case.is_yes_no or computed or case.kind in (UNANSWERABLE, CALCULATION):
        return None
    # A year may name the document: that of its name or title is asked for where cells, or years behind facts, tell it.
    source = (
        f"{passages.name_words(case.passage.document)} {case.passage.heading} {case.passage.text.partition(chr(10))[0]}"
    )
    asked_for, behind = passages.read_years(case.question), [years_behind(place, case.variants) for place in case.home]
    if not (case.home[0].is_cell or any(behind)):
        asked_for -= passages.read_years(source)
    periods = [years or place.periods for years, place in zip(behind, case.home, strict=True)]
    if asked_for and all(periods) and not any(years & asked_for for years in periods):
        return f"The fact is of {min(min(periods, key=min))}, not of {min(asked_for)}."
    own = max(map(case.weigh, case.home))
    wanted, home_terms = terms(case.question), frozenset(term for place in case.home for term in place.key)
    if not case.home[0].is_cell:
        # A text names its subject once, and goes on about it.
        wanted -= terms(" ".join((*names(case.question), *map(str, asked_for)))) | terms(source)
        if not any(letter.islower() for letter in case.question):
            return None
    for place in case.rivals:
        factor, least = (_ANY_CELL, 0.0) if place.is_cell and case.home[0].is_cell else (_CLEARLY, _AT_LEAST)
        lacking = sorted(wanted & place.key - home_terms)
        if lacking and case.weigh(place) > factor * own + least:
            where = f"{place.label}, {place.header}" if place.is_cell else place.text[:80]
            return f"The fact does not stand with “{lacking[0]}”, which the question asks about: “{where}” does."
    return None


def years_behind(place: Place, variants: Sequence[Variant]) -> frozenset[int]:
    """The years that stand directly behind the fact in a sentence: `$131B in 2023`."""
    level = "" if place.is_cell else level_text(place.whole)
    ends = [level.find(variant.level) + len(variant.level) for variant in variants if variant.level in level]
    return frozenset(int(behind[1]) for end in ends if level and (behind := _YEAR_BEHIND.match(level, end)))


_YEAR_BEHIND = re.compile(
    r"(?:\s+(?!than\b|from\b|over\b|since\b)[^\W\d_]+){0,2}?"
    r"\s+(?:in|for|during|im jahr|in den|für|năm|trong năm)\s+(?:fiscal |fy ?)?((?:19|20)\d\d)\b"
)
_ANY_CELL = 1.001
_CLEARLY, _AT_LEAST = 1.3, 0.1
"""How much more of the question another clause has to have than the one with the fact."""

RULES: Mapping[str, Callable[[Case], str | None]] = {
    "incomplete": check_shape,
    "injected": check_injection,
    "no-refusal": check_unanswerable,
    "fact-in-question": check_fact_in_question,
    "several-facts": check_several_facts,
    "no-fact": check_variants,
    "no-value": check_values,
    "another-place": check_place,
}
"""Each returns why words refute a triplet, in a sentence, or None. In the order in which they are asked; the first that
finds something decides. Then `language` and `duplicate`."""

CHECKED = pl.Schema({"status": pl.String(), "rule": pl.String(), "reason": pl.String()})
"""What is added to each triplet: REFUTED or NOT_REFUTED; the rule that refutes it and its reason, else null."""


def refute_triplets(triplets: pl.DataFrame, corpus: Corpus, language: str | None = None) -> pl.DataFrame:
    """Return the triplets with CHECKED. `triplets` has question, answer, fact, kind and chunk (the hash of the chunk it
    was made from). Questions and answers have to be in the `language` (`English`), or else in their chunk's."""
    earlier, rows = defaultdict[str, list[str]](list), list[tuple[str, str | None, str | None]]()
    for row in triplets.iter_rows(named=True):
        if row.get("status") == FAILED:
            rows.append((FAILED, row["rule"], row["reason"]))
            continue
        case = open_case(row, corpus)
        refuted = _find_reason(case, earlier, language) if case else ("no-chunk", "Its chunk is not there any more.")
        rows.append((REFUTED, *refuted) if refuted else (NOT_REFUTED, None, None))
    checked = pl.DataFrame(rows, schema=CHECKED, orient="row")
    return triplets.with_columns(checked.get_columns())


def open_case(triplet: Mapping[str, str], corpus: Corpus) -> Case | None:
    """The triplet beside the passage of its chunk; None where that is not there."""
    passage = corpus.find(triplet["chunk"])
    question, answer, fact = (" ".join(triplet[name].split()) for name in ("question", "answer", "fact"))
    return Case(question, answer, fact, triplet["kind"], passage) if passage else None


def _find_reason(case: Case, earlier: dict[str, list[str]], language: str | None) -> tuple[str, str] | None:
    """The rule that refutes it and its reason; None for a triplet that is not refuted, which joins the earlier ones."""
    for name, check in RULES.items():
        if reason := check(case):
            return name, reason
    wanted = language or _name_language(case.passage.text)
    for name, text in (("answer", case.answer), ("question", case.question)):
        own = _name_language(text)
        if wanted and own and own != wanted:
            return "language", f"The {name} is in {own}; {wanted} is asked for."
    reason = _find_twin(case, earlier)
    return ("duplicate", reason) if reason else None


@lru_cache(maxsize=4_096)
def _name_language(text: str) -> str:
    """The English name of a text's language; empty where it is too short to tell."""
    code = tell_language(text)
    return str(Locale.parse("en").languages.get(code, code.capitalize()))


def _find_twin(case: Case, earlier: dict[str, list[str]]) -> str | None:
    """Why an earlier triplet asks the same; one that has no twin joins them, by its fact and by its question."""
    question = " ".join(re.findall(r"[^\W_]+", case.question_level))
    if f"? {question}" in earlier:
        return "The same question was there before."
    others = earlier[_read_value(case)]
    if same := next((other for other in others if _are_same(case.question, other)), None):
        return f"It asks what “{same}” asks."
    earlier[f"? {question}"] = others  # no fact begins so
    others.append(case.question)
    return None


def _read_value(case: Case) -> str:
    """The fact as a value: its only figure or date, else its first variant's words."""
    first = case.variants[0] if case.variants else read_variant("")
    if len(first.values) == 1:
        value = first.values[0]
        return f"{value.value}{value.unit}"
    return " ".join(re.findall(r"[^\W_]+", first.level))


def _are_same(left: str, right: str) -> bool:
    """Whether two questions of one fact have the same names and figures, and nearly the same terms."""
    particulars = [{*map(str.lower, names(text)), *re.findall(r"\d[\d.,]*", text)} for text in (left, right)]
    first, second = set(passages.list_terms(left)), set(passages.list_terms(right))
    # Two questions of one fact are one question where most terms are the same.
    return particulars[0] == particulars[1] and len(first & second) >= 0.7 * max(1, min(len(first), len(second)))


def check_repairs(triplets: pl.DataFrame, findings: pl.DataFrame) -> pl.DataFrame:
    """A judge's findings (`qaviz.judging.triplets`) with GATE: what refutes each proposed repair, or NOT_REFUTED."""
    # A passage is its own chunk, known by its text.
    repaired = to_repair(triplets, findings).with_columns(pl.col(PASSAGE).alias("chunk"), pl.lit(FACT).alias("kind"))
    own = triplets.select(chunk=PASSAGE, text=PASSAGE, document=pl.lit("passage"), heading=pl.lit(""))
    corpus = Corpus(own.match_to_schema(CHUNKS, missing_columns="insert"))
    checked = refute_triplets(repaired, corpus) if repaired.height else repaired
    reason = pl.coalesce(pl.col("reason"), pl.col("status")) if repaired.height else pl.lit(None, pl.String)
    return findings.join(checked.select(QUESTION_ID, reason.alias(GATE)), on=QUESTION_ID, how="left")
