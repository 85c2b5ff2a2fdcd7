"""What every page does, whatever it shows."""

import gc

import pytest
import streamlit as st

from qaviz.analysis.glossary import WORDS
from qaviz.model.columns import RECALL
from qaviz.model.metrics import METRICS, QUADRANTS
from tests.screen import open_page, texts


@pytest.mark.usefixtures("shown")
def test_garbage_collection_passes_over_modules():
    """Once the app has been open, what Streamlit collects after a rerun is a small part of all objects."""
    gc.unfreeze()  # tests/conftest.py froze what was there
    st.cache_resource.clear()
    assert not open_page().exception
    assert not open_page().exception
    assert len(gc.get_objects()) < gc.get_freeze_count() / 3


@pytest.mark.usefixtures("shown")
@pytest.mark.parametrize("place", ["compare", "judges", "golden"])
def test_every_place_says_what_it_is(place: str):
    """The panel is closed at first; opened, it has the catalogue's texts, and on places with scores the quadrants."""
    app = open_page(place)
    guide = METRICS[RECALL].guide
    assert guide.definition not in texts(app)
    app.session_state["what_is_this"] = True
    said = texts(app.run())
    has_scores = place not in ("golden", "judges", "runs", "load")
    word = WORDS["judge" if place == "judges" else "golden dataset"]
    definition = guide.definition if has_scores else word
    assert definition in said
    assert (QUADRANTS[0].reading in said) == has_scores
