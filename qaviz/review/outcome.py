"""What becomes of a review: one version of the golden dataset, and sources that have to be corrected."""

from collections.abc import Mapping, Sequence

import polars as pl

from qaviz.documents import Document
from qaviz.golden.edits import edit
from qaviz.golden.versions import DELETED as GONE
from qaviz.golden.versions import KEPT_OUT, accept_review, add_back, newest_version
from qaviz.model.columns import ANSWER, FACT, QUESTION, QUESTION_ID
from qaviz.model.errors import Problem, QavizError
from qaviz.review.sample import hash_triplets, triplet_hash
from qaviz.review.session import refresh_review, settle_items
from qaviz.store import GoldenVersion, Workspace, kept_edits, passages, renew_passages, versions
from qaviz.store.golden_versions import EDITS, NUMBER, RULE
from qaviz.store.review_decisions import all_decisions, end_decisions, mark_applied
from qaviz.store.review_sessions import DELETE, EDIT, SOURCE_WRONG, find_session


def apply_review(workspace: Workspace, session: str, by: str) -> GoldenVersion | None:
    """Make the settled edits, deletions and wrong sources one version of the golden dataset.

    Every triplet from a document that a reviewer called wrong is kept out of it.

    None where nothing is left to apply. Raises QavizError, ConflictError where somebody else has changed one of the
    triplets since; nothing is changed then.
    """
    refresh_review(workspace, session)
    known = find_session(workspace, session)
    version = newest_version(workspace, known.line)
    golden = workspace.golden(version.golden_id)
    open_ones = all_decisions(workspace, session).filter(pl.col("applied").is_null())
    settled = {
        item: row
        for item, row in settle_items(open_ones, known.readers).items()
        if row["action"] in (EDIT, DELETE, SOURCE_WRONG)
    }
    if not settled:
        return None
    edits, gone = _changes(workspace, session, golden, list(settled.values()))
    why = f"review {session}: {len(settled):,} decisions"
    made = accept_review(workspace, version, edits, gone, by, why)
    now = {row[QUESTION_ID]: row for row in workspace.golden(made.golden_id).iter_rows(named=True)}
    hashes = {}
    for item, row in settled.items():
        new = now.get(row[QUESTION_ID])
        hashes[item] = triplet_hash(new[QUESTION], new[ANSWER], new[FACT]) if new else ""
    mark_applied(workspace, session, hashes, made.number)
    return made


def _changes(
    workspace: Workspace, session: str, golden: pl.DataFrame, rows: Sequence[Mapping[str, object]]
) -> tuple[pl.DataFrame, dict[str, str]]:
    """The edits (EDITS) that the decisions ask for, and the triplets that go, each with GONE or KEPT_OUT."""
    there = set(golden[QUESTION_ID])
    edits = [EDITS.to_frame()]
    for row in rows:
        if row["action"] == EDIT:
            texts = {name: row[name] for name in (QUESTION, ANSWER, FACT) if row[name] is not None}
            edits += [edit(str(row[QUESTION_ID]), name, str(text), "review") for name, text in texts.items()]
    wrong = [row for row in rows if row["action"] == SOURCE_WRONG]
    documents = {row["document"] for row in wrong} - {None}
    hashed = hash_triplets(golden, passages(workspace, find_session(workspace, session).line))
    of_wrong = hashed.filter(pl.col("document").is_in([*documents]))[QUESTION_ID]
    gone = dict.fromkeys([*of_wrong, *(str(row[QUESTION_ID]) for row in wrong)], KEPT_OUT)
    gone |= {str(row[QUESTION_ID]): GONE for row in rows if row["action"] == DELETE}
    return pl.concat(edits), {question: why for question, why in gone.items() if question in there}


def wrong_documents(workspace: Workspace, session: str) -> list[str]:
    """The documents that a settled decision of the review calls wrong."""
    known = find_session(workspace, session)
    settled = settle_items(all_decisions(workspace, session), known.readers).values()
    found = {str(row["document"]) for row in settled if row["action"] == SOURCE_WRONG and row["document"]}
    return sorted(found)


def held_triplets(workspace: Workspace, line: str) -> pl.DataFrame:
    """The triplets that are kept out because their source is wrong, as they were, with `document` and `passage`."""
    known = versions(workspace, line)
    newest = workspace.golden(known[-1].golden_id)
    edits = kept_edits(workspace, line).filter(pl.col(RULE) == KEPT_OUT)
    tables = []
    for number in edits[NUMBER].unique(maintain_order=True).reverse():
        before = workspace.golden(known[number - 2].golden_id)
        tables.append(before.join(edits.filter(pl.col(NUMBER) == number), on=QUESTION_ID, how="semi"))
    found = pl.concat(tables).unique(QUESTION_ID, keep="first", maintain_order=True) if tables else newest.clear()
    held = found.join(newest, on=QUESTION_ID, how="anti", maintain_order="left")
    kept = passages(workspace, line)
    hashed = hash_triplets(held, kept).select(QUESTION_ID, "document")
    texts = kept.select(QUESTION_ID, "passage", "document_hash")
    return held.join(hashed, on=QUESTION_ID, how="left", maintain_order="left").join(
        texts, on=QUESTION_ID, how="left", maintain_order="left"
    )


def bring_back(workspace: Workspace, line: str, name: str, corrected: Document, by: str) -> tuple[int, int]:
    """Read the new version of a document that was wrong: triplets whose passage stands in it come back, to be read.

    `name` is the document as the review knows it. Returns how many came back, and how many stay out because their
    passage is gone: generate from the document for those. Their decisions are ended. Raises QavizError if nothing of
    this document is kept out, or the document is the version that was called wrong.
    """
    held = held_triplets(workspace, line).filter(pl.col("document") == name)
    old = set(held["document_hash"].drop_nulls())
    if held.is_empty() or corrected.sha256 in old:
        found = "the version that was called wrong" if held.height else "no triplet that is kept out"
        raise QavizError(
            Problem(where=name, found=found, expected="a new version of a document that is wrong", fix="Correct it.")
        )
    stands = pl.col("passage").is_null() | pl.col("passage").map_elements(
        lambda passage: passage in corrected.text, return_dtype=pl.Boolean
    )
    back = held.filter(stands)
    if back.height:
        golden = back.drop("document", "passage", "document_hash")
        renew_passages(workspace, line, back[QUESTION_ID].to_list(), corrected.sha256)
        add_back(workspace, line, golden, by, f"the source is corrected: {name}"[:1000])
        end_decisions(workspace, line, back[QUESTION_ID].to_list(), "source corrected")
    return back.height, held.height - back.height
