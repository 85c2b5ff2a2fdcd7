"""How triplets are asked for: the settings, read from a TOML file or given, and the request for each chunk."""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import polars as pl
from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator

from qaviz.documents import Chunking
from qaviz.generation.passages import PHRASES
from qaviz.generation.refute import FACT, QUESTION_TYPES
from qaviz.llm import Request, fence_texts
from qaviz.model.errors import stop, stop_at_fields

LONGEST_PROMPT = 50_000
_FIX = "Mend it there (docs/generation.md)."


class _Settings(BaseModel, extra="forbid", strict=True, frozen=True):
    pass


class Example(_Settings, frozen=True):
    """A triplet as the model should write it."""

    type: str = FACT
    question: str
    answer: str
    fact: str


class Prompt(_Settings, frozen=True):
    """How triplets are asked for."""

    template: Annotated[str, Field(pattern=r"\S", max_length=LONGEST_PROMPT)] = (
        Path(__file__).with_name("prompt.txt").read_text("utf-8")
    )
    """The text of the prompt, with {per_chunk}, {types}, {variants}, {language}, {style} and {examples}."""
    types: Annotated[tuple[str, ...], Field(min_length=1, strict=False)] = (FACT,)
    mix: dict[str, Annotated[float, Field(gt=0, le=1)]] = {}
    """Share of the triplets asked for by type, 1 in all; empty: `types`, as the model likes."""
    per_chunk: Annotated[int, Field(ge=1, le=50)] = 5
    """Most triplets of a chunk that are asked for."""
    language: str | None = None
    """In which questions and answers are to be written (`German`); None: the passage's."""
    persona: str = ""
    """Who asks: `a new employee`."""
    style: str = ""
    """A sentence on how to write: tone, brand words."""
    examples: Annotated[tuple[Example, ...], Field(strict=False)] = tuple(
        Example(**text) for text in PHRASES["examples"]
    )

    @field_validator("types", "mix")
    @classmethod
    def _know_types(cls, value: Any) -> Any:  # noqa: ANN401 - a tuple or a dictionary
        if unknown := [name for name in value if name not in QUESTION_TYPES]:
            raise ValueError(f"some of {', '.join(QUESTION_TYPES)}, not {', '.join(unknown)}")
        return value

    @model_validator(mode="after")
    def _share_all(self) -> "Prompt":
        if self.mix and abs(sum(self.mix.values()) - 1) > 0.005:  # thirds are written as 33%
            raise ValueError("shares of the mix that are 1 in all")
        return self

    @property
    def text(self) -> str:
        """The prompt with everything filled in."""
        persona = f"Write the questions as {self.persona.strip()} would ask them." if self.persona.strip() else ""
        fields = {
            "per_chunk": str(self.per_chunk),
            "types": "; ".join(
                f"{f'{self.mix[name]:.0%} ' if self.mix else ''}{name} ({QUESTION_TYPES[name]})"
                for name in (self.mix or self.types)
            ),
            "variants": "$1.2 billion<OR>1,200 million, 3 May 2024<OR>2024-05-03, four<OR>4",
            "language": f"Write in {self.language}.\n" if self.language else "Write in the language of the passage.\n",
            "style": "".join(f"{text}\n" for text in (persona, self.style.strip()) if text),
            "examples": "\n".join(json.dumps(example.model_dump(), ensure_ascii=False) for example in self.examples),
        }
        text = self.template
        for name, content in fields.items():
            text = text.replace(f"{{{name}}}", content)
        return text

    @property
    def hash(self) -> str:
        """The first 8 bytes of the SHA-256 of the filled-in prompt, in hexadecimal: its version."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


class Generation(BaseModel, extra="forbid", frozen=True):
    """What is generated from documents, and how."""

    chunking: Chunking = Field(default_factory=Chunking)
    prompt: Prompt = Field(default_factory=Prompt)
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.1
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000, strict=True)] = 1_500
    """Most tokens of a reply."""
    review: Annotated[float, Field(ge=0, le=1)] = 0.2
    """Share of the accepted triplets that is flagged for review."""
    seed: int = 0
    """With the triplets' ids it decides which triplets are flagged."""


def read_generation(path: Path | None) -> Generation:
    """Read a TOML file (docs/generation.md); qaviz's own settings without one. QavizError names all its problems. A
    prompt's file is looked for beside the TOML file."""
    if path is None:
        return Generation()
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise stop(path.name, str(error), "a TOML file", _FIX) from None
    fields = {name: content.pop(section, {}) for section, name in (("chunks", "chunking"), ("prompt", "prompt"))}
    if isinstance(fields["prompt"], dict) and "file" in fields["prompt"]:
        file = path.parent / str(fields["prompt"].pop("file"))
        try:
            fields["prompt"]["template"] = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise stop(file.name, f"no text that can be read ({error})", "a prompt", _FIX) from None
    for section in ("model", "review"):
        entries = content.pop(section, {})
        fields |= entries if isinstance(entries, dict) else {section: entries}
    if "share" in fields:
        fields["review"] = fields.pop("share")
    return build_generation(fields | content, path.name)


def build_generation(fields: Mapping[str, object], where: str) -> Generation:
    """Generation with these fields. Raises QavizError with everything that will not do."""
    try:
        return Generation.model_validate(dict(fields))
    except ValidationError as error:
        raise stop_at_fields(where, error, _FIX) from None


def change_generation(made: Generation, changes: Mapping[str, object]) -> Generation:
    """The settings with other fields, those of the prompt too, by name. Raises QavizError as `build_generation`."""
    fields = made.model_dump()
    for name, value in changes.items():
        (fields["prompt"] if name in fields["prompt"] else fields)[name] = value
    return build_generation(fields, "generate")


def build_requests(chunks: pl.DataFrame, made: Generation) -> list[Request]:
    """One request a chunk of CHUNKS, in their order. The same chunk and prompt make the same request."""
    requests, prompt = [], made.prompt.text
    for document, heading, text in chunks.select("document", "heading", "text").iter_rows():
        headings = {"headings": heading} if heading else {}
        fence = fence_texts({"document name": document, **headings, "passage": text})
        system = f"{prompt}\n\n{fence.notice}"
        requests.append(
            Request(system=system, prompt=fence.text, temperature=made.temperature, max_tokens=made.max_tokens)
        )
    return requests
