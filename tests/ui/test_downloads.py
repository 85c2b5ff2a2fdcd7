"""Downloads: what leaves a workspace by a button of a page is noted in the audit."""

from pathlib import Path

import qaviz


def test_every_download_of_a_page_is_noted():
    """One function draws the buttons that make files of what a workspace holds, and notes who takes them along."""
    files = (Path(qaviz.__file__).parent / "ui").rglob("*.py")
    assert [file.name for file in files if ".download_button(" in file.read_text("utf-8")] == ["person.py"]
