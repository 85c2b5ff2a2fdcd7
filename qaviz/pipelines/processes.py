"""Pipelines in a process of their own: a command, or a Python callable in `callable_worker`.

Both read JSON Lines with `question_id, question` and write JSON Lines with `question_id, response`. A command gets all
questions and the end of its input, a callable as many as may be in flight. A process that dies or hangs takes no other
question with it: what it had in hand is asked again, one process a question.

Its limits, its group and the words for its end are those of `qaviz.processes`. The loop is its own: many processes
answer many questions beside each other, each question has a time limit of its own, and the lines are the program's.
"""

import asyncio
import os
import shlex
import signal
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from pathlib import Path
from time import monotonic

import orjson

from qaviz.llm.requests import Failure, PassingError, RejectedError
from qaviz.model.errors import Problem, QavizError
from qaviz.pipelines.answers import LARGEST_ANSWER, Answer, Question, read_answer, reject
from qaviz.pipelines.pipeline import Pipeline
from qaviz.processes import TICK_S, Limits, explain_end, limit_command, quote_last_words, signal_group

LIMITS = Limits()
"""A user's program takes what it needs; each answer has the time limit of its question."""
_KEPT_WORDS = 10_000
"""Bytes of what a process wrote last that are kept, so that a secret in them is whole when it is looked for."""
_READ = 2**16
START_S = 120.0
"""A callable's module is imported within this time."""
FINISH_S = 2.0
WORKER = Path(__file__).with_name("callable_worker.py")


class ProcessDiedError(Exception):
    """The process ended, or wrote what cannot be read, while it held the question."""

    def __init__(self, why: str, *, suspect: bool = True) -> None:
        super().__init__(why)
        self.suspect = suspect
        """Whether this question may be why: it was among those that the process was working on."""


class ProcessTransport:
    """Asks a process, started when the first question comes and again when it dies."""

    def __init__(self, pipeline: Pipeline, timeout_s: float, in_flight: int) -> None:
        self._pipeline, self._timeout_s, self._in_flight = pipeline, timeout_s, in_flight
        self._started: list[_Running] = []
        self._starting, self._alone = asyncio.Lock(), asyncio.Lock()
        self._is_batch = pipeline.kind == "command"
        self._room = asyncio.Semaphore(sys.maxsize if self._is_batch else in_flight)
        self._unwritten = 0
        """Questions that wait until the process takes them."""
        self._refused: QavizError | None = None
        """Why it cannot be started."""

    async def ask(self, question: Question) -> Answer:
        """As `Transport.ask`."""
        while True:
            try:
                return await self._ask_shared(question)
            except ProcessDiedError as error:
                if not error.suspect:
                    continue
            async with self._alone:
                return await self._ask_alone(question)

    async def close(self) -> None:
        """As `Transport.close`."""
        for running in self._started:
            await running.finish()

    async def _ask_shared(self, question: Question) -> Answer:
        self._unwritten += 1
        try:
            await self._room.acquire()
            running = await self._running()
            answered = running.give(question)
        finally:
            self._unwritten -= 1
        try:
            if self._is_batch and not self._unwritten:
                running.end_input()
            return await self._wait_for(running, answered)
        finally:
            self._room.release()

    async def _running(self) -> "_Running":
        async with self._starting:
            if self._refused:
                raise self._refused
            if not self._started or not self._started[-1].takes_questions:
                try:
                    self._started.append(await _start(self._pipeline, self._in_flight))
                except QavizError as error:
                    self._refused = error
                    raise
            return self._started[-1]

    async def _wait_for(self, running: "_Running", answered: "asyncio.Future[Answer]") -> Answer:
        """The answer within the time limit, which begins again with each answer where the process has all questions."""
        written = monotonic()
        while not answered.done():
            began = max(written, running.last_answer) if self._is_batch else written
            left = began + self._timeout_s - monotonic()
            if left <= 0:
                answered.cancel()
                await running.end()
                raise PassingError(Failure.TIMED_OUT, self._late(running))
            await asyncio.wait([answered], timeout=left)
        return answered.result()

    async def _ask_alone(self, question: Question) -> Answer:
        """Ask a process that gets this question and the end of its input."""
        running = await _start(self._pipeline, 1)
        try:
            answered = running.give(question)
            running.end_input()
            return await asyncio.wait_for(answered, self._timeout_s)
        except TimeoutError as error:
            raise PassingError(Failure.TIMED_OUT, self._late(running)) from error
        except ProcessDiedError as error:
            raise reject(str(error), Failure.SERVER_ERROR) from error
        finally:
            await running.end()

    def _late(self, running: "_Running") -> str:
        return f"no answer within {self._timeout_s:g} s{running.last_words()}"


