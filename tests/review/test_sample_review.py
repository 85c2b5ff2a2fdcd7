"""The sample's reviewed golden dataset."""

import polars as pl

from qaviz.model.columns import FACT, QUESTION_ID
from qaviz.review.sample_review import NAME, import_sample_review
from qaviz.review.session import held_triplets
from qaviz.review.statement import say_briefly, statements_of
from qaviz.store import Workspace, named_datasets, versions
from tests.builders import SAMPLE


def test_the_sample_has_a_closed_review_and_an_open_one(workspace: Workspace):
    """The first review finds the hallucinated and the outdated triplets, became version 2, where the figure is
    right and the outdated ones are kept out, which meets its promise; the second is begun."""
    import_sample_review(SAMPLE, workspace)
    line = named_datasets(workspace)[NAME]
    second, first = statements_of(workspace, line)
    assert (first.wrong, first.open, first.met, first.adjudicated) == (3, 0, True, 1)
    assert first.wrong_by_kind == {"outdated": 2, "hallucination": 1}
    assert "the promise is met" in say_briefly(first)
    assert "3 corrected" in say_briefly(first)
    assert {pair.about for pair in first.agreement} >= {"", "hallucination", "outdated"}
    golden = workspace.golden(versions(workspace, line)[-1].golden_id)
    assert golden.filter(pl.col(QUESTION_ID) == "hl-margin")[FACT].item() == "5.8%"
    assert held_triplets(workspace, line)[QUESTION_ID].to_list() == ["hl-board-fare", "hl-jacket"]
    assert (second.met, second.drawn_from, second.session.population) == (False, 2, 10)
    assert [each.decided for each in second.readers] == [4]
