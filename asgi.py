"""app.py as it is served: `python -m qaviz app`, `streamlit run asgi.py`, or any ASGI server."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from threading import Thread

import streamlit as st

import qaviz
from qaviz.access import ACCESS_OPTIONS, TOKEN_VARIABLE, Access, access_from
from qaviz.model.errors import QavizError
from qaviz.serving import page_to_serve, security_middleware
from qaviz.uploads import Sweeper, held_in_memory, held_on_disk


@asynccontextmanager
async def _loading(_: st.App) -> AsyncIterator[None]:
    """Load what pages need while the first visitor's browser still fetches Streamlit's own files; sweep uploads."""
    Thread(target=import_module, args=("qaviz.ui",), daemon=True).start()
    Thread(target=Sweeper().run, daemon=True).start()
    yield


def _access() -> Access:
    try:
        return access_from({name: st.get_option(name) for name in ACCESS_OPTIONS}, os.environ)
    except QavizError as error:
        raise SystemExit(f"qaviz: {error}") from None
    finally:
        # Programs that the app starts have no business with it.
        os.environ.pop(TOKEN_VARIABLE, None)


STREAMLIT_PAGE = (Path(st.__file__).parent / "static" / "index.html").read_text("utf-8")

app = st.App(
    Path(__file__).with_name("app.py"),
    lifespan=_loading,
    middleware=security_middleware(
        STREAMLIT_PAGE,
        page_to_serve(STREAMLIT_PAGE, Path(qaviz.__file__).parent / "ui" / "widgets"),
        _access(),
        in_memory=held_in_memory,
        on_disk=held_on_disk,
    ),
)
