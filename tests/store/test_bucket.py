"""Files in a bucket: what is kept there, two servers at once, kills, and a server that answers badly."""

import hashlib
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from qaviz.access.identity import SignInSettings
from qaviz.cli import main
from qaviz.model.errors import QavizError
from qaviz.serving.sign_in import Door
from qaviz.store import bucket, maintenance
from qaviz.store.bucket import CACHE_VARIABLE, BucketStorage, ReadCache
from qaviz.store.maintenance import purge
from qaviz.store.postgresql import DATABASE_VARIABLE, postgresql_engine
from qaviz.store.run_records import delete, find_record
from qaviz.store.storage import STORAGE_VARIABLE, FolderStorage, StoredFile, read_address
from qaviz.store.workspace import Workspace, open_workspace
from tests import s3
from tests.builders import golden_table
from tests.postgresql import Server
from tests.store.kept import GOLDEN, ROWS, keep

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
OTHER_GOLDEN = golden_table([{"question": "Where else?", "fact": "Boston"}])


@pytest.fixture(autouse=True)
def _few_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two attempts: botocore waits up to a second before the second, and longer before those after."""
    monkeypatch.setattr(bucket, "ATTEMPTS", 2)


def on_another_server(home: Workspace, folder: Path) -> Workspace:
    """The same index and bucket, and a folder of its own."""
    assert folder != home.folder
    return open_workspace(folder)


def forget_copies(home: Workspace) -> None:
    """As on a server that has not read the files yet."""
    shutil.rmtree(home.folder / "cache")
    (home.folder / "cache").mkdir()


def is_sound(home: Workspace) -> bool:
    found = maintenance.check(home)
    return (found.problems, found.unnamed) == ((), ())


def test_a_run_is_three_objects_that_every_server_reads(
    bucket_workspace: Workspace, s3_server: s3.Server, bucket: str, tmp_path: Path
):
    """Rows, list and golden dataset are objects with their checksum in the key; the folder has copies alone, and
    another server reads the run without them."""
    run = keep(bucket_workspace, "first")
    names = sorted(key.split(".")[0] for key in s3_server.objects(bucket))
    assert names == [f"team/golden/{run.golden_id}", f"team/runs/{run.run_id}", f"team/runs/{run.run_id}"]
    assert {each.name for each in bucket_workspace.folder.iterdir()} == {"cache"}
    other = on_another_server(bucket_workspace, tmp_path / "other")
    assert other.mapped_rows(run).rows.equals(ROWS, null_equal=True)
    assert is_sound(other)


def test_a_copy_is_fetched_once_and_mended(bucket_workspace: Workspace, s3_server: s3.Server, tmp_path: Path):
    """What was saved or read here is not asked for again; a copy that the disk damaged is fetched anew."""
    run = keep(bucket_workspace, "first")
    other = on_another_server(bucket_workspace, tmp_path / "other")
    for home, fetched in ((bucket_workspace, 0), (other, 2), (other, 0)):
        s3_server.requests.clear()
        assert home.rows(run).equals(ROWS, null_equal=True)
        assert s3_server.sent("GET", ".parquet") == fetched
    for copy in (other.folder / "cache").glob("*.parquet"):
        copy.write_bytes(b"flipped")
    assert other.rows(run).equals(ROWS, null_equal=True)


def test_copies_take_no_more_room_than_they_may(tmp_path: Path):
    """The copies read longest ago go when there are too many bytes; one that is being read stays, whatever its age;
    a name is never a path."""
    cache, content = ReadCache(folder=tmp_path / "cache", most_bytes=250), b"x" * 100
    cache.folder.mkdir()
    known = hashlib.sha256(content).hexdigest()
    fetched: list[str] = []

    def read(name: str) -> None:
        with cache.reading(name, known, lambda target: (fetched.append(name), target.write_bytes(content))) as file:
            assert file.read_bytes() == content
            assert file.parent == cache.folder

    with cache.reading("held", known, lambda target: target.write_bytes(content)) as held:
        os.utime(held, (0, 0))
        for name in ("../../a", "b\0", "c"):
            read(name)
        assert held.exists()
        assert len(list(cache.folder.iterdir())) == 2
    read("c")
    read("../../a")
    assert fetched == ["../../a", "b\0", "c", "../../a"]
    assert [each.name for each in tmp_path.iterdir()] == ["cache"]


def test_what_another_server_wrote_is_never_overwritten(bucket_workspace: Workspace, s3_server: s3.Server, bucket: str):
    """Somebody else's object that comes between is kept by whoever it belongs to: where it is the same file both have
    it; where others go on writing other bytes, the save is refused and their object stays."""
    storage, client = bucket_workspace.storage, s3_server.client
    body = [b"theirs"]

    def write_first(method: str, path: str) -> None:
        if method == "PUT" and "mine" in path:
            s3_server.before = lambda *_: None
            client.put_object(Bucket=bucket, Key=path.split("/", 2)[2].partition("?")[0], Body=body[0])
            s3_server.before = write_first
            body[0] += b"!"

    s3_server.before = write_first
    with pytest.raises(QavizError, match=r"others wrote an object of the same name.* nothing was overwritten"):
        storage.keep("runs/mine.parquet", lambda file: file.write_bytes(b"mine"))
    assert list(s3_server.objects(bucket).values()) == [b"theirs!"]
    body[0] = b"same"
    known = storage.keep("runs/same.parquet", lambda file: file.write_bytes(b"same"))
    assert storage.keep("runs/same.parquet", lambda file: file.write_bytes(b"same")) == known


def test_a_damaged_object_is_mended_by_importing_again(bucket_workspace: Workspace, s3_server: s3.Server, bucket: str):
    """An altered golden dataset is named by check; saving it once more makes the older run readable again."""
    run = keep(bucket_workspace, "first")
    (key,) = (each for each in s3_server.objects(bucket) if "/golden/" in each)
    s3_server.client.put_object(Bucket=bucket, Key=key, Body=b"PAR1")
    (problem,) = maintenance.check(bucket_workspace).problems
    assert key in problem.where
    assert problem.found == "other bytes than were written"
    forget_copies(bucket_workspace)
    with pytest.raises(QavizError, match="golden dataset version"):
        bucket_workspace.rows(run)
    keep(bucket_workspace, "again")
    assert bucket_workspace.rows(run).equals(ROWS, null_equal=True)
    assert is_sound(bucket_workspace)


def test_an_answer_that_is_lost_does_not_lose_the_run(bucket_workspace: Workspace, s3_server: s3.Server):
    """The object is kept and the answer is an error: the second attempt finds its own object, and the run is saved."""
    s3_server.fail("PUT", "/runs/", s3.refusing("500 Error", "InternalError"), times=1)
    keep(bucket_workspace, "first")
    assert s3_server.sent("PUT") == 4
    assert is_sound(bucket_workspace)


def test_two_servers_save_at_once(bucket_workspace: Workspace, tmp_path: Path):
    """Two servers that save three runs each of one golden dataset lose none, and leave no object of nobody."""
    homes = [bucket_workspace, on_another_server(bucket_workspace, tmp_path / "other")]

    def save(home: Workspace) -> None:
        for number in range(3):
            keep(home, f"{home.folder.name} {number}")

    savers = [threading.Thread(target=save, args=(home,)) for home in homes]
    for saver in savers:
        saver.start()
    for saver in savers:
        saver.join()
    assert len(homes[0].runs()) == 6
    assert all(homes[0].rows(run).equals(ROWS, null_equal=True) for run in homes[1].runs())
    assert is_sound(homes[1])


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Bytes that go in three parts of the least size that S3 takes."""
    monkeypatch.setattr(bucket, "PART", 5 * 2**20)
    return os.urandom(11 * 2**20)


