"""What a table means is a hypothesis: tests of it on the cells themselves, and readings that a person may choose from.

A column of few short values over many questions is a name, a column equal to a golden column is no response, options
beside a letter are a multiple-choice golden dataset, rows of one question and pipeline have something that tells them
apart.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from qaviz.loading.column_guess import Columns, Guess
from qaviz.loading.column_senses import META, plain_name, read_column_name
from qaviz.loading.column_values import ENOUGH, share_words
from qaviz.model.columns import ANSWER, FACT, PIPELINE, QUESTION, REPEAT, RESPONSE

_LONGEST_NAME = 80
_NAME_WORDS = 5
"""Characters and words of a system's name, at most."""
_NO_NAME = re.compile(r"[.!?。！？]$|\b(?:not?|unknown|sorry|cannot|none)\b|n't", re.IGNORECASE)
"""What names do not say, and short responses do."""
_MOST_NAMES = 40
"""Systems that one column names, at most."""
_HALF = 0.5
_EQUAL = 0.9
"""Share of rows from which two columns say the same."""
_OPTION = re.compile(r"(?:(?:option|choice|opt|op|answer|ans|distractor)[\s_.-]*)?\(?([a-h]|[1-8])\)?", re.IGNORECASE)
_FEWEST_OPTIONS = 3
_OPTIONS_SAID = 0.8
"""Share of the answers that have to name an option."""
_MOST_VALUES = 50
"""Values of a column that tells rows apart, at most: a row's number or time tells nothing."""
_MOST_SEPARATING = 4
_ASIDE = re.compile(r"(?i)seed|temperature|run|fold|iteration|trial|epoch|repeat|round|attempt")
"""Names of columns that number repeats."""

READINGS = 2
"""Readings that a person is shown to choose from."""


@dataclass(frozen=True)
class Reading:
    """One way to read a file that is in doubt."""

    label: str
    """In words: `"Reply" holds the responses`."""
    mapping: Mapping[str, str]
    """The columns that it settles -> our word."""


def find_names(columns: Columns, question: str | None, golden: Iterable[str] = ()) -> list[str]:
    """The columns whose cells name who answered: few short values, each over several questions of the column `asked`,
    and none of them golden answers (of the columns `golden`)."""
    if question is None:
        return []
    questions = columns.cells.get(question, ())
    answers = {_plain(cell) for name in golden for cell in columns.cells.get(name, ())}
    return [
        name
        for name in columns.names
        if name != question and _are_names(columns.cells.get(name, ()), questions, answers, columns, name)
    ]


