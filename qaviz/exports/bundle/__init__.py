"""A run as a static site: one file, or a folder, that opens from disk and on any host, and fetches nothing."""

from qaviz.exports.bundle.content import MOST_RESPONSES
from qaviz.exports.bundle.writing import Written, write_bundle

__all__ = ["MOST_RESPONSES", "Written", "write_bundle"]
