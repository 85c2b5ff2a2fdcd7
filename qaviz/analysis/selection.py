"""The responses of a run that pass, by the places of their rows: a million are not copied to show a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import cast

import polars as pl

from qaviz.analysis.criteria import CRITICAL, has_tag
from qaviz.analysis.outcomes import SEED, is_right
from qaviz.diagnosis.columns import SPANS
from qaviz.model import columns as c
from qaviz.model.classes import Diagnosis, Fault, Verdict

MOST_CATEGORIES = 500
"""Beyond this a category is no group but another id: the text filter finds it."""

_OF_ONE_RESPONSE = (c.WARNINGS, SPANS, c.CONTEXTS, c.THEIR_SCORES, *c.HIT_COLUMNS, c.SOURCE, c.TAGS)
"""Columns that no list shows: to look up rows of them takes longer than of the others together."""

RANGED = {"closeness": c.RECALL, "conciseness": c.PRECISION, "confidence": c.CONFIDENCE}
"""Figures of a response, 0 to 1, that a list is narrowed by, with their columns."""
Range = tuple[float, float]
"""From, and up to: to 1 with 1 itself."""
_ROUNDING = 1e-9

_DIAGNOSED = pl.Schema({c.DIAGNOSIS: pl.Enum(Diagnosis), c.VERDICT: pl.Enum(Verdict), c.FAULT: pl.Enum(Fault)})


def groups_of(golden: pl.DataFrame) -> list[str]:
    """The categories of a golden dataset, in its order; none where there are too many to choose from."""
    categories = golden[c.CATEGORY].drop_nulls().unique(maintain_order=True).to_list()
    return categories if len(categories) <= MOST_CATEGORIES else []


def classes_of(rows: pl.DataFrame, golden: pl.DataFrame, pipelines: Sequence[str]) -> pl.DataFrame:
    """The columns of a run's rows that filters and counts read, a byte a response: as Enums.

    Columns: pipeline, diagnosis, verdict, fault, and category if `groups_of` has any.
    """
    groups = groups_of(golden)
    kinds = {c.PIPELINE: pl.Enum(list(pipelines)), **_DIAGNOSED} | ({c.CATEGORY: pl.Enum(groups)} if groups else {})
    return rows.select(pl.col(column).cast(kind) for column, kind in kinds.items()).rechunk()


@dataclass(frozen=True, kw_only=True)
class Passing:
    """Responses of a run, in the order in which they are listed."""

    rows: pl.DataFrame
    """All rows of the run."""
    classes: pl.DataFrame
    """`classes_of` all rows."""
    places: pl.Series | None = None
    """The places in `rows` of those that pass; None for all, in their order."""

    @property
    def height(self) -> int:
        """How many responses pass."""
        return self.rows.height if self.places is None else len(self.places)

    def slice(self, offset: int, length: int) -> pl.DataFrame:
        """So many of the responses from this one on."""
        return self._of_places(self.rows.drop(_OF_ONE_RESPONSE, strict=False), offset, length)

    def select(self, columns: Sequence[str], /) -> pl.DataFrame:
        """These columns of all responses that pass, classes as Enums."""
        classed = self.classes.columns
        table = pl.DataFrame([(self.classes if name in classed else self.rows)[name] for name in columns])
        return self._of_places(table, 0, self.height)

    def at(self, places: pl.Series) -> "Passing":
        """Those at these places of the list, in this order."""
        return replace(self, places=places if self.places is None else self.places.gather(places))

    def among(self, places: pl.Series) -> "Passing":
        """Those at these places of `rows`, in the list's order."""
        return self.at(self._places_in_rows().is_in(places.implode()).arg_true())

    def _places_in_rows(self) -> pl.Series:
        """The place in `rows` of each response of the list."""
        return pl.int_range(self.rows.height, dtype=pl.UInt32, eager=True) if self.places is None else self.places

    def ordered(self, order: pl.Series) -> "Passing":
        """All of them in this order of the places of all `rows`."""
        if self.places is None:
            return replace(self, places=order)
        passes = pl.repeat(False, self.rows.height, dtype=pl.Boolean, eager=True).scatter(self.places, True)
        return replace(self, places=order.filter(passes.gather(order)))

    def where(self, column: str, values: Sequence[str]) -> "Passing":
        """Those whose class is one of these."""
        return self.at(self.select([column]).select(pl.arg_where(pl.col(column).is_in(values))).to_series())

    def within(self, ranges: Mapping[str, Range]) -> "Passing":
        """Those of which each figure of RANGED that is named lies in its range; none without the figure."""
        passing = self
        for name, (low, high) in ranges.items():
            figures = passing.select([RANGED[name]]).to_series()
            below = figures <= high + _ROUNDING if high >= 1 else figures < high - _ROUNDING
            passing = passing.at(((figures >= low - _ROUNDING) & below).arg_true())
        return passing

    def find_five_worst(self, order: pl.Series, overruled: pl.Series) -> pl.Series:
        """The places in `rows` of the WORST wrong answers of the list, each of another question, the worst first.

        `order` is `find_worst` of all `rows`; none that somebody overrules, as `outcomes.find_overruled` says of them.
        """
        wrong = (self.classes[c.VERDICT] == Verdict.INCORRECT.value) & ~overruled
        places = self.ordered(order)._places_in_rows()
        places = places.filter(wrong.gather(places))
        return places.filter(self.rows[c.QUESTION_ID].gather(places).is_first_distinct()).head(WORST)

    def _of_places(self, table: pl.DataFrame, offset: int, length: int) -> pl.DataFrame:
        return table.slice(offset, length) if self.places is None else table[self.places.slice(offset, length)]


