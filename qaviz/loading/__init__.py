"""Files become a golden dataset and responses."""

from qaviz.loading.align import Chunk
from qaviz.loading.load import Preview, load, load_golden, preview, silent, stream
from qaviz.loading.load_log import listed_counts
from qaviz.loading.source import UPLOAD_LIMIT, Source
from qaviz.loading.tool import Column, Tool

__all__ = [
    "UPLOAD_LIMIT",
    "Chunk",
    "Column",
    "Preview",
    "Source",
    "Tool",
    "listed_counts",
    "load",
    "load_golden",
    "preview",
    "silent",
    "stream",
]
