"""Rules that need more than the golden dataset: what all responses of a run say of a triplet, or what a judge
found.
"""

from collections.abc import Iterator

import polars as pl

from qaviz.diagnosis import columns
from qaviz.diagnosis.evidence import Stance
from qaviz.diagnosis.evidence.lexicon import FUNCTION_WORDS
from qaviz.golden.expanding import still_proposed
from qaviz.golden.lint.findings import EVIDENCE, FIELD, MESSAGE, PROPOSED, SUGGESTION, Subject, quote_text
from qaviz.golden.variants import PIPELINES, RESPONSES, TO_REVIEW, VARIANT, seen_in_responses
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.scoring import forms
from qaviz.store.labels import (
    ANSWER_FORMS,
    FINDING,
    FORM,
    GATE,
    MODEL,
    QUOTATION,
    REASON,
    REPAIRED_ANSWER,
    REPAIRED_FACT,
    STATUS,
    TRIPLET_FINDINGS,
    WHY,
)

GROUPS = 5
"""Different values that a finding names, the most frequent first."""
LONGER = 1.2
"""How many times as long as the longest response an answer is before it is called longer."""
LEAST_WORDS = 15
"""Words of an answer that can be too long."""
LEAST_PIPELINES = 3
"""Pipelines from which words that only one of them uses mean anything."""
OWN_WORDS = 4
"""Words of the answer that one pipeline alone uses, from which the answer sounds like it."""
OWN_SHARE = 0.6
"""Share that one pipeline has of all words that a single pipeline uses."""

TRIPLETS_AT_ONCE = 20_000
"""Triplets whose responses are taken apart into words at a time, in memory."""

_SAID = "said"

SUPPORTED, ACCEPTED = "supported", "accepted"
_SEEN = {column: f"judged_{column}" for column in (c.QUESTION, c.ANSWER, c.FACT)}


def missing_variant(subject: Subject) -> pl.DataFrame:
    """Every pipeline states the fact in the same form, and this form is not a variant of the fact. All these responses
    are right and score 0."""
    counts = (
        subject.once(_select_rows)
        .group_by(c.QUESTION_ID)
        .agg(pl.len().alias("asked"), pl.col(c.PIPELINE).n_unique().alias("many"))
    )
    seen = subject.once(_find_seen_forms).join(counts, on=c.QUESTION_ID, maintain_order="left")
    alone = seen.filter((pl.col(RESPONSES) == pl.col("asked")) & (pl.col("many") > 1))
    return _propose_variants(subject, alone, "All responses state the fact in a form that is not a variant.")


def seen_variant(subject: Subject) -> pl.DataFrame:
    """Correct responses state the fact in forms that are not variants of the fact, so they score 0. If the triplet has
    no fact, these forms can become the fact."""
    missing = subject.once(missing_variant).select(c.QUESTION_ID)
    some = subject.once(_find_seen_forms).join(missing, on=c.QUESTION_ID, how="anti", maintain_order="left")
    return _propose_variants(subject, some, "Correct responses state the fact in a form that is not a variant.")


def _propose_variants(subject: Subject, seen: pl.DataFrame, message: str) -> pl.DataFrame:
    proposals = pl.format("{} ({})", quote_text(VARIANT), pl.col(PIPELINES).list.head(GROUPS).list.join(", "))
    grouped = seen.group_by(c.QUESTION_ID, maintain_order=True).agg(
        proposals.head(GROUPS).str.join("; ").alias(EVIDENCE), pl.col(VARIANT).str.join(c.OR_DELIMITER)
    )
    return grouped.join(subject.golden.select(c.QUESTION_ID, c.FACT), on=c.QUESTION_ID, maintain_order="left").select(
        c.QUESTION_ID,
        pl.when(pl.col(c.FACT).is_null())
        .then(pl.lit("The triplet has no fact, but correct responses suggest one."))
        .otherwise(pl.lit(message))
        .alias(MESSAGE),
        EVIDENCE,
        pl.format("Add {}.", pl.col(VARIANT).str.replace_all(c.OR_DELIMITER, ", ", literal=True)).alias(SUGGESTION),
        pl.lit(c.FACT).alias(FIELD),
        pl.concat_str(c.FACT, VARIANT, separator=c.OR_DELIMITER, ignore_nulls=True).alias(PROPOSED),
    )


