"""The figures of a decision in plain Python, written from docs/decision.md alone: lists, dicts, fractions, no tables.

It covers runs in which labels decide their own responses and correct no share, and runs in which all responses of a
pipeline are labelled. How far an interval reaches beyond the counts for the error of words is given to it (`wider`).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.resources import files
from itertools import combinations, pairwise
from math import comb, inf, prod, sqrt
from statistics import NormalDist, mean, stdev

from scipy.stats import beta, binomtest, t

ALPHA = 0.05
SMALLEST_NOTICED = 0.2
EQUAL = 1e-9
KNOWN_SHARE = 0.8


@dataclass(frozen=True)
class Question:
    """One question of the golden dataset."""

    answerable: bool = True
    critical: bool = False


@dataclass(frozen=True)
class Slot:
    """What one pipeline answered to one question, in one repeat; `response` None where there is none."""

    response: str | None = "x"
    verdict: str = "correct"
    diagnosis: str = "correct"
    label: str | None = None
    grade: str | None = None
    labels: tuple[str, ...] = ()
    """What people say of it, the newest last."""
    text: str | None = None
    cost: float | None = None
    latency: float | None = None

    @property
    def is_missing(self) -> bool:
        return self.response is None

    @property
    def is_empty(self) -> bool:
        return self.response is not None and not self.response.strip()

    @property
    def word(self) -> str:
        """What counts: a label, else a grade of an open response, else the verdict."""
        return self.label or (self.grade if self.verdict == "unsure" and self.grade else self.verdict)


@dataclass(frozen=True)
class Target:
    """A criterion: `measure` is right, hallucinations or declined; at least the bound, or at most."""

    measure: str
    bound: float

    @property
    def at_least(self) -> bool:
        return self.measure == "right"


def count_right(slot: Slot, question: Question) -> tuple[int, int]:
    """Whether the slot is right at worst and at best."""
    if slot.is_missing or slot.is_empty:
        return 0, 0
    if slot.word == "unsure":
        return 0, 1
    right = int(slot.word == "correct" or (slot.word == "declined" and not question.answerable))
    return right, right


def count_of_target(slot: Slot, question: Question, measure: str) -> tuple[int, int]:
    """The slot's lowest and highest value in a criterion."""
    if measure == "right":
        return count_right(slot, question)
    gone = slot.is_missing or slot.is_empty
    if gone and measure == "declined":
        return 1, 1
    if gone or slot.word == "unsure":
        return 0, 1
    if measure == "declined":
        value = int(slot.word == "declined" and question.answerable)
    elif slot.label:
        excused = slot.diagnosis in ("off target", "accidental match", "declined")
        value = int(slot.label == "incorrect" and not excused)
    else:
        value = int(slot.diagnosis == "hallucination" and count_right(slot, question) == (0, 0))
    return value, value


