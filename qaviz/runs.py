"""From files to a run: load, score, diagnose, save. Pages, the command line and the Python API all go this way."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from qaviz import __version__
from qaviz.bulk.chunks import OWN_ENGINE, SCORERS, rescore, stream_files
from qaviz.diagnosis import READER_VERSION, diagnose
from qaviz.judging import prompts, runs
from qaviz.llm import Settings, open_session
from qaviz.loading import Preview, Source, apart, silent, tables
from qaviz.loading.doubts import Tally, describe_reading, doubt_entries, find_doubts, where_of
from qaviz.loading.source import fingerprint
from qaviz.model import columns as c
from qaviz.model.errors import DoubtError, QavizError, disk_refusals, stop
from qaviz.model.records import JUDGED_BY, READER, Progress, Provenance, Run, SourceFile, Thresholds, Verified
from qaviz.processes import Cancelled, CancelledError
from qaviz.scoring import bridge, language_models
from qaviz.scoring.bridge import TESTED_VERSION, fmeval_version
from qaviz.store import labels, run_records
from qaviz.store.files import draft as draft_rows
from qaviz.store.workspace import Workspace

FMEVAL_ENGINE = "FMEval (its own output)"
"""What scored a run whose scores come from FMEval's own files."""
SAMPLE_NAME = "Sample: Amazon Q2 2023"
SAMPLE_JUDGE = "openai:example-judge"
"""What the judge of the sample is called: its replies were written for demonstration, by nobody's model."""
SAMPLE_JUDGE_FILE = "judge_replies.jsonl"

_COMPARED = [c.QUESTION_ID, c.PIPELINE, c.ANSWER, c.FACT, c.RESPONSE, *c.SCORES]
_DEFAULT_THRESHOLDS = Thresholds()
_VERSIONS = {"qaviz": __version__, "polars": pl.__version__, "FMEval's definitions": TESTED_VERSION}
_VERSIONS |= {READER: READER_VERSION}
"""Of what makes a run's figures: the same files give the same ones under the same versions."""


@dataclass(frozen=True, kw_only=True)
class ImportRequest:
    """What to make a run of: its files, and how they are read, scored and kept."""

    name: str = ""
    """The run's; no other run may have it."""
    golden: Source | None = None
    """The file that counts where files give different golden answers, if one is named."""
    responses: tuple[Source, ...] = ()
    """The other files, in any order: each gives what it has."""
    joined: tuple[tuple[str, str], ...] = ()
    """Pairs that a person joined: a question as responses word it, and the question_id that it means."""
    thresholds: Thresholds = _DEFAULT_THRESHOLDS
    """Of a run that is added to, its own count."""
    engine: str = OWN_ENGINE
    """What scores, one of SCORERS. FMEval's own output keeps its scores."""
    by: str | None = None
    added_to: Run | None = None
    """The run whose golden dataset the responses answer: the new run has that run's responses and theirs."""
    documents: pl.DataFrame | None = None
    """The chunks (`qaviz.documents.CHUNKS`) of the documents that the pipelines retrieve from, where they are known."""
    accept_doubts: bool = False
    """Whether a reading that is in doubt is saved all the same; the doubts are kept with the run."""
    trusted: bool = False
    """Whether the files are the asker's own: small texts are then read and judged in this process, as `stream_files`
    has it."""

    @property
    def files(self) -> tuple[Source, ...]:
        """The files that somebody named: the golden dataset's, then those of responses."""
        return (*filter(None, [self.golden]), *self.responses)


def make_provenance(files: tuple[SourceFile, ...], sources: Sequence[Source] = ()) -> Provenance:
    """What a run is made of that comes from these files, read as the sources say."""
    mappings: dict[str, dict[str, str]] = {}
    for source in sources:
        if source.mapping:
            mappings[source.name] = mappings.get(source.name, {}) | dict(source.mapping)
    return Provenance(
        files=files,
        mappings=mappings,
        versions=_VERSIONS,
        skip_bad=any(source.skip_bad for source in sources),
        keep_errors=any(source.keep_errors for source in sources),
    )


def name_engine(engine: str = OWN_ENGINE) -> str:
    """What scored, one of SCORERS, with its version."""
    return f"{OWN_ENGINE} {__version__}" if engine == OWN_ENGINE else f"FMEval {fmeval_version()}"


