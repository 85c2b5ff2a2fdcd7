"""Patterns and lists of words by which texts are read, from patterns.toml."""

import re
import tomllib
from pathlib import Path

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
WORDS = {name: frozenset(words.split()) for name, words in _TABLE.pop("words").items()}
QUESTION, GOLDEN, RESPONSE = (
    {name: re.compile(pattern.replace("\n", "")) for name, pattern in _TABLE[text].items()}
    for text in ("question", "golden", "response")
)
"""Patterns of questions, golden texts and responses by what they tell."""
