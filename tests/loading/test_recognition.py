"""Columns are recognised by names of many languages and by what stands in them; what is doubtful is asked."""

from collections.abc import Sequence

import pytest

from qaviz.loading import Preview, preview
from qaviz.loading.load import load_golden
from tests.loading.messy import Messy, spreadsheet

SEEDS = range(30)


def read_as(seen: Preview) -> dict[str, str]:
    """What the columns are read as, a pipeline's as the response."""
    return {**seen.words, **dict.fromkeys(seen.pipelines, "response")}


def outcomes(messy: Messy) -> list[str]:
    """For each role that the file has: `right`, `asked` or what is wrong in silence."""
    found = []
    roles: list[tuple[Role, dict[str, str]]] = [(GOLDEN, messy.golden), (RESPONSES, messy.responses)]
    for role, truth in roles:
        if not truth:
            continue
        seen = preview(None, [messy.source])[0]
        words = read_as(seen)
        wrong = {
            name: word for name, word in words.items() if truth.get(name, word if word == "category" else "") != word
        }
        lacking = {name: word for name, word in truth.items() if name not in words and word != "question_id"}
        if seen.lacking:
            found.append("asked")
        else:
            found.append(f"{messy.source.name}: {wrong} {lacking} of {truth}" if wrong or lacking else "right")
    return found


@pytest.mark.parametrize("seeds", [SEEDS, range(1000, 1040), (5042, 5070)])
def test_messy_spreadsheets_map_without_a_person(seeds: Sequence[int]):
    """Of spreadsheets in seven languages, with titles above (two with a comma above a table of tabs), merged cells and
    odd delimiters, nine in ten map without a person, and none is mapped wrongly in silence."""
    files = [outcomes(spreadsheet(seed)) for seed in seeds]

    assert {outcome for file in files for outcome in file} <= {"right", "asked"}
    assert sum(set(file) == {"right"} for file in files) >= 0.9 * len(seeds)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_stands_around_a_table_is_no_question(seed: int):
    """Titles above and notes and totals below are read as no question of the golden dataset."""
    messy = spreadsheet(seed)
    if messy.golden:
        golden, _ = load_golden(messy.source, lambda _fraction, _words: None)
        assert set(golden["question"]) == messy.questions
