"""The four decisions, and what leads to each."""

import pytest

from qaviz.stats import Decision, decide


@pytest.mark.parametrize(
    ("difference", "p", "detectable", "decision"),
    [
        pytest.param(0.3, 0.01, 0.25, Decision.BETTER, id="more than chance"),
        pytest.param(-0.3, 0.01, 0.25, Decision.WORSE, id="less than chance"),
        pytest.param(0.3, 0.05, 0.1, Decision.NO_CLEAR_DIFFERENCE, id="0.05 itself is not beyond chance"),
        pytest.param(0.0, 1.0, 0.2, Decision.NO_CLEAR_DIFFERENCE, id="a noticeable gap would have shown"),
        pytest.param(0.4, 0.125, 0.6, Decision.TOO_FEW_QUESTIONS, id="a noticeable gap could hide"),
        pytest.param(0.4, 0.125, None, Decision.TOO_FEW_QUESTIONS, id="any gap could hide"),
        pytest.param(None, None, None, Decision.TOO_FEW_QUESTIONS, id="nothing is paired"),
    ],
)
def test_decisions(difference, p, detectable, decision):
    """A difference beyond chance is better or worse; without one it matters what could have been seen."""
    assert decide(difference, p, detectable) is decision
