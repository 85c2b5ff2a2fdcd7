"""Tables as CSV that a spreadsheet opens without running anything in them."""

from io import BytesIO

import polars as pl

STARTS_A_FORMULA = r"^'*[=+\-@\t\r\n＝＋－＠]"
"""A text that a spreadsheet would run, or one that is already quoted: each gets one more apostrophe, so removing one
apostrophe from whatever matches this after an apostrophe gives the text back."""

MARK = b"\xef\xbb\xbf"
"""Without this mark of UTF-8 a spreadsheet takes the file for its own system's letters."""


def inert(frame: pl.DataFrame) -> pl.DataFrame:
    """The table with an apostrophe before every text that a spreadsheet would take for a formula."""
    return frame.with_columns(_quote_expression(pl.col(pl.String)).name.keep())


def _quote_expression(text: pl.Expr) -> pl.Expr:
    return pl.when(text.str.contains(STARTS_A_FORMULA)).then(pl.lit("'") + text).otherwise(text)


def as_csv(frame: pl.DataFrame) -> bytes:
    """The table as CSV in UTF-8 for a spreadsheet: neither its cells nor its column names start a formula."""
    names = pl.select(_quote_expression(pl.lit(pl.Series(frame.columns)))).to_series()
    shown = inert(frame)
    shown.columns = names.to_list()
    file = BytesIO()
    file.write(MARK)
    shown.write_csv(file)
    return file.getvalue()
