"""The sentences of a decision pack that no page has: its question, what is not known, how it was measured."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime

import polars as pl

from qaviz import __version__, stats
from qaviz.analysis import comparison
from qaviz.analysis.comparison_words import MANY_MORE, metric_label
from qaviz.analysis.criteria import Outcome
from qaviz.analysis.decision import Decision
from qaviz.analysis.glossary import THRESHOLD_WORDS
from qaviz.analysis.labels import agreement_lead
from qaviz.analysis.numbers import count, day, join, moment, out_of, plural, score
from qaviz.analysis.sentences import verified_sentence
from qaviz.diagnosis.agreement import Agreement
from qaviz.model.classes import Verdict
from qaviz.model.columns import PIPELINE, VERDICT
from qaviz.model.records import Run, Verified
from qaviz.store import GoldenVersion

NAMED_IN_A_QUESTION = 3
"""Pipelines that the question names; more are counted."""
LACKING_NAMED = 3
"""Pipelines of which it is said how many questions they left unanswered; more are counted."""
NEEDS_NAMED = 3
"""Pairs of which it is said how many questions would settle them."""

SIGN_OFF = (
    "Decision",
    "Decided by",
    "Pipelines evaluated by",
    "Golden dataset reviewed by",
    "Review date",
)
"""What is filled in by hand."""

SIGN_OFF_FIELDS = ("Name and role", "Date", "Signature")

HOW_TO_READ_CRITERIA = (
    "Met: the whole 95% interval meets the bound. Not met: none of it does. Not shown: it may be either with this "
    "many questions. Questions without a score count as failed at one end of the interval and as passed at the "
    "other. Bounds of 100% and 0% are about exactly these questions."
)
"""How to read the table of acceptance criteria."""

HOW_TO_COMPARE = (
    "Pipelines are compared on the questions that are scored for both. The difference is the first pipeline's mean "
    "minus the second's, with its 95% interval; shares in percentage points. "
    "p is the probability of a difference at least this large by chance; p (Holm) is corrected for the number of pairs."
)
"""How to read the table of comparisons."""


def question(run: Run) -> str:
    """What the pack helps to decide."""
    names, questions = run.pipelines, plural(run.questions, "question")
    if len(names) == 1:
        return f"Is {names[0]} good enough, judged by {questions}?"
    if len(names) > NAMED_IN_A_QUESTION:
        return f"Which of {count(len(names))} pipelines is best, judged by {questions}?"
    return f"Which is best, judged by {questions}: {', '.join(names[:-1])} or {names[-1]}?"


def decision_points(decision: Decision) -> Iterator[str]:
    """What the first page says under the decision: confidence, reasons, risk, what would settle it, trust."""
    yield f"Confidence: {decision.confidence}."
    yield from decision.reasons
    if decision.risk:
        yield f"Biggest risk: {decision.risk.sentence}"
    yield decision.settling
    if decision.effort:
        yield decision.effort
    yield decision.trust


def editors(run: Run, made_of: Sequence[GoldenVersion]) -> Iterator[str]:
    """Who edited the golden dataset up to the version of the run, and whether a newer one is there."""
    own = next((each.number for each in made_of if each.golden_id == run.golden_id), None)
    if own is None:
        return
    edited = [each for each in made_of if 1 < each.number <= own]
    if edited:
        people = join(list(dict.fromkeys(each.made_by or "somebody" for each in edited)))
        edits = plural(sum(each.edits for each in edited), "edit")
        yield f"Version {count(own)}: {edits} by {people}, the last on {day(edited[-1].made_at)}."
    else:
        yield "Version 1, as it was imported: nobody has edited it in qaviz."
    if made_of[-1].number > own:
        yield f"Version {count(made_of[-1].number)} is there; these figures are on version {count(own)}."


def list_unknown(
    run: Run, rows: pl.DataFrame, summary: pl.DataFrame, verified: Verified | None, agreed: Agreement | None
) -> Iterator[str]:
    """What the run leaves open of its responses and of their scores, a sentence each."""
    yield from _not_covered(rows, summary)
    if agreed is None:
        yield "Agreement of people with these verdicts: no response of this run is labelled."
    else:
        yield agreement_lead(agreed)
    if verified is None:
        yield "Whether the installed FMEval gives the same scores: this run is not verified yet."
    yield (
        f"Results on other kinds of questions: intervals cover questions like these {count(run.questions)}, "
        "not all that people will ask."
    )


def list_undecided(comparisons: pl.DataFrame, criteria: pl.DataFrame) -> Iterator[str]:
    """What the run does not settle: which pipeline is better, and which is good enough. A sentence each."""
    yield from _open_pairs(comparisons)
    open_criteria = criteria.filter(pl.col("outcome") == Outcome.NOT_SHOWN.value)
    if criteria.is_empty():
        yield "Which pipeline is good enough: this workspace has no acceptance criteria."
    elif open_criteria.height:
        yield (
            f"Whether {out_of(open_criteria.height, criteria.height)} acceptance criteria are met: not shown with this "
            "many questions."
        )


def _open_pairs(comparisons: pl.DataFrame) -> Iterator[str]:
    facts = comparisons.filter(pl.col(comparison.METRIC) == VERDICT, pl.col("paired") > 0)
    open_pairs = facts.filter(
        pl.col("decision").is_in([stats.Decision.NO_CLEAR_DIFFERENCE.value, stats.Decision.TOO_FEW_QUESTIONS.value])
    )
    if open_pairs.is_empty():
        return
    yield (
        f"Which pipeline has more right answers: not settled for {out_of(open_pairs.height, facts.height)} "
        f"{'pair' if facts.height == 1 else 'pairs'}."
    )
    for pair in open_pairs.filter(pl.col("needed") <= MANY_MORE).head(NEEDS_NAMED).iter_rows(named=True):
        yield (
            f"To tell {pair['first']} from {pair['second']} by {metric_label(VERDICT).lower()}, about "
            f"{plural(pair['needed'], 'more question', 'more questions')} would be needed if the difference stays."
        )


def _not_covered(rows: pl.DataFrame, summary: pl.DataFrame) -> Iterator[str]:
    lacking = summary.filter(pl.col("answered") < pl.col("expected"))
    for pipeline in lacking.head(LACKING_NAMED).iter_rows(named=True):
        missing = pipeline["expected"] - pipeline["answered"]
        yield f"What {pipeline[PIPELINE]} says to {out_of(missing, pipeline['expected'])} questions: it gave no answer."
    if lacking.height > LACKING_NAMED:
        yield f"The same of {plural(lacking.height - LACKING_NAMED, 'other pipeline')} that left questions unanswered."
    unsure = rows.filter(pl.col(VERDICT) == Verdict.UNSURE.value).height
    if unsure:
        yield f"Whether {out_of(unsure, rows.height)} responses are right: their verdict is unsure."


def list_measured(
    run: Run, golden: pl.DataFrame, verified: Verified | None, made_at: datetime
) -> Iterator[tuple[str, str]]:
    """How the figures came about: what, of which version, with which thresholds."""
    yield "Run", f"{run.name} ({run.run_id})"
    yield "Scored", f"{moment(run.created_at)} by {run.scorer}"
    yield "Judge", f"{run.judge}, where the rules leave a verdict open" if run.judge else "none"
    yield "Scores verified", verified_sentence(verified, run.responses) if verified else "not yet"
    yield "Golden dataset", f"version {run.golden_id}, {plural(golden.height, 'triplet')}"
    yield "Responses", f"{count(run.responses)} of {plural(len(run.pipelines), 'pipeline')}"
    yield "Files", ", ".join(run.sources)
    for name, value in asdict(run.thresholds).items():
        yield f"Threshold: {THRESHOLD_WORDS[name].label}", f"{score(value)}. {THRESHOLD_WORDS[name].help}"
    yield "Comparisons", f"paired by question; resamples drawn with seed {comparison.SEED}"
    yield "Decision pack", f"{moment(made_at)} by qaviz {__version__}"
