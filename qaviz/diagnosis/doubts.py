"""What makes agreeing evidence doubtful: the value stands there, and may not be the answer.

A doubt lowers certainty and turns no verdict. It counts where it holds of each mention of the value. Words that raise
one stand in doubts.toml by language; what words do not tell is a function of the mention.
"""

import itertools
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from qaviz.diagnosis.golden_texts import Triplet
from qaviz.diagnosis.stance import POLARITY, Evidence
from qaviz.reading import Kind, Relation, Token, compare, level_text, sentences, tokens
from qaviz.reading.sides import compare_statements, denies, is_denied
from qaviz.reading.tables import table
from qaviz.reading.words import stem, words
from qaviz.scoring.definition import words_of

STATED = 0.9
"""Strength of a yes or no that is said in one word."""
MENTIONS = 3
"""Mentions of a value that are looked at."""
NEAR, NEAR_ONLY = 14, ("alternatives",)
"""Characters beside a value in which `or` gives another one; the doubts that ask so."""
_LABEL_ENDS = re.compile(r"(?: (?:no|nr|number|numbers)\.?)?[ #(:]*$")
"""What may stand between a label and its number: page 8, room no. 8."""
SLOTS = 8
"""Words of a question up to which each names what is asked."""
SHORT = 400
"""Characters of a region in which another value may be the answer, wherever it stands."""
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_BOUND = re.compile(r"\b(?:no|not) (?:later|earlier|more|less|fewer|longer|sooner|higher|lower) than (?:the )?$")
"""What bounds a value and denies nothing."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_OTHERS = re.compile(r",? (?:not|rather than|instead of|unlike|nicht|no|y no|et non|pas|chứ không phải) ")
_TURN = re.compile(
    r"\W*(?:however|but|still|nevertheless|nonetheless|yet|actually|pero|aber|mais|nhưng|tuy nhiên)\b,? ?"
)
"""What begins a sentence that answers in spite of what was said before."""
_NAME = re.compile(r"[A-ZÀ-ÞĐ][\w'’-]*(?: (?:(?:of|de|la|von|van|du|del) )?[A-ZÀ-ÞĐ][\w'’-]*)*")
_BEFORE, _AFTER = re.compile(r"([^\W\d_]+) $"), re.compile(r" ([^\W\d_]+)")
_JOINING = frozenset(
    "的是在为了和与及或等於于从到向由被把对之其这那有就也都又の は が を に で と も や へ です年月日人個个名曜"
)
"""Letters of Chinese and Japanese beside which a word ends."""
_IDEOGRAPH = "\u3041"


class Mention(NamedTuple):
    """A value where it stands in a region."""

    triplet: Triplet
    region: str
    level: str
    language: str
    start: int
    end: int
    golden: str
    vocabulary: frozenset[str]
    """Words of the question and the golden texts."""
    begin: int
    """Where its sentence begins."""
    stop: int
    """Where its sentence ends."""
    around: str
    """Its sentence without the value itself, and without what is said not to be it."""
    words: frozenset[str]
    """The words of its sentence that neither the question nor a golden text has."""


@dataclass(frozen=True)
class Doubt:
    """One reason to doubt."""

    name: str
    says: str
    """What a reason says of it."""
    prior: float
    """What it weighs in the log odds where no label speaks against it."""
    holds: Callable[[Mention], bool] | None = None
    """What tells it of a mention, where words of doubts.toml or the comparison itself do not."""


def _has_rival(of: Mention) -> bool:
    """Whether another value of the same kind, or another name, stands in the value's sentence or in a short region."""
    begin, stop = (0, len(of.level)) if len(of.level) <= SHORT else (of.begin, of.stop)
    own = [token for token in tokens(of.region, of.language) if begin <= token.start < stop]
    mine = [token for token in own if token.start < of.end and of.start < token.end]
    if mine:
        question = {(token.kind, token.value) for token in tokens(of.triplet.question, of.language)}
        others = (token for token in own if token.kind is mine[0].kind and token not in mine)
        return any(
            of.level[token.start : token.end] not in of.vocabulary
            and (token.kind, token.value) not in question
            and not _is_same_number(token, mine[0])
            for token in others
        )
    if not of.region[of.start : of.start + 1].isupper():
        return False
    text = f"{of.region[begin : of.start]} | {of.region[of.end : stop]}"
    return any(True for _ in _other_names(text, of.vocabulary))


