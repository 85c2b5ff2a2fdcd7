"""Labels: which are a random sample, which to give next, and what they say of the verdicts."""

import numpy as np
import polars as pl
import pytest

from qaviz.analysis.decision import decide
from qaviz.analysis.estimates import estimate
from qaviz.analysis.labels import (
    MOST_DECIDING,
    PLACE,
    agreement_lead,
    agreement_points,
    confusion_matrix,
    count_contested,
    find_contenders,
    label_queue,
    next_without,
)
from qaviz.analysis.outcomes import counting, find_correcting, mark_sampled, random_order, tabulate
from qaviz.diagnosis.agreement import Agreement, agreement
from qaviz.model.columns import CONFIDENCE, LABEL, PIPELINE, QUESTION_ID, RESPONSE, VERDICT
from tests.analysis.builders import figures_in
from tests.analysis.test_decision import golden_of, rows_of

ROWS = pl.DataFrame(
    {
        QUESTION_ID: [str(n) for n in range(20)] * 2,
        PIPELINE: ["A"] * 20 + ["B"] * 20,
        VERDICT: ["correct", "incorrect"] * 20,
        RESPONSE: ["text"] * 40,
    }
)


def given(places, by="Kim", together=False, drawn=None, rows=ROWS):
    """Labels of the responses at these places of ROWS, as the store returns them."""
    whens = ["2026-01-01"] * len(places) if together else [f"2026-01-{day:02}" for day in range(1, len(places) + 1)]
    return rows.select(QUESTION_ID, PIPELINE)[places].with_columns(
        pl.lit("correct").alias(LABEL),
        pl.lit(by).alias("labelled_by"),
        pl.Series("labelled_at", whens, pl.String),
        pl.lit(drawn, pl.Boolean).alias("drawn"),
    )


ORDER = random_order(ROWS.height).to_list()
OF_A = [place for place in ORDER if place < 20]
OFFERED = pl.concat([given(OF_A[:2], drawn=True), given(OF_A[2:4], by="Bo", drawn=False)])
FILE_AND_OWN = pl.concat([given(ORDER[5:9], by="labels.jsonl", together=True), given(ORDER[30:31])])


@pytest.mark.parametrize(
    ("marked", "sampled"),
    [
        pytest.param(given(ORDER[:6]), [True] * 6, id="the first of the run's random order"),
        pytest.param(given([OF_A[0], OF_A[2], OF_A[3]]), [True, False, False], id="beyond a gap in it: picked by hand"),
        pytest.param(FILE_AND_OWN, [True] * 4 + [False], id="a file counts as it is, beside a person's own labels"),
        pytest.param(given(list(range(40))), [True] * 40, id="every response: nothing is left to choose"),
        pytest.param(OFFERED, [True, True, False, False], id="offered because they would change the decision"),
        pytest.param(pl.concat([OFFERED, given(OF_A[4:5], drawn=True)]), [True] * 5, id="the random order went past"),
        pytest.param(given(ORDER[:6], drawn=False), [False] * 6, id="nothing but what would change the decision"),
    ],
)
def test_which_labels_are_a_random_sample(marked, sampled):
    """Labels in the run's random order, of a file, or of all responses are a sample; picked ones correct no share."""
    assert mark_sampled(marked, ROWS)["sampled"].to_list() == sampled


@pytest.mark.parametrize("drawn", [None, False])
def test_a_file_of_picked_labels_corrects_nothing(drawn):
    """A file of the responses judged incorrect is no sample, whatever it says; one that says so is none either."""
    rows = ROWS.filter(pl.col(PIPELINE) == "A")
    wrong = given([*range(1, 20, 2)], together=True, drawn=drawn, rows=rows)
    assert not mark_sampled(wrong, rows)["sampled"].any()

    mixed = given([*range(10)], together=True, drawn=drawn, rows=rows)
    assert mark_sampled(mixed, rows)["sampled"].to_list() == [drawn is not False] * 10


def test_a_second_opinion_leaves_its_response_in_the_sample():
    """Who corrects labels of a sample by hand takes none of its responses out of it: the newest label counts."""
    sample = given([*range(10)], together=True)
    second = given([3], by="Bo", drawn=False).with_columns(pl.lit("incorrect").alias(LABEL))

    correcting = find_correcting(pl.concat([sample, second]), ROWS)
    assert correcting.height == 10
    assert correcting.filter(pl.col(QUESTION_ID) == "3")[LABEL].to_list() == ["incorrect"]


