"""Names and phrases: what a golden text asks for in words, and whether a response says it in other letters, forms or
order.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from qaviz.diagnosis.evidence import Evidence, Span, Stance, dates, quantities
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.lexicon import CLASSES, DENIALS, FUNCTION_WORDS, NATIONS, OPPOSITE, TITLES
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


KIND = "phrase"
NONE_TELLING = "says none of its key words"
"""The note on a response that says nothing of a phrase beyond what the question holds."""

WHOLE = 0.9
"""Strength of evidence that says all of a phrase."""
_ENOUGH = 0.4
"""Share of a phrase's weight from which it is said: where labelled responses turn from incorrect to correct."""
_MENTIONS = 8
"""Verbatim mentions that are looked at."""
_PLACES = 50
"""Places of one word that are looked at."""
_NEAR, _NEAR_EACH = 8, 4
"""Words that a phrase may be spread over, and more for each of its words."""
_JOINING = 1
"""Small words that may stand inside a phrase of the question's own words."""
_EPSILON = 1e-9
"""Sums of weights in another order differ by less."""
_NAME, _ALONE = 3, 4
"""Letters from which a word beside a name is none of its initials, and words up to which a response is a name alone."""
_KIND = 2
"""Words of a phrase that names a kind by a letter: hepatitis B."""
_OPPOSITE, _BASE = ("un", "non", "dis", "in", "im", "ir", "il"), 5
"""What makes the opposite of a word, and letters of such a word."""
_SPELLED_NAME, _SPELLED = 4, 5
"""Letters from which a name, and any other word, may be spelled in another way."""
_ORDER = (Stance.SILENT, Stance.ABSENT, Stance.CONTRADICTS, Stance.AGREES)
_TOLD = "says it, in words that the question also has"


@dataclass(frozen=True, slots=True)
class Stretch:
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


def compare(golden: str, response: str, question: str = "") -> Evidence:
    """What `response` says of a golden name or phrase: one fact variant, or the golden answer.

    AGREES: it says the phrase, or enough of the words that matter, in any form. ABSENT: it says too little of it, or
    another number. SILENT: the golden text has no words. Words that the question holds count neither for nor against.
    """
    phrases = read(golden, question)
    if not phrases:
        return Evidence(KIND, Stance.SILENT)
    are_told = all(phrase.told for phrase in phrases)
    if verbatim := _verbatim(golden, response, are_told):
        return verbatim
    return max((_judge(golden, phrase, words(response), question) for phrase in phrases), key=_rank)


@lru_cache(maxsize=16_384)
def speaks(golden: str, question: str) -> bool:
    """Whether a golden text has words besides an amount or a date that the question is after."""
    if not any(map(str.isalnum, golden)) or dates.speaks(golden, question):
        return False
    return not quantities.is_amount(golden, question)


def _rank(evidence: Evidence) -> tuple[int, float]:
    return _ORDER.index(evidence.stance), evidence.strength


def _verbatim(golden: str, response: str, is_told: bool) -> Evidence | None:
    """The golden text as it is, between word boundaries; None where it does not stand."""
    level = level_text(response)
    sought = level_text(golden).strip(" \n\t\"'.,;:")
    mention = next(_mentions(sought, level), None) if sought else None
    if mention is None:
        return None
    start, end = mention
    how, strength = (_TOLD, 0.4) if is_told else ("the same words", 1.0)
    quote = Span(start, end, response[start:end])
    return Evidence(KIND, Stance.AGREES, Span(0, len(golden), golden), quote, how, strength)


def _mentions(sought: str, level: str) -> Iterator[tuple[int, int]]:
    start = level.find(sought)
    for _ in range(_MENTIONS):
        if start < 0:
            return
        end = start + len(sought)
        if not (_is_inside_word(level, start) or _is_inside_word(level, end)):
            yield start, end
        start = level.find(sought, end)


def _is_inside_word(level: str, at: int) -> bool:
    """Whether the letters before and at an offset belong to one word. Scripts without blanks have no such words."""
    return 0 < at < len(level) and level[at - 1].isalnum() and level[at].isalnum() and level[at] < "\u2e80"


def _judge(golden: str, phrase: Phrase, response: Words, question: str) -> Evidence:
    """What the response says of one alternative of the golden text."""
    stretch = _find_best_stretch(phrase, _places(phrase, response, asked_stems(question)))
    if stretch is None:
        return Evidence(KIND, Stance.ABSENT, _golden_span(golden, phrase.parts), note=NONE_TELLING)
    of_golden = _golden_span(golden, [phrase.parts[i] for i in stretch.parts])
    of_response = span(response, stretch.first, stretch.last)
    if phrase.told and stretch.last - stretch.first >= len(phrase.parts) + _JOINING:
        return Evidence(KIND, Stance.ABSENT, of_golden, of_response, NONE_TELLING, 0.6)
    if lacking := _lacking(stretch, response) or _name_another(stretch, response, asked_stems(question)):
        return Evidence(KIND, Stance.ABSENT, of_golden, of_response, lacking, 0.6)
    if stretch.share < _ENOUGH:
        return Evidence(
            KIND, Stance.ABSENT, of_golden, of_response, _describe_count(stretch), 1 - stretch.share / _ENOUGH
        )
    if DENIALS.search(level_text(golden)) and not DENIALS.search(level_text(response.text)):
        return Evidence(KIND, Stance.ABSENT, of_golden, of_response, "does not deny what the golden text denies", 0.6)
    return Evidence(KIND, Stance.AGREES, of_golden, of_response, *_agreement(stretch))


