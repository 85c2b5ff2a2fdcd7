"""Settings of a server in a TOML file."""

import tomllib
from pathlib import Path

import pytest

from qaviz.access.settings import _SETTINGS, read_settings
from qaviz.cli import main
from qaviz.model.errors import QavizError

WHOLE = """
workspace = "data"
database_url = "postgresql://a:b@db/q"
metrics_port = 9100
pipelines = "allowed.toml"
[sign_in]
source = "header"
proxies = ["10.0.0.5", "10.1.0.0/16"]
secret_file = "secret"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "allowed.toml").write_text('[pipelines.rag]\nurl = "http://127.0.0.1:9/ask"\n')
    (tmp_path / "secret").write_text("s" * 40)
    (tmp_path / "team.toml").write_text(WHOLE)
    return tmp_path / "team.toml"


def test_a_file_stands_for_variables_and_the_environment_wins(file: Path):
    """Each setting becomes its variable, paths seen from the file; one that is set in the environment stays."""
    found = read_settings(file, {"QAVIZ_METRICS_PORT": "9200", "HOME": "/root"})
    assert found == {
        "HOME": "/root",
        "QAVIZ_METRICS_PORT": "9200",
        "QAVIZ_WORKSPACE": str(file.parent / "data"),
        "QAVIZ_DATABASE_URL": "postgresql://a:b@db/q",
        "QAVIZ_PIPELINES": str(file.parent / "allowed.toml"),
        "QAVIZ_SIGN_IN": "header",
        "FORWARDED_ALLOW_IPS": "10.0.0.5/32,10.1.0.0/16",
        "QAVIZ_PROXY_SECRET_FILE": str(file.parent / "secret"),
    }


def test_all_problems_of_a_file_are_said_at_once(file: Path, capsys: pytest.CaptureFixture[str]):
    """Unknown names, wrong kinds, a file that is not there, and settings that do not go together: the server does not
    start, each is named, and no text of a URL is quoted."""
    file.write_text(
        'workspce = "x"\nmetrics_port = "many"\nprices = "none.toml"\ndatabase_url = ["hunter2"]\n'
        '[sign_in]\nsource = "header"\nproxies = ["nowhere"]\n'
    )
    with pytest.raises(QavizError) as refused:
        read_settings(file, {})
    where = {each.where.removeprefix("team.toml ") for each in refused.value.problems}
    named = {"workspce", "metrics_port", "prices", "database_url", "sign_in.proxies"}
    assert where == {*named, "QAVIZ_SIGN_IN=header"}
    assert main(["app", "--settings", str(file)]) == 2
    said = capsys.readouterr().err
    assert "workspce" in said
    assert "hunter2" not in said


@pytest.mark.parametrize("text", ["[", "a = \x00", ""])
def test_what_is_no_toml_is_refused(file: Path, text: str):
    """A file that is torn, or is not there, is named; an empty one sets nothing."""
    file.write_text(text)
    if not text:
        assert read_settings(file, {"A": "b"}) == {"A": "b"}
        return
    with pytest.raises(QavizError, match=r"team\.toml"):
        read_settings(file, {})


def test_the_documentation_has_every_setting():
    """The example in docs/team.md has each setting and no other."""
    page = (Path(__file__).parents[1] / "docs" / "team.md").read_text("utf-8")
    example = tomllib.loads(page.split("## Settings in a file")[1].split("```toml")[1].split("```")[0])
    names = {name for name in example if name != "sign_in"} | {f"sign_in.{name}" for name in example["sign_in"]}
    assert names == set(_SETTINGS)
