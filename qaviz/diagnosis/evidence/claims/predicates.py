"""The verb that a question asks with, and who or what stands with that verb in a response.

`Who designed X?` is answered by the agent of `designed`: `Karl Dietz designed it`, `designed by Karl Dietz`, `the
designer was Karl Dietz`. `When did X close?` is answered by the date that stands with `closed`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from qaviz.diagnosis.evidence import Span
from qaviz.diagnosis.evidence.claims.parts import find_telling_words
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.golden_phrases import asked_stems
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS, word_set
from qaviz.diagnosis.evidence.words import base_verb, stems

_SAME = """
write compose pen author; acquire buy purchase; establish create launch; close shut; build construct erect
begin start commence; host hold; succeed replace follow; discover detect; kill murder assassinate
"""
_SYNONYMS = {
    stems(verb)[0]: stems(group.split()[0])[0] for group in re.split(r"[;\n]", _SAME) for verb in group.split()
}
"""Stem of a verb -> the stem that stands for all verbs that say the same."""
_AUXILIARY = word_set("""
is was are were be been has have had do does did will would can could may might shall
""")
_ADVERBS = word_set("""
first originally actually also really ever officially initially finally later once
""")
_WORD = re.compile(r"[a-z][a-z'-]*")
_ASKS_WHO = re.compile(r"^(?:\W*(?:in|at|on|during|of|after|before) [^,]{1,60},)?\W*(who|whom|which|what)\b (.*)")
_ASKS_WHEN = re.compile(
    r"^(?:in |on )?(?:when|(?:what|which) (?:year|date|day|month|decade|century))\b (?:was|were|did|is|does) (.*)"
)
_OF_AGENT = re.compile(
    r"(?:is|was) the (?:original |actual |real )?(author|inventor|owner|founder|writer|designer) of\b"
)
"""A noun of a verb: `the author of` asks who wrote it."""
_TAIL = re.compile(r" (?:in|at|on|for|after|before|from|to|by|with|as|into|following|during|under|between|since)\b")
"""Where what follows the verb of a question begins."""
_BY = re.compile(r"\bby(?: whom)?\W*$")
_NAME = re.compile(r"[A-ZÀ-Þ][\w'’.-]*(?: (?:(?:of|de|la|the|van|von|al|and|&) )?[A-ZÀ-Þ][\w'’-]*)*")
_BETWEEN = re.compile(
    r"^(?: ?\([^()]*\)|,[^,;.]{1,80},)?"
    r"(?: (?:has|had|have|did|also|first|later|then|originally|finally|actually|eventually|really|in fact|\w+ly))*\W*$"
)
"""What may stand between a subject and its verb."""
_PASSIVE = re.compile(r"\b(?:is|was|are|were|been|being|be)(?: (?:\w+ly|first|later|then|also|finally))*\W*$")
_BY_AGENT = re.compile(
    r"^[^.;:,!?]{0,40}?\bby ((?:[a-zà-ÿ]+ ){0,4}[A-ZÀ-Þ]"
    r"(?:(?! (?:and|but|while)\b[^,.;]* by\b)[^.;:!?\n(]|(?<=\b[A-Z])\.)*)"
)
_NOT_BY = re.compile(r"^ (?:not )?by [^.;:!?]{1,60}? but by (?:the )?")
_NOT = re.compile(r"\b(?:not|n't|never) $")
_OF_NOUN = ("er", "or")
"""How a noun of a verb ends: designer, director."""
_COPULA = re.compile(r"( (?:of|behind)[^.;:,!?]{1,50}?)? (?:is|was|are|were) (?:actually |really |in fact )?(?:the )?")
_CLEFT = re.compile(r"(?:^|[.;:,!?] |\bthat |\bshows |\bbut )it (?:is|was) (?:actually |really |in fact )?(?:the )?")
_DID = re.compile(r" did\b(?! not|n't)(?=\W*(?:$|[.,;]|in the end|so\b|it\b|instead))")
_MUTUAL = """
married met fought joined faced played dated equalled
"""
_SYMMETRIC = frozenset(stems(verb)[0] for verb in _MUTUAL.split())
"""Verbs whose object does what their agent does."""
_CREATE = """
write compose paint direct design create produce make sculpt
"""
_ENDS = re.compile(r"[,;.:!?\n]| (?:and|but|while|whereas|after|because|when|who) ")
_PRONOUNS = word_set("""
it him her them this that
""")
_YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d\b")
_PREPOSITION = re.compile(r"\b(?:of|in|on|at|by|for|from|with|to|after|before|as|than|and|or|near)(?: the)? \W*$")
"""What makes the name after it no subject."""
_NO_NAMES = word_set("""
january february march april may june july august september october november december it he she they this that the a
an there i we you yes no who which what one both
""")
_OPPOSITES = """
buy acquire purchase : sell divest
spend pay : earn receive bring generate
open founded establish launch begin start build construct erect create : close shut demolish dissolve cease fall
collapse : build construct erect
born : die
win earn gain profit : lose loss
own hold : sell lose
expire end : start begin sign
highest peak maximum : lowest average minimum mean
largest biggest : smallest
longest : shortest
join enter : leave quit exit
appoint hire : dismiss fire
import : export
lend : borrow
marry : divorce
arrive land : depart leave launch
release : withdraw
"""
_LETTERS = re.compile(r"[a-z]+")
_NOUNS = word_set("""
profit loss gain highest peak maximum lowest average minimum mean largest biggest smallest longest shortest
""")
"""Words that are no verbs and say the opposite of each other."""
_CONVERSE = re.compile(r"\b(?:to|from|by|against|for|with)\b")
"""What makes an opposite say the same: `lost to X`, `sold to X`."""


@dataclass(frozen=True)
class Predicate:
    """What a question asks of a verb."""

    verb: str
    """The stem that stands for it and its synonyms."""
    asks_when: bool


@lru_cache(maxsize=4096)
def read_predicate(question: str) -> Predicate | None:
    """Return the verb whose agent or time the question asks for; None where it asks for something else."""
    level = level_text(question).strip()
    if asked := _ASKS_WHEN.search(level):
        words = _WORD.findall(_TAIL.split(asked[1], maxsplit=1)[0])
        verb = next((word for word in reversed(words) if is_past(word)), words[-1] if words else "")
        return Predicate(same_verb(verb), asks_when=True) if len(verb) > 2 else None
    if not (asked := _ASKS_WHO.search(level)):
        return None
    words = [word for word in _WORD.findall(asked[2]) if word not in _ADVERBS]
    if _BY.search(level) and words and words[0] in _AUXILIARY:
        verb = next((word for word in reversed(words) if is_past(word)), "")
    elif asked[1] == "who" and (noun := _OF_AGENT.match(asked[2])):
        verb = noun[1]
    elif asked[1] in ("who", "whom"):
        verb = words[0] if words and words[0] not in _AUXILIARY else ""
    else:
        verb = next((word for word in words[:5] if is_past(word) or word in _AUXILIARY or "'" in word), "")
    known = len(verb) > 2 and verb not in _AUXILIARY and "'" not in verb
    return Predicate(same_verb(verb), asks_when=False) if known else None


def is_past(word: str) -> bool:
    """Return whether a word is the past form of a verb, by its ending or as an irregular one."""
    return (word.endswith("ed") and len(word) > 4) or base_verb(word) != word


@lru_cache(maxsize=4096)
def read_verbs(question: str) -> frozenset[str]:
    """Return the stems of the question's telling words, its verbs among them, as `same_verb` gives them."""
    return frozenset(same_verb(word) for word in _WORD.findall(level_text(question)) if word not in FUNCTION_WORDS)


