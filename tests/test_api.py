"""The public Python API gives what the command line gives, from any kind of table."""

import asyncio
import atexit
import inspect
import os
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import qaviz
from qaviz.analysis.tables import NO_RESPONSE
from qaviz.api import find_served
from qaviz.cli import main
from qaviz.model.columns import GOLDEN_COLUMNS
from tests.builders import write_jsonl

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "sample_data"
GOLDEN, RESPONSES, LABELS = (SAMPLE / f"{name}.jsonl" for name in ("golden", "responses", "labels"))


@pytest.fixture(scope="module")
def sample() -> qaviz.EvaluatedRun:
    return qaviz.evaluate(GOLDEN, RESPONSES)


def test_pandas_has_all_inputs_and_every_question(sample: qaviz.EvaluatedRun, tmp_path: Path):
    """`to_pandas` has the columns of `qaviz score` with the same values, all inputs beside them, and a row without a
    response for each question that a pipeline did not answer."""
    out = tmp_path / "scores.parquet"
    main(["score", str(GOLDEN), str(RESPONSES), "--out", str(out)])
    written = pl.read_parquet(out)

    table = sample.to_pandas()

    assert isinstance(table, pd.DataFrame)
    assert {*written.columns, *GOLDEN_COLUMNS, "latency_ms", "cost", "contexts"} <= {*table.columns}
    assert table["diagnosis"].to_list() == written["diagnosis"].to_list()
    assert table["f1_score"].to_list() == written["f1_score"].to_list()
    fewer = qaviz.evaluate(GOLDEN, pl.read_ndjson(RESPONSES).head(-1)).to_pandas()
    last = fewer.iloc[-1]
    assert (len(fewer), last["response"], last["verdict"], last["unscored_answer"]) == (30, None, None, NO_RESPONSE)
    assert last["answer"] == table["answer"].iloc[-1]


def test_figures_show_every_pipeline_and_question(sample: qaviz.EvaluatedRun):
    """The matrix has a row a question and a column a pipeline; the scatter names each pipeline."""
    heat = sample.plot.matrix().data[0]

    assert (len(heat.z), len(heat.z[0])) == (sample.golden.height, len(sample.pipelines))
    signs = [sign for row in heat.text for sign in row]
    assert signs.count("✓") == sample.rows.filter(pl.col("diagnosis") == "correct").height
    assert "rephrased-correct, not credited" in [note for row in heat.customdata for note in row]
    assert set(sample.pipelines) <= {trace.name for trace in sample.plot.scatter().data}


def test_comparison_and_agreement_count_what_they_compare(sample: qaviz.EvaluatedRun):
    """A comparison is paired over the shared questions; agreement counts the labelled responses."""
    first, second = sample.pipelines[:2]

    assert set(sample.compare(first, second)["paired"]) == {sample.golden.height}
    assert sample.agreement(LABELS).compared == pl.read_ndjson(LABELS).height


def test_the_decision_counts_right_answers_and_hears_labels(sample: qaviz.EvaluatedRun):
    """The ranking counts right answers as the decision pack does, and labels of all responses correct it; given to
    `decision` as rows they count alike, and the run keeps none of them."""
    decision = sample.decision()
    labelled = qaviz.evaluate(GOLDEN, RESPONSES)
    labelled.add_labels(LABELS, drawn="random")
    corrected = labelled.decision()

    right = {
        name: sample.rows.filter(pl.col("pipeline") == name, verdict="correct").height for name in sample.pipelines
    }
    assert dict(decision.ranking.select("pipeline", "right").iter_rows()) == right
    assert decision.labelled == 0
    assert corrected.labelled == pl.read_ndjson(LABELS).height
    given = sample.decision(labels=pl.read_ndjson(LABELS).to_dicts())
    assert_frame_equal(given.ranking, corrected.ranking)
    assert sample.decision().labelled == 0


def test_lint_beside_a_run_finds_more(sample: qaviz.EvaluatedRun):
    """The rules that need responses are asked where a run is given."""
    alone, beside = qaviz.lint(GOLDEN), qaviz.lint(GOLDEN, sample)

    assert set(alone["rule"]) < set(beside["rule"])


