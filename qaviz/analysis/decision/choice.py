"""Which pipeline a run recommends, and how sure that is: from how each stands, and each pair's comparison.

Never recommended: a pipeline that misses a criterion, that has fewer critical questions right than another one that
meets the criteria, or that another one might overtake once its own open responses were wrong and the others' right. The
rules are those of docs/decision.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import ceil

from qaviz.analysis.comparison import Basis, ComparedRow
from qaviz.analysis.criteria import MOST_QUESTIONS
from qaviz.analysis.estimates import Estimate
from qaviz.stats import ALPHA, Compared, power_with, raise_power

SAME = 1e-9
"""Shares that differ by no more are level."""
_SETTLED = (Compared.BETTER, Compared.WORSE)


class Confidence(StrEnum):
    """How sure a decision is."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Kind(StrEnum):
    """What a run supports."""

    AHEAD = "one is ahead"
    MEETS = "it meets every criterion"
    """As the only pipeline, or as the only one of several."""
    LEVEL = "several are level"
    """Recommended where one of them costs less or is faster."""
    NO_DIFFERENCE = "no clear difference"
    TOO_FEW = "too few questions"
    """To tell pipelines apart, or to show that the only one is good enough."""
    OPEN = "open responses decide"
    MISSES = "it misses what it has to reach"
    """A criterion, critical questions that another one has right, or any right answer."""
    NOTHING = "nothing to decide by"
    """No response is judged, or no criterion is set for the only pipeline."""


@dataclass(frozen=True, kw_only=True)
class Standing(Estimate):
    """How one pipeline stands."""

    own_labels: bool
    """Whether labels drawn of it alone correct its share: fewer than a certificate of its verdicts takes."""
    critical: int
    """Critical questions that are right each time."""
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
        return self.judged and not self.missed and self.share > 0


