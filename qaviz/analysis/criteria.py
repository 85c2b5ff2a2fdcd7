"""Acceptance criteria: what a pipeline has to reach before it ships, and whether it does: met, not met, or
not shown.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias, TypedDict

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from qaviz import stats
from qaviz.analysis.comparison import outcome
from qaviz.analysis.numbers import out_of, percent
from qaviz.analysis.tables import NO_RESPONSE
from qaviz.loading.doubts import read_doubts
from qaviz.loading.load_log import DOUBT
from qaviz.model.classes import Diagnosis, Measure, Verdict
from qaviz.model.columns import (
    ANSWER,
    CATEGORY,
    DIAGNOSIS,
    FACT,
    FACT_SCORES,
    FACTUAL_KNOWLEDGE,
    PIPELINE,
    PRECISION,
    QUESTION_ID,
    REASON,
    RECALL,
    TAGS,
    UNSCORED_ANSWER,
    UNSCORED_FACT,
    VERDICT,
)
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Criterion, Run
from qaviz.store import Workspace, kept_policy


class CriterionRow(TypedDict):
    """A row of `evaluate`: one criterion and pipeline."""

    measure: str
    """A `Measure`."""
    scope: str
    """The questions it is about, in words."""
    bound: float
    pipeline: str
    scored: int
    """Questions with a score, of how many `expected`."""
    expected: int
    value: float | None
    """Over the scored; None where there is none."""
    low: float | None
    """With `high`: between which the value for many questions like these lies at 95 %, whatever the questions without a
    score would have come to; None without a question."""
    high: float | None
    outcome: str
    """An `Outcome`."""
    sentence: str


_EVERY = "all questions"

CRITICAL = "critical"
"""The tag of questions that have to be right."""

CRITERIA = "criteria"
AT_LEAST, AT_MOST = "at_least", "at_most"
SCOPES = ("category", "tag")

_FORM = '[[criteria]] with measure = "right answers", at_least = 0.9 and, if it is not for all, category or tag'
_ENOUGH = 1_000_000
"""Bytes beyond which a file is no policy."""

WHY = "why"
_SCORED = "scored"


class Outcome(StrEnum):
    """What is known of a criterion."""

    MET = "met"
    NOT_MET = "not met"
    NOT_SHOWN = "not shown with this many questions"


_METRICS = {Measure.FACTS_STATED: FACTUAL_KNOWLEDGE, Measure.CLOSENESS: RECALL, Measure.CONCISENESS: PRECISION}
"""Measures that are means of scores; the others count diagnoses."""


def doubts_in_force(workspace: Workspace, run: Run) -> tuple[str, ...]:
    """What was doubtful when the run was loaded, a sentence each; QavizError if the run's list is damaged."""
    return read_doubts(workspace.read_listed(run)) if DOUBT in run.listed_counts else ()


def has_tag(tag: str) -> pl.Expr:
    """Whether a triplet has this tag, upper or lower case."""
    words = pl.col(TAGS).fill_null("").str.to_lowercase().str.split(";")
    return words.list.eval(pl.element().str.strip_chars()).list.contains(tag.strip().lower())


def in_scope(golden: pl.DataFrame, criterion: Criterion) -> pl.DataFrame:
    """The triplets that a criterion is about."""
    wanted = [pl.col(CATEGORY) == criterion.category] if criterion.category else []
    wanted += [has_tag(criterion.tag)] if criterion.tag else []
    return golden.filter(*wanted) if wanted else golden


def evaluate(
    rows: pl.DataFrame, golden: pl.DataFrame, pipelines: Sequence[str], criteria: Sequence[Criterion]
) -> pl.DataFrame:
    """Columns of CriterionRow, one row a criterion and pipeline, in their order.

    A criterion is met if all of the interval is, not met if none of it is. A bound of all or nothing is about these
    very questions: it is met if each of them meets it. What is missing is never met.
    """
    found = [row for each in criteria for row in _evaluate_criterion(rows, golden, pipelines, each)]
    return pl.DataFrame(found, schema=CriterionRow.__annotations__)


def _evaluate_criterion(
    rows: pl.DataFrame, golden: pl.DataFrame, pipelines: Sequence[str], criterion: Criterion
) -> Iterator[CriterionRow]:
    metric = _METRICS.get(criterion.measure, VERDICT)
    questions = select_scorable(in_scope(golden, criterion), metric).select(QUESTION_ID)
    scored = rows.select(QUESTION_ID, PIPELINE, _count_expression(criterion.measure).alias("score")).drop_nulls("score")
    by_question = scored.join(questions, on=QUESTION_ID).group_by(PIPELINE, QUESTION_ID).agg(pl.col("score").mean())
    scores = {name: own["score"].to_numpy() for (name,), own in by_question.group_by(PIPELINE)}
    for pipeline in pipelines:
        yield _evaluate_pipeline(pipeline, scores.get(pipeline, np.empty(0)), questions.height, criterion)