_AND = re.compile(r"\w,? (?:and|und|y|e|et|và|&) \w|[、，]")
_PREPOSITIONS = words_of("to of from for with against than over behind under cho của für von gegen para contre")
_ASKS_ACTOR = re.compile(
    r"\b(?:who|whom|before|after|ai|đội nào|công ty nào|trước|sau|wer|wen|wem|vor|nach|quién|antes|después|qui|avant"
    r"|après|what (?:caused|causes|led to)"
    r"|(?:which|what) (?:company|firm|team|party|bank|army|side|player|club|group|person))\b|谁|誰|哪家|前|后|後"
)
"""A question that who did what to whom may answer."""
_ASKS_WHO = re.compile(r"\b(?:who|which|ai|wer|welche[rs]?|quién|qué|qui|quel(?:le)?)\b")


def _adds_to_list(of: Mention) -> bool:
    """Whether the golden text is a list of names and the sentence has another name."""
    if not _AND.search(of.golden) or not of.golden[:1].isupper():
        return False
    text = f"{of.region[of.begin : of.start]} | {of.region[of.end : of.stop]}"
    return any(True for _ in _other_names(text.replace(" | ", ", x ,"), of.vocabulary))


def _stands_behind_preposition(of: Mention) -> bool:
    """Whether a question who did something has its value behind a preposition that it lacks: `sold it to Kestrel`."""
    before = of.level[max(0, of.start - 16) : of.start].removesuffix(" ").removesuffix(" the").rpartition(" ")[2]
    question = level_text(of.triplet.question)
    return before in _PREPOSITIONS and bool(_ASKS_WHO.search(question)) and f" {before} " not in f" {question} "


def _other_names(text: str, vocabulary: frozenset[str]) -> Iterator[str]:
    """Names of which no word is in the vocabulary, but for a word that only begins a sentence."""
    grammar = table("en").grammar
    for name in _NAME.finditer(text):
        own = [word for word in _WORD.findall(name.group().lower()) if word not in grammar]
        before = text[: name.start()].rstrip()
        opens = len(own) < 2 and (not before or before[-1] in ".!?\n")
        glued = text[max(0, name.start() - 3) : name.start()] == " | "
        if own and not opens and not glued and vocabulary.isdisjoint(own) and not own[0].isdigit():
            yield name.group()


def find_other_name(region: str, triplet: Triplet) -> tuple[int, int] | None:
    """Return where the first name stands that neither question nor golden texts have; None where none does."""
    name = next(_other_names(region, _read_vocabulary(triplet)), None)
    start = region.find(name) if name else -1
    return (start, start + len(name)) if name and start >= 0 else None


def _is_of_other_period(of: Mention) -> bool:
    """Whether the value's sentence names dates, and none of those that the question names."""
    question_dates = [token for token in tokens(of.triplet.question, of.language) if token.kind is Kind.DATE]
    dates = [token for token in tokens(of.region, of.language) if token.kind is Kind.DATE] if question_dates else []
    stated = [
        token
        for token in dates
        if of.begin <= token.start < of.stop and not (token.start < of.end and of.start < token.end)
    ]
    relations = {compare(own, token).relation for own in question_dates for token in stated}
    return Relation.OTHER in relations and Relation.SAME not in relations


