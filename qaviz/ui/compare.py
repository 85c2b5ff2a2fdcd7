"""The Compare page: pipelines against each other, one pair in detail, and the acceptance criteria: what they come to
for the run, and the panel that changes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl
import streamlit as st

from qaviz.analysis import comparison, numbers, policy
from qaviz.analysis.comparison import FIRST, METRIC, SECOND, ComparedRow
from qaviz.analysis.criteria import select_scorable
from qaviz.analysis.decision import word_protocol
from qaviz.analysis.glossary import TEXTS, explain
from qaviz.analysis.numbers import MISSING, count, out_of
from qaviz.analysis.outcomes import COMPARED
from qaviz.analysis.policy import CriterionRow
from qaviz.model.classes import Measure, measure_of
from qaviz.model.columns import CATEGORY, PIPELINE, TAGS, typed_rows
from qaviz.model.records import Criterion
from qaviz.report import ENDS, Column, Kind
from qaviz.stats import Compared
from qaviz.store.audit_log import Deed
from qaviz.store.settings import keep_policy
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import categories_of, comparison_of, criteria_of_run, decision_of, view_run
from qaviz.ui.widgets.components import show_sentences
from qaviz.ui.widgets.filters import pick
from qaviz.ui.widgets.keeping import OpenRun
from qaviz.ui.widgets.person import keep_outcome, offers, person_said, show_outcome, workspace
from qaviz.ui.widgets.table import show_frame

NAME_WIDTH = 300
"""Pixels of a list of pipelines: names of one family differ at their ends."""

SYMBOLS: Mapping[Compared, str] = {
    Compared.BETTER: "▲",
    Compared.WORSE: "▼",
    Compared.LEVEL: "=",
    Compared.NO_CLEAR_DIFFERENCE: "≈",
    Compared.TOO_FEW_QUESTIONS: "?",
    Compared.OPEN: "…",
}
DENSE_LEGEND = (
    f"Each cell: the row’s pipeline against the column’s, on shared questions; the best stands first. "
    f"{', '.join(f'{symbol} {decision}' for decision, symbol in SYMBOLS.items())}. Rest on a cell for its difference "
    "and interval; open it for the figures of the pair. Better and worse: significant after correction for all pairs."
)

_PIPELINE = Column(PIPELINE, "Pipeline", help=explain("pipeline"))
_STATISTICS = (
    "by",
    Column("p", "p", kind=Kind.P, help=explain("p")),
    Column("p_holm", "p, corrected", kind=Kind.P, help="Corrected for the number of pairs (Holm)."),
    Column(
        "detectable",
        "Detectable",
        text="{amount}",
        missing="none",
        help="The smallest difference that the test would probably find with these questions.",
    ),
    Column("more", "More questions", help="About how many more questions would settle a difference of this size."),
)
_ITSELF = {"value": None, "none": MISSING}
LEAST_QUESTIONS = 5
"""Of a category that is compared."""
_NOTE = "95% interval {interval}; {settled} questions"
_GUARDED = Column(
    "difference",
    "Difference",
    kind=Kind.DIFFERENCE,
    ends=ENDS,
    note=_NOTE,
    help="Of a guardrail: from the other pipeline, in points, with its 95% interval.",
)
_CRITERIA = (
    Column("measure", "Criterion", text="{capitalised}", note="{scope}"),
    *("pipeline", "wanted"),
    Column(
        "share", "Found", kind=Kind.SHARE, ends=ENDS, note=_NOTE, missing="{settled}", help="With its 95% interval."
    ),
    _GUARDED,
    Column(
        "outcome",
        "Outcome",
        kind=Kind.MARK,
        title="{sentence}",
        help="Met: the whole interval is past the bound. Not met: none of it is. Else: not shown.",
    ),
)
_ALL, _NONE = "all", "nobody"


def _difference_column(name: str, heading: str, note: str = "{interval}; {outcomes}", help: str = "") -> Column:
    """A column of what `_describe_pair` says of a difference."""
    return Column(
        name,
        heading,
        kind=Kind.DIFFERENCE,
        of=METRIC,
        ends=ENDS,
        by="decision",
        note=note,
        missing="{none}",
        wide=bool(help),
        help=help,
    )


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two pipelines, and the metric by which the reader compares them."""

    metric: str
    first: str
    second: str


