"""The frame of every page: title, run picker, the run that the page shows; search, a copied link, views and keys."""

import gc
import runpy
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from threading import BoundedSemaphore, Event
from weakref import WeakValueDictionary

import polars as pl
import streamlit as st
from streamlit.navigation.page import Page

from qaviz import __version__
from qaviz.analysis.glossary import terms
from qaviz.analysis.numbers import day, plural
from qaviz.analysis.sentences import verified_sentence
from qaviz.golden.versions import newest_version
from qaviz.model.columns import QUESTION, QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.model.records import Run, default_folder
from qaviz.model.visible import plain, visible
from qaviz.runs import SAMPLE_NAME, import_sample, save_rescored
from qaviz.store.audit_log import Deed
from qaviz.store.settings import SavedView, keep_view, kept_views, remove_view
from qaviz.store.workspace import Workspace, open_workspace
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.components import declare_component, describe_questions, show_problems, show_what_is_this
from qaviz.ui.widgets.filters import pick
from qaviz.ui.widgets.keeping import OpenRun, keep
from qaviz.ui.widgets.person import as_signed_in, may, person_said, show_signed_in
from qaviz.ui.widgets.url_state import BOARD, FOR_EDITORS, LOAD, MOVED, OLD_VIEWS, PLACES, find_place

KEY = "page_tools"

MOST_FOUND = 8
"""Runs, and questions, that a search shows."""
LONGEST_TARGET = 120
"""Characters of a question in the list."""

SHORTCUTS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("Ctrl", "K"), "Search: go to a page, a run, a question, a word of the glossary"),
    (("?",), "These keys"),
    (("←", "→"), "Question, Curation, an open response: the one before, the next one"),
    (("A", "D"), "An open response: agree or disagree with the verdict"),
    (("1", "2", "3"), "An open response: correct, incorrect, declined"),
    (("U",), "An open response, Review: undo the last label or decision"),
    (("Esc",), "An open response: close it"),
    (("A", "E", "D"), "Review: accept, edit, delete"),
    (("W", "Q", "S"), "Review: source is wrong, ask, skip"),
    (("1", "…", "9"), "Review: set a finding; N: note"),
)
"""Keys, and what each does."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """Something that a search opens."""

    id: str
    text: str
    kind: str


def find_targets(query: str, runs: Sequence[Run], golden: pl.DataFrame | None) -> list[Target]:
    """The runs whose name, and the questions whose text or id has what was asked, some of each; none for blanks.

    Ids begin with `run:` or `question:`.
    """
    wanted = query.strip().lower()
    if not wanted:
        return []
    named = [run for run in runs if wanted in run.name.lower()][:MOST_FOUND]
    targets = [Target(id=f"run:{run.run_id}", text=run.name, kind=f"Run, {day(run.created_at)}") for run in named]
    if golden is None:
        return targets
    texts = (pl.col(name).str.to_lowercase().str.contains(wanted, literal=True) for name in (QUESTION, QUESTION_ID))
    questions = golden.lazy().select(QUESTION_ID, QUESTION).filter(pl.any_horizontal(texts)).head(MOST_FOUND).collect()
    return targets + [
        Target(id=f"question:{question_id}", text=visible((text or question_id)[:LONGEST_TARGET]), kind="Question")
        for question_id, text in questions.iter_rows()
    ]


_tools = declare_component("page_tools", '<div class="tools"></div>')


@dataclass(frozen=True, kw_only=True)
class Act:
    """What the reader did with a tool; a browser says it, so it is checked before it is done."""

    kind: str
    """`target`, `view`, `save`, `delete` or `sample`."""
    id: str


def asked_for() -> str:
    """What the reader has typed into the search."""
    return str(getattr(st.session_state.get(KEY), "asked", None) or "")


def act_done() -> Act | None:
    """What the reader has just done: for `on_act`."""
    return read_act(getattr(st.session_state.get(KEY), "act", None))


def read_act(act: object) -> Act | None:
    """What a browser said, if it is an act; None for anything else."""
    if not isinstance(act, Mapping) or not isinstance(act.get("kind"), str) or not isinstance(act.get("id"), str):
        return None
    return Act(kind=act["kind"], id=act["id"])


def draw_tools(
    targets: Sequence[Target],
    targets_found: Sequence[Target],
    views: Sequence[SavedView],
    problem: str,
    on_act: Callable[[], None],
) -> Act | None:
    """Draw the tools; returns what the reader did, once, else None. `problem` is why a view was not saved.

    `on_act` is called before the page runs again for an act.
    """
    data = {
        "targets": [asdict(target) for target in targets],
        "found": [asdict(target) for target in targets_found],
        "asked": asked_for(),
        "views": [
            {"name": view.name, "note": f"{view.page}{f', by {view.saved_by}' if view.saved_by else ''}"}
            for view in views
        ],
        "problem": problem,
        "shortcuts": SHORTCUTS,
    }
    state = _tools(key=KEY, data=data, width=400, on_act_change=on_act, on_asked_change=lambda: None)
    return read_act(state.act)


HERE = Path(__file__).parent


@st.cache_resource(show_spinner=False)
def _workspace(folder: Path) -> Workspace:
    return open_workspace(folder)


def workspace() -> Workspace:
    """The workspace that the environment variable QAVIZ_WORKSPACE names, else `./workspace`, as the visitor may see it.

    Raises QavizError where people sign in, and this visitor has not.
    """
    return as_signed_in(_workspace(default_folder()))


@keep(waiting="Opening the run")
def _open_run(run: Run) -> OpenRun:
    home = workspace()
    mapped = home.mapped_rows(run)
    shown = OpenRun(run=run, golden=home.golden(run.golden_id), rows=mapped.rows, let_go=mapped.let_go)
    _opened[run.run_id] = shown
    return shown


_opened = WeakValueDictionary[str, OpenRun]()
"""Runs that are kept open in this process."""


_mapped = Event()
"""Whether app.py has run in this process."""


PAGES_AT_ONCE, LONGEST_TURN_S = 3, 10.0
"""Pages that run at the same time, and the seconds that another one waits for its turn.