def agreed_otherwise(subject: Subject) -> pl.DataFrame:
    """No response states the fact, and most responses, from two or more pipelines, give the same other value. If
    different systems agree on a value, the golden dataset may be wrong."""
    return _find_unanimous(subject).select(
        c.QUESTION_ID,
        pl.format("{} of {} responses say {}; none states the fact.", "agreeing", "asked", quote_text("value")).alias(
            MESSAGE
        ),
        pl.format("{} beside {}", "groups", quote_text(c.FACT)).alias(EVIDENCE),
        pl.lit("Check the source: the fact may be wrong, or the question ambiguous.").alias(SUGGESTION),
    )


def nobody_states_fact(subject: Subject) -> pl.DataFrame:
    """No response states the fact: Factual Knowledge is 0 for all pipelines, and few responses state it in other words.
    Often the question is ambiguous, or the fact does not match it. The responses show which."""
    rephrased = subject.once(_find_seen_forms).group_by(c.QUESTION_ID).agg(pl.col(RESPONSES).sum().alias("rephrased"))
    others = (
        subject.once(_find_unmet)
        .join(_find_unanimous(subject), on=c.QUESTION_ID, how="anti", maintain_order="left")
        .join(rephrased, on=c.QUESTION_ID, how="left", maintain_order="left")
        .filter(2 * pl.col("rephrased").fill_null(0) <= pl.col("asked") - pl.col("declined"))
    )
    declined = pl.col("declined") == pl.col("asked")
    return others.select(
        c.QUESTION_ID,
        pl.when(declined)
        .then(pl.lit("All responses decline to answer."))
        .otherwise(pl.lit("No response states the fact."))
        .alias(MESSAGE),
        pl.col("groups").alias(EVIDENCE),
        pl.when(declined)
        .then(pl.lit("If the sources contain the answer, fix retrieval; otherwise mark the question as unanswerable."))
        .otherwise(pl.lit("Narrow the question, or change the fact to match it."))
        .alias(SUGGESTION),
    )


def accidental_match(subject: Subject) -> pl.DataFrame:
    """The fact matches a response by accident, for example inside a larger number or a document id. It is too short."""
    read = subject.once(_select_rows).select(c.QUESTION_ID, c.PIPELINE, c.DIAGNOSIS, c.REASON)
    accidental = read.filter(pl.col(c.DIAGNOSIS) == Diagnosis.ACCIDENTAL.value)
    reasons = pl.format("{}: {}", c.PIPELINE, c.REASON).head(GROUPS).str.join(" ")
    return accidental.group_by(c.QUESTION_ID, maintain_order=True).agg(
        pl.lit("The fact matches a response by accident.").alias(MESSAGE),
        reasons.alias(EVIDENCE),
        pl.lit("Add a unit, a sign or a word to the number, so that it cannot match other text.").alias(SUGGESTION),
    )


def answer_longer_than_responses(subject: Subject) -> pl.DataFrame:
    """The golden answer is much longer than every response. Concise responses then score low for closeness."""
    words = pl.col(c.RESPONSE).str.count_matches(r"\S+").alias("said")
    answering = (
        subject.once(_select_rows)
        .select(c.QUESTION_ID, c.PIPELINE, c.VERDICT, words)
        .filter((pl.col(c.VERDICT) != Verdict.DECLINED.value) & (pl.col("said") > 0))
    )
    counted = answering.group_by(c.QUESTION_ID, maintain_order=True).agg(
        pl.col("said").max().alias("longest"), pl.col(c.PIPELINE).n_unique().alias("many")
    )
    answers = subject.golden.select(c.QUESTION_ID, c.ANSWER, pl.col(c.ANSWER).str.count_matches(r"\S+").alias("words"))
    longest = counted.join(answers, on=c.QUESTION_ID, maintain_order="left")
    longer = (pl.col("words") >= LEAST_WORDS) & (pl.col("words") > LONGER * pl.col("longest")) & (pl.col("many") > 1)
    return longest.filter(longer).select(
        c.QUESTION_ID,
        pl.format("The answer has {} words; the longest response has {}.", "words", "longest").alias(MESSAGE),
        quote_text(c.ANSWER).alias(EVIDENCE),
        pl.lit("Shorten the answer to the length that users should read.").alias(SUGGESTION),
    )


