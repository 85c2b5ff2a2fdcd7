"""Judging a run: its responses are graded, the grades kept beside it, and heard where words leave a verdict open."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from qaviz.diagnosis import judge as judge_rows_by_rules
from qaviz.judging.answers import Only, estimate_judging, judge_rows, select_rows, unscored_counts
from qaviz.judging.prompts import PROMPT_VERSION, Judge
from qaviz.llm import Estimate, Session
from qaviz.llm.asking import Cancelled
from qaviz.model.columns import JUDGE, JUDGE_REASON, PIPELINE, QUESTION_ID
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Progress, Run, Thresholds
from qaviz.store import KnownJudge, Workspace, keep_grades, kept_grades, known_judges

JOURNALS_FOLDER = "journals"


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


def journal_of(workspace: Workspace, run: Run) -> Path:
    """Where the replies of judges to this run are kept, as they came."""
    return workspace.folder / JOURNALS_FOLDER / f"judge-{run.run_id}.jsonl"


def estimate_run(session: Session, workspace: Workspace, run: Run, judge: Judge, only: Only) -> Estimate:
    """What judging the run would take. Raises QavizError if its rows are damaged."""
    return estimate_judging(session, judge, select_rows(workspace.rows(run), only, run.thresholds))


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
    chosen = select_rows(workspace.rows(run), only, run.thresholds)
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
    )


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
    own = rows.drop(JUDGE, JUDGE_REASON, strict=False)
    heard = own.join(said, on=[QUESTION_ID, PIPELINE], how="left", maintain_order="left")
    return judge_rows_by_rules(heard, thresholds)


def heard_rows(workspace: Workspace, run: Run, judge: str) -> pl.DataFrame:
    """The run's rows with this judge heard. Raises QavizError if they are damaged."""
    return hear_judge(workspace.rows(run), kept_grades(workspace, run, judge), run.thresholds)
