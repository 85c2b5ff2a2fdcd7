"""Documents cut into chunks: at headings, paragraphs and sentences, never inside a table row or a number.

A chunk ends where its own text says so, not after a fixed length: if a sentence is added at the beginning of a
document, the chunks some paragraphs later stay the same."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, NamedTuple, Self, TypedDict

import polars as pl
from pydantic import ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from qaviz.documents.blocks import CELLS, Document, Kind


class ChunkRow(TypedDict):
    """A chunk of a document."""

    chunk: str
    """The hash of its heading and text."""
    document: str
    document_hash: str
    heading: str
    """The headings that it stands below, ` > ` between them."""
    page: int | None
    """None where the format has no pages."""
    last_page: int | None
    start: int
    """In characters of the document's text."""
    end: int
    text: str


CHUNKS = pl.Schema(ChunkRow.__annotations__)
"""One row a chunk, in reading order."""

_LATIN, _WIDE, _OTHER = 4.0, 1.3, 2.2
"""Characters a token: of Latin letters, of Chinese, Japanese and Korean ones, and of marked or other ones."""
_WIDE_LETTER = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_MARKED = re.compile(r"[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ\u0370-\u1cff]", re.IGNORECASE)
_SAMPLE = 20_000

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


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid"))
class Chunking:
    """How documents are cut. In tokens, which are counted by characters: no tokenizer is downloaded."""

    size: Annotated[int, Field(ge=50, le=20_000)] = 600
    overlap: Annotated[int, Field(ge=0)] = 60
    """At most half of the size."""

    @model_validator(mode="after")
    def _leave_half(self) -> Self:
        if self.overlap > self.size // 2:
            raise ValueError("a chunk overlap of 0 to half of the chunk size")
        return self


def characters_per_token(text: str) -> float:
    """How many characters of this text make a token, by its letters: 4 for English, 1.3 for Chinese."""
    sample = text[:_SAMPLE]
    if not sample:
        return _LATIN
    wide = len(_WIDE_LETTER.findall(sample)) / len(sample)
    marked = min(1.0, 3 * len(_MARKED.findall(sample)) / len(sample))
    return 1 / (max(0.0, 1 - wide - marked) / _LATIN + wide / _WIDE + marked / _OTHER)


def chunk_documents(documents: Iterable[Document], chunking: Chunking) -> pl.DataFrame:
    """Return CHUNKS of all documents."""
    rows = [row for document in documents for row in _cut_document(document, chunking)]
    return pl.DataFrame(rows, schema=CHUNKS)


class _Piece(NamedTuple):
    """What is never cut: a heading, a table row, a sentence."""

    start: int
    end: int
    page: int | None
    rank: int
    """How good a cut before it is."""
    path: tuple[str, ...]
    """Headings that it stands below."""
    content: str


_SENTENCE, _ROW, _PARAGRAPH, _TABLE, _HEADING = range(5)


def _cut_document(document: Document, chunking: Chunking) -> Iterator[ChunkRow]:
    ratio = characters_per_token(document.text)
    size, overlap = int(chunking.size * ratio), int(chunking.overlap * ratio)
    pieces = [*_split_document(document, size)]
    first = done = 0
    while done < len(pieces):
        last = _find_end(pieces, first, size)
        if last <= done:  # The overlap leaves no room for what comes next.
            first = done
            continue
        start, end = pieces[first].start, pieces[last - 1].end
        text = document.text[start:end].rstrip()
        heading = " > ".join(pieces[first].path)
        yield ChunkRow(
            chunk=chunk_hash(heading, text),
            document=document.name,
            document_hash=document.sha256,
            heading=heading,
            page=pieces[first].page,
            last_page=pieces[last - 1].page,
            start=start,
            end=start + len(text),
            text=text,
        )
        done = last
        first = _find_overlap(pieces, first, last, overlap) if last < len(pieces) else last


def chunk_hash(heading: str, text: str) -> str:
    """What a chunk is known by: the first 16 bytes of the SHA-256 of its heading and text, in hexadecimal."""
    return hashlib.sha256(f"{heading}\0{text}".encode(errors="surrogatepass")).hexdigest()[:32]


