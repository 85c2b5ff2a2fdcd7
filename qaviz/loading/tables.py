"""The tables of files: what a tool wrote by that tool's columns, any other one by its names; records of JSON as rows
with a column for each field.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import PurePosixPath

from qaviz.loading.formats import Batch, read_batches
from qaviz.loading.formats.cells import as_text, read_list, refuse_many_columns
from qaviz.loading.load_log import LINE, quote_text
from qaviz.loading.looks import ENOUGH, SHORT, Columns, name_option
from qaviz.loading.recognise import read_roles
from qaviz.loading.roles import FIRST, IGNORE, JOINED_NAMES, SPLIT, VARIANTS, Layout, read_column_name
from qaviz.loading.source import Source
from qaviz.loading.tool import SCORES, Record, Row, Tool, items, join_turns, list_tools, texts, variants
from qaviz.model import columns as c
from qaviz.model.errors import stop
from qaviz.model.plugins import load_plugins, naming_extension
from qaviz.model.records import Progress

OF_RUN = ", a run.jsonl"
"""How the names of files end that were written from a run."""
_PERSON, _MODEL = ("user", "human"), ("assistant", "gpt", "ai", "model", "bot", "agent")
"""Who speaks in a chat, as OpenAI, ShareGPT and others name them."""
_SAID = frozenset((c.ANSWER, c.FACT, c.RESPONSE))
_WORDS = _SAID | {c.QUESTION}


@dataclass
class Table:
    """One table of a file: its sheet, a list of records, or all of it."""

    source: Source
    head: Batch
    """Its first rows."""
    parts: Iterator[Batch]
    """All rows, the first ones again."""
    names: tuple[str, ...]
    """What may name its pipeline: the folder, the file, the sheet."""
    tool: Tool | None
    layout: Layout
    pipeline: str = ""
    """Of a table that names no pipelines its own."""

    @property
    def place(self) -> str:
        """What a person calls it: the file's name, and the sheet's."""
        return self.head.place

    @property
    def columns(self) -> tuple[str, ...]:
        """Its columns."""
        return self.head.columns

    @property
    def evidence(self) -> Columns:
        """What they look like."""
        return Columns(self.head.frame.drop(LINE))

    @property
    def part(self) -> str:
        """What it is of its file: a sheet, or a member of a zip; empty where it is all of it."""
        return self.head.sheet or self.place.removeprefix(self.source.name).removeprefix("/")

    @property
    def gives_something(self) -> bool:
        """Whether it says of questions or pipelines what a run is made of."""
        return (self.layout.asks and self.layout.has_answers) or bool(self.layout.readings)


def open_tables(source: Source, progress: Progress) -> Iterator[Table]:
    """The tables of a file, in their order. Raises QavizError if it cannot be read, or its mapping does not fit."""
    batches = read_batches(source, progress)
    first = next(batches)
    if source.suffix not in (".xlsx", ".zip"):
        yield _open_table(source, first, chain([first], batches))
        return
    by_place: dict[str, list[Batch]] = {}
    for batch in chain([first], batches):
        by_place.setdefault(batch.place, []).append(batch)
    for parts in by_place.values():
        yield _open_table(source, parts[0], iter(parts))


def _open_table(source: Source, first: Batch, batches: Iterator[Batch]) -> Table:
    tool = find_tool(first)
    if tool and not tool.columns:
        fix = "Save question, golden answer, response and pipeline of each row as CSV or JSON Lines."
        raise stop(first.place, f"{tool.name}, which is not read", "a table, or a file of a tool that is", fix)
    parts = batches
    if tool:
        parts = (_read_tool(tool, batch) for batch in batches)
    elif first.unit == "record" or _is_nested(first):
        counts: dict[str, int] = {}
        left_out = {name for name, word in source.mapping.items() if word == IGNORE}
        parts = (_join_rows(batch, list(_read_records(batch, counts, left_out))) for batch in batches)
    head = next(parts)
    layout = read_layout(head, tool, source.mapping)
    names = (source.folder, PurePosixPath(first.name).stem, first.sheet)
    return Table(source, head, chain([head], parts), names, tool, layout)


def read_layout(head: Batch, tool: Tool | None, mapping: Mapping[str, str]) -> Layout:
    """How a table that begins with these rows is read with this mapping, as far as its columns are there."""
    columns = Columns(head.frame.drop(LINE))
    # Other sheets, or members of the zip, may have the columns that a mapping names.
    there = {name: word for name, word in mapping.items() if name in columns}
    one_answer = next((word for word in there.values() if word in (VARIANTS, FIRST)), "")
    words = {name: c.ANSWER if word in (VARIANTS, FIRST) else word for name, word in there.items()}
    layout = read_roles(columns, map_columns(tool, list(columns), words) if tool else words)
    return replace(layout, one_answer=one_answer)


def _read_tool(tool: Tool, batch: Batch) -> Batch:
    with _naming(tool):
        rows = [(line, row) for line, record in batch.records for row in tool.read_rows(record)]
    return _join_rows(replace(batch, knows_missing=True), rows)


def _is_nested(batch: Batch) -> bool:
    """Whether a table has objects in its cells, or lists where one text belongs."""
    return batch.knows_missing and any(
        isinstance(cell, dict) or (isinstance(cell, list) and (_word(name) in _WORDS or _is_list_of_objects(cell)))
        for _, record in batch.records
        for name, cell in record.items()
    )


def _join_rows(batch: Batch, rows: Sequence[tuple[int, Row]]) -> Batch:
    """Rows of a batch's records, without fields that say nothing; rows of one record are numbered on.

    A score that has no number in any row is none.
    """
    scored = {entry["name"] for _, row in rows for entry in items(row.get(SCORES)) if entry["value"] is not None}
    for _, row in rows:
        if SCORES in row:
            row[SCORES] = [entry for entry in items(row[SCORES]) if entry["name"] in scored] or None
    lines = [line for line, _ in rows]
    if len(set(lines)) < len(lines):
        lines = list(range(1, len(rows) + 1))
    names = dict.fromkeys(name for _, row in rows for name, value in row.items() if value is not None)
    refuse_many_columns(len(names), batch.problems)
    filled = [(line, {name: row.get(name) for name in names}) for line, (_, row) in zip(lines, rows, strict=True)]
    return replace(batch, given=filled)


def _read_records(batch: Batch, counts: dict[str, int], left_out: Set[str]) -> Iterator[tuple[int, Row]]:
    """The records of a batch as rows; of a document that is one object, those of the lists in it. `counts` is what
    `_split_repeats` keeps of the file; columns that are `left_out` repeat nothing."""
    for line, record in batch.records:
        alone = len(batch.records) == 1 and not _is_record(record)
        records = [] if _is_record(record) else list(find_records(record))
        for number, inner in enumerate(records or [record], 1):
            where = f"{batch.name} {batch.unit} {number if alone else line}"
            for attempt in _unfold_attempts(inner):
                for row in _split_repeats(flatten(attempt), counts, left_out, where):
                    yield line, row


def _unfold_attempts(record: Record) -> list[Record]:
    """The record; of one with a list of objects that each hold a response, and name no model, one for each of them,
    which repeats the question."""
    for name, value in record.items():
        if not isinstance(value, list) or not value or is_chat(value) or _group_by_name(value):
            continue
        beside = {field: cell for field, cell in record.items() if field != name}
        question = _find_asked(beside)
        if all(isinstance(attempt, dict) and _is_attempt(attempt, question) for attempt in value):
            answers = [
                {field: cell for field, cell in attempt.items() if _word(field) != c.QUESTION} for attempt in value
            ]
            numbers = [{c.REPEAT: number} if len(value) > 1 else {} for number in range(1, len(value) + 1)]
            return [{**attempt, **beside, **number} for attempt, number in zip(answers, numbers, strict=True)]
    return [record]


def _find_asked(record: Record) -> str:
    """The question that an object holds, or an object in it; empty where there is none."""
    inner = (pair for cell in record.values() if isinstance(cell, dict) for pair in cell.items())
    cells = (cell for name, cell in (*record.items(), *inner) if _word(name) == c.QUESTION and isinstance(cell, str))
    return next(cells, "").strip()


def _is_attempt(value: Record, question: str) -> bool:
    """Whether an object holds what a system said, and neither a golden answer nor another question: at most a prompt
    that has the question in it."""
    named = {name: read_column_name(name) for name, cell in value.items() if isinstance(cell, str)}
    says = any(name.word == c.RESPONSE and not name.is_bare_answer for name in named.values())
    asks = [value[name] for name, meant in named.items() if meant.word == c.QUESTION]
    is_same = all(question and question in text for text in asks)
    return says and is_same and not {name.word for name in named.values()} & {c.ANSWER, c.FACT}


def _split_repeats(row: Row, counts: dict[str, int], left_out: Set[str], where: str) -> Iterator[Row]:
    """The row; of one with several responses in a list a row for each of them, which repeats the question.

    Lists of answers are variants of the golden one unless something else is golden; where a text is the response, lists
    beside it are not. `counts` has how many each such column of the file lists. Raises QavizError where a row lists
    another number: its texts may be parts of one response.
    """
    listed = {
        name: value
        for name, value in row.items()
        if isinstance(value, list) and name not in left_out and _word(name) == c.RESPONSE
    }
    if not listed:
        yield row
        return
    golden = any(value not in (None, "", []) and _word(name) in (c.ANSWER, c.FACT) for name, value in row.items())
    bare = {name for name in row if read_column_name(name).is_bare_answer}
    # An answer of which no name says whose it is stands for the golden one beside a list of responses.
    texts_of = {
        name
        for name, value in row.items()
        if isinstance(value, str) and read_list(value) is None and _word(name) == c.RESPONSE
    }
    answered = bool(texts_of - bare or (texts_of and bare.issuperset(listed)))
    options = {name for name in bare & listed.keys() if golden and not answered and _are_options(row, listed[name])}
    row = {f"{name} options" if name in options else name: cell for name, cell in row.items()}
    listed = {name: value for name, value in listed.items() if name not in options}
    variants_of = [name for name in listed if answered or (name in bare and not golden)]
    row = row | {name: variants(listed.pop(name)) for name in variants_of}
    for name, value in listed.items():
        if counts.setdefault(name, len(value)) != len(value):
            raise stop(
                where,
                f"a list of {len(value):,} in {quote_text(name)}, where the first row lists {counts[name]:,}",
                "as many responses in each row, which repeat its question",
                "Give each response a row of its own, or join the parts of one to one text.",
            )
    most = max(map(len, listed.values()), default=1)
    for place in range(most):
        own = {name: value[place] if place < len(value) else None for name, value in listed.items()}
        yield row | own | ({c.REPEAT: place + 1} if most > 1 else {})


def _are_options(row: Row, listed: Sequence[object]) -> bool:
    """Whether a list of answers has the golden one in it, or one that the golden one names by a letter or number."""
    labels = [chr(ord("A") + place) for place in range(len(listed))]
    golden = [str(value) for name, value in row.items() if value is not None and _word(name) in (c.ANSWER, c.FACT)]
    return any(answer in listed or answer == "0" or name_option(answer, labels) is not None for answer in golden)


def _word(name: str) -> str | None:
    """Which of our words a column's name says."""
    return read_column_name(name).word


