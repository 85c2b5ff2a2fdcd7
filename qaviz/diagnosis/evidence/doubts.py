"""What makes leading evidence doubtful: the value stands there, and may not be the answer.

A doubt lowers certainty and turns no verdict. Most are words in the sentence of the value that question and golden
texts do not have; they are data, a doubt is one entry of DOUBTS.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from qaviz.diagnosis.evidence import Case, Evidence, Span, dates
from qaviz.diagnosis.evidence.clauses import level_text
from qaviz.diagnosis.evidence.lexicon import CLASSES, FUNCTION_WORDS, OPPOSITES, TITLES, word_set
from qaviz.diagnosis.evidence.quantities import comparing
from qaviz.diagnosis.evidence.words import form, stems

MENTIONS = 3
"""Mentions of a value that are looked at: a doubt is one only if it holds of each."""
_REACH = 160
"""Characters before and after a value in which its sentence ends."""
_SHORT = 400
"""Characters of a response in which another value may be the answer, wherever it stands."""
_STOPS = (". ", "? ", "! ", "\n", "; ", "。", "；")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_NUMBER = re.compile(r"(?<![\w.,:])\d[\d,]*(?:\.\d+)?")
_OTHERS = (", not ", " rather than ", " instead of ", ", unlike ")
_YEAR = re.compile(r"(?<![\d.,$€£])(?:1[5-9]|20)\d\d(?![\d%]|[.,]\d)|\bq[1-4]\b")
_NAME = re.compile(r"[A-ZÀ-ÞĐ][\w'’-]*(?: (?:(?:of|de|la|von|van|du|del) )?[A-ZÀ-ÞĐ][\w'’-]*)*")
_BEFORE, _AFTER = re.compile(r"([^\W\d_]+) $"), re.compile(r" ([^\W\d_]+)")
_JOINING = frozenset(
    "的是在为了和与及或等於于从到向由被把对之其这那有就也都又の は が を に で と も や へ です年月日人個个名".replace(
        " ", ""
    )
)
"""Letters of Chinese and Japanese beside which a word ends."""


_PREPOSITIONS = word_set("to of from for with against than over behind under cho của für von gegen para contre")
_ASKS_WHO = re.compile(r"\b(?:who|which|ai|wer|welche[rs]?|quién|qué|qui|quel(?:le)?)\b", re.IGNORECASE)


class Mention(NamedTuple):
    """A value where it stands in a response."""

    case: Case
    level: str
    """The response, levelled."""
    start: int
    end: int
    golden: str
    """The golden text that it agrees with."""
    known: frozenset[str]
    """Words of the question and the golden texts."""
    begin: int
    """Where its sentence begins."""
    stop: int
    """Where its sentence ends."""
    around: str
    """Its sentence without the value itself."""
    words: frozenset[str]
    """The words of its sentence that are not known."""


def _read_mention(case: Case, level: str, start: int, end: int, golden: str, known: frozenset[str]) -> Mention:
    begin, stop = max(0, start - _REACH), min(len(level), end + _REACH)
    for mark in _STOPS:
        at = level.rfind(mark, begin, start)
        begin = at + len(mark) if at >= 0 else begin
        at = level.find(mark, end, stop)
        stop = at if at >= 0 else stop
    after = level[end:stop]
    for other in _OTHERS:  # what is said not to be it is another one: `Lyon, not Nice`
        after = after.partition(other)[0]
    around = f" {level[begin:start]} | {after} "
    words = frozenset(_WORD.findall(around.replace("n't ", " not "))) - known
    return Mention(case, level, start, end, golden, known, begin, stop, around, words)


@dataclass(frozen=True)
class Doubt:
    """One reason to doubt."""

    name: str
    says: str
    """What a reason says of it."""
    cues: frozenset[str] = frozenset()
    """Words of the value's sentence, one of which is enough."""
    phrases: tuple[str, ...] = ()
    """The same of several words."""
    holds: Callable[[Mention], bool] | None = None
    """Whatever words do not tell."""
    telling: bool = False
    """Whether it mostly tells a wrong short response from a right one, in pairs that differ by one thing."""


def _has_rival(of: Mention) -> bool:
    """Whether another number or name stands in the value's sentence, or in a short response."""
    value = of.level[of.start : of.end]
    if " or " in of.around[max(0, of.start - of.begin - 5) : of.start - of.begin + 9]:
        return True
    whole = len(of.level) <= _SHORT
    text = of.level if whole else of.around
    if any(map(str.isdigit, value)):
        own = {number.replace(",", "") for number in _NUMBER.findall(value)}
        others = {number.replace(",", "") for number in _NUMBER.findall(text)} - own - of.known
        years = all(_YEAR.fullmatch(number) for number in own)
        return any(years or not _YEAR.fullmatch(number) for number in others)
    written = of.case.response
    if not written[of.start : of.start + 1].isupper():
        return False
    text = written[: of.start] + " | " + written[of.end :] if whole else written[of.begin : of.start] + " | "
    return any(True for _ in _other_names(of, text if whole else text + written[of.end : of.stop]))


