"""Request files for batch APIs: written as JSON Lines, and their results read into the journal.

OpenAI's batch API takes `custom_id`, `method`, `url`, `body`; Bedrock's batch inference, with the invocation type
Converse, takes `recordId` and `modelInput`. Both ids are the request's hash: a result is then a reply like any other.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from qaviz.llm.journal import Entry, open_journal, refuse_file
from qaviz.llm.providers import converse_body
from qaviz.llm.requests import BEDROCK, LARGEST_REPLY, OPENAI, ModelSpec, Request, parse_model
from qaviz.llm.session import read_raw
from qaviz.model.errors import Problem, QavizError

PATH = "/v1/chat/completions"
_LONGEST_LINE = 2 * LARGEST_REPLY
_MOST_NAMED = 10


@dataclass(frozen=True, kw_only=True)
class ReadResults:
    """What a result file brought."""

    kept: int
    """Replies that are in the journal now."""
    known: int
    """Replies to requests that the journal had a reply to."""
    failed: tuple[str, ...]
    """A line of words for each result without a reply; those requests are still to be asked."""


def write_request_file(path: Path, requests: Iterable[Request], model: str, journal: Path) -> int:
    """Write the requests that the journal has no reply to, each once; returns how many there are.

    Raises QavizError if the model cannot be read or a file is refused.
    """
    spec = parse_model(model)
    by_key = {request.key(str(spec)): request for request in requests}
    with open_journal(journal) as kept:
        lines = [_request_line(spec, key, request) for key, request in by_key.items() if key not in kept]
    try:
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise refuse_file(path, error, "a file for requests or results of a batch API") from error
    return len(lines)


def _request_line(spec: ModelSpec, key: str, request: Request) -> str:
    if spec.provider == "bedrock":
        return json.dumps({"recordId": key, "modelInput": converse_body(request)}, ensure_ascii=True)
    from qaviz.llm.providers import request_body

    body = request_body(request, spec.name)
    return json.dumps({"custom_id": key, "method": "POST", "url": PATH, "body": body}, ensure_ascii=True)


def read_result_file(path: Path, model: str, journal: Path) -> ReadResults:
    """Keep the replies of a batch API's result file in the journal.

    Raises QavizError if a file is refused or the result file has no line that is a result.
    """
    name, kept, known, failed = str(parse_model(model)), 0, 0, list[str]()
    with open_journal(journal) as entries:
        new: dict[str, Entry] = {}
        for number, line in enumerate(_lines(path), start=1):
            entry = _entry(line, name)
            if isinstance(entry, str):
                failed.append(f"{path.name} line {number}: {entry}")
            elif entry.key in entries or entry.key in new:
                known += 1
            else:
                new[entry.key] = entry
        kept = len(new)
        entries.append(list(new.values()))
    if failed and not kept and not known:
        raise QavizError(
            *(
                Problem(
                    where=path.name,
                    found=failure,
                    expected="results of OpenAI's batch API or of Bedrock's batch inference (Converse)",
                    fix="Name the file of results, as the batch API wrote it.",
                )
                for failure in failed[:_MOST_NAMED]
            )
        )
    return ReadResults(kept=kept, known=known, failed=tuple(failed))


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while line := file.readline(_LONGEST_LINE):
                if line.strip():
                    yield line
    except OSError as error:
        raise refuse_file(path, error, "a file for requests or results of a batch API") from error


def _entry(line: bytes, model: str) -> Entry | str:
    """The reply of one result, or why there is none."""
    try:
        result = json.loads(line)
        if "recordId" in result:
            key, format, raw, error = str(result["recordId"]), BEDROCK, result.get("modelOutput"), result.get("error")
        else:
            response = result.get("response") or {}
            key, format, raw, error = str(result["custom_id"]), OPENAI, response.get("body"), result.get("error")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return "no result of a batch API"
    text = json.dumps(raw, ensure_ascii=False)
    content = read_raw(format, text)
    if error or content is None:
        return f"no reply: {json.dumps(error or raw, ensure_ascii=True)[:200]}"
    usage = content.usage
    return Entry(
        key=key,
        model=model,
        at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        seconds=0.0,
        format=format,
        raw=text,
        usage=(usage.input_tokens, usage.output_tokens) if usage else None,
    )
