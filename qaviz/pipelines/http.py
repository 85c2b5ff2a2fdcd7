"""Pipelines behind a network: an HTTP endpoint (JSON, text, server-sent events), a language model.

No redirect to another host is followed. Language models are asked through the one door to them, `qaviz.llm`.
"""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TypedDict
from urllib.parse import quote, urljoin, urlsplit

import httpx

from qaviz.llm import Caps, Limits, Reply, Request, Settings, open_session
from qaviz.llm.providers import PASSING_STATUS, is_on_this_machine, retry_after
from qaviz.llm.requests import Failure, PassingError, clean
from qaviz.llm.session import Cancelled
from qaviz.model.errors import stop
from qaviz.model.visible import Secrets, in_one_line, redact
from qaviz.pipelines.answers import LARGEST_ANSWER, RESPONSE_NAMES, Answer, JsonObject, Question, read_answer, reject
from qaviz.pipelines.pipeline import Pipeline

MOST_REDIRECTS = 5
_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)\}")
_FIELD = re.compile(r"\{\{\s*(question_id|question|prompt)\s*\}\}")


class HttpTransport:
    """Asks one endpoint."""

    def __init__(self, pipeline: Pipeline, timeout_s: float, in_flight: int) -> None:
        self._pipeline, self._timeout_s = pipeline, timeout_s
        values = {name: fill_variables(f"pipeline {pipeline.name}", value) for name, value in pipeline.headers.items()}
        in_query = [value for pair in urlsplit(pipeline.target).query.split("&") for value in pair.split("=")[1:]]
        secrets = [values[name] for name in values if _VARIABLE.search(pipeline.headers[name])]
        self._secrets = Secrets([*secrets, *(word for secret in secrets for word in secret.split()), *in_query])
        self._host = urlsplit(pipeline.target).netloc
        # Not compressed: what is counted is then what arrives.
        headers = {"accept": "application/json, text/event-stream, text/plain", "accept-encoding": "identity"}
        self._headers = headers | values
        self._trust_environment = not is_on_this_machine(pipeline.target)
        self._certificates = httpx.create_ssl_context(trust_env=self._trust_environment)
        self._room = asyncio.Semaphore(in_flight)
        # A client a connection: one client looks through all its connections at each request.
        self._idle, self._clients = list[httpx.AsyncClient](), list[httpx.AsyncClient]()

    async def ask(self, question: Question) -> Answer:
        """As `Transport.ask`."""
        try:
            async with self._client() as client, asyncio.timeout(self._timeout_s):
                began = monotonic()
                answer = await self._follow(client, question)
                took = round((monotonic() - began) * 1000, 3)
                return answer if answer.latency_ms is not None else replace(answer, latency_ms=took)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise PassingError(Failure.TIMED_OUT, f"{self._host}: no answer within {self._timeout_s:g} s") from error
        except httpx.ConnectError as error:
            raise PassingError(Failure.SERVER_ERROR, f"{self._host}: no connection") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            detail = f"{self._host}: the connection was lost before a whole answer ({type(error).__name__})"
            raise PassingError(Failure.SERVER_ERROR, detail) from error

    async def close(self) -> None:
        """As `Transport.close`."""
        for client in self._clients:
            await client.aclose()

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[httpx.AsyncClient]:
        """A client that asks one question at a time."""
        async with self._room:
            client = self._idle.pop() if self._idle else self._open_client()
            try:
                yield client
            finally:
                self._idle.append(client)

    def _open_client(self) -> httpx.AsyncClient:
        client = httpx.AsyncClient(
            headers=self._headers,
            timeout=httpx.Timeout(self._timeout_s),
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=1),
            follow_redirects=False,
            trust_env=self._trust_environment,
            verify=self._certificates,
        )
        self._clients.append(client)
        return client

    async def _follow(self, client: httpx.AsyncClient, question: Question) -> Answer:
        """Ask, and follow redirects within the host that the owner named."""
        pipeline, fields = self._pipeline, question.fields() | {"prompt": clean(question.question)}
        url = _fill(pipeline.target, fields, lambda text: quote(text, safe=""))
        content = _fill_content(pipeline, fields)
        for _ in range(MOST_REDIRECTS):
            async with client.stream(pipeline.method, url, **content) as response:
                if not 300 <= response.status_code < 400:
                    return await self._read(response)
                url = self._follow_redirect(url, response.headers.get("location", ""))
        raise reject(f"{self._host}: more than {MOST_REDIRECTS} redirects", Failure.REJECTED)

    def _follow_redirect(self, url: str, location: str) -> str:
        there = urljoin(url, location)
        same = urlsplit(there)[:2] == urlsplit(url)[:2]
        if not location or not same:
            raise reject(f"{self._host}: a redirect to another host, which is not followed", Failure.REJECTED)
        return there

    async def _read(self, response: httpx.Response) -> Answer:
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        text = self._secrets.hide(await self._body(response))
        if response.status_code != 200:
            words = f"{self._host}: HTTP {response.status_code}: {in_one_line(redact(clean(text)))}"
            if response.status_code in PASSING_STATUS:
                raise PassingError(Failure.SERVER_ERROR, words, retry_after(response.headers))
            raise reject(words, Failure.REJECTED)
        if kind == "text/event-stream":
            return self._read_events(text)
        if kind == "text/plain" and not self._pipeline.paths.response:
            return Answer(response=clean(text))
        return read_answer(self._json(text), self._pipeline.paths)

    def _json(self, text: str) -> object:
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise reject(f"{self._host}: no JSON: {text[:80]!r}") from error

    async def _body(self, response: httpx.Response) -> str:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise reject(f"{self._host}: a compressed answer, which was not asked for")
        parts, size = [], 0
        async for part in response.aiter_raw():
            size += len(part)
            if size > LARGEST_ANSWER:
                raise reject(f"{self._host}: an answer of more than {LARGEST_ANSWER:,} bytes", Failure.TOO_LARGE)
            parts.append(part)
        try:
            return b"".join(parts).decode(response.charset_encoding or "utf-8")
        except (UnicodeDecodeError, LookupError) as error:
            if response.status_code != 200:
                return b"".join(parts).decode(errors="replace")
            raise reject(f"{self._host}: an answer that is not UTF-8") from error

    def _read_events(self, text: str) -> Answer:
        """Read server-sent events: their pieces of text joined, else the answer that their fields make up."""
        ended, chat, pieces, whole = False, False, list[str](), dict[str, object]()
        path = self._pipeline.paths.response
        for data in _split_events(text):
            event = _parse_object(data)
            if data == "[DONE]":
                ended = True
            elif event is None and data.startswith(("{", "[")):
                raise self._cut_stream()
            elif event is None:
                pieces.append(data)
            else:
                piece, last = (path.search(event), False) if path else _read_delta(event)
                pieces.append(piece if isinstance(piece, str) else "")
                ended, chat = ended or last, chat or "choices" in event
                if not path:
                    self._refuse_other_text(whole, event)
                whole |= {name: event[name] for name in event if name not in ("choices", "delta")}
        if chat and not ended:
            raise self._cut_stream()
        if joined := "".join(pieces):
            return read_answer(whole | {"response": joined}, replace(self._pipeline.paths, response=None))
        return read_answer(whole, self._pipeline.paths)

    def _refuse_other_text(self, whole: JsonObject, event: JsonObject) -> None:
        """Raise RejectedError for an event that names a text again without going on from it: which one is the answer,
        or whether they are its pieces, only the owner knows."""
        for name in RESPONSE_NAMES:
            before, text = whole.get(name), event.get(name)
            if isinstance(before, str) and isinstance(text, str) and not text.startswith(before):
                fix = f'response = "{name}" in a file of pipelines joins them'
                raise reject(f"{self._host}: several events with another {name}; {fix}")

    def _cut_stream(self) -> PassingError:
        return PassingError(Failure.SERVER_ERROR, f"{self._host}: a stream that ends before its end")


