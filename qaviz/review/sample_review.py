"""The sample's reviewed golden dataset: triplets of Harbour Line, two readers' decisions, and what became of them.

One triplet is hallucinated, and two come from an outdated notice. All of it is written for demonstration.
"""

from collections import defaultdict
from functools import partial
from pathlib import Path

import orjson
import polars as pl

from qaviz.model.columns import ANSWERABLE, GOLDEN_COLUMNS, QUESTION_ID
from qaviz.review import Level, Likelihood, Severity
from qaviz.review.session import apply_review, start_review
from qaviz.review.statement import state_review
from qaviz.store.golden_versions import PASSAGES, keep_generated
from qaviz.store.reviews import ACCEPT, WHOLE, Decision, classify, close_session, decide, find_next_item, undo_decision
from qaviz.store.workspace import Workspace

TRIPLETS_FILE, DECISIONS_FILE = "harbour-line.triplets.jsonl", "harbour-line.decisions.jsonl"
NAME = "Harbour Line, reviewed"
LEADER, SECOND = "Lea", "Bo"
SEED = 7
GUIDELINES = """Read the passage first, then compare every figure, date and name with it.
What the passage says can be untrue today: then the source is wrong, not the triplet.
Example: the answer says 8.5%, the passage 5.8%. That is a hallucination: edit answer and fact."""


def import_sample_review(folder: Path, workspace: Workspace) -> None:
    """Keep the sample's reviewed dataset: a review of version 1, applied and closed, and one of version 2, begun."""
    if not (folder / TRIPLETS_FILE).is_file():
        return
    triplets = pl.read_ndjson(folder / TRIPLETS_FILE)
    types = {column: pl.Boolean() if column == ANSWERABLE else pl.String() for column in GOLDEN_COLUMNS}
    golden = triplets.match_to_schema(pl.Schema(types), missing_columns="insert", extra_columns="ignore")
    passages = triplets.match_to_schema(
        PASSAGES, missing_columns="insert", extra_columns="ignore", integer_cast="upcast"
    )
    line = keep_generated(workspace, NAME, golden, passages, LEADER).line
    risk = (Severity.MAJOR.value, Likelihood.LIKELY.value, Level.HIGH.value)
    classify(workspace, line, WHOLE, *risk, "A travel assistant for passengers answers by it.", LEADER)
    start = partial(start_review, workspace, line, Level.HIGH, LEADER, readers=2, guidelines=GUIDELINES, seed=SEED)
    first = start().session
    by_item: dict[str, dict[str, Decision]] = defaultdict(dict)
    for line_of_file in (folder / DECISIONS_FILE).read_bytes().splitlines():
        row = orjson.loads(line_of_file)
        reader, question = row.pop("reader"), row.pop(QUESTION_ID)
        by_item[reader][question] = Decision(**row | {"findings": tuple(row["findings"])})
    for reader, decisions in by_item.items():
        _decide_on_items(workspace, first, reader, decisions, triplets.height + 1)
    for item in state_review(workspace, first).open_items:
        undo_decision(workspace, first, SECOND, item=item)
        why = "The question asks how it changed, and the answer gives both amounts."
        decide(workspace, first, item, SECOND, Decision(action=ACCEPT, note=why))
    apply_review(workspace, first, LEADER)
    close_session(workspace, first, LEADER)
    second = start().session
    _decide_on_items(workspace, second, "Ana", by_item["Ana"], 4)


def _decide_on_items(
    workspace: Workspace, session: str, reader: str, decisions: dict[str, Decision], most: int
) -> None:
    """Let a reader decide on so many items: accept what is right by now."""
    for _ in range(most):
        item = find_next_item(workspace, session, reader)
        if item is None:
            return
        decision = decisions[item.question_id] if most > len(decisions) else Decision(action=ACCEPT, seconds=18.0)
        decide(workspace, session, item.item, reader, decision)
