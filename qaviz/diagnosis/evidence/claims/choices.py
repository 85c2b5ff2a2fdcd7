"""Questions of two: which of its options a response chooses, and whether it says the same of both.

`Who is older, A or B?`, `Were both A and B ...?`, `Are A and B of the same ...?`
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence import Evidence, Span, Stance
from qaviz.diagnosis.evidence.claims.parts import find_telling_words
from qaviz.diagnosis.evidence.clauses import clauses, holds_any, level_text
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS, word_set
from qaviz.diagnosis.evidence.words import stems, words

KIND = "choice"

READ = 4_000
"""Characters of a response that are read."""
_OPTIONS = re.compile(
    r"(?:[,:–—-]|\b(?:between|than|is it|was it|were it|older|first|earlier|later|last)\b) ?"
    r"(?P<one>[^,?:]{2,60}?),? (?:or|hay|hoặc) (?P<other>[^,?:]{2,60}?) ?\?*\s*$"
)
_JOINING = (" or ", " hay ", " hoặc ")
"""A question without any of these names no options."""
MAY_CHOOSE = r"(?i)\s(?:or|hay|hoặc)\s"
"""The same for polars, in the text as written."""
_PAIRS = """
older:younger elder:younger oldest:youngest earlier:later early:late first:last before:after sooner:later more:fewer
more:less most:least most:fewest higher:lower highest:lowest larger:smaller bigger:smaller largest:smallest
longer:shorter longest:shortest taller:shorter tallest:shortest deeper:shallower deepest:shallowest faster:slower
heavier:lighter greater:smaller newer:older farther:closer further:nearer richer:poorer hotter:colder warmer:cooler
wetter:drier wider:narrower better:worse stronger:weaker thicker:thinner louder:quieter steeper:flatter greater:lesser
"""
_ORDERED = [tuple(pair.split(":")) for pair in _PAIRS.split()]
_EARLY = word_set("older elder earlier first before oldest sooner")
_LATE = word_set("younger later last after youngest newer")
_FEW = word_set("fewer less lower smaller shorter least fewest lowest smallest lesser")
_MANY = word_set("more larger bigger greater most largest biggest greatest")
_OPPOSITES = frozenset((*_ORDERED, *(pair[::-1] for pair in _ORDERED)))
"""Pairs of a comparative and its opposite, both ways round."""
_COMPARES = re.compile(r"\b([a-z]{2,}er|more|less|fewer|first|last|before|after|[a-z]{3,}est|most|least)\b")
_NOT_AS = re.compile(r"\b(?:not|n't|less)\b(?: \w+)? (?:as|so)\b|\bless (?:[a-z]+) than\b")
_CONCLUDES = re.compile(r"\b(?:therefore|thus|hence|so|which makes|making|means that|in conclusion)\b")
_OUTLIVED = re.compile(r"\b(?:outlived|survived)\b")
_TIMES = re.compile(r"\b(half|third|quarter|fraction|twice|times)(?: of)? (?:as [a-z]+ as|the (?:[a-z]+) of)\b")
_FRACTIONS = ("half", "third", "quarter", "fraction")
"""`half as long as`, which says less, and `twice as long as`, which says more."""
_OVER = re.compile(r"\b(?:towers? (?:over|above)|rises? above|exceeds?|surpass(?:es|ed)|outnumber(?:s|ed)|tops)\b")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w])")
_COUNTED = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WORD_NUMBERS = {word: number for number, word in enumerate(_COUNTED)}
_VALUE = re.compile(rf"{_NUMBER.pattern}|\b(?:{'|'.join(_WORD_NUMBERS)})\b")
_CONTRASTING = re.compile(
    r"\b(?:not|unlike|compared (?:with|to)|than|while|whereas|over|before|after|as)\b[^,;.]{0,6}$"
)
_GROUPS = (_EARLY, _LATE, _MANY, _FEW)
"""Comparatives that say the same; each second group is the opposite of the one before it."""
_JOINED = 40
"""Characters within which two options are joined: `neither A nor B`, `A and B`."""
_TOLD = re.compile(r"\d|\b(?:is|was|had|has|died|born)\b")
_BEHIND = re.compile(r"(?: \w+)? (?:in|for|by|of) (?:the )?\w+")
"""The option right behind a number: `four in Slate`."""
_ASIDE = re.compile(r",? (?:with|(?:closely )?followed by|ahead of|then|not|while|although|though|whereas|unlike)\b")
"""Where an option is named beside the one that is chosen."""
_ASKS = r"^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\s+"
_TWO_NAMES = r"(?P<one>[^?,]{2,60}?)\s+and\s+(?P<other>[^?,]{2,60}?)"
_WORD_OF_NAME = r"(?-i:[A-Z])[\w.'’-]*"
_BOTH_FIRST = re.compile(
    rf"{_ASKS}both\s+(?:the\s+)?(?P<one>[^?,]{{2,60}}?)\s+and\s+"
    rf"(?P<other>{_WORD_OF_NAME}(?:\s+{_WORD_OF_NAME})*?)\s+(?P<claim>(?-i:[a-z(])[^?]*|[\w-]+)\?",
    re.IGNORECASE,
)
"""The claim begins in small letters, or is one word: `Were both Ed Wood and Bo Li American?`"""
_BOTH_BEHIND = re.compile(rf"{_ASKS}(?:the\s+)?{_TWO_NAMES}\s+both\s+(?P<claim>[^?]+)\?", re.IGNORECASE)
_SAME = re.compile(rf"{_ASKS}(?:the\s+)?{_TWO_NAMES}\s+(?P<claim>[^?]*?\bthe same\b[^?]*)\?", re.IGNORECASE)
_SAME_WORDS = frozenset(("same", "both", "share", "shared", "from", "nationality", "country", "city", "kind", "type"))
_JOINS = re.compile(r",\s+(?:and |but |while |whereas )?|\s(?:and|but|while|whereas)\s")


Mention = tuple[int, bool]
"""Where an option is named, and whether it is the golden one."""


@dataclass(frozen=True)
class Choice:
    """A question of two options, of which the first is the golden one."""

    golden: tuple[str, ...]
    """The words by which the golden option is told from the other."""
    other: tuple[str, ...]
    asks: frozenset[str]
    """The comparatives that the question asks with."""


@lru_cache(maxsize=4096)
def options(question: str, golden: str) -> Choice | None:
    """The options of a question, where it names two and the golden text is one of them."""
    asked = level_text(question.strip())
    found = _OPTIONS.search(asked) if holds_any(asked, _JOINING) else None
    if not found:
        return None
    one, other = (find_telling_words(found[name]) for name in ("one", "other"))
    said = set(find_telling_words(level_text(golden)))
    mine, yours = said & (set(one) - set(other)), said & (set(other) - set(one))
    if mine and yours and (place := _COMPARES.search(level_text(golden))):
        subject = find_telling_words(level_text(golden)[: place.start()])
        mine, yours = mine & set(subject), yours & set(subject)
    if bool(mine) is bool(yours):
        return None
    first, second = (one, other) if mine else (other, one)
    if not set(second) - set(first):
        return None
    return Choice(
        tuple(word for word in first if word not in second),
        tuple(word for word in second if word not in first),
        frozenset(_COMPARES.findall(level_text(question[: found.start() + 1]))),
    )


def compare(question: str, golden: str, response: str) -> Evidence | None:
    """AGREES or CONTRADICTS by the option that a response chooses; None where that is not clear."""
    choice = options(question, golden)
    if not choice:
        return None
    level = level_text(response[:READ])
    chosen = _find_choice(choice, level)
    if chosen is None:
        return None
    right, start, end = chosen
    said = Span(start, end, response[start:end])
    stance = Stance.AGREES if right else Stance.CONTRADICTS
    note = "chooses it" if right else f"Chooses the other option, not “{golden}”"
    return Evidence(KIND, stance, Span(0, len(golden), golden), said, note, 0.8)


def _find_choice(choice: Choice, level: str) -> tuple[bool, int, int] | None:
    """Whether it is the golden option, and the clause that says so."""
    split = clauses(level)
    concluding = [part for part in reversed(split) if _CONCLUDES.search(level[slice(*part)])]
    for start, end in (*concluding, *split):
        begin = start
        if cut := _CONCLUDES.search(level[start:end]):
            begin = start + cut.start() if (start, end) in concluding else start
        right = _by_comparative(choice, level[begin:end])
        if right is not None:
            return right, start, end
    right = _by_values(choice, level)
    if right is not None:
        return right, 0, len(level)
    return _by_mention(choice, level, split)


def _find_mentions(choice: Choice, text: str) -> list[Mention]:
    """Where a text names an option, by any of its own words, in order."""
    options = [(word, True) for word in choice.golden] + [(word, False) for word in choice.other]
    places = ((word, golden, re.finditer(rf"\b{re.escape(word)}\b", text)) for word, golden in options)
    return sorted((found.start(), golden) for _, golden, mentions in places for found in mentions)


def _name_both(mentions: Sequence[Mention]) -> bool:
    return len({golden for _, golden in mentions}) > 1


def _by_comparative(choice: Choice, clause: str) -> bool | None:
    """Whether a clause chooses the golden option by comparing the two; None where it does not tell."""
    mentions = _find_mentions(choice, clause)
    for found in _COMPARES.finditer(clause) if mentions else ():
        way = _direction(choice, found[1])
        if way is None and found[1] in ("more", "less"):
            way = _read_graded_direction(choice, clause[found.end() :], found[1] == "more")
        subject = _subject(mentions, found.start(), clause)
        if way is None or subject is None:
            continue
        if _NOT_AS.search(clause[: found.end() + 12]) or re.search(r"\b(?:not|n't)\b", clause[: found.start()]):
            way = not way
        return subject is way
    return _by_other_words(choice, clause, mentions) if mentions else None


def _by_other_words(choice: Choice, clause: str, mentions: Sequence[Mention]) -> bool | None:
    """The option that a clause chooses by `twice as long as`, `exceeds`, `not as old as` or `outlived`."""
    if (over := _OVER.search(clause)) and _name_both(mentions) and not choice.asks & (_FEW | _EARLY | _LATE):
        return _subject(mentions, over.start(), clause)
    if times := _TIMES.search(clause):
        less, few = times[1] in _FRACTIONS, bool(choice.asks & (_FEW | {"younger"}))
        subject = _subject(mentions, times.start(), clause)
        return None if subject is None else subject is not (less is not few)
    if not_as := re.search(r"\b(?:not|n't|less)(?: quite)? (?:as|so) \w+ as\b", clause):
        subject = _subject(mentions, not_as.start(), clause)
        return None if subject is None or choice.asks & _FEW else not subject
    if (outlived := _OUTLIVED.search(clause)) and _name_both(mentions) and choice.asks & (_EARLY | _LATE):
        subject = _subject(mentions, outlived.start(), clause)
        return None if subject is None else subject is bool(choice.asks & _LATE)
    return None


def _read_graded_direction(choice: Choice, after: str, more: bool) -> bool | None:
    """The direction of `less dense` where the question asks with `denser`."""
    graded = re.match(r" ([a-z]{4,})", after)
    return more if graded and any(asked.startswith(graded[1][:4]) for asked in choice.asks) else None


def _direction(choice: Choice, word: str) -> bool | None:
    """True where a comparative goes the question's way, False where it goes the other way, None where it is another."""
    for asked in choice.asks:
        if word == asked or any({asked, word} <= group for group in _GROUPS):
            return True
        ways = ((asked, word), (word, asked))
        if ways[0] in _OPPOSITES or any(
            one in group and two in opposite
            for group, opposite in ((_EARLY, _LATE), (_MANY, _FEW))
            for one, two in ways
        ):
            return False
    return None


