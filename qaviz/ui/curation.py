"""Editing the golden dataset: the newest version of the open run's, its findings, edits of one after the other, of all
of a rule and in a table, with what each would change; and the history."""

from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.board import Trial, count_gap, tabulate_cells
from qaviz.analysis.numbers import count, day, percent, plural
from qaviz.analysis.outcomes import counting, select_asked, select_counted, tabulate
from qaviz.analysis.sentences import decisions_left, effect_points, finding_counts
from qaviz.analysis.tables import matching
from qaviz.bulk.chunks import rescore
from qaviz.exports.table_files import GOLDEN_FORMATS
from qaviz.golden.edits import (
    FIELDS,
    TEXTS,
    Effects,
    Texts,
    apply_edits,
    differences,
    edit,
    edits_to,
    expected_effects,
    preview,
    proposed_edits,
    suggestions,
    without_rejected,
)
from qaviz.golden.lint import explain_rules, lint
from qaviz.golden.lint.findings import FIELD, FINDINGS, PROPOSED, RULE, SEVERITIES, SEVERITY, Finding
from qaviz.golden.versions import accept, newest_version, undo
from qaviz.loading import silent
from qaviz.model.columns import ANSWER, CATEGORY, FACT, PIPELINE, QUESTION, QUESTION_ID, REASON, RESPONSE, TAGS
from qaviz.model.records import Run
from qaviz.model.visible import plain, restore_signs, visible, visible_texts
from qaviz.report import LOOKS, Column, Kind
from qaviz.runs import rescore_run
from qaviz.store.golden_versions import (
    AFTER,
    EDITS,
    GoldenVersion,
    keep_rejections,
    kept_rejections,
    take_back_rejection,
    versions,
    with_places,
)
from qaviz.store.labels import kept_answer_forms, kept_labels, kept_triplet_findings
from qaviz.ui.widgets import url_state
from qaviz.ui.widgets.cached import labels_of
from qaviz.ui.widgets.components import say_problems, show_sentences, variants_on_lines
from qaviz.ui.widgets.filters import draw_search
from qaviz.ui.widgets.keeping import Identities, OpenRun, RunView, keep
from qaviz.ui.widgets.person import (
    OUTCOME,
    draw_steps,
    keep_outcome,
    offer_act,
    offer_file,
    person_said,
    show_outcome,
    workspace,
)
from qaviz.ui.widgets.table import draw_pages, page_of, show_frame

VERSIONS_KEPT = 12
"""Versions of which rows and findings stay in memory, and of which the history shows figures."""

_FACTS_COLUMNS = (
    Column(PIPELINE, "Factual Knowledge"),
    Column("before", "Now", kind=Kind.MARK, text="{hits:,} of {scored:,} · {before:share}", title="As it is"),
    Column(
        "after",
        "Then",
        kind=Kind.MARK,
        by="move",
        text="{hits_after:,} of {scored_after:,} · {after:share}",
        title="Factual Knowledge {move}.",
    ),
)
_MISTAKE_COLUMNS = (
    Column(PIPELINE, "Pipeline", note="{question_id}"),
    Column("kind", "Wrong matches and lost matches", kind=Kind.MARK, by="sign", title="The response is {held}."),
    Column(RESPONSE, "Response", wide=True, text="{response}\n→ {held}. {reason}"),
)
PLACE = "finding_place"
"""Session key of the place, in the list, of the finding in focus."""
LED_BY = "finding_led_by"
"""Session key of the question that a link led to."""

GAIN = "gain"
"""Column of how many more responses are credited as their label or verdict asks for, once an edit is accepted."""
_EXPLAINED = explain_rules()
_RULE_COLUMN = Column(RULE, "Finding", kind=Kind.MARK, text="{rule_words}", by=SEVERITY, title="{severity}: {rule}")
_SETS_RIGHT = Column(
    GAIN,
    "Scores mended",
    text="{gain:+,}",
    help="How many more responses get the Factual Knowledge score that their label or verdict calls for.",
)

_VERSION_COLUMNS = (
    Column("number", "Version", text="Version {number}", note="{golden_id}"),
    Column("made_at", "When", text="{made_at:day}"),
    Column("made_by", "Who", missing="from a file"),
    Column("why", "Why", wide=True),
    "edits",
)


