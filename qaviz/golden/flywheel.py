"""How good a golden dataset version is: what lint finds, how a run scores on it, how often the ruler is at fault."""

from collections.abc import Mapping

import polars as pl

from qaviz.golden.lint.findings import SEVERITIES, SEVERITY
from qaviz.golden.preview import HELD, held
from qaviz.model.classes import Fault, Verdict
from qaviz.model.columns import FACTUAL_KNOWLEDGE, FAULT, VERDICT

FACTS, FACTS_N = "facts", "facts_n"
AGREED, AGREED_N = "agreed", "agreed_n"
RULER, RULER_N = "ruler", "ruler_n"

_RULER = [Fault.GOLDEN.value, Fault.METRIC.value]


def version_state(
    findings: pl.DataFrame, rows: pl.DataFrame, labels: pl.DataFrame | None
) -> Mapping[str, float | None]:
    """The figures of one version: `error`, `warning`, `note` (findings); FACTS, Factual Knowledge's mean over FACTS_N
    scores; AGREED, the share of AGREED_N labelled responses on which Factual Knowledge says what people say; RULER, the
    share of RULER_N verdicts whose fault the diagnosis sees in the golden dataset or the metric.

    `rows` are a run's on this version. A share of nothing is null.
    """
    counts = dict(findings[SEVERITY].value_counts().iter_rows())
    judged = rows.filter(pl.col(VERDICT) != Verdict.UNSURE.value)
    labelled = _select_labelled(rows, labels)
    return {
        **{severity: counts.get(severity, 0) for severity in SEVERITIES},
        FACTS: rows.select(pl.col(FACTUAL_KNOWLEDGE).mean()).item(),
        FACTS_N: rows[FACTUAL_KNOWLEDGE].count(),
        AGREED: fact_agreement(labelled),
        AGREED_N: labelled.height,
        RULER: judged.select(pl.col(FAULT).is_in(_RULER).mean()).item(),
        RULER_N: judged.height,
    }


def _select_labelled(rows: pl.DataFrame, labels: pl.DataFrame | None) -> pl.DataFrame:
    """The rows that people have labelled and Factual Knowledge has scored, with HELD."""
    if labels is None:
        return rows.clear().with_columns(pl.lit(None, pl.String).alias(HELD))
    return held(rows, labels).filter(pl.col("by_person"), pl.col(FACTUAL_KNOWLEDGE).is_not_null())


def fact_agreement(labelled: pl.DataFrame) -> float | None:
    """The share of rows on which Factual Knowledge is 1 where HELD is `correct`, and 0 where it is not."""
    right = (pl.col(FACTUAL_KNOWLEDGE) == 1) == (pl.col(HELD) == Verdict.CORRECT.value)
    share: float | None = labelled.select(right.mean()).item()
    return share
