"""promptfoo: the file of `promptfoo eval --output results.json`, of version 3 and, with its table, of version 2."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from qaviz.loading.adapters.tool import THEIR_SCORES as SCORES
from qaviz.loading.adapters.tool import Record, Row, Score, Tool, fields, inside, items, score, text, texts, variants
from qaviz.loading.column_mapping import GOLDEN_NAMES
from qaviz.loading.column_senses import read_column_name
from qaviz.model.columns import (
    AND_DELIMITER,
    ANSWER,
    CATEGORY,
    CONTEXTS,
    COST,
    FACT,
    LATENCY_MS,
    OR_DELIMITER,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    REPEAT,
    RESPONSE,
    THEIR_SCORES,
)

_VARS = "vars."
_CONTEXTS = (f"{_VARS}contexts", f"{_VARS}context")
_ANSWER_ASSERTIONS = ("equals", "similar", "factuality", "model-graded-factuality", "rouge-n", "bleu")
_FACT_ASSERTIONS = {
    "contains": OR_DELIMITER,
    "icontains": OR_DELIMITER,
    "contains-any": OR_DELIMITER,
    "icontains-any": OR_DELIMITER,
    "contains-all": AND_DELIMITER,
    "icontains-all": AND_DELIMITER,
}
"""Assertions that ask for words, and how their words are joined."""
_AFTER_REASON = "\n---\n"


def _wrote(record: Record) -> bool:
    results = record.get("results")
    rows = items(inside(results, "results"))
    return bool(rows and "provider" in fields(rows[0]) and "success" in fields(rows[0])) or bool(
        items(inside(results, "table", "body"))
    )


def _rows(record: Record) -> Iterator[Row]:
    results = record["results"]
    # Version 2 has both, and says what was asserted in its table alone.
    given = list(_of_table(inside(results, "table"))) or items(inside(results, "results"))
    prompts: dict[str | None, dict[Any, None]] = {}
    times: dict[str, dict[str | None, None]] = {}
    for each in given:
        prompts.setdefault(_provider(each), {})[_prompt(each)] = None
        times.setdefault(_identify_test(each), {})[_test(each)] = None
    several = len({text(inside(each, "prompt", "raw")) for each in given}) > len(times)
    for each in given:
        provider = _provider(each)
        asked = {"vars": _question_of(fields(inside(each, "vars")))} if several else {}
        yield (
            _row(each, provider, list(prompts[provider]))
            | asked
            | _number_repeat(_test(each), list(times[_identify_test(each)]))
        )


def _of_table(table: object) -> Iterator[dict[str, Any]]:
    """The cells of version 2's table as the results of version 3."""
    names = items(inside(table, "head", "vars"))
    for line, body in enumerate(items(inside(table, "body"))):
        cells = zip(names, items(inside(body, "vars")), strict=False)
        values = {str(name): value for name, value in cells if value != ""}
        for column, cell in enumerate(items(inside(body, "outputs"))):
            prompt = fields(inside(table, "head", "prompts", column))
            given = fields(cell)
            yield {
                **given,
                "vars": values,
                "testIdx": line,
                "testCase": inside(body, "test"),
                "provider": given.get("provider") or prompt.get("provider"),
                "prompt": {"label": prompt.get("label"), "raw": prompt.get("raw")},
                "response": {"output": _read_output(given)},
                "success": given.get("pass"),
            }


def _read_output(cell: Record) -> str | None:
    """The response in a cell of version 2's table, before which stands why it failed; None if the request failed."""
    if cell.get("pass") is False and cell.get("gradingResult") is None:
        return None
    said, reason = text(cell.get("text")), text(inside(cell, "gradingResult", "reason"))
    return said.removeprefix(f"{reason}{_AFTER_REASON}") if said else said


def _provider(result: object) -> str | None:
    provider = inside(result, "provider")
    return text(inside(provider, "label") or inside(provider, "id") or provider)


def _prompt(result: object) -> object:
    """What tells the prompts of one provider apart."""
    place = inside(result, "promptIdx")
    label = inside(result, "prompt", "label")
    return place if isinstance(place, int) else text(label)


