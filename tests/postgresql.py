"""A real PostgreSQL for tests: a server of their own, in a temporary folder, on a free port of this machine."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

PASSWORD = "s3cr3t/of@tests"
SERVERS_USER = "postgres"
"""Whom Debian's package makes: PostgreSQL refuses to run as root."""

UNSAFE_AND_FAST = "-c fsync=off -c full_page_writes=off"
"""What is lost if this machine dies, and only then."""


@dataclass(frozen=True)
class Server:
    """A running server, whose only user may do everything."""

    folder: Path
    programs: Path
    port: int
    _numbers: Iterator[int] = field(default_factory=count)

    def url(self, **changed: object) -> str:
        """Of its database `postgres`, or with another part."""
        url = sa.URL.create("postgresql+psycopg", "qaviz", PASSWORD, "127.0.0.1", self.port, "postgres")
        return url.set(**changed).render_as_string(hide_password=False)

    def schema(self) -> str:
        """The URL of a new schema, which is to qaviz what an empty database is, and made in no time."""
        name = f"workspace_{next(self._numbers)}"
        self.do(f"CREATE SCHEMA {name}")
        return self.url(query={"options": f"-csearch_path={name}"})

    def do(self, statement: str) -> None:
        with closing(psycopg.connect(self.url().replace("+psycopg", ""), autocommit=True)) as connection:
            connection.execute(statement)

    def act(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs over the folder, as the user that may."""
        somebody_else = {"user": SERVERS_USER, "group": SERVERS_USER, "extra_groups": []} if os.getuid() == 0 else {}
        subprocess.run(
            [self.programs / program, "-D", self.folder / "data", *arguments],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            check=True,
            **somebody_else,
        )

    def start(self) -> None:
        options = f"-c listen_addresses=127.0.0.1 -p {self.port} -k {self.folder} {UNSAFE_AND_FAST}"
        self.act("pg_ctl", "start", "-w", "-l", str(self.folder / "log"), "-o", options)

    def stop(self, how: str = "fast") -> None:
        self.act("pg_ctl", "stop", "-w", "-m", how)


@contextmanager
def running_server() -> Iterator[Server]:
    """A server that ends with the block. Where PostgreSQL is not installed the test is skipped."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is missing: apt-get install postgresql")
    # Not in pytest's folder, which is nobody else's to enter.
    with tempfile.TemporaryDirectory(prefix="qaviz-postgresql-", ignore_cleanup_errors=True) as folder:
        server = Server(Path(folder), programs, _free_port())
        password = server.folder / "password"
        password.write_text(PASSWORD)
        if os.getuid() == 0:
            for path in (server.folder, password):
                shutil.chown(path, SERVERS_USER, pwd.getpwnam(SERVERS_USER).pw_gid)
        server.act("initdb", "--no-sync", "-U", "qaviz", "-A", "scram-sha-256", f"--pwfile={password}", "-E", "UTF8")
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")


def _programs() -> Path | None:
    """The folder with PostgreSQL's programs: Debian keeps them out of the path."""
    debians = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    found = shutil.which("pg_ctl")
    return debians[-1] if debians else Path(found).resolve().parent if found else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
