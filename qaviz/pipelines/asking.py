"""Asking pipelines the golden questions: many in flight, each answer on the disk before the next is asked.

A function of this process and an HTTP endpoint are asked one question at a time here; of an endpoint, which answers
with JSON or text, no redirect is followed. Programs are asked by `qaviz.pipelines.processes`, models by `qaviz.llm`.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import monotonic
from urllib.parse import urlsplit

import orjson
import polars as pl

from qaviz.llm import Caps, Limits, Reply, Request, Settings, open_session
from qaviz.llm.journal import Entry, Journal, open_journal
from qaviz.llm.providers import PASSING_STATUS, fetch, open_client, retry_after
from qaviz.llm.requests import Failure, PassingError, RejectedError, TooLargeError, clean, hash_of
from qaviz.llm.sending import Cancelled, Pace, Way, send_all
from qaviz.model.columns import QUESTION, QUESTION_ID
from qaviz.model.errors import stop
from qaviz.model.records import Progress
from qaviz.model.visible import Secrets, in_one_line, redact
from qaviz.pipelines import answers as a
from qaviz.pipelines import callable_worker
from qaviz.pipelines.answers import Answer, Question, ResponseRow, reject
from qaviz.pipelines.pipeline import Pipeline
from qaviz.pipelines.processes import ask_program

_FIELD = re.compile(r"\{\{\s*(question_id|question)\s*\}\}")
_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)\}")


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
    seed: int = 0
    """Of the order in which questions are asked."""
    changed: bool = False
    """Whether only questions are asked that the file does not have, has with another text, or has an error for."""
    caps: Caps = field(default_factory=Caps)
    prices: Path | None = None


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What came of asking."""

    rows: int
    asked: int
    """Questions that were asked now; the others were in the journal or, with `changed`, in the file."""
    errors: int
    """Rows without a response; the next says why each of them has none."""
    reasons: tuple[str, ...]
    stopped: str | None
    """Why not all were asked: a cap, or `cancelled`."""


def journal_of(out: Path, model: Pipeline | None = None) -> Path:
    """Where answers are kept until all are there and the file is written; the replies of a model stand in another."""
    return out.with_name(f"{out.name}.{model.fingerprint[:8]}.journal" if model else f"{out.name}.journal")


