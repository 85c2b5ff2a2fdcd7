"""What Ray is asked to do. What it does with shards, and where it listens, is in tests/bulk/test_shards.py."""

import importlib.util
import socket

import pyarrow as pa
import pytest

from qaviz.bulk.shards import map_shards
from qaviz.model.errors import QavizError

pytestmark = [
    pytest.mark.ray,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray 2.44 has no release for this Python"),
    # Ray's own imports warn; nobody here can act on it.
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning"),
]


def closed_port() -> int:
    """A port of this machine at which nothing listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port: int = held.getsockname()[1]
        return port


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_an_address_without_a_cluster_is_said_at_once(scheme: str):
    """Where nothing answers, that is a problem with the address in it, before Ray is asked."""
    import ray  # takes a second, in each process that collects this file

    address = f"{scheme}127.0.0.1:{closed_port()}"
    with pytest.raises(QavizError, match=f"--address {address}: found no Ray cluster"):
        list(map_shards(None, ["a"], pa.table({}), address))
    assert not ray.is_initialized()


@pytest.mark.parametrize("address", ["auto", "", "host:", "127.0.0.1:99999999"])
def test_an_address_names_a_host_and_a_port(address: str):
    """What is no HOST:PORT is a problem."""
    with pytest.raises(QavizError, match="expected HOST:PORT"):
        list(map_shards(None, ["a"], pa.table({}), address))
