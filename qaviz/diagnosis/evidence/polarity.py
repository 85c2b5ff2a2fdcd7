"""Yes and no: whether a response takes the side of the golden answer, in one word or in a statement."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from qaviz.diagnosis.evidence import Evidence, Span, Stance
from qaviz.diagnosis.evidence.clauses import clauses, level_text, span
from qaviz.diagnosis.evidence.phrases import asked_stems
from qaviz.diagnosis.evidence.words import READ, base_verb, form, stems

KIND = "polarity"

_YES = frozenset(("yes", "yeah", "true", "correct", "có", "đúng", "phải"))
SIDES = frozenset(("yes", "no", "true", "false"))
"""Facts that only take a side: their letters stand in many words (`not`, `no information`) and say nothing there."""
_SHORT_YES = re.compile(
    r"^\W*(?:yep|yup|yeah|certainly|absolutely|definitely|of course|sure|indeed|right|affirmative|correct)\b(?! not)"
)
_SHORT_NO = re.compile(
    r"^\W*(?:nope|nah|no way|not (?:any ?more|any longer|at all|really|so|yet|true)|never|negative|certainly not"
    r"|absolutely not|definitely not|of course not)\b"
)
_ECHOES = re.compile(
    r"^\W*(?:indeed,? )?(?:it|they|he|she|we|i|this|that|there|both|one|you)(?: certainly| indeed| really)?"
    r" (?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)(?P<no> not|n't)?(?: indeed)?"
    r"(?:\W*$|[,:;—] (?!.*(?:\bnot\b|n't|\bno\b|\bbut\b)))"
)
"""A clause that only repeats the question's verb: `It is.`, `They did not.`"""
_PRONOUN = r"\s+(?:it|they|he|she|we|the|there|this)\b"
_GOLDEN_SIDE = re.compile(
    rf"\W*(yes|no|true|false|có|không|đúng|sai)(?=\s*(?:$|[,;:!(–—]|\.(?!\s*\d))|{_PRONOUN})", re.IGNORECASE
)
"""A golden text that takes a side. `No Doubt`, `No. 10` and Vietnamese `không có` (there is not) take none."""
_NOTHING = (
    r"(?:[Tt]here (?:is|are|was|were) (?:none|nothing|not any|no\b.*)|[Nn]one|[Nn]obody|[Nn]o one|[Nn]othing)(?=\W*$)"
)
_SAYS_NOTHING = re.compile(r"\W*(?:none|nothing|nobody|no one|there (?:is|are|was|were) none)\b[^\w]*$")
"""A clause that denies all, in a levelled response."""
_IS_NOT = r"(?:(?! (?:who|which|that) )[\w' ]){3,60}? (?:is|are|was|were|does|do|did|has|have|had|can)(?: not|n['’]t)\b"
_DENIAL = re.compile(rf"\W*(?:{_NOTHING}|(?!(?:[Ii]f|[Ii]n case|[Ww]h\w+)\b){_IS_NOT})")
"""A golden text that denies what the question supposes: `There are none`, `The margin is not a measure here`."""

_POLAR = re.compile(r"\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b", re.IGNORECASE)
"""How a question begins that is answered by yes or no."""
_OPENING = 200
"""Characters of a golden text in which it takes its side."""

