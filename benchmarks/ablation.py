"""What each term of the model is worth on families that it was not fitted on.

    python -m benchmarks.ablation FOLDER [FOLDER ...]

Fits the model without the terms of each group, each family judged by a model fitted on the others, and prints what
each family loses or gains. A FOLDER is as in `benchmarks.labelled_sets`.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.families import FAMILY, figures_by_family, read_labelled
from benchmarks.fit_model import Fitted, draw, judge_unseen, prepare
from qaviz.diagnosis.doubts import DOUBTS
from qaviz.diagnosis.model import TERMS

GROUPS = {
    "refusals": "declines",
    "agreement": "agrees",
    "contradiction": "contradicts",
    "absence": "absent",
    "values": "values",
    "all doubts": "doubt: ",
    **{f"doubt: {doubt.name}": f"doubt: {doubt.name}" for doubt in DOUBTS},
    "denial": "denial",
    "other names": "other names",
    "negation": "negation",
    "overlap": "overlap",
    "golden words": "words",
    "focus": "focus",
    "length": "length",
    "golden length": "golden length",
    "prose": "prose",
}
"""What is left out, and how the names of its terms begin."""


def without(of: Fitted, begins: str) -> Fitted:
    """Return the rows with the values of these terms at 0."""
    left_out = [place for place, term in enumerate(TERMS, 1) if term.name.startswith(begins)]
    values = np.array(of.values)
    values[:, left_out] = 0
    return Fitted(of.rows, values)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    labelled = read_labelled(parser.parse_args(arguments).folders)
    every, fitted = prepare(labelled), prepare(draw(labelled))
    whole = figures_by_family(judge_unseen(every, fitted))
    unknown = [name for name, begins in GROUPS.items() if not any(term.name.startswith(begins) for term in TERMS)]
    if unknown:
        parser.error(f"no term begins as {', '.join(unknown)}")
    print(f"{'without':16} mean   ", "  ".join(f"{family[:10]:10}" for family in whole[FAMILY]))
    for name, begins in GROUPS.items():
        found = figures_by_family(judge_unseen(without(every, begins), without(fitted, begins)))
        changes = found["accuracy"] - whole["accuracy"]
        print(f"{name:16} {changes.mean():+.4f}", "  ".join(f"{change:+10.4f}" for change in changes), flush=True)


if __name__ == "__main__":
    main()
