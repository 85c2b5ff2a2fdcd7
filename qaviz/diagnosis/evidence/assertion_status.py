"""How a mention stands in a response: said, rejected (`not Belgium`), or one of several (`Belgium or France`)."""

import re
from enum import Enum

from qaviz.diagnosis.evidence.clauses import holds_any
from qaviz.diagnosis.evidence.words import base_verb, stems, words

_REJECTED_BEFORE = re.compile(
    r"""
    (?:\bnot|n't|\bnever|\bcannot|\brather\ than|\binstead\ of|\bunlike
      |\b(?<!none\ )(?<!no\ )other\ than|\bas\ opposed\ to|\bcontrary\ to
      |\bno\ longer|\bconfused\ with|\bmistaken\ (?:for|with)|\bkhông\ phải(?:\ là)?|\bchứ\ không)
    (?:\ (?!(?:only|just|until|before|but|because|since|merely|simply|solely|is|was|are|were|be)\b)[\w'-]+){0,2}
    \ (?:(?:the|an?|by|in|on|at|of|from|with)\ )?["'(*_]*$
    """,
    re.VERBOSE,
)
_REJECTING = (
    *("not", "n't", "never", "than", "instead of", "unlike", "opposed to", "contrary to", "no longer"),
    *("confused with", "mistaken", "không"),
)
"""What `_REJECTED_BEFORE` looks for has one of these: cheap to look for, before the pattern is."""
_REJECTED_AFTER = re.compile(
    r"^[\"')\]*_]*,?\ (?:(?:is|was|are|were|would be)(?:\ not|n't)\ (?:the|a|an|correct|right|true|in)\b"
    r"|(?:is|was|are|were|would be)\ (?:incorrect|wrong|false|inaccurate)\b"
    r"|is\ a\ (?:common\ )?(?:mistake|myth|misconception))"
)
_DID_NOT_AFTER = re.compile(
    r"[\"')\]*_]*\ (?:did|does)(?:\ not|n't)\ "
    r"(?!only|just|until|merely|always|begin|start|finish|come|get)\w+(?!.{0,20}\ until)"
)
"""What a name behind which it stands did not do."""
_COMPARED_BEFORE = re.compile(r"\b[a-z]+er\ than\ (?:(?:the|an?)\ )?[\"'(*_]*$")
"""A name behind `longer than` is not the answer; an amount may be `higher than 5`."""
_SUPPOSED_BEFORE = re.compile(
    r"\b(?:many|most|some|people|often|commonly|widely|mistakenly|wrongly)\b[\w' ]{0,24}"
    r"\b(?:think|believe|assume|thought|believed|assumed)\b[\w', -]{0,30}$"
)
_SUPPOSING = ("think", "thought", "believe", "assume")
"""The same for `_SUPPOSED_BEFORE`."""
_TURNED_AFTER = re.compile(
    r"^[\w' -]{0,40}(?:,|;|\.\s|\ but\b)\ ?(?:but\ |however,?\ )?(?:it|the|in|he|she|they|actually)\b"
)
_CREDITED_BEFORE = re.compile(
    r"\b(?:al)?though\b[\w' ,-]{0,30}\b(?:attributed|credited|associated)\b (?:to|with) (?:the )?[\"'(*_]*$"
)
"""What stands before a person to whom somebody else's work is attributed."""
_OUTDONE_BEFORE = re.compile(
    r"\b(?:beat(?:s|ing)?|defeat(?:s|ed|ing)|(?:victory|win|triumph) over|(?:came|died|happened) before|ahead of"
    r"|followed by"
    r"|second (?:only )?to|surpass(?:es|ed|ing)|overtak(?:es|ing)|overtook) (?:the )?[\"'(*_]*$"
)
_OUTDONE_AFTER = re.compile(
    r"^[\"')\]*_]* (?:lost|(?:was|were|is) (?:defeated|beaten|second|the runners?-up)|(?:came|finished) second"
    r"|in (?:second|third|last) place)\b"
)
_OUTDOING = ("before", "beat", "defeat", " over ", "ahead of", "followed by", "second", "surpass", "overt")
_ASKS_FIRST = re.compile(
    r"\b(?:w[io]ns?|winn\w+|champions?|most|first|more.*than any|top|record|elected|[a-z]{3,}est)\b", re.IGNORECASE
)
_ASKS_OTHER = re.compile(
    r"\b(?:beat|defeat|los[te]|second|third|after|before|follow|runner|behind|against|opponent|next|over)",
    re.IGNORECASE,
)
"""A question that asks for the loser or the next one."""
_PAST_BEFORE = re.compile(r"\b(?:succeed(?:ed|ing)|replac(?:ed|ing)|t(?:ook|aking|aken) over from) (?:the )?[\"'(*_]*$")
_SUCCEEDING = ("succeed", "replac", "over from")
_FORMER_BEFORE = re.compile(
    r"\b(?:formerly|previously|in the past|once|originally)\W+"
    r"(?:(?:it|he|she|this|that|they|was|were|is|are|the|has been)\W+)*$"
)
_FORMER_AFTER = re.compile(
    r"^[\"')\]*_]* (?:(?:is|are) no longer\b|no longer (?:is|are|holds|leads|runs|heads)\b|used to be\b"
    r"|(?:was|were) (?:formerly|previously|once|the former|the previous)\b|formerly (?:was|the)\b|formerly,)"
)
"""What held before and no longer does."""
_NOW = re.compile(r"\b(?:now|today|currently|current|nowadays|presently)\b")
_FORMER = ("formerly", "previously", "in the past", "once", "originally")
_ASKS_PRESENT = re.compile(r"\b(?:is|are|hosts|current|currently|now|today|new)\b", re.IGNORECASE)
_ASKS_PAST = re.compile(
    r"\b(?:succeed|replac|took|before|previous|former|after|preced|was|were|did|used)", re.IGNORECASE
)
_ONE_OF_BEFORE = re.compile(r"(?:\beither|\bor|\bhoặc)\ (?:(?:the|an?)\ )?[\"'(*_]*$")
_ONE_OF_AFTER = re.compile(r"^[\"')\]*_]*,?\ (?:or|hoặc)\ (?!more\b|less\b|so\b)")
LOOK = 60
"""Characters before and after a mention that tell how it stands."""
MAY_DENY = (
    r"(?i)(?-u:\b)not(?-u:\b)|n\Wt(?-u:\b)|cannot|never|r than|instead|unlike|opposed|contrary|longer|confused|mistake"
    r"|incorrect|wrong|false|inaccurate|myth|misconception|không|không|think|thought|believe|assume"
    r"|beat|defeat|[ynh] over|ahead of|followed|second|surpass|overt| lost|runner|place|attribut|credited|associated"
    r"|succeed|replac|over from|[edm] before|former|previous|used to"
)
"""What stands within LOOK of every mention that is rejected, in the text as written, for polars.

Its word boundaries are ASCII's: those of Unicode take polars fifty times as long on text outside of ASCII.
"""
DENIES = re.compile(r"\b(?:not|never|cannot|no longer|không phải|except)\b|n['’]t\b", re.IGNORECASE)


