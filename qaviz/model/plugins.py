"""What installed packages add to qaviz: readers, metrics, judges and export formats, by entry point."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import entry_points
from typing import Literal, TypeVar

from qaviz.model.errors import QavizError, stop
from qaviz.model.visible import in_one_line, redact

Group = Literal["qaviz.readers", "qaviz.metrics", "qaviz.judges", "qaviz.exporters"]
Record = TypeVar("Record")


def load_plugins(group: Group, record: type[Record]) -> tuple[Record, ...]:
    """The records of this group that installed packages name as entry points, in the order of their names. Packages are
    code that the user installed: they are imported here, once. `QavizError` where one cannot be imported, or names
    anything but an instance of `record`."""
    plugins: list[Record] = []
    for name, point in sorted({point.name: point for point in _read_points().select(group=group)}.items()):
        try:
            plugin = point.load()
        except Exception as error:
            words = f"{type(error).__name__} while importing {point.value}"
            raise _stop_at(group, name, words, "a module that can be imported") from error
        if not isinstance(plugin, record):
            raise _stop_at(group, name, type(plugin).__name__, f"an instance of {record.__qualname__}")
        plugins.append(plugin)
    return tuple(plugins)


@contextmanager
def naming_extension(name: str) -> Iterator[None]:
    """Turn whatever code of the user's raises into a QavizError that names it, with its message."""
    try:
        yield
    except QavizError:
        raise
    except Exception as error:
        words = f"{type(error).__name__}: {in_one_line(redact(str(error)))}"
        raise stop(name, words, "an extension that does not raise", "Mend it, or leave it out.") from error


_read_points = cache(entry_points)
"""All entry points of all installed packages: to read them takes longer than to score a small file."""


def _stop_at(group: str, name: str, fault: str, expected: str) -> QavizError:
    return stop(f'entry point "{name}" of {group}', fault, expected, "Mend or uninstall the package that names it.")