def wilson(hits: float, n: int) -> tuple[float, float]:
    z = NormalDist().inv_cdf(1 - ALPHA / 2)
    share = hits / n
    centre, half = share + z * z / (2 * n), z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, (centre - half) / (1 + z * z / n)), min(1.0, (centre + half) / (1 + z * z / n))


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Wilson's of values that are 0 or 1, else Student's."""
    n = len(values)
    if set(values) <= {0, 1}:
        return wilson(sum(values), n)
    if len(set(values)) == 1:
        width = wilson(0, n)[1]
        spread = sqrt(width * (1 - width))
    else:
        spread = stdev(values)
    if n == 1:
        return 0.0, 1.0
    half = float(t.ppf(1 - ALPHA / 2, n - 1)) * spread / sqrt(n)
    return max(0.0, mean(values) - half), min(1.0, mean(values) + half)


def mcnemar(wins: int, losses: int) -> float:
    """The exact sign test of the questions that only one of two wins."""
    n = wins + losses
    return min(1.0, 2 * sum(comb(n, i) for i in range(min(wins, losses) + 1)) / 2**n)


def holm(p_values: Sequence[float]) -> list[float]:
    corrected, highest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        highest = max(highest, min(1.0, p_values[place] * (len(p_values) - rank)))
        corrected[place] = highest
    return corrected


def needed(difference: float, discordant: float, alpha: float) -> float:
    """Connor 1987."""
    if not difference:
        return inf
    level, power = NormalDist().inv_cdf(1 - alpha / 2), NormalDist().inv_cdf(0.8)
    apart = max(discordant, abs(difference))
    n = (level * sqrt(apart) + power * sqrt(apart - difference**2)) ** 2 / difference**2
    fewest = 1
    while 2 * 0.5**fewest >= alpha:
        fewest += 1
    return max(n, fewest)


@dataclass(frozen=True)
class Standing:
    """One pipeline over all questions; `slots` are lists of repeats, a question each."""

    name: str
    questions: Sequence[Question]
    slots: Sequence[Sequence[Slot]]
    targets: Sequence[Target] = ()
    wider: tuple[float, float] = (0.0, 0.0)
    """How much further the interval of right answers reaches at both ends, because words err."""

    @cached_property
    def flat(self) -> list[tuple[Slot, Question]]:
        return [(slot, question) for row, question in zip(self.slots, self.questions, strict=True) for slot in row]

    @cached_property
    def of(self) -> int:
        return len(self.flat)

    @property
    def texts(self) -> list[str | None]:
        """What was answered; None for a missing or an empty response."""
        return [None if slot.is_missing or slot.is_empty else slot.response for slot, _ in self.flat]

    @cached_property
    def right(self) -> int:
        return sum(count_right(*pair)[0] for pair in self.flat)

    @cached_property
    def possible(self) -> int:
        return sum(count_right(*pair)[1] for pair in self.flat)

    @property
    def unsure(self) -> int:
        return self.possible - self.right

    @cached_property
    def missing(self) -> int:
        return sum(slot.is_missing for slot, _ in self.flat)

    @cached_property
    def empty(self) -> int:
        return sum(slot.is_empty for slot, _ in self.flat)

    @cached_property
    def declined_rightly(self) -> int:
        return sum(slot.word == "declined" and count_right(slot, question)[0] for slot, question in self.flat)

    @cached_property
    def is_judged(self) -> bool:
        return any(
            slot.label or slot.word != "unsure" for slot, _ in self.flat if not (slot.is_missing or slot.is_empty)
        )

    @property
    def share(self) -> float:
        return self.right / self.of

    @property
    def high_share(self) -> float:
        return self.possible / self.of

    def values(self, best: bool = False) -> list[float]:
        """Each question's counted value, or its possible one."""
        return [
            mean(count_right(slot, question)[best] for slot in row)
            for row, question in zip(self.slots, self.questions, strict=True)
        ]

    @cached_property
    def ends(self) -> tuple[float, float]:
        return interval(self.values())[0], interval(self.values(best=True))[1]

    def critical_right(self, best: bool = False) -> int:
        return sum(
            question.critical and value == 1 for question, value in zip(self.questions, self.values(best), strict=True)
        )

    def known(self, field_name: str) -> float | None:
        """The mean cost or time, where at least 80 % of the responses have one."""
        responses = [slot for slot, _ in self.flat if not slot.is_missing]
        values = [value for slot in responses if (value := getattr(slot, field_name)) is not None]
        return mean(values) if responses and len(values) >= KNOWN_SHARE * len(responses) else None

    def outcome(self, target: Target, at_worst: bool = False, at_best: bool = False) -> str:
        """met, not met, or not shown; `at_worst` with every unsure response failing, all else that is open passing."""
        worst, best = self._values_of(target, failing=True), self._values_of(target, failing=False)
        if at_worst:
            worst = best = self._values_of(target, failing=True, only_unsure=True)
        elif at_best:
            worst = best
        if target.bound == (1.0 if target.at_least else 0.0):
            if all(value == target.bound for value in worst):
                return "met"
            return "not met" if any(value != target.bound for value in best) else "not shown"
        ends = [*interval(worst), *interval(best)]
        low, high = min(ends), max(ends)
        if target.measure == "right":
            low, high = low - self.wider[0], high + self.wider[1]
        if target.at_least:
            return "met" if low >= target.bound else "not met" if high < target.bound else "not shown"
        return "met" if high <= target.bound else "not met" if low > target.bound else "not shown"

    def _values_of(self, target: Target, *, failing: bool, only_unsure: bool = False) -> list[float]:
        """Each question's mean, what is open at the failing or the passing end."""

        def value(slot: Slot, question: Question) -> int:
            ends = count_of_target(slot, question, target.measure)
            gone = slot.is_missing or slot.is_empty
            fails = failing and not (only_unsure and gone)
            return min(ends) if fails == target.at_least else max(ends)

        return [
            mean(value(slot, question) for slot in row)
            for row, question in zip(self.slots, self.questions, strict=True)
        ]

    def outcomes(self, at_worst: bool = False) -> list[str]:
        return [self.outcome(target, at_worst) for target in self.targets]


