"""What a golden text asks for in words: its alternatives, and how much each word of them matters."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from qaviz.diagnosis.evidence.lexicon import CLASSES, FUNCTION_WORDS, NATIONS, TITLES
from qaviz.diagnosis.evidence.words import Words, stems, words

_PLAIN = 0.6
"""Weight of a word without a capital beside names."""
_CLASS = 0.3
"""Weight of a title, of a class of things, and of a number in a sentence."""
_SENTENCE = 8
"""Words from which a golden text is a sentence, of which no single word is needed."""
_READ = 2_000
"""Characters of a golden text that are read."""
_NAME_WORDS = 4
"""Words up to which a text may be a name."""

_PARENTHESIS = re.compile(r"\(([^()]*)\)")
_ALSO = re.compile(r"\W*(?:(?:also|or|aka|accept|formerly|now|called|known as)\b[ ,:]*)+", re.IGNORECASE)
_OR = re.compile(r"\s(?:or|OR)\s|(?<=[^\W\d])\s?/\s?(?=[^\W\d]{3})")
_LEAD_ENDS = re.compile(
    r"[,;:](?=\s)|\s[-–—]\s|(?<=[a-z\d)]{3})(?<!Prof)\.\s(?=[A-Z])|\s(?:who|which|whose|where|because|when|while)\s"
)
_LIST = re.compile(r"[^,;]{1,40}(?:, [^,;]{1,40})*,? (?:and|&|und|et|y|e|i|và) [^,;]{1,40}")
"""Two entries and more: `maths, English and history`."""
_NUMBERED = re.compile(
    r"[,;:]?\s(?:season|series|episode|chapter|vol(?:ume|\.)|part|act|scene|book|verse|game|week|day|round)s?\s\w{1,12}\b",
    re.IGNORECASE,
)
"""What goes on with the number of a part: `Season 8, Episode 3`."""
_SENTENCE_ENDS = re.compile(r"(?<=[a-z\d%)])[.;]\s")
_LETTERS = frozenset("STDNEY")
"""Capitals that are grammar as small letters: the `s` of `it's`."""
_ENTRY_ENDS = re.compile(r"[,;\n]|\s(?:and|or|&|và)\s")

_ASKS_ONE_OF = re.compile(r"\b(?:either|one of|any of|name an?|give an?)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """A word of a golden phrase that a response has to say."""

    form: str
    weight: float
    start: int
    end: int
    capital: bool


@dataclass(frozen=True, slots=True)
class Phrase:
    """One way to say the golden text."""

    parts: tuple[Part, ...]
    """The words that are no grammar and not the question's, unless nothing else is left, without mere descriptions."""
    told: bool
    """Whether all its words stand in the question, so that saying them tells little."""
    sentence: bool
    """A statement, in which no single word is needed."""
    entries: tuple[frozenset[int], ...] = ()
    """Of a list: the places of the parts of each entry."""

    @property
    def weight(self) -> float:
        """Of all parts together."""
        return sum(part.weight for part in self.parts)


@lru_cache(maxsize=4096)
def asked_stems(question: str) -> frozenset[str]:
    """The stems of the words of a question."""
    return frozenset(stem for form in words(question).forms for stem in stems(form))


@lru_cache(maxsize=65_536)
def read(golden: str, question: str) -> tuple[Phrase, ...]:
    """The phrases any of which says `golden` in answer to `question`."""
    one_of = _ASKS_ONE_OF.search(question) is not None
    question_stems = asked_stems(question)
    phrases = (_phrase(text, start, question_stems) for start, text in _alternatives(golden[:_READ], one_of))
    return tuple(phrase for phrase in phrases if phrase.parts)


def _alternatives(golden: str, one_of: bool) -> Iterator[tuple[int, str]]:
    """Each alternative and where it starts: outside of parentheses and, where those say `or ...`, inside."""
    outside = _PARENTHESIS.sub(lambda match: " " * len(match.group()), golden)
    if not any(map(str.isalnum, outside)):
        outside = golden
    start = 0
    ends = _ENTRY_ENDS if one_of else _OR
    for cut in ends.finditer(outside) if len(golden.split()) < 2 * _SENTENCE else ():
        yield start, outside[start : cut.start()]
        start = cut.end()
    yield start, outside[start:]
    for match in _PARENTHESIS.finditer(golden):
        if also := _ALSO.match(match[1]):
            yield match.start(1) + also.end(), match[1][also.end() :]


def _phrase(text: str, offset: int, question_stems: frozenset[str]) -> Phrase:
    text_words = words(text)
    sentence = len(text_words.forms) >= _SENTENCE and not _starts_with_name(text)
    lead = _first_sentence(text) if sentence else _lead(text)
    grammar = FUNCTION_WORDS if any(len(form) > 1 for form in text_words.forms) else frozenset()
    content = [
        i
        for i, form in enumerate(text_words.forms)
        if text_words.spans[i][0] < lead and (form not in grammar or _ends_name(text_words, i, text))
    ]
    new = [
        i for i in content if not question_stems.issuperset(stems(text_words.forms[i])) or text_words.word_at(i) == "I"
    ]
    parts = _parts(text_words, new or content or list(range(len(text_words.forms))), offset, sentence)
    entries = () if sentence else _entries(text, offset, parts)
    return Phrase(tuple(parts), told=not new, sentence=sentence, entries=entries)


def _entries(text: str, offset: int, parts: Sequence[Part]) -> tuple[frozenset[int], ...]:
    """The places of the parts of each entry of a list; of an entry that has none, nothing."""
    if not _LIST.fullmatch(text.strip(" .")):
        return ()
    ends = [*(offset + cut.start() for cut in _ENTRY_ENDS.finditer(text)), offset + len(text)]
    entry_of = [bisect_right(ends, part.start) for part in parts]
    return tuple(frozenset(i for i, own in enumerate(entry_of) if own == entry) for entry in sorted(set(entry_of)))


def _ends_name(text_words: Words, place: int, text: str) -> bool:
    """Whether a word that looks like grammar is a part of a name: Nguyễn Du, Richard I, D major."""
    if len(text_words.forms) <= _NAME_WORDS and text_words.word_at(place) in _LETTERS:
        return True
    if not place or text.isupper() or not (text_words.capital(place) and text_words.capital(place - 1)):
        return False
    return text_words.word_at(place) == "I" or place == len(text_words.forms) - 1 == 1


def _parts(text_words: Words, kept: list[int], offset: int, sentence: bool) -> list[Part]:
    """The words kept, with their weight: names count most where there are any."""
    names = len(kept) == 1 or any(text_words.capital(i) for i in kept if i)
    parts = []
    for i in kept:
        start, end = text_words.spans[i]
        capital = names and text_words.capital(i)
        weight = _weight(text_words.forms[i], capital or not names, sentence)
        parts.append(Part(text_words.forms[i], weight, offset + start, offset + end, capital))
    return parts


def _weight(form: str, name: bool, sentence: bool) -> float:
    number = form[:1].isdigit()
    if form in NATIONS:
        return _PLAIN
    initial = len(form) == 1 and not number
    if initial or form in TITLES or form in CLASSES or (number and sentence):
        return _CLASS
    return 1.0 if name or number else _PLAIN


def _lead(text: str) -> int:
    """Where the name ends and what describes it begins; of a list, all of it is wanted."""
    if _LIST.fullmatch(text):
        return len(text)
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
    return 0 < len(content) < _NAME_WORDS and all(lead.capital(i) for i in content)
