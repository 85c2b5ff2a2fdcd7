"""Documents people have, as text with its places, and cut into chunks that questions are asked about."""

from qaviz.documents.blocks import BLOCKS, Document
from qaviz.documents.chunks import CHUNKS, Chunking, ChunkRow, chunk_documents
from qaviz.documents.reading import find_documents, read_document, read_documents

__all__ = [
    "BLOCKS",
    "CHUNKS",
    "ChunkRow",
    "Chunking",
    "Document",
    "chunk_documents",
    "find_documents",
    "read_document",
    "read_documents",
]
