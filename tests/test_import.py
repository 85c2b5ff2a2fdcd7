"""Files become a run chunk by chunk: as if read whole, with progress, and nothing at all if that is cancelled."""

from dataclasses import replace
from pathlib import Path

import pytest
from polars.testing import assert_frame_equal

from qaviz.background import Job
from qaviz.loading import Source
from qaviz.model.errors import QavizError
from qaviz.model.records import Run
from qaviz.processes import CancelledError
from qaviz.runs import ImportRequest, import_files
from qaviz.store import maintenance
from qaviz.store.workspace import Workspace
from tests.builders import SAMPLE, draft_files, save_sample
from tests.loading.files import RESPONSE_FILE, upload
from tests.store.kept import contents

GOLDEN, RESPONSES = Source.of(SAMPLE / "golden.jsonl"), Source.of(SAMPLE / "responses.jsonl")
JUNE = ImportRequest(name="June", golden=GOLDEN, responses=(RESPONSES,))
SOON_S = 5


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Source:
    """Responses that take long to read: those of the sample, over and over."""
    file = tmp_path_factory.mktemp("endless") / "responses.jsonl"
    file.write_bytes((SAMPLE / "responses.jsonl").read_bytes() * 20_000)
    return Source.of(file)


def test_a_run_is_what_reading_it_whole_gives(workspace: Workspace):
    """Rows, golden dataset, list and sources are those of files that are read, scored and diagnosed at once; one bar
    fills meanwhile."""
    told: list[tuple[float, str]] = []
    run = import_files(JUNE, workspace, lambda *said: told.append(said))
    whole = draft_files(GOLDEN, [RESPONSES])

    kept = workspace.rows(run)
    assert_frame_equal(kept, whole.rows.select(kept.columns), check_exact=True)
    assert_frame_equal(workspace.golden(run.golden_id), whole.golden)
    assert_frame_equal(workspace.read_listed(run), whole.listed)
    assert (run.sources, run.pipelines) == (whole.sources, tuple(kept["pipeline"].unique(maintain_order=True)))
    assert [fraction for fraction, _ in told] == sorted(fraction for fraction, _ in told)
    assert told[-1] == (1.0, "saving")
    assert maintenance.check(workspace).problems == ()


@pytest.mark.parametrize("at", ["reading", "scoring"])
def test_a_cancelled_import_leaves_the_workspace_as_it_was(workspace: Workspace, at: str):
    """Cancelled while it reads or scores, an import is neither in the index nor on the disk."""
    save_sample(workspace, "before")
    kept = contents(workspace.folder)
    doing = ""

    def hear(_fraction: float, words: str) -> None:
        nonlocal doing
        doing = words

    with pytest.raises(CancelledError):
        import_files(JUNE, workspace, hear, lambda: doing.startswith(at))

    assert [run.name for run in workspace.runs()] == ["before"]
    assert contents(workspace.folder) == kept


def test_a_job_is_cancelled_within_a_second(workspace: Workspace, endless: Source):
    """A job beside the pages that reads a large file says how far it is and ends a second after it is told to."""
    job: Job[Run] = Job(
        lambda progress, cancelled: import_files(replace(JUNE, responses=(endless,)), workspace, progress, cancelled)
    )
    while not job.fraction:
        assert job.running
    job.cancel()
    job.wait(SOON_S)

    assert (job.running, job.cancelled, job.result) == (False, True, None)
    assert workspace.runs() == []
    assert list((workspace.folder / "drafts").iterdir()) == []


BAD = {
    "a problem in the last file": ([RESPONSES, upload("last.csv", "question_id,A\nq1\n")], "last.csv line 2"),
    "no response to any question": ([RESPONSE_FILE], "no response to any question of the golden dataset"),
}


@pytest.mark.parametrize(("responses", "said"), BAD.values(), ids=BAD)
def test_a_refused_import_leaves_the_workspace_as_it_was(workspace: Workspace, responses: list[Source], said: str):
    """What is found only after rows were scored still keeps all of them out."""
    with pytest.raises(QavizError, match=said):
        import_files(replace(JUNE, responses=tuple(responses)), workspace)
    assert workspace.runs() == []
    assert [name for name in contents(workspace.folder) if name.endswith((".parquet", ".tmp"))] == []


def test_a_name_that_is_taken_is_said_before_anything_is_read(workspace: Workspace, tmp_path: Path):
    """A taken name is refused at once: the files need not even be there."""
    save_sample(workspace, "June")
    with pytest.raises(QavizError, match="June"):
        import_files(ImportRequest(name="June", golden=Source.of(tmp_path / "none.jsonl")), workspace)
