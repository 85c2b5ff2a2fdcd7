"""One pipeline: what it is, how it is asked, and the flag `NAME=SPEC` or the entry of a TOML file that says so."""

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

from qaviz.llm.providers import is_address
from qaviz.llm.requests import hash_of
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.pipelines.answers import JsonObject, Paths, compile_path

Kind = Literal["http", "python", "command", "openai", "bedrock", "function"]
DEFAULT_PROMPT = "Answer the question in one or two sentences. Say so if you do not know.\n\nQuestion: {{question}}"
_CALLABLE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_METHODS = ("GET", "POST", "PUT")


@dataclass(frozen=True, kw_only=True)
class Pipeline:
    """A pipeline and how it is asked."""

    name: str
    kind: Kind
    target: str
    """The address, the callable, the command line or the model's name."""
    call: Callable[[str], Any] | None = None
    """Of a function of this process: what answers a question."""
    folder: Path = field(default_factory=Path.cwd)
    """Where a command runs and a callable is looked for first."""
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict)
    """`${NAME}` in a value stands for that environment variable."""
    body: object = None
    """Template of a JSON body: `{{question}}` and `{{question_id}}` in its texts. None: both under their names."""
    paths: Paths = field(default_factory=Paths)
    prompt: str = DEFAULT_PROMPT
    """What a model is asked, with `{{question}}`."""
    in_flight: int | None = None
    requests_per_minute: float | None = None
    timeout_s: float | None = None

    @property
    def fingerprint(self) -> str:
        """Hash of everything that the answers depend on; no secret goes into it."""
        paths = [path and path.expression for path in (self.paths.response, self.paths.contexts, self.paths.cost)]
        content = [self.name, self.kind, self.target, self.method, sorted(self.headers.items()), self.body]
        return hash_of([*content, *paths, self.prompt])


def check_pipeline(pipeline: Pipeline) -> Pipeline:
    """The pipeline. Raises QavizError where its target or method cannot be used."""
    where = f"pipeline {pipeline.name}"
    if pipeline.kind == "http" and not is_address(pipeline.target):
        expected = "http(s)://host[:port]/path without user name and password"
        fix = "Name secrets in headers of @pipelines.toml, as ${NAME} of an environment variable."
        raise stop(where, "an address that cannot be used", expected, fix)
    if pipeline.kind == "python" and not _CALLABLE.fullmatch(pipeline.target):
        expected = "python:package.module:function"
        raise stop(where, repr(pipeline.target), expected, "Name the module, a colon, the function.")
    if pipeline.method not in _METHODS:
        raise stop(where, repr(pipeline.method), ", ".join(_METHODS), "Use one of them.")
    return pipeline


PIPELINES_VARIABLE = "QAVIZ_PIPELINES"
"""Names the TOML file of the pipelines that the pages may ask: whoever starts the server sets it, no visitor can."""
FORMS = (
    "http(s)://..., python:package.module:function, command:./program, openai:MODEL, bedrock:MODEL, or @pipelines.toml"
)
_PREFIXED = re.compile(r"(?P<kind>python|command|openai|bedrock):(?P<target>\S.*)", re.DOTALL)
_TEXTS = ("method", "response", "contexts", "cost", "prompt")
_NUMBERS = ("in_flight", "requests_per_minute", "timeout_s")
_TARGETS = ("url", "python", "command", "openai", "bedrock")
_FIELDS = (*_TARGETS, "headers", "body", *_TEXTS, *_NUMBERS)


def parse_pipelines(texts: Sequence[str]) -> list[Pipeline]:
    """The pipelines that `NAME=SPEC`, `NAME=@FILE` and `@FILE` name. Raises QavizError with every problem."""
    pipelines, problems = list[Pipeline](), list[Problem]()
    for text in texts:
        try:
            pipelines += _parse(text)
        except QavizError as error:
            problems += error.problems
    names = [pipeline.name for pipeline in pipelines]
    problems += [
        _problem(name, "the name twice", "a name of its own for each pipeline", "Rename one.")
        for name in dict.fromkeys(names)
        if names.count(name) > 1
    ]
    if problems:
        raise QavizError(*problems)
    return pipelines


def is_spec(text: str) -> bool:
    """Whether a text has the form of SPEC, or of NAME=SPEC."""
    forms = text.startswith(("http://", "https://", "@")) or bool(_PREFIXED.fullmatch(text))
    return forms or ("=" in text and is_spec(text.partition("=")[2]))


