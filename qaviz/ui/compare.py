"""The Compare page: pipelines against each other, one pair in detail, and the acceptance criteria: what they come to
for the run, and the panel that changes them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl
import streamlit as st

from qaviz.analysis import numbers
from qaviz.analysis.comparison import (
    FIRST,
    MANY_MORE,
    MATRIX_LEGEND,
    METRIC,
    SECOND,
    ComparedRow,
    amount,
    category_warning,
    format_signed,
    level,
    metric_help,
    metric_label,
    rounded_up,
    seen_from,
)
from qaviz.analysis.criteria import WHY, lacking, select_scorable
from qaviz.analysis.decision import word_protocol
from qaviz.analysis.glossary import explain
from qaviz.analysis.numbers import MISSING, count, figure, out_of, percent, plural
from qaviz.analysis.outcomes import COMPARED
from qaviz.analysis.policy import (
    A_DAY,
    SMALLEST,
    CriterionRow,
    Outcome,
    as_policy,
    criteria_in_force,
    criteria_of,
    criterion_in_words,
    protocol_in_force,
    word_bound,
    word_value,
)
from qaviz.charts import EFFORTS, FRONT, QUALITY, efforts, tradeoff_chart
from qaviz.model.classes import Measure, measure_of
from qaviz.model.columns import CATEGORY, PIPELINE, QUESTION_ID, TAGS, typed_rows
from qaviz.model.errors import QavizError
from qaviz.model.records import Criterion, Protocol
from qaviz.stats import Decision
from qaviz.store.audit_log import Deed
from qaviz.store.settings import keep_policy
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import categories_of, comparison_of, criteria_of_run, decision_of, tradeoff_of
from qaviz.ui.widgets.chart import about_run, show_chart
from qaviz.ui.widgets.components import show_problems, show_sentences
from qaviz.ui.widgets.filters import Filters, pick, pick_listed
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import offers, person_said
from qaviz.ui.widgets.table import (
    Cell,
    Column,
    Columns,
    Row,
    Tone,
    difference_cell,
    interval_cell,
    mark_cell,
    show_pages,
    show_table,
    text_cell,
)

NAME_WIDTH = 300
"""Pixels of a list of pipelines: names of one family differ at their ends."""

INTERVALS_UP_TO = 4
"""Pipelines whose matrix has room for intervals; one of more has marks, each of which leads to its pair."""

SYMBOLS: Mapping[Decision, str] = {
    Decision.BETTER: "▲",
    Decision.WORSE: "▼",
    Decision.LEVEL: "=",
    Decision.NO_CLEAR_DIFFERENCE: "≈",
    Decision.TOO_FEW_QUESTIONS: "?",
    Decision.OPEN: "…",
}
DENSE_LEGEND = (
    f"Each cell: the row’s pipeline against the column’s, on shared questions; the best stands first. "
    f"{', '.join(f'{symbol} {decision}' for decision, symbol in SYMBOLS.items())}. Rest on a cell for its difference "
    "and interval; open it for the figures of the pair. Better and worse: significant after correction for all pairs."
)

MOST_SENTENCES = 5
"""Pairs beside the picked one that are said in words; of more, the table tells."""

_TONES: Mapping[str, Tone] = {Decision.BETTER.value: "good", Decision.WORSE.value: "bad"}

_PIPELINE = Column("Pipeline", head=True, title=explain("pipeline"))
_DIFFERENCE = Column("Difference", wide=True, title=explain("paired difference"))
_STATISTICS = (
    Column("p", title=explain("p")),
    Column("p, corrected", title="Corrected for the number of pairs (Holm)."),
    Column("Detectable", title="The smallest difference that the test would probably find with these questions."),
    Column("More questions", title="About how many more questions would settle a difference of this size."),
)


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two pipelines, and the metric by which the reader compares them."""

    metric: str
    first: str
    second: str


def pick_metric(label: str = "Compare by") -> str:
    """Draw the choice of what pipelines are compared by; returns the metric."""
    return pick(url_state.METRIC, label, COMPARED, metric_label)


