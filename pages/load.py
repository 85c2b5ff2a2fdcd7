"""Files to a run: upload, look, map columns, score and save; and what loading listed."""

from pathlib import Path

import streamlit as st

from qaviz.runs import import_sample
from qaviz.ui.load_data import is_new, offer_asking, offer_import, open_new, pick_files, show_import, show_listed
from qaviz.ui.mapping import find_question_file, map_files
from qaviz.ui.widgets.page_setup import open_frame, pick_run
from qaviz.ui.widgets.person import workspace

SAMPLE = Path(__file__).parents[1] / "sample_data"

open_frame("Load")
run = pick_run()
st.markdown(
    "A run is a golden dataset and the responses of your pipelines, scored. Files stay on this machine. "
    "JSON Lines, CSV, Parquet or Excel."
)
picked = pick_files()

imported = show_import(form=bool(picked.files))
if imported:
    open_new(imported, picked.files)
if picked.files:
    mapped = map_files(picked)
    offer_import(mapped or picked, ready=mapped is not None)
elif run is None and st.button("Try it with the sample data", icon=":material/science:"):
    open_new(import_sample(SAMPLE, workspace()))
questions = find_question_file(picked)
if questions or not picked.files:
    offer_asking(run, questions)
if run and (not picked.files or is_new(run, picked.files)):
    show_listed(run, new=is_new(run, picked.files))