They share one core: more at once are no sooner done, and the event loop, which answers health, waits behind them all.
"""

_turns = BoundedSemaphore(PAGES_AT_ONCE)


def navigate(pages: Sequence[Page], hidden: Sequence[Page]) -> None:
    """Draw the menu and run the page that the URL names, one of these or a hidden one. For app.py alone.

    An error that no part of the page has shown, such as a damaged index, is shown below it. Then the memory that
    reading runs took is given back: the texts of a million responses take 0.4 GB.
    """
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
        for shown in list(_opened.values()):
            shown.let_go()


def _page_to_run(pages: Sequence[Page], hidden: Sequence[Page]) -> Page:
    """Draw the menu of what the visitor may do; returns the page to run. Without a role that is one that says so."""
    try:
        show_signed_in(workspace())
        offered = [page for page in pages if page.url_path not in FOR_EDITORS or may(workspace(), Deed.IMPORT)]
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
        view = find_view(tab, next(iter(parameters.pop(url_state.TAB, [])), ""))
        parameters |= {url_state.VIEW: [view]} if view else {}
    elif tab:
        parameters |= {url_state.TAB: [tab]}
    st.switch_page(f"pages/{place}.py", query_params=parameters)


def find_view(own: str, tab: str) -> str:
    """The board's view for an address of an earlier release, by its path's own view or by its tab; blank for all."""
    return own or OLD_VIEWS.get(tab, "")


def _run_with_menu() -> None:
    """Run app.py, which runs this page with its menu, where Streamlit has started the page alone.

    Streamlit's old router does so, because of the folder `pages` beside app.py, when the first page opened in a session
    is not app.py. Streamlit puts app.py's folder first in the path.
    """
    if not _mapped.is_set():
        runpy.run_module("app")
        st.stop()


def open_frame(title: str) -> str:
    """Draw what every page has: browser title, heading, menu, tabs; returns the open tab, blank for none. For pages
    that need no run."""
    _run_with_menu()
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
        offered = [tab for tab in tabs if tab not in FOR_EDITORS or may(workspace(), Deed.IMPORT)]
        tab = pick(url_state.TAB, f"Parts of {title}", offered, str, hide_label=True) if offered else ""
        show_what_is_this(title)
        _show_tools(title)
    return tab


@st.fragment
def _show_tools(title: str) -> None:
    """Draw the tools beside the title, and do what the reader asks for. As a fragment, a search redraws only them."""
    run, query = _run_in_view(), asked_for()
    targets = [Target(id=f"page:{name}", text=name, kind="Page") for name in _offered_titles()]
    targets += [Target(id="", text=term.name, kind=term.meaning) for term in terms()]
    places_found = find_targets(query, workspace().runs(), _golden_of(run)) if run and query else []
    views = kept_views(workspace(), run) if run else []
    refused = st.session_state.pop(_VIEW_REFUSED, "")
    act = draw_tools(targets, places_found, views, refused, on_act=partial(_change_views, title, run))
    if act and act.kind == "sample":
        sample = next((run for run in workspace().runs() if run.name == SAMPLE_NAME), None)
        sample = sample or import_sample(HERE.parents[2] / "sample_data", workspace())
        st.switch_page(BOARD.file, query_params={url_state.RUN: sample.run_id})
    if act and act.kind == "target":
        _go_to(act.id)
    if act and run and act.kind == "view":
        _open_view(run, next((view for view in views if view.name == act.id), None))


_VIEW_REFUSED = "view_refused"
"""Session key of why a view was not saved."""


def _run_in_view() -> Run | None:
    """The run that the page shows, or will show; None where there is none, or it cannot be found."""
    try:
        named = url_state.value(url_state.RUN)
        return workspace().find(named) if named else next(iter(workspace().runs()), None)
    except QavizError:
        # The page itself says what is wrong.
        return None


def _golden_of(run: Run) -> pl.DataFrame | None:
    """The run's golden dataset; None where its files are damaged."""
    try:
        return _open_run(run).golden
    except QavizError:
        return None


