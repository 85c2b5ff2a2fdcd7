"""Files become a golden dataset and responses."""

from qaviz.loading.listing import listed_counts
from qaviz.loading.load import Loaded, load
from qaviz.loading.source import Source

__all__ = ["Loaded", "Source", "listed_counts", "load"]
