"""Codes, versions and signs: a golden text of such compares exactly, for C# is not C++ and 3.1 is not 3.10."""

import re
from functools import lru_cache

from qaviz.diagnosis.evidence import Evidence, Span, Stance
from qaviz.diagnosis.evidence.clauses import level_text

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
