"""What runners of experiments write: MLflow (the table of `mlflow.evaluate`, traces and records of `mlflow.genai`), and
promptfoo (`promptfoo eval --output results.json`, of version 3 and, with its table, of version 2).
"""

import json
from collections.abc import Iterator, Sequence

from qaviz.loading.adapters.tool import (
    MS,
    SCORES,
    Column,
    Record,
    Row,
    Score,
    Tool,
    fields,
    inside,
    is_number,
    items,
    ordinary,
    score,
    text,
    texts,
    variants,
)
from qaviz.loading.column_mapping import GOLDEN_NAMES
from qaviz.loading.column_senses import read_column_name
from qaviz.loading.column_values import read_object, read_printed
from qaviz.model import columns as c

_SCORE = "/score"
"""How a score's column ends in the table of `mlflow.evaluate`."""

_VALUE = "/value"
"""How an assessment's column ends in a table of traces; what was expected is one too."""

_TRACE = frozenset(("trace_id", "request", "response"))

_EXPECTED = ("expected_response", "expected_answer", "ground_truth")
_FACTS = "expected_facts"

_OUTPUT_FIELDS = ("response", "output", "answer", "content", "text")
"""What a field of outputs that holds the response may be called."""


def _is_mlflow(record: Record) -> bool:
    if isinstance(record.get("columns"), list) and isinstance(record.get("data"), list):
        names = {text(name) or "" for name in record["columns"]}
    else:
        names = set(record)
    if {"inputs", "outputs"} <= names or names >= _TRACE or any(name.endswith(_SCORE) for name in names):
        return True
    return isinstance(record.get("inputs"), dict) and isinstance(record.get("expectations"), dict)


def _read_mlflow(record: Record) -> Iterator[Row]:
    rows = [record]
    if "columns" in record and "data" in record:
        names = [text(name) or "" for name in items(record["columns"])]
        rows = [dict(zip(names, items(cells), strict=False)) for cells in items(record["data"])]
    for row in rows:
        yield _read_trace(row) if row.keys() >= _TRACE else _read_table_row(row)


def _read_table_row(record: Record) -> Row:
    expected = fields(record.get("expectations"))
    own = {
        "inputs": _find_input(record.get("inputs")),
        "expectations": _find_expected(expected),
        "expectations.expected_facts": _join_facts(expected.get(_FACTS)),
        "outputs": _read_output(record.get("outputs")),
        "predictions": _read_output(record.get("predictions")),
        "latency": _in_ms(record.get("latency"), MS),
        "retrieved_context": texts(record.get("retrieved_context")),
    }
    cells = ordinary(record) | own
    scores = [
        _read_verdict(score(name.removesuffix(_SCORE).removesuffix(_VALUE), value))
        for name, value in record.items()
        if name not in cells and (name.endswith((_SCORE, _VALUE)) or is_number(value))
    ]
    return cells | {SCORES: scores + _read_feedback(items(record.get("assessments")))}


def _read_trace(record: Record) -> Row:
    """A row of `EvaluationResult.result_df`, or of `search_traces` after an evaluation."""
    assessments = items(read_printed(record.get("assessments"), list))
    values = {name.removesuffix(_VALUE): value for name, value in record.items() if name.endswith(_VALUE)}
    expected = values | {
        _name_assessment(assessment): _read_expectation(assessment)
        for assessment in assessments
        if inside(assessment, "expectation")
    }
    scores = [score(name, value) for name, value in values.items() if name not in (*_EXPECTED, _FACTS)]
    return ordinary(record) | {
        "request": _find_input(record["request"]),
        "expected_response/value": _find_expected(expected),
        "expected_facts/value": _join_facts(expected.get(_FACTS)),
        "response": _read_output(record["response"]),
        "execution_duration": _in_ms(record.get("execution_duration")),
        SCORES: _read_feedback(assessments) or [_read_verdict(assessment) for assessment in scores],
    }


def _name_assessment(assessment: object) -> str:
    return text(inside(assessment, "assessment_name") or inside(assessment, "name")) or ""


def _read_expectation(assessment: object) -> object:
    value = inside(assessment, "expectation", "value")
    return read_object(inside(assessment, "expectation", "serialized_value", "value")) if value is None else value


def _read_feedback(assessments: list[object]) -> list[Score]:
    """The scores among the assessments; of one that failed, why."""
    given = [
        (_name_assessment(assessment), inside(assessment, "feedback"))
        for assessment in assessments
        if not _is_expected(assessment)
    ]
    errors = [inside(assessment, "error", "error_message") or inside(assessment, "error") for _, assessment in given]
    return [
        _read_verdict(score(name, inside(assessment, "value"), error))
        for (name, assessment), error in zip(given, errors, strict=True)
        if name
    ]


def _is_expected(assessment: object) -> bool:
    return inside(assessment, "expectation") is not None


