"""Refusals: a response that gives no answer, told apart from an answer with a caveat."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache

from qaviz.diagnosis.evidence import Evidence, Stance
from qaviz.diagnosis.evidence.clauses import clauses, holds_any, level_text, span
from qaviz.diagnosis.evidence.phrases import asked_stems
from qaviz.diagnosis.evidence.polarity import asks_yes_or_no
from qaviz.diagnosis.evidence.words import stems

KIND = "refusal"

READ = 20_000
"""Characters of a response that are read: a refusal that starts later is a sentence of an answer."""

_DECLINING = (
    *("not ", "n't ", "no ", "none", "neither", "nobody", "unab", "unkn", "uncl", "unav", "unsp", "undis", "insuff"),
    *("inadeq", "lack", "impos", "n/a", "fail", "không", "chưa", "chẳng", "thiếu"),
    *("kho\u0302ng", "chu\u031ba", "cha\u0309ng", "thie\u0302\u0301u"),
)
"""A clause without any of these declines nothing: cheap to look for, before any pattern is."""

# In the patterns below `_` stands for a blank, and blanks and line ends for nothing.
_GAP = "(?:[a-z0-9'/$&-]+,?_){0,6}?"
_WORDS = "(?:[a-z0-9'/$&-]+_){0,6}?"
_NOT = "(?:_not|n't)"
_SOURCE = (
    "(?:texts?|documents?|contexts?|filings?|information|passages?|excerpts?|reports?|evidence|data|sources?|articles?"
    "|materials?|pages?|exhibits?|10-[kq]|sections?|search_results?|details?|snippets?|tables?|author)"
)
_TELL = (
    "(?:provid|contain|includ|mention|specif|disclos|stat(?:e|ing)\\b|indicat|giv|list|say|offer|address|discuss|cover"
    "|report|detail|explain|reveal|show|quantif|break_|refer|present|clarif|confirm|identif|suppl|answer|tell|name)"
)
_TOLD = (
    "(?:provided|specified|mentioned|given|available|disclosed|stated|included|found|known|listed|contained|indicated"
    "|detailed|shown|present|reported|publicly|clear|explicit|addressed|answered|covered|discussed)"
)
_FACTS = "(?:information|data|details?|records?|answers?|figures?|knowledge|idea|context|documentation|clue|basis)"
_LEARN = (
    "(?:know|have|provid|determin|answer|access|find|calculat|tell|say|verif|confirm|giv|locat|comput|assess|identif"
    "|recall|retriev|offer|browse|conclud|ascertain|comment|respond|see|look_|supply|evaluat|assist|help|fulfil|deriv"
    "|establish|extract|analy|discern|infer)"
)

_REFUSES = rf"""
      \b(?:i|we|one|the_(?:assistant|model|system))
        (?:(?:_(?:do|does|did|have|am|was|could|can|would|will|are|were))?{_NOT}|_can(?:not|'t)|_won't)
        _{_GAP}{_LEARN}
    | \b(?:i|we) (?:'m|_am|_are|'re|_was|_were) _(?:un|not_)(?:able|aware|sure|certain|familiar)\b
    | \b(?:un|not_)able_to_{_GAP}{_LEARN}
    | \byou_(?:have|did){_NOT}_provided?
    | \b(?:not_|im)possible_to_{_GAP}{_LEARN}
    | \b(?:cannot|can't|can_not|could{_NOT})_be_{_GAP} (?:determin|answer|calculat|found|provid|ascertain|comput|verif
        |confirm|conclud|establish|identif|deriv|assess|known)
    | \b(?:no|insufficient|inadequate|not_enough|lack_of)_{_GAP}{_FACTS}\b_? (?:about|on|of|regarding|in|to|for|that
        |available|provided|given|was|is|found|whether|related|concerning|here|$)
    | (?:_not|n't) _{_GAP}(?:enough|sufficient|adequate)_{_GAP}{_FACTS}
    | \b(?:no_one|nobody)_(?:really_)?knows\b | \bno_idea\b
    | ^\W*(?:unknown|n/a|no_answer
        |not_(?:available|known|applicable|specified|mentioned|stated|provided|sure))\W*$
    | (?:không|chưa|chẳng)_(?:(?:hề|thể|được|đủ|tìm|thấy|có|đưa|ra|cung|cấp|đầy|bất|kỳ|nhiều|rõ)_){{0,5}}
        (?:biết|rõ|thông_tin|dữ_liệu|cơ_sở|câu_trả_lời|trả_lời|đề_cập|nêu|nói|nhắc|cung_cấp|tìm_thấy|tìm_được|xác_định
        |xác_minh|tính_được|tính_toán|ghi_nhận|công_bố|tiết_lộ|chắc|kết_luận|chứa)
    | thiếu_(?:thông_tin|dữ_liệu)
"""

_IS_NOT_TOLD = rf"""
      \b{_SOURCE}_{_WORDS} (?:(?:does|do|did){_NOT}|fails?_to|lacks?) _{_GAP}{_TELL}
    | \b(?:it|they)_(?:does|do|did){_NOT}_{_GAP}(?:mention|specify|say|state|provide|disclose|indicate)\b
    | \b{_SOURCE}_(?:lacks?|(?:contains?|has|have|provides?|includes?|gives?|makes?)_(?:no|insufficient))\b
    | \b(?:is|are|was|were|been|be)(?:_not|n't)_{_GAP}{_TOLD}\b
    | \b(?:is|are|was|were|remains?)_{_GAP}(?<!an_)(?<!the_)(?:unknown|unclear|unavailable|unspecified|undisclosed)\b
    | \bno_{_GAP}(?:mention|indication|evidence|reference|record)_(?:of|that|in|whether|about|as)\b
    | \bno_(?:[\w-]+_){{1,3}}(?:is|are|was|were)_(?:given|stated|mentioned|provided|specified|disclosed|listed|available
        |indicated|reported|shown)\b
    | \bnone_of_(?:the|these|them)_{_GAP}{_TELL}
    | \bneither_.{{3,80}}_(?:is|are|was|were)_{_TOLD}\b
"""

_ANSWERS_ANYWAY = r"""
      ^\W*(?:but_|however,?_)?(?:yes|no|có|không)[,.:]
    | \b(?:the|my)_(?:best_)?(?:answer|guess|estimate)_(?:is|would_be)\b | \bi_(?:believe|think|guess)\b
    | (?<!you_)(?<!how_to_)\b(?:can|could)_(?:be_)?(?:infer|conclude|estimate|calculate|deduce)
    | ^\W*(?:but|however|nevertheless|nonetheless|that_said|based|still)\b .{0,120}
        (?:\b(?:likely|probably|presumably|approximately|roughly|apparently|(?<!not_)suggests?|(?<!not_)indicates?)\b
        |\b(?:appears?|seems?)_(?:that|to)\b |[$€£]_?\d |\d_?% |\b(?:was|is)_\d)
    | \bbelieved_to_be\b | có_lẽ | có_thể_là
"""

_INSTRUCTS = r"""
      \b(?:you|one|we|i) (?:'d|'ll|_(?:would|will|can|could|should|may|might))? _(?:(?:typically|usually|normally
        |generally|first|then|also|likely|still)_)* (?:need|have_to|look|check|refer|consult|visit|follow|review|obtain
        |use_the|divide|subtract|require)\b
    | \byou_(?:can|may|could|should)_(?:find|get|calculate)\b
    | \b(?:recommend|suggest|advise)_(?:checking|consulting|reviewing|looking|referring|visiting|that_you|you)
    | \b(?:would|it_is|it's|is)_(?:be_)?(?:necessary|best|advisable|recommended)_to\b
    | ^\W*(?:(?:please|to|once_you|if_you|let_me_know)\b|step_\d)
    | \bif_you_(?:can|could|have|provide|need|would)\b
    | ^\W*để_(?:tính|xác_định|trả_lời|biết)_ | cần_(?:phải_)?(?:xem|tra|tham_khảo|có|biết)_
"""

_EXPLAINS = r"""
      ^\W*(?:if|when)\b | \b(?:would|might|may|could|typically|usually|generally|often|commonly|normally)\b
    | \b(?:is|are)_(?:calculated|computed|defined|determined|measured)_(?:by|as|using)\b
    | \b(?:is|are)_(?:a|the)_(?:measure|metric|ratio|formula|financial)\b | \bformula\b
    | ^[^a-z]*$
"""

_FILLS = r"""
    ^\W*(?:i'm_(?:very_|so_)?sorry|i_am_sorry|sorry|unfortunately|i_apologi[sz]e|my_apologies|as_an?_(?:ai|language)
      |hello|hi|thank_you|(?:good|great)_question|(?:the|this|your)_question|you_(?:are_asking|asked)|xin_lỗi|rất_tiếc
      |xin_chào)\b
"""
SENTENCES = 16_384
"""Clauses that are remembered: stock sentences stand in many responses."""
STOCK = 400
"""Characters up to which a clause may be one."""
_SO_THE_ANSWER = re.compile(
    r"\b(?:so|therefore|thus|hence|but),? (?:the|my) (?:best )?(?:answer|guess|estimate) (?:is|would be) (?!not|un)"
)
"""What follows from there being nothing: `there are no such costs, so the answer is 0`."""
_CONCESSION = re.compile(r"\W*(?:although|though|even though|while|tuy|mặc dù)\b")
_SUPPOSES = re.compile(r"\W*(?:if|when|once|nếu|khi)\b")
_OF_MORE = re.compile(r"\b(?:more|further|additional|other|another|exact(?:ly)?|precise(?:ly)?|thêm)\b")
"""What is not known is more than what was asked: a caveat, once something was stated."""
Clause = tuple[int, int]
"""Where a clause begins and ends."""
_REPEATED = 2
"""Clauses that refuse, beside another one that declines, from which a response does so for good."""


def _pattern(verbose: str) -> re.Pattern[str]:
    """The pattern with `_` for a blank, over composed and over decomposed letters."""
    composed = verbose.replace("_", "[ ]")
    decomposed = unicodedata.normalize("NFD", composed)
    return re.compile(composed if decomposed == composed else f"{composed}|{decomposed}", re.VERBOSE)


class _Role(Enum):
    """What a clause does for the question: the first that fits."""

    REFUSES = _pattern(_REFUSES)
    """The response says that it cannot answer."""
    IS_NOT_TOLD = _pattern(_IS_NOT_TOLD)
    """The response says that its source does not tell."""
    ANSWERS_ANYWAY = _pattern(_ANSWERS_ANYWAY)
    """Answers in spite of what was said before."""
    INSTRUCTS = _pattern(_INSTRUCTS)
    """Tells the reader how to find the answer."""
    EXPLAINS = _pattern(_EXPLAINS)
    """Explains or supposes, and states nothing about the question."""
    FILLS = _pattern(_FILLS)
    STATES = re.compile("")


_DECLINES = (_Role.REFUSES, _Role.IS_NOT_TOLD)
_SAYS_NOTHING = (_Role.EXPLAINS, _Role.FILLS)
_ROLES = tuple((role, role.value.search) for role in _Role if role not in _DECLINES)
"""The roles of a clause that declines nothing, in the order in which they are looked for."""
_ROLES_SUPPOSED = tuple((role, search) for role, search in _ROLES if role is not _Role.ANSWERS_ANYWAY)
"""The same of a clause that supposes something."""
_CONCLUDES = _pattern(
    r"\b(?:therefore|thus|hence|so|consequently|since|because|without|as_a_result|in_conclusion|overall|do_đó|vì_(?:vậy|thế))\b"
)


@lru_cache(maxsize=512)  # asked of a response once before and once after its evidence is known
def find(response: str, question: str = "") -> Evidence:
    """Whether `response` gives no answer.

    AGREES: it declines or is empty; `response` is the clause that says so. SILENT: it answers; where it also says what
    it does not know, `response` is that caveat. A refusal whose words the question holds too (`Which report does not
    disclose it?`) is none.
    """
    if not any(map(str.isalnum, response)):
        return Evidence(KIND, Stance.AGREES, note="the response is empty")
    level = level_text(response[:READ])
    if holds_any(level, _DECLINING):
        parts, level_question = list(clauses(level)), level_text(question)
        declining = {part: role for part in parts if (role := _declines(level[part[0] : part[1]], level_question))}
        if declining:
            return _judge(response, level, parts, declining)
    return Evidence(KIND, Stance.SILENT)


def _declines(clause: str, question: str) -> _Role | None:
    """How a clause declines, in words that are not the question's; None where it does not."""
    hits = _find_stock_refusals(clause) if len(clause) <= STOCK else _find_refusals(clause)
    return next((role for role, words in hits if not _restates(words, question)), None) if hits else None


def _restates(declining: str, question: str) -> bool:
    """Whether what seems to decline is what the question is about: `is not covered`, where it asks what is covered."""
    if declining in question:
        return True
    if not asks_yes_or_no(question):
        return False
    last = declining.rsplit(" ", 1)[-1]
    return last.isalpha() and last.endswith("ed") and asked_stems(question).issuperset(stems(last))


def _find_refusals(clause: str) -> tuple[tuple[_Role, str], ...]:
    """The ways in which a clause may decline, with the words that do."""
    if not holds_any(clause, _DECLINING):
        return ()
    hits = ((role, role.value.search(clause)) for role in _DECLINES)
    return tuple(
        (role, hit.group())
        for role, hit in hits
        if hit and not _concedes(clause, hit.end()) and not _SO_THE_ANSWER.search(clause, hit.end())
    )


_find_stock_refusals = lru_cache(maxsize=SENTENCES)(_find_refusals)


def _concedes(clause: str, end: int) -> bool:
    """Whether what ends there is only conceded: `although the filing does not say it, ...`."""
    return _CONCESSION.match(clause) is not None and "," in clause[end:]


def _role(level: str, start: int, end: int) -> _Role:
    """What a clause does that declines nothing. A question, most often the one that was asked, does nothing."""
    if level[end : end + 1] == "?":
        return _Role.FILLS
    return _find_stock_role(level[start:end]) if end - start <= STOCK else _find_role(level[start:end])


def _find_role(clause: str) -> _Role:
    roles = _ROLES_SUPPOSED if _SUPPOSES.match(clause) else _ROLES
    return next(role for role, search in roles if search(clause))


_find_stock_role = lru_cache(maxsize=SENTENCES)(_find_role)


def _judge(response: str, level: str, parts: Sequence[Clause], declining: Mapping[Clause, _Role]) -> Evidence:
    """The first clause that says something decides, unless a conclusion or an answer in spite of it follows."""
    refusing = [part for part, role in declining.items() if role is _Role.REFUSES]
    first, last = next(iter(declining)), (refusing or list(declining))[-1 if refusing else 0]
    caveat = Evidence(KIND, Stance.SILENT, response=span(response, *first), note="answers, with a caveat", strength=0.7)
    later = (part for part in parts if part > last and part not in declining)
    if any(_role(level, *part) is _Role.ANSWERS_ANYWAY for part in later):
        return caveat
    roles = (declining.get(part) or _role(level, *part) for part in parts)
    if next(role for role in roles if role not in _SAYS_NOTHING) in (*_DECLINES, _Role.INSTRUCTS):
        return Evidence(KIND, Stance.AGREES, response=span(response, *first), note="gives no answer")
    final = level[slice(*last)]
    if refusing and _CONCLUDES.search(final) and not _OF_MORE.search(final):
        note = "concludes that it cannot answer"
        return Evidence(KIND, Stance.AGREES, response=span(response, *last), note=note, strength=0.7)
    if len(refusing) >= _REPEATED and len(declining) > _REPEATED and _states_nothing(level, parts, declining):
        note = "says nothing else once it has declined"
        return Evidence(KIND, Stance.AGREES, response=span(response, *refusing[0]), note=note, strength=0.6)
    return caveat


def _states_nothing(level: str, parts: Sequence[Clause], declining: Mapping[Clause, _Role]) -> bool:
    """Whether no clause states anything from the first one on that declines."""
    after = parts[parts.index(next(iter(declining))) :]
    return all(part in declining or _role(level, *part) in (*_SAYS_NOTHING, _Role.INSTRUCTS) for part in after)