def _parse(text: str) -> list[Pipeline]:
    if text.startswith("@"):
        return list(read_pipelines(Path(text[1:])).values())
    name, equals, spec = text.partition("=")
    name = name.strip()
    if not equals or not name or "://" in name or _PREFIXED.match(name):
        raise stop("--pipeline", "no name", f"NAME=SPEC, where SPEC is {FORMS}", "Write NAME=SPEC.")
    if len(name) > 200 or not name.isprintable():
        raise stop("--pipeline", "a name that cannot be shown", "at most 200 letters", "Shorten it.")
    if spec.startswith("@"):
        entries = read_pipelines(Path(spec[1:]))
        if name not in entries:
            raise stop(spec[1:], f"no pipeline {name}", ", ".join(entries), "Name one of them.")
        return [entries[name]]
    return [_from_spec(name, spec.strip())]


def _from_spec(name: str, spec: str) -> Pipeline:
    if spec.startswith(("http://", "https://")):
        return check_pipeline(Pipeline(name=name, kind="http", target=spec))
    match = _PREFIXED.fullmatch(spec)
    if not match:
        # Not the text: it may be an address with a password that lacks its scheme.
        raise stop(f"pipeline {name}", "no pipeline", FORMS, "Write it in one of these forms.")
    target = match["target"].strip()
    return check_pipeline(Pipeline(name=name, kind=cast(Kind, match["kind"]), target=target))


def allowed_pipelines() -> dict[str, Pipeline]:
    """The pipelines that PIPELINES_VARIABLE allows the pages to ask, by name; none where it is not set.

    Raises QavizError as `read_pipelines`.
    """
    file = os.environ.get(PIPELINES_VARIABLE)
    return read_pipelines(Path(file)) if file else {}


def read_pipelines(file: Path) -> dict[str, Pipeline]:
    """The pipelines of a TOML file, a table `[pipelines.NAME]` each, by name. Raises QavizError with every problem."""
    try:
        entries = tomllib.loads(file.read_text(encoding="utf-8")).get("pipelines")
    except (OSError, ValueError) as error:
        words = getattr(error, "strerror", None) or str(error)
        raise stop(file.name, words, "a TOML file of pipelines", "See docs/pipelines.md.") from error
    if not isinstance(entries, dict) or not entries:
        raise stop(file.name, "no pipeline", "tables [pipelines.NAME]", "See docs/pipelines.md.")
    pipelines, problems = dict[str, Pipeline](), list[Problem]()
    for name, entry in entries.items():
        try:
            pipelines[name] = _from_entry(name, entry, file)
        except QavizError as error:
            problems += error.problems
    if problems:
        raise QavizError(*problems)
    return pipelines


def _from_entry(name: str, entry: object, file: Path) -> Pipeline:
    where = f"{file.name} [pipelines.{name}]"
    if not isinstance(entry, dict):
        raise stop(where, "no table", "a table", "See docs/pipelines.md.")
    if problems := list(_check_entry(entry, where)):
        raise QavizError(*problems)
    word = next(target for target in _TARGETS if target in entry)
    try:
        paths = Paths(**{part: compile_path(entry[part]) for part in ("response", "contexts", "cost") if part in entry})
        # Filled as JSON, so that a question's quotes and line breaks stay a text.
        body = json.loads(entry["body"]) if isinstance(entry.get("body"), str) else entry.get("body")
    except ValueError as error:
        raise stop(where, str(error), "JMESPath expressions, and a body of JSON", "Mend it.") from error
    options = {option_name: entry[option_name] for option_name in ("headers", *_NUMBERS) if option_name in entry}
    return check_pipeline(
        Pipeline(
            name=name,
            kind="http" if word == "url" else cast(Kind, word),
            target=entry[word],
            folder=file.resolve().parent,
            method=str(entry.get("method", "POST")).upper(),
            body=body,
            paths=paths,
            prompt=entry.get("prompt", DEFAULT_PROMPT),
            **options,
        )
    )


def _check_entry(entry: JsonObject, where: str) -> Iterator[Problem]:
    fix = "See docs/pipelines.md."
    for name in entry:
        if name not in _FIELDS:
            yield _problem(where, f'the field "{name}"', ", ".join(_FIELDS), fix)
    targets = [name for name in _TARGETS if name in entry]
    if len(targets) != 1 or not isinstance(entry[targets[0]], str):
        yield _problem(where, ", ".join(targets) or "no target", f"one of {', '.join(_TARGETS)}", fix)
    for name in _TEXTS:
        if name in entry and not isinstance(entry[name], str):
            yield _problem(f"{where} {name}", type(entry[name]).__name__, "a text", fix)
    for name in _NUMBERS:
        value = entry.get(name, 1)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e9:
            yield _problem(f"{where} {name}", repr(value), "a number above 0", fix)
    headers = entry.get("headers", {})
    if not isinstance(headers, dict) or not all(isinstance(value, str) for value in headers.values()):
        yield _problem(f"{where} headers", "no texts", 'Name = "value"', fix)


def _problem(where: str, found: str, expected: str, fix: str) -> Problem:
    return Problem(where=where, found=found, expected=expected, fix=fix)
