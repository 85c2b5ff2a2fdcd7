"""Names and phrases: whether a response says the golden text in other letters, forms or order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qaviz.diagnosis.evidence import Evidence, Span, Stance
from qaviz.diagnosis.golden_phrases import Part, Phrase, asked_stems, read
from qaviz.diagnosis.lexicon import CLASSES, FUNCTION_WORDS, TITLES
from qaviz.diagnosis.standing import Standing, standing
from qaviz.diagnosis.statements import levelled
from qaviz.diagnosis.words import Words, given_name, stems, words

KIND = "phrase"

_ENOUGH = 0.4
"""Share of a phrase's weight from which it is said: where labelled responses turn from incorrect to correct."""
_ENOUGH_ALONE = 0.28
"""The same where the response says nothing beside the question and words of the phrase."""
_MENTIONS = 8
"""Verbatim mentions that are looked at."""
_PLACES = 50
"""Places of one word that are looked at."""
_NEAR, _NEAR_EACH = 8, 4
"""Words that a phrase may be spread over, and more for each of its words."""
_EPSILON = 1e-9
"""Sums of weights in another order differ by less."""
_OTHER_NAME = 3
"""Letters from which a word beside a part of a name is no initial or abbreviation."""
_OF_FATHER_AND_SON = ("jr", "sr")
"""What an acronym leaves out."""
_SPELLED_NAME, _SPELLED = 4, 5
"""Letters from which a name, and any other word, may be spelled in another way."""


@dataclass(frozen=True, slots=True)
class _Said:
    """The stretch of a response that says most of a phrase: which parts, between which two words."""

    phrase: Phrase
    share: float
    parts: frozenset[int]
    first: int
    last: int


def compare(golden: str, response: str, question: str = "") -> Evidence:
    """What `response` says of a golden name or phrase: one fact variant, or the golden answer.

    AGREES: it says the phrase, or enough of the words that matter, in any form. CONTRADICTS: it rejects the phrase
    (`not X`), or names another person of that surname. ABSENT: it says too little of it, or another number.
    SILENT: the golden text has no words. Words that the question holds count neither for nor against.
    """
    phrases = read(golden, question)
    if not phrases:
        return Evidence(KIND, Stance.SILENT)
    told = all(phrase.told for phrase in phrases)
    return _verbatim(golden, response, question, told) or max(
        (_judge(golden, phrase, words(response), question) for phrase in phrases), key=_rank
    )


_ORDER = (Stance.SILENT, Stance.ABSENT, Stance.CONTRADICTS, Stance.AGREES)


def _rank(evidence: Evidence) -> tuple[int, float]:
    return _ORDER.index(evidence.stance), evidence.strength


def _verbatim(golden: str, response: str, question: str, told: bool) -> Evidence | None:
    """The golden text as it is, between word boundaries; None where it does not stand."""
    level = levelled(response)
    sought = levelled(golden).strip(" \n\t\"'.,;:")
    mentions = list(_mentions(sought, level)) if sought else []
    if not mentions:
        return None
    stands = [standing(level, start, end, f"{golden} {question}") for start, end in mentions]
    best = next((i for i, how in enumerate(stands) if how is Standing.SAID), 0)
    start, end = mentions[best]
    said = Span(start, end, response[start:end])
    return _stands(
        stands[best], Span(0, len(golden), golden), said, *((_TOLD, 0.4) if told else ("the same words", 1.0))
    )


def _mentions(sought: str, level: str) -> Iterator[tuple[int, int]]:
    start = level.find(sought)
    for _ in range(_MENTIONS):
        if start < 0:
            return
        end = start + len(sought)
        if not (_joined(level, start) or _joined(level, end)):
            yield start, end
        start = level.find(sought, end)


def _joined(level: str, at: int) -> bool:
    """Whether the letters before and at an offset belong to one word. Scripts without blanks have no such words."""
    return 0 < at < len(level) and level[at - 1].isalnum() and level[at].isalnum() and level[at] < "\u2e80"


_TOLD = "says it, in words that the question holds too"


