"""The risk of a golden dataset on the screen: the matrix, what each level asks, the plan, and a new review."""

from collections.abc import Mapping, Sequence
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import day
from qaviz.model.columns import CATEGORY
from qaviz.model.errors import QavizError
from qaviz.model.visible import plain
from qaviz.review.plan import (
    MOST_READERS,
    Level,
    LevelRule,
    Likelihood,
    Severity,
    classify_risk,
    keep_level_rules,
    level_rules,
    plan_review,
    say_plan,
)
from qaviz.review.session import ReviewRules, promote_review, start_review
from qaviz.store import GoldenVersion
from qaviz.store.audit_log import Deed
from qaviz.store.review_sessions import WHOLE, ReviewSession, Risk, classify, kept_risks
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import may, offers
from qaviz.ui.widgets.table import Column, Row, Tone, mark_cell, show_table, text_cell
from qaviz.ui.widgets.text import show_problems

OUTCOME = "review_outcome"
"""Session key of what came of the last act: a sentence or a refusal."""
_TONES: Mapping[Level, Tone] = {
    Level.VERY_LOW: "none",
    Level.LOW: "good",
    Level.MEDIUM: "warn",
    Level.HIGH: "bad",
    Level.CRITICAL: "bad",
}
_WHOLE = "the whole dataset"


def show_review_outcome() -> None:
    """Draw what came of the last act, once."""
    outcome = st.session_state.pop(OUTCOME, None)
    if isinstance(outcome, QavizError):
        show_problems(outcome)
    elif outcome:
        st.success(plain(outcome), icon=":material/check:")


def show_risk(
    version: GoldenVersion,
    golden: pl.DataFrame,
    open_ones: Sequence[ReviewSession],
    person: str | None,
    rows: pl.DataFrame | None,
) -> None:
    """Draw the matrix, the plan of the level and the button that starts or enlarges a review."""
    editing = offers(workspace(), Deed.CLASSIFY, "classify risks and start reviews", line=version.line)
    person = person if editing else None
    risks = kept_risks(workspace(), version.line)
    category = _pick_category(golden)
    known = next((each for each in risks if each.category == category), None)
    level = _classify(version, category, known, person)
    if level:
        _show_plan(version, golden, category, level, open_ones, person, rows)
    _edit_levels(person if may(workspace(), Deed.POLICY) else None)
    _show_risks(risks)


def _pick_category(golden: pl.DataFrame) -> str:
    names = [str(each) for each in golden[CATEGORY].drop_nulls().unique(maintain_order=True)]
    return st.selectbox(
        "Risk of", [WHOLE, *names], format_func=lambda each: each or _WHOLE, key="risk_category", width=320
    )


def _classify(version: GoldenVersion, category: str, known: Risk | None, person: str | None) -> Level | None:
    """Draw the two choices, the matrix and the reason; returns the level that is chosen, None before both are."""
    severity = st.segmented_control(
        "How bad is it if a triplet is wrong?",
        list(Severity),
        default=Severity(known.severity) if known else None,
        format_func=lambda each: each.value.capitalize(),
        wrap=True,
        key=f"severity_{category}",
    )
    likelihood = st.segmented_control(
        "How often would a wrong triplet do harm?",
        list(Likelihood),
        default=Likelihood(known.likelihood) if known else None,
        format_func=lambda each: each.value.capitalize(),
        wrap=True,
        key=f"likelihood_{category}",
    )
    _show_matrix(severity, likelihood)
    if not (severity and likelihood):
        st.caption("Choose a severity and a likelihood.")
        return None
    level = classify_risk(severity, likelihood)
    if known and (known.severity, known.likelihood) == (severity, likelihood):
        by = f"{known.classified_by}, {day(known.classified_at)}: {known.reason}"
        st.text(f"{level.value.capitalize()} risk, said {by}")
        return level
    reason = st.text_input("Why?", key=f"risk_reason_{category}", placeholder="Shown with the level, your name and day")
    st.button(
        f"Keep: {level} risk",
        key="risk_keep",
        type="primary",
        icon=":material/flag:",
        disabled=not (person and reason.strip()),
        on_click=partial(_keep_risk, version.line, category, severity, likelihood, level, reason, person or ""),
    )
    return level


def _keep_risk(
    line: str, category: str, severity: Severity, likelihood: Likelihood, level: Level, reason: str, by: str
) -> None:
    try:
        classify(workspace(), line, category, severity.value, likelihood.value, level.value, reason, by)
    except QavizError as error:
        st.session_state[OUTCOME] = error
    else:
        st.session_state[OUTCOME] = f"Kept: {level} risk."


def _show_matrix(severity: Severity | None, likelihood: Likelihood | None) -> None:
    columns = [Column(label="Severity", head=True), *(Column(label=each.value.capitalize()) for each in Likelihood)]
    rows = []
    for each in reversed(Severity):
        cells = [text_cell(each.value.capitalize())]
        for likely in Likelihood:
            level = classify_risk(each, likely)
            chosen = (each, likely) == (severity, likelihood)
            text = f"● {level.value.capitalize()}" if chosen else level.value.capitalize()
            cells.append(mark_cell(text, _TONES[level], f"{each} severity, {likely}: {level} risk"))
        rows.append(Row(cells=cells))
    show_table("risk_matrix", "Risk by severity and likelihood", columns, rows, whole=True, dense=True)


