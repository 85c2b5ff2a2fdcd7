"""What an answer region says of the golden texts: it agrees, contradicts, lacks what they have, or nothing compares."""

import re
from functools import lru_cache, partial
from typing import NamedTuple

from qaviz.diagnosis.doubts import find_doubts
from qaviz.diagnosis.golden_texts import Triplet, is_spaced, join_ideographs, level_words, runs
from qaviz.diagnosis.patterns import GOLDEN
from qaviz.diagnosis.phrases import Phrase, find_lacking, find_replaced, find_stretch, read_phrases
from qaviz.diagnosis.stance import NOTES, PHRASE, POLARITY, VERBATIM, Evidence, Stance
from qaviz.diagnosis.values import Role, compare_values, find_values, read_question
from qaviz.reading import Kind, Token, level_text, sentences, tokens
from qaviz.reading.level import LETTERS, at_edge, find_words
from qaviz.reading.sides import Side, list_denials, read_side
from qaviz.reading.tables import table
from qaviz.reading.words import Words, abbreviates, terms, words

SURE = 0.9
"""Strength from which no further variant is looked at."""
ENOUGH = 0.4
"""Share of a phrase's weight from which it is said: where labelled responses turn from incorrect to correct."""
GROUNDS = 0.5
"""The most that a value supports; from there one speaks against a yes or no that it stands beside."""
_PARTED = re.compile(r"[^\s-][\s-]+[^\s-]")
_CAPITALS = re.compile(r"[^\W\d_a-z]\.?[^\W\d_a-z]")
"""What a name of several words holds, and one by its first letters."""
_PLACE = re.compile(r", ([A-Z][a-zà-ÿ]{3,})")
_IS_NAME = re.compile(r" [A-Z][a-z]|\.? ?\d")
OPENING, SIDE_QUOTED = 200, 60
"""Characters of a golden text in which it takes its side, and that are quoted of it."""
_ORDER = (Stance.AGREES, Stance.CONTRADICTS, Stance.ABSENT, Stance.SILENT)
_SILENT = Evidence("", Stance.SILENT)


class Wanted(NamedTuple):
    """A golden variant as regions are compared with it."""

    text: str
    level: str
    """Levelled, without the signs around it."""
    side: Kind | None
    """YES or NO where it says so, NEGATION where it denies what the question supposes."""
    values: tuple[Token, ...]
    role: Role
    phrases: tuple[Phrase, ...]
    spaced: bool


@lru_cache(maxsize=8_192)
def read_golden(text: str, question: str, language: str) -> Wanted:
    """Return a golden variant, read for its question."""
    target = read_question(question, language)
    side = _read_golden_side(text, language)
    if side is Kind.NEGATION and not _words_denied(text, language).isdisjoint(_words_denied(question, language)):
        side = None  # what it denies, the question denies too
    values, role = find_values(text, target, language)
    leads = role is Role.LEADS and not side
    level = level_text(text).strip(" \n\t\"'.,;:。")
    spaced = is_spaced(level) or len(level) <= 12  # or a name
    return Wanted(
        text, level, side, values, role, read_phrases(text, question, language) if spaced and not leads else (), spaced
    )


def compare_region(region: str, triplet: Triplet, language: str) -> tuple[Evidence, str]:
    """Return what a region says of the golden texts, and of which: the best one, the worst where all are needed."""
    level = level_text(region)
    if triplet.needs_all:
        several = [(_compare_variant(text, region, level, triplet, language), text) for text in triplet.variants]
        worst, text = max(several, key=lambda pair: _rank(pair[0]), default=(_SILENT, ""))
        if worst.stance is Stance.AGREES and len(several) > 1:
            doubts = {doubt for own, _ in several for doubt in find_doubts(own, region, triplet, language)}
            places = [own.start for own, _ in several]
            if all(text[:1].isdecimal() for text in triplet.variants) and places != sorted(places):
                doubts.add("order")  # amounts stand in another one: 1:3 for 3:1
            last = GOLDEN["last_of_list"].search(level)
            if last and last[1] not in table(language).grammar and all(last[1] not in own for own in triplet.levels):
                doubts.add("extra")  # a list ends with another name
            worst = worst._replace(doubts=tuple(sorted(doubts)))
        return worst, text
    best = _SILENT, ""
    stands_first = sorted(zip(triplet.levels, triplet.variants, strict=True), key=lambda pair: pair[0] not in level)
    for _, text in stands_first:
        compared = _compare_variant(text, region, level, triplet, language)
        best = min(best, (compared, text), key=lambda pair: _rank(pair[0]))
        if best[0].stance is Stance.AGREES and best[0].strength >= SURE:
            break
    return best


