"""What a golden text asks for in words: its alternatives, and how much each word of them matters."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from qaviz.diagnosis.lexicon import CLASSES, FUNCTION_WORDS, TITLES
from qaviz.diagnosis.words import Words, stems, words

_PLAIN = 0.6
"""Weight of a word without a capital beside names."""
_CLASS = 0.3
"""Weight of a title or of a class of things."""
_SENTENCE = 8
"""Words from which a golden text is a sentence, of which all parts matter."""

_PARENTHESIS = re.compile(r"\(([^()]*)\)")
_ALSO = re.compile(
    r"\W*(?:(?:also|or|aka|a\.k\.a\.?|accept|i\.e\.?|formerly|now|called|known as)\b[ ,:]*)+", re.IGNORECASE
)
_OR = re.compile(r"\s(?:or|OR)\s|(?<=[^\W\d])\s?/\s?(?=[^\W\d]{3})")
_LEAD_ENDS = re.compile(r"[,;:](?=\s)|\s[-–—]\s|\.\s(?=[A-Z])|\s(?:who|which|whose|where|because|when|while)\s")
_ENTRY_ENDS = re.compile(r"[,;\n]|\s(?:and|&|và)\s")
_ASKS_SEVERAL = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|[2-9]|both|names? of the|(?:what|who) (?:are|were)|"
    r"(?:which|what) \w+(?<!i)(?<!s)s)\b",
    re.IGNORECASE,
)
_ASKS_ONE_OF = re.compile(r"\b(?:either|one of|any of|name an?|give an?)\b", re.IGNORECASE)
_ASKS_PERSON = re.compile(
    r"\b(?:who|whom|whose|(?:which|what) (?:\w+ ){0,2}(?:actor|actress|singer|author|writer|president|player|\w+ist|\w+er))\b",
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
    """Without function words and words of the question, unless nothing else is left, and without what only describes."""
    told: bool
    """Whether all its words stand in the question, so that saying them tells little."""
    several: bool
    """A list, of which every entry is asked for."""
    person: bool
    """A person's name: the last part is the surname."""


@lru_cache(maxsize=65_536)
def read(golden: str, question: str) -> tuple[Phrase, ...]:
    """The phrases any of which says `golden` in answer to `question`."""
    several = _ASKS_SEVERAL.search(question) is not None and not _ASKS_ONE_OF.search(question)
    person = _ASKS_PERSON.search(question) is not None
    phrases = (_phrase(text, start, question, several, person) for start, text in _alternatives(golden))
    return tuple(phrase for phrase in phrases if phrase.parts)


def _alternatives(golden: str) -> Iterator[tuple[int, str]]:
    """Each alternative and where it starts: outside of parentheses and, where those say `or ...`, inside."""
    outside = _PARENTHESIS.sub(lambda found: " " * len(found.group()), golden)
    if not any(map(str.isalnum, outside)):
        outside = golden
    start = 0
    for cut in _OR.finditer(outside):
        yield start, outside[start : cut.start()]
        start = cut.end()
    yield start, outside[start:]
    for found in _PARENTHESIS.finditer(golden):
        if also := _ALSO.match(found[1]):
            yield found.start(1) + also.end(), found[1][also.end() :]


def _phrase(text: str, offset: int, question: str, several: bool, person: bool) -> Phrase:
    read_words = words(text)
    entries = [cut.start() for cut in _ENTRY_ENDS.finditer(text)] if several else []
    lead = len(text) if entries or len(read_words.forms) >= _SENTENCE and not _short_lead(text) else _lead(text)
    content = [
        i for i, form in enumerate(read_words.forms) if form not in FUNCTION_WORDS and read_words.spans[i][0] < lead
    ]
    asked = asked_stems(question)
    new = [i for i in content if not asked.issuperset(stems(read_words.forms[i]))]
    kept = new or content or list(range(len(read_words.forms)))
    capitals = any(read_words.capital(i) for i in kept if i) or len(kept) == 1
    parts = [
        Part(
            read_words.forms[i],
            _weight(read_words, i, capitals),
            offset + read_words.spans[i][0],
            offset + read_words.spans[i][1],
            capitals and read_words.capital(i),
            sum(read_words.spans[i][0] > end for end in entries),
        )
        for i in kept
    ]
    names = [part for part in parts if part.weight == 1]
    named = 2 <= len(names) <= 4 and all(part.capital for part in names) and parts[-1].weight == 1
    return Phrase(tuple(parts), not new, bool(entries), person and named and not entries)


@lru_cache(maxsize=4096)
def asked_stems(question: str) -> frozenset[str]:
    """The stems of the words of a question."""
    return frozenset(stem for form in words(question).forms for stem in stems(form))


def _lead(text: str) -> int:
    """Where the name ends and what describes it begins."""
    for cut in _LEAD_ENDS.finditer(text):
        if any(map(str.isalnum, text[: cut.start()])):
            return cut.start()
    return len(text)


def _short_lead(text: str) -> bool:
    """Whether a sentence-long text starts with a name: `Cher, in 1998, with the song ...`."""
    lead = words(text[: _lead(text)])
    return len(lead.forms) <= 3 and all(
        lead.capital(i) for i, form in enumerate(lead.forms) if form not in FUNCTION_WORDS
    )


def _weight(read_words: Words, i: int, capitals: bool) -> float:
    form = read_words.forms[i]
    if form in TITLES or form in CLASSES:
        return _CLASS
    return 1.0 if read_words.capital(i) or not capitals or form[:1].isdigit() else _PLAIN
