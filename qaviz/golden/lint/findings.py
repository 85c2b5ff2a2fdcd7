"""What every rule of lint shares: what is linted, what a finding is, how findings quote texts, and what a proposed fact
would also match.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from inspect import getdoc
from typing import NamedTuple

import polars as pl

from qaviz.golden.expanding import PROPOSED_FORM
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
from qaviz.model.columns import AND_DELIMITER, FACT, OR_DELIMITER, QUESTION_ID
from qaviz.scoring import forms

RULE = "rule"
"""The rule's name, such as `empty-variant`."""
SEVERITY = "severity"
"""`error`: scores are wrong because of it. `warning`: they probably are. `note`: worth a look."""
MESSAGE = "message"
"""What is wrong, in a sentence."""
EVIDENCE = "evidence"
"""The texts that show it, quoted."""
SUGGESTION = "suggestion"
"""What to do, in words; null where only a person can tell."""
FIELD = "field"
"""The text of the triplet that `proposed` replaces: `question`, `answer` or `fact`; null where nothing is proposed."""
PROPOSED = "proposed"
"""The whole new text of that field; null where no edit can be made without a person."""

ERROR, WARNING, NOTE = "error", "warning", "note"
SEVERITIES = (ERROR, WARNING, NOTE)
"""The worst first."""

FINDINGS = pl.Schema(
    dict.fromkeys((QUESTION_ID, RULE, SEVERITY, MESSAGE, EVIDENCE, SUGGESTION, FIELD, PROPOSED), pl.String())
)
"""The columns of `lint`, in order. `field` and `proposed` are null together."""


class Finding(NamedTuple):
    """One finding: a row of FINDINGS."""

    question_id: str
    rule: str
    severity: str
    message: str
    evidence: str | None
    suggestion: str | None
    field: str | None
    proposed: str | None


PLACE = "place"
"""The triplet's place in the golden dataset, from 0."""
VARIANT = "variant"
"""One variant of a fact as it is written, blanks and all."""
NUMBER = "number"
"""The variant's place in its fact, from 1."""
COUNT = "count"
"""How many variants the fact has."""
NEEDS_ALL = "needs_all"
"""Whether the fact is joined by `<AND>`: its parts are things to state, not forms of one thing."""

QUOTED = 80
"""Characters of a text that a finding quotes at most."""
_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
DATED = (
    rf"(?i)\b(?:{_MONTH})[a-z]*\.? \d|\d(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})|\d{{4}}-\d{{2}}-\d{{2}}"
    r"|\d{1,2}[/.]\d{1,2}[/.]\d{4}|tháng \d"
)
"""A text that holds a date, for polars."""
LISTED = 4
"""Texts that a finding lists at most."""


@dataclass(frozen=True)
class Subject:
    """A golden dataset, and the diagnosed rows of a run over it."""

    golden: pl.DataFrame
    """One row a triplet: GOLDEN_COLUMNS."""
    rows: pl.DataFrame | None = None
    """One row a response: what `qaviz.diagnosis.diagnose` returns."""
    judged: pl.DataFrame | None = None
    """One row a triplet that a model has judged: TRIPLET_FINDINGS of `qaviz.store.labels`."""
    forms: pl.DataFrame | None = None
    """One row a form of an answer that a model proposed: ANSWER_FORMS of `qaviz.store.labels`."""
    _made: dict[Callable[["Subject"], pl.DataFrame], pl.DataFrame] = field(default_factory=dict, init=False)

    def once(self, make: Callable[["Subject"], pl.DataFrame]) -> pl.DataFrame:
        """Return what `make` makes of this subject. Rules that share a table make it once."""
        if make not in self._made:
            self._made[make] = make(self)
        return self._made[make]

    @cached_property
    def places(self) -> pl.DataFrame:
        """QUESTION_ID and PLACE of each triplet."""
        return self.golden.select(QUESTION_ID).with_row_index(PLACE)

    @cached_property
    def variants(self) -> pl.DataFrame:
        """One row a variant of a fact: the golden columns, VARIANT, NUMBER, COUNT, NEEDS_ALL.

        A fact that holds nothing but delimiters and blanks is none: it is not scored.
        """
        says_something = pl.col(FACT).str.replace_all(f"{OR_DELIMITER}|{AND_DELIMITER}", "").str.strip_chars() != ""
        split = self.golden.filter(says_something).with_columns(
            pl.col(FACT).str.split(delimiter()).alias(VARIANT),
            pl.col(FACT).str.contains(AND_DELIMITER, literal=True).alias(NEEDS_ALL),
        )
        size = pl.col(VARIANT).list.len()
        numbered = split.with_columns(size.alias(COUNT), pl.int_ranges(1, size + 1, dtype=pl.UInt32).alias(NUMBER))
        return numbered.explode(VARIANT, NUMBER)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One way in which a golden triplet can be at fault."""

    name: str
    severity: str
    find: Callable[[Subject], pl.DataFrame]
    """Returns QUESTION_ID, MESSAGE, EVIDENCE and, where it has them, SUGGESTION, FIELD, PROPOSED: one row a finding."""
    needs_run: bool = False
    """It reads the rows of a run, and finds nothing without."""
    needs_judge: bool = False
    """It reads what a judge found or a model proposed, and finds nothing without."""

    @property
    def explanation(self) -> str:
        """The rule in words, for the user."""
        return " ".join((getdoc(self.find) or "").split())

    def findings(self, subject: Subject) -> pl.DataFrame:
        """Return what the rule finds, one row a finding: FINDINGS."""
        findings = self.find(subject).with_columns(pl.lit(self.name).alias(RULE), pl.lit(self.severity).alias(SEVERITY))
        typed = findings.match_to_schema(FINDINGS, missing_columns="insert", extra_columns="ignore")
        return typed.with_columns(pl.when(pl.col(FIELD) == FACT).then(_without_doubles()).otherwise(PROPOSED))


def _without_doubles() -> pl.Expr:
    """PROPOSED, a fact, with each variant once: FMEval reads two that differ in capitals or blanks alike."""
    mark = pl.lit(AND_DELIMITER)
    mark = (
        pl.when(pl.col(PROPOSED).str.contains(AND_DELIMITER, literal=True)).then(mark).otherwise(pl.lit(OR_DELIMITER))
    )
    variants = pl.col(PROPOSED).str.split(mark)
    keys = variants.list.eval(_level(pl.element()))
    first = variants.list.eval(pl.element().filter(_level(pl.element()).is_first_distinct()))
    return (
        pl.when(keys.list.n_unique() < keys.list.len()).then(first.list.join(mark)).otherwise(PROPOSED).alias(PROPOSED)
    )


def _level(text: pl.Expr) -> pl.Expr:
    return text.str.to_lowercase().str.strip_chars()


def normal(texts: pl.Series) -> pl.Series:
    """Return texts as quasi-exact Factual Knowledge reads them: in small letters, without punctuation and articles."""
    return forms.normal(forms.lower(texts)).str.strip_chars(" ").alias(texts.name)


def rejoin_variants(variants: pl.DataFrame) -> pl.DataFrame:
    """Return QUESTION_ID and `fact` put together again from these rows of `Subject.variants`, a question's in order."""
    parts = variants.group_by(QUESTION_ID, maintain_order=True).agg(VARIANT, pl.col(FACT).first())
    return parts.select(QUESTION_ID, pl.col(VARIANT).list.join(delimiter()).alias(FACT))


