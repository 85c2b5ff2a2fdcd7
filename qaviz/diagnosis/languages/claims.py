"""Which of the values that a response in another language names it claims: the golden one, or another.

The rules for English follow its grammar. Of a text in another language only some words are read as English, so that
these rules need less: clauses, cues (`formerly`, `now`), years, and how much of the question a clause repeats.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from qaviz.diagnosis.evidence import VERBATIM, Evidence, Span, Stance, dates, phrases, quantities
from qaviz.diagnosis.evidence.assertion_status import DENIES
from qaviz.diagnosis.evidence.claims.settle import KIND
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.dates.reading import Date
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.diagnosis.languages.vocabulary import CUES, MONTHS, without_marks

LONGEST = 400
"""Characters of a response up to which its clauses are compared."""
_BREAK = re.compile(r"[.!?;\n](?=\s|$)|(?<!\d),|,(?!\d)|[:()]|\s(?:but|while|whereas|although)\s|\s(?=actually\s)")
_BREAK_AT_AND = re.compile(rf"{_BREAK.pattern}|\sand\s")
_SETTLES = re.compile(rf"\b(?:{CUES['now']}|{CUES['actually']}|current)\b")
_REPLACED = re.compile(rf"^\W*(?:\w+\W+)?{CUES['replaced']}\b")
_DENIED = re.compile(
    rf"^(?: [A-ZÀ-ÞĐ][\w'’-]*)* +(?:(?:does|did|was|is|has|have) not(?! only\b)\b|[^.;]{{0,20}}{CUES['denied']}\b)"
)
_COMPARED = re.compile(
    r"\b(?:beat|defeated) ?$"
    r"|\b(?:longer|larger|higher|older|bigger|taller|smaller|shorter|younger)(?: than)?(?: (?!is|was)[\w'-]+)? ?$"
)
_YEAR = re.compile(r"(?<![\d.,$€£-])(?:1[0-9]|20)\d\d(?![\d%]|[.,]\d)|\b[Qq][1-4]\b")
"""A year or a quarter."""
_TOKEN = re.compile(r"[^\W\d_]+")
_IDEOGRAPHS = re.compile("[\u3041-\u30ff\u3400-\u9fff]{2,}")
_IDEOGRAPH_ALONE = re.compile("(?<![\u3041-\u30ff\u3400-\u9fff])[\u3400-\u9fff](?![\u3041-\u30ff\u3400-\u9fff])")
_NAME = re.compile(r"[A-ZÀ-ÞĐ][\w'’-]*(?: (?:(?:of|de|la|von|van|du|del) )?[A-ZÀ-ÞĐ][\w'’-]*)*")
_STEM = 5
"""First letters by which two words are the same one."""
_CLAIMABLE = (VERBATIM, quantities.KIND, dates.KIND, phrases.KIND)
_FEW = 4
"""Words that may tell when."""
_ROLES = (
    (re.compile(rf"\b(?:{CUES['formerly']}|{CUES['until']}|previously|no longer)\b"), "an earlier or compared value"),
    (re.compile(rf"\b{CUES['planned']}\b"), "what was expected"),
    (re.compile(rf"\b{CUES['believed']}\b"), "what others say"),
    (re.compile(r"\bin part\b"), "of a part of the period"),
)
"""Cue of a clause -> what it does with its value."""
_ASIDE = 1
"""Telling words that such a clause may say besides."""
_IS_PRONOUN = re.compile(r"^\W*(?:it|he|she|they|this|is|are|was|were)\b")
_UNITS = (
    "thousand million billion trillion usd eur vnd jpy cny percent century years months days hours metres kilometres"
)
_OF_ANY_VALUE = frozenset((*map(str.lower, MONTHS), *_UNITS.split()))


@dataclass(frozen=True)
class _Clause:
    start: int
    end: int
    text: str
    """In small letters."""
    written: str
    years: frozenset[str]

    def holds(self, place: int) -> bool:
        return self.start <= place < self.end


def judge_translated_claim(found: Evidence, question: str, response: str, code: str) -> Evidence:
    """Return the evidence, unless the golden value stands only in clauses that do not claim it: then CONTRADICTS.

    All texts are as `read_as_english` returns them; `code` is the language that the response is in.
    """
    said = found.response
    if found.stance is not Stance.AGREES or found.kind not in _CLAIMABLE or not said or len(response) > LONGEST:
        return found
    note = (_name_in_other_marks(found) if code == "vi" else "") or _find_other_claim(question, response, said)
    if not note:
        return found
    return Evidence(KIND, Stance.CONTRADICTS, found.golden, said, f"Names “{said.text}”: {note}", 0.7)


def _name_in_other_marks(found: Evidence) -> str:
    """Which name differs from the golden one only in its tone marks, which tell names apart: Hùng and Hưng."""
    if found.kind != phrases.KIND or not found.golden or not found.response:
        return ""
    said = {word.lower() for word in _TOKEN.findall(found.response.text)}
    for name in filter(str.istitle, _TOKEN.findall(found.golden.text)):
        alike = [word for word in said if without_marks(word) == without_marks(name.lower())]
        if alike and not any(_marks(word) == _marks(name.lower()) or word.isascii() for word in alike):
            return f"the golden name is {name}"
    return ""


def _marks(word: str) -> list[str]:
    """The marks of a word: the same in `hòa` and `hoà`."""
    return sorted(letter for letter in unicodedata.normalize("NFD", word) if not letter.isascii())


def _find_other_claim(question: str, response: str, said: Span) -> str:
    """What the golden value is instead of the answer; empty where it may be the answer."""
    numeric = any(map(str.isdigit, said.text))
    split = list(_split(response, said.text, at_and=numeric))
    places = [found.start() for found in re.finditer(re.escape(said.text.lower()), response.lower())] or [said.start]
    own = [clause for clause in split if any(map(clause.holds, places))]
    if not own:
        return ""
    if not numeric and any(_is_beside_another(clause, response, said) for clause in own):
        return "in relation to another"
    if not numeric and len(places) == 1 and not DENIES.search(question) and _DENIED.match(response[said.end :]):
        return "rejected"
    others = [clause for clause in split if clause not in own]
    roles = [_role_beside(clause, others, question, said.text) for clause in own]
    return roles[0] if all(roles) else ""


def _split(response: str, golden: str, *, at_and: bool) -> Iterator[_Clause]:
    start = 0
    breaks = [found.span() for found in (_BREAK_AT_AND if at_and else _BREAK).finditer(response)]
    for begin, end in (*breaks, (len(response), len(response))):
        written = response[start:begin]
        if response[begin:end].strip() == "," and golden not in written and _tells_when(written):
            continue
        if written.strip():
            yield _Clause(start, begin, level_text(written), written, _years(written))
        start = end


def _tells_when(text: str) -> bool:
    """Whether a few words before a comma only say when, so that the clause goes on behind it: `Until 2022, ...`."""
    short = len(text.split()) <= _FEW and not any(map(str.isupper, _YEAR.sub("", text)[1:]))
    return short and bool(
        _years(text) or _SETTLES.search(text.lower()) or any(cue.search(text.lower()) for cue, _ in _ROLES)
    )


def _is_beside_another(clause: _Clause, response: str, said: Span) -> bool:
    """Whether the value is replaced by another one, or what another one is compared with."""
    if not clause.holds(said.start):
        return False
    before, after = clause.text[: said.start - clause.start], clause.text[said.end - clause.start :]
    if _REPLACED.search(after):
        return True
    compared = _COMPARED.search(before)
    return compared is not None and bool(_TOKEN.search(response[: clause.start] + before[: compared.start()]))


def _role_beside(own: _Clause, others: list[_Clause], question: str, golden: str) -> str:
    """What a clause does with the golden value, where another clause gives another value of its kind."""
    asked = level_text(question)
    rivals = [one for one in others if _has_rival(one, golden, question)]
    settled = _SETTLES.search(own.text) and not _SETTLES.search(asked)
    if not settled:
        for cue, role in _ROLES:
            found = cue.search(own.text) and not cue.search(asked)
            if found and not all(cue.search(one.text) for one in rivals):
                return role
        if _is_of_other_period(own.years - _years(golden), rivals, _years(asked)):
            return "of another period"
    return "of another entity" if _is_of_other_thing(own, rivals, question, golden) else ""


def _years(text: str) -> frozenset[str]:
    return frozenset(map(str.upper, _YEAR.findall(text)))


def _is_of_other_period(own: frozenset[str], rivals: list[_Clause], asked: frozenset[str]) -> bool:
    """Whether the value stands with another year than asked for, and another value with that year or `now`."""
    if not own or own & asked:
        return False
    return any(one.years & asked if asked else _SETTLES.search(one.text) for one in rivals)


def _has_rival(clause: _Clause, golden: str, question: str) -> bool:
    """Whether a clause names another value of the golden one's kind that does not stand in the question."""
    if dated := [date for date in dates.find(golden) if date.month or date.named_span]:
        known = {_day(date) for date in (*dated, *dates.find(question))}
        others = (date for date in dates.find(clause.written) if date.month or date.named_span)
        return any(_day(date) not in known for date in others)
    if _YEAR.fullmatch(golden.strip()):
        return bool(clause.years - {golden.strip()} - _years(question))
    if any(map(str.isdigit, golden)):
        return _has_other_quantity(clause, golden, question)
    return any(True for _ in _other_names(clause, golden, question))


