"""`python -P -m qaviz.bulk.judging_server DESCRIPTOR FOLDER`: the process in which rows are scored and diagnosed."""

import socket
import sys
from pathlib import Path

from qaviz.bulk.judging import judge
from qaviz.loading.sandbox.fork_server import main

if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), Path(sys.argv[2]), {"judge": judge})
