"""Rules on texts that were damaged or put in the wrong place before they came here: by an encoding, a file, a template,
a column; and on texts that cannot be true or have two readings.
"""

import calendar
import html
import re
from collections.abc import Callable

import polars as pl

from qaviz.diagnosis.evidence import Stance, dates, number_words, quantities, refusal
from qaviz.golden.lint.findings import (
    COUNT,
    EVIDENCE,
    FIELD,
    MESSAGE,
    NEEDS_ALL,
    PROPOSED,
    SUGGESTION,
    VARIANT,
    Subject,
    normal,
    quote_text,
)
from qaviz.model.columns import ANSWER, ANSWERABLE, FACT, OR_DELIMITER, QUESTION, QUESTION_ID

_TEXTS = (QUESTION, ANSWER, FACT)

_GARBLED = r"Ã[\u{80}-\u{bf}]|â€|Â[\u{a0}-\u{bf}]|ï»¿|\u{fffd}"
_ENTITY = r"&(?:[a-zA-Z]{2,8}|#\d{2,6}|#x[0-9a-fA-F]{2,6});"
_TAG = r"(?i)</?(?:br|p|b|i|em|strong|div|span|li|ul|ol|td|tr|table|a|sup|sub)\b[^<>]*>"
_DELIMITER = r"(?i)&lt;\s*(?:or|and)\s*/?&gt;"
_PLACEHOLDER = (
    r"(?i)^\W*(?:todo|tbd|tba|n/a|null|nan|lorem ipsum.*|placeholder|your (?:question|answer) here"
    r"|(?:sample|dummy|example) (?:question|answer|fact)|insert .{1,40} here)\W*$"
    r"|^[?.…_-]{2,}$|\bTODO\b|\{\{\w+\}\}|\blorem ipsum\b"
)
_ASKS = "what|when|where|why|how(?: many| much| long| old| often)?"
_TWO_QUESTIONS = (
    rf"(?i)\?\s+(?:{_ASKS}|who|which|is|are|was|were|did|does|do|has|have|can)\b\S*(?:\s+\S+){{2,}}\?\W*$"
    rf"|^\W*(?:{_ASKS}|who|which)\b.*\band (?:{_ASKS}) (?:is|are|was|were|did|does|do|has|have|had|will|can)\b"
)
_TWO_READINGS = r"^\D{0,12}(\d{1,2})[/.-](\d{1,2})[/.-]\d{4}\D*$"
_MONTHS = 12
_YES_OR_NO = (("yes", "no"), ("ja", "nein"), ("oui", "non"), ("sí", "no"), ("có", "không"))
_LONGEST_YES = 6
_PLACEHOLDER_CUES = (
    *("todo", "tbd", "tba", "n/a", "null", "nan", "lorem", "placeholder", "your ", "sample", "dummy", "example"),
    *("insert", "{{", "..", "??", "…", "__", "--"),
)
"""A text without any of these is no placeholder: cheap to look for, before the pattern is."""
_NAME = r"^\p{Lu}\S*(?: \S+)* \p{Lu}[^\d]*$"
"""A name of two words or more: one of one word is often a place inside another."""
_LEAST_LETTERS = 4
_BESIDE = re.compile(r"([$€£]?\d[\d.,]*(?: (?:thousand|million|billion|trillion))?)\s*\(([^()\d]{3,60})\)")
_MUCH_LONGER = 20
"""Characters by which a fact is longer than its answer, which it holds, before the two are called swapped."""


def garbled_text(subject: Subject) -> pl.DataFrame:
    """A text was read in the wrong encoding: “Ã©” stands for “é”, “â€™” for “’”. No response matches it."""
    return _report_damaged(
        subject,
        _GARBLED,
        _read_again,
        "The {} was read in the wrong encoding.",
        "Write the letters that it stands for, or read the file as UTF-8.",
    )


def _read_again(text: str) -> str | None:
    """The text in its own encoding; None where its bytes make no text."""
    for encoding in ("cp1252", "latin-1"):
        try:
            return text.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return None


