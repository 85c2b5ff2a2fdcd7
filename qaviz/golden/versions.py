"""Versions of a golden dataset: edits become one, two people who edit one triplet see each other's change, and what
each version did to the scores.
"""

from collections.abc import Mapping

import polars as pl

from qaviz.golden.edits import FIELDS, apply_edits, edits_to, inverse
from qaviz.golden.lint.findings import FIELD, HELD, SEVERITIES, SEVERITY, mark_held
from qaviz.model.classes import Fault, Verdict
from qaviz.model.columns import FACTUAL_KNOWLEDGE, FAULT, PIPELINE, QUESTION, QUESTION_ID, VERDICT
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.store.golden_versions import (
    AFTER,
    BEFORE,
    EDITS,
    NUMBER,
    RULE,
    GoldenVersion,
    keep_version,
    kept_edits,
    line_of,
    versions,
)
from qaviz.store.workspace import Workspace

DELETED = "deleted"
"""In place of a rule: the triplet was deleted."""
KEPT_OUT = "source is wrong"
"""In place of a rule: the triplet is kept out, because a reviewer called its source wrong."""
BROUGHT_BACK = "source is corrected"
"""In place of a rule: the triplet is back, since its source was corrected."""
THEIRS = "theirs"
"""The text as someone else has changed it since."""

FACTS, FACTS_N = "facts", "facts_n"
AGREED, AGREED_N = "agreed", "agreed_n"
MEASURE_AT_FAULT, MEASURE_AT_FAULT_N = "at_fault", "at_fault_n"

_MEASURE_FAULTS = [Fault.GOLDEN.value, Fault.METRIC.value]

START, QUESTIONS, GOLDEN_DATASET, PIPELINES, END = "start", "questions", "golden_dataset", "pipelines", "end"
"""The score before; the parts of its change; the score after."""

PARTS = (QUESTIONS, GOLDEN_DATASET, PIPELINES)


class ConflictError(QavizError):
    """Someone else has changed the same triplets since this person looked at them. Nothing was changed."""

    def __init__(self, newest: GoldenVersion, conflicts: pl.DataFrame, *problems: Problem) -> None:
        super().__init__(*problems)
        self.newest = newest
        """The version to look at now."""
        self.conflicts = conflicts
        """QUESTION_ID, FIELD, BEFORE (as this person saw it), THEIRS, AFTER (as this person wants it; as it is now
        where they do not touch it), and `made_by`, who changed the triplet last: every text that either changed."""


def newest_version(workspace: Workspace, golden: str) -> GoldenVersion:
    """The newest version of the line that this golden dataset, by its content hash, belongs to.

    Raises QavizError if the workspace does not have it.
    """
    line = versions(workspace, line_of(workspace, golden))
    if not line:
        raise stop(
            str(workspace.folder),
            f'no golden dataset "{golden}"',
            "a golden dataset that was saved in this workspace",
            "Open the workspace in which it was saved.",
        )
    return line[-1]


def edited_since(workspace: Workspace, golden: str) -> frozenset[str]:
    """Question ids of the triplets that versions after this one, by its content hash, edit.

    Raises QavizError if the disk refuses.
    """
    line = line_of(workspace, golden)
    own = max((version.number for version in versions(workspace, line) if version.golden_id == golden), default=0)
    later = kept_edits(workspace, line).filter(pl.col(NUMBER) > own)
    return frozenset(later[QUESTION_ID])


def accept(workspace: Workspace, seen: GoldenVersion, edits: pl.DataFrame, made_by: str, why: str) -> GoldenVersion:
    """Make the edits (EDITS; `before` is not looked at) of this version the line's next version.

    Versions that others have made meanwhile stay: the edits are made on the newest one, unless someone else has
    changed one of their triplets. Where nothing is left to change, the newest version is returned. Raises
    ConflictError then, QavizError as `edits_to` and `keep_version` do; nothing is changed.
    """
    base = workspace.golden(seen.golden_id)
    wanted = edits_to(base, edits)
    while True:
        newest = versions(workspace, seen.line)[-1]
        golden = workspace.golden(newest.golden_id)
        left = edits_to(golden, wanted)
        _refuse_conflicts(workspace, newest, base, golden, left)
        if left.is_empty():
            return newest
        made = keep_version(workspace, newest, apply_edits(golden, left), left, made_by, why)
        if made is not None:
            return made


