"""Scoring and diagnosing of untrusted files: bounded variants, a limit of time, cancel."""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from qaviz import runs
from qaviz.background import Job
from qaviz.bulk import chunks
from qaviz.bulk.chunks import stream_files
from qaviz.golden.edits import edit, edits_to
from qaviz.loading import Source, load, silent
from qaviz.model.columns import VARIANT_LIMIT
from qaviz.model.errors import QavizError
from qaviz.processes import StoppedError, Why
from qaviz.store.workspace import open_workspace
from tests.fmeval_files import fact_row, fmeval_file
from tests.loading.files import jsonl

RESPONSE = {"question": "How much was revenue?", "pipeline": "A", "response": "It was 5 million in 2021. " * 20}
GONE_WITHIN_S = 10


def triplet(joined: str, count: int, field: str = "fact") -> Source:
    """A golden dataset of one triplet, whose fact or answer has so many variants."""
    text = joined.join(f"${number} million" for number in range(count))
    return jsonl(
        "g.jsonl", {"question": "How much was revenue?", "answer": "$5 million", "fact": "$5 million"} | {field: text}
    )


@pytest.mark.parametrize(
    ("joined", "field"),
    [("<OR>", "fact"), ("<AND>", "fact"), ("<OR>", "answer"), (" <OR> ", "fact"), ("<OR><OR>", "fact")],
)
@pytest.mark.parametrize("count", [VARIANT_LIMIT + 1, 25_000])
def test_too_many_variants_are_refused(joined: str, field: str, count: int):
    """A fact or answer of 25,000 variants, which takes minutes to look for, is refused with its line and the limit."""
    with pytest.raises(
        QavizError, match=rf"g\.jsonl line 1: found [\d,]+ variants in one {field}; expected at most 1,000"
    ):
        list(stream_files(triplet(joined, count, field), [jsonl("r.jsonl", RESPONSE)]))


def test_as_many_variants_as_are_allowed_are_scored():
    """A fact of 1,000 variants is scored and diagnosed within the limit of time."""
    chunks = list(stream_files(triplet("<OR>", VARIANT_LIMIT), [jsonl("r.jsonl", RESPONSE)]))
    assert sum(chunk.rows.height for chunk in chunks) == 1


def test_fmevals_own_output_has_no_more_variants():
    """The golden dataset that FMEval's output holds is bounded like any other."""
    output = fmeval_file("factual_knowledge_P.jsonl", fact_row("Where?", "Here.", "<OR>".join(map(str, range(2_000)))))
    with pytest.raises(QavizError, match="2,000 variants in one fact"):
        list(stream_files(output, [], keep_scores=True))


def test_an_edit_makes_no_more_variants():
    """A text that is edited on Curation is bounded like one in a file."""
    golden = load(triplet("<OR>", 2), [jsonl("r.jsonl", RESPONSE)]).golden
    with pytest.raises(QavizError, match="at most 1,000"):
        edits_to(golden, edit(golden["question_id"][0], "fact", "<OR>".join(map(str, range(1_001)))))


def judges() -> list[psutil.Process]:
    """Processes that read, score and diagnose at this moment."""
    alive = (each for each in psutil.Process().children() if each.status() != psutil.STATUS_ZOMBIE)
    return [each for each in alive if "qaviz.processes.worker" in each.cmdline()]


def soon(happens: Callable[[], bool]) -> bool:
    until = time.monotonic() + GONE_WITHIN_S
    while not happens() and time.monotonic() < until:
        time.sleep(0.05)
    return happens()


def slow_files(folder: Path) -> tuple[Source, list[Source]]:
    """Files that take minutes to diagnose: 1,000 variants a fact, long responses."""
    golden = [
        {
            "question_id": str(number),
            "question": f"What was sold {number}?",
            "answer": "No.",
            "fact": "<OR>".join(f"{number} and {each} items of {each} in {each}" for each in range(VARIANT_LIMIT)),
        }
        for number in range(250)
    ]
    responses = [
        {"question_id": str(number), "pipeline": pipeline, "response": "They sold 31 of 45 items in 2021. " * 200}
        for number in range(250)
        for pipeline in "AB"
    ]
    for name, rows in (("g.jsonl", golden), ("r.jsonl", responses)):
        (folder / name).write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return Source.of(folder / "g.jsonl"), [Source.of(folder / "r.jsonl")]


def test_a_part_over_the_limit_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Diagnosing that takes longer than the limit is ended, with what to do."""
    monkeypatch.setattr(chunks, "LIMITS", replace(chunks.LIMITS, silence_s=1))
    with pytest.raises(StoppedError, match=r"scoring and diagnosing: found .* 1 s .*Shorten") as stopped:
        list(stream_files(*slow_files(tmp_path)))
    assert stopped.value.end.why is Why.TIME
    assert soon(lambda: not judges())


def test_an_import_is_cancelled_while_it_diagnoses(tmp_path: Path):
    """Whoever cancels an import need not wait for a row that takes minutes; nothing is kept, nothing goes on."""
    golden, responses = slow_files(tmp_path)
    home = open_workspace(tmp_path / "workspace")
    request = runs.ImportRequest(name="slow", golden=golden, responses=tuple(responses))
    job = Job(lambda progress, cancelled: runs.import_files(request, home, progress, cancelled))
    assert soon(lambda: "diagnosing" in job.words)
    job.cancel()
    job.wait(GONE_WITHIN_S)

    assert job.cancelled
    assert home.runs() == []
    assert soon(lambda: not judges())


def test_a_judge_that_dies_is_a_problem_in_words(tmp_path: Path):
    """A process that the system kills, for want of memory, ends the import with a sentence."""

    def kill(_fraction: float, words: str) -> None:
        if "diagnosing" in words:
            for each in judges():
                each.kill()

    with pytest.raises(StoppedError) as stopped:
        list(stream_files(*slow_files(tmp_path), progress=kill))
    assert stopped.value.end.why is Why.KILLED
    assert list(stream_files(triplet("<OR>", 2), [jsonl("r.jsonl", RESPONSE)], progress=silent))
