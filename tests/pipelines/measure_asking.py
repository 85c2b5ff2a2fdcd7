"""What asking adds to a pipeline's own time: a server on loopback that answers at once, many questions in flight.

python -m tests.pipelines.measure_asking --questions 10000 --in-flight 50

The server is a process of its own. Printed: wall time and CPU time of the asking process for a question, and the most
memory that it took. The server's CPU is not in it; its time is in the wall time.
"""

import argparse
import asyncio
import multiprocessing
import resource
import tempfile
import time
from pathlib import Path

import polars as pl

from qaviz.model.columns import GOLDEN_COLUMNS, QUESTION, QUESTION_ID
from qaviz.pipelines import AskSettings, ask_pipelines, parse_pipelines

BODY = b'{"response": "' + b"The operating margin rose to 5.8 per cent in 2023. " * 8 + b'", "contexts": ["a", "b"]}'
REPLY = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(BODY), BODY)


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer each request of a connection with the same 400 characters."""
    while True:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionResetError):
            writer.close()
            return
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
        await reader.readexactly(int(length.partition(b":")[2]))
        writer.write(REPLY)


def serve(port: "multiprocessing.Queue[int]") -> None:
    """Serve until the process is ended."""

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1000)
        port.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--in-flight", type=int, default=50)
    options = parser.parse_args()
    numbers = pl.int_range(options.questions, eager=True).cast(pl.String)
    golden = pl.DataFrame({QUESTION_ID: numbers, QUESTION: "What is number " + numbers + "?"}).with_columns(
        pl.lit(None, pl.String).alias(name) for name in GOLDEN_COLUMNS if name not in (QUESTION_ID, QUESTION)
    )
    port: multiprocessing.Queue[int] = multiprocessing.Queue()
    server = multiprocessing.Process(target=serve, args=(port,), daemon=True)
    server.start()
    pipelines = parse_pipelines([f"P=http://127.0.0.1:{port.get()}/ask"])
    with tempfile.TemporaryDirectory() as folder:
        began, used = time.monotonic(), time.process_time()
        answers = ask_pipelines(
            golden, pipelines, Path(folder) / "responses.jsonl", AskSettings(in_flight=options.in_flight)
        )
        wall, cpu = time.monotonic() - began, time.process_time() - used
    server.terminate()
    memory = peak_mb()
    print(f"{answers.rows:,} responses, {answers.errors} errors, {options.in_flight} in flight")
    print(
        f"{wall / answers.rows * 1e3:.2f} ms wall, {cpu / answers.rows * 1e3:.2f} ms CPU a question; {memory:,.0f} MB"
    )


def peak_mb() -> float:
    """Most memory that this process held, in MB. On Linux getrusage counts what held the parent before it, too."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (line for line in status.read_text("utf-8").splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


if __name__ == "__main__":
    main()
