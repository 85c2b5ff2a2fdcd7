"""A small OpenID Connect provider on this machine, polite or hostile: what it puts into its ID tokens, a test says."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

CLIENT, SECRET = "qaviz-tests", "a secret of the client"


@dataclass
class Provider:
    """A running provider: who signs in there, and how its next ID tokens are made."""

    url: str = ""
    claims: dict[str, Any] = field(default_factory=lambda: {"sub": "ada", "name": "Ada"})
    spoil: Callable[[str], str] = str
    """What becomes of the signed token."""
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "own"}))
    algorithms: list[str] = field(default_factory=lambda: ["RS256"])
    """What its metadata lists."""
    signs_with: RSAKey | None = None
    """Another key than the one that it publishes."""
    secrets: list[OctKey] = field(default_factory=list)
    """Symmetric keys that it publishes beside its own, as no provider should."""
    nonces: dict[str, str] = field(default_factory=dict)
    """Of each code that was not used yet."""

    def id_token(self, nonce: str) -> str:
        now = int(time.time())
        usual = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce}
        claims = {name: value for name, value in (usual | self.claims).items() if value is not None}
        return self.spoil(jwt.encode({"alg": "RS256", "kid": "own"}, claims, self.signs_with or self.key))

    def answer(self, path: str, query: dict[str, list[str]]) -> tuple[int, dict[str, str], object]:
        if path == "/.well-known/openid-configuration":
            ends = ("authorization", "token", "userinfo")
            found = {f"{end}_endpoint": f"{self.url}/{end}" for end in ends} | {"jwks_uri": f"{self.url}/jwks"}
            algorithms = {
                "id_token_signing_alg_values_supported": self.algorithms,
                "code_challenge_methods_supported": ["S256"],
            }
            return 200, {}, {"issuer": self.url} | found | algorithms
        if path == "/jwks":
            return 200, {}, {"keys": [self.key.as_dict(private=False), *(each.as_dict() for each in self.secrets)]}
        if path == "/authorization":
            code = f"code-{len(self.nonces)}-{time.monotonic_ns()}"
            self.nonces[code] = query["nonce"][0]
            back = urlencode({"code": code, "state": query["state"][0]})
            return 302, {"Location": f"{query['redirect_uri'][0]}?{back}"}, {}
        nonce = self.nonces.pop(query.get("code", [""])[0], None)
        if path != "/token" or nonce is None:
            return 400, {}, {"error": "invalid_grant"}
        return 200, {}, {"access_token": "a", "token_type": "Bearer", "id_token": self.id_token(nonce)}


@contextmanager
def provider() -> Iterator[Provider]:
    """The provider on a free port; it is down when the block ends."""
    running = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            status, headers, content = running.answer(asked.path, parse_qs(asked.query) | parse_qs(body))
            text = json.dumps(content).encode()
            self.send_response(status)
            for name, value in (headers | {"Content-Type": "application/json"}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            """Nothing on the terminal."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        running.url = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, daemon=True).start()
        yield running
        server.shutdown()