def words_of_one_pipeline(subject: Subject) -> pl.DataFrame:
    """Many words of the golden answer, beyond question and fact, are used by only one pipeline, and other pipelines are
    right without them. That pipeline's model may have written the answer, which raises its closeness unfairly."""
    read = (c.QUESTION_ID, c.PIPELINE, c.VERDICT, c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE)
    single = pl.concat([_find_words_of_one(part) for part in _slice_triplets(subject, *read)])
    counted = single.group_by(c.QUESTION_ID, c.PIPELINE).agg(pl.col("word").sort())
    words = pl.col("word").list.len()
    pipelines = subject.once(_select_rows).group_by(c.QUESTION_ID).agg(pl.col(c.PIPELINE).n_unique().alias("many"))
    own_words = counted.join(pipelines, on=c.QUESTION_ID).filter(
        (words >= OWN_WORDS)
        & (words >= OWN_SHARE * words.sum().over(c.QUESTION_ID))
        & (pl.col("many") >= LEAST_PIPELINES)
    )
    return own_words.select(
        c.QUESTION_ID,
        pl.format("{} words of the answer are used by only one pipeline, {}.", words, c.PIPELINE).alias(MESSAGE),
        pl.col("word").list.head(2 * GROUPS).list.join(", ").alias(EVIDENCE),
        pl.lit("Reword the answer in words that any good response would use.").alias(SUGGESTION),
    )


def _find_words_of_one(rows: pl.DataFrame) -> pl.DataFrame:
    """QUESTION_ID, word and PIPELINE of each word of a golden answer that one pipeline alone uses in a right response.

    Words of the question and of the fact, and function words, do not count.
    """
    rows = rows.filter(pl.col(c.VERDICT) == Verdict.CORRECT.value)
    right = rows.filter(pl.col(c.PIPELINE).n_unique().over(c.QUESTION_ID) > 1)
    used = right.select(c.QUESTION_ID, c.PIPELINE, _list_words(right, c.RESPONSE)).explode("word").unique()
    golden = right.unique(c.QUESTION_ID, maintain_order=True)
    known = pl.concat(
        [golden.select(c.QUESTION_ID, _list_words(golden, text)).explode("word") for text in (c.QUESTION, c.FACT)]
    )
    wanted = golden.select(c.QUESTION_ID, _list_words(golden, c.ANSWER)).explode("word").unique(maintain_order=True)
    wanted = wanted.filter(~pl.col("word").is_in([*FUNCTION_WORDS])).join(known, on=[c.QUESTION_ID, "word"], how="anti")
    by_word = (
        wanted.join(used, on=[c.QUESTION_ID, "word"])
        .group_by(c.QUESTION_ID, "word", maintain_order=True)
        .agg(c.PIPELINE)
    )
    return by_word.filter(pl.col(c.PIPELINE).list.len() == 1).with_columns(pl.col(c.PIPELINE).list.first())


def _select_rows(subject: Subject) -> pl.DataFrame:
    """The run's rows of triplets that the golden dataset still has."""
    if subject.rows is None:
        raise ValueError("a rule that needs a run is asked without one")
    kept = subject.rows.select(pl.col(c.QUESTION_ID).is_in(subject.golden[c.QUESTION_ID].implode())).to_series()
    # Usually all: the texts of a million responses are not copied for nothing.
    return subject.rows if kept.all() else subject.rows.filter(kept)


