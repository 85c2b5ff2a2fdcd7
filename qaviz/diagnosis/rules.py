"""The rules: evidence and scores in, diagnosis out. A rule's docstring is what the user reads about it.

A rule gets the thresholds and returns a `Ruling`: three expressions over the table. The first rule of `RULES` that
applies to a row names its diagnosis (see `qaviz.diagnosis.judging`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import getdoc

import polars as pl

from qaviz.diagnosis.columns import KIND, NOTE, REFUSAL, REFUSAL_STRENGTH, SAYS, STRENGTH, UNREAD
from qaviz.diagnosis.evidence import VERBATIM, Stance, dates, phrases, quantities
from qaviz.diagnosis.evidence.verbatim import ACCIDENT
from qaviz.diagnosis.rule_expressions import (
    UNKNOWN,
    Ruling,
    far_in_meaning,
    is_blank,
    judgement_ruling,
    percent,
    quote_text,
    says,
)
from qaviz.model.classes import VERDICT_OF, Diagnosis, Fault, Verdict
from qaviz.model.columns import ANSWER, ANSWERABLE, BERTSCORE, CONTEXT_RECALL, FACT, PRECISION, RECALL, RESPONSE
from qaviz.model.records import Thresholds


@dataclass(frozen=True)
class Rule:
    """One way to a diagnosis."""

    name: str
    """What calibration files call it: a rule that is renamed loses the level that a workspace's labels gave it."""
    diagnosis: Diagnosis
    fault: Fault
    suggestion: str
    """What to change in the golden dataset or the pipeline."""
    ruling: Callable[[Thresholds], Ruling]

    @property
    def verdict(self) -> Verdict:
        return VERDICT_OF[self.diagnosis]

    @property
    def explanation(self) -> str:
        """The rule in words, for the user."""
        return getdoc(self.ruling) or ""


def _rule(
    name: str, diagnosis: Diagnosis, fault: Fault, suggestion: str
) -> Callable[[Callable[[Thresholds], Ruling]], Rule]:
    """Make a rule of a function that returns its ruling."""
    return lambda ruling: Rule(name, diagnosis, fault, suggestion, ruling)


_CHECK_RETRIEVED = "Check what the pipeline retrieved. If the passage is right, check generation."
_CHECK_RETRIEVAL = "Check whether retrieval finds the passage with the fact: chunks, index, number of passages."
_ADD_VARIANT = "Add the wording of the response to the fact as a variant, after <OR>."

_BEGUN = pl.col(NOTE).str.head(1).str.to_uppercase() + pl.col(NOTE).str.slice(1)
"""The evidence's note, as a sentence begins."""
_GOING_ON = pl.col(NOTE).str.head(1).str.to_lowercase() + pl.col(NOTE).str.slice(1)
"""The evidence's note, as a sentence goes on."""


_UNANSWERABLE = pl.col(ANSWERABLE).fill_null(True).not_()
_DECLINES = pl.col(REFUSAL).is_not_null()
_SURE_KINDS = (VERBATIM, quantities.KIND, dates.KIND)
"""Evidence that answers in spite of a refusal; that a refusal shares words with the golden answer does not."""
_VERBATIM = pl.col(KIND) == VERBATIM
_STATED = says(Stance.AGREES) & (_VERBATIM | is_blank(FACT))
"""The fact is there as the golden dataset writes it, or there is no fact and the response agrees with the answer."""
_SAYS_NOTHING_NEW = (
    says(Stance.ABSENT) & (pl.col(KIND) == phrases.KIND) & (pl.col(NOTE) == phrases.NONE_TELLING)
).fill_null(False)
"""Of the golden answer the response has only what the question says: `X is the largest` for `Y is the largest`."""
_STATEMENT = (
    pl.when(_VERBATIM)
    .then(pl.format("States {}", quote_text(SAYS)))
    .otherwise(pl.format("Says {}: {}", quote_text(SAYS), pl.col(NOTE)))
)


@_rule("no_response", Diagnosis.UNSCORED, Fault.DATA, "Ask the pipeline again, or find out why it returned nothing.")
def rule_no_response(_: Thresholds) -> Ruling:
    """The response is empty, so it cannot be judged."""
    return Ruling(is_blank(RESPONSE), pl.lit("The response is empty."), UNKNOWN)


@_rule(
    "failed",
    Diagnosis.UNSCORED,
    Fault.DATA,
    "Report the bug with this question and response, and label the response by hand.",
)
def rule_failed(_: Thresholds) -> Ruling:
    """qaviz failed with an unexpected error on this response, so it was not judged."""
    return Ruling(
        says(Stance.FAILED),
        pl.format("Not judged because of a bug in qaviz ({}). The response may be right or wrong.", pl.col(NOTE)),
        UNKNOWN,
    )


@_rule(
    "no_ground_truth",
    Diagnosis.UNSCORED,
    Fault.DATA,
    "Add a golden answer and a fact for this question, or mark it as unanswerable.",
)
def rule_no_ground_truth(_: Thresholds) -> Ruling:
    """The golden dataset has no fact and no answer for this question, so the response cannot be judged."""
    return Ruling(
        is_blank(FACT) & is_blank(ANSWER) & ~_UNANSWERABLE,
        pl.lit("The golden dataset has no fact and no answer for this question."),
        UNKNOWN,
    )


