"""app.py as it is served: `python -m qaviz app`, `streamlit run asgi.py`, or any ASGI server."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from threading import Thread

import streamlit as st

from qaviz.serving import armour


@asynccontextmanager
async def _loading(_: st.App) -> AsyncIterator[None]:
    """Load what pages need while the first visitor's browser still fetches Streamlit's own files."""
    Thread(target=import_module, args=("qaviz.ui",), daemon=True).start()
    yield


app = st.App(
    Path(__file__).with_name("app.py"),
    lifespan=_loading,
    middleware=armour(
        (Path(st.__file__).parent / "static" / "index.html").read_text("utf-8"),
        st.get_option("server.allowedHosts"),
    ),
)
