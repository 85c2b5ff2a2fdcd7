"""BERTScores in the workspace."""

import polars as pl

from qaviz.model.columns import BERTSCORE
from qaviz.store.labels import ASKED_AT_A_TIME, keep_bertscores, kept_bertscores
from qaviz.store.workspace import Workspace, open_workspace


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
