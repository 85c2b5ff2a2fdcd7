"""Which of the values that a short response names it settles on: the golden one, or another of the same kind."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from qaviz.diagnosis.evidence import Span, dates, quantities
from qaviz.diagnosis.evidence.assertion_status import DENIES
from qaviz.diagnosis.evidence.claims.cues import PATTERNS
from qaviz.diagnosis.evidence.claims.predicates import Agency, find_agency, is_past, read_predicate, stands_there
from qaviz.diagnosis.evidence.clauses import is_all_of_sentence, level_text
from qaviz.diagnosis.evidence.golden_phrases import asked_stems
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.diagnosis.evidence.words import stems

LONGEST = 320
"""Characters of a response up to which its clauses are compared: in longer ones names stand for many reasons."""
# All that may begin a cut stands first: the pattern then skips the rest faster.
_PART = re.compile(
    r"[.!?…;:\n(),\s](?:(?<=[.!?…;:\n])(?<![\s.][a-z][.!?…;:\n])(?=\s|$)|(?<=[()])|(?<=,)(?=\s)"
    r"|(?<=\s)(?:[-–—]\s|(?=(?:and|but|while|whereas|although|though|however|which|who|when|yet|or)\s)))"
)
MAY_CLAIM = (
    r"[.!?…;:,()]\s.*\w"
    r"| (?:and|but|while|whereas|although|though|however|which|who|when|yet|or|than|from|of|by|with|over|against) "
)
"""What a response of several parts has, or one whose only part may name a value in another role; for polars."""
_SENTENCE = (".", "!", "?", "…", "\n", ";")
_YEAR = re.compile(r"(?<![\d.,$€£-])(?:1[0-9]|20)\d\d(?![\d%]|,\d)")
_NAME = re.compile(r"[A-ZÀ-Þ][\w'’-]*(?: (?:(?:of|de|la|the|van|von|al) )?[A-ZÀ-Þ][\w'’-]*)*")
_LONG = 80
"""Characters of a value from which it is a statement."""
_MOST = 12
"""Candidates that are looked at."""
WORD = re.compile(r"[^\W_]+")


class Role(StrEnum):
    """What a clause does with a value that it names."""

    ANSWER = "answer"
    REJECTED = "rejected"
    WRONG = "said to be wrong"
    REPORTED = "what others say"
    PLANNED = "what was expected"
    EARLIER = "an earlier or compared value"
    SOURCE = "a source"
    RELATED = "in relation to another"
    OTHER_PERIOD = "of another period"
    OTHER_ENTITY = "of another entity"


_STRONG = (Role.REJECTED, Role.WRONG)
"""Roles that need no other value to count against one."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sentence: from one comma, bracket or conjunction to the next."""

    start: int
    end: int
    sentence: int
    opens: bool
    """It begins a sentence."""
    bracketed: bool
    asks: bool
    """A question mark ends it."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that a response names, with what its clause does with it."""

    start: int
    end: int
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


_ABBREVIATED = "nr st mr mrs ms dr mt prof jr sr inc corp co ltd vs gen sen ft fig"
_ABBREVIATIONS = [[word] for word in _ABBREVIATED.split()]


@lru_cache(maxsize=512)
def parts(level: str) -> tuple[Part, ...]:
    """The parts of a levelled text, in order."""
    return tuple(_parts(level))


def _parts(level: str) -> Iterator[Part]:
    start, sentence, opens, depth = 0, 0, True, 0
    cuts = [(cut.start(), cut.end(), cut.group()) for cut in _PART.finditer(level)] + [(len(level), len(level), "")]
    for begin, end, mark in cuts:
        if mark == "." and level[max(start, begin - 5) : begin].split()[-1:] in _ABBREVIATIONS:
            continue
        if level[start:begin].strip():
            yield Part(start, begin, sentence, opens, depth > 0, mark == "?")
            opens = False
        depth = max(0, depth + (mark == "(") - (mark == ")"))
        if mark.startswith(_SENTENCE):
            sentence, opens = sentence + 1, True
        start = end


