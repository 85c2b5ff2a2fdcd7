"""Versions of a golden dataset: edits become one, nobody overwrites another's, and what each did to the scores."""

from collections.abc import Mapping

import polars as pl

from qaviz.golden.edits import apply_edits, edits_to, inverse, list_texts
from qaviz.golden.lint.findings import FIELD
from qaviz.model.columns import FACTUAL_KNOWLEDGE, PIPELINE, QUESTION, QUESTION_ID
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.store import golden_versions as store
from qaviz.store.workspace import Workspace

DELETED = "deleted"
"""In place of a rule: the triplet was deleted."""
KEPT_OUT = "source is wrong"
"""In place of a rule: the triplet is kept out, because a reviewer called its source wrong."""
BROUGHT_BACK = "source is corrected"
"""In place of a rule: the triplet is back, since its source was corrected."""
THEIRS = "theirs"
"""The text as someone else has changed it since."""

START, QUESTIONS, GOLDEN_DATASET, PIPELINES, END = "start", "questions", "golden_dataset", "pipelines", "end"
"""The score before; the parts of its change; the score after."""


class ConflictError(QavizError):
    """Someone else has changed the same triplets since this person looked at them. Nothing was changed."""

    def __init__(self, conflicts: pl.DataFrame, *problems: Problem) -> None:
        super().__init__(*problems)
        self.conflicts = conflicts
        """QUESTION_ID, FIELD, BEFORE (as this person saw it), THEIRS, AFTER (as this person wants it; as it is now
        where they do not touch it), and `made_by`, who changed the triplet last: every text that either changed."""


def newest_version(workspace: Workspace, golden: str) -> store.GoldenVersion:
    """The newest version of the line that this golden dataset, by its content hash, belongs to.

    Raises QavizError if the workspace does not have it.
    """
    line = store.versions(workspace, store.line_of(workspace, golden))
    if not line:
        fix = "Open the workspace in which it was saved."
        expected = "a golden dataset that was saved in this workspace"
        raise stop(str(workspace.folder), f'no golden dataset "{golden}"', expected, fix)
    return line[-1]


def edited_since(workspace: Workspace, golden: str) -> frozenset[str]:
    """Question ids of the triplets that versions after this one, by its content hash, edit.

    Raises QavizError if the disk refuses.
    """
    line = store.line_of(workspace, golden)
    own = max((version.number for version in store.versions(workspace, line) if version.golden_id == golden), default=0)
    later = store.kept_edits(workspace, line).filter(pl.col(store.NUMBER) > own)
    return frozenset(later[QUESTION_ID])


def accept(
    workspace: Workspace,
    seen: store.GoldenVersion,
    edits: pl.DataFrame,
    made_by: str,
    why: str,
    gone: Mapping[str, str] | None = None,
) -> store.GoldenVersion:
    """Make the edits (EDITS; `before` is not looked at) of this version, and take out triplets (`gone`, by
    question_id: DELETED or KEPT_OUT), in the line's next version.

    Versions that others have made meanwhile stay: the edits are made on the newest one, unless someone else has
    changed one of their triplets. Where nothing is left to change, the newest version is returned. Raises
    ConflictError then, QavizError as `edits_to` and `keep_version` do, and where no triplet would be left; nothing is
    changed.
    """
    base, out = workspace.golden(seen.golden_id), dict(gone or {})
    wanted = edits_to(base, edits.filter(~pl.col(QUESTION_ID).is_in([*out])))
    while True:
        newest = store.versions(workspace, seen.line)[-1]
        golden = workspace.golden(newest.golden_id)
        left = edits_to(golden, wanted)
        there = golden.filter(pl.col(QUESTION_ID).is_in([*out]))
        reason = pl.col(QUESTION_ID).replace_strict(out, default=DELETED, return_dtype=pl.String).alias(store.RULE)
        texts, nothing = list_texts(there).drop_nulls(store.BEFORE), pl.lit(None, pl.String).alias(store.AFTER)
        changes = pl.concat([left, texts.select(QUESTION_ID, FIELD, store.BEFORE, nothing, reason)])
        _refuse_conflicts(workspace, newest, base, golden, changes)
        if changes.is_empty():
            return newest
        kept = apply_edits(golden, left).join(there, on=QUESTION_ID, how="anti", maintain_order="left")
        if kept.is_empty():
            fix = "Keep one of them, or import another golden dataset."
            raise stop("golden dataset", "a version without a triplet", "at least one", fix)
        made = store.keep_version(workspace, newest, kept, changes, made_by, why)
        if made is not None:
            return made


