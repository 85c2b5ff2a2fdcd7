"""Numbers written in words, English and Vietnamese: where they stand in a text and what they are worth."""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple

from qaviz.diagnosis.evidence.lexicon import ORDINAL_TENS, TENS

_ONES = "zero one two three four five six seven eight nine"
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_ORDINAL_ONES = "first second third fourth fifth sixth seventh eighth ninth"
_ORDINAL_TEENS = "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
_VIETNAMESE_ONES = "không một hai ba bốn năm sáu bảy tám chín"
_ORDINALS = frozenset(f"{_ORDINAL_ONES} {_ORDINAL_TEENS} {ORDINAL_TENS}".split())
_PARTS = {"half": 2, "thirds": 3, "quarter": 4, "quarters": 4, "fifths": 5, "eighths": 8, "tenths": 10}
_WEAK_ALONE = frozenset(f"once twice thrice one half quarter mười {_VIETNAMESE_ONES}".split())
_NEVER_ALONE = frozenset(("không", "mốt", "lăm", "tư", "mươi", "quarters", "thirds", "fifths", "eighths", "tenths"))
_SCALE_WORDS = {
    3: "thousand nghìn ngàn",
    5: "lakh",
    6: "million triệu",
    7: "crore",
    9: "billion tỷ tỉ",
    12: "trillion",
}
_SCALES = {word: 10**power for power, words in _SCALE_WORDS.items() for word in words.split()}
_JOIN = re.compile(r"[ -]|,? and |, | an? | lẻ | linh ")
_POINT = re.compile(r" (?:point|phẩy)((?: (?:" + "|".join(f"{_ONES} {_VIETNAMESE_ONES}".split()) + r"))+)(?!\w)")
_AND_PART = re.compile(r" and (?:an? |one )?(half|quarter|third)(?!\w)")
_TAILS = (" po", " ph", " an")
"""How what `_POINT` and `_AND_PART` look for begins."""
_SCALE_AFTER = re.compile(" (" + "|".join(_SCALES) + r")(?!\w)")
_LETTERS = re.compile(r"[^\W\d_]+")
Place = tuple[int, int, str]
"""Where a number word begins and ends, and the word."""
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


class WordNumber(NamedTuple):
    """A number in words: offsets into the text, and what it is worth."""

    start: int
    end: int
    value: Decimal
    scale: int
    """Of its last scale word: 1,000,000 in "two million", 1 in "two"."""
    ordinal: bool
    weak: bool
    """The words have another common reading: `one` of them, `half`, Vietnamese `năm` (five, or year)."""


def _list_number_words() -> dict[str, tuple[str, int]]:
    """Each number word with its kind and worth."""
    words: dict[str, tuple[str, int]] = {}
    for kind, first, step, names in (
        ("ones", 0, 1, _ONES),
        ("ones", 1, 1, _ORDINAL_ONES),
        ("ones", 0, 1, _VIETNAMESE_ONES),
        ("teens", 10, 1, _TEENS),
        ("teens", 10, 1, _ORDINAL_TEENS),
        ("tens", 20, 10, TENS),
        ("tens", 20, 10, ORDINAL_TENS),
    ):
        words |= {name: (kind, first + step * place) for place, name in enumerate(names.split())}
    words |= {"once": ("ones", 1), "twice": ("ones", 2), "thrice": ("ones", 3)}
    words |= {"fourty": ("tens", 40), "mười": ("tens", 10), "mốt": ("ones", 1), "lăm": ("ones", 5), "tư": ("ones", 4)}
    words |= {"mươi": ("times ten", 10), "hundred": ("hundred", 100), "trăm": ("hundred", 100), "dozen": ("scale", 12)}
    words |= {name: ("scale", worth) for name, worth in _SCALES.items()}
    return words | {name: ("part", worth) for name, worth in _PARTS.items()}


_WORDS = _list_number_words()


def find(level: str) -> list[WordNumber]:
    """Return the numbers in words of a levelled text (see `statements.levelled`), in order."""
    numbers: list[WordNumber] = []
    for run in _runs(level, _places(level)):
        if (not numbers or run[0][0] >= numbers[-1].end) and (number := _worth(level, run)):
            numbers.append(number)
    return numbers


