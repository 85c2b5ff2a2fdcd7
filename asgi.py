"""app.py as it is served: `python -m qaviz app`, `streamlit run asgi.py`, or any ASGI server."""

from pathlib import Path

import streamlit as st

from qaviz.serving import armour

app = st.App(
    Path(__file__).with_name("app.py"),
    middleware=armour(
        (Path(st.__file__).parent / "static" / "index.html").read_text("utf-8"),
        st.get_option("server.allowedHosts"),
    ),
)
