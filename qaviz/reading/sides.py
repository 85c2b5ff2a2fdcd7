"""Sides: yes or no, denied or not, opposite words, and who did what to whom, before or after what."""

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from qaviz.reading.level import level_text, sentences
from qaviz.reading.read import tokens
from qaviz.reading.tables import Table, pattern, table
from qaviz.reading.token import Kind, Token
from qaviz.reading.words import terms, words

_CLAUSE = re.compile(r"[,;:](?= )|[、，；]| [–—-] |\n")
_LONGEST_QUESTION = 2_000
_ASIDE = re.compile(r"[(（][^()（）]*[)）]")


class Side(NamedTuple):
    """Yes or no, as a text says it."""

    yes: bool
    start: int
    end: int
    stated: bool
    """In one word (`Yes, ...`), and not by a statement about what is asked."""


class Statement(NamedTuple):
    """Who did what to whom: `Nordia is the parent of Selva`, `the merger happened before the strike`."""

    event: str
    agents: frozenset[str]
    """Stems of the words on the side that acts, comes first, is larger, ..."""
    others: frozenset[str]


def divide(text: str, level: str, marks: re.Pattern[str], language: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text's sentences, divided at marks and at words for but, as (start, end)."""
    contrasts = table(language).contrasts
    for begin, end in sentences(text):
        cuts = {begin, *(match.start() for match in marks.finditer(level, begin, end)), end}
        if contrasts:
            cuts.update(match.start() for match in contrasts.finditer(level, begin, end))
        yield from itertools.pairwise(sorted(cuts))


@lru_cache(maxsize=4_096)
def clauses(text: str, language: str = "en") -> tuple[tuple[int, int], ...]:
    """Return the parts of a text's sentences, divided at commas and at words for but, as (start, end)."""
    level = level_text(text)
    return tuple(part for part in divide(text, level, _CLAUSE, language) if level[slice(*part)].strip(" ,;:"))


@lru_cache(maxsize=4_096)
def list_denials(text: str, language: str = "en") -> tuple[Token, ...]:
    """Return the tokens with which a text denies anything."""
    return tuple(token for token in tokens(text, language) if token.kind in (Kind.NEGATION, Kind.NO))


def is_denied(text: str, start: int, end: int, language: str = "en") -> bool:
    """Whether a stretch of a text stands behind a negation of its clause: `Nice hosts the fair, not Lyon`.

    In languages that deny behind what they deny (Japanese) a negation right behind it counts.
    """
    if not (denials := list_denials(text, language)):
        return False
    clause = next((part for part in clauses(text, language) if part[0] <= start < part[1]), (0, len(text)))
    own = (token for token in denials if clause[0] <= token.start < clause[1])
    if table(language).denies_behind:
        return any(0 <= token.start - end <= 6 for token in own)  # right behind it
    return any(token.end <= start for token in own)


# Opposites.


@lru_cache(maxsize=65_536)
def opposites_of(form: str, language: str = "en") -> frozenset[str]:
    """Return the words that say the opposite: by the language's table, or with or without un-, in-, hypo-, ..."""
    own = table(language)
    opposites = set(own.opposites.get(form, ()))
    if len(form) > 3:  # shorter ones may begin like an affix by chance
        begins = [pair for first, second in own.affix_pairs for pair in ((first, second), (second, first))]
        begins += [pair for affix in own.affixes for pair in (("", affix), (affix, ""))]
        others = (second + form.removeprefix(first) for first, second in begins if form.startswith(first))
        opposites.update(word for word in others if len(word) > 3)
    return frozenset(opposites)


# Yes and no.


@lru_cache(maxsize=4_096)
def asks_yes_or_no(question: str, language: str = "en") -> bool:
    """Whether a question is answered by yes or no, going by how it begins or ends."""
    polar = table(language).polar
    return bool(polar and polar.search(level_text(question[:_LONGEST_QUESTION]).strip(" ¿\"'")))


def read_side(text: str, question: str = "", language: str = "en") -> Side | None:
    """Return the side that a text takes: the yes or no it states, else that of the statement that shares most words
    with what the question asks. A sentence that asks or supposes (`to see whether ...`) states nothing.

    A statement denies where it has a negation or an opposite that the question has not, not both.
    """
    for token in tokens(text, language):
        if token.kind in (Kind.YES, Kind.NO):
            return Side(token.kind is Kind.YES, token.start, token.end, stated=True)
    core = _asking_part(question, language)
    stems = terms(core, language)
    best, most = None, (False, 0.0)
    for start, end in sentences(text) if stems else ():
        sentence = text[start:end]
        share = len(stems & words(sentence, language).stems) / len(stems)
        rank = pattern("concludes").match(level_text(sentence)) is not None, share
        # Half of the question's words, or fewer beside an opposite of one.
        is_about = share >= 0.5 or (share >= 0.3 and _says_opposite(core, sentence, language))
        if is_about and rank > most and not _supposes(sentence, stems, language):
            best, most = Side(not _denies(sentence, core, stems, language), start, end, stated=False), rank
    return best


@lru_cache(maxsize=4_096)
def _asking_part(question: str, language: str) -> str:
    """The sentence of a question that asks for yes or no, without what stands in brackets; else the whole question."""
    plain = _ASIDE.sub(" ", question[:_LONGEST_QUESTION])
    asking = (plain[slice(*part)].strip() for part in sentences(plain))
    return next((part for part in asking if asks_yes_or_no(part, language)), plain)


def _supposes(sentence: str, stems: frozenset[str], language: str) -> bool:
    """Whether a sentence asks, or says `if` or `whether` before the first word of the question."""
    if sentence.rstrip().endswith(("?", "？")):
        return True
    supposed = pattern("asks_whether").search(level_text(sentence))
    return supposed is not None and not any(
        word.stem in stems for word in words(sentence, language).words if word.end <= supposed.start()
    )


def _denies(sentence: str, question: str, stems: frozenset[str], language: str) -> bool:
    """Whether one of both has a negation, in the clause nearest to the question, or they say opposites, not both."""
    shares = {part: len(stems & words(sentence[slice(*part)], language).stems) for part in clauses(sentence, language)}
    start, end = max(shares, key=shares.__getitem__, default=(0, len(sentence)))
    stated = any(start <= token.start < end for token in list_denials(sentence, language))
    return (stated != bool(list_denials(question, language))) != _says_opposite(question, sentence, language)


def _says_opposite(question: str, sentence: str, language: str) -> bool:
    """Whether a sentence has the opposite of a word in its place: `excluded` where `included` is asked."""
    stated = words(sentence, language)
    return any(
        word.form not in table(language).grammar
        and not stated.find(word.stem)
        and not opposites_of(word.form, language).isdisjoint(stated.forms)
        for word in words(question, language).words
    )


# Who did what to whom.

_REACH = 60
"""Characters beside a verb in which those who act and those acted upon are named."""


@lru_cache(maxsize=4_096)
def read_statements(text: str, language: str = "en") -> tuple[Statement, ...]:
    """Return what a text says of who did what to whom, for the events of the language's table.

    The passive and inverse verbs are turned: `A was bought by B`, `A sold to B` and `B bought A` have the agent B. A
    question word (`who`) stands for itself: `?`.
    """
    own, level = table(language), level_text(text)
    events = ((part, event) for part in sentences(text) for event in own.events.find(level, *part))
    statements = []
    for (begin, end), (start, stop, meaning) in events:
        event, _, side = meaning.rpartition(".")
        before, behind = level[max(begin, start - _REACH) : start], level[stop : min(end, stop + _REACH)]
        agent_last = next((word for word in own.by_agents if behind.lstrip().startswith(f"{word} ")), "")
        agent_first = next((word for word in own.passives if f" {word} " in f" {before} "), "")
        subjects, others = _stems(before, own), _stems(behind, own)
        passive = bool(agent_last)  # also where no auxiliary stands: `Cup 2018: won by India`
        if agent_first and not passive:
            patient, _, agent = before.partition(agent_first)
            subjects, others, passive = _stems(agent, own), _stems(patient, own), False
        agents, patients = (others, subjects) if passive != (side == "to") else (subjects, others)
        statements.append(Statement(event, agents, patients))
    return tuple(statements)


def _stems(level: str, own: Table) -> frozenset[str]:
    """The stems of the words that carry meaning, `?` for a question word."""
    mark = "?" if any(word in own.question_words for word in level.replace("?", " ").split()) else ""
    stems = frozenset(word.stem for word in words(level, own.code).words if word.form not in own.grammar)
    return stems | {mark} if mark else stems


def compare_statements(question: str, golden: str, given: str, language: str = "en") -> str:
    """Return `same` or `reversed` where both say who did what to whom in one event; empty where they do not.

    A golden name alone takes the place that the question asks for: who sold it, whom did she defeat.
    """
    statements, shared = list(read_statements(golden, language)), frozenset[str]()
    if not statements:
        # The question's statements, with the golden words in the place of its question word.
        stems, shared, level = terms(golden, language), terms(question, language), f" {level_text(question)} "
        asks_object = any(f" {word} " in level for word in table(language).asks_object)
        for event, agents, others in read_statements(question, language):
            if "?" in agents and asks_object and agents != {"?"}:  # whom did she defeat
                statements.append(Statement(event, agents - {"?"}, stems))
            elif "?" in agents | others:
                statements.append(Statement(event, *(stems if "?" in side else side for side in (agents, others))))
    relation = ""
    for mine, other in itertools.product(statements, read_statements(given, language)):
        if other.event != mine.event:
            continue
        agents, others = mine.agents - shared, mine.others - shared
        # Of events that compare two a sentence may name the other one behind: the next after Balfour was Campbell.
        compares_two = mine.event in ("precede", "exceed", "older")
        same = (mine.agents, mine.others) if compares_two else (agents, others)
        direct = bool(same[0] & other.agents - {"?"}) or bool(same[1] & other.others - {"?"})
        if not direct and (agents & other.others or others & other.agents):
            return "reversed"
        relation = "same" if direct else relation
    return relation
