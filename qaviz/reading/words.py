"""Words that compare, by form, stem and spelling; how much of a phrase a text says; abbreviations."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

from rapidfuzz.distance import OSA

from qaviz.reading.level import REMEMBERED, level_text, without_marks
from qaviz.reading.tables import Table, also_called, table

READ = 20_000
"""Characters of a text that are read as words: ten pages, more than an answer needs."""
_SPACED = re.compile(r"(?:[^\W\d_]\.){2,9}|\d+(?:[.,]\d+)*|[^\W\d_]+")
_UNSPACED = re.compile(r"\d+(?:[.,]\d+)*|[a-zà-ỹ]+|[\u30a0-\u30ff]+|[\u3040-\u309f]+|[\u3400-\u9fff]")
_NO_WORDS = re.compile(r"\[\^?\d{1,3}\^?\]|</?[a-zA-Z][^<>]{0,60}>|[\w.]+://\S+")
"""Citations, tags and addresses."""


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
    return str(_stemmer(name).stemWord(form)) if name and len(form) > _SHORTEST else form


_SHORTEST = 3


@dataclass(frozen=True)
class Words:
    """The words of a text, in order."""

    text: str
    words: tuple[Word, ...]

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all words."""
        return frozenset(word.stem for word in self.words)

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """Stem -> the places of its words."""
        places: dict[str, list[int]] = {}
        for place, word in enumerate(self.words):
            places.setdefault(word.stem, []).append(place)
        return places

    def like(self, word: Word) -> Sequence[int]:
        """The places of the words that are another spelling of a word."""
        return [place for place, other in enumerate(self.words) if spelled_alike(word.form, other.form)]


@lru_cache(maxsize=REMEMBERED)
def words(text: str, language: str = "en") -> Words:
    """Return the words of the first `READ` characters; citations, tags and addresses hold none."""
    own, level = table(language), level_text(text[:READ])
    if "[" in level or "<" in level or "://" in level:
        level = _NO_WORDS.sub(lambda mark: " " * len(mark.group()), level)
    several: Sequence[tuple[int, int, str]] = ()
    if own.spaced and not _first_words().isdisjoint(_SPACED.findall(level)):
        several = list(_several(level))
    pattern = _SPACED if own.spaced else _UNSPACED
    spans = [(*match.span(), match.group()) for match in pattern.finditer(level)]
    if several:
        inside = {place for start, end, _ in several for place in range(start, end)}
        spans = sorted([*several, *(span for span in spans if span[0] not in inside)])
    return Words(
        text,
        tuple(
            Word(start, end, *_form(_ROMAN.get(text[start:end], form), own.code), text[start].isupper())
            for start, end, form in spans
            if len(form) > 1 or form not in "sdt" or level[start - 1 : start] != "'"
        ),
    )


_ROMAN = {"II": "2", "III": "3", "IV": "4", "VI": "6", "VII": "7", "VIII": "8", "IX": "9", "XI": "11", "XII": "12"}
_ROMAN |= {"XIII": "13", "XIV": "14", "XV": "15", "XVI": "16", "XVII": "17", "XVIII": "18", "XIX": "19", "XX": "20"}
"""Roman numbers of several letters: Article III, Henry VIII."""


@lru_cache(maxsize=131_072)
def _form(written: str, language: str) -> tuple[str, str]:
    """A word's form and stem."""
    own = table(language)
    form = written.replace(".", "") if written[-1] == "." else written
    if form[0].isdigit():
        number = form.replace(",", "") if not own.comma_decimal else form
        return number, number
    form = own.same.get(form, form)
    if language not in ("vi", "ja", "zh") and not form.isascii():
        form = without_marks(form.replace("ß", "ss"))
    number_word = own.numbers.get(written, own.ordinals.get(written))
    if number_word is not None:
        return str(number_word), str(number_word)
    return form, stem(form, language)


def _several(level: str) -> Iterator[tuple[int, int, str]]:
    """Names of several words that everybody calls by another name too, each as one word."""
    for match in _names_of_several().finditer(level):
        yield match.start(), match.end(), also_called()[match.group()]


