"""What is wrong with a golden dataset: the rules, and the one function that asks them."""

import polars as pl

from qaviz.golden.expanding import PROPOSED_FORM
from qaviz.golden.lint import amounts, consistency, damage, run_rules, wording
from qaviz.golden.lint.findings import (
    ERROR,
    FINDINGS,
    NOTE,
    PLACE,
    RULE,
    SEVERITIES,
    SEVERITY,
    WARNING,
    Rule,
    Subject,
    without_harm,
)
from qaviz.model.columns import QUESTION_ID
from qaviz.model.records import Progress

RULES: tuple[Rule, ...] = (
    Rule(name="contradicting-variants", severity=ERROR, find=amounts.contradicting_variants),
    Rule(name="fact-against-answer", severity=ERROR, find=consistency.fact_against_answer),
    Rule(name="figure-not-a-variant", severity=ERROR, find=consistency.figure_not_a_variant),
    Rule(name="impossible-date", severity=ERROR, find=damage.impossible_date),
    Rule(name="figure-against-words", severity=ERROR, find=damage.figure_against_words),
    Rule(name="yes-against-no", severity=ERROR, find=damage.yes_against_no),
    Rule(name="placeholder", severity=ERROR, find=damage.placeholder),
    Rule(name="garbled-text", severity=ERROR, find=damage.garbled_text),
    Rule(name="html-in-text", severity=ERROR, find=damage.html_in_text),
    Rule(name="answered-unanswerable", severity=ERROR, find=damage.answered_unanswerable),
    Rule(name="contradictory-questions", severity=ERROR, find=consistency.contradictory_questions),
    Rule(name="empty-variant", severity=ERROR, find=wording.empty_variant),
    Rule(name="unread-delimiter", severity=ERROR, find=wording.unread_delimiter),
    Rule(name="blank-around-variant", severity=ERROR, find=wording.blank_around_variant),
    Rule(name="invisible-character", severity=ERROR, find=wording.invisible_character),
    Rule(name="missing-variant", severity=ERROR, find=run_rules.missing_variant, needs_run=True),
    Rule(name="agreed-otherwise", severity=WARNING, find=run_rules.agreed_otherwise, needs_run=True),
    Rule(name="judge-finding", severity=WARNING, find=run_rules.judge_finding, needs_judge=True),
    Rule(name=PROPOSED_FORM, severity=WARNING, find=run_rules.proposed_form, needs_judge=True),
    Rule(name="nobody-states-fact", severity=WARNING, find=run_rules.nobody_states_fact, needs_run=True),
    Rule(name="accidental-match", severity=WARNING, find=run_rules.accidental_match, needs_run=True),
    Rule(name="seen-variant", severity=WARNING, find=run_rules.seen_variant, needs_run=True),
    Rule(name="ambiguous-date", severity=WARNING, find=damage.ambiguous_date),
    Rule(name="variant-of-another", severity=WARNING, find=damage.variant_of_another),
    Rule(name="swapped-columns", severity=WARNING, find=damage.swapped_columns),
    Rule(name="no-answer", severity=WARNING, find=damage.no_answer),
    Rule(name="doubled-quotes", severity=WARNING, find=damage.doubled_quotes),
    Rule(name="two-questions", severity=WARNING, find=damage.two_questions),
    Rule(name="fact-not-in-answer", severity=WARNING, find=consistency.fact_not_in_answer),
    Rule(name="sentence-as-fact", severity=WARNING, find=consistency.sentence_as_fact),
    Rule(name="several-entities", severity=WARNING, find=consistency.several_entities),
    Rule(name="missing-number-form", severity=WARNING, find=amounts.missing_number_form),
    Rule(name="missing-date-form", severity=WARNING, find=amounts.missing_date_form),
    Rule(name="form-of-answer", severity=WARNING, find=consistency.form_of_answer),
    Rule(name="two-alphabets", severity=WARNING, find=wording.two_alphabets),
    Rule(name="mixed-languages", severity=WARNING, find=wording.mixed_languages),
    Rule(name="question-without-name", severity=WARNING, find=wording.question_without_name),
    Rule(name="document-reference", severity=WARNING, find=wording.document_reference),
    Rule(name="repeated-triplet", severity=WARNING, find=consistency.repeated_triplet),
    Rule(name="curly-quote-in-fact", severity=WARNING, find=wording.curly_quote_in_fact),
    Rule(name="bare-number", severity=WARNING, find=wording.bare_number),
    Rule(name="sign-lost", severity=WARNING, find=wording.sign_lost),
    Rule(
        name="answer-longer-than-responses",
        severity=NOTE,
        find=run_rules.answer_longer_than_responses,
        needs_run=True,
    ),
    Rule(name="words-of-one-pipeline", severity=NOTE, find=run_rules.words_of_one_pipeline, needs_run=True),
    Rule(name="no-fact", severity=NOTE, find=consistency.no_fact),
    Rule(name="long-fact", severity=NOTE, find=consistency.long_fact),
    Rule(name="near-duplicate-question", severity=NOTE, find=consistency.near_duplicate_question),
    Rule(name="long-answer", severity=NOTE, find=wording.long_answer),
    Rule(name="answer-without-name", severity=NOTE, find=wording.answer_without_name),
    Rule(name="inside-larger-number", severity=NOTE, find=wording.inside_larger_number),
    Rule(name="inside-longer-word", severity=NOTE, find=wording.inside_longer_word),
    Rule(name="decimal-point-lost", severity=NOTE, find=wording.decimal_point_lost),
    Rule(name="repeated-variant", severity=NOTE, find=wording.repeated_variant),
    Rule(name="curly-quote-in-answer", severity=NOTE, find=wording.curly_quote_in_answer),
)
"""In the order in which a triplet's findings of one severity stand."""