BEHIND_NAME = (
    r"[A-Z][^.;:,!?]* [a-z]+(?:ed|[eo]ld|ght|on|ote|ook|ew|eat|ilt|aid|ent|ave) (?:the )?$"
    r"|[A-Z][a-z]+ [A-Z][a-z]+ [a-z].* (?:[a-z]{4,}) (?:the )?$"
)
"""What stands before a value where another name may do what is asked: `Norvik acquired`; for polars."""


def other_claim(
    question: str, response: str, said: Span, kind: str, golden: str = ""
) -> tuple[Role, Span | None] | None:
    """Return in which role the response names the golden value, and the other value that it claims in its place.

    None where the value may be its answer: one of its mentions stands in no other role, and no other value of that
    kind stands in a clause that says more of what the question asks.
    """
    if len(response) > LONGEST or len(said.text) > _LONG:
        return None
    level = level_text(response)
    question = f"{question} {golden}" if DENIES.search(golden) else question
    if is_all_of_sentence(level, said):
        return None
    split = parts(level)
    if not split:  # nothing but marks and breaks
        return None
    mentions = _mentions(response, said)
    asked = asked_stems(question)
    own = [_candidate(level, start, end, split, asked, question) for start, end in mentions]
    answers = any(one.role is Role.ANSWER for one in own)
    if any(one.role in _STRONG for one in own) and not answers:
        return own[0].role, None
    if agency := find_agency(question, golden, response, said):
        whose, agent = agency
        if whose is not Agency.OWN:
            return Role.RELATED, agent if whose is Agency.OTHER else None
        if answers:
            return None
    if len(split) < 2 and answers:
        return None
    if any(_says_all(one, level, asked, question) for one in own):
        return None
    if any(one.role is Role.ANSWER and _answers_alone(one, level, question) for one in own):
        return None
    others = [
        _candidate(level, start, end, split, asked, question)
        for start, end in _alternatives(question, response, said, kind, mentions, golden)
    ]
    others = [one for one in others if one.role is Role.ANSWER]
    if not others:
        return None
    verdicts = [_beaten(one, others, level, question) for one in own]
    if all(verdicts):
        role, other = verdicts[0] or (Role.ANSWER, others[0])
        return role, Span(other.start, other.end, response[other.start : other.end])
    return None


def _says_all(one: Candidate, level: str, asked: frozenset[str], question: str) -> bool:
    """Whether a clause that answers holds all that the response says of the question: no other clause says more."""
    if one.role is not Role.ANSWER or not one.about:
        return False
    years = set(_YEAR.findall(level[one.part.start : one.part.end]))
    return one.about >= words_about(WORD.findall(level), asked) and years <= {
        *_YEAR.findall(question),
        level[one.start : one.end],
    }


def _mentions(response: str, said: Span) -> list[tuple[int, int]]:
    """Where the value stands in the response, as written."""
    level, text = level_text(response), level_text(said.text)
    found, start = [], level.find(text) if text else -1
    while start >= 0:
        end = start + len(text)
        if not (level[start - 1 : start].isalnum() or level[end : end + 1].isalnum()):
            found.append((start, end))
        start = level.find(text, end)
    return found or [(said.start, said.end)]


def _candidate(
    level: str, start: int, end: int, split: Sequence[Part], asked: frozenset[str], question: str
) -> Candidate:
    place = next((i for i, part in enumerate(split) if part.start <= start < part.end), 0)
    part = split[place]
    before = [word for word in WORD.findall(level[part.start : start]) if word not in FUNCTION_WORDS]
    after = [word for word in WORD.findall(level[end : part.end]) if word not in FUNCTION_WORDS]
    bare = not before and not after
    if place and not before and _belongs_to(split[place - 1], part, level):
        before = [word for word in _telling(split[place - 1], level) if word not in FUNCTION_WORDS]
        bare = bare and (level[part.start - 2 : part.start].rstrip() == ":") and not _foreign(before, asked)
    about = words_about((*before, *after), asked)
    if not part.opens and _GOES_ON.match(level[part.start : part.end]):
        opening = next(one for one in split if one.sentence == part.sentence)
        about |= words_about(WORD.findall(level[opening.start : opening.end]), asked)
    role = _role(level, start, end, part, level_text(question))
    next_word = _NEXT.match(level, end)
    return Candidate(
        start,
        end,
        part,
        role,
        about,
        tuple(before),
        next_word[1] if next_word else "",
        bare,
        not any(map(str.isdigit, level[start:end])),
    )


