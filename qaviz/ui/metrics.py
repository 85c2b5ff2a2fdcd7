"""The page Metrics: the Factual Knowledge report, a row a question and a cell a pipeline, and the funnel."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import combinations, groupby
from typing import NamedTuple, TypedDict

import polars as pl
import streamlit as st

from qaviz import stats
from qaviz.analysis import closeness
from qaviz.analysis.closeness import (
    GAIN,
    REGIONS,
    RESPONSES,
    SAME_PLACE,
    Box,
    MeansRow,
    Selection,
    Split,
    places,
    select_marked,
)
from qaviz.analysis.glossary import explain
from qaviz.analysis.numbers import MISSING, count, out_of, p_value, percent, plural, score
from qaviz.analysis.selection import Passing, hits_in_words
from qaviz.analysis.tables import NO_RESPONSE, score_column
from qaviz.charts import LEGEND_UP_TO, pipeline_marks
from qaviz.charts.scatter_chart import with_thresholds
from qaviz.contexts.funnel import KNOWN, LOST, QUESTIONS, STEPS, compare_steps, measure_funnel, word_loss
from qaviz.model import columns as c
from qaviz.model.classes import Fault
from qaviz.model.columns import F1, PIPELINE, PRECISION, typed_rows
from qaviz.model.records import Run, Thresholds
from qaviz.scoring.normalised import NORMALISED
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import closeness_of, means_of, normalised_gain_of, regions_of
from qaviz.ui.widgets.chart import Marked, about_run, show_chart
from qaviz.ui.widgets.components import LegendMark, let_thresholds_move, show_sentences, variants_on_lines
from qaviz.ui.widgets.filters import Filters, pick_listed, write_range
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.responses import show_responses
from qaviz.ui.widgets.table import (
    Cell,
    Column,
    Columns,
    Row,
    Tone,
    interval_cell,
    mark_cell,
    show_pages,
    show_table,
    text_cell,
)
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
    totals = [
        mark_cell(_share(*pair) if many else out_of(*pair), "none", f"Facts stated in this category: {out_of(*pair)}")
        for pair in zip(hits, scored, strict=True)
    ]
    return Row(cells=[*cells, *blank, *totals], heading=True)


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
    first_without = next((name for name, score in scores.items() if score == 0), next(iter(scores)))
    return Row(
        href=url_state.response_href(question_id, first_without),
        flag=NOBODY if nobody else EVERYBODY if everybody else "",
        flag_tone="bad" if nobody else "none",
        note=question[c.CATEGORY] or "",
        cells=[
            text_cell(question[c.QUESTION], missing=question_id),
            *_golden_cells(question[c.ANSWER], variants_on_lines(question[c.FACT]), in_one=many),
            *(_mark(question_id, name, score, why.get((question_id, name)), many) for name, score in scores.items()),
        ],
    )


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


CHART = "closeness_chart"

MEANS_IN_ALT = 8
"""Pipelines whose means are read out; the table below has all of them."""

_GAIN_COLUMNS = (
    "Pipeline",
    Column("Responses", title="Responses to questions with a golden answer"),
    "Conciseness",
    Column("Normalised", title="Conciseness without the restated question and citations"),
    "F1",
    Column("Normalised", title="F1 without the restated question and citations"),
    Column("Gain", title="Normalised F1 less F1"),
)

_GAIN_FIGURES = (PRECISION, NORMALISED[PRECISION], F1, NORMALISED[F1], GAIN)


def pick_split() -> Split:
    """Draw the choice of one panel or several; returns what the reader chose."""
    return pick_listed(url_state.SPLIT, "Panels", list(Split))


def show_closeness(
    run: Run, filters: Filters, rows: Passing, thresholds: Thresholds, split: Split = Split.NONE
) -> None:
    """Draw these diagnosed rows, which pass the filters, by closeness and conciseness; list what the reader marks.

    The lines of the two thresholds lie over the chart and can be dragged. A moved threshold redraws the chart only if
    other rows pass.
    """
    if not rows.height:
        st.text("No response passes these filters. Remove a filter to see more.")
        return
    _show_marked(run, filters, rows, thresholds, split)
    let_thresholds_move(CHART, thresholds)


@st.fragment
def _show_marked(run: Run, filters: Filters, rows: Passing, thresholds: Thresholds, split: Split) -> None:
    """As a fragment, a mark on the chart redraws nothing else on the page."""
    shown, figure = closeness_of(run, filters, thresholds, split, rows)
    means = means_of(run, filters, thresholds, rows)
    with st.container(key=CHART):
        marked = show_chart(
            figure,
            # Another chart for each split, so that what is marked in one is not looked for in another.
            key=f"{CHART}_{split.name.lower()}",
            name="Closeness vs conciseness",
            alt=_alt(shown, means),
            data=lambda: places(rows, thresholds),
            about=about_run(run, filters, thresholds),
            caption=_reading(shown, rows.height, int(means["responses"].sum())),
            marks=True,
            drawn_over=partial(with_thresholds, thresholds=thresholds),
            legend=_legend(run.pipelines, set(means[PIPELINE])),
        )
    tiles = closeness.bins(shown)
    selections = _selections(marked, [trace.xaxis for trace in figure.data], 0.5 / tiles if tiles else SAME_PLACE)
    if selections:
        inside = pl.concat(select_marked(panel.rows, selections.get(panel.axis, Selection())) for panel in shown)
        listed = rows.at(inside[closeness.ROW].sort())
        with st.container(horizontal=True, vertical_alignment="center"):
            st.subheader(f"Marked: {plural(listed.height, 'response')}", anchor=False, width="content")
            _offer_filter([box for selection in selections.values() for box in selection.boxes])
        if listed.height:
            show_responses(listed, thresholds, "marked")


def _offer_filter(boxes: Sequence[Box]) -> None:
    """Draw the button that narrows every list and chart of the run to a box: of several, none says which."""
    if len(boxes) != 1:
        return
    if st.button("Filter to this box", icon=":material/filter_alt:", help="On every tab, until you take it away."):
        for name, ends in zip(("closeness", "conciseness"), boxes[0], strict=True):
            low, high = (min(1.0, max(0.0, round(end, 3))) for end in sorted(ends))
            write_range(name, (low, high))
        st.rerun()


def _legend(pipelines: Sequence[str], drawn: Set[str]) -> list[LegendMark]:
    """The marks of the pipelines that are drawn, numbered as the chart numbers them."""
    numbered = len(pipelines) > LEGEND_UP_TO
    return [
        LegendMark(
            name=name,
            colour=colour,
            symbol=symbol,
            number=str(place + 1) if numbered else "",
            group=str(place),
        )
        for place, (name, (colour, symbol)) in enumerate(pipeline_marks(pipelines).items())
        if name in drawn
    ]


def _alt(shown: Sequence[closeness.Panel], means: pl.DataFrame) -> str:
    """What the chart shows, in words and figures, for those who do not see it."""
    means_in_words = [
        f"{mean[PIPELINE]} {score(mean['closeness'])} and {score(mean['conciseness'])}"
        for mean in means.head(MEANS_IN_ALT).iter_rows(named=True)
    ]
    drawn = plural(sum(panel.rows.height for panel in shown), "response")
    return f"{drawn} by closeness and conciseness; means: {', '.join(means_in_words) or 'none'}"


def _reading(shown: Sequence[closeness.Panel], responses: int, scored: int) -> str:
    mark = "Stronger tiles hold more responses" if closeness.bins(shown) else "One mark a response"
    left_out, unseen = responses - scored, scored - sum(panel.rows.height for panel in shown)
    missing = f" Not shown: {plural(left_out, 'response')} without a golden answer." if left_out else ""
    more = f" The first {len(shown)} panels; {plural(unseen, 'response')} more in others." if unseen else ""
    return (
        f"{mark}; the large marks are means with their 95% intervals. Click a place, or draw a box or a lasso with "
        f"the tools above the chart, to list its responses. The handles of the two lines move the thresholds."
        f"{missing}{more}"
    )


def _selections(marked: Marked, axes: Sequence[str], reach: float) -> dict[str, Selection]:
    """What the chart reports, by the closeness axis of its panel; `axes` are those of the chart's traces.

    The area of a box or lasso counts, not its points: tiles stand for many responses.
    """
    drawn = {area["xref"] for area in (*marked["box"], *marked["lasso"])}
    if drawn:
        return {
            axis: Selection(
                boxes=tuple((tuple(box["x"]), tuple(box["y"])) for box in marked["box"] if box["xref"] == axis),
                lassos=tuple((tuple(area["x"]), tuple(area["y"])) for area in marked["lasso"] if area["xref"] == axis),
            )
            for axis in drawn
        }
    # Another filter may have left fewer traces than there were when the reader clicked.
    points = [point for point in marked["points"] if point["curve_number"] < len(axes)]
    places_of: dict[str, list[tuple[float, float]]] = {}
    for point in points:
        places_of.setdefault(axes[point["curve_number"]], []).append((point["x"], point["y"]))
    return {axis: Selection(places=tuple(clicked), reach=reach) for axis, clicked in places_of.items()}


def show_regions(run: Run, filters: Filters, rows: Passing, thresholds: Thresholds) -> None:
    """Draw how many of each pipeline's responses lie in each region, beside its means; then what the regions mean.

    Nothing where there is no response.
    """
    if not rows.height:
        return
    means = {mean[PIPELINE]: mean for mean in typed_rows(means_of(run, filters, thresholds, rows), MeansRow)}
    counts = regions_of(run, filters, thresholds, rows).select(PIPELINE, *REGIONS).iter_rows()
    drawn = [_region_row(means[pipeline], inside) for pipeline, *inside in counts if pipeline in means]
    columns: Columns = (
        "Pipeline",
        "Closeness, mean",
        "Conciseness, mean",
        *(Column(region, title=meaning) for region, meaning in REGIONS.items()),
    )
    show_table("regions", "Where each pipeline's responses lie", columns, drawn)
    show_sentences("meanings", [f"{region}: {meaning}" for region, meaning in REGIONS.items()])


def _region_row(mean: MeansRow, inside: Sequence[int]) -> Row:
    n = mean["responses"]
    return Row(
        cells=[
            mean[PIPELINE],
            _mean_cell(mean["closeness"], mean["closeness_low"], mean["closeness_high"], n),
            _mean_cell(mean["conciseness"], mean["conciseness_low"], mean["conciseness_high"], n),
            *(f"{count(column)} ({percent(column / n)})" for column in inside),
        ]
    )


def _mean_cell(mean: float, low: float | None, high: float | None, n: int) -> Cell:
    if low is None or high is None:
        return interval_cell(mean, mean, mean, score(mean), f"n = {count(n)}")
    return interval_cell(mean, low, high, score(mean), f"{score(low)} to {score(high)}, n = {count(n)}")


def show_normalised_gain(shown: OpenRun) -> None:
    """Draw a panel that, once opened, says what each pipeline loses by restating the question and by citations."""
    panel = st.expander("Without the restated question and citations", on_change="rerun", key="normalised")
    if not panel.open:
        return
    with panel:
        st.caption(
            "The scores again, over responses without citations such as [1] and without the words that only repeat the "
            "question. FMEval's own scores are the ones that count everywhere else."
        )
        gains = normalised_gain_of(shown).select(PIPELINE, RESPONSES, *_GAIN_FIGURES)
        rows = [Row(cells=[name, count(n), *map(score, figures)]) for name, n, *figures in gains.iter_rows()]
        show_table("normalised_gain", "Scores without the restated question and citations", _GAIN_COLUMNS, rows)
