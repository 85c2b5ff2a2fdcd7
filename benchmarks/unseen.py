"""Verdicts on families that the model was not fitted on: accuracy, calibration, and what sure rows are worth.

    python -m benchmarks.unseen FOLDER [FOLDER ...] [--against FILE] [--save FILE]

Each family is judged by a model fitted on the others. Accuracy is the mean over a family's sets; `declined` counts as
incorrect where nobody labelled it. Beside it: exact match, Factual Knowledge of the fact alone, containment (of
fact, else answer) and overlap of three letters from one half; what a row costs; the minimal pairs of a FOLDER with
pairs.jsonl; changes that change nothing. `--save` keeps verdicts as Parquet, with which `--against` compares another
run's. A FOLDER is as in `benchmarks.families`. Where it has peers.jsonl (question_id, pipeline, name, label), what
people and judges said of the same responses.
"""

import time
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks import families
from benchmarks.families import FAMILY, KEY, NAME, SURE, with_verdicts
from benchmarks.figures import keep, make_parser
from benchmarks.fit_model import fit, judge_unseen, prepare, prepare_fitted
from benchmarks.pairs import PAIRS, list_pairs, say_changes, say_pairs
from qaviz.diagnosis.calibration import RIGHT, calibration_error, confidence_and_right, predict, refit
from qaviz.diagnosis.extract_evidence import read_evidence
from qaviz.diagnosis.model import P_CORRECT, add_probabilities
from qaviz.diagnosis.surface import OVERLAP
from qaviz.model.classes import Verdict
from qaviz.model.columns import ANSWER, CONFIDENCE, FACT, LABEL, QUESTION_ID, RESPONSE, VERDICT
from qaviz.model.columns import FACTUAL_KNOWLEDGE as FACTUAL
from qaviz.model.columns import QUASI_EXACT_MATCH as EXACT
from qaviz.scoring import score
from qaviz.scoring.definition import answer_scores, fact_scores

HALF = 0.5
LABELS, DRAWS = 50, 40
BOOTSTRAP, COST_SHARE = 2_000, 10
"""Resamples of questions; of so many questions one is timed."""
_SURE_AND_RIGHT = (("right_before", f"{CONFIDENCE}_before"), ("right", CONFIDENCE))
_SAVED = (FAMILY, NAME, *KEY, LABEL, VERDICT, CONFIDENCE, "right")
_PEER = "by a peer"


def say_simple(labelled: pl.DataFrame, overlap: pl.Series) -> None:
    """Print how often simple rules say correct where people do, by family."""
    contains = score(labelled.with_columns(pl.coalesce(FACT, ANSWER).alias(FACT)))[FACTUAL] == 1
    correct = labelled[LABEL] == Verdict.CORRECT.value
    rules = {
        "exact match": labelled[EXACT].fill_null(0) == 1,
        "Factual Knowledge": labelled[FACTUAL].fill_null(0) == 1,
        "containment": contains.fill_null(False),
        "three letters": overlap >= HALF,
    }
    table = labelled.select(FAMILY, NAME).with_columns((right == correct).alias(name) for name, right in rules.items())
    by_set = table.group_by(FAMILY, NAME, maintain_order=True).agg(pl.mean(*rules))
    print("right or not, by family: a mean of its sets")
    for row in by_set.group_by(FAMILY, maintain_order=True).agg(pl.mean(*rules)).iter_rows(named=True):
        print(f"{row[FAMILY]:14}", *(f"{name} {row[name]:.3f}" for name in rules), sep="  ")


def say_peers(judged: pl.DataFrame, folders: Sequence[Path]) -> None:
    """Print how often people and judges of peers.jsonl agree with the labels, and with each other, on right or not.

    Beside each what verdicts are worth on the same responses. `judged` has QUESTION_ID, PIPELINE, NAME, LABEL, VERDICT.
    """
    right = Verdict.CORRECT.value
    print("peers: agreement on right or not, and that of the verdicts with the labels of the same responses")
    for folder in folders:
        if not (folder / "peers.jsonl").exists():
            continue
        peers = pl.read_ndjson(folder / "peers.jsonl").select(*KEY, "name", (pl.col(LABEL) == right).alias(_PEER))
        labels = judged.filter(pl.col(NAME) == folder.name).select(
            *KEY, *((pl.col(column) == right).alias(column) for column in (LABEL, VERDICT))
        )
        tables = {name: rows.drop("name") for (name,), rows in peers.group_by("name", maintain_order=True)}
        for name, rows in tables.items():
            both = rows.join(labels, on=KEY)
            by_peer, by_verdict = ((both[column] == both[LABEL]).mean() for column in (_PEER, VERDICT))
            print(f"{folder.name:18} {name:20} {both.height:5,} {by_peer:.3f}  verdicts {by_verdict:.3f}")
        for (name, rows), (other, others) in combinations(tables.items(), 2):
            both = rows.join(others, on=KEY, suffix=" of the other")
            agree = (both[_PEER] == both[f"{_PEER} of the other"]).mean()
            print(f"{folder.name:18} {name} and {other}: {both.height:,} {agree:.3f}")


