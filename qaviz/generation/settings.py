"""Everything that decides what is generated, from a TOML file, options, or both."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from qaviz.documents import Chunking
from qaviz.generation.prompting import QUESTION_TYPES, Prompt, read_template
from qaviz.model.errors import Problem, QavizError


@dataclass(frozen=True, kw_only=True)
class Generation:
    """What is generated from documents, and how."""

    chunking: Chunking = field(default_factory=Chunking)
    prompt: Prompt = field(default_factory=lambda: Prompt(template=read_template(None)))
    temperature: float = 0.1
    max_tokens: int = 1_500
    """Most tokens of a reply."""
    per_document: int | None = None
    """Most triplets of a document that are accepted, spread over its chunks; None: no limit."""
    review: float = 0.2
    """Share of the accepted triplets that is flagged for review, 0 to 1."""
    seed: int = 0
    """With the triplets' ids it decides which triplets are flagged."""


_FIELDS: Mapping[str, Mapping[str, type | tuple[type, ...]]] = {
    "chunks": {"size": int, "overlap": int, "characters_per_token": (int, float)},
    "prompt": {"file": str, "types": list, "per_chunk": int, "language": str, "style": str, "examples": list},
    "model": {"temperature": (int, float), "max_tokens": int},
    "triplets": {"per_document": int},
    "review": {"share": (int, float), "seed": int},
}
_EXAMPLE = ("type", "question", "answer", "fact")
_MOST_PER_CHUNK = 50


def read_generation(path: Path | None) -> Generation:
    """Read a TOML file (docs/generation.md); qaviz's own settings without one. QavizError names all its problems.

    A prompt's file is looked for beside the TOML file.
    """
    if path is None:
        return Generation()
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise QavizError(_problem(path, str(error), "a TOML file")) from None
    problems = [*_find_unknown(path, content)]
    if problems:
        raise QavizError(*problems)
    chunks, prompt, model, review = (dict(content.get(name, {})) for name in ("chunks", "prompt", "model", "review"))
    template = prompt.pop("file", None)
    changed: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in prompt.items()
    }
    own = Prompt(template=read_template(path.parent / template if template else None))
    made = Generation(
        chunking=Chunking(**chunks),
        prompt=replace(own, **changed),
        per_document=content.get("triplets", {}).get("per_document"),
        review=float(review.get("share", Generation().review)),
        seed=review.get("seed", 0),
    )
    made = replace(made, **model)
    check_generation(made, path.name)
    return made


def check_generation(made: Generation, where: str) -> None:
    """Raise QavizError with everything that will not do."""
    made.chunking.check()
    problems = []
    if unknown := [name for name in made.prompt.types if name not in QUESTION_TYPES]:
        problems.append(("question types", ", ".join(map(str, unknown)), f"some of {', '.join(QUESTION_TYPES)}"))
    if not made.prompt.types:
        problems.append(("question types", "none", f"some of {', '.join(QUESTION_TYPES)}"))
    if not 1 <= made.prompt.per_chunk <= _MOST_PER_CHUNK:
        problems.append(("per_chunk", str(made.prompt.per_chunk), f"1 to {_MOST_PER_CHUNK}"))
    if not 0 <= made.review <= 1:
        problems.append(("share for review", f"{made.review:g}", "0 to 1"))
    if not 0 <= made.temperature <= 2:
        problems.append(("temperature", f"{made.temperature:g}", "0 to 2"))
    if any(
        set(example) - set(_EXAMPLE) or not {"question", "answer", "fact"} <= set(example)
        for example in made.prompt.examples
    ):
        problems.append(("examples", "another form", "tables with question, answer, fact and type"))
    if problems:
        raise QavizError(*(_problem(Path(where), f"{name}: {what}", wanted) for name, what, wanted in problems))


def _find_unknown(path: Path, content: Mapping[str, object]) -> list[Problem]:
    problems = []
    for section, fields in content.items():
        if section not in _FIELDS or not isinstance(fields, dict):
            problems.append(_problem(path, f"[{section}]", f"sections {', '.join(_FIELDS)}"))
            continue
        for name, value in fields.items():
            kind = _FIELDS[section].get(name)
            if kind is None or not isinstance(value, kind) or isinstance(value, bool):
                wanted = ", ".join(_FIELDS[section])
                problems.append(_problem(path, f"[{section}] {name} = {value!r}"[:200], f"{wanted}, of their kinds"))
    return problems


def _problem(path: Path, found: str, expected: str) -> Problem:
    return Problem(where=path.name, found=found, expected=expected, fix="Mend it there (docs/generation.md).")
