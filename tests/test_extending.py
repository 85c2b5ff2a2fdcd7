"""The packages of docs/extending.md, as their readers install them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "sample_data"
TEXT = (ROOT / "docs" / "extending.md").read_text("utf-8")
BLOCKS = re.findall(r"```(?:toml|python)\n# ([^\n]+)\n(.*?)```", TEXT, re.DOTALL)
PROJECT, *MODULES = BLOCKS
IMPORT = [SAMPLE / "golden.jsonl", SAMPLE / "responses.jsonl"]

pytestmark = pytest.mark.slow

EXPORT = {
    "acme_version": 1,
    "bot": "B",
    "turns": [{"ask": {"text": "How many?"}, "gold": ["158"], "reply": {"text": "158."}, "seconds": 0.5}],
}

USES = {
    "qaviz.readers": ["import", "acme.json", "--dry-run", "--format", "json"],
    "qaviz.metrics": ["score", *IMPORT, "--out", "out.csv"],
    "qaviz.judges": ["judge", "sample", "--grades", "seattle", "--by", "Ada"],
    "qaviz.exporters": ["report", "sample", "--out", "out.txt"],
}
"""What uses the record of a group."""
SHOWS = {
    "qaviz.readers": lambda _, said: json.loads(said)["pipelines"] == {"B": 1},
    "qaviz.metrics": lambda folder, _: ',"words"' in (folder / "out.csv").read_text("utf-8").splitlines()[0],
    "qaviz.judges": lambda _, said: {"graded: 30", "unscored: 0"} <= {*said.splitlines()},
    "qaviz.exporters": lambda folder, _: (folder / "out.txt").read_text("utf-8").startswith("sample: "),
}


def run(folder: Path, site: Path | None, *command: object) -> subprocess.CompletedProcess[str]:
    """A Python module run in the folder, with the packages of `site`."""
    paths = [*filter(None, [site]), ROOT]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))}
    words = [sys.executable, "-m", *map(str, command)]
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose workspace has the sample as a run, and with the reader's file."""
    made = tmp_path_factory.mktemp("sample")
    (made / "acme.json").write_text(json.dumps(EXPORT), "utf-8")
    assert run(made, None, "qaviz", "import", *IMPORT, "--name", "sample", "--by", "Ada").returncode == 0
    return made


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All packages of the document under names of their own: the first installed with pip, which takes seconds, the
    others as pip leaves it."""
    package, site = tmp_path_factory.mktemp("package"), tmp_path_factory.mktemp("packages") / "site"
    (first, module), *others = ((name.rpartition(" ")[2], module) for name, module in MODULES)
    (package / "pyproject.toml").write_text(PROJECT[1].replace("qaviz.metrics", first), "utf-8")
    (package / "example.py").write_text(module, "utf-8")
    options = ("--quiet", "--no-build-isolation", "--no-deps", "--target", site)
    done = run(package, None, "pip", "install", *options, package)
    assert done.returncode == 0, done.stderr
    for number, (group, module) in enumerate(others):
        put_package(site, f"example{number}", group, module)
    return site


def put_package(site: Path, name: str, group: str, module: str) -> None:
    """A module, and the record of it that pip would have made."""
    record = site / f"qaviz_{name}-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: qaviz-{name}\nVersion: 1.0\n", "utf-8")
    (record / "entry_points.txt").write_text(f"[{group}]\nexample = {name}:record\n", "utf-8")
    (site / f"{name}.py").write_text(module, "utf-8")


@pytest.mark.parametrize("group", [name.rpartition(" ")[2] for name, _ in MODULES])
def test_a_package_of_the_document_works(folder: Path, site: Path, group: str):
    """Installed, the record of each package does its work in the command that the document names."""
    done = run(folder, site, "qaviz", *USES[group])
    assert done.returncode in (0, 1), done.stderr
    assert SHOWS[group](folder, done.stdout)


@pytest.mark.parametrize(("name", "module"), MODULES[1:], ids=lambda text: text.split()[-1][:20])
def test_an_extension_that_raises_is_named(folder: Path, tmp_path: Path, name: str, module: str):
    """Whatever a package raises is a problem with its name and its message, exit code 2, and no bug of qaviz's."""
    group = name.rpartition(" ")[2]
    raising = re.sub(r"(def \w+\(.*:\n)", r'\1    raise ValueError("lost its key")\n', module)
    put_package(tmp_path, "example", group, raising)
    done = run(folder, tmp_path, "qaviz", *USES[group])
    assert done.returncode == 2, done.stderr
    assert "ValueError: lost its key" in done.stderr
    (called,) = re.findall(r'name="([^"]+)"', module)
    assert called in done.stderr
