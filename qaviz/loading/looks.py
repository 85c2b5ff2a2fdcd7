"""What the cells of columns look like, and what speaks for or against a role: the evidence that names cannot give."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import polars as pl

from qaviz.loading.formats.cells import FLAGS, read_json, read_texts
from qaviz.loading.roles import META, ROWS, Guess, plain_name, read_column_name, says_unanswerable
from qaviz.model import columns as c

TEXTS = "its cells are texts of their own"
"""Why a column is no label."""
ENOUGH = 3
"""Filled cells from which on their look says something."""

_MOST = 0.8
_QUESTIONS = 0.6
"""Shares of the filled cells that make a column one of that kind."""

_SOME_ASK = 0.2
"""Share of the filled cells from which on a column under any name may be the question."""

_TELLING = 2_000
"""Characters at each end of a cell that say what it is: a cell of a million is not read whole."""

_NUMBER = re.compile(r"\s*[-+]?[\d.,\s]*\d\s*%?\s*")
_DATE = re.compile(r"\s*(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})([T ]\d{1,2}:\d{2}.*)?\s*")
_URL = re.compile(r"\s*(https?://|www\.|s3://|gs://|file:)\S+\s*", re.IGNORECASE)
_FILE = re.compile(r"[^\n]{1,150}\.(pdf|docx?|html?|md|txt|csv|xlsx?|pptx?|json)\b.{0,30}", re.IGNORECASE)
ASKS = r"[?？؟]\s*[\"'”’»)\]]*\s*$"
"""How a text ends that asks."""
_ASKS = re.compile(ASKS)
OVERLAP = 0.5
"""Share of rows with a word of the question, the golden answer or another response: then cells are like answers."""
EQUAL = 0.9
"""Share of rows from which two columns say the same."""
SHORT = 5
"""Words of a label or a system's name, at most."""
_OFTEN = 0.8
"""Share of the names that stand beside several questions."""
_NO_NAME = re.compile(r"[.!?。！？]$|\b(?:not?|unknown|sorry|cannot|none)\b|n't", re.IGNORECASE)
"""What names do not say, and short responses do."""
_MANY = 10
"""Filled cells from which on it counts how many of them differ."""
_SAMPLED = 300
"""Rows whose cells are looked at."""
_OUTCOME = re.compile(
    r"ok(ay)?|err(or)?|success(ful)?|succeeded|fail(ed|ure)?|pass(ed)?|done|completed?|time-?out", re.IGNORECASE
)
"""What cells say of how a request ended."""
_IDENTIFIER = re.compile(r"\S*\d\S*")
_FEW_SECONDS = 60
"""A latency below this, with decimals, is rather in seconds than in milliseconds."""

OPTION = re.compile(r"(?:(?:option|choice|opt|op|answer|ans|distractor)[\s_.-]*)?\(?([a-h]|[1-8])\)?", re.IGNORECASE)
FEWEST_OPTIONS = 3
_OPTIONS_SAID = 0.8
"""Share of the answers that have to name an option."""

_WORD = re.compile(r"\w+")
_SHORTEST_WORD = 4


