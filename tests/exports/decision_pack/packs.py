"""Decision packs for tests: of the sample data at a fixed time, and of runs made of a few words.

    python -m tests.exports.decision_pack.packs

writes the golden files anew. Read what changed before you commit it.
"""

import io
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from qaviz.analysis.policy import as_policy, criteria_in_force
from qaviz.exports.decision_pack import exporters
from qaviz.loading import Source
from qaviz.model.classes import Measure
from qaviz.model.columns import PIPELINE, QUESTION_ID, RESPONSE
from qaviz.model.records import Criterion, Run
from qaviz.report import Report, Table
from qaviz.report.decision import report_rows
from qaviz.store.labels import kept_labels
from qaviz.store.settings import keep_policy
from qaviz.store.workspace import Workspace, open_workspace
from tests.builders import draft_files, save_sample, write_jsonl

MADE_AT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
SCORED_AT = datetime(2026, 11, 19, 16, 5, tzinfo=UTC)

GOLDEN_FILES = Path(__file__).parent / "golden"


def pack_of(workspace: Workspace, run: Run, **other: object) -> Report:
    """The report of a saved run, as if it had been scored and packed at fixed times."""
    fixed = replace(run, run_id="20261119-160500-c0ffee", created_at=SCORED_AT, engine="qaviz 0.0.0")
    given = {"made_at": MADE_AT, "verified": workspace.find_verification(run), "labels": kept_labels(workspace, run)}
    given |= {"criteria": criteria_in_force(workspace)}
    return report_rows(fixed, workspace.golden(run.golden_id), workspace.rows(run), **given | other)


CRITERIA = (
    Criterion(measure=Measure.FACTS_STATED, bound=0.4),
    Criterion(measure=Measure.CORRECT, bound=1.0, category="company"),
)
"""What the pipelines of the sample have to reach: one is met, not met, or not shown."""


def sample_pack(workspace: Workspace) -> Report:
    """The pack of the sample data, with acceptance criteria."""
    keep_policy(workspace, as_policy(CRITERIA))
    return pack_of(workspace, save_sample(workspace))


def pack_from(
    workspace: Workspace,
    golden: Iterable[Mapping[str, object]],
    responses: Mapping[str, Iterable[str | None]],
    name: str = "made for a test",
) -> Report:
    """The pack of these triplets and, for each pipeline, its responses in the triplets' order."""
    triplets = [{QUESTION_ID: f"q{place}"} | dict(triplet) for place, triplet in enumerate(golden)]
    rows = [
        {QUESTION_ID: triplet[QUESTION_ID], PIPELINE: pipeline, RESPONSE: response}
        for pipeline, given in responses.items()
        for triplet, response in zip(triplets, given, strict=True)
    ]
    files = [write_jsonl(workspace.folder / f"{file}.jsonl", each) for file, each in (("g", triplets), ("r", rows))]
    return pack_of(workspace, draft_files(Source.of(files[0]), [Source.of(files[1])]).save(name, workspace))


def written(report: Report, suffix: str) -> bytes:
    """The pack as a file's bytes."""
    stream = io.BytesIO()
    exporters()[suffix].write(report, stream)
    return stream.getvalue()


def tables_of(report: Report) -> dict[str, Table]:
    """The tables of a report by their titles."""
    blocks = (block for section in report.sections for block in section.blocks)
    return {block.title: block for block in blocks if isinstance(block, Table)}


HOSTILE = (
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "<r><t>rich</t></r>",
    "<script>alert(1)</script>",
    "</style><img src=http://127.0.0.1:9/b onerror=alert(1)>",
    "![x](http://127.0.0.1:9/beacon) [a](javascript:alert(1))",
    "www.evil.example a@evil.example",
    "| a | b |",
    "1. _x0041_ __x0042_",
    "bell \x07 escape \x1b[31m delete \x7f",
    "مرحبا بالعالم",
    "日本語の名前",
    "turned \u202egnp.exe round",
    "🧪 & < > \" '",
    "x" * 300,
)
"""Texts that a spreadsheet, a slide, a page or a wiki could take for something else."""


def hostile_pack(workspace: Workspace) -> Report:
    """A pack with hostile pipelines, questions, facts and responses."""
    triplets = [{"question": f"{text} why?", "answer": f"{text} so", "fact": text.strip()} for text in HOSTILE]
    wanted = Criterion(measure=Measure.DECLINED, bound=0.5, category=" ".join(HOSTILE))
    keep_policy(workspace, as_policy([wanted]))
    return pack_from(workspace, triplets, {text: [f"{text} {each}" for each in HOSTILE] for text in HOSTILE})


def write_golden_files() -> None:
    """Write the golden files anew."""
    GOLDEN_FILES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        report = sample_pack(open_workspace(Path(folder)))
    for suffix in (".md", ".json"):
        (GOLDEN_FILES / f"sample{suffix}").write_bytes(written(report, suffix))


if __name__ == "__main__":
    write_golden_files()