def _change_views(title: str, run: Run | None) -> None:
    """Save the page as it is set up, or delete a view: what the reader asked for."""
    act = act_done()
    if act is None or run is None:
        return
    names = [name for name in url_state.NAMES if name != url_state.RUN and url_state.values(name)]
    try:
        if act.kind == "save":
            keep_view(workspace(), run, act.id, title, {name: url_state.values(name) for name in names}, person_said())
        elif act.kind == "delete":
            remove_view(workspace(), run, act.id, person_said())
    except QavizError as error:
        st.session_state[_VIEW_REFUSED] = str(error)


def _offered_titles() -> list[str]:
    """The titles of the places and tabs that the visitor may use."""
    editing = may(workspace(), Deed.IMPORT)
    return [
        title
        for place in PLACES
        for title in (place.title, *place.tabs)
        if editing or not {title, place.name} & set(FOR_EDITORS)
    ]


def _open_view(run: Run, view: SavedView | None) -> None:
    led = find_place(view.page) if view else None
    if view is None or led is None:
        return
    place, tab = led
    kept = {name: values for name, values in view.parameters.items() if name in url_state.NAMES}
    own_tab = {url_state.TAB: [tab]} if tab else {}
    st.switch_page(place.file, query_params={url_state.RUN: [run.run_id]} | own_tab | kept)


def _go_to(target: str) -> None:
    """Open what the reader found: a place or its tab, a run, or a question."""
    kind, _, name = target.partition(":")
    led = find_place(name) if kind == "page" and name in _offered_titles() else None
    if led:
        st.switch_page(led[0].file, query_params=url_state.link(**{url_state.TAB: led[1]}))
    if kind == "run":
        st.switch_page(BOARD.file, query_params={url_state.RUN: name})
    if kind == "question":
        url_state.follow(
            url_state.href("responses", **{url_state.TAB: url_state.QUESTION_TAB, url_state.QUESTION: name})
        )


def open_page(title: str) -> OpenRun:
    """Draw the frame of a page without tabs and return its run, as `open_run` does."""
    open_frame(title)
    return open_run()


