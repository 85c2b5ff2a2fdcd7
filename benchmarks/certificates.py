"""How often certificates keep their promise, by simulation on labelled sets.

python -m benchmarks.certificates SETS --draws 1000

SETS is a folder of folders with golden.jsonl, responses.jsonl and labels.jsonl. In each draw a sample is labelled by
what people said, and the certificate kept its promise if at most a tenth of the verdicts that it calls automatic is
wrong by all the labels. Samples: responses at random; the same with every response three times, as repeats; whole
questions at random; and a person who looks after 50 labels, labels as many as are said to do, and looks again, five
times. Printed of each set and sample: how often it held, how often something was certified, and the mean share of
responses that was. A set smaller than the sample is left out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.families import KEY, read_set
from benchmarks.figures import keep, make_parser
from qaviz.diagnosis import extract_evidence, judge
from qaviz.diagnosis.agreement import counts_as
from qaviz.model.classes import Verdict
from qaviz.model.columns import CONFIDENCE, LABEL, VERDICT
from qaviz.model.records import Thresholds
from qaviz.scoring import score
from qaviz.stats.certify import PROMISE, Certificate, Numbers, Places, certify

REPEATS = 3
LOOKS = 5
FIRST_LOOK = 50


@dataclass(frozen=True)
class Truth:
    """What people say of every response of a set."""

    confidence: Numbers
    wrong: Numbers
    questions: Places
    pipelines: Places

    def certify(self, places: Places) -> Certificate:
        """The certificate by the labels of these responses."""
        labels = np.full(len(self.wrong), np.nan)
        labels[places] = self.wrong[places]
        return certify(self.confidence, labels, self.questions, self.pipelines)

    def judge(self, certificate: Certificate) -> tuple[bool, float]:
        """Whether the promise is kept, and the share of the responses that is automatic."""
        if certificate.confidence_at_least is None:
            return True, 0.0
        automatic = self.confidence >= certificate.confidence_at_least
        return bool(self.wrong[automatic].mean() <= PROMISE.wrong), float(automatic.mean())


def read_truth(folder: Path) -> Truth:
    """The set of a folder as qaviz judges it by default, its labelled responses alone."""
    rows, labels = read_set(folder)
    judged = judge(extract_evidence(score(rows)), Thresholds())
    rows = judged.join(labels, on=KEY, maintain_order="left").drop_nulls(LABEL)
    wrong = pl.col(VERDICT).cast(pl.String).replace(counts_as(labels)) != pl.col(LABEL)
    columns = rows.select(
        pl.when(pl.col(VERDICT) != Verdict.UNSURE.value).then(CONFIDENCE).cast(pl.Float64).fill_null(np.nan),
        wrong.cast(pl.Float64).alias("wrong"),
        *(pl.col(name).cast(pl.String).rank("dense").cast(pl.Int64) - 1 for name in KEY),
    )
    return Truth(*(column.to_numpy() for column in columns))


def repeat(truth: Truth) -> Truth:
    """The set with every response in REPEATS pipelines."""
    further = np.concatenate([truth.pipelines + n * (truth.pipelines.max() + 1) for n in range(REPEATS)])
    confidence, wrong, questions = (
        np.tile(column, REPEATS) for column in (truth.confidence, truth.wrong, truth.questions)
    )
    return Truth(confidence, wrong, questions, further)


def draw_responses(truth: Truth, labels: int, draw: np.random.Generator) -> Certificate:
    """Responses at random."""
    return truth.certify(draw.choice(len(truth.wrong), labels, replace=False))


def draw_questions(truth: Truth, labels: int, draw: np.random.Generator) -> Certificate:
    """All responses to questions at random, up to so many labels."""
    order = draw.permutation(int(truth.questions.max()) + 1)
    return truth.certify(np.argsort(order[truth.questions], kind="stable")[:labels])


def look_again(truth: Truth, labels: int, draw: np.random.Generator) -> Certificate:
    """Responses at random, more until something is certified."""
    order = draw.permutation(len(truth.wrong))
    certificate = truth.certify(order[:labels])
    for _ in range(LOOKS - 1):
        if certificate.labels_needed is None:
            break
        certificate = truth.certify(order[: certificate.labels_needed])
    return certificate


SAMPLES: tuple[tuple[str, int, Callable[[Truth, int, np.random.Generator], Certificate]], ...] = (
    ("responses", 50, draw_responses),
    ("responses", 100, draw_responses),
    ("responses", 200, draw_responses),
    ("repeats", 100, draw_responses),
    ("repeats", 200, draw_responses),
    ("questions", 200, draw_questions),
    ("looked again", FIRST_LOOK, look_again),
)


def simulate(truth: Truth, draws: int, seed: int) -> Iterator[tuple[str, int, float, float, float]]:
    """Of each sample of SAMPLES that the set is large enough for: how often held and certified, and the mean share."""
    for name, labels, draw in SAMPLES:
        of = repeat(truth) if name == "repeats" else truth
        if len(of.wrong) < labels:
            continue
        random = np.random.default_rng(seed)
        kept, share = np.array([of.judge(draw(of, labels, random)) for _ in range(draws)]).T
        yield name, labels, float(kept.mean()), float((share > 0).mean()), float(share.mean())


def main() -> None:
    """Print a line for each set and sample, and at last the least that any held."""
    parser = make_parser(__doc__, keeps=True, draws=1000)
    parser.add_argument("sets", type=Path)
    options = parser.parse_args()
    least: dict[str, float] = {}
    print(f"{'set':18}{'sample':14}{'labels':>7}{'held':>8}{'certified':>11}{'automatic':>11}")
    for folder in sorted(each.parent for each in options.sets.glob("*/labels.jsonl")):
        for name, labels, held, certified, share in simulate(read_truth(folder), options.draws, options.seed):
            print(f"{folder.name:18}{name:14}{labels:7}{held:8.3f}{certified:11.2f}{share:11.2f}", flush=True)
            least[name] = min(least.get(name, 1.0), held)
    for name, held in least.items():
        print(f"{name}: held in at least {held:.3f} of {options.draws:,} draws on every set")
    if options.keep:
        keep("certificates", {"draws": options.draws, "held": least})


if __name__ == "__main__":
    main()
