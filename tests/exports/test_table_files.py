"""qaviz.exports.table_files: golden datasets as files and back, and CSV in which a spreadsheet finds nothing to run."""

import csv
import io
import json
from contextlib import nullcontext
from pathlib import Path

import openpyxl
import polars as pl
import pytest

from qaviz.exports.table_files import GOLDEN_FORMATS, as_csv, as_written
from qaviz.loading import Source
from qaviz.loading.load import load_golden
from qaviz.model.columns import GOLDEN_COLUMNS
from qaviz.model.errors import QavizError
from tests.builders import golden_table

GOLDEN = golden_table(
    [
        {"question": "How much?", "answer": "A loss of 3.2.", "fact": "-3.2 billion<OR>−3.2", "category": "money"},
        {"question": "Wo? „Dort“ 🙂", "answer": 'said "so",\nthen <b>', "fact": None, "answerable": True},
        {"question": "NA", "answer": None, "fact": "null", "answerable": False, "source": "page 3"},
        {"question_id": "007", "question": " 1e5 ", "answer": "1e999", "fact": "0012"},
    ]
)
HOSTILE = ("=1+1", "@SUM(1)", "+1+cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "'=1+1", "＝1")


def back(name: str, golden: pl.DataFrame) -> pl.DataFrame:
    """What loading reads from the file in this format."""
    kind = GOLDEN_FORMATS[name]
    source = Source(f"golden{kind.suffix}", kind.write(golden))
    return load_golden(source, lambda _fraction, _words: None)[0].select(GOLDEN_COLUMNS)


@pytest.mark.parametrize("name", ["jsonl", "csv", "xlsx"])
def test_a_file_reads_back_as_what_was_written(name):
    """Every text comes back as it was, to the character: signs, line breaks, numbers in disguise, what is missing."""
    assert back(name, GOLDEN).to_dicts() == GOLDEN.to_dicts()


@pytest.mark.parametrize("name", ["jsonl", "xlsx"])
@pytest.mark.parametrize("text", HOSTILE)
def test_formulas_stay_texts(name, text):
    """A text that a spreadsheet would run comes back as it is, and is no formula in a workbook."""
    golden = golden_table([{"question": text, "answer": text, "fact": text}])

    assert back(name, golden).to_dicts() == golden.to_dicts()
    if name == "xlsx":
        book = openpyxl.load_workbook(io.BytesIO(GOLDEN_FORMATS["xlsx"].write(golden)))
        assert [cell.data_type for cell in book["golden"][2][1:4]] == ["s", "s", "s"]


@pytest.mark.parametrize("text", HOSTILE)
def test_csv_refuses_what_a_spreadsheet_would_run(text):
    """CSV cannot hold such a text both unchanged and harmless: it is refused by name, with what to do instead."""
    golden = golden_table([{"question": "Q?", "answer": "A", "fact": text}])

    with pytest.raises(QavizError, match=r"fact of the triplet 1: .* formula.* JSON Lines holds every text"):
        GOLDEN_FORMATS["csv"].write(golden)


def test_a_text_too_long_for_a_cell_is_refused():
    """A workbook would cut it off: refused by name."""
    with pytest.raises(QavizError, match="answer of the triplet 1: found more than 32,767 characters"):
        GOLDEN_FORMATS["xlsx"].write(golden_table([{"question": "Q?", "answer": "x" * 32_768}]))


@pytest.mark.parametrize(("name", "target"), [("fmeval-facts", "fact"), ("fmeval-answers", "answer")])
def test_fmeval_gets_triplets_that_have_something_to_score_by(name, target):
    """One line a triplet that has the target, in FMEval's own names."""
    lines = [json.loads(line) for line in GOLDEN_FORMATS[name].write(GOLDEN).splitlines()]

    assert [line["target_output"] for line in lines] == GOLDEN[target].drop_nulls().to_list()
    assert set(lines[0]) == {"model_input", "target_output", "category"}


@pytest.mark.fmeval
def test_fmeval_reads_the_file_it_gets(tmp_path):
    """The installed FMEval's own loader takes the file by its own names."""
    from fmeval.constants import MIME_TYPE_JSONLINES
    from fmeval.data_loaders.data_config import DataConfig
    from fmeval.data_loaders.json_parser import JsonParser

    config = DataConfig(
        dataset_name="golden",
        dataset_uri=str(tmp_path / "golden.jsonl"),
        dataset_mime_type=MIME_TYPE_JSONLINES,
        model_input_location="model_input",
        target_output_location="target_output",
        category_location="category",
    )
    (tmp_path / "golden.jsonl").write_bytes(GOLDEN_FORMATS["fmeval-facts"].write(GOLDEN))
    lines = [json.loads(line) for line in (tmp_path / "golden.jsonl").read_text("utf-8").splitlines()]
    parser = JsonParser(config)
    read = [parser.parse_dataset_columns(line, config.dataset_mime_type, config.dataset_name) for line in lines]
    assert [one["target_output"] for one in read] == GOLDEN["fact"].drop_nulls().to_list()


FORMULAS = ["=1+1", "+1", "-2 %", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "'=1", "=cmd|' /C calc'!A0"]


LATER = [
    "x;=1+1",
    "x,@SUM(1)",
    "x|-cmd|' /C calc'!A0",
    "x\t+1",
    'x;"=1+1"',
    "x\n=1+1",
    "x;'=1",
    "x;＝1",
    ";;=1;=2\t;=3",
]


@pytest.mark.parametrize("text", [*LATER, *FORMULAS])
@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
@pytest.mark.parametrize("quotes", [csv.QUOTE_MINIMAL, csv.QUOTE_NONE])
def test_no_cell_starts_a_formula_by_any_separator(text: str, separator: str, quotes: int, tmp_path: Path):
    """Whatever a country's spreadsheet takes for a separator, and whether it heeds quotes or not, no cell begins as a
    formula; read back by qaviz, the text is what it was."""
    frame = pl.DataFrame({"a": ["x"], "b": [text], "n": [-1.5]})
    lines = csv.reader(io.StringIO(as_csv(frame).decode("utf-8-sig"), newline=""), delimiter=separator, quoting=quotes)
    cells = [cell.lstrip('"') for line in lines for cell in line]
    (tmp_path / "a.csv").write_bytes(as_csv(frame))

    assert [cell for cell in cells if cell.startswith((*"=+-@＝＋－＠",))] in (["-1.5"], [])
    assert as_written(pl.read_csv(tmp_path / "a.csv"), tmp_path / "a.csv").equals(frame)


@pytest.mark.parametrize(("text", "taken"), [("a,-b\n- item; +1", True), ("x;=1+1", False), ("x\t-f(1)", False)])
def test_a_golden_dataset_holds_what_calls_nothing(text: str, taken: bool):
    """A text that a spreadsheet of another country would run is refused; a list's dashes are not."""
    golden = golden_table([{"question": "Q?", "answer": "A", "fact": text}])
    with nullcontext() if taken else pytest.raises(QavizError, match="formula"):
        GOLDEN_FORMATS["csv"].write(golden)


def test_a_spreadsheet_knows_the_letters():
    """The file begins with the mark of UTF-8, without which a spreadsheet guesses."""
    assert as_csv(pl.DataFrame({"a": ["ệ"]})) == b'\xef\xbb\xbf"a"\n"\xe1\xbb\x87"\n'
