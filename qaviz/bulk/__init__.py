"""More responses than memory has room for: scored and diagnosed chunk by chunk here, or shard by shard on a cluster."""

from qaviz.bulk.chunks import judged, stream_files

__all__ = ["judged", "stream_files"]
