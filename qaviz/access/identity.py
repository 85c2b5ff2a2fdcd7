"""Who somebody is: the source that says so, chosen by one setting, and how the server tells the pages.

The server identifies a request before Streamlit sees it, and puts what it found into a header that it seals with a
secret of this process: a page that is served without the server's middleware believes nobody.
"""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import orjson

from qaviz.access import PROXIES_VARIABLE
from qaviz.model.errors import stop
from qaviz.store.visibility import LOCAL, Actor

SIGN_IN_VARIABLE = "QAVIZ_SIGN_IN"
"""The environment variable that chooses the source: none (default), oidc or header."""
HEADER_VARIABLE = "QAVIZ_SIGN_IN_HEADER"
"""The header in which a proxy names the person, for `header`; X-Forwarded-Email where it is not set."""
CLAIM_VARIABLE = "QAVIZ_SIGN_IN_CLAIM"
"""The claim of the ID token that is the subject, for `oidc`; `sub` where it is not set."""

IDENTITY_HEADER = "x-qaviz-identity"
"""The header by which the server tells the pages who asks; what a client sends under this name is dropped."""

_GONE = "accounts"
_SEAL = secrets.token_urlsafe(32)


class Source(StrEnum):
    """What says who somebody is."""

    NONE = "none"
    OIDC = "oidc"
    HEADER = "header"


@dataclass(frozen=True, kw_only=True)
class SignInSettings:
    """How people sign in."""

    source: Source = Source.NONE
    header: str = "x-forwarded-email"
    """In lower case."""
    claim: str = "sub"

    @property
    def required(self) -> bool:
        """Whether somebody has to sign in at all."""
        return self.source is not Source.NONE


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Who somebody is, as the source says."""

    subject: str
    name: str
    key: str = ""
    """Of the sign-in; empty where a proxy keeps it."""


def sign_in_settings(environment: Mapping[str, str]) -> SignInSettings:
    """The settings that the environment gives. Raises QavizError, with all problems, if they do not fit together."""
    source = environment.get(SIGN_IN_VARIABLE, "").strip().lower() or Source.NONE
    if source == _GONE:
        raise stop(
            f"{SIGN_IN_VARIABLE}={_GONE}",
            "accounts with passwords of qaviz's own, which are gone",
            ", ".join(Source),
            "Let a provider or a proxy say who people are: deploy/compose.yaml brings one, docs/team.md says how.",
        )
    if source not in list(Source):
        raise stop(SIGN_IN_VARIABLE, f'"{source}"', ", ".join(Source), "Choose one of them: docs/team.md.")
    proxies = environment.get(PROXIES_VARIABLE, "").strip()
    if source == Source.HEADER and proxies in ("", "*"):
        raise stop(
            where=f"{SIGN_IN_VARIABLE}=header",
            found=f"{PROXIES_VARIABLE}={proxies or 'nothing'}",
            expected="the addresses of the proxies that say who people are",
            fix=f"Name them: {PROXIES_VARIABLE}=10.0.0.5 (docs/team.md).",
        )
    return SignInSettings(
        source=Source(source),
        header=environment.get(HEADER_VARIABLE, "").strip().lower() or SignInSettings.header,
        claim=environment.get(CLAIM_VARIABLE, "").strip() or SignInSettings.claim,
    )


def seal_identity(identity: Identity) -> str:
    """The value of IDENTITY_HEADER for this person: ASCII, believed in this process only."""
    text = orjson.dumps([identity.subject, identity.name, identity.key]).hex()
    return f"{text}.{_sign(text)}"


def open_identity(header: str | None) -> Identity | None:
    """Who the header names; None where there is none, or this process did not seal it."""
    text, _, signed = (header or "").partition(".")
    if not text or not hmac.compare_digest(signed.encode(errors="replace"), _sign(text).encode()):
        return None
    subject, name, key = orjson.loads(bytes.fromhex(text))
    return Identity(subject=subject, name=name, key=key)


def actor_of(settings: SignInSettings, header: str | None) -> Actor:
    """Who asks the store for a page: nobody in particular where no sign-in is asked for.

    Raises QavizError where it is, and the server did not say who it is.
    """
    if not settings.required:
        return LOCAL
    identity = open_identity(header)
    if identity is None:
        raise stop(
            where="sign-in",
            found="a page that was served without signing in",
            expected=f"somebody who has signed in, since {SIGN_IN_VARIABLE} is {settings.source}",
            fix="Serve asgi.py (`qaviz app`), and open the app's address again.",
        )
    return Actor(identity.subject, identity.name)


def _sign(text: str) -> str:
    return hmac.digest(_SEAL.encode(), text.encode(errors="replace"), "sha256").hex()