def _rank(evidence: Evidence) -> tuple[int, float]:
    """A sort key, best first: evidence that agrees, by strength; the order of the variants decides among the rest."""
    return _ORDER.index(evidence.stance), -(evidence.strength if evidence.stance is Stance.AGREES else 0.0)


def _compare_variant(text: str, region: str, level: str, triplet: Triplet, language: str) -> Evidence:
    question = triplet.question
    wanted = read_golden(text, question, language)
    if wanted.side:
        side = _compare_side(wanted, region, question, language)
        if side.stance is Stance.AGREES and wanted.side is Kind.YES and wanted.role is not Role.SUPPORTS:
            values = compare_values(wanted.text, wanted.values, region, triplet, language)
            other = values.stance is Stance.CONTRADICTS and values.strength > GROUNDS
            alike = ("%" in values.golden) == ("%" in region[values.start : values.end])
            return values if other and alike else side
        return side
    if wanted.role is Role.LEADS:
        values = compare_values(wanted.text, wanted.values, region, triplet, language)
        stated = _compare_whole(wanted, region, level, question) if values.stance is Stance.ABSENT else None
        return stated or values
    stated = _compare_words(wanted, region, level, question, language)
    if stated.stance is Stance.ABSENT and wanted.values:
        values = compare_values(wanted.text, wanted.values, region, triplet, language)
        if values.stance is Stance.AGREES:
            return values._replace(strength=min(values.strength, GROUNDS))
    return stated


def _read_golden_side(text: str, language: str) -> Kind | None:
    """The side that a golden text takes at its beginning; `No Doubt` and `No. 10` take none."""
    opening = level_text(text[:OPENING])
    first = next(iter(tokens(text[:OPENING], language)), None)
    if first and first.kind in (Kind.YES, Kind.NO) and not opening[: first.start].strip(" \"'*"):
        return first.kind if not _IS_NAME.match(text, first.end) else None
    if stated := GOLDEN["true_or_false"].match(opening):
        return Kind.YES if stated["yes"] else Kind.NO
    if GOLDEN["denies_all"].fullmatch(opening):
        return Kind.NEGATION
    denied = first and first.value in ("not", "n't", "cannot") and 4 <= first.start < 60  # as a whole
    return Kind.NEGATION if denied and not GOLDEN["supposes"].match(opening) else None


def _compare_side(wanted: Wanted, region: str, question: str, language: str) -> Evidence:
    """Whether a region takes the side of the golden text, or denies what it denies."""
    if wanted.side is Kind.NEGATION:
        return _compare_denial(wanted, region, question, language)
    side = read_side(region, question, language)
    if (not side or not side.stated) and (stated := GOLDEN["true_or_false"].match(level_text(region))):
        side = Side(bool(stated["yes"]), *stated.span(), stated=True)
    golden = wanted.text[:SIDE_QUOTED]
    if side is None:
        return Evidence(POLARITY, Stance.ABSENT, golden, note="takes no side")
    own, other = ("yes", "no") if side.yes else ("no", "yes")
    same = side.yes is (wanted.side is Kind.YES)
    note = f"says {own}, {'as' if same else 'where'} the golden answer says {own if same else other}"
    stance = Stance.AGREES if same else Stance.CONTRADICTS
    return Evidence(POLARITY, stance, golden, side.start, side.end, note, 0.9 if side.stated else 0.6)