def _subject(mentions: Sequence[Mention], at: int, clause: str) -> bool | None:
    """Whether the option named last before a place, and in no aside, is the golden one; None where both are."""
    before = [(place, golden) for place, golden in mentions if place < at]
    kept = [(place, golden) for place, golden in before if not _CONTRASTING.search(clause[:place])]
    if not kept:
        after = [(place, golden) for place, golden in mentions if place > at]
        return after[0][1] if after and not _name_both(after) else None
    last, golden = kept[-1]
    joined = clause[kept[0][0] : last]
    together = _name_both(kept) and re.search(r"\b(?:and|or)\b", joined) and "," not in clause[last:at]
    return None if together and len(joined) < _JOINED and not _TOLD.search(joined) else golden


def _by_values(choice: Choice, level: str) -> bool | None:
    """Whether the golden option is chosen by the numbers that stand behind the two."""
    values: dict[bool, float] = {}
    mentions = _find_mentions(choice, level)
    for found in _VALUE.finditer(level):
        before = [golden for place, golden in mentions if place < found.start()]
        if not before:
            continue
        digits = found.group().replace(",", "")
        number = float(_WORD_NUMBERS.get(digits, digits))
        right = before[-1]
        if (behind := _BEHIND.match(level, found.end())) and behind[0].endswith((*choice.golden, *choice.other)):
            right = behind[0].endswith(choice.golden)
        dated = 1000 < number < 2100
        if dated or not choice.asks & (_EARLY | _LATE):
            values.setdefault(right, number)
    if len(values) < 2 or values[True] == values[False] or not choice.asks:
        return None
    smaller = bool(choice.asks & (_EARLY | _FEW))
    return (values[True] < values[False]) is smaller


