"""Judging a run: which responses, at what cost, the grades beside the run, and the rows with the judge heard."""

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import polars as pl

from qaviz.diagnosis import judge as judge_rows_by_rules
from qaviz.diagnosis.agreement import Figure
from qaviz.diagnosis.columns import STANCE
from qaviz.diagnosis.model import HIGHEST, LOWEST
from qaviz.diagnosis.rules import SURE
from qaviz.judging.agreement import compare_graders
from qaviz.judging.prompts import PROMPT_VERSION, Graded, Judge, combine_repeats, fence_row, grade_requests, read_reply
from qaviz.llm import Estimate, Session
from qaviz.llm.requests import hash_of
from qaviz.llm.sending import Cancelled
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
from qaviz.model.errors import stop
from qaviz.model.plugins import load_plugins, naming_extension
from qaviz.model.records import Progress, Run, Thresholds
from qaviz.store import labels
from qaviz.store.audit_log import Deed
from qaviz.store.labels import GRADES_SCHEMA, UNSCORED, KnownJudge, keep_grades, kept_grades, known_judges
from qaviz.store.workspace import Workspace

OPEN, ALL, SAMPLE = "open", "all", "sample"
_ONLY = re.compile(r"(?P<which>open|all|sample):?(?P<number>\d{1,9})?")


@dataclass(frozen=True, kw_only=True)
class Judged:
    """The result of judging a run."""

    asked: int
    """Responses that the judge was to grade."""
    graded: int
    judge: str
    """The judge's key, under which its grades are kept."""
    unscored: int = 0
    """Responses without grades, because the reply could not be read, was refused, or never asked for."""
    calls: int = 0
    """Requests that were sent now, retries too; replies from the journal need none."""
    cost: float | None = 0.0
    """What the calls cost; None where no price is known."""
    currency: str = "USD"
    why_unscored: Sequence[tuple[str, int]] = ()
    stopped: str | None = None
    """Which cap stopped the asking."""
    anchor: Figure | None = None
    """Share of the responses graded by the previous judge too that get the same verdict: the effect of a new model,
    prompt or rubric. None for the first judge of a run."""


def journal_of(workspace: Workspace, run: Run) -> Path:
    """Where the replies of judges to this run are kept, as they came."""
    return workspace.folder / "journals" / f"judge-{run.run_id}.jsonl"


@dataclass(frozen=True, kw_only=True)
class Only:
    """Which responses are judged: those of which words are least sure, all, or a random sample."""

    which: str
    number: int | None = None


def estimate_run(session: Session, workspace: Workspace, run: Run, judge: Judge, only: Only) -> Estimate:
    """What judging the run would take. Raises QavizError if its rows are damaged."""
    rows = select_rows(workspace.rows(run), only, run.thresholds)
    return session.estimate(request for row in rows.iter_rows(named=True) for request in grade_requests(judge, row))


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
    """Grade responses of the run, and keep the grades beside it. Raises QavizError as `Session.ask`, and if the run is
    deleted, damaged, or the disk refuses."""
    workspace.require(Deed.JUDGE)
    rows = workspace.rows(run)
    judges = known_judges(workspace, run)
    earlier = [other for other in judges if other.key != judge.key and not (other.recorded or other.imported)]
    before = kept_grades(workspace, run, earlier[0].key) if earlier else None
    grades = judge_rows(session, judge, select_rows(rows, only, run.thresholds), progress, cancelled)
    keep_grades(workspace, run, judge.key, judge.model, describe_judge(judge, recorded=session.recorded), grades, by)
    graded, anchor = grades[c.JUDGE].count(), None
    if before is not None:
        verdict = pl.col(c.JUDGE).alias(c.GRADE)
        own, theirs = (table.select(c.QUESTION_ID, c.PIPELINE, verdict).drop_nulls() for table in (grades, before))
        if own.join(theirs, on=[c.QUESTION_ID, c.PIPELINE], how="semi").height:
            anchor = compare_graders(own, theirs).exact
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
        anchor=anchor,
    )


