"""The Compare page: pipelines against each other, one pair in detail with the questions that decide it, one run against
another, repeats of one pipeline, and the acceptance criteria with the panel that changes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
import streamlit as st

from qaviz.analysis import comparison, numbers, policy, run_changes
from qaviz.analysis.comparison import FIRST, METRIC, SECOND, ComparedRow, single
from qaviz.analysis.criteria import select_scorable
from qaviz.analysis.decision import word_protocol
from qaviz.analysis.gate import judge_change
from qaviz.analysis.glossary import TEXTS, explain
from qaviz.analysis.numbers import MISSING, count, day, out_of, percent
from qaviz.analysis.outcomes import COMPARED
from qaviz.analysis.policy import CriterionRow
from qaviz.analysis.selection import moves
from qaviz.analysis.tables import IN_ALL, REPEATS, SAME
from qaviz.diagnosis.columns import SPANS
from qaviz.golden.versions import END, GOLDEN_DATASET, PIPELINES, QUESTIONS, START, attribute_change
from qaviz.model import columns as c
from qaviz.model.classes import VERDICT_OF, Measure, Verdict, measure_of
from qaviz.model.columns import CATEGORY, PIPELINE, TAGS, typed_rows
from qaviz.model.errors import QavizError
from qaviz.model.records import Criterion, Run
from qaviz.model.visible import ELLIPSIS, one_line, plain
from qaviz.report import ENDS, Column, Kind, Record
from qaviz.stats import Compared
from qaviz.store.audit_log import Deed
from qaviz.store.labels import labels_state
from qaviz.store.settings import keep_policy
from qaviz.ui.curation import rows_on
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import (
    categories_of,
    comparison_of,
    criteria_of_run,
    deciding_of,
    decision_of,
    repeats_of,
    view_run,
)
from qaviz.ui.widgets.components import say_problems, show_sentences
from qaviz.ui.widgets.filters import pick, pick_several
from qaviz.ui.widgets.keeping import OpenRun, keep
from qaviz.ui.widgets.person import keep_outcome, offers, person_said, show_outcome, workspace
from qaviz.ui.widgets.table import Columns, show_frame

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