@lru_cache(maxsize=16_384)
def same_verb(form: str) -> str:
    """Return the stem that stands for a verb and for those that say the same."""
    stem = stems(base_verb(form))[0]
    return _SYNONYMS.get(stem, stem)


class Agency(Enum):
    """Who does what the question asks about, by a response."""

    OWN = "the golden value"
    OTHER = "another one"
    OBJECT = "one that the question names: the golden value is the object"


def find_agency(question: str, golden: str, response: str, said: Span) -> tuple[Agency, Span] | None:
    """Return who a response makes the agent of the question's verb; None where it does not say, or is not asked."""
    predicate = read_predicate(question)
    if not predicate or predicate.asks_when:
        return None
    agents = _find_agents(predicate, question, response)
    own, asked = _telling(f"{golden} {said.text}"), _telling(question)
    if mine := next((agent for agent in agents if not own.isdisjoint(_telling(agent.text))), None):
        return Agency.OWN, mine
    if other := next((agent for agent in agents if not _telling(agent.text) <= asked), None):
        return Agency.OTHER, other
    subject = None if predicate.verb in _SYMMETRIC else _subject_of(predicate, response, said)
    return (Agency.OBJECT, subject) if subject and _telling(subject.text) & asked else None


def _telling(text: str) -> set[str]:
    return set(find_telling_words(level_text(text)))


def _subject_of(predicate: Predicate, response: str, said: Span) -> Span | None:
    """The subject of the question's verb, where a value stands right behind that verb: it is the verb's object."""
    level = level_text(response)
    before = re.search(r"([a-z'-]+)(?: (?:the|a|an|mr|ms|dr)\.?)? \W*$", level[: said.start])
    if before is None or same_verb(before[1]) != predicate.verb:
        return None
    return next(_name_before(response, level, before.start()), None)


def _find_agents(predicate: Predicate, question: str, response: str) -> list[Span]:
    """The names that a response makes the agent of the verb, about what the question asks, in its order."""
    level = level_text(response)
    verbs = [verb for verb in _find_verb(predicate.verb, level) if _is_about(level, verb, question)]
    found = [name for verb in verbs for name in _agents_of(verb, level, response)]
    if predicate.verb in _CREATING:
        found += _find_authors(question, level, response)
    found += [name for cleft in _CLEFT.finditer(level) for name in _names_at(response, cleft.end())]
    found += [name for did in _DID.finditer(level) for name in _name_before(response, level, did.start())]
    return sorted(dict.fromkeys(found))


