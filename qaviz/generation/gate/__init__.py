"""The gate: which triplets are proved by their passage, and why the others are not. No model is asked."""

from qaviz.generation.gate.checking import CHECKED, GATE_RULES, check_triplets

__all__ = ["CHECKED", "GATE_RULES", "check_triplets"]