def pick_metric() -> str:
    """Draw the choice of what pipelines are compared by; returns the metric."""
    return pick(url_state.METRIC, "Compare by", COMPARED, comparison.metric_label)


def pick_pair(shown: OpenRun, metric: str) -> Pair | None:
    """Draw the choice of two pipelines: to begin with the one that the decision is about, and the next in rank. None,
    and a word about it, where the run has only one."""
    pipelines = shown.run.pipelines
    if len(pipelines) == 1:
        st.text(f"This run has one pipeline, {pipelines[0]}, so there is nothing to compare.")
        return None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        decision = decision_of(view_run(shown))
        ranking = decision.ranking[PIPELINE].to_list()
        first = pick(url_state.FIRST, "Pipeline", ranking, usual=decision.subject, width=NAME_WIDTH)
        others = [name for name in ranking if name != first]
        second = pick(url_state.SECOND, "Against", others, width=NAME_WIDTH)
    return Pair(metric=metric, first=first, second=second)


def _seen_from(shown: OpenRun, first: str, second: str) -> dict[str, ComparedRow]:
    """What is known of the first pipeline against the second, by metric."""
    rows = comparison_of(view_run(shown)).filter(_between(first, second))
    return {row[METRIC]: comparison.seen_from(row, first) for row in typed_rows(rows, ComparedRow)}


def _between(first: str, second: str) -> pl.Expr:
    return pl.col(FIRST).is_in([first, second]) & pl.col(SECOND).is_in([first, second])


def show_comparison(shown: OpenRun, pair: Pair) -> None:
    """Draw what is known: of the pair in large type, of the other pairs under it, and every pipeline against all."""
    view, metric = view_run(shown), pair.metric
    pipelines, compared = decision_of(view).ranking[PIPELINE].to_list(), comparison_of(view)
    lead = _seen_from(shown, pair.first, pair.second)[metric]["sentence"]
    others = compared.filter(pl.col(METRIC) == metric, ~_between(pair.first, pair.second))["sentence"]
    # Of many other pairs the table tells.
    show_sentences("pairs", others.to_list() if others.len() <= 5 else [], lead=lead)
    # A matrix of more has no room for intervals: it has marks, each of which leads to its pair.
    dense = len(pipelines) > 4
    of_metric = typed_rows(compared.filter(pl.col(METRIC) == metric), ComparedRow)
    both = (comparison.seen_from(row, name) for row in of_metric for name in (row[FIRST], row[SECOND]))
    described = {(row[FIRST], row[SECOND]): _describe_pair(row) for row in both}
    rows = [
        {PIPELINE: f"{rank} · {name}" if dense else name}
        | {str(place): described.get((name, other), _ITSELF) for place, other in enumerate(pipelines)}
        for rank, name in enumerate(pipelines, start=1)
    ]
    against = _mark_column if dense else lambda place, name: _difference_column(str(place), f"against {name}")
    columns = (_PIPELINE, *(against(place, name) for place, name in enumerate(pipelines)))
    caption = f"{comparison.metric_label(metric)}: each pipeline against the others"
    show_frame("comparison", caption, rows, columns, dense=dense, whole=True)
    st.caption(DENSE_LEGEND if dense else TEXTS["how_to_read"]["matrix"])


def _mark_column(place: int, name: str) -> Column:
    """As `_difference_column`, of marks that lead to the pair, under the number of its pipeline's row."""
    return Column(
        str(place),
        f"against {name}",
        kind=Kind.MARK,
        text="{sign}",
        by="decision",
        missing=MISSING,
        title="{sentence} {signed} ({ends}); {outcomes}.",
        href="lead",
        help=f"against {name}",
        short=str(place + 1),
    )


