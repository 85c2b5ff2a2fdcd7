"""What the words on the pages mean, and what each threshold decides. Scores and diagnoses have their texts where they
are defined.
"""

from collections.abc import Mapping
from typing import NamedTuple

from qaviz.model.classes import VERDICT_OF, Diagnosis
from qaviz.model.metrics import METRICS

DIAGNOSIS_DEFINITIONS = {
    Diagnosis.CORRECT: "The fact is stated.",
    Diagnosis.VERBOSE: "The fact is stated, with many more words than the golden answer has.",
    Diagnosis.REPHRASED: "The fact is stated in other units, another date format or other words: it needs a variant.",
    Diagnosis.HALLUCINATION: "A different value from the golden one, or all the golden words without the fact.",
    Diagnosis.ACCIDENTAL: "The fact's letters occur inside a larger number or word, but not its meaning.",
    Diagnosis.OFF_TARGET: "Nothing in the response means the fact.",
    Diagnosis.DECLINED: "The response gives no answer.",
    Diagnosis.UNSCORED: "No response, or no golden answer and fact to judge it by.",
}
"""When a response is diagnosed so, a sentence each."""

WORDS = {
    "golden dataset": "The ground truth: one triplet a row. It has versions; each edit makes a new one.",
    "triplet": "A question, its golden answer, and its fact.",
    "golden answer": "The right answer, written out. Closeness and conciseness compare a response with its words.",
    "fact": "What a right response has to state. Variants are alternatives, any of which is enough.",
    "pipeline": "A system that answers questions: a RAG configuration, a model, an agent.",
    "response": "What one pipeline answered to one question.",
    "run": "A version of a golden dataset with the responses of its pipelines, scored. It never changes.",
    "label": "What a person says of a response: correct, incorrect or declined. It takes the place of the verdict.",
    "judge": "A language model that grades responses by a rubric, where the verdict is unsure.",
    "finding": "Something wrong with a triplet; a suggestion is one edit that would mend it.",
    "acceptance criterion": "A bound that a pipeline has to meet, such as 90% right answers, before it may ship.",
    "gate": "The check whether a new run is worse than the one before, or misses a criterion.",
}
MEASURES = {
    "right answers": "Responses whose verdict is correct: the measure that decides. An unsure verdict counts half.",
    "facts stated": "The share of responses that contain the fact, which FMEval calls Factual Knowledge.",
    "verdict": "What the diagnosis says of a response: correct, incorrect, declined or unsure.",
    "unsure": "The evidence does not decide. A judge or a person has to.",
    "confidence": "The probability that a person agrees with a verdict.",
    "fault": "Who is to mend it, where contexts prove it: retriever, generator, documents, golden dataset, metric.",
}
STATISTICS = {
    "95% interval": "The range that holds the true value for many questions like these in 95 of 100 such evaluations.",
    "paired difference": "The difference of two pipelines on the questions that both answered.",
    "beyond noise": "A change larger than chance would make; which is also called statistically significant.",
    "corrected by labels": "A share estimated from all verdicts and the labels of a random sample (PPI++).",
    "random sample": "Responses drawn by chance. Only labels of such responses may correct a share.",
    "Cohen's kappa": "Agreement, corrected for luck: 0 is what luck gives, 1 is full.",
    "p": "The probability of a difference at least this large if there were none.",
}


class ThresholdWords(NamedTuple):
    """How one threshold is shown."""

    label: str
    help: str


_THRESHOLDS = {
    "high_closeness": (
        "Close from",
        "A response without the fact whose closeness is at least this is a hallucination.",
    ),
    "low_conciseness": ("Wordy below", "A correct response whose conciseness is below this is verbose."),
    "accidental_context": (
        "Accidental up to",
        "A stated fact with at most this share of the golden answer's other words is an accidental match.",
    ),
    "same_meaning": (
        "Same meaning from",
        "If its words do not decide, a response with at least this BERTScore is right. Needs BERTScores.",
    ),
    "unsure_below": ("Unsure below", "A verdict is unsure if the probability that a person agrees is below this."),
    "open_below": ("Open below", "Below this probability, a judge or a person decides."),
}
THRESHOLD_WORDS = {name: ThresholdWords(*words) for name, words in _THRESHOLDS.items()}
"""By the name of its field in `model.Thresholds`."""

MEANINGS: Mapping[str, str] = {
    **WORDS,
    **MEASURES,
    **{kind.value: f"{when} Verdict: {VERDICT_OF[kind].value}." for kind, when in DIAGNOSIS_DEFINITIONS.items()},
    **{metric.label: f"{metric.help} In files: {metric.name}." for metric in METRICS.values()},
    **{words.label: words.help for words in THRESHOLD_WORDS.values()},
    **STATISTICS,
}
"""What every word that is explained means."""


def explain(name: str) -> str:
    """What this word means. Raises KeyError for one that is not explained."""
    return MEANINGS[name]