def import_files(
    request: ImportRequest, workspace: Workspace, progress: Progress | None = None, cancelled: Cancelled | None = None
) -> Run:
    """Read, score and diagnose the files chunk by chunk, as `stream_files` does, and keep them as a run. Memory does
    not grow with the number of responses. Raises QavizError with the problems of all files, if a name will not do, or
    if the disk refuses; CancelledError soon after `cancelled` said so. Then nothing is kept."""
    workspace.refuse_name(request.name)

    def tell(fraction: float, words: str) -> None:
        if cancelled and cancelled():
            raise CancelledError
        (progress or silent)(fraction, words)

    thresholds = request.added_to.thresholds if request.added_to else request.thresholds
    listed: list[pl.DataFrame] = []
    with _open_files(request, workspace) as (golden, responses), draft_rows(workspace.folder) as rows:
        reading = partial(
            stream_files, thresholds=thresholds, keep_scores=True, documents=request.documents, trusted=request.trusted
        )
        sources = [*filter(None, [golden]), *responses]
        chunks = reading(golden, responses, scorer=SCORERS[request.engine], progress=tell)
        tally = Tally()
        for chunk in chunks:
            if chunk.scored and request.engine != OWN_ENGINE:
                fault = f"FMEval's own output, which keeps its scores, and engine {request.engine}"
                fix = "Leave the engine out, and verify the run."
                raise stop(where_of(sources), fault, "responses without scores", fix)
            rows.add(chunk.rows)
            listed.append(chunk.listed)
            tally.add(chunk)
        doubts = find_doubts(tally, golden, responses, apart.preview)
        if doubts and not request.accept_doubts:
            raise DoubtError(*doubts)
        listed += doubt_entries(sources, doubts)
        tell(1.0, "saving")
        files = tuple(map(fingerprint, {(source.name, source.data): source for source in sources}.values()))
        made_of, names = _trace_sources(request, sources, files, workspace)
        return workspace.save(
            request.name,
            chunk.golden,
            rows,
            thresholds=thresholds,
            engine=FMEVAL_ENGINE if chunk.scored else name_engine(request.engine),
            sources=names,
            listed=pl.concat(listed),
            by=request.by,
            provenance=made_of,
        )


def try_import(request: ImportRequest, workspace: Workspace, progress: Progress | None = None) -> dict[str, object]:
    """Read and align the files as `import_files` does, and say what it would save; nothing is scored or saved. Problems
    that would refuse the files are among its doubts."""
    tally = Tally()
    seen: list[Preview] = []
    with _open_files(request, workspace) as (golden, responses):
        try:
            for chunk in apart.stream(golden, responses, keep_scores=True, progress=progress):
                tally.add(chunk)
            problems = find_doubts(tally, golden, responses, apart.preview)
            would_save = not problems or request.accept_doubts
        except QavizError as error:
            problems, would_save = error.problems, False
        if not tally.scored:
            with suppress(QavizError):
                seen = apart.preview(golden, responses)
    return describe_reading(seen, tally, problems, would_save=would_save)


def find_near_questions(request: ImportRequest, workspace: Workspace) -> pl.DataFrame:
    """Pairs of questions for a person to confirm, as `qaviz.loading.doubts` returns them: one row each. Raises
    QavizError with the problems of the files."""
    with _open_files(request, workspace) as (golden, responses):
        return apart.find_near_questions(golden, responses)


@contextmanager
def _open_files(request: ImportRequest, workspace: Workspace) -> Iterator[tuple[Source | None, list[Source]]]:
    """The file that counts, if one is named, and the others; those of a run that is added to are there meanwhile."""
    with ExitStack() as opened:
        golden, responses = request.golden, list(request.responses)
        if request.added_to:
            golden, old = opened.enter_context(_write_files(request.added_to, workspace))
            responses = [old, *responses]
        joined = [replace(source, joined=request.joined) for source in responses]
        yield golden and replace(golden, joined=request.joined), joined