def find_records(document: Record, depth: int = 2) -> Iterator[Record]:
    """The records in the lists of a document, or of objects in it so deep, with what stands beside that names their
    pipeline; of several lists each record says which it is of."""
    objects = {name: value for name, value in document.items() if isinstance(value, dict)}
    deeper = {f"{name}.{field}": cell for name, value in objects.items() for field, cell in value.items()}
    beside = _list_pipelines(document) or _list_pipelines(deeper)
    by_name = {"": _read_columns(document) or _read_objects(document)}
    if not by_name[""]:
        by_name = {name: _list_records(value, depth) for name, value in document.items()}
        if any(by_name.values()):  # beside records by id a lone one is a record too
            by_name |= {name: _read_objects(inner, 1) for name, inner in objects.items() if not by_name[name]}
    several = sum(map(bool, by_name.values())) > 1
    for name, records in by_name.items():
        for record in records:
            lists = [name] if several else []
            lists += [str(record[SPLIT])] if SPLIT in record and lists else []
            yield beside | record | ({SPLIT: JOINED_NAMES.join(lists)} if lists else {})


def _list_pipelines(record: Record) -> Record:
    """The fields that name a pipeline, `model_config.name` too."""
    named = {name: read_column_name(name) for name, value in record.items() if isinstance(value, str)}
    return {name: record[name] for name, meant in named.items() if meant.word == c.PIPELINE and meant.certain}


