"""Asking pipelines the golden questions: many in flight, each answer on the disk before the next is asked."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import orjson
import polars as pl

from qaviz.llm import Limits
from qaviz.llm.journal import Entry, Journal, open_journal
from qaviz.llm.requests import Failure, Pace, PassingError, RejectedError, back_off, hash_of
from qaviz.llm.session import Cancelled, run_coroutine, wait_for_workers
from qaviz.model.columns import QUESTION, QUESTION_ID
from qaviz.model.errors import QavizError
from qaviz.model.records import Progress
from qaviz.pipelines import callable_worker
from qaviz.pipelines.answers import (
    Answer,
    Place,
    Question,
    ResponseRow,
    Transport,
    make_row,
    read_answer,
    read_answered,
    reject,
    write_rows,
)
from qaviz.pipelines.http import HttpTransport
from qaviz.pipelines.pipeline import Pipeline
from qaviz.pipelines.processes import HOPELESS, ask_program

_FORMAT = "pipeline"


@dataclass(frozen=True, kw_only=True)
class AskSettings:
    """How pipelines are asked. What is None is as the pipeline's entry says, else as the default."""

    in_flight: int | None = None
    requests_per_minute: float | None = None
    timeout_s: float | None = None
    """Of one attempt."""
    attempts: int = 3
    """How often a question is asked that fails for a passing reason: 408, 429, 5xx, no connection, a cut stream, no
    answer in time."""
    repeat: int = 1
    changed: bool = False
    """Whether only questions are asked that the file does not have, has with another text, or has an error for."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """How many questions were asked, and how many have no response."""

    rows: int
    asked: int
    """Questions that were asked now; the others were in the journal or, with `changed`, in the file."""
    errors: int
    """Rows without a response."""
    reasons: tuple[str, ...]
    """Why each of them has none."""
    stopped: str | None
    """Why not all were asked: `cancelled`."""


@dataclass(frozen=True)
class _Pending:
    key: str
    question: Question
    repeat: int


def journal_of(out: Path) -> Path:
    """Where answers are kept until all are there and the file is written."""
    return out.with_name(f"{out.name}.journal")


def ask_pipelines(
    golden: pl.DataFrame,
    pipelines: Sequence[Pipeline],
    out: Path,
    settings: AskSettings,
    *,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    heard: Callable[[ResponseRow], None] | None = None,
) -> Asked:
    """Ask each pipeline the questions of the golden dataset, and write `out`, one row a response.

    Each answer is in the journal beside `out` before another question is asked: after a kill the same call asks the
    rest, and what was in flight. The journal goes when all was asked. A question that fails is a row with `error`.
    Raises QavizError where a pipeline cannot be asked at all, or the disk refuses.
    """
    before = read_answered(out) if settings.changed else {}
    journal_path, failed, journal_asked = journal_of(out), dict[str, str](), 0
    stop = cancelled or (lambda: False)
    with open_journal(journal_path) as journal:
        for pipeline in pipelines:
            pending = [question for question in _questions(golden, pipeline, settings) if question.key not in journal]
            pending = [question for question in pending if _place(pipeline, question) not in before]
            Random(0).shuffle(pending)
            one = _Asking(pipeline, settings, journal, failed, len(pending), progress, stop, heard)
            journal_asked += len(pending)
            if pending and not stop():
                one.ask(pending)
        for name, rest in ((p, _questions(golden, p, settings)) for p in pipelines):
            lacking = [
                question.key
                for question in rest
                if question.key not in journal and _place(name, question) not in before
            ]
            failed |= {key: "not asked: cancelled" for key in lacking if key not in failed}
        rows = _collect_rows(golden, pipelines, settings, journal, before, failed)
        count = write_rows(out, rows)
        if not stop():
            journal_path.unlink(missing_ok=True)
    reasons = tuple(failed.values())
    return Asked(
        rows=count,
        asked=journal_asked,
        errors=len(failed),
        reasons=reasons,
        stopped="cancelled" if stop() else None,
    )


def _questions(golden: pl.DataFrame, pipeline: Pipeline, settings: AskSettings) -> Iterator[_Pending]:
    fingerprint = pipeline.fingerprint
    for question_id, question in golden.select(QUESTION_ID, QUESTION).iter_rows():
        for repeat in range(settings.repeat):
            key = hash_of([fingerprint, question_id, question, repeat])
            yield _Pending(key, Question(question_id=question_id, question=question), repeat)


def _place(pipeline: Pipeline, pending: _Pending) -> Place:
    return pipeline.name, pending.question.question_id, pending.question.question, pending.repeat


def _collect_rows(
    golden: pl.DataFrame,
    pipelines: Sequence[Pipeline],
    settings: AskSettings,
    journal: Journal,
    before: dict[Place, ResponseRow],
    failed: dict[str, str],
) -> Iterator[ResponseRow]:
    """Each pipeline's rows in the order of the golden dataset."""
    for pipeline in pipelines:
        for question in _questions(golden, pipeline, settings):
            entry = journal.find(question.key)
            answered = orjson.loads(entry.raw) if entry else before.get(_place(pipeline, question))
            yield answered or _make_row(pipeline, question, settings, failed[question.key])


def _make_row(pipeline: Pipeline, pending: _Pending, settings: AskSettings, answer: Answer | str) -> ResponseRow:
    row = make_row(pipeline.name, pending.question, answer)
    if settings.repeat > 1:
        row["repeat"] = str(pending.repeat + 1)
    return row


