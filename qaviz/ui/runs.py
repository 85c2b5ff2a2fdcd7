"""The Runs page: the workspace's runs as a list, the card of one with its archive and deletion, and the audit of who
did what and when."""

from collections.abc import Iterator
from enum import StrEnum
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count, day, moment, plural
from qaviz.analysis.sentences import provenance_lines
from qaviz.analysis.tables import rows_with
from qaviz.model.errors import QavizError
from qaviz.model.records import JUDGED_BY
from qaviz.model.visible import plain
from qaviz.report import Column, Kind, Record
from qaviz.store.audit import whole_audit
from qaviz.store.audit_log import ABOUT, DETAIL, SUBJECT, WHAT, WHO
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
from qaviz.store.tables import LONGEST_NAME
from qaviz.ui.history import LEADER_COLUMNS, describe_leader
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.components import show_problems
from qaviz.ui.widgets.filters import pick, pick_text
from qaviz.ui.widgets.person import keep_outcome, offer_act, show_outcome, workspace
from qaviz.ui.widgets.table import show_frame

_RUN_COLUMNS = (
    Column("created_at", "Scored", text="{created_at:moment}", note="by {owner}"),
    *("pipelines", "tags"),
    Column("golden_number", "Golden dataset", text="version {golden_number}", note="{sizes}"),
    Column("engine", "Scored by"),
    Column(
        "verified",
        "Verified",
        kind=Kind.MARK,
        by="verification",
        title="{verified_at:day}",
        help="Whether the installed FMEval gave the same scores when `qaviz verify` last asked it",
    ),
)

