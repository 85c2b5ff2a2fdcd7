"""Evidence for a table of scored responses: what each response says of its fact, before any threshold is applied."""

import polars as pl

from qaviz.diagnosis.evidence import Evidence
from qaviz.diagnosis.weigh import Asked, Weighed, weigh
from qaviz.model import ANSWER, FACT, FACT_END, FACT_INSIDE_TOKEN, FACT_START, FACT_VARIANT, QUESTION, RESPONSE

STANCE = "evidence_stance"
"""What the leading evidence says of the response: `agrees`, `contradicts`, `absent`; null where nothing compares."""
KIND = "evidence_kind"
"""Which evidence leads: `verbatim`, `quantity`, `date`, `phrase`, `polarity`, `negation`, `part`."""
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
OFF_TOPIC = "off_topic"
"""Whether the words beside the fact have nothing to do with the question; null where the fact is not stated."""
SPANS = "spans"
"""Stretches of the response worth highlighting: kind, start, end (offsets in characters)."""

EVIDENCE_SCHEMA = pl.Schema(
    {
        STANCE: pl.String(),
        KIND: pl.String(),
        SAYS: pl.String(),
        GOLDEN: pl.String(),
        NOTE: pl.String(),
        STRENGTH: pl.Float64(),
        REFUSAL: pl.String(),
        OFF_TOPIC: pl.Boolean(),
        SPANS: pl.List(pl.Struct({"kind": pl.String, "start": pl.Int64, "end": pl.Int64})),
    }
)
_TEXTS = (QUESTION, ANSWER, FACT, RESPONSE)


def gather(scored: pl.DataFrame) -> pl.DataFrame:
    """Return the table with the columns of `EVIDENCE_SCHEMA`; equal rows are looked at once. Row order is kept."""
    asked = scored.select(
        pl.col(*_TEXTS).fill_null(""),
        FACT_VARIANT,
        pl.col(FACT_START, FACT_END).fill_null(0),
        pl.col(FACT_INSIDE_TOKEN).fill_null(False),
    )
    unique = asked.unique(maintain_order=True)
    rows = [_row(weigh(Asked(*row))) for row in unique.iter_rows()]
    found = unique.hstack(pl.DataFrame(rows, schema=EVIDENCE_SCHEMA, orient="row"))
    joined = asked.join(found, on=asked.columns, how="left", nulls_equal=True, maintain_order="left")
    return scored.drop(EVIDENCE_SCHEMA.names(), strict=False).hstack(joined.select(EVIDENCE_SCHEMA.names()))


def _row(weighed: Weighed) -> tuple[object, ...]:
    declined = weighed.declined
    refused = declined.response.text if declined and declined.response else None
    return *_leading(weighed.leading), refused, weighed.off_topic, _spans(weighed.leading, declined)


def _spans(*found: Evidence | None) -> list[dict[str, str | int]]:
    return [
        {"kind": evidence.kind, "start": evidence.response.start, "end": evidence.response.end}
        for evidence in found
        if evidence and evidence.response
    ]


def _leading(evidence: Evidence | None) -> tuple[object, ...]:
    if evidence is None:
        return (None,) * 6
    return (
        evidence.stance.value,
        evidence.kind,
        evidence.response and evidence.response.text,
        evidence.golden and evidence.golden.text,
        evidence.note,
        evidence.strength,
    )