def _day(date: Date) -> tuple[int | None, ...]:
    """Month and day, because a response may give the year once; of a decade or century all parts."""
    return date.parts if date.named_span else date.parts[1:]


def _has_other_quantity(clause: _Clause, golden: str, question: str) -> bool:
    known = quantities.find(golden)
    given = {one.value for one in (*known, *quantities.find(question))}
    return any(
        one.value not in given
        and not one.weak
        and (not one.unit or not known or not known[0].unit or one.unit == known[0].unit)
        for one in quantities.find(clause.written)
        if not _YEAR.fullmatch(clause.written[one.start : one.end])
    )


def _other_names(clause: _Clause, golden: str, question: str) -> Iterator[str]:
    known = level_text(f"{golden} {question}")
    known_words = set(_TOKEN.findall(known))
    for name in _NAME.finditer(clause.written):
        opens = not clause.written[: name.start()].strip() and " " not in name.group()
        words = [word for word in _TOKEN.findall(name.group().lower()) if word not in FUNCTION_WORDS]
        if words and not opens and sum(word not in known_words for word in words) * 2 > len(words):
            yield name.group()
    for name in _IDEOGRAPHS.finditer(clause.written):
        if name.group() not in known and not any(
            name.group()[at : at + 2] in known for at in range(len(name.group()) - 1)
        ):
            yield name.group()


