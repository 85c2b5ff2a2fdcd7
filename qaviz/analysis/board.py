"""The matrix in the middle of the board: questions x pipelines, a cell for what became of each response.

The page's canvas, `run.plot.matrix()` and files draw the same frame; the decision's risk counts its cells."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

import polars as pl

from qaviz.analysis.numbers import count, plural
from qaviz.analysis.outcomes import EMPTY, MISSING, RIGHT, STATE, State, name_first
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import DIAGNOSIS, FACTUAL_KNOWLEDGE, PIPELINE, PRECISION, QUESTION_ID, RECALL

STEPS = 10_000
"""Closeness and conciseness are drawn and compared in so many steps."""


class Cell(StrEnum):
    """What became of one question asked of one pipeline: its diagnosis, or why it has none that counts."""

    CORRECT = Diagnosis.CORRECT.value
    VERBOSE = Diagnosis.VERBOSE.value
    REPHRASED = Diagnosis.REPHRASED.value
    RIGHTLY_DECLINED = "rightly declined"
    HALLUCINATION = Diagnosis.HALLUCINATION.value
    ACCIDENTAL = Diagnosis.ACCIDENTAL.value
    OFF_TARGET = Diagnosis.OFF_TARGET.value
    DECLINED = Diagnosis.DECLINED.value
    UNSURE = "unsure"
    """Open: a judge or a person should decide."""
    EMPTY = "empty"
    """There is no response, or a blank one."""


class Group(StrEnum):
    """The pattern of a question: what its pipelines come to, the first that holds."""

    NOT_CREDITED = "right, not credited"
    """At least one right answer has Factual Knowledge 0."""
    NONE = "none right"
    """No right answer; open ones are not counted as right."""
    ALONE = "one alone"
    """Exactly one of several pipelines is right."""
    SOME = "some right"
    ALL = "all right"


class Move(StrEnum):
    """Where a question's response moves on the scatter from one pipeline to another."""

    CLOSER_CONCISER = "closer, more concise"
    CLOSER_WORDIER = "closer, wordier"
    FARTHER_CONCISER = "less close, more concise"
    FARTHER_WORDIER = "less close, wordier"


CELL, GROUP, STATED, NOT_CREDITED, ROW = "cell", "group", "stated", "not_credited", "row"
"""Columns of `tabulate_cells`: a `Cell`, the `Group` of its question, Factual Knowledge as a boolean, whether the
answer is right and Factual Knowledge 0, and the place of the response among the rows; null where there is none."""

_QUESTION_PLACE = "question_place"


def tabulate_cells(outcomes: pl.DataFrame, questions: pl.Series, pipelines: Sequence[str]) -> pl.DataFrame:
    """The matrix, a row for each question and pipeline: by question, each time all `pipelines` in the order given.

    `outcomes` is as `outcomes.tabulate` returns it; `questions` are the ids asked. Columns: question_id; pipeline
    (Enum); cell (Enum of `Cell`); group (Enum of `Group`); right and not_credited (Boolean); stated (Boolean, null
    where Factual Knowledge is not scored); closeness and conciseness (Float64, null where not scored); row (UInt32,
    the place in `outcomes`, null where there is no response).

    Questions stand by group; in it those with most right answers that are not credited come first, then those with most
    right answers, else as in `questions`. Of a pipeline's repeats the cell is the first that is not right, if there is
    one. Where a person or a judge overrules a diagnosis, a right answer is rephrased-correct (correct where the fact is
    stated), a wrong one off target (accidental match where the fact is stated).
    """
    columns = pl.Enum(list(pipelines))
    numbered = pl.DataFrame({QUESTION_ID: questions.cast(pl.String)}).with_row_index(_QUESTION_PLACE)
    right = pl.col(RIGHT) == 1
    stated = pl.col(FACTUAL_KNOWLEDGE) == 1
    # A column a response, none of them a text but the id: at a million responses texts would take a gigabyte.
    cells = outcomes.select(
        pl.col(QUESTION_ID).cast(pl.String),
        pl.col(PIPELINE).cast(pl.String).cast(columns, strict=False),
        name_cell(),
        right.alias(RIGHT),
        stated.alias(STATED),
        (right & ~stated).fill_null(False).alias(NOT_CREDITED),
        pl.col(RECALL).cast(pl.Float64).alias("closeness"),
        pl.col(PRECISION).cast(pl.Float64).alias("conciseness"),
        pl.when(~pl.col(MISSING)).then(pl.int_range(pl.len(), dtype=pl.UInt32)).alias(ROW),
    ).join(numbered, on=QUESTION_ID, how="inner", maintain_order="left")
    place = [_QUESTION_PLACE, PIPELINE]
    cells = cells.filter(pl.col(PIPELINE).is_not_null())
    if cells.height > len(questions) * len(pipelines):
        cells = cells.sort(*place, RIGHT, maintain_order=True).unique(place, keep="first", maintain_order=True)
    return _in_order(cells)


