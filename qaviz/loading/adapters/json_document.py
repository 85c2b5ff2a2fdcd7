"""JSON of no tool that is known: the list of records with questions and answers in it, wherever that stands.

Records may be the document itself (a list), a list somewhere inside, an object of objects, or columns side by side.
Objects inside a record become columns with dots in their names; a chat becomes what was asked and answered last, and
responses listed with their models a row for each model.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from qaviz.loading.adapters.tool import Record, Row, Tool, text, texts, variants
from qaviz.loading.column_senses import read_column_name
from qaviz.model.columns import ANSWER, CONTEXTS, FACT, OR_DELIMITER, PIPELINE, QUESTION, QUESTION_ID, RESPONSE

DEEPEST = 6
"""Levels of a document that are searched for records, and of a record that become columns."""

_ID = "id"
_MOST = 0.6
"""Share of an object's keys that end in question marks, from which on they are questions."""
_PERSON, _MODEL = ("user", "human"), ("assistant", "gpt", "ai", "model", "bot")
"""Who speaks in a chat, as OpenAI, ShareGPT and others name them."""
_WORDS = frozenset((QUESTION, ANSWER, FACT, RESPONSE))


class _Found(NamedTuple):
    """A list of records, and what stands beside it that names their pipeline."""

    records: list[Record]
    beside: Record


def needs_search(record: Record) -> bool:
    """Whether a line of JSON Lines is no row as it stands: what matters in it is an object or a list, or is deeper."""
    mattering = {name: value for name, value in record.items() if read_column_name(name).word in _WORDS}
    if any(isinstance(value, dict) or _are_texts(value) for value in mattering.values()):
        return True
    if any(_is_chat(value) or _group_by_model(value) for value in record.values()):
        return True
    if any(_are_objects(value) for name, value in record.items() if read_column_name(name).word == CONTEXTS):
        return True
    if any(read_column_name(name).word in (QUESTION, QUESTION_ID) for name in record):
        return False
    return next(_search_records(record, (), {}), None) is not None or _asks_deeper(record)


def _asks_deeper(record: Record) -> bool:
    deeper = (name for inner in record.values() if isinstance(inner, dict) for name in inner)
    return any(read_column_name(name).word == QUESTION for name in deeper)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(element, str) for element in value)


def _are_objects(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(element, dict) for element in value)


def _read_rows(document: Record) -> Iterator[Row]:
    for record, beside in _find_records(document):
        whole = beside | record
        by_model = {name: responses for name, value in record.items() if (responses := _group_by_model(value))}
        if not by_model:
            yield _flatten(whole)
            continue
        column, responses = next(iter(by_model.items()))
        rest = {name: value for name, value in whole.items() if name != column}
        for model, response in responses.items():
            yield _flatten(rest) | {PIPELINE: model, RESPONSE: response}


def _find_records(document: object) -> Iterator[tuple[Record, Record]]:
    if isinstance(document, dict) and _is_record(document):
        yield document, {}
        return
    lists_by_path: dict[tuple[str, ...], list[_Found]] = {}
    for path, place in _search_records(document, (), {}):
        lists_by_path.setdefault(path, []).append(place)
    if not lists_by_path:
        if isinstance(document, dict):
            yield document, {}
        return
    best = max(lists_by_path, key=lambda path: _weigh(lists_by_path[path]))
    lists = _lists_beside(best, lists_by_path)
    by_pipeline = _have_same_questions(list(lists.values()))
    for name, parts in lists.items():
        named = {PIPELINE: name} if by_pipeline else {}
        for part in parts:
            for record in part.records:
                yield record, named | part.beside


def _lists_beside(
    best: tuple[str, ...], lists_by_path: Mapping[tuple[str, ...], list[_Found]]
) -> dict[str, list[_Found]]:
    """The best lists and those with the same fields under the keys beside theirs, by key: `{"conv-1": [{…}, …],
    "conv-2": [{…}, …]}`. The first place where there are some counts."""
    fields = lists_by_path[best][0].records[0].keys()
    for place in range(len(best) - 1, -1, -1):
        beside = {
            path[place]: parts
            for path, parts in lists_by_path.items()
            if (*path[:place], *path[place + 1 :]) == (*best[:place], *best[place + 1 :])
            and len(path) == len(best)
            and parts[0].records[0].keys() == fields
        }
        if len(beside) > 1:
            return beside
    return {"": lists_by_path[best]}


