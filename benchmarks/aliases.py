"""What each source of names in other languages adds: `python -m benchmarks.aliases`, a table for docs/diagnosis.md.

Each source is taken away in turn, in a process of its own, and the cases of tests/diagnosis/languages are
judged without it.
"""

import re
import subprocess
import sys
import time
from importlib.metadata import distribution
from pathlib import Path

CASES = Path(__file__).parents[1] / "tests/diagnosis/languages"
SOURCES = {
    "nations": ("nations and territories", "babel", "vocabulary", "_nations_of", lambda _: {}),
    "currencies": ("currencies", "babel", "vocabulary", "_currencies_of", lambda _: {}),
    "months": ("months", "babel", "vocabulary", "_months_of", lambda _: {}),
    "letters": ("traditional Chinese letters", "opencc-python-reimplemented", "reading", "simplified_letters", dict),
    "scripts": ("Greek and Cyrillic letters", "anyascii", "reading", "anyascii", str),
    "spelling": ("spellings of names from other scripts", "", "words", "_romanize", str),
}
"""Name -> what it is, the package that brings it, the module and name that hold it, and what stands in its place."""


def count_right(without: str = "") -> tuple[int, int]:
    """Return how many of the cases are judged as labelled, and how many there are."""
    from qaviz.diagnosis.evidence import words
    from qaviz.diagnosis.languages import reading, vocabulary

    if without:
        _, _, module, name, instead = SOURCES[without]
        setattr({"vocabulary": vocabulary, "reading": reading, "words": words}[module], name, instead)
    from qaviz.diagnosis.columns import STANCE
    from qaviz.model.columns import LABEL
    from tests.diagnosis.languages.test_languages import FILES, judge_files

    judged = judge_files(FILES)
    return int(((judged[STANCE] == "agrees") == (judged[LABEL] == "correct")).sum()), judged.height


def _count_in_process(without: str) -> tuple[int, int]:
    done = subprocess.run([sys.executable, "-m", __spec__.name, without], capture_output=True, text=True, check=True)
    right, of = map(int, done.stdout.split())
    return right, of


def _size(package: str) -> str:
    if not package:
        return "–"
    found = distribution(package)
    size = sum(file.locate().stat().st_size for file in found.files or () if Path(str(file.locate())).is_file())
    licence = found.metadata.get("License-Expression") or found.metadata.get("License", "")
    licence = licence or next(iter(found.metadata.get_all("Classifier", [])), "")
    start = time.perf_counter()
    module = re.split("-", package)[0]
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True)
    return f"{size / 1e6:.1f} MB, {licence.split(chr(10))[0] or '?'}, {time.perf_counter() - start:.2f} s"


def main() -> None:
    """Print the table: a line for each source, with the verdicts that are right without it."""
    if len(sys.argv) > 1:
        print(*count_right(sys.argv[1] if sys.argv[1] != "all" else ""))
        return
    right, of = _count_in_process("all")
    print(f"| source | package: installed, licence, a process that imports it | right without it, of {of:,} |")
    print("|---|---|---|")
    print(f"| all | – | {right:,} |")
    for name, (what, package, *_) in SOURCES.items():
        print(f"| {what} | {package} {_size(package)} | {_count_in_process(name)[0]:,} |")


if __name__ == "__main__":
    main()
