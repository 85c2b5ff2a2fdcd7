"""What is wrong with a golden dataset: the rules, and the one function that asks them."""

from qaviz.golden.lint.catalogue import RULES, lint
from qaviz.golden.lint.findings import FINDINGS, SEVERITIES, Rule

__all__ = ["FINDINGS", "RULES", "SEVERITIES", "Rule", "lint"]