def _find_authors(question: str, level: str, response: str) -> Iterator[Span]:
    """The names behind `by` where a noun of the question stands before it: `the libretto by Ilse Brandt`."""
    for by in re.finditer(r"([a-z]+) by ", level):
        if not asked_stems(question).isdisjoint(stems(by[1])):
            yield from _names_at(response, by.end())


_CREATING = frozenset(same_verb(verb) for verb in _CREATE.split())


def _is_about(level: str, verb: tuple[int, int], question: str) -> bool:
    """Whether a verb stands with something of the question, a pronoun or nothing, and with no other year."""
    start, end = verb
    passive = _PASSIVE.search(level[max(0, start - 40) : start]) or level.startswith(" by ", end)
    before, after = _ENDS.split(level[:start])[-1], _ENDS.split(level[end:], maxsplit=1)[0]
    years = set(_YEAR.findall(f"{before} {after}"))
    if years and not years & (asked := set(_YEAR.findall(question))) and asked:
        return False
    if level[start:end].endswith(_OF_NOUN) and (copula := _COPULA.match(level, end)):
        after = copula[1] or ""
    words = [word for word in _WORD.findall(before if passive else after) if word not in _ADVERBS]
    telling = [word for word in words if word not in FUNCTION_WORDS]
    stand_in = any(word in _PRONOUNS for word in words)
    return not telling or stand_in or any(not asked_stems(question).isdisjoint(stems(word)) for word in telling)


def _find_verb(stem: str, level: str) -> Iterator[tuple[int, int]]:
    """Where the question's verb, a synonym or its noun (`designer`) stands."""
    for word in _WORD.finditer(level):
        if len(word.group()) > 2 and same_verb(word.group()) == stem:
            yield word.span()


def _agents_of(verb: tuple[int, int], level: str, response: str) -> Iterator[Span]:
    start, end = verb
    after = level[end : end + 120]
    if by := _BY_AGENT.match(response[end : end + 120]):
        denied = _NOT.search(level[max(0, start - 6) : start]) or after.startswith(" not ")
        if denied:
            instead = _NOT_BY.match(after)
            yield from _names_at(response, end + instead.end()) if instead else ()
            return
        yield Span(end + by.start(1), end + by.end(1), by[1].strip(" ,"))
    elif level[start:end].endswith(_OF_NOUN):
        if copula := _COPULA.match(after):
            yield from _names_at(response, end + copula.end())
        elif called := re.search(r"\b(?:is|was) the (?:\w+ )?$", level[max(0, start - 20) : start]):
            yield from _name_before(response, level, start - len(called.group()))
    elif not _PASSIVE.search(level[max(0, start - 40) : start]):
        yield from _name_before(response, level, start)


def _names_at(response: str, start: int) -> Iterator[Span]:
    if (name := _NAME.match(response, start)) and _is_name(name.group()):
        yield Span(start, start + len(name.group()), name.group())


def _name_before(response: str, level: str, end: int) -> Iterator[Span]:
    """The name that is the subject of a verb at `end`, with nothing but an aside and adverbs between."""
    begin = max((level.rfind(mark, 0, end) for mark in (". ", "; ", "! ", "? ", "\n")), default=-1) + 1
    for name in _NAME.finditer(response, begin, end):
        if _BETWEEN.match(level[name.end() : end]) and _is_name(name.group()):
            if not _PREPOSITION.search(level[begin : name.start()]):
                yield Span(*name.span(), name.group())
            return


def _is_name(text: str) -> bool:
    return any(word not in _NO_NAMES for word in _WORD.findall(level_text(text)))


def _stem_verb(verb: str) -> str:
    return stems(base_verb(verb))[0]


_SIDES = [
    tuple(frozenset(_stem_verb(verb) for verb in side.split()) for side in line.split(":"))
    for line in _OPPOSITES.strip().splitlines()
]


@lru_cache(maxsize=4096)
def _opposites(question: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of the question's verbs that have an opposite, with all that say the same, and of their opposites."""
    asked = {_stem_verb(word) for word in _LETTERS.findall(level_text(question))}
    same: set[str] = set()
    other: set[str] = set()
    for one, two in _SIDES:
        if asked & one and not asked & two:
            same, other = same | one, other | two
        elif asked & two and not asked & one:
            same, other = same | two, other | one
    return frozenset(same), frozenset(other - same)


def stands_with_opposite(question: str, clause: str, start: int, end: int) -> bool:
    """Return whether the value at `start` to `end` of a levelled clause stands with an opposite of the asked verb."""
    same, other = _opposites(question)
    if not other:
        return False
    words = [(word.start(), word.group(), _stem_verb(word.group())) for word in _LETTERS.finditer(clause)]
    if any(stem in same for _, _, stem in words):
        return False
    place = next(
        (at for at, word, stem in words if stem in other and (is_past(word) or word in _NOUNS or word.endswith("s"))),
        None,
    )
    if place is None:
        return False
    between = clause[place:start] if place < start else clause[end:place]
    return not _CONVERSE.search(between)
