"""`qaviz import`: files as a run of the workspace, by themselves or added to a run."""

import argparse
from contextlib import ExitStack

from qaviz import runs
from qaviz.cli.mapping import mappings, response_mappings
from qaviz.cli.person import add_by_argument, person
from qaviz.cli.rows import join_near, opened_sources
from qaviz.cli.terminal import progress_line
from qaviz.model.records import Run, Thresholds
from qaviz.store import Workspace


def add_import_arguments(parser: argparse.ArgumentParser) -> None:
    """--name, --add-to, --engine, --by."""
    parser.add_argument("--name", required=True, help="the run's name; no other run may have it")
    parser.add_argument(
        "--add-to",
        metavar="RUN",
        help="all files are responses to this run's golden dataset; the new run has its responses and theirs",
    )
    parser.add_argument(
        "--engine",
        choices=runs.SCORERS,
        default=runs.OWN_ENGINE,
        help="what scores: qaviz (default), or the installed FMEval (the same scores, slowly); the run notes which",
    )
    add_by_argument(parser)


def import_files(asked: argparse.Namespace, home: Workspace) -> Run:
    """Import the files that the arguments name as a run of the workspace. Raises QavizError as `runs.import_files`."""
    home.refuse_name(asked.name)
    sources = opened_sources(asked, [asked.golden, *asked.responses])
    with ExitStack() as opened_files:
        before = home.find(asked.add_to) if asked.add_to else None
        if before:
            golden, old = opened_files.enter_context(runs.files_of(before, home))
            responses = [old, *sources]
            of_golden: dict[str, str] = {}
            of_responses = [{}, *response_mappings(asked, sources)]
        else:
            golden, *responses = sources
            of_golden, of_responses = mappings(asked, golden, responses)
        if asked.join:
            golden = join_near(golden, responses, of_golden, of_responses)
        progress = opened_files.enter_context(progress_line())
        return runs.import_files(
            golden,
            responses,
            home,
            asked.name,
            golden_mapping=of_golden,
            response_mappings=of_responses,
            thresholds=before.thresholds if before else Thresholds(),
            engine=asked.engine,
            by=person(asked),
            added_to=before,
            progress=progress,
        )
