"""promptfoo's own configuration: its HTTP and Python providers as pipelines, as they stand in the YAML file."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from qaviz.model.errors import QavizError, stop
from qaviz.pipelines.answers import JsonObject, Paths, compile_path
from qaviz.pipelines.pipeline import Pipeline, check_pipeline

_VARIABLE = re.compile(r"\{\{-?\s*(?!env\.)(\w+)\s*-?\}\}")
_ENVIRONMENT = re.compile(r"\{\{-?\s*env\.(\w+)\s*-?\}\}")
_PROMPT = re.compile(r"\{\{-?\s*prompt\s*(\|\s*\w+\s*)?-?\}\}")
_PATH = re.compile(r"json((?:\??\.\w+|(?:\?\.)?\[\d+\])+)")
"""The JavaScript that only names a place in the answer."""
_PYTHON = re.compile(r"(?:file://|python:)?(?P<path>[^:]+\.py)(?::(?P<name>\w+))?")
_NOT_READ = ("request", "transformRequest", "validateStatus", "tls", "auth", "session")
"""Options of the HTTP provider that would change what is asked or heard, and are not read."""


def read_promptfoo(path: Path, name: str) -> Pipeline:
    """The provider of a configuration file as the pipeline `name`: `FILE` with one provider, or `FILE#LABEL`.

    Raises QavizError where the file cannot be read, or the provider is another one or needs JavaScript.
    """
    place, _, label = str(path).partition("#")
    file = Path(place)
    said = _load(file)
    providers = dict(_list_providers(said))
    if label not in providers and (label or len(providers) != 1):
        expected = ", ".join(providers) or "providers of the kinds http, https or file://provider.py"
        raise _problem(file.name, f"no provider {label}" if label else f"{len(providers)} providers", expected)
    entry = providers[label] if label else next(iter(providers.values()))
    return _read_provider(file, name, entry, _find_prompt(said))


def _load(file: Path) -> JsonObject:
    try:
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".json":
            said = json.loads(text)
        else:
            import yaml  # optional: only those who have promptfoo's files need it

            try:
                said = yaml.safe_load(text)
            except yaml.YAMLError as error:
                raise ValueError from error
    except ImportError:
        raise _problem(file.name, "PyYAML is not installed", "PyYAML, which reads YAML: pip install PyYAML") from None
    except (OSError, ValueError, RecursionError) as error:
        raise _problem(file.name, type(error).__name__, "a promptfoo configuration that can be read") from error
    if not isinstance(said, dict):
        raise _problem(file.name, type(said).__name__, "a promptfoo configuration")
    return said


def _list_providers(said: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Each provider by its label, else its id."""
    given = said.get("providers") or said.get("targets") or []
    for each in given if isinstance(given, list) else [given]:
        entry = {"id": each} if isinstance(each, str) else each
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            yield str(entry.get("label") or entry["id"]), entry


def _find_prompt(said: JsonObject) -> str:
    """The first prompt, where it is a text with a variable, with `{{question}}` for the variable; else the question."""
    prompts = said.get("prompts")
    first = prompts[0] if isinstance(prompts, list) and prompts else prompts
    text = first.get("raw", "") if isinstance(first, dict) else first
    if not isinstance(text, str) or not _VARIABLE.search(text) or text.startswith("file://"):
        return "{{question}}"
    return _VARIABLE.sub("{{question}}", text)


def _read_provider(file: Path, name: str, entry: JsonObject, prompt: str) -> Pipeline:
    config = entry.get("config") or {}
    python = _PYTHON.fullmatch(entry["id"])
    if python:
        target = f"{python['path']}:{python['name'] or 'call_api'}"
        body = {"id": entry["id"], "config": config, "prompt": prompt}
        return Pipeline(name=name, kind="promptfoo", target=target, folder=file.resolve().parent, body=body)
    if entry["id"] in ("http", "https") or entry["id"].startswith(("http://", "https://")):
        return _read_http(file, name, entry["id"], config, prompt)
    raise _problem(file.name, f"the provider {entry['id'][:80]}", "http, https or file://provider.py")


def _read_http(file: Path, name: str, identity: str, config: JsonObject, prompt: str) -> Pipeline:
    unread = [each for each in _NOT_READ if each in config]
    if unread:
        raise _problem(f"{file.name} {identity}", ", ".join(unread), "url, method, headers, queryParams, body")
    url = _PROMPT.sub(quote(prompt, safe="{}"), str(config.get("url", identity)))
    if isinstance(query := config.get("queryParams"), dict):
        # A placeholder is filled, and quoted, when the question is asked.
        asked = {key: _PROMPT.sub(prompt, str(value)) for key, value in query.items()}
        url += ("&" if "?" in url else "?") + urlencode(asked, safe="{}")
    body = _fill(config.get("body"), prompt)
    headers = {key: _ENVIRONMENT.sub(r"${\1}", str(value)) for key, value in (config.get("headers") or {}).items()}
    method = str(config.get("method") or ("POST" if body is not None else "GET")).upper()
    paths = Paths(response=_read_path(file, config))
    return check_pipeline(
        Pipeline(name=name, kind="http", target=url, method=method, headers=headers, body=body, paths=paths)
    )


def _read_path(file: Path, config: JsonObject) -> Any:  # noqa: ANN401 (jmespath ships no types)
    script = config.get("transformResponse") or config.get("responseParser")
    if script is None or script == "text":
        return None
    found = _PATH.fullmatch(str(script).strip())
    if not found:
        expected = "a path such as json.choices[0].message.content: JavaScript is not run"
        raise _problem(f"{file.name} transformResponse", repr(script)[:80], expected)
    return compile_path(found[1].replace("?.[", "[").replace("?", "").lstrip("."))


def _fill(template: object, prompt: str) -> object:
    """A body with the prompt in its texts: as JSON where it is JSON."""
    if isinstance(template, str):
        try:
            return _fill(json.loads(template), prompt)
        except ValueError:
            return _PROMPT.sub(lambda _: prompt, template)
    if isinstance(template, dict):
        return {key: _fill_text(value, prompt) for key, value in template.items()}
    return _fill_text(template, prompt)


def _fill_text(value: object, prompt: str) -> object:
    if isinstance(value, str):
        return _PROMPT.sub(lambda _: prompt, value)
    if isinstance(value, dict):
        return {key: _fill_text(each, prompt) for key, each in value.items()}
    return [_fill_text(each, prompt) for each in value] if isinstance(value, list) else value


def _problem(where: str, found: str, expected: str) -> QavizError:
    return stop(where, found, expected, "See docs/pipelines.md.")