def open_run() -> OpenRun:
    """The run that the URL names, or the newest one, with its tables.

    Where there is no run, or its files are damaged, the page says what to do and stops.
    """
    run = need_run()
    try:
        # The record is read again: the run may have been renamed. Its tables never change.
        return replace(_open_run(run), run=run)
    except QavizError as error:
        show_problems(error)
        st.stop()


def need_run() -> Run:
    """The run that the URL names, or the newest one, for pages that need no table of it.

    Where there is no run, the page says what to do and stops.
    """
    run = pick_run()
    if run is None:
        with st.container(border=True):
            st.markdown("No run yet. A run is a golden dataset and the responses of your pipelines, scored.")
            if may(workspace(), Deed.IMPORT):
                st.page_link(LOAD.file, label="Load a golden dataset and responses", icon=":material/upload_file:")
        st.stop()
    _offer_newer_version(run)
    return run


def _offer_newer_version(run: Run) -> None:
    """Offer to score the run on the newest version of its golden dataset, where that is another one.

    The new run is opened on Compare, against the one that was open: that shows which questions the edits changed.
    """
    try:
        newest = newest_version(workspace(), run.golden_id)
    except QavizError:
        # The part of the page that reads it shows the error.
        return
    if newest.golden_id == run.golden_id or not may(workspace(), Deed.IMPORT) or _is_scored_on(newest.golden_id, run):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="newer_version"):
        st.caption(f"The golden dataset has a newer version, {newest.number}: {plain(newest.why)}.", width="content")
        if st.button("Score the run on it and see what changes", key="score_newest", icon=":material/play_arrow:"):
            try:
                with st.spinner("Scoring"):
                    name = f"{run.name} on version {newest.number}"
                    saved = save_rescored(run, workspace(), newest.golden_id, name, by=person_said())
            except QavizError as error:
                show_problems(error)
                return
            url_state.follow(url_state.href("compare", run=saved.run_id, against=run.run_id))


def _is_scored_on(golden: str, run: Run) -> bool:
    """Whether the workspace has a run on this version with the same pipelines and number of responses."""
    alike = (run.pipelines, run.responses)
    return any(run.golden_id == golden and (run.pipelines, run.responses) == alike for run in workspace().runs())


def pick_run() -> Run | None:
    """Draw the run picker; returns the run that the URL names, or the newest one, None where there is none at all.

    Where the URL names an unknown run, the page says so and stops.
    """
    runs, named = workspace().runs(), url_state.value(url_state.RUN)
    if named is None and not runs:
        return None
    known = next((run for run in runs if run.run_id == named), None)
    run = known or (_find_named_run(named, runs) if named else runs[0])
    _draw_picker(runs, run)
    return run


def _find_named_run(named: str, runs: list[Run]) -> Run:
    try:
        return workspace().find(named)
    except QavizError as error:
        show_problems(error)
        if runs and st.button("Open the newest run", icon=":material/history:"):
            url_state.write(url_state.RUN, runs[0].run_id)
            st.rerun()
        st.stop()


def offer_run() -> Run | None:
    """Draw the run picker on a page that needs no run; returns the run, None where the workspace has none.

    Where the URL names an unknown run, the page says so and goes on with the newest one.
    """
    runs, named = workspace().runs(), url_state.value(url_state.RUN)
    run = next(iter(runs), None)
    try:
        run = workspace().find(named) if named else run
    except QavizError as error:
        # The Runs page shows the card of a deleted run, which says that it is deleted.
        if named != url_state.value(url_state.CHOSEN):
            show_problems(error)
    if run is None:
        url_state.write(url_state.RUN)
    else:
        _draw_picker(runs, run)
    return run


def _draw_picker(runs: list[Run], run: Run) -> None:
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
            f"{describe_questions(run, workspace())}, {plural(len(run.pipelines), 'pipeline')}, "
            f"{plural(run.responses, 'response')}. Scored {day(run.created_at)} by {plain(run.engine)}."
        )
        verified = workspace().find_verification(run)
        if verified:
            st.caption(plain(verified_sentence(verified, run.responses)))
