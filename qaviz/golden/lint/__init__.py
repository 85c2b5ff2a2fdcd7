"""What is wrong with a golden dataset: the rules, the one function that asks them, and what of it does no harm."""

from collections.abc import Sequence

import polars as pl

from qaviz.golden.expanding import PROPOSED_FORM
from qaviz.golden.lint import findings as columns
from qaviz.golden.lint import pairs, responses, triplets
from qaviz.golden.lint.findings import ERROR, MODEL, NOTE, RUN, WARNING, Finding, FunctionRule, Subject, join_once
from qaviz.golden.lint.patterns import PATTERN_RULES, PatternRule
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
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
    wrong = whole.filter(pl.col(columns.RULE).is_in(_WRONG))[c.QUESTION_ID].unique().implode()
    # Of a value that another finding calls wrong, nobody needs further forms.
    needed = whole.filter(~pl.col(columns.RULE).is_in(_FORMS) | ~pl.col(c.QUESTION_ID).is_in(wrong))
    ranks = {severity: rank for rank, severity in enumerate(columns.SEVERITIES)}
    orders = {name: order for order, name in enumerate(explain_rules())}
    return (
        without_harm(needed, subject)
        .join(subject.places, on=c.QUESTION_ID, maintain_order="left")
        .sort(
            pl.col(columns.SEVERITY).replace_strict(ranks, return_dtype=pl.UInt8),
            columns.PLACE,
            pl.col(columns.RULE).replace_strict(orders, return_dtype=pl.UInt8),
            maintain_order=True,
        )
        .select(columns.FINDINGS.names())
    )


def find_by_rule(rule: FunctionRule | PatternRule, subject: Subject) -> pl.DataFrame:
    """Return what the rule finds, one row a finding: FINDINGS. A proposed fact has each of its variants once."""
    findings = rule.find(subject).with_columns(pl.lit(rule.name).alias(columns.RULE))
    if columns.SEVERITY not in findings.columns:
        findings = findings.with_columns(pl.lit(rule.severity).alias(columns.SEVERITY))
    pairs = findings.select(columns.FIELD, columns.PROPOSED).iter_rows()
    proposed = [join_once(text) if text and name == c.FACT else text for name, text in pairs]
    return findings.with_columns(pl.Series(columns.PROPOSED, proposed, pl.String)).select(columns.FINDINGS.names())


def without_harm(findings: pl.DataFrame, subject: Subject) -> pl.DataFrame:
    """The findings (FINDINGS) without proposed variants of a fact that would also match what is wrong.

    A new variant is left out if a response that a person, a judge or the verdict calls wrong holds it, and not the fact
    so far. A finding that only added such variants goes; another one keeps its message and proposes nothing.
    """
    if subject.rows is None:
        return findings
    proposing = findings.filter(pl.col(columns.FIELD) == c.FACT)[c.QUESTION_ID].unique()
    judged = pl.col(c.JUDGE) if c.JUDGE in subject.run.columns else pl.lit(None, pl.String)
    held_wrong, judged_wrong = (
        verdict.is_in([Verdict.INCORRECT.value, Verdict.DECLINED.value]) for verdict in (pl.col(columns.HELD), judged)
    )
    missed = subject.run.filter(
        pl.col(c.QUESTION_ID).is_in(proposing.implode())
        & (held_wrong | (judged_wrong.fill_null(value=False) & ~pl.col("by_person")))
        & (pl.col(c.FACTUAL_KNOWLEDGE).fill_null(0) == 0)
    )
    responses = missed.group_by(c.QUESTION_ID).agg(pl.col(c.RESPONSE).drop_nulls().str.to_lowercase())
    wrong = dict(responses.iter_rows())
    facts = dict(subject.golden.select(c.QUESTION_ID, pl.col(c.FACT).fill_null("")).iter_rows())
    kept = (_spare(Finding._make(row), facts[row[0]], wrong.get(row[0], ())) for row in findings.iter_rows())
    return pl.DataFrame([finding for finding in kept if finding], schema=columns.FINDINGS, orient="row")


def _spare(finding: Finding, fact: str, wrong: Sequence[str]) -> Finding | None:
    """The finding with what is left of its proposal beside wrong responses, in small letters; None where nothing is."""
    # What a verdict calls wrong may be right, in a form that nobody has confirmed: a person decides by the preview.
    if finding.field != c.FACT or finding.rule == PROPOSED_FORM or c.AND_DELIMITER in (finding.proposed or ""):
        return finding
    old, parts = fact.split(c.OR_DELIMITER), (finding.proposed or "").split(c.OR_DELIMITER)
    new = [part for part in parts if part not in old]
    harmful = [part for part in new if part.strip() and any(part.lower() in response for response in wrong)]
    if not harmful:
        return finding
    if added := ", ".join(part for part in new if part not in harmful):
        left = c.OR_DELIMITER.join(part for part in parts if part not in harmful)
        return finding._replace(proposed=left, suggestion=f"Add {added}.")
    suggestion = "Ask a person: the text that lint would propose also matches a wrong response."
    only_adds = len(parts) - len(new) == (len(old) if fact else 0)
    return None if only_adds else finding._replace(field=None, proposed=None, suggestion=suggestion)
