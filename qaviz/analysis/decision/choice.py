"""Which pipeline a run recommends, and how sure that is: from how each stands, and each pair's comparison.

Never recommended: a pipeline that misses a criterion, or that has fewer critical questions right than another one that
meets the criteria.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from qaviz.analysis.comparison import ComparedRow
from qaviz.stats import Decision as Compared

MOST_QUESTIONS = 10_000
"""More questions than this are too many to write for one decision: no number is given."""

SAME = 1e-9
"""Shares that differ by no more are level."""


class Confidence(StrEnum):
    """How sure a decision is."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Kind(StrEnum):
    """What a run supports."""

    SHIP = "one is ahead of others beyond chance"
    ONLY_ONE = "one alone meets every criterion"
    TIE_BROKEN = "several are level, and one costs less or is faster"
    NO_DIFFERENCE = "no clear difference, and one has a few more right"
    GOOD_ENOUGH = "the only pipeline meets every criterion"
    TIE = "several are level"
    TOO_FEW = "too few questions"
    MISSES_CRITERIA = "every pipeline misses a criterion"
    BEHIND_ON_CRITICAL = "the best is behind on critical questions"
    NOT_GOOD_ENOUGH = "the only pipeline misses a criterion"
    NOT_SHOWN = "too few questions to show that the only pipeline is good enough"
    NO_CRITERION = "no acceptance criterion is set"
    NOT_JUDGED = "no response is judged"


_SURE = (Kind.ONLY_ONE, Kind.GOOD_ENOUGH, Kind.NOT_GOOD_ENOUGH, Kind.MISSES_CRITERIA)
_BETWEEN = (Kind.TIE_BROKEN, Kind.NO_DIFFERENCE)


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How one pipeline stands; figures as `right_answers.right_answers` has them."""

    name: str
    right: int
    of: int
    unsure: int
    missing: int
    share: float | None
    low: float
    high: float
    labelled: int
    corrected_by_labels: bool
    cost: float | None
    latency_ms: float | None
    critical: int
    """Critical questions that are right."""
    met: tuple[str, ...]
    """Acceptance criteria, in words."""
    missed: tuple[str, ...]
    not_shown: tuple[str, ...]
    needed_for_criteria: int | None
    """More questions that would show the open criteria to be met; None where no number of them would."""


Pairs = Mapping[tuple[str, str], ComparedRow]
"""Rows of `comparison.compare` by right answers, seen from the first name."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a run supports, and the pipeline that this is about."""

    kind: Kind
    subject: Standing
    """The recommended pipeline, else the one that leads."""
    recommended: bool
    standings: tuple[Standing, ...]
    """The best first."""
    pairs: Pairs

    @property
    def others(self) -> tuple[Standing, ...]:
        """All but the subject, the best first."""
        return tuple(each for each in self.standings if each is not self.subject)

    @property
    def beaten(self) -> tuple[Standing, ...]:
        """Those that the subject is ahead of beyond chance."""
        return tuple(each for each in self.others if self.against(each) is Compared.BETTER)

    @property
    def unsettled(self) -> tuple[Standing, ...]:
        """Those that the subject is neither ahead of nor behind, beyond chance."""
        settled = (Compared.BETTER, Compared.WORSE)
        return tuple(each for each in self.others if self.against(each) not in settled)

    @property
    def level(self) -> tuple[Standing, ...]:
        """Those with the subject's share."""
        return tuple(each for each in self.others if _are_level(self.subject, each))

    @property
    def ahead_of_subject(self) -> tuple[Standing, ...]:
        """Those with more right answers that may not ship."""
        return tuple(self.standings[: self.standings.index(self.subject)])

    def against(self, other: Standing) -> Compared:
        """What is known of the subject against another pipeline."""
        return Compared(self.pairs[self.subject.name, other.name]["decision"])

    @property
    def confidence(self) -> Confidence:
        """How sure the decision is; what is recommended is not sure while a criterion is open."""
        if self.kind in _SURE:
            return Confidence.HIGH
        if self.kind in _BETWEEN:
            return Confidence.MEDIUM
        if self.kind is not Kind.SHIP or 2 * len(self.beaten) < len(self.others):
            return Confidence.LOW
        return Confidence.MEDIUM if self.unsettled or self.subject.not_shown else Confidence.HIGH

    @property
    def settled_by(self) -> int | None:
        """How many more questions like these would settle it: 0 where it is, None where no number of them would."""
        if self.kind is Kind.NOT_SHOWN:
            return self.subject.needed_for_criteria
        if self.kind in _SURE or (self.kind is Kind.SHIP and not self.unsettled):
            return self.subject.needed_for_criteria if self.kind is Kind.SHIP else 0
        if self.kind not in (Kind.SHIP, Kind.NO_DIFFERENCE, Kind.TOO_FEW) or not self.unsettled:
            return None
        needed = self.pairs[self.subject.name, self.unsettled[0].name]["needed"]
        return needed if needed is not None and needed <= MOST_QUESTIONS else None


