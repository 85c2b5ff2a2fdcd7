"""Evidence that a sentence says another thing than its passage in the passage's words.

Each number, month and name of a sentence is a slot between its neighbours. A place of the passages with the same
neighbours should hold the same value; where one of the same kind stands instead, the value may have been exchanged.
Negations are sought on both sides.
"""

import math
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from qaviz.contexts.passages import MONTH, MONTHS, NAME, NOTHING, NUMBER, Part, Passages, Sentence, is_near
from qaviz.reading.tables import negations_of_all

Places = dict[str, list[int]]
Stretches = list[tuple[float, int, int]]
"""Weight, start and end of stretches of the passages, the best one first."""
_REACH = 60
"""Characters between a value and a neighbour that it is bound to."""
_LETTERS = 12
"""Letters directly beside a value that are compared."""
_MOST_SPOTS = 8
_PAIR = 160
"""Characters within which two names are a pair."""
_BETWEEN = re.compile(r"[\W_]+")
_VALUE = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"(?<![^\W_])[A-ZÀ-ÖØ-ÞĀŁŚŠŽА-Я][^\W\d_]{2,}(?: [A-ZÀ-ÖØ-ÞĀŁŚŠŽА-Я][^\W\d_]{2,})*")
_CONTENT = re.compile(r"[^\W_]{3,}|\d+")
DENIES, DENIED = "denies", "denied"
_DENIAL = re.compile(
    rf"\b(?:{'|'.join(sorted(map(re.escape, negations_of_all()), key=len, reverse=True))}|hardly|unable)\b|n['’]t\b"
    r"|[不没沒未無无非]|ない|なかった|ません"
)

SWAPPED_IN = (
    *("left", "right", "letters before", "letters after", "stretch"),
    *("other's left", "other's right", "other's letters before", "other's letters after", "other's stretch"),
    *("lead of other", "other ahead", "lead of inner", "inner ahead", "absent", "part absent", "turned", "neighbours"),
    *("words", "in question", "frequent", "first", "length"),
)
DENIES_IN = ("unmatched", "not straight", "none inside", "joined", "words", "together", "order", "near")
DENIED_IN = ("next", "after", "before", "joined", "answered", "inside", "words", "together", "order", "last")


class Swap(NamedTuple):
    """Evidence that a value, a name or a negation of a sentence is another in the passages."""

    kind: str
    """Whose model reads it: `number` (months too), `name`, `denies` or `denied`."""
    evidence: tuple[float, ...]
    """See `SWAPPED_IN`, `DENIES_IN` and `DENIED_IN`."""
    start: int
    end: int
    """Its characters in the response."""
    rival: tuple[int, int] | None = None
    """The characters of the joined passages where another value has the same neighbours."""


def read_swaps(
    sentence: Sentence,
    response: str,
    passages: Passages,
    places: Places,
    stretches: Stretches,
    in_question: frozenset[str],
    features: tuple[float, ...],
) -> tuple[Swap, ...]:
    """The evidence of every number, month, name and negation of a sentence that has neighbours in the passages."""
    return (
        *_read_values(sentence, response, passages, places, stretches, in_question, features[0]),
        *_read_denials(sentence, passages, places, stretches, features),
    )


class _Fit(NamedTuple):
    """How far a value's slot in the sentence is like one place of the passages."""

    left: float = 0.0
    """Neighbours before it that stand before this place, near ones counting most; 0 to 1."""
    right: float = 0.0
    before: float = 0.0
    """Letters directly before it that are the same here, of twelve."""
    after: float = 0.0
    stretch: float = 0.0
    """The weight of the sentence's words in the best stretch that has this place, to that of the best of all."""
    span: tuple[int, int] = (0, 0)

    def total(self) -> float:
        return self.left + self.right + self.before + self.after + self.stretch


class _Slot(NamedTuple):
    """What surrounds a value in the sentence, and where the passages may say the same."""

    left: list[tuple[int, list[int]]]
    """How far each neighbour stands, in parts, and its places in the passages."""
    right: list[tuple[int, list[int]]]
    before: str
    after: str
    stretches: Stretches
    lower: str


