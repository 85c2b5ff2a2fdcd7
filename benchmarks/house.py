"""How large the house is: modules, lines, functions, typed, documented, by room.

python -m benchmarks.house             # now
python -m benchmarks.house FOLDER      # of another code base
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def find_files(root: Path = ROOT) -> list[Path]:
    """Return the Python files of qaviz/ and pages/, and the two at the top."""
    return sorted([*root.glob("qaviz/**/*.py"), *root.glob("pages/*.py"), root / "app.py", root / "asgi.py"])


def name_module(file: Path) -> str:
    """Return `qaviz.stats` for qaviz/stats/__init__.py."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def name_room(file: Path, root: Path = ROOT) -> str:
    """Return `stats` for qaviz/stats/certify.py, `pages` for pages/runs.py, `top` for a file beside them."""
    first, *rest = file.relative_to(root).parts
    return rest[0] if first == "qaviz" and len(rest) > 1 else first if rest and first == "pages" else "top"


def find_imports(file: Path, modules: set[str]) -> set[str]:
    """Return the modules of the house that a file imports."""
    named = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)]
    full = {(node.module or "", f"{node.module}.{alias.name}") for node in named for alias in node.names}
    return {whole if whole in modules else module for module, whole in full} & modules


def describe(files: Iterable[Path]) -> str:
    """Return the figures of these files: lines of code are neither blank, nor comments, nor docstrings; a function's
    are without its docstring: median, 90th percentile, longest. Typed are functions whose arguments and result are
    annotated; documented are public functions and classes at the top of a module that have a docstring."""
    texts = [file.read_text("utf-8") for file in files]
    trees = [ast.parse(text) for text in texts]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    functions = [node for node in nodes if isinstance(node, FUNCTIONS)]
    lengths = sorted(_count_lines(node) - _measure_text(node.body[0]) for node in functions)
    top = [node for tree in trees for node in tree.body if isinstance(node, (*FUNCTIONS, ast.ClassDef))]
    documented = [ast.get_docstring(node) is not None for node in top if not node.name.startswith("_")]
    lines = [line.strip() for text in texts for line in text.splitlines()]
    code = sum(1 for line in lines if line and not line.startswith("#")) - sum(map(_measure_text, nodes))
    return (
        f"{len(texts)} modules, {len(lines):,} lines, {code:,} of code; {len(functions):,} functions of "
        f"{int(median(lengths))} / {lengths[len(lengths) * 9 // 10]} / {lengths[-1]} lines; "
        f"{sum(map(_is_typed, functions)) / len(functions):.0%} typed, "
        f"{sum(documented) / max(1, len(documented)):.0%} of public documented"
    )


def _count_lines(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _measure_text(node: ast.AST) -> int:
    """Lines of a text that stands alone, which is a docstring of what it is in or below."""
    alone = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return _count_lines(node) if alone else 0


def _is_typed(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    own = [argument for argument in (*node.args.args, *node.args.kwonlyargs) if argument.arg not in ("self", "cls")]
    return node.returns is not None and all(argument.annotation for argument in own)


def count_rooms(files: list[Path], root: Path) -> dict[str, int]:
    """Return the lines of each room, of tests too."""
    lines = Counter[str]()
    for file in [*files, *root.glob("tests/**/*.py")]:
        room = "tests" if file.relative_to(root).parts[0] == "tests" else name_room(file, root)
        lines[room] += len(file.read_text("utf-8").splitlines())
    return lines


def main() -> None:
    """Print the figures of the house and its rooms; or those of a folder."""
    if len(sys.argv) > 1:
        print(describe(sorted(Path(sys.argv[1]).glob("**/*.py"))))
        return
    files = find_files()
    print(describe(files))
    for room, lines in Counter(count_rooms(files, ROOT)).most_common():
        print(f"{room:<16}{lines:>8,} lines")


if __name__ == "__main__":
    main()
