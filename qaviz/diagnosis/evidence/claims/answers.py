"""The answer that a response gives elsewhere than where the golden value stands: in the sentence that restates the
question, or in front of the clause that names the value.
"""

import re
from functools import lru_cache

from qaviz.diagnosis.evidence import Span
from qaviz.diagnosis.evidence.claims.parts import WORD, find_telling_words
from qaviz.diagnosis.evidence.claims.predicates import is_past, read_verbs, same_verb
from qaviz.diagnosis.evidence.clauses import clauses, level_text, span
from qaviz.diagnosis.evidence.golden_phrases import asked_stems
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS, word_set
from qaviz.diagnosis.evidence.words import stems
from qaviz.model.columns import OR_DELIMITER

READ = 3
"""Sentences at the beginning of a response that may restate the question."""
_SHARE, _LEAST = 0.6, 2
"""Share of the question's telling words, and how many of them, from which a sentence restates it."""
_WORD = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?")
BEFORE = r"(?s) (?:is|was|refers to|stands? for|means|from|called|named)[ :].*[.;\n]\s"
"""What stands before a value that a later sentence names than one that may restate the question; for polars."""
_GIVES = re.compile(
    r"(?<!that )(?<!which )(?<!who )(?<!there )\b(?:is|was|are|were|stands? for|stood for|refers? to|means?"
    r"|(?:comes?|came) (?:primarily )?from|called|named)\b:?"
)
"""What stands between the question, restated, and its answer."""
_ASKS_NOUN = re.compile(
    r"^(?:\W*(?:for|in|at|on|of|as of) [^,]{1,60},)?\W*(?:(?:who|what)(?:'s| is| was) (?!in\b|on\b|at\b|it\b)"
    r"|what (?:does|did) (?=.* (?:refer|stand|mean)\b)"
    r"|(?:what|which)(?: of the)?(?: (?!(?:is|was|are|were|do|does|did|has|had)\b)[a-z'-]+){0,2}? (?P<noun>[a-z'-]+)"
    r" (?:is|was|has|had|did|in|of|for|[a-z]+(?:ed|s)|won|made|held)\b)"
)
"""A question for one thing: its noun, where it does not follow the verb."""
_IS = re.compile(r"\b(?:is|was|are|were|called|named|be)(?: (?:actually|really|the|a|an))* \W*$")
"""What makes the value behind it an answer."""
_CONCLUDES = re.compile(r"\b(?:therefore|thus|hence|so the answer|in conclusion|the answer is)\b")
_DENIES = re.compile(r"\W*(?:not|n't|no|neither|nor|un\w+)\b")
_NO_ANSWER = re.compile(
    r"\W*(?:(?:as|through|by|in|on|at|for|to|from|one|more|also|actually|very|quite)\b"
    r"|(?:\w+ly )?\w+(?:ed|ing|wn|ten|orn)\b|born|taken|made|built|known|given)"
)
_ANSWER_ENDS = re.compile(r"[,;(\n]|\. |\.$| (?:which|who|that|with|and) ")
_LONG = 60
"""Characters of a value from which it is a statement."""
_LETTER = re.compile(r"[\"']([a-z])[\"']")
"""A letter that is meant as such: some are words of grammar."""
_WITHOUT_DIGITS = re.compile(r"\D+")
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
_IN_NAMES = frozenset(["the", "an", "of", "and", "de", "la", "le", "van", "von", "di", "al", "y"])
_FILLERS = word_set("""
however therefore thus hence yes no well sure overall finally first also today currently indeed correct unfortunately
sorry actually then so note answer source example
""")
"""Words that stand in front and answer nothing."""
_CLAUSE_ENDS = re.compile(r"[.;!?\n](?: |$)|[,)] ")
"""Where the clause behind the answer in front ends."""


