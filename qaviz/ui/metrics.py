"""The page Metrics: the Factual Knowledge report, a row a question and a cell a pipeline, and the funnel."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from typing import NamedTuple, TypedDict

import polars as pl
import streamlit as st

from qaviz import stats
from qaviz.analysis.glossary import explain
from qaviz.analysis.numbers import MISSING, count, out_of, p_value, percent, plural
from qaviz.analysis.selection import hits_in_words
from qaviz.analysis.tables import NO_RESPONSE, score_column
from qaviz.contexts.funnel import KNOWN, LOST, QUESTIONS, STEPS, compare_steps, measure_funnel, word_loss
from qaviz.model import columns as c
from qaviz.model.classes import Fault
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.table import Cell, Column, Columns, Row, Tone, mark_cell, show_pages, show_table, text_cell
from qaviz.ui.widgets.text import show_sentences, variants_on_lines
from qaviz.ui.widgets.url_state import FUNNEL

NAMED_UP_TO = 4
"""Pipelines whose names fit side by side; more have numbers in their place, and leave the golden texts one column."""

_GOLDEN_APART = (
    Column("Golden answer", wide=True, title=explain("golden answer")),
    Column("Fact", title=explain("fact"), wide=True),
)
_GOLDEN_IN_ONE = (
    Column(
        "Fact, golden answer",
        title=f"{explain('fact')} Below it, the golden answer if it says more.",
        wide=True,
    ),
)

LEGEND = (
    "✓ states the fact, ✗ does not, – is not scored, ! has a warning. Hover over a mark for its reason; open it for "
    "the response, word by word."
)
NOBODY = "Stated by no pipeline"
EVERYBODY = "Stated by every pipeline"
"""Such a question shows no difference between pipelines."""

_WHY = (c.WARNINGS, c.DIAGNOSIS, c.REASON, c.UNSCORED_FACT)


def show_matrix(shown: OpenRun, questions: pl.DataFrame, pipelines: Sequence[str], *, grouped: bool = False) -> None:
    """Draw these questions of `tables.fact_matrix`, a page at a time, `grouped` by category if they are in its order.

    Opening a row shows its question, opening a mark shows that pipeline's response to it.
    """
    if questions.is_empty():
        st.text("No question passes these filters. Remove a filter to see more.")
        return
    st.caption(LEGEND)

    def draw_rows(page: pl.DataFrame) -> Iterable[Row]:
        why = _whys(shown.rows, page[c.QUESTION_ID])
        scores = page.select(map(score_column, pipelines)).iter_rows()
        rows = [
            _row(question, dict(zip(pipelines, of_question, strict=True)), why)
            for question, of_question in zip(c.typed_rows(page, _Question), scores, strict=True)
        ]
        return _under_headings(rows, page, _by_category(questions, pipelines)) if grouped else rows

    caption = "Factual Knowledge by question and pipeline"
    show_pages("matrix", caption, _columns(questions, pipelines), questions, draw_rows)


NO_CATEGORY = "without a category"


def _by_category(questions: pl.DataFrame, pipelines: Sequence[str]) -> dict[str | None, Row]:
    """For each category a heading: how many of its questions each pipeline states the fact of."""
    scores = [pl.col(score_column(name)) for name in pipelines]
    counts = questions.group_by(c.CATEGORY).agg(
        pl.len().alias("questions"),
        pl.concat_list(counted.sum().cast(pl.Int64) for counted in scores).alias("hits"),
        pl.concat_list(counted.count().cast(pl.Int64) for counted in scores).alias("scored"),
    )
    return {category: _heading(category, *scores) for category, *scores in counts.iter_rows()}


def _heading(category: str | None, questions: int, hits: Sequence[int], scored: Sequence[int]) -> Row:
    many = len(hits) > NAMED_UP_TO
    cells: list[Cell] = [text_cell(category, missing=NO_CATEGORY), plural(questions, "question")]
    blank = [] if many else [text_cell(None, missing=" ")]
    totals = [_total_cell(*hit, many) for hit in zip(hits, scored, strict=True)]
    return Row(cells=[*cells, *blank, *totals], heading=True)


def _total_cell(hits: int, scored: int, many: bool) -> Cell:
    total = out_of(hits, scored)
    return mark_cell(_share(hits, scored) if many else total, "none", f"Facts stated in this category: {total}")


def _share(hits: int, scored: int) -> str:
    return percent(hits / scored) if scored else MISSING


def _under_headings(rows: Sequence[Row], page: pl.DataFrame, headings: Mapping[str | None, Row]) -> Iterator[Row]:
    """The rows, each stretch of one category under its heading."""
    for category, group in groupby(zip(page[c.CATEGORY], rows, strict=True), key=lambda pair: pair[0]):
        yield headings[category]
        yield from (row for _, row in group)


def _columns(questions: pl.DataFrame, pipelines: Sequence[str]) -> list[Column]:
    many = len(pipelines) > NAMED_UP_TO
    return [
        Column("Question", head=True, wide=True),
        *(_GOLDEN_IN_ONE if many else _GOLDEN_APART),
        *(
            _pipeline_column(name, questions[score_column(name)], str(number) if many else "")
            for number, name in enumerate(pipelines, start=1)
        ),
    ]


def _pipeline_column(pipeline: str, scores: pl.Series, short: str) -> Column:
    """A pipeline's column, with what it comes to over all the questions, not only those of this page."""
    hits, scored = int(scores.sum()), scores.count()
    total = out_of(hits, scored)
    note = _share(hits, scored) if short else total
    return Column(pipeline, title=f"{pipeline}: {total}", note=note, short=short)


