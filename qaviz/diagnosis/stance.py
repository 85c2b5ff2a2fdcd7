"""What one kind of evidence says of one answer region, and how it speaks of itself."""

from enum import StrEnum
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


NOTES = {
    "exact": "",
    "rounded": "the same as “{golden}”, rounded",
    "converted": "“{golden}” in another unit",
    "silent": "the value of “{golden}”, without its unit, sign, bound or period",
    "part": "less exact than “{golden}”",
    "scaled": "“{golden}” in the scale of the question",
    "value": "another {what} than “{golden}”",
    "date": "another date than “{golden}”",
    "end": "another range than “{golden}”",
    "unit": "the number of “{golden}” in another unit",
    "currency": "the number of “{golden}” in another currency",
    "sign": "“{golden}” with the opposite sign",
    "bound": "the number of “{golden}” with another bound",
    "period": "the number of “{golden}” for another period",
    "excluded": "all but “{golden}”",
    "digits": "the digits of “{golden}” in another scale",
    "none": "no {what} to compare with “{golden}”",
    "all": "",
    "told": "in words that the question also has",
    "words": "it has {stated} of the {all} key words of “{golden}”",
    "other form": "“{golden}” in another form or order",
    "short": "“{golden}” by its first letters, or spelled out",
    "lacking": "not “{lacking}”",
    "in place": "names {stated} in a place of “{golden}”",
    "denial": "does not say no where “{golden}” does",
    "no words": "it has none of the words that the question does not have already",
    "letters": "{stated}% of the letters of “{golden}”",
}
"""How evidence speaks of itself."""
