"""What a person should know of the rows that were read: a table of kinds, places and details."""

import polars as pl

from qaviz.loading.table import LINE
from qaviz.model import PIPELINE, QUESTION_ID

KIND = "kind"
WHERE = "where"
DETAIL = "detail"
LISTED_SCHEMA = {KIND: pl.String, WHERE: pl.String, QUESTION_ID: pl.String, PIPELINE: pl.String, DETAIL: pl.String}

FILE = "\0file"
"""The column that says which file a row came from, and what its LINE counts: `golden.csv line`."""

UNALIGNED = "unaligned"
"""A response to a question that the golden dataset does not ask. Not scored."""
DUPLICATE = "duplicate"
"""The same triplet, or the same question and pipeline, again. The first is kept."""
EMPTY_RESPONSE = "empty response"
"""Kept, and scored as FMEval scores an empty text."""
UNANSWERED = "unanswered"
"""A pipeline has no response to a golden question."""
NO_FACT = "no fact"
"""A triplet without a fact: not scored for Factual Knowledge."""
NO_ANSWER = "no answer"
"""A triplet without an answer: not scored for QA Accuracy."""
EMPTY_ROW = "empty row"
"""A row with nothing in it. Left out."""
IGNORED_COLUMN = "ignored column"
"""A column that has no place here. Left out."""
PIPELINE_FROM_FILE = "pipeline named after file"
"""A file that does not name its pipeline."""
WHITE_SPACE = "white space"
"""A response that was aligned by its question's text after white space was evened out."""
OTHER_QUESTION = "other question"
"""A response whose id belongs to a question with another text. Aligned by id."""
MADE_IDS = "ids made"
"""A golden dataset without ids: each question has the number of its row."""

NOT_SCORED = (UNALIGNED, DUPLICATE, EMPTY_ROW)
"""The kinds whose rows were in a file and are not in the run."""


def entries(rows: pl.DataFrame, kind: str, detail: pl.Expr | str) -> pl.DataFrame:
    """One entry for each of `rows` (with FILE and LINE, and question_id and pipeline where they have them)."""
    known = [
        pl.col(name) if name in rows.columns else pl.lit(None, pl.String).alias(name)
        for name in (QUESTION_ID, PIPELINE)
    ]
    words = pl.lit(detail) if isinstance(detail, str) else detail
    return rows.select(
        pl.lit(kind).alias(KIND), pl.format("{} {}", FILE, LINE).alias(WHERE), *known, words.alias(DETAIL)
    )


def entry(kind: str, where: str, detail: str, pipeline: str | None = None) -> pl.DataFrame:
    """One entry about a whole file."""
    return pl.DataFrame([(kind, where, None, pipeline, detail)], schema=LISTED_SCHEMA, orient="row")


def join_entries(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """All entries as one table."""
    return pl.concat([pl.DataFrame(schema=LISTED_SCHEMA), *parts])


def listed_counts(listed: pl.DataFrame) -> dict[str, int]:
    """How many entries each kind has, in the order of the table."""
    return dict(listed.group_by(KIND, maintain_order=True).len().iter_rows())