def _test(result: object) -> str | None:
    return text(inside(result, "testIdx"))


def _identify_test(result: object) -> str:
    """What a test asks and expects: tests that agree in it are one, asked several times (`eval --repeat`)."""
    return json.dumps([inside(result, "vars"), inside(result, "testCase", "assert")], sort_keys=True)


def _number_repeat(test: str | None, times: Sequence[str | None]) -> Row:
    """The test that asked first, and which time this one is; promptfoo numbers repeats on as tests of their own."""
    return {"testIdx": times[0], "repeat": str(times.index(test) + 1) if len(times) > 1 else None}


def _row(result: object, provider: str | None, prompts: Sequence[object]) -> Row:
    several = f", prompt {prompts.index(_prompt(result)) + 1}" if len(prompts) > 1 else ""
    values = {f"{_VARS}{name}": value for name, value in fields(inside(result, "vars")).items()}
    values |= {name: texts(values[name]) for name in _CONTEXTS if name in values}
    return {
        **values,
        "prompt.raw": text(inside(result, "prompt", "raw")),
        **_read_assertions(inside(result, "testCase", "assert")),
        "provider": f"{provider}{several}" if provider else None,
        "response.output": text(inside(result, "response", "output")),
        "latencyMs": _figure(inside(result, "latencyMs")),
        "cost": _figure(inside(result, "cost")),
        "gradingResult.reason": text(inside(result, "gradingResult", "reason")),
        SCORES: _scores(result),
    }


def _question_of(values: Record) -> str | None:
    """What a test asks, where several prompts ask it in other words: the variable that is named like a question, or the
    only one, or all of them."""
    named_so = next((name for name in values if read_column_name(name).word == QUESTION), None)
    if named_so is None and len(values) == 1:
        named_so = next(iter(values))
    if named_so is not None:
        return text(values[named_so])
    return "; ".join(f"{name}: {text(value)}" for name, value in values.items()) or None


def _figure(value: object) -> object:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _read_assertions(given: object) -> Row:
    """What the assertions of a test, and those in sets of them, say of the golden answer and the fact."""
    assertions = [inner for each in items(given) for inner in items(inside(each, "assert")) or [each]]
    kinds = [text(inside(each, "type")) or "" for each in assertions]
    values = dict(zip(reversed(kinds), (inside(each, "value") for each in reversed(assertions)), strict=True))
    answer = next((values[kind] for kind in kinds if kind in _ANSWER_ASSERTIONS), None)
    fact = next((kind for kind in kinds if kind in _FACT_ASSERTIONS), None)
    asked = variants(values[fact], _FACT_ASSERTIONS[fact]) if fact else None
    return {"assert answer": text(answer), "assert fact": asked}


def _scores(result: object) -> list[Score]:
    error = inside(result, "error") if inside(result, "response", "output") is None else None
    scores = [score(name, inside(result, name), error) for name in ("success", "score")]
    scores += [score(name, value) for name, value in fields(inside(result, "namedScores")).items()]
    for place, each in enumerate(items(inside(result, "gradingResult", "componentResults")), 1):
        kind = (
            text(inside(each, "assertion", "type") or inside(each, "metadata", "assertionSet", "type")) or "assertion"
        )
        scores.append(score(f"{place}. {kind}", inside(each, "score"), inside(each, "reason")))
    return scores


_OTHER_WORDS = {
    "testIdx": QUESTION_ID,
    "vars": QUESTION,
    "prompt.raw": QUESTION,
    "assert answer": ANSWER,
    "assert fact": FACT,
    "provider": PIPELINE,
    "repeat": REPEAT,
    "response.output": RESPONSE,
    "latencyMs": LATENCY_MS,
    "cost": COST,
    SCORES: THEIR_SCORES,
}
_OF_VARS = {f"{_VARS}{alias}": word for word in (QUESTION, ANSWER, FACT, CATEGORY) for alias in GOLDEN_NAMES[word]}

PROMPTFOO = Tool(
    name="promptfoo results",
    wrote=_wrote,
    rows=_rows,
    words={**_OF_VARS, **dict.fromkeys(_CONTEXTS, CONTEXTS), **_OTHER_WORDS},
)
