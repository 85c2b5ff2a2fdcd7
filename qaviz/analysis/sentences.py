"""What a run's tables say, in sentences a decision can rest on. Pure: tables in, plain text out.

The sentences quote pipelines' names as they came, so they are text: never markdown, never HTML.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import polars as pl

from qaviz.analysis.comparison import QuestionScores, compare_scores, seen_from
from qaviz.analysis.numbers import MISSING, count, day, interval, join, out_of, p_value, plural, score
from qaviz.analysis.tables import GoldenState, ranked, score_column
from qaviz.loading.load_log import SAMPLE
from qaviz.model.classes import Diagnosis, Fault, Verdict
from qaviz.model.columns import DIAGNOSIS, FACTUAL_KNOWLEDGE, FAULT, PIPELINE, QUESTION_ID, VERDICT
from qaviz.model.records import Verified
from qaviz.stats import Decision, wilson

NO_FACT_SCORED = "No fact is scored: the golden dataset states none for these responses."

RIVALS_IN_WORDS = 2
"""Pipelines that are compared with the leading one in a sentence each; more are counted."""


def run_sentences(
    matrix: pl.DataFrame, summary: pl.DataFrame, rows: pl.DataFrame, pipelines: Sequence[str]
) -> list[str]:
    """What a run says, a sentence each, the one that decides first: facts, verdicts, how far to trust them, style.

    From `tables.fact_matrix` and `tables.pipeline_summary` of the run, its rows, and its pipelines in its order.
    """
    others = (verdict_sentence(rows, pipelines), trust_sentence(rows), style_sentence(summary))
    return [*facts_sentences(matrix, summary), *filter(None, others)]


def facts_sentences(matrix: pl.DataFrame, summary: pl.DataFrame) -> list[str]:
    """Which pipeline states more facts, and whether that is more than chance; the leading sentence first.

    From `tables.fact_matrix` and `tables.pipeline_summary` of a run.
    """
    ranking = ranked(summary).filter(pl.col("fact_scored") > 0)
    if ranking.is_empty():
        compared = summary["closeness_n"].sum() > 0
        return [NO_FACT_SCORED + (" Closeness still compares them." if compared else "")]
    leader, *rivals = ranking[PIPELINE].to_list()
    if not rivals:
        return [_alone(ranking.row(0, named=True))]
    pairs = _against_others(matrix, summary[PIPELINE].to_list(), leader)
    sentences = [_with_figures(pairs[rival]) for rival in rivals[:RIVALS_IN_WORDS]]
    return sentences + ([_ahead_of(leader, list(pairs.values()))] if len(rivals) > RIVALS_IN_WORDS else [])


def _against_others(matrix: pl.DataFrame, pipelines: Sequence[str], leader: str) -> dict[str, dict[str, Any]]:
    """What is known of the leader's facts against each other pipeline's, corrected over all pairs of the run."""
    scores = QuestionScores(
        question_ids=matrix[QUESTION_ID],
        pipelines=tuple(pipelines),
        values={FACTUAL_KNOWLEDGE: matrix.select(map(score_column, pipelines)).to_numpy()},
    )
    compared = compare_scores(scores, list(combinations(pipelines, 2)))
    rows = compared.filter((pl.col("first") == leader) | (pl.col("second") == leader)).iter_rows(named=True)
    seen = [seen_from(row, leader) for row in rows]
    return {row["second"]: row for row in seen}


def _with_figures(row: Mapping[str, Any]) -> str:
    """The sentence of a comparison, and its p-value for who knows what that is."""
    if row["p"] is None:
        return str(row["sentence"])
    corrected = "" if row["p"] == row["p_holm"] else f"; counting all pairs {p_value(row['p_holm'])}"
    return f"{row['sentence']} By chance: {p_value(row['p'])}{corrected}."


def _alone(pipeline: dict[str, Any]) -> str:
    stated = out_of(pipeline["fact_hits"], pipeline["fact_scored"])
    expected = interval(pipeline["low"], pipeline["high"])
    return f"{pipeline[PIPELINE]} states {stated} facts; over many questions like these, {expected} is likely."


def _ahead_of(leader: str, pairs: Sequence[Mapping[str, Any]]) -> str:
    beaten = sum(row["decision"] == Decision.BETTER.value for row in pairs)
    if not beaten:
        return f"{leader} is ahead of none of the {count(len(pairs))} others by more than chance."
    return f"{leader} is ahead of {out_of(beaten, len(pairs))} others by more than chance, counting all pairs."


def verdict_sentence(rows: pl.DataFrame, pipelines: Sequence[str]) -> str:
    """Which pipeline is right most often by diagnosis: right answers in other words count, accidental matches not.

    Pipelines without a response that could be judged are named at the end.
    """
    right = (
        rows.select(PIPELINE, VERDICT)
        .filter(pl.col(VERDICT) != Verdict.UNSURE.value)
        .group_by(PIPELINE)
        .agg((pl.col(VERDICT) == Verdict.CORRECT.value).sum().alias("right"), pl.len().alias("judged"))
        .with_columns(share=pl.col("right") / pl.col("judged"))
    )
    judged = pl.DataFrame({PIPELINE: list(pipelines)}).join(right, on=PIPELINE, maintain_order="left")
    if judged.is_empty():
        return "No response could be judged."
    known = set(judged[PIPELINE])
    return f"{_right_of(judged)}{_nobody_judged([name for name in pipelines if name not in known])}"


def _right_of(judged: pl.DataFrame) -> str:
    best, *others = judged.sort("share", descending=True, maintain_order=True).iter_rows(named=True)
    says = f"Judged by diagnosis, {best[PIPELINE]} answers {out_of(best['right'], best['judged'])} correctly"
    if not others:
        low, high = wilson(best["right"], best["judged"])
        return f"{says}; over many questions like these, {interval(low, high)} is likely."
    # One that is left over is named rather than counted.
    named = others if len(others) == RIVALS_IN_WORDS + 1 else others[:RIVALS_IN_WORDS]
    shown = [f"{each[PIPELINE]} {out_of(each['right'], each['judged'])}" for each in named]
    rest = len(others) - len(shown)
    return f"{says}, {', '.join(shown)}" + (f", the other {count(rest)} no more." if rest else ".")


def _nobody_judged(pipelines: Sequence[str]) -> str:
    if not pipelines:
        return ""
    some = list(pipelines[:RIVALS_IN_WORDS])
    more = [f"{count(len(pipelines) - len(some))} more"] if len(pipelines) > len(some) else []
    return f" No response of {join(some + more)} could be judged."


def trust_sentence(rows: pl.DataFrame) -> str | None:
    """How often the string match of Factual Knowledge says something else than the diagnosis.

    None where no fact is scored.
    """
    scored = rows[DIAGNOSIS].filter(rows[FACTUAL_KNOWLEDGE].is_not_null())
    if scored.is_empty():
        return None
    narrow, accidental = (
        scored.filter(scored == each.value).len() for each in (Diagnosis.REPHRASED, Diagnosis.ACCIDENTAL)
    )
    if not narrow + accidental:
        return "The diagnoses find no response that Factual Knowledge misreads."
    parts = [f"{plural(narrow, 'right answer')} in other words"] if narrow else []
    parts += [plural(accidental, "accidental match", "accidental matches")] if accidental else []
    return f"Factual Knowledge misreads {out_of(narrow + accidental, scored.len())} responses: {', '.join(parts)}."


def style_sentence(summary: pl.DataFrame) -> str | None:
    """Which pipelines are closest to the golden answers and most concise; None where no two differ, as scores read."""
    closest, closeness = _leading(summary, "closeness")
    concisest, conciseness = _leading(summary, "conciseness")
    close = f"the closest to the golden answers (closeness {closeness})"
    concise = f"the most concise (conciseness {conciseness})"
    if closest == concisest:
        return f"{_are(closest)} {close} and {concise}." if closest else None
    if not concisest:
        return f"{_are(closest)} {close}."
    return f"{_are(closest)} {close}, {join(concisest)} {concise}." if closest else f"{_are(concisest)} {concise}."


def _leading(summary: pl.DataFrame, column: str) -> tuple[list[str], str]:
    """The pipelines with the highest score, and the score, as it is written; no pipeline where all have the same."""
    scored = summary.drop_nulls(column)
    written = [score(value) for value in scored[column]]
    best = max(written, default=MISSING)
    leading = [name for name, each in zip(scored[PIPELINE], written, strict=True) if each == best]
    return (leading if len(leading) < len(written) else []), best


def _are(names: list[str]) -> str:
    return f"{join(names)} {'is' if len(names) == 1 else 'are'}"


def golden_sentences(state: GoldenState) -> list[str]:
    """What the run says about its golden dataset, the most urgent first."""
    of_all = plural(state.triplets, "triplet")
    said = [
        f"No pipeline states the fact of {out_of(state.never_stated, state.triplets)}: look at the question first."
        if state.never_stated
        else "",
        f"Every pipeline states the fact of {count(state.always_stated)}: these do not tell pipelines apart."
        if state.always_stated
        else "",
        f"{count(state.without_fact)} of {of_all} have no fact, so Factual Knowledge leaves them out."
        if state.without_fact
        else "",
        f"{count(state.without_answer)} of {of_all} have no golden answer." if state.without_answer else "",
    ]
    return list(filter(None, said)) or [f"None of {of_all} lacks an answer or a fact."]


def listed_in_words(listed_counts: Mapping[str, int]) -> str:
    """`unaligned (2), no fact (1,200)`: kinds of entries with their number; empty where there is none."""
    return ", ".join(f"{kind} ({count(rows)})" for kind, rows in listed_counts.items() if rows)


def listed_sentences(listed_counts: Mapping[str, int]) -> list[str]:
    """What loading listed, by kind: `Listed when loading: unaligned (2), duplicate (1).`"""
    kinds = listed_in_words(listed_counts)
    said = [f"Listed when loading: {kinds}."] if kinds else []
    return [_SAMPLED, *said] if listed_counts.get(SAMPLE) else said


_SAMPLED = "FMEval scored its fixed sample of 100 or 300 questions, not all: Load data lists which."


def verified_sentence(verified: Verified, responses: int) -> str:
    """What the verification of a run with so many responses came to, and when."""
    some = f"a sample of {count(verified.compared)} of " if verified.compared < responses else ""
    found = (
        "no difference" if not verified.differences else plural(verified.differences, "score differs", "scores differ")
    )
    return (
        f"Scores verified with FMEval {verified.version} on {day(verified.verified_at)}: "
        f"{some}{plural(responses, 'response')}, {found}."
    )


def lacking_sentence(scores: int) -> str:
    """Say that so many scores of FMEval's have nothing beside them in the run."""
    return f"{plural(scores, 'score')} that FMEval gives and the run does not have: not compared."


