"""What stands beside the title of every page: search over pages, runs and questions, a copied link, views, keys."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import day
from qaviz.model.columns import QUESTION, QUESTION_ID
from qaviz.model.records import Run
from qaviz.model.visible import visible
from qaviz.store import SavedView
from qaviz.ui.widgets.components import declare_component

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
