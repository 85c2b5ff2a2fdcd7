from dataclasses import replace

import pytest

from qaviz.analysis.sentences import provenance_lines
from qaviz.analysis.tables import rows_with
from qaviz.model.records import Provenance, SourceFile
from qaviz.store.run_records import describe, find_record, run_table
from qaviz.store.workspace import Workspace
from tests.store.kept import ROWS, keep


@pytest.fixture
def three(workspace: Workspace) -> Workspace:
    """Three runs: one by Zoë with tags and notes, one by bo that has fewer responses, one that nobody owns."""
    keep(workspace, "Beta", by="Zoe\u0308")
    keep(workspace, "alpha", rows=ROWS.head(2), by="bo")
    keep(workspace, "Gamma 100%")
    describe(
        workspace, find_record(workspace, "Beta").run.run_id, "Ana", notes="kept as .* baseline", add_tags=["Tag A"]
    )
    return workspace


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("", ["Gamma 100%", "alpha", "Beta"]),
        ("ALPHA", ["alpha"]),
        ("zoë", ["Beta"]),
        ("tag  BASELINE", ["Beta"]),
        (".*", ["Beta"]),
        ("100%", ["Gamma 100%"]),
        ("baseline alpha", []),
    ],
)
def test_a_search_looks_everywhere_for_every_word(three: Workspace, search: str, found: list[str]):
    """Words are found in name, owner, tags and notes, in whatever case and however accents are written, as they stand;
    a run has to have them all."""
    assert rows_with(run_table(three), search)["name"].to_list() == found


def test_a_runs_provenance_in_words(three: Workspace):
    """Files with size and hash, columns, versions and what it was scored again from are said; what is not known too."""
    record = find_record(three, "Beta")
    said = dict(provenance_lines(record, 2))
    assert said["Golden dataset"] == f"version 2, {record.run.golden_id}"
    assert said["Thresholds"].startswith("Close from 0.65")
    assert "not recorded" in said["Files"]
    made_of = Provenance(
        files=(SourceFile(name="g.csv", sha256="ab", size=1234),),
        mappings={"g.csv": {"prompt": "question", "x": ""}},
        versions={"qaviz": "1", "polars": "2"},
        rescored_from="20260101-000000-abcdef",
    )
    said = dict(provenance_lines(replace(record, provenance=made_of), 2))
    assert said["File"] == "g.csv\n1,234 bytes, SHA-256 ab"
    assert said["Columns"] == 'g.csv: "prompt" read as question, "x" ignored'
    assert said["Versions"] == "qaviz 1, polars 2"
    assert "20260101-000000-abcdef" in said["Responses"]
    assert "Files" not in said
