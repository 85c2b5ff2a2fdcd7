"""Map of the app: which pages there are, in which sections of the menu."""

import streamlit as st

from qaviz.ui.widgets.page_setup import navigate, to_overview

# The icons stand in the titles: as a page's `icon` the browser would fetch them for its tab, from Google. An en space
# keeps a distance that markdown does not swallow.
REPORT = [
    st.Page("pages/overview.py", title=":material/space_dashboard:\u2002Overview", url_path="", default=True),
    st.Page("pages/compare.py", title=":material/balance:\u2002Compare"),
    st.Page("pages/history.py", title=":material/timeline:\u2002History"),
    st.Page("pages/factual_knowledge.py", title=":material/fact_check:\u2002Factual Knowledge"),
    st.Page("pages/closeness_conciseness.py", title=":material/scatter_plot:\u2002Closeness vs conciseness"),
]
INVESTIGATE = [
    st.Page("pages/diagnostics.py", title=":material/troubleshoot:\u2002Diagnostics"),
    st.Page("pages/question.py", title=":material/quiz:\u2002Question"),
    st.Page("pages/judges.py", title=":material/gavel:\u2002Judges"),
]
CURATE = [
    st.Page("pages/generate.py", title=":material/auto_awesome:\u2002Generate"),
    st.Page("pages/review.py", title=":material/reviews:\u2002Review"),
    st.Page("pages/curation.py", title=":material/edit_note:\u2002Curation"),
    st.Page("pages/flywheel.py", title=":material/cycle:\u2002Flywheel"),
]
MANAGE = [
    st.Page("pages/runs.py", title=":material/inventory_2:\u2002Runs"),
    st.Page("pages/load_data.py", title=":material/upload_file:\u2002Load data"),
    st.Page("pages/verify.py", title=":material/rule:\u2002Verify"),
    st.Page("pages/glossary.py", title=":material/dictionary:\u2002Glossary"),
]
# Streamlit serves the default page at the root alone, and keeps the path of its file for it unless told otherwise.
REDIRECTS = [st.Page(to_overview, title="Overview", url_path="overview", visibility="hidden")]

navigate({"Report": REPORT, "Investigate": INVESTIGATE, "Curate": CURATE, "Manage": MANAGE, "": REDIRECTS})
