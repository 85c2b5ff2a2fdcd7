"""A review as a file for readers without an account: items out, decisions in: JSON Lines, or a workbook."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from xml.sax.saxutils import quoteattr

import orjson
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

LABEL_STUDIO, ARGILLA = "label-studio", "argilla"
_TEXTS = ("passage", c.QUESTION, c.ANSWER, c.FACT)


def review_table(workspace: Workspace, session: str, reader: str) -> pl.DataFrame:
    """Columns SHOWN and WRITTEN: one row an item that this reader has decided on or is to, with their decisions only.
    Hidden repeats are left out: in a file a reader would see them side by side."""
    review = reviews.find_session(workspace, session)
    newest = versions(workspace, review.line)[-1].golden_id
    texts = workspace.golden(newest).select(c.QUESTION_ID, c.QUESTION, c.ANSWER, c.FACT, "source")
    of = passages(workspace, review.line).select(c.QUESTION_ID, "passage")
    decided = reviews.seen_decisions(workspace, session, reader).filter(
        pl.col("reader") == reader, ~pl.col("adjudicates")
    )
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


def as_label_studio(table: pl.DataFrame) -> bytes:
    """Tasks as Label Studio imports them: one per item, with what the reader has decided already as an annotation."""
    tasks = []
    for row in table.iter_rows(named=True):
        choices = {ACTION: [row[ACTION]] if row[ACTION] else [], FOUND: _list_findings(row)}
        texts = {name: [row[name]] if row[name] else [] for name in (*NEW.values(), NOTE)}
        result = [
            {"from_name": name, "to_name": c.QUESTION, "type": kind, "value": {field: value}}
            for kind, field, answers in (("choices", "choices", choices), ("textarea", "text", texts))
            for name, value in answers.items()
            if value
        ]
        data = {name: row[name] or "" for name in SHOWN}
        tasks.append({"data": data} | ({"annotations": [{"result": result}]} if row[ACTION] else {}))
    return orjson.dumps(tasks, option=orjson.OPT_INDENT_2)


def _list_findings(row: Mapping[str, str | None]) -> list[str]:
    return [part.strip() for part in (row[FOUND] or "").split(";") if part.strip()]


def label_studio_config(review: reviews.ReviewSession) -> str:
    """The labeling interface for these tasks: to be pasted into the settings of the Label Studio project."""
    shown = "".join(f'<Header value="{name}"/><Text name="{name}" value="${name}"/>' for name in _TEXTS)
    several = [*reviews.FINDINGS, *review.own_findings]
    texts = "".join(f'<TextArea name="{name}" toName="{c.QUESTION}" rows="2"/>' for name in (*NEW.values(), NOTE))
    return (
        f'<View>{shown}<Choices name="{ACTION}" toName="{c.QUESTION}" choice="single" required="true">'
        f"{_list_choices(reviews.ACTIONS)}</Choices>"
        f'<Choices name="{FOUND}" toName="{c.QUESTION}" choice="multiple">{_list_choices(several)}</Choices>'
        f"{texts}</View>"
    )


def _list_choices(names: Sequence[str]) -> str:
    return "".join(f"<Choice value={quoteattr(name)}/>" for name in names)


def as_argilla(table: pl.DataFrame) -> bytes:
    """Records as Argilla's `Dataset.records.from_json` reads them: fields, metadata, and the reader's own responses."""
    records = []
    for row in table.iter_rows(named=True):
        fields = {ACTION: row[ACTION], FOUND: _list_findings(row)} | {name: row[name] for name in (*NEW.values(), NOTE)}
        records.append(
            {
                "id": f"{row[ITEM]}-{row[reviews.TRIPLET]}",
                "fields": {name: row[name] or "" for name in _TEXTS},
                "metadata": {name: row[name] or "" for name in (ITEM, reviews.TRIPLET, "document")},
                "suggestions": {},
                "responses": {name: [{"value": value}] for name, value in fields.items() if value},
                "vectors": {},
            }
        )
    return orjson.dumps(records, option=orjson.OPT_INDENT_2)