def lint(
    golden: pl.DataFrame,
    rows: pl.DataFrame | None = None,
    progress: Progress | None = None,
    judged: pl.DataFrame | None = None,
    forms: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return what is wrong with a golden dataset: FINDINGS, the worst first, then in the golden dataset's order.

    `golden` has GOLDEN_COLUMNS. With `rows`, the diagnosed rows of a run over it, the rules that need a run are asked
    too, with `judged` (TRIPLET_FINDINGS) those that need a judge, with `forms` (ANSWER_FORMS) what a model proposed.
    """
    subject = Subject(golden, rows, judged, forms)
    rules = [
        rule
        for rule in RULES
        if (rows is not None or not rule.needs_run)
        and (judged is not None or forms is not None or not rule.needs_judge)
    ]
    findings = [FINDINGS.to_frame()]
    for number, rule in enumerate(rules):
        if progress:
            progress(number / len(rules), "looking for faults")
        findings.append(rule.findings(subject))
    return _in_order(without_harm(_silence_forms(pl.concat(findings)), subject), subject)


_WRONG = (
    *("contradicting-variants", "fact-against-answer", "figure-not-a-variant"),
    *("impossible-date", "ambiguous-date", "figure-against-words"),
)
_FORMS = (
    "missing-variant",
    "seen-variant",
    PROPOSED_FORM,
    "missing-number-form",
    "missing-date-form",
    "form-of-answer",
)


def _silence_forms(findings: pl.DataFrame) -> pl.DataFrame:
    """The findings without further forms of a number or date that another finding calls wrong."""
    wrong = findings.filter(pl.col(RULE).is_in(_WRONG)).select(QUESTION_ID).unique()
    return findings.filter(~pl.col(RULE).is_in(_FORMS) | ~pl.col(QUESTION_ID).is_in(wrong[QUESTION_ID].implode()))


def _in_order(findings: pl.DataFrame, subject: Subject) -> pl.DataFrame:
    ranks = {severity: rank for rank, severity in enumerate(SEVERITIES)}
    orders = {rule.name: order for order, rule in enumerate(RULES)}
    return (
        findings.join(subject.places, on=QUESTION_ID, maintain_order="left")
        .sort(
            pl.col(SEVERITY).replace_strict(ranks, return_dtype=pl.UInt8),
            PLACE,
            pl.col(RULE).replace_strict(orders, return_dtype=pl.UInt8),
            maintain_order=True,
        )
        .select(FINDINGS.names())
    )
