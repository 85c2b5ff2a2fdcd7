"""qaviz.runs: a saved run on another version of its golden dataset."""

import polars as pl
import pytest

from qaviz.golden.edits import edit
from qaviz.golden.versions import accept, newest_version
from qaviz.model.columns import FACT, FACTUAL_KNOWLEDGE, JUDGE, LABEL, PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.model.errors import QavizError
from qaviz.runs import rescore_run, save_rescored
from qaviz.store.golden_versions import line_of, versions
from qaviz.store.labels import GRADES_SCHEMA, keep_grades, keep_labels, kept_grades, kept_labels, known_judges
from qaviz.store.run_records import delete
from tests.builders import golden_table, save_sample
from tests.store.kept import keep

VARIANT = edit("cash", FACT, "50.1 billion<OR>50,067 million<OR>50.067 billion<OR>50.07 billion")


def facts(rows: pl.DataFrame) -> dict[str, float]:
    return dict(rows.group_by(PIPELINE).agg(pl.col(FACTUAL_KNOWLEDGE).sum()).iter_rows())


def test_a_run_on_another_version_is_a_run_of_its_own(workspace):
    """The same responses on the new version are saved under a name of their own; the old run stays as it was."""
    run = save_sample(workspace)
    version = accept(workspace, newest_version(workspace, run.golden_id), VARIANT, "Ana", "a variant was missing")

    again = save_rescored(run, workspace, version.golden_id, "sample on version 2")

    assert (again.golden_id, again.responses, again.pipelines) == (version.golden_id, run.responses, run.pipelines)
    assert facts(workspace.rows(again)) == {"Pipeline1": 8, "Pipeline2": 5, "Pipeline3": 5}
    assert facts(workspace.rows(run)) == {"Pipeline1": 8, "Pipeline2": 4, "Pipeline3": 5}
    assert workspace.rows(again).equals(rescore_run(run, workspace, version.golden_id), null_equal=True)
    assert line_of(workspace, again.golden_id) == run.golden_id
    assert len(versions(workspace, run.golden_id)) == 2


def test_a_stranger_golden_dataset_is_refused(workspace):
    """A golden dataset without a question of the run cannot judge it: said, and nothing is saved."""
    run = save_sample(workspace)
    golden = golden_table([{"question": "Where?", "fact": "Seattle"}])
    stranger = keep(workspace, "stranger", golden, golden.with_columns(pl.lit("P").alias(PIPELINE)))

    with pytest.raises(QavizError, match='run "sample": found no response to a question'):
        save_rescored(run, workspace, stranger.golden_id, "odd")
    assert {each.name for each in workspace.runs()} == {"sample", "stranger"}


def test_labels_follow_their_responses(workspace):
    """Who labelled a response finds the label, with its name and time, on the run's responses on another version, also
    where the run before is deleted."""
    run = save_sample(workspace)
    pairs = workspace.rows(run).select(QUESTION_ID, PIPELINE).head(3)
    keep_labels(workspace, run, "Ana", pairs.with_columns(pl.lit("correct").alias(LABEL)))
    version = accept(workspace, newest_version(workspace, run.golden_id), VARIANT, "Ana", "a variant was missing")

    again = save_rescored(run, workspace, version.golden_id, "sample on version 2")

    labels = kept_labels(workspace, run)
    delete(workspace, run.run_id, "Ana")
    assert kept_labels(workspace, again).equals(labels)


@pytest.mark.parametrize("labelled", ["first", "second"])
def test_a_label_counts_in_every_run_that_has_the_response(workspace, labelled: str):
    """A label given after both runs were saved, in the older or in the newer one, counts in the other where question,
    pipeline and response are the same, and nowhere else; a later one in the other run replaces it."""
    run = save_sample(workspace)
    version = accept(workspace, newest_version(workspace, run.golden_id), VARIANT, "Ana", "a variant was missing")
    runs = {"first": run, "second": save_rescored(run, workspace, version.golden_id, "sample on version 2")}
    given, other = runs.pop(labelled), *runs.values()
    pairs = workspace.rows(run).select(QUESTION_ID, PIPELINE).head(3)

    keep_labels(workspace, given, "Ana", pairs.with_columns(pl.lit("correct").alias(LABEL)))
    assert kept_labels(workspace, other).equals(kept_labels(workspace, given))
    keep_labels(workspace, other, "Ana", pairs.head(1).with_columns(pl.lit("incorrect").alias(LABEL)))
    assert kept_labels(workspace, given)[LABEL].to_list() == ["correct", "correct", "incorrect"]


@pytest.mark.parametrize("graded", ["first", "second"])
def test_a_grade_counts_in_every_run_that_has_the_response(workspace, graded: str):
    """A judge's grade given in the older or the newer run stands beside the same response in the other, and nowhere
    else: not beside another text, not under another judge; a grade of the run's own goes before."""
    run = save_sample(workspace)
    version = accept(workspace, newest_version(workspace, run.golden_id), VARIANT, "Ana", "a variant was missing")
    runs = {"first": run, "second": save_rescored(run, workspace, version.golden_id, "sample on version 2")}
    given, other = runs.pop(graded), *runs.values()
    pairs = workspace.rows(run).select(QUESTION_ID, PIPELINE).head(3)
    nothing = [pl.lit(None, kind).alias(name) for name, kind in GRADES_SCHEMA.items() if name not in pairs.columns]
    grades = pairs.with_columns(nothing).with_columns(pl.lit("correct").alias(JUDGE)).select(GRADES_SCHEMA.names())

    keep_grades(workspace, given, "key", "openai:x", {}, grades)
    assert kept_grades(workspace, other, "key").equals(kept_grades(workspace, given, "key"))
    assert [(judge.key, judge.responses) for judge in known_judges(workspace, other)] == [("key", 3)]
    assert kept_grades(workspace, other, "another").is_empty()
    changed = grades.head(1).with_columns(pl.lit("incorrect").alias(JUDGE))
    keep_grades(workspace, other, "key", "openai:x", {}, changed)
    assert kept_grades(workspace, other, "key")[JUDGE].to_list().count("incorrect") == 1
    assert kept_grades(workspace, given, "key")[JUDGE].to_list() == ["correct"] * 3


def test_labels_follow_to_a_run_with_the_same_response(workspace):
    """A new run has the labels of the responses that it shares, none of those that differ; where a pipeline answers
    anew, labels that came in one file are no random sample of it any more."""
    golden = golden_table([{"question": "Where?", "fact": "Seattle"}, {"question": "Who?", "fact": "Ana"}])
    given = [pl.Series(RESPONSE, said) for said in (["in Seattle", "Ana", "no"], ["in Seattle", "Ana", "Bo"])]
    golden = pl.concat(
        [golden, golden.tail(1).with_columns(pl.lit("q3").alias(QUESTION_ID), pl.lit("When?").alias(QUESTION))]
    )
    before, after = (golden.with_columns(pl.lit("P").alias(PIPELINE), said) for said in given)
    first = keep(workspace, "first", golden, before)
    pairs = golden.select(QUESTION_ID, pl.lit("P").alias(PIPELINE), pl.lit("correct").alias(LABEL))
    keep_labels(workspace, first, "Ana", pairs)

    carried = kept_labels(workspace, keep(workspace, "second", golden, after))

    assert carried[QUESTION_ID].to_list() == golden[QUESTION_ID].to_list()[:2]
    assert carried["drawn"].to_list() == [False, False]
    assert kept_labels(workspace, first)["drawn"].null_count() == 3
