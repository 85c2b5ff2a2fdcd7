"""Documents people have, as text with its places, and cut into chunks that questions are asked about.

They are read in a process of their own, one after the other: one that cannot be read does not stop the rest.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

import polars as pl

from qaviz.documents.blocks import BLOCKS, Block, Document, block_table, joined_text
from qaviz.documents.chunks import CHUNKS, Chunking, ChunkRow, chunk_documents
from qaviz.documents.formats.office import read_csv, read_docx, read_pptx, read_xlsx
from qaviz.documents.formats.pdf import read_pdf
from qaviz.documents.formats.texts import read_html, read_markdown, read_plain
from qaviz.loading.apart import ask, take_sources
from qaviz.loading.source import Shard, Source, at_hand, find_files, fingerprint, refuse_suffix
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Progress
from qaviz.processes import Answer, Job

READERS: dict[str, Callable[[Source, list[str]], Iterator[Block]]] = {
    ".txt": read_plain,
    **dict.fromkeys((".md", ".markdown"), read_markdown),
    **dict.fromkeys((".html", ".htm"), read_html),
    ".pdf": read_pdf,
    ".docx": read_docx,
    ".pptx": read_pptx,
    ".xlsx": read_xlsx,
    **dict.fromkeys((".csv", ".tsv"), read_csv),
}
"""Each yields a file's blocks, and adds to the notes what it leaves out."""
_FIX = "Save it in one of these."


def find_documents(addresses: Sequence[str]) -> tuple[list[Shard], list[Problem]]:
    """The documents at these paths, folders, patterns and addresses (`s3://bucket/folder`), each once. Beside them, a
    problem for each address with nothing there, and for each file of a format that is not read."""
    return find_files(addresses, READERS, _FIX)


def read_documents(files: Sequence[Shard], progress: Progress) -> tuple[list[Document], list[Problem]]:
    """Read the files, in order, each in a process of its own. Beside the documents, the problems of the others. A
    document's name is its path below the folder that all of them share."""
    documents: list[Document] = []
    problems: list[Problem] = []
    names = document_names([file.name for file in files])
    for number, (file, name) in enumerate(zip(files, names, strict=True)):
        progress(number / len(files), f"reading {number + 1:,} of {len(files):,} documents")
        try:
            with at_hand(file) as source:
                documents.append(read_document(Source(name, source.data)))
        except QavizError as error:
            problems += error.problems
    return documents, problems


def read_folder(addresses: Sequence[str], progress: Progress) -> pl.DataFrame:
    """CHUNKS of all documents there, each as long as a passage that is retrieved. Raises QavizError with every
    problem."""
    files, problems = find_documents(addresses)
    documents, unread = read_documents(files, progress)
    if problems or unread:
        raise QavizError(*problems, *unread)
    return chunk_documents(documents, Chunking(size=250, overlap=60))


def document_names(paths: Sequence[str]) -> list[str]:
    """Each path without the folders that all of them share."""
    parts = [PurePosixPath(path).parts for path in paths]
    shared = 0
    while len({part[: shared + 1] for part in parts}) == 1 and all(len(part) > shared + 1 for part in parts):
        shared += 1
    return [PurePosixPath(*part[shared:]).as_posix() for part in parts]


def read_document(source: Source) -> Document:
    """Read one document in a process of its own. Raises QavizError if it cannot be read, or holds no text."""
    if source.suffix not in READERS:
        raise QavizError(refuse_suffix(source.name, READERS, _FIX))
    (answer,) = ask(_parse_document, [source])
    blocks = answer.tables["blocks"]
    notes = tuple(answer.values["notes"])
    if blocks.is_empty():
        fault = "no text in it" + (f" ({notes[0]})" if notes else "")
        raise stop(source.name, fault, "a document with text", "Export it with its text, or leave it out.")
    return Document(
        name=source.name, sha256=answer.values["sha256"], text=joined_text(blocks), blocks=blocks, notes=notes
    )


def _parse_document(job: Job) -> Iterator[Answer]:
    """In the process: the blocks of one document. Raises QavizError if it cannot be read."""
    (source,) = take_sources(job)
    notes: list[str] = []
    blocks = block_table(READERS[source.suffix](source, notes))
    yield Answer({"sha256": fingerprint(source).sha256, "notes": notes}, {"blocks": blocks})


__all__ = ["BLOCKS", "CHUNKS", "READERS", "ChunkRow", "Chunking", "Document"]
__all__ += ["chunk_documents", "find_documents", "read_document", "read_documents", "read_folder"]