def describe_judge(judge: Judge, *, recorded: bool) -> dict[str, object]:
    """What a judge is, to keep with its grades."""
    return {
        "rubric": asdict(judge.rubric),
        "rubric_key": judge.rubric.key,
        "shots": judge.shots,
        "temperature": judge.temperature,
        "repeats": judge.repeats,
        "prompt_version": PROMPT_VERSION,
        "recorded": recorded,
    }


def import_grades(
    workspace: Workspace, run: Run, grader: str, grades: pl.DataFrame, by: str | None = None
) -> tuple[str, int]:
    """Keep what another grader says (QUESTION_ID, PIPELINE, GRADE: correct, incorrect or declined) as a judge. Returns
    the judge's key and how many of the run's responses it grades. Raises QavizError where it grades none, or says
    something else."""
    rows = workspace.rows(run, [c.QUESTION_ID, c.PIPELINE]).cast({c.PIPELINE: pl.String})
    graded = grades.select(c.QUESTION_ID, c.PIPELINE, pl.col(c.GRADE).str.to_lowercase().alias(c.JUDGE)).drop_nulls()
    ours = graded.join(rows, on=[c.QUESTION_ID, c.PIPELINE], how="semi", maintain_order="left")
    ours = ours.unique([c.QUESTION_ID, c.PIPELINE], keep="last", maintain_order=True)
    strange = sorted(set(ours[c.JUDGE]) - {"correct", "incorrect", "declined"})
    if ours.is_empty() or strange:
        words = f"“{strange[0][:50]}”" if strange else f"no grade of a response of the run “{run.name}”"
        expected = "correct, incorrect or declined of responses of the run"
        raise stop(grader, words, expected, "Check the file's question_id, pipeline and label.")
    key = hash_of(["imported", grader])[:16]
    described = {"rubric": {"name": "imported"}, "shots": "imported", "recorded": False}
    table = pl.concat([pl.DataFrame(schema=GRADES_SCHEMA), ours], how="diagonal")
    keep_grades(workspace, run, key, grader, described, table, by)
    return key, ours.height


@dataclass(frozen=True, kw_only=True)
class InstalledJudge:
    """A judge that is a program of an installed package, named by an entry point of `qaviz.judges`."""

    name: str
    grade: Callable[[pl.DataFrame], pl.DataFrame]
    """From rows with question_id, pipeline, question, answer, fact, response and contexts to question_id, pipeline and
    grade: `correct`, `incorrect` or `declined`; rows that it does not grade are left out."""


def grade_by_installed(workspace: Workspace, run: Run, name: str, by: str | None = None) -> tuple[str, int] | None:
    """Keep what the installed judge of this name says, as `import_grades`; None where there is no such judge."""
    judges = {judge.name: judge for judge in load_plugins("qaviz.judges", InstalledJudge)}
    if name not in judges:
        return None
    rows = workspace.rows(run).with_columns(pl.col(c.PIPELINE).cast(pl.String))
    with naming_extension(f"judge {name}"):
        grades = judges[name].grade(rows)
    return import_grades(workspace, run, name, grades, by)


def find_judge(workspace: Workspace, run: Run, key: str | None = None) -> KnownJudge:
    """The judge of the run with this key, else the one that was used last. Raises QavizError where there is none."""
    judges = known_judges(workspace, run)
    if judge := next((judge for judge in judges if key in (None, judge.key)), None):
        return judge
    words = f"no judge {key}" if key else "no judge that graded its responses"
    expected = f"one of {', '.join(judge.key for judge in judges)}" if judges else "grades of a judge"
    raise stop(f'run "{run.name}"', words, expected, f'Ask one first: qaviz judge "{run.name}" --model openai:NAME.')


