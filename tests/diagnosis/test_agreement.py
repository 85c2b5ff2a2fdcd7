"""How verdicts are compared with people's labels."""

import numpy as np
import polars as pl
import pytest

from qaviz.diagnosis.agreement import VERDICTS, agreement, estimates, resample_questions, select_labels
from qaviz.model.columns import CATEGORY, CONFIDENCE, LABEL, PIPELINE, QUESTION_ID, RESPONSE, VERDICT
from qaviz.model.errors import QavizError

RIGHT, WRONG, DECLINED, UNSURE = VERDICTS


def pairs(*labels_and_verdicts: tuple[str, str], per_question: int = 1) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return scored rows and labels, one response a pair; `per_question` responses in a row share a question."""
    keys = [
        {QUESTION_ID: f"q{i // per_question}", PIPELINE: f"p{i % per_question}"}
        for i in range(len(labels_and_verdicts))
    ]
    labelled = [key | {LABEL: label} for key, (label, _) in zip(keys, labels_and_verdicts, strict=True)]
    scored = [key | {VERDICT: verdict} for key, (_, verdict) in zip(keys, labels_and_verdicts, strict=True)]
    return pl.DataFrame(scored), pl.DataFrame(labelled)


OF_COHEN = [(RIGHT, RIGHT)] * 20 + [(RIGHT, WRONG)] * 5 + [(WRONG, RIGHT)] * 10 + [(WRONG, WRONG)] * 15
"""His textbook's table: 20 and 15 agreed of 50, with margins of 25, 25 and of 30, 20."""


@pytest.mark.parametrize(
    ("given", "figure", "value"),
    [
        ([(RIGHT, RIGHT), (WRONG, WRONG), (DECLINED, DECLINED), (RIGHT, UNSURE)], "accuracy", 0.75),
        ([(WRONG, DECLINED), (RIGHT, RIGHT)], "accuracy", 1),
        ([(WRONG, DECLINED), (RIGHT, RIGHT), (DECLINED, DECLINED)], "accuracy", 2 / 3),
        ([(RIGHT, RIGHT), (RIGHT, RIGHT), (RIGHT, WRONG), (WRONG, WRONG)], "macro_f1", (4 / 5 + 2 / 3) / 2),
        ([(RIGHT, RIGHT), (RIGHT, WRONG), (DECLINED, DECLINED)], "macro_f1", (2 / 3 + 1) / 2),
        (OF_COHEN, "kappa", 0.4),
        ([(RIGHT, RIGHT), (RIGHT, RIGHT)], "kappa", None),
    ],
)
def test_figures_are_what_their_definitions_say(given, figure, value):
    """By hand: `unsure` equals no label, and `declined` counts as incorrect where nobody could label it; F1 is the mean
    over the labels that people gave; kappa is null, not 0 or 1, where chance alone agrees fully."""
    found = getattr(agreement(*pairs(*given)), figure).value

    assert found is None if value is None else found == pytest.approx(value)


def test_intervals_resample_questions_not_responses():
    """Ten questions of ten equal responses each are as uncertain as ten responses, far more than a hundred."""
    table = [(RIGHT, RIGHT)] * 50 + [(RIGHT, WRONG)] * 50
    alone = agreement(*pairs(*table)).accuracy
    together = agreement(*pairs(*table, per_question=10)).accuracy

    assert together.value == alone.value == 0.5
    assert together.high - together.low > 2 * (alone.high - alone.low)


def test_no_agreement_and_full_agreement_are_not_certain():
    """If all of ten questions agree, or none of twenty, no interval is a point; that of accuracy is Wilson's."""
    full, none = agreement(*pairs(*[(RIGHT, RIGHT)] * 10)).accuracy, agreement(*pairs(*[(RIGHT, WRONG)] * 20))

    assert (full.value, full.high, full.low) == (1, 1, pytest.approx(0.7225, abs=1e-4))
    assert (none.accuracy.value, none.accuracy.low) == (0, 0)
    assert none.accuracy.high == pytest.approx(0.1611, abs=1e-4)
    assert min(none.macro_f1.high, none.kappa.high) > 0.1


def test_resamples_keep_the_number_of_questions():
    """Each resample draws as many questions as there are, so its counts add up to as many responses."""
    counts = np.ones((7, len(VERDICTS), len(VERDICTS)))

    assert (resample_questions(counts).sum(axis=(1, 2)) == counts.sum()).all()
    assert estimates(counts)[0].value == pytest.approx(1 / 4)


def test_confusion_names_every_pair():
    """All twelve pairs of label and verdict are there, zeros too, and add up to the responses compared."""
    found = agreement(*pairs((RIGHT, RIGHT), (RIGHT, WRONG), (DECLINED, UNSURE)))
    counts = {(label, verdict): responses for label, verdict, responses in found.confusion.iter_rows()}

    assert len(counts) == 12
    assert {pair: count for pair, count in counts.items() if count} == {
        (RIGHT, RIGHT): 1,
        (RIGHT, WRONG): 1,
        (DECLINED, UNSURE): 1,
    }


