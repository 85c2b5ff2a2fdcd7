"""A real language model of 135 million parameters: the protocol holds and its odd replies are counted.

Its words are not good enough to test more."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from qaviz.cli import main

MODEL = Path(sys.prefix) / "small-model"
"""Where `make test` installs it."""
DOCUMENT = """# Alder annual report 2023

Alder grew its revenue by 12% in 2023, from $514 million to $575 million. Maria Keller has led Alder since 3 May 2019.
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (MODEL / "xllamacpp").is_dir(), reason="no build of the small language model is installed"),
]


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """The address of the model's server."""
    command = [sys.executable, str(Path(__file__).with_name("small_model.py")), str(MODEL)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, **pipes) as process:
        yield f"{process.stdout.readline().strip()}/v1"
        process.communicate("")


@pytest.fixture(autouse=True)
def _server(served: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", served)
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, object]:
    """What a command printed as JSON; it ends with 0, or with 1 where it lists problems."""
    assert main([*map(str, arguments), "--format", "json"]) in (0, 1)
    return json.loads(capsys.readouterr().out)


def test_what_it_writes_is_accepted_reviewed_refuted_or_failed(tmp_path, capsys):
    """Each thing that the model writes about a document is counted once, and a second run asks it nothing."""
    document = tmp_path / "alder.md"
    document.write_text(DOCUMENT)
    settings = tmp_path / "generate.toml"
    # A model reads a hundred tokens a second here: the prompt is as short as one can be.
    (tmp_path / "short.txt").write_text('Write {per_chunk} as JSON: {"question": "", "answer": "", "fact": ""}')
    settings.write_text('[prompt]\nfile = "short.txt"\nper_chunk = 1\n[model]\nmax_tokens = 40\n')
    command = ("generate", document, "--model", "openai:small", "--dataset", "alder", "--cap", "20calls")
    command += ("--config", settings)
    command += ("--workspace", tmp_path / "workspace")

    counts = said(capsys, *command)

    assert (counts["documents"], counts["chunks"]) == (1, 1)
    assert min(counts["calls"], counts["produced"]) >= 1
    assert counts["produced"] == counts["accepted"] + counts["to_review"] + counts["refuted"] + counts["failed"]
    again = said(capsys, *command)
    assert again["calls"] == 0
    assert again["produced"] == counts["produced"]
