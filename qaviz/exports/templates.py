"""HTML from templates: every text is escaped where it enters, and a value that a template misses is an error."""

import base64
import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

__all__ = ["Markup", "hash_source", "render"]


def render(template: Path, *, show: Callable[[str], str] = str, **values: object) -> str:
    """The template with these values. Each text goes through `show` and is escaped; a Markup, of our own, is not."""
    return _load(template, show).render(**values)


def hash_source(text: str) -> str:
    """How a content security policy names a script or style by its hash."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _load(template: Path, show: Callable[[str], str]) -> Template:
    def finalize(value: object) -> object:
        return show(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=FileSystemLoader(template.parent),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(template.name)
