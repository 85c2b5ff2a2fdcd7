"""An S3 server for tests: moto on loopback, which can be told to answer badly."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from typing import Any

import boto3
import pytest

KEY_ID, SECRET = "AKIAQAVIZTEST0000000", "s3cr3t-of-the-bucket"
ALL = 10**9

Answer = tuple[str, list[tuple[str, str]], bytes]
"""Status line, headers, body."""


@dataclass
class Fault:
    """What happens to the next `times` requests of a method whose path has the text in it."""

    method: str
    text: str
    change: Callable[[Answer], Answer]
    times: int = ALL
    after: bool = True
    """Whether the server does what it was asked, and only the answer is another one."""


@dataclass
class Server:
    """Buckets, and what goes wrong with them."""

    url: str = ""
    faults: list[Fault] = field(default_factory=list)
    requests: list[tuple[str, str]] = field(default_factory=list)
    """Method and path of each request."""
    before: Callable[[str, str], None] = lambda *_: None
    """Called with method and path before a request is done."""
    after: Callable[[str, str], None] = lambda *_: None
    """Called with method and path when a request was done, before it is answered."""
    _numbers: Iterator[int] = field(default_factory=count)

    @cached_property
    def client(self) -> Any:
        """Sees what there is."""
        session = boto3.session.Session(KEY_ID, SECRET, region_name="us-east-1")
        return session.client("s3", endpoint_url=self.url)

    def make_bucket(self) -> str:
        name = f"bucket-{next(self._numbers)}"
        self.client.create_bucket(Bucket=name)
        return name

    def objects(self, bucket: str) -> dict[str, bytes]:
        """All objects of the bucket."""
        client = self.client
        keys = [each["Key"] for each in client.list_objects_v2(Bucket=bucket).get("Contents", ())]
        return {key: client.get_object(Bucket=bucket, Key=key)["Body"].read() for key in keys}

    def sent(self, method: str, text: str = "") -> int:
        """How many requests of the method had the text in their path."""
        return sum(asked == method and text in path for asked, path in self.requests)

    def fail(self, method: str, text: str, change: Callable[[Answer], Answer], times: int = ALL, *, after=True) -> None:
        self.faults.append(Fault(method, text, change, times, after))

    def mend(self) -> None:
        """Answer well again."""
        self.faults.clear()
        self.requests.clear()
        self.before = self.after = lambda *_: None


def refusing(status: str, code: str) -> Callable[[Answer], Answer]:
    """Refuse as S3 does; the message names the secret, as a careless server would."""
    body = f"<Error><Code>{code}</Code><Message>key {SECRET}</Message><RequestId>1</RequestId></Error>".encode()
    return lambda _: (status, [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))], body)


def cut(answer: Answer) -> Answer:
    """Half of the body, under the length of all of it."""
    status, headers, body = answer
    return status, headers, body[: len(body) // 2]


def altered(answer: Answer) -> Answer:
    """One bit of the body is another one."""
    status, headers, body = answer
    middle = len(body) // 2
    return status, headers, body[:middle] + bytes([body[middle] ^ 1]) + body[middle + 1 :]


def garbage(answer: Answer) -> Answer:
    """No XML where XML is expected."""
    return answer[0], [("Content-Length", "5")], b"<<<<<"


@contextmanager
def running_s3() -> Iterator[Server]:
    """A server that ends with the block."""
    werkzeug = pytest.importorskip("moto.moto_server.werkzeug_app", reason="moto is optional")
    from werkzeug.serving import WSGIRequestHandler, make_server

    class Silent(WSGIRequestHandler):
        def log(self, *_: object) -> None:
            pass

    server = Server()
    app = _faulty(werkzeug.DomainDispatcherApplication(werkzeug.create_backend_app), server)
    listening = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Silent)
    server.url = f"http://127.0.0.1:{listening.server_port}"
    thread = threading.Thread(target=listening.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        listening.shutdown()
        thread.join()
        listening.server_close()


def _faulty(app: Any, server: Server) -> Any:
    def answer(environ: dict[str, Any], start: Callable[..., object]) -> Iterable[bytes]:
        method, path = environ["REQUEST_METHOD"], f"{environ['PATH_INFO']}?{environ['QUERY_STRING']}"
        server.requests.append((method, path))
        server.before(method, path)
        fault = next(
            (each for each in server.faults if each.method == method and each.text in path and each.times), None
        )
        if fault is None:
            body = app(environ, start)
            server.after(method, path)
            return body
        fault.times -= 1
        said: Answer = ("200 OK", [], b"")
        if fault.after:
            heard: list[Any] = []
            body = b"".join(app(environ, lambda status, headers, *_: heard.extend((status, headers))))
            said = heard[0], heard[1], body
        status, headers, body = fault.change(said)
        start(status, headers)
        return [body]

    return answer


def configure(monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    """Name the server and its credentials, and nothing of this machine's, in AWS's own variables."""
    for name, value in {
        "AWS_ENDPOINT_URL_S3": server.url,
        "AWS_ACCESS_KEY_ID": KEY_ID,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    }.items():
        monkeypatch.setenv(name, value)