def _stands(how: Standing, golden: Span, said: Span, note: str, strength: float) -> Evidence:
    if how is Standing.REJECTED:
        return Evidence(KIND, Stance.CONTRADICTS, golden, said, f"rejects it: “{said.text}” stands in a negation", 0.8)
    if how is Standing.ONE_OF:
        return Evidence(KIND, Stance.AGREES, golden, said, f"{note}, as one of several", min(strength, 0.5))
    return Evidence(KIND, Stance.AGREES, golden, said, note, strength)


def _judge(golden: str, phrase: Phrase, response: Words, question: str) -> Evidence:
    """What the response says of one alternative of the golden text."""
    said = _most_said(phrase, _places(phrase.parts, response, asked_stems(question)))
    if said is None:
        return Evidence(KIND, Stance.ABSENT, _golden_span(golden, phrase.parts), note="says none of its telling words")
    of_golden = _golden_span(golden, [phrase.parts[i] for i in said.parts])
    of_response = _span(response, said.first, said.last)
    if lacking := _lacking(said):
        return Evidence(KIND, Stance.ABSENT, of_golden, of_response, lacking, 0.6)
    if phrase.person and (other := _other_person(said, response, question)):
        return Evidence(KIND, Stance.CONTRADICTS, of_golden, other, f"names {other.text}", 0.7)
    if other := _namesake(said, response, question):
        return Evidence(KIND, Stance.CONTRADICTS, of_golden, other, f"names {other.text}", 0.6)
    if not phrase.person and said.share < _ENOUGH and not _alone(said, response, question):
        return Evidence(KIND, Stance.ABSENT, of_golden, of_response, _counted(said), 1 - said.share / _ENOUGH)
    how = Standing.SAID
    if not phrase.sentence:
        how = standing(levelled(response.text), of_response.start, of_response.end, f"{golden} {question}")
    return _stands(how, of_golden, of_response, *_agreement(said))


def _golden_span(golden: str, parts: Sequence[Part]) -> Span:
    start, end = min(part.start for part in parts), max(part.end for part in parts)
    return Span(start, end, golden[start:end])


def _span(response: Words, first: int, last: int) -> Span:
    start, end = response.spans[first][0], response.spans[last][1]
    return Span(start, end, response.text[start:end])


def _counted(said: _Said) -> str:
    return f"says {len(said.parts)} of the {len(said.phrase.parts)} words that matter"


def _agreement(said: _Said) -> tuple[str, float]:
    if said.phrase.told:
        return _TOLD, 0.4
    if len(said.parts) == len(said.phrase.parts):
        return "the same in another form", 0.9
    if said.phrase.person:
        return "names the person by surname", 0.75
    return _counted(said), 0.4 + 0.5 * said.share


def _lacking(said: _Said) -> str:
    """What the phrase cannot do without and the response does not say: a number, an entry of a list, the surname."""
    phrase = said.phrase
    missing = [part for i, part in enumerate(phrase.parts) if i not in said.parts]
    numbers = [part.form for part in missing if part.form[:1].isdigit()]
    if numbers and not phrase.sentence and not phrase.entries:
        return f"does not say {numbers[0]}"
    named = {phrase.parts[i].entry for i in said.parts}
    if len(named) < phrase.entries:
        return f"names {len(named)} of {len({part.entry for part in phrase.parts})}"
    if phrase.person and len(phrase.parts) - 1 not in said.parts:
        return "does not say the surname"
    return ""


def _other_person(said: _Said, response: Words, question: str) -> Span | None:
    """The name of another person, where the first mention of the surname follows another given name."""
    before = said.first - 1
    if len(said.parts) > 1 or before < 0:
        return None
    name = _span(response, before, said.last)
    form = response.forms[before]
    gap = response.text[response.spans[before][1] : response.spans[said.first][0]]
    if gap.strip() or not response.capital(before) or form in FUNCTION_WORDS or form in TITLES:
        return None
    if "." in name.text.split()[0]:
        form = form[:1]
    given = [part.form for part in said.phrase.parts[:-1]]
    same = any(given_name(one, form) for one in given) or asked_stems(question).issuperset(stems(form))
    return None if same else name


