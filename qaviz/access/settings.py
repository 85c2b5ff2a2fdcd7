"""The settings of a server in one TOML file, checked as a whole; a variable of the environment wins over the file.

docs/team.md has an example with every setting.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from qaviz.access import PROXIES_VARIABLE
from qaviz.access.identity import (
    HEADER_VARIABLE,
    SECRET_VARIABLE,
    SIGN_IN_VARIABLE,
    WAY_OUT_VARIABLE,
    sign_in_settings,
)
from qaviz.llm.session import PRICES_VARIABLE
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import WORKSPACE_VARIABLE
from qaviz.pipelines.pipeline import PIPELINES_VARIABLE, read_pipelines
from qaviz.scoring.language_models import MODELS_VARIABLE
from qaviz.store.postgresql import DATABASE_VARIABLE

_TEXT, _FOLDER, _FILE, _LIST = "a text", "a folder", "a file that is there", "a list of texts"
_SETTINGS: Mapping[str, tuple[str, str]] = {
    "workspace": (WORKSPACE_VARIABLE, _FOLDER),
    "database_url": (DATABASE_VARIABLE, _TEXT),
    "pipelines": (PIPELINES_VARIABLE, _FILE),
    "prices": (PRICES_VARIABLE, _FILE),
    "models": (MODELS_VARIABLE, _FOLDER),
    "sign_in.source": (SIGN_IN_VARIABLE, _TEXT),
    "sign_in.header": (HEADER_VARIABLE, _TEXT),
    "sign_in.secret_file": (SECRET_VARIABLE, _FILE),
    "sign_in.sign_out": (WAY_OUT_VARIABLE, _TEXT),
    "sign_in.proxies": (PROXIES_VARIABLE, _LIST),
}
"""By its name in the file: the variable that it stands for, and what it has to be."""


def read_settings(file: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """The environment with what the file adds: a variable that is set, and not empty, stays as it is.

    Paths are seen from the file's folder. Raises QavizError with every problem of the file.
    """
    content = _flatten(_parse(file))
    unknown = content.keys() - _SETTINGS.keys()
    problems = [_problem(f"{file.name} {name}", "no such setting", ", ".join(_SETTINGS)) for name in unknown]
    settings = dict(environment)
    for name, (variable, kind) in _SETTINGS.items():
        value = _read(content.get(name, ""), kind, file.absolute().parent)
        if value is None:
            # What a URL says may be a secret.
            words = "something else" if name.endswith("_url") else f"{content[name]!r}"[:80]
            problems.append(_problem(f"{file.name} {name}", words, kind))
        elif value and not environment.get(variable):
            settings[variable] = value
    problems += _find_misfits(settings)
    if problems:
        raise QavizError(*problems)
    return settings


def _read(value: Any, kind: str, folder: Path) -> str | None:  # noqa: ANN401 - whatever TOML has
    """The variable's value; None if what the file says is not of the kind."""
    if kind is _LIST and isinstance(value, list):
        value = ",".join(map(str, value))
    if not isinstance(value, str):
        return None
    if value and kind in (_FOLDER, _FILE):
        value = str(folder / value)
        return None if kind is _FILE and not Path(value).is_file() else value
    return value


def _parse(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        wrong = str(error) if isinstance(error, tomllib.TOMLDecodeError) else f"no text ({type(error).__name__})"
        raise QavizError(_problem(str(file), wrong, "a TOML file of settings")) from None


def _flatten(content: dict[str, Any]) -> dict[str, Any]:
    """The settings by their names, those of a table under `table.name`."""
    flat: dict[str, Any] = {}
    for name, value in content.items():
        parts = {f"{name}.{part_name}": part for part_name, part in value.items()} if isinstance(value, dict) else None
        flat |= {name: value} if parts is None else parts
    return flat


def _find_misfits(settings: Mapping[str, str]) -> Iterator[Problem]:
    """Yield what is wrong with settings together, or with a file that they name."""
    pipelines = settings.get(PIPELINES_VARIABLE)
    for check in (lambda: sign_in_settings(settings), lambda: pipelines and read_pipelines(Path(pipelines))):
        try:
            check()
        except QavizError as error:
            yield from error.problems


def _problem(where: str, found: str, expected: str) -> Problem:
    return Problem(where=where, found=found, expected=expected, fix="See docs/team.md, Settings in a file.")
