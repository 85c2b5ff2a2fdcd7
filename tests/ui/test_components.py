"""The components of our own: what a page asks of each of them."""

import re
from pathlib import Path

import pytest

from qaviz.ui import widgets

FOLDER = Path(widgets.__file__).parent
ISOLATED = sorted(
    f"{name}.js"
    for file in FOLDER.parent.rglob("*.py")
    for name, rest in re.findall(r'= declare_component\("(\w+)"(.*)\)', file.read_text("utf-8"))
    if "isolate_styles=False" not in rest
)


@pytest.mark.parametrize("script", ISOLATED)
def test_a_component_says_that_it_is_drawn(script: str):
    """On a page's first paint what stands below a component waits until its script says so: each of them does."""
    assert 'parentElement.host.dataset.drawn = ""' in (FOLDER / script).read_text("utf-8")
