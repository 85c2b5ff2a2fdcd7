"""What each term of the model is worth on families that it was not fitted on.

    python -m benchmarks.ablation FOLDER [FOLDER ...]

Fits the model without each term in turn, each family judged by a model fitted on the others, and prints what each
family loses or gains, and what the calibration error then is. A FOLDER is as `benchmarks.fit_model` takes it.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.families import FAMILY, figures_by_family, read_labelled
from benchmarks.fit_model import Fitted, judge_unseen, prepare, prepare_fitted
from qaviz.diagnosis.model import TERMS


def without(of: Fitted, place: int) -> Fitted:
    """Return the rows with the values of a column of `Fitted` at 0."""
    values = np.array(of.values)
    values[:, place] = 0
    return Fitted(of.rows, values)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    folders = parser.parse_args(arguments).folders
    labelled = read_labelled(folders)
    every, fitted = prepare(labelled), prepare_fitted(labelled, folders)
    whole = figures_by_family(judge_unseen(every, fitted))
    print(f"{'without':28} {'mean':7} {'error':7}", *(f"{family[:10]:>10}" for family in whole[FAMILY]))
    print(f"{'nothing':28} {'':7} {whole['error'].mean():.4f} ", *(f"{share:10.3f}" for share in whole["accuracy"]))
    for place, term in enumerate(TERMS, 1):
        figures = figures_by_family(judge_unseen(without(every, place), without(fitted, place)))
        changes = figures["accuracy"] - whole["accuracy"]
        means = f"{changes.mean():+.4f} {figures['error'].mean():.4f} "
        print(f"{term.name:28} {means}", *(f"{change:+10.3f}" for change in changes), flush=True)


if __name__ == "__main__":
    main()