def _describe_pair(row: ComparedRow) -> dict[str, object]:
    """The row, its difference as `value`, and what is said of it in words."""
    metric = row[METRIC]
    wins, losses, ties = (count(row[name]) for name in ("wins", "losses", "ties"))
    return {
        **row,
        "value": row["difference"],
        "none": "no question in common",
        "outcomes": f"{wins} won, {losses} lost, {ties} tied",
        "sign": SYMBOLS[Compared(row["decision"])],
        "signed": comparison.format_signed(metric, row["difference"]),
        "ends": f"{comparison.format_signed(metric, row['low'])} to {comparison.format_signed(metric, row['high'])}",
        "level_first": comparison.level(metric, row["mean_first"]),
        "level_second": comparison.level(metric, row["mean_second"]),
        "lead": url_state.href("compare", first=row[FIRST], second=row[SECOND]),
    }


def show_figures(shown: OpenRun, pair: Pair) -> None:
    """Draw what is known of the pair by every metric, in figures."""
    rows = _seen_from(shown, pair.first, pair.second)
    figures = [
        _describe_pair(rows[metric])
        | {
            "by": comparison.metric_label(metric),
            "scorable": select_scorable(shown.golden, metric).height,
            "amount": comparison.amount(metric, rows[metric]["detectable"]),
            "more": _more(rows[metric]["needed"]),
        }
        for metric in COMPARED
    ]
    st.subheader("In figures", anchor=False)
    of_pair = f"{pair.first} against {pair.second}"
    columns = (
        "by",
        Column("level_first", pair.first, text="{level_first}\n{n_first:,} of {scorable:,} scored"),
        Column("level_second", pair.second, text="{level_second}\n{n_second:,} of {scorable:,} scored"),
        _difference_column("difference", "Difference", "{interval}; n = {paired:,}", explain("paired difference")),
    )
    show_frame("figures", f"{of_pair}: the figures", figures, columns)
    with st.expander("Statistics", icon=":material/functions:"):
        show_frame("statistics", f"{of_pair}: tests of the differences", figures, _STATISTICS)


def _more(questions: int | None) -> str | None:
    if questions is None:
        return None
    if questions > comparison.MANY_MORE:
        return f"over {count(comparison.MANY_MORE)}"
    return count(comparison.rounded_up(questions))


def show_categories(shown: OpenRun, pair: Pair) -> None:
    """Draw the pair by each category of LEAST_QUESTIONS or more, where there are several, and what to keep in mind."""
    if shown.golden[CATEGORY].drop_nulls().n_unique() < 2:
        return
    every = categories_of(view_run(shown), pair.metric, pair.first, pair.second)
    by_category = every.filter(pl.col("paired") >= LEAST_QUESTIONS)
    st.subheader("By category", anchor=False)
    if small := every.height - by_category.height:
        st.caption(f"Not shown, because they have fewer than {LEAST_QUESTIONS} questions: {count(small)}.")
    if by_category.is_empty():
        return
    st.caption(comparison.category_warning(by_category.height))
    columns = (
        CATEGORY,
        Column("level_first", pair.first),
        Column("level_second", pair.second),
        _difference_column("difference", "Difference", help=explain("paired difference")),
    )
    described = list(map(_describe_pair, typed_rows(by_category, ComparedRow)))
    show_frame("categories", "The comparison by category", described, columns)