def hear_judge(rows: pl.DataFrame, grades: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """The diagnosed rows as they are when this judge is heard: it decides open rows, and where it says otherwise than a
    verdict that is less sure than .9.

    What it says of other rows stands in their reason and halves their confidence where it differs; how often it agrees
    with verdicts of a kind moves how sure all of that kind are. A column JUDGE that came with the responses is
    replaced: two judges are never mixed.
    """
    verdicts = grades.select(c.QUESTION_ID, c.PIPELINE, c.JUDGE, c.JUDGE_REASON)
    own = rows.drop(c.JUDGE, c.JUDGE_REASON, strict=False).with_columns(pl.col(c.PIPELINE).cast(pl.String))
    heard = own.join(verdicts, on=[c.QUESTION_ID, c.PIPELINE], how="left", maintain_order="left")
    return judge_rows_by_rules(move_confidence(heard, thresholds), thresholds)


def heard_rows(workspace: Workspace, run: Run, judge: str) -> pl.DataFrame:
    """The run's rows with this judge heard. Raises QavizError if they are damaged."""
    return hear_judge(workspace.rows(run), kept_grades(workspace, run, judge), run.thresholds)


AGREED_BEFORE = 16
"""Responses that what is known of verdicts beforehand weighs, against those that a judge of this run has seen."""


def move_confidence(rows: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """Return the rows with MOVED, which JUDGE moves: null where nothing tells how sure the words are. Verdicts of a
    kind (right or not, and stance) are as much surer or less sure, in log odds, as the judge agrees with those of them
    that it saw more or less often than their confidence says; AGREED_BEFORE responses agree as it says."""
    by_words = judge_rows_by_rules(
        rows.drop(c.REVIEW, c.JUDGE, c.MOVED, strict=False), replace(thresholds, unsure_below=0.0)
    )
    right, judged = Verdict.CORRECT.value, rows[c.JUDGE] if c.JUDGE in rows.columns else pl.lit(None, pl.String)
    verdicts = by_words.select(
        pl.col(c.CONFIDENCE).clip(LOWEST, HIGHEST).alias("sure"),
        (pl.col(c.VERDICT) == right).alias("right"),
        pl.concat_str(pl.col(c.VERDICT) == right, pl.col(STANCE).fill_null("")).alias("kind"),
        judged.alias(c.JUDGE),
    )
    agrees = pl.col("right") == (pl.col(c.JUDGE).str.strip_chars().str.to_lowercase() == right)
    expected = pl.mean("sure")
    kinds = (
        verdicts.drop_nulls([c.JUDGE, "sure"])
        .group_by("kind")
        .agg(expected.alias("expected"), rate=(agrees.sum() + AGREED_BEFORE * expected) / (pl.len() + AGREED_BEFORE))
    )
    both = verdicts.select("sure", "kind").join(kinds, on="kind", how="left", maintain_order="left")
    odds = _log_odds("sure") + (_log_odds("rate") - _log_odds("expected")).fill_null(0.0)
    return rows.with_columns(both.select((1 / (1 + (-odds).exp())).clip(LOWEST, HIGHEST).alias(c.MOVED)).to_series())


def _log_odds(share: str) -> pl.Expr:
    return (pl.col(share) / (1 - pl.col(share))).log()


def parse_only(text: str) -> Only:
    """Read `open`, `all` or `sample:N`. Raises QavizError for anything else."""
    match = _ONLY.fullmatch(text)
    if not match or (match["which"] == SAMPLE) != (match["number"] is not None) or match["number"] == "0":
        fix = "Write open for what qaviz leaves unsure, all, or for example sample:200."
        raise stop("--only", repr(text), "open, all or sample:N", fix)
    return Only(which=match["which"], number=int(match["number"]) if match["number"] else None)


LEAST_SURE, DRAWN = 0.4, 0.1
"""Shares of the responses that `open` asks for: the least sure; of the others, drawn."""
_ANSWERED = pl.col(c.RESPONSE).str.strip_chars().str.len_chars().fill_null(0) > 0
_PLACE, _DRAWN = "place of the row", "place in a drawing"


def select_rows(rows: pl.DataFrame, only: Only, thresholds: Thresholds) -> pl.DataFrame:
    """The diagnosed rows to judge, in their order. Blank responses are never judged: there is nothing to grade. A
    sample is drawn by a hash of question and pipeline: the same rows each time, in whatever order they come, and a
    larger sample contains a smaller one. Of OPEN: what has no verdict or is the least sure by words, and some of the
    others, drawn alike."""
    if only.which == ALL:
        return rows.filter(_ANSWERED)
    answered = rows.select(c.QUESTION_ID, pl.col(c.PIPELINE).cast(pl.String), _ANSWERED.alias("answered"))
    table = answered.with_row_index(_PLACE).filter("answered")
    drawn = [hash_of([0, *pair]) for pair in table.select(c.QUESTION_ID, c.PIPELINE).iter_rows()]
    table = table.with_columns(pl.Series(_DRAWN, drawn, pl.String)).sort(_DRAWN)
    if only.which == SAMPLE:
        return rows[table.head(only.number or 0)[_PLACE].sort()]
    moved = move_confidence(rows.drop(c.JUDGE, c.MOVED, strict=False), thresholds)[c.MOVED].fill_null(0.0)
    table = table.with_columns(moved.gather(table[_PLACE]))
    unsure = table.filter(pl.col(c.MOVED) < thresholds.unsure_below).height
    most = max(round(LEAST_SURE * table.height), unsure)
    least = table.filter(pl.col(c.MOVED) < SURE).sort(c.MOVED, maintain_order=True).head(most)
    others = table.join(least, on=_PLACE, how="anti", maintain_order="left").head(int(DRAWN * table.height))
    return rows[pl.concat([least, others])[_PLACE].sort()]


def judge_rows(
    session: Session,
    judge: Judge,
    rows: pl.DataFrame,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> pl.DataFrame:
    """Grade each row; returns GRADES_SCHEMA, a row each in their order. Raises as `Session.ask`. What was not asked,
    because of a cap or a cancel, is unscored with that reason."""
    requests = [request for row in rows.iter_rows(named=True) for request in grade_requests(judge, row)]
    replies = session.ask(requests, progress=progress, cancelled=cancelled)
    results = []
    for place, row in enumerate(rows.iter_rows(named=True)):
        of_row, nonce = replies[place * judge.repeats : (place + 1) * judge.repeats], fence_row(judge, row).nonce
        graded = combine_repeats([read_reply(reply, nonce, judge.rubric) for reply in of_row], judge.rubric)
        key = {c.QUESTION_ID: row[c.QUESTION_ID], c.PIPELINE: row[c.PIPELINE]}
        costs = [reply.cost for reply in of_row if reply.cost is not None]
        results.append(key | _read_verdict(graded, judge) | {c.COST: sum(costs) if costs else None})
    return pl.DataFrame(results, schema=GRADES_SCHEMA)


def _read_verdict(graded: Graded, judge: Judge) -> dict[str, object]:
    if graded.unscored is not None:
        return {UNSCORED: graded.unscored}
    rubric = judge.rubric
    right = rubric.deciding_grade(graded.grades) >= rubric.correct_from
    return {
        c.JUDGE: (Verdict.CORRECT if right else Verdict.DECLINED if graded.declined else Verdict.INCORRECT).value,
        c.JUDGE_REASON: graded.reasons.get(rubric.decided_by) or " ".join(graded.reasons.values()),
        labels.COMPOSITE: rubric.composite(graded.grades),
        labels.GRADES: [
            {"criterion": n, "grade": grade, "reason": graded.reasons[n]} for n, grade in graded.grades.items()
        ],
    }


def unscored_counts(grades: pl.DataFrame) -> Sequence[tuple[str, int]]:
    """Why responses have no grades, and how many, the most frequent first."""
    counted = grades.drop_nulls(UNSCORED).group_by(UNSCORED).len().sort("len", UNSCORED, descending=[True, False])
    return [(str(why), int(number)) for why, number in counted.iter_rows()]