def _compare_denial(wanted: Wanted, region: str, question: str, language: str) -> Evidence:
    """A golden text that denies the question: any statement about it that is negated agrees."""
    about = [part for part in sentences(region) if terms(region[slice(*part)], language) & terms(question, language)]
    for start, end in about:
        if any(start <= token.start < end for token in list_denials(region, language)):
            note = "denies it as the golden answer does"
            return Evidence(POLARITY, Stance.AGREES, wanted.text, start, end, note, 0.6)
    if about:
        note = "does not say no, and the golden answer does"
        return Evidence(POLARITY, Stance.CONTRADICTS, wanted.text, *about[0], note, 0.5)
    return Evidence(POLARITY, Stance.ABSENT, wanted.text, note="says nothing about the question")


def _compare_words(wanted: Wanted, region: str, level: str, question: str, language: str) -> Evidence:
    if stated := _compare_whole(wanted, region, level, question):
        return stated
    if not wanted.spaced:
        return _compare_letters(wanted, region, question)
    if not wanted.phrases:
        return Evidence(PHRASE, Stance.SILENT)
    several = (_compare_phrase(wanted, phrase, region, question, language) for phrase in wanted.phrases)
    return max(several, key=lambda evidence: (-_ORDER.index(evidence.stance), evidence.strength))


def _compare_whole(wanted: Wanted, region: str, level: str, question: str) -> Evidence | None:
    """Agreement where a golden text stands in a region as it is; None where it does not."""
    begins = partial(_begins_word, region)
    at = find_words(level, wanted.level, begins, _ends_word) if wanted.level else -1
    if at < 0 and "-" in wanted.level:  # V8-engine, V8 engine
        at = find_words(level.replace("-", " "), wanted.level.replace("-", " "), begins, _ends_word)
    if at < 0:
        return None
    in_question = all(phrase.in_question for phrase in wanted.phrases)
    if not wanted.spaced:
        in_question = wanted.level in level_text(question)
    if in_question and GOLDEN["denials"].search(wanted.level) and not GOLDEN["denials"].search(level_text(question)):
        in_question = False  # what it denies is new
    kind, strength, note = (PHRASE, 0.4, NOTES["told"]) if in_question else (VERBATIM, 1.0, "")
    return Evidence(kind, Stance.AGREES, wanted.text, at, at + len(wanted.level), note, strength)


def _begins_word(region: str, level: str, at: int) -> bool:
    """Whether a word begins there; also where the blank before it is missing: `wasBuddhism`."""
    if at_edge(level, at):
        return True
    glued = level[at : at + 4].isdigit() and level[at - 1].isalpha()  # a year: `in1969by`
    return glued or (region[at].isupper() and region[at - 1].islower())


def _ends_word(level: str, at: int) -> bool:
    """Whether a word ends there; also before a citation's number, and where the blank behind it is missing."""
    if at_edge(level, at):
        return True
    rest = LETTERS.match(level, at)
    return level[at - 1].isalpha() and (
        level[at].isdigit() or bool(rest and rest.group() in table("en").grammar and len(rest.group()) > 1)
    )


def _compare_letters(wanted: Wanted, region: str, question: str) -> Evidence:
    """The same of a text that is written without blanks: by how many of its pairs of letters the region has."""
    own = runs(level_words(wanted.text))
    given = runs(level_words(question))
    pairs = [pair for pair in own if pair not in given] or list(own)
    joined = join_ideographs(level_words(region))
    share = sum("".join(pair) in joined for pair in pairs) / len(pairs)
    note = NOTES["letters"].format(stated=round(100 * share), golden=wanted.text)
    if share < 0.6:  # from there on its letters say it
        return Evidence(PHRASE, Stance.ABSENT, wanted.text, note=note, strength=1 - share)
    return Evidence(PHRASE, Stance.AGREES, wanted.text, 0, len(region), note, 0.4 + 0.5 * share)


