"""Warnings beside the scores."""

import polars as pl
import pytest

from qaviz.model.columns import ANSWER, FACT, RESPONSE, WARNINGS
from qaviz.scoring import score
from tests.cases import read_cases


def warned(fact: str, response: str) -> list[str]:
    rows = pl.DataFrame({ANSWER: ["some answer"], FACT: [fact], RESPONSE: [response]})
    return score(rows)[WARNINGS].to_list()[0]


@pytest.mark.parametrize(("response", "fact", "warning"), read_cases(__file__, "warned"))
def test_each_trap_warns(response, fact, warning):
    """Each trap of FMEval's matching is named in a sentence that quotes what it is about."""
    assert warned(fact, response) == [warning]


@pytest.mark.parametrize(("response", "fact"), read_cases(__file__, "harmless"))
def test_harmless_rows_have_no_warning(response, fact):
    """Thousands separators, equal quotes, plain misses, and traps in variants that are not needed do not warn."""
    assert warned(fact, response) == []