_LEAD_IN = r"(?:so|therefore|thus|hence|overall|in (?:short|summary|conclusion)|(?:based on|according to) [^,]{1,80})"
_STATED = re.compile(
    rf"^\W*(?:{_LEAD_IN},?\s+)?(yes|no|true|false|có|không|đúng|sai)"
    r"(?=\s*(?:[,.:;!*)-]|$)|\s+(?:it|they|he|she|the|there|i|we|this)\b)"
    r"|\b(?:the|my|final) answer (?:is|would be)\W{0,4}(yes|no|true|false)\b"
    r"|, so (yes|no)\W*$"
    r"|\b(?:the statement|that|this|it) is\W{0,4}(?:actually |indeed )?(true|false|correct|incorrect)\b"
)
_CONCLUDES = re.compile(
    r"\b(?:therefore|thus|hence|in (?:conclusion|summary|short)|overall|conclude|as a result|this (?:means|shows))\b"
)
_SUPPOSES = re.compile(
    r"^\W*(?:to (?:determine|assess|answer|evaluate|see|find out)|if|when)\b|\bwhether\b|\bdetermine if\b"
)
_NEGATION = re.compile(
    r"\b(?:not(?! only\b| just\b| more than\b)|cannot|never"
    r"|no(?! doubt\b| (?:extra|charge|cost)\b| less\b| fewer\b| exceptions?\b| questions?\b)|neither|nor|none|without"
    r"|lacks?|unlikely|fail(?:s|ed)? to|nothing|nobody|hardly|is wrong|không|chưa|chẳng)\b|n't\b"
)
_UP = "increas rose rise grow grew gain higher improv"
_DOWN = "decreas declin fell fall drop reduc lower worsen deteriorat shrank"
_UPS, _DOWNS = tuple(_UP.split()), tuple(_DOWN.split())
_MOVES = (*_UPS, *_DOWNS)
"""Words of a direction: to a question about a rise, a clause about a fall speaks of the same thing."""
_OPPOSITES = (
    *((word, _DOWN) for word in _UP.split()),
    *((word, _UP) for word in _DOWN.split()),
    *(("positive", "negativ"), ("negative", "positiv"), ("stable", "unstabl volatil"), ("healthy", "unhealth weak")),
    *(("consistent", "inconsisten fluctuat volatil"), ("profitable", "unprofit loss")),
    *(("same", "differ separat"), ("both", "only"), ("accept", "reject refus turn"), ("open", "clos shut")),
    *(("close", "open"), ("grow", "shrink shrank shrunk down"), ("increas", "shrink shrank shrunk down")),
    *(("win", "lost lose loses losing second runner"), ("still", "ceas stopp shut closed discontinu abandon")),
    *(("operat", "ceas shut closed decommission"), ("surviv", "died dead perish"), ("alive", "died dead")),
    *(("succe", "fail"), ("pass", "fail reject"), ("approv", "reject refus"), ("allow", "forbid forbad prohibit ban")),
    *(("legal", "illegal"), ("agree", "disagree refus"), ("includ", "exclud omit"), ("without", "requir need only")),
    *(("cover", "exclud"), ("valid", "invalid expired void"), ("start", "postpon cancel"), ("support", "oppos")),
    *(("free", "paid"), ("exceed", "below"), ("available", "unavailab"), ("possible", "impossib")),
    ("true", "false untrue myth"),
)
"""Starts of a word and of those that say its opposite."""
_NO_TOPIC = frozenset(("does", "have", "were", "base", "data", "with", "between", "there", "which", "what"))
_ABOUT = 0.5
"""Share of the question's words from which a clause is about the question."""
_LEAST = 0.01
"""The same for a clause with a pronoun: it shares a word with the question."""
_TOUCHES = 0.2
"""The same for a denial, which may be of one thing that the question names."""
_IDEOGRAPHS = "\u2e80"
"""Letters from here on make words of one or two."""
_BY_PRONOUN = re.compile(
    r"\W*(?:(?:so|therefore|thus|hence),? )?"
    r"(?:it|they|he|she|both|neither|the two|there is no doubt|only)\b(?!.*\b(?:mention|say|state|specif|provid))"
)
"""A clause about what the question named: `They are not in the same district.`"""
_LETTERS = re.compile(r"[^\W\d_]+")
_JOINTS = re.compile(r",? and |, (?!in |on |at )")
"""Where a clause may go on with another statement: a negation behind it does not negate what stands before it."""
_WENT = r"\b(?:went|gone|going|goes|was|were|is|are|been|moved) "
_WENT_UP, _WENT_DOWN = re.compile(rf"{_WENT}up\b"), re.compile(rf"{_WENT}down\b")


