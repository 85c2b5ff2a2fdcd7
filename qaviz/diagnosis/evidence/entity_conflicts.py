"""Another name in place of the golden one: Richard III for Richard I, the Gulf of Mexico for the Gulf of California."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qaviz.diagnosis.evidence import Span
from qaviz.diagnosis.evidence.golden_phrases import Part, Phrase, asked_stems
from qaviz.diagnosis.evidence.lexicon import CLASSES, FUNCTION_WORDS, TITLES
from qaviz.diagnosis.evidence.words import Words, may_be_same_given_name, stems, words

_ENOUGH_ALONE = 0.28
"""Share of a phrase from which it is said where the response says nothing beside the question and the phrase."""
_OTHER_NAME = 3
"""Letters from which a word beside a part of a name is no initial or abbreviation."""
_MIDDLE_NAMES = 3
"""Names between a given name and a surname that are looked at."""
_BETWEEN = frozenset(("of", "the", "and", "de", "la"))
"""Words that stand inside of a name: `Gulf of Mexico`."""
_NAMING = frozenset(("called", "named", "known", "termed"))
"""Words before a name that are no part of it."""
NUMERALS = {"i": "1", "l": "1", "v": "5", "x": "10"}
"""Roman numerals of one letter, as forms, and what they are; an `l` is often an I."""
_PARTICLES = frozenset(("van", "von", "de", "da", "di", "du", "der", "den", "la", "le", "del"))
"""Small words inside of a surname."""
_ENTRY_ENDS = re.compile(r"[,;]|\s(?:and|or|&|và)\s|[.!?](?=\s|$)")
_LONGEST_LIST = 320
"""Characters of a response up to which it is read as a list: longer ones describe their entries."""
_ENTRY_WORDS = 4
"""Words of an entry of a list, at most."""


@dataclass(frozen=True, slots=True)
class Said:
    """The stretch of a response that says most of a phrase: which parts, between which two words."""

    phrase: Phrase
    share: float
    parts: frozenset[int]
    first: int
    last: int


def span(response: Words, first: int, last: int) -> Span:
    """The words from `first` to `last` as they stand in the response."""
    start, end = response.spans[first][0], response.spans[last][1]
    return Span(start, end, response.text[start:end])


def find_other_name(said: Said, response: Words, question: str) -> Span | None:
    """The name that the response gives in place of the golden one; None where it may be the same."""
    if other := _other_numeral(said, response):
        return other
    if said.phrase.person:
        return _other_person(said, response, question)
    return _namesake(said, response, question) or _other_title(said, response, question)


def says_nothing_else(said: Said, response: Words, question: str, *others: str) -> bool:
    """Whether the response says enough of the phrase and nothing beside its words, the question's and these others."""
    if said.share < _ENOUGH_ALONE:
        return False
    known = asked_stems(question).union(*(stems(part.form) for part in said.phrase.parts), *map(stems, others))
    return all(form in FUNCTION_WORDS or not known.isdisjoint(stems(form)) for form in response.forms)


def is_named_by_given_name(said: Said, response: Words) -> bool:
    """Whether a person is named by the given name alone, as people and characters are that everybody knows by it."""
    if said.parts != {0} or said.first != said.last or len(said.phrase.parts[0].form) < _OTHER_NAME:
        return False
    before, after = said.first - 1, said.last + 1
    if after < len(response.forms) and _side_by_side(response, said.last) and response.capital(after):
        return False
    royal = before >= 0 and response.forms[before] in TITLES
    surname = before > 0 and response.capital(before) and _side_by_side(response, before)
    return response.capital(said.first) and not royal and not surname


def _side_by_side(response: Words, place: int) -> bool:
    """Whether nothing but blanks stands between a word and the next."""
    return not response.between(place).strip()


def _other_numeral(said: Said, response: Words) -> Span | None:
    """Another one of that name: Richard III for Richard I."""
    parts, after = said.phrase.parts, said.last + 1
    numeral = next((i for i, part in enumerate(parts) if i and part.form in NUMERALS and i not in said.parts), None)
    if numeral is None or numeral - 1 not in said.parts or response.forms[said.last] != parts[numeral - 1].form:
        return None
    if after < len(response.forms) and response.forms[after] == "the":
        after += 1
    other = response.forms[after] if after < len(response.forms) else ""
    if not other.isdecimal() or len(other) > 2 or other == NUMERALS[parts[numeral].form]:
        return None
    return span(response, said.first, after)


def _other_person(said: Said, response: Words, question: str) -> Span | None:
    """The name of another person, where the first mention of the surname follows another given name, or is one."""
    if len(said.parts) > 1:
        return None
    before = [*_names_before(response, said.first)]
    if not before:
        return _as_given_name(said, response, question)
    written = [_initial(response, place) for place in before]
    given = [part.form for part in said.phrase.parts[:-1]]
    if any(may_be_same_given_name(one, other) for one in given for other in written):
        return None
    asked = asked_stems(question)
    if any(asked.issuperset(stems(form)) for form in written):
        return None
    return span(response, before[0], said.last)


