"""Who somebody is: this machine's user, or whom an identity proxy names; and how the server tells the pages.

The server identifies a request before Streamlit sees it, and puts what it found into a header that it seals with a
secret of this process: a page that is served without the server's middleware believes nobody.
"""

import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from qaviz.access import PROXIES_VARIABLE, is_loopback
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.store.roles import LOCAL, Actor

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

_GONE = {
    "accounts": "accounts with passwords of qaviz's own, which are gone",
    "oidc": "OpenID Connect of qaviz's own, which is gone",
}
SETTINGS_VARIABLE = "QAVIZ_SETTINGS"
"""Named a file of settings in earlier versions, with that of the sign-in: refused, as it would let anybody in."""
_HEADER = "x-forwarded-email"
_PATH = re.compile(r"/(?![/\\])[^\s\\\"<>]*")
_SEAL = secrets.token_urlsafe(32)


SOURCES = ("none", "header")
"""What says who somebody is."""


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
    if source in _GONE:
        raise stop(
            f"{SIGN_IN_VARIABLE}={source}",
            _GONE[source],
            ", ".join(SOURCES),
            "Let an identity proxy say who people are: deploy/compose.yaml brings one, docs/team.md says how.",
        )
    if source not in SOURCES:
        raise stop(SIGN_IN_VARIABLE, f'"{source}"', ", ".join(SOURCES), "Choose one of them: docs/team.md.")
    if source == "none":
        return SignInSettings()
    file, way_out = environment.get(SECRET_VARIABLE, ""), environment.get(WAY_OUT_VARIABLE, "").strip()
    secret = _read_secret(Path(file)) if file else ""
    problems = list[Problem]()
    where, proxies = f"{SIGN_IN_VARIABLE}=header", environment.get(PROXIES_VARIABLE, "").strip()
    if proxies in ("", "*"):
        wrong = f"{PROXIES_VARIABLE}={proxies or 'nothing'}"
        words = "the addresses of the proxies that say who people are"
        fix = f"Name them: {PROXIES_VARIABLE}=127.0.0.1 (docs/team.md)."
        problems.append(Problem(where=where, found=wrong, expected=words, fix=fix))
    elif not file and not all(map(is_loopback, filter(None, map(str.strip, proxies.split(","))))):
        wrong = f"{PROXIES_VARIABLE}={proxies}, beyond this machine, and no {SECRET_VARIABLE}"
        words = f"a secret that the proxy sends in {SECRET_HEADER}"
        fix = f"Write one into a file and name it: {SECRET_VARIABLE} (docs/team.md)."
        problems.append(Problem(where=where, found=wrong, expected=words, fix=fix))
    if file and len(secret) < SHORTEST_SECRET:
        wrong = f"{len(secret)} characters in {file}" if secret else f"no text in {file}"
        words = f"{SHORTEST_SECRET} random ones or more"
        fix = f"Make one: openssl rand -hex {SHORTEST_SECRET} > {file}"
        problems.append(Problem(where=SECRET_VARIABLE, found=wrong, expected=words, fix=fix))
    if way_out and not _PATH.fullmatch(way_out):
        words = "a path of this address, such as /oauth2/sign_out"
        fix = "Correct it: docs/team.md."
        problems.append(Problem(where=WAY_OUT_VARIABLE, found=f"{way_out!a}", expected=words, fix=fix))
    if problems:
        raise QavizError(*problems)
    return SignInSettings(
        header=environment.get(HEADER_VARIABLE, "").strip().lower() or _HEADER,
        secret=secret,
        way_out=way_out or SignInSettings.way_out,
    )


def _read_secret(file: Path) -> str:
    try:
        return file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


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
    """Who asks the store for a page: nobody in particular where no sign-in is asked for.

    Raises QavizError where it is, and the server did not say who it is.
    """
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
