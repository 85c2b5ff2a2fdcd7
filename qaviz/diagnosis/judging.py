"""From probabilities to judgements: the rule that names a response, how sure it is, its words; whose fault it is."""

from collections.abc import Sequence

import polars as pl

from qaviz.diagnosis import rules
from qaviz.diagnosis.calibration import recalibrated
from qaviz.diagnosis.columns import REFUSAL
from qaviz.diagnosis.extract_evidence import extract_evidence
from qaviz.diagnosis.model import COLUMNS_READ, DOUBTS, HELD_BACK, P_CORRECT, PROBABILITY_SCHEMA
from qaviz.diagnosis.rules import CORRECT, DECLINED, INCORRECT, RULES, conditions, either, is_blank, quote_text
from qaviz.diagnosis.stance import TABLE
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis, Fault, Verdict
from qaviz.model.columns import CONFIDENCE, DIAGNOSIS, FACT, FAULT, FAULT_REASON, JUDGE, REASON, REVIEW, VERDICT
from qaviz.model.records import Thresholds

TOP_K = 4
"""Contexts that count as the top: from what stands below, a generator is less likely to answer."""
UNSUPPORTED, SURELY_SUPPORTED = 0.5, 0.9
"""Overlap with the contexts below which a right response does not stand on them; and where none states a fact of more
than VALUE_WORDS, which other words may say."""
VALUE_WORDS = 6

CONTEXT_SCHEMA = pl.Schema(
    dict.fromkeys((c.RETRIEVAL_RANK, c.CONTEXT_COUNT, c.TAKEN_FROM), pl.Int32())
    | dict.fromkeys((c.RETRIEVAL_HIT, c.CONTEXTS_STATE, c.IN_DOCUMENTS, c.CONTEXT_USED), pl.Boolean())
    | {c.TAKEN: pl.String(), c.GOLDEN_OTHERWISE: pl.String(), c.CONTEXT_SUPPORT: pl.Float64()}
)
"""What faults are proved by; rows that lack a column have null there."""

_FACT_WORDS = either(is_blank(c.FACT), rules.count_words(c.ANSWER), rules.count_words(c.FACT))
_RIGHT = pl.col(c.VERDICT) == Verdict.CORRECT.value
_FAILS = pl.col(c.VERDICT).is_in([Verdict.INCORRECT.value, Verdict.DECLINED.value]) & pl.col(c.ANSWERABLE).fill_null(
    True
)
PROOFS = {
    "golden_wrong": _FAILS & pl.col(c.GOLDEN_OTHERWISE).is_not_null(),
    "not_in_documents": _FAILS & pl.col(c.IN_DOCUMENTS).not_() & ~pl.col(c.RETRIEVAL_HIT).fill_null(False),
    "not_retrieved": _FAILS & pl.col(c.RETRIEVAL_HIT).not_(),
    "retrieved_too_low": _FAILS & (pl.col(c.RETRIEVAL_RANK) > TOP_K),
    "used_wrong": _FAILS & pl.col(c.RETRIEVAL_HIT) & pl.col(c.CONTEXT_USED),
    "not_used": _FAILS & pl.col(c.RETRIEVAL_HIT),
    "unsupported": _RIGHT
    & pl.col(c.CONTEXTS_STATE).not_()
    & ((_FACT_WORDS <= VALUE_WORDS) | (pl.col(c.CONTEXT_SUPPORT).fill_null(0) < SURELY_SUPPORTED)),
    "unsupported_in_other_words": _RIGHT
    & (pl.col(c.CONTEXT_SUPPORT) < UNSUPPORTED)
    & ((pl.col(c.FAULT) == Fault.GOLDEN.value) | pl.col(c.CONTEXTS_STATE).is_null()),
}
"""Whether each fault of rules.toml is proved, over VERDICT and the columns of CONTEXT_SCHEMA. Null counts as no."""