class _Question(TypedDict):
    """A row of `tables.fact_matrix`, without the scores, which have a column a pipeline."""

    question_id: str
    question: str | None
    answer: str | None
    fact: str | None
    category: str | None
    all_zero: bool
    hits: int
    scored: int


class _Why(NamedTuple):
    """What is known of a response beside its score."""

    warnings: Sequence[str] | None
    diagnosis: str
    reason: str
    unscored_fact: str | None
    hit: str | None
    """Where the fact stands in it, in words."""


def _whys(rows: pl.DataFrame, question_ids: pl.Series) -> dict[tuple[str, str], _Why]:
    """What is known of each response to these questions, by question and pipeline."""
    matched = rows.select(c.QUESTION_ID, c.PIPELINE, *_WHY, c.FACT_VARIANT, c.FACT_START)
    matched = matched.filter(pl.col(c.QUESTION_ID).is_in(question_ids.implode()))
    known = matched.select(c.QUESTION_ID, c.PIPELINE, *_WHY, hits_in_words(matched).alias("hit"))
    return {(question, pipeline): _Why(*why) for question, pipeline, *why in known.iter_rows()}


def _row(question: _Question, scores: Mapping[str, float | None], why: Mapping[tuple[str, str], _Why]) -> Row:
    question_id, many = question[c.QUESTION_ID], len(scores) > NAMED_UP_TO
    nobody, everybody = question["all_zero"], question["hits"] == question["scored"] > 1
    return Row(
        href=url_state.response_href(question_id, _first_without(scores)),
        flag=NOBODY if nobody else EVERYBODY if everybody else "",
        flag_tone="bad" if nobody else "none",
        note=question[c.CATEGORY] or "",
        cells=[
            text_cell(question[c.QUESTION], missing=question_id),
            *_golden_cells(question[c.ANSWER], variants_on_lines(question[c.FACT]), in_one=many),
            *(_mark(question_id, name, score, why.get((question_id, name)), many) for name, score in scores.items()),
        ],
    )


def _first_without(scores: Mapping[str, float | None]) -> str:
    """The first pipeline that does not state the fact, else the first."""
    return next((name for name, score in scores.items() if score == 0), next(iter(scores)))


def _golden_cells(answer: str | None, fact: str | None, *, in_one: bool) -> list[Cell]:
    """Golden answer and fact; in one cell the answer stands under the fact, where it says more."""
    if not in_one:
        return [text_cell(answer, missing="no golden answer"), text_cell(fact, missing="no fact")]
    if fact and answer and fact != answer:
        return [text_cell(fact, note=answer)]
    return [text_cell(fact or answer, missing="no golden answer")]


def _mark(question_id: str, pipeline: str, score: float | None, why: _Why | None, bare: bool) -> Cell:
    """The mark of one response, which leads to it; a `bare` one without its score."""
    if why is None:
        return mark_cell(MISSING, "none", NO_RESPONSE)
    text, tone, words = _read(score, why)
    if bare:
        text = text.translate(_WITHOUT_SCORE)
    return mark_cell(text, tone, words, href=url_state.response_href(question_id, pipeline))


