"""Inspect logs: `.eval` (a zip) and `.json`, one task and model each."""

from collections.abc import Iterator

from qaviz.loading.adapters.tool import THEIR_SCORES as SCORES
from qaviz.loading.adapters.tool import Record, Row, Score, Tool, fields, inside, items, score, text, variants
from qaviz.model.columns import (
    ANSWER,
    LATENCY_MS,
    OR_DELIMITER,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    REPEAT,
    RESPONSE,
    THEIR_SCORES,
)

_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partly, incorrect and no answer, in the figures that Inspect's own `value_to_float` has for them."""

_MS = 1000


def _wrote(record: Record) -> bool:
    return {"task", "model"} <= fields(record.get("eval")).keys()


def _rows(record: Record) -> Iterator[Row]:
    model = text(inside(record, "eval", "model"))
    for sample in items(record.get("samples")):
        target = inside(sample, "target")
        seconds = inside(sample, "output", "time")
        failed = inside(sample, "error", "message")
        yield {
            "id": text(inside(sample, "id")),
            "input": _find_question(inside(sample, "input")),
            "target": variants(target, OR_DELIMITER),
            "eval.model": model,
            "epoch": _epoch(record, sample),
            "output.completion": _completion(inside(sample, "output")),
            "output.time": seconds * _MS if isinstance(seconds, int | float) else None,
            "error": text(failed),
            SCORES: [each for name, given in _given(sample).items() for each in _scores(name, given, failed)],
        }


def _epoch(record: Record, sample: object) -> str | None:
    """Which time the question is asked; None where the log asks once, though Inspect calls that an epoch too."""
    epoch, epochs = inside(sample, "epoch"), inside(record, "eval", "config", "epochs")
    several = any(isinstance(each, int) and each > 1 for each in (epoch, epochs))
    return text(epoch) if several else None


def _find_question(asked: object) -> str | None:
    """The input, or of a chat the last thing that a user said."""
    said = [_content(each) for each in items(asked) if inside(each, "role") == "user"]
    return said[-1] if said else text(asked)


def _completion(output: object) -> str | None:
    if inside(output, "choices") == []:
        # The model was never heard; Inspect writes an empty completion all the same.
        return None
    said = inside(output, "completion")
    return text(said) if said is not None else _content(inside(output, "choices", 0, "message"))


def _content(message: object) -> str | None:
    """The text of a message, whose content may come in parts."""
    content = inside(message, "content")
    parts = [text(inside(each, "text")) for each in items(content) if inside(each, "type") == "text"]
    return "\n".join(filter(None, parts)) if isinstance(content, list) else text(content)


def _given(sample: object) -> dict[str, object]:
    return {name: inside(each, "value") for name, each in fields(inside(sample, "scores")).items()}


def _scores(name: str, value: object, failed: object) -> Iterator[Score]:
    """One score, or one for each part of a score that has parts."""
    if isinstance(value, dict):
        for part, each in value.items():
            yield from _scores(f"{name}: {part}", each, failed)
    else:
        yield score(name, _GRADES.get(value, value) if isinstance(value, str) else value, failed)


INSPECT = Tool(
    name="an Inspect log",
    wrote=_wrote,
    rows=_rows,
    words={
        "id": QUESTION_ID,
        "input": QUESTION,
        "target": ANSWER,
        "eval.model": PIPELINE,
        "epoch": REPEAT,
        "output.completion": RESPONSE,
        "output.time": LATENCY_MS,
        SCORES: THEIR_SCORES,
    },
)
