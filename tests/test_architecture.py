"""The rules of the house that a reader could break without noticing."""

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
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
MAY_CATCH_EVERYTHING = {
    "qaviz/diagnosis/extract_evidence.py",
    "qaviz/llm/sending.py",
    "qaviz/pipelines/callable_worker.py",
}
"""A bug in reading one response marks that response, by the exception's type, and the run of a million goes on; what a
thread that sends raises is raised in the one that asked; what a user's callable raises is that question's error."""
BANNED_CALLS = {"eval", "exec", "compile", "__import__"}
BANNED_MODULES = {"pickle", "marshal", "shelve", "dill", "joblib"}


def broken(files: Iterable[Path], find: Callable[[Path], Iterable[object]]) -> dict[str, list[object]]:
    """What each file breaks a rule with, of those that do."""
    breaches = {str(file.relative_to(ROOT)): [*find(file)] for file in files}
    return {file: given for file, given in breaches.items() if given}


def part(file: Path) -> str:
    """`scoring` for qaviz/scoring/table.py, `stats` for qaviz/stats.py, `pages` for pages/board.py."""
    first, *rest = file.relative_to(ROOT).with_suffix("").parts
    return rest[0] if first == "qaviz" else first


def layer(name: str) -> int:
    return next(number for number, parts in enumerate(LAYERS) if name in parts)


@cache
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


def from_above(file: Path) -> set[str]:
    own = part(file)
    return {name for name in own_parts(file) - {own} if layer(name) >= layer(own)}


def beside_their_door(file: Path) -> set[str]:
    libraries = {name.split(".")[0] for name in imported(file)}
    return {name for name in libraries if part(file) not in DOORS.get(name, {part(file)}) or name in BANNED_MODULES}


def too_long(file: Path) -> Iterator[str]:
    lines = len(file.read_text(encoding="utf-8").splitlines())
    if lines > (LONGEST_PAGE if file.parent.name == "pages" else LONGEST_MODULE):
        yield f"{lines} lines"
    yield from (name for name, length in functions(file) if length > LONGEST_FUNCTION)


def names_that_say_nothing(file: Path) -> list[str]:
    return [word for word in NAMES_THAT_SAY_NOTHING if word in file.stem or word in file.parent.name]


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


def code_from_text_or_swallowed_bugs(file: Path) -> Iterator[str]:
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            wrong = node.func.id in BANNED_CALLS
        elif isinstance(node, ast.keyword):
            wrong = (node.arg or "").startswith("unsafe_allow")
        elif isinstance(node, ast.ExceptHandler):
            everything = node.type is None or ast.unparse(node.type) in ("Exception", "BaseException")
            ends_in_raise = isinstance(node.body[-1], ast.Raise)
            wrong = everything and not ends_in_raise and str(file.relative_to(ROOT)) not in MAY_CATCH_EVERYTHING
        else:
            wrong = False
        if wrong:
            yield ast.unparse(node)


def undocumented(file: Path) -> list[str]:
    module = tree(file)
    public = [
        node
        for node in module.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
    ]
    return [getattr(node, "name", "module") for node in (module, *public) if not ast.get_docstring(node)]


PARSERS = {"load", "load_golden", "preview", "stream", "read_batches"}
PARSERS |= {"read_grades", "read_decisions", "read_labels", "read_passages", "read_verdicts"}
"""Functions of qaviz.loading that parse a file where they are called."""


def parsed_here(file: Path) -> set[str]:
    if part(file) not in {"ui", "pages", "cli", "bulk"} or file.name == "shards.py":
        return set()
    named = {
        alias.name
        for node in ast.walk(tree(file))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("qaviz.loading")
        for alias in node.names
    }
    return named & PARSERS


@pytest.mark.parametrize(
    ("files", "find"),
    [
        pytest.param([*PACKAGE, *SCREENS], from_above, id="imports point down, never up or beside"),
        pytest.param([*PACKAGE, *SCREENS], beside_their_door, id="libraries enter by their door, pickle by none"),
        pytest.param(SOURCES, too_long, id="a module has one subject, a function one screen"),
        pytest.param(SOURCES, names_that_say_nothing, id="no module is called utils, helpers, manager or common"),
        pytest.param(
            [*PACKAGE, *SCREENS],
            lambda file: NAMES_FOR_ANYTHING.intersection(bound_names(file)),
            id="no variable or argument is called each, found, said, asked or told",
        ),
        pytest.param(
            SOURCES, code_from_text_or_swallowed_bugs, id="no text is evaluated, no HTML allowed, no bug swallowed"
        ),
        pytest.param(PACKAGE, undocumented, id="modules, public classes and functions say what they are"),
        pytest.param([*PACKAGE, *SCREENS], parsed_here, id="no page and no command parses a file in its own process"),
    ],
)
def test_no_file_breaks_a_rule(files: list[Path], find: Callable[[Path], Iterable[object]]):
    """The rule holds in every file; who breaks it is named with what."""
    assert broken(files, find) == {}