def _other_names(of: Mention, text: str) -> Iterator[str]:
    """Names of which no word is known, but for a word that only begins a sentence."""
    for name in _NAME.finditer(text):
        words = [word for word in _WORD.findall(name.group().lower()) if word not in FUNCTION_WORDS]
        opens = len(words) < 2 and (
            name.start() == 0 or text[name.start() - 2 : name.start()].strip() in (".", "!", "?", "")
        )
        glued = text[max(0, name.start() - 3) : name.start()] == " | "
        if words and not opens and not glued and of.known.isdisjoint(words) and not words[0].isdigit():
            yield name.group()


def _lacks_qualifier(of: Mention) -> bool:
    """Whether a bound or a period of an amount is missing on one side."""
    if not any(map(str.isdigit, of.level[of.start : of.end])):
        return False
    golden = of.golden
    if dates.speaks(golden, of.case.question):
        return False
    if comparing.differ(golden, of.level, of.start, of.end):
        return True
    return comparing.is_missing(golden, f"{of.case.answer} {of.case.question}", of.level, of.start, of.end)


def _is_of_other_period(of: Mention) -> bool:
    """Whether the value's sentence names years or quarters, and none of those that the question names."""
    asked_years = _years_of(level_text(of.case.question))
    stated_years = _YEAR.findall(of.around) if asked_years else ()
    return bool(stated_years) and asked_years.isdisjoint(stated_years)


@lru_cache(maxsize=4096)
def _years_of(question: str) -> frozenset[str]:
    return frozenset(_YEAR.findall(question))


def _is_modified(of: Mention) -> bool:
    """Whether a word joined to the value changes what it names: vice president, Equatorial Guinea, ex-wife."""
    text, written = of.level, of.case.response
    value = text[of.start : of.end]
    if not value[:1].isalpha():
        return False
    if text[of.start - 1 : of.start] == "-" or text[of.end : of.end + 1] == "-":
        return True
    capital = any(map(str.isupper, written[of.start : of.end]))
    if before := _BEFORE.search(text, max(0, of.start - 24), of.start):
        at = before.start()
        if not capital or (written[at : at + 1].isupper() and at > of.begin):
            return _changes(before[1], of)
    after = _AFTER.match(text, of.end, of.end + 24)
    return bool(capital and after and written[of.end + 1].isupper() and _changes(after[1], of))


def _changes(word: str, of: Mention) -> bool:
    if word in of.known or word in FUNCTION_WORDS or word in TITLES or word in CLASSES:
        return False
    return set(stems(word)).isdisjoint(stem for known in of.known if known[:2] == word[:2] for stem in stems(known))


def _is_inside_word(of: Mention) -> bool:
    """Whether the value is only a part of a longer word; of scripts without blanks, whether it may be."""
    level = of.level
    before, after = level[of.start - 1 : of.start], level[of.end : of.end + 1]
    first, last = level[of.start : of.start + 1], level[of.end - 1 : of.end]
    return _goes_on(before, first) or _goes_on(last, after)


def _goes_on(one: str, other: str) -> bool:
    if not one.isalpha() or not other.isalpha():
        return False
    if "\u3041" <= one <= "\u9fff" and "\u3041" <= other <= "\u9fff":
        same_script = (one >= "\u3400") == (other >= "\u3400")
        return same_script and one not in _JOINING and other not in _JOINING
    return (one >= "\u3041") == (other >= "\u3041")


def _stands_behind_preposition(of: Mention) -> bool:
    """Whether a question who did something has its value behind a preposition that it lacks: `sold it to Kestrel`."""
    before = of.level[max(0, of.start - 16) : of.start].removesuffix(" ")
    before = before.removesuffix(" the").rpartition(" ")[2]
    question = of.case.question
    return (
        before in _PREPOSITIONS
        and bool(_ASKS_WHO.search(question))
        and f" {before} " not in f" {level_text(question)} "
    )


def _has_other_marks(of: Mention) -> bool:
    """Whether a word is the golden one but for its accents or tone marks, which both have: Hùng, Hưng."""
    stated, golden = of.level[of.start : of.end], level_text(of.golden)
    if stated.isascii() or golden.isascii():
        return False
    known = [word for word in _WORD.findall(golden) if not word.isascii()]
    words = (word for word in _WORD.findall(stated) if not word.isascii() and word not in known)
    return any(form(word) == form(other) for word in words for other in known)


def _says_opposite(of: Mention) -> bool:
    """Whether the value's sentence says the opposite of a word of the question or the golden texts."""
    opposites = _opposites_of(of.known)
    return bool(opposites) and not opposites.isdisjoint(of.words)


@lru_cache(maxsize=4096)
def _opposites_of(known: frozenset[str]) -> frozenset[str]:
    return frozenset(other for word in known if word in OPPOSITES for other in OPPOSITES[word]) - known


