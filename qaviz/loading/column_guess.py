"""Guess which column holds which of our words, by its name and its cells; each guess says why."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from qaviz.loading.column_senses import META, plain_name, read_column_name
from qaviz.loading.column_values import Cells, Look, look_at, read_texts, share_words
from qaviz.model import columns as c

BY_ALIAS, BY_NAME, BY_HINT = range(3)
"""How a column was found: by a name that people use, by the terms in its name, or by terms that leave a doubt."""

OVERLAP = 0.5
"""Share of rows with a word of the question, the golden answer or another candidate: then a column holds responses."""

_MOSTLY = 0.9
_MANY = 10
"""Filled cells from which on it counts how many of them differ."""
_SHORT = 5
"""Words of a label, at most."""

_ALIKE = 0.3
"""Share of rows from which on two columns answer the same questions."""

_MAY_BE_PLACE = re.compile(
    r"^(reference|ref|target)s?$|(text|content|value|key)s?$|rag|bot|llm|ai$|^ai_|agent|assistant|model|system"
)
"""Names of golden answers that leave it open whether an answer beside them is: where it stands, or a system."""

_FEW_SECONDS = 60
"""A latency below this, with decimals, is rather in seconds than in milliseconds."""


@dataclass(frozen=True)
class Guess:
    """What one column is taken for."""

    column: str
    word: str
    """One of our words; empty where it is left out."""
    why: str
    """The evidence, as part of a sentence."""
    example: str = ""
    """One of its cells, shortened."""
    certain: bool = True
    """Whether it is applied without a person's yes."""


@dataclass(frozen=True)
class Columns:
    """A file's columns, what their names say and what their cells look like."""

    names: Sequence[str]
    cells: Cells = field(default_factory=dict)
    _looks: dict[str, Look] = field(default_factory=dict)

    def look(self, name: str) -> Look:
        """What the first cells of a column look like."""
        if name not in self._looks:
            self._looks[name] = look_at(self.cells.get(name, ()))
        return self._looks[name]


@dataclass(frozen=True)
class _Candidate:
    column: str
    strength: int
    rank: int
    why: str


def guess_words(
    columns: Columns, aliases: Mapping[str, Sequence[str]], mapping: Mapping[str, str], skipped: Sequence[str] = ()
) -> list[Guess]:
    """For each word of `aliases` that the mapping does not give, but those of `skipped`: the column that it is, if one
    is found, or the columns that may be it, which are not certain. A column is taken once."""
    free = [name for name in columns.names if name not in mapping]
    guesses: list[Guess] = []
    for word, names in aliases.items():
        if word in mapping.values() or word in skipped:
            continue
        candidates = sorted(
            _candidates(columns, free, word, names), key=lambda candidate: (candidate.strength, candidate.rank)
        )
        chosen = list(_choose_candidates(columns, word, candidates))
        guesses += chosen
        free = [name for name in free if name not in {pick.column for pick in chosen if pick.certain}]
    if c.QUESTION in aliases and c.QUESTION not in {guess.word for guess in guesses} | set(mapping.values()):
        guesses += _by_question_marks(columns, free)
    return guesses


def _candidates(columns: Columns, free: Sequence[str], word: str, aliases: Sequence[str]) -> Iterator[_Candidate]:
    for name in free:
        plain, sense = plain_name(name), read_column_name(name)
        if plain in aliases:
            strength, rank, why = BY_ALIAS, aliases.index(plain), f"its name is one for {word}"
        elif sense.word == word == c.ANSWER and sense.certain and _is_beside_answer(columns, free, name):
            # Beside it, a column `answer` is rather what a pipeline answered.
            strength, rank, why = BY_ALIAS, aliases.index(c.ANSWER) - 1, sense.why
        elif sense.word == word and not sense.is_bare_answer:
            strength, rank, why = BY_NAME if sense.certain else BY_HINT, 0, sense.why
        elif sense.is_bare_answer and word in (c.ANSWER, c.RESPONSE):
            strength, rank, why = BY_NAME, 1, sense.why
        elif sense.word == c.RESPONSE and word == c.ANSWER and not sense.is_pipeline:
            strength, rank, why = BY_HINT, 1, f"{sense.why}; it may be the expected one"
        else:
            continue
        if not contradiction(columns, name, word, sure=strength == BY_ALIAS):
            yield _Candidate(name, strength, rank, why)


def _is_beside_answer(columns: Columns, free: Sequence[str], name: str) -> bool:
    """Whether a golden answer stands beside a column `answer` that says much the same in its rows."""
    beside = next((name for name in free if plain_name(name) == c.ANSWER), None)
    if beside is None or _MAY_BE_PLACE.search(plain_name(name)):
        return False
    return share_words(columns.cells.get(name, ()), columns.cells.get(beside, ())) >= _ALIKE


def _choose_candidates(columns: Columns, word: str, candidates: Sequence[_Candidate]) -> Iterator[Guess]:
    """The best of the candidates, or all of the best if nothing tells them apart."""
    if not candidates:
        return
    # An empty column (Alpaca's `input`) is not the question where another column may be.
    candidates = [candidate for candidate in candidates if columns.look(candidate.column).filled] or candidates
    if word == c.PIPELINE:
        # What tells responses apart: one model may have several approaches.
        candidates = [pick for pick in candidates if columns.look(pick.column).distinct > 1] or candidates
    first = candidates[0]
    alike = [
        candidate for candidate in candidates if (candidate.strength, candidate.rank) == (first.strength, first.rank)
    ]
    if len(alike) > 1 and word == c.QUESTION:
        asking = [candidate for candidate in alike if columns.look(candidate.column).is_question]
        alike = asking if len(asking) == 1 else alike
    look = columns.look(alike[0].column)
    confirmed = word == c.QUESTION and look.says_something and look.is_question
    certain = len(alike) == 1 and (first.strength != BY_HINT or confirmed)
    for candidate in alike:
        yield Guess(candidate.column, word, candidate.why, columns.look(candidate.column).example, certain)