def _is_of_other_thing(own: _Clause, rivals: list[_Clause], question: str, golden: str) -> bool:
    """Whether the value's clause is about something else, and one with another value repeats more of the question."""
    asked = _telling_words(question)
    mine = _telling_words(own.text.replace(golden.lower(), " "))
    if not mine - asked:
        return False
    theirs = [_telling_words(one.text) for one in rivals]
    if not _IS_PRONOUN.match(own.text) and any(mine & asked < words & asked for words in theirs):
        return True
    return any(map(str.isdigit, golden)) and any(_says_what_is_asked(words, mine, asked) for words in theirs)


def _says_what_is_asked(words: frozenset[str], mine: frozenset[str], asked: frozenset[str]) -> bool:
    """Whether a clause says little but what is asked, of which the value's own clause says nothing."""
    predicate = asked - mine
    return len(words - asked) <= _ASIDE and len(words & predicate) * 3 >= len(predicate) > 0


def _telling_words(text: str) -> frozenset[str]:
    """The first letters of the words that tell what a text is about; of one without blanks each pair of letters."""
    words = frozenset(
        word[:_STEM]
        for word in _TOKEN.findall(text.lower())
        if word not in FUNCTION_WORDS
        and word not in _OF_ANY_VALUE
        and len(word.encode()) > 2
        and not _IDEOGRAPHS.search(word)
    )
    words |= frozenset(_IDEOGRAPH_ALONE.findall(text))
    pairs = (name[at : at + 2] for name in _IDEOGRAPHS.findall(text) for at in range(len(name) - 1))
    return words | frozenset(pairs)
