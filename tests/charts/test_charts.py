"""qaviz.charts: figures that show what the rows say, in colours that can be told apart, and nothing a text asks for."""

import tomllib
from pathlib import Path

import polars as pl
import pytest

from qaviz.analysis.board import Cell
from qaviz.charts import CELL_LOOKS, DIAGNOSIS_COLOURS, INK, PIPELINE_COLOURS, chart_text, pipeline_marks
from qaviz.charts.scatter_chart import POINTS_UP_TO
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import PRECISION, QUESTION, RECALL, RESPONSE
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

    # Streamlit's own template, where it is imported, holds the colours that it replaces.
    written = scatter_of(rows, [hostile]).update_layout(template="none").to_json()
    assert "<img" not in written.encode().decode("unicode_escape")
    assert "#000001" not in written
    assert "&#35;000001" in written


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
def test_signs_on_cells_can_be_read(colour):
    """The ink of the signs in cells has the contrast that WCAG asks of text, 4.5 to 1."""
    assert contrast(INK, colour) >= 4.5


def test_every_diagnosis_has_a_colour_and_a_symbol_of_its_own():
    """No two diagnoses share a symbol in the matrix, so that none is told by its colour alone."""
    kinds = [Cell.UNSURE if kind is Diagnosis.UNSCORED else Cell(kind.value) for kind in Diagnosis]
    assert len({CELL_LOOKS[kind][1] for kind in kinds}) == len(Diagnosis)
    assert list(DIAGNOSIS_COLOURS) == list(Diagnosis)


def test_pipelines_are_told_by_colour_and_symbol():
    """The first 144 pipelines have pairs of colour and symbol of their own, the first 16 also colours."""
    marks = list(pipeline_marks([str(number) for number in range(144)]).values())

    assert len(set(marks)) == 144
    assert len({colour for colour, _ in marks[:16]}) == 16


def test_the_scatter_has_a_point_for_each_scored_response():
    """Each in the colour and symbol that its pipeline has in the run, whatever is left out; of very many responses it
    has the means alone, so that a figure stays small."""
    rows = response_rows(
        response_row(str(place), f"P{place % 3}", **{RECALL: None if place == 3 else place / 10, PRECISION: 0.5})
        for place in range(9)
    )
    for shown in (rows, rows.filter(pipeline="P2")):
        last = [trace for trace in scatter_of(shown, ["P0", "P1", "P2"]).data if trace.mode == "markers"][-1]
        assert (last.marker.color, last.marker.symbol) == pipeline_marks(["P0", "P1", "P2"])["P2"]
        assert (last.x, last.y) == ((0.2, 0.5, 0.8), (0.5, 0.5, 0.5))
    assert scatter_of(rows, ["P0", "P1", "P2"]).data[0].x == (0.0, 0.6)
    many = pl.concat([rows] * (POINTS_UP_TO // 8 + 1))
    assert [trace.mode for trace in scatter_of(many, ["P0", "P1", "P2"]).data] == ["markers+text"] * 3
