"""Signing in, against the real server: who gets in, by which source, and what becomes of a forged or used cookie."""

import asyncio
import base64
import json
import logging
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx
import pytest
import sqlalchemy as sa
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey
from streamlit.auth_util import set_cookie_with_chunks
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value
from streamlit.web.server.starlette.starlette_server_config import TOKENS_COOKIE_NAME, USER_COOKIE_NAME

from qaviz.access import oidc as oidc_door
from qaviz.access.identity import (
    IDENTITY_HEADER,
    Identity,
    SignInSettings,
    Source,
    actor_of,
    open_identity,
    seal_identity,
    sign_in_settings,
)
from qaviz.model.errors import QavizError
from qaviz.serving import sign_in
from qaviz.serving.limits import RateLimit
from qaviz.serving.observed import JsonLines
from qaviz.serving.sign_in import COOKIE, THEN_COOKIE
from qaviz.store.members import IDLE, LONGEST, begin_sign_in, end_sign_in, find_sign_in, give_role, hash_cookie
from qaviz.store.tables import TABLES
from qaviz.store.visibility import LOCAL, Role
from qaviz.store.workspace import open_workspace
from tests.browser.served import Served, free_port, started
from tests.oidc_provider import CLIENT, SECRET, Provider, provider

pytestmark = pytest.mark.slow

RATES_AT_ONCE = sign_in.RATES[sign_in.Counted.ADDRESSES][0]
HTML = {"Accept": "text/html"}
PATHS = (
    "/",
    "/runs",
    "/static/index.js",
    "/_stcore/health",
    "/_stcore/host-config",
    "/media/0123.csv",
    "/component/x/index.html",
    "/app/static/x",
    "/auth/logout",
)


def cookie_of(answer: httpx.Response) -> str:
    """The value of the cookie of the sign-in, of those that the answer sets."""
    (cookie,) = (each for each in answer.headers.get_list("set-cookie") if each.startswith(f"{COOKIE}="))
    return cookie.partition(";")[0].partition("=")[2]


def signed_in(app: Served, cookie: str, path: str = "/runs") -> int:
    return httpx.get(app.url + path, headers={"Cookie": f"{COOKIE}={cookie}"} | HTML).status_code


def socket_status(app: Served, **headers: str) -> int:
    """The status of the answer to the start of a web socket."""
    asked = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(b"0123456789abcdef").decode(),
        "Origin": app.url,
    } | {name.replace("_", "-"): value for name, value in headers.items()}
    with httpx.stream("GET", f"{app.url}/_stcore/stream", headers=asked) as answer:
        return answer.status_code


@pytest.fixture(scope="module")
def oidc() -> Iterator[Provider]:
    with provider() as running:
        yield running


@pytest.fixture(scope="module")
def team_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("team") / "workspace"
    home = open_workspace(folder)
    give_role(home, "ada", Role.OWNER)
    give_role(home, "vi", Role.VIEWER)
    return folder


def write_secrets(folder: Path, port: int, provider: Provider) -> Path:
    """The file of secrets by which Streamlit finds the provider."""
    file = folder / "secrets.toml"
    file.write_text(
        f"""[auth]
redirect_uri = "http://127.0.0.1:{port}/oauth2callback"
cookie_secret = "{"x" * 40}"
client_id = "{CLIENT}"
client_secret = "{SECRET}"
server_metadata_url = "{provider.url}/.well-known/openid-configuration"
""",
        "utf-8",
    )
    return file


@pytest.fixture(scope="module")
def app(oidc: Provider, team_folder: Path) -> Iterator[Served]:
    """A server whose people sign in at the provider."""
    port = free_port()
    secrets = write_secrets(team_folder.parent, port, oidc)
    command = [sys.executable, "-m", "qaviz", "app", "--port", str(port), "--workspace", str(team_folder)]
    settings = {"QAVIZ_SIGN_IN": "oidc", "STREAMLIT_SECRETS_FILES": str(secrets)}
    with started(command, port, team_folder.parent, "/healthz", **settings) as running:
        yield running


