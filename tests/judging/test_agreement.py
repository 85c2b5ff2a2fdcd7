"""Agreement of two graders against irrCAC and statsmodels, with intervals that resample questions."""

import json

import numpy as np
import polars as pl
import pytest

from qaviz.cli import main
from qaviz.judging.agreement import compare_graders
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.model.errors import QavizError
from tests.builders import write_jsonl


def grades(*said: object, questions: int | None = None) -> pl.DataFrame:
    """One response a question, or several where there are fewer questions."""
    number = questions or len(said)
    return pl.DataFrame(
        {
            QUESTION_ID: [str(i % number) for i in range(len(said))],
            PIPELINE: [f"p{i // number}" for i in range(len(said))],
            "grade": [None if each is None else str(each) for each in said],
        }
    )


def test_figures_are_those_of_the_reference_libraries():
    """Exact, Cohen's kappa and quadratic kappa agree with statsmodels, AC1 and AC2 with irrCAC 0.4.4, to 1e-9."""
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    table = np.array([[20, 3, 1, 0], [4, 9, 5, 1], [1, 6, 14, 3], [0, 2, 4, 27]])
    pairs = [(i, j) for i in range(4) for j in range(4) for _ in range(table[i, j])]
    found = compare_graders(grades(*(i for i, _ in pairs)), grades(*(j for _, j in pairs)))
    quadratic = inter_rater.cohens_kappa(table, weights=np.arange(4), wt="fc").kappa
    assert found.weighted_kappa
    assert found.ac2
    assert (found.exact.value, found.kappa.value, found.weighted_kappa.value) == pytest.approx(
        (np.trace(table) / table.sum(), inter_rater.cohens_kappa(table).kappa, quadratic), abs=1e-9
    )
    assert (found.ac1.value, found.ac2.value) == pytest.approx((0.601426009167202, 0.824886825003567), abs=1e-9)
    assert found.constant_guess == pytest.approx(table.sum(axis=0).max() / table.sum())


def test_within_one_counts_near_misses_and_labels_have_none():
    """Grades one apart are near; correct and incorrect are not."""
    found = compare_graders(grades(0, 1, 2, 3), grades(0, 2, 2, 1))
    assert (found.exact.value, found.within_one.value) == (0.5, 0.75)
    labels = compare_graders(grades("correct", "incorrect"), grades("correct", "correct"))
    assert (labels.exact.value, labels.within_one, labels.weighted_kappa) == (0.5, None, None)


def test_intervals_resample_questions_not_responses():
    """Twenty responses to each of ten questions, alike within a question, tell as little as ten."""
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 4, 10), rng.integers(0, 4, 10)
    single = compare_graders(grades(*one), grades(*other)).exact
    repeated = compare_graders(grades(*np.tile(one, 20), questions=10), grades(*np.tile(other, 20), questions=10)).exact
    assert (repeated.low, repeated.high) == pytest.approx((single.low, single.high))


@pytest.mark.parametrize("second", [range(4), [1, 0, 3, 2]], ids=["all agree", "none agrees"])
def test_all_or_nothing_is_not_certain(second):
    """Four of four and none of four leave room for doubt."""
    found = compare_graders(grades(*range(4)), grades(*second))
    assert found.exact.value == (1 if second == range(4) else 0)
    assert found.exact.high - found.exact.low > 0.2


def test_what_cannot_be_compared_is_said():
    """No common response, and two grades of one response, are problems; missing grades are left out and counted."""
    with pytest.raises(QavizError, match="none of the same response"):
        compare_graders(grades(1), grades(1).with_columns(pl.lit("other").alias(PIPELINE)))
    with pytest.raises(QavizError, match="several grades"):
        compare_graders(pl.concat([grades(1), grades(2)]), grades(1))
    found = compare_graders(grades(1, None, 2), grades(1, 1, 1))
    assert (found.compared, found.only_second) == (2, 1)


@pytest.mark.parametrize("column", ["grade", "label"])
def test_the_command_prints_json_of_two_graders(tmp_path, capsys, column):
    """`qaviz agreement` of two graders' files: exact, within one, kappa and AC1, each with its interval."""
    said = [0, 1, 2, 3, 3, 3] if column == "grade" else ["correct", "incorrect"] * 3
    rows = [{"question_id": i, "pipeline": "p", column: each} for i, each in enumerate(said)]
    one, other = (
        write_jsonl(tmp_path / "a.jsonl", rows),
        write_jsonl(tmp_path / "b.jsonl", [*rows[:5], rows[5] | {column: said[0]}]),
    )
    assert main(["agreement", str(one), str(other)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["compared"] == 6
    for name in ("exact", "kappa", "ac1"):
        assert found[name]["low"] <= found[name]["value"] <= found[name]["high"]
    assert found["exact"]["value"] == pytest.approx(5 / 6)
    assert (found["within_one"] is None) == (column == "label")


@pytest.mark.parametrize(("others", "exact"), [(["incorrect", "correct"], 1), (["incorrect", "declined"], 0.5)])
def test_declined_is_incorrect_to_who_could_not_say_it(tmp_path, capsys, others: list[str], exact: float):
    """A response that one grader calls declined is incorrect to another who never says declined, and to no one else."""
    files = []
    for name, labels in (("a.jsonl", ["declined", others[-1]]), ("b.jsonl", others)):
        rows = [{"question_id": i, "pipeline": "p", "label": label} for i, label in enumerate(labels)]
        files.append(write_jsonl(tmp_path / name, rows))
    assert main(["agreement", *map(str, files)]) == 0
    assert json.loads(capsys.readouterr().out)["exact"]["value"] == exact


def test_criteria_and_graders_of_one_file_are_told_apart(tmp_path, capsys):
    """A file with criteria gives figures by criterion; one with several graders wants a name."""
    rows = [
        {"question_id": str(i), "pipeline": "p", "criterion": criterion, "name": name, "grade": i % 3}
        for i in range(6)
        for criterion in ("correctness", "readability")
        for name in ("Ana", "Bo")
    ]
    file = str(write_jsonl(tmp_path / "a.jsonl", rows))
    assert main(["agreement", file, file]) == 2
    assert "Ana, Bo" in capsys.readouterr().err
    assert main(["agreement", file, file, "--first", "Ana", "--second", "Bo"]) == 0
    found = json.loads(capsys.readouterr().out)["criteria"]
    assert found["readability"]["exact"]["value"] == 1
    assert list(found) == ["correctness", "readability"]
