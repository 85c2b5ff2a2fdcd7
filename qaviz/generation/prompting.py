"""What a model is asked for each chunk: a prompt that is a file of the user's, and the passage within a fence."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from qaviz.llm import Request, fence_texts
from qaviz.model.errors import Problem, QavizError

DEFAULT_PROMPT = Path(__file__).with_name("prompt.txt")
QUESTION_TYPES: Mapping[str, str] = {
    "single fact": "a question that one fact answers",
    "comparison": "a question that compares two things of the passage; the fact is the one that is more, less, earlier",
    "list": "a question whose answer is a list; the fact is one of its items",
    "yes/no": "a question that is answered by yes or no, which is the fact",
    "unanswerable": (
        "a question that fits the passage and that it does not answer; the answer says that the document does not say, "
        'and the fact is ""'
    ),
}
"""Kinds of questions, and how the model is told of them."""
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


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """How triplets are asked for."""

    template: str
    """The text of the prompt, with PLACEHOLDERS in braces."""
    types: tuple[str, ...] = ("single fact",)
    per_chunk: int = 5
    """Most triplets of a chunk that are asked for."""
    language: str | None = None
    """In which questions and answers are to be written (`German`); None: the passage's."""
    style: str = ""
    """A sentence on how to write: tone, brand words."""
    examples: tuple[Mapping[str, str], ...] = _EXAMPLES
    """Triplets as the model should write them: type, question, answer, fact."""

    @property
    def text(self) -> str:
        """The prompt with everything filled in."""
        fields = {
            "per_chunk": str(self.per_chunk),
            "types": "; ".join(f"{name} ({QUESTION_TYPES[name]})" for name in self.types),
            "variants": _VARIANTS,
            "language": f"Write in {self.language}.\n" if self.language else "Write in the language of the passage.\n",
            "style": f"{self.style.strip()}\n" if self.style.strip() else "",
            "examples": "\n".join(json.dumps(dict(each), ensure_ascii=False) for each in self.examples),
        }
        text = self.template
        for name, content in fields.items():
            text = text.replace(f"{{{name}}}", content)
        return text

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
    return QavizError(Problem(where=file.name, found=found, expected=expected, fix="Name another file as the prompt."))


def build_request(prompt: Prompt, chunk: Mapping[str, object], *, temperature: float, max_tokens: int) -> Request:
    """The request for one chunk, a row of CHUNKS. The same chunk and prompt make the same request."""
    headings = {"headings": str(chunk["heading"])} if chunk["heading"] else {}
    fence = fence_texts({"document name": str(chunk["document"]), **headings, "passage": str(chunk["text"])})
    return Request(
        system=f"{prompt.text}\n\n{fence.notice}", prompt=fence.text, temperature=temperature, max_tokens=max_tokens
    )
