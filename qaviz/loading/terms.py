"""What a column's name says, split into the terms of `terms.toml`."""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from qaviz.model.columns import (
    ANSWER,
    ANSWERABLE,
    CATEGORY,
    CONTEXTS,
    COST,
    FACT,
    LATENCY_MS,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    REPEAT,
    RESPONSE,
    SOURCE,
    TAGS,
)


class Sense(StrEnum):
    """What a term in a column's name says of its cells."""

    QUESTION = "question"
    ANSWER = "answer"
    GOLDEN = "golden"
    PRODUCED = "produced by a system"
    BOT = "a system that answers"
    MODEL = "the name of a model or system"
    ID = "identifier"
    FACT = "fact"
    CATEGORY = "category"
    ANSWERABLE = "answerable"
    SOURCE = "source"
    TAGS = "tags"
    PIPELINE = "pipeline"
    CONTEXTS = "contexts"
    LATENCY = "latency in milliseconds"
    COST = "cost"
    REPEAT = "repeat"
    PERSON = "a person"
    FILLER = "a word that changes nothing"
    META = "about the row: a score, a date, a count, a comment"


LONGEST_TERM = 4
"""Words of the longest term."""

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
    whole = _without(name, _WRAPPERS)
    field = _without(whole, _SIDES | _WRAPPERS)
    named = _read_terms(field)
    aside, _, inner = whole.partition(".")
    if inner and aside.lower() in _ASIDE and (golden := _read_terms(inner)).word == ANSWER:
        return replace(golden, certain=False)  # what stands in an object about the row is golden where it says so
    if field == whole or (named.word and not (named.is_bare_answer and _says_output(whole))):
        return named
    # "outputs.answer" is a response, whatever else the file has, and "outputs.value" what "outputs" says.
    return _read_terms(whole)


def _read_terms(name: str) -> Named:
    read_terms = list(_terms(tuple(_tokens(name))))
    if read_terms and read_terms[0][0] == _WITHOUT and {sense for _, sense, _ in read_terms[1:]} & _DONE_WITHOUT:
        # "No RAG" is a pipeline, "No. of the question" a number.
        read_terms[0] = (_WITHOUT, None, "")
    if {Sense.ANSWER, Sense.MODEL} <= {sense for _, sense, _ in read_terms}:
        # "Answer by GPT" is what GPT answered, "judged by" a name.
        read_terms = [term for term in read_terms if term[0] not in _OF]
    senses = [sense for _, sense, _ in read_terms if sense]
    unknown = [text for text, sense, _ in read_terms if sense is None and not text.isdigit()]
    return _combine_senses(senses, unknown, _explain_terms(read_terms))


def plain_name(name: str) -> str:
    """`Reference Answer(s)`, `referenceAnswers` and `inputs.reference_answers` as `reference_answers`."""
    whole = _without(name, _WRAPPERS)
    field = whole if _says_output(whole) else _without(whole, _SIDES | _WRAPPERS)
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", field.replace("(s)", "s"))
    return re.sub(r"\W+", "_", spaced).strip("_").lower()


_WITHOUT = "no"
_OF = ("by", "from", "of")
_DONE_WITHOUT = frozenset((Sense.PRODUCED, Sense.BOT, Sense.CONTEXTS, Sense.MODEL))

_SIDES = frozenset(("input", "inputs", "output", "outputs"))
_ASIDE = frozenset(("metadata", "meta", "extra", "extra_info"))
_WRAPPERS = frozenset(
    ("attributes", "data", "row", "record", "item", "sample", "example", "doc", "instance", "result", "results",
     "fields", "reasoning", "evaluation_task_output", "payload")
)  # fmt: skip
"""Names of objects that hold the fields of a row; of those of the first kind the name itself says something too."""


def _without(name: str, outer: frozenset[str]) -> str:
    """The name of a field without the objects of these names that it stands in: `inputs.query` as `query`."""
    parts = name.split(".")
    while len(parts) > 1 and parts[0].lower() in outer:
        del parts[0]
    return ".".join(parts)


def _says_output(name: str) -> bool:
    return name.lower().startswith(("output.", "outputs."))


