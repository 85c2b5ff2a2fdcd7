import hashlib
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
import sqlalchemy as sa

from qaviz.model import (
    CONTEXTS,
    DIAGNOSIS,
    F1,
    GOLDEN_COLUMNS,
    PIPELINE,
    QUESTION,
    RESPONSE,
    QavizError,
    Run,
    Thresholds,
)
from qaviz.store import Workspace, golden_id, index, open_workspace
from tests.builders import golden_table

TRIPLETS = (
    {"question": "Where?", "answer": "In Seattle.", "fact": "Seattle", "category": "place", "answerable": True},
    {"question": "Wie viel? 🙂", "answer": "8 €", "fact": None, "source": "page 3"},
    {"question": "Who?", "answer": None, "fact": "Andy<OR>", "answerable": False},
)
GOLDEN = golden_table(TRIPLETS)
ROWS = pl.concat([GOLDEN[[2, 0, 1]], GOLDEN[[0, 1]]]).with_columns(
    pl.Series(PIPELINE, ["B", "B", "B", "A", "A"]),
    pl.Series(RESPONSE, ["", "In Seattle", "=1+1", "line\nbreak\r\n", "NA"]),
    pl.Series(CONTEXTS, [["one", "two"], [], None, None, [""]], pl.List(pl.String)),
    pl.Series(F1, [None, 1.0, 0.1 + 0.2, 0.0, None], pl.Float64),
    pl.Series(DIAGNOSIS, ["unscored", "correct", "off target", "off target", "unscored"]),
)
LISTED = pl.DataFrame({"kind": ["duplicate"], "where": ["r.csv line 3"], "question_id": ["1"], "pipeline": ["A"]})
ROOT = Path(__file__).parents[1]
STEPS_OF_A_SAVE = 3 * 4
"""Three files, each opened to check and to sync, renamed, its folder synced."""

THRESHOLDS = Thresholds(high_closeness=0.65)


def keep(workspace: Workspace, name: str, golden: pl.DataFrame = GOLDEN, rows: pl.DataFrame = ROWS) -> Run:
    return workspace.save(
        name,
        golden,
        rows,
        thresholds=THRESHOLDS,
        engine="qaviz 0",
        sources=["g.csv", "r.csv"],
        listed_counts={"duplicate": 1},
        listed=LISTED,
    )


def contents(folder: Path) -> dict[str, str]:
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_a_saved_run_comes_back_as_it_was(workspace: Workspace):
    """Rows, golden dataset and listed rows come back with the same columns, types, order and values."""
    keep(workspace, "first")
    opened = open_workspace(workspace.folder)
    (run,) = opened.runs()
    assert opened.rows(run).equals(ROWS, null_equal=True)
    assert opened.rows(run).schema == ROWS.schema
    assert opened.golden(run.golden_id).equals(GOLDEN, null_equal=True)
    assert opened.listed(run).equals(LISTED)


def test_what_the_index_knows_of_a_run(workspace: Workspace):
    """The index gives back the run that `save` returned, with its pipelines in the order of the rows."""
    before = datetime.now(UTC)
    saved = keep(workspace, " first ")
    assert workspace.runs() == [saved]
    assert before <= saved.created_at <= datetime.now(UTC)
    assert saved == Run(
        run_id=saved.run_id,
        name="first",
        created_at=saved.created_at,
        golden_id=golden_id(GOLDEN),
        pipelines=("B", "A"),
        questions=3,
        responses=5,
        thresholds=THRESHOLDS,
        engine="qaviz 0",
        sources=("g.csv", "r.csv"),
        listed_counts={"duplicate": 1},
    )


@pytest.mark.parametrize(
    "columns", [[F1], [QUESTION], [RESPONSE, QUESTION, PIPELINE], ["question_id"], [*GOLDEN_COLUMNS]]
)
def test_some_columns_are_read_alone(workspace: Workspace, columns: list[str]):
    """Asked for some columns, in any order, of responses or triplets or both, `rows` gives just these, row by row."""
    run = keep(workspace, "first")
    assert workspace.rows(run, columns).equals(ROWS.select(columns), null_equal=True)


def test_runs_are_newest_first_and_found_by_name_or_id(workspace: Workspace):
    """`runs` is newest first; a run is found by its id, and by its name however its accents are encoded."""
    first, second = keep(workspace, "Zürich"), keep(workspace, "second")
    assert workspace.runs() == [second, first]
    assert [workspace.find(wanted) for wanted in (first.run_id, "Zu\u0308rich", " second ")] == [first, first, second]


def test_run_ids_stand_in_an_address_and_sort_by_time(workspace: Workspace):
    """A run id needs no escaping in a URL, is short, and begins with the time at which it was made."""
    run = keep(workspace, "first")
    assert re.fullmatch(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}", run.run_id)
    assert run.run_id.startswith(f"{run.created_at:%Y%m%d-%H%M%S}")


