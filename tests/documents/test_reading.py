"""Documents of all formats become text with places, and what cannot be read is one clear line."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from qaviz.documents import READERS, Document, find_documents, read_document, read_documents
from qaviz.documents.blocks import block_table
from qaviz.documents.formats.pdf import mend_letters
from qaviz.loading import Source, silent
from qaviz.loading.apart import ask
from qaviz.model.errors import QavizError
from tests.documents import files
from tests.documents.impatient import read_soon
from tests.growth import ROOM, growth

MADE = Path(__file__).with_name("made")
BLOCKS = json.loads((MADE / "blocks.json").read_text("utf-8"))
"""By the name of a file of MADE, or of one that is made here: headings, paragraphs and rows that it has, in order."""
WRITTEN = {
    "a.docx": files.docx,
    "a.pptx": files.pptx,
    "a.xlsx": files.xlsx,
    "a.pdf": lambda: files.pdf(["Annual report", "Total revenue grew 12% to $575 bil-", "lion in 2023."]),
}


def read(tmp_path: Path, name: str, content: bytes | str) -> Document:
    return files.read(Source.of(files.write(tmp_path, name, content)))


def blocks(document: Document) -> list[tuple[str, str]]:
    return [(kind, text) for kind, text in document.blocks.select("kind", "text").iter_rows()]


@pytest.mark.parametrize("name", BLOCKS)
def test_each_format_becomes_headings_paragraphs_and_rows(tmp_path: Path, name: str):
    """What a person reads of the file is there, in order, and each block stands in the text at its offsets."""
    expected = [(kind, text) for kind, text in BLOCKS[name]]
    document = read(tmp_path, name, WRITTEN[name]() if name in WRITTEN else (MADE / name).read_bytes())

    found = blocks(document)
    assert [each for each in found if each in expected] == expected
    for text, start, end in document.blocks.select("text", "start", "end").iter_rows():
        assert document.text[start:end] == text
    assert not any(word in document.text for word in ("not read", "alert", "Home", "**", "http"))


def test_pages_stay_with_their_text(tmp_path: Path):
    """Blocks of a PDF know their page, and slides their number; rows of figures stay rows."""
    document = read(tmp_path, "a.pdf", files.pdf(["First page."], ["Second page.", "Europe 118 131", "Asia 80 91"]))

    assert document.blocks.select("text", "page").rows() == [
        ("First page.", 1), ("Second page.", 2), ("Europe 118 131", 2), ("Asia 80 91", 2),
    ]  # fmt: skip


def test_two_columns_are_read_one_after_the_other(tmp_path: Path):
    """Where a file writes through both columns line by line, the left one stands whole before the right one, below what
    stands above both."""
    title = "Rules of the hotel for all its guests and the staff of both of its houses on the shore of the lake"
    left = ("The hotel opened in 1998 and has at this time", "240 beds on its seven floors, most of which look")
    left += ("over the lake in front of it, to the west, and a", "second house followed in the year of 2004.")
    right = ("Guests may cancel until 24 hours before they", "arrive; a fee of 30 euros is due after that, and")
    right += ("for dogs another 12 euros are due a day. A bed", "for a child costs 15 euros a night in all rooms.")
    page = [title, *([(60, one), (320, other)] for one, other in zip(left, right, strict=True))]
    text = " ".join(read(tmp_path, "a.pdf", files.pdf(page)).text.split())
    assert text == " ".join((title, *left, *right))


def test_what_printing_did_is_mended(tmp_path: Path):
    """Ligatures are letters, hyphens at line ends go, running headers and page numbers go."""
    pages = [["Annual report 2023", f"Another text {'abc'[n]}.", "More of it.", f"Page {n + 2} of 4"] for n in range(3)]
    document = read(tmp_path, "a.pdf", files.pdf(*pages))

    assert (
        mend_letters("o\ufb03ce costs were \ufb02at\u00a0in \ufb01scal 2023") == "office costs were flat in fiscal 2023"
    )
    assert "Page" not in document.text
    assert "Annual report 2023" not in document.text


def test_pages_without_text_are_said(tmp_path: Path):
    """Scanned pages are counted and named; a document of nothing but those is refused and says why."""
    document = read(tmp_path, "a.pdf", files.pdf(["Some text here."], [], []))
    assert "2 of 3 pages hold no text" in document.notes[0]

    with pytest.raises(QavizError, match="2 of 2 pages hold no text"):
        read_document(Source.of(files.write(tmp_path, "b.pdf", files.pdf([], []))))


def bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"\0" * 50_000_000)
    return out.getvalue()


BAD = {
    "encrypted.pdf": (files.locked(files.pdf(["x"])), "password"),
    "broken.pdf": (b"%PDF-1.7 nothing", "broken"),
    "empty.pdf": (b"", "empty"),
    "empty.docx": (b"", "empty"),
    "locked.docx": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "password"),
    "no.docx": (b"hello", "broken"),
    "bomb.docx": (bomb, "100 times"),
    "bomb.pptx": (bomb, "100 times"),
    "binary.txt": (b"\0\1\2" * 100, "binary"),
    "cut.xlsx": (files.xlsx()[:-500], "broken"),
    "cut.pptx": (files.pptx()[:-5000], "broken"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_says_why(tmp_path: Path, name: str):
    """Encrypted, broken, empty, binary and bombed files each have one problem that names the file and the reason."""
    content, why = BAD[name]
    with pytest.raises(QavizError, match=why) as error:
        read(tmp_path, name, content() if callable(content) else content)
    (problem,) = error.value.problems
    assert problem.where == name


def test_what_cannot_be_read_is_one_line_each_and_the_rest_is_read(tmp_path: Path):
    """A folder's files without text, known suffix or soundness are a line each; the others are read."""
    unread = {"blank.txt": (b" \n\n ", "no text"), "odd.xyz": (b"hello", "suffix"), "no.docx": BAD["no.docx"]}
    for name, (content, _) in unread.items():
        files.write(tmp_path, name, content)
    files.write(tmp_path, "good.txt", "Some text.")

    found, unknown = find_documents([str(tmp_path), str(tmp_path / "missing")])
    documents, problems = read_documents(found, silent)

    assert [document.name for document in documents] == ["good.txt"]
    said = {Path(problem.where).name: str(problem) for problem in (*unknown, *problems)}
    assert {name for name, (_, why) in unread.items() if why not in said.get(name, "")} == set()
    assert "missing" in said
    assert all("\n" not in line for line in said.values())


