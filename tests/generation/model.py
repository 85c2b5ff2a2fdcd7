"""A model for tests: it writes triplets about each passage by rule, and now and then what models write instead."""

import json
import re
from collections.abc import Callable, Sequence

from tests.llm_server import Answer, Call, complete

REPORT = """# Alder annual report 2023

Alder grew its revenue by 12% in 2023, from $514 million to $575 million.
The operating margin of Alder was 6.4% in 2023.

At the end of 2023 Alder employed 1,850 people in Lisbon. Maria Keller has led Alder since 3 May 2019.

# Alder travel rules

Employees of Alder may spend up to 120 euros a day on a business trip. Bookings of Alder go through Tom Okafor.
"""
OTHER = """# Baykal annual report 2023

Baykal grew its revenue by 7% in 2023, from $200 million to $214 million. Baykal was founded in 1987 in Oslo.
"""
TRIPLETS = {
    "12%": ("By how much did Alder grow its revenue in 2023?", "Alder grew its revenue by 12% in 2023.", "12%"),
    "6.4%": (
        "What was the operating margin of Alder in 2023?",
        "The operating margin of Alder was 9.9% in 2023.",
        "9.9%",
    ),
    "1,850": (
        "How many people did Alder employ at the end of 2023?",
        "Alder employed 1,850 people at the end of 2023.",
        "1,850",
    ),
    "Maria Keller": ("Who leads Alder?", "Maria Keller has led Alder since 3 May 2019.", "Maria Keller"),
    "120 euros": (
        "How much may employees of Alder spend a day on a trip?",
        "Employees of Alder may spend 120 euros a day.",
        "120 euros",
    ),
    "7%": ("By how much did Baykal grow its revenue in 2023?", "Baykal grew its revenue by 7% in 2023.", "7%"),
    "1987": ("When was Baykal founded?", "Baykal was founded in 1987.", "1987"),
}


TRUE = (
    ("grow its revenue", r"\w+ grew its revenue by (\d+%)[^.]*\."),
    ("operating margin", r"The operating margin of \w+ was ([\d.]+%) in 2023\."),
    ("did Alder employ", r"At the end of 2023 Alder employed ([\d,]+ people) in Lisbon\."),
    ("leads Alder", r"(Maria Keller) has led Alder since 3 May 2019\."),
    ("spend a day", r"may spend up to (120 euros) a day on a business trip\."),
    ("founded", r"\w+ was founded in (\d{4}) in Oslo\."),
)
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
