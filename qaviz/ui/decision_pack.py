"""The decision pack of a run as a download, in the format that the reader picks."""

from datetime import UTC, datetime
from functools import partial
from io import BytesIO

import streamlit as st

from qaviz.analysis.policy import criteria_in_force
from qaviz.exports.decision_pack import FORMATS, gather, writer
from qaviz.store import Workspace, kept_labels
from qaviz.ui.widgets.page_setup import OpenRun, workspace


def offer_decision_pack(shown: OpenRun) -> None:
    """Draw a button that opens one button a format; a pack is made when its button is pressed."""
    with st.popover("Decision pack", icon=":material/download:"):
        for suffix, name in FORMATS.items():
            st.download_button(
                f"{name} ({suffix})",
                data=partial(_packed, workspace(), shown, suffix),
                file_name=f"decision-pack-{shown.run.run_id}{suffix}",
                on_click="ignore",
                width="stretch",
            )


def _packed(home: Workspace, shown: OpenRun, suffix: str) -> bytes:
    content = gather(
        shown.run,
        shown.golden,
        shown.rows,
        made_at=datetime.now(UTC),
        verified=home.verified(shown.run),
        labels=kept_labels(home, shown.run),
        criteria=criteria_in_force(home),
    )
    stream = BytesIO()
    writer(suffix)(content, stream)
    return stream.getvalue()
