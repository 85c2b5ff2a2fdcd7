"""Map of the app. Each page draws its own frame, so that it also stands when it is the first one a browser opens."""

import streamlit as st

REPORT = [
    st.Page("pages/overview.py", title="Overview", icon=":material/space_dashboard:", default=True),
    st.Page("pages/factual_knowledge.py", title="Factual Knowledge", icon=":material/fact_check:"),
    st.Page("pages/closeness_conciseness.py", title="Closeness vs conciseness", icon=":material/scatter_plot:"),
]
INVESTIGATE = [
    st.Page("pages/diagnostics.py", title="Diagnostics", icon=":material/troubleshoot:"),
    st.Page("pages/question.py", title="Question", icon=":material/quiz:"),
]
MANAGE = [st.Page("pages/load_data.py", title="Load data", icon=":material/upload_file:")]

st.navigation({"Report": REPORT, "Investigate": INVESTIGATE, "Manage": MANAGE}).run()
