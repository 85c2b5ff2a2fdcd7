"""Hundreds of tables are read right or asked, whatever their headings and the order of their columns: none is wrong in
silence."""

from collections.abc import Mapping, Sequence
from random import Random

import pytest

from qaviz.loading import Source, load, preview
from qaviz.loading.doubts import Tally, find_doubts
from qaviz.model.errors import QavizError
from tests.loading.layouts import HEADINGS, LAYOUTS, UNKNOWN_HEADINGS, Case


def read_files(files: tuple[Source, ...]) -> dict[str, list[str]] | None:
    """By pipeline the responses in the golden dataset's order; None where a person is asked."""
    try:
        loaded = load(None, files)
    except QavizError:
        return None
    tally = Tally()
    tally.add(loaded)
    if find_doubts(tally, None, files, preview):
        return None
    order = {question: place for place, question in enumerate(loaded.golden["question"])}
    rows = sorted(loaded.rows.select("pipeline", "question", "response").iter_rows(), key=lambda row: order[row[1]])
    found: dict[str, list[str]] = {}
    for pipeline, _, response in rows:
        found.setdefault(pipeline, []).append(response)
    return found


def judge(case: Case) -> str:
    """`right`, `asked` where it has a meaning, or `wrong`."""
    found = read_files(case.files)
    if found is None:
        return "asked" if case.truth else "right"
    if case.truth is None:
        return "wrong"
    same = found == case.truth if case.names else sorted(found.values()) == sorted(case.truth.values())
    return "right" if same else "wrong"


def judge_all(headings: Mapping[str, Sequence[str]], seed: int) -> dict[tuple[str, str], str]:
    return {
        (name, language): judge(build(names, Random(f"{seed}{name}{language}")))
        for name, build in LAYOUTS.items()
        for language, names in headings.items()
    }


def where(found: Mapping[tuple[str, str], str], outcome: str) -> list[tuple[str, str]]:
    return [case for case, is_so in found.items() if is_so == outcome]


@pytest.mark.parametrize("seed", [1])
def test_no_table_is_read_wrongly_in_silence(seed: int):
    """Of 357 tables in 17 languages none is read wrongly without a question; at least 85 % are read at the first try,
    or asked where nobody could know."""
    found = judge_all(HEADINGS, seed)

    assert len(found) >= 200
    assert where(found, "wrong") == []
    assert len(where(found, "right")) >= 0.85 * len(found), where(found, "asked")


def test_headings_that_nobody_understands_are_asked():
    """Under headings of languages that nobody taught it no table is read wrongly: what cells alone say is asked."""
    assert where(judge_all(UNKNOWN_HEADINGS, 1), "wrong") == []
