"""The flywheel: what is wrong with a golden dataset, what would mend it, and what each edit would change."""

from qaviz.curation.catalogue import RULES, lint
from qaviz.curation.findings import FINDINGS, SEVERITIES, Rule

__all__ = ["FINDINGS", "RULES", "SEVERITIES", "Rule", "lint"]
