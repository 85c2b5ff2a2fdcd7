"""Refusals: a response that gives no answer, told apart from an answer with a caveat."""

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum

from qaviz.diagnosis.evidence import Evidence, Span, Stance
from qaviz.diagnosis.statements import clauses, levelled, span

KIND = "refusal"

_CUES = (
    "not",
    "n't",
    "no ",
    "sorry",
    "unable",
    "unknown",
    "unclear",
    "insuffic",
    "need",
    "unfort",
    "không",
    "chưa",
    "tiếc",
)
"""A text without any of these refuses nothing. Cheap to look for, before any pattern is."""

_GAP = r"(?:[\w'/$&-]+,? ){0,5}?"
_SAY = (
    r"(?:provid|contain|includ|mention|specif|disclos|stat(?:e|ing)\b|indicat|giv|list|say|offer|address|discuss|cover|"
    r"report|detail|explain|reveal|show|quantif|break (?:out|down)|have|refer|present|clarif|confirm|identif|suppl)"
)
_SOURCE = (
    r"(?:texts?|documents?|contexts?|filings?|information|passages?|excerpts?|reports?|evidence|data|sources?|articles?|"
    r"statements?|materials?|pages?|exhibits?|10-[kq]|sections?|search results?|details?|snippets?|tables?|it|they)"
)
_FACTS = r"(?:information|data|details?|mention|indication|evidence|records?|answers?|figures?|reference|context|way|knowledge|idea)"
_KNOW = (
    r"(?:know|have|provid|determin|answer|access|find|calculat|tell|say|verif|confirm|giv|locat|comput|assess|identif|recall|"
    r"retriev|offer|browse|conclud|ascertain|comment|respond|see|look up|supply|evaluat|assist|help|fulfil|derive|establish)"
)
_NOT = r"(?:not|n't|cannot|never)"
_CAN = r"(?:do|does|did|can|could|is|was|are|were|has|have|am|would|will)?"

_ENGLISH = rf"""
      \b(?:i|we)(?:'m|\ am|\ are|'re)?\ (?:{_CAN}(?:\ ?not|n't)|cannot|unable\ to|not\ able\ to)\ {_GAP}{_KNOW}
    | \b(?:i'm|i\ am|we\ are|we're)\ (?:not\ (?:aware|sure|certain|familiar)|unaware|unsure|uncertain|unfamiliar)
    | \b{_SOURCE}\ {_GAP}(?:(?:does|do|did)(?:\ not|n't)|fails?\ to|lacks?)\ {_GAP}{_SAY}
    | \b{_SOURCE}\ {_GAP}lacks?\b
    | \b(?:is|are|was|were|been|be)(?:\ not|n't)\ {_GAP}(?:provided|specified|mentioned|given|available|disclosed|stated|
        included|found|known|listed|contained|indicated|detailed|shown|present|reported|publicly|clear|explicit)\b
    | \bno\ {_GAP}{_FACTS}\ {_GAP}(?:about|on|of|regarding|in|to|for|that|available|provided|given|is|was|found|whether|related|concerning)\b
    | \b(?:there\ is|there's|have|contains?|provides?|found|includes?)\ (?:no|insufficient|not\ enough)\ {_GAP}{_FACTS}
    | \b(?:not\ enough|insufficient|not\ sufficient|lack\ of)\ {_GAP}{_FACTS}
    | \b(?:not|n't)\ {_GAP}(?:enough|sufficient|adequate)\ {_GAP}{_FACTS}
    | \b(?:not|im)\ ?possible\ to\ {_GAP}{_KNOW}
    | \b(?:cannot|can't|can\ not|could\ not|couldn't)\ be\ {_GAP}(?:determined|answered|calculated|found|provided|ascertained|computed|
        verified|confirmed|concluded|established|identified|derived|assessed)
    | \bunable\ to\ {_GAP}{_KNOW}
    | \bnot\ able\ to\ {_GAP}{_KNOW}
    | \b(?:is|are|was|remains?)\ {_GAP}(?:unknown|unclear|uncertain)\b
    | \b(?:no\ one|nobody)\ (?:really\ )?knows\b
    | ^\W*(?:unknown|n/a|no\ answer|not\ (?:available|known|applicable|specified|mentioned|stated|provided|given|sure|disclosed))\W*$
"""

_VIETNAMESE = r"""
      \b(?:không|chưa|chẳng)\ (?:hề\ |thể\ |được\ |đủ\ |tìm\ |thấy\ |có\ |đưa\ ra\ |cung\ cấp\ |đầy\ |bất\ kỳ\ |nhiều\ |rõ\ ){0,4}(?:biết|rõ|
        thông\ tin|dữ\ liệu|cơ\ sở|câu\ trả\ lời|trả\ lời|đề\ cập|nêu|nói|nhắc|cung\ cấp|tìm\ thấy|tìm\ được|xác\ định|xác\ minh|
        tính\ được|tính\ toán|ghi\ nhận|công\ bố|tiết\ lộ|chắc|kết\ luận|chứa)
    | \bthiếu\ (?:thông\ tin|dữ\ liệu)\b
"""

_INSTRUCTION = re.compile(
    rf"""
      \b(?:you|one|we|i)(?:'d|\ would|'ll|\ will|\ can|\ could|\ should|\ may|\ might)?\ (?:typically\ |usually\ |normally\ |generally\ |first\ |then\ |also\ )*
        (?:need|have\ to|look|check|refer|consult|visit|follow|review|obtain|use\ the|divide|subtract|require|find)\b
    | \b(?:recommend|suggest|advise)\ (?:checking|consulting|reviewing|looking|referring|visiting|that\ you|you)
    | ^\W*(?:please|to)\ (?:find|determine|calculate|compute|answer|assess|get|obtain|check|refer|consult|provide|perform|identify|evaluate)\b
    | \bif\ you\ (?:can\ |could\ |have\ |provide|need|would)
    | \b(?:is|are)\ (?:typically\ |usually\ |generally\ |often\ )?(?:calculated|computed|determined|obtained)\ (?:by|as|using)\b
    | \bcần\ (?:phải\ )?(?:xem|tra|tham\ khảo|có|biết)\b | ^\W*để\ (?:tính|xác\ định|trả\ lời|biết)\b
    """,
    re.VERBOSE,
)