def _is_of_other_row(of: Mention) -> bool:
    """Whether what the question asks of stands beside another such value, and not beside this one."""
    subject = _subject(of.triplet)
    if not subject or len(_NUMBER.findall(of.triplet.variants[0])) > 1:
        return False
    question_tokens = {token.value for token in tokens(of.triplet.question, of.language)}
    alike = [token for token in tokens(of.region, of.language) if token.value not in question_tokens]
    mine = next((token for token in alike if token.start < of.end and of.start < token.end), None)
    if mine is None:
        return False
    beside_another = False
    for start, stop in sentences(of.region):
        for name in subject:
            place = of.level.find(name, start, stop)
            rivals = [token for token in alike if token.kind is mine.kind and start <= token.start < stop]
            if place < 0 or not rivals:
                continue
            gaps = [token.start - place - len(name) if token.start > place else place - token.end for token in rivals]
            if _is_same_number(rivals[gaps.index(min(gaps))], mine):
                return False
            beside_another = True
    return beside_another


def _is_of_other_subject(of: Mention) -> bool:
    """Whether beside a word of the question its sentence has an unknown word, in the place of one that it lacks:
    hardware division for cloud division, for apprentices for managers."""
    own, question = table(of.language), words(of.triplet.question, of.language).words
    if not own.spaced or sum(word.form not in own.grammar for word in question) > SLOTS:
        return False
    given, familiar = words(of.region, of.language), _read_stems(of.triplet, of.language)
    for first, second in itertools.pairwise(question):
        for anchor, filler, step in ((first, second, 1), (second, first, -1)):
            binds = anchor.form in _PREPOSITIONS if step > 0 else anchor.form not in own.grammar
            if not binds or filler.form in own.grammar or given.find(filler.stem):
                continue
            for place in given.find(anchor.stem):
                beside = place + step
                if not 0 <= beside < len(given) or not all(
                    of.begin <= given.spans[i][0] < of.stop for i in (place, beside)
                ):
                    continue
                form = given.forms[beside]
                if form not in own.grammar and form[0].isalpha() and stem(form, of.language) not in familiar:
                    return True
    return False


@lru_cache(maxsize=4_096)
def _read_stems(triplet: Triplet, language: str) -> frozenset[str]:
    texts = (triplet.question, triplet.answer, *triplet.variants)
    return frozenset(stem for text in texts for stem in words(text, language).stems)


def _is_same_number(one: Token, other: Token) -> bool:
    """Whether two values are equal, or one is the other in another scale: 302,578 thousand and 302.578 million."""
    if not isinstance(one.value, Decimal) or not isinstance(other.value, Decimal):
        return one.value == other.value
    return one.value.normalize().as_tuple().digits == other.value.normalize().as_tuple().digits


@lru_cache(maxsize=4_096)
def _subject(triplet: Triplet) -> tuple[str, ...]:
    """The names and dates of a question, in small letters, that its golden texts lack."""
    names = (name.group().lower() for name in _NAME.finditer(triplet.question[1:]))
    return tuple(name for name in names if not any(name in level for level in triplet.levels))


def _is_modified(of: Mention) -> bool:
    """Whether a word joined to the value changes what it names: vice president, Equatorial Guinea, ex-wife."""
    text, written = of.level, of.region
    if not text[of.start : of.start + 1].isalpha():
        return text[of.end : of.end + 1] == "+"
    if text[of.start - 1 : of.start] == "-" or text[of.end : of.end + 1] in ("-", "+"):
        return True
    capital = any(map(str.isupper, written[of.start : of.end]))
    if before := _BEFORE.search(text, max(0, of.start - 24), of.start):
        at = before.start()
        if not capital or (written[at : at + 1].isupper() and at > of.begin):
            return _changes(before[1], of)
    after = _AFTER.match(text, of.end, of.end + 24)
    return bool(capital and after and written[of.end + 1].isupper() and _changes(after[1], of))


def _changes(word: str, of: Mention) -> bool:
    """Whether a word makes another thing of the value beside it: none of the vocabulary, grammar, titles or classes."""
    own = table(of.language)
    if word in of.vocabulary or word in own.grammar or word in own.classes:
        return False
    return stem(word, of.language) not in {stem(other, of.language) for other in of.vocabulary if other[:2] == word[:2]}


