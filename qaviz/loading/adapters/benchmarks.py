"""What benchmarks publish, their questions with golden answers (SQuAD with its predictions, KILT, BEIR, TriviaQA,
NQ-open), and what harnesses log of each sample (lm-evaluation-harness, HELM, OpenAI evals, lighteval).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from qaviz.loading.adapters.tool import (
    MS,
    SCORES,
    Numbered,
    Record,
    Row,
    Tool,
    add_ordinary,
    fields,
    inside,
    is_number,
    items,
    ordinary,
    read_fields,
    score,
    scores_of,
    text,
    texts,
    variants,
)
from qaviz.loading.column_senses import read_column_name
from qaviz.model import columns as c

_ID, _PREDICTION = "id", "prediction_text"


def _read_kilt(record: Record) -> Iterator[Row]:
    answers = [inside(each, "answer") for each in items(record.get("output"))]
    yield {
        "id": text(record.get("id") or record.get("_id")),
        "input": text(record.get("input")),
        "output.answer": variants([each for each in answers if each], c.OR_DELIMITER),
    }


KILT = Tool(
    name="a KILT file",
    wrote=lambda record: "input" in record and "answer" in fields(inside(record, "output", 0)),
    rows=_read_kilt,
    words={"id": c.QUESTION_ID, "input": c.QUESTION, "output.answer": c.ANSWER},
)


def _read_beir(record: Record) -> Iterator[Row]:
    metadata = fields(record.get("metadata"))
    answers = next(
        (value for name, value in metadata.items() if read_column_name(name).word in (c.ANSWER, c.RESPONSE)), None
    )
    yield {
        **read_fields(record, "_id", "text"),
        "metadata": variants(answers, c.OR_DELIMITER),
    }


BEIR = Tool(
    name="BEIR queries",
    wrote=lambda record: {"_id", "text"} <= record.keys() and "title" not in record,
    rows=_read_beir,
    words={"_id": c.QUESTION_ID, "text": c.QUESTION, "metadata": c.ANSWER},
)


def _read_triviaqa(record: Record) -> Iterator[Row]:
    """A question of TriviaQA's own files, or of Hugging Face's, which has the names in lower case."""
    for asked in items(record.get("Data")) or [record]:
        given = {name.lower().replace("_", ""): value for name, value in fields(asked).items()}
        answer = {name.lower(): value for name, value in fields(given.get("answer")).items()}
        accepted = variants([answer.get("value"), *items(answer.get("aliases"))], c.OR_DELIMITER)
        # The aliases once more: they are as short as facts are.
        yield {
            "QuestionId": text(given.get("questionid")),
            "Question": text(given.get("question")),
            "Answer": accepted,
            "Answer.Aliases": accepted,
        }


def _is_triviaqa(record: Record) -> bool:
    answers = (
        fields(inside(each, name)) for each in (record, inside(record, "Data", 0)) for name in ("Answer", "answer")
    )
    return any({"value", "aliases"} <= {name.lower() for name in answer} for answer in answers)


TRIVIAQA = Tool(
    name="TriviaQA questions",
    wrote=_is_triviaqa,
    rows=_read_triviaqa,
    words={"QuestionId": c.QUESTION_ID, "Question": c.QUESTION, "Answer": c.ANSWER, "Answer.Aliases": c.FACT},
)


def _read_nq_open(record: Record) -> Iterator[Row]:
    accepted = variants(record.get("answer"), c.OR_DELIMITER)
    yield {"question": text(record.get("question")), "answer": accepted, "answer.variants": accepted}


def _is_nq_open(record: Record) -> bool:
    answers = record.get("answer")
    listed = isinstance(answers, list) and bool(answers) and all(isinstance(each, str) for each in answers)
    others = (read_column_name(name).word for name in record if name != "answer")
    return listed and isinstance(record.get("question"), str) and not {c.ANSWER, c.RESPONSE, c.PIPELINE} & set(others)


NQ_OPEN = Tool(
    name="questions with lists of accepted answers",
    wrote=_is_nq_open,
    rows=_read_nq_open,
    words={"question": c.QUESTION, "answer": c.ANSWER, "answer.variants": c.FACT},
)


def _is_squad(record: Record) -> bool:
    return any("paragraphs" in fields(each) for each in items(record.get("data"))[:1])


def _read_squad(record: Record) -> Iterator[Row]:
    for article in items(record.get("data")):
        for paragraph in items(inside(article, "paragraphs")):
            for asked in items(inside(paragraph, "qas")):
                yield {"title": text(inside(article, "title"))} | _read_squad_question(asked)


def _read_squad_question(asked: object) -> Row:
    impossible = inside(asked, "is_impossible")
    spans = variants([inside(each, "text") for each in items(inside(asked, "answers"))], c.OR_DELIMITER)
    return {
        _ID: text(inside(asked, "id")),
        "question": text(inside(asked, "question")),
        "answers": None if impossible else spans,
        # The same spans once more: they are as short as facts are.
        "answers.text": None if impossible else spans,
        "answerable": None if impossible is None else not impossible,
    }


def _is_squad_row(record: Record) -> bool:
    return isinstance(record.get("question"), str) and isinstance(inside(record.get("answers"), "text"), list)


def _read_squad_row(record: Record) -> Iterator[Row]:
    """A row of Hugging Face's: an object of lists, `{"text": [...], "answer_start": [...]}`, empty if impossible."""
    spans = variants(items(inside(record.get("answers"), "text")), c.OR_DELIMITER)
    yield ordinary(record) | {
        _ID: text(record.get(_ID)),
        "title": text(record.get("title")),
        "context": texts(record.get("context")),
        "question": text(record.get("question")),
        "answers": spans,
        "answers.text": spans,
        "answerable": spans is not None,
    }


