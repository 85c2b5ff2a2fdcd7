"""The catalogue of metrics: what each score is called, asks, and may be read as. The home of all texts about metrics.

To add a metric: give it a column in `qaviz.model`, compute it in `qaviz.scoring`, and describe it below.
"""

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from qaviz.model import columns as c


@dataclass(frozen=True)
class Band:
    """A stretch of a metric's range that is read the same way."""

    low: float
    """The band begins here and ends where the next one begins."""
    reading: str


@dataclass(frozen=True)
class Guide:
    """How one of FMEval's metrics is computed and read: docs/metrics.md and the pages' help are made of it."""

    definition: str
    """How FMEval computes it."""
    high_and_wrong: str
    low_and_right: str
    remedy: str
    """What to do where it misleads."""
    examples: tuple[tuple[str, str], ...]
    """Responses of the sample that mislead, each as (question_id, pipeline)."""


@dataclass(frozen=True, kw_only=True)
class Metric:
    """How one score is shown and read."""

    name: str
    """FMEval's name, which is the column's; our own where FMEval has none."""
    label: str
    """What people see."""
    question: str
    """What the score answers."""
    low: float = 0.0
    high: float = 1.0
    bands: tuple[Band, ...]
    """From the lowest up; together they cover the range."""
    caveat: str
    """Where the score misleads."""
    guide: Guide | None = None
    """For FMEval's own metrics."""
    compute: Callable[[pl.DataFrame], pl.Series] | None = None
    """For a metric of an installed package (entry points `qaviz.metrics`): from rows with question, answer, fact,
    response and contexts to a number each, null where there is none. None for those that qaviz computes."""

    @property
    def help(self) -> str:
        """The help line: question, range and caveat, in words that need no statistics."""
        return f"{self.question} From {self.low:g} to {self.high:g}. {self.caveat}"

    def reading(self, value: float) -> str:
        """What a value of this metric says: the reading of its band."""
        return [band.reading for band in self.bands if band.low <= value][-1]


_ABSENT_OR_STATED = (Band(0.0, "the fact is absent"), Band(1.0, "the fact is stated"))
_DIFFERENT_OR_SAME = (Band(0.0, "another text"), Band(1.0, "the same text"))