def _golden_span(golden: str, parts: Sequence[Part]) -> Span:
    start, end = min(part.start for part in parts), max(part.end for part in parts)
    return Span(start, end, golden[start:end])


def _describe_count(stretch: Stretch) -> str:
    return f"says {len(stretch.parts)} of the {len(stretch.phrase.parts)} key words"


def _agreement(stretch: Stretch) -> tuple[str, float]:
    if stretch.phrase.told:
        return _TOLD, 0.4
    if len(stretch.parts) == len(stretch.phrase.parts):
        return "the same in another form", WHOLE
    return _describe_count(stretch), 0.4 + 0.5 * stretch.share


def _lacking(stretch: Stretch, response: Words) -> str:
    """What the phrase cannot do without and the response lacks: a number, or a word whose opposite it says."""
    phrase = stretch.phrase
    missing = [part for i, part in enumerate(phrase.parts) if i not in stretch.parts]
    numbers = [part.form for part in missing if part.form[:1].isdigit()]
    if numbers and not phrase.sentence:
        return f"does not say {numbers[0]}"
    if entry := next((entry for entry in phrase.entries if entry.isdisjoint(stretch.parts)), None):
        return f"does not say {' '.join(phrase.parts[i].form for i in sorted(entry))}"
    letters = [part.form for part in missing if len(part.form) == 1 and part.form.isalpha()]
    if letters and len(phrase.parts) == _KIND:
        return f"does not say {letters[0].upper()}"
    both = {part.form for part in phrase.parts}
    opposites = (part.form for part in missing if OPPOSITE.get(part.form) not in both)
    if opposite := next((form for form in opposites if _is_opposite(form, response)), ""):
        return f"does not say {opposite}"
    return ""


def _name_another(stretch: Stretch, response: Words, question_stems: frozenset[str]) -> str:
    """What stands where one of two words of a name is missing: North Dakota, where South Dakota is golden."""
    parts = stretch.phrase.parts
    # One word of the response may say both at once: `healthcare` for `health care`.
    if len(parts) != 2 or len(stretch.parts) != 1 or stretch.first != stretch.last or stretch.phrase.sentence:
        return ""
    (stated,) = stretch.parts
    beside, last = stretch.first + (1 if stated == 0 else -1), len(response.forms) - 1
    if not 0 <= beside <= last or response.between(min(beside, stretch.first)).strip():
        return ""
    form = response.forms[beside]
    alike = form[0] == parts[1 - stated].form[0] or not question_stems.isdisjoint(stems(form))
    if len(form) < _NAME or alike or form in FUNCTION_WORDS or form in TITLES:
        return ""
    named = parts[1 - stated].capital and response.capital(beside) and beside > 0
    return f"names {response.word_at(beside)} in place of {parts[1 - stated].form}" if named or last < _ALONE else ""


def _is_opposite(form: str, response: Words) -> bool:
    """Whether the response says the opposite of a word: right for left, constitutional for unconstitutional."""
    if form in OPPOSITE and response.at(OPPOSITE[form]):
        return True
    prefix = next((prefix for prefix in _OPPOSITE if form.startswith(prefix)), "")
    return bool(prefix) and len(form) >= len(prefix) + _BASE and bool(response.at(form.removeprefix(prefix)))


def _places(phrase: Phrase, response: Words, question_stems: frozenset[str]) -> list[tuple[int, int]]:
    """Where each part stands: (word of the response, part), in the response's order."""
    parts = phrase.parts
    find = _said_as_written if phrase.sentence else _said_at
    places = [(place, i) for i, part in enumerate(parts) for place in find(part, response, question_stems)[:_PLACES]]
    stated_places = {i for _, i in places}
    for i in range(len(parts) - 1):
        if i not in stated_places or i + 1 not in stated_places:
            joined = response.at(parts[i].form + parts[i + 1].form)
            places += [(place, part) for place in joined[:_PLACES] for part in (i, i + 1)]
    return sorted(places)


def _said_as_written(part: Part, response: Words, _: frozenset[str]) -> Sequence[int]:
    """The words of the same form or stem: of a sentence no single word matters."""
    return response.at(part.form)


def _said_at(part: Part, response: Words, question_stems: frozenset[str]) -> Sequence[int]:
    """The words that say a part: of the same form or stem, else spelled in another way; a number has one spelling."""
    same = response.at(part.form)
    if same or any(map(str.isdigit, part.form)) or len(part.form) < (_SPELLED_NAME if part.capital else _SPELLED):
        return same
    return [
        place
        for place in response.like(part.form)
        if not question_stems.issuperset(stems(response.forms[place]))
        and not _are_opposite(part.form, response.forms[place])
    ]


def _are_opposite(one: str, other: str) -> bool:
    """Whether one word is the other behind what makes its opposite: illegal, legal."""
    return any(prefix + one == other or prefix + other == one for prefix in _OPPOSITE)


def _find_best_stretch(phrase: Phrase, places: Sequence[tuple[int, int]]) -> Stretch | None:
    """The first stretch of the response that says most of the phrase."""
    room = _NEAR + _NEAR_EACH * len(phrase.parts)
    best, left, weight, most = None, 0, 0.0, 0.0
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
        if weight > most + _EPSILON:
            most, inside = weight, frozenset(part for part, count in counts.items() if count)
            best = Stretch(phrase, weight / phrase.weight, inside, places[left][0], place)
    return best
