"""Benchmarks whose files JMESPath says too little of: nested questions, likelihoods, logs of events."""

from collections.abc import Iterator, Sequence
from typing import Any

from qaviz.loading.adapters.tool import Column, Tool, find_word
from qaviz.loading.adapters.values import (
    SCORES,
    Numbered,
    Record,
    Row,
    fields,
    inside,
    is_number,
    items,
    read_fields,
    read_first_text,
    scores_of,
    text,
    variants,
)
from qaviz.loading.column_senses import read_column_name
from qaviz.model import columns as c


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