def show_policy(shown: OpenRun) -> None:
    """Draw the workspace's acceptance criteria as they stand for each pipeline, and the panel to change them."""
    st.subheader("Acceptance criteria", anchor=False)
    show_outcome()
    criteria = policy.criteria_in_force(workspace())
    if criteria:
        rows = [_describe_criterion(row) for row in typed_rows(criteria_of_run(view_run(shown)), CriterionRow)]
        guarded = any(criterion.than for criterion in criteria)
        columns = [column for column in _CRITERIA if guarded or column is not _GUARDED]
        show_frame("criteria", "Acceptance criteria", rows, columns)
    else:
        st.caption("No criterion yet. Set what a pipeline has to reach; each run then shows whether it does.")
    protocol = policy.protocol_in_force(workspace(), shown.run)
    if when := word_protocol(protocol):
        st.caption(f"{when.capitalize()}.")
    if not offers(Deed.POLICY, "change the criteria"):
        return
    panel = st.expander("Change the criteria", icon=":material/edit:", key="policy", on_change="rerun")
    if panel.open:
        with panel:
            _edit(shown, criteria)
            with st.form("protocol", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
                usual = (protocol.smallest_difference or 0.0) * 100
                smallest = st.number_input("Smallest difference that matters, points", 0.0, 99.0, usual, 1.0)
                usual_number = protocol.questions_a_day or 0
                a_day = st.number_input("Questions that you can write a day", 0, 10_000, usual_number)
                if st.form_submit_button("Save", icon=":material/save:"):
                    _keep_protocol(smallest / 100 or None, int(a_day) or None)
                    st.rerun()


def _describe_criterion(row: CriterionRow) -> dict[str, object]:
    measure, alone = measure_of(row["measure"]), row["than"] is None
    wanted = f"{'≥' if measure.more_is_better else '≤'} {numbers.bound(row['bound'])}"
    return {
        **row,
        "capitalised": row["measure"].capitalize(),
        "wanted": wanted if alone else policy.word_bound(measure, row["bound"], row["than"]),
        "outcome": row["outcome"].removesuffix(" with this many questions"),
        "share": row["value"] if alone else None,
        "difference": None if alone else row["value"],
        "settled": f"{out_of(row['scored'], row['expected'])} settled",
    }


def _edit(shown: OpenRun, criteria: Sequence[Criterion]) -> None:
    st.caption(
        "They hold for every run of this workspace and for the command gate. 100% and 0% are about these very "
        "questions; any other bound is met once the whole interval is past it."
    )
    for place, criterion in enumerate(criteria):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(policy.criterion_in_words(criterion))
            rest = [*criteria[:place], *criteria[place + 1 :]]
            st.button("Remove", key=f"remove_criterion_{place}", icon=":material/delete:", on_click=_keep, args=[rest])
    with st.form("criterion", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        measures = [measure for measure in Measure if not measure.is_expense and measure is not Measure.SCORE]
        measure = st.selectbox("Measure", measures, key="criterion_measure")
        bound = st.number_input("At least, or at most, %", 0.0, 100.0, 90.0, 1.0, key="criterion_bound")
        categories = shown.golden[CATEGORY].drop_nulls().unique(maintain_order=True)
        category = st.selectbox("Category", [_ALL, *categories], key="criterion_category")
        tags = shown.golden[TAGS].drop_nulls().str.split(";").explode().str.strip_chars()
        tags = tags.filter(tags != "").unique(maintain_order=True)
        tag = st.selectbox("Tag", [_ALL, *tags], key="criterion_tag")
        pipelines = decision_of(view_run(shown)).ranking[PIPELINE]
        than = st.selectbox("At most so much worse than", [_NONE, *pipelines], key="criterion_than")
        added = st.form_submit_button("Add", icon=":material/add:", type="primary")
    if added and measure:
        scope = {name: None if value == _ALL else value for name, value in (("category", category), ("tag", tag))}
        guarded = None if than == _NONE else than
        _keep([*criteria, Criterion(measure=measure, bound=bound / 100, than=guarded, **scope)])
        st.rerun()


@keep_outcome
def _keep(criteria: Sequence[Criterion]) -> None:
    if criteria:
        policy.criteria_of(policy.as_policy(criteria), "the new criterion")
    keep_policy(workspace(), policy.as_policy(criteria), person_said())


@keep_outcome
def _keep_protocol(smallest: float | None, a_day: int | None) -> None:
    keep_policy(workspace(), {policy.SMALLEST: smallest, policy.A_DAY: a_day}, person_said())
