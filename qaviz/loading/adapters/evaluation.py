"""Evaluation tools and benchmarks whose files JMESPath says too little of: several responses in one record, scores
among columns, nested questions, likelihoods, logs of events.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from qaviz.loading.adapters.tool import (
    MS,
    ORDINARY,
    SCORES,
    Column,
    Numbered,
    Record,
    Row,
    Score,
    Tool,
    fields,
    find_contexts,
    find_part,
    find_text,
    find_word,
    inside,
    is_number,
    items,
    list_columns,
    read_content,
    read_fields,
    read_first_text,
    score,
    scores_of,
    search,
    text,
    variants,
)
from qaviz.loading.column_mapping import GOLDEN_NAMES
from qaviz.loading.column_senses import read_column_name
from qaviz.loading.column_values import read_json, read_printed
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
    turns = [text(inside(turn, "content")) for turn in items(value) if inside(turn, "type") in ("human", None)]
    return turns[-1] if turns else text(value)


def list_ragas_scores(row: Record) -> list[Score]:
    """Every column that is none of Ragas's own and no ordinary one, and holds a number or nothing."""
    others = {name: value for name, value in row.items() if name not in _NO_RAGAS_METRICS and name not in ORDINARY}
    return [score(name, value) for name, value in others.items() if value is None or is_number(value)]


def split_bars(row: Record) -> object:
    """DeepEval's contexts: in CSV one cell has several, with a bar between them."""
    contexts = row.get("retrieval_context") or row.get("retrievalContext")
    return contexts.split("|") if isinstance(contexts, str) else contexts


_SIDES = (("output_text_a", 1), ("output_text_b", -1))
"""Each model's output, and the sign of a score in its favour: the file's scores are above 0 where A is better."""
_CUSTOM = "custom_fields."


def _read_llm_comparator(record: Record) -> Iterator[Row]:
    models = [text(inside(model, "name")) for model in items(record["models"])]
    for example in items(record["examples"]):
        custom = {f"{_CUSTOM}{name}": text(value) for name, value in fields(inside(example, "custom_fields")).items()}
        tags = [text(tag) or "" for tag in items(inside(example, "tags"))]
        given = inside(example, "score")
        for (side, sign), model in zip(_SIDES, models, strict=False):
            yield custom | {
                "input_text": text(inside(example, "input_text")),
                "tags": "; ".join(tags) or None,
                "models.name": model,
                "output_text": text(inside(example, side)),
                SCORES: [score("side by side", float(given) * sign)] if is_number(given) else None,
            }


LLM_COMPARATOR = Tool(
    name="an LLM Comparator file",
    wrote="length(models) > `1` && has(examples[0], 'output_text_a')",
    rows=_read_llm_comparator,
    columns=(
        Column(c.QUESTION, "input_text"),
        *(Column(word, f"{_CUSTOM}{alias}") for word in (c.ANSWER, c.FACT, c.CATEGORY) for alias in GOLDEN_NAMES[word]),
        Column(c.TAGS, "tags"),
        Column(c.PIPELINE, "models.name"),
        Column(c.RESPONSE, "output_text"),
        Column(c.THEIR_SCORES, SCORES),
    ),
)

_CALLS = "_calls"
_COUNTS = frozenset(
    ("record_id", "app_id", "app_name", "app_version", "input", "output", "expected_response", "ground_truth", "ts",
     "latency", "total_tokens", "num_events", "sampled", "sample_rate", "is_match", "input_id", "conversation_id")
)  # fmt: skip


def list_trulens_scores(row: Record) -> Record:
    """TruLens's metrics stand beside their calls; without calls every number is one but those that it counts."""
    metrics = {name.removesuffix(_CALLS) for name in row if name.endswith(_CALLS)}
    if metrics:
        return {name: value for name, value in row.items() if name in metrics}
    return {name: value for name, value in row.items() if name not in _COUNTS and "cost" not in name}


