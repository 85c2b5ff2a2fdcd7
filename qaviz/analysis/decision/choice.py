"""Which pipeline a run recommends, and how sure that is: from how each stands, and each pair's comparison.

Never recommended: a pipeline that misses a criterion, that has fewer critical questions right than another one that
meets the criteria, or that another one might overtake once its own open responses were wrong and the others' right. The
rules are those of docs/decision.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import ceil

from qaviz.analysis.comparison import ComparedRow
from qaviz.analysis.criteria import MOST_QUESTIONS
from qaviz.stats import ALPHA, power_with, raise_power
from qaviz.stats import Decision as Compared

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
    OPEN = "open responses decide"
    MISSES_CRITERIA = "every pipeline misses a criterion"
    BEHIND_ON_CRITICAL = "the best is behind on critical questions"
    NOT_GOOD_ENOUGH = "the only pipeline misses a criterion"
    NOT_SHOWN = "too few questions to show that the only pipeline is good enough"
    NO_CRITERION = "no acceptance criterion is set"
    NOT_JUDGED = "no response is judged"
    UNSURE = "words cannot judge most of the responses"


_SURE = (Kind.ONLY_ONE, Kind.GOOD_ENOUGH, Kind.NOT_GOOD_ENOUGH, Kind.MISSES_CRITERIA)
_TIES = (Kind.TIE, Kind.TIE_BROKEN)
_RECOMMENDS = (Kind.SHIP, Kind.ONLY_ONE, Kind.GOOD_ENOUGH, Kind.TIE_BROKEN, Kind.NO_DIFFERENCE)
_SETTLED = (Compared.BETTER, Compared.WORSE)


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How one pipeline stands; figures as `estimates.estimate` has them."""

    name: str
    right: int
    of: int
    unsure: int
    missing: int
    empty: int
    judged: bool
    share: float
    low: float
    high: float
    labelled: int
    corrected_by_labels: bool
    cost: float | None
    latency_ms: float | None
    cost_known: int
    latency_known: int
    responses: int
    critical: int
    """Critical questions that are right."""
    critical_possible: int
    """The same if all open responses were right."""
    met: tuple[str, ...]
    """Acceptance criteria, in words."""
    missed: tuple[str, ...]
    not_shown: tuple[str, ...]
    missed_at_worst: tuple[str, ...]
    """Those that it misses if its open responses are wrong."""
    criteria_open: bool
    """Whether open responses decide on a criterion."""
    needed_for_criteria: int | None
    """More questions that would show the open criteria to be met; None where no number of them would."""

    @property
    def open(self) -> int:
        """Open responses that the share depends on."""
        return 0 if self.corrected_by_labels else self.unsure

    @property
    def high_share(self) -> float:
        """The share if all open responses were right."""
        return self.share if self.corrected_by_labels or not self.of else (self.right + self.unsure) / self.of

    @property
    def eligible(self) -> bool:
        """Whether it may be recommended as far as its verdicts and criteria go."""
        return self.judged and not self.missed

    def at_worst(self) -> "Standing":
        """If all its open responses were wrong."""
        missed = tuple(dict.fromkeys((*self.missed, *self.missed_at_worst)))
        return replace(self, missed=missed)

    def at_best(self) -> "Standing":
        """If all its open responses were right."""
        return replace(self, share=self.high_share, critical=self.critical_possible)


