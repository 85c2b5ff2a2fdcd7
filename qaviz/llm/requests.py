"""What is asked of a model, and the hash by which it is known again."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from qaviz.model.errors import Problem, QavizError

PROVIDERS = ("openai", "bedrock")
_KEY_VERSION = 1
_SPEC = re.compile(r"(?P<provider>[a-z]+):(?P<name>[^\s\x00-\x1f]{1,200})")


@dataclass(frozen=True, kw_only=True)
class ModelSpec:
    """A model and who serves it: `openai:NAME` (any OpenAI-compatible server) or `bedrock:NAME`."""

    provider: str
    name: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}"


def parse_model(text: str) -> ModelSpec:
    """Read `openai:NAME` or `bedrock:NAME`. Raises QavizError if it is neither."""
    found = _SPEC.fullmatch(text.strip())
    if not found or found["provider"] not in PROVIDERS:
        raise QavizError(
            Problem(
                where="model",
                found=repr(text),
                expected="openai:NAME for an OpenAI-compatible server, or bedrock:NAME",
                fix="Write the provider, a colon and the model's name, such as openai:gpt-4o-mini.",
            )
        )
    return ModelSpec(provider=found["provider"], name=found["name"])


def hash_of(said: Any) -> str:  # noqa: ANN401 (anything that JSON can hold)
    """SHA-256 of something that JSON can hold, in hexadecimal. The order of keys counts."""
    return hashlib.sha256(json.dumps(said, ensure_ascii=True).encode()).hexdigest()


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A function that the model is told to call: its arguments are the reply."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON schema of an object; the order of its properties is the order in which they are asked for."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """One call of a model. Which model it is asked of stands in the session's settings."""

    prompt: str
    """The user's message. Text from files goes in through a fence (see `fence_texts`)."""
    system: str = ""
    temperature: float = 0.1
    max_tokens: int = 1024
    """The most that the reply may have."""
    seed: int | None = None
    tool: Tool | None = None
    """Asked as one function call. The reply's text is its arguments as JSON, or what the model wrote instead."""
    repeat: int = 0
    """Which time the same is asked: 0, 1, 2, ... are different requests."""

    def key(self, model: str) -> str:
        """SHA-256, in hexadecimal, of the model and all of the request: the same question has the same key."""
        return hashlib.sha256(f"{model}\n{self._canonical}".encode(errors="surrogatepass")).hexdigest()

    @cached_property
    def _canonical(self) -> str:
        said = {
            "version": _KEY_VERSION,
            "system": self.system,
            "prompt": self.prompt,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
            "repeat": self.repeat,
            # Not sorted: the order of a schema's properties is the order of the reply.
            "tool": [self.tool.name, self.tool.description, self.tool.parameters] if self.tool else None,
        }
        return json.dumps(said, ensure_ascii=True)

    @property
    def size(self) -> int:
        """How much the model reads, in bytes of UTF-8, without the provider's own frame."""
        tool = json.dumps(self.tool.parameters) + self.tool.description if self.tool else ""
        return sum(len(text.encode(errors="replace")) for text in (self.system, self.prompt, tool))
