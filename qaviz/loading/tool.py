"""Files of other tools: `tools.toml` says how those of each tool are recognised and read, by JMESPath; here stand the
functions that its expressions call.
"""

import json
import math
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from string import Template
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.functions import Functions
from jmespath.parser import ParsedResult

from qaviz.loading.formats.cells import as_text, read_json, read_object, read_printed
from qaviz.loading.roles import GOLDEN_NAMES, RESPONSE_NAMES, read_column_name
from qaviz.model import columns as c
from qaviz.model.errors import stop

SCORES = "their scores"
"""The column of a tool's scores: a list of `{"name", "value", "error"}`; of one without a value the error says why."""
_CONTENT = ("content", "text", "message", "value", "parts")
"""Fields in which a message keeps its text."""

Record = dict[str, Any]
"""What a tool writes at a time: a line of JSON Lines, an element of a JSON list, a row of CSV, or a whole document."""
Row = dict[str, object]
"""Cells of one response, or of one golden triplet, by the names that the tool gives its columns."""

ORDINARY: Mapping[str, str] = {
    alias: word
    for names in (RESPONSE_NAMES, GOLDEN_NAMES)
    for word, aliases in names.items()
    for alias in aliases
    if word != c.THEIR_SCORES
}
"""The names that people use for columns of their own -> our word: what stands beside a tool's columns."""


def inside(value: object, *path: str | int) -> Any:  # noqa: ANN401 - a value of somebody's JSON
    """What stands there at the end of the path of keys and places; None if there is no such place."""
    for step in path:
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def items(value: object) -> list[Any]:
    """The elements of a list; none of anything else."""
    return value if isinstance(value, list) else []


def fields(value: object) -> Record:
    """The fields of an object; none of anything else."""
    return value if isinstance(value, dict) else {}


def texts(value: object) -> list[str] | None:
    """The texts of a list, or the one that stands alone; None where there is none."""
    passages = value if isinstance(value, list) else [value]
    return [as_text(passage) or "" for passage in passages if passage is not None] or None


def find_contexts(*values: object) -> list[str] | None:
    """The passages in the first of the objects that has a field for them, such as `context` or `source_documents`."""
    for value in map(read_object, values):
        for name, passages in fields(value).items():
            if passages and read_column_name(name).word == c.CONTEXTS:
                return texts(read_printed(passages, list))
    return None


def find_text(value: object, *wanted: str) -> str | None:
    """The text of a question, an answer or a response: a text itself, the last of several messages, or the field of an
    object that is named as one of the `wanted` words, or its only one."""
    value = read_object(value)
    if isinstance(value, list):
        return find_text(value[-1], *wanted) if value else None
    if not isinstance(value, dict):
        return as_text(value)
    name = next((field for field in value if read_column_name(field).word in wanted), None)
    name = name or next((field for field in (*_CONTENT, "messages", "output", "choices") if field in value), None)
    name = name or (next(iter(value)) if len(value) == 1 else None)
    return find_text(value[name], *wanted) if name else as_text(value)


def variants(values: object, delimiter: str = c.OR_DELIMITER) -> str | None:
    """The distinct filled texts of a list, joined; None where there is none."""
    return delimiter.join(dict.fromkeys(filter(str.strip, texts(values) or []))) or None


def join_turns(messages: object) -> str | None:
    """What was said so far: one text as it is, of several each with who said it."""
    turns = []
    for turn in items(messages):
        who = str(inside(turn, "role") or inside(turn, "from") or inside(turn, "speaker") or "user")
        words = read_content(turn) or as_text(inside(turn, "text") or inside(turn, "value") or inside(turn, "prompt"))
        turns.append((who, turn if isinstance(turn, str) else words))
    turns = [(who, words) for who, words in turns if words and who != "system"]
    return turns[0][1] if len(turns) == 1 else "\n".join(f"{who}: {words}" for who, words in turns) or None


def read_content(message: object) -> str | None:
    """The text of a message or a passage, whose content may come in parts."""
    content = inside(message, "content")
    if isinstance(content, str):
        return content or None
    parts = content if isinstance(content, list) else [content]
    return "\n".join(filter(None, (as_text(inside(part, "text")) for part in parts))) or None


def read_first_text(value: object) -> str | None:
    """The first text of nested lists of responses; None if they begin with something else."""
    while isinstance(value, list) and value:
        value = value[0]
    # A likelihood is a number, in later releases one that is written as a text.
    return value if isinstance(value, str) and not is_number(value) else None


