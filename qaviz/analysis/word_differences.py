"""Which words of a response went, and which came in their place."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

MOST_WORDS = 150
"""Words of a response that are compared; comparing takes time by their square."""
MOST_CHARACTERS = 2_000


@dataclass(frozen=True, kw_only=True)
class WordDifference:
    """A stretch of two texts: the same words in both, or what went and what came."""

    before: str
    after: str

    @property
    def same(self) -> bool:
        """Whether both have the same words."""
        return self.before == self.after


def compare_words(before: str, after: str) -> Iterator[WordDifference]:
    """Yield both texts from their beginning, stretch by stretch, as far as MOST_WORDS and MOST_CHARACTERS go."""
    old, new = (text[:MOST_CHARACTERS].split()[:MOST_WORDS] for text in (before, after))
    for _, first, last, begin, end in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        yield WordDifference(before=" ".join(old[first:last]), after=" ".join(new[begin:end]))
