"""Who may reach the pages: host names and proxies, and who somebody is."""

import ipaddress
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from qaviz.model.errors import stop

APP_TOKEN_VARIABLE = "QAVIZ_APP_TOKEN"
"""Environment variable with the one-time token of `qaviz app --token`. It is not an argument: those are public."""
PROXIES_VARIABLE = "FORWARDED_ALLOW_IPS"
"""Environment variable with the addresses of trusted proxies, as uvicorn reads it: `10.0.0.5,10.1.0.0/16`."""
METRICS_VARIABLE = "QAVIZ_METRICS_PORT"
"""Environment variable with the port of the operator's figures; without it there are none."""

HIGHEST_PORT = 65_535

LOOPBACK_NAMES = ("127.0.0.1", "localhost")
"""What a browser on this machine calls the server."""


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
    """Whether the server itself speaks TLS."""
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


AccessOptions = TypedDict(
    "AccessOptions",
    {
        "server.address": str | None,
        "server.allowedHosts": Sequence[str] | None,
        "server.corsAllowedOrigins": Sequence[str] | None,
        "server.sslCertFile": str | None,
        "server.trustedUserHeaders": object,
    },
)
"""The options of Streamlit that `access_from` reads, by their names."""


def access_from(options: AccessOptions, environment: Mapping[str, str], identity_header: str = "") -> Access:
    """The access that Streamlit's options (`server.allowedHosts`, ...) and the environment ask for.

    `identity_header` is the header in which a proxy says who somebody is, if people sign in so.

    Raises QavizError if the server would listen beyond this machine and its public host names are not given.
    """
    hosts = tuple(options["server.allowedHosts"] or ())
    address = options["server.address"] or "0.0.0.0"
    fix = "Name them: --server.allowedHosts qaviz.example.com (docs/team.md)."
    if "*" in (host.strip() for host in hosts):
        expected = "the names under which people open the app"
        raise stop("--server.allowedHosts", "*, which is every host name", expected, fix)
    if not is_loopback(address) and not hosts:
        wrong = "an address that other machines reach, and no public host name"
        expected = "the host names under which people open the app, or --server.address 127.0.0.1"
        raise stop(f"--server.address {address}", wrong, expected, fix)
    trusted = options["server.trustedUserHeaders"]
    identity = frozenset(map(str.lower, trusted)) if isinstance(trusted, dict) else frozenset()
    return Access(
        hosts=hosts,
        origins=frozenset(origin.strip().rstrip("/") for origin in options["server.corsAllowedOrigins"] or ()),
        proxies=environment.get(PROXIES_VARIABLE, ""),
        identity_headers=identity | frozenset(filter(None, [identity_header.lower()])),
        tls=bool(options["server.sslCertFile"]),
        token=environment.get(APP_TOKEN_VARIABLE, ""),
    )


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches the address, or any of the network."""
    try:
        return address == "localhost" or ipaddress.ip_network(address.strip("[]"), strict=False).is_loopback
    except ValueError:
        return False
