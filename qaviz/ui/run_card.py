"""One run's card: what people say of it, where it comes from, and the archive, deletion and their undo."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import day, moment, plural
from qaviz.analysis.run_list import provenance_lines
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.model.visible import plain
from qaviz.store.names import LONGEST_NAME
from qaviz.store.run_records import (
    LONGEST_NOTES,
    MOST_TAGS,
    RunRecord,
    RunState,
    archive,
    delete,
    describe,
    find_record,
    unarchive,
    undelete,
)
from qaviz.ui.scores_on_demand import show_verification
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import keep_outcome, offer_act, show_outcome
from qaviz.ui.widgets.places import VERIFY
from qaviz.ui.widgets.table import Column, Row, show_table, text_cell
from qaviz.ui.widgets.text import describe_questions, show_problems

DONE = "runs_done"
"""Session key of what came of the last act."""

Act = Callable[[str], None]
"""Does something in the name of a person."""


@dataclass(frozen=True, kw_only=True)
class _Done:
    run_id: str
    words: str
    undo: Act | None = None


def show_done(person: str | None) -> None:
    """Draw what came of the last act, with its undo, or the problems to fix."""
    done = st.session_state.get(DONE)
    if isinstance(done, QavizError):
        show_outcome(DONE)
    elif done and done.run_id == url_state.value(url_state.CHOSEN):
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(":material/check:", width="content")
            st.text(done.words)
            if done.undo:
                undo = partial(_act, done.run_id, done.undo, "Undone.", None)
                offer_act("Undo", "run_taken_back", "undo", undo, person)


@keep_outcome(DONE)
def _act(run_id: str, act: Act, done_words: str, undo: Act | None, person: str) -> _Done:
    """Do it in the person's name: for a button."""
    act(person)
    return _Done(run_id=run_id, words=done_words, undo=undo)


def show_record(runs: pl.DataFrame, opened: Run | None, person: str | None) -> None:
    """Draw the card of the run that the URL names; of the open run where the URL asks to verify it and names none."""
    verifying = url_state.value(url_state.TAB) == VERIFY
    chosen = url_state.value(url_state.CHOSEN) or (opened.run_id if opened and verifying else None)
    if chosen is None:
        return
    try:
        record = find_record(workspace(), chosen)
    except QavizError as error:
        show_problems(error)
        st.button("Close", key="card_close", icon=":material/close:", on_click=_close)
        return
    with st.container(border=True):
        _show_head(record)
        if record.state == RunState.DELETED:
            _offer_return(record, person)
        else:
            _edit(record, runs["tags"].explode().drop_nulls().unique().to_list(), person)
            _offer_acts(record, person)
            _offer_verification(record.run, opened=verifying)
        _show_provenance(record, runs)


def _close() -> None:
    url_state.write(url_state.CHOSEN)
    url_state.write(url_state.TAB)


def _offer_verification(run: Run, *, opened: bool) -> None:
    """Draw the check of the run's scores by the installed FMEval, folded away unless the URL asks for it."""
    panel = st.expander("Verify with FMEval", opened, icon=":material/rule:", on_change="rerun", key="verify_panel")
    if panel.open:
        with panel:
            st.markdown(
                "qaviz computes FMEval's scores by itself, because FMEval is slow. Here FMEval scores the responses "
                "again, in a process of its own, and every score is compared bit for bit. You may leave this page "
                "meanwhile."
            )
            show_verification(run)


def _show_head(record: RunRecord) -> None:
    run = record.run
    with st.container(horizontal=True, vertical_alignment="top"):
        st.subheader(plain(run.name), anchor=False)
        st.button("Close", key="card_close", icon=":material/close:", on_click=_close, type="tertiary")
    words = (
        f"{run.run_id}: {describe_questions(run, workspace())}, {plural(len(run.pipelines), 'pipeline')}, "
        f"{plural(run.responses, 'response')}, scored {moment(run.created_at)}.{_explain_state(record)}"
    )
    st.caption(plain(words))