_CATALOGUE = (
    Metric(
        name=c.FACTUAL_KNOWLEDGE,
        label="Fact stated",
        question="Does the response contain the golden fact, letter for letter (case ignored)?",
        bands=_ABSENT_OR_STATED,
        caveat="A right answer in other words scores 0; a fact inside a longer number (12% in 112%) scores 1.",
        guide=Guide(
            definition=(
                "1 if some variant of the fact stands in the response, both in lower case, else 0. The fact is "
                "split at `<OR>`, and one variant is enough; at `<AND>` every variant is needed. Nothing is "
                "stripped, and no word boundary is asked for."
            ),
            high_and_wrong=(
                'The letters stand inside something else: `158 million` in "2,158 million", a number in a '
                "document's id. qaviz calls it an accidental match."
            ),
            low_and_right=(
                'The fact is there in other words, another date format or another unit: "≈ $50.07 billion" for '
                "50,067 million. qaviz calls it right, not credited."
            ),
            remedy=(
                "Give the fact each form that people accept, joined by `<OR>`; Golden dataset proposes them. "
                "Never leave a variant empty: it stands in every text."
            ),
            examples=(("rivian-shares", "Pipeline2"),),
        ),
    ),
    Metric(
        name=c.FACTUAL_KNOWLEDGE_QUASI_EXACT,
        label="Fact, loosely",
        question="Does the response contain the golden fact once punctuation and articles are removed?",
        bands=_ABSENT_OR_STATED,
        caveat="Decimal points and minus signs are removed too: 1,344 billion then matches 134.4 billion.",
        guide=Guide(
            definition=(
                "As Factual Knowledge, after both texts lose their case, all ASCII punctuation and the words a, "
                "an and the."
            ),
            high_and_wrong=(
                'Punctuation carries meaning in figures: "1,344 billion" states 134.4 billion here, and "3.2 '
                'billion" states -3.2 billion.'
            ),
            low_and_right=(
                'Other words, formats and units score 0 here too: "22 February 2023" does not state "February 22, '
                '2023". A curly apostrophe is kept, a straight one is not.'
            ),
            remedy=(
                "Read it beside the exact score: 0 there and 1 here means punctuation alone. Where figures "
                "matter, trust the verdict."
            ),
            examples=(),
        ),
    ),
    Metric(
        name=c.RECALL,
        label="Closeness",
        question="How many of the golden answer's words does the response use?",
        bands=(
            Band(0.0, "few of the golden words are there"),
            Band(0.4, "about half of the golden words are there"),
            Band(0.7, "most of the golden words are there"),
        ),
        caveat="It counts words, not meaning: a wrong figure costs one word. A word counts once, however often used.",
        guide=Guide(
            definition=(
                "Shared words divided by the distinct words of the golden answer, after case, ASCII punctuation "
                "and a, an, the are removed: TP / (TP + FN). Each word counts once. Of several golden answers the "
                "best counts."
            ),
            high_and_wrong=(
                'All the words and another value: "$170.0 billion" for $134.4 billion costs one word of ten. '
                "qaviz calls it a hallucination."
            ),
            low_and_right=(
                "A right answer in few or other words: the date alone, where the golden answer is a sentence."
            ),
            remedy=(
                "Read it with the verdict, never alone. A golden answer that says only what was asked makes "
                "closeness fair."
            ),
            examples=(("net-sales", "Pipeline2"),),
        ),
    ),
    Metric(
        name=c.PRECISION,
        label="Conciseness",
        question="How many of the response's words are words of the golden answer?",
        bands=(
            Band(0.0, "mostly other words than the golden answer's"),
            Band(0.3, "about as many other words as golden ones"),
            Band(0.7, "little but the golden words"),
        ),
        caveat="A right answer that explains itself scores low: it says how a response reads, not whether it is right.",
        guide=Guide(
            definition=(
                "Shared words divided by the distinct words of the response, normalised as for closeness: TP / "
                "(TP + FP)."
            ),
            high_and_wrong=(
                'A short wrong answer in the golden answer\'s words: "$54.3 billion" for $50.1 billion scores 0.923.'
            ),
            low_and_right="An answer that explains itself: the right figure inside a worked calculation scores 0.07.",
            remedy=(
                "Low with the fact stated is a matter of style: ask the pipeline for shorter answers. It says "
                "nothing of truth."
            ),
            examples=(("cash", "Pipeline3"),),
        ),
    ),
    Metric(
        name=c.F1,
        label="F1",
        question="Is the response both close to the golden answer and concise?",
        bands=(
            Band(0.0, "far from the golden answer, or much longer"),
            Band(0.4, "partly close and concise"),
            Band(0.7, "close and concise"),
        ),
        caveat="One number for two qualities: look at closeness and conciseness to see which of them is low.",
        guide=Guide(
            definition="The harmonic mean of precision P and recall R: 2PR / (P + R); 0 if either is 0.",
            high_and_wrong="As closeness and conciseness together: a wrong figure in the golden sentence scores 0.9.",
            low_and_right="A verbose right answer, and a right one in other words.",
            remedy="Look at closeness and conciseness to see which of them is low.",
            examples=(),
        ),
    ),
    Metric(
        name=c.EXACT_MATCH,
        label="Exact match",
        question="Is the response the golden answer, letter for letter?",
        bands=_DIFFERENT_OR_SAME,
        caveat="Sentences almost never match; it suits answers of a word or two.",
        guide=Guide(
            definition=(
                "1 if response and golden answer are equal, character by character, after white space at the ends "
                "is removed."
            ),
            high_and_wrong="Only where the golden answer is wrong itself.",
            low_and_right="Nearly every right sentence: one other word is enough for 0.",
            remedy="Use it for answers of a word, a code or a choice.",
            examples=(),
        ),
    ),
    Metric(
        name=c.QUASI_EXACT_MATCH,
        label="Match, loosely",
        question="Is the response the golden answer once case, punctuation and articles are removed?",
        bands=_DIFFERENT_OR_SAME,
        caveat="Sentences almost never match; it suits answers of a word or two.",
        guide=Guide(
            definition="As exact match, after case, ASCII punctuation and a, an, the are removed from both.",
            high_and_wrong='Figures that differ by punctuation alone: "1,344" equals "134.4".',
            low_and_right="The same words in another order: the date first or last.",
            remedy="Use it for short answers, where case and articles do not matter.",
            examples=(),
        ),
    ),
    Metric(
        name=c.RECALL_BESIDE_FACT,
        label="Closeness beside the fact",
        question="How many of the golden answer's words, other than the fact's own, does the response use?",
        bands=(
            Band(0.0, "little of what surrounds the fact is there"),
            Band(0.4, "some of what surrounds the fact is there"),
            Band(0.7, "most of what surrounds the fact is there"),
        ),
        caveat="A stated fact without any of its context may be an accidental match. qaviz's own: FMEval has none.",
    ),
    Metric(
        name=c.RETRIEVAL_HIT,
        label="Retrieved",
        question="Does any context hold the golden passage, or state the fact where none is named?",
        bands=(Band(0.0, "no context holds it"), Band(1.0, "a context holds it")),
        caveat="Success in ir_measures; hit@k is a rank up to k. A fact that has to be computed stands nowhere.",
    ),
    Metric(
        name=c.RECIPROCAL_RANK,
        label="Reciprocal rank",
        question="How early is the first context that holds the golden passage?",
        bands=(Band(0.0, "late, or not at all"), Band(0.5, "second"), Band(1.0, "first")),
        caveat="1 / rank of the first alone; its mean is MRR. RR in ir_measures; Voorhees 1999.",
    ),
    Metric(
        name=c.NDCG,
        label="nDCG",
        question="How early are all golden passages among the contexts?",
        bands=(Band(0.0, "late, or not all"), Band(0.6, "mostly early"), Band(1.0, "all at the first places")),
        caveat="A passage that comes twice counts once. nDCG in ir_measures and ranx; Järvelin and Kekäläinen 2002.",
    ),
    Metric(
        name=c.RETRIEVAL_PRECISION,
        label="Context precision",
        question="How many of the contexts hold a golden passage?",
        bands=(Band(0.0, "mostly other passages"), Band(0.5, "at least half")),
        caveat="One golden passage among five contexts is 0.2 at most. SetP in ir_measures; Ragas weighs by rank.",
    ),
    Metric(
        name=c.RETRIEVAL_RECALL,
        label="Context recall",
        question="How many of the golden passages are among the contexts?",
        bands=(Band(0.0, "most are missing"), Band(0.5, "at least half are there"), Band(1.0, "all are there")),
        caveat="With one golden passage it is 0 or 1. SetR in ir_measures; Ragas asks a model instead.",
    ),
    Metric(
        name=c.CONTEXT_SUPPORT,
        label="Overlap with passages",
        question="How many of the response's words stand in the contexts that it was given?",
        bands=(
            Band(0.0, "most of its words are not there"),
            Band(0.5, "at least half of its words are there"),
            Band(0.9, "nearly all of its words are there"),
        ),
        caveat="Overlap is neither support nor truth: another number in the passage's words overlaps as well. Claims "
        "are checked by a judge: docs/contexts.md.",
    ),
    Metric(
        name=c.BERTSCORE,
        label="BERTScore",
        question="How near does a language model find the response's meaning to the golden answer's?",
        bands=(Band(0.0, "says something only beside other scores of the same model"),),
        caveat="A wrong figure hardly lowers it, and texts that have nothing in common score far above 0: with one "
        "model it compares pipelines, it does not tell right from wrong.",
        guide=Guide(
            definition=(
                "F1 of the best cosine similarities between the two texts' tokens, in the vectors of a language "
                "model (Zhang and others 2020)."
            ),
            high_and_wrong="A wrong figure or name in the same sentence: the vectors hardly differ.",
            low_and_right="Rarely: other words of the same meaning score nearly as high as the same words.",
            remedy="Compare pipelines by one model; never read a single value as right or wrong.",
            examples=(),
        ),
    ),
)