def _list_records(value: object, depth: int) -> list[Record]:
    if isinstance(value, dict) and depth:
        return list(find_records(value, depth - 1))
    records = [element for element in value if isinstance(element, dict)] if isinstance(value, list) else []
    if records and not _is_record(records[0]):
        return [inner for record in records for inner in find_records(record, depth - 1)] if depth else []
    return records


def _read_columns(value: Record) -> list[Record]:
    """`{"question": ["…", "…"], "answer": ["…", "…"]}`, or with objects of numbered cells as pandas writes them."""
    columns = {
        name: list(cells.values()) if isinstance(cells, dict) and "0" in cells else cells
        for name, cells in value.items()
    }
    listed = {name: cells for name, cells in columns.items() if isinstance(cells, list)}
    questions = next((cells for name, cells in listed.items() if _word(name) == c.QUESTION), [])
    if not (questions or any(isinstance(cell, str) and len(cell.split()) > SHORT for cell in value.values())):
        # No list is called the questions, and no text beside them is one: texts under a name that says nothing.
        answers = {len(cells) for name, cells in listed.items() if _word(name) in _SAID and len(cells) >= ENOUGH}
        untold = [cells for name, cells in listed.items() if _word(name) is None and len(cells) in answers]
        questions = next(filter(is_texts, untold), [])
    same = {name: cells for name, cells in listed.items() if len(cells) == len(questions)}
    if len(same) < 2 or not all(isinstance(cell, str) for cell in questions):
        return []
    return [dict(zip(same, cells, strict=True)) for cells in zip(*same.values(), strict=True)]


