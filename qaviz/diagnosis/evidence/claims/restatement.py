"""The sentence of a response that repeats the question and gives its answer: `The second largest group is Asian.`"""

import re
from functools import lru_cache

from qaviz.diagnosis.evidence import Span
from qaviz.diagnosis.evidence.claims.predicates import is_past
from qaviz.diagnosis.evidence.clauses import clauses, level_text, span
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
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
