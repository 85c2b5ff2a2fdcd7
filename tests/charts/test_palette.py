"""qaviz.charts: colours that can be seen and told apart."""

import tomllib
from itertools import combinations, starmap
from math import dist
from operator import mul
from pathlib import Path

import pytest

from qaviz.charts import (
    DIAGNOSIS_COLOURS,
    DIAGNOSIS_HATCHES,
    DIAGNOSIS_SYMBOLS,
    INK,
    PIPELINE_COLOURS,
    pipeline_marks,
)
from qaviz.model.classes import Diagnosis

THEME = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
EVERY_COLOUR = sorted({*PIPELINE_COLOURS, *DIAGNOSIS_COLOURS.values()})


def luminance(colour):
    """Relative luminance as WCAG 2.2 defines it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("colour", EVERY_COLOUR)
def test_marks_stand_out_from_the_page(colour, theme):
    """Every colour has the contrast that WCAG asks of graphics, 3 to 1, on the page of both themes."""
    assert contrast(colour, THEME[theme]["backgroundColor"]) >= 3


@pytest.mark.parametrize("colour", sorted(DIAGNOSIS_COLOURS.values()))
def test_figures_on_bars_can_be_read(colour):
    """The ink of the numbers inside bars has the contrast that WCAG asks of text, 4.5 to 1."""
    assert contrast(INK, colour) >= 4.5


def test_every_diagnosis_has_colour_hatch_and_symbol_of_its_own():
    """No two diagnoses share a hatch or a symbol, so that none is told by its colour alone."""
    for marks in (DIAGNOSIS_HATCHES, DIAGNOSIS_SYMBOLS):
        assert list(marks) == list(Diagnosis)
        assert len(set(marks.values())) == len(Diagnosis)
    assert list(DIAGNOSIS_COLOURS) == list(Diagnosis)


def test_pipelines_are_told_by_colour_and_symbol():
    """The first 144 pipelines have pairs of colour and symbol of their own, the first 16 also colours, of which any
    two are at least .95 as far apart in OKLab as the nearest two of the first eight."""
    marks = list(pipeline_marks([str(number) for number in range(144)]).values())

    assert len(set(marks)) == 144
    assert len({colour for colour, _ in marks[:16]}) == 16
    nearest = [min(starmap(distance, combinations(PIPELINE_COLOURS[:number], 2))) for number in (8, 16)]
    assert nearest[1] >= 0.95 * nearest[0]


def distance(one, other):
    """Euclidean in OKLab, as its author B. Ottosson defines it."""
    return dist(oklab(one), oklab(other))


def oklab(colour):
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    cones = (
        (0.41222147, 0.53633254, 0.05144599),
        (0.21190350, 0.68069955, 0.10739696),
        (0.08830246, 0.28171884, 0.62997870),
    )
    roots = [sum(map(mul, row, linear)) ** (1 / 3) for row in cones]
    axes = (
        (0.21045426, 0.79361779, -0.00407205),
        (1.97799850, -2.42859221, 0.45059371),
        (0.02590404, 0.78277177, -0.80867577),
    )
    return [sum(map(mul, row, roots)) for row in axes]


def test_no_answer_and_no_score_are_told_apart():
    """Declined and unscored, both of them quiet colours, are not two greys: they differ in a channel by a fifth."""
    declined, unscored = DIAGNOSIS_COLOURS[Diagnosis.DECLINED], DIAGNOSIS_COLOURS[Diagnosis.UNSCORED]
    apart = [abs(int(declined[at : at + 2], 16) - int(unscored[at : at + 2], 16)) for at in (1, 3, 5)]

    assert max(apart) >= 255 / 5
