"""What every rule of lint shares: what is linted, what a finding is, and how findings quote texts."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from inspect import getdoc
from typing import NamedTuple

import polars as pl

from qaviz.diagnosis.rules import either, is_blank
from qaviz.model import columns as c
from qaviz.model.columns import AND_DELIMITER, FACT, OR_DELIMITER, QUESTION_ID
from qaviz.scoring import forms

ERROR, WARNING, NOTE = "error", "warning", "note"
SEVERITIES = (ERROR, WARNING, NOTE)
"""The worst first."""


class Finding(NamedTuple):
    """One finding: a row of FINDINGS. `field` and `proposed` are null together."""

    question_id: str
    rule: str
    """The rule's name, such as `empty-variant`."""
    severity: str
    """`error`: scores are wrong because of it. `warning`: they probably are. `note`: worth a look."""
    message: str
    """What is wrong, in a sentence."""
    evidence: str
    """The texts that show it, quoted."""
    suggestion: str
    """What to do, in words."""
    field: str | None
    """The text of the triplet that `proposed` replaces: `question`, `answer` or `fact`."""
    proposed: str | None
    """The whole new text of that field; null where no edit can be made without a person."""


_, RULE, SEVERITY, MESSAGE, EVIDENCE, SUGGESTION, FIELD, PROPOSED = Finding._fields
FINDINGS = pl.Schema(Finding.__annotations__)
"""The columns of `lint`, in order."""

PLACE = "place"
"""The triplet's place in the golden dataset, from 0."""
VARIANT = "variant"
"""One variant of a fact as it is written, blanks and all."""
COUNT = "count"
"""How many variants the fact has."""
NEEDS_ALL = "needs_all"
"""Whether the fact is joined by `<AND>`: its parts are things to state, not forms of one thing."""
HELD = "held"
"""What a response counts as: its label, else its verdict."""

QUOTED, LISTED = 80, 4
"""Characters of a text that a finding quotes at most, and texts that it lists."""


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
    labels: pl.DataFrame | None = None
    """The label that counts of each labelled response: QUESTION_ID, PIPELINE, LABEL."""
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
        """One row a variant of a fact: the golden columns, VARIANT, COUNT, NEEDS_ALL.

        A fact that holds nothing but delimiters and blanks is none: it is not scored.
        """
        needs_all = pl.col(FACT).str.contains(AND_DELIMITER, literal=True)
        mark = either(needs_all, AND_DELIMITER, OR_DELIMITER)
        columns = pl.col(FACT).str.split(mark).alias(VARIANT), needs_all.alias(NEEDS_ALL)
        split = self.golden.filter(~is_blank(FACT)).with_columns(columns)
        return split.with_columns(pl.col(VARIANT).list.len().alias(COUNT)).explode(VARIANT)

    @cached_property
    def run(self) -> pl.DataFrame:
        """The run's rows of triplets that the golden dataset still has, with HELD and `by_person` (see `mark_held`)."""
        if self.rows is None:
            raise ValueError("a rule that needs a run is asked without one")
        kept = self.rows.select(pl.col(QUESTION_ID).is_in(self.golden[QUESTION_ID].implode())).to_series()
        # Usually all: the texts of a million responses are not copied for nothing.
        return mark_held(self.rows if kept.all() else self.rows.filter(kept), self.labels)


def mark_held(rows: pl.DataFrame, labels: pl.DataFrame | None) -> pl.DataFrame:
    """The rows with HELD, and with `by_person`: whether a label says so."""
    if labels is None:
        return rows.with_columns(pl.col(c.VERDICT).alias(HELD), pl.lit(False).alias("by_person"))
    labelled = labels.select(QUESTION_ID, c.PIPELINE, pl.col(c.LABEL).alias(HELD))
    joined = rows.join(labelled, on=[QUESTION_ID, c.PIPELINE], how="left", maintain_order="left")
    return joined.with_columns(pl.col(HELD).is_not_null().alias("by_person"), pl.coalesce(HELD, c.VERDICT).alias(HELD))


RUN, MODEL = "run", "model"


@dataclass(frozen=True)
class FunctionRule:
    """A rule that compares texts: a function finds it, whose docstring explains it."""

    name: str
    severity: str
    find: Callable[[Subject], pl.DataFrame]
    needs: str = ""

    @property
    def explanation(self) -> tuple[str, ...]:
        """The rule in words, for the user."""
        return (" ".join((getdoc(self.find) or "").split()),)


def join_once(fact: str) -> str:
    """The fact with each variant once: FMEval reads two that differ in capitals or outer blanks alike."""
    mark = AND_DELIMITER if AND_DELIMITER in fact else OR_DELIMITER
    variants = dict[str, str]()
    for variant in fact.split(mark):
        variants.setdefault(variant.strip().lower(), variant)
    return mark.join(variants.values())


def report(
    table: pl.DataFrame,
    message: str | pl.Expr,
    evidence: pl.Expr,
    suggestion: str | pl.Expr,
    proposed: pl.Expr | None = None,
    field: str = FACT,
) -> pl.DataFrame:
    """Return a finding for each row of a table with QUESTION_ID: FINDINGS but RULE, SEVERITY if the table has it."""
    texts = {MESSAGE: message, EVIDENCE: evidence, SUGGESTION: suggestion, PROPOSED: proposed}
    columns = (
        (text.cast(pl.String) if isinstance(text, pl.Expr) else pl.lit(text, pl.String)).alias(name)
        for name, text in texts.items()
    )
    severity = [SEVERITY] if SEVERITY in table.columns else []
    findings = table.select(QUESTION_ID, *severity, *columns)
    return findings.with_columns(pl.when(pl.col(PROPOSED).is_not_null()).then(pl.lit(field)).alias(FIELD))


def normal(texts: pl.Series) -> pl.Series:
    """Return texts as quasi-exact Factual Knowledge reads them: in small letters, without punctuation and articles."""
    return forms.normal(forms.lower(texts)).str.strip_chars(" ").alias(texts.name)


def quote_text(column: str | pl.Expr) -> pl.Expr:
    """The text in quotation marks, on one line, shortened to QUOTED characters."""
    text = pl.col(column) if isinstance(column, str) else column
    line = text.str.replace_all(r"[\r\n\t]+", " ")
    return pl.format("“{}”", pl.when(line.str.len_chars() > QUOTED).then(line.str.head(QUOTED) + "…").otherwise(line))


def list_texts(texts: pl.Expr) -> pl.Expr:
    """A group's texts, quoted: the first LISTED, and how many more there are."""
    more = either(texts.len() > LISTED, pl.format(" and {} more", texts.len() - LISTED))
    return quote_text(texts).head(LISTED).str.join(", ") + more
