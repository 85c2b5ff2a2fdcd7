"""qaviz.ui.widgets.components: each says that it is drawn, and what came from files stays text."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from qaviz.model.visible import WORD_JOINER, plain
from qaviz.ui import widgets

FOLDER = Path(widgets.__file__).parent
SCRIPTS = sorted(
    f"{name}.js"
    for file in FOLDER.parent.rglob("*.py")
    for name in re.findall(r'= declare_component\("(\w+)"', file.read_text("utf-8"))
)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_component_says_that_it_is_drawn(script: str):
    """On a page's first paint what stands below a component waits until its script says so: each of them does."""
    assert 'parentElement.host.dataset.drawn = ""' in (FOLDER / script).read_text("utf-8")


def rendered(markdown):
    """The text of the one paragraph, and the kinds of everything in it."""
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    inline = [token for token in tokens if token.type == "inline"]
    kinds = {child.type for token in inline for child in token.children or ()}
    shown = "".join(child.content for token in inline for child in token.children or ())
    return shown.replace(WORD_JOINER, ""), kinds, tokens


MARKUP = st.text(st.sampled_from("![]()<>*_`~#-1.|:/&;\\\n x"))


@given(st.text() | MARKUP)
def test_plain_of_any_text(text):
    """No text at all, of signs of markup alone either, becomes markup; it stands there on one line."""
    shown, kinds, _ = rendered(plain(text))

    assert shown.split() == text.replace("\0", "\ufffd").replace(WORD_JOINER, "").split()
    assert kinds <= {"text", "text_special"}
