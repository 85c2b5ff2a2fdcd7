"""More responses than memory has room for: scored and diagnosed chunk by chunk here, or shard by shard on a cluster."""
