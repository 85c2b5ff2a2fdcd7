"""The settings of a server in one TOML file, checked as a whole; a variable of the environment wins over the file.

docs/team.md has an example with every setting.
"""

import ipaddress
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from qaviz.access import HIGHEST_PORT, METRICS_VARIABLE, PROXIES_VARIABLE, identity
from qaviz.llm.session import PRICES_VARIABLE
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import WORKSPACE_VARIABLE
from qaviz.pipelines.pipeline import PIPELINES_VARIABLE, read_pipelines
from qaviz.scoring.language_models import MODELS_VARIABLE
from qaviz.store.engines import DATABASE_VARIABLE


def _read(kind: str, value: object, folder: Path) -> str | None:
    """What the file says, as the variable's value; None if it is not of the kind."""
    match kind, value:
        case "text", str() if value.strip():
            return value
        case "folder", str() if value.strip():
            return str(folder / value)
        case "file", str() if (folder / value).is_file():
            return str(folder / value)
        case "port", int() if not isinstance(value, bool) and 1 <= value <= HIGHEST_PORT:
            return str(value)
        case "networks", [_, *_]:
            with suppress(ValueError):
                return ",".join(str(ipaddress.ip_network(str(network))) for network in value)
    return None


_SETTINGS: Mapping[str, tuple[str, str, str]] = {
    "workspace": (WORKSPACE_VARIABLE, "folder", "a folder"),
    "database_url": (DATABASE_VARIABLE, "text", "the URL of a PostgreSQL database"),
    "pipelines": (PIPELINES_VARIABLE, "file", "a file that is there"),
    "prices": (PRICES_VARIABLE, "file", "a file that is there"),
    "models": (MODELS_VARIABLE, "folder", "a folder"),
    "metrics_port": (METRICS_VARIABLE, "port", f"a whole number from 1 to {HIGHEST_PORT:,}"),
    "sign_in.source": (identity.SIGN_IN_VARIABLE, "text", ", ".join(identity.SOURCES)),
    "sign_in.header": (identity.HEADER_VARIABLE, "text", "the name of a header"),
    "sign_in.secret_file": (identity.SECRET_VARIABLE, "file", "a file that is there"),
    "sign_in.sign_out": (identity.WAY_OUT_VARIABLE, "text", "a path of the proxy"),
    "sign_in.proxies": (PROXIES_VARIABLE, "networks", "a list of addresses and networks, such as 10.1.0.0/16"),
}
"""By its name in the file: the variable that it stands for, its kind, and what is expected."""


def read_settings(file: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """The environment with what the file adds: a variable that is set, and not empty, stays as it is.

    Paths are seen from the file's folder. Raises QavizError with every problem of the file.
    """
    content = _flatten(_parse(file))
    unknown = content.keys() - _SETTINGS.keys()
    problems = [_problem(f"{file.name} {name}", "no such setting", ", ".join(_SETTINGS)) for name in unknown]
    settings = dict(environment)
    for name, (variable, kind, expected) in _SETTINGS.items():
        if name not in content:
            continue
        value = _read(kind, content[name], file.absolute().parent)
        if value is None:
            # What a URL says may be a secret.
            words = "something else" if name.endswith("_url") else f"{content[name]!r}"[:80]
            problems.append(_problem(f"{file.name} {name}", words, expected))
        elif not environment.get(variable):
            settings[variable] = value
    problems += _find_misfits(settings)
    if problems:
        raise QavizError(*problems)
    return settings


def _parse(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        wrong = str(error) if isinstance(error, tomllib.TOMLDecodeError) else f"no text ({type(error).__name__})"
        raise QavizError(_problem(str(file), wrong, "a TOML file of settings")) from None


def _flatten(content: dict[str, object]) -> dict[str, object]:
    """The settings by their names, those of a table under `table.name`."""
    tables = {name: part for name, part in content.items() if isinstance(part, dict)}
    parts = {f"{name}.{inner}": value for name, part in tables.items() for inner, value in part.items()}
    return {name: value for name, value in content.items() if name not in tables} | parts


def _find_misfits(settings: Mapping[str, str]) -> Iterator[Problem]:
    """Yield what is wrong with settings together, or with a file that they name."""
    checks: list[Callable[[], object]] = [lambda: identity.sign_in_settings(settings)]
    if file := settings.get(PIPELINES_VARIABLE):
        checks.append(lambda: read_pipelines(Path(file)))
    for check in checks:
        try:
            check()
        except QavizError as error:
            yield from error.problems


def _problem(where: str, fault: str, expected: str) -> Problem:
    return Problem(where=where, found=fault, expected=expected, fix="See docs/team.md, Settings in a file.")
