"""What stands where on a page of a PDF, which holds letters at places: words, in lines of pieces that are cut where a
gap is wider than between words; the gutter that parts the page; and tables, lines of several pieces whose figures share
columns, with the headers above them."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from qaviz.documents.blocks import Cell, is_figure

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
_MARKER = re.compile(r"[•●▪◦·*–—-]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]|\[\d{1,3}\]")
_LEAST_ROWS = 2
_MOST_HEADERS = 5
"""Lines of headers above the rows with figures, and most such rows that a line between them has cut off."""
_FAR, _HEADER_FAR = 2.2, 1.5
"""Heights of a line between two lines of one table, and between headers and the rows below them."""
_LONG = 60
"""Characters of a cell from which a line without figures is prose."""
_SHORT = 16
"""Characters of a cell, on average, up to which lines without figures may be a table."""
_BESIDE, _RARE = 0.2, 0.1
"""Share of a table's lines from which prose on one side says that the other side alone is a table; share of its rows
that may reach into the blank between two columns."""


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


class Piece(NamedTuple):
    """Words of a line that stand together."""

    text: str
    left: float
    right: float
    words: tuple[Word, ...]

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

    text_page, turn = page.get_textpage(), page.get_rotation()
    letters = [chr(pdfium.FPDFText_GetUnicode(text_page.raw, place) or 32) for place in range(text_page.count_chars())]
    words, line = list[Word](), 0
    for is_blank, group in groupby(range(len(letters)), lambda place: letters[place].isspace()):
        places = [*group]
        if is_blank:
            line += sum(letters[place] == "\n" for place in places)
            continue
        boxes = [text_page.get_charbox(place, loose=True) for place in places]
        for place, box in zip(places[1:], boxes[1:], strict=True):
            if letters[place].isdecimal() and letters[places[0]].isalnum() and _is_raised(boxes[0], box):
                letters[place] = letters[place].translate(_RAISED)
        sides = [*zip(*boxes, strict=True)]
        left, top, right, bottom = _turn_box((min(sides[0]), min(sides[1]), max(sides[2]), max(sides[3])), turn)
        # PDFium tells a letter beyond U+FFFF as two halves; one alone is no letter.
        text = "".join(letters[places[0] : places[-1] + 1]).encode("utf-16", "surrogatepass")
        words.append(Word(text.decode("utf-16", "replace"), left, right, top, bottom, line))
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


class FoundTable(NamedTuple):
    """A table of a page: its cells, the words that they take, and left and right of each column."""

    cells: tuple[Cell, ...]
    words: frozenset[Word]
    columns: tuple[tuple[float, float], ...]


def split_page(words: Sequence[Word]) -> list[str | FoundTable]:
    """The page's lines in reading order, each table in the place of its first word."""
    lines = list_lines(words)
    gutter = find_gutter(lines)
    tables = _find_tables(words, lines, gutter)
    table_of = {word: number for number, table in enumerate(tables) for word in table.words}
    parts: list[str | FoundTable] = []
    placed: set[int] = set()
    for line in _order_lines(words, lines, gutter):
        for number in dict.fromkeys(table_of[word] for word in line if word in table_of):
            if number not in placed:
                placed.add(number)
                parts.append(tables[number])
        if text := " ".join(word.text for word in line if word not in table_of):
            parts.append(text)
    return parts


def _find_tables(words: Sequence[Word], lines: Sequence[Line], gutter: float | None) -> list[FoundTable]:
    """The tables of a page, from the top down; on a page with two columns of prose, then those of either column. Prose,
    lists and tables of contents are none."""
    tables = _find_in_lines(lines)
    if gutter is None:
        return tables
    tables = [table for table in tables if not _stands_beside_prose(table, lines, gutter)]
    taken = frozenset(word for table in tables for word in table.words)
    left = [word for word in words if word not in taken and word.right <= gutter]
    right = [word for word in words if word not in taken and word.left >= gutter]
    return [*tables, *_find_in_lines(list_lines(left)), *_find_in_lines(list_lines(right))]


