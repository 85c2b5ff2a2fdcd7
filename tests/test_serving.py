"""The policy that browsers are told to keep to."""

from base64 import b64encode
from hashlib import sha256

import pytest

from qaviz.serving import content_security_policy


def scripts_of(policy: str) -> str:
    return next(each for each in policy.split("; ") if each.startswith("script-src"))


@pytest.mark.parametrize("script", ["\n  window.ready = false\n", "é’", ""])
def test_an_inline_script_of_the_page_is_named_by_its_hash(script: str):
    """The policy lets the served page's own inline script run, to the letter, and the page's files need no hash."""
    page = f'<head><script src="a.js"></script><script>{script}</script></head>'
    digest = b64encode(sha256(script.encode()).digest()).decode()

    assert scripts_of(content_security_policy(page)) == f"script-src 'self' 'wasm-unsafe-eval' blob: 'sha256-{digest}'"


def test_without_inline_scripts_no_hash_is_named():
    """A page of files alone has a policy without hashes, and no policy lets any inline script or eval through."""
    policy = content_security_policy('<script src="a.js"></script>')

    assert scripts_of(policy) == "script-src 'self' 'wasm-unsafe-eval' blob:"
    assert "'unsafe-eval'" not in policy
