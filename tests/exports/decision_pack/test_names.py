"""qaviz.exports.decision_pack.name_file: a file named after its run and its day."""

from dataclasses import replace

import pytest

from qaviz.exports.decision_pack import name_file
from tests.exports.decision_pack.packs import MADE_AT


@pytest.mark.parametrize(
    ("run", "name"),
    [
        ("Release 12", "decision-pack-release-12-2026-11-20.pptx"),
        ("../../etc/passwd", "decision-pack-etc-passwd-2026-11-20.pptx"),
        ("日本語", "decision-pack-20261119-160500-c0ffee-2026-11-20.pptx"),
    ],
)
def test_the_file_is_named_after_run_and_day(sample, run, name):
    """Letters, digits and hyphens only; a run whose name has none gives its id."""
    assert name_file(replace(sample.run, name=run), MADE_AT, ".pptx") == name
