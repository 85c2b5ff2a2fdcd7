"""Middleware in front of the pages: what browsers obey, who is answered, who somebody is, and how much they may ask."""

from threading import Event

from starlette.middleware import Middleware

from qaviz.access import Access
from qaviz.serving.control import AccessControl
from qaviz.serving.limits import Held, UploadLimit
from qaviz.serving.observed import AccessLog, Health
from qaviz.serving.served_page import SafetyHeaders, ServedPage, content_security_policy, page_to_serve
from qaviz.serving.sign_in import Door, SignInGate

__all__ = [
    "AccessControl",
    "SafetyHeaders",
    "UploadLimit",
    "content_security_policy",
    "page_to_serve",
    "security_middleware",
]


def security_middleware(
    index_html: str, page: str, access: Access, in_memory: Held, on_disk: Held, door: Door, stopping: Event
) -> list[Middleware]:
    """The middleware for an app that serves `page` where Streamlit would serve `index_html`: safety headers on every
    answer, and none without access.

    `in_memory` and `on_disk` say what visitors' uploads hold, which is limited. Where the `door` is one
    that people sign in at, nobody passes who has not, and each request is logged. Health is answered until `stopping`,
    but where a one-time token keeps everybody else out.
    """
    return [
        *([] if access.token else [Middleware(Health, ask=door.ask_workspace, stopping=stopping)]),
        *([Middleware(AccessLog)] if door.settings.required else []),
        Middleware(SafetyHeaders, policy=content_security_policy(page)),
        Middleware(AccessControl, access=access),
        *([Middleware(SignInGate, door=door)] if door.settings.required else []),
        Middleware(UploadLimit, in_memory=in_memory, on_disk=on_disk, holdings=door.holdings),
        Middleware(ServedPage, index_html=index_html, page=page),
    ]
