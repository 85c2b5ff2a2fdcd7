"""An XLSX workbook as rows of cells, streamed from its XML within a budget.

The usual fast reader lays a whole sheet out in memory before anybody can look at its size: a file of 7 kB whose last
cell is XFD1048576 ends the process. Nor does it tell numbers from texts.
"""

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from posixpath import normpath
from typing import IO, NamedTuple
from xml.etree.ElementTree import Element, ParseError, iterparse

from qaviz.loading.cells import Styles, unescaped
from qaviz.loading.problems import quoted, stop
from qaviz.loading.source import Source
from qaviz.loading.table import named_columns
from qaviz.model import QavizError

DECODED_LIMIT = 512 * 1024**2
"""Most bytes of XML in a workbook: a million rows of 400 characters have less."""

_WIDEST = 16_384
"""Columns of the widest sheet there can be."""

_PLAIN_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, ParseError, NotImplementedError, LookupError, ValueError
)  # fmt: skip  # one list
_REFERENCE = re.compile("([A-Z]{1,3})[0-9]{1,7}")
_ROW_NUMBER = re.compile("[0-9]{1,7}")
_WORKBOOK, _LINKS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"


class Cell(NamedTuple):
    """What one cell says, and whether it is a number (or date), or a formula that failed."""

    text: str
    is_number: bool = False
    is_error: bool = False


class Row(NamedTuple):
    """A row with something in it: its number, and its cells by column from 0."""

    number: int
    cells: dict[int, Cell]


@dataclass(frozen=True)
class Sheet:
    """A sheet with something in it. Its first row names the columns."""

    name: str
    columns: list[str]
    rows: Iterator[Row]
    """The rows below the first."""
    share_read: Callable[[], float]
    """How much of the sheet has been read, 0 to 1."""


@contextmanager
def open_book(source: Source) -> Iterator["Book"]:
    """The workbook. Raises QavizError for a file that is none, is broken, or is over the budget."""
    with source.open() as stream:
        with _damage_said(source.name):
            archive = zipfile.ZipFile(stream)
            _stop_at_bomb(source.name, archive)
            book = Book(source.name, archive)
        with archive:
            yield book


@contextmanager
def _damage_said(name: str) -> Iterator[None]:
    """Raise QavizError for what zip and XML readers raise over damaged bytes."""
    try:
        yield
    except _DAMAGE as error:
        raise broken(name, str(error)) from None


def broken(where: str, why: str) -> QavizError:
    """The error for a workbook that does not hold what it should."""
    fix = "Save it again as XLSX, without a password."
    return stop(where, f"a broken workbook, or one of another format ({why})", "an XLSX workbook", fix)


def _stop_at_bomb(name: str, archive: zipfile.ZipFile) -> None:
    # No part can be longer than it declares: zipfile stops reading there.
    size = sum(part.file_size for part in archive.infolist())
    if size > DECODED_LIMIT:
        found = f"a workbook of {size / 1024**2:,.0f} MB once unpacked"
        raise stop(name, found, f"at most {DECODED_LIMIT / 1024**2:,.0f} MB", "Save it as CSV or Parquet.")
    if any(part.flag_bits & _ENCRYPTED or part.compress_type not in _PLAIN_COMPRESSIONS for part in archive.infolist()):
        raise broken(name, "encrypted, or compressed as no spreadsheet is")