def choose(standings: Sequence[Standing], pairs: Pairs) -> Choice:
    """The choice among pipelines, the best first; `pairs` has every two of them both ways."""
    kind, subject = _judge_alone(standings[0]) if len(standings) == 1 else _choose_among(standings, pairs)
    recommended = kind in (Kind.SHIP, Kind.ONLY_ONE, Kind.GOOD_ENOUGH, *_BETWEEN)
    return Choice(kind=kind, subject=subject, recommended=recommended, standings=tuple(standings), pairs=pairs)


def _judge_alone(only: Standing) -> tuple[Kind, Standing]:
    if only.share is None:
        return Kind.NOT_JUDGED, only
    if only.missed:
        return Kind.NOT_GOOD_ENOUGH, only
    if only.not_shown:
        return Kind.NOT_SHOWN, only
    return (Kind.GOOD_ENOUGH if only.met else Kind.NO_CRITERION), only


def _choose_among(standings: Sequence[Standing], pairs: Pairs) -> tuple[Kind, Standing]:
    eligible = [each for each in standings if each.share is not None and not each.missed]
    if not eligible:
        return (Kind.NOT_JUDGED if standings[0].share is None else Kind.MISSES_CRITERIA), standings[0]
    most_critical = max(each.critical for each in eligible)
    candidates = [each for each in eligible if each.critical == most_critical]
    top = candidates[0]
    if top is not eligible[0] and _get_comparison(pairs, top, eligible[0]) is Compared.WORSE:
        return Kind.BEHIND_ON_CRITICAL, eligible[0]
    if len(eligible) == 1 and top.met and not top.not_shown:
        return Kind.ONLY_ONE, top
    return _judge_first(top, candidates[1:], standings, pairs), top


def _judge_first(top: Standing, rivals: Sequence[Standing], standings: Sequence[Standing], pairs: Pairs) -> Kind:
    """What is known of the pipeline that stands first among those that may ship."""
    against = [_get_comparison(pairs, top, each) for each in standings if each is not top]
    level = [each for each in rivals if _are_level(top, each)]
    if level:
        return Kind.TIE_BROKEN if all(_saves(top, each) for each in level) else Kind.TIE
    if Compared.BETTER in against:
        return Kind.SHIP
    return Kind.TOO_FEW if Compared.TOO_FEW_QUESTIONS in against else Kind.NO_DIFFERENCE


def _get_comparison(pairs: Pairs, one: Standing, other: Standing) -> Compared:
    return Compared(pairs[one.name, other.name]["decision"])


def _are_level(one: Standing, other: Standing) -> bool:
    return one.share is not None and other.share is not None and abs(one.share - other.share) <= SAME


def _saves(one: Standing, other: Standing) -> bool:
    """Whether the one costs less, or as much and is faster, as far as both are known."""
    if one.cost is not None and other.cost is not None and one.cost != other.cost:
        return one.cost < other.cost
    return one.latency_ms is not None and other.latency_ms is not None and one.latency_ms < other.latency_ms
