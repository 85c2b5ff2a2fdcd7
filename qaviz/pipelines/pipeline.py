"""One pipeline: what it is, how it is asked, and the flag `NAME=SPEC` or the entry of a TOML file that says so."""

import json
import os
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import jmespath
from jmespath.exceptions import JMESPathError
from pydantic import AfterValidator, BaseModel, Field, ValidationError, model_validator

from qaviz.llm.providers import is_address
from qaviz.llm.requests import hash_of
from qaviz.model.errors import Problem, QavizError, stop, stop_at_fields

Kind = Literal["http", "python", "command", "openai", "bedrock", "function"]
DEFAULT_PROMPT = "Answer the question in one or two sentences. Say so if you do not know.\n\nQuestion: {{question}}"
_CALLABLE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


def _check_path(text: str) -> str:
    try:
        jmespath.compile(text)
    except JMESPathError as error:
        raise ValueError("a JMESPath expression") from error
    return text


def _read_body(body: object) -> object:
    """A text is JSON, and filled as such: a question's quotes and line breaks stay a text."""
    return json.loads(body) if isinstance(body, str) else body


_Path = Annotated[str, AfterValidator(_check_path)]
_Number = Annotated[float, Field(gt=0, lt=1e9)]


class Pipeline(BaseModel, frozen=True, extra="forbid", strict=True):
    """A pipeline and how it is asked: the fields from `headers` on are those of its entry in a file, too."""

    name: str
    kind: Kind
    target: str
    """The address, the callable, the command line or the model's name."""
    call: Callable[[str], Any] | None = None
    """Of a function of this process: what answers a question."""
    folder: Path = Field(default_factory=Path.cwd)
    """Where a command runs and a callable is looked for first."""
    headers: dict[str, str] = {}
    """`${NAME}` in a value stands for that environment variable."""
    body: Annotated[Any, AfterValidator(_read_body)] = None
    """Template of a JSON body: `{{question}}` and `{{question_id}}` in its texts. None: both under their names."""
    response: _Path | None = None
    """JMESPath to a part of the answer, as the next two; None: by its usual names."""
    contexts: _Path | None = None
    cost: _Path | None = None
    prompt: str = DEFAULT_PROMPT
    """What a model is asked, with `{{question}}`."""
    in_flight: Annotated[int, Field(gt=0)] | None = None
    requests_per_minute: _Number | None = None
    timeout_s: _Number | None = None

    @model_validator(mode="after")
    def _check_target(self) -> Self:
        if self.kind == "http" and ("{{" in self.target or not is_address(self.target)):
            raise ValueError(
                "http(s)://host[:port]/path; user name and password go into headers, {{question}} into body"
            )
        if self.kind == "python" and not _CALLABLE.fullmatch(self.target):
            raise ValueError("python:package.module:function")
        return self

    @property
    def fingerprint(self) -> str:
        """Hash of everything that the answers depend on; no secret goes into it."""
        # The method: the hashes are those of answers that were kept when an entry could name another one.
        content = [self.name, self.kind, self.target, "POST", sorted(self.headers.items()), self.body]
        return hash_of([*content, self.response, self.contexts, self.cost, self.prompt])


def _build(where: str, fields: Mapping[str, object]) -> Pipeline:
    """The pipeline. Raises QavizError with all that will not do, as `stop_at_fields`."""
    try:
        return Pipeline.model_validate(fields)
    except ValidationError as error:
        raise stop_at_fields(where, error, _HELP, has_secrets=True) from None


PIPELINES_VARIABLE = "QAVIZ_PIPELINES"
"""Names the TOML file of the pipelines that the pages may ask: whoever starts the server sets it, no visitor can."""
_PROGRAMS = "python:package.module:function, command:./program"
FORMS = f"http(s)://..., {_PROGRAMS}, openai:MODEL, bedrock:MODEL, or @pipelines.toml"
_PREFIXED = re.compile(r"(python|command|openai|bedrock):\S.*", re.DOTALL)
_TARGETS = ("url", "python", "command", "openai", "bedrock")
_OF_ENTRY = tuple(Pipeline.model_fields)[tuple(Pipeline.model_fields).index("headers") :]
_HELP = "See docs/pipelines.md."


def parse_pipelines(texts: Sequence[str]) -> list[Pipeline]:
    """The pipelines that `NAME=SPEC`, `NAME=@FILE` and `@FILE` name. Raises QavizError with every problem."""
    pipelines, problems = list[Pipeline](), list[Problem]()
    for text in texts:
        try:
            pipelines += _parse(text)
        except QavizError as error:
            problems += error.problems
    for name, count in Counter(pipeline.name for pipeline in pipelines).items():
        if count > 1:
            expected = "a name of its own for each pipeline"
            problems.append(Problem(where=name, found="the name twice", expected=expected, fix="Rename one."))
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
    spec = spec.strip()
    kind, _, target = ("http", "", spec) if spec.startswith(("http://", "https://")) else spec.partition(":")
    if kind != "http" and not _PREFIXED.fullmatch(spec):
        # Not the text: it may be an address with a password that lacks its scheme.
        raise stop(f"pipeline {name}", "no pipeline", FORMS, "Write it in one of these forms.")
    return [_build(f"pipeline {name}", {"name": name, "kind": kind, "target": target.strip()})]


def allowed_pipelines() -> dict[str, Pipeline]:
    """`read_pipelines` of what PIPELINES_VARIABLE allows the pages to ask; none where it is not set."""
    file = os.environ.get(PIPELINES_VARIABLE)
    return read_pipelines(Path(file)) if file else {}


def read_pipelines(file: Path) -> dict[str, Pipeline]:
    """The pipelines of a TOML file, a table `[pipelines.NAME]` each, by name. Raises QavizError with every problem."""
    try:
        entries = tomllib.loads(file.read_text(encoding="utf-8")).get("pipelines")
    except (OSError, ValueError) as error:
        words = getattr(error, "strerror", None) or str(error)
        raise stop(file.name, words, "a TOML file of pipelines", _HELP) from error
    if not isinstance(entries, dict) or not entries:
        raise stop(file.name, "no pipeline", "tables [pipelines.NAME]", _HELP)
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
        raise stop(where, "no table", "a table", _HELP)
    targets = [word for word in _TARGETS if word in entry]
    if len(targets) != 1:
        raise stop(where, ", ".join(targets) or "no target", f"one of {', '.join(_TARGETS)}", _HELP)
    if unknown := entry.keys() - {*targets, *_OF_ENTRY}:
        raise stop(where, f"the field {min(unknown)}", ", ".join((*_TARGETS, *_OF_ENTRY)), _HELP)
    kind, target = targets[0].replace("url", "http"), entry.pop(targets[0])
    return _build(where, {"name": name, "kind": kind, "target": target, "folder": file.resolve().parent} | entry)