def pick_pair(shown: OpenRun, metric: str) -> Pair | None:
    """Draw the choice of two pipelines: to begin with the one that the decision is about, and the next in rank. None,
    and a word about it, where the run has only one."""
    pipelines = shown.run.pipelines
    if len(pipelines) == 1:
        st.text(f"This run has one pipeline, {pipelines[0]}, so there is nothing to compare.")
        return None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        decision = decision_of(shown)
        ranking = decision.ranking[PIPELINE].to_list()
        first = pick_listed(url_state.FIRST, "Pipeline", ranking, NAME_WIDTH, usual=decision.subject)
        others = [name for name in ranking if name != first]
        second = pick_listed(url_state.SECOND, "Against", others, NAME_WIDTH)
    return Pair(metric=metric, first=first, second=second)


def _seen_from(shown: OpenRun, first: str, second: str) -> dict[str, ComparedRow]:
    """What is known of the first pipeline against the second, by metric."""
    rows = comparison_of(shown).filter(_between(first, second))
    return {row[METRIC]: seen_from(row, first) for row in typed_rows(rows, ComparedRow)}


def _between(first: str, second: str) -> pl.Expr:
    return pl.col(FIRST).is_in([first, second]) & pl.col(SECOND).is_in([first, second])


def show_comparison(shown: OpenRun, pair: Pair) -> None:
    """Draw what is known: of the pair in large type, of the other pairs under it, and every pipeline against all."""
    pipelines, metric = decision_of(shown).ranking[PIPELINE].to_list(), pair.metric
    lead = _seen_from(shown, pair.first, pair.second)[metric]["sentence"]
    others = comparison_of(shown).filter(pl.col(METRIC) == metric, ~_between(pair.first, pair.second))["sentence"]
    show_sentences("pairs", others.to_list() if others.len() <= MOST_SENTENCES else [], lead=lead)
    dense = len(pipelines) > INTERVALS_UP_TO
    of_metric = typed_rows(comparison_of(shown).filter(pl.col(METRIC) == metric), ComparedRow)
    both = (seen_from(row, name) for row in of_metric for name in (row[FIRST], row[SECOND]))
    cell, seen = _mark_against if dense else _against, {(row[FIRST], row[SECOND]): row for row in both}
    rows = [
        Row(cells=[f"{rank} · {name}" if dense else name, *(cell(seen.get((name, other))) for other in pipelines)])
        for rank, name in enumerate(pipelines, start=1)
    ]
    columns = (_PIPELINE, *_columns_against(pipelines, dense))
    caption = f"{metric_label(metric)}: each pipeline against the others"
    show_table("comparison", caption, columns, rows, dense=dense, whole=True)
    st.caption(DENSE_LEGEND if dense else MATRIX_LEGEND)


def _columns_against(pipelines: Sequence[str], numbered: bool) -> Columns:
    """A column against each pipeline, in their order; of many, each has its row's number, and its name on hover."""
    if not numbered:
        return [f"against {name}" for name in pipelines]
    return [
        Column(f"against {name}", title=f"against {name}", short=str(rank))
        for rank, name in enumerate(pipelines, start=1)
    ]


def _against(row: ComparedRow | None) -> Cell:
    """The cell of a pair, None for a pipeline against itself."""
    return _difference(row, _outcomes(row)) if row else text_cell(None, missing=MISSING)


def _mark_against(row: ComparedRow | None) -> Cell:
    """As `_against`, as a mark that leads to the pair."""
    if row is None:
        return mark_cell(MISSING, "none", "itself")
    if not row["paired"]:
        return mark_cell(MISSING, "none", row["sentence"])
    metric, mark = row[METRIC], SYMBOLS[Decision(row["decision"])]
    words = f"{row['sentence']} {format_signed(metric, row['difference'])} ({_between_ends(row)}); {_outcomes(row)}."
    lead = url_state.href("compare", first=row[FIRST], second=row[SECOND])
    return mark_cell(mark, _TONES.get(row["decision"], "none"), words, href=lead)


def _outcomes(row: ComparedRow) -> str:
    wins, losses, ties = (count(row[name]) for name in ("wins", "losses", "ties"))
    return f"{wins} won, {losses} lost, {ties} tied"


