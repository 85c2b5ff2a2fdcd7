"""What is linted: a golden dataset and, if there is one, a run over it, in the forms that several rules need."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import polars as pl

from qaviz.golden.lint.texts import delimiter
from qaviz.model.columns import AND_DELIMITER, FACT, OR_DELIMITER, QUESTION_ID
from qaviz.scoring import forms

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


@dataclass(frozen=True)
class Subject:
    """A golden dataset, and the diagnosed rows of a run over it."""

    golden: pl.DataFrame
    """One row a triplet: GOLDEN_COLUMNS."""
    rows: pl.DataFrame | None = None
    """One row a response: what `qaviz.diagnosis.diagnose` returns."""
    judged: pl.DataFrame | None = None
    """One row a triplet that a model has judged: TRIPLET_FINDINGS of `qaviz.store.triplet_findings`."""
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


def normal(texts: pl.Series) -> pl.Series:
    """Return texts as quasi-exact Factual Knowledge reads them: in small letters, without punctuation and articles."""
    return forms.normal(forms.lower(texts)).str.strip_chars(" ").alias(texts.name)


def rejoin_variants(variants: pl.DataFrame) -> pl.DataFrame:
    """Return QUESTION_ID and `fact` put together again from these rows of `Subject.variants`, a question's in order."""
    parts = variants.group_by(QUESTION_ID, maintain_order=True).agg(VARIANT, pl.col(FACT).first())
    return parts.select(QUESTION_ID, pl.col(VARIANT).list.join(delimiter()).alias(FACT))
