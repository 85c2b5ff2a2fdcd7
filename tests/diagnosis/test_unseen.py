"""Questions as people ask them and responses as models write them, labelled before qaviz saw them.

tests/diagnosis/unseen/*.txt: a line `Q: question | variant // variant`, or `Q: % question | golden answer` without a
fact, then its responses, each after what a person says of it: `+` correct, `-` incorrect, `0` declined. A `?` before
that marks a response on which qaviz says otherwise.
"""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from qaviz.diagnosis import extract_evidence
from qaviz.diagnosis.columns import REFUSAL, STANCE
from qaviz.model.columns import ANSWER, ANSWERABLE, FACT, LABEL, QUESTION, RESPONSE
from qaviz.scoring import score

FILES = sorted(Path(__file__).with_name("unseen").glob("*.txt"))
SAID = {"+": "correct", "-": "incorrect", "0": "declined"}
LEAST = {"correct": 0.9, "incorrect": 0.6, "declined": 0.8}
"""Share of the responses with this label whose evidence says so, without doubts."""


def cases(path: Path) -> Iterator[tuple[str, str, str | None, str, str, bool]]:
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
            yield question, answer, fact, marked[2:], SAID[marked[0]], line != marked


@pytest.fixture(scope="module")
def judged() -> pl.DataFrame:
    """All cases, with their file, the evidence, and the marks of those that rules saw wrongly."""
    columns = (QUESTION, ANSWER, FACT, RESPONSE, LABEL, "marked", "file")
    rows = [(*case, path.stem) for path in FILES for case in cases(path)]
    table = pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None)
    return extract_evidence(score(table.with_columns(pl.lit(None, pl.Boolean).alias(ANSWERABLE))))


@pytest.mark.parametrize("label", LEAST)
def test_evidence_is_what_a_person_says(label, judged):
    """Of the responses that people call right, wrong and declined, so many have evidence that says so."""
    cases = judged.filter(pl.col(LABEL) == label)
    declines = pl.col(REFUSAL).is_not_null()
    agrees = (pl.col(STANCE) == "agrees").fill_null(False) & ~declines
    expected = {"correct": agrees, "incorrect": ~agrees, "declined": declines}[label]
    assert judged.height > 1_700
    assert cases.select(expected.mean()).item() >= LEAST[label]
