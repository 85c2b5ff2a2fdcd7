"""FMEval's word scores: `score` for a table of responses, `explain` for one."""

from qaviz.scoring.explanation import Mark, explain
from qaviz.scoring.table import keep_given, score, word_scores

__all__ = ["Mark", "explain", "keep_given", "score", "word_scores"]
