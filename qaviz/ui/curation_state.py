"""The golden dataset that a page works on: the newest version of the open run's, its findings and acts on it."""

from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import polars as pl
import streamlit as st

from qaviz.analysis.board import Trial, count_gap, tabulate_cells
from qaviz.analysis.numbers import count, day, percent, plural
from qaviz.analysis.outcomes import counting, select_asked, select_counted, tabulate
from qaviz.analysis.sentences import decisions_left, effect_points, finding_counts
from qaviz.bulk.chunks import rescore
from qaviz.golden.edits import (
    Effects,
    apply_edits,
    edits_to,
    expected_effects,
    preview,
    proposed_edits,
    suggestions,
    without_rejected,
)
from qaviz.golden.lint import lint
from qaviz.golden.lint.findings import FINDINGS, PROPOSED, SEVERITIES, SEVERITY
from qaviz.golden.versions import accept, newest_version, undo
from qaviz.loading import silent
from qaviz.model.columns import FACT, PIPELINE, QUESTION_ID, REASON, RESPONSE
from qaviz.model.records import Run
from qaviz.report import Column, Kind
from qaviz.runs import rescore_run
from qaviz.store.golden_versions import AFTER, FIELD, GoldenVersion, keep_rejections, kept_rejections
from qaviz.store.labels import kept_answer_forms, kept_labels, kept_triplet_findings
from qaviz.ui.widgets.cached import labels_of
from qaviz.ui.widgets.components import say_problems, show_sentences
from qaviz.ui.widgets.keeping import Identities, OpenRun, RunView, keep
from qaviz.ui.widgets.page_setup import workspace
from qaviz.ui.widgets.person import OUTCOME, keep_outcome, offer_act, show_outcome
from qaviz.ui.widgets.table import show_frame

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


@keep_outcome
def make_version(curating: Curating, edits: pl.DataFrame, why: str, made_by: str) -> GoldenVersion:
    """Accept these edits of the version that the reader saw: for a button. Where somebody else has changed the same
    triplet meanwhile, nothing is saved, and the problem has both texts."""
    return accept(workspace(), curating.version, edits, made_by, why)


@keep_outcome
def undo_version(version: GoldenVersion, made_by: str) -> str:
    """Make a version without what this one changed: for a button."""
    made = undo(workspace(), version, made_by)
    return f"Version {version.number} is undone. Saved as version {made.number}."


@keep_outcome
def reject(version: GoldenVersion, findings: pl.DataFrame, person: str) -> None:
    """Remember that this person does not want what these findings suggest: for a button."""
    keep_rejections(workspace(), version.line, suggestions(findings), person)


def show_act(place: str = "") -> None:
    """Draw what came of the last act: of accepted edits their version and an undo, until the next act. The `place`
    tells the buttons of two on one page apart."""
    show_outcome()
    version = st.session_state.get(OUTCOME)
    if not isinstance(version, GoldenVersion):
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.text(f"Saved as version {version.number}.")
        offer_act("Undo", f"{place}accepted_undo", "undo", partial(undo_version, version), version.made_by)


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
