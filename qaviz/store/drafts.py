"""Rows of a run that is still being made: they go to the disk as they come, and are kept only if the run is saved."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from qaviz.model import GOLDEN_COLUMNS, PIPELINE, QUESTION_ID
from qaviz.store.files import disk_refusals, growing_table, passing

OF_GOLDEN = [column for column in GOLDEN_COLUMNS if column != QUESTION_ID]
"""Columns of diagnosed rows that stand in the golden dataset version: a run's file does not repeat them."""

_DRAFTS_FOLDER = "drafts"


class Draft:
    """Diagnosed rows, added part by part to a file that nobody else sees."""

    def __init__(self, file: Path) -> None:
        """`file` gets the rows."""
        self.file = file
        self.height = 0
        self._pipelines: dict[str, None] = {}

    @property
    def pipelines(self) -> tuple[str, ...]:
        """In the order in which the rows first name them."""
        return tuple(self._pipelines)

    def write(self, parts: Iterable[pl.DataFrame]) -> None:
        """Write the parts, all with the same columns, below one another."""
        with growing_table(self.file) as add:
            for part in parts:
                add(part.drop(OF_GOLDEN, strict=False))
                self.height += part.height
                self._pipelines |= dict.fromkeys(part[PIPELINE].unique(maintain_order=True))


@contextmanager
def draft(workspace: Path) -> Iterator[Draft]:
    """Give a draft in the workspace's folder; its file is gone when the block ends, unless it was saved.

    What a killed process left is cleared when the next draft begins. Raises QavizError if the disk refuses.
    """
    folder = workspace / _DRAFTS_FOLDER
    with disk_refusals(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with passing(folder / "rows.parquet") as file:
            yield Draft(file)
