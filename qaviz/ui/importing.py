"""An import beside the pages: started on Load data, shown while it goes on, opened when it is done."""

from collections.abc import Sequence
from dataclasses import asdict

import streamlit as st

from qaviz import runs
from qaviz.analysis.threshold_words import THRESHOLD_WORDS
from qaviz.background import Job
from qaviz.model.errors import QavizError
from qaviz.model.records import Run, Thresholds
from qaviz.ui.mapping import Mapped
from qaviz.ui.widgets.jobs import show_job, show_why_no_result
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import name_field, remember_person
from qaviz.ui.widgets.text import show_problems

IMPORT = "import"
"""Session key of the import that goes on, or whose outcome was not yet shown."""

QUIET_S = 2.0
"""An import that ends within this time shows no progress."""


def offer_import(
    golden: Mapped,
    responses: Sequence[Mapped],
) -> None:
    """Draw the name, the thresholds and the start of an import; nothing while one goes on."""
    if IMPORT in st.session_state:
        return
    with st.form("save", border=False):
        left, right = st.columns(2)
        name = left.text_input("Name of the run", placeholder="June release")
        with right:
            said = name_field("runs")
        thresholds = _thresholds()
        wanted = st.form_submit_button("Score and save", type="primary", icon=":material/play_arrow:")
    if not wanted:
        return
    home = workspace()
    try:
        person = remember_person(said)
        home.refuse_name(name)
    except QavizError as error:
        show_problems(error)
        return
    job = Job(
        lambda progress, cancelled: runs.import_files(
            golden.source,
            [each.source for each in responses],
            home,
            name,
            golden_mapping=golden.mapping,
            response_mappings=[each.mapping for each in responses] or None,
            thresholds=thresholds,
            by=person,
            progress=progress,
            cancelled=cancelled,
        )
    )
    st.session_state[IMPORT] = job
    with st.spinner("Reading the files"):
        job.wait(QUIET_S)
    st.rerun()


def show_import() -> Run | None:
    """Draw how far the import is, with a button that cancels it, or what kept it from being one.

    Returns the run once, when there is one. It goes on while the reader is elsewhere.
    """
    job: Job[Run] | None = st.session_state.get(IMPORT)
    if job is None:
        return None
    if job.running:
        show_job(job)
        return None
    del st.session_state[IMPORT]
    show_why_no_result(
        job, cancelled="Cancelled. Nothing was saved.", broke_off="The import broke off, and nothing was saved."
    )
    return job.result


def _thresholds() -> Thresholds:
    """Draw the thresholds of a new run, folded away: the usual ones do to begin with."""
    usual = asdict(Thresholds())
    with st.expander("Thresholds of the diagnoses", icon=":material/tune:"):
        columns = st.columns(len(usual))
        return Thresholds(
            **{
                name: column.number_input(
                    THRESHOLD_WORDS[name].label, 0.0, 1.0, value, 0.05, help=THRESHOLD_WORDS[name].help
                )
                for column, (name, value) in zip(columns, usual.items(), strict=True)
            }
        )
