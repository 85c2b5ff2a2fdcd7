"""Ragas results: formats that are no text, a mapping, and columns beside the tool's own."""

import io
from dataclasses import replace

import polars as pl
import pytest

from qaviz.loading import Source, load, preview
from qaviz.model.errors import QavizError
from tests.loading.adapters.files import RAGAS_ROW
from tests.loading.files import jsonl, parquet, upload


def as_workbook(row: dict[str, object]) -> bytes:
    """What pandas writes as a workbook: lists as Python prints them."""
    file = io.BytesIO()
    cells = {name: str(value) if isinstance(value, list) else value for name, value in row.items()}
    pl.DataFrame([cells]).write_excel(file)
    return file.getvalue()


@pytest.mark.parametrize(
    "source", [upload("rag.xlsx", as_workbook(RAGAS_ROW)), parquet("rag.parquet", pl.DataFrame([RAGAS_ROW]))]
)
def test_other_formats_read_the_same(source: Source):
    """Question, reference, response and contexts come out of a workbook and of Parquet."""
    loaded = load(source, [])
    assert loaded.rows.select("question", "answer", "pipeline", "response", "contexts").rows() == [
        ("How many?", "158 in all", "rag", "158", ["There are 158."])
    ]


def test_the_preview_says_which_tool_it_was_and_can_be_corrected():
    """The preview names the tool and what each column is read as; a mapping moves a word to another column."""
    source = jsonl("rag.jsonl", RAGAS_ROW | {"actual_output": "159"})
    guessed = preview(None, [source])[0]
    assert (guessed.tool, guessed.words["response"], guessed.form) == ("Ragas results", "response", "long")
    mapping = {"actual_output": "response"}
    assert preview(None, [replace(source, mapping=mapping)])[0].words["actual_output"] == "response"
    assert load(source, [replace(source, mapping=mapping)]).rows["response"].to_list() == ["159"]


def test_a_column_beside_those_of_ragas_names_the_pipelines():
    """What tells rows of one question apart is read by its name, or can be mapped; scores are none of it."""
    rows = [
        {"strategy": strategy, "n_chunks": size, "user_input": f"How many in {n}?", "response": f"{n}, {strategy}"}
        | {"reference": f"{n} pieces", "faithfulness": 0.5}
        for strategy, size in (("plain", 6), ("hybrid", 9)) for n in (1, 2)
    ]  # fmt: skip
    assert set(load(jsonl("f.jsonl", *rows), []).rows["pipeline"]) == {"plain", "hybrid"}
    by_size = replace(jsonl("f.jsonl", *rows), mapping={"n_chunks": "pipeline", "strategy": ""})
    assert set(load(by_size, []).rows["pipeline"]) == {"6", "9"}
    assert "faithfulness" not in preview(None, [by_size])[0].columns


def test_a_testset_by_itself_is_told_to_bring_responses():
    """Without responses a testset is refused, with what to do."""
    with pytest.raises(QavizError, match="bring a file of responses"):
        load(
            jsonl("testset.jsonl", {"user_input": "How many?", "reference": "158", "reference_contexts": ["158."]}), []
        )