def _show_plan(
    version: GoldenVersion,
    golden: pl.DataFrame,
    category: str,
    level: Level,
    open_ones: Sequence[ReviewSession],
    person: str | None,
    rows: pl.DataFrame | None,
) -> None:
    population = golden.filter(pl.col(CATEGORY) == category).height if category else golden.height
    rule = level_rules(workspace())[level]
    allowed = st.number_input(
        "Wrong ones allowed in the sample", 0, 20, 0, key="allowed_wrong", width=320, help="Fixed before the review."
    )
    try:
        plan = plan_review(population, level, at_most=rule.at_most, allowed_wrong=int(allowed))
    except QavizError as error:
        show_problems(error)
        return
    with st.container(border=True):
        readers = f" {rule.readers} people read each." if rule.readers > 1 else ""
        st.text(say_plan(plan) + readers)
        st.caption("Triplets that lint, generation or a judge flags, and facts that no pipeline states, are read too.")
        current = next((each for each in open_ones if each.category == category), None)
        if current:
            _offer_promotion(current, level, person)
        else:
            _offer_start(version, category, level, int(allowed), person, rows)


def _offer_promotion(current: ReviewSession, level: Level, person: str | None) -> None:
    higher = list(Level).index(level) > list(Level).index(Level(current.level))
    st.text(f"A review for {current.level} risk is open.")
    if higher:
        st.button(
            f"Enlarge it to {level} risk",
            key="review_promote",
            type="primary",
            icon=":material/moving:",
            disabled=not person,
            help="What was read stays and counts.",
            on_click=partial(_promote, current.session, level, person or ""),
        )


def _promote(session: str, level: Level, by: str) -> None:
    try:
        larger = promote_review(workspace(), session, level, by)
    except QavizError as error:
        st.session_state[OUTCOME] = error
    else:
        st.session_state[OUTCOME] = f"The review draws {larger.sample:,} of {larger.population:,} triplets now."


def _offer_start(
    version: GoldenVersion, category: str, level: Level, allowed: int, person: str | None, rows: pl.DataFrame | None
) -> None:
    with st.expander("Readers, findings of your own, guidelines", icon=":material/group:"):
        pool = st.text_input("Readers", key="review_pool", placeholder="Everybody; or names, separated by commas")
        own = st.text_input("Findings of your own", key="review_own", placeholder="Separated by commas")
        stages = st.toggle(
            "In two stages",
            key="review_stages",
            help="A second sample is drawn only if one triplet of the first is wrong. Both are sized together, so that "
            "the promise holds.",
        )
        guidelines = st.text_area("Guidelines, with examples", key="review_guidelines", height=120)
    rules = ReviewRules(
        pool=_names(pool), own_findings=_names(own), guidelines=guidelines, allowed_wrong=allowed, two_stages=stages
    )
    st.button(
        "Start the review",
        key="review_start",
        type="primary",
        icon=":material/play_arrow:",
        disabled=not person,
        on_click=partial(_start, version.golden_id, category, level, rules, person or "", rows),
    )


def _names(said: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (each.strip() for each in said.split(",")))))


def _start(golden: str, category: str, level: Level, rules: ReviewRules, by: str, rows: pl.DataFrame | None) -> None:
    try:
        made = start_review(workspace(), golden, level, by, category=category, rules=rules, rows=rows)
    except QavizError as error:
        st.session_state[OUTCOME] = error
    else:
        st.session_state[OUTCOME] = (
            f"{made.sample:,} of {made.population:,} triplets are drawn. Read them under Reading."
        )


def _edit_levels(person: str | None) -> None:
    """Draw the table of what each level asks, to be edited."""
    with st.expander("What each level asks", icon=":material/tune:"):
        rules = level_rules(workspace())
        table = pl.DataFrame(
            [(level.value, rule.at_most * 100, rule.readers) for level, rule in rules.items()],
            schema={"level": pl.String, "at_most": pl.Float64, "readers": pl.Int64},
            orient="row",
        )
        edited = st.data_editor(
            table,
            key="level_rules",
            hide_index=True,
            disabled=["level"],
            column_config={
                "level": "Risk",
                "at_most": st.column_config.NumberColumn(
                    "At most % wrong, with 95% confidence", min_value=0, max_value=99, help="0: all are read."
                ),
                "readers": st.column_config.NumberColumn("Readers a triplet", min_value=1, max_value=MOST_READERS),
            },
        )
        wanted = {
            Level(level): LevelRule(at_most=round((share or 0) / 100, 6), readers=int(readers or 0))
            for level, share, readers in edited.iter_rows()
        }
        changed = wanted != dict(rules)
        st.button(
            "Keep the table",
            key="levels_keep",
            disabled=not (person and changed),
            on_click=partial(_keep_levels, wanted, person or ""),
        )


def _keep_levels(rules: Mapping[Level, LevelRule], by: str) -> None:
    try:
        keep_level_rules(workspace(), rules, by)
    except QavizError as error:
        st.session_state[OUTCOME] = error
    else:
        st.session_state[OUTCOME] = "Kept: what each level asks. Reviews that are open stay as they were planned."


def _show_risks(risks: Sequence[Risk]) -> None:
    if not risks:
        return
    columns = [
        Column(label="Of", head=True),
        Column(label="Risk"),
        Column(label="Severity"),
        Column(label="Likelihood"),
        Column(label="Why", wide=True),
        Column(label="Who"),
        Column(label="When"),
    ]
    rows = [
        Row(
            cells=[
                text_cell(each.category or _WHOLE),
                mark_cell(each.level, _TONES[Level(each.level)], "the newest counts"),
                text_cell(each.severity),
                text_cell(each.likelihood),
                text_cell(each.reason),
                text_cell(each.classified_by),
                text_cell(day(each.classified_at)),
            ]
        )
        for each in risks
    ]
    show_table("risks", "Classifications, the newest first", columns, rows, short=True)
