"""Short cases from many domains, labelled as a person would: what the kinds of evidence come to together."""

import json
from pathlib import Path

import polars as pl
import pytest

from qaviz.diagnosis import diagnose
from qaviz.diagnosis.model import SURE
from qaviz.model.columns import ANSWER, ANSWERABLE, CONFIDENCE, FACT, LABEL, QUESTION, RESPONSE, VERDICT
from qaviz.scoring import score

FILE = Path(__file__).with_name("as_people_would.jsonl")
"""A case a line: domain, question, golden answer, fact, response, label."""
ALL = [tuple(json.loads(line)[1:]) for line in FILE.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def diagnosed() -> pl.DataFrame:
    """The diagnosed cases, all from one table."""
    schema = dict.fromkeys((QUESTION, ANSWER, FACT, RESPONSE), pl.String)
    rows = pl.DataFrame([case[:4] for case in ALL], schema=schema, orient="row")
    return diagnose(score(rows.with_columns(pl.lit(None, pl.Boolean).alias(ANSWERABLE))))


def test_verdicts_are_mostly_what_a_person_says(diagnosed):
    """Of cases written one by one at least five in six have their label, and of the sure ones all but one in twenty."""
    rows = diagnosed.with_columns(pl.Series(LABEL, [case[4] for case in ALL]))
    right = rows[VERDICT] == rows[LABEL]
    sure = rows[CONFIDENCE].fill_null(0) >= SURE

    assert right.mean() >= 0.85
    assert right.filter(sure).mean() >= 0.95
