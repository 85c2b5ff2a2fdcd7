"""What edits would change over the open run, on the screen, before anybody accepts them."""

from collections.abc import Mapping
from typing import Any

import polars as pl
import streamlit as st

from qaviz.analysis.curation_words import effect_points, staying_words
from qaviz.analysis.numbers import out_of, percent
from qaviz.golden.edits import edits_to
from qaviz.golden.preview import preview
from qaviz.model.columns import PIPELINE, QUESTION_ID, REASON, RESPONSE
from qaviz.ui.curation_state import Curating
from qaviz.ui.widgets.sentences import show_sentences
from qaviz.ui.widgets.table import Cell, Column, Row, Tone, mark_cell, show_table, text_cell

MISTAKES_SHOWN = 10

STAYING_SHOWN = 4
"""Up to so many pipelines each has its row; of more, those that an edit moves."""


def show_effects(curating: Curating, edits: pl.DataFrame, key: str) -> None:
    """Draw Factual Knowledge of each pipeline now and then, what else moves, and what would be judged wrongly.

    `before` of the edits is not looked at. Raises QavizError as `edits_to`.
    """
    wanted = edits_to(curating.golden, edits)
    run = curating.shown.run
    effects = preview(curating.rows, curating.golden, wanted, run.thresholds, run.pipelines, curating.labels)
    _show_facts(effects.facts, key)
    show_sentences(f"{key}_points", effect_points(effects.diagnoses, effects.scores, effects.mistakes))
    if not effects.mistakes.is_empty():
        _show_mistakes(effects.mistakes, key)


def _show_facts(facts: pl.DataFrame, key: str) -> None:
    moved = facts.filter(pl.col("before").ne_missing(pl.col("after")))
    shown = facts if facts.height <= STAYING_SHOWN else moved
    if not shown.is_empty():
        columns = [Column(label="Factual Knowledge", head=True), Column(label="Now"), Column(label="Then")]
        rows = [Row(cells=_pipeline_cells(each)) for each in shown.iter_rows(named=True)]
        show_table(f"{key}_facts", "Factual Knowledge now and then", columns, rows, short=True)
    if shown.height < facts.height:
        st.caption(staying_words(facts.height - shown.height, moved.height))


def _pipeline_cells(facts: Mapping[str, Any]) -> list[Cell]:
    now = f"{out_of(facts['hits'], facts['scored'])} · {percent(facts['before'])}"
    then = f"{out_of(facts['hits_after'], facts['scored_after'])} · {percent(facts['after'])}"
    symbol, tone, said = _change(facts["before"], facts["after"])
    return [text_cell(facts[PIPELINE]), mark_cell(now, "none", "As it is"), mark_cell(f"{symbol} {then}", tone, said)]


def _change(before: float | None, after: float | None) -> tuple[str, Tone, str]:
    if before is None or after is None or before == after:
        return "=", "none", "Stays"
    return ("▲", "good", "Rises") if after > before else ("▼", "warn", "Falls")


def _show_mistakes(mistakes: pl.DataFrame, key: str) -> None:
    columns = [
        Column(label="Pipeline", head=True),
        Column(label="Wrong matches and lost matches"),
        Column(label="Response", wide=True),
    ]
    rows = [
        Row(
            cells=[
                text_cell(each[PIPELINE]),
                mark_cell(f"! {each['kind']}", "bad", f"The response is {each['held']}."),
                text_cell(f"{each[RESPONSE]}\n→ {each['held']}. {each[REASON] or ''}"),
            ],
            note=each[QUESTION_ID],
        )
        for each in mistakes.head(MISTAKES_SHOWN).iter_rows(named=True)
    ]
    show_table(f"{key}_mistakes", "Responses that would be judged wrongly", columns, rows, short=True)
    if mistakes.height > MISTAKES_SHOWN:
        st.caption(f"The first {MISTAKES_SHOWN} of {mistakes.height:,}.")
