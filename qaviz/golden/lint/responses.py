"""Rules that need more than the golden dataset: what the responses of a run say of a triplet, or what a model says."""

import polars as pl

from qaviz.diagnosis import columns
from qaviz.diagnosis.rules import either
from qaviz.golden.expanding import still_proposed
from qaviz.golden.lint.findings import HELD, Subject, quote_text, report
from qaviz.golden.variants import PIPELINES, RESPONSES, TO_REVIEW, VARIANT, seen_in_responses
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.scoring import forms
from qaviz.store import labels

GROUPS = 5
"""Different values that a finding names, the most frequent first."""
LONGER, LEAST_WORDS = 1.2, 15
"""Times the longest response from which an answer is called longer, and words of an answer that can be too long."""
LEAST_PIPELINES, OWN_WORDS, OWN_SHARE = 3, 4, 0.6
"""Pipelines, words of the answer that one of them alone uses, and its share of all words that a single one uses, from
which the answer sounds like it."""
TRIPLETS_AT_ONCE = 20_000
"""Triplets whose responses are taken apart into words at a time: the words of a million would take gigabytes."""

_DECLINES = "declines"
_STATED = "stated"
_SEEN = {column: f"judged_{column}" for column in (c.QUESTION, c.ANSWER, c.FACT)}


def seen_variant(subject: Subject) -> pl.DataFrame:
    """Correct responses state the fact in forms that are not variants of the fact, so they score 0. If the triplet has
    no fact, these forms can become the fact."""
    counts = subject.run.group_by(c.QUESTION_ID).agg(pl.len().alias("answers"))
    shown = pl.format("{} ({})", quote_text(VARIANT), pl.col(PIPELINES).list.head(GROUPS).list.join(", "))
    seen = subject.once(_find_seen).group_by(c.QUESTION_ID, maintain_order=True)
    grouped = seen.agg(
        shown.head(GROUPS).str.join("; ").alias("shown"),
        pl.col(VARIANT).str.join(c.OR_DELIMITER),
        pl.col(RESPONSES).max(),
    )
    golden = subject.golden.select(c.QUESTION_ID, c.FACT).join(counts, on=c.QUESTION_ID)
    facts = grouped.join(golden, on=c.QUESTION_ID, maintain_order="left")
    some = either(pl.col(RESPONSES) == pl.col("answers"), "All", "Correct")
    beside = pl.format("{} responses state the fact in a form that is not a variant.", some)
    message = either(pl.col(c.FACT).is_null(), "The triplet has no fact, but correct responses suggest one.", beside)
    added = pl.format("Add {}.", pl.col(VARIANT).str.replace_all(c.OR_DELIMITER, ", ", literal=True))
    proposed = pl.concat_str(c.FACT, VARIANT, separator=c.OR_DELIMITER, ignore_nulls=True)
    return report(facts, message, pl.col("shown"), added, proposed)


def _find_seen(subject: Subject) -> pl.DataFrame:
    return seen_in_responses(subject.golden, subject.run)


def nobody_states_fact(subject: Subject) -> pl.DataFrame:
    """No response states the fact letter for letter, and few state it in other words. If most of them, from two
    pipelines or more, give the same other value, the fact may be wrong. Otherwise the question is often ambiguous, or
    the fact does not match it."""
    unmet = _find_unmet(subject)
    declined = pl.col("declined") == pl.col("answers")
    most = pl.col("agreeing") * 2 > pl.col("answers")
    agreed = (pl.col("stance") == "contradicts") & most & (pl.col("pipelines") > 1)
    few = 2 * pl.col("rephrased") <= pl.col("answers") - pl.col("declined")
    few &= ~pl.col(c.QUESTION_ID).is_in(subject.once(_find_seen)[c.QUESTION_ID].implode())
    say = pl.format("{} of {} responses say {}; none states the fact.", "agreeing", "answers", quote_text("value"))
    message = either(agreed, say, either(declined, "All responses decline to answer.", "No response states the fact."))
    check = "Check the source: the fact may be wrong, or the question ambiguous."
    mark = "If the sources contain the answer, fix retrieval; otherwise mark the question as unanswerable."
    narrow = "Narrow the question, or change the fact to match it."
    suggestion = either(agreed, check, either(declined, mark, narrow))
    evidence = pl.format("{} beside {}", "groups", quote_text(c.FACT))
    return report(unmet.filter(agreed | few), message, evidence, suggestion)