def test_a_run_is_saved_once_and_read_back(sample: qaviz.EvaluatedRun, tmp_path: Path):
    """What `open_run` returns has the saved rows; it is not saved a second time under another name."""
    workspace = qaviz.open_workspace(tmp_path / "workspace")
    run = qaviz.evaluate(GOLDEN, RESPONSES)
    saved = run.save("first", workspace)

    again = qaviz.open_run(workspace, "first")

    assert again.run == saved
    assert_frame_equal(again.to_pandas().pipe(pl.from_pandas), sample.to_pandas().pipe(pl.from_pandas))
    with pytest.raises(qaviz.QavizError, match="has already"):
        again.save("second", workspace)
    assert run.run == saved


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


def test_import_is_quick_and_loads_neither_streamlit_nor_torch(tmp_path: Path):
    """`import qaviz` alone loads no library; whatever a script then does imports no Streamlit, torch, Ray or fmeval."""
    script = f"""
import sys, qaviz
run = qaviz.evaluate({str(GOLDEN)!r}, {str(RESPONSES)!r})
run.plot.scatter(), run.plot.matrix(), run.to_pandas(), run.decision()
run.compare(*run.pipelines[:2]), run.agreement({str(LABELS)!r})
qaviz.lint({str(GOLDEN)!r}, run), qaviz.generate
workspace = qaviz.open_workspace({str(tmp_path)!r})
run.save("kept", workspace)
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
    assert names["gate"].result == "cannot tell"
    assert names["path"].is_file()
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
    "dicts": list,
    "a frame of polars": lambda rows: pl.DataFrame(rows),
    "a frame of pandas": lambda rows: pl.DataFrame(rows).to_pandas(),
    "a lazy frame": lambda rows: pl.LazyFrame(rows),
    "an Arrow table": lambda rows: pl.DataFrame(rows).to_arrow(),
    "columns by name": by_column,
    "a generator": iter,
}


@pytest.mark.parametrize("give", GIVEN.values(), ids=GIVEN)
def test_tables_of_every_kind_are_taken(give, sample: qaviz.EvaluatedRun):
    """Frames of polars and pandas, lazy ones, Arrow tables, columns, dicts and generators give what files give, to the
    last reason."""
    run = qaviz.evaluate(*(give(pl.read_ndjson(file).to_dicts()) for file in (GOLDEN, RESPONSES)))
    assert_frame_equal(run.rows, sample.rows, check_column_order=False)
    assert run.pipelines == sample.pipelines


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


def test_a_run_says_in_short_what_it_is():
    """The representation counts, decides and names doubts; the notebook's table shows texts as texts."""
    odd = [row | {"response": "<b>It depends</b>"} for row in RESPONSE_ROWS]
    run = qaviz.evaluate(GOLDEN_ROWS, odd)
    assert "12 responses of 2 pipelines to 6 golden questions" in repr(run)
    assert len(repr(run)) < 1000
    assert "&lt;b&gt;It depends" in run._repr_html_()
    assert len(run.loading) == 1
    assert run.decision().confidence != "high"
    assert run.decision().doubts == run.loading


def test_a_doubtful_run_is_saved_on_a_yes(tmp_path: Path):
    """What was read with doubts is saved when they are accepted, and keeps them."""
    run = qaviz.evaluate(GOLDEN_ROWS, [row | {"response": "It depends"} for row in RESPONSE_ROWS])
    home = qaviz.open_workspace(tmp_path / "home")
    with pytest.raises(qaviz.QavizError, match="accept_doubts"):
        run.save("June", home)
    run.save("June", home, accept_doubts=True)
    assert qaviz.open_run(home, "June").loading == run.loading


MISSING_CELLS = [
    pytest.param(float("nan"), id="float"),
    pytest.param(np.float64("nan"), id="numpy"),
    pytest.param(pd.NA, id="pandas NA"),
    pytest.param(Decimal("nan"), id="decimal"),
]


