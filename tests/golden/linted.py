"""One triplet, linted: what a rule says of it."""

from collections.abc import Mapping

import polars as pl

from qaviz.diagnosis import diagnose
from qaviz.golden.lint import RULES
from qaviz.golden.lint.findings import Rule, Subject
from qaviz.model.columns import PIPELINE, QUESTION_ID, RESPONSE
from qaviz.scoring import score
from tests.builders import golden_table

QUIET = {"question": "Which country did Napoleon rule?", "answer": "Napoleon ruled France."}
"""A triplet in which no rule finds anything, once it has the fact `France`."""


def findings(name: str, *triplets: Mapping[str, object]) -> list[dict[str, str | None]]:
    """What the rule of this name finds in triplets that are QUIET but for these texts."""
    golden = golden_table([QUIET | {"fact": "France"} | triplet for triplet in triplets])
    return _rule(name).findings(Subject(golden)).to_dicts()


def findings_of_run(
    name: str, triplet: Mapping[str, object], responses: Mapping[str, str | None]
) -> list[dict[str, str | None]]:
    """What the rule of this name finds in one triplet beside the responses of these pipelines."""
    golden = golden_table([QUIET | {"fact": "France"} | triplet])
    rows = pl.DataFrame({PIPELINE: [*responses], RESPONSE: [*responses.values()], QUESTION_ID: ["1"] * len(responses)})
    diagnosed = diagnose(score(golden.join(rows, on=QUESTION_ID)))
    return _rule(name).findings(Subject(golden, diagnosed)).to_dicts()


def _rule(name: str) -> Rule:
    return next(rule for rule in RULES if rule.name == name)
