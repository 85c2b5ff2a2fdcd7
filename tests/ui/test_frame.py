"""What every page does, whatever it shows."""

import gc
from pathlib import Path

import pytest

from qaviz.store.workspace import Workspace
from tests.screen import open_page


@pytest.mark.usefixtures("sample")
def test_garbage_collection_passes_over_modules():
    """Once the app has been open, what Streamlit collects after a rerun is a small part of all objects."""
    assert not open_page().exception
    assert not open_page().exception
    assert len(gc.get_objects()) < gc.get_freeze_count() / 3


@pytest.mark.usefixtures("sample")
def test_what_a_page_read_of_a_run_goes_back(workspace: Workspace):
    """The overview reads all rows of its run; once it is drawn, nothing of their mapped file is in memory."""
    assert not open_page().exception

    read = memory_of_files_in(workspace.folder)
    assert read
    assert set(read) == {"0 kB"}


def memory_of_files_in(folder: Path) -> list[str]:
    """What each file below the folder that this process has mapped takes of its memory."""
    said = Path("/proc/self/smaps").read_text("utf-8").splitlines()
    mapped = [place for place, line in enumerate(said) if str(folder.resolve()) in line]
    sizes = [next(line for line in said[place:] if line.startswith("Rss:")) for place in mapped]
    return [size.removeprefix("Rss:").strip() for size in sizes]
