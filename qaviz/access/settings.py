"""The settings of a server in one TOML file, checked as a whole; a variable of the environment wins over the file.

docs/team.md has an example with every setting.
"""

import ipaddress
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from qaviz.access import HIGHEST_PORT, METRICS_VARIABLE, PROXIES_VARIABLE
from qaviz.access.identity import (
    HEADER_VARIABLE,
    SECRET_VARIABLE,
    SIGN_IN_VARIABLE,
    WAY_OUT_VARIABLE,
    Source,
    sign_in_settings,
)
from qaviz.llm.session import PRICES_VARIABLE
from qaviz.model.errors import Problem, QavizError
from qaviz.model.records import WORKSPACE_VARIABLE
from qaviz.pipelines.pipeline import PIPELINES_VARIABLE, read_pipelines
from qaviz.scoring.language_models import MODELS_VARIABLE
from qaviz.store.postgresql import DATABASE_VARIABLE

Read = Callable[[object, Path], str | None]
"""From what the file says, and the file's folder, to the variable's value; None if it will not do."""


def _read_text(value: object, _folder: Path) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _read_folder(value: object, folder: Path) -> str | None:
    text = _read_text(value, folder)
    return text and str(folder / text)


def _read_file(value: object, folder: Path) -> str | None:
    path = _read_folder(value, folder)
    return path if path and Path(path).is_file() else None


def _read_port(value: object, _folder: Path) -> str | None:
    return str(value) if type(value) is int and 1 <= value <= HIGHEST_PORT else None


def _read_source(value: object, _folder: Path) -> str | None:
    # The last two are gone: `sign_in_settings` says what to do.
    return value if isinstance(value, str) and value in (*Source, "accounts", "oidc") else None


def _read_networks(value: object, _folder: Path) -> str | None:
    try:
        return (
            ",".join(str(ipaddress.ip_network(network)) for network in value)
            if isinstance(value, list) and value
            else None
        )
    except ValueError:
        return None


_SETTINGS: Mapping[str, tuple[str, Read, str]] = {
    "workspace": (WORKSPACE_VARIABLE, _read_folder, "a folder"),
    "database_url": (DATABASE_VARIABLE, _read_text, "the URL of a PostgreSQL database"),
    "pipelines": (PIPELINES_VARIABLE, _read_file, "a file that is there"),
    "prices": (PRICES_VARIABLE, _read_file, "a file that is there"),
    "models": (MODELS_VARIABLE, _read_folder, "a folder"),
    "metrics_port": (METRICS_VARIABLE, _read_port, f"a whole number from 1 to {HIGHEST_PORT:,}"),
    "sign_in.source": (SIGN_IN_VARIABLE, _read_source, ", ".join(Source)),
    "sign_in.header": (HEADER_VARIABLE, _read_text, "the name of a header"),
    "sign_in.secret_file": (SECRET_VARIABLE, _read_file, "a file that is there"),
    "sign_in.sign_out": (WAY_OUT_VARIABLE, _read_text, "a path of the proxy"),
    "sign_in.proxies": (PROXIES_VARIABLE, _read_networks, "a list of addresses and networks, such as 10.1.0.0/16"),
}
"""By its name in the file: the variable that it stands for, how it is read, and what is expected."""


def read_settings(file: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """The environment with what the file adds: a variable that is set, and not empty, stays as it is.

    Paths are seen from the file's folder. Raises QavizError with every problem of the file.
    """
    content = _flatten(_parse(file))
    unknown = content.keys() - _SETTINGS.keys()
    problems = [_problem(f"{file.name} {name}", "no such setting", ", ".join(_SETTINGS)) for name in unknown]
    settings = dict(environment)
    for name, (variable, read, expected) in _SETTINGS.items():
        if name not in content:
            continue
        value = read(content[name], file.absolute().parent)
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
    flat: dict[str, object] = {}
    for name, value in content.items():
        flat |= (
            {f"{name}.{part_name}": part for part_name, part in value.items()}
            if isinstance(value, dict)
            else {name: value}
        )
    return flat


def _find_misfits(settings: Mapping[str, str]) -> Iterator[Problem]:
    """Yield what is wrong with settings together, or with a file that they name."""
    for check in (sign_in_settings, _check_pipelines):
        try:
            check(settings)
        except QavizError as error:
            yield from error.problems


def _check_pipelines(settings: Mapping[str, str]) -> None:
    if settings.get(PIPELINES_VARIABLE):
        read_pipelines(Path(settings[PIPELINES_VARIABLE]))


def _problem(where: str, found: str, expected: str) -> Problem:
    return Problem(where=where, found=found, expected=expected, fix="See docs/team.md, Settings in a file.")