@dataclass(frozen=True, kw_only=True)
class Curating:
    """The newest version of a golden dataset, and the open run on it. Tables are shared: never change them in place."""

    shown: OpenRun
    version: GoldenVersion
    golden: pl.DataFrame
    rows: pl.DataFrame
    """The run's diagnosed rows on this version."""
    findings: pl.DataFrame
    """What lint finds, without rejected suggestions."""
    rejected: pl.DataFrame
    labels: pl.DataFrame | None
    """The newest label of each response; None where the run has none."""


_IDENTITIES: Identities = {
    Curating: lambda curating: (
        curating.shown.run.run_id,
        curating.version.golden_id,
        curating.findings,
        curating.labels,
    )
}


@keep(VERSIONS_KEPT, waiting="Scoring the run on this version")
def rows_on(run: Run, golden: str) -> pl.DataFrame:
    """The run's diagnosed rows on the golden dataset version with this id. Shared: never change them in place."""
    return rescore_run(run, workspace(), golden)


def run_on(shown: OpenRun, golden: str) -> pl.DataFrame:
    """The open run's diagnosed rows on the golden dataset version with this id: its own, if it was scored on it."""
    return shown.rows if golden == shown.run.golden_id else rows_on(shown.run, golden)


@keep(VERSIONS_KEPT, waiting="Looking for faults", by=_IDENTITIES)
def findings_on(
    shown: OpenRun, golden: str, judged: pl.DataFrame, forms: pl.DataFrame, labels: pl.DataFrame | None
) -> pl.DataFrame:
    """What lint finds in the golden dataset version with this id, with the run's responses, what models said of it and
    the labels that count."""
    rows = run_on(shown, golden)
    return lint(workspace().golden(golden), rows, silent, judged, forms, labels)


@keep(VERSIONS_KEPT)
def gaps_on(view: RunView, golden: str, ranked: tuple[str, ...]) -> dict[str, int]:
    """Of each of the `ranked` pipelines the right answers that Factual Knowledge does not credit on the golden dataset
    version with this id."""
    run, rows = view.shown.run, run_on(view.shown, golden)
    questions = select_asked(workspace().golden(golden), rows, run.listed_counts)[QUESTION_ID]
    outcomes = tabulate(select_counted(rows), questions, kept_labels(workspace(), run))
    cells = tabulate_cells(outcomes, questions, ranked)
    return dict(count_gap(cells).select(pl.col(PIPELINE).cast(pl.String), "not_credited").iter_rows())


@keep(waiting="Computing what edits change")
def try_edits(view: RunView, golden: str, questions: tuple[str, ...], ranked: tuple[str, ...]) -> Trial:
    """What the edits that lint proposes for these questions of the golden dataset version with this id would change."""
    ids, run = pl.Series(QUESTION_ID, questions), view.shown.run
    labels, kept = kept_labels(workspace(), run), labels_of(run, counted=True)
    triplets, rows = (
        table.filter(pl.col(QUESTION_ID).is_in(ids.implode()))
        for table in (workspace().golden(golden), run_on(view.shown, golden))
    )
    findings = lint(triplets, rows, labels=None if kept.is_empty() else counting(kept))
    rejected = kept_rejections(workspace(), newest_version(workspace(), golden).line)
    edits = edits_to(triplets, proposed_edits(without_rejected(findings, rejected)))
    before, after = (
        count_gap(tabulate_cells(tabulate(select_counted(scored), ids, labels), ids, ranked))
        for scored in (rows, rescore(rows, apply_edits(triplets, edits), run.thresholds))
    )
    return Trial(edits.height, before, after)


def propose_fact(curating: Curating, question: str) -> str | None:
    """The fact that lint proposes for this question from the responses to it; None where it proposes none."""
    golden, rows = (table.filter(pl.col(QUESTION_ID) == question) for table in (curating.golden, curating.rows))
    proposed = proposed_edits(without_rejected(lint(golden, rows, labels=curating.labels), curating.rejected))
    facts = proposed.filter(pl.col(FIELD) == FACT)[AFTER]
    return None if facts.is_empty() else str(facts[0])


