"""A decision in sentences: for a reader who never heard of a p-value. Plain text with names as they came."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from qaviz.analysis.comparison import Basis, ComparedRow, is_within_error, rounded_up
from qaviz.analysis.criteria import MOST_QUESTIONS
from qaviz.analysis.decision.choice import SAME, Choice, Confidence, Kind, Standing, are_mostly_unsure
from qaviz.analysis.glossary import TEXTS
from qaviz.analysis.numbers import count, figure, interval, join, out_of, percent, plural, upper_bound
from qaviz.analysis.share_estimates import read_error
from qaviz.model.visible import ELLIPSIS, excerpt, one_line
from qaviz.stats import Compared

NAMED = 2
"""Pipelines or criteria that a sentence names; more are counted."""

MOST_WORDS = 15
"""Words of the sentence that a reader repeats."""
LONGEST_NAME, WORDS_OF_NAME = 64, 2
"""Characters and words of a pipeline's name in that sentence."""
_WORD = re.compile(r"[\w…#.:/+()-]+")
"""What a sentence may call a pipeline without quotation marks."""
NOT_SETTLED = "Not settled: "
"""What a sentence begins with where more questions, labels or open responses may change what it says."""
_FEW = 20
"""Questions below which it is not the difference that is too small."""


def headline(choice: Choice) -> tuple[str, str]:
    """What to do, and the whole recommendation that begins with it, in at most MOST_WORDS words. Names that are long
    are shortened, names of several words quoted.

    What is not settled is not said to ship. What does not fit is left out: the reasons have it.
    """
    fields = _fill_wordings(choice)
    lead, *parts, end = (part.format(**fields) for part in TEXTS["headlines"][_find_wording(choice)])
    if lead == "Ship " and not choice.settled:
        lead = NOT_SETTLED
    sentences = ["".join((lead, *parts[:kept], end)) for kept in range(len(parts), 0, -1)]
    return lead, next((sentence for sentence in sentences if len(sentence.split()) <= MOST_WORDS), sentences[-1])


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


def share_of(standing: Standing) -> str:
    """`56 of 63`; `54 to 57 of 63` where some are open; `about 88%` where labels correct it."""
    if standing.corrected_by_labels and standing.labelled + standing.missing + standing.empty < standing.of:
        return f"about {percent(standing.share)}"
    open_to = f" to {count(standing.right + standing.unsure)}" if standing.unsure else ""
    return f"{count(standing.right)}{open_to} of {count(standing.of)}"


def _find_wording(choice: Choice) -> str:
    own = choice.subject
    of_kind = {
        Kind.AHEAD: "by words" if choice.by_words else "ahead",
        Kind.MEETS: "only one" if choice.others else "good enough",
        Kind.LEVEL: "tie broken" if choice.recommended else "tie",
        Kind.NO_DIFFERENCE: "no clear difference",
        Kind.TOO_FEW: "too few" if choice.others else "not shown",
        Kind.OPEN: "unsure" if are_mostly_unsure(choice.standings) else "open",
        Kind.MISSES: "behind" if own.eligible else "misses" if choice.others else "not good enough",
        Kind.NOTHING: "no criterion" if own.judged else "not judged",
    }
    nothing_right = choice.kind is Kind.MISSES and not own.eligible and own.share == 0
    return "nothing right" if nothing_right else of_kind[choice.kind]


def _fill_wordings(choice: Choice) -> dict[str, str]:
    called = call_pipelines([standing.pipeline for standing in choice.standings])
    subject, rivals = choice.subject, choice.rivals or (choice.subject,)
    nearest = (choice.unsettled or rivals)[0]
    better = max(rivals, key=lambda rival: rival.critical)
    level = [subject, *choice.level]
    *first, last = (called[standing.pipeline] for standing in level)
    alone = len(choice.others) == 1
    numbers = {3: "three", 4: "four", 5: "five", 6: "six"}
    some = f"Any of these {numbers.get(len(level), count(len(level)))}"
    unsure, of = (sum(getattr(standing, name) for standing in choice.standings) for name in ("unsure", "of"))
    return {
        "name": called[subject.pipeline],
        "right": f"{share_of(subject)} right",
        "rival": called[rivals[0].pipeline],
        "ahead": called[rivals[0].pipeline] if alone else _word_beaten(choice),
        "by": f" ({share_of(rivals[0])})" if alone else " by more than chance",
        "level": called[level[1].pipeline] if len(level) == 2 else plural(len(level) - 1, "other"),
        "saving": _word_saving(subject, level[1:]),
        "any": "Either of these two" if len(level) == 2 else some,
        "names": " or ".join([", ".join(first), last]),
        "open_rival": called[nearest.pipeline],
        "open_has": share_of(nearest),
        "open": plural(choice.open, "unsure response") if choice.open else "unsure responses",
        "better": called[better.pipeline],
        "unsure": out_of(unsure, of),
    }


