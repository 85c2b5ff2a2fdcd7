"""Files to a run: upload, look, map columns, score and save; and what loading listed."""

from pathlib import Path

import streamlit as st

from qaviz import ui
from qaviz.loading import GOLDEN, RESPONSES

SAMPLE = Path(__file__).parents[1] / "sample_data"

ui.open_frame("Load data")
run = ui.pick_run()
st.markdown(
    "A run is a golden dataset and the responses of your pipelines, scored. Files stay on this machine. "
    "JSON Lines, CSV, Parquet and Excel will do."
)
golden, responses = ui.pick_files()

if golden:
    mapped = ui.map_columns(golden, GOLDEN, "golden_columns")
    others = [ui.map_columns(each, RESPONSES, f"columns_{place}") for place, each in enumerate(responses)]
    ready = [each for each in others if each]
    if mapped and len(ready) == len(responses):
        ui.offer_import(mapped, ready)
elif run is None and st.button("Try it with the sample data", icon=":material/science:"):
    ui.open_new(ui.load_sample(SAMPLE))

imported = ui.show_import()
if imported:
    ui.open_new(imported)
ui.show_profiles()
if run:
    ui.show_listed(run)