@lru_cache(maxsize=4096)
def _telling_stems(question: str) -> frozenset[str]:
    first = level_text(question.strip()).split("?")[0]
    words = (word for word in _WORD.findall(first) if word not in FUNCTION_WORDS and len(word) > 2)
    return frozenset(stems(word)[0] for word in words)


def find_restated_answer(question: str, golden: str, response: str, said: Span) -> Span | None:
    """Return what a response answers where it restates the question, if that is not the golden value.

    None where no sentence restates the question, or one that does holds the value or most words of a golden variant.
    """
    asked, asks = _telling_stems(question), _ASKS_NOUN.match(level_text(question))
    if len(asked) < _LEAST or not asks or not _WITHOUT_DIGITS.fullmatch(said.text) or len(said.text) > _LONG:
        return None
    variants = [_stems(text) - asked for text in (said.text, *golden.split(OR_DELIMITER))]
    if not variants[0]:
        return None
    level, found = level_text(response), None
    if _IS.search(level[: said.start]):
        return None
    split, noun = clauses(level), frozenset(stems(asks["noun"])) if asks["noun"] else frozenset()
    for i, (start, end) in enumerate(split):
        if i >= READ and not _CONCLUDES.search(level[start:end]):
            continue
        if answer := _answer(level, start, end, split[i + 1 : i + 2], asked, noun):
            there = _stems(level[start : max(end, answer[1])])
            if any(own and 2 * len(own & there) >= len(own) for own in variants):
                return None
            found = found or answer
    if not found:
        return None
    start, end = found
    cut = _ANSWER_ENDS.search(level, start + 2, end)
    claimed = span(response, start, cut.start() if cut else end)
    return claimed if any(map(str.isupper, claimed.text)) or not said.text[:1].isupper() else None


def _stems(text: str) -> set[str]:
    words = (word for word in _WORD.findall(level_text(text)) if word not in FUNCTION_WORDS)
    return {stem for word in words for stem in stems(word)}


def _answer(
    level: str,
    start: int,
    end: int,
    following: tuple[tuple[int, int], ...],
    asked: frozenset[str],
    noun: frozenset[str],
) -> tuple[int, int] | None:
    """Where the answer of a sentence stands that restates the question; None where it does not restate it."""
    for gives in _GIVES.finditer(level, start, end):
        left = {stem for word in _WORD.findall(level[start : gives.start()]) for stem in stems(word)}
        if len(left & asked) < max(_LEAST, _SHARE * len(asked)) or (noun and noun.isdisjoint(left)):
            continue
        begin = gives.end()
        if not level[begin:end].strip(" :*\n") and following:
            begin, end = following[0]
        rest = level[begin:end]
        telling = [word for word in _WORD.findall(rest) if word not in FUNCTION_WORDS] or _LETTER.findall(rest)
        if _DENIES.match(rest):
            return None
        if _NO_ANSWER.match(rest) or not telling or is_past(telling[0]):
            continue
        new = [word for word in telling if asked.isdisjoint(stems(word))]
        return (begin, end) if new else None
    return None


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
    ends = _CLAUSE_ENDS.search(level, front.end())
    if ends and ends.start() < mention[0]:
        return None
    before, behind = level[front.end() : mention[0]], level[mention[1] : mention[1] + 40]
    depends = _depends(front["mark"], before, behind, level_text(question))
    return Span(start, end, response[start:end]) if depends else None


def _may_answer(question: str, golden: str, front: str, *, capital: bool) -> bool:
    """Whether words say something of their own that may answer as the golden value does."""
    telling = find_telling_words(level_text(front))
    if not telling or any(word in _FILLERS or word.endswith("ly") for word in telling):
        return False
    if any((word in FUNCTION_WORDS and word not in _IN_NAMES) or is_past(word) for word in WORD.findall(front)):
        return False
    if capital and not all(word[0].isupper() or word in FUNCTION_WORDS for word in WORD.findall(front)):
        return False
    own = {stem for word in WORD.findall(level_text(golden)) for stem in stems(word)}
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
