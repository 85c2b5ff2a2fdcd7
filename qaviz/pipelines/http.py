"""Pipelines behind an HTTP endpoint, which answers with JSON or text. No redirect is followed."""

import json
import os
import re
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any
from urllib.parse import quote, urlsplit

from qaviz.llm.providers import PASSING_STATUS, fetch, open_client, retry_after
from qaviz.llm.requests import Failure, PassingError, TooLargeError, clean
from qaviz.model.errors import stop
from qaviz.model.visible import Secrets, in_one_line, redact
from qaviz.pipelines.answers import LARGEST_ANSWER, Answer, Question, read_answer, reject
from qaviz.pipelines.pipeline import Pipeline

_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)\}")
_FIELD = re.compile(r"\{\{\s*(question_id|question)\s*\}\}")


class HttpTransport:
    """Asks one endpoint."""

    def __init__(self, pipeline: Pipeline, timeout_s: float, in_flight: int) -> None:
        self._pipeline, self._timeout_s = pipeline, timeout_s
        values = {name: fill_variables(f"pipeline {pipeline.name}", value) for name, value in pipeline.headers.items()}
        in_query = [value for pair in urlsplit(pipeline.target).query.split("&") for value in pair.split("=")[1:]]
        secrets = [values[name] for name in values if _VARIABLE.search(pipeline.headers[name])]
        self._secrets = Secrets([*secrets, *(word for secret in secrets for word in secret.split()), *in_query])
        self._host = urlsplit(pipeline.target).netloc
        headers = {"accept": "application/json, text/plain"} | values
        self._client = open_client(pipeline.target, headers, timeout_s, in_flight)

    def ask(self, question: Question) -> Answer:
        """The answer. Raises PassingError or RejectedError with the reason in a short line."""
        pipeline = self._pipeline
        url = _fill(pipeline.target, question, lambda text: quote(text, safe=""))
        began = monotonic()
        try:
            status, headers, body = fetch(
                self._client, pipeline.method, url, self._timeout_s, LARGEST_ANSWER, **_fill_content(pipeline, question)
            )
        except TooLargeError as error:
            words = f"{self._host}: an answer of more than {LARGEST_ANSWER:,} bytes"
            raise reject(words, Failure.TOO_LARGE) from error
        took = round((monotonic() - began) * 1000, 3)
        answer = self._read(status, headers, body)
        if answer["latency_ms"] is None:
            answer["latency_ms"] = took
        return answer

    def close(self) -> None:
        """End its connections."""
        self._client.close()

    def _read(self, status: int, headers: Mapping[str, str], body: bytes) -> Answer:
        if status != 200:
            text = self._secrets.hide(body.decode(errors="replace"))
            words = f"{self._host}: HTTP {status}: {in_one_line(redact(clean(text)))}"
            if status in PASSING_STATUS:
                raise PassingError(Failure.SERVER_ERROR, words, retry_after(headers))
            there = ", a redirect, which is not followed: name the address that it leads to"
            raise reject(f"{words}{there if 300 <= status < 400 else ''}", Failure.REJECTED)
        try:
            text = self._secrets.hide(body.decode())
        except UnicodeDecodeError as error:
            raise reject(f"{self._host}: an answer that is not UTF-8") from error
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "text/event-stream":
            raise reject(f"{self._host}: a stream of events; let it answer with JSON, or ask it by a Python callable")
        if kind == "text/plain" and not self._pipeline.response:
            return read_answer(text)
        try:
            content = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise reject(f"{self._host}: no JSON: {text[:80]!r}") from error
        return read_answer(content, self._pipeline.response, self._pipeline.contexts, self._pipeline.cost)


def _fill_content(pipeline: Pipeline, fields: Mapping[str, str]) -> dict[str, Any]:
    """What a request carries, as an argument of the client; none where the address has the question."""
    if pipeline.method == "GET":
        return {} if _FIELD.search(pipeline.target) else {"params": {"question": fields["question"]}}
    return {"json": fields if pipeline.body is None else _fill_all(pipeline.body, fields)}


def _fill_all(template: object, fields: Mapping[str, str]) -> object:
    """The template with the fields in all its texts; nothing in a field can change its structure."""
    if isinstance(template, str):
        return _fill(template, fields, str)
    if isinstance(template, Mapping):
        return {name: _fill_all(value, fields) for name, value in template.items()}
    if isinstance(template, list):
        return [_fill_all(value, fields) for value in template]
    return template


def _fill(template: str, fields: Mapping[str, str], form: Callable[[str], str]) -> str:
    return _FIELD.sub(lambda match: form(fields[match[1]]), template)


def fill_variables(where: str, template: str) -> str:
    """A header's value, `${NAME}` filled from the environment. Raises QavizError for a variable that is not set."""
    missing = [name for name in _VARIABLE.findall(template) if not os.environ.get(name)]
    if missing:
        expected = f"the environment variable {missing[0]}"
        raise stop(where, "a secret that is not set", expected, "Set it.")
    filled = _VARIABLE.sub(lambda match: os.environ[match[1]].strip(), template)
    if not (filled.isascii() and filled.isprintable()):
        words = "a header with line breaks or special characters"
        raise stop(where, words, "one line of ASCII", "Mend it.")
    return filled
