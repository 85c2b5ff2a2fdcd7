"""One shard's work: what a worker needs to know of it, where its result goes, and whether that is there already."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from string import ascii_letters, digits

import pyarrow as pa
import pyarrow.parquet as pq

from qaviz.loading.shards import Shard
from qaviz.model.records import Thresholds

LISTED_FOLDER = "_listed"
"""Folder beside the results, with what is listed of each shard. Readers of a folder of Parquet files skip `_` names."""

KEY = "qaviz.shard"
"""Where a result's footer says what it is the result of."""

_PLAIN = frozenset(ascii_letters + digits + "._-")
_LONGEST_STEM = 80


@dataclass(frozen=True, kw_only=True)
class Job:
    """A shard to score and diagnose. Travels to its worker as JSON."""

    shard: Shard
    mapping: Mapping[str, str]
    golden: str
    """Name of the golden dataset's file."""
    golden_id: str
    """Content hash of the golden dataset."""
    by_id: bool
    """Whether responses align by id."""
    thresholds: Thresholds
    columns: Sequence[str]
    """Columns of the result."""
    version: str
    """qaviz's."""
    folder: str
    """Where the result goes."""

    @classmethod
    def from_json(cls, text: str) -> "Job":
        """The job that `to_json` wrote."""
        fields = json.loads(text)
        fields["shard"], fields["thresholds"] = Shard(**fields["shard"]), Thresholds(**fields["thresholds"])
        return cls(**fields)

    def to_json(self) -> str:
        """The job as text."""
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def key(self) -> str:
        """Hash of all that the result depends on: another shard, golden dataset or setting is another job."""
        return _hash(self.to_json())

    @property
    def result(self) -> Path:
        """The Parquet file of its rows. Named after the shard, with a hash: two folders may each hold a `part-0`."""
        stem = "".join(char if char in _PLAIN else "_" for char in PurePosixPath(self.shard.path).stem)
        return Path(self.folder, f"{stem[:_LONGEST_STEM]}-{_hash(self.shard.name)[:12]}.parquet")

    @property
    def listed(self) -> Path:
        """The Parquet file of what is listed of it; written before the result."""
        return Path(self.folder, LISTED_FOLDER, self.result.name)

    def key_with(self, together: str) -> str:
        """What the footer says of a result from which rows were taken that stand in other results."""
        return f"{self.key} {together}"

    def is_done(self, together: str) -> bool:
        """Whether the result is there, of this very job; if rows were taken out, `together` with the same others."""
        try:
            about = pq.read_metadata(self.result).metadata or {}
        except (OSError, pa.ArrowException):
            return False
        keys = [key.encode() for key in (self.key, self.key_with(together))]
        return about.get(KEY.encode()) in keys and self.listed.is_file()


def together(jobs: Sequence[Job]) -> str:
    """Hash of all the jobs, in order."""
    return _hash(" ".join(job.key for job in jobs))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
