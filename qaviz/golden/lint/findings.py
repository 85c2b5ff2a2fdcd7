"""What lint says of a golden dataset: one row a finding."""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import getdoc

import polars as pl

from qaviz.golden.lint.subject import Subject
from qaviz.model.columns import QUESTION_ID

RULE = "rule"
"""The rule's name, such as `empty-variant`."""
SEVERITY = "severity"
"""`error`: scores are wrong because of it. `warning`: they probably are. `note`: worth a look."""
MESSAGE = "message"
"""What is wrong, in a sentence."""
EVIDENCE = "evidence"
"""The texts that show it, quoted."""
SUGGESTION = "suggestion"
"""What to do, in words; null where only a person can tell."""
FIELD = "field"
"""The text of the triplet that `proposed` replaces: `question`, `answer` or `fact`; null where nothing is proposed."""
PROPOSED = "proposed"
"""The whole new text of that field; null where no edit can be made without a person."""

ERROR, WARNING, NOTE = "error", "warning", "note"
SEVERITIES = (ERROR, WARNING, NOTE)
"""The worst first."""

FINDINGS = pl.Schema(
    dict.fromkeys((QUESTION_ID, RULE, SEVERITY, MESSAGE, EVIDENCE, SUGGESTION, FIELD, PROPOSED), pl.String())
)
"""The columns of `lint`, in order. `field` and `proposed` are null together."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One way in which a golden triplet can be at fault."""

    name: str
    severity: str
    find: Callable[[Subject], pl.DataFrame]
    """Returns QUESTION_ID, MESSAGE, EVIDENCE and, where it has them, SUGGESTION, FIELD, PROPOSED: one row a finding."""
    needs_run: bool = False
    """It reads the rows of a run, and finds nothing without."""
    needs_judge: bool = False
    """It reads what a judge found, and finds nothing without."""

    @property
    def explanation(self) -> str:
        """The rule in words, for the user."""
        return " ".join((getdoc(self.find) or "").split())

    def findings(self, subject: Subject) -> pl.DataFrame:
        """Return what the rule finds, one row a finding: FINDINGS."""
        found = self.find(subject).with_columns(pl.lit(self.name).alias(RULE), pl.lit(self.severity).alias(SEVERITY))
        missing = [pl.lit(None, pl.String).alias(name) for name in FINDINGS if name not in found.columns]
        return found.with_columns(missing).select(pl.col(name).cast(kind) for name, kind in FINDINGS.items())