@pytest.mark.parametrize("missing", MISSING_CELLS)
@pytest.mark.parametrize("form", ["dicts", "columns", "pandas"])
def test_nan_is_missing_and_no_text(missing: object, form: str):
    """A cell without a value, as pandas' records have it, is null: no fact, and no response, is the text NaN."""
    golden = [{"question_id": f"q{n}", "question": f"Why {n}?", "answer": "Rain.", "fact": "rain"} for n in range(3)]
    golden[1]["fact"] = missing
    responses = [{"question_id": f"q{n}", "pipeline": "p", "response": "It was rain."} for n in range(3)]
    responses[2]["response"] = missing
    of = {
        "dicts": lambda rows: rows,
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


SMALL_GOLDEN = [
    {"question_id": f"q{n}", "question": f"Who led town {n}?", "answer": f"Ann Reed {n}", "fact": f"Ann Reed {n}"}
    for n in range(8)
]


def answered(right: int, of: int = 8) -> list[dict[str, str]]:
    """Responses of one pipeline, the first `right` of which are right."""
    texts = (f"Ann Reed {n}" if n < right else f"Bob Cole {n}" for n in range(of))
    return [{"question_id": f"q{n}", "response": f"It was {text}."} for n, text in enumerate(texts)]


def test_responses_are_given_by_pipeline(tmp_path: Path):
    """A table for each pipeline by its name, of whatever kind and with whatever signs in the name."""
    write_jsonl(tmp_path / "file.jsonl", answered(8))
    run = qaviz.evaluate(
        SMALL_GOLDEN, {"gpt-4.1/mini": pd.DataFrame(answered(8)), "<b>": answered(4), "own": tmp_path / "file.jsonl"}
    )
    assert run.pipelines == ("gpt-4.1/mini", "<b>", "own")
    assert dict(run.decision().ranking.select("pipeline", "right").iter_rows()) == {
        "gpt-4.1/mini": 8,
        "own": 8,
        "<b>": 4,
    }
    with pytest.raises(qaviz.QavizError, match='a column "pipeline"'):
        qaviz.evaluate(SMALL_GOLDEN, {"a": [row | {"pipeline": "b"} for row in answered(1)]})


def test_whole_floats_are_ids():
    """pandas makes floats of ids where one is missing: 1.0 is the id 1; 1.5 stays 1.5."""
    golden = pd.DataFrame({"question_id": [1, 2], "question": ["Who?", "When?"], "answer": ["Ada", "1998"]})
    responses = pd.DataFrame({"question_id": [1.0, 2.0, None], "pipeline": "a", "response": ["Ada", "1998", "x"]})
    run, problems = qaviz.evaluate(golden, responses, strict=False)
    assert run is not None
    assert run.rows["question_id"].to_list() == ["1", "2"]
    assert (problems, run.listed["where"][0]) == ([], "responses row 3")
    halves = golden.assign(question_id=[1.5, 2.0])
    assert qaviz.evaluate(halves, {"a": halves.rename(columns={"answer": "response"})}).rows["question_id"][0] == "1.5"


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"thresholds": {"high_closenes": 0.5, "low_conciseness": 7}}, ['"high_closenes"', "7"]),
        ({"metrics": {"f1_score": len, "latency": len}}, ["a name of ours", "a name of ours"]),
        ({"metrics": {"m": lambda rows: [2.0] * rows.height}}, ["2"] * 8),
        ({"metrics": {"m": lambda _rows: [1.0]}}, ["1 scores"]),
        ({"metrics": {"m": lambda _rows: {}["lost"]}}, ["KeyError: 'lost'"]),
    ],
    ids=["thresholds", "names", "out of range", "too few", "raises"],
)
def test_what_a_script_gives_wrong_is_a_problem_each(given: dict[str, object], found: list[str]):
    """Thresholds and metrics that will not do are all named at once, scores with question and pipeline."""
    with pytest.raises(qaviz.QavizError) as raised:
        qaviz.evaluate(SMALL_GOLDEN, {"a": answered(8)}, **given)
    assert [problem.found for problem in raised.value.problems] == found
    if len(found) == 8:
        assert raised.value.problems[7].where == "metric m, question q7, pipeline a"


@pytest.mark.parametrize("take", [qaviz.EvaluatedRun.add_labels, qaviz.EvaluatedRun.decision])
def test_a_bad_column_of_labels_is_said_once(sample: qaviz.EvaluatedRun, take: Callable[..., object]):
    """A column without a label in it is one problem that shows its words; single wrong labels are one each."""
    rows = sample.rows.select("question_id", "pipeline")
    with pytest.raises(qaviz.QavizError) as raised:
        take(sample, rows.with_columns(label=pl.lit("yes")))
    assert len(raised.value.problems) == 1
    assert "yes" in raised.value.problems[0].found
    mixed = pl.Series(["correct"] * (rows.height - 1) + ["yes"])
    with pytest.raises(qaviz.QavizError, match="found “yes”"):
        take(sample, rows.with_columns(label=mixed))
    with pytest.raises(qaviz.QavizError, match="none of the run"):
        take(sample, [{"question_id": "x", "pipeline": "y", "label": "correct"}])


