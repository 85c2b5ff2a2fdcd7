"""How far repeats of one pipeline agree: counted by question, never by response."""

import polars as pl

from qaviz.analysis.tables import consistency
from qaviz.model.columns import PIPELINE, REPEAT_OF
from qaviz.stats import wilson
from tests.analysis.builders import matrix_rows


def repeats(stated: dict[str, str]) -> pl.DataFrame:
    """The rows of `matrix_rows`; what stands before ` · ` is the pipeline that a column repeats."""
    parts = pl.col(PIPELINE).str.split(" · ")
    return matrix_rows(stated).with_columns(pl.when(parts.list.len() > 1).then(parts.list.first()).alias(REPEAT_OF))


THREE = repeats({"A · 1": "1100", "A · 2": "1010", "A · 3": "1000", "B": "1111"})


def test_a_run_without_repeats_has_no_consistency():
    """Rows from before there were repeats, and pipelines that answer once, have none."""
    assert consistency(matrix_rows({"A": "10"})).is_empty()
    assert consistency(repeats({"A · 1": "10", "B": "11"})).is_empty()


def test_agreement_is_counted_by_question():
    """Of four questions one is right three times, one never, two sometimes: shares of four, however many repeats."""
    row = consistency(THREE).row(0, named=True)
    assert (row[PIPELINE], row["repeats"], row["same"], row["same_n"]) == ("A", 3, 0.5, 4)
    assert row["in_all"] == 0.25
    assert (row["same_low"], row["same_high"]) == wilson(2, 4)


def test_only_questions_that_every_repeat_answers_count():
    """A question that one repeat lacks, or is not scored on, is left out, and the number of questions says so."""
    row = consistency(repeats({"A · 1": "11-1", "A · 2": "110 "})).row(0, named=True)
    assert (row["in_all"], row["in_all_n"], row["same_n"]) == (1.0, 2, 3)
