"""Fits the model of verdicts on labelled families and writes it into the package: qaviz/diagnosis/model.json.

    python -m benchmarks.fit_model FOLDER [FOLDER ...] [--out FILE]

A FOLDER is as in `benchmarks.families`, or holds pairs.jsonl (see `benchmarks.pairs`). Families weigh the same,
whatever their size; what is written to mislead, `own` and the pairs, weighs OWN of that each. A weight may move the
probability only the way that its term says. Prints what each family gets from a model fitted without it.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import polars as pl
from scipy.optimize import minimize
from scipy.special import expit

from benchmarks.families import FAMILY, NAME, figures_by_family, mean_figures, read_labelled, say_figures
from benchmarks.figures import make_parser
from benchmarks.pairs import PAIRS, read_sides
from qaviz.diagnosis.columns import REFUSAL
from qaviz.diagnosis.model import CELL, TERMS, WEIGHTS, Model, Numbers, probabilities_of, read_terms, values_of_terms
from qaviz.model.classes import Verdict
from qaviz.model.columns import LABEL

MOST_ROWS = 1_500
"""Rows of one set that are fitted on, drawn by a hash."""
PULL = 1.5
"""How strongly weights are pulled to 0, against 1,000 rows in all."""
WORTH = 1_000
OWN = 0.15
"""What a family of cases written to mislead weighs against a natural one."""
WRITTEN = ("own", PAIRS)
SLOPE = 1.4
"""See `Model.slope`: of 1, 1.15, 1.3, 1.4 and 1.5 the one with the least calibration error on families left out."""
FEWEST_ROWS = 15
"""Rows of a family from which a kind of evidence counts as seen in it."""
PRECISE = {"ftol": 1e-13, "gtol": 1e-6, "maxiter": 5_000, "maxfun": 20_000}
"""When fitting ends: weights are right to four digits."""
_NAMES = ["1", *(term.name for term in TERMS)]


@dataclass(frozen=True)
class Fitted:
    """Labelled rows as the model sees them."""

    rows: pl.DataFrame
    """What `read_terms` returns, with LABEL, FAMILY and NAME."""
    values: Numbers

    def without(self, family: str) -> "Fitted":
        """The rows of the other families."""
        return self._take((self.rows[FAMILY] != family).to_numpy())

    def of(self, family: str) -> "Fitted":
        """The rows of one family."""
        return self._take((self.rows[FAMILY] == family).to_numpy())

    def _take(self, kept: np.ndarray) -> "Fitted":
        return Fitted(self.rows.filter(pl.Series(kept)), self.values[kept])

    @property
    def families(self) -> list[str]:
        return self.rows[FAMILY].unique(maintain_order=True).to_list()


def prepare(labelled: pl.DataFrame, *carried: str | pl.Expr) -> Fitted:
    """Return rows of `read_labelled` as the model sees them, with these columns beside."""
    rows = read_terms(labelled).hstack(labelled.select(LABEL, FAMILY, NAME, *carried))
    return Fitted(rows, values_of_terms(rows))


def read_folders(folders: Sequence[Path], *carried: str | pl.Expr) -> tuple[Fitted, Fitted]:
    """Return all labelled rows of the folders, with these columns beside, and what a model is fitted on: rows drawn of
    them, and the pairs of all folders."""
    labelled = read_labelled(folders)
    drawn = pl.concat([draw(labelled), read_sides(folders)], how="diagonal_relaxed")
    return prepare(labelled, *carried), prepare(drawn)


def draw(labelled: pl.DataFrame) -> pl.DataFrame:
    """Return at most MOST_ROWS rows of each set."""
    place = pl.int_range(pl.len()).hash(7).rank().over(NAME)
    return labelled.filter(place <= MOST_ROWS)


def fit(of: Fitted, *, members: bool = True) -> Model:
    """Return the model of these rows; `members`: with a model without each family."""
    labelled = of.rows.filter(pl.col(FAMILY) != PAIRS)
    kinds = labelled.group_by(CELL.alias("cell"), FAMILY).agg(pl.len()).filter(pl.col("len") >= FEWEST_ROWS)
    return Model(
        card={},
        weights=_fit_weights(of),
        members={family: _fit_weights(of.without(family)) for family in of.families} if members else {},
        slope=SLOPE,
        families_of=dict(sorted(kinds.group_by("cell").agg(pl.len()).iter_rows())),
        declined=_fit_declined(of.rows),
    )


def _fit_weights(of: Fitted) -> dict[str, float]:
    """Ridge logistic regression with bounds on the signs of weights."""
    pulls = np.array([0.01, *(PULL * term.pull for term in TERMS)])
    priors = np.array([0.0, *(term.prior for term in TERMS)])
    bounds = [(None, None), *((0 if term.moves > 0 else None, 0 if term.moves < 0 else None) for term in TERMS)]
    rows, right = _weigh(of.rows), (of.rows[LABEL] == Verdict.CORRECT.value).to_numpy().astype(np.float64)

    def cost(weights: Numbers) -> tuple[float, Numbers]:
        odds, moved = of.values @ weights, weights - priors
        value = (rows * (np.logaddexp(0, odds) - right * odds)).sum() + 0.5 * (pulls * moved**2).sum()
        return float(value), of.values.T @ (rows * (expit(odds) - right)) + pulls * moved

    weights = minimize(cost, priors, jac=True, method="L-BFGS-B", bounds=bounds, options=PRECISE).x
    return {name: round(float(weight), 4) for name, weight in zip(_NAMES, weights, strict=True)}


def _weigh(rows: pl.DataFrame) -> Numbers:
    """A family weighs the same as another, a set of a family as another of it."""
    sets = pl.col(NAME).n_unique().over(FAMILY)
    own = pl.when(pl.col(FAMILY).is_in(WRITTEN)).then(OWN).otherwise(1.0)
    weights = rows.select((own / (sets * pl.len().over(NAME))).alias("weight")).to_series().to_numpy()
    return np.asarray(weights / weights.sum() * WORTH, np.float64)


def _fit_declined(rows: pl.DataFrame) -> dict[str, float]:
    """Log odds that a response which is not right is labelled declined, on sets that have that label."""
    has = (pl.col(LABEL) == Verdict.DECLINED.value).any().over(NAME)
    options = rows.filter(has & (pl.col(LABEL) != Verdict.CORRECT.value))
    odds = {}
    for name, refuses in (("none", False), ("some", True)):
        labels = options.filter(pl.col(REFUSAL).is_not_null() == refuses)[LABEL]
        share = (float((labels == Verdict.DECLINED.value).sum()) + 1) / (len(labels) + 2)
        odds[name] = round(float(np.log(share / (1 - share))), 4)
    return odds


def judge_unseen(every: Fitted, fitted: Fitted) -> pl.DataFrame:
    """Return the rows with PROBABILITY_SCHEMA, each family by a model fitted without it."""
    parts = []
    for family in every.families:
        mine, model = every.of(family), fit(fitted.without(family))
        parts.append(mine.rows.hstack(probabilities_of(mine.rows, mine.values, model)))
    return pl.concat(parts)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = make_parser(__doc__, folders=True)
    parser.add_argument("--out", type=Path, default=WEIGHTS, metavar="FILE")
    options = parser.parse_args(arguments)
    every, fitted = read_folders(options.folders)
    figures = figures_by_family(judge_unseen(every, fitted))
    say_figures(figures)
    model = fit(fitted)
    card = {
        "what": "probability that a person calls a response correct: logistic regression over evidence and overlap",
        "made": datetime.now(UTC).date().isoformat(),
        "command": "python -m benchmarks.fit_model SETS",
        "rows": fitted.rows.height,
        "families": {family: fitted.of(family).rows[NAME].unique().sort().to_list() for family in fitted.families},
        "families left out": mean_figures(figures),
    }
    options.out.write_text(json.dumps(asdict(model) | {"card": card}, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