def _is_squad_prediction(record: Record) -> bool:
    if _PREDICTION in record:
        return _ID in record
    # Ids, unlike names of columns, have digits in them.
    return bool(record) and all(isinstance(said, str) and any(map(str.isdigit, name)) for name, said in record.items())


def _read_squad_predictions(record: Record) -> Iterator[Row]:
    if _PREDICTION in record:
        yield {_ID: text(record.get(_ID)), _PREDICTION: text(record[_PREDICTION])}
    else:
        for name, said in record.items():
            yield {_ID: name, _PREDICTION: text(said)}


_SQUAD_WORDS = {
    _ID: c.QUESTION_ID,
    "question": c.QUESTION,
    "answers": c.ANSWER,
    "answers.text": c.FACT,
    "answerable": c.ANSWERABLE,
    "title": c.SOURCE,
}

SQUAD = Tool(name="a SQuAD dataset", wrote=_is_squad, rows=_read_squad, words=_SQUAD_WORDS)

SQUAD_ROWS = Tool(
    name="rows of a SQuAD dataset", wrote=_is_squad_row, rows=_read_squad_row, words=add_ordinary(_SQUAD_WORDS)
)

SQUAD_PREDICTIONS = Tool(
    name="SQuAD predictions",
    wrote=_is_squad_prediction,
    rows=_read_squad_predictions,
    words={_ID: c.QUESTION_ID, _PREDICTION: c.RESPONSE},
)


def _read_lm_eval(record: Record) -> Iterator[Row]:
    """A line of `--log_samples`. Tasks that compare likelihoods have no text: the likeliest option is the response."""
    texts_of_doc = {name: value for name, value in fields(record.get("doc")).items() if isinstance(value, str)}
    asked = next((value for name, value in texts_of_doc.items() if read_column_name(name).word == c.QUESTION), None)
    arguments = [_list_values(each) or [each] for each in _list_values(record.get("arguments"))]
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
        "target": variants(target, c.OR_DELIMITER),
        "resps": response,
        SCORES: scores_of(named),
    }


def _list_values(value: object) -> list[Any]:
    """The elements of a list, or the values of an object (`gen_args_0`, `gen_args_1`, as later releases write)."""
    return list(value.values()) if isinstance(value, dict) else items(value)


def _first_text(value: object) -> str | None:
    """The first text of nested lists of responses; None if they begin with something else."""
    value = _innermost(value)
    # A likelihood is a number, in later releases one that is written as a text.
    return value if isinstance(value, str) and not is_number(value) else None


def _likeliest(given: object) -> int | None:
    """The place of the highest of likelihoods, each the first of a pair (`["-4.1", "False"]`)."""
    values = [_float(_innermost(each)) for each in items(given)]
    known = [(value, -place) for place, value in enumerate(values) if value is not None]
    return -max(known)[1] if known and len(known) == len(values) else None


def _innermost(value: object) -> object:
    """The first element of nested lists; anything else as it is."""
    while isinstance(value, list) and value:
        value = value[0]
    return value


