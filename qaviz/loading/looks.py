"""The evidence: a row for each column of a table, with what its name and its cells say for or against a role."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations

import polars as pl

from qaviz.loading import roles
from qaviz.loading.formats.cells import FLAGS, read_json, read_list, read_texts
from qaviz.loading.roles import META, Guess
from qaviz.model import columns as c

ENOUGH = 3
"""Filled cells from which on their look says something."""

_MOST = 0.8
"""Share of the filled cells that makes a column one of that kind."""
_TELLING = 2_000
"""Characters at each end of a cell that say what it is: a cell of a million is not read whole."""

OVERLAP = 0.5
"""Share of rows with a word of the question, the golden answer or another response: then cells are like answers."""
EQUAL = 0.9
"""Share of rows from which two columns say the same."""
SHORT = 5
"""Words of a label or a system's name, at most."""
_NO_NAME = re.compile(r"[.!?。！？]$|\b(?:not?|unknown|sorry|cannot|none)\b|n't", re.IGNORECASE)
"""What names do not say, and short responses do."""
_MANY = 10
"""Filled cells from which on it counts how many of them differ."""

_CELLS = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in roles.PHRASES["cells"].items()}
_CELLS["flag"] = re.compile(rf"\s*({'|'.join(FLAGS)})\s*", re.IGNORECASE)
OPTION = _CELLS["option"]
FEWEST_OPTIONS = 3

_WORD = re.compile(r"\w+")


def _fact(rule: "Callable[[Column], bool]") -> "cached_property[bool]":
    """What holds of a column or not, found out once."""
    return cached_property(rule)


