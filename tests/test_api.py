"""The public Python API gives what the command line gives, from any kind of table."""

import inspect
import re
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import qaviz
from qaviz.cli import main
from qaviz.exports.table_files import COLUMNS

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "sample_data"
GOLDEN, RESPONSES, LABELS = (SAMPLE / f"{name}.jsonl" for name in ("golden", "responses", "labels"))


def as_given(kind: str, file: Path) -> object:
    frame = pl.read_ndjson(file, infer_schema_length=None)
    return {"path": file, "text": str(file), "polars": frame, "pandas": frame.to_pandas(), "dicts": frame.to_dicts()}[
        kind
    ]


@pytest.fixture(scope="module")
def sample() -> qaviz.EvaluatedRun:
    return qaviz.evaluate(GOLDEN, RESPONSES)


@pytest.mark.parametrize("kind", ["text", "polars", "pandas", "dicts"])
def test_every_kind_of_table_gives_the_same_rows(kind: str, sample: qaviz.EvaluatedRun):
    """DataFrames of polars and pandas, lists of dicts and paths are evaluated alike, to the last reason."""
    run = qaviz.evaluate(as_given(kind, GOLDEN), as_given(kind, RESPONSES))

    assert_frame_equal(run.rows, sample.rows, check_column_order=False)
    assert run.pipelines == sample.pipelines


def test_pandas_has_the_columns_that_score_writes(sample: qaviz.EvaluatedRun, tmp_path: Path):
    """`to_pandas` has the columns of the file that `qaviz score` writes, in its order, with the same values."""
    out = tmp_path / "scores.parquet"
    main(["score", str(GOLDEN), str(RESPONSES), "--out", str(out)])
    written = pl.read_parquet(out)

    table = sample.to_pandas()

    assert isinstance(table, pd.DataFrame)
    assert list(table.columns) == written.columns == list(COLUMNS)
    assert table["diagnosis"].to_list() == written["diagnosis"].to_list()
    assert table["f1_score"].to_list() == written["f1_score"].to_list()


def test_numbers_and_missing_values_of_pandas_arrive():
    """Ids that are numbers become texts; NaN in a text column is a missing response, listed, and not the word nan."""
    golden = pd.DataFrame({"question_id": [1, 2], "question": ["Who?", "When?"], "answer": ["Ada", "1998"]})
    responses = pd.DataFrame({"question_id": [1, 2], "pipeline": ["a", "a"], "response": ["Ada", float("nan")]})

    run = qaviz.evaluate(golden, responses)

    assert run.rows.select("question_id", "response").rows() == [("1", "Ada")]
    assert "2" in run.listed["question_id"].to_list()


def test_figures_show_every_pipeline_and_question(sample: qaviz.EvaluatedRun):
    """The matrix has a row a question and a column a pipeline; the scatter names each pipeline."""
    heat = sample.matrix().data[0]

    assert (len(heat.z), len(heat.z[0])) == (sample.golden.height, len(sample.pipelines))
    assert set(sample.pipelines) <= {trace.name for trace in sample.scatter().data}


def test_comparison_and_agreement_count_what_they_compare(sample: qaviz.EvaluatedRun):
    """A comparison is paired over the shared questions; agreement counts the labelled responses."""
    first, second = sample.pipelines[:2]

    assert set(sample.compare(first, second)["paired"]) == {sample.golden.height}
    assert sample.agreement(LABELS).compared == pl.read_ndjson(LABELS).height


def test_the_decision_counts_right_answers_and_hears_labels(sample: qaviz.EvaluatedRun):
    """The ranking counts right answers as the decision pack does, and labels of all responses correct it."""
    decision = sample.decision()
    corrected = sample.decision(labels=LABELS)

    right = {
        name: sample.rows.filter(pl.col("pipeline") == name, verdict="correct").height for name in sample.pipelines
    }
    assert dict(decision.ranking.select("pipeline", "right").iter_rows()) == right
    assert decision.labelled == 0
    assert corrected.labelled == pl.read_ndjson(LABELS).height