def _word_beaten(choice: Choice) -> str:
    """`B`, `all others`, `3 of 4 others`: of all others, whether they may ship or not."""
    if len(choice.others) == 1:
        return choice.others[0].pipeline
    won, others = sum(choice.against(other) is Compared.BETTER for other in choice.others), len(choice.others)
    return "all others" if won == others else f"{out_of(won, others)} others"


def _word_saving(subject: Standing, level: Sequence[Standing]) -> str:
    """What it takes less than those that are level; `effort` has the figures."""
    of_cost = any(subject.cost != other.cost for other in level)
    if len(level) == 1:
        return "cheaper" if of_cost else "faster"
    return "the cheapest" if of_cost else "the fastest"


def _word_passed_over(choice: Choice) -> Iterator[str]:
    ahead = takewhile(lambda standing: standing is not choice.subject, choice.standings)
    for other in islice(ahead, NAMED):
        why = "has too small a lead to matter"
        if other.missed:
            more = f" and {count(len(other.missed) - 1)} more" if len(other.missed) > 1 else ""
            why = f"misses a criterion ({other.missed[0]}{more})"
        elif other.critical < choice.subject.critical:
            why = "is behind on critical questions"
        yield f" {other.pipeline} ({share_of(other)}) {why}."


def reasons(choice: Choice, critical_questions: int) -> Iterator[str]:
    """Why, a sentence each, the weightiest first: the share, the others, what it has to reach."""
    yield _word_share(choice.subject)
    if choice.others:
        yield "".join([_word_others(choice), *_word_passed_over(choice)])
    own = choice.subject
    required = len(own.met) + len(own.missed) + len(own.not_shown)
    met = f"{out_of(len(own.met), required)} acceptance criteria met"
    parts = [met if required else "No acceptance criteria are set"]
    for name, criteria in (("missed", own.missed), ("not shown", own.not_shown)):
        parts += [f"{name}: {'; '.join(criteria[:NAMED])}"] if criteria else []
    if critical_questions:
        parts.append(f"{out_of(own.critical, critical_questions)} critical questions are right")
    yield f"{'; '.join(parts)}."


def _word_share(standing: Standing) -> str:
    counts = {"unsure": standing.unsure, "missing": standing.missing, "empty": standing.empty}
    parts = [f"{count(many)} {kind}" for kind, many in counts.items() if many]
    by_verdicts = ""
    if not standing.corrected_by_labels:
        error = read_error("share")
        by_verdicts = (
            " by qaviz's own verdicts; on texts it never saw such shares were off by "
            f"{error.mean * 100:.0f} points on average, up to {error.most * 100:.0f}"
        )
    lead = (
        f"{share_of(standing).capitalize()} right{by_verdicts}; 95% interval {interval(standing.low, standing.high)}."
    )
    return lead + (f" Of these {join(parts)}." if parts else "")


def _word_others(choice: Choice) -> str:
    nearest = choice.unsettled[0] if choice.unsettled else choice.rivals[0]
    row = choice.pair_with(nearest)
    lead = row["sentence"]
    if row["confidence"] == Confidence.LOW and row["error"]:
        error = read_error("difference")
        lead += (
            f" Differences by words alone were off by {error.mean * 100:.0f} points on average, "
            f"up to {error.most * 100:.0f}, on {plural(error.number, 'pair')} of texts it never saw."
        )
    if len(choice.others) == 1:
        return lead
    return f"Ahead of {_word_beaten(choice)} by more than chance. The nearest: {lead}"


def settling(choice: Choice) -> str:
    """What would settle the decision: only what a computation shows."""
    own, needed = choice.subject, choice.settled_by
    nearest = [choice.pair_with(other) for other in choice.unsettled[:1]]
    if choice.kind is Kind.OPEN and are_mostly_unsure(choice.standings):
        return "A judge on the unsure responses, or labels, would settle it: do this first."
    if choice.open:
        return f"{plural(choice.open, 'unsure response')} may turn it: label or judge them."
    if choice.by_words or any(_takes_labels(row, choice) for row in nearest):
        return _word_labels_needed(choice)
    if needed == 0:
        return "Settled: the 95% intervals leave nothing open."
    if needed is not None:
        against = f"it against {choice.unsettled[0].pipeline}" if choice.unsettled else "the open criterion"
        labels = ", with labels of both," if any(map(is_within_error, nearest)) else ""
        more = plural(rounded_up(needed), "more question")
        return f"About {more} of this kind{labels} would probably decide {against}."
    if choice.kind is Kind.LEVEL:
        return "Other questions, or cost and time, may separate them."
    if choice.kind is Kind.MISSES:
        return "Right answers to its critical questions would settle it."
    if choice.kind is Kind.NOTHING:
        from_golden = "Labels, a judge, or facts and answers in the golden dataset"
        return f"{'An acceptance criterion' if own.judged else from_golden} would settle it."
    if own.of < _FEW:
        return f"Too few questions: {count(own.of)} settle nothing. Ask at least {_FEW}."
    return f"More than {count(MOST_QUESTIONS)} questions of this kind would be needed for a difference of this size."


