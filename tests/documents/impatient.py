"""Reading a document in a process, as `read_document` has it done, but with little time for a page of a PDF."""

from collections.abc import Iterator

from qaviz import documents
from qaviz.documents.formats import pdf
from qaviz.processes import Answer, Job


def read_soon(job: Job) -> Iterator[Answer]:
    """In the process: the blocks of one document, whose pages take half a second at most."""
    pdf.PAGE_CPU_S = 0.5
    yield from documents._parse_document(job)