_NEXT = re.compile(r" ([a-z]{3,})")


def _belongs_to(previous: Part, part: Part, level: str) -> bool:
    """Whether a part goes on with the one before it: the value of a label, a time or place after a comma."""
    between = level[previous.end : part.start]
    return ":" in between or ("," in between and bool(_ADJUNCT.match(level[part.start : part.end])))


_ADJUNCT = re.compile(r"^\W*(?:in|on|at|by|to|namely|that is)\b")


def _telling(part: Part, level: str) -> list[str]:
    return WORD.findall(level[part.start : part.end])


def _foreign(words: Sequence[str], asked: frozenset[str]) -> list[str]:
    """The words that are neither the question's nor said of any value."""
    return [word for word in words if word not in _NEUTRAL and not word.isdigit() and asked.isdisjoint(stems(word))]


_OF_ANY_VALUE = """
came come comes amounted amounts totalled totaled total totals reached reaches stood stands reported recorded estimated
estimates about approximately roughly around nearly almost exactly over only just measured measures answer figure value
number amount year fiscal ended million billion thousand according currently today now however based
"""
_NEUTRAL = frozenset(_OF_ANY_VALUE.split())


_GOES_ON = re.compile(
    r"^\W*(?:and|but|or)\W+(?:it |they |he |she )?(?:\w+ly )?(?:has|had|is|was|were|are|\w+ed|\w+s"
    r"|began|sank|won|went|took|made|met|sold|kept|got|built|led|lost|rose|fell|grew|held|left|came|became)\b"
)
"""A part without a subject of its own: it is about what its sentence began with."""


def words_about(words: Sequence[str], asked: frozenset[str]) -> frozenset[str]:
    """Return the stems of those words that the question, given by its stems, asks with."""
    return frozenset(stem for word in words if word not in FUNCTION_WORDS for stem in stems(word) if stem in asked)


def _role(level: str, start: int, end: int, part: Part, question: str) -> Role:
    before, after = level[max(0, start - 60) : start], level[end : end + 60]
    local, text = level[part.start : start], level[part.start : part.end]
    named = not any(map(str.isdigit, level[start:end]))
    glued = before[-1:].isalnum()
    denied = (not glued and _finds("rejects", before, question)) or PATTERNS["rejects_after"].match(after)
    if denied and not DENIES.search(question):
        return Role.REJECTED
    if PATTERNS["wrongly"].search(text):
        return Role.WRONG
    if part.asks or (_finds("rumour", text, question) and not PATTERNS["current"].search(text)):
        return Role.REPORTED
    if part.bracketed and PATTERNS["source"].search(text):
        return Role.SOURCE
    if _finds("fancied" if named else "planned", text, question):
        return Role.PLANNED
    span = local.endswith("from ") and _YEAR.search(level[start:end]) and not _MOVED.search(local)
    if not span and _is_earlier(local, level[end : part.end], question, named=named):
        return Role.EARLIER
    if named and _finds("related", local, question):
        return Role.RELATED
    if (kin := PATTERNS["kin"].search(text)) and kin.group().split()[-1] not in question:
        return Role.OTHER_ENTITY
    return Role.ANSWER


_ASKS_CHANGE = re.compile(r"\b(?:chang|increas|decreas|gr[eo]w|rais|differ|from|between|by how|percentage point)")


