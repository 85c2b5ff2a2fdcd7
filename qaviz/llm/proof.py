"""Proof by quotation: a model that sees a passage and questions alone answers them and quotes what says so.

It is blind to the answer that is to be proved. A quotation that does not stand in the passage proves nothing.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from qaviz.llm.requests import Reply, Request, Tool, fence_texts, object_schema, read_objects
from qaviz.llm.sending import Cancelled
from qaviz.llm.session import Session
from qaviz.model.records import Progress

MOST_QUESTIONS = 10
"""Of one call."""
SHORTEST_QUOTATION = 3
"""Characters: a shorter quotation stands in any text."""
LONGEST_QUOTATION = 1_200
"""Characters: a longer one points at nothing."""
_TOKENS, _TOKENS_A_QUESTION = 200, 300

_TASK = Path(__file__).with_name("proof.txt").read_text("utf-8")
_TEXT: Mapping[str, object] = {"type": "string"}
_PROOF = object_schema(
    {
        "id": {"type": "integer"},
        "answerable": {"type": "boolean"},
        "answer": _TEXT,
        "quote": _TEXT,
        "bindings": {"type": "array", "items": object_schema({"qualifier": _TEXT, "words": _TEXT})},
    }
)
SCHEMA = Tool(
    name="proof",
    description="Answers to the questions, each with its quotation.",
    parameters=object_schema({"proofs": {"type": "array", "items": _PROOF}}),
)


class Passage(NamedTuple):
    """What questions are answered from."""

    text: str
    """Quotations have to stand here."""
    document: str = ""
    """Its name: shown too, and what a question asks for may be bound by it or by the headings."""
    heading: str = ""


class Proof(NamedTuple):
    """What a reply says of one question. All texts are untrusted."""

    answerable: bool | None = None
    """None where `void` says why the reply does not count."""
    answer: str = ""
    quote: str = ""
    bindings: tuple[tuple[str, str], ...] = ()
    """A condition of the question, and the words that meet it."""
    void: str | None = None


def proof_request(passage: Passage, questions: Sequence[str]) -> Request:
    """The request that asks these questions of a passage; in its message they are numbered from 1."""
    listed = "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(questions, start=1))
    places = {"document name": passage.document, "headings": passage.heading}
    fence = fence_texts({name: text for name, text in places.items() if text} | {"passage": passage.text})
    numbered = fence_texts({"questions": listed})
    return Request(
        system=f"{_TASK}\n{fence.notice}\n{numbered.notice}",
        prompt=f"{fence.text}\n\n{numbered.text}",
        temperature=0.0,
        max_tokens=_TOKENS + _TOKENS_A_QUESTION * len(questions),
        schema=SCHEMA,
    )


Item = tuple[Passage, Sequence[str]]


def proof_requests(items: Sequence[Item]) -> list[Request]:
    """The requests that `prove` sends, in order."""
    return [proof_request(passage, part) for passage, questions in items for part in _split(questions)]


def _split(questions: Sequence[str]) -> list[Sequence[str]]:
    return [questions[at : at + MOST_QUESTIONS] for at in range(0, len(questions), MOST_QUESTIONS)]


def prove(
    session: Session, items: Sequence[Item], *, progress: Progress | None = None, cancelled: Cancelled | None = None
) -> list[list[Proof]]:
    """One proof for each question of each item. Raises QavizError as `Session.ask`."""
    replies = iter(session.ask(proof_requests(items), progress=progress, cancelled=cancelled))
    return [
        [proof for part in _split(questions) for proof in read_proofs(next(replies), passage, len(part))]
        for passage, questions in items
    ]


def read_proofs(reply: Reply, passage: Passage, questions: int) -> list[Proof]:
    """What a reply says of each of so many questions; void where it says nothing that counts."""
    if reply.failure or reply.cut:
        return [Proof(void=str(reply.failure or "the reply was cut"))] * questions
    objects = [content for content in read_objects(reply.text) if content is None or "proofs" in content]
    content = objects[0] if len(objects) == 1 else None
    entries = content.get("proofs") if content else None
    if not isinstance(entries, list):
        return [Proof(void="no single JSON object with proofs")] * questions
    by_number: dict[int, list[Mapping[str, object]]] = {}
    for entry in entries:
        if isinstance(entry, dict) and isinstance(number := entry.get("id"), int) and not isinstance(number, bool):
            by_number.setdefault(number, []).append(entry)
    return [_read_entry(by_number.get(number, []), passage) for number in range(1, questions + 1)]


def _read_entry(entries: Sequence[Mapping[str, object]], passage: Passage) -> Proof:
    if len(entries) != 1:
        return Proof(void="the question has two replies" if entries else "the question has no reply")
    answerable, answer, quote = (entries[0].get(name) for name in ("answerable", "answer", "quote"))
    if answerable is False:
        return Proof(answerable=False)
    if answerable is not True or not isinstance(answer, str) or not answer.strip():
        return Proof(void="no answer")
    if not isinstance(quote, str) or not stands_in(quote, passage.text) or len(quote) > LONGEST_QUOTATION:
        return Proof(void="the quotation does not stand in the passage")
    listed = entries[0].get("bindings")
    fields = [binding for binding in listed if isinstance(binding, dict)] if isinstance(listed, list) else []
    pairs = [(binding.get("qualifier"), binding.get("words")) for binding in fields]
    texts = [(name, words) for name, words in pairs if isinstance(name, str) and isinstance(words, str)]
    bindings = tuple((name.strip(), words.strip()) for name, words in texts)
    around = "\n".join((passage.text, passage.heading, passage.document))
    if unbound := next((words for _, words in bindings if words and not stands_in(words, around)), None):
        return Proof(void=f"“{unbound[:80]}”, which is to bind the question, does not stand in the passage")
    return Proof(True, " ".join(answer.split())[:2_000], quote.strip(), bindings)  # characters of an answer


def stands_in(quotation: object, passage: str) -> bool:
    """Whether a quotation stands in a passage word by word; blanks, quotation marks and letters' width do not count."""
    if not isinstance(quotation, str):
        return False
    wanted = _level_text(quotation)
    return len(wanted) >= SHORTEST_QUOTATION and wanted in _level_text(passage)


def _level_text(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).translate(str.maketrans("“”„«»‘’‚", '"""""\'\'\''))
    return re.sub(r"\s+", " ", plain).strip().strip("\"'").strip()
