"""Quantities: how much a text says, in which unit and how exactly, and whether a response says the golden quantity."""

from qaviz.diagnosis.evidence.quantities.comparing import KIND, compare, differ, is_amount, is_other, same, speaks
from qaviz.diagnosis.evidence.quantities.reading import Quantity, find

__all__ = ["KIND", "Quantity", "compare", "differ", "find", "is_amount", "is_other", "same", "speaks"]
