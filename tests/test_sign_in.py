"""Signing in: whom the identity proxy names gets in, and nobody else."""

import json
import logging
import sys
from pathlib import Path
from threading import Event, Thread

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.types import Receive, Scope, Send

from qaviz.access import (
    IDENTITY_HEADER,
    SECRET_HEADER,
    Access,
    SignInSettings,
    actor_of,
    open_subject,
    seal_subject,
    sign_in_settings,
)
from qaviz.model.errors import QavizError
from qaviz.serving import security_middleware
from qaviz.serving.observed import JsonLines
from qaviz.store.roles import LOCAL

ADA = "X-Forwarded-Email", "ada"
SECRET = "s" * 40
HTML = ("Accept", "text/html")
PATHS = (
    "/",
    "/runs",
    "/static/index.js",
    "/_stcore/health",
    "/_stcore/host-config",
    "/media/0123.csv",
    "/component/x/index.html",
    "/app/static/x",
    "/auth/login",
    "/auth/logout",
    "/oauth2callback",
)


async def pages(scope: Scope, receive: Receive, send: Send) -> None:
    """An app that answers 200 to all."""
    await PlainTextResponse("in")(scope, receive, send)


def behind_proxy(secret: str = SECRET, client: str = "127.0.0.1") -> TestClient:
    """A server's middleware before an app that answers all, as a client of this address sees it: behind a proxy on this
    machine that sends a secret."""
    settings = SignInSettings(header="x-forwarded-email", secret=secret)
    access = Access(proxies="127.0.0.1", identity_headers=frozenset({settings.header}))
    layer = security_middleware("<title>", access, settings, lambda: None, Event(), Thread())
    app = layer.cls(pages, *layer.args, **layer.kwargs)
    return TestClient(app, base_url="http://127.0.0.1", client=(client, 50_000))


def test_nothing_is_answered_before_signing_in():
    """Pages, files, downloads, uploads, health and web sockets: 401 or nothing there, and for a browser a page without
    a script."""
    app = behind_proxy()
    for path in PATHS:
        assert app.get(path).status_code in (401, 404), path
    page = app.get("/compare?run=x", headers=[HTML])
    assert page.status_code == 401
    assert "<script" not in page.text
    upload = app.put("/_stcore/upload_file/s/f", headers={"Origin": "http://127.0.0.1"}, content=b"x")
    assert upload.status_code in (401, 403)
    with pytest.raises(WebSocketDenialResponse), app.websocket_connect("/_stcore/stream"):
        pass


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([ADA, (SECRET_HEADER, SECRET)], 200),
        ([("x-FORWARDED-email", "ada"), (SECRET_HEADER.title(), SECRET)], 200),
        ([ADA], 401),
        ([ADA, (SECRET_HEADER, "")], 401),
        ([ADA, (SECRET_HEADER, SECRET[:-1])], 401),
        ([ADA, (SECRET_HEADER, "é".encode())], 401),
        ([ADA, (SECRET_HEADER, SECRET), (SECRET_HEADER, SECRET)], 401),
        ([(SECRET_HEADER, SECRET)], 401),
        ([ADA, ADA, (SECRET_HEADER, SECRET)], 401),
        ([ADA, (ADA[0], "boss"), (SECRET_HEADER, SECRET)], 401),
        ([(b"X-Forwarded-Email", b"ada\xc2\xa0"), (SECRET_HEADER, SECRET)], 401),
        ([("X-Forwarded-Email", "\u2003ada".encode()), (SECRET_HEADER, SECRET)], 401),
        ([("X-Forwarded-Email", "account:ada"), (SECRET_HEADER, SECRET)], 401),
        ([("X-Forwarded-Email", "token:1"), (SECRET_HEADER, SECRET)], 401),
        ([(IDENTITY_HEADER, seal_subject("ada")), (SECRET_HEADER, SECRET)], 401),
    ],
)
def test_the_proxys_word_counts_with_its_secret_alone(headers: list, status: int):
    """One name beside one secret gets in, in any case of the headers' names; a missing, wrong or doubled one, an odd
    name, or the server's own sealed header from outside does not."""
    assert behind_proxy().get("/runs", headers=[*headers, HTML]).status_code == status