def html_in_text(subject: Subject) -> pl.DataFrame:
    """A text holds an HTML entity or tag, such as `&amp;` or `<br>`. Responses write the sign itself."""
    return _report_damaged(
        subject,
        rf"{_ENTITY}|{_TAG}",
        lambda text: " ".join(re.sub(_TAG, " ", html.unescape(text)).split()),
        "The {} holds an HTML entity or tag.",
        "Write the sign that it stands for.",
        but=_DELIMITER,
    )


def doubled_quotes(subject: Subject) -> pl.DataFrame:
    """A text holds a doubled quotation mark, as a CSV file has it inside a quoted cell. Responses have single ones."""
    return _report_damaged(
        subject,
        r'""',
        _unquote,
        "The {} holds doubled quotation marks of a CSV file.",
        "Keep one of each two.",
    )


def _unquote(text: str) -> str:
    """The text as a CSV reader takes it out of its quotes."""
    inner = text.strip()[1:-1]
    whole = re.fullmatch(r'\s*".*"\s*', text, re.DOTALL) and '"' not in inner.replace('""', "")
    return (inner if whole else text).replace('""', '"').strip()


def _report_damaged(
    subject: Subject,
    like: str,
    mend: Callable[[str], str | None],
    message: str,
    suggestion: str,
    but: str | None = None,
) -> pl.DataFrame:
    """A finding for each text that the pattern finds, with the text as `mend` makes it."""
    reports = []
    for text in _TEXTS:
        damaged = pl.col(text).str.contains(like)
        chosen = subject.golden.filter(damaged & ~pl.col(text).str.contains(but) if but else damaged)
        mended = pl.Series([mend(value) or None for value in chosen[text]], dtype=pl.String)
        table = chosen.with_columns(mended.alias(PROPOSED)).select(
            QUESTION_ID,
            pl.lit(message.format(text)).alias(MESSAGE),
            quote_text(text).alias(EVIDENCE),
            pl.lit(suggestion).alias(SUGGESTION),
            pl.when(pl.col(PROPOSED).is_not_null()).then(pl.lit(text)).alias(FIELD),
            PROPOSED,
        )
        reports.append(table)
    return pl.concat(reports)


def placeholder(subject: Subject) -> pl.DataFrame:
    """A text is a placeholder, such as “TODO”, “N/A” or “lorem ipsum”: the triplet is unfinished."""
    return pl.concat(
        _report(
            subject.golden.select(QUESTION_ID, pl.col(text).alias(VARIANT))
            .filter(pl.col(VARIANT).str.contains_any([*_PLACEHOLDER_CUES], ascii_case_insensitive=True))
            .filter(pl.col(VARIANT).str.contains(_PLACEHOLDER)),
            f"The {text} is a placeholder.",
            "Write the text.",
        )
        for text in _TEXTS
    )


def impossible_date(subject: Subject) -> pl.DataFrame:
    """A text states a date that no calendar has, such as 31 February. No right response can state it."""
    likely = r"(?i)\b(?:29|30|31)(?:st|th)?\b"
    findings = []
    for text in _TEXTS:
        dated = subject.golden.filter(pl.col(text).str.contains(likely)).select(
            QUESTION_ID, pl.col(text).alias(VARIANT)
        )
        impossible = [any(map(_is_impossible, dates.find(value))) for value in dated[VARIANT]]
        findings.append(
            _report(dated.filter(impossible), f"The {text} states a date that does not exist.", "Correct the date.")
        )
    return pl.concat(findings)


def _is_impossible(date: dates.Date) -> bool:
    if date.day is None or date.month is None:
        return False
    # Without a year 29 February exists.
    return date.day > calendar.monthrange(date.year or 2024, date.month)[1]


