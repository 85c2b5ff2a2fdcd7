"""Refusals: a response that gives no answer, told apart from an answer with a caveat."""

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum

from qaviz.diagnosis.evidence import Evidence, Span, Stance
from qaviz.diagnosis.statements import clauses, levelled, span

KIND = "refusal"

_CUES = ("not", "n't", "no ", "unable", "unknown", "unclear", "insuffic", "need", "lack", "không", "chưa", "thiếu", "unava")
"""A text without any of these refuses nothing: cheap to look for, before any pattern is."""

# The patterns below are verbose: a blank in them stands as `[ ]` or as `_`, which no word of a levelled text needs.
_GAP = "(?:[a-z0-9'/$&-]+,?_){0,6}?"
_NOT = "(?:_not|n't)"
_SOURCE = (
    "(?:texts?|documents?|contexts?|filings?|information|passages?|excerpts?|reports?|evidence|data|sources?|articles?"
    "|statements?|materials?|pages?|exhibits?|10-[kq]|sections?|results?|details?|snippets?|tables?|it|they|author)"
)
_TELL = (
    "(?:provid|contain|includ|mention|specif|disclos|stat(?:e|ing)\\b|indicat|giv|list|say|offer|address|discuss|cover"
    "|report|detail|explain|reveal|show|quantif|break_|have|refer|present|clarif|confirm|identif|suppl|answer|tell)"
)
_TOLD = (
    "(?:provided|specified|mentioned|given|available|disclosed|stated|included|found|known|listed|contained|indicated"
    "|detailed|shown|present|reported|publicly|clear|explicit|addressed|answered|covered|discussed)"
)
_FACTS = "(?:information|data|details?|records?|answers?|figures?|knowledge|idea|context|documentation|clue|basis)"
_MENTION = "(?:mention|indication|evidence|reference|record)"
_LEARN = (
    "(?:know|have|provid|determin|answer|access|find|calculat|tell|say|verif|confirm|giv|locat|comput|assess|identif"
    "|recall|retriev|offer|browse|conclud|ascertain|comment|respond|see|look_|supply|evaluat|assist|help|fulfil|deriv"
    "|establish|extract|analy|discern|infer)"
)

_STRONG = rf"""
      \b(?:i|we) (?:(?:_do|_did|_have|_am|_was|_could|_can|_would|_will|_are|_were)?{_NOT}|_cannot) _{_GAP}{_LEARN}
    | \b(?:i|we) (?:'m|_am|_are|'re|_was|_were) _(?:un|not_)(?:able|aware|sure|certain|familiar)\b
    | \b(?:un|not_)able_to_{_GAP}{_LEARN}
    | \byou{_NOT}|\byou(?:_have|_did){_NOT}_provided?
    | \b(?:not|im)_?possible_to_{_GAP}{_LEARN}
    | \b(?:cannot|can't|can_not|could{_NOT})_be_{_GAP}
        (?:determin|answer|calculat|found|provid|ascertain|comput|verif|confirm|conclud|establish|identif|deriv|assess|known)
    | \b(?:no|insufficient|inadequate|not_enough|lack_of)_{_GAP}{_FACTS}\b_?
        (?:about|on|of|regarding|in|to|for|that|available|provided|given|was|is|found|whether|related|concerning|here|$)
    | (?:_not|n't) _{_GAP}(?:enough|sufficient|adequate)_{_GAP}{_FACTS}
    | \b(?:no_one|nobody)_(?:really_)?knows\b
    | ^\W*(?:unknown|n/a|no_answer|not_(?:available|known|applicable|specified|mentioned|stated|provided|given|sure|disclosed))\W*$
    | \bno_idea\b
"""
"""The response says that it cannot answer."""

_WEAK = rf"""
      \b{_SOURCE}_{_GAP} (?:(?:does|do|did){_NOT}|fails?_to|lacks?) _{_GAP}{_TELL}
    | \b{_SOURCE}_(?:lacks?|(?:contains?|has|have|provides?|includes?|gives?|makes?)_(?:no|insufficient))\b
    | \b(?:is|are|was|were|been|be|isn't|aren't|wasn't|weren't)_(?:not_)?(?<=not_|n't_) {_GAP}{_TOLD}\b
    | \b(?:is|are|was|were|remains?)_{_GAP}(?:unknown|unclear|unavailable|unspecified|undisclosed)\b
    | \bno_{_GAP}{_MENTION}_(?:of|that|in|whether|about|as)\b
    | \bnone_of_(?:the|these|them)_{_GAP}{_TELL}
"""
"""The response says that its source does not tell."""