def _read_values(
    sentence: Sentence,
    response: str,
    passages: Passages,
    places: Places,
    stretches: Stretches,
    in_question: frozenset[str],
    words: float,
) -> Iterator[Swap]:
    """Per number, month and name: whether its neighbours in the sentence are its neighbours in the passages."""
    parts = sentence.parts
    spans = _span_values(parts)
    if not spans or not stretches:
        return
    others = _find_others(passages, stretches, tuple({part.term for part in parts}))
    shares = [(weight / stretches[0][0], start, end) for weight, start, end in stretches]
    own = [_find_span(parts[first:last], places) for first, last in spans]
    for index, (first, last) in enumerate(spans):
        kind = parts[first].kind
        start, end = parts[first].start, parts[last - 1].end
        before = [(step, places[parts[first - step].term]) for step in (1, 2, 3) if first >= step]
        after = [(step, places[parts[last - 1 + step].term]) for step in (1, 2, 3) if last - 1 + step < len(parts)]
        slot = _Slot(
            [(step, spots) for step, spots in before if spots],
            [(step, spots) for step, spots in after if spots],
            _level(response[max(0, start - _LETTERS - 4) : start].lower())[::-1],
            _level(response[end : end + _LETTERS + 4].lower()),
            shares,
            passages.lower,
        )
        alike = [other for other, (place, _) in enumerate(spans) if other != index and parts[place].kind == kind]
        mine = _find_best(own[index], slot)
        rival = _find_best(others[kind], slot)
        inner = _find_best([place for other in alike for place in own[other]], slot)
        terms = [part.term for part in parts[first:last]]
        evidence = (
            *mine[:5],
            *rival[:5],
            mine.total() - rival.total(),
            max(0.0, rival.total() - mine.total()),
            mine.total() - inner.total(),
            max(0.0, inner.total() - mine.total()),
            float(not own[index]),
            1 - sum(bool(places[term]) for term in terms) / len(terms),
            max((_read_order(index, other, own) for other in alike), default=0.0),
            float(len(slot.left) + len(slot.right)),
            words,
            float(all(term in in_question for term in terms)),
            math.log(1 + len(own[index])),
            float(first == 0),
            float(len(terms)),
        )
        span = rival.span if rival.total() > mine.total() else None
        yield Swap(NUMBER if kind == MONTH else kind, evidence, start, end, span)


def _span_values(parts: tuple[Part, ...]) -> list[tuple[int, int]]:
    """The parts that make one number, month or name, as first and last + 1: `New York` is one."""
    spans: list[tuple[int, int]] = []
    for index, part in enumerate(parts):
        if (
            part.kind == NAME
            and spans
            and spans[-1][1] == index
            and parts[index - 1].kind == NAME
            and part.start - parts[index - 1].end <= 3
        ):
            spans[-1] = (spans[-1][0], index + 1)
        elif part.kind in (NUMBER, MONTH, NAME):
            spans.append((index, index + 1))
    return spans


def _find_span(parts: tuple[Part, ...], places: Places) -> list[tuple[int, int]]:
    """Where a name stands: all its words, else the last, else any that stands there; start and end."""
    first, last = places[parts[0].term], places[parts[-1].term]
    size = parts[-1].end - parts[0].start
    if len(parts) > 1:
        whole = [place for place in first if is_near(last, place, place + size + 12)]
        if whole:
            return [(place, place + size) for place in whole]
    return [(place, place + parts[-1].end - parts[-1].start) for place in last or first]


def _find_best(spots: list[tuple[int, int]], slot: _Slot) -> _Fit:
    """The place that is most like the slot."""
    fits = [_bind(start, end, slot) for start, end in spots[:_MOST_SPOTS]]
    fits.sort(key=_Fit.total, reverse=True)
    return max((_compare_letters(fit, slot) for fit in fits[:3]), key=_Fit.total, default=_Fit())


def _opens_sentence(passages: Passages, place: int, word: str) -> bool:
    """Whether a capital says nothing: the word is written small elsewhere, or starts a sentence."""
    return (
        passages.text[max(0, place - 2) : place].strip()[-1:] in ("", ".", "!", "?", "*") or f" {word}" in passages.text
    )


def _bind(start: int, end: int, slot: _Slot) -> _Fit:
    """How far the neighbours of a slot are those of the place from `start` to `end`."""
    ahead = behind = all_left = all_right = 0.0
    for step, spots in slot.left:
        all_left += 1 / step
        if is_near(spots, start - _REACH, start - 1):
            ahead += 1 / step
    for step, spots in slot.right:
        all_right += 1 / step
        if is_near(spots, end, end + _REACH):
            behind += 1 / step
    return _Fit(
        ahead / all_left if all_left else 0.5,
        behind / all_right if all_right else 0.5,
        stretch=next((share for share, low, high in slot.stretches if low - _REACH <= start <= high + _REACH), 0.0),
        span=(start, end),
    )


def _compare_letters(fit: _Fit, slot: _Slot) -> _Fit:
    start, end = fit.span
    return fit._replace(
        before=_share_start(slot.before, _level(slot.lower[max(0, start - _LETTERS - 4) : start])[::-1]),
        after=_share_start(slot.after, _level(slot.lower[end : end + _LETTERS + 4])),
    )


def _level(text: str) -> str:
    """The letters and digits of a text, one blank between two words."""
    return _BETWEEN.sub(" ", text)


