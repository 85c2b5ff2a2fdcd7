"""Pipelines that are asked one question at a time: a function of this process, or an HTTP endpoint, which answers with
JSON or text. No redirect is followed."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic
from urllib.parse import urlsplit

from qaviz.llm.providers import PASSING_STATUS, fetch, open_client, retry_after
from qaviz.llm.requests import Failure, PassingError, TooLargeError, clean
from qaviz.model.errors import stop
from qaviz.model.visible import Secrets, in_one_line, redact
from qaviz.pipelines import callable_worker
from qaviz.pipelines.answers import LARGEST_ANSWER, Answer, Question, Send, read_answer, reject
from qaviz.pipelines.pipeline import Pipeline

_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)\}")
_FIELD = re.compile(r"\{\{\s*(question_id|question)\s*\}\}")


@contextmanager
def open_function(pipeline: Pipeline, timeout_s: float, in_flight: int) -> Iterator[Send]:
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
        return read_answer(row)

    try:
        yield send
    finally:
        threads.shutdown(wait=False, cancel_futures=True)


@contextmanager
def open_endpoint(pipeline: Pipeline, timeout_s: float, in_flight: int) -> Iterator[Send]:
    """Asks one endpoint, whose connections end with the context."""
    values = {name: fill_variables(f"pipeline {pipeline.name}", value) for name, value in pipeline.headers.items()}
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
            reply = fetch(client, pipeline.target, timeout_s, LARGEST_ANSWER, json=body)
        except TooLargeError as error:
            words = f"{address.netloc}: an answer of more than {LARGEST_ANSWER:,} bytes"
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
        return read_answer(text)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise reject(f"{host}: no JSON: {text[:80]!r}") from error
    return read_answer(content, pipeline.response, pipeline.contexts, pipeline.cost)


def _fill(template: object, fields: Mapping[str, str]) -> object:
    """The template with the fields in all its texts; nothing in a field can change its structure."""
    if isinstance(template, str):
        return _FIELD.sub(lambda match: fields[match[1]], template)
    if isinstance(template, Mapping):
        return {name: _fill(value, fields) for name, value in template.items()}
    if isinstance(template, list):
        return [_fill(value, fields) for value in template]
    return template


def fill_variables(where: str, template: str) -> str:
    """A header's value, `${NAME}` filled from the environment. Raises QavizError for a variable that is not set."""
    missing = [name for name in _VARIABLE.findall(template) if not os.environ.get(name)]
    if missing:
        raise stop(where, "a secret that is not set", f"the environment variable {missing[0]}", "Set it.")
    filled = _VARIABLE.sub(lambda match: os.environ[match[1]].strip(), template)
    if not (filled.isascii() and filled.isprintable()):
        raise stop(where, "a header with line breaks or special characters", "one line of ASCII", "Mend it.")
    return filled
