"""What one kind of evidence says of one response: it agrees with the golden triplet, contradicts it, or is silent."""

from enum import StrEnum
from typing import NamedTuple

VERBATIM = "verbatim"
"""The kind of evidence that is the fact as the golden dataset writes it."""


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


class Span(NamedTuple):
    """A stretch of a text: offsets into it, and the words themselves."""

    start: int
    end: int
    text: str


class Evidence(NamedTuple):
    """One kind of evidence over one response."""

    kind: str
    """quantity, date, phrase, polarity, refusal, boundary, ..."""
    stance: Stance
    golden: Span | None = None
    """What the golden answer or fact says."""
    response: Span | None = None
    """What the response says."""
    note: str = ""
    """Why the two agree or differ, in plain words: `134,383 million is 134.4 billion, rounded`."""
    strength: float = 1.0
    """0 to 1: how far the evidence is from tipping over."""


class Case(NamedTuple):
    """One response with what it is judged by."""

    question: str
    answer: str
    fact: str
    response: str
    variant: str | None
    """The variant of the fact that Factual Knowledge found, None where it found none."""
    start: int
    end: int
    inside_token: bool
    foreign: bool = False
    """Whether the question or the response may be in another language than English."""
