"""Columns of texts in the forms that FMEval compares, equal to `definition` for every character."""

import re
from functools import cache, reduce
from operator import or_

import polars as pl

from qaviz.model.columns import AND_DELIMITER, ANSWER, FACT, OR_DELIMITER, RESPONSE, UNSCORED_ANSWER, UNSCORED_FACT
from qaviz.model.errors import Problem, QavizError
from qaviz.scoring.definition import PUNCTUATION

WHITE_SPACE = "".join(filter(str.isspace, map(chr, range(0x3001))))
"""What `str.strip` and `str.split` take for white space; U+3000 is the last. polars lacks U+001C to U+001F."""

_PUNCTUATION = f"[{re.escape(PUNCTUATION)}]+"
_ARTICLES = " (?:(?:a|an|the)? )+"
"""Between blanks, as FMEval splits at blanks alone. One match takes all of `the  a`, whose blanks are shared."""
_OTHER_WHITE_SPACE = f"[{WHITE_SPACE.replace(' ', '')}]"

TRIPLET = "triplet"
"""Number of a distinct pair of answer and fact."""
UNIT = "unit"
"""Number of a distinct set of answer, fact and response."""

_TEXTS = [ANSWER, FACT, RESPONSE]


def lower(texts: pl.Series) -> pl.Series:
    """Return the texts as `str.lower` does."""
    utf8 = texts.cast(pl.Binary)
    differs = reduce(or_, (utf8.bin.contains(some) for some in _lowered_otherwise()))
    lowered = texts.str.to_lowercase()
    if not differs.any():
        return lowered
    as_python = [text.lower() if odd else None for text, odd in zip(texts, differs, strict=True)]
    return lowered.zip_with(~differs, pl.Series(as_python, dtype=pl.String))


@cache
def _lowered_otherwise() -> list[bytes]:
    """Return bytes of which a text holds some if polars and this Python may disagree on its lower case. They follow
    different editions of Unicode; and whether a sigma is final depends on its neighbours' properties. A character is
    known by its bytes but the last, for few searches: a text that is caught needlessly is only slower."""
    # All at once, a line each: one by one this would take longer than lowering a thousand responses.
    # No plane beyond these two holds letters with case.
    characters = "\n".join(chr(point) for point in range(0x80, 0x20000) if not 0xD800 <= point < 0xE000)
    lowered, as_python = (pl.Series([text]).str.split("\n").explode() for text in (characters, characters.lower()))
    differing = lowered.filter(lowered.str.to_lowercase() != as_python)
    return sorted({"Σ".encode()} | {letter.encode()[:-1] for letter in differing})


def strip(texts: pl.Series) -> pl.Series:
    """Return the texts as `str.strip` does."""
    beyond_polars = texts.str.contains("[\x1c-\x1f]").any()
    return texts.str.strip_chars(WHITE_SPACE if beyond_polars else None)


def normal(lowered: pl.Series) -> pl.Series:
    """Return texts in lower case as `definition.normalise` leaves them after `strip`, between two blanks. An empty one
    is a single blank. The blanks change neither whether two texts are equal nor whether one holds the other once it is
    trimmed of them: a normalised text never begins or ends with a blank."""
    bare = strip(lowered).str.replace_all(_PUNCTUATION, "")
    return (" " + bare + " ").str.replace_all(_ARTICLES, " ")


def words(normalised: pl.Series) -> pl.Series:
    """Return lists of the words of texts from `normal`, repeated ones too, and with the empty text in each list."""
    return normalised.str.replace_all(_OTHER_WHITE_SPACE, " ").str.split(" ")


def holds(text: pl.Expr, part: pl.Expr) -> pl.Expr:
    """Whether the text holds the part. In bytes: of a part alone in its column polars makes a regex, with a limit."""
    return text.cast(pl.Binary).bin.contains(part.cast(pl.Binary))


def check_texts(rows: pl.DataFrame) -> None:
    """Raise QavizError, with all problems, unless `answer`, `fact` and `response` are there as text, or all null."""
    problems = [
        Problem(
            where=f"column {name}",
            found=f"values of type {rows.schema[name]}" if name in rows.columns else "no such column",
            expected="text",
            fix="Load the files with qaviz.loading, or give this column as pl.String.",
        )
        for name in _TEXTS
        if rows.schema.get(name) not in (pl.String(), pl.Null())
    ]
    if problems:
        raise QavizError(*problems)


def reasons(rows: pl.DataFrame) -> pl.DataFrame:
    """Return `unscored_fact` and `unscored_answer`: why a row cannot be scored, null where it can. FMEval would give
    1.0 to every response on a fact that says nothing."""
    texts = rows.select(pl.col(_TEXTS).cast(pl.String))
    unanswered = pl.when(pl.col(RESPONSE).is_null()).then(pl.lit("there is no response"))
    both = pl.all_horizontal(pl.col(FACT).str.contains(mark, literal=True) for mark in (OR_DELIMITER, AND_DELIMITER))
    no_fact = unanswered.when(_says_nothing(FACT, OR_DELIMITER, AND_DELIMITER)).then(pl.lit("the triplet has no fact"))
    no_answer = unanswered.when(_says_nothing(ANSWER, OR_DELIMITER)).then(pl.lit("the triplet has no answer"))
    mixed = pl.lit("the fact mixes <OR> and <AND>, which FMEval cannot read")
    return texts.select(no_fact.when(both).then(mixed).alias(UNSCORED_FACT), no_answer.alias(UNSCORED_ANSWER))


def _says_nothing(column: str, *delimiters: str) -> pl.Expr:
    """Whether a text is null, or holds but white space and delimiters."""
    nothing = f"^(?:{'|'.join(delimiters)}|[{WHITE_SPACE}])*$"
    return pl.col(column).is_null() | pl.col(column).str.contains(nothing)


def scorable(rows: pl.DataFrame, why_not: pl.DataFrame) -> pl.DataFrame:
    """Return `answer`, `fact` and `response` as text, null where `reasons` has one against their scores."""
    return rows.select(
        pl.when(why_not[UNSCORED_ANSWER].is_null()).then(pl.col(ANSWER).cast(pl.String)),
        pl.when(why_not[UNSCORED_FACT].is_null()).then(pl.col(FACT).cast(pl.String)),
        pl.col(RESPONSE).cast(pl.String),
    )


def distinct(texts: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
    """Return the distinct rows of `scorable` texts with the columns `unit` and `triplet`, and each row's unit. Units
    are numbered from 0 in the order of their first rows."""
    answer, fact, response = (_number_keys(texts.select(name)) for name in _TEXTS)
    triplet = _number_keys(pl.DataFrame([answer.alias(ANSWER), fact.alias(FACT)])).alias(TRIPLET)
    unit = _number_keys(pl.DataFrame([triplet, response.alias(RESPONSE)])).alias(UNIT)
    return texts.with_columns(unit, triplet).unique(UNIT, keep="first", maintain_order=True), unit


def _number_keys(keys: pl.DataFrame) -> pl.Series:
    """Return the number of each row's keys. One text or several numbers: polars would copy several texts to compare."""
    numbered = keys.unique(maintain_order=True).with_row_index("number")
    return keys.join(numbered, on=keys.columns, how="left", nulls_equal=True, maintain_order="left")["number"]