Pairs = Mapping[tuple[str, str], ComparedRow]
"""Rows of `comparison.compare` by right answers, seen from the first name."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a run supports, and the pipeline that this is about."""

    kind: Kind
    subject: Standing
    """The recommended pipeline, else the one that leads."""
    recommended: bool
    """Whether the subject may ship."""
    standings: tuple[Standing, ...]
    """The best first."""
    pairs: Pairs
    smallest: float | None = None
    """The smallest difference that matters; None where nobody has said."""

    @property
    def others(self) -> tuple[Standing, ...]:
        """All but the subject, the best first."""
        return tuple(standing for standing in self.standings if standing.pipeline != self.subject.pipeline)

    @property
    def rivals(self) -> tuple[Standing, ...]:
        """The others that may be recommended; all others where none may."""
        return tuple(other for other in self.others if other.eligible) or self.others

    @property
    def beaten(self) -> tuple[Standing, ...]:
        """The rivals that the subject is ahead of beyond chance."""
        return tuple(rival for rival in self.rivals if self.against(rival) is Compared.BETTER)

    @property
    def apart(self) -> tuple[Standing, ...]:
        """The rivals that gave other responses than the subject."""
        return tuple(rival for rival in self.rivals if not self._is_twin(rival))

    @property
    def unsettled(self) -> tuple[Standing, ...]:
        """The rivals with other responses that the subject is neither ahead of nor behind, beyond chance."""
        return tuple(rival for rival in self.apart if self.against(rival) not in _SETTLED)

    @property
    def level(self) -> tuple[Standing, ...]:
        """The rivals with the subject's share, or no difference that matters, and as many critical questions right."""
        own = self.subject
        alike = [other for other in self.rivals if _are_level(own, other) or self.against(other) is Compared.LEVEL]
        return tuple(other for other in alike if other.critical == own.critical)

    def pair_with(self, other: Standing) -> ComparedRow:
        """The comparison with another pipeline, seen from the subject."""
        return self.pairs[self.subject.pipeline, other.pipeline]

    def against(self, other: Standing) -> Compared:
        """What is known of the subject against another pipeline."""
        return Compared(self.pair_with(other)["decision"])

    @property
    def same_responses(self) -> bool:
        """Whether all that are level gave the same responses."""
        return bool(self.level) and all(map(self._is_twin, self.level))

    def _is_twin(self, other: Standing) -> bool:
        return self.pair_with(other)["basis"] == Basis.SAME

    @property
    def leads(self) -> bool:
        """Whether it rests on what the subject, and those that gave its responses, are ahead of."""
        return self.kind is Kind.AHEAD or (self.kind is Kind.LEVEL and self.same_responses and bool(self.apart))

    @property
    def by_words(self) -> bool:
        """Whether the subject is ahead of some only within the error of words."""
        return self.leads and Confidence.LOW in map(self._rate_pair, self.beaten)

    @property
    def confidence(self) -> Confidence | None:
        """How sure the decision is, high only by labels; None for a tie and where no difference is clear."""
        if self.kind is Kind.LEVEL and not self.leads:
            return Confidence.HIGH if self.same_responses else None
        if self.kind is Kind.NO_DIFFERENCE:
            return None
        if self.kind is Kind.MEETS or (self.kind is Kind.MISSES and not self.subject.eligible):
            labelled = all(standing.own_labels for standing in (self.subject, *self.rivals))
            return Confidence.HIGH if labelled else Confidence.MEDIUM
        if not self.leads or self.by_words or 2 * len(self.beaten) < len(self.apart):
            return Confidence.LOW
        if self.unsettled or self.subject.not_shown:
            return Confidence.MEDIUM
        sure = {self._rate_pair(rival) for rival in self.beaten}
        return Confidence.HIGH if sure == {Confidence.HIGH} else Confidence.MEDIUM

    def _rate_pair(self, rival: Standing) -> Confidence:
        """How sure it is that the subject is ahead of a rival."""
        return Confidence(self.pair_with(rival)["confidence"] or Confidence.LOW)

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
        if other.critical_possible <= own.critical and word is Compared.LEVEL:
            return False
        if word is Compared.OPEN or other.critical_possible > own.critical:
            return True
        return word not in _SETTLED and other.high_share >= own.share - SAME

    @property
    def settled(self) -> bool:
        """Whether the intervals leave nothing open: no more questions, labels or open responses are needed."""
        return self.settled_by == 0 and self.open == 0

    @property
    def settled_by(self) -> int | None:
        """How many more questions like these would settle it: 0 where it is, None where no number of them is known."""
        own = self.subject
        if self.kind is Kind.MEETS or (self.kind is Kind.MISSES and (not self.others or not own.eligible)):
            return 0
        level = self.kind is Kind.LEVEL and all(self.against(other) is Compared.LEVEL for other in self.level)
        if self.by_words or (self.kind is Kind.LEVEL and not level):
            return None
        unsettled = [rival for rival in self.unsettled if not level or self.against(rival) is not Compared.LEVEL]
        if (self.kind is Kind.TOO_FEW and not self.others) or ((level or self.kind is Kind.AHEAD) and not unsettled):
            return own.needed_for_criteria
        if not (level or self.kind in (Kind.AHEAD, Kind.NO_DIFFERENCE, Kind.TOO_FEW)) or not unsettled:
            return None
        pair = self.pair_with(unsettled[0])
        if pair["needed"] is None:
            return None
        guardrails = len(own.met) + len(own.missed) + len(own.not_shown)
        alpha = ALPHA / max(len(self.pairs) // 2, 1)
        needed = ceil(raise_power(pair["needed"] + pair["paired"], alpha, power_with(guardrails))) - pair["paired"]
        return needed if needed <= MOST_QUESTIONS else None


def choose(standings: Sequence[Standing], pairs: Pairs, smallest: float | None = None) -> Choice:
    """The choice among pipelines, the best first; `pairs` has every two of them both ways.

    A recommendation that would not stand, were all open responses of its pipeline wrong and those of the others right,
    is none: open responses decide.
    """
    kind, subject, recommended = _choose(standings, pairs)
    if subject.judged and are_mostly_unsure(standings):
        kind, recommended = Kind.OPEN, False
    if recommended:
        worst = [
            replace(standing, missed=(*standing.missed, *standing.missed_at_worst))
            if standing is subject
            else replace(standing, share=standing.high_share, critical=standing.critical_possible)
            for standing in standings
        ]
        _, leader, still = _choose(sorted(worst, key=lambda standing: -round(standing.share, 9)), pairs)
        if not still or leader.pipeline != subject.pipeline:
            kind, recommended = Kind.OPEN, False
    return Choice(
        kind=kind, subject=subject, recommended=recommended, standings=tuple(standings), pairs=pairs, smallest=smallest
    )


def are_mostly_unsure(standings: Sequence[Standing]) -> bool:
    """Whether most responses are open, and no label says what such responses come to."""
    unsure, of = sum(standing.unsure for standing in standings), sum(standing.of for standing in standings)
    return 2 * unsure > of and not any(standing.corrected_by_labels for standing in standings)


def _choose(standings: Sequence[Standing], pairs: Pairs) -> tuple[Kind, Standing, bool]:
    """The kind, its subject, and whether that may ship."""
    first = standings[0]
    eligible = [standing for standing in standings if standing.eligible]
    if not eligible:
        return (Kind.MISSES if first.judged else Kind.NOTHING), first, False
    if len(standings) == 1:
        kind = Kind.TOO_FEW if first.not_shown else Kind.MEETS if first.met else Kind.NOTHING
        return kind, first, kind is Kind.MEETS
    most_critical = max(standing.critical for standing in eligible)
    candidates = [standing for standing in eligible if standing.critical == most_critical]
    top = candidates[0]
    if top is not eligible[0] and _get_comparison(pairs, top, eligible[0]) is Compared.WORSE:
        return Kind.MISSES, eligible[0], False
    if len(eligible) == 1 and top.met and not top.not_shown:
        return Kind.MEETS, top, True
    near = [top, *(other for other in candidates[1:] if _get_comparison(pairs, top, other) is Compared.LEVEL)]
    equal = [top, *(other for other in candidates[1:] if _are_level(top, other))]
    if level := max(near, equal, key=len)[1:]:
        every = [top, *level]
        saver = next((own for own in every if all(_saves(own, other) for other in every if other is not own)), None)
        return Kind.LEVEL, saver or top, saver is not None
    rivals = [standing for standing in eligible if standing is not top]
    against = {_get_comparison(pairs, top, other) for other in rivals or standings if other is not top}
    # Without a rival it is still to be shown that it reaches what the others miss.
    otherwise = Kind.NO_DIFFERENCE if rivals else Kind.TOO_FEW
    by_word = {Compared.BETTER: Kind.AHEAD, Compared.OPEN: Kind.OPEN, Compared.TOO_FEW_QUESTIONS: Kind.TOO_FEW}
    kind = next((of_word for word, of_word in by_word.items() if word in against), otherwise)
    return kind, top, kind in (Kind.AHEAD, Kind.NO_DIFFERENCE)


def _get_comparison(pairs: Pairs, own: Standing, other: Standing) -> Compared:
    return Compared(pairs[own.pipeline, other.pipeline]["decision"])


def _are_level(own: Standing, other: Standing) -> bool:
    return abs(own.share - other.share) <= SAME


def _saves(own: Standing, other: Standing) -> bool:
    """Whether it costs less than another, or as much and is faster. What is not known of one alone decides nothing."""
    if own.cost != other.cost:
        return own.cost is not None and other.cost is not None and own.cost < other.cost
    return own.latency_ms is not None and other.latency_ms is not None and own.latency_ms < other.latency_ms
