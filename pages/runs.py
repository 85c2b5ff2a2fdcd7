"""All runs of the workspace: find one, say what it is, verify, archive or delete it; and who did what."""

import streamlit as st

from qaviz.store.audit_log import Deed
from qaviz.store.run_records import run_table
from qaviz.ui.runs import RunsView, pick_runs_view, show_audit, show_record, show_runs
from qaviz.ui.widgets.page_setup import open_frame, pick_run
from qaviz.ui.widgets.person import may, person_for, workspace
from qaviz.ui.widgets.url_state import LOAD

open_frame("Runs")
pick_run()
runs = run_table(workspace())
with st.container(horizontal=True, gap="medium"):
    view = pick_runs_view(runs)
    changes = view != RunsView.AUDIT
    person = person_for(Deed.NOTE, "change, archive or delete runs") if changes else None

if changes:
    if may(Deed.IMPORT):
        st.page_link(LOAD.file, label="Load a golden dataset and responses", icon=":material/upload_file:")
    show_record(runs, person)
    show_runs(runs, view)
else:
    show_audit()