def accept_review(
    workspace: Workspace, seen: GoldenVersion, edits: pl.DataFrame, gone: Mapping[str, str], made_by: str, why: str
) -> GoldenVersion:
    """Make the edits of this version, and take out triplets (by question_id: DELETED or KEPT_OUT), in one version.

    As `accept` does: versions of others stay, and where nothing is left to change the newest one is returned. Raises
    ConflictError if someone else has changed one of the triplets, QavizError as `edits_to` and `keep_version` do, and
    where no triplet would be left.
    """
    base = workspace.golden(seen.golden_id)
    wanted = edits_to(base, edits.filter(~pl.col(QUESTION_ID).is_in([*gone])))
    while True:
        newest = versions(workspace, seen.line)[-1]
        golden = workspace.golden(newest.golden_id)
        there = golden.filter(pl.col(QUESTION_ID).is_in([*gone]))
        left = pl.concat([edits_to(golden, wanted), _list_deletions(there, gone)])
        _refuse_conflicts(workspace, newest, base, golden, left)
        if left.is_empty():
            return newest
        kept = apply_edits(golden, edits_to(golden, wanted)).join(
            there, on=QUESTION_ID, how="anti", maintain_order="left"
        )
        if kept.is_empty():
            raise stop(
                "golden dataset",
                "a version without a triplet",
                "at least one",
                "Keep one of them, or import another golden dataset.",
            )
        made = keep_version(workspace, newest, kept, left, made_by, why)
        if made is not None:
            return made


def _list_deletions(triplets: pl.DataFrame, gone: Mapping[str, str]) -> pl.DataFrame:
    """EDITS that say what a triplet that is gone had: every text of it, and nothing after."""
    texts = triplets.unpivot(FIELDS, index=QUESTION_ID, variable_name=FIELD, value_name=BEFORE)
    nothing = pl.lit(None, pl.String).alias(AFTER)
    rule = pl.col(QUESTION_ID).replace_strict(gone, default=DELETED, return_dtype=pl.String).alias(RULE)
    return texts.filter(pl.col(BEFORE).is_not_null()).select(QUESTION_ID, FIELD, BEFORE, nothing, rule)


def add_back(workspace: Workspace, line: str, triplets: pl.DataFrame, made_by: str, why: str) -> GoldenVersion:
    """Put triplets that were kept out back at the end of the newest version: another version of the line.

    Those that are there already are left out; with none left, the newest version is returned. Raises QavizError as
    `keep_version` does.
    """
    while True:
        newest = versions(workspace, line)[-1]
        golden = workspace.golden(newest.golden_id)
        fresh = triplets.join(golden, on=QUESTION_ID, how="anti", maintain_order="left")
        if fresh.is_empty():
            return newest
        texts = fresh.unpivot(FIELDS, index=QUESTION_ID, variable_name=FIELD, value_name=AFTER)
        nothing, rule = pl.lit(None, pl.String).alias(BEFORE), pl.lit(BROUGHT_BACK).alias(RULE)
        edits = texts.filter(pl.col(AFTER).is_not_null()).select(QUESTION_ID, FIELD, nothing, AFTER, rule)
        made = keep_version(workspace, newest, pl.concat([golden, fresh]), edits, made_by, why)
        if made is not None:
            return made


def undo(workspace: Workspace, version: GoldenVersion, made_by: str) -> GoldenVersion:
    """Take back what this version changed: another version, on top of the newest one. Raises as `accept`."""
    edits = kept_edits(workspace, version.line).filter(pl.col(NUMBER) == version.number).select(EDITS.names())
    if not {DELETED, KEPT_OUT}.isdisjoint(edits[RULE]):
        raise stop(
            f"version {version.number}",
            "deleted triplets",
            "a version that only changes texts",
            "Export the version before as a file and import it.",
        )
    return accept(
        workspace, version, inverse(edits), made_by, f"takes back version {version.number}: {version.why}"[:1000]
    )


