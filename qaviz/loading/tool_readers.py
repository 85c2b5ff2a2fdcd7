"""Tools whose files JMESPath says too little of: Ragas's lists in text, promptfoo (`eval --output results.json`, of
version 3 and, with its table, of version 2), answers by id.
"""

import json
import re
from collections.abc import Iterator, Sequence

from qaviz.loading.formats.strict_json import as_text
from qaviz.loading.terms import read_column_name
from qaviz.loading.tool import Column, Tool
from qaviz.loading.tool_functions import (
    ORDINARY,
    SCORES,
    Numbered,
    Record,
    Row,
    Score,
    fields,
    inside,
    is_number,
    items,
    score,
    texts,
    variants,
)
from qaviz.model import columns as c

_NO_RAGAS_METRICS = frozenset((
    "user_input", "response", "reference", "retrieved_contexts", "reference_contexts", "retrieved_context_ids",
    "reference_context_ids", "multi_responses", "rubrics", "rubric", "persona_name", "query_style", "query_length",
    "synthesizer_name", "reference_tool_calls", "reference_topics",
    "question", "answer", "contexts", "ground_truth", "ground_truths", "evolution_type", "metadata", "episode_done",
    "id", "question_id", "index", "Unnamed: 0", "column 1",
))  # fmt: skip  # a line a name would be a page of names
"""What is no metric: a column of any other name is, where it holds numbers."""


def is_ragas(record: Record) -> bool:
    """Whether a record is Ragas's, of 0.2 and later, or of before."""
    if isinstance(record.get("question"), list):
        return False  # columns side by side
    names = record.keys()
    if "user_input" in names and {"response", "reference", "retrieved_contexts"} & names:
        return True
    return {"question", "contexts", "answer"} <= names and bool({"ground_truth", "ground_truths"} & names)


def read_conversation(row: Record) -> str | None:
    """The question, or of a conversation what was said last by a person."""
    value = row.get("user_input")
    turns = [as_text(inside(turn, "content")) for turn in items(value) if inside(turn, "type") in ("human", None)]
    return turns[-1] if turns else as_text(value)


def list_ragas_scores(row: Record) -> list[Score]:
    """Every column that is none of Ragas's own and no ordinary one, and holds a number or nothing."""
    others = {name: value for name, value in row.items() if name not in _NO_RAGAS_METRICS and name not in ORDINARY}
    return [score(name, value) for name, value in others.items() if value is None or is_number(value)]


RAGAS = Tool(
    name="Ragas results",
    wrote=is_ragas,
    adds_ordinary=True,
    columns=(
        Column(c.QUESTION, "user_input", read_conversation),
        Column(c.QUESTION, "question"),
        Column(c.ANSWER, "reference"),
        Column(c.ANSWER, "ground_truth"),
        Column(c.ANSWER, "ground_truths", "list(ground_truths)"),
        Column(c.CATEGORY, "synthesizer_name"),
        Column(c.CATEGORY, "evolution_type"),
        Column(c.RESPONSE, "response"),
        Column(c.RESPONSE, "answer"),
        Column(c.CONTEXTS, "retrieved_contexts", "list(retrieved_contexts)"),
        Column(c.CONTEXTS, "contexts", "list(contexts)"),
        Column(c.EVIDENCE, "reference_contexts", "list(reference_contexts)"),
        Column(c.CONTEXT_IDS, "retrieved_context_ids", "list(retrieved_context_ids)"),
        Column(c.PASSAGE_ID, "reference_context_ids", "list(reference_context_ids)"),
        Column(c.THEIR_SCORES, SCORES, list_ragas_scores),
    ),
)


def split_bars(row: Record) -> object:
    """DeepEval's contexts: in CSV one cell has several, with a bar between them."""
    contexts = row.get("retrieval_context") or row.get("retrievalContext")
    return contexts.split("|") if isinstance(contexts, str) else contexts


_VARS = "vars."

_CONTEXTS = (f"{_VARS}contexts", f"{_VARS}context")

_ANSWER_ASSERTIONS = ("equals", "similar", "factuality", "model-graded-factuality", "rouge-n", "bleu")

_FACT_ASSERTIONS = dict.fromkeys(("contains", "icontains", "contains-any", "icontains-any"), c.OR_DELIMITER) | (
    dict.fromkeys(("contains-all", "icontains-all"), c.AND_DELIMITER)
)
"""Assertions that ask for words, and how their words are joined."""

_AFTER_REASON = "\n---\n"


def is_promptfoo(record: Record) -> bool:
    """Whether a document is promptfoo's: its results, or the table of version 2."""
    results = record.get("results")
    rows = items(inside(results, "results"))
    return bool(rows and "provider" in fields(rows[0]) and "success" in fields(rows[0])) or bool(
        items(inside(results, "table", "body"))
    )


def read_promptfoo(record: Record) -> Iterator[Row]:
    """A row for each result; a provider with several prompts is a pipeline for each."""
    results = record["results"]
    # Version 2 has both, and says what was asserted in its table alone.
    given = list(_convert_table(inside(results, "table"))) or items(inside(results, "results"))
    prompts: dict[str | None, dict[object, None]] = {}
    times: dict[str, dict[str | None, None]] = {}
    for result in given:
        prompts.setdefault(_name_provider(result), {})[_identify_prompt(result)] = None
        times.setdefault(_identify_test(result), {})[_place_test(result)] = None
    several = len({as_text(inside(result, "prompt", "raw")) for result in given}) > len(times)
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