def _find_in_lines(lines: Sequence[Line]) -> list[FoundTable]:
    """The tables of these lines. Rows below a line of another kind go on with the table whose headers reach them."""
    tables: list[FoundTable] = []
    place = start = before = 0
    while place < len(lines):
        end = _end_table(lines, place)
        rows = [line for line in lines[place:end] if _has_cells(line)]
        if _are_rows(rows) and (columns := _find_columns(rows)):
            first = _first_header(lines, place, columns)
            if first < before and _are_below(columns, tables[-1].columns):
                tables.pop()
            else:
                start = max(first, before)
            tables.append(_build_table([_split_line(line, columns) for line in lines[start:end]], columns))
            place = before = end
        else:
            place += 1
    return tables


def _are_below(columns: Sequence[tuple[float, float]], above: Sequence[tuple[float, float]]) -> bool:
    """Whether as many columns stand at the same places."""
    pairs = zip(columns, above, strict=False)
    return len(columns) == len(above) and all(left < end and begin < right for (left, right), (begin, end) in pairs)


def _stands_beside_prose(table: FoundTable, lines: Sequence[Line], gutter: float) -> bool:
    """Whether what seems to be a table is one of a column together with the prose of the other."""
    left, right = sides_of(lines)
    own = [line for line in lines if not table.words.isdisjoint(line.words)]
    prose = sum(fills(line, left, gutter) or fills(line, gutter, right) for line in own)
    return prose >= _BESIDE * len(own)


def _has_cells(line: Line) -> bool:
    """Whether a line may be a row of a table: cells of figures, or several short cells with blanks between them."""
    pieces = line.pieces
    if len(pieces) < 2 or (len(pieces) == 2 and _MARKER.fullmatch(pieces[0].text)):
        return False
    if line.dotted and len(pieces) == 2 and pieces[1].text.isdecimal():
        return False  # a table of contents
    if any(is_figure(piece.text) for piece in pieces):
        return all(len(piece.text) <= 2 * _LONG for piece in pieces)
    width = pieces[-1].right - pieces[0].left
    filled = sum(piece.right - piece.left for piece in pieces)
    return len(pieces) > 2 and filled < DENSE * width and all(len(piece.text) < _LONG for piece in pieces)


def _end_table(lines: Sequence[Line], place: int) -> int:
    """The line behind the table that begins here; a section's name or the rest of a label stand between rows."""
    end = place
    while end < len(lines):
        if end > place and lines[end].top - lines[end - 1].bottom > _FAR * _height(lines[end]):
            break
        if not _has_cells(lines[end]):
            following = end + 1 < len(lines) and _has_cells(lines[end + 1])
            alone = len(lines[end].pieces) == 1 and len(lines[end].pieces[0].text) < _LONG
            if end == place or not (following and alone):
                break
        end += 1
    return end


def _height(line: Line) -> float:
    return max(line.bottom - line.top, 1.0)


def _are_rows(lines: Sequence[Line]) -> bool:
    """Whether lines with cells are a table's: most hold figures, or all hold as many short texts."""
    with_figures = sum(any(is_figure(piece.text) for piece in line.pieces) for line in lines)
    if len(lines) >= _LEAST_ROWS and 2 * with_figures >= len(lines):
        return True
    counts = {len(line.pieces) for line in lines}
    letters = [len(piece.text) for line in lines for piece in line.pieces]
    return len(lines) > _LEAST_ROWS and len(counts) == 1 and sum(letters) <= _SHORT * len(letters)


