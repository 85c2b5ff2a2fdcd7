"""An import beside the pages: started on Load data, shown while it goes on, opened when it is done."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import date
from typing import NoReturn

import streamlit as st

from qaviz import runs
from qaviz.analysis.threshold_words import THRESHOLD_WORDS
from qaviz.background import Job
from qaviz.model.errors import QavizError, count_problems
from qaviz.model.records import Run, Thresholds
from qaviz.ui.mapping import Mapped
from qaviz.ui.widgets.jobs import show_job, show_why_no_result
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import name_field, remember_person
from qaviz.ui.widgets.text import show_problems

IMPORT = "import"
"""Session key of the import that goes on, or whose outcome was not yet shown."""

REFUSED, REFUSED_FILES = "import_refused", "import_refused_files"
"""Session keys of why the last import was refused, and of the files that it was to load."""

NAME_FIELD, TYPED_NAME, SUGGESTED_NAME = "run_name", "run_name_typed", "run_name_suggested"
"""Session keys of the run's name: of the field, of what was typed into it, and of what it was filled with."""

QUIET_S = 2.0
"""An import that ends within this time shows no progress."""


def offer_import(golden: Mapped, responses: Sequence[Mapped]) -> None:
    """Draw the name, the thresholds and the start of an import; nothing while one goes on.

    What was refused stands below, with a button that loads the good rows where the others can be left out.
    """
    refused = _refusal([golden, *responses])
    if IMPORT in st.session_state:
        return
    with st.form("save", border=False):
        left, right = st.columns(2)
        name = left.text_input("Name of the run", key=_prefilled(golden, responses))
        with right:
            said = name_field("runs")
        keep_errors = _keep_errors()
        thresholds = _thresholds()
        wanted = st.form_submit_button("Score and save", type="primary", icon=":material/play_arrow:")
    st.session_state[TYPED_NAME] = name
    skip_bad = False
    if refused and not wanted:
        show_problems(refused)
        skip_bad = refused.only_in_rows and st.button(
            f"Load the good rows, list the other {count_problems(refused):,}", icon=":material/playlist_remove:"
        )
    if not (wanted or skip_bad):
        return
    try:
        person = remember_person(said)
        workspace().refuse_name(name)
    except QavizError as error:
        show_problems(error)
        return
    files = [
        replace(each, source=replace(each.source, skip_bad=skip_bad, keep_errors=keep_errors))
        for each in (golden, *responses)
    ]
    _start(files[0], files[1:], name, thresholds, person)


def _start(golden: Mapped, responses: Sequence[Mapped], name: str, thresholds: Thresholds, by: str | None) -> NoReturn:
    home = workspace()
    job = Job(
        lambda progress, cancelled: runs.import_files(
            runs.ImportRequest(
                name=name,
                golden=replace(golden.source, mapping=golden.mapping),
                responses=tuple(replace(each.source, mapping=each.mapping) for each in responses),
                thresholds=thresholds,
                by=by,
            ),
            home,
            progress,
            cancelled,
        )
    )
    st.session_state[IMPORT] = job
    st.session_state[REFUSED_FILES] = _names([golden, *responses])
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
        job, cancelled="Cancelled. Nothing was saved.", broke_off="The import stopped. Nothing was saved."
    )
    if job.result:
        st.session_state.pop(TYPED_NAME, None)
    return job.result


def _refusal(files: Sequence[Mapped]) -> QavizError | None:
    """Why the last import of these very files was refused; it is no longer in the way of the form then."""
    job: Job[Run] | None = st.session_state.get(IMPORT)
    if job and not job.running and job.refusal:
        st.session_state[REFUSED] = job.refusal
        del st.session_state[IMPORT]
    refused: QavizError | None = st.session_state.get(REFUSED)
    return refused if st.session_state.get(REFUSED_FILES) == _names(files) else None


def _names(files: Sequence[Mapped]) -> list[str]:
    return [f"{each.source.name} {hash(each.source.data)} {each.mapping}" for each in files]


def _prefilled(golden: Mapped, responses: Sequence[Mapped]) -> str:
    """The key of the field for the run's name, filled with what was typed, else with the name of the files."""
    suggested = f"{(responses[0] if responses else golden).source.stem} {date.today():%Y-%m-%d}"
    before = st.session_state.get(SUGGESTED_NAME)
    if NAME_FIELD not in st.session_state:
        st.session_state[NAME_FIELD] = st.session_state.get(TYPED_NAME, suggested)
    if st.session_state[NAME_FIELD] == before:
        st.session_state[NAME_FIELD] = suggested
    st.session_state[SUGGESTED_NAME] = suggested
    return NAME_FIELD


def _keep_errors() -> bool:
    return st.checkbox(
        "Score error messages of pipelines as answers",
        help="Responses such as `ERROR: 404` or a traceback are missing responses otherwise: listed, and not graded.",
    )


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
