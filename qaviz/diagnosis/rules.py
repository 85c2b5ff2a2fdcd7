"""The rules: evidence and scores in, diagnosis out. A rule's docstring is what the user reads about it.

A rule gets the thresholds and returns a `Ruling`: three expressions over the table. The first rule of `RULES` that
applies to a row names its diagnosis (see `qaviz.diagnosis.judging`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import getdoc

import polars as pl

from qaviz.diagnosis.columns import KIND, NOTE, REFUSAL, REFUSAL_STRENGTH, SAYS, STRENGTH, UNREAD
from qaviz.diagnosis.combine_evidence import ACCIDENT, VERBATIM
from qaviz.diagnosis.evidence import Stance, clock, dates, phrases, quantities, references
from qaviz.diagnosis.external_judgements import (
    close_in_meaning,
    far_in_meaning,
    said_to_be_right,
    said_to_be_wrong,
    said_to_decline,
)
from qaviz.diagnosis.rule_expressions import UNKNOWN, Ruling, blank, percent, quoted, says
from qaviz.model.classes import VERDICT_OF, Diagnosis, Fault, Verdict
from qaviz.model.columns import ANSWER, ANSWERABLE, CONTEXT_RECALL, FACT, PRECISION, RECALL, RESPONSE
from qaviz.model.records import Thresholds


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One way to a diagnosis."""

    diagnosis: Diagnosis
    fault: Fault
    ruling: Callable[[Thresholds], Ruling]
    suggestion: str
    """What to change in the golden dataset or the pipeline."""

    @property
    def verdict(self) -> Verdict:
        return VERDICT_OF[self.diagnosis]

    @property
    def explanation(self) -> str:
        """The rule in words, for the user."""
        return getdoc(self.ruling) or ""


_BEGUN = pl.col(NOTE).str.head(1).str.to_uppercase() + pl.col(NOTE).str.slice(1)
"""The evidence's note, as a sentence begins."""
_GOING_ON = pl.col(NOTE).str.head(1).str.to_lowercase() + pl.col(NOTE).str.slice(1)
"""The evidence's note, as a sentence goes on."""


_UNANSWERABLE = pl.col(ANSWERABLE).fill_null(True).not_()
_DECLINES = pl.col(REFUSAL).is_not_null()
_SURE_KINDS = (VERBATIM, references.KIND, quantities.KIND, dates.KIND, clock.KIND)
"""Evidence that answers in spite of a refusal; that a refusal shares words with the golden answer does not."""
_VERBATIM = pl.col(KIND) == VERBATIM
_STATED = says(Stance.AGREES) & (_VERBATIM | blank(FACT))
"""The fact is there as the golden dataset writes it, or there is no fact and the response agrees with the answer."""
_SAYS_NOTHING_NEW = (
    says(Stance.ABSENT) & (pl.col(KIND) == phrases.KIND) & (pl.col(NOTE) == phrases.NONE_TELLING)
).fill_null(False)
"""Of the golden answer the response has only what the question says: `X is the largest` for `Y is the largest`."""
_STATEMENT = (
    pl.when(_VERBATIM)
    .then(pl.format("States {}", quoted(SAYS)))
    .otherwise(pl.format("Says {}: {}", quoted(SAYS), pl.col(NOTE)))
)


def no_response(_: Thresholds) -> Ruling:
    """The response is empty, so there is nothing to judge."""
    return Ruling(blank(RESPONSE), pl.lit("The response is empty."), UNKNOWN)


def failed(_: Thresholds) -> Ruling:
    """An unexpected error in qaviz itself ended the reading of this response: it was not judged."""
    return Ruling(
        says(Stance.FAILED),
        pl.format("Not judged: a bug in qaviz ({}). The response may be right or wrong.", pl.col(NOTE)),
        UNKNOWN,
    )


def no_ground_truth(_: Thresholds) -> Ruling:
    """The golden dataset has neither a fact nor an answer to judge the response by."""
    return Ruling(
        blank(FACT) & blank(ANSWER) & ~_UNANSWERABLE,
        pl.lit("The golden dataset has neither a fact nor an answer for this question."),
        UNKNOWN,
    )


def unread_language(_: Thresholds) -> Ruling:
    """The verdict would rest on words of a language that qaviz does not read: no number, date or exact name decides."""
    return Ruling(
        pl.col(UNREAD).is_not_null(),
        pl.format("qaviz does not read {}, and numbers, dates and exact names do not decide.", pl.col(UNREAD)),
        UNKNOWN,
    )


def declined_unanswerable(_: Thresholds) -> Ruling:
    """The response declines, and the golden dataset marks the question as unanswerable: declining is right."""
    return Ruling(
        _UNANSWERABLE & _DECLINES,
        pl.format("Declines ({}), and the question is marked as unanswerable: declining is right.", quoted(REFUSAL)),
    )


