"""From files to a run: load, score, diagnose, save. Pages, the command line and the Python API all go this way."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from qaviz import __version__
from qaviz.diagnosis import diagnose
from qaviz.diagnosis.rescoring import rescore
from qaviz.loading import Loaded, Source, is_fmeval_output, listed_counts, listing, load, load_fmeval_output
from qaviz.loading.fingerprints import taken_meanwhile
from qaviz.model import (
    ANSWER,
    FACT,
    PIPELINE,
    QUESTION_ID,
    RESPONSE,
    SCORES,
    Problem,
    Progress,
    Provenance,
    QavizError,
    Run,
    SourceFile,
    Thresholds,
    Verified,
)
from qaviz.scoring import bridge, keep_given, score
from qaviz.scoring.reference import TESTED_VERSION, fmeval_version
from qaviz.store import Workspace
from qaviz.store.run_records import find_record

Scorer = Callable[[pl.DataFrame, Progress | None], pl.DataFrame]
"""What `score` does, and the installed FMEval in a process of its own."""
SCORERS: Mapping[str, Scorer] = {"qaviz": score, "fmeval": bridge.score_in_process}
"""By the name of an engine."""
OWN_ENGINE = "qaviz"

FMEVAL_ENGINE = "FMEval (its own output)"
"""What scored a run whose scores come from FMEval's own files."""
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
    engine: str
    """What scored it, with its version."""
    provenance: Provenance | None = None
    """Of the files that it was drafted from."""


def draft_files(
    golden: Source,
    responses: Sequence[Source],
    *,
    golden_mapping: Mapping[str, str] | None = None,
    response_mappings: Sequence[Mapping[str, str] | None] | None = None,
    thresholds: Thresholds = _DEFAULT_THRESHOLDS,
    engine: str = OWN_ENGINE,
    progress: Progress | None = None,
) -> DraftRun:
    """Load the files as `qaviz.loading.load` does, score by the engine, diagnose. Raises QavizError with all problems.

    `engine` is one of SCORERS.
    """
    with taken_meanwhile([golden, *responses]) as files:
        loaded = load(
            golden,
            responses,
            golden_mapping=golden_mapping,
            response_mappings=response_mappings,
            progress=_part(progress, 0, _LOADED),
        )
        drafted = draft(loaded, thresholds=thresholds, engine=engine, progress=_part(progress, _LOADED, 1))
    said = zip((golden, *responses), (golden_mapping, *(response_mappings or ())), strict=False)
    return replace(drafted, provenance=_provenance(files.result(), {source.name: mapping for source, mapping in said}))


def draft(
    loaded: Loaded,
    *,
    thresholds: Thresholds = _DEFAULT_THRESHOLDS,
    engine: str = OWN_ENGINE,
    progress: Progress | None = None,
) -> DraftRun:
    """Score what was loaded by the engine, one of SCORERS, and diagnose it."""
    if progress:
        progress(0, "scoring")
    scored = SCORERS[engine](loaded.rows, _part(progress, 0, _SCORED))
    if progress:
        progress(_SCORED, "diagnosing")
    rows = diagnose(scored, thresholds, _part(progress, _SCORED, 1))
    return DraftRun(loaded=loaded, rows=rows, thresholds=thresholds, engine=_named(engine))


def _provenance(files: tuple[SourceFile, ...], mappings: Mapping[str, Mapping[str, str] | None]) -> Provenance:
    said = {name: dict(mapping) for name, mapping in mappings.items() if mapping}
    return Provenance(files=files, mappings=said, versions=_versions())


def _versions() -> dict[str, str]:
    """Of what makes a run's figures: the same files give the same ones under the same versions."""
    return {"qaviz": __version__, "polars": pl.__version__, "FMEval's definitions": TESTED_VERSION}


def _named(engine: str) -> str:
    return f"{OWN_ENGINE} {__version__}" if engine == OWN_ENGINE else f"FMEval {fmeval_version()}"


def draft_import(
    golden: Source,
    responses: Sequence[Source],
    *,
    golden_mapping: Mapping[str, str] | None = None,
    response_mappings: Sequence[Mapping[str, str] | None] | None = None,
    thresholds: Thresholds = _DEFAULT_THRESHOLDS,
    engine: str = OWN_ENGINE,
    progress: Progress | None = None,
) -> DraftRun:
    """As `draft_files`, but FMEval's own output, recognised by its content, keeps its scores.

    `golden` may be one of those files too: then the golden dataset is what they were scored against. Hits, context
    recall and diagnoses are qaviz's.
    """
    outputs = [source for source in (golden, *responses) if is_fmeval_output(source)]
    if not outputs:
        return draft_files(
            golden,
            responses,
            golden_mapping=golden_mapping,
            response_mappings=response_mappings,
            thresholds=thresholds,
            engine=engine,
            progress=progress,
        )
    if engine != OWN_ENGINE:
        raise QavizError(_scored_already(outputs, engine))
    others = [source.name for source in responses if source not in outputs]
    given = None if golden in outputs else golden
    if others or any(response_mappings or ()) or (given is None and golden_mapping):
        raise QavizError(_beside_fmeval_output(outputs, others))
    with taken_meanwhile([golden, *responses]) as files:
        loaded = load_fmeval_output(outputs, given, golden_mapping=golden_mapping, progress=_part(progress, 0, _LOADED))
        drafted = _draft_scored(loaded, thresholds, progress)
    return replace(drafted, provenance=_provenance(files.result(), {golden.name: golden_mapping}))