def _difference(row: ComparedRow, note: str) -> Cell:
    if not row["paired"]:
        return text_cell(None, missing="no question in common")
    metric, ends = row[METRIC], (row["difference"], row["low"], row["high"])
    tone = _TONES.get(row["decision"], "none")
    words = f"{_between_ends(row)}; {note}"
    return difference_cell(*ends, format_signed(metric, row["difference"]), row["decision"], tone, words)


def _between_ends(row: ComparedRow) -> str:
    return f"{format_signed(row[METRIC], row['low'])} to {format_signed(row[METRIC], row['high'])}"


def show_figures(shown: OpenRun, pair: Pair) -> None:
    """Draw what is known of the pair by every metric, in figures."""
    rows = _seen_from(shown, pair.first, pair.second)
    figures = [
        Row(cells=[metric_label(metric), *_figures(rows[metric], select_scorable(shown.golden, metric).height)])
        for metric in COMPARED
    ]
    st.subheader("In figures", anchor=False)
    of_pair = f"{pair.first} against {pair.second}"
    show_table("figures", f"{of_pair}: the figures", ("By", pair.first, pair.second, _DIFFERENCE), figures)
    with st.expander("Statistics", icon=":material/functions:"):
        tests = [Row(cells=[metric_label(metric), *_statistics(rows[metric])]) for metric in COMPARED]
        show_table("statistics", f"{of_pair}: tests of the differences", ("By", *_STATISTICS), tests)


def _figures(row: ComparedRow, questions: int) -> list[Cell]:
    metric = row[METRIC]
    means = ((row["mean_first"], row["n_first"]), (row["mean_second"], row["n_second"]))
    return [
        *(f"{level(metric, mean)}\n{out_of(n, questions)} scored" for mean, n in means),
        _difference(row, f"n = {count(row['paired'])}"),
    ]


def _statistics(row: ComparedRow) -> list[Cell]:
    metric, seen = row[METRIC], row["detectable"]
    return [
        *(None if p is None else numbers.p_figure(p) for p in (row["p"], row["p_holm"])),
        text_cell(None if seen is None else amount(metric, seen), missing="none"),
        _more(row["needed"]),
    ]


def _more(questions: int | None) -> str | None:
    if questions is None:
        return None
    return count(rounded_up(questions)) if questions <= MANY_MORE else f"over {count(MANY_MORE)}"


LEAST_QUESTIONS = 5
"""Of a category that is compared."""


def show_categories(shown: OpenRun, pair: Pair) -> None:
    """Draw the pair by each category of LEAST_QUESTIONS or more, where there are several, and what to keep in mind."""
    if shown.golden[CATEGORY].drop_nulls().n_unique() < 2:
        return
    every = categories_of(shown, pair.metric, pair.first, pair.second)
    by_category = every.filter(pl.col("paired") >= LEAST_QUESTIONS)
    st.subheader("By category", anchor=False)
    if small := every.height - by_category.height:
        st.caption(f"Not shown: {count(small)} of fewer than {LEAST_QUESTIONS} questions, which tell nothing apart.")
    if by_category.is_empty():
        return
    st.caption(category_warning(by_category.height))
    columns = (
        "Category",
        pair.first,
        pair.second,
        _DIFFERENCE,
    )
    show_pages(
        "categories",
        "The comparison by category",
        columns,
        by_category,
        lambda page: map(_category_row, page[CATEGORY], typed_rows(page, ComparedRow)),
    )


def _category_row(category: str, row: ComparedRow) -> Row:
    means = [level(row[METRIC], mean) for mean in (row["mean_first"], row["mean_second"])]
    return Row(cells=[category, *means, _difference(row, _outcomes(row))])


def show_lacking(shown: OpenRun, pair: Pair) -> None:
    """Name the questions that one of the pair lacks, if there are any: they are left out, not counted as failed."""
    lacking_rows = lacking(shown.rows, shown.golden, (pair.first, pair.second), pair.metric)
    if lacking_rows.is_empty():
        st.caption("Both pipelines have a score for every question that can be scored.")
        return
    columns = ("Question", "Missing for", Column("Why", wide=True))
    with st.expander(f"Excluded: {plural(lacking_rows.height, 'score')} missing", icon=":material/rule:"):
        show_pages("lacking", "Questions that one pipeline has no score for", columns, lacking_rows, _lacking_rows)


