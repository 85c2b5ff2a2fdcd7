"""What documents and docstrings name is there: code goes, and pages that speak of it stay."""

import ast
import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from qaviz.cli import COMMANDS, main
from qaviz.store.audit_log import Deed
from qaviz.store.roles import BY_REVIEWERS, least_role

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
TESTS = {
    name
    for file in ROOT.glob("tests/**/*.py")
    for name in (file.name, *re.findall(r"^ *def (test_\w+)", file.read_text("utf-8"), re.MULTILINE))
}

CODE = [
    file
    for part in ("*.py", "qaviz/**/*.py", "pages/*.py", "benchmarks/*.py", "tests/**/*.py")
    for file in ROOT.glob(part)
]
NAME = re.compile(r"`(?=\w*[a-z])([A-Za-z]\w*_\w*|\w+[a-z][A-Z]\w*)(?:\.\w+)*`")
"""A name of code in code marks: with a low line, or with a capital within."""
ELSEWHERE = {"value_to_float", "normalize_text_quac_protocol", "source_documents", "referenceAnswers"}
"""Names of other people's libraries and files."""
EXAMPLES = {
    *("annual_report_2023", "wasBuddhism", "revenueGrew", "TOOL_PIPELINE", "correct_scored", "choice_A", "model_config")
}
"""Texts and names of files and columns that docstrings show."""

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


@each_document
def test_no_document_holds_two_versions_of_a_passage(document: Path):
    """No marker of an unfinished merge stands in it."""
    assert re.findall(r"^(?:<{7}|={7}$|>{7}).*", document.read_text("utf-8"), re.MULTILINE) == []


def test_docstrings_and_documents_name_code_that_is_there():
    """Functions, columns and fields that stand in code marks; only CHANGELOG speaks of what went."""
    docstrings, names = [], set(ELSEWHERE | EXAMPLES)
    for file in CODE:
        names.add(file.stem)
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    docstrings.append((file.name, text))
                    node.value.value = None  # what a docstring says proves no name
                case ast.Constant(value=str(text)):
                    names.update(re.findall(r"\w+", text))
                case _:
                    names.update(getattr(node, field, None) for field in ("id", "attr", "arg", "name"))
    for file in (*ROOT.glob("qaviz/**/*.toml"), *ROOT.glob("qaviz/**/*.js"), *ROOT.glob("qaviz/**/*.sql")):
        names.update(re.findall(r"\w+", file.read_text("utf-8")))
    documents = [(file.name, file.read_text("utf-8")) for file in DOCUMENTS if file.name != "CHANGELOG.md"]

    assert [
        (file, name) for file, text in docstrings + documents for name in NAME.findall(text) if name not in names
    ] == []


def test_the_guided_tour_leads_through_files_that_are_there():
    """Each behaviour of CONTRIBUTING's tour is read in at most eight files, all of which exist."""
    rows = re.findall(r"^\| .*\? \| (`.*`) \|$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    tours = [re.findall(r"`([^`]+)`", row) for row in rows]

    assert len(tours) == 5
    assert [len(tour) for tour in tours if len(tour) > 8] == []
    assert [file for tour in tours for file in tour if not (ROOT / file).is_file()] == []


def test_the_list_of_roles_is_the_policy():
    """docs/team.md has each deed once, under the least role that the store asks for, and no other."""
    text = (ROOT / "docs" / "team.md").read_text("utf-8")
    (listed,) = re.findall(r"^- \*\*viewer\*\*.*?(?=\n\n)", text, re.DOTALL | re.MULTILINE)
    roles = re.split(r"^- \*\*([\w ]+)\*\*", listed, flags=re.MULTILINE)[1:]
    deeds = {(deed, role) for role, line in zip(roles[::2], roles[1::2], strict=True) for deed in read_names(line)}
    # What nobody does: deeds of earlier releases, and what stands for an entry that is withheld.
    done = set(Deed) - {Deed.WITHHELD}

    assert deeds == {
        (deed.value, "reviewing viewer" if deed in BY_REVIEWERS else str(least_role(deed))) for deed in done
    }
    assert len(read_names(listed)) == len(done)


def read_names(text: str) -> list[str]:
    """What stands in code marks."""
    return re.findall(r"`([^`]+)`", text)


def test_the_example_of_contexts_gives_what_it_says(tmp_path: Path):
    """The files of docs/contexts.md, scored by its command, have the faults and reasons of its table."""
    text = (ROOT / "docs" / "contexts.md").read_text("utf-8")
    golden, responses = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    for name, lines in (("golden", golden), ("responses", responses)):
        (tmp_path / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    out = tmp_path / "scored.jsonl"
    assert main(["score", str(tmp_path / "golden.jsonl"), str(tmp_path / "responses.jsonl"), "--out", str(out)]) == 0

    rows = map(json.loads, out.read_text("utf-8").splitlines())
    told = [
        [str(row[name] if row[name] is not None else "") for name in ("pipeline", "retrieval_hit", "retrieval_rank")]
        + [row["fault"], row["fault_reason"]]
        for row in rows
    ]
    table = re.findall(r"^\| ([ABC]) \| (\w+) \| (\d*) ?\| (\w+) \| (.*) \|$", text, re.MULTILINE)
    assert [[name, hit.capitalize(), *others] for name, hit, *others in table] == told


def test_the_example_of_imports_is_read_as_it_says(tmp_path: Path, capsys):
    """The file of docs/imports.md needs no mapping: nothing is doubtful, and both pipelines have their responses."""
    (example,) = re.findall(r"```csv\n(.*?)```", (ROOT / "docs" / "imports.md").read_text("utf-8"), re.DOTALL)
    (tmp_path / "results.csv").write_text(example, encoding="utf-8")
    assert main(["import", str(tmp_path / "results.csv"), "--dry-run", "--format", "json"]) == 0

    summary = json.loads(capsys.readouterr().out)
    assert summary["doubts"] == []
    assert summary["pipelines"] == {"klein": 2, "groß": 2}