def test_picked_labels_decide_their_own_responses_alone(tmp_path: Path):
    """Four picked labels make four responses wrong and correct no share; drawn at random they correct it. Both are kept
    when the run is saved, and added to a saved one."""
    labels = [{"question_id": f"q{n}", "pipeline": "a", "label": "incorrect"} for n in range(8)]
    picked, drawn = (qaviz.evaluate(SMALL_GOLDEN, {"a": answered(8)}) for _ in range(2))
    assert picked.add_labels(labels[:4], by="Ada") == 4
    assert drawn.add_labels(labels, drawn="random", by="Ada") == 8
    (of_picked,), (of_drawn,) = (run.decision().ranking.to_dicts() for run in (picked, drawn))
    assert (of_picked["right"], of_picked["corrected_by_labels"], of_picked["labelled"]) == (4, False, 0)
    assert (of_drawn["right"], of_drawn["corrected_by_labels"], of_drawn["labelled"]) == (0, True, 8)

    drawn.save("drawn", tmp_path / "home", accept_doubts=True)
    again = qaviz.open_run(drawn.workspace, "drawn")
    assert again.decision().ranking["corrected_by_labels"].to_list() == [True]
    picked.save("picked", tmp_path / "other", accept_doubts=True)
    picked.add_labels([{"question_id": "q5", "pipeline": "a", "label": "incorrect"}], by="Ada")
    assert qaviz.open_run(picked.workspace, "picked").decision().ranking["right"].to_list() == [3]


def test_two_runs_are_compared_with_frames_and_a_gate():
    """Of eight right answers three broke: the frames and the transitions name them, and the gate fails."""
    before, after = (qaviz.evaluate(SMALL_GOLDEN, {"a": answered(right)}) for right in (8, 5))
    changes = qaviz.compare(before, after)
    assert changes.broken["question_id"].to_list() == ["q5", "q6", "q7"]
    assert (changes.fixed.height, changes.changed.height) == (0, 0)
    assert changes.transitions.rows() == [("a", "correct", "hallucination", 3)]
    assert changes.gate().result == "fail"
    assert qaviz.compare(after, before).fixed.height == 3
    renamed = qaviz.evaluate(SMALL_GOLDEN, {"b": answered(8), "c": answered(8)})
    assert qaviz.compare(before, renamed, {"a": "b"}).changes["pipeline"].unique().to_list() == ["b"]
    with pytest.raises(qaviz.QavizError, match="no pipeline"):
        qaviz.compare(before, renamed, {"a": "x"})


def test_a_function_is_a_metric_in_comparison_criteria_and_gate():
    """A score that a function gives is compared, decides a criterion, is told by the gate, is a column in pandas."""

    def is_brief(rows: pl.DataFrame) -> list[float | None]:
        return [None if place == 0 else float(len(text) <= 18) for place, text in enumerate(rows["response"])]

    given = {
        "short": answered(8),
        "long": [row | {"response": f"{row['response']} Yes, indeed."} for row in answered(8)],
    }
    run = qaviz.evaluate(SMALL_GOLDEN, given, metrics={"brief": is_brief})
    row = run.compare("short", "long").filter(pl.col("metric") == "brief").row(0, named=True)
    assert (row["mean_first"], row["mean_second"], row["paired"]) == (1.0, 0.0, 7)
    decision = run.decision(
        criteria=[{"score": "brief", "at_least": 0.5}, {"measure": "right answers", "at_least": 0.3}]
    )
    assert dict(decision.ranking.select("pipeline", "criteria").iter_rows())["long"] == "not met"
    table = run.to_pandas()
    assert table["brief"].isna().sum() == 1
    sides = [qaviz.evaluate(SMALL_GOLDEN, {"a": given[name]}, metrics={"brief": is_brief}) for name in given]
    gate = qaviz.compare(*sides).gate([{"score": "brief", "not_worse_by": 0.1, "than": "baseline"}])
    assert [check.name for check in gate.checks if check.result == "fail"] == [
        "a, brief, all questions, against baseline"
    ]


def test_criteria_that_are_wrong_are_named_by_place(sample: qaviz.EvaluatedRun):
    """Dictionaries are read as a policy's file is, every problem at once."""
    wrong = [{"measure": "right answer", "at_least": 0.9}, {"score": "x", "at_most": 1}, {"at_least": 0.9}]
    with pytest.raises(qaviz.QavizError) as raised:
        sample.decision(criteria=wrong)
    assert [problem.where for problem in raised.value.problems] == [f"criteria, criterion {n}" for n in (1, 2, 3)]


