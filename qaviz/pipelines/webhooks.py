"""Telling a webhook: one that the owner's TOML file names, as `[webhooks.NAME]` with `url` and `headers`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from qaviz.llm.openai_compatible import is_on_this_machine
from qaviz.model.errors import stop
from qaviz.pipelines.pipeline import is_address
from qaviz.pipelines.specs import read_toml

TIMEOUT_S = 20.0


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """An address that is told of an alert."""

    name: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    """`${NAME}` in a value stands for that environment variable."""


def find_webhook(file: Path, name: str) -> Webhook:
    """The webhook of this name. Raises QavizError where the file has none, or one that cannot be used."""
    entries = read_toml(file).get("webhooks", {})
    entry = entries.get(name) if isinstance(entries, dict) else None
    where = f"{file.name} [webhooks.{name}]"
    if not isinstance(entry, dict):
        names = ", ".join(entries) if isinstance(entries, dict) and entries else "tables [webhooks.NAME]"
        raise stop(where, "no such table", names, "Name one of them.")
    headers = entry.get("headers", {})
    texts = isinstance(headers, dict) and all(isinstance(value, str) for value in headers.values())
    if set(entry) - {"url", "headers"} or not texts or not is_address(str(entry.get("url", ""))):
        expected = "url, an address without user name and password, and headers"
        raise stop(where, "another entry", expected, "See docs/pipelines.md.")
    return Webhook(name=name, url=entry["url"], headers=headers)


def tell_webhook(webhook: Webhook, said: Mapping[str, object]) -> None:
    """POST what is said as JSON, once; no redirect is followed. Raises QavizError, without the address's path, if it
    does not take it."""
    import httpx

    from qaviz.pipelines.http import fill_variables

    headers = {name: fill_variables(f"webhook {webhook.name}", value) for name, value in webhook.headers.items()}
    try:
        with httpx.Client(timeout=TIMEOUT_S, trust_env=not is_on_this_machine(webhook.url)) as client:
            status = client.post(webhook.url, json=dict(said), headers=headers).status_code
            found = "" if status < 300 else f"HTTP {status}"
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        found = type(error).__name__
    if found:
        where = f"webhook {webhook.name} at {urlsplit(webhook.url).hostname}"
        raise stop(where, found, "a 2xx status", "Look at the receiver's log.")
