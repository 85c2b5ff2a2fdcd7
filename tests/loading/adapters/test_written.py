"""Which files the tools themselves wrote; `cases.json` says what is read of them."""

import re
from pathlib import Path

import pytest

from qaviz.loading import Source, load
from qaviz.model.errors import QavizError
from qaviz.scoring.bridge import TESTED_VERSION
from tests.loading.adapters.files import WRITTEN

ROOT = Path(__file__).parents[3]


def test_a_task_that_compares_likelihoods_is_refused():
    """Samples of lm-evaluation-harness that generate nothing have no responses."""
    with pytest.raises(QavizError, match="no responses"):
        load(Source.of(WRITTEN / "lm_eval-0.4.13.chosen.jsonl"), [])


def test_the_documents_name_each_release_that_wrote_a_fixture():
    """docs/imports.md names the releases whose files lie in the folder, and of no other format says that its tool wrote
    the fixture, but of FMEval, which the tests run."""
    text = " ".join((ROOT / "docs" / "imports.md").read_text("utf-8").split())
    (listed,) = re.findall(r"files that the tools themselves wrote: (.+?)\. ", text)
    releases = [tool.split(" ", 1) for tool in listed.split("; ")]
    written = {name.lower().replace("-", "_"): set(versions.split(", ")) for name, versions in releases}
    there: dict[str, set[str]] = {}
    for file in WRITTEN.iterdir():
        if found := re.match(r"([a-z_]+?)(?:_ai)?-(\d+\.\d+\.\d+)\.", file.name):
            there.setdefault(found[1], set()).add(found[2])

    assert written.pop("fmeval") == {TESTED_VERSION}
    assert written == there
