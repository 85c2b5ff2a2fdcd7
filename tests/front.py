"""A request as a server hands it to the checks in front of the pages, and pages that answer 200 to all."""

import asyncio
from dataclasses import dataclass, field


@dataclass
class App:
    """An app that answers 200 to all, and the requests that reached it."""

    asked: list[dict] = field(default_factory=list)

    async def __call__(self, scope, _receive, send) -> None:
        self.asked.append(scope)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def ask(app, path: str = "/", **scope) -> dict:
    """The start of the answer; empty where there is none."""
    sent: list[dict] = []

    async def send(message) -> None:
        sent.append(message)

    address, _, query = path.partition("?")
    request = {"type": "http", "method": "GET", "scheme": "http", "path": address, "query_string": query.encode()}
    request |= {"headers": [], "client": ("127.0.0.1", 50_000), "extensions": {"websocket.http.response": {}}}
    asyncio.run(app(request | scope, None, send))
    return sent[0] if sent else {}


def status(app, path: str = "/", **scope) -> int:
    """The status of the answer."""
    return ask(app, path, **scope)["status"]