def test_a_large_file_goes_in_parts(bucket_workspace: Workspace, s3_server: s3.Server, large: bytes):
    """A file of three parts comes back whole on a server without a copy, and is not overwritten by its like."""
    storage = bucket_workspace.storage
    known = storage.keep("runs/large.parquet", lambda file: file.write_bytes(large))
    assert s3_server.sent("PUT", "partNumber") == 3
    forget_copies(bucket_workspace)
    with storage.reading(StoredFile(name="runs/large.parquet", holds="x", checksum=known)) as file:
        assert file.read_bytes() == large
    assert storage.keep("runs/large.parquet", lambda file: file.write_bytes(large)) == known


def test_an_upload_that_breaks_off_leaves_nothing_or_is_cleaned(
    bucket_workspace: Workspace, s3_server: s3.Server, large: bytes
):
    """Refused at the third part, the others are removed; where that fails too, check lists them and clean ends them."""
    storage = bucket_workspace.storage
    keep(bucket_workspace, "first")
    s3_server.fail("PUT", "partNumber=3", s3.refusing("403 No", "AccessDenied"))
    for abort_fails in (False, True):
        if abort_fails:
            s3_server.fail("DELETE", "uploadId", s3.refusing("403 No", "AccessDenied"), after=False)
        with pytest.raises(QavizError, match="no right to do that"):
            storage.keep("runs/large.parquet", lambda file: file.write_bytes(large))
        unnamed = maintenance.check(bucket_workspace).unnamed
        assert [("large" in each, "not finished" in each) for each in unnamed] == [(True, True)] * abort_fails
    s3_server.mend()
    assert len(maintenance.clean(bucket_workspace, remove=True)) == 1
    assert is_sound(bucket_workspace)


