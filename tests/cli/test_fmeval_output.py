"""`qaviz import` of FMEval's own output and `qaviz export` as a person runs them."""

import json
import re
from pathlib import Path

import pytest

from qaviz.cli import main
from qaviz.loading import Source
from qaviz.runs import FMEVAL_ENGINE
from qaviz.store.workspace import open_workspace
from tests.builders import SAMPLE, save_sample, write_jsonl
from tests.fmeval_files import FACT_SCORES, answer_row, fact_row, failed_row, fmeval_file


def put(folder: Path, source: Source) -> str:
    """The upload as a file in the folder."""
    file = folder / source.name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(bytes(source.data))
    return str(file)


@pytest.fixture
def outputs(tmp_path: Path) -> list[str]:
    """What FMEval wrote of one pipeline: two questions, the second of which failed in Factual Knowledge."""
    failed = failed_row("Who?", "Jeff", "Andy", "throttled", *FACT_SCORES)
    answers = [answer_row("Who?", "Jeff", "Andy is.", f1_score=0.125), answer_row("Where?", "Here.", "It is here.")]
    return [
        put(tmp_path, fmeval_file("factual_knowledge_P.jsonl", fact_row("Where?", "Here.", "here"), failed)),
        put(tmp_path, fmeval_file("qa_accuracy_P.jsonl", *answers)),
    ]


def test_import_keeps_fmevals_scores_and_says_so(tmp_path, capsys, outputs):
    """The run has the files' scores, names FMEval as its engine, and has qaviz's diagnoses; the terminal says which is
    whose, and what qaviz computes otherwise."""
    home = tmp_path / "workspace"
    assert main(["import", *outputs, "--name", "June", "--workspace", str(home)]) == 1
    said = capsys.readouterr()
    assert 'qaviz: 2 responses saved as the run "June"' in said.out
    assert "FMEval's own output; its scores are taken as they stand; hits, context recall and diagnoses are" in said.err
    assert 'factual_knowledge_P.jsonl line 2, question_id "2", pipeline "P": score failed: throttled' in said.err
    assert "2 other score" in said.err
    workspace = open_workspace(home)
    run = workspace.find("June")
    assert (run.engine, run.pipelines, run.questions) == (FMEVAL_ENGINE, ("P",), 2)
    columns = ["question", "factual_knowledge", "f1_score", "unscored_fact", "diagnosis"]
    assert workspace.rows(run, columns).rows() == [
        ("Where?", 1.0, 1.0, None, "correct"),
        ("Who?", None, 0.125, "throttled", "hallucination"),
    ]


def test_score_scores_fmevals_output_again(tmp_path, capsys, outputs):
    """`qaviz score` takes the same file as responses and computes the scores itself."""
    golden = write_jsonl(tmp_path / "golden.jsonl", [{"question": "Who?", "answer": "Andy is.", "fact": "Andy"}])
    out = tmp_path / "scores.jsonl"
    assert main(["score", str(golden), outputs[1], "--out", str(out)]) == 1
    assert json.loads(out.read_text("utf-8"))["f1_score"] == 0.0
    assert "unaligned" in capsys.readouterr().err


def test_other_responses_beside_it_are_refused(tmp_path, capsys, outputs):
    """FMEval's own output beside other responses is refused, and no run is kept."""
    files = [str(SAMPLE / "golden.jsonl"), outputs[0], str(SAMPLE / "responses.jsonl")]
    assert main(["import", *files, "--name", "June", "--workspace", str(tmp_path / "w")]) == 2
    said = capsys.readouterr().err
    assert "FMEval's own output beside responses without scores, responses.jsonl" in said
    assert open_workspace(tmp_path / "w").runs() == []


def test_export_names_its_files(workspace, tmp_path, capsys):
    """`qaviz export` writes a file an evaluation and pipeline, says how many responses each has, and they can be
    imported again with the scores that they left with."""
    run = save_sample(workspace)
    out = tmp_path / "out"
    asked = ["--format", "fmeval", "--out", str(out), "--workspace", str(workspace.folder)]
    assert main(["export", run.run_id, *asked]) == 0
    said = capsys.readouterr().out
    assert re.search(f"{out / 'factual_knowledge_Pipeline1.jsonl'} +10 ", said)
    assert all(str(file) in said for file in out.iterdir())
    assert len(list(out.iterdir())) == 6
    files = [str(file) for file in sorted(out.iterdir())]
    assert main(["import", *files, "--name", "again", "--workspace", str(workspace.folder)]) == 0
    again = workspace.find("again")
    columns = ["question", "pipeline", "factual_knowledge", "f1_score", "diagnosis"]
    order = ["question", "pipeline"]
    assert workspace.rows(again, columns).sort(order).equals(workspace.rows(run, columns).sort(order))
    assert "other score" not in again.listed_counts