@keep(waiting="Computing what edits change", by=_IDENTITIES)
def effects_of(curating: Curating) -> pl.DataFrame:
    """`edits.expected_effects` of all that the findings propose."""
    proposed = edits_to(curating.golden, proposed_edits(curating.findings))
    return expected_effects(curating.rows, proposed, curating.labels)


@keep(VERSIONS_KEPT, by=_IDENTITIES)
def _preview_edits(shown: OpenRun, curating: Curating, edits: pl.DataFrame) -> Effects:
    """What the edits would change: the page asks for the same ones at each click."""
    run, wanted = shown.run, edits_to(curating.golden, edits)
    return preview(curating.rows, curating.golden, wanted, run.thresholds, run.pipelines, curating.labels)


@keep()
def _golden(version: GoldenVersion) -> pl.DataFrame:
    return workspace().golden(version.golden_id)


def open_golden(shown: OpenRun, *, linted: bool = True) -> Curating:
    """The newest version of the open run's golden dataset. Where a file is damaged, the page says so and stops. Where
    it need not be `linted`, it has no findings: to look for them takes a while."""
    version = newest_version(workspace(), shown.run.golden_id)
    rejected = kept_rejections(workspace(), version.line)
    judged = kept_triplet_findings(workspace(), version.golden_id)
    forms = kept_answer_forms(workspace(), version.golden_id)
    kept = labels_of(shown.run, counted=True)
    labels = None if kept.is_empty() else counting(kept)
    findings = findings_on(shown, version.golden_id, judged, forms, labels) if linted else FINDINGS.to_frame()
    return Curating(
        shown=shown,
        version=version,
        golden=_golden(version),
        rows=run_on(shown, version.golden_id),
        findings=without_rejected(findings, rejected),
        rejected=rejected,
        labels=labels,
    )


def version_in_words(version: GoldenVersion) -> str:
    """`Version 3, by Ana on 21 Nov 2026: a variant was missing`."""
    by = f"by {version.made_by} " if version.made_by else ""
    return f"Version {version.number}, {by}on {day(version.made_at)}: {version.why}"


def _offer_undo(label: str, key: str, version: GoldenVersion, person: str | None, help: str | None = None) -> None:
    """Draw a button that makes a version without what this one changed."""

    def say(made: GoldenVersion) -> str:
        return f"Version {version.number} is undone. Saved as version {made.number}."

    offer_act(label, key, "undo", person, undo, version, says=say, ready=bool(version.edits), help=help)


def show_act(place: str = "") -> None:
    """Draw what came of the last act: of accepted edits their version and an undo, until the next act. The `place`
    tells the buttons of two on one page apart."""
    show_outcome()
    version = st.session_state.get(OUTCOME)
    if not isinstance(version, GoldenVersion):
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.text(f"Saved as version {version.number}.")
        _offer_undo("Undo", f"{place}accepted_undo", version, version.made_by)


class CurationView(StrEnum):
    """What the Curation page shows."""

    FINDINGS = "Findings"
    TABLE = "Edit by hand"
    HISTORY = "History"
    DOCUMENTS = "Documents"


def show_state(curating: Curating) -> None:
    """Say which version this is, how many triplets it has, and what is found in it."""
    severities = curating.findings[SEVERITY].value_counts()
    counts = dict(severities.iter_rows())
    findings_in_words = finding_counts(*(counts.get(severity, 0) for severity in SEVERITIES))
    rejected = f"; rejected: {count(curating.rejected.height)}" if curating.rejected.height else ""
    triplets = plural(curating.golden.height, "triplet")
    proposed = curating.findings.filter(pl.col(PROPOSED).is_not_null()).height
    left = decisions_left(proposed, curating.findings.height - proposed)
    lead = f"{triplets}: {findings_in_words} to look at{rejected}."
    show_sentences("state", [left, version_in_words(curating.version)], lead=lead)


