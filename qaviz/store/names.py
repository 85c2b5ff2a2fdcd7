"""What people may write into the index: names, tags, notes. Kept as text in Unicode's NFC, and shown as text alone."""

import re
import unicodedata

from qaviz.model.errors import stop

LONGEST_NAME = 120
"""Characters in a name, of a run or a person."""

NAME_OF_RUN = "name of the run"
NAME_OF_PERSON = "your name"

_STEERS = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
"""Control characters, line separators, the marks that make text run backwards, and halves of characters."""
_UNSEEN = r"\u200b\u2060-\u2064\ufeff"
"""Characters without width that no script needs: two names that differ by one look alike. Joiners of emoji stay."""
_NOT_IN_A_NAME = re.compile(rf"[{_STEERS}{_UNSEEN}\t\n]")
_NOT_IN_A_TEXT = re.compile(rf"[{_STEERS}]")


def as_kept(name: str) -> str:
    """The name as it is kept: without blanks at its ends, in Unicode's NFC."""
    return unicodedata.normalize("NFC", name.strip())


def checked_name(name: str, where: str, longest: int = LONGEST_NAME) -> str:
    """The name as it is kept. Raises QavizError if it will not do `where` it stands."""
    kept = as_kept(name)
    if not kept:
        words = "a blank name"
    elif len(kept) > longest:
        words = f"a name of {len(kept)} characters"
    elif _NOT_IN_A_NAME.search(kept):
        words = f"a control character in the name {kept!a}"
    else:
        return kept
    raise stop(where, words, f"1 to {longest} characters on one line", "Choose another name.")


def checked_text(text: str, where: str, longest: int) -> str:
    """A text of several lines as it is kept; it may be empty. Raises QavizError if it is too long, or steers a screen.

    Its lines end as on every system: `\\n`.
    """
    kept = as_kept("\n".join(text.splitlines()))
    if len(kept) > longest:
        raise stop(where, f"{len(kept):,} characters", f"at most {longest:,} characters", "Make it shorter.")
    if _NOT_IN_A_TEXT.search(kept):
        raise stop(where, "a control character", "letters, marks and line breaks", "Type it again.")
    return kept


def on_one_line(text: str, longest: int) -> str:
    """The text as a remark in a list: one line, cut to so many characters, with nothing in it that steers a screen."""
    line = _NOT_IN_A_NAME.sub("\ufffd", " ".join(as_kept(text).split()))
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