def ambiguous_date(subject: Subject) -> pl.DataFrame:
    """Every variant of the fact is a date in digits with two readings: 03/04/2019 is in March or in April. A response
    that writes the month may be right or wrong by it."""
    parts = pl.col(VARIANT).str.extract_groups(_TWO_READINGS).struct
    day, month = (parts.field(group).cast(pl.Int64, strict=False) for group in ("1", "2"))
    twofold = (day <= _MONTHS) & (month <= _MONTHS) & (day != month)
    read = subject.variants.with_columns(twofold.fill_null(value=False).alias("twofold"))
    dated = read.filter(pl.col("twofold").all().over(QUESTION_ID)).unique(
        QUESTION_ID, keep="first", maintain_order=True
    )
    clear = [any(not date.swapped and date.month for date in dates.find(answer or "")) for answer in dated[ANSWER]]
    return _report(
        dated.filter(~pl.Series(clear, dtype=pl.Boolean)),
        "The fact is a date with two readings: day first, or month first.",
        "Write the month in letters.",
    )


def figure_against_words(subject: Subject) -> pl.DataFrame:
    """A text states an amount in digits and another one in words behind it, such as “$10,000 (ten million)”."""
    findings = []
    for text in (ANSWER, FACT):
        beside = subject.golden.filter(pl.col(text).str.contains(r"\d[^()]{0,15}\([^()\d]{3,60}\)"))
        beside = beside.select(QUESTION_ID, pl.col(text).alias(VARIANT))
        odd = [any(_differ(*pair) for pair in _BESIDE.findall(value)) for value in beside[VARIANT]]
        message = f"The {text} states one amount in digits and another one in words."
        findings.append(_report(beside.filter(odd), message, "Check which one is right and correct the other."))
    return pl.concat(findings)


def _differ(figure: str, words: str) -> bool:
    """Whether the words are a number, and another one than the figure."""
    read = number_words.find(f" {words.lower()} ")
    amounts = quantities.find(figure)
    return len(read) == 1 and len(amounts) == 1 and read[0].value != amounts[0].value


def yes_against_no(subject: Subject) -> pl.DataFrame:
    """The fact is yes and the answer begins with no, or the other way round."""
    answers = subject.golden.filter(pl.col(ANSWER).is_not_null() & (pl.col(FACT).str.len_chars() <= _LONGEST_YES))
    fact, answer = normal(answers[FACT]), normal(answers[ANSWER]).str.extract(r"^(\p{L}+)")
    opposite = pl.Series([_are_opposite(*pair) for pair in zip(fact, answer, strict=True)], dtype=pl.Boolean)
    return answers.filter(opposite).select(
        QUESTION_ID,
        pl.lit("The fact says yes where the answer says no, or the other way round.").alias(MESSAGE),
        pl.format("{} beside {}", quote_text(FACT), quote_text(ANSWER)).alias(EVIDENCE),
        pl.lit("Check which one is right and correct the other.").alias(SUGGESTION),
    )


def _are_opposite(fact: str, answer: str | None) -> bool:
    return any((fact, answer) in ((yes, no), (no, yes)) for yes, no in _YES_OR_NO)


def answered_unanswerable(subject: Subject) -> pl.DataFrame:
    """The question is marked as unanswerable, and has a fact or an answer: declining to answer would count as right and
    as wrong."""
    marked = subject.golden.filter(pl.col(ANSWERABLE).eq(False))
    answers = [*map(_first_answer, marked[QUESTION], marked[FACT], marked[ANSWER])]
    findings = marked.with_columns(pl.Series(VARIANT, answers, pl.String)).drop_nulls(VARIANT)
    message = "The question is marked as unanswerable, and the triplet answers it."
    return _report(findings, message, "Mark it as answerable, or remove fact and answer.")


def _first_answer(question: str, fact: str | None, answer: str | None) -> str | None:
    """The fact, else the answer, that is more than a refusal; None where neither is."""
    for text in (fact or "", answer or ""):
        stated = text.strip() and refusal.find(text, question).stance is Stance.SILENT
        if stated and not re.search(r"(?i)\bnot\b|\bno(?:ne)?\b|\bun\w+|n/a", text):
            return text
    return None


def no_answer(subject: Subject) -> pl.DataFrame:
    """The triplet has a fact and no answer, unlike most others: closeness and conciseness are not scored."""
    blank = pl.col(ANSWER).fill_null("").str.strip_chars() == ""
    usual = subject.golden.filter(~blank).height * 2 >= subject.golden.height
    has_fact = pl.col(FACT).fill_null("").str.strip_chars() != ""
    findings = subject.golden.filter(blank & has_fact & usual).with_columns(pl.col(QUESTION).alias(VARIANT))
    return _report(findings, "The triplet has a fact and no answer.", "Write the answer.")