def list_called_contexts(row: Record) -> list[object]:
    """The passages that a metric of contexts was called with, which are those that were retrieved."""
    calls = next((calls for name, calls in row.items() if name.endswith(_CALLS) and "context" in name.lower()), None)
    return [passage for call in items(read_printed(calls, list)) if (passage := inside(call, "args", "context"))]


def list_bedrock_passages(row: Record) -> list[object]:
    """The retrieved passages: their texts, where they are from, and their scores."""
    passages = items(inside(row, "output", "retrievedPassages", "retrievalResults"))
    return [
        {
            "text": read_content(passage) or "",
            "uri": search("location.*.[uri, url][][] | [0]", fields(passage)),
            "score": inside(passage, "score"),
        }
        for passage in passages
    ]


def name_trulens_app(row: Record) -> str | None:
    """The name of the app with its version, which tells two versions of one app apart."""
    name, version = text(row.get("app_name")), text(row.get("app_version"))
    return f"{name} {version}" if name and version else name or text(row.get("app_id"))


def name_weave_model(row: Record) -> str | None:
    """A model's name; of an address such as `weave:///team/project/object/Model:v3` the last part."""
    model = inside(row, "inputs", "model")
    return model.rpartition("/")[2] if isinstance(model, str) else text(inside(model, "name"))


def list_weave_scores(row: Record) -> list[Record]:
    """Each part of each score of Weave's that is a number."""
    return [
        {"name": f"{name}: {part}", "value": value}
        for name, parts in fields(inside(row, "output", "scores")).items()
        for part, value in (fields(parts) or {"score": parts}).items()
        if is_number(value)
    ]


def find_duration(row: Record) -> float | None:
    """Milliseconds between the start and the end among Braintrust's metrics."""
    start, end = inside(row, "metrics", "start"), inside(row, "metrics", "end")
    return (end - start) * MS if isinstance(start, int | float) and isinstance(end, int | float) else None


_LANGFUSE_FIELDS = (*GOLDEN_NAMES[c.QUESTION], *GOLDEN_NAMES[c.ANSWER], "content", "text")


def read_cell(cell: object) -> str | None:
    """The text in a cell of JSON: of an object the field that is called like a question or an answer, or its only one.

    Any other cell is as it stands.
    """
    try:
        value = json.loads(cell) if isinstance(cell, str) else cell
    except (ValueError, RecursionError):
        return text(cell)
    if isinstance(value, dict) and value:
        only = next(iter(value)) if len(value) == 1 else None
        name = next((field for field in _LANGFUSE_FIELDS if field in value), only)
        return text(value[name]) if name is not None else text(cell)
    return value if isinstance(value, str) else text(cell)


_BASELINE = "baseline_model_response"


def _read_vertex(record: Record) -> Iterator[Row]:
    """A row of an evaluation task's metrics; of a pairwise one both models' responses."""
    instance = fields(read_json(record.get("instance"))) or record
    prompt: Row = {
        "prompt": find_text(instance.get("prompt"), c.QUESTION),
        "reference": text(instance.get("reference")),
        "context": find_contexts(instance),
    }
    model = "candidate" if _BASELINE in instance else None
    scores = scores_of(list_columns(record, "", "/score"))
    yield prompt | {"model": model, "response": text(instance.get("response")), SCORES: scores}
    if model:
        yield prompt | {"model": "baseline", "response": text(instance[_BASELINE]), SCORES: None}


VERTEX = Tool(
    name="a Vertex AI evaluation",
    wrote="has(json(instance), 'prompt', 'response') && columns(@, '', '/score')"
    " || has(@, 'prompt', 'response') && columns(@, '', '/score')",
    rows=_read_vertex,
    columns=(
        Column(c.QUESTION, "prompt"),
        Column(c.ANSWER, "reference"),
        Column(c.CONTEXTS, "context"),
        Column(c.PIPELINE, "model"),
        Column(c.RESPONSE, "response"),
        Column(c.THEIR_SCORES, SCORES),
    ),
)


def _is_opik(record: Record) -> bool:
    outputs = [name for name in record if name == "output" or name.endswith(".output")]
    return any(name.startswith("dataset.") for name in record) and any(name[:8] != "dataset." for name in outputs)