@cache
def _names_of_several() -> re.Pattern[str]:
    names = sorted(also_called(), key=len, reverse=True)
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, names))})(?![^\W_])")


@cache
def _first_words() -> frozenset[str]:
    return frozenset(name.split()[0] for name in also_called()) | {name for name in also_called() if "." in name}


def terms(text: str, language: str = "en") -> frozenset[str]:
    """Return the stems of the words that carry meaning: no grammar."""
    grammar = table(language).grammar
    return frozenset(word.stem for word in words(text, language).words if word.form not in grammar)


# Spelling.

_SOUNDS = tuple(
    (re.compile(written), sound)
    for written, sound in (
        ("^(?:kn|gn|pn)", "n"),
        ("^wr", "r"),
        ("shch|schtsch|tsch|tch|tsj|cz|sch|zh|kh|ch|sh|sj|sz", "#"),
        ("ph|v|w|off|eff", "f"),
        ("th", "t"),
        ("ts|tz|z", "s"),
        ("c(?=[eiy])", "s"),
        ("ck|q|c", "k"),
        ("x", "ks"),
        ("[jy]", "i"),
        (r"(.)\1+", r"\1"),
    )
)
_SILENT = re.compile("(?<!^)[aeiouh]")
_LEAST, _LONG = 4, 8
"""Letters of a word that may be spelled in two ways; from the second on, two of them may differ."""


@lru_cache(maxsize=65_536)
def _sound(form: str) -> tuple[str, str, str]:
    """What sounds alike is one; its consonants; its last letter."""
    for written, sound in _SOUNDS:
        form = written.sub(sound, form)
    return form, _SILENT.sub("", form), form[-1:]


@lru_cache(maxsize=65_536)
def spelled_alike(one: str, other: str) -> bool:
    """Whether two forms spell one word: Dmitri and Dimitri, Tchaikovsky and Chaikovski; not Iran and Iraq."""
    if one == other:
        return True
    if (
        min(len(one), len(other)) < _LEAST
        or abs(len(one) - len(other)) > _LEAST
        or one[0].isdigit()
        or other[0].isdigit()
    ):
        return False
    first, second = _sound(one), _sound(other)
    if first[1:] != second[1:]:
        return False
    if first[0] == second[0]:
        return True
    short = min(len(first[0]), len(second[0]))
    if short < _LONG:
        return len(first[0]) != len(second[0]) and OSA.distance(first[0], second[0]) == 1
    return OSA.distance(first[0], second[0]) <= 2


# Phrases.

_NAME_WEIGHT, _PLAIN_WEIGHT, _CLASS_WEIGHT = 1.0, 0.6, 0.3
_ROOM, _ROOM_EACH = 8, 4
"""Words that a phrase may be spread over, and more for each of its words."""
_SENTENCE = 8
"""Words from which a phrase is a sentence, of which no single word is needed."""
_MOST_PLACES = 50


class PhraseMatch(NamedTuple):
    """How much of a phrase a text says, and where."""

    share: float
    """Of the phrase's words that carry meaning, weighed: names 1, other words .6, titles and classes .3."""
    start: int
    end: int
    missing: tuple[str, ...]
    """Forms of the phrase that the text lacks there."""
    extended: str
    """Words that make another name or thing of it: Equatorial (Guinea), (iPhone 13) Pro; else empty."""
    verbatim: bool
    in_question: bool
    """All its words stand in the question, so that saying them tells little."""


@lru_cache(maxsize=16_384)
def _phrase_words(phrase: str, question: str, language: str) -> tuple[tuple[Word, ...], tuple[float, ...], bool]:
    """The words of a phrase that matter, their weights, and whether the question holds all of them."""
    own = table(language)
    all_words = words(phrase, language).words
    content = [word for word in all_words if word.form not in own.grammar or len(all_words) == 1] or list(all_words)
    question_stems = words(question, language).stems
    new = [word for word in content if word.stem not in question_stems]
    kept = new or content
    names = len(kept) == 1 or any(word.capital for word in kept[1:])
    weights = tuple(
        _CLASS_WEIGHT
        if word.form in own.classes
        else _NAME_WEIGHT
        if word.capital or not names or word.form[0].isdigit()
        else _PLAIN_WEIGHT
        for word in kept
    )
    return tuple(kept), weights, not new