def test_a_run_that_is_not_there(workspace: Workspace):
    """Looking for an unknown run says which runs there are, or that there is none."""
    with pytest.raises(QavizError, match=r'no run "x"; expected a run in it, and there is none yet'):
        workspace.find("x")
    keep(workspace, "first")
    with pytest.raises(QavizError, match=r'no run "x"; expected the name or id of a run, such as "first"'):
        workspace.find("x")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("", "a blank name"),
        (" \t\n", "a blank name"),
        ("x" * 121, "a name of 121 characters"),
        ("two\nlines", r"a control character in the name 'two\nlines'"),
        ("a\x1b[31mred", r"a control character in the name 'a\x1b[31mred'"),
        ("runs \u202ebackwards", r"a control character in the name 'runs \u202ebackwards'"),
    ],
)
def test_names_that_will_not_do(workspace: Workspace, name: str, found: str):
    """A blank, long or unshowable name is refused with what was found, and nothing is kept."""
    before = contents(workspace.folder)
    with pytest.raises(QavizError, match=re.escape(found)):
        keep(workspace, name)
    assert contents(workspace.folder) == before


@pytest.mark.parametrize(
    "name", ["../../outside", "/etc/passwd", "runs/x.parquet", "'; DROP TABLE runs; --", "=1+1", "👩‍💻 %2e", "x" * 120]
)
def test_a_name_is_only_a_name(workspace: Workspace, name: str):
    """A name that looks like a path, a statement or a formula is kept as text; files have names of our own making."""
    run = keep(workspace, name)
    assert workspace.find(name) == run
    files = {file for file in contents(workspace.folder.parent) if not file.startswith("workspace/qaviz.db")}
    assert files == {
        f"workspace/runs/{run.run_id}.parquet",
        f"workspace/runs/{run.run_id}.listed.parquet",
        f"workspace/golden/{run.golden_id}.parquet",
    }


def test_a_taken_name_is_refused(workspace: Workspace):
    """A second run with the name or the id of the first is refused, beforehand or at once, and nothing changes."""
    run = keep(workspace, "first")
    before = contents(workspace.folder)
    for name in ("first", " first", run.run_id):
        with pytest.raises(QavizError, match="runs are never overwritten"):
            keep(workspace, name)
        with pytest.raises(QavizError, match=f"which the run {run.run_id} has"):
            workspace.refuse_name(name)
    assert contents(workspace.folder) == before


def test_the_golden_id_is_the_content():
    """The same triplets in another order are the same version; any other cell makes another."""
    other_cells = [
        replace_cell(place, column, value)
        for place, column, value in [
            (0, "fact", "Seattle "),
            (0, "category", None),
            (1, "fact", ""),
            (2, "answerable", None),
            (1, "question_id", "4"),
            (1, "source", "page 4"),
        ]
    ]
    ids = {golden_id(golden) for golden in [GOLDEN, GOLDEN[::-1], *other_cells]}
    assert golden_id(GOLDEN) == golden_id(GOLDEN[::-1])
    assert len(ids) == 1 + len(other_cells)


def replace_cell(place: int, column: str, value: object) -> pl.DataFrame:
    triplets = GOLDEN.to_dicts()
    triplets[place][column] = value
    return golden_table(triplets)


def test_a_golden_dataset_is_kept_once(workspace: Workspace):
    """Two runs of one golden dataset version share its file; another version has its own."""
    runs = [
        keep(workspace, "first"),
        keep(workspace, "second"),
        keep(workspace, "third", golden=replace_cell(0, "fact", "x")),
    ]
    assert runs[0].golden_id == runs[1].golden_id != runs[2].golden_id
    assert len(list((workspace.folder / "golden").iterdir())) == 2