def _combine_senses(senses: list[Sense], unknown: list[str], plain: str) -> Named:
    """What the senses of a name's terms mean together. `unknown` are the terms that are not in TERMS."""
    has = {Sense.PRODUCED if sense == Sense.BOT else sense for sense in senses} - {Sense.FILLER}
    if not has:
        return Named(None, "")
    known, answers = not unknown, Sense.ANSWER in has
    of_system = bool(has & {Sense.PRODUCED, Sense.MODEL})
    # Of "context answer" the last term says what it is.
    passages = (Sense.CONTEXTS, Sense.SOURCE, Sense.ANSWER)
    last = next((sense for sense in reversed(senses) if sense in passages and Sense.CONTEXTS in has), None)
    rows: Sequence[tuple[bool, str | None, bool]] = (
        (Sense.META in has, META, True),
        ({Sense.ID, Sense.SOURCE} <= has, SOURCE, True),
        ({Sense.ID, Sense.CONTEXTS} <= has, META, True),
        (Sense.ID in has and bool(has & {Sense.PIPELINE, Sense.MODEL}), PIPELINE, False),
        ({Sense.ID, Sense.QUESTION} <= has or (has == {Sense.ID} and known), QUESTION_ID, True),
        (Sense.ID in has, META, True),
        *((sense in has, word, known) for sense, word in _ALONE.items()),
        (last == Sense.SOURCE, META, True),  # "retrieved sources" names passages
        (last == Sense.CONTEXTS, META if Sense.GOLDEN in has else CONTEXTS, True),
        (Sense.CATEGORY in has, CATEGORY, known),
        (Sense.SOURCE in has, SOURCE, known),
        # "Answer to the question" is an answer, "generated question" perhaps another one than the pipeline was asked.
        (Sense.QUESTION in has and answers, None, False),
        (Sense.QUESTION in has, QUESTION, known and not of_system),
        (Sense.GOLDEN in has, ANSWER, known or answers),
        (of_system or answers, RESPONSE, known or answers),
        (Sense.PIPELINE in has, PIPELINE, known),
        (True, None, True),
    )
    word, certain = next((word, certain) for decides, word, certain in rows if decides)
    is_bare = word == RESPONSE and has == {Sense.ANSWER} and known
    names_system = word == RESPONSE and (Sense.MODEL in has or (answers and not known))
    return Named(word, plain, certain, is_bare, names_system)


_ALONE: Mapping[Sense, str] = {
    Sense.LATENCY: LATENCY_MS,
    Sense.COST: COST,
    Sense.REPEAT: REPEAT,
    Sense.ANSWERABLE: ANSWERABLE,
    Sense.TAGS: TAGS,
    Sense.FACT: FACT,
}
"""Senses that decide by themselves."""


def _explain_terms(read_terms: list[tuple[str, Sense | None, str]]) -> str:
    telling = [(text, sense, language) for text, sense, language in read_terms if sense not in (None, Sense.FILLER)]
    return ", ".join(f'"{text}" is {language} for {sense}' for text, sense, language in telling)


def _terms(tokens: tuple[str, ...]) -> Iterator[tuple[str, Sense | None, str]]:
    """The longest known terms from the left: text, sense (None where unknown), language."""
    place = 0
    while place < len(tokens):
        for length in range(min(LONGEST_TERM, len(tokens) - place), 0, -1):
            text = " ".join(tokens[place : place + length])
            term = _KNOWN.get(text) or _KNOWN.get(text.removesuffix("s")) or _KNOWN.get(text.removeprefix("ال"))
            if term:
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


_TERMS: Mapping[str, Mapping[str, Sequence[str]]] = tomllib.loads(
    (Path(__file__).parent / "terms.toml").read_text(encoding="utf-8")
)
"""By the names of senses and by language."""

_KNOWN: Mapping[str, tuple[Sense, str]] = {
    " ".join(_bare(term).split()): (Sense[sense], language)
    for sense, languages in reversed(list(_TERMS.items()))
    for language, terms in languages.items()
    for term in terms
}
"""Sense and language of each term. One that stands under two senses has the first."""


def read_senses(name: str, without: Sequence[Sense]) -> list[str]:
    """The terms of a name, numbers among them, but those that say one of these."""
    return [
        text for text, sense, _ in _terms(tuple(_tokens(_without(name, _SIDES | _WRAPPERS)))) if sense not in without
    ]
