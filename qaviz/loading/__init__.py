"""Files become a golden dataset and responses."""

from qaviz.loading.adapters import is_from_tool
from qaviz.loading.adapters.fmeval_output import is_fmeval_output, load_fmeval_output
from qaviz.loading.adapters.tool import Column, Tool
from qaviz.loading.align import Chunk
from qaviz.loading.column_mapping import GOLDEN, RESPONSES, Role
from qaviz.loading.load import Loaded, load, load_golden, silent, stream
from qaviz.loading.load_log import listed_counts
from qaviz.loading.readers.reading import Preview, preview
from qaviz.loading.source import UPLOAD_LIMIT, Source

__all__ = [
    "GOLDEN",
    "RESPONSES",
    "UPLOAD_LIMIT",
    "Chunk",
    "Column",
    "Loaded",
    "Preview",
    "Role",
    "Source",
    "Tool",
    "is_fmeval_output",
    "is_from_tool",
    "listed_counts",
    "load",
    "load_fmeval_output",
    "load_golden",
    "preview",
    "silent",
    "stream",
]
