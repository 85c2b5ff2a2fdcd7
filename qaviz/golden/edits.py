"""Edits of a golden dataset: which text of which triplet becomes which, and what that would change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from qaviz.bulk.chunks import rescore
from qaviz.diagnosis.rules import either
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
    in_golden = pl.col(c.QUESTION_ID).is_in(golden[c.QUESTION_ID].implode()) & pl.col(FIELD).is_in(FIELDS)
    twice = pl.struct(c.QUESTION_ID, FIELD).is_duplicated()
    no_question = (pl.col(FIELD) == c.QUESTION) & pl.col(AFTER).is_null()
    many = pl.any_horizontal(
        (pl.col(FIELD) == field) & (c.variant_count(field, AFTER) > c.VARIANT_LIMIT) for field in c.DELIMITERS
    )
    texts = f"a triplet's {', '.join(FIELDS)}"
    cases = (
        (~in_golden, "no such text in the golden dataset", texts, "Check the question_id."),
        (in_golden & twice, "two edits of this text", "one edit a text", "Take one of them away."),
        (many, "too many variants", f"at most {c.VARIANT_LIMIT:,}", "Keep those that a response may use."),
        (in_golden & no_question, "a blank question", "a question", "Write one, or leave it as it is."),
    )
    problems = [
        Problem(f"{field} of the triplet {question}", wrong, expected, fix)
        for applies, wrong, expected, fix in cases
        for question, field in wanted.filter(applies).select(c.QUESTION_ID, FIELD).unique(maintain_order=True).rows()
    ]
    if problems:
        raise QavizError(*problems)
    placed = wanted.drop(BEFORE).join(list_texts(golden), on=[c.QUESTION_ID, FIELD], how="left", maintain_order="left")
    return placed.filter(pl.col(BEFORE).ne_missing(pl.col(AFTER))).select(EDITS.names())


def list_texts(golden: pl.DataFrame) -> pl.DataFrame:
    """Return QUESTION_ID, FIELD and BEFORE: one row a text."""
    texts = golden.select(c.QUESTION_ID, *FIELDS)
    return texts.unpivot(FIELDS, index=c.QUESTION_ID, variable_name=FIELD, value_name=BEFORE)


def apply_edits(golden: pl.DataFrame, edits: pl.DataFrame) -> pl.DataFrame:
    """The golden dataset with these edits (see `edits_to`) made, its order kept."""
    for field in FIELDS:
        own = edits.filter(pl.col(FIELD) == field).select(c.QUESTION_ID, pl.col(AFTER).alias("text"), edited=True)
        joined = golden.join(own, on=c.QUESTION_ID, how="left", maintain_order="left")
        after = pl.when("edited").then("text").otherwise(field).alias(field)
        golden = joined.with_columns(after).drop("text", "edited")
    return golden


def inverse(edits: pl.DataFrame) -> pl.DataFrame:
    """The edits that take these back: EDITS, without a rule."""
    turned = pl.col(AFTER).alias(BEFORE), pl.col(BEFORE).alias(AFTER), pl.lit(None, pl.String).alias(RULE)
    return edits.with_columns(turned).select(EDITS.names())


def differences(old: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    """What differs between two golden datasets, text by text: QUESTION_ID, CHANGE, FIELD, BEFORE, AFTER.

    CHANGE is `changed`, or `added` and `removed` for texts of triplets that only one of them has. In the order of the
    new one, what was removed last.
    """
    texts = list_texts(new).rename({BEFORE: AFTER}).with_row_index("place")
    key = [c.QUESTION_ID, FIELD]
    both = texts.join(list_texts(old), on=key, how="full", coalesce=True, maintain_order="left_right")
    was, stays = (pl.col(c.QUESTION_ID).is_in(table[c.QUESTION_ID].implode()) for table in (old, new))
    change = either(was, either(stays, CHANGED, REMOVED), ADDED)
    differing = both.filter(pl.col(BEFORE).ne_missing(pl.col(AFTER)))
    ids = pl.concat([new[c.QUESTION_ID], old[c.QUESTION_ID]]).unique(maintain_order=True)
    placed = differing.join(ids.to_frame().with_row_index("triplet"), on=c.QUESTION_ID, maintain_order="left")
    in_order = placed.sort("triplet", "place", maintain_order=True)
    return in_order.select(c.QUESTION_ID, change.alias(CHANGE), FIELD, BEFORE, AFTER)


def suggestions(findings: pl.DataFrame) -> pl.DataFrame:
    """What identifies a rejected finding: QUESTION_ID, RULE, PROPOSED.

    A finding that proposes no text is known by its message, and so is a proposed form: its fact grows meanwhile.
    """
    named = pl.when(pl.col(RULE) == PROPOSED_FORM).then(MESSAGE).otherwise(pl.coalesce(PROPOSED, MESSAGE))
    return findings.select(c.QUESTION_ID, RULE, named.alias(PROPOSED))


def without_rejected(findings: pl.DataFrame, rejected: pl.DataFrame) -> pl.DataFrame:
    """The findings that were not rejected; `rejected` has QUESTION_ID, RULE, PROPOSED."""
    keyed = findings.with_columns(suggestions(findings)[PROPOSED].alias("key"))
    rejected_edits = rejected.rename({PROPOSED: "key"})
    return keyed.join(rejected_edits, on=[c.QUESTION_ID, RULE, "key"], how="anti", maintain_order="left").drop("key")


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
    touched = pl.col(c.QUESTION_ID).is_in(edits[c.QUESTION_ID].unique().implode())
    before, others = rows.filter(touched), rows.filter(~touched).select(c.PIPELINE, c.FACTUAL_KNOWLEDGE)
    after = rescore(before, apply_edits(golden.filter(touched), edits), thresholds)
    diagnosis = pl.col(c.DIAGNOSIS)
    was = before.select(*_KEY, c.RESPONSE, diagnosis.alias("before"))
    moved = was.hstack(after.select(diagnosis.alias("after"), c.REASON))
    old, new = (
        table.select(*_KEY, *c.SCORES).unpivot(c.SCORES, index=_KEY, variable_name="score") for table in (before, after)
    )
    scores = old.rename({"value": "before"}).with_columns(new["value"].alias("after"))
    return Effects(
        facts=_count_facts(rows, pl.concat([others, after.select(others.columns)]), pipelines),
        diagnoses=moved.filter(pl.col("before") != pl.col("after")),
        scores=scores.filter(pl.col("before").ne_missing(pl.col("after"))),
        mistakes=_find_mistakes(before, after, labels),
    )


def _count_facts(before: pl.DataFrame, after: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    counted = pl.DataFrame({c.PIPELINE: list(pipelines)}, schema={c.PIPELINE: pl.String})
    scores = pl.col(c.FACTUAL_KNOWLEDGE)
    for rows, suffix in ((before, ""), (after, "_after")):
        counts = ((scores.sum(), f"hits{suffix}"), (scores.count(), f"scored{suffix}"))
        hits = rows.group_by(c.PIPELINE).agg(count.cast(pl.Int64).alias(name) for count, name in counts)
        counted = counted.join(hits, on=c.PIPELINE, how="left", maintain_order="left")
    filled = counted.with_columns(pl.exclude(c.PIPELINE).fill_null(0))
    return filled.with_columns(
        pl.when(pl.col(f"scored{suffix}") > 0).then(pl.col(f"hits{suffix}") / pl.col(f"scored{suffix}")).alias(name)
        for name, suffix in (("before", ""), ("after", "_after"))
    )


def _find_mistakes(before: pl.DataFrame, after: pl.DataFrame, labels: pl.DataFrame | None) -> pl.DataFrame:
    rows = mark_held(before, labels).hstack(after.select(after=c.FACTUAL_KNOWLEDGE, diagnosed=c.DIAGNOSIS))
    was, becomes = (pl.col(name).fill_null(0) == 1 for name in (c.FACTUAL_KNOWLEDGE, "after"))
    accident = pl.col("diagnosed") == Diagnosis.ACCIDENTAL.value
    wrong = becomes & ~was & (pl.col(HELD).is_in(_WRONG) | (accident & ~pl.col("by_person")))
    lost = was & ~becomes & (pl.col(HELD) == Verdict.CORRECT.value)
    kind = either(wrong, WRONG_MATCH, LOST_MATCH).alias("kind")
    by_person, by_words = pl.format("labelled {}", HELD), pl.format("diagnosed {}", c.DIAGNOSIS)
    held = pl.when("by_person").then(by_person).otherwise(by_words).alias("held")
    return rows.filter(wrong | lost).select(*_KEY, c.RESPONSE, kind, held, c.REASON)


def expected_effects(rows: pl.DataFrame, edits: pl.DataFrame, labels: pl.DataFrame | None = None) -> pl.DataFrame:
    """What each edit of a fact would do to Factual Knowledge by itself: the edits with `moves` and `gain`, best first.

    `moves` counts the responses whose score changes. `gain` counts how many more responses are then credited as their
    label or verdict asks for (see `preview`): right ones score 1, wrong or declined ones do not. A triplet without a
    fact credits none, so a first fact gains by the right responses that state it alone. An edit of another text than
    the fact moves none.
    """
    numbered = edits.with_row_index("edit")
    facts = numbered.filter(pl.col(FIELD) == c.FACT).select("edit", c.QUESTION_ID, pl.col(AFTER).alias(c.FACT))
    held = mark_held(rows, labels).select(*_KEY, c.RESPONSE, c.ANSWER, c.FACTUAL_KNOWLEDGE, HELD)
    tried = held.join(facts, on=c.QUESTION_ID, maintain_order="left")
    after = word_scores(tried).select(pl.col(c.FACTUAL_KNOWLEDGE).alias("after"))
    right = pl.when(pl.col(HELD) == Verdict.CORRECT.value).then(1.0).when(pl.col(HELD).is_in(_WRONG)).then(0.0)
    scores = (pl.col(name).fill_null(0.0) for name in ("after", c.FACTUAL_KNOWLEDGE))
    agrees = [(score == right).cast(pl.Int64) for score in scores]
    moves = pl.col(c.FACTUAL_KNOWLEDGE).ne_missing(pl.col("after")).sum().cast(pl.Int64).alias("moves")
    gain = (agrees[0] - agrees[1]).filter(right.is_not_null()).sum().alias("gain")
    effects = tried.hstack(after).group_by("edit").agg(moves, gain)
    return (
        numbered.join(effects, on="edit", how="left", maintain_order="left")
        .with_columns(pl.col("moves", "gain").fill_null(0))
        .drop("edit")
        .sort("gain", "moves", descending=True, maintain_order=True)
    )
