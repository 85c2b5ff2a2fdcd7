"""The request for each chunk, from a prompt file that the user can replace, and the triplets in the model's reply."""

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from qaviz.documents import Chunking, ChunkRow
from qaviz.generation.gate.cases import SINGLE_FACT
from qaviz.generation.gate.kinds import FOLLOW_UP, QUESTION_TYPES
from qaviz.llm import Request, fence_texts
from qaviz.model.columns import OR_DELIMITER
from qaviz.model.errors import Problem, QavizError, stop

DEFAULT_PROMPT = Path(__file__).with_name("prompt.txt")
PLACEHOLDERS = ("per_chunk", "types", "variants", "language", "style", "examples")

_VARIANTS = "$1.2 billion<OR>1,200 million, 3 May 2024<OR>2024-05-03, four<OR>4"
_EXAMPLES = (
    {
        "type": "single fact",
        "question": "How many guests did the Harbour Hotel in Lund receive in 2022?",
        "answer": "The Harbour Hotel in Lund received 18,400 guests in 2022.",
        "fact": "18,400<OR>18.4 thousand",
    },
    {
        "type": "single fact",
        "question": "Who may approve purchases above 5,000 euros at the Lund library?",
        "answer": "Purchases above 5,000 euros at the Lund library are approved by the head librarian.",
        "fact": "head librarian",
    },
)
LONGEST_PROMPT = 50_000

MOST_OF_A_REPLY = 200
"""Triplets of one reply that are read."""
LONGEST_TEXT = 4_000
_QUOTED = 300
_NAMES = {
    "question": ("question", "q", "query"),
    "answer": ("answer", "ground_truth_answer", "ground_truth", "a"),
    "fact": ("fact", "facts", "target"),
    "kind": ("type", "kind", "question_type"),
    "before": ("before",),
    "before_answer": ("before_answer",),
    "follow_up": ("follow_up",),
}
_NOTHING = ("none", "none.", "[]", "", "no facts", "null")


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """How triplets are asked for."""

    template: str
    """The text of the prompt, with PLACEHOLDERS in braces."""
    types: tuple[str, ...] = (SINGLE_FACT,)
    mix: Mapping[str, float] = field(default_factory=dict)
    """Share of the triplets asked for by type, above 0 and 1 in all; empty: `types`, as the model likes."""
    per_chunk: int = 5
    """Most triplets of a chunk that are asked for."""
    language: str | None = None
    """In which questions and answers are to be written (`German`); None: the passage's."""
    languages: tuple[str, ...] = ()
    """Instead of `language`: several, one for each chunk in turn."""
    personas: tuple[str, ...] = ()
    """Who asks (`a new employee`), one for each chunk in turn."""
    style: str = ""
    """A sentence on how to write: tone, brand words."""
    examples: tuple[Mapping[str, str], ...] = _EXAMPLES
    """Triplets as the model should write them: type, question, answer, fact."""

    @property
    def text(self) -> str:
        """The prompt with everything filled in."""
        fields = {
            "per_chunk": str(self.per_chunk),
            "types": self._list_types(),
            "variants": _VARIANTS,
            "language": f"Write in {self.language}.\n" if self.language else "Write in the language of the passage.\n",
            "style": "".join(f"{text}\n" for text in (self._name_persona(), self.style.strip()) if text),
            "examples": "\n".join(json.dumps(dict(example), ensure_ascii=False) for example in self.examples),
        }
        text = self.template
        for name, content in fields.items():
            text = text.replace(f"{{{name}}}", content)
        return text

    def _list_types(self) -> str:
        if not self.mix:
            return "; ".join(f"{name} ({QUESTION_TYPES[name].asks})" for name in self.types)
        return "; ".join(f"{share:.0%} {name} ({QUESTION_TYPES[name].asks})" for name, share in self.mix.items())

    def _name_persona(self) -> str:
        return f"Write the questions as {' or '.join(self.personas)} would ask them." if self.personas else ""

    @property
    def wanted_languages(self) -> tuple[str, ...]:
        """The languages that questions and answers may be in; empty: their passage's."""
        return self.languages or ((self.language,) if self.language else ())

    @property
    def hash(self) -> str:
        """The first 8 bytes of the SHA-256 of the filled-in prompt, in hexadecimal: its version."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


def read_template(path: Path | None) -> str:
    """The prompt in a file, or qaviz's own. Raises QavizError if it cannot be read, is empty or too long."""
    file = path or DEFAULT_PROMPT
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _refusal(file, f"no text that can be read ({error})") from None
    if not text.strip() or len(text) > LONGEST_PROMPT:
        raise _refusal(file, f"{len(text):,} characters")
    return text


def _refusal(file: Path, found: str) -> QavizError:
    expected = f"a text of 1 to {LONGEST_PROMPT:,} characters"
    return stop(file.name, found, expected, "Name another file as the prompt.")


