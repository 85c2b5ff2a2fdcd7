"""The rules of the house that a reader could break without noticing."""

import ast
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from statistics import median

import pytest

from benchmarks.house import find_files, find_imports, name_module

ROOT = Path(__file__).parents[1]
PACKAGE = [*sorted(ROOT.glob("qaviz/**/*.py"))]
SCREENS = [ROOT / "app.py", ROOT / "asgi.py", *sorted(ROOT.glob("pages/*.py"))]
SOURCES = [*PACKAGE, *SCREENS, *sorted(ROOT.glob("benchmarks/*.py"))]

LAYERS = (
    ("model",),
    ("processes",),
    ("stats", "llm", "reading"),
    ("scoring", "loading", "store"),
    ("diagnosis", "documents"),
    ("contexts",),
    ("bulk", "judging", "pipelines"),
    ("analysis", "golden", "runs", "bertscores", "background", "access"),
    ("charts", "review"),
    ("report",),
    ("exports", "generation", "uploads"),
    ("ui", "serving", "api"),
    ("pages", "app", "asgi", "cli"),
    ("__main__", "__init__"),
)
"""From the bottom up: a part of qaviz imports from layers below its own, and from itself."""

DOORS = {
    "click": {"cli"},
    "jinja2": {"exports"},
    "markupsafe": {"exports"},
    "streamlit": {"access", "ui", "uploads", "pages", "app", "asgi"},
    "starlette": {"serving"},
    "prometheus_client": {"serving"},
    "httpx": {"llm", "pipelines"},
    "jmespath": {"loading", "pipelines"},
    "yaml": {"pipelines"},
    "mcp": {"cli"},
    "boto3": {"llm", "store"},
    "botocore": {"llm", "store"},
    "pandas": {"api"},
    "plotly": {"charts", "exports"},
    "pptx": {"exports", "documents"},
    "docx": {"documents"},
    "lxml": {"documents"},
    "pypdfium2": {"documents"},
    "xlsxwriter": {"exports"},
    "fmeval": {"scoring"},
    "ray": {"bulk"},
    "bert_score": {"scoring"},
    "sqlalchemy": {"store"},
    "sqlite3": {"store"},
}
"""Libraries that enter qaviz through one door; pandas comes in and goes out by the Python API."""

LONGEST_MODULE = 600
MOST_MODULES = 290
"""A new subject takes a new module; a part of one belongs to the module that has it."""
SHORTEST_ALONE = 50
"""Lines of a module that only one other imports: a shorter one belongs to that or to a neighbour."""
LONGEST_PAGE = 120
LONGEST_FUNCTION = 60
MEDIAN_FUNCTION = 10
NAMES_THAT_SAY_NOTHING = ("util", "helper", "manager", "common", "misc")
NAMES_FOR_ANYTHING = {"each", "found", "said", "asked", "told"}
MAY_CATCH_EVERYTHING = {"qaviz/diagnosis/extract_evidence.py", "qaviz/pipelines/callable_worker.py"}
"""A bug in reading one response marks that response, by the exception's type, and the run of a million goes on; what a
user's callable raises is that question's error."""
BANNED_CALLS = {"eval", "exec", "compile", "__import__"}
BANNED_MODULES = {"pickle", "marshal", "shelve", "dill", "joblib"}

by_file = pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))


def part(file: Path) -> str:
    """`scoring` for qaviz/scoring/table.py, `stats` for qaviz/stats.py, `pages` for pages/board.py."""
    first, *rest = file.relative_to(ROOT).with_suffix("").parts
    return rest[0] if first == "qaviz" else first


def layer(name: str) -> int:
    return next(number for number, parts in enumerate(LAYERS) if name in parts)


def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def imported(file: Path) -> Iterator[str]:
    """Dotted names that the file imports, wherever in the file: `qaviz.model`, `streamlit`."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (
                [f"qaviz.{alias.name}" for alias in node.names] if node.module == "qaviz" else [node.module or ""]
            )


def own_parts(file: Path) -> set[str]:
    names = (name.split(".") for name in imported(file))
    parts = {name[1] for name in names if name[0] == "qaviz" and len(name) > 1}
    return {name for name in parts if not name.startswith("__")}


def functions(file: Path) -> Iterator[tuple[str, int]]:
    """Name and number of lines of each function."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def test_every_part_has_its_layer():
    """Each module and folder of qaviz stands in exactly one layer."""
    parts = {part(file) for file in PACKAGE}
    assert parts <= set(chain.from_iterable(LAYERS))


@pytest.mark.parametrize("file", [*PACKAGE, *SCREENS], ids=lambda file: str(file.relative_to(ROOT)))
def test_imports_point_down(file: Path):
    """A file imports from its own part of qaviz and from lower layers, never from above or beside."""
    own = part(file)
    others = own_parts(file) - {own}
    assert {name for name in others if layer(name) >= layer(own)} == set()


