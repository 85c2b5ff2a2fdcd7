"""What makes agreeing evidence doubtful: the value stands there, and may not be the answer.

A doubt lowers certainty and turns no verdict. It counts where it holds of each mention of the value. Words that raise
one stand in doubts.toml by language; what words do not tell is a function of the mention.
"""

import itertools
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from qaviz.diagnosis.golden_texts import Triplet
from qaviz.diagnosis.patterns import GOLDEN, QUESTION, RESPONSE, WORDS
from qaviz.diagnosis.stance import POLARITY, Evidence
from qaviz.reading import Kind, Relation, Token, compare, level_text, sentences, tokens
from qaviz.reading.equal import same_digits
from qaviz.reading.sides import compare_statements, is_denied, list_denials
from qaviz.reading.tables import table
from qaviz.reading.words import stem, words

STATED = 0.9
"""Strength of a yes or no that is said in one word."""
_LABEL_ENDS = re.compile(r"(?: (?:no|nr|number|numbers)\.?)?[ #(:]*$")
"""What may stand between a label and its number: page 8, room no. 8."""
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"[A-ZÀ-ÞĐ][\w'’-]*(?: (?:(?:of|de|la|von|van|du|del) )?[A-ZÀ-ÞĐ][\w'’-]*)*")
_BEFORE, _AFTER = re.compile(r"([^\W\d_]+) $"), re.compile(r" ([^\W\d_]+)")
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
    stop: int
    """With `begin`: its sentence."""
    around: str
    """Its sentence without the value itself, and without what is said not to be it."""
    words: frozenset[str]
    """The words of its sentence that neither the question nor a golden text has."""

    def covers(self, token: Token) -> bool:
        """Whether a token of the region is the value, or a part of it."""
        return token.start < self.end and self.start < token.end

    def beside(self, begin: int, stop: int) -> str:
        """What the region says between two places, ` | ` for the value."""
        return f"{self.region[begin : self.start]} | {self.region[self.end : stop]}"


class Doubt(NamedTuple):
    """One reason to doubt."""

    name: str
    says: str
    """What a reason says of it."""
    prior: float
    """What it weighs in the log odds where no label speaks against it."""


def _has_rival(of: Mention) -> bool:
    """Whether another value of the same kind, or another name, stands in the value's sentence or in a short region."""
    begin, stop = (0, len(of.level)) if len(of.level) <= 400 else (of.begin, of.stop)  # short: wherever it stands
    own = [token for token in tokens(of.region, of.language) if begin <= token.start < stop]
    mine = [token for token in own if of.covers(token)]
    if mine:
        question = {(token.kind, token.value) for token in tokens(of.triplet.question, of.language)}
        others = (token for token in own if token.kind is mine[0].kind and token not in mine)
        return any(
            of.level[token.start : token.end] not in of.vocabulary
            and (token.kind, token.value) not in question
            and not same_digits(token, mine[0])
            for token in others
        )
    return of.region[of.start : of.start + 1].isupper() and any(_other_names(of.beside(begin, stop), of.vocabulary))


def _adds_to_list(of: Mention) -> bool:
    """Whether the golden text is a list of names and another name goes on with it: `Ana, Bo` and Cy."""
    if not GOLDEN["joined"].search(of.golden) or not of.golden[:1].isupper():
        return False
    entry = GOLDEN["entry_ends"].match(of.region, of.end, of.stop)
    name = next(_other_names("x " + of.region[entry.end() : of.stop], of.vocabulary), "") if entry else ""
    return bool(entry and name and of.region.startswith(name, entry.end()))


def _stands_behind_preposition(of: Mention) -> bool:
    """Whether a question who did something has its value behind a preposition that it lacks: `sold it to Kestrel`."""
    before = of.level[max(0, of.start - 16) : of.start].removesuffix(" ").removesuffix(" the").rpartition(" ")[2]
    question = level_text(of.triplet.question)
    of_someone = before in ("of", "của", "von")  # who did it may stand behind them: Ole of Norway
    if before not in WORDS["prepositions"] or of_someone or f" {before} " in f" {question} ":
        return False
    return QUESTION["who"].search(question) is not None


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
    relations = {
        compare(date, token).relation
        for date in _list_dates(of.triplet.question, of.language)
        for token in _list_dates(of.region, of.language)
        if of.begin <= token.start < of.stop and not of.covers(token)
    }
    return Relation.OTHER in relations and Relation.SAME not in relations


def _list_dates(text: str, language: str) -> list[Token]:
    return [token for token in tokens(text, language) if token.kind is Kind.DATE]


def _is_of_other_row(of: Mention) -> bool:
    """Whether what the question asks of stands beside another such value, and not beside this one."""
    subject = _subject(of.triplet)
    if not subject or len(_NUMBER.findall(of.triplet.variants[0])) > 1:
        return False
    question_tokens = {token.value for token in tokens(of.triplet.question, of.language)}
    alike = [token for token in tokens(of.region, of.language) if token.value not in question_tokens]
    mine = next(filter(of.covers, alike), None)
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
            if same_digits(rivals[gaps.index(min(gaps))], mine):
                return False
            beside_another = True
    return beside_another


