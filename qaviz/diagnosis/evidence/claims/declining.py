"""Refusals beside a value: a response that says it does not know, and names the golden value for another reason."""

import re
from functools import lru_cache

from qaviz.diagnosis.evidence import Evidence, Stance, polarity, refusal
from qaviz.diagnosis.evidence.claims.candidates import words_about
from qaviz.diagnosis.evidence.claims.parts import LONGEST, WORD, parts
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.golden_phrases import asked_stems

find_refusal = lru_cache(maxsize=512)(refusal.find)
"""Asked of a response once before and once after its evidence is known."""
_GIVES = re.compile(r"\d|\banswer is\b|\b(?:likely|probably|presumably|appears? to)\b")
"""What gives an answer after all."""


def declines_beside(found: Evidence | None, question: str, response: str) -> Evidence | None:
    """The refusal of a short response whose other clauses speak of something else than what was asked."""
    if len(response) > LONGEST or polarity.asks_yes_or_no(question):
        return None
    if found and found.stance not in (Stance.AGREES, Stance.ABSENT):
        return None
    caveat = find_refusal(response, question)
    if caveat.stance is not Stance.SILENT or not caveat.response:
        return None
    if not (found and found.stance is Stance.AGREES) and _GIVES.search(level_text(response)):
        return None
    if found and found.stance is Stance.AGREES and not _stands_aside(question, response, found, caveat):
        return None
    return caveat._replace(stance=Stance.AGREES, note="gives no answer", strength=0.7)


def _stands_aside(question: str, response: str, found: Evidence, caveat: Evidence) -> bool:
    """Whether a value stands in a clause that says less of what the question asks than the clause that declines."""
    if not found.response or not caveat.response:
        return False
    level, asked = level_text(response), asked_stems(question)
    part = next((one for one in parts(level) if one.start <= found.response.start < one.end), None)
    if part is None or caveat.response.start <= found.response.start < caveat.response.end:
        return part is not None
    words = WORD.findall(level[part.start : part.end])
    if len(words) == len(WORD.findall(found.response.text)):
        return False
    own = words_about(words, asked)
    declining = words_about(WORD.findall(level[caveat.response.start : caveat.response.end]), asked)
    return bool(_SUBJECT.match(level[part.start : part.end])) and (
        own < declining or bool(_META.search(level[part.start : part.end]))
    )


_SUBJECT = re.compile(r"^\W*(?!(?:it|they|he|she|this|that|but|however|still|based|i)\b)[\w']+")
"""A clause with a subject of its own, that does not go on to answer."""
_META = re.compile(
    r"\b(?:passage|text|documents?|report|context|article|notice|chart|filing|sources?|history)s?\b.{0,20}"
    r"\b(?:mentions?|covers?|shows?|speaks?|says?|names?|lists?|discuss(?:es)?|dated)\b"
    r"|\b(?:is|are|was) (?:only )?(?:mentioned|named|listed|described)\b"
)
"""A clause about the source."""