def build_request(prompt: Prompt, chunk: ChunkRow, *, temperature: float, max_tokens: int) -> Request:
    """The request for one chunk. The same chunk and prompt make the same request."""
    headings = {"headings": chunk["heading"]} if chunk["heading"] else {}
    fence = fence_texts({"document name": chunk["document"], **headings, "passage": chunk["text"]})
    return Request(
        system=f"{prompt.text}\n\n{fence.notice}", prompt=fence.text, temperature=temperature, max_tokens=max_tokens
    )


@dataclass(frozen=True, kw_only=True)
class Parsed:
    """One triplet of a reply, or why there is none."""

    question: str = ""
    answer: str = ""
    fact: str = ""
    kind: str = "single fact"
    turns: str = ""
    """Of a follow-up, a line each: the question and the answer before it, and the follow-up as it is put."""
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
    parsed: list[Parsed] = []
    for piece in _read_objects(text):
        parsed += [_read_triplet(part) for part in _unfold(piece)] if isinstance(piece, dict) else [piece]
        if len(parsed) >= MOST_OF_A_REPLY:
            break
    if not parsed:
        why = "the reply is cut off" if cut else "no JSON object in the reply"
        return [Parsed(failure=why if text.strip() else "the reply is empty", piece=text[:_QUOTED])]
    return parsed[:MOST_OF_A_REPLY]


def _read_objects(text: str) -> Iterator[dict[str, object] | Parsed]:
    """The JSON objects of a text; a failure for each that begins and cannot be read."""
    decoder = json.JSONDecoder(object_pairs_hook=_refuse_doubled_keys, strict=False)
    at = text.find("{")
    while at >= 0:
        try:
            piece, end = decoder.raw_decode(text, at)
        except _DoubledKey as error:
            end = _find_line_end(text, at)
            yield Parsed(failure=f"the key “{error}” stands twice with different texts", piece=text[at:end][:_QUOTED])
        except (json.JSONDecodeError, RecursionError):
            end = _find_line_end(text, at)
            unfinished = end == len(text)
            why = "the object is cut off" if unfinished else "the object is no valid JSON"
            if '"' in text[at:end]:
                yield Parsed(failure=why, piece=text[at:end][:_QUOTED])
        else:
            yield piece
        at = text.find("{", end)


class _DoubledKey(Exception):
    """A key of an object stands twice."""


def _refuse_doubled_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields: dict[str, object] = {}
    for name, value in pairs:
        if name in fields and fields[name] != value:
            raise _DoubledKey(name)
        fields[name] = value
    return fields


def _find_line_end(text: str, at: int) -> int:
    """Where the next object may begin: after a line break and a brace, else the end."""
    following = text.find("\n{", at + 1)
    return following if following >= 0 else len(text)


