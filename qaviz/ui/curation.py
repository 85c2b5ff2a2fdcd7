"""Editing the golden dataset: findings one after the other, and triplets in a table."""

from collections.abc import Mapping
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.numbers import count, plural
from qaviz.analysis.tables import matching
from qaviz.golden.edits import FIELDS, TEXTS, Texts, differences, edit, proposed_edits
from qaviz.golden.lint import RULES
from qaviz.golden.lint.findings import FIELD, FINDINGS, RULE, SEVERITIES, SEVERITY, Finding
from qaviz.model.columns import ANSWER, CATEGORY, FACT, QUESTION, QUESTION_ID, TAGS
from qaviz.model.visible import plain, restore_signs, visible, visible_texts
from qaviz.store.golden_versions import EDITS
from qaviz.ui.curation_state import Curating, effects_of, make_version, reject, try_effects
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.person import draw_steps, offer_act
from qaviz.ui.widgets.table import Column, Row, Tone, draw_pages, mark_cell, page_of, show_table, text_cell
from qaviz.ui.widgets.text import variants_on_lines

PLACE = "finding_place"
"""Session key of the place, in the list, of the finding in focus."""
LED_BY = "finding_led_by"
"""Session key of the question that a link led to."""

GAIN = "gain"
"""Column of how many more responses have the score that their label or verdict asks for, once an edit is accepted."""
BEST = 10
"""Suggestions that are offered together."""

_MARKS: Mapping[str, tuple[str, Tone]] = {"error": ("✗", "bad"), "warning": ("!", "warn"), "note": ("i", "none")}
_EXPLAINED = {rule.name: rule.explanation for rule in RULES}


def pick_findings(curating: Curating) -> pl.DataFrame:
    """Draw the severities and rules, each with its number of findings; returns the findings of those picked, with
    GAIN: those whose suggestion sets most responses right first."""
    findings = curating.findings
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        severities = _pick_severities(findings)
        kept = findings.filter(pl.col(SEVERITY).is_in(severities)) if severities else findings
        rule = _pick_rule(kept)
    return _order_by_effect(curating, kept.filter(pl.col(RULE) == rule) if rule else kept)


def _order_by_effect(curating: Curating, findings: pl.DataFrame) -> pl.DataFrame:
    key = [QUESTION_ID, FIELD, RULE]
    effects = effects_of(curating).select(*key, GAIN, "moves")
    joined = findings.join(effects, on=key, how="left", maintain_order="left", nulls_equal=True)
    return joined.sort(GAIN, "moves", descending=True, nulls_last=True, maintain_order=True).drop("moves")


def _pick_severities(findings: pl.DataFrame) -> list[str]:
    counts = dict(findings[SEVERITY].value_counts().iter_rows())
    st.session_state["pick_severity"] = [
        severity for severity in url_state.values(url_state.SEVERITY) if severity in SEVERITIES
    ]
    return st.pills(
        "Severity",
        SEVERITIES,
        selection_mode="multi",
        format_func=lambda severity: f"{_MARKS[severity][0]} {severity} · {count(counts.get(severity, 0))}",
        key="pick_severity",
        on_change=lambda: _write_filter(url_state.SEVERITY, *st.session_state["pick_severity"]),
        label_visibility="collapsed",
    )


def _pick_rule(findings: pl.DataFrame) -> str | None:
    counts = dict(findings[RULE].value_counts(sort=True).iter_rows())
    named = url_state.value(url_state.RULE)
    st.session_state["pick_rule"] = named if named in counts else None
    st.selectbox(
        "Rule",
        list(counts),
        format_func=lambda name: f"{name.replace('-', ' ')} · {count(counts[name])}",
        key="pick_rule",
        on_change=lambda: _write_filter(url_state.RULE, *filter(None, [st.session_state["pick_rule"]])),
        placeholder="All rules",
        label_visibility="collapsed",
        width=320,
    )
    return named if named in counts else None


def _write_filter(name: str, *value: str) -> None:
    url_state.write(name, *value)
    st.session_state[PLACE] = 0


def show_findings(curating: Curating, findings: pl.DataFrame, person: str | None) -> None:
    """Draw the finding in focus with its suggestion, what can be decided about all of a rule, and the list."""
    if findings.is_empty():
        st.text(
            "No finding passes these filters. Remove a filter to see more."
            if len(curating.findings)
            else "Nothing found."
        )
        return
    place = _find_place(findings)
    _show_focus(curating, findings, place, person)
    _offer_all(curating, findings, person)
    _offer_best(curating, findings, person)
    _show_list(findings)