DOUBTS = (
    Doubt(
        "negation",
        "a negation or a contrast stands near it",
        word_set(
            "not never cannot no nor neither none without except but however although though whereas while despite "
            "nothing hardly fails failed lacks lacked denied denies excluding refused declined unlikely yet unless "
            "sauf außer salvo excepto trừ"
        ),
    ),
    Doubt(
        "rejected",
        "it is an option that the response rejects",
        word_set(
            "unlike incorrect incorrectly wrong wrongly false falsely myth misconception mistaken mistakenly rejected"
        ),
        (
            " rather than ",
            " instead of ",
            " opposed to ",
            " contrary to ",
            " other than ",
            " confused with ",
            " ruled out ",
        ),
        telling=True,
    ),
    Doubt("opposite", "its sentence says the opposite of what is asked", holds=_says_opposite, telling=True),
    Doubt(
        "role",
        "it may stand in another role: a former, planned, compared or other one",
        word_set(
            "former formerly previous previously once originally initially until before predecessor successor "
            "succeeded succeeding replaced replacing planned proposed expected forecast projected predicted "
            "targeted budgeted alleged believed rumoured rumored reportedly supposedly attributed credited "
            "compared versus vs than beat defeated defeating lost losing runner second nominated candidate "
            "finalist applied bid rival competitor opponent followed preceded dedicated friend brother sister son "
            "daughter wife husband mother father assistant deputy co-founder contrast similar like"
        ),
        (
            " no longer ",
            " used to ",
            " runner-up ",
            " over from ",
            " such as ",
            " for example ",
            " ahead of ",
            " many believe ",
        ),
        _stands_behind_preposition,
    ),
    Doubt("period", "its sentence is about another year than the question", holds=_is_of_other_period, telling=True),
    Doubt(
        "hedge",
        "the response is not sure of it",
        word_set(
            "may might could possibly perhaps maybe probably likely apparently presumably seemingly unclear unsure "
            "uncertain unconfirmed guess suspect assume assuming seems seem appears suggests if would"
        ),
        (" i think ", " i believe ", " not sure ", " not certain "),
    ),
    Doubt(
        "correction",
        "the response corrects itself",
        word_set("actually correction sorry apologies apologize wait oops mistake corrected"),
        (" i mean ", " scratch that ", " no, ", " or rather ", " on second thought "),
    ),
    Doubt("rival", "the response names another candidate", holds=_has_rival),
    Doubt(
        "qualifier",
        "a bound, period or direction of the amount is missing",
        holds=_lacks_qualifier,
        telling=True,
    ),
    Doubt("modifier", "a word beside it changes what it names", holds=_is_modified),
    Doubt("marks", "its accents or tone marks are others", holds=_has_other_marks, telling=True),
    Doubt("inside", "it may be only a part of a longer word", holds=_is_inside_word),
)
"""A column each, `doubt_{name}`."""


_OF_WORD = {cue: doubt.name for doubt in DOUBTS for cue in doubt.cues}
_CUES = frozenset(_OF_WORD)
_OF_PHRASE = tuple((phrase, doubt.name) for doubt in DOUBTS for phrase in doubt.phrases)
_BEYOND_WORDS = tuple((doubt.holds, doubt.name) for doubt in DOUBTS if doubt.holds)


def find(leading: Evidence, case: Case) -> frozenset[str]:
    """Return the names of the doubts that hold of each mention of what leads; none where it quotes nothing."""
    quoted = leading.response
    if quoted is None or not quoted.text:
        return frozenset()
    level = level_text(case.response)
    known = _known(case.question, case.answer, case.fact if len(case.fact) < _SHORT else case.variant or "")
    golden = leading.golden.text if leading.golden else case.variant or case.fact or case.answer
    doubted: frozenset[str] | None = None
    for start, end in _places(level, quoted):
        own = _doubt_mention(_read_mention(case, level, start, end, golden, known))
        doubted = own if doubted is None else doubted & own
        if not doubted:
            break
    return doubted or frozenset()


def _doubt_mention(mention: Mention) -> frozenset[str]:
    """The doubts that hold of one mention."""
    names = [_OF_WORD[cue] for cue in mention.words & _CUES]
    names += [name for phrase, name in _OF_PHRASE if phrase in mention.around]
    names += [name for holds, name in _BEYOND_WORDS if holds(mention)]
    return frozenset(names)


def _places(level: str, stated: Span) -> Iterator[tuple[int, int]]:
    """Where the value stands: where it is quoted, and its further mentions."""
    yield stated.start, stated.end
    text, start = level[stated.start : stated.end], stated.end
    for _ in range(MENTIONS - 1):
        start = level.find(text, start)
        if start < 0:
            return
        yield start, start + len(text)
        start += len(text)


@lru_cache(maxsize=4096)
def _known(*texts: str) -> frozenset[str]:
    words = frozenset(word for text in texts for word in _WORD.findall(level_text(text)))
    return words | {number.replace(",", "") for text in texts for number in _NUMBER.findall(text)}
