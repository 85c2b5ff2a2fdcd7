"""A workspace's Parquet files in an S3-compatible bucket, for a team whose index is in PostgreSQL.

An object's key has the file's checksum: `runs/ID.CHECKSUM.parquet`. So two servers never write different bytes to one
key, and what one of them kept is never overwritten by the other."""

import base64
import errno
import fcntl
import hashlib
import io
import logging
import os
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO
from urllib.parse import urlsplit

import boto3
import sqlalchemy as sa
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectionClosedError,
    HTTPClientError,
    IncompleteReadError,
    NoCredentialsError,
    PartialCredentialsError,
    ReadTimeoutError,
    ResponseStreamingError,
)
from botocore.exceptions import ConnectionError as NoConnectionError

from qaviz.model.errors import Problem, QavizError, stop
from qaviz.store.files import checksum, disk_refusals, folder_lock, passing
from qaviz.store.postgresql import files_lock
from qaviz.store.storage import (
    GOLDEN_FOLDER,
    RUNS_FOLDER,
    STORAGE_VARIABLE,
    BucketAddress,
    DamagedError,
    StoredFile,
    damage_problem,
)

ATTEMPTS = 4
"""How often a request is tried that was throttled, lost or cut off; botocore waits up to 20 s in between."""

PART = 16 * 2**20
"""Bytes of one part of a large object; a smaller one goes in one request."""

CONNECT_WITHIN_S, ANSWER_WITHIN_S = 5, 30
ASKED_EVERY_S = 5.0
"""Seconds for which an answer to `Bucket.ask` counts."""
_CHUNK = 2**20
ErrorResponse = Mapping[str, Any]
"""What botocore makes of a server's refusal: `Error` and `ResponseMetadata`, or whatever the server sent."""

_FOUND = {
    "NoSuchBucket": "no such bucket",
    "AccessDenied": "no right to do that",
    "AllAccessDisabled": "no right to do that",
    "403": "no right to do that",
    "InvalidAccessKeyId": "credentials that it does not know",
    "SignatureDoesNotMatch": "credentials that it does not accept",
    "ExpiredToken": "credentials that have expired",
    "InvalidToken": "credentials that it does not accept",
    "RequestTimeTooSkewed": "that the clocks of this machine and the server differ",
    "PermanentRedirect": "a bucket in another region",
    "AuthorizationHeaderMalformed": "a bucket in another region",
    "NotImplemented": "a server without a function that qaviz needs, such as conditional writes",
    "NoSuchUpload": "that the upload was ended by somebody else",
}
"""In words, by S3's code."""

_BUSY = {"SlowDown", "Throttling", "ThrottlingException", "RequestLimitExceeded", "TooManyRequests", "429", "503"}
_TAKEN = {"PreconditionFailed", "ConditionalRequestConflict", "412"}
_MISSING = {"NoSuchKey", "404"}
_CUT = (IncompleteReadError, ResponseStreamingError, ReadTimeoutError, ConnectionClosedError)


class TakenError(QavizError):
    """Another object is there, or not the one that was to be replaced."""


class MissingError(QavizError):
    """No such object."""


@dataclass(frozen=True)
class Found:
    """What an object's bytes are."""

    checksum: str
    """SHA-256, in hexadecimal."""
    etag: str