OR_ELSE = "retriever, golden dataset or documents"
"""What may be at fault where no passage holds the fact and nobody knows whether a document does."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_RANK, _TAKEN_FROM = (
    pl.coalesce(
        pl.col(column).replace_strict(dict(enumerate(_ORDINALS, 1)), default=None, return_dtype=pl.String),
        pl.format("number {}", pl.col(column)),
    )
    for column in (c.RETRIEVAL_RANK, c.TAKEN_FROM)
)
_FACT = either(is_blank(c.FACT), quote_text(c.ANSWER), quote_text(c.FACT))
_TOOK = pl.when(pl.col(c.TAKEN).is_not_null() & (pl.col(c.TAKEN_FROM) != pl.col(c.RETRIEVAL_RANK))).then(
    pl.format("took {} from the {}", quote_text(c.TAKEN), _TAKEN_FROM)
)
_WORDS_OF = {
    "fact": _FACT,
    "otherwise": quote_text(c.GOLDEN_OTHERWISE),
    "none_holds": pl.when(pl.col(c.CONTEXT_COUNT) == 0)
    .then(pl.lit("No passage was retrieved"))
    .when(pl.col(c.CONTEXT_COUNT) == 1)
    .then(pl.format("The only passage does not hold {}", _FACT))
    .otherwise(pl.format("None of the {} passages holds {}", pl.col(c.CONTEXT_COUNT), _FACT)),
    "or_else": either(pl.col(c.IN_DOCUMENTS).is_null(), f": {OR_ELSE}"),
    "holds": pl.format("The passage with {} was {} of {}", _FACT, _RANK, pl.col(c.CONTEXT_COUNT)),
    "took_or_below": pl.coalesce(pl.format("; the response {}", _TOOK), pl.lit(", below the others")),
    "does_not_use": pl.coalesce(
        pl.when(pl.col(REFUSAL).is_not_null()).then(pl.lit("declines")), _TOOK, pl.lit("does not use it")
    ),
    "support": (pl.col(c.CONTEXT_SUPPORT) * 100).round(0).cast(pl.Int64),
}
_FAULTS = {name: row["fault"] for name, row in TABLE["faults"].items()}
_REASONS = {name: rules.speak(row["reason"], _WORDS_OF) for name, row in TABLE["faults"].items()}

_BESIDE = pl.Schema({REFUSAL: pl.String(), c.FACT: pl.String(), c.ANSWER: pl.String(), c.ANSWERABLE: pl.Boolean()})
_PROVED = "the proof that holds"


def add_faults(judged: pl.DataFrame) -> pl.DataFrame:
    """The table, which has VERDICT and the rules' FAULT, with FAULT as proved and FAULT_REASON, null without proof."""
    # Proofs rest on contexts: most runs have none.
    if all(judged[name].null_count() == judged.height for name in CONTEXT_SCHEMA if name in judged.columns):
        return judged.with_columns(pl.lit(None, pl.String).alias(FAULT_REASON))
    lacking = {name: kind for name, kind in (CONTEXT_SCHEMA | _BESIDE).items() if name not in judged.columns}
    whole = judged.with_columns(pl.lit(None, kind).alias(name) for name, kind in lacking.items())
    proofs = (pl.when(PROOFS[name].fill_null(False)).then(pl.lit(name)) for name in _FAULTS)
    proved = whole.with_columns(pl.coalesce(*proofs).alias(_PROVED))
    named = pl.col(_PROVED).replace_strict(_FAULTS, default=None, return_dtype=pl.String)
    reasons = (pl.when(pl.col(_PROVED) == name).then(reason) for name, reason in _REASONS.items())
    added = proved.with_columns(pl.coalesce(named, FAULT).alias(FAULT), pl.coalesce(*reasons).alias(FAULT_REASON))
    return added.drop(_PROVED, *lacking)


JUDGED = (DIAGNOSIS, VERDICT, FAULT, FAULT_REASON, CONFIDENCE, REASON)
OPEN = "open"
"""Whether a judge or a person should decide a response: the column that `score` and `evaluate` write."""

_OF_OTHERS = [place for place, rule in enumerate(RULES) if rule.name in rules.BY_OTHERS]
"""The places of the rules by which a person or a judge decides an open row."""
_BY_EVIDENCE = [place for place in range(len(RULES)) if place not in _OF_OTHERS]
_RIGHT_RULES = [place for place, rule in enumerate(RULES) if rule.verdict is Verdict.CORRECT]
_PLACES = {rule.name: place for place, rule in enumerate(RULES)}
# Of a row that is unsure and leans to correct, too little is shared to call it so.
_LEANING = either(rules.IS_CORRECT, CORRECT, INCORRECT)
_OF_VERDICT = {Verdict.CORRECT: CORRECT, Verdict.DECLINED: DECLINED, Verdict.INCORRECT: _LEANING}
CONTESTED = 0.5
"""What confidence is multiplied with where a person or a judge says otherwise than the words."""

