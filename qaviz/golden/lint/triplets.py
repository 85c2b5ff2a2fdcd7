"""Rules that compare the texts of one triplet: fact with answer, answer with question, and variants with each other."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import wraps
from itertools import combinations

import polars as pl
from rapidfuzz.distance import OSA

from qaviz.diagnosis.compare import find_short
from qaviz.diagnosis.phrases import find_stretch, read_phrases
from qaviz.diagnosis.rules import either, is_blank
from qaviz.golden.forms import MEASURED, Texts, differ, equivalent_forms, read_sole
from qaviz.golden.lint import findings as lint
from qaviz.golden.lint.findings import COUNT, ERROR, NEEDS_ALL, NOTE, VARIANT, WARNING, Subject
from qaviz.model.columns import ANSWER, ANSWERABLE, FACT, OR_DELIMITER, QUESTION, QUESTION_ID
from qaviz.reading import Kind, Relation, Token, best, detect_language, tokens, without_marks
from qaviz.reading.refusals import read_refusal
from qaviz.reading.words import words
from qaviz.scoring import forms
from qaviz.scoring.definition import needs_all

LONGEST, MOST = 60, 12
"""Characters of a variant: what is longer is a sentence, which no other response has; variants with a value that are
compared with each other: a fact of more is a list of names."""
HALF = 0.5
"""Share of a variant from which the answer says it in other words."""
LEAST_OF_NAME, MOST_TYPED = 5, 2
"""Letters from which a name may have a typing error: shorter ones are other names; letters in which two spellings of a
name differ, at most."""
LEAST_WORDS_TOLD, TOLD_BY, _LAST_LATIN = 7, 100, "\u024f"
"""Words from which a language is told, letters by which a script is, and the last of the Latin ones that most texts
have."""

_QUALIFIERS = ("sign", "unit", "currency", "period", "bound")
_NAME = re.compile(r"[A-ZÀ-ÖØ-Þ][^\W\d_]+")
Told = tuple[str, str, str, str, str | None]
"""Severity, message, evidence, suggestion and the proposed fact of one finding."""
_STATED = "stated"
_NEAR = {"es", "pt", "gl", "ca", "eu", "it"}
"""Languages that a short text does not tell apart for sure."""


@dataclass(frozen=True)
class Triplet(Texts):
    """A triplet that is linted by itself."""

    stated: bool
    """Whether the answer holds a variant, as quasi-exact Factual Knowledge reads it."""
    answerable: bool | None


Finder = Callable[[Triplet], Iterator[Told]]
_FINDERS: dict[str, tuple[pl.Expr, Finder]] = {}
"""By rule: which triplets it asks about, told from their columns, and what it finds in one."""


def _asked_of(suspect: pl.Expr) -> Callable[[Finder], Callable[[Subject], pl.DataFrame]]:
    """Make a rule of a function of one triplet, with its name and its docstring; it is asked of those that suspect."""

    def make_rule(find: Finder) -> Callable[[Subject], pl.DataFrame]:
        name = find.__name__.replace("_", "-")
        _FINDERS[name] = suspect.fill_null(value=False).alias(name), find

        @wraps(find)
        def tell(subject: Subject) -> pl.DataFrame:
            return subject.once(_find_in_triplets).filter(pl.col(lint.RULE) == name)

        return tell

    return make_rule


def _find_in_triplets(subject: Subject) -> pl.DataFrame:
    """FINDINGS of all these rules. They ask one triplet after the other, so each text is read once."""
    facts = subject.once(_split_facts)
    columns = (QUESTION_ID, pl.col(QUESTION, ANSWER, FACT).fill_null(""), _STATED, ANSWERABLE)
    some = facts.select(suspect for suspect, _ in _FINDERS.values())
    findings = []
    for (question_id, *row), marks in zip(facts.select(columns).iter_rows(), some.iter_rows(), strict=True):
        triplet = Triplet(*row)
        for mark, (rule, (_, find)) in zip(marks, _FINDERS.items(), strict=True):
            for *texts, proposed in find(triplet) if mark else ():
                findings.append((question_id, rule, *texts, FACT if proposed else None, proposed))
    return pl.DataFrame(findings, schema=lint.FINDINGS, orient="row")


def _quote(text: str) -> str:
    return f"“{text}”"


def _quote_line(text: str) -> str:
    """As `quote_text` quotes a column: on one line, shortened."""
    line = re.sub(r"[\r\n\t]+", " ", text)
    return _quote(line if len(line) <= lint.QUOTED else f"{line[: lint.QUOTED]}…")


def _read_measured(text: str, language: str) -> list[Token]:
    return [token for token in tokens(text, language) if token.kind in MEASURED]


def _split_facts(subject: Subject) -> pl.DataFrame:
    """The golden dataset with VARIANT (a list, empty without a fact), COUNT, NEEDS_ALL and `stated`."""
    variants = subject.variants
    read = pl.DataFrame([lint.normal(variants[ANSWER]).alias("text"), lint.normal(variants[VARIANT]).alias("part")])
    held = read.select(forms.holds(pl.col("text"), pl.col("part"))).to_series()
    exact = forms.holds(pl.col(ANSWER).str.to_lowercase(), pl.col(VARIANT).str.to_lowercase())
    marked = variants.select(QUESTION_ID, VARIANT, NEEDS_ALL, (exact | held).fill_null(value=False).alias(_STATED))
    grouped = marked.group_by(QUESTION_ID).agg(VARIANT, pl.first(NEEDS_ALL), pl.col(_STATED).any())
    whole = subject.golden.join(grouped, on=QUESTION_ID, how="left", maintain_order="left")
    none = pl.lit([], pl.List(pl.String))
    filled = whole.with_columns(pl.col(VARIANT).fill_null(none), pl.col(NEEDS_ALL, _STATED).fill_null(value=False))
    return filled.with_columns(pl.col(VARIANT).list.len().alias(COUNT))


_ANSWERED = ~is_blank(ANSWER)
_DIGITS = pl.col(VARIANT).list.eval(pl.element().str.contains(r"\d"))
_ONE_OF = (pl.col(COUNT) > 0) & ~pl.col(NEEDS_ALL)
_SHORT_ONE = pl.col(VARIANT).list.eval(pl.element().str.strip_chars().str.len_chars() <= LONGEST).list.any()
_ALL_SHORT = pl.col(VARIANT).list.eval(pl.element().str.len_chars() <= LONGEST).list.all()


@_asked_of(_ANSWERED & _ONE_OF & (_DIGITS.list.any() | _SHORT_ONE))
def fact_against_answer(triplet: Triplet) -> Iterator[Told]:
    """The fact and the answer state different values: another number, date, unit, currency, sign or percentage, yes for
    no, or a name in another spelling. One of the two metrics then uses a wrong ground truth."""
    if triplet.stated and all(len(text) > SHORT and not any(map(str.isdigit, text)) for text in triplet.variants):
        return  # words that the answer has
    opposed = _find_opposed(triplet)
    check = "Check which one is right and correct the other."
    if opposed:
        message = "The fact and the answer state different numbers, dates or answers."
        yield ERROR, message, f"{_quote(opposed[0])} beside {_quote(opposed[1])}", check, None
    elif not triplet.stated and (pair := _find_misspelt(triplet.answer, triplet.variants)):
        message = "The fact and the answer spell a name differently."
        yield WARNING, message, f"{_quote(pair[0])} beside {_quote(pair[1])}", check, None


def _find_opposed(triplet: Triplet) -> tuple[str, str] | None:
    """A variant and the words of the answer that contradict it, where no variant agrees with the answer."""
    answer, language = triplet.answer, triplet.language
    opposed, given, repeated = None, tokens(answer, language), None
    for variant in triplet.variants:
        golden = _read_golden(variant, language)
        if golden is None:
            if variant.lower() in answer.lower():
                return opposed if opposed and "%" in opposed[0] else None
            continue
        polar = golden.kind in (Kind.YES, Kind.NO)
        near = None if polar else best(golden, [token for token in given if _comparable(golden, token, given)])
        if near and near[1].relation is Relation.SAME:
            return None
        if repeated is None:  # most facts agree, and their questions need not be read
            repeated = {(token.kind, token.value) for token in tokens(triplet.question, language)}
            given = tuple(token for token in given if (token.kind, token.value) not in repeated)
        others = [token for token in given[: 1 if polar else None] if _comparable(golden, token, given)]
        near = best(golden, others)
        if near and near[1].relation is Relation.SAME:
            return None
        inside = triplet.stated and not polar and golden.kind is not Kind.DATE
        if near and (not inside or near[1].reason in _QUALIFIERS or golden.unit == "%"):
            opposed = variant, answer[near[0].start : near[0].end]
    return opposed


def _read_golden(variant: str, language: str) -> Token | None:
    """The value that a variant is, or its yes or no; None for words."""
    values, bare = tokens(variant, language), variant.strip(" .")
    sides = [token for token in values if token.kind in (Kind.YES, Kind.NO)]
    if len(sides) == 1 and not any(map(str.isalpha, variant[sides[0].end :])):
        return sides[0]
    first = values[0] if len(values) == 1 else None
    if first and (first.kind is Kind.TIME or _YEAR.fullmatch(bare)) and len(bare) == first.end - first.start:
        return first
    sole = read_sole(variant, language)
    return sole.token if sole and not sole.token.weak else None


def _comparable(golden: Token, other: Token, given: Sequence[Token]) -> bool:
    """Whether a value of the answer stands for the golden one: in a unit of its own only where it is the only one."""
    if {golden.kind, other.kind} == {Kind.YES, Kind.NO}:
        return True
    if golden.kind is not other.kind:
        return False
    if golden.kind is not Kind.AMOUNT or golden.unit == other.unit:
        return True
    return bool(golden.unit and other.unit) or sum(token.kind is Kind.AMOUNT for token in given) == 1


def _find_misspelt(answer: str, variants: Sequence[str]) -> tuple[str, str] | None:
    """Two spellings of one name that differ in a letter or two, not in accents or an ending."""
    written = {without_marks(word.lower()): word for word in _NAME.findall(answer)}
    for variant in variants:
        for word in _NAME.findall(variant):
            plain = without_marks(word.lower())
            if len(plain) < LEAST_OF_NAME or plain in written:
                continue
            for other, name in written.items():
                most = MOST_TYPED if len(plain) > LEAST_OF_NAME + 1 else 1
                ends = plain.startswith(other[:-1]) and other.startswith(plain[:-1]) and len(plain) != len(other)
                alike = len(other) >= LEAST_OF_NAME and plain[0] == other[0] and not ends
                if alike and OSA.distance(plain, other, score_cutoff=most) <= most:
                    return word, name
    return None


@_asked_of(_ANSWERED & (pl.col(COUNT) > 0))
def fact_not_in_answer(triplet: Triplet) -> Iterator[Told]:
    """The answer does not state the fact, neither as a variant nor in other words. The two metrics use different ground
    truths."""
    shared = (_shares_words(variant, triplet.answer, triplet.language) for variant in triplet.variants)
    if not (all(shared) if needs_all(triplet.fact) else any(shared)):
        evidence = f"{_quote_line(triplet.fact)} is not in {_quote_line(triplet.answer)}"
        advice = "Change the answer so that it states the fact, or correct the fact."
        yield WARNING, "The answer does not state the fact.", evidence, advice, None


def _shares_words(variant: str, answer: str, language: str) -> bool:
    """Whether the answer says half of a variant, abbreviates it, or has a value beside it to compare."""
    if variant.strip(" .").lower() in answer.lower():
        return True
    answer_words = words(answer, language)
    stretches = (find_stretch(phrase, answer_words, "", language) for phrase in read_phrases(variant, "", language))
    if any(stretch and stretch.share >= HALF for stretch in stretches):
        return True
    if find_short(variant, answer_words):
        return True
    # The same, or another value: `fact-against-answer` tells which.
    return any(best(token, tokens(answer, language)) for token in _read_measured(variant, language))


@_asked_of(_ONE_OF & (pl.col(COUNT) <= MOST) & _ALL_SHORT)
def missing_form(triplet: Triplet) -> Iterator[Told]:
    """The fact has one form of an amount or a date. Other forms are as right, but score 0 unless they are variants of
    the fact: 158,000,000 for 158 million, 22 February 2023 for February 22, 2023, or what the golden answer writes."""
    if triplet.contradicts_itself:
        return
    proposed = [*_list_answer_forms(triplet)]
    if len({re.sub(r"[\d.,]+", "0", sole.written) for sole in triplet.soles}) <= 1:
        variants = OR_DELIMITER.join([*triplet.variants, *proposed])
        proposed += equivalent_forms(variants, triplet.answer, triplet.question)
    if proposed:
        message = "The fact has one form of a value: the same value in another form scores 0."
        added = OR_DELIMITER.join([triplet.fact, *proposed])
        yield WARNING, message, _quote(triplet.fact), f"Add {', '.join(proposed)}.", added


def _list_answer_forms(triplet: Triplet) -> Iterator[str]:
    """What the golden answer writes for the fact, where no variant matches it."""
    level = triplet.answer.lower()
    if not any(variant.lower() in level for variant in triplet.variants):
        values = _read_measured(triplet.answer, triplet.language)
        near = [best(sole.token, values) for sole in triplet.soles if not sole.token.weak]
        for token, comparison in filter(None, near[:1]):
            words = triplet.answer[token.start : token.end]
            if comparison.relation is Relation.SAME and comparison.reason not in ("silent", "part") and len(words) > 2:
                yield words


@_asked_of(_ONE_OF & _DIGITS.list.sum().is_between(2, MOST))
def contradicting_variants(triplet: Triplet) -> Iterator[Told]:
    """Two variants of the fact are different numbers or dates: “134183 million” and “134,383 million” cannot both be
    right. “12.5 billion” and “12,455 million” can: one is rounded. Responses that state the wrong one score 1."""
    values = [sole for sole in triplet.soles if not sole.token.weak and re.search(r"\d", sole.text)]
    differing = [pair for pair in combinations(dict.fromkeys(values), 2) if differ(*pair)]
    against = Counter(sole.text for pair in differing for sole in pair)
    if not against:
        return
    given = _read_measured(triplet.answer, triplet.language)
    near = {sole.text: best(sole.token, given) for sole in values if sole.text in against}
    odd = [variant for variant, pair in near.items() if pair and pair[1].relation is Relation.OTHER]
    if not 0 < len(odd) < len(near):
        most = [variant for variant in near if against[variant] == max(against.values())]
        odd = most if len(most) == 1 else []
    others = [variant for variant in near if variant not in odd]
    evidence = " beside ".join(", ".join(map(_quote, group)) for group in (odd, others) if group)
    if odd:
        message = "A variant states a different number or date from the other variants and the answer."
        kept, advice = _mend_fact(triplet.fact, odd, others)
        yield ERROR, message, evidence, advice, kept
    else:
        message = "Variants state different numbers or dates, and the answer does not show which is right."
        yield ERROR, message, evidence, "Check the source, keep the right variant and remove the others.", None


def _mend_fact(fact: str, odd: Sequence[str], others: Sequence[str]) -> tuple[str | None, str]:
    """The fact with typing errors corrected and what else is odd removed, and that in words."""
    parts = [part for part in fact.split(OR_DELIMITER) if part.strip()]
    variants = {part.strip() for part in parts}
    mended, advice = [], []
    for part in parts:
        words = part.strip()
        right = next((right for other in others if (right := _correct_digits(words, other))), None)
        if words not in odd:
            mended.append(part)
        elif right is None or right in variants:
            advice.append(f"Remove {_quote(words)}.")
        else:
            advice.append(f"Write {_quote(right)}: {_quote(words)} looks like a typing error.")
            mended.append(right)
    return OR_DELIMITER.join(mended) or None, " ".join(advice)


def _correct_digits(odd: str, right: str) -> str | None:
    """The odd number with the digits of the right one, where they differ in one digit alone: a typing error."""
    if [*filter(str.isalpha, odd)][:3] != [*filter(str.isalpha, right)][:3]:
        return None  # July is no typing error of August
    digits = [letter for letter in right if letter.isdigit()]
    wrong = [letter for letter in odd if letter.isdigit()]
    if len(digits) != len(wrong) or sum(first != second for first, second in zip(wrong, digits, strict=True)) != 1:
        return None
    left = iter(digits)
    return "".join(next(left) if letter.isdigit() else letter for letter in odd)


SHORT = 3
"""Words of an answer that is no sentence, at most."""
_VALUES = {Kind.AMOUNT, Kind.ORDINAL, Kind.FREQUENCY, Kind.CODE, Kind.DATE, Kind.TIME}
_ASKS_NUMBER = re.compile(r"(?i)^\W*(?:(?:in|for|by|at) )?(?:how (?:many|much)|what (?:percentage|percent|share) )")
_ASKS_DATE = re.compile(
    r"(?i)^\W*(?:when (?:did|does|do|is|was|were|will|are) |(?:in|on|by) (?:what|which) (?:year|date|day|month) "
    r"|what (?:year|date) )"
)
_ASKS_PERSON = re.compile(r"(?i)^\W*(?:who|whom|whose)\b")
_ASKS_PLACE = re.compile(r"(?i)^\W*where\b")
_QUANTITY = re.compile(
    r"(?i)\b(?:no|none|nothing|zero|all|every|both|half|most|several|many|few|some|majority|minority|third|quarter|double|dozens?|hundreds|thousands|millions|free|enough|unlimited|single|pair|couple)\b"
)
_MOMENT = re.compile(
    r"(?i)\b(?:after|before|during|since|until|when|once|upon|while|at|by|every|each|day|week|month|year|century|era|age|"
    r"spring|summer|autumn|fall|winter|morning|night|today|now|never|always|soon|christmas|easter|easter|war|period|reign)\b"
)
_YEAR = re.compile(r"(?<![\d.,/-])(?:1[5-9]|20)\d\d(?![\d/-]|[.,]\d)")


@_asked_of(_ANSWERED & pl.col(QUESTION).str.contains(r"(?i)^\W*\w+") & pl.col(ANSWERABLE).fill_null(value=True))
def answer_to_another_question(triplet: Triplet) -> Iterator[Told]:
    """The question asks for another kind of thing than the triplet answers (a number, a date, a person, a place) or for
    another year. The answer may belong to another question; then every right response is wrong by it."""
    question, answer, fact = triplet.question, triplet.answer, triplet.fact
    if not any(asks.search(question) for asks in (_ASKS_NUMBER, _ASKS_DATE, _ASKS_PERSON, _ASKS_PLACE, _YEAR)):
        return
    stated = f"{answer} {fact.replace(OR_DELIMITER, ' ')}"
    what = _other_kind(triplet, stated)
    check = "Put the answer to this question here, or ask for what is answered."
    evidence = f"{_quote(question)} beside {_quote(answer)}"
    if what:
        yield WARNING, f"The question asks for {what}, and the triplet has none.", evidence, check, None
    years, given = {*_YEAR.findall(question)}, {*_YEAR.findall(stated)}
    asks_date = _ASKS_DATE.search(question) or re.search(r"(?i)\bwhat year|which year|when\b", question)
    if len(years) == 1 and len(given) == 1 and years != given and not asks_date and not given & {*_YEAR.findall(fact)}:
        message = f"The question asks about {min(years)}, and the answer speaks of {min(given)}."
        yield WARNING, message, evidence, "Correct the year, or the answer.", None


def _other_kind(triplet: Triplet, stated: str) -> str:
    """What the question asks for where the triplet has nothing of the kind; else an empty text.

    Short answers are left alone: `Entropy` is when two people of a series meet.
    """
    question, answer = triplet.question, triplet.answer
    if _ASKS_PERSON.search(question) or _ASKS_PLACE.search(question):
        whole = [sole.written for sole in triplet.soles if any(map(str.isdigit, sole.written))]
        if whole and whole == triplet.variants:
            return "a person" if _ASKS_PERSON.search(question) else "a place"
    if len(answer.split()) <= SHORT or not answer.rstrip().endswith("."):
        return ""
    number = _ASKS_NUMBER.search(question) and not _QUANTITY.search(stated)
    date = _ASKS_DATE.search(question) and not _MOMENT.search(stated)
    if not (number or date) or any(token.kind in _VALUES for token in tokens(stated, triplet.language)):
        return ""
    return "a number" if number else "a date"


@_asked_of(~(is_blank(FACT) & is_blank(ANSWER)))
def answered_unanswerable(triplet: Triplet) -> Iterator[Told]:
    """The question is marked as unanswerable and has an answer, or its answer says that the source does not state it,
    and it is not marked: declining to answer would count as right and as wrong."""
    question, answer, fact = triplet.question, triplet.answer, triplet.fact
    declines = _declines(answer, question) and (fact.lower() in answer.lower() or _declines(fact, question))
    marked = triplet.answerable is False
    if marked:
        message = "The question is marked as unanswerable, and the triplet answers it."
        advice = "Mark it as answerable, or remove fact and answer."
    else:
        message = "The answer says that the source does not state it; the question is not marked unanswerable."
        advice = "Set `answerable` to false and remove fact and answer, or answer the question."
    if marked != declines:
        severity = WARNING if triplet.answerable is None else ERROR
        yield severity, message, _quote_line(fact if triplet.variants else answer), advice, None


def _declines(text: str, question: str) -> bool:
    """Whether a text gives no answer: none at all, or a refusal; that something is unknown may well be an answer."""
    refusal = read_refusal(text, question, detect_language(question)) if text.strip() else None
    return not text.strip() or (refusal is not None and refusal.declines and "unknown" not in text.lower())


def missing_text(subject: Subject) -> pl.DataFrame:
    """The triplet has no fact, so Factual Knowledge cannot score its responses; or it has a fact and, unlike most
    others, no answer, so closeness and conciseness are not scored. A question marked as unanswerable needs neither."""
    answerable = pl.col(ANSWERABLE).fill_null(value=True)
    no_fact, no_answer = is_blank(FACT), is_blank(ANSWER)
    usual = bool(subject.golden.select((~no_answer).mean() >= 0.5).item()) if subject.golden.height else False
    bare = subject.golden.filter(answerable & (no_fact | (no_answer & usual)))
    without_fact = "The triplet has no fact, so Factual Knowledge is not scored."
    without_answer = "The triplet has a fact and no answer, so closeness is not scored."
    return lint.report(
        bare.with_columns(either(no_fact, NOTE, WARNING).alias(lint.SEVERITY)),
        either(no_fact, without_fact, without_answer),
        lint.quote_text(pl.coalesce(ANSWER, QUESTION)),
        either(no_fact, "Add a fact: the few words that every right response contains.", "Write the answer."),
    )


@_asked_of(_ANSWERED & ~is_blank(QUESTION))
def mixed_languages(triplet: Triplet) -> Iterator[Told]:
    """The question is in one language and the answer in another. Pipelines answer in the language of the question, so
    their words do not occur in the golden answer."""
    own = tell_language(triplet.question)
    other = tell_language(triplet.answer, own) if own else ""
    if other and other != own and not {own, other} <= _NEAR:
        message = "The question and the answer are in different languages."
        evidence = f"{_quote_line(triplet.question)} beside {_quote_line(triplet.answer)}"
        yield WARNING, message, evidence, "Write question, answer and fact in one language.", None


def tell_language(text: str, default: str = "") -> str:
    """Return the code of the language of a text, or the name of its script (`hangul`); "" if too short.

    `default` is a code that wins where the words of two languages are as many.
    """
    if max(text[:TOLD_BY], default="") > _LAST_LATIN:
        letters = filter(str.isalpha, text[:TOLD_BY])
        scripts = Counter(
            "LATIN" if letter < "\xaa" else unicodedata.name(letter, "").partition(" ")[0] for letter in letters
        )
        ((script, _),) = scripts.most_common(1) or (("LATIN", 0),)
        if script in ("CJK", "HIRAGANA", "KATAKANA"):
            return detect_language(text)
        if script != "LATIN":
            return script.lower()
    return detect_language(text, default) if len(text.split()) >= LEAST_WORDS_TOLD else ""
