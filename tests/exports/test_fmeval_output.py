"""A run in FMEval's format: field by field, and back and forth with the installed FMEval."""

import importlib.util
import json
from pathlib import Path

import polars as pl
import pytest

from qaviz.bulk.chunks import stream_files
from qaviz.exports.tool_files import FMEVAL, Written, write_run
from qaviz.loading import Chunk, Source
from qaviz.model.columns import ANSWER, FACT, RESPONSE, SCORES, UNSCORED_ANSWER, UNSCORED_FACT
from qaviz.scoring.bridge import score_with_fmeval
from tests.analysis.past import run_of
from tests.builders import draft_files
from tests.fmeval_files import ANSWER_SCORES, FACT_SCORES, fact_row, failed_row, fmeval_file, output_row
from tests.loading.files import jsonl
from tests.scoring.hostile import hostile_rows

TRIPLETS = [
    {"question": "Where?", "answer": "It is in Seattle.", "fact": "Seattle", "category": "place"},
    {"question": "Who?", "answer": "Andy is."},
]
RESPONSES = [
    {"question": "Where?", "pipeline": "P", "response": "In Seattle."},
    {"question": "Who?", "pipeline": "P", "response": 'Quotes " and\nlines, 東京 and \\ too'},
]


def drafted() -> pl.DataFrame:
    """Two responses of one pipeline, scored; the second question has no fact."""
    return draft_files(jsonl("golden.jsonl", *TRIPLETS), [jsonl("responses.jsonl", *RESPONSES)]).rows


def imported(*outputs: Source) -> Chunk:
    """What a run of FMEval's own output keeps."""
    (chunk,) = stream_files(outputs[0], outputs[1:], keep_scores=True)
    return chunk


def write_fmeval_output(rows: pl.DataFrame, folder: Path) -> list[Written]:
    return write_run(rows, run_of(1), FMEVAL, folder)


