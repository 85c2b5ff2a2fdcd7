"""What a server can suffer that a file cannot: it is away, comes back, lets nobody in, waits, is full."""

import re
from pathlib import Path

import polars as pl
import pytest
import sqlalchemy as sa

from qaviz.cli import main
from qaviz.model.errors import QavizError
from qaviz.model.records import WORKSPACE_VARIABLE
from qaviz.store import index, maintenance
from qaviz.store.index import DATABASE_VARIABLE, INDEX_FILE, postgresql_engine
from qaviz.store.labels import keep_bertscores, keep_labels, kept_bertscores, labels_state
from qaviz.store.tables import TABLES
from qaviz.store.workspace import Workspace, open_backup, open_workspace
from tests.builders import save_sample
from tests.postgresql import PASSWORD, Server
from tests.store.kept import everything, keep
from tests.store.killed import KILLED, die_under_the_lock, do

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
LABEL = pl.DataFrame({"question_id": ["1"], "pipeline": ["A"], "label": ["correct"]})


@pytest.mark.parametrize(
    "address",
    [
        f"not a url, {PASSWORD}",
        f"mysql://ann:{PASSWORD}@host/qaviz",
        f"postgresql://ann:a@{PASSWORD}@host/qaviz",
        f"postgresql://host/ann:{PASSWORD}@qaviz",
        f"postgresql://ann:{PASSWORD.replace('@', '%40')}@host",
    ],
)
def test_what_is_no_url_of_a_database(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A variable that holds something else is refused with what would be right; a password in it is never said."""
    monkeypatch.setenv(DATABASE_VARIABLE, address)
    with pytest.raises(QavizError) as refused:
        open_workspace(tmp_path / "workspace")
    said = str(refused.value)
    assert said.startswith(
        f"{DATABASE_VARIABLE}: found no URL of a PostgreSQL database; expected postgresql+psycopg://"
    )
    assert PASSWORD not in said
    assert "tests" not in said


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"password": "wrong"}, "password authentication failed"),
        ({"database": "none"}, 'database "none" does not exist'),
        ({"query": {"sslmod": "require"}}, 'invalid connection option "sslmod"'),
    ],
)
def test_a_server_that_does_not_answer(
    postgresql: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    changed: dict[str, object],
    found: str,
):
    """A wrong password, user, database or port is said in the server's words, without a traceback or the password."""
    url = postgresql.url(**changed)
    monkeypatch.setenv(DATABASE_VARIABLE, url)
    assert main(["workspace", "migrate", "--workspace", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert f"found no connection ({found}" in said or f"found no connection (FATAL:  {found}" in said
    assert "expected an index of qaviz that answers" in said
    assert not any(secret in said for secret in (PASSWORD, "s3cr3t", "wrong", "Traceback"))
    postgresql_engine(url).dispose()


def test_a_server_that_restarts_amid_a_write(team_workspace: Workspace, postgresql: Server):
    """What was not yet confirmed when the server went away is not there when it is back."""
    run = keep(team_workspace, "before")
    keep_labels(team_workspace, run, "Ada", LABEL)
    before = everything(team_workspace)

    def write() -> None:
        with team_workspace.locking() as transaction:
            transaction.execute(sa.delete(TABLES.tables["labels"]))
            postgresql.stop("immediate")
            postgresql.start()

    with pytest.raises(QavizError, match="found no connection"):
        write()
    assert everything(team_workspace) == before


def test_a_writer_that_never_ends(team_workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    """A writer waits for another one only so long, then says so; a reader does not wait at all."""
    monkeypatch.setattr(index, "PATIENCE_S", 0.1)
    run = keep(team_workspace, "first")
    with team_workspace.locking():
        assert team_workspace.runs() == [run]
        with pytest.raises(QavizError, match="lock timeout"):
            keep(team_workspace, "second")
    keep(team_workspace, "second")


def test_a_reader_sees_one_moment(team_workspace: Workspace):
    """What a reader asks in one go is of one moment, whatever is saved in between."""
    first = keep(team_workspace, "first")
    counted = sa.select(sa.func.count()).select_from(TABLES.tables["runs"])
    with team_workspace.reading() as connection:
        assert connection.scalar(counted) == 1
        keep(team_workspace, "second")
        assert connection.scalar(counted) == 1
    assert [run.name for run in team_workspace.runs()] == ["second", first.name]


def test_a_killed_writer_lets_go(team_workspace: Workspace):
    """The lock of a process that was killed under it is free at once, and what it left is cleared away."""
    keep(team_workspace, "first")
    before = everything(team_workspace)
    assert do(die_under_the_lock, team_workspace.folder) == KILLED
    assert everything(open_workspace(team_workspace.folder)) == before
    keep(team_workspace, "second")


def test_another_folder_is_refused(team_workspace: Workspace, tmp_path: Path):
    """A folder that has none of the files that the index knows is not the team's: nothing is listed or saved there."""
    keep(team_workspace, "first")
    before = everything(team_workspace)
    with pytest.raises(QavizError, match=f"none of the files that the index .+{WORKSPACE_VARIABLE}"):
        open_workspace(tmp_path / "elsewhere")
    assert everything(team_workspace) == before
    assert not (tmp_path / "elsewhere").exists()


def fill(workspace: Workspace) -> None:
    run = keep(workspace, "first")
    keep_bertscores(workspace, "model", pl.DataFrame({"pair": [b"\0\xff", b""], "bertscore": [0.1, 1 / 3]}))
    for person in ("Ada", "Bo 🙂"):
        keep_labels(workspace, run, person, LABEL)


def test_a_team_moves_in_and_out(
    team_workspace: Workspace, postgresql: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A backup of a database opens as a file, and fills an empty database: each time every row is there, to the bit,
    and numbers go on where they stood."""
    fill(team_workspace)
    rows, _ = everything(team_workspace)
    maintenance.backup(team_workspace, tmp_path / "backup")
    assert everything(open_backup(tmp_path / "backup"))[0] | {"migrations": None} == rows | {"migrations": None}

    other = postgresql.schema()
    monkeypatch.setenv(DATABASE_VARIABLE, other)
    maintenance.restore(tmp_path / "backup", tmp_path / "restored")
    assert not (tmp_path / "restored" / INDEX_FILE).exists()
    restored = open_workspace(tmp_path / "restored")
    assert everything(restored)[0] | {"migrations": None} == rows | {"migrations": None}
    assert maintenance.check(restored).problems == ()
    run = restored.find("first")
    highest, _ = labels_state(restored, run)
    keep_labels(restored, run, "Cy", LABEL)
    assert labels_state(restored, run) == (highest + 1, 3)
    assert kept_bertscores(restored, "model", pl.Series([b"", b"\0\xff"]))["bertscore"].sort().to_list() == [0.1, 1 / 3]
    postgresql_engine(other).dispose()


def test_a_filled_database_is_not_overwritten(team_workspace: Workspace, tmp_path: Path):
    """`restore` refuses a database that has rows, which stay as they are, and makes no folder."""
    fill(team_workspace)
    maintenance.backup(team_workspace, tmp_path / "backup")
    keep(team_workspace, "later")
    before = everything(team_workspace)
    with pytest.raises(QavizError, match=r"with rows in golden_datasets, runs.+nothing is ever overwritten"):
        maintenance.restore(tmp_path / "backup", tmp_path / "restored")
    assert everything(team_workspace) == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["backup", "workspace"]


def test_database_roles_read_and_change_nothing(
    postgresql: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """The role of docs/team.md reads all runs: commands that read work, and what would change the index is refused by
    the database."""
    owner = postgresql.url(query={"options": "-csearch_path=with_roles"})
    postgresql.do("CREATE SCHEMA with_roles")
    monkeypatch.setenv(DATABASE_VARIABLE, owner)
    home = open_workspace(tmp_path / "workspace")
    save_sample(home)
    (sql,) = re.findall(r"```sql\n(.*?)```", (ROOT / "docs" / "team.md").read_text("utf-8"), re.DOTALL)
    postgresql.do(sql.replace("SCHEMA public", "SCHEMA with_roles"))
    postgresql.do("ALTER ROLE qaviz_reader SET search_path = with_roles")

    def say(role: str, *words: str) -> tuple[int, str]:
        monkeypatch.setenv(DATABASE_VARIABLE, postgresql.url(username=role, password="change me"))
        code = main([*words, "--workspace", str(home.folder)])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    code, printed = say("qaviz_reader", "runs", "list")
    assert (code, "sample" in printed) == (0, True), printed
    assert say("qaviz_reader", "report", "sample", "--out", str(tmp_path / "pack.json"))[0] == 0
    code, printed = say("qaviz_reader", "runs", "rename", "sample", "other")
    assert (code, "Traceback" in printed) == (2, False), printed
    monkeypatch.setenv(DATABASE_VARIABLE, owner)
    assert [run.name for run in home.runs()] == ["sample"]
