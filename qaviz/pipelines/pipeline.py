"""One pipeline: what it is, and how it is asked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from qaviz.llm.requests import hash_of
from qaviz.model.errors import stop
from qaviz.pipelines.answers import Paths

Kind = Literal["http", "python", "command", "openai", "bedrock", "bedrock-kb"]
DEFAULT_PROMPT = "Answer the question in one or two sentences. Say so if you do not know.\n\nQuestion: {{question}}"
_CALLABLE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_KNOWLEDGE_BASE = re.compile(r"[0-9A-Za-z]{1,10}/[\x21-\x7e]{1,2048}")
_METHODS = ("GET", "POST", "PUT")


@dataclass(frozen=True, kw_only=True)
class Pipeline:
    """A pipeline and how it is asked."""

    name: str
    kind: Kind
    target: str
    """The address, the callable, the command line or the model's name."""
    folder: Path = field(default_factory=Path.cwd)
    """Where a command runs and a callable is looked for first."""
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict)
    """`${NAME}` in a value stands for that environment variable."""
    body: object = None
    """Template of the body: `{{question}}` and `{{question_id}}` in its texts. None: both as JSON."""
    paths: Paths = field(default_factory=Paths)
    prompt: str = DEFAULT_PROMPT
    """What a model is asked: `{{question}}`, and `{{contexts}}` for the passages of the question."""
    passages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The contexts that a model is given, by question_id."""
    mode: str = "auto"
    """Of a command: one process that reads line after line (`stream`), one process a question (`each`), or `auto`: one
    process, which gets all questions at once where it answers none while it waits for more."""
    in_flight: int | None = None
    requests_per_minute: float | None = None
    timeout_s: float | None = None

    @property
    def fingerprint(self) -> str:
        """Hash of everything that the answers depend on; no secret goes into it."""
        paths = [path and path.expression for path in (self.paths.response, self.paths.contexts, self.paths.cost)]
        content = [self.name, self.kind, self.target, self.method, sorted(self.headers.items()), self.body, *paths]
        return hash_of([*content, self.prompt, self.mode, sorted(self.passages.items())])


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
    if pipeline.kind == "bedrock-kb" and not _KNOWLEDGE_BASE.fullmatch(pipeline.target):
        expected = "bedrock-kb:KNOWLEDGE_BASE_ID/MODEL_ARN"
        raise stop(where, repr(pipeline.target), expected, "Copy both from the console of Bedrock.")
    if pipeline.method not in _METHODS:
        raise stop(where, repr(pipeline.method), ", ".join(_METHODS), "Use one of them.")
    return pipeline


def is_address(url: str) -> bool:
    """Whether this is an address of a web server, without a user name and a password."""
    try:
        parts = urlsplit(url)
        return (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and not (parts.username or parts.password)
            and parts.port != 0
        )
    except ValueError:
        return False