@dataclass(frozen=True)
class Verdict:
    """What the decision says."""

    recommended: str | None
    subject: str
    kind: str
    confidence: str | None
    open: int
    ranking: list[str]
    against: dict[str, str] = field(default_factory=dict)


class Choice:
    """A decision over several pipelines, at the shares that `shares` and `critical` give."""

    def __init__(self, standings: Sequence[Standing]) -> None:
        self.standings = sorted(standings, key=_rank)
        self.words = compare_words(self.standings)

    def decide(self) -> Verdict:
        """The whole decision, with the check that it stands at its worst."""
        if len(self.standings) == 1:
            kind, subject = self._judge_alone(), self.standings[0]
        else:
            kind, subject = self._choose(self.standings, None)
        recommends = kind in _RECOMMENDS
        if recommends and not self._stands(subject):
            kind, recommends = "open", False
        if kind != "not judged" and self._are_words_helpless():
            kind, recommends = "unsure", False
        return Verdict(
            recommended=subject.name if recommends else None,
            subject=subject.name,
            kind=kind,
            confidence=self._confidence(kind, subject),
            open=self._count_open(subject),
            ranking=[standing.name for standing in self.standings],
            against={other.name: self.word(subject, other) for other in self.standings if other is not subject},
        )

    def word(self, first: Standing, second: Standing) -> str:
        return self.words[first.name, second.name]

    def _judge_alone(self, outcomes: list[str] | None = None) -> str:
        only = self.standings[0]
        outcomes = only.outcomes() if outcomes is None else outcomes
        if not only.is_judged:
            return "not judged"
        if "not met" in outcomes or not only.right:
            return "not good enough"
        if "not shown" in outcomes:
            return "not shown"
        return "good enough" if outcomes else "single"

    def _are_words_helpless(self) -> bool:
        """Whether more than half of all slots are unsure."""
        return 2 * sum(of.unsure for of in self.standings) > sum(of.of for of in self.standings)

    def _choose(  # noqa: C901 - the list of docs/decision.md, in its order
        self, ranking: Sequence[Standing], pessimist: Standing | None
    ) -> tuple[str, Standing]:
        def share(of: Standing) -> float:
            return of.share if pessimist is None or of is pessimist else of.high_share

        def critical(of: Standing) -> int:
            return of.critical_right(best=pessimist is not None and of is not pessimist)

        def outcomes(of: Standing) -> list[str]:
            return of.outcomes(at_worst=of is pessimist)

        ranking = sorted(ranking, key=lambda of: _rank(of, share(of)))
        eligible = [of for of in ranking if of.is_judged and "not met" not in outcomes(of) and share(of) > 0]
        if not eligible:
            return ("misses criteria" if ranking[0].is_judged else "not judged"), ranking[0]
        most = max(map(critical, eligible))
        candidates = [of for of in eligible if critical(of) == most]
        top = candidates[0]
        if eligible[0] is not top and self.word(top, eligible[0]) == "worse":
            return "behind on critical questions", eligible[0]
        if len(eligible) == 1 and outcomes(top) and "not shown" not in outcomes(top):
            return "only one", top
        level = [of for of in candidates if of is not top and abs(share(of) - share(top)) <= EQUAL]
        if level:
            return ("tie broken" if all(_saves(top, of) for of in level) else "tie"), top
        rivals = [of for of in eligible if of is not top] or [of for of in ranking if of is not top]
        words = {self.word(top, of) for of in rivals}
        if "better" in words:
            return "ship", top
        if "open responses decide" in words:
            return "open", top
        if "too few questions" in words or len(eligible) == 1:
            return "too few", top
        return "no clear difference", top

    def _stands(self, subject: Standing) -> bool:
        if len(self.standings) == 1:
            return self._judge_alone(subject.outcomes(at_worst=True)) in _RECOMMENDS
        kind, again = self._choose(self.standings, subject)
        return again is subject and kind in _RECOMMENDS

    def _rivals(self, subject: Standing) -> list[Standing]:
        others = [of for of in self.standings if of is not subject]
        return [of for of in others if of.is_judged and "not met" not in of.outcomes() and of.right] or others

    def _confidence(self, kind: str, subject: Standing) -> str | None:
        if kind in ("tie", "tie broken", "no clear difference"):
            return None
        if kind in ("only one", "good enough", "not good enough", "misses criteria"):
            return "medium"  # high needs labels
        rivals = self._rivals(subject)
        beaten = [of for of in rivals if self.word(subject, of) == "better"]
        beyond = all(is_beyond_words(subject, of) for of in beaten)
        if kind == "ship" and 2 * len(beaten) >= len(rivals) and beyond:
            return "medium"
        return "low"

    def _count_open(self, subject: Standing) -> int:
        eligible = [of for of in self.standings if of.is_judged and "not met" not in of.outcomes() and of.right]
        if not eligible:
            return 0
        turning = [of for of in eligible if of is not subject and self._may_turn(subject, of)]
        own_criterion = any(
            subject.outcome(target) == "not shown"
            and subject.outcome(target, at_worst=True) != subject.outcome(target, at_best=True)
            for target in subject.targets
        )
        own = subject.unsure if turning or own_criterion else 0
        return own + sum(of.unsure for of in turning)

    def _may_turn(self, subject: Standing, rival: Standing) -> bool:
        word = self.word(subject, rival)
        if word == "open responses decide":
            return True
        if word not in ("better", "worse") and rival.high_share >= subject.share - EQUAL:
            return True
        return rival.critical_right(best=True) > subject.critical_right()