def test_500_mb_of_text_are_refused_before_they_are_read(tmp_path: Path):
    """A text file of 500 MB is one line, not an hour."""
    path = tmp_path / "huge.txt"
    with path.open("wb") as stream:
        stream.truncate(500_000_000)
    with pytest.raises(QavizError, match="500 MB"):
        read_document(Source.of(path))


@pytest.mark.parametrize(
    ("name", "before", "piece"),
    [
        *(("a.html", "", piece) for piece in ("<a ", "<!--", "<table><tr><td>1")),
        *(("a.html", "<table>", piece) for piece in ("<tr><td>", "<tr><td rowspan=99 colspan=99>1")),
        ("a.html", "<table><tr><td>x<td>", "1 - "),
        *(("a.md", "", piece) for piece in ("<!--", "a`", "|-|\n")),
        ("a.csv", "", "'\""),
        ("a.txt", "", "\n "),
    ],
)
def test_hostile_documents_take_linear_time(tmp_path: Path, name: str, before: str, piece: str):
    """Eight times as much of any pattern takes about eight times as long, whatever it leaves open."""

    def work(size: int) -> None:
        source = Source.of(files.write(tmp_path, name, before + piece * (size // len(piece)) + "x\n"))
        block_table(READERS[source.suffix](source, []))

    assert growth(work, 6_000) < ROOM


def test_forms_that_draw_each_other_are_read_or_refused(tmp_path: Path):
    """A form that draws itself ends; where thirty draw the next one twice, time runs out."""
    assert "Hello" in read(tmp_path, "self.pdf", files.forms(1, 1, again=True)).text
    with pytest.raises(QavizError, match=r"thirty\.pdf.*more time"):
        list(ask(read_soon, [Source.of(files.write(tmp_path, "thirty.pdf", files.forms(30, 2)))]))


def test_a_broken_page_is_one_line(tmp_path: Path):
    """A PDF whose tree of pages leads to itself is refused by its name, not by an error of the library."""
    content = files.pdf(["Some text."]).replace(b"/Kids [5 0 R]", b"/Kids [2 0 R]")
    with pytest.raises(QavizError, match=r"a\.pdf: found a broken page"):
        read(tmp_path, "a.pdf", content)


def test_texts_in_other_encodings_are_read_and_noted(tmp_path: Path):
    """Windows-1252 is read and said; UTF-16 with its mark is read."""
    latin = read(tmp_path, "a.txt", "Der Umsatz wuchs um 12 % auf 5 Mio. € für alle.".encode("cp1252"))
    assert "€ für" in latin.text
    assert "Windows-1252" in latin.notes[0]
    assert "Umsatz" in read(tmp_path, "b.txt", "Der Umsatz wuchs.".encode("utf-16")).text


def test_a_plain_text_keeps_its_offsets(tmp_path: Path):
    """Whatever its line breaks, a block of a text file stands where it stands in the file."""
    content = "Report\r\n\r\n\r\n  Total revenue\r\ngrew 12%.\n \n- one\n- two\n\nLast."
    document = read(tmp_path, "a.txt", content)
    assert document.blocks["text"].to_list() == ["Report", "Total revenue  grew 12%.", "- one", "- two", "Last."]
    for text, start, end in document.blocks.select("text", "start", "end").iter_rows():
        assert content[start:end].split() == text.split()
        assert document.text[start:end] == text
