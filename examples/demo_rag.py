"""A demonstration RAG without a model: BM25 finds sentences of the sample document, and the best ones are the answer.

It answers the same as an HTTP endpoint, as a Python callable and as a command:

    python demo_rag.py serve 8000    then  --pipeline demo=http://127.0.0.1:8000/ask
    --pipeline demo=python:demo_rag:answer
    --pipeline "demo=command:python demo_rag.py"

TOP_K in the environment says how many sentences are found (default 5).
"""

import json
import math
import os
import re
import sys
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

DOCUMENT = Path(__file__).parents[1] / "sample_data" / "harbour-line.md"
LINES = [line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
SENTENCES = [each for line in LINES for each in re.split(r"(?<=[a-z]\.) (?=[A-Z])", line)]


def words(text):
    """Lower-case words, without a plural's s."""
    return [word.removesuffix("s") for word in re.findall(r"\w+", text.lower())]


COUNTS = [Counter(words(sentence)) for sentence in SENTENCES]
LENGTH = sum(map(Counter.total, COUNTS)) / len(COUNTS)


def score(question, counts):
    """BM25 with k1 = 1.2, b = 0.75."""
    total = 0.0
    for word in set(words(question)):
        having = sum(word in each for each in COUNTS)
        rarity = math.log(1 + (len(COUNTS) - having + 0.5) / (having + 0.5))
        total += rarity * counts[word] * 2.2 / (counts[word] + 1.2 * (0.25 + 0.75 * counts.total() / LENGTH))
    return total


def answer(question):
    """The best sentences as response and contexts."""
    ranked = sorted(range(len(SENTENCES)), key=lambda place: -score(question, COUNTS[place]))
    found = [SENTENCES[place] for place in ranked[: int(os.environ.get("TOP_K", "5"))]]
    return {"response": " ".join(found), "contexts": found, "cost": 0.0}


class Endpoint(BaseHTTPRequestHandler):
    """POST {"question": ...}."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body = json.dumps(answer(asked["question"])).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Nothing on the terminal."""


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Endpoint)
        print(server.server_port, flush=True)
        server.serve_forever()
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps({"question_id": asked["question_id"], **answer(asked["question"])}), flush=True)
