"""Names and phrases: whether a response says the golden text in other letters, forms or order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from qaviz.diagnosis.evidence import Evidence, Span, Stance, dates, quantities
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.golden_phrases import Part, Phrase, asked_stems, read
from qaviz.diagnosis.evidence.lexicon import DENIALS, FUNCTION_WORDS, OPPOSITE, TITLES
from qaviz.diagnosis.evidence.words import Words, stems, words

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
