"""Files to a run: upload, look, map columns, score and save; and what loading listed."""

from pathlib import Path

import streamlit as st

from qaviz.loading import GOLDEN, RESPONSES
from qaviz.ui.asking_pipelines import offer_asking
from qaviz.ui.importing import offer_import, show_import
from qaviz.ui.mapping import map_columns, show_profiles
from qaviz.ui.upload import is_new, load_sample, open_new, pick_files, show_listed
from qaviz.ui.widgets.page_setup import open_frame, pick_run

SAMPLE = Path(__file__).parents[1] / "sample_data"

open_frame("Load data")
run = pick_run()
st.markdown(
    "A run is a golden dataset and the responses of your pipelines, scored. Files stay on this machine. "
    "JSON Lines, CSV, Parquet or Excel."
)
golden, responses = pick_files()
mapped = None

if golden:
    mapped = map_columns(golden, GOLDEN, "golden_columns")
    others = [map_columns(each, RESPONSES, f"columns_{place}") for place, each in enumerate(responses)]
    ready = [each for each in others if each]
    if mapped and len(ready) == len(responses):
        offer_import(mapped, ready)
elif run is None and st.button("Try it with the sample data", icon=":material/science:"):
    open_new(load_sample(SAMPLE))

imported = show_import()
if imported:
    open_new(imported)
if not responses:
    offer_asking(run, mapped)
show_profiles()
if run and (not (golden or responses) or is_new(run)):
    show_listed(run)
