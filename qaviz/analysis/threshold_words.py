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
        help="Without the fact, an answer at least this close reads as a hallucination: all is there but the fact.",
    ),
    "low_conciseness": ThresholdWords(
        label="Wordy below", help="A correct response less concise than this is verbose."
    ),
    "accidental_context": ThresholdWords(
        label="Accidental up to",
        help="A stated fact with no more of the golden answer around it than this counts as an accidental match.",
    ),
    "same_meaning": ThresholdWords(
        label="Same meaning from",
        help="Where words leave it open, a response with at least this BERTScore is right. It needs BERTScores.",
    ),
    "unsure_below": ThresholdWords(
        label="Unsure below",
        help="A verdict with which people agree less probably than this is unsure: neither right nor wrong.",
    ),
    "open_below": ThresholdWords(
        label="Open below",
        help="Below this probability the word of a judge or a person decides the response.",
    ),
}
"""By the name of its field in `model.Thresholds`."""
