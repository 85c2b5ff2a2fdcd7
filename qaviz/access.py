"""Who may reach the pages, and who somebody is: this machine's user, or whom an identity proxy names.

The server identifies a request before Streamlit sees it, and puts what it found into a header that it seals with a
secret of this process: a page that is served without the server's middleware believes nobody.
"""

import hmac
import ipaddress
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qaviz.model.errors import Problem, QavizError, stop
from qaviz.store.roles import LOCAL, Actor

APP_TOKEN_VARIABLE = "QAVIZ_APP_TOKEN"
"""Environment variable with the one-time token of `qaviz app --token`. It is not an argument: those are public."""
PROXIES_VARIABLE = "FORWARDED_ALLOW_IPS"
"""Environment variable with the addresses of trusted proxies, as uvicorn reads it: `10.0.0.5,10.1.0.0/16`."""

LOOPBACK_NAMES = ("127.0.0.1", "localhost")
"""What a browser on this machine calls the server."""
HIGHEST_PORT = 65_535


@dataclass(frozen=True, kw_only=True)
class Access:
    """Who may reach the pages: host names, origins, proxies and a token."""

    hosts: tuple[str, ...] = ()
    """Public host names, such as `qaviz.example.com` or `*.example.com`. LOOPBACK_NAMES are always answered to."""
    origins: frozenset[str] = frozenset()
    """Public origins beside those that follow from the host names, such as `http://localhost:9000` for a tunnel."""
    proxies: str = ""
    """Addresses and networks of trusted proxies, joined by commas; `*` trusts every client."""
    identity_headers: frozenset[str] = frozenset()
    """Lower-case names of the headers in which a proxy says who somebody is."""
    tls: bool = False
    token: str = field(default="", repr=False)
    """One-time token without which nothing is answered; empty: no token is asked for."""

    def from_proxy(self, client: str) -> bool:
        """Whether a request from this address may say for whom it was forwarded."""
        if self.proxies.strip() == "*":
            return True
        proxies = filter(None, map(str.strip, self.proxies.split(",")))
        try:
            return any(ipaddress.ip_address(client) in ipaddress.ip_network(proxy) for proxy in proxies)
        except ValueError:
            return False

    def answers_to(self, host: str) -> bool:
        """Whether `host`, in lower case and without its port, is a name of this server."""
        names = (*LOOPBACK_NAMES, *(host.strip("[]").lower() for host in self.hosts))
        bare = host.strip("[]")
        return any(bare == name or (name.startswith("*.") and bare.endswith(name[1:])) for name in names)


def access_from(option: Callable[[str], Any], environment: Mapping[str, str], identity_header: str = "") -> Access:
    """The access that Streamlit's options (`server.allowedHosts`, ...) and the environment ask for. `identity_header`
    is the header in which a proxy says who somebody is, if people sign in so. Raises QavizError if the server would
    listen beyond this machine and its public host names are not given."""
    hosts = tuple(option("server.allowedHosts") or ())
    address = option("server.address") or "0.0.0.0"
    fix = "Name them: --server.allowedHosts qaviz.example.com (docs/team.md)."
    if "*" in (host.strip() for host in hosts):
        expected = "the names under which people open the app"
        raise stop("--server.allowedHosts", "*, which is every host name", expected, fix)
    if not is_loopback(address) and not hosts:
        wrong = "an address that other machines reach, and no public host name"
        expected = "the host names under which people open the app, or --server.address 127.0.0.1"
        raise stop(f"--server.address {address}", wrong, expected, fix)
    trusted = option("server.trustedUserHeaders")
    identity = frozenset(map(str.lower, trusted)) if isinstance(trusted, dict) else frozenset()
    return Access(
        hosts=hosts,
        origins=frozenset(origin.strip().rstrip("/") for origin in option("server.corsAllowedOrigins") or ()),
        proxies=environment.get(PROXIES_VARIABLE, ""),
        identity_headers=identity | frozenset(filter(None, [identity_header.lower()])),
        tls=bool(option("server.sslCertFile")),
        token=environment.get(APP_TOKEN_VARIABLE, ""),
    )


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches the address, or any of the network."""
    try:
        return address == "localhost" or ipaddress.ip_network(address.strip("[]"), strict=False).is_loopback
    except ValueError:
        return False


SIGN_IN_VARIABLE = "QAVIZ_SIGN_IN"
"""The environment variable that chooses the source: none (default) or header."""
HEADER_VARIABLE = "QAVIZ_SIGN_IN_HEADER"
"""The header in which the proxy names the person; X-Forwarded-Email where it is not set."""
SECRET_VARIABLE = "QAVIZ_PROXY_SECRET_FILE"
"""A file with the secret that the proxy sends in SECRET_HEADER; needed unless the proxy is on this machine."""
WAY_OUT_VARIABLE = "QAVIZ_SIGN_OUT"
"""The path under which the proxy signs somebody out; oauth2-proxy's where it is not set."""

SECRET_HEADER = "x-qaviz-proxy-secret"
"""The header with the proxy's secret, which no page gets to see."""
SHORTEST_SECRET = 32