def _read_objects(value: Record, fewest: int = 2) -> list[Record]:
    """`{"q1": {"question": "…"}, "q2": …}`: the keys are ids unless the objects have some. Keys of objects that ask
    nothing, or are alone, have digits in them."""
    objects = {name: inner for name, inner in value.items() if isinstance(inner, dict)}
    if len(objects) < max(fewest, len(value)):
        return []
    are_ids = all(any(map(str.isdigit, name)) and " " not in name for name in objects)
    for inner in objects.values():
        asks = any(_word(name) == c.QUESTION and isinstance(field, str) for name, field in inner.items())
        if not ((asks and len(objects) > 1) or (are_ids and _is_record({c.QUESTION_ID: "", **inner}))):
            return []
    has_ids = any(_word(name) == c.QUESTION_ID for name in next(iter(objects.values())))
    return [inner if has_ids else {c.QUESTION_ID: name} | inner for name, inner in objects.items()]


def _is_list_of_objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _is_record(value: Record) -> bool:
    """Whether an object's fields are those of a row: a question, or an id and what was answered."""
    fields = value.values()
    words = {_say(*pair) for pair in value.items() if not isinstance(pair[1], list | dict)}
    inner = [pair for field in fields if isinstance(field, dict) for pair in field.items()]
    deeper = {_say(*pair) for pair in inner if not _is_list_of_objects(pair[1])}
    listed = {_word(name) for name, field in value.items() if is_texts(field)}
    if c.QUESTION in words or any(map(is_chat, fields)):
        return True
    asking = [field for name, field in (*value.items(), *inner) if _word(name) == c.QUESTION]
    objects = (value, *(field for field in fields if isinstance(field, dict)))
    if asking and all(map(is_texts, asking)) and any(len(_read_columns(columns)) >= ENOUGH for columns in objects):
        return False  # the lists in it are columns
    lists = [field for field in fields if _is_list_of_objects(field)]
    are_attempts = all(_is_attempt(attempt, _find_asked(value)) for attempts in lists for attempt in attempts[:1])
    if c.QUESTION in deeper and are_attempts and not _read_objects(value):
        return True
    below = [set(map(_word, rows[0])) for rows in lists]
    if any(c.QUESTION in names and names & _SAID for names in below):
        return False  # what the list in it holds are records
    return c.QUESTION_ID in words and bool((words | listed | deeper) & _SAID)


