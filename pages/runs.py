"""All runs of the workspace: find one, say what it is, archive or delete it; and who did what in the workspace."""

import streamlit as st

from qaviz import ui

ui.open_frame("Runs")
ui.offer_run()
runs = ui.all_runs()
with st.container(horizontal=True, gap="medium"):
    view = ui.pick_runs_view(runs)
    changes = view != ui.RunsView.AUDIT
    person = ui.pick_person("changes", "change, archive or delete runs") if changes else None

if changes:
    ui.show_done(person)
    ui.show_record(runs, person)
    ui.show_runs(runs, view)
else:
    ui.show_audit()
