"""Templates of pages: texts are escaped, and nothing is left out in silence."""

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from qaviz.exports.templates import Markup, render, render_pieces
from qaviz.model.visible import visible

HOSTILE = "</title><script>alert('1')</script> \" &amp; \u202e"


@pytest.fixture
def template(tmp_path: Path) -> Path:
    file = tmp_path / "page.html"
    file.write_text(
        '<p title="{{ text }}">{{ text }}</p>{% for each in more %}<i>{{ each }}</i>{% endfor %}\n', "utf-8"
    )
    return file


def test_a_text_stays_a_text(template: Path):
    """In an element and in an attribute each sign of markup is escaped."""
    page = render(template, text=HOSTILE, more=())

    assert page.count("<") == page.count(">") == 2
    assert page.count('"') == 2
    assert page.count("&amp;amp;") == 2


def test_only_markup_of_our_own_is_markup(template: Path):
    """A Markup is written as it is, and the texts beside it are not."""
    page = render(template, text="x", more=(Markup("<b></b>"), "<b></b>"))

    assert "<i><b></b></i><i>&lt;b&gt;&lt;/b&gt;</i>" in page


def test_texts_are_shown_as_asked(template: Path):
    """`show` changes each text before it is escaped: here marks that turn the direction of what follows."""
    page = render(template, show=visible, text=HOSTILE, more=())

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
