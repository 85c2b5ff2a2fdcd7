"""Labels and BERTScores that the workspace keeps beside runs."""

import polars as pl
import pytest

from qaviz.model.columns import BERTSCORE, LABEL, PIPELINE, QUESTION_ID, RESPONSE
from qaviz.model.errors import QavizError
from qaviz.store.labels import (
    ASKED_AT_A_TIME,
    GRADES_SCHEMA,
    keep_bertscores,
    keep_grades,
    keep_labels,
    kept_bertscores,
    kept_grades,
    kept_labels,
    labels_state,
    take_back_labels,
)
from qaviz.store.workspace import Workspace, open_workspace
from tests.store.kept import keep


def labels(*said: tuple[str, str, str]) -> pl.DataFrame:
    """Question, pipeline and label of each."""
    return pl.DataFrame(list(said), schema=[QUESTION_ID, PIPELINE, LABEL], orient="row")


def said_of(workspace, run):
    return kept_labels(workspace, run).select(QUESTION_ID, PIPELINE, LABEL, "labelled_by").rows()


def test_the_newest_label_of_a_person_counts(workspace: Workspace):
    """Who labels a response again is taken at the last word; other people's labels of it stand beside."""
    run = keep(workspace, "first")
    keep_labels(workspace, run, "Ana", labels(("1", "A", "correct")))
    keep_labels(workspace, run, "Bo", labels(("1", "A", "declined")))
    keep_labels(workspace, run, "Ana", labels(("1", "A", "incorrect")))

    assert said_of(workspace, run) == [("1", "A", "declined", "Bo"), ("1", "A", "incorrect", "Ana")]
    assert kept_labels(workspace, run, "Ana")[LABEL].to_list() == ["incorrect"]


def test_labels_survive_a_restart_and_say_when(workspace: Workspace):
    """Another process finds the labels with the time at which they were given, the oldest first."""
    run = keep(workspace, "first")
    keep_labels(workspace, run, "Ana", labels(("1", "A", "correct"), ("2", "B", "correct")))
    keep_labels(workspace, run, "Ana", labels(("2", "A", "correct")))

    found = kept_labels(open_workspace(workspace.folder), run)
    assert found[QUESTION_ID].to_list() == ["1", "2", "2"]
    assert found["labelled_at"].is_sorted()
    assert found["labelled_at"].n_unique() == 2


def test_taking_back_brings_the_label_before_into_force(workspace: Workspace):
    """What one person said last goes, one act at a time: the label before it counts again; others keep theirs."""
    run = keep(workspace, "first")
    for label in ("correct", "incorrect"):
        keep_labels(workspace, run, "Ana", labels(("1", "A", label)))
    keep_labels(workspace, run, "Bo", labels(("2", "A", "correct")))

    assert take_back_labels(workspace, run, "Ana").rows() == [("1", "A", "incorrect")]
    assert said_of(workspace, run) == [("1", "A", "correct", "Ana"), ("2", "A", "correct", "Bo")]
    take_back_labels(workspace, run, "Ana")
    assert take_back_labels(workspace, run, "Ana").is_empty()
    assert said_of(workspace, run) == [("2", "A", "correct", "Bo")]


def test_a_file_of_labels_is_taken_back_as_a_whole(workspace: Workspace):
    """Labels that came at once go at once."""
    run = keep(workspace, "first")
    keep_labels(workspace, run, "labels.jsonl", labels(("1", "A", "correct"), ("2", "B", "incorrect")))

    assert take_back_labels(workspace, run, "labels.jsonl").height == 2
    assert kept_labels(workspace, run).is_empty()


def test_another_response_has_no_label(workspace: Workspace):
    """A run in which the pipeline says something else to the question has no label and no grade of it, and takes none
    back."""
    run = keep(workspace, "first")
    rows = workspace.rows(run).with_columns(pl.col(RESPONSE) + " and more")
    other = keep(workspace, "second", workspace.golden(run.golden_id), rows)
    keep_labels(workspace, run, "Ana", labels(("1", "A", "correct")))
    graded = pl.DataFrame([{QUESTION_ID: "1", PIPELINE: "A"}], schema=GRADES_SCHEMA)
    keep_grades(workspace, run, "j", "m", {}, graded)

    assert kept_labels(workspace, other).is_empty()
    assert take_back_labels(workspace, other, "Ana").is_empty()
    assert [kept_grades(workspace, each, "j").height for each in (run, other)] == [1, 0]


