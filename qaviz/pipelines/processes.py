"""Pipelines in a process of their own: a command, or a Python callable in `callable_worker`.

Both read JSON Lines with `question_id, question` and write JSON Lines with `question_id, response`. A command gets all
questions as its input, a callable as many as may be in flight. Where a process dies, one question that it had in hand
is asked alone: it is its error if that process dies too, and the others are asked again.
"""

import os
import select
import shlex
import signal
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

import orjson

from qaviz import processes
from qaviz.llm.requests import Failure, RejectedError
from qaviz.llm.sending import FAILURES_IN_A_ROW, GRACE_S, Cancelled, Limits, Pace, refuse
from qaviz.model.errors import QavizError, stop
from qaviz.pipelines.answers import LARGEST_ANSWER, Answer, JsonObject, Question, read_answer
from qaviz.pipelines.pipeline import Pipeline
from qaviz.processes import ERRORS, TICK_S, end_group, explain_end, job_folder, quote_last_words, read_end, there

START_S = 120.0
"""A callable's module is imported within this time."""
WORKER = Path(__file__).with_name("callable_worker.py")

Heard = Callable[[Sequence[tuple[int, Answer | RejectedError]]], None]
"""Called with places of questions and their answers, or why there is none."""


class _BrokenError(Exception):
    """A program ended, or was ended, with questions in its hand."""

    def __init__(self, why: str, guilty: Sequence[int] = (), *, is_final: bool = True) -> None:
        super().__init__(why)
        self.why, self.guilty, self.is_final = why, guilty, is_final
        """Places of the questions whose fault it is, none where it may be any in hand; whether it is so next time."""


def ask_program(
    pipeline: Pipeline, questions: Sequence[Question], limits: Limits, heard: Heard, cancelled: Cancelled
) -> None:
    """Ask each question; what is not heard of was cancelled. The time limit is that of a callable's answer, and of a
    command's from one answer to the next. Only what has no answer in time is asked again, as often as the attempts say.
    Raises QavizError where the program cannot be started, or does not answer."""
    attempts, answered = Counter[int](), set[int]()
    waiting, is_alone, failures = list(range(len(questions))), False, 0
    while waiting and not cancelled():
        batch = waiting[:1] if is_alone else waiting
        try:
            for answers in _converse(pipeline, {place: questions[place] for place in batch}, limits, cancelled):
                answered |= {place for place, _ in answers}
                heard(answers)
            is_alone, guilty, why = False, [], ""
        except _BrokenError as broken:
            why, guilty = broken.why, list(broken.guilty or (batch if len(batch) == 1 else ()))
            is_alone = not guilty
            attempts.update(guilty)
            guilty = [place for place in guilty if broken.is_final or attempts[place] >= limits.attempts]
        failures += len(guilty)
        heard([(place, RejectedError(Failure.SERVER_ERROR, why)) for place in guilty])
        waiting = [place for place in waiting if place not in answered and place not in guilty]
        if waiting and failures >= FAILURES_IN_A_ROW and not answered:
            raise refuse(f"pipeline {pipeline.name}", why)


def _converse(
    pipeline: Pipeline, questions: Mapping[int, Question], limits: Limits, cancelled: Cancelled
) -> Iterator[list[tuple[int, Answer | RejectedError]]]:
    """Start the program and yield answers as they come, until all are there or it is cancelled. Raises _BrokenError."""
    is_command, pace = pipeline.kind == "command", Pace(limits)
    with job_folder() as folder, _start(pipeline, folder, questions.values(), limits.in_flight) as process:
        running = _Running(process, folder / ERRORS, limits.timeout_s)
        queue, give_at, cancelled_at = deque(questions.items()), 0.0, 0.0
        if not is_command:
            running.wait_until_ready(pipeline)
        while queue or running.held:
            now = monotonic()
            while queue and (is_command or (len(running.held) < limits.in_flight and give_at <= now)):
                running.give(*queue.popleft())
                give_at = now + pace.reserve()
            if cancelled():
                queue, cancelled_at = deque(), cancelled_at or now
                if now > cancelled_at + GRACE_S:
                    return
            yield running.hear(is_batch=is_command)


