"""What stands in front of the pages: checks that a request passes one after the other."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send


@dataclass
class Visit:
    """A request, or a web socket, on its way through the checks."""

    scope: Scope
    """As the next check, and at last the pages, see it."""
    subject: str | None = None
    """Who asks, once that is known; None where nobody signs in."""
    status: int = 0
    """Of the answer, once there is one."""
    changes: list[Callable[[Message], Message]] = field(default_factory=list)
    """What each message of the answer goes through, the last first."""
    ending: ExitStack = field(default_factory=ExitStack)
    """What is done when it has ended."""

    @property
    def is_socket(self) -> bool:
        """Whether it is a web socket."""
        return bool(self.scope["type"] == "websocket")

    @property
    def headers(self) -> Headers:
        """The headers of the request."""
        return Headers(scope=self.scope)


Check = Callable[[Visit], Awaitable[Response | None]]
"""Answers or refuses a visit, or lets it pass: with None, perhaps with another scope."""


class Front:
    """ASGI middleware that asks the checks, in their order, and passes on what none of them answers."""

    def __init__(self, app: ASGIApp, checks: Sequence[Check]) -> None:
        self.app, self._checks = app, checks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the visit, or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        visit = Visit(scope)

        async def answer(message: Message) -> None:
            for change in reversed(visit.changes):
                message = change(message)
            await send(message)

        with visit.ending:
            for check in self._checks:
                if refusal := await check(visit):
                    # A web socket is refused in words where the server can send them.
                    if visit.is_socket and "websocket.http.response" not in scope.get("extensions", {}):
                        await answer({"type": "websocket.close", "code": 1008})
                    else:
                        await refusal(visit.scope, receive, answer)
                    return
            await self.app(visit.scope, receive, answer)


def without_headers(message: Scope, *names: str) -> Scope:
    """The request or answer without these headers."""
    kept = [(name, value) for name, value in message["headers"] if name.decode("latin-1").lower() not in names]
    return dict(message) | {"headers": kept}