def _slice_triplets(subject: Subject, *columns_: str) -> Iterator[pl.DataFrame]:
    """The run's rows, some triplets at a time: the words of a million responses would take gigabytes."""
    rows = subject.once(_select_rows).select(columns_)
    if subject.golden.height <= TRIPLETS_AT_ONCE:
        yield rows
        return
    for ids in subject.golden[c.QUESTION_ID].to_frame().iter_slices(TRIPLETS_AT_ONCE):
        yield rows.filter(pl.col(c.QUESTION_ID).is_in(ids[c.QUESTION_ID].implode()))


def _find_seen_forms(subject: Subject) -> pl.DataFrame:
    return seen_in_responses(subject.golden, subject.once(_select_rows))


def _list_words(table: pl.DataFrame, column: str) -> pl.Series:
    """The words of a column as FMEval reads them, one list a row."""
    return forms.words(forms.normal(forms.lower(table[column].fill_null("")))).alias("word")


def _find_unmet(subject: Subject) -> pl.DataFrame:
    """The triplets whose fact no response states, of two pipelines or more, with what they say in its place.

    Those whose responses are all correct lack a variant, which is another finding.
    """
    read = (c.QUESTION_ID, c.PIPELINE, c.FACT, c.FACTUAL_KNOWLEDGE, c.VERDICT, columns.STANCE)
    rows = (
        subject.once(_select_rows)
        .select(*read, _excerpt_other_value().alias(_SAID))
        .filter(pl.col(c.FACTUAL_KNOWLEDGE).is_not_null())
    )
    open_ = (
        (pl.col(c.FACTUAL_KNOWLEDGE).max() == 0)
        & (pl.col(c.VERDICT) != Verdict.CORRECT.value).any()
        & (pl.col(c.PIPELINE).n_unique() > 1)
    )
    unmet = rows.filter(open_.over(c.QUESTION_ID))
    groups = unmet.group_by(c.QUESTION_ID, pl.col(_SAID).str.to_lowercase().alias("level"), maintain_order=True).agg(
        pl.first(_SAID, c.FACT, columns.STANCE),
        pl.len().alias("number"),
        pl.col(c.PIPELINE).unique(maintain_order=True),
    )
    ordered = groups.sort("number", descending=True, maintain_order=True)
    shown = pl.format("{} ({})", _SAID, pl.col(c.PIPELINE).list.head(GROUPS).list.join(", "))
    by_question = ordered.group_by(c.QUESTION_ID, maintain_order=True).agg(
        pl.first(c.FACT),
        shown.head(GROUPS).str.join("; ").alias("groups"),
        pl.col("number").sum().alias("asked"),
        pl.col("number").filter(pl.col(_SAID) == _DECLINES).sum().alias("declined"),
        pl.col("number").first().alias("agreeing"),
        pl.col(_SAID).first().str.strip_chars("“”").alias("value"),
        pl.col(columns.STANCE).first().alias("stance"),
        pl.col(c.PIPELINE).first().list.len().alias("pipelines"),
    )
    return (
        unmet.select(c.QUESTION_ID)
        .unique(maintain_order=True)
        .join(by_question, on=c.QUESTION_ID, maintain_order="left")
    )


_DECLINES = "declines"


def _excerpt_other_value() -> pl.Expr:
    """What a response says in place of the fact: the other value that the evidence names, else its first words."""
    other = pl.col(columns.STANCE).is_in([Stance.CONTRADICTS.value, Stance.AGREES.value])
    return (
        pl.when(pl.col(c.VERDICT) == Verdict.DECLINED.value)
        .then(pl.lit(_DECLINES))
        .when(pl.col(c.RESPONSE).fill_null("").str.strip_chars() == "")
        .then(pl.lit("no response"))
        .when(other & pl.col(columns.SAYS).is_not_null())
        .then(quote_text(columns.SAYS))
        .otherwise(quote_text(pl.col(c.RESPONSE).str.strip_chars()))
    )


