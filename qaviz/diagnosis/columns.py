"""The columns that hold the evidence of a response: threshold-free, kept with the run.

The contract between readers and the model. What leads: STANCE, KIND, SAYS, GOLDEN, NOTE, STRENGTH; of refusals and
languages REFUSAL, REFUSAL_STRENGTH, UNREAD; where the words stand SPANS.

Each kind of evidence by itself, whether it leads or not: `{kind}_stance` (`agrees`, `contradicts`, `absent`, `silent`)
and `{kind}_strength` (0 to 1), for kind in READERS: over the best variant of the fact, or the worst for `<AND>`.
`silent` where the golden text has no such evidence, which tells what kind of golden answer it is.

| kind | the golden text has |
|---|---|
| `verbatim` | a fact that Factual Knowledge finds; below 1 where it is only a part of a longer word |
| `symbols` | a code, a version, or signs that only compare exactly: C++, 3.10, A+ |
| `sides` | yes or no, up or down |
| `dates` | a date that the question is after |
| `amounts` | an amount that the question is after, with bound, period, currency and sign |
| `phrases` | names or other words |

Each doubt about leading evidence that agrees is a Boolean column `doubt_{name}`, one for each of DOUBTS: it lowers
certainty and turns no verdict. False where nothing agrees. See `qaviz.diagnosis.evidence.doubts` for what each means.
"""

import polars as pl

from qaviz.diagnosis.combine_evidence import READERS
from qaviz.diagnosis.evidence.doubts import DOUBTS

STANCE = "evidence_stance"
"""What the leading evidence says of the response: `agrees`, `contradicts`, `absent`; null where nothing compares.

`failed` where a bug of qaviz ended the reading: NOTE names it."""
KIND = "evidence_kind"
"""Which evidence leads: `verbatim`, `accident`, `symbol`, `polarity`, `date`, `quantity`, `phrase`."""
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


def stance_of(kind: str) -> str:
    """Return the column of what one kind of READERS says."""
    return f"{kind}_stance"


def strength_of(kind: str) -> str:
    """Return the column of how far one kind of READERS is from tipping over."""
    return f"{kind}_strength"


def doubt_of(name: str) -> str:
    """Return the column of one of DOUBTS."""
    return f"doubt_{name}"


LEADING_SCHEMA = pl.Schema(
    {
        STANCE: pl.String(),
        KIND: pl.String(),
        SAYS: pl.String(),
        GOLDEN: pl.String(),
        NOTE: pl.String(),
        STRENGTH: pl.Float64(),
        REFUSAL: pl.String(),
        REFUSAL_STRENGTH: pl.Float64(),
        UNREAD: pl.String(),
        SPANS: pl.List(pl.Struct({"kind": pl.String, "start": pl.Int64, "end": pl.Int64})),
    }
)
"""Of the leading evidence."""
KINDS_SCHEMA = pl.Schema(
    {
        **{stance_of(kind): pl.String() for kind in READERS},
        **{strength_of(kind): pl.Float64() for kind in READERS},
        **{doubt_of(doubt.name): pl.Boolean() for doubt in DOUBTS},
    }
)
"""Of each kind of evidence, and of the doubts."""
EVIDENCE_SCHEMA = pl.Schema({**LEADING_SCHEMA, **KINDS_SCHEMA})
