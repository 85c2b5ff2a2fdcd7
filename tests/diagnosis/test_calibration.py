"""Confidence as a probability: the map, how it is fitted, and how a workspace's labels move it."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from qaviz.cli import main
from qaviz.diagnosis import diagnose
from qaviz.diagnosis.calibration import (
    DIAGNOSIS_OF_RULE,
    IN_PLACE_OF_SHIPPED,
    MARGIN,
    SHIPPED,
    calibration_error,
    fit,
    read_calibration,
    reliability,
)
from qaviz.diagnosis.judging import evidence_of_rules
from qaviz.diagnosis.recalibration import RIGHT, labelled_evidence, predict, refit
from qaviz.diagnosis.rules import RULES
from qaviz.model.columns import CONFIDENCE, LABEL, PIPELINE, QUESTION_ID, VERDICT
from qaviz.model.errors import QavizError
from qaviz.model.records import Thresholds
from qaviz.scoring import score
from qaviz.store import Workspace, keep_labels, open_workspace
from tests.diagnosis.test_failures import asked_rows
from tests.labelled_run import import_harbours, label_harbours

NAMES = ("Jeff Bezos", "Tim Cook", "Andy Jassy", "Satya Nadella", "I do not know")


def evidence(count: int) -> pl.DataFrame:
    """Evidence over responses of several diagnoses."""
    said = [f"{NAMES[place % len(NAMES)]} leads it, they say in {2000 + place % 20}." for place in range(count)]
    return evidence_of_rules(diagnose(score(asked_rows(said))), Thresholds())


def test_the_error_is_the_gap_between_confidence_and_share_right():
    """Two tenths: .95 said and 1/2 right, .15 said and right as often as said; weighed by rows."""
    probable = np.array([0.95] * 4 + [0.2] * 5)
    right = np.array([1, 1, 0, 0, 1, 0, 0, 0, 0])

    assert calibration_error(probable, right) == pytest.approx(0.45 * 4 / 9)
    assert reliability(probable, right)["rows"].to_list() == [5, 4]


def test_fitting_finds_what_each_rule_is_worth():
    """Rows that people agree with in nine of ten and in three of ten cases get about these probabilities."""
    rows = evidence(600)
    often = rows[DIAGNOSIS_OF_RULE].is_in(["correct", "declined"]).to_numpy()
    right = np.where(often, np.arange(600) % 10 < 9, np.arange(600) % 10 < 3)
    calibration = fit(rows, right.tolist(), ["one"] * 300 + ["other"] * 300)
    probable = predict(calibration, rows)

    assert probable[often].mean() == pytest.approx(right[often].mean(), abs=0.05)
    assert probable[~often].mean() == pytest.approx(right[~often].mean(), abs=0.05)


@pytest.mark.parametrize("rule", [rule.name for rule in RULES])
def test_more_margin_never_lowers_the_shipped_probability(rule: str):
    """The map is monotone: evidence that is further from tipping over is at least as probable."""
    diagnosis = next(each.diagnosis.value for each in RULES if each.name == rule)
    row = evidence(1).drop(MARGIN)
    table = pl.concat([row] * 5).with_columns(pl.Series(MARGIN, [0.0, 0.25, 0.5, 0.75, 1.0]))
    probable = table.select(read_calibration(SHIPPED).probability(rule, diagnosis, pl.col(MARGIN))).to_series()

    assert probable.to_list() == sorted(probable)
    assert 0 < probable.min() <= probable.max() < 1


def test_a_rule_that_no_labelled_row_told_of_has_a_probability():
    """A rule without coefficients takes its diagnosis's; a diagnosis without any takes the margin itself."""
    rows = evidence(3)
    calibration = read_calibration(SHIPPED)

    for diagnosis in ("off target", "no such diagnosis"):
        probable = rows.select(calibration.probability("no such rule", diagnosis, pl.lit(0.4))).to_series()
        assert probable.is_between(0, 1).all()


def own_labels(rows: pl.DataFrame, wrong_every: int) -> pl.DataFrame:
    """The verdicts as labels, but for one in so many."""
    other = pl.when(pl.col(VERDICT) == "correct").then(pl.lit("incorrect")).otherwise(pl.lit("correct"))
    label = pl.when(pl.int_range(pl.len()) % wrong_every == 0).then(other).otherwise(VERDICT).alias(LABEL)
    return rows.select(QUESTION_ID, PIPELINE, label)


