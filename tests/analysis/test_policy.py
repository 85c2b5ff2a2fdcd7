"""Policies: read from TOML and JSON, refused with every problem, and given back as they were."""

from pathlib import Path

import orjson
import pytest

from qaviz.analysis.policy import as_policy, criteria_in_force, criteria_of, protocol_in_force, read_policy
from qaviz.model.classes import Measure
from qaviz.model.errors import QavizError
from qaviz.model.records import Criterion, Protocol
from qaviz.store.settings import keep_policy
from qaviz.store.workspace import Workspace, open_workspace
from tests.analysis.past import run_of
from tests.builders import save_sample

TOML = """
[[criteria]]
measure = "facts stated"
at_least = 0.9
tag = "critical"

[[criteria]]
measure = "hallucinations"
at_most = 0
category = "income"
"""
CRITERIA = (
    Criterion(measure=Measure.FACTS_STATED, bound=0.9, tag="critical"),
    Criterion(measure=Measure.HALLUCINATIONS, bound=0.0, category="income"),
)


def test_toml_and_json_say_the_same(tmp_path: Path):
    """A policy in TOML, and what qaviz writes of it as JSON, are read as the same criteria."""
    toml, json = tmp_path / "policy.toml", tmp_path / "policy.json"
    toml.write_text(TOML, "utf-8")
    json.write_bytes(orjson.dumps(as_policy(CRITERIA)))

    assert read_policy(toml) == read_policy(json) == CRITERIA


@pytest.mark.parametrize(
    ("said", "found"),
    [
        pytest.param({"measure": "beauty", "at_least": 1}, 'the measure "beauty"', id="no such measure"),
        pytest.param({"at_least": 1}, "no measure", id="no measure"),
        pytest.param({"measure": "closeness"}, "no at_least", id="no bound"),
        pytest.param({"measure": "declined", "at_least": 0.1}, "no at_most", id="the wrong bound"),
        pytest.param({"measure": "closeness", "at_least": 90}, "at_least = 90", id="percent"),
        pytest.param({"measure": "closeness", "at_least": True}, "at_least = True", id="a yes"),
        pytest.param({"measure": "closeness", "at_least": float("nan")}, "at_least = nan", id="not a number"),
        pytest.param({"measure": "closeness", "at_least": 0.5, "tag": ["x"]}, "tag = ['x']", id="a list of tags"),
        pytest.param({"measure": "closeness", "at_least": 0.5, "pipeline": "A"}, '"pipeline"', id="unknown word"),
        pytest.param("closeness", "closeness", id="no table"),
    ],
)
def test_a_wrong_criterion_is_named(said, found):
    """What a criterion cannot be is said with its place, beside the problems of the others."""
    with pytest.raises(QavizError) as caught:
        criteria_of({"criteria": [{"measure": "closeness", "at_least": 0.5}, said, {}]}, "p.json")

    places = [(problem.where, problem.found) for problem in caught.value.problems]
    assert ("p.json, criterion 2", found) in places
    assert ("p.json, criterion 3", "no measure") in places
    assert {where for where, _ in places} == {"p.json, criterion 2", "p.json, criterion 3"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("p.toml", b"[[criteria]\n", id="broken TOML"),
        pytest.param("p.toml", b"\xff\xfe", id="no UTF-8"),
        pytest.param("p.json", b"{", id="broken JSON"),
        pytest.param("p.json", b"[]", id="no table"),
        pytest.param("p.toml", b"criteria = []", id="no criterion"),
        pytest.param("p.toml", b"", id="empty"),
        pytest.param("p.toml", b"#" * 1_000_001, id="far too large"),
        pytest.param("p.toml", None, id="not there"),
    ],
)
def test_what_is_no_policy_is_a_problem(tmp_path: Path, name: str, text: bytes | None):
    """A file that holds no policy names itself and the form that is expected."""
    if text is not None:
        (tmp_path / name).write_bytes(text)

    with pytest.raises(QavizError, match=rf"^{name}: found .*expected \[\[criteria\]\]"):
        read_policy(tmp_path / name)


def test_the_workspace_keeps_the_newest_policy(workspace: Workspace):
    """What was set last is in force, for whoever opens the workspace, also when all criteria were taken away."""
    assert criteria_in_force(workspace) == ()

    for criteria in (CRITERIA[:1], CRITERIA):
        keep_policy(workspace, as_policy(criteria))
    assert criteria_in_force(open_workspace(workspace.folder)) == CRITERIA

    keep_policy(workspace, as_policy(()))
    assert criteria_in_force(workspace) == ()


def test_a_guardrail_and_a_protocol_are_read(tmp_path):
    """`not_worse_by` and `than` make a guardrail; the smallest difference and questions a day stand beside criteria."""
    file = tmp_path / "policy.toml"
    lines = ("smallest_difference = 0.05", "questions_a_day = 20", "[[criteria]]", 'measure = "hallucinations"')
    file.write_text("\n".join([*lines, "not_worse_by = 0.02", 'than = "A"']))
    guardrail = Criterion(measure=Measure.HALLUCINATIONS, bound=0.02, than="A")

    assert read_policy(file) == (guardrail,)
    assert criteria_of(as_policy([guardrail]), "again") == (guardrail,)
    for wrong in (
        {"smallest_difference": 5},
        {"questions_a_day": 0.5},
        {"questions_a_day": float("inf")},
        {"other": 1},
    ):
        with pytest.raises(QavizError):
            criteria_of(as_policy([guardrail]) | wrong, "p")
    against = {"measure": "latency p95", "not_worse_by": 0.5, "than": "baseline"}
    assert criteria_of({"criteria": [against]}, "p")[0].measure is Measure.LATENCY_P95
    for wrong in ({"measure": "cost", "at_most": 0.5}, against | {"than": "A"}):
        with pytest.raises(QavizError, match='than = "baseline"'):
            criteria_of({"criteria": [wrong]}, "p")
    with pytest.raises(QavizError, match="than"):
        criteria_of({"criteria": [{"measure": "closeness", "not_worse_by": 0.1}]}, "p")
    with pytest.raises(QavizError, match="all questions: latency p95 is about every response"):
        criteria_of({"criteria": [against | {"tag": "critical"}]}, "p")


def test_criteria_keep_the_date_since_which_they_stand(workspace: Workspace):
    """Set before the run and set again as they were: before. Changed after it: after, from then on."""
    assert protocol_in_force(workspace, run_of(1)) == Protocol()
    keep_policy(workspace, as_policy(CRITERIA))
    run = save_sample(workspace, "later")
    keep_policy(workspace, as_policy(CRITERIA))
    before = protocol_in_force(workspace, run)
    keep_policy(workspace, {"smallest_difference": 0.05, "questions_a_day": 20})
    after = protocol_in_force(workspace, run)

    assert (before.before, after.before) == (True, False)
    assert before.set_at < after.set_at
    assert (after.smallest_difference, after.questions_a_day) == (0.05, 20)


def test_a_measure_under_its_former_name(tmp_path):
    """A policy that was written with `correct` asks for right answers, as it did."""
    file = tmp_path / "policy.toml"
    file.write_text('[[criteria]]\nmeasure = "correct"\nat_least = 0.9\n')

    assert read_policy(file) == (Criterion(measure=Measure.CORRECT, bound=0.9),)
