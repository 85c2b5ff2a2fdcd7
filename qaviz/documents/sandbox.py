"""`python -P -m qaviz.documents.sandbox DESCRIPTOR FOLDER`: the process in which documents are parsed."""

import socket
import sys
from pathlib import Path

from qaviz.documents.reading import parse_document
from qaviz.loading.sandbox.fork_server import main

if __name__ == "__main__":
    # What readers need is loaded before the first fork, so that each document has it.
    import docx  # noqa: F401 - loaded for the forks
    import openpyxl  # noqa: F401 - loaded for the forks
    import pptx  # noqa: F401 - loaded for the forks
    import pypdfium2  # noqa: F401 - loaded for the forks

    main(socket.socket(fileno=int(sys.argv[1])), Path(sys.argv[2]), {"document": parse_document})
