"""`qaviz score` and `qaviz import`: responses scored and diagnosed, into a file or as a run of the workspace."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from qaviz import runs
from qaviz.analysis.closeness import SCORED_TWICE, gain_sentences, normalised_gain
from qaviz.analysis.tables import COMPARED, compare_scores, describe_scores, their_scores
from qaviz.bulk.chunks import stream_files
from qaviz.bulk.shards import score_shards
from qaviz.cli import BUG, COULD_NOT_RUN, DONE, FOUND_PROBLEMS
from qaviz.cli.files import (
    NOT_COVERED,
    FileOptions,
    accept_pairs,
    open_sources,
    read_named_documents,
    report_listed,
    settle_readings,
    with_mappings,
    with_response_mappings,
)
from qaviz.cli.options import FILE, JSON, RUN_NAME, ByWhom, Printed, Value, argument, choice, command, option, switch
from qaviz.cli.paths import open_home
from qaviz.cli.terminal import as_json, escape, print_lines, progress_line
from qaviz.diagnosis.judging import OPEN
from qaviz.exports.table_files import COLUMNS, FORMATS, check_out, write_scores
from qaviz.loading import Chunk, Source, sandbox
from qaviz.loading.doubts import DryRun
from qaviz.loading.load_log import NOT_DIAGNOSED
from qaviz.loading.shards import Shard, at_hand, find_shards, is_remote
from qaviz.model.columns import PIPELINE
from qaviz.model.errors import QavizError, stop
from qaviz.runs import OWN_ENGINE, SCORERS
from qaviz.scoring.normalised import NORMALISED, normalised_scores
from qaviz.store import Workspace

RAY = "ray"
_RESPONSES = "responses; none if GOLDEN holds them"


def _read_address(text: str) -> Path | str:
    """A path, or the address of a store as it stands."""
    return text if is_remote(text) else Path(text)


@dataclass(frozen=True, kw_only=True)
class _ScoreOptions(FileOptions):
    responses: tuple[Path | str, ...] = argument(
        _RESPONSES, type=Value(_read_address, "a file, folder or pattern"), nargs=-1
    )
    out: Path = option(
        "FILE", f"file to write: {', '.join(FORMATS)}; with --engine ray a folder", type=FILE, required=True
    )
    engine: str = choice(
        (*SCORERS, RAY),
        "what scores: qaviz, the installed FMEval (same scores, slower), or qaviz on Ray's workers",
        default=OWN_ENGINE,
    )
    normalised: bool = switch("also score responses without the restated question and citations, and print the gain")
    address: str | None = option("HOST:PORT", "with --engine ray: the cluster (default: this machine)")


@command(_ScoreOptions)
def score(options: _ScoreOptions) -> int:
    """Score and diagnose responses and write them to a file, one row a response.

    No workspace is needed, and memory does not grow with the number of responses. RESPONSES may be folders and patterns
    of JSON Lines and Parquet files. With --engine ray these files are scored on all cores or on a cluster and may also
    be in a store (s3://bucket/folder); --out is a folder that gets one Parquet file for each of them, and a second call
    does only what is missing.

    A .jsonl or .parquet file holds texts exactly. In a .csv file a text that a spreadsheet would run as a formula gets
    an apostrophe in front; a text that already has one gets one more.
    """
    return _report(_score_on_ray(options) if options.engine == RAY else _score_here(options), options.list)


@dataclass(frozen=True, kw_only=True)
class _ImportRunOptions(FileOptions, Printed, ByWhom):
    responses: tuple[Path, ...] = argument(_RESPONSES, type=FILE, nargs=-1)
    name: str | None = option("NAME", "the run's name; no other run may have it")
    dry_run: bool = switch("read and align the files, say what they are read as and what is doubtful, and save nothing")
    yes: bool = switch("take the first of two readings, and save what is doubtful; the doubts are kept with the run")
    add_to: str | None = option(
        "RUN",
        "all files are responses to this run's golden dataset; the new run has its responses and theirs",
        type=RUN_NAME,
    )
    engine: str = choice(
        SCORERS,
        "what scores: qaviz, or the installed FMEval (same scores, slower); the run records which",
        default=OWN_ENGINE,
    )


@command(_ImportRunOptions)
def import_run(options: _ImportRunOptions) -> int:
    """Score and diagnose responses and save them in the workspace as a run.

    Files of Ragas, promptfoo, SQuAD, Bedrock, Inspect and others (docs/imports.md) are recognised by their content.
    Their scores are kept beside qaviz's and compared with its verdicts. FMEval's own output (JSON Lines, save=True)
    keeps its scores. GOLDEN may be one of those files too: then the golden dataset is what they were scored against.
    `qaviz score` scores such a file again.
    """
    home = open_home(options.workspace)
    request = _request_import(options, home)
    if options.dry_run:
        return _report_dry_run(request, home, options)
    if not options.name:
        raise stop("--name", "nothing", "the run's name; no other run may have it", "See: qaviz import --help")
    home.refuse_name(options.name)
    try:
        golden, responses = settle_readings(request.golden, request.responses, yes=options.yes)
        request = replace(request, golden=golden, responses=responses)
        with progress_line() as progress:
            request = replace(request, documents=read_named_documents(options, progress))
            run = runs.import_files(request, home, progress)
    except QavizError:
        if options.format == JSON:
            print(as_json(runs.try_import(request, home).as_json()))
        raise
    listed = home.read_listed(run)
    if options.format == JSON:
        print(as_json({"run": run.run_id, **runs.try_import(request, home).as_json()}))
    else:
        print(f'qaviz: {run.responses:,} responses saved as the run "{escape(run.name)}", id {run.run_id}')
        print_lines(f"  {line}" for line in describe_scores(compare_scores(their_scores(home.rows(run, COMPARED)))))
    return _report(listed, options.list)


def _report_dry_run(request: runs.ImportRequest, home: Workspace, options: _ImportRunOptions) -> int:
    """Print what an import would read. Returns the exit code: whether it could save that."""
    with progress_line() as progress:
        tried = runs.try_import(request, home, progress)
    if options.format == JSON:
        print(as_json(tried.as_json()))
    else:
        print_lines(f"qaviz: {line}" for line in _describe_dry_run(tried))
    return DONE if tried.would_save else COULD_NOT_RUN


def _describe_dry_run(tried: DryRun) -> Iterator[str]:
    yield f"read as: {tried.layout or 'nothing that is known'}"
    yield from (f"  {word}: {', '.join(names)}" for word, names in tried.columns.items())
    yield "rows: " + ", ".join(f"{number:,} {kind}" for kind, number in tried.rows.items())
    yield from (f"pipeline {name}: {number:,} responses" for name, number in tried.pipelines.items())
    yield from (f"doubt: {doubt}" for doubt in tried.doubts)
    yield "would be saved" if tried.would_save else "would not be saved"


def _report(listed: pl.DataFrame, out: Path | None) -> int:
    """Say what is listed. Returns the exit code: a bug, problems in the files, or none."""
    counts = report_listed(listed, out)
    if NOT_DIAGNOSED in counts:
        return BUG
    return FOUND_PROBLEMS if any(kind in counts for kind in NOT_COVERED) else DONE


def _request_import(options: _ImportRunOptions, home: Workspace) -> runs.ImportRequest:
    """What the arguments ask to make a run of. Raises QavizError for files and mappings that will not do."""
    sources = open_sources(options, [options.golden, *options.responses])
    request = runs.ImportRequest(
        name=options.name or "", engine=options.engine, by=options.person, accept_doubts=options.yes
    )
    if options.add_to:
        responses = with_response_mappings(options, sources)
        request = replace(request, added_to=home.find(options.add_to), responses=tuple(responses))
    else:
        golden, responses = with_mappings(options, sources[0], sources[1:])
        request = replace(request, golden=golden, responses=tuple(responses))
    if options.join:
        request = replace(request, joined=accept_pairs(runs.find_near_questions(request, home)))
    return request


def _score_here(options: _ScoreOptions) -> pl.DataFrame:
    files = [options.golden, *map(Path, _list_files(options))]
    check_out(options.out, files)
    golden, *responses = open_sources(options, files)
    golden, responses = with_mappings(options, golden, responses)
    if options.join:
        golden = replace(golden, joined=accept_pairs(sandbox.find_near_questions(golden, responses)))
    listed: list[pl.DataFrame] = []
    with progress_line() as progress:
        documents = read_named_documents(options, progress)
        scorer = SCORERS[options.engine]
        chunks = stream_files(golden, responses, scorer=scorer, documents=documents, progress=progress, trusted=True)
        gains: list[pl.DataFrame] = []
        rows = _take_rows(chunks, listed)
        written = write_scores(_with_normalised(rows, gains) if options.normalised else rows, options.out)
    print(f"qaviz: {written:,} responses scored, in {escape(str(options.out))}")
    print_lines(f"qaviz: {line}" for line in (gain_sentences(normalised_gain(pl.concat(gains))) if gains else ()))
    return pl.concat(listed)


def _with_normalised(tables: Iterable[pl.DataFrame], gains: list[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """The tables with the normalised scores; what the gain is computed from goes to `gains`."""
    for table in tables:
        both = table.hstack(normalised_scores(table))
        gains.append(both.select(PIPELINE, *SCORED_TWICE, *(NORMALISED[name] for name in SCORED_TWICE)))
        yield both


def _list_files(options: _ScoreOptions) -> Iterator[str]:
    """The files that RESPONSES name. A name that is no folder and no pattern is a file, there or not."""
    _refuse_if(
        options.address is not None, f"--address {options.address}", f"--engine {options.engine}", f"--engine {RAY}"
    )
    for given in map(str, options.responses):
        words = f"--engine {options.engine}, which reads files of this machine"
        _refuse_if(is_remote(given), given, words, f"--engine {RAY}")
        if Path(given).is_dir() or ("*" in given and not Path(given).exists()):
            yield from (shard.path for shard in find_shards([given]))
        else:
            yield given


def _refuse_if(wrong: bool, where: str, found: str, expected: str) -> None:
    if wrong:
        raise stop(where, found, expected, f"Add {expected}.")


def _take_rows(chunks: Iterable[Chunk], listed: list[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    for chunk in chunks:
        listed.append(chunk.listed)
        yield chunk.rows


def _score_on_ray(options: _ScoreOptions) -> pl.DataFrame:
    out = options.out
    _refuse_if(not options.responses, "RESPONSES", "none", "files, folders or patterns of shards")
    _refuse_if(bool(options.documents), "--documents", f"--engine {RAY}", f"--engine {OWN_ENGINE}")
    if out.exists() and not out.is_dir():
        expected = f"a folder, with --engine {RAY}"
        raise stop(f"--out {out}", "a file", expected, "Name a folder.")
    golden, shards = Source.of(options.golden), find_shards([str(given) for given in options.responses])
    golden, of_responses = _map_by_first(options, golden, shards)
    with progress_line() as progress:
        listed = score_shards(
            golden,
            shards,
            out,
            columns=(*COLUMNS, OPEN),
            response_mapping=of_responses,
            address=options.address,
            progress=progress,
        )
    written = pl.scan_parquet(out / "*.parquet").select(pl.len()).collect().item()
    print(f"qaviz: {written:,} responses of {len(shards):,} shards scored, in {escape(str(out))}")
    return listed


def _map_by_first(options: _ScoreOptions, golden: Source, shards: Sequence[Shard]) -> tuple[Source, Mapping[str, str]]:
    """The golden dataset with what --map and --profile say of it, and, by the first of the shards, of them all."""
    if not (options.map or options.profile):
        return golden, {}
    with at_hand(shards[0]) as first:
        golden, (mapped,) = with_mappings(options, golden, [first])
    return golden, mapped.mapping
