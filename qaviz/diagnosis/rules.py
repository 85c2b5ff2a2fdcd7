"""The classes: which diagnosis evidence and probability lead to, and what the reason says.

The model tells how probably a response is right (`qaviz.diagnosis.model`); that is its verdict. The first rule of
RULES that applies to a row names the diagnosis: the verdict and the evidence that leads to it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from qaviz.diagnosis.columns import GOLDEN, KIND, NOTE, REFUSAL, SAYS, STANCE
from qaviz.diagnosis.model import HIGHEST_DOUBTFUL, P_CORRECT, P_DECLINED
from qaviz.diagnosis.stance import VERBATIM, Stance
from qaviz.model import columns as c
from qaviz.model.classes import VERDICT_OF, Diagnosis, Fault, Verdict
from qaviz.model.columns import AND_DELIMITER, BERTSCORE, JUDGE, JUDGE_REASON, MOVED, OR_DELIMITER, REVIEW
from qaviz.model.records import Thresholds

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

OPINIONS = pl.Schema(
    {REVIEW: pl.String, JUDGE: pl.String, JUDGE_REASON: pl.String, MOVED: pl.Float64, BERTSCORE: pl.Float64}
)
"""Columns that a table of responses may have, all of them optional. A review counts more than a judge."""
SURE = 0.9
"""Confidence from which a verdict stays, whatever a judge says; less sure, a judge that says otherwise decides."""
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
    return pl.format(
        "{} says that it is {}{}; its words alone are not sure enough to decide.", _speaker(), read_label(), _because()
    )


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


At = Callable[[Thresholds], pl.Expr]


@dataclass(frozen=True)
class Rule:
    """One way to a diagnosis."""

    name: str
    diagnosis: Diagnosis
    fault: Fault | None
    """None where the rule alone does not prove whose it is."""
    explanation: str
    """The rule in words, for the user."""
    suggestion: str
    """What to change in the golden dataset or the pipeline."""
    when: At
    """Whether the rule applies. Null counts as no."""
    reason: pl.Expr
    """Why, in words that quote the evidence."""
    confidence: pl.Expr | None = None
    """The probability that a person agrees; None for the model's own, of the rule's verdict."""

    @property
    def verdict(self) -> Verdict:
        return VERDICT_OF[self.diagnosis]

    @property
    def advice(self) -> str:
        """The suggestion where something is wrong, else empty."""
        return "" if self.name in _NOTHING_WRONG else self.suggestion


_NOTHING_WRONG = ("declined_unanswerable", "stated", "close_without_golden_fact")


def _always(when: pl.Expr) -> At:
    return lambda _: when


_CHECK_RETRIEVED = "Check what the pipeline retrieved. If the passage is right, check generation."
_CHECK_RETRIEVAL = "Check whether retrieval finds the passage with the fact: chunks, index, number of passages."
_ADD_VARIANT = "Add the wording of the response to the fact as a variant, after <OR>."
_READ_OR_ADD = "Read the response. If it is right, add its wording to the fact as a variant, after <OR>."

_NOTED = pl.when(pl.col(NOTE).fill_null("") != "").then(pl.format(": {}", pl.col(NOTE))).otherwise(pl.lit(""))

_LETTERS_STAND = (pl.col(c.FACTUAL_KNOWLEDGE) == 1).fill_null(False)
"""The fact stands in the response letter by letter."""
REPHRASED_FROM = 0.8
"""Probability from which a response in other words proposes a variant."""
_SURELY = pl.col(P_CORRECT) >= REPHRASED_FROM
LONG, NO_FACT = "long_response", "no_fact"
_UNANSWERABLE = pl.col(c.ANSWERABLE).fill_null(True).not_()
_SAYS_SO_TOO = (pl.col(c.QUASI_EXACT_MATCH) == 1).fill_null(False)
"""The golden answer, word for word: `Not stated.`"""
_VERBATIM = pl.col(KIND) == VERBATIM
_AGREES, _CONTRADICTS = says(Stance.AGREES), says(Stance.CONTRADICTS)
_SAYS_ANOTHER = says(Stance.ABSENT) & pl.col(SAYS).is_not_null() & (pl.col(KIND) == "phrase")
"""A part of the golden words with another one, or another name."""
_STATED = _AGREES & (_VERBATIM | pl.col(NO_FACT) | _LETTERS_STAND)
"""The fact is there as the golden dataset writes it, or there is no fact and the response agrees with the answer."""
_STATEMENT = (
    pl.when(_VERBATIM)
    .then(pl.format("States {}", quote_text(SAYS)))
    .otherwise(pl.format("Says {}{}", quote_text(SAYS), _NOTED))
)
LONG_WORDS, TIMES_LONGER = 25, 3
"""Words from which a response may be verbose, and how many times as many as the golden words it has then."""
_WORDS = count_words(c.RESPONSE)
_GOLDEN_WORDS = pl.max_horizontal(count_words(GOLDEN), count_words(c.ANSWER, first=True))
_WORDS_SHARED = (
    pl.when(pl.col(c.RECALL) > 0)
    .then(pl.format("Has {} of the golden answer's words", percent(c.RECALL)))
    .otherwise(pl.lit("Has parts of the golden answer's words"))
)
_ABSENT = pl.when(is_blank(c.FACT)).then(pl.lit("Does not say what the golden answer says")).otherwise(
    pl.format("Does not state {} in any form", quote_text(c.FACT))
) + pl.when(pl.col(NOTE).fill_null("") != "").then(pl.format(": {}.", NOTE)).otherwise(pl.lit("."))
TRAITS = {
    LONG: (_WORDS >= LONG_WORDS) & (_WORDS > TIMES_LONGER * _GOLDEN_WORDS),
    NO_FACT: is_blank(c.FACT),
}
"""What rules ask of the texts, as columns: they are read once, not with each threshold that moves."""


def add_traits(rows: pl.DataFrame, *, anew: bool = False) -> pl.DataFrame:
    """Return rows of evidence with the columns of TRAITS, as Booleans: those that are missing, or all `anew`."""
    missing = (trait.alias(name) for name, trait in TRAITS.items() if anew or name not in rows.columns)
    return rows.with_columns(missing)


RULES = (
    Rule(
        "no_response",
        Diagnosis.UNSCORED,
        None,
        "The response is empty, so it cannot be judged.",
        "Ask the pipeline again, or find out why it returned nothing.",
        _always(is_blank(c.RESPONSE)),
        pl.lit("The response is empty."),
        UNKNOWN,
    ),
    Rule(
        "no_ground_truth",
        Diagnosis.UNSCORED,
        None,
        "The golden dataset has no fact and no answer for this question, so the response cannot be judged.",
        "Add a golden answer and a fact for this question, or mark it as unanswerable.",
        _always(is_blank(c.FACT) & is_blank(c.ANSWER) & ~_UNANSWERABLE),
        pl.lit("The golden dataset has no fact and no answer for this question."),
        UNKNOWN,
    ),
    Rule(
        "failed",
        Diagnosis.UNSCORED,
        None,
        "qaviz failed with an unexpected error on this response, so it was not judged.",
        "Report the bug with this question and response, and label the response by hand.",
        _always(says(Stance.FAILED)),
        pl.format("Not judged because of a bug in qaviz ({}). The response may be right or wrong.", pl.col(NOTE)),
        UNKNOWN,
    ),
    Rule(
        "declined_unanswerable",
        Diagnosis.DECLINED,
        None,
        "The response declines, and the golden dataset marks the question as unanswerable: declining is right.",
        "Nothing to change.",
        _always(_UNANSWERABLE & (REFUSES | _SAYS_SO_TOO)),
        pl.format(
            "Declines ({}), and the question is marked as unanswerable: declining is right.",
            pl.when(REFUSES).then(quote_text(REFUSAL)).otherwise(quote_text(c.RESPONSE)),
        ),
        HIGHEST_UNMEASURED,
    ),
    Rule(
        "answered_unanswerable",
        Diagnosis.HALLUCINATION,
        None,
        "The golden dataset marks the question as unanswerable, but the response answers it.",
        "Instruct the pipeline to decline when its sources contain no answer.",
        _always(_UNANSWERABLE),
        pl.lit("Answers a question that is marked as unanswerable. Declining would be right."),
        HIGHEST_UNMEASURED,
    ),
    Rule(
        "out_of_context",
        Diagnosis.ACCIDENTAL,
        Fault.METRIC,
        "The fact is stated, but the share of the golden answer's other words is at most the threshold (0: rule off).",
        "Read the response. If it is wrong, add the unit or a word to the fact; if it is right, "
        "reword the golden answer as people would answer.",
        lambda at: (
            _LETTERS_STAND
            & _VERBATIM
            & (pl.col(c.RECALL_BESIDE_FACT) <= at.accidental_context)
            & (at.accidental_context > 0)
        ),
        pl.format(
            "States {}, but {} of the golden answer's other words: probably an accidental match.",
            quote_text(SAYS),
            pl.when(pl.col(c.RECALL_BESIDE_FACT) == 0).then(pl.lit("none")).otherwise(percent(c.RECALL_BESIDE_FACT)),
        ),
        pl.max_horizontal(INCORRECT, pl.lit(0.6)),
    ),
    Rule(
        "declined",
        Diagnosis.DECLINED,
        None,
        "The response gives no answer: it says that it does not know, or that the documents do not say.",
        _CHECK_RETRIEVAL,
        _always(IS_DECLINED),
        pl.format("Gives no answer: {}.", quote_text(REFUSAL)),
    ),
    Rule(
        "verbose",
        Diagnosis.VERBOSE,
        None,
        "The fact is stated, with many more words than the golden answer has.",
        "Ask the pipeline for short answers, or write a longer golden answer if this length is wanted.",
        lambda at: IS_CORRECT & _STATED & (pl.col(c.PRECISION) < at.low_conciseness) & pl.col(LONG),
        pl.format("{}, in {} words where the golden answer has {}.", _STATEMENT, _WORDS, _GOLDEN_WORDS),
    ),
    Rule(
        "stated",
        Diagnosis.CORRECT,
        None,
        "The response states the fact.",
        "Nothing to change.",
        _always(IS_CORRECT & _STATED),
        pl.format("{}.", _STATEMENT),
    ),
    Rule(
        "rephrased",
        Diagnosis.REPHRASED,
        Fault.GOLDEN,
        "The fact is stated in a form that the golden dataset lacks: other units, another date format or other words.",
        _ADD_VARIANT,
        _always(IS_CORRECT & _AGREES & _SURELY),
        pl.format("Says {}{}.", quote_text(SAYS), _NOTED),
    ),
    Rule(
        "close_without_golden_fact",
        Diagnosis.CORRECT,
        None,
        "The golden dataset has no fact for this question, and the response shares many of the golden answer's words.",
        "Add a fact for this question, so that the fact decides and not the words alone.",
        lambda at: IS_CORRECT & pl.col(NO_FACT) & (pl.col(P_CORRECT) >= at.unsure_below),
        pl.format("{}; the triplet has no fact to check.", _WORDS_SHARED),
    ),
    Rule(
        "perhaps_rephrased",
        Diagnosis.CORRECT,
        None,
        "The fact may be stated in other words, too unsurely to propose them as a variant.",
        _READ_OR_ADD,
        lambda at: IS_CORRECT & (_AGREES | (pl.col(P_CORRECT) >= at.unsure_below)),
        pl.when(_AGREES)
        .then(pl.format("Says {}{}: too unsure to propose it as a variant.", quote_text(SAYS), _NOTED))
        .otherwise(pl.format("{}, and not the fact {} as it is written.", _WORDS_SHARED, quote_text(c.FACT))),
    ),
    Rule(
        "said_to_be_right",
        Diagnosis.REPHRASED,
        Fault.GOLDEN,
        "The response's words do not decide, and a person or a judge says that it is right.",
        _ADD_VARIANT,
        _always(read_label() == Verdict.CORRECT.value),
        judgement_reason(),
        UNKNOWN,
    ),
    Rule(
        "said_to_decline",
        Diagnosis.DECLINED,
        None,
        "The response's words do not decide, and a person or a judge says that it gives no answer.",
        _CHECK_RETRIEVAL,
        _always(read_label() == Verdict.DECLINED.value),
        judgement_reason(),
        UNKNOWN,
    ),
    Rule(
        "said_to_be_another",
        Diagnosis.HALLUCINATION,
        None,
        "The response gives another value or name, and a person or a judge says that it is wrong.",
        _CHECK_RETRIEVED,
        _always((read_label() == Verdict.INCORRECT.value) & (_CONTRADICTS | _SAYS_ANOTHER)),
        judgement_reason(),
        UNKNOWN,
    ),
    Rule(
        "said_to_be_wrong",
        Diagnosis.OFF_TARGET,
        None,
        "The response's words do not decide, and a person or a judge says that it is wrong.",
        _CHECK_RETRIEVED,
        _always(read_label() == Verdict.INCORRECT.value),
        judgement_reason(),
        UNKNOWN,
    ),
    Rule(
        "other_token",
        Diagnosis.ACCIDENTAL,
        Fault.METRIC,
        "Factual Knowledge is 1, but the fact is only part of another number or word (`12%` in `112%`), stands in "
        "another unit, or is denied.",
        "Add the unit or a word to the fact, so that it cannot match inside other text.",
        _always(_LETTERS_STAND & ~_AGREES),
        pl.format(
            "The letters of the fact occur in {}, but not its meaning{}.",
            pl.when(pl.col(SAYS).is_null()).then(pl.lit("the response")).otherwise(quote_text(SAYS)),
            _NOTED,
        ),
    ),
    Rule(
        "doubtful_statement",
        Diagnosis.ACCIDENTAL,
        Fault.METRIC,
        "The golden words are there, but what stands around them says that they are not the answer.",
        "Read the response. If it is wrong, add a word to the fact; if it is right, label it.",
        _always(_LETTERS_STAND & _AGREES),
        pl.format("{}, but the words around it say otherwise.", _STATEMENT),
    ),
    Rule(
        "other_value",
        Diagnosis.HALLUCINATION,
        None,
        "The response gives a different value from the golden one.",
        _CHECK_RETRIEVED,
        _always(_CONTRADICTS),
        pl.format("Says {}: {}.", quote_text(SAYS), pl.coalesce(NOTE, pl.lit("something else"))),
    ),
    Rule(
        "other_meaning",
        Diagnosis.HALLUCINATION,
        None,
        "The response says a part of the golden words, and something else with them.",
        _CHECK_RETRIEVED,
        _always(_AGREES | _SAYS_ANOTHER),
        pl.format("Says {}{}.", quote_text(SAYS), _NOTED),
    ),
    Rule(
        "close_in_meaning",
        Diagnosis.CORRECT,
        None,
        "The response's words do not decide, and its BERTScore shows a meaning close to the golden answer's.",
        _READ_OR_ADD,
        lambda at: pl.col(c.BERTSCORE) >= at.same_meaning,
        pl.format(
            "Its words differ, but its meaning is close to the golden answer's (BERTScore {}).",
            pl.col(c.BERTSCORE).round(2),
        ),
        pl.lit(0.6),
    ),
    Rule(
        "close_without_fact",
        Diagnosis.HALLUCINATION,
        None,
        "The response has most of the golden answer's words (closeness is high), but not the fact.",
        "Check what the pipeline retrieved. If the response is right, add a variant to the fact.",
        lambda at: ~pl.col(NO_FACT) & (pl.col(c.RECALL) >= at.high_closeness),
        pl.format("Has {} of the golden answer's words, but not the fact {}.", percent(c.RECALL), quote_text(c.FACT)),
    ),
    Rule(
        "off_target",
        Diagnosis.OFF_TARGET,
        None,
        "The response does not state the fact in any form, and has few of the golden answer's words.",
        "Check whether the question is ambiguous. If other pipelines answer it, check retrieval.",
        _always(pl.lit(True)),
        _ABSENT + far_in_meaning(),
    ),
)
"""In the order in which they are asked; the first that applies decides."""
BY_OTHERS = ("said_to_be_right", "said_to_decline", "said_to_be_another", "said_to_be_wrong")
"""Names of the rules by which a person or a judge decides an open response."""
