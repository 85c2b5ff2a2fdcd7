"""The classes: which diagnosis evidence and probability lead to, and what the reason says.

The model tells how probably a response is right (`qaviz.diagnosis.model`); that is its verdict. The first rule of
RULES that applies to a row names the diagnosis: the verdict and the evidence that leads to it. Here stands when each
applies; its diagnosis, words and advice stand in rules.toml.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import polars as pl

from qaviz.diagnosis.columns import GOLDEN, KIND, NOTE, REFUSAL, SAYS, STANCE
from qaviz.diagnosis.model import HIGHEST_DOUBTFUL, P_CORRECT, P_DECLINED
from qaviz.diagnosis.stance import TABLE, VERBATIM, Stance
from qaviz.model import columns as c
from qaviz.model.classes import VERDICT_OF, Diagnosis, Fault, Verdict
from qaviz.model.columns import AND_DELIMITER, BERTSCORE, JUDGE, JUDGE_REASON, MOVED, OR_DELIMITER, REVIEW
from qaviz.model.records import Thresholds

QUOTED = 120
"""Characters of a text that a reason quotes."""
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
SURE = 0.9
"""Confidence from which a verdict stays, whatever a judge says; less sure, a judge that says otherwise decides."""


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


def count_words(column: str, *, first: bool = False) -> pl.Expr:
    """How many words a text has, or its first variant; two ideographs count as one."""
    text = pl.col(column).fill_null("")
    text = text.str.split(OR_DELIMITER).list.first() if first else text
    ideographs = text.str.count_matches(r"[\u3040-\u30ff\u3400-\u9fff]")
    spaced = text.str.replace_all(r"[\u3040-\u30ff\u3400-\u9fff]", " ").str.count_matches(r"[\p{L}\p{N}]\S*")
    return pl.when(ideographs > 0).then(spaced + (ideographs + 1) // 2).otherwise(spaced)


def either(when: pl.Expr, then: str | pl.Expr, otherwise: str | pl.Expr = "") -> pl.Expr:
    """Words where a condition holds, and others where it does not; text is text, and no column's name."""
    first, second = (pl.lit(words) if isinstance(words, str) else words for words in (then, otherwise))
    return pl.when(when).then(first).otherwise(second)


def speak(sentence: str, words: Mapping[str, pl.Expr]) -> pl.Expr:
    """A sentence of rules.toml with the words that its {names} stand for."""
    names = re.findall(r"{(\w+)}", sentence)
    return pl.format(re.sub(r"{\w+}", "{}", sentence), *map(words.__getitem__, names)) if names else pl.lit(sentence)


# What a person or a judge says: it decides where the words are not sure enough.

OPINIONS = pl.Schema(
    {REVIEW: pl.String, JUDGE: pl.String, JUDGE_REASON: pl.String, MOVED: pl.Float64, BERTSCORE: pl.Float64}
)
"""Columns that a table of responses may have, all of them optional. A review counts more than a judge."""
_LABELS = [Verdict.CORRECT.value, Verdict.INCORRECT.value, Verdict.DECLINED.value]


def _label(column: str) -> pl.Expr:
    label = pl.col(column).str.strip_chars().str.to_lowercase()
    return pl.when(label.is_in(_LABELS)).then(label)


heard_label = pl.coalesce(_label(REVIEW), _label(JUDGE))
"""What a person, else a judge says: correct, incorrect or declined; null where neither says one of these."""
_BY_PERSON = _label(REVIEW).is_not_null()
OPINION = {
    "speaker": either(_BY_PERSON, "A person", "The judge"),
    "label": heard_label,
    "because": either(~_BY_PERSON & ~is_blank(JUDGE_REASON), pl.format(" ({})", quote_text(JUDGE_REASON))),
}
"""Words of a sentence on it: who says what, and the judge's reason in brackets."""

# What the rules ask.

LONG, NO_FACT = "long_response", "no_fact"
_WORDS = count_words(c.RESPONSE)
_GOLDEN_WORDS = pl.max_horizontal(count_words(GOLDEN), count_words(c.ANSWER, first=True))
TRAITS = {
    LONG: (_WORDS >= 25) & (_WORDS > 3 * _GOLDEN_WORDS),  # of fewer than 25 words, none is long
    NO_FACT: is_blank(c.FACT),
}
"""What rules ask of the texts, as columns: they are read once, not with each threshold that moves."""
_LETTERS_STAND = (pl.col(c.FACTUAL_KNOWLEDGE) == 1).fill_null(False)
"""The fact stands in the response letter by letter."""
_UNANSWERABLE = pl.col(c.ANSWERABLE).fill_null(True).not_()
_SAYS_SO_TOO = (pl.col(c.QUASI_EXACT_MATCH) == 1).fill_null(False)
"""The golden answer, word for word: `Not stated.`"""
_VERBATIM = pl.col(KIND) == VERBATIM
_AGREES, _CONTRADICTS, _IS_ABSENT, _FAILED = (
    pl.col(STANCE) == stance.value for stance in (Stance.AGREES, Stance.CONTRADICTS, Stance.ABSENT, Stance.FAILED)
)
_SAYS_ANOTHER = _IS_ABSENT & pl.col(SAYS).is_not_null() & (pl.col(KIND) == "phrase")
"""A part of the golden words with another one, or another name."""
_STATED = _AGREES & (_VERBATIM | pl.col(NO_FACT) | _LETTERS_STAND)
"""The fact is there as the golden dataset writes it, or there is no fact and the response agrees with the answer."""