@pytest.mark.parametrize("file", [*PACKAGE, *SCREENS], ids=lambda file: str(file.relative_to(ROOT)))
def test_libraries_enter_through_their_door(file: Path):
    """Streamlit is imported in ui and pages alone, plotly where figures are drawn, fmeval and ray in scoring,
    SQL in store; nothing that runs code from data is imported at all."""
    libraries = {name.split(".")[0] for name in imported(file)}
    assert {name for name in libraries if part(file) not in DOORS.get(name, {part(file)})} == set()
    assert libraries & BANNED_MODULES == set()


@by_file
def test_a_module_has_one_page_of_subject(file: Path):
    """No module is longer than its limit, and no function is longer than a screen."""
    lines = len(file.read_text(encoding="utf-8").splitlines())
    assert lines <= (LONGEST_PAGE if file.parent.name == "pages" else LONGEST_MODULE)
    assert {name: length for name, length in functions(file) if length > LONGEST_FUNCTION} == {}


def test_a_subject_is_one_module_and_not_several():
    """The house has no more modules than its subjects take, and no sliver that only one module imports."""
    files = find_files()
    modules = {name_module(file) for file in files}
    importers = Counter(name for file in files for name in find_imports(file, modules) - {name_module(file)})
    lines = {name_module(file): len(file.read_text("utf-8").splitlines()) for file in files}
    slivers = {name for name, number in importers.items() if number == 1 and lines[name] < SHORTEST_ALONE}

    assert len(files) <= MOST_MODULES
    assert {name for name in slivers if not (ROOT / Path(*name.split("."))).is_dir()} == set()


def test_functions_are_short():
    """Half of all functions have fewer lines than the limit for the median."""
    assert median(length for file in SOURCES for _, length in functions(file)) < MEDIAN_FUNCTION


@by_file
def test_names_say_something(file: Path):
    """No module is called utils, helpers, manager or common."""
    assert [word for word in NAMES_THAT_SAY_NOTHING if word in file.stem or word in file.parent.name] == []


def bound_names(file: Path) -> Iterator[str]:
    """Names of arguments and variables. An argument `found` that is a text is what an error found (`Problem.found`)."""
    module = tree(file)
    fields = {
        statement.target
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef)
        for statement in node.body
        if isinstance(statement, ast.AnnAssign)
    }
    for node in ast.walk(module):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in fields:
            yield node.id
        elif isinstance(node, ast.arg) and not (node.annotation and ast.unparse(node.annotation) == "str"):
            yield node.arg


@pytest.mark.parametrize("room", sorted({part(file) for file in [*PACKAGE, *SCREENS]}))
def test_variables_are_nouns_for_what_they_hold(room: str):
    """No variable and no argument is called each, found, said, asked or told; fields of records are left alone."""
    names = {
        (str(file.relative_to(ROOT)), name)
        for file in [*PACKAGE, *SCREENS]
        if part(file) == room
        for name in bound_names(file)
        if name in NAMES_FOR_ANYTHING
    }
    assert names == set()


@by_file
def test_no_code_from_text_and_no_swallowed_bug(file: Path):
    """Nothing evaluates text, allows HTML in markdown, or catches every exception but where that is decided."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in BANNED_CALLS
        elif isinstance(node, ast.keyword):
            assert not (node.arg or "").startswith("unsafe_allow")
        elif isinstance(node, ast.ExceptHandler):
            caught = ast.unparse(node.type) if node.type else "everything"
            ends_in_raise = isinstance(node.body[-1], ast.Raise)
            allowed = ends_in_raise or str(file.relative_to(ROOT)) in MAY_CATCH_EVERYTHING
            assert caught not in ("everything", "Exception", "BaseException") or allowed


@pytest.mark.parametrize("file", PACKAGE, ids=lambda file: str(file.relative_to(ROOT)))
def test_what_is_public_is_documented(file: Path):
    """Every module, and every public class and function at its top, says what it is."""
    module = tree(file)
    public = [
        node
        for node in module.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    ]
    assert [getattr(node, "name", "module") for node in (module, *public) if not ast.get_docstring(node)] == []


PARSERS = {"load", "load_golden", "preview", "stream", "stream_with_scores", "load_fmeval_output", "read_batches"}
PARSERS |= {
    "is_fmeval_output",
    "is_from_tool",
    "read_grades",
    "read_decisions",
    "read_labels",
    "read_passages",
    "read_verdicts",
}
"""Functions of qaviz.loading that parse a file where they are called."""


@pytest.mark.parametrize("file", [*PACKAGE, *SCREENS], ids=lambda file: str(file.relative_to(ROOT)))
def test_what_people_bring_is_parsed_apart(file: Path):
    """No page and no command parses a file in its own process: they ask `qaviz.loading.apart`."""
    if part(file) not in {"ui", "pages", "cli", "bulk"} or file.name == "shards.py":
        return
    named = {
        alias.name
        for node in ast.walk(tree(file))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("qaviz.loading")
        for alias in node.names
    }
    assert named & PARSERS == set()