@dataclass(frozen=True, kw_only=True)
class Step:
    """Something worth doing next, and the responses it is about."""

    title: str
    fault: Fault
    """Where the cause is looked for."""
    responses: int
    diagnosis: Diagnosis
    pipeline: str | None
    """The pipeline it is about; None where it is about the golden dataset and so about all."""


_TITLES = {
    Diagnosis.HALLUCINATION: "Check what {pipeline} retrieved where it states another value: {responses}",
    Diagnosis.OFF_TARGET: "See why {pipeline} misses the question: {responses}",
    Diagnosis.DECLINED: "Check whether {pipeline} retrieves the passage where it declines: {responses}",
    Diagnosis.VERBOSE: "Ask {pipeline} for shorter answers: {responses}",
    Diagnosis.REPHRASED: "Add the wordings of right answers to the facts: {responses}",
    Diagnosis.ACCIDENTAL: "Make facts longer that match by accident: {responses}",
    Diagnosis.UNSCORED: "Complete what could not be scored: {responses}",
}


def next_steps(rows: pl.DataFrame, most: int = 3) -> list[Step]:
    """The steps that concern most responses; one is about the golden dataset wherever it has any fault.

    A pipeline's fault is counted for the pipeline that has it most, the golden dataset's over all pipelines.
    """
    faults = (
        rows.select(DIAGNOSIS, FAULT, PIPELINE)
        .filter(pl.col(FAULT) != Fault.NOBODY.value, pl.col(DIAGNOSIS) != Diagnosis.CORRECT.value)
        .group_by(DIAGNOSIS, FAULT, PIPELINE, maintain_order=True)
        .agg(pl.len().alias("responses"))
    )
    steps = [_step(Diagnosis(name), group) for (name,), group in faults.group_by(DIAGNOSIS, maintain_order=True)]
    steps.sort(key=lambda step: -step.responses)
    golden = [step for step in steps if step.pipeline is None]
    chosen = steps[:most]
    if golden and golden[0] not in chosen:
        chosen[-1] = golden[0]
    return chosen


def _step(diagnosis: Diagnosis, group: pl.DataFrame) -> Step:
    fault = Fault(group[FAULT][0])
    shared = fault in (Fault.GOLDEN, Fault.METRIC, Fault.DATA)
    by_pipeline = group.group_by(PIPELINE, maintain_order=True).agg(pl.sum("responses"))
    worst = by_pipeline.sort("responses", descending=True, maintain_order=True).row(0, named=True)
    pipeline = None if shared else worst[PIPELINE]
    responses = int(by_pipeline["responses"].sum()) if shared else worst["responses"]
    title = _TITLES[diagnosis].format(pipeline=pipeline, responses=plural(responses, "response"))
    return Step(title=title, fault=fault, responses=responses, diagnosis=diagnosis, pipeline=pipeline)
