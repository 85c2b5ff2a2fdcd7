"""A judge criterion by criterion: its grades against people's, which come from a file."""

import polars as pl
import streamlit as st

from qaviz.analysis.judges import criterion_targets
from qaviz.analysis.numbers import count
from qaviz.diagnosis.agreement import Estimate
from qaviz.judging.agreement import GraderAgreement
from qaviz.judging.calibration import calibrate_criteria
from qaviz.loading import sandbox
from qaviz.loading.readers.reading import FORMATS
from qaviz.model.errors import QavizError
from qaviz.ui.widgets.table import Cell, Column, Row, interval_cell, show_table, text_cell
from qaviz.ui.widgets.text import plain, show_problems
from qaviz.ui.widgets.uploads import on_disk

FIELD = "judge_people_grades"
"""Session key of the upload of people's grades."""
_FIGURES = (
    ("exact", "Exact", "Share of the responses with the same grade"),
    ("within_one", "Within one", "Share of the responses whose grades differ by one at most"),
    ("weighted_kappa", "Weighted kappa", "Cohen's, with quadratic weights: a near miss counts as one"),
    ("ac2", "Gwet's AC2", "The same, which stays meaningful where one grade is rare"),
)


def show_criteria(grades: pl.DataFrame) -> None:
    """Draw the upload of people's grades by criterion, and how far the judge's `grades` agree with them."""
    st.subheader("Criterion by criterion", anchor=False)
    st.file_uploader(
        "People's grades: question_id, pipeline, criterion, grade",
        [suffix.removeprefix(".") for suffix in FORMATS],
        key=FIELD,
        help="Kept for this visit only. Criteria are those of the rubric.",
    )
    files = on_disk(FIELD)
    if not files:
        return
    try:
        found = calibrate_criteria(grades, sandbox.read_grades(files[0], lambda _fraction, _words: None))
    except QavizError as error:
        show_problems(error)
        return
    if found:
        show_criterion_table(found)
    else:
        st.text("The file has no grade of a criterion that the judge graded.")


def show_criterion_table(found: dict[str, tuple[GraderAgreement, tuple[str, ...]]]) -> None:
    """Draw what `calibrate_criteria` found: a row a criterion, and each one's grades against people's."""
    columns = [Column(label="Criterion", head=True, wide=True)]
    columns += [Column(label=label, title=title) for _, label, title in _FIGURES]
    rows = [
        Row(cells=[text_cell(name, note=criterion_targets(both, lacking)), *_cells(both)])
        for name, (both, lacking) in found.items()
    ]
    show_table("judge_criteria", "Agreement of judge and people by criterion", columns, rows, short=True)
    for tab, (name, (both, _)) in zip(st.tabs([plain(each) for each in found]), found.items(), strict=True):
        with tab:
            show_confusion(both, f"judge_confusion_{name}", f"The judge's grades of {name} against people's")


def _cells(both: GraderAgreement) -> list[Cell]:
    return [figure_cell(getattr(both, name), f"n = {count(both.compared)}") for name, _, _ in _FIGURES]


def figure_cell(figure: Estimate | None, note: str) -> Cell:
    """A figure of agreement with its interval; a negative one is drawn at 0."""
    if figure is None or figure.value is None:
        return text_cell(None, missing="undefined")
    low, high = max(figure.low or 0.0, 0.0), figure.high
    said = f"{figure.low:.2f}–{figure.high:.2f}; {note}"
    return interval_cell(max(figure.value, 0.0), low, high, f"{figure.value:.2f}", said)


def show_confusion(found: GraderAgreement, key: str, caption: str) -> None:
    """Draw how often the judge gave each grade where people gave each."""
    columns = [Column(label="Judge", head=True), *(Column(label=f"People: {each}") for each in found.categories)]
    counts = {(first, second): number for first, second, number in found.confusion.iter_rows()}
    rows = [
        Row(cells=[text_cell(first), *(text_cell(count(counts[first, second])) for second in found.categories)])
        for first in found.categories
    ]
    show_table(key, caption, columns, rows, short=True)
