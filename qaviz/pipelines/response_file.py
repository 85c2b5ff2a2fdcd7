"""The file of responses that asking writes and `qaviz import` reads: JSON Lines, one row a response.

Columns: question_id, question, pipeline, response, latency_ms, cost, contexts, and repeat where each question is asked
several times. A question without an answer has `response: null` and its reason as `error`.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from qaviz.model.columns import CONTEXTS, COST, ERROR, LATENCY_MS, PIPELINE, QUESTION, QUESTION_ID, REPEAT, RESPONSE
from qaviz.model.errors import Problem, QavizError
from qaviz.pipelines.answers import Answer, Question
from qaviz.store import disk_refusals, replacing

Row = dict[str, Any]


def row_of(pipeline: str, question: Question, said: Answer | str) -> Row:
    """The row of an answer, or of the reason why there is none."""
    row: Row = {QUESTION_ID: question.question_id, QUESTION: question.question, PIPELINE: pipeline}
    if isinstance(said, str):
        return row | {RESPONSE: None, ERROR: said}
    row |= {RESPONSE: said.response, LATENCY_MS: said.latency_ms, COST: said.cost}
    return row if said.contexts is None else row | {CONTEXTS: list(said.contexts)}


def write_rows(out: Path, rows: Iterable[Row]) -> int:
    """Write them all or nothing; returns how many. Raises QavizError if the disk refuses."""
    written = 0
    with disk_refusals(out), replacing(out.resolve()) as unfinished, unfinished.open("wb") as file:
        for row in rows:
            file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
            written += 1
    return written


def read_answered(out: Path) -> dict[tuple[str, str, str, int], Row]:
    """The rows of a file that have a response, by pipeline, question_id, question and repeat (from 0).

    Raises QavizError for a line that is no such row; there is nothing where there is no file.
    """
    found: dict[tuple[str, str, str, int], Row] = {}
    if not out.exists():
        return found
    with disk_refusals(out), out.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                row = orjson.loads(line)
                place = row[PIPELINE], row[QUESTION_ID], row[QUESTION], int(row.get(REPEAT) or 1) - 1
                if row[RESPONSE] is not None:
                    found[place] = row
            except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError) as error:
                raise QavizError(
                    Problem(
                        where=f"{out.name} line {number}",
                        found="no row that qaviz ask wrote",
                        expected="its own file, with --changed",
                        fix="Leave --changed out, or name another file.",
                    )
                ) from error
    return found