DAMAGE: dict[str, Callable[[Path], object]] = {
    "cut off": lambda file: file.write_bytes(file.read_bytes()[:-5]),
    "one bit flipped": lambda file: file.write_bytes(bytes([file.read_bytes()[0] ^ 1]) + file.read_bytes()[1:]),
    "emptied": lambda file: file.write_bytes(b""),
    "another Parquet file": lambda file: ROWS.write_parquet(file),
    "removed": Path.unlink,
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_file_is_named_and_harms_no_other_run(workspace: Workspace, damage: Callable[[Path], object]):
    """Opening a run whose Parquet file was damaged names file and run; another run opens as before."""
    broken, sound = keep(workspace, "broken"), keep(workspace, "sound")
    for file, read in [
        (f"{broken.run_id}.parquet", workspace.rows),
        (f"{broken.run_id}.listed.parquet", workspace.listed),
    ]:
        damage(workspace.folder / "runs" / file)
        with pytest.raises(QavizError, match=rf'{file}: found .+; expected .+ the run "broken"'):
            read(broken)
    assert workspace.rows(sound).equals(ROWS, null_equal=True)


def test_a_damaged_golden_file_is_mended_by_importing_again(workspace: Workspace):
    """A damaged golden dataset is named; saving it once more makes the older runs readable again."""
    run = keep(workspace, "first")
    (workspace.folder / "golden" / f"{run.golden_id}.parquet").write_bytes(b"PAR1")
    with pytest.raises(QavizError, match=f'the golden dataset version "{run.golden_id}"'):
        workspace.rows(run)
    keep(workspace, "again")
    assert workspace.rows(run).equals(ROWS, null_equal=True)


def test_a_run_of_another_workspace_is_refused(workspace: Workspace):
    """A run that this workspace does not know is never looked for on the disk, whatever its id looks like."""
    run = replace(keep(workspace, "first"), run_id="../golden/x")
    with pytest.raises(QavizError, match=r'no "\.\./golden/x" in the index'):
        workspace.rows(run)


def test_a_newer_workspace_is_refused_and_left_alone(workspace: Workspace):
    """A workspace that a newer qaviz has migrated is refused, and no byte of it changes."""
    keep(workspace, "first")
    newer = len(index.MIGRATIONS) + 1
    with closing(sqlite3.connect(workspace.folder / "qaviz.db")) as connection, connection:
        connection.execute("INSERT INTO migrations VALUES (?, 'tomorrow')", [newer])
    before = contents(workspace.folder)
    with pytest.raises(QavizError, match=rf"newer qaviz \(version {newer}\).+Nothing was changed"):
        open_workspace(workspace.folder)
    assert contents(workspace.folder) == before


def test_migrations_make_the_tables_that_queries_name(workspace: Workspace):
    """After all migrations the database has exactly the tables and columns that the queries are written against."""
    inspector = sa.inspect(workspace.index)
    made = {table: {column["name"] for column in inspector.get_columns(table)} for table in inspector.get_table_names()}
    named = {table.name: set(table.columns.keys()) for table in index.MIGRATIONS_TABLE.metadata.sorted_tables}
    assert made == named


def test_each_migration_is_noted_once(workspace: Workspace):
    """Opening a workspace again applies no migration a second time."""
    open_workspace(workspace.folder)
    with workspace.index.connect() as connection:
        versions = connection.scalars(sa.select(index.MIGRATIONS_TABLE.c.version)).all()
    assert versions == [number + 1 for number in range(len(index.MIGRATIONS))]


@pytest.mark.parametrize("version", range(len(index.MIGRATIONS)))
def test_an_older_workspace_is_brought_up(tmp_path: Path, version: int):
    """A workspace that an older qaviz made, at whatever version, takes a run and gives it back."""
    with closing(sqlite3.connect(tmp_path / "qaviz.db")) as connection, connection:
        connection.execute("CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL)")
        for number, statements in enumerate(index.MIGRATIONS[:version], start=1):
            connection.execute("INSERT INTO migrations VALUES (?, 'before')", [number])
            connection.executescript(";".join(statements))
    workspace = open_workspace(tmp_path)
    assert workspace.rows(keep(workspace, "first")).equals(ROWS, null_equal=True)


def test_the_index_is_written_as_safely_as_sqlite_can(workspace: Workspace):
    """Every connection writes ahead, waits for the disk, and checks that a run's golden dataset exists."""
    with workspace.index.connect() as connection:
        pragmas = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert pragmas == ["wal", 2, 1]


@pytest.mark.parametrize(
    ("place", "found"),
    [
        (".", "a file that is not an SQLite database"),
        ("qaviz.db", "Not a directory"),
    ],
)
def test_a_folder_that_is_no_workspace(tmp_path: Path, place: str, found: str):
    """A folder whose index is some other file, and a file in place of the folder, are refused with what was found."""
    (tmp_path / "qaviz.db").write_text("not a database, " * 100)
    with pytest.raises(QavizError, match=found):
        open_workspace(tmp_path / place)


def test_unfinished_files_are_cleared_away(workspace: Workspace):
    """Opening a workspace removes what a killed process left half written, and nothing else."""
    keep(workspace, "first")
    before = contents(workspace.folder)
    for folder in ("runs", "golden"):
        (workspace.folder / folder / "0123.tmp").write_bytes(b"half")
    open_workspace(workspace.folder)
    assert contents(workspace.folder) == before


WRITER = """
import os, signal, sys, time
from itertools import count
from pathlib import Path
import polars as pl
from qaviz.model import Thresholds
from qaviz.store import open_workspace

folder, name, steps = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
golden, rows, listed = [pl.read_parquet(file) for file in sys.argv[4:]]
settings = {"thresholds": Thresholds(), "engine": "qaviz 0", "sources": [], "listed_counts": {}, "listed": listed}
workspace = open_workspace(folder)

def die_after_steps(event, arguments):
    global steps
    if event in ("open", "os.rename", "os.remove", "sqlite3.connect"):
        steps -= 1
        if steps < 0:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(die_after_steps)
for number in count():
    print(workspace.save(f"{name}-{number}", golden, rows, **settings).name, flush=True)
    time.sleep(0.01)
"""

NEVER = 1_000_000


def big_run() -> tuple[pl.DataFrame, pl.DataFrame]:
    """A run that takes some milliseconds to write."""
    golden = golden_table({"question": f"Question {number}?", "fact": f"{number}"} for number in range(500))
    words = random.Random(1)
    texts = [words.randbytes(100).hex() for _ in range(golden.height)]
    return golden, golden.with_columns(pl.lit("P").alias(PIPELINE), pl.Series(RESPONSE, texts))


@pytest.fixture
def start_writer(tmp_path: Path) -> Callable[[Path, str, int], subprocess.Popen[str]]:
    """Starts a process that saves runs until it has taken so many steps on the file system, or is killed."""
    tables = [tmp_path / f"{name}.parquet" for name in ("golden", "rows", "listed")]
    for table, file in zip((*big_run(), LISTED), tables, strict=True):
        table.write_parquet(file)

    def start(folder: Path, name: str, steps: int) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", WRITER, str(folder), name, str(steps), *map(str, tables)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)

    return start


def assert_sound(folder: Path, confirmed: set[str]) -> Workspace:
    """Every run that the index knows opens whole, every run that a writer confirmed is known, nothing half is left."""
    workspace = open_workspace(folder)
    runs = workspace.runs()
    _, rows = big_run()
    assert confirmed <= {run.name for run in runs}
    assert all(workspace.rows(run).equals(rows.select(workspace.rows(run).columns)) for run in runs)
    assert all(workspace.listed(run).equals(LISTED) for run in runs)
    assert not list(folder.rglob("*.tmp"))
    with workspace.index.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
    return workspace


def test_writers_killed_at_random_moments_leave_old_or_new(tmp_path: Path, start_writer):
    """Two writers of one workspace are killed at random moments: all that they confirmed is there, and nothing half."""
    moments = random.Random(20231120)
    confirmed: set[str] = set()
    for number in range(6):
        writers = [start_writer(tmp_path / "workspace", f"{number}{name}", NEVER) for name in "ab"]
        first = [writer.stdout.readline() for writer in writers]
        time.sleep(moments.uniform(0, 0.05))
        for writer, line in zip(writers, first, strict=True):
            writer.kill()
            rest, _ = writer.communicate()
            assert writer.returncode == -signal.SIGKILL
            confirmed |= set((line + rest).split())
        assert_sound(tmp_path / "workspace", confirmed)
    assert len(confirmed) >= 12


def test_a_writer_killed_at_every_step_leaves_old_or_new(tmp_path: Path, start_writer):
    """A process is killed before each single step on the file system that saving takes: no run, or the whole run."""

    def runs_left(steps: int) -> int:
        folder = tmp_path / str(steps)
        writer = start_writer(folder, "run", steps)
        confirmed = set(writer.communicate()[0].split())
        assert writer.returncode == -signal.SIGKILL
        return len(assert_sound(folder, confirmed).runs())

    with ThreadPoolExecutor(2) as pool:
        left = list(pool.map(runs_left, range(2 * STEPS_OF_A_SAVE)))
    assert left == sorted(left)
    assert left.count(0) >= STEPS_OF_A_SAVE
    assert left[-1] == 1


def test_a_full_disk_is_said_and_changes_nothing(workspace: Workspace):
    """Where the disk takes no more, saving says so and keeps the old state; with room again, saving works."""
    golden, rows = big_run()
    keep(workspace, "before", golden, rows)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in (0, 1_000, 20_000):
        before = {name: digest for name, digest in contents(workspace.folder).items() if name != "qaviz.db-shm"}
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        try:
            with pytest.raises(QavizError, match=r"(?i)file too large|disk"):
                keep(workspace, "full", golden.head(400), rows.head(400))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        after = contents(workspace.folder)
        assert {name for name in after if name.startswith("runs")} == {
            name for name in before if name.startswith("runs")
        }
        assert [run.name for run in open_workspace(workspace.folder).runs()] == ["before"]
    keep(workspace, "after", golden.head(400), rows.head(400))
    assert [run.name for run in workspace.runs()] == ["after", "before"]
