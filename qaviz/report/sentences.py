"""The sentences of the decision report: question, decision, next steps, what is not known, how it was measured."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime

import polars as pl

from qaviz import __version__, stats
from qaviz.analysis import sentences
from qaviz.analysis.comparison import MANY_MORE, METRIC, ComparedRow, is_within_error, metric_label
from qaviz.analysis.decision import Decision, word_impact, word_override
from qaviz.analysis.glossary import THRESHOLD_WORDS
from qaviz.analysis.labels import Certificate, agreement_lead, word_certificate
from qaviz.analysis.numbers import count, moment, out_of, plural, score
from qaviz.analysis.outcomes import SEED
from qaviz.analysis.policy import Outcome
from qaviz.analysis.sentences import verified_sentence
from qaviz.contexts.funnel import word_loss
from qaviz.diagnosis.agreement import Agreement
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
from qaviz.model.records import Override, Run, Verified

NAMED = 3
"""Pipelines and pairs that a sentence names; more are counted."""


def list_points(decision: Decision, override: Override | None, certificate: Certificate) -> Iterator[str]:
    """What stands under the decision: what a person decided instead, status, effect, confidence, reasons, risk, and
    what would settle it."""
    if override:
        yield word_override(override)
    yield f"Status: {decision.status}. {decision.status_reason}"
    if impact := word_impact(decision.subject, decision.impact):
        yield impact
    if decision.confidence:
        yield f"Confidence: {decision.confidence}. {decision.confidence_reason}"
    yield from decision.reasons
    yield from (f"Doubt of loading: {doubt}." for doubt in decision.doubts)
    if decision.risk:
        yield f"Biggest risk: {decision.risk.sentence}"
    yield decision.settling
    if decision.effort:
        yield decision.effort
    yield decision.trust
    if certificate.certified:
        yield word_certificate(certificate)


def list_steps(counted: pl.DataFrame, rows: pl.DataFrame, decision: Decision, labels: pl.DataFrame) -> Iterator[str]:
    """What to do next: by the decision, then where its pipeline loses most, then what concerns most responses."""
    if decision.next_step != decision.settling:
        yield decision.next_step
    if lost := word_loss(counted, decision.subject):
        yield lost
    yield from (f"{step.title}." for step in sentences.next_steps(rows, decision.subject, labels=labels))


def ask_question(run: Run) -> str:
    """What the report helps to decide."""
    names, questions = run.pipelines, plural(run.questions, "question")
    if len(names) == 1:
        return f"Is {names[0]} good enough, judged by {questions}?"
    if len(names) > NAMED:
        return f"Which of {count(len(names))} pipelines is best, judged by {questions}?"
    return f"Which is best, judged by {questions}: {', '.join(names[:-1])} or {names[-1]}?"


def list_unknown(run: Run, rows: pl.DataFrame, verified: Verified | None, agreed: Agreement | None) -> Iterator[str]:
    """What the run leaves open of its responses and of their scores, a sentence each."""
    with_text = pl.col(c.RESPONSE).fill_null("").str.strip_chars() != ""
    unsure = rows.filter(with_text, pl.col(c.VERDICT) == Verdict.UNSURE.value).height
    if unsure:
        yield f"Whether {out_of(unsure, rows.height)} responses are right: their verdict is unsure."
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
    yield from _list_open_pairs(comparisons)
    open_criteria = criteria.filter(pl.col("outcome") == Outcome.NOT_SHOWN.value)
    if criteria.is_empty():
        yield "Which pipeline is good enough: this workspace has no acceptance criteria."
    elif open_criteria.height:
        yield (
            f"Whether {out_of(open_criteria.height, criteria.height)} acceptance criteria are met: not shown with this "
            "many questions."
        )


def _list_open_pairs(comparisons: pl.DataFrame) -> Iterator[str]:
    facts = comparisons.filter(pl.col(METRIC) == c.VERDICT, pl.col("paired") > 0)
    settled = (stats.Compared.BETTER, stats.Compared.WORSE, stats.Compared.LEVEL)
    open_pairs = facts.filter(~pl.col("decision").is_in([word.value for word in settled]))
    if open_pairs.is_empty():
        return
    yield (
        f"Which pipeline has more right answers: not settled for {out_of(open_pairs.height, facts.height)} "
        f"{'pair' if facts.height == 1 else 'pairs'}."
    )
    needed = open_pairs.filter(pl.col("needed") <= MANY_MORE).head(NAMED)
    for pair in c.typed_rows(needed, ComparedRow):
        labels = " and labels of both" if is_within_error(pair) else ""
        yield (
            f"To tell {pair['first']} from {pair['second']} by {metric_label(c.VERDICT).lower()}, about "
            f"{plural(pair['needed'] or 0, 'more question')}{labels} would be needed if the difference stays."
        )


def list_measured(
    run: Run, golden: pl.DataFrame, verified: Verified | None, made_at: datetime
) -> Iterator[tuple[str, str]]:
    """How the figures came about: what, of which version, with which thresholds."""
    yield "Run", f"{run.name} ({run.run_id})"
    yield "Scored", f"{moment(run.created_at)} by {run.scorer}"
    yield "Judge", f"{run.judge}, where a verdict is unsure" if run.judge else "none"
    yield "Scores verified", verified_sentence(verified, run.responses) if verified else "not yet"
    yield "Golden dataset", f"version {run.golden_id}, {plural(golden.height, 'triplet')}"
    yield "Responses", f"{count(run.responses)} of {plural(len(run.pipelines), 'pipeline')}"
    yield "Files", ", ".join(run.sources)
    for name, value in asdict(run.thresholds).items():
        yield f"Threshold: {THRESHOLD_WORDS[name].label}", f"{score(value)}. {THRESHOLD_WORDS[name].help}"
    yield "Comparisons", f"paired by question; resamples drawn with seed {SEED}"
    yield "Decision pack", f"{moment(made_at)} by qaviz {__version__}"
