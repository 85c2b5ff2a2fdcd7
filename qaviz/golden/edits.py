"""Edits of a golden dataset: which text of which triplet becomes which, and what that would change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from qaviz.bulk.chunks import rescore
from qaviz.golden.expanding import PROPOSED_FORM
from qaviz.golden.lint.findings import FIELD, HELD, MESSAGE, PROPOSED, RULE, mark_held
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Thresholds
from qaviz.scoring import word_scores
from qaviz.store.golden_versions import AFTER, BEFORE, EDITS

TEXTS = (c.QUESTION, c.ANSWER, c.FACT)
"""What responses are scored by."""
Texts = Mapping[str, str | None]
"""Texts of one triplet by column; None where it has none."""
FIELDS = (*TEXTS, c.CATEGORY, c.TAGS)
"""What an edit may change of a triplet."""

CHANGE = "change"
ADDED, REMOVED, CHANGED = "added", "removed", "changed"

_PLACE = "place"

WRONG_MATCH, LOST_MATCH = "wrong match", "lost match"

_KEY = [c.QUESTION_ID, c.PIPELINE]
_WRONG = [Verdict.INCORRECT.value, Verdict.DECLINED.value]


def edit(question_id: str, field: str, after: str | None, rule: str | None = None) -> pl.DataFrame:
    """One edit, as a person writes it: EDITS, `before` still null."""
    return pl.DataFrame([(question_id, field, None, after, rule)], schema=EDITS, orient="row")


def proposed_edits(findings: pl.DataFrame) -> pl.DataFrame:
    """The edits that findings propose: EDITS, `before` still null, in their order.

    An edit replaces the whole text of its field, so only the first of several edits of one field is taken. Lint finds
    the others again in the new text.
    """
    edits = findings.filter(pl.col(PROPOSED).is_not_null()).select(
        c.QUESTION_ID, FIELD, pl.lit(None, pl.String).alias(BEFORE), pl.col(PROPOSED).alias(AFTER), RULE
    )
    return edits.unique([c.QUESTION_ID, FIELD], keep="first", maintain_order=True)


def edits_to(golden: pl.DataFrame, edits: pl.DataFrame) -> pl.DataFrame:
    """The edits that change something in this golden dataset: EDITS, with `before` as it stands there.

    A blank text counts as no text. Raises QavizError, with all problems, for a triplet or field that is not there, two
    edits of one field, a question that would be blank, and a text with more than VARIANT_LIMIT variants.
    """
    blank = pl.col(AFTER).str.strip_chars() == ""
    wanted = edits.with_columns(pl.when(~blank).then(AFTER).alias(AFTER))
    problems = _find_problems(golden, wanted)
    if problems:
        raise QavizError(*problems)
    placed = wanted.drop(BEFORE).join(list_texts(golden), on=[c.QUESTION_ID, FIELD], how="left", maintain_order="left")
    return placed.filter(pl.col(BEFORE).ne_missing(pl.col(AFTER))).select(EDITS.names())


def _find_problems(golden: pl.DataFrame, edits: pl.DataFrame) -> list[Problem]:
    in_golden = pl.col(c.QUESTION_ID).is_in(golden[c.QUESTION_ID].implode()) & pl.col(FIELD).is_in(FIELDS)
    twice = pl.struct(c.QUESTION_ID, FIELD).is_duplicated()
    blank = (pl.col(FIELD) == c.QUESTION) & pl.col(AFTER).is_null()
    many = pl.any_horizontal(
        (pl.col(FIELD) == field) & (c.variant_count(field, AFTER) > c.VARIANT_LIMIT) for field in c.DELIMITERS
    )
    cases = (
        (
            ~in_golden,
            "no such text in the golden dataset",
            f"a triplet's {', '.join(FIELDS)}",
            "Check the question_id.",
        ),
        (in_golden & twice, "two edits of this text", "one edit a text", "Take one of them away."),
        (many, "too many variants", f"at most {c.VARIANT_LIMIT:,}", "Keep those that a response may use."),
        (in_golden & blank, "a blank question", "a question", "Write one, or leave it as it is."),
    )
    return [
        Problem(where=f"{field} of the triplet {question}", found=wrong, expected=expected, fix=fix)
        for applies, wrong, expected, fix in cases
        for question, field in edits.filter(applies)
        .select(c.QUESTION_ID, FIELD)
        .unique(maintain_order=True)
        .iter_rows()
    ]


def list_texts(golden: pl.DataFrame) -> pl.DataFrame:
    """Return QUESTION_ID, FIELD and BEFORE: one row a text."""
    return golden.select(c.QUESTION_ID, *FIELDS).unpivot(
        FIELDS, index=c.QUESTION_ID, variable_name=FIELD, value_name=BEFORE
    )


def apply_edits(golden: pl.DataFrame, edits: pl.DataFrame) -> pl.DataFrame:
    """The golden dataset with these edits (see `edits_to`) made, its order kept."""
    after = [
        golden.select(c.QUESTION_ID).join(
            edits.filter(pl.col(FIELD) == field).select(c.QUESTION_ID, AFTER, pl.lit(True).alias(CHANGED)),
            on=c.QUESTION_ID,
            how="left",
            maintain_order="left",
        )
        for field in FIELDS
    ]
    return golden.with_columns(
        golden[field].zip_with(texts[CHANGED].is_null(), texts[AFTER]).alias(field)
        for field, texts in zip(FIELDS, after, strict=True)
    )


def inverse(edits: pl.DataFrame) -> pl.DataFrame:
    """The edits that take these back: EDITS, without a rule."""
    return edits.with_columns(
        pl.col(AFTER).alias(BEFORE), pl.col(BEFORE).alias(AFTER), pl.lit(None, pl.String).alias(RULE)
    ).select(EDITS.names())


def differences(old: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    """What differs between two golden datasets, text by text: QUESTION_ID, CHANGE, FIELD, BEFORE, AFTER.

    CHANGE is `changed`, or `added` and `removed` for texts of triplets that only one of them has. In the order of the
    new one, what was removed last.
    """
    pairs = list_texts(new).rename({BEFORE: AFTER}).with_row_index(_PLACE)
    both = pairs.join(
        list_texts(old), on=[c.QUESTION_ID, FIELD], how="full", coalesce=True, maintain_order="left_right"
    )
    change = (
        pl.when(~pl.col(c.QUESTION_ID).is_in(old[c.QUESTION_ID].implode()))
        .then(pl.lit(ADDED))
        .when(~pl.col(c.QUESTION_ID).is_in(new[c.QUESTION_ID].implode()))
        .then(pl.lit(REMOVED))
        .otherwise(pl.lit(CHANGED))
    )
    differing = both.filter(pl.col(BEFORE).ne_missing(pl.col(AFTER)))
    in_order = pl.DataFrame({c.QUESTION_ID: [*new[c.QUESTION_ID], *old[c.QUESTION_ID]]}).unique(maintain_order=True)
    order = in_order.with_row_index("triplet")
    return (
        differing.join(order, on=c.QUESTION_ID, maintain_order="left")
        .sort("triplet", _PLACE, maintain_order=True)
        .select(c.QUESTION_ID, change.alias(CHANGE), FIELD, BEFORE, AFTER)
    )


def suggestions(findings: pl.DataFrame) -> pl.DataFrame:
    """What identifies a rejected finding: QUESTION_ID, RULE, PROPOSED.

    A finding that proposes no text is known by its message, and so is a proposed form: its fact grows meanwhile.
    """
    named = pl.when(pl.col(RULE) == PROPOSED_FORM).then(MESSAGE).otherwise(pl.coalesce(PROPOSED, MESSAGE))
    return findings.select(c.QUESTION_ID, RULE, named.alias(PROPOSED))


def without_rejected(findings: pl.DataFrame, rejected: pl.DataFrame) -> pl.DataFrame:
    """The findings that were not rejected; `rejected` has QUESTION_ID, RULE, PROPOSED."""
    keys = findings.select(suggestions(findings).rename({PROPOSED: "keys"})["keys"])
    return (
        findings.hstack(keys)
        .join(
            rejected,
            left_on=[c.QUESTION_ID, RULE, "keys"],
            right_on=[c.QUESTION_ID, RULE, PROPOSED],
            how="anti",
            maintain_order="left",
        )
        .drop("keys")
    )


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
    touched = edits[c.QUESTION_ID].unique().implode()
    before = rows.filter(pl.col(c.QUESTION_ID).is_in(touched))
    others = rows.filter(~pl.col(c.QUESTION_ID).is_in(touched)).select(c.PIPELINE, c.FACTUAL_KNOWLEDGE)
    triplets = golden.filter(pl.col(c.QUESTION_ID).is_in(touched))
    after = rescore(before, apply_edits(triplets, edits), thresholds)
    return Effects(
        facts=_count_facts(rows, pl.concat([others, after.select(others.columns)]), pipelines),
        diagnoses=_find_moved_diagnoses(before, after),
        scores=_find_moved_scores(before, after),
        mistakes=_find_mistakes(before, after, labels),
    )


def _count_facts(before: pl.DataFrame, after: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    counted = pl.DataFrame({c.PIPELINE: list(pipelines)}, schema={c.PIPELINE: pl.String})
    scores = pl.col(c.FACTUAL_KNOWLEDGE)
    for rows, suffix in ((before, ""), (after, "_after")):
        hits = (
            scores.sum().cast(pl.Int64).alias(f"hits{suffix}"),
            scores.count().cast(pl.Int64).alias(f"scored{suffix}"),
        )
        counted = counted.join(rows.group_by(c.PIPELINE).agg(hits), on=c.PIPELINE, how="left", maintain_order="left")
    shares = (_share("hits", "scored").alias("before"), _share("hits_after", "scored_after").alias("after"))
    return counted.with_columns(pl.exclude(c.PIPELINE).fill_null(0)).with_columns(shares)


def _share(part: str, whole: str) -> pl.Expr:
    return pl.when(pl.col(whole) > 0).then(pl.col(part) / pl.col(whole))


def _find_moved_diagnoses(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    moved = before.hstack([after[c.DIAGNOSIS].alias("after"), after[c.REASON].alias("reason_after")])
    return moved.filter(pl.col(c.DIAGNOSIS) != pl.col("after")).select(
        *_KEY, c.RESPONSE, pl.col(c.DIAGNOSIS).alias("before"), "after", pl.col("reason_after").alias(c.REASON)
    )


def _find_moved_scores(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    old, new = (
        frame.select(*_KEY, *c.SCORES).unpivot(c.SCORES, index=_KEY, variable_name="score", value_name=name)
        for frame, name in ((before, "before"), (after, "after"))
    )
    return old.hstack([new["after"]]).filter(pl.col("before").ne_missing(pl.col("after")))


def _find_mistakes(before: pl.DataFrame, after: pl.DataFrame, labels: pl.DataFrame | None) -> pl.DataFrame:
    rows = mark_held(before, labels).hstack(
        [after[c.FACTUAL_KNOWLEDGE].alias("after"), after[c.DIAGNOSIS].alias("class")]
    )
    was, becomes = (pl.col(name).fill_null(0) == 1 for name in (c.FACTUAL_KNOWLEDGE, "after"))
    accident = pl.col("class") == Diagnosis.ACCIDENTAL.value
    wrong = becomes & ~was & (pl.col(HELD).is_in(_WRONG) | (accident & ~pl.col("by_person")))
    lost = was & ~becomes & (pl.col(HELD) == Verdict.CORRECT.value)
    by = pl.when("by_person").then(pl.lit("labelled ")).otherwise(pl.lit("diagnosed "))
    kind = pl.when(wrong).then(pl.lit(WRONG_MATCH)).otherwise(pl.lit(LOST_MATCH)).alias("kind")
    held = (by + pl.when("by_person").then(HELD).otherwise(c.DIAGNOSIS)).alias("held")
    return rows.filter(wrong | lost).select(*_KEY, c.RESPONSE, kind, held, c.REASON)


def expected_effects(rows: pl.DataFrame, edits: pl.DataFrame, labels: pl.DataFrame | None = None) -> pl.DataFrame:
    """What each edit of a fact would do to Factual Knowledge by itself: the edits with `moves` and `gain`, best first.

    `moves` counts the responses whose score changes. `gain` counts how many more responses are then credited as their
    label or verdict asks for (see `preview`): right ones score 1, wrong or declined ones do not. A triplet without a
    fact credits none, so a first fact gains by the right responses that state it alone. An edit of another text than
    the fact moves none.
    """
    tried = (
        mark_held(rows, labels)
        .select(*_KEY, c.RESPONSE, c.ANSWER, c.FACTUAL_KNOWLEDGE, HELD)
        .join(
            edits.with_row_index("edit")
            .filter(pl.col(FIELD) == c.FACT)
            .select("edit", c.QUESTION_ID, pl.col(AFTER).alias(c.FACT)),
            on=c.QUESTION_ID,
            maintain_order="left",
        )
    )
    after = word_scores(tried).select(pl.col(c.FACTUAL_KNOWLEDGE).alias("after"))
    right = pl.when(pl.col(HELD) == Verdict.CORRECT.value).then(1.0).when(pl.col(HELD).is_in(_WRONG)).then(0.0)
    scores = (pl.col(name).fill_null(0.0) for name in ("after", c.FACTUAL_KNOWLEDGE))
    agrees = [(score == right).cast(pl.Int64) for score in scores]
    effects = (
        tried.hstack(after)
        .group_by("edit")
        .agg(
            pl.col(c.FACTUAL_KNOWLEDGE).ne_missing(pl.col("after")).sum().cast(pl.Int64).alias("moves"),
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
