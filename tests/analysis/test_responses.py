"""qaviz.analysis.selection: lists of responses, and what other thresholds would change."""

import polars as pl
import pytest

from qaviz.analysis.selection import ResponseOrder, class_counts, in_response_order, moves, moves_in_words
from qaviz.model.classes import Diagnosis
from qaviz.model.columns import CONFIDENCE, DIAGNOSIS, PRECISION, QUESTION_ID, RECALL
from tests.analysis.builders import listed_all, response_row, response_rows


def ids_of(listed):
    return listed.select([QUESTION_ID])[QUESTION_ID].to_list()


@pytest.mark.parametrize(
    ("order", "ids"),
    [
        (ResponseOrder.FILES, ["b", "a", "c", "a"]),
        (ResponseOrder.QUESTION, ["a", "a", "b", "c"]),
        (ResponseOrder.UNCERTAIN, ["a", "c", "b", "a"]),
        (ResponseOrder.CLOSENESS, ["c", "b", "a", "a"]),
        (ResponseOrder.CONCISENESS, ["a", "b", "c", "a"]),
    ],
)
def test_order(order, ids):
    """Lowest first, what has no value last, equals as in the files."""
    rows = response_rows(
        response_row(each, "P", **{RECALL: recall, PRECISION: precision})
        for each, recall, precision in (("b", 0.5, 0.2), ("a", 0.7, 0.1), ("c", 0.1, 0.2), ("a", None, None))
    ).with_columns(pl.Series(CONFIDENCE, [0.9, 0.3, 0.8, None]))

    assert ids_of(in_response_order(listed_all(rows), order)) == ids


def test_worst_first():
    """Wrong and sure, wrong where another pipeline is right, other wrong ones, unsure, declined, correct; the surest of
    the wrong first; in a part of a list as in all of it."""
    right, wrong, unsure, declined = Diagnosis.CORRECT, Diagnosis.HALLUCINATION, Diagnosis.UNSCORED, Diagnosis.DECLINED
    cases = (
        ("alone", "P", wrong, 0.6),
        ("both", "P", right, 0.99),
        ("both", "Q", wrong, 0.5),
        ("open", "P", unsure, 0.4),
        ("none", "P", declined, 0.9),
        ("sure", "P", wrong, 0.95),
        ("surer", "P", wrong, 0.97),
    )
    rows = response_rows(
        response_row(question, name, **{DIAGNOSIS: diagnosis}) for question, name, diagnosis, _ in cases
    )
    listed = listed_all(rows.with_columns(pl.Series(CONFIDENCE, [sure for *_, sure in cases])))
    order = ["surer", "sure", "both", "alone", "open", "none", "both"]

    assert ids_of(in_response_order(listed, ResponseOrder.WORST)) == order
    some = listed.at(pl.Series([0, 3, 6]))
    assert ids_of(in_response_order(some, ResponseOrder.WORST)) == ["surer", "alone", "open"]


def test_the_random_order_is_the_same_each_time():
    """All rows are there, in an order that is not the files', and that does not change from reader to reader."""
    listed = listed_all(response_rows(response_row(str(n), "P") for n in range(50)))
    shuffled = ids_of(in_response_order(listed, ResponseOrder.RANDOM))

    assert shuffled != ids_of(listed)
    assert sorted(shuffled, key=int) == ids_of(listed)
    assert ids_of(in_response_order(listed, ResponseOrder.RANDOM)) == shuffled


def test_class_counts():
    """How many responses each class has; a class that does not occur is not there."""
    rows = response_rows(response_row(str(n), "P", stated) for n, stated in enumerate((1.0, 1.0, 0.0)))
    rows = rows.cast({DIAGNOSIS: pl.Enum(Diagnosis)})

    assert class_counts(rows, DIAGNOSIS) == {Diagnosis.CORRECT: 2, Diagnosis.HALLUCINATION: 1}


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        pytest.param("aab", "aab", "No response changes its diagnosis, of 3.", id="none"),
        pytest.param("aab", "aac", "1 of 3 responses changes its diagnosis: 1 from b to c.", id="one"),
        pytest.param(
            "aaabbcdef",
            "bbbccdefg",
            "9 of 9 responses change their diagnosis: 3 from a to b, 2 from b to c, 1 from c to d and 3 otherwise.",
            id="many: the most frequent moves by name, the others counted",
        ),
    ],
)
def test_moves_in_words(before, after, said):
    """The sentence counts every response whose diagnosis differs, and names the most frequent moves."""
    moved = moves(pl.Series(list(before)), pl.Series(list(after)))

    assert moves_in_words(moved, len(before)) == said