def _trace_sources(
    request: ImportRequest, sources: Sequence[Source], files: tuple[SourceFile, ...], workspace: Workspace
) -> tuple[Provenance, tuple[str, ...]]:
    """What an import makes a run of, and the names of its files: with those of the run that it is added to."""
    made_of, run = make_provenance(files, sources), request.added_to
    if run is None:
        return made_of, tuple(dict.fromkeys(source.name for source in sources))
    before = _read_provenance(run, workspace)
    came = tuple(file for file in files if not file.name.endswith(f"of {run.name}{tables.OF_RUN}"))
    whole = replace(
        made_of,
        files=before.files + came,
        mappings=before.mappings | made_of.mappings,
        skip_bad=before.skip_bad or made_of.skip_bad,
        added_to=run.run_id,
    )
    return whole, tuple(dict.fromkeys([*run.sources, *(file.name for file in came)]))


@contextmanager
def _write_files(run: Run, workspace: Workspace) -> Iterator[tuple[Source, Source]]:
    """Give a run's golden dataset and its responses as files, to be imported together with a later file of responses.
    They are gone when the block ends. Scores and diagnoses are not in them: an import makes them anew. Raises
    QavizError if the run's files are damaged or the disk refuses."""
    of_pipeline = pl.coalesce(c.REPEAT_OF, c.PIPELINE).alias(c.PIPELINE)
    responses = workspace.rows(run, [*c.RESPONSE_COLUMNS]).with_columns(of_pipeline).drop(c.REPEAT_OF)
    keep_errors = _read_provenance(run, workspace).keep_errors
    with TemporaryDirectory(prefix="qaviz-") as name, disk_refusals(Path(name)):
        files = [Path(name) / "golden.jsonl", Path(name) / "responses.jsonl"]
        workspace.golden(run.golden_id).write_ndjson(files[0])
        responses.write_ndjson(files[1])
        yield (
            Source(f"golden dataset of {run.name}{tables.OF_RUN}", files[0]),
            Source(f"responses of {run.name}{tables.OF_RUN}", files[1], keep_errors=keep_errors),
        )


def rescore_run(run: Run, workspace: Workspace, golden: str, progress: Progress | None = None) -> pl.DataFrame:
    """The run's rows on a golden dataset version (its `golden_id`): diagnosed rows, nothing is saved. A run whose
    verdicts are of another reader is judged again as a whole. Raises QavizError if no response of the run answers a
    question of that version, or a file is damaged."""
    rows = workspace.rows(run)
    if _read_provenance(run, workspace).reader != READER_VERSION:
        rows = diagnose(rows, run.thresholds, progress)
    if golden == run.golden_id:
        return rows
    rows = rescore(rows, workspace.golden(golden), run.thresholds, progress)
    if rows.is_empty():
        fault = f'no response to a question of the golden dataset version "{golden}"'
        expected = "a version of the golden dataset that the run was scored on"
        fix = "Choose another version, or load that golden dataset with the run's responses."
        raise stop(f'run "{run.name}"', fault, expected, fix)
    return rows


def _read_provenance(run: Run, workspace: Workspace) -> Provenance:
    """Of a run from before its origin was recorded, a blank one."""
    nothing = Provenance(files=(), mappings={}, versions={})
    return run_records.find_record(workspace, run.run_id).provenance or nothing


def save_rescored(run: Run, workspace: Workspace, golden: str, name: str, by: str | None = None) -> Run:
    """Save the run's responses, scored on another golden dataset version, as another run. Raises as `rescore_run`."""
    workspace.refuse_name(name)
    engine = name_engine() + (f"{JUDGED_BY}{run.judge}" if run.judge else "")
    triplets, rows = workspace.golden(golden), rescore_run(run, workspace, golden)
    return _save_again(run, workspace, triplets, rows, name, engine, by)


def save_judged(
    run: Run, workspace: Workspace, judge: str, name: str, by: str | None = None, despite_probes: str = ""
) -> Run:
    """Save the run's responses as another run, in which the judge with this key decides the open ones. Its engine names
    the judge, and people's labels of the responses go with it. `despite_probes` is an owner's reason
    (`store.labels.trust_judge`). Raises QavizError if there is no such judge, it may not decide, or the disk
    refuses."""
    workspace.refuse_name(name)
    judged_by = runs.find_judge(workspace, run, judge)
    labels.trust_judge(workspace, run, judged_by.key, despite_probes, by)
    model = ", ".join(filter(None, (judged_by.model, "recorded" if judged_by.recorded else "", judged_by.distrust)))
    engine = f"{run.scorer}{JUDGED_BY}{model} ({judged_by.key})"
    versions = {f"judge {judged_by.key}": model, READER: _read_provenance(run, workspace).reader}
    rows = runs.heard_rows(workspace, run, judged_by.key)
    return _save_again(run, workspace, workspace.golden(run.golden_id), rows, name, engine, by, versions)