class ResponseOrder(StrEnum):
    """Orders of a list of responses; the first is the usual one."""

    WORST = "Worst first"
    FILES = "As in the files"
    QUESTION = "By question"
    UNCERTAIN = "Least certain first"
    CLOSENESS = "Least close first"
    CONCISENESS = "Least concise first"
    RANDOM = "In random order"


_SORTED_BY = {
    ResponseOrder.QUESTION: c.QUESTION_ID,
    ResponseOrder.UNCERTAIN: c.CONFIDENCE,
    ResponseOrder.CLOSENESS: c.RECALL,
    ResponseOrder.CONCISENESS: c.PRECISION,
}

STAKES = {
    Diagnosis.HALLUCINATION.value: 3.0,
    Diagnosis.ACCIDENTAL.value: 2.0,
    Diagnosis.OFF_TARGET.value: 2.0,
    Diagnosis.DECLINED.value: 1.0,
    Diagnosis.UNSCORED.value: 0.5,
}
"""How much a response of each diagnosis hurts: a wrong value is believed, an answer that is not given is not."""
WORST = 5
"""Answers that stand for what goes wrong."""


def find_worst(rows: pl.DataFrame, classes: pl.DataFrame) -> pl.Series:
    """The places of a run's rows, the worst first: by stakes times confidence, then right ones, the least sure first.

    A question tagged critical counts twice. `classes` are those of `classes_of` all rows.
    """
    sure = rows[c.CONFIDENCE].fill_null(0.0)
    stakes = classes[c.DIAGNOSIS].cast(pl.String).replace_strict(STAKES, default=0.0, return_dtype=pl.Float64)
    if c.TAGS in rows.columns:
        stakes = stakes * rows.select(pl.when(has_tag(CRITICAL)).then(2.0).otherwise(1.0)).to_series()
    right = rows.with_columns(classes[c.VERDICT].cast(pl.String)).select(is_right(pl.col(c.VERDICT), rows.columns))
    keys = pl.DataFrame({"harm": stakes * sure * ~right.to_series(), "sure": sure})
    return keys.select(pl.arg_sort_by(-pl.col("harm"), "sure", maintain_order=True)).to_series()


def in_response_order(listed: Passing, order: ResponseOrder) -> Passing:
    """The responses in this order, those without a value last; where two are equal, as in the files."""
    if order == ResponseOrder.FILES:
        return listed
    if order == ResponseOrder.WORST:
        return listed.ordered(find_worst(listed.rows, listed.classes))
    if order == ResponseOrder.RANDOM:
        return listed.at(pl.int_range(listed.height, dtype=pl.UInt32, eager=True).shuffle(SEED))
    by = listed.select([_SORTED_BY[order]])
    return listed.at(by.select(pl.arg_sort_by(by.columns, nulls_last=True, maintain_order=True)).to_series())


def class_counts(rows: pl.DataFrame, column: str) -> dict[str, int]:
    """How many rows have each value of DIAGNOSIS, VERDICT or FAULT, an Enum; a value of no row is not there."""
    # Compared with each of the few values: a tenth of the time that grouping takes.
    values = cast(pl.Enum, rows.schema[column]).categories
    counts = rows.select((pl.col(column) == value).sum().alias(value) for value in values).row(0, named=True)
    return {value: count for value, count in counts.items() if count}


def moves(before: pl.Series, after: pl.Series) -> pl.DataFrame:
    """Responses whose diagnosis differs: columns before, after, responses; the most frequent move first."""
    both = pl.DataFrame({"before": before, "after": after}).filter(pl.col("before") != pl.col("after"))
    counted = both.group_by("before", "after").agg(pl.len().alias("responses"))
    named = counted.cast({"before": pl.String, "after": pl.String})
    return named.sort("responses", "before", "after", descending=[True, False, False])
