"""The history of a golden dataset: its versions, what each changed, how two differ, and any of them as a file."""

from collections.abc import Mapping
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count, moment, plural
from qaviz.exports.table_files import GOLDEN_FORMATS
from qaviz.golden.edits import differences
from qaviz.golden.lint.findings import PROPOSED, RULE
from qaviz.model.columns import QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.model.visible import plain
from qaviz.runs import save_rescored
from qaviz.store.audit_log import Deed
from qaviz.store.golden_versions import NUMBER, GoldenVersion, kept_edits, take_back_rejection, versions
from qaviz.ui.curation_state import OUTCOME, Curating, undo_version, version_in_words
from qaviz.ui.load_data import open_new
from qaviz.ui.widgets.keeping import keep
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import keep_outcome, note_download, offer_act, offers, person_said
from qaviz.ui.widgets.table import Column, Row, Tone, draw_pages, mark_cell, page_of, show_table, text_cell
from qaviz.ui.widgets.text import show_problems, variants_on_lines

_CHANGES: Mapping[str, tuple[str, Tone]] = {"changed": ("≠", "none"), "added": ("+", "good"), "removed": ("−", "warn")}


def show_history(curating: Curating, person: str | None) -> None:
    """Draw the versions, newest first, and the edits of the picked one, with its file, undo and scoring."""
    line = versions(workspace(), curating.version.line)
    _show_versions(line, kept_edits(workspace(), curating.version.line))
    picked, other = _pick_versions(line)
    _show_difference(picked, other)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _offer_file(picked)
        label, back = f"Undo version {picked.number}", partial(undo_version, picked)
        help = "Saves a new version without these edits; later edits stay."
        offer_act(label, "history_undo", "undo", back, person, ready=bool(picked.edits), help=help)
    _offer_run(curating, picked)
    _show_rejected(curating)


def _show_versions(line: list[GoldenVersion], edits: pl.DataFrame) -> None:
    rules = dict(edits.group_by(NUMBER).agg(pl.col(RULE).drop_nulls().unique(maintain_order=True)).iter_rows())
    columns = ("Version", "When", "Who", Column(label="Why", wide=True), "Rule", "Edits")
    rows = [
        Row(
            cells=[
                f"Version {version.number}",
                moment(version.made_at),
                text_cell(version.made_by, missing="from a file"),
                version.why,
                text_cell(", ".join(rules.get(version.number, [])), missing="by hand" if version.edits else "–"),
                count(version.edits),
            ],
            note=version.golden_id,
        )
        for version in reversed(line)
    ]
    show_table("versions", "Versions of the golden dataset", columns, rows, short=True)


def _pick_versions(line: list[GoldenVersion]) -> tuple[GoldenVersion, GoldenVersion]:
    """The version to look at, and the one to compare it with: the newest, and the one before it, unless picked."""
    by_number = {version.number: version for version in line}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        picked = _pick_number("Look at", list(reversed(by_number)), 0, f"history_picked_{line[-1].number}")
        other = _pick_number("against", list(by_number), max(picked - 2, 0), f"history_other_{picked}")
    st.caption(plain(version_in_words(by_number[picked])))
    return by_number[picked], by_number[other]


def _pick_number(label: str, numbers: list[int], usual: int, key: str) -> int:
    return st.selectbox(label, numbers, usual, format_func=lambda number: f"Version {number}", key=key, width=200)


def _show_difference(picked: GoldenVersion, other: GoldenVersion) -> None:
    """Draw text by text how the picked version differs from the other."""
    try:
        changes = differences(workspace().golden(other.golden_id), workspace().golden(picked.golden_id))
    except QavizError as error:
        show_problems(error)
        return
    if changes.is_empty() and picked.number != other.number:
        st.text(f"Version {picked.number} and version {other.number} have the same texts.")
    if changes.is_empty():
        return
    rows = [_difference_row(*row) for row in page_of(changes, "difference").iter_rows()]
    columns = ("Triplet", "Change", Column(label="Before", wide=True), Column(label="After", wide=True))
    show_table("difference", f"What version {picked.number} changes", columns, rows, short=True)
    draw_pages(changes, "difference")


def _difference_row(question: str, change: str, field: str, before: str | None, after: str | None) -> Row:
    symbol, tone = _CHANGES[change]
    texts = (text_cell(variants_on_lines(text), missing="nothing") for text in (before, after))
    return Row(
        cells=[question, mark_cell(f"{symbol} {change}", tone, f"The {field} is {change}."), *texts],
        note=field,
    )


def _offer_file(version: GoldenVersion) -> None:
    """Draw the formats and the download; a format that cannot hold a text says so instead."""
    name = st.selectbox(
        "As a file",
        list(GOLDEN_FORMATS),
        format_func=lambda suffix: GOLDEN_FORMATS[suffix].name,
        key="history_format",
        width=240,
    )
    kind = GOLDEN_FORMATS[name]
    try:
        file = _write_file(version, name)
    except QavizError as error:
        show_problems(error)
        return
    st.download_button(
        "Download",
        note_download(workspace(), f"golden version {version.number}", lambda: file, line=version.line),
        f"golden-version-{version.number}{kind.suffix}",
        kind.mime,
        key="history_download",
        icon=":material/download:",
        on_click="ignore",
    )


@keep(len(GOLDEN_FORMATS))
def _write_file(version: GoldenVersion, name: str) -> bytes:
    return GOLDEN_FORMATS[name].write(workspace().golden(version.golden_id))


def _offer_run(curating: Curating, version: GoldenVersion) -> None:
    """Draw the form that scores the open run's responses on this version and saves them as another run."""
    run = curating.shown.run
    if version.golden_id == run.golden_id:
        st.caption(f"The open run is scored on version {version.number}.")
        return
    if not offers(workspace(), Deed.IMPORT, "score the run on this version", run=run.run_id):
        return
    with st.form(f"rescore_{version.number}", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        usual = f"{run.name} on version {version.number}"
        name = st.text_input(f"Score the open run on version {version.number}, as a run called", usual, width=480)
        wanted = st.form_submit_button("Score and save", icon=":material/play_arrow:")
    if not wanted:
        return
    try:
        with st.spinner("Scoring"):
            saved = save_rescored(run, workspace(), version.golden_id, name, by=person_said())
    except QavizError as error:
        show_problems(error)
        return
    open_new(saved)


def _show_rejected(curating: Curating) -> None:
    """Draw the rejected suggestions, with a button that suggests one again."""
    rejected = curating.rejected
    if rejected.is_empty():
        return
    with st.expander(f"{plural(rejected.height, 'rejected suggestion')}", icon=":material/close:"):
        place = st.selectbox(
            "Rejected",
            range(rejected.height),
            format_func=lambda place: " · ".join(
                rejected.select(QUESTION_ID, RULE, PROPOSED, "rejected_by").row(place)
            ),
            key=f"rejected_{rejected.height}",
        )
        st.button(
            "Suggest it again",
            key="rejected_back",
            icon=":material/undo:",
            on_click=partial(_take_back_rejection, curating, place),
        )


@keep_outcome(OUTCOME)
def _take_back_rejection(curating: Curating, place: int) -> None:
    question, rule, proposed = curating.rejected.select(QUESTION_ID, RULE, PROPOSED).row(place)
    take_back_rejection(workspace(), curating.version.line, question, rule, proposed, person_said())
