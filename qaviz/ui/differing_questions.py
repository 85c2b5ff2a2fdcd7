"""The questions behind a comparison: those that decide between two pipelines, that changed since another run, and how
far repeats of one pipeline agree."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
import streamlit as st

from qaviz.analysis import run_changes
from qaviz.analysis.comparison import FIRST, SECOND, single
from qaviz.analysis.gate import judge_change
from qaviz.analysis.glossary import TEXTS
from qaviz.analysis.numbers import count, day, percent
from qaviz.analysis.selection import moves
from qaviz.analysis.tables import IN_ALL, REPEATS, SAME
from qaviz.diagnosis.columns import SPANS
from qaviz.golden.versions import END, GOLDEN_DATASET, PIPELINES, QUESTIONS, START, attribute_change
from qaviz.model import columns as c
from qaviz.model.classes import VERDICT_OF, Verdict
from qaviz.model.columns import typed_rows
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.model.visible import ELLIPSIS, one_line, plain
from qaviz.report import Column, Kind, Record
from qaviz.store.labels import labels_state
from qaviz.ui.compare import Pair
from qaviz.ui.curation import rows_on
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import deciding_of, repeats_of, view_run
from qaviz.ui.widgets.components import say_problems
from qaviz.ui.widgets.filters import pick, pick_several
from qaviz.ui.widgets.keeping import OpenRun, keep
from qaviz.ui.widgets.person import workspace
from qaviz.ui.widgets.table import Columns, show_frame

_CHANGE_COLUMNS = (
    Column(c.QUESTION, "Question", wide=True, note="{question_id}{golden_note}", missing="{question_id}"),
    c.PIPELINE,
    Column("diagnosis_before", "Before", kind=Kind.WORDS, of="words_before", wide=True, missing="no response"),
    Column(c.DIAGNOSIS, "Now", kind=Kind.WORDS, of="words", wide=True, missing="no response"),
)

_REPEAT_COLUMNS: Columns = (
    *(c.PIPELINE, Column(REPEATS, "Repeats")),
    *(
        Column(
            name,
            heading,
            kind=Kind.SHARE,
            ends=(f"{name}_low", f"{name}_high"),
            note=f"{{interval}}; n = {{{name}_n:,}}",
            missing="no question scored every time",
            help=help,
        )
        for name, heading, help in (
            (SAME, "Same verdict", "Questions with one verdict in all repeats"),
            (IN_ALL, "Fact every time", "Questions whose fact all repeats state"),
        )
    ),
)

_EMPTY = "the response is empty"
_RIGHT = [diagnosis.value for diagnosis, verdict in VERDICT_OF.items() if verdict is Verdict.CORRECT]
"""Other diagnoses have their figure beside them where the answer counts as right: a right refusal, a person's word."""
_BEFORE, _BEHIND = 80, 160
"""Characters of a response that stand around the words that decided."""


def show_deciding(shown: OpenRun, pair: Pair) -> None:
    """Draw the questions on which the pair differs, a page at a time; opening one shows it."""
    deciding = deciding_of(view_run(shown), pair.metric, pair.first, pair.second)
    st.subheader("Questions that decide it", anchor=False)
    if deciding.is_empty():
        st.text(f"{pair.first} and {pair.second} have the same score on every question that both answer.")
        return
    st.caption("The widest differences first; ▲ is ahead.")
    columns = (
        Column(c.QUESTION, "Question", wide=True, note="{category}", missing="{question_id}"),
        Column(f"{FIRST}_side", pair.first, kind=Kind.WORDS, of="words", wide=True, missing=_EMPTY),
        Column(f"{SECOND}_side", pair.second, kind=Kind.WORDS, of="words", wide=True, missing=_EMPTY),
    )

    sides = ((FIRST, SECOND), (SECOND, FIRST))

    def lead(row: Record) -> str:
        behind = pair.first if row[FIRST] < row[SECOND] else pair.second
        return url_state.response_href(row[c.QUESTION_ID], behind)

    show_frame(
        "deciding",
        "Questions that decide the comparison",
        deciding,
        columns,
        leads=lead,
        prepare=lambda page: (
            row | {f"{side}_side": _describe_side(pair.metric, row, side, other) for side, other in sides}
            for row in _with_texts(page, shown, pair).iter_rows(named=True)
        ),
    )


