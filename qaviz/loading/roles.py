"""What columns may be: the names of each of our words (`names.toml`), what a name says, split into the terms of
`terms.toml`; how a table is read by them, and mappings that a person gave.
"""

import re
import shlex
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from qaviz.loading.load_log import quote_text
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError

IGNORE = ""
"""What a mapping says of a column that is to be left out."""


def read_data(name: str) -> Mapping[str, Any]:
    """The data that stands in a TOML file beside this module."""
    return tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))


PHRASES = read_data("phrases.toml")
"""What texts say: error messages, rubrics, the parts of passages."""
_NAMES = read_data("names.toml")
GOLDEN_NAMES: Mapping[str, Sequence[str]] = _NAMES["golden"]
"""The names of what tables say of questions, for each word the best first."""
RESPONSE_NAMES: Mapping[str, Sequence[str]] = _NAMES["response"]
"""The names of what tables say of pipelines."""
NAMES: Mapping[str, Sequence[str]] = {**GOLDEN_NAMES, **RESPONSE_NAMES}
WORDS: Mapping[str, frozenset[str]] = {name: frozenset(words) for name, words in _NAMES["words"].items()}
_OUTER = WORDS["sides"] | WORDS["wrappers"]
PATTERNS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _NAMES["patterns"].items()}
"""Words and patterns of names that say something beside their terms."""
VARIANTS, FIRST = "answer_variants", "first_answer"
"""What a mapping says of golden answers of which a question has several, in rows of its own: that they are variants of
one, or that the first counts."""
MAPPED = (*NAMES, IGNORE, VARIANTS, FIRST)
"""All that a mapping says of columns."""
PIPELINE_LIMIT = 1000
"""Most pipelines of one run. More of them mean that the wrong columns were taken for pipelines."""

_NAMED = 30
"""Columns that a problem names."""


@dataclass(frozen=True)
class Guess:
    """What one column is taken for."""

    column: str
    word: str
    """One of our words; empty where it is left out."""
    why: str
    """The evidence, as part of a sentence."""
    certain: bool = True
    """Whether it is applied without a person's yes."""


@dataclass(frozen=True)
class Reading:
    """One of two ways to read a table that is in doubt."""

    label: str
    """In words: `"Reply" holds the responses`."""
    mapping: Mapping[str, str]
    """The columns that it settles -> our word, "" for one that is left out."""


def spell_flags(mapping: Mapping[str, str]) -> str:
    """What a person copies to have columns read so, each whole as a shell takes it."""
    pairs = [f"{name}={word}" for name, word in mapping.items()]
    plain = set('"$`\\!').isdisjoint
    return " ".join(f'--map "{pair}"' if plain(pair) else f"--map {shlex.quote(pair)}" for pair in pairs)