def _unfold(piece: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """The object, or the objects of the list that it holds."""
    lists = [value for value in piece.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
    if lists and not any(name in piece for name in _NAMES["question"]):
        yield from (item for item in lists[0] if isinstance(item, dict))
    else:
        yield piece


def _read_triplet(piece: Mapping[str, object]) -> Parsed:
    lower = {str(name).lower().strip(): value for name, value in piece.items()}
    fields = {
        name: _read_text(next((lower[name] for name in names if name in lower), None)) for name, names in _NAMES.items()
    }
    kind = (fields["kind"] or "").lower()
    kind = kind if kind in QUESTION_TYPES else "single fact"
    question, answer, fact = (fields[name] for name in ("question", "answer", "fact"))
    if question is None or answer is None or (fact is None and kind != "unanswerable"):
        lacking = [name for name in ("question", "answer", "fact") if fields[name] is None]
        written = json.dumps(piece, ensure_ascii=False)[:_QUOTED]
        return Parsed(failure=f"the object has no text under {', '.join(lacking)}", piece=written)
    turns = (
        "\n".join(fields[name] or "" for name in ("before", "before_answer", "follow_up")) if kind == FOLLOW_UP else ""
    )
    return Parsed(question=question, answer=answer, fact=fact or "", kind=kind, turns=turns)


def _read_text(value: object) -> str | None:
    """A field as text: lists joined as variants; None for what is no text, or too long for one."""
    if isinstance(value, list) and value and all(isinstance(item, str | int | float) for item in value):
        value = OR_DELIMITER.join(str(item) for item in value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        return None
    return " ".join(value.encode(errors="replace").decode().split())


@dataclass(frozen=True, kw_only=True)
class Generation:
    """What is generated from documents, and how."""

    chunking: Chunking = field(default_factory=Chunking)
    prompt: Prompt = field(default_factory=lambda: Prompt(template=read_template(None)))
    temperature: float = 0.1
    max_tokens: int = 1_500
    """Most tokens of a reply."""
    per_document: int | None = None
    """Most triplets of a document that are accepted, spread over its chunks; None: no limit."""
    review: float = 0.2
    """Share of the accepted triplets that is flagged for review, 0 to 1."""
    seed: int = 0
    """With the triplets' ids it decides which triplets are flagged."""


_FIELDS: Mapping[str, Mapping[str, type | tuple[type, ...]]] = {
    "chunks": {"size": int, "overlap": int, "characters_per_token": (int, float)},
    "prompt": {
        "file": str,
        "types": list,
        "mix": dict,
        "per_chunk": int,
        "language": (str, list),
        "personas": list,
        "style": str,
        "examples": list,
    },
    "model": {"temperature": (int, float), "max_tokens": int},
    "triplets": {"per_document": int},
    "review": {"share": (int, float), "seed": int},
}
_EXAMPLE = ("type", "question", "answer", "fact")
_MOST_PER_CHUNK = 50
_ROUNDED = 0.005
"""By how much the shares of a mix may miss 1: thirds are written as 33%."""


def read_generation(path: Path | None) -> Generation:
    """Read a TOML file (docs/generation.md); qaviz's own settings without one. QavizError names all its problems.

    A prompt's file is looked for beside the TOML file.
    """
    if path is None:
        return Generation()
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise QavizError(_problem(path, str(error), "a TOML file")) from None
    problems = [*_find_unknown(path, content)]
    if problems:
        raise QavizError(*problems)
    chunks, prompt, model, review = (dict(content.get(name, {})) for name in ("chunks", "prompt", "model", "review"))
    template = prompt.pop("file", None)
    if isinstance(prompt.get("language"), list):
        prompt["languages"] = prompt.pop("language")
    changed: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in prompt.items()
    }
    own = Prompt(template=read_template(path.parent / template if template else None))
    made = Generation(
        chunking=Chunking(**chunks),
        prompt=replace(own, **changed),
        per_document=content.get("triplets", {}).get("per_document"),
        review=float(review.get("share", Generation().review)),
        seed=review.get("seed", 0),
    )
    made = replace(made, **model)
    check_generation(made, path.name)
    return made


def check_generation(made: Generation, where: str) -> None:
    """Raise QavizError with everything that will not do."""
    made.chunking.check()
    problems = []
    if unknown := [name for name in (*made.prompt.types, *made.prompt.mix) if name not in QUESTION_TYPES]:
        problems.append(("question types", ", ".join(map(str, unknown)), f"some of {', '.join(QUESTION_TYPES)}"))
    if not made.prompt.types:
        problems.append(("question types", "none", f"some of {', '.join(QUESTION_TYPES)}"))
    shares = [share for share in made.prompt.mix.values() if isinstance(share, int | float)]
    if made.prompt.mix and (len(shares) < len(made.prompt.mix) or min(shares) <= 0 or abs(sum(shares) - 1) > _ROUNDED):
        written = ", ".join(f"{name} {share}" for name, share in made.prompt.mix.items())
        problems.append(("mix", written, "shares above 0 that are 1 in all"))
    if not 1 <= made.prompt.per_chunk <= _MOST_PER_CHUNK:
        problems.append(("per_chunk", str(made.prompt.per_chunk), f"1 to {_MOST_PER_CHUNK}"))
    if not 0 <= made.review <= 1:
        problems.append(("share for review", f"{made.review:g}", "0 to 1"))
    if not 0 <= made.temperature <= 2:
        problems.append(("temperature", f"{made.temperature:g}", "0 to 2"))
    if any(
        set(example) - set(_EXAMPLE) or not {"question", "answer", "fact"} <= set(example)
        for example in made.prompt.examples
    ):
        problems.append(("examples", "another form", "tables with question, answer, fact and type"))
    if problems:
        raise QavizError(*(_problem(Path(where), f"{name}: {what}", wanted) for name, what, wanted in problems))


def _find_unknown(path: Path, content: Mapping[str, object]) -> list[Problem]:
    problems = []
    for section, fields in content.items():
        if section not in _FIELDS or not isinstance(fields, dict):
            problems.append(_problem(path, f"[{section}]", f"sections {', '.join(_FIELDS)}"))
            continue
        for name, value in fields.items():
            kind = _FIELDS[section].get(name)
            if kind is None or not isinstance(value, kind) or isinstance(value, bool):
                wanted = ", ".join(_FIELDS[section])
                problems.append(_problem(path, f"[{section}] {name} = {value!r}"[:200], f"{wanted}, of their kinds"))
    return problems


def _problem(path: Path, found: str, expected: str) -> Problem:
    return Problem(where=path.name, found=found, expected=expected, fix="Mend it there (docs/generation.md).")