def _have_same_questions(lists: Sequence[list[_Found]]) -> bool:
    """Whether several lists hold the same questions, and no pipelines: then their keys are the pipelines."""
    if len(lists) < 2 or any(read_column_name(name).word == PIPELINE for name in lists[0][0].records[0]):
        return False
    questions = [{_find_question(record) for part in other for record in part.records} for other in lists]
    return all(len(questions[0] & other) > _MOST * max(len(questions[0]), len(other)) for other in questions[1:])


def _find_question(record: Record) -> str | None:
    return next((text(value) for name, value in record.items() if read_column_name(name).word == QUESTION), None)


def _weigh(lists: list[_Found]) -> tuple[int, int]:
    """How much speaks for records of one path: how many of our words the first has, then how many there are."""
    return _count_known_fields(lists[0].records[0]), sum(len(part.records) for part in lists)


def _search_records(value: object, path: tuple[str, ...], beside: Record) -> Iterator[tuple[tuple[str, ...], _Found]]:
    """All lists of records in a document, by the keys that lead there."""
    if isinstance(value, list):
        candidates = [[element for element in value if isinstance(element, dict)]]
        inner = [("[]", element) for element in value]
    elif isinstance(value, dict):
        candidates = [_read_columns(value), _read_objects_by_id(value), _read_objects_by_question(value, path)]
        inner = list(value.items())
        beside = beside | {name: element for name, element in inner if _names_pipeline(name, element)}
    else:
        return
    for records in candidates:
        if records and _count_known_fields(records[0]):
            below = path[:-1] if PIPELINE in records[0] and PIPELINE not in value else path
            yield (below if isinstance(value, dict) else path), _Found(records, beside)
    if len(path) < DEEPEST:
        for name, element in inner:
            yield from _search_records(element, (*path, name), beside)


def _names_pipeline(name: str, value: object) -> bool:
    return isinstance(value, str) and read_column_name(name).word == PIPELINE


def _read_columns(value: Record) -> list[Record]:
    """`{"question": ["…", "…"], "answer": ["…", "…"]}`, or with objects of numbered cells as pandas writes them."""
    columns = {
        name: list(cells_of_column.values()) if _is_numbered(cells_of_column) else cells_of_column
        for name, cells_of_column in value.items()
    }
    listed = {name: cells_of_column for name, cells_of_column in columns.items() if isinstance(cells_of_column, list)}
    questions = next(
        (cells_of_column for name, cells_of_column in listed.items() if read_column_name(name).word == QUESTION), None
    )
    if (
        questions is None
        or not all(isinstance(cells_of_column, str) for cells_of_column in questions)
        or _count_known_fields(listed) < 2
    ):
        return []
    same = {name: cells_of_column for name, cells_of_column in listed.items() if len(cells_of_column) == len(questions)}
    return [dict(zip(same, cells, strict=True)) for cells in zip(*same.values(), strict=True)]


def _is_numbered(value: object) -> bool:
    """Whether it is an object of cells under the names of rows, and not of fields: `{"0": "…", "1": "…"}`."""
    return isinstance(value, dict) and not any(read_column_name(name).word in _WORDS for name in value)


def _read_objects_by_id(value: Record) -> list[Record]:
    """`{"q1": {"question": "…"}, "q2": …}`: the keys are ids unless the objects have some."""
    objects = {name: inner for name, inner in value.items() if isinstance(inner, dict)}
    if not objects or len(objects) < len(value) or not all(map(_is_record, objects.values())):
        return []
    has_ids = any(read_column_name(name).word == QUESTION_ID for name in next(iter(objects.values())))
    return [inner if has_ids else {_ID: name} | inner for name, inner in objects.items()]


def _read_objects_by_question(value: Record, path: Sequence[str]) -> list[Record]:
    """`{"How many …?": {"answer": "…"}, …}` or with texts in place of the objects; below names of pipelines, if any."""
    asking = [name for name in value if name.rstrip().endswith(("?", "？"))]
    if len(asking) < max(2, _MOST * len(value)):
        return []
    beside = {PIPELINE: path[-1]} if path and path[-1] != "[]" else {}
    if all(isinstance(inner, str | None) for inner in value.values()):
        return [{QUESTION: name, RESPONSE: inner} | beside for name, inner in value.items()]
    if not all(isinstance(inner, dict) and QUESTION not in inner for inner in value.values()):
        return []
    return [{QUESTION: name} | beside | inner for name, inner in value.items()]


