"""The frame of every page: title, run picker, the run that the page shows."""

import gc
import runpy
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import BoundedSemaphore, Event

import streamlit as st
from streamlit.navigation.page import Page

from qaviz import __version__
from qaviz.analysis.numbers import day, plural
from qaviz.analysis.sentences import verified_sentence
from qaviz.golden.versions import newest_version
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.model.visible import plain
from qaviz.runs import save_rescored
from qaviz.store.audit_log import Deed
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.components import say_problems, show_problems, show_what_is_this
from qaviz.ui.widgets.filters import pick
from qaviz.ui.widgets.keeping import OpenRun, keep
from qaviz.ui.widgets.person import ask_name, may, person_said, show_signed_in, workspace
from qaviz.ui.widgets.url_state import BOARD, FOR_EDITORS, LOAD, MOVED, OLD_VIEWS, PLACES

HERE = Path(__file__).parent

_mapped = Event()
"""Whether app.py has run in this process."""
PAGES_AT_ONCE, LONGEST_TURN_S = 3, 10.0
"""Pages that run at the same time, and the seconds that another one waits for its turn. They share one core: more at
once are no sooner done, and the event loop, which answers health, waits behind them all."""
_turns = BoundedSemaphore(PAGES_AT_ONCE)


@keep(waiting="Opening the run")
def _open_run(run: Run) -> OpenRun:
    home = workspace()
    return OpenRun(run=run, golden=home.golden(run.golden_id), rows=home.mapped_rows(run))


def navigate(pages: Sequence[Page], hidden: Sequence[Page]) -> None:
    """Draw the menu and run the page that the URL names, one of these or a hidden one. For app.py alone. An error that
    no part of the page has shown, such as a damaged index, is shown below it."""
    _spare_modules(len(sys.modules))
    _mapped.set()
    # Who has waited for so long goes on: a page may wait for a file that somebody else reads.
    has_turn = _turns.acquire(timeout=LONGEST_TURN_S)
    try:
        url_state.restore()
        _page_to_run(pages, hidden).run()
    except QavizError as error:
        show_problems(error)
    finally:
        if has_turn:
            _turns.release()


def _page_to_run(pages: Sequence[Page], hidden: Sequence[Page]) -> Page:
    """Draw the menu of what the visitor may do; returns the page to run. Without a role that is one that says so."""
    try:
        show_signed_in()
        offered = [page for page in pages if page.url_path not in FOR_EDITORS or may(Deed.IMPORT)]
    except QavizError as error:
        return st.navigation([st.Page(partial(show_problems, error), title="qaviz")], position="hidden")
    return st.navigation([*offered, *hidden], expanded=True)


@st.cache_resource(show_spinner=False)
def _spare_modules(loaded: int) -> None:  # noqa: ARG001 - once for each number of modules loaded
    """Keep modules out of garbage collection: Streamlit collects at the end of every page, which takes 0.1 s more with
    them."""
    gc.freeze()


def follow_move(path: str) -> None:
    """The page at a path of an earlier release: it goes where that is now, with all parameters of the link."""
    place, tab = MOVED[path]
    parameters = {name: st.query_params.get_all(name) for name in st.query_params}
    if place == BOARD.name:
        tab = tab or OLD_VIEWS.get(next(iter(parameters.pop(url_state.TAB, [])), ""), "")
    if tab:
        parameters[url_state.VIEW if place == BOARD.name else url_state.TAB] = [tab]
    st.switch_page(f"pages/{place}.py", query_params=parameters)


def open_frame(title: str) -> str:
    """Draw what every page has: browser title, heading, menu, tabs; returns the open tab, blank for none. For pages
    that need no run."""
    if not _mapped.is_set():
        # Streamlit's old router started this page alone, as it does for the first page of a session, because of the
        # folder `pages` beside app.py. It puts app.py's folder first in the path: app.py runs this page, with its menu.
        runpy.run_module("app")
        st.stop()
    st.set_page_config(
        page_title=f"{title} · qaviz",
        # A file of our own: Streamlit has the browser fetch a material icon for the tab from Google.
        page_icon=str(HERE / "mark.svg"),
        layout="wide",
        menu_items={"About": f"qaviz {__version__}: what FMEval's question-answering scores mean."},
    )
    # Again, for a page that Streamlit runs without app.py, as its own tests of pages do.
    url_state.restore()
    st.html(HERE / "page_setup.css")
    st.logo(str(HERE / "logo.svg"), icon_image=str(HERE / "mark.svg"), size="large")
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="title_row"):
        st.title(title, anchor=False, width="content")
        tabs = next((place.tabs for place in PLACES if place.title == title), ())
        offered = [tab for tab in tabs if tab not in FOR_EDITORS or may(Deed.IMPORT)]
        tab = pick(url_state.TAB, f"Parts of {title}", offered, hide_label=True) if offered else ""
        show_what_is_this()
    ask_name()
    return tab


