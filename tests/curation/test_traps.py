"""Rules on letters: each fires on its trap, proposes the mended text, and stays silent beside it."""

import pytest

from qaviz.curation import lint
from qaviz.curation.findings import PROPOSED, RULE
from tests.builders import golden_table


def found(rule: str, **triplet: str) -> list[str | None]:
    """What the rule proposes for each of its findings on one triplet."""
    findings = lint(golden_table([{"question": "Which country is it?", "answer": "It is France."} | triplet]))
    return findings.filter(findings[RULE] == rule)[PROPOSED].to_list()


@pytest.mark.parametrize(
    ("fact", "proposed"),
    [
        ("France<OR>", ["France"]),
        ("<OR>France<OR>the French Republic", ["France<OR>the French Republic"]),
        ("France<AND>...<AND>Paris", ["France<AND>Paris"]),
        ("the<OR>a", [None]),
        ("France<OR>Paris", []),
        ("<OR>", []),
    ],
)
def test_an_empty_variant(fact: str, proposed: list[str | None]):
    """A variant without a letter is found, and the proposed fact is the others; a fact of blanks alone is none."""
    assert found("empty-variant", fact=fact) == proposed
