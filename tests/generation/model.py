"""A model for tests: it writes triplets about each passage by rule, and now and then what models write instead."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.llm_server import Answer, Call, complete

DATA = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
REPORT, OTHER = DATA["report"], DATA["other"]
TRIPLETS: dict[str, list[str]] = DATA["triplets"]
"""By words of a passage: the question, answer and fact that the model writes about it."""
TRUE: list[tuple[str, str]] = DATA["true"]
"""What a person knows who reads the documents: words of a question, and the sentence with its answer."""


def passage_of(call: Call) -> str:
    """The fenced passage of a request."""
    return re.search(r"<data \w+ passage>\n(.*?)\n</data", call.prompt, re.DOTALL)[1]


def triplets_of(passage: str) -> str:
    """What a well-behaved model writes about a passage."""
    found = [each for fact, each in TRIPLETS.items() if fact in passage]
    lines = [json.dumps(dict(zip(("question", "answer", "fact"), each, strict=True))) for each in found]
    store = re.search(r"Store\w+", passage)
    return ("\n".join(lines) or "NONE").replace("Baykal", store[0] if store else "Baykal")


def form_of(call: Call) -> str:
    """The name of the form that the reply is to have: `proof`, `rewrite`, or empty for triplets."""
    return call.body.get("response_format", {}).get("json_schema", {}).get("name", "")


def questions_of(call: Call) -> list[str]:
    """The questions of a proof call, in the order of their numbers."""
    listed = re.search(r"<data \w+ questions>\n(.*?)\n</data", call.prompt, re.DOTALL)[1]
    return [line.partition(". ")[2] for line in listed.splitlines()]


def answer_by_key(call: Call, true: Sequence[tuple[str, str]] = TRUE) -> Answer:
    """What a reader replies to a proof call who knows the documents."""
    passage, proofs = passage_of(call), []
    for number, question in enumerate(questions_of(call), start=1):
        pattern = next((sentence for words, sentence in true if words in question), "nothing")
        match = re.search(pattern, passage)
        proof = {"id": number, "answerable": bool(match), "answer": "", "quote": "", "bindings": []}
        proofs.append(proof | ({"answer": match[1], "quote": match[0]} if match else {}))
    return complete(json.dumps({"proofs": proofs}))


def author(call: Call) -> Answer:
    """A model that writes triplets, and reads honestly a second time."""
    return answer_by_key(call) if form_of(call) == "proof" else complete(triplets_of(passage_of(call)))


def saying(text: str) -> Callable[[Call], Answer]:
    return lambda _call: complete(text)
