"""A run as other tools read it: every response with its scores, by the tool's own reader where it is installed."""

import json
from pathlib import Path

import polars as pl
import pytest

import qaviz
from qaviz.exports.tool_files import FMEVAL, TOOL_FORMATS, write_run
from qaviz.model.columns import CONTEXTS, SCORES

CONTEXT = "=1+1 <b>not markup</b>"
NAMES = ("../p 1", "p/2")
"""Pipelines whose names would lead elsewhere as paths."""


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A saved run of two pipelines, one response of which is missing and one of which would be a formula."""
    golden = [
        {"question_id": f"q{n}", "question": f"Who led town {n}?", "answer": f"Ann {n} led it", "fact": f"Ann {n}"}
        for n in range(3)
    ]
    responses = [
        {"question_id": row["question_id"], "pipeline": name, "response": text, "contexts": [CONTEXT]}
        for row in golden
        for name, text in ((NAMES[0], row["answer"]), (NAMES[1], "=cmd|' /C calc'!A0"))
    ][:-1]
    home = qaviz.open_workspace(tmp_path_factory.mktemp("workspace"))
    run = qaviz.evaluate(golden, responses).save("June", home, accept_doubts=True)
    return home.rows(run), run


def read_files(saved, tool: str, folder: Path) -> dict[str, Path]:
    """The files of the tool by pipeline."""
    rows, run = saved
    files = write_run(rows, run, tool, folder)
    assert [written.file.parent for written in files] == [folder] * 2
    assert sum(written.rows for written in files) == rows.height == 5
    return dict(zip(NAMES, (written.file for written in files), strict=True))


@pytest.mark.parametrize("tool", [tool for tool in TOOL_FORMATS if tool != FMEVAL])
def test_each_pipeline_has_a_file_in_the_folder(tool: str, saved, tmp_path: Path):
    """One file a pipeline, whatever its name, and none of another tool's or half written."""
    files = read_files(saved, tool, tmp_path / "out")

    assert sorted(files.values()) == sorted((tmp_path / "out").iterdir())


def test_mlflow_has_a_table_in_split_orientation(saved, tmp_path: Path):
    """`mlflow.load_table` reads {columns, data}; scores stand in columns that end in /score."""
    table = json.loads(read_files(saved, "mlflow", tmp_path)[NAMES[0]].read_text("utf-8"))
    frame = pl.DataFrame(table["data"], schema=table["columns"], orient="row")

    assert frame["inputs"].to_list() == ["Who led town 0?", "Who led town 1?", "Who led town 2?"]
    assert frame["outputs"].to_list() == frame["targets"].to_list()
    assert frame["factual_knowledge/score"].to_list() == [1, 1, 1]
    assert {f"{name}/score" for name in SCORES} < set(frame.columns)


def test_inspect_reads_the_log(saved, tmp_path: Path):
    """Its own reader gives the samples with their outputs and scores; without it, the fields that it asks for."""
    file = read_files(saved, "inspect", tmp_path)[NAMES[1]]
    log = json.loads(file.read_text("utf-8"))

    assert [sample["id"] for sample in log["samples"]] == ["q0", "q1"]
    assert log["samples"][0]["output"]["choices"][0]["message"]["content"] == "=cmd|' /C calc'!A0"
    assert log["samples"][0]["scores"]["factual_knowledge"]["value"] == 0
    reader = pytest.importorskip("inspect_ai.log")
    assert [sample.output.completion for sample in reader.read_eval_log(str(file)).samples] == [
        "=cmd|' /C calc'!A0"
    ] * 2


def test_langfuse_takes_the_batch_twice_without_a_copy(saved, tmp_path: Path):
    """A trace a response and a score a number; ids follow from the run, and each score names its trace."""
    first = read_files(saved, "langfuse", tmp_path / "1")[NAMES[0]].read_text("utf-8")
    again = read_files(saved, "langfuse", tmp_path / "2")[NAMES[0]].read_text("utf-8")
    events = json.loads(first)["batch"]
    traces = {event["body"]["id"] for event in events if event["type"] == "trace-create"}

    assert first == again
    assert len(traces) == 3
    assert {event["body"]["traceId"] for event in events if event["type"] == "score-create"} == traces
    assert len({event["id"] for event in events}) == len(events)


def test_ragas_has_contexts_as_a_list_or_not_at_all(saved, tmp_path: Path):
    """JSON Lines of single-turn samples; a field that is missing is left out, since Ragas refuses a null."""
    rows, run = saved
    with_contexts = read_files(saved, "ragas", tmp_path / "1")[NAMES[0]].read_text("utf-8").splitlines()
    written = write_run(rows.with_columns(pl.lit(None, rows[CONTEXTS].dtype).alias(CONTEXTS)), run, "ragas", tmp_path)
    without = written[0].file.read_text("utf-8").splitlines()

    assert json.loads(with_contexts[0])["retrieved_contexts"] == [CONTEXT]
    assert set(json.loads(without[0])) == {"user_input", "response", "reference"}
    ragas = pytest.importorskip("ragas")
    assert len(ragas.EvaluationDataset.from_jsonl(written[0].file)) == 3
