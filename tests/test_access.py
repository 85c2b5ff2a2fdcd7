"""Who is answered: host names, origins, forwarded headers and the token, before the app sees a request; and the policy
that browsers are told to keep to.
"""

from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256

import pytest

from qaviz.access import Access, access_from
from qaviz.model.errors import QavizError
from qaviz.serving import content_security_policy
from qaviz.serving.checks import AccessControl, Front
from tests.front import App, ask

NOBODY_ELSE = Access()
PUBLIC = Access(hosts=("qaviz.example.com",), origins=frozenset({"http://localhost:9000"}))
ELSEWHERE = """http://127.0.0.1:8502 http://localhost:8501 https://127.0.0.1:8501 http://[::1]:8501
http://127.0.0.1:8501/ http://2130706433:8501 http://someone@127.0.0.1:8501 http://127.0.0.1:8501@evil.example
http://127.0.0.1:8501.evil.example http://evil.example null"""
OTHER_HOSTS = """evil.example 127.0.0.1.nip.io:8501 localhost.evil.example:8501 evil.example@127.0.0.1:8501
127.0.0.1:8501/.evil.example [::1]:8501"""
STREAM, UPLOAD = "/_stcore/stream", "/_stcore/upload_file/session/file"


@dataclass
class Guarded:
    """The check before an app that answers 200 to all, and what that app was asked."""

    access: Access = NOBODY_ELSE
    server: tuple[str, int] = ("127.0.0.1", 8501)

    def __post_init__(self):
        app = App()
        self.asked, self.control = app.asked, Front(app, [AccessControl(self.access)])

    def ask(self, *headers: tuple[str, str], path: str = STREAM, method: str = "", **scope) -> dict:
        """The start of the answer to one request: to a web socket, or to HTTP if a method is given."""
        kind = {"method": method} if method else {"type": "websocket", "scheme": "ws"}
        raw = [(name.lower().encode(), given.encode("latin-1")) for name, given in headers]
        return ask(self.control, path, headers=raw, server=self.server, **kind | scope)

    def status(self, *headers: tuple[str, str], **request) -> int:
        return self.ask(*headers, **request)["status"]


@pytest.mark.parametrize("kind", [{}, {"method": "PUT", "path": UPLOAD}, {"method": "POST"}, {"method": "DELETE"}])
@pytest.mark.parametrize(
    "origins",
    [
        *([origin] for origin in ELSEWHERE.split()),
        *([], [""], ["http://127.0.0.1:8501", "http://evil.example"], ["http://127.0.0.1:8501, http://evil.example"]),
    ],
)
def test_another_origin_is_refused_before_the_app_sees_it(origins: list[str], kind: dict):
    """A web socket or a request that changes something, of any origin but the served one, does not reach Streamlit."""
    guarded = Guarded()
    headers = [("Host", "127.0.0.1:8501"), *(("Origin", each) for each in origins)]

    assert guarded.status(*headers, **kind) == 403
    assert guarded.asked == []


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:8501", "http://127.0.0.1:8501"),
        ("localhost:8501", "http://localhost:8501"),
        ("LOCALHOST:8501", "http://localhost:8501"),
    ],
)
@pytest.mark.parametrize("kind", [{}, {"method": "PUT", "path": UPLOAD}])
def test_the_served_origin_is_answered(host: str, origin: str, kind: dict):
    """The app's own pages open their web socket and upload, under either name of this machine."""
    assert Guarded().status(("Host", host), ("Origin", origin), **kind) == 200


@pytest.mark.parametrize(
    "hosts", [*([host] for host in OTHER_HOSTS.split()), [""], [], ["127.0.0.1:8501", "evil.example"]]
)
@pytest.mark.parametrize("kind", [{}, {"method": "GET", "path": "/"}, {"method": "GET", "path": "/_stcore/health"}])
def test_another_host_name_is_refused(hosts: list[str], kind: dict):
    """A name that somebody made to mean 127.0.0.1 is not answered to, whatever the origin says."""
    guarded = Guarded()
    headers = [("Origin", "http://127.0.0.1:8501"), *(("Host", each) for each in hosts)]

    assert guarded.status(*headers, **kind) == 400
    assert guarded.asked == []


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("qaviz.example.com", "https://qaviz.example.com", 200),
        ("qaviz.example.com:443", "https://qaviz.example.com", 200),
        ("qaviz.example.com:8501", "http://qaviz.example.com:8501", 200),
        ("qaviz.example.com", "http://qaviz.example.com", 403),
        ("qaviz.example.com", "https://qaviz.example.com:8443", 403),
        ("qaviz.example.com", "https://other.example.com", 403),
        ("127.0.0.1:8501", "https://127.0.0.1", 403),
        ("127.0.0.1:8501", "https://qaviz.example.com", 403),
        ("localhost:8501", "http://localhost:9000", 200),
        ("localhost:8501", "http://localhost:9001", 403),
    ],
)
def test_public_names_and_origins_are_those_configured(host: str, origin: str, status: int):
    """Behind a TLS proxy the public name's own origin is answered, and an origin that is configured exactly."""
    assert Guarded(PUBLIC).status(("Host", host), ("Origin", origin)) == status


