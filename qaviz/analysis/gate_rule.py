"""The gate's rule: which questions that broke and were fixed let a pipeline pass, and why (docs/pipelines.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum

import numpy as np
from numpy.typing import NDArray

from qaviz import stats
from qaviz.analysis.comparison import rounded_up
from qaviz.analysis.criteria import MOST_QUESTIONS
from qaviz.analysis.numbers import count, plural
from qaviz.analysis.outcomes import SEED
from qaviz.analysis.run_changes import HALF, name_questions
from qaviz.stats import ALPHA, MARGIN

FEW_QUESTIONS, MOST_BROKEN = 100, 20
"""Below so many questions one in MOST_BROKEN may break, unless told otherwise."""


class Result(StrEnum):
    """How a gate, or one check of it, ends."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "cannot tell"


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What a gate lets pass."""

    margin: float = MARGIN
    """The loss of right answers that matters."""
    broken: int | None = None
    """How many questions may break; None for the usual: one in MOST_BROKEN of fewer than FEW_QUESTIONS."""
    seed: int = SEED

    def allowed(self, questions: int) -> int:
        """How many of so many questions may break."""
        if self.broken is not None:
            return self.broken
        return questions // MOST_BROKEN if questions < FEW_QUESTIONS else questions


class Reason(Enum):
    """Why right answers pass, fail or cannot tell: the result, and the sentence."""

    CRITICAL = Result.FAIL, "{tally}; critical ones among them"
    SHOWN = Result.FAIL, "{tally}; a loss is shown, of {low} or more"
    MANY = Result.FAIL, "{tally}; at most {allowed} may break"
    NOTHING = Result.PASS, "none of {questions} broke"
    EXCLUDED = Result.PASS, "{tally}; a loss of {margin} or more is excluded"
    NO_QUESTION = Result.UNKNOWN, "no question with the same triplet in both runs"
    LABELS = (
        Result.UNKNOWN,
        "{contradicted} labels of one run alone say other than its verdicts, so verdicts cannot compare the runs: "
        "label the same questions of both",
    )
    OPEN = Result.UNKNOWN, "{tally}; {open} may have broken: a person or a judge has to decide"
    FEW = Result.UNKNOWN, "{tally}; a loss of {margin} or more is neither shown nor excluded; {needed}"

    @property
    def result(self) -> Result:
        """What follows of it."""
        return Result(self.value[0])


@dataclass(frozen=True, kw_only=True)
class Losses:
    """What became of one pipeline's questions, a number each: 1 broke, -1 was fixed, between them for repeats."""

    least: NDArray[np.float64]
    """By what is certain."""
    most: NDArray[np.float64]
    """However open responses turn out."""
    critical: int = 0
    """Critical questions that broke."""
    contradicted: int = 0
    """Labels that one run alone has and that say other than its verdicts, where that keeps verdicts from deciding."""
    by_labels: tuple[float, float] | None = None
    """Ends of the loss by people's labels of both runs, where enough were drawn at random."""

    @property
    def broken(self) -> int:
        """Questions that broke for certain."""
        return int((self.least > HALF).sum())

    @property
    def fixed(self) -> int:
        """Questions that were fixed for certain."""
        return int((self.most < -HALF).sum())

    @property
    def doubtful(self) -> int:
        """Questions that may have broken: open responses decide."""
        return int((self.most > HALF).sum()) - self.broken

    @property
    def partly(self) -> int:
        """Questions that are right in fewer of their repeats for certain, and did not break."""
        return int((self.least > 0).sum()) - self.broken


def decide_losses(losses: Losses, rules: Rules, tests: int = 1) -> Reason:
    """The gate's rule, of one of so many pipelines: what fails comes first, then what passes."""
    questions, capital = len(losses.least), tests / ALPHA
    if not questions:
        return Reason.NO_QUESTION
    label_low, label_high = losses.by_labels or (1.0, -1.0)
    excluded = stats.mixed_bets(losses.most, rules.margin)
    reasons = {
        Reason.CRITICAL: losses.critical > 0,
        Reason.SHOWN: stats.mixed_bets(-losses.least, 0.0) >= capital and label_low > 0,
        Reason.MANY: losses.broken > rules.allowed(questions),
        Reason.NOTHING: bool((losses.most <= 0).all()),
        Reason.EXCLUDED: excluded >= capital and label_high < rules.margin,
        Reason.LABELS: losses.contradicted > 0,
        Reason.OPEN: not losses.broken and losses.doubtful > 0,
    }
    return next((reason for reason, holds in reasons.items() if holds), Reason.FEW)


def count_questions_needed(losses: Losses, rules: Rules, tests: int = 1) -> int | None:
    """About how many questions would tell, if as large shares of them broke and were fixed: up to two digits too many;
    None where none up to MOST_QUESTIONS would."""
    questions = len(losses.least)
    for number in np.unique(np.geomspace(questions, MOST_QUESTIONS, 60).astype(int)):
        times = number / questions
        excluded = stats.mixed_bets(losses.most, rules.margin, times=times)
        if max(excluded, stats.mixed_bets(-losses.least, 0.0, times=times)) >= tests / ALPHA:
            return rounded_up(int(number))
    return None


def word_losses(reason: Reason, losses: Losses, rules: Rules, broken: Sequence[str], needed: int | None) -> str:
    """The reason in words; `broken` are the questions that broke, `needed` is of `count_questions_needed`."""
    of = plural(len(losses.least), "question")
    tally = f"{count(losses.broken)} broke and {count(losses.fixed)} were fixed, of {of}"
    if broken:
        tally += f" (broken: {name_questions(broken)})"
    if losses.partly:
        tally += f"; {count(losses.partly)} right in fewer of the repeats"
    would_tell = "no number of questions up to 10,000 would tell, if so large a share breaks"
    if needed is not None:
        would_tell = f"about {plural(needed, 'question')} would tell"
    low = max(stats.anytime_bounds(losses.least)[0], 0.0) if reason is Reason.SHOWN else 0.0
    return str(reason.value[1]).format(
        tally=tally,
        questions=of,
        low=word_points(low),
        margin=word_points(rules.margin),
        allowed=count(rules.allowed(len(losses.least))),
        contradicted=count(losses.contradicted),
        open=count(losses.doubtful),
        needed=would_tell,
    )


def word_points(share: float) -> str:
    """A difference of shares: `5 points`, `0.3 points`."""
    return f"{100 * share:.3g} points"