async def _start(pipeline: Pipeline, in_flight: int) -> "_Running":
    """Start the program. Raises QavizError where it cannot be started."""
    is_command = pipeline.kind == "command"
    # As a file, not as a module of qaviz: it starts without importing what it does not need. -P keeps the file's folder
    # out of the path, whose http.py is not Python's.
    worker = [sys.executable, "-P", str(WORKER), pipeline.target, str(in_flight)]
    environment = os.environ | {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
    try:
        program = shlex.split(pipeline.target) if is_command else worker
        process = await asyncio.create_subprocess_exec(
            *limit_command(program, LIMITS),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            cwd=pipeline.folder,
            env=environment,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        words = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise _cannot_start(pipeline, words, "a program that can be started") from error
    running = _Running(process, in_flight)
    if not is_command:
        try:
            await asyncio.wait_for(running.ready, START_S)
        except (ProcessDiedError, TimeoutError) as error:
            await running.end()
            reason = str(error) or f"not ready within {START_S:g} s"
            raise _cannot_start(pipeline, reason, "a callable that can be imported") from error
        except asyncio.CancelledError:
            await running.end()
            raise
    return running


def _cannot_start(pipeline: Pipeline, found: str, expected: str) -> QavizError:
    where = f"pipeline {pipeline.name}"
    fix = f"Try it in {pipeline.folder}, and look at its name."
    return QavizError(Problem(where=where, found=found, expected=expected, fix=fix))


class _Running:
    """A running process, and the questions that it holds."""

    def __init__(self, process: Process, suspects: int) -> None:
        self._process, self._suspects = process, suspects
        self._held: dict[str, list[tuple[asyncio.Future[Answer], float]]] = {}
        self._not_json = ""
        self._stderr = b""
        self._input_ended = self._batch = False
        self.last_answer = 0.0
        """When it answered last; 0 before its first answer."""
        self.ended = False
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._answers = asyncio.create_task(self._read_answers())
        self._errors = asyncio.create_task(self._read_errors())
        self._end = asyncio.create_task(self._end_group())
        self._ending: asyncio.Task[None] | None = None

    @property
    def takes_questions(self) -> bool:
        """Whether it runs and its input is open."""
        return not (self.ended or self._input_ended)

    def give(self, question: Question) -> "asyncio.Future[Answer]":
        """Write the question to it. The future raises ProcessDiedError, RejectedError."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        if not self.takes_questions or not self._process.stdin:
            answered.set_exception(ProcessDiedError("the program ended before", suspect=False))
            return answered
        self._held.setdefault(question.fields()["question_id"], []).append((answered, monotonic()))
        with suppress(BrokenPipeError, ConnectionResetError):  # the reader of answers says how it ended
            self._process.stdin.write(orjson.dumps(question.fields(), option=orjson.OPT_APPEND_NEWLINE))
        return answered

    def end_input(self) -> None:
        """Close its input: it gets no more questions."""
        self._input_ended = True
        # What answers several questions only at the end of its input cannot be measured one by one.
        self._batch = not self.last_answer and len(self._held) > 1
        if self._process.stdin:
            self._process.stdin.close()

    async def finish(self) -> None:
        """Let it end by itself, and kill it where it does not."""
        self.end_input()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._process.wait()), FINISH_S)
        await self.end()

    async def end(self) -> None:
        """Kill it, and all that it started. Questions that end it at once share one end: a pipe has one reader."""
        self._kill()
        self._ending = self._ending or asyncio.create_task(self._close_pipes())
        await asyncio.shield(self._ending)

    async def _close_pipes(self) -> None:
        tasks = (self._answers, self._errors, self._end)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._drain(), FINISH_S)
        while self._process.returncode is None:
            await asyncio.sleep(TICK_S)
        self._fail("the program was ended")

    async def _drain(self) -> None:
        """Read what it has written, unheard: its pipes are closed only behind that."""
        for stream in (self._process.stdout, self._process.stderr):
            while stream and await stream.read(_READ):
                pass

    def last_words(self) -> str:
        """The last words that it wrote besides answers, without secrets, for the error."""
        return quote_last_words(self._not_json or self._stderr.decode(errors="replace"))

    def _kill(self) -> None:
        self.ended = True
        signal_group(self._process.pid, signal.SIGKILL)

    async def _end_group(self) -> None:
        """When it has ended, kill what it started, which holds its pipes open: only then do readers see their end."""
        while self._process.returncode is None:
            await asyncio.sleep(TICK_S)
        signal_group(self._process.pid, signal.SIGKILL)

    async def _read_answers(self) -> None:
        stdout = self._process.stdout
        rest = b""
        while stdout and (part := await stdout.read(_READ)):
            *lines, rest = (rest + part).split(b"\n")
            if max(map(len, (rest, *lines))) > LARGEST_ANSWER:
                self._kill()
                self._fail(f"the program wrote a line of more than {LARGEST_ANSWER:,} bytes")
                return
            for line in lines:
                self._hear(line)
        self._hear(rest)
        await asyncio.wait([self._errors], timeout=1)
        self._kill()
        code = await self._process.wait()
        end = explain_end(code, self._not_json or self._stderr.decode(errors="replace"), LIMITS)
        self._fail(f"no answer: the program {end.words}", no_answer=code == 0 and self._input_ended)

    async def _read_errors(self) -> None:
        stderr = self._process.stderr
        while stderr and (part := await stderr.read(_READ)):
            self._stderr = (self._stderr + part)[-_KEPT_WORDS:]
            if len(self._stderr) == _KEPT_WORDS:  # its first word may be the rest of a secret
                self._stderr = self._stderr.partition(b" ")[2]

    def _hear(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            content = orjson.loads(line)
        except orjson.JSONDecodeError:
            content = None
        if not isinstance(content, dict):
            self._not_json = line[:_KEPT_WORDS].decode(errors="replace")
        elif content.get("ready") is True and not self.ready.done():
            self.ready.set_result(None)
        else:
            self._settle(content)

    def _settle(self, content: dict[str, object]) -> None:
        """Hand an answer to the caller that asked its question."""
        key = content.get("question_id", next(iter(self._held)) if len(self._held) == 1 else None)
        waiting = self._held.get(str(key))
        if not waiting:
            return
        answered, written = waiting.pop(0)
        if not waiting:
            del self._held[str(key)]
        began, self.last_answer = max(written, self.last_answer), monotonic()
        if not self._batch:
            content.setdefault("latency_ms", round((self.last_answer - began) * 1000, 3))
        if answered.done():
            return
        try:
            answered.set_result(read_answer(content))
        except RejectedError as error:
            answered.set_exception(error)

    def _fail(self, why: str, *, no_answer: bool = False) -> None:
        """Fail the questions that it holds; with `no_answer` for good: it ended well and would do the same again."""
        if not self.ready.done():
            self.ready.set_exception(ProcessDiedError(why))
            self.ready.exception()  # a command's is awaited by nobody
        held, self._held = self._held, {}
        waiting = [answer for answers in held.values() for answer in answers if not answer[0].done()]
        for place, (answered, _) in enumerate(waiting):
            suspect = place < self._suspects
            answered.set_exception(reject(why) if no_answer else ProcessDiedError(why, suspect=suspect))