def quote_text(column: str | pl.Expr) -> pl.Expr:
    """The text in quotation marks, on one line, shortened to QUOTED characters."""
    text = pl.col(column) if isinstance(column, str) else column
    line = text.str.replace_all(r"[\r\n\t]+", " ")
    return pl.format("“{}”", pl.when(line.str.len_chars() > QUOTED).then(line.str.head(QUOTED) + "…").otherwise(line))


def list_texts(texts: pl.Expr) -> pl.Expr:
    """A group's texts, quoted: the first LISTED, and how many more there are."""
    more = pl.when(texts.len() > LISTED).then(pl.format(" and {} more", texts.len() - LISTED)).otherwise(pl.lit(""))
    return quote_text(texts).head(LISTED).str.join(", ") + more


def delimiter() -> pl.Expr:
    """What joins the variants of `fact`: `<AND>` in a fact that holds it, `<OR>` in any other."""
    needs_all = pl.col(FACT).str.contains(AND_DELIMITER, literal=True)
    return pl.when(needs_all).then(pl.lit(AND_DELIMITER)).otherwise(pl.lit(OR_DELIMITER))


_WRONG = [Verdict.INCORRECT.value, Verdict.DECLINED.value]
_NEGATING = "dis|un|in|im|il|ir|non|mis|anti"
_LETTERS = re.compile(r"[^\W\d_]+")
_PLACE, _PART = "place", "part"


def without_harm(findings: pl.DataFrame, subject: Subject) -> pl.DataFrame:
    """The findings (FINDINGS) without proposed variants of a fact that would also match what is wrong.

    A new variant is left out if a response that is judged incorrect or declines holds it, and not the fact so far, or
    if it stands inside a longer word in the triplet or in a response to it. A finding that only added such variants
    goes; another one keeps its message and proposes nothing.
    """
    placed = findings.with_row_index(_PLACE)
    golden = subject.golden.select(c.QUESTION_ID, pl.col(c.FACT).fill_null(""))
    # What a verdict calls wrong may be right, in a form that nobody has confirmed: a person decides by the preview.
    edits = placed.filter(pl.col(FIELD) == c.FACT, pl.col(RULE) != PROPOSED_FORM).join(
        golden, on=c.QUESTION_ID, maintain_order="left"
    )
    alternatives = edits.filter(~pl.col(PROPOSED).str.contains(c.AND_DELIMITER, literal=True))
    parts = alternatives.with_columns(pl.col(PROPOSED).str.split(c.OR_DELIMITER).alias(_PART)).explode(_PART)
    is_new = ~pl.col(c.FACT).str.split(c.OR_DELIMITER).list.contains(pl.col(_PART))
    parts = parts.select(_PLACE, c.QUESTION_ID, c.FACT, _PART, is_new.alias("new"))
    new = parts.filter(pl.col("new") & (pl.col(_PART).str.strip_chars() != ""))
    harmful = pl.concat([_match_wrong(new, subject), _match_inside(new, subject)]).unique()
    return findings if harmful.is_empty() else _leave_out(placed, parts, harmful)