def _count_expression(measure: Measure) -> pl.Expr:
    if measure in _METRICS:
        return outcome(_METRICS[measure])
    if measure is Measure.CORRECT:
        return outcome(VERDICT)
    wanted = Diagnosis.HALLUCINATION if measure is Measure.HALLUCINATIONS else Diagnosis.DECLINED
    judged = pl.col(VERDICT) != Verdict.UNSURE.value
    return pl.when(judged).then((pl.col(DIAGNOSIS) == wanted.value).cast(pl.Float64))


def _evaluate_pipeline(
    pipeline: str, scores: NDArray[np.float64], questions: int, criterion: Criterion
) -> CriterionRow:
    scored = len(scores)
    low, high = stats.interval_of(scores)
    share = scored / questions if questions else 0.0
    # The questions without a score may all fail, or all pass.
    low, high = low * share, high * share + 1 - share
    row: CriterionRow = {
        "measure": criterion.measure.value,
        "scope": _word_scope(criterion),
        "bound": criterion.bound,
        PIPELINE: pipeline,
        "scored": scored,
        "expected": questions,
        "value": float(scores.mean()) if scored else None,
        "low": low if questions else None,
        "high": high if questions else None,
        "outcome": _find_outcome(scores, questions, low, high, criterion).value,
        "sentence": "",
    }
    return {**row, "sentence": _word_row(row)}


def _find_outcome(
    scores: NDArray[np.float64], questions: int, low: float, high: float, criterion: Criterion
) -> Outcome:
    bound, more = criterion.bound, criterion.measure.more_is_better
    if not questions:
        return Outcome.NOT_SHOWN
    if bound == float(more):
        if (scores != bound).any():
            return Outcome.NOT_MET
        return Outcome.MET if len(scores) == questions else Outcome.NOT_SHOWN
    if (low >= bound) if more else (high <= bound):
        return Outcome.MET
    return Outcome.NOT_MET if ((high < bound) if more else (low > bound)) else Outcome.NOT_SHOWN


def _word_scope(criterion: Criterion) -> str:
    words = [f"category {criterion.category}"] if criterion.category else []
    words += [f"tagged {criterion.tag}"] if criterion.tag else []
    return ", ".join(words) or _EVERY


def criterion_in_words(criterion: Criterion) -> str:
    """`facts stated, at least 90%, tagged critical`."""
    return f"{criterion.measure.value}, {word_bound(criterion.measure, criterion.bound)}, {_word_scope(criterion)}"


def in_words(row: CriterionRow) -> str:
    """A row of `evaluate` as what it asks: `hallucinations at most 5%, tagged critical`."""
    scope = "" if row["scope"] == _EVERY else f", {row['scope']}"
    return f"{row['measure']} {word_bound(Measure(row['measure']), row['bound'])}{scope}"


def word_bound(measure: Measure, bound: float) -> str:
    """`at least 90%`."""
    return f"{'at least' if measure.more_is_better else 'at most'} {percent(bound)}"


def _word_row(row: CriterionRow) -> str:
    asked = f"{word_bound(Measure(row['measure']), row['bound'])} required"
    subject = f"{row[PIPELINE]}, {row['measure']}, {row['scope']}"
    if not row["expected"]:
        return f"{subject}: no question in scope, so {asked} is not shown."
    if row["value"] is None:
        return f"{subject}: none of {row['expected']:,} is scored, so {asked} is not shown."
    likely = f"likely {percent(row['low'])} to {percent(row['high'])}"
    coverage = f"{out_of(row['scored'], row['expected'])} scored"
    return f"{subject}: {percent(row['value'])} ({likely}; {coverage}), {asked}: {row['outcome']}."


