"""Responses in languages that qaviz does not read: how many, and which languages."""

import polars as pl

from qaviz.analysis.numbers import count, plural
from qaviz.diagnosis.columns import UNREAD


def unread_places(rows: pl.DataFrame) -> pl.Series:
    """Return where the responses stand whose verdict is unsure because qaviz does not read their language (UInt32).

    Of diagnosed rows. Empty for runs that were saved before languages were told.
    """
    if UNREAD not in rows.columns:
        return pl.Series(dtype=pl.UInt32)
    return rows[UNREAD].is_not_null().arg_true()


def unread_sentence(rows: pl.DataFrame) -> str | None:
    """`12 responses are in languages that qaviz does not read: Polish (8), Dutch (4).` None where there is none."""
    places = unread_places(rows)
    if places.is_empty():
        return None
    found = rows[UNREAD][places].value_counts(sort=True).rows()
    names = ", ".join(f"{language} ({count(responses)})" for language, responses in found)
    some, is_in = plural(places.len(), "response"), "is" if places.len() == 1 else "are"
    many = "languages" if len(found) > 1 else "a language"
    return f"{some} {is_in} in {many} that qaviz does not read, and unsure: {names}."
