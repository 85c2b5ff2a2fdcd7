"""Short answers, and responses that name one thing and claim another, labelled by hand before qaviz saw them.

tests/diagnosis/claims/*.txt: `Q:`, `A:` and `F:` hold a triplet (variants of the fact parted by ` // `), then come its
responses, each after what a person says of it: `+` correct, `-` incorrect, `0` declined. The files whose name ends
in `_check` were kept apart while rules were written, but for three cases; those in
`_second` were written later, against the rules of then, by which 95 of 137 and 61 of 67 held; so were `_third`,
`_fourth` and `_fifth`, of which 181 of 228, 69 of 101 and 57 of 87 held.
"""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from qaviz.diagnosis import diagnose
from qaviz.model.columns import ANSWER, ANSWERABLE, FACT, LABEL, QUESTION, RESPONSE, VERDICT
from qaviz.scoring import score

FOLDER = Path(__file__).with_name("claims")
SAID = {"+": "correct", "-": "incorrect", "0": "declined"}
LEAST = {
    "short": 0.93,
    "short_check": 0.92,
    "short_second": 0.93,
    "claims": 0.91,
    "claims_check": 0.88,
    "claims_second": 0.85,
    "claims_third": 0.9,
    "claims_fourth": 0.92,
    "claims_fifth": 0.84,
}
"""Share of the cases of a file that are judged as a person would."""


def read_cases(path: Path) -> Iterator[tuple[str, str, str, str, str]]:
    triplet = {}
    for line in filter(str.strip, path.read_text(encoding="utf-8").splitlines()):
        mark, _, text = line.partition(" ")
        if mark in ("Q:", "A:", "F:"):
            triplet[mark] = text
        else:
            yield triplet["Q:"], triplet["A:"], triplet["F:"].replace(" // ", "<OR>"), text, SAID[mark]


@pytest.mark.parametrize("name", LEAST)
def test_most_cases_are_judged_as_a_person_would(name):
    """Whoever is asked whether an answer is right says that none is wrong as well, so declined counts as incorrect."""
    rows = list(read_cases(FOLDER / f"{name}.txt"))
    table = pl.DataFrame(rows, schema=[QUESTION, ANSWER, FACT, RESPONSE, LABEL], orient="row")
    judged = diagnose(score(table.with_columns(pl.lit(None, pl.Boolean).alias(ANSWERABLE))))
    agreed = (pl.col(VERDICT) == pl.col(LABEL)) | ((pl.col(VERDICT) == "declined") & (pl.col(LABEL) == "incorrect"))

    assert judged.select(agreed.mean()).item() >= LEAST[name]


@pytest.mark.parametrize("name", LEAST)
def test_no_short_right_answer_is_an_accident(name):
    """A right answer in few words is never called an accidental match."""
    rows = [case for case in read_cases(FOLDER / f"{name}.txt") if case[-1] == "correct"]
    table = pl.DataFrame(rows, schema=[QUESTION, ANSWER, FACT, RESPONSE, LABEL], orient="row")
    judged = diagnose(score(table.with_columns(pl.lit(None, pl.Boolean).alias(ANSWERABLE))))

    assert judged.filter(pl.col("diagnosis") == "accidental match")[RESPONSE].to_list() == []
