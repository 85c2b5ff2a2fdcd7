"""The expressions that rules are written in, and what people, a judge or a score of meaning say of a response."""

import polars as pl

from qaviz.diagnosis.columns import REFUSAL, STANCE
from qaviz.diagnosis.evidence import Stance
from qaviz.diagnosis.model import HIGHEST_DOUBTFUL, P_CORRECT, P_DECLINED
from qaviz.model.classes import Verdict
from qaviz.model.columns import AND_DELIMITER, BERTSCORE, FACT, JUDGE, JUDGE_REASON, OR_DELIMITER, REVIEW

QUOTED = 120
"""Characters of a text that a reason quotes."""
UNKNOWN = pl.lit(None, pl.Float64)
HIGHEST_UNMEASURED = pl.lit(HIGHEST_DOUBTFUL)
"""How sure a diagnosis is that no labelled set has measured."""

HALF = 0.5
REFUSES = pl.col(REFUSAL).is_not_null()
CORRECT, DECLINED, INCORRECT = (
    pl.col(P_CORRECT),
    (1 - pl.col(P_CORRECT)) * pl.col(P_DECLINED),
    (1 - pl.col(P_CORRECT)) * (1 - pl.col(P_DECLINED)),
)
"""The probabilities of the three labels."""
IS_CORRECT = pl.col(P_CORRECT) >= HALF
IS_DECLINED = ~IS_CORRECT & REFUSES & (pl.col(P_DECLINED) >= HALF)

OPINIONS = pl.Schema({REVIEW: pl.String, JUDGE: pl.String, JUDGE_REASON: pl.String, BERTSCORE: pl.Float64})
"""Columns that a table of responses may have, all of them optional. A review counts more than a judge."""
CONTESTED = 0.5
"""What confidence is multiplied with where a person or a judge says otherwise than the words."""

_LABELS = [Verdict.CORRECT.value, Verdict.INCORRECT.value, Verdict.DECLINED.value]


def says(stance: Stance) -> pl.Expr:
    """Whether that is what the leading evidence says."""
    return pl.col(STANCE) == stance.value


def is_blank(column: str) -> pl.Expr:
    """Whether a text is missing, or nothing but blanks and delimiters."""
    return pl.col(column).fill_null("").str.contains(rf"^(?:\s|{OR_DELIMITER}|{AND_DELIMITER})*$")


def quote_text(column: str) -> pl.Expr:
    """The text in quotation marks, shortened, its variants joined by words."""
    text = pl.col(column).fill_null("").str.replace_all(OR_DELIMITER, " or ").str.replace_all(AND_DELIMITER, " and ")
    shortened = pl.when(text.str.len_chars() > QUOTED).then(text.str.head(QUOTED - 1) + "…").otherwise(text)
    return pl.format("“{}”", shortened)


def percent(column: str) -> pl.Expr:
    """A share as `12%`."""
    return pl.format("{}%", (pl.col(column) * 100).round(0).cast(pl.Int64))


def with_opinions(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table with every column of OPINIONS, null where it had none."""
    given = set(table.columns)
    return table.with_columns(
        (pl.col(name) if name in given else pl.lit(None)).cast(dtype).alias(name) for name, dtype in OPINIONS.items()
    )


def read_label() -> pl.Expr:
    """What a person, else a judge says: correct, incorrect or declined; null where neither says one of these."""
    return pl.coalesce(_label(REVIEW), _label(JUDGE))


def _label(column: str) -> pl.Expr:
    label = pl.col(column).str.strip_chars().str.to_lowercase()
    return pl.when(label.is_in(_LABELS)).then(label)


def _speaker() -> pl.Expr:
    """Who says it, as a sentence begins."""
    return pl.when(_label(REVIEW).is_not_null()).then(pl.lit("A person")).otherwise(pl.lit("The judge"))


def _because() -> pl.Expr:
    """The judge's reason in brackets; empty where a person decides or the judge gives none."""
    given = _label(REVIEW).is_null() & ~is_blank(JUDGE_REASON)
    return pl.when(given).then(pl.format(" ({})", quote_text(JUDGE_REASON))).otherwise(pl.lit(""))


def describe_opinion(verdict: pl.Expr) -> pl.Expr:
    """A sentence, with a blank before it: whether a person or the judge agrees with a verdict; else empty."""
    label = read_label()
    same = pl.format(" {} agrees.", _speaker())
    other = pl.format(" {} disagrees: {}{}.", _speaker(), label, _because())
    return pl.when(label == verdict).then(same).when(label.is_not_null()).then(other).otherwise(pl.lit(""))


def contested_expression(verdict: pl.Expr) -> pl.Expr:
    """Whether a person or a judge says otherwise."""
    return (read_label() != verdict).fill_null(False)


def judgement_reason() -> pl.Expr:
    """What the reason is where a person's or a judge's label decides."""
    words = (
        pl.when(is_blank(FACT))
        .then(pl.lit("its words alone do not decide"))
        .otherwise(pl.format("its words neither state {} nor deny it", quote_text(FACT)))
    )
    return pl.format("{} says that it is {}{}; {}.", _speaker(), read_label(), _because(), words)


def count_words(column: str, *, first: bool = False) -> pl.Expr:
    """How many words a text has, or its first variant; two ideographs count as one."""
    text = pl.col(column).fill_null("")
    text = text.str.split(OR_DELIMITER).list.first() if first else text
    ideographs = text.str.count_matches(r"[\u3040-\u30ff\u3400-\u9fff]")
    spaced = text.str.replace_all(r"[\u3040-\u30ff\u3400-\u9fff]", " ").str.count_matches(r"[\p{L}\p{N}]\S*")
    return pl.when(ideographs > 0).then(spaced + (ideographs + 1) // 2).otherwise(spaced)


def far_in_meaning() -> pl.Expr:
    """A sentence, with a blank before it, on a score of meaning that does not reach far enough; empty without one."""
    words = pl.format(" It is not close in meaning either (BERTScore {}).", pl.col(BERTSCORE).round(2))
    return pl.when(pl.col(BERTSCORE).is_not_null()).then(words).otherwise(pl.lit(""))
