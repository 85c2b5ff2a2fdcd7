"""Cases in files: a case a line, in which people mend or add one without reading Python."""

import json
from pathlib import Path
from typing import Any


def read_cases(beside: str, name: str) -> list[Any]:
    """The cases of a file of JSON Lines beside a test's file, or in a folder beside it."""
    lines = (Path(beside).parent / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def read_lines(beside: str, name: str) -> list[list[str]]:
    """The cases of a text file beside a test's file: `part | part => what is expected`; `#` begins a comment."""
    lines = (Path(beside).parent / f"{name}.txt").read_text("utf-8").splitlines()
    return [[part.strip() for part in line.replace(" => ", " | ").split(" | ")] for line in lines if line[0] != "#"]
