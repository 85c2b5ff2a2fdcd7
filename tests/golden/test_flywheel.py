"""qaviz.golden.versions: the figures of one version of a golden dataset."""

import polars as pl
import pytest

from qaviz.golden.lint.findings import FINDINGS
from qaviz.golden.versions import version_state
from qaviz.model.columns import FACTUAL_KNOWLEDGE, FAULT, LABEL, PIPELINE, QUESTION_ID, VERDICT

ROWS = pl.DataFrame(
    {
        QUESTION_ID: ["1", "2", "3", "4"],
        PIPELINE: ["P"] * 4,
        FACTUAL_KNOWLEDGE: [1.0, 0.0, 0.0, None],
        VERDICT: ["correct", "correct", "incorrect", "unsure"],
        FAULT: [None, "golden dataset", "metric", "data"],
    }
)
FOUND = pl.DataFrame({name: ["error", "error", "note"] for name in FINDINGS}, schema=FINDINGS)
LABELS = pl.DataFrame({QUESTION_ID: ["1", "2", "4"], PIPELINE: ["P"] * 3, LABEL: ["correct", "correct", "declined"]})


def test_a_version_in_figures():
    """Findings by severity; Factual Knowledge over what is scored; agreement over what is labelled and scored; the
    share of verdicts with the golden dataset or metric at fault, unsure ones left out."""
    state = version_state(FOUND, ROWS, LABELS)

    assert [state[each] for each in ("error", "warning", "note")] == [2, 0, 1]
    assert (state["facts"], state["facts_n"]) == (pytest.approx(1 / 3), 3)
    assert (state["agreed"], state["agreed_n"]) == (0.5, 2)
    assert (state["at_fault"], state["at_fault_n"]) == (pytest.approx(2 / 3), 3)


def test_nothing_to_count_is_missing_not_none():
    """Without labels, scores or verdicts a share is missing, and its count says why."""
    state = version_state(FOUND.clear(), ROWS.clear(), None)

    assert [state[each] for each in ("facts", "agreed", "at_fault")] == [None, None, None]
    assert [state[each] for each in ("facts_n", "agreed_n", "at_fault_n", "error")] == [0, 0, 0, 0]
    assert version_state(FOUND, ROWS, None)["agreed"] is None