def test_groups_say_how_many_they_count():
    """By pipeline and by category: responses, agreed, and an interval around the share."""
    scored, labels = pairs((RIGHT, RIGHT), (RIGHT, WRONG), (WRONG, WRONG), (WRONG, WRONG), per_question=2)
    found = agreement(scored.with_columns(pl.Series(CATEGORY, ["a", "a", "b", None])), labels)

    assert found.by_pipeline.select(PIPELINE, "responses", "agreed").rows() == [("p0", 2, 2), ("p1", 2, 1)]
    assert found.by_category.select(CATEGORY, "responses", "agreed").rows() == [("a", 2, 1), ("b", 1, 1)]
    assert (found.by_pipeline["low"] < found.by_pipeline["accuracy"]).all()


def test_disagreements_come_worst_first():
    """Right against wrong comes before declined and unsure, and the surest first among equals."""
    scored, labels = pairs(
        (RIGHT, DECLINED), (RIGHT, WRONG), (WRONG, RIGHT), (RIGHT, RIGHT), (WRONG, UNSURE), (DECLINED, DECLINED)
    )
    found = agreement(scored.with_columns(pl.Series(CONFIDENCE, [1.0, 0.6, 0.9, 1.0, None, 1.0])), labels)

    assert found.disagreements[QUESTION_ID].to_list() == ["q2", "q1", "q0", "q4"]


def test_what_has_no_partner_is_counted():
    """Responses without a label and labels without a response are not compared, and said."""
    scored, labels = pairs((RIGHT, RIGHT), (WRONG, WRONG), (DECLINED, DECLINED))
    found = agreement(scored.head(2), labels.tail(2))

    assert (found.compared, found.unlabelled, found.unmatched) == (1, 1, 1)


def test_all_problems_of_labels_are_named_at_once():
    """Unknown labels, missing ones and two labels for one response are each a problem that says where."""
    labels = pl.DataFrame(
        {QUESTION_ID: ["q0", "q0", "q1", "q2"], PIPELINE: ["p0"] * 4, LABEL: [RIGHT, WRONG, "wrong", None]}
    )
    with pytest.raises(QavizError) as raised:
        agreement(pairs((RIGHT, RIGHT))[0], labels)

    told = [(problem.where, problem.found) for problem in raised.value.problems]
    expected = [("q1", ["wrong"]), ("q2", ["nothing"]), ("q0", [RIGHT, WRONG])]
    for (where, found), (question, given) in zip(told, expected, strict=True):
        assert {question, "p0"} <= set(where.split())
        assert all(label in found for label in given)


def test_missing_columns_of_labels_are_named():
    """A table without labels is refused with what it has and what it lacks."""
    with pytest.raises(QavizError, match=r"found the columns question_id; .* Add pipeline and label\."):
        agreement(pairs((RIGHT, RIGHT))[0], pl.DataFrame({QUESTION_ID: ["q0"]}))


def test_labels_of_another_run_are_refused():
    """No common response at all is an error, not an empty result."""
    scored, labels = pairs((RIGHT, RIGHT))
    with pytest.raises(QavizError, match="none for a response of these 1"):
        agreement(scored, labels.with_columns(pl.lit("elsewhere").alias(PIPELINE)))


def test_a_label_of_another_text_is_of_another_run():
    """Where a file says which text was labelled, only labels of that text count; blanks make no other text."""
    rows = pl.DataFrame({QUESTION_ID: ["1", "2", "3"], PIPELINE: ["p"] * 3, RESPONSE: ["one", "two", None]})
    given = pl.DataFrame(
        {
            QUESTION_ID: ["1", "2", "3", "4"],
            PIPELINE: ["p"] * 4,
            LABEL: ["correct"] * 4,
            RESPONSE: [" one\n", "another", None, "four"],
        }
    )
    assert select_labels(given, rows)[QUESTION_ID].to_list() == ["1", "3"]
    assert select_labels(given.drop(RESPONSE), rows)[QUESTION_ID].to_list() == ["1", "2", "3"]
    assert RESPONSE not in select_labels(given, rows).columns


@pytest.mark.parametrize("of_text", [{}, {RESPONSE: ["one"] * 3}])
def test_the_last_label_of_a_response_stays_last(of_text: dict[str, list[str]]):
    """A label that was changed and changed back is the newest: no earlier row of the same words takes its place."""
    rows = pl.DataFrame({QUESTION_ID: ["1"], PIPELINE: ["p"], RESPONSE: ["one"]})
    key = {QUESTION_ID: ["1"] * 3, PIPELINE: ["p"] * 3}
    given = pl.DataFrame(key | {LABEL: ["correct", "incorrect", "correct"]} | of_text)
    assert select_labels(given, rows)[LABEL].to_list() == ["incorrect", "correct"]