def _read_opik(record: Record) -> Iterator[Row]:
    """A dataset item (`dataset.…`) and what came of it; of several experiments each has its name before its columns."""
    item = find_part(record, "dataset")
    for name in record:
        prefix = name.removesuffix("output")
        if name.startswith("dataset.") or not (name == "output" or name.endswith(".output")):
            continue
        seconds = record.get(f"{prefix}duration")
        yield {
            "dataset.input": find_text(find_word(item, c.QUESTION), c.QUESTION),
            "dataset.expected_output": find_text(find_word(item, c.ANSWER), c.ANSWER, c.RESPONSE),
            "experiment": prefix.removesuffix(".") or None,
            "output": find_text(record[name], c.RESPONSE, c.ANSWER),
            "duration": float(str(seconds)) if is_number(seconds) and seconds is not None else None,
            SCORES: scores_of(list_columns(record, f"{prefix}feedback_scores.", "")),
        }


OPIK = Tool(
    name="an Opik experiment",
    wrote=_is_opik,
    rows=_read_opik,
    columns=(
        Column(c.QUESTION, "dataset.input"),
        Column(c.ANSWER, "dataset.expected_output"),
        Column(c.PIPELINE, "experiment"),
        Column(c.RESPONSE, "output"),
        Column(c.LATENCY_MS, "duration"),
        Column(c.THEIR_SCORES, SCORES),
    ),
)


def is_nq_open(record: Record) -> bool:
    """Whether a record is a question with a list of accepted answers, and nothing that a pipeline said."""
    answers = record.get("answer")
    listed = isinstance(answers, list) and bool(answers) and all(isinstance(answer, str) for answer in answers)
    others = {read_column_name(name).word for name in record if name != "answer"}
    return listed and isinstance(record.get("question"), str) and not {c.ANSWER, c.RESPONSE, c.PIPELINE} & others


_ID, _PREDICTION = "id", "prediction_text"


def _read_squad(record: Record) -> Iterator[Row]:
    for article in items(record.get("data")):
        for paragraph in items(inside(article, "paragraphs")):
            for entry in items(inside(paragraph, "qas")):
                yield {"title": text(inside(article, "title"))} | _read_squad_question(entry)


def _read_squad_question(entry: object) -> Row:
    impossible = inside(entry, "is_impossible")
    spans = variants([inside(span, "text") for span in items(inside(entry, "answers"))], c.OR_DELIMITER)
    return {
        **read_fields(entry, _ID, "question"),
        "answers": None if impossible else spans,
        # The same spans once more: they are as short as facts are.
        "answers.text": None if impossible else spans,
        "answerable": None if impossible is None else not impossible,
    }


SQUAD = Tool(
    name="a SQuAD dataset",
    wrote="has(data[0], 'paragraphs')",
    rows=_read_squad,
    columns=(
        Column(c.QUESTION_ID, _ID),
        Column(c.QUESTION, "question"),
        Column(c.ANSWER, "answers"),
        Column(c.FACT, "answers.text"),
        Column(c.ANSWERABLE, "answerable"),
        Column(c.SOURCE, "title"),
    ),
)


def _is_squad_prediction(record: Record) -> bool:
    if _PREDICTION in record:
        return _ID in record
    # Ids, unlike names of columns, have digits in them.
    return bool(record) and all(
        isinstance(value, str) and any(map(str.isdigit, name)) for name, value in record.items()
    )


def _read_squad_predictions(record: Record) -> Iterator[Row]:
    if _PREDICTION in record:
        yield read_fields(record, _ID, _PREDICTION)
    else:
        for name, response in record.items():
            yield {_ID: name, _PREDICTION: text(response)}


SQUAD_PREDICTIONS = Tool(
    name="SQuAD predictions",
    wrote=_is_squad_prediction,
    rows=_read_squad_predictions,
    columns=(Column(c.QUESTION_ID, _ID), Column(c.RESPONSE, _PREDICTION)),
)