@lru_cache(maxsize=64)
def conditions(at: Thresholds) -> dict[str, pl.Expr]:
    """Whether each rule of rules.toml applies to a row, by name. Null counts as no."""
    probable = pl.col(P_CORRECT) >= at.unsure_below
    return {
        "no_response": is_blank(c.RESPONSE),
        "no_ground_truth": is_blank(c.FACT) & is_blank(c.ANSWER) & ~_UNANSWERABLE,
        "failed": _FAILED,
        "declined_unanswerable": _UNANSWERABLE & (REFUSES | _SAYS_SO_TOO),
        "answered_unanswerable": _UNANSWERABLE,
        "out_of_context": _LETTERS_STAND
        & _VERBATIM
        & (pl.col(c.RECALL_BESIDE_FACT) <= at.accidental_context)
        & (at.accidental_context > 0),
        "declined": IS_DECLINED,
        "verbose": IS_CORRECT & _STATED & (pl.col(c.PRECISION) < at.low_conciseness) & pl.col(LONG),
        "stated": IS_CORRECT & _STATED,
        "rephrased": IS_CORRECT & _AGREES & (pl.col(P_CORRECT) >= 0.8),  # sure enough to propose a variant
        "close_without_golden_fact": IS_CORRECT & pl.col(NO_FACT) & probable,
        "perhaps_rephrased": IS_CORRECT & _AGREES,
        "perhaps_meant": IS_CORRECT & probable,
        "said_to_be_right": heard_label == Verdict.CORRECT.value,
        "said_to_decline": heard_label == Verdict.DECLINED.value,
        "said_to_be_another": (heard_label == Verdict.INCORRECT.value) & (_CONTRADICTS | _SAYS_ANOTHER),
        "said_to_be_wrong": heard_label == Verdict.INCORRECT.value,
        "other_token": _LETTERS_STAND & ~_AGREES,
        "doubtful_statement": _LETTERS_STAND & _AGREES,
        "other_value": _CONTRADICTS,
        "other_meaning": _AGREES | _SAYS_ANOTHER,
        "close_in_meaning": pl.col(BERTSCORE) >= at.same_meaning,
        "close_without_fact": ~pl.col(NO_FACT) & (pl.col(c.RECALL) >= at.high_closeness),
        "off_target": pl.lit(True),
    }


_UNKNOWN, _UNMEASURED = pl.lit(None, pl.Float64), pl.lit(HIGHEST_DOUBTFUL)
CONFIDENCE_OF = {
    **dict.fromkeys(("no_response", "no_ground_truth", "failed"), _UNKNOWN),
    **dict.fromkeys(("declined_unanswerable", "answered_unanswerable"), _UNMEASURED),
    "out_of_context": pl.max_horizontal(INCORRECT, pl.lit(0.6)),
    "close_in_meaning": pl.lit(0.6),
}
"""The probability that a person agrees, by rule: of others the model's own, of the rule's verdict."""

# What the reasons say.

_SAYS = quote_text(SAYS)
_NOTED = either(pl.col(NOTE).fill_null("") != "", pl.format(": {}", pl.col(NOTE)))
_WORDS_OF = {
    **OPINION,
    "says": _SAYS,
    "says_or_response": either(pl.col(SAYS).is_null(), "the response", _SAYS),
    "note": pl.col(NOTE),
    "noted": _NOTED,
    "why": pl.coalesce(NOTE, pl.lit("something else")),
    "fact": quote_text(c.FACT),
    "refused": either(REFUSES, quote_text(REFUSAL), quote_text(c.RESPONSE)),
    "statement": either(_VERBATIM, pl.format("States {}", _SAYS), pl.format("Says {}{}", _SAYS, _NOTED)),
    "words": _WORDS,
    "golden_words": _GOLDEN_WORDS,
    "recall": percent(c.RECALL),
    "beside_fact": either(pl.col(c.RECALL_BESIDE_FACT) == 0, "none", percent(c.RECALL_BESIDE_FACT)),
    "words_shared": either(
        pl.col(c.RECALL) > 0,
        pl.format("Has {} of the golden answer's words", percent(c.RECALL)),
        "Has parts of the golden answer's words",
    ),
    "lacks": either(
        is_blank(c.FACT),
        "Does not say what the golden answer says",
        pl.format("Does not state {} in any form", quote_text(c.FACT)),
    ),
    "bertscore": pl.col(BERTSCORE).round(2),
    "far_in_meaning": either(
        pl.col(BERTSCORE).is_not_null(),
        pl.format(" It is not close in meaning either (BERTScore {}).", pl.col(BERTSCORE).round(2)),
    ),
}


@dataclass(frozen=True)
class Rule:
    """One way to a diagnosis."""

    name: str
    diagnosis: Diagnosis
    reason: pl.Expr
    """Why, in words that quote the evidence."""
    fault: Fault | None
    """None where the rule alone does not prove whose it is."""
    advice: str
    """What to change in the golden dataset or the pipeline; empty where nothing is wrong."""

    @property
    def verdict(self) -> Verdict:
        return VERDICT_OF[self.diagnosis]


RULES = tuple(
    Rule(
        name,
        Diagnosis(row["diagnosis"]),
        speak(row["reason"], _WORDS_OF),
        Fault(row["fault"]) if "fault" in row else None,
        row.get("advice", ""),
    )
    for name, row in TABLE["classes"].items()
)
"""In the order in which they are asked; the first that applies decides."""
BY_OTHERS = ("said_to_be_right", "said_to_decline", "said_to_be_another", "said_to_be_wrong")
"""Names of the rules by which a person or a judge decides an open response."""


def add_traits(rows: pl.DataFrame, *, anew: bool = False) -> pl.DataFrame:
    """Return rows of evidence with the columns of TRAITS, as Booleans: those that are missing, or all `anew`."""
    missing = (trait.alias(name) for name, trait in TRAITS.items() if anew or name not in rows.columns)
    return rows.with_columns(missing)