def test_streamlit_is_shown_the_host_of_an_allowed_origin():
    """Streamlit compares Origin with Host, and asks other servers for this machine's address where they differ."""
    guarded = Guarded(PUBLIC)
    guarded.ask(("Host", "localhost:8501"), ("Origin", "http://localhost:9000"))
    guarded.ask(("Host", "qaviz.example.com:443"), ("Origin", "https://qaviz.example.com"))

    hosts = [dict(scope["headers"])[b"host"] for scope in guarded.asked]
    assert hosts == [b"localhost:9000", b"qaviz.example.com"]


CLOSED = """/_stcore/metrics /_stcore/metrics/ /base/_stcore/metrics /_stcore/metrics?families=session_events
/_stcore/agent/interact /_stcore/agent/openapi.json /_stcore/script-health-check"""


@pytest.mark.parametrize("path", CLOSED.split())
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_figures_about_the_server_are_closed(path: str, method: str):
    """Addresses that no page asks for are not there."""
    headers = (("Host", "127.0.0.1:8501"), ("Origin", "http://127.0.0.1:8501"))
    assert Guarded().status(*headers, path=path, method=method) == 404


def options(**given):
    """What Streamlit's `get_option` says where these are set."""
    return {f"server.{name}": value for name, value in given.items()}.get


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "[::]", "192.168.1.7", "qaviz.example.com", "", None])
def test_an_open_address_needs_public_host_names(address: str | None):
    """The server does not start where other machines reach it, unless its public names are given; it says how."""
    with pytest.raises(QavizError, match=r"--server\.allowedHosts"):
        access_from(options(address=address), {})
    with pytest.raises(QavizError, match=r"--server\.allowedHosts"):
        access_from(options(address=address, allowedHosts=["*"]), {})
    assert access_from(options(address=address, allowedHosts=["a.example"]), {}).hosts == ("a.example",)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.3.2.1", "::1", "[::1]", "localhost"])
def test_a_loopback_address_needs_nothing(address: str):
    """Alone on a machine nothing is configured."""
    assert access_from(options(address=address), {}).hosts == ()


def test_a_connection_from_elsewhere_needs_public_host_names():
    """Another server than Streamlit's may listen on every address: those connections are refused, loopback's not."""
    own = (("Host", "127.0.0.1:8501"), ("Origin", "http://127.0.0.1:8501"))
    assert Guarded(server=("192.168.1.7", 8501)).status(*own) == 403
    assert Guarded(server=("192.168.1.7", 8501)).status(*own, method="GET", path="/") == 403
    assert Guarded(server=("127.0.0.1", 8501)).status(*own) == 200


FORWARDED = (
    ("X-Forwarded-Proto", "https"),
    ("X-Forwarded-For", "203.0.113.9"),
    ("X-Forwarded-Host", "evil.example"),
    ("Forwarded", "for=203.0.113.9"),
    ("X-Real-IP", "203.0.113.9"),
    ("X-Forwarded-Email", "boss@example.com"),
    ("Remote-User", "boss"),
)


@pytest.mark.parametrize(
    ("proxies", "client", "believed"),
    [
        ("", ("127.0.0.1", 50_000), False),
        # uvicorn believed it by itself.
        ("", ("203.0.113.9", 0), False),
        ("10.0.0.5", ("127.0.0.1", 50_000), False),
        ("10.0.0.5, 10.1.0.0/16", ("10.1.2.3", 50_000), True),
        ("10.0.0.5", ("203.0.113.9", 0), True),
        ("*", ("203.0.113.9", 50_000), True),
        ("nonsense", ("127.0.0.1", 50_000), False),
    ],
)
def test_only_a_configured_proxy_says_for_whom_it_asks(proxies: str, client: tuple[str, int], believed: bool):
    """Forwarded headers, and those that say who somebody is, reach the app from a configured proxy alone."""
    guarded = Guarded(Access(proxies=proxies, identity_headers=frozenset({"remote-user"})))
    guarded.ask(("Host", "localhost"), *FORWARDED, method="GET", path="/", scheme="https", client=client)
    (scope,) = guarded.asked
    names = {name.decode() for name, _ in scope["headers"]}

    assert names == {"host", *(name.lower() for name, _ in FORWARDED)} if believed else {"host"}
    assert scope["scheme"] == ("https" if believed else "http")
    assert believed or (scope["client"] or ("127.0.0.1",))[0] == "127.0.0.1"