def test_the_state_of_the_labels_never_comes_again(workspace: Workspace):
    """A label, one taken back, and one given in its place are three states, though the second label has its number."""
    run = keep(workspace, "first")
    states = [labels_state(workspace, run)]
    keep_labels(workspace, run, "Ana", labels(("1", "A", "correct")))
    keep_labels(workspace, run, "Bo", labels(("1", "A", "correct")))
    states.append(labels_state(workspace, run))
    take_back_labels(workspace, run, "Bo")
    states.append(labels_state(workspace, run))
    keep_labels(workspace, run, "Bo", labels(("1", "A", "incorrect")))
    states.append(labels_state(workspace, run))

    assert len(set(states)) == 4


def test_a_comment_and_how_a_response_was_drawn_stay_with_the_label(workspace: Workspace):
    """A comment is kept as it was written, a blank one is none; so is whether it was drawn."""
    run = keep(workspace, "first")
    said = labels(("1", "A", "correct"), ("2", "A", "correct")).with_columns(
        pl.Series("comment", ["right,\nas of 2022 🙂", "  "]), pl.Series("drawn", [True, False])
    )
    keep_labels(workspace, run, "Ana", said)
    keep_labels(workspace, run, "Bo", labels(("1", "A", "correct")))

    found = kept_labels(workspace, run)
    assert found["comment"].to_list() == ["right,\nas of 2022 🙂", None, None]
    assert found["drawn"].to_list() == [True, False, None]


@pytest.mark.parametrize("comment", ["x" * 1001, "a\u202eb"])
def test_a_comment_that_will_not_do_keeps_nothing(workspace: Workspace, comment: str):
    """A comment that is too long, or that turns text around, is refused with its label."""
    run = keep(workspace, "first")

    with pytest.raises(QavizError, match="comment"):
        keep_labels(workspace, run, "Ana", labels(("1", "A", "correct")).with_columns(pl.lit(comment).alias("comment")))
    assert kept_labels(workspace, run).is_empty()


def scores_of(**values: float) -> pl.DataFrame:
    """Scores of pairs with these names."""
    return pl.DataFrame({"pair": [name.encode() for name in values], BERTSCORE: list(values.values())})


def kept(workspace: Workspace, model: str, *names: str) -> dict[bytes, float]:
    pairs = pl.Series("pair", [name.encode() for name in names], dtype=pl.Binary)
    return dict(kept_bertscores(workspace, model, pairs).iter_rows())


def test_scores_are_kept_by_model_and_pair(workspace: Workspace):
    """What was kept under a model is found under it, by pair, after the workspace is opened again; no other model's."""
    keep_bertscores(workspace, "a", scores_of(one=0.5, two=0.25))
    keep_bertscores(workspace, "b", scores_of(one=0.75))
    again = open_workspace(workspace.folder)
    assert kept(again, "a", "one", "two", "three") == {b"one": 0.5, b"two": 0.25}
    assert kept(again, "b", "one", "two") == {b"one": 0.75}
    assert kept(again, "a") == {}


def test_the_first_score_of_a_pair_stays(workspace: Workspace):
    """A pair that two processes scored at once keeps its score, so that what was read stays true."""
    keep_bertscores(workspace, "a", scores_of(one=0.5))
    keep_bertscores(workspace, "a", scores_of(one=0.5000001, two=0.25))
    assert kept(workspace, "a", "one", "two") == {b"one": 0.5, b"two": 0.25}


def test_more_pairs_than_one_query_takes(workspace: Workspace):
    """A run of any size is kept and read back, whatever a query's limit is."""
    names = {str(number): number / 100_000 for number in range(ASKED_AT_A_TIME * 2 + 1)}
    keep_bertscores(workspace, "a", scores_of(**names))
    assert kept(workspace, "a", *names) == {name.encode(): score for name, score in names.items()}
