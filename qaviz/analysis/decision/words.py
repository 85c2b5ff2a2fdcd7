"""A decision in sentences: for a reader who never heard of a p-value. Plain text with names as they came."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from qaviz.analysis.comparison import rounded_up
from qaviz.analysis.decision.choice import Choice, Kind, Standing
from qaviz.analysis.numbers import count, figure, join, out_of, percent, plural
from qaviz.analysis.share_estimates import read_unseen_error
from qaviz.model.visible import ELLIPSIS, excerpt, one_line
from qaviz.stats import Decision as Compared

NAMED = 2
"""Pipelines or criteria that a sentence names; more are counted."""

MOST_WORDS = 15
"""Words of the sentence that a reader repeats."""
LONGEST_NAME, WORDS_OF_NAME = 32, 2
"""Characters and words of a pipeline's name in that sentence."""

VERDICTS_ARE_OURS = "No response of this run is labelled: the verdicts are qaviz's own."


def headline(choice: Choice) -> str:
    """The recommendation in at most MOST_WORDS words. Names that are long are shortened, names of several words quoted.

    What does not fit is left out, the figures before the pipelines: the reasons have them.
    """
    if choice.kind is Kind.TIE and not choice.subject.right:
        return _NO_RIGHT
    fields = _fill_wordings(choice)
    sentences = [wording.format(**fields) for wording in _WORDINGS[choice.kind]]
    return next((sentence for sentence in sentences if len(sentence.split()) <= MOST_WORDS), sentences[-1])


