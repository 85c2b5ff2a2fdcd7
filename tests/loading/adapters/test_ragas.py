"""Ragas results, of every release and in every format that pandas writes them in."""

import io
import json
from dataclasses import replace

import polars as pl
import pytest

from qaviz.loading import Source, load, preview
from qaviz.model.errors import QavizError
from tests.loading.adapters.files import RAGAS_ROW, shown, theirs
from tests.loading.files import jsonl, parquet, upload

FIRST_RELEASE = {
    "question": "How many?",
    "answer": "158",
    "contexts": ["There are 158."],
    "ground_truth": "158 in all",
    "faithfulness": 1.0,
    "answer_relevancy": 0.75,
}
LISTS = FIRST_RELEASE | {"ground_truths": ["158 in all"]}
LISTS.pop("ground_truth")


def as_csv(row):
    """What pandas writes: an index without a name, and lists as Python prints them."""
    cells = {"": 0} | {name: str(value) if isinstance(value, list) else value for name, value in row.items()}
    return pl.DataFrame([cells]).write_csv().encode()


def as_workbook(row: dict[str, object]) -> bytes:
    """What pandas writes as a workbook: lists as Python prints them."""
    file = io.BytesIO()
    cells = {name: str(value) if isinstance(value, list) else value for name, value in row.items()}
    pl.DataFrame([cells]).write_excel(file)
    return file.getvalue()


@pytest.mark.parametrize(
    "source",
    [
        jsonl("rag.jsonl", FIRST_RELEASE),
        jsonl("rag.jsonl", LISTS),
        upload("rag.csv", as_csv(LISTS)),
        upload("rag.xlsx", as_workbook(RAGAS_ROW)),
        parquet("rag.parquet", pl.DataFrame([RAGAS_ROW])),
    ],
)
def test_each_release_and_format_reads_the_same(source):
    """Question, reference, response and contexts come out of each, and the metrics beside them, never as columns."""
    loaded = load(source, [])
    assert shown(loaded) == [("How many?", "158 in all", None, "rag", "158")]
    assert shown(loaded, "contexts") == [(["There are 158."],)]
    assert theirs(loaded) == [{"faithfulness": 1.0, "answer_relevancy": 0.75}]


def test_a_metric_that_failed_is_missing_with_a_reason():
    """NaN, null and an empty cell are no score of 0: the score is missing, and says what the file says."""
    rows = [RAGAS_ROW | {"user_input": f"{n}?", "faithfulness": bad} for n, bad in enumerate([float("nan"), None, 0.5])]
    loaded = load(upload("rag.jsonl", "\n".join(map(json.dumps, rows))), [])
    assert [each["faithfulness"] for each in theirs(loaded)] == ["NaN", "the file has no value", 0.5]


def test_a_column_of_words_is_no_metric():
    """A remark that is empty in one row and words in another is left out, and listed."""
    rows = [RAGAS_ROW | {"remark": None}, RAGAS_ROW | {"user_input": "Who?", "remark": "odd"}]
    loaded = load(jsonl("rag.jsonl", *rows), [])
    assert [list(each) for each in theirs(loaded)] == [["faithfulness", "answer_relevancy"]] * 2


def test_a_conversation_asks_with_its_last_human_message():
    """Of several messages the question is what the person said last."""
    said = [
        {"type": "human", "content": "Hi"},
        {"type": "ai", "content": "?"},
        {"type": "human", "content": "How many?"},
    ]
    loaded = load(jsonl("rag.jsonl", RAGAS_ROW | {"user_input": said}), [])
    assert shown(loaded, "question") == [("How many?",)]


def test_the_preview_says_which_tool_it_was_and_can_be_corrected():
    """The preview names the tool and what each column is read as; a mapping moves a word to another column."""
    source = jsonl("rag.jsonl", RAGAS_ROW | {"actual_output": "159"})
    guessed = preview(None, [source])[0]
    assert (guessed.tool, guessed.words["response"], guessed.form) == ("Ragas results", "response", "long")
    mapping = {"actual_output": "response"}
    assert preview(None, [replace(source, mapping=mapping)])[0].words["actual_output"] == "response"
    assert shown(load(source, [replace(source, mapping=mapping)]), "response") == [("159",)]


@pytest.mark.parametrize("nested", ["[" * 5_000, "[1, 2", "['a', f()]"])
def test_a_list_that_python_did_not_write_runs_nothing(nested):
    """A cell that only looks like a list is no list, and is never run: it is one context, a text as it stands."""
    out = io.StringIO()
    pl.DataFrame([RAGAS_ROW | {"retrieved_contexts": nested}]).write_csv(out)
    assert shown(load(upload("rag.csv", out.getvalue()), []), "contexts") == [([nested],)]


TESTSET = [
    {
        "user_input": asked,
        "reference_contexts": ['He said "158".', "It's so."],
        "reference": answer,
        "synthesizer_name": "single_hop_specific_query_synthesizer",
    }
    for asked, answer in (("How many?", "158 in all"), ("Who?", "Ann"))
]


def write_testset(suffix: str, **beside: object) -> Source:
    """TESTSET, with these columns beside its own."""
    rows = [row | beside for row in TESTSET]
    if suffix == "jsonl":
        return jsonl("testset.jsonl", *rows)
    cells = [{name: str(value) if isinstance(value, list) else value for name, value in row.items()} for row in rows]
    return upload("testset.csv", pl.DataFrame(cells).write_csv())


@pytest.mark.parametrize("beside", [{}, {"response": None, "retrieved_contexts": None}], ids=["none", "empty"])
@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_testset_is_a_golden_dataset(suffix: str, beside: dict[str, None]):
    """Without responses, or with a column of them that is empty, a testset is the golden dataset of another file's
    responses; by itself it is told to bring them."""
    source = write_testset(suffix, **beside)
    loaded = load(source, [upload("r.csv", "question,A\nHow many?,158\n")])
    synthesizer = "single_hop_specific_query_synthesizer"
    assert loaded.golden.select("question", "answer", "category").rows() == [
        ("How many?", "158 in all", synthesizer),
        ("Who?", "Ann", synthesizer),
    ]
    assert loaded.golden["evidence"].to_list() == ['He said "158".<OR>It\'s so.'] * 2
    with pytest.raises(QavizError, match="bring a file of responses"):
        load(source, [])


@pytest.mark.parametrize("contexts", [{}, {"retrieved_contexts": ["a", "it's"]}], ids=["alone", "contexts"])
@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_testset_with_responses_is_a_run(suffix: str, contexts: dict[str, list[str]]):
    """With responses the testset is both, with the retrieved contexts, never those of the reference."""
    loaded = load(write_testset(suffix, response="It is 158.", **contexts), [])
    retrieved = contexts.get("retrieved_contexts")
    assert shown(loaded, "question", "answer", "response", "contexts") == [
        ("How many?", "158 in all", "It is 158.", retrieved),
        ("Who?", "Ann", "It is 158.", retrieved),
    ]
