"""From rules to judgements: which rule decides each response, and what it says there."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import polars as pl

from qaviz.diagnosis.calibration import DIAGNOSIS_OF_RULE, MARGIN, RULE, calibration_in_use, columns_of_features
from qaviz.diagnosis.rule_expressions import (
    CONTESTED,
    OPINIONS,
    Ruling,
    contested_expression,
    describe_opinion,
    is_blank,
    with_opinions,
)
from qaviz.diagnosis.rules import BY_OTHERS, RULES
from qaviz.model.classes import Diagnosis, Fault, Verdict
from qaviz.model.columns import CONFIDENCE, DIAGNOSIS, FACT, FAULT, JUDGE, REASON, REVIEW, VERDICT
from qaviz.model.records import Thresholds

JUDGED = (DIAGNOSIS, VERDICT, FAULT, CONFIDENCE, REASON)
"""The columns that judging adds."""

SCORED = tuple(i for i, rule in enumerate(RULES) if rule.diagnosis is not Diagnosis.UNSCORED)
"""Indices of the rules that can decide a row which has something to judge, and to judge it by."""

_OF_OTHERS = {place: rule for place, rule in enumerate(RULES) if rule.name in BY_OTHERS}
"""By their places: the rules by which a person or a judge decides an open row."""
_NEVER_OPEN = [place for place, rule in enumerate(RULES) if rule.name == "no_response"]

_OFF_TARGET = next(place for place, rule in enumerate(RULES) if rule.name == "off_target")

_FIRST = "first rule that applies"
_OWN = "first rule of evidence that applies"
_PROBABLE = "probability that a person agrees with the rule of evidence"
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
    applied = _decide_rows(read, thresholds)
    judged = pl.concat([applied, _in_words(applied, thresholds)], how="horizontal").with_columns(_classes(thresholds))
    if not {REVIEW, JUDGE}.isdisjoint(gathered.columns):
        judged = _with_what_others_say(judged)
    return judged.select(DIAGNOSIS, VERDICT, FAULT, CONFIDENCE, REASON)


def classes(scored: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """Return DIAGNOSIS, VERDICT and FAULT alone, of a table without UNSCORED rows or of `columns_of_classes` of it."""
    return _decide_rows(scored, thresholds, SCORED).select(_classes(thresholds))


def verdicts(gathered: pl.DataFrame, thresholds: Thresholds) -> pl.Series:
    """Return VERDICT alone, of any gathered table."""
    return _decide_rows(gathered, thresholds).select(_classes(thresholds))[VERDICT]


def open_rows(gathered: pl.DataFrame, thresholds: Thresholds) -> pl.Series:
    """Return for each row whether it is open: the word of a person (REVIEW) or of a judge (JUDGE) decides it.

    Open is what the response's own evidence decides with a probability below `thresholds.open_below`, what has nothing
    golden to be judged by, what has nothing of a golden answer that no fact makes precise, and what a bug kept from
    being read. What others said already changes nothing of that.
    """
    return _decide_rows(gathered, thresholds).select(_open(thresholds)).to_series()


def _open(thresholds: Thresholds) -> pl.Expr:
    """Whether a row of a `_decide_rows` table is open."""
    probable = pl.col(_PROBABLE)
    prose_alone = (pl.col(_OWN) == _OFF_TARGET) & is_blank(FACT)
    # What is left unsure is open, wherever the two thresholds stand: a person's or judge's word decides it.
    below = max(thresholds.open_below, thresholds.unsure_below)
    doubtful = probable.is_null() | (probable < below) | prose_alone
    return (~pl.col(_OWN).is_in(_NEVER_OPEN) & doubtful).alias("open")


def _unsure(thresholds: Thresholds) -> pl.Expr:
    """Whether a row of a `_decide_rows` table is left unsure: its probability is low and nobody else decided it."""
    return ((pl.col(_FIRST) == pl.col(_OWN)) & (pl.col(_PROBABLE) < thresholds.unsure_below)).fill_null(False)


def _classes(thresholds: Thresholds) -> tuple[pl.Expr, ...]:
    verdict = _name_places([rule.verdict for rule in RULES])
    return (
        _name_places([rule.diagnosis for rule in RULES]).alias(DIAGNOSIS),
        pl.when(_unsure(thresholds)).then(pl.lit(Verdict.UNSURE.value)).otherwise(verdict).alias(VERDICT),
        _name_places([rule.fault for rule in RULES]).alias(FAULT),
    )


def columns_judged(columns: Sequence[str]) -> list[str]:
    """Those of a table's columns that the rules read."""
    rulings = _rulings(Thresholds())
    return _read(columns, (said for each in rulings for said in (each.when, each.reason, each.margin)))


def columns_of_classes(columns: Sequence[str]) -> list[str]:
    """Those of a table's columns that say which rule decides a row that is not UNSCORED, and how probably right."""
    rulings = [_rulings(Thresholds())[i] for i in SCORED]
    return _read(columns, (said for each in rulings for said in (each.when, each.margin)))


def _read(columns: Sequence[str], expressions: Iterable[pl.Expr]) -> list[str]:
    read = {column for each in expressions for column in each.meta.root_names()} | set(columns_of_features())
    return [column for column in columns if column in read or column in OPINIONS]