@dataclass(frozen=True)
class Look:
    """What the filled cells of a column have in common. Shares are of the filled cells, 0 where there is none."""

    filled: int
    distinct: int
    asking: float
    """Share that ends in a question mark."""
    numbers: float
    lists: float
    """Share of JSON lists."""
    outcomes: float
    """Share of words for how a request ended."""
    words: float
    """Median number of words; in a script without spaces, of characters by two."""
    is_link: bool
    """Whether the cells are web addresses or file names."""
    is_flag: bool
    """Whether they are yes and no, true and false, 1 and 0."""
    is_no_text: bool
    """Whether they are numbers, dates, links or flags: nothing that a pipeline says at length."""
    are_identifiers: bool
    """Whether they are single words with digits: identifiers, versions, figures."""

    @property
    def says_something(self) -> bool:
        """Whether there are enough cells to judge by."""
        return self.filled >= ENOUGH

    @property
    def is_question(self) -> bool:
        """Whether the cells are questions."""
        return self.asking >= _QUESTIONS

    @property
    def may_ask(self) -> bool:
        """Whether some cells ask, so that a column under any name may be the question."""
        return self.asking >= _SOME_ASK

    @property
    def is_text(self) -> bool:
        """Whether the cells may be texts that somebody wrote."""
        return bool(self.filled) and not (self.is_no_text or self.repeats)

    @property
    def is_number(self) -> bool:
        """Whether the cells are numbers."""
        return self.numbers >= _MOST

    @property
    def is_identifier(self) -> bool:
        """Whether they are identifiers, most of them of one row."""
        return self.are_identifiers and self.distinct * 2 > self.filled

    @property
    def repeats(self) -> bool:
        """Whether few values stand again and again, as those of a category do."""
        return self.filled >= 2 * ENOUGH and self.distinct <= max(2, self.filled // ENOUGH)


def look_at(cells: Sequence[str | None]) -> Look:
    """What the filled cells look like."""
    whole_cells = [cell for cell in cells if cell is not None and cell.strip()]
    filled = [_keep_ends(cell) for cell in whole_cells]
    lengths = sorted(len(cell) / 2 if _is_unspaced(cell) else float(len(cell.split())) for cell in filled) or [0.0]

    def share(fits: Callable[[str], object], cells: Sequence[str] = filled) -> float:
        return sum(bool(fits(cell)) for cell in cells) / (len(cells) or 1)

    numbers, links = share(_NUMBER.fullmatch), max(share(_URL.fullmatch), share(_FILE.fullmatch))
    flags = share(lambda cell: cell.strip().lower() in FLAGS)
    return Look(
        filled=len(filled),
        distinct=len(set(filled)),
        asking=share(_ASKS.search),
        numbers=numbers,
        lists=share(lambda cell: isinstance(read_json(cell), list), whole_cells),
        outcomes=share(_OUTCOME.fullmatch),
        words=lengths[len(lengths) // 2],
        is_link=links >= _MOST,
        is_flag=flags >= _MOST,
        is_no_text=max(numbers, links, flags, share(_DATE.fullmatch)) >= _MOST,
        are_identifiers=share(_IDENTIFIER.fullmatch) >= _MOST,
    )


def share_words(cells: Sequence[str | None], *others: Sequence[str | None]) -> float:
    """Share of the rows with a filled cell that has a word in common with the same row of one of the others."""
    met = [
        any(_words(cell) & _words(other[place] if place < len(other) else None) for other in others)
        for place, cell in enumerate(cells)
        if cell and cell.strip()
    ]
    return sum(met) / len(met) if met else 0.0


def share_inside(cells: Sequence[str | None], other: Sequence[str | None]) -> float:
    """Share of the filled cells that are part of the same row's cell of the other column, case aside; of a cell with
    variants one of them is enough."""
    filled = [
        (cell.casefold().split(c.OR_DELIMITER.casefold()), around.casefold())
        for cell, around in zip(cells, other, strict=False)
        if cell and around
    ]
    inside = [any(part.strip() in around for part in parts) for parts, around in filled]
    return sum(inside) / len(inside) if inside else 0.0


def _words(cell: str | None) -> set[str]:
    """The words of four letters and more, all numbers, and pairs of characters of scripts without spaces."""
    words: set[str] = set()
    for word in _WORD.findall(_keep_ends(cell or "").casefold()):
        if not word.isascii() and _is_unspaced(word):
            words |= {word[place : place + 2] for place in range(len(word) - 1)}
        elif len(word) >= _SHORTEST_WORD or word.isdigit():
            words.add(word)
    return words


def _keep_ends(cell: str) -> str:
    """Return the cell, without the middle of a very long one."""
    return cell if len(cell) <= 2 * _TELLING else f"{cell[:_TELLING]}{cell[-_TELLING:]}"


def _is_unspaced(text: str) -> bool:
    return any("\u3040" <= char <= "\u30ff" or "\u4e00" <= char <= "\u9fff" for char in text)


@dataclass(frozen=True)
class Columns:
    """A table's first rows, every cell as text, and what its columns look like."""

    frame: pl.DataFrame
    _looks: dict[str, Look] = field(default_factory=dict)
    _cells: dict[str, list[str | None]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """All columns."""
        return self.frame.columns

    def cells(self, name: str) -> list[str | None]:
        """The first cells of a column."""
        if name not in self._cells:
            self._cells[name] = self.frame[name].head(_SAMPLED).to_list()
        return self._cells[name]

    def look(self, name: str) -> Look:
        """What they look like."""
        if name not in self._looks:
            self._looks[name] = look_at(self.cells(name))
        return self._looks[name]

    def is_label(self, name: str, answer: str = "") -> bool:
        """Whether the cells are a short name or a few, each of several questions: of versions, models, kinds. Letters,
        words of denial, and golden answers in the column `answer` are none."""
        look = self.look(name)
        question = next((other for other in self.names if read_column_name(other).word == c.QUESTION), "")
        if not look.says_something or look.is_no_text or look.words > SHORT or look.outcomes >= _MOST:
            return False
        questions = self.look(question).distinct if question else look.filled
        values = Counter(_even_cells(self.cells(name)))
        again = sum(number > 1 for number in values.values())
        if len(values) > max(2, questions // ENOUGH) or again < _OFTEN * len(values):
            return False
        golden = set(_even_cells(self.cells(answer))) if answer else set()
        telling = [value for value in values if not _NO_NAME.search(value) and value not in golden]
        are_letters = len(values) > 1 and max(len(re.sub(r"\W", "", value)) for value in values) <= 1
        return len(telling) * 2 > len(values) and not are_letters

    def guess(self, name: str, word: str, why: str = "", *, certain: bool = True) -> Guess:
        """What a column is taken for; without another reason because of its name."""
        return Guess(name, word, why or read_column_name(name).why or f"its name is one for {word}", certain)

    def share_equal(self, name: str, other: str) -> float:
        """Share of the rows with a filled cell in which two columns say the same; 0 where they are few."""
        texts = [[(cell or "").strip().lower() for cell in self.cells(column)] for column in (name, other)]
        filled = [pair for pair in zip(*texts, strict=True) if any(pair)]
        return sum(cell == beside for cell, beside in filled) / len(filled) if len(filled) > ENOUGH + 1 else 0.0

    def count_groups(self, names: Iterable[str]) -> int:
        """How many different rows these columns have."""
        return self.frame.select(*dict.fromkeys(names)).n_unique()


def contradiction(columns: Columns, name: str, word: str, *, sure: bool = False) -> str:
    """Why the cells of a column cannot be what its name says; empty if they can.

    A column that is called as we call it is what it says, and a name that is `sure` is doubted less.
    """
    look = columns.look(name)
    if word == c.ANSWERABLE and _says_what_stands_there(columns, name):
        return "it says no where golden answers stand"
    if not look.says_something or plain_name(name) == word:
        return ""
    if word == c.QUESTION_ID:
        return TEXTS if look.words > 2 else ""
    if word in (c.QUESTION, c.CONTEXTS):
        return "its cells are no texts" if look.is_no_text or _are_names_of_passages(columns, name, word) else ""
    if word in (c.ANSWER, c.RESPONSE, c.FACT):
        return _no_answer(columns, name, look, sure)
    if word in (c.PIPELINE, c.CATEGORY, c.TAGS):
        is_prose = look.filled >= _MANY and look.distinct > look.filled // 2 and look.words > SHORT
        is_figure = word == c.PIPELINE and look.is_number and not sure
        is_flag = word == c.PIPELINE and look.is_flag and not read_column_name(name).certain
        return TEXTS if is_prose else "its cells are figures" if is_figure or is_flag else ""
    if word == c.ANSWERABLE:
        return "" if look.is_flag else "its cells are not yes and no"
    if word in (c.LATENCY_MS, c.COST) and look.numbers < 1 - OVERLAP:
        return "its cells are no numbers"
    if word == c.LATENCY_MS and "ms" not in read_column_name(name).why and _are_seconds(columns.cells(name)):
        return "its cells look like seconds; map it if they are milliseconds"
    return ""


def _says_what_stands_there(columns: Columns, name: str) -> bool:
    """Whether a column such as `has_answer`, which may be about passages, denies golden answers that stand there."""
    if not re.search(r"(has|have|no|without)(_an?)?_answers?$", plain_name(name)):
        return False
    golden = [other for other in columns.names if _is_called_answer(other) and other != name]
    golden = [other for other in golden if read_column_name(other).word == c.ANSWER] or golden[:1]
    denied = not says_unanswerable(name)
    rows = zip(columns.cells(name), *map(columns.cells, golden[:1]), strict=True)
    says_no = [cells[1:] for cells in rows if cells[0] and FLAGS.get(cells[0].strip().lower()) is not denied]
    return not golden or any(cell and cell.strip() not in ("", "[]") for row in says_no for cell in row)


def _no_answer(columns: Columns, name: str, look: Look, sure: bool) -> str:
    """Why cells are no answers: addresses, or flags and numbers about the answers in other columns."""
    if look.is_link:
        return "its cells are web addresses or files"
    others = [other for other in columns.names if other != name and _is_called_answer(other)]
    says_whether = plain_name(name) == "correct" or plain_name(name).endswith("_correct")
    is_stated = any(share_inside(columns.cells(name), columns.cells(other)) >= OVERLAP for other in others)
    is_beside = any(columns.look(other).is_text for other in others) and not is_stated
    if look.is_flag and (says_whether or is_beside or not read_column_name(name).certain):
        return "its cells say whether it is right"
    if says_whether and look.is_number and others and not is_stated:
        return "its cells are scores"
    return "its cells are 0 and 1" if look.is_flag and look.is_number and not sure else ""


def _is_called_answer(name: str) -> bool:
    return plain_name(name) == c.ANSWER or read_column_name(name).word in (c.ANSWER, c.RESPONSE)


def _are_names_of_passages(columns: Columns, name: str, word: str) -> bool:
    texts = [text for cell in columns.cells(name)[:_MANY] for text in read_texts(cell) or ()]
    is_text = any(len(text.split()) > 1 or not text.isascii() for text in texts)
    return word == c.CONTEXTS and bool(texts) and not is_text


def _are_seconds(cells: Sequence[str | None]) -> bool:
    figures = [float(cell) for cell in cells if cell and re.fullmatch(r"\d+(\.\d+)?", cell.strip())]
    return bool(figures) and max(figures) < _FEW_SECONDS and any(figure != int(figure) for figure in figures)


def _even_cells(cells: Iterable[str | None]) -> list[str]:
    return [cell.strip().casefold() for cell in cells if cell and cell.strip()]


def find_choices(columns: Columns, answer: str) -> dict[str, str]:
    """The columns of a multiple-choice question's options by their labels, where the golden answer names one of them;
    empty where there are none."""
    options = {}
    for name in columns.names:
        match = OPTION.fullmatch(plain_name(name)) or OPTION.fullmatch(name.strip())
        if match and name != answer:
            options[match[1].upper()] = name
    if len(options) < FEWEST_OPTIONS or not answer:
        return {}
    labels = sorted(options)
    start = "A" if labels[0].isalpha() else "1"
    if labels != [chr(ord(start) + place) for place in range(len(labels))]:
        return {}
    given = [
        (cell.strip(), {columns.cells(option)[place] for option in options.values()})
        for place, cell in enumerate(columns.cells(answer))
        if cell and cell.strip()
    ]
    named = sum(name_option(cell, labels) is not None for cell, _ in given)
    spelled = sum(cell in row for cell, row in given)
    return options if given and max(named, spelled) >= _OPTIONS_SAID * len(given) else {}


def name_option(answer: str, labels: Sequence[str]) -> str | None:
    """The label of the option that an answer names: `B`, `b)`, `(B)`, `2`, `Option B`; None where it names none."""
    match = OPTION.fullmatch(answer.strip().rstrip(".:)"))
    if not match:
        return None
    label = match[1].upper()
    if label not in labels and label.isdigit() and int(label) <= len(labels):
        return labels[int(label) - 1]
    return label if label in labels else None


def find_separating(columns: Columns, keys: Sequence[str], used: Iterable[str]) -> list[str]:
    """The column that tells apart the rows that are alike in the keys, each of its values beside most of these; none
    where no rows are alike."""
    before, height = columns.count_groups(keys), columns.frame.height
    best: list[str] = []
    for name in columns.names:
        look, is_about_row = columns.look(name), read_column_name(name).word == META
        names_rows = before > 1 and look.distinct == height and look.are_identifiers
        names_none = max(look.outcomes, look.lists) >= _MOST or names_rows or (is_about_row and look.is_flag)
        if name in used or plain_name(name) in ROWS or names_none:
            continue
        is_score = look.is_number and look.distinct * 2 > look.filled and "." in "".join(map(str, columns.cells(name)))
        is_even = look.distinct > 1 and look.distinct * before * OVERLAP <= height
        if before < height and is_even and not is_score and columns.count_groups([*keys, name]) >= EQUAL * height:
            best = best if best and is_about_row else [name]
    return best
