"""What a generation has brought: each triplet beside its passage, mended where it was rejected, and kept."""

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count, plural
from qaviz.generation.coverage import coverage
from qaviz.generation.gate.cases import read_variant
from qaviz.generation.gate.checking import ACCEPTED, REJECTED
from qaviz.generation.pipeline import Generated, gone_triplets, keep_dataset, keep_mended
from qaviz.generation.triplets import FAILED, place_in_words
from qaviz.model.columns import OR_DELIMITER, QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.model.visible import visible_texts
from qaviz.store import Workspace, named_datasets
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.passage import show_passage
from qaviz.ui.widgets.text import plain, show_problems, variants_on_lines

_SHOWN = {
    ACCEPTED: (QUESTION_ID, "question", "answer", "fact", "note"),
    REJECTED: (QUESTION_ID, "reason", "question", "answer", "fact", "rule"),
    FAILED: (QUESTION_ID, "reason", "reply"),
}


def show_counts(generated: Generated) -> None:
    """Draw how much was produced and what it cost; that a recording answered is said first."""
    if generated.recorded:
        st.info("Recorded: these replies come with the sample. No model was called.", icon=":material/album:")
    counts = generated.counts
    unknown = "none" if generated.recorded else "not known"
    cost = unknown if generated.cost is None else f"{generated.cost:,.4f} {generated.currency}"
    named = {
        name.capitalize(): count(counts[name]) for name in ("produced", "accepted", "rejected", "failed", "flagged")
    }
    columns = st.columns(len(named) + 2)
    for column, (label, value) in zip(
        columns, (named | {"Calls": count(counts["calls"]), "Cost": cost}).items(), strict=True
    ):
        column.metric(label, value)
    if generated.stopped:
        st.text(plain(f"Stopped by {generated.stopped}."))
    if generated.not_asked:
        st.text(f"{plural(generated.not_asked, 'chunk')} not asked yet. Generate goes on with them.")


def show_triplets(home: Workspace, name: str, generated: Generated) -> bool:
    """Draw the accepted, rejected or failed triplets and the chosen one beside its passage.

    Returns whether the reader has mended one, so that the gate has to look again.
    """
    numbers = {status: generated.count(status) for status in _SHOWN}
    status = st.segmented_control(
        "Triplets",
        [*_SHOWN],
        default=ACCEPTED,
        required=True,
        format_func=lambda each: f"{each.capitalize()} ({numbers[each]:,})",
        label_visibility="collapsed",
        key="generated_status",
    )
    rows = generated.produced.filter(pl.col("status") == status)
    if rows.is_empty():
        st.caption("None.")
        return False
    table = rows.select(_SHOWN[status]).drop(QUESTION_ID)
    shown = table.with_columns(visible_texts(column) for column in table.columns)
    picked = st.dataframe(
        shown, hide_index=True, height=300, on_select="rerun", selection_mode="single-row", key=f"generated_{status}"
    )
    chosen = picked["selection"]["rows"]
    row = rows.row(chosen[0] if chosen and chosen[0] < rows.height else 0, named=True)
    return _show_one(home, name, generated, row, mendable=status == REJECTED)


def _show_one(home: Workspace, name: str, generated: Generated, row: dict[str, str], *, mendable: bool) -> bool:
    chunks = generated.collection.chunks
    chunk = chunks.row(by_predicate=pl.col("chunk") == row["chunk"], named=True) if _has(chunks, row["chunk"]) else None
    left, right = st.columns(2, gap="large")
    with left:
        if mendable:
            return _mend(home, name, row)
        for label in ("question", "answer", "fact"):
            st.caption(label.capitalize())
            st.text(variants_on_lines(row[label]) or "–")
        if row["reason"] or row["note"]:
            st.text(row["reason"] or row["note"])
    with right:
        _show_chunk(chunk, row)
    return False


def _has(chunks: pl.DataFrame, chunk: str) -> bool:
    return not chunks.filter(pl.col("chunk") == chunk).is_empty()


def _show_chunk(chunk: dict[str, object] | None, row: dict[str, str]) -> None:
    if chunk is None:
        st.caption("Its passage is not among the documents.")
        return
    st.caption("Passage")
    st.text(place_in_words(chunk) + (f"\n{chunk['heading']}" if chunk["heading"] else ""))
    marked = [read_variant(each.strip()).text for each in row["fact"].split(OR_DELIMITER) if each.strip()]
    show_passage(f"passage_{row[QUESTION_ID]}", str(chunk["text"]), marked)


def _mend(home: Workspace, name: str, row: dict[str, str]) -> bool:
    st.text(row["reason"])
    with st.form(f"mend_{row[QUESTION_ID]}", border=False):
        texts = {
            label: st.text_area(label.capitalize(), row[label], height=68) for label in ("question", "answer", "fact")
        }
        if not st.form_submit_button("Check again", icon=":material/rule:"):
            return False
    try:
        keep_mended(home, name, {row[QUESTION_ID]: texts})
    except QavizError as error:
        show_problems(error)
        return False
    return True


def show_coverage(generated: Generated) -> None:
    """Draw how the accepted triplets spread over documents and headings, and the chunks that have none."""
    found = coverage(generated.produced, generated.collection.chunks)
    left, right = st.columns(2, gap="large")
    for column, title, table in (
        (left, "By document and heading", found.by_heading),
        (right, "Without a triplet", found.without),
    ):
        with column:
            st.caption(title)
            st.dataframe(
                table.with_columns(visible_texts(name) for name, kind in table.schema.items() if kind == pl.String),
                hide_index=True,
            )


def offer_dataset(home: Workspace, name: str, generated: Generated, person: str | None) -> None:
    """Draw the button that keeps the accepted triplets as a golden dataset, and what became of it."""
    disabled = generated.golden.is_empty() or person is None
    if st.button("Use as golden dataset", type="primary", icon=":material/inventory:", disabled=disabled):
        try:
            version = keep_dataset(home, name, generated, person or "")
        except QavizError as error:
            show_problems(error)
            return
        if version:
            st.text(
                f"Version {version.number} of {name} is kept: {plural(generated.golden.height, 'triplet')}, "
                f"{count(generated.counts['flagged'])} flagged for review."
            )
    if line := named_datasets(home).get(name):
        st.page_link(
            "pages/review.py",
            label="Review",
            icon=":material/reviews:",
            query_params=url_state.link(**{url_state.DATASET: line}),
        )
    gone = gone_triplets(home, name, generated.collection.chunks)
    if not gone.is_empty():
        st.text(f"{plural(gone.height, 'triplet')} of {name} had a passage that no longer exists.")
