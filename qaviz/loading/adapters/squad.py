"""SQuAD 1.1 and 2.0: the dataset, its own and Hugging Face's, and predictions as the evaluation script takes them."""

from collections.abc import Iterator

from qaviz.loading.adapters.tool import (
    Record,
    Row,
    Tool,
    and_ordinary,
    fields,
    inside,
    items,
    ordinary,
    text,
    texts,
    variants,
)
from qaviz.model.columns import ANSWER, ANSWERABLE, FACT, OR_DELIMITER, QUESTION, QUESTION_ID, RESPONSE, SOURCE

_ID, _PREDICTION = "id", "prediction_text"


def _is_dataset(record: Record) -> bool:
    return any("paragraphs" in fields(each) for each in items(record.get("data"))[:1])


def _questions(record: Record) -> Iterator[Row]:
    for article in items(record.get("data")):
        for paragraph in items(inside(article, "paragraphs")):
            for asked in items(inside(paragraph, "qas")):
                yield {"title": text(inside(article, "title"))} | _question(asked)


def _question(asked: object) -> Row:
    impossible = inside(asked, "is_impossible")
    spans = variants([inside(each, "text") for each in items(inside(asked, "answers"))], OR_DELIMITER)
    return {
        _ID: text(inside(asked, "id")),
        "question": text(inside(asked, "question")),
        "answers": None if impossible else spans,
        # The same spans once more: they are as short as facts are.
        "answers.text": None if impossible else spans,
        "answerable": None if impossible is None else not impossible,
    }


def _is_row(record: Record) -> bool:
    return isinstance(record.get("question"), str) and isinstance(inside(record.get("answers"), "text"), list)


def _row(record: Record) -> Iterator[Row]:
    """A row of Hugging Face's: an object of lists, `{"text": [...], "answer_start": [...]}`, empty if impossible."""
    spans = variants(items(inside(record.get("answers"), "text")), OR_DELIMITER)
    yield ordinary(record) | {
        _ID: text(record.get(_ID)),
        "title": text(record.get("title")),
        "context": texts(record.get("context")),
        "question": text(record.get("question")),
        "answers": spans,
        "answers.text": spans,
        "answerable": spans is not None,
    }


def _is_prediction(record: Record) -> bool:
    if _PREDICTION in record:
        return _ID in record
    # Ids, unlike names of columns, have digits in them.
    return bool(record) and all(isinstance(said, str) and any(map(str.isdigit, name)) for name, said in record.items())


def _predictions(record: Record) -> Iterator[Row]:
    if _PREDICTION in record:
        yield {_ID: text(record.get(_ID)), _PREDICTION: text(record[_PREDICTION])}
    else:
        yield from ({_ID: name, _PREDICTION: text(said)} for name, said in record.items())


_WORDS = {
    _ID: QUESTION_ID,
    "question": QUESTION,
    "answers": ANSWER,
    "answers.text": FACT,
    "answerable": ANSWERABLE,
    "title": SOURCE,
}

SQUAD = Tool(name="a SQuAD dataset", wrote=_is_dataset, rows=_questions, words=_WORDS)

SQUAD_ROWS = Tool(name="rows of a SQuAD dataset", wrote=_is_row, rows=_row, words=and_ordinary(_WORDS))

SQUAD_PREDICTIONS = Tool(
    name="SQuAD predictions",
    wrote=_is_prediction,
    rows=_predictions,
    words={_ID: QUESTION_ID, _PREDICTION: RESPONSE},
)
