"""What every page does, whatever it shows."""

import gc

import pytest
import streamlit as st

from tests.screen import open_page


@pytest.mark.usefixtures("shown")
def test_garbage_collection_passes_over_modules():
    """Once the app has been open, what Streamlit collects after a rerun is a small part of all objects."""
    gc.unfreeze()  # tests/conftest.py froze what was there
    st.cache_resource.clear()
    assert not open_page().exception
    assert not open_page().exception
    assert len(gc.get_objects()) < gc.get_freeze_count() / 3
