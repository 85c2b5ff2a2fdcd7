"""What printing does to words, undone: ligatures, hyphens at the end of a line, words without a space between."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from qaviz.documents.blocks import Block

_LIGATURES = str.maketrans(
    {
        "ﬀ": "ff",
        "ﬁ": "fi",
        "ﬂ": "fl",
        "ﬃ": "ffi",
        "ﬄ": "ffl",
        "ﬅ": "ft",
        "ﬆ": "st",
        "\u00a0": " ",
        "\u202f": " ",
        "\u2009": " ",
        "\u200b": None,
        "\ufeff": None,
        "\0": None,
    }
)
_SOFT_HYPHEN = re.compile("(?:\u00ad|\ufffe|\x02)\\s*\\n?")
_HYPHEN_AT_END = re.compile(r"(?<=[^\W\d_]{2})[-‐]\n(?=[^\W\d_]{2})")
_WORD = re.compile(r"[^\W\d_]+")
_TWO_IN_ONE = re.compile(r"([^\W\d_]{2,}?[a-zà-ÿ])([A-ZÀ-Þ][a-zà-ÿ]+)")
_SMALL_WORDS = ("the", "and", "of", "for", "from", "with", "that", "was", "were", "are", "by", "in", "to")
_LEAST_BESIDE_SMALL = 5
_SEEN = 2
"""How often a word has to stand alone in the document, before it is taken out of a longer one."""


def mend_letters(text: str) -> str:
    """The text of a page with ligatures as letters, and words whole that a hyphen parts at the end of a line."""
    plain = text.translate(_LIGATURES).replace("\r\n", "\n").replace("\r", "\n")
    plain = _SOFT_HYPHEN.sub("", plain)
    return _HYPHEN_AT_END.sub(_rejoin_word, plain)


def _rejoin_word(match: re.Match[str]) -> str:
    """Nothing where a word goes on in small letters; a hyphen where a name or a compound does."""
    following = match.string[match.end()]
    return "" if following.islower() else "-"


def mend_glued_words(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks with a space between two words where the document has both words alone, and the two together once.

    `revenueGrew` needs both halves elsewhere in the document; `revenueof` its longer half twice. What a document
    writes so more than once is how it writes it.
    """
    kept = [*blocks]
    seen = Counter(word for block in kept for word in _WORD.findall(block.text))
    apart = {word: halves for word, number in seen.items() if number == 1 and (halves := _halves(word, seen))}
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, apart))})\b") if apart else None
    for block in kept:
        text = pattern.sub(lambda match: apart[match[0]], block.text) if pattern else block.text
        yield replace(block, text=text)


def _halves(word: str, seen: Counter[str]) -> str | None:
    """The two words that a word is made of, with a space between them; None for a word."""
    two = _TWO_IN_ONE.fullmatch(word)
    if two and _known(two[1], seen) and _known(two[2], seen):
        return f"{two[1]} {two[2]}"
    for small in _SMALL_WORDS:
        for long, halves in ((word.removesuffix(small), "{} " + small), (word.removeprefix(small), small + " {}")):
            if long != word and len(long) >= _LEAST_BESIDE_SMALL and seen[long] >= _SEEN:
                return halves.format(long)
    return None


def _known(word: str, seen: Counter[str]) -> bool:
    return bool(seen[word] or seen[word.lower()] or seen[word.capitalize()])
