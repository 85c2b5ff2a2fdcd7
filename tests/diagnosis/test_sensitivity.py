"""Where labels would put the thresholds."""

import polars as pl
import pytest

from qaviz.diagnosis import extract_evidence
from qaviz.diagnosis.agreement import propose
from qaviz.model.classes import Verdict
from qaviz.model.columns import ANSWER, ANSWERABLE, FACT, LABEL, PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.model.records import Thresholds
from qaviz.scoring import score

GOLDEN = "apples pears plums figs limes melons"
QUESTION_TEXT = "What is sold beside apples and pears?"


def responses(*texts: str, fact: str | None = None) -> pl.DataFrame:
    """Return gathered responses to as many questions, whose golden answer is six fruits, two of them in the question.

    HALF has half of the golden words, and one of the four that the question does not hold: too few to say the answer.
    """
    rows = {
        QUESTION_ID: [f"q{i}" for i in range(len(texts))],
        QUESTION: [QUESTION_TEXT] * len(texts),
        ANSWER: [GOLDEN] * len(texts),
        FACT: [fact] * len(texts),
        ANSWERABLE: [None] * len(texts),
        PIPELINE: ["p"] * len(texts),
        RESPONSE: list(texts),
    }
    schema = dict.fromkeys(rows, pl.String) | {ANSWERABLE: pl.Boolean}
    return extract_evidence(score(pl.DataFrame(rows, schema=schema)))


def labels(gathered: pl.DataFrame, label: Verdict) -> pl.DataFrame:
    return gathered.select(QUESTION_ID, PIPELINE, pl.lit(label.value).alias(LABEL))


HALF = "apples pears plums kale nuts corn"
STATED = "Sold beside them: kale"


def test_labels_move_the_threshold_with_a_gain_on_questions_not_seen():
    """If people call such facts wrong, the bound rises to its first step, and every kept-out question gains."""
    gathered = responses(*[STATED] * 20, fact="kale")
    proposal = propose(gathered, labels(gathered, Verdict.INCORRECT), Thresholds())

    assert proposal.thresholds.accidental_context == pytest.approx(0.05)
    assert (proposal.gain.value, proposal.gain.low, proposal.gain.high) == (1, 1, 1)
    assert (proposal.responses, proposal.questions, proposal.folds) == (20, 20, 5)


def test_thresholds_stay_where_nothing_is_better():
    """Labels that agree already propose the present thresholds, and no gain."""
    gathered = responses(*["nuts"] * 10)
    proposal = propose(gathered, labels(gathered, Verdict.INCORRECT), Thresholds())

    assert proposal.thresholds == Thresholds()
    assert proposal.gain.value == 0


def test_too_few_questions_propose_nothing():
    """With fewer questions than folds there is nothing to validate on."""
    gathered = responses(HALF, HALF)

    assert propose(gathered, labels(gathered, Verdict.CORRECT), Thresholds()) is None
