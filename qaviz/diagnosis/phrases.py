"""Names and phrases: what a golden text asks for in words, and how much of it a region says in any form or order."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz import fuzz

from qaviz.diagnosis.patterns import GOLDEN, QUESTION
from qaviz.reading.sides import opposites_of
from qaviz.reading.tables import Table, table
from qaviz.reading.words import Word, Words, words

_PLAIN, _CLASS = 0.6, 0.3
"""Weight of a word without a capital beside names; of a title, a class of things, and a number in a sentence."""
_SENTENCE = 8
"""Words from which a golden text is a sentence, of which no single word is needed."""
_NAME_WORDS = 4
"""Words up to which a text may be a name."""
_PLACES = 50
"""Places of one word that are looked at."""
_SPELLED_NAME, _SPELLED = 4, 5
"""Letters from which a name, and any other word, may be spelled in another way."""
_INITIAL, _ALIKE = 2, 80
"""Letters of an initial, and likeness from which a word may be another form of a golden one."""
_PARENTHESIS = re.compile(r"\(([^()]*)\)")
_OR = re.compile(r"\s(?:or|OR)\s|(?<=[^\W\d])\s?/\s?(?=[^\W\d]{3})")
_SENTENCE_ENDS = re.compile(r"(?<=[a-z\d%)])[.;]\s")
_LETTERS = frozenset("STDNEY")
"""Capitals that are grammar as small letters: the `s` of `it's`."""


class Part(NamedTuple):
    """A word of a golden phrase that a response has to say."""

    word: Word
    form: str
    weight: float
    start: int
    end: int


class Phrase(NamedTuple):
    """One way to say the golden text."""

    parts: tuple[Part, ...]
    """The words that are no grammar and not the question's, unless nothing else is left, without mere descriptions."""
    in_question: bool
    """Whether all its words stand in the question, so that saying them tells little."""
    sentence: bool
    """A statement, in which no single word is needed."""
    entries: tuple[frozenset[int], ...] = ()
    """Of a list: the places of the parts of each entry."""


@lru_cache(maxsize=16_384)
def read_phrases(golden: str, question: str, language: str) -> tuple[Phrase, ...]:
    """The phrases any of which says `golden` in answer to `question`."""
    own, asking, phrases = table(language), words(question, language), list[Phrase]()
    one_of = QUESTION["one_of"].search(question) is not None
    for offset, text in _alternatives(golden[:2_000], one_of):  # characters that are read
        text_words = words(text, language).words
        sentence = len(text_words) >= _SENTENCE and not _starts_with_name(text, language)
        # Of a sentence, the first one of more than two words.
        ends = (cut.start() for cut in _SENTENCE_ENDS.finditer(text) if len(text[: cut.start()].split()) > 2)
        lead = next(ends, len(text)) if sentence else _lead(text)
        grammar = own.grammar if any(len(word.form) > 1 for word in text_words) else frozenset[str]()
        content = [
            word
            for i, word in enumerate(text_words)
            if word.start < lead and (word.form not in grammar or _is_of_name(text_words, i, text))
        ]
        new = [word for word in content if not asking.find(word.stem) or text[word.start : word.end] == "I"]
        telling = [word for word in new if not sentence or len(word.form) > 1 or word.stem >= "\u2e80"]
        kept = telling or content or text_words
        names = len(kept) == 1 or any(word.capital for word in kept if word.start)
        parts = tuple(
            Part(word, word.form, _weight(word, names, sentence, own), offset + word.start, offset + word.end)
            for word in kept
        )
        if parts:
            phrases.append(Phrase(parts, not new, sentence, () if sentence else _entries(text, offset, parts)))
    return tuple(phrases)


def _alternatives(golden: str, one_of: bool) -> Iterator[tuple[int, str]]:
    """Each alternative and where it starts: outside of parentheses and, where those say `or ...`, inside."""
    outside = _PARENTHESIS.sub(lambda match: " " * len(match.group()), golden)
    if not any(map(str.isalnum, outside)):
        outside = golden
    start = 0
    ends = GOLDEN["entry_ends"] if one_of else _OR
    for cut in ends.finditer(outside) if len(golden.split()) < 2 * _SENTENCE else ():
        yield start, outside[start : cut.start()]
        start = cut.end()
    yield start, outside[start:]
    for match in _PARENTHESIS.finditer(golden):
        if also := GOLDEN["also"].match(match[1]):
            yield match.start(1) + also.end(), match[1][also.end() :]


