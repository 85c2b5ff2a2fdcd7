"""What stands beside responses and triplets in a file of its own: labels, verdicts, grades, passages."""

from collections.abc import Mapping, Sequence

import polars as pl

from qaviz.loading.adapters.review_tools import is_from_review_tool, read_review_tool
from qaviz.loading.column_mapping import Layout, Role
from qaviz.loading.column_values import Cells
from qaviz.loading.readers.reading import read
from qaviz.loading.source import Source
from qaviz.model.columns import (
    CATEGORY,
    CONFIDENCE,
    DIAGNOSIS,
    GRADE,
    LABEL,
    PIPELINE,
    QUESTION_ID,
    REASON,
    RESPONSE,
    VERDICT,
)
from qaviz.model.records import Progress

_LABELS = (QUESTION_ID, PIPELINE, LABEL)
_GRADES = (GRADE, LABEL, VERDICT)
"""Columns that may hold what a grader says, the first that a file has."""
_BESIDE_GRADES = ("criterion", "name")
_VERDICTS = (QUESTION_ID, PIPELINE, VERDICT)
_BESIDE_VERDICTS = (RESPONSE, CATEGORY, DIAGNOSIS, REASON, CONFIDENCE)


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
    names = {word: (word,) for word in (QUESTION_ID, PIPELINE, *_GRADES, *_BESIDE_GRADES)}

    def layout(_where: str, columns: Sequence[str], _mapping: Mapping[str, str], _cells: Cells | None = None) -> Layout:
        lacking = [f'a column "{word}"' for word in (QUESTION_ID, PIPELINE) if word not in columns]
        lacking += [] if set(_GRADES) & set(columns) else ['a column "grade", "label" or "verdict"']
        return Layout({name: name for name in columns if name in names}, lacking=tuple(lacking))

    found = read(source, Role(names, layout), progress)
    table = found.table.frame.select(found.columns(*names)).select(pl.all().cast(pl.String))
    said = next(word for word in _GRADES if table[word].count() or word == VERDICT)
    grade = pl.col(said).str.strip_chars().alias(GRADE)
    return table.select(QUESTION_ID, PIPELINE, grade, *_BESIDE_GRADES, pl.lit(said).alias("column"))


def read_passages(source: Source, progress: Progress) -> pl.DataFrame:
    """One row a passage: QUESTION_ID, `passage`, `newer_passage` (null where the file has none).

    Raises QavizError with every problem of the file.
    """
    return _read(source, (QUESTION_ID, "passage"), ("newer_passage",), progress)


def read_decisions(source: Source, progress: Progress) -> pl.DataFrame:
    """One row an item of a review, with what its reader wrote.

    The columns are `item`, `triplet`, `action`, `findings`, `new_question`, `new_answer`, `new_fact`, `note`.
    All are texts, null where the file lacks them. Files of Label Studio and Argilla have them too. Raises QavizError
    with every problem of the file.
    """
    if is_from_review_tool(source):
        return read_review_tool(source)
    beside = ("triplet", "findings", "new_question", "new_answer", "new_fact", "note")
    return _read(source, ("item", "action"), beside, progress).select(pl.all().cast(pl.String))


def _read(source: Source, needed: Sequence[str], beside: Sequence[str], progress: Progress) -> pl.DataFrame:
    names = {word: (word,) for word in (*needed, *beside)}

    def layout(_where: str, columns: Sequence[str], _mapping: Mapping[str, str], _cells: Cells | None = None) -> Layout:
        lacking = tuple(f'a column "{word}"' for word in needed if word not in columns)
        return Layout({name: name for name in columns if name in names}, lacking=lacking)

    found = read(source, Role(names, layout), progress)
    return found.table.frame.select(found.columns(*names)).select(*names)
