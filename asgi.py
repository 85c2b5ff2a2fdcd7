"""app.py as it is served: `python -m qaviz app`, `streamlit run asgi.py`, or any ASGI server."""

import gc
import os
from asyncio import to_thread
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Event, Thread

import streamlit as st

from qaviz.access import APP_TOKEN_VARIABLE, Access, SignInSettings, access_from, sign_in_settings
from qaviz.background import count_running, end_all
from qaviz.model.errors import QavizError
from qaviz.model.records import SERVER_VARIABLE, default_folder
from qaviz.serving import security_middleware
from qaviz.serving.observed import log_as_json, read_metrics_port, serve_metrics
from qaviz.store.workspace import Workspace, open_workspace

END_WITHIN_S = 20
"""Seconds that long work gets to end after the server was told to: what it has paid for is kept in its journal."""


def _load_first_page() -> None:
    """Import what the board is drawn with; of it Streamlit needs pandas, and the decision scipy. Nothing is garbage by
    then, and looking for some would take a sixth of the time."""
    gc.disable()
    try:
        for name in (*map("qaviz.ui.{}".format, ("board", "verdict", "panel", "review")), "pandas", "scipy.special"):
            import_module(name)
        gc.freeze()
    finally:
        gc.enable()


@asynccontextmanager
async def _loading(_: st.App) -> AsyncIterator[None]:
    """Load what pages need while the first visitor's browser still fetches Streamlit's own files."""
    loading.start()
    if metrics_port:
        serve_metrics(metrics_port, count_running)
    yield
    stopping.set()
    # Off the event loop, where browsers still hear how far the work is.
    await to_thread(end_all, END_WITHIN_S)


def _read_settings() -> tuple[SignInSettings, Access, int | None]:
    """How people sign in, who may reach the pages, and the port of the figures. Ends the start if that cannot work."""
    try:
        settings = sign_in_settings(os.environ)
        if settings.required:
            _open_home()
        access = access_from(st.get_option, os.environ, settings.header)
        return settings, access, read_metrics_port(os.environ)
    except QavizError as error:
        raise SystemExit(f"qaviz: {error}") from None
    finally:
        # Programs that the app starts have no business with it.
        os.environ.pop(APP_TOKEN_VARIABLE, None)


@cache
def _open_home() -> Workspace:
    return open_workspace(default_folder())


stopping, loading = Event(), Thread(target=_load_first_page, daemon=True)
sign_in, access, metrics_port = _read_settings()
if sign_in.required:
    log_as_json()
app = st.App(
    Path(__file__).with_name("app.py"),
    lifespan=_loading,
    middleware=[
        security_middleware(
            (Path(st.__file__).parent / "static" / "index.html").read_text("utf-8"),
            access,
            sign_in,
            ask=lambda: _open_home().ask(),
            stopping=stopping,
            loading=loading,
            name=os.environ.pop(SERVER_VARIABLE, ""),
        )
    ],
)
