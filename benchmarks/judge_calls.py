"""Verdicts with a judge on the rows that `qaviz judge --only open` asks, beside the judge alone.

    python -m benchmarks.judge_calls FOLDER [FOLDER ...]

Each family is judged by a model fitted on the others: give all FOLDERs, as in `benchmarks.families`. Those with
peers.jsonl (question_id, pipeline, name, label) have judges. Printed a judge: right or not as people say, alone and
together, the difference with its 95 % interval over questions, the share of calls; the same with the judge on the rows
that `score` calls open, and on every row.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.families import KEY, NAME, read_labelled, resample
from benchmarks.figures import make_parser
from benchmarks.fit_model import draw, judge_unseen, prepare
from qaviz.diagnosis import open_rows
from qaviz.diagnosis.model import PROBABILITY_SCHEMA
from qaviz.judging.runs import OPEN, Only, hear_judge, select_rows
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
from qaviz.model.records import Thresholds

RIGHT = Verdict.CORRECT.value


def read_unseen(folders: Sequence[Path]) -> pl.DataFrame:
    """Labelled rows with probabilities by models that never saw their family."""
    labelled = read_labelled(folders)
    judged = judge_unseen(prepare(labelled, *KEY), prepare(draw(labelled)))
    unseen = judged.select(NAME, *KEY, *PROBABILITY_SCHEMA)
    return labelled.drop(*PROBABILITY_SCHEMA, strict=False).join(unseen, on=[NAME, *KEY], maintain_order="left")


def say_judge(rows: pl.DataFrame, peers: pl.DataFrame, name: str) -> None:
    """Print the line of one judge."""
    said = peers.filter(pl.col("name") == name).select(*KEY, pl.col(c.LABEL).alias(c.JUDGE))
    grades = rows.select(KEY).join(said, on=KEY, how="left", maintain_order="left")
    grades = grades.with_columns(pl.lit(None, pl.String).alias(c.JUDGE_REASON))
    chosen = select_rows(rows, Only(which=OPEN), Thresholds())
    people = (rows[c.LABEL] == RIGHT).to_numpy()
    alone = (grades[c.JUDGE] == RIGHT).fill_null(False).to_numpy() == people
    known = grades.join(chosen.select(KEY), on=KEY, how="semi")
    is_open = open_rows(rows, Thresholds())
    together, opened, whole = (call_right(rows, part) == people for part in (known, grades.filter(is_open), grades))
    questions = rows[c.QUESTION_ID].rank("dense").to_numpy() - 1
    gains = together.astype(float) - alone
    low, high = resample(np.bincount(questions, gains), np.bincount(questions), seed=1)
    words = call_right(rows, grades.clear()) == people
    print(
        f"{name:18} alone {alone.mean():.3f}, words alone {words.mean():.3f}, together {together.mean():.3f} with "
        f"{chosen.height / rows.height:.0%} of the calls: {together.mean() - alone.mean():+.3f} "
        f"({low:+.3f} to {high:+.3f}); open rows {opened.mean():.3f} with {is_open.mean():.0%}; "
        f"all rows {whole.mean():.3f}"
    )


def call_right(rows: pl.DataFrame, grades: pl.DataFrame) -> np.ndarray:
    """Whether each response is right by its most probable verdict, with these grades heard."""
    thresholds = Thresholds(unsure_below=0.0)
    return (hear_judge(rows, grades, thresholds)[c.VERDICT] == RIGHT).to_numpy()


def main(folders: Sequence[Path]) -> None:
    """Print the judges of every folder that has some."""
    unseen = read_unseen([folder for folder in folders if (folder / "labels.jsonl").exists()])
    for folder in folders:
        if (folder / "peers.jsonl").exists():
            peers, rows = pl.read_ndjson(folder / "peers.jsonl"), unseen.filter(pl.col(NAME) == folder.name)
            print(f"{folder.name}: {rows.height:,} responses")
            for name in peers["name"].unique(maintain_order=True):
                known = peers.filter(pl.col("name") == name).select(KEY)
                say_judge(rows.join(known, on=KEY, how="semi"), peers, name)


if __name__ == "__main__":
    main(make_parser(__doc__, folders=True).parse_args().folders)
