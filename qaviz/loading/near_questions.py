"""Questions of responses that nearly are golden questions: pairs for a person to say yes to."""

import re
from collections.abc import Iterable, Sequence

import numpy as np
import polars as pl
from rapidfuzz import fuzz, process

from qaviz.loading.align import align, normalise_text
from qaviz.loading.load import Beside, open_golden, read_all, response_files, silent
from qaviz.loading.source import Source
from qaviz.model.columns import QUESTION, QUESTION_ID
from qaviz.model.errors import QavizError

GOLDEN_QUESTION = "golden_question"
SIMILARITY = "similarity"
NEAR_SCHEMA = {QUESTION: pl.String, QUESTION_ID: pl.String, GOLDEN_QUESTION: pl.String, SIMILARITY: pl.Float64}

LIKE_ENOUGH = 85
"""Similarity in percent (rapidfuzz's ratio, of normalised texts) from which two questions are shown as a pair."""

AHEAD_OF_NEXT = 3
"""Percent by which a pair has to be more alike than the next golden question: else nobody can say which is meant."""

COMPARED_LIMIT = 20_000_000
"""Most pairs of texts that are compared: some ten seconds."""

_PLACE = "\0place"
_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")


def find_near_questions(golden: Source, responses: Sequence[Source]) -> pl.DataFrame:
    """One row (NEAR_SCHEMA) for each question of the responses that aligns with none and nearly is a golden question.

    Pairs that differ in a number are no pairs: "in 2022" is not "in 2023". The most alike come first. The files are
    read as `qaviz.loading.stream` reads them. Raises QavizError with their problems.
    """
    beside, files = Beside(), response_files(golden, responses)
    alignment = open_golden(golden, files, beside, silent)
    parts = read_all(files, beside, [silent] * len(files))
    unknown: dict[str, None] = {}
    for part in parts:
        if alignment is not None:
            numbered = part.filter(pl.col(QUESTION).is_not_null()).with_row_index(_PLACE)
            aligned, _ = align(numbered, alignment.triplets, alignment.by_id, golden.joined)
            lost = numbered.filter(~pl.col(_PLACE).is_in(aligned.get_column(_PLACE).implode()))
            unknown |= dict.fromkeys(lost.get_column(QUESTION))
    if alignment is None or beside.problems:
        raise QavizError(*beside.problems)
    return pair_questions(list(unknown), alignment.triplets)


def pair_questions(questions: Iterable[str], golden: pl.DataFrame) -> pl.DataFrame:
    """The questions with the one golden question (QUESTION_ID, QUESTION) that each nearly is, NEAR_SCHEMA."""
    known = golden.unique(QUESTION, keep="none", maintain_order=True)
    compared = list(questions)[: COMPARED_LIMIT // max(1, known.height)]
    if not compared or known.is_empty():
        return pl.DataFrame(schema=NEAR_SCHEMA)
    choices = known.select(normalise_text(QUESTION)).to_series().to_list()
    queries = pl.DataFrame({QUESTION: compared}).select(normalise_text(QUESTION)).to_series().to_list()
    rows = []
    for place, query in enumerate(queries):
        alike = process.cdist([query], choices, scorer=fuzz.ratio, score_cutoff=LIKE_ENOUGH - AHEAD_OF_NEXT)[0]
        best = int(alike.argmax())
        others = np.delete(alike, best)
        next_best = others.max() if others.size else 0
        clear = alike[best] >= LIKE_ENOUGH and alike[best] - next_best >= AHEAD_OF_NEXT
        if clear and _numbers(query) == _numbers(choices[best]):
            rows.append((compared[place], known[QUESTION_ID][best], known[QUESTION][best], float(alike[best]) / 100))
    return pl.DataFrame(rows, schema=NEAR_SCHEMA, orient="row").sort(SIMILARITY, descending=True, maintain_order=True)


def _numbers(question: str) -> list[str]:
    return sorted(_NUMBERS.findall(question))
