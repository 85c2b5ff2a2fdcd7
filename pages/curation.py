"""What is wrong with the golden dataset, what would mend it, what that would change, and who changed what."""

import streamlit as st

from qaviz.store.audit_log import Deed
from qaviz.ui.curation import edit_by_hand, pick_findings, show_findings
from qaviz.ui.curation_state import CurationView, open_golden, show_act, show_state
from qaviz.ui.golden_history import show_history
from qaviz.ui.review_progress import reviews_of
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.filters import pick
from qaviz.ui.widgets.page_setup import open_page, workspace
from qaviz.ui.widgets.person import pick_person
from qaviz.ui.widgets.text import show_sentences

shown = open_page("Curation")
curating = open_golden(shown)
show_state(curating)
with st.container(horizontal=True, gap="medium"):
    view = pick(url_state.CURATE, "What to show", list(CurationView), str)
    person = pick_person("edits", "accept, change or reject", Deed.ACCEPT, workspace(), line=curating.version.line)
show_sentences("reviews", reviews_of(shown.run))
show_act()

if view == CurationView.FINDINGS:
    show_findings(curating, pick_findings(curating), person)
elif view == CurationView.TABLE:
    edit_by_hand(curating, person)
else:
    show_history(curating, person)
