"""What a golden text asks for in words: its alternatives, and how much each word of them matters."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from qaviz.diagnosis.evidence.lexicon import CLASSES, FUNCTION_WORDS, NATIONS, OF_FATHER_AND_SON, TITLES
from qaviz.diagnosis.evidence.words import Words, stems, words

_PLAIN = 0.6
"""Weight of a word without a capital beside names."""
_CLASS = 0.3
"""Weight of a title, of a class of things, and of a number in a sentence."""
_SENTENCE = 8
"""Words from which a golden text is a sentence, of which no single word is needed."""
_READ = 2_000
"""Characters of a golden text that are read."""
_MANY = 4
"""Entries from which half of a list is enough, unless the question says how many it asks for."""

_PARENTHESIS = re.compile(r"\(([^()]*)\)")
_ALSO = re.compile(r"\W*(?:(?:also|or|aka|accept|formerly|now|called|known as)\b[ ,:]*)+", re.IGNORECASE)
_OR = re.compile(r"\s(?:or|OR)\s|(?<=[^\W\d])\s?/\s?(?=[^\W\d]{3})")
_LEAD_ENDS = re.compile(
    r"[,;:](?=\s)|\s[-–—]\s|(?<=[a-z\d)]{3})(?<!Prof)\.\s(?=[A-Z])|\s(?:who|which|whose|where|because|when|while)\s"
)
_NUMBERED = re.compile(
    r"[,;:]?\s(?:season|series|episode|chapter|vol(?:ume|\.)|part|act|scene|book|verse|game|week|day|round)s?\s\w{1,12}\b",
    re.IGNORECASE,
)
"""What goes on with the number of a part: `Season 8, Episode 3`."""
_CLAUSE = re.compile(r",\s(?:which|who|whose|where|while|when)\s")
"""Where the entries of a list end and what describes the last one begins."""
_INVERTED = re.compile(r"\W*[A-Z][\w'’-]+, [A-Z][\w.'’ -]+$")
"""A name that starts with the surname: `Curie, Marie`."""
_SENTENCE_ENDS = re.compile(r"(?<=[a-z\d%)])[.;]\s")
_LETTERS = frozenset("STDNEY")
"""Capitals that are grammar as small letters: the `s` of `it's`."""
_JOINS = re.compile(r"\s(?:and|&)\s")
_ACRONYM = re.compile(r"\b[A-Z]{2,}\b")
_TWO_PEOPLE = re.compile(r"\W*(?:[A-Z][\w.'’-]+ ){1,3}(?:and|&) [A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){0,2}\W*$")
"""A text that is two people, or two halves of a pair: `Joel Coen and Ethan Coen`."""
_ENTRY = r"[^\s,;]+(?:\s+[^\s,;]+){0,3}"
_LIST = re.compile(rf"\s*{_ENTRY}(?:,\s+{_ENTRY})+,? (?:and|&) {_ENTRY}\s*$")
"""A text that is at least three entries of a few words."""
_PLACE = re.compile(r"[^,;\n]*[A-Z][^,;\n]*,\s[A-Z][^,;\n]*$")
"""A text that is two names set apart by a comma: a place and where it lies."""
_ENTRY_ENDS = re.compile(r"[,;\n]|\s(?:and|or|&|và)\s")

_COUNTS = r"\b(?:two|three|four|five|six|seven|eight|nine|ten|both)\b|(?<![\w.,$€£-])[2-9](?![\w%-]|[.,]\d)"
_ASKS_COUNTED = re.compile(_COUNTS, re.IGNORECASE)
_ASKS_SEVERAL = re.compile(
    rf"{_COUNTS}|\b(?:names? of the|(?:what|who) (?:are|were)|(?:which|what) \w+(?<![isu])s\b)"
    r"|^\W*(?:name|list) (?:all |the |some |any )*(?:\w+ ){0,2}\w+(?<![isu])s\b",
    re.IGNORECASE,
)
_ASKS_WINNER = re.compile(
    r"\b(?:w[oi]ns?|winners?|winning|beat|defeat\w*|champions?|teams?|play(?:ed|ing)? against)\b", re.I
)
"""A question whose answer may be a team."""
_ASKS_ONE_OF = re.compile(r"\b(?:either|one of|any of|name an?|give an?)\b", re.IGNORECASE)
_ASKS_PERSON = re.compile(
    r"\b(?:who|whom|whose|(?:which|what) (?:\w+ ){0,2}(?:actor|actress|singer|author|president|\w+ist|\w+er))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Part:
    """A word of a golden phrase that a response has to say."""

    form: str
    weight: float
    start: int
    end: int
    capital: bool
    entry: int
    """Which entry of a list the word belongs to."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One way to say the golden text."""

    parts: tuple[Part, ...]
    """The words that are no grammar and not the question's, unless nothing else is left, without mere descriptions."""
    told: bool
    """Whether all its words stand in the question, so that saying them tells little."""
    person: bool
    """A person's name: the last part is the surname."""
    sentence: bool
    """A statement, in which no single word is needed."""
    entries: int
    """How many entries of a list a response has to name; 0 where the text is no list."""
    acronyms: bool
    """Whether an entry is an acronym, which a response may spell out."""
    acronym: str
    """The initials of its words, the question's among them."""

    @property
    def weight(self) -> float:
        """Of all parts together."""
        return sum(part.weight for part in self.parts)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question asks for."""

    stems: frozenset[str]
    several: bool
    one_of: bool
    counted: bool
    person: bool
    winner: bool


@lru_cache(maxsize=4096)
def _read_question(question: str) -> _Asked:
    one_of = _ASKS_ONE_OF.search(question) is not None
    return _Asked(
        asked_stems(question),
        several=not one_of and _ASKS_SEVERAL.search(question) is not None,
        one_of=one_of,
        counted=_ASKS_COUNTED.search(question) is not None,
        person=_ASKS_PERSON.search(question) is not None,
        winner=_ASKS_WINNER.search(question) is not None,
    )


@lru_cache(maxsize=4096)
def asked_stems(question: str) -> frozenset[str]:
    """The stems of the words of a question."""
    return frozenset(stem for form in words(question).forms for stem in stems(form))


@lru_cache(maxsize=65_536)
def read(golden: str, question: str) -> tuple[Phrase, ...]:
    """The phrases any of which says `golden` in answer to `question`."""
    asked = _read_question(question)
    phrases = (_phrase(text, start, asked) for start, text in _alternatives(golden[:_READ], asked.one_of))
    return tuple(phrase for phrase in phrases if phrase.parts)


def _alternatives(golden: str, one_of: bool) -> Iterator[tuple[int, str]]:
    """Each alternative and where it starts: outside of parentheses and, where those say `or ...`, inside."""
    outside = _PARENTHESIS.sub(lambda found: " " * len(found.group()), golden)
    if not any(map(str.isalnum, outside)):
        outside = golden
    start = 0
    ends = _ENTRY_ENDS if one_of else _OR
    for cut in ends.finditer(outside) if len(golden.split()) < 2 * _SENTENCE else ():
        yield start, outside[start : cut.start()]
        start = cut.end()
    yield start, outside[start:]
    for found in _PARENTHESIS.finditer(golden):
        if also := _ALSO.match(found[1]):
            yield found.start(1) + also.end(), found[1][also.end() :]


def _phrase(text: str, offset: int, asked: _Asked) -> Phrase:
    said = words(text)
    ends = [cut.start() for cut in _ENTRY_ENDS.finditer(text)] if _is_list(text, asked) else []
    sentence = len(said.forms) >= _SENTENCE and not ends and not _starts_with_name(text)
    inverted = asked.person and not ends and _INVERTED.match(text) is not None
    if ends and (clause := _CLAUSE.search(text)):
        text, ends = text[: clause.start()], [end for end in ends if end < clause.start()]
    lead = len(text) if ends or inverted else _first_sentence(text) if sentence else _lead(text)
    grammar = FUNCTION_WORDS if any(len(form) > 1 for form in said.forms) else frozenset()
    content = [
        i
        for i, form in enumerate(said.forms)
        if said.spans[i][0] < lead and (form not in grammar or _ends_name(said, i, text))
    ]
    new = [i for i in content if not asked.stems.issuperset(stems(said.forms[i])) or said.word_at(i) == "I"]
    kept = new or content or list(range(len(said.forms)))
    parts = _parts(said, kept[1:] + kept[:1] if inverted else kept, ends, offset, sentence)
    return Phrase(
        tuple(parts),
        told=not new,
        person=asked.person and not ends and _is_person(parts, said, asked),
        sentence=sentence,
        entries=_entries_needed(parts, asked) if ends else 0,
        acronyms=bool(_ACRONYM.search(text)),
        acronym="" if sentence or ends else "".join(said.forms[i][0] for i in content),
    )


def _is_list(text: str, asked: _Asked) -> bool:
    """Whether a text is entries rather than one name; a comma alone may also part a place from where it lies."""
    if asked.several:
        return asked.counted or not _PLACE.match(text)
    if not asked.one_of and _LIST.match(text):
        return True
    return asked.person and _TWO_PEOPLE.match(text) is not None


def _ends_name(said: Words, place: int, text: str) -> bool:
    """Whether a word that looks like grammar is a part of a name: Nguyễn Du, Richard I, D major."""
    if len(said.forms) <= _MANY and said.word_at(place) in _LETTERS:
        return True
    if not place or text.isupper() or not (said.capital(place) and said.capital(place - 1)):
        return False
    return said.word_at(place) == "I" or place == len(said.forms) - 1 == 1


def _parts(said: Words, kept: list[int], ends: list[int], offset: int, sentence: bool) -> list[Part]:
    """The words kept, with their weight: names count most where there are any."""
    names = len(kept) == 1 or any(said.capital(i) for i in kept if i)
    parts = []
    for i in kept:
        start, end = said.spans[i]
        capital = names and said.capital(i)
        weight = _weight(said.forms[i], capital or not names, sentence)
        parts.append(Part(said.forms[i], weight, offset + start, offset + end, capital, sum(start > at for at in ends)))
    return parts


def _weight(form: str, name: bool, sentence: bool) -> float:
    number = form[:1].isdigit()
    if form in NATIONS:
        return _PLAIN
    initial = len(form) == 1 and not number
    if initial or form in TITLES or form in CLASSES or (number and sentence):
        return _CLASS
    return 1.0 if name or number else _PLAIN


def _is_person(parts: list[Part], said: Words, asked: _Asked) -> bool:
    """Whether the parts are a person's given names and surname, and not a team, a place, or a band named after one."""
    if not 2 <= len(parts) <= _MANY or not all(part.capital for part in parts):
        return False
    surname = parts[-1].weight == 1 or parts[-1].form in TITLES.difference(OF_FATHER_AND_SON)
    if not surname or parts[0].form in CLASSES or "of" in said.forms or _JOINS.search(said.text):
        return False
    plural = parts[-1].form.endswith("s") and not parts[-1].form.endswith("ss")
    return not (asked.winner and plural)


def _entries_needed(parts: list[Part], asked: _Asked) -> int:
    entries = len({part.entry for part in parts})
    return entries if asked.counted or entries < _MANY else (entries + 1) // 2


def _lead(text: str) -> int:
    """Where the name ends and what describes it begins."""
    return next(
        (
            cut.start()
            for cut in _LEAD_ENDS.finditer(text)
            if any(map(str.isalnum, text[: cut.start()])) and not _NUMBERED.match(text, cut.start())
        ),
        len(text),
    )


def _first_sentence(text: str) -> int:
    """Where the first sentence of more than two words ends."""
    return next(
        (cut.start() for cut in _SENTENCE_ENDS.finditer(text) if len(text[: cut.start()].split()) > 2), len(text)
    )


def _starts_with_name(text: str) -> bool:
    """Whether a long text starts with a name: `Edith, in 1958, with a song ...`."""
    lead = words(text[: _lead(text)])
    content = [i for i, form in enumerate(lead.forms) if form not in FUNCTION_WORDS]
    return 0 < len(content) < _MANY and all(lead.capital(i) for i in content)
