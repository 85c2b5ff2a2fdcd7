"""Where words stand on a page of a PDF: lines of pieces, cut where a gap is wider than between words; and the
gutter that parts the page."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from qaviz.documents.blocks import is_figure

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

_GAP = 0.75
"""Widths of a gap between two cells, in heights of the letters; between two figures `_FIGURE_GAP`."""
_CROSSING, _PROSE = 0.2, 0.2
"""Of a page's lines, the most that cross the blank between two columns, and the least that are prose on either side."""
DENSE = 0.8
"""Share of a line's width that text fills from which lines without figures are columns of prose."""
_FIGURE_GAP, _THOUSANDS_GAP = 0.2, 0.35
"""Up to the second one three digits behind a figure are its thousands: `134 383`."""
Box = tuple[float, float, float, float]
_DASH = re.compile("[-–—]")
_SIGN = re.compile(r"[$€£¥(]{1,2}|US\$|USD|EUR")
_BEHIND = re.compile(r"[)%‰]{1,2}|\)%?[*†‡]?")
DOTS = re.compile(r"[.…·_]+")
_LEADERS = 3
"""Words of dots alone from which they lead from a label to its value."""


class Word(NamedTuple):
    """A word and its place on the page as it is read: from the left, and from the top down."""

    text: str
    left: float
    right: float
    top: float
    bottom: float
    line: int
    """Its line in the order in which the file writes its text."""

    @property
    def middle(self) -> float:
        """Half way between its top and its bottom."""
        return (self.top + self.bottom) / 2


@dataclass(frozen=True)
class Piece:
    """Words of a line that stand together."""

    text: str
    left: float
    right: float
    words: tuple[Word, ...] = field(repr=False)

    @property
    def middle(self) -> float:
        """Half way between its sides."""
        return (self.left + self.right) / 2


class Line(NamedTuple):
    """Pieces at one height, from the left."""

    pieces: tuple[Piece, ...]
    top: float
    bottom: float
    words: tuple[Word, ...]
    dotted: bool
    """Whether dots lead from one piece to the next."""


def read_words(page: "PdfPage") -> list[Word]:
    """The words of a page in the file's own order, turned as the page is shown."""
    import pypdfium2.raw as pdfium

    text_page = page.get_textpage()
    turn = page.get_rotation()
    words: list[Word] = []
    letters: list[str] = []
    boxes: list[Box] = []
    line = 0

    def end_word() -> None:
        if letters:
            sides = [*zip(*boxes, strict=True)]
            box = (min(sides[0]), min(sides[1]), max(sides[2]), max(sides[3]))
            left, top, right, bottom = _turn_box(box, turn)
            # PDFium tells a letter beyond U+FFFF as two halves; one alone is no letter.
            text = "".join(letters).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            words.append(Word(text, left, right, top, bottom, line))
        letters.clear()
        boxes.clear()

    for place in range(text_page.count_chars()):
        letter = chr(pdfium.FPDFText_GetUnicode(text_page.raw, place) or 32)
        if letter.isspace():
            end_word()
            if letter == "\n":
                line += 1
        else:
            box = text_page.get_charbox(place, loose=True)
            if letter.isdecimal() and letters and letters[0].isalnum() and _is_raised(boxes[0], box):
                letter = letter.translate(_RAISED)
            letters.append(letter)
            boxes.append(box)
    end_word()
    text_page.close()
    return words


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SMALL, _UP = 0.85, 0.15
"""Heights of a word's first letter: up to which a digit is small, and from which it stands above the line."""


def _is_raised(first: Box, box: Box) -> bool:
    """Whether a digit is set small and high behind a word: the mark of a note, which is no part of the number."""
    height = first[3] - first[1]
    return box[3] - box[1] < _SMALL * height and box[1] - first[1] > _UP * height


def _turn_box(box: Box, turn: int) -> Box:
    """Left, top, right, bottom as the page is shown, from a box that is measured upwards; from no certain corner."""
    left, low, right, high = box
    turned = {90: (low, left, high, right), 180: (-right, low, -left, high), 270: (-high, -right, -low, -left)}
    return turned.get(turn, (left, -high, right, -low))


