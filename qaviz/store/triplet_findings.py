"""What a judge found of golden triplets beside their passages, kept by the line of versions."""

from datetime import UTC, datetime

import polars as pl
import sqlalchemy as sa

from qaviz.model.columns import ANSWER, FACT, QUESTION, QUESTION_ID
from qaviz.store.audit_log import Deed, note
from qaviz.store.golden_versions import line_of
from qaviz.store.tables import TRIPLET_FINDINGS_TABLE
from qaviz.store.workspace import Workspace

FINDING, QUOTATION, WHY = "finding", "quotation", "why"
REPAIRED_ANSWER, REPAIRED_FACT = "repaired_answer", "repaired_fact"
GATE = "gate"
"""What the gate says of a proposed repair: `accepted`, or why not; null where nothing is proposed."""
MODEL = "model"

TRIPLET_FINDINGS = pl.Schema(
    dict.fromkeys(
        (
            QUESTION_ID,
            QUESTION,
            ANSWER,
            FACT,
            FINDING,
            QUOTATION,
            WHY,
            REPAIRED_ANSWER,
            REPAIRED_FACT,
            GATE,
            MODEL,
        ),
        pl.String(),
    )
)
"""One row a triplet: its texts as they were judged, the finding with its quotation and reason, what it proposes, and
the model that said so. A finding is about these texts: it is void once one of them changes."""


def keep_triplet_findings(
    workspace: Workspace, golden: str, model: str, findings: pl.DataFrame, by: str | None = None
) -> None:
    """Keep what a model found of a golden dataset version (its content hash): TRIPLET_FINDINGS but MODEL.

    Earlier findings of the same triplets are replaced. Raises QavizError if the policy or the disk refuses.
    """
    if findings.is_empty():
        return
    line, table = line_of(workspace, golden), TRIPLET_FINDINGS_TABLE.c
    said = {"line": line, MODEL: model, "judged_at": datetime.now(UTC).isoformat(timespec="microseconds")}
    rows = findings.select(name for name in TRIPLET_FINDINGS if name != MODEL).to_dicts()
    with workspace.writing(Deed.JUDGE, line=line) as transaction:
        deed = note(transaction, Deed.JUDGE, line, f"{model}, {len(rows):,} triplets", by)
        replaced = sa.delete(TRIPLET_FINDINGS_TABLE).where(
            table.line == line, table.question_id == sa.bindparam("question_key")
        )
        transaction.execute(replaced, [{"question_key": row[QUESTION_ID]} for row in rows])
        transaction.execute(sa.insert(TRIPLET_FINDINGS_TABLE), [row | said | {"deed": deed} for row in rows])


def kept_triplet_findings(workspace: Workspace, golden: str) -> pl.DataFrame:
    """TRIPLET_FINDINGS of the line that this golden dataset version belongs to. QavizError if it cannot be read."""
    table = TRIPLET_FINDINGS_TABLE.c
    asked = sa.select(*(table[name] for name in TRIPLET_FINDINGS)).where(table.line == line_of(workspace, golden))
    with workspace.reading() as connection:
        rows = [tuple(row) for row in connection.execute(asked.order_by(table.question_id))]
    return pl.DataFrame(rows, schema=TRIPLET_FINDINGS, orient="row")
