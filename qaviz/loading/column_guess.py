"""Guess which column holds which of our words, by its name and its cells; each guess says why. Where several readings
of a table pass the tests on its cells, a person may choose from them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from qaviz.loading.column_senses import META, plain_name, read_column_name
from qaviz.loading.column_values import ENOUGH, Cells, Look, look_at, read_texts, share_words
from qaviz.model import columns as c
from qaviz.model.columns import ANSWER, FACT, PIPELINE, QUESTION, REPEAT, RESPONSE

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