_FIRST = "first rule that applies"
_OWN = "first rule of evidence that applies"
_PROBABLE = "probability that a person agrees with the rule of evidence"
_ROW = "row of the table"
_KNOWN = {_PLACES[name]: confidence for name, confidence in rules.CONFIDENCE_OF.items()}
_PROBABILITY = pl.coalesce(
    *(pl.when(pl.col(_OWN) == place).then(confidence) for place, confidence in _KNOWN.items()),
    *(
        pl.when(pl.col(_OWN).is_in([place for place, rule in enumerate(RULES) if rule.verdict is verdict])).then(own)
        for verdict, own in _OF_VERDICT.items()
    ),
).alias(_PROBABLE)
"""The probability that a person agrees with the rule of evidence; null where nothing tells."""


def judge(gathered: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """Return the gathered table with the columns of JUDGED."""
    applied = _decide_rows(gathered, thresholds)
    judged = pl.concat([applied, _in_words(applied, thresholds)], how="horizontal").with_columns(_classes(thresholds))
    if not {REVIEW, JUDGE}.isdisjoint(gathered.columns):
        # What a person or a judge says of what words decided: in the reason, and in confidence.
        by_words, verdict = ~pl.col(_FIRST).is_in(_OF_OTHERS), pl.col(VERDICT)
        contested = by_words & (rules.heard_label != verdict).fill_null(False)
        agrees = rules.speak(" {speaker} agrees.", rules.OPINION)
        disagrees = rules.speak(" {speaker} disagrees: {label}{because}.", rules.OPINION)
        opinion = either(rules.heard_label == verdict, agrees, either(rules.heard_label.is_not_null(), disagrees))
        judged = judged.with_columns(
            pl.when(contested).then(CONTESTED).otherwise(1.0).mul(pl.col(CONFIDENCE)).alias(CONFIDENCE),
            pl.col(REASON) + either(by_words, opinion),
        )
    return gathered.with_columns(add_faults(judged).select(JUDGED))


def verdicts(gathered: pl.DataFrame, thresholds: Thresholds) -> pl.Series:
    """Return VERDICT alone: a sixth of the time of all that `judge` adds."""
    return _decide_rows(gathered, thresholds).select(_classes(thresholds))[VERDICT]


def open_rows(gathered: pl.DataFrame, thresholds: Thresholds) -> pl.Series:
    """Return for each row whether it is open: the word of a person (REVIEW) or of a judge (JUDGE) decides it.

    Open is what the response's own evidence decides with a probability below `thresholds.open_below`, what has nothing
    golden to be judged by, what has nothing of a golden answer that no fact makes precise, and what a bug kept from
    being read. What others said already changes nothing of that.
    """
    return _decide_rows(gathered, thresholds).select(_open(thresholds)).to_series()


def _open(thresholds: Thresholds) -> pl.Expr:
    probable = pl.col(_PROBABLE)
    prose_alone = (pl.col(_OWN) == _PLACES["off_target"]) & is_blank(FACT)
    # What is left unsure is open, wherever the two thresholds stand: a person's or judge's word decides it.
    below = max(thresholds.open_below, thresholds.unsure_below)
    doubtful = probable.is_null() | (probable < below) | prose_alone
    return ((pl.col(_OWN) != _PLACES["no_response"]) & doubtful).alias(OPEN)


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


def _columns_read(columns: Sequence[str]) -> list[str]:
    """Those of a table's columns that the rules read."""
    expressions = (*conditions(Thresholds()).values(), *(rule.reason for rule in RULES))
    read = {column for expression in expressions for column in expression.meta.root_names()} | {DOUBTS}
    # A run of an earlier version has no probabilities: they are computed from what it has.
    read |= set(COLUMNS_READ) if P_CORRECT not in columns else set(PROBABILITY_SCHEMA.names())
    traits = (trait for name, trait in rules.TRAITS.items() if name not in columns)
    read |= {column for trait in traits for column in trait.meta.root_names()}
    return [column for column in columns if column in read | {*CONTEXT_SCHEMA, *_BESIDE, *rules.OPINIONS}]


def _in_words(applied: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """CONFIDENCE and REASON of each row; a rule's words are made for the rows that it decides."""
    numbered = applied.with_row_index(_ROW)
    # Of no rows, any rule says it.
    decide = sorted(set(applied[_FIRST].unique()) or {0})
    spoken = (
        numbered.lazy().filter(pl.col(_FIRST) == place).select(_ROW, RULES[place].reason.alias(REASON))
        for place in decide
    )
    reasons = pl.concat(pl.collect_all(spoken)).sort(_ROW).drop(_ROW)
    others = pl.col(_FIRST).is_in(_OF_OTHERS)
    doubted = pl.when(~others).then(pl.col(DOUBTS))
    doubts = pl.coalesce(pl.format(" Doubt: {}.", doubted), pl.lit(""))
    held = pl.col(HELD_BACK).replace_strict(TABLE["limits"], default=None, return_dtype=pl.String)
    because = pl.coalesce(pl.format(": {}", held), pl.lit(""))
    unsure = pl.format(" Unsure: people agree with about {} of such verdicts{}.", rules.percent(_PROBABLE), because)
    return pl.concat([applied, reasons], how="horizontal").select(
        pl.when(~others).then(pl.coalesce(c.MOVED, _PROBABLE)).alias(CONFIDENCE),
        pl.col(REASON) + doubts + either(_unsure(thresholds), unsure),
    )


def deciding(gathered: pl.DataFrame, thresholds: Thresholds) -> pl.Series:
    """Return for each row the index in RULES of the rule that decides it, which has its explanation and suggestion."""
    return _decide_rows(gathered, thresholds)[_FIRST]


def _decide_rows(gathered: pl.DataFrame, thresholds: Thresholds) -> pl.DataFrame:
    """The table with the rule of evidence, its probability, and the rule that decides where others were heard."""
    # In one chunk, because polars 2.1 fails over some rules in several.
    read = gathered.select(_columns_read(gathered.columns)).rechunk()
    probable = read if P_CORRECT in read.columns else extract_evidence(read)
    if DOUBTS not in probable.columns:
        probable = probable.with_columns(pl.lit(None, pl.String).alias(DOUBTS))
    opinions = (
        (pl.col(name) if name in probable.columns else pl.lit(None)).cast(kind).alias(name)
        for name, kind in rules.OPINIONS.items()
    )
    # Lazily: what several rules ask of a text is then asked once.
    applied = (
        recalibrated(rules.add_traits(probable).with_columns(opinions))
        .lazy()
        .with_columns(_first_of(_BY_EVIDENCE, thresholds).alias(_OWN))
        .with_columns(_PROBABILITY)
        .collect()
    )
    if {REVIEW, JUDGE}.isdisjoint(gathered.columns):
        return applied.with_columns(pl.col(_OWN).alias(_FIRST))
    right = pl.col(_OWN).is_in(_RIGHT_RULES)
    # A verdict that is surer than open by a tenth, or as sure as SURE, stays, whoever says otherwise.
    otherwise = (pl.col(_PROBABLE) < min(rules.SURE, thresholds.open_below + 0.1)) & (
        right != (rules.heard_label == Verdict.CORRECT.value)
    )
    heard = _first_of(_OF_OTHERS, thresholds)
    decided = pl.when(_open(thresholds) | otherwise.fill_null(False)).then(heard)
    return applied.with_columns(pl.coalesce(decided, pl.col(_OWN)).alias(_FIRST))


def _first_of(places: Sequence[int], thresholds: Thresholds) -> pl.Expr:
    applies = conditions(thresholds)
    return pl.coalesce(pl.when(applies[RULES[place].name].fill_null(False)).then(pl.lit(place)) for place in places)


def _name_places(names: Sequence[Diagnosis | Verdict | Fault | None]) -> pl.Expr:
    values = {place: name and name.value for place, name in enumerate(names)}
    return pl.col(_FIRST).replace_strict(values, return_dtype=pl.String)