def answered_unanswerable(_: Thresholds) -> Ruling:
    """The golden dataset marks the question as unanswerable, and the response answers it all the same."""
    return Ruling(_UNANSWERABLE, pl.lit("Answers a question that is marked as unanswerable, where declining is right."))


def declined(_: Thresholds) -> Ruling:
    """The response gives no answer: it says that it does not know or that the documents do not say."""
    return Ruling(
        _DECLINES & ~(says(Stance.AGREES) & pl.col(KIND).is_in(_SURE_KINDS)).fill_null(False),
        pl.format("Gives no answer: {}.", quoted(REFUSAL)),
        pl.col(REFUSAL_STRENGTH),
    )


def other_token(_: Thresholds) -> Ruling:
    """Factual Knowledge is 1, but the fact stands only in another number or word (`12%` in `112%`), or as the number of
    something else: a page, an identifier, a street."""
    return Ruling(
        says(Stance.CONTRADICTS) & (_VERBATIM | (pl.col(KIND) == ACCIDENT)),
        pl.format("The fact matches {}, but {}.", quoted(SAYS), pl.col(NOTE)),
    )


def out_of_context(at: Thresholds) -> Ruling:
    """The fact is stated among fewer of the golden answer's words than the threshold demands; 0 demands none."""
    few = (pl.col(CONTEXT_RECALL) <= at.accidental_context) & (at.accidental_context > 0)
    return Ruling(
        _STATED & _VERBATIM & few,
        pl.format(
            "States {}, but {} of the golden answer's other words: the match looks like an accident.",
            quoted(SAYS),
            pl.when(pl.col(CONTEXT_RECALL) == 0).then(pl.lit("none")).otherwise(percent(CONTEXT_RECALL)),
        ),
        pl.lit(0.7),
    )


def verbose(at: Thresholds) -> Ruling:
    """The fact is stated, in many more words than the golden answer needs."""
    return Ruling(
        _STATED & (pl.col(PRECISION) < at.low_conciseness),
        pl.format("{}. Only {} of the response's words are in the golden answer.", _STATEMENT, percent(PRECISION)),
        pl.col(STRENGTH),
    )


def stated(_: Thresholds) -> Ruling:
    """The response states the fact."""
    return Ruling(_STATED, pl.format("{}.", _STATEMENT), pl.col(STRENGTH))


def rephrased(_: Thresholds) -> Ruling:
    """The fact is stated, but not as the golden dataset writes it: other units, another date format, other words."""
    return Ruling(says(Stance.AGREES), pl.format("Says {}: {}.", quoted(SAYS), pl.col(NOTE)), pl.col(STRENGTH))


def other_value(at: Thresholds) -> Ruling:
    """The response answers with another value than the golden one."""
    close = pl.format("; {} of the golden answer's words are there", percent(RECALL))
    although_close = pl.when(pl.col(RECALL) >= at.high_closeness).then(close).otherwise(pl.lit(""))
    return Ruling(says(Stance.CONTRADICTS), pl.format("{}{}.", _BEGUN, although_close), pl.col(STRENGTH))


def close_without_fact(at: Thresholds) -> Ruling:
    """The golden answer's words are there (closeness is high), but the fact is not: it reads as made up."""
    return Ruling(
        ~blank(FACT) & (pl.col(RECALL) >= at.high_closeness),
        pl.format("{} of the golden answer's words are there, but not the fact {}.", percent(RECALL), quoted(FACT)),
        pl.col(RECALL),
    )


def close_without_golden_fact(at: Thresholds) -> Ruling:
    """The golden dataset has no fact for this question, and the response has most of the golden answer's words."""
    return Ruling(
        blank(FACT) & (pl.col(RECALL) >= at.high_closeness) & ~_SAYS_NOTHING_NEW,
        pl.format("{} of the golden answer's words are there; there is no fact to check.", percent(RECALL)),
        pl.col(RECALL),
    )


def off_target(_: Thresholds) -> Ruling:
    """The fact is absent, few of the golden answer's words are there, and nothing in the response means the same."""
    noted = pl.when(pl.col(NOTE) != "").then(pl.format(": it {}", _GOING_ON)).otherwise(pl.lit(""))
    absent = (
        pl.when(blank(FACT))
        .then(
            pl.coalesce(
                pl.format("Only {} of the golden answer's words are there{}.", percent(RECALL), noted),
                pl.lit("Says nothing that means the golden answer."),
            )
        )
        .otherwise(pl.format("Does not state {}, nor anything that means the same{}.", quoted(FACT), noted))
    )
    return Ruling(
        pl.lit(True),
        absent + far_in_meaning(),
        1 - pl.col(RECALL).fill_null(0),
    )


BY_OTHERS = (said_to_be_right, said_to_decline, said_to_be_wrong)
"""Rulings by which a person or a judge decides, where words leave it open."""

