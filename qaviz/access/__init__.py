"""Who may reach the pages: host names and proxies, and who somebody is."""

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from qaviz.model.errors import stop

APP_TOKEN_VARIABLE = "QAVIZ_APP_TOKEN"
"""Environment variable with the one-time token of `qaviz app --token`. It is not an argument: those are public."""
PROXIES_VARIABLE = "FORWARDED_ALLOW_IPS"
"""Environment variable with the addresses of trusted proxies, as uvicorn reads it: `10.0.0.5,10.1.0.0/16`."""
SETTINGS_VARIABLE = "QAVIZ_SETTINGS"
"""Environment variable that names the file of `qaviz.access.settings`."""

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
    identity_header: str = ""
    """Lower-case name of the header in which a proxy says who somebody is; empty where nobody signs in."""
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


def access_from(option: Callable[[str], Any], environment: Mapping[str, str], identity_header: str = "") -> Access:
    """The access that Streamlit's options (`server.allowedHosts`, ...) and the environment ask for.

    `identity_header` is the header in which a proxy says who somebody is, if people sign in so.

    Raises QavizError if the server would listen beyond this machine and its public host names are not given.
    """
    hosts, address = tuple(option("server.allowedHosts") or ()), option("server.address") or "0.0.0.0"
    if "*" in (host.strip() for host in hosts) or not (hosts or is_loopback(address)):
        raise stop(
            where=f"--server.address {address}" if not hosts else "--server.allowedHosts",
            found="* as a host name, which is every one"
            if hosts
            else "an address that other machines reach, and no name",
            expected="the names under which people open the app, or --server.address 127.0.0.1",
            fix="Name them: --server.allowedHosts qaviz.example.com (docs/team.md).",
        )
    return Access(
        hosts=hosts,
        origins=frozenset(origin.strip().rstrip("/") for origin in option("server.corsAllowedOrigins") or ()),
        proxies=environment.get(PROXIES_VARIABLE, ""),
        identity_header=identity_header.lower(),
        tls=bool(option("server.sslCertFile")),
        token=environment.get(APP_TOKEN_VARIABLE, ""),
    )


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches the address."""
    try:
        return address == "localhost" or ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False