def _compare_phrase(wanted: Wanted, phrase: Phrase, region: str, question: str, language: str) -> Evidence:
    """What the region says of one alternative of the golden text."""
    region_words = words(region, language)
    stretch = find_stretch(phrase, region_words, question, language)
    if stretch is None and (place := find_short(wanted.text, region_words)):
        return Evidence(PHRASE, Stance.AGREES, wanted.text, *place, NOTES["short"].format(golden=wanted.text), 0.7)
    if stretch is None:
        return Evidence(PHRASE, Stance.ABSENT, wanted.text, note=NOTES["no words"].format(golden=wanted.text))
    parts = [phrase.parts[i] for i in stretch.parts]
    golden = wanted.text[min(part.start for part in parts) : max(part.end for part in parts)]
    start, end = region_words.spans[stretch.first][0], region_words.spans[stretch.last][1]
    count = NOTES["words"].format(stated=len(parts), all=len(phrase.parts), golden=wanted.text)
    disordered = not stretch.in_order and not phrase.sentence
    if phrase.in_question and (stretch.last - stretch.first > len(phrase.parts) or disordered):
        return Evidence(PHRASE, Stance.ABSENT, golden, start, end, NOTES["no words"].format(golden=wanted.text), 0.6)
    if lacking := find_lacking(stretch, region_words, language):
        return Evidence(PHRASE, Stance.ABSENT, golden, start, end, NOTES["lacking"].format(lacking=lacking), 0.6)
    if stretch.share < ENOUGH:
        return Evidence(PHRASE, Stance.ABSENT, wanted.text, note=count, strength=1 - stretch.share / ENOUGH)
    if list_denials(wanted.text, language) and not list_denials(region, language):
        return Evidence(PHRASE, Stance.ABSENT, golden, start, end, NOTES["denial"].format(golden=wanted.text), 0.6)
    other, missing = find_replaced(stretch, region_words, question, language)
    if missing and missing.word.capital:
        note = NOTES["in place"].format(stated=other, golden=wanted.text)
        return Evidence(PHRASE, Stance.ABSENT, golden, start, end, note, 0.6)
    if phrase.in_question:
        note, strength = NOTES["told"], 0.4
    elif stretch.whole:
        note, strength = NOTES["other form"].format(golden=wanted.text), 0.9
    else:
        note, strength = count, 0.4 + 0.5 * stretch.share
    town, named = _PLACE.match(wanted.text, parts[-1].end), _PLACE.match(region, end)
    elsewhere = town and named and town[1] != named[1] and town[1] not in region  # Kansas City, Kansas
    denied = bool(list_denials(region[start:end], language) and not list_denials(f"{question} {wanted.text}", language))
    doubts = ("replaced",) * bool(other or elsewhere) + ("order",) * disordered + ("denied",) * denied
    return Evidence(PHRASE, Stance.AGREES, golden, start, end, note, strength, doubts)


def _words_denied(text: str, language: str) -> frozenset[str]:
    """The words right behind the negations of a text."""
    behind = (LETTERS.search(text, token.end) for token in tokens(text, language) if token.kind is Kind.NEGATION)
    return frozenset(word.group().lower() for word in behind if word)


def find_short(golden: str, region: Words) -> tuple[int, int] | None:
    """Return where a region writes a name by its first letters, or spells out such a name: IMF."""
    if golden.isupper() and len(golden) <= 8:  # letters of an abbreviation
        most = len(golden.replace(".", "")) + 2
        for first, (start, _) in enumerate(region.spans):
            for _, end in region.spans[first + 1 : first + most]:
                if abbreviates(golden, region.text[start:end]):
                    return start, end
        return None
    if not _PARTED.search(golden) or not _CAPITALS.search(region.text):
        return None
    for start, end in region.spans:
        written = region.text[start:end]
        if written.isupper() and abbreviates(written, golden):
            return start, end
    return None