def _find_unanimous(subject: Subject) -> pl.DataFrame:
    """The unmet facts for which more than half of the responses, from two pipelines or more, name one other value."""
    return subject.once(_find_unmet).filter(
        (pl.col("stance") == Stance.CONTRADICTS.value)
        & (pl.col("agreeing") * 2 > pl.col("asked"))
        & (pl.col("pipelines") > 1)
    )


def judge_finding(subject: Subject) -> pl.DataFrame:
    """A language model read the triplet beside its passage, found it hallucinated, incomplete, irrelevant, ambiguous or
    outdated, and quotes the passage. A repair is proposed only where the gate proved it. Findings about texts that
    have changed since are left out."""
    judged = TRIPLET_FINDINGS.to_frame() if subject.judged is None else subject.judged
    findings = (
        judged.filter(pl.col(FINDING) != SUPPORTED)
        .rename(_SEEN)
        .join(
            subject.golden.select(c.QUESTION_ID, c.QUESTION, c.ANSWER, c.FACT), on=c.QUESTION_ID, maintain_order="right"
        )
        .filter(pl.all_horizontal(pl.col(now).eq_missing(pl.col(seen)) for now, seen in _SEEN.items()))
    )
    of_fields = [_propose(findings, field, repaired) for field, repaired in _REPAIRS.items()]
    unrepaired = findings.filter(~_is_proved()).with_columns(pl.lit(None, pl.String).alias(name) for name in _EDIT)
    whole = pl.concat([*of_fields, unrepaired.select(*findings.columns, *_EDIT)])
    return whole.select(
        c.QUESTION_ID,
        pl.format("The judge {} finds this triplet {}.", MODEL, FINDING).alias(MESSAGE),
        pl.concat_str(quote_text(QUOTATION), WHY, separator=": ", ignore_nulls=True).alias(EVIDENCE),
        *_EDIT,
    )


def proposed_form(subject: Subject) -> pl.DataFrame:
    """A language model proposes another form of the fact, which words can neither prove nor refute. It joins the
    variants once a person confirms that it means the same. Forms that were proved are variants already."""
    forms = ANSWER_FORMS.to_frame() if subject.forms is None else subject.forms
    waiting = still_proposed(subject.golden, forms.filter(pl.col(STATUS) == TO_REVIEW)).drop(c.FACT)
    facts = subject.golden.select(c.QUESTION_ID, c.FACT)
    return waiting.join(facts, on=c.QUESTION_ID, maintain_order="left").select(
        c.QUESTION_ID,
        pl.format("{} is proposed as another form of the fact by {}.", quote_text(FORM), MODEL).alias(MESSAGE),
        pl.format("{} It stands beside {}.", REASON, quote_text(c.FACT)).alias(EVIDENCE),
        pl.format("Add {} if it means exactly the same.", quote_text(FORM)).alias(SUGGESTION),
        pl.lit(c.FACT).alias(FIELD),
        pl.concat_str(c.FACT, FORM, separator=c.OR_DELIMITER).alias(PROPOSED),
    )


_REPAIRS = {c.ANSWER: REPAIRED_ANSWER, c.FACT: REPAIRED_FACT}
_EDIT = (SUGGESTION, FIELD, PROPOSED)


def _is_proved() -> pl.Expr:
    return (pl.col(GATE) == ACCEPTED).fill_null(False)


def _propose(findings: pl.DataFrame, field: str, repaired: str) -> pl.DataFrame:
    """The findings whose proved repair has another text in this field."""
    changed = findings.filter(_is_proved() & pl.col(repaired).ne_missing(pl.col(field)))
    return changed.with_columns(
        pl.lit(f"Take the {field} that the judge proposes; its passage states it.").alias(SUGGESTION),
        pl.lit(field).alias(FIELD),
        pl.col(repaired).alias(PROPOSED),
    )
