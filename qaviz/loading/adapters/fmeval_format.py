"""What FMEval's own output looks like: JSON Lines, one file an evaluation, written with `save=True`.

Names and order are those of `EvalOutputRecord.to_dict` of fmeval 1.2.3.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from qaviz.loading.column_mapping import SCORES
from qaviz.model.columns import (
    ANSWER,
    BERTSCORE,
    EXACT_MATCH,
    F1,
    FACT,
    FACTUAL_KNOWLEDGE,
    FACTUAL_KNOWLEDGE_QUASI_EXACT,
    PRECISION,
    QUASI_EXACT_MATCH,
    RECALL,
    UNSCORED_ANSWER,
    UNSCORED_FACT,
)

MODEL_INPUT = "model_input"
"""The question: FMEval keeps no ids, and reorders rows."""
MODEL_OUTPUT = "model_output"
"""The response."""
TARGET_OUTPUT = "target_output"
"""What FMEval scored against: the fact, or the answer."""
CATEGORY_FIELD = "category"
ERROR_FIELD = "error"
"""Why a row has no scores."""
SCORES_FIELD = SCORES

NAME, VALUE, ERROR = "name", "value", "error"
"""What each entry of the scores has: a name, and a value or an error."""


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """One of FMEval's algorithms, which writes one file."""

    name: str
    """As FMEval begins the names of its files."""
    label: str
    target: str
    """Our column that it scores against."""
    scores: tuple[str, ...]
    """In FMEval's order."""
    beside: tuple[str, ...] = ()
    """Scores that not every release gives, and that are kept where a file brings them."""
    why_not: str
    """Our column that says why the scores are missing."""
    sample: int
    """How many rows FMEval draws by default (`num_records`), always the same ones."""

    @property
    def columns(self) -> tuple[str, ...]:
        """All of its scores."""
        return (*self.scores, *self.beside)


FACTUAL = Evaluation(
    name="factual_knowledge",
    label="Factual Knowledge",
    target=FACT,
    scores=(FACTUAL_KNOWLEDGE, FACTUAL_KNOWLEDGE_QUASI_EXACT),
    why_not=UNSCORED_FACT,
    sample=300,
)
QA_ACCURACY = Evaluation(
    name="qa_accuracy",
    label="QA Accuracy",
    target=ANSWER,
    scores=(F1, EXACT_MATCH, QUASI_EXACT_MATCH, PRECISION, RECALL),
    beside=(BERTSCORE,),
    why_not=UNSCORED_ANSWER,
    sample=100,
)
EVALUATIONS = (FACTUAL, QA_ACCURACY)

SCORE_NAMES: Mapping[str, str] = {
    **{score: score for evaluation in EVALUATIONS for score in evaluation.scores},
    BERTSCORE: BERTSCORE,
    "bert_score": BERTSCORE,
    "exact_inclusion": FACTUAL_KNOWLEDGE,
    "quasi_exact_inclusion": FACTUAL_KNOWLEDGE_QUASI_EXACT,
}
"""The names of scores in the files of all releases -> ours."""