def test_a_forged_scheme_makes_no_other_origin_the_served_one():
    """What a program says of TLS does not make https://127.0.0.1:8501 the served origin."""
    headers = (("Host", "127.0.0.1:8501"), ("Origin", "https://127.0.0.1:8501"), ("X-Forwarded-Proto", "https"))
    assert Guarded().status(*headers, scheme="wss") == 403


TOKEN = "a-token-of-many-letters"
OWN = ("Host", "127.0.0.1:8501")


def cookie_of(answer: dict) -> str:
    return dict(answer["headers"])[b"set-cookie"].decode()


def test_a_token_becomes_a_cookie_once():
    """The address with the token gives one browser a cookie that no script reads and no other site sends."""
    guarded = Guarded(Access(token=TOKEN))
    cookie = cookie_of(guarded.ask(OWN, method="GET", path=f"/?token={TOKEN}"))
    _, *attributes = cookie.lower().split("; ")

    assert {"httponly", "samesite=strict", "path=/"} <= set(attributes)
    assert TOKEN not in cookie
    assert guarded.status(OWN, method="GET", path=f"/?token={TOKEN}") == 403
    assert guarded.asked == []
    entry = ("Cookie", cookie.partition(";")[0])
    assert guarded.status(OWN, ("Cookie", f"other=1; {entry[1]}"), method="GET", path="/") == 200
    assert guarded.status(OWN, entry, ("Origin", "http://127.0.0.1:8501")) == 200
    assert guarded.status(OWN, entry, ("Origin", "http://127.0.0.1:8502")) == 403


@pytest.mark.parametrize("path", ["/", "/static/index.js", "/_stcore/health", "/_stcore/host-config", "/media/a.csv"])
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"query": "?token="},
        {"query": f"?token={TOKEN}x"},
        {"query": f"?token={TOKEN}&token={TOKEN}"},
        {"query": "?token=%F0%9F%98%80%00"},
        {"cookie": f"qaviz-8501={TOKEN}"},
        {"cookie": "qaviz-8501=\xff\xfe"},
    ],
)
def test_nothing_is_answered_without_the_token(path: str, given: dict):
    """Pages, files, health, media and web sockets: nothing without the token, or with something like it."""
    guarded = Guarded(Access(token=TOKEN))
    headers = [OWN, ("Origin", "http://127.0.0.1:8501"), *([("Cookie", given["cookie"])] if "cookie" in given else [])]

    assert guarded.status(*headers, method="GET", path=path + given.get("query", "")) == 403
    assert guarded.status(*headers, path=STREAM + given.get("query", "")) == 403
    assert guarded.asked == []


def test_a_token_is_not_spent_by_another_kind_of_request():
    """A web socket or a HEAD (a preview of a link) leaves the token as it is."""
    guarded = Guarded(Access(token=TOKEN))
    assert guarded.status(OWN, method="HEAD", path=f"/?token={TOKEN}") == 403
    assert guarded.status(OWN, ("Origin", "http://127.0.0.1:8501"), path=f"{STREAM}?token={TOKEN}") == 403
    assert guarded.status(OWN, method="GET", path=f"/compare?token={TOKEN}") == 200


def scripts_of(policy: str) -> str:
    return next(part for part in policy.split("; ") if part.startswith("script-src"))


@pytest.mark.parametrize("script", ["\n  window.ready = false\n", "é’", ""])
def test_an_inline_script_of_the_page_is_named_by_its_hash(script: str):
    """The policy lets the served page's own inline script run, to the letter, and the page's files need no hash."""
    page = f'<head><script src="a.js"></script><script>{script}</script></head>'
    digest = b64encode(sha256(script.encode()).digest()).decode()

    assert scripts_of(content_security_policy(page)) == f"script-src 'self' 'wasm-unsafe-eval' blob: 'sha256-{digest}'"
