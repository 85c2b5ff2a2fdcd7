"""The values that a response names: those of the golden one's kind, each with what its clause does with it and holds
of the question.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from qaviz.diagnosis.evidence import Span, dates, quantities
from qaviz.diagnosis.evidence.claims.parts import WORD, YEAR, Part, find_telling_words, is_number
from qaviz.diagnosis.evidence.claims.predicates import is_past
from qaviz.diagnosis.evidence.claims.roles import Role, find_role
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.golden_phrases import asked_stems
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS, word_set
from qaviz.diagnosis.evidence.words import stems

_NEXT = re.compile(r" ([a-z]{3,})")
_ADJUNCT = re.compile(r"^\W*(?:in|on|at|by|to|namely|that is)\b")
_NEUTRAL = word_set("""
came come comes amounted amounts totalled totaled total totals reached reaches stood stands reported recorded estimated
estimates one ones about approximately roughly around nearly almost exactly over only just measured measures answer
figure value number amount year fiscal ended million billion thousand according currently today now however based
""")
GOES_ON = re.compile(
    r"^\W*(?:and|but|or)\W+(?:it |they |he |she )?(?:\w+ly )?(?:has|had|is|was|were|are|\w+ed|\w+s"
    r"|began|sank|won|went|took|made|met|sold|kept|got|built|led|lost|rose|fell|grew|held|left|came|became)\b"
)
"""A part without a subject of its own: it is about what its sentence began with."""
_MOST = 12
"""Candidates that are looked at."""
_NAME = re.compile(r"[A-ZÀ-Þ][\w'’-]*(?: (?:(?:of|de|la|the|van|von|al) )?[A-ZÀ-Þ][\w'’-]*)*")
_NO_NAMES = word_set("""
january february march april june july august september october november december however yes no note source i
""")
"""Words with a capital that name nothing that may answer."""
_IS = re.compile(r" (?:is|was|are|were) (?:the|a|an|also|now|still)\b")
"""What stands behind a name of one word that opens a sentence and tells that it is one."""


class Candidate(NamedTuple):
    """A value that a response names, with what its clause does with it."""

    start: int
    end: int
    text: str
    head: str
    """All of the response before it."""
    lead: str
    """Its part of a sentence, before it."""
    tail: str
    """All of the response behind it."""
    part: Part
    role: Role
    about: frozenset[str]
    """The question's words that its clause holds."""
    before: tuple[str, ...]
    """The telling words of its clause before it."""
    after: str
    """The word right after it."""
    bare: bool
    """Its clause is the value and nothing else."""
    named: bool
    """It is a name and no number."""


def find_candidate(
    level: str, start: int, end: int, split: Sequence[Part], asked: frozenset[str], question: str
) -> Candidate:
    """Return the value at `start` to `end` of a levelled response with its clause, of those in `split`."""
    place = next((i for i, part in enumerate(split) if part.start <= start < part.end), 0)
    part, text, tail = split[place], level[start:end], level[end:]
    lead = level[part.start : start]
    before, after = find_telling_words(lead), find_telling_words(level[end : part.end])
    bare = not before and not after
    if place and not before and _belongs_to(split[place - 1], part, level):
        before = find_telling_words(split[place - 1].text)
        bare = bare and (level[part.start - 2 : part.start].rstrip() == ":") and not find_foreign_words(before, asked)
    about = words_about((*before, *after), asked)
    if not part.opens and GOES_ON.match(part.text):
        opening = next(one for one in split if one.sentence == part.sentence)
        about |= words_about(read_subject(opening.text), asked)
    role = find_role(level, start, end, part, level_text(question))
    following = _NEXT.match(tail)
    next_word = following[1] if following else ""
    named = not is_number(text)
    return Candidate(
        start, end, text, level[:start], lead, tail, part, role, about, tuple(before), next_word, bare, named
    )