def _find_columns(rows: Sequence[Line]) -> list[tuple[float, float]]:
    """Left and right of each column, by the rows with figures: where hardly any row reaches, a column ends. Empty where
    rows share no columns: they are no table."""
    with_figures = [row for row in rows if any(is_figure(piece.text) for piece in row.pieces)]
    body = with_figures if len(with_figures) >= _LEAST_ROWS else rows
    most = sorted(len(row.pieces) for row in body)[len(body) // 2]
    body = [row for row in body if 2 * len(row.pieces) >= most]
    allowed = int(_RARE * len(body))
    pieces = [piece for row in body for piece in row.pieces]
    ends = sorted([(piece.left, 1) for piece in pieces] + [(piece.right, -1) for piece in pieces])
    columns: list[tuple[float, float]] = []
    covered, start = 0, 0.0
    for place, step in ends:
        if covered <= allowed < covered + step:
            start = place
        elif covered + step <= allowed < covered:
            columns.append((start, place))
        covered += step
    with_cells = sum(len(row.pieces) > 1 for row in body)
    return columns if len(columns) > 1 and with_cells >= _LEAST_ROWS else []


def _split_line(line: Line, columns: Sequence[tuple[float, float]]) -> Line:
    """The line with its pieces cut where a wide gap lies between two columns."""
    pieces: list[Piece] = []
    for piece in line.pieces:
        start = 0
        for place in range(1, len(piece.words)):
            before, word = piece.words[place - 1], piece.words[place]
            wide = word.left - before.right >= 0.4 * (word.bottom - word.top)  # of its height
            between = any(
                left[0] < before.right <= right[0] + 1 and left[1] - 1 <= word.left < right[1]
                for left, right in pairwise(columns)
            )
            if wide and between:
                pieces.append(make_piece(piece.words[start:place], line.dotted))
                start = place
        pieces.append(make_piece(piece.words[start:], line.dotted))
    return line._replace(pieces=tuple(pieces))


def _first_header(lines: Sequence[Line], place: int, columns: Sequence[tuple[float, float]]) -> int:
    """The first line of the headers above a table: short pieces above its columns, not prose and not a title."""
    first = place
    headers = 0
    while first and headers < _MOST_HEADERS and place - first - headers <= _MOST_HEADERS:
        above, below = lines[first - 1], lines[first]
        title = len(above.pieces) == 1 and above.pieces[0].left < columns[0][1] and len(columns) > 1
        if title or below.top - above.bottom > _HEADER_FAR * _height(above):
            break
        above = _split_line(above, columns)
        over = [piece for piece in above.pieces if piece.right > columns[0][1] and len(above.pieces) <= len(columns)]
        wide = any(piece.right - piece.left > 0.6 * (columns[-1][1] - columns[0][0]) for piece in above.pieces)
        inside = all(columns[0][0] < piece.right and piece.left < columns[-1][1] for piece in above.pieces)
        if not over or wide or not inside:
            break
        first -= 1
        if not any(is_figure(piece.text) for piece in above.pieces):
            headers += 1
    return first


def _build_table(lines: Sequence[Line], columns: Sequence[tuple[float, float]]) -> FoundTable:
    body = next((n for n, line in enumerate(lines) if any(is_figure(piece.text) for piece in line.pieces)), 0)
    while body > 1 and len(lines[body - 1].pieces) == 1 and _columns_of(lines[body - 1].pieces[0], columns) == (0, 0):
        body -= 1  # the name of a section
    cells: list[Cell] = []
    for row, line in enumerate(lines[:body]):
        spans = _span_headers(line, columns, lines[row + 1 : body])
        cells += [
            Cell(text=piece.text, row=row, column=first, columns=last - first + 1, header=True)
            for piece, (first, last) in zip(line.pieces, spans, strict=True)
        ]
    cells = _join_cells(cells, lambda cell: (cell.column, cell.columns))  # lines of one header
    waiting = ""
    dotted = any(DOTS.fullmatch(word.text) for line in lines for word in line.words)
    for row, line in enumerate(lines[body:], body):
        spans = [_columns_of(piece, columns) for piece in line.pieces]
        following = lines[row + 1].pieces[0].text if row + 1 < len(lines) else ""
        if len(line.pieces) == 1 and spans[0][0] == 0 and following[:1].islower():
            waiting = f"{waiting} {line.pieces[0].text}".strip()
            continue
        for piece, (first, _) in zip(line.pieces, spans, strict=True):
            text = f"{waiting} {piece.text}".strip() if first == 0 else piece.text
            text = text.rstrip(" .") if dotted and first == 0 else text
            cells.append(Cell(text=text, row=row, column=first))
        waiting = ""
    words = frozenset(word for line in lines for word in line.words)
    cells = _join_cells(cells, lambda cell: (cell.row, cell.column))
    return FoundTable(tuple(cells), words, tuple(columns))


def continue_table(table: FoundTable, before: FoundTable) -> FoundTable | None:
    """The first table of a page, below the headers of the one that ends the page before; None if it is another table.
    It goes on where its columns stand below those, and it begins with figures or has the same headers once more."""
    if not _are_below(table.columns, before.columns):
        return None
    first = next((cell.row for cell in table.cells if cell.column), 0)
    if not any(cell.header or is_figure(cell.text) for cell in table.cells if cell.row == first):
        return None
    headers = [cell for cell in before.cells if cell.header]
    own = [cell.text for cell in table.cells if cell.header]
    if own or not headers:
        return table if own == [cell.text for cell in headers] else None
    height = 1 + max(cell.row for cell in headers)
    return table._replace(cells=(*headers, *(replace(cell, row=cell.row + height) for cell in table.cells)))


def _columns_of(piece: Piece, columns: Sequence[tuple[float, float]]) -> tuple[int, int]:
    """First and last column that a piece stands in; the nearest where it stands between two."""
    inside = [n for n, (left, right) in enumerate(columns) if piece.left < right and left < piece.right]
    if inside:
        return inside[0], inside[-1]
    nearest = min(range(len(columns)), key=lambda n: abs((columns[n][0] + columns[n][1]) / 2 - piece.middle))
    return nearest, nearest


def _span_headers(line: Line, columns: Sequence[tuple[float, float]], below: Sequence[Line]) -> list[tuple[int, int]]:
    """First and last column of each header of a line. A header that stands in the middle above several columns spans
    them, where the lines below name each of them; one that goes on below does so only where all columns have a name."""
    spans = [_columns_of(piece, columns) for piece in line.pieces]
    if not below:
        return spans
    named = {_columns_of(piece, columns)[0] for lower in below for piece in lower.pieces}
    widest = [*spans]
    for number, piece in enumerate(line.pieces):
        first, last = spans[number]
        low = widest[number - 1][1] + 1 if number else 1
        high = spans[number + 1][0] - 1 if number + 1 < len(spans) else len(columns) - 1
        ranges = [(start, end) for start in range(low, first + 1) for end in range(last, high + 1)]
        fitting = [
            (start, end)
            for start, end in ranges
            if abs((columns[start][0] + columns[end][1]) / 2 - piece.middle)
            < 0.3 * (columns[end][1] - columns[end][0] + 10)  # near enough to their middle
            and named.issuperset(range(start, end + 1))
        ]
        widest[number] = max(fitting, key=lambda span: span[1] - span[0], default=spans[number])
    covered = {column for first, last in widest for column in range(first, last + 1)}
    whole = covered.issuperset(range(1, len(columns)))
    return [
        wide if whole or not _goes_on(piece, below) else span
        for piece, span, wide in zip(line.pieces, spans, widest, strict=True)
    ]


def _goes_on(piece: Piece, below: Sequence[Line]) -> bool:
    """Whether a header goes on in a line below: in a piece that begins, ends or has its middle at the same place."""
    near = _height(below[0]) / 2
    return any(
        min(abs(lower.left - piece.left), abs(lower.middle - piece.middle), abs(lower.right - piece.right)) < near
        for line in below
        for lower in line.pieces
    )


def _join_cells(cells: Iterable[Cell], place: Callable[[Cell], tuple[int, int]]) -> list[Cell]:
    """The cells, those of one place joined in their order."""
    joined: dict[tuple[int, int], Cell] = {}
    for cell in cells:
        before = joined.get(place(cell))
        joined[place(cell)] = replace(cell, text=f"{before.text} {cell.text}") if before else cell
    return [*joined.values()]


def _order_lines(words: Sequence[Word], lines: Sequence[Line], gutter: float | None) -> list[Sequence[Word]]:
    """The lines in the file's order; where a file writes through two columns of prose, those of the left column before
    those of the right one, down to the next line that crosses both."""
    written = [[*line] for _, line in groupby(words, key=lambda word: word.line)]
    if gutter is None or not any(line[0].right <= gutter <= line[-1].left for line in written):
        return [*written]
    ordered, right = list[Sequence[Word]](), list[Sequence[Word]]()
    for line in lines:
        if any(piece.left < gutter < piece.right for piece in line.pieces):
            ordered += [*right, line.words]
            right = []
        else:
            ordered.append([word for word in line.words if word.right <= gutter])
            right.append([word for word in line.words if word.left >= gutter])
    return [*ordered, *right]