def _is_of_other_subject(of: Mention) -> bool:
    """Whether beside a word of the question its sentence has an unknown word, in the place of one that it lacks:
    hardware division for cloud division, for apprentices for managers."""
    own, question = table(of.language), words(of.triplet.question, of.language).words
    if not own.spaced or sum(word.form not in own.grammar for word in question) > 8:
        return False  # of so many words, not each names what is asked
    given, familiar = words(of.region, of.language), _read_stems(of.triplet, of.language)
    for first, second in itertools.pairwise(question):
        for anchor, filler, step in ((first, second, 1), (second, first, -1)):
            binds = anchor.form in WORDS["prepositions"] if step > 0 else anchor.form not in own.grammar
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


def _goes_on(first: str, second: str) -> bool:
    if not first.isalpha() or not second.isalpha():
        return False
    if _IDEOGRAPH <= first <= "\u9fff" and _IDEOGRAPH <= second <= "\u9fff":
        same_script = (first >= "\u3400") == (second >= "\u3400")
        return same_script and first not in WORDS["joining"] and second not in WORDS["joining"]
    return (first >= _IDEOGRAPH) == (second >= _IDEOGRAPH)


def _says_opposite(of: Mention) -> bool:
    """Whether the value's sentence says the opposite of a word of the question or the golden texts."""
    opposites = table(of.language).opposites
    return any(not of.vocabulary.isdisjoint(opposites[word]) for word in of.words & opposites.keys())


def _stands_in_other_role(of: Mention) -> bool:
    """Whether question or golden answer and the value's sentence say who did what to whom the other way round."""
    if not QUESTION["actor"].search(level_text(of.triplet.question)):
        return False
    sentence = of.region[of.begin : of.stop]
    texts = (of.triplet.answer, of.golden)
    return any(compare_statements(of.triplet.question, text, sentence, of.language) == "reversed" for text in texts)


def _is_denied(of: Mention) -> bool:
    """Whether the value stands behind a negation of its clause."""
    denies = bool(list_denials(of.triplet.question, of.language))  # what the response repeats of it denies nothing
    return not denies and is_denied(of.region, of.start, of.end, of.language)


HOLDS: Mapping[str, Callable[[Mention], bool]] = {
    "denied": _is_denied,
    "opposite": _says_opposite,
    "exchanged": _stands_in_other_role,
    "period": _is_of_other_period,
    "row": _is_of_other_row,
    "role": _stands_behind_preposition,
    "extra": _adds_to_list,
    "rival": _has_rival,
    "subject": _is_of_other_subject,
    "modifier": _is_modified,
    "inside": _is_inside_word,
}
"""What tells a doubt of a mention, where words of doubts.toml or the comparison itself do not."""
_CUES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
DOUBTS = tuple(Doubt(name, says, prior) for name, (says, prior) in _CUES.pop("doubts").items())
"""A column each, `doubt_{name}`."""
UNSETTLED = ("hedge", "correction", "alternatives")
"""Doubts by which the response itself leaves open what it answers."""


@cache
def _cues(language: str) -> tuple[Mapping[str, str], Sequence[tuple[str, str]]]:
    """The words and phrases of a language that raise a doubt, with its name; English where there are none."""
    own = _CUES.get(language, _CUES["en"])
    spaced = language not in ("ja", "zh")
    entries = [(word.replace("_", " "), name) for name, words in own.items() for word in words.split()]
    phrases = [(word, name) for word, name in entries if not spaced or " " in word]
    return {word: name for word, name in entries if spaced and " " not in word}, phrases


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
    if turn := RESPONSE["turn"].match(level, begin, start):
        begin = turn.end()
    after = level[end:stop]
    if cut := RESPONSE["others"].search(after):  # what is said not to be it is another one: `Lyon, not Nice`
        after = after[: cut.start()]
    before = RESPONSE["unsure"].sub(" un", RESPONSE["bounds"].sub(" ", level[begin:start]))
    around = f" {before} | {after} "
    words = frozenset(_WORD.findall(around.replace("n't ", " not "))) - vocabulary
    if "may" in words and any("may" in level[token.start : token.end] for token in _list_dates(region, language)):
        words -= {"may"}  # the month: `signed on 3 May 2024` is no doubt
    return Mention(triplet, region, level, language, start, end, golden, vocabulary, begin, stop, around, words)


def _doubt_mention(mention: Mention) -> frozenset[str]:
    words, phrases = _cues(mention.language)
    names = [words[word] for word in mention.words & words.keys()]
    at = mention.around.find(" | ")
    near = mention.around[max(0, at - 14) : at + len(" | ") + 14]  # where `or` gives another value
    labelled = mention.around[: _LABEL_ENDS.search(mention.around, 0, at).start()] + " "  # type: ignore[union-attr]  # it matches an empty text too
    numbered = mention.region[mention.start].isdigit()
    for phrase, name in phrases:
        if name == "label":
            names += [name] * (numbered and labelled.endswith(phrase))
        elif phrase in (near if name == "alternatives" else mention.around):
            names.append(name)
    names += [name for name, holds in HOLDS.items() if holds(mention)]
    return frozenset(names)


def _places(level: str, evidence: Evidence) -> Iterator[tuple[int, int]]:
    """Where the value stands: where it is quoted, and two further mentions."""
    start, end = evidence.start, evidence.end
    text = level[start:end]
    for _ in range(3):  # mentions that are looked at
        yield start, end
        start = level.find(text, end)
        if start < 0:
            return
        end = start + len(text)


@lru_cache(maxsize=4_096)
def _read_vocabulary(triplet: Triplet) -> frozenset[str]:
    """The words of the question and the golden texts."""
    texts = (triplet.question, triplet.answer, *triplet.variants)
    return frozenset(word for text in texts for word in _WORD.findall(level_text(text)))
