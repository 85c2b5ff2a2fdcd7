"""Whether the installed FMEval gives the run the same scores."""

import streamlit as st

from qaviz.ui.scores_on_demand import show_verification
from qaviz.ui.widgets.page_setup import open_frame_of_run

run = open_frame_of_run("Verify")
st.markdown(
    "qaviz computes FMEval's scores by itself, because FMEval is slow. Here FMEval scores the responses again, "
    "in a process of its own, and every score is compared bit for bit. You may leave this page meanwhile."
)
show_verification(run)