@dataclass(frozen=True)
class Layout:
    """How a table's columns are read."""

    words: Mapping[str, str]
    """Their column -> our word."""
    pipelines: Mapping[str, str] = field(default_factory=dict)
    """Wide form: the columns that each hold the responses of one pipeline, and its name. Empty in long form."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """Of multiple choice the columns of the options, by their labels."""
    bare: str = ""
    """A column of answers of which the table does not say whose they are: the other tables may."""
    guesses: tuple[Guess, ...] = ()
    """Why columns are read as they are, and what others may be."""
    doubt: str = ""
    """What the two readings differ in, in words."""
    readings: tuple[Reading, ...] = ()
    """What a person may choose from; empty where nothing is in doubt."""
    ignored: tuple[str, ...] = ()
    """Columns that are left out and look like answers."""
    one_answer: str = ""
    """VARIANTS or FIRST, where a person said so of the golden answers."""
    separating: tuple[str, ...] = ()
    """The column that tells apart responses of one pipeline to one question, or the two that do so together."""

    @property
    def has_golden(self) -> bool:
        """Whether it says what is right."""
        return bool(self.find(c.ANSWER, c.FACT))

    @property
    def has_responses(self) -> bool:
        """Whether it says what pipelines answered."""
        return bool(self.pipelines or self.find(c.RESPONSE))

    @property
    def has_answers(self) -> bool:
        """Whether it has answers, whosever they are."""
        return self.has_golden or self.has_responses or bool(self.bare)

    @property
    def asks(self) -> bool:
        """Whether it says which question a row is about."""
        return bool(self.find(c.QUESTION, c.QUESTION_ID))

    def find(self, *words: str) -> list[str]:
        """The columns that are one of these words."""
        return [name for name, word in self.words.items() if word in words]


def check_mapping(columns: Sequence[str], mapping: Mapping[str, str], where: str) -> None:
    """Raise QavizError for columns that are not there, words that are none, and words of several columns."""
    faults = [(f"no column {quote_text(name)}", columns) for name in mapping if name not in columns]
    faults += [
        (f"{quote_text(name)} mapped to {quote_text(word)}", list(NAMES))
        for name, word in mapping.items()
        if word not in MAPPED
    ]
    problems = [_describe_fault(where, fault, f"one of {list_names(there)}") for fault, there in faults]
    for word in NAMES:
        names = [name for name, mapped in mapping.items() if mapped == word]
        if len(names) > 1 and word not in (c.RESPONSE, c.PIPELINE):
            problems.append(
                _describe_fault(where, f"{list_names(names)} mapped to {quote_text(word)}", "one column a word")
            )
    if problems:
        raise QavizError(*problems)


def assign_pairs(pairs: Mapping[str, str], columns: Sequence[Sequence[str]], where: str) -> list[dict[str, str]]:
    """For each file with these columns the pairs (their column -> our word) that apply to it. Where some are responses,
    a column that its name says to be one is left out only where one of those stands.

    Raises QavizError, `where` in front, for a pair that applies to none, or has no word of ours.
    """
    there = list(dict.fromkeys(name for present in columns for name in present))
    problems = []
    for theirs, ours in pairs.items():
        flag = f"{where} {theirs}={ours}"
        if theirs not in there:
            fault = f"no column {quote_text(theirs)} in the files"
            problems.append(_describe_fault(flag, fault, f"one of {list_names(there)}"))
        elif ours not in MAPPED:
            problems.append(_describe_fault(flag, f"the word {quote_text(ours)}", f"one of {list_names(NAMES)}"))
    if problems:
        raise QavizError(*problems)
    responses = {theirs for theirs, ours in pairs.items() if ours == c.RESPONSE}
    kept = {theirs for theirs, ours in pairs.items() if ours == IGNORE and read_column_name(theirs).word == c.RESPONSE}
    mappings = []
    for present in columns:
        names = set(present) - (kept if responses and not responses & set(present) else set())
        mappings.append({theirs: ours for theirs, ours in pairs.items() if theirs in names})
    return mappings


def _describe_fault(where: str, fault: str, expected: str) -> Problem:
    return Problem(where=where, found=fault, expected=expected, fix="Correct the mapping.")


def list_names(names: Iterable[str]) -> str:
    """The names in quotes, the first of many."""
    all_names = list(names)
    rest = len(all_names) - _NAMED
    return ", ".join(map(quote_text, all_names[:_NAMED])) + (f" and {rest:,} more" if rest > 0 else "") or "none"


_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# Vowel signs of Hindi are no letters to Python.
_RUN = re.compile(rf"[{_UNSPACED}]+|(?:[^\W_{_UNSPACED}]|[\u0900-\u0963\u0966-\u097f])+")
_DIGITS = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")


@dataclass(frozen=True)
class Named:
    """What a name says."""

    word: str | None
    """One of our words; `META` for what is about the row; None where the name says nothing."""
    why: str
    """The terms that say so, as `"gold" (English for the expected one)`."""
    certain: bool = True
    """False where the terms leave another reading open."""
    is_bare_answer: bool = False
    """Whether it says that it is an answer, not whose."""
    is_pipeline: bool = False
    """Whether it names a system, so that its cells may be what that one said."""


META = "\0about the row"
"""What `Named.word` says of a column that is never one of our words, nor a pipeline."""


@lru_cache(maxsize=4096)
def read_column_name(name: str) -> Named:
    """What the name of a column says; of a field inside an object (`inputs.query`) the field, where it says enough."""
    whole = _without(name, WORDS["wrappers"])
    field = _without(whole, _OUTER)
    if plain_name(field) == "true":  # alone: "true_positive" is none
        return Named(c.ANSWER, '"true" is English for golden', certain=False)
    named = _read_terms(field)
    aside, _, inner = whole.partition(".")
    if inner and aside.lower() in WORDS["aside"] and (golden := _read_terms(inner)).word == c.ANSWER:
        return replace(golden, certain=False)  # what stands in an object about the row is golden where it says so
    if field == whole or (named.word and not (named.is_bare_answer and _says_output(whole))):
        return named
    # "outputs.answer" is a response, whatever else the file has, and "outputs.value" what "outputs" says.
    return _read_terms(whole)


def _read_terms(name: str) -> Named:
    """What the terms of a name mean together."""
    terms = list(_split_terms(name))
    if terms and terms[0][0] == _WITHOUT and {sense for _, sense, _ in terms[1:]} & _DONE_WITHOUT:
        # "No RAG" is a pipeline, "No. of the question" a number.
        terms[0] = (_WITHOUT, None, "")
    if {"ANSWER", "MODEL"} <= {sense for _, sense, _ in terms}:
        # "Answer by GPT" is what GPT answered, "judged by" a name.
        terms = [term for term in terms if term[0] not in ("by", "from", "of")]
    telling = [(text, sense, language) for text, sense, language in terms if sense not in (None, "FILLER")]
    if not telling:
        return Named(None, "")
    is_known = not any(sense is None and not text.isdigit() for text, sense, _ in terms)
    senses = [sense for _, sense, _ in terms if sense]
    has = {"PRODUCED" if sense in OF_SYSTEMS else sense for _, sense, _ in telling}
    passages = ("CONTEXTS", "SOURCE", "ANSWER") if "CONTEXTS" in has else ()
    last = [
        next((sense for sense in reversed(senses) if sense in group), "")
        for group in (passages, ("GOLDEN", "PREDICTED"))
    ]
    facts = has | {f"{sense}_LAST" for sense in last} | ({"SYSTEM_LAST"} if senses[-1] in ("BOT", "MODEL") else set())
    facts |= {"ABOUT"} if has & {"ANSWERABLE", "UNANSWERABLE", "FACT", "TAGS"} else set()
    facts |= {"SYSTEM"} if has & {"PRODUCED", "MODEL"} else set()
    facts |= ({"ALONE"} if len(has) == 1 else set()) | ({"KNOWN"} if is_known else set())
    meant, certain = next(((word, certain) for all_of, word, certain in _SAYS if facts >= all_of), ("", "always"))
    is_response, answers = meant == c.RESPONSE, "ANSWER" in has
    return Named(
        META if meant == "meta" else meant or None,
        ", ".join(f'"{text}" is {language} for {_TERMS[sense]["means"]}' for text, sense, language in telling),
        certain={"always": True, "never": False, "known": is_known, "answer": is_known or answers}[certain],
        is_bare_answer=is_response and has == {"ANSWER"} and is_known,
        is_pipeline=is_response and ("MODEL" in has or (answers and not is_known)),
    )


def says_unanswerable(name: str) -> bool:
    """Whether a yes in a column about answerable questions denies it: `unanswerable`, `is_impossible`."""
    return "UNANSWERABLE" in {sense for _, sense, _ in read_terms(name)}


def read_terms(name: str) -> list[tuple[str, str | None, str]]:
    """The terms of a name without the objects that it stands in: text, sense (None where unknown), language."""
    return list(_split_terms(_without(name, _OUTER)))


def plain_name(name: str) -> str:
    """`Reference Answer(s)`, `referenceAnswers` and `inputs.reference_answers` as `reference_answers`."""
    whole = _without(name, WORDS["wrappers"])
    field = whole if _says_output(whole) else _without(whole, _OUTER)
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", field.replace("(s)", "s"))
    return re.sub(r"\W+", "_", spaced).strip("_").lower()


_WITHOUT = "no"
OF_SYSTEMS = ("PREDICTED", "PRODUCED", "BOT")
"""What is said of systems that answer."""
_DONE_WITHOUT = frozenset((*OF_SYSTEMS, "CONTEXTS", "MODEL"))

JOINED_NAMES = " · "
"""What stands between the cells of several columns that name a pipeline together."""
SPLIT = "split"
"""The column that says which of a document's lists a record is of."""