RULES: tuple[Rule, ...] = (
    Rule(
        diagnosis=Diagnosis.UNSCORED,
        fault=Fault.DATA,
        ruling=no_response,
        suggestion="Ask the pipeline again, or find out why it returned nothing.",
    ),
    Rule(
        diagnosis=Diagnosis.UNSCORED,
        fault=Fault.DATA,
        ruling=no_ground_truth,
        suggestion="Write a golden answer and a fact for this question, or mark it as unanswerable.",
    ),
    Rule(
        diagnosis=Diagnosis.UNSCORED,
        fault=Fault.DATA,
        ruling=failed,
        suggestion="Report the bug with this question and response, and label the response by hand.",
    ),
    Rule(
        diagnosis=Diagnosis.UNSCORED,
        fault=Fault.DATA,
        ruling=unread_language,
        suggestion="Let a person or a judge who reads the language say whether the response is right.",
    ),
    Rule(
        diagnosis=Diagnosis.DECLINED,
        fault=Fault.NOBODY,
        ruling=declined_unanswerable,
        suggestion="Nothing to change.",
    ),
    Rule(
        diagnosis=Diagnosis.HALLUCINATION,
        fault=Fault.PIPELINE,
        ruling=answered_unanswerable,
        suggestion="Tell the pipeline to say so when its sources hold no answer.",
    ),
    Rule(
        diagnosis=Diagnosis.DECLINED,
        fault=Fault.RETRIEVAL,
        ruling=declined,
        suggestion="Check whether retrieval finds the passage that holds the fact: chunks, index, how many passages.",
    ),
    Rule(
        diagnosis=Diagnosis.ACCIDENTAL,
        fault=Fault.METRIC,
        ruling=other_token,
        suggestion="Make the fact longer, with its unit or a word beside it, so that it cannot match inside another.",
    ),
    Rule(
        diagnosis=Diagnosis.ACCIDENTAL,
        fault=Fault.METRIC,
        ruling=out_of_context,
        suggestion="Read the response. If it is wrong, add the unit or a word to the fact; if it is right, "
        "write the golden answer closer to how people answer.",
    ),
    Rule(
        diagnosis=Diagnosis.VERBOSE,
        fault=Fault.STYLE,
        ruling=verbose,
        suggestion="Ask the pipeline for short answers, or write a longer golden answer if this length is wanted.",
    ),
    Rule(
        diagnosis=Diagnosis.CORRECT,
        fault=Fault.NOBODY,
        ruling=stated,
        suggestion="Nothing to change.",
    ),
    Rule(
        diagnosis=Diagnosis.REPHRASED,
        fault=Fault.GOLDEN,
        ruling=rephrased,
        suggestion="Add the response's wording to the fact as a further variant, after <OR>.",
    ),
    Rule(
        diagnosis=Diagnosis.HALLUCINATION,
        fault=Fault.PIPELINE,
        ruling=other_value,
        suggestion="Check what the pipeline retrieved: with the right passage, look at generation.",
    ),
    Rule(
        diagnosis=Diagnosis.REPHRASED,
        fault=Fault.GOLDEN,
        ruling=said_to_be_right,
        suggestion="Add the response's wording to the fact as a further variant, after <OR>.",
    ),
    Rule(
        diagnosis=Diagnosis.DECLINED,
        fault=Fault.RETRIEVAL,
        ruling=said_to_decline,
        suggestion="Check whether retrieval finds the passage that holds the fact: chunks, index, how many passages.",
    ),
    Rule(
        diagnosis=Diagnosis.OFF_TARGET,
        fault=Fault.PIPELINE,
        ruling=said_to_be_wrong,
        suggestion="Check what the pipeline retrieved: with the right passage, look at generation.",
    ),
    Rule(
        diagnosis=Diagnosis.HALLUCINATION,
        fault=Fault.PIPELINE,
        ruling=close_without_fact,
        suggestion="Check what the pipeline retrieved. If the response is right, the fact needs a further variant.",
    ),
    Rule(
        diagnosis=Diagnosis.CORRECT,
        fault=Fault.NOBODY,
        ruling=close_without_golden_fact,
        suggestion="Write a fact for this question, so that it can be judged by more than its words.",
    ),
    Rule(
        diagnosis=Diagnosis.REPHRASED,
        fault=Fault.GOLDEN,
        ruling=close_in_meaning,
        suggestion="Read the response. If it is right, add its wording to the fact as a further variant, after <OR>.",
    ),
    Rule(
        diagnosis=Diagnosis.OFF_TARGET,
        fault=Fault.PIPELINE,
        ruling=off_target,
        suggestion="Check whether the question is ambiguous; if other pipelines answer it, check this one's retrieval.",
    ),
)
"""In the order in which they are asked; the first that applies decides."""
