"""An answer in front, and the golden value in a clause that depends on it: `Raphael, who admired Leonardo`."""

import re

from qaviz.diagnosis.evidence import Span
from qaviz.diagnosis.evidence.claims.predicates import is_past, read_verbs, same_verb
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.golden_phrases import asked_stems
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.diagnosis.evidence.words import stems

_WORD = re.compile(r"[^\W_]+")
_FRONT = re.compile(
    r"^[\"'(*]*(?P<is>(?:it|that|this|he|she|they|the answer) (?:is|was|are|were|would be) |it's |that's )?"
    r"(?P<name>(?:the |an? )?[^\s,.;:()]+(?: [^\s,.;:()]+){0,4})[\"')*]*(?P<mark>[,;.(]| [-–—]) "
)
"""A short answer at the beginning of a levelled response, on its own or behind `It is`."""
_CONCEDES = re.compile(
    r"^(?:although|though|even though|even if|while|whereas|after|(?:\w+ ){0,3}before|unlike|despite|not"
    r"|(?:just |well |far )?ahead of|(?:closely )?followed by)\b"
)
"""What begins a clause about something else than the answer in front of it."""
_DISTANCE = re.compile(
    r"^(?:about |some |around )?\S+ (?:km|kilometers|kilometres|miles|metres|meters|hours?|minutes)\b"
    r"|^(?:just |not far )?(?:north|south|east|west|near|close to|outside)\b"
)
_OUTDONE = re.compile(
    r"^with (?:the )?.{2,40} (?:as (?:his|her|its|their)|(?:far |close |right )?behind|in second|second|third|next)\b"
)
_ENDS_PART = re.compile(r"[.;]")
_SETS_APART = re.compile(
    r"^ (?:is|was|has|had|are|were|comes?|came|only|lies)\b.{0,12}"
    r"\b(?:only|merely|just|second|third|next|another|also)\b"
)
"""A clause of its own that says of the golden value something beside what was asked."""
_OF_PERSON = re.compile(r"^(?:who|whose|whom)\b")
_OF_THING = re.compile(r"^(?:which (?:is|was|are|were|has|had)|(?:to|with|of) which)\b")
_KIN_OF = re.compile(
    r"^(?:an?|the|its) (?:[a-z]+ )?(?:rival|partner|competitor|neighbou?r|subsidiary|successor|predecessor|supplier"
    r"|customer|parent|sister company) of (?:the )?$"
)
_BESIDE_NAME = re.compile(
    r"^(?:with (?:an?|the|his|her)|an?|the|one of|his|her|(?:grand)?(?:son|daughter)|brother|sister|wife|husband)\b"
)
_DID = re.compile(r"^(?:also )?([a-z]+(?:ed|ing)|born|taught|known)\b")
_RELATES = re.compile(r"\b(?:of|to|with|under|for|than|from|by|and|admired|admiring|met|taught|knew|loved|hated) $")
"""What joins the golden value to a noun or verb in a clause about another name."""
_SAME_ONE = re.compile(
    r"\b(?:known|called|named|names?|alias|born|aka|better|also|or|formerly|that is|i\.e|bec[ao]me)\b"
)
"""What makes two names one."""
_PLACE_IN = re.compile(r"\b(?:in|at|of|near|from|for) (?:the )?$")
_ASKS_PERSON = re.compile(r"\b(?:who|whom|whose)\b")
_ASKS_PLACE = re.compile(r"\b(?:where|countr\w+|stat(?:e|es)|nation\w*|continent|cit(?:y|ies)|county|region|place)\b")
_IN_FRONT = """
however therefore thus hence yes no well sure overall finally first also today currently indeed correct unfortunately
sorry actually then so note answer source example
"""
_IN_NAMES = frozenset(["the", "an", "of", "and", "de", "la", "le", "van", "von", "di", "al", "y"])
_NO_ANSWER = frozenset(_IN_FRONT.split())
"""Words that stand in front and answer nothing."""


def find_answer_in_front(question: str, golden: str, response: str, mention: tuple[int, int]) -> Span | None:
    """Return the short answer that opens a response whose clause right behind it names the golden value.

    None where the opening words are the question's or the golden value's own, where the two may be names of one
    thing, and where the one may lie in the other: `Lyon, a city in France`.
    """
    level = level_text(response)
    front = _FRONT.match(level)
    if not front or mention[0] < front.end():
        return None
    start, end = front.span("name")
    if not _may_answer(question, golden, response[start:end], capital=response[mention[0]].isupper()):
        return None
    ends = _ENDS.search(level, front.end())
    if ends and ends.start() < mention[0]:
        return None
    before, behind = level[front.end() : mention[0]], level[mention[1] : mention[1] + 40]
    depends = _depends(front["mark"], before, behind, level_text(question))
    return Span(start, end, response[start:end]) if depends else None


_ENDS = re.compile(r"[.;!?\n](?: |$)|[,)] ")
"""Where the clause behind the answer in front ends."""


def _may_answer(question: str, golden: str, front: str, *, capital: bool) -> bool:
    """Whether words say something of their own that may answer as the golden value does."""
    telling = [word for word in _WORD.findall(level_text(front)) if word not in FUNCTION_WORDS]
    if not telling or any(word in _NO_ANSWER or word.endswith("ly") for word in telling):
        return False
    if any((word in FUNCTION_WORDS and word not in _IN_NAMES) or is_past(word) for word in _WORD.findall(front)):
        return False
    if capital and not all(word[0].isupper() or word in FUNCTION_WORDS for word in _WORD.findall(front)):
        return False
    own = {stem for word in _WORD.findall(level_text(golden)) for stem in stems(word)}
    said = {stem for word in telling for stem in stems(word)}
    return not said <= own and not own <= said and not said <= asked_stems(question)


def _depends(mark: str, before: str, behind: str, question: str) -> bool:
    """Whether words up to a golden value, and behind it, only relate it to the answer in front."""
    if _SAME_ONE.search(before):
        return False
    if _ENDS_PART.search(mark) and _SETS_APART.search(behind):
        return True
    if _CONCEDES.match(before) or _DISTANCE.match(before) or _OUTDONE.match(f"{before}x{behind}"):
        return True
    asks_person = bool(_ASKS_PERSON.search(question))
    did = _DID.match(before)
    beside = _BESIDE_NAME.match(before) or (did and same_verb(did[1]) not in read_verbs(question))
    if asks_person and (_OF_PERSON.match(before) or (beside and _RELATES.search(before))):
        return True
    if _KIN_OF.match(before):
        return True
    of_thing = _OF_THING.match(before) and not asks_person and not _ASKS_PLACE.search(question)
    return bool(of_thing and not _PLACE_IN.search(before))
