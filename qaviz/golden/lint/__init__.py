"""What is wrong with a golden dataset: the rules, and the one function that asks them."""

import polars as pl

from qaviz.golden.expanding import PROPOSED_FORM
from qaviz.golden.lint import findings as columns
from qaviz.golden.lint import pairs, responses, triplets
from qaviz.golden.lint.findings import ERROR, MODEL, NOTE, RUN, WARNING, FunctionRule, Subject, join_once
from qaviz.golden.lint.harm import without_harm
from qaviz.golden.lint.patterns import PATTERN_RULES, PatternRule
from qaviz.model.columns import FACT, QUESTION_ID
from qaviz.model.records import Progress

RULES: tuple[FunctionRule | PatternRule, ...] = (
    FunctionRule("contradicting-variants", ERROR, triplets.contradicting_variants),
    FunctionRule("fact-against-answer", ERROR, triplets.fact_against_answer),
    FunctionRule("answered-unanswerable", ERROR, triplets.answered_unanswerable),
    FunctionRule("contradictory-questions", ERROR, pairs.contradictory_questions),
    FunctionRule("answer-to-another-question", WARNING, triplets.answer_to_another_question),
    FunctionRule("judge-finding", WARNING, responses.judge_finding, MODEL),
    FunctionRule(PROPOSED_FORM, WARNING, responses.proposed_form, MODEL),
    FunctionRule("nobody-states-fact", WARNING, responses.nobody_states_fact, RUN),
    FunctionRule("accidental-match", WARNING, responses.accidental_match, RUN),
    FunctionRule("seen-variant", WARNING, responses.seen_variant, RUN),
    FunctionRule("missing-form", WARNING, triplets.missing_form),
    FunctionRule("fact-not-in-answer", WARNING, triplets.fact_not_in_answer),
    FunctionRule("missing-text", NOTE, triplets.missing_text),
    FunctionRule("mixed-languages", WARNING, triplets.mixed_languages),
    FunctionRule("repeated-triplet", WARNING, pairs.repeated_triplet),
    FunctionRule("near-duplicate-question", NOTE, pairs.near_duplicate_question),
    FunctionRule("answer-longer-than-responses", NOTE, responses.answer_longer_than_responses, RUN),
    FunctionRule("words-of-one-pipeline", NOTE, responses.words_of_one_pipeline, RUN),
    *PATTERN_RULES,
)
"""In the order in which a triplet's findings of one severity stand. Several patterns may make one rule, by its name."""

_WRONG = ("contradicting-variants", "fact-against-answer", "ambiguous-date")
_FORMS = ("seen-variant", PROPOSED_FORM, "missing-form")


def explain_rules() -> dict[str, str]:
    """Return each rule's name with its explanation, in their order."""
    explained: dict[str, dict[str, None]] = {}
    for rule in RULES:
        parts = explained.setdefault(rule.name, {})
        for part in rule.explanation:
            parts.pop(part, None)  # what several patterns suggest is told once, behind them all
            parts[part] = None
    return {name: " ".join(parts) for name, parts in explained.items()}


def lint(
    golden: pl.DataFrame,
    rows: pl.DataFrame | None = None,
    progress: Progress | None = None,
    judged: pl.DataFrame | None = None,
    forms: pl.DataFrame | None = None,
    labels: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return what is wrong with a golden dataset: FINDINGS, the worst first, then in the golden dataset's order.

    `golden` has GOLDEN_COLUMNS. With `rows`, the diagnosed rows of a run over it, the rules that need a run are asked
    too, with `judged` (TRIPLET_FINDINGS) and `forms` (ANSWER_FORMS) those that need what a model said. `labels`, one a
    response (QUESTION_ID, PIPELINE, LABEL), outrank verdicts.
    """
    # polars cuts a table of several chunks at other places in each expression: one chunk is also faster.
    subject = Subject(golden.rechunk(), rows, judged, forms, labels)
    needs = {"": True, RUN: rows is not None, MODEL: judged is not None or forms is not None}
    rules = [rule for rule in RULES if needs[rule.needs]]
    findings = [columns.FINDINGS.to_frame()]
    for number, rule in enumerate(rules):
        if progress:
            progress(number / len(rules), "looking for faults")
        findings.append(find_by_rule(rule, subject))
    whole = pl.concat(findings)
    wrong = whole.filter(pl.col(columns.RULE).is_in(_WRONG))[QUESTION_ID].unique().implode()
    # Of a value that another finding calls wrong, nobody needs further forms.
    needed = whole.filter(~pl.col(columns.RULE).is_in(_FORMS) | ~pl.col(QUESTION_ID).is_in(wrong))
    return _in_order(without_harm(needed, subject), subject)


def find_by_rule(rule: FunctionRule | PatternRule, subject: Subject) -> pl.DataFrame:
    """Return what the rule finds, one row a finding: FINDINGS. A proposed fact has each of its variants once."""
    findings = rule.find(subject).with_columns(pl.lit(rule.name).alias(columns.RULE))
    if columns.SEVERITY not in findings.columns:
        findings = findings.with_columns(pl.lit(rule.severity).alias(columns.SEVERITY))
    pairs = findings.select(columns.FIELD, columns.PROPOSED).iter_rows()
    proposed = [join_once(text) if text and name == FACT else text for name, text in pairs]
    return findings.with_columns(pl.Series(columns.PROPOSED, proposed, pl.String)).select(columns.FINDINGS.names())


def _in_order(findings: pl.DataFrame, subject: Subject) -> pl.DataFrame:
    ranks = {severity: rank for rank, severity in enumerate(columns.SEVERITIES)}
    orders = {name: order for order, name in enumerate(explain_rules())}
    return (
        findings.join(subject.places, on=QUESTION_ID, maintain_order="left")
        .sort(
            pl.col(columns.SEVERITY).replace_strict(ranks, return_dtype=pl.UInt8),
            columns.PLACE,
            pl.col(columns.RULE).replace_strict(orders, return_dtype=pl.UInt8),
            maintain_order=True,
        )
        .select(columns.FINDINGS.names())
    )
