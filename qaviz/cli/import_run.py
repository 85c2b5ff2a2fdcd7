"""`qaviz import`: responses scored and diagnosed as a run of the workspace."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from qaviz import runs
from qaviz.analysis.tables import COMPARED, compare_scores, describe_scores, their_scores
from qaviz.bulk.chunks import OWN_ENGINE, SCORERS
from qaviz.cli import COULD_NOT_RUN, DONE
from qaviz.cli.files import (
    ReadOptions,
    accept_pairs,
    open_sources,
    read_named_documents,
    report_listed,
    settle_readings,
    with_mappings,
)
from qaviz.cli.options import FILE, JSON, RUN_NAME, ByWhom, Printed, argument, choice, command, option, switch
from qaviz.cli.paths import open_home
from qaviz.cli.terminal import as_json, escape, print_lines, progress_line
from qaviz.loading.doubts import DryRun
from qaviz.model.errors import QavizError, stop
from qaviz.store.workspace import Workspace


@dataclass(frozen=True, kw_only=True)
class _ImportRunOptions(ReadOptions, Printed, ByWhom):
    files: tuple[Path, ...] = argument(
        "in any order: .jsonl, .json, .csv, .parquet, .xlsx (book.xlsx#Sheet is that sheet), .zip, .eval; folders",
        type=FILE,
        nargs=-1,
        required=True,
    )
    golden: Path | None = option("FILE", "the file that counts where files give different golden answers", type=FILE)
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
    """Score and diagnose responses and save them as a run of the workspace.

    Each file gives what it has: golden answers, responses of one pipeline or more, or both. Files of Ragas, promptfoo,
    SQuAD, Bedrock, Inspect and others (docs/imports.md) are recognised by their content. Their scores are kept beside
    qaviz's and compared with its verdicts. FMEval's own output (JSON Lines, save=True) keeps its scores. Without a
    golden dataset beside it that is what it was scored against. `qaviz score` scores such a file again.
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
        request = replace(request, golden=golden, responses=tuple(responses))
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
    return report_listed(listed, options.list)


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
    yield from (f"left out, and looks like answers: column {name}" for name in tried.ignored_columns)
    yield from (f"left out: sheet {name}" for name in tried.ignored_sheets)
    yield from (f"doubt: {doubt}" for doubt in tried.doubts)
    yield "would be saved" if tried.would_save else "would not be saved"


def _request_import(options: _ImportRunOptions, home: Workspace) -> runs.ImportRequest:
    """What the arguments ask to make a run of. Raises QavizError for files and mappings that will not do."""
    named = [options.golden] if options.golden else []
    files = [path for path in options.files if not named or path.absolute() != named[0].absolute()]
    sources = with_mappings(options, open_sources(options, [*named, *files]))
    request = runs.ImportRequest(
        name=options.name or "", engine=options.engine, by=options.person, accept_doubts=options.yes, trusted=True
    )
    golden, responses = (sources[0], sources[1:]) if named else (None, sources)
    if options.add_to:
        request = replace(request, added_to=home.find(options.add_to))
    request = replace(request, golden=golden, responses=tuple(responses))
    if options.join:
        request = replace(request, joined=accept_pairs(runs.find_near_questions(request, home)))
    return request
