"""The same figure is the same everywhere: board, decision pack, gate and Python count the same right answers."""

import json
import re

import polars as pl
import pytest

import qaviz
from qaviz.cli import main
from qaviz.model.columns import LABEL, PIPELINE, QUESTION_ID
from qaviz.model.records import Run
from qaviz.store.labels import keep_labels
from qaviz.store.workspace import Workspace
from tests.builders import save_rows, save_sample
from tests.screen import drawn, open_page, texts

CODES = [
    {"question_id": f"q{n}", "question": f"What is code {n}?", "answer": f"Code {n} is K{n}7.", "fact": f"K{n}7"}
    for n in range(30)
]
UNANSWERABLE = [
    {"question_id": f"u{n}", "question": f"Who painted picture {n}?", "answerable": False} for n in range(5)
]
REFUSAL = "I do not know; the documents do not say."


def save_silent(workspace: Workspace) -> Run:
    """A run with right, wrong, empty, missing and declined responses, and right refusals of what has no answer."""
    rows = []
    for place, triplet in enumerate([*CODES, *UNANSWERABLE]):
        right = f"It is K{place}7." if triplet in CODES else REFUSAL
        broken = ["", REFUSAL, f"It is Z{place}9.", None, right][place % 5]
        rows += [
            triplet | {"pipeline": "steady", "response": right},
            triplet | {"pipeline": "broken", "response": broken},
        ]
    given = [{name: row[name] for name in ("question_id", "pipeline", "response")} for row in rows]
    responses = [row for row in given if row["response"] is not None]
    return save_rows(workspace, [*CODES, *UNANSWERABLE], responses, "silent")


def save_labelled(workspace: Workspace) -> Run:
    """The same run, with people's labels of some responses that differ from its verdicts."""
    run = save_silent(workspace)
    pairs = workspace.rows(run).select(QUESTION_ID, pl.col(PIPELINE).cast(pl.String)).gather_every(4)
    label = pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.lit("incorrect")).otherwise(pl.lit("correct"))
    labels = pairs.with_columns(label.alias(LABEL))
    keep_labels(workspace, run, "Ana", labels)
    return run


@pytest.mark.page
@pytest.mark.parametrize("make", [save_sample, save_silent, save_labelled])
def test_overview_pack_gate_and_python_say_the_same(served, tmp_path, capsys, make):
    """Of each pipeline how many are right, of how many, the interval; and what is recommended, at which risk."""
    run = make(served)
    pack = tmp_path / "pack.json"
    assert main(["report", run.name, "--out", str(pack)]) == 0
    packed = json.loads(pack.read_text("utf-8"))
    capsys.readouterr()
    main(["gate", run.name, "--baseline", run.name, "--format", "json"])
    gate = {check["name"]: check["sentence"] for check in json.loads(capsys.readouterr().out)["checks"]}
    page = open_page(run=run.run_id)
    decision = qaviz.open_run(served, run.name).decision()

    figures = [
        (row["pipeline"], row["right"], row["of"], row["low"], row["high"]) for row in packed["decision"]["ranking"]
    ]
    drawn_rows = drawn(page, "metrics")["rows"]
    rows = {row["cells"][0]["text"].partition(". ")[2]: row["cells"][1]["text"] for row in drawn_rows}
    assert list(rows) == [pipeline for pipeline, *_ in figures]
    for pipeline, right, of, *_ in figures:
        numbers = [int(number) for number in re.findall(r"\d+", rows[pipeline])]
        assert (numbers[0], numbers[-1]) == (right, of)
        assert str(of) in re.findall(r"\d+", gate[f"{pipeline}, right answers"])
    assert figures == decision.ranking.select("pipeline", "right", "of", "low", "high").rows()
    assert packed["decision"]["sentence"] == decision.sentence
    shown = json.dumps(drawn(page, "reasons"), ensure_ascii=False) + texts(page)
    assert plain_words(decision.sentence) in plain_words(shown)
    assert decision.risk is None or plain_words(decision.risk.sentence) in plain_words(shown)


def plain_words(text: str) -> str:
    """The words of a text without the marks that a page adds."""
    return " ".join(re.findall(r"\w+", text))