def _entries(text: str, offset: int, parts: Sequence[Part]) -> tuple[frozenset[int], ...]:
    """The places of the parts of each entry of a list; of an entry that has none, nothing."""
    if not GOLDEN["list"].fullmatch(text.strip(" .")):
        return ()
    ends = [*(offset + cut.start() for cut in GOLDEN["entry_ends"].finditer(text)), offset + len(text)]
    entry_of = [next(i for i, end in enumerate(ends) if part.start < end) for part in parts]
    return tuple(frozenset(i for i, own in enumerate(entry_of) if own == entry) for entry in sorted(set(entry_of)))


def _is_of_name(text_words: Sequence[Word], place: int, text: str) -> bool:
    """Whether a word that looks like grammar is a part of a name: Nguyễn Du, Richard I, D major."""
    word = text_words[place]
    written = text[word.start : word.end]
    if written == "I":
        return place > 0
    if written in _LETTERS and len(text_words) <= _NAME_WORDS:
        return True
    ends_two = place == 1 == len(text_words) - 1
    return ends_two and word.capital and text_words[0].capital and not text.isupper()


def _weight(word: Word, names: bool, sentence: bool, own: Table) -> float:
    """What a word counts: names most where there are any."""
    number = word.form[:1].isdigit()
    if (len(word.form) == 1 and not number) or word.form in own.classes or (number and sentence):
        return _CLASS
    return 1.0 if not names or word.capital or number else _PLAIN


def _lead(text: str) -> int:
    """Where the name ends and what describes it begins; of a list, all of it is wanted."""
    if GOLDEN["list"].fullmatch(text):
        return len(text)
    cuts = (
        cut.start()
        for cut in GOLDEN["lead_ends"].finditer(text)
        if any(map(str.isalnum, text[: cut.start()])) and not GOLDEN["numbered"].match(text, cut.start())
    )
    return next(cuts, len(text))


def _starts_with_name(text: str, language: str) -> bool:
    """Whether a long text starts with a name: `Edith, in 1958, with a song ...`."""
    grammar = table(language).grammar
    content = [word for word in words(text[: _lead(text)], language).words if word.form not in grammar]
    return 0 < len(content) < _NAME_WORDS and all(word.capital for word in content)


class Stretch(NamedTuple):
    """The stretch of a region that says most of a phrase: which parts, between which two words."""

    phrase: Phrase
    share: float
    parts: frozenset[int]
    first: int
    last: int
    in_order: bool
    """Whether the parts follow each other as in the golden text."""

    @property
    def whole(self) -> bool:
        """Whether it says every part."""
        return len(self.parts) == len(self.phrase.parts)


def find_stretch(phrase: Phrase, region: Words, question: str, language: str) -> Stretch | None:
    """Return the first stretch of a region that says most of a phrase; None where it says nothing of it."""
    places = _places(phrase, region, words(question, language), language)
    room = 8 + 4 * len(phrase.parts)  # the words that it may be spread over
    best, left, weight, most = None, 0, 0.0, 0.0
    whole = sum(part.weight for part in phrase.parts)
    counts = dict.fromkeys((part for _, part in places), 0)
    for right, (place, part) in enumerate(places):
        if not counts[part]:
            weight += phrase.parts[part].weight
        counts[part] += 1
        while place - places[left][0] > room or (counts[places[left][1]] > 1 and left < right):
            dropped = places[left][1]
            counts[dropped] -= 1
            if not counts[dropped]:
                weight -= phrase.parts[dropped].weight
            left += 1
        if weight > most + 1e-9:
            most, inside = weight, frozenset(part for part, count in counts.items() if count)
            order = [number for _, number in places[left : right + 1]]
            best = Stretch(phrase, weight / whole, inside, places[left][0], place, order == sorted(order))
    return best