def _draft_scored(loaded: Loaded, thresholds: Thresholds, progress: Progress | None) -> DraftRun:
    """Diagnose what FMEval scored, and list where its scores are not what qaviz computes."""
    scored, otherwise = keep_given(loaded.rows, _part(progress, _LOADED, _SCORED))
    if progress:
        progress(_SCORED, "diagnosing")
    loaded = replace(loaded, listed=pl.concat([loaded.listed, _otherwise_entries(scored, otherwise)]))
    rows = diagnose(scored, thresholds, _part(progress, _SCORED, 1))
    return DraftRun(loaded=loaded, rows=rows, thresholds=thresholds, engine=FMEVAL_ENGINE)


def _scored_already(outputs: Sequence[Source], engine: str) -> Problem:
    return Problem(
        where=", ".join(source.name for source in outputs),
        found=f"FMEval's own output, which keeps its scores, and engine {engine}",
        expected="responses without scores",
        fix="Leave the engine out, and verify the run.",
    )


def _beside_fmeval_output(outputs: Sequence[Source], others: Sequence[str]) -> Problem:
    return Problem(
        where=", ".join(source.name for source in outputs),
        found=f"FMEval's own output beside responses without scores, {', '.join(others)}" if others else "a mapping",
        expected="files of FMEval's own output alone, whose fields are known",
        fix="Import the other responses as a run of their own." if others else "Leave the mapping out.",
    )


def _otherwise_entries(scored: pl.DataFrame, otherwise: pl.Series) -> pl.DataFrame:
    """An entry for each response with scores that qaviz computes otherwise."""
    said = pl.col(listing.DETAIL) + " of FMEval is not what qaviz computes: another delimiter, or another release"
    odd = scored.select(QUESTION_ID, PIPELINE, otherwise.alias(listing.DETAIL)).filter(pl.col(listing.DETAIL) != "")
    return odd.select(
        pl.lit(listing.OTHER_SCORE).alias(listing.KIND),
        pl.lit(None, pl.String).alias(listing.WHERE),
        QUESTION_ID,
        PIPELINE,
        said,
    )


def save(draft_run: DraftRun, workspace: Workspace, name: str, by: str | None = None) -> Run:
    """Keep the run under this name, owned `by` who saves it. QavizError if a name will not do or the disk refuses."""
    loaded = draft_run.loaded
    return workspace.save(
        name,
        loaded.golden,
        draft_run.rows,
        thresholds=draft_run.thresholds,
        engine=draft_run.engine,
        sources=loaded.sources,
        listed_counts=listed_counts(loaded.listed),
        listed=loaded.listed,
        by=by,
        provenance=draft_run.provenance,
    )


def rescored(run: Run, workspace: Workspace, golden: str, progress: Progress | None = None) -> pl.DataFrame:
    """The run's rows on another golden dataset version (its `golden_id`): diagnosed rows, nothing is saved.

    Raises QavizError if no response of the run answers a question of that version, or a file is damaged.
    """
    if golden == run.golden_id:
        return workspace.rows(run)
    rows = rescore(workspace.rows(run), workspace.golden(golden), run.thresholds, progress)
    if rows.is_empty():
        raise QavizError(
            Problem(
                where=f'run "{run.name}"',
                found=f'no response to a question of the golden dataset version "{golden}"',
                expected="a version of the golden dataset that the run was scored on",
                fix="Choose another version, or load that golden dataset with the run's responses.",
            )
        )
    return rows


def save_rescored(
    run: Run, workspace: Workspace, golden: str, name: str, progress: Progress | None = None, by: str | None = None
) -> Run:
    """Keep the run's responses, scored on another golden dataset version, as a run of their own.

    Raises QavizError as `rescored` does, or if the name will not do or the disk refuses.
    """
    workspace.refuse_name(name)
    listed = workspace.listed(run)
    return workspace.save(
        name,
        workspace.golden(golden),
        rescored(run, workspace, golden, progress),
        thresholds=run.thresholds,
        engine=_named(OWN_ENGINE),
        sources=run.sources,
        listed_counts=run.listed_counts,
        listed=listed,
        by=by,
        provenance=replace(
            find_record(workspace, run.run_id).provenance or _provenance((), {}),
            versions=_versions(),
            rescored_from=run.run_id,
        ),
    )


def verify(
    run: Run,
    workspace: Workspace,
    *,
    sample: int | None = None,
    seed: int = bridge.SEED,
    progress: Progress | None = None,
    cancelled: bridge.Cancelled | None = None,
    by: str | None = None,
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
        by,
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