@say_problems
def try_effects(curating: Curating, edits: pl.DataFrame, key: str) -> bool:
    """Draw each pipeline's Factual Knowledge before and after the edits, other changes, and new misjudgements; returns
    True, None where there are problems to fix. `before` of the edits is not looked at."""
    effects = _preview_edits(curating.shown, curating, edits)
    moves = [_describe_move(*shares) for shares in effects.facts.select("before", "after").iter_rows()]
    facts = effects.facts.with_columns(pl.Series("move", moves, pl.String))
    show_frame(f"{key}_facts", "Factual Knowledge now and then", facts, _FACTS_COLUMNS, short=True)
    show_sentences(f"{key}_points", effect_points(effects.diagnoses, effects.scores, effects.mistakes))
    if effects.mistakes.height:
        mistakes = effects.mistakes.with_columns(pl.lit("mistake").alias("sign"), pl.col(REASON).fill_null(""))
        caption = "Responses that would be judged wrongly"
        show_frame(f"{key}_mistakes", caption, mistakes, _MISTAKE_COLUMNS, short=True)
    return True


def _describe_move(before: float | None, after: float | None) -> str:
    """What becomes of a share, as far as its whole percent tell."""
    if before is None or after is None or percent(before) == percent(after):
        return "stays"
    return "rises" if after > before else "falls"


def pick_findings(curating: Curating) -> pl.DataFrame:
    """Draw the rules with what accepting all of each brings, or the one picked; returns its findings, else all, with
    GAIN: those whose suggestion sets most responses right first."""
    key = [QUESTION_ID, FIELD, RULE]
    effects = effects_of(curating).select(*key, GAIN, "moves")
    joined = curating.findings.join(effects, on=key, how="left", maintain_order="left", nulls_equal=True)
    ordered = joined.sort(GAIN, "moves", descending=True, nulls_last=True, maintain_order=True).drop("moves")
    rule = url_state.value(url_state.RULE)
    if rule is None or rule not in ordered[RULE]:
        _show_rules(ordered)
        return ordered
    all_rules = f"{rule.replace('-', ' ')}: all rules again"
    st.button(all_rules.capitalize(), icon=":material/close:", on_click=_pick_rule)
    return ordered.filter(pl.col(RULE) == rule)


def _show_rules(findings: pl.DataFrame) -> None:
    """Draw a row a rule: its findings, their suggestions, and how many responses these set right; a click opens it."""
    edits = proposed_edits(findings).join(findings, on=[QUESTION_ID, FIELD, RULE], how="left", maintain_order="left")
    proposing = edits.group_by(RULE).agg(pl.len().alias("edits"), pl.col(GAIN).sum())
    rules = findings.group_by(RULE, maintain_order=True).agg(
        pl.len().alias("findings"), *(pl.col(name).first() for name in (SEVERITY, "message", "evidence"))
    )
    ordered = rules.join(proposing, on=RULE, how="left", maintain_order="left").sort(
        GAIN, "findings", descending=True, nulls_last=True, maintain_order=True
    )
    if ordered.is_empty():
        return
    example = pl.concat_str("message", "evidence", separator="\n", ignore_nulls=True).alias("example")
    wrong = pl.col(RULE).replace_strict(_EXPLAINED, default="").alias("explained")
    columns = (
        replace(_RULE_COLUMN, heading="Rule"),
        "findings",
        Column("edits", "Suggestions", missing="a person has to decide"),
        *(_SETS_RIGHT, Column("explained", "What is wrong", wide=True), Column("example", "For example", wide=True)),
    )
    drawn = _mark_rules(ordered).with_columns(example, wrong)
    if opened := show_frame("rules", "Findings by rule", drawn, columns, opens=RULE, short=True):
        _pick_rule(opened)
        st.rerun()


def _mark_rules(findings: pl.DataFrame) -> pl.DataFrame:
    """With what the columns of rules and gains draw."""
    words = pl.col(RULE).str.replace_all("-", " ", literal=True).alias("rule_words")
    return findings.with_columns(words, pl.col(GAIN).replace(0, None))


def _pick_rule(*rule: str) -> None:
    url_state.write(url_state.RULE, *rule)
    st.session_state[PLACE] = 0


