"""The way of a question to a right answer: in the documents, retrieved, in the top k, used, right; where it ends."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from qaviz import stats
from qaviz.diagnosis.judging import CONTEXT_SCHEMA, OR_ELSE, TOP_K
from qaviz.model import columns as c
from qaviz.model.classes import Fault, Verdict

QUESTIONS, KNOWN, LOST = "questions", "known", "lost"


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of the way."""

    name: str
    """The column of `measure_funnel`, and the key in files."""
    label: str
    holds: pl.Expr
    """Whether a response took the step; null where nothing tells."""
    lost: str
    """What became of a response that fails here: `{number} {lost}`."""
    advice: str


_HOLDS = {
    "in_documents": pl.col(c.IN_DOCUMENTS),
    "retrieved": pl.col(c.RETRIEVAL_HIT),
    # Asked of what was retrieved alone: what was not is counted once, one step before.
    "in_top_k": pl.when(c.RETRIEVAL_HIT).then(pl.col(c.RETRIEVAL_RANK) <= TOP_K),
    "used": pl.col(c.CONTEXT_USED),
    "right": pl.col(c.VERDICT).cast(pl.String) == Verdict.CORRECT.value,
}
_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8").replace("{top}", str(TOP_K)))
STEPS = tuple(Step(name=name, holds=_HOLDS[name], **words) for name, words in _WORDS.items())

_FAULT = pl.col(c.FAULT).cast(pl.String)
_WRONG = pl.col(c.VERDICT).cast(pl.String).is_in([Verdict.INCORRECT.value, Verdict.DECLINED.value])
_OF_GENERATOR = (Fault.GENERATOR.value == _FAULT) & _WRONG
_LOST_AT = pl.coalesce(
    pl.when(Fault.DOCUMENTS.value == _FAULT).then(pl.lit("in_documents")),
    pl.when(Fault.RETRIEVER.value == _FAULT).then(
        pl.when(c.RETRIEVAL_HIT).then(pl.lit("in_top_k")).otherwise(pl.lit("retrieved"))
    ),
    pl.when(_OF_GENERATOR).then(pl.when(c.CONTEXT_USED).then(pl.lit("right")).otherwise(pl.lit("used"))),
)
"""The name of the step at which a wrong response is lost, as its fault proves; null where that is open."""
_CONTEXTS = (c.IN_DOCUMENTS, c.RETRIEVAL_HIT, c.RETRIEVAL_RANK, c.CONTEXT_USED)


def _select(rows: pl.DataFrame) -> pl.DataFrame:
    """What a funnel is made of; runs of earlier versions know nothing of contexts."""
    kinds = {c.FAULT: pl.String()} | {name: CONTEXT_SCHEMA[name] for name in _CONTEXTS}
    columns = (pl.col(name) if name in rows.columns else pl.lit(None, kind).alias(name) for name, kind in kinds.items())
    return rows.select(c.QUESTION_ID, c.PIPELINE, c.VERDICT, *columns)


def measure_funnel(rows: pl.DataFrame) -> pl.DataFrame:
    """Return one row a pipeline, in the order of the rows: PIPELINE, `questions`, and for each of STEPS the number of
    responses that took it, null where it is known of none; `known_{step}` of how many it is known (`in_top_k`: of what
    was retrieved), and `lost_{step}` how many wrong responses end there."""
    steps = _select(rows).with_columns(_LOST_AT.alias(LOST)).group_by(c.PIPELINE, maintain_order=True)
    return steps.agg(
        pl.len().alias(QUESTIONS),
        *(pl.when(step.holds.count() > 0).then(step.holds.sum()).alias(step.name) for step in STEPS),
        *(step.holds.count().alias(f"{KNOWN}_{step.name}") for step in STEPS),
        *((pl.col(LOST) == step.name).sum().alias(f"{LOST}_{step.name}") for step in STEPS),
    )


def describe_funnel(rows: pl.DataFrame) -> list[dict[str, object]]:
    """Return for each pipeline what a file says of it: its counts, of how many each is known, and where it loses."""
    return [
        {
            c.PIPELINE: row[c.PIPELINE],
            QUESTIONS: row[QUESTIONS],
            **{step.name: row[step.name] for step in STEPS},
            KNOWN: {step.name: row[f"{KNOWN}_{step.name}"] for step in STEPS},
            LOST: {step.name: row[f"{LOST}_{step.name}"] for step in STEPS},
            "sentence": _word_loss(row),
        }
        for row in measure_funnel(rows).iter_rows(named=True)
    ]


def word_loss(rows: pl.DataFrame, pipeline: str) -> str:
    """Where the pipeline loses most, retrieval counted once; empty where nothing is proved. Nobody knows what mending
    it gains: a response that fails here may fail later too."""
    own = measure_funnel(rows.filter(pl.col(c.PIPELINE) == pipeline))
    return _word_loss(own.row(0, named=True)) if own.height else ""


def _word_loss(row: dict[str, int]) -> str:
    lost = {step.name: row[f"{LOST}_{step.name}"] for step in STEPS}
    # In each of these parts of the way it is one thing that is to be mended.
    parts_of_way = (STEPS[:1], STEPS[1:3], STEPS[3:4], STEPS[4:])
    steps = max(parts_of_way, key=lambda steps: sum(lost[step.name] for step in steps))
    parts = [f"{lost[step.name]:,} {step.lost}" for step in steps if lost[step.name]]
    if not parts:
        return ""
    total = sum(lost[step.name] for step in steps)
    advice = next(step for step in steps if lost[step.name]).advice
    if lost["retrieved"] and steps[0].name == "retrieved" and not row[f"{KNOWN}_in_documents"]:
        advice = f"At fault: {OR_ELSE}. --documents FOLDER tells them apart."
    counts = f"{total:,} of {row[QUESTIONS]:,} responses; {', '.join(parts)}"
    return f"Most is lost at “{steps[0].label.lower()}”: {counts}. {advice}"


def explain_moves(now: pl.DataFrame, before: pl.DataFrame) -> Iterator[tuple[bool, str]]:
    """Say of each step before the answer at which a pipeline takes more or fewer questions than before, beyond chance
    (the sign test, by Holm's correction over all steps that are known of both); with each whether it fell.

    Each table has the responses of one pipeline. Of repeats, a question took the share of them that did.
    """
    taken = [step.holds.cast(pl.Float64).mean().alias(step.name) for step in STEPS]
    left, right = (_select(rows).group_by(c.QUESTION_ID).agg(taken) for rows in (now, before))
    both = left.join(right, on=c.QUESTION_ID, suffix=" before")
    changes = [(step, both.select(pl.col(step.name) - pl.col(f"{step.name} before")).to_series()) for step in STEPS]
    counted = [(step, change.count(), int((change > 0).sum()), int((change < 0).sum())) for step, change in changes]
    paired_steps = [row for row in counted if row[1]]
    corrected = stats.holm([float(stats.sign_test(wins, losses)) for _, _, wins, losses in paired_steps])
    for (step, paired, wins, losses), p in zip(paired_steps, corrected, strict=True):
        if step != STEPS[-1] and p < stats.ALPHA:
            fell = losses > wins
            counts = f"of {paired:,} questions {losses:,} lost it and {wins:,} gained it (p = {p:.3f})."
            advice = f" {step.advice}" * fell
            yield fell, f"The step “{step.label.lower()}” {'fell' if fell else 'rose'}: {counts}{advice}"