@contextmanager
def _start(
    pipeline: Pipeline, folder: Path, questions: Iterable[Question], in_flight: int
) -> Iterator[subprocess.Popen[bytes]]:
    """The program, which ends with the context. Raises QavizError where it cannot be started."""
    is_command = pipeline.kind == "command"
    # As a file, not as a module of qaviz: it starts without importing what it does not need. -P keeps the file's folder
    # out of the path.
    worker = [sys.executable, "-P", str(WORKER), pipeline.target, str(in_flight)]
    file = folder / "questions.jsonl"
    file.write_bytes(b"".join(orjson.dumps(question) + b"\n" for question in questions))
    with file.open("rb") as all_questions, (folder / ERRORS).open("wb") as errors:
        try:
            process = subprocess.Popen(
                shlex.split(pipeline.target) if is_command else worker,
                stdin=all_questions if is_command else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=pipeline.folder,
                env=os.environ | {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"},
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            words = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise _refuse_start(pipeline, words, "a program that can be started") from error
    is_done = False
    try:
        yield process
        is_done = True
    finally:
        if process.stdin:
            with suppress(OSError):
                process.stdin.close()
        end_group(process, at_once=not is_done)
        there(process.stdout).close()


def _refuse_start(pipeline: Pipeline, fault: str, expected: str) -> QavizError:
    return stop(f"pipeline {pipeline.name}", fault, expected, f"Try it in {pipeline.folder}, and look at its name.")


class _Running:
    """A running program, and the questions that it has in hand."""

    def __init__(self, process: subprocess.Popen[bytes], errors: Path, timeout_s: float) -> None:
        self._process, self._errors, self._timeout_s = process, errors, timeout_s
        self.held: list[tuple[str, int, float]] = []
        """The id, the place, and when it was given, in the order in which they were given."""
        self._heard_at = monotonic()
        self._rest, self._noise = b"", ""

    def wait_until_ready(self, pipeline: Pipeline) -> None:
        """Wait until the callable is imported. Raises QavizError where it is not."""
        while True:
            try:
                if any(row.get("ready") is True for row in self._read()):
                    return
            except _BrokenError as broken:
                raise _refuse_start(pipeline, broken.why, "a callable that can be imported") from None
            if monotonic() > self._heard_at + START_S:
                raise _refuse_start(pipeline, f"not ready within {START_S:g} s", "a callable that can be imported")

    def give(self, place: int, question: Question) -> None:
        """Give the program a question, which a command has in its input."""
        self.held.append((question["question_id"], place, monotonic()))
        if self._process.stdin:
            with suppress(BrokenPipeError):  # what it wrote last says how it ended
                self._process.stdin.write(orjson.dumps(question) + b"\n")

    def hear(self, *, is_batch: bool) -> list[tuple[int, Answer | RejectedError]]:
        """What it has answered within a tick. Raises _BrokenError where it ended, or answers too late."""
        answers = list[tuple[int, Answer | RejectedError]]()
        for row in self._read():
            held = next((entry for entry in self.held if entry[0] == str(row.get("question_id"))), None)
            if held is None:
                continue
            self.held.remove(held)
            self._heard_at = monotonic()
            try:
                answers.append((held[1], read_answer(row)))
            except RejectedError as error:
                answers.append((held[1], error))
        began = self._heard_at if is_batch else 0.0
        late = [place for _, place, given in self.held if monotonic() > max(given, began) + self._timeout_s]
        if late and not answers:
            words = quote_last_words(self._noise or read_end(self._errors))
            raise _BrokenError(f"no answer within {self._timeout_s:g} s{words}", late, is_final=False)
        return answers

    def _read(self) -> list[JsonObject]:
        """The JSON objects that it has written within a tick. Raises _BrokenError once it has ended."""
        if self._process.poll() is not None:  # what it started may hold the pipe
            processes.signal_group(self._process.pid, signal.SIGKILL)
        stdout = there(self._process.stdout)
        if not select.select([stdout], [], [], TICK_S)[0]:
            return []
        part = os.read(stdout.fileno(), 2**16)
        *lines, self._rest = (self._rest + part).split(b"\n") if part else (self._rest, b"")
        if len(self._rest) > LARGEST_ANSWER:
            raise _BrokenError(f"the program wrote a line of more than {LARGEST_ANSWER:,} bytes")
        rows = list[JsonObject]()
        for line in filter(bytes.strip, lines):
            with suppress(orjson.JSONDecodeError):
                if isinstance(row := orjson.loads(line), dict):
                    rows.append(row)
                    continue
            self._noise = line.decode(errors="replace")
        if rows or part:
            return rows
        end_group(self._process, at_once=False)
        end = explain_end(self._process.returncode, self._noise or read_end(self._errors), processes.Limits())
        # One that ended well would do the same again.
        guilty = [place for _, place, _ in self.held] if self._process.returncode == 0 else []
        raise _BrokenError(f"no answer: the program {end}", guilty)
