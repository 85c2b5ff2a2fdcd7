"""`python -m tests.generation.sample`: writes the recorded replies of sample_data again, after the prompt or the chunks
of the sample have changed. The replies are written by hand; a server on loopback says them."""

import json
import re
from pathlib import Path

from qaviz.generation.pipeline import generate_triplets, read_collection
from qaviz.generation.settings import Generation
from qaviz.llm import Settings, open_session
from qaviz.loading import silent
from qaviz.ui.generating import RECORDED_MODEL, SAMPLE_CHUNKING, SAMPLE_DOCUMENT, SAMPLE_REPLIES
from tests.builders import SAMPLE
from tests.generation.model import form_of, passage_of, questions_of
from tests.llm_server import Answer, Call, complete, serve

DATA = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
SAID: list[tuple[str, str, str, str]] = DATA["triplets"]
"""Words of a passage, and the question, answer and fact that are written about them."""
WRITTEN_AGAIN: dict[str, str] = DATA["written_again"]
"""Questions that lack something, and as they are written again."""


def author(call: Call) -> Answer:
    """Triplets about a passage, a question written again, or what a second reader finds in the passage."""
    passage = passage_of(call)
    if form_of(call) == "rewrite":
        before = next((text for text in WRITTEN_AGAIN if text in call.prompt), "")
        return complete(json.dumps({"question": WRITTEN_AGAIN.get(before, "?")}), usage=(600, 30))
    if form_of(call) == "proof":
        proofs = [read(number, question, passage) for number, question in enumerate(questions_of(call), start=1)]
        return complete(json.dumps({"proofs": proofs}), usage=(900, 60 * len(proofs)))
    said = [dict(zip(("question", "answer", "fact"), each[1:], strict=True)) for each in SAID if each[0] in passage]
    return complete("\n".join(json.dumps({"type": "single fact"} | each) for each in said) or "NONE", usage=(820, 190))


def read(number: int, question: str, passage: str) -> dict[str, object]:
    """The sentence or row of the passage that has the words by which the question is known, as a person reads it."""
    words = {WRITTEN_AGAIN.get(asked, asked): (words, answer) for words, asked, answer, _ in SAID}
    known, answer = words.get(question, ("nothing", ""))
    quote = next((text for text in re.split(r"(?<=\.)\s|\n", passage) if known in text), "")
    return {"id": number, "answerable": bool(quote), "answer": answer if quote else "", "quote": quote, "bindings": []}


def write_sample() -> None:
    """Write the recorded replies."""
    made = Generation(chunking=SAMPLE_CHUNKING)
    collection = read_collection([str(SAMPLE / SAMPLE_DOCUMENT)], made, silent)
    (SAMPLE / SAMPLE_REPLIES).unlink(missing_ok=True)
    with serve(author) as server:
        settings = Settings(model=RECORDED_MODEL, journal=SAMPLE / SAMPLE_REPLIES, base_url=server.url)
        with open_session(settings) as session:
            generate_triplets(session, collection, made, prover=RECORDED_MODEL, corrections={})


if __name__ == "__main__":
    write_sample()
