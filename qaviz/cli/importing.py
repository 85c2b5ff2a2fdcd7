"""`qaviz import`: files as a run of the workspace, by themselves or added to a run."""

import argparse
from dataclasses import replace

from qaviz import runs
from qaviz.cli.mapping import with_mappings, with_response_mappings
from qaviz.cli.person import add_by_argument, person
from qaviz.cli.rows import accept_pairs, opened_sources
from qaviz.cli.terminal import progress_line
from qaviz.model.records import Run
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
    request = runs.ImportRequest(name=asked.name, engine=asked.engine, by=person(asked))
    if asked.add_to:
        responses = with_response_mappings(asked, sources)
        request = replace(request, added_to=home.find(asked.add_to), responses=tuple(responses))
    else:
        golden, responses = with_mappings(asked, sources[0], sources[1:])
        request = replace(request, golden=golden, responses=tuple(responses))
    if asked.join:
        request = replace(request, joined=accept_pairs(runs.find_near_questions(request, home)))
    with progress_line() as progress:
        return runs.import_files(request, home, progress)
