"""The packages of docs/extending.md, installed by pip as their readers would."""

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


@pytest.mark.slow
@pytest.mark.parametrize(("name", "module"), MODULES, ids=lambda text: text.split()[-1][:20])
def test_a_package_of_the_document_works(tmp_path: Path, name: str, module: str):
    """Installed with pip, the record of each package does its work in the command that the document names."""
    group = name.rpartition(" ")[2]
    package, site = tmp_path / "package", tmp_path / "site"
    package.mkdir()
    (package / "pyproject.toml").write_text(PROJECT[1].replace("qaviz.metrics", group), "utf-8")
    (package / "example.py").write_text(module, "utf-8")
    environment = os.environ | {"PYTHONPATH": f"{site}{os.pathsep}{ROOT}"}

    def run(*command: object) -> str:
        words = [sys.executable, "-m", *map(str, command)]
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    run("pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--target", site, package)
    (tmp_path / "acme.json").write_text(json.dumps(EXPORT), "utf-8")
    run("qaviz", "import", *IMPORT, "--name", "sample", "--by", "Ada")
    assert SHOWS[group](tmp_path, run("qaviz", *USES[group]))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "module"), MODULES[1:], ids=lambda text: text.split()[-1][:20])
def test_an_extension_that_raises_is_named(tmp_path: Path, name: str, module: str):
    """Whatever a package raises is a problem with its name and its message, exit code 2, and no bug of qaviz's."""
    group = name.rpartition(" ")[2]
    record = tmp_path / "site" / "qaviz_example-1.0.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: qaviz-example\nVersion: 1.0\n", "utf-8")
    (record / "entry_points.txt").write_text(f"[{group}]\nexample = example:record\n", "utf-8")
    raising = re.sub(r"(def \w+\(.*:\n)", r'\1    raise ValueError("lost its key")\n', module)
    (tmp_path / "site" / "example.py").write_text(raising, "utf-8")
    before = os.environ | {"PYTHONPATH": str(ROOT)}
    imported = [sys.executable, "-m", "qaviz", "import", *map(str, IMPORT), "--name", "sample", "--by", "Ada"]
    subprocess.run(imported, cwd=tmp_path, env=before, capture_output=True, check=True)

    command = [sys.executable, "-m", "qaviz", *map(str, USES[group])]
    environment = os.environ | {"PYTHONPATH": f"{tmp_path / 'site'}{os.pathsep}{ROOT}"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "ValueError: lost its key" in done.stderr
    (called,) = re.findall(r'name="([^"]+)"', module)
    assert called in done.stderr