def call_pipelines(names: Sequence[str]) -> dict[str, str]:
    """What a sentence calls each pipeline, the best first: at most WORDS_OF_NAME words, and no other's name."""
    called: dict[str, str] = {}
    for rank, name in enumerate(names, start=1):
        line = one_line(name)
        words = line.split() or [line]
        lead = excerpt(words[0], LONGEST_NAME // 2)
        short = line
        if len(line) > LONGEST_NAME or len(words) > WORDS_OF_NAME:
            short = f"{lead.rstrip(ELLIPSIS)}{ELLIPSIS}{words[-1][-LONGEST_NAME // 2 :]}"
        plain = short if short not in called.values() else f"{lead.rstrip(ELLIPSIS)}{ELLIPSIS}#{rank}"
        called[name] = plain
    return {name: f"“{short}”" if not _WORD.fullmatch(short) else short for name, short in called.items()}


_WORD = re.compile(r"[\w…#.:/+()-]+")
"""What a sentence may call a pipeline without quotation marks."""


def right_of(standing: Standing) -> str:
    """`56 of 63 right`; `54 to 57 of 63 right` where some are open; `about 88% right` where labels correct it."""
    if _is_estimated(standing):
        return f"{_count_right(standing)} right"
    return f"{_count_right(standing)} of {count(standing.of)} right"


def _is_estimated(standing: Standing) -> bool:
    """Whether the share is an estimate from labels of some responses, rather than a count."""
    return standing.corrected_by_labels and standing.labelled + standing.missing + standing.empty < standing.of


def _count_right(standing: Standing) -> str:
    if _is_estimated(standing):
        return f"about {percent(standing.share)}"
    return (
        f"{count(standing.right)} to {count(standing.right + standing.unsure)}"
        if standing.unsure
        else count(standing.right)
    )


_WORDINGS: Mapping[Kind, tuple[str, ...]] = {
    Kind.SHIP: ("Ship {name}: {right}, ahead of {ahead_of}.", "Ship {name}: {right}, ahead of {ahead}."),
    Kind.ONLY_ONE: (
        "Ship {name}: {right}, the only one that meets every criterion.",
        "Ship {name}: the only one that meets every criterion.",
    ),
    Kind.TIE_BROKEN: ("Ship {name}: as good as {level} and {saving}.",),
    Kind.NO_DIFFERENCE: ("Ship {name}: {right}, no clear difference from {rival}.",),
    Kind.GOOD_ENOUGH: ("Ship {name}: good enough, {right}, and every criterion met.",),
    Kind.TIE: (
        "{any}: {names}, {right} each.",
        "{any}: {names}.",
        "{any}: {right} each, nothing separates them.",
    ),
    Kind.TOO_FEW: (
        "Too few questions to choose: {name} leads with {right}, {open_rival} has {open_has}.",
        "Too few questions to choose: {name} leads with {right}.",
    ),
    Kind.OPEN: (
        "Not settled: {name} leads with {right}, {open} may turn it.",
        "Not settled: {name} leads, {open} may turn it.",
    ),
    Kind.MISSES_CRITERIA: (
        "Ship none yet: {name} leads with {right} but misses a criterion.",
        "Ship none yet: {name} leads but misses a criterion.",
    ),
    Kind.BEHIND_ON_CRITICAL: ("Ship none yet: {name} leads but is behind {better} on critical questions.",),
    Kind.NOT_GOOD_ENOUGH: (
        "Do not ship {name}: {right}, and it misses a criterion.",
        "Do not ship {name}: it misses a criterion.",
    ),
    Kind.NOT_SHOWN: ("Not shown yet that {name} is good enough: {right}.",),
    Kind.NO_CRITERION: ("Is {name} good enough? No criterion is set; {right}.",),
    Kind.NOT_JUDGED: ("No decision: no response of {name} has a verdict.",),
    Kind.UNSURE: ("No decision yet: {unsure} verdicts are unsure; judge or label first.",),
}
"""Of each kind what says it, the fullest first. The last one fits whatever the names."""
_NO_RIGHT = "Ship none: no pipeline has a right answer."


def _fill_wordings(choice: Choice) -> dict[str, str]:
    """What the wordings leave open."""
    called = call_pipelines([standing.name for standing in choice.standings])
    subject, rivals = choice.subject, choice.rivals or (choice.subject,)
    nearest = (choice.unsettled or rivals)[0]
    better = max(rivals, key=lambda rival: rival.critical)
    level = [subject, *choice.level]
    alone, won = len(rivals) == 1, len(choice.beaten)
    ahead = called[rivals[0].name] if alone else f"all {won} others" if won == len(rivals) else out_of(won, len(rivals))
    some = f"Any of these {_NUMBERS.get(len(level), count(len(level)))}"
    unsure, of = (sum(getattr(standing, name) for standing in choice.standings) for name in ("unsure", "of"))
    return {
        "name": called[subject.name],
        "right": right_of(subject),
        "rival": called[rivals[0].name],
        "ahead": ahead,
        "ahead_of": f"{ahead} ({_count_right(rivals[0])})" if alone else f"{ahead} beyond chance",
        "level": called[level[1].name] if len(level) == 2 else plural(len(level) - 1, "other"),
        "saving": _word_saving(subject, level[1:]),
        "any": "Either of these two" if len(level) == 2 else some,
        "names": " or ".join([", ".join(called[one.name] for one in level[:-1]), called[level[-1].name]]),
        "open_rival": called[nearest.name],
        "open_has": _count_right(nearest),
        "open": plural(choice.open, "unsure response") if choice.open else "unsure responses",
        "better": called[better.name],
        "unsure": out_of(unsure, of),
    }


_NUMBERS = {3: "three", 4: "four", 5: "five", 6: "six"}


def _word_saving(subject: Standing, level: Sequence[Standing]) -> str:
    """What it takes less than those that are level: `half its cost`, `22% cheaper`, `the fastest`."""
    of_cost = any(subject.cost != other.cost for other in level)
    if len(level) != 1:
        return "the cheapest" if of_cost else "the fastest"
    own, theirs = (subject.cost, level[0].cost) if of_cost else (subject.latency_ms, level[0].latency_ms)
    if own is None or not theirs:
        return "cheaper" if of_cost else "faster"
    part = next((words for share, words in _PARTS.items() if abs(own / theirs - share) < _NEARLY), None)
    if part:
        return f"{part} its {'cost' if of_cost else 'time'}"
    return f"{percent(1 - own / theirs)} {'cheaper' if of_cost else 'faster'}"


_PARTS = {1 / 2: "half", 1 / 3: "a third of", 1 / 4: "a quarter of", 1 / 10: "a tenth of"}
_NEARLY = 0.02


def _word_passed_over(choice: Choice) -> str:
    """Why pipelines with more right answers are not recommended."""
    return "".join(
        f" {other.name} ({_count_right(other)}) "
        f"{_word_missed(other) if other.missed else 'is behind on critical questions'}."
        for other in choice.ahead_of_subject[:NAMED]
    )


def _word_missed(standing: Standing) -> str:
    more = f" and {count(len(standing.missed) - 1)} more" if len(standing.missed) > 1 else ""
    return f"misses a criterion ({standing.missed[0]}{more})"


def reasons(choice: Choice, critical_questions: int) -> Iterator[str]:
    """Why, a sentence each, the weightiest first: the share, the others, what it has to reach."""
    yield _word_share(choice.subject)
    if choice.others:
        yield _word_others(choice) + _word_passed_over(choice)
    yield _describe_reached(choice.subject, critical_questions)


def _word_share(standing: Standing) -> str:
    likely = f"95% interval {percent(standing.low)} to {percent(standing.high)}"
    counts = (
        (standing.unsure, plural(standing.unsure, "is unsure", "are unsure")),
        (standing.missing, plural(standing.missing, "has no response", "have no response")),
        (standing.empty, plural(standing.empty, "is empty", "are empty")),
    )
    parts = [words for many, words in counts if many]
    lead = f"{right_of(standing).capitalize()}; {likely}."
    if not standing.corrected_by_labels:
        error = read_unseen_error()
        lead = (
            f"{right_of(standing).capitalize()} by qaviz's own verdicts; on texts it never saw such shares were off by "
            f"{error.mean * 100:.0f} points on average, up to {error.most * 100:.0f}. {likely[0].upper()}{likely[1:]}."
        )
    return lead + (f" Of these {join(parts)}." if parts else "")


def _word_others(choice: Choice) -> str:
    nearest = choice.unsettled[0] if choice.unsettled else choice.rivals[0]
    row = choice.pairs[choice.subject.name, nearest.name]
    word = _AGAINST[Compared(row["decision"])]
    corrected = choice.subject.corrected_by_labels or nearest.corrected_by_labels
    wins = f": {plural(row['wins'], 'question')} won, {count(row['losses'])} lost"
    wins = wins if row["paired"] and not corrected else ""
    if len(choice.rivals) == 1:
        return f"{word} {nearest.name} ({right_of(nearest)}){wins}."
    some = len(choice.rivals)
    number = out_of(len(choice.beaten), some) if choice.beaten else f"none of the {some}"
    return f"Ahead of {number} others beyond chance; the nearest is {nearest.name} ({right_of(nearest)}){wins}."


_AGAINST = {
    Compared.BETTER: "Ahead of",
    Compared.WORSE: "Behind",
    Compared.LEVEL: "Level with",
    Compared.NO_CLEAR_DIFFERENCE: "No clear difference from",
    Compared.TOO_FEW_QUESTIONS: "Too few questions to tell it from",
    Compared.OPEN: "Unsure responses decide between it and",
}


def _describe_reached(standing: Standing, critical_questions: int) -> str:
    required = len(standing.met) + len(standing.missed) + len(standing.not_shown)
    parts = [_word_criteria(standing, required)] if required else ["No acceptance criteria are set"]
    if critical_questions:
        parts.append(f"{out_of(standing.critical, critical_questions)} critical questions are right")
    return f"{'; '.join(parts)}."


def _word_criteria(standing: Standing, required: int) -> str:
    if len(standing.met) == required:
        return (
            "The acceptance criterion is met"
            if required == 1
            else f"All acceptance criteria are met ({count(required)})"
        )
    missed = f"missed: {'; '.join(standing.missed[:NAMED])}" if standing.missed else ""
    not_shown = f"not shown: {'; '.join(standing.not_shown[:NAMED])}" if standing.not_shown else ""
    return (
        f"{out_of(len(standing.met), required)} acceptance criteria met; {'; '.join(filter(None, (missed, not_shown)))}"
    )


def settling(choice: Choice) -> str:
    """What would settle the decision."""
    if choice.kind is Kind.UNSURE:
        return "A judge on the unsure responses, or labels, would settle it: do this first."
    if choice.open:
        return f"{plural(choice.open, 'unsure response')} may turn it: label or judge them."
    needed = choice.settled_by
    if needed == 0:
        return "Settled: more questions of this kind would not change it."
    if needed is not None:
        against = f"it against {choice.unsettled[0].name}" if choice.unsettled else "the open criterion"
        against = "the criterion" if choice.kind is Kind.NOT_SHOWN else against
        return f"About {plural(rounded_up(needed), 'more question')} of this kind would decide {against}."
    if choice.kind in (Kind.TIE, Kind.TIE_BROKEN):
        return _word_tie(choice)
    if choice.kind not in _NO_NUMBER and choice.subject.of < _FEW:
        return f"Too few questions: {count(choice.subject.of)} settle nothing. Ask at least {_FEW}."
    too_small = "The difference is too small to settle with an affordable number of questions."
    return _NO_NUMBER.get(choice.kind, too_small)


def word_days(days: int | None, questions_a_day: int | None) -> str:
    """` At 20 questions a day: 6 days.`; empty where there is nothing to say."""
    if not days or not questions_a_day:
        return ""
    return f" At {plural(questions_a_day, 'question')} a day: {plural(days, 'day')}."


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


def trust(labelled: int, agreed: int, contested: int) -> str:
    """How far people agree with the verdicts that the decision rests on, and on how many responses they differ."""
    if not labelled:
        return VERDICTS_ARE_OURS
    differ = f" They differ on {plural(contested, 'response')}: the newest label counts." if contested else ""
    return f"People agree with {percent(agreed / labelled)} of {plural(labelled, 'labelled verdict')}.{differ}"


def effort(choice: Choice) -> str | None:
    """Cost and time of a response of the subject, beside the cheapest and the fastest that may ship; None where neither
    is given."""
    alternatives = [choice.subject, *(other for other in choice.others if other.eligible)]
    costs = [(standing.cost, standing.name) for standing in alternatives]
    times = [(standing.latency_ms, standing.name) for standing in alternatives]
    of = choice.subject.responses
    parts = (
        _word_mean("cost", "the cheapest", costs, choice.subject.cost_known, of, figure),
        _word_mean("time", "the fastest", times, choice.subject.latency_known, of, "{:,.0f} ms".format),
    )
    known = [part for part in parts if part]
    return f"{choice.subject.name}: {'; '.join(known)}." if known else None


def _word_mean(
    name: str,
    least_is: str,
    means: Sequence[tuple[float | None, str]],
    known: int,
    responses: int,
    write: Callable[[float], str],
) -> str | None:
    """The first of these means, which so many responses carry, beside the least; None where no response carries one."""
    own = means[0][0]
    if own is None:
        return f"{name} known of {out_of(known, responses)} responses, which decides nothing" if known else None
    words = f"{write(own)} a response" + (f" (known of {out_of(known, responses)})" if known < responses else "")
    least, whose = min((mean, whose) for mean, whose in means if mean is not None)
    return f"{words}, {least_is} {write(least)} ({whose})" if least < own else words