def _takes_labels(row: ComparedRow, choice: Choice) -> bool:
    """Whether labels would settle a comparison, and questions would not, or not as soon."""
    is_tested = choice.kind in (Kind.AHEAD, Kind.NO_DIFFERENCE, Kind.TOO_FEW) and choice.settled_by is None
    within = is_tested and (row["basis"] == Basis.LABELS or is_within_error(row))
    return row["basis"] == Basis.SOME_LABELS or within


def _word_labels_needed(choice: Choice) -> str:
    nearest = min(choice.beaten or choice.rivals, key=lambda rival: abs(rival.share - choice.subject.share))
    labels = choice.pair_with(nearest)["labels_needed"]
    if labels is None and choice.subject.of > 1_000:  # more than people label for one decision
        return "So small a difference takes labels of all responses: cost, time or a criterion may decide."
    many = f"about {plural(rounded_up(labels), 'response')} drawn at random" if labels else "all responses"
    ahead = f" ahead of {nearest.pipeline}" if choice.beaten else ""
    return f"Labels of {many} of each pipeline would probably show it{ahead}."


def confidence_reason(choice: Choice) -> str:
    """Why it is so sure, in a sentence."""
    if choice.kind is Kind.LEVEL and not choice.leads:
        return f"A tie: {_word_tie(choice)}."
    if choice.kind is Kind.NO_DIFFERENCE:
        pairs = map(choice.pair_with, choice.unsettled)
        gap = max(((pair["detectable"] or 0) + (pair["error"] or 0) for pair in pairs), default=0.0)
        return f"No clear difference: a gap of {upper_bound(min(1.0, gap)).removesuffix('%')} points would have shown."
    if not choice.leads and choice.kind not in (Kind.MEETS, Kind.MISSES):
        return f"Not settled: {choice.kind.value}."
    lead = f"ahead of {_word_beaten(choice)} by more than chance" if choice.leads else "the criteria decide"
    if choice.kind is Kind.LEVEL:
        lead = f"the responses of those that are level are the same, {lead}"
    if choice.by_words:
        return f"Not settled: {lead}, but within the error of words."
    if choice.unsettled and choice.leads:
        state = "Settled in part" if choice.beaten else "Not settled"
        return f"{state}: {lead}; {plural(len(choice.unsettled), 'is', 'are')} too close."
    if choice.leads and choice.subject.not_shown:
        return f"Settled in part: {lead}, but a criterion is not shown."
    if choice.confidence is Confidence.HIGH:
        return f"Settled: {lead}, by people's labels of each pipeline."
    return f"{lead[0].upper()}{lead[1:]}, by qaviz's own verdicts: no labels of each pipeline correct them."


def _word_tie(choice: Choice) -> str:
    if choice.same_responses:
        return "the responses are the same"
    if all(abs(other.share - choice.subject.share) < SAME for other in choice.level):
        return "the pipelines have equally many right answers"
    return f"a difference of less than {(choice.smallest or 0) * 100:.3g} points does not matter"


def trust(labelled: int, agreed: int, contested: int) -> str:
    """How far people agree with the verdicts that the decision rests on, and on how many responses they differ."""
    if not labelled:
        return "No response of this run is labelled: the verdicts are qaviz's own."
    differ = f" They differ on {plural(contested, 'response')}: the newest label counts." if contested else ""
    return f"People agree with {percent(agreed / labelled)} of {plural(labelled, 'labelled verdict')}.{differ}"


def effort(choice: Choice) -> str | None:
    """Cost and time of a response, of the subject and of its nearest rival; None where they are not known of it."""
    parts = []
    for standing in (choice.subject, *choice.rivals[:1]):
        means = [] if standing.cost is None else [figure(standing.cost)]
        means += [] if standing.latency_ms is None else [f"{standing.latency_ms:,.0f} ms"]
        parts += [f"{standing.pipeline}: {'; '.join(means)} a response."] if means else []
    return " ".join(parts) or None