def _refuse_conflicts(
    workspace: Workspace, newest: GoldenVersion, base: pl.DataFrame, golden: pl.DataFrame, edits: pl.DataFrame
) -> None:
    """Raise ConflictError if a triplet that the edits touch is not as it was in `base`."""
    touched = edits[QUESTION_ID].unique(maintain_order=True)
    seen, now = (_list_texts(table, touched) for table in (base, golden))
    changed = seen.join(now.rename({BEFORE: THEIRS}), on=[QUESTION_ID, FIELD], how="left", maintain_order="left")
    conflicting = changed.filter(pl.col(BEFORE).ne_missing(pl.col(THEIRS)))[QUESTION_ID].unique()
    if conflicting.is_empty():
        return
    conflicts = _join_sides(changed.filter(pl.col(QUESTION_ID).is_in(conflicting.implode())), edits)
    conflicts = conflicts.join(
        _find_last_editors(workspace, newest.line), on=QUESTION_ID, how="left", maintain_order="left"
    )
    raise ConflictError(newest, conflicts, *_conflict_problems(conflicts))


def _list_texts(golden: pl.DataFrame, questions: pl.Series) -> pl.DataFrame:
    """QUESTION_ID, FIELD and BEFORE of these triplets' texts."""
    triplets = golden.filter(pl.col(QUESTION_ID).is_in(questions.implode()))
    return triplets.unpivot(FIELDS, index=QUESTION_ID, variable_name=FIELD, value_name=BEFORE)


def _join_sides(changed: pl.DataFrame, edits: pl.DataFrame) -> pl.DataFrame:
    """The texts that either side changed, with AFTER."""
    mine = edits.select(QUESTION_ID, FIELD, AFTER, pl.lit(True).alias("mine"))
    sides = changed.join(mine, on=[QUESTION_ID, FIELD], how="left", maintain_order="left")
    either = pl.col("mine").is_not_null() | pl.col(BEFORE).ne_missing(pl.col(THEIRS))
    after = pl.when(pl.col("mine").is_not_null()).then(AFTER).otherwise(THEIRS).alias(AFTER)
    return sides.filter(either).select(QUESTION_ID, FIELD, BEFORE, THEIRS, after)


def _find_last_editors(workspace: Workspace, line: str) -> pl.DataFrame:
    """QUESTION_ID and `made_by`: who changed each triplet last."""
    people = pl.DataFrame(
        [(version.number, version.made_by) for version in versions(workspace, line)],
        schema={NUMBER: pl.Int64, "made_by": pl.String},
        orient="row",
    )
    edits = kept_edits(workspace, line).join(people, on=NUMBER, maintain_order="left")
    return edits.unique(QUESTION_ID, keep="last", maintain_order=True).select(QUESTION_ID, "made_by")


def _conflict_problems(conflicts: pl.DataFrame) -> list[Problem]:
    theirs = conflicts.unique(QUESTION_ID, keep="first", maintain_order=True)
    return [
        Problem(
            where=f"triplet {question}",
            found=f"that {made_by} has changed it since you opened it",
            expected="the triplet as you saw it",
            fix="Look at the change, then make yours again or leave theirs.",
        )
        for question, made_by in theirs.select(QUESTION_ID, "made_by").iter_rows()
    ]


def version_state(
    findings: pl.DataFrame, rows: pl.DataFrame, labels: pl.DataFrame | None
) -> Mapping[str, float | None]:
    """The figures of one version: `error`, `warning`, `note` (findings); FACTS, Factual Knowledge's mean over FACTS_N
    scores; AGREED, the share of AGREED_N labelled responses on which Factual Knowledge agrees with people;
    MEASURE_AT_FAULT, the share of MEASURE_AT_FAULT_N verdicts with the golden dataset or the metric at fault.

    `rows` are a run's on this version; a verdict without a proved fault is nobody's. A share of nothing is null.
    """
    counts = dict(findings[SEVERITY].value_counts().iter_rows())
    judged = rows.filter(pl.col(VERDICT) != Verdict.UNSURE.value)
    labelled = _select_labelled(rows, labels)
    return {
        **{severity: counts.get(severity, 0) for severity in SEVERITIES},
        FACTS: rows.select(pl.col(FACTUAL_KNOWLEDGE).mean()).item(),
        FACTS_N: rows[FACTUAL_KNOWLEDGE].count(),
        AGREED: fact_agreement(labelled),
        AGREED_N: labelled.height,
        MEASURE_AT_FAULT: judged.select(pl.col(FAULT).is_in(_MEASURE_FAULTS).fill_null(False).mean()).item(),
        MEASURE_AT_FAULT_N: judged.height,
    }