def show_findings(curating: Curating, findings: pl.DataFrame, person: str | None) -> None:
    """Draw what can be decided about all findings of a rule, the one in focus with its suggestion, and the list."""
    if findings.is_empty():
        st.text("Nothing found.")
        return
    led_by = url_state.value(url_state.QUESTION)
    if led_by and st.session_state.get(LED_BY) != led_by:  # a link to a question leads to its first finding, once
        st.session_state[LED_BY] = led_by
        of_question = findings.select((pl.col(QUESTION_ID) == led_by).arg_true()).to_series()
        st.session_state[PLACE] = int(of_question[0]) if len(of_question) else 0
    place = min(int(st.session_state.get(PLACE, 0)), findings.height - 1)
    _offer_all(curating, findings, person)
    finding = Finding(*findings.select(FINDINGS.names()).row(place))
    texts = curating.golden.select(QUESTION_ID, *FIELDS)
    triplet: Texts = texts.row(by_predicate=pl.col(QUESTION_ID) == finding.question_id, named=True)
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            symbol, _ = LOOKS[finding.severity]
            st.caption(
                f"{symbol} {finding.severity} · {finding.rule.replace('-', ' ')} · "
                f"finding {count(place + 1)} of {count(findings.height)}"
            )
            draw_steps("finding", place, findings.height, _look_at)
        st.text(visible(finding.message), help=plain(_EXPLAINED.get(finding.rule, "")))
        st.text(visible("\n".join(filter(None, [finding.evidence, finding.suggestion and f"→ {finding.suggestion}"]))))
        _show_decision(curating, findings[place], finding, triplet, person)
    _show_list(findings)


def _look_at(place: int) -> None:
    st.session_state[PLACE] = place


def _show_decision(curating: Curating, row: pl.DataFrame, finding: Finding, triplet: Texts, person: str | None) -> None:
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
        take_up = partial(accept, why=why.strip() or finding.message)
        accepting = (person, take_up, curating.version, wanted)
        offer_act("Accept", "finding_accept", "check", *accepting, ready=changes, primary=True)
        rejecting = (person, keep_rejections, curating.version.line, suggestions(row))
        offer_act("Reject", "finding_reject", "close", *rejecting, help="It is not suggested again.")


def _offer_all(curating: Curating, findings: pl.DataFrame, person: str | None) -> None:
    """Draw the effects and the buttons for all findings of the rule, once the reader has picked it."""
    rule = findings[RULE][0]
    if findings.height < 2 or url_state.value(url_state.RULE) != rule:
        return
    edits = proposed_edits(findings)
    with st.expander(f"All {count(findings.height)} findings of this rule", icon=":material/done_all:", expanded=True):
        if edits.is_empty():
            st.text("This rule proposes no text: each finding needs a person.")
        else:
            try_effects(curating, edits, "all")
        with st.container(horizontal=True, gap="small"):
            accepting = (person, partial(accept, why=f"all suggestions of the rule {rule}"), curating.version, edits)
            label, some = f"Accept {plural(edits.height, 'suggestion')}", not edits.is_empty()
            offer_act(label, "accept_all", "done_all", *accepting, ready=some)
            rejecting = (person, keep_rejections, curating.version.line, suggestions(findings))
            offer_act(f"Reject {plural(findings.height, 'finding')}", "reject_all", "close", *rejecting)


def _show_list(findings: pl.DataFrame) -> None:
    suggested = [
        variants_on_lines(proposed) or suggestion
        for proposed, suggestion in findings.select(PROPOSED, "suggestion").iter_rows()
    ]
    message = pl.format("{}\n{}", "message", pl.col("evidence").fill_null(""))
    drawn = _mark_rules(findings).with_columns(message, pl.Series("suggested", suggested, pl.String))
    columns = (
        Column(QUESTION_ID, "Triplet", note="{field}"),
        _RULE_COLUMN,
        Column("message", "What is wrong", wide=True),
        Column("suggested", "Suggestion", wide=True, missing="a person has to decide"),
        _SETS_RIGHT,
    )
    opened = show_frame(
        "findings",
        "Findings",
        drawn.with_row_index("place").cast({"place": pl.String}),
        columns,
        leads=lambda row: url_state.href("golden", question=row[QUESTION_ID]),
        opens="place",
    )
    if opened is not None:
        _look_at(int(opened))
        st.rerun()