def _in_words(applied: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """CONFIDENCE and REASON of each row, by its own rule: a rule's words are made for the rows that it decides."""
    said = _by_rule(applied, _FIRST, [ruling.reason.alias(REASON) for ruling in _rulings(thresholds)])
    others = pl.col(_FIRST).is_in(list(_OF_OTHERS))
    percent = (pl.col(_PROBABLE) * 100).round(0).cast(pl.Int64)
    doubt = pl.format(" Unsure: people agree with about {}% of such verdicts.", percent)
    return pl.concat([applied, said], how="horizontal").select(
        pl.when(~others).then(pl.col(_PROBABLE)).alias(CONFIDENCE),
        pl.col(REASON) + pl.when(_unsure(thresholds)).then(doubt).otherwise(pl.lit("")),
    )


def _by_rule(table: pl.DataFrame, decided_by: str, said: Sequence[pl.Expr]) -> pl.DataFrame:
    """What the rule that a column names says of each row: one column, computed rule by rule over its own rows."""
    numbered = table.with_row_index(_ROW).lazy()
    # Of no rows, any rule says it.
    decide = set(table[decided_by].unique()) or {0}
    parts = (numbered.filter(pl.col(decided_by) == i).select(_ROW, said[i]) for i in sorted(decide))
    return pl.concat(pl.collect_all(parts)).sort(_ROW).drop(_ROW)


def _with_what_others_say(judged: pl.DataFrame) -> pl.DataFrame:
    """Rows that words decided, with what a person or a judge says of it in the reason, and in confidence."""
    by_words = ~pl.col(_FIRST).is_in(list(_OF_OTHERS))
    verdict = pl.col(VERDICT)
    return judged.with_columns(
        pl.when(by_words & contested_expression(verdict))
        .then(CONTESTED)
        .otherwise(1.0)
        .mul(pl.col(CONFIDENCE))
        .alias(CONFIDENCE),
        pl.col(REASON) + pl.when(by_words).then(describe_opinion(verdict)).otherwise(pl.lit("")),
    )


def deciding(gathered: pl.DataFrame, thresholds: Thresholds) -> pl.Series:
    """Return for each row the index in RULES of the rule that decides it, which has its explanation and suggestion."""
    return _decide_rows(gathered, thresholds)[_FIRST]


def evidence_of_rules(gathered: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """Return the rows that a rule of evidence can judge, with RULE, DIAGNOSIS_OF_RULE and MARGIN: what `fit` needs."""
    applied = _first_of_evidence(with_opinions(gathered), thresholds, SCORED)
    margins = _by_rule(applied, _OWN, [each.margin.cast(pl.Float64).alias(MARGIN) for each in _rulings(thresholds)])
    names = [rule.name for rule in RULES]
    return pl.concat([applied, margins], how="horizontal").with_columns(
        pl.col(_OWN).replace_strict(dict(enumerate(names)), return_dtype=pl.String).alias(RULE),
        pl.col(_OWN)
        .replace_strict({i: rule.diagnosis.value for i, rule in enumerate(RULES)}, return_dtype=pl.String)
        .alias(DIAGNOSIS_OF_RULE),
    )


def _decide_rows(
    gathered: pl.DataFrame, thresholds: Thresholds, asked: Sequence[int] = range(len(RULES))
) -> pl.DataFrame:
    """The table with the rule of evidence, its probability, and the rule that decides where others were heard."""
    applied = _first_of_evidence(with_opinions(gathered), thresholds, asked)
    probable = _by_rule(applied, _OWN, [_probability(place, thresholds) for place in range(len(RULES))])
    applied = pl.concat([applied, probable], how="horizontal")
    if {REVIEW, JUDGE}.isdisjoint(gathered.columns):
        return applied.with_columns(pl.col(_OWN).alias(_FIRST))
    heard = (pl.when(_rulings(thresholds)[place].when.fill_null(False)).then(pl.lit(place)) for place in _OF_OTHERS)
    return applied.with_columns(
        pl.coalesce(pl.when(_open(thresholds)).then(pl.coalesce(*heard)), pl.col(_OWN)).alias(_FIRST)
    )


def _probability(place: int, thresholds: Thresholds) -> pl.Expr:
    """The probability that a verdict of this rule is right; null where the rule measures nothing."""
    margin, rule = _rulings(thresholds)[place].margin.cast(pl.Float64), RULES[place]
    probable = calibration_in_use().probability(rule.name, rule.diagnosis.value, margin.clip(0, 1))
    return pl.when(margin.is_not_null()).then(probable).alias(_PROBABLE)


def _first_of_evidence(table: pl.DataFrame, thresholds: Thresholds, asked: Sequence[int]) -> pl.DataFrame:
    # Lazily: what several rules ask of a text is then asked once.
    return table.lazy().with_columns(_deciding(thresholds, tuple(asked))).collect()


@lru_cache(maxsize=64)
def _rulings(thresholds: Thresholds) -> tuple[Ruling, ...]:
    """What each rule says: expressions, which take longer to make than to apply to a page of a list."""
    return tuple(rule.ruling(thresholds) for rule in RULES)


@lru_cache(maxsize=64)
def _deciding(thresholds: Thresholds, asked: Sequence[int]) -> pl.Expr:
    """The index of the first rule of evidence that applies, of those asked."""
    rulings = _rulings(thresholds)
    applying = (pl.when(rulings[i].when.fill_null(False)).then(pl.lit(i)) for i in asked if i not in _OF_OTHERS)
    return pl.coalesce(*applying).alias(_OWN)


def _name_places(names: list[Diagnosis] | list[Verdict] | list[Fault]) -> pl.Expr:
    return pl.col(_FIRST).replace_strict(dict(enumerate(name.value for name in names)), return_dtype=pl.String)
