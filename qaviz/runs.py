"""From files to a run: load, score, diagnose, save. Pages, the command line and the Python API all go this way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from qaviz import __version__
from qaviz.diagnosis import diagnose
from qaviz.loading import Loaded, Source, listed_counts, load
from qaviz.model import ANSWER, FACT, PIPELINE, QUESTION_ID, RESPONSE, SCORES, Progress, Run, Thresholds, Verified
from qaviz.scoring import bridge, score
from qaviz.store import Workspace

ENGINE = f"qaviz {__version__}"
SAMPLE_NAME = "Sample: Amazon Q2 2023"

_COMPARED = [QUESTION_ID, PIPELINE, ANSWER, FACT, RESPONSE, *SCORES]
_DEFAULT_THRESHOLDS = Thresholds()

# Where on the bar loading ends, and where scoring ends in what is left; diagnosing takes longest.
_LOADED = 0.1
_SCORED = 0.2


@dataclass(frozen=True, kw_only=True)
class DraftRun:
    """A run without a name: scored and diagnosed, and not saved yet."""

    loaded: Loaded
    rows: pl.DataFrame
    """One row a response: what `diagnose` returns."""
    thresholds: Thresholds


def draft_files(
    golden: Source,
    responses: Sequence[Source],
    *,
    golden_mapping: Mapping[str, str] | None = None,
    response_mappings: Sequence[Mapping[str, str] | None] | None = None,
    thresholds: Thresholds = _DEFAULT_THRESHOLDS,
    progress: Progress | None = None,
) -> DraftRun:
    """Load the files as `qaviz.loading.load` does, score and diagnose. Raises QavizError with all problems."""
    loaded = load(
        golden,
        responses,
        golden_mapping=golden_mapping,
        response_mappings=response_mappings,
        progress=_part(progress, 0, _LOADED),
    )
    return draft(loaded, thresholds=thresholds, progress=_part(progress, _LOADED, 1))


def draft(
    loaded: Loaded, *, thresholds: Thresholds = _DEFAULT_THRESHOLDS, progress: Progress | None = None
) -> DraftRun:
    """Score and diagnose what was loaded."""
    if progress:
        progress(0, "scoring")
    scored = score(loaded.rows, _part(progress, 0, _SCORED))
    if progress:
        progress(_SCORED, "diagnosing")
    return DraftRun(loaded=loaded, rows=diagnose(scored, thresholds), thresholds=thresholds)


def save(draft_run: DraftRun, workspace: Workspace, name: str) -> Run:
    """Keep the run under this name. Raises QavizError if the name will not do or the disk refuses."""
    loaded = draft_run.loaded
    return workspace.save(
        name,
        loaded.golden,
        draft_run.rows,
        thresholds=draft_run.thresholds,
        engine=ENGINE,
        sources=[Path(source).name for source in loaded.sources],
        listed_counts=listed_counts(loaded.listed),
        listed=loaded.listed,
    )


def verify(
    run: Run,
    workspace: Workspace,
    *,
    sample: int | None = None,
    seed: int = bridge.SEED,
    progress: Progress | None = None,
    cancelled: bridge.Cancelled | None = None,
) -> bridge.Verification:
    """Score the run, or a sample of it, again with the installed FMEval, and note in the workspace what came of it.

    The differences name `question_id`, `pipeline`, `score`, `here`, `fmeval`. Raises as `bridge.verify` does, and
    QavizError if the run's file is damaged; then nothing is noted.
    """
    rows = workspace.rows(run, _COMPARED)
    found = bridge.verify(rows, sample, seed, progress, cancelled)
    workspace.keep_verified(
        run,
        Verified(
            verified_at=datetime.now(UTC),
            version=found.version,
            compared=found.compared,
            differences=found.differences.height,
        ),
    )
    named = rows.select(QUESTION_ID, PIPELINE)[found.differences["row"]]
    return replace(found, differences=pl.concat([named, found.differences.drop("row")], how="horizontal"))


def import_sample(folder: Path, workspace: Workspace) -> Run:
    """Keep the sample data in `folder` as the run SAMPLE_NAME."""
    files = draft_files(Source.of(folder / "golden.jsonl"), [Source.of(folder / "responses.jsonl")])
    return save(files, workspace, SAMPLE_NAME)


def _part(progress: Progress | None, start: float, end: float) -> Progress | None:
    """Progress that fills only the part of the bar from `start` to `end`."""
    if progress is None:
        return None
    return lambda fraction, words: progress(start + fraction * (end - start), words)
