"""Connections that hold the server and ask for nothing: a request that never ends, a peer that is gone, one address
with more web sockets than people have tabs.
"""

import asyncio
from collections import Counter
from functools import partial

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_WITHIN_S = 30.0
"""Seconds for the head of a request, and between two parts of its body; pings end web sockets whose peer is gone."""
MOST_SOCKETS_OF_ADDRESS = 200
"""Web sockets that one address may have open: an office behind one address, not a program that opens them all."""


def end_silent_connections(seconds: float = REQUEST_WITHIN_S) -> None:
    """Have uvicorn close connections whose request does not arrive: it has no such limit of its own.

    Once a process, before it serves.
    """
    begin, receive = H11Protocol.connection_made, H11Protocol.data_received

    def connection_made(self: H11Protocol, transport: asyncio.Transport) -> None:
        begin(self, transport)
        self.loop.call_later(seconds, partial(_close_silent, self, None, -1, seconds))

    def data_received(self: H11Protocol, data: bytes) -> None:
        _received[self] = _received.get(self, 0) + len(data)
        receive(self, data)

    H11Protocol.connection_made = connection_made  # type: ignore[method-assign]  # uvicorn has no hook for it
    H11Protocol.data_received = data_received  # type: ignore[method-assign]


_received: dict[H11Protocol, int] = {}
"""Bytes that open connections have sent."""


def _close_silent(connection: H11Protocol, cycle: object, received: int, seconds: float) -> None:
    """Close the connection if it waits for the same request, or part of one, as `seconds` ago; else look again."""
    transport, now = connection.transport, connection.cycle
    if transport.is_closing() or transport.get_protocol() is not connection:  # closed, or a web socket by now
        _received.pop(connection, None)
        return
    idle = now is None or now.response_complete
    arrived = _received.get(connection, 0)
    if (idle and (received < 0 or now is cycle)) or (not idle and now.more_body and arrived == received):
        _received.pop(connection, None)
        transport.close()
        return
    connection.loop.call_later(seconds, partial(_close_silent, connection, now, arrived, seconds))


class SocketsOfAddress:
    """ASGI middleware that lets an address have so many web sockets open at once."""

    def __init__(self, app: ASGIApp, most: int = MOST_SOCKETS_OF_ADDRESS) -> None:
        self.app = app
        self._most = most
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse a web socket too many."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        client = scope.get("client")
        address = str(client[0]) if client else ""
        if self._open[address] >= self._most:
            if "websocket.http.response" in scope.get("extensions", {}):
                await PlainTextResponse("Too many pages of one address are open.\n", 429)(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008})
            return
        self._open[address] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._open[address] -= 1
            self._open += Counter()  # forgets addresses without web sockets
