"""How often the intervals of pooled shares hold people's shares, and how far shares by verdicts alone are off.

python -m benchmarks.pooled_shares SETS --draws 1000
python -m benchmarks.pooled_shares SETS --write qaviz/analysis/share_errors.json

SETS is a folder of labelled sets, as `benchmarks.fit_model` takes them: the verdicts are those of models that never saw
the set's family. Of each set with several pipelines: how often the 95 %
interval of a pipeline holds the share by all of its labels, with so many labels drawn at random from the whole set, and
how wide it is; beside it that of each pipeline's own labels alone. The errors that the intervals count with are those
of the other families. With --write the errors of all families are kept as what qaviz counts with.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks.families import FAMILY, NAME, with_verdicts
from benchmarks.figures import keep, make_parser
from benchmarks.fit_model import judge_unseen, read_folders
from qaviz.analysis.outcomes import UNSURE_COUNTS
from qaviz.analysis.share_estimates import (
    Numbers,
    ShareErrors,
    Verdicts,
    describe_errors,
    describe_predicted,
    log_odds,
    pool_shares,
)
from qaviz.model.classes import Verdict
from qaviz.model.columns import CONFIDENCE, LABEL, PIPELINE, VERDICT
from qaviz.model.records import Thresholds
from qaviz.stats.corrected_shares import exact_interval

LABELS = (0, 30, 100, 200)
FEWEST = 30
"""Responses of a pipeline from which the error of its share counts for the headline."""
LEAST_SPREAD = 0.4
"""Of pipelines, as a multiple of the mean doubt: some sets have pipelines too much alike to measure it."""
LEVEL = 0.95
"""Of the pipelines' shares, families alike, that intervals without a label are to hold on families left out."""
NARROWINGS = [round(0.05 * step, 2) for step in range(4, 21)]
"""What `ShareErrors.unlabelled` may be."""
NO_NATURAL_SAMPLE = ("own",)
"""Families of cases written to mislead: their share of errors is nobody's."""


@dataclass(frozen=True)
class LabelledVerdicts:
    """One set: what is known without labels, and what people say of every response."""

    name: str
    family: str
    verdicts: Verdicts
    by_verdict: Numbers
    """Whether each verdict says right: 1 or 0, 0.5 for an unsure one."""
    right: Numbers

    @property
    def shares(self) -> Numbers:
        """Of each pipeline by people."""
        return self.mean(self.right)

    def mean(self, values: Numbers) -> Numbers:
        """Of each pipeline."""
        return np.asarray(np.bincount(self.verdicts.pipelines, values) / self.sizes, np.float64)

    @property
    def sizes(self) -> Numbers:
        """Responses of each pipeline."""
        return np.asarray(np.bincount(self.verdicts.pipelines), np.float64)


def read_sets(folder: Path) -> list[LabelledVerdicts]:
    """The sets of the folder, each judged by models without its family; those of NO_NATURAL_SAMPLE left out."""
    folders = sorted(path for path in folder.iterdir() if path.is_dir())
    owner = pl.col(PIPELINE).cast(pl.String).alias("owner")
    judged = with_verdicts(judge_unseen(*read_folders(folders, owner)), Thresholds().unsure_below)
    natural = judged.filter(~pl.col(FAMILY).is_in(NO_NATURAL_SAMPLE))
    return [_read_set(rows) for rows in natural.partition_by(NAME, maintain_order=True)]


def _read_set(rows: pl.DataFrame) -> LabelledVerdicts:
    verdict = pl.col(VERDICT).cast(pl.String)
    right_words = (verdict == Verdict.CORRECT.value).cast(pl.Float64)
    predicted = pl.when(verdict == Verdict.UNSURE.value).then(UNSURE_COUNTS).otherwise(right_words)
    known = rows.select(describe_predicted(predicted, (CONFIDENCE,))).to_numpy()
    right = (rows[LABEL] == Verdict.CORRECT.value).cast(pl.Float64).to_numpy()
    verdicts = Verdicts(
        chance=known[:, 0],
        doubt=known[:, 1],
        kinds=known[:, 2:],
        right=np.full(len(right), np.nan),
        pipelines=(rows["owner"].rank("dense").cast(pl.Int64) - 1).to_numpy(),
    )
    by_verdict = verdicts.kinds @ np.array([1.0, 0.0, 0.5])
    return LabelledVerdicts(rows[NAME][0], rows[FAMILY][0], verdicts, by_verdict, right)


