"""What stands beside responses and triplets in a file of its own: labels, verdicts, grades, and decisions."""

from collections.abc import Sequence
from functools import partial
from itertools import chain

import polars as pl

from qaviz.loading.formats import read_batches
from qaviz.loading.formats.cells import DTYPES, Kind
from qaviz.loading.load_log import LINE, quote_text
from qaviz.loading.source import Source
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress

_KINDS = {c.QUESTION_ID: Kind.ID, c.GRADE: Kind.ID, c.CONFIDENCE: Kind.NUMBER}
_GRADES = (c.GRADE, c.LABEL, c.VERDICT)
"""Columns that may hold what a grader says, the first that a file has."""
_BESIDE_GRADES = ("criterion", "name")
_BESIDE_VERDICTS = (c.RESPONSE, c.CATEGORY, c.DIAGNOSIS, c.REASON, c.CONFIDENCE)

ITEM, TRIPLET = "item", "triplet"
SINGLE, SEVERAL = ("action",), "findings"
WRITTEN = ("new_question", "new_answer", "new_fact", "note")
SHOWN = (c.QUESTION, c.ANSWER, c.FACT)
"""What a reader looks at, and does not write."""
COLUMNS = (ITEM, TRIPLET, *SHOWN, *SINGLE, SEVERAL, *WRITTEN)

_Words = Sequence[str | tuple[str, ...]]


def read_grades(source: Source, progress: Progress) -> pl.DataFrame:
    """One row a grade: QUESTION_ID, PIPELINE, `grade`, `criterion`, `name` of the grader, `column`, all of them texts.

    What the grader says stands in the file's column `grade`, `label` or `verdict`, which `column` names; criterion and
    name are null where the file lacks them. Raises QavizError with every problem of the file.
    """
    needed = (c.QUESTION_ID, c.PIPELINE, _GRADES)
    table = _read_file(source, progress, needed=needed, beside=_BESIDE_GRADES).select(pl.all().cast(pl.String))
    graded = next(word for word in _GRADES if table[word].count() or word == c.VERDICT)
    grade = pl.col(graded).str.strip_chars().alias(c.GRADE)
    return table.select(c.QUESTION_ID, c.PIPELINE, grade, *_BESIDE_GRADES, pl.lit(graded).alias("column"))


def read_decisions(source: Source, progress: Progress) -> pl.DataFrame:
    """One row an item of a review, with what its reader wrote.

    The columns are COLUMNS, all of them texts, null where the file lacks them. Raises QavizError with every problem of
    the file.
    """
    beside = (TRIPLET, *SHOWN, SEVERAL, *WRITTEN)
    return _read_file(source, progress, needed=(ITEM, *SINGLE), beside=beside).select(pl.all().cast(pl.String))


def _read_file(source: Source, progress: Progress, *, needed: _Words, beside: Sequence[str]) -> pl.DataFrame:
    """The columns `needed` and `beside`, null where the file lacks one; of a tuple in `needed` it has to have one."""
    groups = [(word,) if isinstance(word, str) else word for word in needed]
    kinds = {word: _KINDS.get(word, Kind.TEXT) for word in (*chain.from_iterable(groups), *beside)}
    frames = [pl.DataFrame(schema={word: DTYPES[kind] for word, kind in kinds.items()})]
    for batch in read_batches(source, progress):
        columns = f"the columns {', '.join(map(quote_text, batch.columns[:30]))}"
        lacking = [" or ".join(map(quote_text, words)) for words in groups if not set(words) & set(batch.columns)]
        if lacking:
            fix = "Rename the column."
            raise QavizError(
                *(Problem(where=batch.place, found=columns, expected=f"a column {words}", fix=fix) for words in lacking)
            )
        frames.append(batch.convert(kinds).drop(LINE))
    return pl.concat(frames, how="diagonal")


# Each takes a file and its progress, and raises QavizError with every problem of the file.
read_labels = partial(_read_file, needed=(c.QUESTION_ID, c.PIPELINE, c.LABEL), beside=(c.RESPONSE,))
"""One row a label: QUESTION_ID, PIPELINE, LABEL, and RESPONSE, null where the file does not say of which text."""
read_verdicts = partial(_read_file, needed=(c.QUESTION_ID, c.PIPELINE, c.VERDICT), beside=_BESIDE_VERDICTS)
"""One row a response as `qaviz score` writes it, with what tells a disagreement, null where the file lacks it."""
read_passages = partial(_read_file, needed=(c.QUESTION_ID, "passage"), beside=("newer_passage",))
"""One row a passage: QUESTION_ID, `passage`, `newer_passage` (null where the file has none)."""
