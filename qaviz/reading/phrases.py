"""Phrases with what they mean: found where they begin, where they end, or anywhere in a text."""

import re
from collections.abc import Iterator, Mapping


class Phrases:
    """Words and phrases with what they mean, found where they begin or where they end."""

    def __init__(self, meanings: Mapping[str, str], *, spaced: bool) -> None:
        self.meanings = meanings
        self._spaced = spaced
        by_length = sorted(meanings, key=len, reverse=True)
        self._by_first: dict[str, list[str]] = {}
        self._by_last: dict[str, list[str]] = {}
        for phrase in by_length:
            self._by_first.setdefault(first_word(phrase, spaced), []).append(phrase)
            self._by_last.setdefault(_last_word(phrase, spaced), []).append(phrase)

    def at(self, level: str, start: int) -> tuple[int, str] | None:
        """The longest phrase that begins at `start`: where it ends, and what it means."""
        if not self.meanings:
            return None
        word = _WORD.match(level, start) if self._spaced else None
        key = word.group() if word else level[start : start + 1]
        for phrase in self._by_first.get(key, ()):
            end = start + len(phrase)
            if level.startswith(phrase, start) and not (
                self._spaced and phrase[-1].isalnum() and level[end : end + 1].isalnum()
            ):
                return end, self.meanings[phrase]
        return None

    def before(self, head: str) -> tuple[int, str] | None:
        """The longest phrase with which `head` ends: where it begins, and what it means."""
        if not head or not self.meanings:
            return None
        for phrase in self._by_last.get(_last_word(head, self._spaced), ()):
            start = len(head) - len(phrase)
            if head.endswith(phrase) and not (
                self._spaced and start and phrase[0].isalnum() and head[start - 1].isalnum()
            ):
                return start, self.meanings[phrase]
        return None


_WORD = re.compile(r"[^\W\d_]+|\S")
_LAST = re.compile(r"[^\W\d_]+|.")


def first_word(phrase: str, spaced: bool) -> str:
    """The word, or the character where words are not spaced, with which a phrase is found."""
    word = _WORD.match(phrase) if spaced else None
    return word.group() if word else phrase[:1]


def _last_word(text: str, spaced: bool) -> str:
    if not spaced or not text[-1].isalnum():
        return text[-1:]
    word = text[text.rfind(" ") + 1 :]
    return word if word.isalpha() else _LAST.findall(word)[-1]


class Events:
    """Phrases of events, found all at once."""

    def __init__(self, meanings: Mapping[str, str], *, spaced: bool) -> None:
        self._meanings = meanings
        self._firsts = frozenset(first_word(phrase, spaced) for phrase in meanings)
        either = "|".join(map(re.escape, sorted(meanings, key=len, reverse=True)))
        self._pattern = re.compile(rf"(?<![^\W_])(?:{either})(?![^\W_])" if spaced else either)
        self._spaced = spaced

    def isdisjoint_of(self, level: str) -> bool:
        """Whether a text has none of their first words: quickly told of most."""
        if not self._spaced:
            return not any(first in level for first in self._firsts)
        return self._firsts.isdisjoint(_WORD.findall(level))

    def find(self, level: str, begin: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Where each stands, and what it means."""
        for match in self._pattern.finditer(level, begin, end):
            yield match.start(), match.end(), self._meanings[match.group()]
