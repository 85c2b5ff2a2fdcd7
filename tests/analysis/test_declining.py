"""Whether pipelines decline where they should."""

import polars as pl

from qaviz.analysis.tables import (
    ANSWERED,
    ANSWERED_WRONGLY,
    DECLINED_RIGHTLY,
    DECLINED_WRONGLY,
    PRECISION_OF_DECLINING,
    RECALL_OF_DECLINING,
    declining,
    has_unanswerable,
)
from qaviz.model.columns import ANSWERABLE, PIPELINE, VERDICT
from tests.builders import golden_table

ROWS = [
    *[("A", None, "correct"), ("A", True, "incorrect"), ("A", True, "declined")],
    *[("A", False, "declined"), ("A", False, "declined"), ("A", False, "incorrect"), ("A", False, "unsure")],
    *[("B", True, "correct"), ("B", False, "incorrect")],
]


def test_counts_precision_and_recall():
    """The four counts of each pipeline, and the two shares; a pipeline that never declines has no precision."""
    table = declining(pl.DataFrame(ROWS, schema=[PIPELINE, ANSWERABLE, VERDICT], orient="row")).to_dicts()
    first, second = table

    assert [first[name] for name in (ANSWERED, DECLINED_WRONGLY, ANSWERED_WRONGLY, DECLINED_RIGHTLY)] == [2, 1, 2, 2]
    assert (first[PRECISION_OF_DECLINING], first[RECALL_OF_DECLINING]) == (2 / 3, 0.5)
    assert (second[PRECISION_OF_DECLINING], second[RECALL_OF_DECLINING]) == (None, 0)


def test_only_marked_questions_are_unanswerable():
    """A golden dataset without a mark, or with answerable questions alone, has no table."""
    assert has_unanswerable(golden_table([{ANSWERABLE: False}, {}]))
    assert not has_unanswerable(golden_table([{ANSWERABLE: True}, {}]))
