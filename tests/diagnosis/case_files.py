"""Cases in files: a case a line, in which people mend or add one without reading Python."""

import json
from pathlib import Path

FOLDER = Path(__file__).with_name("cases")


def read_lines(name: str) -> list[tuple[str | None, ...]]:
    """The cases of a file of JSON Lines: what each is of, then its texts."""
    return [tuple(json.loads(line)) for line in (FOLDER / name).read_text("utf-8").splitlines()]
