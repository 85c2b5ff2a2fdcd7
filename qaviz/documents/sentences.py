"""Where a text may be cut: after sentences and clauses, in languages with and without spaces; never inside a number."""

import re
from collections.abc import Iterator

_END = re.compile(
    r"""
      (?<=[.!?…؟۔])["'”’»)\]]*\s+(?=\S)     # a full stop, and a space behind it
    | (?<=[。！？])["”’」』）]*                # Chinese and Japanese have no space there
    | \n+
    """,
    re.VERBOSE,
)
_NO_END = re.compile(
    r"(?:\b(?:[A-ZÀ-Þ]|[a-z]|Mr|Mrs|Ms|Dr|Prof|St|No|Nr|vs|etc|approx|ca|bzw|usw|Inc|Mio|Mrd|Co|Corp|Ltd|Jan|Feb|Mar|Apr|"
    r"Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Fig|Art|Abs|Tel|TP|Th?S|TS|PGS|GS)|(?<!\d)\d{1,2})\.$"
)
_CLAUSE = re.compile(r"[,;:，；：、،؛](?:\s+|(?<=[，；：、]))")


def sentence_ends(text: str) -> Iterator[int]:
    """Offsets at which sentences begin, but the first: after `. `, `。`, `؟ ` and line breaks.

    No sentence ends after an abbreviation, an initial, or a number and a point, as in `3. März`.
    """
    for end in _END.finditer(text):
        at = end.end()
        if at >= len(text):
            continue
        before = text[max(0, end.start() - 8) : end.start()]
        if "\n" in end.group() or not (_NO_END.search(before) or text[at].islower()):
            yield at


def pieces_of(text: str, most: int) -> Iterator[tuple[int, int]]:
    """Start and end of the sentences of a text; one longer than `most` characters in parts, cut after clauses, spaces,
    or anywhere but inside a number."""
    start = 0
    for end in (*sentence_ends(text), len(text)):
        while end - start > most:
            cut = _cut(text, start, start + most)
            yield start, cut
            start = cut
        if end > start:
            yield start, end
        start = end


def _cut(text: str, start: int, end: int) -> int:
    """The best place to cut between the middle and `end`."""
    window = text[start:end]
    half = len(window) // 2
    ends = (match.end() for match in _CLAUSE.finditer(window))
    clauses = [end for end in ends if end > half and not _in_number(text, start + end)]
    if clauses:
        return start + clauses[-1]
    spaces = [place + 1 for place, char in enumerate(window) if char.isspace() and place >= half]
    apart = [place for place in spaces if not _in_number(text, start + place)]
    if apart:
        return start + apart[-1]
    anywhere = (place for place in range(end, start + half, -1) if not _in_number(text, place))
    return next(anywhere, end)


_NUMBER_BEFORE = re.compile(r"[\d$€£¥₫][.,'’  ]?\s?$")
_NUMBER_BEHIND = re.compile(
    r"\s?(?:\d|%|[.,]\d|thousand|million|billion|trillion|nghìn|triệu|tỷ|Mio|Mrd|Million|Milliard|[万亿億兆])"
)


def _in_number(text: str, at: int) -> bool:
    """Whether a cut here would part a number, or a number from its scale: 12|.5, 1 |000, 12.5 |billion, 3|亿."""
    return bool(_NUMBER_BEFORE.search(text, max(0, at - 3), at) and _NUMBER_BEHIND.match(text, at))