def test_a_run_writes_its_report(sample: qaviz.EvaluatedRun, tmp_path: Path):
    """A format is written from a run that no workspace has."""
    written = sample.report(tmp_path / "review.html")
    assert written.stat().st_size > 1000
    with pytest.raises(qaviz.QavizError, match="the suffix"):
        sample.report(tmp_path / "review.doc")


def test_a_function_is_asked(tmp_path: Path, capsys):
    """Sync and async functions answer with texts or mappings; one that raises is a row with its error, none at all is
    an error with the first reason; what was answered is not asked again."""
    questions: list[str] = []

    def rag(question: str) -> dict[str, object]:
        questions.append(question)
        if "town 3" in question:
            raise ValueError("no such town")
        return {"response": "Ann Reed", "contexts": ["Ann Reed led it."], "cost": 0.5}

    async def quick(question: str) -> str:
        await asyncio.sleep(0)
        return f"Ann Reed {question[-2]}"

    def down(_question: str) -> str:
        raise ConnectionError("refused")

    responses = qaviz.ask(rag, SMALL_GOLDEN, name="rag", out=tmp_path / "rag.jsonl")
    assert responses.height == 8
    failed = responses.filter(pl.col("response").is_null())
    assert failed.select("question_id", "error").rows() == [("q3", "ValueError: no such town")]
    assert responses["cost"][0] == 0.5
    assert "8 of 8 answers" in capsys.readouterr().err
    assert sorted(questions) == [row["question"] for row in SMALL_GOLDEN]
    assert qaviz.evaluate(SMALL_GOLDEN, responses).rows.height == 7
    right = qaviz.evaluate(SMALL_GOLDEN, qaviz.ask(quick, SMALL_GOLDEN, progress=False))
    assert right.decision().ranking["right"].to_list() == [8]
    with pytest.raises(qaviz.QavizError, match="no response to any question: ConnectionError: refused"):
        qaviz.ask(down, SMALL_GOLDEN, progress=False)


@pytest.mark.slow
def test_a_run_opens_in_the_app_of_its_workspace(tmp_path: Path, capsys, monkeypatch, request):
    """The address of a saved run answers; the second call takes the same app; a run that is not saved has none. An app
    of another workspace is not taken: on the wanted port, on that of a killed app, or named by a copied folder."""

    def end_with_the_test(terminate: Callable[[], None]) -> None:
        request.addfinalizer(terminate.__self__.wait)
        request.addfinalizer(terminate)

    monkeypatch.setattr(atexit, "register", end_with_the_test)
    run = qaviz.evaluate(SMALL_GOLDEN, {"a": answered(8)})
    with pytest.raises(qaviz.QavizError, match="not saved"):
        qaviz.open(run)
    saved = run.save("June", tmp_path / "home", accept_doubts=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = qaviz.open(run, port)
    assert address == qaviz.open(run)
    assert f":{port}/" in address
    assert address.endswith(f"/?run={saved.run_id}")
    with urllib.request.urlopen(address) as answer:
        assert b"<title>" in answer.read()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as health:
        assert str(tmp_path) not in f"{health.headers}{health.read()}"
    other = qaviz.evaluate(SMALL_GOLDEN, {"a": answered(8)})
    other.save("June", tmp_path / "other", accept_doubts=True)
    served = (tmp_path / "home" / "served").read_text("utf-8")
    for left in (served, f"{port} killed {tmp_path / 'other'}", f"{os.getpid()} {port}"):
        (tmp_path / "other" / "served").write_text(left, "utf-8")
        assert find_served(tmp_path / "other") is None
    with pytest.raises(qaviz.QavizError, match="port that cannot be opened"):
        qaviz.open(other, port)
    assert capsys.readouterr().out.splitlines() == [address] * 2


def test_a_run_is_logged_to_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Each pipeline is a run of the experiment with its share, its scores and its rows."""
    mlflow = pytest.importorskip("mlflow", reason="no MLflow")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "mlruns").as_uri())
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    run = qaviz.evaluate(SMALL_GOLDEN, {"a": answered(8), "b": answered(4)})
    ids = run.log_to_mlflow("towns")
    logged = [mlflow.get_run(one).data for one in ids]
    assert {(one.params["pipeline"], one.metrics["right_answers"]) for one in logged} == {("a", 1.0), ("b", 0.5)}