def _save_again(
    run: Run,
    workspace: Workspace,
    golden: pl.DataFrame,
    rows: pl.DataFrame,
    name: str,
    engine: str,
    by: str | None,
    versions: dict[str, str] | None = None,
) -> Run:
    """Keep these rows of the run's responses as another run, with its files and list, made with more `versions`."""
    made_of = replace(_read_provenance(run, workspace), versions=_VERSIONS | (versions or {}), rescored_from=run.run_id)
    return workspace.save(
        name,
        golden,
        rows,
        thresholds=run.thresholds,
        engine=engine,
        sources=run.sources,
        listed=workspace.read_listed(run),
        by=by,
        provenance=made_of,
    )


def verify(
    run: Run,
    workspace: Workspace,
    *,
    sample: int | None = None,
    seed: int = bridge.SEED,
    progress: Progress | None = None,
    by: str | None = None,
) -> bridge.Verification:
    """Score the run, or a sample of it, again with the installed FMEval, and note in the workspace what came of it. The
    differences name `question_id`, `pipeline`, `score`, `here`, `fmeval`. Raises as `bridge.verify` does, and
    QavizError if the run's file is damaged; then nothing is noted."""
    rows = workspace.rows(run, _COMPARED)
    outcome = bridge.verify(rows, sample, seed, progress)
    counts = {"compared": outcome.compared, "differences": outcome.differences.height}
    workspace.keep_verified(run, Verified(verified_at=datetime.now(UTC), version=outcome.version, **counts), by)
    named = rows.select(c.QUESTION_ID, c.PIPELINE)[outcome.differences["row"]]
    return replace(outcome, differences=pl.concat([named, outcome.differences.drop("row")], how="horizontal"))


def import_sample(folder: Path, workspace: Workspace) -> Run:
    """Keep the sample data in `folder` as the run SAMPLE_NAME, with the grades of its recorded judge."""
    golden, responses = Source.of(folder / "golden.jsonl"), Source.of(folder / "responses.jsonl")
    request = ImportRequest(name=SAMPLE_NAME, golden=golden, responses=(responses,), trusted=True)
    run = import_files(request, workspace)
    recording = folder / SAMPLE_JUDGE_FILE
    if recording.is_file():
        settings = Settings(model=SAMPLE_JUDGE, journal=recording, replay=recording)
        with open_session(settings) as session:
            runs.judge_run(session, workspace, run, prompts.Judge(model=SAMPLE_JUDGE), runs.Only(which=runs.ALL))
    return run


def with_bertscore(workspace: Workspace, rows: pl.DataFrame, model: language_models.LanguageModel) -> pl.DataFrame:
    """Return a run's rows with `bertscore` (Float64), as far as the workspace has it; null where it does not. Rows
    without an answer score never have one: `unscored_answer` says why."""
    pairs = bridge.text_pairs(rows)
    kept = labels.kept_bertscores(workspace, model.key, pairs[bridge.PAIR])
    return rows.with_columns(bridge.best_scores(pairs, kept, rows.height))


def compute_bertscore(
    workspace: Workspace,
    rows: pl.DataFrame,
    model: language_models.LanguageModel,
    progress: Progress | None = None,
) -> None:
    """Compute the pairs of texts of these rows that the workspace lacks, and keep each as it comes. Raises QavizError
    where bert_score is not installed or the disk refuses: what is done by then is kept."""
    bridge.check_library()
    pairs, key = bridge.text_pairs(rows), model.key
    kept = labels.kept_bertscores(workspace, key, pairs[bridge.PAIR])
    lacking = pairs.unique(bridge.PAIR).join(kept, on=bridge.PAIR, how="anti")
    if not lacking.is_empty():
        bridge.score_pairs(lacking, model, lambda scores: labels.keep_bertscores(workspace, key, scores), progress)
