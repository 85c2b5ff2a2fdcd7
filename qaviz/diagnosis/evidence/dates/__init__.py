"""Dates: which day, month, year or span of years a text gives, and whether a response gives the golden date."""

from qaviz.diagnosis.evidence.dates.comparing import KIND, asks_date, compare, speaks
from qaviz.diagnosis.evidence.dates.reading import Date, find

__all__ = ["KIND", "Date", "asks_date", "compare", "find", "speaks"]