_VIETNAMESE = """
      (?:không|chưa|chẳng)_(?:(?:hề|thể|được|đủ|tìm|thấy|có|đưa|ra|cung|cấp|đầy|bất|kỳ|nhiều|rõ)_){0,5}
        (?:biết|rõ|thông_tin|dữ_liệu|cơ_sở|câu_trả_lời|trả_lời|đề_cập|nêu|nói|nhắc|cung_cấp|tìm_thấy|tìm_được|xác_định|xác_minh
        |tính_được|tính_toán|ghi_nhận|công_bố|tiết_lộ|chắc|kết_luận|chứa)
    | thiếu_(?:thông_tin|dữ_liệu)
"""

_INSTRUCTION = r"""
      \b(?:you|one|we|i) (?:'d|'ll|_(?:would|will|can|could|should|may|might))? _(?:(?:typically|usually|normally|generally
        |first|then|also|likely|still)_)* (?:need|have_to|look|check|refer|consult|visit|follow|review|obtain|use_the|divide|subtract|require)\b
    | \byou_(?:can|may|could|should)_(?:find|get|calculate)\b
    | \b(?:recommend|suggest|advise)_(?:checking|consulting|reviewing|looking|referring|visiting|that_you|you)
    | \b(?:would|it_is|it's|is)_(?:be_)?(?:necessary|best|advisable|recommended)_to\b
    | ^\W*(?:(?:please|to|once_you|if_you|let_me_know)\b|step_\d)
    | \bif_you_(?:can|could|have|provide|need|would)\b
    | ^\W*để_(?:tính|xác_định|trả_lời|biết)_ | cần_(?:phải_)?(?:xem|tra|tham_khảo|có|biết)_
"""

_GENERAL = r"""
      ^\W*(?:if|when)\b | \b(?:would|might|may|could|typically|usually|generally|often|commonly|normally)\b
    | \b(?:is|are)_(?:calculated|computed|defined|determined|measured)_(?:by|as|using)\b
    | \b(?:is|are)_(?:a|the)_(?:measure|metric|ratio|formula|financial)\b | \bformula\b
    | ^[^a-z]*$
"""
"""Explains or supposes; says nothing of what was asked."""

_FILLER = r"""
    ^\W*(?:i'm_(?:very_|so_)?sorry|i_am_sorry|sorry|unfortunately|i_apologi[sz]e|my_apologies|as_an?_(?:ai|language)|as_of_my
      |hello|hi|thank_you|(?:good|great)_question|(?:the|this|your)_question|you_(?:are_asking|asked)|xin_lỗi|rất_tiếc|xin_chào)\b
"""

_THEREFORE = r"\b(?:therefore|thus|hence|so|consequently|since|because|without|as_a_result|in_conclusion|overall|do_đó|vì_vậy|vì_thế)\b"

_MORE = r"\b(?:more|further|additional|other|another|exact(?:ly)?|precise(?:ly)?|thêm)\b"
"""What is not known is more than what was asked: a caveat, once something was stated."""

_ANYWAY = r"""
      ^\W*(?:but_|however,?_)?(?:yes|no|có|không)[,.:]
    | \b(?:the|my)_(?:best_)?(?:answer|guess|estimate)_(?:is|would_be)\b | \bi_(?:believe|think|guess|can_(?:calculate|estimate|tell|infer))\b
    | \b(?:can|could)_(?:be_)?(?:infer|conclude|estimate|calculate|deduce)
    | ^\W*(?:but|however|nevertheless|nonetheless|that_said|based|still)\b .{0,120}
        (?:\b(?:likely|probably|presumably|approximately|roughly|apparently|suggests?|indicates?)\b|\b(?:appears?|seems?)_(?:that|to)\b|[$€£]_?\d|\d_?%|\b(?:was|is)_\d)
    | \bbelieved_to_be\b | có_lẽ | có_thể_là
"""
"""Answers in spite of what was said before."""


