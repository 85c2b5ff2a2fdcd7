"""Charts as files, and the templates of pages: each says what it was drawn from, and acts on no text of it."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import plotly.graph_objects as go
import polars as pl
import pytest
from jinja2 import UndefinedError

from qaviz.exports.chart_files import About, Chart, as_data, as_page, file_name, picture_layout
from qaviz.exports.templates import Markup, render, render_pieces
from qaviz.model.visible import visible

HOSTILE = '</script><script>x</script> <img src=x> <b>b</b> & #000001 "quoted" \''
SCORED = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def chart(*, run="Release 12", name="Diagnoses by pipeline", filtered="all responses", text="P1", alt="Two bars"):
    figure = go.Figure(go.Bar(x=[1, 2], y=[text, "P2"], text=[text, ""]))
    figure.update_layout(height=300, margin={"l": 8, "t": 20}, xaxis_title_text="Share")
    about = About(run=run, scored=SCORED, filtered=filtered)
    table = pl.DataFrame({"pipeline": [text, "P2"], "share": [0.25, None]})
    return Chart(figure=figure, name=name, alt=alt, about=about, data=lambda: table)


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
    assert '"showlegend":true' in as_page(shown).decode()
    assert shown.figure.layout.showlegend is False


def test_a_long_filter_takes_more_lines():
    """What does not fit on a line goes on in the next, with room for it; what is endless is cut."""
    short, long, endless = (picture_layout(chart(filtered="category x " * times)) for times in (1, 30, 3000))

    assert short["title"]["text"].count("<br>") == 1
    assert long["title"]["text"].count("<br>") == 3
    assert long["height"] > short["height"]
    assert endless["height"] - short["height"] < 100


def test_the_chart_itself_stays_as_it_is():
    """What a file needs is changed in a copy: the figure on the page keeps its look."""
    shown = chart()
    before = shown.figure.to_json()

    picture_layout(shown)
    as_page(shown)

    assert shown.figure.to_json() == before


class Parsed(HTMLParser):
    """A page as a browser reads it: its elements with their attributes, and the texts in them."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(page.decode())

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        if self.tags:
            self.texts.append((self.tags[-1][0], data))

    def of(self, tag):
        return "".join(text for name, text in self.texts if name == tag)


@pytest.fixture(scope="module")
def hostile_page() -> Parsed:
    return Parsed(as_page(chart(run=HOSTILE, name=HOSTILE, filtered=HOSTILE, text=HOSTILE, alt=HOSTILE)))


def test_a_page_holds_texts_as_texts(hostile_page):
    """Whatever a name says, the page has the same elements, and shows the name."""
    assert [tag for tag, _ in hostile_page.tags if tag in ("script", "img", "b", "a")] == ["script"] * 3
    assert hostile_page.of("h1").strip() == HOSTILE
    assert HOSTILE in hostile_page.of("p")
    ((_, drawn),) = [each for each in hostile_page.tags if each[1].get("id") == "chart"]
    assert (drawn["role"], drawn["aria-label"]) == ("figure", HOSTILE)


def test_a_page_draws_the_figure():
    """The figure in the page is the chart's, texts and numbers."""
    scripts = re.findall(r'id="figure">(.*?)</script>', as_page(chart(text=HOSTILE)).decode(), re.S)

    (figure,) = map(json.loads, scripts)
    assert figure["data"][0]["text"] == [HOSTILE, ""]
    assert figure["layout"]["xaxis"]["title"]["text"] == "Share"


def test_a_page_allows_its_own_scripts_and_nothing_else(hostile_page):
    """The policy names the page's two scripts by their hashes, and lets nothing be fetched or sent."""
    ((_, meta),) = [each for each in hostile_page.tags if "http-equiv" in each[1]]
    policy = dict(part.strip().split(" ", 1) for part in meta["content"].split(";"))
    scripts = re.findall(r"<script>(.*?)</script>", as_page(chart()).decode(), re.S)

    assert policy["default-src"] == "'none'"
    assert policy["script-src"].split() == [
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for script in scripts
    ]
    assert policy["img-src"] == "data: blob:"
    assert not set(policy) & {"connect-src", "font-src", "frame-src"}


def test_data_says_what_it_was_drawn_from():
    """The table of the chart comes with run, date and filter in its last columns; missing stays empty."""
    lines = as_data(chart(run="=1+1", text="@SUM(A1)")).decode("utf-8-sig").splitlines()

    assert lines == [
        '"pipeline","share","run","scored","shown"',
        """"'@SUM(A1)",0.25,"'=1+1","2026-11-21","all responses\"""",
        """"P2",,"'=1+1","2026-11-21","all responses\"""",
    ]


MARKUP = "</title><script>alert('1')</script> \" &amp; \u202e"


@pytest.fixture
def template(tmp_path: Path) -> Path:
    file = tmp_path / "page.html"
    file.write_text(
        '<p title="{{ text }}">{{ text }}</p>{% for each in more %}<i>{{ each }}</i>{% endfor %}\n', "utf-8"
    )
    return file


def test_a_text_stays_a_text(template: Path):
    """In an element and in an attribute each sign of markup is escaped."""
    page = render(template, text=MARKUP, more=())

    assert page.count("<") == page.count(">") == 2
    assert page.count('"') == 2
    assert page.count("&amp;amp;") == 2


def test_only_markup_of_our_own_is_markup(template: Path):
    """A Markup is written as it is, and the texts beside it are not."""
    page = render(template, text="x", more=(Markup("<b></b>"), "<b></b>"))

    assert "<i><b></b></i><i>&lt;b&gt;&lt;/b&gt;</i>" in page


def test_texts_are_shown_as_asked(template: Path):
    """`show` changes each text before it is escaped: here marks that turn the direction of what follows."""
    page = render(template, show=visible, text=MARKUP, more=())

    assert "\u202e" not in page
    assert page.count("\\u202e") == 2


def test_a_missing_value_is_an_error(template: Path):
    """A page is whole or not there."""
    with pytest.raises(UndefinedError, match="more"):
        render(template, text="x")


def test_pieces_are_made_one_after_the_other(template: Path):
    """A value that is an iterator is read as far as the page is."""
    read = []

    def numbers():
        for number in range(1000):
            read.append(number)
            yield str(number)

    pieces = render_pieces(template, text="x", more=numbers())
    while not read:
        next(pieces)

    assert read == [0]


def test_no_template_turns_escaping_off():
    """No page of the package marks a value as safe."""
    pages = list((Path(__file__).parents[2] / "qaviz").glob("**/*.html"))

    assert len(pages) >= 2
    assert [
        page.name for page in pages if any(word in page.read_text("utf-8") for word in ("safe", "autoescape"))
    ] == []
