"""A workspace of today with a row in every table, as text: what newer versions have to bring up.

    python -m tests.store.older_workspace

Run before a migration is added: it writes `tests/store/older/N`, N being the version of today.
"""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from qaviz.model.columns import FACT, LABEL, PIPELINE, QUESTION_ID
from qaviz.model.records import Verified
from qaviz.store.golden_versions import (
    EDITS,
    PASSAGES,
    Correction,
    keep_corrections,
    keep_generated,
    keep_rejections,
    keep_version,
    versions,
)
from qaviz.store.index import INDEX_FILE, NEWEST
from qaviz.store.labels import (
    ANSWER_FORMS,
    COMMENT,
    DRAWN,
    GRADES_SCHEMA,
    TRIPLET_FINDINGS,
    keep_answer_forms,
    keep_bertscores,
    keep_grades,
    keep_labels,
    keep_triplet_findings,
    take_back_labels,
)
from qaviz.store.members import give_role, map_identity
from qaviz.store.reviews import close_session, review_sessions, seen_decisions
from qaviz.store.roles import Role
from qaviz.store.run_records import describe
from qaviz.store.settings import keep_policy, keep_profile
from qaviz.store.workspace import open_backup
from tests.store.kept import keep
from tests.store.reviews import keep_review

OLDER = Path(__file__).parent / "older"


_PASSAGE = {
    "chunk": "c",
    "document": "a.md",
    "document_hash": "d",
    "start_at": 0,
    "end_at": 9,
    "heading": "é",
    "kind": "list",
    "passage": "the text",
    "model": "openai:m",
    "prompt": "p",
    "flagged": True,
}


def write_workspace(folder: Path) -> None:
    """Write the workspace into the new folder, its index as the text `index.sql`."""
    workspace = open_backup(folder)
    run, _ = (keep(workspace, name) for name in ("June", "July"))
    verified_at = datetime(2026, 3, 1, tzinfo=UTC)
    workspace.keep_verified(run, Verified(verified_at=verified_at, version="1.2.3", compared=7, differences=1))
    keep_bertscores(workspace, "model", pl.DataFrame({"pair": [b"\x00\xff", b"two"], "bertscore": [0.1, 1 / 3]}))
    for person, label in (("Ada", "correct"), ("Bo", "incorrect"), ("Ada", "declined")):
        keep_labels(workspace, run, person, pl.DataFrame({QUESTION_ID: ["1"], PIPELINE: ["A"], LABEL: [label]}))
    said = {QUESTION_ID: ["1"], PIPELINE: ["A"], LABEL: ["correct"], COMMENT: ["é\nas said"], DRAWN: [True]}
    keep_labels(workspace, run, "Cy", pl.DataFrame(said))
    take_back_labels(workspace, run, "Ada")

    graded = {
        QUESTION_ID: "1",
        PIPELINE: "A",
        "composite": 2.5,
        "grades": [{"criterion": "c", "grade": 2, "reason": "é"}],
    }
    keep_grades(workspace, run, "0" * 16, "openai:m", {"shots": "few"}, pl.DataFrame([graded], schema=GRADES_SCHEMA))

    (parent,) = versions(workspace, run.golden_id)
    golden = workspace.golden(run.golden_id)
    question, before = golden[QUESTION_ID][0], golden[FACT][0]
    after = "Seattle<OR>SEA"
    edited = golden.with_columns(
        pl.when(pl.col(QUESTION_ID) == question).then(pl.lit(after)).otherwise(FACT).alias(FACT)
    )
    edits = pl.DataFrame([[question, FACT, before, after, None]], schema=EDITS, orient="row")
    keep_version(workspace, parent, edited, edits, "Ada", "a short form")
    rejected = pl.DataFrame({QUESTION_ID: [question], "rule": ["r"], "proposed": ["p 🙂"]})
    keep_rejections(workspace, parent.line, rejected, "Bo")
    keep_policy(workspace, {"criteria": [], "note": "é"})
    keep_profile(workspace, "theirs", ("q", "a"), {"q": "question", "a": "answer"}, "Ada")
    made_of = pl.DataFrame({name: [_PASSAGE.get(name)] for name in PASSAGES}, schema=PASSAGES)
    keep_generated(workspace, "generated é", golden.head(1), made_of.with_columns(question_id=pl.lit(question)), "Ada")
    keep_corrections(workspace, "generated é", {question: Correction(question="é?", answer="é.", fact="é")}, "Ada")
    found = {name: ["é"] for name in TRIPLET_FINDINGS if name != "model"} | {QUESTION_ID: [question]}
    keep_triplet_findings(workspace, run.golden_id, "openai:m", pl.DataFrame(found), "Ada")
    form = {name: ["é"] for name in ANSWER_FORMS} | {QUESTION_ID: [question]}
    keep_answer_forms(workspace, run.golden_id, pl.DataFrame(form), "Ada")
    keep_review(workspace, run.golden_id, golden)
    (review,) = review_sessions(workspace, run.golden_id)
    close_session(workspace, review.session, "Ada")
    seen_decisions(workspace, review.session, "Bo")
    describe(workspace, run.run_id, "Ada", owner="Ada", add_tags=["release"], notes="two\nlines")

    give_role(workspace, "ada", Role.OWNER, by="Ada")
    map_identity(workspace, "0af3", "bo@example.com", "Bo", "Ada")

    with closing(sqlite3.connect(folder / INDEX_FILE)) as index:
        text = "\n".join(index.iterdump())
    for file in folder.glob(f"{INDEX_FILE}*"):
        file.unlink()
    (folder / "index.sql").write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    write_workspace(OLDER / str(NEWEST))