_EACH = re.compile(r" (?:from each|each|per)\b")
_MOVED = re.compile(r"\b(?:moved|postponed|changed|shifted|rescheduled|brought forward|delayed)\b")
"""What makes a span of two dates a move from the first to the second."""


def _is_earlier(local: str, after: str, question: str, *, named: bool) -> bool:
    """Whether a value held before, or is what the answer is compared with."""
    if _ASKS_CHANGE.search(question) or "until" in question or _EACH.match(after):
        return False
    return _finds("formerly" if named else "earlier", local, question) or bool(PATTERNS["earlier_after"].search(after))


def _finds(name: str, text: str, question: str) -> bool:
    """Whether a cue stands there whose words the question does not ask with."""
    found = PATTERNS[name].search(text)
    return found is not None and not any(word in question for word in re.findall(r"[^\W\d_]{4,}", found.group()))


def _beaten(own: Candidate, others: Sequence[Candidate], level: str, question: str) -> tuple[Role, Candidate] | None:
    """The role of a mention that is not the answer, with the value that is; None where it may be the answer."""
    if own.role is not Role.ANSWER:
        return own.role, others[0]
    # Who answers with a name says it first: one that a later sentence holds is there for another reason.
    rivals = [one for one in others if one.part is not own.part and (not own.named or not _is_later(one, own))]
    found = ((_outdone(own, other, level, question), other) for other in rivals)
    return next(((role, other) for role, other in found if role), None)


def _answers_alone(own: Candidate, level: str, question: str) -> bool:
    """Whether a mention is the answer whatever other values the response names."""
    if own.bare or (not own.named and _ASKS_CHANGE.search(level_text(question))):
        return True
    return bool(_EACH.match(level, own.end) or _CONCLUDES.match(level[own.part.start : own.part.end]))


def _is_later(one: Candidate, other: Candidate) -> bool:
    return one.part.sentence > other.part.sentence


def _outdone(own: Candidate, other: Candidate, level: str, question: str) -> Role | None:
    """The role of a mention beside a value that answers more of the question; None where it does not."""
    if other.bare and other.part.opens and other.start < own.start and _is_later(own, other):
        return Role.RELATED
    if own.named and not _is_parallel(own, other, level):
        return None
    far = own.named and _is_later(own, other)
    more = own.about < other.about and len(other.about - own.about) > far
    if more or _is_of_other_entity(own, other, level, question):
        return Role.OTHER_ENTITY
    if not own.named and _is_of_other_thing(own, other, level, question):
        return Role.OTHER_ENTITY
    return Role.OTHER_PERIOD if _is_of_other_period(own, other, level, question) else None


def _is_of_other_thing(own: Candidate, other: Candidate, level: str, question: str) -> bool:
    """Whether a number stands behind words of something else, and the other one behind those of the question."""
    asked = asked_stems(question)
    mine, yours = _foreign(own.before, asked), _foreign(other.before, asked)
    own_about, other_about = words_about(own.before, asked), words_about(other.before, asked)
    if own.after.endswith("s") and _foreign([own.after], asked) and words_about([other.after], asked):
        return True
    if predicate := read_predicate(question):
        if predicate.asks_when and stands_there(predicate, other.before) and not stands_there(predicate, own.before):
            return any(map(is_past, own.before))
    if not mine:
        return False
    if not own_about and (other_about or _STANDS_IN.match(level[other.part.start : other.part.end])):
        return True
    return not yours and bool(other.about) and len(own_about) <= len(other.about)


_STANDS_IN = re.compile(r"^\W*(?:and |but |while )?(?:it|its|he|she|they|his|her|their)\b")
"""A clause about what the question asks about, by a pronoun."""


_CONCLUDES = re.compile(r"^\W*(?:and |but )?(?:so|therefore|thus|hence|in total|overall|for a total|a total|in all)\b")
_LEADS = re.compile(
    r"^\W*(?:and|but|while|whereas|although|though|however|or|yet|it was|it is)?\W*(?:the|a|an|sir|dr|mr)?\W*$"
)
_COPULA = re.compile(r"\b(?:is|was|are|were|called|named)\b\W*(?:the|a|an)?\W*$")
_LAST = re.compile(r"([^\W\d_]+)\W+(?:the|a|an)?\W*$")


