"""The fact letter by letter: as Factual Knowledge finds it (stated, denied, inside a larger token, or by accident); and
codes, versions and signs, which compare exactly, for C# is not C++ and 3.1 is not 3.10.

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


KIND = "symbol"
LONGEST = 40
"""Characters of a golden text that may be a code."""
READ = 20_000
_BLANKED = str.maketrans(dict.fromkeys("\"'“”‘’*_`()[]<>,;:!?", " "))
"""What may stand around a token and is no part of it."""
_CODE = re.compile(
    r"(?=[^ ]*\d)(?=[^ ]*[^\W\d_])[^\W_]+(?:[-./#+][^\W_]+)*"  # letters and digits: B12, RFC-2616, 3b
    r"|[^\W\d_]{1,3}[+#*-]{1,3}|[+*/#@&-]{1,3}"  # C++, A+, A-
    r"|\d+(?:\.\d+){2,}|\d+(?:-\d+)+"  # 1.2.3, 555-0123
)
_AMOUNT = re.compile(
    r"(?:\d+(?:[.,]\d+)*|q[1-4]|fy)(?:st|nd|rd|th|s|k|m|b|bn|mm|cm|km|g|kg|mg|ml|l|x|h|hr|hrs|min|am|pm|gb|mb|tb|kb"
    r"|hz|khz|mhz|ghz|w|kw|mw|v|mv|kwh|mwh|mph|kph|ft|in|lb|lbs|oz|ha|c|f|d|p|t|years?|days?|y|yr|°c)?"
)
"""A number with a unit or an ending, which is an amount or a place in a row."""
_VERSIONED = re.compile(r"\b(?:version|release|build|revision|edition|section|clause|paragraph|rule|code|v\.?)\b")
_VERSION = re.compile(r"v\d+(?:\.\d+)+")
_DECIMAL = re.compile(r"\d+(?:\.\d+)+")
_MARKS = re.compile(r"(?<=[^\W_])[ ./-](?=[^\W_])")
_RUN = 4
"""Letters and digits of a code that may be written with other marks: 555 0142 for 555-0142."""
_DATE = re.compile(r"[12]\d{3}(?:-\d\d?){1,2}|\d\d?-\d\d?-\d{4}|[12]\d{3}-\d{2,4}|\d{1,3}-\d{1,3}|\d+-[a-z]{2,}")


@lru_cache(maxsize=16_384)
def _codes(golden: str, question: str) -> tuple[str, ...]:
    """The codes that a golden text consists of; none where it has other words too."""
    if len(golden) > LONGEST:
        return ()
    versioned = bool(_VERSIONED.search(level_text(question)))
    tokens = _tokens(level_text(golden))
    codes = tuple(token for token in tokens if _is_code(token, versioned))
    return codes if codes and len(tokens) == len(codes) else ()


def _is_code(token: str, versioned: bool) -> bool:
    if versioned and _DECIMAL.fullmatch(token):
        return True
    return bool(_CODE.fullmatch(token)) and not _AMOUNT.fullmatch(token) and not _DATE.fullmatch(token)


def _tokens(level: str) -> list[str]:
    tokens = (token.rstrip(".") or token for token in level.translate(_BLANKED).split())
    return [token[1:] if _VERSION.fullmatch(token) else token for token in tokens]


def speaks(golden: str, question: str) -> bool:
    """Whether a golden text is a code, a version, or signs."""
    return bool(_codes(golden, question))


def compare(golden: str, response: str, question: str = "") -> Evidence:
    """Whether `response` has each code of the golden text as it is.

    AGREES: all of them. CONTRADICTS: another code of the same first letters or digits, as C# for C++. ABSENT: neither.
    SILENT: the golden text is no code.
    """
    codes = _codes(golden, question)
    if not codes:
        return Evidence(KIND, Stance.SILENT)
    level = level_text(response[:READ])
    stated = _tokens(level)
    whole = Span(0, len(golden), golden)
    if all(code in stated for code in codes):
        return Evidence(KIND, Stance.AGREES, whole, _place(codes[0], level, response), "the same code")
    in_question = _tokens(level_text(question))
    missing = next(code for code in codes if code not in stated)
    letters = "".join(filter(str.isalnum, missing))
    if len(letters) >= _RUN and letters in _MARKS.sub("", level):
        return Evidence(KIND, Stance.AGREES, whole, None, "the same code, written with other marks", 0.8)
    other = next((token for token in stated if token not in in_question and _is_alike(token, missing)), None)
    if other:
        note = f"States {other} where the golden code is {golden}"
        return Evidence(KIND, Stance.CONTRADICTS, whole, _place(other, level, response), note, 0.8)
    return Evidence(KIND, Stance.ABSENT, whole, None, f"does not say {golden}")


def _is_alike(token: str, code: str) -> bool:
    """Whether a token may stand in place of a code: it begins alike, and is one too."""
    if token == code or token[0] != code[0]:
        return False
    return bool(_CODE.fullmatch(token) or _DECIMAL.fullmatch(token)) or token == code.rstrip("+#*-")


def _place(token: str, level: str, response: str) -> Span:
    start = level.find(token)
    return Span(start, start + len(token), response[start : start + len(token)])