def _lacking_rows(page: pl.DataFrame) -> list[Row]:
    return [
        Row(href=url_state.response_href(question), cells=list(map(text_cell, (question, pipeline, why))))
        for question, pipeline, why in page.select(QUESTION_ID, PIPELINE, WHY).iter_rows()
    ]


def show_tradeoff(shown: OpenRun, metric: str) -> None:
    """Draw what each pipeline's quality takes, in time and in cost, where responses carry them."""
    measured = efforts(shown.rows)
    st.subheader("Time and cost", anchor=False)
    if not measured:
        st.caption("These responses have no latency_ms and no cost. Add the columns to see time and cost.")
        return
    table, quality = tradeoff_of(shown, metric), metric_label(metric)
    columns: Columns = (
        _PIPELINE,
        Column(quality, title=metric_help(metric)),
        *(EFFORTS[point] for point in measured),
        "None better for less",
    )
    taken = zip(*(table.select(name, f"{name}_n").iter_rows() for name in (QUALITY, *measured)), strict=True)
    rows = [
        Row(cells=_tradeoff_cells(pipeline, front, level(metric, mean), n, figures))
        for pipeline, front, ((mean, n), *figures) in zip(table[PIPELINE], table[FRONT], taken, strict=True)
    ]
    show_table("tradeoff", f"{quality} beside time and cost", columns, rows)
    for point in measured:
        show_chart(
            tradeoff_chart(table, point, quality),
            key=f"tradeoff_{point}",
            name=f"{quality} and {EFFORTS[point].lower()}",
            alt=f"Each pipeline by {EFFORTS[point].lower()} and {quality.lower()}",
            data=lambda: table,
            about=about_run(shown.run, Filters()),
            caption="On the dotted line: no pipeline is better for less.",
        )


def _tradeoff_cells(
    pipeline: str, front: bool | None, quality: str, n: int | None, taken: Sequence[tuple[float | None, int | None]]
) -> list[Cell]:
    figures = [(quality, n), *((figure(mean, 4), n) for mean, n in taken)]
    return [
        pipeline,
        *(f"{figure}\nmean of {count(n or 0)}" for figure, n in figures),
        _FRONT_CELLS[front],
    ]


_FRONT_CELLS: Mapping[bool | None, Cell] = {
    True: mark_cell("✓ yes", "good", "No pipeline is at least as good, as quick and as cheap, and better in one."),
    False: mark_cell("✗ no", "none", "Another is at least as good, as quick and as cheap, and better in one."),
    None: mark_cell(MISSING, "none", "Its score, time or cost is not known."),
}


_MARKS: Mapping[str, tuple[str, Tone]] = {
    Outcome.MET.value: ("✓ met", "good"),
    Outcome.NOT_MET.value: ("✗ not met", "bad"),
    Outcome.NOT_SHOWN.value: ("? not shown", "warn"),
}
_COLUMNS = (
    "Criterion",
    "Pipeline",
    "Wanted",
    Column("Found", title="With its 95% interval."),
    Column("Outcome", title="Met: the whole interval is past the bound. Not met: none of it is. Else: not shown."),
)
_ALL, _NONE = "all", "nobody"
_REFUSED = "policy_refused"


def show_policy(shown: OpenRun) -> None:
    """Draw the workspace's acceptance criteria as they stand for each pipeline, and the panel to change them."""
    st.subheader("Acceptance criteria", anchor=False)
    if refused := st.session_state.pop(_REFUSED, None):
        show_problems(refused)
    criteria = criteria_in_force(workspace())
    if criteria:
        results = criteria_of_run(shown, criteria)
        show_table("criteria", "Acceptance criteria", _COLUMNS, list(map(_row, typed_rows(results, CriterionRow))))
    else:
        st.caption("No criterion yet. Set what a pipeline has to reach; each run then shows whether it does.")
    protocol = protocol_in_force(workspace(), shown.run)
    if when := word_protocol(protocol):
        st.caption(f"{when.capitalize()}.")
    if not offers(workspace(), Deed.POLICY, "change the criteria"):
        return
    panel = st.expander("Change the criteria", icon=":material/edit:", key="policy", on_change="rerun")
    if panel.open:
        with panel:
            _edit(shown, criteria)
            _edit_protocol(protocol)


