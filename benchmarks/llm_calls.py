"""What asking a language model costs beside the model: 10,000 calls, 50 in flight, to a server on this machine.

    python -m benchmarks.llm_calls [CALLS]

The server runs in a process of its own and replies at once; its time is measured apart, with a bare client.
"""

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from qaviz.llm import Limits, Request, Settings, open_session

SERVER = """
import asyncio, json
BODY = json.dumps({"model": "stub", "choices": [{"message": {"content": "word " * 200}, "finish_reason": "stop"}],
                   "usage": {"prompt_tokens": 500, "completion_tokens": 200}}).encode()
REPLY = b"HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: %d\\r\\n\\r\\n" % len(BODY) + BODY
async def serve(reader, writer):
    try:
        while True:
            head = await reader.readuntil(b"\\r\\n\\r\\n")
            size = int(head.lower().split(b"content-length: ")[1].split(b"\\r\\n")[0])
            await reader.readexactly(size)
            writer.write(REPLY)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""
IN_FLIGHT = 50


def main(calls: int) -> None:
    """Print seconds and memory of asking, and of asking again from the journal."""
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    assert server.stdout
    port = int(server.stdout.readline())
    try:
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings(
                model="openai:stub",
                journal=Path(folder) / "journal.jsonl",
                base_url=f"http://127.0.0.1:{port}/v1",
                limits=Limits(in_flight=IN_FLIGHT),
            )
            requests = [Request(prompt=f"{i} " + "words of a chunk " * 100) for i in range(calls)]
            for words in ("asked", "from the journal"):
                began, used = time.perf_counter(), time.process_time()
                with open_session(settings) as session:
                    session.ask(requests)
                    asked = session.spend.calls
                seconds, cpu = time.perf_counter() - began, time.process_time() - used
                peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                print(f"{words}: {calls:,} requests, {asked:,} calls, {seconds:.1f} s ({cpu:.1f} s CPU), {peak:.0f} MB")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