class Standing(Enum):
    """How a mention stands."""

    SAID = "said"
    ONE_OF = "one of several"
    REJECTED = "rejected"


def find_standing(level: str, start: int, end: int, asked: str = "") -> Standing:
    """How the mention at `start` to `end` of a levelled text stands there.

    `asked` is the question, or the golden text with it: where it holds a negation itself (`Which did he not win?`), one
    in the response rejects nothing. Where it asks who was first or who it is now, whom another one outdid or replaced
    is rejected.
    """
    before, after = level[max(0, start - LOOK) : start], level[end : end + LOOK]
    rejected = (holds_any(before, _REJECTING) and _REJECTED_BEFORE.search(before)) or _REJECTED_AFTER.search(after)
    if rejected and not DENIES.search(asked):
        return Standing.REJECTED
    if level[start : start + 1].isalpha() and _says_it_did_not(level, end, asked):
        return Standing.REJECTED
    if holds_any(before, _SUPPOSING) and _SUPPOSED_BEFORE.search(before) and _TURNED_AFTER.search(after):
        return Standing.REJECTED
    if _COMPARED_BEFORE.search(before) and level[start : start + 1].isalpha() and "than" not in asked:
        return Standing.REJECTED
    if holds_any(before, ("though",)) and _CREDITED_BEFORE.search(before):
        return Standing.REJECTED
    if _is_outdone(before, after, asked) or _is_past(before, after, asked):
        return Standing.REJECTED
    if _ONE_OF_BEFORE.search(before) or _ONE_OF_AFTER.search(after):
        return Standing.ONE_OF
    return Standing.SAID


def _says_it_did_not(level: str, end: int, asked: str) -> bool:
    """Whether what ends there did not do what the question asks with: `Bill did not play`."""
    found = _DID_NOT_AFTER.match(level, end)
    if not found or DENIES.search(asked):
        return False
    verb = found.group().rsplit(" ", 1)[-1]
    return any(stems(base_verb(form)) == stems(verb) for form in words(asked).forms)


def _is_outdone(before: str, after: str, asked: str) -> bool:
    """Whether the mention was outdone by another, where the question asks who was first: Paris in `Lyon beat Paris`."""
    found = (holds_any(before, _OUTDOING) and _OUTDONE_BEFORE.search(before)) or _OUTDONE_AFTER.search(after)
    return bool(found and _ASKS_FIRST.search(asked) and not _ASKS_OTHER.search(asked))


def _is_past(before: str, after: str, asked: str) -> bool:
    """Whether the mention held before, or was replaced by another, where the question asks who it is now."""
    replaced = holds_any(before, _SUCCEEDING) and _PAST_BEFORE.search(before)
    formerly = holds_any(before, _FORMER) and _FORMER_BEFORE.search(before) and _NOW.search(after)
    found = replaced or formerly or _FORMER_AFTER.search(after)
    return bool(found and _ASKS_PRESENT.search(asked) and not _ASKS_PAST.search(asked))