def _row(row: CriterionRow) -> Row:
    text, tone = _MARKS[row["outcome"]]
    sign = "≥" if measure_of(row["measure"]).more_is_better else "≤"
    wanted = f"{sign} {numbers.bound(row['bound'])}"
    if row["than"] is not None:
        wanted = word_bound(measure_of(row["measure"]), row["bound"], row["than"])
    return Row(
        note=row["scope"],
        cells=[
            row["measure"].capitalize(),
            row[PIPELINE],
            wanted,
            _result_cell(row),
            mark_cell(text, tone, row["sentence"]),
        ],
    )


def _result_cell(row: CriterionRow) -> Cell:
    settled = f"{out_of(row['scored'], row['expected'])} settled"
    if row["value"] is None:
        return text_cell(None, missing=settled)
    likely = f"95% interval {numbers.interval(row['low'], row['high'])}; {settled} questions"
    if row["than"] is not None:
        value, low, high = (word_value(row, row[end]) for end in ("value", "low", "high"))
        return text_cell(value, note=f"95% interval {low} to {high}; {settled} questions")
    return interval_cell(row["value"], row["low"], row["high"], percent(row["value"]), likely)


def _edit(shown: OpenRun, criteria: Sequence[Criterion]) -> None:
    st.caption(
        "They hold for every run of this workspace and for the command gate. 100% and 0% are about these very "
        "questions; any other bound is met once the whole interval is past it."
    )
    for place, criterion in enumerate(criteria):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(criterion_in_words(criterion))
            rest = [*criteria[:place], *criteria[place + 1 :]]
            st.button("Remove", key=f"remove_criterion_{place}", icon=":material/delete:", on_click=_keep, args=[rest])
    with st.form("criterion", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        measure = st.selectbox(
            "Measure",
            [one for one in Measure if not one.is_expense and one is not Measure.SCORE],
            key="criterion_measure",
        )
        bound = st.number_input("At least, or at most, %", 0.0, 100.0, 90.0, 1.0, key="criterion_bound")
        category = st.selectbox(
            "Category",
            [_ALL, *shown.golden[CATEGORY].drop_nulls().unique(maintain_order=True)],
            key="criterion_category",
        )
        tags = shown.golden[TAGS].drop_nulls().str.split(";").explode().str.strip_chars()
        tags = tags.filter(tags != "").unique(maintain_order=True)
        tag = st.selectbox("Tag", [_ALL, *tags], key="criterion_tag")
        pipelines = decision_of(shown).ranking[PIPELINE]
        than = st.selectbox("At most so much worse than", [_NONE, *pipelines], key="criterion_than")
        added = st.form_submit_button("Add", icon=":material/add:", type="primary")
    if added and measure:
        scope = {name: None if value == _ALL else value for name, value in (("category", category), ("tag", tag))}
        guarded = None if than == _NONE else than
        _keep([*criteria, Criterion(measure=measure, bound=bound / 100, than=guarded, **scope)])
        st.rerun()


def _edit_protocol(protocol: Protocol) -> None:
    with st.form("protocol", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        smallest = st.number_input(
            "Smallest difference that matters, points", 0.0, 99.0, (protocol.smallest_difference or 0.0) * 100, 1.0
        )
        a_day = st.number_input("Questions that you can write a day", 0, 10_000, protocol.questions_a_day or 0)
        if st.form_submit_button("Save", icon=":material/save:"):
            _save({SMALLEST: smallest / 100 or None, A_DAY: int(a_day) or None})
            st.rerun()


def _keep(criteria: Sequence[Criterion]) -> None:
    try:
        if criteria:
            criteria_of(as_policy(criteria), "the new criterion")
    except QavizError as error:
        st.session_state[_REFUSED] = error
        return
    _save(as_policy(criteria))


def _save(part: Mapping[str, object]) -> None:
    try:
        keep_policy(workspace(), dict(part), person_said())
    except QavizError as error:
        st.session_state[_REFUSED] = error