def read_subject(opening: str) -> list[str]:
    """Return the words of a clause before its verb; all of them where no verb is told."""
    words = WORD.findall(opening)
    verb = next((place for place, word in enumerate(words) if place and is_past(word)), len(words))
    return words[:verb]


def _belongs_to(previous: Part, part: Part, level: str) -> bool:
    """Whether a part goes on with the one before it: the value of a label, a time or place after a comma."""
    between = level[previous.end : part.start]
    return ":" in between or ("," in between and bool(_ADJUNCT.match(part.text)))


def find_foreign_words(words: Sequence[str], asked: frozenset[str]) -> list[str]:
    """Return the words that are neither the question's nor said of any value."""
    return [word for word in words if word not in _NEUTRAL and not word.isdigit() and asked.isdisjoint(stems(word))]


def words_about(words: Sequence[str], asked: frozenset[str]) -> frozenset[str]:
    """Return the stems of those words that the question, given by its stems, asks with."""
    return frozenset(stem for word in words if word not in FUNCTION_WORDS for stem in stems(word) if stem in asked)


def find_rivals(
    question: str, response: str, said: Span, kind: str, mentions: Sequence[tuple[int, int]], golden: str
) -> list[tuple[int, int]]:
    """Return where other values of the golden one's kind stand, without those that stand in the question."""
    if YEAR.fullmatch(said.text.strip(" .,")) or kind == dates.KIND or _is_date(said.text):
        found = _other_dates(question, response, said)
    elif is_number(said.text):
        found = _other_quantities(question, response, said)
    else:
        found = _other_names(question, response, f"{said.text} {golden}", said)
    free = [(start, end) for start, end in found if all(end <= first or start >= last for first, last in mentions)]
    return free[:_MOST]


def _is_date(text: str) -> bool:
    found = dates.find(text)
    return bool(found) and found[0].day is not None and found[0].month is not None


def _other_dates(question: str, response: str, said: Span) -> list[tuple[int, int]]:
    own = dates.find(said.text)
    golden = {date.parts for date in own} | {date.parts for date in dates.find(question)}
    by_day = bool(own) and not own[0].year
    return [
        (date.start, date.end)
        for date in dates.find(response)
        if date.parts not in golden and (date.year or (by_day and date.day and date.month)) and not date.named_span
    ]


def _other_quantities(question: str, response: str, said: Span) -> list[tuple[int, int]]:
    golden = quantities.find(said.text)
    if not golden:
        return []
    digits = golden[0].value.normalize().as_tuple().digits
    given = {quantity.value for quantity in quantities.find(question)} | {golden[0].value}
    return [
        (quantity.start, quantity.end)
        for quantity in quantities.find(response)
        if quantity.value not in given
        and quantity.value.normalize().as_tuple().digits != digits
        and quantity.unit == golden[0].unit
        and not quantity.weak
    ]


def _other_names(question: str, response: str, known_as: str, said: Span) -> list[tuple[int, int]]:
    if not said.text[:1].isupper() and not any(map(str.isupper, said.text)):
        return []
    own = set(_words(known_as))
    known = asked_stems(question) | _NO_NAMES
    found = []
    for name in _NAME.finditer(response):
        words = _words(name.group())
        if _opens_sentence(response, name) or not words:
            continue
        if sum(known.isdisjoint((word, *stems(word))) for word in words) * 2 >= len(words) and own.isdisjoint(words):
            found.append(name.span())
    return found


def _words(name: str) -> list[str]:
    """The words of a name that are more than grammar and initials."""
    return [word for word in find_telling_words(level_text(name)) if len(word) > 1]


def _opens_sentence(response: str, name: re.Match[str]) -> bool:
    """Whether a word may have its capital only because it begins a sentence."""
    before = response[: name.start()].rstrip(" \"'(*“")
    opens = not before or before.endswith((".", "!", "?", ":", "\n", ";"))
    if not opens or " " in name.group() or response[name.end() : name.end() + 1] not in (" ", ","):
        return False
    return not _IS.match(response, name.end()) or level_text(name.group()) in FUNCTION_WORDS