HOSTILE = {
    "cut off": (s3.cut, "cut off, 2 times"),
    "altered": (s3.altered, "other bytes than were written"),
    "busy": (s3.refusing("503 Slow", "SlowDown"), "too busy, 2 times (SlowDown)"),
    "broken": (s3.refusing("500 Error", "InternalError"), "error of the server, 2 times (500, InternalError)"),
    "no right": (s3.refusing("403 No", "AccessDenied"), "no right to do that"),
    "no bucket": (s3.refusing("404 No", "NoSuchBucket"), "no such bucket"),
    "gone": (s3.refusing("404 No", "NoSuchKey"), "no such file"),
    "unknown key": (s3.refusing("403 No", "InvalidAccessKeyId"), "credentials that it does not know"),
    "expired": (s3.refusing("400 No", "ExpiredToken"), "credentials that have expired"),
    "elsewhere": (s3.refusing("400 No", "AuthorizationHeaderMalformed"), "a bucket in another region"),
    "strange": (s3.refusing("418 No", f"Code {s3.SECRET}"), "a refusal (no code)"),
    "empty": (lambda _: ("404 No", [("Content-Length", "0")], b""), "no such file"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_server_that_answers_badly_is_told_and_gives_nothing(
    bucket_workspace: Workspace, s3_server: s3.Server, caplog: pytest.LogCaptureFixture, kind: str
):
    """Reading from it is refused in words, without the secret, no copy is kept, and all is well when the server is."""
    run = keep(bucket_workspace, "first")
    forget_copies(bucket_workspace)
    change, found = HOSTILE[kind]
    s3_server.fail("GET", "/runs/", change)
    with caplog.at_level(logging.DEBUG), pytest.raises(QavizError) as refused:
        bucket_workspace.rows(run)
    assert found in str(refused.value)
    assert not any(secret in f"{refused.value}{caplog.text}" for secret in (s3.SECRET, s3.KEY_ID))
    assert list((bucket_workspace.folder / "cache").iterdir()) == []
    s3_server.mend()
    assert bucket_workspace.rows(run).equals(ROWS, null_equal=True)


@pytest.mark.parametrize("change", [s3.cut, s3.refusing("503 Slow", "SlowDown")], ids=["cut off", "busy"])
def test_what_passes_is_tried_again(bucket_workspace: Workspace, s3_server: s3.Server, change):
    """An answer that is cut off once, or a server that is busy once, is no reason to refuse."""
    run = keep(bucket_workspace, "first")
    forget_copies(bucket_workspace)
    s3_server.fail("GET", "/runs/", change, times=1)
    assert bucket_workspace.rows(run).equals(ROWS, null_equal=True)


@pytest.mark.parametrize(
    ("method", "text", "change", "found"),
    [
        ("PUT", "/runs/", s3.refusing("503 Slow", "SlowDown"), "too busy"),
        ("PUT", "/golden/", s3.refusing("403 No", "AccessDenied"), "no right"),
        ("PUT", "/runs/", s3.refusing("501 No", "NotImplemented"), "conditional writes"),
        ("GET", "list-type", s3.garbage, "an error of the server"),
    ],
    ids=["busy", "no right", "no conditional writes", "garbage"],
)
def test_a_save_that_the_bucket_refuses_keeps_nothing(
    bucket_workspace: Workspace, s3_server: s3.Server, tmp_path: Path, method, text, change, found
):
    """The run is in no list, its name is free, and what was written before the refusal is at most listed by check."""
    keep(bucket_workspace, "first", OTHER_GOLDEN, ROWS.head(1))
    s3_server.fail(method, text, change, after=False)
    with pytest.raises(QavizError, match=found):
        keep(on_another_server(bucket_workspace, tmp_path / "other"), "second")
    s3_server.mend()
    assert [run.name for run in bucket_workspace.runs()] == ["first"]
    assert maintenance.check(bucket_workspace).problems == ()
    assert keep(bucket_workspace, "second")
    maintenance.clean(bucket_workspace, remove=True)
    assert is_sound(bucket_workspace)


def test_readiness_asks_the_bucket_now_and_then(
    bucket_workspace: Workspace, s3_server: s3.Server, monkeypatch: pytest.MonkeyPatch
):
    """One list of one key counts for some seconds; then a bucket that refuses is told, until it answers again."""
    door = Door(settings=SignInSettings(), workspace=lambda: bucket_workspace)
    s3_server.requests.clear()
    for _ in range(3):
        door.ask_workspace()
    assert [method for method, path in s3_server.requests if "max-keys=1" in path] == ["GET"]
    assert len(s3_server.requests) == 1

    s3_server.fail("GET", "list-type", s3.refusing("403 No", "AccessDenied"))
    door.ask_workspace()
    monkeypatch.setattr(bucket, "ASKED_EVERY_S", 0)
    with pytest.raises(QavizError, match="no right"):
        door.ask_workspace()
    s3_server.mend()
    door.ask_workspace()


@pytest.mark.usefixtures("bucket_workspace")
def test_a_server_that_is_down_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Where nobody listens, opening says bucket and server, without credentials; those missing are said as well."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://user:{s3.SECRET}@127.0.0.1:9")
    with pytest.raises(QavizError, match=r"s3://bucket-\d+/team at 127\.0\.0\.1:9: found no connection") as refused:
        open_workspace(tmp_path / "other")
    assert s3.SECRET not in str(refused.value)
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(QavizError, match="no credentials"):
        open_workspace(tmp_path / "other")


BAD_ADDRESSES = [
    "bucket",
    "http://bucket/prefix",
    "s3://",
    "s3:///prefix",
    "s3://Bucket",
    f"s3://key:{s3.SECRET}@bucket/prefix",
    f"s3://bucket/prefix?secret={s3.SECRET}",
    "s3://bucket/../other",
    "s3://bucket//a",
    "s3://bucket/a\nb",
    "s3://bucket/ü",
]


@pytest.mark.parametrize("address", BAD_ADDRESSES)
def test_an_address_that_names_no_bucket_is_refused(address: str):
    """What is no plain s3://bucket/prefix is refused, and not repeated: it may hold a secret."""
    with pytest.raises(QavizError, match="names no bucket") as refused:
        read_address(address)
    assert s3.SECRET not in str(refused.value)


def test_an_index_in_a_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A bucket with an index in the folder is refused before anything is made: nobody else would find the runs."""
    monkeypatch.setenv(STORAGE_VARIABLE, "s3://bucket/prefix")
    with pytest.raises(QavizError, match=f"expected an index in PostgreSQL.*{DATABASE_VARIABLE}"):
        open_workspace(tmp_path / "workspace")
    assert list(tmp_path.iterdir()) == []


def test_another_bucket_is_refused(
    bucket_workspace: Workspace, s3_server: s3.Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """A bucket with none of the files that the index knows is not the team's; one that is not there is said."""
    keep(bucket_workspace, "first")
    for name, found in ((s3_server.make_bucket(), "none of the files"), ("not-there", "no such bucket")):
        monkeypatch.setenv(STORAGE_VARIABLE, f"s3://{name}/team")
        with pytest.raises(QavizError, match=found):
            open_workspace(tmp_path / "other")


def test_the_room_for_copies_is_a_number(bucket_workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    """Megabytes that are no number are refused; a number is taken."""
    monkeypatch.setenv(CACHE_VARIABLE, "5 GB")
    with pytest.raises(QavizError, match="megabytes"):
        open_workspace(bucket_workspace.folder)
    monkeypatch.setenv(CACHE_VARIABLE, "7")
    storage = open_workspace(bucket_workspace.folder).storage
    assert isinstance(storage, BucketStorage)
    assert storage.cache.most_bytes == 7_000_000


def test_without_a_bucket_its_client_is_not_imported(tmp_path: Path):
    """Opening a workspace of files and the commands import no boto3."""
    code = (
        "import sys; from pathlib import Path; import qaviz.cli, qaviz.store.workspace as store;"
        f"store.open_workspace(Path({str(tmp_path / 'w')!r}));"
        "sys.exit(any(name.startswith('boto') for name in sys.modules))"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("QAVIZ")}
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=False).returncode == 0


def test_a_purge_removes_the_objects_and_waits_for_a_backup(
    bucket_workspace: Workspace, s3_server: s3.Server, bucket: str, tmp_path: Path
):
    """A purge on one server waits until a backup on another has ended, and leaves the other run's objects alone."""
    other = on_another_server(bucket_workspace, tmp_path / "other")
    keep(bucket_workspace, "kept")
    gone = keep(bucket_workspace, "gone", OTHER_GOLDEN, ROWS.head(1))
    delete(bucket_workspace, gone.run_id, "Ana")
    purger = threading.Thread(target=purge, args=(other, [find_record(other, "gone")], "Ana"))
    with bucket_workspace.storage.lock(alone=False):
        purger.start()
        purger.join(0.5)
        assert purger.is_alive()
        assert len(s3_server.objects(bucket)) == 6
    purger.join()
    assert len(s3_server.objects(bucket)) == 3
    assert is_sound(bucket_workspace)


def test_clean_removes_what_no_run_names_and_nothing_of_another_index(
    bucket_workspace: Workspace,
    s3_server: s3.Server,
    bucket: str,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    """Listed first, removed with --yes; an index that knows none of the files may remove none."""
    monkeypatch.setenv(DATABASE_VARIABLE, bucket_workspace.index.url.render_as_string(hide_password=False))
    keep(bucket_workspace, "first")
    objects = s3_server.objects(bucket)
    s3_server.client.put_object(Bucket=bucket, Key="team/runs/left.parquet", Body=b"half")
    words = ["workspace", "clean", "--workspace", str(bucket_workspace.folder)]
    for options, there in (([], 4), (["--yes"], 3)):
        assert main([*words, *options]) == 0
        assert "runs/left.parquet" in capsys.readouterr().out
        assert len(s3_server.objects(bucket)) == there
    monkeypatch.setenv(DATABASE_VARIABLE, database)
    with pytest.raises(QavizError, match="none of them in the index"):
        maintenance.clean(open_workspace(bucket_workspace.folder), remove=True)
    assert s3_server.objects(bucket) == objects


SAVER = """
import os, sys
from pathlib import Path
from qaviz.store.workspace import open_workspace

for line in sys.stdin:
    # Safe, since this process never computes anything.
    child = os.fork()
    if child == 0:
        print(os.getpid(), flush=True)
        try:
            from tests.store.kept import keep
            keep(open_workspace(Path(line.strip())), "second")
        finally:
            os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def kill_at(server: s3.Server, puts: int, pid: int, method: str, _: str, *, kept: bool) -> None:
    """Kill the process at its so manieth object, which is kept or not."""
    if method == "PUT" and server.sent("PUT") == puts:
        if not kept:
            server.fail("PUT", "", s3.refusing("500 Error", "InternalError"), after=False)
        os.kill(pid, signal.SIGKILL)


def test_a_save_killed_at_every_request_leaves_no_half_run(
    bucket_workspace: Workspace, s3_server: s3.Server, bucket: str, tmp_path: Path
):
    """Killed before and after each object is kept: the run is not there, its name is free, what lies about is listed
    by check and removed by clean; nothing else changed."""
    keep(bucket_workspace, "first", OTHER_GOLDEN, ROWS.head(1))
    before, codes = s3_server.objects(bucket), []
    s3_server.requests.clear()
    with subprocess.Popen(
        [sys.executable, "-c", SAVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as saver:
        for puts, kept in [(number, kept) for number in range(3) for kept in (False, True)]:
            print(tmp_path / "killed", file=saver.stdin, flush=True)
            killer = partial(kill_at, s3_server, puts + 1, int(saver.stdout.readline()), kept=kept)
            if kept:
                s3_server.after = killer
            else:
                s3_server.before = killer
            codes.append(int(saver.stdout.readline()))
            assert [run.name for run in bucket_workspace.runs()] == ["first"]
            found = maintenance.check(bucket_workspace)
            assert (found.problems, len(found.unnamed)) == ((), puts + kept)
            s3_server.mend()
            maintenance.clean(bucket_workspace, remove=True)
            assert s3_server.objects(bucket) == before
            s3_server.requests.clear()
        saver.stdin.close()
    assert codes == [-signal.SIGKILL] * 6
    keep(bucket_workspace, "second")
    assert is_sound(bucket_workspace)


@pytest.fixture
def other_database(postgresql: Server) -> Iterator[str]:
    """The URL of another empty database."""
    url = postgresql.schema()
    yield url
    postgresql_engine(url).dispose()


def test_a_backup_is_a_folder_and_comes_back_into_a_bucket(
    bucket_workspace: Workspace,
    s3_server: s3.Server,
    other_database: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
):
    """A backup of a bucket opens as a workspace of files; restored into another bucket and database it is whole."""
    run = keep(bucket_workspace, "first")
    assert maintenance.backup(bucket_workspace, tmp_path / "backup") == 3
    monkeypatch.setenv(DATABASE_VARIABLE, other_database)
    monkeypatch.setenv(STORAGE_VARIABLE, f"s3://{s3_server.make_bucket()}")
    assert maintenance.restore(tmp_path / "backup", tmp_path / "restored") == 3
    restored = open_workspace(tmp_path / "restored")
    assert restored.rows(run).equals(ROWS, null_equal=True)
    assert is_sound(restored)
    assert not (restored.folder / "runs").exists()
    monkeypatch.delenv(DATABASE_VARIABLE)
    monkeypatch.delenv(STORAGE_VARIABLE)
    assert open_workspace(tmp_path / "backup").rows(run).equals(ROWS, null_equal=True)


def test_a_backup_names_every_object_that_is_not_whole(
    bucket_workspace: Workspace, s3_server: s3.Server, bucket: str, tmp_path: Path
):
    """One object altered and one gone are two problems, and there is no half backup."""
    run = keep(bucket_workspace, "first")
    forget_copies(bucket_workspace)
    first, second = (each for each in s3_server.objects(bucket) if run.run_id in each)
    s3_server.client.put_object(Bucket=bucket, Key=first, Body=b"other")
    s3_server.client.delete_object(Bucket=bucket, Key=second)
    with pytest.raises(QavizError) as refused:
        maintenance.backup(bucket_workspace, tmp_path / "backup")
    assert {each.found for each in refused.value.problems} == {"other bytes than were written", "no such file"}
    assert not (tmp_path / "backup").exists()


def test_files_move_into_a_bucket_and_back(
    request: pytest.FixtureRequest,
    team_workspace: Workspace,
    s3_server: s3.Server,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
):
    """`workspace copy --to` brings a team's files into the bucket and back into a folder under the same index; copying
    again sends nothing, and other files in a folder are not overwritten."""
    run = keep(team_workspace, "first")
    request.getfixturevalue("bucket")
    address = os.environ[STORAGE_VARIABLE]
    monkeypatch.delenv(STORAGE_VARIABLE)
    words = ["workspace", "copy", "--workspace", str(team_workspace.folder), "--to"]
    for sent in (3, 3):
        assert main([*words, address]) == 0
        assert s3_server.sent("PUT", "/team/") == sent
    monkeypatch.setenv(STORAGE_VARIABLE, address)
    there = open_workspace(tmp_path / "there")
    assert there.rows(run).equals(ROWS, null_equal=True)
    keep(there, "second")
    back = tmp_path / "back"
    assert main([*words, str(back)]) == 0
    assert f"5 files in {back}" in capsys.readouterr().out
    home = replace(team_workspace, folder=back, storage=FolderStorage(folder=back))
    assert is_sound(home)
    (back / "golden" / f"{run.golden_id}.parquet").write_bytes(b"another")
    assert main([*words, str(back)]) == 2
    assert (back / "golden" / f"{run.golden_id}.parquet").read_bytes() == b"another"
    assert GOLDEN.height == there.golden(run.golden_id).height


def test_the_terminal_says_which_bucket(bucket_workspace: Workspace, bucket: str, capsys: pytest.CaptureFixture[str]):
    """`workspace check` names the bucket, and neither it nor a refused command says a secret."""
    keep(bucket_workspace, "first")
    assert main(["workspace", "check", "--workspace", str(bucket_workspace.folder)]) == 0
    assert main(["workspace", "copy", "--workspace", str(bucket_workspace.folder)]) == 2
    said = "".join(capsys.readouterr())
    assert f"the files are in s3://{bucket}/team" in said
    assert "no --to" in said
    assert s3.SECRET not in said