_RECOMMENDS = ("ship", "only one", "good enough", "tie broken", "no clear difference")


def _rank(of: Standing, share: float | None = None) -> tuple[object, ...]:
    cost, latency = of.known("cost"), of.known("latency")
    at = of.share if share is None else share
    return (-round(at, 9), inf if cost is None else cost, inf if latency is None else latency, of.name)


def _saves(top: Standing, other: Standing) -> bool:
    costs, times = ((top.known(name), other.known(name)) for name in ("cost", "latency"))
    if None not in costs and costs[0] != costs[1]:
        return costs[0] < costs[1]
    if (costs[0] is None and costs[1] is not None) or (costs[0] is not None and costs[1] is None):
        return False
    return None not in times and times[0] < times[1]


@dataclass(frozen=True)
class Pair:
    """What is known of two pipelines before the correction for many pairs."""

    difference: float
    p: float
    extreme: float
    """The smallest p-value that open responses could bring about for either of the two."""


def compare_words(standings: Sequence[Standing]) -> Mapping[tuple[str, str], str]:
    """The word of each pipeline against each other, for runs without repeats."""
    pairs = list(combinations(standings, 2))
    words = {}
    for (first, second), word in zip(pairs, word_pairs(pairs), strict=True):
        back = {"better": "worse", "worse": "better"}.get(word, word)
        words[first.name, second.name], words[second.name, first.name] = word, back
    return words


def word_pairs(pairs: Sequence[tuple[Standing, Standing]], *, in_turn: bool = False) -> list[str]:
    """The word of each first one against the second, corrected for that many pairs; `in_turn` each for its place."""
    figures = [compare_pair(*pair) for pair in pairs]
    corrected = holm([pair.p for pair in figures])
    if in_turn:
        corrected = [pair.p * place * (place + 1) for place, pair in enumerate(figures, start=1)]
    words = []
    for (first, second), pair, p in zip(pairs, figures, corrected, strict=True):
        if p < ALPHA:
            words.append("better" if pair.difference > 0 else "worse")
        elif (first.unsure or second.unsure) and pair.extreme < ALPHA / len(pairs):
            words.append("open responses decide")
        else:
            words.append(say_even(first, second, len(pairs)))
    return words


def compare_pair(first: Standing, second: Standing) -> Pair:
    """The p-value of the case that is least favourable to whoever leads, and of the most extreme case."""
    least, least_p = compare_values(first.values(), second.values(best=True), spare=1)
    most, most_p = compare_values(first.values(best=True), second.values(), spare=1)
    p = least_p if least > 0 else most_p if most < 0 else 1.0
    extreme = min(most_p if most > 0 else 1.0, least_p if least < 0 else 1.0)
    return Pair(difference=mean(first.values()) - mean(second.values()), p=p, extreme=extreme)


