"""Words that compare, by form, stem and spelling; abbreviations."""

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

from rapidfuzz.distance import OSA

from qaviz.reading.level import READ, REMEMBERED, level_text, without_marks
from qaviz.reading.tables import also_called, find_any, load, table

_SPACED = re.compile(r"(?:[^\W\d_]\.){2,9}|\d+(?:[.,]\d+)*|[^\W\d_]+")
_UNSPACED = re.compile(r"\d+(?:[.,]\d+)*|[a-zà-ỹ]+|[\u30a0-\u30ff]+|[\u3040-\u309f]+|[\u3400-\u9fff]")
_NO_WORDS = re.compile(r"\[\^?\d{1,3}\^?\]|</?[a-zA-Z][^<>]{0,60}>|[\w.]+://\S+")
"""Citations, tags and addresses."""
_SHORTEST = 3


class Word(NamedTuple):
    """A word of a text."""

    start: int
    end: int
    form: str
    """In small letters; digits for a number word, without accents where the language does without them."""
    stem: str
    capital: bool


@cache
def _stemmer(language: str) -> Any:  # noqa: ANN401 - Snowball ships no types
    import snowballstemmer  # its tables take a while, and who reads amounts only needs none

    return snowballstemmer.stemmer(language)


@lru_cache(maxsize=131_072)
def stem(form: str, language: str = "en") -> str:
    """Return the stem of a word in small letters, by Snowball's stemmer of the language; the word where it has none."""
    own = table(language)
    form = own.irregular.get(form, form)
    name = own.data.get("snowball", "")
    return str(_stemmer(name).stemWord(form)) if name and len(form) > _SHORTEST and not form[0].isdigit() else form