@pytest.fixture(autouse=True)
def _own_address(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test asks from a loopback address of its own: an address may try to sign in so many times only."""
    if "named_proxy" in request.node.name:  # which is known by its address
        return
    own = hash(request.node.nodeid)
    address = f"127.{2 + own % 200}.{own // 200 % 250}.{1 + own // 50_000 % 250}"
    transport = httpx.HTTPTransport

    def from_address(*given: object, **options: object) -> httpx.HTTPTransport:
        return transport(*given, **({"local_address": address} | options))

    monkeypatch.setattr(httpx._client, "HTTPTransport", from_address)


@dataclass
class Browser:
    """Sends one set of cookies with each request."""

    url: str
    cookies: str = ""

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.url + path, headers={"Cookie": self.cookies} if self.cookies else {})


def callback(app: Served, way: str = "/auth/login") -> tuple[Browser, str]:
    """A browser that has been to the provider, and the address that the provider sent it back to."""
    browser = Browser(app.url)
    to_provider = browser.get(way)
    assert to_provider.status_code == 302, to_provider.text
    browser.cookies = "; ".join(each.partition(";")[0] for each in to_provider.headers.get_list("set-cookie"))
    back = httpx.get(to_provider.headers["location"])
    return browser, urlsplit(back.headers["location"])._replace(scheme="", netloc="").geturl()


def sign_in_at_provider(app: Served) -> httpx.Response:
    """The answer to a callback that signs ada in."""
    browser, back = callback(app)
    return browser.get(back)


def test_nothing_is_answered_before_signing_in(app: Served):
    """Pages, files, downloads, uploads, health and web sockets: 401, and for a browser the page to sign in on."""
    for path in PATHS:
        assert httpx.get(app.url + path).status_code in (401, 404), path
    page = httpx.get(f"{app.url}/compare?run=x", headers=HTML)
    assert page.status_code == 401
    assert "password" not in page.text
    assert quote("/compare?run=x") in page.text
    assert "<script" not in page.text
    upload = httpx.put(f"{app.url}/_stcore/upload_file/s/f", headers={"Origin": app.url}, content=b"x")
    assert upload.status_code == 401
    assert socket_status(app) == 401


def test_a_sign_in_is_a_session_with_a_safe_cookie(app: Served):
    """The cookie is Secure, HttpOnly and SameSite, of this host alone, new with each sign-in; and it opens the app."""
    answer = sign_in_at_provider(app)
    (cookie,) = (each for each in answer.headers.get_list("set-cookie") if each.startswith(f"{COOKIE}="))
    attributes = cookie.lower().split("; ")
    assert {"secure", "httponly", "samesite=lax", "path=/"} <= set(attributes)
    assert not any(each.startswith("domain") for each in attributes)
    assert cookie_of(answer) != cookie_of(sign_in_at_provider(app))
    assert signed_in(app, cookie_of(answer)) == 200
    assert socket_status(app, Cookie=f"{COOKIE}={cookie_of(answer)}") == 101


def test_other_cookies_get_a_secure_too(app: Served):
    """What Streamlit sets on its own goes over TLS alone as well."""
    cookie = cookie_of(sign_in_at_provider(app))
    answer = httpx.get(f"{app.url}/_stcore/host-config", headers={"Cookie": f"{COOKIE}={cookie}"})
    health = httpx.get(f"{app.url}/_stcore/health", headers={"Cookie": f"{COOKIE}={cookie}"})
    set_cookies = [*answer.headers.get_list("set-cookie"), *health.headers.get_list("set-cookie")]
    assert set_cookies
    assert all("secure" in each.lower() and "samesite" in each.lower() for each in set_cookies)


ELSEWHERE = ("//evil.example", "/\\evil.example", "https://evil.example", "evil", "/a\nb", "")


def test_forged_truncated_and_ended_cookies_open_nothing(app: Served, team_folder: Path):
    """A cookie that was changed, cut or signed out opens nothing, nor one whose sign-in the server has ended."""
    cookie = cookie_of(sign_in_at_provider(app))
    other = "A" if cookie[0] != "A" else "B"
    for forged in (cookie[:-1], cookie + "x", other + cookie[1:], "", hash_cookie(cookie), "\x7f", "x" * 10_000):
        assert signed_in(app, forged) in (400, 401), forged

    out = httpx.get(f"{app.url}/auth/sign-out", headers={"Cookie": f"{COOKIE}={cookie}"})
    assert out.status_code == 200
    assert "max-age=0" in out.headers["set-cookie"].lower()
    assert signed_in(app, cookie) == 401
    assert socket_status(app, Cookie=f"{COOKIE}={cookie}") == 401

    cookie = cookie_of(sign_in_at_provider(app))
    assert signed_in(app, cookie) == 200
    end_sign_in(open_workspace(team_folder), hash_cookie(cookie))
    assert signed_in(app, cookie) == 401


def test_another_site_signs_nobody_out_or_in(app: Served):
    """Signing out and signing in by another site's link are refused."""
    cookie = cookie_of(sign_in_at_provider(app))
    asked = {"Cookie": f"{COOKIE}={cookie}", "Sec-Fetch-Site": "cross-site"}
    assert httpx.get(f"{app.url}/auth/sign-out", headers=asked).status_code == 403
    assert signed_in(app, cookie) == 200
    assert httpx.get(f"{app.url}/auth/login", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def count_rows(folder: Path) -> dict[str, int]:
    """How many rows each table of the workspace's index has."""
    with open_workspace(folder).reading() as connection:
        return {
            name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for name, table in TABLES.tables.items()
        }


def test_refused_sign_ins_are_limited_and_write_nothing(app: Served, team_folder: Path):
    """One address may try so many times, then waits; whatever it sends, no table of the index grows, and no cookie is
    in the log, which is JSON."""
    cookie = cookie_of(sign_in_at_provider(app))
    assert signed_in(app, cookie) == 200
    before = count_rows(team_folder)
    answers = [httpx.get(f"{app.url}/oauth2callback?state={'s' * 1000}{n}&code=x") for n in range(RATES_AT_ONCE + 5)]
    assert {each.status_code for each in answers} == {401, 429}
    assert int(answers[-1].headers["retry-after"]) > 0
    assert count_rows(team_folder) == before
    lines = app.log.read_text("utf-8")
    assert cookie not in lines
    assert "sss" not in "".join(line for line in lines.splitlines() if line.startswith("{"))
    events = [json.loads(line) for line in lines.splitlines() if line.startswith("{")]
    (request, *_) = (each for each in events if each["event"] == "request" and each.get("subject") == "ada")
    assert {"at", "level", "path", "status", "seconds", "peer"} <= set(request)
    assert "?" not in request["path"]


def test_health_tells_nothing_and_needs_no_sign_in(app: Served):
    """/healthz and /readyz answer whoever asks, under any host name."""
    for path in ("/healthz", "/readyz"):
        answer = httpx.get(app.url + path, headers={"Host": "10.1.2.3"})
        assert (answer.status_code, answer.text) == (200, "ok\n")


def test_sessions_end_by_time(team_folder: Path):
    """A sign-in ends after its longest time, and earlier when nothing is asked; another source's does not count."""
    home = open_workspace(team_folder)
    key = hash_cookie(begin_sign_in(home, "ada", "Ada", "oidc"))
    found = find_sign_in(home, key, "oidc")
    assert found is not None
    now = found.expires_at - LONGEST
    assert find_sign_in(home, key, "header") is None
    assert find_sign_in(home, key, "oidc", now + IDLE * 0.9) is not None
    assert find_sign_in(home, key, "oidc", now + IDLE * 1.5) is not None
    assert find_sign_in(home, key, "oidc", now + IDLE * 3) is None
    for _ in range(20):
        now += IDLE / 2
        find_sign_in(home, key, "oidc", now)
    assert find_sign_in(home, key, "oidc", found.expires_at) is None


def test_a_page_without_the_server_believes_nobody():
    """The pages take the name from the header that this process sealed, and where a sign-in is asked for, fail
    closed; without one there is no access control."""
    required = SignInSettings(source=Source.OIDC)
    sealed = seal_identity(Identity(subject="ada", name="Ada · é"))
    assert actor_of(required, sealed).subject == "ada"
    text, _, signed = sealed.partition(".")
    for forged in (None, "", "ada", text, f"{text}.", f"{text}.{signed[:-1]}", f"{text[:-2]}.{signed}", f"x.{signed}"):
        assert open_identity(forged) is None
        with pytest.raises(QavizError):
            actor_of(required, forged)
    assert actor_of(SignInSettings(), sealed) is LOCAL


def test_settings_that_cannot_work_are_refused():
    """An unknown source, and a header without the proxies that may send it, end the start with what to do."""
    assert sign_in_settings({}).required is False
    for said in (
        {"QAVIZ_SIGN_IN": "everybody"},
        {"QAVIZ_SIGN_IN": "accounts"},
        {"QAVIZ_SIGN_IN": "header"},
        {"QAVIZ_SIGN_IN": "header", "FORWARDED_ALLOW_IPS": "*"},
    ):
        with pytest.raises(QavizError):
            sign_in_settings(said)
    asked = {"QAVIZ_SIGN_IN": "header", "FORWARDED_ALLOW_IPS": "10.0.0.5", "QAVIZ_SIGN_IN_HEADER": "Remote-User"}
    assert sign_in_settings(asked).header == "remote-user"


def test_a_rate_limit_fills_again():
    """So many at once, then one each interval; each key has its own bucket."""
    limit = RateLimit(burst=2, every=10)
    assert [limit.take("a", 0), limit.take("a", 0)] == [0, 0]
    assert limit.take("a", 0) == 10
    assert limit.take("b", 0) == 0
    assert limit.take("a", 9) == pytest.approx(1)
    assert limit.take("a", 10) == 0


def test_a_log_line_has_no_text_of_an_exception():
    """An exception may quote a response: the log has its type alone."""
    try:
        raise ValueError("the text of a response")
    except ValueError:
        record = logging.LogRecord("qaviz", logging.ERROR, "f.py", 1, "it broke", (), sys.exc_info())
    line = json.loads(JsonLines().format(record))
    assert line["exception"] == "ValueError"
    assert "response" not in json.dumps(line)


def test_only_the_named_proxy_says_who_somebody_is(team_folder: Path):
    """With the identity header, whoever asks from the proxy's address is who it says; from another address the header
    is ignored and logged, and nobody gets in."""
    for proxies, status in (("127.0.0.1", 200), ("10.9.8.7", 401)):
        port = free_port()
        command = [sys.executable, "-m", "qaviz", "app", "--port", str(port), "--workspace", str(team_folder)]
        settings = {"QAVIZ_SIGN_IN": "header", "FORWARDED_ALLOW_IPS": proxies}
        with started(command, port, team_folder.parent, "/healthz", **settings) as running:
            named = httpx.get(f"{running.url}/runs", headers={"X-Forwarded-Email": "ada"} | HTML)
            assert named.status_code == status
            twice = [("X-Forwarded-Email", "ada"), ("X-Forwarded-Email", "boss"), ("Accept", "text/html")]
            assert httpx.get(f"{running.url}/runs", headers=twice).status_code == 401
            for odd in (b"ada\xc2\xa0", "\u2003ada".encode(), b"account:ada", b"token:1"):
                asked = [(b"X-Forwarded-Email", odd), (b"Accept", b"text/html")]
                assert httpx.get(f"{running.url}/runs", headers=asked).status_code == 401
            forged = {IDENTITY_HEADER: seal_identity(Identity(subject="ada", name="Ada"))} | HTML
            assert httpx.get(f"{running.url}/runs", headers=forged).status_code == 401
            assert ("header was ignored" in running.log.read_text("utf-8")) == (status == 401)


def test_the_provider_signs_somebody_in(app: Served, oidc: Provider):
    """Who comes back with a token that the provider signed gets qaviz's own cookie, not Streamlit's; the way there
    used state, nonce and PKCE."""
    browser, back = callback(app)
    answer = browser.get(back)
    names = [each.partition("=")[0] for each in answer.headers.get_list("set-cookie")]
    assert answer.status_code == 303
    assert COOKIE in names
    assert not any(name.startswith("_streamlit_user") for name in names)
    assert signed_in(app, cookie_of(answer)) == 200
    asked = browser.get("/auth/login").headers["location"]
    assert all(each in asked for each in ("nonce=", "state=", "code_challenge="))
    assert oidc.nonces is not None


def test_people_land_on_the_link_that_they_opened(app: Served):
    """The page to sign in on leads through the provider to the link with all of its query; the way back is remembered
    in a cookie that no script reads and that ends with the sign-in."""
    link = "/diagnostics?run=June&text=a%20%22b%22%20%26%20%C3%A9&diagnosis=declined"
    page = httpx.get(app.url + link, headers=HTML).text
    browser, back = callback(app, unescape(re.search(r'href="(/auth/login[^"]*)"', page)[1]))
    answer = browser.get(back)
    assert (answer.status_code, answer.headers["location"]) == (303, link)
    kept = [each for each in answer.headers.get_list("set-cookie") if each.startswith(THEN_COOKIE)]
    assert "Max-Age=0" in kept[0]
    assert all(each in kept[0] for each in ("Secure", "HttpOnly"))


@pytest.mark.parametrize("then", ELSEWHERE)
def test_a_link_through_the_provider_leads_nowhere_else(app: Served, then: str):
    """Neither the link to sign in nor a forged cookie sends people to another site after the provider."""
    browser, back = callback(app, f"/auth/login?then={quote(then, safe='')}")
    browser.cookies += f"; {THEN_COOKIE}={quote(then, safe='')}"
    assert browser.get(back).headers["location"] == "/"


def test_a_callback_cannot_be_replayed(app: Served):
    """The address that signed somebody in signs nobody in a second time, in the same browser or in another."""
    browser, back = callback(app)
    assert browser.get(back).status_code == 303
    assert browser.get(back).status_code == 401
    assert httpx.get(app.url + back).status_code == 401
    _, stolen = callback(app)
    assert httpx.get(app.url + stolen).status_code == 401


class SignedIn:
    """In place of Streamlit: answers each callback as if the provider had signed somebody in."""

    async def __call__(self, _scope, _receive, send) -> None:
        await send({"type": "http.response.start", "status": 302, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def test_a_callback_cannot_be_replayed_on_another_server(tmp_path: Path):
    """What signed somebody in on one server of a workspace signs nobody in on the others, which have not seen it."""
    home = open_workspace(tmp_path / "workspace")
    source = sign_in.Provider(login_query=str, read_identity=lambda *_: Identity(subject="ada", name="Ada"))
    settings = SignInSettings(source=Source.OIDC)

    async def ask(state: str) -> int:
        door = sign_in.Door(settings=settings, workspace=lambda: home, provider=source)
        server = httpx.ASGITransport(sign_in.SignInGate(SignedIn(), door))
        async with httpx.AsyncClient(transport=server, base_url="http://server") as browser:
            return (await browser.get(f"/oauth2callback?state={state}")).status_code

    assert [asyncio.run(ask(state)) for state in ("one", "one", "another")] == [303, 401, 303]


def flip(token: str) -> str:
    head, claims, signature = token.split(".")
    return f"{head}.{claims}.{'A' if signature[0] != 'A' else 'B'}{signature[1:]}"


def unsigned(token: str) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"none"}').rstrip(b"=").decode()
    return f"{head}.{token.split('.')[1]}."


def by_hmac(token: str) -> str:
    """The same claims under HMAC by the secret of the client, which the provider's metadata may allow."""
    return jwt.encode({"alg": "HS256"}, claims_of(token), OctKey.import_key(SECRET))


def claims_of(token: str) -> dict:
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


def now(seconds: int) -> int:
    return int(time.time()) + seconds


@pytest.mark.parametrize(
    "spoiled",
    [
        {"spoil": flip},
        {"spoil": unsigned},
        {"spoil": lambda token: token[:-20]},
        {"spoil": lambda _token: "no token"},
        {"spoil": lambda _token: ""},
        {"signs_with": RSAKey.generate_key(2048, {"kid": "own"})},
        {"claims": {"nonce": "another"}},
        {"claims": {"nonce": None}},
        {"claims": {"aud": "another-client"}},
        {"claims": {"aud": "another-client", "azp": CLIENT}},
        {"claims": {"aud": ["another-client"], "azp": CLIENT}},
        {"claims": {"iss": "https://evil.example"}},
        {"claims": {"exp": now(-3600)}},
        {"claims": {"exp": None}},
        {"claims": {"iat": now(3600)}},
        {"claims": {"sub": None}},
        {"claims": {"sub": ""}},
        {"claims": {"sub": " ada "}},
        {"claims": {"sub": "ada\u00a0"}},
        {"claims": {"sub": "\u2003ada"}},
        {"claims": {"sub": "a\u200bda"}},
        {"claims": {"sub": "e\u0301va"}},
        {"claims": {"sub": "ada\n"}},
        {"claims": {"sub": "account:ada"}},
        {"claims": {"sub": "token:1"}},
        {"claims": {"sub": ["ada"]}},
    ],
    ids=[
        "signature",
        "no algorithm",
        "truncated",
        "no token",
        "empty",
        "another key",
        "another nonce",
        "no nonce",
        "another audience",
        "audience by azp",
        "audiences by azp",
        "another issuer",
        "expired",
        "no expiry",
        "from the future",
        "no subject",
        "blank subject",
        "subject in blanks",
        "no-break space",
        "wide space",
        "no width",
        "not composed",
        "line feed",
        "an account",
        "a token",
        "a list",
    ],
)
def test_a_token_that_is_not_for_this_sign_in_opens_nothing(
    app: Served, oidc: Provider, monkeypatch: pytest.MonkeyPatch, spoiled: dict
):
    """Signature, key, nonce, audience, issuer, times and subject are checked; the person reads that they are not
    signed in, and gets no cookie."""
    for name, value in spoiled.items():
        monkeypatch.setattr(oidc, name, {"sub": "ada"} | value if name == "claims" else value)
    browser, back = callback(app)
    answer = browser.get(back)
    assert answer.status_code == 401
    assert "You are not signed in" in answer.text
    assert COOKIE not in answer.headers.get("set-cookie", "")


@pytest.mark.parametrize("spoil", [unsigned, by_hmac], ids=["none", "HS256"])
def test_only_our_own_algorithms_count(app: Served, oidc: Provider, monkeypatch: pytest.MonkeyPatch, spoil: Callable):
    """A provider whose metadata lists `none` and HMAC gets nobody in with them: the server has a list of its own."""
    monkeypatch.setattr(oidc, "algorithms", ["RS256", "none", "HS256"])
    monkeypatch.setattr(oidc, "spoil", spoil)
    monkeypatch.setattr(oidc, "secrets", [OctKey.import_key(SECRET, {"kid": "own"})])
    assert sign_in_at_provider(app).status_code == 401


def signed_cookies(token: str) -> list[str]:
    """The cookies that Streamlit sets for a token that Authlib has let pass."""
    made = []

    def sign(name: str, value: str) -> bytes:
        return create_signed_value(get_cookie_secret(), name, value)

    def keep(name: str, value: str) -> None:
        made.append(SimpleCookie({name: sign(name, value).decode()}).output(header="").strip())

    for name, content in ((USER_COOKIE_NAME, claims_of(token)), (TOKENS_COOKIE_NAME, {"id_token": token})):
        set_cookie_with_chunks(keep, sign, name, content, cookie_attr_size=100)
    return made


def test_a_token_that_authlib_let_pass_is_checked_again(monkeypatch: pytest.MonkeyPatch):
    """Whatever the library accepts, an algorithm that is not on the list, or no ID token at all, is no sign-in."""
    monkeypatch.setattr(oidc_door, "get_secrets_auth_section", lambda: {"client_id": CLIENT})
    key = RSAKey.generate_key(2048, {"kid": "own"})
    claims = {"sub": "ada", "aud": CLIENT, "exp": now(300)}
    good = jwt.encode({"alg": "RS256", "kid": "own"}, claims, key)
    assert oidc_door.read_identity(signed_cookies(good), "sub").subject == "ada"
    for bad in (unsigned(good), by_hmac(good)):
        with pytest.raises(QavizError):
            oidc_door.read_identity(signed_cookies(bad), "sub")
    with pytest.raises(QavizError):
        oidc_door.read_identity(signed_cookies(good)[:1], "sub")


def test_streamlits_own_cookie_signs_nobody_in(app: Served):
    """A cookie in the form of Streamlit's, whoever signed it, is no sign-in here."""
    for name in ("_streamlit_user", COOKIE):
        asked = {"Cookie": f"{name}={json.dumps({'is_logged_in': True, 'sub': 'ada'})}"} | HTML
        assert httpx.get(f"{app.url}/runs", headers=asked).status_code in (400, 401)


def test_a_provider_that_is_down_lets_nobody_in(tmp_path: Path):
    """The person reads that the provider does not answer, the log says it, and who is signed in already goes on."""
    with provider() as gone:
        write_secrets(tmp_path, 1, gone)
    home, port = open_workspace(tmp_path / "workspace"), free_port()
    give_role(home, "ada", Role.OWNER)
    cookie = begin_sign_in(home, "ada", "Ada", "oidc")
    command = [sys.executable, "-m", "qaviz", "app", "--port", str(port), "--workspace", str(tmp_path / "workspace")]
    settings = {"QAVIZ_SIGN_IN": "oidc", "STREAMLIT_SECRETS_FILES": str(tmp_path / "secrets.toml")}
    with started(command, port, tmp_path, "/healthz", **settings) as running:
        answer = httpx.get(f"{running.url}/auth/login", timeout=30)
        assert answer.status_code == 503
        assert "does not answer" in answer.text
        assert "set-cookie" not in answer.headers
        assert signed_in(running, cookie) == 200
        assert "the sign-in provider does not answer" in running.log.read_text("utf-8")
    assert os.environ.get("QAVIZ_SIGN_IN") is None