def by_family(figures: Iterable[tuple[LabelledVerdicts, Iterable[float]]]) -> dict[str, list[float]]:
    """Figures of sets as those of their families; of a family without any, nothing."""
    families = defaultdict(list)
    for judged, own in figures:
        families[judged.family] += own
    return {family: own for family, own in families.items() if own}


def mean_families(of: Mapping[str, Sequence[float]]) -> float:
    """The mean over families."""
    return float(np.mean([np.mean(own) for own in of.values()]))


def measure_errors(sets: list[LabelledVerdicts]) -> ShareErrors:
    """The spreads of errors over these sets, by moments, families alike."""
    of_runs, of_pipelines = [], []
    for judged in sets:
        columns, prior = describe_errors(judged.verdicts)
        error = judged.right - judged.verdicts.chance
        variance = float(((columns.mean(axis=0) * prior) ** 2).sum())
        of_runs.append((judged, [float(error.mean()) ** 2 / variance]))
        if len(judged.sizes) == 1:
            continue
        doubt = judged.mean(judged.verdicts.doubt)
        own = judged.mean(error) - error.mean() / judged.verdicts.doubt.mean() * doubt
        chance = judged.mean(judged.verdicts.chance * (1 - judged.verdicts.chance)) / judged.sizes
        of_pipelines.append((judged, [float((own**2 - chance).sum() / (doubt**2).sum())]))
    run, pipeline = (mean_families(by_family(figures)) for figures in (of_runs, of_pipelines))
    return ShareErrors(run=float(np.sqrt(run)), pipeline=max(LEAST_SPREAD, float(np.sqrt(max(0.0, pipeline)))))


def measure_narrowing(sets: list[LabelledVerdicts]) -> ShareErrors:
    """The errors of these sets, narrowed without labels as far as LEVEL allows, each family by errors of the others."""
    without = {left.family: measure_errors([other for other in sets if other.family != left.family]) for left in sets}

    def hold(narrowing: float) -> bool:
        narrowed = {family: replace(errors, unlabelled=narrowing) for family, errors in without.items()}
        several = (judged for judged in sets if len(judged.sizes) > 1)
        held = by_family((judged, [simulate(judged, narrowed[judged.family], 0, 1, 0)[0]]) for judged in several)
        return mean_families(held) >= LEVEL

    return replace(measure_errors(sets), unlabelled=next(filter(hold, NARROWINGS), 1.0))


def list_shares(sets: list[LabelledVerdicts], measure: Callable[[Numbers, Numbers], Numbers]) -> dict[str, list[float]]:
    """By family: how far the share of each pipeline of FEWEST responses is off, as verdicts have it. `measure` makes
    of shares and responses what is compared."""

    def list_errors(judged: LabelledVerdicts) -> list[float]:
        error = np.abs(measure(judged.mean(judged.by_verdict), judged.sizes) - measure(judged.shares, judged.sizes))
        return error[judged.sizes >= FEWEST].tolist()

    return by_family((judged, list_errors(judged)) for judged in sets)


def list_differences(sets: list[LabelledVerdicts]) -> dict[str, list[float]]:
    """By family: how far the difference of each two pipelines of FEWEST responses is off, as counted by verdicts."""

    def list_errors(judged: LabelledVerdicts) -> list[float]:
        error = judged.mean(np.asarray(judged.by_verdict == 1, np.float64)) - judged.shares
        return [abs(first - second) for first, second in combinations(error[judged.sizes >= FEWEST], 2)]

    return by_family((judged, list_errors(judged)) for judged in sets)