_WITHOUT_SCORE = str.maketrans("", "", " 01")


def _read(score: float | None, why: _Why) -> tuple[str, Tone, str]:
    """The mark's text and tone, and the why in words."""
    if score is None:
        return MISSING, "none", why.unscored_fact or ""
    hit = f"{why.hit}. " if score and why.hit else ""
    warning = f" Warning: {'; '.join(why.warnings)}." if why.warnings else ""
    text = ("✓ 1" if score else "✗ 0") + (" !" if warning else "")
    tone: Tone = "bad" if not score else "warn" if warning else "good"
    return text, tone, f"{hit}{why.diagnosis.capitalize()}. {why.reason}{warning}"


_FAULT_OF = {
    "in_documents": Fault.DOCUMENTS,
    "retrieved": Fault.RETRIEVER,
    "in_top_k": Fault.RETRIEVER,
    "used": Fault.GENERATOR,
    "right": Fault.GENERATOR,
}
_FUNNEL_COLUMNS: Columns = (
    "Pipeline",
    Column("Questions", title="Responses of the pipeline."),
    *(Column(step.label, title="Of the responses of which it is known.") for step in STEPS),
)
_LOSSES: Columns = ("Pipeline", "Lost at", "Responses", Column("What to do", wide=True))
NO_CONTEXTS = (
    "No response of this run brought the passages that it was given. Import responses with a column `contexts`; with "
    "`--documents FOLDER` also the first step is known."
)


def show_funnel(shown: OpenRun) -> None:
    """Draw each pipeline's way from the documents to right answers, where it loses questions with links to these, and
    the steps at which two pipelines differ beyond chance."""
    funnel = measure_funnel(shown.rows)
    known = funnel.select(f"{KNOWN}_{step.name}" for step in STEPS[:-1])
    if not known.sum().sum_horizontal().item():
        st.info(NO_CONTEXTS, icon=":material/info:")
        return
    rows = [Row(cells=[row[c.PIPELINE], count(row[QUESTIONS]), *_list_cells(row)]) for row in funnel.to_dicts()]
    show_table("funnel", "From the documents to right answers", _FUNNEL_COLUMNS, rows)
    show_sentences(
        "losses", [f"{name}: {sentence}" for name in funnel[c.PIPELINE] if (sentence := word_loss(shown.rows, name))]
    )
    losses = sorted(_list_losses(funnel), key=lambda loss: -loss[0])
    show_table("lost", "Where questions are lost", _LOSSES, [row for _, row in losses])
    show_sentences("steps", list(_list_differences(shown.rows, funnel[c.PIPELINE].to_list())))


def show_loss(shown: OpenRun, pipeline: str) -> None:
    """Write the step at which a pipeline loses most, with a link to the funnel; nothing where none is proved."""
    if loss := word_loss(shown.rows, pipeline):
        st.caption(loss)
        url_state.draw_link("See the funnel", "metrics", tab=FUNNEL)


def _list_cells(row: dict[str, int | None]) -> Iterator[str | None]:
    for step in STEPS:
        held, known = row[step.name], row[f"{KNOWN}_{step.name}"]
        yield None if held is None or known is None else out_of(held, known)


def _list_losses(funnel: pl.DataFrame) -> Iterator[tuple[int, Row]]:
    for row in funnel.iter_rows(named=True):
        for step in STEPS:
            if lost := row[f"{LOST}_{step.name}"]:
                link = url_state.href("responses", **{c.PIPELINE: row[c.PIPELINE], c.FAULT: _FAULT_OF[step.name].value})
                cells = [row[c.PIPELINE], step.label, count(lost), f"They {step.lost}. {step.advice}"]
                yield lost, Row(href=link, cells=cells)


def _list_differences(rows: pl.DataFrame, pipelines: list[str]) -> Iterator[str]:
    labels = {step.name: step.label.lower() for step in STEPS}
    for first, second in combinations(pipelines, 2):
        compared = compare_steps(*(rows.filter(pl.col(c.PIPELINE) == name) for name in (first, second)))
        for step, paired, wins, losses, p in compared.iter_rows():
            if p < stats.ALPHA:
                yield (
                    f"{first} against {second}, {labels[step]}: {plural(wins, 'question')} more, {count(losses)} fewer "
                    f"of {count(paired)} ({p_value(p)})."
                )
