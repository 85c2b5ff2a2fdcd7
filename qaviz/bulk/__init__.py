"""More responses than memory has room for: scored and diagnosed chunk by chunk here, or shard by shard on a cluster."""

from qaviz.bulk.chunks import stream_files
from qaviz.bulk.shards import score_shards

__all__ = ["score_shards", "stream_files"]
