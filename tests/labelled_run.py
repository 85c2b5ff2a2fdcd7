"""A run of which one pipeline is right, and the other every second time."""

from pathlib import Path

from qaviz.loading import Source
from qaviz.model.columns import ANSWER, FACT, PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.model.records import Run
from qaviz.runs import ImportRequest, import_files
from qaviz.store.workspace import Workspace
from tests.builders import write_jsonl

QUESTIONS = 40


def import_harbours(workspace: Workspace, folder: Path, name: str) -> Run:
    """A run of 40 questions about harbours: two pipelines, of which one is right and the other every second time."""
    golden, responses = [], []
    for n in range(QUESTIONS):
        ferries = 200 + n
        question = f"How many ferries has the harbour of Nordhavn {n}?"
        answer = f"The harbour of Nordhavn {n} has {ferries} ferries."
        golden.append({QUESTION_ID: f"h{n}", QUESTION: question, ANSWER: answer, FACT: f"{ferries} ferries"})
        said = {"one": f"It has {ferries} ferries.", "two": f"It has {ferries + 100 * (n % 2)} ferries, I think."}
        responses += [{QUESTION_ID: f"h{n}", PIPELINE: pipeline, RESPONSE: text} for pipeline, text in said.items()]
    folder.mkdir(parents=True, exist_ok=True)
    files = [write_jsonl(folder / "golden.jsonl", golden), write_jsonl(folder / "responses.jsonl", responses)]
    request = ImportRequest(name=name, golden=Source.of(files[0]), responses=(Source.of(files[1]),), trusted=True)
    return import_files(request, workspace)