def _read_lm_eval(record: Record) -> Iterator[Row]:
    """A line of `--log_samples`. Tasks that compare likelihoods have no text: the likeliest option is the response."""
    doc = {name: value for name, value in fields(record.get("doc")).items() if isinstance(value, str)}
    arguments = [_list_values(entry) or [entry] for entry in _list_values(record.get("arguments"))]
    given = record.get("resps") or record.get("filtered_resps")
    target, response = record.get("target"), read_first_text(given)
    options = [text(entry[1]) or "" for entry in arguments if len(entry) > 1 and isinstance(entry[1], str)]
    if response is None and options:
        likeliest = _find_likeliest(record.get("filtered_resps") or given)
        response = options[likeliest].strip() if likeliest is not None and likeliest < len(options) else None
        place = int(str(target)) if str(target).isdecimal() else None
        target = options[place].strip() if place is not None and place < len(options) else target
    named = {name: record[name] for name in items(record.get("metrics")) if is_number(record.get(str(name)))}
    yield {
        "doc_id": text(record.get("doc_id")),
        "doc": text(find_word(doc, c.QUESTION)) or (text(arguments[0][0]) if arguments and arguments[0] else None),
        "target": variants(target, c.OR_DELIMITER),
        "resps": response,
        SCORES: scores_of(named),
    }


def _list_values(value: object) -> list[Any]:
    """The elements of a list, or the values of an object (`gen_args_0`, `gen_args_1`, as later releases write)."""
    return list(value.values()) if isinstance(value, dict) else items(value)


def _find_likeliest(given: object) -> int | None:
    """The place of the highest of likelihoods, each the first of a pair (`["-4.1", "False"]`)."""
    values = [_read_likelihood(pair) for pair in items(given)]
    numbers = [(value, -place) for place, value in enumerate(values) if value is not None]
    return -max(numbers)[1] if numbers and len(numbers) == len(values) else None


def _read_likelihood(value: object) -> float | None:
    """The first of nested lists as a number, which may be infinite; None where there is none."""
    while isinstance(value, list) and value:
        value = value[0]
    try:
        return float(value) if isinstance(value, str | int | float) else None
    except ValueError:
        return None


LM_EVAL = Tool(
    name="samples of lm-evaluation-harness",
    wrote="has(@, 'doc', 'target', 'resps') || has(@, 'doc_id', 'filtered_resps')",
    rows=_read_lm_eval,
    columns=(
        Column(c.QUESTION_ID, "doc_id"),
        Column(c.QUESTION, "doc"),
        Column(c.ANSWER, "target"),
        Column(c.RESPONSE, "resps"),
        Column(c.THEIR_SCORES, SCORES),
    ),
)


def join_samples(lines: Sequence[Numbered]) -> Iterator[Numbered]:
    """One record a sample of an OpenAI eval, of its events: what was asked, what was expected, and how it scored."""
    model = next((name for _, event in lines if (name := inside(event, "spec", "completion_fns", 0))), None)
    samples: dict[str, Numbered] = {}
    for line, event in lines:
        if sample := text(event.get("sample_id")):
            _, data = samples.setdefault(sample, (line, {"sample_id": sample, "model": model}))
            data |= {name: value for name, value in fields(event.get("data")).items() if value is not None}
    yield from samples.values()


def read_helm_completion(row: Record) -> str | None:
    """The completion; of a letter the option that it stands for."""
    completion = text(inside(row, "result", "completions", 0, "text"))
    options = fields(inside(row, "output_mapping"))
    return text(options.get(completion.strip(), completion)) if completion else completion


def choose_gold(row: Record) -> object:
    """lighteval's golden answers: the choices at the places that are gold, or in earlier releases the texts."""
    doc = fields(row.get("doc") or row.get("__doc__"))
    choices = doc.get("choices") or row.get("choices")
    places = doc.get("gold_index", row.get("gold_index"))
    gold = [
        inside(choices, place) for place in (places if isinstance(places, list) else [places]) if isinstance(place, int)
    ]
    return list(filter(None, gold)) or row.get("gold")
