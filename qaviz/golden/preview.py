"""What edits of the golden dataset would change, before anybody accepts them.

Incremental: only responses to edited triplets are scored again, however large the run.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from qaviz.diagnosis.rescoring import rescore
from qaviz.golden.edits import apply_edits
from qaviz.golden.lint.findings import FIELD
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.model.columns import (
    ANSWER,
    DIAGNOSIS,
    FACT,
    FACTUAL_KNOWLEDGE,
    LABEL,
    PIPELINE,
    QUESTION_ID,
    REASON,
    RESPONSE,
    SCORES,
    VERDICT,
)
from qaviz.model.records import Thresholds
from qaviz.scoring import word_scores
from qaviz.store.golden_versions import AFTER

WRONG_MATCH, LOST_MATCH = "wrong match", "lost match"

_KEY = [QUESTION_ID, PIPELINE]
_WRONG = [Verdict.INCORRECT.value, Verdict.DECLINED.value]


@dataclass(frozen=True)
class Effects:
    """What edits would change over a run."""

    facts: pl.DataFrame
    """One row a pipeline: pipeline; hits, scored, hits_after, scored_after (responses); before and after: Factual
    Knowledge over the whole run, null where nothing is scored."""
    diagnoses: pl.DataFrame
    """The responses whose class changes: question_id, pipeline, response, before, after, reason (of the new class)."""
    scores: pl.DataFrame
    """The scores that move: question_id, pipeline, score, before, after; null where a response is not scored."""
    mistakes: pl.DataFrame
    """The responses on which Factual Knowledge would turn wrong: question_id, pipeline, response, kind (WRONG_MATCH:
    a wrong response would count as a hit; LOST_MATCH: a right one no longer would), held (who says what it is: a
    person's label or the diagnosis), reason (of the diagnosis so far)."""


def preview(
    rows: pl.DataFrame,
    golden: pl.DataFrame,
    edits: pl.DataFrame,
    thresholds: Thresholds,
    pipelines: Sequence[str],
    labels: pl.DataFrame | None = None,
) -> Effects:
    """Return what these edits (EDITS, see `edits_to`) would change over a run's diagnosed rows.

    `golden` is the version that the rows were scored on. What a response really is, a label says (QUESTION_ID,
    PIPELINE, LABEL, one a response), and where there is none the diagnosis so far.
    """
    touched = edits[QUESTION_ID].unique().implode()
    before = rows.filter(pl.col(QUESTION_ID).is_in(touched))
    triplets = golden.filter(pl.col(QUESTION_ID).is_in(touched))
    after = rescore(before, apply_edits(triplets, edits), thresholds)
    return Effects(
        facts=_facts(rows, before, after, pipelines),
        diagnoses=_diagnoses(before, after),
        scores=_scores(before, after),
        mistakes=_mistakes(before, after, labels),
    )


def _facts(rows: pl.DataFrame, before: pl.DataFrame, after: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    listed = pl.DataFrame({PIPELINE: list(pipelines)}, schema={PIPELINE: pl.String})
    for frame, suffix in ((rows, ""), (before, "_old"), (after, "_new")):
        listed = listed.join(_hits(frame, suffix), on=PIPELINE, how="left", maintain_order="left")
    listed = listed.with_columns(pl.exclude(PIPELINE).fill_null(0)).with_columns(
        hits_after=pl.col("hits") - pl.col("hits_old") + pl.col("hits_new"),
        scored_after=pl.col("scored") - pl.col("scored_old") + pl.col("scored_new"),
    )
    shares = [_share("hits", "scored").alias("before"), _share("hits_after", "scored_after").alias("after")]
    return listed.select(PIPELINE, "hits", "scored", "hits_after", "scored_after", *shares)


def _hits(rows: pl.DataFrame, suffix: str) -> pl.DataFrame:
    known = pl.col(FACTUAL_KNOWLEDGE)
    return rows.group_by(PIPELINE).agg(
        known.sum().cast(pl.Int64).alias(f"hits{suffix}"), known.count().cast(pl.Int64).alias(f"scored{suffix}")
    )


def _share(part: str, whole: str) -> pl.Expr:
    return pl.when(pl.col(whole) > 0).then(pl.col(part) / pl.col(whole))


def _diagnoses(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    moved = before.hstack([after[DIAGNOSIS].alias("after"), after[REASON].alias("reason_after")])
    return moved.filter(pl.col(DIAGNOSIS) != pl.col("after")).select(
        *_KEY, RESPONSE, pl.col(DIAGNOSIS).alias("before"), "after", pl.col("reason_after").alias(REASON)
    )


def _scores(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    old, new = (
        frame.select(*_KEY, *SCORES).unpivot(SCORES, index=_KEY, variable_name="score", value_name=name)
        for frame, name in ((before, "before"), (after, "after"))
    )
    return old.hstack([new["after"]]).filter(pl.col("before").ne_missing(pl.col("after")))


def _mistakes(before: pl.DataFrame, after: pl.DataFrame, labels: pl.DataFrame | None) -> pl.DataFrame:
    known = held(before, labels).hstack([after[FACTUAL_KNOWLEDGE].alias("after"), after[DIAGNOSIS].alias("class")])
    was, becomes = (pl.col(name).fill_null(0) == 1 for name in (FACTUAL_KNOWLEDGE, "after"))
    accident = pl.col("class") == Diagnosis.ACCIDENTAL.value
    wrong = becomes & ~was & (pl.col(HELD).is_in(_WRONG) | (accident & ~pl.col("by_person")))
    lost = was & ~becomes & (pl.col(HELD) == Verdict.CORRECT.value)
    by = pl.when("by_person").then(pl.lit("labelled ")).otherwise(pl.lit("diagnosed "))
    kind = pl.when(wrong).then(pl.lit(WRONG_MATCH)).otherwise(pl.lit(LOST_MATCH)).alias("kind")
    said = (by + pl.when("by_person").then(HELD).otherwise(DIAGNOSIS)).alias("held")
    return known.filter(wrong | lost).select(*_KEY, RESPONSE, kind, said, REASON)


HELD = "held"
"""What a response is held for: its label, else its verdict."""


def held(rows: pl.DataFrame, labels: pl.DataFrame | None) -> pl.DataFrame:
    """The rows with HELD, and with `by_person`: whether a label says so."""
    if labels is None:
        return rows.with_columns(pl.col(VERDICT).alias(HELD), pl.lit(False).alias("by_person"))
    said = labels.select(*_KEY, pl.col(LABEL).alias(HELD))
    joined = rows.join(said, on=_KEY, how="left", maintain_order="left")
    return joined.with_columns(pl.col(HELD).is_not_null().alias("by_person"), pl.coalesce(HELD, VERDICT).alias(HELD))


def expected_effects(rows: pl.DataFrame, edits: pl.DataFrame, labels: pl.DataFrame | None = None) -> pl.DataFrame:
    """What each edit of a fact would do to Factual Knowledge by itself: the edits with `moves` and `gain`, best first.

    `moves` counts the responses whose score changes; `gain`, of how many more the score says what they are held for
    (see `preview`): 1 of a right response, 0 of a wrong or declined one. An edit of another text moves none.
    """
    tried = (
        held(rows, labels)
        .select(*_KEY, RESPONSE, ANSWER, FACTUAL_KNOWLEDGE, HELD)
        .join(
            edits.with_row_index("edit")
            .filter(pl.col(FIELD) == FACT)
            .select("edit", QUESTION_ID, pl.col(AFTER).alias(FACT)),
            on=QUESTION_ID,
            maintain_order="left",
        )
    )
    after = word_scores(tried).select(pl.col(FACTUAL_KNOWLEDGE).alias("after"))
    right = pl.when(pl.col(HELD) == Verdict.CORRECT.value).then(1.0).when(pl.col(HELD).is_in(_WRONG)).then(0.0)
    agrees = [(pl.col(name) == right).fill_null(False).cast(pl.Int64) for name in ("after", FACTUAL_KNOWLEDGE)]
    effects = (
        tried.hstack(after)
        .group_by("edit")
        .agg(
            pl.col(FACTUAL_KNOWLEDGE).ne_missing(pl.col("after")).sum().cast(pl.Int64).alias("moves"),
            (agrees[0] - agrees[1]).filter(right.is_not_null()).sum().alias("gain"),
        )
    )
    return (
        edits.with_row_index("edit")
        .join(effects, on="edit", how="left", maintain_order="left")
        .with_columns(pl.col("moves", "gain").fill_null(0))
        .drop("edit")
        .sort("gain", "moves", descending=True, maintain_order=True)
    )