def _select_labelled(rows: pl.DataFrame, labels: pl.DataFrame | None) -> pl.DataFrame:
    """The rows that people have labelled and Factual Knowledge has scored, with HELD."""
    if labels is None:
        return rows.clear().with_columns(pl.lit(None, pl.String).alias(HELD))
    return mark_held(rows, labels).filter(pl.col("by_person"), pl.col(FACTUAL_KNOWLEDGE).is_not_null())


def fact_agreement(labelled: pl.DataFrame) -> float | None:
    """The share of rows on which Factual Knowledge is 1 where HELD is `correct`, and 0 where it is not."""
    right = (pl.col(FACTUAL_KNOWLEDGE) == 1) == (pl.col(HELD) == Verdict.CORRECT.value)
    share: float | None = labelled.select(right.mean()).item()
    return share


def attribute_change(
    first: pl.DataFrame,
    first_on_new: pl.DataFrame,
    second: pl.DataFrame,
    score: str = FACTUAL_KNOWLEDGE,
) -> pl.DataFrame:
    """Split the change of a mean score from one run to another into parts that add up to it.

    `first` are the first run's rows on its golden dataset version, `first_on_new` the same responses on the second
    run's version (see `rescore`), `second` the second run's rows on that version. GOLDEN_DATASET is
    the old responses' change from the old to the new version, PIPELINES the change from the old to the new responses on
    the new version, both on the questions of both runs; QUESTIONS is the other questions' effect. A question whose text
    was rewritten is another one, for no old response answers it. That a pipeline did not answer is its own doing.

    One row a pipeline that both runs have, in the first run's order, and where there are several one for all of them,
    its pipeline null: pipeline; START + QUESTIONS + GOLDEN_DATASET + PIPELINES = END; start_n and end_n, their scores;
    shared_n, how many responses each run has to the shared questions. Parts are null where none of those is
    scored.
    """
    both = (
        first.select(PIPELINE).unique(maintain_order=True).join(second, on=PIPELINE, how="semi", maintain_order="left")
    )
    first, first_on_new, second = (rows.join(both, on=PIPELINE, how="semi") for rows in (first, first_on_new, second))
    same = first.join(second, on=[QUESTION_ID, QUESTION], how="semi", nulls_equal=True).select(QUESTION_ID).unique()
    shared_rows = [rows.join(same, on=QUESTION_ID, how="semi") for rows in (first, first_on_new, second)]
    shared = shared_rows[1].join(shared_rows[2], on=[QUESTION_ID, PIPELINE], how="semi")
    means = {
        START: _means(first, score),
        "first_shared": _means(shared_rows[0], score),
        "golden_shared": _means(shared_rows[1], score),
        "second_shared": _means(shared_rows[2], score),
        END: _means(second, score),
        "shared": _means(shared.with_columns(pl.lit(0.0).alias(score)), score),
    }
    table = both if both.height < 2 else pl.concat([both, both.clear(1)])
    for name, part in means.items():
        named = part.rename({"mean": name, "n": f"{name}_n"})
        table = table.join(named, on=PIPELINE, how="left", nulls_equal=True, maintain_order="left")
    return table.select(
        PIPELINE,
        START,
        (pl.col("first_shared") - pl.col(START) + pl.col(END) - pl.col("second_shared")).alias(QUESTIONS),
        (pl.col("golden_shared") - pl.col("first_shared")).alias(GOLDEN_DATASET),
        (pl.col("second_shared") - pl.col("golden_shared")).alias(PIPELINES),
        END,
        pl.col(f"{START}_n", f"{END}_n", "shared_n").fill_null(0),
    )


def _means(rows: pl.DataFrame, score: str) -> pl.DataFrame:
    """PIPELINE, `mean` and `n` of the score, by pipeline and, with a null for the pipeline, of all of them."""
    figures = (pl.col(score).mean().alias("mean"), pl.col(score).count().cast(pl.Int64).alias("n"))
    whole = rows.select(pl.lit(None, pl.String).alias(PIPELINE), *figures)
    return pl.concat([rows.group_by(PIPELINE).agg(figures), whole.head(1)])