def _namesake(said: _Said, response: Words, question: str) -> Span | None:
    """What has one of the golden name's two words, and another in place of the other: North Dakota for South Dakota."""
    parts = said.phrase.parts
    if len(parts) != 2 or len(said.parts) != 1 or said.first != said.last or said.phrase.sentence:
        return None
    (known,) = said.parts
    place, lacking = said.first + (1 if known == 0 else -1), parts[1 - known]
    if not 0 <= place < len(response.forms):
        return None
    form, first = response.forms[place], min(place, said.first)
    apart = response.text[response.spans[first][1] : response.spans[first + 1][0]].strip()
    if apart or form in FUNCTION_WORDS or form in TITLES or len(form) < _OTHER_NAME or "." in response.written(place):
        return None
    if lacking.form in CLASSES and form not in CLASSES:
        return None
    if given_name(lacking.form, form) or not asked_stems(question).isdisjoint(stems(form)):
        return None
    named = lacking.capital and response.capital(place) and place > 0
    return _span(response, first, first + 1) if named or _alone(said, response, question, form) else None


def _alone(said: _Said, response: Words, question: str, *others: str) -> bool:
    """Whether the response says enough of the phrase and nothing beside its words, the question's and these others."""
    if said.share < _ENOUGH_ALONE:
        return False
    known = asked_stems(question).union(*(stems(part.form) for part in said.phrase.parts), *map(stems, others))
    return all(form in FUNCTION_WORDS or not known.isdisjoint(stems(form)) for form in response.forms)


def _places(parts: Sequence[Part], response: Words, asked: frozenset[str]) -> list[tuple[int, int]]:
    """Where each part stands: (word of the response, part), in the response's order."""
    places = [(place, i) for i, part in enumerate(parts) for place in _said_at(part, response, asked)[:_PLACES]]
    said = {i for _, i in places}
    for i in range(len(parts) - 1):
        if i not in said or i + 1 not in said:
            joined = response.at(parts[i].form + parts[i + 1].form)
            places += [(place, part) for place in joined[:_PLACES] for part in (i, i + 1)]
    if not places and len(parts) > 1:
        places = [(place, i) for place in _initials(parts, response, asked) for i in range(len(parts))]
    return sorted(places)


def _said_at(part: Part, response: Words, asked: frozenset[str]) -> Sequence[int]:
    """The words that say a part: of the same form or stem, else spelled out, or in another way, or apart."""
    if (same := response.at(part.form)) or part.form[:1].isdigit():
        return same
    if part.capital and (spelled_out := response.spelled_out(part.form)):
        return spelled_out
    if len(part.form) < (_SPELLED_NAME if part.capital else _SPELLED):
        return ()
    alike = [place for place in response.like(part.form) if not asked.issuperset(stems(response.forms[place]))]
    return alike or response.joined(part.form)


def _initials(parts: Sequence[Part], response: Words, asked: frozenset[str]) -> Sequence[int]:
    """The first word that is an acronym of the phrase, unless the question gives it; of letters alone, however set."""
    acronym = "".join(part.form[0] for part in parts if part.form not in _OF_FATHER_AND_SON)
    if acronym in asked:
        return ()
    letters = all(len(part.form) == 1 for part in parts)
    return [place for place in response.at(acronym) if letters or response.written(place).isupper()][:1]


def _most_said(phrase: Phrase, places: Sequence[tuple[int, int]]) -> _Said | None:
    """The first stretch of the response that says most of the phrase; a list may be spread over all of it."""
    room = places[-1][0] if places and phrase.entries else _NEAR + _NEAR_EACH * len(phrase.parts)
    best, left, weight, most = None, 0, 0.0, 0.0
    counts = dict.fromkeys((part for _, part in places), 0)
    for right, (place, part) in enumerate(places):
        weight += 0 if counts[part] else phrase.parts[part].weight
        counts[part] += 1
        while place - places[left][0] > room or (counts[places[left][1]] > 1 and left < right):
            dropped = places[left][1]
            counts[dropped] -= 1
            weight -= 0 if counts[dropped] else phrase.parts[dropped].weight
            left += 1
        if weight > most + _EPSILON:
            most, inside = weight, frozenset(part for part, count in counts.items() if count)
            best = _Said(phrase, weight / phrase.weight, inside, places[left][0], place)
    return best