def _read_verdict(given: Score) -> Score:
    """A judge's yes and no are 1 and 0."""
    verdict = {"yes": True, "no": False}.get(str(given["error"]).lower())
    return given if verdict is None else score(given["name"], verdict)


def _in_ms(time: object, unit: int = 1) -> float | None:
    """The time in milliseconds; None for 0, which stands for responses that existed before the evaluation."""
    number = score("time", time)["value"]
    return number * unit if number else None


def _find_expected(expected: Record) -> str | None:
    return next((text(expected[name]) for name in _EXPECTED if expected.get(name) is not None), None)


def _join_facts(expected: object) -> str | None:
    """The expected facts as one fact: joined by `<AND>`, so that a response has to state all of them."""
    return variants(read_printed(expected, list), c.AND_DELIMITER)


def _find_input(inputs: object) -> str | None:
    """The question among the inputs: the field that is called so, or the only one."""
    inputs = read_object(inputs)
    if not isinstance(inputs, dict):
        return text(inputs)
    name = next((alias for alias in GOLDEN_NAMES[c.QUESTION] if alias in inputs), None)
    messages = items(inputs.get("messages"))
    if name is None and messages:
        return text(inside(messages, -1, "content"))
    return text(inputs[name] if name else next(iter(inputs.values())) if len(inputs) == 1 else inputs)


def _read_output(outputs: object) -> str | None:
    outputs = read_printed(outputs, dict) if text(outputs) and str(outputs).startswith("{'") else outputs
    name = next((field for field in _OUTPUT_FIELDS if field in fields(outputs)), None)
    return text(inside(outputs, name) if name else outputs)


MLFLOW = Tool(
    name="an MLflow evaluation table",
    wrote=_is_mlflow,
    rows=_read_mlflow,
    adds_ordinary=True,
    columns=(
        Column(c.QUESTION, "inputs"),
        Column(c.QUESTION, "request"),
        Column(c.ANSWER, "expectations"),
        Column(c.ANSWER, "expected_response/value"),
        Column(c.FACT, "expectations.expected_facts"),
        Column(c.FACT, "expected_facts/value"),
        Column(c.RESPONSE, "outputs"),
        Column(c.RESPONSE, "predictions"),
        Column(c.RESPONSE, "response"),
        Column(c.LATENCY_MS, "latency"),
        Column(c.LATENCY_MS, "execution_duration"),
        Column(c.CONTEXTS, "retrieved_context"),
        Column(c.THEIR_SCORES, SCORES),
    ),
)

_VARS = "vars."

_CONTEXTS = (f"{_VARS}contexts", f"{_VARS}context")

_ANSWER_ASSERTIONS = ("equals", "similar", "factuality", "model-graded-factuality", "rouge-n", "bleu")

_FACT_ASSERTIONS = dict.fromkeys(("contains", "icontains", "contains-any", "icontains-any"), c.OR_DELIMITER) | (
    dict.fromkeys(("contains-all", "icontains-all"), c.AND_DELIMITER)
)
"""Assertions that ask for words, and how their words are joined."""

_AFTER_REASON = "\n---\n"


def _is_promptfoo(record: Record) -> bool:
    results = record.get("results")
    rows = items(inside(results, "results"))
    return bool(rows and "provider" in fields(rows[0]) and "success" in fields(rows[0])) or bool(
        items(inside(results, "table", "body"))
    )


def _read_promptfoo(record: Record) -> Iterator[Row]:
    results = record["results"]
    # Version 2 has both, and says what was asserted in its table alone.
    given = list(_convert_table(inside(results, "table"))) or items(inside(results, "results"))
    prompts: dict[str | None, dict[object, None]] = {}
    times: dict[str, dict[str | None, None]] = {}
    for result in given:
        prompts.setdefault(_name_provider(result), {})[_identify_prompt(result)] = None
        times.setdefault(_identify_test(result), {})[_place_test(result)] = None
    several = len({text(inside(result, "prompt", "raw")) for result in given}) > len(times)
    for result in given:
        provider = _name_provider(result)
        question = _find_variable(fields(inside(result, "vars"))) if several else None
        is_prompt = several and question is None
        # Without variables the prompt itself is the question, and part of its id.
        row = _read_result(result, provider, [] if is_prompt else list(prompts[provider]))
        row |= _number_repeat(_place_test(result), list(times[_identify_test(result)]))
        if is_prompt:
            row["testIdx"] = f"{row['testIdx']}, prompt {list(prompts[provider]).index(_identify_prompt(result)) + 1}"
        yield row | ({} if question is None else {"vars": question})


def _convert_table(table: object) -> Iterator[Record]:
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
                "response": {"output": _read_cell(given)},
                "success": given.get("pass"),
            }


def _read_cell(cell: Record) -> str | None:
    """The response in a cell of version 2's table, before which stands why it failed; None if the request failed."""
    if cell.get("pass") is False and cell.get("gradingResult") is None:
        return None
    words, reason = text(cell.get("text")), text(inside(cell, "gradingResult", "reason"))
    return words.removeprefix(f"{reason}{_AFTER_REASON}") if words else words