_AUDIT_COLUMNS = (
    *(Column("number", "Entry"), Column("at", "When", text="{at:moment}"), Column("who", "Who", missing="not given")),
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


STATES = {RunsView.CURRENT: RunState.CURRENT, RunsView.ARCHIVED: RunState.ARCHIVED, RunsView.DELETED: RunState.DELETED}
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


def show_runs(runs: pl.DataFrame, view: RunsView) -> None:
    """Draw the search and the runs of this view, a page at a time; a row opens its run's card."""
    listed = runs.filter(pl.col("state") == STATES[view])
    if listed.is_empty():
        st.text(_NONE[view] if runs.is_empty() or view != RunsView.CURRENT else "All runs are archived or deleted.")
        return
    search = pick_text(url_state.SEARCH, "Search names, owners, tags, notes, pipelines", "runs_search")
    matching = rows_with(listed, search)
    st.caption(plural(matching.height, "run") + (f" of {count(listed.height)}" if search.strip() else ""))
    if matching.is_empty():
        st.text("No run contains all these words. Remove a word to see more.")
        return
    state = STATES[view].value
    text = f"{{{state}_at:moment}}\nby {{{state}_by}}"
    moved = [] if view == RunsView.CURRENT else [Column(f"{state}_at", view.value, text=text)]
    opened = show_frame(
        "runs",
        f"{view} runs",
        matching,
        (Column("name", "Run"), *(moved or LEADER_COLUMNS), *_RUN_COLUMNS),
        leads=lambda run: url_state.href("runs", **{url_state.CHOSEN: run["run_id"]}),
        opens="run_id",
        prepare=lambda page: _describe_runs(page, led=not moved),
    )
    if opened is not None and opened != url_state.value(url_state.CHOSEN):
        url_state.write(url_state.CHOSEN, opened)
        st.rerun()


def _describe_runs(page: pl.DataFrame, *, led: bool) -> Iterator[Record]:
    """The rows of a page, of `run_table`, with what the columns draw; of current runs with who leads in each."""
    by_id = {run.run_id: run for run in workspace().runs()} if led else {}
    differ, short = pl.col("differences"), pl.col("golden_id").str.head(8)
    same_or = pl.when(differ == 0).then(pl.lit("same")).when(differ > 0)
    described = page.with_columns(
        pl.format("{}: {}", pl.col("pipelines").list.len(), pl.col("pipelines").list.join(", ")),
        pl.col("tags").list.join(", "),
        pl.col("engine").str.replace(JUDGED_BY, "\njudge ", literal=True),
        pl.format("{}\nquestions: {}\nresponses: {}", short, "questions", "responses").alias("sizes"),
        same_or.then(pl.lit("differ")).alias("verification"),
        same_or.then(pl.format("{} differ", differ)).otherwise(pl.lit("not yet")).alias("verified"),
    )
    for row in described.iter_rows(named=True):
        yield row | (describe_leader(by_id[row["run_id"]]) if row["run_id"] in by_id else {})


def show_audit() -> None:
    """Draw the search and the entries, newest first."""
    search = pick_text(url_state.SEARCH, "Search people, actions, details, ids", "runs_search")
    entries = rows_with(whole_audit(workspace()).reverse(), search, [pl.col(WHO, WHAT, ABOUT, DETAIL, SUBJECT)])
    if entries.is_empty():
        st.text("No entry contains all these words." if search.strip() else "No entries yet.")
        return
    how_many = plural(entries.height, "entry", "entries")
    st.caption(f"{how_many}. In a terminal: `qaviz workspace check`, `qaviz workspace audit`.")
    times = pl.col("at").str.to_datetime("%+", time_unit="us", time_zone="UTC", strict=False)
    show_frame("audit", "Audit", entries.with_columns(times), _AUDIT_COLUMNS)


def show_record(runs: pl.DataFrame, person: str | None) -> None:
    """Draw what came of the last act, and the card of the run that the URL names."""
    show_outcome()
    chosen = url_state.value(url_state.CHOSEN)
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
            with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
                run_id, before = record.run.run_id, record.run.name
                name = st.text_input("Name", before, key=f"return_{run_id}", max_chars=LONGEST_NAME, width=320)
                bring_back, says = partial(undelete, name=name), f"“{name.strip()}” is back in the lists."
                offer_act("Restore", "run_restore", "", person, bring_back, run_id, says=says)
            st.caption("To delete runs for good: `python -m qaviz runs purge` lists them, and `--yes` removes them.")
        else:
            _edit(record, runs["tags"].explode().drop_nulls().unique().to_list(), person)
            run_id, name = record.run.run_id, record.run.name
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                url_state.draw_link("Open the board", "board", run=run_id)
                if record.state == RunState.ARCHIVED:
                    says = f"“{name}” is back in the lists."
                    offer_act("Restore", "run_restore", "", person, unarchive, run_id, says=says)
                else:
                    says = f"“{name}” is archived: in no list, still opened by links."
                    offer_act("Archive", "run_archive", "", person, archive, run_id, says=says)
                says = f"“{name}” is deleted: no list and no link shows it."
                offer_act("Delete", "run_delete", "", person, delete, run_id, says=says)
        number = runs.filter(pl.col("run_id") == record.run.run_id)["golden_number"].item()
        with st.expander("Origin", icon=":material/account_tree:"):
            lines = pl.DataFrame(list(provenance_lines(record, number)), schema=["what", "words"], orient="row")
            columns = ("what", Column("words", "It is", wide=True, whole=True))
            show_frame("provenance", "Origin of the run", lines, columns, short=True)


def _close() -> None:
    url_state.write(url_state.CHOSEN)


def _show_head(record: RunRecord) -> None:
    run = record.run
    with st.container(horizontal=True, vertical_alignment="top"):
        st.subheader(plain(run.name), anchor=False)
        st.button("Close", key="card_close", icon=":material/close:", on_click=_close, type="tertiary")
    state = ""
    if record.deleted_at:
        state = f" Deleted by {record.deleted_by} on {day(record.deleted_at)}. Its files stay until it is purged."
    elif record.archived_at:
        state = f" Archived by {record.archived_by} on {day(record.archived_at)}."
    words = (
        f"{run.run_id}: {plural(run.questions, 'question')}, {plural(len(run.pipelines), 'pipeline')}, "
        f"{plural(run.responses, 'response')}, scored {moment(run.created_at)}.{state}"
    )
    st.caption(plain(words))


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


@keep_outcome
def _save(seen: RunRecord, key: str, person: str) -> str:
    """Write what the reader has changed, and say so: for a button."""
    fields = {name: st.session_state[f"{name}_{key}"] for name in ("name", "owner", "notes")}
    before = {"name": seen.run.name, "owner": seen.owner or "", "notes": seen.notes}
    changed = {name: text for name, text in fields.items() if text.strip() != before[name]}
    tags = st.session_state[f"tags_{key}"]
    changed["add_tags"] = [tag for tag in tags if tag not in seen.tags]
    changed["remove_tags"] = [tag for tag in seen.tags if tag not in tags]
    describe(workspace(), seen.run.run_id, person, **changed)
    return "Saved."