class Column:
    """A column's name and first cells, and what both say. Shares are of the filled cells, 0 where there is none."""

    def __init__(self, series: pl.Series) -> None:
        """Of the whole column, of which the first cells are looked at."""
        self.name = series.name
        self._series = series
        self._shares: dict[str, float] = {}
        self.named, self.plain = roles.read_column_name(self.name), roles.plain_name(self.name)

    def terms(self, *without: str) -> list[str]:
        """The terms of the name but those that say one of these."""
        return [text for text, sense, _ in self._terms if sense not in without]

    def says(self, word: str) -> bool:
        """Whether the name says that these are golden answers, or responses."""
        if (self.plain in roles.NAMES[word] and self.plain != c.ANSWER) or self.named.word == word:
            return True
        return word == c.RESPONSE and self.named.word == c.PIPELINE and self.plain != c.PIPELINE

    def rank(self, word: str) -> tuple[int, bool]:
        """How good the name is for a word: its place among the word's names, and whether its terms leave it open."""
        names = roles.NAMES[word]
        return names.index(self.plain) if self.plain in names else len(names), not self.named.certain

    @property
    def system(self) -> str:
        """What the name says beside that it is a response: the system's name; empty where that is only its form."""
        others = ("PREDICTED", "PRODUCED", "ANSWER", "GOLDEN", "FILLER")
        return " ".join(term for term in self.terms(*others) if term not in roles.WORDS["form"])

    @property
    def is_unsure(self) -> bool:
        """Whether they may be some system's, by a term that nobody knows: "our answer" or "exact answer"."""
        is_told = self.is_of_system or not self.system or re.search(r"\d", self.name)
        return self.named.is_pipeline and not is_told

    @property
    def is_half_said(self) -> bool:
        """Whether nobody knows what a term of the name says: of "expected codes" only that they are expected."""
        is_form = roles.WORDS["options"].intersection(self.terms()) or roles.PATTERNS["forms"].search(self.plain)
        return not (is_form or self.plain == "true" or roles.read_column_name(self.name.rpartition(".")[2]).certain)

    @cached_property
    def _terms(self) -> list[tuple[str, str | None, str]]:
        return roles.read_terms(self.name)

    @cached_property
    def cells(self) -> list[str | None]:
        """The first cells."""
        return self._series.head(300).to_list()  # rows that are looked at

    @cached_property
    def _texts(self) -> list[str]:
        return [_keep_ends(cell) for cell in self.cells if cell is not None and cell.strip()]

    def share(self, kind: str) -> float:
        """Share of the cells of one kind (`phrases.toml`)."""
        if kind not in self._shares:
            fits = _CELLS[kind].fullmatch
            self._shares[kind] = sum(fits(text) is not None for text in self._texts) / (len(self._texts) or 1)
        return self._shares[kind]

    def are(self, kind: str) -> bool:
        """Whether the cells are of one kind."""
        return self.share(kind) >= _MOST

    @property
    def filled(self) -> int:
        """Cells with something in them."""
        return len(self._texts)

    @cached_property
    def distinct(self) -> int:
        """Different texts."""
        return len(set(self._texts))

    @cached_property
    def words(self) -> float:
        """Median number of words; in a script without spaces, of characters by two."""
        lengths = sorted(len(text) / 2 if _is_unspaced(text) else float(len(text.split())) for text in self._texts)
        return lengths[len(lengths) // 2] if lengths else 0.0

    @cached_property
    def lists(self) -> float:
        """Share of JSON lists."""
        cells = [cell for cell in self.cells if cell is not None and cell.strip()]
        return sum(isinstance(read_json(cell), list) for cell in cells) / (len(cells) or 1)

    @property
    def are_seconds(self) -> bool:
        """Whether they are below a minute, with decimals: rather seconds than milliseconds."""
        figures = [float(cell) for cell in self.cells if cell and re.fullmatch(r"\d+(\.\d+)?", cell.strip())]
        return bool(figures) and max(figures) < 60 and any(figure != int(figure) for figure in figures)

    @property
    def are_names_of_passages(self) -> bool:
        """Whether the texts of the lists in them are single words, and no passages."""
        texts = [text for cell in self.cells[:_MANY] for text in read_texts(cell) or ()]
        return bool(texts) and not any(len(text.split()) > 1 or not text.isascii() for text in texts)

    says_form = _fact(lambda column: bool(roles.WORDS["raw_or_parsed"] & set(column.terms())))
    """Whether the name says in which form the response stands there: what stands beside it may be another form."""
    is_of_system = _fact(lambda column: column.terms(*roles.OF_SYSTEMS, "MODEL") != column.terms())
    """Whether a term of the name says that a system gave these answers."""
    is_of_machine = _fact(
        lambda column: (
            column.terms("PREDICTED", "BOT") != column.terms() or bool(roles.WORDS["machine"] & set(column.terms()))
        )
    )
    """Whether a term says that no person gave these answers; that they are "actual" does not."""
    is_called_like_system = _fact(lambda column: roles.PATTERNS["system"].fullmatch(column.name.strip()) is not None)
    """Whether people name pipelines like that."""
    is_one_system = _fact(lambda column: column.is_called_like_system and column.plain not in roles.NAMES[c.PIPELINE])
    """Whether it is called like one of several, as "model_a"; "model" names each."""
    is_system = _fact(lambda column: (column.named.is_pipeline and bool(column.system)) or column.is_called_like_system)
    """Whether the name is one of a system."""
    is_called_answer = _fact(lambda column: column.plain == c.ANSWER or column.named.word in (c.ANSWER, c.RESPONSE))
    """Whether the name says that answers stand here, whosever they are."""
    says_nothing = _fact(
        lambda column: roles.PATTERNS["nameless"].fullmatch(column.name) is None and column.named.word is None
    )
    """Whether it has a name of which nobody knows what it says."""
    says_something = _fact(lambda column: column.filled >= ENOUGH)
    """Whether there are enough cells to judge by."""
    is_question = _fact(lambda column: column.share("question") >= 0.6)
    """Whether the cells are questions."""
    may_ask = _fact(lambda column: column.share("question") >= 0.2)
    """Whether some cells ask, so that a column under any name may be the question."""
    are_variants = _fact(
        lambda column: (
            sum(c.OR_DELIMITER in cell or bool(read_list(cell)) for cell in column._texts) >= OVERLAP * column.filled
        )
    )
    """Whether most list several texts."""
    are_marks = _fact(lambda column: column.filled > 0 and column.share("written") <= 0.5)
    """Whether most have neither a letter nor a digit: what a wrong encoding leaves, "??? ??"."""
    repeats = _fact(lambda column: column.filled >= 2 * ENOUGH and column.distinct <= max(2, column.filled // ENOUGH))
    """Whether few values stand again and again, as those of a category do."""
    is_no_text = _fact(lambda column: column.are_marks or any(map(column.are, ("link", "number", "flag", "date"))))
    """Whether they are numbers, dates, links, flags or marks: nothing that a pipeline says at length."""
    is_text = _fact(lambda column: bool(column.filled) and not (column.is_no_text or column.repeats))
    """Whether the cells may be texts that somebody wrote."""
    is_constant = _fact(lambda column: column.says_something and column.distinct == 1)
    """Whether one text stands in all of them."""
    is_identifier = _fact(lambda column: column.are("identifier") and column.distinct * 2 > column.filled)
    """Whether they are identifiers, most of them of one row."""
    is_prose = _fact(
        lambda column: column.filled >= _MANY and column.distinct > column.filled // 2 and column.words > SHORT
    )
    """Whether most are texts of their own, and so no labels."""
    is_answered = _fact(
        lambda column: column.is_prose or (column.filled == column.distinct >= ENOUGH and column.words > 2)
    )
    """Whether most say more than a name does, each another thing: also where they are few."""
    are_words = _fact(lambda column: column.share("lettered") > 0.5)
    """Whether most have letters in them."""
    are_letters = _fact(lambda column: all(len(cell.strip("()[]. ")) <= 1 for cell in column.cells if cell))
    """Whether each is a letter at most, as of an option."""

    def guess(self, word: str, why: str = "", *, certain: bool = True) -> Guess:
        """What it is taken for; without another reason because of its name."""
        return Guess(self.name, word, why or self.named.why or f"its name is one for {word}", certain)

    def share_among(self, other: "Column") -> float:
        """Share of the filled cells that stand in some row of the other column, case aside."""
        there = {text.strip().casefold() for text in other._texts}
        return sum(text.strip().casefold() in there for text in self._texts) / (self.filled or 1)

    def share_words(self, *others: "Column") -> float:
        """Share of the filled cells that have a word in common with the same row of one of the others."""
        met = [
            any(_words(cell) & _words(other.cells[place]) for other in others)
            for place, cell in enumerate(self.cells)
            if cell and cell.strip()
        ]
        return sum(met) / len(met) if met else 0.0

    def share_inside(self, other: "Column") -> float:
        """Share of the filled cells that are part of the other column's, case aside; of variants one is enough."""
        rows = [(cell, around) for cell, around in zip(self.cells, other.cells, strict=False) if cell and around]
        inside = [
            any(part.strip() in around.casefold() for part in cell.casefold().split(c.OR_DELIMITER.casefold()))
            for cell, around in rows
        ]
        return sum(inside) / len(inside) if inside else 0.0

    def share_equal(self, other: "Column") -> float:
        """Share of the rows with a filled cell in which two columns say the same; 0 where they are few."""
        texts = [[(cell or "").strip().lower() for cell in column.cells] for column in (self, other)]
        filled = [pair for pair in zip(*texts, strict=True) if any(pair)]
        return sum(cell == beside for cell, beside in filled) / len(filled) if len(filled) > ENOUGH + 1 else 0.0


def _words(cell: str | None) -> set[str]:
    """The words of four letters and more, all numbers, and pairs of characters of scripts without spaces."""
    words: set[str] = set()
    for word in _WORD.findall(_keep_ends(cell or "").casefold()):
        if not word.isascii() and _is_unspaced(word):
            words |= {word[place : place + 2] for place in range(len(word) - 1)}
        elif len(word) >= 4 or word.isdigit():
            words.add(word)
    return words


def _keep_ends(cell: str) -> str:
    """Return the cell, without the middle of a very long one."""
    return cell if len(cell) <= 2 * _TELLING else f"{cell[:_TELLING]}{cell[-_TELLING:]}"


def _is_unspaced(text: str) -> bool:
    return any("\u3040" <= char <= "\u30ff" or "\u4e00" <= char <= "\u9fff" for char in text)


_UNFIT: Mapping[str, Callable[[Column], bool]] = {
    c.QUESTION_ID: lambda column: column.words > 2,
    c.QUESTION: lambda column: column.is_no_text,
    c.CONTEXTS: lambda column: column.is_no_text or column.are_names_of_passages,
    c.PIPELINE: lambda column: column.is_prose or (column.are("flag") and not column.named.certain),
    c.CATEGORY: lambda column: column.is_prose,
    c.TAGS: lambda column: column.is_prose,
    c.ANSWERABLE: lambda column: not column.are("flag"),
    c.COST: lambda column: column.share("number") < 1 - OVERLAP,
    c.LATENCY_MS: lambda column: (
        column.share("number") < 1 - OVERLAP or ("ms" not in column.named.why and column.are_seconds)
    ),
}
"""When cells cannot be what a name says that they are."""


class Columns(dict[str, Column]):
    """A table's first rows, every cell as text: its columns by their names."""

    def __init__(self, frame: pl.DataFrame) -> None:
        """Of the table's first rows."""
        super().__init__({series.name: Column(series) for series in frame})
        self.frame = frame

    def of_word(self, words: Mapping[str, str], *wanted: str) -> list[Column]:
        """The columns that are one of these words of ours, those of the first word first."""
        return [self[name] for word in wanted for name, ours in words.items() if ours == word]

    def count_groups(self, columns: Iterable[Column]) -> int:
        """How many different rows these columns have."""
        return self.frame.select(*{column.name: None for column in columns}).n_unique()

    def is_label(self, column: Column, answer: Column | None = None) -> bool:
        """Whether the cells are a short name or a few, each of several questions: of versions, models, kinds. Letters,
        words of denial, and golden answers in the column `answer` are none."""
        question = next((other for other in self.values() if other.named.word == c.QUESTION), None)
        if not column.says_something or column.is_no_text or column.words > SHORT or column.are("outcome"):
            return False
        questions = question.distinct if question else column.filled
        values = Counter(_even_cells(column))
        again = sum(number > 1 for number in values.values())
        if len(values) > max(2, questions // ENOUGH) or again < _MOST * len(values):
            return False
        golden = set(_even_cells(answer)) if answer else set()
        telling = [value for value in values if not _NO_NAME.search(value) and value not in golden]
        are_letters = len(values) > 1 and max(len(re.sub(r"\W", "", value)) for value in values) <= 1
        return len(telling) * 2 > len(values) and not are_letters

    def fits(self, column: Column, word: str, *, sure: bool = False) -> bool:
        """Whether the cells of a column can be what its name says. One that is called as we call it is what it says,
        and a name that is `sure` is doubted less."""
        if word == c.ANSWERABLE and self._denies_answers(column):
            return False
        if word == c.QUESTION and self._is_variant(column):
            return False
        if not column.says_something or column.plain == word:
            return True
        if word in (c.ANSWER, c.RESPONSE, c.FACT):
            return self._may_answer(column, sure=sure)
        is_figure = word == c.PIPELINE and column.are("number") and not sure
        return not (is_figure or (word in _UNFIT and _UNFIT[word](column)))

    def _is_variant(self, column: Column) -> bool:
        """Whether few words stand beside more ids, as names of prompts do ("plain", "grounded"): nobody asked them."""
        ids = [other for other in self.values() if other.named.word == c.QUESTION_ID and other is not column]
        more = max((other.distinct for other in ids), default=0)
        return column.repeats and column.words <= 2 and not column.may_ask and more >= 2 * column.distinct

    def _denies_answers(self, column: Column) -> bool:
        """Whether a column such as `has_answer`, which may be about passages, denies answers that stand there."""
        if not re.search(r"(has|have|no|without)(_an?)?_answers?$", column.plain):
            return False
        golden = [other for other in self.values() if other.is_called_answer and other is not column]
        golden = [other for other in golden if other.named.word == c.ANSWER] or golden[:1]
        denied = not roles.says_unanswerable(column.name)
        rows = zip(column.cells, *(other.cells for other in golden[:1]), strict=True)
        says_no = [cells[1:] for cells in rows if cells[0] and FLAGS.get(cells[0].strip().lower()) is not denied]
        return not golden or any(cell and cell.strip() not in ("", "[]") for row in says_no for cell in row)

    def _may_answer(self, column: Column, *, sure: bool) -> bool:
        """Whether cells can be answers: addresses cannot, nor flags and numbers about the answers in other columns."""
        others = [other for other in self.values() if other is not column and other.is_called_answer]
        says_whether = column.plain == "correct" or column.plain.endswith("_correct")
        is_stated = any(column.share_inside(other) >= OVERLAP for other in others)
        is_beside = any(other.is_text for other in others) and not is_stated
        if (
            column.are("link")
            or column.are_marks
            or (column.are("flag") and (says_whether or is_beside or not column.named.certain))
        ):
            return False
        if says_whether and column.are("number") and others and not is_stated:
            return False
        return sure or not (column.are("flag") and column.are("number"))


def _even_cells(column: Column) -> list[str]:
    return [cell.strip().casefold() for cell in column.cells if cell and cell.strip()]


def find_choices(columns: Columns, answer: Column | None) -> dict[str, str]:
    """The columns of a multiple-choice question's options by their labels, or by their places from 0 if golden answers
    count so, where the golden answer names one of them; empty where there are none."""
    others = [column for column in columns.values() if column is not answer]
    options = {label: column for column in others if (label := read_label(column.name))}
    if len(options) < FEWEST_OPTIONS or answer is None:
        return {}
    labels = sorted(options)
    start = "A" if labels[0].isalpha() else "1"
    if labels != [chr(ord(start) + place) for place in range(len(labels))]:
        return {}
    given = [
        (cell.strip(), {option.cells[place] for option in options.values()})
        for place, cell in enumerate(answer.cells)
        if cell and cell.strip()
    ]
    places = [str(place) for place in range(len(labels))]
    if "0" in (cells := [cell for cell, _ in given]) and set(cells) <= set(places):  # counted from 0
        return {place: options[label].name for place, label in zip(places, labels, strict=True)}
    named = sum(name_option(cell, labels) is not None for cell, _ in given)
    spelled = sum(cell in row for cell, row in given)
    is_choice = given and max(named, spelled) >= _MOST * len(given)
    return {label: column.name for label, column in options.items()} if is_choice else {}


def list_options(columns: Iterable[Column]) -> list[Column]:
    """The columns that their names call options of a multiple-choice question, whatever its golden answer is."""
    named = [column for column in columns if OPTION.fullmatch(column.plain)]
    options = [column for column in named if roles.WORDS["options"].intersection(column.terms())]
    return options if len(options) >= FEWEST_OPTIONS else []


def read_label(name: str) -> str:
    """The label of the option whose column has this name: `A`, `choice_A`, `2`; empty where it is none's."""
    match = OPTION.fullmatch(roles.plain_name(name)) or OPTION.fullmatch(name.strip())
    return match[1].upper() if match else ""


def name_option(answer: str, labels: Sequence[str]) -> str | None:
    """The label of the option that an answer names: `B`, `b)`, `(B)`, `2`, `Option B`; None where it names none."""
    match = OPTION.fullmatch(answer.strip().rstrip(".:)"))
    if not match:
        return None
    label = match[1].upper()
    if label not in labels and label.isdigit() and int(label) <= len(labels):
        return labels[int(label) - 1]
    return label if label in labels else None


def find_separating(columns: Columns, keys: Sequence[Column], used: Iterable[str]) -> list[str]:
    """The column that tells apart the rows that are alike in the keys, each of its values beside most of these; of
    labels the first two that do so together; none where no rows are alike."""
    before, height = columns.count_groups(keys), columns.frame.height
    ranks: dict[str, tuple[bool, bool, int]] = {}
    labels: list[Column] = []

    def separates(*others: Column) -> bool:
        is_even = math.prod(other.distinct for other in others) * before * OVERLAP <= height
        return is_even and columns.count_groups([*keys, *others]) >= EQUAL * height

    for column in columns.values() if before < height else ():
        is_about_row = column.named.word == META
        names_rows = before > 1 and column.distinct == height and column.are("identifier")
        names_none = (
            column.are("outcome") or column.lists >= _MOST or names_rows or (is_about_row and column.are("flag"))
        )
        is_score = (
            column.are("number") and column.distinct * 2 > column.filled and "." in "".join(map(str, column.cells))
        )
        if column.name in used or column.plain in roles.WORDS["rows"] or names_none or is_score or column.distinct < 2:
            continue
        if separates(column):  # names before counts, what says something else before what is about the row
            ranks[column.name] = is_about_row, column.are("number"), len(ranks) * (1 if is_about_row else -1)
        # Two of these may tell rows apart together: pairs of ten are tried.
        elif not is_about_row and not column.are("number") and column.words <= SHORT and len(labels) < 10:
            labels.append(column)
    pairs = (pair for pair in combinations(labels, 2) if separates(*pair))
    return sorted(ranks, key=ranks.__getitem__)[:1] or [column.name for column in next(pairs, ())]
