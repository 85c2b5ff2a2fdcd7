"""Who may reach the pages: host names and proxies, and who somebody is."""

from qaviz.access.hosts import (
    ACCESS_OPTIONS,
    APP_TOKEN_VARIABLE,
    LOOPBACK_NAMES,
    PROXIES_VARIABLE,
    Access,
    access_from,
    is_loopback,
)

__all__ = [
    "ACCESS_OPTIONS",
    "APP_TOKEN_VARIABLE",
    "LOOPBACK_NAMES",
    "PROXIES_VARIABLE",
    "Access",
    "access_from",
    "is_loopback",
]