def _pattern(*verbose: str) -> re.Pattern[str]:
    """Any of the patterns, with `_` for a blank, over composed and over decomposed letters."""
    composed = "|".join(verbose).replace("_", "[ ]")
    decomposed = unicodedata.normalize("NFD", composed)
    return re.compile(composed if decomposed == composed else f"{composed}|{decomposed}", re.VERBOSE)


class _Role(Enum):
    """What a clause does for the question."""

    REFUSES = _pattern(_STRONG, _VIETNAMESE)
    IS_NOT_TOLD = _pattern(_WEAK)
    ANSWERS_ANYWAY = _pattern(_ANYWAY)
    INSTRUCTS = _pattern(_INSTRUCTION)
    EXPLAINS = _pattern(_GENERAL)
    FILLS = _pattern(_FILLER)
    STATES = re.compile("")


_DECLINES = (_Role.REFUSES, _Role.IS_NOT_TOLD)
_SAYS_NOTHING = (_Role.EXPLAINS, _Role.FILLS)
_MARKS_CONCLUSION = _pattern(_THEREFORE)
_ASKS_MORE = _pattern(_MORE)


@dataclass(frozen=True, slots=True)
class _Clause:
    role: _Role
    span: Span
    concludes: bool
    of_more: bool


def find(response: str, question: str = "") -> Evidence:
    """Whether `response` gives no answer.

    AGREES: it declines, is empty, or tells how to find the answer without giving it; `response` is the span that says so.
    SILENT: it answers; where it also says what it does not know, `response` is that caveat. Words of a refusal that
    `question` holds too (`Which firm does not disclose its revenue?`) are no refusal.
    """
    if not any(map(str.isalnum, response)):
        return Evidence(KIND, Stance.AGREES, note="the response is empty")
    level = levelled(response)
    if not any(cue in level for cue in _CUES):
        return Evidence(KIND, Stance.SILENT)
    asked = levelled(question)
    return _judge([_read(response, level, start, end, asked) for start, end in clauses(level)])


def _read(response: str, level: str, start: int, end: int, question: str) -> _Clause:
    clause = level[start:end]
    role = next(role for role in _Role if (hit := role.value.search(clause)) and not (role in _DECLINES and hit.group() in question))
    return _Clause(
        role,
        span(response, start, end),
        _MARKS_CONCLUSION.search(clause) is not None,
        _ASKS_MORE.search(clause) is not None,
    )


def _judge(read: list[_Clause]) -> Evidence:
    """The first clause that says something decides, unless a conclusion or an answer in spite of it follows."""
    said = [clause for clause in read if clause.role not in _SAYS_NOTHING]
    declines = [clause for clause in said if clause.role in _DECLINES]
    if not said or said[0].role is _Role.INSTRUCTS and not declines:
        return _instructs(read, said)
    if not declines:
        return Evidence(KIND, Stance.SILENT)
    last = max(i for i, clause in enumerate(said) if clause.role is _Role.REFUSES or clause is declines[0])
    if any(clause.role is _Role.ANSWERS_ANYWAY for clause in said[last + 1 :]):
        return _caveat(declines[0])
    if said[0].role in (*_DECLINES, _Role.INSTRUCTS):
        return _declined(declines[0], "gives no answer", 1.0)
    final = said[last]
    if final.role is _Role.REFUSES and final.concludes and not final.of_more:
        return _declined(final, "concludes that it cannot answer", 0.7)
    return _caveat(declines[0])


def _instructs(read: list[_Clause], said: list[_Clause]) -> Evidence:
    """A response that starts with how to find the answer: does it go on to state it?"""
    if any(clause.role in (_Role.STATES, _Role.ANSWERS_ANYWAY) for clause in said):
        return Evidence(KIND, Stance.SILENT)
    return _declined((said or read)[0], "tells how to find the answer and does not give it", 0.7)


def _declined(clause: _Clause, note: str, strength: float) -> Evidence:
    return Evidence(KIND, Stance.AGREES, response=clause.span, note=note, strength=strength)


def _caveat(clause: _Clause) -> Evidence:
    return Evidence(KIND, Stance.SILENT, response=clause.span, note="answers, with a caveat", strength=0.7)
