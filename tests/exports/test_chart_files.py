"""Charts as files: each says what it was drawn from, and acts on no text of it."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import plotly.graph_objects as go
import polars as pl
import pytest

from qaviz.exports.chart_files import Chart, as_data, file_name, picture_layout

HOSTILE = '</script><script>x</script> <img src=x> <b>b</b> & #000001 "quoted" \''
SCORED = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def chart(*, run="Release 12", name="Diagnoses by pipeline", filtered="all responses", text="P1", alt="Two bars"):
    figure = go.Figure(go.Bar(x=[1, 2], y=[text, "P2"], text=[text, ""]))
    figure.update_layout(height=300, margin={"l": 8, "t": 20}, xaxis_title_text="Share")
    table = pl.DataFrame({"pipeline": [text, "P2"], "share": [0.25, None]})
    about = {"runs": run, "scored": SCORED, "filtered": filtered}
    return Chart(figure=figure, name=name, alt=alt, data=lambda: table, **about)


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        pytest.param("Release 12", "Release-12", id="spaces"),
        pytest.param("../../etc/passwd", "etc-passwd", id="a path"),
        pytest.param("C:\\x\x00|<y>?*\u202e.exe", "C-x-y-exe", id="what systems forbid or turn round"),
        pytest.param("Đợt tháng Tám", "Đợt-tháng-Tám", id="letters of any language"),
        pytest.param("…", "run", id="nothing that can stand in a name"),
        pytest.param("x" * 300, "x" * 60, id="long"),
    ],
)
def test_file_names(run, expected):
    """A file is called as chart, run and date; its name is one that every system takes."""
    assert file_name(chart(run=run), ".svg") == f"diagnoses-by-pipeline_{expected}_2026-11-21.svg"


def test_a_picture_says_what_it_was_drawn_from():
    """Above the picture stand its title, the run, its date and the filter; the figure keeps its own height below."""
    layout = picture_layout(chart(filtered="pipeline P1; texts with “net sales”"))

    title = re.sub(r"<[^>]*>", " ", layout["title"]["text"])
    assert "Diagnoses by pipeline" in title
    assert all(part in title for part in ("Release 12", "21 Nov 2026", "pipeline P1; texts with “net sales”"))
    assert layout["height"] - layout["margin"]["t"] + 20 >= 300
    assert layout["template"]["layout"]["paper_bgcolor"] == "#ffffff"


def test_no_column_of_the_data_is_written_over():
    """A table with a column `run` of its own is refused: the file's column of that name says what was drawn."""
    shown = replace(chart(), data=lambda: pl.DataFrame({"run": ["June"]}))

    with pytest.raises(pl.exceptions.DuplicateError):
        as_data(shown)


def test_the_legend_that_a_page_draws_itself_is_in_every_file():
    """A figure whose legend stands beside it on the page has one of its own in a picture, and is left as it was."""
    shown = chart()
    shown.figure.update_layout(showlegend=False)

    assert picture_layout(shown)["showlegend"] is True
    assert shown.figure.layout.showlegend is False


def test_a_long_filter_takes_more_lines():
    """What does not fit on a line goes on in the next, with room for it; what is endless is cut."""
    short, long, endless = (picture_layout(chart(filtered="category x " * times)) for times in (1, 30, 3000))

    assert short["title"]["text"].count("<br>") == 1
    assert long["title"]["text"].count("<br>") == 3
    assert long["height"] > short["height"]
    assert endless["height"] - short["height"] < 100


def test_data_says_what_it_was_drawn_from():
    """The table of the chart comes with run, date and filter in its last columns; missing stays empty."""
    lines = as_data(chart(run="=1+1", text="@SUM(A1)")).decode("utf-8-sig").splitlines()

    assert lines == [
        '"pipeline","share","run","scored","shown"',
        """"'@SUM(A1)",0.25,"'=1+1","2026-11-21","all responses\"""",
        """"P2",,"'=1+1","2026-11-21","all responses\"""",
    ]