def _as_given_name(said: Said, response: Words, question: str) -> Span | None:
    """Who has the golden surname for a given name: Benjamin Franklin, where Jon Benjamin is sought."""
    after = said.last + 1
    by_surname = said.parts == {len(said.phrase.parts) - 1}
    if not by_surname or after >= len(response.forms) or not _side_by_side(response, said.last):
        return None
    form = response.forms[after]
    if not response.capital(after) or form in FUNCTION_WORDS or form in TITLES or form in CLASSES:
        return None
    if not response.word_at(said.last).isalpha() or not asked_stems(question).isdisjoint(stems(form)):
        return None
    return span(response, said.last, after)


def _names_before(response: Words, place: int) -> Iterator[int]:
    """The names right before a surname, the nearest first: given and middle names, or half of a double surname."""
    for before in range(place - 1, max(-1, place - 2 - _MIDDLE_NAMES), -1):
        form = response.forms[before]
        if form in _PARTICLES:
            continue
        gap = response.between(before).strip(" ." if len(form) == 1 else " ")
        if gap not in ("", "-", '"', "”", "’", ")") or not response.capital(before):
            return
        if form in FUNCTION_WORDS or form in TITLES:
            return
        yield before


def _initial(response: Words, place: int) -> str:
    """The form of a given name, of an initial its letter."""
    form = response.forms[place]
    return form[:1] if "." in response.word_at(place) else form


def _namesake(said: Said, response: Words, question: str) -> Span | None:
    """What has one of the golden name's two words, and another in place of the other: North Dakota for South Dakota."""
    parts = said.phrase.parts
    if len(parts) != 2 or len(said.parts) != 1 or said.first != said.last or said.phrase.sentence:
        return None
    (known,) = said.parts
    place, lacking = _beside(response, said.first, 1 if known == 0 else -1), parts[1 - known]
    if place is None:
        return None
    form, first, last = response.forms[place], min(place, said.first), max(place, said.first)
    if form in FUNCTION_WORDS or form in TITLES or form in _NAMING:
        return None
    if len(form) < _OTHER_NAME or "." in response.word_at(place):
        return None
    if lacking.form in CLASSES and form not in CLASSES:
        return None
    if may_be_same_given_name(lacking.form, form) or not asked_stems(question).isdisjoint(stems(form)):
        return None
    named = lacking.capital and response.capital(place) and place > 0
    by_itself = last == first + 1 and says_nothing_else(said, response, question, form)
    return span(response, first, last) if named or by_itself else None


def _beside(response: Words, place: int, step: int) -> int | None:
    """The next word in that direction, beyond `of` and `the`; None where anything but blanks stands between."""
    for _ in range(3):
        beside = place + step
        if not 0 <= beside < len(response.forms) or not _side_by_side(response, min(place, beside)):
            return None
        if response.forms[beside] not in _BETWEEN:
            return beside
        place = beside
    return None


def _other_title(said: Said, response: Words, question: str) -> Span | None:
    """Another work or place whose name begins as the golden one: Harry Potter and the Philosopher's Stone."""
    parts = said.phrase.parts
    count = len(said.parts)
    if said.phrase.sentence or said.phrase.entries or len(parts) < 3 or said.parts != frozenset(range(count)):
        return None
    if count == len(parts) or not parts[count].capital or response.forms[said.last] != parts[count - 1].form:
        return None
    place = _beside(response, said.last, 1)
    if place is None or not response.capital(place) or len(response.forms[place]) < _OTHER_NAME:
        return None
    own = {stem for part in parts for stem in stems(part.form)} | asked_stems(question)
    form = response.forms[place]
    same = form in TITLES or form in CLASSES or not own.isdisjoint(stems(form))
    return None if same else span(response, said.first, place)


def find_other_entry(said: Said, response: Words, asked: frozenset[str]) -> str:
    """Return the name that a response lists in place of a golden entry that it leaves out; empty where it does not.

    Only for lists of names: what else stands between commas may describe an entry.
    """
    parts = said.phrase.parts
    entries = {part.entry for part in parts}
    if len(response.text) > _LONGEST_LIST or said.phrase.acronyms:
        return ""
    if len({parts[i].entry for i in said.parts}) == len(entries) or not all(
        _is_name(parts, entry) for entry in entries
    ):
        return ""
    known = {stem for part in parts for stem in stems(part.form)} | asked
    begin, end = response.spans[said.first][0], response.spans[said.last][1]
    stop = re.compile(r"[.!?;:\n](?=\s|$)|$").search(response.text, end)
    listed = response.text[begin : stop.start() if stop else len(response.text)]
    for entry in map(str.strip, _ENTRY_ENDS.split(listed)):
        said_words = words(entry)
        content = [i for i, form in enumerate(said_words.forms) if form not in FUNCTION_WORDS]
        if not content or len(said_words.forms) > _ENTRY_WORDS or not all(said_words.capital(i) for i in content):
            continue
        if not any(stem in known for i in content for stem in stems(said_words.forms[i])):
            return entry
    return ""


def _is_name(parts: Sequence[Part], entry: int) -> bool:
    return any(part.capital for part in parts if part.entry == entry)
