"""Judging a run: grade responses, keep the grades beside the run, and let the judge decide open responses."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from qaviz.diagnosis import judge as judge_rows_by_rules
from qaviz.diagnosis.agreement import Estimate as Estimate95
from qaviz.judging.agreement import compare_graders
from qaviz.judging.answers import Only, estimate_judging, judge_rows, select_rows, unscored_counts
from qaviz.judging.prompts import PROMPT_VERSION, Judge, grade_requests
from qaviz.llm import Estimate, Session
from qaviz.llm.asking import Cancelled
from qaviz.llm.batches import write_request_file
from qaviz.llm.requests import hash_of
from qaviz.model.columns import GRADE, JUDGE, JUDGE_REASON, PIPELINE, QUESTION_ID
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress, Run, Thresholds
from qaviz.store import KnownJudge, Workspace, keep_grades, kept_grades, known_judges
from qaviz.store.audit_log import Deed
from qaviz.store.grades import GRADES_SCHEMA

JOURNALS_FOLDER = "journals"
IMPORTED = "imported"
ANCHORS = 30
"""Responses that another judge grades again, whatever else it is asked."""


@dataclass(frozen=True, kw_only=True)
class Judged:
    """What came of judging a run."""

    asked: int
    """Responses that the judge was to grade."""
    graded: int
    unscored: int
    """Responses without grades, because the reply could not be read, was refused, or never asked for."""
    calls: int
    """Requests that were sent now, retries too; replies from the journal need none."""
    cost: float | None
    """What the calls cost; None where no price is known."""
    currency: str
    judge: str
    """The judge's key, under which its grades are kept."""
    why_unscored: Sequence[tuple[str, int]]
    stopped: str | None
    """Which cap stopped the asking."""
    anchor: Estimate95 | None
    """Share of the responses that the judge before graded too which get the same verdict: how far the ruler moved when
    model, prompt or rubric changed. None for the first judge of a run."""


def journal_of(workspace: Workspace, run: Run) -> Path:
    """Where the replies of judges to this run are kept, as they came."""
    return workspace.folder / JOURNALS_FOLDER / f"judge-{run.run_id}.jsonl"


def estimate_run(session: Session, workspace: Workspace, run: Run, judge: Judge, only: Only) -> Estimate:
    """What judging the run would take. Raises QavizError if its rows are damaged."""
    return estimate_judging(session, judge, select_rows(workspace.rows(run), only, run.thresholds))


def write_requests(workspace: Workspace, run: Run, judge: Judge, only: Only, path: Path) -> int:
    """Write what the journal has no reply to as a request file for a batch API; returns how many requests it has.

    Raises QavizError if a file is refused. `qaviz.llm.batches.read_result_file` takes the results into the journal.
    """
    chosen = select_rows(workspace.rows(run), only, run.thresholds)
    asked = (request for row in chosen.iter_rows(named=True) for request in grade_requests(judge, row))
    return write_request_file(path, asked, judge.model, journal_of(workspace, run))


def judge_run(
    session: Session,
    workspace: Workspace,
    run: Run,
    judge: Judge,
    only: Only,
    *,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    by: str | None = None,
) -> Judged:
    """Grade responses of the run, and keep the grades beside it.

    Raises QavizError as `Session.ask`, and if the run is deleted, damaged, or the disk refuses.
    """
    workspace.require(Deed.JUDGE, run=run.run_id)
    rows = workspace.rows(run)
    known = known_judges(workspace, run)
    earlier = [each for each in known if each.key != judge.key and not (each.recorded or each.imported)]
    before = kept_grades(workspace, run, earlier[0].key) if earlier else None
    chosen = _with_anchor(rows, select_rows(rows, only, run.thresholds), before)
    grades = judge_rows(session, judge, chosen, progress, cancelled)
    keep_grades(workspace, run, judge.key, judge.model, describe_judge(judge, recorded=session.recorded), grades, by)
    graded = grades[JUDGE].count()
    return Judged(
        asked=grades.height,
        graded=graded,
        unscored=grades.height - graded,
        calls=session.spend.calls,
        cost=session.spend.cost,
        currency=session.spend.currency,
        judge=judge.key,
        why_unscored=unscored_counts(grades),
        stopped=session.stopped,
        anchor=_anchored(grades, before),
    )


