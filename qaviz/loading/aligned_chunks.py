"""Responses aligned with a golden dataset chunk by chunk, and what has to be remembered from one chunk to the next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from qaviz.loading.align import (
    ERROR,
    ROW,
    align,
    empty_entries,
    null_entries,
    repeated_entries,
    stop_at_wrong_files,
    unanswered_entries,
)
from qaviz.loading.load_log import FILE
from qaviz.loading.pipeline_errors import find_pipeline_errors
from qaviz.loading.readers.table import LINE
from qaviz.loading.source import Source
from qaviz.model.columns import ERROR as GIVEN_ERROR
from qaviz.model.columns import (
    GOLDEN_COLUMNS,
    PIPELINE,
    QUESTION_ID,
    RESPONSE,
    RESPONSE_COLUMNS,
)

_PLACE = "\0place"

ERROR_SHOWN = 120
"""Characters of an error message that the list shows."""

_GIVEN = [column for column in RESPONSE_COLUMNS if column != QUESTION_ID]


@dataclass(frozen=True)
class Chunk:
    """Some of the responses, ready to be scored."""

    rows: pl.DataFrame
    """As `Loaded.rows`."""
    listed: pl.DataFrame
    """As `Loaded.listed`."""
    golden: pl.DataFrame
    """As `Loaded.golden`: the whole golden dataset, the same for each chunk."""
    scored: bool = False
    """Whether the rows have scores that FMEval's own output brought."""


class Answered:
    """Which golden questions each pipeline has answered: one byte a question and pipeline, however many chunks.

    So a repeated response is found exactly, in whatever chunk or file the first one stood.
    """

    def __init__(self, questions: int) -> None:
        self._questions = questions
        self._by_pipeline: dict[str, npt.NDArray[np.bool_]] = {}

    def add(self, responses: pl.DataFrame) -> pl.Series:
        """Note responses (ROW, PIPELINE). Returns for each whether it is the first of its question and pipeline."""
        # One number for question and pipeline: at a million rows far smaller than the pair.
        pipeline = pl.col(PIPELINE).cast(pl.Categorical).to_physical().cast(pl.UInt64)
        pair = pl.col(ROW).cast(pl.UInt64) * 2**32 + pipeline
        first = responses.select(pair.is_first_distinct()).to_series().to_numpy().copy()
        for part in responses.select(ROW, PIPELINE).with_row_index(_PLACE).partition_by(PIPELINE):
            seen = self._by_pipeline.setdefault(part[PIPELINE][0], np.zeros(self._questions, np.bool_))
            rows = part[ROW].to_numpy()
            first[part[_PLACE].to_numpy()] &= ~seen[rows]
            seen[rows] = True
        return pl.Series(first, dtype=pl.Boolean)

    def pipelines(self) -> pl.DataFrame:
        """PIPELINE: one row a pipeline, in the order in which the responses first named them."""
        return pl.DataFrame({PIPELINE: list(self._by_pipeline)}, schema={PIPELINE: pl.String})

    def absent(self, questions: pl.DataFrame) -> Iterator[pl.DataFrame]:
        """For each pipeline those of `questions` (one row a golden question) that were not noted, with PIPELINE."""
        for pipeline, seen in self._by_pipeline.items():
            yield questions.filter(pl.Series(~seen)).with_columns(pl.lit(pipeline).alias(PIPELINE))


class Alignment:
    """A golden dataset, and the responses to it that have come so far."""

    def __init__(self, triplets: pl.DataFrame, files: Sequence[Source], *, by_id: bool) -> None:
        """`triplets` has GOLDEN_COLUMNS, and for `unanswered` FILE and LINE.

        Responses align by id if `by_id`, else by question. Problems name `files`, the golden dataset's first.
        """
        self.triplets, self.by_id = triplets, by_id
        self.answered = Answered(triplets.height)
        self._golden = triplets.select(GOLDEN_COLUMNS).rechunk()
        self._files = files
        self._nulls: list[pl.DataFrame] = []

    def add(self, responses: pl.DataFrame) -> Chunk:
        """The first response of each pipeline to each question, in order, and what is to be listed of the others.

        Nulls wait for `nulls`: a response may follow. Raises QavizError for too many pipelines.
        """
        aligned, notes = align(responses, self.triplets, self.by_id, self._files[0].joined)
        if not aligned.is_empty():
            stop_at_wrong_files(pl.concat([self.answered.pipelines(), aligned.select(PIPELINE)]), self._files)
        aligned = self._without_errors(aligned)
        given = pl.col(RESPONSE).is_not_null()
        nulls = aligned.filter(~given)
        ids = self._golden.get_column(QUESTION_ID).gather(nulls.get_column(ROW))
        self._nulls.append(nulls.select(ROW, PIPELINE, ids, FILE, LINE, ERROR))
        answers = aligned.filter(given)
        first = self.answered.add(answers)
        kept = answers.filter(first)
        # One chunk: polars' own format() panics on frames whose first chunk is empty (2.1.0), as filters leave them.
        rows = pl.concat([self._golden[kept.get_column(ROW)], kept.select(_GIVEN)], how="horizontal").rechunk()
        listed = pl.concat([*notes, repeated_entries(answers.filter(~first)), empty_entries(kept)])
        return Chunk(rows, listed, self._golden)

    def _without_errors(self, aligned: pl.DataFrame) -> pl.DataFrame:
        """The rows with ERROR: a response that is an error message is missing, unless a person said it is an answer."""
        given = pl.col(GIVEN_ERROR) if GIVEN_ERROR in aligned.columns else pl.lit(None, pl.String)
        reason = pl.when(pl.col(RESPONSE).is_null()).then(given.str.slice(0, ERROR_SHOWN).str.replace_all(r"\s+", " "))
        aligned = aligned.with_columns(reason.alias(ERROR))
        if any(source.keep_errors for source in self._files):
            return aligned
        error = find_pipeline_errors(aligned.get_column(RESPONSE), aligned.get_column(ROW), self._golden)
        message = pl.when(error).then(pl.col(RESPONSE).str.slice(0, ERROR_SHOWN).str.replace_all(r"\s+", " "))
        return aligned.with_columns(pl.coalesce(message, ERROR).alias(ERROR)).with_columns(
            pl.when(pl.col(ERROR).is_null()).then(pl.col(RESPONSE)).alias(RESPONSE)
        )

    def nulls(self) -> pl.DataFrame:
        """Once all responses are in: an entry for each null that stood in place of one."""
        nulls = pl.concat(self._nulls)
        first = self.answered.add(nulls)
        return pl.concat([null_entries(nulls.filter(first)), repeated_entries(nulls.filter(~first))])

    def unanswered(self) -> pl.DataFrame:
        """Once the nulls are in: entries for the golden questions of which a pipeline said nothing.

        Raises QavizError if no response aligned at all.
        """
        stop_at_wrong_files(self.answered.pipelines(), self._files)
        questions = self.triplets.select(QUESTION_ID, FILE, LINE)
        return pl.concat(map(unanswered_entries, self.answered.absent(questions)))
