"""Golden datasets as benchmarks publish them: SQuAD with its predictions, KILT, BEIR, TriviaQA, NQ-open, and
LlamaIndex's labelled questions.
"""

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
from qaviz.loading.column_senses import read_column_name
from qaviz.model.columns import (
    ANSWER,
    ANSWERABLE,
    FACT,
    OR_DELIMITER,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    RESPONSE,
    SOURCE,
)

_ID, _PREDICTION = "id", "prediction_text"


def _kilt(record: Record) -> Iterator[Row]:
    answers = [inside(each, "answer") for each in items(record.get("output"))]
    yield {
        "id": text(record.get("id") or record.get("_id")),
        "input": text(record.get("input")),
        "output.answer": variants([each for each in answers if each], OR_DELIMITER),
    }


KILT = Tool(
    name="a KILT file",
    wrote=lambda record: "input" in record and "answer" in fields(inside(record, "output", 0)),
    rows=_kilt,
    words={"id": QUESTION_ID, "input": QUESTION, "output.answer": ANSWER},
)


def _beir(record: Record) -> Iterator[Row]:
    metadata = fields(record.get("metadata"))
    answers = next(
        (value for name, value in metadata.items() if read_column_name(name).word in (ANSWER, RESPONSE)), None
    )
    yield {
        "_id": text(record.get("_id")),
        "text": text(record.get("text")),
        "metadata": variants(answers, OR_DELIMITER),
    }


BEIR = Tool(
    name="BEIR queries",
    wrote=lambda record: {"_id", "text"} <= record.keys() and "title" not in record,
    rows=_beir,
    words={"_id": QUESTION_ID, "text": QUESTION, "metadata": ANSWER},
)


def _triviaqa(record: Record) -> Iterator[Row]:
    """A question of TriviaQA's own files, or of Hugging Face's, which has the names in lower case."""
    for asked in items(record.get("Data")) or [record]:
        given = {name.lower().replace("_", ""): value for name, value in fields(asked).items()}
        answer = {name.lower(): value for name, value in fields(given.get("answer")).items()}
        accepted = variants([answer.get("value"), *items(answer.get("aliases"))], OR_DELIMITER)
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
    rows=_triviaqa,
    words={"QuestionId": QUESTION_ID, "Question": QUESTION, "Answer": ANSWER, "Answer.Aliases": FACT},
)


def _nq_open(record: Record) -> Iterator[Row]:
    accepted = variants(record.get("answer"), OR_DELIMITER)
    yield {"question": text(record.get("question")), "answer": accepted, "answer.variants": accepted}


def _is_nq_open(record: Record) -> bool:
    answers = record.get("answer")
    listed = isinstance(answers, list) and bool(answers) and all(isinstance(each, str) for each in answers)
    others = (read_column_name(name).word for name in record if name != "answer")
    return listed and isinstance(record.get("question"), str) and not {ANSWER, RESPONSE, PIPELINE} & set(others)


NQ_OPEN = Tool(
    name="questions with lists of accepted answers",
    wrote=_is_nq_open,
    rows=_nq_open,
    words={"question": QUESTION, "answer": ANSWER, "answer.variants": FACT},
)


def _llamaindex(record: Record) -> Iterator[Row]:
    for each in items(record.get("examples")):
        yield {
            "query": text(inside(each, "query")),
            "reference_answer": text(inside(each, "reference_answer")),
            "reference_contexts": texts(inside(each, "reference_contexts")),
        }


LLAMAINDEX = Tool(
    name="a LlamaIndex RAG dataset",
    wrote=lambda record: {"query", "reference_answer"} <= fields(inside(record, "examples", 0)).keys(),
    rows=_llamaindex,
    words={"query": QUESTION, "reference_answer": ANSWER},
)

QUESTION_SETS = (KILT, BEIR, TRIVIAQA, LLAMAINDEX, NQ_OPEN)
"""In the order in which they are asked whether a file is theirs."""


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
