"""The decision pack of a run as a download, in the format that the reader picks."""

from datetime import UTC, datetime
from functools import partial
from io import BytesIO

import streamlit as st

from qaviz.exports.decision_pack import FORMATS, gather_from, name_file, writer
from qaviz.store import Workspace
from qaviz.ui.widgets.page_setup import OpenRun, workspace
from qaviz.ui.widgets.person import person_said


def offer_decision_pack(shown: OpenRun) -> None:
    """Draw a button that opens one button a format; a pack is made when its button is pressed."""
    with st.popover("Decision pack", icon=":material/download:"):
        for suffix, name in FORMATS.items():
            st.download_button(
                f"{name} ({suffix})",
                data=partial(_write_pack, workspace(), shown, suffix),
                file_name=name_file(shown.run, datetime.now(UTC), suffix),
                on_click="ignore",
                width="stretch",
            )


def _write_pack(home: Workspace, shown: OpenRun, suffix: str) -> bytes:
    home.note_export(f"decision pack {suffix}", run=shown.run.run_id, by=person_said())
    content = gather_from(home, shown.run, datetime.now(UTC))
    stream = BytesIO()
    writer(suffix)(content, stream)
    return stream.getvalue()