def lines(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n")]


def test_each_evaluation_has_its_file(tmp_path):
    """Fields, scores and the order of both are FMEval's; a response to a question without a fact is left out of Factual
    Knowledge and counted; a missing category is no field."""
    written = write_fmeval_output(drafted(), tmp_path)
    facts, answers = tmp_path / "factual_knowledge_P.jsonl", tmp_path / "qa_accuracy_P.jsonl"
    assert written == [Written(file=facts, rows=1, left_out=1), Written(file=answers, rows=2, left_out=0)]
    assert [list(row) for row in (*lines(facts), *lines(answers))] == [
        ["model_input", "model_output", "target_output", "category", "scores"],
        ["model_input", "model_output", "target_output", "category", "scores"],
        ["model_input", "model_output", "target_output", "scores"],
    ]
    assert lines(facts) == [fact_row("Where?", "In Seattle.", "Seattle") | {"category": "place"}]
    assert lines(answers)[1]["model_output"] == RESPONSES[1]["response"]
    assert [score["name"] for score in lines(answers)[0]["scores"]] == [
        *("f1_score", "exact_match_score", "quasi_exact_match_score", "precision_over_words", "recall_over_words")
    ]


@pytest.mark.parametrize("bertscore", [{"bertscore": 0.75}, {}], ids=["with BERTScore", "without"])
def test_imported_output_is_written_as_it_was(tmp_path, bertscore):
    """FMEval's own output, imported and exported, is the same file: errors, BERTScore and odd scores too."""
    facts = [
        fact_row("Where?", "In Seattle.", "Seattle"),
        failed_row("Who?", "Jeff", "Andy", "throttled", *FACT_SCORES),
    ]
    names = [name for name in ANSWER_SCORES if name != "bertscore" or bertscore]
    answers = [
        output_row("Where?", "In Seattle.", "It is in Seattle.", dict.fromkeys(names, 0.123456789)),
        failed_row("Who?", "Jeff", "Andy is.", "throttled", *names),
    ]
    sources = [fmeval_file("factual_knowledge_P.jsonl", *facts), fmeval_file("qa_accuracy_P.jsonl", *answers)]
    write_fmeval_output(imported(*sources).rows, tmp_path)
    assert [(tmp_path / source.name).read_bytes() for source in sources] == [source.data for source in sources]


def test_an_evaluation_without_a_score_has_no_file(tmp_path):
    """A run of Factual Knowledge alone is exported as Factual Knowledge alone."""
    source = fmeval_file("factual_knowledge_P.jsonl", fact_row("Where?", "In Seattle.", "Seattle"))
    write_fmeval_output(imported(source).rows, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [source.name]


def test_names_of_pipelines_are_no_paths(tmp_path):
    """Whatever a pipeline is called, its files stand in the folder, no two in one place, and are no longer than file
    systems allow."""
    names = ["../../up", "..", "/etc/passwd", "a/b", "a:b", "A?B", "CON\n", "東" * 300, " ", "x\\y"]
    rows = pl.concat(drafted().with_columns(pipeline=pl.lit(name)) for name in names)
    written = write_fmeval_output(rows, tmp_path / "out")
    assert len({each.file.name.casefold() for each in written}) == 2 * len(names)
    assert {each.file.resolve().parent for each in written} == {tmp_path / "out"}
    assert max(len(each.file.name.encode()) for each in written) < 255


@pytest.mark.fmeval
@pytest.mark.skipif(importlib.util.find_spec("fmeval") is None, reason="FMEval has no release for this Python")
def test_what_fmeval_writes_comes_back(tmp_path):
    """Files that the installed FMEval writes, with its scores of hostile texts, are imported without a score that
    qaviz computes otherwise, and exported row for row as they were; FMEval's own record takes each exported row."""
    rows = numbered(hostile_rows(1_000, seed=11))
    theirs = [fmeval_writes(tmp_path / f"{name}_P.jsonl", rows, *of) for name, *of in EVALUATIONS]
    drafted = imported(*map(Source.of, theirs))
    assert drafted.rows.height == rows.height
    assert drafted.rows.select(SCORES).null_count().row(0) == (0,) * len(SCORES)
    assert "other score" not in drafted.listed["kind"]
    for written, was in zip(write_fmeval_output(drafted.rows, tmp_path / "back"), theirs, strict=True):
        assert written.left_out == 0
        again = {row["model_input"]: row for row in lines(written.file)}
        assert [again[row["model_input"]] for row in lines(was)] == lines(was)
        assert list(map(taken_by_fmeval, again.values())) == list(again.values())


EVALUATIONS = (
    ("factual_knowledge", FACT, ["factual_knowledge", "factual_knowledge_quasi_exact"]),
    (
        "qa_accuracy",
        ANSWER,
        ["f1_score", "exact_match_score", "quasi_exact_match_score", "precision_over_words", "recall_over_words"],
    ),
)


def numbered(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows that FMEval scores, each to a question of its own; NULs, which no file may hold, are left out."""
    scored = score_with_fmeval(rows.with_columns(pl.all().str.replace_all("\0", "", literal=True)))
    whole = scored.filter(pl.col(UNSCORED_FACT).is_null(), pl.col(UNSCORED_ANSWER).is_null())
    return whole.with_columns(question="Question " + pl.int_range(pl.len()).cast(pl.String) + "?")


def fmeval_writes(file: Path, rows: pl.DataFrame, target: str, names: list[str]) -> Path:
    """The file that FMEval's own record and strategy write of the rows, in an order of its own."""
    from fmeval.eval_algorithms.save_strategy import FileSaveStrategy
    from fmeval.eval_algorithms.util import EvalOutputRecord

    columns = {"model_input": "question", "model_output": RESPONSE, "target_output": target}
    table = rows.sample(fraction=1.0, shuffle=True, seed=len(names)).select(
        *(pl.col(ours).alias(theirs) for theirs, ours in columns.items()), *names
    )
    with FileSaveStrategy(str(file)) as strategy:
        for part in table.iter_slices(1024):
            strategy.save([EvalOutputRecord.from_row(row, names) for row in part.iter_rows(named=True)])
    return file


def taken_by_fmeval(row: dict[str, object]) -> dict[str, object]:
    """The row as FMEval's record gives it back."""
    from fmeval.eval_algorithms import EvalScore
    from fmeval.eval_algorithms.util import EvalOutputRecord

    columns = {name: value for name, value in row.items() if name != "scores"}
    return dict(EvalOutputRecord([EvalScore(**score) for score in row["scores"]], columns).to_dict())
