"""What a decision comes to for who signs it: its status against what was agreed before, and its effect in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import polars as pl

from qaviz.analysis.decision.choice import Choice, Kind
from qaviz.analysis.numbers import count, day, figure
from qaviz.model.records import NO_PROTOCOL, Override, Protocol

PER = 10_000
"""Questions that an effect is stated for."""
_MISSES = (Kind.MISSES_CRITERIA, Kind.NOT_GOOD_ENOUGH, Kind.BEHIND_ON_CRITICAL)


class Status(StrEnum):
    """Where a decision stands."""

    SHIP = "ship"
    DO_NOT_SHIP = "do not ship"
    NOT_SETTLED = "not settled"
    READY = "ready for review"


@dataclass(frozen=True, kw_only=True)
class Impact:
    """What shipping the subject would change, for every `per` questions."""

    per: int
    against: str | None
    """The next best pipeline; None where there is no other."""
    more_right: int | None
    """More right answers than the next best, with its 95 % interval; null where there is no other."""
    low: int | None
    high: int | None
    cost_per_right_answer: float | None
    """In the currency of the responses; null where the costs of fewer than 80 % of them are known, or none is right."""


_MORE_NEEDED = "More questions, labels or a judge could still turn it."
_NOT_SETTLED = {
    Kind.TIE: "Nothing that is known separates them: cost, speed or other questions would.",
    Kind.TIE_BROKEN: "Cost or speed decides, and more questions could still separate them.",
    Kind.NO_CRITERION: "Nobody has said what is good enough.",
    Kind.NOT_JUDGED: "No response has a verdict.",
}


def find_status(
    choice: Choice, criteria: pl.DataFrame, doubts: Sequence[str], protocol: Protocol
) -> tuple[Status, str]:
    """The status and its reason: criteria that are missed, what is not settled, then what nobody agreed on before."""
    if choice.kind in _MISSES:
        return Status.DO_NOT_SHIP, f"{choice.kind.capitalize()}."
    if not (choice.settled and (choice.recommended or choice.kind in (Kind.TIE, Kind.NO_CRITERION))):
        return Status.NOT_SETTLED, _NOT_SETTLED.get(choice.kind, _MORE_NEEDED)
    if doubts:
        return Status.READY, "Doubts of loading are open: somebody has to look at them."
    if criteria.is_empty():
        return Status.READY, "No acceptance criterion was set: somebody has to say what is good enough."
    if protocol.before is False:
        return Status.READY, f"Every criterion is met, but {word_protocol(protocol)}: somebody has to confirm them."
    if not choice.recommended:
        return Status.READY, "Several are level, so that any of them may ship."
    when = f" They were {agreed.removeprefix('criteria were ')}." if (agreed := word_protocol(protocol)) else ""
    return Status.SHIP, f"Every acceptance criterion is met.{when}"


def word_protocol(protocol: Protocol) -> str:
    """When the criteria were agreed: `criteria were set on 1 Nov 2026, before the result`; empty where nobody knows."""
    if protocol.set_at is None or protocol.before is None:
        return ""
    return f"criteria were set on {day(protocol.set_at)}, {'before' if protocol.before else 'after'} the result"


def find_next_step(
    choice: Choice,
    status: Status,
    criteria: pl.DataFrame,
    doubts: Sequence[str],
    settling: str,
    protocol: Protocol = NO_PROTOCOL,
) -> str:
    """What the reader of the decision does now."""
    name = choice.subject.name
    if status is Status.SHIP:
        return f"Sign off, and ship {name}."
    if status is Status.DO_NOT_SHIP:
        return f"Mend what {name} gets wrong most, and run the same questions again."
    if status is Status.READY and doubts:
        return "Look at the doubts of loading, then sign off."
    if status is Status.READY and criteria.is_empty():
        return "Say what is good enough: set criteria on Compare, then sign off."
    if status is Status.READY and protocol.before is False:
        return "Have somebody else confirm the criteria, or ask new questions by them; then sign off."
    return "Choose any of them, then sign off." if status is Status.READY else settling


def word_override(override: Override) -> str:
    """What a person decided instead, why, and whether that holds."""
    ships = f"ship {override.ships}" if override.ships else "ship none"
    decided = f"Overridden by {override.by} on {day(override.at)}: {ships}. Reason: {override.reason.rstrip('.')}."
    if override.confirmed_by and override.confirmed_at:
        return f"{decided} Confirmed by {override.confirmed_by} on {day(override.confirmed_at)}."
    return decided if override.holds else f"{decided} It waits for a second person: until then it does not hold."


def find_impact(choice: Choice) -> Impact:
    """The effect of shipping the subject against the best of its rivals."""
    subject = choice.subject
    rival = choice.rivals[0] if choice.rivals else None
    pair = choice.pairs.get((subject.name, rival.name)) if rival else None
    ends = (pair["difference"], pair["low"], pair["high"]) if pair else (None, None, None)
    more, low, high = (None if value is None else round(PER * value) for value in ends)
    return Impact(
        per=PER,
        against=rival.name if rival else None,
        more_right=more,
        low=low,
        high=high,
        cost_per_right_answer=None if subject.cost is None or not subject.share else subject.cost / subject.share,
    )


def word_impact(subject: str, impact: Impact) -> str | None:
    """The effect in a sentence; None where there is nothing to say."""
    if impact.more_right is None or impact.low is None or impact.high is None:
        return None
    more = "more" if impact.more_right >= 0 else "fewer"
    ends = f"{count(impact.low)} to {count(impact.high)}"
    paid = impact.cost_per_right_answer
    cost = "" if paid is None else f" A right answer of {subject} costs {figure(paid)}."
    return (
        f"Per {count(impact.per)} questions: {count(abs(impact.more_right))} {more} right answers than "
        f"{impact.against} (95% interval {ends}).{cost}"
    )