def compare_values(first: Sequence[float], second: Sequence[float], spare: int = 0) -> tuple[float, float]:
    """Difference of the means, and McNemar's p, with so many questions more lost by whoever leads."""
    wins = sum(a > b for a, b in zip(first, second, strict=True))
    losses = sum(a < b for a, b in zip(first, second, strict=True))
    return mean(first) - mean(second), mcnemar(max(wins, losses), min(wins, losses) + spare)


_ERRORS = json.loads(files("qaviz.analysis").joinpath("share_errors.json").read_bytes())
LARGEST_ERROR = 1.5 * _ERRORS["difference"]["most"]
"""One and a half times the largest error of a difference by words."""


def is_beyond_words(first: Standing, second: Standing) -> bool:
    """Whether the first is ahead by more than words err, whatever open responses turn out to be."""
    low, _ = paired_interval(first.values(), second.values(best=True))
    return low > LARGEST_ERROR


def paired_interval(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Bonett and Price 2012, of values that are 0 or 1."""
    n = len(first)
    wins = (sum(a > b for a, b in zip(first, second, strict=True)) + 1) / (n + 2)
    losses = (sum(a < b for a, b in zip(first, second, strict=True)) + 1) / (n + 2)
    half = NormalDist().inv_cdf(1 - ALPHA / 2) * sqrt((wins + losses - (wins - losses) ** 2) / (n + 2))
    return wins - losses - half, wins - losses + half


def clopper_pearson(hits: int, n: int) -> tuple[float, float]:
    """The exact interval."""
    low = 0.0 if hits == 0 else float(beta.ppf(ALPHA / 2, hits, n - hits + 1))
    return low, 1.0 if hits == n else float(beta.ppf(1 - ALPHA / 2, hits + 1, n - hits))


def spread_labels(slots: Mapping[str, Sequence[Slot]]) -> dict[str, list[str | None]]:
    """The word that counts of each response, by pipeline: of all labels of the same text to the same question the
    newest."""
    words: dict[str, list[str | None]] = {}
    for name, own in slots.items():
        words[name] = []
        for place, slot in enumerate(own):
            same = [
                row[place].labels[-1] for row in slots.values() if row[place].text == slot.text and row[place].labels
            ]
            words[name].append(same[-1] if same else slot.word)
    return words


def say_even(first: Standing, second: Standing, pairs: int) -> str:
    """Whether a difference of 20 points would have shown."""
    values = list(zip(first.values(), second.values(), strict=True))
    discordant = (sum(a != b for a, b in values) + 2) / (len(values) + 2)
    enough = needed(SMALLEST_NOTICED - 1 / len(values), discordant, ALPHA / pairs) <= len(values)
    return "no clear difference" if enough else "too few questions"


def change_of(before: Slot, now: Slot, questions: tuple[Question, Question], *, words_hold: bool = True) -> str:
    """What became of a response between two runs, by the question as each of them has it; `words_hold` is False where
    labels of one run alone contradict more verdicts than usual."""
    comparable = questions[0].answerable == questions[1].answerable
    if comparable:
        least, most = loss_of(before, now, questions, words_hold=words_hold)
        if least == 1 or most == -1:
            return "broken" if least == 1 else "fixed"
    if is_same_text(before, now) and comparable and bool(before.label) != bool(now.label):
        return "same"
    words = [None if slot.is_missing else slot.word for slot in (before, now)]
    return "same" if before.response == now.response and words[0] == words[1] else "changed"


def is_same_text(before: Slot, now: Slot) -> bool:
    return before.response == now.response and not (before.is_missing or before.is_empty)


def is_contradicted(slot: Slot, question: Question) -> bool:
    """Whether a label makes right what the verdict does not, or the other way round."""
    return bool(slot.label) and count_right(slot, question)[0] != count_right(replace(slot, label=None), question)[0]


def is_one_sided(before: Slot, now: Slot) -> bool:
    """Whether one of two different texts alone has a label."""
    labelled = [bool(slot.label) and not (slot.is_missing or slot.is_empty) for slot in (before, now)]
    return labelled[0] != labelled[1] and not is_same_text(before, now)


def loss_of(
    before: Slot, now: Slot, questions: tuple[Question, Question], *, words_hold: bool = True
) -> tuple[int, int]:
    """By how much the response fell from right to wrong: for certain, and at most."""
    if is_same_text(before, now):
        return 0, 0
    slots = (before, now)
    doubtful = is_one_sided(before, now) and any(map(is_contradicted, slots, questions))
    ends = []
    for slot, question in zip(slots, questions, strict=True):
        there = not (slot.is_missing or slot.is_empty)
        is_open = there and not slot.label and (doubtful if words_hold else True)
        ends.append((0, 1) if is_open else count_right(slot, question))
    (was_low, was_high), (is_low, is_high) = ends
    return was_low - is_high, was_high - is_low


def do_words_hold(rows: Sequence[tuple[Slot, Slot]], questions: Sequence[tuple[Question, Question]]) -> bool:
    """Whether labels of one run alone contradict no more verdicts than 15 %, beyond chance."""
    one_sided = [
        (pair, asked)
        for pair, asked in zip(rows, questions, strict=True)
        if is_one_sided(*pair) and asked[0].answerable == asked[1].answerable
    ]
    wrong = sum(any(map(is_contradicted, pair, asked)) for pair, asked in one_sided)
    return not wrong or binomtest(wrong, len(one_sided), 0.15, alternative="greater").pvalue >= ALPHA


def capital(values: Sequence[float], bound: float) -> float:
    """What fixed bets, 64 of them, make of a stake of one, if the mean were at least the bound."""
    bets = [(place + 0.5) / 64 for place in range(64)]
    return mean(prod(1 + bet * (bound - value) / (1 - bound) for value in values) for bet in bets)


def gate_results(before: Sequence[Standing], now: Sequence[Standing]) -> dict[str, str]:
    """By check and pipeline whether it passes: drop (in right answers), critical, missing, and each criterion."""
    results = {}
    for old, new in zip(before, now, strict=True):
        asked = list(zip(old.questions, new.questions, strict=True))
        rows = [(one[0], other[0]) for one, other in zip(old.slots, new.slots, strict=True)]
        hold = do_words_hold(rows, asked)
        losses = [
            (loss_of(*pair, of, words_hold=hold), of[1].critical, count_right(pair[0], of[0])[0])
            for pair, of in zip(rows, asked, strict=True)
            if of[0].answerable == of[1].answerable
        ]
        critical = [loss for loss, is_critical, was_right in losses if is_critical and was_right]
        lost = any(least > 0 for least, _ in critical)
        least, most = [low for (low, _), *_ in losses], [high for (_, high), *_ in losses]
        allowed = len(losses) // 20 if len(losses) < 100 else len(losses)
        enough = len(now) / ALPHA
        fails = lost or capital([-loss for loss in least], 0) >= enough or sum(low > 0 for low in least) > allowed
        passes = max(most) <= 0 or capital(most, 0.05) >= enough
        results["drop", new.name] = "fail" if fails else "pass" if passes else "unknown"
        if any(is_critical for _, is_critical, _ in losses):
            doubt = any(high > 0 for _, high in critical)
            results["critical", new.name] = "fail" if lost else "unknown" if doubt else "pass"
        if any(of[0].critical and of[0].answerable != of[1].answerable for of in asked):
            results["critical", "all pipelines"] = "unknown"
        results["missing", new.name] = "fail" if new.missing else "pass"
        for target in new.targets:
            words = {"met": "pass", "not met": "fail", "not shown": "unknown"}
            results[target.measure, new.name] = words[new.outcome(target)]
    return results


STEPS = {
    "better": "rose",
    "worse": "fell",
    "no clear difference": "no change beyond noise",
    "too few questions": "too few questions",
    "open responses decide": "open responses decide",
}


def history_of(runs: Sequence[Standing]) -> list[tuple[float, float, float, str | None]]:
    """One pipeline over runs of the same questions: share, its interval, and the word of the step before."""
    words = word_pairs([(new, old) for old, new in pairwise(runs)], in_turn=True)
    steps = [
        "no change beyond noise" if old.texts == new.texts and any(old.texts) else STEPS[word]
        for word, (old, new) in zip(words, pairwise(runs), strict=True)
    ]
    return [(of.share, *of.ends, step) for of, step in zip(runs, [None, *steps], strict=True)]