def _match_wrong(new: pl.DataFrame, subject: Subject) -> pl.DataFrame:
    """_PLACE and _PART of the variants that a wrong response holds which the fact so far does not match."""
    if subject.rows is None:
        return new.select(_PLACE, _PART).clear()
    wrong = subject.rows.filter(
        pl.col(c.QUESTION_ID).is_in(new[c.QUESTION_ID].unique().implode())
        & pl.col(c.VERDICT).cast(pl.String).is_in(_WRONG)
        & (pl.col(c.FACTUAL_KNOWLEDGE).fill_null(0) == 0)
    )
    held = pl.col(c.RESPONSE).str.to_lowercase().str.contains(pl.col(_PART).str.to_lowercase(), literal=True)
    return new.join(wrong.select(c.QUESTION_ID, c.RESPONSE), on=c.QUESTION_ID).filter(held).select(_PLACE, _PART)


def _match_inside(new: pl.DataFrame, subject: Subject) -> pl.DataFrame:
    """_PLACE and _PART of the variants that stand inside longer words: `advantage` in `disadvantage`.

    Behind a letter in the triplet or a response to it, or the first word behind a negating prefix in any of them.
    """
    triplets = pl.concat_str(c.QUESTION, c.ANSWER, separator=" ", ignore_nulls=True).alias(c.RESPONSE)
    texts = [subject.golden.select(c.QUESTION_ID, triplets)]
    if subject.rows is not None:
        texts.append(subject.rows.select(c.QUESTION_ID, c.RESPONSE))
    worded = new.filter(pl.col(_PART).str.contains(r"^[a-zA-Z][\x00-\x7f]*$"))
    ids = worded[c.QUESTION_ID].unique().implode()
    responses = pl.concat([table.filter(pl.col(c.QUESTION_ID).is_in(ids)) for table in texts]).drop_nulls()
    by_question = responses.group_by(c.QUESTION_ID).agg(pl.col(c.RESPONSE).str.to_lowercase().str.join(" "))
    tried = worded.join(by_question, on=c.QUESTION_ID, maintain_order="left").with_columns(
        pl.col(_PART).str.to_lowercase().alias("lower"),
        pl.col(_PART).str.to_lowercase().str.extract(r"^([a-z]+)").alias("first"),
    )
    words = pl.DataFrame({"word": [*{*_LETTERS.findall(" ".join(by_question[c.RESPONSE]))}]}, {"word": pl.String})
    negated = words.select(pl.col("word").str.extract(rf"^(?:{_NEGATING})([a-z]+)$").alias("first")).drop_nulls()
    by_prefix = tried.join(negated, on="first", how="semi")
    held = tried.filter(pl.col(c.RESPONSE).str.contains(pl.col("lower"), literal=True))
    pairs = held.select("lower", c.RESPONSE).iter_rows()
    behind = [re.search(rf"[a-z]{re.escape(part)}", text) is not None for part, text in pairs]
    by_letter = held.filter(pl.Series(behind, dtype=pl.Boolean))
    return pl.concat([by_prefix, by_letter]).select(_PLACE, _PART)


def _leave_out(placed: pl.DataFrame, parts: pl.DataFrame, harmful: pl.DataFrame) -> pl.DataFrame:
    """The findings, those that proposed something harmful with what is left of it."""
    touched = pl.col(_PLACE).is_in(harmful[_PLACE].unique().implode())
    kept = parts.filter(touched).join(harmful, on=[_PLACE, _PART], how="anti", maintain_order="left")
    left = kept.group_by(_PLACE, maintain_order=True).agg(
        pl.col(_PART).str.join(c.OR_DELIMITER).alias("left"),
        pl.col(_PART).filter("new").str.join(", ").alias("added"),
    )
    only_adds = parts.group_by(_PLACE).agg((pl.len() - pl.col("new").sum()).alias("old"), pl.first(c.FACT))
    joined = placed.join(left, on=_PLACE, how="left", maintain_order="left")
    joined = joined.join(only_adds, on=_PLACE, how="left", maintain_order="left")
    adds = pl.col("old") == pl.when(pl.col(c.FACT) == "").then(0).otherwise(
        pl.col(c.FACT).str.count_matches("<OR>") + 1
    )
    useful = pl.col("added").fill_null("") != ""
    return (
        joined.filter(~touched | useful | ~adds)
        .with_columns(
            pl.when(~touched).then(PROPOSED).when(useful).then("left").alias(PROPOSED),
            pl.when(~touched | useful).then(FIELD).alias(FIELD),
            pl.when(~touched)
            .then(SUGGESTION)
            .when(useful)
            .then(pl.format("Add {}.", "added"))
            .otherwise(pl.lit("Ask a person: the text that lint would propose also matches a wrong response."))
            .alias(SUGGESTION),
        )
        .select(name for name in placed.columns if name != _PLACE)
    )
