"""Numbers written in words, English and Vietnamese: where they stand in a text and what they are worth."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class WordNumber:
    """A number in words: offsets into the text, and what it is worth."""

    start: int
    end: int
    value: Decimal
    scale: int
    """Of its last scale word: 1,000,000 in "two million", 1 in "two"."""
    ordinal: bool
    weak: bool
    """The words have another common reading: `one` of them, `half`, Vietnamese `năm` (five, or year)."""


_ONES = "zero one two three four five six seven eight nine"
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINAL_ONES = "first second third fourth fifth sixth seventh eighth ninth"
_ORDINAL_TEENS = "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
_ORDINAL_TENS = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"
_VIETNAMESE_ONES = "không một hai ba bốn năm sáu bảy tám chín"

_ORDINALS = frozenset(f"{_ORDINAL_ONES} {_ORDINAL_TEENS} {_ORDINAL_TENS}".split())
_PARTS = {"half": 2, "thirds": 3, "quarter": 4, "quarters": 4, "fifths": 5, "eighths": 8, "tenths": 10}
_WEAK_ALONE = frozenset(f"one half quarter mười {_VIETNAMESE_ONES}".split())
_NEVER_ALONE = frozenset(("không", "mốt", "lăm", "tư", "mươi"))
_SCALES = {
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "lakh": 10**5,
    "crore": 10**7,
    "nghìn": 10**3,
    "ngàn": 10**3,
    "triệu": 10**6,
    "tỷ": 10**9,
    "tỉ": 10**9,
}


def _spelled() -> dict[str, tuple[str, int]]:
    """Each number word with its kind and worth."""
    words: dict[str, tuple[str, int]] = {}
    for kind, first, step, names in (
        ("ones", 0, 1, _ONES),
        ("ones", 1, 1, _ORDINAL_ONES),
        ("ones", 0, 1, _VIETNAMESE_ONES),
        ("teens", 10, 1, _TEENS),
        ("teens", 10, 1, _ORDINAL_TEENS),
        ("tens", 20, 10, _TENS),
        ("tens", 20, 10, _ORDINAL_TENS),
    ):
        words |= {name: (kind, first + step * place) for place, name in enumerate(names.split())}
    words |= {"fourty": ("tens", 40), "mười": ("tens", 10), "mốt": ("ones", 1), "lăm": ("ones", 5), "tư": ("ones", 4)}
    words |= {"mươi": ("times ten", 10), "hundred": ("hundred", 100), "trăm": ("hundred", 100), "dozen": ("scale", 12)}
    words |= {name: ("scale", worth) for name, worth in _SCALES.items()}
    return words | {name: ("part", worth) for name, worth in _PARTS.items()}


_WORDS = _spelled()
_WORD = re.compile("(?:" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")(?!\w)")
_JOIN = re.compile(r"[ -]|,? and |, | an? | lẻ | linh ")
_POINT = re.compile(r" (?:point|phẩy)((?: (?:" + "|".join(f"{_ONES} {_VIETNAMESE_ONES}".split()) + r"))+)(?!\w)")
_AND_PART = re.compile(r" and (?:an? |one )?(half|quarter|third)(?!\w)")
_ARTICLE = re.compile(r"(?<!\w)an? $")
_DIGIT_BEFORE = re.compile(r"\d[ -]?$")


def find(level: str) -> list[WordNumber]:
    """Return the numbers in words of a levelled text (see `statements.levelled`), in order."""
    if not may_hold(level):
        return []
    return [number for run in _runs(level) if (number := _worth(level, run))]


def may_hold(level: str) -> bool:
    """Whether the text may hold a number in words. Costs a tenth of looking for them."""
    return not _WORDS.keys().isdisjoint(_SEPARATORS.sub(" ", level).split())


_SEPARATORS = re.compile(r"[^\w\s]+")

_Run = list[re.Match[str]]


def _runs(level: str) -> Iterator[_Run]:
    """Stretches of number words that stand together and make one number."""
    run: _Run = []
    for word in _WORD.finditer(level):
        start = word.start()
        if start and (level[start - 1].isalnum() or level[start - 1] == "_"):
            continue
        if run and not _continues(level, run, word):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _continues(level: str, run: _Run, word: re.Match[str]) -> bool:
    """Whether `word` belongs to the number that the words of `run` began."""
    last = run[-1]
    between = level[last.end() : word.start()]
    if not _JOIN.fullmatch(between):
        return False
    before, kind = _WORDS[last.group()][0], _WORDS[word.group()][0]
    if last.group() in _ORDINALS:
        return False
    if between == ", ":
        return before == "scale" and kind in ("ones", "teens", "tens")
    if between.strip() in ("a", "an"):
        return before == "part" and kind in ("hundred", "scale")
    if "and" in between:
        return before in ("hundred", "scale") and kind in ("ones", "teens", "tens")
    return _MAY_FOLLOW[kind] >= {before}


_MAY_FOLLOW = {
    "ones": frozenset(("tens", "times ten", "hundred", "scale")),
    "teens": frozenset(("hundred", "scale")),
    "tens": frozenset(("hundred", "scale")),
    "times ten": frozenset(("ones",)),
    "hundred": frozenset(("ones", "teens", "tens", "scale")),
    "scale": frozenset(("ones", "teens", "tens", "times ten", "hundred", "scale", "part")),
    "part": frozenset(("ones", "teens")),
}
"""Which kinds of number word each kind continues."""


def _worth(level: str, run: _Run) -> WordNumber | None:
    """The number that the words of `run` make; null where they are no number by themselves."""
    names = [word.group() for word in run]
    start, end = run[0].start(), run[-1].end()
    alone = len(run) == 1
    kind = _WORDS[names[0]][0]
    if kind in ("hundred", "scale") and _DIGIT_BEFORE.search(level, max(0, start - 2), start):
        return None
    if alone and names[0] in _NEVER_ALONE:
        return None
    if article := _ARTICLE.search(level, max(0, start - 4), start):
        start = article.start()
    elif alone and kind in ("hundred", "scale"):
        return None
    value = _sum(names)
    value, end = _with_decimals(level, value, end)
    scale = next((_WORDS[name][1] for name in reversed(names) if _WORDS[name][0] == "scale"), 1)
    ordinal = names[-1] in _ORDINALS
    return WordNumber(start, end, value, scale, ordinal, weak=alone and (names[0] in _WEAK_ALONE))


def _sum(names: list[str]) -> Decimal:
    """What the words are worth together: `two hundred and five thousand` is 205,000."""
    total, group = Decimal(0), Decimal(0)
    for name in names:
        kind, worth = _WORDS[name]
        if kind == "part":
            group = (group or Decimal(1)) / worth
        elif kind == "times ten" or kind == "hundred":
            group = (group or Decimal(1)) * worth
        elif kind == "scale" and total and not group:
            total *= worth
        elif kind == "scale":
            total, group = total + (group or 1) * worth, Decimal(0)
        else:
            group += worth
    return total + group


def _with_decimals(level: str, value: Decimal, end: int) -> tuple[Decimal, int]:
    """The value with what follows the number: `three point five`, `two and a half`."""
    if point := _POINT.match(level, end):
        digits = "".join(str(_WORDS[word][1]) for word in point.group(1).split())
        return value + Decimal(f"0.{digits}"), point.end()
    if part := _AND_PART.match(level, end):
        return value + Decimal(1) / _PARTS.get(part.group(1), 3), part.end()
    return value, end
