"""One triplet, linted: what a rule says of it."""

from collections.abc import Mapping

import polars as pl

from qaviz.diagnosis import diagnose
from qaviz.golden.lint import RULES, find_by_rule
from qaviz.golden.lint.findings import FINDINGS, Subject
from qaviz.model.columns import PIPELINE, QUESTION_ID, RESPONSE
from qaviz.scoring import score
from tests.builders import golden_table

QUIET = {"question": "Which country did Napoleon rule?", "answer": "Napoleon ruled France."}
"""A triplet in which no rule finds anything, once it has the fact `France`."""


def findings(name: str, *triplets: Mapping[str, object]) -> list[dict[str, str | None]]:
    """What the rule of this name finds in triplets that are QUIET but for these texts."""
    golden = golden_table([QUIET | {"fact": "France"} | triplet for triplet in triplets])
    return _find(name, Subject(golden))


def findings_of_run(
    name: str, triplet: Mapping[str, object], responses: Mapping[str, str | None]
) -> list[dict[str, str | None]]:
    """What the rule of this name finds in one triplet beside the responses of these pipelines."""
    golden = golden_table([QUIET | {"fact": "France"} | triplet])
    rows = pl.DataFrame({PIPELINE: [*responses], RESPONSE: [*responses.values()], QUESTION_ID: ["1"] * len(responses)})
    return _find(name, Subject(golden, diagnose(score(golden.join(rows, on=QUESTION_ID)))))


def _find(name: str, subject: Subject) -> list[dict[str, str | None]]:
    by_rule = [find_by_rule(rule, subject) for rule in RULES if rule.name == name]
    return pl.concat([FINDINGS.to_frame(), *by_rule]).to_dicts()
