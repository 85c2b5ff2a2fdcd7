"""A decision in sentences: for a reader who never heard of a p-value. Plain text with names as they came."""

from collections.abc import Callable, Iterator, Mapping

from qaviz.analysis.comparison import ComparedRow
from qaviz.analysis.comparison_words import rounded_up
from qaviz.analysis.decision.choice import Choice, Kind, Standing
from qaviz.analysis.numbers import count, figure, join, out_of, percent, plural
from qaviz.analysis.share_estimates import read_unseen_error
from qaviz.stats import Decision as Compared

NAMED = 2
"""Pipelines or criteria that a sentence names; more are counted."""

VERDICTS_ARE_OURS = "No response of this run is labelled: the verdicts are qaviz's own."


def headline(choice: Choice) -> str:
    """The recommendation in a sentence or two."""
    return _HEADLINES[choice.kind](choice)


def right_of(each: Standing) -> str:
    """`56 of 63 right`; `54 to 57 of 63 right` where some are open; `about 88% right` where labels correct it."""
    if _is_estimated(each):
        return f"{_count_right(each)} right"
    return f"{_count_right(each)} of {count(each.of)} right"


def _is_estimated(each: Standing) -> bool:
    """Whether the share is an estimate from labels of some responses, rather than a count."""
    return each.corrected_by_labels and each.labelled + each.missing + each.empty < each.of


def _count_right(each: Standing) -> str:
    if _is_estimated(each):
        return f"about {percent(each.share)}"
    return f"{count(each.right)} to {count(each.right + each.unsure)}" if each.unsure else count(each.right)


def _ship(choice: Choice) -> str:
    beaten, others, open_ones = choice.beaten, choice.rivals, choice.unsettled
    lead = f"Ship {choice.subject.name}: {right_of(choice.subject)}"
    if len(others) == 1:
        return f"{lead}, ahead of {others[0].name} ({right_of(others[0])}).{_add_passed_over(choice)}"
    ahead = f"all {len(others)} others" if len(beaten) == len(others) else out_of(len(beaten), len(others))
    against = _name_few([each.name for each in open_ones], "other")
    unsettled = f" Not settled against {against}." if open_ones else ""
    return f"{lead}, ahead of {ahead}.{unsettled}{_add_passed_over(choice)}"


def _name_few(names: list[str], noun: str) -> str:
    """One name, or how many there are."""
    return names[0] if len(names) == 1 else plural(len(names), noun)


def _add_passed_over(choice: Choice) -> str:
    """Why pipelines with more right answers are not recommended."""
    return "".join(
        f" {each.name} ({_count_right(each)}) "
        f"{_say_missed(each) if each.missed else 'is behind on critical questions'}."
        for each in choice.ahead_of_subject[:NAMED]
    )


def _say_missed(each: Standing) -> str:
    more = f" and {count(len(each.missed) - 1)} more" if len(each.missed) > 1 else ""
    return f"misses a criterion ({each.missed[0]}{more})"


def _only_one(choice: Choice) -> str:
    meets = "the criterion" if len(choice.subject.met) == 1 else f"all {len(choice.subject.met)} criteria"
    return f"Ship {choice.subject.name}: {right_of(choice.subject)}, and the only one that meets {meets}."


def _tie_broken(choice: Choice) -> str:
    subject, level = choice.subject, choice.level
    other = level[0]
    names = _name_few([each.name for each in level], "other")
    return f"Ship {subject.name}: {right_of(subject)}, as many as {names}, and {_word_saving(subject, other)}."


def _word_saving(subject: Standing, other: Standing) -> str:
    if subject.cost != other.cost:
        return f"cheaper: {figure(subject.cost)} a response against {figure(other.cost)}"
    return f"faster: {_milliseconds(subject.latency_ms)} a response against {_milliseconds(other.latency_ms)}"


def _milliseconds(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.0f} ms"