class Words:
    """The words of a text, in order; what is not asked for is not made."""

    def __init__(self, text: str, language: str, spans: Sequence[tuple[int, int]], forms: Sequence[str]) -> None:
        self.text, self.language, self.spans, self.forms = text, language, spans, forms

    def __len__(self) -> int:
        return len(self.forms)

    def __getitem__(self, place: int) -> Word:
        (start, end), form = self.spans[place], self.forms[place]
        return Word(start, end, form, stem(form, self.language), self.text[start].isupper())

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """All of them."""
        return tuple(self[place] for place in range(len(self)))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all words."""
        return frozenset(self._by_stem)

    @cached_property
    def _by_stem(self) -> Mapping[str, Sequence[int]]:
        places: dict[str, list[int]] = {}
        for place, form in enumerate(self.forms):
            places.setdefault(stem(form, self.language), []).append(place)
        return places

    def find(self, stem_of: str) -> Sequence[int]:
        """The places of the words with a stem."""
        return self._by_stem.get(stem_of, ())

    def like(self, form: str) -> Sequence[int]:
        """The places of the words that are another spelling of a form."""
        return [place for place, other in enumerate(self.forms) if spelled_alike(form, other)]


@lru_cache(maxsize=REMEMBERED)
def words(text: str, language: str = "en") -> Words:
    """Return the words of the first `READ` characters; citations, tags and addresses hold none."""
    own, level = table(language), level_text(text[:READ])
    if "[" in level or "<" in level or "://" in level:
        level = _NO_WORDS.sub(lambda mark: " " * len(mark.group()), level)
    pattern = _SPACED if own.spaced else _UNSPACED
    spans = [(match.span(), match.group()) for match in pattern.finditer(level)]
    first_words, names = _names_of_several()
    if own.spaced and not first_words.isdisjoint([written for _, written in spans]):
        several = [(name.span(), also_called()[name.group()]) for name in names.finditer(level)]
        inside = {place for (start, end), _ in several for place in range(start, end)}
        spans = sorted([*several, *(word for word in spans if word[0][0] not in inside)])
    if "'" in level:  # letters behind an apostrophe are no words
        clitics = ("s", "d", "t")
        spans = [(span, word) for span, word in spans if word not in clitics or level[span[0] - 1 : span[0]] != "'"]
    forms = [_read_form(written, own.code) for _, written in spans]
    for place, (span, written) in enumerate(spans) if not _ROMAN.keys().isdisjoint(forms) else ():
        if written in _ROMAN and text[slice(*span)].isupper():
            forms[place] = _ROMAN[written]
    return Words(text, own.code, [span for span, _ in spans], forms)


_ROMAN = {"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "xi": "11", "xii": "12"}
_ROMAN |= {"xiii": "13", "xiv": "14", "xv": "15", "xvi": "16", "xvii": "17", "xviii": "18", "xix": "19", "xx": "20"}
"""Roman numbers of several letters, in capitals: Article III, Henry VIII."""


@lru_cache(maxsize=131_072)
def _read_form(written: str, language: str) -> str:
    own = table(language)
    form = written.replace(".", "") if written[-1] == "." else written
    if form[0].isdigit():
        return form.replace(",", "") if not own.comma_decimal else form
    form = own.same.get(form, form)
    if language not in ("vi", "ja", "zh") and not form.isascii():
        form = without_marks(form.replace("ß", "ss"))
    number_word = own.numbers.get(written, own.ordinals.get(written))
    return form if number_word is None else str(number_word)


@cache
def _names_of_several() -> tuple[frozenset[str], re.Pattern[str]]:
    """Names of several words that everybody calls by another name too: the words that tell one, and the names."""
    names = also_called()
    return frozenset((*(name.split()[0] for name in names), *(name for name in names if "." in name))), find_any(names)


def terms(text: str, language: str = "en") -> frozenset[str]:
    """Return the stems of the words that carry meaning: no grammar."""
    grammar = table(language).grammar
    return frozenset(word.stem for word in words(text, language).words if word.form not in grammar)


# Spelling.

_SOUNDS = tuple((re.compile(written), sound) for written, sound in load("patterns")["sounds"])
_SILENT = re.compile("(?<!^)[aeiouh]")
_LEAST, _LONG = 4, 8
"""Letters of a word that may be spelled in two ways; from the second on, two of them may differ."""
_PINYIN, _PINYIN_NAME = frozenset(("zh", "ch", "sh")), 5
"""How Chinese names begin that sound alike and are others, Zhen, Chen and Shen; letters up to which a word is one."""


@lru_cache(maxsize=65_536)
def _sound(form: str) -> tuple[str, str, str]:
    """What sounds alike is one; its consonants; its last letter."""
    for written, sound in _SOUNDS:
        form = written.sub(sound, form)
    return form, _SILENT.sub("", form), form[-1:]


@lru_cache(maxsize=65_536)
def spelled_alike(left: str, right: str) -> bool:
    """Whether two forms spell one word: Dmitri and Dimitri, Tchaikovsky and Chaikovski; not Iran and Iraq."""
    if left == right:
        return True
    if (
        min(len(left), len(right)) < _LEAST
        or abs(len(left) - len(right)) > _LEAST
        or left[0].isdigit()
        or right[0].isdigit()
    ):
        return False
    if left[:2] != right[:2] and {left[:2], right[:2]} <= _PINYIN and min(len(left), len(right)) <= _PINYIN_NAME:
        return False
    first, second = _sound(left), _sound(right)
    if first[1:] != second[1:]:
        return False
    if first[0] == second[0]:
        return True
    short = min(len(first[0]), len(second[0]))
    if short < _LONG:
        return len(first[0]) != len(second[0]) and OSA.distance(first[0], second[0]) == 1
    return OSA.distance(first[0], second[0]) <= 2


# Names.


@lru_cache(maxsize=16_384)
def abbreviates(short: str, long: str) -> bool:
    """Whether `short` is made of the first letters of the words of `long`: IMF, ECB, U.N."""
    grammar = table("en").grammar
    letters = "".join(word for word in short.split() if word.lower() not in grammar).replace(".", "")
    if not 2 <= len(letters) <= 8 or not letters.isalpha() or not letters.isupper():
        return False
    parts = [part for word in long.replace("-", " ").split() if (part := word.strip("()\"',.")) and part[0].isalpha()]
    main = [part for part in parts if part.lower() not in grammar]
    low = letters.lower()
    return any(
        len(side) > 1 and without_marks("".join(part[0] for part in side)).lower() == low for side in (main, parts)
    )
