"""What benchmark harnesses log of each sample: lm-evaluation-harness, HELM, OpenAI evals and lighteval."""

from collections.abc import Iterator, Sequence
from typing import Any

from qaviz.loading.adapters.tool import THEIR_SCORES as SCORES
from qaviz.loading.adapters.tool import (
    Numbered,
    Record,
    Row,
    Tool,
    fields,
    inside,
    is_number,
    items,
    score,
    scores_of,
    text,
    variants,
)
from qaviz.loading.column_senses import read_column_name
from qaviz.model.columns import (
    ANSWER,
    LATENCY_MS,
    OR_DELIMITER,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    RESPONSE,
    THEIR_SCORES,
)

_MS = 1000


def _lm_eval(record: Record) -> Iterator[Row]:
    """A line of `--log_samples`. Tasks that compare likelihoods have no text: the likeliest option is the response."""
    asked = next((value for name, value in fields(record.get("doc")).items() if _is_question(name, value)), None)
    arguments = [_arguments(each) for each in _list_values(record.get("arguments"))]
    given = record.get("resps") or record.get("filtered_resps")
    target, response = record.get("target"), _first_text(given)
    options = [text(each[1]) or "" for each in arguments if len(each) > 1 and isinstance(each[1], str)]
    if response is None and options:
        likeliest = _likeliest(record.get("filtered_resps") or given)
        response = options[likeliest].strip() if likeliest is not None and likeliest < len(options) else None
        place = int(str(target)) if str(target).isdecimal() else None
        target = options[place].strip() if place is not None and place < len(options) else target
    named = {name: record[name] for name in items(record.get("metrics")) if is_number(record.get(str(name)))}
    yield {
        "doc_id": text(record.get("doc_id")),
        "doc": text(asked) or (text(arguments[0][0]) if arguments and arguments[0] else None),
        "target": variants(target, OR_DELIMITER),
        "resps": response,
        SCORES: scores_of(named),
    }


def _is_question(name: str, value: object) -> bool:
    return isinstance(value, str) and read_column_name(name).word == QUESTION


def _list_values(value: object) -> list[Any]:
    """The elements of a list, or the values of an object (`gen_args_0`, `gen_args_1`, as later releases write)."""
    return list(value.values()) if isinstance(value, dict) else items(value)


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _arguments(value: object) -> list[Any]:
    return _list_values(value) or [value]


def _first_text(value: object) -> str | None:
    """The first text of nested lists of responses; None if they begin with something else."""
    while isinstance(value, list) and value:
        value = value[0]
    # A likelihood is a number, in later releases one that is written as a text.
    return value if isinstance(value, str) and not is_number(value) else None


def _likeliest(given: object) -> int | None:
    """The place of the highest of likelihoods, each the first of a pair (`["-4.1", "False"]`)."""
    values = [_float(_innermost(each)) for each in items(given)]
    known = [(value, -place) for place, value in enumerate(values) if value is not None]
    return -max(known)[1] if known and len(known) == len(values) else None


def _innermost(value: object) -> object:
    while isinstance(value, list) and value:
        value = value[0]
    return value


def _float(value: object) -> float | None:
    try:
        return float(value) if isinstance(value, str | int | float) else None
    except ValueError:
        return None


LM_EVAL = Tool(
    name="samples of lm-evaluation-harness",
    wrote=lambda record: {"doc", "target", "resps"} <= record.keys() or {"doc_id", "filtered_resps"} <= record.keys(),
    rows=_lm_eval,
    words={"doc_id": QUESTION_ID, "doc": QUESTION, "target": ANSWER, "resps": RESPONSE, SCORES: THEIR_SCORES},
)


def _helm(record: Record) -> Iterator[Row]:
    """The requests of `scenario_state.json`, each with its instance, or an instance of `instances.json`."""
    model = inside(record, "adapter_spec", "model") or inside(record, "adapter_spec", "model_deployment")
    for state in items(record.get("request_states")) or [{"instance": record}]:
        said = text(inside(state, "result", "completions", 0, "text"))
        mapped = fields(inside(state, "output_mapping"))
        seconds = inside(state, "result", "request_time")
        references = items(inside(state, "instance", "references"))
        right = [inside(each, "output", "text") for each in references if "correct" in items(inside(each, "tags"))]
        yield {
            "instance.id": text(inside(state, "instance", "id")),
            "instance.input": text(inside(state, "instance", "input", "text") or inside(state, "instance", "input")),
            "instance.references": variants(right, OR_DELIMITER),
            "adapter_spec.model": text(model or inside(state, "request", "model")),
            "result.completions": mapped.get(said.strip(), said) if said else said,
            "result.request_time": seconds * _MS if isinstance(seconds, int | float) else None,
        }


