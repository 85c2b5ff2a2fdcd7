"""Closed sets of values: diagnoses, verdicts, faults, and what a criterion measures."""

from enum import StrEnum


class Diagnosis(StrEnum):
    """The class of one response."""

    CORRECT = "correct"
    VERBOSE = "verbose"
    REPHRASED = "rephrased-correct"
    HALLUCINATION = "hallucination"
    ACCIDENTAL = "accidental match"
    OFF_TARGET = "off target"
    DECLINED = "declined"
    UNSCORED = "unscored"


class Verdict(StrEnum):
    """What a diagnosis says of the answer."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    DECLINED = "declined"
    UNSURE = "unsure"


class Fault(StrEnum):
    """Who is to mend what a response lacks; null where nobody is, and where nothing proves who is."""

    RETRIEVER = "retriever"
    GENERATOR = "generator"
    DOCUMENTS = "documents"
    GOLDEN = "golden dataset"
    METRIC = "metric"


VERDICT_OF = {
    **dict.fromkeys((Diagnosis.CORRECT, Diagnosis.VERBOSE, Diagnosis.REPHRASED), Verdict.CORRECT),
    **dict.fromkeys((Diagnosis.HALLUCINATION, Diagnosis.ACCIDENTAL, Diagnosis.OFF_TARGET), Verdict.INCORRECT),
    Diagnosis.DECLINED: Verdict.DECLINED,
    Diagnosis.UNSCORED: Verdict.UNSURE,
}
"""The verdict of each diagnosis, unless its rule says `unsure`."""


class Measure(StrEnum):
    """What an acceptance criterion is about: a share of a pipeline's responses, or a mean of their scores."""

    CORRECT = "right answers"
    FACTS_STATED = "facts stated"
    CLOSENESS = "closeness"
    CONCISENESS = "conciseness"
    HALLUCINATIONS = "hallucinations"
    DECLINED = "declined"
    RETRIEVED = "retrieved"
    RECIPROCAL_RANK = "reciprocal rank"
    NDCG = "nDCG"
    CONTEXT_PRECISION = "context precision"
    CONTEXT_RECALL = "context recall"
    CONTEXT_SUPPORT = "context support"
    LATENCY = "latency"
    """With COST the median over questions; of these four a criterion is `not_worse_by` a share than the baseline."""
    LATENCY_P95 = "latency p95"
    COST = "cost"
    COST_P95 = "cost p95"
    SCORE = "score"
    """The mean of a score, from 0 to 1, that came with the responses or that a function of the user's gives."""
    CERTIFIED = "certified"
    """The share of the automatic verdicts that is wrong, as people's labels certify it."""

    @property
    def more_is_better(self) -> bool:
        """Whether a criterion asks for at least so much, rather than at most."""
        lower = (Measure.HALLUCINATIONS, Measure.DECLINED, Measure.CERTIFIED)
        return self not in lower and not self.is_expense

    @property
    def is_expense(self) -> bool:
        """Whether it is a time or a cost, which is measured against a baseline alone."""
        return self in (Measure.LATENCY, Measure.LATENCY_P95, Measure.COST, Measure.COST_P95)


def measure_of(name: str) -> Measure:
    """The measure of this name; SCORE for a name that is a score's."""
    return Measure(name) if name in set(Measure) else Measure.SCORE