def swapped_columns(subject: Subject) -> pl.DataFrame:
    """The texts stand in each other's place: the answer is a question, or the fact is a sentence that holds the whole
    answer."""
    asks = pl.col(ANSWER).str.contains(r"[?？]\s*$") & ~pl.col(QUESTION).str.contains(r"[?？]")
    holds = pl.col(FACT).str.contains(pl.col(ANSWER), literal=True) & (
        pl.col(FACT).str.len_chars() > pl.col(ANSWER).str.len_chars() + _MUCH_LONGER
    )
    alone = ~pl.col(FACT).str.contains("<OR>|<AND>") & (pl.col(ANSWER).str.strip_chars() != "")
    findings = subject.golden.filter((asks | (holds & alone)).fill_null(value=False))
    return _report(
        findings.with_columns(pl.coalesce(pl.when(asks).then(ANSWER), FACT).alias(VARIANT)),
        "Two texts of the triplet look swapped.",
        "Put question, answer and fact in their columns.",
    )


def two_questions(subject: Subject) -> pl.DataFrame:
    """The question asks for two things. A response that answers one of them is neither right nor wrong."""
    findings = subject.golden.filter(pl.col(QUESTION).str.contains(_TWO_QUESTIONS))
    return _report(
        findings.with_columns(pl.col(QUESTION).alias(VARIANT)),
        "The question asks for two things.",
        "Split the triplet in two, or join both facts with <AND>.",
    )


def variant_of_another(subject: Subject) -> pl.DataFrame:
    """One variant names what another triplet's answer names, and shares no word with this answer, as all others do: it
    may be copied from there. Responses that name it score 1."""
    named = subject.variants.filter(~pl.col(NEEDS_ALL) & pl.col(VARIANT).str.contains(_NAME))
    keyed = named.with_columns(normal(named[VARIANT]).alias("key"), normal(named[ANSWER].fill_null("")).alias("said"))
    asks = pl.col(QUESTION).str.to_lowercase().str.contains(pl.col(VARIANT).str.to_lowercase(), literal=True)
    keyed = keyed.filter((pl.col("key").str.len_chars() >= _LEAST_LETTERS) & ~asks)
    keyed = keyed.with_columns(pl.col("said").str.contains(pl.col("key"), literal=True).alias("here"))
    others = keyed.filter("here").select("key", pl.col(QUESTION_ID).alias("other")).unique("key", maintain_order=True)
    copied = keyed.filter((pl.col(COUNT) > 1) & ~pl.col("here")).join(others, on="key", maintain_order="left")
    foreign = [_is_foreign(*row) for row in copied.select("key", FACT, "said").iter_rows()]
    findings = copied.filter(pl.Series(foreign, dtype=pl.Boolean)).unique(
        QUESTION_ID, keep="first", maintain_order=True
    )
    return findings.select(
        QUESTION_ID,
        pl.lit("A variant names what another triplet's answer names, and this answer does not.").alias(MESSAGE),
        pl.format("{} in {}, as in {}", quote_text(VARIANT), quote_text(FACT), "other").alias(EVIDENCE),
        pl.lit("Remove the variant, unless both mean the same.").alias(SUGGESTION),
    )


def _is_foreign(key: str, fact: str, answer: str) -> bool:
    """Whether this variant alone, of the fact's, shares no word with the answer."""
    variants = normal(pl.Series(fact.split(OR_DELIMITER)))
    words = set(answer.split())
    return [variant for variant in variants if words.isdisjoint(variant.split())] == [key]


def _report(findings: pl.DataFrame, message: str, suggestion: str) -> pl.DataFrame:
    """A finding a row, which quotes its VARIANT."""
    return findings.select(
        QUESTION_ID,
        pl.lit(message).alias(MESSAGE),
        quote_text(VARIANT).alias(EVIDENCE),
        pl.lit(suggestion).alias(SUGGESTION),
    )