def _is_parallel(own: Candidate, other: Candidate, level: str) -> bool:
    """Whether two names stand in the same place of their clauses: both first, or behind the same word."""
    mine, yours = level[own.part.start : own.start], level[other.part.start : other.start]
    first = bool(_LEADS.match(mine)), bool(_LEADS.match(yours))
    if all(first):
        return True
    if any(first):
        after = level[own.end : own.end + 5] if first[0] else level[other.end : other.end + 5]
        return bool(_COPULA.search(yours if first[0] else mine)) and after.startswith((" is ", " was "))
    one, two = _LAST.search(mine), _LAST.search(yours)
    return bool(one and two and one[1] == two[1])


def _is_of_other_period(own: Candidate, other: Candidate, level: str, question: str) -> bool:
    """Whether the one stands with another year than the question's, and the other with the question's."""
    asked = set(_YEAR.findall(question))
    with_own = set(_YEAR.findall(level[own.part.start : own.part.end])) - {level[own.start : own.end]}
    with_other = set(_YEAR.findall(level[other.part.start : other.part.end]))
    current = bool(with_other & asked) or (not with_other and not own.named)
    return bool(asked and with_own and with_own.isdisjoint(asked) and current)


def _is_of_other_entity(own: Candidate, other: Candidate, level: str, question: str) -> bool:
    """Whether the other stands with a name of the question, and the one with none of it."""
    names = {name.lower() for name in re.findall(r"(?<!^)\b[A-Z][\w'-]{2,}", question)}
    with_own = set(WORD.findall(level[own.part.start : own.start]))
    with_other = set(WORD.findall(level[other.part.start : other.start]))
    return bool(names & with_other) and names.isdisjoint(with_own) and len(with_own - FUNCTION_WORDS) > 1


def _alternatives(
    question: str, response: str, said: Span, kind: str, mentions: Sequence[tuple[int, int]], golden: str
) -> list[tuple[int, int]]:
    """Where other values of the golden one's kind stand, that the question does not give itself."""
    if _YEAR.fullmatch(said.text.strip(" .,")) or kind == dates.KIND or _is_date(said.text):
        found = _other_dates(question, response, said)
    elif any(map(str.isdigit, said.text)):
        found = _other_quantities(question, response, said)
    else:
        found = _other_names(question, response, f"{said.text} {golden}", said)
    free = [(start, end) for start, end in found if all(end <= first or start >= last for first, last in mentions)]
    return free[:_MOST]


def _is_date(text: str) -> bool:
    found = dates.find(text)
    return bool(found) and found[0].day is not None and found[0].month is not None


def _other_dates(question: str, response: str, said: Span) -> list[tuple[int, int]]:
    golden = {date.parts for date in dates.find(said.text)} | {date.parts for date in dates.find(question)}
    return [
        (date.start, date.end)
        for date in dates.find(response)
        if date.parts not in golden and date.year and not date.named_span
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


_NEVER = """
january february march april june july august september october november december however yes no note source i
"""
_NO_NAMES = frozenset(_NEVER.split())
"""Words with a capital that name nothing that may answer."""


def _words(name: str) -> list[str]:
    """The words of a name that are more than grammar and initials."""
    found = WORD.findall(level_text(name))
    return [word for word in found if word not in FUNCTION_WORDS and len(word) > 1]


def _opens_sentence(response: str, name: re.Match[str]) -> bool:
    """Whether a capital may only be that of a sentence's first word."""
    before = response[: name.start()].rstrip(" \"'(*“")
    opens = not before or before.endswith((".", "!", "?", ":", "\n", ";"))
    return opens and " " not in name.group() and response[name.end() : name.end() + 1] in (" ", ",")
