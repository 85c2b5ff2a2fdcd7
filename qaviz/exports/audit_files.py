"""The audit as a file to keep elsewhere."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from qaviz.exports.csv_injection import as_csv


def as_json_lines(entries: pl.DataFrame) -> bytes:
    """The entries as they were written, one a line: what the chain can be checked by."""
    return entries.write_ndjson().encode()


@dataclass(frozen=True, kw_only=True)
class AuditFormat:
    """A format that the audit is written in."""

    name: str
    mime: str
    write: Callable[[pl.DataFrame], bytes]


AUDIT_FORMATS: Mapping[str, AuditFormat] = {
    ".csv": AuditFormat(name="Table (CSV)", mime="text/csv", write=as_csv),
    ".jsonl": AuditFormat(name="JSON Lines", mime="application/jsonl", write=as_json_lines),
}
"""By suffix."""