def edit_by_hand(curating: Curating, person: str | None) -> None:
    """Draw a page of triplets to edit; edits are previewed, and accepted with a reason."""
    text = draw_search("Search the triplets", "edit_search")
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
    draw_pages("triplets", listed.height)
    edits = _read_edits(page, seen, edited)
    if edits.is_empty():
        st.caption(
            "A double click edits a text. Variants of a fact are joined by <OR>, or by <AND> if all are needed; tags, "
            "such as critical, by semicolons."
        )
        return
    edits = edits.select(EDITS.names())
    with st.container(border=True):
        if not try_effects(curating, edits, "by_hand"):
            return
        why = st.text_input("Why", key="edit_why", placeholder="Shown in the history")
        label = f"Accept {plural(edits.height, 'edit')}"
        accepting = (person, partial(accept, why=why), curating.version, edits)
        offer_act(label, "edit_accept", "check", *accepting, ready=bool(why.strip()), primary=True)


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


def show_history(curating: Curating, person: str | None) -> None:
    """Draw the versions, newest first, and the edits of the picked one, with its file and undo."""
    line = versions(workspace(), curating.version.line)
    rows = [asdict(version) for version in reversed(line)]
    show_frame("versions", "Versions of the golden dataset", rows, _VERSION_COLUMNS, short=True)
    key, newest_first = f"history_picked_{len(line)}", range(len(line) - 1, -1, -1)
    words = [f"Version {version.number}" for version in line]
    place = st.selectbox("Look at", newest_first, format_func=words.__getitem__, key=key, width=200)
    picked, before = line[place], line[max(0, place - 1)]
    st.caption(plain(version_in_words(picked)))
    _show_difference(picked, before)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        what, file = f"golden version {picked.number}", f"golden-version-{picked.number}.jsonl"
        home, golden = workspace(), picked.golden_id

        def write() -> bytes:
            return GOLDEN_FORMATS["jsonl"].write(with_places(home, home.golden(golden), golden))

        help = "JSON Lines; `qaviz golden export` writes CSV and Excel as well."
        offer_file("Download", what, file, write, line=picked.line, key="history_download", help=help)
        help = "Saves a new version without these edits; later edits stay."
        _offer_undo(f"Undo version {picked.number}", "history_undo", picked, person, help)
    rejected = curating.rejected
    if rejected.is_empty():
        return
    with st.expander(f"{plural(rejected.height, 'rejected suggestion')}", icon=":material/close:"):
        shown = [" · ".join(row) for row in rejected.select(QUESTION_ID, RULE, PROPOSED, "rejected_by").iter_rows()]
        key, places = f"rejected_{rejected.height}", range(rejected.height)
        chosen = st.selectbox("Rejected", places, format_func=shown.__getitem__, key=key)
        take_back = partial(_take_back_rejection, curating, chosen)
        st.button("Suggest it again", key="rejected_back", icon=":material/undo:", on_click=take_back)


@say_problems
def _show_difference(picked: GoldenVersion, before: GoldenVersion) -> None:
    """Draw text by text how the picked version differs from the one before it; the first has none."""
    changes = differences(workspace().golden(before.golden_id), workspace().golden(picked.golden_id))
    if changes.is_empty():
        if picked.number != before.number:
            st.text(f"Version {picked.number} and version {before.number} have the same texts.")
        return
    texts = [pl.Series(name, map(variants_on_lines, changes[name]), pl.String) for name in ("before", "after")]
    columns = (
        Column(QUESTION_ID, "Triplet", note="{field}"),
        Column("change", "Change", kind=Kind.MARK, title="The {field} is {change}."),
        Column("before", "Before", wide=True, missing="nothing"),
        Column("after", "After", wide=True, missing="nothing"),
    )
    caption = f"What version {picked.number} changes"
    show_frame("difference", caption, changes.with_columns(texts), columns, short=True)


@keep_outcome
def _take_back_rejection(curating: Curating, place: int) -> None:
    question, rule, proposed = curating.rejected.select(QUESTION_ID, RULE, PROPOSED).row(place)
    take_back_rejection(workspace(), curating.version.line, question, rule, proposed, person_said())