@_rule(
    "unread_language",
    Diagnosis.UNSCORED,
    Fault.DATA,
    "Ask a person or a judge who reads this language whether the response is right.",
)
def rule_unread_language(_: Thresholds) -> Ruling:
    """qaviz does not read the language of this text, and no number, date or exact name decides the verdict."""
    return Ruling(
        pl.col(UNREAD).is_not_null(),
        pl.format("qaviz does not read {}, and no number, date or exact name decides the verdict.", pl.col(UNREAD)),
        UNKNOWN,
    )


@_rule("declined_unanswerable", Diagnosis.DECLINED, Fault.NOBODY, "Nothing to change.")
def rule_declined_unanswerable(_: Thresholds) -> Ruling:
    """The response declines, and the golden dataset marks the question as unanswerable: declining is right."""
    return Ruling(
        _UNANSWERABLE & _DECLINES,
        pl.format(
            "Declines ({}), and the question is marked as unanswerable: declining is right.", quote_text(REFUSAL)
        ),
    )


@_rule(
    "answered_unanswerable",
    Diagnosis.HALLUCINATION,
    Fault.PIPELINE,
    "Instruct the pipeline to decline when its sources contain no answer.",
)
def rule_answered_unanswerable(_: Thresholds) -> Ruling:
    """The golden dataset marks the question as unanswerable, but the response answers it."""
    return Ruling(_UNANSWERABLE, pl.lit("Answers a question that is marked as unanswerable. Declining would be right."))


@_rule("declined", Diagnosis.DECLINED, Fault.RETRIEVAL, _CHECK_RETRIEVAL)
def rule_declined(_: Thresholds) -> Ruling:
    """The response gives no answer: it says that it does not know, or that the documents do not say."""
    return Ruling(
        _DECLINES & ~(says(Stance.AGREES) & pl.col(KIND).is_in(_SURE_KINDS)).fill_null(False),
        pl.format("Gives no answer: {}.", quote_text(REFUSAL)),
        pl.col(REFUSAL_STRENGTH),
    )


@_rule(
    "other_token",
    Diagnosis.ACCIDENTAL,
    Fault.METRIC,
    "Add the unit or a word to the fact, so that it cannot match inside other text.",
)
def rule_other_token(_: Thresholds) -> Ruling:
    """Factual Knowledge is 1, but the fact is only part of another number or word (`12%` in `112%`), or the number of
    something else: a page, an identifier, a street."""
    return Ruling(
        says(Stance.CONTRADICTS) & (_VERBATIM | (pl.col(KIND) == ACCIDENT)),
        pl.format("The fact matches {}, but {}.", quote_text(SAYS), pl.col(NOTE)),
    )


@_rule(
    "out_of_context",
    Diagnosis.ACCIDENTAL,
    Fault.METRIC,
    "Read the response. If it is wrong, add the unit or a word to the fact; if it is right, "
    "reword the golden answer as people would answer.",
)
def rule_out_of_context(at: Thresholds) -> Ruling:
    """The fact is stated, but the share of the golden answer's other words is at most the threshold (0: rule off)."""
    few = (pl.col(CONTEXT_RECALL) <= at.accidental_context) & (at.accidental_context > 0)
    return Ruling(
        _STATED & _VERBATIM & few,
        pl.format(
            "States {}, but {} of the golden answer's other words: probably an accidental match.",
            quote_text(SAYS),
            pl.when(pl.col(CONTEXT_RECALL) == 0).then(pl.lit("none")).otherwise(percent(CONTEXT_RECALL)),
        ),
        pl.lit(0.7),
    )


@_rule(
    "verbose",
    Diagnosis.VERBOSE,
    Fault.STYLE,
    "Ask the pipeline for short answers, or write a longer golden answer if this length is wanted.",
)
def rule_verbose(at: Thresholds) -> Ruling:
    """The fact is stated, with many more words than the golden answer has."""
    return Ruling(
        _STATED & (pl.col(PRECISION) < at.low_conciseness),
        pl.format("{}. Only {} of the response's words occur in the golden answer.", _STATEMENT, percent(PRECISION)),
        pl.col(STRENGTH),
    )


@_rule("stated", Diagnosis.CORRECT, Fault.NOBODY, "Nothing to change.")
def rule_stated(_: Thresholds) -> Ruling:
    """The response states the fact."""
    return Ruling(_STATED, pl.format("{}.", _STATEMENT), pl.col(STRENGTH))


@_rule("rephrased", Diagnosis.REPHRASED, Fault.GOLDEN, _ADD_VARIANT)
def rule_rephrased(_: Thresholds) -> Ruling:
    """The fact is stated in a form that the golden dataset lacks: other units, another date format or other words."""
    return Ruling(says(Stance.AGREES), pl.format("Says {}: {}.", quote_text(SAYS), pl.col(NOTE)), pl.col(STRENGTH))


