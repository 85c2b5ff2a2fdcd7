"""People review a golden dataset by its risk: the plan, one triplet after the other, and what the review has shown."""

import streamlit as st

from qaviz.store.audit_log import Deed
from qaviz.ui.review import ReviewView, pick_dataset, pick_session, show_review
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.filters import pick
from qaviz.ui.widgets.page_setup import LOAD_PAGE, offer_run, open_frame, workspace
from qaviz.ui.widgets.person import pick_person

open_frame("Review")
run = offer_run()
bar = st.container(horizontal=True, gap="medium", vertical_alignment="top")
with bar:
    version = pick_dataset(run)
if version is None:
    with st.container(border=True):
        st.markdown("No golden dataset yet. Load one with responses, or generate one from documents.")
        st.page_link(LOAD_PAGE, label="Load a golden dataset and responses", icon=":material/upload_file:")
        st.page_link("pages/generate.py", label="Generate from documents", icon=":material/auto_awesome:")
    st.stop()
with bar:
    sessions, session = pick_session(version)
    person = pick_person("decisions", "classify, read or adjudicate", Deed.REVIEW, workspace(), line=version.line)
view = pick(url_state.REVIEW, "What to show", list(ReviewView), str)
show_review(view, version, sessions, session, run, person)
