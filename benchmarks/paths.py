"""How many files and functions of qaviz ten behaviours run: measured by running them, not by reading.

    python -m benchmarks.paths              # a line a behaviour
    python -m benchmarks.paths gate         # the files of one, in the order in which they are entered

Each behaviour runs once before it is measured, so that imports and caches are not counted. What runs in another process
(the child that parses files) is not seen.
"""

import asyncio
import io
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from types import CodeType, FrameType

import httpx
import polars as pl
from starlette.responses import PlainTextResponse

from qaviz.access import SignInSettings
from qaviz.cli import main as qaviz
from qaviz.diagnosis import diagnose
from qaviz.model import columns as c
from qaviz.model.records import WORKSPACE_VARIABLE
from qaviz.runs import SAMPLE_JUDGE, SAMPLE_JUDGE_FILE
from qaviz.scoring import score
from qaviz.serving.checks import Front, SignInGate
from qaviz.store.labels import keep_labels
from qaviz.store.workspace import open_workspace
from tests.screen import open_page

ROOT = Path(__file__).parents[1]
HOUSE = str(ROOT / "qaviz") + os.sep
SAMPLE = ROOT / "sample_data"
FILES = [str(SAMPLE / "golden.jsonl"), str(SAMPLE / "responses.jsonl")]
PAGE = "responses"
MOST_FILES = 40


def trace(behaviour: Callable[[], object]) -> list[CodeType]:
    """The functions and methods of qaviz that run in this thread and those that it starts, in the order in which they
    are entered: no bodies of modules and classes, lambdas or comprehensions. What is done once unseen before, so that
    imports and caches do not count."""
    behaviour()
    seen: dict[CodeType, None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(HOUSE):
            seen[frame.f_code] = None

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        behaviour()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type] # typeshed lacks None
    return [code for code in seen if not code.co_name.startswith("<") and code.co_flags & 2]


def run_command(*words: object) -> None:
    """Run a command of the terminal, without its words; it may find problems, it may not fail."""
    silent = io.StringIO()
    with redirect_stdout(silent), redirect_stderr(silent):
        code = qaviz([*map(str, words)])
    if code not in (0, 1, 3):
        raise SystemExit(f"qaviz {words[0]}: exit code {code}: {silent.getvalue()}")


class Behaviours:
    """What people do with the sample; each can be done several times."""

    def __init__(self, folder: Path) -> None:
        self.home, self.times = open_workspace(folder), 0
        self.import_run()
        self.import_run()
        self.run = self.home.find("run 1")
        rows = self.home.rows(self.run).with_columns(pl.col(c.PIPELINE, c.VERDICT).cast(pl.String))
        keep_labels(
            self.home, self.run, "Ada", rows.select(c.QUESTION_ID, c.PIPELINE, pl.col(c.VERDICT).alias(c.LABEL))
        )
        self.row, self.rules = score(rows.head(1)), iter(("missing-form", "seen-variant"))
        self.page = open_page(PAGE, run=self.run.run_id, labels="Label responses", queue="As listed", blind="no")
        next(field for field in self.page.text_input if field.label == "Your name").set_value("Ada").run()

    def import_run(self) -> None:
        """Import the sample under the next name."""
        self.times += 1
        run_command("import", *FILES, "--name", f"run {self.times}", "--by", "Ada")

    def generate(self) -> None:
        """Make triplets of a short document from recorded replies."""
        self.times += 1
        cut = ("--chunk-size", 120, "--chunk-overlap", 0, "--dataset", f"harbour {self.times}")
        words = ("--model", "openai:recorded", "--replay", SAMPLE / "harbour-line.replies.jsonl", *cut, "--by", "Ada")
        run_command("generate", SAMPLE / "harbour-line.md", *words)

    def sign_in(self) -> None:
        """Pass a request of a person whom a proxy names."""
        gate = Front(PlainTextResponse("in"), [SignInGate(SignInSettings(header="x-forwarded-email"))])

        async def ask() -> int:
            async with httpx.AsyncClient(transport=httpx.ASGITransport(gate), base_url="http://qaviz") as client:
                return (await client.get("/runs", headers={"x-forwarded-email": "ada@example.com"})).status_code

        if asyncio.run(ask()) != 200:
            raise SystemExit("sign in: refused")


GRADE = ("judge", "run 1", "--model", SAMPLE_JUDGE, "--only", "all", "--replay", SAMPLE / SAMPLE_JUDGE_FILE)
BEHAVIOURS: dict[str, Callable[[Behaviours], object]] = {
    "import a file": Behaviours.import_run,
    "diagnose one row": lambda sample: diagnose(sample.row),
    "open Responses": lambda sample: open_page(PAGE, run=sample.run.run_id),
    "press a label key": lambda sample: sample.page.button(key="label_Correct").click().run(),
    "accept an edit": lambda sample: run_command(
        "golden", "accept", "run 1", "--rule", next(sample.rules), "--by", "Ada"
    ),
    "gate": lambda _: run_command("gate", "run 2", "--baseline", "run 1"),
    "grade by a judge": lambda _: run_command(*GRADE, "--by", "Ada"),
    "draw a certificate": lambda _: run_command("certify", "run 1"),
    "generate triplets": Behaviours.generate,
    "sign in": Behaviours.sign_in,
}


def main() -> None:
    """Print files and functions of each behaviour, or the files of those that are named."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ[WORKSPACE_VARIABLE] = str(Path(folder) / "workspace")
        behaviours = Behaviours(Path(folder) / "workspace")
        for name, behaviour in BEHAVIOURS.items():
            if len(sys.argv) > 1 and name not in sys.argv[1:]:
                continue
            functions = trace(partial(behaviour, behaviours))
            files = list(dict.fromkeys(code.co_filename.removeprefix(str(ROOT) + os.sep) for code in functions))
            over = f"  above {MOST_FILES}" if len(files) > MOST_FILES else ""
            print(f"{name:<20} {len(files):>3} files {len(functions):>4} functions{over}", flush=True)
            if len(sys.argv) > 1:
                print("\n".join(f"    {file}" for file in files))


if __name__ == "__main__":
    main()