def _is_inside_word(of: Mention) -> bool:
    """Whether the value is only a part of a longer word; of scripts without blanks, whether it may be."""
    level = of.level
    before, after = level[of.start - 1 : of.start], level[of.end : of.end + 1]
    first, last = level[of.start : of.start + 1], level[of.end - 1 : of.end]
    return _goes_on(before, first) or _goes_on(last, after)


def _goes_on(one: str, other: str) -> bool:
    if not one.isalpha() or not other.isalpha():
        return False
    if _IDEOGRAPH <= one <= "\u9fff" and _IDEOGRAPH <= other <= "\u9fff":
        same_script = (one >= "\u3400") == (other >= "\u3400")
        return same_script and one not in _JOINING and other not in _JOINING
    return (one >= _IDEOGRAPH) == (other >= _IDEOGRAPH)


def _says_opposite(of: Mention) -> bool:
    """Whether the value's sentence says the opposite of a word of the question or the golden texts."""
    return not _opposites_of(of.vocabulary, of.language).isdisjoint(of.words)


@lru_cache(maxsize=4_096)
def _opposites_of(vocabulary: frozenset[str], language: str) -> frozenset[str]:
    table_of = table(language).opposites
    return frozenset(other for word in vocabulary for other in table_of.get(word, ())) - vocabulary


@lru_cache(maxsize=1_024)
def _asks_actor(question: str) -> bool:
    return _ASKS_ACTOR.search(level_text(question)) is not None


def _stands_in_other_role(of: Mention) -> bool:
    """Whether question or golden answer and the value's sentence say who did what to whom the other way round."""
    if not _asks_actor(of.triplet.question):
        return False
    sentence = of.region[of.begin : of.stop]
    texts = (of.triplet.answer, of.golden)
    return any(compare_statements(of.triplet.question, text, sentence, of.language) == "reversed" for text in texts)


def _is_denied(of: Mention) -> bool:
    """Whether the value stands behind a negation of its clause."""
    if denies(of.triplet.question, of.language):
        return False  # what the response repeats of the question denies nothing
    return is_denied(of.region, of.start, of.end, of.language)


DOUBTS = (
    Doubt("negation", "a negation stands near it", -4.0),
    Doubt("denied", "it stands behind a negation of its clause", -3.0, _is_denied),
    Doubt("contrast", "a contrast stands near it", -0.5),
    Doubt("rejected", "it is an option that the response rejects", -5.0),
    Doubt("opposite", "its sentence says the opposite of what is asked", -5.0, _says_opposite),
    Doubt("role", "it may stand in another role: a former, planned, compared or other one", -0.5),
    Doubt("exchanged", "who does it and to whom it is done may be exchanged", -4.0, _stands_in_other_role),
    Doubt("period", "its sentence is about another date than the question", -5.0, _is_of_other_period),
    Doubt("row", "its clause is about something else than the question", -5.0, _is_of_other_row),
    Doubt("hedge", "the response is not sure of it", -0.5),
    Doubt("correction", "the response corrects itself", -0.5),
    Doubt("alternatives", "the response gives more than one answer", -1.0),
    Doubt("extra", "the response adds to the golden list", -3.0, _adds_to_list),
    Doubt("behind", "it stands behind a preposition that the question lacks", -0.5, _stands_behind_preposition),
    Doubt("label", "it may be a page number, an identifier or a number of something else", -5.0),
    Doubt("rival", "the response also names another candidate", -0.3, _has_rival),
    Doubt("qualifier", "a bound or period of the amount is missing", -5.0),
    Doubt("subject", "another word stands where the question has one", -0.5, _is_of_other_subject),
    Doubt("order", "its words stand in another order", -0.5),
    Doubt("replaced", "another word stands where a golden one does", -2.0),
    Doubt("modifier", "a word beside it changes what it names", -1.0, _is_modified),
    Doubt("inside", "it may be only a part of a longer word", -0.5, _is_inside_word),
)
"""A column each, `doubt_{name}`."""
UNSETTLED = ("hedge", "correction", "alternatives")
"""Doubts by which the response itself leaves open what it answers."""


_CUES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


