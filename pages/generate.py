"""A golden dataset from documents: a model writes triplets, and each is proved in its passage; or drafted by hand."""

from pathlib import Path

import streamlit as st

from qaviz.store.audit_log import Deed
from qaviz.ui.generate_form import offer_generation, pick_documents, show_collection, show_drafts
from qaviz.ui.widgets.page_setup import offer_run, open_frame, workspace
from qaviz.ui.widgets.person import pick_person

SAMPLE = Path(__file__).parents[1] / "sample_data"

open_frame("Generate")
offer_run()
st.markdown(
    "A golden dataset from documents: a model writes questions about each passage, and every answer is proved in its "
    "passage before you see it. Rejected triplets are listed with the reason."
)
collection, is_sample = pick_documents(workspace(), SAMPLE)
if collection:
    show_collection(collection)
    person = pick_person("dataset", "keep triplets", Deed.GENERATE, workspace())
    with_model, by_hand = st.tabs(["With a model", "Draft by hand"])
    with with_model:
        offer_generation(workspace(), collection, SAMPLE if is_sample else None, person)
    with by_hand:
        show_drafts(workspace(), collection, person)