_FILLER = re.compile(
    r"""
    ^\W*(?:i'm\ (?:very\ |so\ )?sorry|i\ am\ sorry|sorry|unfortunately|i\ apologi[sz]e|my\ apologies|as\ an?\ (?:ai|language)|as\ of\ my|
      hello|hi|thank\ you|good\ question|great\ question|the\ question\ asks|this\ question|you\ (?:are\ asking|asked)|
      xin\ lỗi|rất\ tiếc|xin\ chào)\b
    """,
    re.VERBOSE,
)

_CONCLUSION = re.compile(
    r"\b(?:therefore|thus|hence|so|as a result|consequently|in conclusion|in summary|overall|without (?:this|these|that|the|further|more)|do đó|vì vậy|vì thế)\b"
)

_ANSWER = re.compile(
    r"""
      ^\W*(?:but\ |however,?\ )?(?:yes|no|có|không)\b[,.:]
    | \b(?:appears?|seems?|suggests?|implies|likely|probably|presumably|apparently|possibly|estimated?|infer(?:red)?|(?:can|could|may)\ (?:be\ )?conclude)\b
    | \b(?:is|was|are|were|would\ be|it's|be)\ (?:approximately|about|around|roughly|likely|probably)\b
    | \bi\ (?:believe|think|guess|can\ calculate|can\ estimate|can\ tell\ you)\b | \bmy\ (?:best\ )?guess\b
    | \bbelieved\ to\ be\b | =\ ?-?[$€£]?\d
    | (?:is|was|were|are|of|to)\ (?:-|\()?(?:us)?[$€£]\ ?\d
    | \b(?:có\ lẽ|có\ thể\ là|khoảng|ước\ tính)\b
    """,
    re.VERBOSE,
)


def _both_forms(pattern: str) -> str:
    """A pattern over Vietnamese for composed and for decomposed text."""
    return f"{pattern} | {unicodedata.normalize('NFD', pattern)}"


_REFUSAL = re.compile(f"{_ENGLISH} | {_both_forms(_VIETNAMESE)}", re.VERBOSE)


class _Role(Enum):
    """What a clause does for the question."""

    FILLER = 0
    REFUSES = 1
    INSTRUCTS = 2
    HEDGES = 3
    """Asserts in words that follow a refusal: it appears, approximately, therefore yes."""
    STATES = 4


@dataclass(frozen=True, slots=True)
class _Clause:
    role: _Role
    span: Span
    concludes: bool


def find(response: str, question: str = "") -> Evidence:
    """Whether `response` gives no answer.

    AGREES: it does: it declines, is empty, or tells how to find the answer without giving it; `response` is the span that says so.
    SILENT: it answers. Where it also says what it does not know, `response` is that caveat. Words of a refusal that
    `question` holds too (`Who cannot be found in the text?`) are no refusal.
    """
    if not any(map(str.isalnum, response)):
        return Evidence(KIND, Stance.AGREES, note="the response is empty")
    level = levelled(response)
    if not any(cue in level for cue in _CUES):
        return Evidence(KIND, Stance.SILENT)
    return _judge([_read(response, level, start, end, levelled(question)) for start, end in clauses(level)])


def _read(response: str, level: str, start: int, end: int, question: str) -> _Clause:
    clause = level[start:end]
    concludes = _CONCLUSION.search(clause) is not None
    refusal = _REFUSAL.search(clause)
    if refusal and refusal.group() not in question:
        return _Clause(_Role.REFUSES, span(response, start, end), concludes)
    if _INSTRUCTION.search(clause):
        role = _Role.INSTRUCTS
    elif _FILLER.search(clause):
        role = _Role.FILLER
    elif _ANSWER.search(clause):
        role = _Role.HEDGES
    else:
        role = _Role.STATES
    return _Clause(role, span(response, start, end), concludes)


def _judge(read: list[_Clause]) -> Evidence:
    """The roles in order decide: what the first clause that is no filler does, and what the last conclusion does."""
    refusals = [clause for clause in read if clause.role is _Role.REFUSES]
    said = [clause for clause in read if clause.role is not _Role.FILLER]
    first = said[0].role if said else _Role.FILLER
    if refusals and refusals[-1].concludes and not any(clause.role is _Role.HEDGES for clause in read):
        return _declined(refusals[-1], "concludes that there is no answer", 0.9)
    if refusals and first in (_Role.REFUSES, _Role.INSTRUCTS):
        after = read[read.index(refusals[0]) :]
        if any(clause.role is _Role.HEDGES for clause in after):
            return _caveat(refusals[0])
        return _declined(refusals[0], "gives no answer", 1.0)
    if first is _Role.INSTRUCTS and not any(clause.role is _Role.HEDGES for clause in read):
        return _declined(said[0], "tells how to find the answer and does not give it", 0.7)
    return _caveat(refusals[0]) if refusals else Evidence(KIND, Stance.SILENT)


def _declined(clause: _Clause, note: str, strength: float) -> Evidence:
    return Evidence(KIND, Stance.AGREES, response=clause.span, note=note, strength=strength)


def _caveat(clause: _Clause) -> Evidence:
    return Evidence(KIND, Stance.SILENT, response=clause.span, note="answers, with a caveat", strength=0.7)
