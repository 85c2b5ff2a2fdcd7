"""A golden dataset version as a file to take along: what `qaviz.loading` reads back is the same golden dataset."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl
import xlsxwriter

from qaviz.exports.csv_injection import MARK, STARTS_A_FORMULA
from qaviz.loading.adapters.fmeval_format import CATEGORY_FIELD, MODEL_INPUT, TARGET_OUTPUT
from qaviz.model.columns import ANSWER, CATEGORY, FACT, GOLDEN_COLUMNS, QUESTION, QUESTION_ID
from qaviz.model.errors import Problem, QavizError

LONGEST_IN_A_CELL = 32_767
"""Characters that a cell of a workbook holds."""
ROWS_OF_A_SHEET = 1_048_575
"""Rows under the heading."""

_SIGNED_NUMBER = r"^[+-]\d[\p{L}\d .,%$€£¥₫<>−-]*$"
"""`-3.2 billion`: without brackets, bars and quotes a spreadsheet has nothing to call, and shows it as it is."""

NAMED = 20
"""Texts that an error message names."""


@dataclass(frozen=True, kw_only=True)
class GoldenFormat:
    """One format of a golden dataset's file."""

    name: str
    """In words, for a list to choose from."""
    suffix: str
    mime: str
    write: Callable[[pl.DataFrame], bytes]
    """Returns the file's bytes. Raises QavizError, naming the texts, if the format cannot hold them as they are."""


def _jsonl(golden: pl.DataFrame) -> bytes:
    return golden.select(GOLDEN_COLUMNS).write_ndjson().encode()


def _csv(golden: pl.DataFrame) -> bytes:
    """Texts stand as they are, so that scores stay; one that a spreadsheet would run is refused, not changed."""
    risky = pl.col(FIELD_TEXT).str.contains(STARTS_A_FORMULA) & ~pl.col(FIELD_TEXT).str.contains(_SIGNED_NUMBER)
    _refuse(golden, risky, "a text that a spreadsheet would run as a formula", "texts that stay texts in CSV")
    return MARK + golden.select(GOLDEN_COLUMNS).write_csv().encode()


def _xlsx(golden: pl.DataFrame) -> bytes:
    """One sheet, every text a text: nothing in it is a formula or a link."""
    if golden.height > ROWS_OF_A_SHEET:
        raise QavizError(_too_long(f"{golden.height:,} triplets", f"at most {ROWS_OF_A_SHEET:,}, a sheet's rows"))
    longest = pl.col(FIELD_TEXT).str.len_chars() > LONGEST_IN_A_CELL
    _refuse(golden, longest, f"more than {LONGEST_IN_A_CELL:,} characters", "what a cell of a workbook holds")
    file = io.BytesIO()
    inert = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "in_memory": True}
    with xlsxwriter.Workbook(file, inert) as book:
        sheet = book.add_worksheet("golden")
        sheet.freeze_panes(1, 0)
        sheet.write_row(0, 0, GOLDEN_COLUMNS, book.add_format({"bold": True}))
        for place, row in enumerate(golden.select(GOLDEN_COLUMNS).iter_rows(), start=1):
            sheet.write_row(place, 0, row)
    return file.getvalue()


def _fmeval(target: str) -> Callable[[pl.DataFrame], bytes]:
    """JSON Lines of FMEval's own names, one line a triplet that has the target; the others have nothing to score by."""

    def write(golden: pl.DataFrame) -> bytes:
        fields = pl.col(QUESTION).alias(MODEL_INPUT), pl.col(target).alias(TARGET_OUTPUT)
        lines = golden.drop_nulls(target).select(*fields, pl.col(CATEGORY).fill_null("").alias(CATEGORY_FIELD))
        return lines.write_ndjson().encode()

    return write


GOLDEN_FORMATS: Mapping[str, GoldenFormat] = {
    "jsonl": GoldenFormat(name="JSON Lines", suffix=".jsonl", mime="application/jsonl", write=_jsonl),
    "csv": GoldenFormat(name="CSV", suffix=".csv", mime="text/csv", write=_csv),
    "xlsx": GoldenFormat(
        name="Excel",
        suffix=".xlsx",
        mime="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        write=_xlsx,
    ),
    "fmeval-facts": GoldenFormat(
        name="FMEval, Factual Knowledge", suffix=".jsonl", mime="application/jsonl", write=_fmeval(FACT)
    ),
    "fmeval-answers": GoldenFormat(
        name="FMEval, QA Accuracy", suffix=".jsonl", mime="application/jsonl", write=_fmeval(ANSWER)
    ),
}
"""By the name that the terminal knows."""

FIELD, FIELD_TEXT = "field", "text"


def _refuse(golden: pl.DataFrame, odd: pl.Expr, found: str, expected: str) -> None:
    """Raise QavizError if a text of the golden dataset is `odd`, an expression over FIELD_TEXT."""
    texts = [name for name in GOLDEN_COLUMNS if golden.schema[name] == pl.String()]
    cells = (
        golden.select(texts)
        .with_columns(pl.col(QUESTION_ID).alias("of"))
        .unpivot(texts, index="of", variable_name=FIELD, value_name=FIELD_TEXT)
    )
    refused = cells.filter(odd.fill_null(False)).select("of", FIELD).rows()
    if refused:
        raise QavizError(
            *(
                Problem(
                    where=f"{field} of the triplet {question}",
                    found=found,
                    expected=expected,
                    fix=f"Take another format: {_BESIDE}.",
                )
                for question, field in refused[:NAMED]
            )
        )


_BESIDE = "JSON Lines holds every text"


def _too_long(found: str, expected: str) -> Problem:
    return Problem(where="golden dataset", found=found, expected=expected, fix=f"Take another format: {_BESIDE}.")