HELM = Tool(
    name="a HELM run",
    wrote=lambda record: (
        "instance" in fields(inside(record, "request_states", 0))
        or ({"input", "references"} <= record.keys() and "output" in fields(inside(record, "references", 0)))
    ),
    rows=_helm,
    words={
        "instance.id": QUESTION_ID,
        "instance.input": QUESTION,
        "instance.references": ANSWER,
        "adapter_spec.model": PIPELINE,
        "result.completions": RESPONSE,
        "result.request_time": LATENCY_MS,
    },
)


def _join_samples(lines: Sequence[Numbered]) -> Iterator[Numbered]:
    """One record a sample of an OpenAI eval, of its events: what was asked, what was expected, and how it scored."""
    model = next((name for _, each in lines if (name := inside(each, "spec", "completion_fns", 0))), None)
    samples: dict[str, tuple[int, dict[str, Any]]] = {}
    for line, event in lines:
        if sample := text(event.get("sample_id")):
            _, data = samples.setdefault(sample, (line, {"sample_id": sample, "model": model}))
            data |= {name: value for name, value in fields(event.get("data")).items() if value is not None}
    yield from samples.values()


def _openai_eval(record: Record) -> Iterator[Row]:
    prompt = record.get("prompt")
    asked = [each for each in items(prompt) if inside(each, "role") == "user"] or items(prompt)
    yield {
        "sample_id": text(record.get("sample_id")),
        "prompt": text(inside(asked[-1], "content")) if asked else text(prompt),
        "expected": variants(record.get("expected", record.get("ideal")), OR_DELIMITER),
        "model": text(record.get("model")),
        "sampled": _first_text(record.get("sampled")) or text(inside(record, "sampled")),
        SCORES: [score("correct", record["correct"])] if is_number(record.get("correct")) else None,
    }


OPENAI_EVALS = Tool(
    name="an OpenAI evals log",
    wrote=lambda record: (
        "completion_fns" in fields(record.get("spec")) or {"sample_id", "event_id", "data"} <= record.keys()
    ),
    rows=_openai_eval,
    words={
        "sample_id": QUESTION_ID,
        "prompt": QUESTION,
        "expected": ANSWER,
        "model": PIPELINE,
        "sampled": RESPONSE,
        SCORES: THEIR_SCORES,
    },
    gather=_join_samples,
)


def _lighteval(record: Record) -> Iterator[Row]:
    """A row of the details: objects `doc`, `model_response` and `metric`; in earlier releases columns of their own."""
    doc, said = fields(record.get("doc") or record.get("__doc__")), record.get("model_response")
    choices = doc.get("choices") or record.get("choices")
    places = doc.get("gold_index", record.get("gold_index"))
    gold = [inside(choices, place) for place in _as_list(places) if isinstance(place, int)]
    metrics = fields(record.get("metric") or record.get("__metric__") or record.get("metrics"))
    yield {
        "doc.id": text(doc.get("id")),
        "doc.query": text(doc.get("query") or record.get("example") or record.get("full_prompt")),
        "doc.gold": variants([each for each in gold if each] or record.get("gold"), OR_DELIMITER),
        "model_response.text": _first_text(
            inside(said, "text") or inside(record.get("__model_response__"), "text") or record.get("predictions")
        ),
        SCORES: scores_of(metrics),
    }


LIGHTEVAL = Tool(
    name="details of lighteval",
    wrote=lambda record: (
        {"doc", "model_response", "metric"} <= record.keys()
        or {"__doc__", "__model_response__"} <= record.keys()
        or {"full_prompt", "predictions", "gold"} <= record.keys()
    ),
    rows=_lighteval,
    words={
        "doc.id": QUESTION_ID,
        "doc.query": QUESTION,
        "doc.gold": ANSWER,
        "model_response.text": RESPONSE,
        SCORES: THEIR_SCORES,
    },
)

BENCHMARK_LOGS = (LIGHTEVAL, LM_EVAL, HELM, OPENAI_EVALS)
"""In the order in which they are asked whether a file is theirs."""
