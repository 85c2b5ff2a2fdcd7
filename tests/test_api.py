"""The public Python API gives what the command line gives, from any kind of table."""

import inspect
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import qaviz
from qaviz.cli import main
from qaviz.exports.table_files import COLUMNS
from tests.builders import write_jsonl

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
    assert list(table.columns) == written.columns == [*COLUMNS, "open"]
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
    """`import qaviz` alone loads no library; whatever a script then does imports no Streamlit, torch, Ray or fmeval."""
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
    libraries = (
        "import sys, qaviz; print(*(" + repr({"polars", "numpy", "pyarrow", "sqlalchemy"}) + " & set(sys.modules)))"
    )
    for source in (libraries, script):
        loaded = subprocess.run([sys.executable, "-c", source], check=True, cwd=ROOT, capture_output=True, text=True)
        assert loaded.stdout.strip() == ""


def test_the_document_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Every block of the part Python of docs/extending.md runs in order. It names every function of the API and every
    method of a run; each of them is typed and documented."""
    text = (ROOT / "docs" / "extending.md").read_text("utf-8").split("## Python\n")[1]
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


GOLDEN_ROWS = [{"question": f"Who leads town {n}?", "answer": f"Ann {n} leads it"} for n in range(6)]
RESPONSE_ROWS = [
    {"question": row["question"], "pipeline": name, "response": f"{name}: {row['answer']}, since {n}."}
    for n, row in enumerate(GOLDEN_ROWS)
    for name in ("A", "B")
]


def by_column(rows: list[dict[str, str]]) -> dict[str, list[str]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


GIVEN = {
    "a lazy frame": lambda rows: pl.LazyFrame(rows),
    "an Arrow table": lambda rows: pl.DataFrame(rows).to_arrow(),
    "columns by name": by_column,
    "a generator": iter,
}


@pytest.mark.parametrize("give", GIVEN.values(), ids=GIVEN)
def test_tables_of_every_kind_are_taken(give):
    """Lazy frames, Arrow tables, columns and generators give what a list of rows gives."""
    run = qaviz.evaluate(give(GOLDEN_ROWS), give(RESPONSE_ROWS))
    assert (run.rows.height, run.pipelines, run.loading) == (12, ("A", "B"), ())


def test_files_folders_and_patterns_are_taken(tmp_path: Path):
    """One file with both, several files, a folder and a pattern; each file of responses without names is a pipeline."""
    both = [golden | {"response": f"{golden['answer']}."} for golden in GOLDEN_ROWS]
    write_jsonl(tmp_path / "results.jsonl", both)
    write_jsonl(tmp_path / "golden.jsonl", GOLDEN_ROWS)
    (tmp_path / "runs").mkdir()
    for name in ("small", "large"):
        rows = [{"question": row["question"], "response": f"{name} {row['answer']}"} for row in GOLDEN_ROWS]
        write_jsonl(tmp_path / "runs" / f"{name}.jsonl", rows)
    files = [tmp_path / "runs" / f"{name}.jsonl" for name in ("large", "small")]

    assert qaviz.evaluate(tmp_path / "results.jsonl").pipelines == ("results",)
    for given in (files, tmp_path / "runs", str(tmp_path / "runs" / "*.jsonl")):
        assert qaviz.evaluate(tmp_path / "golden.jsonl", given).pipelines == ("large", "small")


def test_columns_are_mapped_and_bad_rows_left_out():
    """`map` names columns; with `skip_bad` a row without a question is left out, and `strict=False` gives it back."""
    golden = [*({"ask": row["question"], "say": row["answer"]} for row in GOLDEN_ROWS), {"ask": None, "say": "x"}]
    mapping = {"ask": "question", "say": "answer"}
    assert qaviz.evaluate(golden, RESPONSE_ROWS, map=mapping, skip_bad=True).golden.height == 6
    run, errors = qaviz.evaluate(golden, RESPONSE_ROWS, map=mapping, strict=False)
    assert run is not None
    assert [(error.where, error.found) for error in errors] == [("golden row 7", "no question")]
    with pytest.raises(qaviz.QavizError, match="golden row 7"):
        qaviz.evaluate(golden, RESPONSE_ROWS, map=mapping)
    assert qaviz.evaluate(golden, [], strict=False)[0] is None


def test_nearly_the_same_questions_are_joined_by_a_word():
    """join="near" aligns a question with a slip of the pen."""
    golden = [{"question": "Who leads the town of Graz?", "answer": "Ann"}]
    responses = [{"question": "Who leads the town of Graz?", "pipeline": "A", "response": "Ann"}]
    assert qaviz.evaluate(golden, responses, join="near").rows.height == 1


def test_a_run_says_in_short_what_it_is():
    """The representation counts, decides and names doubts; the notebook's table shows texts as texts."""
    odd = [row | {"response": "<b>It depends</b>"} for row in RESPONSE_ROWS]
    run = qaviz.evaluate(GOLDEN_ROWS, odd)
    assert "12 responses of 2 pipelines to 6 golden questions" in repr(run)
    assert len(repr(run)) < 1000
    assert "&lt;b&gt;It depends" in run._repr_html_()
    assert len(run.loading) == 2
    assert run.decision().confidence != "high"
    assert run.decision().doubts == run.loading