def _by_question_marks(columns: Columns, free: Sequence[str]) -> Iterator[Guess]:
    """The one column whose cells end in question marks, where no name says which is the question."""
    looks = {name: columns.look(name) for name in free if read_column_name(name).word in (None, c.QUESTION_ID)}
    asking = {name: look for name, look in looks.items() if look.says_something and look.is_question}
    for name, look in asking.items():
        why = f"{look.asking:.0%} of its cells end in a question mark"
        yield Guess(name, c.QUESTION, why, look.example, certain=len(asking) == 1)


def contradiction(columns: Columns, name: str, word: str, *, sure: bool = False) -> str:
    """Why the cells of a column cannot be what its name says; empty if they can.

    A column that is called as we call it is what it says, and a name that is `sure` is doubted less.
    """
    look = columns.look(name)
    if not look.says_something or plain_name(name) == word:
        return ""
    check = _CHECKS.get(word)
    return check(columns, name, look, sure) if check else ""


def _no_question(columns: Columns, name: str, look: Look, _: bool) -> str:
    if look.is_no_text:
        return "its cells are no texts"
    several = any(column != name and read_column_name(column).word == c.QUESTION for column in columns.names)
    return "all its cells are the same" if look.distinct == 1 and several else ""


def _no_answer(_columns: Columns, _name: str, look: Look, sure: bool) -> str:
    if look.is_link:
        return "its cells are web addresses or files"
    return "its cells are 0 and 1" if look.is_flag and look.is_number and not sure else ""


def _no_fact(columns: Columns, name: str, look: Look, sure: bool) -> str:
    return "its cells are yes and no" if look.is_flag and not sure else _no_answer(columns, name, look, sure)


def _no_pipeline(_columns: Columns, _name: str, look: Look, sure: bool) -> str:
    if look.filled >= _MANY and look.distinct > look.filled // 2 and look.words > _SHORT:
        return "its cells are texts of their own"
    return "its cells are numbers" if look.is_number and not sure else ""


def _no_contexts(columns: Columns, name: str, look: Look, _: bool) -> str:
    if look.is_number or look.is_flag:
        return "its cells are no texts"
    first = [text for cell in columns.cells.get(name, ())[:_MANY] for text in read_texts(cell) or ()]
    return "its cells are names of passages, and no texts" if first and not any(map(_has_words, first)) else ""


def _has_words(text: str) -> bool:
    """Whether it is more than an id: several words, or a script that leaves no spaces."""
    return len(text.split()) > 1 or not text.isascii()


def _no_flag(_columns: Columns, _name: str, look: Look, _: bool) -> str:
    return "" if look.is_flag else "its cells are not yes and no"


def _no_label(_columns: Columns, _name: str, look: Look, _: bool) -> str:
    is_prose = look.filled >= _MANY and look.distinct > _MOSTLY * look.filled and look.words > _SHORT
    return "its cells are texts of their own" if is_prose else ""


def _row_number(columns: Columns, name: str, look: Look, _: bool) -> str:
    """A number of its own for each row, while questions repeat, counts rows: it is no question's id."""
    question = next((name for name in columns.names if read_column_name(name).word == c.QUESTION), None)
    if question is None or question == name or look.distinct < look.filled:
        return ""
    questions = columns.look(question)
    if questions.filled == look.filled and questions.distinct <= look.filled // 2:
        return "it counts rows: the questions repeat and it does not"
    return ""


def _no_figure(_columns: Columns, _name: str, look: Look, _: bool) -> str:
    return "its cells are no numbers" if look.numbers < 1 - OVERLAP else ""


def _no_latency(columns: Columns, name: str, look: Look, sure: bool) -> str:
    if read_column_name(name).why.find("ms") < 0:
        figures = [_figure(cell) for cell in columns.cells.get(name, ()) if cell]
        if figures and max(figures) < _FEW_SECONDS and any(figure != int(figure) for figure in figures):
            return "its cells look like seconds; map it if they are milliseconds"
    return _no_figure(columns, name, look, sure)


def _figure(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return float(_FEW_SECONDS)


_CHECKS: Mapping[str, Callable[[Columns, str, Look, bool], str]] = {
    c.QUESTION: _no_question,
    c.ANSWER: _no_answer,
    c.FACT: _no_fact,
    c.QUESTION_ID: _row_number,
    c.PIPELINE: _no_pipeline,
    c.CONTEXTS: _no_contexts,
    c.LATENCY_MS: _no_latency,
    c.COST: _no_figure,
    c.ANSWERABLE: _no_flag,
    c.CATEGORY: _no_label,
    c.TAGS: _no_label,
}
"""For each word what its cells cannot be."""


def explain_left_out(columns: Columns, names: Sequence[str]) -> Iterator[Guess]:
    """Why columns are left out, where their names or cells say it."""
    for name in names:
        sense, look = read_column_name(name), columns.look(name)
        if sense.word == META:
            yield Guess(name, "", sense.why, look.example)
        elif sense.word and (why := contradiction(columns, name, sense.word)):
            yield Guess(name, "", f"its name says {sense.word}, but {why}", look.example)
