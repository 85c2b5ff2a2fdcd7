"""Rows of a run that is still being made: they go to the disk as they come, and are kept only if the run is saved."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import polars as pl

from qaviz.model.columns import GOLDEN_COLUMNS, PIPELINE, QUESTION_ID, RESPONSE
from qaviz.store.files import clear_abandoned, disk_refusals, growing_table, passing

OF_GOLDEN = [column for column in GOLDEN_COLUMNS if column != QUESTION_ID]
"""Columns of diagnosed rows that stand in the golden dataset version: a run's file does not repeat them."""

DRAFTS_FOLDER = "drafts"
_ROWS = "rows.parquet"


class Draft:
    """Diagnosed rows in a file that nobody else sees."""

    def __init__(self, file: Path) -> None:
        """The rows go to `file`, which is there and empty."""
        self.height = 0
        self._file = file
        self._pipelines: dict[str, None] = {}
        self._writing = ExitStack()
        self._write = self._writing.enter_context(growing_table(file))

    @property
    def pipelines(self) -> tuple[str, ...]:
        """In the order in which the rows first name them."""
        return tuple(self._pipelines)

    def add(self, rows: pl.DataFrame) -> None:
        """Write the rows below those before, which have the same columns. Raises QavizError if the disk refuses."""
        with disk_refusals(self._file.parent):
            self._write(rows.drop(OF_GOLDEN, strict=False))
        self.height += rows.height
        self._pipelines |= dict.fromkeys(rows[PIPELINE].unique(maintain_order=True))

    def read(self) -> pl.DataFrame:
        """The QUESTION_ID, PIPELINE and RESPONSE of all rows; nothing can be added any more. Raises QavizError."""
        with disk_refusals(self._file.parent):
            return pl.read_parquet(self.closed(), columns=[QUESTION_ID, PIPELINE, RESPONSE])

    def closed(self) -> Path:
        """The whole file, as the store keeps a run's rows; nothing can be added any more. Raises OSError."""
        self._writing.close()
        return self._file


@contextmanager
def draft(workspace: Path) -> Iterator[Draft]:
    """Give a draft in the workspace's folder; its file is gone when the block ends, unless it was saved.

    Raises QavizError if the disk refuses.
    """
    folder = workspace / DRAFTS_FOLDER
    with ExitStack() as begun:
        with disk_refusals(folder):
            folder.mkdir(parents=True, exist_ok=True)
            file = begun.enter_context(passing(folder / _ROWS))
        rows = Draft(file)
        try:
            yield rows
        finally:
            # What a full disk has no room for goes now.
            with suppress(OSError):
                rows.closed()


def clear_drafts(workspace: Path) -> None:
    """Remove what killed processes left of drafts; those of living ones stay."""
    clear_abandoned(workspace / DRAFTS_FOLDER / _ROWS)
