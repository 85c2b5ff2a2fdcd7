"""OpenID Connect through Streamlit's `st.login` and Authlib, which check state, nonce, signature and issuer.

Streamlit keeps what it found in signed cookies for 30 days, which nobody can end on the server. So they are read once,
when the provider sends somebody back, checked again, and never sent to the browser: it gets qaviz's own sign-in.
"""

import time
from base64 import urlsafe_b64decode
from collections.abc import Mapping, Sequence
from http.cookies import CookieError, SimpleCookie

import orjson
from streamlit.auth_util import (
    encode_provider_token,
    get_cookie_with_chunks,
    get_secrets_auth_section,
    is_authlib_installed,
)
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import TOKENS_COOKIE_NAME, USER_COOKIE_NAME

from qaviz.access.identity import Identity
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.store.members import checked_subject

LEEWAY_S = 120
"""Seconds by which the provider's clock may differ."""
_NEEDED = ("client_id", "client_secret", "server_metadata_url", "redirect_uri", "cookie_secret")
SHORTEST_SECRET = 32
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
"""How an ID token may be signed: with a key of which everybody has the public half alone."""


def refuse_incomplete() -> None:
    """Raise QavizError, with all problems, unless Authlib is there and secrets.toml has what `st.login` needs."""
    section = get_secrets_auth_section()
    problems = [
        _problem(f"no {name}", f"{name} = ... under [auth]", "Add it: docs/team.md has an example.")
        for name in _NEEDED
        if not section.get(name)
    ]
    if 0 < len(str(section.get("cookie_secret") or "")) < SHORTEST_SECRET:
        problems.append(_problem("a short cookie_secret", f"{SHORTEST_SECRET} random characters", "Make a longer one."))
    if not is_authlib_installed():
        problems.append(_problem("no Authlib", "Authlib, which checks what the provider says", "pip install Authlib"))
    if problems:
        raise QavizError(*problems)


def _problem(found: str, expected: str, fix: str) -> Problem:
    return Problem(where=".streamlit/secrets.toml", found=found, expected=expected, fix=fix)


def login_query() -> str:
    """The query of Streamlit's address /auth/login that leads to the provider."""
    return f"provider={encode_provider_token('default')}"


def read_identity(set_cookies: Sequence[str], claim: str) -> Identity:
    """Who the provider says it is, from the cookies that Streamlit sets.

    Raises QavizError if there are none, because Streamlit refused what came, or the claims are not for this app.
    """
    claims = _read_signed(set_cookies, USER_COOKIE_NAME)
    if claims is None:
        raise _refusal_error("an answer that cannot be verified")
    _refuse_algorithm((_read_signed(set_cookies, TOKENS_COOKIE_NAME) or {}).get("id_token"))
    client = str(get_secrets_auth_section().get("client_id"))
    audience = claims.get("aud")
    if client not in (audience if isinstance(audience, list) else [audience]):
        raise _refusal_error("a token for another application")
    expires = claims.get("exp")
    if not isinstance(expires, int | float) or expires + LEEWAY_S < time.time():
        raise _refusal_error("a token that has expired")
    subject = claims.get(claim)
    if not isinstance(subject, str) or not subject.strip():
        raise _refusal_error(f"a token without the claim {claim}")
    try:
        checked_subject(subject)
    except QavizError:
        raise _refusal_error(f"a {claim} that could be taken for another one") from None
    if claim == "email" and claims.get("email_verified") is not True:
        raise _refusal_error("an e-mail address that the provider has not verified")
    name = next((claims[name] for name in ("name", "email") if isinstance(claims.get(name), str)), subject)
    return Identity(subject=subject, name=str(name))


def _refusal_error(found: str) -> QavizError:
    expected = "a token that the provider signed for this sign-in"
    return stop("sign-in provider", found, expected, "Sign in again.")


def _refuse_algorithm(token: object) -> None:
    """Raise QavizError unless the ID token, whose signature Authlib has checked, is signed as ALGORITHMS say.

    Authlib takes what the provider's metadata lists, which may be `none`, or HMAC by a key that the client knows too.
    """
    try:
        header = orjson.loads(urlsafe_b64decode(str(token).partition(".")[0] + "=="))
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("alg") not in ALGORITHMS:
        raise _refusal_error("a token that is not signed with a public key")


def _read_signed(set_cookies: Sequence[str], name: str) -> Mapping[str, object] | None:
    """What Streamlit keeps in its signed cookie of this name, among those that it sets."""
    cookies: dict[str, str] = {}
    for cookie in set_cookies:
        try:
            cookies.update((name, morsel.value) for name, morsel in SimpleCookie(cookie).items() if morsel.value)
        except CookieError:
            continue

    def read_one(name: str) -> bytes | None:
        value = cookies.get(name)
        return None if value is None else decode_signed_value(get_cookie_secret(), name, value.encode("latin-1"))

    content = get_cookie_with_chunks(read_one, name)
    signed = orjson.loads(content) if content else None
    return signed if isinstance(signed, dict) else None
