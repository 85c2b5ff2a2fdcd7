"""What one kind of evidence says of one answer region, and how it speaks of itself."""

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

VERBATIM, QUANTITY, DATE, SYMBOL, POLARITY, PHRASE = "verbatim", "quantity", "date", "symbol", "polarity", "phrase"
REFUSAL = "refusal"
"""Kinds of evidence."""


class Stance(StrEnum):
    """What a piece of evidence says of a response."""

    AGREES = "agrees"
    CONTRADICTS = "contradicts"
    ABSENT = "absent"
    """The golden side has such evidence, the response has none of its kind."""
    SILENT = "silent"
    """The golden side has no such evidence: nothing to compare."""
    FAILED = "failed"
    """An unexpected error: a bug in qaviz, which the note names. The response cannot be judged."""


class Evidence(NamedTuple):
    """One kind of evidence over one answer region."""

    kind: str
    stance: Stance
    golden: str = ""
    """The words of the golden text."""
    start: int = 0
    end: int = 0
    """Where the words stand in the region; the same where none are quoted."""
    note: str = ""
    """Why the two agree or differ: the text of one of NOTES."""
    strength: float = 1.0
    """0 to 1: how far the evidence is from tipping over."""
    doubts: tuple[str, ...] = ()
    """Names of the doubts that the comparison itself gives."""


TABLE = tomllib.loads(Path(__file__).with_name("rules.toml").read_text("utf-8"))
"""All that reasons say: of evidence, of classes, of faults."""
NOTES: Mapping[str, str] = TABLE["notes"]
"""How evidence speaks of itself."""