Pairs = Mapping[tuple[str, str], ComparedRow]
"""Rows of `comparison.compare` by right answers, seen from the first name."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a run supports, and the pipeline that this is about."""

    kind: Kind
    subject: Standing
    """The recommended pipeline, else the one that leads."""
    standings: tuple[Standing, ...]
    """The best first."""
    pairs: Pairs
    certified_by: int | None = None
    """Labels that certify the verdicts of most responses; None where none do."""
    smallest: float | None = None
    """The smallest difference that matters; None where nobody has said."""

    @property
    def recommended(self) -> bool:
        """Whether the subject may ship."""
        return self.kind in _RECOMMENDS

    @property
    def others(self) -> tuple[Standing, ...]:
        """All but the subject, the best first."""
        return tuple(standing for standing in self.standings if standing.name != self.subject.name)

    @property
    def rivals(self) -> tuple[Standing, ...]:
        """The others that may be recommended; all others where none may."""
        return tuple(other for other in self.others if other.eligible) or self.others

    @property
    def beaten(self) -> tuple[Standing, ...]:
        """The rivals that the subject is ahead of beyond chance."""
        return tuple(rival for rival in self.rivals if self.against(rival) is Compared.BETTER)

    @property
    def unsettled(self) -> tuple[Standing, ...]:
        """The rivals that the subject is neither ahead of nor behind, beyond chance."""
        return tuple(rival for rival in self.rivals if self.against(rival) not in _SETTLED)

    @property
    def level(self) -> tuple[Standing, ...]:
        """The rivals with the subject's share, or no difference from it that matters, and as many critical questions
        right."""
        return tuple(
            rival
            for rival in self.rivals
            if rival.critical == self.subject.critical
            and (_are_level(self.subject, rival) or _differ_too_little(self.pairs, self.subject, rival, self.smallest))
        )

    @property
    def ahead_of_subject(self) -> tuple[Standing, ...]:
        """Those with more right answers that may not ship."""
        return tuple(self.standings[: [standing.name for standing in self.standings].index(self.subject.name)])

    def against(self, other: Standing) -> Compared:
        """What is known of the subject against another pipeline."""
        return _get_comparison(self.pairs, self.subject, other)

    @property
    def confidence(self) -> Confidence | None:
        """How sure the decision is, high only by labels; None for a tie and where no difference is clear."""
        return self._rate()[0]

    @property
    def confidence_reason(self) -> str:
        """Why it is so sure, in a sentence."""
        return self._rate()[1]

    def _rate(self) -> tuple[Confidence | None, str]:
        some, ahead = len(self.rivals), len(self.beaten)
        close = f"{some - ahead} {'is' if some - ahead == 1 else 'are'} too close"
        among = f"ahead of {'all ' if ahead == some else f'{ahead:,} of '}{some:,} beyond chance"
        if some == ahead == 1:
            among = f"ahead of {self.rivals[0].name} beyond chance"
        if self.kind in _TIES:
            matters = f"no more than {(self.smallest or 0) * 100:.3g} points apart, which does not matter"
            equal = all(_are_level(self.subject, other) for other in self.level)
            return None, f"A tie: the pipelines {'have equally many right answers' if equal else f'are {matters}'}."
        if self.kind is Kind.NO_DIFFERENCE:
            gaps = [self.pairs[self.subject.name, other.name]["detectable"] for other in self.unsettled]
            gap = max((gap for gap in gaps if gap is not None), default=0.0)
            return None, f"No clear difference: one of {ceil(gap * 1000) / 10:g} points would probably have shown."
        if self.kind is Kind.SHIP and self.unsettled:
            medium = 2 * ahead >= some
            return (Confidence.MEDIUM if medium else Confidence.LOW), f"Settled in part: {among}; {close}."
        if self.kind is Kind.SHIP and 2 * ahead < some:
            return Confidence.LOW, f"Settled in part: {among}."
        if self.kind is Kind.SHIP and self.subject.not_shown:
            return Confidence.MEDIUM, f"Settled in part: {among}, but a criterion is not shown."
        if self.kind not in (Kind.SHIP, *_SURE):
            return Confidence.LOW, f"Not settled: {self.kind.value}."
        clear = f"Settled: {among if self.kind is Kind.SHIP else 'the criteria decide'}"
        if self.certified_by:
            return Confidence.HIGH, f"{clear}; certified by {self.certified_by:,} labels."
        if all(standing.corrected_by_labels for standing in (self.subject, *self.rivals)):
            return Confidence.HIGH, f"{clear}, and people's labels correct the verdicts."
        return Confidence.MEDIUM, f"{clear}, but no random sample of labels corrects qaviz's own verdicts."

    @property
    def open(self) -> int:
        """How many open responses could turn the choice."""
        if not any(standing.eligible for standing in self.standings):
            return 0
        own = self.subject
        turning = [other for other in self.others if other.eligible and self._could_turn(other)]
        concerned = [own, *turning] if turning or own.criteria_open else []
        return sum(standing.open for standing in concerned)

    def _could_turn(self, other: Standing) -> bool:
        word, own = self.against(other), self.subject
        if other.critical_possible <= own.critical and _differ_too_little(self.pairs, own, other, self.smallest):
            return False
        if word is Compared.OPEN or other.critical_possible > own.critical:
            return True
        return word not in _SETTLED and other.high_share >= own.share - SAME

    @property
    def settled(self) -> bool:
        """Whether neither more questions of this kind nor open responses would change it."""
        return self.settled_by == 0 and self.open == 0

    @property
    def settled_by(self) -> int | None:
        """How many more questions like these would settle it: 0 where it is, None where no number of them would."""
        if self.kind in (Kind.ONLY_ONE, Kind.GOOD_ENOUGH, Kind.NOT_GOOD_ENOUGH, Kind.MISSES_CRITERIA):
            return 0
        if self.kind is Kind.NOT_SHOWN or (self.kind is Kind.SHIP and not self.unsettled):
            return self.subject.needed_for_criteria
        if self.kind is Kind.TIE_BROKEN and all(
            _differ_too_little(self.pairs, self.subject, other, self.smallest) for other in self.level
        ):
            return self.subject.needed_for_criteria
        if self.kind not in (Kind.SHIP, Kind.NO_DIFFERENCE, Kind.TOO_FEW) or not self.unsettled:
            return None
        pair = self.pairs[self.subject.name, self.unsettled[0].name]
        if pair["needed"] is None:
            return None
        guardrails = len(self.subject.met) + len(self.subject.missed) + len(self.subject.not_shown)
        alpha = ALPHA / max(len(self.pairs) // 2, 1)
        needed = ceil(raise_power(pair["needed"] + pair["paired"], alpha, power_with(guardrails))) - pair["paired"]
        return needed if needed <= MOST_QUESTIONS else None


def choose(
    standings: Sequence[Standing], pairs: Pairs, certified_by: int | None = None, smallest: float | None = None
) -> Choice:
    """The choice among pipelines, the best first; `pairs` has every two of them both ways.

    A recommendation that would not stand, were all open responses of its pipeline wrong and those of the others right,
    is none: open responses decide.
    """
    kind, subject = _choose(standings, pairs, smallest)
    if kind is not Kind.NOT_JUDGED and _are_mostly_unsure(standings):
        kind = Kind.UNSURE
    if kind in _RECOMMENDS:
        worst = [standing.at_worst() if standing is subject else standing.at_best() for standing in standings]
        still, leader = _choose(sorted(worst, key=lambda standing: -round(standing.share, 9)), pairs, smallest)
        if still not in _RECOMMENDS or leader.name != subject.name:
            kind = Kind.OPEN
    return Choice(
        kind=kind,
        subject=subject,
        standings=tuple(standings),
        pairs=pairs,
        certified_by=certified_by,
        smallest=smallest,
    )


def _are_mostly_unsure(standings: Sequence[Standing]) -> bool:
    """Whether most responses are open, and no label says what such responses come to."""
    unsure, of = sum(standing.unsure for standing in standings), sum(standing.of for standing in standings)
    return 2 * unsure > of and not any(standing.corrected_by_labels for standing in standings)


def _choose(standings: Sequence[Standing], pairs: Pairs, smallest: float | None) -> tuple[Kind, Standing]:
    return _judge_alone(standings[0]) if len(standings) == 1 else _choose_among(standings, pairs, smallest)


def _judge_alone(only: Standing) -> tuple[Kind, Standing]:
    if not only.judged:
        return Kind.NOT_JUDGED, only
    if only.missed:
        return Kind.NOT_GOOD_ENOUGH, only
    if only.not_shown:
        return Kind.NOT_SHOWN, only
    return (Kind.GOOD_ENOUGH if only.met else Kind.NO_CRITERION), only


def _choose_among(standings: Sequence[Standing], pairs: Pairs, smallest: float | None) -> tuple[Kind, Standing]:
    eligible = [standing for standing in standings if standing.eligible]
    if not eligible:
        return (Kind.MISSES_CRITERIA if standings[0].judged else Kind.NOT_JUDGED), standings[0]
    most_critical = max(standing.critical for standing in eligible)
    candidates = [standing for standing in eligible if standing.critical == most_critical]
    top = candidates[0]
    if top is not eligible[0] and _get_comparison(pairs, top, eligible[0]) is Compared.WORSE:
        return Kind.BEHIND_ON_CRITICAL, eligible[0]
    if len(eligible) == 1 and top.met and not top.not_shown:
        return Kind.ONLY_ONE, top
    near = [top, *(other for other in candidates[1:] if _differ_too_little(pairs, top, other, smallest))]
    saving = (one for one in near if all(_saves(one, other) for other in near if other is not one))
    if len(near) > 1 and top.share > 0 and (saver := next(saving, None)):
        return Kind.TIE_BROKEN, saver
    level = [candidate for candidate in candidates[1:] if _are_level(top, candidate)]
    if level:
        broken = top.share > 0 and all(_saves(top, standing) for standing in level)
        return (Kind.TIE_BROKEN if broken else Kind.TIE), top
    rivals = [standing for standing in eligible if standing is not top]
    return _judge_first(top, rivals, [standing for standing in standings if standing is not top], pairs), top


def _judge_first(top: Standing, rivals: Sequence[Standing], others: Sequence[Standing], pairs: Pairs) -> Kind:
    """What is known of the pipeline that stands first among those that may ship."""
    against = [_get_comparison(pairs, top, rival) for rival in rivals or others]
    if Compared.BETTER in against:
        return Kind.SHIP
    if not rivals:
        return Kind.NOT_SHOWN
    if Compared.OPEN in against:
        return Kind.OPEN
    return Kind.TOO_FEW if Compared.TOO_FEW_QUESTIONS in against else Kind.NO_DIFFERENCE


def _get_comparison(pairs: Pairs, one: Standing, other: Standing) -> Compared:
    return Compared(pairs[one.name, other.name]["decision"])


def _are_level(one: Standing, other: Standing) -> bool:
    return abs(one.share - other.share) <= SAME


def _differ_too_little(pairs: Pairs, one: Standing, other: Standing, smallest: float | None) -> bool:
    """Whether the whole interval of their difference is within the smallest one that matters."""
    return smallest is not None and _get_comparison(pairs, one, other) is Compared.LEVEL


def _saves(one: Standing, other: Standing) -> bool:
    """Whether the one costs less, or as much and is faster. What is not known of one alone decides nothing."""
    if one.cost != other.cost:
        return one.cost is not None and other.cost is not None and one.cost < other.cost
    return one.latency_ms is not None and other.latency_ms is not None and one.latency_ms < other.latency_ms
