"""A text in small letters with plain quotes, blanks, dashes and digits, as long as the text; its sentences."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

READ = 20_000
"""Characters of a text that are read: ten pages, more than an answer needs."""
LETTERS = re.compile(r"[^\W\d_]+")
"""A word without digits."""
REMEMBERED = 2_048
"""Texts that are remembered: at least those of the rows that are read together, so that each is read once."""

_TYPOGRAPHY = {"'": "’‘ʼ′`´", '"': "“”«»„", " ": "\u00a0\u202f\u2009\u2007\u3000", "-": "‐‑‒–—−", ",": "，", ".": "．"}
_PLAIN = tuple((written, plain) for plain, all_written in _TYPOGRAPHY.items() for written in all_written)
_FULL_WIDTH = {
    code: code - 0xFEE0
    for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B), 0xFF05, 0xFF0F)
}
_FULL_WIDTH |= {0x2080 + digit: 0x30 + digit for digit in range(10)}
_WIDE = re.compile("[\uff05-\uff5a\u2080-\u2089]")
_PRIVATE = re.compile("[\ue000-\uf8ff]")
"""Letters without a meaning of their own, with which PDFs draw bullets and frames."""


@lru_cache(maxsize=REMEMBERED)
def level_text(text: str) -> str:
    """`text` in small letters with plain quotes, blanks, dashes and digits, as long as `text`: positions stay true."""
    lower = text.lower()
    if lower.isascii():
        return lower
    if len(lower) != len(text):
        lower = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
    for written, plain in _PLAIN:
        # Replaced one by one: ten times as fast as `str.translate`.
        lower = lower.replace(written, plain)
    if _WIDE.search(lower):
        lower = lower.translate(_FULL_WIDTH)
    return _PRIVATE.sub(" ", lower)


def compose(text: str) -> tuple[str, Sequence[int]]:
    """The text in Unicode's NFC, as readers want it, and where each of its characters, and its end, stands in `text`.

    PDFs and file systems write `é` as two characters.
    """
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return text, range(len(text) + 1)
    clusters = [(match, unicodedata.normalize("NFC", match[0])) for match in _cluster().finditer(text)]
    # Marks that compose with nothing stay: what ends before them does not end where it began.
    places = [min(match.start() + place, match.end()) for match, cluster in clusters for place in range(len(cluster))]
    return "".join(cluster for _, cluster in clusters), [*places, len(text)]


@cache
def _cluster() -> re.Pattern[str]:
    """A character with the marks, or parts of a Korean syllable, behind it."""
    marks = "".join(letter for code in range(0x300, 0x1F000) if unicodedata.category(letter := chr(code))[0] == "M")
    return re.compile(rf".[{marks}\u1160-\u11ff]*", re.DOTALL)


def without_marks(text: str) -> str:
    """The text without accents and tone marks, `đ` as `d`."""
    plain = unicodedata.normalize("NFD", text.replace("đ", "d").replace("Đ", "D"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


_STOP = re.compile(
    r"""
    [.!?…][")'\]*]{0,4}\s+(?=\S)    # the end of a sentence; a decimal point has no blank after it
  | [。！？][」』）]?               # of languages without blanks
  | \n\s*                           # the end of a line or of a list's entry
    """,
    re.VERBOSE,
)
_ABBREVIATIONS = frozenset(
    (
        *("mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "inc", "ltd", "corp", "co", "vs", "gen", "sen", "rep"),
        *("u.s", "u.k", "e.g", "i.e", "no", "nr", "approx", "z.b", "bzw", "ca", "mio", "mrd", "tp", "ths", "ts", "d.h"),
        *("sra", "dott"),
    )
)
_LONGEST_ABBREVIATION = 6
_MONTHS = ("jan", "jän", "feb", "mär", "mrz", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez", "des")
"""How months begin that are written behind a day with a dot: 22. März."""


@lru_cache(maxsize=REMEMBERED)
def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """The sentences, lines and list entries of a text, as (start, end), without the blanks around them."""
    parts, start = [], 0
    for stop in _STOP.finditer(text):
        begin = stop.start()
        if text[begin] == "." and _ends_abbreviation(text, start, begin):
            continue
        end = begin + len(stop.group().rstrip())
        if text[start:end].strip():
            parts.append((start, end))
        start = stop.end()
    if text[start:].strip():
        parts.append((start, start + len(text[start:].rstrip())))
    return tuple(parts)


def _ends_abbreviation(text: str, start: int, dot: int) -> bool:
    """Whether the dot belongs to an abbreviation, an initial or a list's number."""
    head = text[max(start, dot - _LONGEST_ABBREVIATION - 1) : dot]
    word = head[max(head.rfind(" "), head.rfind("("), head.rfind("\n")) + 1 :]
    if word.isdigit():
        return dot - start == len(word) or (
            len(word) <= 2
            and text[dot + 2 : dot + 3].isalpha()
            and (not text[dot + 2].isupper() or text[dot + 2 : dot + 5].lower() in _MONTHS)
        )
    return (len(word) == 1 and word.isalpha() and word.isupper()) or word.lower() in _ABBREVIATIONS


Edge = Callable[[str, int], bool]
"""Whether a word begins, or ends, at a place of a levelled text."""


def at_edge(text: str, place: int) -> bool:
    """Whether no word goes on at a place; scripts without blanks have edges everywhere."""
    return not (
        0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum() and text[place] < "\u2e80"
    )


def find_words(level: str, words: str, begins: Edge = at_edge, ends: Edge = at_edge) -> int:
    """Return where `words` stand in a levelled text between the edges of words; -1 where they do not."""
    start = level.find(words)
    while start >= 0 and not (begins(level, start) and ends(level, start + len(words))):
        start = level.find(words, start + 1)
    return start


def holds_words(level: str, words: str) -> bool:
    """Whether `words` stand in a levelled text between the edges of words."""
    return find_words(level, words) >= 0
