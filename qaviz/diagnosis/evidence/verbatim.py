"""The fact as Factual Knowledge finds it: stated, denied, inside a larger token, or an accident: the number of a page.

An accident is about something else: a page, an identifier, a street number, a date where none is asked.
"""

import re
from functools import lru_cache

from qaviz.diagnosis.evidence import VERBATIM, Case, Evidence, Span, Stance, polarity, quantities
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.dates import asks_date
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS, word_set
from qaviz.diagnosis.evidence.quantities.units import CURRENCY_SIGNS, UNITS
from qaviz.diagnosis.evidence.words import stems
from qaviz.scoring.facts import token_around

ACCIDENT = "accident"
"""The fact's letters, as something else: a page, an identifier."""
ORDINALS = ("st", "nd", "rd", "th")
"""What makes a place in a row of the number before it: the 27th is not 27."""
YEAR, NAME = 4, 6
"""Digits of a number that words may be run together with; letters of a name that one more letter leaves the same."""
_SCALES = ("s", "k", "m", "b", "bn", "km", "kg", "cm", "mm", "ft", "x", "st", "nd", "rd", "th")
INFLECTED = 2
"""Letters behind a word by which it is only another form of it."""
LABELS = """
page pages p pp document doc invoice order ticket room locker flat apartment ext extension tel phone fax ref reference
version build section article chapter figure fig table note notes footnote form identifier id isbn serial case file box
zip postcode account code licence license patent gate bus route highway flight channel exhibit appendix chart paragraph
clause docket filing accession sku model lot batch row column line step item
"""
"""Nouns before a number that name a place in a text, an identifier or one of a series."""
_LABEL = re.compile(
    rf"(?:^|[^\w])({'|'.join(sorted(LABELS.split(), key=len, reverse=True))})\b\.?"
    r"(?: (?:id|no|nr|number|code|num)\b\.?)? ?[:#=-]? ?[\"'(\[*_#]*$"
)
_DIALLED = re.compile(r"(?:\+\d[\d ()./-]*|\b(?:call|dial|phone|telephone|tel|fax)\b\W{0,3}[\d ()./+-]*)$")
_MONTH = (
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
_MONTHS = "|".join(_MONTH.split())
_MONTH_BEFORE = re.compile(rf"\b(?:{_MONTHS})\.? $")
_MONTH_AFTER = re.compile(rf"^ (?:of )?(?:{_MONTHS})\b")
_ROAD = re.compile(
    r"^,? (?:[A-Z][\w'.-]+ ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Boulevard|Blvd|Square|Way|Terrace)\b"
)
_UNIT = re.compile(r"^ ?-?([^\W\d_]+|[%°])")
_PEOPLE = word_set("""
people persons men women children kids deaths dead employees workers staff players students members victims soldiers
passengers residents inhabitants miners citizens heads souls
""")
_COUNTED = re.compile(r"\bhow many (?:[a-z'-]+ ){0,2}?([a-z]{3,}s|people|men|women|children)\b")
_COUNTS = re.compile(r"^ ([a-z]{3,}s)(?:[.!]?$|[.;,] )")
_NOT_COUNTED = frozenset(("units", "times", "items", "pieces", "ones", "others", "years", "days", "months", "weeks"))
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_YEAR = re.compile(r"1\d{3}|20\d\d")
_AMBIGUOUS = frozenset(("in", "times", "won", "stone", "second", "seconds", "fold", "feet", "pp"))
"""Units that are other words as well."""
_DAYS = 31
_REACH = 40


def find_verbatim(case: Case) -> Evidence | None:
    """The fact as Factual Knowledge found it.

    CONTRADICTS where it is denied, stands only inside a larger token, or is another number without its punctuation.
    """
    if not case.variant or not case.variant.strip():
        return None
    if case.variant.strip().lower() in polarity.SIDES:
        return _side(case.variant, case)
    golden = Span(0, len(case.variant), case.variant)
    stated = Span(case.start, case.end, case.response[case.start : case.end])
    if case.inside_token:
        return _in_larger_token(golden, stated, case)
    if case.variant[-1].isdecimal() and case.response[case.end : case.end + 2].lower() in ORDINALS:
        place = case.response[case.start : case.end + 2]
        return Evidence(VERBATIM, Stance.CONTRADICTS, golden, stated, f"it is an ordinal number: “{place}”")
    if stated.text.lower() != case.variant.lower() and quantities.is_other(
        case.variant, case.response, case.start, case.end
    ):
        return Evidence(VERBATIM, Stance.CONTRADICTS, golden, stated, f"the number differs from “{case.variant}”")
    if note := _accident(stated, case):
        return Evidence(ACCIDENT, Stance.CONTRADICTS, golden, stated, note, strength=0.8)
    return Evidence(VERBATIM, Stance.AGREES, golden, stated)


def _side(variant: str, case: Case) -> Evidence | None:
    """A yes or no that begins the response and is the side it takes; elsewhere its letters say nothing."""
    opening = re.match(rf"\W*({re.escape(variant.strip())})\b", case.response, re.IGNORECASE)
    if not opening or polarity.compare(variant, case.response, case.question).stance is not Stance.AGREES:
        return None
    return Evidence(VERBATIM, Stance.AGREES, Span(0, len(variant), variant), Span(*opening.span(1), opening[1]))


def _accident(stated: Span, case: Case) -> str:
    """What all mentions of a number are instead of an answer, as the first one is; empty where one may answer."""
    first, start = "", stated.start
    while start >= 0 and stated.text:
        end = start + len(stated.text)
        accident = find_accident(case.response, start, end, case.question, case.answer)
        if not accident:
            return ""
        first = first or accident
        start = case.response.find(stated.text, end)
    return first


def _in_larger_token(golden: Span, stated: Span, case: Case) -> Evidence:
    """A match inside a larger token is an accident, unless both are words and one is made of the other: `gunshot`."""
    larger = token_around(case.response, stated.start, stated.end)
    begin = case.response.index(larger, max(0, stated.end - len(larger)))
    token = Span(begin, begin + len(larger), larger)
    note = f"only a part of it is “{stated.text}”"
    at_an_end = stated.start == token.start or stated.end == token.end
    if _is_glued(stated.text, larger[: stated.start - token.start], larger[stated.end - token.start :]):
        return Evidence(VERBATIM, Stance.AGREES, golden, stated, "the space beside it is missing", strength=0.8)
    before = larger.removesuffix(stated.text)
    if len(stated.text) >= NAME and len(before) == 1 and before.isalpha() and stated.text[0].isalpha():
        return Evidence(VERBATIM, Stance.AGREES, golden, token, "spelled differently", strength=0.5)
    if at_an_end and larger.isalpha() and _is_inflection(stated.text.lower(), larger.lower()):
        return Evidence(VERBATIM, Stance.AGREES, golden, token, "in another form", strength=0.8)
    return Evidence(VERBATIM, Stance.CONTRADICTS, golden, token, note)


def _is_inflection(word: str, larger: str) -> bool:
    """Whether a longer word is a form of the last word of a text: plants, of plant."""
    last = word.rsplit(" ", 1)[-1]
    longer = len(larger) - len(last)
    return larger.startswith(last) and (longer <= INFLECTED or not set(stems(last)).isdisjoint(stems(larger)))


def _is_glued(stated: str, before: str, after: str) -> bool:
    """Whether a value is run together with words, as texts of web pages and PDF files are: `in1969by`, `starLuke`."""
    if stated.isdecimal():
        letters = all(not part or (part.isalpha() and part.islower()) for part in (before, after))
        return letters and len(stated) >= YEAR and after not in _SCALES
    if not stated[:1].isalpha() or not stated[-1:].isalpha():
        return False
    several = " " in stated
    begins = not before or (several and before.lower() in FUNCTION_WORDS)
    begins = begins or (before[-1].islower() and stated[0].isupper())
    ends = not after or after in FUNCTION_WORDS or (several and after.isalpha() and after.islower())
    return begins and ends


def find_accident(response: str, start: int, end: int, question: str, answer: str) -> str:
    """Return what the number at `start` to `end` is instead of an answer: `a page or an identifier`; empty if nothing.

    Only a number on its own can be one, and only where question and golden answer do not speak of such a thing.
    """
    if not _NUMBER.fullmatch(response[start:end]):
        return ""
    level = level_text(response)
    before, after = level[max(0, start - _REACH) : start], level[end : end + _REACH]
    known = _collect_known_words(question, answer)
    label = _LABEL.search(before)
    if label and not any(word.startswith(stems(label[1])) for word in known):
        return f"it is the number of something else (“{label[0].strip()}”)"
    if _DIALLED.search(before) and known.isdisjoint(("phone", "telephone", "number", "extens", "call", "dial")):
        return "it is part of a phone number"
    if _ROAD.match(response[end : end + _REACH]) and known.isdisjoint(("addres", "street", "locat", "offic", "where")):
        return "it is part of an address"
    return _other_measure(response[start:end], before, after, question, known)


def _other_measure(number: str, before: str, after: str, question: str, known: frozenset[str]) -> str:
    """What a plain number is by what stands beside it: money, a day, a length."""
    dated = asks_date(question)
    in_month = _MONTH_BEFORE.search(before) or _MONTH_AFTER.match(after)
    if in_month and not dated and number.isdecimal() and int(number) <= _DAYS and "date" not in known:
        return "it is part of a date"
    if match := _COUNTED.search(level_text(question)):
        return _other_count(match[1], before, after, known)
    if not dated:
        return ""
    if not _YEAR.fullmatch(number):
        return ""
    if before[-1:] in CURRENCY_SIGNS:
        return "it is an amount of money"
    if unit := _UNIT.match(after):
        word = unit[1]
        if word in _PEOPLE or (word in UNITS and len(word) > 1 and word not in _AMBIGUOUS):
            return f"it counts {word}"
    return ""


def _other_count(counted: str, before: str, after: str, known: frozenset[str]) -> str:
    """What a number counts or measures where other things are to be counted."""
    if before[-1:] in CURRENCY_SIGNS and known.isdisjoint(CURRENCY_SIGNS):
        return "it is an amount of money"
    unit = _UNIT.match(after)
    if unit and unit[1] in UNITS and len(unit[1]) > 1 and known.isdisjoint((unit[1], *stems(unit[1]))):
        return "" if unit[1] in _AMBIGUOUS else f"it is a measure in {unit[1]}"
    counts = _COUNTS.match(after)
    if not counts or counts[1] in _NOT_COUNTED or not known.isdisjoint(stems(counts[1])):
        return ""
    return "" if counted in _PEOPLE and counts[1] in _PEOPLE else f"it counts {counts[1]}"


@lru_cache(maxsize=4096)
def _collect_known_words(question: str, answer: str) -> frozenset[str]:
    """The stems and words of question and golden answer."""
    words = re.findall(r"[^\W\d_]+", level_text(f"{question} {answer}"))
    return frozenset(stem for word in words for stem in (word, *stems(word)))