def test_another_address_says_nothing(caplog: pytest.LogCaptureFixture):
    """From an address that is not the proxy's the header is ignored and logged, with the right secret too."""
    headers = [ADA, (SECRET_HEADER, SECRET), HTML]
    assert behind_proxy(client="10.9.8.7").get("/runs", headers=headers).status_code == 401
    assert "header was ignored" in caplog.text


def test_health_tells_nothing_and_needs_no_sign_in():
    """/healthz and /readyz answer whoever asks, under any host name."""
    for path in ("/healthz", "/readyz"):
        answer = behind_proxy().get(path, headers={"Host": "10.1.2.3"})
        assert (answer.status_code, answer.text) == (200, "ok\n")


def test_a_page_without_the_server_believes_nobody():
    """The pages take the name from the header that this process sealed, and where a sign-in is asked for, fail
    closed; without one there is no access control."""
    required = SignInSettings(header="x-forwarded-email")
    sealed = seal_subject("ada · é")
    assert actor_of(required, sealed).subject == "ada · é"
    text, _, signed = sealed.partition(".")
    for forged in (None, "", "ada", text, f"{text}.", f"{text}.{signed[:-1]}", f"{text[:-2]}.{signed}", f"x.{signed}"):
        assert open_subject(forged) is None
        with pytest.raises(QavizError):
            actor_of(required, forged)
    assert actor_of(SignInSettings(), sealed) is LOCAL


REFUSED = {
    "everybody": {"QAVIZ_SIGN_IN": "everybody"},
    "a file of settings": {"QAVIZ_SETTINGS": "team.toml", "QAVIZ_SIGN_IN": "none"},
    "no proxy": {"FORWARDED_ALLOW_IPS": ""},
    "any proxy": {"FORWARDED_ALLOW_IPS": "*"},
    "no secret": {"FORWARDED_ALLOW_IPS": "127.0.0.1, 10.0.0.5"},
    "a file that is not there": {"QAVIZ_PROXY_SECRET_FILE": "/nowhere"},
    "a short secret": {"QAVIZ_PROXY_SECRET_FILE": "short"},
    "a way out to another host": {"QAVIZ_SIGN_OUT": "//evil.example"},
    "a way out that is a script": {"QAVIZ_SIGN_OUT": "javascript:alert(1)"},
}


@pytest.mark.parametrize("settings", REFUSED.values(), ids=REFUSED)
def test_settings_that_cannot_work_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict):
    """What is gone or unknown, and a proxy that anybody could play, end the start with what to do."""
    monkeypatch.chdir(tmp_path)
    Path("short").write_text("x" * 31)
    with pytest.raises(QavizError):
        sign_in_settings({"QAVIZ_SIGN_IN": "header", "FORWARDED_ALLOW_IPS": "127.0.0.1"} | settings)


def test_settings_of_a_proxy(tmp_path: Path):
    """A proxy elsewhere with a secret, another header and its own way out; nothing set means this machine's user."""
    (tmp_path / "secret").write_text(f"{SECRET}\n")
    settings = sign_in_settings(
        {
            "QAVIZ_SIGN_IN": "header",
            "FORWARDED_ALLOW_IPS": "10.0.0.5,10.1.0.0/16",
            "QAVIZ_SIGN_IN_HEADER": "Remote-User",
            "QAVIZ_PROXY_SECRET_FILE": str(tmp_path / "secret"),
            "QAVIZ_SIGN_OUT": "/logout?to=1",
        }
    )
    assert (settings.header, settings.secret, settings.way_out) == ("remote-user", SECRET, "/logout?to=1")
    assert SECRET not in repr(settings)
    assert sign_in_settings({}).required is False


def test_a_log_line_has_no_text_of_an_exception():
    """An exception may quote a response: the log has its type alone."""
    try:
        raise ValueError("the text of a response")
    except ValueError:
        record = logging.LogRecord("qaviz", logging.ERROR, "f.py", 1, "it broke", (), sys.exc_info())
    line = json.loads(JsonLines().format(record))
    assert line["exception"] == "ValueError"
    assert "response" not in json.dumps(line)