def _split_events(text: str) -> list[str]:
    """The data of each server-sent event, several data lines of one event joined by line breaks."""
    events, data = list[str](), list[str]()
    for line in [*re.split(r"\r\n|\n|\r", text), ""]:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            events.append("\n".join(data))
            data = []
    return events


def _parse_object(data: str) -> JsonObject | None:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _read_delta(event: JsonObject) -> tuple[str, bool]:
    """The piece of text of one event, and whether it says that it is the last."""
    if "choices" not in event:
        piece = event.get("delta")
        return (piece if isinstance(piece, str) else ""), False
    try:
        choice = event["choices"][0]
        piece = choice.get("delta", {}).get("content")
        return (piece if isinstance(piece, str) else ""), bool(choice.get("finish_reason"))
    except (IndexError, KeyError, TypeError, AttributeError):
        return "", False


class _Content(TypedDict, total=False):
    """What a request carries, as arguments of the client: one of them, or none where the address has the question."""

    params: dict[str, str]
    content: bytes
    json: object


def _fill_content(pipeline: Pipeline, fields: Mapping[str, str]) -> _Content:
    if pipeline.method == "GET":
        return {} if _FIELD.search(pipeline.target) else {"params": {"question": fields["question"]}}
    if isinstance(pipeline.body, str):
        return {"content": _fill(pipeline.body, fields, str).encode()}
    filled = _fill_all(pipeline.body, fields)
    return {"json": {name: fields[name] for name in ("question_id", "question")} if filled is None else filled}


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


_PROMPT_FIELD = re.compile(r"\{\{\s*(question|contexts)\s*\}\}")
Heard = Callable[[int, Answer | str], None]
"""Called with a question's place and its answer, or why there is none."""


def ask_model(
    pipeline: Pipeline,
    questions: Sequence[tuple[Question, int]],
    journal: Path,
    limits: Limits,
    heard: Heard,
    *,
    caps: Caps,
    prices: Path | None,
    key_file: Path | None,
    cancelled: Cancelled,
) -> str | None:
    """Ask the model each question, with the number of its repeat. Returns which cap stopped the asking, in words.

    Raises QavizError as `Session.ask`.
    """
    settings = Settings(
        model=f"{pipeline.kind}:{pipeline.target}",
        journal=journal,
        caps=caps,
        limits=limits,
        prices=prices,
        key_file=key_file,
    )
    requests = [Request(prompt=_fill_prompt(pipeline, question), repeat=repeat) for question, repeat in questions]

    def hear(place: int, reply: Reply) -> None:
        if reply.failure and reply.failure is not Failure.REFUSED:
            heard(place, f"{reply.failure.value}{': ' if reply.detail else ''}{reply.detail}")
        else:
            given = pipeline.passages.get(questions[place][0].question_id)
            latency = round(reply.seconds * 1000, 1)
            heard(place, Answer(response=reply.text, contexts=given, cost=reply.cost, latency_ms=latency))

    with open_session(settings) as session:
        session.ask(requests, heard=hear, cancelled=cancelled)
        return session.stopped


def _fill_prompt(pipeline: Pipeline, question: Question) -> str:
    """The prompt, filled in one pass: nothing in a question or a passage is a template."""
    passages = pipeline.passages.get(question.question_id, ())
    fields = {"question": question.fields()["question"], "contexts": "\n\n".join(passages)}
    return _PROMPT_FIELD.sub(lambda match: fields[match[1]], pipeline.prompt)
