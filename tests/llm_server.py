"""A server on loopback that speaks OpenAI's chat completions (and Bedrock's Converse), as politely as a test wants.

def script(call: Call) -> Answer:
    return complete("Paris")

with serve(script) as server:
    ...ask server.url...
    assert len(server.calls) == 1
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Call:
    """What the server was asked."""

    number: int
    """From 0, in the order of arrival."""
    path: str
    headers: Mapping[str, str]
    """With names in lower case."""
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        """The user's message."""
        content = self.body["messages"][-1]["content"]
        return content if isinstance(content, str) else content[0]["text"]

    @property
    def system(self) -> str:
        """The system message."""
        if "system" in self.body:
            return self.body["system"][0]["text"]
        return next((each["content"] for each in self.body["messages"] if each["role"] == "system"), "")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the server answers."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    cut: bool = False
    """Whether the connection ends in the middle of the body."""


Script = Callable[[Call], Answer]


def complete(
    text: str | None,
    *,
    usage: tuple[int, int] | None = (100, 20),
    finish: str = "stop",
    arguments: str | None = None,
    refusal: str | None = None,
    delay_s: float = 0.0,
) -> Answer:
    """A chat completion; `arguments` makes it a function call."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if refusal is not None:
        message["refusal"] = refusal
    if arguments is not None:
        call = {"id": "call_1", "type": "function", "function": {"name": "asked", "arguments": arguments}}
        message["tool_calls"] = [call]
    reply: dict[str, Any] = {
        "id": "x",
        "object": "chat.completion",
        "model": "stub-1",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    if usage:
        reply["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
    return Answer(body=json.dumps(reply).encode(), delay_s=delay_s)


def converse(text: str, *, usage: tuple[int, int] = (100, 20), tool_input: Mapping[str, Any] | None = None) -> Answer:
    """A reply of Bedrock's Converse."""
    part = {"toolUse": {"toolUseId": "1", "name": "asked", "input": tool_input}} if tool_input else {"text": text}
    reply = {
        "output": {"message": {"role": "assistant", "content": [part]}},
        "stopReason": "end_turn",
        "usage": {"inputTokens": usage[0], "outputTokens": usage[1], "totalTokens": sum(usage)},
        "metrics": {"latencyMs": 1},
    }
    return Answer(body=json.dumps(reply).encode())


def fail(status: int, message: str = "failed", **headers: str) -> Answer:
    """An error as OpenAI words it; `retry_after="1"` sets that header."""
    body = json.dumps({"error": {"message": message, "type": "error", "code": None}}).encode()
    return Answer(status=status, body=body, headers={name.replace("_", "-"): said for name, said in headers.items()})


class Server:
    """A running server and what it was asked."""

    def __init__(self, script: Script) -> None:
        self.calls: list[Call] = []
        self.completed: list[Call] = []
        """Calls whose answer was sent to the end."""
        self.most_at_once = 0
        self._script, self._at_once, self._lock = script, 0, threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # A small answer is sent at once, not held back for more.
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                server.answer(self)

            def log_message(self, *_: object) -> None:
                """Say nothing on the terminal."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def url(self) -> str:
        """What OPENAI_BASE_URL is set to."""
        return f"{self.origin}/v1"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
        headers = {name.lower(): said for name, said in handler.headers.items()}
        with self._lock:
            call = Call(number=len(self.calls), path=handler.path, headers=headers, body=body)
            self.calls.append(call)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            self._send(handler, call, self._script(call))
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True
        finally:
            with self._lock:
                self._at_once -= 1

    def _send(self, handler: BaseHTTPRequestHandler, call: Call, answer: Answer) -> None:
        time.sleep(answer.delay_s)
        handler.send_response(answer.status)
        for name, said in ({"content-type": "application/json"} | dict(answer.headers)).items():
            handler.send_header(name, said)
        handler.send_header("content-length", str(len(answer.body)))
        handler.end_headers()
        handler.wfile.write(answer.body[: len(answer.body) // 2] if answer.cut else answer.body)
        handler.wfile.flush()
        if answer.cut:
            handler.close_connection = True
        else:
            with self._lock:
                self.completed.append(call)

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


@contextmanager
def serve(script: Script) -> Iterator[Server]:
    """Run a server during the `with`."""
    server = Server(script)
    try:
        yield server
    finally:
        server.close()
