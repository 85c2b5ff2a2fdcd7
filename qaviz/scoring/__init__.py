"""FMEval's word scores of a table of responses."""

from qaviz.scoring.table import keep_given, score, word_scores

__all__ = ["keep_given", "score", "word_scores"]
