"""qaviz.charts: figures that show what the rows say, in colours that can be told apart, and nothing a text asks for."""

import json
import tomllib
from itertools import combinations, starmap
from math import dist
from operator import mul
from pathlib import Path

import polars as pl
import pytest

from qaviz.charts import (
    DIAGNOSIS_COLOURS,
    DIAGNOSIS_HATCHES,
    DIAGNOSIS_SYMBOLS,
    INK,
    PIPELINE_COLOURS,
    chart_text,
    diagnosis_mix,
    pipeline_marks,
)
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import DIAGNOSIS, QUESTION, RESPONSE
from tests.analysis.builders import response_row, response_rows, scatter_of


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("plain", "plain", id="plain text stays"),
        pytest.param("<b>a</b> & <a href='x'>", "&lt;b&gt;a&lt;/b&gt; &amp; &lt;a href='x'&gt;", id="tags are text"),
        pytest.param("&lt;", "&amp;lt;", id="an entity is text"),
        pytest.param("#000001 #1", "&#35;000001 &#35;1", id="what Streamlit takes for a colour"),
        pytest.param(" two\nlines\tand \u202e a turn\x00 ", "two lines and a turn", id="one line, no controls"),
        pytest.param("0123456789ab", "012345678…", id="cut"),
        pytest.param("<<<<<<<<<<", "&lt;" * 10, id="what counts is what is seen"),
    ],
)
def test_chart_text(text, shown):
    """A text enters a figure on one line, cut, and as what it says."""
    longest = 10 if text.startswith(("0", "<<")) else 80

    assert pl.select(chart_text(pl.lit(text), longest)).item() == shown


def test_no_text_of_a_file_enters_raw():
    """Neither name, id, question nor response brings a tag or a colour of Streamlit's into a figure."""
    hostile = "<img src=x> #000001"
    rows = response_rows([response_row(hostile, hostile, **{QUESTION: hostile, RESPONSE: hostile})])

    figures = [scatter_of(rows, [hostile])]
    for figure in (*figures, diagnosis_mix(rows, [hostile])):
        # Streamlit's own template, where it is imported, holds the colours that it replaces.
        written = figure.update_layout(template="none").to_json()
        assert "<img" not in written.encode().decode("unicode_escape")
        assert "#000001" not in written
        assert "&#35;000001" in written


def test_diagnosis_mix():
    """Each pipeline's bar is whole, its parts are its shares of the diagnoses, and their numbers stand inside."""
    rows = response_rows(
        [
            *(response_row(str(n), "P1", 1.0) for n in range(3)),
            response_row("3", "P1", 0.0),
            response_row("0", "P2", 0.0, **{DIAGNOSIS: Diagnosis.DECLINED}),
        ]
    )

    figure = diagnosis_mix(rows, ["P2", "P1"])
    bars = {
        (bar.name, place): (share, text)
        for bar in figure.data
        for place, share, text in zip(bar.y, bar.x, bar.text, strict=True)
    }

    assert bars == {
        ("correct", 1): (0.75, "3"),
        ("hallucination", 1): (0.25, "1"),
        ("declined", 0): (1.0, "1"),
    }
    assert list(figure.layout.yaxis.ticktext) == ["P2", "P1"]


def test_pipelines_of_one_family_stay_apart():
    """Two long names have two bars, by what they do not share."""
    names = [f"gpt-4-1106-preview_{middle}_with_the_same_ending" for middle in ("first", "other")]
    rows = response_rows(response_row("1", name) for name in names)

    figure = diagnosis_mix(rows, names)

    assert [text.strip("…") for text in figure.layout.yaxis.ticktext] == ["first", "other"]
    assert sorted(place for bar in figure.data for place in bar.y) == [0, 1]


@pytest.mark.parametrize(
    "draw",
    [
        lambda rows: scatter_of(rows, []),
        lambda rows: diagnosis_mix(rows, []),
    ],
)
def test_nothing_to_show_is_no_error(draw):
    """A figure without a single response has its axes all the same."""
    figure = draw(response_rows([]))

    assert json.loads(figure.to_json())["layout"]["xaxis"]["title"]["text"]


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