def _find_unmet(subject: Subject) -> pl.DataFrame:
    """The triplets whose fact no response states, of two pipelines or more, with what they say in its place.

    Those whose responses are all correct lack a variant, which is another finding.
    """
    rows = subject.run.filter(pl.col(c.FACTUAL_KNOWLEDGE).is_not_null()).select(
        c.QUESTION_ID, c.PIPELINE, c.FACT, c.FACTUAL_KNOWLEDGE, HELD, columns.STANCE, _say_instead().alias(_STATED)
    )
    right = pl.col(HELD) == Verdict.CORRECT.value
    open_ = (pl.col(c.FACTUAL_KNOWLEDGE).max() == 0) & ~right.all() & (pl.col(c.PIPELINE).n_unique() > 1)
    unmet = rows.filter(open_.over(c.QUESTION_ID))
    groups = unmet.group_by(c.QUESTION_ID, pl.col(_STATED).str.to_lowercase().alias("level"), maintain_order=True).agg(
        pl.first(_STATED, c.FACT, columns.STANCE),
        pl.len().alias("number"),
        right.sum().alias("rephrased"),
        pl.col(c.PIPELINE).unique(maintain_order=True),
    )
    shown = pl.format("{} ({})", _STATED, pl.col(c.PIPELINE).list.head(GROUPS).list.join(", "))
    ordered = groups.sort("number", descending=True, maintain_order=True).group_by(c.QUESTION_ID, maintain_order=True)
    return ordered.agg(
        pl.first(c.FACT),
        shown.head(GROUPS).str.join("; ").alias("groups"),
        pl.col("number").sum().alias("answers"),
        pl.col("rephrased").sum(),
        pl.col("number").filter(pl.col(_STATED) == _DECLINES).sum().alias("declined"),
        pl.col("number").first().alias("agreeing"),
        pl.col(_STATED).first().str.strip_chars("“”").alias("value"),
        pl.col(columns.STANCE).first().alias("stance"),
        pl.col(c.PIPELINE).first().list.len().alias("pipelines"),
    )


def _say_instead() -> pl.Expr:
    """What a response says in place of the fact: the other value that the evidence names, else its first words."""
    other = pl.col(columns.STANCE).is_in(["contradicts", "agrees"]) & pl.col(columns.SAYS).is_not_null()
    words = pl.col(c.RESPONSE).fill_null("").str.strip_chars()
    stated = either(words == "", "no response", either(other, quote_text(columns.SAYS), quote_text(words)))
    return either(pl.col(HELD) == Verdict.DECLINED.value, _DECLINES, stated)


def accidental_match(subject: Subject) -> pl.DataFrame:
    """The fact matches a response by accident, for example inside a larger number or a document id. It is too short."""
    accidental = subject.run.filter(pl.col(c.DIAGNOSIS) == Diagnosis.ACCIDENTAL.value)
    shown = pl.format("{}: {}", c.PIPELINE, c.REASON).head(GROUPS).str.join(" ")
    triplets = accidental.group_by(c.QUESTION_ID, maintain_order=True).agg(shown.alias(c.REASON))
    return report(
        triplets,
        "The fact matches a response by accident.",
        pl.col(c.REASON),
        "Add a unit, a sign or a word to the number, so that it cannot match other text.",
    )


def answer_longer_than_responses(subject: Subject) -> pl.DataFrame:
    """The golden answer is much longer than every response. Concise responses then score low for closeness."""
    words = pl.col(c.RESPONSE).str.count_matches(r"\S+").alias(_STATED)
    answering = subject.run.filter(pl.col(HELD) != Verdict.DECLINED.value).select(c.QUESTION_ID, c.PIPELINE, words)
    counted = (
        answering.filter(pl.col(_STATED) > 0)
        .group_by(c.QUESTION_ID, maintain_order=True)
        .agg(pl.col(_STATED).max().alias("longest"), pl.col(c.PIPELINE).n_unique().alias("many"))
    )
    answers = subject.golden.select(c.QUESTION_ID, c.ANSWER, pl.col(c.ANSWER).str.count_matches(r"\S+").alias("words"))
    longest = counted.join(answers, on=c.QUESTION_ID, maintain_order="left")
    longer = (pl.col("words") >= LEAST_WORDS) & (pl.col("words") > LONGER * pl.col("longest")) & (pl.col("many") > 1)
    return report(
        longest.filter(longer),
        pl.format("The answer has {} words; the longest response has {}.", "words", "longest"),
        quote_text(c.ANSWER),
        "Shorten the answer to the length that users should read.",
    )


def words_of_one_pipeline(subject: Subject) -> pl.DataFrame:
    """Many words of the golden answer, beyond question and fact, are used by only one pipeline, and other pipelines are
    right without them. That pipeline's model may have written the answer, which raises its closeness unfairly."""
    right = subject.run.filter(pl.col(HELD) == Verdict.CORRECT.value).select(
        c.QUESTION_ID, c.PIPELINE, c.QUESTION, c.ANSWER, c.FACT, c.RESPONSE
    )
    slices = subject.golden.select(c.QUESTION_ID).iter_slices(TRIPLETS_AT_ONCE)
    some = (right.filter(pl.col(c.QUESTION_ID).is_in(ids[c.QUESTION_ID].implode())) for ids in slices)
    parts = pl.concat(map(_find_words_of_one, some))
    own = parts.group_by(c.QUESTION_ID, c.PIPELINE).agg(pl.col("word").sort())
    many = subject.run.group_by(c.QUESTION_ID).agg(pl.col(c.PIPELINE).n_unique().alias("many"))
    words = pl.col("word").list.len()
    clear = (words >= OWN_WORDS) & (words >= OWN_SHARE * words.sum().over(c.QUESTION_ID))
    return report(
        own.join(many, on=c.QUESTION_ID).filter(clear & (pl.col("many") >= LEAST_PIPELINES)),
        pl.format("{} words of the answer are used by only one pipeline, {}.", words, c.PIPELINE),
        pl.col("word").list.head(2 * GROUPS).list.join(", "),
        "Reword the answer in words that any good response would use.",
    )


