"""What the thresholds are called, and what each decides: the home of all texts about them."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ThresholdWords:
    """How one threshold is shown."""

    label: str
    help: str


THRESHOLD_WORDS: Mapping[str, ThresholdWords] = {
    "high_closeness": ThresholdWords(
        label="Close from",
        help="A response without the fact whose closeness is at least this is a hallucination.",
    ),
    "low_conciseness": ThresholdWords(
        label="Wordy below", help="A correct response whose conciseness is below this is verbose."
    ),
    "accidental_context": ThresholdWords(
        label="Accidental up to",
        help="A stated fact with at most this share of the golden answer's other words is an accidental match.",
    ),
    "same_meaning": ThresholdWords(
        label="Same meaning from",
        help="If its words do not decide, a response with at least this BERTScore is right. Needs BERTScores.",
    ),
    "unsure_below": ThresholdWords(
        label="Unsure below",
        help="A verdict is unsure if the probability that a person agrees is below this.",
    ),
    "open_below": ThresholdWords(
        label="Open below",
        help="Below this probability, a judge or a person decides.",
    ),
}
"""By the name of its field in `model.Thresholds`."""
