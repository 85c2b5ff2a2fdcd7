"""The four decisions, and what leads to each."""

import subprocess
import sys

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


def test_the_app_starts_without_scipy():
    """What the pages import leaves scipy alone: it takes longer to import than the first screen to draw."""
    asked = "import qaviz.ui, sys; print(*{name.partition('.')[0] for name in sys.modules} & {'scipy'})"

    said = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)

    assert said.stdout.strip() == ""
