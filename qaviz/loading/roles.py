"""What columns may be: names for each of our words, tests on cells that speak against one, and how a table is read."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from qaviz.loading.formats.cells import read_texts
from qaviz.loading.load_log import quote_text
from qaviz.loading.looks import ENOUGH, Look, look_at, share_inside
from qaviz.loading.terms import META, plain_name, read_column_name
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError

IGNORE = ""
"""What a mapping says of a column that is to be left out."""

GOLDEN_NAMES: Mapping[str, Sequence[str]] = {
    c.QUESTION_ID: (c.QUESTION_ID, "id", "qid", "query_id", "example_id", "instance_id"),
    c.QUESTION: (c.QUESTION, "query", "user_input", "input", "input_text", "prompt", "model_input"),
    c.ANSWER: (
        "ground_truth_answer", "ground_truth", "golden_answer", "gold_answer", "reference_answer", "reference_answers",
        "reference_response", "expected_answer", "expected_output", "expected_response", "expected", "target_output",
        "gt_answer", "generation_gt", "best_answer", "ideal", c.ANSWER, "reference", "reference_output", "target",
    ),
    c.FACT: (c.FACT, "facts", "golden_fact", "ground_truth_fact", "factual_ground_truth", "expected_fact"),
    c.CATEGORY: (c.CATEGORY, "topic", "question_type"),
    c.ANSWERABLE: (c.ANSWERABLE, "is_answerable"),
    c.SOURCE: (c.SOURCE, "source_file", "source_doc_id", "doc_id", "document"),
    c.TAGS: (c.TAGS, "tag"),
    c.PASSAGE_ID: (
        c.PASSAGE_ID, "passage_ids", "golden_passage_id", "gold_passage_id", "relevant_ids", "reference_context_ids",
        "retrieval_gt",
    ),
    c.EVIDENCE: (
        c.EVIDENCE, "evidence_text", "evidences", "golden_passage", "gold_passage", "golden_context",
        "reference_contexts", "reference_context",
    ),
}  # fmt: skip  # a line a name would be a page of names
"""The names of what tables say of questions, for each word the best first."""

RESPONSE_NAMES: Mapping[str, Sequence[str]] = {
    c.PIPELINE: (
        c.PIPELINE, "pipeline_name", "model", "model_name", "model_id", "model_identifier", "provider", "system",
    ),
    c.RESPONSE: (
        c.RESPONSE, "model_output", "actual_output", "model_response", "generated_answer", "predicted_text",
        "prediction_text", "prediction", "agent_answer", "output", "completion", c.ANSWER,
    ),
    c.REPEAT: (c.REPEAT, "repeat_id", "repetition", "epoch", "trial"),
    c.LATENCY_MS: (c.LATENCY_MS, "latency"),
    c.COST: (c.COST,),
    c.ERROR: (c.ERROR,),
    c.JUDGE: (c.JUDGE,),
    c.JUDGE_REASON: (c.JUDGE_REASON,),
    c.THEIR_SCORES: (c.THEIR_SCORES,),
    c.CONTEXTS: (c.CONTEXTS, "retrieved_contexts", "retrieval_context", "retrieved_context", "context"),
    c.CONTEXT_IDS: (c.CONTEXT_IDS, "retrieved_context_ids", "retrieved_ids", "retrieved_doc_ids"),
    c.CONTEXT_DOCUMENTS: (c.CONTEXT_DOCUMENTS, "context_sources", "retrieved_documents", "context_titles"),
    c.CONTEXT_SCORES: (c.CONTEXT_SCORES, "retrieval_scores"),
}  # fmt: skip  # as above
"""The names of what tables say of pipelines."""

NAMES: Mapping[str, Sequence[str]] = {**GOLDEN_NAMES, **RESPONSE_NAMES}
PIPELINE_LIMIT = 1000
"""Most pipelines of one run. More of them mean that the wrong columns were taken for pipelines."""

_NAMED = 30
"""Columns that a problem names."""
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
_FEW_SECONDS = 60
"""A latency below this, with decimals, is rather in seconds than in milliseconds."""

OPTION = re.compile(r"(?:(?:option|choice|opt|op|answer|ans|distractor)[\s_.-]*)?\(?([a-h]|[1-8])\)?", re.IGNORECASE)
FEWEST_OPTIONS = 3
_OPTIONS_SAID = 0.8
"""Share of the answers that have to name an option."""


_NO_SYSTEMS = frozenset(("input", "output", "expected", "reference"))
"""Names of objects that are sides of one row."""


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
class Reading:
    """One of two ways to read a table that is in doubt."""

    label: str
    """In words: `"Reply" holds the responses`."""
    mapping: Mapping[str, str]
    """The columns that it settles -> our word, "" for one that is left out."""

    def flags(self) -> str:
        """What a person copies to have it read so."""
        return " ".join(f"--map {_in_quotes(f'{name}={word}')}" for name, word in self.mapping.items())


def _in_quotes(text: str) -> str:
    """The text whole, as a shell takes it."""
    return "'" + text.replace("'", "'\\''") + "'" if set(text) & set('"$`\\!') else f'"{text}"'


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
    separating: tuple[str, ...] = ()
    """The column that tells apart responses of one pipeline to one question."""

    @property
    def has_golden(self) -> bool:
        """Whether it says what is right."""
        return bool({c.ANSWER, c.FACT} & set(self.words.values()))

    @property
    def has_responses(self) -> bool:
        """Whether it says what pipelines answered."""
        return bool(self.pipelines) or c.RESPONSE in self.words.values()

    @property
    def asks(self) -> bool:
        """Whether it says which question a row is about."""
        return bool({c.QUESTION, c.QUESTION_ID} & set(self.words.values()))

    def settle_bare(self, word: str) -> "Layout":
        """The layout with its bare answers as this word."""
        return replace(self, words={**self.words, self.bare: word}, bare="")


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
        if not look.says_something or look.is_no_text or look.words > SHORT:
            return False
        questions = self.look(question).distinct if question else look.filled
        values = Counter(plain_cells(self.cells(name)))
        again = sum(number > 1 for number in values.values())
        if len(values) > max(2, questions // ENOUGH) or again < _OFTEN * len(values):
            return False
        golden = set(plain_cells(self.cells(answer))) if answer else set()
        telling = [value for value in values if not _NO_NAME.search(value) and value not in golden]
        are_letters = len(values) > 1 and max(map(len, values)) == 1
        return len(telling) * 2 > len(values) and not are_letters

    def guess(self, name: str, word: str, why: str, *, certain: bool = True) -> Guess:
        """What a column is taken for, with one of its cells."""
        return Guess(name, word, why, self.look(name).example, certain)

    def count_groups(self, names: Iterable[str]) -> int:
        """How many different rows these columns have."""
        return self.frame.select(*dict.fromkeys(names)).n_unique()


def check_mapping(columns: Sequence[str], mapping: Mapping[str, str], where: str) -> None:
    """Raise QavizError for columns that are not there, words that are none, and words of several columns."""
    faults = [(f"no column {quote_text(name)}", columns) for name in mapping if name not in columns]
    faults += [
        (f"{quote_text(name)} mapped to {quote_text(word)}", list(NAMES))
        for name, word in mapping.items()
        if word not in {*NAMES, IGNORE}
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
    """For each file with these columns the pairs (their column -> our word) that apply to it.

    Raises QavizError, `where` in front, for a pair that applies to none, or has no word of ours.
    """
    there = list(dict.fromkeys(name for present in columns for name in present))
    problems = []
    for theirs, ours in pairs.items():
        flag = f"{where} {theirs}={ours}"
        if theirs not in there:
            fault = f"no column {quote_text(theirs)} in the files"
            problems.append(_describe_fault(flag, fault, f"one of {list_names(there)}"))
        elif ours not in {*NAMES, IGNORE}:
            problems.append(_describe_fault(flag, f"the word {quote_text(ours)}", f"one of {list_names(NAMES)}"))
    if problems:
        raise QavizError(*problems)
    return [{theirs: ours for theirs, ours in pairs.items() if theirs in present} for present in columns]


def _describe_fault(where: str, fault: str, expected: str) -> Problem:
    return Problem(where=where, found=fault, expected=expected, fix="Correct the mapping.")


def list_names(names: Iterable[str]) -> str:
    """The names in quotes, the first of many."""
    all_names = list(names)
    rest = len(all_names) - _NAMED
    return ", ".join(map(quote_text, all_names[:_NAMED])) + (f" and {rest:,} more" if rest > 0 else "") or "none"


def contradiction(columns: Columns, name: str, word: str, *, sure: bool = False) -> str:
    """Why the cells of a column cannot be what its name says; empty if they can.

    A column that is called as we call it is what it says, and a name that is `sure` is doubted less.
    """
    look = columns.look(name)
    if not look.says_something or plain_name(name) == word:
        return ""
    if word in (c.QUESTION, c.CONTEXTS):
        return "its cells are no texts" if look.is_no_text or _are_names_of_passages(columns, name, word) else ""
    if word in (c.ANSWER, c.RESPONSE, c.FACT):
        return _no_answer(columns, name, look, sure)
    if word in (c.PIPELINE, c.CATEGORY, c.TAGS):
        is_prose = look.filled >= _MANY and look.distinct > look.filled // 2 and look.words > SHORT
        is_figure = word == c.PIPELINE and look.is_number and not sure
        return "its cells are texts of their own" if is_prose else "its cells are numbers" if is_figure else ""
    if word == c.ANSWERABLE:
        return "" if look.is_flag else "its cells are not yes and no"
    if word in (c.LATENCY_MS, c.COST) and look.numbers < 1 - OVERLAP:
        return "its cells are no numbers"
    if word == c.LATENCY_MS and "ms" not in read_column_name(name).why and _are_seconds(columns.cells(name)):
        return "its cells look like seconds; map it if they are milliseconds"
    return ""


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


def plain_cells(cells: Iterable[str | None]) -> list[str]:
    """The filled cells in lower case, without spaces around them."""
    return [cell.strip().casefold() for cell in cells if cell and cell.strip()]


def share_equal(columns: Columns, name: str, other: str) -> float:
    """Share of the filled cells that say what the other column says in their row; 0 where they are few."""
    plain = [pl.col(column).str.strip_chars().str.to_lowercase().alias(column) for column in {name, other}]
    filled = columns.frame.head(_SAMPLED).select(plain).filter(pl.col(name) != "")
    return float((filled[name] == filled[other]).sum() / filled.height) if filled.height > ENOUGH + 1 else 0.0


def group_objects(names: Sequence[str]) -> dict[str, str]:
    """The fields that are responses of several objects, with the objects' names: `arms.rag.answer` and
    `arms.base.answer` are those of `rag` and `base`. Empty where there are no such objects."""
    best: dict[str, str] = {}
    for last in dict.fromkeys(name.rpartition(".")[2] for name in names if "." in name):
        if not read_column_name(last).is_bare_answer and read_column_name(last).word != c.RESPONSE:
            continue
        objects = {name: name.removesuffix(f".{last}") for name in names if name.endswith(f".{last}")}
        shared = len(shared_beginning(list(objects.values())))
        systems = {name: outer[shared:] for name, outer in objects.items()}
        if len(systems) > max(1, len(best)) and not _NO_SYSTEMS & {outer.lower() for outer in systems.values()}:
            best = systems
    return best


def shared_beginning(names: Sequence[str]) -> str:
    """The outer names that all have in common, with the dot behind."""
    parts = [name.split(".") for name in names]
    count = 0
    while all(len(part) > count + 1 and part[count] == parts[0][count] for part in parts):
        count += 1
    return "".join(f"{part}." for part in parts[0][:count])


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


def find_question(words: Mapping[str, str]) -> str:
    """The column that says what was asked; empty if there is none."""
    return next((name for wanted in (c.QUESTION, c.QUESTION_ID) for name, word in words.items() if word == wanted), "")


def find_separating(columns: Columns, keys: Sequence[str], used: Iterable[str]) -> list[str]:
    """The column that tells apart most rows that are alike in the keys; none where no rows are."""
    before = columns.count_groups(keys)
    most = max(2, columns.frame.height // 2)
    others = [name for name in columns.names if name not in set(used) and 1 < columns.look(name).distinct <= most]
    others.sort(key=lambda name: read_column_name(name).word == META)
    groups = {name: columns.count_groups([*keys, name]) for name in others}
    best = max(groups, key=lambda name: groups[name], default="")
    return [best] if best and groups[best] > before else []
