"""qaviz.runs: what a run was made of, and with what, is kept beside it."""

import hashlib
from dataclasses import replace
from pathlib import Path

import polars as pl

from qaviz import __version__
from qaviz.diagnosis import READER_VERSION
from qaviz.loading import Source
from qaviz.model.records import READER, SourceFile
from qaviz.runs import ImportRequest, import_files, import_sample, save_rescored
from qaviz.store.run_records import find_record
from qaviz.store.workspace import Workspace
from tests.builders import SAMPLE, write_jsonl

VERSIONS = {"qaviz": __version__, "polars": pl.__version__, "FMEval's definitions": "1.2.3", READER: READER_VERSION}


def fingerprint_of(file: Path) -> SourceFile:
    data = file.read_bytes()
    return SourceFile(name=file.name, sha256=hashlib.sha256(data).hexdigest(), size=len(data))


def test_a_run_knows_its_files_mapping_and_versions(workspace: Workspace, tmp_path: Path):
    """Kept with a run are the SHA-256 and size of each file, what a person said of its columns, and who computed it."""
    golden = write_jsonl(tmp_path / "golden.jsonl", [{"prompt": "Where?", "answer": "Here", "fact": "Here"}])
    responses = write_jsonl(tmp_path / "r.jsonl", [{"question": "Where?", "pipeline": "A", "response": "Here."}])
    sources = [Source.of(golden), Source("r.jsonl", responses.read_bytes())]
    mapping = {"prompt": "question"}
    run = import_files(
        ImportRequest(name="June", golden=replace(sources[0], mapping=mapping), responses=(sources[1],), by="Ana"),
        workspace,
    )

    record = find_record(workspace, run.run_id)
    assert record.owner == "Ana"
    assert record.provenance is not None
    assert record.provenance.files == (fingerprint_of(golden), fingerprint_of(responses))
    assert record.provenance.mappings == {"golden.jsonl": {"prompt": "question"}}
    assert (record.provenance.versions, record.provenance.rescored_from) == (VERSIONS, None)


def test_a_run_scored_again_has_the_same_files_and_says_of_which_run(workspace: Workspace):
    """A run that has another's responses names it, and the files that those came from; a run whose files nobody
    recorded gives none."""
    run = import_sample(SAMPLE, workspace)
    again = save_rescored(run, workspace, run.golden_id, "again", by="Bo")

    before, after = (find_record(workspace, each.run_id) for each in (run, again))
    assert before.provenance is not None
    assert after.provenance is not None
    assert after.provenance.files == before.provenance.files != ()
    assert (after.owner, after.provenance.rescored_from) == ("Bo", run.run_id)