def _is_record(value: Record) -> bool:
    return any(read_column_name(name).word == QUESTION and isinstance(field, str) for name, field in value.items())


def _count_known_fields(record: Record) -> int:
    """How many of the words that matter the names of a record's fields give, also one level deeper."""
    deeper = [name for inner in record.values() if isinstance(inner, dict) for name in inner]
    questions = [QUESTION for inner in record.values() if _is_chat(inner)]
    return len({*questions, *(read_column_name(name).word for name in (*record, *deeper))} & _WORDS)


def _flatten(record: Record, prefix: str = "", depth: int = 0) -> Row:
    """The record with a column for each field; those of objects inside have the object's name before theirs."""
    row: Row = {}
    for name, value in record.items():
        column = f"{prefix}{name}"
        if _is_chat(value):
            row |= {word: words for word, words in _find_last_turn(value).items() if word not in record}
        elif isinstance(value, dict) and value and depth < DEEPEST:
            row |= _flatten(value, f"{column}.", depth + 1)
        else:
            row[column] = _convert_cell(name, column, value)
    return row


def _is_chat(value: object) -> bool:
    """Whether it is a list of messages, each with who said it and what, in the fields of OpenAI or ShareGPT."""
    return isinstance(value, list) and bool(value) and all(_find_speaker(message) is not None for message in value)


def _find_speaker(message: object) -> str | None:
    if not isinstance(message, dict) or not {"content", "value"} & message.keys():
        return None
    who = message.get("role", message.get("from"))
    return who if isinstance(who, str) else None


def _find_last_turn(chat: Sequence[Record]) -> dict[str, str | None]:
    """What the person asked last, and what was answered to that, as far as the messages have it."""
    last: dict[str, str | None] = {}
    for message in chat:
        who = _find_speaker(message)
        if who in _PERSON:
            last = {QUESTION: _read_content(message)}
        elif who in _MODEL:
            last[RESPONSE] = _read_content(message)
    return last


def _read_content(message: Record) -> str | None:
    """The text of a message, which may be a list of parts."""
    content = message.get("content", message.get("value"))
    if isinstance(content, list):
        return "\n".join(
            part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)
        )
    return text(content)


def _group_by_model(value: object) -> dict[str, str | None]:
    """Response by model, of `[{"model": "A", "response": "…"}, …]` or `{"A": {"answer": "…", "score": 1}, …}`; empty
    for anything else."""
    if isinstance(value, dict):
        return _group_by_name(value)
    responses: dict[str, str | None] = {}
    for entry in value if isinstance(value, list) else []:
        words = {read_column_name(name).word: name for name in entry} if isinstance(entry, dict) else {}
        model = entry[words[PIPELINE]] if PIPELINE in words else None
        field = words.get(RESPONSE, words.get(ANSWER))
        if not isinstance(model, str) or field is None or model in responses:
            return {}
        responses[model] = text(entry[field])
    return responses


def _group_by_name(objects: Record) -> dict[str, str | None]:
    """Response by the names of several objects that all have the same fields, one of them a response."""
    values = list(objects.values())
    if len(values) < 2 or not all(isinstance(inner, dict) and inner.keys() == values[0].keys() for inner in values):
        return {}
    fields = [name for name in values[0] if read_column_name(name).word == RESPONSE]
    if len(fields) != 1 or not all(isinstance(inner[fields[0]], str | None) for inner in values):
        return {}
    return {name: inner[fields[0]] for name, inner in objects.items()}


def _convert_cell(name: str, column: str, value: object) -> object:
    """The value; of several golden answers the variants, of contexts the texts. `answers.text` are answers too."""
    word = read_column_name(name).word
    answers = {word, read_column_name(column).word} & {ANSWER, FACT, RESPONSE}
    if isinstance(value, list) and answers and all(isinstance(element, str) for element in value):
        return variants(value, OR_DELIMITER)
    if word == CONTEXTS and value is not None:
        return texts(value)
    if word == QUESTION and isinstance(value, list) and len(value) == 1:
        return text(value[0])
    return text(value)


JSON_DOCUMENT = Tool(name="a JSON document", wrote=lambda _record: True, rows=_read_rows, columns=())
"""What reads JSON of no tool that is known. Its columns are recognised as those of any file."""
