"""The probability that a response is right: evidence and overlap in, one logistic regression, weights in a file.

A term is an expression over the columns of evidence and of `surface`, with the way it may move the probability; what it
weighs stands in model.json beside its card. `python -m benchmarks.fit_model` fits it on labelled families.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from qaviz.diagnosis.columns import (
    DOUBTS_SCHEMA,
    KIND,
    REFUSAL,
    STANCE,
    STRENGTH,
    UNREAD,
    doubt_of,
)
from qaviz.diagnosis.evidence import Stance
from qaviz.diagnosis.evidence.doubts import DOUBTS as KINDS_OF_DOUBT
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


Numbers = NDArray[np.float64]
WEIGHTS = Path(__file__).with_name("model.json")
P_CORRECT = "p_correct"
"""Probability that a person calls the response correct."""
P_DECLINED = "p_declined"
"""Probability that a person who does not call it correct calls it declined."""
HELD_BACK = "held_back"
"""The name of the first of LIMITS that keeps the row below SURE; null where none does."""
DOUBTS = "doubts"
"""What makes the leading evidence doubtful, in words; null where nothing does."""
PROBABILITY_SCHEMA = pl.Schema(
    {P_CORRECT: pl.Float64(), P_DECLINED: pl.Float64(), HELD_BACK: pl.String(), DOUBTS: pl.String()}
)
COLUMNS_READ = (QUESTION, ANSWER, FACT, RESPONSE, STANCE, KIND, STRENGTH, REFUSAL, UNREAD)
"""What the model reads of a row, beside doubts."""

SURE = 0.9
HIGHEST_DOUBTFUL = 0.89
"""The most that a row is certain of which one of LIMITS applies to."""
DOUBTED_LENGTH = 5.3
"""Logarithm of the characters (200) of a response up to which a doubt keeps it from being sure."""
LOWEST, HIGHEST = 0.005, 0.995
RAISES, LOWERS, EITHER = 1, -1, 0
FEWEST_FAMILIES = 2
"""Families in which a kind of evidence has to occur before rows that rest on it are sure."""

_STANCE = pl.col(STANCE).fill_null("")
_KIND = pl.col(KIND).fill_null("")
_STRENGTH = pl.col(STRENGTH).fill_null(0.0)


def _flag(when: pl.Expr) -> pl.Expr:
    return when.fill_null(False).cast(pl.Float64)


AGREES, CONTRADICTS, ABSENT = (
    _flag(_STANCE.eq(stance.value)) for stance in (Stance.AGREES, Stance.CONTRADICTS, Stance.ABSENT)
)
_WORDS = _flag(_KIND == "phrase")
_VALUES = _flag(_KIND.is_in(["quantity", "date", "symbol"]))
_VALUE_OR_FACT = _flag(_KIND.is_in(["quantity", "date", "symbol", "verbatim", "accident"]))
_EXACT = _flag(_KIND.is_in(["quantity", "date", "symbol", "verbatim", "accident", "polarity"]))
_BY_WORDS = (1 - _EXACT) * (1 - AGREES * (1 - pl.col(STATEMENT)))
"""Where neither an exact kind of evidence nor a stated phrase decides: the golden words do."""
_AS_STATEMENT = pl.col(STATEMENT) * (1 - _VALUE_OR_FACT)
"""How far a golden text is a statement of which the response may say more or less."""
_VALUE_STATED = AGREES * _flag(_KIND.is_in(["quantity", "date", "symbol", "verbatim"]))
_REFUSED = _flag(pl.col(REFUSAL).is_not_null())
_TELLING = _flag(
    pl.any_horizontal(
        pl.col(DOUBTS).str.contains(doubt.says, literal=True) for doubt in KINDS_OF_DOUBT if doubt.telling
    )
)
_DENIED = _flag(pl.col(DOUBTS).str.contains("negation"))
_LENGTH = pl.col(RESPONSE_LENGTH).clip(2, 5) - 3.5
_GOLDEN_LENGTH = pl.col(GOLDEN_LENGTH) - 2.5


@dataclass(frozen=True)
class Term:
    """One addend of the log odds."""

    name: str
    value: pl.Expr
    moves: int = EITHER
    """Which way more of it may move the probability that the response is right."""
    pull: float = 1.0
    """How strongly its weight is pulled to `prior`, against the other terms."""
    prior: float = 0.0
    """The weight where no label speaks against it: what a term means by definition."""


TERMS = (
    Term("agrees", AGREES, RAISES, 0.1),
    Term("contradicts", CONTRADICTS, LOWERS, 0.5, -2.0),
    Term("absent", ABSENT, LOWERS, 0.1),
    Term("words agree", _WORDS * AGREES),
    Term("values absent", _VALUES * ABSENT),
    Term("agrees weakly", AGREES * (1 - _STRENGTH), LOWERS),
    Term("contradicts strongly", CONTRADICTS * _STRENGTH, LOWERS),
    Term("declines", _REFUSED * (1 - _VALUE_STATED), LOWERS, 2.0, -4.0),
    Term("agrees, no fact", AGREES * pl.col(BARE)),
    Term("telling doubt, short response", _TELLING * pl.col(SHORT), LOWERS, 1.3, -5.0),
    Term("denial, short response", _DENIED * pl.col(SHORT), LOWERS, 1.3, -4.0),
    Term("length, agrees", AGREES * _LENGTH),
    Term("absent, a value or a name", ABSENT * (1 - pl.col(PROSE)), LOWERS, 1.0, -0.5),
    Term("golden length", _GOLDEN_LENGTH * (1 - CONTRADICTS)),
    Term("prose", pl.col(PROSE)),
    Term("other names", pl.col(OTHER_NAMES), LOWERS),
    Term("negation differs", pl.col(NEGATION_DIFFERS), LOWERS),
    Term("denial missing", _AS_STATEMENT * pl.col(DENIAL_MISSING), LOWERS, 1.0, -1.0),
    Term("words said, statement", _AS_STATEMENT * pl.col(WORDS_SAID), RAISES, 0.3),
    Term("words missing, statement", _AS_STATEMENT * pl.col(WORDS_MISSING), LOWERS, 0.3),
    Term("words said, by words", _BY_WORDS * pl.col(WORDS_SAID), RAISES, 0.3),
    Term("overlap, agrees", AGREES * pl.col(OVERLAP), RAISES),
    Term("focus, agrees", AGREES * pl.col(FOCUS), RAISES),
)


@dataclass(frozen=True)
class Limit:
    """Why a row is never sure: what labelled families have shown too little of."""

    name: str
    says: str
    """The end of a sentence on the verdict."""
    when: pl.Expr


LIMITS = (
    Limit(
        "unread language",
        "qaviz does not read this language",
        pl.col(UNREAD).is_not_null(),
    ),
    Limit(
        "references",
        "one of several golden answers may be met by chance",
        (pl.col(BARE) > 0) & pl.col(ANSWER).str.contains(OR_DELIMITER, literal=True),
    ),
    Limit(
        "prose",
        "a long answer is compared with a long golden one",
        (pl.col(PROSE) > 0) & ~_KIND.is_in(["quantity", "date", "symbol", "verbatim"]),
    ),
    Limit(
        "doubt",
        "the words around the value may deny it",
        pl.col(DOUBTS).is_not_null() & (pl.col(RESPONSE_LENGTH) < DOUBTED_LENGTH),
    ),
    Limit(
        "other words",
        "half of what the short response says is not golden",
        (Stance.AGREES.value == _STANCE) & (pl.col(SHORT) > 0) & (pl.col(FOCUS) < 0.51),
    ),
    Limit(
        "overlap alone",
        "only shared words tell",
        ~_STANCE.is_in([Stance.AGREES.value, Stance.CONTRADICTS.value])
        & ~_KIND.is_in(["quantity", "date", "symbol", "polarity"])
        & pl.col(REFUSAL).is_null(),
    ),
)


def cell_expression() -> pl.Expr:
    """The kind of evidence that leads with what it says: `phrase agrees`."""
    return pl.concat_str(_KIND, pl.lit(" "), _STANCE)


@dataclass(frozen=True)
class Model:
    """What model.json holds."""

    card: Mapping[str, Any]
    weights: Mapping[str, float]
    """By term, and `1` for the constant."""
    members: Mapping[str, Mapping[str, float]]
    """The same of models fitted without one family, by that family."""
    slope: float
    """What the log odds are multiplied with: fitted on families left out, it takes back what the pull flattens."""
    families_of: Mapping[str, int]
    """In how many families a cell (see `cell_expression`) occurs."""
    declined: Mapping[str, float]
    """Log odds of `declined` against `incorrect`: `none` without a refusal, `some` with one."""


@cache
def read_model(file: Path = WEIGHTS) -> Model:
    """Return the model of a file."""
    return Model(**json.loads(file.read_text("utf-8")))


def values_of_terms(rows: pl.DataFrame) -> Numbers:
    """Return the values of TERMS of rows with evidence and SURFACE, a column each, behind a column of ones."""
    values = rows.select(pl.lit(1.0).alias("1"), *(term.value.fill_null(0).alias(term.name) for term in TERMS))
    return values.cast(pl.Float64).to_numpy()


def log_odds(values: Numbers, model: Model) -> Numbers:
    """Return the log odds that each row is right, pulled to 0 as far as models without one family differ.

    The spread of the members is a jackknife's standard error; the pull is MacKay's (1992) for a logistic output.
    """
    names = ["1", *(term.name for term in TERMS)]
    whole = _weigh(values, _vector(model.weights, names)[:, None])[:, 0] * model.slope
    if not model.members:
        return whole
    members = np.column_stack([_vector(weights, names) for weights in model.members.values()])
    several = _weigh(values, members) * model.slope
    families = several.shape[1]
    variance = ((several - several.mean(1, keepdims=True)) ** 2).sum(1) * (families - 1) / families
    odds: Numbers = whole / np.sqrt(1 + np.pi / 8 * variance)
    return odds


def _weigh(values: Numbers, weights: Numbers) -> Numbers:
    """The matrix product, term by term: BLAS gives a row other last bits among other numbers of rows."""
    total = np.zeros((values.shape[0], weights.shape[1]))
    for place in np.flatnonzero(weights.any(axis=1)):
        total += values[:, place, None] * weights[place]
    return total


def _vector(weights: Mapping[str, float], names: Sequence[str]) -> Numbers:
    return np.array([weights.get(name, 0.0) for name in names])


def read_terms(gathered: pl.DataFrame) -> pl.DataFrame:
    """Return what TERMS and LIMITS are computed from, of a table of evidence: COLUMNS_READ, DOUBTS and SURFACE."""
    return gathered.select(*COLUMNS_READ, _doubts_expression(gathered.columns)).hstack(read_surface(gathered))


def _doubts_expression(columns: Sequence[str]) -> pl.Expr:
    names = ((doubt_of(doubt.name), doubt.says) for doubt in KINDS_OF_DOUBT)
    doubts = [pl.when(pl.col(name)).then(pl.lit(says)) for name, says in names if name in columns]
    if not doubts and DOUBTS in columns:
        return pl.col(DOUBTS)
    joined = pl.concat_str(doubts, separator=", ", ignore_nulls=True) if doubts else pl.lit(None, pl.String)
    return pl.when(joined != "").then(joined).alias(DOUBTS)


def add_probabilities(gathered: pl.DataFrame, model: Model | None = None) -> pl.DataFrame:
    """Return a table of evidence with the columns of PROBABILITY_SCHEMA. Row order is kept.

    The columns of single doubts go: the probabilities hold what they tell.
    """
    rows = read_terms(gathered)
    probabilities = probabilities_of(rows, values_of_terms(rows), model or read_model())
    return gathered.drop(*PROBABILITY_SCHEMA.names(), *DOUBTS_SCHEMA.names(), strict=False).hstack(probabilities)


def probabilities_of(rows: pl.DataFrame, values: Numbers, model: Model) -> pl.DataFrame:
    """Return the columns of PROBABILITY_SCHEMA of rows of `read_terms`, whose terms have these values."""
    odds = pl.Series(log_odds(values, model), dtype=pl.Float64)
    rare = cell_expression().replace_strict(model.families_of, default=0, return_dtype=pl.Int64) < FEWEST_FAMILIES
    held = pl.coalesce(
        *(pl.when(limit.when.fill_null(False)).then(pl.lit(limit.name)) for limit in LIMITS),
        pl.when(rare).then(pl.lit(RARE.name)),
    )
    declined = pl.when(pl.col(REFUSAL).is_not_null()).then(model.declined["some"]).otherwise(model.declined["none"])
    chances = rows.select(
        (1 / (1 + (-odds).exp())).alias(P_CORRECT),
        (1 / (1 + (-declined).exp())).alias(P_DECLINED),
        held.alias(HELD_BACK),
        DOUBTS,
    )
    bound = pl.when(pl.col(HELD_BACK).is_null()).then(HIGHEST).otherwise(HIGHEST_DOUBTFUL)
    return chances.with_columns(pl.col(P_CORRECT).clip(1 - bound, bound))


RARE = Limit(
    "rare evidence",
    "such evidence stood in fewer than two labelled families",
    pl.lit(False),
)
SAYS_OF_LIMITS = {limit.name: limit.says for limit in (*LIMITS, RARE)}