class Book:
    """An open workbook: its sheets, and what their cells refer to."""

    def __init__(self, name: str, archive: zipfile.ZipFile) -> None:
        self.name = name
        self._archive = archive
        targets = {link.get("Id"): _part(link.get("Target", "")) for link in self._each(_LINKS, "Relationship")}
        named = [(sheet.get("name", ""), _link(sheet)) for sheet in self._each(_WORKBOOK, "sheet")]
        self._sheets = {name: targets[link] for name, link in named if link in targets}
        self._strings = [_said(each) for each in self._each("xl/sharedStrings.xml", "si")]
        self._styles = self._read_styles()

    @property
    def sheets(self) -> tuple[str, ...]:
        """Names of all sheets, in order."""
        return tuple(self._sheets)

    def filled(self) -> Iterator[Sheet]:
        """The sheets that have anything in them, in order. Asking for the next one ends the reading of the last."""
        for name, part in self._sheets.items():
            if part not in self._archive.namelist():
                continue
            with _damage_said(self.name):
                stream = self._archive.open(part)
            rows = self._rows(stream, f"{self.name} sheet {quoted(name)}")
            first = next(rows, None)
            if first:
                header = [first.cells.get(place, Cell("")).text for place in range(max(first.cells) + 1)]
                share_read = partial(_share_read, stream, self._archive.getinfo(part).file_size)
                yield Sheet(name, named_columns(header), rows, share_read)
            stream.close()

    def _rows(self, stream: IO[bytes], where: str) -> Iterator[Row]:
        number = 0
        for element in _each(stream, "row", self.name):
            given = element.get("r", "")
            number = int(given) if _ROW_NUMBER.fullmatch(given) else number + 1
            place, cells = -1, dict[int, Cell]()
            for each in element:
                place = _column(each.get("r", "")) or place + 1
                try:
                    cell = self._cell(each)
                except (ValueError, IndexError):
                    raise broken(f"{where} row {number}", f"the cell {each.get('r')}") from None
                if cell.text and place < _WIDEST:
                    cells[place] = cell
            if cells:
                yield Row(number, cells)

    def _cell(self, element: Element) -> Cell:
        """What a cell says. Raises ValueError or IndexError for one that refers to what is not there."""
        value = next((each.text or "" for each in element if _tag(each) == "v"), "")
        match element.get("t", "n"):
            case "inlineStr":
                return Cell("".join(_said(each) for each in element if _tag(each) == "is"))
            case "s" if value:
                return Cell(self._strings[int(value)])
            case "b" if value:
                return Cell("TRUE" if value == "1" else "FALSE")
            case "e":
                return Cell(value, is_error=True)
            case "n" if value:
                return Cell(self._styles.shown(value, int(element.get("s", "0"))), is_number=True)
            case _:
                return Cell(unescaped(value))

    def _read_styles(self) -> Styles:
        codes = {
            int(each.get("numFmtId", "0")): each.get("formatCode", "") for each in self._each("xl/styles.xml", "numFmt")
        }
        used = next(self._each("xl/styles.xml", "cellXfs"), ())
        properties = next(self._each(_WORKBOOK, "workbookPr"), None)
        from_1904 = properties is not None and properties.get("date1904") in ("1", "true")
        return Styles(codes, [int(style.get("numFmtId", "0")) for style in used], from_1904=from_1904)

    def _each(self, part: str, tag: str) -> Iterator[Element]:
        """The elements of this name in a part; none if the workbook has no such part."""
        if part in self._archive.namelist():
            with _damage_said(self.name):
                stream = self._archive.open(part)
            with stream:
                yield from _each(stream, tag, self.name)


def _share_read(stream: IO[bytes], size: int) -> float:
    return stream.tell() / size


def _each(stream: IO[bytes], tag: str, name: str) -> Iterator[Element]:
    """The elements of this name, one at a time: what was read is forgotten."""
    above: list[Element] = []
    with _damage_said(name):
        for event, element in iterparse(stream, ("start", "end")):
            if event == "start":
                above.append(element)
                continue
            above.pop()
            if _tag(element) == tag:
                yield element
                if above:
                    above[-1].clear()


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _said(element: Element) -> str:
    """All text of a rich or plain string, without the reading aids that East Asian sheets have."""
    if _tag(element) == "rPh":
        return ""
    return unescaped(element.text or "") if _tag(element) == "t" else "".join(map(_said, element))


def _link(sheet: Element) -> str | None:
    """The id of the part that has the sheet; its attribute's namespace differs between dialects."""
    return next((value for key, value in sheet.items() if key.endswith("}id")), None)


def _part(target: str) -> str:
    """The name of the part that a link from the workbook leads to."""
    return target.removeprefix("/") if target.startswith("/") else normpath(f"xl/{target}")


def _column(reference: str) -> int | None:
    """The column of `AB12`, from 0; None if there is no such reference."""
    match = _REFERENCE.fullmatch(reference)
    if not match:
        return None
    place = 0
    for letter in match[1]:
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1
