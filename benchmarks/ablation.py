"""What each term of the model is worth on families that it was not fitted on.

    python -m benchmarks.ablation FOLDER [FOLDER ...] [--without TERM [TERM ...]]

Fits the model without each term in turn, or without all of TERMs at once, each family judged by a model fitted on the
others. A doubt goes whole: its weight, and that it keeps a row from being sure. Prints what the mean and each family
lose or gain, how the calibration error and the share of wrong verdicts that are sure change, and how pairs do, of which
no model knows any. Features are made once. A FOLDER is as `benchmarks.fit_model` takes it.
"""

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.families import FAMILY, figures_by_family, with_verdicts
from benchmarks.figures import make_parser
from benchmarks.fit_model import Fitted, fit, judge_unseen, read_folders
from benchmarks.pairs import PAIRS, figures_of_pairs, list_pairs, read_pairs
from qaviz.diagnosis.columns import DOUBTS_SCHEMA, doubt_of
from qaviz.diagnosis.model import TERMS, probabilities_of

DOUBT = "doubt: "
"""What the name of a term that is a doubt begins with."""


def without(of: Fitted, names: Collection[str]) -> Fitted:
    """Return the rows with the values of these terms at 0, and without the doubts that these are."""
    values = np.array(of.values)
    values[:, [place for place, term in enumerate(TERMS, 1) if term.name in names]] = 0
    doubts = [doubt_of(name.removeprefix(DOUBT)) for name in names if name.startswith(DOUBT)]
    rows = of.rows.with_columns(pl.lit(False).alias(name) for name in doubts if name in DOUBTS_SCHEMA)
    return Fitted(rows, values)


def judge_pairs(fitted: Fitted, folders: Sequence[Path]) -> dict[str, float]:
    """Return `figures_of_pairs` of all pairs by a model that was fitted without them; nothing where there are none."""
    files = list_pairs(folders)
    if not files:
        return {}
    own, model = fitted.of(PAIRS), fit(fitted.without(PAIRS))
    sides = pl.concat(read_pairs(file) for file in files)
    probable = probabilities_of(own.rows, own.values, model).drop("doubts")
    return figures_of_pairs(with_verdicts(sides.hstack(probable).hstack(own.rows.select("refusal"))))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = make_parser(__doc__, folders=True)
    parser.add_argument("--without", nargs="+", metavar="TERM", choices=[term.name for term in TERMS])
    options = parser.parse_args(arguments)
    every, fitted = read_folders(options.folders)
    whole, pairs = figures_by_family(judge_unseen(every, fitted)), judge_pairs(fitted, options.folders)
    print(f"{'without':28} mean    error   sure and wrong; pairs ", *(f"{family[:10]:>10}" for family in whole[FAMILY]))
    error, sure = whole["error"].mean(), whole["wrong and sure"].mean()
    print(
        f"{'nothing':28} {whole['accuracy'].mean():.4f}  {error:.4f}  {sure:.4f} ", pairs, whole["accuracy"].to_list()
    )
    for names in [options.without] if options.without else [[term.name] for term in TERMS]:
        less = without(fitted, names)
        figures, of_pairs = (
            figures_by_family(judge_unseen(without(every, names), less)),
            judge_pairs(less, options.folders),
        )
        changes, more = figures["accuracy"] - whole["accuracy"], figures["wrong and sure"].mean() - sure
        print(
            f"{', '.join(names):28} {changes.mean():+.4f} {figures['error'].mean() - error:+.4f} {more:+.4f};",
            *(f"{of_pairs[name] - pairs[name]:+.3f}" for name in ("both right", "wrong at .9") if pairs),
            *(f"{change:+10.3f}" for change in changes),
            flush=True,
        )


if __name__ == "__main__":
    main()
