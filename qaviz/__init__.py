"""qaviz turns Amazon FMEval's question-answering metrics into decisions.

    import qaviz
    run = qaviz.evaluate("golden.jsonl", "responses.jsonl")

The names below are the public API (docs/extending.md). They are loaded when they are first asked for, so that
`import qaviz` itself is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qaviz.api import EvaluatedRun, ask, compare, evaluate, lint, open, open_run, open_workspace
    from qaviz.generation.pipeline import generate
    from qaviz.model.errors import Problem, QavizError
    from qaviz.model.records import Thresholds

__version__ = "0.2.0"

_HOMES = {
    **dict.fromkeys(("EvaluatedRun", "ask", "compare", "evaluate", "lint"), "qaviz.api"),
    **dict.fromkeys(("open", "open_run", "open_workspace"), "qaviz.api"),
    **dict.fromkeys(("Problem", "QavizError"), "qaviz.model.errors"),
    "Thresholds": "qaviz.model.records",
    "generate": "qaviz.generation.pipeline",
}

__all__ = [
    "EvaluatedRun",
    "Problem",
    "QavizError",
    "Thresholds",
    "ask",
    "compare",
    "evaluate",
    "generate",
    "lint",
    "open",
    "open_run",
    "open_workspace",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module's attribute may be anything
    if name not in _HOMES:
        raise AttributeError(f"module 'qaviz' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
