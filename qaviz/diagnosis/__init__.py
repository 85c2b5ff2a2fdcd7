"""What a response's scores mean: a diagnosis for each response, with its evidence in a sentence."""

import polars as pl

from qaviz.diagnosis.columns import READER_VERSION
from qaviz.diagnosis.extract_evidence import extract_evidence
from qaviz.diagnosis.judging import deciding, judge, open_rows
from qaviz.diagnosis.rules import RULES, Rule
from qaviz.model.records import Progress, Thresholds

__all__ = ["READER_VERSION", "RULES", "Rule", "deciding", "diagnose", "extract_evidence", "judge", "open_rows"]

_DEFAULT = Thresholds()


def diagnose(scored: pl.DataFrame, thresholds: Thresholds = _DEFAULT, progress: Progress | None = None) -> pl.DataFrame:
    """Return the scored table with the evidence columns, DIAGNOSIS, VERDICT, FAULT and FAULT_REASON (by
    contexts, where the rows say what these hold), CONFIDENCE (0 to 1) and REASON.

    Needs what `qaviz.scoring.score` returns, QUESTION and ANSWERABLE among it. Row order is kept. CONFIDENCE is null
    where nothing measures it. `extract_evidence` reads the texts, `judge` applies the thresholds: to move a threshold,
    keep what `extract_evidence` returned and call `judge` again.
    """
    return judge(extract_evidence(scored, progress), thresholds)
