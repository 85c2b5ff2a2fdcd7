"""Files that the tools themselves wrote; `written/README.md` says how."""

import re
from pathlib import Path

import pytest

from qaviz.loading import Source, load
from qaviz.model.errors import QavizError
from qaviz.scoring.bridge import TESTED_VERSION
from tests.loading.adapters.files import shown, theirs
from tests.loading.files import entries, jsonl, load_golden

ROOT = Path(__file__).parents[3]

WRITTEN = Path(__file__).with_name("written")

HOW_MANY = ("How many?", "158 in all", "There are 158.")
WHO = ("Who?", "Ann", "Bob.")


def written(name: str):
    return load(Source.of(WRITTEN / name), [])


@pytest.mark.parametrize("release", ["0.1.21", "0.4.3"])
@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_ragas(release: str, suffix: str):
    """Both releases, and the two ways in which pandas prints lists into CSV, give the same: each context is one, and a
    metric that failed has no value."""
    loaded = written(f"ragas-{release}.{suffix}")
    assert shown(loaded, "question", "answer", "response") == [HOW_MANY, WHO]
    assert shown(loaded, "contexts") == [(["There are 158.", "x"],), (['It\'s "Ann".'],)]
    assert theirs(loaded) == [{"stated": 1.0}, {"stated": "the file has no value"}]


@pytest.mark.parametrize("end", ["table", "asked"])
def test_the_table_of_mlflow_evaluate(end: str):
    """Responses that were there before stand under their own name, those of a model under MLflow's; both are read."""
    loaded = written(f"mlflow-2.22.0.{end}.json")
    assert shown(loaded, "question", "answer", "response") == [HOW_MANY, WHO]
    assert theirs(loaded) == [{"stated": 0.5}, {"stated": "the file has no value"}]


@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_the_traces_of_mlflow_genai(suffix: str):
    """Expectations are the golden answer and the fact, never scores; yes and no are 1 and 0, and a scorer that broke
    says why. No time was taken: the responses were there before."""
    loaded = written(f"mlflow-3.17.2.traces.{suffix}")
    assert shown(loaded, "question", "answer", "response") == [HOW_MANY, WHO]
    assert shown(loaded, "fact", "latency_ms") == [("158", None), (None, None)]
    assert theirs(loaded) == [
        {"correctness": 1.0, "broken": 1.0, "letters": 14.0},
        {"correctness": 0.0, "letters": 4.0, "broken": "out of order"},
    ]


def test_promptfoo():
    """Repeats, which promptfoo numbers on as tests of their own, are repeats of one
    question; providers are pipelines, by their ids where they have no label; assertions in sets are read; a request
    that failed is unanswered."""
    loaded = written("promptfoo-0.121.20.json")
    first = "158<OR>one hundred and fifty-eight"
    pipelines = [f"{name} · repeat {time}" for name in ("parrot", "stand-in") for time in (1, 2)]
    assert sorted(shown(loaded, "question_id", "fact", "pipeline")) == [
        *[("0", first, name) for name in pipelines],
        *[("2", "Ann", name) for name in pipelines],
        *[("4", None, name) for name in pipelines[:2]],
    ]
    assert [each[1:3] for each in entries(loaded, "unanswered")] == [("4", name) for name in pipelines[2:]]


def test_a_test_run_of_deepeval():
    """What a test run leaves in DEEPEVAL_RESULTS_FOLDER has the scores of its metrics; of one that broke, why."""
    loaded = written("deepeval-4.3.1.run.json")
    assert shown(loaded, "question", "answer", "response") == [HOW_MANY, WHO]
    assert shown(loaded, "contexts") == [(["There are 158.", "x"],), (None,)]
    assert theirs(loaded) == [{"Stated": 1.0}, {"Stated": "ValueError: out of order"}]


@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_the_report_of_haystack(suffix: str):
    """The inputs of an evaluation run have the golden answer under a bare name and the response as predicted."""
    loaded = written(f"haystack-3.4.0.{suffix}")
    assert shown(loaded, "question", "answer", "response") == [HOW_MANY, WHO]
    assert shown(loaded, "contexts") == [(["There are 158.", "x"],), (['It\'s "Ann".'],)]


def test_the_output_of_azure():
    """Rows of inputs and of what each evaluator said, in one document."""
    loaded = written("azure-1.18.10.json")
    assert shown(loaded, "question", "answer", "response") == [HOW_MANY, WHO]
    assert [each["stated"] for each in theirs(loaded)] == [1.0, 0.0]


def test_the_samples_of_lm_eval():
    """What a model generated is the response, with the harness's scores; a task that compares likelihoods has none."""
    loaded = written("lm_eval-0.4.13.asked.jsonl")
    assert theirs(loaded) == [{"exact_match": 0.0}] * 2
    assert shown(loaded, "question", "answer", "response") == [(*HOW_MANY[:2], "lol"), (*WHO[:2], "lol")]
    with pytest.raises(QavizError, match="no responses"):
        written("lm_eval-0.4.13.chosen.jsonl")


def test_the_dataset_of_llamaindex():
    """Its questions and reference answers are a golden dataset."""
    golden = load_golden(Source.of(WRITTEN / "llamaindex-0.12.52.json")).golden
    assert golden.select("question", "answer").rows() == [HOW_MANY[:2], WHO[:2]]


@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_the_records_of_trulens(suffix: str):
    """An app's version is part of its pipeline's name."""
    golden = jsonl("g.jsonl", *({"question": asked, "answer": answer} for asked, answer, _ in (HOW_MANY, WHO)))
    loaded = load(golden, [Source.of(WRITTEN / f"trulens-2.16.0.{suffix}")])
    assert shown(loaded, "question", "answer", "response") == [HOW_MANY, WHO]
    assert shown(loaded, "pipeline") == [("parrot 1",)] * 2


def test_the_documents_name_each_release_that_wrote_a_fixture():
    """docs/imports.md names the releases whose files lie in the folder, and of no other format says that its tool wrote
    the fixture, but of FMEval, which the tests run."""
    text = " ".join((ROOT / "docs" / "imports.md").read_text("utf-8").split())
    (listed,) = re.findall(r"files that the tools themselves wrote: (.+?)\. ", text)
    releases = [tool.split(" ", 1) for tool in listed.split("; ")]
    written = {name.lower().replace("-", "_"): set(versions.split(", ")) for name, versions in releases}
    there: dict[str, set[str]] = {}
    for file in WRITTEN.iterdir():
        if found := re.match(r"([a-z_]+?)(?:_ai)?-(\d+\.\d+\.\d+)\.", file.name):
            there.setdefault(found[1], set()).add(found[2])

    assert written.pop("fmeval") == {TESTED_VERSION}
    assert written == there
