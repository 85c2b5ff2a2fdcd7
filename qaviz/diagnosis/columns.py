"""The columns that hold the evidence of a response: threshold-free, kept with the run.

The contract between readers and the model. What leads: STANCE, KIND, SAYS, GOLDEN, NOTE, STRENGTH; of refusals and
languages REFUSAL, REFUSAL_STRENGTH, UNREAD; where the words stand SPANS.

Each doubt about leading evidence that agrees is a Boolean column `doubt_{name}`, one for each of DOUBTS: it lowers
certainty and turns no verdict. False where nothing agrees. See `qaviz.diagnosis.doubts` for what each means.
"""

import polars as pl

from qaviz.diagnosis.doubts import DOUBTS

READER_VERSION = "5"
"""What reads and judges: kept with each run. Verdicts of two versions do not compare, and what was fitted on those of
one (a workspace's own calibration) says nothing of another's."""

STANCE = "evidence_stance"
"""What the leading evidence says of the response: `agrees`, `contradicts`, `absent`; null where nothing compares.

`failed` where a bug of qaviz ended the reading: NOTE names it."""
KIND = "evidence_kind"
"""Which evidence leads: `verbatim`, `symbol`, `polarity`, `date`, `quantity`, `phrase`, `refusal` if both decline."""
SAYS = "evidence_response"
"""The words of the response that the evidence quotes."""
GOLDEN = "evidence_golden"
"""The words of the fact or answer that the evidence quotes."""
NOTE = "evidence_note"
"""Why the two agree or differ."""
STRENGTH = "evidence_strength"
"""0 to 1: how far the evidence is from tipping over."""
REFUSAL = "refusal"
"""The words in which the response declines to answer; null where it answers."""
REFUSAL_STRENGTH = "refusal_strength"
"""0 to 1: how sure it is that the response declines; null where it answers."""
UNREAD = "unread_language"
"""The name of the language that qaviz does not read, where the verdict would rest on its words; else null."""
SPANS = "spans"
"""Stretches of the response worth highlighting: kind, start, end (offsets in characters)."""


def doubt_of(name: str) -> str:
    """Return the column of one of DOUBTS."""
    return f"doubt_{name}"


DOUBTS_SCHEMA = pl.Schema({doubt_of(doubt.name): pl.Boolean() for doubt in DOUBTS})
EVIDENCE_SCHEMA = pl.Schema(
    dict.fromkeys((STANCE, KIND, SAYS, GOLDEN, NOTE), pl.String())
    | {STRENGTH: pl.Float64(), REFUSAL: pl.String(), REFUSAL_STRENGTH: pl.Float64(), UNREAD: pl.String()}
    | {SPANS: pl.List(pl.Struct({"kind": pl.String, "start": pl.Int64, "end": pl.Int64}))}
    | dict(DOUBTS_SCHEMA)
)