def add_back(workspace: Workspace, line: str, triplets: pl.DataFrame, made_by: str, why: str) -> store.GoldenVersion:
    """Put triplets that were kept out back at the end of the newest version: another version of the line.

    Those that are there already are left out; with none left, the newest version is returned. Raises QavizError as
    `keep_version` does.
    """
    while True:
        newest = store.versions(workspace, line)[-1]
        golden = workspace.golden(newest.golden_id)
        fresh = triplets.join(golden, on=QUESTION_ID, how="anti", maintain_order="left")
        if fresh.is_empty():
            return newest
        texts = list_texts(fresh).rename({store.BEFORE: store.AFTER}).drop_nulls(store.AFTER)
        nothing, rule = pl.lit(None, pl.String).alias(store.BEFORE), pl.lit(BROUGHT_BACK).alias(store.RULE)
        edits = texts.select(QUESTION_ID, FIELD, nothing, store.AFTER, rule)
        made = store.keep_version(workspace, newest, pl.concat([golden, fresh]), edits, made_by, why)
        if made is not None:
            return made


def undo(workspace: Workspace, version: store.GoldenVersion, made_by: str) -> store.GoldenVersion:
    """Take back what this version changed: another version, on top of the newest one. Raises as `accept`."""
    edits = store.kept_edits(workspace, version.line).filter(pl.col(store.NUMBER) == version.number)
    if not {DELETED, KEPT_OUT}.isdisjoint(edits[store.RULE]):
        fix = "Export the version before as a file and import it."
        raise stop(f"version {version.number}", "deleted triplets", "a version that only changes texts", fix)
    why = f"takes back version {version.number}: {version.why}"[:1000]
    return accept(workspace, version, inverse(edits), made_by, why)


def _refuse_conflicts(
    workspace: Workspace, newest: store.GoldenVersion, base: pl.DataFrame, golden: pl.DataFrame, edits: pl.DataFrame
) -> None:
    """Raise ConflictError if a triplet that the edits touch is not as it was in `base`."""
    touched = pl.col(QUESTION_ID).is_in(edits[QUESTION_ID].unique().implode())
    seen, now = (list_texts(table.filter(touched)) for table in (base, golden))
    both = seen.join(now.rename({store.BEFORE: THEIRS}), on=[QUESTION_ID, FIELD], how="left", maintain_order="left")
    changed = pl.col(store.BEFORE).ne_missing(pl.col(THEIRS))
    conflicting = both.filter(changed.any().over(QUESTION_ID))
    if conflicting.is_empty():
        return
    mine = edits.select(QUESTION_ID, FIELD, store.AFTER, mine=True)
    people = {version.number: version.made_by for version in store.versions(workspace, newest.line)}
    by = pl.col(store.NUMBER).replace_strict(people, default=None, return_dtype=pl.String).alias("made_by")
    last = store.kept_edits(workspace, newest.line).unique(QUESTION_ID, keep="last", maintain_order=True)
    conflicts = (
        conflicting.join(mine, on=[QUESTION_ID, FIELD], how="left", maintain_order="left")
        .filter(pl.col("mine").is_not_null() | changed)
        .with_columns(pl.when("mine").then(store.AFTER).otherwise(THEIRS).alias(store.AFTER))
        .select(QUESTION_ID, FIELD, store.BEFORE, THEIRS, store.AFTER)
        .join(last.select(QUESTION_ID, by), on=QUESTION_ID, how="left", maintain_order="left")
    )
    problems, fix = [], "Look at the change, then make yours again or leave theirs."
    for question, field, _, theirs, wanted, made_by in conflicts.iter_rows():
        words = f"that {made_by} has changed it since you opened it: the {field} is “{theirs}”, yours was “{wanted}”"
        problems.append(Problem(f"triplet {question}", words, "the triplet as you saw it", fix))
    raise ConflictError(conflicts, *problems)


def attribute_change(
    first: pl.DataFrame, first_on_new: pl.DataFrame, second: pl.DataFrame
) -> Mapping[str, float] | None:
    """Split the change of facts stated from one run to another into parts that add up to it: START + QUESTIONS +
    GOLDEN_DATASET + PIPELINES = END, over the pipelines that both runs have. None where a part has no score.

    `first` are the first run's rows on its golden dataset version, `first_on_new` the same responses on the second
    run's version (see `rescore`), `second` the second run's rows on that version. GOLDEN_DATASET is the old responses'
    change from the old to the new version, PIPELINES the change from the old to the new responses on the new version,
    both on the questions of both runs; QUESTIONS is the other questions' effect. A question whose text was rewritten
    is another one, for no old response answers it. That a pipeline did not answer is its own doing.
    """
    pipelines = first.join(second, on=PIPELINE, how="semi").select(PIPELINE).unique()
    runs = [rows.join(pipelines, on=PIPELINE, how="semi") for rows in (first, first_on_new, second)]
    same = runs[0].join(runs[2], on=[QUESTION_ID, QUESTION], how="semi", nulls_equal=True).select(QUESTION_ID).unique()
    shared = [rows.join(same, on=QUESTION_ID, how="semi") for rows in runs]
    means = [rows.select(pl.col(FACTUAL_KNOWLEDGE).mean()).item() for rows in (runs[0], *shared, runs[2])]
    if None in means:
        return None
    start, old, old_on_new, new, end = means
    parts = {QUESTIONS: old - start + end - new, GOLDEN_DATASET: old_on_new - old, PIPELINES: new - old_on_new}
    return {START: start, **parts, END: end}