@pytest.mark.parametrize(("picked", "runs", "fewest", "most"), [(False, 50, 49, 50), (True, 20, 0, 0)])
def test_corrected_shares_hold_the_truth(picked, runs, fewest, most):
    """Of 50 runs with 60 labels drawn at random, 95 % of the corrected intervals hold the truth; with 60 labels of
    responses whose verdict is wrong more often, no share is corrected."""
    draws, covered, shares = np.random.default_rng(7), 0, 0
    for _ in range(runs):
        right, agrees = draws.random(300) < 0.7, draws.random(300) < 0.8
        words = np.array(["incorrect", "correct"])
        verdicts = words[np.where(agrees, right, ~right).astype(int)]
        ids = list(map(str, range(300)))
        rows = pl.DataFrame({QUESTION_ID: ids, PIPELINE: ["A"] * 300, VERDICT: verdicts, RESPONSE: ["text"] * 300})
        chances = np.where(verdicts == "incorrect", 9.0, 1.0) if picked else np.ones(300)
        places = draws.choice(300, 60, replace=False, p=chances / chances.sum())
        labels = given([*places], together=True, rows=rows).with_columns(
            pl.Series(LABEL, words[right[places].astype(int)])
        )
        (share,) = estimate(tabulate(rows, rows[QUESTION_ID], labels), ["A"]).to_dicts()
        if share["corrected_by_labels"]:
            shares, covered = shares + 1, covered + (share["low"] <= right.mean() <= share["high"])
    assert fewest <= shares <= most
    assert covered >= 0.95 * shares


def test_the_least_sure_of_leader_and_contenders_comes_first():
    """An unsure verdict before a sure one, a low confidence before a high one; others never."""
    verdicts = [("A", "correct", 0.9), ("B", "incorrect", 0.6), ("A", "unsure", 0.8), ("C", "correct", 0.4)]
    rows = pl.DataFrame(verdicts, schema=[PIPELINE, VERDICT, CONFIDENCE], orient="row")
    assert label_queue(rows, "A", ["B"])[PLACE][0] == 2
    assert label_queue(rows[:2], "A", ["B"])[PLACE][0] == 1
    assert label_queue(rows, "A", [])[PLACE].sort().to_list() == [0, 1, 2, 3]


def test_the_queue_alternates_and_only_its_random_part_corrects_shares():
    """Every second response is the next of the run's random order; labels of the others never count as a sample."""
    rows = rows_of(dict.fromkeys("ABCDE", "1?0" * 40))
    decision = decide(rows, golden_of(120))
    queue = label_queue(rows, decision.subject, find_contenders(decision.ranking))

    assert queue[PLACE].sort().to_list() == list(range(rows.height))
    assert queue.head(2 * MOST_DECIDING)["drawn"].sum() >= MOST_DECIDING - 1
    concerned = [decision.subject, *find_contenders(decision.ranking)]
    assert set(rows[queue[PLACE].head(60)][PIPELINE]) <= set(concerned)

    asked = queue.head(40)
    labels = (
        rows[asked[PLACE]]
        .select(QUESTION_ID, PIPELINE, pl.lit("correct").alias(LABEL))
        .with_columns(
            pl.lit("Kim").alias("labelled_by"),
            pl.int_range(pl.len()).cast(pl.String).alias("labelled_at"),
            asked["drawn"],
        )
    )
    sampled = mark_sampled(labels, rows)["sampled"]
    earliest = [place for place in random_order(rows.height) if rows[PIPELINE][place] in concerned]
    drawn = set(asked.filter("drawn")[PLACE])
    assert drawn <= set(earliest[: asked.filter(sampled).height])
    assert sampled.sum() < asked.height
    assert sampled.filter(asked["drawn"]).all()


def test_contenders_are_those_that_the_decision_is_not_settled_against():
    """Where it is settled against all others, the best of them is the contender; one pipeline has none."""
    good, poor = "1" * 38 + "00", "1" * 10 + "0" * 30
    between = decide(rows_of({"A": good, "B": "1" * 36 + "0000", "C": poor}), golden_of(40))
    settled = decide(rows_of({"A": good, "C": poor}), golden_of(40))
    alone = decide(rows_of({"A": good}), golden_of(40))

    assert [find_contenders(each.ranking) for each in (between, settled, alone)] == [["B"], ["C"], []]


RIGHT, WRONG, DECLINED = "correct", "incorrect", "declined"


def labels(*said: tuple[str, str, str, str]) -> pl.DataFrame:
    """Question, pipeline, label and person of each."""
    return pl.DataFrame(list(said), schema=[QUESTION_ID, PIPELINE, LABEL, "labelled_by"], orient="row")


