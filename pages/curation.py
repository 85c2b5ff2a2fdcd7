"""What is wrong with the golden dataset, what would mend it, what that would change, and who changed what."""

import streamlit as st

from qaviz import ui

shown = ui.open_page("Curation")
curating = ui.open_golden(shown)
ui.show_state(curating)
with st.container(horizontal=True, gap="medium"):
    view = ui.pick_curation()
    person = ui.pick_person("edits", "accept, change or reject")
ui.show_outcome()

if view == ui.CurationView.FINDINGS:
    ui.show_findings(curating, ui.pick_findings(curating), person)
elif view == ui.CurationView.TABLE:
    ui.edit_by_hand(curating, person)
else:
    ui.show_history(curating, person)
