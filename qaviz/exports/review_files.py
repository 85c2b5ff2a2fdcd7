"""A review as a file for readers without an account: items out, decisions in: JSON Lines, or a workbook."""

from io import BytesIO

import polars as pl

from qaviz.exports.table_files import INERT, LONGEST_IN_A_CELL
from qaviz.model import columns as c
from qaviz.store import reviews
from qaviz.store.golden_versions import passages, versions
from qaviz.store.workspace import Workspace

ITEM, ACTION, NOTE = "item", "action", "note"
FOUND = "findings"
NEW = {c.QUESTION: "new_question", c.ANSWER: "new_answer", c.FACT: "new_fact"}
SHOWN = (ITEM, reviews.TRIPLET, c.QUESTION_ID, "document", "passage", c.QUESTION, c.ANSWER, c.FACT)
"""Columns that a reader looks at, and the hash of the triplet that they decide on."""
WRITTEN = (ACTION, FOUND, *NEW.values(), NOTE)
"""Columns that a reader fills in: one of ACTIONS, findings separated by semicolons, new texts of an edit, a note."""


def review_table(workspace: Workspace, session: str, reader: str) -> pl.DataFrame:
    """Columns SHOWN and WRITTEN: one row an item that this reader has decided on or is to, with their decisions only.
    Hidden repeats are left out: in a file a reader would see them side by side."""
    review = reviews.find_session(workspace, session)
    newest = versions(workspace, review.line)[-1].golden_id
    texts = workspace.golden(newest).select(c.QUESTION_ID, c.QUESTION, c.ANSWER, c.FACT, "source")
    of = passages(workspace, review.line).select(c.QUESTION_ID, "passage")
    decided = reviews.own_decisions(workspace, session, reader).filter(~pl.col("adjudicates"))
    own = decided.select(
        ITEM, ACTION, pl.col(FOUND).list.join("; "), *(pl.col(name).alias(new) for name, new in NEW.items()), NOTE
    )
    once = reviews.session_items(workspace, session).filter(pl.col("repeat_of").is_null())
    if review.closed_at is None:
        once = once.filter(pl.col(ITEM).is_in({*decided[ITEM], *reviews.list_open_items(workspace, session, reader)}))
    items = once.select(ITEM, reviews.TRIPLET, c.QUESTION_ID, "document")
    table = items.join(texts, on=c.QUESTION_ID, maintain_order="left").join(of, on=c.QUESTION_ID, how="left")
    table = table.with_columns(pl.coalesce("passage", "source").alias("passage"))
    return table.join(own, on=ITEM, how="left", maintain_order="left").select(
        pl.col(ITEM).cast(pl.String), *SHOWN[1:], *WRITTEN
    )


def as_workbook(table: pl.DataFrame, review: reviews.ReviewSession) -> bytes:
    """A workbook whose decisions and findings are chosen from lists; every text is a text, cut where a cell ends."""
    import xlsxwriter

    file = BytesIO()
    with xlsxwriter.Workbook(file, INERT) as book:
        sheet, wrapped = book.add_worksheet("review"), book.add_format({"text_wrap": True, "valign": "top"})
        sheet.freeze_panes(1, 1)
        sheet.write_row(0, 0, table.columns, book.add_format({"bold": True}))
        sheet.set_column(4, len(table.columns) - 1, 40, wrapped)
        for place, row in enumerate(table.iter_rows(), start=1):
            cells = [cell[:LONGEST_IN_A_CELL] if isinstance(cell, str) else cell for cell in row]
            sheet.write_row(place, 0, cells, wrapped)
        last, action, findings = table.height or 1, table.columns.index(ACTION), table.columns.index(FOUND)
        sheet.data_validation(1, action, last, action, {"validate": "list", "source": list(reviews.ACTIONS)})
        listed = [*reviews.FINDINGS, *review.own_findings][:20]
        several = {"validate": "list", "source": listed, "error_type": "warning"}
        sheet.data_validation(1, findings, last, findings, several)
    return file.getvalue()