def test_own_labels_move_confidence_towards_what_they_say():
    """People who disagree with every second verdict lower confidence, many labels further than few, and the error."""
    said = [f"{NAMES[place % len(NAMES)]} leads it, they say in {2000 + place % 20}." for place in range(400)]
    rows = diagnose(score(asked_rows(said)), Thresholds(unsure_below=0.0))
    labelled = labelled_evidence(rows, own_labels(rows, 2))
    shipped = read_calibration(SHIPPED)
    right = labelled[RIGHT].to_numpy()
    few_moved, all_moved = refit(shipped, labelled.head(30)), refit(shipped, labelled)
    before, few, many = (predict(each, labelled) for each in (shipped, few_moved, all_moved))

    assert before.mean() > few.mean() > many.mean() > right.mean() - 0.02
    assert calibration_error(many, right) < calibration_error(before, right)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return open_workspace(tmp_path / "workspace")


def test_a_run_is_calibrated_by_its_labels(
    tmp_path: Path, workspace: Workspace, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """`calibrate` writes a map from the run's labels; with it in the environment confidence is another one."""
    run = import_harbours(workspace, tmp_path, "harbours")
    out = tmp_path / "own.json"
    label_harbours(workspace, run)
    assert main(["calibrate", run.name, "--out", str(out), "--workspace", str(workspace.folder)]) == 0
    assert "left out of the fit" in capsys.readouterr().out

    rows = workspace.rows(run)
    before = diagnose(rows)[CONFIDENCE]
    monkeypatch.setenv(IN_PLACE_OF_SHIPPED, str(out))
    assert diagnose(rows)[CONFIDENCE].mean() < before.mean()


def picked(rows: pl.DataFrame) -> pl.DataFrame:
    """Labels that contradict every verdict, of the responses judged incorrect alone."""
    return own_labels(rows.filter(pl.col(VERDICT) == "incorrect"), 1)


def of_few_questions(rows: pl.DataFrame) -> pl.DataFrame:
    return own_labels(rows.filter(pl.col(QUESTION_ID).is_in(["h1", "h2"])), 3)


def of_one_fold(rows: pl.DataFrame) -> pl.DataFrame:
    """Labels whose errors are all in questions that one fit does not see: it learns what is false of them."""
    fold = pl.col(QUESTION_ID).rank("dense") % 5
    return own_labels(rows.sort(fold != 0), rows.height).with_columns(
        pl.when(rows.sort(fold != 0).select(fold == 0).to_series())
        .then(pl.when(pl.col(LABEL) == "correct").then(pl.lit("incorrect")).otherwise(pl.lit("correct")))
        .otherwise(LABEL)
        .alias(LABEL)
    )


@pytest.mark.parametrize(
    ("labels", "problem"),
    [(picked, "0 questions"), (of_few_questions, "2 questions"), (of_one_fold, "as shipped")],
)
def test_a_fit_that_labels_do_not_support_is_not_written(tmp_path, workspace, capsys, labels, problem):
    """Labels that were picked, of too few questions, or whose fit is worse on questions left out, write no file."""
    run = import_harbours(workspace, tmp_path, "harbours")
    out = tmp_path / "own.json"
    keep_labels(workspace, run, "Ann", labels(workspace.rows(run)))

    assert main(["calibrate", run.name, "--out", str(out), "--workspace", str(workspace.folder)]) == 2
    assert problem in capsys.readouterr().err
    assert not out.exists()


def test_a_file_that_is_no_calibration_is_refused(tmp_path: Path):
    """A missing file, no JSON, and other JSON are told with the file's name and the variable that names it."""
    wrong = [tmp_path / "missing.json", tmp_path / "text.json", tmp_path / "other.json"]
    wrong[1].write_text("{", "utf-8")
    wrong[2].write_text(json.dumps({"rules": {"stated": {"height": 3}}}), "utf-8")

    for file in wrong:
        with pytest.raises(QavizError, match=IN_PLACE_OF_SHIPPED) as refused:
            read_calibration(file)
        assert str(file) in str(refused.value)
