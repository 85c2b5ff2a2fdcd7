"""Tables as files to take along: scores, a golden dataset, the audit.

Cells that a spreadsheet would run are kept from it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from io import BytesIO
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

import polars as pl
from polars import selectors

from qaviz.diagnosis import open_rows
from qaviz.diagnosis.judging import OPEN
from qaviz.loading.fmeval_output import CATEGORY_FIELD, MODEL_INPUT, TARGET_OUTPUT
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError, disk_refusals
from qaviz.model.records import Thresholds
from qaviz.scoring.normalised import NORMALISED
from qaviz.scoring.table import installed_scores
from qaviz.store.files import growing_table, replacing

STARTS_A_FORMULA = r"^'*[=+\-@\t\r\n＝＋－＠]"
"""A text that a spreadsheet would run, or one that is already quoted: each gets one more apostrophe, so removing one
apostrophe from whatever matches this after an apostrophe gives the text back."""

_STARTS_A_LATER_CELL = r"([;,|\t\r\n])([\"']*[=+\-@＝＋－＠])"
"""The same behind what another country's spreadsheet takes for the end of a cell or row, quotes or not."""
_GUARDED_LATER_CELL = _STARTS_A_LATER_CELL.replace(")(", ")'(")
_RUNS_IN_A_LATER_CELL = r"[;,|\t\r\n][\"']*(?:[=＝]|[+\-@＋－＠][^;,\t\r\n]*[(|!])"
"""What a golden dataset may not hold of it: a sign without brackets, bars and exclamation marks calls nothing."""

MARK = b"\xef\xbb\xbf"
"""Without this mark of UTF-8 a spreadsheet takes the file for its own system's letters."""

COLUMNS = (
    *(c.QUESTION_ID, c.QUESTION, c.PIPELINE, c.RESPONSE, *c.SCORES, c.RECALL_BESIDE_FACT, c.DIAGNOSIS, c.VERDICT),
    *(c.REASON, c.FAULT, c.CONFIDENCE, c.CATEGORY, c.UNSCORED_FACT, c.UNSCORED_ANSWER, *c.HIT_COLUMNS, c.WARNINGS),
    *(c.RETRIEVAL_RANK, c.RETRIEVAL_HIT, *c.RETRIEVAL_SCORES, c.CONTEXT_SUPPORT, c.CONTEXT_USED, c.IN_DOCUMENTS),
    *(c.FAULT_REASON, c.SENTENCE_STATES, c.CITATIONS_WRONG),
)

Add = Callable[[pl.DataFrame], None]

LONGEST_IN_A_CELL = 32_767
"""Characters that a cell of a workbook holds."""
ROWS_OF_A_SHEET = 1_048_575
"""Rows under the heading."""

_SIGNED_NUMBER = r"^[+-]\d[\p{L}\d .,%$€£¥₫<>−-]*$"
"""`-3.2 billion`: without brackets, bars and quotes a spreadsheet has nothing to call, and shows it as it is."""

NAMED = 20
"""Texts that an error message names."""

INERT = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "in_memory": True}
"""What keeps every text of a workbook a text."""
FIELD, FIELD_TEXT = "field", "text"
_FIX = "Take another format: JSON Lines holds every text."


def number_alike(names: Iterable[str], pattern: str) -> list[str]:
    """The names, no two alike in any case of letters: `a`, then for `A` by `{}_{}` `A_2`."""
    told_apart = dict[str, str]()
    for name in names:
        numbered = chain([name], (pattern.format(name, number) for number in count(2)))
        free = next(candidate for candidate in numbered if candidate.casefold() not in told_apart)
        told_apart[free.casefold()] = free
    return list(told_apart.values())


def inert(frame: pl.DataFrame) -> pl.DataFrame:
    """The table with an apostrophe before everything in a text that a spreadsheet would take for a formula."""
    return frame.with_columns(_quote_expression(pl.col(pl.String)).name.keep())