def _say(name: str, field: object) -> str | None:
    """Which of our words a field is: `"successful_queries": 10` asks nothing, nor does an object under the id `q1`."""
    word = _word(name)
    return None if word == c.QUESTION and isinstance(field, int | float | dict) else word


def flatten(record: Record, prefix: str = "", depth: int = 0) -> Row:
    """The record with a column for each field; those of objects inside have the object's name before theirs."""
    row: Row = {}
    for name, value in record.items():
        column = f"{prefix}{name}"
        if is_chat(value):
            row |= {word: words for word, words in find_last_turn(value).items() if word not in record}
        elif isinstance(value, list) and (by_name := _group_by_name(value)):
            row |= flatten(by_name, f"{column}.", depth + 1)
        elif isinstance(value, dict) and value and depth < 4:  # levels that become columns
            row |= flatten(value, f"{column}.", depth + 1)
        else:
            row[column] = _convert_cell(name, column, value)
    return row


def is_chat(value: object) -> bool:
    """Whether it is a list of messages, each with who said it and what, in the fields of OpenAI or ShareGPT."""
    return isinstance(value, list) and bool(value) and all(_find_speaker(message) is not None for message in value)


def _find_speaker(message: object) -> str | None:
    if not isinstance(message, dict) or not {"content", "value", "text", "prompt"} & message.keys():
        return None
    who = message.get("role", message.get("from", message.get("speaker")))
    return who.lower() if isinstance(who, str) else None


def find_last_turn(chat: Sequence[Record]) -> dict[str, str | None]:
    """What was asked last, after all turns before, and what was answered to that, as far as the messages have it."""
    last = max((n for n, message in enumerate(chat) if _find_speaker(message) in _PERSON), default=None)
    if last is None:
        return {}
    answers = [message for message in chat[last + 1 :] if _find_speaker(message) in _MODEL]
    turns = [message for message in chat[: last + 1] if _find_speaker(message) in (*_PERSON, *_MODEL)]
    return {c.QUESTION: join_turns(turns)} | ({c.RESPONSE: join_turns(answers[-1:])} if answers else {})


def _group_by_name(entries: Sequence[object]) -> Record:
    """The objects of a list by the models that they name, of `[{"model": "A", "response": "…"}, …]`; else nothing."""
    by_name: Record = {}
    for entry in entries:
        words = {_word(name): name for name in entry} if isinstance(entry, dict) else {}
        if not isinstance(entry, dict) or c.PIPELINE not in words:
            return {}
        model = entry[words[c.PIPELINE]]
        if not isinstance(model, str) or model in by_name:
            return {}
        fields = {name: value for name, value in entry.items() if name != words[c.PIPELINE]}
        if not {c.RESPONSE, c.ANSWER} & words.keys():
            if (text := _find_sole_text(fields)) is None:
                return {}
            fields = {c.RESPONSE: text}
        by_name[model] = fields
    return by_name