def _places(level: str) -> list[Place]:
    """Where the number words of a text stand, in order. Only words that occur are looked for."""
    words = _LETTERS.findall(level)
    if _WORDS.keys().isdisjoint(words):
        return []
    present = _WORDS.keys() & set(words)
    if not any(_may_be_number(level, word) for word in present):
        return []
    return sorted(place for word in present for place in _occurrences(level, word))


def _may_be_number(level: str, word: str) -> bool:
    """Whether a word is a number without others: `million` is one after `a`, and part of one in `5 million`."""
    return _WORDS[word][0] not in ("hundred", "scale") or f"a {word}" in level


def _occurrences(level: str, word: str) -> Iterator[Place]:
    start = level.find(word)
    while start >= 0:
        end = start + len(word)
        if not (start and level[start - 1].isalnum()) and not level[end : end + 1].isalnum():
            yield start, end, word
        start = level.find(word, end)


def _runs(level: str, places: Iterable[Place]) -> Iterator[list[Place]]:
    """Stretches of number words that stand together and make one number."""
    run: list[Place] = []
    for place in places:
        if run and not _continues(level, run[-1], place):
            yield run
            run = []
        run.append(place)
    if run:
        yield run


def _continues(level: str, last: Place, place: Place) -> bool:
    """Whether a number word belongs to the number that the word before it is part of."""
    between = level[last[1] : place[0]]
    if last[2] in _ORDINALS or len(between) > len(", and ") or not _JOIN.fullmatch(between):
        return False
    before, kind = _WORDS[last[2]][0], _WORDS[place[2]][0]
    if between == ", ":
        return before == "scale" and kind in ("ones", "teens", "tens")
    if between in (" a ", " an "):
        return before == "part" and kind in ("hundred", "scale")
    if "and" in between:
        return before in ("hundred", "scale") and kind in ("ones", "teens", "tens")
    return before in _MAY_FOLLOW[kind]


def _worth(level: str, run: list[Place]) -> WordNumber | None:
    """The number that the words of `run` make; None where they are no number by themselves."""
    names = [word for _, _, word in run]
    start, end = run[0][0], run[-1][1]
    alone = len(run) == 1
    if _WORDS[names[0]][0] in ("hundred", "scale"):
        article = level.endswith(" a ", 0, start) or level[:start] == "a "
        if level[max(0, start - 2) : start].strip(" -").isdigit() or (alone and not article):
            return None
        start -= 2 * article
    if alone and names[0] in _NEVER_ALONE:
        return None
    scales = [_WORDS[name][1] for name in names if _WORDS[name][0] == "scale"]
    value, end, scale = _with_tail(level, _sum(names), end, scales[-1] if scales else 1)
    return WordNumber(start, end, value, scale, names[-1] in _ORDINALS, alone and names[0] in _WEAK_ALONE)


def _sum(names: list[str]) -> Decimal:
    """What the words are worth together: `two hundred and five thousand` is 205,000."""
    total, group = Decimal(0), Decimal(0)
    for name in names:
        kind, worth = _WORDS[name]
        if kind == "part":
            group = (group or Decimal(1)) / worth
        elif kind in ("times ten", "hundred"):
            group = (group or Decimal(1)) * worth
        elif kind == "scale" and total and not group:
            total *= worth
        elif kind == "scale":
            total, group = total + (group or 1) * worth, Decimal(0)
        else:
            group += worth
    return total + group


def _with_tail(level: str, value: Decimal, end: int, scale: int) -> tuple[Decimal, int, int]:
    """The value, end and scale with what follows the number: `three point five`, `two and a half million`."""
    if level[end : end + 3] not in _TAILS:
        return value, end, scale
    if point := _POINT.match(level, end):
        digits = "".join(str(_WORDS[word][1]) for word in point.group(1).split())
        value, end = value + Decimal(f"0.{digits}"), point.end()
    elif part := _AND_PART.match(level, end):
        value, end = value + Decimal(1) / _PARTS.get(part.group(1), 3), part.end()
    else:
        return value, end, scale
    if times := _SCALE_AFTER.match(level, end):
        return value * _SCALES[times.group(1)], times.end(), _SCALES[times.group(1)]
    return value, end, scale