class Bucket:
    """The objects of one bucket whose names begin as the address says. For any number of threads.

    Keys are without that beginning. Every function raises QavizError where the server refuses, cannot be reached, or
    answers what S3 does not answer.
    """

    def __init__(self, address: BucketAddress) -> None:
        self._address = address
        self._endpoint = ""
        self._client = self._open_client()
        self._asking = Lock()
        self._asked_at, self._problems = 0.0, tuple[Problem, ...]()

    def place(self, key: str = "") -> str:
        """The object in words: bucket, name and server, without a secret."""
        return f"{self._address}{f'/{key}' if key else ''}{self._endpoint}"

    def ask(self) -> None:
        """Raise QavizError if the server did not list a key when it was last asked: at most every ASKED_EVERY_S.

        Nobody waits for an answer that somebody else is waiting for.
        """
        if time.monotonic() - self._asked_at > ASKED_EVERY_S and self._asking.acquire(blocking=False):
            try:
                list(self.list_keys("", most=1))
                self._problems = ()
            except QavizError as error:
                self._problems = error.problems
            finally:
                self._asked_at = time.monotonic()
                self._asking.release()
        if self._problems:
            raise QavizError(*self._problems)

    def list_keys(self, beginning: str, most: int | None = None) -> Iterator[str]:
        """Yield the keys that begin so, in order; no more than `most`."""
        query = {"Bucket": self._address.bucket, "Prefix": f"{self._address.prefix}{beginning}"}
        pages = self._client.get_paginator("list_objects_v2").paginate(
            **query, PaginationConfig={"MaxItems": most, "PageSize": most}
        )
        with self._refusals(beginning):
            for page in pages:
                for entry in page.get("Contents", ()):
                    yield str(entry["Key"]).removeprefix(self._address.prefix)

    def list_uploads(self, beginning: str) -> Iterator[tuple[str, str]]:
        """Yield key and id of each upload in parts that was not finished."""
        query = {"Bucket": self._address.bucket, "Prefix": f"{self._address.prefix}{beginning}"}
        with self._refusals(beginning):
            for page in self._client.get_paginator("list_multipart_uploads").paginate(**query):
                for entry in page.get("Uploads", ()):
                    yield str(entry["Key"]).removeprefix(self._address.prefix), str(entry["UploadId"])

    def keep(self, key: str, file: Path, known: str) -> None:
        """Keep the file with the checksum `known`, which is part of the key: another object there is damaged.

        Overwrites nothing that it has not read and found damaged: of two who write at once, one is refused.
        """
        condition: Mapping[str, str] = {"IfNoneMatch": "*"}
        for _ in range(ATTEMPTS):
            with suppress(TakenError, MissingError):
                self._put(key, file, known, condition)
                return
            there = self.read(key)
            # Also where the first answer to the same request was lost.
            if there and there.checksum == known:
                return
            condition = {"IfMatch": there.etag} if there else {"IfNoneMatch": "*"}
        raise self._error(key, "that others wrote an object of the same name at the same time; nothing was overwritten")

    def read(self, key: str, target: Path | None = None) -> Found | None:
        """What the object's bytes are, which also go to the `target`; None where there is none. Raises OSError too."""
        with open(target, "wb") if target else io.BytesIO() as stream:
            for number in range(ATTEMPTS):
                if number:
                    time.sleep(min(2 ** (number - 1), 5))
                stream.seek(0)
                stream.truncate()
                try:
                    return self._read_once(key, stream if target else None)
                except MissingError:
                    return None
                except _CUT:
                    continue
        raise self._error(key, f"an answer that is cut off, {ATTEMPTS} times")

    def remove(self, key: str) -> None:
        """Remove the object, if it is there."""
        with self._refusals(key):
            self._client.delete_object(**self._object(key))

    def end_upload(self, key: str, upload: str) -> None:
        """Remove the parts of an upload that was not finished."""
        with self._refusals(key):
            self._client.abort_multipart_upload(**self._object(key), UploadId=upload)

    def _read_once(self, key: str, target: BinaryIO | None) -> Found:
        digest = hashlib.sha256()
        with self._refusals(key):
            answer = self._client.get_object(**self._object(key))
        with self._refusals(key, passing=_CUT):
            for chunk in answer["Body"].iter_chunks(_CHUNK):
                digest.update(chunk)
                if target:
                    target.write(chunk)
        return Found(digest.hexdigest(), str(answer["ETag"]))

    def _put(self, key: str, file: Path, known: str, condition: Mapping[str, str]) -> None:
        """Raises TakenError or MissingError where the condition does not hold."""
        about = {**self._object(key), "Metadata": {"sha256": known}, "ContentType": "application/vnd.apache.parquet"}
        with file.open("rb") as stream:
            if file.stat().st_size > PART:
                self._put_parts(key, stream, about, condition)
                return
            body = stream.read()
            with self._refusals(key):
                self._client.put_object(**about, Body=body, ChecksumSHA256=_base64(body), **condition)

    def _put_parts(self, key: str, stream: BinaryIO, about: Mapping[str, object], condition: Mapping[str, str]) -> None:
        with self._refusals(key):
            upload = self._client.create_multipart_upload(**about, ChecksumAlgorithm="SHA256")["UploadId"]
        try:
            parts = list(self._send_parts(key, upload, iter(lambda: stream.read(PART), b"")))
            with self._refusals(key):
                self._client.complete_multipart_upload(
                    **self._object(key), UploadId=upload, MultipartUpload={"Parts": parts}, **condition
                )
        except BaseException:
            # Also when it is cancelled: parts that stay cost money. `workspace check` lists what cannot be removed now.
            with suppress(QavizError):
                self.end_upload(key, upload)
            raise

    def _send_parts(self, key: str, upload: str, bodies: Iterator[bytes]) -> Iterator[dict[str, object]]:
        for number, body in enumerate(bodies, start=1):
            one = {"PartNumber": number, "ChecksumSHA256": _base64(body)}
            with self._refusals(key):
                etag = self._client.upload_part(**self._object(key), UploadId=upload, Body=body, **one)["ETag"]
            yield one | {"ETag": etag}

    def _object(self, key: str) -> dict[str, str]:
        return {"Bucket": self._address.bucket, "Key": f"{self._address.prefix}{key}"}

    def _open_client(self) -> Any:  # noqa: ANN401 (boto3 makes its clients' types when it runs)
        # botocore writes down headers, which have signatures, at DEBUG.
        logging.getLogger("botocore").setLevel(logging.INFO)
        config = Config(
            retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
            connect_timeout=CONNECT_WITHIN_S,
            read_timeout=ANSWER_WITHIN_S,
            # Checksums of our own are sent; other servers than Amazon's refuse those that botocore adds.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        )
        try:
            client = boto3.session.Session().client("s3", config=config)
        except (BotoCoreError, ValueError) as error:
            raise self._error("", f"settings of AWS that cannot be used ({type(error).__name__})") from None
        endpoint = urlsplit(client.meta.endpoint_url)
        self._endpoint = f" at {endpoint.hostname}{f':{endpoint.port}' if endpoint.port else ''}"
        return client

    @contextmanager
    def _refusals(self, key: str, passing: tuple[type[Exception], ...] = ()) -> Iterator[None]:
        try:
            yield
        except passing:
            raise
        except ClientError as error:
            raise self._refusal(key, error.response) from None
        except BotoCoreError as error:
            raise self._error(key, _in_words(error)) from None

    def _refusal(self, key: str, response: ErrorResponse) -> Exception:
        """Says the code, which is a word, and never the server's message, which may hold anything."""
        code = str(response.get("Error", {}).get("Code", ""))
        status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        if code in _TAKEN:
            return TakenError(self._problem(key, "another object of the same name"))
        if code in _MISSING:
            return MissingError(self._problem(key, "no such object"))
        named = code if code.isascii() and code.isalnum() and len(code) <= 60 else "no code"
        if code in _BUSY or status in (429, 503):
            return self._error(key, f"a server that is too busy, {ATTEMPTS} times ({named})")
        if status >= 500 and code != "NotImplemented":
            return self._error(key, f"an error of the server, {ATTEMPTS} times ({status}, {named})")
        return self._error(key, f"{_FOUND.get(code, 'a refusal')} ({named})")

    def _error(self, key: str, found: str) -> QavizError:
        return QavizError(self._problem(key, found))

    def _problem(self, key: str, found: str) -> Problem:
        return Problem(
            where=self.place(key),
            found=found,
            expected="a bucket that answers, and lets its objects be listed, read, written and removed",
            fix=f"Check {STORAGE_VARIABLE}, AWS's endpoint, region and credentials and the rights, then try again.",
        )


def _in_words(error: BotoCoreError) -> str:
    if isinstance(error, NoCredentialsError | PartialCredentialsError):
        return "no credentials"
    name = type(error).__name__
    if isinstance(error, HTTPClientError | NoConnectionError):
        return f"no connection to the server ({name})"
    return f"no answer that S3 gives ({name})"


def _base64(body: bytes) -> str:
    return base64.b64encode(hashlib.sha256(body).digest()).decode()


CACHE_FOLDER = "cache"
CACHE_VARIABLE = "QAVIZ_STORAGE_CACHE_MB"
"""The environment variable with the megabytes that copies of the bucket's files may take on this machine."""
CACHE_MB = 5_000

_KEY = re.compile(r"(.+)\.([0-9a-f]{64})\.parquet", re.DOTALL)

_TIMES = 3
"""How often a copy is fetched that is gone or damaged before it can be read."""


@dataclass(frozen=True, kw_only=True)
class ReadCache:
    """A folder of files by name and checksum, for any number of threads and processes.

    It keeps at most `most_bytes`, besides the newest file and those being read; the least recently read go first.
    """

    folder: Path
    most_bytes: int

    @contextmanager
    def reading(self, name: str, expected: str, fetch: Callable[[Path], object]) -> Iterator[Path]:
        """Give the file with the `expected` checksum until the block ends; `fetch` writes it where it is not here.

        Raises what `fetch` raises, which refuses other bytes, and OSError.
        """
        file = self._file(name, expected)
        with ExitStack() as held:
            for _ in range(_TIMES):
                if self._hold_whole(file, expected, held):
                    yield file
                    return
                with passing(self.scratch()) as unfinished:
                    fetch(unfinished)
                    self._take(unfinished, file)
            raise OSError(errno.EIO, "copies of a bucket's files do not stay as they are written")

    def add(self, name: str, expected: str, written: Path) -> None:
        """Take in the file `written`, in this folder, which is then gone from there. Raises OSError."""
        self._take(written, self._file(name, expected))

    def scratch(self) -> Path:
        """A path in the folder, beside which new files are written."""
        return self.folder / "file"

    def _file(self, name: str, expected: str) -> Path:
        """A name of hexadecimal digits, whatever `name` and `expected` hold."""
        known = hashlib.sha256(f"{name} {expected}".encode()).hexdigest()
        return self.folder / f"{known}.parquet"

    def _hold_whole(self, file: Path, expected: str, held: ExitStack) -> bool:
        """Hold the file, and return whether its bytes are as expected: a damaged copy is fetched again."""
        with folder_lock(self.folder, alone=False):
            _hold(file, held)
        return file.is_file() and checksum(file) == expected

    def _take(self, written: Path, file: Path) -> None:
        """Make `written` the file, and remove the least recently read others, unless somebody reads them."""
        with folder_lock(self.folder, alone=True):
            os.replace(written, file)
            self._make_room(file)

    def _make_room(self, newest: Path) -> None:
        files = [(file.stat(), file) for file in self.folder.glob("*.parquet") if file != newest]
        taken = newest.stat().st_size + sum(status.st_size for status, _ in files)
        for status, file in sorted(files, key=lambda entry: entry[0].st_mtime):
            if taken <= self.most_bytes:
                return
            with suppress(OSError):
                _remove_unheld(file)
                taken -= status.st_size


@dataclass(frozen=True, kw_only=True)
class BucketStorage:
    """Files in a bucket, and copies of them on this machine. See `qaviz.store.storage.Storage`."""

    bucket: Bucket
    cache: ReadCache
    index: sa.Engine

    def place(self) -> str:
        """See Storage."""
        return self.bucket.place()

    def prepare(self) -> None:
        """See Storage."""
        self.cache.folder.mkdir(parents=True, exist_ok=True)
        list(self.bucket.list_keys("", most=1))

    def ask(self) -> None:
        """See Storage."""
        self.bucket.ask()

    def keep(self, name: str, write: Callable[[Path], object]) -> str:
        """See Storage."""
        with disk_refusals(self.cache.folder), passing(self.cache.scratch()) as written:
            write(written)
            known = checksum(written)
            self.bucket.keep(_key(name, known), written, known)
            self.cache.add(self._find_place(name), known, written)
        return known

    @contextmanager
    def reading(self, file: StoredFile) -> Iterator[Path]:
        """See Storage."""

        def fetch(target: Path) -> None:
            content = self.bucket.read(_key(file.name, file.checksum), target)
            if not content or content.checksum != file.checksum:
                raise DamagedError(self._damage(file, there=content is not None))

        cached = self.cache.reading(self._find_place(file.name), file.checksum, fetch)
        with disk_refusals(self.cache.folder), cached as path:
            yield path

    def find_damage(self, file: StoredFile) -> Problem | None:
        """See Storage."""
        damage = self.bucket.read(_key(file.name, file.checksum))
        if damage and damage.checksum == file.checksum:
            return None
        return self._damage(file, there=damage is not None)

    def has_any(self, names: Collection[str]) -> bool:
        """See Storage."""
        folders = {name.partition("/")[0] for name in names}
        return any(_name(key) in names for folder in folders for key in self.bucket.list_keys(f"{folder}/"))

    def remove(self, name: str) -> None:
        """See Storage."""
        for key in self.bucket.list_keys(f"{name.removesuffix('.parquet')}."):
            if _name(key) == name:
                self.bucket.remove(key)

    def list_unfinished(self) -> list[Path]:
        """See Storage: an object is there whole or not at all."""
        return []

    def list_others(self, named: Iterable[StoredFile]) -> list[str]:
        """See Storage."""
        uploads = [f"{key} (an upload that was not finished)" for key, _ in self._uploads()]
        return self._other_keys(named) + uploads

    def remove_others(self, named: Iterable[StoredFile]) -> list[str]:
        """See Storage."""
        others, uploads = self._other_keys(named), list(self._uploads())
        for key in others:
            self.bucket.remove(key)
        for key, upload in uploads:
            self.bucket.end_upload(key, upload)
        return others + [key for key, _ in uploads]

    def lock(self, *, alone: bool) -> AbstractContextManager[None]:
        """See Storage: a lock of the index, since the servers share no folder."""
        return files_lock(self.index, alone=alone)

    def _other_keys(self, named: Iterable[StoredFile]) -> list[str]:
        known = {_key(file.name, file.checksum) for file in named}
        names = (key for folder in (GOLDEN_FOLDER, RUNS_FOLDER) for key in self.bucket.list_keys(f"{folder}/"))
        return [key for key in names if key not in known]

    def _uploads(self) -> Iterator[tuple[str, str]]:
        for folder in (GOLDEN_FOLDER, RUNS_FOLDER):
            yield from self.bucket.list_uploads(f"{folder}/")

    def _damage(self, file: StoredFile, *, there: bool) -> Problem:
        return damage_problem(self.bucket.place(_key(file.name, file.checksum)), file, there=there)

    def _find_place(self, name: str) -> str:
        return self.bucket.place(name)


def bucket_storage(address: BucketAddress, folder: Path, index: sa.Engine) -> BucketStorage:
    """The files in this bucket, copies of which are kept in the workspace's `folder` on this machine.

    Raises QavizError if a setting cannot be used. The bucket is not looked at yet.
    """
    cache = ReadCache(folder=folder / CACHE_FOLDER, most_bytes=_cache_mb() * 1_000_000)
    return BucketStorage(bucket=Bucket(address), cache=cache, index=index)


def _cache_mb() -> int:
    limit = os.environ.get(CACHE_VARIABLE) or str(CACHE_MB)
    if limit.isascii() and limit.isdigit() and 0 < int(limit) < 10**9:
        return int(limit)
    raise stop(
        where=CACHE_VARIABLE,
        found="no number of megabytes",
        expected=f"a whole number, such as {CACHE_MB}",
        fix="Correct it, or unset it.",
    )


def _key(name: str, known: str) -> str:
    return f"{name.removesuffix('.parquet')}.{known}.parquet"


def _name(key: str) -> str | None:
    match = _KEY.fullmatch(key)
    return f"{match[1]}.parquet" if match else None


def _hold(file: Path, held: ExitStack) -> None:
    """Keep the file from being removed until `held` ends, if it is there."""
    with suppress(FileNotFoundError):
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW)
        held.callback(os.close, descriptor)
        # Where the file system knows no locks, a file may go before it is read, and is fetched again.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            os.utime(file)


def _remove_unheld(file: Path) -> None:
    descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        file.unlink()
    finally:
        os.close(descriptor)
