"""Texts as words that compare: folded, by stem, by sound, joined; and where each word stands."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rapidfuzz.distance import OSA

READ = 20_000
"""Characters of a text that are read as words: ten pages, more than an answer needs."""

_NO_WORDS = re.compile(r"\[\^?\d{1,3}\^?\]|</?[a-zA-Z][^<>]{0,60}>")
"""Citations and tags."""
_WORD = re.compile(
    r"(?:[A-Za-z]\.){2,}(?:[A-Za-z]\b)?|\d+(?:st|nd|rd|th)\b|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*"
)

FUNCTION_WORDS = frozenset(
    "a an the of in on at to for by with from and or as is was are were be been being it its this that these those there"
    " he she they his her their them him i you we my your our me us who whom whose which what when where why how do does"
    " did has have had will would can could may might must shall should not no nor so if than then but also into onto"
    " about over under up down out off between during after before s t de la le el les los las du des der die das von van"
    " da di al d n y e là và của các một những trong cho với thì được ở".split()
)

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_ONES += " seventeen eighteen nineteen twenty"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
_ORDINALS += " fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
_ROMANS = "II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX"
_NUMBERS = {word: str(value) for value, word in enumerate(_ONES.split())}
_NUMBERS |= {word: str(value) for value, word in enumerate(_ORDINALS.split(), 1)}
_NUMBERS |= {"thirty": "30", "forty": "40", "fifty": "50", "hundred": "100", "thousand": "1000"}
_ROMAN = {word: str(value) for value, word in enumerate(_ROMANS.split(), 2)}
_SHORT = {
    **{"saint": "st", "street": "st", "mount": "mt", "boulevard": "blvd", "doctor": "dr", "mister": "mr", "fort": "ft"},
    **{"brothers": "bros", "limited": "ltd", "corporation": "corp", "company": "co", "incorporated": "inc"},
    **{"junior": "jr", "senior": "sr", "versus": "vs", "television": "tv", "avenue": "ave", "professor": "prof"},
}
_SAME = _NUMBERS | _SHORT

_ASCII = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "’": "'"}
)
_SUFFIXES = sorted(
    "ed ing er ers or ors ly ion ions ation ations al ial ally ic ics ical ist y ie a ae e en ment ness ium um us ise ize"
    " ised ized ising izing isation ization ity ful able ance ence ant ent ive ish ship ous".split(),
    key=len,
    reverse=True,
)
_DEMONYM = re.compile(r"(?<=[a-z]{3})(i?)ans?$")
_STEM = 4
"""Letters that a stem keeps: Iran and Iraq, Mali and Malta stay apart."""

_SPELLING = [
    (re.compile(pattern), sound)
    for pattern, sound in (
        *(("^(?:kn|gn|pn)", "n"), ("^wr", "r"), ("^ps", "s"), ("tch", "ch"), ("ph", "f"), ("ck|q", "k"), ("x", "ks")),
        *(("c(?=[eiy])|z", "s"), ("c(?!h)", "k"), ("v", "f"), ("w", "u"), (r"(.)\1+", r"\1")),
    )
]
_SILENT = re.compile("(?<!^)[aeiouyh]")


@lru_cache(maxsize=65_536)
def form(word: str) -> str:
    """The word as it compares: small letters without accents, numbers as digits, short for long forms."""
    if word in _ROMAN:
        return _ROMAN[word]
    low = word.lower()
    if not low.isascii():
        low = unicodedata.normalize("NFKD", low.translate(_ASCII))
        low = "".join(letter for letter in low if not unicodedata.combining(letter)).lower()
    if low[:1].isdigit():
        return low.rstrip("stndrh").replace(",", "")
    low = low.removesuffix("'s").replace("'", "").replace(".", "")
    return _SAME.get(low, low)


@lru_cache(maxsize=65_536)
def stems(word: str) -> tuple[str, ...]:
    """The word without plural, verb and other endings; two where an inhabitant may be of Iran or of Austria."""
    if word[:1].isdigit() or len(word) <= _STEM:
        return (word.removesuffix("s") if len(word) == _STEM and not word.endswith("ss") else word,)
    if inhabitant := _DEMONYM.search(word):
        land = word[: inhabitant.start()]
        return (land + "ia", land) if inhabitant[1] else (land + "a", land)
    if word.endswith("s") and not word.endswith("ss"):
        word = word[:-3] + "y" if word.endswith("ies") else word[:-1]
    suffix = next((end for end in _SUFFIXES if word.endswith(end) and len(word) - len(end) >= _STEM), "")
    stem = word.removesuffix(suffix)
    return (stem[:-1] if len(stem) > _STEM and stem[-1] == stem[-2] else stem,)


@lru_cache(maxsize=65_536)
def spelling(word: str) -> tuple[str, str]:
    """How the word sounds: with its vowels, and without them."""
    for pattern, sound in _SPELLING:
        word = pattern.sub(sound, word)
    return word, _SILENT.sub("", word)


def sounds_like(one: str, other: str) -> bool:
    """Whether two words are spellings of one: equal consonants, at most one letter in seven apart, the same last letter.

    Mathew and Matthew are; Iran and Iraq, Austria and Australia, Maria and Mario are not. Numbers never are.
    """
    if one[-1:] != other[-1:] or one[:1].isdigit() or other[:1].isdigit():
        return False
    (one, bare), (other, other_bare) = spelling(one), spelling(other)
    return bare == other_bare and OSA.distance(one, other) <= (1 if min(len(one), len(other)) < 8 else 2)


_NICKNAMES = (
    *(
        "william bill billy will",
        "robert bob bobby rob",
        "richard dick rick",
        "james jim jimmy jamie",
        "john jack johnny",
    ),
    *("edward ted eddie ned", "elizabeth liz beth betty lizzie", "margaret peggy maggie meg", "katherine kate kathy"),
    *("thomas tom tommy", "anthony tony", "charles charlie chuck", "henry harry hank", "nicholas nick", "michael mike"),
    *("joseph joe joey", "alexander alex sandy", "david dave", "matthew matt", "stephen steve", "mary polly molly"),
    *("theodore ted teddy", "lawrence larry", "patrick paddy", "frances fanny", "dorothy dolly"),
)
_SHORT_OF = [frozenset(names.split()) for names in _NICKNAMES]


def given_name(one: str, other: str) -> bool:
    """Whether two given names may be one person's: the same, an initial, the start of the other, or a nickname."""
    if one.startswith(other[:1] if len(one) == 1 or len(other) == 1 else other[:3]) or sounds_like(one, other):
        return True
    return any(one in names and other in names for names in _SHORT_OF)