def _without(name: str, outer: frozenset[str]) -> str:
    """The name of a field without the objects of these names that it stands in: `inputs.query` as `query`."""
    parts = [part.strip() for part in name.split(".")]
    while len(parts) > 1 and parts[0].lower() in outer:
        del parts[0]
    return ".".join(parts)


def _says_output(name: str) -> bool:
    return name.lower().startswith(("output.", "outputs."))


_SAYS = [(frozenset(senses.split()), word, certain) for senses, word, certain in _NAMES["says"]]


def _split_terms(name: str) -> Iterator[tuple[str, str | None, str]]:
    """The longest known terms from the left."""
    tokens, place = list(_tokens(name)), 0
    while place < len(tokens):
        for length in range(min(4, len(tokens) - place), 0, -1):  # words of the longest term
            text = " ".join(tokens[place : place + length])
            forms = (text, text.removesuffix("s"), re.sub("ies$", "y", text), text.removeprefix("ال"))
            if term := next(filter(None, map(_KNOWN.get, forms)), None):
                yield text, *term
                break
        else:
            length = 1
            yield tokens[place], None, ""
        place += length


def _tokens(name: str) -> Iterator[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.replace("(s)", "s").replace("#", " no "))
    for run in _RUN.findall(_bare(spaced.replace("_", " "))):
        if re.match(f"[{_UNSPACED}]", run):
            yield from _split_unspaced(run)
        elif run in _KNOWN:
            yield run
        else:
            yield from _DIGITS.split(run)


def _split_unspaced(run: str) -> Iterator[str]:
    """The longest known terms of a name without spaces; what is between them, character by character."""
    place = 0
    while place < len(run):
        length = next((size for size in range(len(run) - place, 0, -1) if run[place : place + size] in _KNOWN), 1)
        yield run[place : place + length]
        place += length


_ALIKE = str.maketrans("يكىأإآة", "یکیااا" + "ه")
"""Letters that Arabic and Persian keyboards write in two ways."""


def _bare(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.replace("đ", "d").replace("Đ", "D"))
    kept = "".join(char for char in decomposed if not "\u0300" <= char <= "\u036f")
    return unicodedata.normalize("NFC", kept).casefold().translate(_ALIKE)


_TERMS = read_data("terms.toml")
_KNOWN: Mapping[str, tuple[str, str]] = {
    " ".join(_bare(term).split()): (sense, language)
    for sense, languages in reversed(list(_TERMS.items()))
    for language, terms in reversed(list(languages.items()))
    if language != "means"
    for term in terms
}
"""Sense and language of each term. One that stands under two senses, or languages, has the first: English leads."""
