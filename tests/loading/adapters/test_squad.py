"""SQuAD datasets with predictions."""

import io
import json

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from qaviz.loading import Source, load
from qaviz.model.errors import QavizError
from tests.loading.adapters.files import SQUAD_FILE, document, shown
from tests.loading.files import jsonl, upload

PREDICTED = {"s1": "in the year 911", "s2": ""}
ROWS = [{"id": name, "prediction_text": said, "no_answer_probability": 0.0} for name, said in PREDICTED.items()]


@pytest.mark.parametrize(
    "predictions", [document("bert.json", PREDICTED), document("bert.json", ROWS), jsonl("bert.jsonl", *ROWS)]
)
def test_predictions_meet_their_questions(predictions):
    """A map from id to text, and a list with prediction_text, align by id; the pipeline is called as the file is."""
    loaded = load(SQUAD_FILE, [predictions])
    assert shown(loaded, "question_id", "pipeline", "response") == [
        ("s1", "bert", "in the year 911"),
        ("s2", "bert", ""),
    ]


def test_an_impossible_question_is_not_answerable():
    """is_impossible becomes answerable = false, without an answer: a plausible one is none."""
    golden = load(SQUAD_FILE, [document("p.json", ROWS)]).golden
    assert golden.select("answerable", "answer", "fact").rows() == [
        (True, "911<OR>in 911", "911<OR>in 911"),
        (False, None, None),
    ]


def test_the_first_version_does_not_know_the_impossible():
    """SQuAD 1.1 says nothing of answerability: it stays missing."""
    content = json.loads(SQUAD_FILE.data)
    [asked, _] = content["data"][0]["paragraphs"][0]["qas"]
    del asked["is_impossible"]
    content["data"][0]["paragraphs"][0]["qas"] = [asked]
    loaded = load(upload("v1.json", json.dumps(content)), [document("p.json", ROWS)])
    assert loaded.golden.select("question_id", "answerable").rows() == [("s1", None)]


SPANS = pa.struct([("text", pa.list_(pa.string())), ("answer_start", pa.list_(pa.int32()))])
TABLE = pa.table({
    "id": ["s2", "s1"],
    "title": ["Normans"] * 2,
    "context": ["The Normans came in 911."] * 2,
    "question": ["When did they leave?", "When did they come?"],
    "answers": pa.array(
        [
            {"text": [], "answer_start": []},
            {"text": ["911", "in 911", "911"], "answer_start": [20, 17, 20]},
        ],
        SPANS,
    ),
})  # fmt: skip


def parquet(table: pa.Table, **options: object) -> Source:
    file = io.BytesIO()
    pq.write_table(table, file, **options)
    return upload("squad.parquet", file.getvalue())


@pytest.mark.parametrize("source", [parquet(TABLE, row_group_size=1), jsonl("squad.jsonl", *TABLE.to_pylist())])
def test_the_rows_of_hugging_face_read_as_the_dataset(source: Source):
    """The object of lists of spans is answer and fact with variants, an empty list is an impossible question, whichever
    stands first; predictions meet the ids."""
    loaded = load(source, [document("bert.json", ROWS)])
    assert loaded.golden.select("question_id", "answer", "fact", "answerable", "source").rows() == [
        ("s2", None, None, False, "Normans"),
        ("s1", "911<OR>in 911", "911<OR>in 911", True, "Normans"),
    ]
    assert sorted(shown(loaded, "question_id", "response")) == [("s1", "in the year 911"), ("s2", "")]


@pytest.mark.parametrize("name", ["golden_answers", "answer"])
def test_a_list_of_golden_answers_in_parquet_is_variants(name: str):
    """A column of lists of texts is golden answers with variants, and columns of bytes and dates beside it are left
    out, not in the way."""
    frame = pl.DataFrame({
        "question": ["Who?", "When did they come?"],
        name: [[], ["911", "in 911"]],
        "image": [b"\xff", None],
        "day": pl.Series(["2023-06-30", None]).str.to_date(),
    })  # fmt: skip
    loaded = load(parquet(frame.to_arrow()), [upload("r.csv", "question,A\nWhen did they come?,911\n")])
    assert loaded.golden["answer"].to_list() == [None, "911<OR>in 911"]


def test_a_nested_bomb_is_refused():
    """Spans that decode to gigabytes, from a file of some kilobytes, are refused before they are rows."""
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 2_500, pa.int32()), ["x" * 1_000_000])
    spans = pa.StructArray.from_arrays([pa.ListArray.from_arrays(pa.array(range(2_501), pa.int32()), long)], ["text"])
    source = parquet(pa.table({"question": ["Who?"] * 2_500, "answers": spans}), compression="zstd")
    assert len(source.data) < 100_000
    with pytest.raises(QavizError, match=r"squad\.parquet: found texts of 2.3 GB once decoded"):
        load(source, [])