def _find_place(findings: pl.DataFrame) -> int:
    """The place in focus; a link to a question leads to its first finding, once."""
    led_by = url_state.value(url_state.QUESTION)
    if led_by and st.session_state.get(LED_BY) != led_by:
        st.session_state[LED_BY] = led_by
        of_question = findings.select((pl.col(QUESTION_ID) == led_by).arg_true()).to_series()
        st.session_state[PLACE] = int(of_question[0]) if len(of_question) else 0
    return min(int(st.session_state.get(PLACE, 0)), findings.height - 1)


def _look_at(place: int) -> None:
    st.session_state[PLACE] = place


def _show_focus(curating: Curating, findings: pl.DataFrame, place: int, person: str | None) -> None:
    finding = Finding(*findings.select(FINDINGS.names()).row(place))
    texts = curating.golden.select(QUESTION_ID, *FIELDS)
    triplet: Texts = texts.row(by_predicate=pl.col(QUESTION_ID) == finding.question_id, named=True)
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            symbol, _ = _MARKS[finding.severity]
            st.caption(
                f"{symbol} {finding.severity} · {finding.rule.replace('-', ' ')} · "
                f"finding {count(place + 1)} of {count(findings.height)}"
            )
            draw_steps("finding", place, findings.height, _look_at)
        st.text(visible(finding.message), help=plain(_EXPLAINED.get(finding.rule, "")))
        st.text(visible("\n".join(filter(None, [finding.evidence, finding.suggestion and f"→ {finding.suggestion}"]))))
        _show_decision(curating, findings[place], finding, triplet, person)


def _show_decision(curating: Curating, one: pl.DataFrame, finding: Finding, triplet: Texts, person: str | None) -> None:
    """Draw the field for the new text, its effects, and the buttons Accept and Reject."""
    field = finding.field or str(st.segmented_control("Edit", TEXTS, default=FACT, key="finding_field", required=True))
    key = f"{curating.version.number}_{finding.question_id}_{finding.rule}_{field}_{finding.proposed}"
    left, right = st.columns(2, gap="medium")
    with left:
        st.text(visible(f"{QUESTION.capitalize()}: {triplet[QUESTION]}"))
        st.text(visible(f"The {field} now: {triplet[field] or 'none'}"))
        proposed = finding.proposed if finding.field else triplet[field]
        text = st.text_area(
            f"The new {field}", proposed or "", key=f"text_{key}", help="You can edit it before you accept."
        )
        why = st.text_input("Why", key=f"why_{key}", placeholder=finding.message)
    wanted = edit(finding.question_id, field, text, finding.rule)
    changes = (text.strip() or None) != triplet[field]
    with right:
        if changes:
            st.text("If accepted, the open run’s Factual Knowledge")
            try_effects(curating, wanted, "suggestion")
        else:
            st.caption(f"Change the {field}, to see its effect on the open run.")
    with left, st.container(horizontal=True, gap="small"):
        accept = partial(make_version, curating, wanted, why.strip() or finding.message)
        offer_act("Accept", "finding_accept", "check", accept, person, ready=changes, primary=True)
        turn_down = partial(reject, curating.version, one)
        offer_act("Reject", "finding_reject", "close", turn_down, person, help="It is not suggested again.")


def _offer_all(curating: Curating, findings: pl.DataFrame, person: str | None) -> None:
    """Draw the effects and the buttons for all findings of the rule, once the reader has picked it."""
    rule = findings[RULE][0]
    if findings.height < 2 or url_state.value(url_state.RULE) != rule:
        return
    edits = proposed_edits(findings)
    with st.expander(f"All {count(findings.height)} findings of this rule", icon=":material/done_all:"):
        if edits.is_empty():
            st.text("This rule proposes no text: each finding needs a person.")
        else:
            try_effects(curating, edits, "all")
        with st.container(horizontal=True, gap="small"):
            accept = partial(make_version, curating, edits, f"all suggestions of the rule {rule}")
            label, some = f"Accept {plural(edits.height, 'suggestion')}", not edits.is_empty()
            offer_act(label, "accept_all", "done_all", accept, person, ready=some)
            label, turn_down = (
                f"Reject {plural(findings.height, 'finding')}",
                partial(reject, curating.version, findings),
            )
            offer_act(label, "reject_all", "close", turn_down, person)


