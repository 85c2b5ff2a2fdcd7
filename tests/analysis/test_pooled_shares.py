"""Shares of all pipelines from pooled labels: against a second implementation, and by how often intervals hold."""

import numpy as np
import pytest

from qaviz.analysis.share_estimates import KINDS, ShareErrors, Verdicts, pool_shares

ERRORS = ShareErrors(run=0.4, pipeline=0.4)
PIPELINES = 20


def make_run(seed: int, each: int = 60, bias: float = 0.15) -> tuple[Verdicts, np.ndarray]:
    """Verdicts of 20 pipelines that are too kind by about so much, a little more or less each; and who is right."""
    draw = np.random.default_rng(seed)
    pipelines = np.repeat(np.arange(PIPELINES), each)
    chance = draw.beta(2, 1, len(pipelines))
    kind = np.where(chance > 0.6, 0, np.where(chance < 0.4, 1, 2))
    own = draw.normal(bias, 0.05, PIPELINES)[pipelines]
    right = (draw.random(len(chance)) < np.clip(chance - own, 0, 1)).astype(float)
    doubt = np.minimum(chance, 1 - chance)
    nothing = np.full(len(chance), np.nan)
    return Verdicts(chance=chance, doubt=doubt, kinds=np.eye(KINDS)[kind], right=nothing, pipelines=pipelines), right


def with_labels(verdicts: Verdicts, right: np.ndarray, labels: int, seed: int) -> Verdicts:
    """The verdicts with so many labels, drawn from the whole run."""
    said = np.full(len(right), np.nan)
    places = np.random.default_rng(seed).choice(len(right), labels, replace=False)
    said[places] = right[places]
    return Verdicts(
        chance=verdicts.chance, doubt=verdicts.doubt, kinds=verdicts.kinds, right=said, pipelines=verdicts.pipelines
    )


def shares_of(verdicts: Verdicts, values: np.ndarray) -> np.ndarray:
    return np.bincount(verdicts.pipelines, values) / np.bincount(verdicts.pipelines)


def test_a_hundred_labels_help_twenty_pipelines():
    """With five labels a pipeline the intervals hold 93 % of the shares, and are half as wide as without any."""
    held, narrower = [], []
    for seed in range(40):
        verdicts, right = make_run(seed)
        truth = shares_of(verdicts, right)
        before = pool_shares(verdicts, ERRORS)
        after = pool_shares(with_labels(verdicts, right, 100, seed), ERRORS)
        held.append(((after.low <= truth) & (truth <= after.high)).mean())
        narrower.append((after.high - after.low).mean() / (before.high - before.low).mean())

    assert np.mean(held) >= 0.93
    assert np.mean(narrower) < 0.75


def test_what_is_known_moves_nothing():
    """Responses without doubt and kind count as they are, and say nothing of the others."""
    verdicts, right = make_run(7)
    known = np.arange(len(right)) % 3 == 0
    settled = Verdicts(
        chance=np.where(known, 0.0, verdicts.chance),
        doubt=np.where(known, 0.0, verdicts.doubt),
        kinds=np.where(known[:, None], 0.0, verdicts.kinds),
        right=verdicts.right,
        pipelines=verdicts.pipelines,
    )

    assert pool_shares(settled, ERRORS).value == pytest.approx(shares_of(settled, settled.chance))


def test_the_estimate_is_that_of_a_second_implementation():
    """With one spread the closed form is the least-squares solution of labels and priors stacked into one table."""
    verdicts, right = make_run(9, each=15)
    labelled = with_labels(verdicts, right, 80, 9)
    tight = ShareErrors(run=0.4, pipeline=1e-6)  # the spread between pipelines is as good as none, whichever is tried
    found = pool_shares(labelled, tight)

    known = ~np.isnan(labelled.right)
    columns = np.hstack([verdicts.doubt[:, None], verdicts.kinds * verdicts.doubt[:, None], verdicts.kinds])
    prior = 0.4 * np.array([1, 1, 1, 1, 0.25, 0.25, 0.25])
    noise = np.empty(len(right))
    residual = labelled.right - verdicts.chance
    for kind in range(KINDS):
        own = verdicts.kinds[:, kind] == 1
        made_up = max(0.1, (verdicts.chance * (1 - verdicts.chance))[own].mean())
        mine = residual[own & known]
        noise[own] = (((mine - mine.mean()) ** 2).sum() + 2 * made_up) / (len(mine) + 2)
    stacked = np.vstack([columns[known] / np.sqrt(noise[known, None]), np.diag(1 / prior)])
    target = np.concatenate([residual[known] / np.sqrt(noise[known]), np.zeros(7)])
    effects = np.linalg.lstsq(stacked, target, rcond=None)[0]
    expected = np.where(known, right, verdicts.chance + columns @ effects)

    assert found.value == pytest.approx(shares_of(verdicts, expected), abs=1e-6)
