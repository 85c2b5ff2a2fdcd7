"""docs/figures.json: what the benchmarks measured. README and docs quote it, and tests/test_figures.py compares.

A benchmark with `--keep` writes its figures there, with the command and the day. Then mend the sentences that the test
names.
"""

import argparse
import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs" / "figures.json"

Figures = Mapping[str, Any]
"""Numbers by name, or by name and group."""


def make_parser(
    what: str | None, *, folders: bool = False, keeps: bool = False, draws: int | None = None
) -> argparse.ArgumentParser:
    """The command line of a benchmark, `what` its module says: with FOLDERs of labelled sets, with `--keep`, with
    `--draws` (so many unless given) and their `--seed`."""
    parser = argparse.ArgumentParser(description=what, formatter_class=argparse.RawDescriptionHelpFormatter)
    if folders:
        parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    if draws:
        parser.add_argument("--draws", type=int, default=draws)
        parser.add_argument("--seed", type=int, default=1)
    if keeps:
        parser.add_argument("--keep", action="store_true", help="write the figures to docs/figures.json")
    return parser


def keep(benchmark: str, figures: Figures) -> None:
    """Write the figures of a benchmark, rounded to four digits, in place of those of before."""
    kept = read_figures() if FILE.exists() else {}
    command = " ".join(["python -m", f"benchmarks.{benchmark}", *_name_sets(sys.argv[1:])])
    entry = {"command": command, "date": f"{datetime.now(UTC):%Y-%m-%d}", "figures": _round(figures)}
    FILE.write_text(json.dumps(kept | {benchmark: entry}, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def read_figures() -> dict[str, Any]:
    """What stands in the file, by benchmark."""
    content: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return content


def _name_sets(arguments: list[str]) -> list[str]:
    """The arguments without paths of this machine: folders of labelled sets are SETS, files their names."""
    named = [
        "SETS" if Path(argument).is_dir() else Path(argument).name if "/" in argument else argument
        for argument in arguments
        if argument != "--keep"
    ]
    return list(dict.fromkeys(named))


def _round(value: Any) -> Any:  # noqa: ANN401 - numbers and groups of them
    if isinstance(value, Mapping):
        return {str(name): _round(part) for name, part in value.items()}
    return round(float(value), 4) if not isinstance(value, int) else value