@_rule("other_value", Diagnosis.HALLUCINATION, Fault.PIPELINE, _CHECK_RETRIEVED)
def rule_other_value(at: Thresholds) -> Ruling:
    """The response gives a different value from the golden one."""
    close = pl.format("; it has {} of the golden answer's words", percent(RECALL))
    although_close = pl.when(pl.col(RECALL) >= at.high_closeness).then(close).otherwise(pl.lit(""))
    return Ruling(says(Stance.CONTRADICTS), pl.format("{}{}.", _BEGUN, although_close), pl.col(STRENGTH))


@_rule(
    "close_without_fact",
    Diagnosis.HALLUCINATION,
    Fault.PIPELINE,
    "Check what the pipeline retrieved. If the response is right, add a variant to the fact.",
)
def rule_close_without_fact(at: Thresholds) -> Ruling:
    """The response has most of the golden answer's words (closeness is high), but not the fact."""
    return Ruling(
        ~is_blank(FACT) & (pl.col(RECALL) >= at.high_closeness),
        pl.format("Has {} of the golden answer's words, but not the fact {}.", percent(RECALL), quote_text(FACT)),
        pl.col(RECALL),
    )


@_rule(
    "close_without_golden_fact",
    Diagnosis.CORRECT,
    Fault.NOBODY,
    "Add a fact for this question, so that the fact decides and not the words alone.",
)
def rule_close_without_golden_fact(at: Thresholds) -> Ruling:
    """The golden dataset has no fact for this question, and the response has most of the golden answer's words."""
    return Ruling(
        is_blank(FACT) & (pl.col(RECALL) >= at.high_closeness) & ~_SAYS_NOTHING_NEW,
        pl.format("Has {} of the golden answer's words; the triplet has no fact to check.", percent(RECALL)),
        pl.col(RECALL),
    )


@_rule(
    "off_target",
    Diagnosis.OFF_TARGET,
    Fault.PIPELINE,
    "Check whether the question is ambiguous. If other pipelines answer it, check retrieval.",
)
def rule_off_target(_: Thresholds) -> Ruling:
    """The response does not state the fact in any form, and has few of the golden answer's words."""
    noted = pl.when(pl.col(NOTE) != "").then(pl.format(": it {}", _GOING_ON)).otherwise(pl.lit(""))
    absent = (
        pl.when(is_blank(FACT))
        .then(
            pl.coalesce(
                pl.format("Has only {} of the golden answer's words{}.", percent(RECALL), noted),
                pl.lit("Does not state the golden answer in any form."),
            )
        )
        .otherwise(pl.format("Does not state {} in any form{}.", quote_text(FACT), noted))
    )
    return Ruling(
        pl.lit(True),
        absent + far_in_meaning(),
        1 - pl.col(RECALL).fill_null(0),
    )


@_rule("said_to_be_right", Diagnosis.REPHRASED, Fault.GOLDEN, _ADD_VARIANT)
def rule_said_to_be_right(_: Thresholds) -> Ruling:
    """The response's words do not decide, and a person or a judge says that it is right."""
    return judgement_ruling(Verdict.CORRECT)


@_rule("said_to_decline", Diagnosis.DECLINED, Fault.RETRIEVAL, _CHECK_RETRIEVAL)
def rule_said_to_decline(_: Thresholds) -> Ruling:
    """The response's words do not decide, and a person or a judge says that it gives no answer."""
    return judgement_ruling(Verdict.DECLINED)


@_rule("said_to_be_wrong", Diagnosis.OFF_TARGET, Fault.PIPELINE, _CHECK_RETRIEVED)
def rule_said_to_be_wrong(_: Thresholds) -> Ruling:
    """The response's words do not decide, and a person or a judge says that it is wrong."""
    return judgement_ruling(Verdict.INCORRECT)


@_rule(
    "close_in_meaning",
    Diagnosis.REPHRASED,
    Fault.GOLDEN,
    "Read the response. If it is right, add its wording to the fact as a variant, after <OR>.",
)
def rule_close_in_meaning(at: Thresholds) -> Ruling:
    """The response's words do not decide, and its BERTScore shows a meaning close to the golden answer's."""
    return Ruling(
        pl.col(BERTSCORE) >= at.same_meaning,
        pl.format(
            "Its words differ, but its meaning is close to the golden answer's (BERTScore {}).",
            pl.col(BERTSCORE).round(2),
        ),
        pl.col(BERTSCORE),
    )


BY_OTHERS = ("said_to_be_right", "said_to_decline", "said_to_be_wrong")
"""Names of the rules by which a person or a judge decides an open response."""

RULES = (
    rule_no_response,
    rule_no_ground_truth,
    rule_failed,
    rule_unread_language,
    rule_declined_unanswerable,
    rule_answered_unanswerable,
    rule_declined,
    rule_other_token,
    rule_out_of_context,
    rule_verbose,
    rule_stated,
    rule_rephrased,
    rule_other_value,
    rule_said_to_be_right,
    rule_said_to_decline,
    rule_said_to_be_wrong,
    rule_close_without_fact,
    rule_close_without_golden_fact,
    rule_close_in_meaning,
    rule_off_target,
)
"""In the order in which they are asked; the first that applies decides."""