def name_cell() -> pl.Expr:
    """CELL of an outcome: what is missing or open, then the diagnosis, unless somebody overruled it."""
    right, stated = pl.col(RIGHT) == 1, pl.col(FACTUAL_KNOWLEDGE) == 1
    state, diagnosis = pl.col(STATE).cast(pl.String), pl.col(DIAGNOSIS).cast(pl.String).fill_null("")
    # A diagnosis that somebody overruled is none: what is left to tell by is whether the fact is stated.
    names = {
        Cell.EMPTY: pl.col(MISSING) | pl.col(EMPTY),
        Cell.UNSURE: state == State.UNSURE.value,
        Cell.RIGHTLY_DECLINED: state == State.DECLINED.value,
        Cell.VERBOSE: right & (diagnosis == Cell.VERBOSE.value),
        Cell.CORRECT: right & ((diagnosis == Cell.CORRECT.value) | (stated & (diagnosis != Cell.REPHRASED.value))),
        Cell.REPHRASED: right,
        Cell.HALLUCINATION: diagnosis == Cell.HALLUCINATION.value,
        Cell.DECLINED: diagnosis == Cell.DECLINED.value,
        Cell.ACCIDENTAL: (diagnosis == Cell.ACCIDENTAL.value) | (stated & (diagnosis != Cell.OFF_TARGET.value)),
        Cell.OFF_TARGET: pl.lit(True),
    }
    return name_first(names).alias(CELL)


def _in_order(cells: pl.DataFrame) -> pl.DataFrame:
    counts = {"rights": pl.col(RIGHT).sum(), "uncredited": pl.col(NOT_CREDITED).sum(), "asked": pl.len()}
    cells = cells.with_columns(counted.over(_QUESTION_PLACE).alias(name) for name, counted in counts.items())
    patterns = {
        Group.NOT_CREDITED: pl.col("uncredited") > 0,
        Group.NONE: pl.col("rights") == 0,
        Group.ALL: pl.col("rights") == pl.col("asked"),
        Group.ALONE: pl.col("rights") == 1,
        Group.SOME: pl.lit(True),
    }
    order = [GROUP, "uncredited", "rights", _QUESTION_PLACE, PIPELINE]
    named = cells.with_columns(name_first(patterns).alias(GROUP))
    ordered = named.sort(order, descending=[False, True, True, False, False])
    return ordered.select(
        QUESTION_ID, PIPELINE, CELL, GROUP, RIGHT, NOT_CREDITED, STATED, "closeness", "conciseness", ROW
    )


