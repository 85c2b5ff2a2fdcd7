"""Files of tools: `cases.json` has what they hold, or which the tools themselves wrote, and what is read of them."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from qaviz.loading import Source, load, stream
from qaviz.model.errors import QavizError
from qaviz.scoring.bridge import TESTED_VERSION
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


def test_a_task_that_compares_likelihoods_is_refused():
    """Samples of lm-evaluation-harness that generate nothing have no responses."""
    with pytest.raises(QavizError, match="no responses"):
        load(Source.of(WRITTEN / "lm_eval-0.4.13.chosen.jsonl"), [])


def test_the_documents_name_each_release_that_wrote_a_fixture():
    """docs/imports.md names the releases whose files lie in the folder, and of no other format says that its tool wrote
    the fixture, but of FMEval, which the tests run."""
    text = " ".join((Path(__file__).parents[3] / "docs" / "imports.md").read_text("utf-8").split())
    (listed,) = re.findall(r"files that the tools themselves wrote: (.+?)\. ", text)
    releases = [tool.split(" ", 1) for tool in listed.split("; ")]
    written = {name.lower().replace("-", "_"): set(versions.split(", ")) for name, versions in releases}
    there: dict[str, set[str]] = {}
    for file in WRITTEN.iterdir():
        if found := re.match(r"([a-z_]+?)(?:_ai)?-(\d+\.\d+\.\d+)\.", file.name):
            there.setdefault(found[1], set()).add(found[2])

    assert written.pop("fmeval") == {TESTED_VERSION}
    assert written == there