def list_lines(words: Iterable[Word]) -> list[Line]:
    """The lines of a page from the top down, words of one height together, cut into pieces at wide gaps."""
    groups: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.middle):
        last = groups[-1] if groups else []
        near = bool(last) and word.middle - last[-1].middle < (word.bottom - word.top) / 2
        if near and last[0].top < word.middle < last[0].bottom:
            last.append(word)
        else:
            groups.append([word])
    lines: list[Line] = []
    for line in (_cut_line(sorted(group, key=lambda word: word.left)) for group in groups):
        if line.pieces:
            lines.append(line)
        elif lines:  # dots that lead to a value of the line before
            lines[-1] = lines[-1]._replace(words=lines[-1].words + line.words)
    return lines


def _cut_line(words: Sequence[Word]) -> Line:
    """The words at one height as cells: a sign joins the figure behind it, a closing bracket the one before."""
    dots = [word for word in words if DOTS.fullmatch(word.text)]
    dotted = len(dots) >= _LEADERS or any(len(word.text) > _LEADERS for word in dots)
    pieces: list[list[Word]] = []
    for word in words:
        if dotted and DOTS.fullmatch(word.text):
            continue
        before = pieces[-1][-1] if pieces else None
        joined = before is not None and (_SIGN.fullmatch(before.text) or _BEHIND.fullmatch(word.text))
        if before is not None and (joined or not _is_gap(before, word)):
            pieces[-1].append(word)
        else:
            pieces.append([word])
    made = tuple(make_piece(piece, dotted) for piece in pieces)
    return Line(made, min(word.top for word in words), max(word.bottom for word in words), tuple(words), dotted)


def make_piece(words: Sequence[Word], dotted: bool = False) -> Piece:
    """The words as one piece; of a line whose dots lead to values, without the dots at its end."""
    text = " ".join(word.text for word in words)
    return Piece(text.rstrip(" .…") if dotted else text, words[0].left, words[-1].right, tuple(words))


def _is_gap(before: Word, word: Word) -> bool:
    """Whether two words are two cells."""
    gap, height = word.left - before.right, max(word.bottom - word.top, 1.0)
    in_range = any(_DASH.fullmatch(side.text) for side in (before, word))  # low and high of one cell: `1.27 - 1.42`
    if not in_range and is_figure(before.text) and is_figure(word.text) and gap > _FIGURE_GAP * height:
        return not (gap < _THOUSANDS_GAP * height and re.fullmatch(r"\d{3}", word.text) and before.text.isdecimal())
    return gap > _GAP * height


def find_gutter(lines: Sequence[Line]) -> float | None:
    """Where the blank between two columns of prose stands; None on a page that has no two."""
    pieces = [piece for line in lines for piece in line.pieces]
    left, right = sides_of(lines)
    places = sorted((left + (right - left) * n / 100 for n in range(35, 66)), key=lambda x: abs(x - (left + right) / 2))
    gutter = min(places, key=lambda x: sum(piece.left < x < piece.right for piece in pieces))
    crossing = sum(piece.left < gutter < piece.right for piece in pieces)
    prose = min(sum(fills(line, *side) for line in lines) for side in ((left, gutter), (gutter, right)))
    return gutter if lines and crossing <= _CROSSING * len(lines) and prose >= _PROSE * len(lines) else None


def sides_of(lines: Sequence[Line]) -> tuple[float, float]:
    """Where the text of a page begins at the left and ends at the right; 0 without lines."""
    lefts, rights = [line.pieces[0].left for line in lines], [line.pieces[-1].right for line in lines]
    return min(lefts, default=0.0), max(rights, default=0.0)


def fills(line: Line, left: float, right: float) -> bool:
    """Whether the text of a line fills a column of the page, as prose does."""
    inside = [piece for piece in line.pieces if piece.left >= left - 1 and piece.right <= right + 1]
    return sum(piece.right - piece.left for piece in inside) > DENSE * (right - left)
