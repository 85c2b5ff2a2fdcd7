"""Every cell of the risk matrix, and that more severe or more likely is never less risky."""

from itertools import pairwise, product

import pytest

from qaviz.review import PROMISES, Level, Likelihood, Severity, classify_risk

ORDER = list(Level)


@pytest.mark.parametrize(
    ("severity", "levels"),
    [
        ("extreme", "low medium high critical critical"),
        ("major", "very_low low medium high critical"),
        ("moderate", "very_low low medium medium high"),
        ("low", "very_low very_low low low medium"),
        ("very low", "very_low very_low very_low very_low low"),
    ],
)
def test_each_cell_of_the_matrix(severity: str, levels: str):
    """A severity's row, from rare to frequent."""
    found = [classify_risk(Severity(severity), likelihood) for likelihood in Likelihood]

    assert [level.name.lower() for level in found] == levels.split()


def test_risk_never_falls_with_severity_or_likelihood():
    """One step up in severity or in likelihood is the same level or a higher one."""
    for severity, (rarer, oftener) in product(Severity, pairwise(Likelihood)):
        assert ORDER.index(classify_risk(severity, rarer)) <= ORDER.index(classify_risk(severity, oftener))
    for (milder, worse), likelihood in product(pairwise(Severity), Likelihood):
        assert ORDER.index(classify_risk(milder, likelihood)) <= ORDER.index(classify_risk(worse, likelihood))


def test_a_riskier_level_promises_more():
    """The share that may be wrong falls from level to level, to none."""
    assert [PROMISES[level] for level in Level] == sorted(PROMISES.values(), reverse=True)
    assert PROMISES[Level.CRITICAL] == 0
