"""What a person should know of files: the problems that stop a load, and a list of what was read and left out."""

import json
from collections.abc import Callable, Iterable

import polars as pl

from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.model.errors import Problem, QavizError

PROBLEM_LIMIT = 50
"""Most problems of one file that are spelled out. The rest are counted."""

_QUOTED = 40
"""Characters of a text that a problem quotes."""

LINE = "\0line"
"""The column of physical line or row numbers. No column of a file can be named so: a NUL is refused."""

WORDS = "words"
LINES_SCHEMA = {LINE: pl.UInt32, WORDS: pl.String}


def name_lines(reasons: Iterable[tuple[int, str]]) -> pl.DataFrame:
    """Lines with what is to be said of each: LINE and WORDS."""
    return pl.DataFrame(list(reasons), schema=LINES_SCHEMA, orient="row")


class Problems:
    """What is wrong with one file, spelled out up to PROBLEM_LIMIT and counted beyond.

    With `skip_bad` a problem of a row is listed with the row left out, and does not stop the load.
    """

    def __init__(self, name: str, unit: str, *, skip_bad: bool = False) -> None:
        """`unit` is what the file's rows are counted in: `line` or `row`."""
        self.name = name
        self.unit = unit
        self._skip_bad = skip_bad
        self._skipped: dict[int, str] = {}
        self._taken = 0
        self._spelled: list[Problem] = []
        self._more = 0

    def __bool__(self) -> bool:
        """Whether anything is wrong so far that stops the load."""
        return bool(self._spelled)

    def add(self, line: int, fault: str, expected: str, fix: str, *, in_row: bool = True) -> None:
        """Note what stands on one line; `in_row` unless it is wrong with the whole file."""
        if self._skip_bad and in_row:
            self._skipped.setdefault(line, f"left out: found {fault}; expected {expected}")
        elif len(self._spelled) < PROBLEM_LIMIT:
            where = f"{self.name} {self.unit} {line}"
            self._spelled.append(Problem(where=where, found=fault, expected=expected, fix=fix, in_row=in_row))
        else:
            self._more += 1

    def add_rows(self, rows: pl.DataFrame, describe_fault: Callable[[str], str], expected: str, fix: str) -> None:
        """Note each of `rows`: its line, and a text that `found` puts into words."""
        limit = rows.height if self._skip_bad else PROBLEM_LIMIT
        for line, text in rows.head(limit).iter_rows():
            self.add(line, describe_fault(text), expected, fix)
        self._more += max(0, rows.height - limit)

    def include(self, error: QavizError) -> None:
        """Note the problems of an error, and go on to find the others."""
        self._spelled += error.problems

    def without_skipped(self, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows (with LINE) but those that are skipped."""
        if not self._skipped:
            return rows
        return rows.filter(~pl.col(LINE).is_in(list(self._skipped)))

    def newly_skipped(self) -> pl.DataFrame:
        """LINE and WORDS of the rows that were skipped since the last call."""
        new = list(self._skipped.items())[self._taken :]
        self._taken += len(new)
        return name_lines(new)

    def list_all(self) -> list[Problem]:
        """Everything noted so far that stops the load."""
        rest = f"{self._more:,} more problem{'s' if self._more > 1 else ''}"
        fix = "Correct those above first: they may share one cause."
        more = Problem(where=self.name, found=rest, expected="none", fix=fix, in_row=True)
        return [*self._spelled, more] if self._more else self._spelled

    def stop_if_any(self) -> None:
        """Raise QavizError with everything noted so far that stops the load."""
        if problems := self.list_all():
            raise QavizError(*problems)


def quote_text(text: str) -> str:
    """The text as a problem quotes it: on one line, shortened, halves of characters as question marks."""
    short = text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…"
    return json.dumps(short, ensure_ascii=False).encode(errors="replace").decode()


KIND = "kind"
WHERE = "where"
DETAIL = "detail"
LISTED_SCHEMA = {KIND: pl.String, WHERE: pl.String, QUESTION_ID: pl.String, PIPELINE: pl.String, DETAIL: pl.String}

FILE = "\0file"
"""The column that says which file a row came from, and what its LINE counts: `golden.csv line`."""

# The kinds of entries.
UNALIGNED = "unaligned"  # a response to a question that the golden dataset does not ask. Not scored
DUPLICATE = "duplicate"  # a triplet, or question and pipeline, again. The first is kept, a response before a null
BAD_ROW = "bad row"  # a row that will not do, left out because a person asked for the others
PIPELINE_ERROR = "pipeline error"  # an error message of the pipeline in place of a response, which is missing then
EMPTY_ROW = "empty row"  # a row with nothing in it. Left out
UNANSWERED = "unanswered"  # a pipeline has no response to a golden question
UNANSWERED_IN_BULK = "unanswered in bulk"  # so many of them that they are counted, not listed
EMPTY_RESPONSE = "empty response"  # kept, and scored as FMEval scores an empty text
NO_FACT = "no fact"  # a triplet that cannot be scored for Factual Knowledge
NO_ANSWER = "no answer"  # a triplet that cannot be scored for QA Accuracy
IGNORED_COLUMN = "ignored column"  # a column that is no word of ours. Left out
COLUMNS = "recognised columns"  # a file whose columns have other names than ours: what was read as what
PIPELINE_FROM_FILE = "pipeline named after file"  # a file that does not say which pipeline its responses come from
IGNORED_SHEET = "ignored sheet"  # a sheet of a workbook that was not read
IGNORED_FILE = "ignored file"  # a file of a zip that is no table
ENCODING = "encoding"  # a file that is read in another encoding than UTF-8
WHITE_SPACE = "white space"  # a response that was aligned by its text after white space was evened out
NORMALISED = "other spelling"  # the same after case, punctuation and width were evened out
NEAR = "near question"  # aligned with a question of nearly the same text because a person said so
OTHER_ID = "other id"  # a response whose id is one question's and whose text is another one's. Aligned by text
OTHER_QUESTION = "other question"  # a response whose id belongs to a question with another text. Aligned by id
IDS_MADE = "ids made"  # a golden dataset without ids: its questions are numbered
FROM_TOOL = "from another tool"  # a file that another tool wrote, recognised by its content
REPEATED = "repeat"  # a repeat of a pipeline, which is a column of its own in the run
SAMPLE = "sample"  # a file of FMEval's own output that is FMEval's fixed sample of the golden dataset
SCORE_FAILED = "score failed"  # FMEval wrote an error in place of a response's scores, which are missing
OTHER_TARGET = "other target"  # FMEval scored it against another fact or answer than the golden one: no scores
OTHER_RESPONSE = "other response"  # a pipeline's two outputs of FMEval differ: QA Accuracy is missing
OTHER_SCORE = "other score"  # a response whose score in FMEval's own output is not what qaviz computes
NOT_DIAGNOSED = "not diagnosed"  # a bug of qaviz kept it from being diagnosed: `unscored`; the run goes on
DOUBT = "doubt"  # something that spoke against what was read; a person had it saved all the same

ASKED_TWICE = "the golden dataset asks this question more than once: question_id has to say which is meant"
ANSWERED_ALIKE = "this pipeline answers this question twice in the same words; one is kept"
NULL_RESPONSE = "the file has a null in place of the response"
"""The detail of an UNANSWERED entry of a row that is there, with no response in it."""

NOT_SCORED = (UNALIGNED, DUPLICATE, EMPTY_ROW, BAD_ROW)
"""Kinds whose rows are in a file and not in the run."""

NOT_ANSWERED = (UNANSWERED, UNANSWERED_IN_BULK, PIPELINE_ERROR)
"""Kinds that say that a response is not there."""

NOT_TAKEN = (SAMPLE, SCORE_FAILED, OTHER_TARGET, OTHER_RESPONSE)
"""Kinds of FMEval's own output that leave responses of the run without scores."""


def entries(rows: pl.DataFrame, kind: str, detail: pl.Expr | str) -> pl.DataFrame:
    """One entry for each of `rows` (with FILE and LINE, and with question_id and pipeline where they have them)."""
    if rows.is_empty():
        return pl.DataFrame(schema=LISTED_SCHEMA)
    ids = [
        pl.col(name) if name in rows.columns else pl.lit(None, pl.String).alias(name)
        for name in (QUESTION_ID, PIPELINE)
    ]
    words = pl.lit(detail) if isinstance(detail, str) else detail
    # Not pl.format: it panics on a frame whose first chunk is empty (polars 2.1.0).
    where = (pl.col(FILE) + " " + pl.col(LINE).cast(pl.String)).alias(WHERE)
    return rows.select(pl.lit(kind).alias(KIND), where, *ids, words.alias(DETAIL))


def entry(kind: str, where: str, detail: str) -> pl.DataFrame:
    """One entry about a whole file."""
    return pl.DataFrame([(kind, where, None, None, detail)], schema=LISTED_SCHEMA, orient="row")


def listed_counts(listed: pl.DataFrame) -> dict[str, int]:
    """How many entries each kind has, in the order in which the kinds first occur."""
    return dict(listed.group_by(KIND, maintain_order=True).len().iter_rows())