class _Asking:
    """Asks one pipeline."""

    def __init__(
        self,
        pipeline: Pipeline,
        settings: AskSettings,
        journal: Journal,
        failed: dict[str, str],
        questions: int,
        progress: Progress | None,
        cancelled: Cancelled,
        heard: Callable[[ResponseRow], None] | None,
    ) -> None:
        self._pipeline, self._settings, self._journal, self._failed = pipeline, settings, journal, failed
        self._questions, self._progress, self._cancelled, self._heard = questions, progress, cancelled, heard
        self._done = self._answered = self._failed_first = 0
        self._hopeless: QavizError | None = None
        self._limits = Limits(
            in_flight=settings.in_flight or pipeline.in_flight or Limits().in_flight,
            requests_per_minute=settings.requests_per_minute or pipeline.requests_per_minute,
            timeout_s=settings.timeout_s or pipeline.timeout_s or Limits().timeout_s,
            attempts=settings.attempts,
        )

    def ask(self, pending: Sequence[_Pending]) -> None:
        """Ask all of them, or until it is cancelled. Raises QavizError where none can be asked."""
        if self._pipeline.kind in ("python", "command"):
            self._ask_program(pending)
            return
        run_coroutine(self._ask_all(pending))
        if self._hopeless:
            raise self._hopeless

    def _ask_program(self, pending: Sequence[_Pending]) -> None:
        def hear(answers: Sequence[tuple[int, Answer | str]]) -> None:
            kept = [self._entry(pending[place], answer) for place, answer in answers if isinstance(answer, Answer)]
            if kept:
                self._journal.append(kept)
            for place, answer in answers:
                self._hear(pending[place], answer)

        questions = [question.question for question in pending]
        ask_program(self._pipeline, questions, self._limits, hear, self._cancelled)

    async def _ask_all(self, pending: Sequence[_Pending]) -> None:
        transport = _connect(self._pipeline, self._limits)
        workers = min(self._limits.in_flight, len(pending))
        pace = Pace(self._limits.requests_per_minute)
        try:
            queue = iter(pending)
            tasks = [asyncio.create_task(self._work(transport, queue, pace)) for _ in range(workers)]
            await wait_for_workers(tasks, lambda: self._cancelled() or self._hopeless is not None)
            for task in tasks:
                if not task.cancelled() and (error := task.exception()):
                    raise error
        finally:
            await transport.close()

    async def _work(self, transport: Transport, queue: Iterator[_Pending], pace: Pace) -> None:
        for question in queue:
            if self._hopeless or self._cancelled():
                return
            try:
                answer = await self._answer(transport, question, pace)
                if isinstance(answer, Answer):
                    await self._journal.keep(self._entry(question, answer))
            except QavizError as error:
                self._hopeless = self._hopeless or error
                return
            self._hear(question, answer)

    async def _answer(self, transport: Transport, pending: _Pending, pace: Pace) -> Answer | str:
        """The answer, after as many attempts as it takes, or why there is none."""
        why = "not asked"
        for attempt in range(self._settings.attempts):
            if not self._answered and self._failed_first >= HOPELESS:
                return f"not asked: {HOPELESS} questions failed before, and none was answered"
            await pace.wait()
            try:
                answer = await transport.ask(pending.question)
            except RejectedError as error:
                return error.detail
            except PassingError as error:
                why, wait = error.detail, back_off(attempt, error.wait)
                if error.wait:
                    pace.pause(error.wait)
            else:
                self._answered += 1
                return answer
            if attempt + 1 < self._settings.attempts:
                await asyncio.sleep(wait)
        self._failed_first += 1
        return why

    def _entry(self, pending: _Pending, answer: Answer) -> Entry:
        return Entry(
            key=pending.key,
            model=self._pipeline.name,
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            seconds=(answer.latency_ms or 0.0) / 1000,
            format=_FORMAT,
            raw=orjson.dumps(_make_row(self._pipeline, pending, self._settings, answer)).decode(),
            usage=None,
        )

    def _hear(self, pending: _Pending, answer: Answer | str) -> None:
        if isinstance(answer, str):
            self._failed[pending.key] = answer
        self._done += 1
        if self._progress:
            words = f"{self._pipeline.name}: {self._done:,} of {self._questions:,} answers"
            self._progress(self._done / max(self._questions, 1), words)
        if self._heard:
            self._heard(_make_row(self._pipeline, pending, self._settings, answer))


class FunctionTransport:
    """Asks a function of this process, in threads, or where it is async in one event loop."""

    def __init__(self, call: Callable[[str], Any], timeout_s: float, in_flight: int) -> None:
        self._call, self._timeout_s = call, timeout_s
        self._threads = ThreadPoolExecutor(in_flight, "asking")

    async def ask(self, question: Question) -> Answer:
        """As `Transport.ask`."""
        running = asyncio.get_running_loop().run_in_executor(
            self._threads, callable_worker.answer, self._call, question.fields()
        )
        try:
            row = await asyncio.wait_for(running, self._timeout_s)
        except TimeoutError:
            raise PassingError(Failure.TIMED_OUT, f"no answer within {self._timeout_s:g} s") from None
        if row.get("error") and "response" not in row:
            raise reject(str(row["error"]), Failure.REJECTED)
        return read_answer(row)

    async def close(self) -> None:
        """As `Transport.close`. A call that goes on after its time is left alone."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _connect(pipeline: Pipeline, limits: Limits) -> Transport:
    if pipeline.call:
        return FunctionTransport(pipeline.call, limits.timeout_s, limits.in_flight)
    return HttpTransport(pipeline, limits.timeout_s, limits.in_flight)