def test_a_doubtful_run_is_saved_on_a_yes(tmp_path: Path):
    """What was read with doubts is saved when they are accepted, and keeps them."""
    run = qaviz.evaluate(GOLDEN_ROWS, [row | {"response": "It depends"} for row in RESPONSE_ROWS])
    home = qaviz.open_workspace(tmp_path / "home")
    with pytest.raises(qaviz.QavizError, match="accept_doubts"):
        run.save(home, "June")
    run.save(home, "June", accept_doubts=True)
    assert qaviz.open_run(home, "June").loading == run.loading


MISSING_CELLS = [
    pytest.param(float("nan"), id="float"),
    pytest.param(np.float64("nan"), id="numpy"),
    pytest.param(np.float32("nan"), id="numpy, 32 bits"),
    pytest.param(pd.NA, id="pandas NA"),
    pytest.param(pd.NaT, id="pandas NaT"),
    pytest.param(Decimal("nan"), id="decimal"),
    pytest.param(None, id="None"),
]


@pytest.mark.parametrize("missing", MISSING_CELLS)
@pytest.mark.parametrize("form", ["dicts", "generator", "columns", "pandas"])
def test_nan_is_missing_and_no_text(missing: object, form: str):
    """A cell without a value, as pandas' records have it, is null: no fact, and no response, is the text NaN."""
    golden = [{"question_id": f"q{n}", "question": f"Why {n}?", "answer": "Rain.", "fact": "rain"} for n in range(3)]
    golden[1]["fact"] = missing
    responses = [{"question_id": f"q{n}", "pipeline": "p", "response": "It was rain."} for n in range(3)]
    responses[2]["response"] = missing
    of = {
        "dicts": lambda rows: rows,
        "generator": iter,
        "columns": lambda rows: {name: [row[name] for row in rows] for name in rows[0]},
        "pandas": pd.DataFrame,
    }[form]

    run = qaviz.evaluate(of(golden), of(responses))

    assert run.golden["fact"].to_list() == ["rain", None, "rain"]
    assert "nan" not in "".join(text or "" for text in run.rows["response"]).lower()


def test_documents_say_whose_fault_a_wrong_answer_is(tmp_path: Path):
    """A fact that stands in none of the named documents is the documents' fault; one that does is not."""
    (tmp_path / "report.md").write_text("Hotel Alba in Basel has 240 beds.", "utf-8")
    golden = [
        {"question": "How many beds has Hotel Alba?", "answer": "240 beds", "fact": "240 beds"},
        {"question": "How many beds has Hotel Ursa?", "answer": "75 beds", "fact": "75 beds"},
    ]
    responses = [
        {"question": row["question"], "pipeline": "P", "response": "It has 12 beds.", "contexts": ["A castle."]}
        for row in golden
    ]
    run = qaviz.evaluate(golden, responses, documents=[str(tmp_path)])
    assert run.rows["in_documents"].to_list() == [True, False]
    assert run.rows["fault"].to_list() == ["retriever", "documents"]


@pytest.mark.parametrize(
    "golden",
    [
        [{"question": "a\ud800?", "answer": "x"}],
        {"question": ["a?"], "answer": ["x\ud800"]},
        [{"question": "a?", "answer": "x", "f\ud800": "x"}],
    ],
)
def test_half_a_character_is_refused(golden: object):
    """A lone surrogate in a dictionary, in a text or a name, is a problem in words, strict or not."""
    responses = [{"question": "a?", "pipeline": "A", "response": "x"}]
    with pytest.raises(qaviz.QavizError, match="half a character"):
        qaviz.evaluate(golden, responses)
    run, problems = qaviz.evaluate(golden, responses, strict=False)
    assert run is None
    assert "half a character" in str(problems)