def _split_document(document: Document, size: int) -> Iterator[_Piece]:
    path: list[tuple[int, str]] = []
    before = ""
    for kind, text, page, level, start in document.blocks.select("kind", "text", "page", "level", "start").iter_rows():
        if kind == Kind.HEADING:
            path = [heading for heading in path if heading[0] < level]
            yield _Piece(start, start + len(text), page, _HEADING, tuple(title for _, title in path), text)
            path.append((level, text))
        else:
            titles, is_row = tuple(title for _, title in path), kind == Kind.ROW
            rank = _PARAGRAPH if not is_row else _ROW if before == kind else _TABLE
            whole = is_row and len(text) <= 4 * size
            for begin, end in [(0, len(text))] if whole else pieces_of(text, size):
                yield _Piece(start + begin, start + end, page, _SENTENCE if begin else rank, titles, text[begin:end])
        before = kind


def _find_end(pieces: Sequence[_Piece], first: int, size: int) -> int:
    """The piece before which a chunk ends: a heading, from a quarter of its size on, or the best of its second half."""
    start, headed = pieces[first].start, False
    cuts: list[int] = []
    for place in range(first + 1, len(pieces)):
        length = pieces[place - 1].end - start
        headed = headed or pieces[place - 1].rank < _HEADING
        if pieces[place].rank == _HEADING and headed and length >= size / 4:  # enough for a chunk of its own
            return place
        if length >= size / 2:
            cuts.append(place)
        if pieces[place].end - start > size:
            best = max((pieces[cut].rank for cut in cuts), default=0)
            equal = [cut for cut in cuts if pieces[cut].rank == best] or [place]
            contents = {cut: pieces[cut].content.encode(errors="surrogatepass") for cut in equal}
            cut = moved = min(equal, key=lambda cut: hashlib.sha256(contents[cut]).digest())
            while moved - 1 > first and pieces[moved - 1].rank == _HEADING:  # not the chunk's last words
                moved -= 1
            return moved if moved > first + 1 or pieces[first].rank != _HEADING else cut
    return len(pieces)


def _find_overlap(pieces: Sequence[_Piece], first: int, last: int, overlap: int) -> int:
    """Where the chunk after `last` begins: so many characters before it, but not before a heading."""
    if pieces[last].rank == _HEADING:
        return last
    earliest = pieces[last].start - overlap
    begin = last
    while begin - 1 > first and pieces[begin - 1].rank != _HEADING and pieces[begin - 1].start >= earliest:
        begin -= 1
    return begin


def sentence_ends(text: str) -> Iterator[int]:
    """Offsets at which sentences begin, but the first: after `. `, `。`, `؟ ` and line breaks. None ends after an
    abbreviation, an initial, or a number and a point, as in `3. März`."""
    for end in _END.finditer(text):
        at = end.end()
        if at >= len(text):
            continue
        before = text[max(0, end.start() - 8) : end.start()]
        if "\n" in end.group() or not (_NO_END.search(before) or text[at].islower()):
            yield at


def list_sentences(text: str) -> Iterator[tuple[int, int, bool]]:
    """Start and end of each sentence and table row of a chunk's text, blanks left out; and whether it is a row."""
    begin = 0
    for line in text.split("\n"):
        is_row = CELLS in line
        ends = [] if is_row else [*sentence_ends(line)]
        for start, end in zip([0, *ends], [*ends, len(line)], strict=True):
            if sentence := line[start:end].strip():
                at = begin + start + line[start:end].index(sentence)
                yield at, at + len(sentence), is_row
        begin += len(line) + 1


def pieces_of(text: str, most: int) -> Iterator[tuple[int, int]]:
    """Start and end of the sentences of a text; one longer than `most` characters in parts, cut after the last clause,
    else the last blank, in the second half of a part, or at its end."""
    start = 0
    for end in (*sentence_ends(text), len(text)):
        while end - start > most:
            window = text[start : start + most]
            cuts = [*_CLAUSE.finditer(window)] or [*re.finditer(r"\s+", window)]
            cut = start + (cuts[-1].end() if cuts and 2 * cuts[-1].end() > most else most)
            yield start, cut
            start = cut
        if end > start:
            yield start, end
        start = end
