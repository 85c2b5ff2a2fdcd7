"""`qaviz compare` as a person runs it: two runs in, questions fixed and broken out."""

import json

import pytest

from qaviz.cli import main
from tests.builders import SAMPLE, save_sample


@pytest.fixture
def compare(workspace, capsys):
    """Run `qaviz compare` with these arguments; returns exit code, what was printed, and what went to stderr."""
    save_sample(workspace)

    def run(*arguments):
        code = main(["compare", *arguments, "--workspace", str(workspace.folder)])
        return code, *capsys.readouterr()

    return run


def test_a_run_with_itself_is_the_same(compare):
    """Nothing is fixed or broken between a run and itself, and every response is counted."""
    code, out, _ = compare("sample", "sample", "--format", "json")
    found = json.loads(out)
    responses = len((SAMPLE / "responses.jsonl").read_text().splitlines())

    assert code == 0
    assert [len(found[each]) for each in ("fixed", "broken", "changed", "same")] == [0, 0, 0, responses]


def test_two_pipelines_of_one_run(compare):
    """With --pair the lists are of these two, and each question names both verdicts and both responses."""
    _, out, _ = compare("sample", "sample", "--pair", "Pipeline2=Pipeline1", "--format", "json")
    found = json.loads(out)

    assert len(found["fixed"]) > len(found["broken"])
    for each in found["fixed"]:
        assert (each["verdict"], each["pipeline"], each["pipeline_before"]) == ("correct", "Pipeline1", "Pipeline2")
        assert each["verdict_before"] != "correct"
        assert each["question"]
        assert each["response"] != each["response_before"]


def test_the_text_names_what_was_fixed(compare):
    """Without a format each question that was fixed or broken stands on a line of its own."""
    _, out, _ = compare("sample", "sample", "--pair", "Pipeline2=Pipeline1")

    lines = out.splitlines()
    fixed, broken = (
        int(line.split()[1]) for kind in ("fixed: ", "broken: ") for line in lines if line.startswith(kind)
    )
    assert fixed > broken
    assert sum(line.startswith("  ") for line in lines) == fixed + broken


def test_a_pipeline_that_is_not_there(compare):
    """A pipeline that a run does not have is named, with those that it has."""
    code, _, err = compare("sample", "sample", "--pair", "Pipeline9=Pipeline1")

    assert code == 2
    assert "Pipeline9" in err
    assert "Pipeline3" in err
