"""In the process that reads: one request is answered within limits, over a socket and with tables as Arrow files."""

import json
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from io import BufferedRWPair
from pathlib import Path
from typing import Any

from qaviz.loading.adapters import is_from_tool
from qaviz.loading.adapters.fmeval_file import is_fmeval_output
from qaviz.loading.adapters.fmeval_output import stream_with_scores
from qaviz.loading.column_mapping import GOLDEN, RESPONSES
from qaviz.loading.golden import load_golden
from qaviz.loading.labels import read_decisions, read_grades, read_labels, read_passages, read_verdicts
from qaviz.loading.load import stream
from qaviz.loading.near_questions import find_near_questions
from qaviz.loading.readers.reading import preview
from qaviz.loading.sandbox.messages import ERRORS, Answer, source_from, write_table
from qaviz.loading.source import Source
from qaviz.model.errors import QavizError
from qaviz.model.records import Progress

AHEAD = 2
"""Answers that wait for the asker: the next chunk is read while this one is scored, and no more than that."""

ROLES = {"golden": GOLDEN, "responses": RESPONSES}
"""What a file may be read as, by the names that requests use."""


Operation = Callable[[list[Source], Mapping[str, Any], Progress], Iterator[Answer]]
"""Reads files, with options, and yields what it reads."""
Operations = Mapping[str, Operation]
"""What a request may ask for, by name."""


def answer(connection: socket.socket, operations: Operations) -> None:
    """Do what the request says. What a user can mend is told; a bug is raised, and its traceback stands in ERRORS."""
    for heard in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(heard, signal.SIG_DFL)
    with connection.makefile("rwb") as wire:
        try:
            line = wire.readline()
        except ConnectionResetError:
            # The asker was killed.
            return
        if not line:
            return
        request = json.loads(line)
        folder = Path(request["folder"])
        _confine(request["memory"], folder)
        try:
            _answer(operations[request["do"]], request, folder, wire)
        except QavizError as error:
            _say(wire, {"problems": [asdict(problem) for problem in error.problems]})
        except MemoryError:
            _say(wire, {"memory": True})


def _confine(memory: int, folder: Path) -> None:
    """Take away what reading a file needs none of: more memory than that, core dumps, the terminal."""
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    errors = os.open(folder / ERRORS, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    for descriptor in (sys.stdout.fileno(), sys.stderr.fileno()):
        os.dup2(errors, descriptor)


def _answer(operation: Operation, request: Mapping[str, Any], folder: Path, wire: BufferedRWPair) -> None:
    sources = [source_from(each) for each in request["sources"]]
    progress = partial(_tell, wire)
    waiting = 0
    for number, given in enumerate(operation(sources, request["options"], progress)):
        if waiting == AHEAD:
            if not wire.read(1):
                return
            waiting -= 1
        files = {name: f"{number}-{name}.arrow" for name in given.tables}
        for name, table in given.tables.items():
            write_table(table, folder / files[name])
        _say(wire, {"said": given.said, "tables": files})
        waiting += 1
    _say(wire, {"end": True})


def _tell(wire: BufferedRWPair, fraction: float, words: str) -> None:
    _say(wire, {"progress": [fraction, words]})


def _say(wire: BufferedRWPair, message: Mapping[str, Any]) -> None:
    try:
        wire.write(json.dumps(message).encode() + b"\n")
        wire.flush()
    except BrokenPipeError:
        os._exit(0)  # Nobody listens any more.


def _preview(sources: list[Source], options: Mapping[str, Any], _progress: Progress) -> Iterator[Answer]:
    seen = preview(sources[0], ROLES[options["role"]])
    said = {name: value for name, value in vars(seen).items() if name not in ("first", "lacking", "guesses")}
    said |= {"lacking": list(map(asdict, seen.lacking)), "guesses": list(map(asdict, seen.guesses))}
    yield Answer(said, {"first": seen.first})


def _answer_recognised(sources: list[Source], _options: Mapping[str, Any], _progress: Progress) -> Iterator[Answer]:
    yield Answer({"fmeval": is_fmeval_output(sources[0]), "tool": is_from_tool(sources[0])})


def _stream(sources: list[Source], options: Mapping[str, Any], progress: Progress) -> Iterator[Answer]:
    read = stream_with_scores if options["keep_scores"] else stream
    for number, chunk in enumerate(read(sources[0], sources[1:], progress=progress)):
        # It is the same golden dataset for all chunks.
        golden = {} if number else {"golden": chunk.golden}
        yield Answer({"scored": chunk.scored}, golden | {"rows": chunk.rows, "listed": chunk.listed})


def _near_questions(sources: list[Source], _options: Mapping[str, Any], _progress: Progress) -> Iterator[Answer]:
    yield Answer({}, {"pairs": find_near_questions(sources[0], sources[1:])})


def _golden(sources: list[Source], _options: Mapping[str, Any], progress: Progress) -> Iterator[Answer]:
    golden, listed = load_golden(sources[0], progress)
    yield Answer({}, {"golden": golden, "listed": listed})


def _labels(sources: list[Source], _options: Mapping[str, Any], progress: Progress) -> Iterator[Answer]:
    yield Answer({}, {"rows": read_labels(sources[0], progress)})


def _grades(sources: list[Source], _options: Mapping[str, Any], progress: Progress) -> Iterator[Answer]:
    yield Answer({}, {"rows": read_grades(sources[0], progress)})


def _passages(sources: list[Source], _options: Mapping[str, Any], progress: Progress) -> Iterator[Answer]:
    yield Answer({}, {"rows": read_passages(sources[0], progress)})


def _verdicts(sources: list[Source], _options: Mapping[str, Any], progress: Progress) -> Iterator[Answer]:
    yield Answer({}, {"rows": read_verdicts(sources[0], progress)})


def _decisions(sources: list[Source], _options: Mapping[str, Any], progress: Progress) -> Iterator[Answer]:
    yield Answer({}, {"rows": read_decisions(sources[0], progress)})


OPERATIONS: Operations = {
    "decisions": _decisions,
    "preview": _preview,
    "recognised": _answer_recognised,
    "stream": _stream,
    "near_questions": _near_questions,
    "golden": _golden,
    "grades": _grades,
    "labels": _labels,
    "passages": _passages,
    "verdicts": _verdicts,
}
