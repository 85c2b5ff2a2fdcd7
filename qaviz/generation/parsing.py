"""Triplets in what a model wrote, however it wrote them: with fences, prose around, several lines or none, cut off."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from qaviz.generation.prompting import QUESTION_TYPES
from qaviz.model.columns import OR_DELIMITER

MOST_OF_A_REPLY = 200
"""Triplets of one reply that are read."""
LONGEST_TEXT = 4_000
_QUOTED = 300
_NAMES = {
    "question": ("question", "q", "query"),
    "answer": ("answer", "ground_truth_answer", "ground_truth", "a"),
    "fact": ("fact", "facts", "target"),
    "kind": ("type", "kind", "question_type"),
}
_NOTHING = ("none", "none.", "[]", "", "no facts", "null")


@dataclass(frozen=True, kw_only=True)
class Parsed:
    """One triplet of a reply, or why there is none."""

    question: str = ""
    answer: str = ""
    fact: str = ""
    kind: str = "single fact"
    failure: str | None = None
    """Why this piece of the reply is no triplet."""
    piece: str = ""
    """Of a failure: what the model wrote."""


def parse_reply(text: str, *, cut: bool = False) -> list[Parsed]:
    """The triplets of a reply in order, and a failure for each piece that looks like one and is none.

    A reply of `NONE` has none. `cut` says that the reply ends because its tokens were used up.
    """
    plain = text.strip().strip("`").strip()
    if plain.lower() in _NOTHING and text.strip():
        return []
    found: list[Parsed] = []
    for piece in _objects(text):
        found += [_triplet(each) for each in _flat(piece)] if isinstance(piece, dict) else [piece]
        if len(found) >= MOST_OF_A_REPLY:
            break
    if not found:
        why = "the reply is cut off" if cut else "no JSON object in the reply"
        return [Parsed(failure=why if text.strip() else "the reply is empty", piece=text[:_QUOTED])]
    return found[:MOST_OF_A_REPLY]


def _objects(text: str) -> Iterator[dict[str, Any] | Parsed]:
    """The JSON objects of a text; a failure for each that begins and cannot be read."""
    decoder = json.JSONDecoder(object_pairs_hook=_pairs, strict=False)
    at = text.find("{")
    while at >= 0:
        try:
            piece, end = decoder.raw_decode(text, at)
        except _DoubledKey as error:
            end = _line_end(text, at)
            yield Parsed(failure=f"the key “{error}” stands twice with different texts", piece=text[at:end][:_QUOTED])
        except (json.JSONDecodeError, RecursionError):
            end = _line_end(text, at)
            unfinished = end == len(text)
            why = "the object is cut off" if unfinished else "the object is no valid JSON"
            if '"' in text[at:end]:
                yield Parsed(failure=why, piece=text[at:end][:_QUOTED])
        else:
            yield piece
        at = text.find("{", end)


class _DoubledKey(Exception):
    """A key of an object stands twice."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found and found[name] != value:
            raise _DoubledKey(name)
        found[name] = value
    return found


def _line_end(text: str, at: int) -> int:
    """Where the next object may begin: after a line break and a brace, else the end."""
    following = text.find("\n{", at + 1)
    return following if following >= 0 else len(text)


def _flat(piece: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The object, or the objects of the list that it holds."""
    lists = [value for value in piece.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
    if lists and not any(name in piece for name in _NAMES["question"]):
        yield from (each for each in lists[0] if isinstance(each, dict))
    else:
        yield piece


def _triplet(piece: Mapping[str, Any]) -> Parsed:
    lower = {str(name).lower().strip(): value for name, value in piece.items()}
    fields = {
        name: _text(next((lower[each] for each in names if each in lower), None)) for name, names in _NAMES.items()
    }
    kind = (fields["kind"] or "").lower()
    kind = kind if kind in QUESTION_TYPES else "single fact"
    question, answer, fact = (fields[name] for name in ("question", "answer", "fact"))
    if question is None or answer is None or (fact is None and kind != "unanswerable"):
        lacking = [name for name in ("question", "answer", "fact") if fields[name] is None]
        written = json.dumps(piece, ensure_ascii=False)[:_QUOTED]
        return Parsed(failure=f"the object has no text under {', '.join(lacking)}", piece=written)
    return Parsed(question=question, answer=answer, fact=fact or "", kind=kind)


def _text(value: object) -> str | None:
    """A field as text: lists joined as variants; None for what is no text, or too long for one."""
    if isinstance(value, list) and value and all(isinstance(each, str | int | float) for each in value):
        value = OR_DELIMITER.join(str(each) for each in value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        return None
    return " ".join(value.encode(errors="replace").decode().split())