def compared(*labels_and_verdicts: tuple[str, str], unlabelled: int = 0) -> tuple[Agreement, pl.DataFrame]:
    """The agreement of these pairs, a question each, and the labels it comes from."""
    verdicts = [verdict for _, verdict in labels_and_verdicts] + [RIGHT] * unlabelled
    ids = [f"q{place}" for place in range(len(verdicts))]
    scored = pl.DataFrame({QUESTION_ID: ids, PIPELINE: "p", VERDICT: verdicts})
    said = labels(*((f"q{place}", "p", label, "Ana") for place, (label, _) in enumerate(labels_and_verdicts)))
    return agreement(scored, said), said


def test_where_people_differ_the_newest_label_counts():
    """Of several people's labels of a response the last one is compared, and the response is counted as contested."""
    said = labels(("1", "p", RIGHT, "Ana"), ("2", "p", RIGHT, "Ana"), ("1", "p", WRONG, "Bo"), ("2", "p", RIGHT, "Bo"))

    assert dict(counting(said).select(QUESTION_ID, LABEL).iter_rows()) == {"1": WRONG, "2": RIGHT}
    assert count_contested(said) == 1


@pytest.mark.parametrize(
    ("labelled", "after", "place"),
    [
        pytest.param("", -1, 0, id="the first"),
        pytest.param("", 0, 1, id="the next"),
        pytest.param("bc", 0, 3, id="labelled ones are passed over"),
        pytest.param("cd", 1, 0, id="from the first one on again"),
        pytest.param("bcd", 0, None, id="nothing but the present one"),
        pytest.param("abcd", -1, None, id="all labelled"),
    ],
)
def test_the_next_response_without_a_label(labelled, after, place):
    """The next place without a label is found, in the order of the list."""
    rows = pl.DataFrame({QUESTION_ID: list("abcd"), PIPELINE: "p"})
    said = labels(*((each, "p", RIGHT, "Ana") for each in labelled)) if labelled else rows.clear()

    assert next_without(rows, said, after) == place


@pytest.mark.parametrize(
    ("pairs", "accuracy", "kappa", "words"),
    [
        ([(RIGHT, RIGHT)] * 50 + [(RIGHT, WRONG)] * 25 + [(WRONG, WRONG)] * 25, "75%", "0.50", "; better than chance"),
        ([(RIGHT, RIGHT), (RIGHT, WRONG), (WRONG, RIGHT), (WRONG, WRONG)] * 3, "50%", "0.00", "not clearly better"),
        ([(RIGHT, RIGHT)] * 4, "100%", None, "undefined"),
    ],
)
def test_the_leading_sentence_has_share_interval_and_kappa(pairs, accuracy, kappa, words):
    """The share of verdicts that are the label, with its interval, and whether kappa is above chance; not surely so
    where its interval reaches 0; of one class there is none."""
    found, _ = compared(*pairs)
    figures = figures_in(agreement_lead(found))

    low, high = (round(share * 100) for share in (found.accuracy.low, found.accuracy.high))
    assert figures[:4] == [accuracy, str(low), str(high), str(len(pairs))]
    assert figures[4:5] == ([kappa] if kappa else [])
    assert words in agreement_lead(found)


def test_the_points_say_what_is_covered():
    """Coverage is said of all responses; that nobody labelled declined, and what people differ on, is said too."""
    found, said = compared((RIGHT, RIGHT), (WRONG, DECLINED), unlabelled=3)
    points = agreement_points(found, pl.concat([said, labels(("q0", "p", WRONG, "Bo"))]))

    assert figures_in(points[0]) == ["2", "5", "2", "95%"]
    differ, declined = points[2:]
    assert figures_in(differ) == ["1"]
    assert "declined counts as incorrect" in declined


def test_the_matrix_has_a_row_a_label():
    """Each label has its counts by verdict and their sum; what never occurs is 0."""
    found, _ = compared((RIGHT, RIGHT), (RIGHT, WRONG), (DECLINED, DECLINED))

    assert confusion_matrix(found).to_dicts() == [
        {LABEL: RIGHT, RIGHT: 1, WRONG: 1, DECLINED: 0, "unsure": 0, "responses": 2},
        {LABEL: WRONG, RIGHT: 0, WRONG: 0, DECLINED: 0, "unsure": 0, "responses": 0},
        {LABEL: DECLINED, RIGHT: 0, WRONG: 0, DECLINED: 1, "unsure": 0, "responses": 1},
    ]