def _float(value: object) -> float | None:
    """The likelihood, which may be infinite; None where there is none."""
    try:
        return float(value) if isinstance(value, str | int | float) else None
    except ValueError:
        return None


LM_EVAL = Tool(
    name="samples of lm-evaluation-harness",
    wrote=lambda record: {"doc", "target", "resps"} <= record.keys() or {"doc_id", "filtered_resps"} <= record.keys(),
    rows=_read_lm_eval,
    words={"doc_id": c.QUESTION_ID, "doc": c.QUESTION, "target": c.ANSWER, "resps": c.RESPONSE, SCORES: c.THEIR_SCORES},
)


def _read_helm(record: Record) -> Iterator[Row]:
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
            "instance.references": variants(right, c.OR_DELIMITER),
            "adapter_spec.model": text(model or inside(state, "request", "model")),
            "result.completions": mapped.get(said.strip(), said) if said else said,
            "result.request_time": seconds * MS if isinstance(seconds, int | float) else None,
        }


HELM = Tool(
    name="a HELM run",
    wrote=lambda record: (
        "instance" in fields(inside(record, "request_states", 0))
        or ({"input", "references"} <= record.keys() and "output" in fields(inside(record, "references", 0)))
    ),
    rows=_read_helm,
    words={
        "instance.id": c.QUESTION_ID,
        "instance.input": c.QUESTION,
        "instance.references": c.ANSWER,
        "adapter_spec.model": c.PIPELINE,
        "result.completions": c.RESPONSE,
        "result.request_time": c.LATENCY_MS,
    },
)


def _join_samples(lines: Sequence[Numbered]) -> Iterator[Numbered]:
    """One record a sample of an OpenAI eval, of its events: what was asked, what was expected, and how it scored."""
    model = next((name for _, each in lines if (name := inside(each, "spec", "completion_fns", 0))), None)
    samples: dict[str, Numbered] = {}
    for line, event in lines:
        if sample := text(event.get("sample_id")):
            _, data = samples.setdefault(sample, (line, {"sample_id": sample, "model": model}))
            data |= {name: value for name, value in fields(event.get("data")).items() if value is not None}
    yield from samples.values()


def _read_openai_eval(record: Record) -> Iterator[Row]:
    prompt = record.get("prompt")
    asked = [each for each in items(prompt) if inside(each, "role") == "user"] or items(prompt)
    yield {
        "sample_id": text(record.get("sample_id")),
        "prompt": text(inside(asked[-1], "content")) if asked else text(prompt),
        "expected": variants(record.get("expected", record.get("ideal")), c.OR_DELIMITER),
        "model": text(record.get("model")),
        "sampled": _first_text(record.get("sampled")) or text(inside(record, "sampled")),
        SCORES: [score("correct", record["correct"])] if is_number(record.get("correct")) else None,
    }


OPENAI_EVALS = Tool(
    name="an OpenAI evals log",
    wrote=lambda record: (
        "completion_fns" in fields(record.get("spec")) or {"sample_id", "event_id", "data"} <= record.keys()
    ),
    rows=_read_openai_eval,
    words={
        "sample_id": c.QUESTION_ID,
        "prompt": c.QUESTION,
        "expected": c.ANSWER,
        "model": c.PIPELINE,
        "sampled": c.RESPONSE,
        SCORES: c.THEIR_SCORES,
    },
    gather=_join_samples,
)


def _read_lighteval(record: Record) -> Iterator[Row]:
    """A row of the details: objects `doc`, `model_response` and `metric`; in earlier releases columns of their own."""
    doc, said = fields(record.get("doc") or record.get("__doc__")), record.get("model_response")
    choices = doc.get("choices") or record.get("choices")
    places = doc.get("gold_index", record.get("gold_index"))
    places = places if isinstance(places, list) else [places]
    gold = [inside(choices, place) for place in places if isinstance(place, int)]
    metrics = fields(record.get("metric") or record.get("__metric__") or record.get("metrics"))
    yield {
        "doc.id": text(doc.get("id")),
        "doc.query": text(doc.get("query") or record.get("example") or record.get("full_prompt")),
        "doc.gold": variants([each for each in gold if each] or record.get("gold"), c.OR_DELIMITER),
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
    rows=_read_lighteval,
    words={
        "doc.id": c.QUESTION_ID,
        "doc.query": c.QUESTION,
        "doc.gold": c.ANSWER,
        "model_response.text": c.RESPONSE,
        SCORES: c.THEIR_SCORES,
    },
)