def _find_words_of_one(right: pl.DataFrame) -> pl.DataFrame:
    """QUESTION_ID, word and PIPELINE of each word of a golden answer that one pipeline alone uses in a right response.

    Words of the question and of the fact, and short words, do not count.
    """
    right = right.filter(pl.col(c.PIPELINE).n_unique().over(c.QUESTION_ID) > 1)
    golden = right.unique(c.QUESTION_ID, maintain_order=True)
    used = right.select(c.QUESTION_ID, c.PIPELINE, _list_words(right, c.RESPONSE)).explode("word").unique()
    taken = pl.concat(
        [golden.select(c.QUESTION_ID, _list_words(golden, text)).explode("word") for text in (c.QUESTION, c.FACT)]
    )
    wanted = golden.select(c.QUESTION_ID, _list_words(golden, c.ANSWER)).explode("word").unique(maintain_order=True)
    wanted = wanted.filter(pl.col("word").str.len_chars() > 3)  # `the`, `of` are no one's own
    wanted = wanted.join(taken, on=[c.QUESTION_ID, "word"], how="anti")
    by_word = wanted.join(used, on=[c.QUESTION_ID, "word"]).group_by(c.QUESTION_ID, "word", maintain_order=True)
    alone = by_word.agg(c.PIPELINE).filter(pl.col(c.PIPELINE).list.len() == 1)
    return alone.with_columns(pl.col(c.PIPELINE).list.first())


def _list_words(table: pl.DataFrame, column: str) -> pl.Series:
    """The words of a column as FMEval reads them, one list a row."""
    return forms.words(forms.normal(forms.lower(table[column].fill_null("")))).alias("word")


def judge_finding(subject: Subject) -> pl.DataFrame:
    """A language model read the triplet beside its passage, found it hallucinated, incomplete, irrelevant, ambiguous or
    outdated, and quotes the passage. A repair is proposed only where words do not refute it. Findings about texts that
    have changed since are left out."""
    judged = labels.TRIPLET_FINDINGS.to_frame() if subject.judged is None else subject.judged
    triplets = subject.golden.select(c.QUESTION_ID, c.QUESTION, c.ANSWER, c.FACT)
    wrong = judged.filter(pl.col(labels.FINDING) != "supported").rename(_SEEN)
    findings = wrong.join(triplets, on=c.QUESTION_ID, maintain_order="right").filter(
        pl.all_horizontal(pl.col(now).eq_missing(pl.col(seen)) for now, seen in _SEEN.items())
    )
    stands = (pl.col(labels.GATE) == labels.NOT_REFUTED).fill_null(value=False)
    message = pl.format("The judge {} finds this triplet {}.", labels.MODEL, labels.FINDING)
    evidence = pl.concat_str(quote_text(labels.QUOTATION), labels.WHY, separator=": ", ignore_nulls=True)
    repairs = [
        report(
            findings.filter(stands & pl.col(repaired).ne_missing(pl.col(field))),
            message,
            evidence,
            f"Read the passage; then take the {field} that the judge proposes.",
            pl.col(repaired),
            field,
        )
        for field, repaired in ((c.ANSWER, labels.REPAIRED_ANSWER), (c.FACT, labels.REPAIRED_FACT))
    ]
    ask = "Read the passage, then correct the triplet or delete it."
    return pl.concat([*repairs, report(findings.filter(~stands), message, evidence, ask)])


def proposed_form(subject: Subject) -> pl.DataFrame:
    """A language model proposes another form of the fact, which words can neither prove nor refute. It joins the
    variants once a person confirms that it means the same. Forms that were proved are variants already."""
    forms_ = labels.ANSWER_FORMS.to_frame() if subject.forms is None else subject.forms
    waiting = still_proposed(subject.golden, forms_.filter(pl.col(labels.STATUS) == TO_REVIEW)).drop(c.FACT)
    facts = subject.golden.select(c.QUESTION_ID, c.FACT)
    return report(
        waiting.join(facts, on=c.QUESTION_ID, maintain_order="left"),
        pl.format("{} is proposed as another form of the fact by {}.", quote_text(labels.FORM), labels.MODEL),
        pl.format("{} It stands beside {}.", labels.REASON, quote_text(c.FACT)),
        pl.format("Add {} if it means exactly the same.", quote_text(labels.FORM)),
        pl.concat_str(c.FACT, labels.FORM, separator=c.OR_DELIMITER),
    )