def _are_names(
    cells: Sequence[str | None],
    questions: Sequence[str | None],
    answers: set[str | None],
    columns: Columns,
    name: str,
) -> bool:
    look = columns.look(name)
    if look.filled < ENOUGH or look.is_no_text or look.distinct > _MOST_NAMES or look.words > _NAME_WORDS:
        return False
    questions_by_name: dict[str, set[str | None]] = {}
    for cell, question in zip(cells, questions, strict=False):
        if cell and cell.strip():
            questions_by_name.setdefault(cell.strip(), set()).add(question)
    several = sum(len(of) > 1 for of in questions_by_name.values())
    if (
        not questions_by_name
        or several < max(1, 0.8 * len(questions_by_name))
        or any(len(value) > _LONGEST_NAME or _NO_NAME.search(value) for value in questions_by_name)
    ):
        return False
    if all(len(value) == 1 for value in questions_by_name):
        return False  # letters of options
    different = len(set(questions)) if questions else 0
    if len(questions_by_name) > max(1, different // 2) and len(questions_by_name) * 2 > look.filled:
        return False
    return sum(_plain(value) in answers for value in questions_by_name) * 2 < len(questions_by_name)


def _plain(cell: str | None) -> str | None:
    return cell.strip().casefold() if cell and cell.strip() else None


def choose_pipeline(columns: Columns, names: Sequence[str], taken: Iterable[str]) -> Guess | None:
    """The one of the columns of names that says which pipeline answered; None where none does, or several differ."""
    free = [name for name in names if name not in set(taken)]
    senses = {name: read_column_name(name) for name in free}
    # Of several values more columns can be names of who answered.
    naming = [
        name
        for name, sense in senses.items()
        if sense.word == PIPELINE or (sense.word == RESPONSE and (columns.look(name).distinct > 1 or sense.is_pipeline))
    ]
    naming.sort(key=lambda name: senses[name].word != PIPELINE)
    if not naming or any(not _same_groups(columns, naming[0], name) for name in naming[1:]):
        return None
    why = f"its {columns.look(naming[0]).distinct} values stand beside many questions: they name who answered"
    return Guess(naming[0], PIPELINE, why, columns.look(naming[0]).example)


def _same_groups(columns: Columns, first: str, second: str) -> bool:
    """Whether two columns part the rows in the same way: a model's name and its number."""
    pairs = set(zip(columns.cells.get(first, ()), columns.cells.get(second, ()), strict=False))
    return len(pairs) == columns.look(first).distinct == columns.look(second).distinct


def read_texts_by_content(
    columns: Columns, question: str | None, taken: Iterable[str]
) -> tuple[list[Guess], list[Guess]]:
    """What may be the golden answer and what the response among columns whose headings are not understood.

    Where questions repeat, the golden answer is the same each time and a response differs. A text that shares words
    with the columns of several systems, or the only text beside the questions, is their golden answer. What is not
    decided so is doubtful, in both lists.
    """
    if question is None:
        return [], []
    used = set(taken)
    texts = [name for name in columns.names if name not in used and name != question and _is_unread_text(columns, name)]
    constant = [name for name in texts if _is_same_each_time(columns, question, name)]
    systems = [name for name in columns.names if name not in used and read_column_name(name).is_pipeline]
    answers = [name for name in columns.names if name not in texts and read_column_name(name).word == RESPONSE]
    if repeats(columns, question):
        varying = [name for name in texts if name not in constant]
        likely = [name for name in constant if _shares(columns, name, varying or answers)]
        golden = [_by_content(columns, name, ANSWER, _SAME, sure=len(likely) == 1) for name in likely]
        sure = len(varying) == 1 and len(likely) == 1
        return golden, [_by_content(columns, name, RESPONSE, _DIFFERS, sure=sure) for name in varying]
    if len(systems) > 1 or not answers:
        likely = [name for name in texts if len(systems) < 2 or _shares(columns, name, systems)]
        if len(likely) == 1:
            return [_by_content(columns, likely[0], ANSWER, _ONLY_TEXT, sure=True)], []
    return (
        [_by_content(columns, name, ANSWER, _EITHER, sure=False) for name in texts],
        [_by_content(columns, name, RESPONSE, _EITHER, sure=False) for name in reversed(texts)],
    )


NOT_UNDERSTOOD = "its heading is not understood"


def repeats(columns: Columns, question: str) -> bool:
    """Whether the questions stand twice and more: for several pipelines, or several times."""
    look = columns.look(question)
    return look.filled >= ENOUGH and look.distinct * 2 <= look.filled


_SAME = f"{NOT_UNDERSTOOD}; it is the same each time a question stands there"
_DIFFERS = f"{NOT_UNDERSTOOD}; it differs each time a question stands there"
_ONLY_TEXT = f"{NOT_UNDERSTOOD}; it is the only text beside the questions that may be the answer"
_EITHER = f"{NOT_UNDERSTOOD}; it may be the golden answer or a response"


def _by_content(columns: Columns, name: str, word: str, why: str, *, sure: bool) -> Guess:
    return Guess(name, word, why, columns.look(name).example, certain=sure)


def _is_unread_text(columns: Columns, name: str) -> bool:
    """Whether a column holds texts of their own under a heading that says nothing."""
    look = columns.look(name)
    few = look.distinct * 3 <= look.filled and look.words <= _NAME_WORDS
    own = look.filled >= ENOUGH and not look.is_no_text and not look.counts and not few and look.lists == 0
    return own and look.words > 1 and read_column_name(name).word is None


def _is_same_each_time(columns: Columns, question: str, name: str) -> bool:
    pairs = set(zip(columns.cells.get(question, ()), columns.cells.get(name, ()), strict=False))
    return len(pairs) == columns.look(question).distinct


def _shares(columns: Columns, name: str, others: Sequence[str]) -> bool:
    """Whether half of its cells have a word in common with one of the others in their row."""
    return share_words(columns.cells.get(name, ()), *(columns.cells.get(other, ()) for other in others)) >= _HALF


def find_fault(columns: Columns, name: str, golden: Mapping[str, str]) -> str:
    """Why the cells of a column cannot be responses: they are those of a golden column; empty if they can be."""
    cells = columns.cells.get(name, ())
    for other, word in golden.items():
        if other == name or word not in (QUESTION, ANSWER, FACT):
            continue
        both = [
            (_plain(left), _plain(right))
            for left, right in zip(cells, columns.cells.get(other, ()), strict=False)
            if left and left.strip()
        ]
        same = sum(left == right for left, right in both)
        long = word == QUESTION or columns.look(name).words >= _NAME_WORDS
        if len(both) > ENOUGH + 1 and long and same >= _EQUAL * len(both):
            return f"its cells are those of the column {other!r}"
    return ""


def find_choices(columns: Columns, answer: str | None) -> dict[str, str]:
    """The columns of a multiple-choice question's options by their labels, where the golden answer names one of them;
    empty where there are none."""
    options = {}
    for name in columns.names:
        match = _OPTION.fullmatch(plain_name(name)) or _OPTION.fullmatch(name.strip())
        if match and name != answer:
            options[match[1].upper()] = name
    if len(options) < _FEWEST_OPTIONS or answer is None:
        return {}
    labels = sorted(options)
    start = "A" if labels[0].isalpha() else "1"
    if labels != [chr(ord(start) + place) for place in range(len(labels))]:
        return {}
    answers = [cell.strip() for cell in columns.cells.get(answer, ()) if cell and cell.strip()]
    rows = [
        {columns.cells[option][place] for option in options.values() if place < len(columns.cells.get(option, ()))}
        for place, cell in enumerate(columns.cells.get(answer, ()))
        if cell and cell.strip()
    ]
    named = sum(name_option(cell, labels) is not None for cell in answers)
    spelled = sum(cell in row for cell, row in zip(answers, rows, strict=True))
    return options if answers and max(named, spelled) >= _OPTIONS_SAID * len(answers) else {}


def name_option(answer: str, labels: Sequence[str]) -> str | None:
    """The label of the option that an answer names: `B`, `b)`, `(B)`, `2`, `Option B`; None where it names none."""
    match = _OPTION.fullmatch(answer.strip().rstrip(".:)"))
    if not match:
        return None
    label = match[1].upper()
    if label not in labels and label.isdigit() and int(label) <= len(labels):
        return labels[int(label) - 1]
    return label if label in labels else None


def find_separating(columns: Columns, question: str | None, pipelines: Sequence[str], used: Iterable[str]) -> list[str]:
    """The columns that tell apart the rows of one question and pipeline, the most telling first; none where no rows are
    alike in both, or nothing tells them apart."""
    if question is None:
        return []
    keys = [columns.cells.get(name, ()) for name in (question, *pipelines)]
    rows = list(zip(*keys, strict=False))
    taken = set(used)
    others = [
        name
        for name in columns.names
        if name not in taken and 1 < columns.look(name).distinct <= min(_MOST_VALUES, len(rows) // 2)
    ]
    # What numbers a repeat or names a condition tells more than a grade that happens to differ.
    others.sort(key=lambda name: (read_column_name(name).word == META and not _ASIDE.search(name), 0))
    chosen: list[str] = []
    best = len(set(rows))
    while best < len(rows) and len(chosen) < _MOST_SEPARATING:
        counted = [
            (len(set(zip(rows, columns.cells.get(name, ()), strict=False))), -place)
            for place, name in enumerate(others)
            if name not in chosen
        ]
        more, place = max(counted, default=(best, 0))
        if more <= best:
            break
        chosen.append(others[-place])
        rows = list(zip(rows, columns.cells.get(others[-place], ()), strict=False))
        best = more
    return chosen


def numbers_repeats(name: str) -> bool:
    """Whether a column's name says that it numbers repeats: `seed`, `run`, `fold`."""
    return read_column_name(name).word == REPEAT or bool(_ASIDE.search(name))


def list_readings(lacking: Iterable[str], guesses: Sequence[Guess]) -> tuple[Reading, ...]:
    """What a person may choose from where these words are `lacking`: the first of the doubtful columns for each, and
    then the next one."""
    words = list(lacking)
    doubtful = [guess for guess in guesses if not guess.certain]
    by_word = {word: [guess.column for guess in doubtful if guess.word == word] for word in words}
    if not words or not all(by_word.values()):
        return ()
    return tuple(_read_by(by_word, place) for place in range(min(READINGS, max(map(len, by_word.values())))))


def _read_by(by_word: Mapping[str, Sequence[str]], place: int) -> Reading:
    mapping: dict[str, str] = {}
    for word, names in by_word.items():
        free = [name for name in (*names[place:], *names) if name not in mapping]
        if free:
            mapping[free[0]] = word
    label = ", ".join(f'"{name}" is {word}' for name, word in mapping.items())
    return Reading(label, mapping)


def name_roles(words: Mapping[str, str], pipelines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each of our words with the columns that are read as it."""
    for word in dict.fromkeys([*words.values(), *([RESPONSE] if pipelines else [])]):
        yield word, [*(name for name, of in words.items() if of == word), *(pipelines if word == RESPONSE else ())]