def _with_texts(page: pl.DataFrame, shown: OpenRun, pair: Pair) -> pl.DataFrame:
    """These questions with their texts, and what either pipeline responds, with its diagnosis."""
    triplets = shown.golden.select(c.QUESTION_ID, c.QUESTION, c.CATEGORY)
    page = page.join(triplets, on=c.QUESTION_ID, how="left", maintain_order="left")
    for side, pipeline in ((FIRST, pair.first), (SECOND, pair.second)):
        own = _first_responses(shown, pipeline).select(
            pl.col(c.QUESTION_ID), pl.col(c.DIAGNOSIS, c.RESPONSE, SPANS).name.suffix(side)
        )
        page = page.join(own, on=c.QUESTION_ID, how="left", maintain_order="left")
    return page


def _first_responses(shown: OpenRun, pipeline: str) -> pl.DataFrame:
    """The pipeline's responses, of repeats the first: c.QUESTION_ID, c.DIAGNOSIS, c.RESPONSE, SPANS."""
    own = shown.rows.filter(pl.col(c.PIPELINE) == pipeline).select(c.QUESTION_ID, c.DIAGNOSIS, c.RESPONSE, SPANS)
    return own.unique(c.QUESTION_ID, keep="first", maintain_order=True)


def _describe_side(metric: str, row: Record, side: str, other: str) -> dict[str, object]:
    """What became of one side's response, and the words that decided it."""
    value, diagnosis = row[side], row[f"{c.DIAGNOSIS}{side}"] or "no response"
    by_words = metric == c.FACTUAL_KNOWLEDGE or (metric == c.VERDICT and (value == 1) is (diagnosis in _RIGHT))
    figure = "" if by_words and value in (0, 1) else f"{single(metric, value)} · "
    text = f"{figure}{diagnosis}{' ▲' if value > row[other] else ''}"
    return {"value": text, "words": _quote(row[f"{c.RESPONSE}{side}"] or "", row[f"{SPANS}{side}"] or [])}