@dataclass(frozen=True, slots=True)
class _Side:
    yes: bool
    said: Span
    strength: float


def compare(golden: str, response: str, question: str = "") -> Evidence:
    """Whether `response` says yes or no as `golden` does, or denies what the question supposes as `golden` does.

    AGREES or CONTRADICTS where both take a side; ABSENT where only the golden text does; SILENT where it takes none.
    The side of a response is the one it states (`No, ...`, `the answer is yes`), else that of its conclusion or of its
    first statement about the question (`it does not maintain ...`), negated or with an opposite word.
    """
    if not speaks(golden):
        return Evidence(KIND, Stance.SILENT)
    opening = golden[:_OPENING]
    if start := _GOLDEN_SIDE.match(opening):
        golden_word = Span(start.start(1), start.end(1), start[1])
        return _sides(golden_word, start[1].lower() in _YES, response, question)
    if start := _DENIAL.match(opening):
        golden_word = Span(start.start(), start.end(), start.group())
        return _denials(golden_word, response, question)
    return Evidence(KIND, Stance.SILENT)


@lru_cache(maxsize=4096)
def speaks(golden: str, question: str = "") -> bool:  # noqa: ARG001  (as every reader's)
    """Whether a golden text says yes or no, or denies what the question supposes: few do, each is asked many times."""
    opening = golden[:_OPENING]
    return bool(_GOLDEN_SIDE.match(opening) or _DENIAL.match(opening))


def asks_yes_or_no(question: str) -> bool:
    """Whether a question is answered by yes or no, going by how it begins."""
    return _POLAR.match(question) is not None


def _sides(golden_word: Span, golden_yes: bool, response: str, question: str) -> Evidence:
    """Whether a response takes the side of the golden text."""
    level = level_text(response[:READ])
    side = _find_stated_side(response, level, question) or _find_implied_side(response, level, question)
    if side is None:
        return Evidence(KIND, Stance.ABSENT, golden_word, note="takes no side")
    same, golden = side.yes is golden_yes, "yes" if golden_yes else "no"
    note = f"says {'yes' if side.yes else 'no'}, {'as' if same else 'where'} the golden answer says {golden}"
    return Evidence(KIND, Stance.AGREES if same else Stance.CONTRADICTS, golden_word, side.said, note, side.strength)


def _denials(golden_word: Span, response: str, question: str) -> Evidence:
    """A golden text that denies the question: any statement about it that is negated agrees."""
    level = level_text(response[:READ])
    about = [
        (start, end)
        for start, end in clauses(level)
        if _is_about(level[start:end], _find_question_words(question), _TOUCHES)
    ]
    denied = next((part for part in about if _NEGATION.search(level[slice(*part)])), None)
    denied = denied or next((part for part in clauses(level)[:1] if _SAYS_NOTHING.match(level[slice(*part)])), None)
    if denied:
        return Evidence(
            KIND, Stance.AGREES, golden_word, span(response, *denied), "denies it as the golden answer does", 0.6
        )
    if about:
        return Evidence(KIND, Stance.CONTRADICTS, golden_word, span(response, *about[0]), "does not deny it", 0.5)
    return Evidence(KIND, Stance.ABSENT, golden_word, note="says nothing about the question")


def _find_stated_side(response: str, level: str, question: str) -> _Side | None:
    """The side that one of the first two or last three clauses states."""
    parts = list(clauses(level))
    for start, end in (*parts[:2], *parts[:-4:-1]):
        if stated := _STATED.search(level[start:end]):
            word = next(filter(None, stated.groups()))
            return _Side(word in _YES, span(response, start, end), 0.9)
    return _in_short(response, level, parts[0]) if parts and asks_yes_or_no(question) else None