def _places(phrase: Phrase, region: Words, asking: Words, language: str) -> list[tuple[int, int]]:
    """Where each part stands: (word of the region, part), in the region's order."""
    parts, places = phrase.parts, []
    for i, part in enumerate(parts):
        stated_at = region.find(part.word.stem)
        if not stated_at and not phrase.sentence:
            stated_at = _spelled(part, region, asking, language)
        places += [(place, i) for place in stated_at[:_PLACES]]
    stated = {i for _, i in places}
    for i in range(len(parts) - 1):
        if i not in stated or i + 1 not in stated:
            joined = region.find(parts[i].form + parts[i + 1].form)
            places += [(place, part) for place in joined[:_PLACES] for part in (i, i + 1)]
    return sorted(places)


def _spelled(part: Part, region: Words, asking: Words, language: str) -> Sequence[int]:
    """The words that spell a part in another way; a number has one spelling."""
    if any(map(str.isdigit, part.form)) or len(part.form) < (_SPELLED_NAME if part.word.capital else _SPELLED):
        return ()
    return [
        place
        for place in region.like(part.form)
        if not asking.find(region[place].stem) and region.forms[place] not in opposites_of(part.form, language)
    ]


def find_lacking(stretch: Stretch, region: Words, language: str) -> str:
    """Return what the phrase cannot do without and the region lacks: a number, an entry of a list, a letter that names
    a kind, or a word whose opposite the region says; empty if nothing."""
    phrase = stretch.phrase
    missing = [part for i, part in enumerate(phrase.parts) if i not in stretch.parts]
    if numbers := [part.form for part in missing if part.form[:1].isdigit() and not phrase.sentence]:
        return numbers[0]
    if entry := next((entry for entry in phrase.entries if entry.isdisjoint(stretch.parts)), None):
        return " ".join(phrase.parts[i].form for i in sorted(entry))
    letters = [part.form for part in missing if len(part.form) == 1 and part.form.isalpha()]
    inside = (region[place] for place in range(stretch.first, stretch.last + 1))
    if letters and (len(phrase.parts) == 2 or any(len(word.form) == 1 and word.capital for word in inside)):
        return letters[0].upper()
    if not missing:
        return ""
    golden = {part.form for part in phrase.parts}
    opposite = (part for part in missing if not (opposites_of(part.form, language) - golden).isdisjoint(region.forms))
    return next((part.form for part in opposite), "")


def find_replaced(stretch: Stretch, region: Words, question: str, language: str) -> tuple[str, Part | None]:
    """Return a word that stands beside what is said, where a golden one is missing, and that one: North, South of
    Dakota; an empty text if there is none."""
    phrase = stretch.phrase
    if phrase.sentence or stretch.whole:
        return "", None
    asking = words(question, language)
    for i, part in enumerate(phrase.parts):
        if i in stretch.parts:
            continue
        ways = (
            (stretch.first, -1) if i + 1 in stretch.parts else None,
            (stretch.last, 1) if i - 1 in stretch.parts else None,
        )
        for edge, way in filter(None, ways):
            if word := _beside(region, edge, way, asking, part, table(language)):
                return word, part
    return "", None


def _beside(region: Words, edge: int, way: int, asking: Words, missing: Part, own: Table) -> str:
    """The word before or behind one that is said, if it may stand for the missing one; empty if not."""
    place = edge + way
    if not 0 <= place < len(region):
        return ""
    word, low, high = region[place], min(place, edge), max(place, edge)
    between = region.text[region.spans[low][1] : region.spans[high][0]]
    if between.strip(" -'’") or len(word.form) <= _INITIAL or word.form in own.grammar or word.form in own.titles:
        return ""
    before, long = region.text[: word.start].rstrip(" \"'“("), len(region) > _NAME_WORDS
    opens = not before or before[-1] in ".!?:\n"
    of_name = word.capital and not (long and (opens or not place))
    if word.form[:1].isdigit() or (missing.word.capital and not of_name):
        return ""
    short = word.form.startswith(missing.form) or missing.form.startswith(word.form)
    alike = short or fuzz.ratio(word.form, missing.form) >= _ALIKE or bool(asking.find(word.stem))
    return "" if alike else region.text[word.start : word.end]