def _quote(response: str, spans: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The part of a response around the first words that decided its diagnosis, these marked; else its beginning."""
    start, end = (spans[0]["start"], spans[0]["end"]) if spans else (0, 0)
    before = one_line(response[max(0, start - _BEFORE) : start])
    behind = one_line(response[end : end + _BEHIND])
    return [
        {"text": f"{ELLIPSIS if start > _BEFORE else ''}{before}", "change": "same"},
        {"text": one_line(response[start:end]), "change": "new"},
        {"text": f"{behind}{ELLIPSIS if len(response) > end + _BEHIND else ''}", "change": "same"},
    ]


def show_transitions(shown: OpenRun, pair: Pair) -> None:
    """Draw how many questions go from one diagnosis to another between the pair, the most frequent first."""
    sides = [
        _first_responses(shown, pipeline).select(c.QUESTION_ID, c.DIAGNOSIS) for pipeline in (pair.second, pair.first)
    ]
    both = sides[0].join(sides[1], on=c.QUESTION_ID, suffix=FIRST)
    moved = moves(both[c.DIAGNOSIS], both[f"{c.DIAGNOSIS}{FIRST}"])
    if moved.is_empty():
        return
    st.subheader("What differs", anchor=False)
    columns = (Column("before", pair.second), Column("after", pair.first), Column("responses", "Questions"))
    show_frame("transitions", f"Diagnoses that differ: {pair.second}, then {pair.first}", moved, columns, short=True)


def pick_other_run(run: Run) -> Run | None:
    """Draw the choice of another run; returns the one picked, None for none, or where there is no other."""
    others = {candidate.run_id: candidate for candidate in workspace().runs() if candidate.run_id != run.run_id}
    if not others:
        return None
    # No id is blank.
    names = {"": "none"} | {key: f"{run.name} · {day(run.created_at)}" for key, run in others.items()}
    picked = pick(url_state.AGAINST, "With another run", list(names), names.__getitem__, width=360)
    return others.get(picked)


@say_problems
def show_run_against_run(shown: OpenRun, other: Run) -> None:
    """Draw the questions of the open run by what became of them since another one."""
    st.subheader(f"{plain(shown.run.name)} against {plain(other.name)}", anchor=False)
    labelled = (labels_state(workspace(), shown.run), labels_state(workspace(), other))
    changes, moved = _changes_of(shown.run, other, labelled)
    if judges := judge_change(other, shown.run):
        st.caption(plain(judges))
    if moved:
        st.text("\n".join(moved))
    if split := _word_split(other, shown.run):
        st.text(split)
    names = changes[c.PIPELINE].unique(maintain_order=True).to_list()
    if picked := pick_several(c.PIPELINE, names) if len(names) > 1 else []:
        changes = changes.filter(pl.col(c.PIPELINE).is_in(picked))
    counts = run_changes.count_changes(changes)
    some = sorted(run_changes.Change, key=lambda change: not counts[change])
    change = pick(url_state.CHANGE, "Questions", some, lambda name: f"{name.capitalize()} {count(counts[name])}")
    st.caption(f"{TEXTS['changes'][change]}.")
    drawn = changes.filter(pl.col(run_changes.CHANGE) == change.value)
    if drawn.is_empty():
        st.text("No question.")
    else:
        show_frame(
            "changes",
            "Questions by what became of them",
            drawn,
            _CHANGE_COLUMNS,
            leads=url_state.lead_to_response,
            prepare=lambda page: map(_describe_change, typed_rows(page, run_changes.ChangedQuestion)),
        )
    st.caption("In a terminal: `qaviz compare` writes these questions, `qaviz gate` passes or refuses the run.")


@keep(waiting="Comparing the runs")
def _changes_of(
    now: Run,
    before: Run,
    labelled: tuple[tuple[int, int], ...],  # noqa: ARG001 - a key
) -> tuple[pl.DataFrame, list[str]]:
    """The questions by what became of them, and the steps of the funnel that moved."""
    earlier, later, readers = run_changes.judge_alike(
        *(run_changes.read_side(workspace(), run) for run in (before, now))
    )
    changes = run_changes.compare_runs(earlier, later)
    return changes, [*filter(None, [readers]), *run_changes.word_step_changes(earlier, later)]


@keep(waiting="Scoring the run on this version")
def _word_split(before: Run, now: Run) -> str:
    """How much of the change of facts stated the golden dataset did, and how much the pipelines; blank where both runs
    have one version, or nothing in common."""
    if before.golden_id == now.golden_id:
        return ""
    try:
        old, new = (
            workspace().rows(run, [c.QUESTION_ID, c.QUESTION, c.PIPELINE, c.FACTUAL_KNOWLEDGE]) for run in (before, now)
        )
        parts = attribute_change(old, rows_on(before, now.golden_id), new)
    except QavizError:  # the golden datasets are of two lines
        return ""
    if parts is None:
        return ""
    steps = ((GOLDEN_DATASET, "golden dataset"), (PIPELINES, "pipelines"), (QUESTIONS, "other questions"))
    signs = {step: "−" if parts[step] < 0 else "+" if parts[step] > 0 else "±" for step, _ in steps}
    words = ", ".join(f"{name} {signs[step]}{abs(100 * parts[step]):.1f} points" for step, name in steps)
    return f"Of the change in facts stated, {percent(parts[START])} to {percent(parts[END])}: {words}."


def _describe_change(change: run_changes.ChangedQuestion) -> dict[str, object]:
    words = list(run_changes.compare_words(change["response_before"] or "", change[c.RESPONSE] or ""))
    return {
        **change,
        "golden_note": ", another answer or fact in the golden dataset" if change["golden_changed"] else "",
        "words_before": [{"text": word.before, "change": "same" if word.same else "gone"} for word in words],
        "words": [{"text": word.after, "change": "same" if word.same else "new"} for word in words],
    }


@say_problems
def show_consistency(run: Run) -> None:
    """Draw how far the repeats of each pipeline agree; nothing without repeats."""
    agreement = repeats_of(run)
    if agreement.is_empty():
        return
    st.subheader("Repeats", anchor=False)
    st.caption(
        "On this page a pipeline is all its repeats, and a question counts once, as their mean. Here is how far they "
        "say the same, over the questions that every repeat has a score of; intervals are over questions."
    )
    show_frame("consistency", "How far repeats agree", agreement, _REPEAT_COLUMNS, short=True)