_OF_PROVIDER = re.compile(r"\[([^\]]+)\] ")
"""How names of columns begin in promptfoo's CSV: the provider, then the prompt."""
_VERDICT = re.compile(r"\s*\[(PASS|FAIL|ERROR)\] \(([\d.]+)\)\s*")
_REASON = re.compile(r"\s*(?:Pass|Fail|Error) Reason: .*\Z", re.DOTALL)


def is_promptfoo_csv(record: Record) -> bool:
    """Whether columns are named as promptfoo's CSV names them."""
    return any(map(_OF_PROVIDER.match, record))


def read_promptfoo_csv(record: Record) -> Iterator[Row]:
    """A row for each provider, with the variables of the test beside it."""
    named = {name: match[1] for name in record if (match := _OF_PROVIDER.match(name))}
    twice = {provider for provider in named.values() if list(named.values()).count(provider) > 1}
    for name, provider in named.items():
        cell = as_text(record[name]) or ""
        verdict, words = _VERDICT.match(cell), _REASON.sub("", _VERDICT.sub("", cell, count=1))
        words = words.rpartition(_AFTER_REASON)[2] if verdict and verdict[1] == "FAIL" else words
        yield {beside: value for beside, value in record.items() if beside not in named} | {
            "provider": name if provider in twice else provider,
            "response.output": None if verdict and verdict[1] == "ERROR" else words,
            SCORES: [score("score", verdict[2])] if verdict else None,
        }


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
    words, reason = as_text(cell.get("text")), as_text(inside(cell, "gradingResult", "reason"))
    return words.removeprefix(f"{reason}{_AFTER_REASON}") if words else words


def _name_provider(result: object) -> str | None:
    provider = inside(result, "provider")
    return as_text(inside(provider, "label") or inside(provider, "id") or provider)


def _identify_prompt(result: object) -> object:
    """What tells the prompts of one provider apart."""
    place = inside(result, "promptIdx")
    label = inside(result, "prompt", "label")
    return place if isinstance(place, int) else as_text(label)


def _place_test(result: object) -> str | None:
    return as_text(inside(result, "testIdx"))


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
        "prompt.raw": as_text(inside(result, "prompt", "raw")),
        **_read_assertions(inside(result, "testCase", "assert")),
        "provider": f"{provider}{several}" if provider else None,
        "response.output": as_text(inside(result, "response", "output")),
        "latencyMs": _figure(inside(result, "latencyMs")),
        "cost": _figure(inside(result, "cost")),
        "gradingResult.reason": as_text(inside(result, "gradingResult", "reason")),
        SCORES: _list_scores(result),
    }


def _find_variable(values: Record) -> str | None:
    """What a test asks, where several prompts ask it in other words: the variable that is named like a question, or the
    only one, or all of them."""
    named_so = next((name for name in values if read_column_name(name).word == c.QUESTION), None)
    if named_so is None and len(values) == 1:
        named_so = next(iter(values))
    if named_so is not None:
        return as_text(values[named_so])
    return "; ".join(f"{name}: {as_text(value)}" for name, value in values.items()) or None


def _figure(value: object) -> object:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _read_assertions(given: object) -> Row:
    """What the assertions of a test, and those in sets of them, say of the golden answer and the fact."""
    assertions = [inner for assertion in items(given) for inner in items(inside(assertion, "assert")) or [assertion]]
    kinds = [as_text(inside(assertion, "type")) or "" for assertion in assertions]
    values = dict(zip(reversed(kinds), (inside(assertion, "value") for assertion in reversed(assertions)), strict=True))
    answer = next((values[kind] for kind in kinds if kind in _ANSWER_ASSERTIONS), None)
    fact = next((kind for kind in kinds if kind in _FACT_ASSERTIONS), None)
    expected = variants(values[fact], _FACT_ASSERTIONS[fact]) if fact else None
    return {"assert answer": as_text(answer), "assert fact": expected}


def _list_scores(result: object) -> list[Score]:
    error = inside(result, "error") if inside(result, "response", "output") is None else None
    scores = [score(name, inside(result, name), error) for name in ("success", "score")]
    scores += [score(name, value) for name, value in fields(inside(result, "namedScores")).items()]
    for place, component in enumerate(items(inside(result, "gradingResult", "componentResults")), 1):
        kind = (
            as_text(inside(component, "assertion", "type") or inside(component, "metadata", "assertionSet", "type"))
            or "assertion"
        )
        scores.append(score(f"{place}. {kind}", inside(component, "score"), inside(component, "reason")))
    return scores


def is_nq_open(record: Record) -> bool:
    """Whether a record is a question with a list of accepted answers, and nothing that a pipeline said."""
    answers = record.get("answer")
    listed = isinstance(answers, list) and bool(answers) and all(isinstance(answer, str) for answer in answers)
    others = {read_column_name(name).word for name in record if name != "answer"}
    return listed and isinstance(record.get("question"), str) and not {c.ANSWER, c.RESPONSE, c.PIPELINE} & others


def is_answers_by_id(record: Record) -> bool:
    """Whether a record is SQuAD's, or an object of texts by ids."""
    if "prediction_text" in record:
        return "id" in record
    return bool(record) and all(
        isinstance(value, str) and any(map(str.isdigit, name)) for name, value in record.items()
    )


def join_samples(lines: Sequence[Numbered]) -> Iterator[Numbered]:
    """One record a sample of an OpenAI eval, of its events: what was asked, what was expected, and how it scored."""
    model = next((name for _, event in lines if (name := inside(event, "spec", "completion_fns", 0))), None)
    samples: dict[str, Numbered] = {}
    for line, event in lines:
        if sample := as_text(event.get("sample_id")):
            _, data = samples.setdefault(sample, (line, {"sample_id": sample, "model": model}))
            data |= {name: value for name, value in fields(event.get("data")).items() if value is not None}
    yield from samples.values()