def measure_error(off: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """How far figures by verdicts are off: the least half width that holds LEVEL of families left out,
    families alike, each by the half width of the others, and how many are held."""

    def hold_of(names: Iterable[str], half: float) -> float:
        return mean_families({name: np.asarray(off[name]) <= half for name in names})

    def find_half(names: Sequence[str], level: float) -> float:
        return next(step / 200 for step in range(1, 1_001) if hold_of(names, step / 200) >= level)

    def hold(level: float) -> float:
        halves = {name: find_half([other for other in off if other != name], level) for name in off}
        return float(np.mean([hold_of([name], half) for name, half in halves.items()]))

    level = next((level for level in np.arange(LEVEL, 1.0, 0.005) if hold(level) >= LEVEL), 1.0)
    return {
        "half": find_half([*off], level),
        "held": hold(level),
        "number": sum(map(len, off.values())),
        "families": len(off),
    }


def simulate(judged: LabelledVerdicts, errors: ShareErrors, labels: int, draws: int, seed: int) -> tuple[float, ...]:
    """How often the intervals hold, their mean width, and that of the intervals by each pipeline's labels alone."""
    draw = np.random.default_rng(seed)
    figures = []
    for _ in range(draws if labels else 1):
        right = np.full(len(judged.right), np.nan)
        places = draw.choice(len(right), labels, replace=False)
        right[places] = judged.right[places]
        shares = pool_shares(replace(judged.verdicts, right=right), errors)
        held = (shares.low <= judged.shares + 1e-9) & (judged.shares - 1e-9 <= shares.high)
        own = [right[(judged.verdicts.pipelines == n) & ~np.isnan(right)] for n in range(len(judged.sizes))]
        ends = [exact_interval(known) if len(known) else (0.0, 1.0) for known in own]
        alone = np.mean([high - low for low, high in ends])
        figures.append((held.mean(), (shares.high - shares.low).mean(), alone))
    return tuple(map(float, np.mean(figures, axis=0)))


def main() -> None:
    """Print a line for each set and number of labels, or keep the errors."""
    parser = make_parser(__doc__, keeps=True, draws=1000)
    parser.add_argument("sets", type=Path)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    sets = read_sets(options.sets)
    errors = measure_narrowing(sets)
    card: dict[str, Any] = {name: round(value, 3) for name, value in asdict(errors).items()}
    kinds = {
        "share": (list_shares(sets, log_odds), list_shares(sets, lambda share, _: share)),
        "difference": (list_differences(sets),) * 2,
    }
    for name, (off, in_shares) in kinds.items():
        figures = measure_error(off) | {"mean": mean_families(in_shares), "most": max(map(max, in_shares.values()))}
        card |= {name: {figure: round(value, 3) for figure, value in figures.items()}}
        print(name, card[name], "most by family", {family: round(max(own), 3) for family, own in off.items()})
    print("errors:", errors)
    if options.write:
        card |= {"families": len({judged.family for judged in sets}), "sets": len(sets)}
        card |= {"date": f"{datetime.now(UTC):%Y-%m-%d}"}
        card |= {"command": "python -m benchmarks.pooled_shares SETS --write qaviz/analysis/share_errors.json"}
        options.write.write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
        return
    print(f"{'set':18}{'family':12}{'pipelines':>10}{'labels':>7}{'held':>8}{'width':>8}{'alone':>8}")
    by_labels = defaultdict(list)
    for judged in (judged for judged in sets if len(judged.sizes) > 1):
        others = measure_narrowing([other for other in sets if other.family != judged.family])
        for labels in (n for n in LABELS if n <= len(judged.right)):
            held, width, alone = simulate(judged, others, labels, options.draws, options.seed)
            figures = f"{labels:7}{held:8.3f}{width:8.3f}{alone:8.3f}"
            print(f"{judged.name:18}{judged.family:12}{len(judged.sizes):10}{figures}", flush=True)
            by_labels[labels].append((judged, [held]))
    held_by = {}
    for labels, of_sets in by_labels.items():
        mean, least = mean_families(by_family(of_sets)), min(held for _, (held,) in of_sets)
        print(f"{labels} labels: held {mean:.3f} over families, at least {least:.3f} on every set")
        held_by[labels] = {"mean": mean, "least": least}
    if options.keep:
        off_points = {"off_points": 100 * card["share"]["mean"], "most_points": 100 * card["share"]["most"]}
        keep("pooled_shares", {**off_points, "held": held_by})


if __name__ == "__main__":
    main()
