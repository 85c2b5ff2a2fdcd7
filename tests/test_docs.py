"""What the documents name is there: tests, files, benchmarks and commands go, and pages that speak of them stay."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from qaviz.cli import COMMANDS
from qaviz.store.roles import POLICY

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
TESTS = {
    name
    for file in ROOT.glob("tests/**/*.py")
    for name in (file.name, *re.findall(r"^ *def (test_\w+)", file.read_text("utf-8"), re.MULTILINE))
}

each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: file.name)


@each_document
def test_every_test_that_a_document_names_is_there(document: Path):
    """Functions and files of tests, in code marks."""
    named = re.findall(r"`(?:tests/[\w/]*)?(test_\w+(?:\.py)?)`", document.read_text("utf-8"))

    assert set(named) <= TESTS


@each_document
def test_every_link_to_a_file_leads_to_one(document: Path):
    """Relative links, from the document's own folder."""
    links = re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text("utf-8"))

    assert [link for link in links if not (document.parent / link).is_file()] == []


@each_document
def test_every_command_that_a_document_gives_is_there(document: Path):
    """`python -m qaviz ...`, and the modules of benchmarks and tests that make or measure something."""
    text = document.read_text("utf-8")
    commands = set(re.findall(r"python -m qaviz (\w+)", text))
    modules = re.findall(r"python -m ((?:benchmarks|tests)[\w.]+)", text)

    assert commands <= set(COMMANDS)
    assert [module for module in modules if find_spec(module) is None] == []


def test_the_guided_tour_leads_through_files_that_are_there():
    """Each behaviour of CONTRIBUTING's tour is read in at most eight files, all of which exist."""
    rows = re.findall(r"^\| .*\? \| (`.*`) \|$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    tours = [re.findall(r"`([^`]+)`", row) for row in rows]

    assert len(tours) == 5
    assert [len(tour) for tour in tours if len(tour) > 8] == []
    assert [file for tour in tours for file in tour if not (ROOT / file).is_file()] == []


def test_the_table_of_roles_is_the_policy():
    """docs/team.md shows each deed with the least role that the store asks for, and nothing else."""
    text = (ROOT / "docs" / "team.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| (viewer|reviewer|editor|owner) \| ([^|]+) \|$", text, re.MULTILINE)
    places = {True: "the workspace", False: "the workspace or the project"}
    assert rows == [
        (deed.value, rule.meaning, str(rule.least), places[rule.everywhere]) for deed, rule in POLICY.items()
    ]