def _find_sole_text(entry: object) -> str | None:
    """The text of an object that has a response, or no other text; None of any other."""
    if not isinstance(entry, dict):
        return None
    texts_by_name = {name: value for name, value in entry.items() if isinstance(value, str)}
    responses = [text for name, text in texts_by_name.items() if _word(name) == c.RESPONSE]
    return next(iter(responses or texts_by_name.values()), None) if len(responses or texts_by_name) == 1 else None


def is_texts(value: object) -> bool:
    """Whether it is a list of texts."""
    return isinstance(value, list) and bool(value) and all(isinstance(element, str) for element in value)


def _convert_cell(name: str, column: str, value: object) -> object:
    """The value; of several golden answers the variants, of contexts the texts. `answers.text` are answers too."""
    word = _word(name)
    if value == [] and word in _WORDS:
        return None
    if _word(column) == c.RESPONSE and isinstance(value, list):
        listed = [element if isinstance(element, str) else _find_sole_text(element) for element in value]
        all_texts = all(text is not None for text, element in zip(listed, value, strict=True) if element is not None)
        return listed if all_texts else as_text(value)
    if is_texts(value) and {word, _word(column)} & _SAID:
        return variants(value)
    if word == c.CONTEXTS and value is not None:
        return texts(value)
    if word == c.QUESTION and is_texts(value):
        return value[0] if len(value) == 1 else "\n".join(value)  # type: ignore[index, arg-type] # a list of texts
    return value


def find_tool(first: Batch) -> Tool | None:
    """The tool that wrote the table that begins with this batch, by its content. None for any other."""
    rows = first.records if first.knows_missing else [(0, dict.fromkeys(first.columns))]
    record: Record = rows[0][1] if rows else {}
    for tool in (*load_plugins("qaviz.readers", Tool), *list_tools()) if record else ():
        with _naming(tool):
            if tool.recognises(record):
                return tool
    return None


def _naming(tool: Tool) -> AbstractContextManager[None]:
    """A reader of the user's is named where it raises; one of ours that raises is a bug."""
    return nullcontext() if tool in list_tools() else naming_extension(f"reader {tool.name}")


def map_columns(tool: Tool, columns: Sequence[str], mapping: Mapping[str, str]) -> dict[str, str]:
    """A mapping of all these columns: what `mapping` says, for the other words what the tool's columns mean."""
    words = dict(mapping)
    for name, word in tool.words.items():
        if name in columns and name not in words and word not in words.values():
            words[name] = word
    own = {*tool.words, *(column.name for column in tool.columns)}
    responds = tool.adds_ordinary and c.RESPONSE in words.values()
    added = {name for name in columns if name not in own and (responds or _word(name) == c.PIPELINE)}
    return {name: IGNORE for name in columns if name not in words and name not in added} | words


def name_tables(tables: Sequence[Table]) -> None:
    """Name each table that has responses by what tells it from the others: its file, its sheet or its folder."""
    responding = [table for table in tables if table.layout.has_responses]
    for place in (1, 2, 0):
        names = [table.names[place] for table in responding]
        if len(set(names)) == len(names) and all(names):
            break
    else:
        unlike = [place for place in range(3) if len({table.names[place] for table in responding}) > 1] or [1]
        names = [" · ".join(filter(None, (table.names[place] for place in unlike))) for table in responding]
        before = [names[:place].count(name) for place, name in enumerate(names)]
        names = [f"{name} ({times + 1})" if times else name for name, times in zip(names, before, strict=True)]
    for table, name in zip(responding, names, strict=True):
        table.pipeline = name