def _with_anchor(rows: pl.DataFrame, chosen: pl.DataFrame, before: pl.DataFrame | None) -> pl.DataFrame:
    """The chosen rows, and those of the anchor set: responses that the judge before graded, by a hash."""
    if before is None or chosen.is_empty():
        return chosen
    graded = before.drop_nulls(JUDGE).select(QUESTION_ID, PIPELINE)
    drawn = [hash_of([*pair]) for pair in graded.iter_rows()]
    anchor = graded.with_columns(pl.Series("drawn", drawn, pl.String)).sort("drawn").head(ANCHORS)
    wanted = pl.concat(
        [anchor.select(QUESTION_ID, PIPELINE), chosen.select(QUESTION_ID, pl.col(PIPELINE).cast(pl.String))]
    )
    named = rows.with_columns(pl.col(PIPELINE).cast(pl.String))
    return named.join(wanted.unique(), on=[QUESTION_ID, PIPELINE], how="semi", maintain_order="left")


def _anchored(grades: pl.DataFrame, before: pl.DataFrame | None) -> Estimate95 | None:
    """How far the judge agrees with the one before on what both graded; None for the first judge."""
    if before is None:
        return None
    one, other = (
        each.select(QUESTION_ID, PIPELINE, pl.col(JUDGE).alias(GRADE)).drop_nulls() for each in (grades, before)
    )
    if one.join(other, on=[QUESTION_ID, PIPELINE], how="semi").is_empty():
        return None
    return compare_graders(one, other).exact


def describe_judge(judge: Judge, *, recorded: bool) -> dict[str, Any]:
    """What a judge is, to keep with its grades."""
    return {
        "rubric": asdict(judge.rubric),
        "rubric_key": judge.rubric.key,
        "shots": judge.shots,
        "examples": len(judge.examples),
        "temperature": judge.temperature,
        "repeats": judge.repeats,
        "prompt_version": PROMPT_VERSION,
        "recorded": recorded,
    }


def import_grades(
    workspace: Workspace, run: Run, grader: str, said: pl.DataFrame, by: str | None = None
) -> tuple[str, int]:
    """Keep what another grader says (QUESTION_ID, PIPELINE, GRADE: correct, incorrect or declined) as a judge.

    Returns the judge's key and how many of the run's responses it grades. Raises QavizError where it grades none, or
    says something else.
    """
    rows = workspace.rows(run, [QUESTION_ID, PIPELINE]).cast({PIPELINE: pl.String})
    known = said.select(QUESTION_ID, PIPELINE, pl.col(GRADE).str.to_lowercase().alias(JUDGE)).drop_nulls()
    ours = known.join(rows, on=[QUESTION_ID, PIPELINE], how="semi", maintain_order="left")
    ours = ours.unique([QUESTION_ID, PIPELINE], keep="last", maintain_order=True)
    strange = sorted(set(ours[JUDGE]) - {"correct", "incorrect", "declined"})
    if ours.is_empty() or strange:
        raise QavizError(
            Problem(
                where=grader,
                found=f"“{strange[0][:50]}”" if strange else f"no grade of a response of the run “{run.name}”",
                expected="correct, incorrect or declined of responses of the run",
                fix="Check the file's question_id, pipeline and label.",
            )
        )
    key = hash_of(["imported", grader])[:16]
    described = {"rubric": {"name": "imported"}, "shots": IMPORTED, "recorded": False}
    keep_grades(
        workspace,
        run,
        key,
        grader,
        described,
        pl.concat([pl.DataFrame(schema=GRADES_SCHEMA), ours], how="diagonal"),
        by,
    )
    return key, ours.height


def find_judge(workspace: Workspace, run: Run, key: str | None = None) -> KnownJudge:
    """The judge of the run with this key, else the one that was used last. Raises QavizError where there is none."""
    known = known_judges(workspace, run)
    for each in known:
        if key in (None, each.key):
            return each
    raise QavizError(
        Problem(
            where=f'run "{run.name}"',
            found=f"no judge {key}" if key else "no judge that graded its responses",
            expected=f"one of {', '.join(each.key for each in known)}" if known else "grades of a judge",
            fix=f'Ask one first: qaviz judge "{run.name}" --model openai:NAME.',
        )
    )


def hear_judge(rows: pl.DataFrame, grades: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """The diagnosed rows as they are when this judge is heard: it decides open rows, and no other.

    What it says of other rows stands in their reason and halves their confidence where it differs. A column JUDGE that
    came with the responses is replaced: two judges are never mixed.
    """
    said = grades.select(QUESTION_ID, PIPELINE, JUDGE, JUDGE_REASON)
    own = rows.drop(JUDGE, JUDGE_REASON, strict=False).with_columns(pl.col(PIPELINE).cast(pl.String))
    heard = own.join(said, on=[QUESTION_ID, PIPELINE], how="left", maintain_order="left")
    return judge_rows_by_rules(heard, thresholds)


def heard_rows(workspace: Workspace, run: Run, judge: str) -> pl.DataFrame:
    """The run's rows with this judge heard. Raises QavizError if they are damaged."""
    return hear_judge(workspace.rows(run), kept_grades(workspace, run, judge), run.thresholds)