def match_phrase(phrase: str, text: str, question: str = "", language: str = "en") -> PhraseMatch | None:
    """Return the stretch of `text` that says most of `phrase`, in any form or order; None where it says none of it."""
    kept, weights, in_question = _phrase_words(phrase, question, language)
    response = words(text, language)
    places = sorted(
        (place, part)
        for part, word in enumerate(kept)
        for place in (response.places.get(word.stem) or (response.like(word) if len(kept) < _SENTENCE else ()))[
            :_MOST_PLACES
        ]
    )
    if not places:
        return None
    share, parts, first, last = _best_stretch(places, weights)
    start, end = response.words[first].start, response.words[last].end
    missing = tuple(word.form for part, word in enumerate(kept) if part not in parts)
    own = table(language)
    verbatim = level_text(phrase).strip(" \n\t\"'.,;:") in level_text(text[start:end])
    extended = "" if len(kept) >= _SENTENCE else _extension(response, (first, last), own, words(phrase, language).stems)
    return PhraseMatch(share / sum(weights), start, end, missing, extended, verbatim, in_question)


def _find_word(word: Word, response: Words, *, sentence: bool) -> Sequence[int]:
    """The places of a word, else of its other spellings: of a sentence no single word matters."""
    return response.places.get(word.stem) or (() if sentence else response.like(word))


def _best_stretch(
    places: Sequence[tuple[int, int]], weights: Sequence[float]
) -> tuple[float, frozenset[int], int, int]:
    """The stretch of words that says most: its weight, its parts, its first and last word."""
    room = _ROOM + _ROOM_EACH * len(weights)
    best, left = (0.0, frozenset[int](), 0, 0), 0
    counts = [0] * len(weights)
    weight = 0.0
    for place, part in places:
        weight += 0 if counts[part] else weights[part]
        counts[part] += 1
        while place - places[left][0] > room or (counts[places[left][1]] > 1 and places[left][0] < place):
            counts[places[left][1]] -= 1
            weight -= 0 if counts[places[left][1]] else weights[places[left][1]]
            left += 1
        if weight > best[0] + 1e-9:  # sums in another order differ by less
            best = weight, frozenset(i for i, count in enumerate(counts) if count), places[left][0], place
    return best


def _extension(response: Words, ends: tuple[int, int], own: Table, golden: frozenset[str]) -> str:
    """The word right before or behind a stretch that makes something else of it."""
    first, last = ends
    for place, beside in ((first - 1, first), (last + 1, last)):
        if not 0 <= place < len(response.words) or response.words[place].stem in golden:
            continue
        word = response.words[place]
        low, high = sorted((place, beside))
        between = response.text[response.words[low].end : response.words[high].start]
        if between.strip(" -"):
            continue
        written = level_text(response.text[word.start : word.end])
        if place < first and written in own.prefix_words:
            return written
        of_name = response.words[beside].capital or response.words[beside].form[0].isdigit()
        both_names = word.capital and of_name and word.form not in own.grammar
        opens = place == 0 or response.text[: word.start].rstrip()[-1:] in ".!?:\n"
        if own.spaced and both_names and word.form not in own.titles and not opens:
            return word.form
    return ""


# Names.


@lru_cache(maxsize=16_384)
def abbreviates(short: str, long: str, language: str = "en") -> bool:
    """Whether `short` is made of the first letters of the words of `long`: IMF, ECB, U.N."""
    grammar = table(language).grammar
    letters = "".join(word for word in short.split() if word.lower() not in grammar).replace(".", "")
    if not 2 <= len(letters) <= 8 or not letters.isalpha() or not letters.isupper():
        return False
    parts = [part for word in long.replace("-", " ").split() if (part := word.strip("()\"',.")) and part[0].isalpha()]
    main = [part for part in parts if part.lower() not in grammar]
    low = letters.lower()
    return any(
        len(side) > 1 and without_marks("".join(part[0] for part in side)).lower() == low for side in (main, parts)
    )
