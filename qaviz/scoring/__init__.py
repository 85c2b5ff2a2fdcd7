"""FMEval's word scores: `score` for a table of responses, `explain` for one."""

from qaviz.scoring.table import score

__all__ = ["score"]
