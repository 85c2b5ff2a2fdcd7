"""Which columns of a table may hold answers, by their names and cells; what they are, `recognise` decides."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qaviz.loading.looks import share_inside, share_words
from qaviz.loading.roles import (
    NAMES,
    OVERLAP,
    RESPONSE_NAMES,
    Columns,
    contradiction,
    find_choices,
    find_question,
    group_objects,
)
from qaviz.loading.terms import plain_name, read_column_name
from qaviz.model import columns as c

SYSTEM = re.compile(
    r"([a-z]|[pvms][\W_]*\d{1,3}|(p|v|m|s|sys|system|pipeline|model|run|variant|config|experiment|exp|option|candidate"
    r"|version|rag|baseline|bot|pipe|llm|agent|prod|staging|new|old|before|after|current|proposed)"
    r"([\W_]+\w{0,3}|\d{1,3}\w?|(?-i:[A-Z]))?)",
    re.IGNORECASE,
)
"""Names that people give to pipelines."""


@dataclass
class Candidates:
    """The columns that may hold answers, and what they may be."""

    golden: list[str]
    """Golden answers by their names, the best first."""
    bare: list[str]
    """Answers of which no name says whose they are."""
    produced: list[str]
    """What systems said, by their names; without those that are no texts."""
    grouped: dict[str, str]
    """Of objects a system, the fields that are responses, with the system's name."""
    unread: list[str]
    """Texts like answers under names that say nothing."""
    untold: list[str]
    """Other texts under such names: a pipeline of a wide table that is seldom right looks like them."""
    names: list[str]
    """Columns that may name who answered, the likeliest first."""
    choices: dict[str, str]

    def is_of_system(self, name: str) -> bool:
        """Whether a column stands in one system's object, so that it says nothing of the row."""
        return any(name.startswith(f"{outer.rpartition('.')[0]}.") for outer in self.grouped)


def find_candidates(columns: Columns, mapping: Mapping[str, str], words: Mapping[str, str]) -> Candidates:
    """What the columns that are not taken may be, as far as answers and pipelines go."""
    free = [name for name in columns.names if name not in words and name not in mapping]
    bare = [name for name in free if plain_name(name) == c.ANSWER or read_column_name(name).is_bare_answer]
    golden = [
        name
        for name in free
        if name not in bare and says_word(name, c.ANSWER) and not contradiction(columns, name, c.ANSWER, sure=True)
    ]
    golden.sort(key=lambda name: (not columns.look(name).filled, *_rank(name, c.ANSWER)))
    taken_answer = next((name for name, word in words.items() if word == c.ANSWER), "")
    answer = taken_answer or next(iter([*golden, *bare]), "")
    choices = find_choices(columns, answer)
    question = find_question(words)
    free = [name for name in free if name not in choices.values() and name not in golden]
    names = _find_names(columns, free, answer)
    grouped = group_objects(free)
    produced = [
        name
        for name in free
        if name not in (*bare, *grouped)
        and says_word(name, c.RESPONSE)
        and not (name in names and not _is_text(columns, name))
        and _may_be_response(columns, name, answer)
    ]
    produced.sort(key=lambda name: _rank(name, c.RESPONSE))
    roles_taken = [name for name in (question, answer, *bare, *produced) if name]
    others = [name for name in free if name not in (*bare, *produced, *names, *grouped)]
    texts = [name for name in others if _holds_texts(columns, name)]
    unread = [name for name in texts if _is_like_answers(columns, name, roles_taken)]
    untold = [name for name in texts if name not in unread and columns.look(name).is_text]
    return Candidates(golden, bare, produced, grouped, unread, untold, names, choices)


def says_word(name: str, word: str) -> bool:
    """Whether a column's name says that it holds answers of this kind."""
    names, named = NAMES[word], read_column_name(name)
    if plain_name(name) in names and plain_name(name) != c.ANSWER:
        return True
    return named.word == word or (word == c.RESPONSE and named.word == c.PIPELINE and plain_name(name) != c.PIPELINE)


def _rank(name: str, word: str) -> tuple[int, bool]:
    names = NAMES[word]
    return (
        names.index(plain_name(name)) if plain_name(name) in names else len(names),
        not read_column_name(name).certain,
    )


def _is_text(columns: Columns, name: str) -> bool:
    """Whether the cells are texts of their own and no names: "Model" may be what the model said."""
    return read_column_name(name).word == c.PIPELINE and bool(contradiction(columns, name, c.PIPELINE, sure=True))


def _may_be_response(columns: Columns, name: str, answer: str) -> bool:
    """Whether the cells of a column with a response's name can be responses: numbers, flags and labels are only where
    the golden answers are."""
    look = columns.look(name)
    if read_column_name(name).word == c.PIPELINE and plain_name(name) not in RESPONSE_NAMES[c.RESPONSE]:
        return _is_text(columns, name)
    if not look.says_something or plain_name(name) == c.RESPONSE:
        return not (look.filled and look.is_link)
    if look.is_link or (look.distinct == 1 and columns.is_label(name)):
        return False
    if not answer:
        return not look.is_number or read_column_name(name).certain
    golden = columns.look(answer)
    are_labels = columns.is_label(answer) or not columns.is_label(name, answer)
    return are_labels and (golden.is_number or not look.is_number) and (golden.is_flag or not look.is_flag)


def _holds_texts(columns: Columns, name: str) -> bool:
    """Whether a column under a name that says nothing holds texts; under a system's name, flags and dates too."""
    look = columns.look(name)
    is_number = look.says_something and look.is_number
    is_text = not look.is_no_text or (SYSTEM.fullmatch(name.strip()) is not None and not is_number)
    has_name = re.fullmatch(r"column \d+", name) is None
    says_nothing = has_name and read_column_name(name).word is None
    return says_nothing and bool(look.filled) and is_text and look.lists <= OVERLAP


def _is_like_answers(columns: Columns, name: str, roles_taken: Sequence[str]) -> bool:
    """Whether a system's name, or texts that share words with questions and answers and are no part of them, make a
    column one of answers."""
    look, cells = columns.look(name), columns.cells(name)
    if look.says_something and look.repeats and look.words <= 2:
        return False
    beside = [columns.cells(other) for other in roles_taken if other != name]
    is_part = any(share_inside(cells, other) >= OVERLAP for other in beside)
    return SYSTEM.fullmatch(name.strip()) is not None or (not is_part and share_words(cells, *beside) >= OVERLAP)


def _find_names(columns: Columns, free: Sequence[str], answer: str) -> list[str]:
    """The columns that name who answered, the likeliest first: by their names, then those with a response's name and
    labels in their cells, unless golden answers are labels too."""
    names = [
        name
        for name in free
        if (read_column_name(name).word == c.PIPELINE or plain_name(name) in NAMES[c.PIPELINE])
        and columns.look(name).filled
        and not contradiction(columns, name, c.PIPELINE, sure=True)
    ]
    names.sort(key=lambda name: (columns.look(name).distinct == 1, *_rank(name, c.PIPELINE)))
    labels = [
        name
        for name in free
        if read_column_name(name).word == c.RESPONSE
        and plain_name(name) not in RESPONSE_NAMES[c.RESPONSE]
        and columns.look(name).distinct > 1
        and columns.is_label(name, answer)
    ]
    return [*names, *([] if answer and columns.is_label(answer) else labels)]
