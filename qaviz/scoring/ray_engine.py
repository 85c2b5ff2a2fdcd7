"""The only door to Ray: one function over many shards, on this machine's cores or on a cluster."""

import importlib.util
import logging
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

import qaviz
from qaviz.model.errors import stop, stop_without

TRIES = 3
"""How often a shard is tried again whose worker was killed."""

_SHARD = "shard"
_RESULT = "result"
_LOOPBACK = "127.0.0.1"
_SECONDS_TO_ANSWER = 5.0

ShardFunction = Callable[[pa.Table, str], str]
"""What is done with a shard: the table that all shards share, and what says which shard it is, in; a result out."""


def map_shards(
    function: ShardFunction, shards: Sequence[str], shared: pa.Table, address: str | None = None
) -> Iterator[str]:
    """Yield what `function` returns for each of the shards, in the order in which they are done.

    With an address the cluster there does it, whose machines need qaviz installed; without one a cluster of this
    machine's cores, started for this call and listening on loopback only. A shard whose worker is killed is done again,
    TRIES times, so `function` has to bear a second call. Raises QavizError where Ray is not installed or there is no
    cluster at the address; what `function` raises is a bug.
    """
    if importlib.util.find_spec("ray") is None:
        raise stop_without("ray", "ray 2.44 beside qaviz")
    with _cluster(address) as (ray, env):
        held = ray.put(shared)

        def work(batch: pa.Table) -> pa.Table:
            results = [function(ray.get(held), shard) for shard in batch[_SHARD].to_pylist()]
            return pa.table({_RESULT: pa.array(results, pa.string())})

        tasks = ray.data.from_items([{_SHARD: shard} for shard in shards], override_num_blocks=len(shards))
        done = tasks.map_batches(
            work, batch_size=1, batch_format="pyarrow", max_retries=TRIES, runtime_env={"env_vars": env}
        )
        for row in done.iter_rows():
            yield row[_RESULT]


@contextmanager
def _cluster(address: str | None) -> Iterator[tuple[Any, dict[str, str]]]:
    """Ray, connected, and the variables that its workers need."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    import ray.data

    if address is None:
        # Without the address Ray listens on all of the machine's, and anybody could run code here.
        ray.init(
            address="local",
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
            _node_ip_address=_LOOPBACK,
        )
        env = {"PYTHONPATH": str(Path(qaviz.__file__).parents[1]), "POLARS_MAX_THREADS": "1"}
    else:
        _join(address)
        env = {"POLARS_MAX_THREADS": "1"}
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        yield ray, env
    finally:
        ray.shutdown()


def _join(address: str) -> None:
    import ray

    host, _, port = address.rpartition("://")[2].rpartition(":")
    try:
        # Ray itself would wait for a minute.
        socket.create_connection((host, int(port)), timeout=_SECONDS_TO_ANSWER).close()
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, OverflowError, ValueError) as error:
        raise stop(
            f"--address {address}",
            f"no Ray cluster ({error})",
            "HOST:PORT of a running cluster's head, as `ray start --head` says it",
            "Start the cluster, or leave --address out to use this machine's cores.",
        ) from None
