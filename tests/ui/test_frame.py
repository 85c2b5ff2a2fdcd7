"""What every page does, whatever it shows."""

import gc

import pytest

from tests.screen import open_page

FEW = 10_000
"""Objects; the modules that a page needs hold twenty times as many."""


@pytest.mark.usefixtures("sample")
def test_a_page_leaves_little_to_garbage_collection():
    """Once the app has been open, what Streamlit collects after every rerun is no longer each module's objects."""
    assert not open_page().exception
    assert not open_page().exception
    assert len(gc.get_objects()) < FEW
