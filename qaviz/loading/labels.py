"""People's labels, and the verdicts they are compared with, each from one file."""

from collections.abc import Mapping, Sequence

import polars as pl

from qaviz.loading.column_mapping import Layout, Role
from qaviz.loading.column_values import Cells
from qaviz.loading.readers.reading import read
from qaviz.loading.source import Source
from qaviz.model.columns import CATEGORY, CONFIDENCE, DIAGNOSIS, LABEL, PIPELINE, QUESTION_ID, REASON, RESPONSE, VERDICT
from qaviz.model.records import Progress

_LABELS = (QUESTION_ID, PIPELINE, LABEL)
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


def _read(source: Source, needed: Sequence[str], beside: Sequence[str], progress: Progress) -> pl.DataFrame:
    names = {word: (word,) for word in (*needed, *beside)}

    def layout(_where: str, columns: Sequence[str], _mapping: Mapping[str, str], _cells: Cells | None = None) -> Layout:
        lacking = tuple(f'a column "{word}"' for word in needed if word not in columns)
        return Layout({name: name for name in columns if name in names}, lacking=lacking)

    found = read(source, Role(names, layout), {}, progress)
    return found.table.frame.select(found.columns(*names)).select(*names)