def make_score(name: str, value: object, why_not: object = None) -> Record:
    """A score by its name: true as 1, a number in a text as that number; why there is none, where it is none."""
    number = _number({"yes": True, "no": False}.get(str(value).lower(), value))
    if number is None:
        written = (as_text(value) or "NaN") if value not in (None, "") else None
        return {"name": name, "value": None, "error": as_text(why_not) or written or "the file has no value"}
    return {"name": name, "value": number, "error": None}


def is_number(value: object) -> bool:
    """Whether it can be a score: a number, true or false, or a text that is a number; NaN is one that failed."""
    return isinstance(value, bool | int | float) or _number(value) is not None


def _number(value: object) -> float | None:
    if not isinstance(value, bool | int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def list_columns(record: object, prefix: str, suffix: str) -> Record:
    """The columns whose names begin and end so, under their names without that."""
    return {
        name[len(prefix) : len(name) - len(suffix)]: value
        for name, value in fields(record).items()
        if name.startswith(prefix) and name.endswith(suffix)
    }


def find_word(record: object, word: str) -> object:
    """The first filled field whose name says that it is this word of ours."""
    named = (value for name, value in fields(record).items() if read_column_name(name).word == word)
    return next((value for value in named if value is not None), None)


def _spread(rows: object, *names: str) -> list[Record]:
    spread = [fields(row) for row in items(rows)]
    for name in names:
        spread = [
            {field: value for field, value in row.items() if field != name}
            | (inner if isinstance(inner, dict) else {name: inner})
            | {"place": place}
            for row in spread
            for place, inner in enumerate(items(row.get(name)))
        ]
    return spread


def _list_numbers(record: object, *others: str) -> Record:
    """The fields that can be scores, but those of these names and of ordinary ones."""
    values = {name: value for name, value in fields(record).items() if name not in others and name not in ORDINARY}
    return {name: value for name, value in values.items() if value is None or is_number(value)}


def _multiply(value: object, factor: float) -> float | None:
    return float(str(value)) * factor if is_number(value) and not isinstance(value, bool) else None


def _list_failed(scores: object, failure: object) -> list[Record]:
    """The scores; where one has no value and gives no reason, that of the whole row."""
    given = map(fields, items(scores))
    return [score | {"error": (as_text(score.get("error")) or "").strip() or failure} for score in given]


_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partly, incorrect and no answer, in the figures that Inspect's own `value_to_float` has for them."""


def _list_grades(scores: object, failed: object) -> list[Record]:
    """Inspect's scores, of one that has parts each part; where there is no number, why the sample failed."""
    grades: list[Record] = []
    left = [(name, inside(given, "value")) for name, given in fields(scores).items()]
    for name, value in left:
        if isinstance(value, dict):
            left += [(f"{name}: {part}", inner) for part, inner in value.items()]
        else:
            number = _GRADES.get(value, value) if isinstance(value, str) else value
            grades.append({"name": name, "value": number, "error": failed})
    return grades


def _cross(rows: object, name: str, values: object) -> list[Record]:
    """Each of the rows with each of the values under this name, and with the value's place."""
    pairs = product(items(rows), enumerate(items(values)))
    return [fields(row) | {name: value, "place": place} for row, (place, value) in pairs]


def _join_tasks(record: object) -> list[Record]:
    """InspectorRAGet's results with their tasks; a model whose outputs are the targets is no model."""
    tasks = {inside(task, "task_id"): fields(task) for task in items(inside(record, "tasks"))}
    golden: dict[object, Record] = {}
    rows: list[Record] = []
    for row in map(fields, items(inside(record, "results") or inside(record, "evaluations"))):
        if str(row.get("model_id")).lower() in ("target", "targets", "reference"):
            first = inside(row.get("output"), 0)
            text = row.get("model_response") or inside(first, "content") or inside(first, "value") or row.get("output")
            golden[row.get("task_id")] = {"targets": [{"text": text}]}
        else:
            rows.append(row)
    return [
        row | {"task": golden.get(place, {}) | tasks.get(place, {})} for row in rows for place in [row.get("task_id")]
    ]


def _find_passages(contexts: object, documents: object) -> list[Record] | None:
    by_id = {inside(document, "document_id"): fields(document) for document in items(documents)}
    return [by_id.get(inside(context, "document_id"), {}) | fields(context) for context in items(contexts)] or None


def _list_ratings(scores: object) -> list[Record]:
    """What each annotator gave for each metric that is a number (InspectorRAGet)."""
    return [
        {"name": f"{metric} ({annotator})", "value": inside(rating, "value")}
        for metric, by_annotator in fields(scores).items()
        for annotator, rating in fields(by_annotator).items()
        if is_number(inside(rating, "value"))
    ]


def _list_sides(row: object) -> list[Record]:
    """LLM Comparator's scores of one of two models: those of the pair and of its raters, above 0 where this model is
    better, and the numbers that it has for each model."""
    place = inside(row, "place")
    raters = enumerate(items(inside(row, "individual_rater_scores")), 1)
    given = {"side by side": inside(row, "score"), **{f"rater {n}": inside(rater, "score") for n, rater in raters}}
    sided = {name: _multiply(value, -1 if place else 1) for name, value in given.items()}
    own = {name: inside(pair, place) for name, pair in fields(inside(row, "custom_fields")).items()}
    return [{"name": name, "value": value} for name, value in (sided | own).items() if is_number(value)]


def _are_answers_by_id(record: object) -> bool:
    """Whether an object has nothing but texts by ids, which have digits in them."""
    texts_by_id = fields(record).items()
    return bool(texts_by_id) and all(isinstance(text, str) and any(map(str.isdigit, id_)) for id_, text in texts_by_id)


def _list_promptfoo(record: Record) -> Iterator[Record]:
    """The results, each with `provider` (the pipeline: of several prompts one each), the first `testIdx` that asked the
    same and which `repeat` of it this is, `only_var` where several prompts ask in words of their own, and scores."""
    results: list[tuple[Record, str | None, object, str, str | None]] = []
    prompts: dict[str | None, dict[object, None]] = {}
    repeats: dict[str, dict[str | None, None]] = {}
    for result in map(fields, items(inside(record, "results", "results"))):
        given, place = result.get("provider"), result.get("promptIdx")
        provider = as_text(inside(given, "label") or inside(given, "id") or given)
        prompt: object = place if isinstance(place, int) else as_text(inside(result, "prompt", "label"))
        # What is asked and expected: repeats (`eval --repeat`) are numbered on as tests of their own.
        test = json.dumps([result.get("vars"), inside(result, "testCase", "assert")], sort_keys=True)
        number = as_text(result.get("testIdx"))
        results.append((result, provider, prompt, test, number))
        prompts.setdefault(provider, {})[prompt] = None
        repeats.setdefault(test, {})[number] = None
    several = len({as_text(inside(result, "prompt", "raw")) for result, *_ in results}) > len(repeats)
    for result, provider, prompt, test, number in results:
        places, times = list(prompts[provider]), list(repeats[test])
        suffix = f", prompt {places.index(prompt) + 1}" if len(places) > 1 else ""
        yield result | {
            "provider": f"{provider}{suffix}" if provider else None,
            "testIdx": times[0],
            "repeat": times.index(number) + 1 if len(times) > 1 else None,
            "only_var": _find_variable(fields(result.get("vars"))) if several else None,
            SCORES: _list_scores(result),
        }


def _find_variable(values: Record) -> str | None:
    """What a test asks: the variable that is named like a question, or the only one, or all of them."""
    named = next((name for name in values if read_column_name(name).word == c.QUESTION), None)
    if named is None and len(values) > 1:
        return "; ".join(f"{name}: {as_text(value)}" for name, value in values.items())
    return as_text(values.get(named or next(iter(values), "")))


def _list_scores(result: Record) -> list[Record]:
    error = result.get("error") if inside(result, "response", "output") is None else None
    scores = [{"name": name, "value": result.get(name), "error": error} for name in ("success", "score")]
    scores += [{"name": name, "value": value} for name, value in fields(result.get("namedScores")).items()]
    for place, component in enumerate(items(inside(result, "gradingResult", "componentResults")), 1):
        kind = inside(component, "assertion", "type") or inside(component, "metadata", "assertionSet", "type")
        value, reason = inside(component, "score"), inside(component, "reason")
        scores.append({"name": f"{place}. {as_text(kind) or 'assertion'}", "value": value, "error": reason})
    return scores


FUNCTIONS: Mapping[str, Callable[..., object]] = {
    "graded": _list_grades,
    "failed": _list_failed,
    "targets_apart": _join_tasks,
    "passages": _find_passages,
    "rated": _list_ratings,
    "sides": _list_sides,
    # A question a turn: that of the first has the id of all.
    "turn_id": lambda name, place: f"{name} turn {place + 1}" if place else name,
    "turns_up_to": lambda turns, place: "\n".join(map(str, items(turns)[: place + 1])),
    "turns": join_turns,  # of a conversation
    "cross": _cross,
    "look_up": lambda rows, name, value: next((row for row in items(rows) if inside(row, name) == value), None),
    "pick": inside,
    "promptfoo": lambda record: list(_list_promptfoo(record)),
    "are_answers_by_id": _are_answers_by_id,
    # Whether an object has all these fields, or a list all these elements, whatever they hold.
    "has": lambda value, *names: isinstance(value, dict | list) and all(name in value for name in names),
    "first": lambda *values: next((value for value in values if value is not None), None),
    "when": lambda condition, value: value if condition else None,
    "question": lambda value: find_text(value, c.QUESTION),  # wherever it stands in the value
    "answer": lambda value: find_text(value, c.RESPONSE, c.ANSWER),
    "contexts": find_contexts,  # in the first of the objects that has a field for them
    "content": read_content,  # of a message, which may come in parts
    "first_text": read_first_text,  # of nested lists
    "lines": lambda values: "\n".join(filter(None, map(as_text, items(values)))) or None,
    "list": lambda value: read_printed(value, list),  # also one that Python printed into a cell
    "split": lambda value, mark: value.split(mark) if isinstance(value, str) else value,
    "columns": list_columns,  # those with this beginning and end, without them
    "part": lambda record, name: (
        value if (value := inside(record, name)) not in (None, {}) else list_columns(record, f"{name}.", "") or None
    ),
    "word": find_word,  # the first filled field whose name says that it is this word of ours
    "texts": lambda value: {name: inner for name, inner in fields(value).items() if isinstance(inner, str)},
    "numbers": _list_numbers,  # the fields that are numbers or empty, but those named and those with ordinary names
    "times": _multiply,
    "json": lambda value: read_json(value, any_value=isinstance(value, str) and value.startswith('"')),
    "all_of": lambda value: variants(read_printed(value, list), c.AND_DELIMITER),  # facts that all have to be stated
    "spread": _spread,
    "rows": lambda names, data: [dict(zip(map(str, items(names)), items(row), strict=False)) for row in items(data)],
    "named": lambda entries: {str(inside(entry, "name")): inside(entry, "value") for entry in items(entries)},
    "chosen": lambda record, names: {name: inside(record, name) for name in items(names)},
    "plain": lambda value: {name: inner for name, inner in fields(value).items() if "." not in name},
    "last_names": lambda value: {
        name.rpartition(".")[2]: inner for name, inner in fields(value).items() if "." in name
    },
    "averages": lambda value: {name: inside(stats, "avg") for name, stats in fields(value).items()},
}
"""What expressions may call."""

AROUND = "_file"
"""The field under which a row has the record that it stands in."""


@dataclass(frozen=True)
class Column:
    """A column of a tool's files: our word for it (empty: left out and listed), its name there, and where it stands.

    `path` is a JMESPath expression on a row. Without one it is the field of that name, or the field at that path
    (`instance.id`).
    """

    word: str
    name: str
    path: str = ""

    def read(self, row: Record) -> object:
        """The cell, as our word has it: texts of contexts, variants of golden answers, scores, numbers."""
        if self.path:
            value = search(self.path, row)
        else:
            value = row[self.name] if self.name in row else inside(row, *self.name.split("."))
        return _CONVERSIONS.get(self.word, as_text)(value)


@dataclass(frozen=True, kw_only=True)
class Tool:
    """How the files of one tool are recognised and read. Installed packages add theirs (`qaviz.readers`)."""

    name: str
    """As people say it: `Ragas results`."""
    wrote: str
    """Whether a file that begins with this record is the tool's: a JMESPath expression."""
    columns: Sequence[Column] = ()
    """Of several columns for a word the first that a file has. Fields that none of them reads are not seen. Without
    columns the tool's files are refused."""
    rows: str | Callable[[Record], Iterator[Record]] = ""
    """Where the rows of a record stand, by JMESPath or a function; without it the record is the row."""
    adds_ordinary: bool = False
    """Whether columns with ordinary names are read too, and texts beside responses: people add them to rows."""

    @property
    def words(self) -> Mapping[str, str]:
        """Its column -> our word, in the order of `columns`."""
        words = {column.name: column.word for column in self.columns if column.word}
        return words | {name: word for name, word in ORDINARY.items() if self.adds_ordinary and name not in words}

    def recognises(self, record: Record) -> bool:
        """Whether the tool wrote a file that begins with this record."""
        return bool(search(self.wrote, record))

    def read_rows(self, record: Record) -> Iterator[Row]:
        """The rows of a record. Anything may be missing or of another kind: then so is its cell."""
        if callable(self.rows):
            rows = list(self.rows(record))
        elif self.rows:
            rows = [fields(row) | {AROUND: record} for row in items(search(self.rows, record))]
        else:
            rows = [record]
        for row in rows:
            pairs = row.items() if self.adds_ordinary else ()
            beside = {name: cell for name, cell in pairs if name in ORDINARY or (row is record and _may_name(cell))}
            yield beside | {column.name: column.read(row) for column in self.columns}


def _may_name(value: object) -> bool:
    """Whether a cell may tell pipelines apart: a text, or a whole number; other numbers are scores."""
    is_word = isinstance(value, str | int) and not isinstance(value, bool)
    return is_word and not (is_number(value) and "." in str(value))


def search(expression: str, record: Record) -> Any:  # noqa: ANN401 - somebody's JSON
    """What stands there; None where there is nothing, or a value that the expression's functions do not take."""
    compiled = _compile_expression(expression)
    try:
        return compiled.search(record, _OPTIONS)
    except (JMESPathError, TypeError, ValueError, OverflowError):
        return None


@cache
def _compile_expression(expression: str) -> ParsedResult:
    try:
        return jmespath.compile(expression)
    except JMESPathError as error:
        fix = "Mend or uninstall the package that has it."
        raise stop("a reader", f"{expression!r} ({error})", "a JMESPath expression", fix) from None


_functions = Functions()
_functions.FUNCTION_TABLE = Functions.FUNCTION_TABLE | {
    name: {
        "function": lambda _, *values, function=function: function(*values),
        "signature": ({"types": [], "variadic": True},),
    }
    for name, function in FUNCTIONS.items()
}
_OPTIONS = jmespath.Options(custom_functions=_functions)


def _read_scores(value: object) -> list[Record] | None:
    """Scores of `{"name": 0.5}`, of which only numbers count, or of `[{"name": …, "value": …, "error": …}]`."""
    if isinstance(value, dict):
        return [
            make_score(name, number) for name, number in value.items() if number is None or is_number(number)
        ] or None
    named = [fields(entry) for entry in items(value) if inside(entry, "name")]
    return [make_score(as_text(entry["name"]) or "", entry.get("value"), entry.get("error")) for entry in named] or None


_CONVERSIONS: Mapping[str, Callable[[object], object]] = {
    **dict.fromkeys(("", c.ANSWERABLE), lambda value: value),
    **dict.fromkeys((c.ANSWER, c.FACT), lambda value: variants(value) if isinstance(value, list) else as_text(value)),
    **dict.fromkeys((c.CONTEXTS, c.CONTEXT_IDS, c.PASSAGE_ID, c.EVIDENCE), texts),
    **dict.fromkeys(
        (c.LATENCY_MS, c.COST), lambda value: None if isinstance(value, bool) or not is_number(value) else value
    ),
    c.THEIR_SCORES: _read_scores,
}
"""How a value becomes a cell of our word; any other word is a text."""


@cache
def list_tools() -> tuple[Tool, ...]:
    """The tools of `tools.toml`, in the order in which they are tried."""
    content = tomllib.loads((Path(__file__).parent / "tools.toml").read_text(encoding="utf-8"))

    def fill(path: str) -> str:
        return Template(path).substitute(content["parts"])

    def read(tool: Record) -> Tool:
        columns: list[Column] = []
        for word, name, *path in tool.pop("columns", ()):
            names = [f"vars.{alias}" for alias in GOLDEN_NAMES[word]] if name == "vars.*" else [name]
            columns += [Column(word, column, *map(fill, path)) for column in names]
        expressions: Record = {key: fill(value) if isinstance(value, str) else value for key, value in tool.items()}
        return Tool(columns=columns, **expressions)

    return tuple(map(read, content["tool"]))
