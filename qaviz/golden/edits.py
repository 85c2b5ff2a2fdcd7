"""Edits of a golden dataset: which text of which triplet becomes which. A table of edits has the columns EDITS."""

import polars as pl

from qaviz.golden.lint.findings import FIELD, MESSAGE, PROPOSED, RULE
from qaviz.model.columns import ANSWER, CATEGORY, FACT, QUESTION, QUESTION_ID, TAGS
from qaviz.model.errors import Problem, QavizError
from qaviz.model.variants import DELIMITERS, VARIANT_LIMIT, variant_count
from qaviz.store.golden_versions import AFTER, BEFORE, EDITS

TEXTS = (QUESTION, ANSWER, FACT)
"""What responses are scored by."""
FIELDS = (*TEXTS, CATEGORY, TAGS)
"""What an edit may change of a triplet."""

CHANGE = "change"
ADDED, REMOVED, CHANGED = "added", "removed", "changed"

_PLACE = "place"


def edit(question_id: str, field: str, after: str | None, rule: str | None = None) -> pl.DataFrame:
    """One edit, as a person writes it: EDITS, `before` still null."""
    return pl.DataFrame([(question_id, field, None, after, rule)], schema=EDITS, orient="row")


def proposed_edits(findings: pl.DataFrame) -> pl.DataFrame:
    """The edits that findings propose: EDITS, `before` still null, in their order.

    Each is the whole text of its field, so of several for one field the first is taken; the others are found again in
    the text that it leaves.
    """
    edits = findings.filter(pl.col(PROPOSED).is_not_null()).select(
        QUESTION_ID, FIELD, pl.lit(None, pl.String).alias(BEFORE), pl.col(PROPOSED).alias(AFTER), RULE
    )
    return edits.unique([QUESTION_ID, FIELD], keep="first", maintain_order=True)


def edits_to(golden: pl.DataFrame, edits: pl.DataFrame) -> pl.DataFrame:
    """The edits that change something in this golden dataset: EDITS, with `before` as it stands there.

    A blank text is none. Raises QavizError, with all problems, for a triplet or field that is not there, two edits of
    one field, a question that would be blank, and a text with more than VARIANT_LIMIT variants.
    """
    blank = pl.col(AFTER).str.strip_chars() == ""
    wanted = edits.with_columns(pl.when(~blank).then(AFTER).alias(AFTER))
    problems = _problems(golden, wanted)
    if problems:
        raise QavizError(*problems)
    placed = wanted.drop(BEFORE).join(_texts(golden), on=[QUESTION_ID, FIELD], how="left", maintain_order="left")
    return placed.filter(pl.col(BEFORE).ne_missing(pl.col(AFTER))).select(EDITS.names())


def _problems(golden: pl.DataFrame, edits: pl.DataFrame) -> list[Problem]:
    known = pl.col(QUESTION_ID).is_in(golden[QUESTION_ID].implode()) & pl.col(FIELD).is_in(FIELDS)
    twice = pl.struct(QUESTION_ID, FIELD).is_duplicated()
    blank = (pl.col(FIELD) == QUESTION) & pl.col(AFTER).is_null()
    many = pl.any_horizontal(
        (pl.col(FIELD) == field) & (variant_count(field, AFTER) > VARIANT_LIMIT) for field in DELIMITERS
    )
    cases = (
        (
            ~known,
            "no such text in the golden dataset",
            f"a triplet's {', '.join(FIELDS)}",
            "Check the question_id.",
        ),
        (known & twice, "two edits of this text", "one edit a text", "Take one of them away."),
        (many, "too many variants", f"at most {VARIANT_LIMIT:,}", "Keep those that a response may use."),
        (known & blank, "a blank question", "a question", "Write one, or leave it as it is."),
    )
    return [
        Problem(where=f"{field} of the triplet {question}", found=found, expected=expected, fix=fix)
        for applies, found, expected, fix in cases
        for question, field in edits.filter(applies).select(QUESTION_ID, FIELD).unique(maintain_order=True).iter_rows()
    ]


def _texts(golden: pl.DataFrame) -> pl.DataFrame:
    """QUESTION_ID, FIELD and BEFORE: one row a text."""
    return golden.select(QUESTION_ID, *FIELDS).unpivot(
        FIELDS, index=QUESTION_ID, variable_name=FIELD, value_name=BEFORE
    )


def apply_edits(golden: pl.DataFrame, edits: pl.DataFrame) -> pl.DataFrame:
    """The golden dataset with these edits (see `edits_to`) made, its order kept."""
    after = [
        golden.select(QUESTION_ID).join(
            edits.filter(pl.col(FIELD) == field).select(QUESTION_ID, AFTER, pl.lit(True).alias(CHANGED)),
            on=QUESTION_ID,
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
    pairs = _texts(new).rename({BEFORE: AFTER}).with_row_index(_PLACE)
    both = pairs.join(_texts(old), on=[QUESTION_ID, FIELD], how="full", coalesce=True, maintain_order="left_right")
    change = (
        pl.when(~pl.col(QUESTION_ID).is_in(old[QUESTION_ID].implode()))
        .then(pl.lit(ADDED))
        .when(~pl.col(QUESTION_ID).is_in(new[QUESTION_ID].implode()))
        .then(pl.lit(REMOVED))
        .otherwise(pl.lit(CHANGED))
    )
    differing = both.filter(pl.col(BEFORE).ne_missing(pl.col(AFTER)))
    in_order = pl.DataFrame({QUESTION_ID: [*new[QUESTION_ID], *old[QUESTION_ID]]}).unique(maintain_order=True)
    order = in_order.with_row_index("triplet")
    return (
        differing.join(order, on=QUESTION_ID, maintain_order="left")
        .sort("triplet", _PLACE, maintain_order=True)
        .select(QUESTION_ID, change.alias(CHANGE), FIELD, BEFORE, AFTER)
    )


def suggestions(findings: pl.DataFrame) -> pl.DataFrame:
    """What is remembered of findings when they are rejected: QUESTION_ID, RULE, PROPOSED.

    A finding that proposes no text is known by its message.
    """
    return findings.select(QUESTION_ID, RULE, pl.coalesce(PROPOSED, MESSAGE).alias(PROPOSED))


def without_rejected(findings: pl.DataFrame, rejected: pl.DataFrame) -> pl.DataFrame:
    """The findings that nobody rejected; `rejected` has QUESTION_ID, RULE, PROPOSED."""
    known = findings.select(suggestions(findings).rename({PROPOSED: "known"})["known"])
    return (
        findings.hstack(known)
        .join(
            rejected,
            left_on=[QUESTION_ID, RULE, "known"],
            right_on=[QUESTION_ID, RULE, PROPOSED],
            how="anti",
            maintain_order="left",
        )
        .drop("known")
    )
