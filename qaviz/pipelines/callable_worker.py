"""A Python callable in a process of its own: questions as JSON Lines in, answers as JSON Lines out.

`python -P callable_worker.py package.module:function 8`. What the callable prints goes to stderr.
Imports nothing of qaviz: it starts in the time that Python takes.
"""

import asyncio
import importlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from operator import attrgetter
from pathlib import Path
from threading import Lock, Thread
from time import perf_counter
from typing import Any, cast

import orjson

Ask = Callable[[str], Any]
"""Answers a question: with a text, or with a mapping that has it."""
JsonObject = Mapping[str, Any]
"""The mapping that a callable answers with."""
SECRET = re.compile(r"key|token|secret|passw|credential|cookie|dsn|auth", re.IGNORECASE)
"""In the name of an environment variable whose value never leaves this process in an error."""


def find_callable(target: str) -> Ask:
    """What answers a question: the function, or FMEval's ModelRunner by `predict`. Raises as importing it does."""
    module, _, name = target.partition(":")
    ask: Any = attrgetter(name)(importlib.import_module(module))
    if callable(ask):
        return cast(Ask, ask)
    if not callable(getattr(ask, "predict", None)):
        raise TypeError(f"{target} cannot be called")
    return lambda question: ask.predict(question)[0]


def answer(ask: Ask, question: Mapping[str, str]) -> JsonObject:
    """The row of one answer: `question_id`, `latency_ms`, and `response` or the fields of the callable's mapping. Where
    the callable raises, `error` stands in place of an answer."""
    began = perf_counter()
    try:
        reply = ask(question["question"])
        if inspect.isawaitable(reply):
            # One loop for all: clients of asynchronous libraries belong to the loop that they first ran in.
            reply = asyncio.run_coroutine_threadsafe(asyncio.wait_for(reply, None), _start_loop()).result()
        row = dict(reply) if isinstance(reply, Mapping) else {"response": reply}
    except Exception as error:
        # What the user's callable raises is this question's error; the other questions go on.
        row = {"error": f"{type(error).__name__}: {_hide_environment(str(error))}"[:1000]}
    return {"latency_ms": round((perf_counter() - began) * 1000, 3)} | row | {"question_id": question["question_id"]}


def _hide_environment(text: str) -> str:
    """The text without secrets of this process's environment, to which the callable may have added its own; those of
    other sources are looked for by their shape where the answer is read."""
    secrets = {value for name, value in os.environ.items() if SECRET.search(name) and len(value) >= 6}
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "[key removed]")
    return text


@cache
def _start_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, daemon=True).start()
    return loop


def main() -> None:
    """Serve the callable that the arguments name, until the questions end; so many at a time, each in a thread."""
    target, in_flight = sys.argv[1:]
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # A callable that prints, or reads, does neither to the questions and answers.
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.path.insert(0, str(Path.cwd()))
    ask, lock = find_callable(target), Lock()

    def write(row: JsonObject) -> None:
        try:
            line = orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS, default=str)
        except orjson.JSONEncodeError as error:
            failure = {"question_id": row.get("question_id"), "error": f"an answer that is no JSON: {error}"}
            line = orjson.dumps(failure) + b"\n"
        with lock:
            answers.write(line)
            answers.flush()

    _start_loop()
    with ThreadPoolExecutor(int(in_flight)) as threads:
        write({"ready": True})
        for line in questions:
            threads.submit(lambda question: write(answer(ask, question)), orjson.loads(line))


if __name__ == "__main__":
    main()
