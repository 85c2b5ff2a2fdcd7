"""Files become a golden dataset and responses."""

from qaviz.loading.listing import listed_counts
from qaviz.loading.load import Loaded, load
from qaviz.loading.names import GOLDEN, RESPONSES, Role
from qaviz.loading.reading import Preview, preview
from qaviz.loading.source import UPLOAD_LIMIT, Source

__all__ = [
    "GOLDEN",
    "RESPONSES",
    "UPLOAD_LIMIT",
    "Loaded",
    "Preview",
    "Role",
    "Source",
    "listed_counts",
    "load",
    "preview",
]