class _Cues(NamedTuple):
    words: Mapping[str, str]
    phrases: tuple[tuple[str, str], ...]


@cache
def _cues(language: str) -> _Cues:
    """The words and phrases of a language that raise a doubt, with its name; English where there are none."""
    own = _CUES.get(language, _CUES["en"])
    spaced = language not in ("ja", "zh")
    entries = [(word.replace("_", " "), name) for name, words in own.items() for word in words.split()]
    return _Cues(
        {word: name for word, name in entries if spaced and " " not in word},
        tuple((word, name) for word, name in entries if not spaced or " " in word),
    )


def find_doubts(evidence: Evidence, region: str, triplet: Triplet, language: str) -> frozenset[str]:
    """Return the names of the doubts that hold of each mention of what agrees; of what quotes nothing, its own."""
    own = frozenset(evidence.doubts)
    if evidence.start >= evidence.end:
        return own
    doubted: frozenset[str] | None = None
    for start, end in _places(level_text(region), evidence):
        mentioned = _doubt_mention(_read_mention(triplet, region, language, start, end, evidence.golden))
        doubted = mentioned if doubted is None else doubted & mentioned
        if not doubted:
            break
    named = doubted or frozenset()
    by_word = evidence.kind == POLARITY and evidence.strength >= STATED  # `Yes, although ...` says yes
    return own | (named & frozenset(UNSETTLED) if by_word else named)


def _read_mention(triplet: Triplet, region: str, language: str, start: int, end: int, golden: str) -> Mention:
    level, vocabulary = level_text(region), _read_vocabulary(triplet)
    begin, stop = next(((a, b) for a, b in sentences(region) if a <= start < b), (0, len(level)))
    begin = max(begin, level.rfind("; ", begin, start) + 2 if "; " in level[begin:start] else begin)
    stop = max(level.find("; ", end, stop) if "; " in level[end:stop] else stop, end)
    if turn := _TURN.match(level, begin, start):
        begin = turn.end()
    after = level[end:stop]
    if cut := _OTHERS.search(after):  # what is said not to be it is another one: `Lyon, not Nice`
        after = after[: cut.start()]
    before = _BOUND.sub(" ", level[begin:start])
    around = f" {before} | {after} "
    words = frozenset(_WORD.findall(around.replace("n't ", " not "))) - vocabulary
    return Mention(triplet, region, level, language, start, end, golden, vocabulary, begin, stop, around, words)


def _doubt_mention(mention: Mention) -> frozenset[str]:
    """The doubts that hold of one mention."""
    cues = _cues(mention.language)
    names = [cues.words[word] for word in mention.words & cues.words.keys()]
    at = mention.around.find(" | ")
    near = mention.around[max(0, at - NEAR) : at + NEAR + 3]
    labelled = mention.around[: _LABEL_ENDS.search(mention.around, 0, at).start()] + " "  # type: ignore[union-attr]  # it matches an empty text too
    numbered = mention.region[mention.start].isdigit()
    for phrase, name in cues.phrases:
        if name == "label":
            names += [name] * (numbered and labelled.endswith(phrase))
        elif phrase in (near if name in NEAR_ONLY else mention.around):
            names.append(name)
    names += [doubt.name for doubt in DOUBTS if doubt.holds and doubt.holds(mention)]
    return frozenset(names)


def _places(level: str, evidence: Evidence) -> Iterator[tuple[int, int]]:
    """Where the value stands: where it is quoted, and its further mentions."""
    yield evidence.start, evidence.end
    text, start = level[evidence.start : evidence.end], evidence.end
    for _ in range(MENTIONS - 1):
        start = level.find(text, start)
        if start < 0:
            return
        yield start, start + len(text)
        start += len(text)


@lru_cache(maxsize=4_096)
def _read_vocabulary(triplet: Triplet) -> frozenset[str]:
    """The words of the question and the golden texts."""
    texts = (triplet.question, triplet.answer, *triplet.variants)
    return frozenset(word for text in texts for word in _WORD.findall(level_text(text)))