def _offer_best(curating: Curating, findings: pl.DataFrame, person: str | None) -> None:
    """Draw, once it is opened, what the suggestions that set most responses right do together, and their button."""
    best = proposed_edits(findings.filter(pl.col(GAIN) > 0)).head(BEST)
    if best.height < 2:
        return
    label = f"The {count(best.height)} suggestions that set most right"
    panel = st.expander(label, icon=":material/trophy:", on_change="rerun", key="best")
    if panel.open:
        with panel:
            fits = try_effects(curating, best, "best_effects")
            accept = partial(make_version, curating, best, f"the {best.height} suggestions that set most right")
            offer_act(f"Accept {plural(best.height, 'suggestion')}", "accept_best", "check", accept, person, ready=fits)


def _show_list(findings: pl.DataFrame) -> None:
    right = Column(
        "Sets right", title="How many more responses Factual Knowledge then judges as labels or verdicts do."
    )
    wide = (Column(label="What is wrong", wide=True), Column(label="Suggestion", wide=True))
    columns = ("Triplet", "Finding", *wide, right)
    page = page_of(findings.with_row_index("place"), "findings")
    rows = [_row(place, Finding(*finding), gain) for place, *finding, gain in page.iter_rows()]
    opened = show_table("findings", "Findings", columns, rows)
    draw_pages(findings, "findings")
    if opened is not None:
        _look_at(int(opened))
        st.rerun()


def _row(place: int, finding: Finding, gain: int | None) -> Row:
    symbol, tone = _MARKS[finding.severity]
    return Row(
        id=str(place),
        href=url_state.href("golden", question=finding.question_id),
        note=finding.field or "",
        cells=[
            finding.question_id,
            mark_cell(f"{symbol} {finding.rule.replace('-', ' ')}", tone, f"{finding.severity}: {finding.rule}"),
            f"{finding.message}\n{finding.evidence or ''}",
            text_cell(variants_on_lines(finding.proposed) or finding.suggestion, missing="a person has to decide"),
            f"{gain:+,}" if gain else None,
        ],
    )


def edit_by_hand(curating: Curating, person: str | None) -> None:
    """Draw a page of triplets to edit; edits are previewed, and accepted with a reason."""
    text = st.text_input(
        "Search",
        key="edit_search",
        type="search",
        placeholder="Search the triplets",
        label_visibility="collapsed",
        icon=":material/search:",
    )
    listed = matching(curating.golden.select(QUESTION_ID, *FIELDS), text)
    if listed.is_empty():
        st.text("No triplet has this text.")
        return
    page = page_of(listed, "triplets")
    seen = page.with_columns(map(visible_texts, FIELDS))
    edited = st.data_editor(
        seen,
        # Edits are kept by the row's place: other triplets, or another version of them, are another table.
        key=f"edit_{curating.version.number}_{'|'.join(page[QUESTION_ID])}",
        hide_index=True,
        disabled=[QUESTION_ID],
        placeholder="–",
        column_order=[QUESTION_ID, QUESTION, FACT, ANSWER, CATEGORY, TAGS],
        column_config={
            QUESTION_ID: st.column_config.TextColumn("Triplet", pinned=True, width="small"),
            **{
                name: st.column_config.TextColumn(name.capitalize(), width="medium" if name in TEXTS else "small")
                for name in FIELDS
            },
        },
    )
    draw_pages(listed, "triplets")
    edits = _read_edits(page, seen, edited)
    if edits.is_empty():
        st.caption(
            "A double click edits a text. Variants of a fact are joined by <OR>, or by <AND> if all are needed; tags, "
            "such as critical, by semicolons."
        )
        return
    _offer(curating, edits.select(EDITS.names()), person)


def _read_edits(page: pl.DataFrame, seen: pl.DataFrame, edited: pl.DataFrame) -> pl.DataFrame:
    """The edits. A sign for an invisible character becomes that character again, where the text had it."""
    texts = edited.with_columns(pl.col(FIELDS).replace("", None))
    meant = [
        pl.Series(
            field, [now and restore_signs(now, was or "") for now, was in zip(texts[field], page[field], strict=True)]
        )
        for field in FIELDS
    ]
    changed = differences(seen, texts).select(QUESTION_ID, FIELD)
    edits = differences(page, texts.with_columns(meant))
    return edits.join(changed, on=[QUESTION_ID, FIELD], how="semi").with_columns(pl.lit(None, pl.String).alias(RULE))


def _offer(curating: Curating, edits: pl.DataFrame, person: str | None) -> None:
    with st.container(border=True):
        if not try_effects(curating, edits, "by_hand"):
            return
        why = st.text_input("Why", key="edit_why", placeholder="Shown in the history")
        label, accept = f"Accept {plural(edits.height, 'edit')}", partial(make_version, curating, edits, why)
        offer_act(label, "edit_accept", "check", accept, person, ready=bool(why.strip()), primary=True)