@dataclass(frozen=True)
class Words:
    """The words of a text in order: as they compare, where they stand, and whether each starts with a capital."""

    text: str
    forms: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @cached_property
    def by_form(self) -> dict[str, list[int]]:
        return _places((form, i) for i, form in enumerate(self.forms))

    @cached_property
    def by_stem(self) -> dict[str, list[int]]:
        return _places((stem, i) for i, form in enumerate(self.forms) for stem in stems(form))

    @cached_property
    def by_sound(self) -> dict[str, list[int]]:
        return _places((spelling(form)[1], i) for i, form in enumerate(self.forms) if len(form) >= 4)

    @cached_property
    def by_pair(self) -> dict[str, list[int]]:
        return _places((one + other, i) for i, (one, other) in enumerate(zip(self.forms, self.forms[1:], strict=False)))

    def at(self, sought: str) -> list[int]:
        """The words of that form, else of its stem."""
        if found := self.by_form.get(sought):
            return found
        return next((self.by_stem[stem] for stem in stems(sought) if stem in self.by_stem), [])

    def capital(self, i: int) -> bool:
        """Whether a word starts with a capital."""
        return self.text[self.starts[i]].isupper()


def _places(entries: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for key, i in entries:
        found.setdefault(key, []).append(i)
    return found


@lru_cache(maxsize=4096)
def words(text: str) -> Words:
    """The words of the first `READ` characters; citations, tags and markdown are none."""
    read = text[:READ]
    if "[" in read or "<" in read:
        read = _NO_WORDS.sub(lambda mark: " " * len(mark.group()), read)
    found = list(_WORD.finditer(read))
    return Words(
        text,
        tuple(form(word.group()) for word in found),
        tuple(word.start() for word in found),
        tuple(word.end() for word in found),
    )
