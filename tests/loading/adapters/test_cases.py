"""Files of tools: `cases.json` has what they hold, or which the tools themselves wrote, and what is read of them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from qaviz.loading import Source, load, stream
from tests.loading.adapters.files import MADE, WRITTEN, theirs
from tests.loading.files import entries, upload

CASES = json.loads(Path(__file__).with_name("cases.json").read_text("utf-8"))
ROWS = {
    "promptfoo results": ("results", "results"),
    "an Inspect log": ("samples",),
    "an LLM Comparator file": ("examples",),
}
"""Where in a tool's made file its rows stand."""


def fill(tool: str, changes: list[dict[str, Any]]) -> Any:
    """The made file of a tool with its first row once for each of these, changed by that."""
    whole = json.loads(json.dumps(MADE[tool]))
    rows = whole
    for name in ROWS.get(tool, ()):
        rows = rows[name]
    changed = [(rows[0] if isinstance(rows, list) else rows) | change for change in changes]
    if tool not in ROWS:
        return changed
    rows[:] = changed
    return whole


def make(name: str, content: Any) -> Source:
    """A file as its name's suffix says: a text, any JSON, `{"made": TOOL, "rows": CHANGES}`, or `{"written": FILE}`."""
    fields: Mapping[str, Any] = content if isinstance(content, dict) else {}
    if "written" in fields:
        return upload(name, WRITTEN.joinpath(fields["written"]).read_bytes())
    if "made" in fields:
        content = fill(fields["made"], fields["rows"]) if "rows" in fields else MADE[fields["made"]]
    if name.endswith(".jsonl"):
        content = "\n".join(map(json.dumps, content))
    elif name.endswith(".csv"):
        content = pl.DataFrame(content).write_csv()
    return upload(name, content if isinstance(content, str) else json.dumps(content, indent=1))


@pytest.mark.parametrize("case", CASES, ids=[case["says"] for case in CASES])
def test_a_file_of_a_tool_is_read(case: dict[str, Any]):
    """What a case `says`: columns of responses and of the golden dataset, scores that came along, what is listed."""
    files = [make(*file) for file in case["files"].items()]
    loaded = next(stream(None, files, keep_scores=True)) if "keeps_scores" in case else load(None, files)
    rows = loaded.rows.sort("question_id", "pipeline")
    assert {name: rows[name].to_list() for name in case["rows"]} == case["rows"]
    assert {name: loaded.golden[name].to_list() for name in case["golden"]} == case["golden"]
    assert theirs(rows) == case["theirs"]
    assert {kind: list(map(list, entries(loaded, kind))) for kind in case["listed"]} == case["listed"]
