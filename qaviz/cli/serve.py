"""`qaviz app`: serve the pages on this machine, and only to it.

The process of the server loads all of qaviz. What only some servers need is loaded here where it is used, or the first
page would come half a second later.
"""

import os
import secrets
import socket
import sys
from contextlib import suppress
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from qaviz.access import APP_TOKEN_VARIABLE, HIGHEST_PORT, LOOPBACK_NAMES, PROXIES_VARIABLE
from qaviz.cli import options as o
from qaviz.cli.terminal import escape
from qaviz.model.errors import stop
from qaviz.model.records import SERVED, SERVER_VARIABLE, WORKSPACE_VARIABLE
from qaviz.store.index import DATABASE_VARIABLE, in_postgresql, place_of
from qaviz.store.run_records import run_table
from qaviz.store.workspace import open_workspace

PORT = 8501
HOST = "127.0.0.1"


def app_folder() -> Path:
    """The folder with app.py, pages and sample_data: the checkout, else where pip put them."""
    checkout = Path(__file__).parents[2]
    if (checkout / "app.py").is_file():
        return checkout
    for file in metadata.files("qaviz") or ():
        if file.name == "app.py" and (installed := Path(str(file.locate()))).is_file():
            return installed.resolve().parent
    raise stop(str(checkout), "no app.py", "the app's files beside the package", "Install qaviz again.")


def _refuse_taken_port(port: int) -> None:
    with socket.socket() as probe:
        # As the server does: a port that a dead connection still lingers on is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            where = f"--port {port}"
            fix = "Stop what listens there, or choose another port: --port 8502."
            raise stop(where, f"a port that cannot be opened ({error.strerror})", "a free port", fix) from None


class _AppOptions(o.Options):
    port: int = o.option("N", "port to serve on", type=o.number(1, HIGHEST_PORT), default=PORT)
    token: bool = o.switch("answer only the browser that opens the printed address with its one-time token")
    pipelines: Path | None = o.file("TOML file of the pipelines that Load may ask (default: $QAVIZ_PIPELINES)")


@o.command(_AppOptions)
def app(options: _AppOptions) -> NoReturn:
    """Serve the pages, to this machine only.

    The address is http://127.0.0.1 and the port. An empty workspace gets a sample run first. On a machine that others
    use too, --token keeps them out: it prints an address that works once, in one browser.
    """
    if find_spec("streamlit") is None:
        raise ModuleNotFoundError(name="streamlit")  # `main` names the extra
    home = app_folder()
    if options.pipelines:
        from qaviz.pipelines.pipeline import PIPELINES_VARIABLE, read_pipelines

        read_pipelines(options.pipelines)
        os.environ[PIPELINES_VARIABLE] = str(options.pipelines.absolute())
    _refuse_taken_port(options.port)
    workspace = open_workspace(options.workspace.absolute())
    place = place_of(workspace.index)
    words = f"{place}, as {DATABASE_VARIABLE} says" if in_postgresql(workspace.index) else f"the file {place}"
    print(escape(f"qaviz: the index is {words}"), flush=True)
    if run_table(workspace).is_empty():
        from qaviz.review.sample_review import import_sample_review
        from qaviz.runs import import_sample

        import_sample(home / "sample_data", workspace)
        import_sample_review(home / "sample_data", workspace)
    # -P keeps the current folder out of the import path: a file there must not stand in for a module.
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(home / "asgi.py")]
    command += [f"--server.address={HOST}", f"--server.port={options.port}", "--server.headless=true"]
    command += [f"--server.allowedHosts={name}" for name in LOOPBACK_NAMES]
    # Without a list of proxies, uvicorn trusts the forwarding headers of every program on this machine.
    environment = {PROXIES_VARIABLE: ""} | os.environ | {WORKSPACE_VARIABLE: str(workspace.folder)}
    environment[SERVER_VARIABLE] = secrets.token_urlsafe(16)
    environment.pop(APP_TOKEN_VARIABLE, None)
    if options.token:
        environment[APP_TOKEN_VARIABLE] = secrets.token_urlsafe(32)
        address = f"http://{HOST}:{options.port}/?token={environment[APP_TOKEN_VARIABLE]}"
        print(f"qaviz: open {address} (it works once)", flush=True)
    with suppress(OSError):  # a full disk
        served = f"{options.port} {environment[SERVER_VARIABLE]} {workspace.folder.resolve()}"
        (workspace.folder / SERVED).write_text(served, "utf-8", "surrogateescape")
    os.execve(sys.executable, command, environment)
