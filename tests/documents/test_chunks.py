"""Chunks end where a reader would pause, in every language, and change only where the document does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qaviz.documents import Chunking, Document, chunk_documents
from qaviz.documents.blocks import Block, Kind, block_table, joined_text
from qaviz.documents.chunks import characters_per_token, pieces_of, sentence_ends

TEXTS = {
    "English": "Revenue grew 12.5 percent to $1,234.5 million in 2023. Dr. Lee leads the team. It has 1,200 people. ",
    "Vietnamese": "Doanh thu tăng 12,5% lên 1.234,5 tỷ đồng trong năm 2023. Ông Nguyễn Văn An điều hành công ty. ",
    "German": "Der Umsatz wuchs am 3. März 2023 um 12,5 Prozent auf 1.234,5 Mio. Euro. Frau Dr. Weiß leitet das Werk. ",
    "Chinese": "公司2023年收入增长12.5%,达到1,234.5亿元。李明先生领导团队。员工共有1200人。",
    "Arabic": "نمت الإيرادات بنسبة 12.5 في المئة إلى 1,234.5 مليون دولار في عام 2023. هل يعمل هنا 1200 موظف؟ نعم. ",
}
SENTENCES = {"English": 3, "Vietnamese": 2, "German": 2, "Chinese": 3, "Arabic": 3}


def document(*blocks: Block) -> Document:
    table = block_table(blocks)
    return Document(name="a.md", sha256="0" * 64, text=joined_text(table), blocks=table)


def paragraph(text: str) -> Block:
    return Block(kind=Kind.PARAGRAPH, text=text)


def heading(text: str, level: int = 1) -> Block:
    return Block(kind=Kind.HEADING, text=text, level=level)


def row(text: str) -> Block:
    return Block(kind=Kind.ROW, text=text)


@pytest.mark.parametrize("language", TEXTS)
def test_sentences_end_where_a_reader_says_so(language: str):
    """Full stops end sentences; abbreviations, decimals and German ordinals do not."""
    assert len([*sentence_ends(TEXTS[language].strip())]) + 1 == SENTENCES[language]


@pytest.mark.parametrize("language", TEXTS)
def test_a_long_sentence_is_cut_into_parts(language: str):
    """Whatever the size, the parts of a long text are its text, and none is longer."""
    text = TEXTS[language] * 40
    for size in (10, 17, 33, 60):
        pieces = [text[start:end] for start, end in pieces_of(text, size)]
        assert "".join(pieces) == text
        assert max(map(len, pieces)) <= size


@pytest.mark.parametrize("language", TEXTS)
def test_chunks_cover_the_document_within_their_size(language: str):
    """Every sentence stands in a chunk, each chunk is what its offsets say, and none is over its size."""
    text = TEXTS[language] * 60
    one = document(heading("Report"), *(paragraph(text[start : start + 1000]) for start in range(0, len(text), 1000)))
    ratio = characters_per_token(one.text)
    chunks = chunk_documents([one], Chunking(size=100, overlap=20))

    assert len(chunks) > 3
    covered = set()
    for start, end, said in chunks.select("start", "end", "text").iter_rows():
        assert one.text[start:end] == said
        assert end - start <= 100 * ratio
        covered.update(range(start, end))
    assert {place for place, char in enumerate(one.text) if not char.isspace()} <= covered


def test_tables_and_headings_stay_whole():
    """No row is cut, even one that is longer than a chunk; a heading stands with its text and travels with the rest."""
    rows = [
        row(f"Region: {name} | 2022: {place}18 | 2023: {place}31") for place, name in enumerate(["Asia", "Europe"] * 40)
    ]
    one = document(
        heading("Report"), heading("Segments", 2), *rows, heading("People", 2), paragraph("All are well. " * 30)
    )
    chunks = chunk_documents([one], Chunking(size=60, overlap=0))

    texts = "\n".join(chunks["text"])
    assert all(each.text in texts for each in rows)
    assert not any(text.rstrip().endswith(("Segments", "People")) for text in chunks["text"])
    assert set(chunks["heading"]) >= {"Report > Segments", "Report"}
    assert chunks.filter(chunks["text"].str.starts_with("People"))["heading"].to_list() == ["Report"]


def test_a_change_touches_only_the_chunks_around_it():
    """A paragraph that is added to a document of 400 changes the hashes of few chunks; the others are the same."""
    paragraphs = [
        paragraph(f"Item {number} costs {number * 7} euros, and is sold in {number % 9} shops.")
        for number in range(400)
    ]
    before = chunk_documents([document(*paragraphs)], Chunking(size=100, overlap=10))
    paragraphs.insert(5, paragraph("This one is new."))
    after = chunk_documents([document(*paragraphs)], Chunking(size=100, overlap=10))

    new = set(after["chunk"]) - set(before["chunk"])
    assert 0 < len(new) <= 0.1 * len(after)


def test_tokens_are_counted_by_letters():
    """English has four characters a token, Chinese hardly more than one."""
    ratios = {language: characters_per_token(text) for language, text in TEXTS.items()}
    assert ratios["English"] > 3.5 > ratios["Vietnamese"] > ratios["Chinese"] > 1


@given(
    st.lists(
        st.sampled_from([heading("H"), heading("Sub", 2), row("a | 12.5"), paragraph("One. Two 3.4 five. " * 9)]),
        max_size=40,
    )
)
def test_any_document_is_covered(blocks: list[Block]):
    """Whatever the order of headings, rows and paragraphs, chunks go forward and hold all the text."""
    one = document(*blocks)
    chunks = chunk_documents([one], Chunking(size=50, overlap=25))
    covered = {place for start, end in chunks.select("start", "end").iter_rows() for place in range(start, end)}
    assert {place for place, char in enumerate(one.text) if not char.isspace()} <= covered
    assert chunks["start"].is_sorted()
    assert chunks["start"].n_unique() == len(chunks)


@pytest.mark.parametrize("sizes", [{"size": 0}, {"size": 100, "overlap": 51}])
def test_sizes_that_make_no_chunks_are_refused(sizes: dict[str, float]):
    """A size of nothing and an overlap beyond half make no chunks."""
    with pytest.raises(ValueError, match=f"{[*sizes][-1]}"):
        Chunking(**sizes)
