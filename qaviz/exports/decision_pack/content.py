"""What a decision pack says, gathered once from a run: every format writes this and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from qaviz.analysis import sentences, tables
from qaviz.analysis.consistency import whole
from qaviz.analysis.criteria import criteria_in_force
from qaviz.analysis.decision import Decision, decide
from qaviz.analysis.glossary import DIAGNOSIS_DEFINITIONS
from qaviz.analysis.labels import counting, mark_sampled
from qaviz.analysis.right_answers import compare_all, select_counted, settle
from qaviz.diagnosis import RULES
from qaviz.diagnosis.agreement import Agreement, agreement
from qaviz.exports.decision_pack import wording
from qaviz.exports.decision_pack.figures import Figure, figures_of
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.model.columns import ANSWER, CONFIDENCE, DIAGNOSIS, FACT, PIPELINE, QUESTION, QUESTION_ID, REASON, RESPONSE
from qaviz.model.records import Criterion, Run, Verified
from qaviz.review.statement import review_sentences
from qaviz.store import GoldenVersion, Workspace, kept_labels, line_of, versions

EXAMPLES = 3
"""Responses that stand for each diagnosis."""


@dataclass(frozen=True, kw_only=True)
class Example:
    """One response that shows what a diagnosis means. Texts as they came; None where there is none."""

    question_id: str
    pipeline: str
    question: str | None
    answer: str | None
    fact: str | None
    response: str | None
    reason: str


@dataclass(frozen=True, kw_only=True)
class DiagnosisPart:
    """One diagnosis that occurs in the run."""

    diagnosis: Diagnosis
    verdict: Verdict
    definition: str
    """When a response is diagnosed so."""
    responses: int
    examples: tuple[Example, ...]
    """The most certain ones, each to another question."""


@dataclass(frozen=True, kw_only=True)
class Content:
    """A decision pack. Frames are those of `qaviz.analysis`, pipelines in the order in which the pack ranks them."""

    run: Run
    made_at: datetime
    question: str
    lead: str
    """The sentence that answers the question, with how sure it is."""
    points: tuple[str, ...]
    """What else the run says, a sentence each."""
    figures: tuple[Figure, ...]
    steps: tuple[str, ...]
    """What to do next, a sentence each."""
    decision: Decision
    """What to ship, how sure that is, the risk and what would settle it."""
    summary: pl.DataFrame
    """`tables.pipeline_summary`, in the order of the decision's ranking."""
    comparisons: pl.DataFrame
    """`comparison.compare` of all pairs."""
    criteria: pl.DataFrame
    """`criteria.evaluate` of the acceptance criteria in force; no rows where there are none."""
    diagnoses: tuple[DiagnosisPart, ...]
    """In the order of `model.Diagnosis`."""
    golden: tuple[str, ...]
    """The state of the golden dataset, a sentence each."""
    unknown: tuple[str, ...]
    """What is not known, a sentence each."""
    measured: tuple[tuple[str, str], ...]
    """How it was measured: name and value."""
    matrix: pl.DataFrame
    """`tables.fact_matrix`: one row a question."""
    rows: pl.DataFrame
    """One row a response, as `Workspace.rows` returns it."""


def gather_from(workspace: Workspace, run: Run, made_at: datetime) -> Content:
    """The content of a saved run. Raises QavizError if the run's files are missing or damaged."""
    return gather(
        run,
        workspace.golden(run.golden_id),
        workspace.rows(run),
        made_at=made_at,
        verified=workspace.verified(run),
        labels=kept_labels(workspace, run),
        criteria=criteria_in_force(workspace),
        made_of=versions(workspace, line_of(workspace, run.golden_id)),
        reviewed=review_sentences(workspace, run.golden_id),
    )


def gather(
    run: Run,
    golden: pl.DataFrame,
    rows: pl.DataFrame,
    *,
    made_at: datetime,
    verified: Verified | None,
    labels: pl.DataFrame,
    criteria: Sequence[Criterion],
    made_of: Sequence[GoldenVersion],
    reviewed: Sequence[str] = (),
) -> Content:
    """The content of a run from its tables, its newest verification, people's labels (`store.kept_labels`), what
    pipelines have to reach, the versions of its golden dataset's line (`store.versions`), and what reviews of it have
    shown (`review_sentences`)."""
    sampled = mark_sampled(labels, rows)
    decision = decide(rows, golden, criteria, sampled)
    ranking = _with_repeats(rows, decision.ranking[PIPELINE].to_list())
    summary = tables.pipeline_summary(rows, golden, ranking)
    matrix = tables.fact_matrix(rows, golden, ranking)
    comparisons = compare_all(settle(select_counted(rows), sampled), ranking)
    reached = decision.criteria
    state = tables.golden_state(golden, matrix)
    return Content(
        run=run,
        made_at=made_at,
        question=wording.question(run),
        lead=decision.sentence,
        points=tuple(wording.decision_points(decision)),
        figures=figures_of(summary, decision.ranking),
        decision=decision,
        steps=tuple(f"{step.title}. {step.gain}" for step in sentences.next_steps(rows, decision.subject)),
        summary=summary,
        comparisons=comparisons,
        criteria=reached,
        diagnoses=_diagnoses(rows),
        golden=(
            *wording.editors(run, made_of),
            *reviewed,
            *sentences.golden_sentences(state),
            *sentences.listed_sentences(run.listed_counts),
        ),
        unknown=(
            *wording.list_undecided(comparisons, reached),
            *wording.list_unknown(run, rows, summary, verified, _agreement(rows, labels)),
        ),
        measured=tuple(wording.list_measured(run, golden, verified, made_at)),
        matrix=matrix,
        rows=rows,
    )


def _with_repeats(rows: pl.DataFrame, ranking: Sequence[str]) -> list[str]:
    """The names in the rows in the order of the ranking, in which the repeats of a pipeline are that one."""
    names = rows.select(PIPELINE, whole(rows)[PIPELINE].alias("whole")).unique(PIPELINE, maintain_order=True)
    ranked = pl.DataFrame({"whole": ranking}, schema={"whole": pl.String})
    return ranked.join(names, on="whole", maintain_order="left_right")[PIPELINE].to_list()


def _agreement(rows: pl.DataFrame, labels: pl.DataFrame) -> Agreement | None:
    return agreement(rows, counting(labels)) if labels.height else None


def _diagnoses(rows: pl.DataFrame) -> tuple[DiagnosisPart, ...]:
    parts = ((each, rows.filter(pl.col(DIAGNOSIS) == each.value)) for each in Diagnosis)
    return tuple(_part(each, own) for each, own in parts if own.height)


def _part(diagnosis: Diagnosis, own: pl.DataFrame) -> DiagnosisPart:
    rules = [rule for rule in RULES if rule.diagnosis == diagnosis]
    return DiagnosisPart(
        diagnosis=diagnosis,
        verdict=rules[0].verdict,
        definition=DIAGNOSIS_DEFINITIONS[diagnosis],
        responses=own.height,
        examples=_examples(own),
    )


def _examples(own: pl.DataFrame) -> tuple[Example, ...]:
    most_certain = own.sort(CONFIDENCE, descending=True, nulls_last=True, maintain_order=True)
    chosen = most_certain.unique(QUESTION_ID, keep="first", maintain_order=True).head(EXAMPLES)
    columns = (QUESTION_ID, PIPELINE, QUESTION, ANSWER, FACT, RESPONSE, REASON)
    return tuple(Example(**row) for row in chosen.select(columns).iter_rows(named=True))