IDENTITY_HEADER = "x-qaviz-identity"
"""The header by which the server tells the pages who asks; what a client sends under this name is dropped."""

SETTINGS_VARIABLE = "QAVIZ_SETTINGS"
"""Named a file of settings in earlier versions, with that of the sign-in: refused, as it would let anybody in."""
_PATH = re.compile(r"/(?![/\\])[^\s\\\"<>]*")
_SEAL = secrets.token_urlsafe(32)

SOURCES = ("none", "header")


@dataclass(frozen=True, kw_only=True)
class SignInSettings:
    """How people sign in."""

    header: str = ""
    """In which the proxy names the person, in lower case; empty where nobody signs in."""
    secret: str = field(default="", repr=False)
    """What the proxy sends beside the header; empty where it is on this machine."""
    way_out: str = "/oauth2/sign_out"

    @property
    def required(self) -> bool:
        """Whether somebody has to sign in at all."""
        return bool(self.header)


def sign_in_settings(environment: Mapping[str, str]) -> SignInSettings:
    """The settings that the environment gives. Raises QavizError, with all problems, if they do not fit together."""
    if file := environment.get(SETTINGS_VARIABLE):
        fix = "Set the variables that it stands for: docs/team.md."
        raise stop(f"{SETTINGS_VARIABLE}={file}", "a file of settings, which is gone", "no such variable", fix)
    source = environment.get(SIGN_IN_VARIABLE, "").strip().lower() or "none"
    if source not in SOURCES:
        fix = "Choose one of them; deploy/compose.yaml brings an identity proxy: docs/team.md."
        raise stop(SIGN_IN_VARIABLE, f'"{source}"', ", ".join(SOURCES), fix)
    if source == "none":
        return SignInSettings()
    file, way_out = environment.get(SECRET_VARIABLE, ""), environment.get(WAY_OUT_VARIABLE, "").strip()
    secret, problems = "", list[Problem]()
    if file:
        with suppress(OSError, UnicodeDecodeError):  # said below: it holds no text
            secret = Path(file).read_text("utf-8").strip()
    where, proxies = f"{SIGN_IN_VARIABLE}=header", environment.get(PROXIES_VARIABLE, "").strip()
    if proxies in ("", "*"):
        wrong = f"{PROXIES_VARIABLE}={proxies or 'nothing'}"
        words = "the addresses of the proxies that say who people are"
        fix = f"Name them: {PROXIES_VARIABLE}=127.0.0.1 (docs/team.md)."
        problems.append(Problem(where, wrong, words, fix))
    elif not file and not all(map(is_loopback, filter(None, map(str.strip, proxies.split(","))))):
        wrong = f"{PROXIES_VARIABLE}={proxies}, beyond this machine, and no {SECRET_VARIABLE}"
        words = f"a secret that the proxy sends in {SECRET_HEADER}"
        fix = f"Write one into a file and name it: {SECRET_VARIABLE} (docs/team.md)."
        problems.append(Problem(where, wrong, words, fix))
    if file and len(secret) < SHORTEST_SECRET:
        wrong = f"{len(secret)} characters in {file}" if secret else f"no text in {file}"
        words = f"{SHORTEST_SECRET} random ones or more"
        fix = f"Make one: openssl rand -hex {SHORTEST_SECRET} > {file}"
        problems.append(Problem(SECRET_VARIABLE, wrong, words, fix))
    if way_out and not _PATH.fullmatch(way_out):
        words = "a path of this address, such as /oauth2/sign_out"
        problems.append(Problem(WAY_OUT_VARIABLE, f"{way_out!a}", words, "Correct it: docs/team.md."))
    if problems:
        raise QavizError(*problems)
    return SignInSettings(
        header=environment.get(HEADER_VARIABLE, "").strip().lower() or "x-forwarded-email",
        secret=secret,
        way_out=way_out or SignInSettings.way_out,
    )


def seal_subject(subject: str) -> str:
    """The value of IDENTITY_HEADER for this person: ASCII, believed in this process only."""
    text = subject.encode().hex()
    return f"{text}.{_sign(text)}"


def open_subject(header: str | None) -> str | None:
    """Whom the header names; None where there is none, or this process did not seal it."""
    text, _, signed = (header or "").partition(".")
    if not text or not hmac.compare_digest(signed.encode(errors="replace"), _sign(text).encode()):
        return None
    return bytes.fromhex(text).decode()


def actor_of(settings: SignInSettings, header: str | None) -> Actor:
    """Who asks the store for a page: nobody in particular where no sign-in is asked for. Raises QavizError where it is,
    and the server did not say who it is."""
    if not settings.required:
        return LOCAL
    subject = open_subject(header)
    if subject is None:
        fault = "a page that was served without signing in"
        expected = f"somebody who has signed in, since {SIGN_IN_VARIABLE} is header"
        raise stop("sign-in", fault, expected, "Serve asgi.py (`qaviz app`), and open the app's address again.")
    return Actor(subject, subject)


def _sign(text: str) -> str:
    return hmac.digest(_SEAL.encode(), text.encode(errors="replace"), "sha256").hex()
