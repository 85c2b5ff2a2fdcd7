"""Headers of requests and answers."""

from starlette.types import Scope


def without_headers(message: Scope, *names: bytes) -> Scope:
    """The request or answer without these headers."""
    return dict(message) | {"headers": [header for header in message["headers"] if header[0].lower() not in names]}
