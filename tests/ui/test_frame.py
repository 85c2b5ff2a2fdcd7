"""What every page does, whatever it shows."""

import gc
from pathlib import Path

import pytest

from qaviz.analysis.glossary import WORDS
from qaviz.model.columns import RECALL
from qaviz.model.metrics import METRICS, QUADRANTS
from qaviz.store.workspace import Workspace
from qaviz.ui.widgets.url_state import PLACES
from tests.screen import open_page, texts


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


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize("place", [place.name for place in PLACES])
def test_every_place_says_what_it_is(place: str):
    """The panel is closed at first; opened, it has the catalogue's texts, and on places with scores the quadrants."""
    app = open_page(place)
    assert "High, and wrong" not in texts(app)
    app.session_state["what_is_this"] = True
    said = texts(app.run())
    has_scores = place not in ("golden", "judges", "runs", "load")
    word = WORDS["judge" if place == "judges" else "golden dataset"]
    definition = METRICS[RECALL].guide.definition if has_scores else word
    assert definition in said
    assert (QUADRANTS[0].reading in said) == has_scores