METRICS: dict[str, Metric] = {metric.name: metric for metric in _CATALOGUE}
"""Every metric by its column, in the order in which they are shown."""


@dataclass(frozen=True, kw_only=True)
class Quadrant:
    """One corner of closeness against conciseness, and how it is read."""

    name: str
    close: bool
    concise: bool
    reading: str
    remedy: str


QUADRANTS = (
    Quadrant(
        name="Short and close",
        close=True,
        concise=True,
        reading=(
            "The golden answer's words and few others. A wrong value in an otherwise perfect sentence is here too."
        ),
        remedy="Check the responses here that do not state the fact.",
    ),
    Quadrant(
        name="Close but wordy",
        close=True,
        concise=False,
        reading="The golden answer's words and many others: long, and mostly right.",
        remedy="Ask the pipeline for shorter answers, if length costs your users something.",
    ),
    Quadrant(
        name="Partial",
        close=False,
        concise=True,
        reading="Few words, most of them the golden answer's: a shorter answer, or half of what was asked.",
        remedy="Where the fact is stated, shorten the golden answer; else find out what is missing.",
    ),
    Quadrant(
        name="Other words",
        close=False,
        concise=False,
        reading="Few of the golden answer's words: no answer, a different answer, or the right one in other words.",
        remedy="Read the diagnosis: declined, off target, and right, not credited are mended in three places.",
    ),
)
"""The four corners, by the thresholds `high_closeness` and `low_conciseness`."""