def read_policy(file: Path) -> tuple[Criterion, ...]:
    """The criteria of a .toml or .json file, in its order. Raises QavizError with every problem of the file."""
    try:
        text = file.read_bytes()
    except OSError as error:
        raise _unreadable(file, error.strerror or "a file that cannot be read") from error
    if len(text) > _ENOUGH:
        raise _unreadable(file, f"{len(text):,} bytes")
    try:
        said = orjson.loads(text) if file.suffix.lower() == ".json" else tomllib.loads(text.decode("utf-8"))
    except (orjson.JSONDecodeError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _unreadable(file, str(error).rstrip(".")) from error
    return criteria_of(said, file.name)


def criteria_of(said: object, where: str) -> tuple[Criterion, ...]:
    """The criteria of what a policy says, once parsed. Raises QavizError with every problem, named by its place."""
    listed = said.get(CRITERIA) if isinstance(said, Mapping) else None
    if not isinstance(listed, list) or not listed:
        raise _unreadable(Path(where), f"no list of {CRITERIA}")
    strange = [f'"{name}"' for name in said if name != CRITERIA] if isinstance(said, Mapping) else []
    problems = [Problem(where=where, found=name, expected=_FORM, fix="Remove it.") for name in strange]
    criteria = []
    for number, each in enumerate(listed, start=1):
        place = f"{where}, criterion {number}"
        found = list(_find_problems(each, place))
        problems += found
        if not found:
            criteria.append(_read_criterion(each))
    if problems:
        raise QavizError(*problems)
    return tuple(criteria)


def criteria_in_force(workspace: Workspace) -> tuple[Criterion, ...]:
    """The criteria that were saved with the workspace last; none if there never were any."""
    kept = kept_policy(workspace)
    listed = (kept or {}).get(CRITERIA)
    return criteria_of({CRITERIA: listed}, "the policy of the workspace") if listed else ()


def as_policy(criteria: Sequence[Criterion]) -> dict[str, list[dict[str, object]]]:
    """What `criteria_of` reads as these criteria: for JSON."""
    return {CRITERIA: [_as_entry(each) for each in criteria]}


def _as_entry(each: Criterion) -> dict[str, object]:
    scope = {"category": each.category, "tag": each.tag}
    bound = {AT_LEAST if each.measure.more_is_better else AT_MOST: each.bound}
    return {"measure": each.measure.value, **bound, **{name: value for name, value in scope.items() if value}}


_FORMER_NAMES = {"correct": Measure.CORRECT.value}
"""Measures under the names that older policies give them."""


_Entry: TypeAlias = Mapping[str, Any]
"""One criterion as a file has it, before it is checked: any fields with any values."""


def _read_measure(said: _Entry) -> str:
    measure = str(said.get("measure", ""))
    return _FORMER_NAMES.get(measure, measure)


def _find_problems(said: object, place: str) -> Iterator[Problem]:
    if not isinstance(said, Mapping):
        yield Problem(where=place, found=str(said), expected=_FORM, fix="Write it as a table.")
        return
    measures = [each.value for each in Measure]
    measure = _read_measure(said)
    if measure not in measures:
        found = f'the measure "{measure}"' if measure else "no measure"
        yield Problem(where=place, found=found, expected=", ".join(measures), fix="Name one of them.")
        return
    bound = AT_LEAST if Measure(measure).more_is_better else AT_MOST
    value = said.get(bound)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        found = f"{bound} = {value}" if bound in said else f"no {bound}"
        expected = f"{bound} from 0 to 1 for {measure}"
        yield Problem(where=place, found=found, expected=expected, fix="Write 0.9 for 90%.")
    for name in SCOPES:
        if name in said and not (isinstance(said[name], str) and said[name].strip()):
            yield Problem(
                where=place,
                found=f"{name} = {said[name]!r}",
                expected="a text",
                fix="Remove it to cover all questions.",
            )
    for name in said:
        if name not in ("measure", bound, *SCOPES):
            yield Problem(where=place, found=f'"{name}"', expected=_FORM, fix="Remove it.")


def _read_criterion(said: _Entry) -> Criterion:
    measure = Measure(_read_measure(said))
    bound = said[AT_LEAST if measure.more_is_better else AT_MOST]
    return Criterion(measure=measure, bound=float(bound), category=said.get("category"), tag=said.get("tag"))


def _unreadable(file: Path, found: str) -> QavizError:
    return QavizError(Problem(where=file.name, found=found, expected=_FORM, fix="Correct the file."))


def select_scorable(golden: pl.DataFrame, metric: str) -> pl.DataFrame:
    """The triplets of the golden dataset that this metric can score: those with a fact, or with an answer, or all."""
    if metric == VERDICT:
        return golden
    needed = FACT if metric in FACT_SCORES else ANSWER
    return golden.filter(pl.col(needed).fill_null("").str.strip_chars() != "")


def lacking(rows: pl.DataFrame, golden: pl.DataFrame, pipelines: Sequence[str], metric: str) -> pl.DataFrame:
    """The expected questions without this score: QUESTION_ID, PIPELINE and WHY, in the order of both.

    A pipeline lacks a question that it did not answer, and one whose response is not scored. None of them counts as
    passed anywhere.
    """
    why = REASON if metric == VERDICT else UNSCORED_FACT if metric in FACT_SCORES else UNSCORED_ANSWER
    scored = rows.select(QUESTION_ID, PIPELINE, outcome(metric).is_not_null().alias(_SCORED))
    of_these = pl.col(PIPELINE).is_in(list(pipelines))
    columns = pl.DataFrame({PIPELINE: list(pipelines)}, schema={PIPELINE: pl.String})
    wanted = select_scorable(golden, metric).select(QUESTION_ID).join(columns, how="cross", maintain_order="left_right")
    known = scored.filter(of_these, _SCORED)
    absent = wanted.join(known, on=[QUESTION_ID, PIPELINE], how="anti", maintain_order="left")
    unscored = rows.select(QUESTION_ID, PIPELINE, pl.col(why).alias(WHY)).filter(scored[_SCORED].not_(), of_these)
    said = unscored.unique([QUESTION_ID, PIPELINE], keep="first")
    found = absent.join(said, on=[QUESTION_ID, PIPELINE], how="left", maintain_order="left")
    return found.with_columns(pl.col(WHY).fill_null(NO_RESPONSE))
