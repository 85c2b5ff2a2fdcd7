"""The flywheel turns: lint, accept what it suggests, score again, until no error is left."""

from qaviz.analysis.tables import pipeline_summary
from qaviz.golden.edits import edits_to, preview, proposed_edits
from qaviz.golden.lint import lint
from qaviz.golden.lint.findings import ERROR, RULE, SEVERITY
from qaviz.golden.versions import accept, newest_version
from qaviz.model.columns import FACTUAL_KNOWLEDGE, PIPELINE
from qaviz.runs import rescore_run
from qaviz.store.golden_versions import kept_edits, versions
from tests.builders import save_sample

ENOUGH = 10
"""More rounds than the sample needs: each removes errors."""


def test_accepting_suggestions_alone_leaves_no_error(workspace):
    """The sample goes from its first findings to no error by accepting suggestions only; after each step Factual
    Knowledge is what the preview said, and the history explains every text that changed, with its rule."""
    run = save_sample(workspace)
    version = newest_version(workspace, run.golden_id)
    assert ERROR in set(lint(workspace.golden(version.golden_id), workspace.rows(run))[SEVERITY])

    for _ in range(ENOUGH):
        golden, rows = workspace.golden(version.golden_id), rescore_run(run, workspace, version.golden_id)
        found = lint(golden, rows)
        wanted = proposed_edits(found.filter(found[SEVERITY].is_in([ERROR, "warning"])))
        edits = edits_to(golden, wanted)
        if edits.is_empty():
            break
        effects = preview(rows, golden, edits, run.thresholds, run.pipelines)
        version = accept(workspace, version, edits, "Ana", f"{', '.join(edits[RULE].unique(maintain_order=True))}")
        after = pipeline_summary(rescore_run(run, workspace, version.golden_id), golden, run.pipelines)
        assert effects.facts.select(PIPELINE, "after").rows() == after.select(PIPELINE, FACTUAL_KNOWLEDGE).rows()

    assert found.filter(found[SEVERITY] == ERROR).is_empty()
    history = kept_edits(workspace, run.golden_id)
    assert history[RULE].null_count() == 0
    assert [each.number for each in versions(workspace, run.golden_id)] == list(range(1, version.number + 1))
    explained = {}
    for number, question, field, before, after, _ in history.iter_rows():
        assert explained.get((question, field), before) == before, f"version {number} begins where its parent ended"
        explained[question, field] = after
    newest = workspace.golden(version.golden_id)
    texts = {(row["question_id"], field): row[field] for row in newest.to_dicts() for _, field in explained}
    assert {key: texts[key] for key in explained} == explained
