"""A reader's items of a review as files of Label Studio and Argilla, by their published schemas."""

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

import orjson
import polars as pl

from qaviz.exports.review_files import ACTION, FOUND, ITEM, NEW, NOTE, SHOWN
from qaviz.model.columns import ANSWER, FACT, QUESTION
from qaviz.store.review_sessions import ACTIONS, FINDINGS, TRIPLET, ReviewSession

LABEL_STUDIO, ARGILLA = "label-studio", "argilla"
_TEXTS = ("passage", QUESTION, ANSWER, FACT)


def as_label_studio(table: pl.DataFrame) -> bytes:
    """Tasks as Label Studio imports them: one per item, with what the reader has decided already as an annotation."""
    tasks = []
    for row in table.iter_rows(named=True):
        result = [*_regions(row)]
        data = {name: row[name] or "" for name in SHOWN}
        tasks.append({"data": data} | ({"annotations": [{"result": result}]} if row[ACTION] else {}))
    return orjson.dumps(tasks, option=orjson.OPT_INDENT_2)


def _regions(row: dict[str, Any]) -> Sequence[dict[str, Any]]:
    findings = [each.strip() for each in (row[FOUND] or "").split(";") if each.strip()]
    choices = {ACTION: [row[ACTION]] if row[ACTION] else [], FOUND: findings}
    texts = {name: [row[name]] if row[name] else [] for name in (*NEW.values(), NOTE)}
    return [
        {"from_name": name, "to_name": QUESTION, "type": kind, "value": {field: value}}
        for kind, field, named in (("choices", "choices", choices), ("textarea", "text", texts))
        for name, value in named.items()
        if value
    ]


def label_studio_config(known: ReviewSession) -> str:
    """The labeling interface for these tasks: to be pasted into the settings of the Label Studio project."""
    shown = "".join(f'<Header value="{name}"/><Text name="{name}" value="${name}"/>' for name in _TEXTS)
    several = [*FINDINGS, *known.own_findings]
    texts = "".join(f'<TextArea name="{name}" toName="{QUESTION}" rows="2"/>' for name in (*NEW.values(), NOTE))
    return (
        f'<View>{shown}<Choices name="{ACTION}" toName="{QUESTION}" choice="single" required="true">{_choices(ACTIONS)}'
        f'</Choices><Choices name="{FOUND}" toName="{QUESTION}" choice="multiple">{_choices(several)}</Choices>'
        f"{texts}</View>"
    )


def _choices(names: Sequence[str]) -> str:
    return "".join(f"<Choice value={quoteattr(name)}/>" for name in names)


def as_argilla(table: pl.DataFrame) -> bytes:
    """Records as Argilla's `Dataset.records.from_json` reads them: fields, metadata, and the reader's own responses."""
    records = []
    for row in table.iter_rows(named=True):
        findings = [each.strip() for each in (row[FOUND] or "").split(";") if each.strip()]
        said = {ACTION: row[ACTION], FOUND: findings} | {name: row[name] for name in (*NEW.values(), NOTE)}
        records.append(
            {
                "id": f"{row[ITEM]}-{row[TRIPLET]}",
                "fields": {name: row[name] or "" for name in _TEXTS},
                "metadata": {name: row[name] or "" for name in (ITEM, TRIPLET, "document")},
                "suggestions": {},
                "responses": {name: [{"value": value}] for name, value in said.items() if value},
                "vectors": {},
            }
        )
    return orjson.dumps(records, option=orjson.OPT_INDENT_2)