def _quote_expression(text: pl.Expr) -> pl.Expr:
    guarded = text.str.replace_all(_STARTS_A_LATER_CELL, "${1}'${2}")
    return pl.when(guarded.str.contains(STARTS_A_FORMULA)).then(pl.lit("'") + guarded).otherwise(guarded)


def as_csv(frame: pl.DataFrame) -> bytes:
    """The table as CSV in UTF-8 for a spreadsheet: neither its cells nor its column names start a formula. Texts are
    quoted, so that a separator in one ends no cell."""
    shown = inert(frame)
    shown.columns = pl.select(_quote_expression(pl.lit(pl.Series(frame.columns)))).to_series().to_list()
    return MARK + shown.write_csv(quote_style="non_numeric").encode()


def write_scores(tables: Iterable[pl.DataFrame], out: Path) -> int:
    """Write diagnosed rows as `select_scores` has them to `out`, table by table, in its suffix's format. Returns how
    many rows. Raises QavizError if the disk refuses."""
    rows = 0
    with disk_refusals(out), replacing(out.resolve()) as unfinished, FORMATS[out.suffix.lower()](unfinished) as add:
        for table in tables:
            add(select_scores(table.with_columns(open_rows(table, Thresholds()))))
            rows += table.height
    return rows


def select_scores(rows: pl.DataFrame) -> pl.DataFrame:
    """The COLUMNS of rows, OPEN (a judge or a person should decide), `bertscore` and the normalised scores where the
    rows have them, and the scores of installed packages."""
    shown = rows.select(*COLUMNS, OPEN, selectors.by_name(c.BERTSCORE, *NORMALISED.values(), require_all=False))
    return shown.hstack(installed_scores(rows))


def check_out(out: Path, inputs: Sequence[Path] = (), suffixes: Iterable[str] = ()) -> None:
    """Raise QavizError if `out` has none of the suffixes (else of FORMATS), has no folder, or is one of the inputs: a
    question to ask before long work."""
    suffixes = tuple(suffixes) or tuple(FORMATS)
    if out.suffix.lower() not in suffixes:
        wrong, expected = f'the suffix "{out.suffix}"', ", ".join(suffixes)
    elif not out.resolve().parent.is_dir():
        wrong, expected = "no such folder", "a folder that exists"
    elif out.resolve() in [path.resolve() for path in inputs]:
        wrong, expected = "one of the files to score", "another file"
    else:
        return
    raise QavizError(Problem(where=f"--out {out}", found=wrong, expected=expected, fix="Name another file."))


def as_written(frame: pl.DataFrame, file: Path) -> pl.DataFrame:
    """What `write_scores` was given, read back from its file: without the apostrophes of a CSV."""
    if file.suffix.lower() != ".csv":
        return frame
    text = pl.col(pl.String)
    quoted = text.str.contains("^'") & text.str.slice(1).str.contains(STARTS_A_FORMULA)
    whole = pl.when(quoted).then(text.str.slice(1)).otherwise(text)
    return frame.with_columns(whole.str.replace_all(_GUARDED_LATER_CELL, "${1}${2}").name.keep())


@contextmanager
def _growing_json_lines(file: Path) -> Iterator[Add]:
    with file.open("wb") as stream:
        yield lambda frame: frame.write_ndjson(stream)


@contextmanager
def _score_csv(file: Path) -> Iterator[Add]:
    with file.open("wb") as stream:
        yield lambda frame: inert(frame.with_columns(pl.col(c.WARNINGS).list.join("; "))).write_csv(
            stream, include_header=stream.tell() == 0, quote_style="non_numeric"
        )


FORMATS: dict[str, Callable[[Path], AbstractContextManager[Add]]] = {
    ".jsonl": _growing_json_lines,
    ".csv": _score_csv,
    ".parquet": growing_table,
}


class Format(NamedTuple):
    """One format of a file that a golden dataset is written to."""

    suffix: str
    write: Callable[[pl.DataFrame], bytes]
    """Returns the file's bytes. Raises QavizError, naming the texts, if the format cannot hold them as they are."""


def _list_columns(golden: pl.DataFrame) -> list[str]:
    """The columns of a golden dataset, and where its generated triplets come from."""
    return [*c.GOLDEN_COLUMNS, *(name for name in c.PLACES if name in golden.columns)]


