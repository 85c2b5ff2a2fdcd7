"""From rules to judgements: which rule decides each response, and what it says there."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import polars as pl

from qaviz.diagnosis.external_judgements import CONTESTED, OPINIONS, beside, contested, with_opinions
from qaviz.diagnosis.rule_expressions import Ruling
from qaviz.diagnosis.rules import BY_OTHERS, RULES
from qaviz.model.classes import Diagnosis, Fault, Verdict
from qaviz.model.columns import CONFIDENCE, DIAGNOSIS, FAULT, JUDGE, REASON, REVIEW, VERDICT
from qaviz.model.records import Thresholds

JUDGED = (DIAGNOSIS, VERDICT, FAULT, CONFIDENCE, REASON)
"""The columns that judging adds."""

SCORED = tuple(i for i, rule in enumerate(RULES) if rule.diagnosis is not Diagnosis.UNSCORED)
"""Indices of the rules that can decide a row which has something to judge, and to judge it by."""

_FIRST = "first rule that applies"
_ROW = "row of the table"


def judge(gathered: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """Return the gathered table with DIAGNOSIS, VERDICT, FAULT, CONFIDENCE and REASON.

    Cheap: moving a threshold needs no second look at the texts.
    """
    return gathered.with_columns(judgements(gathered, thresholds))


def judgements(gathered: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """Return the columns that `judge` adds, of a gathered table or of `columns_judged` of it."""
    # In one chunk, because polars 2.1 fails over some rules in several.
    read = gathered.select(columns_judged(gathered.columns)).rechunk()
    applied = with_opinions(read).with_columns(_deciding(thresholds))
    judged = pl.concat([applied, _in_words(applied, thresholds)], how="horizontal").with_columns(_classes())
    if not {REVIEW, JUDGE}.isdisjoint(gathered.columns):
        judged = _with_what_others_say(judged)
    return judged.select(DIAGNOSIS, VERDICT, FAULT, CONFIDENCE, REASON)


def classes(scored: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """Return DIAGNOSIS, VERDICT and FAULT alone, of a table without UNSCORED rows or of `columns_of_classes` of it."""
    return _decided(scored, _deciding(thresholds, SCORED)).to_frame().select(_classes())


def _classes() -> tuple[pl.Expr, ...]:
    return (
        _named([rule.diagnosis for rule in RULES]).alias(DIAGNOSIS),
        _named([rule.verdict for rule in RULES]).alias(VERDICT),
        _named([rule.fault for rule in RULES]).alias(FAULT),
    )


def columns_judged(columns: Sequence[str]) -> list[str]:
    """Those of a table's columns that the rules read."""
    rulings = _rulings(Thresholds())
    return _read(columns, (said for each in rulings for said in (each.when, each.reason, each.confidence)))


def columns_of_classes(columns: Sequence[str]) -> list[str]:
    """Those of a table's columns that say which rule decides a row that is not UNSCORED."""
    return _read(columns, (_rulings(Thresholds())[i].when for i in SCORED))


def _read(columns: Sequence[str], expressions: Iterable[pl.Expr]) -> list[str]:
    read = {column for each in expressions for column in each.meta.root_names()}
    return [column for column in columns if column in read or column in OPINIONS]


def _in_words(applied: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """CONFIDENCE and REASON of each row, by its own rule: a rule's words are made for the rows that it decides."""
    numbered = applied.with_row_index(_ROW).lazy()
    # Of no rows, any rule says it.
    decide = set(applied[_FIRST].unique()) or {0}
    said = (
        numbered.filter(pl.col(_FIRST) == i).select(
            _ROW, ruling.confidence.clip(0, 1).alias(CONFIDENCE), ruling.reason.alias(REASON)
        )
        for i, ruling in enumerate(_rulings(thresholds))
        if i in decide
    )
    return pl.concat(pl.collect_all(said)).sort(_ROW).drop(_ROW)


def _with_what_others_say(judged: pl.DataFrame) -> pl.DataFrame:
    """Rows that words decided, with what a person or a judge says of it in the reason, and in confidence."""
    by_words = ~pl.col(_FIRST).is_in([i for i, rule in enumerate(RULES) if rule.ruling in BY_OTHERS])
    verdict = pl.col(VERDICT)
    return judged.with_columns(
        pl.when(by_words & contested(verdict)).then(CONTESTED).otherwise(1.0).mul(pl.col(CONFIDENCE)).alias(CONFIDENCE),
        pl.col(REASON) + pl.when(by_words).then(beside(verdict)).otherwise(pl.lit("")),
    )


def deciding(gathered: pl.DataFrame, thresholds: Thresholds) -> pl.Series:
    """Return for each row the index in RULES of the rule that decides it, which has its explanation and suggestion."""
    return _decided(gathered, _deciding(thresholds))


def _decided(gathered: pl.DataFrame, deciding: pl.Expr) -> pl.Series:
    # Lazily: what several rules ask of a text is then asked once.
    return with_opinions(gathered).lazy().select(deciding).collect().to_series()


@lru_cache(maxsize=64)
def _rulings(thresholds: Thresholds) -> tuple[Ruling, ...]:
    """What each rule says: expressions, which take longer to make than to apply to a page of a list."""
    return tuple(rule.ruling(thresholds) for rule in RULES)


@lru_cache(maxsize=64)
def _deciding(thresholds: Thresholds, asked: Sequence[int] = range(len(RULES))) -> pl.Expr:
    """The index of the first rule that applies, of those asked."""
    rulings = _rulings(thresholds)
    applying = (pl.when(rulings[i].when.fill_null(False)).then(pl.lit(i)) for i in asked)
    return pl.coalesce(*applying).alias(_FIRST)


def _named(names: list[Diagnosis] | list[Verdict] | list[Fault]) -> pl.Expr:
    return pl.col(_FIRST).replace_strict(dict(enumerate(name.value for name in names)), return_dtype=pl.String)
