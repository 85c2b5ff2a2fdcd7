"""What stands beside responses and triplets in a file of its own: labels, verdicts, grades, and decisions, those of
Label Studio and Argilla too.
"""

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from qaviz.loading.adapters.records import JSON_SUFFIXES, read_first_record, records
from qaviz.loading.adapters.tool import Record
from qaviz.loading.column_mapping import Layout, Role
from qaviz.loading.column_values import Cells
from qaviz.loading.load_log import Problems
from qaviz.loading.readers.reading import read
from qaviz.loading.source import Source
from qaviz.model import columns as c
from qaviz.model.records import Progress

_LABELS = (c.QUESTION_ID, c.PIPELINE, c.LABEL)
_GRADES = (c.GRADE, c.LABEL, c.VERDICT)
"""Columns that may hold what a grader says, the first that a file has."""
_BESIDE_GRADES = ("criterion", "name")
_VERDICTS = (c.QUESTION_ID, c.PIPELINE, c.VERDICT)
_BESIDE_VERDICTS = (c.RESPONSE, c.CATEGORY, c.DIAGNOSIS, c.REASON, c.CONFIDENCE)

ITEM, TRIPLET = "item", "triplet"
SINGLE, SEVERAL = ("action",), "findings"
WRITTEN = ("new_question", "new_answer", "new_fact", "note")
COLUMNS = (ITEM, TRIPLET, *SINGLE, SEVERAL, *WRITTEN)
_JOIN = "; "

_Row = dict[str, str | None]


def read_labels(source: Source, progress: Progress) -> pl.DataFrame:
    """One row a label: QUESTION_ID, PIPELINE, LABEL. Raises QavizError with every problem of the file."""
    return _read(source, _LABELS, (), progress)


def read_verdicts(source: Source, progress: Progress) -> pl.DataFrame:
    """One row a response as `qaviz score` writes it: what agreement needs, and what tells a disagreement.

    QUESTION_ID, PIPELINE and VERDICT; RESPONSE, CATEGORY, DIAGNOSIS, REASON and CONFIDENCE, null where the file lacks
    them. Raises QavizError with every problem of the file.
    """
    return _read(source, _VERDICTS, _BESIDE_VERDICTS, progress)


def read_grades(source: Source, progress: Progress) -> pl.DataFrame:
    """One row a grade: QUESTION_ID, PIPELINE, `grade`, `criterion`, `name` of the grader, `column`, all of them texts.

    What the grader says stands in the file's column `grade`, `label` or `verdict`, which `column` names; criterion and
    name are null where the file lacks them. Raises QavizError with every problem of the file.
    """
    given = '"grade", "label" or "verdict"'
    table = _read(source, (c.QUESTION_ID, c.PIPELINE), (*_GRADES, *_BESIDE_GRADES), progress, one_of=(_GRADES, given))
    table = table.select(pl.all().cast(pl.String))
    graded = next(word for word in _GRADES if table[word].count() or word == c.VERDICT)
    grade = pl.col(graded).str.strip_chars().alias(c.GRADE)
    return table.select(c.QUESTION_ID, c.PIPELINE, grade, *_BESIDE_GRADES, pl.lit(graded).alias("column"))


def read_passages(source: Source, progress: Progress) -> pl.DataFrame:
    """One row a passage: QUESTION_ID, `passage`, `newer_passage` (null where the file has none).

    Raises QavizError with every problem of the file.
    """
    return _read(source, (c.QUESTION_ID, "passage"), ("newer_passage",), progress)


def read_decisions(source: Source, progress: Progress) -> pl.DataFrame:
    """One row an item of a review, with what its reader wrote.

    The columns are `item`, `triplet`, `action`, `findings`, `new_question`, `new_answer`, `new_fact`, `note`.
    All are texts, null where the file lacks them. Files of Label Studio and Argilla have them too. Raises QavizError
    with every problem of the file.
    """
    if is_from_review_tool(source):
        return read_review_tool(source)
    return _read(source, (ITEM, *SINGLE), (TRIPLET, SEVERAL, *WRITTEN), progress).select(pl.all().cast(pl.String))


def _read(
    source: Source,
    needed: Sequence[str],
    beside: Sequence[str],
    progress: Progress,
    one_of: tuple[Sequence[str], str] = ((), ""),
) -> pl.DataFrame:
    """The columns `needed` and `beside`, null where the file lacks one of `beside`.

    `one_of` names columns of which the file has to have at least one, and how a problem lists them.
    """
    names = {word: (word,) for word in (*needed, *beside)}

    def layout(_where: str, columns: Sequence[str], _mapping: Mapping[str, str], _cells: Cells | None = None) -> Layout:
        lacking = [f'a column "{word}"' for word in needed if word not in columns]
        if one_of[0] and not set(one_of[0]) & set(columns):
            lacking.append(f"a column {one_of[1]}")
        return Layout({name: name for name in columns if name in names}, lacking=tuple(lacking))

    table = read(source, Role(names, layout), progress)
    return table.table.frame.select(table.columns(*names)).select(*names)


def is_from_review_tool(source: Source) -> bool:
    """Whether the file is of Label Studio or Argilla. Raises QavizError for a JSON document that breaks."""
    if source.suffix not in JSON_SUFFIXES:
        return False
    record = read_first_record(source)
    return record is not None and _rows_of(record) is not None


def read_review_tool(source: Source) -> pl.DataFrame:
    """Return COLUMNS, one row a task or record with what was decided on it: of several people's, the last one's.

    Raises QavizError with every problem of the file.
    """
    problems = Problems(source.name, "record")
    rows: list[_Row] = []
    for _, record in records(source, problems):
        rows.extend(_rows_of(record) or ())
    problems.stop_if_any()
    return pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String()))


def _rows_of(record: Record) -> list[_Row] | None:
    if isinstance(record.get("data"), dict) and isinstance(record.get("annotations", record.get("predictions")), list):
        return [*_of_task(record)]
    if isinstance(record.get("fields"), dict) and isinstance(record.get("responses"), dict):
        return [_of_record(record)]
    return None


def _of_task(task: Record) -> Iterator[_Row]:
    """Label Studio: what the controls of the last annotation that was not cancelled hold."""
    done = [annotation for annotation in _dicts(task.get("annotations")) if not annotation.get("was_cancelled")]
    row = _read_item_row(task["data"])
    for region in _dicts(done[-1].get("result")) if done else ():
        name, value = region.get("from_name"), region.get("value")
        if name in COLUMNS and isinstance(value, dict):
            row[str(name)] = _join_values(value.get("choices", value.get("text")), str(name))
    yield row


def _of_record(record: Record) -> _Row:
    """Argilla: the last value of each question's responses."""
    row = _read_item_row(record.get("metadata"))
    for name, given in record["responses"].items():
        answers = _dicts(given)
        if name in COLUMNS and answers:
            row[name] = _join_values(answers[-1].get("value"), name)
    return row


def _read_item_row(data: object) -> _Row:
    """A row that is known by its item and triplet."""
    known = data if isinstance(data, Mapping) else {}
    row: _Row = dict.fromkeys(COLUMNS)
    return row | {name: None if known.get(name) is None else str(known[name]) for name in (ITEM, TRIPLET)}


def _dicts(value: object) -> list[Record]:
    return [element for element in value if isinstance(element, dict)] if isinstance(value, list) else []


def _join_values(value: object, name: str) -> str | None:
    """Several findings as one text; of any other column the last text."""
    texts = (
        [str(element) for element in value] if isinstance(value, list) else [str(value)] if value is not None else []
    )
    return (_JOIN.join(texts) if name == SEVERAL else texts[-1]) if texts else None