def find_moves(cells: pl.DataFrame, pipelines: Sequence[str], start: str, end: str) -> pl.Series:
    """The `Move` of each cell's question from the response of `start` to that of `end`, null where one is not scored or
    both stand at one place; `cells` as `tabulate_cells` returns them for these `pipelines`."""
    first, last = (
        cells.gather_every(len(pipelines), list(pipelines).index(name)).select(
            (pl.col("closeness", "conciseness") * STEPS).round()
        )
        for name in (start, end)
    )
    closer, conciser = pl.col("closeness") >= 0, pl.col("conciseness") >= 0
    names = {
        Move.CLOSER_CONCISER: closer & conciser,
        Move.CLOSER_WORDIER: closer & ~conciser,
        Move.FARTHER_CONCISER: ~closer & conciser,
        Move.FARTHER_WORDIER: ~closer & ~conciser,
    }
    stays = (pl.col("closeness") == 0) & (pl.col("conciseness") == 0)
    moves = (last - first).select(pl.when(~stays).then(name_first(names).cast(pl.String)).alias("move"))
    return moves.select(pl.col("move").repeat_by(len(pipelines)).explode()).to_series()


def count_gap(cells: pl.DataFrame) -> pl.DataFrame:
    """By pipeline, in the matrix's order: right answers, facts stated, of how many scored, and right, not credited.

    Columns: pipeline; right; stated and scored (responses that Factual Knowledge credits, of how many); not_credited.
    """
    counts = [pl.col(RIGHT).sum(), pl.col(STATED).sum(), pl.col(STATED).count().alias("scored")]
    counts.append(pl.col(NOT_CREDITED).sum())
    return cells.group_by(PIPELINE).agg(counted.cast(pl.Int64) for counted in counts).sort(PIPELINE)


class Trial(NamedTuple):
    """Edits of the golden dataset that wait for a person, and `count_gap` of their questions without and with them."""

    edits: int
    before: pl.DataFrame
    after: pl.DataFrame


def word_trial(trial: Trial) -> str:
    """What the edits would change: right answers that are not credited, and right answers."""
    if not trial.edits:
        return "Nothing is suggested for these questions: edit their facts by hand."
    gap, right = (
        [int(table[column].sum()) for table in (trial.before, trial.after)] for column in (NOT_CREDITED, RIGHT)
    )
    moved = "right answers stay as they are" if right[0] == right[1] else f"right answers: {right[0]:,} → {right[1]:,}"
    edits = f"the {plural(trial.edits, 'suggested edit')} of these questions were accepted"
    return f"If {edits}: right, not credited {gap[0]:,} → {gap[1]:,}; {moved}."


class Flip(NamedTuple):
    """What could still put another pipeline first: so many of its open responses, if they are right."""

    pipeline: str
    needed: int
    open: int
    """How many it has."""


def find_flip(cells: pl.DataFrame) -> Flip | None:
    """The pipeline that the fewest open responses would put before the first of the matrix; None where none would."""
    opened = (pl.col(CELL) == Cell.UNSURE.value).sum().cast(pl.Int64).alias("open")
    counts = cells.group_by(PIPELINE).agg(pl.col(RIGHT).sum().cast(pl.Int64), opened).sort(PIPELINE)
    needed = (pl.col(RIGHT).first() - pl.col(RIGHT) + 1).alias("needed")
    others = counts.select(pl.col(PIPELINE).cast(pl.String), needed, "open")[1:]
    flips = others.filter(pl.col("open") >= pl.col("needed")).sort("needed", maintain_order=True)
    return None if flips.is_empty() else Flip(*flips.row(0))


def word_gap(cells: pl.DataFrame) -> str | None:
    """What Factual Knowledge 0 hides, in two sentences at most: right answers, and questions whose fact no pipeline
    states and one answers right. None where it is 0 nowhere."""
    scored = cells.drop_nulls(STATED)
    missed = scored.filter(~pl.col(STATED))
    if missed.is_empty():
        return None
    by_question = scored.group_by(QUESTION_ID).agg(pl.col(STATED).any(), pl.col(RIGHT).any())
    silent = by_question.filter(~pl.col(STATED))
    zero, right = plural(missed.height, "response"), count(missed.filter(RIGHT).height)
    words = f"Factual Knowledge is 0 for {zero}; {right} of them are right."
    if silent.is_empty():
        return words
    never, answered = plural(silent.height, "question"), count(silent.filter(RIGHT).height)
    return f"{words} For {never} no pipeline states the fact; answered right all the same: {answered}."
