"""What pip installs: ranges that hold what is pinned, and an error that names the extra of a missing library."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from qaviz.model.errors import EXTRAS

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OPTIONAL = PROJECT["optional-dependencies"]
RANGES = {
    range_.name.lower(): range_.specifier
    for range_ in map(Requirement, (*PROJECT["dependencies"], *(need for needs in OPTIONAL.values() for need in needs)))
}
PINS = [
    Requirement(line)
    for name in ("core", "postgresql", "s3")
    for line in (ROOT / f"requirements-{name}.txt").read_text("utf-8").splitlines()
    if line and line[0] not in "#-"
]
SAMPLE = ROOT / "sample_data"


@pytest.mark.parametrize("pin", PINS, ids=str)
def test_what_is_pinned_is_in_its_range(pin: Requirement):
    """What CI tries is what a range promises; a pinned library without a range would be missing from a wheel."""
    (version,) = (specifier.version for specifier in pin.specifier)

    assert RANGES[pin.name.lower()].contains(version)


def test_each_extra_that_an_error_names_exists():
    """`pip install "qaviz[NAME]"` of an error's text installs something."""
    assert set(EXTRAS.values()) <= set(OPTIONAL)


def test_what_is_missing_is_named_with_its_extra():
    """With the libraries of the core alone a run is scored and decided; what needs more says which extra brings it."""
    script = f"""
import sys
sys.modules.update(dict.fromkeys({[*EXTRAS]!r}))
import qaviz
from qaviz.cli import main
run = qaviz.evaluate({str(SAMPLE / "golden.jsonl")!r}, {str(SAMPLE / "responses.jsonl")!r})
said = [run.decision().sentence]
for call in (run.plot.scatter, run.plot.matrix, run.to_pandas):
    try:
        call()
    except qaviz.QavizError as error:
        said.append(error.problems[0].expected)
print(said[1:], main(["lint", {str(SAMPLE / "golden.jsonl")!r}]))
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "['the extra plots', 'the extra plots', 'the extra pandas'] 1"


def test_heavy_libraries_are_imported_where_they_are_used():
    """No module of the core imports a library of an extra as it is loaded, but for the parts that the extra is for."""
    for_extras = {"documents", "ui", "serving", "charts", "uploads", "access", "pptx"}
    eager = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in ROOT.glob("qaviz/**/*.py")
        if not for_extras & {*path.relative_to(ROOT).with_suffix("").parts}
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
        if name.partition(".")[0] in EXTRAS
    }

    assert eager == set()
