"""Whether a fact stands in a response on its own, or only inside a larger token: `12%` in `112%`."""

from qaviz.diagnosis.evidence import Evidence, Span, Stance

KIND = "verbatim"


def find(variant: str, response: str) -> Evidence:
    """Return where a response holds one fact variant, letter case aside.

    AGREES with the first place where it stands on its own; CONTRADICTS with the larger token when it only ever stands
    inside one; ABSENT when it is not there; SILENT for a blank variant.
    """
    wanted, text = _lower(variant.strip()), _lower(response)
    if not wanted:
        return Evidence(KIND, Stance.SILENT)
    golden = Span(0, len(variant), variant)
    inside: Span | None = None
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not _continues(text, start - 1, start) and not _continues(text, end - 1, end):
            return Evidence(KIND, Stance.AGREES, golden, Span(start, end, response[start:end]))
        inside = inside or _token(response, start, end)
        start = text.find(wanted, end)
    if inside is None:
        return Evidence(KIND, Stance.ABSENT, golden)
    return Evidence(KIND, Stance.CONTRADICTS, golden, inside, f"only inside “{inside.text}”")


def _lower(text: str) -> str:
    """Lower case of the same length, so that offsets hold in the text as written."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _continues(text: str, left: int, right: int) -> bool:
    """Whether the characters at two neighbouring offsets belong to one token."""
    if left < 0 or right >= len(text):
        return False
    before, after = text[left], text[right]
    if before.isdigit() and after.isdigit():
        return True
    if before.isdigit() and after in ".,":
        return right + 1 < len(text) and text[right + 1].isdigit()
    if before in ".," and after.isdigit():
        return left > 0 and text[left - 1].isdigit()
    return _cased(before) and _cased(after)


def _cased(character: str) -> bool:
    """Whether a character is of a script that parts its words with blanks; scripts without case mostly do not."""
    return character.lower() != character.upper()


def _token(text: str, start: int, end: int) -> Span:
    """Return the larger token around a match."""
    while _continues(text, start - 1, start):
        start -= 1
    while _continues(text, end - 1, end):
        end += 1
    return Span(start, end, text[start:end])
