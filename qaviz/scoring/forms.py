"""Columns of texts in the forms that FMEval compares, equal to `definition` for every character there is."""

import re
from functools import cache, reduce
from operator import or_

import polars as pl

from qaviz.scoring.definition import PUNCTUATION

WHITE_SPACE = "".join(filter(str.isspace, map(chr, range(0x3001))))
"""What `str.strip` and `str.split` take for white space; U+3000 is the last. polars lacks U+001C to U+001F."""

_PUNCTUATION = f"[{re.escape(PUNCTUATION)}]+"
_ARTICLES = " (?:(?:a|an|the)? )+"
"""Between blanks, as FMEval splits at blanks alone. One match takes all of `the  a`, whose blanks are shared."""
_OTHER_WHITE_SPACE = f"[{WHITE_SPACE.replace(' ', '')}]"
_LAST_CASED_PLANE = 0x1FFFF
"""No plane beyond this one holds letters with case."""


def lower(texts: pl.Series) -> pl.Series:
    """Return the texts as `str.lower` does."""
    utf8 = texts.cast(pl.Binary)
    differs = reduce(or_, (utf8.bin.contains(some) for some in _lowered_otherwise()))
    lowered = texts.str.to_lowercase()
    if not differs.any():
        return lowered
    as_python = [text.lower() if odd else None for text, odd in zip(texts, differs, strict=True)]
    return lowered.zip_with(~differs, pl.Series(as_python, dtype=pl.String))


@cache
def _lowered_otherwise() -> list[bytes]:
    """Return bytes of which a text holds some if polars and this Python may disagree on its lower case.

    They follow different editions of Unicode; and whether a sigma is final depends on its neighbours' properties.
    A character is known by its bytes but the last, for few searches: what is caught needlessly comes to no harm.
    """
    # All at once, a line each: one by one this would take longer than lowering a thousand responses.
    characters = "\n".join(chr(point) for point in range(0x80, _LAST_CASED_PLANE + 1) if not 0xD800 <= point < 0xE000)
    each, as_python = (pl.Series([text]).str.split("\n").explode() for text in (characters, characters.lower()))
    differing = each.filter(each.str.to_lowercase() != as_python)
    return sorted({"Σ".encode()} | {one.encode()[:-1] for one in differing})


def strip(texts: pl.Series) -> pl.Series:
    """Return the texts as `str.strip` does."""
    beyond_polars = texts.str.contains("[\x1c-\x1f]").any()
    return texts.str.strip_chars(WHITE_SPACE if beyond_polars else None)


def normal(lowered: pl.Series) -> pl.Series:
    """Return texts in lower case as `definition.normalise` leaves them after `strip`, between two blanks.

    An empty one is a single blank. The blanks change neither whether two texts are equal nor whether one holds the
    other once it is trimmed of them: a normalised text never begins or ends with a blank.
    """
    bare = strip(lowered).str.replace_all(_PUNCTUATION, "")
    return (" " + bare + " ").str.replace_all(_ARTICLES, " ")


def words(normalised: pl.Series) -> pl.Series:
    """Return lists of the words of texts from `normal`, repeated ones too, and with the empty text in each list."""
    return normalised.str.replace_all(_OTHER_WHITE_SPACE, " ").str.split(" ")


def holds(text: pl.Expr, part: pl.Expr) -> pl.Expr:
    """Return whether the text holds the part.

    In bytes: of a part that stands alone in its column, polars would make a regex, which has a limit.
    """
    return text.cast(pl.Binary).bin.contains(part.cast(pl.Binary))