def test_lint_beside_a_run_finds_more(sample: qaviz.EvaluatedRun):
    """The rules that need responses are asked where a run is given."""
    alone, beside = qaviz.lint(GOLDEN), qaviz.lint(GOLDEN, sample)

    assert set(alone["rule"]) < set(beside["rule"])


def test_a_run_is_saved_once_and_read_back(sample: qaviz.EvaluatedRun, tmp_path: Path):
    """What `open_run` returns has the saved rows; it is not saved a second time under another name."""
    workspace = qaviz.open_workspace(tmp_path / "workspace")
    saved = sample.save(workspace, "first")

    again = qaviz.open_run(workspace, "first")

    assert again.run == saved
    assert_frame_equal(again.to_pandas().pipe(pl.from_pandas), sample.to_pandas().pipe(pl.from_pandas))
    with pytest.raises(qaviz.QavizError, match="has already"):
        again.save(workspace, "second")


@pytest.mark.parametrize(
    ("golden", "responses", "found"),
    [
        ([{"question": "Who?", "answer": "Ada"}], 7, "int"),
        ([{"answer": "Ada"}], [{"question": "Who?", "pipeline": "a", "response": "Ada"}], "question"),
        ("missing.jsonl", RESPONSES, "missing.jsonl"),
    ],
    ids=["no table", "a column is missing", "no such file"],
)
def test_what_cannot_be_used_is_a_problem_with_a_fix(golden: object, responses: object, found: str):
    """A wrong table raises QavizError, which names what was found."""
    with pytest.raises(qaviz.QavizError, match=found):
        qaviz.evaluate(golden, responses)


def test_an_unknown_pipeline_is_named(sample: qaviz.EvaluatedRun):
    """Both unknown names are said at once, with the names that there are."""
    with pytest.raises(qaviz.QavizError) as raised:
        sample.compare("x", "y")

    assert [problem.found for problem in raised.value.problems] == ['the pipeline "x"', 'the pipeline "y"']


def test_import_is_quick_and_loads_neither_streamlit_nor_torch(tmp_path: Path):
    """`import qaviz` alone takes under half a second; whatever a script then does imports no Streamlit, torch, Ray or
    fmeval."""
    script = f"""
import sys, qaviz
run = qaviz.evaluate({str(GOLDEN)!r}, {str(RESPONSES)!r})
run.scatter(), run.matrix(), run.to_pandas(), run.decision()
run.compare(*run.pipelines[:2]), run.agreement({str(LABELS)!r})
qaviz.lint({str(GOLDEN)!r}, run), qaviz.generate
workspace = qaviz.open_workspace({str(tmp_path)!r})
run.save(workspace, "kept")
qaviz.open_run(workspace, "kept")
print(*({{"streamlit", "torch", "ray", "fmeval"}} & set(sys.modules)))
"""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import qaviz"], check=True, cwd=ROOT)
    took = time.perf_counter() - began
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True, cwd=ROOT)
    empty = time.perf_counter() - began

    loaded = subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT, capture_output=True, text=True)

    assert took - empty < 0.5
    assert loaded.stdout.strip() == ""


def test_the_document_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Every block of docs/python.md runs in order. The page names every function of the API and every method of a run;
    each of them is typed and documented."""
    text = (ROOT / "docs" / "python.md").read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}

    for block in blocks:
        exec(block, names)

    assert names["again"].pipelines == ("small", "large")
    functions = {f"qaviz.{name}": getattr(qaviz, name) for name in qaviz.__all__ if name.islower()}
    methods = {
        f"run.{name}": each for name, each in vars(qaviz.EvaluatedRun).items() if name[0] != "_" and callable(each)
    }
    assert {*functions, *methods} == set(re.findall(r"(?:qaviz|run)\.[a-z]\w+(?=\()", text))
    for called in (*functions.values(), *methods.values()):
        signature = inspect.signature(called)
        untyped = [
            each for name, each in signature.parameters.items() if each.annotation is each.empty and name != "self"
        ]
        assert not untyped
        assert signature.return_annotation is not signature.empty
        assert called.__doc__