def say_recalibrated(judged: pl.DataFrame) -> None:
    """Print the calibration error of each family before and after so many of its labels, drawn at random, refit it.

    A mean over DRAWS, on the family's other responses; beside it what sampling alone gives probabilities that are true.
    """
    rows = judged.with_columns((pl.col(LABEL) == Verdict.CORRECT.value).alias(RIGHT))
    random = np.random.default_rng(1)
    print(f"calibration error by family: as it is, after {LABELS} labels, of true probabilities")
    for (family,), own in rows.group_by(FAMILY, maintain_order=True):
        errors = []
        for _ in range(DRAWS):
            drawn = np.isin(np.arange(own.height), random.choice(own.height, LABELS, replace=False))
            others = own.filter(~drawn)
            probable, correct = others[P_CORRECT].to_numpy(), others[RIGHT].to_numpy()
            refitted = predict(refit(own.filter(drawn)), others)
            pairs = ((probable, correct), (refitted, correct), (probable, random.random(len(probable)) < probable))
            errors.append([calibration_error(*confidence_and_right(*pair)) for pair in pairs])
        print(f"{family:14}", *(f"{error:.3f}" for error in np.mean(errors, axis=0)), sep="  ")


def say_differences(judged: pl.DataFrame, before: pl.DataFrame) -> None:
    """Print by family how accuracy differs from saved verdicts, with a 95% interval over questions, and the rows that
    are sure and right, against half of those before."""
    key = [NAME, *KEY]
    both = judged.join(before.select(*key, "right", CONFIDENCE), on=key, suffix="_before")
    random = np.random.default_rng(2)
    print("against saved verdicts: difference in accuracy, its 95% interval; sure and right before, now")
    for (family,), rows in both.group_by(FAMILY, maintain_order=True):
        sets = rows[NAME].n_unique()
        weighed = rows.with_columns(
            ((pl.col("right").cast(float) - pl.col("right_before").cast(float)) / pl.len().over(NAME) / sets).alias("d")
        )
        questions = weighed.group_by(NAME, QUESTION_ID).agg(pl.sum("d"))["d"].to_numpy()
        drawn = random.choice(questions, (BOOTSTRAP, len(questions))).sum(axis=1)
        low, high = np.quantile(drawn, [0.025, 0.975])
        sure = [int(rows.select((pl.col(r) & (pl.col(c) >= SURE)).sum()).item()) for r, c in _SURE_AND_RIGHT]
        mark = "" if 2 * sure[1] >= sure[0] else "  below half"
        print(f"{family:14} {questions.sum():+.3f} ({low:+.3f} to {high:+.3f})  {sure[0]:6,} {sure[1]:6,}{mark}")


def say_cost(labelled: pl.DataFrame) -> None:
    """Print the CPU microseconds of a natural row, and how many times those of FMEval's definitions in plain Python."""
    natural = labelled.filter(pl.col(FAMILY) != "own")
    drawn = natural.filter(pl.concat_str(NAME, QUESTION_ID).hash(3) % COST_SHARE == 0)
    begin = time.process_time()
    for fact, answer, response in drawn.select(FACT, ANSWER, RESPONSE).fill_null("").iter_rows():
        fact_scores(fact or answer, response), answer_scores(answer, response)
    middle = time.process_time()
    add_probabilities(read_evidence(drawn))
    costs = (middle - begin, time.process_time() - middle)
    micro = [cost / drawn.height * 1e6 for cost in costs]
    print(
        f"CPU of {drawn.height:,} natural rows: definitions {micro[0]:.0f} µs, "
        f"evidence and probability {micro[1]:.0f} µs, {costs[1] / costs[0]:.1f} times"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = make_parser(__doc__, folders=True, keeps=True)
    parser.add_argument("--against", type=Path, metavar="FILE")
    parser.add_argument("--save", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    labelled = families.read_labelled(options.folders)
    every, fitted = prepare(labelled, *KEY), prepare_fitted(labelled, options.folders)
    judged = judge_unseen(every, fitted)
    figures = families.figures_by_family(judged)
    families.say_figures(figures)
    if options.keep:
        means = families.mean_figures(figures).values()
        named = dict(zip(("mean", "error", "sure_right", "coverage"), means, strict=True))
        columns = ("rows", "accuracy", "error", "coverage")
        by_family = {row[FAMILY]: {name: row[name] for name in columns} for row in figures.iter_rows(named=True)}
        keep("unseen", {**named, "families": by_family})
    if options.save:
        with_verdicts(judged).select(*_SAVED).write_parquet(options.save)
    if options.against:
        say_differences(with_verdicts(judged), pl.read_parquet(options.against))
    say_cost(labelled)
    model = fit(fitted.without(PAIRS))
    for file in list_pairs(options.folders):
        say_pairs(file, model)
    say_changes(labelled, model)
    say_simple(labelled, every.rows[OVERLAP])
    say_peers(with_verdicts(judged), options.folders)
    say_recalibrated(judged)


if __name__ == "__main__":
    main()
