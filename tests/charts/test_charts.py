"""qaviz.charts: figures that show what the rows say, and nothing that a text in them asks for."""

import json

import polars as pl
import pytest

from qaviz.analysis.closeness import Split
from qaviz.charts import chart_text, diagnosis_mix
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

    figures = [scatter_of(rows, [hostile], split) for split in (Split.NONE, Split.PIPELINE)]
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


def test_pipelines_whose_names_are_cut_alike_stay_apart():
    """Two long names that are shown the same have two bars."""
    names = [f"gpt-4-1106-preview_{middle}_with_the_same_ending" for middle in ("first", "other")]
    rows = response_rows(response_row("1", name) for name in names)

    figure = diagnosis_mix(rows, names)

    assert len(set(figure.layout.yaxis.ticktext)) == 1
    assert sorted(place for bar in figure.data for place in bar.y) == [0, 1]


@pytest.mark.parametrize(
    "draw",
    [
        lambda rows: scatter_of(rows, []),
        lambda rows: scatter_of(rows, [], Split.DIAGNOSIS),
        lambda rows: diagnosis_mix(rows, []),
    ],
)
def test_nothing_to_show_is_no_error(draw):
    """A figure without a single response has its axes all the same."""
    figure = draw(response_rows([]))

    assert json.loads(figure.to_json())["layout"]["xaxis"]["title"]["text"]