def _explain_state(record: RunRecord) -> str:
    if record.deleted_at:
        return f" Deleted by {record.deleted_by} on {day(record.deleted_at)}. Its files stay until it is purged."
    if record.archived_at:
        return f" Archived by {record.archived_by} on {day(record.archived_at)}."
    return ""


def _edit(record: RunRecord, all_tags: list[str], person: str | None) -> None:
    """Draw the fields for name, owner, tags and notes. Only what the reader changes is written."""
    run = record.run
    # A record that somebody has changed has fields of its own, which show what it says now.
    key = f"{run.run_id}_{hash((run.name, record.owner, record.tags, record.notes))}"
    with st.form(f"record_{key}", border=False):
        left, middle, right = st.columns(3, gap="small")
        left.text_input("Name", run.name, key=f"name_{key}", max_chars=LONGEST_NAME)
        middle.text_input("Owner", record.owner or "", key=f"owner_{key}", max_chars=LONGEST_NAME)
        right.multiselect(
            "Tags",
            sorted({*all_tags, *record.tags}),
            list(record.tags),
            key=f"tags_{key}",
            accept_new_options=True,
            max_selections=MOST_TAGS,
            placeholder="None yet",
        )
        st.text_area("Notes", record.notes, key=f"notes_{key}", max_chars=LONGEST_NOTES, height=80)
        st.form_submit_button(
            "Save", icon=":material/save:", on_click=_save, args=(record, key, person or ""), disabled=not person
        )


def _save(seen: RunRecord, key: str, person: str) -> None:
    fields = {name: st.session_state[f"{name}_{key}"] for name in ("name", "owner", "notes")}
    before = {"name": seen.run.name, "owner": seen.owner or "", "notes": seen.notes}
    changed = {name: text for name, text in fields.items() if text.strip() != before[name]}
    tags = st.session_state[f"tags_{key}"]
    changed["add_tags"] = [tag for tag in tags if tag not in seen.tags]
    changed["remove_tags"] = [tag for tag in seen.tags if tag not in tags]
    run_id = seen.run.run_id
    _act(run_id, lambda who: describe(workspace(), run_id, who, **changed), "Saved.", None, person)


def _offer_acts(record: RunRecord, person: str | None) -> None:
    run_id, name = record.run.run_id, record.run.name
    put, take = partial(archive, workspace(), run_id), partial(unarchive, workspace(), run_id)
    remove, back = partial(delete, workspace(), run_id), partial(undelete, workspace(), run_id)
    draw = partial(_draw_act, run_id, person)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        url_state.draw_link("Open in Overview", "overview", run=run_id)
        if record.state == RunState.ARCHIVED:
            draw("Restore from the archive", "unarchive", take, f"“{name}” is back in the lists.", put)
        else:
            draw("Archive", "archive", put, f"“{name}” is archived: in no list, still opened by links.", take)
        draw("Delete", "delete", remove, f"“{name}” is deleted: no list and no link shows it.", back)


def _draw_act(run_id: str, person: str | None, label: str, icon: str, act: Act, done_words: str, undo: Act) -> None:
    offer_act(label, f"run_{icon}", icon, partial(_act, run_id, act, done_words, undo), person)


def _offer_return(record: RunRecord, person: str | None) -> None:
    run_id = record.run.run_id
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        name = st.text_input("Name", record.run.name, key=f"return_{run_id}", max_chars=LONGEST_NAME, width=320)
        back, remove = partial(undelete, workspace(), run_id, name=name), partial(delete, workspace(), run_id)
        _draw_act(run_id, person, "Restore", "undo", back, f"“{name.strip()}” is back in the lists.", remove)
    st.caption("To delete runs for good: `python -m qaviz runs purge` lists them, and `--yes` removes them.")


def _show_provenance(record: RunRecord, runs: pl.DataFrame) -> None:
    number = runs.filter(pl.col("run_id") == record.run.run_id)["golden_number"].item()
    with st.expander("Origin", icon=":material/account_tree:"):
        rows = [Row(cells=[head, text_cell(words, whole=True)]) for head, words in provenance_lines(record, number)]
        columns = ("What", Column(label="It is", wide=True))
        show_table("provenance", "Origin of the run", columns, rows, short=True)
