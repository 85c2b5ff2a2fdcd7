"""Asking pipelines the golden questions: many in flight, each answer on the disk before the next is asked."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import orjson
import polars as pl

from qaviz.llm import Caps, Limits, Reply, Request, Settings, open_session
from qaviz.llm.journal import Entry, Journal, open_journal
from qaviz.llm.requests import Failure, RejectedError, clean, hash_of
from qaviz.llm.sending import Cancelled, Pace, Way, send_all
from qaviz.model.columns import QUESTION, QUESTION_ID
from qaviz.model.records import Progress
from qaviz.pipelines.answers import Answer, Question, ResponseRow, place_of, read_answered, write_rows
from qaviz.pipelines.pipeline import Pipeline
from qaviz.pipelines.processes import ask_program
from qaviz.pipelines.send import open_endpoint, open_function

_FIELD = re.compile(r"\{\{\s*question\s*\}\}")


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
    before = read_answered(out) if settings.changed else {}
    stop = cancelled or (lambda: False)
    failed, asked_now, stopped = dict[str, str](), 0, None
    slots = [list(_list_slots(golden, pipeline, settings.repeat)) for pipeline in pipelines]
    with open_journal(journal_of(out)) as journal:
        for pipeline, own in zip(pipelines, slots, strict=True):
            pending = [slot for slot in own if slot.key not in journal and place_of(slot.row) not in before]
            asked_now += len(pending)
            Random(settings.seed).shuffle(pending)
            if pending and not stop() and not stopped:
                keeper = _Keeper(journal, failed, len(pending), progress)
                stopped = _ask(pipeline, pending, settings, keeper, stop, journal_of(out, pipeline))

        def find_row(slot: _Slot) -> ResponseRow:
            entry = journal.find(slot.key)
            answered = orjson.loads(entry.raw) if entry else before.get(place_of(slot.row))
            return answered or {**slot.row, "error": failed.setdefault(slot.key, "not asked: cancelled")}

        count = write_rows(out, (find_row(slot) for own in slots for slot in own))
    if not (stopped or stop()):
        for file in (journal_of(out), *(journal_of(out, pipeline) for pipeline in pipelines)):
            file.unlink(missing_ok=True)
    stopped = stopped or ("cancelled" if stop() else None)
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
    questions: int
    progress: Progress | None
    done: int = 0

    def take(self, answers: Sequence[tuple[_Slot, Answer | RejectedError]]) -> None:
        """Keep answers on the disk, then say so."""
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
            for slot, answer in answers
            if not isinstance(answer, RejectedError)
        ]
        if entries:
            self.journal.append(entries)
        for slot, answer in answers:
            if isinstance(answer, RejectedError):
                if answer.failure is Failure.CANCELLED:
                    continue
                self.failed[slot.key] = answer.detail
            self.done += 1
            if self.progress:
                words = f"{slot.row['pipeline']}: {self.done:,} of {self.questions:,} answers"
                self.progress(self.done / self.questions, words)


def _ask(
    pipeline: Pipeline,
    pending: Sequence[_Slot],
    settings: AskSettings,
    keeper: _Keeper,
    cancelled: Cancelled,
    model_journal: Path,
) -> str | None:
    """Ask one pipeline all of them. Returns the cap that stopped it; raises QavizError where none can be asked."""
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
        return _ask_model(pipeline, pending, model, keeper, cancelled)
    if pipeline.kind in ("python", "command"):

        def hear(answers: Sequence[tuple[int, Answer | RejectedError]]) -> None:
            keeper.take([(pending[at], answer) for at, answer in answers])

        ask_program(pipeline, [slot.question for slot in pending], limits, hear, cancelled)
        return None
    with (open_function if pipeline.call else open_endpoint)(pipeline, limits.timeout_s, limits.in_flight) as send:
        way = Way[_Slot, Answer](
            send=lambda slot: send(slot.question),
            limits=limits,
            pace=Pace(limits),
            about=f"pipeline {pipeline.name}",
            counted=(Failure.SERVER_ERROR, Failure.TIMED_OUT),
        )
        send_all(pending, way, keeper.take, cancelled)
    return None


def _ask_model(
    pipeline: Pipeline, pending: Sequence[_Slot], settings: Settings, keeper: _Keeper, cancelled: Cancelled
) -> str | None:
    def hear(place: int, reply: Reply) -> None:
        if reply.failure and reply.failure is not Failure.REFUSED:
            words = f"{reply.failure.value}{': ' if reply.detail else ''}{reply.detail}"
            answer: Answer | RejectedError = RejectedError(reply.failure, words)
        else:
            answer = Answer(response=reply.text, cost=reply.cost, latency_ms=round(reply.seconds * 1000, 1))
        keeper.take([(pending[place], answer)])

    pieces = _FIELD.split(pipeline.prompt)  # nothing in a question is a template
    requests = [
        Request(prompt=slot.question["question"].join(pieces), repeat=int(slot.row.get("repeat") or 1) - 1)
        for slot in pending
    ]
    with open_session(settings) as session:
        session.ask(requests, heard=hear, cancelled=cancelled)
        return session.stopped
