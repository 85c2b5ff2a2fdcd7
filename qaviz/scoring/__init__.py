"""FMEval's word scores: `score` for a table of responses, `explain` for one."""

from qaviz.scoring.explanation import Comparison, Explanation, Mark, MarkedWord, explain
from qaviz.scoring.facts import Hit, VariantHits
from qaviz.scoring.table import keep_given, score, word_scores

__all__ = [
    "Comparison",
    "Explanation",
    "Hit",
    "Mark",
    "MarkedWord",
    "VariantHits",
    "explain",
    "keep_given",
    "score",
    "word_scores",
]
