"""The report of the sample, which several tests read and none changes."""

from tests.exports.decision_pack.conftest import sample

__all__ = ["sample"]
