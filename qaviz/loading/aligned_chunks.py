"""Responses aligned with a golden dataset chunk by chunk: what has to be remembered from one to the next, and error
messages that stand where responses belong.
"""

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
from qaviz.loading.readers.table import LINE
from qaviz.loading.source import Source
from qaviz.model.columns import (
    ANSWER,
    FACT,
    GOLDEN_COLUMNS,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    RESPONSE,
    RESPONSE_COLUMNS,
)
from qaviz.model.columns import ERROR as GIVEN_ERROR

_PLACE = "\0place"

ERROR_SHOWN = 120
"""Characters of an error message that the list shows."""

_GIVEN = [column for column in RESPONSE_COLUMNS if column != QUESTION_ID]

LONGEST_MESSAGE = 400
"""Characters of a message that has no mark of its own, such as a traceback's first line. A longer text is an answer."""

_MARKED = (
    r"(?i)^\s*(?:"
    r"traceback \(most recent call last\):"
    r"|<!doctype html\b|<html[\s>]"
    r"|an error occurred \(\w+\) when calling "
    r'|\{\s*"(?:error|errors|errormessage|error_message|exception|errortype)"\s*:'
    r"|\{\s*'error'\s*:"
    r'|\{\s*"(?:status|statuscode|status_code|code)"\s*:\s*"?[45]\d\d\b'
    r"|error code: [45]\d\d - "
    r"|error:\s+you (?:tried to access|exceeded your current quota|didn't provide an api key|must provide a model)\b"
    r")"
)
"""Beginnings that only error messages have."""

_EXCEPTIONS = (
    r"(?:RateLimit|API|APIStatus|APIConnection|APITimeout|InternalServer|BadRequest|Authentication|PermissionDenied|"
    r"NotFound|UnprocessableEntity|ServiceUnavailable|Timeout|Connection|Connect|ReadTimeout|HTTP|HTTPStatus|Client|"
    r"Server|Overloaded|Throttling|Validation|ModelTimeout|ModelNotReady|ResourceNotFound|AccessDenied|Runtime|Value|Key"
    r"|Type|Attribute|Index|JSONDecode|OutOfMemory)(?:Error|Exception)"
)

_SHORT = (
    r"(?s)^\s*(?:"
    r"(?i:error|exception|failed|request failed)\s*(?:code)?\s*[:\-]?\s*(?i:http)?\s*\(?[1-5]\d\d\b"
    r"|(?:ERROR|EXCEPTION|\[ERROR\]|#ERROR!?)\s*[:\-]?\s"
    r"|(?i:error)\s*:\s*(?i:[^.]{0,60}\b(?:timed? ?out|timeout|rate limit|quota|connection|connect|api|http|request|"
    r"server|unauthori[sz]ed|forbidden|context length|token limit|max retries|unavailable|overloaded|exception|invalid "
    r"response|no response|failed to)\b)"
    r"|(?:[a-z_]\w*\.)+[A-Z]\w*(?:Error|Exception)\b"
    rf"|{_EXCEPTIONS}\s*(?:\(|:)"
    r"|(?i:rate limit (?:exceeded|reached)|too many requests|(?:request|read|connection|operation|gateway) "
    r"time[d]?[ -]?out|(?:500|502|503|504|429|404|403|401) (?:internal server error|bad gateway|service unavailable|"
    r"gateway time-?out|too many requests|not found|forbidden|unauthorized)|internal server error|service unavailable|"
    r"bad gateway|connection (?:refused|reset|aborted|error)|request failed with status|"
    r"HTTP(?:/\d\.\d)?\s*(?:error\s*)?[45]\d\d|max retries exceeded|HTTPSConnectionPool)"
    r")"
)
"""Beginnings of short error messages."""

_ABOUT_ERRORS = (
    r"(?i)\berrors?\b|exception|traceback|rate limit|timed? ?out|timeout|status code|\bhttp|stack ?trace|\b[45]\d\d\b"
    r"|html|json|lỗi|fehler|erreur|エラー|错误"
)
"""Words in a question or golden answer that speaks of errors: then such a message may be the answer."""


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

    def find_unanswered(self, questions: pl.DataFrame) -> Iterator[pl.DataFrame]:
        """For each pipeline those of `questions` (one row a golden question) that were not noted, with PIPELINE."""
        for pipeline, seen in self._by_pipeline.items():
            yield questions.filter(pl.Series(~seen)).with_columns(pl.lit(pipeline).alias(PIPELINE))


class Alignment:
    """A golden dataset, and the responses to it that have come so far."""

    def __init__(self, triplets: pl.DataFrame, files: Sequence[Source], *, by_id: bool) -> None:
        """`triplets` has GOLDEN_COLUMNS, and for `list_unanswered` FILE and LINE.

        Responses align by id if `by_id`, else by question. Problems name `files`, the golden dataset's first.
        """
        self.triplets, self.by_id = triplets, by_id
        self.answered = Answered(triplets.height)
        self._golden = triplets.select(GOLDEN_COLUMNS).rechunk()
        self._files = files
        self._nulls: list[pl.DataFrame] = []

    def add(self, responses: pl.DataFrame) -> Chunk:
        """The first response of each pipeline to each question, in order, and what is to be listed of the others.

        Nulls wait for `list_nulls`: a response may follow. Raises QavizError for too many pipelines.
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

    def list_nulls(self) -> pl.DataFrame:
        """Once all responses are in: an entry for each null that stood in place of one."""
        nulls = pl.concat(self._nulls)
        first = self.answered.add(nulls)
        return pl.concat([null_entries(nulls.filter(first)), repeated_entries(nulls.filter(~first))])

    def list_unanswered(self) -> pl.DataFrame:
        """Once the nulls are in: entries for the golden questions of which a pipeline said nothing.

        Raises QavizError if no response aligned at all.
        """
        stop_at_wrong_files(self.answered.pipelines(), self._files)
        questions = self.triplets.select(QUESTION_ID, FILE, LINE)
        return pl.concat(map(unanswered_entries, self.answered.find_unanswered(questions)))


def find_pipeline_errors(responses: pl.Series, rows: pl.Series, golden: pl.DataFrame) -> pl.Series:
    """Whether each response is an error message of its pipeline; `rows` are the places of their triplets in `golden`.

    Where the question, the golden answer or the fact speaks of errors it is none: it may be the answer.
    """
    said = pl.col(RESPONSE)
    short = said.str.len_chars() <= LONGEST_MESSAGE
    message = said.str.contains(_MARKED) | (short & said.str.contains(_SHORT))
    found = responses.to_frame(RESPONSE).select(message.fill_null(value=False)).to_series()
    places = found.arg_true()
    # The search for talk of errors is slow: only the triplets of what looks like a message are searched.
    asked = golden.select(QUESTION, ANSWER, FACT)[rows.gather(places)]
    spoken = pl.concat_str(pl.all(), separator=" ", ignore_nulls=True).str.contains(_ABOUT_ERRORS)
    return found.scatter(places.filter(asked.select(spoken).to_series()), False)
