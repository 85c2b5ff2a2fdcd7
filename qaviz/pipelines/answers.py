"""What a pipeline is asked, what it answers, and the file of responses."""

from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import jmespath
import orjson
from jmespath.exceptions import JMESPathError

from qaviz.llm.requests import Failure, RejectedError, clean
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID, REPEAT, RESPONSE
from qaviz.model.errors import disk_refusals, stop
from qaviz.model.visible import in_one_line, redact
from qaviz.store.files import replacing

LARGEST_ANSWER = 2_000_000
"""Bytes of one answer with its contexts: more than a person reads, and little for the memory."""
RESPONSE_NAMES = ("response", "answer", "output", "text", "result", "completion")
"""Where the answer of a mapping stands if no path says so, the best first."""
_CONTEXT_TEXTS = ("text", "page_content", "content", "context")
"""Where the text of a context stands that is a mapping."""

JsonObject = Mapping[str, Any]
"""JSON or TOML that others wrote, of any shape: an endpoint's answer, a provider's reply, a configuration."""


class ResponseRow(TypedDict):
    """A line of the file of responses: one response, or why there is none. Its keys are the names of the columns."""

    question_id: str
    question: str
    pipeline: str
    response: str | None
    """None where `error` says why."""
    error: NotRequired[str]
    latency_ms: NotRequired[float | None]
    cost: NotRequired[float | None]
    """In the currency that the pipeline counts in."""
    contexts: NotRequired[list[str]]
    repeat: NotRequired[str]
    """From 1; only where each question is asked several times."""


Place = tuple[str, str, str, int]
"""Pipeline, question_id, question and repeat (from 1): what a row answers."""
Question = Mapping[str, str]
"""A question of the golden dataset as a pipeline gets it: `question_id` and `question`, as JSON can hold them."""


class Answer(TypedDict):
    """What a pipeline answered, by the columns of the file of responses. Untrusted."""

    response: str
    latency_ms: float | None
    """None where the pipeline does not say it."""
    cost: float | None
    contexts: NotRequired[list[str]]


Send = Callable[[Question], Answer]
"""Asks one question. Raises PassingError or RejectedError with the reason in a short line."""


def reject(detail: str, failure: Failure = Failure.NOT_A_REPLY) -> RejectedError:
    """The error of an answer that would be no better at another attempt, with secrets removed from `detail`."""
    return RejectedError(failure, in_one_line(redact(clean(detail))))


def read_answer(
    value: object, response_path: str | None = None, contexts_path: str | None = None, cost_path: str | None = None
) -> Answer:
    """Read a text or a mapping; parts without a path have usual names. RejectedError where there is no answer."""
    if isinstance(value, str) and not response_path:
        return Answer(response=clean(value), latency_ms=None, cost=None)
    fields = value if isinstance(value, Mapping) else {}
    usual = next((fields[name] for name in RESPONSE_NAMES if fields.get(name) is not None), None)
    response = _search(response_path, value) if response_path else usual
    if response is None and fields.get("error"):
        raise reject(f"the pipeline says: {fields['error']}", Failure.REJECTED)
    if not isinstance(response, str):
        no_text = f"a response that is no text: {type(response).__name__}"
        raise reject(f"{'no response, or null,' if response is None else no_text} in {_describe(value)}")
    answer = Answer(
        response=clean(response),
        latency_ms=_read_number(fields.get("latency_ms")),
        cost=_read_number(_search(cost_path, value) if cost_path else fields.get("cost")),
    )
    contexts = _read_contexts(_search(contexts_path, value) if contexts_path else fields.get("contexts"))
    if contexts is not None:
        answer["contexts"] = contexts
    return answer


def _search(path: str, value: object) -> Any:  # noqa: ANN401 (whatever the JSON holds)
    try:
        return jmespath.search(path, value)
    except (JMESPathError, TypeError, ValueError) as error:
        raise reject(f"the path {path} fails on {_describe(value)}: {type(error).__name__}") from error


def _read_contexts(value: object) -> list[str] | None:
    """The texts of a list of texts or of mappings with a text; None where there are none."""
    if isinstance(value, str):
        return [clean(value)]
    if not isinstance(value, list | tuple):
        return None
    fields = [item if isinstance(item, Mapping) else {_CONTEXT_TEXTS[0]: item} for item in value]
    texts = ([item[name] for name in _CONTEXT_TEXTS if isinstance(item.get(name), str)] for item in fields)
    return [clean(best[0]) for best in texts if best]


def _read_number(value: object) -> float | None:
    """A number that can be a cost or a time; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if isfinite(value) and value >= 0 else None


def _describe(value: object) -> str:
    if not isinstance(value, Mapping):
        return f"an answer that is {'null' if value is None else type(value).__name__}"
    return f"an answer with {', '.join(str(name)[:40] for name in list(value)[:10])}" if value else "an empty answer"


def place_of(row: ResponseRow) -> Place:
    """What the row answers."""
    return row[PIPELINE], row[QUESTION_ID], row[QUESTION], int(row.get(REPEAT) or 1)


def write_rows(out: Path, rows: Iterable[ResponseRow]) -> int:
    """Write them all or nothing; returns how many. Raises QavizError if the disk refuses."""
    written = 0
    with disk_refusals(out), replacing(out.resolve()) as unfinished, unfinished.open("wb") as file:
        for written, row in enumerate(rows, start=1):  # noqa: B007 (how many there were is returned)
            file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
    return written


def read_answered(out: Path) -> dict[Place, ResponseRow]:
    """The rows of a file that have a response, by what they answer. Raises QavizError for a line that is no such row;
    there is nothing where there is no file."""
    rows: dict[Place, ResponseRow] = {}
    if not out.exists():
        return rows
    with disk_refusals(out), out.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                row = orjson.loads(line)
                if row[RESPONSE] is not None:
                    rows[place_of(row)] = row
            except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, AttributeError) as error:
                where, expected = f"{out.name} line {number}", "its own file, with --changed"
                fix = "Leave --changed out, or name another file."
                raise stop(where, "no row that qaviz ask wrote", expected, fix) from error
    return rows
