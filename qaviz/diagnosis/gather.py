"""Evidence for a table of scored responses: what each response says of its fact, before any threshold is applied."""

from collections.abc import Iterable

import polars as pl

from qaviz.diagnosis import boundary, refusal
from qaviz.diagnosis.evidence import Evidence, Stance
from qaviz.model import AND_DELIMITER, FACT, FACT_SCORES, OR_DELIMITER, QUESTION, RESPONSE

STANCE = "evidence_stance"
"""What the leading evidence says of the response: `agrees`, `contradicts`, `absent`; null where nothing compares."""
KIND = "evidence_kind"
"""Which evidence leads: `verbatim`, `quantity`, `date`, `phrase`, `polarity`."""
SAYS = "evidence_response"
"""The words of the response that the evidence quotes."""
GOLDEN = "evidence_golden"
"""The words of the fact or answer that the evidence quotes."""
NOTE = "evidence_note"
STRENGTH = "evidence_strength"
REFUSAL = "refusal"
"""The words in which the response declines to answer; null where it answers."""
SPANS = "spans"
"""Stretches of the response worth highlighting: kind, start, end (offsets in characters)."""

SPAN_TYPE = pl.Struct({"kind": pl.String, "start": pl.Int64, "end": pl.Int64})
EVIDENCE_SCHEMA = pl.Schema(
    {
        STANCE: pl.String(),
        KIND: pl.String(),
        SAYS: pl.String(),
        GOLDEN: pl.String(),
        NOTE: pl.String(),
        STRENGTH: pl.Float64(),
        REFUSAL: pl.String(),
        SPANS: pl.List(SPAN_TYPE),
    }
)
_INPUT = [QUESTION, FACT, RESPONSE]


def gather(scored: pl.DataFrame) -> pl.DataFrame:
    """Return the table with the columns of `EVIDENCE_SCHEMA`; equal rows are looked at once. Row order is kept."""
    hit = pl.max_horizontal(FACT_SCORES) > 0
    asked = scored.select(*_INPUT, hit.fill_null(False).alias("hit"))
    unique = asked.unique(maintain_order=True)
    columns = _columns(_weigh(*row) for row in unique.iter_rows())
    found = unique.hstack(columns)
    joined = asked.join(found, on=asked.columns, how="left", nulls_equal=True, maintain_order="left")
    return scored.hstack(joined.select(EVIDENCE_SCHEMA.names()))


def _columns(weighed: Iterable[tuple[Evidence | None, Evidence | None]]) -> pl.DataFrame:
    """Return pairs of leading evidence and refusal as columns."""
    rows = [_row(leading, declined) for leading, declined in weighed]
    return pl.DataFrame(rows, schema=EVIDENCE_SCHEMA, orient="row")


def _row(leading: Evidence | None, declined: Evidence | None) -> tuple[object, ...]:
    spans = [
        {"kind": evidence.kind, "start": evidence.response.start, "end": evidence.response.end}
        for evidence in (leading, declined)
        if evidence and evidence.response
    ]
    refused = declined.response.text if declined and declined.response else None
    if leading is None:
        return (None, None, None, None, None, None, refused, spans)
    return (
        leading.stance.value,
        leading.kind,
        leading.response and leading.response.text,
        leading.golden and leading.golden.text,
        leading.note,
        leading.strength,
        refused,
        spans,
    )


def _weigh(
    question: str | None, fact: str | None, response: str | None, hit: bool
) -> tuple[Evidence | None, Evidence | None]:
    """Return the evidence that leads, and the refusal if there is one."""
    if not response:
        return None, None
    declined = refusal.find(response, question or "")
    return (
        _verbatim(fact, response) if fact and hit else None,
        declined if declined.stance is Stance.AGREES else None,
    )


def _verbatim(fact: str, response: str) -> Evidence:
    """Return where the fact stands: for `<OR>` its best variant, for `<AND>` the variant that decides."""
    every = AND_DELIMITER in fact
    found = [boundary.find(variant, response) for variant in fact.split(AND_DELIMITER if every else OR_DELIMITER)]
    order = [Stance.AGREES, Stance.CONTRADICTS, Stance.ABSENT, Stance.SILENT]
    return (max if every else min)(found, key=lambda evidence: order.index(evidence.stance))