def _name_provider(result: object) -> str | None:
    provider = inside(result, "provider")
    return text(inside(provider, "label") or inside(provider, "id") or provider)


def _identify_prompt(result: object) -> object:
    """What tells the prompts of one provider apart."""
    place = inside(result, "promptIdx")
    label = inside(result, "prompt", "label")
    return place if isinstance(place, int) else text(label)


def _place_test(result: object) -> str | None:
    return text(inside(result, "testIdx"))


def _identify_test(result: object) -> str:
    """What a test asks and expects: tests that agree in it are one, asked several times (`eval --repeat`)."""
    return json.dumps([inside(result, "vars"), inside(result, "testCase", "assert")], sort_keys=True)


def _number_repeat(test: str | None, times: Sequence[str | None]) -> Row:
    """The test that asked first, and which time this one is; promptfoo numbers repeats on as tests of their own."""
    return {"testIdx": times[0], "repeat": str(times.index(test) + 1) if len(times) > 1 else None}


def _read_result(result: object, provider: str | None, prompts: Sequence[object]) -> Row:
    several = f", prompt {prompts.index(_identify_prompt(result)) + 1}" if len(prompts) > 1 else ""
    values = {f"{_VARS}{name}": value for name, value in fields(inside(result, "vars")).items()}
    values |= {name: texts(values[name]) for name in _CONTEXTS if name in values}
    return {
        **values,
        "prompt.raw": text(inside(result, "prompt", "raw")),
        **_read_assertions(inside(result, "testCase", "assert")),
        "provider": f"{provider}{several}" if provider else None,
        "response.output": text(inside(result, "response", "output")),
        "latencyMs": _read_figure(inside(result, "latencyMs")),
        "cost": _read_figure(inside(result, "cost")),
        "gradingResult.reason": text(inside(result, "gradingResult", "reason")),
        SCORES: _list_scores(result),
    }


def _find_variable(values: Record) -> str | None:
    """What a test asks, where several prompts ask it in other words: the variable that is named like a question, or the
    only one, or all of them."""
    named_so = next((name for name in values if read_column_name(name).word == c.QUESTION), None)
    if named_so is None and len(values) == 1:
        named_so = next(iter(values))
    if named_so is not None:
        return text(values[named_so])
    return "; ".join(f"{name}: {text(value)}" for name, value in values.items()) or None


def _read_figure(value: object) -> object:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _read_assertions(given: object) -> Row:
    """What the assertions of a test, and those in sets of them, say of the golden answer and the fact."""
    assertions = [inner for assertion in items(given) for inner in items(inside(assertion, "assert")) or [assertion]]
    kinds = [text(inside(assertion, "type")) or "" for assertion in assertions]
    values = dict(zip(reversed(kinds), (inside(assertion, "value") for assertion in reversed(assertions)), strict=True))
    answer = next((values[kind] for kind in kinds if kind in _ANSWER_ASSERTIONS), None)
    fact = next((kind for kind in kinds if kind in _FACT_ASSERTIONS), None)
    expected = variants(values[fact], _FACT_ASSERTIONS[fact]) if fact else None
    return {"assert answer": text(answer), "assert fact": expected}


def _list_scores(result: object) -> list[Score]:
    error = inside(result, "error") if inside(result, "response", "output") is None else None
    scores = [score(name, inside(result, name), error) for name in ("success", "score")]
    scores += [score(name, value) for name, value in fields(inside(result, "namedScores")).items()]
    for place, component in enumerate(items(inside(result, "gradingResult", "componentResults")), 1):
        kind = (
            text(inside(component, "assertion", "type") or inside(component, "metadata", "assertionSet", "type"))
            or "assertion"
        )
        scores.append(score(f"{place}. {kind}", inside(component, "score"), inside(component, "reason")))
    return scores


_OF_VARS = {
    f"{_VARS}{alias}": word for word in (c.QUESTION, c.ANSWER, c.FACT, c.CATEGORY) for alias in GOLDEN_NAMES[word]
}

PROMPTFOO = Tool(
    name="promptfoo results",
    wrote=_is_promptfoo,
    rows=_read_promptfoo,
    columns=(
        *(Column(word, name) for name, word in _OF_VARS.items()),
        *(Column(c.CONTEXTS, name) for name in _CONTEXTS),
        Column(c.QUESTION_ID, "testIdx"),
        Column(c.QUESTION, "vars"),
        Column(c.QUESTION, "prompt.raw"),
        Column(c.ANSWER, "assert answer"),
        Column(c.FACT, "assert fact"),
        Column(c.PIPELINE, "provider"),
        Column(c.REPEAT, "repeat"),
        Column(c.RESPONSE, "response.output"),
        Column(c.LATENCY_MS, "latencyMs"),
        Column(c.COST, "cost"),
        Column(c.THEIR_SCORES, SCORES),
    ),
)
