"""What a run's tables say, in sentences a decision can rest on. Pure: tables in, plain text out.

The sentences quote pipelines' names as they came, so they are text: never markdown, never HTML.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import polars as pl

from qaviz.analysis.consistency import whole
from qaviz.analysis.numbers import count, day, out_of, plural
from qaviz.analysis.tables import GoldenState
from qaviz.loading.load_log import SAMPLE
from qaviz.model.classes import Diagnosis, Fault
from qaviz.model.columns import DIAGNOSIS, FACTUAL_KNOWLEDGE, FAULT, PIPELINE, QUESTION_ID
from qaviz.model.records import Verified


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
        return "Factual Knowledge misreads no response, by the diagnoses."
    parts = [f"{plural(narrow, 'right answer')} in other words"] if narrow else []
    parts += [plural(accidental, "accidental match", "accidental matches")] if accidental else []
    return f"Factual Knowledge misreads {out_of(narrow + accidental, scored.len())} responses: {', '.join(parts)}."


def golden_sentences(state: GoldenState) -> list[str]:
    """What the run says about its golden dataset, the most urgent first."""
    of_all = plural(state.triplets, "triplet")
    said = [
        f"{_facts(state.never_stated, state.triplets)} stated by no pipeline. Check those questions first."
        if state.never_stated
        else "",
        f"{_facts(state.always_stated, state.triplets)} stated by every pipeline, so they cannot separate pipelines."
        if state.always_stated
        else "",
        f"{count(state.without_fact)} of {of_all} have no fact, so Factual Knowledge excludes them."
        if state.without_fact
        else "",
        f"{count(state.without_answer)} of {of_all} have no golden answer." if state.without_answer else "",
    ]
    return list(filter(None, said)) or [f"All {of_all} have an answer and a fact."]


def _facts(some: int, of: int) -> str:
    """`15 of 63 facts are`."""
    return f"{out_of(some, of)} facts {'is' if some == 1 else 'are'}"


def listed_in_words(listed_counts: Mapping[str, int]) -> str:
    """`unaligned (2), no fact (1,200)`: kinds of entries with their number; empty where there is none."""
    return ", ".join(f"{kind} ({count(rows)})" for kind, rows in listed_counts.items() if rows)


def listed_sentences(listed_counts: Mapping[str, int]) -> list[str]:
    """What loading listed, by kind: `Listed when loading: unaligned (2), duplicate (1).`"""
    kinds = listed_in_words(listed_counts)
    said = [f"Listed when loading: {kinds}."] if kinds else []
    return [_SAMPLED, *said] if listed_counts.get(SAMPLE) else said


_SAMPLED = "FMEval scored only its fixed sample of 100 or 300 questions. Load data lists them."


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
    return f"Not compared: {plural(scores, 'score')} that FMEval computes and the run lacks."


@dataclass(frozen=True, kw_only=True)
class Step:
    """Something worth doing next, and the responses it is about."""

    title: str
    fault: Fault
    """Where the cause is."""
    responses: int
    diagnosis: Diagnosis
    pipeline: str | None
    """The pipeline it is about; None where it is about the golden dataset and so about all."""

    @property
    def gain(self) -> str:
        """What doing it gains at most."""
        many = plural(self.responses, "response")
        return _GAINS[self.diagnosis].format(responses=many, answers=plural(self.responses, "more right answer"))


_GAINS = {
    Diagnosis.HALLUCINATION: "Gains up to {answers}.",
    Diagnosis.OFF_TARGET: "Gains up to {answers}.",
    Diagnosis.DECLINED: "Gains up to {answers}.",
    Diagnosis.VERBOSE: "Shortens {responses}; they are right already.",
    Diagnosis.REPHRASED: "Facts stated then count {responses} that are right already.",
    Diagnosis.ACCIDENTAL: "Facts stated then no longer count {responses} that are wrong.",
    Diagnosis.UNSCORED: "Gives a verdict on {responses}.",
}


_TITLES = {
    Diagnosis.HALLUCINATION: "Check what {pipeline} retrieved where it states a wrong value: {responses}",
    Diagnosis.OFF_TARGET: "Check why {pipeline} misses the question: {responses}",
    Diagnosis.DECLINED: "Check whether {pipeline} retrieves the passage where it declines: {responses}",
    Diagnosis.VERBOSE: "Ask {pipeline} for shorter answers: {responses}",
    Diagnosis.REPHRASED: "Add the wording of right answers to the facts: {responses}",
    Diagnosis.ACCIDENTAL: "Lengthen the facts that match by accident: {responses}",
    Diagnosis.UNSCORED: "Add the data that scoring lacks: {responses}",
}


def next_steps(rows: pl.DataFrame, about: str, most: int = 3, edited: Collection[str] = frozenset()) -> list[Step]:
    """The steps that concern most responses; one is about the golden dataset wherever it has any fault.

    `about` is the pipeline that the decision is about: its own faults are counted, the golden dataset's over all
    pipelines. Advice on a pipeline that nobody would ship helps nobody. Questions whose triplet was `edited` since are
    done, as far as the golden dataset goes.
    """
    shared = pl.col(FAULT).is_in([each.value for each in _SHARED])
    faults = (
        whole(rows)
        .select(DIAGNOSIS, FAULT, PIPELINE, QUESTION_ID)
        .filter(
            pl.col(FAULT) != Fault.NOBODY.value,
            pl.col(DIAGNOSIS) != Diagnosis.CORRECT.value,
            (shared & ~pl.col(QUESTION_ID).is_in(list(edited))) | (~shared & (pl.col(PIPELINE) == about)),
        )
        .group_by(DIAGNOSIS, FAULT, maintain_order=True)
        .agg(pl.len().alias("responses"))
    )
    steps = [_step(about, **row) for row in faults.iter_rows(named=True)]
    steps.sort(key=lambda step: -step.responses)
    golden = [step for step in steps if step.pipeline is None]
    chosen = steps[:most]
    if golden and golden[0] not in chosen:
        chosen[-1] = golden[0]
    return chosen


_SHARED = (Fault.GOLDEN, Fault.METRIC, Fault.DATA)
"""Faults that no pipeline can mend."""


def _step(about: str, diagnosis: str, fault: str, responses: int) -> Step:
    kind, cause = Diagnosis(diagnosis), Fault(fault)
    title = _TITLES[kind].format(pipeline=about, responses=plural(responses, "response"))
    pipeline = None if cause in _SHARED else about
    return Step(title=title, fault=cause, responses=responses, diagnosis=kind, pipeline=pipeline)
