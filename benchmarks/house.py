"""How large the house is: modules, lines, functions, and modules with one importer, by room.

python -m benchmarks.house
"""

import ast
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]


def find_files() -> list[Path]:
    """Return the Python files of qaviz/ and pages/, and the two at the top."""
    return sorted([*ROOT.glob("qaviz/**/*.py"), *ROOT.glob("pages/*.py"), ROOT / "app.py", ROOT / "asgi.py"])


def name_module(file: Path) -> str:
    """Return `qaviz.stats` for qaviz/stats/__init__.py."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def name_room(file: Path) -> str:
    """Return `stats` for qaviz/stats/paired_tests.py, `pages` for pages/runs.py, `top` for a file beside them."""
    first, *rest = file.relative_to(ROOT).parts
    return rest[0] if first == "qaviz" and len(rest) > 1 else first if rest and first == "pages" else "top"


def find_imports(file: Path, modules: set[str]) -> set[str]:
    """Return the modules of the house that a file imports."""
    named = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)]
    full = {(node.module or "", f"{node.module}.{alias.name}") for node in named for alias in node.names}
    return {whole if whole in modules else module for module, whole in full} & modules


def measure_functions(files: list[Path]) -> list[int]:
    """Return the lines of each function."""
    trees = (ast.parse(file.read_text("utf-8")) for file in files)
    nodes = (node for tree in trees for node in ast.walk(tree))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [(node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes if isinstance(node, kinds)]


def main() -> None:
    """Print the figures of the house, then those of each room."""
    files = find_files()
    modules = {name_module(file) for file in files}
    lines = {file: len(file.read_text("utf-8").splitlines()) for file in files}
    importers: dict[str, set[Path]] = defaultdict(set)
    for file in files:
        for module in find_imports(file, modules):
            importers[module].add(file)
    alone = Counter(module.split(".")[1] for module, by in importers.items() if len(by) == 1 and "." in module)
    functions = measure_functions(files)
    print(f"{len(files)} modules, {sum(lines.values()):,} lines, {sum(alone.values())} with one importer")
    print(f"{len(functions):,} functions, median {median(functions):.0f} lines, longest {max(functions)}")
    rooms = {file: name_room(file) for file in files}
    for room, number in Counter(rooms.values()).most_common():
        own = sum(lines[file] for file in files if rooms[file] == room)
        print(f"{room:<16}{number:>5} modules{own:>8,} lines{alone.get(room, 0):>5} with one importer")


if __name__ == "__main__":
    main()