def _in_short(response: str, level: str, first: tuple[int, int]) -> _Side | None:
    """The side that the first clause takes in other words than yes and no."""
    clause = level[slice(*first)]
    if echo := _ECHOES.match(clause):
        return _Side(not echo["no"], span(response, *first), 0.8)
    if _SHORT_NO.match(clause):
        return _Side(False, span(response, *first), 0.8)
    return _Side(True, span(response, *first), 0.8) if _SHORT_YES.match(clause) else None


def _find_implied_side(response: str, level: str, question: str) -> _Side | None:
    """The side of the last conclusion about the question, else of the first statement about it."""
    question_words = _find_question_words(question)
    about = [(start, end) for start, end in clauses(level) if _is_about(level[start:end], question_words, _ABOUT)]
    of_pronoun = [
        (start, end)
        for start, end in clauses(level)[-2:]
        if _BY_PRONOUN.match(level[start:end]) and _is_about(level[start:end], question_words, _LEAST)
    ][-1:]
    if about and of_pronoun and _is_about(level[slice(*of_pronoun[0])], question_words, _TOUCHES):
        about += [part for part in of_pronoun if part not in about and _CONCLUDES.search(level[slice(*part)])]
    about = about or of_pronoun
    if not about:
        return None
    concluding = [(start, end) for start, end in about if _CONCLUDES.search(level[start:end])]
    start, end = concluding[-1] if concluding else about[0]
    return _Side(not _denies_question(level[start:end], level_text(question)), span(response, start, end), 0.6)


@lru_cache(maxsize=4096)
def _find_question_words(question: str) -> frozenset[str]:
    """The words of the first question that carry its meaning."""
    first = asked_stems(question.split("?")[0])
    telling = (stem for stem in first if (_is_long(stem) and not stem[0].isdigit()) or stem == "win")
    return frozenset(telling) - _NO_TOPIC


def _is_long(stem: str) -> bool:
    """Whether a stem is long enough to tell something; two ideographs are."""
    return len(stem) > 3 or (len(stem) > 1 and stem[0] >= _IDEOGRAPHS)


def _is_about(clause: str, question_words: frozenset[str], share: float) -> bool:
    if not question_words or _SUPPOSES.search(clause):
        return False
    clause_stems = {stem for word in _LETTERS.findall(clause) for stem in stems(base_verb(form(word)))}
    moves = {stem for stem in question_words if stem.startswith(_MOVES)}
    if moves and (any(stem.startswith(_MOVES) for stem in clause_stems) or _has(_starts(clause), _MOVES)):
        clause_stems |= moves
    return len(question_words & clause_stems) >= share * len(question_words)


def _denies_question(clause: str, question: str) -> bool:
    """Whether a clause denies what the question supposes: by a negation or by an opposite word, not by both."""
    clause_start = _starts(clause)
    others = tuple(way for word, ways in _opposites_of(question) if not _has(clause_start, word) for way in ways)
    if not others or not _has(clause_start, others):
        return _negates(clause, question)
    part = next(part for part in (*_JOINTS.split(clause), clause) if _has(_starts(part), others))
    return not _negates(part, question)


@lru_cache(maxsize=4096)
def _opposites_of(question: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """The starts of the question's words that have opposites, and of these."""
    question_start = _starts(question)
    return tuple(((word,), tuple(ways.split())) for word, ways in _OPPOSITES if _has(question_start, (word,)))


def _negates(clause: str, question: str) -> bool:
    """Whether a clause has a negation that the question has not: both may ask and say `without`."""
    match = _NEGATION.search(clause)
    return match is not None and not (match.group() == "without" and "without" in question)


def _starts(level: str) -> Sequence[str]:
    return _LETTERS.findall(_WENT_DOWN.sub("fell", _WENT_UP.sub("rose", level)))


def _has(words_there: Sequence[str], starts: tuple[str, ...]) -> bool:
    return any(word.startswith(starts) for word in words_there)