def _no_difference(choice: Choice) -> str:
    subject, other = choice.subject, choice.rivals[0]
    return (
        f"Ship {subject.name}: {right_of(subject)}. The difference from {other.name} ({_count_right(other)}) is not "
        f"clear, so cost and speed may decide.{_add_passed_over(choice)}"
    )


def _tie(choice: Choice) -> str:
    names = [choice.subject.name, *(each.name for each in choice.level)]
    among = join(names) if len(names) <= NAMED + 1 else f"{choice.subject.name} and {count(len(names) - 1)} others"
    ahead = f", ahead of {out_of(len(choice.beaten), len(choice.rivals))}" if choice.beaten else ""
    return f"Level: {among}, {right_of(choice.subject)} each{ahead}."


def _too_few(choice: Choice) -> str:
    subject, other = choice.subject, choice.unsettled[0]
    lead = f"Too few questions to choose: {subject.name} leads with {right_of(subject)}, {other.name} has "
    return f"{lead}{_count_right(other)}.{_add_passed_over(choice)}"


def _open(choice: Choice) -> str:
    subject, others = choice.subject, choice.unsettled or choice.rivals
    beside = f", {others[0].name} has {_count_right(others[0])}" if others else ""
    return f"Not settled: {subject.name} has {right_of(subject)}{beside}."


def _word_open(choice: Choice) -> str:
    """`40 unsure responses may turn it: label or judge them.`"""
    return f"{plural(choice.open, 'unsure response')} may turn it: label or judge them."


def _misses_criteria(choice: Choice) -> str:
    return f"Ship none yet: {_word_lead(choice.subject)} but {_say_missed(choice.subject)}."


def _word_lead(leader: Standing) -> str:
    return f"{leader.name} has most right answers ({right_of(leader).removesuffix(' right')})"


def _behind_on_critical(choice: Choice) -> str:
    leader = choice.subject
    better = max(choice.rivals, key=lambda each: each.critical)
    return (
        f"Ship none yet: {_word_lead(leader)} but is behind {better.name}"
        f" on critical questions ({count(leader.critical)} right against {count(better.critical)})."
    )


def _good_enough(choice: Choice) -> str:
    only = choice.subject
    meets = "its criterion" if len(only.met) == 1 else f"all {len(only.met)} criteria"
    return f"{only.name} is good enough: {right_of(only)}, and it meets {meets}."


def _not_good_enough(choice: Choice) -> str:
    only = choice.subject
    return f"{only.name} is not good enough yet: {right_of(only)}, and it {_say_missed(only)}."


def _not_shown(choice: Choice) -> str:
    only = choice.subject
    wanted = only.not_shown[0] if only.not_shown else "ahead of no other pipeline"
    return f"Not shown yet that {only.name} is good enough: {right_of(only)}; open: {wanted}."


def _no_criterion(choice: Choice) -> str:
    only = choice.subject
    return f"Is {only.name} good enough? {right_of(only).capitalize()}; no acceptance criterion is set."


def _unsure(choice: Choice) -> str:
    unsure, of = (sum(getattr(each, name) for each in choice.standings) for name in ("unsure", "of"))
    return f"No decision: words cannot judge this kind of answers. {out_of(unsure, of)} verdicts are unsure."


def _not_judged(choice: Choice) -> str:
    return f"No decision: no response of {choice.subject.name} has a verdict."


_HEADLINES: Mapping[Kind, Callable[[Choice], str]] = {
    Kind.SHIP: _ship,
    Kind.ONLY_ONE: _only_one,
    Kind.TIE_BROKEN: _tie_broken,
    Kind.NO_DIFFERENCE: _no_difference,
    Kind.GOOD_ENOUGH: _good_enough,
    Kind.TIE: _tie,
    Kind.TOO_FEW: _too_few,
    Kind.OPEN: _open,
    Kind.MISSES_CRITERIA: _misses_criteria,
    Kind.BEHIND_ON_CRITICAL: _behind_on_critical,
    Kind.NOT_GOOD_ENOUGH: _not_good_enough,
    Kind.NOT_SHOWN: _not_shown,
    Kind.NO_CRITERION: _no_criterion,
    Kind.NOT_JUDGED: _not_judged,
    Kind.UNSURE: _unsure,
}


