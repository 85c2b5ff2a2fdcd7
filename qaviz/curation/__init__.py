"""The flywheel: what is wrong with a golden dataset, what would mend it, and what each edit would change."""

from qaviz.curation.catalogue import RULES, lint
from qaviz.curation.findings import FINDINGS, SEVERITIES, Rule
from qaviz.curation.seen import seen_in_responses
from qaviz.curation.variants import equivalent_forms

__all__ = ["FINDINGS", "RULES", "SEVERITIES", "Rule", "equivalent_forms", "lint", "seen_in_responses"]