def ask_pipelines(
    golden: pl.DataFrame,
    pipelines: Sequence[Pipeline],
    out: Path,
    settings: AskSettings,
    *,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Asked:
    """Ask each pipeline the questions of the golden dataset, and write `out`, one row a response. Each answer is in the
    journal beside `out` before another question is asked: after a kill the same call asks the rest, and what was in
    flight. The journal goes when all was asked. A question that fails is a row with `error`. Raises QavizError where a
    pipeline cannot be asked at all, or the disk refuses."""
    before = a.read_answered(out) if settings.changed else {}
    is_over = cancelled or (lambda: False)
    failed, asked_now, stopped = dict[str, str](), 0, None
    slots = [list(_list_slots(golden, pipeline, settings.repeat)) for pipeline in pipelines]
    with open_journal(journal_of(out)) as journal:
        for pipeline, own in zip(pipelines, slots, strict=True):
            pending = [slot for slot in own if slot.key not in journal and a.place_of(slot.row) not in before]
            asked_now += len(pending)
            Random(settings.seed).shuffle(pending)
            if pending and not is_over() and not stopped:
                keeper = _Keeper(journal, failed, pending, progress)
                stopped = _ask(pipeline, keeper, settings, is_over, journal_of(out, pipeline))

        def find_row(slot: _Slot) -> ResponseRow:
            entry = journal.find(slot.key)
            answered = orjson.loads(entry.raw) if entry else before.get(a.place_of(slot.row))
            return answered or {**slot.row, "error": failed.setdefault(slot.key, "not asked: cancelled")}

        count = a.write_rows(out, (find_row(slot) for own in slots for slot in own))
    if not (stopped or is_over()):
        for file in (journal_of(out), *(journal_of(out, pipeline) for pipeline in pipelines)):
            file.unlink(missing_ok=True)
    stopped = stopped or ("cancelled" if is_over() else None)
    return Asked(rows=count, asked=asked_now, errors=len(failed), reasons=tuple(failed.values()), stopped=stopped)


@dataclass(frozen=True)
class _Slot:
    """What one row of the file answers."""

    key: str
    row: ResponseRow
    """Without an answer."""

    @property
    def question(self) -> Question:
        return {"question_id": clean(self.row["question_id"]), "question": clean(self.row["question"])}


def _list_slots(golden: pl.DataFrame, pipeline: Pipeline, repeats: int) -> Iterator[_Slot]:
    """Those of one pipeline, in the order of the golden dataset."""
    fingerprint = pipeline.fingerprint
    for question_id, question in golden.select(QUESTION_ID, QUESTION).iter_rows():
        for repeat in range(repeats):
            row = ResponseRow(question_id=question_id, question=question, pipeline=pipeline.name, response=None)
            if repeats > 1:
                row["repeat"] = str(repeat + 1)
            yield _Slot(hash_of([fingerprint, question_id, question, repeat]), row)


@dataclass
class _Keeper:
    """Keeps the answers of one pipeline, and says how far it is."""

    journal: Journal
    failed: dict[str, str]
    """Why a question has no response, by its key."""
    pending: Sequence[_Slot]
    progress: Progress | None
    done: int = 0

    def take(self, answers: Sequence[tuple[int, Answer | RejectedError]]) -> None:
        """Keep answers, by the places of their questions in `pending`, on the disk, then say so."""
        by_slot = [(self.pending[place], answer) for place, answer in answers]
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        entries = [
            Entry(
                key=slot.key,
                model=slot.row["pipeline"],
                at=at,
                seconds=(answer.get("latency_ms") or 0.0) / 1000,
                format="pipeline",
                raw=orjson.dumps({**slot.row, **answer}).decode(),
                usage=None,
            )
            for slot, answer in by_slot
            if not isinstance(answer, RejectedError)
        ]
        if entries:
            self.journal.append(entries)
        for slot, answer in by_slot:
            if isinstance(answer, RejectedError):
                if answer.failure is Failure.CANCELLED:
                    continue
                self.failed[slot.key] = answer.detail
            self.done += 1
            if self.progress:
                words = f"{slot.row['pipeline']}: {self.done:,} of {len(self.pending):,} answers"
                self.progress(self.done / len(self.pending), words)


def _ask(
    pipeline: Pipeline, keeper: _Keeper, settings: AskSettings, cancelled: Cancelled, model_journal: Path
) -> str | None:
    """Ask one pipeline what is pending. Returns the cap that stopped it; raises QavizError where none can be asked."""
    limits = Limits(
        in_flight=settings.in_flight or pipeline.in_flight or Limits().in_flight,
        requests_per_minute=settings.requests_per_minute or pipeline.requests_per_minute,
        timeout_s=settings.timeout_s or pipeline.timeout_s or Limits().timeout_s,
        attempts=settings.attempts,
    )
    if pipeline.kind in ("openai", "bedrock"):
        model = Settings(
            model=f"{pipeline.kind}:{pipeline.target}",
            journal=model_journal,
            caps=settings.caps,
            limits=limits,
            prices=settings.prices,
        )
        return _ask_model(pipeline, keeper, model, cancelled)
    questions = [slot.question for slot in keeper.pending]
    if pipeline.kind in ("python", "command"):
        ask_program(pipeline, questions, limits, keeper.take, cancelled)
        return None
    with (_open_function if pipeline.call else _open_endpoint)(pipeline, limits.timeout_s, limits.in_flight) as send:
        way = Way[int, Answer](
            send=lambda place: send(questions[place]),
            limits=limits,
            pace=Pace(limits),
            about=f"pipeline {pipeline.name}",
            counted=(Failure.SERVER_ERROR, Failure.TIMED_OUT),
        )
        send_all(range(len(questions)), way, keeper.take, cancelled)
    return None


def _ask_model(pipeline: Pipeline, keeper: _Keeper, settings: Settings, cancelled: Cancelled) -> str | None:
    def hear(place: int, reply: Reply) -> None:
        if reply.failure and reply.failure is not Failure.REFUSED:
            words = f"{reply.failure.value}{': ' if reply.detail else ''}{reply.detail}"
            answer: Answer | RejectedError = RejectedError(reply.failure, words)
        else:
            answer = Answer(response=reply.text, cost=reply.cost, latency_ms=round(reply.seconds * 1000, 1))
        keeper.take([(place, answer)])

    requests = [
        Request(prompt=str(_fill(pipeline.prompt, slot.question)), repeat=int(slot.row.get("repeat") or 1) - 1)
        for slot in keeper.pending
    ]
    with open_session(settings) as session:
        session.ask(requests, heard=hear, cancelled=cancelled)
        return session.stopped


@contextmanager
def _open_function(pipeline: Pipeline, timeout_s: float, in_flight: int) -> Iterator[a.Send]:
    """Asks a function of this process, in threads of its own, which may go on when its time is over."""
    threads, call = ThreadPoolExecutor(in_flight, "asking"), pipeline.call
    assert call is not None  # as its kind says

    def send(question: Question) -> Answer:
        running = threads.submit(callable_worker.answer, call, question)
        try:
            row = running.result(timeout_s)
        except TimeoutError:
            raise PassingError(Failure.TIMED_OUT, f"no answer within {timeout_s:g} s") from None
        if row.get("error") and "response" not in row:
            raise reject(str(row["error"]), Failure.REJECTED)
        return a.read_answer(row)

    try:
        yield send
    finally:
        threads.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _open_endpoint(pipeline: Pipeline, timeout_s: float, in_flight: int) -> Iterator[a.Send]:
    """Asks one endpoint, whose connections end with the context."""
    values = {name: _fill_variables(f"pipeline {pipeline.name}", value) for name, value in pipeline.headers.items()}
    address = urlsplit(pipeline.target)
    in_query = [value for pair in address.query.split("&") for value in pair.split("=")[1:]]
    filled = [values[name] for name in values if _VARIABLE.search(pipeline.headers[name])]
    secrets = Secrets([*filled, *(word for secret in filled for word in secret.split()), *in_query])
    headers = {"accept": "application/json, text/plain"} | values
    client = open_client(pipeline.target, headers, timeout_s, in_flight)

    def send(question: Question) -> Answer:
        body = question if pipeline.body is None else _fill(pipeline.body, question)
        began = monotonic()
        try:
            reply = fetch(client, pipeline.target, timeout_s, a.LARGEST_ANSWER, json=body)
        except TooLargeError as error:
            words = f"{address.netloc}: an answer of more than {a.LARGEST_ANSWER:,} bytes"
            raise reject(words, Failure.TOO_LARGE) from error
        took = round((monotonic() - began) * 1000, 3)
        answer = _read(pipeline, address.netloc, secrets, *reply)
        return answer if answer["latency_ms"] is not None else {**answer, "latency_ms": took}

    try:
        yield send
    finally:
        client.close()


def _read(
    pipeline: Pipeline, host: str, secrets: Secrets, status: int, headers: Mapping[str, str], body: bytes
) -> Answer:
    if status != 200:
        words = f"{host}: HTTP {status}: {in_one_line(redact(clean(secrets.hide(body.decode(errors='replace')))))}"
        if status in PASSING_STATUS:
            raise PassingError(Failure.SERVER_ERROR, words, retry_after(headers))
        there = ", a redirect, which is not followed: name the address that it leads to"
        raise reject(f"{words}{there if 300 <= status < 400 else ''}", Failure.REJECTED)
    try:
        text = secrets.hide(body.decode())
    except UnicodeDecodeError as error:
        raise reject(f"{host}: an answer that is not UTF-8") from error
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "text/event-stream":
        raise reject(f"{host}: a stream of events; let it answer with JSON, or ask it by a Python callable")
    if kind == "text/plain" and not pipeline.response:
        return a.read_answer(text)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise reject(f"{host}: no JSON: {text[:80]!r}") from error
    return a.read_answer(content, pipeline.response, pipeline.contexts, pipeline.cost)


def _fill(template: object, fields: Mapping[str, str]) -> object:
    """The template with the fields in all its texts; nothing in a field can change its structure."""
    if isinstance(template, str):
        return _FIELD.sub(lambda match: fields[match[1]], template)
    if isinstance(template, Mapping):
        return {name: _fill(value, fields) for name, value in template.items()}
    if isinstance(template, list):
        return [_fill(value, fields) for value in template]
    return template


def _fill_variables(where: str, template: str) -> str:
    """A header's value, `${NAME}` filled from the environment. Raises QavizError for a variable that is not set."""
    missing = [name for name in _VARIABLE.findall(template) if not os.environ.get(name)]
    if missing:
        raise stop(where, "a secret that is not set", f"the environment variable {missing[0]}", "Set it.")
    filled = _VARIABLE.sub(lambda match: os.environ[match[1]].strip(), template)
    if not (filled.isascii() and filled.isprintable()):
        raise stop(where, "a header with line breaks or special characters", "one line of ASCII", "Mend it.")
    return filled
