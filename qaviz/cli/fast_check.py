"""`qaviz check --fast`: batch after batch of questions is asked, until it is known whether the pipeline broke."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from qaviz.analysis.gate import pair_pipelines
from qaviz.analysis.sequential_check import PipelineEvidence, find_losses, order_questions
from qaviz.bulk import stream_files
from qaviz.cli.ask import ask_golden
from qaviz.cli.terminal import say
from qaviz.loading import Source
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID, REPEAT_OF, VERDICT
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import Run
from qaviz.pipelines import Pipeline
from qaviz.store import Workspace

READ = (QUESTION_ID, QUESTION, PIPELINE, REPEAT_OF, VERDICT)
MOST_RUNS = 20
"""The newest runs of the golden dataset that say which questions tell pipelines apart."""


def pair_with(baseline: Run, pipelines: Sequence[Pipeline], asked: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Each pipeline with the baseline's: as asked, by name, or all of them with the only one. Raises QavizError."""
    names = [each.name for each in pipelines]
    if not asked and len(baseline.pipelines) == 1:
        return [(name, baseline.pipelines[0]) for name in names]
    return pair_pipelines(replace(baseline, name="this check", pipelines=tuple(names)), baseline, asked)


def ask_until_known(
    home: Workspace,
    asked: argparse.Namespace,
    golden: pl.DataFrame,
    pipelines: list[Pipeline],
    baseline: Run,
    pairs: Sequence[tuple[str, str]],
    parts: Path,
) -> tuple[list[Source], dict[str, PipelineEvidence]]:
    """Ask batches until all is known of each pipeline: the triplets that were asked and their responses, as files, and
    what is known. Responses of a batch stand beside `parts` until the check is done, so that a kill loses none.

    Raises QavizError where a pipeline cannot be asked, or no question has an answer in the baseline.
    """
    before = home.rows(baseline, READ)
    shared = golden.join(before, on=QUESTION, how="semi", maintain_order="left")
    if shared.is_empty():
        expected = "questions of the golden dataset"
        fix = "Name another baseline."
        raise QavizError(Problem(where=baseline.name, found="answers to none of them", expected=expected, fix=fix))
    evidence = {name: PipelineEvidence(shared.height, len(pairs)) for name, _ in pairs}
    triplets, files = list[pl.DataFrame](), list[Path]()
    for place, batch in enumerate(order_questions(shared, list(_past(home, baseline)), asked.seed)):
        file = parts.with_name(f"{parts.stem}-{place}.jsonl")
        answered = None if file.exists() else ask_golden(batch, pipelines, file, asked)
        triplets, files = [*triplets, batch], [*files, file]
        rows = pl.concat(chunk.rows for chunk in stream_files(_as_source(batch), [Source.of(file)]))
        for pair in pairs:
            losses = find_losses(batch[QUESTION], rows, before, pair)
            evidence[pair[0]].add(losses, chosen=place == 0)
        number = sum(each.height for each in triplets)
        say(f"{number:,} of {shared.height:,} questions asked")
        # No more is asked of what is not there, or costs too much.
        gave_up = answered and (answered.stopped or answered.errors == answered.rows)
        if gave_up or all(each.stop for each in evidence.values()):
            break
    responses = b"".join(file.read_bytes() for file in files)
    return [_as_source(pl.concat(triplets)), Source("responses.jsonl", responses)], evidence


def _past(home: Workspace, baseline: Run) -> Iterator[pl.DataFrame]:
    """The rows of the newest runs of the baseline's golden dataset."""
    alike = [each for each in home.runs() if each.golden_id == baseline.golden_id]
    yield from (home.rows(each, READ) for each in alike[:MOST_RUNS])


def _as_source(golden: pl.DataFrame) -> Source:
    return Source("golden.jsonl", golden.write_ndjson().encode())
