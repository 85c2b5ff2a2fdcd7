"""Questions as people ask them and responses as models write them, in ten languages, labelled before qaviz saw them.

cases/*.txt: a line `Q: question | variant // variant`, or `Q: % question | golden answer` without a fact, then its
responses, each after what a person says of it: `+` correct, `-` incorrect, `0` declined, `~` not to be told without
reading the language. A `?` before that marks a response on which earlier rules said otherwise.

as_people_would.jsonl: short cases from many domains: domain, question, golden answer, fact, response, label.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from qaviz.diagnosis import diagnose
from qaviz.diagnosis.columns import UNREAD
from qaviz.diagnosis.model import SURE
from qaviz.model.columns import ANSWER, ANSWERABLE, CONFIDENCE, FACT, LABEL, QUESTION, RESPONSE, VERDICT
from qaviz.scoring import score

TEXTS = (QUESTION, ANSWER, FACT, RESPONSE, LABEL)
ONE_BY_ONE = Path(__file__).with_name("as_people_would.jsonl")
FILES = sorted(Path(__file__).with_name("cases").glob("*.txt"))
SAYS = {"+": "correct", "-": "incorrect", "0": "declined", "~": "unsure"}
LEAST = {"correct": 0.8, "incorrect": 0.65, "declined": 0.8}
"""Share of the responses with this label whose verdict is it; what misleads is most of the incorrect ones."""


def read_cases(path: Path) -> Iterator[tuple[str, str, str | None, str, str]]:
    question, answer, fact = "", "", None
    for line in filter(str.strip, path.read_text(encoding="utf-8").splitlines()):
        if line.startswith("Q: "):
            question, golden = line.removeprefix("Q: ").split(" | ", 1)
            variants = golden.split(" // ")
            without = question.startswith("% ")
            question, answer = question.removeprefix("% "), golden if without else variants[0]
            fact = None if without else "<OR>".join(variants)
        else:
            marked = line.removeprefix("?")
            yield question, answer, fact, marked[2:], SAYS[marked[0]]


def diagnose_cases(cases: list[tuple[str | None, ...]]) -> pl.DataFrame:
    """Cases of TEXTS as they are diagnosed."""
    table = pl.DataFrame(cases, schema=TEXTS, orient="row", infer_schema_length=None)
    return diagnose(score(table.with_columns(pl.lit(None, pl.Boolean).alias(ANSWERABLE))))


@pytest.fixture(scope="module")
def judged() -> pl.DataFrame:
    """The cases of all files, with their label."""
    return diagnose_cases([case for path in FILES for case in read_cases(path)])


@pytest.mark.parametrize("label", LEAST)
def test_verdicts_are_what_a_person_says(label, judged):
    """Of the responses that people call right, wrong and declined, so many get that verdict."""
    cases = judged.filter(pl.col(LABEL) == label)
    assert judged.height > 900
    assert (cases[VERDICT] == label).mean() >= LEAST[label]


def test_what_is_sure_is_right(judged):
    """Of the sure verdicts on cases, most of which mislead, at least nine in ten are a person's."""
    sure = judged.filter((pl.col(CONFIDENCE) >= SURE) & (pl.col(LABEL) != "unsure"))
    assert sure.height > 120
    assert (sure[VERDICT] == sure[LABEL]).mean() >= 0.9


def test_a_language_that_is_not_read_is_said(judged):
    """Responses that words decide in a language without tables name it, and are never sure."""
    unread = judged.filter(pl.col(UNREAD).is_not_null())
    assert unread.height > 5
    assert unread[CONFIDENCE].fill_null(0).max() < SURE


def test_verdicts_on_short_cases_are_mostly_what_a_person_says():
    """Of cases written one by one at least five in six have their label, and of the sure ones all but one in twenty."""
    rows = diagnose_cases([tuple(json.loads(line)[1:]) for line in ONE_BY_ONE.read_text("utf-8").splitlines()])
    right = rows[VERDICT] == rows[LABEL]

    assert right.mean() >= 0.85
    assert right.filter(rows[CONFIDENCE].fill_null(0) >= SURE).mean() >= 0.95
