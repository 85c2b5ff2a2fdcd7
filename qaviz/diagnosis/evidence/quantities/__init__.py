"""Quantities: how much a text says, in which unit and how exactly, and whether a response says the golden quantity."""

from qaviz.diagnosis.evidence.quantities.comparing import KIND, compare, is_other, is_turned, same, sought
from qaviz.diagnosis.evidence.quantities.question import MAY_ASK_CHANGE
from qaviz.diagnosis.evidence.quantities.reading import Quantity, find

__all__ = ["KIND", "MAY_ASK_CHANGE", "Quantity", "compare", "find", "is_other", "is_turned", "same", "sought"]
