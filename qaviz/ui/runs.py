"""The Runs page: the workspace's runs as a list, the card of one with its archive and deletion, and the audit of who
did what and when.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count, day, moment, plural
from qaviz.analysis.run_list import RunOrder, in_run_order, provenance_lines, runs_with
from qaviz.exports.table_files import AUDIT_FORMATS, Format
from qaviz.model.errors import QavizError
from qaviz.model.records import JUDGED_BY, Run
from qaviz.model.visible import plain
from qaviz.report import Column, Kind, Record
from qaviz.store.audit import audit_page, audit_size, check_audit, whole_audit
from qaviz.store.audit_log import Deed
from qaviz.store.run_records import (
    LONGEST_NOTES,
    MOST_TAGS,
    ListedRun,
    RunRecord,
    RunState,
    archive,
    delete,
    describe,
    find_record,
    unarchive,
    undelete,
)
from qaviz.store.tables import LONGEST_NAME
from qaviz.store.workspace import Workspace
from qaviz.ui.history import LEADER_COLUMNS, NOT_LED, list_leaders
from qaviz.ui.scores_on_demand import show_verification
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.components import describe_questions, show_problems
from qaviz.ui.widgets.filters import LONGEST_SEARCH, pick, pick_listed
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import keep_outcome, may, note_download, offer_act, show_outcome
from qaviz.ui.widgets.table import show_frame
from qaviz.ui.widgets.url_state import VERIFY

_RUN_COLUMNS = (
    Column("scored", "Scored", note="{by}"),
    *("pipelines", "tags"),
    Column("golden", "Golden dataset", note="{sizes}"),
    Column("scorer", "Scored by"),
    Column(
        "verified",
        "Verified",
        kind=Kind.MARK,
        by="verification",
        title="{why}",
        help="Whether the installed FMEval gave the same scores at the last check",
    ),
)
ORDER_WIDTH = 220

_AUDIT_COLUMNS = (
    *(Column("number", "Entry"), Column("at", "When"), Column("who", "Who", missing="not given")),
    Column(
        "subject",
        "Verified as",
        missing="nobody",
        help="Who had signed in, or whose token it was; empty where nobody signs in",
    ),
    *("what", Column("detail", "Details", wide=True), "about"),
)


class RunsView(StrEnum):
    """What the Runs page shows."""

    CURRENT = "Current"
    ARCHIVED = "Archived"
    DELETED = "Deleted"
    AUDIT = "Audit"


STATES = {
    RunsView.CURRENT: RunState.CURRENT,
    RunsView.ARCHIVED: RunState.ARCHIVED,
    RunsView.DELETED: RunState.DELETED,
}
_NONE = {
    RunsView.CURRENT: "No run yet. A run is a golden dataset and the responses of your pipelines, scored.",
    RunsView.ARCHIVED: "No run is archived. An archived run is in no list but this one; links to it still open it.",
    RunsView.DELETED: "No run is deleted. A deleted run can be brought back until it is purged.",
}


def pick_runs_view(runs: pl.DataFrame) -> RunsView:
    """Draw the choice of what the page shows, with how many runs each has, kept in the URL."""
    counts = dict(runs["state"].value_counts().iter_rows())

    def in_words(view: RunsView) -> str:
        return f"{view} {count(counts.get(STATES[view], 0))}" if view in STATES else str(view)

    return pick(url_state.RUNS_VIEW, "What to show", list(RunsView), in_words)


def search_field(placeholder: str) -> str:
    """Draw the field of the search, kept in the URL; returns what the reader looks for."""
    key = "runs_search"
    st.session_state[key] = (url_state.value(url_state.SEARCH) or "")[:LONGEST_SEARCH]
    st.text_input(
        "Search",
        key=key,
        type="search",
        on_change=lambda: url_state.write(url_state.SEARCH, *filter(None, [st.session_state[key].strip()])),
        placeholder=placeholder,
        label_visibility="collapsed",
        icon=":material/search:",
    )
    return str(st.session_state[key])


def show_runs(runs: pl.DataFrame, view: RunsView) -> None:
    """Draw the search, the order, and the runs of this view, a page at a time; a row opens its run's card."""
    listed = runs.filter(pl.col("state") == STATES[view])
    if listed.is_empty():
        st.text(_NONE[view] if runs.is_empty() or view != RunsView.CURRENT else "All runs are archived or deleted.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        search = search_field("Search names, owners, tags, notes, pipelines")
        order = pick_listed(url_state.RUN_ORDER, "Order", list(RunOrder), ORDER_WIDTH)
    matching = in_run_order(runs_with(listed, search), order)
    st.caption(plural(matching.height, "run") + (f" of {count(listed.height)}" if search.strip() else ""))
    if matching.is_empty():
        st.text("No run contains all these words. Remove a word to see more.")
        return
    current = view == RunsView.CURRENT

    def describe_page(page: pl.DataFrame) -> list[Record]:
        leaders = list_leaders(page["run_id"].to_list()) if current else {}
        return [_describe_run(ListedRun(*row), view) | leaders.get(row[0], NOT_LED) for row in page.iter_rows()]

    columns = ("run", *(LEADER_COLUMNS if current else [Column("moved", view.value)]), *_RUN_COLUMNS)
    opened = show_frame(
        "runs",
        f"{view} runs",
        matching,
        columns,
        leads=lambda run: url_state.href("runs", **{url_state.CHOSEN: run["run_id"]}),
        opens="run_id",
        prepare=describe_page,
    )
    if opened is not None and opened != url_state.value(url_state.CHOSEN):
        url_state.write(url_state.CHOSEN, opened)
        st.rerun()


def _describe_run(run: ListedRun, view: RunsView) -> dict[str, object]:
    scorer, separator, judge = run.engine.partition(JUDGED_BY)
    sizes = f"{plural(run.questions, 'question')}\n{plural(run.responses, 'response')}"
    when, who = {
        RunsView.ARCHIVED: (run.archived_at, run.archived_by),
        RunsView.DELETED: (run.deleted_at, run.deleted_by),
    }.get(view, (None, None))
    return {
        "run_id": run.run_id,
        "run": run.name,
        "moved": f"{day_and_time(when)}\nby {who}" if when else "",
        "scored": day_and_time(run.created_at),
        "by": f"by {run.owner}" if run.owner else "owner not given",
        "pipelines": f"{count(len(run.pipelines))}: {', '.join(run.pipelines)}",
        "tags": ", ".join(run.tags),
        "golden": keep_unbroken(f"version {run.golden_number}\n{run.golden_id[:8]}"),
        "sizes": keep_unbroken(sizes),
        "scorer": keep_unbroken(scorer) + (f"\njudge {judge}" if separator else ""),
        **_describe_verification(run),
    }


def keep_unbroken(text: str) -> str:
    """The text with blanks that no narrow column breaks at."""
    return text.replace(" ", "\u00a0")


def day_and_time(when: datetime) -> str:
    """A time in UTC for a narrow column: the day, and below it the time of day."""
    return keep_unbroken(moment(when).replace(", ", "\n"))


def _describe_verification(run: ListedRun) -> dict[str, object]:
    if run.differences is None or run.verified_at is None:
        return {"verified": "not yet", "verification": "", "why": "FMEval has not scored this run again."}
    on = day(run.verified_at)
    if run.differences:
        words, why = f"{count(run.differences)} differ", f"Scores that differed on {on}"
        return {"verified": words, "verification": "differ", "why": why}
    return {"verified": "same", "verification": "same", "why": f"FMEval gave the same scores on {on}"}


def show_audit() -> None:
    """Draw the search, the entries, newest first, the check of the chain, and the downloads."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        search = search_field("Search people, actions, details, ids")
        _offer_files()
    many = audit_size(workspace(), search)
    if not many:
        st.text("No entry contains all these words." if search.strip() else "No entries yet.")
        return
    st.caption(plural(many, "entry", "entries"))
    show_frame("audit", "Audit", _AuditEntries(search, many), _AUDIT_COLUMNS)


@dataclass(frozen=True)
class _AuditEntries:
    """The entries that the search finds, read from the workspace a page at a time."""

    search: str
    height: int

    def slice(self, offset: int, length: int) -> pl.DataFrame:
        entries = audit_page(workspace(), self.search, offset, length)
        return entries.with_columns(pl.col("at").map_elements(_read_moment, return_dtype=pl.String))


def _read_moment(text: str) -> str:
    """The moment in words; the text itself where it is no time."""
    try:
        return day_and_time(datetime.fromisoformat(text))
    except ValueError:
        return text


def _offer_files() -> None:
    with st.popover("Download", icon=":material/download:", width="content"):
        for suffix, kind in AUDIT_FORMATS.items():
            st.download_button(
                kind.name,
                note_download(workspace(), "audit", partial(_write_audit, workspace(), kind)),
                f"audit{suffix}",
                kind.mime,
                on_click="ignore",
                width="stretch",
            )
    allowed = may(workspace(), Deed.BACKUP)
    words = "Computes every hash again." if allowed else "For owners of the workspace."
    if st.button("Check the chain", key="audit_check", icon=":material/link:", help=words, disabled=not allowed):
        _show_chain_check()


def _write_audit(home: Workspace, kind: Format) -> bytes:
    return kind.write(whole_audit(home))


def _show_chain_check() -> None:
    damage = check_audit(workspace())
    if damage.problem:
        show_problems(QavizError(damage.problem))
    else:
        st.text(f"{plural(damage.entries, 'entry', 'entries')}, none changed. The last hash, to keep elsewhere:")
        st.code(damage.last_hash, language=None, wrap_lines=True)


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
        url_state.draw_link("Open the board", "board", run=run_id)
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
        lines = pl.DataFrame(list(provenance_lines(record, number)), schema=["what", "words"], orient="row")
        columns = ("what", Column("words", "It is", wide=True, whole=True))
        show_frame("provenance", "Origin of the run", lines, columns, short=True)
