"""Golden datasets as benchmarks publish them: KILT, BEIR, TriviaQA, NQ-open, and LlamaIndex's labelled questions."""

from collections.abc import Iterator

from qaviz.loading.adapters.tool import Record, Row, Tool, fields, inside, items, text, texts, variants
from qaviz.loading.column_senses import read_column_name
from qaviz.model.columns import ANSWER, FACT, OR_DELIMITER, PIPELINE, QUESTION, QUESTION_ID, RESPONSE


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
