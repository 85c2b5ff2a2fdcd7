"""Decisions on runs whose truth is known, by a user's `add_labels(..., drawn="random")`, `decision()`.

    python -m benchmarks.truth --draws 300

Draws runs of two pipelines over the same questions. Whether a response is right is drawn first, then how it looks:
right ones nearly always state the fact, wrong ones state it with a chance by pipeline (fair, lenient alike, one
flattered). Every such response is scored once; each run takes its rows of these. Labels say the truth of responses
drawn at random on each side. A line a situation: how often A or B is recommended or better at medium or high
confidence, and at low; how often the interval of the difference (impact) holds the true one, and those of the shares
theirs. A question has a difficulty that both pipelines share.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from statistics import NormalDist

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.figures import make_parser
from qaviz.analysis.decision import PER, Decision
from qaviz.analysis.decision.choice import Confidence
from qaviz.api import EvaluatedRun, evaluate
from qaviz.model import columns as c

NAMES = ("Ada Byron", "Grace Hopper", "Alan Turing", "Edsger Dijkstra", "Barbara Liskov")
WRONG = "Theo Reed"
QUESTIONS = 120
SHARED_DIFFICULTY = 0.6
MISSED = 0.02
"""Right responses whose words look wrong."""
WORDS = {"fair": (0.05, 0.05), "lenient alike": (0.3, 0.3), "one flattered": (0.05, 0.5)}
"""Wrong responses of A and of B whose words look right."""
ALL = QUESTIONS
LABELS = {
    "none": (0, 0),
    "one side 40": (40, 0),
    "one side all": (ALL, 0),
    "both 20": (20, 20),
    "both 40": (40, 40),
    "both all": (ALL, ALL),
}
EQUAL, APART = ((0.7, 0.7),), ((0.7, 0.55), (0.75, 0.55))
"""True shares of A and B: equal, 15 and 20 points apart."""


@dataclass(frozen=True, kw_only=True)
class Situation:
    """What runs are drawn by."""

    shares: tuple[float, float]
    words: str
    labels: str


def list_situations() -> Iterator[Situation]:
    """Equal pipelines by all words and labels; pipelines that are apart by fair words."""
    for shares, words, labels in product(EQUAL, WORDS, LABELS):
        yield Situation(shares=shares, words=words, labels=labels)
    for shares, labels in product(APART, LABELS):
        yield Situation(shares=shares, words="fair", labels=labels)


def score_looks() -> EvaluatedRun:
    """Every response that a run may draw, scored once: of each pipeline the right-looking and the wrong-looking one."""
    golden, responses = [], []
    for i in range(QUESTIONS):
        fact = NAMES[i % len(NAMES)]
        question = f"Who founded Firm{i} Ltd?"
        golden.append({"question": question, "answer": f"Firm{i} Ltd was founded by {fact}.", "fact": fact})
        for name in (fact, WRONG):
            texts = {"A": f"Firm{i} Ltd was founded by {name}.", "B": f"{name} founded Firm{i} Ltd."}
            look = "right" if name == fact else "wrong"
            responses += [
                {"question": question, "pipeline": f"{pipeline} {look}", "response": text}
                for pipeline, text in texts.items()
            ]
    return evaluate(golden, responses)


def draw_decision(situation: Situation, looks: EvaluatedRun, draw: np.random.Generator) -> Decision:
    """The decision of one run of the situation, of the rows of `score_looks`."""
    ids = looks.golden[c.QUESTION_ID].to_list()
    difficulty = draw.normal(size=QUESTIONS)
    parts, labels = [], []
    sides = zip("AB", situation.shares, WORDS[situation.words], LABELS[situation.labels], strict=True)
    for pipeline, share, flattered, labelled in sides:
        right = _draw_right(share, difficulty, draw)
        by_words = np.where(right, draw.random(QUESTIONS) >= MISSED, draw.random(QUESTIONS) < flattered)
        chosen = pl.DataFrame(
            {c.QUESTION_ID: ids, c.PIPELINE: [f"{pipeline} {'right' if look else 'wrong'}" for look in by_words]}
        )
        rows = chosen.join(looks.rows, on=[c.QUESTION_ID, c.PIPELINE], maintain_order="left")
        parts.append(rows.with_columns(pl.lit(pipeline).alias(c.PIPELINE)).select(looks.rows.columns))
        words = np.where(right, "correct", "incorrect")
        labels += [
            {c.QUESTION_ID: ids[i], c.PIPELINE: pipeline, c.LABEL: str(words[i])}
            for i in draw.choice(QUESTIONS, labelled, replace=False)
        ]
    run = replace(looks, rows=pl.concat(parts), pipelines=("A", "B"))
    if labels:
        run.add_labels(labels, drawn="random")
    return run.decision()


def _draw_right(share: float, difficulty: NDArray[np.float64], draw: np.random.Generator) -> NDArray[np.bool_]:
    own = np.sqrt(1 - SHARED_DIFFICULTY**2) * draw.normal(size=len(difficulty))
    return np.asarray(SHARED_DIFFICULTY * difficulty + own < NormalDist().inv_cdf(share))


def count(decision: Decision, situation: Situation) -> tuple[float, ...]:
    """Of one decision: whether A, or B, is called ahead surely, whether either is at low confidence, and how far the
    intervals of the difference and of the shares hold the true ones."""
    (row,) = decision.comparisons.iter_rows(named=True)
    sure = decision.confidence in (Confidence.MEDIUM, Confidence.HIGH) and decision.kind.value == "one is ahead"
    ahead = decision.recommended if sure else None
    better = row["first"] if row["decision"] == "better" else row["second"] if row["decision"] == "worse" else None
    winner = ahead or (better if row["confidence"] in ("medium", "high") else None)
    first, second = situation.shares
    impact = decision.impact
    true = PER * (second - first if impact.against == "A" else first - second)
    difference = (impact.low or 0) <= true <= (impact.high or 0)
    shares = dict(zip("AB", situation.shares, strict=True))
    ranking = decision.ranking.select("pipeline", "low", "high").iter_rows()
    held = [low <= shares[name] <= high for name, low, high in ranking]
    return winner == "A", winner == "B", winner is None and better is not None, difference, sum(held) / 2


def main() -> None:
    """Print a line a situation."""
    parser = make_parser(__doc__, draws=300)
    parser.add_argument("--labels", choices=LABELS, help="these situations alone")
    options = parser.parse_args()
    print(f"{'true shares':12}{'words':15}{'labels':14}{'A sure':>8}{'B sure':>8}{'low':>8}{'diff.':>8}{'shares':>8}")
    looks = score_looks()
    for number, situation in enumerate(list_situations()):
        if options.labels not in (None, situation.labels):
            continue
        draws = (np.random.default_rng([options.seed, number, turn]) for turn in range(options.draws))
        counts = [count(draw_decision(situation, looks, draw), situation) for draw in draws]
        shares = " ".join(f"{share:.2f}" for share in situation.shares)
        rates = "".join(f"{rate:8.3f}" for rate in np.mean(counts, axis=0))
        print(f"{shares:12}{situation.words:15}{situation.labels:14}{rates}", flush=True)


if __name__ == "__main__":
    main()
