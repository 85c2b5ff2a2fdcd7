"""What stands beside responses and triplets in a file of its own: labels, verdicts, grades, and decisions, those of
Label Studio and Argilla too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

import polars as pl

from qaviz.loading.formats import Batch, read_batches
from qaviz.loading.formats.cells import DTYPES, Kind, convert
from qaviz.loading.formats.strict_json import JsonObject
from qaviz.loading.load_log import LINE, quote_text
from qaviz.loading.source import Source
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress

_KINDS = {c.QUESTION_ID: Kind.ID, c.GRADE: Kind.ID, c.CONFIDENCE: Kind.NUMBER}
_LABELS = (c.QUESTION_ID, c.PIPELINE, c.LABEL)
_GRADES = (c.GRADE, c.LABEL, c.VERDICT)
"""Columns that may hold what a grader says, the first that a file has."""
_BESIDE_GRADES = ("criterion", "name")
_VERDICTS = (c.QUESTION_ID, c.PIPELINE, c.VERDICT)
_BESIDE_VERDICTS = (c.RESPONSE, c.CATEGORY, c.DIAGNOSIS, c.REASON, c.CONFIDENCE)

ITEM, TRIPLET = "item", "triplet"
SINGLE, SEVERAL = ("action",), "findings"
WRITTEN = ("new_question", "new_answer", "new_fact", "note")
SHOWN = (c.QUESTION, c.ANSWER, c.FACT)
"""What a reader looks at, and does not write."""
_FILLED = (*SINGLE, SEVERAL, *WRITTEN)
COLUMNS = (ITEM, TRIPLET, *SHOWN, *_FILLED)
_JOIN = "; "
_NAMED = 30
"""Columns that a problem names."""
_REVIEWED = (".json", ".jsonl", ".ndjson")
"""Suffixes of files that review tools write."""

_Row = dict[str, str | None]


def read_labels(source: Source, progress: Progress) -> pl.DataFrame:
    """One row a label: QUESTION_ID, PIPELINE, LABEL, and RESPONSE, null where the file does not say of which text.

    Raises QavizError with every problem of the file.
    """
    return _read(read_batches(source, progress), _LABELS, (c.RESPONSE,))


def read_verdicts(source: Source, progress: Progress) -> pl.DataFrame:
    """One row a response as `qaviz score` writes it: what agreement needs, and what tells a disagreement.

    QUESTION_ID, PIPELINE and VERDICT; RESPONSE, CATEGORY, DIAGNOSIS, REASON and CONFIDENCE, null where the file lacks
    them. Raises QavizError with every problem of the file.
    """
    return _read(read_batches(source, progress), _VERDICTS, _BESIDE_VERDICTS)


def read_grades(source: Source, progress: Progress) -> pl.DataFrame:
    """One row a grade: QUESTION_ID, PIPELINE, `grade`, `criterion`, `name` of the grader, `column`, all of them texts.

    What the grader says stands in the file's column `grade`, `label` or `verdict`, which `column` names; criterion and
    name are null where the file lacks them. Raises QavizError with every problem of the file.
    """
    needed = (c.QUESTION_ID, c.PIPELINE, _GRADES)
    table = _read(read_batches(source, progress), needed, _BESIDE_GRADES).select(pl.all().cast(pl.String))
    graded = next(word for word in _GRADES if table[word].count() or word == c.VERDICT)
    grade = pl.col(graded).str.strip_chars().alias(c.GRADE)
    return table.select(c.QUESTION_ID, c.PIPELINE, grade, *_BESIDE_GRADES, pl.lit(graded).alias("column"))


def read_passages(source: Source, progress: Progress) -> pl.DataFrame:
    """One row a passage: QUESTION_ID, `passage`, `newer_passage` (null where the file has none).

    Raises QavizError with every problem of the file.
    """
    return _read(read_batches(source, progress), (c.QUESTION_ID, "passage"), ("newer_passage",))


def read_decisions(source: Source, progress: Progress) -> pl.DataFrame:
    """One row an item of a review, with what its reader wrote.

    The columns are COLUMNS, all of them texts, null where the file lacks them. Files of Label Studio and Argilla have
    them too, but for SHOWN. Raises QavizError with every problem of the file.
    """
    batches = list(read_batches(source, progress))
    records = [record for batch in batches for _, record in batch.records] if source.suffix in _REVIEWED else []
    if records and _rows_of(records[0]) is not None:
        rows = [row for record in records for row in _rows_of(record) or ()]
        return pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String()))
    return _read(batches, (ITEM, *SINGLE), (TRIPLET, *SHOWN, SEVERAL, *WRITTEN)).select(pl.all().cast(pl.String))


def _read(batches: Iterable[Batch], needed: Sequence[str | tuple[str, ...]], beside: Sequence[str]) -> pl.DataFrame:
    """The columns `needed` and `beside`, null where the file lacks one; of a tuple in `needed` it has to have one."""
    groups = [(word,) if isinstance(word, str) else word for word in needed]
    kinds = {word: _KINDS.get(word, Kind.TEXT) for word in (*chain.from_iterable(groups), *beside)}
    schema = {word: DTYPES[kind] for word, kind in kinds.items()}
    frames = [pl.DataFrame(schema=schema)]
    tables: set[str] = set()
    for batch in batches:
        if batch.place not in tables:
            _refuse_lacking(batch, groups)
            tables.add(batch.place)
        there = {word: kind for word, kind in kinds.items() if word in batch.columns}
        batch.refuse_bad(there)
        frame = convert(batch.frame, there, batch.problems).drop(LINE)
        lacking = [pl.lit(None, dtype).alias(word) for word, dtype in schema.items() if word not in there]
        frames.append(frame.with_columns(lacking).select(list(schema)))
    return pl.concat(frames)


def _refuse_lacking(batch: Batch, groups: Sequence[Sequence[str]]) -> None:
    lacking = [words for words in groups if not set(words) & set(batch.columns)]
    if lacking:
        fault = f"the columns {', '.join(map(quote_text, batch.columns[:_NAMED]))}"
        expected = (f"a column {' or '.join(map(quote_text, words))}" for words in lacking)
        fix = "Rename the column."
        raise QavizError(*(Problem(where=batch.place, found=fault, expected=one, fix=fix) for one in expected))


def _rows_of(record: JsonObject) -> list[_Row] | None:
    if isinstance(record.get("data"), dict) and isinstance(record.get("annotations", record.get("predictions")), list):
        return [*_of_task(record)]
    if isinstance(record.get("fields"), dict) and isinstance(record.get("responses"), dict):
        return [_of_record(record)]
    return None


def _of_task(task: JsonObject) -> Iterator[_Row]:
    """Label Studio: what the controls of the last annotation that was not cancelled hold."""
    done = [annotation for annotation in _dicts(task.get("annotations")) if not annotation.get("was_cancelled")]
    row = _read_item_row(task["data"])
    for region in _dicts(done[-1].get("result")) if done else ():
        name, value = region.get("from_name"), region.get("value")
        if name in _FILLED and isinstance(value, dict):
            row[str(name)] = _join_values(value.get("choices", value.get("text")), str(name))
    yield row


def _of_record(record: JsonObject) -> _Row:
    """Argilla: the last value of each question's responses."""
    row = _read_item_row(record.get("metadata"))
    for name, given in record["responses"].items():
        answers = _dicts(given)
        if name in _FILLED and answers:
            row[name] = _join_values(answers[-1].get("value"), name)
    return row


def _read_item_row(data: object) -> _Row:
    """A row that is known by its item and triplet."""
    content = data if isinstance(data, Mapping) else {}
    row: _Row = dict.fromkeys(COLUMNS)
    return row | {name: None if content.get(name) is None else str(content[name]) for name in (ITEM, TRIPLET)}


def _dicts(value: object) -> list[JsonObject]:
    return [element for element in value if isinstance(element, dict)] if isinstance(value, list) else []


def _join_values(value: object, name: str) -> str | None:
    """Several findings as one text; of any other column the last text."""
    texts = (
        [str(element) for element in value] if isinstance(value, list) else [str(value)] if value is not None else []
    )
    return (_JOIN.join(texts) if name == SEVERAL else texts[-1]) if texts else None