def _by_mention(choice: Choice, level: str, split: Sequence[tuple[int, int]]) -> tuple[bool, int, int] | None:
    """The option that the response names in a first clause of its own, where it names both."""
    if not split or not _name_both(_find_mentions(choice, level)):
        return None
    start, end = split[0]
    if aside := _ASIDE.search(level, start, end):
        end = aside.start()
    words = set(find_telling_words(level[start:end]))
    own = next(
        (golden for golden, option in ((True, choice.golden), (False, choice.other)) if words <= {*option}), None
    )
    return None if own is None or not words else (own, start, end)


class _Pair(NamedTuple):
    """What a question asks of two."""

    one: frozenset[str]
    """Stems of the first name that the other has not."""
    other: frozenset[str]
    claim: frozenset[str]
    """Stems of the property that is asked of both; empty where the question asks whether both have the same."""


def tell_of_both(response: str, question: str) -> bool | None:
    """Return whether the response says the same of both that a question asks of; None where it cannot be told.

    `A is Chinese, B is Korean` says no to `Are both A and B Chinese?` and to `Are A and B of the same nationality?`.
    """
    pair = _read_pair(question)
    if pair is None:
        return None
    said = list(map(_stems, _parts(response)))
    of_one = [each for each in said if each & pair.one and not each & pair.other]
    of_other = [each for each in said if each & pair.other and not each & pair.one]
    if len(of_one) != 1 or len(of_other) != 1:
        return None
    if pair.claim:
        holds = [pair.claim <= each for each in (*of_one, *of_other)]
        return all(holds) if any(holds) else None
    known = pair.one | pair.other | _stems(level_text(question)) | _SAME_WORDS
    one, other = of_one[0] - known, of_other[0] - known
    if not one or not other:
        return None
    return True if one == other else False if one.isdisjoint(other) else None


@lru_cache(maxsize=4096)
def _read_pair(question: str) -> _Pair | None:
    """The two that a question asks of; None where it asks of no two."""
    if " and " not in question:
        return None
    found = _BOTH_FIRST.match(question) or _BOTH_BEHIND.match(question) or _SAME.match(question)
    if not found:
        return None
    one, other, claim = (_stems(level_text(found[name])) for name in ("one", "other", "claim"))
    same = "same" in found["claim"].lower().split()
    pair = _Pair(one - other, other - one, frozenset() if same else claim - one - other)
    return pair if pair.one and pair.other else None


def _parts(response: str) -> list[str]:
    """The statements of a response: its clauses, divided at commas and conjunctions."""
    level = level_text(response)
    pieces = (piece for start, end in clauses(level) for piece in _JOINS.split(level[start:end]))
    return [piece for piece in pieces if piece.strip()]


def _stems(level: str) -> frozenset[str]:
    """The stems of a text's words that carry meaning."""
    telling = (form for form in words(level).forms if form not in FUNCTION_WORDS and form != "both")
    return frozenset(stem for form in telling for stem in stems(form))