def _golden_csv(golden: pl.DataFrame) -> bytes:
    """Texts stand as they are, so that scores stay; one that a spreadsheet would run is refused, not changed."""
    text = pl.col(FIELD_TEXT).str
    risky = text.contains(STARTS_A_FORMULA) & ~text.contains(_SIGNED_NUMBER)
    _refuse(
        golden,
        risky | text.contains(_RUNS_IN_A_LATER_CELL),
        "a text that a spreadsheet would run as a formula",
        "texts that stay texts in CSV",
    )
    return MARK + golden.select(_list_columns(golden)).write_csv(quote_style="non_numeric").encode()


def _xlsx(golden: pl.DataFrame) -> bytes:
    """One sheet, every text a text: nothing in it is a formula or a link."""
    if golden.height > ROWS_OF_A_SHEET:
        wrong, expected = f"{golden.height:,} triplets", f"at most {ROWS_OF_A_SHEET:,}, a sheet's rows"
        raise QavizError(Problem(where="golden dataset", found=wrong, expected=expected, fix=_FIX))
    longest = pl.col(FIELD_TEXT).str.len_chars() > LONGEST_IN_A_CELL
    _refuse(golden, longest, f"more than {LONGEST_IN_A_CELL:,} characters", "what a cell of a workbook holds")
    import xlsxwriter  # `score` writes no workbook

    file = BytesIO()
    with xlsxwriter.Workbook(file, INERT) as book:
        sheet = book.add_worksheet("golden")
        sheet.freeze_panes(1, 0)
        sheet.write_row(0, 0, _list_columns(golden), book.add_format({"bold": True}))
        for place, row in enumerate(golden.select(_list_columns(golden)).iter_rows(), start=1):
            sheet.write_row(place, 0, row)
    return file.getvalue()


def _fmeval(target: str, golden: pl.DataFrame) -> bytes:
    """JSON Lines of FMEval's own names, one line a triplet; triplets without the target are left out."""
    fields = pl.col(c.QUESTION).alias(MODEL_INPUT), pl.col(target).alias(TARGET_OUTPUT)
    lines = golden.drop_nulls(target).select(*fields, pl.col(c.CATEGORY).fill_null("").alias(CATEGORY_FIELD))
    return _json_lines(lines)


def _refuse(golden: pl.DataFrame, odd: pl.Expr, fault: str, expected: str) -> None:
    """Raise QavizError if a text of the golden dataset is `odd`, an expression over FIELD_TEXT."""
    texts = [name for name in _list_columns(golden) if golden.schema[name] == pl.String()]
    cells = (
        golden.select(texts)
        .with_columns(pl.col(c.QUESTION_ID).alias("of"))
        .unpivot(texts, index="of", variable_name=FIELD, value_name=FIELD_TEXT)
    )
    refused = cells.filter(odd.fill_null(False)).select("of", FIELD).rows()
    if refused:
        problems = (
            Problem(where=f"{field} of the triplet {question}", found=fault, expected=expected, fix=_FIX)
            for question, field in refused[:NAMED]
        )
        raise QavizError(*problems)


GOLDEN_FORMATS: Mapping[str, Format] = {
    "jsonl": Format(".jsonl", lambda golden: _json_lines(golden.select(_list_columns(golden)))),
    "csv": Format(".csv", _golden_csv),
    "xlsx": Format(".xlsx", _xlsx),
    "fmeval-facts": Format(".jsonl", partial(_fmeval, c.FACT)),
    "fmeval-answers": Format(".jsonl", partial(_fmeval, c.ANSWER)),
}
"""By the name that the terminal knows."""


def _json_lines(table: pl.DataFrame) -> bytes:
    return table.write_ndjson().encode()


AUDIT_FORMATS: Mapping[str, Callable[[pl.DataFrame], bytes]] = {".csv": as_csv, ".jsonl": _json_lines}
"""By suffix. JSON Lines hold the entries as they were written: by them the chain of the audit log can be checked."""