def open_page(title: str) -> OpenRun:
    """Draw the frame of a page without tabs and return its run, as `open_run` does."""
    open_frame(title)
    return open_run()


def open_run() -> OpenRun:
    """The run that the URL names, or the newest one, with its tables. Where there is no run, or its files are damaged,
    the page says what to do and stops."""
    run = need_run()
    # The record is read again: the run may have been renamed. Its tables never change.
    return replace(_open_run(run), run=run)


def need_run() -> Run:
    """The run that the URL names, or the newest one, for pages that need no table of it. Where there is no run, the
    page says what to do and stops."""
    run = pick_run(needed=True)
    if run is None:
        with st.container(border=True):
            st.markdown("No run yet. A run is a golden dataset and the responses of your pipelines, scored.")
            if may(Deed.IMPORT):
                st.page_link(LOAD.file, label="Load a golden dataset and responses", icon=":material/upload_file:")
        st.stop()
    _offer_newer_version(run)
    return run


@say_problems
def _offer_newer_version(run: Run) -> None:
    """Offer to score the run on the newest version of its golden dataset, where that is another one. The new run is
    opened on Compare, against the one that was open: that shows which questions the edits changed."""
    try:
        newest = newest_version(workspace(), run.golden_id)
    except QavizError:
        # The part of the page that reads it shows the error.
        return
    done = (newest.golden_id, run.pipelines, run.responses)
    is_scored = any((other.golden_id, other.pipelines, other.responses) == done for other in workspace().runs())
    if newest.golden_id == run.golden_id or is_scored or not may(Deed.IMPORT):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="newer_version"):
        st.caption(f"The golden dataset has a newer version, {newest.number}: {plain(newest.why)}.", width="content")
        if st.button("Score the run on it and see what changes", key="score_newest", icon=":material/play_arrow:"):
            with st.spinner("Scoring"):
                name = f"{run.name} on version {newest.number}"
                saved = save_rescored(run, workspace(), newest.golden_id, name, by=person_said())
            url_state.follow(url_state.href("compare", run=saved.run_id, against=run.run_id))


def pick_run(*, needed: bool = False) -> Run | None:
    """Draw the run picker; returns the run that the URL names, or the newest one, None where there is none at all.
    Where the URL names an unknown run, the page says so; it goes on with the newest one unless the named one is
    `needed`."""
    runs, named = workspace().runs(), url_state.value(url_state.RUN)
    run = next(iter(runs), None)
    try:
        run = workspace().find(named) if named else run
    except QavizError as error:
        # The Runs page shows the card of a deleted run, which says that it is deleted.
        if named != url_state.value(url_state.CHOSEN):
            show_problems(error)
        if needed:
            if run and st.button("Open the newest run", icon=":material/history:"):
                url_state.write(url_state.RUN, run.run_id)
                st.rerun()
            st.stop()
    if run is None:
        url_state.write(url_state.RUN)
        return None
    # A link may open an archived run, which is not in the list.
    names = {option.run_id: option.name for option in (runs if run in runs else [run, *runs])}
    # The URL decides; the widget only shows what it says and writes to it.
    st.session_state["run_picker"] = run.run_id
    url_state.write(url_state.RUN, run.run_id)
    with st.sidebar:
        st.selectbox(
            "Run",
            list(names),
            format_func=names.__getitem__,
            key="run_picker",
            on_change=lambda: url_state.write(url_state.RUN, st.session_state["run_picker"]),
        )
        st.caption(
            f"{plural(run.questions, 'question')}, {plural(len(run.pipelines), 'pipeline')}, "
            f"{plural(run.responses, 'response')}. Scored {day(run.created_at)} by {plain(run.engine)}."
        )
        verified = workspace().find_verification(run)
        if verified:
            st.caption(plain(verified_sentence(verified, run.responses)))
    return run