def _share_start(ours: str, theirs: str) -> float:
    """How many letters two texts share from their start, as a share of the twelve that are compared."""
    same = 0
    for letter, other in zip(ours[:_LETTERS], theirs, strict=False):
        if letter != other:
            break
        same += 1
    return same / _LETTERS


def _read_order(index: int, other: int, own: list[list[tuple[int, int]]]) -> float:
    """1 where two names only ever stand close together the other way round, 0.5 where they do at their closest."""
    gaps = sorted(
        (abs(theirs - ours), (theirs > ours) == (other > index))
        for ours, _ in own[index][:8]
        for theirs, _ in own[other][:8]
        if theirs != ours and abs(theirs - ours) < _PAIR
    )
    if not gaps or gaps[0][1]:
        return 0.0
    return 0.5 if any(straight for _, straight in gaps) else 1.0


def _find_others(
    passages: Passages, stretches: Stretches, own_terms: tuple[str, ...]
) -> dict[str, list[tuple[int, int]]]:
    """Where numbers, months and names that the sentence lacks stand in and beside the best stretches."""
    others: dict[str, list[tuple[int, int]]] = {NUMBER: [], NAME: [], MONTH: []}
    for _, start, end in stretches:
        low, high = max(0, start - _REACH), end + _REACH
        for kind, pattern in ((NUMBER, _VALUE), (NAME, _NAME)):
            for match in pattern.finditer(passages.text, low, high):
                words = match.group().lower().split()
                if words[0] in NOTHING:
                    if len(words) == 1:
                        continue
                    words = words[1:]
                if len(words) == 1 and kind == NAME and _opens_sentence(passages, match.start(), words[0]):
                    continue
                if not any(word.startswith(own_terms) for word in words):
                    others[MONTH if words[0] in MONTHS else kind].append(match.span())
    return others


def _read_denials(
    sentence: Sentence, passages: Passages, places: Places, stretches: Stretches, features: tuple[float, ...]
) -> Iterator[Swap]:
    """Whether the sentence denies what the passage says, or says what the passage denies."""
    if not stretches:
        return
    counterparts = sorted(
        {
            match.start()
            for _, start, end in stretches
            for match in _DENIAL.finditer(passages.lower, max(0, start - _REACH), end + _REACH)
        }
    )
    best = stretches[0]
    inside = is_near(counterparts, best[1], best[2])
    for place in sentence.negations:
        before = [part for part in sentence.parts if part.start < place][-2:]
        after = [part for part in sentence.parts if part.start > place][:3]
        beside = [*before, *after]
        near = [spots for part in beside if (spots := places[part.term])]
        if near:
            matched = sum(any(is_near(counterparts, spot - 50, spot + 50) for spot in spots) for spots in near)
            evidence = (
                1 - matched / len(near),
                float(
                    not any(is_near(counterparts, spot - 30, spot) for part in after[:1] for spot in places[part.term])
                ),
                float(not inside),
                sum(_are_joined(first, second, places) for first, second in pairwise(beside)) / max(1, len(beside) - 1),
                features[0],
                *features[2:4],
                len(near) / 5,
            )
            yield Swap(DENIES, evidence, place, place + 3)
    for place in counterparts:
        yield from _read_counterpart(place, sentence, passages, best, features)


def _are_joined(first: Part, second: Part, places: Places) -> bool:
    return any(is_near(places[second.term], spot - 50, spot + 50) for spot in places[first.term])


def _read_counterpart(
    place: int, sentence: Sentence, passages: Passages, best: tuple[float, int, int], features: tuple[float, ...]
) -> Iterator[Swap]:
    """What the sentence has of the words beside a negation of the passage."""
    parts = sentence.parts
    ahead = _CONTENT.findall(passages.lower, max(0, place - 60), place)
    behind = _CONTENT.findall(passages.lower, place + 3, place + 70)
    before = [_find_form(word, parts) for word in ahead if word not in NOTHING][-3:]
    after = [_find_form(word, parts) for word in behind if word not in NOTHING][:2]
    anchor = next((part for part in after if part), None)
    if anchor is None:
        return
    evidence = (
        float(after[0] is not None),
        sum(part is not None for part in after) / len(after),
        sum(part is not None for part in before) / max(1, len(before)),
        float(any(part and abs(part.start - anchor.start) < 80 for part in before)),
        float(any(abs(anchor.start - negation) < _REACH for negation in sentence.negations)),
        float(best[1] <= place <= best[2]),
        features[0],
        *features[2:4],
        float(bool(before) and before[-1] is not None),
    )
    yield Swap(DENIED, evidence, sentence.start, sentence.end)


def _find_form(word: str, parts: tuple[Part, ...]) -> Part | None:
    """The part of the sentence that a word of the passage is a form of."""
    for part in parts:
        if word.startswith(part.term):
            return part
    return None