def reasons(choice: Choice, critical_questions: int) -> Iterator[str]:
    """Why, a sentence each, the weightiest first: the share, the others, what it has to reach."""
    yield _word_share(choice.subject)
    if choice.others:
        yield _word_others(choice)
    yield _describe_reached(choice.subject, critical_questions)


def _word_share(each: Standing) -> str:
    likely = f"95% interval {percent(each.low)} to {percent(each.high)}"
    counts = (
        (each.unsure, plural(each.unsure, "is unsure", "are unsure")),
        (each.missing, plural(each.missing, "has no response", "have no response")),
        (each.empty, plural(each.empty, "is empty", "are empty")),
    )
    parts = [words for many, words in counts if many]
    lead = f"{right_of(each).capitalize()}; {likely}."
    if not each.corrected_by_labels:
        lead = (
            f"{right_of(each).capitalize()} by qaviz's own verdicts; {_word_unseen()}. {likely[0].upper()}{likely[1:]}."
        )
    return lead + (f" Of these {join(parts)}." if parts else "")


def _word_unseen() -> str:
    """How far off such shares were where nothing was fitted: `on texts it never saw such shares were off by ...`."""
    unseen = read_unseen_error()
    return (
        f"on texts it never saw such shares were off by {unseen.mean * 100:.0f} points on average, "
        f"up to {unseen.most * 100:.0f}"
    )


def _word_others(choice: Choice) -> str:
    nearest = choice.unsettled[0] if choice.unsettled else choice.rivals[0]
    row = choice.pairs[choice.subject.name, nearest.name]
    word = _AGAINST[Compared(row["decision"])]
    corrected = choice.subject.corrected_by_labels or nearest.corrected_by_labels
    wins = "" if corrected else _word_wins(row)
    if len(choice.rivals) == 1:
        return f"{word} {nearest.name} ({right_of(nearest)}){wins}."
    some = len(choice.rivals)
    number = out_of(len(choice.beaten), some) if choice.beaten else f"none of the {some}"
    return f"Ahead of {number} others beyond chance; the nearest is {nearest.name} ({right_of(nearest)}){wins}."


_AGAINST = {
    Compared.BETTER: "Ahead of",
    Compared.WORSE: "Behind",
    Compared.NO_CLEAR_DIFFERENCE: "No clear difference from",
    Compared.TOO_FEW_QUESTIONS: "Too few questions to tell it from",
    Compared.OPEN: "Unsure responses decide between it and",
}


def _word_wins(row: ComparedRow) -> str:
    """`: 5 questions won, 3 lost`."""
    return f": {plural(row['wins'], 'question')} won, {count(row['losses'])} lost" if row["paired"] else ""


def _describe_reached(each: Standing, critical_questions: int) -> str:
    asked = len(each.met) + len(each.missed) + len(each.not_shown)
    parts = [_word_criteria(each, asked)] if asked else ["No acceptance criteria are set"]
    if critical_questions:
        parts.append(f"{out_of(each.critical, critical_questions)} critical questions are right")
    return f"{'; '.join(parts)}."


def _word_criteria(each: Standing, asked: int) -> str:
    if len(each.met) == asked:
        return "The acceptance criterion is met" if asked == 1 else f"All acceptance criteria are met ({count(asked)})"
    missed = f"missed: {'; '.join(each.missed[:NAMED])}" if each.missed else ""
    not_shown = f"not shown: {'; '.join(each.not_shown[:NAMED])}" if each.not_shown else ""
    return f"{out_of(len(each.met), asked)} acceptance criteria met; {'; '.join(filter(None, (missed, not_shown)))}"


