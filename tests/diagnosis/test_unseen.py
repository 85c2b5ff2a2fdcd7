"""Questions as people ask them and responses as models write them, labelled before qaviz saw them.

tests/diagnosis/unseen/*.txt: a line `Q: question | variant // variant`, or `Q: % question | golden answer` without a
fact, then its responses, each after what a person says of it: `+` correct, `-` incorrect, `0` declined. A `?` before
that marks a response on which qaviz says otherwise.
"""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from qaviz.diagnosis import diagnose
from qaviz.model.columns import ANSWER, ANSWERABLE, FACT, LABEL, QUESTION, RESPONSE, VERDICT
from qaviz.scoring import score

FILES = sorted(Path(__file__).with_name("unseen").glob("*.txt"))
SAID = {"+": "correct", "-": "incorrect", "0": "declined"}
MOST_MISSED = 40
"""Of all responses. Fewer is better: a rule that sees one takes its mark away."""


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
    """All cases, with their file, the verdict, and whether they are marked as seen wrongly."""
    columns = (QUESTION, ANSWER, FACT, RESPONSE, LABEL, "marked", "file")
    rows = [(*case, path.stem) for path in FILES for case in cases(path)]
    table = pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None)
    diagnosed = diagnose(score(table.with_columns(pl.lit(None, pl.Boolean).alias(ANSWERABLE))))
    # Who is asked whether an answer is right says that none is wrong as well.
    declined = (pl.col(VERDICT) == "declined") & (pl.col(LABEL) == "incorrect")
    return diagnosed.with_columns(pl.when(declined).then(pl.lit("incorrect")).otherwise(VERDICT).alias(VERDICT))


@pytest.mark.parametrize("name", [path.stem for path in FILES])
def test_verdicts_are_what_a_person_says(name, judged):
    """The verdict of every case without a mark is its label, and of no case with one."""
    others = judged.filter((pl.col("file") == name) & ((pl.col(VERDICT) == pl.col(LABEL)) == pl.col("marked")))
    assert others.select(QUESTION, FACT, RESPONSE, LABEL, VERDICT).rows() == []


def test_few_are_marked(judged):
    """What qaviz is known not to see is listed and bounded."""
    assert judged.height > 1_700
    assert judged["marked"].sum() <= MOST_MISSED