def settling(choice: Choice) -> str:
    """What would settle the decision."""
    if choice.kind is Kind.UNSURE:
        return "A judge on the unsure responses, or labels, would settle it: do this first."
    if choice.open:
        return _word_open(choice)
    needed = choice.settled_by
    if needed == 0:
        return "Settled: more questions of this kind would not change it."
    if needed is not None:
        against = "the criterion" if choice.kind is Kind.NOT_SHOWN else _name_open(choice)
        return f"About {plural(rounded_up(needed), 'more question')} of this kind would decide {against}."
    if choice.kind in (Kind.TIE, Kind.TIE_BROKEN):
        return _word_tie(choice)
    return _NO_NUMBER.get(choice.kind) or _word_no_number(choice.subject)


def _name_open(choice: Choice) -> str:
    return f"it against {choice.unsettled[0].name}" if choice.unsettled else "the open criterion"


def _word_tie(choice: Choice) -> str:
    if not choice.subject.right:
        return "Easier questions would separate them: none of them has a right answer."
    kind = "Harder questions" if choice.subject.right == choice.subject.of else "More and other questions"
    return kind + (" would separate them." if choice.recommended else ", or cost and time, would separate them.")


_FEW = 20
"""Questions below which it is not the difference that is too small."""

_NO_NUMBER = {
    Kind.BEHIND_ON_CRITICAL: "Right answers to its critical questions would settle it.",
    Kind.NO_CRITERION: "An acceptance criterion would settle it.",
    Kind.NOT_JUDGED: "Labels, a judge, or facts and answers in the golden dataset would settle it.",
}


def _word_no_number(subject: Standing) -> str:
    if subject.of < _FEW:
        return f"Too few questions: {count(subject.of)} settle nothing. Ask at least {_FEW}."
    return "The difference is too small to settle with an affordable number of questions."


def trust(labelled: int, agreed: int, contested: int) -> str:
    """How far people agree with the verdicts that the decision rests on, and on how many responses they differ."""
    if not labelled:
        return VERDICTS_ARE_OURS
    differ = f" They differ on {plural(contested, 'response')}: the newest label counts." if contested else ""
    return f"People agree with {percent(agreed / labelled)} of {plural(labelled, 'labelled verdict')}.{differ}"


def effort(choice: Choice) -> str | None:
    """Cost and time of a response of the subject, beside the cheapest and the fastest that may ship; None where neither
    is given."""
    known = [part for part in (_word_cost(choice), _word_latency(choice)) if part]
    return f"{choice.subject.name}: {'; '.join(known)}." if known else None


def _word_cost(choice: Choice) -> str | None:
    subject = choice.subject
    if subject.cost is None:
        return _word_unknown("cost", subject.cost_known, subject.responses)
    own = f"{figure(subject.cost)} a response{_word_coverage(subject.cost_known, subject.responses)}"
    cheapest = min(_alternatives(choice), key=lambda each: float("inf") if each.cost is None else each.cost)
    if cheapest is subject or cheapest.cost is None or cheapest.cost >= subject.cost:
        return own
    return f"{own}, the cheapest {figure(cheapest.cost)} ({cheapest.name})"


def _word_latency(choice: Choice) -> str | None:
    subject = choice.subject
    if subject.latency_ms is None:
        return _word_unknown("time", subject.latency_known, subject.responses)
    own = f"{_milliseconds(subject.latency_ms)} a response{_word_coverage(subject.latency_known, subject.responses)}"
    fastest = min(_alternatives(choice), key=lambda each: float("inf") if each.latency_ms is None else each.latency_ms)
    if fastest is subject or fastest.latency_ms is None or fastest.latency_ms >= subject.latency_ms:
        return own
    return f"{own}, the fastest {_milliseconds(fastest.latency_ms)} ({fastest.name})"


def _alternatives(choice: Choice) -> list[Standing]:
    return [choice.subject, *(each for each in choice.others if each.eligible)]


def _word_unknown(name: str, known: int, responses: int) -> str | None:
    """Why a mean is not given; None where no response carries a figure."""
    return f"{name} known of {out_of(known, responses)} responses, which decides nothing" if known else None


def _word_coverage(known: int, responses: int) -> str:
    return f" (known of {out_of(known, responses)})" if known < responses else ""
